//! Inline in nests: the bodies of small procedures take the place of calls in loops over mapped arrays, for programs on several
//! ranks (`-fhpf`).
//!
//! ```text
//! do j = 2, n - 1                      @4         do j = 2, n - 1          @4
//!   t.1 = call flux(u(j + 1))          @5   =>      f = u(j + 1) ** 2      @9
//!   v(j) = t.1                         @5           v(j) = f               @5
//! ```
//!
//! A call in a loop may do anything, so [`crate::resolve`] sends whole arrays before it, and every rank calls. A procedure of
//! scalars that calls nothing, as PURE and ELEMENTAL ones are most of the time, is a few assignments: with them the loop is a
//! nest whose iterations are shared and whose elements are sent at once. Procedures without mapped arrays inline such calls, too,
//! so that they can be inlined in their turn.

use super::bind::{Constants, bindings};
use super::{GROWTH, callee_of, inline_without_jumps, returns, size_of};
use crate::analysis::refs::Region;
use crate::{Context, Pass};
use trueline_ir::{Editor, Head, Level, Stmt, Unit};

/// See the module documentation.
pub const PASS: Pass = Pass {
    interprocedural: true,
    ..Pass::new("inline_in_nests", "put the bodies of small procedures into loops over mapped arrays", run)
};

/// The largest size of a procedure that is inlined.
const SIZE: usize = 150;

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    if !context.hpf || ed.level() != Level::H {
        return;
    }
    let is_mapped = has_mapped(ed);
    let calls: Vec<Stmt> = ed.walk().into_iter().filter(|&s| callee_of(ed, s).is_some()).collect();
    let constants = Constants::of(ed);
    let mut left = GROWTH;
    for call in calls {
        let Some(callee) = callee_of(ed, call).and_then(|symbol| context.callee(symbol)) else { continue };
        let in_loop = ed.ancestors(call).any(|a| ed.head(a).is_loop());
        if is_mapped && !in_loop || !is_plain(callee) {
            continue;
        }
        let Some(size) = size_of(callee).ok().filter(|&n| n <= SIZE.min(left)) else { continue };
        if let Some(bindings) = bindings(ed, call, callee, &constants) {
            left -= size;
            inline_without_jumps(ed, call, callee, bindings);
        }
    }
}

/// Whether the procedure has neither mapped arrays, nor jumps, nor calls that have an effect; one without statements could not be told from the
/// code around it.
fn is_plain(callee: &Unit) -> bool {
    let region = Region::of_block(callee, callee.body());
    let is_empty = callee.real_stmts(callee.body()).next().is_none();
    let jumps = |&s: &Stmt| callee.head(s).is_jump() && callee.head(s) != Head::Return;
    let has_jumps = region.labels || callee.walk().iter().any(jumps) || !returns::are_structured(callee);
    !has_mapped(callee) && !region.effects && !has_jumps && !is_empty
}

/// Whether an array of the unit is mapped.
fn has_mapped(u: &Unit) -> bool {
    u.syms().any(|(_, data)| data.mapping.is_some())
}
