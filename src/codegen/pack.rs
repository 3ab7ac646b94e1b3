//! Packing: operations of straight-line code on neighbouring elements, one after the other, become one vector
//! operation.
//!
//! ```text
//! store (load p) * x, p             v = load.f64x2 p
//! store (load p+8) * x, p+8    =>   store v * splat x, p
//! ```
//!
//! The copies made by unrolling are such code. A group starts from stores to neighbouring addresses; the stored values
//! are followed down to loads of neighbouring addresses, to values that are the same in all lanes, and to values that
//! must be put together. Every lane computes the same operations as its scalar, in the same order, so results are equal
//! to the bit. Vectors have 128 bits, which every target has.
//!
//! This works on CLIF and not on the IR because it is instruction selection: no statement moves past another in a way
//! that a count or a set could tell, as when Cranelift places pure instructions. Cells of counters lie in an alias
//! region of their own, so a profiled build packs the same operations as a plain one.

mod access;
pub(crate) mod aligned;
mod chain;
mod cold;
pub(crate) mod contract;
mod convert;
pub(crate) mod early;
pub(crate) mod hoist;
mod integer;
pub(crate) mod late;
mod latency;
pub(crate) mod layout;
pub(crate) mod limit;
pub(crate) mod operands;
pub(crate) mod pinned;
mod plan;
mod reduce;
pub(crate) mod registers;
mod shorten;
pub(crate) mod sole;

use access::Access;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{
    Block, Function, Inst, InstBuilder, InstructionData, Opcode, Type, Value, ValueDef, types,
};
use cranelift_codegen::packed_option::PackedOption;
use cranelift_entity::SecondaryMap;
use plan::{Lanes, Plan};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The largest distance, in instructions, between the stores of a group: bounds the time for long blocks.
const WINDOW: u32 = 600;

/// Packs all groups of `func` for which that is possible. `is_sticky` says that the target has an instruction for the greater
/// of two numbers which is a NaN if one of them is.
pub(crate) fn pack(func: &mut Function, is_sticky: bool) {
    let mut packer = Packer {
        order: SecondaryMap::new(),
        uses: SecondaryMap::new(),
        canonical: SecondaryMap::new(),
        known: FxHashMap::default(),
        made: FxHashMap::default(),
        is_sticky,
        func,
    };
    packer.number();
    let blocks: Vec<Block> = packer.func.layout.blocks().collect();
    for &b in &blocks {
        packer.block(b);
    }
    packer.sweep();
}

struct Packer<'f> {
    func: &'f mut Function,
    /// The order of each instruction; an instruction made here has that of the one it was put before.
    order: SecondaryMap<Inst, u32>,
    /// The number of uses of each value.
    uses: SecondaryMap<Value, u32>,
    /// The first value that is surely the same as this one; the default value if it is the first itself.
    canonical: SecondaryMap<Value, PackedOption<Value>>,
    known: FxHashMap<(InstructionData, Type), Value>,
    /// Vectors that stand for these scalars, and their place.
    made: FxHashMap<Lanes, (Value, u32)>,
    /// Whether the greater of two numbers, one a NaN, is a NaN by one instruction.
    is_sticky: bool,
}

/// A store that may join a group.
#[derive(Clone, Copy)]
struct Store {
    inst: Inst,
    value: Value,
    at: Access,
}

impl Packer<'_> {
    /// Numbers instructions, counts uses, and finds values that are the same.
    fn number(&mut self) {
        let blocks: Vec<Block> = self.func.layout.blocks().collect();
        let mut next = 0;
        for b in blocks {
            for inst in self.func.layout.block_insts(b).collect::<Vec<_>>() {
                next += 1;
                self.order[inst] = next;
                let values: SmallVec<[Value; 8]> = self.func.dfg.inst_values(inst).collect();
                for v in values {
                    let v = self.func.dfg.resolve_aliases(v);
                    self.uses[v] += 1;
                }
                self.recognise(inst);
            }
        }
    }

    /// Notes whether `inst` computes the same value as an earlier one, for operations that have one result for the same
    /// operands.
    fn recognise(&mut self, inst: Inst) {
        let mut data = self.func.dfg.insts[inst];
        let same_always = match data {
            InstructionData::Binary { opcode, .. } => {
                matches!(opcode, Opcode::Iadd | Opcode::Isub | Opcode::Imul | Opcode::Ishl)
            }
            InstructionData::Unary { opcode, .. } => matches!(opcode, Opcode::Sextend),
            InstructionData::UnaryImm { .. }
            | InstructionData::UnaryIeee32 { .. }
            | InstructionData::UnaryIeee64 { .. }
            | InstructionData::UnaryGlobalValue { .. }
            | InstructionData::StackAddr { .. } => true,
            InstructionData::Load { flags, .. } => self.func.dfg.mem_flags[flags].readonly(),
            _ => false,
        };
        if !same_always {
            return;
        }
        let result = self.func.dfg.first_result(inst);
        match &mut data {
            InstructionData::Binary { args, .. } => args.iter_mut().for_each(|a| *a = self.same(*a)),
            InstructionData::Unary { arg, .. } | InstructionData::Load { arg, .. } => *arg = self.same(*arg),
            _ => {}
        }
        let ty = self.func.dfg.value_type(result);
        let first = *self.known.entry((data, ty)).or_insert(result);
        if first != result {
            self.canonical[result] = first.into();
        }
    }

    /// The representative of the values that are the same as `v`.
    fn same(&self, v: Value) -> Value {
        let v = self.func.dfg.resolve_aliases(v);
        self.canonical[v].expand().unwrap_or(v)
    }

    /// Packs all groups of one block.
    fn block(&mut self, b: Block) {
        self.made.clear();
        self.stores(b);
        let (packed, ended) = self.chains(b);
        if packed {
            // The stored values, too, may be in vectors now.
            self.stores(b);
        }
        self.sums(b);
        self.finish(b, &ended);
    }

    /// Packs groups of stores.
    fn stores(&mut self, b: Block) {
        let mut open: FxHashMap<(Value, i64), Store> = FxHashMap::default();
        for inst in self.func.layout.block_insts(b).collect::<Vec<_>>() {
            if self.func.dfg.insts[inst].opcode().is_call() {
                open.clear();
                continue;
            }
            let Some(store) = self.store(inst) else { continue };
            let now = self.order[inst];
            open.insert((store.at.base, store.at.offset), store);
            for group in self.candidates(&open, &store) {
                let near = group.iter().all(|s| now - self.order[s.inst] <= WINDOW);
                if near && self.try_group(&group) {
                    for s in &group {
                        open.remove(&(s.at.base, s.at.offset));
                    }
                    break;
                }
            }
        }
    }

    /// A store of a real or integer number without a trap; not of a counter, which is added to by one instruction.
    fn store(&self, inst: Inst) -> Option<Store> {
        let InstructionData::Store { opcode: Opcode::Store, args: [value, _], .. } = self.func.dfg.insts[inst] else {
            return None;
        };
        let value = self.func.dfg.resolve_aliases(value);
        let ty = self.func.dfg.value_type(value);
        matches!(ty, types::F64 | types::F32 | types::I64 | types::I32).then_some(())?;
        let at = Access::of(self, inst)?;
        if at.region.is_some_and(|r| self.func.dfg.alias_regions[r].user_id == crate::expr::COUNTER_REGION) {
            return None;
        }
        Some(Store { inst, value, at })
    }

    /// The groups of neighbours that `last` completes, by address.
    fn candidates(&self, open: &FxHashMap<(Value, i64), Store>, last: &Store) -> Vec<Vec<Store>> {
        let size = i64::from(last.at.size);
        let lanes = 16 / size;
        (0..lanes)
            .filter_map(|k| {
                let first = last.at.offset - k * size;
                (0..lanes)
                    .map(|lane| {
                        let s = open.get(&(last.at.base, first + lane * size))?;
                        (s.at.size == last.at.size && s.at.region == last.at.region).then_some(*s)
                    })
                    .collect()
            })
            .collect()
    }

    /// Makes one store of the group, where its first or its last stands, if that is legal and pays.
    fn try_group(&mut self, group: &[Store]) -> bool {
        let Some(first) = group.iter().min_by_key(|s| self.order[s.inst]).copied() else { return false };
        let Some(last) = group.iter().max_by_key(|s| self.order[s.inst]).copied() else { return false };
        let insts: SmallVec<[Inst; 4]> = group.iter().map(|s| s.inst).collect();
        [first.inst, last.inst].into_iter().any(|at| {
            let movable = group.iter().all(|s| self.can_move(s.inst, at, &insts));
            movable && self.try_at(group, at, &insts)
        })
    }

    /// Whether the access of `inst` can be made where `at` stands instead, whatever becomes of those in `ignored`.
    fn can_move(&self, inst: Inst, at: Inst, ignored: &[Inst]) -> bool {
        let Some(access) = Access::of(self, inst) else { return false };
        let (from, to) = if self.order[inst] <= self.order[at] { (inst, at) } else { (at, inst) };
        if self.order[to] - self.order[from] > WINDOW {
            return false;
        }
        let mut next = Some(from);
        while let Some(x) = next {
            // A value read before a store of the group is still read before it; a value read after it is not.
            let follows = ignored.contains(&x) && self.order[x] > self.order[inst];
            if x != inst && !follows && access.conflicts(self, x) {
                return false;
            }
            if x == to {
                return true;
            }
            next = self.func.layout.next_inst(x);
        }
        false
    }

    /// Whether `v` is there before `at`.
    fn is_available(&self, v: Value, at: Inst) -> bool {
        match self.func.dfg.value_def(v) {
            ValueDef::Result(inst, _) => {
                self.func.layout.inst_block(inst) != self.func.layout.inst_block(at)
                    || self.order[inst] < self.order[at]
            }
            _ => true,
        }
    }

    fn try_at(&mut self, group: &[Store], at: Inst, insts: &[Inst]) -> bool {
        // An earlier group may have made the values stored here lanes of its vectors.
        let lanes: Lanes = group.iter().map(|s| self.func.dfg.resolve_aliases(s.value)).collect();
        let Some(plan) = Plan::of(self, lanes, at, insts) else { return false };
        // One store instead of several.
        if plan.gain(self, at, group.len() as i64 - 1) <= 0 {
            return false;
        }
        let lowest = group[0];
        let InstructionData::Store { args: [_, base], offset, .. } = self.func.dfg.insts[lowest.inst] else {
            return false;
        };
        let flags = lowest.at.flags();
        if !self.is_available(self.func.dfg.resolve_aliases(base), at) {
            return false;
        }
        let vector = plan.emit(self, at);
        let made = {
            let mut cursor = self.cursor(at);
            cursor.ins().store(flags, vector, base, offset)
        };
        self.order[made] = self.order[at];
        self.count(made);
        for s in group {
            self.release(s.inst);
            if s.inst != at {
                self.func.layout.remove_inst(s.inst);
            }
        }
        plan.retire(self, at);
        self.func.layout.remove_inst(at);
        true
    }

    /// Takes the loads out that nothing uses; Cranelift keeps every load.
    fn sweep(&mut self) {
        for b in self.func.layout.blocks().collect::<Vec<_>>() {
            for inst in self.func.layout.block_insts(b).collect::<Vec<_>>() {
                let is_load = matches!(self.func.dfg.insts[inst], InstructionData::Load { .. });
                if is_load && self.uses[self.func.dfg.first_result(inst)] == 0 && Access::of(self, inst).is_some() {
                    self.remove(inst);
                }
            }
        }
    }

    fn cursor(&mut self, at: Inst) -> FuncCursor<'_> {
        let location = self.func.srcloc(at);
        FuncCursor::new(self.func).at_inst(at).with_srcloc(location)
    }

    fn count(&mut self, inst: Inst) {
        let values: SmallVec<[Value; 8]> = self.func.dfg.inst_values(inst).collect();
        for v in values {
            let v = self.func.dfg.resolve_aliases(v);
            self.uses[v] += 1;
        }
    }

    /// Gives the instructions inserted between `start` and `at` the order of `at`.
    fn settle(&mut self, start: Option<Inst>, at: Inst) {
        let mut next = match start {
            Some(s) => self.func.layout.next_inst(s),
            None => self.func.layout.inst_block(at).and_then(|b| self.func.layout.first_inst(b)),
        };
        while let Some(x) = next.filter(|&x| x != at) {
            self.order[x] = self.order[at];
            self.count(x);
            next = self.func.layout.next_inst(x);
        }
    }

    /// Puts `value` in the place of the result of an instruction, which goes.
    fn replace(&mut self, inst: Inst, value: Value) {
        let old = self.func.dfg.first_result(inst);
        let uses = self.uses[old];
        self.remove(inst);
        self.func.dfg.clear_results(inst);
        self.func.dfg.change_to_alias(old, value);
        self.uses[value] += uses;
    }

    /// Takes an instruction out.
    fn remove(&mut self, inst: Inst) {
        self.release(inst);
        self.func.layout.remove_inst(inst);
    }

    /// `inst` no longer uses its operands.
    fn release(&mut self, inst: Inst) {
        let values: SmallVec<[Value; 8]> = self.func.dfg.inst_values(inst).collect();
        for v in values {
            let v = self.func.dfg.resolve_aliases(v);
            self.uses[v] = self.uses[v].saturating_sub(1);
        }
    }
}
