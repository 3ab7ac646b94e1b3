//! A constant is subtracted as its opposite is added: of three operands, since `lea` takes them, where `sub` overwrites one.
//!
//! ```text
//! v2 = ireduce.i32 v1             v3 = iadd.i64 v1, -4
//! v3 = isub v2, 4          =>     v4 = ireduce.i32 v3        lea -4(%rbx), %edi
//! ```
//!
//! `lea` takes a number of 32 bits only as the lower half of one of 64, as of parameters ([`super::parameters`]): Cranelift knows the opposite as a
//! large number, which is no displacement.

use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{Function, Inst, InstBuilder, InstructionData, Opcode, Value, types};

/// Rewrites the differences of `func`, behind Cranelift's optimizer.
pub(crate) fn add_opposites(func: &mut Function) {
    let all: Vec<Inst> = func.layout.blocks().flat_map(|b| func.layout.block_insts(b)).collect();
    for inst in all {
        if func.dfg.insts[inst].opcode() != Opcode::Isub {
            continue;
        }
        let [x, y] = [0, 1].map(|k| func.dfg.resolve_aliases(func.dfg.inst_args(inst)[k]));
        let Some(opposite) = constant(func, y).and_then(|k| i32::try_from(k.checked_neg()?).ok()) else { continue };
        let ty = func.dfg.value_type(x);
        let whole = if ty == types::I64 { Some(x) } else { whole(func, x) };
        let (Some(whole), types::I32 | types::I64) = (whole, ty) else { continue };
        let mut at = FuncCursor::new(func).at_inst(inst);
        let opposite = at.ins().iconst(types::I64, i64::from(opposite));
        func.dfg.insts[inst] = if ty == types::I64 {
            InstructionData::Binary { opcode: Opcode::Iadd, args: [whole, opposite] }
        } else {
            let sum = FuncCursor::new(func).at_inst(inst).ins().iadd(whole, opposite);
            InstructionData::Unary { opcode: Opcode::Ireduce, arg: sum }
        };
    }
}

/// The number of 64 bits whose lower half is `v`.
fn whole(func: &Function, v: Value) -> Option<Value> {
    let inst = func.dfg.value_def(v).inst()?;
    let from = *func.dfg.inst_args(inst).first()?;
    (func.dfg.insts[inst].opcode() == Opcode::Ireduce && func.dfg.value_type(from) == types::I64).then_some(from)
}

fn constant(func: &Function, v: Value) -> Option<i64> {
    match func.dfg.insts[func.dfg.value_def(v).inst()?] {
        InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_codegen::ir::{Signature, UserFuncName};
    use cranelift_codegen::isa::CallConv;

    #[test]
    fn only_constants_with_an_opposite_are_added() {
        let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::SystemV));
        let block = func.dfg.make_block();
        let [x, y, z] = [types::I32, types::I64, types::I64].map(|ty| func.dfg.append_block_param(block, ty));
        func.layout.append_block(block);
        let mut c = FuncCursor::new(&mut func).at_bottom(block);
        let low = c.ins().ireduce(types::I32, y);
        for (v, k) in [(x, 4), (low, 9), (y, -7), (y, i64::from(i32::MIN))] {
            let ty = c.func.dfg.value_type(v);
            let k = c.ins().iconst(ty, k);
            c.ins().isub(v, k);
        }
        c.ins().isub(y, z);
        c.ins().return_(&[]);
        add_opposites(&mut func);
        let text = func.display().to_string();
        assert_eq!(text.matches("= iadd").count(), 2, "{text}");
        assert_eq!(text.matches("= isub").count(), 3, "{text}");
        assert!(text.contains("iconst.i64 -9") && text.contains("iconst.i64 7"), "{text}");
    }
}
