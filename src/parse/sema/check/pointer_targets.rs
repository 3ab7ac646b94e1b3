//! Requirements on the target of a pointer besides the type and rank (Fortran 2008, 7.2.2).

use crate::check::Checked;
use crate::check::warnings::flags::Warning;
use crate::check::warnings::warning;
use crate::scope::symbol::Home;
use crate::typed::call::Site;
use crate::types::kinds::type_name;
use trueline_diag::Diagnostic;
use trueline_syntax::ast::{ArgValue, ExprId, ExprKind};

impl Site<'_, '_> {
    /// An error if `value`, which a pointer is to point to, is in parentheses, or has neither TARGET nor POINTER.
    pub fn must_be_target(&mut self, value: ExprId) -> Checked {
        let span = self.ast.span(value);
        if let ExprKind::Paren(_) = self.ast.expr(value).kind {
            let e = Diagnostic::error("T0673", span, "A pointer cannot point to an expression");
            return Err(e.help("What stands in parentheses is a value, not a variable"));
        }
        if self.typing.is_pointer_result(value) {
            return Ok(());
        }
        let mut x = value;
        while let ExprKind::Call { base, .. } = self.ast.expr(x).kind {
            x = base;
        }
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return Ok(()) };
        let Some(id) = self.typing.resolve(name) else { return Ok(()) };
        // An associate name is a target if its selector is one (Fortran 2003, 8.1.4.3).
        let root_id = self.decls.associated_with(id);
        let (s, root) = (self.symbol(id), self.symbol(root_id));
        let is_part = root_id != id && root.structure.is_some();
        if !s.is_variable() || root.attrs.target || root.attrs.pointer || is_part {
            return Ok(());
        }
        let message = format!("'{}' has neither the attribute TARGET nor POINTER", s.name);
        Err(Diagnostic::error("T0672", span, message).because(s.span, "declared here"))
    }

    /// An error if the pointer `object` cannot point to `value`. `remaps`: bounds are given.
    pub fn check_target(&mut self, object: ExprId, value: ExprId, remaps: bool) -> Checked {
        if self.typing.is_null(value) {
            return self.check_null(object, value, remaps);
        }
        let is_contiguous = match self.ast.expr(object).kind {
            ExprKind::Name(name) => self.typing.resolve(name).is_some_and(|id| self.symbol(id).attrs.contiguous),
            _ => false,
        };
        if !is_contiguous || !self.is_place(value) || !self.has_gaps(value) {
            return Ok(());
        }
        let message = "A CONTIGUOUS pointer cannot point to a section with gaps";
        let e = Diagnostic::error("T0673", self.ast.span(value), message);
        Err(match self.typing.root_of(object) {
            Some(id) => e.because(self.symbol(id).span, "declared here"),
            None => e,
        })
    }

    /// Whether a section in the reference has a constant stride other than 1.
    fn has_gaps(&self, mut x: ExprId) -> bool {
        loop {
            match self.ast.expr(x).kind {
                ExprKind::Component { base, .. } => x = base,
                ExprKind::Call { base, args } => {
                    let steps = self.ast.args(args).iter().filter_map(|a| match a.value {
                        ArgValue::Section { step, .. } => step.expand(),
                        _ => None,
                    });
                    if steps.filter_map(|x| self.typing.integer(x)).any(|n| n != 1) {
                        return true;
                    }
                    x = base;
                }
                _ => return false,
            }
        }
    }

    /// NULL(): without bounds before it, and of the type of the pointer if it has a mold.
    fn check_null(&mut self, object: ExprId, value: ExprId, remaps: bool) -> Checked {
        let span = self.ast.span(value);
        if remaps {
            return Err(Diagnostic::error("T0674", span, "A pointer to nothing has no bounds"));
        }
        let ExprKind::Call { args, .. } = self.ast.expr(self.typing.unparen(value)).kind else { return Ok(()) };
        let Some(ArgValue::Expr(mold)) = self.ast.args(args).first().map(|a| a.value) else { return Ok(()) };
        let (Some(mold), Some(own)) = (self.typing.of(mold), self.typing.of(object)) else { return Ok(()) };
        let (ty, rank) = (mold.ty, mold.rank());
        if own.structure.is_some() || (own.ty == ty && own.rank() == rank) {
            return Ok(());
        }
        let message = match own.ty == ty {
            true => format!("The pointer has rank {}, but the mold has rank {rank}", own.rank()),
            false => format!("A pointer to {} cannot point to {}", type_name(own.ty), type_name(ty)),
        };
        Err(Diagnostic::error("T0671", span, message))
    }

    /// A warning of a pointer that may live longer than the local variable it points to.
    pub fn check_lifetime(&self, pointer: ExprId, target: ExprId) -> Checked {
        if !self.decls.options.warnings.has(Warning::TargetLifetime) {
            return Ok(());
        }
        let (Some(p), Some(t)) = (self.typing.root_of(pointer), self.typing.root_of(target)) else { return Ok(()) };
        let (p, t) = (self.symbol(p), self.symbol(t));
        let a = &t.attrs;
        let kept = a.save || a.pointer || a.common || self.decls.scopes[t.scope].save_all;
        let ends = matches!(t.home, Home::Frame | Home::Register | Home::Automatic) && !kept && t.scope == self.home;
        let outlives = p.scope != t.scope || p.attrs.save || p.attrs.result || matches!(p.home, Home::Dummy { .. });
        if t.is_variable() && ends && outlives {
            let text = "Pointer in pointer assignment might outlive the pointer target";
            return Err(warning(Warning::TargetLifetime, self.ast.span(target), text));
        }
        Ok(())
    }
}
