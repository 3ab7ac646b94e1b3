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
//! uses stays a load of its own, and the bitcasts are no instructions. A choice between the two that are compared, the less or the greater
//! one, is an instruction by itself: it keeps the same operands as the comparison.

use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{Endianness, Function, Inst, InstBuilder, MemFlagsData, Opcode, Type, Value, types};
use cranelift_codegen::isa::TargetIsa;
use rustc_hash::FxHashMap;
use target_lexicon::Architecture;

/// Whether comparisons take operands that are not aligned for what they are.
pub(crate) fn is_needed(isa: &dyn TargetIsa) -> bool {
    let has_avx = || isa.isa_flags().iter().any(|f| f.name == "has_avx" && f.as_bool() == Some(true));
    isa.triple().architecture == Architecture::X86_64 && !has_avx()
}

/// Keeps the operands of comparisons of vectors in registers.
pub(crate) fn compare_in_registers(func: &mut Function) {
    let mut comparisons = Vec::new();
    let mut choices: FxHashMap<Inst, Vec<Inst>> = FxHashMap::default();
    for block in func.layout.blocks() {
        for inst in func.layout.block_insts(block) {
            if let Some(comparison) = decided_by(func, inst) {
                choices.entry(comparison).or_default().push(inst);
            }
        }
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
                for &choice in choices.get(&inst).into_iter().flatten() {
                    for place in 1..3 {
                        if func.dfg.resolve_aliases(func.dfg.inst_args(choice)[place]) == operand {
                            func.dfg.inst_args_mut(choice)[place] = kept;
                        }
                    }
                }
            }
        }
    }
}

/// The comparison that decides between the values of `inst`, if that is a choice.
fn decided_by(func: &Function, inst: Inst) -> Option<Inst> {
    if func.dfg.insts[inst].opcode() != Opcode::Bitselect {
        return None;
    }
    let mut by = func.dfg.value_def(func.dfg.resolve_aliases(func.dfg.inst_args(inst)[0])).inst()?;
    if func.dfg.insts[by].opcode() == Opcode::Bitcast {
        by = func.dfg.value_def(func.dfg.resolve_aliases(func.dfg.inst_args(by)[0])).inst()?;
    }
    (func.dfg.insts[by].opcode() == Opcode::Fcmp).then_some(by)
}

/// The type of the same bits as integers.
pub(super) fn bits_of(ty: Type) -> Option<Type> {
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
