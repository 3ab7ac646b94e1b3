//! Strides: a loop over elements that are a variable number apart gets a version for neighbours.
//!
//! ```text
//!                               if (inc == 1)          @1
//!                                 do i = 1, n          @1
//! do i = 1, n         @1            y(k) = y(k)*a      @2
//!   y(k) = y(k)*a     @2            k = k + 1          @3
//!   k = k + inc       @3          end
//! end                     =>    else
//!                                 do i = 1, n          @1
//!                                   y(k) = y(k)*a      @2
//!                                   k = k + inc        @3
//!                                 end
//!                               end
//! ```
//!
//! Procedures of linear algebra are written for vectors with any increment, and are mostly called with 1. The number that is compared is the step of
//! the loop, that of a scalar in a first subscript, or a factor of the loop's variable there. The test is made in the program,
//! so a run that does otherwise is right as well; one of the copies runs (law A).

use crate::analysis::loops::{DoLoop, inner_first};
use crate::analysis::refs::Region;
use crate::linear::{Linear, is_integer};
use crate::uncheck::check_of;
use crate::{Context, OptLevel, Pass};
use trueline_ir::{BinaryOp, Editor, ExpandKind, Expr, ExprData, Head, Place, Sym, Unit};

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O3, ..Pass::new("strides", "copy loops over elements apart, for neighbours", run) };

/// More numbers are not compared before a loop.
const MOST: usize = 3;
/// Larger bodies have one version.
const MAX_SIZE: usize = 100;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    for l in inner_first(ed) {
        let strides = strides(ed, l);
        if (1..=MOST).contains(&strides.len()) {
            version(ed, l, &strides);
        }
    }
}

/// The registers that tell how far apart the elements of neighbouring iterations are. None if there would be no gain.
fn strides(u: &Unit, l: DoLoop) -> Vec<Sym> {
    let region = without_checks(u, l);
    let plain = !(region.loops || region.labels || region.jumps || region.effects);
    if !plain || region.size > MAX_SIZE || l.trips(u).is_some_and(|t| t <= 1) {
        return Vec::new();
    }
    let mut subscripts: Vec<Expr> = Vec::new();
    for r in &region.refs {
        if let ExprData::Elem(array, subs) = u.expr(r.place)
            && let Some(&first) = u.list(subs).first()
            && u.sym(array).dims.first().is_some_and(|d| d.stride.is_none())
            && !subscripts.contains(&first)
        {
            subscripts.push(first);
        }
    }
    let mut out: Vec<Sym> = Vec::new();
    let mut add = |v: Option<Sym>| {
        let fixed = v.filter(|v| u.sym(*v).is_register() && !region.defined.contains(v) && *v != l.var);
        if let Some(v) = fixed.filter(|v| !out.contains(v)) {
            out.push(v);
        }
    };
    if subscripts.iter().any(|&e| u.mentions(e, l.var)) {
        add(register(u, l.step));
    }
    for s in u.real_stmts(l.body) {
        if let (Some(v), Head::Assign { value, .. }) = (u.defines(u.head(s)), u.head(s))
            && subscripts.iter().any(|&e| u.mentions(e, v))
        {
            let mut by = Linear::of(u, value);
            let advances = by.take(u, v) == 1 && by.constant == 0;
            add(match *by.terms {
                [(e, 1)] if advances => register(u, e),
                _ => None,
            });
        }
    }
    for &e in &subscripts {
        for &(term, _) in &Linear::of(u, e).terms {
            if let ExprData::Binary(BinaryOp::Mul, a, b) = u.expr(term) {
                let moves = [a, b].map(|x| u.mentions(x, l.var));
                add(match moves {
                    [true, false] => register(u, b),
                    [false, true] => register(u, a),
                    _ => None,
                });
            }
        }
    }
    out
}

/// The body of the loop without its checks: `uncheck` takes them out of the versions where it can.
fn without_checks(u: &Unit, l: DoLoop) -> Region {
    let mut region = Region::default();
    for s in u.walk_block(l.body) {
        let around = std::iter::once(s).chain(u.ancestors(s).take_while(|&a| a != l.stmt));
        if !around.into_iter().any(|a| check_of(u, a).is_some()) {
            region.add(u, s);
        }
    }
    region
}

/// The register that `e` is, or a wider form of.
fn register(u: &Unit, e: Expr) -> Option<Sym> {
    match u.expr(e) {
        ExprData::Var(v) => Some(v),
        ExprData::Convert(_, a) if is_integer(u.ty(a)) => register(u, a),
        _ => None,
    }
}

fn version(ed: &mut Editor<'_>, l: DoLoop, strides: &[Sym]) {
    let mut all: Option<Expr> = None;
    for &v in strides {
        let (var, one) = (ed.var(v), ed.int(ed.sym(v).ty, 1));
        let is_one = ed.binary(BinaryOp::Eq, var, one);
        if all.is_some() && trueline_ir::fault("strides_first") {
            continue;
        }
        all = Some(all.map_or(is_one, |other| ed.binary(BinaryOp::And, other, is_one)));
    }
    let Some(cond) = all else { return };
    let test = ed.expand_around(l.stmt, Head::If { cond }, 0, ExpandKind::Alternative);
    let otherwise = ed.blocks(test)[1];
    ed.expand_copy(l.stmt, Place::End(otherwise), &[], ExpandKind::Alternative);
    let ones: Vec<(Expr, Expr)> = strides.iter().map(|&v| (ed.var(v), ed.int(ed.sym(v).ty, 1))).collect();
    // Counting code reads them, too.
    for s in ed.walk_stmt(l.stmt) {
        let head = ed.head(s);
        let new = ed.map_head(head, &mut |_, e| ones.iter().find(|(v, _)| *v == e).map(|(_, one)| *one));
        if new != head {
            ed.expand_in_place(s, new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn increment_of_a_scalar() {
        check(
            &PASS,
            "
program main h @0
i4 i, k, n, inc
r8 y(99) frame
do i = 1, n @1
  tally @1 iterations += 1
  y(k) = y(k) * 0.5 @2
  k = k + inc @3
end",
            "
if inc == 1 @1
  do i = 1, n @1
    tally @1 iterations += 1
    y(k) = y(k) * 0.5 @2
    k = k + 1 @3
  end
else
  do i = 1, n @1
    tally @1 iterations += 1
    y(k) = y(k) * 0.5 @2
    k = k + inc @3
  end
end

expand alternative @1
expand alternative @1
rewrite @3",
        );
    }

    #[test]
    fn step_and_factor() {
        check(
            &PASS,
            "
program main h @0
i4 i, n, inc, m
r8 y(99) frame
do i = 1, n, inc @1
  y(i) = y(1 + (i - 1) * m) @2
end",
            "
if inc == 1 .and. m == 1 @1
  do i = 1, n @1
    y(i) = y(1 + (i - 1) * 1) @2
  end
else
  do i = 1, n, inc @1
    y(i) = y(1 + (i - 1) * m) @2
  end
end

expand alternative @1
expand alternative @1
rewrite @1
rewrite @2",
        );
    }

    #[test]
    fn no_gain() {
        // Not the first subscript; a stride that the loop changes; a sum that is no subscript.
        unchanged(
            &PASS,
            "
program main h @0
i4 i, k, m, n, inc
r8 y(9, 9) frame
r8 x(99) frame
do i = 1, n @1
  y(1, i * inc) = 0.0 @2
end
do i = 1, n @3
  x(k) = 0.0 @4
  k = k + m @5
  m = m + 1 @6
end
do i = 1, n @7
  x(i) = 0.0 @8
  k = k + m @9
end",
        );
    }
}
