//! Sums of integers over the iterations of a loop become sums in vectors.
//!
//! ```text
//! loop(s):                                            loop(q, w):
//!   s1 = s + load p;     s2 = s1 + load p+4             w1 = w + load.i32x4 p
//!   s3 = s2 + load p+8;  s4 = s3 + load p+12    =>      brif c, loop(q, w1), sum
//!   brif c, loop(s4), end(s4)                         sum:
//!                                                       t = q + w1[0] + w1[1] + w1[2] + w1[3];  jump end(t)
//! ```
//!
//! Integers wrap around, so their sum is the same in any order. Terms that come in no vector are added to `q` one by one. The lanes are added
//! up in a block of their own on the way out of the loop.

use super::Packer;
use super::access::Access;
use super::plan::{Lanes, Plan};
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{
    Block, BlockArg, Endianness, Inst, InstBuilder, InstructionData, MemFlagsData, Opcode, Type, Value, types,
};

/// Chains with more additions are left alone.
const MOST: usize = 64;

/// A value that a loop adds to in each of its iterations, and hands on to the next.
struct Sum {
    /// The number of the parameter of the loop.
    number: usize,
    ty: Type,
    /// The additions and subtractions, first to last.
    links: Vec<Inst>,
    /// The values that they add or take away.
    terms: Vec<Term>,
}

/// A value that is added, or taken away.
#[derive(Clone, Copy)]
struct Term {
    value: Value,
    minus: bool,
}

impl Packer<'_> {
    /// Packs the sums of the loop that `b` is by itself.
    pub(super) fn sums(&mut self, b: Block) {
        let count = self.func.dfg.block_params(b).len();
        for number in 0..count {
            if let Some(sum) = self.sum(b, number) {
                self.try_sum(b, &sum);
            }
        }
    }

    /// The sum in parameter `number` of the loop `b`, if nothing else uses it there.
    fn sum(&self, b: Block, number: usize) -> Option<Sum> {
        let param = self.func.dfg.block_params(b)[number];
        let ty = self.func.dfg.value_type(param);
        let next = self.next_of(param, b).filter(|_| matches!(ty, types::I32 | types::I64))?;
        let last = self.func.layout.last_inst(b)?;
        let (then, otherwise) = match self.func.dfg.insts[last] {
            InstructionData::Brif { blocks, .. } => {
                let lists = &self.func.dfg.value_lists;
                (blocks[0].block(lists), blocks[1].block(lists))
            }
            _ => return None,
        };
        if (then == b) == (otherwise == b) || self.uses[param] != 1 {
            return None;
        }
        let (links, terms) = self.additions(next, param, b)?;
        // In the loop the sum only goes on to the next iteration.
        let is_used = self.func.layout.block_insts(b).any(|i| {
            let args = self.func.dfg.inst_args(i);
            args.iter().any(|&v| self.func.dfg.resolve_aliases(v) == next)
        });
        let back = self.way_back(b)?.args(&self.func.dfg.value_lists);
        let again = back.filter_map(|a| a.as_value()).filter(|&v| self.func.dfg.resolve_aliases(v) == next).count();
        (!is_used && again == 1).then_some(Sum { number, ty, links, terms })
    }

    /// The additions and subtractions that lead from `param` to `v`, with their terms.
    fn additions(&self, v: Value, param: Value, b: Block) -> Option<(Vec<Inst>, Vec<Term>)> {
        let (mut links, mut terms) = (Vec::new(), Vec::new());
        let mut at = v;
        while at != param {
            let inst = self.func.dfg.value_def(at).inst().filter(|&i| self.func.layout.inst_block(i) == Some(b))?;
            let [x, y] = self.sides(inst).filter(|_| links.len() < MOST)?;
            let minus = self.func.dfg.insts[inst].opcode() == Opcode::Isub;
            let (before, value) = if minus || self.is_sum_of(x, param, b) { (x, y) } else { (y, x) };
            if before != param && self.uses[before] != 1 {
                return None;
            }
            links.push(inst);
            terms.push(Term { value, minus });
            at = before;
        }
        links.reverse();
        terms.reverse();
        (!links.is_empty()).then_some((links, terms))
    }

    /// The operands of an addition or subtraction of integers.
    fn sides(&self, inst: Inst) -> Option<[Value; 2]> {
        let dfg = &self.func.dfg;
        let adds = matches!(dfg.insts[inst].opcode(), Opcode::Iadd | Opcode::Isub);
        adds.then(|| [0, 1].map(|k| dfg.resolve_aliases(dfg.inst_args(inst)[k])))
    }

    /// Whether `v` is `param`, or a result of additions in `b` that begin with it.
    fn is_sum_of(&self, v: Value, param: Value, b: Block) -> bool {
        let mut open = vec![v];
        for _ in 0..2 * MOST {
            let Some(v) = open.pop() else { return false };
            if v == param {
                return true;
            }
            let inst = self.func.dfg.value_def(v).inst().filter(|&i| self.func.layout.inst_block(i) == Some(b));
            if let Some(sides) = inst.filter(|_| self.uses[v] == 1).and_then(|i| self.sides(i)) {
                open.extend(sides);
            }
        }
        false
    }

    /// The terms in groups that may be vectors: of one kind, from one array. The last group of a kind may have fewer.
    fn groups(&self, sum: &Sum) -> Vec<Vec<Term>> {
        let width = 16 / sum.ty.bytes() as usize;
        let kind = |t: &Term| {
            let inst = self.func.dfg.value_def(t.value).inst();
            let base = inst.and_then(|i| Access::of(self, i)).map(|a| a.base);
            (t.minus, inst.map(|i| self.func.dfg.insts[i].opcode()), base)
        };
        let mut kinds = Vec::new();
        let mut groups: Vec<Vec<Term>> = Vec::new();
        for t in &sum.terms {
            let of = kind(t);
            let open = kinds.iter().rposition(|k| *k == of).filter(|&n| groups[n].len() < width);
            match open {
                Some(n) => groups[n].push(*t),
                None => {
                    kinds.push(of);
                    groups.push(vec![*t]);
                }
            }
        }
        groups
    }

    /// Adds up those terms in vectors that are loaded or computed as vectors, if there are any.
    fn try_sum(&mut self, b: Block, sum: &Sum) {
        let width = 16 / sum.ty.bytes() as usize;
        let (Some(&at), Some(vector)) = (sum.links.last(), sum.ty.by(width as u32)) else { return };
        let lanes = |group: &[Term]| -> Lanes { group.iter().map(|t| t.value).collect() };
        // One addition of vectors takes the place of one for each lane.
        let pays = |packer: &Self, group: &[Term]| {
            let plan = if group.len() == width { Plan::of(packer, lanes(group), at, &[]) } else { None };
            plan.is_some_and(|p| p.computes() && p.gain(packer, at, width as i64 - 1) > 0)
        };
        let groups: Vec<(bool, Vec<Term>)> = self.groups(sum).into_iter().map(|g| (pays(self, &g), g)).collect();
        if !groups.iter().any(|g| g.0) {
            return;
        }
        for &inst in &sum.links {
            self.release(inst);
            if inst != at {
                self.func.layout.remove_inst(inst);
            }
        }
        let (mut single, mut vectors) = (Vec::new(), Vec::new());
        for (is_wide, group) in groups {
            let plan = if is_wide { Plan::of(self, lanes(&group), at, &[]) } else { None };
            match plan {
                Some(plan) => {
                    vectors.push(Term { value: plan.emit(self, at), minus: group[0].minus });
                    plan.retire(self, at);
                }
                None => single.extend(group),
            }
        }
        self.sum_up(b, sum, at, vector, &single, &vectors);
    }

    /// Makes the loop `b` add `single` terms and `vectors`, in place of the last addition `at`.
    fn sum_up(&mut self, b: Block, sum: &Sum, at: Inst, vector: Type, single: &[Term], vectors: &[Term]) {
        let start = self.func.layout.prev_inst(at);
        let old = self.func.dfg.block_params(b)[sum.number];
        let scalar = self.func.dfg.replace_block_param(old, sum.ty);
        let wide = self.func.dfg.append_block_param(b, vector);
        let mut cursor = self.cursor(at);
        let mut add = |to: Value, term: &Term| match term.minus {
            true => cursor.ins().isub(to, term.value),
            false => cursor.ins().iadd(to, term.value),
        };
        let scalar = single.iter().fold(scalar, &mut add);
        let wide = vectors.iter().fold(wide, add);
        self.settle(start, at);
        let result = self.func.dfg.first_result(at);
        let total = self.way_out(b, at, scalar, wide);
        let func = &mut *self.func;
        func.layout.remove_inst(at);
        func.dfg.clear_results(at);
        func.dfg.change_to_alias(result, total);
        self.uses[total] += self.uses[result];
        self.hand_on(b, sum.number, scalar, wide);
    }

    /// Makes the block on the way out of the loop, in which all lanes are added up; returns the total.
    fn way_out(&mut self, b: Block, at: Inst, scalar: Value, wide: Value) -> Value {
        let location = self.func.srcloc(at);
        let func = &mut *self.func;
        let Some(last) = func.layout.last_inst(b) else { unreachable!("a loop ends with a branch") };
        let out = func.dfg.make_block();
        func.layout.insert_block_after(out, b);
        let dfg = &mut func.dfg;
        let ways = dfg.insts[last].branch_destination_mut(&mut dfg.jump_tables, &mut dfg.exception_tables);
        let Some(way) = ways.iter_mut().find(|w| w.block(&dfg.value_lists) != b) else {
            unreachable!("a loop has a way out")
        };
        let end = way.block(&dfg.value_lists);
        let args: Vec<BlockArg> = way.args(&dfg.value_lists).collect();
        way.clear(&mut dfg.value_lists);
        way.set_block(out, &mut dfg.value_lists);
        let mut cursor = FuncCursor::new(func).at_bottom(out).with_srcloc(location);
        let total = total(&mut cursor, scalar, wide);
        cursor.ins().jump(end, &args);
        total
    }

    /// Hands zeros in lanes to the loop, and the sums from iteration to iteration.
    fn hand_on(&mut self, b: Block, number: usize, scalar: Value, wide: Value) {
        let ty = self.func.dfg.value_type(wide);
        for from in self.func.layout.blocks().collect::<Vec<_>>() {
            let Some(last) = self.func.layout.last_inst(from) else { continue };
            let dfg = &self.func.dfg;
            let ways = dfg.insts[last].branch_destination(&dfg.jump_tables, &dfg.exception_tables);
            if !ways.iter().any(|w| w.block(&dfg.value_lists) == b) {
                continue;
            }
            let lanes = if from == b {
                wide
            } else {
                let location = self.func.srcloc(last);
                let zero = self.func.dfg.constants.insert(vec![0; 16].into());
                FuncCursor::new(self.func).at_inst(last).with_srcloc(location).ins().vconst(ty, zero)
            };
            let dfg = &mut self.func.dfg;
            let ways = dfg.insts[last].branch_destination_mut(&mut dfg.jump_tables, &mut dfg.exception_tables);
            for way in ways {
                if way.block(&dfg.value_lists) != b {
                    continue;
                }
                if from == b {
                    let mut k = 0;
                    way.update_args(&mut dfg.value_lists, |arg| {
                        k += 1;
                        if k == number + 1 { BlockArg::Value(scalar) } else { arg }
                    });
                }
                way.append_argument(lanes, &mut dfg.value_lists);
            }
        }
    }
}

/// The sum of a scalar and all lanes of a vector.
fn total(cursor: &mut FuncCursor<'_>, scalar: Value, wide: Value) -> Value {
    let little = MemFlagsData::new().with_endianness(Endianness::Little);
    let ty = cursor.func.dfg.value_type(scalar);
    let halves = match ty {
        types::I64 => wide,
        _ => cursor.ins().bitcast(types::I64X2, little, wide),
    };
    let mut sum = scalar;
    for k in 0..2 {
        let half = cursor.ins().extractlane(halves, k);
        if ty == types::I64 {
            sum = cursor.ins().iadd(sum, half);
        } else {
            let low = cursor.ins().ireduce(ty, half);
            let by = cursor.ins().iconst(types::I32, 32);
            let high = cursor.ins().ushr(half, by);
            let high = cursor.ins().ireduce(ty, high);
            sum = cursor.ins().iadd(sum, low);
            sum = cursor.ins().iadd(sum, high);
        }
    }
    sum
}
