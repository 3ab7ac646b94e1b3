//! Operations of constants in statements: those without a value are errors at compile time, as gfortran has it.
//!
//! `i = 2**40`, `x = 1.0/0.0`, `small = 300` (INTEGER(1)). An operation is looked at when its types are known to be right.

use crate::check::Checked;
use crate::constant::eval::{WhyNot, const_eval};
use crate::constant::ops::{OVERFLOW, fits};
use crate::scope::symbol::SymbolKind;
use crate::typed::call::Site;
use crate::types::kinds::{Category, type_name};
use trueline_diag::Diagnostic;
use trueline_ir::Type;
use trueline_syntax::ast::{ArgList, ArgValue, BinaryOp, ExprId, ExprKind, UnaryOp};

/// Functions that ask about the type of their argument.
const INQUIRIES: [&str; 11] = [
    "bit_size",
    "digits",
    "epsilon",
    "huge",
    "kind",
    "maxexponent",
    "minexponent",
    "precision",
    "radix",
    "range",
    "tiny",
];

impl Site<'_, '_> {
    /// Whether `x` is an operation or an intrinsic function of nothing but constants.
    pub fn is_constant_operation(&self, x: ExprId) -> bool {
        let kind = &self.ast.expr(x).kind;
        matches!(kind, ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::Call { .. }) && self.is_constant(x)
    }

    fn is_constant(&self, x: ExprId) -> bool {
        // An interface may define operators of everything but numbers.
        let plain = !self.decls.has_operators;
        match &self.ast.expr(x).kind {
            ExprKind::Int { .. } | ExprKind::Real { .. } => true,
            ExprKind::Logical { .. } | ExprKind::Char { .. } => plain,
            ExprKind::Paren(inner) => self.is_constant(*inner),
            ExprKind::Unary { op: UnaryOp::Defined(_), .. } | ExprKind::Binary { op: BinaryOp::Defined(_), .. } => {
                false
            }
            ExprKind::Unary { operand, .. } => self.is_constant(*operand),
            // The right one is the shorter one of a chain.
            ExprKind::Binary { op, left, right } => {
                (plain || is_arithmetic(*op)) && self.is_constant(*right) && self.is_constant(*left)
            }
            ExprKind::Complex { re, im } => self.is_constant(*re) && self.is_constant(*im),
            ExprKind::ArrayConstructor { ty: None, items } => {
                plain && self.ast.list(*items).iter().all(|&i| self.is_constant(i))
            }
            ExprKind::Name(name) => self.typing.resolve(*name).is_some_and(|id| {
                let s = self.symbol(id);
                let is_number = s.ty.is_some_and(|ty| Category::of(ty).is_numeric()) && !s.is_array();
                s.kind == SymbolKind::Parameter && (plain || is_number)
            }),
            ExprKind::Call { base, args } => self.is_constant_call(*base, *args),
            _ => false,
        }
    }

    fn is_constant_call(&self, base: ExprId, args: ArgList) -> bool {
        let ExprKind::Name(name) = self.ast.expr(base).kind else { return false };
        let known = self.typing.resolve(name);
        if known.is_some_and(|id| !self.decls.is_intrinsic_name(id)) {
            return false;
        }
        let text = self.ast.name(name);
        INQUIRIES.contains(&text)
            || crate::intrinsic::visible(text).is_some()
                && self.ast.args(args).iter().all(|a| match a.value {
                    ArgValue::Expr(x) => self.is_constant(x),
                    _ => false,
                })
    }

    /// An error if the operation has no value.
    pub fn check_constant(&self, x: ExprId) -> Checked {
        if self.decls.options.no_range_check {
            return Ok(());
        }
        let Err(why) = const_eval(self.decls, self.typing.scope, x) else { return Ok(()) };
        let WhyNot::Invalid(message) = &why.why else { return Ok(()) };
        let mut blamed = x;
        crate::visit::expressions(self.ast, x, &mut |y| {
            if self.ast.span(y) == why.span {
                blamed = y;
            }
        });
        if message.starts_with(OVERFLOW) && self.is_of_literals(blamed) {
            return Err(Diagnostic::warning("T0302", why.span, message.clone()));
        }
        why.report("The value").map_or(Ok(()), Err)
    }

    /// Whether nothing but numbers is written there, without parentheses or powers of integers: gfortran leaves such to
    /// the run, where integers wrap around.
    fn is_of_literals(&self, x: ExprId) -> bool {
        match self.ast.expr(x).kind {
            ExprKind::Int { .. } | ExprKind::Real { .. } => true,
            ExprKind::Unary { operand, .. } => self.is_of_literals(operand),
            ExprKind::Binary { op: BinaryOp::Pow, left, .. } => {
                matches!(self.ast.expr(left).kind, ExprKind::Real { .. })
            }
            ExprKind::Binary { left, right, .. } => self.is_of_literals(right) && self.is_of_literals(left),
            _ => false,
        }
    }

    /// An error if the value of an assignment to a variable of type `ty` is a constant out of its range.
    pub fn check_fits(&self, value: ExprId, ty: Type) -> Checked {
        if self.decls.options.no_range_check || !self.is_constant(value) {
            return Ok(());
        }
        let Ok(c) = const_eval(self.decls, self.typing.scope, value) else { return Ok(()) };
        match c.elements().iter().find(|s| !fits(s, ty)) {
            Some(s) => {
                let message = format!("The value, {}, does not fit into {}", type_name(s.ty()), type_name(ty));
                let d = Diagnostic::error("T0302", self.ast.span(value), message);
                Err(d.help("-fno-range-check takes it as it is"))
            }
            None => Ok(()),
        }
    }
}

fn is_arithmetic(op: BinaryOp) -> bool {
    use BinaryOp::{Add, Div, Mul, Pow, Sub};
    matches!(op, Add | Sub | Mul | Div | Pow)
}
