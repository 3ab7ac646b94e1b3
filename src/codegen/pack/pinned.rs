//! Values in all lanes of 32 bytes are made where the innermost loop begins that uses them.
//!
//! ```text
//! do j                          do j
//!   do i                          z = atomic_load zero
//!     v = splat x           =>    v = splat (x + z)
//!     … v …                       do i
//!                                   … v …
//! ```
//!
//! Cranelift takes what does not change out of all loops. It may then have to put it on the stack between two of them, and its places there have 16 bytes: the
//! procedure would get pairs of vectors ([`crate::wide`]). A value that depends on a load stays where that is. Constants are loaded themselves.

use crate::symbols::ADDRESS;
use crate::wide;
use cranelift_codegen::Context;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::flowgraph::BlockPredecessor;
use cranelift_codegen::ir::{
    Block, Endianness, Function, GlobalValue, Inst, InstBuilder, InstructionData, MemFlagsData, Opcode, SourceLoc,
    Type, Value, ValueDef, types,
};
use cranelift_codegen::loop_analysis::{Loop, LoopAnalysis};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most operations in one another that are copied.
const DEEPEST: usize = 6;

/// Pins the values in all lanes of `context`'s function. `zero` is the datum of constants, and the place of a zero in it.
pub(crate) fn pin(context: &mut Context, (constants, zero): (&str, i32), symbols: &crate::symbols::Symbols) {
    context.flowgraph();
    context.compute_loop_analysis();
    let mut found: Vec<(Inst, (Inst, Option<Loop>))> = Vec::new();
    // The place where each value is wanted in all lanes, none if there are several.
    let mut places: FxHashMap<Value, Option<Inst>> = FxHashMap::default();
    for block in context.func.layout.blocks() {
        for inst in context.func.layout.block_insts(block) {
            if context.func.dfg.insts[inst].opcode() != Opcode::Splat {
                continue;
            }
            let mut at = inst;
            if wide::is_wide(&context.func, inst) {
                let place = place(context, inst, block);
                at = place.0;
                found.push((inst, place));
            }
            let operand = bare(&context.func, context.func.dfg.inst_args(inst)[0]);
            places.entry(operand).and_modify(|known| *known = known.filter(|&k| k == at)).or_insert(Some(at));
        }
    }
    if found.is_empty() {
        return;
    }
    let stays = |&(inst, (at, _)): &(Inst, (Inst, Option<Loop>))| {
        let operand = bare(&context.func, context.func.dfg.inst_args(inst)[0]);
        (places[&operand].is_some() && is_bound(context, operand, at)).then_some(operand)
    };
    let staying = found.iter().filter_map(stays).collect();
    let base = symbols.global(&mut context.func, constants);
    let mut pinned = Pinned {
        func: &mut context.func,
        loops: &context.loop_analysis,
        base,
        zero,
        staying,
        zeros: FxHashMap::default(),
        made: FxHashMap::default(),
    };
    for (inst, (at, of)) in found {
        pinned.splat(inst, at, of);
    }
}

/// The instruction before which the operand of `splat` is pinned: the end of the block before the innermost loop, and that loop, if it is the same in all
/// its iterations.
fn place(context: &Context, splat: Inst, block: Block) -> (Inst, Option<Loop>) {
    let func = &context.func;
    let operand = bare(func, func.dfg.inst_args(splat)[0]);
    let before = || {
        let innermost = context.loop_analysis.innermost_loop(block)?;
        if context.loop_analysis.loops().any(|l| context.loop_analysis.loop_parent(l) == Some(innermost)) {
            return None;
        }
        let of_loop = |b: Block| context.loop_analysis.is_in_loop(b, innermost);
        let header = context.loop_analysis.loop_header(innermost);
        let mut outside = context.cfg.pred_iter(header).filter(|p| !of_loop(p.block));
        let BlockPredecessor { inst, .. } = outside.next()?;
        (outside.next().is_none() && is_fixed(func, operand, &of_loop, DEEPEST)).then_some((inst, Some(innermost)))
    };
    before().unwrap_or((splat, None))
}

/// Whether `v` is the same in all iterations, and made by at most `deep` operations in one another inside the loop.
fn is_fixed(func: &Function, v: Value, of_loop: &impl Fn(Block) -> bool, deep: usize) -> bool {
    let v = func.dfg.resolve_aliases(v);
    match func.dfg.value_def(v) {
        ValueDef::Param(b, _) => !of_loop(b),
        ValueDef::Result(inst, _) => {
            let block = func.layout.inst_block(inst);
            block.is_some_and(|b| !of_loop(b))
                || (deep > 0
                    && crate::locate::is_pure(func, inst)
                    && func.dfg.inst_args(inst).iter().all(|&a| is_fixed(func, a, of_loop, deep - 1)))
        }
        ValueDef::Union(..) => false,
    }
}

/// Whether `v` changes with the iterations of the loop that `at` is in, or `at` is in none: Cranelift cannot take it any further.
fn is_bound(context: &Context, v: Value, at: Inst) -> bool {
    let func = &context.func;
    let around = func.layout.inst_block(at).and_then(|b| context.loop_analysis.innermost_loop(b));
    around.is_none_or(|l| !is_fixed(func, v, &|b| context.loop_analysis.is_in_loop(b, l), DEEPEST))
}

/// `v` before its bits were taken for another type.
fn bare(func: &Function, v: Value) -> Value {
    let v = func.dfg.resolve_aliases(v);
    match func.dfg.value_def(v).inst().map(|i| func.dfg.insts[i]) {
        Some(InstructionData::LoadNoOffset { opcode: Opcode::Bitcast, arg, .. }) => bare(func, arg),
        _ => v,
    }
}

/// The first 8 bytes of a vector of 16 twice.
const TWICE: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7];

/// The number `v` in both lanes of integers, by one instruction between vectors.
fn twice(func: &mut Function, v: Value, at: Inst, location: SourceLoc) -> Value {
    let little = MemFlagsData::new().with_endianness(Endianness::Little);
    let mask = func.dfg.immediates.push(TWICE.as_slice().into());
    let mut cursor = FuncCursor::new(func).at_inst(at).with_srcloc(location);
    let vector = cursor.ins().scalar_to_vector(types::F64X2, v);
    let bytes = cursor.ins().bitcast(types::I8X16, little, vector);
    let both = cursor.ins().shuffle(bytes, bytes, mask);
    cursor.ins().bitcast(types::I64X2, little, both)
}

/// The scalar in all lanes of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Scalar {
    Zero,
    /// The constant that number of bytes behind the beginning of all.
    At(i32),
    Value(Value),
}

/// The constant that `v` is.
fn constant(func: &Function, v: Value) -> Option<Scalar> {
    match func.dfg.insts[func.dfg.value_def(v).inst()?] {
        InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } if imm.bits() == 0 => Some(Scalar::Zero),
        InstructionData::UnaryIeee64 { imm, .. } if imm.bits() == 0 => Some(Scalar::Zero),
        InstructionData::UnaryIeee32 { imm, .. } if imm.bits() == 0 => Some(Scalar::Zero),
        InstructionData::Load { flags, offset, .. } if func.dfg.mem_flags[flags].readonly() => {
            Some(Scalar::At(offset.into()))
        }
        _ => None,
    }
}

struct Pinned<'f> {
    func: &'f mut Function,
    loops: &'f LoopAnalysis,
    base: GlobalValue,
    zero: i32,
    /// The values that Cranelift leaves where they are wanted.
    staying: FxHashSet<Value>,
    /// The zero that was loaded before an instruction.
    zeros: FxHashMap<Inst, Value>,
    /// The vectors of integers that were made before an instruction.
    made: FxHashMap<(Inst, Scalar, Type), Value>,
}

impl Pinned<'_> {
    /// Puts a vector that is made before `at` in the place of that of `splat`.
    fn splat(&mut self, splat: Inst, at: Inst, of: Option<Loop>) {
        let operand = bare(self.func, self.func.dfg.inst_args(splat)[0]);
        let scalar = constant(self.func, operand).unwrap_or(Scalar::Value(operand));
        let result = self.func.dfg.first_result(splat);
        let ty = self.func.dfg.value_type(result);
        let integers = if ty.lane_bits() == 32 { types::I32X4 } else { types::I64X2 };
        let location = self.func.srcloc(splat);
        let vector = match self.made.get(&(at, scalar, integers)) {
            Some(&known) => known,
            None => {
                let vector = match scalar {
                    Scalar::Value(v) if self.staying.contains(&v) && self.func.dfg.value_type(v) == types::F64 => {
                        let v = self.copied(v, at, of);
                        twice(self.func, v, at, location)
                    }
                    _ => {
                        let bits = self.bits(scalar, integers.lane_type(), at, of);
                        FuncCursor::new(self.func).at_inst(at).with_srcloc(location).ins().splat(integers, bits)
                    }
                };
                self.made.insert((at, scalar, integers), vector);
                vector
            }
        };
        let vector = if ty == integers { vector } else { self.bitcast(ty, vector, at) };
        self.func.layout.remove_inst(splat);
        self.func.dfg.clear_results(splat);
        self.func.dfg.change_to_alias(result, vector);
    }

    /// The value `v` as there is before `at`: the operations that make it in the loop `of` are copied.
    fn copied(&mut self, v: Value, at: Inst, of: Option<Loop>) -> Value {
        let v = self.func.dfg.resolve_aliases(v);
        let (ValueDef::Result(inst, _), Some(of)) = (self.func.dfg.value_def(v), of) else { return v };
        if self.func.layout.inst_block(inst).is_none_or(|b| !self.loops.is_in_loop(b, of)) {
            return v;
        }
        let args: Vec<Value> = self.func.dfg.inst_args(inst).to_vec();
        let args: Vec<Value> = args.into_iter().map(|a| self.copied(a, at, Some(of))).collect();
        let location = self.func.srcloc(inst);
        let new = self.func.dfg.clone_inst(inst);
        self.func.dfg.inst_args_mut(new).copy_from_slice(&args);
        self.func.layout.insert_inst(new, at);
        self.func.set_srcloc(new, location);
        self.func.dfg.first_result(new)
    }

    /// The bits of a scalar as an integer that is not known before `at`.
    fn bits(&mut self, scalar: Scalar, ty: Type, at: Inst, of: Option<Loop>) -> Value {
        match scalar {
            Scalar::At(offset) => self.load(ty, offset, at),
            Scalar::Zero => self.zero(ty, at),
            Scalar::Value(v) => {
                let v = self.copied(v, at, of);
                let zero = self.zero(ty, at);
                let v = if self.func.dfg.value_type(v) == ty { v } else { self.bitcast(ty, v, at) };
                FuncCursor::new(self.func).at_inst(at).ins().bxor(v, zero)
            }
        }
    }

    fn bitcast(&mut self, ty: Type, v: Value, at: Inst) -> Value {
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        FuncCursor::new(self.func).at_inst(at).ins().bitcast(ty, little, v)
    }

    fn zero(&mut self, ty: Type, at: Inst) -> Value {
        let zero = match self.zeros.get(&at) {
            Some(&known) => known,
            None => {
                let loaded = self.load(types::I64, self.zero, at);
                self.zeros.insert(at, loaded);
                loaded
            }
        };
        if ty == types::I64 { zero } else { FuncCursor::new(self.func).at_inst(at).ins().ireduce(ty, zero) }
    }

    /// The constant at `offset`, loaded before `at` and nowhere else.
    fn load(&mut self, ty: Type, offset: i32, at: Inst) -> Value {
        let mut cursor = FuncCursor::new(self.func).at_inst(at);
        let base = cursor.ins().symbol_value(ADDRESS, self.base);
        let place = cursor.ins().iadd_imm_s(base, i64::from(offset));
        cursor.ins().atomic_load(ty, MemFlagsData::trusted(), place)
    }
}
