//! Values as they are passed and returned: in registers, packed, or in memory ([`crate::abi`]).

use crate::abi;
use crate::expr::Translator;
use crate::symbols::ADDRESS;
use crate::types::{Val, clif_type};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Signature, StackSlotData, StackSlotKind, Value, types};
use cranelift_frontend::FunctionBuilder;
use trueline_ir::{Returned, Type};

/// The registers of the structure at `address`.
pub(crate) fn structure_at(b: &mut FunctionBuilder<'_>, way: Returned, address: Value) -> Vec<Value> {
    let flags = MemFlagsData::trusted();
    way.pieces().map(|(at, ty)| b.ins().load(clif_type(ty), flags, address, at as i32)).collect()
}

/// Stores the registers of a structure: the last one may have more bytes.
pub(crate) fn put_structure(b: &mut FunctionBuilder<'_>, way: Returned, results: &[Value], address: Value) {
    let flags = MemFlagsData::trusted();
    let end = way.bytes();
    for ((mut at, ty), &value) in way.pieces().zip(results) {
        if end - at >= ty.size() as u32 {
            b.ins().store(flags, value, address, at as i32);
            continue;
        }
        let mut value = match ty {
            Type::I8 => value,
            _ => b.ins().bitcast(types::I64, MemFlagsData::new(), value),
        };
        for (bytes, part) in [(4, types::I32), (2, types::I16), (1, types::I8)] {
            if end - at < bytes {
                continue;
            }
            let low = b.ins().ireduce(part, value);
            b.ins().store(flags, low, address, at as i32);
            value = b.ins().ushr_imm_u(value, 8 * i64::from(bytes));
            at += bytes;
        }
    }
}

/// Two floats in the halves of one register.
pub(crate) fn join(b: &mut FunctionBuilder<'_>, re: Value, im: Value) -> Value {
    let re = b.ins().bitcast(types::I32, MemFlagsData::new(), re);
    let im = b.ins().bitcast(types::I32, MemFlagsData::new(), im);
    let (re, im) = (b.ins().uextend(types::I64, re), b.ins().uextend(types::I64, im));
    let im = b.ins().ishl_imm_u(im, 32);
    let both = b.ins().bor(re, im);
    b.ins().bitcast(types::F64, MemFlagsData::new(), both)
}

/// The floats in the halves of a register.
pub(crate) fn halves(b: &mut FunctionBuilder<'_>, both: Value) -> (Value, Value) {
    let both = b.ins().bitcast(types::I64, MemFlagsData::new(), both);
    let re = b.ins().ireduce(types::I32, both);
    let high = b.ins().ushr_imm_u(both, 32);
    let im = b.ins().ireduce(types::I32, high);
    let re = b.ins().bitcast(types::F32, MemFlagsData::new(), re);
    (re, b.ins().bitcast(types::F32, MemFlagsData::new(), im))
}

impl Translator<'_, '_> {
    /// Stores both parts of a complex value.
    pub(crate) fn put_parts(&mut self, ty: Type, value: Val, address: Value) {
        let (re, im) = value.two();
        let flags = MemFlagsData::trusted();
        self.b.ins().store(flags, re, address, 0);
        self.b.ins().store(flags, im, address, ty.part().size() as i32);
    }

    fn parts_at(&mut self, ty: Type, address: Value) -> Val {
        let (flags, part) = (MemFlagsData::trusted(), clif_type(ty));
        let re = self.b.ins().load(part, flags, address, 0);
        Val::Two(re, self.b.ins().load(part, flags, address, ty.part().size() as i32))
    }

    /// The address of memory in the frame for a value of `ty`.
    fn room(&mut self, ty: Type) -> Value {
        self.room_of(ty.size() as u32)
    }

    /// The address of memory in the frame for the structure that the unit gives in registers.
    pub(crate) fn structure_room(&mut self, way: Returned) -> Value {
        self.room_of(way.registers().iter().map(|ty| ty.size() as u32).sum())
    }

    fn room_of(&mut self, size: u32) -> Value {
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4);
        let slot = self.b.create_sized_stack_slot(slot);
        self.b.ins().stack_addr(ADDRESS, slot, 0)
    }

    /// A value as it is passed by value.
    pub(crate) fn pack_argument(&mut self, ty: Type, value: Val, form: abi::Returned) -> Vec<Value> {
        if form != abi::Returned::Memory {
            return self.pack(form, value);
        }
        let address = self.room(ty);
        self.put_parts(ty, value, address);
        vec![address]
    }

    /// The value of a parameter.
    pub(crate) fn unpack_argument(&mut self, ty: Type, own: &[Value], form: abi::Returned) -> Val {
        match form {
            abi::Returned::Memory => self.parts_at(ty, own[0]),
            _ => self.unpack(form, own),
        }
    }

    /// Completes the signature of a call with its result; the memory for it, if the caller provides that.
    pub(crate) fn result_room(
        &mut self,
        ty: Type,
        signature: &mut Signature,
        values: &mut Vec<Value>,
    ) -> Option<Value> {
        abi::push_result(signature, ty, self.shared.triple);
        if abi::returned(ty, self.shared.triple) != abi::Returned::Memory {
            return None;
        }
        let address = self.room(ty);
        values.insert(0, address);
        Some(address)
    }

    /// The value of a call that was prepared by [`Self::result_room`].
    pub(crate) fn unpack_results(&mut self, ty: Type, room: Option<Value>, results: &[Value]) -> Val {
        match room {
            Some(address) => self.parts_at(ty, address),
            None => self.unpack_result(ty, results),
        }
    }

    /// A function's value as its result registers.
    pub(crate) fn pack_result(&mut self, ty: Type, value: Val) -> Vec<Value> {
        self.pack(abi::returned(ty, self.shared.triple), value)
    }

    fn pack(&mut self, form: abi::Returned, value: Val) -> Vec<Value> {
        match form {
            abi::Returned::One(_) | abi::Returned::Memory => vec![value.one()],
            abi::Returned::Two(_) => {
                let (re, im) = value.two();
                vec![re, im]
            }
            abi::Returned::Packed => {
                let (re, im) = value.two();
                vec![join(&mut self.b, re, im)]
            }
        }
    }

    /// A function's value out of its result registers.
    pub(crate) fn unpack_result(&mut self, ty: Type, results: &[Value]) -> Val {
        self.unpack(abi::returned(ty, self.shared.triple), results)
    }

    fn unpack(&mut self, form: abi::Returned, results: &[Value]) -> Val {
        match form {
            abi::Returned::One(_) | abi::Returned::Memory => Val::One(results[0]),
            abi::Returned::Two(_) => Val::Two(results[0], results[1]),
            abi::Returned::Packed => {
                let (re, im) = halves(&mut self.b, results[0]);
                Val::Two(re, im)
            }
        }
    }
}
