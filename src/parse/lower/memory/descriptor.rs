//! Descriptors of pointers and allocatables, in registers and in memory.
//!
//! In memory a scalar is its address, an array gfortran's descriptor: eight-byte words
//!
//! | word | content |
//! |---|---|
//! | 0 | address of the first element, 0 when there is none |
//! | 1 | minus the sum of lower bound times stride: where the element with all subscripts 0 would be |
//! | 2 | bytes of an element |
//! | 3 | rank, type and attributes |
//! | 4 | bytes in a unit of the strides |
//! | 5 + 3k, 6 + 3k, 7 + 3k | stride, lower bound and upper bound of dimension k |
//!
//! The unit works on registers: the address, the bounds, and for a pointer also strides and their unit.

use crate::expr::Exprs;
use crate::expr::component::Part;
use crate::values::{Descriptor, Words};
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_ir::{Access, Dim, Expr, ExprData, Rt, Storage, Sym, Type};
use trueline_sema::types::kinds::type_number;
use trueline_sema::types::structure::{Component, StructureId};

/// The properties of a variable that has a descriptor.
#[derive(Clone, Copy)]
pub(crate) struct Indirect {
    pub(crate) ty: Type,
    pub(crate) structure: Option<StructureId>,
    pub(crate) rank: usize,
    pub(crate) pointer: bool,
    /// The bytes of a `CHARACTER` or structure; none if its length is deferred.
    pub(crate) len: Option<i64>,
}

impl Indirect {
    pub(crate) fn of_component(c: &Component) -> Indirect {
        let (ty, structure, rank) = (c.ty, c.structure, c.shape.len());
        Indirect { ty, structure, rank, pointer: c.pointer, len: c.len.known() }
    }

    fn size(&self) -> i64 {
        match self.ty {
            Type::Char => self.len.unwrap_or(1),
            ty => ty.size() as i64,
        }
    }

    /// Word 3: rank, gfortran's number of the type, and whether it is a pointer (0), allocatable (1) or neither.
    fn kind(&self) -> i64 {
        let ty = if self.structure.is_some() { 5 } else { type_number(self.ty) };
        (self.rank as i64) << 32 | ty << 40
    }
}

/// The number of registers that the descriptor of an ALLOCATABLE takes.
pub(crate) fn register_count(rank: usize, deferred: bool) -> usize {
    1 + 2 * rank + usize::from(deferred)
}

impl Variables<'_> {
    /// The memory behind a new descriptor in registers.
    pub(crate) fn indirect(&mut self, name: &str, what: Indirect, may_alias: bool) -> (Sym, Descriptor) {
        let base = self.e.register(&format!("base.{name}"), Type::I8);
        let mut data = trueline_ir::SymData::scalar(name.to_owned(), what.ty, Storage::Pointer { base });
        data.from_source = true;
        data.may_alias = may_alias;
        let mut bounds = SmallVec::new();
        let mut strides = SmallVec::new();
        let span = (what.pointer && what.rank > 0).then(|| self.e.register(&format!("span.{name}"), Type::I8));
        for _ in 0..what.rank {
            let lower = self.e.register(&format!("lb.{name}"), Type::I8);
            let upper = self.e.register(&format!("ub.{name}"), Type::I8);
            let mut dim = Dim::new(self.e.var(lower), self.e.var(upper));
            if let Some(span) = span {
                let stride = self.e.register(&format!("st.{name}"), Type::I8);
                strides.push(stride);
                let (units, bytes) = (self.e.var(stride), self.e.var(span));
                dim.stride = self.e.mul(units, bytes).into();
            }
            data.dims.push(dim);
            bounds.extend([lower, upper]);
        }
        let mut len = None;
        if what.ty == Type::Char {
            data.len = Some(match what.len {
                Some(n) => self.e.int8(n),
                None => {
                    let register = self.e.register(&format!("len.{name}"), Type::I8);
                    len = Some(register);
                    self.e.var(register)
                }
            })
            .into();
        }
        let sym = self.e.b.sym(data);
        if let Some(structure) = what.structure {
            self.structures.insert(sym, structure);
        }
        let d = Descriptor {
            base,
            bounds,
            is_pointer: what.pointer,
            is_result: false,
            strides,
            span,
            len,
            memory: SmallVec::new(),
            words: None,
            size: self.e.int8(what.size()),
            kind: what.kind(),
        };
        self.descriptors.insert(sym, d.clone());
        (sym, d)
    }

    /// A word of a descriptor in memory.
    pub(crate) fn word(&mut self, w: &Words, k: i64, rank: usize) -> Expr {
        let mut subs: SmallVec<[Expr; 4]> = SmallVec::new();
        if rank > 0 {
            subs.push(self.int8(k));
        }
        subs.extend(w.outer.iter().copied());
        if subs.is_empty() { self.var(w.sym) } else { self.elem(w.sym, &subs) }
    }

    /// Says that the registers are kept in `words` (and the length in `len`).
    pub(crate) fn keep_in(&mut self, d: &mut Descriptor, words: Words, len: Option<Expr>) {
        let rank = d.bounds.len() / 2;
        let mut memory: SmallVec<[Expr; 8]> = SmallVec::new();
        memory.push(self.word(&words, 0, rank));
        for k in 0..rank as i64 {
            memory.extend([self.word(&words, 6 + 3 * k, rank), self.word(&words, 7 + 3 * k, rank)]);
        }
        if d.span.is_some() {
            for k in 0..rank as i64 {
                memory.push(self.word(&words, 5 + 3 * k, rank));
            }
            memory.push(self.word(&words, 4, rank));
        }
        // A length in memory of its own is another's as the words are.
        if let Some(ExprData::Var(len)) = len.map(|e| self.e.expr(e)) {
            let may_alias = self.e.sym(words.sym).may_alias;
            self.e.b.sym_mut(len).may_alias |= may_alias;
        }
        memory.extend(len);
        d.memory = memory;
        d.words = Some(words);
    }

    /// A symbol for the words of the descriptor of rank `rank` in the memory `storage`. Where POINTER dummy arguments are, the words may
    /// be those of another POINTER.
    pub(crate) fn words_symbol(&mut self, name: &str, rank: usize, storage: Storage) -> Words {
        let mut data = trueline_ir::SymData::scalar(format!("{name}.words"), Type::I8, storage);
        if rank > 0 {
            let last = trueline_sema::types::structure::descriptor_size(rank) / 8 - 1;
            data.dims.push(Dim::new(self.e.int8(0), self.e.int8(last)));
        }
        data.may_alias = self.cx.facts.names_pointers(self.home) || self.checks().leaks;
        Words { sym: self.e.b.sym(data), outer: SmallVec::new() }
    }

    /// Loads address and bounds from memory.
    pub(crate) fn load_descriptor(&mut self, d: &Descriptor) {
        for (register, &memory) in d.registers().zip(&d.memory) {
            self.e.set(register, memory);
        }
    }

    /// Stores all words of a descriptor to memory.
    pub(crate) fn store_descriptor(&mut self, d: &Descriptor) {
        for (register, &memory) in d.registers().zip(&d.memory) {
            let value = self.e.var(register);
            self.e.assign(memory, value);
        }
        if let Some(words) = &d.words {
            self.store_words(d, words);
        }
        self.loaded.clear();
        self.reload_other_names(d);
    }

    /// Stores the address alone: it is not allocated, or not associated any more.
    pub(crate) fn store_base(&mut self, d: &Descriptor) {
        if let Some(&memory) = d.memory.first() {
            let value = self.e.var(d.base);
            self.e.assign(memory, value);
        }
        self.loaded.clear();
        self.reload_other_names(d);
    }

    /// After a change of a POINTER in memory: loads the pointers that may be the same one by another name, since one of both is a dummy
    /// argument.
    fn reload_other_names(&mut self, changed: &Descriptor) {
        if !changed.is_pointer || changed.words.is_none() || !self.cx.facts.names_pointers(self.home) {
            return;
        }
        let is_named = self.is_named_elsewhere(changed);
        for d in self.shared.clone() {
            let is_same_kind = d.is_pointer && d.kind == changed.kind && d.base != changed.base;
            if is_same_kind && (is_named || self.is_named_elsewhere(&d)) {
                self.load_descriptor(&d);
            }
        }
    }

    /// Whether the words are memory of the caller, which it may know by another name.
    fn is_named_elsewhere(&self, d: &Descriptor) -> bool {
        d.words
            .as_ref()
            .is_some_and(|words| matches!(self.sym(words.sym).storage, Storage::Dummy { .. } | Storage::Pointer { .. }))
    }

    /// After a change of structures with pointers in them: loads the pointers that may be components of them.
    pub(crate) fn reload_named_pointers(&mut self, changed: StructureId) {
        if !self.cx.decls.structures[changed].has_pointers || !self.cx.facts.names_pointers(self.home) {
            return;
        }
        for d in self.shared.clone() {
            if d.is_pointer && self.is_named_elsewhere(&d) {
                self.load_descriptor(&d);
            }
        }
    }

    /// The words that no register stands for.
    fn store_words(&mut self, d: &Descriptor, words: &Words) {
        let rank = d.bounds.len() / 2;
        if rank == 0 {
            return;
        }
        let size = match d.len {
            Some(len) => self.var(len),
            None => d.size,
        };
        let mut offset = self.int8(0);
        let mut stride = self.int8(1);
        for k in 0..rank {
            let (lower, upper) = (self.var(d.bounds[2 * k]), self.var(d.bounds[2 * k + 1]));
            if let Some(&own) = d.strides.get(k) {
                stride = self.var(own);
            } else {
                let place = self.word(words, 5 + 3 * k as i64, rank);
                self.assign(place, stride);
            }
            let term = self.mul(lower, stride);
            offset = self.sub(offset, term);
            let n = self.count(lower, upper);
            stride = self.mul(stride, n);
        }
        let kind = self.int8(d.kind);
        let mut rest: SmallVec<[(i64, Expr); 4]> = SmallVec::from_slice(&[(1, offset), (2, size), (3, kind)]);
        if d.span.is_none() {
            rest.push((4, size));
        }
        for (k, value) in rest {
            let place = self.word(words, k, rank);
            self.assign(place, value);
        }
    }

    /// Loads the descriptors that a call of a procedure of the program may have changed.
    pub(crate) fn reload_descriptors(&mut self) {
        self.loaded.clear();
        for d in self.shared.clone() {
            self.load_descriptor(&d);
        }
    }

    /// The target of an indirect component. It is loaded once in a statement.
    pub(crate) fn loaded_component(&mut self, part: &Part, c: &Component) -> (Sym, Descriptor) {
        let words = Words { sym: part.sym, outer: part.outer.clone() };
        let block = self.e.block();
        if let Some((at, sym, d)) = self.loaded.get(&words)
            && *at == block
        {
            return (*sym, d.clone());
        }
        let name = self.sym(part.sym).name.clone();
        let (sym, mut d) = self.indirect(&name, Indirect::of_component(c), true);
        if !c.pointer && self.owns_memory(part.sym) {
            self.e.b.sym_mut(sym).owner = Some(part.sym).into();
        }
        let outer: SmallVec<[Expr; 4]> = part.outer.iter().map(|&e| self.fixed(e)).collect();
        let len = c.len_offset.map(|at| self.len_word(part.sym, at as u64 - c.offset as u64, &outer, c));
        self.keep_in(&mut d, Words { sym: part.sym, outer }, len);
        self.load_descriptor(&d);
        self.descriptors.insert(sym, d.clone());
        self.loaded.insert(words, (block, sym, d.clone()));
        (sym, d)
    }

    /// Forgets loaded components of elements whose subscripts are computed: the next statement may compute other ones.
    pub(crate) fn keep_fixed_components(&mut self) {
        let mut loaded = std::mem::take(&mut self.loaded);
        loaded.retain(|words, _| words.outer.iter().all(|&e| self.pool().is_constant(e)));
        self.loaded = loaded;
    }

    /// Whether the memory of an ALLOCATABLE component whose descriptor is `words` belongs to that component alone: the object is a
    /// variable of the source and no target, or is in such memory itself. Temporaries hand their memory on.
    fn owns_memory(&self, words: Sym) -> bool {
        let root = match self.sym(words).storage {
            Storage::Within { root, .. } => self.sym(root),
            _ => self.sym(words),
        };
        root.from_source && (!root.may_alias || root.owner.is_some())
    }

    /// A subscript that the statement cannot change any more.
    fn fixed(&mut self, e: Expr) -> Expr {
        if self.pool().is_constant(e) { e } else { self.in_register(e) }
    }

    /// The word with the deferred length of a component, `distance` bytes behind its other words.
    pub(crate) fn len_word(&mut self, words: Sym, distance: u64, outer: &[Expr], c: &Component) -> Expr {
        let mut data = self.e.sym(words).clone();
        if !c.shape.is_empty() {
            data.dims.remove(0);
        }
        data.name.push_str(".len");
        data.storage = crate::expr::component::part_storage(words, data.storage, distance);
        let sym = match self.components.get(&(words, None, usize::MAX)) {
            Some(&sym) => sym,
            None => self.e.b.sym(data),
        };
        self.components.insert((words, None, usize::MAX), sym);
        if outer.is_empty() { self.var(sym) } else { self.elem(sym, outer) }
    }

    /// The address of a place, as a value.
    pub(crate) fn address_value(&mut self, place: Expr) -> Expr {
        let address = self.address(Access::In, place);
        self.e.call_rt_value(Rt::Address, &[address], Type::I8)
    }

    /// A descriptor in memory for a call, of registers that have none; to be loaded again after it.
    pub(crate) fn lent_words(&mut self, d: &Descriptor) -> (Expr, Descriptor) {
        let rank = d.bounds.len() / 2;
        let mut lent = d.clone();
        let bytes = trueline_sema::types::structure::descriptor_size(rank) / 8;
        let extents: SmallVec<[Expr; 1]> = (rank > 0).then(|| self.int8(bytes)).into_iter().collect();
        let memory = self.e.memory(Type::I8, None, &extents);
        // The temporary counts from 1.
        let words = Words { sym: memory, outer: SmallVec::new() };
        let own = self.zero_based(words, rank);
        let first = self.word(&own, 0, rank);
        self.keep_in(&mut lent, own, None);
        self.store_descriptor(&lent);
        (first, lent)
    }

    /// The same memory with words counted from 0.
    fn zero_based(&mut self, w: Words, rank: usize) -> Words {
        if rank == 0 {
            return w;
        }
        let data = self.e.sym(w.sym).clone();
        self.words_symbol("lent", rank, part_of(w.sym, data.storage))
    }

    /// Sets the start state of a pointer or allocatable: no memory.
    pub(crate) fn clear_descriptor(&mut self, d: &Descriptor) {
        let (zero, one) = (self.e.int8(0), self.e.int8(1));
        self.e.set(d.base, zero);
        for (k, &bound) in d.bounds.iter().enumerate() {
            self.e.set(bound, if k % 2 == 0 { one } else { zero });
        }
        for &stride in &d.strides {
            self.e.set(stride, one);
        }
        if let Some(span) = d.span {
            self.e.set(span, d.size);
        }
        if let Some(len) = d.len {
            self.e.set(len, zero);
        }
    }

    /// Whether it is allocated or associated.
    pub(crate) fn is_there(&mut self, d: &Descriptor) -> Expr {
        let (base, zero) = (self.var(d.base), self.int8(0));
        self.make(ExprData::Binary(trueline_ir::BinaryOp::Ne, base, zero))
    }
}

impl Exprs<'_> {
    /// The descriptor of the whole variable or component `x`, if it has one.
    pub(crate) fn descriptor_at(&mut self, x: trueline_syntax::ast::ExprId) -> Option<(Sym, Descriptor)> {
        use trueline_syntax::ast::ExprKind;
        let span = self.ast.span(x);
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => {
                let id = self.resolve_at(name);
                let is_variable = self.symbol(id).is_variable() || self.bindings.contains_key(&id);
                if !is_variable || self.hidden.find(id).is_some() {
                    return None;
                }
                self.note_given(id);
                let b = self.binding(id, span);
                b.descriptor.map(|d| (b.sym, d))
            }
            ExprKind::Component { base, name } => {
                let (part, k, id) = self.component_part(base, name);
                let c = &self.cx.decls.structures[id].components[k];
                if !c.is_indirect() {
                    return None;
                }
                Some(self.component_target(&part, c))
            }
            _ => None,
        }
    }
}

fn part_of(sym: Sym, storage: Storage) -> Storage {
    match storage {
        Storage::Static { .. } | Storage::Within { .. } => storage,
        _ => Storage::Within { root: sym, offset: 0 },
    }
}
