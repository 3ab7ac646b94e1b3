//! Source locations on their way through Cranelift: each instruction keeps the set of its statement.
//!
//! The location of an instruction is the id of its interned set. Cranelift's optimizer makes new instructions without a
//! location when it rewrites pure ones, so [`locate`] gives each of them one between the optimizer and the selection of
//! machine instructions:
//!
//! 1. that of the instruction it was rewritten from: both are members of one class of equal values;
//! 2. that of the instruction it is a copy of: additions of constants are made anew where they are needed;
//! 3. else that of its first user;
//! 4. else that of the instruction after it.
//!
//! An instruction that was moved out of a loop, or to another block, keeps its location, with [`PLACED`] set: a debugger does
//! not stop there, where the statement is perhaps not executed.

use cranelift_codegen::Context;
use cranelift_codegen::ir::{
    Block, Function, Inst, InstructionData, Opcode, SourceLoc, Type, Value, ValueDef, ValueListPool,
};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_ir::Unit;
use trueline_provenance::SetId;

/// Set in the location of an instruction that is not where its statement begins.
pub(crate) const PLACED: u32 = 1 << 31;
/// Set in the location of a store or call that may write a variable, where debug information asks for it.
pub(crate) const EFFECT: u32 = 1 << 30;
/// Set in the location of an operation on 32 bytes ([`crate::wide`]).
pub(crate) const WIDE: u32 = 1 << 29;
/// Set in the location of an operation on 64 bytes.
pub(crate) const LONG: u32 = 1 << 28;
/// The marks of instructions, which say nothing about where they come from.
pub(crate) const MARKS: u32 = EFFECT | WIDE | LONG;
/// The location of code that belongs to the entry of the procedure.
pub(crate) const ENTRY: u32 = LONG - 2;
/// The location of code that belongs to the END statement of the procedure.
pub(crate) const END: u32 = LONG - 3;

/// Makes Cranelift count locations of `func` from 0. It keeps them relative to the first location that it sees; a
/// smaller one would be read as none.
pub(crate) fn begin(func: &mut Function) {
    func.params.ensure_base_srcloc(SourceLoc::new(0));
}

/// The location for the statements with that set.
pub(crate) fn of_set(set: SetId) -> SourceLoc {
    if set == SetId::EMPTY { SourceLoc::default() } else { SourceLoc::new(set.as_u32()) }
}

/// The location of an operation on 32 or 64 bytes: that of counting code, say, has nothing but the mark.
pub(crate) fn wide(location: SourceLoc, bytes: usize) -> SourceLoc {
    let place = if location.is_default() { SetId::EMPTY.as_u32() } else { location.bits() };
    SourceLoc::new(place | if bytes == 64 { LONG } else { WIDE })
}

/// The set of a location, if it is one of a set.
pub(crate) fn set_of(unit: &Unit, location: u32) -> Option<SetId> {
    let set = location & !(PLACED | MARKS);
    ((set as usize) < unit.sets().len()).then(|| SetId::from_u32(set))
}

/// The places of the instructions of each location before the optimizer moves them: the depth in loops, and the blocks.
pub(crate) struct Origins(FxHashMap<u32, (usize, SmallVec<[Block; 4]>)>);

impl Origins {
    /// The origins in a function that is not optimized yet.
    pub(crate) fn of(context: &mut Context) -> Origins {
        context.flowgraph();
        context.compute_loop_analysis();
        let mut out: FxHashMap<u32, (usize, SmallVec<[Block; 4]>)> = FxHashMap::default();
        for b in context.func.layout.blocks() {
            let depth = context.loop_analysis.loop_level(b).level();
            let mut before = None;
            for inst in context.func.layout.block_insts(b) {
                let location = own(&context.func, inst).bits();
                // Neighbours have one statement, mostly.
                if before.replace(location) == Some(location) {
                    continue;
                }
                let (least, all) = out.entry(location).or_insert((depth, SmallVec::new()));
                *least = depth.min(*least);
                if all.last() != Some(&b) {
                    all.push(b);
                }
            }
        }
        Origins(out)
    }
}

/// Gives every instruction of the optimized function a location.
pub(crate) fn locate(context: &mut Context, origins: &Origins) {
    context.compute_loop_analysis();
    let mut classes = classes(&context.func);
    copies(&context.func, &mut classes);
    let blocks: Vec<Block> = context.func.layout.blocks().collect();
    let mut begun: FxHashSet<u32> = FxHashSet::default();
    let mut moved: Vec<(Inst, u32, usize)> = Vec::new();
    let mut wanted: SecondaryMap<Value, SourceLoc> = SecondaryMap::with_default(SourceLoc::default());
    wanted.resize(context.func.dfg.num_values());
    for &b in blocks.iter().rev() {
        let depth = context.loop_analysis.loop_level(b).level();
        let has_left = |(least, all): &(usize, SmallVec<[Block; 4]>)| depth < *least || !all.contains(&b);
        // Neighbours have one statement, mostly: the location of the last instruction that was asked for, and the answer.
        let mut left = (SourceLoc::default(), false);
        let mut last_begun = SourceLoc::default();
        let insts: Vec<Inst> = context.func.layout.block_insts(b).collect();
        let mut next = insts.iter().rev().find_map(|&i| known(&context.func, &classes, i)).unwrap_or_default();
        for &inst in insts.iter().rev() {
            let func = &mut context.func;
            let (location, is_own) = match known(func, &classes, inst) {
                Some(location) => (location, true),
                None => {
                    let results = func.dfg.inst_results(inst);
                    let user = results.iter().map(|&v| wanted[v]).find(|l| !l.is_default());
                    (user.unwrap_or(next), false)
                }
            };
            for v in func.dfg.inst_values(inst) {
                wanted[v] = location;
            }
            if location.is_default() {
                continue;
            }
            next = location;
            if left.0 != location {
                left = (location, origins.0.get(&location.bits()).is_some_and(has_left));
            }
            let is_moved = left.1 && is_pure(&context.func, inst);
            let placed = if !is_own || is_moved { PLACED } else { 0 };
            match (is_own, is_moved) {
                (true, false) if last_begun == location => {}
                (true, false) => {
                    last_begun = location;
                    begun.insert(location.bits());
                }
                (true, true) => moved.push((inst, location.bits(), depth)),
                (false, _) => {}
            }
            let marked = context.func.srcloc(inst);
            let marks = if marked.is_default() { 0 } else { marked.bits() & MARKS };
            let new = SourceLoc::new(location.bits() | placed | marks);
            if new != marked {
                context.func.set_srcloc(inst, new);
            }
        }
    }
    begin_moved(&mut context.func, &moved, &begun);
}

/// Lets a statement whose instructions were all moved begin where they are now, in the innermost loop that has some of
/// them.
fn begin_moved(func: &mut Function, moved: &[(Inst, u32, usize)], begun: &FxHashSet<u32>) {
    let mut deepest: FxHashMap<u32, usize> = FxHashMap::default();
    for &(_, location, depth) in moved.iter().filter(|m| !begun.contains(&m.1)) {
        let most = deepest.entry(location).or_default();
        *most = depth.max(*most);
    }
    for &(inst, location, depth) in moved {
        if deepest.get(&location) == Some(&depth) {
            let marks = func.srcloc(inst).bits() & MARKS;
            func.set_srcloc(inst, SourceLoc::new(location | marks));
        }
    }
}

/// Whether the optimizer may move an instruction freely.
pub(crate) fn is_pure(func: &Function, inst: Inst) -> bool {
    let data = func.dfg.insts[inst];
    let opcode = data.opcode();
    if let InstructionData::Load { opcode: Opcode::Load, flags, .. } = data {
        let flags = func.dfg.mem_flags[flags];
        return flags.readonly() && flags.notrap() && flags.can_move();
    }
    let has_effect = opcode.is_call()
        || opcode.is_branch()
        || opcode.is_terminator()
        || opcode.is_return()
        || opcode.can_trap()
        || opcode.other_side_effects()
        || opcode.can_store();
    func.dfg.inst_results(inst).len() == 1 && !opcode.can_load() && !has_effect
}

/// The location of an instruction, without its marks.
fn own(func: &Function, inst: Inst) -> SourceLoc {
    let location = func.srcloc(inst);
    if location.is_default() || location.bits() & !MARKS == SetId::EMPTY.as_u32() {
        return SourceLoc::default();
    }
    SourceLoc::new(location.bits() & !MARKS)
}

/// The rows of locations without marks.
pub(crate) fn unmarked(rows: &[(u32, u32, u32)]) -> Vec<(u32, u32, u32)> {
    let mut out: Vec<(u32, u32, u32)> = Vec::with_capacity(rows.len());
    for &(start, end, location) in rows {
        let is_none = location == u32::MAX || location & !MARKS == SetId::EMPTY.as_u32();
        let location = if is_none { u32::MAX } else { location & !MARKS };
        match out.last_mut() {
            Some(last) if last.1 == start && last.2 == location => last.1 = end,
            _ => out.push((start, end, location)),
        }
    }
    out
}

/// The location that an instruction has, or that it was rewritten from.
fn known(func: &Function, classes: &FxHashMap<Value, SourceLoc>, inst: Inst) -> Option<SourceLoc> {
    let own = own(func, inst);
    if !own.is_default() {
        return Some(own);
    }
    func.dfg.inst_results(inst).iter().find_map(|v| classes.get(v)).copied()
}

/// For each value that the optimizer found equal to others, the location of the first of these that has one.
fn classes(func: &Function) -> FxHashMap<Value, SourceLoc> {
    let mut parents: FxHashMap<Value, Value> = FxHashMap::default();
    for v in func.dfg.values() {
        if let ValueDef::Union(a, b) = func.dfg.value_def(v) {
            let roots = [v, a, b].map(|x| root(&mut parents, x));
            let first = roots.into_iter().min().unwrap_or(v);
            for r in roots.into_iter().filter(|&r| r != first) {
                parents.insert(r, first);
            }
        }
    }
    let mut members: Vec<Value> = parents.keys().chain(parents.values()).copied().collect();
    members.sort_unstable();
    members.dedup();
    let mut locations: FxHashMap<Value, SourceLoc> = FxHashMap::default();
    for &v in &members {
        if let ValueDef::Result(inst, _) = func.dfg.value_def(v) {
            let location = own(func, inst);
            if !location.is_default() {
                let root = root(&mut parents, v);
                locations.entry(root).or_insert(location);
            }
        }
    }
    let of = |v: Value, parents: &mut FxHashMap<Value, Value>| Some((v, *locations.get(&root(parents, v))?));
    members.into_iter().filter_map(|v| of(v, &mut parents)).collect()
}

/// Adds the locations of copies: of instructions that compute the same value as a located one.
fn copies(func: &Function, classes: &mut FxHashMap<Value, SourceLoc>) {
    // Only instructions with the same operation as one without a location are asked for.
    let asked = asked(func, classes);
    if asked.is_empty() {
        return;
    }
    let mut constants: FxHashMap<InstructionData, Value> = FxHashMap::default();
    let mut located: FxHashMap<(InstructionData, Type), SourceLoc> = FxHashMap::default();
    let mut missing: Vec<(Value, (InstructionData, Type))> = Vec::new();
    let mut lists = ValueListPool::new();
    for (v, def) in func.dfg.values_and_defs() {
        let ValueDef::Result(inst, _) = def else { continue };
        let mut data = func.dfg.insts[inst];
        if data.opcode() == Opcode::Iconst {
            constants.entry(data).or_insert(v);
        }
        if !asked.contains(&data.opcode()) || !may_be_copied(func, inst) {
            continue;
        }
        for arg in data.arguments_mut(&mut lists) {
            let value = func.dfg.resolve_aliases(*arg);
            let constant = func.dfg.value_def(value).inst().and_then(|i| constants.get(&func.dfg.insts[i]));
            *arg = constant.copied().unwrap_or(value);
        }
        let key = (data, func.dfg.value_type(v));
        let location = own(func, inst);
        if !location.is_default() {
            located.entry(key).or_insert(location);
        } else if !classes.contains_key(&v) {
            missing.push((v, key));
        }
    }
    classes.extend(missing.into_iter().filter_map(|(v, key)| Some((v, *located.get(&key)?))));
}

/// The operations of the instructions that may be copies of others, and have no location.
fn asked(func: &Function, classes: &FxHashMap<Value, SourceLoc>) -> SmallVec<[Opcode; 8]> {
    let mut out: SmallVec<[Opcode; 8]> = SmallVec::new();
    for (v, def) in func.dfg.values_and_defs() {
        let ValueDef::Result(inst, _) = def else { continue };
        let is_asked = own(func, inst).is_default() && may_be_copied(func, inst) && !classes.contains_key(&v);
        let opcode = func.dfg.insts[inst].opcode();
        if is_asked && !out.contains(&opcode) {
            out.push(opcode);
        }
    }
    out
}

/// Whether another instruction with the same operation and operands computes the same.
fn may_be_copied(func: &Function, inst: Inst) -> bool {
    is_pure(func, inst) && !func.dfg.inst_args(inst).is_empty() && !func.dfg.insts[inst].opcode().is_call()
}

/// The representative of the class of `v`.
pub(crate) fn root(parents: &mut FxHashMap<Value, Value>, v: Value) -> Value {
    let mut top = v;
    while let Some(&p) = parents.get(&top) {
        top = p;
    }
    let mut at = v;
    while let Some(&p) = parents.get(&at).filter(|&&p| p != top) {
        parents.insert(at, top);
        at = p;
    }
    top
}
