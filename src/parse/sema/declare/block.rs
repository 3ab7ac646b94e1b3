//! BLOCK, ASSOCIATE and the typed indices of DO CONCURRENT: constructs with names of their own.
//!
//! Each such construct has a scope whose parent is the scope around it. The selectors that the names of an
//! ASSOCIATE stand for are lowered later; until then the names are variables without a type. A
//! name that a BLOCK does not declare belongs to its procedure, as if there were no BLOCK.

use crate::declare::Declare;
use crate::scope::symbol::{Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, Scope, ScopeId, ScopeKind};
use crate::visit;
use trueline_syntax::ast::{BlockId, DoControl, ExprId, ExprKind, ForallHeader, StmtId, StmtKind, UnitId};

impl Declarations<'_> {
    /// The scope of a construct that has one.
    pub fn construct_scope(&self, ast: usize, s: StmtId) -> Option<ScopeId> {
        self.construct_scopes[ast].get(&s).copied()
    }

    /// The scope of the program unit that a scope is in: itself, unless it is that of a construct.
    pub fn unit_around(&self, mut scope: ScopeId) -> ScopeId {
        while self.scopes[scope].kind == ScopeKind::Construct {
            match self.scopes[scope].parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        scope
    }

    /// The selector of an associate name, and the scope around the construct, where the selector stands.
    pub fn selector_of(&self, s: &Symbol) -> Option<(ScopeId, ExprId)> {
        let (scope, ast) = (&self.scopes[s.scope], self.ast(s.scope));
        let StmtKind::Associate(c) = &ast.stmt(scope.construct?).kind else { return None };
        let &(_, x) = c.associations.iter().find(|(name, _)| ast.name(name.name) == s.name)?;
        Some((scope.parent?, x))
    }

    /// The variable that a name is associated with, whole or in part; the name itself if it is another's or a value's.
    pub fn associated_with(&self, mut id: SymbolId) -> SymbolId {
        while self.symbols[id].attrs.associate && self.symbols[id].ty.is_none() {
            let Some((scope, mut x)) = self.selector_of(&self.symbols[id]) else { return id };
            let ast = self.ast(scope);
            while let ExprKind::Call { base, .. } | ExprKind::Component { base, .. } = ast.expr(x).kind {
                x = base;
            }
            let ExprKind::Name(name) = ast.expr(x).kind else { return id };
            match self.visible(scope, name).filter(|&root| self.symbols[root].is_variable()) {
                Some(root) => id = root,
                None => return id,
            }
        }
        id
    }

    /// Calls `each` with every statement of a block and below, and the scope it stands in. The head of a
    /// construct stands in the scope around it.
    pub fn scoped_statements(&self, scope: ScopeId, body: BlockId, each: &mut dyn FnMut(ScopeId, StmtId)) {
        let index = self.scopes[scope].ast;
        let ast = self.ast(scope);
        let mut todo: Vec<(ScopeId, StmtId)> = ast.block(body).iter().rev().map(|&s| (scope, s)).collect();
        while let Some((scope, s)) = todo.pop() {
            each(scope, s);
            let inner = match self.construct_scopes[index].is_empty() {
                true => scope,
                false => self.construct_scope(index, s).unwrap_or(scope),
            };
            let at = todo.len();
            visit::stmt_children(ast, s, &mut |child, _| todo.push((inner, child)));
            todo[at..].reverse();
        }
    }
}

impl Declare<'_, '_> {
    /// The constructs of a unit that declare names.
    pub fn constructs(&mut self, scope: ScopeId, unit: UnitId) {
        let ast = self.ast(scope);
        let mut todo: Vec<(ScopeId, StmtId)> =
            ast.block(ast.units[unit].body).iter().rev().map(|&s| (scope, s)).collect();
        while let Some((scope, s)) = todo.pop() {
            let inner = match &ast.stmt(s).kind {
                StmtKind::Block(c) => {
                    let inner = self.enter_construct(scope, s);
                    self.block_specification(inner, &c.spec);
                    inner
                }
                StmtKind::Associate(c) => {
                    let inner = self.enter_construct(scope, s);
                    for &(name, _) in &c.associations {
                        let text = self.text(inner, name);
                        if let Some(first) = self.decls.lookup_local(inner, text) {
                            self.twice(first, name.span, "is associated twice");
                            continue;
                        }
                        let mut symbol = Symbol::new(text, name.span, inner);
                        symbol.kind = SymbolKind::Variable;
                        symbol.attrs.associate = true;
                        self.decls.enter(symbol);
                    }
                    inner
                }
                StmtKind::Do(c) => match &c.control {
                    DoControl::Concurrent(h) => self.typed_indices(scope, s, h),
                    _ => scope,
                },
                StmtKind::Forall(c) => self.typed_indices(scope, s, &c.header),
                StmtKind::ForallStmt { header, .. } => self.typed_indices(scope, s, header),
                _ => scope,
            };
            let at = todo.len();
            visit::stmt_children(ast, s, &mut |child, _| todo.push((inner, child)));
            todo[at..].reverse();
        }
    }

    fn enter_construct(&mut self, outer: ScopeId, s: StmtId) -> ScopeId {
        let data = &self.decls.scopes[outer];
        let mut scope = Scope::new(ScopeKind::Construct, Some(outer), data.ast);
        scope.implicit = data.implicit.clone();
        scope.implicit_none = data.implicit_none;
        let index = data.ast;
        scope.construct = Some(s);
        let scope = self.decls.scopes.push(scope);
        self.decls.construct_scopes[index].insert(s, scope);
        scope
    }

    /// The indices of a header with a type: `(integer :: i = 1:n)`.
    fn typed_indices(&mut self, scope: ScopeId, s: StmtId, header: &ForallHeader) -> ScopeId {
        let Some(spec) = &header.ty else { return scope };
        let inner = self.enter_construct(scope, s);
        let Some((ty, len)) = self.type_spec(scope, spec) else { return inner };
        for t in &header.triplets {
            if let Some(id) = self.declared(inner, t.index) {
                self.set_type(id, ty, len, t.index.span);
                self.decls.symbols[id].kind = SymbolKind::Variable;
                self.decls.symbols[id].attrs.associate = true;
            }
        }
        inner
    }

    fn block_specification(&mut self, scope: ScopeId, spec: &[StmtId]) {
        let ast = self.ast(scope);
        let renames = crate::declare::modules::renames(ast, spec);
        for &s in spec {
            let stmt = ast.stmt(s);
            match &stmt.kind {
                StmtKind::Use(u) => crate::declare::modules::import(self, scope, u, &renames),
                StmtKind::Common(_) => self.error("T0263", stmt.span, "A BLOCK has no COMMON"),
                StmtKind::Equivalence(_) => self.error("T0263", stmt.span, "A BLOCK has no EQUIVALENCE"),
                StmtKind::Namelist(_) => self.error("T0263", stmt.span, "A BLOCK has no NAMELIST"),
                StmtKind::Implicit(_) | StmtKind::ImplicitNone { .. } => {
                    self.error("T0263", stmt.span, "A BLOCK has no IMPLICIT");
                }
                _ => {}
            }
        }
        for &s in spec {
            let kind = &ast.stmt(s).kind;
            if !matches!(
                kind,
                StmtKind::Common(_)
                    | StmtKind::Equivalence(_)
                    | StmtKind::Namelist(_)
                    | StmtKind::Implicit(_)
                    | StmtKind::ImplicitNone { .. }
            ) {
                self.statement(scope, s);
            }
        }
    }
}
