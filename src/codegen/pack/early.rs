//! A vector of one scalar is made where the scalar is loaded, so that the load is one of a vector.
//!
//! ```text
//! a = load.f64 p                            a = load.f64 p
//! b = load.f64 q                            v = scalar_to_vector a
//! v = scalar_to_vector a          =>        b = load.f64 q
//! w = insertlane v, b, 1                    w = insertlane v, b, 1
//! ```
//!
//! Cranelift takes a load into the operation that alone uses it, if no other load is between them. On x86-64 that leaves three instructions of five. Done
//! behind Cranelift's optimizer, which puts a pure operation where its first user needs it.

use cranelift_codegen::ir::{Function, Inst, Opcode, Value};
use cranelift_entity::SecondaryMap;

/// Moves the operations of `func` that make vectors of loaded scalars to the loads.
pub(crate) fn make_at_loads(func: &mut Function) {
    let is_maker = |i: Inst| matches!(func.dfg.insts[i].opcode(), Opcode::ScalarToVector | Opcode::Splat);
    let all: Vec<Inst> = func.layout.blocks().flat_map(|b| func.layout.block_insts(b)).collect();
    let makers: Vec<Inst> = all.iter().copied().filter(|&i| is_maker(i)).collect();
    if makers.is_empty() {
        return;
    }
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::with_capacity(func.dfg.num_values());
    for inst in all {
        func.dfg.inst_values(inst).for_each(|v| uses[func.dfg.resolve_aliases(v)] += 1);
    }
    for inst in makers {
        let scalar = func.dfg.resolve_aliases(func.dfg.inst_args(inst)[0]);
        let Some(load) = func.dfg.value_def(scalar).inst() else { continue };
        let is_load = func.dfg.insts[load].opcode() == Opcode::Load
            && func.layout.inst_block(load) == func.layout.inst_block(inst);
        if !is_load || uses[scalar] != 1 || func.layout.next_inst(load) == Some(inst) {
            continue;
        }
        let Some(next) = func.layout.next_inst(load) else { continue };
        func.layout.remove_inst(inst);
        func.layout.insert_inst(inst, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_codegen::cursor::{Cursor, FuncCursor};
    use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, UserFuncName, types};
    use cranelift_codegen::isa::CallConv;

    /// The opcodes of a function that loads two scalars and makes vectors of the first; with `again`, it uses that once more.
    fn opcodes(again: bool) -> Vec<Opcode> {
        let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::SystemV));
        func.signature.params.push(AbiParam::new(types::I64));
        let block = func.dfg.make_block();
        let p = func.dfg.append_block_param(block, types::I64);
        func.layout.append_block(block);
        let plain = MemFlagsData::trusted();
        let mut c = FuncCursor::new(&mut func).at_bottom(block);
        let [a, b] = [0, 8].map(|at| c.ins().load(types::F64, plain, p, at));
        let v = c.ins().scalar_to_vector(types::F64X2, a);
        let v = c.ins().insertlane(v, b, 1);
        c.ins().store(plain, v, p, 16);
        if again {
            c.ins().store(plain, a, p, 32);
        }
        c.ins().return_(&[]);
        make_at_loads(&mut func);
        func.layout.block_insts(block).map(|i| func.dfg.insts[i].opcode()).collect()
    }

    #[test]
    fn a_vector_is_made_beside_the_load() {
        use Opcode::{Insertlane, Load, Return, ScalarToVector, Store};
        assert_eq!(opcodes(false), [Load, ScalarToVector, Load, Insertlane, Store, Return]);
        assert_eq!(opcodes(true), [Load, Load, ScalarToVector, Insertlane, Store, Store, Return]);
    }
}
