//! Pointers that point to something from the start: `integer, pointer :: p(:) => t(2:8:2)`.
//!
//! The descriptor is laid down in static memory ([`crate::descriptor`] says what is in it), the address as one that the
//! linker fills in.

use crate::constant_eval::Evaluator;
use crate::descriptor::type_number;
use crate::scope::{Declarations, ScopeId};
use crate::storage_data::{Located, locate};
use crate::structure::descriptor_size;
use crate::symbol::{Extent, Home, Procedure, ProcedureClass, Symbol};
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_ir::Type;
use trueline_syntax::ast::{Ast, ExprId, ExprKind, Ident};

/// Whether `x` is `NULL()`.
pub(crate) fn is_null(ast: &Ast, x: ExprId) -> bool {
    let ExprKind::Call { base, .. } = ast.expr(x).kind else { return false };
    matches!(ast.expr(base).kind, ExprKind::Name(name) if ast.name(name) == "null")
}

/// `=> target` in the declaration of the pointer `name`.
pub(crate) fn declared_target(
    decls: &mut Declarations<'_>,
    scope: ScopeId,
    name: &str,
    x: ExprId,
    diags: &mut Diagnostics,
) {
    let ast = decls.ast(scope);
    let Some(id) = decls.lookup_local(scope, name).filter(|_| !is_null(ast, x)) else { return };
    let symbol = &decls.symbols[id];
    let span = ast.span(x);
    let (true, Home::Static { area, offset }) = (symbol.attrs.pointer && symbol.scope == scope, symbol.home) else {
        return;
    };
    let mut ev = Evaluator::new(decls, scope);
    let target = match locate(&mut ev, x) {
        Ok(target) => target,
        Err(why) => {
            why.report("The target").into_iter().for_each(|d| diags.push(d));
            return;
        }
    };
    let of = &decls.symbols[target.symbol];
    let Home::Static { area: memory, offset: start } = of.home else {
        return diags.push(not_a_target(of, span, "it is not in memory that is there from the start"));
    };
    if !of.attrs.target {
        return diags.push(not_a_target(of, span, "it has not the attribute TARGET"));
    }
    let what = target.what(decls);
    if (what.ty, what.structure, target.steps.len()) != (symbol.ty, symbol.structure, symbol.rank()) {
        let message = format!("The pointer '{name}' and '{}' differ in type or rank", what.name);
        return diags.push(Diagnostic::error("T0671", span, message).because(symbol.span, "declared here"));
    }
    let whole = matches!(ast.expr(x).kind, ExprKind::Name(_));
    let symbol_is_deferred = symbol.len == Extent::Deferred && symbol.is_character();
    let content = content(symbol, &target, what, whole);
    let owner = decls.unit_around(scope);
    let length = decls.lengths.get(&area).copied();
    if let (Some(length), true) = (length, symbol_is_deferred) {
        decls.statics[length].init = target.size.to_le_bytes().to_vec();
        decls.statics[length].owner = owner;
    }
    let data = &mut decls.statics[area];
    if data.init.is_empty() {
        data.init = vec![0; data.size as usize];
        data.owner = owner;
    }
    for (k, word) in content {
        let at = offset as usize + k as usize;
        if let Some(place) = data.init.get_mut(at..at + 8) {
            place.copy_from_slice(&word.to_le_bytes());
        }
    }
    data.addresses.push((offset, memory, start as i64 + target.offset));
}

/// `=> procedure` in the declaration of a procedure pointer.
pub(crate) fn declared_procedure(
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
    let span = ast.span(x);
    let name = match ast.expr(x).kind {
        ExprKind::Name(name) => ast.name(name),
        _ => return diags.push(Diagnostic::error("T0672", span, NOT_A_PROCEDURE)),
    };
    let found = decls.lookup(scope, name).or_else(|| decls.lookup_global(name)).map(|id| &decls.symbols[id]);
    let procedure = found.and_then(|s| Some((s, s.procedure()?)));
    let linker = match procedure {
        Some((_, p)) if matches!(p.class, ProcedureClass::External | ProcedureClass::Module) => p.linker.clone(),
        None | Some((_, Procedure { class: ProcedureClass::Intrinsic, .. })) => {
            match crate::intrinsics::specific(name).filter(|_| found.is_none_or(|s| s.procedure().is_some())) {
                Some((linker, _)) => linker,
                None => return diags.push(Diagnostic::error("T0672", span, NOT_A_PROCEDURE)),
            }
        }
        Some(_) => return diags.push(Diagnostic::error("T0672", span, NOT_A_PROCEDURE)),
    };
    let differs = found.and_then(|s| Some((s, crate::interfaces::mismatch(decls, &decls.symbols[interface], s)?)));
    if let Some((target, why)) = differs {
        let message = format!("The pointer has another interface than '{name}': {why}");
        return diags.push(Diagnostic::error("T0687", span, message).because(target.span, "declared here"));
    }
    let owner = decls.unit_around(scope);
    let data = &mut decls.statics[area];
    if data.init.is_empty() {
        data.init = vec![0; data.size as usize];
        data.owner = owner;
    }
    data.procedures.push((offset, linker));
}

const NOT_A_PROCEDURE: &str = "A procedure pointer points from the start to an external or module procedure only";

fn not_a_target(of: &Symbol, span: Span, why: &str) -> Diagnostic {
    let message = format!("A pointer cannot point to '{}' from the start: {why}", of.name);
    Diagnostic::error("T0672", span, message).because(of.span, "declared here")
}

/// The words of the descriptor but for the address, and the length behind it: offsets and values.
fn content(pointer: &Symbol, target: &Located, what: &Symbol, whole: bool) -> Vec<(i64, i64)> {
    let rank = target.steps.len();
    let mut out = Vec::new();
    if pointer.len == Extent::Deferred && pointer.is_character() {
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
