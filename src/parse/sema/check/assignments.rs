//! Assignments: places that can be assigned, and values that can be brought to the type of a place.

use crate::check::Checked;
use crate::constant::eval::const_eval;
use crate::constant::math;
use crate::scope::symbol::SymbolKind;
use crate::typed::Typed;
use crate::typed::call::Site;
use crate::types::kinds::{Category, type_name};
use trueline_diag::Diagnostic;
use trueline_ir::Type;
use trueline_syntax::ast::{ArgValue, ExprId, ExprKind};

impl Site<'_, '_> {
    /// An error unless `target` is a variable, a part of one, or the target of the POINTER that a function returns
    /// (Fortran 2008, R602).
    pub fn must_be_assignable(&mut self, target: ExprId) -> Checked {
        if self.is_place(target) {
            if self.typing.is_whole_pointer(target) || self.typing.is_pointer_component(target) {
                return Ok(());
            }
            return self.check_definable(target, "assigned");
        }
        let span = self.ast.span(target);
        let Some(id) = self.typing.root_of(target) else {
            return Err(Diagnostic::error("T0602", span, "Only a variable can be assigned"));
        };
        let s = self.symbol(id);
        if let ExprKind::Call { args, .. } = self.ast.expr(target).kind
            && matches!(s.kind, SymbolKind::Procedure(_) | SymbolKind::Generic(_))
        {
            let mut given = self.ast.args(args).iter();
            let is_call = given.all(|a| matches!(a.value, ArgValue::Expr(_) | ArgValue::AltReturn(_)));
            if !is_call || self.typing.is_pointer_result(target) || self.typing.of(target).is_none() {
                return Ok(());
            }
        }
        let message = match &s.kind {
            SymbolKind::Error => return Ok(()),
            SymbolKind::Parameter => format!("The named constant '{}' cannot be assigned", s.name),
            SymbolKind::Variable if s.attrs.associate && s.ty.is_none() => {
                format!("'{}' is associated with a value and cannot be assigned", s.name)
            }
            SymbolKind::Variable => format!("The index '{}' cannot be assigned here", s.name),
            _ => format!("'{}' is not a variable and cannot be assigned", s.name),
        };
        Err(Diagnostic::error("T0602", span, message).because(s.span, "declared here"))
    }

    /// An error unless `value`, of type `from`, can be assigned to `target`, of type `to`; or a warning.
    pub fn check_assigned(&mut self, target: ExprId, value: ExprId, to: &Typed, from: &Typed) -> Checked {
        let is_text = |t: &Typed| t.ty == Type::Char;
        let same = match (to.structure, from.structure) {
            (Some(a), Some(b)) => self.decls.same_type(a, b),
            (None, None) => match (is_text(to), is_text(from)) {
                (true, true) => true,
                (false, false) => {
                    self.check_conversion(value, from.ty, to.ty)?;
                    return self.check_fits(value, to.ty);
                }
                (false, true) => self.is_number_in_text(value, to.ty),
                (true, false) => false,
            },
            _ => false,
        };
        if same {
            return Ok(());
        }
        let [to, from] = [to, from].map(|t| self.type_words(t.ty, t.structure));
        let d = Diagnostic::error("T0534", self.ast.span(value), format!("{from} cannot become {to}"));
        Err(self.about(d, target))
    }

    /// Whether `x` is a Hollerith constant, or characters that old programs store in numbers.
    fn is_number_in_text(&self, x: ExprId, ty: Type) -> bool {
        if matches!(self.ast.expr(x).kind, ExprKind::Hollerith(_)) {
            return true;
        }
        let scope = self.typing.scope;
        self.decls.is_number_text(scope, x)
            && const_eval(self.decls, scope, x)
                .is_ok_and(|c| c.scalar().is_some_and(|s| math::text_as(s, ty).is_some()))
    }

    /// An error unless an assignment converts a value `x` of type `from` to `to`; a warning if that is an extension.
    pub fn check_conversion(&self, x: ExprId, from: Type, to: Type) -> Checked {
        let (a, b) = (Category::of(from), Category::of(to));
        if a == b || (a.is_numeric() && b.is_numeric()) {
            return Ok(());
        }
        let (span, from, to) = (self.ast.span(x), type_name(from), type_name(to));
        if matches!((a, b), (Category::Logical, Category::Integer) | (Category::Integer, Category::Logical)) {
            let message = format!("{from} becomes {to}, which is an extension");
            return Err(Diagnostic::warning("T0535", span, message));
        }
        Err(Diagnostic::error("T0534", span, format!("{from} cannot become {to}")))
    }
}
