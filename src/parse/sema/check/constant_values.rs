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
    /// Whether `x` is an operation or an intrinsic function of nothing but constants. `varying` is a part of an expression that
    /// is none, from an earlier question: those of the operands of a long expression would each look for it again.
    pub fn is_constant_operation(&self, x: ExprId, varying: &mut Option<ExprId>) -> bool {
        let kind = &self.ast.expr(x).kind;
        if !matches!(kind, ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::Call { .. }) {
            return false;
        }
        let around = self.ast.span(x);
        if varying.is_some_and(|part| part <= x && around.contains(self.ast.span(part))) {
            return false;
        }
        let constant = self.constant(x);
        if let Err(part) = constant {
            *varying = Some(part);
        }
        constant.is_ok()
    }

    /// An error with the first part that is not constant, unless all are.
    fn constant(&self, x: ExprId) -> Result<(), ExprId> {
        // An interface may define operators of everything but numbers.
        let plain = !self.decls.has_operators;
        let is_constant = match &self.ast.expr(x).kind {
            ExprKind::Int { .. } | ExprKind::Real { .. } => true,
            ExprKind::Logical { .. } | ExprKind::Char { .. } => plain,
            ExprKind::Paren(inner) => return self.constant(*inner),
            ExprKind::Unary { op: UnaryOp::Defined(_), .. } | ExprKind::Binary { op: BinaryOp::Defined(_), .. } => {
                false
            }
            ExprKind::Unary { operand, .. } => return self.constant(*operand),
            // The right one is the shorter one of a chain.
            ExprKind::Binary { op, left, right } if plain || is_arithmetic(*op) => {
                self.constant(*right)?;
                return self.constant(*left);
            }
            ExprKind::Complex { re, im } => {
                self.constant(*re)?;
                return self.constant(*im);
            }
            ExprKind::ArrayConstructor { ty: None, items } if plain => {
                return self.ast.list(*items).iter().try_for_each(|&i| self.constant(i));
            }
            ExprKind::Name(name) => self.typing.resolve(*name).is_some_and(|id| {
                let s = self.symbol(id);
                let is_number = s.ty.is_some_and(|ty| Category::of(ty).is_numeric()) && !s.is_array();
                s.kind == SymbolKind::Parameter && (plain || is_number)
            }),
            ExprKind::Call { base, args } => return self.constant_call(x, *base, *args),
            _ => false,
        };
        if is_constant { Ok(()) } else { Err(x) }
    }

    fn constant_call(&self, x: ExprId, base: ExprId, args: ArgList) -> Result<(), ExprId> {
        let ExprKind::Name(name) = self.ast.expr(base).kind else { return Err(x) };
        let known = self.typing.resolve(name);
        if known.is_some_and(|id| !self.decls.is_intrinsic_name(id)) {
            return Err(x);
        }
        let text = self.ast.name(name);
        if INQUIRIES.contains(&text) {
            return Ok(());
        }
        if crate::intrinsic::visible(text).is_none() {
            return Err(x);
        }
        self.ast.args(args).iter().try_for_each(|a| match a.value {
            ArgValue::Expr(x) => self.constant(x),
            _ => Err(x),
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
        if self.decls.options.no_range_check || self.constant(value).is_err() {
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
