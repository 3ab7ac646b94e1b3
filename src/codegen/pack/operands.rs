//! Operands that come from memory stand second, where x86-64 has them in the operation, and operands that end there first.
//!
//! ```text
//! x = load p;  y = fmul u, v;  s = fadd x, y      =>      s = fadd y, x
//! t = fmul k, y;  … k …                           =>      t = fmul y, k
//! ```
//!
//! An operation overwrites its first operand and may take the second one from memory: a first operand that lives on has to be copied before.
//! Sums and products of two are the same in either order, but for which of two NaNs they give. Done behind Cranelift's optimizer, which takes
//! out of loops what does not change in them.

use super::registers::bits_of;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::ValueDef;
use cranelift_codegen::ir::{Endianness, Function, Inst, InstBuilder, InstructionData, MemFlagsData, Opcode, Value};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::settings::OptLevel;
use cranelift_entity::SecondaryMap;
use target_lexicon::Architecture;

/// Whether the target has such operations, and the code is optimized.
pub(crate) fn is_needed(isa: &dyn TargetIsa) -> bool {
    isa.triple().architecture == Architecture::X86_64 && isa.flags().opt_level() != OptLevel::None
}

/// Exchanges the operands of sums and products whose second one ends there, while the first one is loaded for them alone, or lives on. With AVX
/// (`any_vector`) vectors that are not aligned are operands, too, and the second one need not end.
pub(crate) fn order(func: &mut Function, any_vector: bool) {
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::with_capacity(func.dfg.num_values());
    let mut found: Vec<Inst> = Vec::new();
    for block in func.layout.blocks() {
        for inst in func.layout.block_insts(block) {
            for value in func.dfg.inst_values(inst) {
                uses[func.dfg.resolve_aliases(value)] += 1;
            }
            if is_either_way(func, inst) {
                found.push(inst);
            }
        }
    }
    for inst in found {
        let InstructionData::Binary { args: [a, b], .. } = func.dfg.insts[inst] else { continue };
        let [x, y] = [a, b].map(|v| func.dfg.resolve_aliases(v));
        let is_better = is_loaded(func, inst, x, any_vector) && !is_loaded(func, inst, y, any_vector);
        // Cranelift has the load of a vector be an operand wherever it stands, by another load if it is not aligned, and copies the other operand.
        let is_apart = |v: Value, other: Value| {
            let can = |v: Value| is_loaded(func, inst, v, any_vector);
            is_loaded(func, inst, v, true) && uses[v] == 1 && !can(v) && !ends(func, &uses, inst, other) && !can(other)
        };
        let apart = [(x, y), (y, x)].into_iter().find(|&(v, other)| is_apart(v, other));
        if let Some((loaded, other)) = apart
            && let Some(kept) = kept(func, inst, loaded)
        {
            func.dfg.inst_args_mut(inst).copy_from_slice(&[kept, other]);
            continue;
        }
        let lives_on = !ends(func, &uses, inst, x) && !is_loaded(func, inst, y, any_vector);
        let is_alone = is_better && uses[x] == 1;
        // Operations of AVX overwrite no operand.
        if (is_alone && any_vector) || (ends(func, &uses, inst, y) && (lives_on || is_alone)) {
            func.dfg.inst_args_mut(inst).swap(0, 1);
        }
    }
}

/// Whether `inst` is all that uses `v`, in the block that it belongs to.
fn ends(func: &Function, uses: &SecondaryMap<Value, u32>, inst: Inst, v: Value) -> bool {
    let is_of_block = match func.dfg.value_def(v) {
        ValueDef::Result(i, _) => is_near(func, inst, i),
        ValueDef::Param(block, _) => func.layout.inst_block(inst) == Some(block),
        ValueDef::Union(..) => false,
    };
    is_of_block && uses[v] == 1
}

/// The vector of reals `v` as a value that is no load, before `inst`; none of other types.
fn kept(func: &mut Function, inst: Inst, v: Value) -> Option<Value> {
    let ty = func.dfg.value_type(v);
    let bits = bits_of(ty)?;
    let location = func.srcloc(inst);
    let mut cursor = FuncCursor::new(func).at_inst(inst).with_srcloc(location);
    let flags = MemFlagsData::new().with_endianness(Endianness::Little);
    let raw = cursor.ins().bitcast(bits, flags, v);
    Some(cursor.ins().bitcast(ty, flags, raw))
}

/// Whether the operands of `inst` may be exchanged, and the first one is overwritten: additions of integers that are no vectors write anywhere.
fn is_either_way(func: &Function, inst: Inst) -> bool {
    match func.dfg.insts[inst].opcode() {
        Opcode::Fadd | Opcode::Fmul => true,
        Opcode::Iadd | Opcode::Band | Opcode::Bor | Opcode::Bxor => {
            func.dfg.value_type(func.dfg.first_result(inst)).is_vector()
        }
        _ => false,
    }
}

/// Whether `v` is a load that the operation `user` can do itself.
pub(super) fn is_loaded(func: &Function, user: Inst, v: Value, any_vector: bool) -> bool {
    let ValueDef::Result(inst, _) = func.dfg.value_def(v) else { return false };
    let InstructionData::Load { opcode: Opcode::Load, flags, .. } = func.dfg.insts[inst] else { return false };
    let is_operand = any_vector || !func.dfg.value_type(v).is_vector() || func.dfg.mem_flags[flags].aligned();
    is_operand && is_near(func, user, inst)
}

fn is_near(func: &Function, a: Inst, b: Inst) -> bool {
    func.layout.inst_block(a) == func.layout.inst_block(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_codegen::ir::{AbiParam, Signature, Type, UserFuncName, types};
    use cranelift_codegen::isa::CallConv;

    /// `load + u * u`, with vectors that are aligned or not, and the product used once more or not.
    fn ordered(ty: Type, flags: MemFlagsData, twice: bool) -> String {
        let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::SystemV));
        func.signature.params.extend([AbiParam::new(types::I64), AbiParam::new(ty)]);
        let block = func.dfg.make_block();
        let (p, u) = (func.dfg.append_block_param(block, types::I64), func.dfg.append_block_param(block, ty));
        func.layout.append_block(block);
        let mut c = FuncCursor::new(&mut func).at_bottom(block);
        let x = c.ins().load(ty, flags, p, 0);
        let y = c.ins().fmul(u, u);
        let s = c.ins().fadd(x, y);
        c.ins().store(flags, if twice { y } else { s }, p, 0);
        c.ins().return_(&[]);
        order(&mut func, false);
        func.display().to_string()
    }

    #[test]
    fn what_ends_stands_first() {
        let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::SystemV));
        func.signature.params.extend([AbiParam::new(types::I64), AbiParam::new(types::F64X2)]);
        let block = func.dfg.make_block();
        let p = func.dfg.append_block_param(block, types::I64);
        let k = func.dfg.append_block_param(block, types::F64X2);
        func.layout.append_block(block);
        let mut c = FuncCursor::new(&mut func).at_bottom(block);
        let y = c.ins().fadd(k, k);
        let t = c.ins().fmul(k, y);
        let s = c.ins().fmul(k, t);
        c.ins().store(MemFlagsData::new(), s, p, 0);
        c.ins().return_(&[]);
        order(&mut func, false);
        let text = func.display().to_string();
        assert!(text.contains("fmul v2, v1") && text.contains("fmul v3, v1"), "{text}");
    }

    #[test]
    fn what_is_loaded_for_a_sum_stands_second() {
        let plain = MemFlagsData::new();
        assert!(ordered(types::F64, plain, false).contains("fadd v3, v2"));
        assert!(ordered(types::F64X2, plain.with_aligned(), false).contains("fadd v3, v2"));
        assert!(ordered(types::F64X2, plain, false).contains("fadd v2, v3"));
        assert!(ordered(types::F64, plain, true).contains("fadd v2, v3"));
    }
}
