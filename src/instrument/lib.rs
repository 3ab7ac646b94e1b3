//! Instrumentation: tallies, mapping and probes, which measure the optimized program.
//!
//! 1. [`plant`] puts tallies into VH, before any optimization, one a source count.
//! 2. The optimizer's verbs carry them; [`hoist`] brings them out of loops where that has a closed form.
//! 3. After optimization [`discharge`] turns them into static multiples of the procedure's count, adds
//!    at nest entries, or counters in the body.
//! 4. [`measure`] maps the optimized statements onto the source, decides the status of every
//!    construct, and puts timers around the selected constructs.
//!
//! **Invariant:** all of this makes invisible statements only, so the optimized program without them is
//! the unprofiled one (T1), and every count equals that at -O0 (T2).

mod access;
mod bracket;
mod budget;
mod carried;
mod cost;
mod derive;
mod discharge;
mod flow;
mod latency;
mod measure;
mod meta;
mod narrate;
mod outside;
mod plant;
mod region;
mod remarks;
pub mod score;
mod select;
mod spread;
mod status;
mod story;
mod timer;
mod trips;
mod words;

pub use cost::Places;
pub use derive::{Derived, Entered};
pub use discharge::{Discharged, Fixed, discharge, hoist};
pub use flow::Flow;
pub use measure::{Choice, Construct, Earlier, Instance, Measured, TimeMode, Timer, measure, measure_with, tree};
pub use meta::{Calls, MetaOptions, calls, metadata};
pub use outside::{Outside, may_be_passed_by};
pub use plant::{mark_returning, plant, plant_with};
pub use region::region_bounds;
pub use remarks::{Remark, remarks};
pub use select::{Phase, Regions, Selection};
pub use story::{Event, story, theory};
pub use trips::LoopTrips;
