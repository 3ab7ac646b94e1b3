//! STRUCTUREs: nested ones, the values of their components, and the overlays of UNION and MAP.

use crate::constant::eval::const_eval;
use crate::declare::Declare;
use crate::declare::structures::round_up;
use crate::scope::ScopeId;
use crate::scope::symbol::{Extent, SymbolKind};
use crate::types::structure::{Component, Default, StructureId, constant_bytes};
use trueline_diag::{Diagnostic, Span};
use trueline_ir::Type;
use trueline_syntax::ast::{DataGroup, DerivedType, ExprKind, Overlay};

impl Declare<'_, '_> {
    /// A STRUCTURE in another one, and the components of its type.
    pub fn inner_structure(&mut self, scope: ScopeId, outer: StructureId, inner: &DerivedType) {
        self.derived_type(scope, inner);
        let symbol = self.decls.lookup_local(scope, self.text(scope, inner.name));
        let Some(SymbolKind::DerivedType(id)) = symbol.map(|s| self.decls.symbols[s].kind.clone()) else { return };
        let len = Extent::Known(self.decls.structures[id].size);
        for field in inner.fields.iter().flatten() {
            let name = self.text(scope, field.name);
            let shape = field.dims.as_ref().map(|dims| self.shape(scope, name, dims)).unwrap_or_default();
            let new = Component::new(name, field.name.span, Type::Char);
            let c = Component { structure: Some(id), len, shape, ..new };
            if self.is_component(&c) {
                self.add_component(outer, c);
            }
        }
    }

    /// `INTEGER i(3) /1, 2*5/`
    pub fn component_values(&mut self, scope: ScopeId, id: StructureId, groups: &[DataGroup]) {
        let ast = self.ast(scope);
        for group in groups {
            let Some(&target) = ast.list(group.targets).first() else { continue };
            let ExprKind::Name(name) = ast.expr(target).kind else { continue };
            let Some(k) = self.decls.structures[id].find(ast.name(name)) else { continue };
            let c = self.decls.structures[id].components[k].clone();
            let mut bytes = Vec::new();
            let mut count = 0;
            for v in &group.values {
                let repeat = match v.repeat {
                    Some(x) => self.constant_int(scope, x, "A repeat count").unwrap_or(0).max(0),
                    None => 1,
                };
                count += repeat;
                if count > c.count() {
                    break;
                }
                let value = match const_eval(&self.decls, scope, v.value) {
                    Ok(value) => value,
                    Err(why) => return self.unfolded(&why, "The value of a component"),
                };
                let Some(one) = value.scalar().and_then(|v| constant_bytes(v, &c)) else {
                    let message = format!("The value does not fit the component '{}'", c.name);
                    return self.error("T0302", ast.span(v.value), message);
                };
                bytes.extend(one.repeat(repeat as usize));
            }
            if count != c.count() {
                let some = if count > c.count() { "more" } else { "fewer" };
                let message = format!("There are {some} values than the component '{}' has elements", c.name);
                self.error("T0466", group.span, message);
                continue;
            }
            let component = &mut self.decls.structures[id].components[k];
            (component.default, component.has_default) = (Default::Bytes(bytes), true);
        }
    }

    /// UNION, MAP or the END of one.
    pub fn overlay(&mut self, id: StructureId, overlay: Overlay, span: Span) {
        let s = &self.decls.structures[id];
        let open = open_overlays(&s.overlays);
        let fits = match overlay {
            Overlay::Union => open.last() != Some(&Overlay::Union),
            Overlay::Map | Overlay::EndUnion => open.last() == Some(&Overlay::Union),
            Overlay::EndMap => open.last() == Some(&Overlay::Map),
        };
        if !fits || open.len() > 100 {
            let what = match overlay {
                Overlay::Union => "A UNION cannot begin here",
                Overlay::Map => "A MAP can only stand in a UNION",
                Overlay::EndUnion => "There is no UNION to end here",
                Overlay::EndMap => "There is no MAP to end here",
            };
            return self.error("T0467", span, what);
        }
        let at = s.components.len();
        self.decls.structures[id].overlays.push((at, overlay));
    }

    /// Unions and maps without an end are reported, and ended.
    pub fn close_overlays(&mut self, id: StructureId, span: Span) {
        let s = &mut self.decls.structures[id];
        let at = s.components.len();
        let open = open_overlays(&s.overlays);
        if open.is_empty() {
            return;
        }
        let end = |o: &Overlay| if *o == Overlay::Union { Overlay::EndUnion } else { Overlay::EndMap };
        s.overlays.extend(open.iter().rev().map(|o| (at, end(o))));
        let message = format!("A UNION or MAP of the structure '{}' has no END", s.name);
        self.diags.push(Diagnostic::error("T0467", span, message));
    }
}

/// The overlays that have begun and not ended.
fn open_overlays(overlays: &[(usize, Overlay)]) -> Vec<Overlay> {
    let mut open = Vec::new();
    for &(_, overlay) in overlays {
        match overlay {
            Overlay::Union | Overlay::Map => open.push(overlay),
            Overlay::EndUnion | Overlay::EndMap => {
                open.pop();
            }
        }
    }
    open
}

/// Places components in unions while a structure is laid out.
pub struct Unions<'a> {
    overlays: &'a [(usize, Overlay)],
    next: usize,
    /// For each open union, the start of its maps and the furthest end of one.
    open: Vec<(i64, i64)>,
}

impl<'a> Unions<'a> {
    pub fn new(overlays: &'a [(usize, Overlay)]) -> Self {
        Unions { overlays, next: 0, open: Vec::new() }
    }

    /// Moves `offset` for the overlays that begin and end before component `k`. `alignment` is that of a range of components.
    pub fn at(&mut self, k: usize, offset: &mut i64, alignment: impl Fn(usize, usize) -> i64) {
        while let Some(&(at, overlay)) = self.overlays.get(self.next).filter(|o| o.0 <= k) {
            match overlay {
                Overlay::Union => {
                    let align = alignment(at, self.end_of(self.next));
                    *offset = round_up(*offset, align);
                    self.open.push((*offset, *offset));
                }
                Overlay::Map => *offset = self.open.last().map_or(*offset, |o| o.0),
                Overlay::EndMap => {
                    if let Some((_, furthest)) = self.open.last_mut() {
                        *furthest = (*furthest).max(*offset);
                    }
                }
                Overlay::EndUnion => {
                    let align = alignment(self.start_of(self.next), at);
                    if let Some((_, furthest)) = self.open.pop() {
                        *offset = round_up(furthest, align);
                    }
                }
            }
            self.next += 1;
        }
    }

    /// The component behind the last of the union that begins at overlay `k`.
    fn end_of(&self, k: usize) -> usize {
        let mut depth = 0;
        for &(at, overlay) in &self.overlays[k..] {
            match overlay {
                Overlay::Union => depth += 1,
                Overlay::EndUnion => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        self.overlays.last().map_or(0, |o| o.0)
    }

    /// The first component of the union that ends at overlay `k`.
    fn start_of(&self, k: usize) -> usize {
        let mut depth = 0;
        for &(at, overlay) in self.overlays[..=k].iter().rev() {
            match overlay {
                Overlay::EndUnion => depth += 1,
                Overlay::Union => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        0
    }
}
