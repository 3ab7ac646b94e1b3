//! How deep programs may nest. Later phases recurse, so it depends on the stack that they have.

use std::sync::atomic::{AtomicBool, Ordering};

/// The greatest depths and numbers; more is an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Operations of an expression, one in the other.
    pub operations: u32,
    /// The depth that a call, a constructor or a component counts for, since it takes more of the stack.
    pub per_call: u32,
    /// Constructs or program units, one in the other.
    pub constructs: usize,
    /// Loops, one in the other.
    pub loops: usize,
    /// Branches of an IF construct.
    pub branches: usize,
}

/// The bytes of stack that [`allow_depth`] takes for granted.
pub const DEEP_STACK: usize = 8 << 30;

const USUAL: Limits = Limits { operations: 2000, per_call: 1, constructs: 1000, loops: 100, branches: 5000 };
const DEEP: Limits =
    Limits { operations: 1_100_000, per_call: 5, constructs: 100_000, loops: 10_000, branches: 500_000 };

static IS_DEEP: AtomicBool = AtomicBool::new(false);

/// Promises that each thread of the process that compiles has a stack of [`DEEP_STACK`] bytes.
pub fn allow_depth() {
    IS_DEEP.store(true, Ordering::Relaxed);
}

/// Whether [`allow_depth`] was called.
pub(crate) fn is_deep() -> bool {
    IS_DEEP.load(Ordering::Relaxed)
}

/// The limits of this process.
pub fn limits() -> Limits {
    if is_deep() { DEEP } else { USUAL }
}
