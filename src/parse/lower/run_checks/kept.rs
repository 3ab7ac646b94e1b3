//! Variables without a value that outlive a call, or that several procedures of a file reach by name: saved ones, those of a
//! host that its internal procedures mention, and the private ones of a module.
//!
//! ```text
//! integer, save :: n   =>   defined.n in static memory, zero when the program begins
//! common /c/ x         =>   c_.0.defined in memory of all objects, zero or by the link 2 when the program begins
//! ```
//!
//! All code that can mention variables of the first kind is in this file, so each mention is seen. A variable of COMMON or of a
//! module may be defined by other files. It has a value unless its flag is 2, and that is the content which the link gives the flag if all
//! objects of the program note the values of the variable.

use crate::expr::Exprs;
use crate::run_checks::elements::Shadow;
use crate::variables::Variables;
use trueline_ir::{AreaData, Dim, Head, Linkage, Storage, Sym, SymData, Type};
use trueline_sema::scope::ScopeKind;
use trueline_sema::scope::symbol::{Home, Symbol, SymbolId};
use trueline_sema::storage::initial::is_kept;
use trueline_sema::storage::shared;

impl Variables<'_> {
    /// Whether static memory says if the variable has a value.
    fn is_watched_for_all(&self, id: SymbolId) -> bool {
        let (decls, s) = (self.cx.decls, self.symbol(id));
        let owner = &decls.scopes[s.scope];
        let has_place = matches!(s.home, Home::Register | Home::Frame | Home::Static { .. });
        if !has_place || !shared::is_noted(decls, s) {
            return false;
        }
        let is_seen = match owner.kind {
            _ if shared::place(decls, s).is_some() => self.cx.mappings.of(id).is_none(),
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

    /// The start of the names of the memory that says whether the variable has a value, and the linkage of this memory.
    fn flags_of(&self, id: SymbolId) -> Option<(String, Linkage)> {
        let s = self.symbol(id);
        match shared::place(self.cx.decls, s) {
            Some((area, offset)) => {
                Some((trueline_ir::interface::flags_of(&self.cx.decls.statics[area].symbol, offset), Linkage::Common))
            }
            None => Some((format!("{}.{}", self.owner_of(s)?, s.name), Linkage::Shared)),
        }
    }

    /// The symbol of the procedure, program or module that has the variable, for names of memory.
    pub(crate) fn owner_of(&self, s: &Symbol) -> Option<String> {
        let decls = self.cx.decls;
        let owner = &decls.symbols[decls.scopes[s.scope].symbol?];
        Some(match owner.procedure() {
            Some(p) => p.linker.clone(),
            None => owner.name.clone(),
        })
    }

    /// Static memory.
    pub(crate) fn kept_memory(&mut self, symbol: String, size: u64, align: u32, linkage: Linkage) -> Storage {
        let (init, addresses) = (Vec::new(), Vec::new());
        let area = AreaData { symbol, size, align, linkage, init, addresses };
        Storage::Static { area: self.e.b.area(area), offset: 0 }
    }
}

impl Variables<'_> {
    /// The content of a flag that says that the variable has no value.
    pub(crate) fn none_of(&self, flag: Sym) -> i64 {
        if self.shared_flags.contains(&flag) { trueline_ir::interface::WATCHED.into() } else { 0 }
    }

    /// An array of a COMMON block is given to somebody. Old programs go on from there to the arrays behind it.
    pub(crate) fn define_block_of(&mut self, id: SymbolId) {
        let (s, decls) = (self.symbol(id), self.cx.decls);
        let Some((block, _)) = shared::place(decls, s).filter(|_| s.attrs.common && s.is_array()) else { return };
        let is_there = |&(&other, _): &(&SymbolId, &Sym)| {
            shared::place(decls, &decls.symbols[other]).is_some_and(|(area, _)| area == block)
        };
        let mut all: Vec<(SymbolId, Sym)> =
            self.defined.iter().filter(is_there).map(|(&id, &flag)| (id, flag)).collect();
        all.sort_unstable();
        all.into_iter().for_each(|(_, flag)| self.e.set_flag(flag));
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
        let Some((flags, linkage)) = self.flags_of(id) else { return };
        let sym = match (self.bindings.get(&id), home) {
            (Some(binding), _) => binding.sym,
            (None, Home::Static { .. }) => self.binding(id, span).sym,
            _ => return,
        };
        let name = self.symbol(id).name.clone();
        let storage = self.kept_memory(format!("{flags}.defined"), 4, 4, linkage);
        let flag = self.e.b.sym(SymData::scalar(format!("defined.{name}"), Type::I4, storage));
        self.defined.insert(id, flag);
        if linkage == Linkage::Common {
            self.shared_flags.insert(flag);
        }
        let mut shadow = None;
        if let Some(count) = count {
            let storage = self.kept_memory(format!("{flags}.shadow"), count.unsigned_abs(), 4, linkage);
            let dims = self.sym(sym).dims.iter().map(|d| Dim { stride: None.into(), ..*d }).collect();
            let data = SymData { dims, ..SymData::scalar(format!("shadow.{name}"), Type::I1, storage) };
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
