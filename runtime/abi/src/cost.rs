//! The model of the cost of counting: operations of a few classes, how often each ran, and the time that one takes.
//!
//! The compiler knows each instruction that it adds for counting, and which counts say how often it ran. It leaves that in the
//! metadata of the object as a sum over counters for each class ([`CostMeta`]). The runtime measures the time of an operation of each
//! class when a run begins. At the end of the run the two are multiplied.

use serde::{Deserialize, Serialize};

/// A class of operations. Within a class all operations take the same time, roughly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Adding to a counter in memory, in an innermost loop without calls.
    Memory,
    /// Adding to a counter in a register, or another operation on registers that only a count needs.
    Register,
    /// Adding to a counter in memory once a call or activation, among the passing of arguments, which takes longer.
    Call,
    /// Entering a procedure by a symbol that counts its calls.
    Entry,
    /// Computing the address of the thread's counters in a procedure.
    Address,
    /// Asking whether a timer is masked, at its start and at its end.
    Test,
    /// An operation in a loop whose iterations wait for one another longer than it takes to issue them.
    Hidden,
    /// Adding to a counter in memory, in a loop with other loops in it but without calls.
    Around,
    /// An operation on a vector or a mask that only a count needs: its registers and units are those of the program's own.
    Lanes,
    /// An operation on registers in an arm of a conditional in an innermost loop, which has little else to do.
    Arm,
    /// A conditional of the program itself in an innermost loop without calls. It is no operation of counting, but such loops run
    /// faster or slower by where they stand in memory, and counting moves them: see [`MOVED`].
    Branch,
}

impl Class {
    /// All classes, in the order of their numbers.
    pub const ALL: [Class; 11] = [
        Class::Memory,
        Class::Register,
        Class::Call,
        Class::Entry,
        Class::Address,
        Class::Test,
        Class::Hidden,
        Class::Around,
        Class::Lanes,
        Class::Arm,
        Class::Branch,
    ];
}

/// Thousandths of a cycle that an operation of each class adds to programs. `cargo bench --bench perturbation -- --fit` fits them.
pub const MILLICYCLES: [u64; Class::ALL.len()] = [300, 150, 400, 50, 350, 500, 70, 350, 330, 230, 0];
/// The thousandths of a cycle that an operation of each class adds at least, in most programs.
pub const LEAST: [u64; Class::ALL.len()] = [50, 0, 30, 0, 150, 50, 0, 100, 250, 50, 0];
/// The thousandths of a cycle that an operation of each class adds at most, in most programs.
pub const MOST: [u64; Class::ALL.len()] = [900, 430, 940, 300, 900, 3000, 430, 900, 600, 450, 0];

/// The share of the time of loops with conditionals ([`Class::Branch`]) that they gain or lose at most, in most programs, where the
/// linker places them elsewhere and the processor foresees their branches otherwise.
pub const MOVED: f64 = 0.15;
/// The cycles that an iteration of such loops takes for each of its conditionals, at most: with it, the number of conditionals
/// tells the share of the run in those loops.
pub const BRANCH_CYCLES: f64 = 8.0;

/// A number for each class: of operations, or of nanoseconds that one takes.
pub type Operations = [f64; Class::ALL.len()];

/// The number of operations of a class that ran.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CostMeta {
    /// The class.
    pub class: Class,
    /// `factor * cell` terms, whose sum is the number of operations.
    pub terms: Vec<(f64, u32)>,
    /// Whether there are more that no count tells of.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partly: bool,
}

/// Reads numbers by class; of classes that are not there, as in profiles of earlier versions, they are zero.
pub(crate) fn of_classes<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Operations, D::Error> {
    let list = Vec::<f64>::deserialize(from)?;
    let mut out = Operations::default();
    out.iter_mut().zip(list).for_each(|(to, n)| *to = n);
    Ok(out)
}
