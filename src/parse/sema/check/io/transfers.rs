//! Items of READ, WRITE and PRINT, and objects of NAMELIST groups, without a value that can be transferred.

use crate::check::Checked;
use crate::check::statements::Statements;
use crate::scope::symbol::SymbolKind;
use crate::typed::call::Site;
use crate::types::structure::{Component, StructureId};
use trueline_diag::Diagnostic;
use trueline_ir::{Intent, Type};
use trueline_syntax::ast::{ExprId, ExprKind, ExprList, Io, IoKind, IoSpec, IoValue};

impl Statements<'_, '_> {
    /// Reports items and objects of groups that cannot be transferred.
    pub fn transferred(&mut self, io: &Io) {
        let is_read = io.kind == IoKind::Read;
        let unit = io.controls.iter().find(|c| c.spec == IoSpec::Unit);
        if let (IoKind::Write, Some(IoValue::Expr(x))) = (io.kind, unit.map(|c| c.value))
            && self.is_internal_file(x)
        {
            let checked = self.site().check_definable(x, "written");
            self.passes(checked);
        }
        self.items(io.items, is_read);
        for c in &io.controls {
            if let (IoSpec::Nml | IoSpec::Fmt, IoValue::Expr(x)) = (c.spec, c.value)
                && self.is_group(x)
            {
                let checked = self.site().check_group(x, is_read);
                self.passes(checked);
            }
        }
    }

    fn is_internal_file(&mut self, x: ExprId) -> bool {
        let mut site = self.site();
        site.is_place(x) && site.typing.of(x).is_some_and(|t| t.ty == Type::Char && t.structure.is_none())
    }

    fn items(&mut self, items: ExprList, is_read: bool) {
        let ast = self.ast;
        for &x in ast.list(items) {
            if let ExprKind::ImpliedDo(d) = &ast.expr(x).kind {
                self.item_loop(d, |all| all.items(d.items, is_read));
                continue;
            }
            let checked = self.site().check_item(x, is_read);
            self.passes(checked);
        }
    }
}

impl Site<'_, '_> {
    fn check_item(&mut self, x: ExprId, is_read: bool) -> Checked {
        if is_read {
            self.must_be_assignable(x)?;
        }
        match self.typing.of(x).and_then(|t| t.structure) {
            Some(id) => self.check_components(x, id),
            None => Ok(()),
        }
    }

    /// The fault of the NAMELIST group `x`.
    fn check_group(&mut self, x: ExprId, is_read: bool) -> Checked {
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return Ok(()) };
        let Some(id) = self.typing.resolve(name) else { return Ok(()) };
        let SymbolKind::Namelist(objects) = &self.symbol(id).kind else { return Ok(()) };
        for &id in objects {
            let s = self.symbol(id);
            if is_read && s.is_variable() && s.intent == Intent::In {
                let message = format!("'{}' of this NAMELIST group is INTENT(IN) and cannot be read", s.name);
                let d = Diagnostic::error("T0580", self.ast.span(x), message);
                return Err(d.because(s.span, "declared here"));
            }
            if let Some(id) = s.structure.filter(|_| s.is_variable()) {
                self.check_named_components(x, id)?;
            }
        }
        Ok(())
    }

    /// An error if a structure has a component without a value that can be transferred.
    fn check_components(&self, x: ExprId, id: StructureId) -> Checked {
        let structure = &self.decls.structures[id];
        for c in &structure.components {
            let wrong = |message: String| {
                Err(Diagnostic::error("T0646", self.ast.span(x), message).because(c.span, "declared here"))
            };
            if c.interface.is_some() {
                return wrong(format!(
                    "'{}' has the procedure pointer '{}', which has no value to transfer",
                    structure.name, c.name
                ));
            }
            let is_address = self.decls.c_types.is_some_and(|(data, code)| id == data || id == code);
            let mut hosts = std::iter::successors(Some(self.home), |&h| self.decls.scopes[h].parent);
            if c.private && !is_address && !hosts.any(|h| h == structure.scope) {
                return wrong(format!(
                    "'{}' has the PRIVATE component '{}', which is not known here",
                    structure.name, c.name
                ));
            }
            self.must_be_direct(x, &structure.name, c)?;
            if let Some(inner) = c.structure {
                self.check_components(x, inner)?;
            }
        }
        Ok(())
    }

    fn check_named_components(&self, x: ExprId, id: StructureId) -> Checked {
        let structure = &self.decls.structures[id];
        for c in &structure.components {
            self.must_be_direct(x, &structure.name, c)?;
            if let Some(inner) = c.structure {
                self.check_named_components(x, inner)?;
            }
        }
        Ok(())
    }

    fn must_be_direct(&self, x: ExprId, name: &str, c: &Component) -> Checked {
        if !c.is_indirect() {
            return Ok(());
        }
        let message = format!("'{name}' has the POINTER or ALLOCATABLE component '{}'", c.name);
        Err(Diagnostic::error("T0646", self.ast.span(x), message).because(c.span, "declared here"))
    }
}
