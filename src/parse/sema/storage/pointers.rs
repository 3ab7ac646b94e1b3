//! Pointers that point to something from the start: `integer, pointer :: p(:) => t(2:8:2)`.
//!
//! The descriptor is laid down in static memory, the address in it as one that the linker fills in.

use crate::constant::eval::Evaluator;
use crate::scope::symbol::{Extent, Home, Procedure, ProcedureClass, StaticData, StaticId, Symbol, SymbolId};
use crate::scope::{Declarations, ScopeId};
use crate::storage::data::{Located, locate};
use crate::types::kinds::type_number;
use crate::types::structure::{Address, Component, StructureId, descriptor_size};
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_ir::Type;
use trueline_syntax::ast::{Ast, ExprId, ExprKind, Ident};

/// Words of a descriptor: offsets and values.
type Content = Vec<(i64, i64)>;

/// Whether `x` is `NULL()`.
pub fn is_null(ast: &Ast, x: ExprId) -> bool {
    let ExprKind::Call { base, .. } = ast.expr(x).kind else { return false };
    matches!(ast.expr(base).kind, ExprKind::Name(name) if ast.name(name) == "null")
}

/// `=> target` in the declaration of the pointer `name`.
pub fn declared_target(decls: &mut Declarations<'_>, scope: ScopeId, name: &str, x: ExprId, diags: &mut Diagnostics) {
    let ast = decls.ast(scope);
    let Some(id) = decls.lookup_local(scope, name).filter(|_| !is_null(ast, x)) else { return };
    let symbol = &decls.symbols[id];
    let (true, Home::Static { area, offset }) = (symbol.attrs.pointer && symbol.scope == scope, symbol.home) else {
        return;
    };
    let symbol_is_deferred = symbol.len == Extent::Deferred && symbol.is_character();
    let pointer =
        Pointer { name, ty: symbol.ty, structure: symbol.structure, rank: symbol.rank(), deferred: symbol_is_deferred };
    let Some((memory, start, target, content)) = target_of(decls, scope, &pointer, (x, symbol.span), diags) else {
        return;
    };
    let owner = decls.unit_around(scope);
    let length = decls.lengths.get(&area).copied();
    if let (Some(length), true) = (length, symbol_is_deferred) {
        decls.statics[length].init = target.size.to_le_bytes().to_vec();
        decls.statics[length].owner = owner;
    }
    let data = content_of(decls, scope, area);
    for (k, word) in content {
        put(&mut data.init, offset as i64 + k, &word.to_le_bytes());
    }
    data.addresses.push((offset, memory, start));
}

/// Static memory that gets an initial content.
fn content_of<'d>(decls: &'d mut Declarations<'_>, scope: ScopeId, area: StaticId) -> &'d mut StaticData {
    let owner = decls.unit_around(scope);
    let data = &mut decls.statics[area];
    if data.init.is_empty() {
        data.init = vec![0; data.size as usize];
        data.owner = owner;
    }
    data
}

/// A component and where in the variable it stands; none of a variable itself.
type PointerComponent = Option<(Box<Component>, i64)>;

/// A pointer: its variable, and the component that it is.
type PointerPlace = (SymbolId, PointerComponent);

/// A pointer that DATA gives a target: a variable or a component of one.
pub struct PointerItem {
    pub symbol: SymbolId,
    /// The component and where in the variable it stands.
    pub component: PointerComponent,
    /// The target.
    pub value: ExprId,
}

/// The pointer that `x` is: its variable, and the component with its offset if it is one.
pub fn pointer_at(ev: &mut Evaluator<'_, '_>, x: ExprId) -> Option<PointerPlace> {
    match ev.ast.expr(x).kind {
        ExprKind::Name(name) => {
            let id = ev.decls.named(ev.scope, name)?;
            let s = &ev.decls.symbols[id];
            let is_own = s.scope == ev.scope && matches!(s.home, Home::Static { .. });
            (is_own && (s.attrs.pointer || s.interface.is_some())).then_some((id, None))
        }
        ExprKind::Component { base, name } => {
            let outer = locate(ev, base).ok().filter(|l| l.steps.is_empty())?;
            let structure = outer.what(ev.decls).structure.map(|id| &ev.decls.structures[id])?;
            let c = &structure.components[structure.find(ev.ast.name(name))?];
            let symbol = &ev.decls.symbols[outer.symbol];
            let is_own = symbol.scope == ev.scope && matches!(symbol.home, Home::Static { .. });
            (is_own && (c.pointer || c.interface.is_some()))
                .then(|| (outer.symbol, Some((Box::new(c.clone()), outer.offset + c.offset))))
        }
        _ => None,
    }
}

/// `DATA p /t/`, `DATA a%p /t(2)/`.
pub fn data_pointer(decls: &mut Declarations<'_>, scope: ScopeId, item: &PointerItem, diags: &mut Diagnostics) {
    let symbol = &decls.symbols[item.symbol];
    let Home::Static { area, offset } = symbol.home else { return };
    let interface = item.component.as_ref().map_or(symbol.interface, |(c, _)| c.interface);
    let at = offset as i64 + item.component.as_ref().map_or(0, |c| c.1);
    if let Some(interface) = interface {
        let Some(linker) = procedure_target(decls, scope, interface, item.value, diags) else { return };
        content_of(decls, scope, area).procedures.push((at as u64, linker));
        return;
    }
    let Some((c, _)) = &item.component else {
        let name = symbol.name.clone();
        return declared_target(decls, scope, &name, item.value, diags);
    };
    let deferred = c.len == Extent::Deferred && c.structure.is_none() && c.ty == Type::Char;
    let pointer = Pointer { name: &c.name, ty: Some(c.ty), structure: c.structure, rank: c.shape.len(), deferred };
    let declared = (item.value, c.span);
    let Some((memory, start, target, content)) = target_of(decls, scope, &pointer, declared, diags) else { return };
    let data = content_of(decls, scope, area);
    for (k, word) in content {
        // The length stands elsewhere.
        if k < descriptor_size(c.shape.len()) {
            put(&mut data.init, at + k, &word.to_le_bytes());
        }
    }
    if let Some(length) = c.len_offset {
        put(&mut data.init, at - c.offset + length, &target.size.to_le_bytes());
    }
    data.addresses.push((at as u64, memory, start));
}

/// The properties of a pointer that has a target.
struct Pointer<'a> {
    name: &'a str,
    ty: Option<Type>,
    structure: Option<StructureId>,
    rank: usize,
    /// CHARACTER of deferred length.
    deferred: bool,
}

/// The memory and offset of the target `x`, its properties, and the content of a descriptor; none after an error, which is
/// reported.
fn target_of(
    decls: &Declarations<'_>,
    scope: ScopeId,
    pointer: &Pointer<'_>,
    (x, declared): (ExprId, Span),
    diags: &mut Diagnostics,
) -> Option<(StaticId, i64, Located, Content)> {
    let ast = decls.ast(scope);
    let span = ast.span(x);
    let mut ev = Evaluator::new(decls, scope);
    let target = match locate(&mut ev, x) {
        Ok(target) => target,
        Err(why) => {
            why.report("The target").into_iter().for_each(|d| diags.push(d));
            return None;
        }
    };
    let of = &decls.symbols[target.symbol];
    let Home::Static { area: memory, offset: start } = of.home else {
        diags.push(not_a_target(of, span, "it is not in memory that is there from the start"));
        return None;
    };
    if !of.attrs.target {
        diags.push(not_a_target(of, span, "it has not the attribute TARGET"));
        return None;
    }
    let what = target.what(decls);
    if (what.ty, what.structure, target.steps.len()) != (pointer.ty, pointer.structure, pointer.rank) {
        let message = format!("The pointer '{}' and '{}' differ in type or rank", pointer.name, what.name);
        diags.push(Diagnostic::error("T0671", span, message).because(declared, "declared here"));
        return None;
    }
    let whole = matches!(ast.expr(x).kind, ExprKind::Name(_));
    let content = content(pointer.deferred, &target, what, whole);
    Some((memory, start as i64 + target.offset, target, content))
}

/// Finds the targets that components have by default, also in structures that hold such components; inner types come before
/// types that hold them.
pub fn default_targets(decls: &mut Declarations<'_>, diags: &mut Diagnostics) {
    let all: Vec<StructureId> = decls.structures.iter().filter(|(_, s)| s.has_targets).map(|(id, _)| id).collect();
    for id in all {
        let mut bytes = decls.structures[id].initial.clone().unwrap_or_default();
        let mut addresses = Vec::new();
        for c in &decls.structures[id].components {
            let inner = c.structure.filter(|_| !c.is_indirect()).map(|s| &decls.structures[s]);
            match (c.target, inner.filter(|s| s.has_targets)) {
                (Some(x), _) => component_target(decls, id, c, x, (&mut bytes, &mut addresses), diags),
                (None, Some(inner)) => {
                    let one = inner.initial.clone().unwrap_or_default();
                    put(&mut bytes, c.offset, &crate::types::structure::repeated(&one, c.count()));
                    for k in 0..c.count() {
                        let at = (c.offset + k * inner.size) as u64;
                        addresses.extend(inner.addresses.iter().map(|(o, of)| (at + o, of.clone())));
                    }
                }
                (None, None) => {}
            }
        }
        let s = &mut decls.structures[id];
        s.addresses = addresses;
        s.initial = s.initial.is_some().then_some(bytes);
    }
}

fn component_target(
    decls: &Declarations<'_>,
    id: StructureId,
    c: &Component,
    x: ExprId,
    (bytes, addresses): (&mut Vec<u8>, &mut Vec<(u64, Address)>),
    diags: &mut Diagnostics,
) {
    let scope = decls.structures[id].scope;
    if let Some(interface) = c.interface {
        let linker = procedure_target(decls, scope, interface, x, diags);
        addresses.extend(linker.map(|linker| (c.offset as u64, Address::Procedure(linker))));
        return;
    }
    let deferred = c.len == Extent::Deferred && c.structure.is_none() && c.ty == Type::Char;
    let pointer = Pointer { name: &c.name, ty: Some(c.ty), structure: c.structure, rank: c.shape.len(), deferred };
    let Some((memory, start, target, content)) = target_of(decls, scope, &pointer, (x, c.span), diags) else { return };
    for (at, word) in content {
        // The length stands elsewhere.
        if at < descriptor_size(c.shape.len()) {
            put(bytes, c.offset + at, &word.to_le_bytes());
        }
    }
    if let Some(at) = c.len_offset {
        put(bytes, at, &target.size.to_le_bytes());
    }
    addresses.push((c.offset as u64, Address::Memory(memory, start)));
}

fn put(bytes: &mut [u8], at: i64, content: &[u8]) {
    if let Some(place) = bytes.get_mut(at as usize..at as usize + content.len()) {
        place.copy_from_slice(content);
    }
}

/// `=> procedure` in the declaration of a procedure pointer.
pub fn declared_procedure(
    decls: &mut Declarations<'_>,
    scope: ScopeId,
    ident: Ident,
    x: ExprId,
    diags: &mut Diagnostics,
) {
    let ast = decls.ast(scope);
    let Some(id) = decls.lookup_local(scope, ast.name(ident.name)).filter(|_| !is_null(ast, x)) else { return };
    let symbol = &decls.symbols[id];
    let (Some(interface), Home::Static { area, offset }) = (symbol.interface, symbol.home) else { return };
    let Some(linker) = procedure_target(decls, scope, interface, x, diags) else { return };
    let owner = decls.unit_around(scope);
    let data = &mut decls.statics[area];
    if data.init.is_empty() {
        data.init = vec![0; data.size as usize];
        data.owner = owner;
    }
    data.procedures.push((offset, linker));
}

/// The linker symbol of the procedure `x` that a pointer of that interface has from the start.
fn procedure_target(
    decls: &Declarations<'_>,
    scope: ScopeId,
    interface: SymbolId,
    x: ExprId,
    diags: &mut Diagnostics,
) -> Option<String> {
    let ast = decls.ast(scope);
    let span = ast.span(x);
    let mut wrong = || {
        diags.push(Diagnostic::error("T0672", span, NOT_A_PROCEDURE));
        None
    };
    let ExprKind::Name(name) = ast.expr(x).kind else { return wrong() };
    let name = ast.name(name);
    let found = decls.lookup(scope, name).or_else(|| decls.lookup_global(name)).map(|id| &decls.symbols[id]);
    let linker = match found.map(Symbol::procedure) {
        Some(Some(p)) if matches!(p.class, ProcedureClass::External | ProcedureClass::Module) => p.linker.clone(),
        None | Some(Some(Procedure { class: ProcedureClass::Intrinsic, .. })) => {
            match crate::intrinsic::specific(name) {
                Some((linker, _)) => linker,
                None => return wrong(),
            }
        }
        _ => return wrong(),
    };
    let differs =
        found.and_then(|s| Some((s, crate::types::interfaces::mismatch(decls, &decls.symbols[interface], s)?)));
    if let Some((target, why)) = differs {
        let message = format!("The pointer has another interface than '{name}': {why}");
        diags.push(Diagnostic::error("T0687", span, message).because(target.span, "declared here"));
        return None;
    }
    Some(linker)
}

const NOT_A_PROCEDURE: &str = "A procedure pointer points from the start to an external or module procedure only";

fn not_a_target(of: &Symbol, span: Span, why: &str) -> Diagnostic {
    let message = format!("A pointer cannot point to '{}' from the start: {why}", of.name);
    Diagnostic::error("T0672", span, message).because(of.span, "declared here")
}

/// The words of the descriptor but for the address, and the length behind it: offsets and values.
fn content(deferred: bool, target: &Located, what: &Symbol, whole: bool) -> Content {
    let rank = target.steps.len();
    let mut out = Vec::new();
    if deferred {
        out.push((descriptor_size(rank), target.size));
    }
    if rank == 0 {
        return out;
    }
    let size = if what.ty == Some(Type::Char) { target.size } else { what.element_size().unwrap_or(1) };
    let unit = if size > 0 && target.steps.iter().all(|s| s.1 % size == 0) { size } else { 1 };
    let number = match what.structure {
        Some(_) => 5,
        None => what.ty.map_or(0, type_number),
    };
    let mut origin = 0;
    for (k, &(n, bytes)) in target.steps.iter().enumerate() {
        let declared = what.shape.get(k).and_then(|b| b.lower.known()).filter(|_| whole);
        let (lower, stride) = (declared.unwrap_or(1), bytes / unit);
        origin -= lower * stride;
        let at = 8 * (5 + 3 * k as i64);
        out.extend([(at, stride), (at + 8, lower), (at + 16, lower + n - 1)]);
    }
    out.extend([(8, origin), (16, size), (24, (rank as i64) << 32 | number << 40), (32, unit)]);
    out
}
