//! Dead code: what is never reached, and what nobody needs.
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
//! An assignment to a register is dead if no value that matters is computed from it (`needed`), or if it
//! is overwritten on every path before it is read (`live`). Arrays of the procedure's own that are never
//! read need no stores; a temporary that is not used needs no memory. A loop or conditional in which
//! nothing is left goes too, unless its condition reads memory: then it stays, since its counts could not
//! be kept. What only counting needs is kept by the verbs and never looked at here.

mod control;
mod live;
mod needed;
mod stores;
#[cfg(test)]
mod tests;

use crate::{Context, Pass};
use trueline_ir::{Editor, Level};

/// See the module documentation.
pub const PASS: Pass =
    Pass { at: &[Level::H, Level::M], ..Pass::new("dce", "remove what is never reached or never needed", run) };

/// Each round costs a few walks; what a third one finds is rare.
const ROUNDS: usize = 3;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    for _ in 0..ROUNDS {
        let mut changed = control::unreachable(ed);
        changed |= control::jumps(ed);
        changed |= needed::sweep(ed);
        let dead_after = live::sweep(ed, &mut changed);
        changed |= stores::sweep(ed);
        changed |= control::hollow(ed, &dead_after);
        if !changed {
            break;
        }
    }
}
