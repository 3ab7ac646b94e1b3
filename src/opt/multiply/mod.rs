//! Nests that multiply matrices become one call of a blocked product.
//!
//! ```text
//! do j = 1, n                              @1      call rt.multiply_r8(&inout c(1, 1), &in a(1, 1), &in b(1, 1), …)   @{1,2,3,4}
//!   do k = 1, l                            @2  =>  do j = 1, n                                                        @1
//!     do i = 1, m                          @3        do k = 1, l                                                      @2
//!       c(i, j) = c(i, j) + a(i, k)*b(k, j) @4         do i = 1, m                                                    @3
//! ```
//!
//! The loops may stand in any order, for each element of `c` takes its terms in the order of `k` in all of them, and so it does in the
//! blocked product: results are equal to the bit. The rows of `c` are neighbours; `a` and `b` may be transposed. This is also how
//! MATMUL arrives here. With `-fexternal-blas` the BLAS computes large ones, whose sums may be in another order. The loops are left empty, and go with their counts in [`crate::dce`].

use crate::alias::may_overlap;
use crate::analysis::loops::{DoLoop, outer_first, perfect_nest};
use crate::linear::{Linear, add_scaled, product};
use crate::{Context, OptLevel, Pass};
use trueline_ir::{
    Access, BinaryOp, Callee, Editor, ExpandKind, Expr, ExprData, Head, Obstacle, Place, ProcData, Rt, Stmt, Sym, Type,
    Unit,
};

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O2, ..Pass::new("multiply", "nests that multiply matrices become blocked products", run) };

/// Products along shorter loops than this are not worth a call.
const SHORT: i64 = 4;
/// Smaller products than this stay loops, too.
const LEAST: i64 = 1024;

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    for l in outer_first(ed) {
        let Some(product) = found(ed, perfect_nest(ed, l)).filter(|p| is_large(ed, &p.loops)) else { continue };
        match product.why_not(ed) {
            Some(why) => ed.missed(l.stmt, "not computed as one matrix product", why),
            None => replace(ed, &product, context.arithmetic.blas_from()),
        }
    }
}

/// A nest that adds a product of matrices to a matrix.
struct Found {
    /// The loops, outermost first.
    loops: Vec<DoLoop>,
    assign: Stmt,
    c: Expr,
    a: Expr,
    b: Expr,
    /// The loops over rows, over columns, and over the terms of an element: places in `loops`.
    rows: usize,
    columns: usize,
    terms: usize,
}

/// Whether `l` and the nest `inner` directly in it would be a matrix product if nothing else were in `l`.
pub(crate) fn is_product(u: &Unit, l: DoLoop, inner: &[DoLoop]) -> bool {
    let loops: Vec<DoLoop> = std::iter::once(l).chain(inner.iter().copied()).collect();
    found(u, loops).is_some_and(|p| is_large(u, &p.loops) && p.why_not(u).is_none())
}

/// The product that a nest computes; it may be the body of another loop.
fn found(u: &Unit, loops: Vec<DoLoop>) -> Option<Found> {
    if loops.len() != 3 {
        return None;
    }
    let mut body = u.real_stmts(loops[2].body);
    let assign = body.next().filter(|_| body.next().is_none())?;
    let Head::Assign { place: c, value } = u.head(assign) else { return None };
    let ExprData::Binary(BinaryOp::Add, x, y) = u.expr(value) else { return None };
    let term = if x == c { y } else { Some(x).filter(|_| y == c)? };
    let ExprData::Binary(BinaryOp::Mul, x, y) = u.expr(term) else { return None };
    let moves: Vec<[bool; 3]> = [c, x, y].into_iter().map(|e| moving(u, e, &loops)).collect::<Option<_>>()?;
    let of_two = |m: &[bool; 3]| m.iter().filter(|&&b| b).count() == 2;
    if !moves.iter().all(of_two) {
        return None;
    }
    let terms = moves[0].iter().position(|m| !m)?;
    let rows = (0..3).find(|&k| k != terms && is_row(u, c, loops[k].var))?;
    let columns = 3 - terms - rows;
    let is_left = |m: &[bool; 3]| m[rows] && m[terms];
    let (a, b) = match (is_left(&moves[1]), is_left(&moves[2])) {
        (true, false) => (x, y),
        (false, true) => (y, x),
        _ => return None,
    };
    let is_right = |e: Expr| moving(u, e, &loops).is_some_and(|m| m[terms] && m[columns]);
    (is_right(b) && loops.iter().all(|l| l.constant_step(u) == Some(1))).then_some(Found {
        loops,
        assign,
        c,
        a,
        b,
        rows,
        columns,
        terms,
    })
}

/// The loops that the real element `e` moves with, along one dimension each; none for another kind of element.
fn moving(u: &Unit, e: Expr, loops: &[DoLoop]) -> Option<[bool; 3]> {
    let v = symbol(u, e)?;
    let is_real = u.sym(v).ty == u.ty(e) && matches!(u.ty(e), Type::R4 | Type::R8);
    moves_along(u, e, loops).filter(|_| is_real)
}

/// The loops (at most three) that the element `e` moves with, by one and along one dimension each; none if it moves
/// otherwise.
pub(crate) fn moves_along(u: &Unit, e: Expr, loops: &[DoLoop]) -> Option<[bool; 3]> {
    let ExprData::Elem(v, subs) = u.expr(e) else { return None };
    if u.sym(v).len.is_some() || u.sym(v).dims.iter().any(|d| d.stride.is_some()) {
        return None;
    }
    let mut moves = [false; 3];
    for &sub in u.list(subs) {
        if u.reads_memory(sub) || u.may_trap(sub) {
            return None;
        }
        let mut sum = Linear::of(u, sub);
        let factors: Vec<i64> = loops.iter().map(|l| sum.take(u, l.var)).collect();
        if loops.iter().any(|l| sum.mentions(u, l.var)) || factors.iter().filter(|&&f| f != 0).count() > 1 {
            return None;
        }
        for (k, &f) in factors.iter().enumerate().filter(|(_, f)| **f != 0) {
            if f != 1 || moves[k] {
                return None;
            }
            moves[k] = true;
        }
    }
    Some(moves)
}

/// Whether `v` counts along the first dimension of the element `e`.
pub(crate) fn is_row(u: &Unit, e: Expr, v: Sym) -> bool {
    let ExprData::Elem(_, subs) = u.expr(e) else { return false };
    u.list(subs).first().is_some_and(|&s| Linear::of(u, s).take(u, v) == 1)
}

fn is_large(u: &Unit, loops: &[DoLoop]) -> bool {
    let trips: Vec<Option<i64>> = loops.iter().map(|l| l.trips(u).or_else(|| l.most_trips(u))).collect();
    let is_short = |t: &Option<i64>| t.is_some_and(|t| t < SHORT);
    let all: Option<i64> = trips.iter().try_fold(1_i64, |n, t| Some(n.saturating_mul((*t)?)));
    !trips.iter().any(is_short) && all.is_none_or(|n| n >= LEAST)
}

impl Found {
    /// The reason that keeps it from being one product.
    fn why_not(&self, u: &Unit) -> Option<Obstacle> {
        let (c, a, b) = (symbol(u, self.c)?, symbol(u, self.a)?, symbol(u, self.b)?);
        if !are_bounds_fixed(u, &self.loops, &[c, a, b]) {
            return Some(Obstacle::Bounds);
        }
        let apart = !may_overlap(u, c, a) && !may_overlap(u, c, b);
        (!apart && !trueline_ir::fault("multiply_overlap")).then_some(Obstacle::Dependence)
    }
}

/// Whether bounds of the loops, which have variables of their own, and extents of the arrays are the same before the nest as in it.
pub(crate) fn are_bounds_fixed(u: &Unit, loops: &[DoLoop], arrays: &[Sym]) -> bool {
    let fixed = |e: Expr| !u.reads_memory(e) && !u.may_trap(e) && loops.iter().all(|l| !u.mentions(e, l.var));
    let differ = loops.iter().enumerate().all(|(k, l)| loops[..k].iter().all(|o| o.var != l.var));
    differ
        && loops.iter().all(|l| fixed(l.lo) && fixed(l.hi))
        && arrays.iter().all(|&v| {
            let dims = &u.sym(v).dims;
            dims[..dims.len() - 1].iter().all(|d| fixed(d.lower) && d.upper.expand().is_some_and(fixed))
        })
}

/// The array of an element.
pub(crate) fn symbol(u: &Unit, e: Expr) -> Option<Sym> {
    match u.expr(e) {
        ExprData::Elem(v, _) => Some(v),
        _ => None,
    }
}

/// Puts the call before the nest, of the BLAS from this side of a cube of products on.
fn replace(ed: &mut Editor<'_>, found: &Found, blas_from: Option<u32>) {
    let loops = &found.loops;
    let rename: Vec<(Sym, Expr)> = loops.iter().map(|l| (l.var, l.lo)).collect();
    let [rows, columns, terms] = [found.rows, found.columns, found.terms].map(|k| loops[k]);
    let mut args = Vec::with_capacity(11);
    for (access, e) in [(Access::InOut, found.c), (Access::In, found.a), (Access::In, found.b)] {
        let first = ed.substitute(e, &rename);
        args.push(ed.make(ExprData::AddrOf(access, first)));
    }
    for l in [rows, columns, terms] {
        let bounds = [l.lo, l.hi, l.step].map(|e| ed.widen(e));
        args.push(ed.trips(bounds));
    }
    for (e, l) in [(found.c, columns), (found.a, rows), (found.a, terms), (found.b, terms), (found.b, columns)] {
        args.push(distance(ed, e, l.var));
    }
    let is_short = ed.ty(found.c) == Type::R4;
    let rt = match blas_from {
        Some(limit) => {
            let name = if is_short { "sgemm" } else { "dgemm" };
            let gemm = ed.proc_for(ProcData {
                symbol: format!("{name}_"),
                name: name.to_owned(),
                result: None,
                is_pure: false,
                always_returns: true,
                is_libm: false,
            });
            args.push(ed.make(ExprData::ProcAddr(gemm)));
            args.push(ed.int(Type::I8, limit.into()));
            if is_short { Rt::BlasR4 } else { Rt::BlasR8 }
        }
        None if is_short => Rt::MultiplyR4,
        None => Rt::MultiplyR8,
    };
    let args = ed.make_list(&args);
    let head = Head::Call { callee: Callee::Rt(rt), args, result: None.into() };
    ed.expand(found.assign, head, Place::Before(loops[0].stmt), ExpandKind::Lower);
    ed.expanded(found.assign);
}

/// The number of elements by which the element `e` moves when `v` grows by one.
pub(crate) fn distance(ed: &mut Editor<'_>, e: Expr, v: Sym) -> Expr {
    let mut distance = ed.int(Type::I8, 1);
    let ExprData::Elem(s, subs) = ed.expr(e) else { return distance };
    let subs = ed.list(subs).to_vec();
    let dims = ed.sym(s).dims.clone();
    for (dim, sub) in dims.iter().zip(subs) {
        if Linear::of(ed, sub).take(ed, v) != 0 {
            break;
        }
        let Some(upper) = dim.upper.expand() else { break };
        let one = ed.int(Type::I8, 1);
        let [lower, upper] = [dim.lower, upper].map(|b| ed.widen(b));
        let last = add_scaled(ed, upper, lower, -1);
        let extent = add_scaled(ed, last, one, 1);
        distance = product(ed, distance, extent);
    }
    distance
}

#[cfg(test)]
mod tests;
