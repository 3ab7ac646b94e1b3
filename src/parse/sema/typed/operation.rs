//! Types of operations.

use crate::typed::{Extents, Typed, Typing};
use crate::types::kinds::{Category, common_type};
use trueline_ir::Type;
use trueline_syntax::ast::{BinaryOp, ExprId, UnaryOp};

/// The extents of an operation of values with these; none if their ranks or constant extents differ.
pub(super) fn joined<'t>(values: impl Iterator<Item = &'t Typed>) -> Option<Extents> {
    let mut all = Extents::new();
    for v in values.filter(|v| v.rank() > 0) {
        if all.is_empty() {
            all = v.extents.clone();
        } else if all.len() != v.rank() {
            return None;
        }
        for (known, &extent) in all.iter_mut().zip(&v.extents) {
            if known.zip(extent).is_some_and(|(a, b)| a != b) {
                return None;
            }
            *known = known.or(extent);
        }
    }
    Some(all)
}

impl Typing<'_, '_> {
    pub(super) fn unary(&mut self, x: ExprId, op: UnaryOp, operand: ExprId) -> Option<Typed> {
        if let Some(t) = self.defined_operation(x) {
            return t;
        }
        let a = self.of(operand)?;
        let category = Category::of(a.ty);
        let fits = match op {
            UnaryOp::Plus | UnaryOp::Minus => category.is_numeric(),
            UnaryOp::Not => category == Category::Logical || self.is_bitwise(&a),
            UnaryOp::Defined(_) => false,
        };
        (fits && a.is_plain()).then(|| Typed::of(a.ty, a.extents))
    }

    pub(super) fn binary(&mut self, x: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> Option<Typed> {
        if let Some(t) = self.defined_operation(x) {
            return t;
        }
        let (a, b) = self.operands_of(left, right)?;
        let extents = joined([&a, &b].into_iter())?;
        let (ty, len) = match op {
            BinaryOp::Defined(_) => return None,
            BinaryOp::Concat if a.is_text() && b.is_text() => {
                (Type::Char, a.len.zip(b.len).and_then(|(m, n)| m.checked_add(n)))
            }
            BinaryOp::Concat => return None,
            BinaryOp::Pow | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Add | BinaryOp::Sub => {
                (self.arithmetic(op, &a, &b)?, None)
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                (comparison(op, &a, &b)?, None)
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => (self.logical(&a, &b)?, None),
        };
        Some(Typed { len, ..Typed::of(ty, extents) })
    }

    /// The types of two operands, as an operation takes them; none if one has no type.
    pub fn operands_of(&mut self, left: ExprId, right: ExprId) -> Option<(Typed, Typed)> {
        let (a, b) = (self.of(left)?, self.of(right)?);
        let a = self.as_number(left, a, &b);
        let b = self.as_number(right, b, &a);
        Some((a, b))
    }

    /// With `-fdec-char-conversions`, a constant of characters beside a number is one.
    fn as_number(&self, x: ExprId, t: Typed, other: &Typed) -> Typed {
        let is_number = self.decls.options.text_numbers && t.is_text() && other.is_plain();
        if is_number && self.decls.is_number_text(self.scope, x) { Typed::scalar(other.ty) } else { t }
    }

    fn arithmetic(&self, op: BinaryOp, a: &Typed, b: &Typed) -> Option<Type> {
        let ty = common_type(a.ty, b.ty).filter(|&ty| Category::of(ty).is_numeric())?;
        // A power with a whole exponent is of the type of its base.
        let whole = op == BinaryOp::Pow && Category::of(b.ty) == Category::Integer;
        Some(if whole && Category::of(a.ty) != Category::Integer { a.ty } else { ty })
    }

    /// With `-fdec`, logical operators work on the bits of integers.
    fn is_bitwise(&self, t: &Typed) -> bool {
        self.decls.options.bitwise && Category::of(t.ty) == Category::Integer
    }

    fn logical(&self, a: &Typed, b: &Typed) -> Option<Type> {
        let is_logical = |t: &Typed| Category::of(t.ty) == Category::Logical;
        match (self.is_bitwise(a), self.is_bitwise(b)) {
            (true, true) => common_type(a.ty, b.ty),
            (true, false) => is_logical(b).then_some(a.ty),
            (false, true) => is_logical(a).then_some(b.ty),
            (false, false) if is_logical(a) && is_logical(b) => common_type(a.ty, b.ty),
            (false, false) => None,
        }
    }
}

fn comparison(op: BinaryOp, a: &Typed, b: &Typed) -> Option<Type> {
    if a.is_text() && b.is_text() {
        return Some(Type::L4);
    }
    let ty = common_type(a.ty, b.ty).filter(|&ty| Category::of(ty).is_numeric())?;
    let has_order = Category::of(ty) != Category::Complex || matches!(op, BinaryOp::Eq | BinaryOp::Ne);
    has_order.then_some(Type::L4)
}
