//! Memory of an array constructor that grows while it is filled.
//!
//! The size of `(/ (f(i), i = 1, n) /)`, with an array-valued function, is known when all values are, and each is to be evaluated once:
//! the memory is doubled when it is full.

use crate::values::Str;
use crate::variables::Variables;
use trueline_ir::{BinaryOp, Expr, ExprData, Rt, Storage, Sym, SymData, Type};
use trueline_sema::types::structure::StructureId;

/// The number of elements that there is room for at first.
const FIRST: i64 = 16;

/// An array that grows.
#[derive(Clone, Copy)]
pub(crate) struct Growing {
    /// The array, without an upper bound.
    pub(crate) array: Sym,
    base: Sym,
    capacity: Sym,
    len: Option<Expr>,
    structure: Option<StructureId>,
}

impl Variables<'_> {
    /// An array without elements; `len` is the length of strings, or the size of structures.
    pub(crate) fn growing(&mut self, ty: Type, len: Option<Expr>, structure: Option<StructureId>) -> Growing {
        let len = len.map(|l| self.in_register(l));
        let (base, capacity) = (self.register("base", Type::I8), self.register("capacity", Type::I8));
        let first = self.int8(FIRST);
        self.e.set(capacity, first);
        let address = self.room_for(ty, len, first);
        let address = self.var(address);
        self.e.set(base, address);
        self.e.frees(base);
        let array = self.array_at(ty, len, base, structure);
        Growing { array, base, capacity, len, structure }
    }

    /// Makes room for `more` elements behind the first `used`.
    pub(crate) fn make_room(&mut self, g: &Growing, used: Expr, more: Expr) {
        let needed = self.add(used, more);
        let capacity = self.var(g.capacity);
        let is_full = self.make(ExprData::Binary(BinaryOp::Gt, needed, capacity));
        let (after, _) = self.open_if(is_full);
        let two = self.int8(2);
        let twice = self.mul(capacity, two);
        let larger = self.e.intrinsic(trueline_ir::Intrinsic::Max, &[needed, twice]);
        self.e.set(g.capacity, larger);
        let ty = self.sym(g.array).ty;
        let room = self.room_for(ty, g.len, capacity);
        let new = self.array_at(ty, g.len, room, g.structure);
        let (k, outer) = self.open_count(used);
        let (to, from) = (self.elem(new, &[k]), self.elem(g.array, &[k]));
        match g.len {
            // Structures move as they are, with all that they own.
            Some(len) => self.assign_str(Str { place: to, len }, Str { place: from, len }),
            None => self.assign(to, from),
        }
        self.enter(outer);
        // The elements are written under one name and read under the other.
        for sym in [new, g.array] {
            let place = self.var(sym);
            let address = self.address(trueline_ir::Access::InOut, place);
            self.e.call_rt_value(Rt::Barrier, &[address], Type::I8);
        }
        let (base, room) = (self.var(g.base), self.var(room));
        self.e.call_rt(Rt::Deallocate, &[base]);
        self.e.set(g.base, room);
        self.enter(after);
    }

    /// The array with `n` elements that it has become.
    pub(crate) fn grown(&mut self, g: &Growing, n: Expr) -> Sym {
        let n = self.in_register(n);
        let array = self.array_at(self.sym(g.array).ty, g.len, g.base, g.structure);
        let one = self.int8(1);
        self.e.b.sym_mut(array).dims = [trueline_ir::Dim::new(one, n)].into_iter().collect();
        array
    }

    /// The register with the address of new memory for `n` elements.
    fn room_for(&mut self, ty: Type, len: Option<Expr>, n: Expr) -> Sym {
        let mut size = self.int8(ty.size() as i64);
        for e in len.into_iter().chain([n]) {
            size = self.mul(size, e);
        }
        let address = self.register("base", Type::I8);
        let location = self.location();
        let args = self.b.list(&[size, location]);
        let callee = trueline_ir::Callee::Rt(Rt::Allocate);
        self.push(trueline_ir::Head::Call { callee, args, result: address.into() });
        address
    }

    /// A vector without an upper bound at the address in `base`.
    fn array_at(&mut self, ty: Type, len: Option<Expr>, base: Sym, structure: Option<StructureId>) -> Sym {
        let one = self.int8(1);
        let dims = [trueline_ir::Dim { upper: None.into(), ..trueline_ir::Dim::new(one, one) }].into_iter().collect();
        let data = SymData { len: len.into(), dims, ..SymData::scalar("t".to_owned(), ty, Storage::Pointer { base }) };
        let sym = self.e.b.sym(data);
        if let Some(id) = structure {
            self.structures.insert(sym, id);
            self.structure_temps.insert(sym);
        }
        sym
    }
}
