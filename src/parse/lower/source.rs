//! The source around the statement that is being lowered: its scope and file, the meaning of names there, types of
//! expressions, and the diagnostics about it.

use crate::Context;
use crate::emit::Emit;
use crate::values::{Hidden, refused};
use trueline_diag::Span;
use trueline_ir::Builder;
use trueline_provenance::Serial;
use trueline_sema::scope::ScopeId;
use trueline_sema::scope::nested::Nested;
use trueline_sema::scope::symbol::{Symbol, SymbolId, SymbolKind};
use trueline_sema::typed::call::Site;
use trueline_sema::typed::{Types, Typing};
use trueline_syntax::Name;
use trueline_syntax::ast::{Ast, Ident, StmtId};

/// The source around the statement that is being lowered, over the IR made of it.
pub(crate) struct Source<'a> {
    /// The IR being made.
    pub(crate) e: Emit<'a>,
    /// The whole compilation.
    pub(crate) cx: &'a Context<'a>,
    /// The scope that gives names their meaning.
    pub(crate) scope: ScopeId,
    /// The file of `scope`.
    pub(crate) ast: &'a Ast,
    /// The procedure's own scope, which `scope` is except inside declarations of others.
    pub(crate) home: ScopeId,
    /// Names that stand for values here.
    pub(crate) hidden: Hidden,
    /// The DO variables of the loops around, with the place of the DO.
    pub(crate) active: Nested<SymbolId, Span>,
    /// Statement functions being expanded, so that one that uses itself is found.
    pub(crate) expanding: Vec<SymbolId>,
    /// Types of expressions, found without lowering them.
    pub(crate) types: Types,
    /// The source statement being lowered.
    pub(crate) serial: Serial,
}

crate::builds_on!(Source<'a>, e: Emit<'a>);

impl<'a> Source<'a> {
    pub(crate) fn new(cx: &'a Context<'a>, scope: ScopeId, b: Builder, types: Types) -> Self {
        let serial = b.serial();
        Source {
            e: Emit::new(b, cx.map),
            cx,
            scope,
            ast: cx.decls.ast(scope),
            home: scope,
            hidden: Hidden::default(),
            active: Nested::default(),
            expanding: Vec::new(),
            types,
            serial,
        }
    }

    /// From now on statements stand for `serial`, which begins at `span`.
    pub(crate) fn set_source_at(&mut self, serial: Serial, span: Span) {
        self.serial = serial;
        self.e.set_source(serial, span, self.cx.serials.regions_around(serial));
    }

    /// From now on statements stand for the AST statement `s`, if it is one of its own.
    pub(crate) fn set_source_stmt(&mut self, s: StmtId) {
        let index = self.cx.decls.scopes[self.home].ast;
        let serial = self.cx.serials.of_stmt(index, s).unwrap_or(self.serial);
        self.set_source_at(serial, self.ast.stmt(s).span);
    }

    /// The question for actual arguments and variables that stand here.
    pub(crate) fn site(&mut self) -> Site<'_, 'a> {
        let function = self.expanding.last().copied();
        Site {
            decls: self.cx.decls,
            ast: self.ast,
            home: self.home,
            values: self.hidden.names(),
            active: &self.active,
            typing: Typing::new(self.cx.decls, self.scope, function, &mut self.types),
        }
    }

    /// The symbol of a name where it is visible: in the body of a statement function first its arguments,
    /// then the names of the scope. An intrinsic's name that nobody declares has none.
    pub(crate) fn resolve(&self, name: Name) -> Option<SymbolId> {
        if let Some(&function) = self.expanding.last()
            && let SymbolKind::StatementFunction { dummies, .. } = &self.symbol(function).kind
            && let Some(&dummy) = dummies.iter().find(|&&d| self.symbol(d).name == self.ast.name(name))
        {
            return Some(dummy);
        }
        self.cx.decls.visible(self.scope, name)
    }

    /// The symbol of a name that is none of an intrinsic; the declarations know every name that the source mentions.
    pub(crate) fn resolve_at(&self, name: Name) -> SymbolId {
        match self.resolve(name) {
            Some(id) if self.cx.decls.symbols[id].kind == SymbolKind::Error => refused(),
            Some(id) => id,
            None => refused(),
        }
    }

    /// The question for types of expressions that stand here.
    pub(crate) fn typing(&mut self) -> Typing<'_, 'a> {
        let function = self.expanding.last().copied();
        Typing::new(self.cx.decls, self.scope, function, &mut self.types)
    }

    /// A symbol of the declarations.
    pub(crate) fn symbol(&self, id: SymbolId) -> &'a Symbol {
        &self.cx.decls.symbols[id]
    }

    /// The spelling of an identifier.
    pub(crate) fn text_of_ident(&self, ident: Ident) -> &'a str {
        self.ast.name(ident.name)
    }
}
