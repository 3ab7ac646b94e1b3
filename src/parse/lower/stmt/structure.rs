//! Structures as wholes: assignment, default content, and the memory of their allocatable components.
//!
//! A structure is a string of bytes, so its assignment is one of characters. If something in it is
//! ALLOCATABLE, each variable has memory of its own behind it: the runtime copies and frees that by a table
//! of the type ([`Variables::ownership`]).

use crate::expr::Exprs;
use crate::expr::component::Part;
use crate::source::Source;
use crate::values::{Str, Val, refused};
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_ir::{Access, Area, AreaData, Dim, Expr, ExprData, Intent, Linkage, Rt, Storage, Sym, SymData, Type};
use trueline_sema::scope::symbol::Home;
use trueline_sema::types::structure::{Address, Component, StructureId};
use trueline_syntax::ast::{ExprId, ExprKind};

impl Variables<'_> {
    /// A structure as the characters that it is to the IR.
    pub(crate) fn bytes_of(&mut self, e: Expr, id: StructureId) -> Str {
        let size = self.cx.decls.structures[id].size;
        let len = self.int8(size);
        Str { place: e, len }
    }

    /// A temporary structure, or an array of them.
    pub(crate) fn structure_temp(&mut self, id: StructureId, extents: &[Expr]) -> Sym {
        let size = self.cx.decls.structures[id].size;
        let size = self.int8(size);
        let temp = self.e.memory_of(Type::Char, Some(size), extents, Some(id.as_u32()));
        self.structures.insert(temp, id);
        self.structure_temps.insert(temp);
        temp
    }

    /// A Hollerith constant in a number or logical, as FORTRAN 66 programs have them: its bytes, padded with blanks.
    fn hollerith(&mut self, x: ExprId, ty: Type) -> Option<Val> {
        let ExprKind::Hollerith(text) = self.ast.expr(x).kind else { return None };
        let mut bytes = self.ast.text(text).to_vec();
        bytes.resize(ty.size(), b' ');
        let value = trueline_sema::constant::math::from_bytes(&bytes, ty)?;
        Some(self.scalar_value(&value))
    }

    /// The parts of an assignment with the value brought to the type of the place.
    pub(crate) fn assignment_values(&mut self, value: ExprId, place: Val, v: Val) -> (Val, Val) {
        let both = (self.structure_at(place.e), self.structure_at(v.e));
        if let (None, None, None, Some(_)) = (both.0, both.1, place.len, v.len)
            && self.cx.decls.is_number_text(self.scope, value)
        {
            let c = self.constant(value);
            let ty = self.ty(place.e);
            if let Some(number) = c.scalar().and_then(|s| trueline_sema::constant::math::text_as(s, ty)) {
                let v = self.scalar_value(&number);
                return (place, v);
            }
        }
        let same = match both {
            (None, None) => match (place.len, v.len) {
                (Some(_), Some(_)) => {
                    return (place, v);
                }
                (None, None) => {
                    let ty = self.ty(place.e);
                    let e = self.converted_at(value, ty, v.e);
                    return (place, Val::plain(e));
                }
                (None, Some(_)) => {
                    if let Some(bits) = self.hollerith(value, self.ty(place.e)) {
                        return (place, bits);
                    }
                    false
                }
                _ => false,
            },
            (Some(a), Some(b)) => self.same_type(a, b),
            _ => false,
        };
        if same {
            return (place, v);
        }
        refused()
    }

    /// `to = from` of structures, scalars or arrays.
    pub(crate) fn store_structure(&mut self, to: Expr, from: Expr, id: StructureId) {
        self.loaded.clear();
        let (a, b) = (self.bytes_of(to, id), self.bytes_of(from, id));
        if !self.cx.decls.structures[id].owns {
            self.assign_str(a, b);
            return self.reload_named_pointers(id);
        }
        let is_temp = match self.e.expr(from) {
            ExprData::Var(v) => self.structure_temps.contains(&v),
            _ => false,
        };
        if self.rank(to) == 0 {
            self.store_owning(to, from, id, is_temp);
            return self.reload_named_pointers(id);
        }
        let overlaps = to != from && self.may_overlap(to, from);
        let (from, is_temp) = if overlaps { (self.owned_copy(from, id), true) } else { (from, is_temp) };
        let is_array = self.rank(from) > 0;
        let shape = self.shape(to);
        let (at, outer) = self.open_elements(&shape);
        let (to, one) = (self.element(to, &at), self.element(from, &at));
        // An array hands over each element; a scalar is copied to all of them.
        self.store_owning(to, one, id, is_temp && is_array);
        self.enter(outer);
        if is_temp && !is_array {
            self.free_structures(from, id);
        }
        self.reload_named_pointers(id);
    }

    /// `to = from` of scalars with memory of their own. The memory of a temporary is handed over.
    fn store_owning(&mut self, to: Expr, from: Expr, id: StructureId, is_temp: bool) {
        let from = if is_temp { from } else { self.owned_copy(from, id) };
        self.free_structures(to, id);
        let (a, b) = (self.bytes_of(to, id), self.bytes_of(from, id));
        self.assign_str(a, b);
    }

    /// A copy in a temporary with memory of its own behind it.
    pub(crate) fn owned_copy(&mut self, from: Expr, id: StructureId) -> Expr {
        let shape = self.shape(from);
        let temp = self.structure_temp(id, &shape);
        let to = self.var(temp);
        let (a, b) = (self.bytes_of(to, id), self.bytes_of(from, id));
        self.assign_str(a, b);
        if self.cx.decls.structures[id].owns {
            let (count, table) = (self.product(&shape), self.ownership(id));
            let address = self.address(Access::InOut, to);
            self.call_rt(Rt::CopyOwned, &[address, count, table]);
        }
        to
    }

    /// Frees the memory that the structures at `e` own; they lie without gaps.
    pub(crate) fn free_structures(&mut self, e: Expr, id: StructureId) {
        if !self.cx.decls.structures[id].owns {
            return;
        }
        let shape = self.shape(e);
        let (count, table) = (self.product(&shape), self.ownership(id));
        let address = self.address(Access::InOut, e);
        self.call_rt(Rt::FreeOwned, &[address, count, table]);
    }

    /// Gives the structures at `e` the content of their type's defaults.
    pub(crate) fn set_defaults(&mut self, e: Expr, id: StructureId) {
        let Some(bytes) = self.cx.decls.structures[id].initial.clone() else { return };
        let size = self.int8(bytes.len() as i64);
        let sym = match self.initials.get(&id) {
            Some(&sym) => sym,
            None => {
                let name = format!("{}.initial", self.cx.decls.structures[id].name);
                let sym = self.static_bytes(&name, Type::Char, Some(size), SmallVec::new(), bytes);
                self.initial_addresses(sym, id);
                self.initials.insert(id, sym);
                sym
            }
        };
        let from = Str { place: self.var(sym), len: size };
        let to = self.bytes_of(e, id);
        let shape = self.shape(e);
        let (at, outer) = self.open_elements(&shape);
        let to = self.str_element(to, &at);
        self.assign_str(to, from);
        self.enter(outer);
    }

    /// The addresses in the defaults of a type.
    fn initial_addresses(&mut self, sym: Sym, id: StructureId) {
        let Storage::Static { area, .. } = self.e.sym(sym).storage else { return };
        for (at, of) in &self.cx.decls.structures[id].addresses {
            let (symbol, add) = match of {
                Address::Memory(of, add) => {
                    self.area(*of);
                    (self.cx.decls.statics[*of].symbol.clone(), *add)
                }
                Address::Procedure(linker) => (linker.clone(), 0),
            };
            self.e.b.area_mut(area).addresses.push((*at, symbol, add));
        }
    }

    /// Static memory of the program's own with these bytes.
    pub(crate) fn constant_area(&mut self, init: Vec<u8>) -> Area {
        let area = AreaData {
            symbol: self.e.fresh_area(),
            size: init.len().max(1) as u64,
            align: 16,
            linkage: Linkage::Local,
            init,
            addresses: Vec::new(),
        };
        self.b.area(area)
    }

    fn static_bytes(
        &mut self,
        name: &str,
        ty: Type,
        len: Option<Expr>,
        dims: SmallVec<[Dim; 2]>,
        init: Vec<u8>,
    ) -> Sym {
        let area = self.constant_area(init);
        let storage = Storage::Static { area, offset: 0 };
        self.b.sym(SymData { dims, len: len.into(), ..SymData::scalar(name.to_owned(), ty, storage) })
    }

    /// The address of the table that tells the memory that structures of a type own: for each type that can be reached its
    /// size, the number of rows, and rows of kind (0 allocatable, 1 component that is a structure), offset,
    /// rank or count, bytes of an element (-1: in the word at the next offset), that offset, and where in the
    /// table the type of the elements begins (-1 if they own nothing).
    pub(crate) fn ownership(&mut self, id: StructureId) -> Expr {
        let sym = match self.tables.get(&id) {
            Some(&sym) => sym,
            None => {
                let table = self.ownership_words(id);
                let init: Vec<u8> = table.iter().flat_map(|w| w.to_le_bytes()).collect();
                let dims = [Dim::new(self.int8(1), self.int8(table.len() as i64))].into_iter().collect();
                let name = format!("{}.owns", self.cx.decls.structures[id].name);
                let sym = self.static_bytes(&name, Type::I8, None, dims, init);
                self.tables.insert(id, sym);
                sym
            }
        };
        let place = self.var(sym);
        self.address(Access::In, place)
    }

    fn ownership_words(&self, root: StructureId) -> Vec<i64> {
        let structures = &self.cx.decls.structures;
        let rows = |id: StructureId| {
            structures[id]
                .components
                .iter()
                .filter(|c| c.allocatable || (!c.pointer && c.structure.is_some_and(|s| structures[s].owns)))
        };
        let mut order = vec![root];
        let mut k = 0;
        while k < order.len() {
            for inner in rows(order[k]).filter_map(|c| c.structure).filter(|&s| structures[s].owns) {
                if !order.contains(&inner) {
                    order.push(inner);
                }
            }
            k += 1;
        }
        let mut starts = Vec::new();
        let mut at = 0;
        for &id in &order {
            starts.push(at);
            at += 2 + 6 * rows(id).count() as i64;
        }
        let mut out = Vec::new();
        for &id in &order {
            out.extend([structures[id].size, rows(id).count() as i64]);
            for c in rows(id) {
                let inner = c.structure.and_then(|s| order.iter().position(|&o| o == s)).map_or(-1, |p| starts[p]);
                let size = if c.len_offset.is_some() { -1 } else { c.element_size() };
                let (kind, n) = if c.allocatable { (0, c.shape.len() as i64) } else { (1, c.count()) };
                out.extend([kind, c.offset, n, size, c.len_offset.unwrap_or(-1), inner]);
            }
        }
        out
    }

    /// Frees the memory behind a descriptor with the memory that its elements own, and marks it as not allocated.
    pub(crate) fn free_target(&mut self, sym: Sym, d: &crate::values::Descriptor) {
        if let Some(&id) = self.structures.get(&sym)
            && self.cx.decls.structures[id].owns
        {
            let there = self.is_there(d);
            let (after, _) = self.open_if(there);
            let place = self.var(sym);
            self.free_structures(place, id);
            self.enter(after);
        }
        if !d.is_pointer {
            self.release_target(sym, d, None);
        }
        let (base, zero) = (self.var(d.base), self.int8(0));
        self.call_rt(Rt::Deallocate, &[base]);
        self.e.set(d.base, zero);
        self.store_base(d);
    }

    /// Whether `x` is `NULL()`.
    pub(crate) fn is_null(&self, x: ExprId) -> bool {
        let ExprKind::Call { base, .. } = self.ast.expr(self.unparen(x)).kind else { return false };
        matches!(self.ast.expr(base).kind, ExprKind::Name(n) if self.ast.name(n) == "null" && self.resolve(n).is_none())
    }

    /// At entry: gives structures without an initial value their default content, and notes which ones are freed at the end.
    pub(crate) fn initial_structures(&mut self) {
        let is_main = matches!(self.e.kind(), trueline_ir::UnitKind::Program);
        for id in self.cx.decls.scopes[self.home].own.clone() {
            let s = self.symbol(id);
            let (Some(structure), true, false) = (s.structure, s.is_variable(), s.is_indirect()) else { continue };
            // A large one is in static memory all the same.
            let large = matches!(s.home, Home::Static { .. }) && !is_main && self.is_new_at_entry(s);
            let local = matches!(s.home, Home::Frame | Home::Automatic) || s.attrs.result || large;
            let out = matches!(s.home, Home::Dummy { .. }) && s.intent == Intent::Out;
            let Some(sym) = self.bindings.get(&id).map(|b| b.sym).filter(|_| local || out) else { continue };
            self.structures.insert(sym, structure);
            let place = self.var(sym);
            if s.is_assumed_size() {
                continue;
            }
            if out {
                let given = self.present.get(&id).copied().map(|flag| {
                    let (flag, zero) = (self.var(flag), self.int8(0));
                    self.make(ExprData::Binary(trueline_ir::BinaryOp::Ne, flag, zero))
                });
                let after = given.map(|given| self.open_if(given).0);
                self.free_structures(place, structure);
                self.set_defaults(place, structure);
                if let Some(after) = after {
                    self.enter(after);
                }
                continue;
            }
            self.set_defaults(place, structure);
            if local && !is_main && !s.attrs.result && self.cx.decls.structures[structure].owns {
                self.owned_structures.push((sym, structure));
            }
        }
    }

    /// Frees the memory of the procedure's own variables, on the way out.
    pub(crate) fn free_owned(&mut self) {
        for (sym, d) in self.owned_variables.clone() {
            self.free_target(sym, &d);
        }
        for (sym, id) in self.owned_structures.clone() {
            let place = self.var(sym);
            self.free_structures(place, id);
        }
    }
}

impl Exprs<'_> {
    /// The value of an indirect component in a structure constructor.
    pub(crate) fn construct_indirect(&mut self, part: &Part, c: &Component, value: ExprId) {
        let name = c.name.clone();
        let (sym, mut d) = self.indirect(&name, crate::memory::descriptor::Indirect::of_component(c), true);
        let words = crate::values::Words { sym: part.sym, outer: part.outer.clone() };
        let len = c.len_offset.map(|at| self.len_word(part.sym, at as u64 - c.offset as u64, &part.outer, c));
        self.keep_in(&mut d, words, len);
        self.descriptors.insert(sym, d.clone());
        self.clear_descriptor(&d);
        self.store_base(&d);
        if self.is_null(value) {
            return;
        }
        if c.pointer {
            self.point_at(&d, value, None);
            self.store_descriptor(&d);
            return;
        }
        // A component of a source that is not allocated is not allocated either.
        let is_whole = matches!(self.ast.expr(value).kind, ExprKind::Name(_) | ExprKind::Component { .. });
        let own = if is_whole && self.is_variable_reference(value) { self.descriptor_at(value) } else { None };
        let after = match own {
            Some((_, own)) if !own.is_pointer => {
                let there = self.is_there(&own);
                Some(self.open_if(there).0)
            }
            _ => None,
        };
        let place = self.whole_symbol(sym);
        let v = self.expr(value);
        let (place, v) = self.assignment_values(value, place, v);
        self.assign_allocatable(&d, place, v);
        if let Some(after) = after {
            self.enter(after);
        }
    }
}

impl Source<'_> {
    /// Whether two derived types are one: the same, or SEQUENCE types of the same name and layout.
    pub(crate) fn same_type(&self, a: StructureId, b: StructureId) -> bool {
        self.cx.decls.same_type(a, b)
    }
}
