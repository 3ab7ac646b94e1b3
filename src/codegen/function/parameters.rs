//! Parameters that outlive a call: they move to a register of their own at once.
//!
//! ```text
//! block0(v0: i32):            block0(v0: i32):
//!     …                           v8 = uextend v0         mov %edi, %r12d
//!                                 v9 = ireduce v8
//!     v3 = call f(v1)             v3 = call f(v1)
//!     v4 = isub v0, v2            v4 = isub v9, v2
//! ```
//!
//! A parameter comes in a register that calls destroy. The register allocator splits its range at the calls and prefers that register in all of the
//! pieces, so the value is copied back and forth around each use. Another value has no such preference. Nothing is gained, and nothing lost but one
//! instruction, where the value is used on rare ways only.

use cranelift_codegen::Context;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{Block, BlockArg, Function, Inst, InstBuilder, Opcode, Value, types};
use cranelift_entity::EntitySet;
use rustc_hash::FxHashSet;

/// Functions with more blocks are left as they are: each parameter asks for a walk through all of them.
const MOST_BLOCKS: usize = 10_000;

/// Gives integers and addresses that outlive calls registers of their own. Returns each new value with the one that it is equal to.
pub(crate) fn settle(context: &mut Context) -> Vec<(Value, Value)> {
    let Some(entry) = context.func.layout.entry_block() else { return Vec::new() };
    let calls: Vec<Block> = context.func.layout.blocks().filter(|&b| first_call(&context.func, b).is_some()).collect();
    if calls.is_empty() || context.func.layout.blocks().count() > MOST_BLOCKS {
        return Vec::new();
    }
    let mut out = Vec::new();
    let params: Vec<Value> = context.func.dfg.block_params(entry).to_vec();
    for v in params {
        let is_number = matches!(context.func.dfg.value_type(v), types::I32 | types::I64);
        if !is_number || !outlives_call(context, entry, v, &calls) {
            continue;
        }
        let func = &mut context.func;
        let names: FxHashSet<Value> = func.dfg.values().filter(|&x| func.dfg.resolve_aliases(x) == v).collect();
        let all: Vec<Inst> = func.layout.blocks().flat_map(|b| func.layout.block_insts(b)).collect();
        let own = moved(func, all[0], v);
        for inst in all {
            func.dfg.map_inst_values(inst, |x| if names.contains(&x) { own } else { x });
            if is_returned(func, inst, own) {
                let result = moved(func, inst, own);
                func.dfg.map_inst_values(inst, |x| if x == own { result } else { x });
                out.push((result, v));
            }
        }
        out.push((own, v));
    }
    out
}

/// The same value, made before `at` by an instruction in whose result the register allocator sees another one.
fn moved(func: &mut Function, at: Inst, v: Value) -> Value {
    let mut at = FuncCursor::new(func).at_inst(at);
    match at.func.dfg.value_type(v) {
        types::I64 => at.ins().iadd_imm_s(v, 0),
        ty => {
            let whole = at.ins().uextend(types::I64, v);
            at.ins().ireduce(ty, whole)
        }
    }
}

/// Whether the function returns `v` there, or jumps to where it does: the range would prefer the register of the result.
fn is_returned(func: &Function, inst: Inst, v: Value) -> bool {
    match func.dfg.insts[inst].opcode() {
        Opcode::Return => func.dfg.inst_args(inst).contains(&v),
        Opcode::Jump => {
            let to = func.dfg.insts[inst].branch_destination(&func.dfg.jump_tables, &func.dfg.exception_tables)[0];
            let block = to.block(&func.dfg.value_lists);
            let last = func.layout.last_inst(block).filter(|&last| func.dfg.insts[last].opcode() == Opcode::Return);
            let returned = last.map_or(&[][..], |last| func.dfg.inst_args(last));
            let passed = to.args(&func.dfg.value_lists).zip(func.dfg.block_params(block));
            passed.into_iter().any(|(arg, param)| arg == BlockArg::Value(v) && returned.contains(param))
        }
        _ => false,
    }
}

/// The place in `b` of its first call.
fn first_call(func: &Function, b: Block) -> Option<usize> {
    func.layout.block_insts(b).position(|inst| func.dfg.insts[inst].opcode().is_call())
}

/// Whether `v`, a parameter of the function, is used behind one of the calls, which stand in these blocks.
fn outlives_call(context: &Context, entry: Block, v: Value, calls: &[Block]) -> bool {
    let func = &context.func;
    let uses = |b: Block| {
        let of_v = move |inst| func.dfg.inst_values(inst).any(|x| func.dfg.resolve_aliases(x) == v);
        func.layout.block_insts(b).enumerate().filter(move |&(_, inst)| of_v(inst)).map(|x| x.0)
    };
    // The blocks at whose beginning it is alive.
    let mut alive: EntitySet<Block> = EntitySet::new();
    let mut todo: Vec<Block> = func.layout.blocks().filter(|&b| uses(b).next().is_some()).collect();
    while let Some(b) = todo.pop() {
        if b != entry && alive.insert(b) {
            todo.extend(context.cfg.pred_iter(b).map(|p| p.block));
        }
    }
    calls.iter().any(|&b| {
        let behind = func.block_successors(b).any(|to| alive.contains(to));
        behind || first_call(func, b).is_some_and(|call| uses(b).last().is_some_and(|used| used > call))
    })
}
