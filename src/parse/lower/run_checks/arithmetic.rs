//! Integers: division by zero, results out of range, arguments of the functions of bits.
//!
//! An operation on arrays is checked element by element, before it.

use crate::expr::Exprs;
use crate::values::Val;
use crate::variables::Variables;
use trueline_diag::Span;
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic, Type};
use trueline_sema::intrinsic::{Actuals, Intrinsic as Row};
use trueline_sema::types::kinds::{Category, type_name};

impl Variables<'_> {
    /// Calls `check` with the elements of operands, of which arrays have one shape; or with scalars as they are.
    fn each<const N: usize>(&mut self, operands: [Expr; N], check: impl FnOnce(&mut Self, [Expr; N])) {
        let Some(&array) = operands.iter().find(|&&e| self.rank(e) > 0) else { return check(self, operands) };
        let operands = operands.map(|e| match self.rank(e) > 0 && !self.has_elements(e) {
            true => self.in_memory(e),
            false => e,
        });
        let shape = self.shape(array);
        let (position, outer) = self.open_elements(&shape);
        let elements = operands.map(|e| if self.rank(e) > 0 { self.element(e, &position) } else { e });
        check(self, elements);
        self.enter(outer);
    }

    /// The divisor of a division of integers must not be 0.
    pub(crate) fn check_divisor(&mut self, at: Span, divisor: Expr) {
        let is_whole = Category::of(self.ty(divisor)) == Category::Integer;
        if !self.checks().division || !is_whole || self.known(divisor).is_some() {
            return;
        }
        self.each([divisor], |l, [divisor]| {
            let ty = l.ty(divisor);
            let zero = l.int(ty, 0);
            let is_zero = l.make(ExprData::Binary(BinaryOp::Eq, divisor, zero));
            l.fault_if(at, is_zero, "Integer division by zero", &[]);
        });
    }

    /// The result of `a op b`, of one integer type, must be in its range.
    pub(crate) fn check_operation(&mut self, at: Span, op: BinaryOp, a: Expr, b: Expr) {
        let ty = self.ty(a);
        if !self.checks().overflow || Category::of(ty) != Category::Integer || self.are_constant(&[a, b]) {
            return;
        }
        self.each([a, b], |l, [a, b]| {
            let wrong = if ty == Type::I8 { l.exceeds_long(op, a, b) } else { l.exceeds(op, a, b) };
            if let Some(wrong) = wrong {
                l.fault_if(at, wrong, &format!("Integer overflow: {{1}} {} {{2}}", sign(op)), &[a, b]);
            }
        });
    }

    fn are_constant(&self, all: &[Expr]) -> bool {
        all.iter().all(|&e| self.pool().is_constant(e))
    }

    /// The operation of a short kind is exact in 8 bytes.
    fn exceeds(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
        let ty = self.ty(a);
        let [long_a, long_b] = [a, b].map(|e| self.convert(Type::I8, e));
        // A constant divisor of -1 alone takes the least number out of range.
        let exact = self.make(ExprData::Binary(op, long_a, long_b));
        Some(self.out_of(ty, exact))
    }

    /// Whether the `INTEGER(8)` number is none of integer type `ty`.
    fn out_of(&mut self, ty: Type, number: Expr) -> Expr {
        let bits = 8 * ty.size() as u32 - 1;
        let (least, most) = (self.int8(-(1 << bits)), self.int8((1 << bits) - 1));
        let below = self.make(ExprData::Binary(BinaryOp::Lt, number, least));
        let above = self.make(ExprData::Binary(BinaryOp::Gt, number, most));
        self.make(ExprData::Binary(BinaryOp::Or, below, above))
    }

    fn exceeds_long(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
        let (zero, least) = (self.int8(0), self.int8(i64::MIN));
        let result = self.make(ExprData::Binary(op, a, b));
        Some(match op {
            // The signs of the operands (of `-b` for a difference) are the same, that of the result is another.
            BinaryOp::Add | BinaryOp::Sub => {
                let first = self.intrinsic(Intrinsic::Ieor, &[a, result]);
                let other = if op == BinaryOp::Add { result } else { a };
                let second = self.intrinsic(Intrinsic::Ieor, &[b, other]);
                let both = self.intrinsic(Intrinsic::Iand, &[first, second]);
                self.make(ExprData::Binary(BinaryOp::Lt, both, zero))
            }
            BinaryOp::Mul => {
                // In reals of 16 bytes a product has all its digits but for the last few.
                let [x, y, z] = [a, b, result].map(|e| self.convert(Type::R16, e));
                let exact = self.make(ExprData::Binary(BinaryOp::Mul, x, y));
                self.make(ExprData::Binary(BinaryOp::Ne, exact, z))
            }
            BinaryOp::Div => {
                let minus_one = self.int8(-1);
                let is_least = self.make(ExprData::Binary(BinaryOp::Eq, a, least));
                let is_one = self.make(ExprData::Binary(BinaryOp::Eq, b, minus_one));
                self.make(ExprData::Binary(BinaryOp::And, is_least, is_one))
            }
            _ => return None,
        })
    }

    /// A conversion of `e` to integer type `ty` must not change the number, but for the fraction of a real one.
    pub(crate) fn check_conversion(&mut self, at: Span, ty: Type, e: Expr) {
        let own = self.ty(e);
        if !self.checks().overflow || Category::of(ty) != Category::Integer || self.are_constant(&[e]) {
            return;
        }
        let is_whole = match Category::of(own) {
            Category::Integer if own.size() > ty.size() => true,
            Category::Real => false,
            _ => return,
        };
        let text = format!("Value out of range in the conversion to {}", type_name(ty));
        self.each([e], |l, [e]| {
            if is_whole {
                let long = l.convert(Type::I8, e);
                let wrong = l.out_of(ty, long);
                return l.fault_if(at, wrong, &format!("{text}: {{1}}"), &[e]);
            }
            let bits = 8 * ty.size() as i32 - 1;
            // The least number less one is no number of a type with fewer digits: there the least one is the limit.
            let digits = match own {
                Type::R4 => 24,
                Type::R8 => 53,
                _ => 113,
            };
            let most = l.real_number(own, 2f64.powi(bits));
            let (least, op) = match bits < digits.min(53) {
                true => (l.real_number(own, -(2f64.powi(bits)) - 1.0), BinaryOp::Gt),
                false => (l.real_number(own, -(2f64.powi(bits))), BinaryOp::Ge),
            };
            let above = l.make(ExprData::Binary(op, e, least));
            let below = l.make(ExprData::Binary(BinaryOp::Lt, e, most));
            let fits = l.make(ExprData::Binary(BinaryOp::And, above, below));
            let wrong = l.not(fits);
            l.fault_if(at, wrong, &text, &[]);
        });
    }

    fn real_number(&mut self, ty: Type, v: f64) -> Expr {
        match ty {
            Type::R16 => self.make(ExprData::Quad(v.into())),
            _ => self.real(ty, v),
        }
    }

    /// The power of integers.
    pub(crate) fn check_power(&mut self, at: Span, base: Expr, exponent: Expr) {
        let is_whole = |e| Category::of(self.ty(e)) == Category::Integer;
        if !is_whole(base) || !is_whole(exponent) || self.are_constant(&[base, exponent]) {
            return;
        }
        let checks = self.checks();
        if checks.division && self.known(base).is_none() && self.known(exponent).is_none_or(|n| n < 0) {
            self.each([base, exponent], |l, [base, exponent]| {
                let zero = l.int8(0);
                let is_zero = l.compared(BinaryOp::Eq, base, zero);
                let is_negative = l.compared(BinaryOp::Lt, exponent, zero);
                let wrong = l.make(ExprData::Binary(BinaryOp::And, is_zero, is_negative));
                l.fault_if(at, wrong, "Integer division by zero", &[]);
            });
        }
        let ty = self.ty(base);
        if checks.overflow && self.ty(exponent).size() <= ty.size() {
            // A real power of 8 bytes tells those apart that are out of range: it is right to 15 digits.
            self.each([base, exponent], |l, [base, exponent]| {
                let real = l.convert(Type::R8, base);
                let power = l.convert(Type::I4, exponent);
                let power = l.intrinsic(Intrinsic::PowInt, &[real, power]);
                let most = l.real(Type::R8, 2f64.powi(8 * ty.size() as i32 - 1));
                let size = l.intrinsic(Intrinsic::Abs, &[power]);
                let is_large = l.make(ExprData::Binary(BinaryOp::Gt, size, most));
                let is_limit = l.make(ExprData::Binary(BinaryOp::Eq, power, most));
                let wrong = l.make(ExprData::Binary(BinaryOp::Or, is_large, is_limit));
                l.fault_if(at, wrong, "Integer overflow: {1} ** {2}", &[base, exponent]);
            });
        }
    }

    /// The number must be from `least` to `most`; `what` begins the message.
    pub(crate) fn check_range(&mut self, at: Span, what: &str, value: Expr, [least, most]: [i64; 2]) {
        if !self.checks().bounds || self.known(value).is_some() {
            return;
        }
        self.end_out_of_range(at, what, value, [least, most]);
    }

    fn end_out_of_range(&mut self, at: Span, what: &str, value: Expr, [least, most]: [i64; 2]) {
        let text = match most {
            i64::MAX => format!("{what} is {{1}}, but must be at least {{2}}"),
            _ => format!("{what} is {{1}}, but must be from {{2}} to {{3}}"),
        };
        self.each([value], |l, [value]| {
            let (value, least) = (l.convert(Type::I8, value), l.int8(least));
            let most = l.int8(most);
            let below = l.make(ExprData::Binary(BinaryOp::Lt, value, least));
            let above = l.make(ExprData::Binary(BinaryOp::Gt, value, most));
            let wrong = l.make(ExprData::Binary(BinaryOp::Or, below, above));
            l.fault_if(at, wrong, &text, &[value, least, most]);
        });
    }

    /// Positions, lengths and shifts of the functions of bits must be in the number.
    pub(crate) fn check_bit_arguments(&mut self, row: &Row, args: &Actuals, values: &[Val]) {
        if !self.checks().bits {
            return;
        }
        let Some(first) = values.first() else { return };
        let bits = 8 * self.ty(first.e).size() as i64;
        for ((a, x), v) in row.args.iter().zip(args).zip(values).skip(1) {
            let limits = match (row.name, a.name) {
                ("ishft" | "ishftc", "shift") => [-bits, bits],
                ("ishftc", "size") => [1, bits],
                (_, "shift") | (_, "len") => [0, bits],
                (_, "pos") => [0, bits - 1],
                _ => continue,
            };
            let Some(x) = x.filter(|_| self.known(v.e).is_none()) else { continue };
            let what = format!("The argument '{}' of '{}'", a.name, row.name);
            self.end_out_of_range(self.ast.span(x), &what, v.e, limits);
        }
        if let ("ibits", [_, pos, len], Some(Some(x))) = (row.name, values, args.get(2).copied()) {
            self.check_bit_field(self.ast.span(x), bits, [pos.e, len.e]);
        }
    }

    /// The field of IBITS must end within the number.
    fn check_bit_field(&mut self, at: Span, bits: i64, field: [Expr; 2]) {
        if self.are_constant(&field) {
            return;
        }
        self.each(field, |l, [pos, len]| {
            let (bits, zero, pos) = (l.int8(bits), l.int8(0), l.convert(Type::I8, pos));
            let most = l.sub(bits, pos);
            let above = l.compared(BinaryOp::Gt, len, most);
            let text = "The argument 'len' of 'ibits' is {1}, but must be from {2} to {3}";
            l.fault_if(at, above, text, &[len, zero, most]);
        });
    }
}

/// An operator as it is written.
fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        _ => "/",
    }
}

impl Exprs<'_> {
    /// As [`Variables::check_range`], also without `-fcheck`: for arguments that libgfortran always looks at. FORALL and WHERE have no room for code where there are no checks.
    pub(crate) fn always_check_range(&mut self, at: Span, what: &str, value: Expr, range: [i64; 2]) {
        let has_room = !self.in_forall && self.masking.is_none() && !self.is_unchecked;
        if self.checks().bounds || has_room && self.known(value).is_none() {
            self.end_out_of_range(at, what, value, range);
        }
    }
}
