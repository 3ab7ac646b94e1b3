//! Warnings about values: assignments that may change or cut them, or allocate, and REALs that are compared for equality.

use crate::check::statements::Statements;
use crate::check::warnings::flags::Warning;
use crate::check::warnings::warning;
use crate::constant::Scalar;
use crate::constant::eval::const_eval;
use crate::typed::{Typed, component_typed};
use crate::types::kinds::{Category, common_type, type_name};
use crate::types::structure::StructureId;
use trueline_ir::Type;
use trueline_syntax::ast::{BinaryOp, ExprId, ExprKind};

impl Statements<'_, '_> {
    fn warns(&self, which: Warning) -> bool {
        self.decls.options.warnings.has(which)
    }

    /// Warns of `target = value`, which is right.
    pub fn warn_assigned(&mut self, target: ExprId, value: ExprId, to: &Typed, from: &Typed) {
        self.warn_value(value, to, from);
        let is_associate =
            |name| self.decls.visible(self.scope, name).is_some_and(|id| self.decls.symbols[id].attrs.associate);
        let named = matches!(self.ast.expr(target).kind, ExprKind::Name(name) if is_associate(name));
        if !named && self.site().typing.indirection(target) == Some(false) {
            self.warn_reallocation(target, to.rank());
        }
    }

    /// Warns of the value of component `k` in a structure constructor, which is right.
    pub fn warn_component(&mut self, id: StructureId, k: usize, value: ExprId) {
        let to = component_typed(&self.decls.structures[id].components[k]);
        if let Some(from) = self.site().typing.of(value) {
            self.warn_value(value, &to, &from);
        }
    }

    fn warn_value(&mut self, value: ExprId, to: &Typed, from: &Typed) {
        let is_plain = to.structure.is_none() && from.structure.is_none();
        match (to.ty == Type::Char, from.ty == Type::Char) {
            _ if !is_plain || matches!(self.ast.expr(value).kind, ExprKind::Boz { .. }) => {}
            (true, true) => self.warn_truncation(value, to.len, from.len),
            (false, false) => self.warn_conversion(value, to.ty, from.ty),
            _ => {}
        }
    }

    /// An assignment to a narrower type may change the value, unless a constant keeps its value.
    fn warn_conversion(&mut self, x: ExprId, to: Type, from: Type) {
        if from == to || !self.warns(Warning::Conversion) {
            return;
        }
        let (a, b) = (Category::of(from), Category::of(to));
        let value = const_eval(self.decls, self.scope, x).ok();
        let value = value.as_ref().and_then(|c| c.scalar());
        let loses = match (a, b) {
            _ if a == b && a.is_numeric() => from.size() > to.size(),
            (Category::Real, Category::Integer) | (Category::Complex, Category::Integer | Category::Real) => true,
            // Integers beyond the digits of the real.
            (Category::Integer, Category::Real) => from.size() >= to.size() && value.is_none(),
            _ => false,
        };
        if loses && !value.is_some_and(|v| keeps(v, to)) {
            let text =
                format!("Possible change of value in the conversion from {} to {}", type_name(from), type_name(to));
            self.diags.push(warning(Warning::Conversion, self.ast.span(x), &text));
        }
    }

    /// Characters may not fit into the variable they are assigned to.
    fn warn_truncation(&mut self, x: ExprId, to: Option<i64>, from: Option<i64>) {
        if let (Some(to), Some(from)) = (to, from)
            && from > to
            && self.warns(Warning::CharacterTruncation)
        {
            let text = format!("The CHARACTER value is truncated in the assignment ({to}/{from})");
            self.diags.push(warning(Warning::CharacterTruncation, self.ast.span(x), &text));
        }
    }

    fn warn_reallocation(&mut self, target: ExprId, rank: usize) {
        let array = rank > 0 && self.warns(Warning::ReallocLhs);
        if array || self.warns(Warning::ReallocLhsAll) {
            let which = if array { Warning::ReallocLhs } else { Warning::ReallocLhsAll };
            let what = if rank > 0 { "array" } else { "variable" };
            let text = format!("Code for reallocating the allocatable {what} will be added");
            self.diags.push(warning(which, self.ast.span(target), &text));
        }
    }

    /// Warns of `==` and `/=` of real values.
    pub fn warn_equality(&mut self, x: ExprId) {
        let ExprKind::Binary { op: op @ (BinaryOp::Eq | BinaryOp::Ne), left, right } = self.ast.expr(x).kind else {
            return;
        };
        if !self.warns(Warning::CompareReals) {
            return;
        }
        let mut site = self.site();
        let (Some(a), Some(b)) = (site.typing.of(left), site.typing.of(right)) else { return };
        let is_defined = a.structure.is_some() || b.structure.is_some() || site.typing.defining_procedure(x).is_some();
        let Some(ty) = common_type(a.ty, b.ty).filter(|_| !is_defined) else { return };
        if matches!(Category::of(ty), Category::Real | Category::Complex) {
            let what = if op == BinaryOp::Eq { "Equality" } else { "Inequality" };
            let text = format!("{what} comparison for {}", type_name(ty));
            self.diags.push(warning(Warning::CompareReals, self.ast.span(x), &text));
        }
    }
}

/// Whether a constant is one of the type, too.
fn keeps(v: &Scalar, to: Type) -> bool {
    if let Some(v) = v.as_int() {
        return match to {
            Type::I1 => i8::try_from(v).is_ok(),
            Type::I2 => i16::try_from(v).is_ok(),
            Type::I4 => i32::try_from(v).is_ok(),
            _ => true,
        };
    }
    match v {
        Scalar::Real(Type::R8, value) if to == Type::R4 => {
            let v = f64::from_bits(value.bits(Type::R8) as u64);
            f64::from(v as f32) == v
        }
        _ => false,
    }
}
