//! Fuse adjacent loops that run over the same iterations.
//!
//! ```text
//! do i = 1, n        @1          do i = 1, n        @{1,4}
//!   a(i) = 0         @2            a(i) = 0         @2
//! end                       =>     b(i) = a(i)      @5
//! do j = 1, n        @4          end
//!   b(j) = a(j)      @5
//! end
//! ```
//!
//! Fusing is legal if no dependence goes from an iteration of the first loop to an earlier one of the second, and no
//! register carries a value from one loop to the other. It is done only if the loops touch a common array: otherwise it
//! would only raise the register pressure of both. A loop that runs in vectors is not fused with one that looks elements up, `b(k(i))`: both in one
//! would not run in vectors.

use crate::alias::may_overlap;
use crate::analysis::depend::{Dir, MAX_REFS, Side, dependence};
use crate::analysis::loops::DoLoop;
use crate::analysis::refs::Region;
use crate::analysis::registers::{Confined, Flow};
use crate::linear::Linear;
use crate::{Context, OptLevel, Pass, vectorize};
use rustc_hash::FxHashSet;
use trueline_ir::{Block, Editor, ExpandKind, Expr, ExprData, Head, Obstacle, Place, Sym, Unit};
use trueline_provenance::Chain;

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O2, ..Pass::new("fuse", "fuse adjacent loops over the same iterations", run) };

/// A fused body must not be larger than this: it would run out of registers.
const MAX_SIZE: usize = 160;

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    let confined = Confined::of(ed);
    let mut blocks = vec![ed.body()];
    while let Some(b) = blocks.pop() {
        fuse_in(ed, b, &confined, context);
        for s in ed.real_stmts(b).collect::<Vec<_>>() {
            blocks.extend_from_slice(ed.blocks(s));
        }
    }
}

fn fuse_in(ed: &mut Editor<'_>, b: Block, confined: &Confined, context: &Context<'_>) {
    let mut at = ed.real_stmts(b).next();
    while let Some(first) = at {
        let next = ed.next_real(first);
        at = next;
        let (Some(f), Some(g)) = (DoLoop::of(ed, first), next.and_then(|s| DoLoop::of(ed, s))) else { continue };
        let (a, b) = (Region::of(ed, f.stmt), Region::of(ed, g.stmt));
        if !share_an_array(ed, &a, &b) {
            continue;
        }
        let loses_vectors = || context.level >= OptLevel::O3 && keeps_from_vectors(ed, (f, &a), (g, &b), context);
        match obstacle(ed, (f, &a), (g, &b)).or_else(|| loses_vectors().then_some(Obstacle::Lookup)) {
            None => {
                fuse(ed, f, g, confined);
                at = Some(first);
            }
            Some(why) => ed.missed(first, "not fused with the next loop", why),
        }
    }
}

fn fuse(ed: &mut Editor<'_>, f: DoLoop, g: DoLoop, confined: &Confined) {
    let i = ed.var(f.var);
    let rename = if f.var == g.var { vec![] } else { vec![(g.var, i)] };
    ed.merge(f.stmt, g.stmt, ed.head(f.stmt), &rename);
    if f.var != g.var && !confined.contains(g.var) {
        let place = ed.var(g.var);
        ed.expand(f.stmt, Head::Assign { place, value: i }, Place::After(f.stmt), ExpandKind::Lower);
    }
}

/// The obstacle that keeps the adjacent loops `f` and `g` from being fused.
fn obstacle(u: &Unit, (f, a): (DoLoop, &Region), (g, b): (DoLoop, &Region)) -> Option<Obstacle> {
    let longer = f.hi != g.hi && trueline_ir::fault("fuse_limit");
    let keeps = |e: Expr| a.keeps_registers(u, e) && !u.reads_memory(e);
    if (f.lo, f.step) != (g.lo, g.step) || (f.hi != g.hi && !longer) || u.sym(f.var).ty != u.sym(g.var).ty {
        Some(Obstacle::Iterations)
    } else if instance(u, f) != instance(u, g) {
        Some(Obstacle::Instance)
    } else if a.jumps || a.labels || b.jumps || b.labels {
        Some(Obstacle::Jumps)
    } else if a.effects || b.effects {
        Some(Obstacle::Effects)
    } else if a.size + b.size > MAX_SIZE || a.refs.len() + b.refs.len() > MAX_REFS {
        Some(Obstacle::Size)
    } else if ![f.lo, f.hi, f.step].into_iter().all(keeps) {
        Some(Obstacle::Bounds)
    } else if !registers_allow(u, (f, a), (g, b)) {
        Some(Obstacle::Scalar)
    } else if !memory_allows(u, (f, a), (g, b)) {
        Some(Obstacle::Dependence)
    } else {
        None
    }
}

/// The calls that a loop was inlined through. Loops of two procedures, or of two calls of one, never have a joint time.
fn instance(u: &Unit, l: DoLoop) -> Chain {
    let chains = u.origins(l.stmt).iter().map(|o| o.via);
    chains.max_by_key(|&via| (u.sets().calls(via).count(), via)).unwrap_or(Chain::NONE)
}

/// Whether one of the loops runs in vectors, and the other one will not, since it looks elements up.
fn keeps_from_vectors(u: &Unit, (f, a): (DoLoop, &Region), (g, b): (DoLoop, &Region), context: &Context<'_>) -> bool {
    let runs = |l: DoLoop| vectorize::runs_in_vectors(u, l, context);
    let has_loops = |l: DoLoop| u.walk_block(l.body).into_iter().any(|s| u.head(s).is_loop());
    if has_loops(f) || has_loops(g) {
        return false;
    }
    match (looks_up(u, f, a), looks_up(u, g, b)) {
        (true, false) => runs(g),
        (false, true) => runs(f),
        _ => false,
    }
}

/// Whether the place of an element follows from memory, or from a register that the loop defines.
fn looks_up(u: &Unit, l: DoLoop, region: &Region) -> bool {
    let walks = |e: Expr| {
        let mut sum = Linear::of(u, e);
        sum.take(u, l.var);
        sum.terms.iter().all(|&(t, _)| region.keeps_registers(u, t) && !u.reads_memory(t))
    };
    region.refs.iter().any(|r| match u.expr(r.place) {
        ExprData::Elem(_, subs) => !u.list(subs).iter().all(|&e| walks(e)),
        _ => false,
    })
}

fn share_an_array(u: &Unit, a: &Region, b: &Region) -> bool {
    a.refs.iter().any(|x| b.refs.iter().any(|y| may_overlap(u, x.sym, y.sym)))
}

/// Whether every register that both loops have to do with is private to an iteration of each.
fn registers_allow(u: &Unit, (f, a): (DoLoop, &Region), (g, b): (DoLoop, &Region)) -> bool {
    let (x, y) = (Flow::of(u, f.body), Flow::of(u, g.body));
    let inside = |r: &Region, l: DoLoop| -> FxHashSet<Sym> {
        // The variable of the loop itself is renamed.
        r.defined.iter().copied().filter(|&v| v != l.var || defined_in_body(u, l)).collect()
    };
    let (defined_a, defined_b) = (inside(a, f), inside(b, g));
    let variable_is_free = f.var == g.var || (!defined_b.contains(&f.var) && !y.exposed.contains(&f.var));
    variable_is_free
        && !defined_a.contains(&g.var)
        && !(f.var != g.var && x.exposed.contains(&g.var))
        && defined_a.iter().all(|v| !y.exposed.contains(v) || trueline_ir::fault("fuse_register"))
        && defined_b.iter().all(|v| !x.exposed.contains(v))
        && defined_a.iter().all(|v| !defined_b.contains(v) || y.assigned.contains(v))
}

/// Whether the loop's own variable is defined again in its body.
fn defined_in_body(u: &Unit, l: DoLoop) -> bool {
    u.walk_block(l.body).into_iter().any(|s| u.may_define(u.head(s)).contains(&l.var))
}

/// Whether no reference of `f` is in a later iteration than one of `g` to the same memory.
fn memory_allows(u: &Unit, (f, a): (DoLoop, &Region), (g, b): (DoLoop, &Region)) -> bool {
    let changed: FxHashSet<Sym> = a.defined.union(&b.defined).copied().collect();
    let sides =
        |r: &Region, l: DoLoop| -> Vec<Option<Side>> { r.refs.iter().map(|x| Side::of(u, l.stmt, x.stmt)).collect() };
    let (sides_a, sides_b) = (sides(a, f), sides(b, g));
    a.refs.iter().zip(&sides_a).all(|(x, at_x)| {
        b.refs.iter().zip(&sides_b).all(|(y, at_y)| {
            !dependence(u, (x, at_x.as_ref()), (y, at_y.as_ref()), 1, &changed)
                .any(|v| v[0] == Dir::After && !trueline_ir::fault("fuse_memory"))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn same_iterations() {
        check(
            &PASS,
            "
integer i, j, n
real a(10), b(10)
do i = 1, n @1
  a(i) = 0.0 @2
end
do j = 1, n @4
  b(j) = a(j) @5
end",
            "
do i = 1, n @{1,4}
  a(i) = 0.0 @2
  b(i) = a(i) @5
end

merge @1 + @4 -> @{1,4}",
        );
    }

    #[test]
    fn the_variable_keeps_its_last_value_and_nests_fuse_inside() {
        check(
            &PASS,
            "
integer i, j, k, n
real a(10, 10), b(10, 10)
do i = 1, 9 @1
  do k = 1, 10 @2
    a(k, i) = 0.0 @3
  end
end
do j = 1, 9 @4
  do k = 1, 10 @5
    b(k, j) = a(k, j) @6
  end
end
b(1, j) = 0.0 @7",
            "
do i = 1, 9 @{1,4}
  do k = 1, 10 @{2,5}
    a(k, i) = 0.0 @3
    b(k, i) = a(k, i) @6
  end
end
j = i @{1,4}
b(1, j) = 0.0 @7

merge @1 + @4 -> @{1,4}
expand lower @{1,4}
merge @2 + @5 -> @{2,5}",
        );
    }

    #[test]
    fn a_value_of_a_later_iteration_prevents() {
        unchanged(
            &PASS,
            "
integer i
real a(10), b(10)
do i = 1, 9 @1
  a(i) = 0.0 @2
end
do i = 1, 9 @4
  b(i) = a(i + 1) @5
end",
        );
    }

    #[test]
    fn an_overwritten_element_prevents() {
        unchanged(
            &PASS,
            "
integer i
real a(10), b(10)
do i = 2, 9 @1
  b(i) = a(i + 1) @2
end
do i = 2, 9 @4
  a(i + 2) = 0.0 @5
end",
        );
    }

    #[test]
    fn a_sum_prevents() {
        unchanged(
            &PASS,
            "
integer i
real a(10), b(10), s
s = 0.0 @1
do i = 1, 9 @2
  s = s + a(i) @3
end
do i = 1, 9 @4
  b(i) = a(i) * s @5
end",
        );
    }

    #[test]
    fn different_bounds_and_strangers() {
        unchanged(
            &PASS,
            "
integer i
real a(10), b(10), c(10)
do i = 1, 9 @2
  b(i) = a(i) @3
end
do i = 2, 9 @4
  b(i) = a(i) @5
end
do i = 2, 9 @6
  c(i) = 1.0 @7
end",
        );
    }

    #[test]
    fn loops_in_vectors_stay_apart_from_loops_that_look_up() {
        for second in ["c(k(i)) = b(i) @4", "m = k(i) @4\n  c(m) = b(i) @5"] {
            let text = format!(
                "
integer i, m, k(40)
real a(40), b(40), c(40)
do i = 1, 33 @1
  b(i) = a(i) * 2.0 @2
end
do i = 1, 33 @3
  {second}
end"
            );
            unchanged(&PASS, &text);
        }
    }

    /// A loop of the procedure, and one of a procedure that was inlined at the call @5; then two of that call.
    #[test]
    fn loops_of_two_procedures_keep_their_own_times() {
        let text = |first: &str| {
            format!(
                "
integer i, n
real a(10), b(10)
do i = 1, n @{first}
  a(i) = 0.0 @2
end
do i = 1, n @7<5
  b(i) = a(i) @8<5
end"
            )
        };
        unchanged(&PASS, &text("1"));
        check(
            &PASS,
            &text("6<5"),
            "
do i = 1, n @{6<5,7<5}
  a(i) = 0.0 @2
  b(i) = a(i) @8<5
end

merge @6<5 + @7<5 -> @{6<5,7<5}",
        );
    }

    #[test]
    fn two_loops_that_look_up_fuse() {
        check(
            &PASS,
            "
integer i, k(40)
real a(40), b(40), c(40)
do i = 1, 33 @1
  b(i) = a(k(i)) @2
end
do i = 1, 33 @3
  c(k(i)) = b(i) @4
end",
            "
do i = 1, 33 @{1,3}
  b(i) = a(k(i)) @2
  c(k(i)) = b(i) @4
end

merge @1 + @3 -> @{1,3}",
        );
    }

    #[test]
    fn an_exit_prevents() {
        unchanged(
            &PASS,
            "
integer i
real a(10), b(10)
do i = 1, 9 @2
  if a(i) > 2.0 @3
    goto L1 @4
  end
end
L1: @2
do i = 1, 9 @5
  b(i) = a(i) @6
end",
        );
    }
}
