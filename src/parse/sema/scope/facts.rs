//! Facts on procedures before any is lowered: the symbols that they mention, their calls, and whether they return.
//!
//! Lambda lifting needs to know, before the first call is lowered, which host variables an internal
//! procedure reaches, itself or through others; calls need to know whether they return.

use crate::scope::symbol::{Home, ProcedureClass, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId};
use crate::visit;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};
use trueline_syntax::Name;
use trueline_syntax::ast::{Ast, ExprId, ExprKind, StmtKind, UnitId};

/// The facts on all procedures of a compilation.
#[derive(Default)]
pub struct Facts {
    scopes: SecondaryMap<ScopeId, ScopeFacts>,
}

/// The facts on one procedure.
#[derive(Clone, Default)]
struct ScopeFacts {
    /// Symbols that its statements mention, and the same in the order of first mention.
    mentions: FxHashSet<SymbolId>,
    mentioned: Vec<SymbolId>,
    /// Procedures that it calls or passes on, in the order of mention.
    calls: Vec<SymbolId>,
    /// Host variables it reaches, itself or through its siblings, in a fixed order.
    captured: Vec<SymbolId>,
    /// A POINTER here may be another name of a POINTER that is reached otherwise: the procedure or its host has one as dummy argument.
    names_pointers: bool,
    /// STOP, input/output, or a call that is not known.
    may_not_return: bool,
}

impl Facts {
    /// Looks through every procedure of the compilation.
    pub fn of(decls: &Declarations<'_>) -> Facts {
        let mut facts = Facts::default();
        for (index, ast) in decls.asts.iter().enumerate() {
            for (id, _) in ast.units.iter() {
                if let Some(scope) = decls.unit_scope(index, id) {
                    facts.scopes[scope] = scan(decls, ast, scope, id);
                    facts.scopes[scope].may_not_return |= ast.external;
                }
            }
        }
        facts.close_captures(decls);
        facts.find_pointers(decls);
        facts.close_returns(decls);
        facts
    }

    /// The symbols that the procedure mentions, in the order of first mention.
    pub fn mentioned(&self, scope: ScopeId) -> &[SymbolId] {
        &self.scopes[scope].mentioned
    }

    /// The host variables that an internal procedure gets as further arguments.
    pub fn captured(&self, scope: ScopeId) -> &[SymbolId] {
        &self.scopes[scope].captured
    }

    /// Whether a POINTER here may be another name of a POINTER that is reached otherwise.
    pub fn names_pointers(&self, scope: ScopeId) -> bool {
        self.scopes[scope].names_pointers
    }

    /// Whether an internal procedure of `scope` reaches the variable.
    pub fn is_captured(&self, decls: &Declarations<'_>, scope: ScopeId, id: SymbolId) -> bool {
        decls.scopes[scope].children.iter().any(|&child| self.scopes[child].captured.contains(&id))
    }

    /// Whether a call of the procedure surely comes back.
    pub fn always_returns(&self, scope: ScopeId) -> bool {
        !self.scopes[scope].may_not_return
    }

    /// Adds to each internal procedure the host variables of the siblings that it calls.
    fn close_captures(&mut self, decls: &Declarations<'_>) {
        for data in decls.scopes.values() {
            let children = &data.children;
            let mut changed = !children.is_empty();
            while changed {
                changed = false;
                for &child in children {
                    for callee in self.scopes[child].calls.clone() {
                        let callee = callee_scope(decls, callee);
                        if let Some(callee) = callee.filter(|c| *c != child && children.contains(c)) {
                            changed |= self.inherit(child, callee);
                        }
                    }
                }
            }
        }
    }

    /// The status of association of a POINTER dummy argument may change by its other names (Fortran 2018, 15.5.2.13).
    fn find_pointers(&mut self, decls: &Declarations<'_>) {
        for (id, s) in decls.symbols.iter() {
            if s.attrs.pointer && matches!(s.home, Home::Dummy { .. }) {
                self.scopes[s.scope].names_pointers = true;
                for &child in &decls.scopes[s.scope].children {
                    self.scopes[child].names_pointers |= self.scopes[child].captured.contains(&id);
                }
            }
        }
    }

    fn inherit(&mut self, child: ScopeId, callee: ScopeId) -> bool {
        let from = self.scopes[callee].clone();
        let to = &mut self.scopes[child];
        let before = to.captured.len();
        for s in from.captured {
            if !to.captured.contains(&s) {
                to.captured.push(s);
            }
        }
        before != to.captured.len()
    }

    /// Marks the callers of procedures that may not return. A worklist over callers keeps it linear.
    fn close_returns(&mut self, decls: &Declarations<'_>) {
        let mut callers: SecondaryMap<ScopeId, Vec<ScopeId>> = SecondaryMap::new();
        let mut todo = Vec::new();
        for scope in decls.scopes.keys() {
            for &callee in &self.scopes[scope].calls.clone() {
                match callee_scope(decls, callee).filter(|&c| decls.scopes[c].unit.is_some()) {
                    Some(callee) => callers[callee].push(scope),
                    None => self.scopes[scope].may_not_return = true,
                }
            }
            if self.scopes[scope].may_not_return {
                todo.push(scope);
            }
        }
        while let Some(scope) = todo.pop() {
            for &caller in &callers[scope] {
                if !std::mem::replace(&mut self.scopes[caller].may_not_return, true) {
                    todo.push(caller);
                }
            }
        }
    }
}

/// The scope that defines a procedure.
pub fn callee_scope(decls: &Declarations<'_>, callee: SymbolId) -> Option<ScopeId> {
    decls.symbols[callee].procedure()?.scope
}

fn scan(decls: &Declarations<'_>, ast: &Ast, scope: ScopeId, unit: UnitId) -> ScopeFacts {
    let mut facts = ScopeFacts { captured: decls.scopes[scope].captured.clone(), ..ScopeFacts::default() };
    let mut scopes = vec![scope];
    decls.scoped_statements(scope, ast.units[unit].body, &mut |scope, s| {
        scopes.extend(decls.construct_scope(decls.scopes[scope].ast, s));
        match &ast.stmt(s).kind {
            StmtKind::Stop { .. } | StmtKind::Pause(_) | StmtKind::Io(_) => facts.may_not_return = true,
            StmtKind::Do(d) => {
                if let trueline_syntax::ast::DoControl::Count { var, .. } = &d.control {
                    mention_name(decls, scope, var.name, &mut facts);
                }
            }
            StmtKind::Assign { .. } if decls.has_operators => {
                mention(decls, scope, crate::scope::operators::ASSIGNMENT, &mut facts);
            }
            _ => {}
        }
        visit::stmt_exprs(ast, s, &mut |x| expression(decls, ast, scope, x, &mut facts));
    });
    scopes.into_iter().for_each(|scope| specification(decls, ast, scope, &mut facts));
    facts
}

/// Bounds and lengths mention variables too.
fn specification(decls: &Declarations<'_>, ast: &Ast, scope: ScopeId, facts: &mut ScopeFacts) {
    for &own in &decls.scopes[scope].own {
        decls.symbols[own].computed_extents().for_each(|x| expression(decls, ast, scope, x, facts));
    }
}

fn expression(decls: &Declarations<'_>, ast: &Ast, scope: ScopeId, x: ExprId, facts: &mut ScopeFacts) {
    // Bodies of statement functions, which may use each other in a long chain, are a list to work off.
    let mut todo: SmallVec<[(&Ast, ScopeId, ExprId); 4]> = smallvec![(ast, scope, x)];
    while let Some((ast, scope, x)) = todo.pop() {
        visit::expressions(ast, x, &mut |x| {
            let name = match &ast.expr(x).kind {
                ExprKind::Name(name) => *name,
                ExprKind::ImpliedDo(d) => d.var.name,
                ExprKind::Component { name, .. } => {
                    let text = ast.name(*name);
                    let calls = |s: &crate::types::structure::Structure| {
                        s.components.iter().any(|c| c.interface.is_some() && c.name == text)
                    };
                    facts.may_not_return |= decls.structures.values().any(calls);
                    return;
                }
                kind @ (ExprKind::Binary { .. } | ExprKind::Unary { .. }) if decls.has_operators => {
                    if let Some(name) = crate::scope::operators::of_expression(ast, kind) {
                        mention(decls, scope, &name, facts);
                    }
                    return;
                }
                _ => return,
            };
            if let Some((owner, body)) = mention_name(decls, scope, name, facts) {
                todo.push((decls.ast(owner), owner, body));
            }
        });
    }
}

/// Gives the body of a statement function that is mentioned for the first time.
fn mention(decls: &Declarations<'_>, scope: ScopeId, name: &str, facts: &mut ScopeFacts) -> Option<(ScopeId, ExprId)> {
    let id = decls.lookup(scope, name).or_else(|| decls.lookup_global(name))?;
    mention_symbol(decls, id, name, facts)
}

/// The same for a name of the file of `scope`.
fn mention_name(
    decls: &Declarations<'_>,
    scope: ScopeId,
    name: Name,
    facts: &mut ScopeFacts,
) -> Option<(ScopeId, ExprId)> {
    let text = decls.ast(scope).name(name);
    let id = decls.named(scope, name).or_else(|| decls.lookup_global(text))?;
    mention_symbol(decls, id, text, facts)
}

fn mention_symbol(
    decls: &Declarations<'_>,
    id: SymbolId,
    name: &str,
    facts: &mut ScopeFacts,
) -> Option<(ScopeId, ExprId)> {
    if !facts.mentions.insert(id) {
        return None;
    }
    facts.mentioned.push(id);
    let symbol = &decls.symbols[id];
    if let Some(pointer) = symbol.cray_pointer.filter(|&p| facts.mentions.insert(p)) {
        facts.mentioned.push(pointer);
    }
    match &symbol.kind {
        SymbolKind::Procedure(p) if p.class == ProcedureClass::Intrinsic => {
            facts.may_not_return |= matches!(name, "exit" | "abort");
        }
        SymbolKind::Procedure(p) if p.class == ProcedureClass::Dummy => facts.may_not_return = true,
        SymbolKind::Procedure(_) => facts.calls.push(id),
        SymbolKind::Generic(specifics) => facts.calls.extend(specifics),
        SymbolKind::DerivedType(id) => facts.calls.extend(&decls.structures[*id].constructors),
        SymbolKind::Unknown => facts.may_not_return = true,
        // It may call any procedure.
        SymbolKind::Variable if symbol.interface.is_some() => facts.may_not_return = true,
        SymbolKind::StatementFunction { body, .. } => return Some((symbol.scope, *body)),
        _ => {}
    }
    None
}
