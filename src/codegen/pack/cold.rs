//! Chains of the greatest of absolute values, with NaNs in a block of their own.
//!
//! ```text
//!                                        t = the greatest lane of a and b;  m5 = max m, t
//! m1 = max m, a[0];  m2 = max m1, a[1]   brif m5 is a NaN, cold, rest(m5)
//! m3 = max m2, b[0]; m4 = max m3, b[1] => cold:
//!                                          m1 = max m, a[0] …;  jump rest(m4)
//! ```
//!
//! `max x, y` in a chain is `if (y < x) x else y`. Without NaNs its result over many values depends on their order by the
//! sign of a zero alone; the last of equal values is taken, and an absolute value is never a negative zero. So any order will do.
//! A NaN makes the chain forget the values before it, which only the order of the source can tell.
//!
//! This pays where one instruction gives the greater of two, a NaN if one of them is, and of two zeros the positive one.
//! In AArch64 it takes the place of a comparison and a selection for each value; x86-64 has no such instruction.

use super::Packer;
use super::shorten::Step;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{Block, Inst, InstBuilder, Opcode, Value, ValueDef};

/// The fewest steps for which this pays.
const FEWEST: usize = 4;

/// A chain, with the vectors that its inputs are in.
pub(super) struct Ended {
    pub(super) steps: Vec<Step>,
    pub(super) vectors: Vec<Value>,
}

impl Packer<'_> {
    /// Moves the order of the chains of `b` into cold blocks, or shortens them.
    pub(super) fn finish(&mut self, b: Block, ended: &[Ended]) {
        // The last one first: the code after a chain goes into another block, and the chains before it stay.
        for chain in ended.iter().rev() {
            if self.is_of_absolutes(b, chain) {
                self.split_at(b, chain);
            } else {
                self.shorten(&chain.steps, &chain.vectors);
            }
        }
    }

    /// Whether the chain is the greatest of absolute values that stand in vectors, and of a value from elsewhere.
    fn is_of_absolutes(&self, b: Block, chain: &Ended) -> bool {
        let dfg = &self.func.dfg;
        let (Some(first), Some(last)) = (chain.steps.first(), chain.steps.last()) else { return false };
        let here = |i: Inst| self.func.layout.inst_block(i) == Some(b);
        let uses = |i: Inst| self.uses[dfg.first_result(i)];
        let ours = |s: &Step| (s.inst == last.inst || uses(s.inst) == 2) && uses(s.test) == 1;
        let lanes = 16 / dfg.value_type(first.value).bytes() as usize;
        let is_absolute = |&v: &Value| match dfg.value_def(dfg.resolve_aliases(v)) {
            ValueDef::Result(inst, _) => here(inst) && dfg.insts[inst].opcode() == Opcode::Fabs,
            _ => false,
        };
        chain.steps.len() >= FEWEST
            && chain.steps.len() == chain.vectors.len() * lanes
            && chain.steps.iter().all(|s| s.greatest && here(s.inst) && here(s.test) && ours(s))
            && chain.vectors.iter().all(is_absolute)
    }

    /// Ends `b` where the chain ends, with the way to its cold block, and begins another block there.
    fn split_at(&mut self, b: Block, chain: &Ended) {
        let (first, last) = (chain.steps[0], chain.steps[chain.steps.len() - 1]);
        let at = last.inst;
        let location = self.func.srcloc(at);
        let ty = self.func.dfg.value_type(first.value);
        let lanes = (16 / ty.bytes()) as u8;
        let (rest, cold) = (self.func.dfg.make_block(), self.func.dfg.make_block());
        self.func.layout.split_block(rest, at);
        self.func.layout.append_block(cold);
        self.func.layout.set_cold(cold);
        let result = self.func.dfg.append_block_param(rest, ty);

        let before = self.func.layout.last_inst(b);
        let mut cursor = FuncCursor::new(self.func).at_bottom(b).with_srcloc(location);
        let all = chain.vectors[1..].iter().fold(chain.vectors[0], |all, &v| cursor.ins().fmax(all, v));
        let mut greatest = cursor.ins().extractlane(all, 0);
        for k in 1..lanes {
            let lane = cursor.ins().extractlane(all, k);
            greatest = cursor.ins().fmax(greatest, lane);
        }
        let greatest = cursor.ins().fmax(first.before, greatest);
        let has_nan = cursor.ins().fcmp(FloatCC::Unordered, greatest, greatest);
        cursor.ins().brif(has_nan, cold, &[], rest, &[greatest.into()]);

        let mut cursor = FuncCursor::new(self.func).at_bottom(cold).with_srcloc(location);
        let mut taken = first.before;
        for &vector in &chain.vectors {
            for k in 0..lanes {
                let value = cursor.ins().extractlane(vector, k);
                let test = cursor.ins().fcmp(FloatCC::LessThan, value, taken);
                taken = cursor.ins().select(test, taken, value);
            }
        }
        cursor.ins().jump(rest, &[taken.into()]);

        let made = match before {
            Some(before) => self.func.layout.next_inst(before),
            None => self.func.layout.first_inst(b),
        };
        let mut made: Vec<Inst> = std::iter::successors(made, |&i| self.func.layout.next_inst(i)).collect();
        made.extend(self.func.layout.block_insts(cold));
        for inst in made {
            self.order[inst] = self.order[at];
            self.count(inst);
        }
        self.replace(at, result);
        for s in chain.steps.iter().rev() {
            for inst in [s.inst, s.test] {
                let there = self.func.layout.inst_block(inst).is_some();
                if there && self.uses[self.func.dfg.first_result(inst)] == 0 {
                    self.remove(inst);
                }
            }
        }
    }
}
