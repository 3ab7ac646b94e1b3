//! A loop stands in one piece: the code that follows it comes behind its last block.
//!
//! ```text
//! loop:                            loop:
//!   brif goes_on, body, after        brif done, after, body
//! after:                     =>    body:
//!   …                                …
//! body:                              jump loop
//!   …                              after:
//!   jump loop                        …
//! ```
//!
//! Cranelift lays blocks out in reverse postorder, in which the second target of a branch stands right behind it. If that one leaves the loop and
//! the first one stays, everything that is reached only behind the loop would stand in its middle, and the processor would
//! jump over it in each iteration. Done behind the optimizer, for which the targets make no difference.

use cranelift_codegen::Context;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{Block, Function, Inst, InstBuilder, InstructionData, Value, types};
use cranelift_codegen::loop_analysis::LoopAnalysis;

/// Exchanges the targets of branches that stay in a loop by their first target and leave it by the second, in an optimized function whose flow
/// graph and loops are known.
pub(crate) fn keep_loops_together(context: &mut Context) {
    let (func, loops) = (&mut context.func, &context.loop_analysis);
    let blocks: Vec<Block> = func.layout.blocks().filter(|&b| loops.innermost_loop(b).is_some()).collect();
    let branches: Vec<Inst> = blocks.into_iter().filter_map(|b| leaving(func, loops, b)).collect();
    if branches.is_empty() {
        return;
    }
    for branch in branches {
        exchange(func, branch);
    }
    context.flowgraph();
}

/// The branch at the end of the block `b` if its first target stays in the innermost loop around `b`, without being its beginning, and its second
/// one leaves that loop.
fn leaving(func: &Function, loops: &LoopAnalysis, b: Block) -> Option<Inst> {
    let l = loops.innermost_loop(b)?;
    let branch = func.layout.last_inst(b)?;
    let InstructionData::Brif { blocks, .. } = func.dfg.insts[branch] else { return None };
    let [first, second] = blocks.map(|c| c.block(&func.dfg.value_lists));
    let stays = loops.is_in_loop(first, l) && first != loops.loop_header(l);
    (stays && !loops.is_in_loop(second, l)).then_some(branch)
}

/// Makes `branch` ask the opposite question, with its targets exchanged.
fn exchange(func: &mut Function, branch: Inst) {
    let InstructionData::Brif { opcode, arg, blocks: [first, second] } = func.dfg.insts[branch] else { return };
    let arg = opposite(func, branch, arg);
    func.dfg.insts[branch] = InstructionData::Brif { opcode, arg, blocks: [second, first] };
}

/// The opposite of the condition `c`, before `branch`.
fn opposite(func: &mut Function, branch: Inst, c: Value) -> Value {
    let def = func.dfg.value_def(func.dfg.resolve_aliases(c)).inst().map(|i| func.dfg.insts[i]);
    let location = func.srcloc(branch);
    let mut cursor = FuncCursor::new(func).at_inst(branch).with_srcloc(location);
    match def {
        Some(InstructionData::IntCompare { args: [a, b], cond, .. }) => cursor.ins().icmp(cond.complement(), a, b),
        Some(InstructionData::FloatCompare { args: [a, b], cond, .. }) => cursor.ins().fcmp(cond.complement(), a, b),
        _ => {
            let ty = cursor.func.dfg.value_type(c);
            let zero = cursor.ins().iconst(if ty.is_int() { ty } else { types::I8 }, 0);
            cursor.ins().icmp(IntCC::Equal, c, zero)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_codegen::ir::condcodes::FloatCC;
    use cranelift_codegen::ir::{AbiParam, Signature, UserFuncName};
    use cranelift_codegen::isa::CallConv;

    /// A loop that ends when `compare` says so.
    fn laid_out(compare: impl Fn(&mut FuncCursor<'_>, Value) -> Value) -> (String, Vec<Block>) {
        let mut sig = Signature::new(CallConv::SystemV);
        sig.params.push(AbiParam::new(types::I64));
        let mut func = Function::with_name_signature(UserFuncName::testcase("t"), sig);
        let blocks: [Block; 4] = std::array::from_fn(|_| func.dfg.make_block());
        let n = func.dfg.append_block_param(blocks[0], types::I64);
        let k = func.dfg.append_block_param(blocks[1], types::I64);
        let mut cursor = FuncCursor::new(&mut func);
        blocks.iter().for_each(|&b| cursor.insert_block(b));
        let mut cursor = cursor.at_bottom(blocks[0]);
        cursor.ins().jump(blocks[1], &[n.into()]);
        let mut cursor = cursor.at_bottom(blocks[1]);
        let goes_on = compare(&mut cursor, k);
        cursor.ins().brif(goes_on, blocks[2], &[], blocks[3], &[]);
        let mut cursor = cursor.at_bottom(blocks[2]);
        let one = cursor.ins().iconst(types::I64, 1);
        let less = cursor.ins().isub(k, one);
        cursor.ins().jump(blocks[1], &[less.into()]);
        let mut cursor = cursor.at_bottom(blocks[3]);
        cursor.ins().return_(&[]);
        let mut context = Context::for_function(func);
        context.flowgraph();
        context.compute_domtree();
        context.compute_loop_analysis();
        keep_loops_together(&mut context);
        context.compute_domtree();
        (context.func.display().to_string(), context.domtree.cfg_rpo().copied().collect())
    }

    fn block(k: u32) -> Block {
        Block::from_u32(k)
    }

    #[test]
    fn the_end_of_a_loop_stands_behind_it() {
        let (text, order) = laid_out(|c, k| {
            let zero = c.ins().iconst(types::I64, 0);
            c.ins().icmp(IntCC::SignedGreaterThan, k, zero)
        });
        assert!(text.contains("icmp sle v1, v2") && text.contains(", block3, block2"), "{text}");
        assert_eq!(order, [0, 1, 2, 3].map(block));
    }

    #[test]
    fn reals_that_cannot_be_compared_go_the_way_they_went() {
        let (text, _) = laid_out(|c, k| {
            let x = c.ins().fcvt_from_sint(types::F64, k);
            c.ins().fcmp(FloatCC::GreaterThan, x, x)
        });
        assert!(text.contains("fcmp ule"), "{text}");
    }

    #[test]
    fn conditions_that_are_no_comparisons_are_compared_with_zero() {
        let (text, order) = laid_out(|_, k| k);
        assert!(text.contains("icmp eq v1, v"), "{text}");
        assert_eq!(order, [0, 1, 2, 3].map(block));
    }
}
