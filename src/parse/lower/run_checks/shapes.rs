//! Shapes: of operands, of assignments, of arguments of intrinsic functions.

use crate::expr::Exprs;
use crate::variables::Variables;
use trueline_diag::Span;
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic, Type};
use trueline_sema::scope::symbol::{Extent, Symbol, SymbolId, is_assumed_shape};
use trueline_syntax::ast::{ExprId, ExprKind};

impl Variables<'_> {
    /// Fails unless the operands `a` and `b` of `x` can be combined: an error here where their extents are known, code that ends the
    /// program where they are not. `place` names the function, for arguments.
    pub(crate) fn conform(&mut self, x: ExprId, a: Expr, b: Expr) {
        self.conform_at(x, x, a, b)
    }

    /// The same, where `b` is the value of `operand`.
    pub(crate) fn conform_at(&mut self, x: ExprId, operand: ExprId, a: Expr, b: Expr) {
        self.may_conform(a, b);
        let operand = match self.ast.expr(operand).kind {
            ExprKind::Binary { right, .. } if x == operand => right,
            _ => operand,
        };
        self.check_conform(operand, a, b);
    }

    /// The array `b`, the value of `x`, must have the shape of the array `a`.
    pub(crate) fn check_conform(&mut self, x: ExprId, a: Expr, b: Expr) {
        if !self.checks_bounds() || self.rank(a) == 0 || self.rank(b) == 0 {
            return;
        }
        // If it is absent, it has no say in the shape.
        let flag = self.root_of(x).and_then(|id| self.present.get(&id).copied());
        let present = flag.map(|flag| {
            let (flag, zero) = (self.var(flag), self.int8(0));
            self.make(ExprData::Binary(BinaryOp::Ne, flag, zero))
        });
        let name = self.name_at(x);
        let of = if name.is_empty() { "the operand".to_owned() } else { format!("array '{name}'") };
        let (first, second) = (self.shape(a), self.shape(b));
        for (k, (m, n)) in first.into_iter().zip(second).enumerate() {
            let text = format!("Array bound mismatch for dimension {} of {of}", k + 1);
            self.check_extents_if(present, self.ast.span(x), &text, m, n);
        }
    }

    /// The extents of two arrays in a dimension must be the same.
    pub(crate) fn check_extents(&mut self, at: Span, what: &str, a: Expr, b: Expr) {
        self.check_extents_if(None, at, what, a, b);
    }

    /// The same if a condition holds, where there is one.
    fn check_extents_if(&mut self, cond: Option<Expr>, at: Span, what: &str, a: Expr, b: Expr) {
        if !self.checks_bounds() || a == b {
            return;
        }
        // Extents that are known here may be those of a function's result, which no declaration compares.
        let differ = self.compared(BinaryOp::Ne, a, b);
        let differ = match cond {
            Some(cond) if !matches!(self.e.expr(differ), ExprData::Logical(_, false)) => {
                self.make(ExprData::Binary(BinaryOp::And, cond, differ))
            }
            _ => differ,
        };
        self.fault_if(at, differ, &format!("{what} ({{1}}/{{2}})"), &[a, b]);
    }

    /// There must be as many elements as are needed; `what` begins the message.
    pub(crate) fn check_enough(&mut self, at: Span, what: &str, have: Expr, needed: Expr) {
        if self.checks_bounds() {
            let few = self.compared(BinaryOp::Lt, have, needed);
            self.fault_if(at, few, &format!("{what} {{1}}, should be {{2}}"), &[have, needed]);
        }
    }

    /// No extent of the SHAPE of RESHAPE may be negative.
    pub(crate) fn check_not_negative(&mut self, at: Span, shape: &[Expr]) {
        if !self.checks_bounds() {
            return;
        }
        let zero = self.int8(0);
        for &n in shape {
            let negative = self.compared(BinaryOp::Lt, n, zero);
            self.fault_if(at, negative, "Argument 'shape' of intrinsic 'reshape' is negative ({1})", &[n]);
        }
    }

    /// An array `value`, the argument `x`, must have the extents of `array` without that of the dimension `dim`; `text` begins the message.
    pub(crate) fn check_rest(&mut self, x: ExprId, text: &str, [array, value]: [Expr; 2], dim: Expr) {
        let is_array = !matches!(self.e.expr(value), ExprData::None) && self.rank(value) > 0;
        if !self.checks_bounds() || !is_array {
            return;
        }
        let (all, rest) = (self.shape(array), self.shape(value));
        let known = self.known(dim);
        for d in 1..=all.len() as i64 {
            if known.is_some_and(|k| k != d) {
                continue;
            }
            let ty = self.ty(dim);
            let own = self.int(ty, d);
            let outer = known.is_none().then(|| {
                let is_it = self.make(ExprData::Binary(BinaryOp::Eq, dim, own));
                self.open_if(is_it).0
            });
            let others = all.iter().enumerate().filter(|(k, _)| *k as i64 + 1 != d).map(|(_, n)| *n);
            for (k, (needed, have)) in others.zip(rest.iter().copied()).enumerate() {
                let differ = self.compared(BinaryOp::Ne, have, needed);
                let text = format!("{text} in dimension {}: is {{1}}, should be {{2}}", k + 1);
                self.fault_if(self.ast.span(x), differ, &text, &[have, needed]);
            }
            if let Some(outer) = outer {
                self.enter(outer);
            }
        }
    }

    /// The ORDER of RESHAPE, an array of `rank` elements, must have each number from 1 to `rank` once.
    pub(crate) fn check_order(&mut self, x: ExprId, order: Expr, rank: usize) {
        if !self.checks_bounds() {
            return;
        }
        let at = self.ast.span(x);
        let [least, most] = [1, rank as i64].map(|n| self.int8(n));
        let mut before: Vec<Expr> = Vec::new();
        for k in 1..=rank as i64 {
            let k = self.int8(k);
            let value = self.element(order, &[k]);
            let value = self.convert(Type::I8, value);
            let value = self.in_register(value);
            let [below, above] =
                [(BinaryOp::Lt, least), (BinaryOp::Gt, most)].map(|(op, end)| self.compared(op, value, end));
            let outside = self.make(ExprData::Binary(BinaryOp::Or, below, above));
            self.fault_if(at, outside, "Value {1} out of range in ORDER argument to RESHAPE intrinsic", &[value]);
            for &other in &before {
                let again = self.compared(BinaryOp::Eq, other, value);
                self.fault_if(at, again, "Duplicate value {1} in ORDER argument to RESHAPE intrinsic", &[value]);
            }
            before.push(value);
        }
    }

    /// The elements of an array constructor without a type must be as long as the first of them.
    pub(crate) fn check_element_length(&mut self, x: ExprId, first: Expr, len: Expr) {
        if self.checks_bounds() {
            let differ = self.compared(BinaryOp::Ne, first, len);
            let text = "Different CHARACTER lengths ({1}/{2}) in array constructor";
            self.fault_if(self.ast.span(x), differ, text, &[first, len]);
        }
    }

    /// The VECTOR of PACK and UNPACK must have an element for each true one of `mask`; a scalar mask stands for all of `array`.
    pub(crate) fn check_vector_argument(&mut self, x: ExprId, name: &str, [array, mask, vector]: [Expr; 3]) {
        if !self.checks_bounds() || self.rank(vector) != 1 {
            return;
        }
        let needed = if self.rank(mask) > 0 {
            let none = self.make(ExprData::None);
            self.intrinsic(Intrinsic::Count, &[mask, none])
        } else {
            let (all, zero) = (self.size(array), self.int8(0));
            self.intrinsic(Intrinsic::Merge, &[all, zero, mask])
        };
        let (needed, have) = (self.convert(Type::I8, needed), self.size(vector));
        let (needed, have) = (self.in_register(needed), self.in_register(have));
        let few = self.compared(BinaryOp::Lt, have, needed);
        let text = format!("Argument 'vector' of intrinsic '{name}' has too few elements ({{1}}/{{2}})");
        self.fault_if(self.ast.span(x), few, &text, &[have, needed]);
    }

    /// The target of a pointer with bounds of its own must have an element for each of the pointer's.
    pub(crate) fn check_remapped(&mut self, at: Span, pointer: &str, [needed, have]: [Expr; 2]) {
        if self.checks_bounds() {
            let few = self.compared(BinaryOp::Lt, have, needed);
            let text = format!("Array bound mismatch in pointer assignment of '{pointer}' ({{1}}/{{2}})");
            self.fault_if(at, few, &text, &[needed, have]);
        }
    }

    /// Two strings must have the same length; `place` says where.
    pub(crate) fn check_same_length(&mut self, at: Span, place: &str, [a, b]: [Expr; 2]) {
        if self.checks_bounds() {
            let differ = self.compared(BinaryOp::Ne, a, b);
            self.fault_if(at, differ, &format!("Unequal character lengths ({{1}}/{{2}}) in {place}"), &[a, b]);
        }
    }

    /// The string `x` that is passed must be as long as the dummy argument `dummy` is declared, if that is known here.
    pub(crate) fn check_length(&mut self, x: ExprId, dummy: SymbolId, len: Expr) {
        let d = self.symbol(dummy);
        let may_be_absent = d.attrs.optional && self.root_of(x).is_some_and(|id| self.symbol(id).attrs.optional);
        if let Some(declared) = d.len.known().filter(|_| self.checks_bounds() && !may_be_absent) {
            let declared = self.int8(declared);
            self.check_lengths(self.ast.span(x), dummy, [len, declared]);
        }
    }

    /// Fails unless a string has the length that the dummy argument `dummy` is declared with; a plain scalar may be longer.
    /// Arrays whose elements follow each other are passed by characters.
    fn check_lengths(&mut self, at: Span, dummy: SymbolId, [len, declared]: [Expr; 2]) {
        let d = self.symbol(dummy);
        let is_exact = is_assumed_shape(d) || d.is_indirect();
        if !d.is_character() || d.is_array() && !is_exact {
            return;
        }
        let (op, text) = match is_exact {
            true => (BinaryOp::Ne, "Actual string length does not match the declared one for dummy argument"),
            false => (BinaryOp::Lt, "Actual string length is shorter than the declared one for dummy argument"),
        };
        let wrong = self.compared(op, len, declared);
        self.fault_if(at, wrong, &format!("{text} '{}' ({{1}}/{{2}})", d.name), &[len, declared]);
    }

    /// At entry: the lengths of strings that are passed, where only the procedure knows how long they are to be.
    pub(crate) fn check_passed_lengths(&mut self, own: &Symbol) {
        let has_entries = !self.cx.decls.scopes[self.home].entries.is_empty();
        let Some(p) = own.procedure().filter(|p| self.checks_bounds() && !has_entries && !p.is_c) else { return };
        for id in p.dummies.clone().into_iter().flatten() {
            let d = self.symbol(id);
            let of = self.passed_lengths.get(&id).copied().zip(self.bindings.get(&id).map(|b| b.sym));
            let is_own = matches!(d.len, Extent::Entry(_)) && !d.attrs.optional;
            let Some((hidden, sym)) = of.filter(|_| is_own) else { continue };
            if let Some(declared) = self.sym(sym).len.expand() {
                let len = self.var(hidden);
                self.check_lengths(d.span, id, [len, declared]);
            }
        }
    }

    /// The array that is assigned must have the shape of the array it is assigned to.
    pub(crate) fn check_shapes(&mut self, target: ExprId, place: Expr, value: Expr) {
        if !self.checks_bounds() || self.rank(value) == 0 {
            return;
        }
        let name = self.name_at(target);
        let (to, from) = (self.shape(place), self.shape(value));
        // Nothing is assigned to an array without elements.
        let size = self.product(&to);
        if self.known(size) == Some(0) {
            return;
        }
        let outer = self.known(size).is_none().then(|| {
            let zero = self.int8(0);
            let some = self.make(ExprData::Binary(BinaryOp::Gt, size, zero));
            self.open_if(some).0
        });
        for (k, (to, from)) in to.into_iter().zip(from).enumerate() {
            let text = format!("Array bound mismatch for dimension {} of array '{name}'", k + 1);
            self.check_extents(self.ast.span(target), &text, to, from);
        }
        if let Some(outer) = outer {
            self.enter(outer);
        }
    }
}

impl Exprs<'_> {
    /// As [`Variables::check_extents`], also without `-fcheck`: for functions whose arguments libgfortran always compares. FORALL and WHERE have no room for code where there are no
    /// checks.
    pub(crate) fn always_check_extents(&mut self, at: Span, what: &str, a: Expr, b: Expr) {
        let has_room = !self.in_forall && self.masking.is_none() && !self.is_unchecked;
        if self.checks_bounds() {
            self.check_extents(at, what, a, b);
        } else if has_room && a != b {
            let differ = self.compared(BinaryOp::Ne, a, b);
            self.fault_if(at, differ, &format!("{what} ({{1}}/{{2}})"), &[a, b]);
        }
    }
}
