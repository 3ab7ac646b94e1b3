//! Resolution: every name that a statement mentions gets a symbol, and every symbol becomes something.
//!
//! Statements are walked host before contained procedures, because a name that the host mentions, even
//! without declaring it, is the host's in its procedures too. A question left open by a declaration (`REAL F`) is
//! decided by the first use: with arguments it is a function, else a variable. Then each symbol is
//! checked once: its type, its bounds, its length.

pub(crate) mod check;

use crate::scope::resolve::check::finish;
use crate::scope::symbol::{Home, Procedure, ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId, ScopeKind};
use crate::visit;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_syntax::Name;
use trueline_syntax::ast::{ArgList, ArgValue, DoControl, ExprId, ExprKind, ForallHeader, Ident, StmtId, StmtKind};

/// Resolves all names of all units.
pub fn resolve(decls: &mut Declarations<'_>, diags: &mut Diagnostics) {
    for scope in units(decls) {
        let mut r = Resolve::new(decls, scope, diags);
        r.specification();
        r.body();
    }
    for scope in units(decls) {
        finish(decls, scope, diags);
    }
    for scope in units(decls) {
        settle_captures(decls, scope);
    }
    mark_closures(decls);
    crate::declare::link_externals(decls);
}

/// Marks the host variables that siblings of a closure reach: a call that does not name them may
/// reach them.
fn mark_closures(decls: &mut Declarations<'_>) {
    let scopes = decls.closures.iter().filter_map(|&id| decls.symbols[id].procedure()?.scope);
    let hosts: FxHashSet<ScopeId> = scopes.filter_map(|s| decls.scopes[s].parent).collect();
    let children = hosts.iter().flat_map(|&h| decls.scopes[h].children.iter());
    let captured: Vec<SymbolId> = children.flat_map(|&c| decls.scopes[c].captured.iter().copied()).collect();
    for id in captured {
        decls.symbols[id].attrs.closure = true;
    }
    // Any call may reach the variables that a pointer to an internal procedure reaches.
    let pointed: Vec<ScopeId> = decls.pointed.iter().filter_map(|&id| decls.symbols[id].procedure()?.scope).collect();
    for id in pointed.into_iter().flat_map(|s| decls.scopes[s].captured.clone()) {
        let attrs = &mut decls.symbols[id].attrs;
        attrs.reached = !attrs.target;
        attrs.target = true;
    }
}

/// The host symbols that an internal procedure really needs: variables and dummy procedures, also any that
/// a statement function or a NAMELIST group of the host mentions.
fn settle_captures(decls: &mut Declarations<'_>, scope: ScopeId) {
    let mut seen: FxHashSet<SymbolId> = FxHashSet::default();
    let mut out = Vec::new();
    let mut todo: Vec<SymbolId> = decls.scopes[scope].captured.iter().rev().copied().collect();
    while let Some(id) = todo.pop() {
        if !decls.is_captured(scope, id) || !seen.insert(id) {
            continue;
        }
        let symbol = &decls.symbols[id];
        match &symbol.kind {
            SymbolKind::Variable => match symbol.cray_pointer {
                Some(pointer) => todo.push(pointer),
                None => out.push(id),
            },
            SymbolKind::Procedure(p) if p.class == ProcedureClass::Dummy => out.push(id),
            SymbolKind::Namelist(members) => todo.extend(members.iter().rev()),
            SymbolKind::StatementFunction { body, .. } => {
                let (owner, ast) = (symbol.scope, decls.ast(symbol.scope));
                let at = todo.len();
                visit::expressions(ast, *body, &mut |x| {
                    if let ExprKind::Name(name) = ast.expr(x).kind {
                        todo.extend(decls.named(owner, name));
                    }
                });
                todo[at..].reverse();
            }
            _ => {}
        }
    }
    decls.scopes[scope].captured = out;
}

/// Resolves the names of an interface body, which has no statements.
pub fn interface(decls: &mut Declarations<'_>, scope: ScopeId, diags: &mut Diagnostics) {
    Resolve::new(decls, scope, diags).specification();
    finish(decls, scope, diags);
}

/// The scopes of all units, hosts first. Scopes are made in that order.
fn units(decls: &Declarations<'_>) -> Vec<ScopeId> {
    let is_unit = |s: &ScopeId| !matches!(decls.scopes[*s].kind, ScopeKind::Global | ScopeKind::Interface);
    decls.scopes.keys().filter(is_unit).collect()
}

struct Resolve<'r, 'a> {
    decls: &'r mut Declarations<'a>,
    diags: &'r mut Diagnostics,
    scope: ScopeId,
    captured: FxHashSet<SymbolId>,
    /// Intrinsic functions that the unit has called: they may be passed on without INTRINSIC.
    called: FxHashSet<Name>,
    /// A declaration could not be read, or a module is not there: names that are not known may have been in it.
    broken: bool,
}

/// Whether a specification statement of a scope or of its hosts could not be read, or names a module that is not there.
pub fn is_broken(decls: &Declarations<'_>, scope: ScopeId) -> bool {
    std::iter::successors(Some(scope), |&s| decls.scopes[s].parent).any(|s| {
        if decls.scopes[s].lacks_module {
            return true;
        }
        let ast = decls.ast(s);
        let spec = decls.scopes[s].unit.map_or(&[][..], |u| &ast.units[u].spec);
        spec.iter().any(|&s| matches!(ast.stmt(s).kind, StmtKind::Error))
    })
}

/// Whether the header of the procedure of a scope could not be read, so that its arguments are not known.
pub fn has_broken_header(decls: &Declarations<'_>, scope: ScopeId) -> bool {
    let ast = decls.ast(scope);
    let Some(unit) = decls.scopes[scope].unit.map(|u| &ast.units[u]) else { return false };
    let (Some(header), Some(&first)) = (unit.header, unit.spec.first()) else { return false };
    matches!(ast.stmt(first).kind, StmtKind::Error) && ast.stmt(first).span == ast.stmt(header).span
}

impl<'r, 'a> Resolve<'r, 'a> {
    fn new(decls: &'r mut Declarations<'a>, scope: ScopeId, diags: &'r mut Diagnostics) -> Self {
        let broken = is_broken(decls, scope);
        let (captured, called) = (FxHashSet::default(), FxHashSet::default());
        Resolve { decls, diags, scope, captured, called, broken }
    }
}

impl Resolve<'_, '_> {
    /// Names in the bounds and lengths that are evaluated at entry.
    fn specification(&mut self) {
        for id in self.decls.scopes[self.scope].own.clone() {
            let entries: Vec<ExprId> = self.decls.symbols[id].computed_extents().collect();
            entries.into_iter().for_each(|x| self.expr(x));
        }
    }

    fn body(&mut self) {
        let ast = self.decls.ast(self.scope);
        let Some(unit) = self.decls.scopes[self.scope].unit else { return };
        let mut statements = Vec::new();
        self.decls.scoped_statements(self.scope, ast.units[unit].body, &mut |scope, s| statements.push((scope, s)));
        let home = self.scope;
        for (scope, s) in statements {
            self.scope = scope;
            self.stmt(s);
        }
        self.scope = home;
    }

    fn stmt(&mut self, s: StmtId) {
        let ast = self.decls.ast(self.scope);
        match &ast.stmt(s).kind {
            StmtKind::Call { callee, args } => {
                match ast.expr(*callee).kind {
                    ExprKind::Name(name) => self.subroutine(name, ast.span(*callee)),
                    _ => self.expr(*callee),
                }
                self.args(*args);
                visit::arguments(ast, *args, &mut |x| self.complex_part(x));
                return;
            }
            StmtKind::Do(d) => match &d.control {
                DoControl::Count { var, .. } => self.ident(*var),
                DoControl::Concurrent(h) => self.header(h),
                _ => {}
            },
            StmtKind::ForallStmt { header, .. } => self.header(header),
            StmtKind::Forall(f) => self.header(&f.header),
            StmtKind::AssignLabel { var, .. } => self.ident(*var),
            StmtKind::AssignedGoto(g) => self.ident(g.var),
            StmtKind::Allocate(a) | StmtKind::Deallocate(a) => {
                // `a(n)` here is not a reference to a function, whatever `a` is.
                for &x in ast.list(a.objects) {
                    self.object(x);
                }
                visit::length(a.ty.as_ref()).into_iter().for_each(|x| self.expr(x));
                a.options.iter().for_each(|o| self.expr(o.2));
                return;
            }
            _ => {}
        }
        if let StmtKind::PointerAssign { value, .. } = ast.stmt(s).kind
            && let ExprKind::Name(name) = ast.expr(value).kind
        {
            self.intrinsic_target(ast.name(name), ast.span(value));
        }
        let mut exprs: SmallVec<[ExprId; 8]> = SmallVec::new();
        visit::stmt_exprs(ast, s, &mut |x| exprs.push(x));
        if matches!(ast.stmt(s).kind, StmtKind::Io(_)) {
            exprs.iter().for_each(|&x| self.complex_part(x));
        }
        exprs.into_iter().for_each(|x| self.expr(x));
    }

    /// `z%re` where it may be given a value: the variable has an address then.
    fn complex_part(&mut self, x: ExprId) {
        let ast = self.decls.ast(self.scope);
        let ExprKind::Component { base, name } = ast.expr(x).kind else { return };
        let ExprKind::Name(z) = ast.expr(base).kind else { return };
        if !matches!(ast.name(name), "re" | "im") {
            return;
        }
        if let Some(id) = self.decls.named(self.scope, z)
            && self.decls.symbols[id].structure.is_none()
        {
            self.decls.symbols[id].attrs.closure = true;
        }
    }

    /// The name of an intrinsic function that a procedure pointer is to point to, if nothing declares it.
    fn intrinsic_target(&mut self, name: &str, span: Span) {
        if self.decls.lookup(self.scope, name).is_some() || crate::intrinsic::specific(name).is_none() {
            return;
        }
        let mut symbol = Symbol::new(name, span, self.home());
        let procedure = Procedure::unknown(ProcedureClass::Intrinsic, ProcedureKind::Function, name);
        symbol.kind = SymbolKind::Procedure(Box::new(procedure));
        self.decls.enter(symbol);
    }

    /// The unit that undeclared names belong to.
    fn home(&self) -> ScopeId {
        self.decls.unit_around(self.scope)
    }

    fn header(&mut self, header: &ForallHeader) {
        if header.ty.is_some() {
            return;
        }
        header.triplets.iter().for_each(|t| self.ident(t.index));
    }

    fn object(&mut self, x: ExprId) {
        let ast = self.decls.ast(self.scope);
        match ast.expr(x).kind {
            ExprKind::Call { base, args } => {
                self.object(base);
                self.args(args);
            }
            _ => self.expr(x),
        }
    }

    fn ident(&mut self, ident: Ident) {
        if let Some(id) = self.mention(ident.name, ident.span) {
            self.is_variable(id);
        }
    }

    /// A value is taken from a name without arguments, or given to it: it is no function.
    fn is_variable(&mut self, id: SymbolId) {
        let symbol = &mut self.decls.symbols[id];
        if symbol.kind == SymbolKind::Unknown {
            symbol.kind = SymbolKind::Variable;
        }
    }

    fn expr(&mut self, x: ExprId) {
        let ast = self.decls.ast(self.scope);
        match &ast.expr(x).kind {
            ExprKind::Name(name) => {
                if let Some(id) = self.mention(*name, ast.span(x)) {
                    self.is_variable(id);
                    self.pointed(id);
                }
            }
            ExprKind::Call { base, args } => {
                match ast.expr(*base).kind {
                    ExprKind::Name(name) => self.reference(name, *args, ast.span(*base)),
                    _ => self.expr(*base),
                }
                if self.decls.options.cray_pointers {
                    self.located(*base, *args);
                }
                if self.keeps_arguments(*base) {
                    visit::arguments(ast, *args, &mut |x| {
                        if let ExprKind::Name(name) = ast.expr(x).kind
                            && let Some(id) = self.decls.named(self.scope, name)
                        {
                            self.pointed(id);
                        }
                    });
                }
                self.args(*args);
            }
            ExprKind::ImpliedDo(d) => {
                self.ident(d.var);
                self.operands(x);
            }
            _ => self.operands(x),
        }
    }

    /// Gives arguments of LOC the TARGET attribute: they are in memory, and a Cray pointer may point to them.
    fn located(&mut self, base: ExprId, args: ArgList) {
        let ast = self.decls.ast(self.scope);
        if !matches!(ast.expr(base).kind, ExprKind::Name(name) if ast.name(name) == "loc") {
            return;
        }
        visit::arguments(ast, args, &mut |mut x| {
            while let ExprKind::Call { base, .. } | ExprKind::Component { base, .. } = ast.expr(x).kind {
                x = base;
            }
            if let ExprKind::Name(name) = ast.expr(x).kind
                && let Some(id) = self.decls.named(self.scope, name)
                && self.decls.symbols[id].cray_pointer.is_none()
                && matches!(self.decls.symbols[id].kind, SymbolKind::Variable | SymbolKind::Unknown)
            {
                self.decls.symbols[id].attrs.target = true;
            }
        });
    }

    /// Notes that a pointer may come to hold the address of an internal procedure.
    fn pointed(&mut self, id: SymbolId) {
        if crate::scope::symbol::is_internal(&self.decls.symbols[id]) {
            self.decls.closures.insert(id);
            self.decls.pointed.insert(id);
        }
    }

    /// Whether a call keeps the addresses of its arguments: a structure constructor or C_FUNLOC.
    fn keeps_arguments(&self, base: ExprId) -> bool {
        let ast = self.decls.ast(self.scope);
        let ExprKind::Name(name) = ast.expr(base).kind else { return false };
        let Some(id) = self.decls.named(self.scope, name) else { return false };
        let s = &self.decls.symbols[id];
        matches!(s.kind, SymbolKind::DerivedType(_)) || s.name == "c_funloc"
    }

    /// Completes the interface of a procedure pointer by its first use.
    fn settle_interface(&mut self, id: SymbolId, kind: ProcedureKind) {
        let Some(interface) = self.decls.symbols[id].interface else { return };
        let (scope, name) = (self.decls.symbols[id].scope, self.decls.symbols[id].name.clone());
        let implicit = self.decls.implied(scope, &name);
        let s = &mut self.decls.symbols[interface];
        let SymbolKind::Procedure(p) = &mut s.kind else { return };
        if p.kind != ProcedureKind::Unknown || p.like.is_some() {
            return;
        }
        p.kind = kind;
        if let (ProcedureKind::Function, None, Some(implied)) = (kind, s.ty, implicit) {
            implied.give(s);
        }
    }

    fn operands(&mut self, x: ExprId) {
        let ast = self.decls.ast(self.scope);
        let mut operands: SmallVec<[ExprId; 8]> = SmallVec::new();
        visit::operands(ast, x, &mut |o| operands.push(o));
        operands.into_iter().for_each(|o| self.expr(o));
    }

    fn args(&mut self, args: ArgList) {
        let ast = self.decls.ast(self.scope);
        let mut exprs: SmallVec<[ExprId; 8]> = SmallVec::new();
        visit::arguments(ast, args, &mut |x| exprs.push(x));
        for x in exprs {
            match ast.expr(x).kind {
                // Alone as an argument it may be a procedure that a later statement calls.
                ExprKind::Name(name) => {
                    if self.called.contains(&name) {
                        self.intrinsic_target(ast.name(name), ast.span(x));
                    }
                    if let Some(id) = self.mention(name, ast.span(x))
                        && crate::scope::symbol::is_internal(&self.decls.symbols[id])
                    {
                        self.decls.closures.insert(id);
                    }
                }
                _ => self.expr(x),
            }
        }
    }

    /// Whether the compilation has a procedure of its own for the name of an extension.
    fn defines(&self, name: &str) -> bool {
        let own = || self.decls.lookup_global(name).is_some_and(|id| self.decls.symbols[id].procedure().is_some());
        (crate::intrinsic::gives_way(name) || self.decls.options.rules.lacks_intrinsic(name)) && own()
    }

    /// The symbol of a name, with the checks that go with every mention.
    fn lookup(&mut self, name: Name, span: Span) -> Option<SymbolId> {
        let id = self.decls.named(self.scope, name)?;
        let name = self.decls.ast(self.scope).name(name);
        if let Some(&(a, b)) = self.decls.scopes[self.scope].ambiguous.get(name)
            && self.decls.reported.insert((self.scope, name.into()))
        {
            let what = match self.decls.symbols[a].scope == self.scope {
                true => "is a dummy argument here, and imported by USE",
                false => "is imported from two modules",
            };
            let d = Diagnostic::error("T0250", span, format!("'{name}' {what}"))
                .because(self.decls.symbols[a].span, "one is declared here")
                .because(self.decls.symbols[b].span, "the other is declared here");
            self.diags.push(d.help("Rename one of them in its USE statement, or import it by ONLY where it is meant"));
        }
        if self.decls.is_captured(self.scope, id) && self.captured.insert(id) {
            let home = self.home();
            self.decls.scopes[home].captured.push(id);
        }
        Some(id)
    }

    /// A name without arguments; its symbol if there is one already.
    fn mention(&mut self, name: Name, span: Span) -> Option<SymbolId> {
        let text = self.decls.ast(self.scope).name(name);
        match self.lookup(name, span) {
            Some(id) => {
                self.decls.symbols[id].attrs.referenced = true;
                Some(id)
            }
            None if let Some(own) = self.own_subroutine(text) => {
                self.decls.set_name(self.home(), text, own);
                Some(own)
            }
            None => {
                let mut symbol = Symbol::new(text, span, self.home());
                symbol.attrs.referenced = true;
                match self.decls.implied(self.scope, text) {
                    _ if self.decls.ast(self.scope).unread.contains(text) => symbol.kind = SymbolKind::Error,
                    Some(implied) => {
                        symbol.kind = SymbolKind::Variable;
                        implied.give(&mut symbol);
                    }
                    None => {
                        self.undeclared(text, span, "");
                        symbol.kind = SymbolKind::Error;
                    }
                }
                self.decls.enter(symbol);
                None
            }
        }
    }

    /// The subroutine, entry or program that the text is in, if that is its name: no variable is implied by it.
    fn own_subroutine(&self, text: &str) -> Option<SymbolId> {
        let scope = &self.decls.scopes[self.home()];
        let named = |&id: &SymbolId| *self.decls.symbols[id].name == *text;
        scope.symbol.into_iter().chain(scope.entries.iter().map(|&(_, id)| id)).find(named)
    }

    /// A name with arguments in an expression: an array, a string, or a function.
    fn reference(&mut self, name: Name, args: ArgList, span: Span) {
        let text = self.decls.ast(self.scope).name(name);
        let Some(id) = self.lookup(name, span) else {
            self.called.insert(name);
            if self.defines(text) || crate::intrinsic::visible(text).is_none_or(|row| row.is_subroutine()) {
                self.implicit_function(text, span);
            }
            return;
        };
        self.decls.symbols[id].attrs.referenced = true;
        self.settle_interface(id, ProcedureKind::Function);
        let symbol = &self.decls.symbols[id];
        match &symbol.kind {
            SymbolKind::Procedure(p) if p.kind == ProcedureKind::Unknown => {
                let mut p = p.clone();
                p.kind = ProcedureKind::Function;
                self.decls.symbols[id].kind = SymbolKind::Procedure(p);
            }
            SymbolKind::Unknown => {
                let a = symbol.attrs;
                let is_data = a.common || a.equivalenced || a.initialised || a.save;
                // A range alone is a substring, or meant to be one; no function has such an argument.
                self.decls.symbols[id].kind = match is_data || self.is_range(args) {
                    true => SymbolKind::Variable,
                    false => self.function_kind(id),
                };
            }
            _ => {}
        }
    }

    fn is_range(&self, args: ArgList) -> bool {
        matches!(self.decls.ast(self.scope).args(args), [one] if matches!(one.value, ArgValue::Section { .. }))
    }

    /// The kind of a typed name that is called.
    fn function_kind(&self, id: SymbolId) -> SymbolKind {
        let symbol = &self.decls.symbols[id];
        let class = match symbol.home {
            Home::Dummy { .. } => ProcedureClass::Dummy,
            _ if self.decls.is_intrinsic_name(id) => ProcedureClass::Intrinsic,
            _ => ProcedureClass::External,
        };
        SymbolKind::Procedure(Box::new(Procedure::unknown(class, ProcedureKind::Function, &symbol.name)))
    }

    /// A function that nothing declares: external, with the implicit type.
    fn implicit_function(&mut self, text: &str, span: Span) {
        let mut symbol = Symbol::new(text, span, self.home());
        symbol.attrs.referenced = true;
        let procedure = Procedure::unknown(ProcedureClass::External, ProcedureKind::Function, text);
        symbol.kind = SymbolKind::Procedure(Box::new(procedure));
        match self.decls.implied(self.scope, text) {
            _ if self.broken || self.decls.ast(self.scope).unread.contains(text) => symbol.kind = SymbolKind::Error,
            Some(implied) => implied.give(&mut symbol),
            None => {
                self.undeclared(text, span, ", neither as an array nor as a function");
                symbol.kind = SymbolKind::Error;
            }
        }
        self.decls.enter(symbol);
    }

    /// The name in a CALL.
    fn subroutine(&mut self, name: Name, span: Span) {
        let text = self.decls.ast(self.scope).name(name);
        let kind = ProcedureKind::Subroutine;
        let Some(id) = self.lookup(name, span) else {
            let needs_use = crate::intrinsic::of_modules::needs_use(text);
            let row = crate::intrinsic::lookup_subroutine(text).filter(|_| !needs_use);
            if self.defines(text) || row.is_none_or(|row| !row.is_subroutine()) {
                let mut symbol = Symbol::new(text, span, self.home());
                symbol.attrs.referenced = true;
                let procedure = Procedure::unknown(ProcedureClass::External, kind, text);
                symbol.kind = SymbolKind::Procedure(Box::new(procedure));
                self.decls.enter(symbol);
            }
            return;
        };
        self.settle_interface(id, kind);
        let symbol = &mut self.decls.symbols[id];
        symbol.attrs.referenced = true;
        match &mut symbol.kind {
            SymbolKind::Procedure(p) if p.kind == ProcedureKind::Unknown => p.kind = kind,
            SymbolKind::Unknown if symbol.ty.is_none() => {
                let class = match symbol.home {
                    Home::Dummy { .. } => ProcedureClass::Dummy,
                    _ => ProcedureClass::External,
                };
                symbol.kind = SymbolKind::Procedure(Box::new(Procedure::unknown(class, kind, text)));
            }
            _ => {}
        }
    }

    /// An undeclared name under IMPLICIT NONE, once.
    fn undeclared(&mut self, text: &str, span: Span, as_what: &str) {
        if self.broken {
            return;
        }
        undeclared(self.decls, self.scope, text, span, as_what, self.diags);
    }
}

pub fn undeclared(
    decls: &Declarations<'_>,
    scope: ScopeId,
    text: &str,
    span: Span,
    as_what: &str,
    diags: &mut Diagnostics,
) {
    let mut d = Diagnostic::error("T0251", span, format!("'{text}' is not declared{as_what}"));
    // The search looks at every visible name, so it stops with the messages.
    if !diags.is_full(span.file) {
        let hosts = std::iter::successors(Some(scope), |&s| decls.scopes[s].parent);
        let visible = hosts.flat_map(|s| decls.scopes[s].names.iter()).filter(|(_, id)| {
            // A name that is itself an error is no advice.
            !matches!(decls.symbols[**id].kind, SymbolKind::Error)
        });
        let known = visible.map(|(&name, _)| decls.spellings.text(name)).chain(crate::intrinsic::names());
        if let Some(close) = crate::scope::nearest::closest(text, known) {
            d = d.help(format!("Did you mean '{close}'?"));
        }
    }
    diags.push(d.label("IMPLICIT NONE is in force here"));
}
