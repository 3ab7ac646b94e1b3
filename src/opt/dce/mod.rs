//! Dead code: statements that are never reached, and results that nothing needs.
//!
//! ```text
//! x = a(i)           @1
//! x = 0              @2        x = 0              @2
//! do i = 1, n        @3
//!   t = b(i)         @4   =>
//! end
//! goto 10            @6        goto 10            @6
//! y = 1              @7
//! 10 continue        @8        10 continue        @8
//! ```
//!
//! An assignment to a register is dead if no value that matters is computed from it (`needed`), or if it is overwritten
//! on every path before it is read (`live`). Stores to the procedure's own arrays are dead if the arrays are never
//! read, stores to any array if the same block stores to the same elements before it reads them (`overwritten`), and the memory of an unused temporary goes. An empty loop or conditional goes too, unless its condition reads
//! memory: then it stays, since its counts could not be kept. The verbs keep code that only counting needs; this pass
//! never looks at it.

mod control;
mod live;
mod needed;
mod overwritten;
mod stores;
#[cfg(test)]
mod tests;

use crate::{Context, Pass};
use trueline_ir::{Editor, Level};

/// See the module documentation.
pub const PASS: Pass = Pass {
    at: &[Level::H, Level::M],
    ..Pass::new("dce", "remove statements that are never reached or never needed", run)
};

/// Each round costs a few walks; a third one rarely finds anything.
const ROUNDS: usize = 3;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    for _ in 0..ROUNDS {
        let mut changed = control::unreachable(ed);
        changed |= control::jumps(ed);
        changed |= needed::sweep(ed);
        let dead_after = live::sweep(ed, &mut changed);
        changed |= stores::sweep(ed);
        changed |= overwritten::sweep(ed);
        changed |= control::hollow(ed, &dead_after);
        if !changed {
            break;
        }
    }
}
