//! Nests that copy a matrix with rows and columns exchanged become one call of a blocked copy.
//!
//! ```text
//! do j = 1, n              @1      call rt.transpose(&out a(1, 1), &in b(1, 1), 8, m, n, …)   @{1,2,3}
//!   do i = 1, m            @2  =>  do j = 1, n                                                @1
//!     a(i, j) = b(j, i)    @3        do i = 1, m                                              @2
//! ```
//!
//! The loops may stand in either order, and TRANSPOSE arrives here, too. Both matrices have neighbours as rows, and do not overlap. The
//! loops are left empty, and go with their counts in [`crate::dce`].

use crate::alias::may_overlap;
use crate::analysis::loops::{DoLoop, outer_first, perfect_nest};
use crate::multiply::{are_bounds_fixed, distance, is_row, moves_along, symbol};
use crate::{Context, OptLevel, Pass};
use trueline_ir::{
    Access, Callee, Editor, ExpandKind, Expr, ExprData, Head, Obstacle, Place, Rt, Stmt, Sym, Type, Unit,
};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O2,
    ..Pass::new("transpose", "nests that exchange rows and columns become blocked copies", run)
};

/// Shorter rows or columns than this are not worth a call.
const SHORT: i64 = 8;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    for l in outer_first(ed) {
        let Some(found) = found(ed, perfect_nest(ed, l)) else { continue };
        match found.why_not(ed) {
            Some(why) => ed.missed(l.stmt, "not copied as one transposed matrix", why),
            None => replace(ed, &found),
        }
    }
}

/// A nest that copies a matrix with rows and columns exchanged.
struct Found {
    /// The loops, outermost first.
    loops: Vec<DoLoop>,
    assign: Stmt,
    to: Expr,
    from: Expr,
    /// The loop over rows: its place in `loops`.
    rows: usize,
}

fn found(u: &Unit, loops: Vec<DoLoop>) -> Option<Found> {
    let [outer, inner] = loops[..] else { return None };
    let mut body = u.real_stmts(inner.body);
    let assign = body.next().filter(|_| body.next().is_none())?;
    let Head::Assign { place: to, value: from } = u.head(assign) else { return None };
    let plain = |e: Expr| {
        let moves = moves_along(u, e, &loops)?;
        let ty = u.sym(symbol(u, e)?).ty;
        (moves[0] && moves[1] && ty == u.ty(to) && !matches!(ty, Type::Char | Type::C16)).then_some(())
    };
    plain(to)?;
    plain(from)?;
    let rows = (0..2).find(|&k| is_row(u, to, loops[k].var))?;
    let is_long = |l: &DoLoop| l.trips(u).or_else(|| l.most_trips(u)).is_none_or(|t| t >= SHORT);
    let applies = is_row(u, from, loops[1 - rows].var) && is_long(&outer) && is_long(&inner);
    let counts_up = loops.iter().all(|l| l.constant_step(u) == Some(1));
    (applies && counts_up).then_some(Found { loops, assign, to, from, rows })
}

impl Found {
    /// The reason that keeps it from being one copy.
    fn why_not(&self, u: &Unit) -> Option<Obstacle> {
        let (to, from) = (symbol(u, self.to)?, symbol(u, self.from)?);
        if !are_bounds_fixed(u, &self.loops, &[to, from]) {
            return Some(Obstacle::Bounds);
        }
        (may_overlap(u, to, from) && !trueline_ir::fault("transpose_overlap")).then_some(Obstacle::Dependence)
    }
}

fn replace(ed: &mut Editor<'_>, found: &Found) {
    let rename: Vec<(Sym, Expr)> = found.loops.iter().map(|l| (l.var, l.lo)).collect();
    let (rows, columns) = (found.loops[found.rows], found.loops[1 - found.rows]);
    let mut args = Vec::with_capacity(7);
    for (access, e) in [(Access::Out, found.to), (Access::In, found.from)] {
        let first = ed.substitute(e, &rename);
        args.push(ed.make(ExprData::AddrOf(access, first)));
    }
    let size = ed.ty(found.to).size() as i64;
    args.push(ed.int(Type::I8, size));
    for l in [rows, columns] {
        let bounds = [l.lo, l.hi, l.step].map(|e| ed.widen(e));
        args.push(ed.trips(bounds));
    }
    args.push(distance(ed, found.to, columns.var));
    args.push(distance(ed, found.from, rows.var));
    let args = ed.make_list(&args);
    let head = Head::Call { callee: Callee::Rt(Rt::Transpose), args, result: None.into() };
    ed.expand(found.assign, head, Place::Before(found.loops[0].stmt), ExpandKind::Lower);
    ed.expanded(found.assign);
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn a_whole_matrix() {
        check(
            &PASS,
            "
program main h @0
i8 i, j
i4 a(20, 30) frame, b(35, 20) frame
do i = 1, 20 @1
  do j = 2, 30 @2
    a(i, j) = b(j, i) @3
  end
end",
            "
call rt.transpose(&out a(1, 2), &in b(2, 1), 4, 20, 29, 20, 35)  @{1,2,3}
do i = 1, 20                                    @1
  do j = 2, 30                                  @2
  end
end

expand lower @3 -> @{1,2,3}",
        );
    }

    #[test]
    fn what_is_no_exchange_or_too_short_or_itself() {
        for (to, from, limit) in [("a(i, j)", "b(i, j)", 20), ("a(i, j)", "b(j, i)", 7), ("a(i, j)", "a(j, i)", 20)] {
            unchanged(
                &PASS,
                &format!(
                    "
program main h @0
i8 i, j
r8 a(20, 20) frame, b(20, 20) frame
do i = 1, {limit} @1
  do j = 1, 20 @2
    {to} = {from} @3
  end
end"
                ),
            );
        }
    }

    #[test]
    fn a_triangle() {
        unchanged(
            &PASS,
            "
program main h @0
i8 i, j
r8 a(20, 20) frame, b(20, 20) frame
do i = 1, 20 @1
  do j = i, 20 @2
    a(i, j) = b(j, i) @3
  end
end",
        );
    }
}
