//! Subscripts and substrings within their bounds.

use crate::expr::Exprs;
use crate::values::Str;
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::{BinaryOp, Dim, Expr, ExprData, Sym, Type};
use trueline_syntax::ast::{ArgList, ArgValue, ExprId};

/// A dimension of an array whose subscript is checked.
struct Checked<'n> {
    name: &'n str,
    /// Its number, from 1.
    number: usize,
    lower: Expr,
    /// None for the last dimension of an assumed-size array.
    upper: Option<Expr>,
}

impl Exprs<'_> {
    /// Code that ends the program when the array at `x` is not there, or one of `args` is out of bounds.
    pub(crate) fn check_subscripts(&mut self, x: ExprId, sym: Sym, args: ArgList, subs: &[Expr]) {
        self.check_there(x, sym);
        let mut dims: SmallVec<[Dim; 4]> = self.sym(sym).dims.iter().copied().collect();
        if let (Some(&end), Some(last)) = (self.assumed_ends.get(&sym), dims.last_mut()) {
            last.upper = self.e.var(end).into();
        }
        self.check_within(x, &dims, args, subs);
    }

    /// The same of an array that is there, with dimensions `dims`.
    pub(crate) fn check_within(&mut self, x: ExprId, dims: &[Dim], args: ArgList, subs: &[Expr]) {
        if !self.checks_bounds() {
            return;
        }
        let name = self.name_at(x);
        let ast = self.ast;
        for (k, ((&sub, arg), &dim)) in subs.iter().zip(ast.args(args)).zip(dims).enumerate() {
            let d = Checked { name: &name, number: k + 1, lower: dim.lower, upper: dim.upper.expand() };
            match (self.e.expr(sub), arg.value) {
                (ExprData::Triplet(lo, hi, step), ArgValue::Section { lo: from, hi: to, step: by }) => {
                    let place = |x: Option<ExprId>| x.map_or(arg.span, |x| ast.span(x));
                    let places = [place(from.expand()), place(to.expand()), place(by.expand())];
                    self.check_section(&d, [lo, hi, step], places);
                }
                _ if self.rank(sub) == 0 => self.check_index(&d, sub, arg.span),
                _ => self.check_vector(&d, sub, arg.span),
            }
        }
    }
}

impl Variables<'_> {
    /// Whether `index` is outside of the bounds; none if it is known to be within.
    fn outside(&mut self, d: &Checked<'_>, index: Expr) -> Option<Expr> {
        let known = (self.known(index), self.known(d.lower), d.upper.map(|u| self.known(u)));
        if let (Some(v), Some(l), upper) = known
            && v >= l
            && upper.is_none_or(|u| u.is_some_and(|u| v <= u))
        {
            return None;
        }
        let below = self.make(ExprData::Binary(BinaryOp::Lt, index, d.lower));
        let Some(upper) = d.upper else { return Some(below) };
        let above = self.make(ExprData::Binary(BinaryOp::Gt, index, upper));
        Some(self.make(ExprData::Binary(BinaryOp::Or, below, above)))
    }

    fn end_outside(&mut self, d: &Checked<'_>, wrong: Expr, index: Expr, at: Span) {
        let text = format!("Index '{{1}}' of dimension {} of array '{}' {{side}}", d.number, d.name);
        let upper = d.upper.unwrap_or(d.lower);
        self.fault_if(at, wrong, &text, &[index, d.lower, upper]);
    }

    fn check_index(&mut self, d: &Checked<'_>, index: Expr, at: Span) {
        if let Some(wrong) = self.outside(d, index) {
            self.end_outside(d, wrong, index, at);
        }
    }

    /// The first and the last element of a section that has any.
    fn check_section(&mut self, d: &Checked<'_>, [lo, hi, step]: [Expr; 3], places: [Span; 3]) {
        if self.known(step).is_none() {
            let zero = self.int8(0);
            let is_zero = self.make(ExprData::Binary(BinaryOp::Eq, step, zero));
            let text = format!("Stride of dimension {} of array '{}' is zero", d.number, d.name);
            self.fault_if(places[2], is_zero, &text, &[]);
        }
        let n = self.trips(lo, hi, step);
        // The last element need not be at the end that is given.
        let last = match self.known(step) {
            Some(1 | -1) => hi,
            _ => {
                let one = self.int8(1);
                let steps = self.sub(n, one);
                let distance = self.mul(steps, step);
                self.add(lo, distance)
            }
        };
        for (end, at) in [(lo, places[0]), (last, places[1])] {
            let Some(outside) = self.outside(d, end) else { continue };
            let zero = self.int8(0);
            let some = self.make(ExprData::Binary(BinaryOp::Gt, n, zero));
            let wrong = self.make(ExprData::Binary(BinaryOp::And, some, outside));
            self.end_outside(d, wrong, end, at);
        }
    }

    /// Each element of a vector subscript.
    fn check_vector(&mut self, d: &Checked<'_>, vector: Expr, at: Span) {
        let vector = if self.has_elements(vector) { vector } else { self.in_memory(vector) };
        let shape = self.shape(vector);
        let (position, outer) = self.open_elements(&shape);
        let index = self.element(vector, &position);
        let index = self.convert(Type::I8, index);
        self.check_index(d, index, at);
        self.enter(outer);
    }

    /// A substring that is not empty must be inside of its string. `ends` has the places of its ends.
    pub(crate) fn check_substring(&mut self, name: &str, string: Str, [lo, hi]: [Option<Expr>; 2], ends: [Span; 2]) {
        if !self.checks_bounds() {
            return;
        }
        let one = self.int8(1);
        let (from, to) = (lo.unwrap_or(one), hi.unwrap_or(string.len));
        let [from, to, len] = [from, to, string.len].map(|e| self.convert(Type::I8, e));
        let some = self.make(ExprData::Binary(BinaryOp::Ge, to, from));
        if self.known(from).is_none_or(|from| from < 1) {
            let below = self.make(ExprData::Binary(BinaryOp::Lt, from, one));
            let wrong = self.make(ExprData::Binary(BinaryOp::And, some, below));
            let text = format!("Substring out of bounds: lower bound ({{1}}) of '{name}' is less than one");
            self.fault_if(ends[0], wrong, &text, &[from]);
        }
        if hi.is_some() && !matches!((self.known(to), self.known(len)), (Some(to), Some(len)) if to <= len) {
            let above = self.make(ExprData::Binary(BinaryOp::Gt, to, len));
            let wrong = self.make(ExprData::Binary(BinaryOp::And, some, above));
            let text =
                format!("Substring out of bounds: upper bound ({{1}}) of '{name}' exceeds string length ({{2}})");
            self.fault_if(ends[1], wrong, &text, &[to, len]);
        }
    }
}
