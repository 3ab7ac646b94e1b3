//! Scalar replacement: elements that several iterations touch live in registers.
//!
//! ```text
//!                                         t = c(j)                      @{1,2}
//! do k = 1, 10                  @1        do k = 1, 10                  @1
//!   c(j) = c(j) + a(k) * x      @2   =>     t = t + a(k) * x            @2
//! end                                     end
//!                                         c(j) = t                      @{1,2}
//!
//!                                         t = x(1)                      @{1,2}
//! do i = 2, 10                  @1        do i = 2, 10                  @1
//!   x(i) = x(i - 1) * y(i)      @2   =>     t = t * y(i)                @2
//! end                                       x(i) = t                    @2
//!                                         end
//! ```
//!
//! The first form ([`promote`], a pass of its own before vectors are made) takes a place that stays the same in all iterations: a scalar of COMMON, the
//! element a reduction accumulates into. The second (*rotate*) takes elements that one iteration leaves to
//! the next ones. Both need every reference that may touch the memory to be one of those replaced. A
//! loop that may not run at all gets a guard, since an element must not be read where the source reads none.

pub mod promote;
mod rotate;
#[cfg(test)]
mod tests;

use crate::analysis::loops::inner_first;
use crate::analysis::registers::Confined;
use crate::{Context, OptLevel, Pass};
use trueline_ir::Editor;

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O2, ..Pass::new("scalar_replace", "keep elements that iterations share in registers", run) };

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    let confined = Confined::of(ed);
    for l in inner_first(ed) {
        promote::promote(ed, l, &confined);
        rotate::rotate(ed, l, &confined, context.level >= OptLevel::O3);
    }
}
