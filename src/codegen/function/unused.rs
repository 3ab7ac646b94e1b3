//! Values that only their own next values need.
//!
//! ```text
//! loop(i, p):                     loop(p):
//!   store 0.0, p                    store 0.0, p
//!   j = iadd_imm i, 1       =>      q = iadd_imm p, 8
//!   q = iadd_imm p, 8               brif q < end, loop(q), after
//!   brif q < end, loop(j, q), after
//! ```
//!
//! A DO variable that pointers replaced is counted up in each iteration, and the addition is a use of it. Cranelift's optimizer drops a value
//! that has no use at all, not a circle of uses that leads nowhere. [`super::needed`] drops a register that nothing in the whole
//! procedure reads; this drops each of its values that nothing reads.

use crate::locate::is_pure;
use cranelift_codegen::ir::{Block, BlockArg, Function, Inst, Value, ValueDef};
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Removes the pure instructions and the parameters of blocks of `func` that no other instruction needs.
pub(crate) fn remove(func: &mut Function) {
    let entry = func.layout.entry_block();
    let has_params = |b: &Block| Some(*b) != entry && !func.dfg.block_params(*b).is_empty();
    if !func.layout.blocks().any(|b| has_params(&b)) {
        return;
    }
    let needed = needed(func);
    let all: Vec<Block> = func.layout.blocks().collect();
    // The parameters that stay, for each block that loses some.
    let mut kept: FxHashMap<Block, Vec<usize>> = FxHashMap::default();
    for &b in all.iter().filter(|&&b| Some(b) != entry) {
        let params = func.dfg.block_params(b);
        let staying: Vec<usize> = (0..params.len()).filter(|&k| needed.contains(params[k])).collect();
        if staying.len() < params.len() {
            kept.insert(b, staying);
        }
    }
    for &b in &all {
        for inst in func.layout.block_insts(b).collect::<Vec<_>>() {
            if is_pure(func, inst) && !func.dfg.inst_results(inst).iter().any(|&v| needed.contains(v)) {
                func.layout.remove_inst(inst);
                continue;
            }
            let dfg = &mut func.dfg;
            let data = &mut dfg.insts[inst];
            for to in data.branch_destination_mut(&mut dfg.jump_tables, &mut dfg.exception_tables) {
                let Some(staying) = kept.get(&to.block(&dfg.value_lists)) else { continue };
                let args: Vec<BlockArg> = to.args(&dfg.value_lists).collect();
                to.clear(&mut dfg.value_lists);
                to.extend(staying.iter().map(|&k| args[k]), &mut dfg.value_lists);
            }
        }
    }
    for b in all {
        let Some(staying) = kept.remove(&b) else { continue };
        let params = func.dfg.detach_block_params(b);
        let params = params.as_slice(&func.dfg.value_lists).to_vec();
        staying.iter().for_each(|&k| func.dfg.attach_block_param(b, params[k]));
    }
}

/// The values that instructions with effects and branches need.
fn needed(func: &Function) -> EntitySet<Value> {
    let dfg = &func.dfg;
    let mut needed = EntitySet::new();
    let mut todo: Vec<Value> = Vec::new();
    // The branches to each block with parameters.
    let mut branches: SecondaryMap<Block, SmallVec<[Inst; 2]>> = SecondaryMap::new();
    for b in func.layout.blocks() {
        for inst in func.layout.block_insts(b).filter(|&i| !is_pure(func, i)) {
            todo.extend_from_slice(dfg.inst_args(inst));
            for to in dfg.insts[inst].branch_destination(&dfg.jump_tables, &dfg.exception_tables) {
                let to = to.block(&dfg.value_lists);
                if !dfg.block_params(to).is_empty() && branches[to].last() != Some(&inst) {
                    branches[to].push(inst);
                }
            }
        }
    }
    while let Some(v) = todo.pop() {
        let v = dfg.resolve_aliases(v);
        if !needed.insert(v) {
            continue;
        }
        match dfg.value_def(v) {
            ValueDef::Result(inst, _) if is_pure(func, inst) => todo.extend_from_slice(dfg.inst_args(inst)),
            ValueDef::Result(..) => {}
            ValueDef::Param(b, k) => {
                for &inst in &branches[b] {
                    for to in dfg.insts[inst].branch_destination(&dfg.jump_tables, &dfg.exception_tables) {
                        if to.block(&dfg.value_lists) == b {
                            todo.extend(to.args(&dfg.value_lists).nth(k).and_then(|a| a.as_value()));
                        }
                    }
                }
            }
            ValueDef::Union(a, b) => todo.extend([a, b]),
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_codegen::cursor::{Cursor, FuncCursor};
    use cranelift_codegen::ir::condcodes::IntCC;
    use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, UserFuncName, types};
    use cranelift_codegen::isa::CallConv;

    /// A loop with a counter that advances beside its condition; with `read`, something behind the loop asks for it.
    fn swept(read: bool) -> String {
        let mut sig = Signature::new(CallConv::SystemV);
        sig.params.push(AbiParam::new(types::I64));
        sig.returns.push(AbiParam::new(types::I64));
        let mut func = Function::with_name_signature(UserFuncName::testcase("t"), sig);
        let blocks: [Block; 3] = std::array::from_fn(|_| func.dfg.make_block());
        let n = func.dfg.append_block_param(blocks[0], types::I64);
        let [i, k] = std::array::from_fn(|_| func.dfg.append_block_param(blocks[1], types::I64));
        let mut cursor = FuncCursor::new(&mut func);
        blocks.iter().for_each(|&b| cursor.insert_block(b));
        let mut cursor = cursor.at_bottom(blocks[0]);
        let one = cursor.ins().iconst(types::I64, 1);
        cursor.ins().jump(blocks[1], &[one.into(), n.into()]);
        let mut cursor = cursor.at_bottom(blocks[1]);
        let next = cursor.ins().iadd(i, one);
        let less = cursor.ins().isub(k, one);
        let more = cursor.ins().icmp(IntCC::SignedGreaterThan, less, one);
        cursor.ins().brif(more, blocks[1], &[next.into(), less.into()], blocks[2], &[]);
        let mut cursor = cursor.at_bottom(blocks[2]);
        cursor.ins().return_(&[if read { i } else { n }]);
        remove(&mut func);
        func.display().to_string()
    }

    #[test]
    fn a_counter_that_nothing_asks_for_goes() {
        let text = swept(false);
        assert!(text.contains("block1(v2: i64):") && !text.contains("iadd"), "{text}");
        assert!(text.contains("block1(v0)") && text.contains("block1(v5), block2"), "{text}");
    }

    #[test]
    fn a_counter_that_is_read_stays() {
        let text = swept(true);
        assert!(text.contains("block1(v1: i64, v2: i64):") && text.contains("iadd"), "{text}");
    }
}
