//! Evaluate elementary functions in loops block by block.
//!
//! ```text
//!                                     do j = 1, n, 512                            @1
//!                                       do i = j, min(j + 511, n)                 @1
//!                                         t(i - j) = -x(i)                        @2
//! do i = 1, n               @1  =>      end
//!   y(i) = exp(-x(i)) * z   @2          call rt.exp_r8(&out t(0), &in t(0), …)    @{1,2}
//!                                       do i = j, min(j + 511, n)                 @1
//!                                         y(i) = t(i - j) * z                     @2
//! ```
//!
//! Where the number of iterations is not known, a version for few of them stays as it is.
//!
//! The runtime computes a block in the widest vectors that the processor has, with the results of the C library's scalar functions, to the
//! bit; with `-fapprox-func` it computes faster, and results may be off by a unit of the last place or two. The loops that are left have no calls, so they may become vectors, too. A loop that is known to be short enough for one block is not
//! divided into strips. Neighbouring elements that are arguments as they are need no copy.
//!
//! The body is split before the statement with the function. That is legal if no dependence goes from the second part to the first in a
//! later iteration, as in [`crate::distribute`]; the arguments belong to the first part. Registers with a value for each iteration that
//! the second part reads are kept in blocks of their own.

mod parts;

use crate::analysis::depend::MAX_REFS;
use crate::analysis::loops::{DoLoop, inner_first};
use crate::analysis::refs::Region;
use crate::linear::Linear;
use crate::{Context, OptLevel, Pass};
use parts::{Parts, parts};
use smallvec::SmallVec;
use trueline_ir::{
    Access, BinaryOp, Callee, Dim, Editor, ExpandKind, Expr, ExprData, Head, Intrinsic, Place, Rt, Stmt, Storage, Sym,
    SymData, Type, Unit,
};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O3,
    ..Pass::new("evaluate", "functions such as EXP in loops are computed block by block", run)
};

/// The elements of a block.
const BLOCK: i64 = 512;
/// Loops with fewer iterations are left alone.
const LEAST: i64 = 16;
/// Larger bodies are left alone.
const MAX_SIZE: usize = 160;

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    let mut blocks = Blocks { approximate: context.arithmetic.approximate, ..Blocks::default() };
    for l in inner_first(ed) {
        if !is_candidate(ed, l, context) {
            continue;
        }
        blocks.used.clear();
        let Some(mut next) = split(ed, l, l) else { continue };
        if l.trips(ed).is_none() {
            short_version(ed, l);
        }
        let strip = if l.trips(ed).is_some_and(|t| t <= BLOCK) { whole(ed, l) } else { strips(ed, l) };
        let mut rest = strip.l;
        loop {
            rest = blocks.evaluate(ed, rest, strip.first, &next);
            match split(ed, rest, l) {
                Some(more) => next = more,
                None => break,
            }
        }
    }
}

/// The division of the loop `l`, the rest of `whole`; none if there is nothing to do, or an obstacle, which is noted.
fn split(ed: &mut Editor<'_>, l: DoLoop, whole: DoLoop) -> Option<Parts> {
    match parts(ed, l)? {
        Ok(parts) => Some(parts),
        Err(why) => {
            ed.missed(whole.stmt, "functions not computed block by block", why);
            None
        }
    }
}

/// Whether the loop is one of assignments, innermost and long enough.
fn is_candidate(u: &Unit, l: DoLoop, context: &Context<'_>) -> bool {
    let region = Region::of_block(u, l.body);
    let is_plain = !(region.loops || region.jumps || region.labels || region.effects);
    let fixed = |e: Expr| !u.mentions(e, l.var) && region.keeps_registers(u, e) && !u.reads_memory(e);
    let counted = || context.trips(u, l.stmt).and_then(|t| t.typical()).map(|t| i64::try_from(t).unwrap_or(i64::MAX));
    is_plain
        && l.constant_step(u) == Some(1)
        && region.size <= MAX_SIZE
        && region.refs.len() <= MAX_REFS
        && !region.defined.contains(&l.var)
        && fixed(l.lo)
        && fixed(l.hi)
        && l.most_trips(u).or_else(counted).is_none_or(|t| t >= LEAST)
        && u.real_stmts(l.body).all(|s| matches!(u.head(s), Head::Assign { .. }))
}

/// Leaves a version of the loop as it is, for few iterations.
fn short_version(ed: &mut Editor<'_>, l: DoLoop) {
    let (from, to) = (ed.widen(l.lo), ed.widen(l.hi));
    let (last, least) = (ed.binary(BinaryOp::Sub, to, from), ed.int(Type::I8, LEAST - 1));
    let cond = ed.binary(BinaryOp::Ge, last, least);
    let test = ed.expand_around(l.stmt, Head::If { cond }, 0, ExpandKind::Alternative);
    let otherwise = ed.blocks(test)[1];
    ed.expand_copy(l.stmt, Place::End(otherwise), &[], ExpandKind::Alternative);
}

/// A loop over a block, and the first value of its variable.
struct Strip {
    l: DoLoop,
    first: Expr,
}

/// The loop as one block.
fn whole(ed: &mut Editor<'_>, l: DoLoop) -> Strip {
    if ed.pool().is_constant(l.lo) {
        return Strip { l, first: l.lo };
    }
    let first = ed.new_register("first", ed.sym(l.var).ty);
    let place = ed.var(first);
    ed.expand(l.stmt, Head::Assign { place, value: l.lo }, Place::Before(l.stmt), ExpandKind::Lower);
    Strip { l, first: place }
}

/// Divides the loop, which has iterations, into strips.
fn strips(ed: &mut Editor<'_>, l: DoLoop) -> Strip {
    let ty = ed.sym(l.var).ty;
    let (first, last) = (ed.new_register("first", ty), ed.new_register("last", ty));
    let (first, last) = (ed.var(first), ed.var(last));
    let step = ed.int(ty, BLOCK);
    let ExprData::Var(var) = ed.expr(first) else { unreachable!("a register is a variable") };
    ed.expand_around(l.stmt, Head::Do { var, lo: l.lo, hi: l.hi, step }, 0, ExpandKind::Nest);
    // The distance to the end is wider than the variable, so that nothing overflows.
    let (from, to) = (ed.widen(first), ed.widen(l.hi));
    let left = ed.binary(BinaryOp::Sub, to, from);
    let most = ed.int(Type::I8, if trueline_ir::fault("evaluate_strip") { BLOCK } else { BLOCK - 1 });
    let length = ed.intrinsic(Intrinsic::Min, &[left, most]);
    let length = if ty == Type::I8 { length } else { ed.make(ExprData::Convert(ty, length)) };
    let end = ed.binary(BinaryOp::Add, first, length);
    ed.expand(l.stmt, Head::Assign { place: last, value: end }, Place::Before(l.stmt), ExpandKind::Lower);
    ed.expand_in_place(l.stmt, Head::Do { var: l.var, lo: first, hi: last, step: l.step });
    Strip { l: DoLoop { lo: first, hi: last, ..l }, first }
}

/// The arrays of the procedure that hold blocks. Loops share them.
#[derive(Default)]
struct Blocks {
    arrays: Vec<(Type, Sym)>,
    /// The arrays of the current loop.
    used: Vec<Sym>,
    /// Whether results may be off by a unit of the last place or two.
    approximate: bool,
}

impl Blocks {
    /// An array that the loop does not use yet.
    fn take(&mut self, ed: &mut Editor<'_>, ty: Type) -> Sym {
        let free = self.arrays.iter().find(|(t, s)| *t == ty && !self.used.contains(s)).map(|a| a.1);
        let array = free.unwrap_or_else(|| {
            let new = new_array(ed, ty);
            self.arrays.push((ty, new));
            new
        });
        self.used.push(array);
        array
    }

    /// Computes the functions of `parts` between the two parts of the loop, whose variable begins with `first`. Gives the second part.
    fn evaluate(&mut self, ed: &mut Editor<'_>, l: DoLoop, first: Expr, parts: &Parts) -> DoLoop {
        let s = parts.at;
        let i = ed.var(l.var);
        let number = {
            let (i, first) = (ed.widen(i), ed.widen(first));
            ed.binary(BinaryOp::Sub, i, first)
        };
        let zero = ed.int(Type::I8, 0);
        let mut calls: Vec<(Expr, Rt, Sym, Vec<Expr>)> = Vec::new();
        for &call in &parts.calls {
            let ExprData::Intrinsic(f, args) = ed.expr(call) else { continue };
            let args: SmallVec<[Expr; 2]> = ed.list(args).iter().copied().collect();
            let to = self.take(ed, Type::R8);
            let from = match neighbours(ed, l, args[0]) {
                true => ed.substitute(args[0], &[(l.var, l.lo)]),
                false => {
                    let place = element(ed, to, number);
                    ed.expand(s, Head::Assign { place, value: args[0] }, Place::Before(s), ExpandKind::Lower);
                    element(ed, to, zero)
                }
            };
            let mut from = vec![from];
            if let Some(&exponent) = args.get(1) {
                let one = parts.is_fixed(ed, l, exponent);
                let block = self.take(ed, Type::R8);
                let place = element(ed, block, if one { zero } else { number });
                let at = if one { Place::Before(l.stmt) } else { Place::Before(s) };
                ed.expand(s, Head::Assign { place, value: exponent }, at, ExpandKind::Lower);
                from.push(element(ed, block, zero));
            }
            calls.push((call, function(f, self.approximate), to, from));
        }
        let kept: Vec<(Expr, Expr)> = parts.kept.iter().map(|&v| self.keep(ed, s, v, number)).collect();
        let values: Vec<(Expr, Expr)> = calls.iter().map(|c| (c.0, element(ed, c.2, number))).collect();
        let head = ed.head(s);
        let head = ed.map_head(head, &mut |_, e| values.iter().find(|v| v.0 == e).map(|v| v.1));
        ed.expand_in_place(s, head);
        let is_first = ed.real_stmts(l.body).next() == Some(s);
        let second = if is_first { l.stmt } else { ed.expand_split(l.stmt, s) };
        for &(place, value) in &kept {
            ed.expand(s, Head::Assign { place, value }, Place::Before(s), ExpandKind::Lower);
        }
        for (call, rt, to, from) in calls {
            let one = parts.is_fixed(ed, l, exponent_of(ed, call));
            self.call(ed, s, second, l, (rt, to, &from, one));
        }
        let body = ed.blocks(second)[0];
        DoLoop { stmt: second, body, ..l }
    }

    /// Makes the first part keep the register `v` of each iteration; gives the register and the element with its value.
    fn keep(&mut self, ed: &mut Editor<'_>, s: Stmt, v: Sym, number: Expr) -> (Expr, Expr) {
        let array = self.take(ed, ed.sym(v).ty);
        let (place, value) = (element(ed, array, number), ed.var(v));
        ed.expand(s, Head::Assign { place, value }, Place::Before(s), ExpandKind::Lower);
        (value, place)
    }

    /// Puts the call of the runtime function before the second part.
    fn call(
        &self,
        ed: &mut Editor<'_>,
        s: Stmt,
        second: Stmt,
        l: DoLoop,
        (rt, to, from, is_one): (Rt, Sym, &[Expr], bool),
    ) {
        let zero = ed.int(Type::I8, 0);
        let to = element(ed, to, zero);
        let mut args = vec![ed.make(ExprData::AddrOf(Access::Out, to))];
        args.extend(from.iter().map(|&e| ed.make(ExprData::AddrOf(Access::In, e))));
        if matches!(rt, Rt::PowR8 | Rt::ApproxPowR8) {
            args.push(ed.int(Type::I4, i64::from(is_one)));
        }
        let bounds = [l.lo, l.hi, l.step].map(|e| ed.widen(e));
        args.push(ed.trips(bounds));
        let head = Head::Call { callee: Callee::Rt(rt), args: ed.make_list(&args), result: None.into() };
        ed.expand(s, head, Place::Before(second), ExpandKind::Lower);
    }
}

/// The exponent if `call` is a power, else the function's argument.
fn exponent_of(u: &Unit, call: Expr) -> Expr {
    match u.expr(call) {
        ExprData::Intrinsic(_, args) => u.list(args).last().copied().unwrap_or(call),
        _ => call,
    }
}

fn element(ed: &mut Editor<'_>, array: Sym, number: Expr) -> Expr {
    let subscripts = ed.make_list(&[number]);
    ed.make(ExprData::Elem(array, subscripts))
}

fn new_array(ed: &mut Editor<'_>, ty: Type) -> Sym {
    let (lower, upper) = (ed.int(Type::I8, 0), ed.int(Type::I8, BLOCK - 1));
    ed.new_sym(SymData {
        dims: SmallVec::from_slice(&[Dim::new(lower, Some(upper))]),
        ..SymData::scalar(format!("block.{}", ed.syms().count()), ty, Storage::Frame)
    })
}

/// The function of the runtime that computes blocks.
fn function(f: Intrinsic, approximate: bool) -> Rt {
    match (f, approximate) {
        (Intrinsic::Exp, false) => Rt::ExpR8,
        (Intrinsic::Exp, true) => Rt::ApproxExpR8,
        (Intrinsic::Log, false) => Rt::LogR8,
        (Intrinsic::Log, true) => Rt::ApproxLogR8,
        (Intrinsic::Sin, false) => Rt::SinR8,
        (Intrinsic::Sin, true) => Rt::ApproxSinR8,
        (Intrinsic::Cos, false) => Rt::CosR8,
        (Intrinsic::Cos, true) => Rt::ApproxCosR8,
        (_, false) => Rt::PowR8,
        (_, true) => Rt::ApproxPowR8,
    }
}

/// Whether `e` is an element whose neighbour in memory is the next iteration's.
fn neighbours(u: &Unit, l: DoLoop, e: Expr) -> bool {
    let ExprData::Elem(s, subs) = u.expr(e) else { return false };
    let data = u.sym(s);
    let is_dense = data.dims.first().is_some_and(|d| d.stride.is_none());
    is_dense
        && u.list(subs).iter().enumerate().all(|(k, &sub)| {
            let mut sum = Linear::of(u, sub);
            let by = sum.take(u, l.var);
            by == i64::from(k == 0) && !sum.mentions(u, l.var)
        })
}

#[cfg(test)]
mod tests;
