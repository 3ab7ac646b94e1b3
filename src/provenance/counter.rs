//! What is counted: the obligations that tallies carry (PROVENANCE section 1, `Ω`).

use crate::Serial;

/// Which count of a source statement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Measure {
    /// Calls of a procedure; entries of a loop or region.
    Invocations,
    /// Iterations of a loop.
    Iterations,
    /// Evaluations of a conditional.
    Evaluations,
    /// Executions of arm `k` of a conditional, from 0: of an IF the THEN arm, of an arithmetic IF
    /// `< 0`, `= 0`, `> 0`, of a SELECT CASE its CASE blocks in source order.
    Taken(u16),
    /// Elements assigned by an array assignment, WHERE or FORALL.
    Elements,
    /// Calls made by reference `k` of a statement to a procedure, from 0 (an edge of the call graph).
    Calls(u16),
}

impl Measure {
    /// Its name in metadata and in the text format of the IR.
    pub fn name(self) -> String {
        match self {
            Measure::Invocations => "invocations".into(),
            Measure::Iterations => "iterations".into(),
            Measure::Evaluations => "evaluations".into(),
            Measure::Taken(k) => format!("taken.{k}"),
            Measure::Elements => "elements".into(),
            Measure::Calls(k) => format!("calls.{k}"),
        }
    }
}

/// One count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CounterInfo {
    /// Of which source statement.
    pub of: Serial,
    /// Which count of it.
    pub measure: Measure,
}
