//! Turning a group of scalars into a vector: legality, cost, emission.

use super::Packer;
use super::convert::Conversion;
use super::integer::Fixed;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::immediates::Offset32;
use cranelift_codegen::ir::{Inst, InstBuilder, InstructionData, MemFlagsData, Opcode, Value, ValueDef, types};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The scalars that a vector stands for, lane by lane.
pub(super) type Lanes = SmallVec<[Value; 4]>;

/// The most vectors that one store may take.
const MOST_NODES: usize = 200;

/// The origin of a vector; operands are nodes that come before it.
pub(super) enum How {
    /// It is there.
    Made(Value),
    /// The same scalar in every lane.
    Splat,
    /// Lane by lane.
    Gather,
    /// Neighbouring elements.
    Load {
        flags: MemFlagsData,
        base: Value,
        offset: Offset32,
    },
    Unary(Opcode, usize),
    Binary(Opcode, usize, usize),
    /// An operation on integers with a constant.
    Constant(Fixed, usize),
    /// A conversion.
    Convert(Conversion),
    /// `if a cc b then c else d`
    Select(FloatCC, [usize; 4]),
}

struct Node {
    lanes: Lanes,
    how: How,
    /// The scalar instructions besides those of the lanes that it replaces (comparisons).
    others: SmallVec<[Inst; 2]>,
}

/// The vectors for one store, operands first; the last is the stored value.
pub(super) struct Plan {
    nodes: Vec<Node>,
}

impl Plan {
    /// A plan to have `lanes` as a vector before `at`, where stores in `ignored` no longer stand in the way.
    pub(super) fn of(packer: &Packer<'_>, lanes: Lanes, at: Inst, ignored: &[Inst]) -> Option<Plan> {
        let mut maker =
            Maker { packer, at, ignored, top: lanes.clone(), nodes: Vec::new(), index: FxHashMap::default() };
        maker.node(lanes, 0)?;
        Some(Plan { nodes: maker.nodes })
    }

    /// The number of instructions that the vectors save against the scalars that they replace; `gain` is saved besides.
    /// Without any gain the lanes are used as scalars.
    pub(super) fn gain(&self, packer: &Packer<'_>, at: Inst, mut gain: i64) -> i64 {
        let fixed = |v: Value| match packer.func.dfg.value_def(v) {
            ValueDef::Result(inst, _) => packer.func.layout.inst_block(inst) != packer.func.layout.inst_block(at),
            _ => false,
        };
        let inside = self.uses(packer, gain > 0);
        for node in &self.nodes {
            let width = node.lanes.len() as i64;
            let needed = |v: Value| packer.uses[v] > inside.get(&v).copied().unwrap_or(0);
            let is_computed = !matches!(node.how, How::Made(_) | How::Splat | How::Gather | How::Load { .. });
            let is_integer = packer.func.dfg.value_type(node.lanes[0]).is_int();
            if is_computed && is_integer && node.lanes.iter().any(|&v| needed(v)) {
                return 0; // See `Maker::how`.
            }
            let stays = |v: Value| match packer.func.dfg.value_def(v) {
                ValueDef::Result(inst, _) => packer.used_before(v, inst, at),
                _ => true,
            };
            gain += match node.how {
                How::Made(_) => 0,
                How::Splat if packer.is_fixed(node.lanes[0]) || fixed(node.lanes[0]) => 0,
                How::Splat => -1,
                How::Gather if node.lanes.iter().all(|&v| fixed(v)) => -1,
                How::Gather => -width,
                How::Load { .. } => width - 1 - node.lanes.iter().filter(|&&v| needed(v)).count() as i64,
                How::Unary(Opcode::Sqrt, _) | How::Binary(Opcode::Fdiv, ..) => 4 * (width - 1),
                // Lanes that are needed as scalars are taken out of the vector, or computed as well.
                How::Unary(..) | How::Binary(..) | How::Select(..) | How::Constant(..) | How::Convert(_) => {
                    // The first one is a register by itself.
                    let cost = |(lane, &v): (usize, &Value)| match (needed(v), stays(v)) {
                        (false, _) => 0,
                        (true, true) => 2,
                        (true, false) => i64::from(lane > 0),
                    };
                    node.how.saved(width) - node.lanes.iter().enumerate().map(cost).sum::<i64>()
                }
            };
        }
        gain
    }

    /// Whether the result is loaded or computed as a vector.
    pub(super) fn computes(&self) -> bool {
        self.nodes.last().is_some_and(|n| !matches!(n.how, How::Made(_) | How::Splat | How::Gather))
    }

    /// Whether the vectors stand for one of these instructions.
    pub(super) fn replaces(&self, packer: &Packer<'_>, insts: &[Inst]) -> bool {
        self.nodes.iter().any(|node| {
            let made = !matches!(node.how, How::Made(_) | How::Splat | How::Gather);
            let lanes = node.lanes.iter().filter_map(|&v| packer.func.dfg.value_def(v).inst());
            made && lanes.chain(node.others.iter().copied()).any(|i| insts.contains(&i))
        })
    }

    /// The number of times that the scalars which the plan replaces use each value.
    fn uses(&self, packer: &Packer<'_>, stored: bool) -> FxHashMap<Value, u32> {
        let mut out: FxHashMap<Value, u32> = FxHashMap::default();
        if let Some(top) = self.nodes.last().filter(|_| stored) {
            top.lanes.iter().for_each(|&v| *out.entry(v).or_default() += 1);
        }
        for node in &self.nodes {
            if matches!(node.how, How::Made(_) | How::Splat | How::Gather | How::Load { .. }) {
                continue;
            }
            let lanes = node.lanes.iter().filter_map(|&v| packer.func.dfg.value_def(v).inst());
            for inst in lanes.chain(node.others.iter().copied()) {
                for &v in packer.func.dfg.inst_args(inst) {
                    *out.entry(packer.func.dfg.resolve_aliases(v)).or_default() += 1;
                }
            }
        }
        out
    }

    /// Emits the vectors before `at` and returns the value to be stored.
    pub(super) fn emit(&self, packer: &mut Packer<'_>, at: Inst) -> Value {
        let mut vectors: Vec<Value> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let v = node.emit(packer, at, &vectors);
            if !matches!(node.how, How::Made(_)) {
                packer.made.insert(node.lanes.clone(), (v, packer.order[at]));
            }
            vectors.push(v);
        }
        *vectors.last().expect("a plan has a vector to store")
    }

    /// Removes the scalars that nothing uses any more. Scalars that are used only after `at` become lanes.
    pub(super) fn retire(&self, packer: &mut Packer<'_>, at: Inst) {
        for node in self.nodes.iter().rev() {
            if matches!(node.how, How::Made(_) | How::Splat | How::Gather) {
                continue;
            }
            for (lane, &v) in node.lanes.iter().enumerate() {
                packer.retire(v, lane, &node.lanes, at, matches!(node.how, How::Load { .. }));
            }
            packer.rename(&node.lanes);
            for &inst in &node.others {
                let v = packer.func.dfg.first_result(inst);
                if packer.uses[v] == 0 && packer.func.layout.inst_block(inst).is_some() {
                    packer.remove(inst);
                }
            }
        }
    }
}

impl Packer<'_> {
    /// Whether `v` is one of the constants that Cranelift moves out of loops.
    fn is_fixed(&self, v: Value) -> bool {
        match self.func.dfg.value_def(v) {
            ValueDef::Result(inst, _) => match self.func.dfg.insts[inst] {
                InstructionData::Load { flags, .. } => self.func.dfg.mem_flags[flags].readonly(),
                InstructionData::UnaryIeee32 { .. }
                | InstructionData::UnaryIeee64 { .. }
                | InstructionData::UnaryImm { .. } => true,
                _ => false,
            },
            _ => false,
        }
    }

    fn retire(&mut self, v: Value, lane: usize, lanes: &Lanes, at: Inst, is_load: bool) {
        if self.func.dfg.value_is_alias(v) {
            return; // It is in two vectors, and the other one has given its lane already.
        }
        let ValueDef::Result(inst, _) = self.func.dfg.value_def(v) else { return };
        if self.func.layout.inst_block(inst).is_none() {
            return;
        }
        if self.uses[v] == 0 {
            return self.remove(inst);
        }
        let Some(&(vector, _)) = self.made.get(lanes) else { return };
        if is_load || self.used_before(v, inst, at) {
            return;
        }
        let extracted = {
            let mut cursor = self.cursor(at);
            cursor.ins().extractlane(vector, lane as u8)
        };
        if let ValueDef::Result(made, _) = self.func.dfg.value_def(extracted) {
            self.order[made] = self.order[at];
            self.count(made);
        }
        self.replace(inst, extracted);
    }

    /// Enters the vector of `lanes` under the current names of these values.
    fn rename(&mut self, lanes: &Lanes) {
        let now: Lanes = lanes.iter().map(|&v| self.func.dfg.resolve_aliases(v)).collect();
        if now != *lanes
            && let Some(&vector) = self.made.get(lanes)
        {
            self.made.insert(now, vector);
        }
    }

    /// Whether something between its definition and `at` uses `v`.
    fn used_before(&self, v: Value, inst: Inst, at: Inst) -> bool {
        if self.order[inst] >= self.order[at] {
            return false;
        }
        if self.order[at] - self.order[inst] > super::WINDOW {
            return true;
        }
        let mut next = self.func.layout.next_inst(inst);
        while let Some(x) = next {
            if x == at {
                return false;
            }
            if self.func.dfg.inst_values(x).any(|u| self.func.dfg.resolve_aliases(u) == v) {
                return true;
            }
            next = self.func.layout.next_inst(x);
        }
        true
    }
}

pub(super) struct Maker<'p, 'f> {
    pub(super) packer: &'p Packer<'f>,
    pub(super) at: Inst,
    ignored: &'p [Inst],
    /// The lanes of the vector that all others are for.
    top: Lanes,
    nodes: Vec<Node>,
    index: FxHashMap<Lanes, usize>,
}

impl Maker<'_, '_> {
    /// The node for `lanes`.
    pub(super) fn node(&mut self, lanes: Lanes, depth: usize) -> Option<usize> {
        if let Some(&known) = self.index.get(&lanes) {
            return Some(known);
        }
        if self.nodes.len() >= MOST_NODES || depth > 40 {
            return None;
        }
        let mut others = SmallVec::new();
        let how = self.how(&lanes, depth, &mut others)?;
        self.index.insert(lanes.clone(), self.nodes.len());
        self.nodes.push(Node { lanes, how, others });
        Some(self.nodes.len() - 1)
    }

    fn how(&mut self, lanes: &Lanes, depth: usize, others: &mut SmallVec<[Inst; 2]>) -> Option<How> {
        let p = self.packer;
        if let Some(&(v, order)) = p.made.get(lanes)
            && order <= p.order[self.at]
        {
            return Some(How::Made(v));
        }
        if lanes.iter().all(|&v| p.same(v) == p.same(lanes[0])) {
            return p.is_available(lanes[0], self.at).then_some(How::Splat);
        }
        if let Some(how) = self.computed(lanes, depth, others) {
            return Some(how);
        }
        others.clear();
        // Without SSE 4.1 integers come into vectors and out of them one by one through memory.
        if p.func.dfg.value_type(lanes[0]).is_int() {
            return None;
        }
        let waits = lanes.iter().any(|&v| p.comes_back(v, &self.top, self.at));
        (!waits && lanes.iter().all(|&v| p.is_available(v, self.at))).then_some(How::Gather)
    }

    /// The vector from the instructions that compute the lanes, if they are alike.
    fn computed(&mut self, lanes: &Lanes, depth: usize, others: &mut SmallVec<[Inst; 2]>) -> Option<How> {
        let p = self.packer;
        let here = p.func.layout.inst_block(self.at);
        let insts: SmallVec<[Inst; 4]> = lanes
            .iter()
            .map(|&v| match p.func.dfg.value_def(v) {
                ValueDef::Result(inst, _) if p.func.layout.inst_block(inst) == here => Some(inst),
                _ => None,
            })
            .collect::<Option<_>>()?;
        if p.need_one_another(lanes, self.at) {
            return None;
        }
        let data: SmallVec<[InstructionData; 4]> = insts.iter().map(|&i| p.func.dfg.insts[i]).collect();
        if data.iter().any(|d| d.opcode() != data[0].opcode()) {
            return None;
        }
        let operands = |k: usize| -> Lanes {
            insts.iter().map(|&i| p.func.dfg.resolve_aliases(p.func.dfg.inst_args(i)[k])).collect()
        };
        let wide = p.func.dfg.value_type(lanes[0]);
        match (data[0], data[0].opcode()) {
            (InstructionData::Load { arg, offset, .. }, Opcode::Load) => self.load(&insts, arg, offset),
            (
                _,
                op @ (Opcode::Fadd
                | Opcode::Fsub
                | Opcode::Fmul
                | Opcode::Fdiv
                | Opcode::Band
                | Opcode::Bor
                | Opcode::Bxor
                | Opcode::Iadd
                | Opcode::Isub),
            ) => {
                let (a, b) = (self.node(operands(0), depth + 1)?, self.node(operands(1), depth + 1)?);
                Some(How::Binary(op, a, b))
            }
            (_, op @ (Opcode::Fneg | Opcode::Fabs | Opcode::Sqrt)) => {
                Some(How::Unary(op, self.node(operands(0), depth + 1)?))
            }
            (_, op @ (Opcode::Ishl | Opcode::Ushr | Opcode::Sshr | Opcode::Imul)) => {
                let operands = [operands(0), operands(1)];
                let fixed = [0, 1].into_iter().find_map(|k| Some((Fixed::of(p, op, wide, &operands[k], k)?, 1 - k)));
                match fixed {
                    Some((fixed, other)) => Some(How::Constant(fixed, self.node(operands[other].clone(), depth + 1)?)),
                    None if op == Opcode::Imul && wide == types::I32 => {
                        let [a, b] = operands;
                        Some(How::Binary(op, self.node(a, depth + 1)?, self.node(b, depth + 1)?))
                    }
                    None => None,
                }
            }
            (_, op @ (Opcode::FcvtToSintSat | Opcode::FcvtFromSint | Opcode::Fdemote | Opcode::Fpromote)) => {
                self.conversion(op, wide, operands(0), depth, others)
            }
            (_, Opcode::Select) => self.select(&operands(0), [operands(1), operands(2)], depth, others),
            _ => None,
        }
    }

    pub(super) fn load(&self, insts: &[Inst], base: Value, offset: Offset32) -> Option<How> {
        let p = self.packer;
        let first = super::Access::of(p, insts[0])?;
        for (k, &inst) in insts.iter().enumerate() {
            let a = super::Access::of(p, inst)?;
            let neighbour = a.base == first.base
                && a.flags() == first.flags()
                && a.offset == first.offset + k as i64 * i64::from(first.size);
            if !neighbour || !p.can_move(inst, self.at, self.ignored) {
                return None;
            }
        }
        if p.waits(&first, self.at, self.ignored) {
            return None;
        }
        let base = p.func.dfg.resolve_aliases(base);
        p.is_available(base, self.at).then_some(How::Load { flags: first.flags(), base, offset })
    }

    fn select(
        &mut self,
        conditions: &Lanes,
        [yes, no]: [Lanes; 2],
        depth: usize,
        others: &mut SmallVec<[Inst; 2]>,
    ) -> Option<How> {
        let p = self.packer;
        let mut sides: [Lanes; 2] = Default::default();
        let mut how = None;
        for &c in conditions {
            let ValueDef::Result(inst, _) = p.func.dfg.value_def(c) else { return None };
            let InstructionData::FloatCompare { cond, args, .. } = p.func.dfg.insts[inst] else { return None };
            let wide = p.func.dfg.value_type(args[0]) == p.func.dfg.value_type(yes[0]);
            if !wide || how.replace(cond).is_some_and(|other| other != cond) {
                return None;
            }
            others.push(inst);
            for (side, &a) in sides.iter_mut().zip(&args) {
                side.push(p.func.dfg.resolve_aliases(a));
            }
        }
        let [a, b] = sides;
        let nodes =
            [self.node(a, depth + 1)?, self.node(b, depth + 1)?, self.node(yes, depth + 1)?, self.node(no, depth + 1)?];
        Some(How::Select(how?, nodes))
    }
}

impl How {
    /// The number of instructions that the vector saves against its `width` lanes.
    fn saved(&self, width: i64) -> i64 {
        match self {
            How::Constant(fixed, _) => width - fixed.instructions(),
            How::Binary(Opcode::Imul, ..) => width - 7,
            How::Convert(conversion) => conversion.saved(width),
            _ => width - 1,
        }
    }
}

impl Node {
    fn emit(&self, packer: &mut Packer<'_>, at: Inst, vectors: &[Value]) -> Value {
        let scalar = packer.func.dfg.value_type(self.lanes[0]);
        let Some(ty) = scalar.by(self.lanes.len() as u32) else { unreachable!("{scalar} has vectors") };
        let start = packer.func.layout.prev_inst(at);
        let mut cursor = packer.cursor(at);
        let vector = match self.how {
            How::Made(v) => return v,
            How::Splat => cursor.ins().splat(ty, self.lanes[0]),
            How::Gather => {
                let first = cursor.ins().splat(ty, self.lanes[0]);
                let rest = self.lanes.iter().enumerate().skip(1);
                rest.fold(first, |v, (k, &lane)| cursor.ins().insertlane(v, lane, k as u8))
            }
            How::Load { flags, base, offset } => cursor.ins().load(ty, flags, base, offset),
            How::Unary(Opcode::Fneg, a) => cursor.ins().fneg(vectors[a]),
            How::Unary(Opcode::Fabs, a) => cursor.ins().fabs(vectors[a]),
            How::Unary(_, a) => cursor.ins().sqrt(vectors[a]),
            How::Binary(Opcode::Fadd, a, b) => cursor.ins().fadd(vectors[a], vectors[b]),
            How::Binary(Opcode::Fsub, a, b) => cursor.ins().fsub(vectors[a], vectors[b]),
            How::Binary(Opcode::Fmul, a, b) => cursor.ins().fmul(vectors[a], vectors[b]),
            How::Binary(Opcode::Band, a, b) => cursor.ins().band(vectors[a], vectors[b]),
            How::Binary(Opcode::Bor, a, b) => cursor.ins().bor(vectors[a], vectors[b]),
            How::Binary(Opcode::Bxor, a, b) => cursor.ins().bxor(vectors[a], vectors[b]),
            How::Binary(Opcode::Iadd, a, b) => cursor.ins().iadd(vectors[a], vectors[b]),
            How::Binary(Opcode::Isub, a, b) => cursor.ins().isub(vectors[a], vectors[b]),
            How::Binary(Opcode::Imul, a, b) => cursor.ins().imul(vectors[a], vectors[b]),
            How::Constant(fixed, a) => fixed.emit(&mut cursor, vectors[a]),
            How::Convert(conversion) => conversion.emit(&mut cursor, ty, vectors),
            How::Binary(_, a, b) => cursor.ins().fdiv(vectors[a], vectors[b]),
            How::Select(cc, [a, b, yes, no]) => {
                // In this form x86-64 has instructions for the greater and the less of two.
                let mask = match cc {
                    FloatCC::GreaterThan => cursor.ins().fcmp(FloatCC::LessThan, vectors[b], vectors[a]),
                    _ => cursor.ins().fcmp(cc, vectors[a], vectors[b]),
                };
                let little = MemFlagsData::new().with_endianness(cranelift_codegen::ir::Endianness::Little);
                let mask = cursor.ins().bitcast(ty, little, mask);
                cursor.ins().bitselect(mask, vectors[yes], vectors[no])
            }
        };
        packer.settle(start, at);
        vector
    }
}
