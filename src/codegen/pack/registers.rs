//! Comparisons of vectors whose operands are in registers.
//!
//! ```text
//! v = load.f64x2 p                      v = load.f64x2 p
//! m = fcmp lt x, v                =>    w = bitcast.f64x2 (bitcast.i64x2 v)
//!                                       m = fcmp lt x, w
//! ```
//!
//! Without AVX an operand of `cmpps` and `cmppd` in memory must be aligned. Cranelift 0.135 knows that of all other instructions, and
//! makes a load that only a comparison uses its operand, whatever the alignment: the program ends by a signal. A load that something else
//! uses stays a load of its own, and the bitcasts are no instructions.

use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{Endianness, Function, InstBuilder, MemFlagsData, Opcode, Type, Value, types};
use cranelift_codegen::isa::TargetIsa;
use target_lexicon::Architecture;

/// Whether comparisons take operands that are not aligned for what they are.
pub(crate) fn is_needed(isa: &dyn TargetIsa) -> bool {
    let has_avx = || isa.isa_flags().iter().any(|f| f.name == "has_avx" && f.as_bool() == Some(true));
    isa.triple().architecture == Architecture::X86_64 && !has_avx()
}

/// Keeps the operands of comparisons of vectors in registers.
pub(crate) fn compare_in_registers(func: &mut Function) {
    let mut comparisons = Vec::new();
    for block in func.layout.blocks() {
        let of_vectors = |&inst: &_| {
            func.dfg.insts[inst].opcode() == Opcode::Fcmp
                && func.dfg.value_type(func.dfg.inst_args(inst)[0]).is_vector()
        };
        comparisons.extend(func.layout.block_insts(block).filter(of_vectors));
    }
    for inst in comparisons {
        for k in 0..2 {
            let operand = func.dfg.resolve_aliases(func.dfg.inst_args(inst)[k]);
            if let Some(bits) = bits_of(func.dfg.value_type(operand)).filter(|_| may_be_a_load(func, operand)) {
                let location = func.srcloc(inst);
                let ty = func.dfg.value_type(operand);
                let mut cursor = FuncCursor::new(func).at_inst(inst).with_srcloc(location);
                let flags = MemFlagsData::new().with_endianness(Endianness::Little);
                let raw = cursor.ins().bitcast(bits, flags, operand);
                let kept = cursor.ins().bitcast(ty, flags, raw);
                func.dfg.inst_args_mut(inst)[k] = kept;
            }
        }
    }
}

/// The type of the same bits as integers.
fn bits_of(ty: Type) -> Option<Type> {
    match ty {
        types::F32X4 => Some(types::I32X4),
        types::F64X2 => Some(types::I64X2),
        _ => None,
    }
}

/// Whether the value is a load, or may be one once Cranelift has simplified it.
fn may_be_a_load(func: &Function, value: Value) -> bool {
    let Some(inst) = func.dfg.value_def(value).inst() else { return false };
    let opcode = func.dfg.insts[inst].opcode();
    !matches!(
        opcode,
        Opcode::Splat | Opcode::Vconst | Opcode::Fadd | Opcode::Fsub | Opcode::Fmul | Opcode::Fdiv | Opcode::Sqrt
    )
}
