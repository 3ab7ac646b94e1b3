//! Loops end where a pointer has come to its limit, so that nothing has to count their iterations.
//!
//! ```text
//! entry:                                 entry:
//!     …                                      s = iadd p0, (uextend (isub n, i0)) << 3
//!     brif c, loop(p0, i0), after            brif c, loop(p0, i0), after
//! loop(p, i):                            loop(p, i):
//!     store x, p                             store x, p
//!     q = iadd p, 8                  =>      q = iadd p, 8
//!     j = iadd i, 1
//!     brif j != n, loop(q, j), after         brif q != s, loop(q), after
//! ```
//!
//! In a short loop the count takes one instruction of five. The loops are innermost ones with one entry and one way back. Where code behind
//! a way out asks for the count, as the code of counters does, it follows from the distance that the pointer has gone. Afterwards the count is one of the values that only their
//! own next values need, which [`crate::function::unused`] removes.
//!
//! The count and the pointer make equal numbers of steps, and the limit is as many steps away as the count is from its own: also if the count wraps.

use super::aligned::constant;
use crate::wide;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::dominator_tree::DominatorTree;
use cranelift_codegen::flowgraph::ControlFlowGraph;
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{
    Block, BlockArg, Function, Inst, InstBuilder, InstructionData, Opcode, Type, Value, ValueDef, types,
};
use cranelift_codegen::loop_analysis::{Loop, LoopAnalysis};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// The most instructions of a loop that is changed: in a longer one the count does not matter. Nor does it beside long vectors: loops that store them took 1.1 of
/// the time on a Zen 4 without it.
pub(super) const LONGEST: usize = 64;

/// The instructions that use each value.
type Users = SecondaryMap<Value, SmallVec<[Inst; 2]>>;

/// The loops that are changed: those with a constant number of iterations, or the others. Cranelift's optimizer would compute the limit of the former in each
/// iteration again, and takes what the limits of the latter are made of out of loops around them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    Constant,
    Other,
}

/// Changes the loops of `func` for which that is possible. Returns whether there are any.
pub(crate) fn compare_pointers(func: &mut Function, which: Which) -> bool {
    let cfg = ControlFlowGraph::with_function(func);
    let domtree = DominatorTree::with_function(func, &cfg);
    let mut loops = LoopAnalysis::new();
    loops.compute(func, &cfg, &domtree);
    if loops.loops().next().is_none() {
        return false;
    }
    let mut users = Users::with_capacity(func.dfg.num_values());
    // The blocks of each innermost loop.
    let mut blocks: SecondaryMap<Loop, SmallVec<[Block; 4]>> = SecondaryMap::new();
    for block in func.layout.blocks() {
        if let Some(l) = loops.innermost_loop(block) {
            blocks[l].push(block);
        }
        for inst in func.layout.block_insts(block) {
            func.dfg.inst_values(inst).for_each(|v| {
                let list = &mut users[func.dfg.resolve_aliases(v)];
                if list.last() != Some(&inst) {
                    list.push(inst);
                }
            });
        }
    }
    let outer: FxHashSet<Loop> = loops.loops().filter_map(|l| loops.loop_parent(l)).collect();
    let mut changed = false;
    for l in loops.loops().filter(|l| !outer.contains(l)) {
        let size: usize = blocks[l].iter().map(|&b| func.layout.block_insts(b).take(LONGEST + 1).count()).sum();
        if size > LONGEST || blocks[l].iter().any(|&b| func.layout.block_insts(b).any(|i| wide::is_wide(func, i))) {
            continue;
        }
        let shape = Shape::of(func, (&cfg, &loops), l);
        let Some(plan) = shape.and_then(|shape| Plan::of(func, (&domtree, &loops), &shape, &users)) else { continue };
        if matches!(plan.steps, Steps::Number(_)) != (which == Which::Constant) {
            continue;
        }
        // A limit that is never reached may be farther away than addresses go.
        let leaves = |b: Block| cfg.succ_iter(b).any(|to| !loops.is_in_loop(to, l));
        let is_long = func.dfg.value_type(plan.count.param) == types::I64;
        if is_long && blocks[l].iter().any(|&b| Some(b) != func.layout.inst_block(plan.back) && leaves(b)) {
            continue;
        }
        plan.apply(func);
        changed = true;
    }
    changed
}

/// A loop with one entry and one way back, which its last block asks for.
pub(super) struct Shape {
    of: Loop,
    pub(super) header: Block,
    /// The branch that comes in, and the values of the parameters of the header there.
    pub(super) entry: (Inst, SmallVec<[Value; 8]>),
    /// The branch back, and the values there.
    pub(super) back: (Inst, SmallVec<[Value; 8]>),
    /// The condition of the branch back, under which the loop goes on: its instruction, and how it compares its operands.
    pub(super) test: (Inst, IntCC),
    /// Where the branch back leads behind the loop.
    after: Block,
}

impl Shape {
    pub(super) fn of(func: &Function, (cfg, loops): (&ControlFlowGraph, &LoopAnalysis), l: Loop) -> Option<Shape> {
        let header = loops.loop_header(l);
        let is_inside = |b: Block| loops.is_in_loop(b, l);
        let comes: SmallVec<[_; 4]> = cfg.pred_iter(header).map(|p| (p.block, p.inst)).collect();
        let [one, two] = comes[..] else { return None };
        let (entry, back) = if is_inside(one.0) { (two, one) } else { (one, two) };
        if is_inside(entry.0) || !is_inside(back.0) {
            return None;
        }
        let InstructionData::Brif { arg, blocks, .. } = func.dfg.insts[back.1] else { return None };
        let to = blocks.map(|b| b.block(&func.dfg.value_lists));
        let goes_on = to.iter().position(|&b| b == header)?;
        let after = to[1 - goes_on];
        let (test, cc) = comparison(func, arg)?;
        if is_inside(after) {
            return None;
        }
        let test = (test, if goes_on == 0 { cc } else { cc.complement() });
        let entry = (entry.1, handed_over(func, entry.1, header)?);
        let back = (back.1, handed_over(func, back.1, header)?);
        Some(Shape { of: l, header, entry, back, test, after })
    }

    /// The parameter number `k` of the header, its first and its next value.
    fn param(&self, func: &Function, k: usize) -> (Value, Value, Value) {
        (func.dfg.block_params(self.header)[k], self.entry.1[k], self.back.1[k])
    }
}

/// The integer comparison that `v` is.
fn comparison(func: &Function, v: Value) -> Option<(Inst, IntCC)> {
    let inst = func.dfg.value_def(func.dfg.resolve_aliases(v)).inst()?;
    let InstructionData::IntCompare { opcode: Opcode::Icmp, cond, .. } = func.dfg.insts[inst] else { return None };
    Some((inst, cond))
}

/// The arguments of the only edge from `branch` to `block`.
fn handed_over(func: &Function, branch: Inst, block: Block) -> Option<SmallVec<[Value; 8]>> {
    let dfg = &func.dfg;
    let all = dfg.insts[branch].branch_destination(&dfg.jump_tables, &dfg.exception_tables);
    let mut edges = all.iter().filter(|to| to.block(&dfg.value_lists) == block);
    let (edge, None) = (edges.next()?, edges.next()) else { return None };
    edge.args(&dfg.value_lists).map(|a| a.as_value().map(|v| dfg.resolve_aliases(v))).collect()
}

/// A variable that each iteration adds the same to.
#[derive(Clone, Copy)]
pub(super) struct Stepped {
    pub(super) param: Value,
    first: Value,
    pub(super) next: Value,
    /// The instruction that adds.
    step: Inst,
    pub(super) by: By,
}

/// The value that is added.
#[derive(Clone, Copy)]
pub(super) enum By {
    Constant(i64),
    Other(Value),
}

impl By {
    fn constant(self) -> Option<i64> {
        match self {
            By::Constant(k) => Some(k),
            By::Other(_) => None,
        }
    }
}

impl Stepped {
    pub(super) fn of(func: &Function, shape: &Shape, k: usize) -> Option<Stepped> {
        let (param, first, next) = shape.param(func, k);
        let step = func.dfg.value_def(next).inst()?;
        let InstructionData::Binary { opcode, args } = func.dfg.insts[step] else { return None };
        let [a, b] = args.map(|v| func.dfg.resolve_aliases(v));
        let by = match opcode {
            Opcode::Iadd if a == param => number(func, b).map_or(By::Other(b), By::Constant),
            Opcode::Iadd if b == param => number(func, a).map_or(By::Other(a), By::Constant),
            Opcode::Isub if a == param => By::Constant(number(func, b)?.checked_neg()?),
            _ => return None,
        };
        Some(Stepped { param, first, next, step, by })
    }
}

/// The number of steps that the loop takes.
#[derive(Clone, Copy)]
enum Steps {
    /// A constant.
    Number(i64),
    /// The distance from the first value of the count to its limit, in steps of the constant.
    Distance(Value, i64),
    /// The first value of the count, which runs down to zero.
    First,
}

/// The steps of `count`, with which the loop goes on while `cc` holds between its next value and `limit`.
fn steps(func: &Function, shape: &Shape, count: &Stepped, (limit, cc): (Value, IntCC)) -> Option<Steps> {
    let [first, end] = [count.first, limit].map(|v| number(func, v));
    let by = count.by.constant().filter(|&k| k != 0)?;
    if let (Some(first), Some(end)) = (first, end) {
        let apart = if by > 0 { end.checked_sub(first)? } else { first.checked_sub(end)? };
        let is_limit = match cc {
            IntCC::NotEqual => apart % by == 0,
            IntCC::SignedLessThan => by > 0,
            IntCC::SignedGreaterThan => by < 0,
            _ => false,
        };
        let number = apart.checked_add(by.abs() - 1)? / by.abs();
        return (is_limit && number > 0).then_some(Steps::Number(number));
    }
    match (cc, end) {
        (IntCC::NotEqual, _) => Some(Steps::Distance(limit, by)),
        (IntCC::SignedGreaterThan, Some(0)) if by == -1 && is_positive(func, shape, count.first) => Some(Steps::First),
        _ => None,
    }
}

/// Whether `v` is made outside of loop `l`.
pub(super) fn is_outside(func: &Function, (loops, l): (&LoopAnalysis, Loop), v: Value) -> bool {
    match func.dfg.value_def(v) {
        ValueDef::Result(inst, _) => func.layout.inst_block(inst).is_some_and(|b| !loops.is_in_loop(b, l)),
        ValueDef::Param(b, _) => !loops.is_in_loop(b, l),
        ValueDef::Union(..) => false,
    }
}

/// The value of an integer constant.
pub(super) fn number(func: &Function, v: Value) -> Option<i64> {
    let bits = constant(func, v)?;
    Some(if func.dfg.value_type(v) == types::I32 { i64::from(bits as i32) } else { bits })
}

/// Whether the loop is entered only if `v` is above zero.
fn is_positive(func: &Function, shape: &Shape, v: Value) -> bool {
    let InstructionData::Brif { arg, blocks, .. } = func.dfg.insts[shape.entry.0] else { return false };
    let Some((test, IntCC::SignedGreaterThan)) = comparison(func, arg) else { return false };
    let args = func.dfg.inst_args(test);
    func.dfg.resolve_aliases(args[0]) == v
        && number(func, args[1]) == Some(0)
        && blocks[0].block(&func.dfg.value_lists) == shape.header
}

/// A count that is to go, and the pointer whose limit takes its place.
struct Plan {
    count: Stepped,
    pointer: Stepped,
    steps: Steps,
    entry: Inst,
    back: Inst,
    header: Block,
    after: Block,
    /// The instructions that use the value of the count after the last iteration.
    ends: SmallVec<[Inst; 2]>,
    /// Instructions behind a way out that use its value in the last iteration.
    exits: SmallVec<[Inst; 2]>,
}

impl Plan {
    fn of(
        func: &Function,
        (domtree, loops): (&DominatorTree, &LoopAnalysis),
        shape: &Shape,
        users: &Users,
    ) -> Option<Plan> {
        let args = func.dfg.inst_args(shape.test.0);
        let args: [Value; 2] = [0, 1].map(|k| func.dfg.resolve_aliases(args[k]));
        let params = func.dfg.block_params(shape.header).len();
        let all: SmallVec<[Stepped; 8]> = (0..params).filter_map(|k| Stepped::of(func, shape, k)).collect();
        let count = *all.iter().find(|s| args.contains(&s.next))?;
        let (limit, cc) =
            if args[0] == count.next { (args[1], shape.test.1) } else { (args[0], shape.test.1.swap_args()) };
        let steps = steps(func, shape, &count, (limit, cc))?;
        let is_outside = |v: Value| is_outside(func, (loops, shape.of), v);
        let is_fixed = number(func, limit).is_some() || is_outside(limit);
        if matches!(steps, Steps::Distance(..)) && (!is_fixed || is_rest(func, loops, count.first)) {
            return None;
        }
        let is_pointer = |p: &&Stepped| {
            let fits = match (steps, p.by) {
                (_, By::Constant(0)) => false,
                (Steps::Number(n), By::Constant(by)) => n.checked_mul(by).is_some(),
                (Steps::Distance(_, k), By::Constant(by)) => by % k == 0,
                (Steps::First, By::Constant(_)) => true,
                (Steps::First, By::Other(by)) => is_outside(by),
                (Steps::Number(_) | Steps::Distance(..), By::Other(_)) => false,
            };
            let is_used = users[p.param].iter().any(|&i| i != p.step);
            p.param != count.param && func.dfg.value_type(p.param) == types::I64 && is_used && fits
        };
        let pointer = *all.iter().find(is_pointer)?;
        let (mut ends, mut exits) = (SmallVec::new(), SmallVec::new());
        for &user in users[count.next].iter().filter(|&&u| u != shape.test.0 && u != shape.back.0) {
            let block = func.layout.inst_block(user)?;
            if loops.is_in_loop(block, shape.of) || !domtree.block_dominates(shape.after, block) {
                return None;
            }
            ends.push(user);
        }
        // In another loop it would be computed in each iteration.
        let level = loops.loop_level(shape.header).level();
        for &user in users[count.param].iter().filter(|&&u| u != count.step) {
            let block = func.layout.inst_block(user)?;
            if loops.is_in_loop(block, shape.of) || loops.loop_level(block).level() >= level {
                return None;
            }
            exits.push(user);
        }
        if !exits.is_empty() && pointer.by.constant().is_none() {
            return None;
        }
        let plan = Plan {
            count,
            pointer,
            steps,
            entry: shape.entry.0,
            back: shape.back.0,
            header: shape.header,
            after: shape.after,
            ends,
            exits,
        };
        // A constant would be loaded in each iteration, for the way out.
        let is_handed_over = handed_over(func, plan.back, plan.after)?.contains(&count.next);
        (!is_handed_over || matches!(steps, Steps::Distance(..))).then_some(plan)
    }

    fn apply(&self, func: &mut Function) {
        let end = self.end(func);
        let mut cursor = FuncCursor::new(func).at_inst(self.back);
        cursor.use_srcloc(self.back);
        let InstructionData::Brif { blocks, .. } = cursor.func.dfg.insts[self.back] else { return };
        let goes_on_if_true = blocks[0].block(&cursor.func.dfg.value_lists) == self.header;
        let cc = if goes_on_if_true { IntCC::NotEqual } else { IntCC::Equal };
        let test = cursor.ins().icmp(cc, self.pointer.next, end);
        func.dfg.inst_args_mut(self.back)[0] = test;
        if let Steps::Distance(limit, _) = self.steps {
            self.leave_with(func, limit);
        }
        for &user in &self.ends {
            let mut cursor = FuncCursor::new(func).at_inst(user);
            cursor.use_srcloc(user);
            let ty = cursor.func.dfg.value_type(self.count.next);
            let first = number(cursor.func, self.count.first);
            let last = match (self.steps, first, self.count.by.constant()) {
                (Steps::Distance(limit, _), ..) => limit,
                (Steps::Number(n), Some(first), Some(by)) => {
                    integer(&mut cursor, ty, first.wrapping_add(n.wrapping_mul(by)))
                }
                _ => integer(&mut cursor, ty, 0),
            };
            replace(func, user, self.count.next, last);
        }
        for &user in &self.exits {
            let now = self.now(func, user);
            replace(func, user, self.count.param, now);
        }
    }

    /// The value of the pointer after the last step, computed where the loop is entered.
    fn end(&self, func: &mut Function) -> Value {
        let mut cursor = FuncCursor::new(func).at_inst(self.entry);
        cursor.use_srcloc(self.entry);
        let by = self.pointer.by.constant();
        let bytes = match (self.steps, self.pointer.by) {
            (Steps::Number(n), _) => integer(&mut cursor, types::I64, n.wrapping_mul(by.unwrap_or(0))),
            (Steps::Distance(limit, k), _) => {
                let ty = cursor.func.dfg.value_type(limit);
                let limit = number(cursor.func, limit).map_or(limit, |n| integer(&mut cursor, ty, n));
                let (from, to) = if k > 0 { (self.count.first, limit) } else { (limit, self.count.first) };
                let apart = cursor.ins().isub(to, from);
                let apart = widened(&mut cursor, apart);
                times(&mut cursor, apart, by.unwrap_or(0) / k.abs())
            }
            (Steps::First, By::Constant(by)) => {
                let first = widened(&mut cursor, self.count.first);
                times(&mut cursor, first, by)
            }
            (Steps::First, By::Other(by)) => {
                let first = widened(&mut cursor, self.count.first);
                cursor.ins().imul(first, by)
            }
        };
        cursor.ins().iadd(self.pointer.first, bytes)
    }

    /// Hands `limit` over instead of the count on the way out that the last block asks for.
    fn leave_with(&self, func: &mut Function, limit: Value) {
        let dfg = &mut func.dfg;
        let aliases: SmallVec<[Value; 8]> =
            dfg.inst_values(self.back).filter(|&v| dfg.resolve_aliases(v) == self.count.next).collect();
        for to in dfg.insts[self.back].branch_destination_mut(&mut dfg.jump_tables, &mut dfg.exception_tables) {
            if to.block(&dfg.value_lists) == self.after {
                let change = |a: BlockArg| match a {
                    BlockArg::Value(v) if aliases.contains(&v) => BlockArg::Value(limit),
                    other => other,
                };
                let args: SmallVec<[BlockArg; 8]> = to.args(&dfg.value_lists).map(change).collect();
                to.clear(&mut dfg.value_lists);
                to.extend(args, &mut dfg.value_lists);
            }
        }
    }

    /// The value of the count in the last iteration, computed before `user`.
    fn now(&self, func: &mut Function, user: Inst) -> Value {
        let mut cursor = FuncCursor::new(func).at_inst(user);
        cursor.use_srcloc(user);
        let [by, step] = [self.pointer, self.count].map(|s| s.by.constant().unwrap_or(1));
        let (from, to) = (self.pointer.first, self.pointer.param);
        let gone = if by > 0 { cursor.ins().isub(to, from) } else { cursor.ins().isub(from, to) };
        let size = by.unsigned_abs();
        let mut steps = if size.is_power_of_two() {
            let bits = integer(&mut cursor, types::I64, i64::from(size.trailing_zeros()));
            cursor.ins().ushr(gone, bits)
        } else {
            let size = integer(&mut cursor, types::I64, size as i64);
            cursor.ins().udiv(gone, size)
        };
        let ty = cursor.func.dfg.value_type(self.count.param);
        if ty != types::I64 {
            steps = cursor.ins().ireduce(ty, steps);
        }
        let more = times(&mut cursor, steps, step);
        cursor.ins().iadd(self.count.first, more)
    }
}

/// Whether a loop from `first` on is the rest of another loop or of none: too short for a limit to be worth computing.
fn is_rest(func: &Function, loops: &LoopAnalysis, first: Value) -> bool {
    let ValueDef::Param(b, _) = func.dfg.value_def(first) else { return false };
    Some(b) != func.layout.entry_block() && loops.is_loop_header(b).is_none()
}

pub(super) fn integer(cursor: &mut FuncCursor<'_>, ty: Type, n: i64) -> Value {
    let n = if ty == types::I32 { i64::from(n as u32) } else { n };
    cursor.ins().iconst(ty, n)
}

/// `v` as an integer of 8 bytes without a sign.
fn widened(cursor: &mut FuncCursor<'_>, v: Value) -> Value {
    if cursor.func.dfg.value_type(v) == types::I64 { v } else { cursor.ins().uextend(types::I64, v) }
}

fn times(cursor: &mut FuncCursor<'_>, v: Value, n: i64) -> Value {
    let ty = cursor.func.dfg.value_type(v);
    match u64::try_from(n) {
        Ok(1) => v,
        Ok(n) if n.is_power_of_two() => {
            let bits = integer(cursor, ty, i64::from(n.trailing_zeros()));
            cursor.ins().ishl(v, bits)
        }
        _ => {
            let n = integer(cursor, ty, n);
            cursor.ins().imul(v, n)
        }
    }
}

/// Replaces `old` in `user`.
fn replace(func: &mut Function, user: Inst, old: Value, new: Value) {
    let same: SmallVec<[Value; 2]> =
        func.dfg.inst_values(user).filter(|&v| func.dfg.resolve_aliases(v) == old).collect();
    func.dfg.map_inst_values(user, |v| if same.contains(&v) { new } else { v });
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_codegen::ir::{AbiParam, MemFlagsData, Signature, UserFuncName};
    use cranelift_codegen::isa::CallConv;
    use cranelift_codegen::settings;

    /// A loop over `i` from the parameter `m` on up to `n`, which stores zeros and may be left early; behind it the function returns `i`.
    fn loop_to(early: bool, from: Option<i64>, to: Option<i64>, which: Which) -> (bool, String) {
        let mut sig = Signature::new(CallConv::SystemV);
        sig.params.extend([types::I64, types::I32, types::I32].map(AbiParam::new));
        sig.returns.push(AbiParam::new(types::I32));
        let mut func = Function::with_name_signature(UserFuncName::testcase("t"), sig);
        let [entry, body, latch, out, after] = std::array::from_fn(|_| func.dfg.make_block());
        [entry, body, latch, out, after].into_iter().for_each(|b| func.layout.append_block(b));
        let [p0, m, n] = [types::I64, types::I32, types::I32].map(|ty| func.dfg.append_block_param(entry, ty));
        let [p, i] = [types::I64, types::I32].map(|ty| func.dfg.append_block_param(body, ty));
        let last = func.dfg.append_block_param(after, types::I32);
        let mut c = FuncCursor::new(&mut func).at_bottom(entry);
        let first = from.map_or(m, |k| c.ins().iconst(types::I32, k));
        c.ins().jump(body, &[p0.into(), first.into()]);
        let mut c = c.at_bottom(body);
        let zero = c.ins().f64const(0.0);
        c.ins().store(MemFlagsData::trusted(), zero, p, 0);
        let leaves = c.ins().load(types::I32, MemFlagsData::trusted(), p, 8);
        c.ins().brif(leaves, out, &[], latch, &[]);
        let mut c = c.at_bottom(latch);
        let (one, eight) = (c.ins().iconst(types::I32, 1), c.ins().iconst(types::I64, 8));
        let (j, q) = (c.ins().iadd(i, one), c.ins().iadd(p, eight));
        let limit = to.map_or(n, |k| c.ins().iconst(types::I32, k));
        let goes_on = c.ins().icmp(IntCC::NotEqual, j, limit);
        let end = if which == Which::Constant { n } else { j };
        c.ins().brif(goes_on, body, &[q.into(), j.into()], after, &[end.into()]);
        let mut c = c.at_bottom(out);
        let found = if early { i } else { m };
        c.ins().return_(&[found]);
        let mut c = c.at_bottom(after);
        c.ins().return_(&[last]);
        let changed = compare_pointers(&mut func, which);
        crate::function::unused::remove(&mut func);
        let found = cranelift_codegen::verify_function(&func, &settings::Flags::new(settings::builder()));
        assert!(found.is_ok(), "{found:?}\n{}", func.display());
        (changed, func.display().to_string())
    }

    #[test]
    fn the_pointer_ends_the_loop() {
        let (changed, text) = loop_to(false, None, None, Which::Other);
        assert!(changed && text.contains("isub v2, v1") && text.contains("uextend.i64"), "{text}");
        // The count is gone, and its limit is its value behind the loop.
        assert!(text.contains("block1(v3: i64)") && text.contains("block4(v2)"), "{text}");
    }

    #[test]
    fn a_way_out_asks_for_the_count() {
        let (changed, text) = loop_to(true, None, None, Which::Other);
        let out = text.split("block3:").nth(1).unwrap_or_default();
        assert!(changed && out.contains("isub.i64 v3, v0") && out.contains("ushr"), "{text}");
        assert!(text.contains("block1(v3: i64)"), "{text}");
    }

    #[test]
    fn a_constant_number_of_iterations_waits_for_the_optimizer() {
        assert!(!loop_to(false, Some(1), Some(100), Which::Other).0);
        let (changed, text) = loop_to(false, Some(1), Some(100), Which::Constant);
        assert!(changed && text.contains("iconst.i64 792") && text.contains("block1(v3: i64)"), "{text}");
    }
}
