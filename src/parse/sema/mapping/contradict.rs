//! One COMMON block is mapped alike in all procedures.

use super::said::Said;
use super::{Mapped, Mappings};
use crate::scope::symbol::SymbolId;
use crate::scope::{Declarations, ScopeKind};
use indexmap::IndexMap;
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_ir::MappingData;
use trueline_ir::mapping::{Axis, Format, Size};
use trueline_syntax::ast::StmtKind;

/// A block as the first scope that mentions it sees it: its members.
type Members = Vec<SymbolId>;

pub(super) fn check(decls: &Declarations<'_>, said: &Said<'_>, mappings: &Mappings, diags: &mut Diagnostics) {
    let mut first: IndexMap<String, Members> = IndexMap::default();
    for (scope, data) in decls.scopes.iter() {
        let Some(unit) = data.unit.filter(|_| data.kind != ScopeKind::Interface) else { continue };
        let ast = decls.ast(scope);
        for &s in &ast.units[unit].spec {
            let StmtKind::Common(blocks) = &ast.stmt(s).kind else { continue };
            for block in blocks {
                let name = block.name.map_or(String::new(), |n| ast.name(n.name).to_owned());
                let members: Members = block.items.iter().filter_map(|e| decls.named(scope, e.name.name)).collect();
                match first.get(&name) {
                    Some(other) if !name.is_empty() => compare(decls, said, mappings, &name, other, &members, diags),
                    Some(_) => {}
                    None => {
                        first.insert(name, members);
                    }
                }
            }
        }
    }
}

fn compare(
    decls: &Declarations<'_>,
    said: &Said<'_>,
    mappings: &Mappings,
    name: &str,
    first: &[SymbolId],
    second: &[SymbolId],
    diags: &mut Diagnostics,
) {
    for (&a, &b) in first.iter().zip(second) {
        let (x, y) = (mappings.of(a), mappings.of(b));
        if alike(x, y) {
            continue;
        }
        let place = |id: SymbolId, m: Option<&Mapped>| -> Span {
            m.map(|m| m.span).or(said.mapped_at(id)).unwrap_or(decls.symbols[id].span)
        };
        // The primary place is a directive.
        let (at, of, other) =
            if y.is_some() { (place(b, y), b, place(a, x)) } else { (place(a, x), a, decls.symbols[b].span) };
        let message = format!("'{}' of the COMMON block /{name}/ is mapped in two ways", decls.symbols[of].name);
        let d = Diagnostic::error("T0427", at, message).because(other, "here it is not mapped so");
        diags.push(
            d.help("Repeat the same directives in each procedure, best by INCLUDE, or put the arrays into a module"),
        );
        return;
    }
}

fn alike(a: Option<&Mapped>, b: Option<&Mapped>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => same(&a.data, &b.data),
        _ => false,
    }
}

/// The same but for names, and for numbers that are known at run time only.
fn same(a: &MappingData, b: &MappingData) -> bool {
    let kind = |f: &Format| std::mem::discriminant(f);
    let is_unknown = |f: &Format| match f {
        Format::Block(size) | Format::Cyclic(size) => matches!(size, Size::Of(_) | Size::Unknown),
        Format::GenBlock(_) | Format::Indirect(_) => true,
    };
    let axis = |(x, y): (&Axis, &Axis)| match (x, y) {
        (Axis::Collapsed, Axis::Collapsed) => true,
        (Axis::On { grid_dim: g, place: p, format: f, .. }, Axis::On { grid_dim: h, place: q, format: e, .. }) => {
            g == h && p == q && kind(f) == kind(e) && (f == e || is_unknown(f) && is_unknown(e))
        }
        _ => false,
    };
    let grids = a.grid.name.is_none() || b.grid.name.is_none() || a.grid.extents == b.grid.extents;
    a.axes.len() == b.axes.len() && a.axes.iter().zip(&b.axes).all(axis) && a.others.len() == b.others.len() && grids
}
