//! BIND(C): the linker symbols of procedures and variables that C sees.

use crate::constant::eval::const_eval;
use crate::constant::{Const, Scalar};
use crate::declare::Declare;
use crate::scope::symbol::{SymbolId, SymbolKind};
use crate::scope::{ScopeId, ScopeKind};
use trueline_syntax::ast::{Ast, Bind, ExprKind, SaveItem, UnitId};

/// The binding label of the entity called `name`, if it is a literal or left to the default.
pub fn label(ast: &Ast, bind: Bind, name: &str) -> Option<String> {
    match bind.name {
        None => Some(name.to_owned()),
        Some(x) => match ast.expr(x).kind {
            ExprKind::Char { text, .. } => trimmed(ast.text(text)),
            _ => None,
        },
    }
}

/// A label without the blanks around it; an empty one leaves the usual symbol.
fn trimmed(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

impl Declare<'_, '_> {
    /// The label of a procedure, once its NAME= can be evaluated.
    pub fn bind_procedure(&mut self, scope: ScopeId, unit: UnitId) {
        let Some(bind) = self.ast(scope).units[unit].bind else { return };
        let Some(own) = self.decls.scopes[scope].symbol else { return };
        let outer = self.decls.scopes[scope].parent.unwrap_or(scope);
        let name = self.decls.symbols[own].name.clone();
        if let Some(label) = self.evaluated_label(outer, bind, &name)
            && let SymbolKind::Procedure(p) = &mut self.decls.symbols[own].kind
            && !p.linker.is_empty()
        {
            p.linker = label;
        }
    }

    fn evaluated_label(&mut self, scope: ScopeId, bind: Bind, name: &str) -> Option<String> {
        let Some(x) = bind.name else { return Some(name.to_owned()) };
        match const_eval(&self.decls, scope, x) {
            Ok(Const::Scalar(Scalar::Char(text))) => trimmed(&text),
            Ok(_) => {
                self.error("T0303", self.ast(scope).span(x), "NAME= must be a scalar CHARACTER constant");
                None
            }
            Err(why) => {
                self.unfolded(&why, "NAME=");
                None
            }
        }
    }

    /// BIND(C) of a variable.
    pub fn bind_variable(&mut self, scope: ScopeId, id: SymbolId, bind: Bind) {
        let symbol = &self.decls.symbols[id];
        if self.decls.scopes[scope].kind != ScopeKind::Module {
            let message = format!("BIND(C) is for variables of a module, and '{}' is none", symbol.name);
            self.error("T0261", bind.span, message);
            return;
        }
        let name = symbol.name.clone();
        self.decls.symbols[id].bind = self.evaluated_label(scope, bind, &name);
    }

    /// `BIND(C) :: names`
    pub fn bind_statement(&mut self, scope: ScopeId, bind: Bind, items: &[SaveItem]) {
        for item in items {
            match item {
                SaveItem::Name(ident) => {
                    if let Some(id) = self.declared(scope, *ident) {
                        self.bind_variable(scope, id, bind);
                    }
                }
                SaveItem::Common(ident) => {
                    let name = self.text(scope, *ident).to_owned();
                    if let Some(label) = self.evaluated_label(scope, bind, &name) {
                        self.decls.scopes[scope].common_labels.insert(name.into(), label);
                    }
                }
            }
        }
    }
}
