//! The interfaces that an object tells to the link: of the external procedures that a compilation defines, of its interface
//! blocks, and of its calls of procedures that it does not define; and of memory that other objects may name.

use crate::check::consistency::{ImplicitCall, Passed};
use crate::scope::symbol::{Procedure, ProcedureClass, ProcedureKind, Symbol, is_assumed_shape};
use crate::scope::{Declarations, ScopeKind};
use crate::types::interfaces::must_be_explicit;
use crate::types::kinds::type_name;
use trueline_diag::{SourceMap, Span};
use trueline_ir::Intent;
use trueline_ir::interface::{Argument, Interface, Invoked, Role};

/// The interfaces of a compilation, in a fixed order.
pub fn of(decls: &Declarations<'_>, map: &SourceMap, calls: &[ImplicitCall]) -> Vec<Interface> {
    let mut out: Vec<Interface> = Vec::new();
    if !decls.options.argument_mismatch {
        out.extend(decls.symbols.values().filter_map(|s| declared(decls, map, s)));
        out.extend(calls.iter().filter(|c| !c.linker.is_empty()).map(|c| called(map, c)));
    }
    if decls.options.checks.undefined && decls.options.initial == crate::Initial::default() {
        out.extend(crate::storage::shared::of(decls));
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// An external procedure with its code, or an interface block.
fn declared(decls: &Declarations<'_>, map: &SourceMap, s: &Symbol) -> Option<Interface> {
    let p = s.procedure().filter(|p| p.class == ProcedureClass::External && !p.is_c && !p.linker.is_empty())?;
    let scope = &decls.scopes[p.scope?];
    if decls.asts[scope.ast].provided || decls.asts[scope.ast].external {
        return None;
    }
    let role = match scope.kind {
        ScopeKind::Interface => Role::Declaration,
        _ if scope.unit.is_some() && scope.entries.is_empty() => Role::Definition,
        _ => return None,
    };
    let dummy = |d: &Option<_>| d.map_or_else(Argument::default, |d| dummy(decls, map, &decls.symbols[d]));
    let result = p.result.filter(|_| p.kind == ProcedureKind::Function);
    let mut interface = Interface {
        symbol: p.linker.clone(),
        name: s.name.clone(),
        role,
        invoked: invoked(p.kind),
        file: map.file(s.span.file).name().to_owned(),
        place: place(map, s.span),
        result: result.map(|r| self::dummy(decls, map, &decls.symbols[r])),
        arguments: p.dummies.iter().map(dummy).collect(),
    };
    explain(decls, s, p, &mut interface);
    Some(interface)
}

/// Notes the argument or result because of which callers need the explicit interface.
fn explain(decls: &Declarations<'_>, s: &Symbol, p: &Procedure, interface: &mut Interface) {
    let Some((of, why)) = must_be_explicit(decls, s, p) else { return };
    let k = p.dummies.iter().position(|d| d.is_some_and(|d| std::ptr::eq(&decls.symbols[d], of)));
    match k.and_then(|k| interface.arguments.get_mut(k)) {
        Some(a) => a.explicit = why.to_owned(),
        None => {
            if let Some(result) = &mut interface.result {
                result.explicit = why.to_owned();
            }
        }
    }
}

fn invoked(kind: ProcedureKind) -> Invoked {
    match kind {
        ProcedureKind::Subroutine => Invoked::Subroutine,
        ProcedureKind::Function => Invoked::Function,
        ProcedureKind::Unknown => Invoked::Unknown,
    }
}

fn place(map: &SourceMap, span: Span) -> (u32, u32) {
    let at = map.start(span);
    (at.line, at.column)
}

/// A dummy argument, or the variable of a result.
fn dummy(decls: &Declarations<'_>, map: &SourceMap, d: &Symbol) -> Argument {
    let is_data = d.is_variable() && d.interface.is_none() && !d.attrs.assumed_type;
    let ty = match (d.ty.filter(|_| is_data), d.structure) {
        (Some(_), Some(id)) => format!("TYPE({})", decls.structures[id].name),
        (Some(ty), None) => type_name(ty),
        (None, _) => String::new(),
    };
    let by_size = !d.is_indirect() && !is_assumed_shape(d);
    let sizes = by_size && !decls.options.io.legacy;
    Argument {
        name: d.name.clone(),
        ty,
        rank: d.rank() as u32,
        elements: d.element_count().filter(|_| sizes && d.is_array()),
        length: d.len.known().filter(|_| d.is_character()),
        in_sequence: d.is_array() && by_size,
        changes: matches!(d.intent, Intent::Out | Intent::InOut),
        explicit: String::new(),
        place: place(map, d.span),
    }
}

/// A call by an implicit interface.
fn called(map: &SourceMap, call: &ImplicitCall) -> Interface {
    let arguments = call.args.iter().map(|a| a.as_ref().map_or_else(Argument::default, |a| passed(map, a))).collect();
    Interface {
        symbol: call.linker.clone(),
        name: call.name.clone(),
        role: Role::Call,
        invoked: if call.result.is_some() { Invoked::Function } else { Invoked::Subroutine },
        file: map.file(call.span.file).name().to_owned(),
        place: place(map, call.span),
        result: call.result.as_ref().map(|(ty, length)| Argument {
            ty: ty.clone(),
            length: *length,
            place: place(map, call.span),
            ..Argument::default()
        }),
        arguments,
    }
}

fn passed(map: &SourceMap, a: &Passed) -> Argument {
    Argument {
        name: String::new(),
        ty: a.name.clone(),
        rank: a.rank as u32,
        elements: a.elements,
        length: a.length,
        in_sequence: a.is_element,
        changes: a.is_place,
        explicit: String::new(),
        place: place(map, a.span),
    }
}
