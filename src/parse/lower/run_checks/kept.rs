//! Variables without a value that outlive a call, or that several procedures of a file reach by name: saved ones, those of a
//! host that its internal procedures mention, and the private ones of a module.
//!
//! ```text
//! integer, save :: n   =>   defined.n in static memory, zero when the program begins
//! ```
//!
//! All code that can mention them is in this file, so each mention is seen. A variable that other files reach may be defined by
//! code without checks, and is not watched.

use crate::expr::Exprs;
use crate::run_checks::elements::Shadow;
use crate::variables::Variables;
use rustc_hash::FxHashSet;
use trueline_ir::{AreaData, Dim, Head, Linkage, Storage, Sym, SymData, Type};
use trueline_sema::scope::ScopeKind;
use trueline_sema::scope::symbol::{Home, Symbol, SymbolId, SymbolKind};
use trueline_sema::storage::initial::is_kept;

/// The most elements of an array that has a shadow in static memory.
const MOST_ELEMENTS: i64 = 1 << 24;

/// The variables that some NAMELIST group has: a READ may define them without their names.
pub(crate) fn in_groups(decls: &trueline_sema::Declarations<'_>) -> FxHashSet<SymbolId> {
    let groups = decls.symbols.values().filter_map(|s| match &s.kind {
        SymbolKind::Namelist(objects) => Some(objects),
        _ => None,
    });
    groups.flatten().copied().collect()
}

impl Variables<'_> {
    /// Whether static memory says if the variable has a value.
    fn is_watched_for_all(&self, id: SymbolId) -> bool {
        let (decls, s) = (self.cx.decls, self.symbol(id));
        let owner = &decls.scopes[s.scope];
        let a = &s.attrs;
        let reached = a.target || a.volatile || a.equivalenced || a.common || a.associate || s.bind.is_some();
        let is_plain = s.is_variable() && s.interface.is_none() && s.structure.is_none() && !s.is_indirect();
        let has_place = matches!(s.home, Home::Register | Home::Frame | Home::Static { .. });
        let has_size = s.element_count().is_some_and(|n| n > 0 && n <= MOST_ELEMENTS)
            && s.shape.iter().all(|b| b.size().is_some_and(|n| n > 0));
        if !is_plain || reached || a.result || a.initialised || s.value.is_some() || !has_place || !has_size {
            return false;
        }
        let is_seen = match owner.kind {
            ScopeKind::Module => owner.hidden.contains(s.name.as_str()) && !decls.ast(s.scope).external,
            ScopeKind::Program => self.cx.facts.is_captured(decls, s.scope, id),
            ScopeKind::Procedure => {
                is_kept(decls, s.scope, s)
                    || self.cx.facts.is_captured(decls, s.scope, id)
                        && !trueline_sema::storage::is_recursive(decls, s.scope)
            }
            _ => false,
        };
        is_seen && !self.cx.in_groups.contains(&id)
    }

    /// The symbol of the procedure, program or module that has the variable, for names of memory.
    fn owner_of(&self, s: &Symbol) -> Option<String> {
        let decls = self.cx.decls;
        let owner = &decls.symbols[decls.scopes[s.scope].symbol?];
        Some(match owner.procedure() {
            Some(p) => p.linker.clone(),
            None => owner.name.clone(),
        })
    }

    /// Static memory of this object.
    fn kept_memory(&mut self, symbol: String, size: u64) -> Storage {
        let (init, addresses) = (Vec::new(), Vec::new());
        let area = AreaData { symbol, size, align: 4, linkage: Linkage::Shared, init, addresses };
        Storage::Static { area: self.e.b.area(area), offset: 0 }
    }
}

impl Exprs<'_> {
    /// At entry: the variables of this kind that the procedure may mention are watched.
    pub(crate) fn watch_kept(&mut self) {
        let own = self.cx.decls.scopes[self.home].own.clone();
        let facts = self.cx.facts;
        let around = facts.mentioned(self.home).iter().chain(facts.captured(self.home)).copied();
        let mut all: Vec<SymbolId> = own.into_iter().chain(around).collect();
        all.sort_unstable();
        all.dedup();
        for id in all {
            if !self.defined.contains_key(&id) && self.is_watched_for_all(id) {
                self.watch_for_all(id);
            }
        }
    }

    fn watch_for_all(&mut self, id: SymbolId) {
        let s = self.symbol(id);
        let (home, span, is_own) = (s.home, s.span, s.scope == self.home);
        let count = s.element_count().filter(|_| s.is_array());
        let Some(owner) = self.owner_of(s) else { return };
        let sym = match (self.bindings.get(&id), home) {
            (Some(binding), _) => binding.sym,
            (None, Home::Static { .. }) => self.binding(id, span).sym,
            _ => return,
        };
        let name = self.symbol(id).name.clone();
        let storage = self.kept_memory(format!("{owner}.{name}.defined"), 4);
        let flag = self.e.b.sym(crate::emit::scalar(format!("defined.{name}"), Type::I4, storage));
        self.defined.insert(id, flag);
        let mut shadow = None;
        if let Some(count) = count {
            let storage = self.kept_memory(format!("{owner}.{name}.shadow"), count.unsigned_abs());
            let dims = self.sym(sym).dims.iter().map(|d| Dim { stride: None.into(), ..*d }).collect();
            let data = SymData { dims, ..crate::emit::scalar(format!("shadow.{name}"), Type::I1, storage) };
            let elements = self.e.b.sym(data);
            self.shadows.insert(sym, Shadow::fixed(elements, flag, id));
            shadow = Some(elements);
        }
        // Each activation of the host begins without values.
        if is_own && self.is_new_at_entry(self.symbol(id)) {
            let (place, zero) = (self.var(flag), self.int(Type::I4, 0));
            self.assign(place, zero);
            self.forget(shadow);
        }
    }

    fn forget(&mut self, shadow: Option<Sym>) {
        if let Some(elements) = shadow {
            let (place, value) = (self.var(elements), self.int(Type::I1, 0));
            self.push(Head::ArrayAssign { place, value });
        }
    }
}
