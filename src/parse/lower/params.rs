//! The parameters of a procedure in the order of the ABI: result, dummies, lengths, further values that explicit
//! interfaces pass ([`Extra`]), and the variables that an internal procedure captures ([`Part`]).

use crate::Lower;
use crate::call::closure::Environment;
use crate::call::value::Group;
use crate::expr::Exprs;
use crate::memory::descriptor::register_count;
use crate::symbols::{Entry, Extra, Part, Pending, extras};
use crate::values::Binding;
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_ir::{Access, Dim, Expr, Intent, Linkage, Storage, Sym, SymData, Type};
use trueline_sema::scope::symbol::{
    Extent, Home, ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind, has_strides,
};

impl Lower<'_> {
    /// Declares the parameters of a procedure in the order of the ABI, and sets up their bounds and lengths.
    pub(crate) fn declare_parameters(&mut self, own: &Symbol) {
        let mut pending = Vec::new();
        if let SymbolKind::Procedure(p) = &own.kind {
            let (p, is_body) = (p.clone(), self.has_selector());
            if let Some(result) = p.result.filter(|_| p.kind == ProcedureKind::Function)
                && !self.declare_register_result(result, p.is_c)
            {
                if let Some(way) = crate::call::value::returned(self.cx.decls, own, &p).filter(|_| !self.has_selector())
                {
                    self.e.b.set_returned(way);
                }
                self.declare_result(result, &mut pending);
            }
            if p.dummies.iter().any(Option::is_none) {
                let code = self.e.register("alternate", Type::I4);
                let zero = self.e.int4(0);
                self.e.set(code, zero);
                self.e.b.set_result(code);
            }
            let mut lengths = Vec::new();
            let mut further = Vec::new();
            let mut groups = Vec::new();
            for &dummy in p.dummies.iter().flatten() {
                self.declare_dummy(dummy, &mut pending, &mut lengths, &mut further, &mut groups);
            }
            if p.is_c {
                lengths.clear();
            }
            for (sym, by_reference) in lengths.into_iter().chain(further) {
                let index = self.e.b.next_param();
                let storage = if by_reference { Storage::Dummy { index } } else { Storage::Value { index } };
                self.e.b.sym_mut(sym).storage = storage;
                self.e.b.push_param(sym);
            }
            self.assemble(own, &groups, is_body);
            for &dummy in p.dummies.iter().flatten() {
                self.open_allocatable_dummy(dummy);
            }
        }
        let mut environment = self.environment();
        for id in self.captured().to_vec() {
            self.declare_captured(id, &mut environment);
        }
        self.compute(pending);
        if let Some(result) = own.procedure().and_then(|p| p.result) {
            self.open_result(result);
        }
    }

    /// At entry nothing is behind the descriptor of a result in the caller's memory.
    fn open_result(&mut self, id: SymbolId) {
        let Some(d) = self.bindings.get(&id).and_then(|b| b.descriptor.clone()) else { return };
        self.clear_descriptor(&d);
        self.store_descriptor(&d);
    }

    fn captured(&self) -> &[SymbolId] {
        self.cx.facts.captured(self.home)
    }

    fn declare_result(&mut self, id: SymbolId, pending: &mut Vec<Pending>) {
        let s = self.symbol(id);
        let Some(ty) = s.ty else { return };
        if s.is_indirect() && (!s.shape.is_empty() || s.is_character()) {
            let index = self.e.b.next_param();
            let words = self.words_symbol(&s.name.clone(), s.rank(), Storage::Dummy { index });
            self.e.b.push_param(words.sym);
            let mut len = None;
            let mut hidden = None;
            if s.is_character() {
                let index = self.e.b.next_param();
                let deferred = s.len == Extent::Deferred;
                let storage = if deferred { Storage::Dummy { index } } else { Storage::Value { index } };
                let param = self.e.b.sym(SymData::scalar(format!("len.{}", s.name), Type::I8, storage));
                self.e.b.push_param(param);
                len = deferred.then(|| self.e.var(param));
                hidden = (s.len == Extent::Assumed).then(|| self.e.var(param));
            }
            let (sym, mut d) = match hidden {
                Some(_) => self.indirect_of_length(id, hidden),
                None => self.indirect_variable(id, pending),
            };
            self.keep_in(&mut d, words, len);
            self.share(sym, &d);
            self.bindings.insert(id, Binding { sym, descriptor: Some(d) });
            return;
        }
        if s.is_indirect() || ty != Type::Char && s.shape.is_empty() {
            return;
        }
        let storage = Storage::Dummy { index: self.e.b.next_param() };
        let mut data = self.symbol_data(id, storage);
        data.intent = Intent::Out;
        // The bounds may depend on the length.
        let own_len = if ty == Type::Char { self.length(id, pending) } else { None };
        data.dims = self.dims(id, pending);
        data.len = own_len.into();
        let sym = self.e.b.sym(data);
        self.e.b.push_param(sym);
        if s.is_character() {
            let len = self.value_param(&format!("len.{}", s.name));
            if own_len.is_none() {
                let len = self.e.var(len);
                self.e.b.sym_mut(sym).len = len.into();
            }
        }
        self.bindings.insert(id, Binding { sym, descriptor: None });
    }

    /// Whether the unit is the body of a procedure with ENTRY statements: its first parameter says where to begin.
    fn has_selector(&self) -> bool {
        self.e.b.next_param() > 0
    }

    fn value_param(&mut self, name: &str) -> Sym {
        let storage = Storage::Value { index: self.e.b.next_param() };
        let sym = self.e.b.sym(SymData::scalar(name.to_owned(), Type::I8, storage));
        self.e.b.push_param(sym);
        sym
    }

    /// `lengths` collects the hidden lengths, which come after all other parameters, `further` the parameters
    /// after those: the symbol, and whether it is an address.
    fn declare_dummy(
        &mut self,
        id: SymbolId,
        pending: &mut Vec<Pending>,
        lengths: &mut Vec<(Sym, bool)>,
        further: &mut Vec<(Sym, bool)>,
        groups: &mut Vec<Group>,
    ) {
        let s = self.symbol(id);
        let index = self.e.b.next_param();
        if s.procedure().is_some() || s.ty.is_none() {
            let sym = self.value_param(&s.name.clone());
            self.bindings.insert(id, Binding { sym, descriptor: None });
            return;
        }
        if s.is_indirect() {
            return self.declare_indirect_dummy(id, pending, lengths, further);
        }
        let by_value = s.attrs.value && s.shape.is_empty() && s.ty != Some(Type::Char);
        let storage = if by_value { Storage::Value { index } } else { Storage::Dummy { index } };
        let mut registers = Vec::new();
        for (k, extra) in extras(s).into_iter().enumerate() {
            let sym = self.e.b.sym(SymData::scalar(format!("{}.{k}", s.name), Type::I8, Storage::Register));
            further.push((sym, false));
            registers.push((extra, sym));
        }
        if let Some(&(_, flag)) = registers.iter().find(|(extra, _)| *extra == Extra::Present) {
            self.present.insert(id, flag);
        }
        if self.declare_in_pieces(id, groups) {
            if s.is_character() {
                let hidden = SymData::scalar(format!("len.{}", s.name), Type::I8, Storage::Register);
                lengths.push((self.e.b.sym(hidden), false));
            }
            return;
        }
        if by_value && s.has_lasting_address() {
            return self.declare_value_in_memory(id);
        }
        let mut data = self.symbol_data(id, storage);
        if s.structure.is_some() {
            data.len = self.length(id, pending).into();
        } else if s.ty == Some(Type::Char) {
            let name = format!("len.{}", s.name);
            let hidden = self.e.b.sym(SymData::scalar(name, Type::I8, Storage::Register));
            lengths.push((hidden, false));
            self.passed_lengths.insert(id, hidden);
            data.len = match self.length(id, pending) {
                Some(len) => len,
                None => self.e.var(hidden),
            }
            .into();
        }
        data.dims = self.dims(id, pending);
        for (k, dim) in data.dims.iter_mut().enumerate() {
            if let Some(&(_, extent)) = registers.iter().find(|(extra, _)| *extra == Extra::Extent(k)) {
                let n = self.e.var(extent);
                dim.upper = self.upper_bound(id, dim.lower, n, pending).into();
            }
            if let Some(&(_, stride)) = registers.iter().find(|(extra, _)| *extra == Extra::Stride(k)) {
                dim.stride = self.e.var(stride).into();
            }
        }
        let sym = self.e.b.sym(data);
        self.e.b.push_param(sym);
        self.bindings.insert(id, Binding { sym, descriptor: None });
    }

    /// A dummy argument that is passed by value, and kept in memory from then on.
    fn declare_value_in_memory(&mut self, id: SymbolId) {
        let param = self.symbol_data(id, Storage::Value { index: self.e.b.next_param() });
        let param = self.e.b.sym(SymData { from_source: false, may_alias: false, ..param });
        self.e.b.push_param(param);
        let data = self.symbol_data(id, Storage::Frame);
        let sym = self.e.b.sym(data);
        let (place, value) = (self.e.var(sym), self.e.var(param));
        self.e.assign(place, value);
        self.bindings.insert(id, Binding { sym, descriptor: None });
    }

    /// The upper bound of an assumed-shape dimension.
    fn upper_bound(&mut self, id: SymbolId, lower: Expr, extent: Expr, pending: &mut Vec<Pending>) -> Expr {
        if self.known(lower) == Some(1) {
            return extent;
        }
        let s = self.symbol(id);
        let register = self.e.register(&format!("ub.{}", s.name), Type::I8);
        pending.push(Pending {
            register,
            of: id,
            scope: s.scope,
            value: Entry::Upper(lower, extent),
            is_length: false,
        });
        self.e.var(register)
    }

    /// A POINTER or ALLOCATABLE dummy: the address of its descriptor.
    fn declare_indirect_dummy(
        &mut self,
        id: SymbolId,
        pending: &mut Vec<Pending>,
        lengths: &mut Vec<(Sym, bool)>,
        further: &mut Vec<(Sym, bool)>,
    ) {
        let s = self.symbol(id);
        let index = self.e.b.next_param();
        let name = s.name.clone();
        let words = self.words_symbol(&name, s.rank(), Storage::Dummy { index });
        self.e.b.push_param(words.sym);
        if s.attrs.optional {
            let flag = self.e.b.sym(SymData::scalar(format!("{name}.0"), Type::I8, Storage::Register));
            further.push((flag, false));
            self.present.insert(id, flag);
        }
        let mut len = None;
        let mut assumed = None;
        if s.is_character() {
            // The address of a deferred length, else the value.
            let deferred = s.len == Extent::Deferred;
            let storage = if deferred { Storage::Dummy { index: 0 } } else { Storage::Register };
            let hidden = self.e.b.sym(SymData::scalar(format!("len.{name}"), Type::I8, storage));
            lengths.push((hidden, deferred));
            self.passed_lengths.insert(id, hidden);
            len = deferred.then(|| self.e.var(hidden));
            assumed = (s.len == Extent::Assumed).then(|| self.e.var(hidden));
        }
        let (sym, mut d) = match assumed {
            Some(_) => self.indirect_of_length(id, assumed),
            None => self.indirect_variable(id, pending),
        };
        self.keep_in(&mut d, words, len);
        self.share(sym, &d);
        self.bindings.insert(id, Binding { sym, descriptor: Some(d) });
    }

    /// At entry the descriptor of a dummy is loaded; an allocatable one that is INTENT(OUT) is freed first.
    fn open_allocatable_dummy(&mut self, id: SymbolId) {
        let Some((sym, d)) = self.bindings.get(&id).and_then(|b| Some((b.sym, b.descriptor.clone()?))) else { return };
        self.load_descriptor(&d);
        if self.symbol(id).intent == Intent::Out && self.symbol(id).attrs.allocatable {
            self.free_target(sym, &d);
        }
    }

    fn declare_captured(&mut self, id: SymbolId, environment: &mut Option<Environment>) {
        let parts = self.parts(id);
        if parts.first() == Some(&Part::Words) {
            return self.declare_captured_pointer(id, &parts, environment);
        }
        let s = self.symbol(id);
        let name = s.name.clone();
        // The values first: the array's declaration refers to them.
        let first = self.e.b.next_param();
        let mut syms: Vec<Sym> = Vec::new();
        // In an environment the values stand in the order of the parts; the place of an array comes first.
        let first_place = match parts.first() {
            Some(Part::Place) if environment.is_some() => Some(self.place_storage(environment, first)),
            _ => None,
        };
        for (k, part) in parts.iter().enumerate() {
            let index = first + k as u32;
            let storage = match (part, &mut *environment) {
                (Part::Place, _) => Storage::Register,
                (Part::Descriptor(_), Some(e)) => Storage::Pointer { base: self.next_of(e) },
                (Part::Procedure, Some(e)) => {
                    syms.push(self.next_procedure(e));
                    continue;
                }
                (_, Some(e)) => {
                    syms.push(self.next_of(e));
                    continue;
                }
                (Part::Descriptor(_), None) => Storage::Dummy { index },
                (_, None) => Storage::Value { index },
            };
            let sym = match part {
                // Declared below; the list has its place.
                Part::Place => Sym::from_u32(0),
                _ => {
                    let text = format!("{name}.{k}");
                    let sym = self.e.b.sym(SymData::scalar(text, Type::I8, storage));
                    self.of_host(sym)
                }
            };
            syms.push(sym);
        }
        let binding = match parts.first() {
            None => return,
            Some(Part::Procedure) => Binding { sym: syms[0], descriptor: None },
            Some(Part::Descriptor(_)) => {
                let count = parts.iter().filter(|p| matches!(p, Part::Descriptor(_))).count();
                let memory: SmallVec<[Expr; 8]> = syms[..count].iter().map(|&s| self.e.var(s)).collect();
                let len = parts.iter().position(|&p| p == Part::Length).map(|k| self.e.var(syms[k]));
                let place = parts.len() - 1;
                let storage = self.place_storage(environment, first + place as u32);
                // Nothing here reads it by this name; characters would need a length.
                let ty = s.ty.filter(|&ty| ty != Type::Char).unwrap_or(Type::I1);
                syms[place] = self.e.b.sym(SymData::scalar(format!("{name}.data"), ty, storage));
                let (sym, mut d) = self.indirect_of_length(id, len);
                d.memory = memory;
                self.share(sym, &d);
                Binding { sym, descriptor: Some(d) }
            }
            Some(_) => {
                let storage = first_place.unwrap_or(Storage::Dummy { index: first });
                let place = self.captured_place(id, storage, &parts, &syms);
                syms[0] = place;
                Binding { sym: place, descriptor: None }
            }
        };
        if let Some(k) = parts.iter().position(|&p| p == Part::Present) {
            self.present.insert(id, syms[k]);
        }
        if environment.is_none() {
            syms.into_iter().for_each(|sym| self.e.b.push_param(sym));
        }
        if let Some(d) = binding.descriptor.clone() {
            self.load_descriptor(&d);
        }
        self.bindings.insert(id, binding);
    }

    /// Says that the memory is a variable of the host, and no temporary that nobody else reads.
    fn of_host(&mut self, sym: Sym) -> Sym {
        self.e.b.sym_mut(sym).from_source = true;
        sym
    }

    /// A POINTER of the host: its descriptor is in memory of the host.
    fn declare_captured_pointer(&mut self, id: SymbolId, parts: &[Part], environment: &mut Option<Environment>) {
        let s = self.symbol(id);
        let name = s.name.clone();
        let first = self.e.b.next_param();
        let mut syms: Vec<Sym> = Vec::new();
        let mut own_words = None;
        for (k, part) in parts.iter().enumerate() {
            let index = first + k as u32;
            let by_value = matches!(part, Part::Length | Part::Present);
            let storage = match &mut *environment {
                Some(e) if by_value => {
                    syms.push(self.next_of(e));
                    continue;
                }
                Some(e) => Storage::Pointer { base: self.next_of(e) },
                None if by_value => Storage::Value { index },
                None => Storage::Dummy { index },
            };
            let sym = match part {
                Part::Words => {
                    let words = self.words_symbol(&name, s.rank(), storage);
                    self.of_host(own_words.insert(words).sym)
                }
                // Nothing here reads it by this name; characters would need a length.
                Part::Place => {
                    let ty = s.ty.filter(|&ty| ty != Type::Char).unwrap_or(Type::I1);
                    self.e.b.sym(SymData::scalar(format!("{name}.data"), ty, storage))
                }
                _ => {
                    let sym = self.e.b.sym(SymData::scalar(format!("{name}.{k}"), Type::I8, storage));
                    self.of_host(sym)
                }
            };
            syms.push(sym);
        }
        let find = |wanted: Part| parts.iter().position(|&p| p == wanted).map(|k| syms[k]);
        let (deferred, length) = (find(Part::DeferredLength), find(Part::Length));
        let (deferred, length) = (deferred.map(|s| self.e.var(s)), length.map(|s| self.e.var(s)));
        if let Some(flag) = find(Part::Present) {
            self.present.insert(id, flag);
        }
        let (sym, mut d) = self.indirect_of_length(id, length);
        if let Some(words) = own_words {
            self.keep_in(&mut d, words, deferred);
        }
        self.share(sym, &d);
        if environment.is_none() {
            syms.into_iter().for_each(|sym| self.e.b.push_param(sym));
        }
        self.load_descriptor(&d);
        self.bindings.insert(id, Binding { sym, descriptor: Some(d) });
    }

    fn captured_place(&mut self, id: SymbolId, storage: Storage, parts: &[Part], syms: &[Sym]) -> Sym {
        let s = self.symbol(id);
        let find = |wanted: Part| parts.iter().position(|&p| p == wanted).map(|k| syms[k]);
        let mut data = self.symbol_data(id, storage);
        data.intent = Intent::InOut;
        for (k, b) in s.shape.iter().enumerate() {
            let lower = self.known_or(b.lower, find(Part::Bound(k, false)));
            let upper = self.known_or(b.upper, find(Part::Bound(k, true)));
            let one = self.e.int8(1);
            let mut dim = Dim::new(lower.unwrap_or(one), upper);
            if let Some(stride) = find(Part::Stride(k)) {
                dim.stride = self.e.var(stride).into();
            }
            data.dims.push(dim);
        }
        if s.ty == Some(Type::Char) {
            data.len = self.known_or(s.len, find(Part::Length)).into();
        }
        self.e.b.sym(data)
    }

    fn known_or(&mut self, extent: Extent, register: Option<Sym>) -> Option<Expr> {
        match (extent, register) {
            (Extent::Known(v), _) => Some(self.e.int8(v)),
            (_, Some(sym)) => Some(self.e.var(sym)),
            _ => None,
        }
    }
}

impl Exprs<'_> {
    /// The argument that passes a part of `id` to an internal procedure.
    pub(crate) fn part_argument(&mut self, id: SymbolId, part: Part) -> Expr {
        let span = self.symbol(id).span;
        let binding = self.binding(id, span);
        let place = self.e.var(binding.sym);
        let one = self.e.int8(1);
        match part {
            Part::Place => {
                // With checks a procedure that changes the variable of a loop is found.
                let is_kept = self.is_active(id) && !self.cx.decls.options.checks.do_steps;
                let access = if is_kept { Access::In } else { Access::InOut };
                self.e.address(access, place)
            }
            Part::Bound(k, upper) => {
                let dim = self.e.sym(binding.sym).dims[k];
                if upper { dim.upper.expand().unwrap_or(one) } else { dim.lower }
            }
            Part::Stride(k) => self.e.sym(binding.sym).dims[k].stride.expand().unwrap_or(one),
            Part::Length => self.e.sym(binding.sym).len.expand().unwrap_or(one),
            Part::Procedure => place,
            Part::Present => match self.present.get(&id).copied() {
                Some(flag) => self.var(flag),
                None => one,
            },
            Part::Words => {
                let words = binding.descriptor.and_then(|d| d.words);
                let rank = self.symbol(id).rank();
                let place = words.map_or(place, |words| self.word(&words, 0, rank));
                self.e.address(Access::InOut, place)
            }
            Part::DeferredLength => {
                let place = binding.descriptor.and_then(|d| d.memory.last().copied()).unwrap_or(place);
                self.e.address(Access::InOut, place)
            }
            Part::Descriptor(k) => {
                let Some(d) = binding.descriptor else { return one };
                let register = d.registers().nth(k).unwrap_or(d.base);
                let own = self.e.var(register);
                let place = d.memory.get(k).copied().unwrap_or(own);
                self.e.address(Access::InOut, place)
            }
        }
    }
}

impl Variables<'_> {
    /// The parts of a captured variable that are passed, in order.
    pub(crate) fn parts(&self, id: SymbolId) -> Vec<Part> {
        let s = self.symbol(id);
        if let Some(p) = s.procedure() {
            return if p.class == ProcedureClass::Dummy { vec![Part::Procedure] } else { vec![] };
        }
        if !s.is_variable() || self.is_shared(s) {
            return vec![];
        }
        let present = s.attrs.optional.then_some(Part::Present);
        if s.is_indirect() {
            let deferred = s.is_character() && s.len == Extent::Deferred;
            let registers = match s.attrs.pointer {
                true => [Part::Words].into_iter().chain(deferred.then_some(Part::DeferredLength)).collect(),
                false => (0..register_count(s.rank(), deferred)).map(Part::Descriptor).collect::<Vec<Part>>(),
            };
            let length = s.is_character() && matches!(s.len, Extent::Entry(_) | Extent::Assumed);
            let length = length.then_some(Part::Length);
            return registers.into_iter().chain(length).chain(present).chain([Part::Place]).collect();
        }
        let mut parts = vec![Part::Place];
        for (k, b) in s.shape.iter().enumerate() {
            for (extent, upper) in [(b.lower, false), (b.upper, true)] {
                if matches!(extent, Extent::Entry(_) | Extent::Deferred) {
                    parts.push(Part::Bound(k, upper));
                }
            }
        }
        if has_strides(s) {
            parts.extend((0..s.rank()).map(Part::Stride));
        }
        if s.is_character() && s.len.known().is_none() {
            parts.push(Part::Length);
        }
        parts.extend(present);
        parts
    }

    /// Whether every unit reaches the variable through its own static symbol.
    fn is_shared(&self, s: &Symbol) -> bool {
        match s.home {
            Home::Static { area, .. } => {
                !matches!(self.cx.decls.statics[area].linkage, Linkage::Local | Linkage::Shared)
            }
            _ => false,
        }
    }
}
