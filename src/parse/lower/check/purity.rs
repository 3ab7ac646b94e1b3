//! What PURE procedures must not do (Fortran 2003, 12.6): change what is not theirs, read or write files, stop the program,
//! refer to what is not PURE. Calls in a DO CONCURRENT have to be PURE as well.

use crate::lower::Lower;
use crate::lower::values::{Failed, Lowered};
use crate::sema::scope::symbol::{Home, Procedure, ProcedureClass, ProcedureKind, Symbol, SymbolId};
use crate::sema::scope::{Declarations, ScopeId, ScopeKind};
use trueline_diag::{Diagnostic, Span};
use trueline_ir::{Intent, Type};
use trueline_syntax::ast::{
    AllocOption, Allocate, DoControl, ExprId, ExprKind, Io, IoKind, IoSpec, IoValue, StmtId, StmtKind,
};

/// The scope of the procedure that a construct's scope is in.
fn procedure_of(decls: &Declarations<'_>, mut scope: ScopeId) -> ScopeId {
    while decls.scopes[scope].kind == ScopeKind::Construct {
        match decls.scopes[scope].parent {
            Some(parent) => scope = parent,
            None => break,
        }
    }
    scope
}

impl<'a> Lower<'a, '_> {
    /// The procedure being lowered, if it is PURE.
    fn pure_procedure(&self) -> Option<(&'a Symbol, &'a Procedure)> {
        let own = self.symbol(self.cx.decls.scopes[self.home].symbol?);
        own.procedure().filter(|p| p.is_pure).map(|p| (own, p))
    }

    /// An error if a PURE procedure must not execute the statement.
    pub(crate) fn check_pure(&mut self, s: StmtId) -> Lowered<()> {
        if self.pure_procedure().is_none() {
            return Ok(());
        }
        let ast = self.ast;
        match &ast.stmt(s).kind {
            StmtKind::Assign { target, .. } => self.check_pure_change(*target, "changed"),
            StmtKind::PointerAssign { target, value } => {
                self.check_pure_change(*target, "changed")?;
                let is_variable = self.is_variable_reference(*value) && self.procedure_pointer(*value)?.is_none();
                if is_variable { self.check_pure_change(*value, "pointed to") } else { Ok(()) }
            }
            StmtKind::Do(d) => match d.control {
                DoControl::Count { var, .. } => match self.resolve(var.name) {
                    Some(id) => self.check_pure_variable(id, var.span, "changed"),
                    None => Ok(()),
                },
                _ => Ok(()),
            },
            StmtKind::Allocate(a) | StmtKind::Deallocate(a) => self.check_pure_memory(a),
            StmtKind::Nullify(objects) => {
                ast.list(*objects).iter().try_for_each(|&x| self.check_pure_change(x, "changed"))
            }
            StmtKind::Stop { error: false, .. } | StmtKind::Pause(_) => Err(self.not_pure(ast.stmt(s).span, "stops")),
            StmtKind::Io(io) => self.check_pure_io(io, ast.stmt(s).span),
            _ => Ok(()),
        }
    }

    fn check_pure_memory(&mut self, a: &Allocate) -> Lowered<()> {
        let outs = a.options.iter().filter(|o| matches!(o.0, AllocOption::Stat | AllocOption::Errmsg)).map(|o| o.2);
        let all: Vec<ExprId> = self.ast.list(a.objects).iter().copied().chain(outs).collect();
        all.into_iter().try_for_each(|x| self.check_pure_change(x, "changed"))
    }

    /// Internal files only may be read and written.
    fn check_pure_io(&mut self, io: &Io, span: Span) -> Lowered<()> {
        let unit = io.controls.iter().find(|c| c.spec == IoSpec::Unit).map(|c| c.value);
        let internal = match (io.kind, unit) {
            (IoKind::Read | IoKind::Write, Some(IoValue::Expr(x))) => {
                Some(x).filter(|&x| self.typed(x).is_none_or(|t| t.ty == Type::Char))
            }
            _ => None,
        };
        let Some(file) = internal else { return Err(self.not_pure(span, "does input/output of files")) };
        if io.kind == IoKind::Write {
            return self.check_pure_change(file, "written");
        }
        let items: Vec<ExprId> = self.ast.list(io.items).to_vec();
        let items = items.into_iter().filter(|&x| !matches!(self.ast.expr(x).kind, ExprKind::ImpliedDo(_)));
        items.collect::<Vec<_>>().into_iter().try_for_each(|x| self.check_pure_change(x, "read"))
    }

    fn not_pure(&mut self, span: Span, what: &str) -> Failed {
        let name = self.pure_procedure().map_or("", |(s, _)| &s.name);
        let message = format!("The PURE procedure '{name}' {what}");
        self.error("T0608", span, message)
    }

    /// An error if `x` is part of what a PURE procedure must leave as it is.
    fn check_pure_change(&mut self, x: ExprId, what: &str) -> Lowered<()> {
        match self.root_of(x) {
            Some(id) => self.check_pure_variable(id, self.ast.span(x), what),
            None => Ok(()),
        }
    }

    fn check_pure_variable(&mut self, id: SymbolId, span: Span, what: &str) -> Lowered<()> {
        let Some((own, p)) = self.pure_procedure() else { return Ok(()) };
        let s = self.symbol(id);
        let is_dummy = matches!(s.home, Home::Dummy { .. });
        let why = match () {
            () if !s.is_variable() || s.attrs.associate => return Ok(()),
            () if s.attrs.common => "in COMMON",
            () if procedure_of(self.cx.decls, s.scope) != self.home => "of a host or module",
            () if is_dummy && s.intent == Intent::In => "an INTENT(IN) argument",
            () if is_dummy && p.kind == ProcedureKind::Function && !s.attrs.value => "an argument of a function",
            () => return Ok(()),
        };
        let message = format!("'{}', {why}, is {what} in the PURE procedure '{}'", s.name, own.name);
        Err(self.report(Diagnostic::error("T0607", span, message).because(s.span, "declared here")))
    }

    /// An error if what must be PURE refers to a procedure that is not.
    pub(crate) fn check_pure_call(&mut self, id: SymbolId, span: Span) -> Lowered<()> {
        let s = self.symbol(id);
        let Some(p) = s.procedure() else { return Ok(()) };
        if p.is_pure || p.class == ProcedureClass::Intrinsic {
            return Ok(());
        }
        let place = match self.pure_procedure() {
            Some((own, _)) => format!("the PURE procedure '{}'", own.name),
            None if self.concurrent_depth > 0 => "a DO CONCURRENT".to_owned(),
            None => return Ok(()),
        };
        let message = format!("The procedure '{}' in {place} is not PURE", s.name);
        Err(self.report(Diagnostic::error("T0609", span, message).because(s.span, "declared here")))
    }

    /// The same of the intrinsic subroutine `name`.
    pub(crate) fn check_pure_intrinsic(&mut self, name: &str, span: Span) -> Lowered<()> {
        let place = match self.pure_procedure() {
            _ if matches!(name, "mvbits" | "move_alloc") || name.starts_with("ieee_") => return Ok(()),
            Some((own, _)) => format!("the PURE procedure '{}'", own.name),
            None if self.concurrent_depth > 0 => "a DO CONCURRENT".to_owned(),
            None => return Ok(()),
        };
        let message = format!("The intrinsic subroutine '{name}' in {place} is not PURE");
        Err(self.error("T0609", span, message))
    }
}
