//! The optimizer: analyses, passes and the list of steps.
//!
//! A pass is one file with a `PASS` and a `mod` line here; its line in [`STEPS`] says when it runs. [`pipeline`] selects the
//! steps of a level, [`optimize`] runs them.
//!
//! **Invariants:** a pass changes a unit only through the verbs of [`trueline_ir::Editor`]; its
//! decisions depend neither on tallies nor on the numbers of ids, so that a profiled build is optimized
//! as an unprofiled one; analyses are recomputed, never patched; the result does not depend on the
//! number of threads.

mod alias;
mod analysis;
pub mod arguments;
mod arithmetic;
pub mod copyprop;
pub mod cse;
pub mod dce;
pub mod distribute;
pub mod elements;
pub mod evaluate;
pub mod exits;
mod feedback;
pub mod fold;
mod forward;
pub mod fuse;
pub mod idiom;
pub mod induct;
pub mod inline;
pub mod interchange;
mod interior;
pub mod letters;
pub mod licm;
mod linear;
pub mod lower_l;
pub mod lower_m;
mod manager;
pub mod multiply;
pub mod notes;
mod pass;
pub mod peel;
pub mod relax;
pub mod resolve;
mod rewrite;
pub mod scalar_replace;
pub mod scalarize;
pub mod settle;
pub mod split;
mod step;
pub mod steps;
pub mod strength;
pub mod strides;
pub mod structure;
mod switches;
#[cfg(test)]
mod tests;
pub mod transpose;
pub mod uncheck;
pub mod unroll;
pub mod unswitch;
pub mod vectorize;
pub mod version;

pub use arithmetic::Arithmetic;
pub use feedback::{Feedback, Trips};
pub use manager::{Bug, Dump, Options, PassStats, Stats, optimize, optimize_with};
pub use pass::{Context, Pass};
pub use step::{NoStages, PASSES, Point, STEPS, Stage, Stages, Step, is_optional, pass_named, pipeline, step_names};
pub use switches::{SWITCHES, Switches};
pub use trueline_ir::OptLevel;
