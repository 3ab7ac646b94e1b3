//! Modules: the order of declaration, USE, PUBLIC and PRIVATE.

use crate::declare::Declare;
use crate::scope::symbol::{Home, Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId, ScopeKind};
use crate::types::structure::StructureId;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_syntax::ast::{Ast, GenericSpec, Ident, StmtId, StmtKind, UnitId, UnitKind, Use, UseItem};

/// A unit: the index of its AST, its id there.
type At = (usize, UnitId);

/// All top-level units, in an order where each module stands before the units that use it.
pub fn order(decls: &Declarations<'_>, diags: &mut Diagnostics) -> Vec<At> {
    let mut modules: FxHashMap<&str, At> = FxHashMap::default();
    for (index, ast) in decls.asts.iter().enumerate() {
        for &id in &ast.program {
            if let (UnitKind::Module, Some(name)) = (ast.units[id].kind, ast.units[id].name) {
                modules.entry(ast.name(name.name)).or_insert((index, id));
            }
        }
    }
    let in_blocks: Vec<Vec<Ident>> = decls.asts.iter().map(used_in_blocks).collect();
    let needed = |(index, id): At| uses(&decls.asts[index], id, &in_blocks[index]);
    let mut done: FxHashSet<At> = FxHashSet::default();
    let mut out = Vec::new();
    for (index, ast) in decls.asts.iter().enumerate() {
        for &id in &ast.program {
            visit(decls.asts, &modules, &needed, (index, id), &mut done, &mut out, diags);
        }
    }
    out
}

/// Depth first over the uses, with a stack of its own: a chain of modules may be as long as the file.
fn visit(
    asts: &[Ast],
    modules: &FxHashMap<&str, At>,
    needed_by: &dyn Fn(At) -> Vec<Ident>,
    start: At,
    done: &mut FxHashSet<At>,
    out: &mut Vec<At>,
    diags: &mut Diagnostics,
) {
    if !done.insert(start) {
        return;
    }
    let mut open: FxHashSet<At> = FxHashSet::from_iter([start]);
    let mut stack = vec![(start, needed_by(start), 0usize)];
    while let Some((at, needed, next)) = stack.last_mut() {
        let (at, here) = (*at, *next);
        let Some(&ident) = needed.get(here) else {
            open.remove(&at);
            out.push(at);
            stack.pop();
            continue;
        };
        *next += 1;
        let ast = &asts[at.0];
        let Some(&module) = modules.get(ast.name(ident.name)) else { continue };
        // In one file a module stands above its users, as every compiler has it.
        if module.0 == at.0 && module.1 > at.1 && !open.contains(&module) {
            let message = format!("The module '{}' is used before it is defined", ast.name(ident.name));
            let name = ast.units[module.1].name.map_or(ident.span, |n| n.span);
            diags.push(Diagnostic::error("T0246", ident.span, message).because(name, "defined here"));
        }
        if open.contains(&module) {
            let message = format!("The module '{}' uses itself", ast.name(ident.name));
            diags.push(
                Diagnostic::error("T0240", ident.span, message).note("modules that USE each other have no order"),
            );
        } else if done.insert(module) {
            open.insert(module);
            stack.push((module, needed_by(module), 0));
        }
    }
}

/// The modules that BLOCK constructs of the file use.
fn used_in_blocks(ast: &Ast) -> Vec<Ident> {
    let blocks = ast.stmts.values().filter_map(|s| match &s.kind {
        StmtKind::Block(block) => Some(&block.spec),
        _ => None,
    });
    let uses = blocks.flatten().filter_map(|&s| match &ast.stmt(s).kind {
        StmtKind::Use(u) => Some(u.module),
        _ => None,
    });
    uses.collect()
}

/// The modules that a unit, its contained procedures, its interface bodies and its BLOCK constructs use, each kind in source order.
fn uses(ast: &Ast, id: UnitId, in_blocks: &[Ident]) -> Vec<Ident> {
    let whole = ast.units[id].span;
    let is_inside = |at: Span| at.file != whole.file || (whole.start..=whole.end).contains(&at.start);
    let mut out: Vec<Ident> = in_blocks.iter().filter(|module| is_inside(module.span)).copied().collect();
    let mut todo = vec![id];
    while let Some(id) = todo.pop() {
        let unit = &ast.units[id];
        for &s in &unit.spec {
            match &ast.stmt(s).kind {
                StmtKind::Use(u) => out.push(u.module),
                StmtKind::Interface(i) => todo.extend(&i.bodies),
                _ => {}
            }
        }
        todo.extend(unit.contained.iter().rev());
    }
    out
}

/// The names of modules that some USE among these statements renames: no other USE there makes them visible as they are
/// (Fortran 2003, 11.2.1).
pub type Renames = FxHashMap<String, FxHashSet<String>>;

/// Collects them.
pub fn renames(ast: &Ast, spec: &[StmtId]) -> Renames {
    let mut out = Renames::default();
    for &s in spec {
        let StmtKind::Use(u) = &ast.stmt(s).kind else { continue };
        for item in u.items.iter().filter(|i| i.local.is_some()) {
            let module = ast.name(u.module.name).to_owned();
            out.entry(module).or_default().insert(rename(ast, item).1.text);
        }
    }
    out
}

/// USE
pub fn import(d: &mut Declare<'_, '_>, scope: ScopeId, u: &Use, renames: &Renames) {
    let name = d.text(scope, u.module);
    // The intrinsic modules that are written in Fortran are there like those of a program.
    let is_text = |m: ScopeId| is_intrinsic_module(name) && d.ast(m).external;
    let own = find_module(d, name).filter(|&m| u.intrinsic != Some(true) || is_text(m));
    let found = own.or_else(|| match u.intrinsic {
        Some(false) => None,
        _ => crate::declare::intrinsic_modules::module(d, name, u.module.span),
    });
    let Some(module) = found else {
        missing_module(d, name, u);
        d.decls.scopes[scope].lacks_module = true;
        return;
    };
    let items: Vec<(Named, Named)> = u.items.iter().map(|item| rename(d.ast(scope), item)).collect();
    if u.only {
        for (local, name) in items {
            import_one(d, scope, module, &local, &name);
        }
        return;
    }
    let exported = exports(&d.decls, module);
    let renamed = renames.get(name);
    for (text, id) in &exported {
        if renamed.is_none_or(|r| !r.contains(&**text)) {
            enter(d, scope, text, *id);
        }
    }
    for (local, name) in &items {
        import_one(d, scope, module, local, name);
    }
}

fn find_module(d: &Declare<'_, '_>, name: &str) -> Option<ScopeId> {
    match d.decls.symbols[d.decls.lookup_global(name)?].kind {
        SymbolKind::Module(scope) => Some(scope),
        _ => None,
    }
}

/// Whether the language defines a module of that name.
pub fn is_intrinsic_module(name: &str) -> bool {
    ["iso_fortran_env", "iso_c_binding", "ieee_functions", "ieee_arithmetic", "ieee_exceptions", "ieee_features"]
        .contains(&name)
}

fn missing_module(d: &mut Declare<'_, '_>, name: &str, u: &Use) {
    let modules: Vec<&str> =
        d.decls.symbols.values().filter(|s| matches!(s.kind, SymbolKind::Module(_))).map(|s| s.name.as_str()).collect();
    let close = crate::scope::nearest::closest(name, modules.into_iter()).map(str::to_owned);
    let mut diag = Diagnostic::error("T0241", u.module.span, format!("There is no module '{name}'"));
    diag = match close {
        Some(close) => diag.help(format!("Did you mean '{close}'?")),
        None => diag.help("Name the file that defines it on the command line, or compile that first and say with -I where its module file is"),
    };
    d.diags.push(diag);
}

/// A name in the source: an identifier, or the name for an operator or the assignment.
#[derive(Clone)]
struct Named {
    text: String,
    span: trueline_diag::Span,
}

/// The local name and the name in the module.
fn rename(ast: &Ast, item: &UseItem) -> (Named, Named) {
    let named = |spec: GenericSpec| {
        let (text, span) = crate::scope::operators::generic_name(ast, spec);
        Named { text, span }
    };
    let name = named(item.name);
    (item.local.map_or_else(|| name.clone(), named), name)
}

/// The public names of a module, in the order of declaration.
fn exports(decls: &Declarations<'_>, module: ScopeId) -> Vec<(Box<str>, SymbolId)> {
    let scope = &decls.scopes[module];
    let own = scope.own.iter().map(|&id| (Box::<str>::from(decls.symbols[id].name.as_str()), id));
    let visible =
        |name: &str, id: SymbolId| decls.lookup_local(module, name) == Some(id) && !scope.hidden.contains(name);
    own.chain(scope.used.iter().cloned()).filter(|(name, id)| visible(name, *id)).collect()
}

fn import_one(d: &mut Declare<'_, '_>, scope: ScopeId, module: ScopeId, local: &Named, name: &Named) {
    let text = name.text.as_str();
    let visible = d.decls.lookup_local(module, text).filter(|_| !d.decls.scopes[module].hidden.contains(text));
    if let Some(id) = visible {
        enter(d, scope, &local.text, id);
        return;
    }
    let module_name = d.decls.scopes[module].symbol.map_or(String::new(), |m| d.decls.symbols[m].name.clone());
    let hidden = d.decls.lookup_local(module, text);
    let mut diag = match hidden {
        Some(id) => Diagnostic::error("T0242", name.span, format!("'{text}' is PRIVATE in the module '{module_name}'"))
            .because(d.decls.symbols[id].span, "declared here"),
        None => Diagnostic::error("T0243", name.span, format!("The module '{module_name}' has no '{text}'")),
    };
    if !d.diags.is_full(name.span.file) {
        let exported = exports(&d.decls, module);
        if let Some(close) = crate::scope::nearest::closest(text, exported.iter().map(|e| &*e.0)) {
            diag = diag.help(format!("Did you mean '{close}'?"));
        }
    }
    d.diags.push(diag);
    // One message a name: uses of it are taken as they come.
    let mut symbol = Symbol::new(&local.text, local.span, scope);
    symbol.kind = SymbolKind::Error;
    if d.decls.lookup_local(scope, &symbol.name).is_none() {
        d.decls.enter(symbol);
    }
}

/// Makes a module's symbol visible as `name`. Two meanings of a name are an error only where it is used.
fn enter(d: &mut Declare<'_, '_>, scope: ScopeId, name: &str, id: SymbolId) {
    if let Some(own) = own_name(d, scope, name, id) {
        let (own, other) = (&d.decls.symbols[own], &d.decls.symbols[id]);
        let message = format!("'{name}' is the name of this procedure and cannot be imported by USE");
        d.diags.push(Diagnostic::error("T0203", own.span, message).because(other.span, "declared in the module"));
        return;
    }
    let known = d.decls.lookup_local(scope, name);
    match known {
        Some(first) if first == id => {}
        Some(first) => {
            let (a, b) = (&d.decls.symbols[first], &d.decls.symbols[id]);
            let both = [&a.kind, &b.kind].map(|k| matches!(k, SymbolKind::Generic(_)));
            if both == [true, true] {
                merge_generics(d, scope, name, first, id);
            } else if let Some((ty, makers)) = constructors(&a.kind, &b.kind) {
                let list = &mut d.decls.structures[ty].constructors;
                list.extend(makers.into_iter().filter(|m| !list.contains(m)).collect::<Vec<_>>());
                if !matches!(d.decls.symbols[first].kind, SymbolKind::DerivedType(_)) {
                    d.decls.set_name(scope, name, id);
                    d.decls.scopes[scope].used.retain(|u| *u.0 != *name);
                    d.decls.scopes[scope].used.push((name.into(), id));
                }
            } else if extends(&b.kind, first) {
                // A generic name with that procedure among its own.
                d.decls.set_name(scope, name, id);
                d.decls.scopes[scope].used.push((name.into(), id));
            } else if extends(&a.kind, id) {
            } else if d.decls.symbols[first].scope == scope && !matches!(a.home, Home::Dummy { .. }) {
                let span = d.decls.symbols[first].span;
                let diag = Diagnostic::error(
                    "T0203",
                    span,
                    format!("'{name}' is imported by USE and cannot be declared here"),
                );
                d.diags.push(diag.because(d.decls.symbols[id].span, "declared in the module"));
            } else {
                d.decls.scopes[scope].ambiguous.entry(name.into()).or_insert((first, id));
            }
        }
        None => {
            d.decls.set_name(scope, name, id);
            d.decls.scopes[scope].used.push((name.into(), id));
        }
    }
}

/// The procedure that `scope` is of, if `name` is its own and `id` another thing that is not generic.
fn own_name(d: &Declare<'_, '_>, scope: ScopeId, name: &str, id: SymbolId) -> Option<SymbolId> {
    let own = d.decls.scopes[scope].symbol.filter(|_| d.decls.scopes[scope].kind == ScopeKind::Procedure)?;
    let clashes = matches!(
        d.decls.symbols[id].kind,
        SymbolKind::Variable | SymbolKind::Parameter | SymbolKind::Procedure(_) | SymbolKind::Unknown
    );
    (own != id && clashes && d.decls.symbols[own].name == name).then_some(own)
}

/// A type, and a generic name that is the same: functions that make values of it.
fn constructors(a: &SymbolKind, b: &SymbolKind) -> Option<(StructureId, Vec<SymbolId>)> {
    match (a, b) {
        (SymbolKind::DerivedType(ty), SymbolKind::Generic(list)) => Some((*ty, list.clone())),
        (SymbolKind::Generic(list), SymbolKind::DerivedType(ty)) => Some((*ty, list.clone())),
        _ => None,
    }
}

/// Whether a generic name contains the procedure.
fn extends(kind: &SymbolKind, procedure: SymbolId) -> bool {
    matches!(kind, SymbolKind::Generic(list) if list.contains(&procedure))
}

/// Generic names of two modules are one generic name with the procedures of both.
fn merge_generics(d: &mut Declare<'_, '_>, scope: ScopeId, name: &str, a: SymbolId, b: SymbolId) {
    let list = |d: &Declare<'_, '_>, id: SymbolId| match &d.decls.symbols[id].kind {
        SymbolKind::Generic(list) => list.clone(),
        _ => Vec::new(),
    };
    let mut both = list(d, a);
    for id in list(d, b) {
        if !both.contains(&id) {
            both.push(id);
        }
    }
    let mut symbol = d.decls.symbols[a].clone();
    symbol.kind = SymbolKind::Generic(both);
    let id = d.decls.symbols.push(symbol);
    d.decls.set_name(scope, name, id);
    for slot in &mut d.decls.scopes[scope].used {
        if *slot.0 == *name {
            slot.1 = id;
        }
    }
}

/// Accessibility.
impl Declare<'_, '_> {
    /// PUBLIC and PRIVATE statements.
    pub fn access(&mut self, scope: ScopeId, public: bool, items: &[GenericSpec], span: Span) {
        let word = if public { "PUBLIC" } else { "PRIVATE" };
        if self.decls.scopes[scope].kind != ScopeKind::Module {
            return self.error("T0246", span, format!("{word} can stand in the declarations of a module only"));
        }
        if items.is_empty() {
            let data = &mut self.decls.scopes[scope];
            data.private = !public;
            if let Some(first) = data.default_access.replace(span) {
                let d = Diagnostic::error("T0246", span, format!("{word} without names follows another one"));
                self.diags.push(d.because(first, "given here"));
            }
        }
        for item in items {
            let (name, span) = crate::scope::operators::generic_name(self.ast(scope), *item);
            let listed = &mut self.decls.scopes[scope].access;
            if listed.insert(name.as_str().into(), (public, span)).is_some_and(|(first, _)| first != public) {
                self.error("T0244", span, format!("'{name}' is both PUBLIC and PRIVATE"));
            }
        }
    }

    /// Once a module is declared: which of its names are hidden from users.
    pub fn decide_access(&mut self, scope: ScopeId) {
        let data = &self.decls.scopes[scope];
        let listed: FxHashMap<Box<str>, _> = data.access.clone();
        let own = data.own.iter().map(|&id| (Box::<str>::from(self.decls.symbols[id].name.as_str()), id));
        let all: Vec<(Box<str>, SymbolId)> = own.chain(data.used.iter().cloned()).collect();
        let private = data.private;
        for (name, id) in all {
            let symbol = &self.decls.symbols[id];
            let here = symbol.scope == scope;
            let public = match listed.get(&name) {
                Some(&(public, _)) => public,
                None if here && symbol.attrs.private => false,
                None if here && symbol.attrs.public => true,
                None => !private,
            };
            if !public {
                self.decls.scopes[scope].hidden.insert(name);
            }
        }
        let mut unknown: Vec<(Box<str>, trueline_diag::Span)> = listed
            .into_iter()
            .filter(|(name, _)| self.decls.lookup_local(scope, name).is_none())
            .map(|(name, (_, span))| (name, span))
            .collect();
        unknown.sort_by_key(|u| u.1);
        for (name, span) in unknown {
            self.error("T0245", span, format!("'{name}' is not declared in this module"));
        }
    }
}
