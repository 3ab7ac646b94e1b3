//! Truncation to INTEGER(4) and smaller kinds: a number that does not fit, and a NaN, become the least integer.
//!
//! ```text
//!                                      x86-64                        AArch64
//! k = fcvt_to_sint_sat.i32 x    =>     v = x86_cvtt2dq [x, x]        n = fcvt_to_sint_sat.i32 x
//!                                      k = extractlane v, 0          k = select x < 2147483648.0, n, -2147483648
//! ```
//!
//! Fortran leaves such results open. The least integer is the result of x86-64's instructions, and so of gfortran's programs there: one instruction does
//! two or four elements. The greatest integer, which Cranelift's conversions give, takes four more instructions for two elements.
//! All levels and targets have the same result, in vectors and out of them, because all code comes by here when it is packed. Truncation to
//! INTEGER(8) is Cranelift's: no vector of the first instruction set has it.

use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{Function, Inst, InstBuilder, Opcode, Type, Value, types};
use cranelift_codegen::isa::TargetIsa;
use target_lexicon::Architecture;

/// Makes the least integer of all numbers that do not fit.
pub(crate) fn least_of_unfit(func: &mut Function, isa: &dyn TargetIsa) {
    let blocks = func.layout.blocks().collect::<Vec<_>>();
    let truncates = |&inst: &Inst| func.dfg.insts[inst].opcode() == Opcode::FcvtToSintSat;
    let insts: Vec<Inst> = blocks.into_iter().flat_map(|b| func.layout.block_insts(b)).filter(truncates).collect();
    for inst in insts {
        let (x, to) = (func.dfg.inst_args(inst)[0], func.dfg.value_type(func.dfg.first_result(inst)));
        let from = func.dfg.value_type(x);
        if to == types::I64 || !matches!(from.lane_type(), types::F32 | types::F64) {
            continue;
        }
        match isa.triple().architecture {
            Architecture::X86_64 => truncate(func, inst, x, to),
            _ => correct(func, inst, x, to),
        }
    }
}

/// By the instructions of x86-64. All lanes of a scalar are the same, and raise the same exceptions.
fn truncate(func: &mut Function, inst: Inst, x: Value, to: Type) {
    let location = func.srcloc(inst);
    let from = func.dfg.value_type(x);
    if from.is_vector() {
        func.replace(inst).x86_cvtt2dq(to, x);
        return;
    }
    let mut cursor = FuncCursor::new(func).at_inst(inst).with_srcloc(location);
    let lanes = if from == types::F64 { types::F64X2 } else { types::F32X4 };
    let v = cursor.ins().splat(lanes, x);
    let whole = if from == types::F64 {
        let wide = cursor.ins().x86_cvtt2dq(types::I64X2, v);
        let zero = cursor.func.dfg.constants.insert(vec![0; 16].into());
        let zero = cursor.ins().vconst(types::I64X2, zero);
        cursor.ins().snarrow(wide, zero)
    } else {
        cursor.ins().x86_cvtt2dq(types::I32X4, v)
    };
    func.replace(inst).extractlane(whole, 0);
}

/// By a comparison. What is too small, or minus infinity, is the least integer already; a NaN is less than nothing.
fn correct(func: &mut Function, inst: Inst, x: Value, to: Type) {
    let location = func.srcloc(inst);
    let from = func.dfg.value_type(x);
    let mut cursor = FuncCursor::new(func).at_inst(inst).with_srcloc(location);
    let mut limit = match from.lane_type() {
        types::F64 => cursor.ins().f64const(2_147_483_648.0),
        _ => cursor.ins().f32const(2_147_483_648.0),
    };
    let least = if to.lane_type() == types::I64 { i64::from(i32::MIN) } else { i64::from(i32::MIN.cast_unsigned()) };
    let mut least = cursor.ins().iconst(to.lane_type(), least);
    if from.is_vector() {
        (limit, least) = (cursor.ins().splat(from, limit), cursor.ins().splat(to, least));
    }
    let whole = cursor.ins().fcvt_to_sint_sat(to, x);
    let fits = cursor.ins().fcmp(FloatCC::LessThan, x, limit);
    match from.is_vector() {
        true => func.replace(inst).bitselect(fits, whole, least),
        false => func.replace(inst).select(fits, whole, least),
    };
}
