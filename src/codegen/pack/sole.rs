//! Loads that only one operation uses become operands of it also where its result is used twice.
//!
//! ```text
//! loop(s):                                  loop(s):
//!     x = load p                                x = load p
//!     t = fadd s, x                             t = fadd s, x
//!     brif c, loop(t), after(t)       =>        jump rest(t)
//!                                           rest(t'):
//!                                               brif c, loop(t'), after(t')
//! ```
//!
//! Cranelift computes a value anew where that is cheap, so it counts all that a value with several uses is made of as used several times, and a
//! load that is used several times is an instruction of its own. The sum of a loop is such a value: the next iteration uses it, and so does the code
//! after the loop. The parameter of a block is made of nothing. Blocks that follow each other without another way in need no jump, and a
//! parameter no copy. Done behind Cranelift's optimizer, which would join the blocks again.

use super::operands::is_loaded;
use crate::ranges::pass;
use cranelift_codegen::Context;
use cranelift_codegen::ir::{Block, Function, Inst, Opcode, Value, ValueDef};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The most operations of a value that are looked at.
const MOST: usize = 32;

/// A place in front of which a block is cut, and the values that the second part gets.
type Cut = (Inst, SmallVec<[Value; 2]>);

/// Gives values with several uses, which are made of loads with one use, to blocks of their own in loops, which are known. Vectors that are not aligned
/// are operands only with AVX (`any_vector`). Returns each new value with the value that it is equal to; the flow graph is that of the new blocks.
pub(crate) fn split(context: &mut Context, any_vector: bool) -> Vec<(Value, Value)> {
    if context.loop_analysis.loops().next().is_none() {
        return Vec::new();
    }
    let func = &mut context.func;
    let uses = uses(func);
    let mut cuts: Vec<Cut> = Vec::new();
    for block in func.layout.blocks() {
        if context.loop_analysis.innermost_loop(block).is_some() && !func.layout.is_cold(block) {
            find(func, &uses, block, any_vector, &mut cuts);
        }
    }
    if cuts.is_empty() {
        return Vec::new();
    }
    let mut new: FxHashMap<Value, Value> = FxHashMap::default();
    let mut jumps: FxHashSet<Inst> = FxHashSet::default();
    for (at, values) in &cuts {
        let before = func.layout.inst_block(*at);
        let rest = pass(func, *at, values);
        new.extend(values.iter().copied().zip(func.dfg.block_params(rest).iter().copied()));
        jumps.extend(before.and_then(|b| func.layout.last_inst(b)));
    }
    // All uses are behind the cut.
    let blocks: Vec<Block> = func.layout.blocks().collect();
    for block in blocks {
        let insts: Vec<Inst> = func.layout.block_insts(block).filter(|i| !jumps.contains(i)).collect();
        for inst in insts {
            let dfg = &mut func.dfg;
            if dfg.inst_values(inst).any(|v| new.contains_key(&dfg.resolve_aliases(v))) {
                let old: SmallVec<[Value; 8]> = dfg.inst_values(inst).map(|v| dfg.resolve_aliases(v)).collect();
                let mut at = old.iter().map(|v| new.get(v).copied().unwrap_or(*v));
                dfg.map_inst_values(inst, |v| at.next().unwrap_or(v));
            }
        }
    }
    context.flowgraph();
    let mut out: Vec<(Value, Value)> = new.into_iter().map(|(v, new)| (new, v)).collect();
    out.sort_unstable();
    out
}

/// The number of uses of each value.
fn uses(func: &Function) -> SecondaryMap<Value, u32> {
    let mut number: SecondaryMap<Value, u32> = SecondaryMap::with_capacity(func.dfg.num_values());
    for block in func.layout.blocks() {
        for inst in func.layout.block_insts(block) {
            func.dfg.inst_values(inst).for_each(|v| number[func.dfg.resolve_aliases(v)] += 1);
        }
    }
    number
}

/// Adds the places at which `block` is cut: before the first use of each value, so that loads up to there still are operands.
fn find(func: &Function, uses: &SecondaryMap<Value, u32>, block: Block, any_vector: bool, cuts: &mut Vec<Cut>) {
    // Cranelift moves a load to its use over instructions of the same color.
    let mut color = 0u32;
    let mut colors: FxHashMap<Inst, u32> = FxHashMap::default();
    let mut waiting: SmallVec<[Value; 2]> = SmallVec::new();
    // Loads with one use that is still to come.
    let mut open: SmallVec<[Value; 4]> = SmallVec::new();
    for inst in func.layout.block_insts(block) {
        let is_end = func.dfg.insts[inst].opcode().is_terminator();
        let used: SmallVec<[Value; 4]> = func.dfg.inst_values(inst).map(|v| func.dfg.resolve_aliases(v)).collect();
        if !waiting.is_empty() && (is_end || waiting.iter().any(|v| used.contains(v))) {
            let values = std::mem::take(&mut waiting);
            if is_end || open.is_empty() {
                cuts.push((inst, values));
                colors.clear();
            }
        }
        open.retain(|v| !used.contains(v));
        colors.insert(inst, color);
        if stays(func, inst) {
            color += 1;
        }
        let &[v] = func.dfg.inst_results(inst) else { continue };
        let ty = func.dfg.value_type(v);
        if is_loaded(func, inst, v, any_vector) && uses[v] == 1 {
            open.push(v);
        } else if uses[v] > 1 && (ty.is_float() || ty.is_vector()) && has_operand(func, uses, inst, &colors, any_vector)
        {
            waiting.push(v);
        }
    }
}

/// Whether Cranelift has the instruction where it stands, but for loads that become operands.
fn stays(func: &Function, inst: Inst) -> bool {
    let op = func.dfg.insts[inst].opcode();
    op.is_terminator() || op.is_call() || op.can_trap() || op.can_store() || op.other_side_effects() || op.can_load()
}

/// Whether a load would be an operand of `inst`, or of an operation that `inst` alone uses, if `inst` were used once.
fn has_operand(
    func: &Function,
    uses: &SecondaryMap<Value, u32>,
    inst: Inst,
    colors: &FxHashMap<Inst, u32>,
    any_vector: bool,
) -> bool {
    let mut stack: SmallVec<[Inst; 8]> = SmallVec::from_slice(&[inst]);
    for _ in 0..MOST {
        let Some(user) = stack.pop() else { return false };
        for (k, &v) in func.dfg.inst_args(user).iter().enumerate() {
            let v = func.dfg.resolve_aliases(v);
            let ValueDef::Result(made, _) = func.dfg.value_def(v) else { continue };
            let (Some(&from), Some(&to)) = (colors.get(&made), colors.get(&user)) else { continue };
            if uses[v] != 1 {
                continue;
            }
            if is_loaded(func, user, v, any_vector) {
                if from + 1 == to && takes(func, user, k) {
                    return true;
                }
            } else if !stays(func, made) {
                stack.push(made);
            }
        }
    }
    false
}

/// Whether an operation takes this operand from memory.
fn takes(func: &Function, user: Inst, operand: usize) -> bool {
    use Opcode::{
        Band, Bor, Bxor, Fadd, Fcmp, FcvtFromSint, Fdiv, Fma, Fmul, Fpromote, Fsub, Iadd, Imul, Isub, Sextend, Sqrt,
    };
    match func.dfg.insts[user].opcode() {
        Fadd | Fsub | Fmul | Fdiv | Iadd | Isub | Band | Bor | Bxor | Imul | Fcmp => operand == 1,
        Fma => operand < 2,
        Sextend | Sqrt | Fpromote | FcvtFromSint => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_codegen::cursor::{Cursor, FuncCursor};
    use cranelift_codegen::ir::{AbiParam, BlockArg, InstBuilder, MemFlagsData, Signature, UserFuncName, types};
    use cranelift_codegen::isa::CallConv;

    /// A loop that adds `load * x` to a sum, which is used by the next iteration and after the loop; with `late`, another load has its only use behind the
    /// first use of the sum.
    fn summed(late: bool) -> String {
        let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::SystemV));
        func.signature.params.extend([AbiParam::new(types::I64), AbiParam::new(types::F64)]);
        let [entry, body, after] = [(); 3].map(|()| func.dfg.make_block());
        let (p, x) = (func.dfg.append_block_param(entry, types::I64), func.dfg.append_block_param(entry, types::F64));
        let s = func.dfg.append_block_param(body, types::F64);
        let last = func.dfg.append_block_param(after, types::F64);
        [entry, body, after].into_iter().for_each(|b| func.layout.append_block(b));
        let plain = MemFlagsData::trusted();
        FuncCursor::new(&mut func).at_bottom(entry).ins().jump(body, &[BlockArg::Value(x)]);
        let mut c = FuncCursor::new(&mut func).at_bottom(body);
        let y = c.ins().load(types::F64, plain, p, 0);
        let product = c.ins().fmul(x, y);
        let sum = c.ins().fadd(s, product);
        if late {
            let z = c.ins().load(types::F64, plain, p, 8);
            let w = c.ins().fmul(sum, z);
            c.ins().store(plain, w, p, 16);
        }
        let again = c.ins().load(types::I64, plain, p, 24);
        c.ins().brif(again, body, &[BlockArg::Value(sum)], after, &[BlockArg::Value(sum)]);
        let mut c = FuncCursor::new(&mut func).at_bottom(after);
        c.ins().store(plain, last, p, 32);
        c.ins().return_(&[]);
        let mut context = Context::for_function(func);
        context.flowgraph();
        context.compute_loop_analysis();
        let new = split(&mut context, false);
        assert_eq!(new.len(), usize::from(!late), "{}", context.func.display());
        context.func.display().to_string()
    }

    #[test]
    fn a_sum_of_a_loop_is_a_parameter() {
        let text = summed(false);
        assert!(text.contains("jump block3(v6)") && text.contains("block3(v8: f64)"), "{text}");
        assert!(text.contains("brif.i64 v7, block1(v8), block2(v8)"), "{text}");
    }

    #[test]
    fn a_load_for_later_stays_in_its_block() {
        let text = summed(true);
        assert!(!text.contains("block3"), "{text}");
    }
}
