//! A unit: one procedure from its entry to its end.

use crate::{Context, Lower};
use trueline_ir::{Builder, UnitKind};
use trueline_provenance::Serial;
use trueline_sema::constant::Const;
use trueline_sema::scope::symbol::{Home, ProcedureKind, Symbol, SymbolId, SymbolKind};
use trueline_sema::scope::{ScopeId, ScopeKind};
use trueline_sema::typed::Types;
use trueline_syntax::ast::UnitId;

/// The unit of a procedure, module or BLOCK DATA, and the units of its ENTRY points. `types` come from the checks.
pub(crate) fn lower(cx: &Context<'_>, scope: ScopeId, id: UnitId, types: Types) -> Vec<trueline_ir::Unit> {
    let mut units: Vec<trueline_ir::Unit> = lower_unit(cx, scope, id, types).into_iter().collect();
    units.extend(crate::entry::entry_points(cx, scope, id));
    units
}

fn lower_unit(cx: &Context<'_>, scope: ScopeId, id: UnitId, types: Types) -> Option<trueline_ir::Unit> {
    let decls = cx.decls;
    let own = &decls.symbols[decls.scopes[scope].symbol?];
    let serial = cx.serials.of_unit(decls.scopes[scope].ast, id)?;
    let has_entries = !decls.scopes[scope].entries.is_empty();
    let (kind, linker) = match &own.kind {
        SymbolKind::Procedure(p) if has_entries => {
            (crate::entry::body_kind(decls, scope), crate::entry::body_symbol(p))
        }
        SymbolKind::Program(_) => (UnitKind::Program, "MAIN__".to_owned()),
        SymbolKind::Module(_) | SymbolKind::BlockData(_) => (UnitKind::Data, format!("{}.data", own.name)),
        SymbolKind::Procedure(p) if p.kind == ProcedureKind::Function => (UnitKind::Function, p.linker.clone()),
        SymbolKind::Procedure(p) => (UnitKind::Subroutine, p.linker.clone()),
        _ => return None,
    };
    let mut builder = Builder::new(&own.name, &linker, kind, serial);
    let provided = decls.ast(scope).provided;
    builder.set_exported(!has_entries && !provided && !trueline_sema::scope::symbol::is_internal(own));
    let mut lower = Lower::new(cx, scope, id, builder, types);
    lower.set_source_at(serial, own.span);
    if kind == UnitKind::Data {
        lower.declare_module_data();
    } else {
        lower.procedure(serial, own);
    }
    lower.directives();
    lower.mappings();
    let declared = lower.declared();
    lower.e.b.declare(declared);
    Some(lower.finish())
}

impl Lower<'_> {
    /// A whole procedure: set-up, body, and clean-up.
    fn procedure(&mut self, serial: Serial, own: &Symbol) {
        let selector = self.declare_entries(own);
        if selector.is_none() {
            self.declare_parameters(own);
        }
        self.declare_locals();
        self.has_entered = true;
        self.prepare_blocks();
        self.io_defaults();
        self.float_exceptions();
        self.preset_locals();
        self.initial_values();
        self.initial_structures();
        self.collect_labels();
        let body = self.ast.units[self.unit].body;
        self.guard_recursion(own);
        self.guard_stack(own);
        self.check_passed_lengths(own);
        self.take_notes(own);
        self.watch_definitions(own);
        self.begin_aliases(own);
        if let Some(selector) = selector {
            self.jump_to_entry(selector);
        }
        self.block_of(body);
        self.set_source_at(serial, own.span);
        if !self.ends_in_jump() {
            self.leave();
        }
        self.settle_aliases();
    }

    /// The registers of the main program that have a value at entry.
    fn initial_values(&mut self) {
        for &id in &self.cx.decls.scopes[self.home].own {
            let s = self.symbol(id);
            if let (Home::Register, true, Some(Const::Scalar(value))) = (s.home, s.is_variable(), &s.value) {
                let place = self.variable(id, s.span);
                let value = self.scalar_value(value);
                self.e.assign(place.e, value.e);
            }
        }
    }

    /// The directives, on the IR's symbols.
    fn directives(&mut self) {
        for d in self.cx.directives.get(&self.home).into_iter().flatten() {
            let syms = d.symbols.iter().filter_map(|id| self.bindings.get(id)).map(|b| b.sym).collect();
            self.e.b.directive(trueline_ir::Directive {
                serial: d.serial,
                kind: d.kind.clone(),
                text: d.text.clone(),
                syms,
                of_loop: d.of_loop,
            });
        }
    }

    /// The mappings of the arrays that the unit mentions, on the IR's symbols.
    fn mappings(&mut self) {
        let mut mapped: Vec<SymbolId> =
            self.bindings.keys().copied().filter(|&id| self.cx.mappings.of(id).is_some()).collect();
        mapped.sort_unstable();
        if self.cx.decls.options.hpf {
            mapped.iter().for_each(|&id| self.sizes_of_blocks(id));
        }
        for id in mapped {
            let (Some(mapping), Some(binding)) = (self.cx.mappings.of(id), self.bindings.get(&id)) else { continue };
            let sym = binding.sym;
            let own = |of: SymbolId| {
                let is_scalar = self.cx.decls.symbols[of].rank() == 0;
                let sym = self.bindings.get(&of).map(|b| b.sym);
                sym.filter(|&s| self.e.sym(s).dims.is_empty() == is_scalar)
            };
            let data = mapping.data(own);
            if data.axes.len() == self.e.sym(sym).dims.len() || data.axes.is_empty() {
                let mapping = self.e.b.mapping(data);
                self.e.b.sym_mut(sym).mapping = mapping.into();
            }
        }
    }

    /// Variables that are sizes of blocks, and that the unit can reach, are there even if nothing else mentions them.
    fn sizes_of_blocks(&mut self, array: SymbolId) {
        let scopes = &self.cx.decls.scopes;
        let Some(mapping) = self.cx.mappings.of(array) else { return };
        for of in mapping.names().filter(|of| !self.bindings.contains_key(of)).collect::<Vec<_>>() {
            let s = self.symbol(of);
            let is_of_module = matches!(s.home, Home::Static { .. }) && scopes[s.scope].kind == ScopeKind::Module;
            if s.rank() == 0 && s.kind == SymbolKind::Variable && (s.scope == self.home || is_of_module) {
                self.binding(of, s.span);
            }
        }
    }

    /// Whether the last statement of the body cannot be passed.
    fn ends_in_jump(&self) -> bool {
        let last = self.e.stmts(self.e.block()).next_back();
        last.is_some_and(|s| self.e.head(s).is_jump())
    }
}
