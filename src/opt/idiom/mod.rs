//! Loops that copy or set neighbouring elements become one operation on a block.
//!
//! ```text
//! do j = 1, n            @1      call rt.copy_elements(&out a(1, 1), &in b(1, 1), n*m*8)          @{1,2,3}
//!   do i = 1, m          @2  =>  do j = 1, n                                                       @1
//!     a(i, j) = b(i, j)  @3        do i = 1, m                                                     @2
//!
//! do i = 1, n            @1      call rt.fill_elements(&out a(1), value of x, 8, n*8)              @{1,2}
//!   a(i) = x             @2  =>  do i = 1, n                                                       @1
//! ```
//!
//! The loops are left empty, and go with their counts in [`crate::dce`]. Several loops are one block if the arrays are, over all of
//! them: the inner ones run through whole columns. A loop may copy and set several arrays. Elements that are read and elements that are
//! written must be apart, or the same.
//!
//! The runtime copies by the function that the C library has for it, which uses the widest registers of the machine, and sets
//! bytes that are all the same likewise. A call takes as long as some hundred bytes, so short blocks stay loops, and so do loops in
//! loops whose length is not known.

use crate::analysis::depend::{Dir, Side, dependence};
use crate::analysis::loops::{DoLoop, inner_first, only};
use crate::analysis::refs::Region;
use crate::linear::{Linear, product};
use crate::{Context, OptLevel, Pass};
use trueline_ir::{
    Access, Callee, Editor, ExpandKind, Expr, ExprData, Head, Obstacle, Place, Rt, Stmt, Sym, Type, Unit,
};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O2,
    ..Pass::new("idiom", "loops that copy or set neighbouring elements become operations on blocks", run)
};

/// Blocks of fewer bytes are not worth a call.
const LEAST: i64 = 256;
/// A loop that does more than this is no series of copies.
const MOST_PARTS: usize = 8;

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    for l in inner_first(ed) {
        let Some(nest) = nest(ed, l).filter(|n| is_long(ed, n, context)) else { continue };
        match why_not(ed, &nest) {
            Some(why) => ed.missed(nest.loops[0].stmt, nest.not_done(), why),
            None => nest.parts.iter().for_each(|part| replace(ed, &nest.loops, part)),
        }
    }
}

/// Loops that do nothing but copy or set blocks.
struct Nest {
    /// The loops, outermost first.
    loops: Vec<DoLoop>,
    parts: Vec<Part>,
}

/// An assignment that copies or sets the elements of a block.
#[derive(Clone, Copy)]
struct Part {
    assign: Stmt,
    to: Expr,
    from: From,
    /// Bytes of an element.
    size: i64,
}

/// The source of the elements.
#[derive(Clone, Copy)]
enum From {
    /// Elements of another block.
    Block(Expr),
    /// A value that is the same for all.
    Value(Expr),
}

impl Nest {
    fn not_done(&self) -> &'static str {
        let copies = self.parts.iter().any(|p| matches!(p.from, From::Block(_)));
        if copies { "not copied as one block" } else { "not set as one block" }
    }
}

/// The nest of loops around the body of `l`, as many of them as make one block.
fn nest(u: &Unit, l: DoLoop) -> Option<Nest> {
    let parts: Option<Vec<Part>> = u.real_stmts(l.body).take(MOST_PARTS + 1).map(|s| part(u, s)).collect();
    let parts = parts.filter(|p| (1..=MOST_PARTS).contains(&p.len()))?;
    let mut loops: Vec<DoLoop> = Vec::new();
    let mut next = Some(l);
    while let Some(l) = next
        && parts.iter().all(|p| p.goes_on(u, &loops, l))
    {
        loops.insert(0, l);
        next = u.enclosing(l.stmt).and_then(|s| DoLoop::of(u, s)).filter(|o| only(u, o.body) == Some(l.stmt));
    }
    (!loops.is_empty()).then_some(Nest { loops, parts })
}

/// The copy or filling that the assignment `s` makes in the loop around it.
fn part(u: &Unit, s: Stmt) -> Option<Part> {
    let Head::Assign { place: to, value } = u.head(s) else { return None };
    let ty = u.ty(to);
    let is_plain = |e: Expr| {
        let data = u.sym(element(u, e)?.0);
        let plain = data.ty == ty && data.len.is_none() && data.dims.iter().all(|d| d.stride.is_none());
        plain.then_some(())
    };
    is_plain(to).filter(|()| ty != Type::Char)?;
    let from = match element(u, value) {
        Some(_) => is_plain(value).map(|()| From::Block(value))?,
        None => is_fixed(u, value).then_some(From::Value(value)).filter(|_| has_word(u, value))?,
    };
    Some(Part { assign: s, to, from, size: ty.size() as i64 })
}

fn element(u: &Unit, e: Expr) -> Option<(Sym, Vec<Expr>)> {
    match u.expr(e) {
        ExprData::Elem(v, subs) => Some((v, u.list(subs).to_vec())),
        _ => None,
    }
}

fn is_fixed(u: &Unit, e: Expr) -> bool {
    !u.reads_memory(e) && !u.may_trap(e)
}

/// Whether a value fits into a word, or consists of two that are the same.
fn has_word(u: &Unit, value: Expr) -> bool {
    match (u.expr(value), u.ty(value)) {
        (ExprData::Complex(_, re, im), _) => re == im,
        (_, Type::C4 | Type::C8 | Type::C16 | Type::R16 | Type::Char) => false,
        _ => true,
    }
}

impl Part {
    /// Whether with `l` around the loops `inner` the block goes on: it advances the next dimension of all arrays, by one, and the
    /// loops in it run through all of the dimensions before.
    fn goes_on(&self, u: &Unit, inner: &[DoLoop], l: DoLoop) -> bool {
        let bounds = [l.lo, l.hi].into_iter().all(|e| is_fixed(u, e) && !u.mentions(e, l.var));
        let independent =
            inner.iter().all(|i| [i.lo, i.hi].into_iter().all(|e| !u.mentions(e, l.var)) && i.var != l.var);
        let from = match self.from {
            From::Block(from) => advances(u, from, inner, l),
            From::Value(value) => !u.mentions(value, l.var),
        };
        l.constant_step(u) == Some(1) && bounds && independent && from && advances(u, self.to, inner, l)
    }
}

fn advances(u: &Unit, e: Expr, inner: &[DoLoop], l: DoLoop) -> bool {
    let d = inner.len();
    let Some((v, subs)) = element(u, e) else { return false };
    let moves = subs.iter().enumerate().all(|(k, &sub)| {
        let mut sum = Linear::of(u, sub);
        let by = sum.take(u, l.var);
        by == i64::from(k == d) && !sum.mentions(u, l.var) && is_fixed(u, sub)
    });
    let through = inner.iter().rev().zip(&u.sym(v).dims).zip(&subs).all(|((i, dim), &sub)| {
        let Some(upper) = dim.upper.expand() else { return false };
        let mut first = Linear::of(u, sub);
        first.take(u, i.var);
        first.add(u, i.lo, 1);
        let extent = Linear::of(u, upper).minus(&Linear::of(u, dim.lower));
        let span = Linear::of(u, i.hi).minus(&Linear::of(u, i.lo));
        first.minus(&Linear::of(u, dim.lower)).as_constant() == Some(0) && extent.minus(&span).as_constant() == Some(0)
    });
    d < subs.len() && moves && through
}

/// Whether each block is long enough to be worth a call.
fn is_long(u: &Unit, nest: &Nest, context: &Context<'_>) -> bool {
    let trips: Option<i64> = nest.loops.iter().map(|l| l.trips(u)).product();
    let outermost = nest.loops[0].stmt;
    let counted = || context.trips(u, outermost).and_then(|t| t.typical()).map(|t| t as i64);
    match trips.or_else(counted) {
        Some(t) => nest.parts.iter().all(|p| t.saturating_mul(p.size) >= LEAST),
        None => nest.loops.len() > 1 || u.ancestors(outermost).all(|a| !u.head(a).is_loop()),
    }
}

/// The reason that keeps the loops from being operations on blocks.
fn why_not(u: &Unit, nest: &Nest) -> Option<Obstacle> {
    let outermost = nest.loops[0].stmt;
    let region = Region::of(u, outermost);
    let depth = nest.loops.len();
    let sides: Vec<(Stmt, Option<Side>)> =
        nest.parts.iter().map(|p| (p.assign, Side::of(u, outermost, p.assign))).collect();
    let side = |s: Stmt| sides.iter().find(|(of, _)| *of == s).and_then(|(_, side)| side.as_ref());
    let apart = region.refs.iter().filter(|r| r.write).all(|w| {
        region.refs.iter().all(|r| {
            let moved = |d: &[Dir]| d.iter().any(|&dir| dir != Dir::Same);
            !dependence(u, (w, side(w.stmt)), (r, side(r.stmt)), depth, &region.defined).any(moved)
        })
    });
    (!apart && !trueline_ir::fault("idiom_overlap")).then_some(Obstacle::Dependence)
}

fn replace(ed: &mut Editor<'_>, loops: &[DoLoop], part: &Part) {
    let rename: Vec<(Sym, Expr)> = loops.iter().map(|l| (l.var, l.lo)).collect();
    let mut bytes = ed.int(Type::I8, part.size);
    for l in loops {
        let bounds = [l.lo, l.hi, l.step].map(|e| ed.widen(e));
        let trips = ed.trips(bounds);
        bytes = product(ed, bytes, trips);
    }
    let mut first = |access: Access, e: Expr| {
        let first = ed.substitute(e, &rename);
        ed.make(ExprData::AddrOf(access, first))
    };
    let to = first(Access::Out, part.to);
    let (callee, args) = match part.from {
        From::Block(from) => {
            let from = first(Access::In, from);
            (Rt::CopyElements, ed.make_list(&[to, from, bytes]))
        }
        From::Value(value) => {
            let (word, size) = word(ed, value);
            let size = ed.int(Type::I8, size);
            (Rt::FillElements, ed.make_list(&[to, word, size, bytes]))
        }
    };
    let head = Head::Call { callee: Callee::Rt(callee), args, result: None.into() };
    ed.expand(part.assign, head, Place::Before(loops[0].stmt), ExpandKind::Lower);
    ed.expanded(part.assign);
}

/// The bits of a value as an `INTEGER(8)`, and how many bytes of it count.
fn word(ed: &mut Editor<'_>, value: Expr) -> (Expr, i64) {
    let ty = ed.ty(value);
    let size = ty.size() as i64;
    match ed.expr(value) {
        ExprData::Real(_, bits) => (ed.int(Type::I8, bits as i64), size),
        ExprData::Complex(_, bits, _) => (ed.int(Type::I8, bits as i64), size / 2),
        ExprData::Logical(_, v) => (ed.int(Type::I8, i64::from(v)), size),
        _ => {
            let same_size = match ty {
                Type::R4 => Some(Type::I4),
                Type::R8 => Some(Type::I8),
                _ => None,
            };
            let bits = match same_size {
                Some(integer) => ed.make(ExprData::Bitcast(integer, value)),
                None => value,
            };
            (ed.widen(bits), size)
        }
    }
}

#[cfg(test)]
mod tests;
