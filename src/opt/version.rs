//! Version: a loop that always had the same few iterations in a previous run gets a copy with that number.
//!
//! ```text
//!                          if (hi == 3)        @1
//! do i = 1, hi   @1          do i = 1, 3       @1
//!   a(i) = 0     @2   =>       a(i) = 0        @2
//! end                      else
//!                            do i = 1, hi      @1
//!                              a(i) = 0        @2
//! ```
//!
//! The test is made in the program, so a run that does otherwise is right as well; one of the copies runs (law A).
//! The copy with the constant is unrolled completely afterwards.

use crate::analysis::loops::{DoLoop, inner_first};
use crate::analysis::refs::Region;
use crate::{Context, OptLevel, Pass};
use trueline_ir::{BinaryOp, Editor, ExpandKind, Head, Place, Unit};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O3,
    ..Pass::new("version", "copy loops for the number of iterations that an earlier run had", run)
};

/// Loops with more iterations keep their one version.
const MAX_TRIPS: u64 = 8;
/// Loops that were entered less often are not worth a test.
const MIN_ENTRIES: u64 = 64;
/// The copy's size, unrolled, is at most this.
const MAX_SIZE: usize = 160;

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    for l in inner_first(ed) {
        if let Some(trips) = wanted(ed, l, context) {
            version(ed, l, trips);
        }
    }
}

/// The number of iterations that the copy should have.
fn wanted(u: &Unit, l: DoLoop, context: &Context<'_>) -> Option<i64> {
    let counts = context.trips(u, l.stmt)?;
    let trips = counts.always().filter(|t| (1..=MAX_TRIPS).contains(t) && counts.entries >= MIN_ENTRIES)?;
    // The copy's first and last value are constants of any type of integers.
    u.pool().as_int(l.lo).filter(|lo| (-64..=64).contains(lo))?;
    let known = l.trips(u).is_some() || l.constant_step(u) != Some(1);
    let region = Region::of_block(u, l.body);
    let fits = region.size.max(1).saturating_mul(trips as usize) <= MAX_SIZE;
    let changed = u.mentions(l.hi, l.var);
    (!known && fits && !changed && !region.loops && !region.labels && !region.jumps && !region.effects)
        .then_some(trips as i64)
}

fn version(ed: &mut Editor<'_>, l: DoLoop, trips: i64) {
    let Some(lo) = ed.pool().as_int(l.lo) else { return };
    let ty = ed.sym(l.var).ty;
    let last = lo + trips - 1;
    let hi = ed.int(ty, last);
    let cond = ed.binary(BinaryOp::Eq, l.hi, hi);
    let test = ed.expand_around(l.stmt, Head::If { cond }, 0, ExpandKind::Alternative);
    let otherwise = ed.blocks(test)[1];
    ed.expand_copy(l.stmt, Place::End(otherwise), &[], ExpandKind::Alternative);
    ed.expand_in_place(l.stmt, Head::Do { var: l.var, lo: l.lo, hi, step: l.step });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feedback::{Feedback, Trips};
    use trueline_ir::testing;
    use trueline_provenance::Serial;

    const LOOP: &str = "
do i = 1, n @1
  tally @1 iterations += 1
  a(i) = 0.0 @2
end";

    fn with(trips: Trips, before: &str, after: &str) {
        let feedback = Feedback { loops: [(Serial::from_u32(1), trips)].into_iter().collect(), ..Feedback::default() };
        let context = Context { feedback: Some(&feedback), ..Context::alone(OptLevel::O3) };
        testing::check("version", &|ed| run(ed, &context), &format!("\ninteger i, n\nreal a(10){before}"), after);
    }

    #[test]
    fn always_three() {
        with(
            Trips { entries: 100, iterations: 300, extremes: None, usual: None },
            LOOP,
            "
if n == 3 @1
  do i = 1, 3 @1
    tally @1 iterations += 1
    a(i) = 0.0 @2
  end
else
  do i = 1, n @1
    tally @1 iterations += 1
    a(i) = 0.0 @2
  end
end

expand alternative @1
expand alternative @1
rewrite @1",
        );
    }

    #[test]
    fn refusals() {
        let unchanged = |trips| with(trips, LOOP, LOOP);
        unchanged(Trips { entries: 100, iterations: 301, extremes: None, usual: None });
        unchanged(Trips { entries: 100, iterations: 300, extremes: Some((0, 9)), usual: None });
        unchanged(Trips { entries: 3, iterations: 9, extremes: None, usual: None });
        unchanged(Trips { entries: 100, iterations: 1000, extremes: None, usual: None });
        let constant = LOOP.replace("1, n", "1, 4");
        with(Trips { entries: 100, iterations: 400, extremes: None, usual: None }, &constant, &constant);
        let from = LOOP.replace("i = 1, n", "i = n, 9");
        with(Trips { entries: 100, iterations: 400, extremes: None, usual: None }, &from, &from);
    }
}
