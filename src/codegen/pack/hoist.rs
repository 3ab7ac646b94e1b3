//! Values that do not change in a loop leave it, also where a way out of the loop stands before their use.
//!
//! ```text
//! loop:                          limit = select …
//!   brif wrong, fault, on        loop:
//! fault: call …; trap      =>      brif wrong, fault, on
//! on:                            …
//!   limit = select …             on:
//!   brif limit > i, loop           brif limit > i, loop
//! ```
//!
//! Cranelift's optimizer goes down the tree of dominators with a stack of the loops around. A block on the way out of a loop, such as the end of
//! a check that fails, is in the tree below blocks of the loop, and takes the loop from the stack: in all blocks of the loop that come
//! after, nothing leaves it any more. This does it for those, by the same rules: constants and operations with one stay, and
//! are made again outside where an operation that leaves needs them. An operation with a constant leaves if nothing else in the loop needs its operand: it
//! takes its register. Where the values that a loop takes from outside fill the registers,
//! an operation of one cycle stays as well: checked Fourier transforms took 1.3 times as long without that.

use crate::locate::is_pure;
use cranelift_codegen::Context;
use cranelift_codegen::ir::{Block, Function, Inst, Opcode, Value, ValueDef};
use cranelift_codegen::loop_analysis::{Loop, LoopAnalysis};
use rustc_hash::FxHashMap;

/// The most operations with constants, one upon another, that are made again.
const MOST_ANEW: usize = 4;

/// The integers, and the reals and vectors, that a loop takes from outside when its registers are full: some are for the values that it computes.
const ROOM: [usize; 2] = [10, 12];

/// The most loops around a block whose registers it is a part of: more would take the square of the depth.
const MOST_DEEP: usize = 4;

/// Moves what a loop computes again and again out of it, in an optimized function whose flow graph and loops are known.
pub(crate) fn hoist(context: &mut Context) {
    let (func, loops, domtree) = (&mut context.func, &context.loop_analysis, &context.domtree);
    let order: Vec<Block> = domtree.cfg_rpo().copied().filter(|&b| loops.innermost_loop(b).is_some()).collect();
    let mut blocks: FxHashMap<Loop, Vec<Block>> = FxHashMap::default();
    for &b in &order {
        let around = std::iter::successors(loops.innermost_loop(b), |&l| loops.loop_parent(l));
        around.take(MOST_DEEP).for_each(|l| blocks.entry(l).or_default().push(b));
    }
    let mut from_outside: FxHashMap<Loop, Taken> = FxHashMap::default();
    for b in order {
        let Some(innermost) = loops.innermost_loop(b) else { continue };
        for inst in func.layout.block_insts(b).collect::<Vec<_>>() {
            if !is_pure(func, inst) || func.dfg.inst_args(inst).is_empty() {
                continue;
            }
            let around = std::iter::successors(Some(innermost), |&l| loops.loop_parent(l));
            let Some(outermost) = around.take_while(|&l| leaves(func, loops, inst, l)).last() else { continue };
            let taken =
                from_outside.entry(innermost).or_insert_with(|| Taken::by(func, loops, innermost, &blocks[&innermost]));
            let stays = match is_cheap(func, inst) {
                true => !taken.frees_one(func, inst),
                false => !taken.has_room_for(func, inst) && is_fast(func, inst),
            };
            if stays {
                continue;
            }
            taken.leaves(func, inst);
            let Some(to) = domtree.idom(loops.loop_header(outermost)) else { continue };
            let Some(end) = func.layout.last_inst(to) else { continue };
            func.layout.remove_inst(inst);
            func.layout.insert_inst(inst, end);
            make_operands(func, loops, inst, outermost);
        }
    }
}

/// The values that a loop takes from outside.
struct Taken {
    /// The number of uses of each value in the loop.
    uses: FxHashMap<Value, u32>,
    /// The numbers of integers, and of reals and vectors, that come from outside or from the iteration before.
    numbers: [usize; 2],
}

impl Taken {
    /// The values that the blocks of the loop take.
    fn by(func: &Function, loops: &LoopAnalysis, l: Loop, blocks: &[Block]) -> Taken {
        let mut out = Taken { uses: FxHashMap::default(), numbers: [0; 2] };
        for &b in blocks {
            for inst in func.layout.block_insts(b) {
                for v in func.dfg.inst_values(inst).map(|v| func.dfg.resolve_aliases(v)) {
                    let uses = out.uses.entry(v).or_default();
                    *uses += 1;
                    if *uses == 1 && matches!(definition(func, loops, v, l), Ok(None)) {
                        out.numbers[usize::from(is_real(func, v))] += 1;
                    }
                }
            }
        }
        for &v in func.dfg.block_params(loops.loop_header(l)) {
            out.numbers[usize::from(is_real(func, v))] += 1;
        }
        out
    }

    /// The operands that the loop has no use for if `inst` leaves it.
    fn freed(&self, func: &Function, inst: Inst) -> Vec<Value> {
        let args = func.dfg.inst_args(inst).iter().map(|&v| func.dfg.resolve_aliases(v));
        args.filter(|v| self.uses.get(v) == Some(&1)).collect()
    }

    /// Whether the result of `inst` finds a register as a value from outside.
    fn has_room_for(&self, func: &Function, inst: Inst) -> bool {
        let class = usize::from(is_real(func, func.dfg.first_result(inst)));
        self.frees_one(func, inst) || self.numbers[class] < ROOM[class]
    }

    /// Whether the result of `inst` takes the register of an operand.
    fn frees_one(&self, func: &Function, inst: Inst) -> bool {
        let class = is_real(func, func.dfg.first_result(inst));
        let takes_register = |v: Value| !func.dfg.value_def(v).inst().is_some_and(|i| is_constant(func, i));
        self.freed(func, inst).iter().any(|&v| is_real(func, v) == class && takes_register(v))
    }

    fn leaves(&mut self, func: &Function, inst: Inst) {
        for v in self.freed(func, inst) {
            let class = usize::from(is_real(func, v));
            self.numbers[class] = self.numbers[class].saturating_sub(1);
        }
        for v in func.dfg.inst_args(inst) {
            if let Some(uses) = self.uses.get_mut(&func.dfg.resolve_aliases(*v)) {
                *uses = uses.saturating_sub(1);
            }
        }
        self.numbers[usize::from(is_real(func, func.dfg.first_result(inst)))] += 1;
    }
}

fn is_real(func: &Function, v: Value) -> bool {
    let ty = func.dfg.value_type(v);
    ty.is_float() || ty.is_vector()
}

/// Whether the operation takes one cycle.
fn is_fast(func: &Function, inst: Inst) -> bool {
    use Opcode::{Band, Bor, Bxor, Iadd, Icmp, Ireduce, Ishl, Isub, Sextend, Uextend, Ushr};
    matches!(
        func.dfg.insts[inst].opcode(),
        Band | Bor | Bxor | Iadd | Icmp | Ireduce | Ishl | Isub | Sextend | Uextend | Ushr
    )
}

fn is_constant(func: &Function, inst: Inst) -> bool {
    func.dfg.insts[inst].opcode() == Opcode::Iconst
}

/// Whether Cranelift makes the result anew in each block that uses it: a constant, or an operation with one.
fn is_cheap(func: &Function, inst: Inst) -> bool {
    let is_constant = |v: Value| {
        let def = func.dfg.value_def(func.dfg.resolve_aliases(v)).inst();
        def.is_some_and(|i| is_constant(func, i))
    };
    match func.dfg.insts[inst].opcode() {
        Opcode::Iconst | Opcode::F32const | Opcode::F64const | Opcode::Bnot => true,
        Opcode::Iadd | Opcode::Isub | Opcode::Band | Opcode::Bor | Opcode::Bxor => {
            func.dfg.inst_args(inst).iter().any(|&v| is_constant(v))
        }
        _ => false,
    }
}

/// The instruction in the loop that defines `v`; none if the value comes from outside, and an error if the loop gives it to a block.
fn definition(func: &Function, loops: &LoopAnalysis, v: Value, l: Loop) -> Result<Option<Inst>, ()> {
    match func.dfg.value_def(func.dfg.resolve_aliases(v)) {
        ValueDef::Result(inst, _) => {
            let block = func.layout.inst_block(inst).ok_or(())?;
            Ok(loops.is_in_loop(block, l).then_some(inst))
        }
        ValueDef::Param(block, _) if !loops.is_in_loop(block, l) => Ok(None),
        _ => Err(()),
    }
}

/// Whether all operands of `inst` have the same values outside of the loop, or are cheap operations of such values.
fn leaves(func: &Function, loops: &LoopAnalysis, inst: Inst, l: Loop) -> bool {
    fn is_known(func: &Function, loops: &LoopAnalysis, v: Value, l: Loop, depth: usize) -> bool {
        match definition(func, loops, v, l) {
            Ok(None) => true,
            Ok(Some(def)) => {
                let args = func.dfg.inst_args(def);
                depth > 0
                    && is_pure(func, def)
                    && is_cheap(func, def)
                    && args.iter().all(|&a| is_known(func, loops, a, l, depth - 1))
            }
            Err(()) => false,
        }
    }
    func.dfg.inst_args(inst).iter().all(|&v| is_known(func, loops, v, l, MOST_ANEW))
}

/// Makes the cheap operands of `inst`, which has left the loop, again before it.
fn make_operands(func: &mut Function, loops: &LoopAnalysis, inst: Inst, l: Loop) {
    for k in 0..func.dfg.inst_args(inst).len() {
        let Ok(Some(def)) = definition(func, loops, func.dfg.inst_args(inst)[k], l) else { continue };
        let copy = func.dfg.clone_inst(def);
        func.layout.insert_inst(copy, inst);
        let location = func.srcloc(def);
        func.set_srcloc(copy, location);
        func.dfg.inst_args_mut(inst)[k] = func.dfg.first_result(copy);
        make_operands(func, loops, copy, l);
    }
}
