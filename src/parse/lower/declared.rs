//! The declarations of a scope as a debugger wants to know them.

use crate::Lower;
use cranelift_entity::EntityRef;
use trueline_diag::FileId;
use trueline_ir::declared::{Component, DataType, Declared, Home as Place, Index, Structure, Subscript, Variable};
use trueline_ir::{Expr, ExprData, Type};
use trueline_sema::Declarations;
use trueline_sema::scope::symbol::{Bounds, Extent, Home, Symbol, SymbolId, SymbolKind};
use trueline_sema::scope::{ScopeId, ScopeKind};
use trueline_sema::types::structure::StructureId;
use trueline_syntax::ast::StmtKind;

/// Every derived type of the compilation, by its number.
pub(crate) fn structures(decls: &Declarations) -> Vec<Structure> {
    let component = |c: &trueline_sema::types::structure::Component| Component {
        name: c.name.clone(),
        offset: c.offset,
        ty: data_type(c.ty, c.structure, c.len, &c.shape, c.is_indirect()),
    };
    let structure = |s: &trueline_sema::types::structure::Structure| Structure {
        name: s.name.clone(),
        size: s.size,
        components: s.components.iter().map(component).collect(),
    };
    decls.structures.values().map(structure).collect()
}

impl Lower<'_> {
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
        // Modules that the host uses are visible, too.
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
            let of_module = is_module_data.then(|| module_of(decls, s.scope));
            if of_module == Some(None) {
                continue;
            }
            let variable = self.declared_variable(id, s);
            out.variables.extend(variable.map(|v| Variable { of_module: of_module.flatten(), ..v }));
        }
        let mut associates: Vec<SymbolId> = self.associates.keys().copied().collect();
        associates.sort_unstable();
        out.variables.extend(associates.into_iter().filter_map(|id| self.declared_associate(id)));
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
        let line = if span.file == self.own_file()? { self.cx.map.start(span).line } else { 0 };
        Some(Variable {
            name: s.name.clone(),
            line,
            ty: data_type(ty, s.structure, s.len, &s.shape, s.is_indirect()),
            home,
            is_argument: matches!(s.home, Home::Dummy { .. }) && s.scope == self.home,
            present: self.present.get(&id).copied(),
            common,
            of_module: None,
            lines: self.lines_of(s),
        })
    }

    /// The file of the procedure.
    fn own_file(&self) -> Option<FileId> {
        let decls = self.cx.decls;
        Some(decls.symbols[decls.scopes[self.home].symbol?].span.file)
    }

    /// The first and last line of the construct that a variable belongs to.
    fn lines_of(&self, s: &Symbol) -> Option<(u32, u32)> {
        let construct = self.cx.decls.scopes[s.scope].construct?;
        let end = match &self.ast.stmt(construct).kind {
            StmtKind::Block(c) => c.end,
            StmtKind::Associate(c) => c.end,
            StmtKind::Select(c) => c.end,
            StmtKind::Do(c) => c.end.or(c.terminal),
            _ => None,
        };
        let [first, last] = [construct, end?].map(|s| self.ast.stmt(s).span);
        let is_own = Some(first.file) == self.own_file() && first.file == last.file;
        is_own.then(|| (self.cx.map.start(first).line, self.cx.map.end(last).line))
    }

    /// An associate name: the variable or part of one that it stands for, or a value in a register.
    fn declared_associate(&self, id: SymbolId) -> Option<Variable> {
        let s = self.symbol(id);
        let e = self.associates.get(&id).copied()?.value.e;
        let index = |e: Expr| match self.e.expr(e) {
            ExprData::Var(v) => Some(Index::Of(v)),
            _ => self.e.pool().as_int(e).map(Index::Known),
        };
        let home = match self.e.expr(e) {
            ExprData::Var(v) => Place::Sym(v),
            ExprData::Elem(sym, subs) | ExprData::Section(sym, subs) => {
                let sub = |&e: &Expr| match self.e.expr(e) {
                    ExprData::Triplet(lo, hi, step) => Some(Subscript::Range(index(lo)?, index(hi)?, index(step)?)),
                    _ if self.e.pool().rank(e) > 0 => None,
                    _ => index(e).map(Subscript::At),
                };
                Place::Part { sym, subs: self.list(subs).iter().map(sub).collect::<Option<_>>()? }
            }
            _ => return None,
        };
        let ty = data_type(self.e.ty(e), self.structure_at(e), Extent::Known(0), &[], false);
        Some(Variable {
            name: s.name.clone(),
            line: self.cx.map.start(s.span).line,
            ty: DataType { len: None, ..ty },
            home,
            is_argument: false,
            present: None,
            common: None,
            of_module: None,
            lines: Some(self.lines_of(s)?),
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
