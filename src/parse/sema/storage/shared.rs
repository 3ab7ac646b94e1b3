//! Variables that other files may reach: those of COMMON blocks and of modules.
//!
//! With `-fcheck=undefined` an object notes the values that they get, and says so in its table of interfaces. Whether all objects
//! of a program do is known when it is linked.

use crate::scope::symbol::{Home, StaticId, Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeKind};
use crate::types::kinds::type_name;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use trueline_ir::interface::{Argument, Interface, Invoked, Role};
use trueline_ir::{Linkage, Type};

/// The most elements of an array that has a shadow in static memory.
pub const MOST_ELEMENTS: i64 = 1 << 24;

/// The variables that some NAMELIST group has: a READ may define them without their names.
pub fn in_groups(decls: &Declarations<'_>) -> FxHashSet<SymbolId> {
    let groups = decls.symbols.values().filter_map(|s| match &s.kind {
        SymbolKind::Namelist(objects) => Some(objects),
        _ => None,
    });
    groups.flatten().copied().collect()
}

/// The memory of the variable and its place there, if other files may reach it by its name.
pub fn place(decls: &Declarations<'_>, s: &Symbol) -> Option<(StaticId, u64)> {
    let Home::Static { area, offset } = s.home else { return None };
    let data = &decls.statics[area];
    let is_reached = matches!(data.linkage, Linkage::Common | Linkage::Export | Linkage::Import);
    let owner = &decls.scopes[s.scope];
    let is_private = owner.kind == ScopeKind::Module && owner.hidden.contains(s.name.as_str());
    (s.is_variable() && is_reached && (!is_private || decls.ast(s.scope).external)).then_some((area, offset))
}

/// Whether all values that this file gives the variable are noted, by its name.
pub fn is_noted(decls: &Declarations<'_>, s: &Symbol) -> bool {
    let a = &s.attrs;
    let has_other_ways = a.target || a.volatile || a.equivalenced || a.associate || s.bind.is_some();
    let is_plain = s.is_variable() && s.interface.is_none() && s.structure.is_none() && !s.is_indirect();
    let has_size = s.element_count().is_some_and(|n| n > 0 && n <= MOST_ELEMENTS)
        && s.shape.iter().all(|b| b.size().is_some_and(|n| n > 0));
    is_plain
        && has_size
        && !has_other_ways
        && !a.result
        && !is_given(s)
        && decls.scopes[s.scope].common_labels.is_empty()
}

/// Whether the variable has a value when the program begins.
fn is_given(s: &Symbol) -> bool {
    s.attrs.initialised || s.value.is_some()
}

/// The COMMON blocks and the variables of modules that the files of a compilation name, for the table of the object.
pub fn of(decls: &Declarations<'_>) -> Vec<Interface> {
    let groups = in_groups(decls);
    let mut all: BTreeMap<(StaticId, crate::scope::ScopeId), Vec<(u64, SymbolId)>> = BTreeMap::new();
    for (id, s) in decls.symbols.iter() {
        if let Some((area, offset)) = place(decls, s) {
            all.entry((area, s.scope)).or_default().push((offset, id));
        }
    }
    all.into_iter()
        .map(|((area, _), mut variables)| {
            variables.sort_unstable();
            let variables = variables.into_iter();
            Interface {
                symbol: decls.statics[area].symbol.clone(),
                name: String::new(),
                role: Role::Storage,
                invoked: Invoked::Unknown,
                file: String::new(),
                place: (0, 0),
                result: None,
                arguments: variables.map(|(at, id)| variable(decls, at, id, groups.contains(&id))).collect(),
            }
        })
        .collect()
}

fn variable(decls: &Declarations<'_>, offset: u64, id: SymbolId, in_group: bool) -> Argument {
    let s = &decls.symbols[id];
    let ty = match (s.ty, s.structure) {
        (_, Some(structure)) => format!("TYPE({})", decls.structures[structure].name),
        (Some(Type::Char), None) => format!("CHARACTER({})", s.len.known().unwrap_or(-1)),
        (ty, None) => ty.map(type_name).unwrap_or_default(),
    };
    let reason = match () {
        () if is_given(s) => "it has an initial value",
        () if in_group => "it is in a NAMELIST group",
        () if !is_noted(decls, s) => "it is reached in other ways",
        () => "",
    };
    Argument {
        ty,
        elements: s.element_count().filter(|_| !s.is_indirect()),
        length: i64::try_from(offset).ok(),
        in_sequence: s.attrs.equivalenced,
        changes: reason.is_empty(),
        explicit: reason.to_owned(),
        ..Argument::default()
    }
}
