//! Live ranges: values that a loop uses get a range of their own in it where registers are scarce.
//!
//! ```text
//! v = load k                   v = load k
//! …                            …
//! loop: … v …            =>    v' = load k             a copy where that is dearer
//! … v …                        loop: … v' …
//!                              … v …
//! ```
//!
//! The register allocator gives a value that is alive in the whole procedure one range, and splits the range where registers run
//! out. That may be inside a loop, which then loads the value and stores it back on each trip. A constant that several
//! inlined procedures use is such a value, since Cranelift computes it once for all of them; so is a sum that is printed after the loop. A range that ends with the loop has no
//! uses outside to weigh against, and the value outside waits on the stack while the loop runs. The first value of a variable that changes in
//! the loop is joined with it, so it takes another range for the edge into the loop if it has to outlive calls before.
//!
//! This works between Cranelift's optimizer, which would merge the ranges again, and instruction selection. Ranges are split before
//! the outermost loop around which there is no call. Splitting again before the loops inside made triangular nests slower
//! (LU decomposition: 6 % more stores), since each entry of a short loop then copies its values.

use cranelift_codegen::Context;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{
    Block, BlockArg, Function, Inst, InstBuilder, InstructionData, MemFlagsData, Opcode, Type, Value, ValueDef, types,
};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_codegen::loop_analysis::{Loop, LoopAnalysis};
use cranelift_entity::SecondaryMap;
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use target_lexicon::Architecture;

/// Above this number of pairs of a block and a value that is alive at its beginning, a procedure is left as it is.
const MOST_LIVE: usize = 4_000_000;
/// The general registers that calls preserve.
const PRESERVED: usize = 5;
/// The registers of each class that the values of one iteration take.
const ROOM_FOR_OTHERS: [usize; 2] = [1, 2];
/// The most instructions that a value is made of if it is made anew.
const MOST_ANEW: usize = 3;

/// The live ranges of an optimized function that may be split.
pub(crate) struct Ranges {
    live: Live,
    inside: Inside,
    room: [usize; 2],
    /// The values that the allocator cannot leave in one register, with the number of blocks in which that is so.
    contended: FxHashMap<Value, usize>,
    /// The ranges that are split before the outermost loops without calls.
    outer: Vec<Split>,
}

impl Ranges {
    /// The ranges of the function of `context`, whose flow graph and loops are known; none if it has no loops, or too many values.
    pub(crate) fn of(context: &Context, isa: &dyn TargetIsa) -> Option<Ranges> {
        context.loop_analysis.loops().next()?;
        let live = Live::of(context)?;
        let (func, loops) = (&context.func, &context.loop_analysis);
        let inside = Inside::of(func, loops);
        let everywhere: Vec<Block> = func.layout.blocks().collect();
        let room = room(isa);
        let contended = live.contended(func, &everywhere, room);
        let mut out = Ranges { live, inside, room, contended, outer: Vec::new() };
        out.outer = out.plan(context);
        Some(out)
    }

    /// Splits the ranges before outermost loops, and keeps the flow graph. Returns each new value with the value that it is equal to.
    pub(crate) fn split(&self, context: &mut Context) -> Vec<(Value, Value)> {
        split(context, &self.outer)
    }

    /// Splits the ranges before each innermost loop, too, that has registers enough for all that it mentions. The allocator may still have put these
    /// on the stack, since each of their ranges goes over all loops around. None if there is no such loop.
    pub(crate) fn split_inner(&self, context: &mut Context) -> Option<Vec<(Value, Value)>> {
        let mut all = self.outer.clone();
        let inner = self.plan_inner(context);
        if inner.is_empty() {
            return None;
        }
        for own in inner {
            match all.iter_mut().find(|s| s.of == own.of) {
                Some(known) => {
                    let new = own.before.into_iter().filter(|v| !known.before.contains(v)).collect::<Vec<_>>();
                    known.before.extend(new);
                }
                None => all.push(own),
            }
        }
        Some(split(context, &all))
    }

    /// The ranges to be split before innermost loops.
    fn plan_inner(&self, context: &Context) -> Vec<Split> {
        let (func, loops) = (&context.func, &context.loop_analysis);
        let parents: FxHashSet<Loop> = loops.loops().filter_map(|l| loops.loop_parent(l)).collect();
        let mut out: Vec<Split> = Vec::new();
        for &l in self.inside.blocks.keys().filter(|l| !parents.contains(l) && loops.loop_parent(**l).is_some()) {
            let header = loops.loop_header(l);
            let mentions = &self.inside.mentions[&l];
            let alive = || self.live.at[header].iter().filter(|v| mentions.contains(v) && takes_register(func, **v));
            let mut taken = ROOM_FOR_OTHERS;
            let through = alive().chain(func.dfg.block_params(header));
            through.for_each(|&v| taken[class(func.dfg.value_type(v))] += 1);
            let is_split = |v: &Value| {
                let ty = func.dfg.value_type(*v);
                let fits = taken[class(ty)] <= self.room[class(ty)] && !ty.is_vector();
                fits && self.contended.contains_key(v)
            };
            let before: Vec<Value> = alive().copied().filter(is_split).collect();
            if !before.is_empty() && !self.inside.has_calls(func, l) {
                out.push(Split { of: l, before, entering: Vec::new(), behind: None });
            }
        }
        out
    }

    /// The ranges to be split before outermost loops without calls.
    fn plan(&self, context: &Context) -> Vec<Split> {
        let (func, loops) = (&context.func, &context.loop_analysis);
        let Ranges { live, inside, room, contended, .. } = self;
        let mut out: Vec<Split> = Vec::new();
        for (&l, blocks) in inside.blocks.iter().filter(|(l, _)| inside.is_outermost(func, loops, **l)) {
            let exits = blocks.iter().flat_map(|&b| func.block_successors(b)).filter(|&b| !loops.is_in_loop(b, l));
            let behind: FxHashSet<Value> = exits.flat_map(|b| live.at[b].iter().copied()).collect();
            let within = live.contended(func, blocks, *room);
            let is_split = |v: &Value| {
                let lives_on = behind.contains(v) || anew(func, *v).is_some();
                let is_contended = contended.get(v) > within.get(v);
                lives_on && is_contended && inside.mentions[&l].contains(v) && takes_register(func, *v)
            };
            let header = loops.loop_header(l);
            let values: Vec<Value> = live.at[header].iter().copied().filter(is_split).collect();
            let entering = entering(context, live, l, contended);
            let behind = way_out(func, blocks).map(|way| {
                let passed = passed(func, way);
                let outlives = |v: Value| contended.get(&v) > within.get(&v);
                let mut own: Vec<Value> = live.at[way.to].iter().copied().filter(|&v| outlives(v)).collect();
                own.extend(passed.into_iter().filter(|(_, p)| contended.contains_key(p)).map(|(v, _)| v));
                own.sort_unstable();
                own.dedup();
                own.retain(|&v| {
                    let is_own = defined_in(func, v).is_some_and(|b| loops.is_in_loop(b, l));
                    is_own && takes_register(func, v) && other_class(func.dfg.value_type(v)).is_some()
                });
                (way, own)
            });
            let behind = behind.filter(|(_, own)| !own.is_empty());
            if !values.is_empty() || !entering.is_empty() || behind.is_some() {
                out.push(Split { of: l, before: values, entering, behind });
            }
        }
        out
    }
}

fn split(context: &mut Context, plan: &[Split]) -> Vec<(Value, Value)> {
    if plan.is_empty() {
        return Vec::new();
    }
    let copies = apply(context, plan);
    context.flowgraph();
    copies
}

/// The registers of each class that values can be in.
fn room(isa: &dyn TargetIsa) -> [usize; 2] {
    match isa.triple().architecture {
        // The stack pointer and the frame pointer are general registers with a purpose.
        Architecture::X86_64 => [14, 16],
        _ => [26, 32],
    }
}

/// Whether an instruction is a call that registers do not outlive. Those for measuring preserve all.
fn clobbers(func: &Function, inst: Inst) -> bool {
    let preserves = || {
        let signature = func.dfg.call_signature(inst).map(|s| func.dfg.signatures[s].call_conv);
        signature == Some(CallConv::PreserveAll)
    };
    func.dfg.insts[inst].opcode().is_call() && !preserves()
}

/// The class of registers of a type: general, or of reals and vectors.
fn class(ty: Type) -> usize {
    usize::from(ty.is_float() || ty.is_vector())
}

/// The values that are alive where blocks begin.
struct Live {
    at: SecondaryMap<Block, Vec<Value>>,
}

impl Live {
    fn of(context: &Context) -> Option<Live> {
        let func = &context.func;
        let mut uses: Vec<(Value, Block)> = Vec::new();
        for b in func.layout.blocks() {
            for inst in func.layout.block_insts(b) {
                uses.extend(func.dfg.inst_values(inst).filter(|&v| defined_in(func, v) != Some(b)).map(|v| (v, b)));
            }
        }
        uses.sort_unstable();
        uses.dedup();
        let mut at: SecondaryMap<Block, Vec<Value>> = SecondaryMap::new();
        let (mut todo, mut count) = (Vec::new(), 0);
        for (v, used) in uses {
            todo.push(used);
            while let Some(b) = todo.pop() {
                if at[b].last() == Some(&v) || defined_in(func, v) == Some(b) {
                    continue;
                }
                at[b].push(v);
                count += 1;
                todo.extend(context.cfg.pred_iter(b).map(|p| p.block));
            }
            if count > MOST_LIVE {
                return None;
            }
        }
        Some(Live { at })
    }

    /// The values alive where the block ends.
    fn behind(&self, func: &Function, b: Block) -> FxHashSet<Value> {
        func.block_successors(b).flat_map(|to| self.at[to].iter().copied()).collect()
    }

    /// The values that the allocator cannot leave in one register, since they outlive a call or there are too many; each with the number
    /// of those of the blocks in which that is so.
    fn contended(&self, func: &Function, blocks: &[Block], room: [usize; 2]) -> FxHashMap<Value, usize> {
        let mut out = FxHashMap::default();
        for &b in blocks {
            for v in self.contended_in(func, b, room) {
                *out.entry(v).or_default() += 1;
            }
        }
        out
    }

    fn contended_in(&self, func: &Function, b: Block, room: [usize; 2]) -> FxHashSet<Value> {
        let class = |v: Value| class(func.dfg.value_type(v));
        let mut alive = self.behind(func, b);
        alive.retain(|&v| takes_register(func, v));
        let mut now = [0; 2];
        alive.iter().for_each(|&v| now[class(v)] += 1);
        let mut out = FxHashSet::default();
        for inst in func.layout.block_insts(b).rev() {
            for v in func.dfg.inst_results(inst) {
                if alive.remove(v) {
                    now[class(*v)] -= 1;
                }
            }
            let room = if clobbers(func, inst) { [PRESERVED, 0] } else { room };
            let is_full = [now[0] > room[0], now[1] > room[1]];
            if is_full != [false; 2] {
                out.extend(alive.iter().copied().filter(|&v| is_full[class(v)]));
            }
            for v in func.dfg.inst_values(inst) {
                if takes_register(func, v) && alive.insert(v) {
                    now[class(v)] += 1;
                }
            }
        }
        out
    }
}

/// The block that defines `v`.
fn defined_in(func: &Function, v: Value) -> Option<Block> {
    match func.dfg.value_def(v) {
        ValueDef::Result(inst, _) => func.layout.inst_block(inst),
        ValueDef::Param(b, _) => Some(b),
        ValueDef::Union(..) => None,
    }
}

/// Whether a value is in a register: constants are parts of instructions, and comparisons are made where they are used.
fn takes_register(func: &Function, v: Value) -> bool {
    func.dfg.value_def(v).inst().is_none_or(|inst| {
        !matches!(
            func.dfg.insts[inst].opcode(),
            Opcode::Iconst | Opcode::F32const | Opcode::F64const | Opcode::Vconst | Opcode::Icmp | Opcode::Fcmp
        )
    })
}

/// A loop whose live ranges are split.
#[derive(Clone)]
struct Split {
    of: Loop,
    /// The values from before it that get a range of their own in it.
    before: Vec<Value>,
    /// The parameters of its header, by number, whose first values come from ranges that the allocator cannot leave in one register.
    entering: Vec<usize>,
    /// Its own values that get another range behind it, and the only way out.
    behind: Option<(Way, Vec<Value>)>,
}

/// The edge between two blocks by the jump at the end of the first.
#[derive(Clone, Copy)]
struct Way {
    jump: Inst,
    to: Block,
}

/// The parameters of a loop's header whose first value ends with the edge into the loop, so that the allocator would join both ranges, and
/// is contended before. Constants of reals are, too: Cranelift computes one of them for a whole block, calls between included.
fn entering(context: &Context, live: &Live, l: Loop, contended: &FxHashMap<Value, usize>) -> Vec<usize> {
    let (func, loops) = (&context.func, &context.loop_analysis);
    let header = loops.loop_header(l);
    let is_cut = |v: Value| {
        let is_real = || func.dfg.value_def(v).inst().is_some_and(|i| is_real_constant(func.dfg.insts[i].opcode()));
        let ends = !live.at[header].contains(&v);
        let can_be = other_class(func.dfg.value_type(v)).is_some() || anew(func, v).is_some();
        ends && can_be && (contended.contains_key(&v) || is_real())
    };
    let ways = context.cfg.pred_iter(header).filter(|p| !loops.is_in_loop(p.block, l));
    let mut out: Vec<usize> = ways
        .flat_map(|p| passed(func, Way { jump: p.inst, to: header }).into_iter().enumerate())
        .filter(|&(_, (v, _))| is_cut(v))
        .map(|(i, _)| i)
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

fn is_real_constant(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::F32const | Opcode::F64const)
}

/// The only edge out of the loop of these blocks, if there is only one.
fn way_out(func: &Function, blocks: &[Block]) -> Option<Way> {
    let inside: FxHashSet<Block> = blocks.iter().copied().collect();
    let mut ways = blocks.iter().flat_map(|&b| {
        let jump = func.layout.last_inst(b);
        func.block_successors(b).filter_map(move |to| Some(Way { jump: jump?, to }))
    });
    let first = ways.find(|way| !inside.contains(&way.to))?;
    ways.all(|way| inside.contains(&way.to)).then_some(first)
}

/// The values that go to parameters along the edge, with these.
fn passed(func: &Function, way: Way) -> Vec<(Value, Value)> {
    let dfg = &func.dfg;
    let calls = dfg.insts[way.jump].branch_destination(&dfg.jump_tables, &dfg.exception_tables);
    let Some(call) = calls.iter().find(|c| c.block(&dfg.value_lists) == way.to) else { return Vec::new() };
    let values = call.args(&dfg.value_lists).filter_map(|arg| arg.as_value());
    values.zip(dfg.block_params(way.to).iter().copied()).collect()
}

/// A type of the same size for registers of the other class.
fn other_class(ty: Type) -> Option<Type> {
    Some(match ty {
        types::F64 => types::I64,
        types::I64 => types::F64,
        types::F32 => types::I32,
        types::I32 => types::F32,
        _ => return None,
    })
}

/// The blocks of each loop, and the values that it mentions.
struct Inside {
    blocks: IndexMap<Loop, Vec<Block>>,
    mentions: FxHashMap<Loop, FxHashSet<Value>>,
}

impl Inside {
    fn of(func: &Function, loops: &LoopAnalysis) -> Inside {
        let mut inside = Inside { blocks: IndexMap::new(), mentions: FxHashMap::default() };
        for b in func.layout.blocks() {
            let mut at = loops.innermost_loop(b);
            while let Some(l) = at {
                inside.blocks.entry(l).or_default().push(b);
                let mentions = inside.mentions.entry(l).or_default();
                mentions.extend(func.dfg.block_params(b));
                for inst in func.layout.block_insts(b) {
                    mentions.extend(func.dfg.inst_results(inst));
                    mentions.extend(func.dfg.inst_values(inst));
                }
                at = loops.loop_parent(l);
            }
        }
        inside
    }

    fn has_calls(&self, func: &Function, l: Loop) -> bool {
        self.blocks[&l].iter().any(|&b| calls(func, b))
    }

    /// Whether the loop has no calls, and is in no other such loop.
    fn is_outermost(&self, func: &Function, loops: &LoopAnalysis, l: Loop) -> bool {
        !self.has_calls(func, l) && loops.loop_parent(l).is_none_or(|p| self.has_calls(func, p))
    }
}

fn calls(func: &Function, b: Block) -> bool {
    func.layout.block_insts(b).any(|i| clobbers(func, i))
}

/// The instructions that make `v` from nothing, in order, if they are few and cost no more than a load from the stack.
fn anew(func: &Function, v: Value) -> Option<SmallVec<[Inst; MOST_ANEW]>> {
    let mut out: SmallVec<[Inst; MOST_ANEW]> = SmallVec::new();
    let mut at = v;
    loop {
        let inst = func.dfg.value_def(at).inst()?;
        out.push(inst);
        let is_cheap = match func.dfg.insts[inst] {
            InstructionData::Load { opcode: Opcode::Load, flags, .. } => {
                let flags = func.dfg.mem_flags[flags];
                flags.readonly() && flags.notrap() && flags.can_move()
            }
            data => matches!(
                data.opcode(),
                Opcode::SymbolValue | Opcode::StackAddr | Opcode::Splat | Opcode::F64const | Opcode::F32const
            ),
        };
        if !is_cheap || out.len() > MOST_ANEW {
            return None;
        }
        match func.dfg.inst_args(inst) {
            [] => break,
            &[arg] => at = arg,
            _ => return None,
        }
    }
    out.reverse();
    Some(out)
}

/// Makes the new ranges. Returns each new value with the value that it is equal to.
fn apply(context: &mut Context, plan: &[Split]) -> Vec<(Value, Value)> {
    let (func, loops) = (&mut context.func, &context.loop_analysis);
    let inside: Vec<Block> = func.layout.blocks().filter(|&b| loops.innermost_loop(b).is_some()).collect();
    let mut names: FxHashMap<Loop, FxHashMap<Value, Value>> = FxHashMap::default();
    let mut all = Vec::new();
    // The new blocks before a loop belong to the loop around it.
    let mut around: IndexMap<Block, Option<Loop>> = IndexMap::new();
    for Split { of: l, before: values, entering, .. } in plan {
        if values.is_empty() && entering.is_empty() {
            continue;
        }
        let header = loops.loop_header(*l);
        let ways: SmallVec<[Inst; 2]> =
            context.cfg.pred_iter(header).filter(|p| !loops.is_in_loop(p.block, *l)).map(|p| p.inst).collect();
        let (made, copied): (Vec<Value>, Vec<Value>) = values.iter().partition(|&&v| anew(func, v).is_some());
        let before = entrance(func, header, &ways);
        around.insert(before, loops.loop_parent(*l));
        let end = func.layout.last_inst(before).expect("a block ends with a jump");
        all.extend(enter(func, end, header, entering));
        let mut new: FxHashMap<Value, Value> = FxHashMap::default();
        for v in made {
            new.insert(v, make(func, v, end));
        }
        if !copied.is_empty() {
            let end = func.layout.last_inst(before).expect("a block ends with a jump");
            let block = pass(func, end, &copied);
            around.insert(block, loops.loop_parent(*l));
            new.extend(copied.iter().copied().zip(func.dfg.block_params(block).iter().copied()));
        }
        all.extend(values.iter().map(|v| (new[v], *v)));
        names.insert(*l, new);
    }
    around.extend(inside.into_iter().map(|b| (b, loops.innermost_loop(b))));
    for (&b, &at) in &around {
        for inst in func.layout.block_insts(b).collect::<Vec<_>>() {
            func.dfg.map_inst_values(inst, |v| name(&names, loops, at, v));
        }
    }
    sweep(func, &all);
    for Split { of, behind, .. } in plan {
        if let Some((way, values)) = behind {
            let is_inside = |b: &Block| {
                let at = around.get(b).copied().flatten();
                std::iter::successors(at, |&l| loops.loop_parent(l)).any(|l| l == *of)
            };
            // The loop behind it may have an entrance of its own by now.
            let from = func.layout.inst_block(way.jump);
            let now = from.and_then(|b| func.block_successors(b).find(|to| !is_inside(to)));
            let Some(to) = now else { continue };
            // A value that loops behind this one make anew may be gone.
            let values: Vec<Value> = values.iter().copied().filter(|&v| defined_in(func, v).is_some()).collect();
            let new = leave(func, Way { to, ..*way }, &values);
            let outside = func.layout.blocks().filter(|b| !is_inside(b) && new.block != *b);
            for b in outside.collect::<Vec<_>>() {
                for inst in func.layout.block_insts(b).collect::<Vec<_>>() {
                    func.dfg.map_inst_values(inst, |v| new.values.get(&v).copied().unwrap_or(v));
                }
            }
            all.extend(new.values.iter().map(|(&old, &copy)| (copy, old)));
        }
    }
    all
}

/// Makes the first values of these parameters of a loop ranges of their own. Returns each new value with the one that it is equal to.
fn enter(func: &mut Function, jump: Inst, header: Block, entering: &[usize]) -> Vec<(Value, Value)> {
    let first = passed(func, Way { jump, to: header });
    let mut args: Vec<BlockArg> = first.iter().map(|&(v, _)| v.into()).collect();
    let mut out = Vec::new();
    for &i in entering {
        let v = first[i].0;
        let new = if anew(func, v).is_some() {
            make(func, v, jump)
        } else {
            through(&mut FuncCursor::new(func).at_inst(jump), v)
        };
        if new != v {
            args[i] = new.into();
            out.push((new, v));
        }
    }
    let dfg = &mut func.dfg;
    for call in dfg.insts[jump].branch_destination_mut(&mut dfg.jump_tables, &mut dfg.exception_tables) {
        call.clear(&mut dfg.value_lists);
        args.iter().for_each(|&arg| call.append_argument(arg, &mut dfg.value_lists));
    }
    out
}

/// Takes a value through a register of the other class, where it has one: the allocator would join a range with that of a plain copy.
fn through(at: &mut FuncCursor, v: Value) -> Value {
    let ty = at.func.dfg.value_type(v);
    let Some(other) = other_class(ty) else { return v };
    let flags = MemFlagsData::new();
    let there = at.ins().bitcast(other, flags, v);
    at.ins().bitcast(ty, flags, there)
}

/// A block on the way out of a loop, and the values that stand behind it for those of the loop.
struct Left {
    block: Block,
    values: IndexMap<Value, Value>,
}

/// Puts a block on the edge that takes the values through registers of the other class.
fn leave(func: &mut Function, way: Way, values: &[Value]) -> Left {
    let block = func.dfg.make_block();
    func.layout.insert_block(block, way.to);
    if func.layout.is_cold(way.to) {
        func.layout.set_cold(block);
    }
    let passed: Vec<Value> = passed(func, way).into_iter().map(|(v, _)| v).collect();
    let dfg = &mut func.dfg;
    for call in dfg.insts[way.jump].branch_destination_mut(&mut dfg.jump_tables, &mut dfg.exception_tables) {
        if call.block(&dfg.value_lists) == way.to {
            call.clear(&mut dfg.value_lists);
            call.set_block(block, &mut dfg.value_lists);
        }
    }
    let mut at = FuncCursor::new(func);
    at.goto_bottom(block);
    let mut new = IndexMap::new();
    for &v in values {
        new.insert(v, through(&mut at, v));
    }
    let args: Vec<BlockArg> = passed.iter().map(|v| new.get(v).copied().unwrap_or(*v).into()).collect();
    at.ins().jump(way.to, &args);
    Left { block, values: new }
}

/// The value that stands for `v` in the loop, or outside of loops.
fn name(names: &FxHashMap<Loop, FxHashMap<Value, Value>>, loops: &LoopAnalysis, at: Option<Loop>, v: Value) -> Value {
    let mut at = at;
    while let Some(l) = at {
        if let Some(&new) = names.get(&l).and_then(|n| n.get(&v)) {
            return new;
        }
        at = loops.loop_parent(l);
    }
    v
}

/// The block before the loop from which alone it is entered, and which leads nowhere else.
fn entrance(func: &mut Function, header: Block, ways: &[Inst]) -> Block {
    if let &[way] = ways
        && func.dfg.insts[way].opcode() == Opcode::Jump
        && let Some(b) = func.layout.inst_block(way)
    {
        return b;
    }
    let new = func.dfg.make_block();
    func.layout.insert_block(new, header);
    if func.layout.is_cold(header) {
        func.layout.set_cold(new);
    }
    let types: Vec<Type> = func.dfg.block_params(header).iter().map(|&p| func.dfg.value_type(p)).collect();
    let params: Vec<BlockArg> = types.into_iter().map(|ty| func.dfg.append_block_param(new, ty).into()).collect();
    for &way in ways {
        func.rewrite_branch_destination(way, header, new);
    }
    let mut at = FuncCursor::new(func);
    at.goto_bottom(new);
    at.ins().jump(header, &params);
    new
}

/// Makes `v` anew before `end`.
fn make(func: &mut Function, v: Value, end: Inst) -> Value {
    let mut last = None;
    for inst in anew(func, v).unwrap_or_default() {
        let new = func.dfg.clone_inst(inst);
        let location = func.srcloc(inst);
        func.set_srcloc(new, location);
        if let Some(value) = last {
            func.dfg.inst_args_mut(new)[0] = value;
        }
        func.layout.insert_inst(new, end);
        last = Some(func.dfg.first_result(new));
    }
    last.unwrap_or(v)
}

/// Cuts a block before `at` and hands the values to the second part, which it returns: as its parameters they are other values.
pub(crate) fn pass(func: &mut Function, at: Inst, values: &[Value]) -> Block {
    let before = func.layout.inst_block(at).expect("an instruction of a block");
    let new = func.dfg.make_block();
    func.layout.split_block(new, at);
    if func.layout.is_cold(before) {
        func.layout.set_cold(new);
    }
    let types: Vec<Type> = values.iter().map(|&v| func.dfg.value_type(v)).collect();
    for ty in types {
        func.dfg.append_block_param(new, ty);
    }
    let current: Vec<BlockArg> = values.iter().map(|&v| v.into()).collect();
    let location = func.srcloc(at);
    FuncCursor::new(func).at_bottom(before).with_srcloc(location).ins().jump(new, &current);
    new
}

/// Removes values that nothing uses any more: instruction selection would load them all the same.
fn sweep(func: &mut Function, all: &[(Value, Value)]) {
    let mut used: FxHashSet<Value> = FxHashSet::default();
    let count = |func: &Function, used: &mut FxHashSet<Value>| {
        used.clear();
        for b in func.layout.blocks() {
            for inst in func.layout.block_insts(b) {
                used.extend(func.dfg.inst_values(inst));
            }
        }
    };
    let made: Vec<Value> = all.iter().map(|p| p.1).filter(|&v| anew(func, v).is_some()).collect();
    let mut todo: Vec<Inst> = made.into_iter().flat_map(|v| anew(func, v).unwrap_or_default()).collect();
    todo.sort_unstable();
    todo.dedup();
    for _ in 0..MOST_ANEW {
        count(func, &mut used);
        todo.retain(|&inst| {
            let is_dead = func.layout.inst_block(inst).is_some() && !used.contains(&func.dfg.first_result(inst));
            if is_dead {
                func.layout.remove_inst(inst);
            }
            !is_dead
        });
    }
}
