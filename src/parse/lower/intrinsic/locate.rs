//! FINDLOC, MAXLOC and MINLOC with BACK or of characters, MAXVAL and MINVAL of characters: a search
//! through the elements, written out as loops.
//!
//! ```text
//! at = findloc(a, v, back=b)     at = 0;  found = .false.
//!                                do k = 1, size(a)
//!                                  if (a(k) == v .and. (.not. found .or. b)) then;  at = k;  found = .true.
//! ```

use crate::array::Shape;
use crate::intrinsic::Intrinsics;
use crate::values::{Checked, Str, Val, refused};
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic as Ir, Sym, Type};
use trueline_sema::intrinsic::Actuals;
use trueline_sema::intrinsic::Intrinsic as Row;
use trueline_sema::types::kinds::{Category, common_type};
use trueline_syntax::ast::ExprId;

/// A search.
struct Search {
    array: Val,
    mask: Option<Expr>,
    /// Whether of several the last is meant.
    back: Expr,
    wanted: Wanted,
}

/// The elements that are searched for.
#[derive(Clone, Copy)]
enum Wanted {
    /// Elements equal to this scalar.
    Equal(Val),
    /// The greatest element, or the least.
    Extreme { greatest: bool },
}

/// The variables of a search: whether an element was found, and the best so far.
struct State {
    found: Sym,
    best: Option<Val>,
}

impl Intrinsics<'_, '_> {
    /// MAXVAL, MINVAL, MAXLOC, MINLOC where one operation of the IR does not say it.
    pub(crate) fn reduction_by_element(
        &mut self,
        ir: Ir,
        args: &Actuals,
        array: Val,
        dim: Expr,
        mask: Option<Expr>,
    ) -> Val {
        let back = self.back_argument(args.get(4).copied().flatten());
        let greatest = matches!(ir, Ir::Maxloc | Ir::Maxval);
        let search = self.search_of(args[0], array, mask, back, Wanted::Extreme { greatest });
        if matches!(ir, Ir::Maxval | Ir::Minval) {
            return self.extreme_text(&search, dim);
        }
        self.positions(args.get(3).copied().flatten(), &search, dim)
    }

    pub(crate) fn findloc(&mut self, row: &Row, args: &Actuals) -> Val {
        let array = self.array_argument(row, args, 0);
        let value = self.actual(row, args, 1).checked();
        self.must_be_scalar(value.e);
        let value = match self.as_str(value) {
            Some(_) => value,
            None => Val::plain(self.in_register(value.e)),
        };
        let (ta, tv) = (self.ty(array.e), self.ty(value.e));
        let logical = |ty: Type| Category::of(ty) == Category::Logical;
        if common_type(ta, tv).is_none() && !(logical(ta) && logical(tv)) {
            refused();
        }
        let mut dim = args[2];
        let mut mask = args[3].map(|_| self.needed(row, args, 3));
        if let Some(second) = dim
            && self.typing().of(second).is_some_and(|t| logical(t.ty))
        {
            mask = Some(self.value(second));
            dim = None;
        }
        let mask = mask.map(|m| args[3].or(args[2]).map_or(m, |x| self.mask_or_all(x, m, array.e)));
        let dim = self.dim_argument(dim, self.rank(array.e));
        let back = self.back_argument(args[5]);
        let search = self.search_of(args[0], array, mask, back, Wanted::Equal(value));
        self.positions(args[4], &search, dim)
    }

    fn back_argument(&mut self, x: Option<ExprId>) -> Expr {
        let Some(x) = x else { return self.logical(false) };
        let e = self.condition(x);
        let e = self.convert(Type::L4, e);
        let no = self.logical(false);
        let e = self.unless_absent(x, e, no);
        self.in_register(e)
    }

    fn search_of(&mut self, x: Option<ExprId>, array: Val, mask: Option<Expr>, back: Expr, wanted: Wanted) -> Search {
        let mask = match mask {
            Some(m) => {
                self.conform(x.checked(), array.e, m);
                let m = self.convert(Type::L4, m);
                Some(if self.has_elements(m) { m } else { self.in_memory(m) })
            }
            None => None,
        };
        let e = if array.len.is_some() || self.has_elements(array.e) { array.e } else { self.in_memory(array.e) };
        Search { array: Val { e, ..array }, mask, back, wanted }
    }

    fn state(&mut self, s: &Search) -> State {
        let found = self.register("found", Type::L4);
        let best = match (s.wanted, self.as_str(s.array)) {
            (Wanted::Equal(_), _) => None,
            (_, Some(text)) => Some(self.str_temp(text.len, &[]).into()),
            (_, None) => {
                let own = self.ty(s.array.e);
                let register = self.register("best", own);
                Some(Val::plain(self.var(register)))
            }
        };
        State { found, best }
    }

    /// Nothing is found yet.
    fn begin(&mut self, state: &State, s: &Search) {
        let no = self.logical(false);
        self.e.set(state.found, no);
        if let Some(best) = state.best.filter(|b| b.len.is_none()) {
            let zero = self.int4(0);
            let zero = match Category::of(self.ty(s.array.e)) {
                Category::Real => {
                    let own = self.ty(s.array.e);
                    self.real(own, 0.0)
                }
                _ => zero,
            };
            self.assign(best.e, zero);
        }
    }

    /// Tests the element at `at`; if it is wanted, the code of `note` runs.
    fn look(&mut self, s: &Search, state: &State, at: &[Expr], note: &mut dyn FnMut(&mut Self)) {
        let outer = self.block();
        if let Some(mask) = s.mask {
            let cond = self.element(mask, at);
            self.open_if(cond);
        }
        let found = self.var(state.found);
        let not_yet = self.not(found);
        let first_or_back = self.make(ExprData::Binary(BinaryOp::Or, not_yet, s.back));
        let hit = match s.wanted {
            Wanted::Equal(value) => {
                let same = self.compared(BinaryOp::Eq, s.array, at, value);
                self.make(ExprData::Binary(BinaryOp::And, same, first_or_back))
            }
            Wanted::Extreme { greatest } => {
                let op = if greatest { BinaryOp::Gt } else { BinaryOp::Lt };
                let Some(best) = state.best else { return };
                let better = self.compared(op, s.array, at, best);
                let same = self.compared(BinaryOp::Eq, s.array, at, best);
                let last = self.make(ExprData::Binary(BinaryOp::And, same, s.back));
                let better = self.make(ExprData::Binary(BinaryOp::Or, better, last));
                self.make(ExprData::Binary(BinaryOp::Or, not_yet, better))
            }
        };
        self.open_if(hit);
        let yes = self.logical(true);
        self.e.set(state.found, yes);
        if let Some(best) = state.best {
            match (self.as_str(best), self.as_str(s.array)) {
                (Some(to), Some(text)) => {
                    let from = self.str_element(text, at);
                    self.assign_str(to, from);
                }
                _ => {
                    let value = self.element(s.array.e, at);
                    self.assign(best.e, value);
                }
            }
        }
        note(self);
        self.enter(outer);
    }

    fn compared(&mut self, op: BinaryOp, array: Val, at: &[Expr], other: Val) -> Expr {
        if let (Some(text), Some(other)) = (self.as_str(array), self.as_str(other)) {
            let element = self.str_element(text, at);
            return self.compare_strs(op, element, other);
        }
        let element = self.element(array.e, at);
        let ty = common_type(self.ty(element), self.ty(other.e)).unwrap_or(Type::L4);
        let (a, b) = (self.convert(ty, element), self.convert(ty, other.e));
        let op = if Category::of(ty) == Category::Logical { BinaryOp::Eqv } else { op };
        self.make(ExprData::Binary(op, a, b))
    }

    /// Where: a vector of positions, or with DIM positions along it.
    fn positions(&mut self, kind: Option<ExprId>, s: &Search, dim: Expr) -> Val {
        let ty = self.kind_argument(kind, Category::Integer, Type::I4);
        let rank = self.rank(s.array.e);
        let shape = self.shape(s.array.e);
        let e = match self.known(dim) {
            _ if self.e.expr(dim) == ExprData::None => self.position_of_all(s, &shape, ty),
            Some(d) => self.positions_along(s, &shape, d as usize - 1, ty),
            None => {
                let made: Vec<Expr> = (0..rank).map(|d| self.positions_along(s, &shape, d, ty)).collect();
                self.for_dim(rank, dim, |l, d| made[l.known(d).unwrap_or(1) as usize - 1])
            }
        };
        Val::plain(e)
    }

    fn position_of_all(&mut self, s: &Search, shape: &Shape, ty: Type) -> Expr {
        let n = self.int8(shape.len() as i64);
        let result = self.memory(ty, None, &[n]);
        let (place, zero) = (self.var(result), self.e.int(ty, 0));
        self.assign(place, zero);
        let state = self.state(s);
        self.begin(&state, s);
        let (at, outer) = self.open_elements(shape);
        let positions = at.clone();
        self.look(s, &state, &at, &mut |l| {
            for (k, &p) in positions.iter().enumerate() {
                let k = l.int8(k as i64 + 1);
                let place = l.elem(result, &[k]);
                l.assign(place, p);
            }
        });
        self.enter(outer);
        place
    }

    fn positions_along(&mut self, s: &Search, shape: &Shape, d: usize, ty: Type) -> Expr {
        let mut rest = shape.clone();
        let n = rest.remove(d);
        let result = (!rest.is_empty()).then(|| self.memory(ty, None, &rest));
        let position = self.register("at", ty);
        let state = self.state(s);
        let (mut at, outer) = self.open_elements(&rest);
        let zero = self.e.int(ty, 0);
        self.e.set(position, zero);
        self.begin(&state, s);
        let whole = at.clone();
        let (k, inner) = self.open_count(n);
        at.insert(d, k);
        self.look(s, &state, &at, &mut |l| {
            let k = l.convert(ty, k);
            l.e.set(position, k);
        });
        self.enter(inner);
        let found = self.var(position);
        if let Some(result) = result {
            let place = self.elem(result, &whole);
            self.assign(place, found);
        }
        self.enter(outer);
        match result {
            Some(result) => self.var(result),
            None => found,
        }
    }

    /// MAXVAL and MINVAL of characters. Without elements, the least or greatest string there is.
    fn extreme_text(&mut self, s: &Search, dim: Expr) -> Val {
        let shape = self.shape(s.array.e);
        if self.e.expr(dim) != ExprData::None && shape.len() > 1 {
            return self.extremes(s, &shape, dim);
        }
        let state = self.state(s);
        self.begin(&state, s);
        let best = self.begin_text(&state, s);
        let (at, outer) = self.open_elements(&shape);
        self.look(s, &state, &at, &mut |_| {});
        self.enter(outer);
        best.into()
    }

    /// An array of the greatest or least strings along DIM, which may be known at run time only.
    fn extremes(&mut self, s: &Search, shape: &Shape, dim: Expr) -> Val {
        let len = self.state(s).best.and_then(|b| b.len).checked();
        let rest = |d: usize| {
            let mut rest = shape.clone();
            rest.remove(d);
            rest
        };
        if let Some(d) = self.known(dim) {
            let d = d as usize - 1;
            let result = self.str_temp(len, &rest(d));
            self.extremes_along(s, shape, d, result);
            return result.into();
        }
        let tests = self.tests_of_dim(dim, shape.len());
        let shapes: Vec<Shape> = (0..shape.len()).map(rest).collect();
        let extents = self.shape_by_test(&shapes, &tests);
        let result = self.str_temp(len, &extents);
        for (d, test) in tests.into_iter().enumerate() {
            let (after, _) = self.open_if(test);
            self.extremes_along(s, shape, d, result);
            self.enter(after);
        }
        result.into()
    }

    /// Assigns to `result` the greatest or least strings along dimension `d`, counted from 0.
    fn extremes_along(&mut self, s: &Search, shape: &Shape, d: usize, result: Str) {
        let mut rest = shape.clone();
        let n = rest.remove(d);
        let state = self.state(s);
        let (mut at, outer) = self.open_elements(&rest);
        self.begin(&state, s);
        let best = self.begin_text(&state, s);
        let place = self.str_element(result, &at);
        let (k, inner) = self.open_count(n);
        at.insert(d, k);
        self.look(s, &state, &at, &mut |_| {});
        self.enter(inner);
        self.assign_str(place, best);
        self.enter(outer);
    }

    /// The start of the best string: that of no elements.
    fn begin_text(&mut self, state: &State, s: &Search) -> Str {
        let Wanted::Extreme { greatest } = s.wanted else { refused() };
        let best = state.best.and_then(|b| self.as_str(b)).checked();
        let filler = self.text(if greatest { b"\0" } else { b"\xff" });
        let filled: Str = self.repeat(filler, best.len);
        self.assign_str(best, filled);
        best
    }
}
