//! Array statements become loops (VH to H).

use crate::{Context, OptLevel, Pass};
use trueline_ir::{Editor, Level};

/// See the module documentation.
pub const PASS: Pass = Pass {
    at: &[Level::Vh],
    from: OptLevel::O0,
    lowers_to: Some(Level::H),
    ..Pass::new("scalarize", "turn array assignments, WHERE and FORALL into loops", run)
};

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    ed.lower_to(Level::H);
}
