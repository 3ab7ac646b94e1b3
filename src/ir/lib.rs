//! The IR of trueline: one tree datatype for all levels; statements are entities, expressions values.
//!
//! A [`Unit`] is one procedure. Its statements have a [`Head`] (small, `Copy`, without nested
//! blocks), the blocks they own, and a `SetOfStmtInfo`. Expressions are hash-consed and carry no
//! provenance: equal expressions have equal ids.
//!
//! **Invariant:** outside this crate a unit is read-only once it is built. The only way to change it is
//! an [`Editor`], whose verbs are the five provenance transforms:
//!
//! ```compile_fail
//! fn sneak(unit: &mut trueline_ir::Unit, s: trueline_ir::Stmt, head: trueline_ir::Head) {
//!     unit.stmts[s].head = head; // error: field `stmts` is private
//! }
//! ```
//!
//! Why one datatype and not one a level: a pass, the printer, the verifier, the interpreter and the
//! mapping are then written once; one table says which heads are legal at which level, [`Head::levels`].

mod bridge;
mod builder;
mod canonical;
mod conserve;
pub mod declared;
mod depth;
mod edit;
mod enclose;
mod entities;
mod expr;
mod expr_map;
mod head;
pub mod interface;
mod interp;
mod intrinsic;
pub mod mapping;
#[cfg(test)]
mod mutate;
mod opt_level;
mod panic;
mod parse;
mod print;
mod returned;
pub mod scalar;
mod symbol;
mod tally;
pub mod testing;
mod unit;
mod verify;
mod vocabulary;
mod walk;

pub use bridge::{Array, Bridge, DIRECT, KNOWS_RANKS, Passed, Size, THROUGH};
pub use builder::{Builder, Cursor};
pub use conserve::{Snapshot, placed};
pub use edit::{Editor, Place};
pub use entities::{Area, Block, Counter, Expr, Label, List, Mapping, Proc, Sym};
pub use expr::{Access, BinaryOp, ExprData, ExprPool, UnaryOp};
pub use expr_map::ExprMap;
pub use head::{Callee, Head, Level, Levels, ProbeOp};
pub use interp::{Error, ErrorKind, Item, Options, Run, Touch, Trace, Value, interpret, interpret_units};
pub use intrinsic::Intrinsic;
pub use mapping::MappingData;
pub use opt_level::OptLevel;
pub use panic::panic_text;
pub use parse::{parse_program, parse_unit};
pub use returned::Returned;
pub use symbol::{AreaData, Dim, FOR_COUNTS, Intent, Linkage, ProcData, Storage, SymData};
pub use tally::trip_count;
pub use trueline_abi::{Quad, Real, Rt, TypeCode as Type};
pub use trueline_provenance::fault;
pub use trueline_provenance::{ExpandKind, Obstacle, Stmt, Why};
pub use unit::{Directive, Program, Unit, UnitKind};
pub use verify::{RULES, Violation, verify, verify_program};

trueline_provenance::if_faults! {
    pub use trueline_provenance::{fault_hits, faults_asked, set_fault};
}
