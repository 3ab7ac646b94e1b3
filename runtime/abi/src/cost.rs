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
}

impl Class {
    /// All classes, in the order of their numbers.
    pub const ALL: [Class; 10] = [
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
    ];
}

/// Thousandths of a cycle that an operation of each class adds to programs. `cargo bench --bench perturbation -- --fit` fits them.
pub const MILLICYCLES: [u64; Class::ALL.len()] = [650, 20, 40, 100, 800, 100, 20, 500, 520, 320];

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
