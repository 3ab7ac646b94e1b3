//! Variables, components, elements, sections and substrings by their declarations: type, length and shape, without the value.
//!
//! ```text
//! character(8) :: s(3)        len(s(:)(3:4)) = 2       size(x%table) = 10       kind(z%re) = kind(z)
//! ```

use crate::constant::eval::Evaluator;
use crate::constant::intrinsics::Known;
use crate::scope::symbol::{Bounds, Symbol, SymbolKind};
use crate::types::structure::StructureId;
use trueline_ir::Type;
use trueline_syntax::Name;
use trueline_syntax::ast::{Arg, ArgList, ArgValue, ExprId, ExprKind};

/// The known properties of a part of a variable.
struct Place {
    known: Known,
    structure: Option<StructureId>,
    /// Whether a range behind it selects characters, since it has no subscripts of its own, or has them already.
    is_element: bool,
}

/// The type, length and shape of a designator that is not a constant; none if `x` is something else.
pub fn describe(ev: &mut Evaluator<'_, '_>, x: ExprId) -> Option<Known> {
    Some(place(ev, x)?.known)
}

fn place(ev: &mut Evaluator<'_, '_>, x: ExprId) -> Option<Place> {
    match ev.ast.expr(x).kind {
        ExprKind::Name(name) => {
            let decls = ev.decls;
            variable(&decls.symbols[decls.named(ev.scope, name)?])
        }
        ExprKind::Component { base, name } => component(ev, base, name),
        ExprKind::Call { base, args } => selected(ev, base, args),
        _ => None,
    }
}

fn variable(s: &Symbol) -> Option<Place> {
    if s.kind == SymbolKind::Parameter {
        return None;
    }
    let known = Known { ty: s.ty?, len: s.len.known(), shape: Some(s.shape.clone()) };
    Some(Place { known, structure: s.structure, is_element: s.shape.is_empty() })
}

fn component(ev: &mut Evaluator<'_, '_>, base: ExprId, name: Name) -> Option<Place> {
    let of = place(ev, base)?;
    let decls = ev.decls;
    let text = ev.ast.name(name);
    let Some(structure) = of.structure else {
        // A part of a complex number.
        let part = match of.known.ty {
            Type::C4 => Type::R4,
            Type::C8 => Type::R8,
            _ => return None,
        };
        let known = Known { ty: part, len: None, shape: of.known.shape };
        return matches!(text, "re" | "im").then_some(Place { known, structure: None, is_element: true });
    };
    let structure = &decls.structures[structure];
    let c = &structure.components[structure.find(text)?];
    let shape = match of.known.shape {
        Some(outer) if outer.is_empty() => Some(c.shape.clone()),
        // Elements of an array, counted from 1.
        Some(outer) if c.shape.is_empty() => outer.iter().map(from_one).collect(),
        _ => None,
    };
    let known = Known { ty: c.ty, len: c.len.known(), shape };
    Some(Place { known, structure: c.structure, is_element: c.shape.is_empty() })
}

fn from_one(b: &Bounds) -> Option<Bounds> {
    Some(Bounds::known(1, (b.upper.known()? - b.lower.known()? + 1).max(0)))
}

/// An element, section or substring.
fn selected(ev: &mut Evaluator<'_, '_>, base: ExprId, args: ArgList) -> Option<Place> {
    let of = place(ev, base)?;
    let args = ev.ast.args(args);
    let one_range = matches!(args, [Arg { value: ArgValue::Section { .. }, .. }]);
    match ev.ast.expr(base).kind {
        // A name without a range and dimensions may be a function still.
        ExprKind::Name(name) if !one_range => {
            let decls = ev.decls;
            decls.named(ev.scope, name).filter(|&id| decls.symbols[id].is_variable())?;
        }
        _ => {}
    }
    let is_character = of.known.ty == Type::Char && of.structure.is_none();
    let is_scalar = of.known.shape.as_ref().is_some_and(Vec::is_empty);
    if is_character && of.is_element {
        let len = substring(ev, args, of.known.len)?;
        return Some(Place { known: Known { len: Some(len), ..of.known }, structure: None, is_element: true });
    }
    if is_scalar {
        return None;
    }
    let elements = args.iter().all(|a| matches!(a.value, ArgValue::Expr(x) if is_index(ev, x)));
    let shape = elements.then(Vec::new);
    Some(Place { known: Known { shape, ..of.known }, structure: of.structure, is_element: true })
}

/// Whether a subscript is surely a scalar.
fn is_index(ev: &Evaluator<'_, '_>, x: ExprId) -> bool {
    matches!(ev.ast.expr(x).kind, ExprKind::Int { .. })
}

/// The length that a constant range selects.
fn substring(ev: &mut Evaluator<'_, '_>, args: &[Arg], len: Option<i64>) -> Option<i64> {
    let [Arg { value: ArgValue::Section { lo, hi, step }, .. }] = args else { return None };
    if step.is_some() {
        return None;
    }
    let lo = match lo.expand() {
        Some(x) => ev.int(x).ok()?,
        None => 1,
    };
    let hi = match hi.expand() {
        Some(x) => ev.int(x).ok()?,
        None => len?,
    };
    Some((hi - lo + 1).max(0))
}
