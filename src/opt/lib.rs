//! The optimizer: analyses, passes and the pass list.
//!
//! A pass is one file with a `PASS`; one word in the list below registers it and says when it runs. [`pipeline`]
//! is what of the list a level runs, [`optimize`] runs it.
//!
//! **Invariants:** a pass changes a unit only through the verbs of [`trueline_ir::Editor`]; its
//! decisions depend neither on tallies nor on the numbers of ids, so that a profiled build is optimized
//! as an unprofiled one; analyses are recomputed, never patched; the result does not depend on the
//! number of threads.

mod alias;
mod analysis;
mod feedback;
mod forward;
mod linear;
mod manager;
mod pass;
mod rewrite;
#[cfg(test)]
mod tests;

pub use feedback::{Feedback, Trips};
pub use manager::{Bug, Dump, Options, PassStats, Stats, optimize, optimize_with};
pub use pass::{Context, OptLevel, Pass};

/// Declares the modules of the passes, [`PASSES`] and the order in which they run, from one list.
macro_rules! passes {
    (@ [$($name:ident)*] [$($step:expr,)*]) => {
        $(pub mod $name;)*
        /// Every pass, by name.
        pub const PASSES: &[&Pass] = &[$(&$name::PASS),*];
        const STEPS: &[Step] = &[$($step,)*];
    };
    (@ [$($names:tt)*] [$($steps:tt)*] at $point:ident, $($rest:tt)*) => {
        passes!(@ [$($names)*] [$($steps)* Step::At(Point::$point),] $($rest)*);
    };
    (@ [$($names:tt)*] [$($steps:tt)*] again $name:ident, $($rest:tt)*) => {
        passes!(@ [$($names)*] [$($steps)* Step::Run(&$name::PASS),] $($rest)*);
    };
    (@ [$($names:tt)*] [$($steps:tt)*] $name:ident, $($rest:tt)*) => {
        passes!(@ [$($names)* $name] [$($steps)* Step::Run(&$name::PASS),] $($rest)*);
    };
    ($($list:tt)*) => {
        passes!(@ [] [] $($list)*);
    };
}

// Adding a pass: create `src/opt/<name>.rs` and put `<name>` here, where it runs. That is all. A pass that
// runs more than once stands after `again` from the second time on.
passes![
    scalarize,
    // Interprocedural.
    at BeforeIpa,
    inline,
    at AfterIpa,
    // Loop nests, of which constants are known.
    structure,
    fold,
    copyprop,
    dce,
    at BeforeLno,
    settle,
    induct,
    distribute,
    interchange,
    fuse,
    peel,
    split,
    unswitch,
    licm,
    scalar_replace,
    version,
    idiom,
    unroll,
    at AfterLno,
    // Scalars; then with addresses explicit.
    again fold,
    again copyprop,
    cse,
    again dce,
    lower_m,
    at BeforeWopt,
    again fold,
    strength,
    again copyprop,
    again dce,
    at AfterWopt,
    lower_l,
];

/// Where a program can be instrumented (paper, section 4): before or after a phase.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Point {
    BeforeIpa,
    AfterIpa,
    BeforeLno,
    AfterLno,
    BeforeWopt,
    AfterWopt,
}

/// One step of the pipeline.
#[derive(Clone, Copy)]
pub enum Step {
    /// A pass runs on every unit.
    Run(&'static Pass),
    /// A point where instrumentation may be put in.
    At(Point),
}

/// What runs at `level`, in order.
pub fn pipeline(level: OptLevel) -> Vec<Step> {
    STEPS.iter().copied().filter(|s| !matches!(s, Step::Run(p) if p.from > level)).collect()
}

/// The pass with that name.
pub fn pass_named(name: &str) -> Option<&'static Pass> {
    PASSES.iter().copied().find(|p| p.name == name)
}
