//! Bridges for procedures that gfortran calls by another convention than this compiler ([`trueline_ir::Bridge`]).
//!
//! ```text
//! subroutine s(a, n, c)            s.direct(&a, &n, &c, len(c), size(a), present(n))      ours
//!   real a(:)                  =>  s(descriptor of a, &n or null, &c, len(c))             gfortran's
//!   integer, optional :: n
//!   character(*) c
//! ```
//!
//! The parameters of ours are declared by [`crate::params`], in the same order.

use crate::call::value::{self, result_pieces};
use crate::symbols::{Extra, extras};
use indexmap::IndexMap;
use smallvec::SmallVec;
use trueline_ir::{Array, Bridge, Intent, Passed, Returned, Size, THROUGH, Type};
use trueline_sema::scope::symbol::{Procedure, ProcedureClass, ProcedureKind, Symbol};
use trueline_sema::scope::{Declarations, ScopeKind};
use trueline_sema::types::convention::Convention;
use trueline_sema::types::convention::arrange::{Argument, Slot};
use trueline_sema::types::kinds::Category;
use trueline_sema::types::kinds::type_number;
use trueline_sema::types::structure::descriptor_size;

/// The bridges of all procedures that a compilation defines or calls, and of all interfaces of dummy procedures and
/// procedure pointers; by their symbols.
pub(crate) fn of(decls: &Declarations<'_>) -> Vec<Bridge> {
    let mut out: IndexMap<String, Bridge> = IndexMap::new();
    for s in decls.symbols.values() {
        let Some(p) = s.procedure() else { continue };
        let Some(mut bridge) = bridge(decls, s, p) else { continue };
        let symbol = by_address(&bridge);
        let indirect = Bridge { symbol: symbol.clone(), by_address: true, ..bridge.clone() };
        out.entry(symbol).or_insert(indirect);
        if p.linker.is_empty() || p.class == ProcedureClass::Dummy {
            continue;
        }
        let own = p.scope.map(|scope| &decls.scopes[scope]);
        // Procedures that come with the compiler are called by nobody else.
        if own.is_some_and(|s| decls.asts[s.ast].provided) {
            continue;
        }
        let has_code = own.is_some_and(|s| s.unit.is_some() && s.kind != ScopeKind::Interface);
        bridge.symbol.clone_from(&p.linker);
        if has_code || !out.contains_key(&p.linker) {
            out.insert(p.linker.clone(), bridge);
        }
    }
    out.into_values().collect()
}

/// The symbol of the bridge through which a procedure of this interface is called if only its address is known.
pub(crate) fn through(decls: &Declarations<'_>, s: &Symbol) -> Option<String> {
    bridge(decls, s, s.procedure()?).as_ref().map(by_address)
}

fn by_address(bridge: &Bridge) -> String {
    format!("{THROUGH}{}", bridge.signature())
}

/// Numbers the parameters as they are declared.
struct Numbers {
    list: u32,
    lengths: u32,
    further: u32,
}

impl Numbers {
    fn next(counter: &mut u32) -> u32 {
        *counter += 1;
        *counter - 1
    }
}

/// The bridge of a procedure, as yet without a symbol; none if both conventions are the same.
fn bridge(decls: &Declarations<'_>, s: &Symbol, p: &Procedure) -> Option<Bridge> {
    let is_other = |d: &Symbol| d.procedure().is_none() && d.ty.is_some() && !extras(d).is_empty();
    let dummies = || p.dummies.iter().flatten().map(|&d| &decls.symbols[d]);
    let array_result = array_result(decls, s, p);
    let is_same = array_result.is_none() && !dummies().any(is_other);
    if is_same || p.class == ProcedureClass::Intrinsic || p.linker.starts_with("trueline_") {
        return None;
    }
    let (mut direct, result) = result(decls, s, p);
    let convention = decls.options.convention;
    let structure = value::structure_result(decls, s, p);
    let mut public = Public { convention, arguments: Vec::new() };
    if structure == Some(Returned::MEMORY) || result.is_some_and(|ty| convention.is_in_memory(ty)) {
        // Code generation passes this address before all others.
        public.arguments.push((Argument::result(convention, true), SmallVec::new()));
    }
    if structure.is_none() {
        (0..direct.len() as u32).for_each(|k| public.push(Passed::Same(k)));
    }
    let list: u32 = dummies().map(|d| values(decls, d).len() as u32).sum();
    let lengths = dummies().filter(|d| has_length(d, p.is_c)).count() as u32;
    let first = direct.len() as u32;
    let mut at = Numbers { list: first, lengths: first + list, further: first + list + lengths };
    let (mut flags, mut hidden) = (Vec::new(), Vec::new());
    for d in dummies() {
        let types = values(decls, d);
        let argument = argument(decls, d, &types);
        let own = at.list;
        at.list += types.len() as u32;
        let length = has_length(d, p.is_c).then(|| Numbers::next(&mut at.lengths));
        let (mut extents, mut strides, mut flag) = (None, None, None);
        for extra in if is_other(d) { extras(d) } else { Vec::new() } {
            let k = Numbers::next(&mut at.further);
            match extra {
                Extra::Extent(0) => extents = Some(k),
                Extra::Stride(0) => strides = Some(k),
                Extra::Extent(_) | Extra::Stride(_) => {}
                Extra::Present => flag = Some(k),
            }
        }
        direct.extend(&types);
        hidden.extend(length.map(Passed::Same));
        let mut same = || public.arguments.push((argument.clone(), (own..at.list).map(Passed::Same).collect()));
        match (extents, flag) {
            (Some(extents), flag) => {
                let a = array(d, p.is_c, own, extents, flag, length);
                public.push(Passed::Array(Array { strides, ..a }));
            }
            (None, Some(flag)) if d.attrs.value && !d.is_array() => {
                same();
                if d.ty != Some(Type::Char) {
                    flags.push(Passed::Flag(flag));
                }
            }
            (None, Some(flag)) => public.push(Passed::Optional { address: own, flag, spare: spare(d) }),
            (None, None) => same(),
        }
    }
    if let Some(r) = array_result {
        let length = r.is_character().then_some(1);
        let array = Array { changes: true, ..array(r, false, 0, at.further, None, length) };
        public.arguments[0].1[0] = Passed::Array(array);
        at.further += r.rank() as u32;
    }
    direct.resize(at.further as usize, Type::I8);
    flags.into_iter().chain(hidden).for_each(|p| public.push(p));
    let public = public.arranged();
    Some(Bridge { symbol: String::new(), by_address: false, direct, public, result, structure })
}

/// The arguments of gfortran's convention: the form of each, and the parameters that it consists of.
struct Public {
    convention: Convention,
    arguments: Vec<(Argument, SmallVec<[Passed; 1]>)>,
}

impl Public {
    /// Adds an address or another integer.
    fn push(&mut self, p: Passed) {
        self.arguments.push((Argument::value(self.convention, Type::I8), SmallVec::from_iter([p])));
    }

    /// The parameters, each where the target's C expects it.
    fn arranged(self) -> Vec<Passed> {
        let (forms, parts): (Vec<Argument>, Vec<_>) = self.arguments.into_iter().unzip();
        let Some(order) = self.convention.arrange(&forms) else { return parts.into_iter().flatten().collect() };
        let mut out = Vec::new();
        for slot in order {
            match slot {
                Slot::Own(k) => out.extend_from_slice(&parts[k]),
                Slot::Words(k) => match parts[k].first() {
                    Some(&Passed::Same(first)) => out.push(Passed::Words { first, count: parts[k].len() as u32 }),
                    _ => out.extend_from_slice(&parts[k]),
                },
                Slot::Filler(ty) => out.push(Passed::Filler(ty)),
            }
        }
        out
    }
}

/// The form of a dummy argument that is passed as these values.
fn argument(decls: &Declarations<'_>, d: &Symbol, types: &[Type]) -> Argument {
    match value::values(decls, d).filter(|_| is_value(d)) {
        Some(pieces) => value::argument(decls, d, &pieces),
        None => Argument::value(decls.options.convention, types[0]),
    }
}

fn is_value(d: &Symbol) -> bool {
    d.procedure().is_none() && d.attrs.value && d.shape.is_empty()
}

/// The result that is an array in memory of the caller, who tells its extents behind everything else to a procedure that may
/// have a bridge. The code itself computes them.
pub(crate) fn array_result<'a>(decls: &'a Declarations<'_>, s: &'a Symbol, p: &Procedure) -> Option<&'a Symbol> {
    let r = p.result.map_or(s, |r| &decls.symbols[r]);
    (p.kind == ProcedureKind::Function && r.is_array() && !r.is_indirect()).then_some(r)
}

/// The types of the parameters that a function's result puts before the dummies, and the type returned in a register.
fn result(decls: &Declarations<'_>, s: &Symbol, p: &Procedure) -> (Vec<Type>, Option<Type>) {
    if p.kind != ProcedureKind::Function {
        return (Vec::new(), p.dummies.iter().any(Option::is_none).then_some(Type::I4));
    }
    let r = p.result.map_or(s, |r| &decls.symbols[r]);
    let length = || vec![Type::I8; 1 + usize::from(r.is_character())];
    if r.is_indirect() {
        let is_scalar = r.shape.is_empty() && !r.is_character();
        return if is_scalar { (Vec::new(), Some(Type::I8)) } else { (length(), None) };
    }
    if let Some((_, ty)) = result_pieces(decls, r, p.is_c) {
        return (Vec::new(), Some(ty));
    }
    match r.ty {
        Some(ty) if ty != Type::Char && r.shape.is_empty() => (Vec::new(), Some(ty)),
        _ => (length(), None),
    }
}

/// The types of the parts of a dummy argument that are passed among the others.
fn values(decls: &Declarations<'_>, d: &Symbol) -> Vec<Type> {
    if !is_value(d) {
        return vec![Type::I8];
    }
    match (value::values(decls, d), d.ty) {
        (Some(pieces), _) => pieces.into_iter().map(|(_, ty)| ty).collect(),
        (None, Some(ty)) if ty != Type::Char => vec![ty],
        _ => vec![Type::I8],
    }
}

fn has_length(d: &Symbol, is_c: bool) -> bool {
    d.procedure().is_none() && d.is_character() && !is_c
}

/// The bytes of the stand-in that our procedure gets for an absent number or descriptor.
fn spare(d: &Symbol) -> u32 {
    match d.ty {
        _ if d.is_indirect() => descriptor_size(d.rank()) as u32,
        Some(ty) if ty != Type::Char && !d.is_array() => ty.size() as u32,
        _ => 0,
    }
}

fn array(d: &Symbol, is_c: bool, address: u32, extents: u32, flag: Option<u32>, length: Option<u32>) -> Array {
    let size = match (d.element_size(), length) {
        (Some(n), _) => Size::Known(n),
        (None, Some(k)) => Size::Length(k),
        (None, None) => Size::Known(1),
    };
    let rank = d.rank() as u32;
    let kind = if is_c { c_kind(d, rank) } else { fortran_kind(d, rank) };
    Array { address, extents, strides: None, rank, flag, size, kind, changes: d.intent != Intent::In, is_c }
}

fn fortran_kind(d: &Symbol, rank: u32) -> i64 {
    let ty = if d.structure.is_some() { 5 } else { type_number(d.ty.unwrap_or(Type::I4)) };
    i64::from(rank) << 32 | ty << 40
}

/// Version, rank, attribute and type in C's descriptor, as gfortran's `ISO_Fortran_binding.h` numbers them.
fn c_kind(d: &Symbol, rank: u32) -> i64 {
    let ty = d.ty.unwrap_or(Type::I4);
    let size = ty.size() as i64;
    let ty = match Category::of(ty) {
        _ if d.structure.is_some() => 6,
        Category::Integer => 1 + (size << 8),
        Category::Logical => 2 + (size << 8),
        Category::Real => 3 + (size << 8),
        Category::Complex => 4 + ((size / 2) << 8),
        Category::Character => 5 + (1 << 8),
    };
    1 | i64::from(rank) << 32 | 2 << 40 | ty << 48
}
