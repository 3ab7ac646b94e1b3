//! The next value of a variable that a loop steps through is made last, when nothing needs the old one any more.
//!
//! ```text
//! loop(p):                           loop(p):
//!     q = iadd_imm p, 64                 a = load p+0
//!     a = load p+0                       …
//!     …                         =>       b = load p+28
//!     b = load p+28                      q = iadd_imm p, 64
//!     brif c, loop(q), after             brif c, loop(q), after
//! ```
//!
//! With both values alive at once each has a register of its own, so the loop ends with a copy, and the way back cannot be the
//! branch itself. Cranelift's optimizer puts a pure operation where its first user needs it, in the order of the arguments. Done behind it.

use super::aligned::constant;
use super::limit::{By, LONGEST, Shape, Stepped, integer, is_outside, number};
use cranelift_codegen::Context;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::dominator_tree::DominatorTree;
use cranelift_codegen::flowgraph::ControlFlowGraph;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, Function, Inst, InstBuilder, InstructionData, Opcode, Value, types};
use cranelift_codegen::loop_analysis::{Loop, LoopAnalysis};
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

/// The instructions that use each value.
type Users = SecondaryMap<Value, SmallVec<[Inst; 2]>>;

/// Moves the steps of loops, which are known, to their last places.
pub(crate) fn step_last(context: &mut Context) {
    let (func, loops) = (&mut context.func, &context.loop_analysis);
    if loops.loops().next().is_none() {
        return;
    }
    let mut users = Users::with_capacity(func.dfg.num_values());
    for block in func.layout.blocks() {
        for inst in func.layout.block_insts(block) {
            func.dfg.inst_values(inst).for_each(|v| users[func.dfg.resolve_aliases(v)].push(inst));
        }
    }
    for l in loops.loops() {
        test_new(func, &context.cfg, (loops, l), &mut users);
        test_last(func, &context.cfg, loops.loop_header(l), &users);
        let params = func.dfg.block_params(loops.loop_header(l)).to_vec();
        let steps: Vec<Inst> = params.iter().flat_map(|&p| users[p].iter().copied()).collect();
        for step in steps {
            old_from_new(func, (&context.domtree, loops, l), step, &mut users);
            if let Some(at) = last_place(func, (&context.domtree, loops, l), step, &users) {
                func.layout.remove_inst(step);
                func.layout.insert_inst(step, at);
            }
        }
    }
}

/// Has loop `l` compare the new value of a variable with a limit that is a step farther away, where Cranelift's optimizer has taken the step from both sides:
/// the old one would be alive beside it.
fn test_new(func: &mut Function, cfg: &ControlFlowGraph, (loops, l): (&LoopAnalysis, Loop), users: &mut Users) {
    let Some(shape) = Shape::of(func, (cfg, loops), l) else { return };
    let ((test, cc), (back, entry)) = (shape.test, (shape.back.0, shape.entry.0));
    let is_alone = users[func.dfg.first_result(test)].len() == 1;
    if !matches!(cc, IntCC::Equal | IntCC::NotEqual)
        || !is_alone
        || func.layout.inst_block(test) != func.layout.inst_block(back)
    {
        return;
    }
    let args = [0, 1].map(|k| func.dfg.resolve_aliases(func.dfg.inst_args(test)[k]));
    let Some(k) = func.dfg.block_params(shape.header).iter().position(|p| args.contains(p)) else { return };
    let Some(Stepped { param: old, next: new, by: By::Constant(by), .. }) = Stepped::of(func, &shape, k) else {
        return;
    };
    let limit = if args[0] == old { args[1] } else { args[0] };
    let ty = func.dfg.value_type(old);
    let is_constant = number(func, limit).is_some();
    if !matches!(ty, types::I32 | types::I64) || !is_constant && !is_outside(func, (loops, l), limit) {
        return;
    }
    let at = if is_constant { test } else { entry };
    // The new value may be made behind the place of the comparison.
    func.layout.remove_inst(test);
    func.layout.insert_inst(test, back);
    let mut cursor = FuncCursor::new(func).at_inst(at);
    cursor.use_srcloc(at);
    let farther = match number(cursor.func, limit) {
        Some(limit) => integer(&mut cursor, ty, limit.wrapping_add(by)),
        None => {
            let by = integer(&mut cursor, ty, by);
            cursor.ins().iadd(limit, by)
        }
    };
    func.dfg.inst_args_mut(test).copy_from_slice(&[new, farther]);
    users[old].retain(|&mut i| i != test);
    users[new].push(test);
    users[farther].push(test);
}

/// Moves the comparisons on which control comes to `block` to the ends of their blocks: a step that they test follows the other uses of the old value.
fn test_last(func: &mut Function, cfg: &ControlFlowGraph, block: Block, users: &Users) {
    let branches: Vec<Inst> = cfg.pred_iter(block).map(|p| p.inst).collect();
    for branch in branches {
        let InstructionData::Brif { arg, .. } = func.dfg.insts[branch] else { continue };
        let is_short = |b: Block| func.layout.block_insts(b).nth(LONGEST).is_none();
        if !func.layout.inst_block(branch).is_some_and(is_short) {
            continue; // Early steps are not in the way there.
        }
        let arg = func.dfg.resolve_aliases(arg);
        let Some(test) = func.dfg.value_def(arg).inst().filter(|_| users[arg].len() == 1) else { continue };
        if func.dfg.insts[test].opcode() == Opcode::Icmp
            && func.layout.inst_block(test) == func.layout.inst_block(branch)
        {
            func.layout.remove_inst(test);
            func.layout.insert_inst(test, branch);
        }
    }
}

/// Behind loop `l`, if it has stepped, the old value is the new one less the step, so that both are not alive at once: counts of iterations ask for
/// the old one.
fn old_from_new(
    func: &mut Function,
    (domtree, loops, l): (&DominatorTree, &LoopAnalysis, Loop),
    step: Inst,
    users: &mut Users,
) {
    if func.dfg.insts[step].opcode() != Opcode::Iadd {
        return;
    }
    let [old, by] = [0, 1].map(|k| func.dfg.resolve_aliases(func.dfg.inst_args(step)[k]));
    let (Some(block), Some(by)) = (func.layout.inst_block(step), constant(func, by)) else { return };
    let new = func.dfg.first_result(step);
    if loops.innermost_loop(block) != Some(l) || !users[new].iter().any(|&i| goes_on(func, loops, l, i)) {
        return;
    }
    let is_behind = |func: &Function, i: Inst| {
        func.layout.inst_block(i).is_some_and(|b| !loops.is_in_loop(b, l) && domtree.block_dominates(block, b))
    };
    // In another loop it would be computed in each iteration.
    let is_once = |func: &Function, i: Inst| {
        let around = func.layout.inst_block(i).and_then(|b| loops.innermost_loop(b));
        around.is_none_or(|around| loops.is_child_loop(l, around))
    };
    let behind: Vec<Inst> = users[old].iter().copied().filter(|&i| is_behind(func, i)).collect();
    if behind.iter().any(|&i| !is_once(func, i)) {
        return;
    }
    users[old].retain(|i| !behind.contains(i));
    for user in behind {
        let same: SmallVec<[Value; 2]> =
            func.dfg.inst_values(user).filter(|&v| func.dfg.resolve_aliases(v) == old).collect();
        if same.is_empty() {
            continue; // it has been changed already
        }
        let ty = func.dfg.value_type(old);
        let mut cursor = FuncCursor::new(func).at_inst(user);
        let by = cursor.ins().iconst(ty, by);
        let again = cursor.ins().isub(new, by);
        func.dfg.map_inst_values(user, |v| if same.contains(&v) { again } else { v });
        users[again].push(user);
        users[new].extend(func.dfg.value_def(again).inst());
    }
}

/// Whether `inst` ends a block from which loop `l` goes on.
fn goes_on(func: &Function, loops: &LoopAnalysis, l: Loop, inst: Inst) -> bool {
    let destinations = func.dfg.insts[inst].branch_destination(&func.dfg.jump_tables, &func.dfg.exception_tables);
    destinations.iter().any(|d| d.block(&func.dfg.value_lists) == loops.loop_header(l))
}

/// Whether the operation changes a register in its place, if nothing needs that any more.
fn changes_in_place(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Iadd | Opcode::Isub | Opcode::Ushr | Opcode::Sshr | Opcode::Ishl)
}

/// The first user of the result of `step` if the block that hands it to the next iteration of `l` has all of them in `l`, and its other operand is a
/// constant.
fn last_place(
    func: &Function,
    (domtree, loops, l): (&DominatorTree, &LoopAnalysis, Loop),
    step: Inst,
    users: &Users,
) -> Option<Inst> {
    let dfg = &func.dfg;
    let is_constant = |v: &Value| constant(func, *v).is_some();
    if !changes_in_place(dfg.insts[step].opcode()) || !dfg.inst_args(step).iter().any(is_constant) {
        return None;
    }
    let all = &users[dfg.first_result(step)];
    let end = *all.iter().find(|&&i| dfg.insts[i].opcode().is_terminator())?;
    let block = func.layout.inst_block(end)?;
    // Behind the loop its users may come later anyway.
    let is_late = |b: Block| b == block || (!loops.is_in_loop(b, l) && domtree.block_dominates(block, b));
    let is_there =
        loops.innermost_loop(block) == Some(l) && all.iter().all(|&i| func.layout.inst_block(i).is_some_and(is_late));
    (is_there && goes_on(func, loops, l, end)).then(|| func.layout.block_insts(block).find(|i| all.contains(i)))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_codegen::ir::condcodes::IntCC;
    use cranelift_codegen::ir::{AbiParam, MemFlagsData, Signature, UserFuncName, types};
    use cranelift_codegen::isa::CallConv;

    /// A loop over `p` that steps first; with `early`, the value of the next iteration is an address in this one.
    fn text(early: bool, opcode: Opcode) -> String {
        let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::SystemV));
        func.signature.params.push(AbiParam::new(types::I64));
        let [entry, body, after] = [(); 3].map(|()| func.dfg.make_block());
        let first = func.dfg.append_block_param(entry, types::I64);
        let p = func.dfg.append_block_param(body, types::I64);
        [entry, body, after].into_iter().for_each(|b| func.layout.append_block(b));
        let plain = MemFlagsData::trusted();
        FuncCursor::new(&mut func).at_bottom(entry).ins().jump(body, &[first.into()]);
        let mut c = FuncCursor::new(&mut func).at_bottom(body);
        let by = c.ins().iconst(types::I64, 8);
        let (inst, dfg) = c.ins().Binary(opcode, types::I64, p, by);
        let next = dfg.first_result(inst);
        let x = c.ins().load(types::F64, plain, if early { next } else { p }, 0);
        c.ins().store(plain, x, p, 16);
        let goes_on = c.ins().icmp(IntCC::SignedLessThan, next, first);
        c.ins().brif(goes_on, body, &[next.into()], after, &[]);
        let mut c = FuncCursor::new(&mut func).at_bottom(after);
        c.ins().store(plain, p, first, 0);
        c.ins().return_(&[]);
        let mut context = Context::for_function(func);
        context.flowgraph();
        context.compute_loop_analysis();
        step_last(&mut context);
        context.func.display().to_string()
    }

    #[test]
    fn the_step_comes_after_the_last_use() {
        for (opcode, name) in [(Opcode::Iadd, "iadd"), (Opcode::Ushr, "ushr")] {
            let text = text(false, opcode);
            let [store, step, test] = ["store", name, "icmp"].map(|op| text.find(op));
            assert!(store < step && step < test, "{text}");
        }
    }

    #[test]
    fn the_old_value_behind_the_loop_is_made_of_the_new_one() {
        let text = text(false, Opcode::Iadd);
        let after = text.rsplit("block2").next().unwrap_or_default();
        assert!(after.contains("isub.i64 v3") && after.contains("iconst.i64 8"), "{text}");
    }

    #[test]
    fn a_step_stays_before_a_way_out_behind_which_it_is_used() {
        let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::SystemV));
        func.signature.params.push(AbiParam::new(types::I64));
        let [entry, head, latch, out] = [(); 4].map(|()| func.dfg.make_block());
        let first = func.dfg.append_block_param(entry, types::I64);
        let p = func.dfg.append_block_param(head, types::I64);
        [entry, head, latch, out].into_iter().for_each(|b| func.layout.append_block(b));
        let plain = MemFlagsData::trusted();
        FuncCursor::new(&mut func).at_bottom(entry).ins().jump(head, &[first.into()]);
        let mut c = FuncCursor::new(&mut func).at_bottom(head);
        let by = c.ins().iconst(types::I64, 8);
        let next = c.ins().iadd(p, by);
        let ends = c.ins().load(types::I64, plain, p, 0);
        c.ins().brif(ends, out, &[], latch, &[]);
        FuncCursor::new(&mut func).at_bottom(latch).ins().jump(head, &[next.into()]);
        let mut c = FuncCursor::new(&mut func).at_bottom(out);
        c.ins().store(plain, next, first, 0);
        c.ins().store(plain, p, first, 8);
        c.ins().return_(&[]);
        let mut context = Context::for_function(func);
        context.flowgraph();
        context.compute_loop_analysis();
        step_last(&mut context);
        let flags = cranelift_codegen::settings::Flags::new(cranelift_codegen::settings::builder());
        let found = cranelift_codegen::verify_function(&context.func, &flags);
        assert!(found.is_ok(), "{found:?}\n{}", context.func.display());
        assert!(context.func.display().to_string().contains("isub.i64 v3"), "{}", context.func.display());
    }

    #[test]
    fn the_new_value_is_compared_with_a_limit_farther_away() {
        for limit_is_constant in [false, true] {
            let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::SystemV));
            func.signature.params.push(AbiParam::new(types::I32));
            let [entry, body, after] = [(); 3].map(|()| func.dfg.make_block());
            let given = func.dfg.append_block_param(entry, types::I32);
            let i = func.dfg.append_block_param(body, types::I32);
            [entry, body, after].into_iter().for_each(|b| func.layout.append_block(b));
            let mut c = FuncCursor::new(&mut func).at_bottom(entry);
            let first = c.ins().iconst(types::I32, 1);
            c.ins().jump(body, &[first.into()]);
            let mut c = FuncCursor::new(&mut func).at_bottom(body);
            let limit = if limit_is_constant { c.ins().iconst(types::I32, 0xffff_ffff) } else { given };
            let goes_on = c.ins().icmp(IntCC::NotEqual, i, limit);
            let by = c.ins().iconst(types::I32, 8);
            let next = c.ins().iadd(i, by);
            c.ins().brif(goes_on, body, &[next.into()], after, &[]);
            FuncCursor::new(&mut func).at_bottom(after).ins().return_(&[]);
            let mut context = Context::for_function(func);
            context.flowgraph();
            context.compute_domtree();
            context.compute_loop_analysis();
            step_last(&mut context);
            let flags = cranelift_codegen::settings::Flags::new(cranelift_codegen::settings::builder());
            let found = cranelift_codegen::verify_function(&context.func, &flags);
            let text = context.func.display().to_string();
            assert!(found.is_ok(), "{found:?}\n{text}");
            let next = text.find("iadd v1, ").expect("the step stays");
            let test = text.find("icmp ne v6, ").or(text.find("icmp ne v5, ")).expect("the new value is compared");
            assert!(next < test, "{text}");
            let farther = if limit_is_constant { "iconst.i32 7" } else { "iadd v0, " };
            assert!(text.contains(farther), "{text}");
        }
    }

    #[test]
    fn a_step_that_is_an_address_stands_before_it() {
        let text = text(true, Opcode::Iadd);
        assert!(text.find("iadd") < text.find("load"), "{text}");
    }
}
