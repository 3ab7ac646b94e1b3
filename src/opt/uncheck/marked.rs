//! Questions about the marks of elements (`-fcheck=undefined`), once for all elements that a nest may ask for.
//!
//! ```text
//!                               held = 1
//!                               if state == 2
//! do i = 2, n                     held = 0
//!   if state == 2                 if 1 <= 2 .and. 2 < ub .and. n <= ub
//!     if mark(i) == 0               order = call rt.char_compare(&in mark(2), n - 2, &in mark(3), n - 2)
//!       call fault(…)      =>       held = merge(1, 0, mark(2) /= 0 .and. order == 0)
//!   s = s + a(i)                if held /= 0
//!                                 do i = 2, n
//!                                   s = s + a(i)
//!                               else
//!                                 …
//! ```
//!
//! The bytes from the first element to the last one in memory are all marks if the first one is and each is equal to its neighbour, which is a
//! comparison of two strings. In a nest marks are only set, so an answer before it holds in it.

use super::extremes::Nest;
use crate::alias::may_overlap;
use crate::linear::{Linear, add_scaled, difference, product};
use smallvec::SmallVec;
use trueline_ir::{
    Access, BinaryOp, Callee, Editor, ExpandKind, Expr, ExprData, Head, Intrinsic, Place, Rt, Stmt, Sym, Type, Unit,
};

/// The elements whose marks a check may ask for.
#[derive(Clone, PartialEq, Eq)]
struct Asked {
    /// The condition under which marks are asked for at all.
    state: Expr,
    mark: Sym,
    /// The first and the last subscript of each dimension.
    ends: Vec<(Expr, Expr)>,
}

/// The questions of a nest, and the register that each has its answer in.
#[derive(Default)]
pub(super) struct Marks(Vec<(Asked, Sym)>);

impl Marks {
    /// The condition before the nest under which the check finds all marks that it asks for. None if it asks for none, or nobody knows which.
    pub(super) fn question(&mut self, ed: &mut Editor<'_>, nest: &Nest<'_>, check: Stmt) -> Option<Expr> {
        let (state, place) = asks_for(ed, check)?;
        let ExprData::Elem(mark, subs) = ed.expr(place) else { return None };
        let dims = ed.sym(mark).dims.clone();
        let bounds_are_fixed = dims.iter().all(|d| {
            d.stride.is_none() && d.upper.expand().is_some_and(|e| nest.is_fixed(ed, e)) && nest.is_fixed(ed, d.lower)
        });
        if !bounds_are_fixed || !nest.is_fixed(ed, state) || !only_sets(ed, nest, mark) {
            return None;
        }
        let subs: SmallVec<[Expr; 4]> = ed.list(subs).iter().copied().collect();
        let mut ends: Vec<(Expr, Expr)> = Vec::new();
        for sub in subs {
            let sum = Linear::of(ed, sub);
            let least = nest.least_of(ed, check, sum.clone())?;
            let negative = nest.least_of(ed, check, Linear::default().minus(&sum))?;
            let [first, last] = [least, Linear::default().minus(&negative)].map(|l| l.build(ed));
            ends.push((ed.widen(first), ed.widen(last)));
        }
        let first: Vec<Expr> = ends.iter().map(|e| e.0).collect();
        let first = element(ed, mark, &first);
        if !nest.region.keeps_registers(ed, first) {
            return None;
        }
        let asked = Asked { state, mark, ends };
        let known = self.0.iter().find(|(a, _)| *a == asked).map(|a| a.1);
        let register = known.unwrap_or_else(|| {
            let register = ed.new_register("held", Type::I4);
            self.0.push((asked, register));
            register
        });
        let (held, zero) = (ed.var(register), ed.int(Type::I4, 0));
        Some(ed.binary(BinaryOp::Ne, held, zero))
    }

    /// Asks before the nest `s`; `entries` are registers that stand for the values of others there.
    pub(super) fn ask(&self, ed: &mut Editor<'_>, s: Stmt, entries: &[(Sym, Expr)], used: Expr) {
        for (asked, held) in &self.0 {
            if ed.mentions(used, *held) {
                asked.emit(ed, s, *held, entries);
            }
        }
    }
}

impl Asked {
    fn emit(&self, ed: &mut Editor<'_>, s: Stmt, held: Sym, entries: &[(Sym, Expr)]) {
        let ends: Vec<[Expr; 2]> =
            self.ends.iter().map(|&(a, b)| [ed.substitute(a, entries), ed.substitute(b, entries)]).collect();
        let state = ed.substitute(self.state, entries);
        let dims = ed.sym(self.mark).dims.clone();
        let (place, [one, zero]) = (ed.var(held), [1, 0].map(|v| ed.int(Type::I4, v)));
        ed.expand(s, Head::Assign { place, value: one }, Place::Before(s), ExpandKind::Lower);
        let unknown = ed.expand(s, Head::Assign { place, value: zero }, Place::Before(s), ExpandKind::Lower);
        ed.expand_around(unknown, Head::If { cond: state }, 0, ExpandKind::Lower);
        // The marks from the first to the last are there.
        let mut there = state;
        let (mut column, mut bytes) = (ed.int(Type::I8, 1), ed.int(Type::I8, 0));
        for (k, (&[first, last], d)) in ends.iter().zip(&dims).enumerate() {
            let upper = d.upper.expand().expect("all bounds are known");
            let [lower, upper] = [d.lower, upper].map(|e| ed.widen(e));
            let before = if k == 0 { BinaryOp::Lt } else { BinaryOp::Le };
            for (op, a, b) in [(BinaryOp::Le, lower, first), (before, first, upper), (BinaryOp::Le, last, upper)] {
                let holds = ed.binary(op, a, b);
                there = ed.binary(BinaryOp::And, there, holds);
            }
            let span = difference(ed, last, first);
            let span = product(ed, column, span);
            bytes = add_scaled(ed, bytes, span, 1);
            let extent = difference(ed, upper, lower);
            let one = ed.int(Type::I8, 1);
            let extent = add_scaled(ed, extent, one, 1);
            column = product(ed, column, extent);
        }
        let mut subs: Vec<Expr> = ends.iter().map(|e| e[0]).collect();
        let first = element(ed, self.mark, &subs);
        let next = ed.int(Type::I8, 1);
        subs[0] = add_scaled(ed, subs[0], next, 1);
        let second = element(ed, self.mark, &subs);
        let [a, b] = [first, second].map(|e| ed.make(ExprData::AddrOf(Access::In, e)));
        let args = ed.make_list(&[a, bytes, b, bytes]);
        let order = ed.new_register("order", Type::I4);
        let head = Head::Call { callee: Callee::Rt(Rt::CharCompare), args, result: Some(order).into() };
        let call = ed.expand(s, head, Place::Before(s), ExpandKind::Lower);
        let test = ed.expand_around(call, Head::If { cond: there }, 0, ExpandKind::Lower);
        let inside = ed.blocks(test)[0];
        let order = ed.var(order);
        let none = ed.int(Type::I1, 0);
        let is_marked = ed.binary(BinaryOp::Ne, first, none);
        let are_equal = ed.binary(BinaryOp::Eq, order, zero);
        let all = if trueline_ir::fault("uncheck_first_mark") {
            is_marked
        } else {
            ed.binary(BinaryOp::And, is_marked, are_equal)
        };
        let value = ed.intrinsic(Intrinsic::Merge, &[one, zero, all]);
        ed.expand(s, Head::Assign { place, value }, Place::End(inside), ExpandKind::Lower);
    }
}

fn element(ed: &mut Editor<'_>, array: Sym, subs: &[Expr]) -> Expr {
    let list = ed.make_list(subs);
    ed.make(ExprData::Elem(array, list))
}

/// The condition of a check that asks for the mark of an element only if it holds, and the mark.
fn asks_for(u: &Unit, check: Stmt) -> Option<(Expr, Expr)> {
    let Head::If { cond: state } = u.head(check) else { return None };
    let inner = crate::analysis::loops::only(u, u.blocks(check)[0])?;
    let Head::If { cond } = u.head(inner) else { return None };
    let ExprData::Binary(BinaryOp::Eq, place, zero) = u.expr(cond) else { return None };
    let is_mark = u.ty(place).size() == 1 && u.pool().as_int(zero) == Some(0);
    (is_mark && super::check_of(u, inner).is_some()).then_some((state, place))
}

/// Whether the nest does nothing to marks but set them.
fn only_sets(u: &Unit, nest: &Nest<'_>, mark: Sym) -> bool {
    nest.region.has_only_checks()
        && nest.region.refs.iter().filter(|r| r.write && may_overlap(u, r.sym, mark)).all(|r| match u.head(r.stmt) {
            Head::Assign { value, .. } => r.sym == mark && u.pool().as_int(value).is_some_and(|v| v == 1),
            _ => false,
        })
}
