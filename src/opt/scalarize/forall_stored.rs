//! FORALL with values stored first: for statements that read the array they assign, in both directions of the loops or
//! in a direction that is not known.

use super::Lowering;
use super::forall::Around;
use super::masked::assignments_below;
use super::overlap::{base_of, reads_array};
use crate::alias::may_overlap;
use trueline_ir::{BinaryOp, Expr, ExprData, Head, Stmt, Sym, Type};

/// The code that [`Lowering::each_element`] calls in the innermost loop.
type Body<'b> = &'b mut dyn FnMut(&mut Lowering<'_, '_, '_>, Expr, &[Expr], Expr);

impl Lowering<'_, '_, '_> {
    /// Values, and subscripts that the assignment could change, first; then the assignments.
    pub(super) fn forall_two_phase(&mut self, s: Stmt, place: Expr, value: Expr, around: &Around) {
        let from = std::mem::replace(&mut self.from, s);
        let around = self.with_saved_guards(s, around);
        let points = self.points(&around.indices);
        let axis = self.one_based(points);
        let like = if self.ed.ty(place) == Type::Char { value } else { place };
        let values = self.temporary(like, &[axis]);
        let ExprData::Elem(array, l) = self.ed.expr(place) else { return self.from = from };
        let subs: Vec<Expr> = self.ed.list(l).to_vec();
        let computed: Vec<Sym> = around.prelude.iter().filter_map(|&p| self.ed.defines(self.ed.head(p))).collect();
        let changed: Vec<Expr> = subs
            .iter()
            .copied()
            .filter(|&x| reads_array(self.ed, &[x], array) || computed.iter().any(|&v| self.ed.mentions(x, v)))
            .collect();
        let kept: Vec<(Expr, Sym)> = changed.into_iter().map(|x| (x, self.temporary(x, &[axis]))).collect();

        let zero = self.ed.int(Type::I8, 0);
        let count = self.register("count", zero);
        let at = self.at;
        self.open_forall(&around, &[]);
        self.open_prelude(&around);
        let position = self.ed.var(count);
        for (e, to) in kept.iter().copied().chain([(value, values)]) {
            let to = self.ed.var(to);
            let to = self.element(to, &[position]);
            self.assign_inside(s, to, e);
        }
        self.step(count);
        self.at = at;

        let count = self.register("count", zero);
        self.open_forall(&around, &[]);
        let position = self.ed.var(count);
        let subs: Vec<Expr> = subs
            .into_iter()
            .map(|x| match kept.iter().find(|(e, _)| *e == x) {
                Some(&(_, temp)) => {
                    let temp = self.ed.var(temp);
                    self.element(temp, &[position])
                }
                None => x,
            })
            .collect();
        let to = self.elem(array, &subs);
        let values = self.ed.var(values);
        let value = self.element(values, &[position]);
        self.assign_inside(s, to, value);
        self.step(count);
        self.at = at;
        self.from = from;
    }

    /// Copies `around`; guards that read an array that `s` assigns are saved first.
    pub(super) fn with_saved_guards(&mut self, s: Stmt, around: &Around) -> Around {
        let written = assignments_below(self.ed, s);
        let mut out = Around { guards: Vec::new(), ..around.clone() };
        for guard in &around.guards {
            let mut guard = *guard;
            if let Ok(cond) = guard.cond
                && written.iter().any(|&(_, a)| reads_array(self.ed, &[cond], a))
            {
                let prefix = Around {
                    indices: around.indices[..guard.depth].to_vec(),
                    guards: out.guards.clone(),
                    prelude: Vec::new(),
                };
                guard.cond = Err(self.saved_mask(cond, &prefix));
            }
            out.guards.push(guard);
        }
        out
    }

    /// The values of `mask` in sequence, for the index values that `around` lets through.
    pub(super) fn saved_mask(&mut self, mask: Expr, around: &Around) -> Sym {
        let points = self.points(&around.indices);
        let axis = self.one_based(points);
        let temp = self.temporary(mask, &[axis]);
        let zero = self.ed.int(Type::I8, 0);
        let count = self.register("count", zero);
        let at = self.at;
        self.open_forall(around, &[]);
        let (to, position) = (self.ed.var(temp), self.ed.var(count));
        let to = self.element(to, &[position]);
        self.assign_inside(self.from, to, mask);
        self.step(count);
        self.at = at;
        temp
    }

    /// Counts the elements, stores the values in sequence, assigns them in the same sequence.
    pub(super) fn forall_array_two_phase(
        &mut self,
        s: Stmt,
        place: Expr,
        value: Expr,
        mask: Option<Expr>,
        around: &Around,
    ) {
        let around = self.with_saved_guards(s, around);
        let at = self.at;
        let zero = self.ed.int(Type::I8, 0);
        let total = self.register("count", zero);
        self.open_forall(&around, &[]);
        self.open_prelude(&around);
        let mark = self.frees.len();
        let target = self.prepare(place);
        let axes = self.axes(target);
        let n = self.size(&axes);
        let so_far = self.ed.var(total);
        let next = self.ed.binary(BinaryOp::Add, so_far, n);
        self.set(total, next);
        self.free_to(mark);
        self.at = at;

        let length = self.ed.var(total);
        let axis = self.one_based(length);
        let like = if self.ed.ty(place) == Type::Char { value } else { place };
        let values = self.temporary(like, &[axis]);
        let values = self.ed.var(values);
        let masks = mask.map(|m| self.temporary(m, &[axis]));
        let masks = masks.map(|m| self.ed.var(m));
        self.each_element(
            &around,
            place,
            &mut |low, _, ordinals, position| {
                let slot = low.element(values, &[position]);
                if let (Some(mask), Some(masks)) = (mask, masks) {
                    let flag = low.element(masks, &[position]);
                    let mask = low.prepared_element(mask, ordinals);
                    low.assign(flag, mask);
                    low.open(Head::If { cond: flag });
                }
                let value = low.prepared_element(value, ordinals);
                low.assign(slot, value);
            },
            &[Some(value), mask],
        );
        self.each_element(
            &around,
            place,
            &mut |low, target, ordinals, position| {
                if let Some(masks) = masks {
                    let cond = low.element(masks, &[position]);
                    low.open(Head::If { cond });
                }
                let slot = low.element(values, &[position]);
                let to = low.element(target, ordinals);
                low.assign(to, slot);
            },
            &[],
        );
    }

    /// For each index value a nest over the elements of `place`; `body` makes its code, given the prepared
    /// place, the ordinals, and the position in the sequence of all elements. The `inputs` are prepared
    /// before the nest.
    fn each_element(&mut self, around: &Around, place: Expr, body: Body<'_>, inputs: &[Option<Expr>]) {
        let at = self.at;
        let zero = self.ed.int(Type::I8, 0);
        let count = self.register("count", zero);
        self.open_forall(around, &[]);
        self.open_prelude(around);
        let mark = self.frees.len();
        let target = self.prepare(place);
        for &e in inputs.iter().flatten() {
            self.prepare(e);
        }
        let axes = self.axes(target);
        let inside = self.at;
        let ordinals = self.open_nest(&axes);
        let innermost = self.at;
        let position = self.ed.var(count);
        body(self, target, &ordinals, position);
        self.at = innermost;
        self.step(count);
        self.at = inside;
        self.free_to(mark);
        self.at = at;
        self.ready.clear();
    }

    /// An element of an expression that has been prepared before.
    fn prepared_element(&mut self, e: Expr, ordinals: &[Expr]) -> Expr {
        let e = self.prepare(e);
        self.element(e, ordinals)
    }

    /// Branch by branch over all index values. Masks are evaluated from copies of the arrays that change.
    pub(super) fn forall_where_branches(
        &mut self,
        s: Stmt,
        outer: Option<Expr>,
        written: &[(Expr, Sym)],
        around: &Around,
    ) {
        let Head::Where { mask } = self.ed.head(s) else { return };
        let from = std::mem::replace(&mut self.from, s);
        let mask = self.on_copies(mask, written);
        let mask = self.default_logical(mask);
        let not = self.not(mask);
        for (k, mask) in [mask, not].into_iter().enumerate() {
            let mask = match outer {
                Some(outer) => self.ed.binary(BinaryOp::And, outer, mask),
                None => mask,
            };
            let b = self.ed.blocks(s)[k];
            for inner in self.ed.real_stmts(b).collect::<Vec<_>>() {
                match self.ed.head(inner) {
                    Head::ArrayAssign { place, value } => self.forall_array(inner, place, value, Some(mask), around),
                    _ => self.forall_where_branches(inner, Some(mask), written, around),
                }
            }
        }
        self.from = from;
    }

    /// `mask` with the arrays that are written replaced by copies of them as they are now.
    pub(super) fn on_copies(&mut self, mask: Expr, written: &[(Expr, Sym)]) -> Expr {
        let mut arrays: Vec<Sym> = Vec::new();
        self.ed.visit_expr(mask, &mut |x| {
            if let Some(base) = base_of(self.ed, x)
                && !self.ed.sym(base).dims.is_empty()
                && self.ed.sym(base).dims.iter().all(|d| d.upper.is_some())
                && !arrays.contains(&base)
                && written.iter().any(|&(_, a)| may_overlap(self.ed, a, base))
            {
                arrays.push(base);
            }
        });
        let copies: Vec<(Sym, Sym)> = arrays
            .into_iter()
            .map(|a| {
                let whole = self.ed.var(a);
                let axes = self.axes(whole);
                let copy = self.copy_of(whole, &axes);
                let ExprData::Var(copy) = self.ed.expr(copy) else { unreachable!("a copy is a variable") };
                (a, copy)
            })
            .collect();
        self.redirected(mask, &copies)
    }

    /// `e` reading the second array of each pair instead of the first.
    fn redirected(&mut self, e: Expr, copies: &[(Sym, Sym)]) -> Expr {
        let new = |s: Sym| copies.iter().find(|(a, _)| *a == s).map(|(_, c)| *c);
        match self.ed.expr(e) {
            ExprData::Var(s) => new(s).map_or(e, |c| self.ed.var(c)),
            ExprData::Elem(s, l) | ExprData::Section(s, l) => {
                let subs: Vec<Expr> = self.ed.list(l).to_vec();
                let subs: Vec<Expr> = subs.into_iter().map(|x| self.redirected(x, copies)).collect();
                let l = self.ed.make_list(&subs);
                let section = matches!(self.ed.expr(e), ExprData::Section(..));
                let s = new(s).unwrap_or(s);
                self.ed.make(if section { ExprData::Section(s, l) } else { ExprData::Elem(s, l) })
            }
            ExprData::Intrinsic(i, l) => {
                let args: Vec<Expr> = self.ed.list(l).to_vec();
                let args: Vec<Expr> = args.into_iter().map(|x| self.redirected(x, copies)).collect();
                self.ed.intrinsic(i, &args)
            }
            ExprData::Substr(base, lo, hi) => {
                let [base, lo, hi] = [base, lo, hi].map(|x| self.redirected(x, copies));
                self.ed.make(ExprData::Substr(base, lo, hi))
            }
            _ => {
                let mut operands: Vec<Expr> = Vec::new();
                self.ed.pool().operands(e, |x| operands.push(x));
                let pairs: Vec<(Expr, Expr)> = operands.into_iter().map(|x| (x, self.redirected(x, copies))).collect();
                self.ed.map_expr(e, &mut |_, x| pairs.iter().find(|(o, _)| *o == x).map(|(_, n)| *n))
            }
        }
    }
}
