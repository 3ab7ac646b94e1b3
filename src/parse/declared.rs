//! The declarations of a scope as a debugger wants to know them.

use crate::Declarations;
use crate::lower::Lower;
use crate::scope::{ScopeId, ScopeKind};
use crate::structure::StructureId;
use crate::symbol::{Bounds, Extent, Home, Symbol, SymbolId, SymbolKind};
use cranelift_entity::EntityRef;
use trueline_ir::Type;
use trueline_ir::declared::{Component, DataType, Declared, Home as Place, Structure, Variable};

/// Every derived type of the compilation, by its number.
pub(crate) fn structures(decls: &Declarations) -> Vec<Structure> {
    let component = |c: &crate::structure::Component| Component {
        name: c.name.clone(),
        offset: c.offset,
        ty: data_type(c.ty, c.structure, c.len, &c.shape, c.is_indirect()),
    };
    let structure = |s: &crate::structure::Structure| Structure {
        name: s.name.clone(),
        size: s.size,
        components: s.components.iter().map(component).collect(),
    };
    decls.structures.values().map(structure).collect()
}

impl Lower<'_, '_> {
    /// The declarations of the unit that is lowered, once its variables have their places.
    pub(crate) fn declared(&self) -> Declared {
        let decls = self.cx.decls;
        let scope = &decls.scopes[self.home];
        let mut out = Declared { module: module_of(decls, self.home), ..Declared::default() };
        let host = scope.parent.and_then(|p| decls.scopes[p].symbol).map(|s| &decls.symbols[s].kind);
        out.host = match host {
            Some(SymbolKind::Procedure(p)) => Some(p.linker.clone()),
            Some(SymbolKind::Program(_)) => Some("MAIN__".to_owned()),
            _ => None,
        };
        // What the host uses is visible, too.
        let around = std::iter::successors(Some(self.home), |&s| decls.scopes[s].parent);
        for (_, id) in around.flat_map(|s| &decls.scopes[s].used) {
            let from = module_of(decls, decls.symbols[*id].scope);
            out.uses.extend(from.filter(|m| !out.uses.contains(m)));
        }
        let mut ids: Vec<SymbolId> = self.bindings.keys().copied().chain(scope.own.iter().copied()).collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            let s = self.symbol(id);
            // Variables of the host that an internal procedure mentions are its variables, too.
            let is_module_data = s.scope != self.home
                && matches!(decls.scopes[s.scope].kind, ScopeKind::Module | ScopeKind::BlockData | ScopeKind::Global);
            // Of a BLOCK's variables those that hide none: a debugger sees one scope.
            let is_hiding = decls.scopes[s.scope].kind == ScopeKind::Construct
                && scope.own.iter().any(|&x| decls.symbols[x].name == s.name);
            if !is_hiding {
                let variable = self.declared_variable(id, s);
                let of_module = is_module_data.then(|| module_of(decls, s.scope));
                out.variables.extend(
                    variable
                        .filter(|_| of_module != Some(None))
                        .map(|v| Variable { of_module: of_module.flatten(), ..v }),
                );
            }
        }
        let own = decls.structures.iter().filter(|(_, s)| s.scope == self.home);
        out.structures = own.map(|(id, _)| id.index() as u32).collect();
        out
    }

    fn declared_variable(&self, id: SymbolId, s: &Symbol) -> Option<Variable> {
        let ty = s.ty.filter(|_| s.is_variable())?;
        let home = match (s.home, self.bindings.get(&id)) {
            (Home::Static { area, offset }, _) if s.is_indirect() => Place::Shared {
                area: self.cx.decls.statics[area].symbol.clone(),
                offset,
                sym: self.bindings.get(&id).map(|b| b.sym),
            },
            (_, Some(binding)) => Place::Sym(binding.sym),
            _ => return None,
        };
        let common = match s.home {
            Home::Static { area, .. } if s.attrs.common => Some(self.cx.decls.statics[area].symbol.clone()),
            _ => None,
        };
        let span = s.span;
        let own = &self.cx.decls.symbols[self.cx.decls.scopes[self.home].symbol?];
        let line = if span.file == own.span.file { self.cx.map.start(span).line } else { 0 };
        Some(Variable {
            name: s.name.clone(),
            line,
            ty: data_type(ty, s.structure, s.len, &s.shape, s.is_indirect()),
            home,
            is_argument: matches!(s.home, Home::Dummy { .. }) && s.scope == self.home,
            common,
            of_module: None,
        })
    }
}

fn data_type(ty: Type, structure: Option<StructureId>, len: Extent, shape: &[Bounds], is_indirect: bool) -> DataType {
    DataType {
        ty,
        structure: structure.map(|s| s.index() as u32),
        len: len.known().filter(|_| ty == Type::Char),
        dims: shape.iter().map(|b| (b.lower.known(), b.upper.known())).collect(),
        is_indirect,
    }
}

/// The module that a scope is, or is in.
fn module_of(decls: &Declarations, scope: ScopeId) -> Option<String> {
    let around = std::iter::successors(Some(scope), |&s| decls.scopes[s].parent);
    let module = around.filter(|&s| decls.scopes[s].kind == ScopeKind::Module).last()?;
    Some(decls.symbols[decls.scopes[module].symbol?].name.clone())
}
