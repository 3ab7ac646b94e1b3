//! Waiting: vectors that take fewer instructions than their scalars and yet more time.
//!
//! - A lane that needs another lane of the same vector is computed twice, and the vector waits for both (`x(i) = x(i - 1) * c`).
//! - A load waits until a store that it overlaps has reached the cache, unless that one store has all its bytes: then it
//!   gets them from the store at once. So a vector is not loaded where narrower or shifted stores have just been, in this iteration
//!   or in the ones before.

use super::access::Access;
use super::plan::Lanes;
use super::{Packer, WINDOW};
use cranelift_codegen::ir::{Block, BlockCall, Inst, InstructionData, Opcode, Value, ValueDef};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Bytes of a vector.
const VECTOR: i64 = 16;
/// The number of iterations for which a store is on its way to the cache.
const ON_THE_WAY: i64 = 4;

/// Bytes from a base, from the first to behind the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bytes {
    from: i64,
    to: i64,
}

impl Bytes {
    fn of(a: &Access) -> Bytes {
        Bytes { from: a.offset, to: a.offset + i64::from(a.size) }
    }

    fn moved(self, by: i64) -> Bytes {
        Bytes { from: self.from + by, to: self.to + by }
    }

    fn overlaps(self, other: Bytes) -> bool {
        self.from < other.to && other.from < self.to
    }

    fn holds(self, other: Bytes) -> bool {
        self.from <= other.from && other.to <= self.to
    }
}

impl Packer<'_> {
    /// Whether one of the lanes is needed to compute another one, in the block of `at`.
    pub(super) fn need_one_another(&self, lanes: &Lanes, at: Inst) -> bool {
        let Some(block) = self.func.layout.inst_block(at) else { return false };
        let of: SmallVec<[Inst; 4]> = lanes.iter().filter_map(|&v| self.made_in(v, block)).collect();
        let operands: SmallVec<[Value; 8]> = of.iter().flat_map(|&i| self.func.dfg.inst_args(i)).copied().collect();
        self.needs(&operands, &of, block)
    }

    /// Whether a vector that is loaded before `at`, beginning where `first` does, waits for a store. The stores in `group` become one,
    /// which stands at `at`.
    pub(super) fn waits(&self, first: &Access, at: Inst, group: &[Inst]) -> bool {
        let Some(block) = self.func.layout.inst_block(at) else { return false };
        let load = Bytes { from: first.offset, to: first.offset + VECTOR };
        let own = group.iter().filter_map(|&i| Access::of(self, i)).map(|a| a.offset).min();
        let step = self.step_of(first.base, block);
        let stores: Vec<(Inst, Access)> = self
            .stores_around(at, step.is_some())
            .filter_map(|i| Some((i, Access::of(self, i)?)))
            .filter(|(_, a)| a.base == first.base && a.region == first.region)
            .collect();
        let is_stored = |b: Bytes| {
            let covers = |at: i64| stores.iter().any(|(_, a)| Bytes::of(a).holds(Bytes { from: at, to: at + 4 }));
            (b.from..b.to).step_by(4).all(covers)
        };
        // A store further on whose neighbours are stored as well will be a part of a vector, placed as this group is.
        let will_be = |inst: Inst, a: &Access| {
            let lane = Bytes::of(a);
            let is_open = group.contains(&inst) || self.order[inst] > self.order[at];
            let Some(own) = own.filter(|_| is_open && i64::from(a.size) < VECTOR) else { return lane };
            let from = lane.from - (lane.from - own).rem_euclid(VECTOR);
            let whole = Bytes { from, to: from + VECTOR };
            if is_stored(whole) { whole } else { lane }
        };
        stores.iter().any(|&(inst, ref a)| {
            let bytes = will_be(inst, a);
            let here = self.order[inst] < self.order[at] && !group.contains(&inst);
            let before = step.into_iter().flat_map(|step| (1..=ON_THE_WAY).map(move |k| -k * step));
            let mut places = here.then_some(0).into_iter().chain(before).map(|by| bytes.moved(by));
            places.any(|b| b.overlaps(load) && !b.holds(load))
        })
    }

    /// Whether a value comes back to a vector of the loop that `at` is in as a lane of its own: a vector put together
    /// from scalars that the vector itself made, an iteration before, waits for them to be taken out and put together.
    pub(super) fn comes_back(&self, value: Value, top: &Lanes, at: Inst) -> bool {
        let Some(block) = self.func.layout.inst_block(at) else { return false };
        let Some(next) = self.next_of(value, block) else { return false };
        let of: SmallVec<[Inst; 4]> = top.iter().filter_map(|&v| self.made_in(v, block)).collect();
        self.needs(&[next], &of, block)
    }

    /// The instruction in `block` that computes `v`.
    fn made_in(&self, v: Value, block: Block) -> Option<Inst> {
        let inst = self.func.dfg.value_def(self.func.dfg.resolve_aliases(v)).inst()?;
        (self.func.layout.inst_block(inst) == Some(block)).then_some(inst)
    }

    /// Whether one of `values` is the result of one of the instructions `of`, or computed from it, all in `block`.
    fn needs(&self, values: &[Value], of: &[Inst], block: Block) -> bool {
        let Some(earliest) = of.iter().map(|&i| self.order[i]).min() else { return false };
        let mut seen: FxHashSet<Inst> = FxHashSet::default();
        let mut open: SmallVec<[Value; 16]> = values.iter().copied().collect();
        while let Some(v) = open.pop() {
            // Operands come before their users, so an instruction before all of them needs none.
            let Some(x) = self.made_in(v, block).filter(|&x| self.order[x] >= earliest) else { continue };
            if of.contains(&x) {
                return true;
            }
            if seen.insert(x) {
                open.extend(self.func.dfg.inst_args(x).iter().copied());
            }
        }
        false
    }

    /// The stores not far before `at`; in a loop, all of its stores.
    fn stores_around(&self, at: Inst, is_loop: bool) -> impl Iterator<Item = Inst> + '_ {
        let is_near = move |i: &Inst| self.order[at].abs_diff(self.order[*i]) <= WINDOW;
        let before = std::iter::successors(self.func.layout.prev_inst(at), |&i| self.func.layout.prev_inst(i));
        let behind = std::iter::successors(Some(at).filter(|_| is_loop), |&i| self.func.layout.next_inst(i));
        let all = before.take_while(is_near).chain(behind.take_while(is_near));
        all.filter(|&i| self.func.dfg.insts[i].opcode() == Opcode::Store)
    }

    /// The value that a parameter of `block` has in the next iteration, if the block is a loop by itself.
    pub(super) fn next_of(&self, value: Value, block: Block) -> Option<Value> {
        let dfg = &self.func.dfg;
        let ValueDef::Param(of, k) = dfg.value_def(value) else { return None };
        let back = self.way_back(block).filter(|_| of == block)?;
        Some(dfg.resolve_aliases(back.args(&dfg.value_lists).nth(k)?.as_value()?))
    }

    /// The jump from the end of a block to its beginning.
    pub(super) fn way_back(&self, block: Block) -> Option<&BlockCall> {
        let dfg = &self.func.dfg;
        let last = self.func.layout.last_inst(block)?;
        let mut ways = dfg.insts[last].branch_destination(&dfg.jump_tables, &dfg.exception_tables).iter();
        ways.find(|c| c.block(&dfg.value_lists) == block)
    }

    /// The growth of `base` in each iteration, if `block` is a loop by itself; none if it is not, or if the growth is
    /// not known.
    fn step_of(&self, base: Value, block: Block) -> Option<i64> {
        let dfg = &self.func.dfg;
        self.way_back(block)?;
        let Some(next) = self.next_of(base, block) else { return Some(0) };
        if next == base {
            return Some(0);
        }
        let inst = dfg.value_def(next).inst()?;
        let constant = |v: Value| {
            let of = dfg.value_def(dfg.resolve_aliases(v)).inst()?;
            match dfg.insts[of] {
                InstructionData::UnaryImm { imm, .. } => Some(imm.bits()),
                _ => None,
            }
        };
        let args = dfg.inst_args(inst);
        match dfg.insts[inst].opcode() {
            Opcode::Iadd if self.same(args[0]) == base => constant(args[1]),
            Opcode::Iadd if self.same(args[1]) == base => constant(args[0]),
            Opcode::Isub if self.same(args[0]) == base => constant(args[1]).map(i64::wrapping_neg),
            _ => None,
        }
    }
}
