//! The oracle of times: random programs whose work keeps a ledger, and whether the profile agrees with it.
//!
//! 1. [`make`] makes a [`program`] from a seed, [`simulate`] says in which constructs and calls each piece of work is
//!    done.
//! 2. [`run`] builds it, runs it, and adds up the ledger by construct: the truth.
//! 3. [`judge`] compares the profile with the truth, [`exports`] the reports and other formats with the profile.
//! 4. [`campaign`] does so for many programs in many ways; [`reduce`] shrinks programs that fail.

pub mod campaign;
pub mod command;
pub mod exports;
#[cfg(any(debug_assertions, feature = "faults"))]
pub mod faults;
pub mod formats;
pub mod judge;
pub mod make;
pub mod order;
pub mod print;
pub mod program;
pub mod reduce;
pub mod run;
pub mod simulate;
