//! Warnings that need the types of expressions, which lowering knows.

use crate::lower::source::Source;
use crate::sema::check::warning_flags::Warning;
use crate::sema::check::warnings::warning;
use crate::sema::types::kinds::{Category, type_name};
use trueline_ir::{BinaryOp, Expr, ExprData, Type};
use trueline_syntax::ast::ExprId;

impl Source<'_, '_> {
    /// Warns of an assignment to a narrower type, which may change the value, unless a constant keeps its value.
    pub(crate) fn warn_conversion(&mut self, x: ExprId, to: Type, value: Expr) {
        let from = self.ty(value);
        if from == to || !self.cx.decls.options.warnings.has(Warning::Conversion) {
            return;
        }
        let (a, b) = (Category::of(from), Category::of(to));
        let loses = match (a, b) {
            _ if a == b && a.is_numeric() => from.size() > to.size(),
            (Category::Real, Category::Integer) | (Category::Complex, Category::Integer | Category::Real) => true,
            // Integers beyond the digits of the real.
            (Category::Integer, Category::Real) => from.size() >= to.size() && self.known(value).is_none(),
            _ => false,
        };
        let kept = match self.e.expr(value) {
            ExprData::Int(_, v) => fits(v, to),
            ExprData::Real(Type::R8, bits) if to == Type::R4 => {
                let v = f64::from_bits(bits);
                f64::from(v as f32) == v
            }
            _ => false,
        };
        if loses && !kept {
            let text =
                format!("Possible change of value in the conversion from {} to {}", type_name(from), type_name(to));
            self.diags.push(warning(Warning::Conversion, self.ast.span(x), &text));
        }
    }

    /// Warns of characters that do not fit into the variable they are assigned to.
    pub(crate) fn warn_truncation(&mut self, x: ExprId, to: Expr, from: Expr) {
        if !self.cx.decls.options.warnings.has(Warning::CharacterTruncation) {
            return;
        }
        if let (Some(to), Some(from)) = (self.known(to), self.known(from))
            && from > to
        {
            let text = format!("The CHARACTER value is truncated in the assignment ({to}/{from})");
            self.diags.push(warning(Warning::CharacterTruncation, self.ast.span(x), &text));
        }
    }

    /// `==` and `/=` of real values.
    pub(crate) fn warn_equality(&mut self, x: ExprId, op: BinaryOp, ty: Type) {
        let on = self.cx.decls.options.warnings.has(Warning::CompareReals);
        if on
            && matches!(op, BinaryOp::Eq | BinaryOp::Ne)
            && matches!(Category::of(ty), Category::Real | Category::Complex)
        {
            let what = if op == BinaryOp::Eq { "Equality" } else { "Inequality" };
            let text = format!("{what} comparison for {}", type_name(ty));
            self.diags.push(warning(Warning::CompareReals, self.ast.span(x), &text));
        }
    }
}

/// Whether an integer constant is one of the type, too.
fn fits(v: i64, to: Type) -> bool {
    match to {
        Type::I1 => i8::try_from(v).is_ok(),
        Type::I2 => i16::try_from(v).is_ok(),
        Type::I4 => i32::try_from(v).is_ok(),
        _ => true,
    }
}
