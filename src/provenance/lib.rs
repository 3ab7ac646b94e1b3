//! The provenance of optimized code.
//!
//! A [`StmtInfo`] describes one statement of the source, collected before any optimization (HPF
//! profiling paper, section 3.1). Every statement of the IR carries a `SetOfStmtInfo`: the interned
//! set ([`SetId`]) of the source statements it derives from. Every change of the IR is one of five
//! transforms and is recorded in an [`EditLog`]; the story of a line is read from there.
//!
//! **Invariants:** only the front end makes `StmtInfo`s; sets are sorted and interned, so equal sets
//! have equal ids; the log is append-only and its statement ids are never reused.
//!
//! This crate knows no Fortran and no pass: kinds are the field's general ones, passes are names.

mod counter;
mod fault;
mod info;
mod log;
pub mod map;
mod set;

pub use counter::{CounterInfo, Measure};
pub use fault::fault;
#[cfg(any(debug_assertions, feature = "faults"))]
pub use fault::{fault_hits, faults_asked, set_fault};
pub use info::{FileInfo, Procedures, Serial, StmtInfo, StmtInfos, StmtKind};
pub use log::{Edit, EditLog, ExpandKind, Missed, Obstacle, Stmt, Transform, Why};
pub use set::{Chain, Origin, SetId, SetPool, Taints};
