//! Homes of variables: registers, stack, static memory, and the linker names of the latter.
//!
//! | variable | home |
//! |---|---|
//! | local scalar, not CHARACTER, not saved | register |
//! | the same in the main program, saved or initialised | register, set at entry |
//! | local array or CHARACTER of constant size | stack up to 64 KiB, else static |
//! | the same in the main program | static (arrays) |
//! | size known at entry | automatic: memory obtained at entry |
//! | saved, initialised | static `name.N`, local to the object |
//! | module | static `__module_MOD_name`, exported; a deferred length `_F.module_MOD_name` |
//! | COMMON | static `block_`, `__BLNK__`; gfortran's layout |
//! | EQUIVALENCE | static `equiv.N`, local to the object |
//!
//! Homes first, for all scopes; then initial values, because a COMMON block has its size only when every
//! unit has been seen.

pub(crate) mod data;
pub(crate) mod groups;
pub mod initial;
pub(crate) mod pointers;
pub mod results;
pub mod shared;

use crate::scope::symbol::{Extent, Home, StaticData, StaticId, Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId, ScopeKind};
use rustc_hash::FxHashMap;
use trueline_diag::{Diagnostic, Diagnostics};
use trueline_ir::{Linkage, Type};

/// Largest variable on the stack, in bytes (the IR's limit for `Frame`).
pub const FRAME_LIMIT: i64 = 64 * 1024;

/// The most bytes of the stack that all variables of one procedure may take; then the rest is static. Deep call
/// chains have to fit into the usual 8 MiB.
const FRAME_TOTAL: i64 = 256 * 1024;

/// Largest static variable: addresses of static memory have 32 bits in the usual code model.
pub const STATIC_LIMIT: i64 = i32::MAX as i64;

/// Gives every variable its home, and static memory its content.
pub fn place(decls: &mut Declarations<'_>, diags: &mut Diagnostics) {
    let scopes: Vec<ScopeId> = decls
        .scopes
        .keys()
        .filter(|&s| !matches!(decls.scopes[s].kind, ScopeKind::Global | ScopeKind::Interface))
        .collect();
    let mut blocks: FxHashMap<String, StaticId> = FxHashMap::default();
    for &scope in &scopes {
        results::place_results(decls, scope, diags);
        groups::place(decls, scope, &mut blocks, diags);
        place_variables(decls, scope, diags);
    }
    crate::storage::pointers::default_targets(decls, diags);
    for &scope in &scopes {
        if !decls.ast(scope).external {
            crate::storage::data::initialise(decls, scope, diags);
        }
    }
    for data in decls.statics.values_mut() {
        if data.addresses.is_empty() && data.procedures.is_empty() && data.init.iter().all(|&b| b == 0) {
            data.init = Vec::new();
        }
    }
}

/// Finds the homes of variables that are in no COMMON block and no EQUIVALENCE set.
fn place_variables(decls: &mut Declarations<'_>, scope: ScopeId, diags: &mut Diagnostics) {
    let mut frame = 0;
    for id in decls.scopes[scope].own.clone() {
        let symbol = &decls.symbols[id];
        if !symbol.is_variable() || symbol.home != Home::None || symbol.attrs.associate {
            continue;
        }
        let home = home(decls, scope, symbol, &mut frame);
        let home = match home {
            Choice::Home(home) => home,
            Choice::Static => match place_static(decls, scope, id) {
                Ok(home) => home,
                Err(d) => {
                    diags.push(*d);
                    decls.symbols[id].kind = SymbolKind::Error;
                    continue;
                }
            },
        };
        decls.symbols[id].home = home;
    }
}

enum Choice {
    Home(Home),
    Static,
}

fn home(decls: &Declarations<'_>, scope: ScopeId, symbol: &Symbol, frame: &mut i64) -> Choice {
    let kind = decls.scopes[scope].kind;
    let is_main = kind == ScopeKind::Program;
    if symbol.cray_pointer.is_some() {
        return Choice::Home(Home::None);
    }
    let in_memory = symbol.is_array() || symbol.ty == Some(Type::Char);
    // SAVE says nothing in the main program: its variables live as long as the program anyway.
    let all = decls.options.no_automatic && !is_recursive(decls, scope);
    let all = (decls.scopes[scope].save_all || all) && !symbol.attrs.automatic;
    let saved = (symbol.attrs.save || all) && !is_main;
    if symbol.attrs.result {
        // The result of a CHARACTER or array function is memory of the caller.
        return Choice::Home(match () {
            () if symbol.is_indirect() => Home::Allocatable,
            () if in_memory => Home::None,
            // It is copied to the result's register on the way out.
            () if symbol.has_lasting_address() => Home::Frame,
            () => Home::Register,
        });
    }
    if symbol.interface.is_some() && symbol.attrs.initialised && symbol.value.is_none() {
        // The address of a procedure, which the linker knows.
        return Choice::Static;
    }
    // A variable that may change at any time has an address, too: it is never kept in a register.
    let has_address = symbol.attrs.target || symbol.attrs.volatile;
    if is_main && has_address && !symbol.is_indirect() && size_of(symbol).is_some() {
        // A pointer may point to it from the start.
        return Choice::Static;
    }
    if is_main && keeps_addresses(decls, symbol) && !symbol.is_indirect() && size_of(symbol).is_some() {
        // Its pointers still have their targets when the program has ended.
        return Choice::Static;
    }
    if symbol.attrs.closure && !in_memory && !symbol.is_indirect() && kind != ScopeKind::Module {
        let keeps = saved || symbol.attrs.initialised;
        return if keeps { Choice::Static } else { Choice::Home(Home::Frame) };
    }
    if is_main && !in_memory && !symbol.is_indirect() && !symbol.attrs.volatile && !symbol.attrs.target {
        // The main program is entered once: an initial value is the first assignment.
        return Choice::Home(Home::Register);
    }
    if matches!(kind, ScopeKind::Module | ScopeKind::BlockData) || saved || symbol.attrs.initialised {
        return Choice::Static;
    }
    if symbol.is_indirect() {
        return Choice::Home(Home::Allocatable);
    }
    if !in_memory && !has_address {
        return Choice::Home(Home::Register);
    }
    let Some(size) = size_of(symbol) else { return Choice::Home(Home::Automatic) };
    if is_main && symbol.is_array() {
        return Choice::Static;
    }
    if size <= FRAME_LIMIT && *frame + size <= FRAME_TOTAL {
        *frame += size;
        return Choice::Home(Home::Frame);
    }
    if is_recursive(decls, scope) || symbol.attrs.automatic { Choice::Home(Home::Automatic) } else { Choice::Static }
}

/// Whether the addresses in a structure are looked for when the program ends, for `-fcheck=leaks`.
pub fn keeps_addresses(decls: &Declarations<'_>, symbol: &Symbol) -> bool {
    let structure = symbol.structure.filter(|_| decls.options.checks.leaks);
    structure.is_some_and(|id| decls.structures[id].holds_addresses(&decls.structures))
}

/// Whether several activations of the procedure may exist at a time.
pub fn is_recursive(decls: &Declarations<'_>, scope: ScopeId) -> bool {
    let own = decls.scopes[decls.unit_around(scope)].symbol.and_then(|s| decls.symbols[s].procedure());
    decls.options.recursive || own.is_some_and(|p| p.is_recursive)
}

/// The size of a variable in bytes, if it is known; an overflow gives the largest number.
pub fn size_of(symbol: &Symbol) -> Option<i64> {
    if symbol.shape.iter().any(|b| b.size().is_none())
        || (symbol.ty == Some(Type::Char) && symbol.len.known().is_none())
    {
        return None;
    }
    let size = symbol.element_count().and_then(|n| n.checked_mul(symbol.element_size()?));
    Some(size.unwrap_or(i64::MAX))
}

/// The bytes of the descriptor of a saved allocatable or pointer, and of its length. The length of a module variable is elsewhere,
/// too ([`Declarations::lengths`]).
pub fn descriptor_size(symbol: &Symbol) -> i64 {
    let len = if symbol.len == Extent::Deferred { 8 } else { 0 };
    crate::types::structure::descriptor_size(symbol.rank()) + len
}

fn place_static(decls: &mut Declarations<'_>, scope: ScopeId, id: SymbolId) -> Result<Home, Box<Diagnostic>> {
    let symbol = &decls.symbols[id];
    let size = if symbol.is_indirect() { Some(descriptor_size(symbol)) } else { size_of(symbol) };
    let size = match size {
        Some(size) if size <= STATIC_LIMIT => size,
        Some(_) => return Err(Box::new(too_large(symbol))),
        None => return Ok(Home::Automatic),
    };
    let (linker, linkage) = match decls.scopes[scope].kind {
        ScopeKind::Module if symbol.bind.is_some() => {
            // C may define it, too: this is a tentative definition of C.
            let linkage = if decls.ast(scope).external { Linkage::Import } else { Linkage::Common };
            (symbol.bind.clone().unwrap_or_default(), linkage)
        }
        ScopeKind::Module => {
            let module = decls.scopes[scope].symbol.map_or("", |m| &decls.symbols[m].name);
            (format!("__{module}_MOD_{}", symbol.name), linkage_of_module(decls, scope))
        }
        _ => (format!("{}.{}", symbol.name, decls.statics.len()), linkage_of_procedure(decls, scope)),
    };
    let align = if symbol.is_indirect() { 8 } else { alignment(symbol.ty).max(area_alignment(size)) };
    let has_length = symbol.is_indirect() && symbol.len == Extent::Deferred && linkage != Linkage::Local;
    let length = has_length.then(|| format!("_F.{}", linker.trim_start_matches('_')));
    let area = new_static(decls, linker, size as u64, align, linkage, scope);
    if let Some(length) = length {
        let length = new_static(decls, length, 8, 8, linkage, scope);
        decls.lengths.insert(area, length);
    }
    Ok(Home::Static { area, offset: 0 })
}

/// The linkage of a module's memory: another object has that of a module from a module file.
pub fn linkage_of_module(decls: &Declarations<'_>, scope: ScopeId) -> Linkage {
    if decls.ast(scope).external { Linkage::Import } else { Linkage::Export }
}

/// The linkage of a procedure's saved memory: a recursive one finds it changed after its calls.
pub fn linkage_of_procedure(decls: &Declarations<'_>, scope: ScopeId) -> Linkage {
    if is_recursive(decls, scope) { Linkage::Shared } else { Linkage::Local }
}

/// "… is too large"
pub fn too_large(symbol: &Symbol) -> Diagnostic {
    let message = format!("'{}' is too large: static memory ends at 2 GiB", symbol.name);
    Diagnostic::error("T0276", symbol.span, message).help("Make it ALLOCATABLE")
}

/// A new piece of static memory.
pub fn new_static(
    decls: &mut Declarations<'_>,
    symbol: String,
    size: u64,
    align: u32,
    linkage: Linkage,
    owner: ScopeId,
) -> StaticId {
    let owner = decls.unit_around(owner);
    decls.statics.push(StaticData {
        symbol,
        size: size.max(1),
        align,
        linkage,
        init: Vec::new(),
        addresses: Vec::new(),
        procedures: Vec::new(),
        owner,
    })
}

/// The alignment of a type in memory, as gfortran has it.
pub fn alignment(ty: Option<Type>) -> u32 {
    match ty {
        Some(ty) => ty.part().size() as u32,
        None => 1,
    }
}

/// The alignment of a variable.
pub fn alignment_of(decls: &Declarations<'_>, symbol: &Symbol) -> u32 {
    match symbol.structure {
        Some(s) => decls.structures[s].align as u32,
        None => alignment(symbol.ty),
    }
}

/// The alignment of a piece of static memory: whole cache lines if it is as large as one.
pub fn area_alignment(size: i64) -> u32 {
    if size >= 64 { 64 } else { 16 }
}
