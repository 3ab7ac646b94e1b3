//! The symbols of a procedure: parameters in the order of the ABI, set-up of bounds and automatic
//! arrays, static memory, and the descriptors of allocatables.
//!
//! ```text
//! subroutine s(n, a, c)            params: n, a, c, len(c) by value
//!   integer n                =>    ub.a = i8(n)                      @s
//!   real a(n), w(2*n)              ub.w = i8(2*n)                    @s
//!   character(*) c                 base.w = allocate(4*max(ub.w,0))  @s
//! ```
//!
//! An internal procedure gets the host variables it reaches as further parameters ([`Part`]): the same
//! function lists them for the definition and for each call, so the two agree by construction.
//!
//! An allocatable is memory behind a base register with its bounds in registers. Where others can
//! change it (a module's, a saved one, a host's that is allocated here) the truth is in memory: it is
//! loaded at entry and after each call, and stored after ALLOCATE and DEALLOCATE.

use crate::Lower;
use crate::control::Body;
use crate::expr::Exprs;
use crate::memory::descriptor::Indirect;
use crate::values::{Binding, Checked, Descriptor, Val, refused};
use crate::variables::Variables;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::{
    Access, Area, AreaData, Callee, Dim, Expr, Head, Linkage, ProcData, Rt, Storage, Sym, SymData, Type,
};
use trueline_sema::scope::symbol::{
    Bounds, Extent, Home, Overlay, StaticId, Symbol, SymbolId, has_strides, is_assumed_shape,
};
use trueline_syntax::ast::{ExprId, ExprKind};

/// A piece of a captured variable that is passed to an internal procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// The variable, by reference.
    Place,
    /// A bound that is not constant, by value: the dimension, and whether it is the upper one.
    Bound(usize, bool),
    /// The distance in bytes of neighbours in a dimension, by value.
    Stride(usize),
    /// The character length, by value.
    Length,
    /// Number `k` of the registers of an ALLOCATABLE, by reference.
    Descriptor(usize),
    /// The descriptor of a POINTER, by reference.
    Words,
    /// The deferred length of a POINTER, by reference.
    DeferredLength,
    /// The address of a dummy procedure, by value.
    Procedure,
    /// Whether an optional argument of the host is there, by value.
    Present,
}

/// A part of an argument that is passed beside its address, by value unless said otherwise: after the lengths,
/// to procedures whose interface is explicit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extra {
    /// The extent of dimension `k` of an assumed-shape array.
    Extent(usize),
    /// The distance in bytes of neighbours in dimension `k` of an array that pointers may go on pointing to.
    Stride(usize),
    /// Whether an optional argument is there.
    Present,
}

/// The further arguments of a dummy argument, in order.
pub(crate) fn extras(s: &Symbol) -> Vec<Extra> {
    let mut out = Vec::new();
    if is_assumed_shape(s) {
        out.extend((0..s.rank()).map(Extra::Extent));
    }
    if has_strides(s) {
        out.extend((0..s.rank()).map(Extra::Stride));
    }
    if s.attrs.optional {
        out.push(Extra::Present);
    }
    out
}

/// A register whose value is computed at entry.
pub(crate) struct Pending {
    pub(crate) register: Sym,
    /// The variable whose declaration it is in.
    pub(crate) of: SymbolId,
    pub(crate) scope: trueline_sema::scope::ScopeId,
    pub(crate) value: Entry,
    pub(crate) is_length: bool,
}

/// The value of a register at entry.
pub(crate) enum Entry {
    /// An expression of the source.
    Expr(ExprId),
    /// The upper bound that this lower bound and this extent make.
    Upper(Expr, Expr),
}

impl Variables<'_> {
    /// The piece of the stack that equivalenced variables share, in words.
    fn overlay(&mut self, of: Overlay) -> Sym {
        if let Some(&known) = self.overlays.get(&of.first) {
            return known;
        }
        let name = format!("overlay.{}", self.symbol(of.first).name);
        let mut data = SymData::scalar(name, Type::I8, Storage::Frame);
        let words = i64::try_from(of.size.div_ceil(8)).unwrap_or(i64::MAX);
        data.dims.push(Dim::new(self.e.int8(1), Some(self.e.int8(words.max(1)))));
        data.may_alias = true;
        let sym = self.e.b.sym(data);
        self.overlays.insert(of.first, sym);
        sym
    }

    /// Static memory. Its content is in the unit that gives it, and nowhere else: there is one copy of a large table that
    /// many units use.
    pub(crate) fn area(&mut self, id: StaticId) -> Area {
        let data = &self.cx.decls.statics[id];
        let own = data.owner == self.home;
        let area = AreaData {
            symbol: data.symbol.clone(),
            size: data.size,
            align: data.align,
            linkage: data.linkage,
            init: if own { data.init.clone() } else { Vec::new() },
            addresses: Vec::new(),
        };
        let area = self.e.b.area(area);
        if own && self.e.area(area).addresses.is_empty() {
            for (at, procedure) in &data.procedures {
                self.e.b.area_mut(area).addresses.push((*at, procedure.clone(), 0));
            }
            for &(at, of, add) in &data.addresses {
                let symbol = self.cx.decls.statics[of].symbol.clone();
                self.e.b.area_mut(area).addresses.push((at, symbol, add));
            }
            for &(_, of, _) in &data.addresses {
                self.area(of);
            }
            if let Some(&length) = self.cx.decls.lengths.get(&id) {
                self.area(length);
            }
        }
        area
    }

    pub(crate) fn symbol_data(&self, id: SymbolId, storage: Storage) -> SymData {
        let s = self.symbol(id);
        // Code elsewhere may take the address of memory that it can reach.
        let is_reached = match storage {
            Storage::Static { area, .. } => !matches!(self.e.area(area).linkage, Linkage::Local),
            Storage::Dummy { .. } => true,
            _ => false,
        };
        SymData {
            intent: s.intent,
            may_alias: s.attrs.target
                || s.attrs.pointer
                || s.attrs.volatile
                || s.overlay.is_some()
                || self.has_named_pointers(s)
                || trueline_sema::storage::keeps_addresses(self.cx.decls, s)
                || (is_reached && self.cx.decls.options.cray_pointers),
            from_source: true,
            ..SymData::scalar(s.name.clone(), s.ty.unwrap_or(Type::I4), storage)
        }
    }

    /// Whether something in the structure is a POINTER that may also be a dummy argument here.
    fn has_named_pointers(&self, s: &Symbol) -> bool {
        self.cx.facts.names_pointers(self.home)
            && s.structure.is_some_and(|id| self.cx.decls.structures[id].has_pointers)
    }

    pub(crate) fn dims(&mut self, id: SymbolId, pending: &mut Vec<Pending>) -> SmallVec<[Dim; 2]> {
        let s = self.symbol(id);
        let one = self.e.int8(1);
        let mut dims = SmallVec::new();
        for Bounds { lower, upper } in s.shape.clone() {
            let lower = self.extent(id, "lb", lower, pending).unwrap_or(one);
            let upper = self.extent(id, "ub", upper, pending);
            dims.push(Dim::new(lower, upper));
        }
        dims
    }

    pub(crate) fn length(&mut self, id: SymbolId, pending: &mut Vec<Pending>) -> Option<Expr> {
        let len = self.symbol(id).len;
        let at = pending.len();
        let len = match len {
            Extent::Known(v) => Some(self.e.int8(v.max(0))),
            other => self.extent(id, "len", other, pending),
        };
        pending[at..].iter_mut().for_each(|p| p.is_length = true);
        len
    }

    fn extent(&mut self, id: SymbolId, what: &str, extent: Extent, pending: &mut Vec<Pending>) -> Option<Expr> {
        match extent {
            Extent::Known(v) => Some(self.e.int8(v)),
            Extent::Entry(expr) => {
                let s = self.symbol(id);
                let register = self.e.register(&format!("{what}.{}", s.name), Type::I8);
                pending.push(Pending { register, of: id, scope: s.scope, value: Entry::Expr(expr), is_length: false });
                Some(self.e.var(register))
            }
            Extent::Deferred | Extent::Assumed => None,
        }
    }

    /// Sorts pending values so that each comes after those of the variables that it mentions, in whatever order they
    /// are declared.
    fn in_dependence_order(&self, pending: Vec<Pending>) -> Vec<Pending> {
        let mut of_name: FxHashMap<&str, SmallVec<[usize; 4]>> = FxHashMap::default();
        for (k, p) in pending.iter().enumerate() {
            of_name.entry(self.symbol(p.of).name.as_str()).or_default().push(k);
        }
        let mut order: Vec<usize> = Vec::with_capacity(pending.len());
        let mut seen = vec![false; pending.len()];
        for first in 0..pending.len() {
            let mut stack = vec![(first, false)];
            while let Some((k, is_ready)) = stack.pop() {
                if is_ready {
                    order.push(k);
                } else if !std::mem::replace(&mut seen[k], true) {
                    stack.push((k, true));
                    let Entry::Expr(x) = pending[k].value else { continue };
                    let ast = self.cx.decls.ast(pending[k].scope);
                    trueline_sema::visit::expressions(ast, x, &mut |x| {
                        if let ExprKind::Name(name) = ast.expr(x).kind {
                            let needed = of_name.get(ast.name(name)).into_iter().flatten().rev();
                            stack.extend(needed.filter(|&&n| !seen[n]).map(|&n| (n, false)));
                        }
                    });
                }
            }
        }
        let mut pending: Vec<Option<Pending>> = pending.into_iter().map(Some).collect();
        order.into_iter().filter_map(|k| pending[k].take()).collect()
    }

    /// `base` = the address of `size` new bytes; null instead of the end of the program with `stat`.
    pub(crate) fn allocate(&mut self, base: Sym, size: Expr, stat: bool) {
        let location = self.e.location();
        let (f, args) = if stat {
            (Rt::AllocateStat, self.e.b.list(&[size]))
        } else {
            (Rt::Allocate, self.e.b.list(&[size, location]))
        };
        self.e.push(Head::Call { callee: trueline_ir::Callee::Rt(f), args, result: base.into() });
    }

    /// A pointer or allocatable whose descriptor is in static memory.
    fn declare_shared_allocatable(&mut self, id: SymbolId) {
        let s = self.symbol(id);
        let Home::Static { area, offset } = s.home else { return };
        let own_length = self.cx.decls.lengths.get(&area).map(|&length| self.area(length));
        let area = self.area(area);
        let (sym, mut d) = self.indirect_of_length(id, None);
        let words = self.words_symbol(&s.name.clone(), s.rank(), Storage::Static { area, offset });
        let len = d.len.map(|_| {
            let offset = offset + trueline_sema::types::structure::descriptor_size(s.rank()) as u64;
            let storage = match own_length {
                Some(area) => Storage::Static { area, offset: 0 },
                None => Storage::Static { area, offset },
            };
            let sym = self.e.b.sym(SymData::scalar(format!("{}.len", s.name), Type::I8, storage));
            self.e.var(sym)
        });
        self.keep_in(&mut d, words, len);
        self.share(sym, &d);
        self.load_descriptor(&d);
        self.bindings.insert(id, Binding { sym, descriptor: Some(d) });
    }

    /// The same before the body, where a bound mentions it, or where only the interface of a called function does: then
    /// its descriptor is loaded for this one use.
    fn shared_binding(&mut self, id: SymbolId) -> Binding {
        self.declare_shared_allocatable(id);
        let binding = self.bindings[&id].clone();
        if self.has_entered {
            self.bindings.remove(&id);
        }
        binding
    }

    /// The descriptor of `sym` is in memory that others reach, too.
    pub(crate) fn share(&mut self, sym: Sym, d: &Descriptor) {
        self.descriptors.insert(sym, d.clone());
        self.shared.push(d.clone());
    }

    /// The memory behind the descriptor of a pointer or allocatable. A length that is computed at entry is `pending`.
    pub(crate) fn indirect_variable(&mut self, id: SymbolId, pending: &mut Vec<Pending>) -> (Sym, Descriptor) {
        let len = match self.symbol(id).len {
            Extent::Entry(_) => self.length(id, pending),
            _ => None,
        };
        self.indirect_of_length(id, len)
    }

    /// The same with a length that is neither constant nor the descriptor's to say.
    pub(crate) fn indirect_of_length(&mut self, id: SymbolId, len: Option<Expr>) -> (Sym, Descriptor) {
        let s = self.symbol(id);
        let what = Indirect {
            ty: s.ty.unwrap_or(Type::I4),
            structure: s.structure,
            rank: s.rank(),
            pointer: s.attrs.pointer,
            len: s.len.known(),
        };
        let may_alias = s.attrs.target || s.attrs.pointer;
        let (sym, mut d) = self.indirect(&s.name.clone(), what, may_alias);
        self.e.b.sym_mut(sym).intent = s.intent;
        if let Some(len) = len {
            self.e.b.sym_mut(sym).len = len.into();
            d.len = None;
            d.size = len;
        }
        self.descriptors.insert(sym, d.clone());
        (sym, d)
    }

    /// Passes a variable to a procedure that could change it, so that no value of it is taken for known: a VOLATILE one before
    /// each mention, an object of a NAMELIST group when the READ has ended.
    pub(crate) fn touch(&mut self, sym: Sym) {
        if self.e.sym(sym).is_register() {
            return;
        }
        let place = self.e.var(sym);
        let address = self.e.address(Access::InOut, place);
        let data = ProcData {
            symbol: "trueline_volatile".to_owned(),
            name: "volatile".to_owned(),
            result: None,
            is_pure: true,
            always_returns: true,
            is_libm: false,
        };
        let callee = Callee::Proc(self.e.b.proc(data));
        let args = self.e.b.list(&[address]);
        self.e.push(Head::Call { callee, args, result: None.into() });
    }

    /// Whether `id` is the variable of a DO around.
    pub(crate) fn is_active(&self, id: SymbolId) -> bool {
        self.active.get(id).is_some()
    }
}

impl Lower<'_> {
    /// Declares the procedure's own variables and evaluates the bounds and lengths of their declarations at entry.
    pub(crate) fn declare_locals(&mut self) {
        for id in self.cx.decls.scopes[self.home].own.clone() {
            let s = self.symbol(id);
            if !s.is_variable() || self.bindings.contains_key(&id) || s.ty.is_none() {
                continue;
            }
            match s.home {
                Home::None if s.cray_pointer.is_some() => self.declare_pointee(id),
                Home::None => {}
                Home::Automatic => self.declare_automatic(id),
                Home::Allocatable => self.declare_allocatable(id),
                Home::Static { .. } if s.is_indirect() => {}
                _ => {
                    let span = s.span;
                    self.binding(id, span);
                }
            }
        }
        for id in self.cx.facts.mentioned(self.home).to_vec() {
            let s = self.symbol(id);
            let static_home = matches!(s.home, Home::Static { .. });
            if s.is_variable() && s.is_indirect() && static_home && !self.bindings.contains_key(&id) {
                self.declare_shared_allocatable(id);
            }
        }
    }

    /// The variables of a module or BLOCK DATA.
    pub(crate) fn declare_module_data(&mut self) {
        for id in self.cx.decls.scopes[self.home].own.clone() {
            let s = self.symbol(id);
            if let (true, Home::Static { area, .. }) = (s.is_variable(), s.home) {
                self.area(area);
                if !s.is_indirect() && s.ty.is_some() {
                    let span = s.span;
                    self.binding(id, span);
                }
            }
        }
    }
}

impl Body<'_> {
    pub(crate) fn declare_allocatable(&mut self, id: SymbolId) {
        let s = self.symbol(id);
        let mut pending = Vec::new();
        let (sym, mut d) = self.indirect_variable(id, &mut pending);
        self.compute(pending);
        let is_captured = || self.cx.facts.is_captured(self.cx.decls, self.home, id);
        let is_looked_at = s.attrs.pointer && self.checks().leaks;
        if s.attrs.closure || is_looked_at || (s.attrs.pointer && is_captured()) {
            // Internal procedures find the descriptor in memory, as does the end of the program.
            let storage = if is_looked_at { self.memory_of_pointer(id) } else { Storage::Frame };
            let words = self.words_symbol(&s.name.clone(), s.rank(), storage);
            // Any call may reach it if a pointer has the procedure, or the call ends the program.
            self.e.b.sym_mut(words.sym).may_alias = s.attrs.target || is_looked_at;
            let len = d.len.map(|_| {
                let mut data = SymData::scalar(format!("{}.len", s.name), Type::I8, Storage::Frame);
                data.may_alias = s.attrs.target;
                let sym = self.e.b.sym(data);
                self.e.var(sym)
            });
            self.keep_in(&mut d, words, len);
            self.share(sym, &d);
        }
        self.clear_descriptor(&d);
        self.store_descriptor(&d);
        let is_main = matches!(self.e.kind(), trueline_ir::UnitKind::Program);
        if s.attrs.allocatable && !is_main && !s.attrs.result {
            self.owned_variables.push((sym, d.clone()));
        }
        if s.attrs.result && s.shape.is_empty() && s.scope == self.home {
            self.e.b.set_result(d.base);
        }
        self.bindings.insert(id, Binding { sym, descriptor: Some(d) });
    }
}

impl Exprs<'_> {
    /// The IR symbol of a variable.
    pub(crate) fn binding(&mut self, id: SymbolId, span: Span) -> Binding {
        if let Some(b) = self.bindings.get(&id) {
            return b.clone();
        }
        let s = self.symbol(id);
        if let Some(pointer) = s.cray_pointer {
            return self.pointee(id, pointer, span);
        }
        let ty = s.ty.checked();
        if s.is_indirect() && matches!(s.home, Home::Static { .. }) {
            return self.shared_binding(id);
        }
        if s.home == Home::Automatic && !self.has_entered {
            return self.early_automatic(id);
        }
        let storage = match s.home {
            Home::Register => Storage::Register,
            Home::Static { area, offset } => Storage::Static { area: self.area(area), offset },
            Home::Frame => match s.overlay {
                Some(overlay) => Storage::Within { root: self.overlay(overlay), offset: overlay.offset },
                None => Storage::Frame,
            },
            // Not a variable that this unit can reach; the declarations have said why.
            _ => refused(),
        };
        let mut pending = Vec::new();
        let mut data = self.symbol_data(id, storage);
        data.dims = self.dims(id, &mut pending);
        if ty == Type::Char {
            data.len = self.length(id, &mut pending).into();
        }
        let sym = self.e.b.sym(data);
        self.compute(pending);
        let binding = Binding { sym, descriptor: None };
        self.bindings.insert(id, binding.clone());
        if s.attrs.result && storage == Storage::Frame && s.scope == self.home {
            let register = self.e.register(&format!("result.{}", s.name), ty);
            self.e.b.set_result(register);
            self.result_copy = Some((register, sym));
        }
        if s.attrs.result && storage == Storage::Register && s.scope == self.home {
            self.e.b.set_result(sym);
        }
        binding
    }

    pub(crate) fn compute(&mut self, pending: Vec<Pending>) {
        for p in self.in_dependence_order(pending) {
            let outer = std::mem::replace(&mut self.scope, p.scope);
            if let Entry::Expr(x) = p.value {
                self.declare_mentioned(x);
            }
            let scope = self.e.open_temps();
            let value = match p.value {
                Entry::Expr(x) => self.bound_at_entry(x),
                Entry::Upper(lower, extent) => {
                    let one = self.e.int8(1);
                    let sum = self.e.add(lower, extent);
                    self.e.sub(sum, one)
                }
            };
            let value = if p.is_length { self.e.at_least_zero(value) } else { value };
            self.e.set(p.register, value);
            self.e.close_temps(scope);
            self.scope = outer;
        }
    }

    /// An automatic array or character: memory from entry to exit.
    fn declare_automatic(&mut self, id: SymbolId) {
        let s = self.symbol(id);
        let base = self.e.register(&format!("base.{}", s.name), Type::I8);
        let sym = self.automatic(id, base);
        self.owned.push(base);
        self.bindings.insert(id, Binding { sym, descriptor: None });
    }

    /// The symbol of an array or string at `base`, which gets memory for the size that is computed here.
    pub(crate) fn automatic(&mut self, id: SymbolId, base: Sym) -> Sym {
        let mut pending = Vec::new();
        let mut data = self.symbol_data(id, Storage::Pointer { base });
        data.dims = self.dims(id, &mut pending);
        if data.ty == Type::Char {
            data.len = self.length(id, &mut pending).into();
        }
        let (ty, len) = (data.ty, data.len.expand());
        let sym = self.e.b.sym(data);
        self.compute(pending);
        let mut size = self.e.int8(ty.size() as i64);
        let shape = self.e.symbol_shape(sym);
        for n in len.into_iter().chain(shape) {
            size = self.e.mul(size, n);
        }
        self.allocate(base, size, false);
        self.note_automatic(id, base, size);
        sym
    }

    /// Declares the automatic variables that an expression of a declaration mentions. While the expression is lowered it would be too
    /// late: the code may stand in a branch then.
    fn declare_mentioned(&mut self, x: ExprId) {
        let (decls, scope) = (self.cx.decls, self.scope);
        let ast = decls.ast(scope);
        let home = self.home;
        let is_own = |s: &Symbol| s.home == Home::Automatic && s.scope == home;
        let mut mentioned: SmallVec<[SymbolId; 4]> = SmallVec::new();
        trueline_sema::visit::expressions(ast, x, &mut |x| {
            if let ExprKind::Name(name) = ast.expr(x).kind {
                mentioned.extend(decls.named(scope, name).filter(|&id| is_own(&decls.symbols[id])));
            }
        });
        for id in mentioned {
            if !self.has_entered && !self.bindings.contains_key(&id) {
                self.early_automatic(id);
            }
        }
    }

    /// An automatic variable that the declaration of an earlier one mentions. In a circle of declarations there is none.
    fn early_automatic(&mut self, id: SymbolId) -> Binding {
        if self.local_forms.contains(&id) {
            refused();
        }
        self.local_forms.push(id);
        self.declare_automatic(id);
        self.local_forms.pop();
        self.bindings.get(&id).cloned().checked()
    }

    /// The variable (or the value that hides it) as a value that is also a place.
    pub(crate) fn variable(&mut self, id: SymbolId, span: Span) -> Val {
        if let Some(v) = self.hidden.find(id) {
            return v;
        }
        if let Some(a) = self.associated(id) {
            return a.value;
        }
        if self.symbol(id).attrs.assumed_type && !self.takes_any_type {
            refused();
        }
        let binding = self.binding(id, span);
        if self.has_entered {
            self.check_present(id, span);
            self.note_mention(id, span);
        }
        if let Some(structure) = self.symbol(id).structure {
            self.structures.insert(binding.sym, structure);
        }
        if self.symbol(id).attrs.volatile && !self.symbol(id).is_indirect() {
            self.touch(binding.sym);
        }
        self.whole_symbol(binding.sym)
    }

    /// Calls `look` with `is_any` telling whether a variable of TYPE(*) may stand there.
    pub(crate) fn of_any_type<T>(&mut self, is_any: bool, look: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.takes_any_type, is_any);
        let found = look(self);
        self.takes_any_type = outer;
        found
    }
}
