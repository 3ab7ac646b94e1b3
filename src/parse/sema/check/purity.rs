//! Restrictions on PURE procedures (Fortran 2003, 12.6): they change no variables of others, read and write no files, do not
//! stop the program, and call PURE procedures only. Calls in a DO CONCURRENT have to be PURE as well.

use crate::check::Checked;
use crate::scope::symbol::{Home, Procedure, ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId, ScopeKind};
use crate::typed::Typing;
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_ir::{Intent, Type};
use trueline_syntax::ast::{
    AllocOption, Allocate, Ast, DoControl, ExprId, ExprKind, Io, IoKind, IoSpec, IoValue, StmtId, StmtKind,
};

/// The surroundings of a statement or call.
pub struct Purity<'k, 'a> {
    /// The declarations.
    pub decls: &'a Declarations<'a>,
    /// The file.
    pub ast: &'a Ast,
    /// The scope of the procedure.
    pub home: ScopeId,
    /// Whether it is in a DO CONCURRENT.
    pub is_concurrent: bool,
    /// Types of the expressions there.
    pub typing: Typing<'k, 'a>,
}

impl<'a> Purity<'_, 'a> {
    fn symbol(&self, id: SymbolId) -> &'a Symbol {
        &self.decls.symbols[id]
    }

    /// The procedure, if it is PURE.
    fn procedure(&self) -> Option<(&'a Symbol, &'a Procedure)> {
        let own = self.symbol(self.decls.scopes[self.home].symbol?);
        own.procedure().filter(|p| p.is_pure).map(|p| (own, p))
    }

    /// An error if a PURE procedure must not execute the statement.
    pub fn statement(&mut self, s: StmtId) -> Checked {
        if self.procedure().is_none() {
            return Ok(());
        }
        let ast = self.ast;
        match &ast.stmt(s).kind {
            StmtKind::Assign { target, .. } => self.change(*target, "changed"),
            StmtKind::PointerAssign { target, value } => {
                self.change(*target, "changed")?;
                if self.typing.is_data_reference(*value) { self.change(*value, "pointed to") } else { Ok(()) }
            }
            StmtKind::Do(d) => match d.control {
                DoControl::Count { var, .. } => match self.typing.resolve(var.name) {
                    Some(id) => self.variable(id, var.span, "changed"),
                    None => Ok(()),
                },
                _ => Ok(()),
            },
            StmtKind::Allocate(a) | StmtKind::Deallocate(a) => self.memory(a),
            StmtKind::Nullify(objects) => ast.list(*objects).iter().try_for_each(|&x| self.change(x, "changed")),
            StmtKind::Stop { error: false, .. } | StmtKind::Pause(_) => Err(self.not_pure(ast.stmt(s).span, "stops")),
            StmtKind::Io(io) => self.transfer(io, ast.stmt(s).span),
            _ => Ok(()),
        }
    }

    fn memory(&mut self, a: &Allocate) -> Checked {
        let ast = self.ast;
        let outs = a.options.iter().filter(|o| matches!(o.0, AllocOption::Stat | AllocOption::Errmsg)).map(|o| o.2);
        ast.list(a.objects).iter().copied().chain(outs).try_for_each(|x| self.change(x, "changed"))
    }

    /// Internal files only may be read and written.
    fn transfer(&mut self, io: &Io, span: Span) -> Checked {
        let unit = io.controls.iter().find(|c| c.spec == IoSpec::Unit).map(|c| c.value);
        let internal = match (io.kind, unit) {
            (IoKind::Read | IoKind::Write, Some(IoValue::Expr(x))) => {
                Some(x).filter(|&x| self.typing.of(x).is_none_or(|t| t.ty == Type::Char))
            }
            _ => None,
        };
        let Some(file) = internal else { return Err(self.not_pure(span, "does input/output of files")) };
        if io.kind == IoKind::Write {
            return self.change(file, "written");
        }
        let ast = self.ast;
        let items = ast.list(io.items).iter().filter(|&&x| !matches!(ast.expr(x).kind, ExprKind::ImpliedDo(_)));
        items.copied().try_for_each(|x| self.change(x, "read"))
    }

    fn not_pure(&self, span: Span, what: &str) -> Diagnostic {
        let name = self.procedure().map_or("", |(s, _)| &s.name);
        Diagnostic::error("T0608", span, format!("The PURE procedure '{name}' {what}"))
    }

    /// An error if `x` is part of a variable that a PURE procedure must not change.
    fn change(&self, x: ExprId, what: &str) -> Checked {
        match self.typing.root_of(x) {
            Some(id) => self.variable(id, self.ast.span(x), what),
            None => Ok(()),
        }
    }

    fn variable(&self, id: SymbolId, span: Span, what: &str) -> Checked {
        let Some((own, p)) = self.procedure() else { return Ok(()) };
        let s = self.symbol(id);
        let is_dummy = matches!(s.home, Home::Dummy { .. });
        let why = match () {
            () if !s.is_variable() || s.attrs.associate => return Ok(()),
            () if s.attrs.common => "in COMMON",
            () if self.decls.unit_around(s.scope) != self.home => "of a host or module",
            () if is_dummy && s.intent == Intent::In => "an INTENT(IN) argument",
            () if is_dummy && p.kind == ProcedureKind::Function && !s.attrs.value => "an argument of a function",
            () => return Ok(()),
        };
        let message = format!("'{}', {why}, is {what} in the PURE procedure '{}'", s.name, own.name);
        Err(Diagnostic::error("T0607", span, message).because(s.span, "declared here"))
    }

    /// The place of a call that must be PURE, in words.
    fn place(&self) -> Option<String> {
        match self.procedure() {
            Some((own, _)) => Some(format!("the PURE procedure '{}'", own.name)),
            None => self.is_concurrent.then(|| "a DO CONCURRENT".to_owned()),
        }
    }

    /// An error if a place that must be PURE refers to a procedure that is not.
    pub fn call(&self, id: SymbolId, span: Span) -> Checked {
        let s = self.symbol(id);
        let Some(p) = s.procedure() else { return Ok(()) };
        if p.is_pure || p.class == ProcedureClass::Intrinsic {
            return Ok(());
        }
        let Some(place) = self.place() else { return Ok(()) };
        let message = format!("The procedure '{}' in {place} is not PURE", s.name);
        Err(Diagnostic::error("T0609", span, message).because(s.span, "declared here"))
    }

    /// The same of the intrinsic subroutine `name`.
    pub fn intrinsic_call(&self, name: &str, span: Span) -> Checked {
        if matches!(name, "mvbits" | "move_alloc") || name.starts_with("ieee_") {
            return Ok(());
        }
        let Some(place) = self.place() else { return Ok(()) };
        let message = format!("The intrinsic subroutine '{name}' in {place} is not PURE");
        Err(Diagnostic::error("T0609", span, message))
    }
}

/// Reports declarations that a PURE procedure must not have.
pub fn declarations(decls: &Declarations<'_>, symbol: &Symbol, p: &Procedure, diags: &mut Diagnostics) {
    let mut wrong = |of: &Symbol, what: &str, must: &str| {
        let message = format!("The {what} '{}' of the PURE procedure '{}' {must}", of.name, symbol.name);
        diags.push(Diagnostic::error("T0295", of.span, message));
    };
    let is_function = p.kind == ProcedureKind::Function;
    // Dummies of elemental procedures are checked by rules of their own.
    for d in p.dummies.iter().flatten().map(|&d| &decls.symbols[d]).filter(|_| !p.is_elemental) {
        match &d.kind {
            SymbolKind::Procedure(q) if !q.is_pure => wrong(d, "argument", "must be PURE"),
            SymbolKind::Variable if d.attrs.pointer || d.attrs.value || d.interface.is_some() => {}
            SymbolKind::Variable if is_function && d.intent != Intent::In => {
                wrong(d, "argument", "must have INTENT(IN) or VALUE");
            }
            SymbolKind::Variable if d.intent == Intent::Unknown => wrong(d, "argument", "must have INTENT or VALUE"),
            _ => {}
        }
    }
    let Some(scope) = p.scope.filter(|&s| decls.scopes[s].kind == ScopeKind::Procedure) else { return };
    for &id in &decls.scopes[scope].own {
        let s = &decls.symbols[id];
        match &s.kind {
            SymbolKind::Variable if s.attrs.common => {}
            SymbolKind::Variable if s.attrs.save || s.attrs.initialised => wrong(s, "variable", "must not be saved"),
            SymbolKind::Variable if s.attrs.volatile => wrong(s, "variable", "must not be VOLATILE"),
            SymbolKind::Procedure(q) if q.class == ProcedureClass::Internal && !q.is_pure => {
                wrong(s, "internal procedure", "must be PURE");
            }
            _ => {}
        }
    }
}
