//! Random programs against the compiler, and seeded bugs against the random programs.
//!
//! 1. [`generate`] makes a program from a seed; [`print`] gives its text.
//! 2. [`oracle`] compares its output and counts however it is optimized; [`claims`] does so for the mapping. [`native`]
//!    does so for executables, ours and gfortran's.
//! 3. [`order`] checks the order of accesses after each loop transformation.
//! 4. [`reduce`] shrinks a failure to a few lines.
//! 5. `faults`: bugs switched on one at a time in the optimizer prove that the harness finds them.

#![allow(clippy::type_complexity, reason = "the trees of generated programs are plain vectors")]
#![allow(clippy::needless_range_loop, reason = "indices are compared with one another")]

pub mod arguments;
pub mod ast;
#[cfg(any(debug_assertions, feature = "faults"))]
pub mod by_hand;
pub mod campaign;
pub mod claims;
#[cfg(any(debug_assertions, feature = "faults"))]
pub mod faults;
pub mod generate;
pub mod loops;
pub mod native;
pub mod oracle;
pub mod order;
pub mod parts;
pub mod print;
pub mod ranks;
pub mod reduce;
pub mod rng;
pub mod signatures;
#[cfg(any(debug_assertions, feature = "faults"))]
mod stretches;
pub mod times;

/// Bytes of stack of a thread that optimizes or interprets.
pub const STACK: usize = 256 << 20;

/// A new temporary directory, removed with its value: threads and processes share none.
fn scratch(purpose: &str) -> Result<tempfile::TempDir, String> {
    let prefix = format!("campaign-{purpose}-");
    tempfile::Builder::new().prefix(&prefix).tempdir().map_err(|e| e.to_string())
}
