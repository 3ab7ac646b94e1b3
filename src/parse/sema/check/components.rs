//! Components of structures: whether there is one of this name, whether it is accessible, and where it may stand.

use crate::check::Checked;
use crate::typed::call::Site;
use crate::types::structure::{Component, StructureId};
use trueline_diag::{Diagnostic, Span};
use trueline_syntax::Name;
use trueline_syntax::ast::{ArgList, ArgValue, ExprId, ExprKind};

/// The rank of the expression before a component, and the component; or a fault.
type Selected<'a> = Result<Option<(usize, &'a Component)>, Diagnostic>;

impl<'a> Site<'_, 'a> {
    /// The fault of `base%name` at `x`.
    pub fn check_component(&mut self, x: ExprId, base: ExprId, name: Name) -> Checked {
        let Some((outer, c)) = self.component(x, base, name)? else { return Ok(()) };
        self.follows_no_array(x, outer, c)?;
        if outer > 0 && !c.is_indirect() && !c.shape.is_empty() {
            return Err(self.two_arrays(x));
        }
        Ok(())
    }

    /// The fault of the component `of` in `of(args)` at `x`, apart from that of the subscripts.
    pub fn check_subscripted_component(&mut self, x: ExprId, of: ExprId, args: ArgList) -> Checked {
        let ExprKind::Component { base, name } = self.ast.expr(of).kind else { return Ok(()) };
        let Some((outer, c)) = self.component(of, base, name)? else { return Ok(()) };
        self.follows_no_array(of, outer, c)?;
        let ast = self.ast;
        let is_array = outer > 0
            && !c.shape.is_empty()
            && ast.args(args).iter().any(|a| match a.value {
                ArgValue::Expr(x) => self.typing.of(x).is_some_and(|t| t.rank() > 0),
                ArgValue::Section { .. } => true,
                ArgValue::AltReturn(_) | ArgValue::Star => false,
            });
        if is_array { Err(self.two_arrays(x)) } else { Ok(()) }
    }

    /// The rank of `base`, and the component of it that `x` selects. None if it is an inquiry, a procedure pointer, or wrong in
    /// itself.
    fn component(&mut self, x: ExprId, base: ExprId, name: Name) -> Selected<'a> {
        let Some(of) = self.typing.of(base) else { return Ok(None) };
        let (text, span) = (self.ast.name(name), self.ast.span(x));
        let Some(id) = of.structure else {
            if self.typing.of(x).is_some() {
                return Ok(None);
            }
            let message = format!("{} has no component '{text}'", self.type_words(of.ty, None));
            let d = Diagnostic::error("T0590", span, message);
            return Err(match self.typing.root_of(base) {
                Some(id) => d.because(self.symbol(id).span, "declared here"),
                None => d,
            });
        };
        let structure = &self.decls.structures[id];
        let Some(k) = structure.find(text) else {
            let names: Vec<&str> = structure.components.iter().map(|c| c.name.as_str()).collect();
            let close = crate::scope::nearest::closest(text, names.into_iter());
            let message = format!("The derived type '{}' has no component '{text}'", structure.name);
            let d = Diagnostic::error("T0590", span, message);
            let d = d.because(self.symbol(structure.symbol).span, "defined here");
            return Err(match close {
                Some(close) => d.help(format!("Did you mean '{close}'?")),
                None => d,
            });
        };
        self.must_be_accessible(id, k, span)?;
        let c = &structure.components[k];
        Ok((c.interface.is_none()).then_some((of.rank(), c)))
    }

    /// An error if a PRIVATE component is used outside of the module.
    pub fn must_be_accessible(&self, id: StructureId, k: usize, span: Span) -> Checked {
        let structure = &self.decls.structures[id];
        let c = &structure.components[k];
        let mut hosts = std::iter::successors(Some(self.typing.scope), |&s| self.decls.scopes[s].parent);
        if !c.private || hosts.any(|s| s == structure.scope) {
            return Ok(());
        }
        let message = format!("The component '{}' of '{}' is PRIVATE", c.name, structure.name);
        Err(Diagnostic::error("T0592", span, message).because(c.span, "declared here"))
    }

    fn follows_no_array(&self, x: ExprId, outer: usize, c: &Component) -> Checked {
        if outer == 0 || !c.is_indirect() {
            return Ok(());
        }
        let message = format!("The component '{}', a POINTER or ALLOCATABLE, follows an array", c.name);
        Err(Diagnostic::error("T0594", self.ast.span(x), message))
    }

    fn two_arrays(&self, x: ExprId) -> Diagnostic {
        Diagnostic::error("T0591", self.ast.span(x), "Only one part of a reference may be an array")
    }
}
