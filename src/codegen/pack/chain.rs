//! Chains: the values that `m = max(m, …)` takes one after the other.
//!
//! ```text
//! m1 = max m0, abs (x - y)            v = abs (load.f64x2 p - load.f64x2 q)
//! m2 = max m1, abs (x' - y')    =>    m1 = max m0, v[0];  m2 = max m1, v[1]
//! ```
//!
//! The chain keeps its order, on which the signs of zeros and NaNs depend; its inputs become vectors.

use super::Packer;
use super::cold::Ended;
use super::plan::{Lanes, Plan};
use super::shorten::Step;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{Block, Inst, InstructionData, Opcode, Value, ValueDef, types};

/// The lesser or the greater of two values.
struct Link {
    /// The comparison.
    test: Inst,
    of: [Value; 2],
    result: Value,
}

/// A chain as far as it is known, and its inputs that are in vectors.
#[derive(Default)]
struct Chain {
    last: Option<Value>,
    /// The operands of the next vector: selection, comparison, value.
    group: Vec<(Inst, Inst, Value)>,
    steps: Vec<Step>,
    vectors: Vec<Value>,
    /// The chains that have ended, on a target where they may get cold blocks.
    waiting: Option<Vec<Ended>>,
}

impl Packer<'_> {
    /// Packs the inputs of the chains of a block; returns whether there were any, and the chains that have not been shortened
    /// yet because they may get cold blocks.
    pub(super) fn chains(&mut self, b: Block) -> (bool, Vec<Ended>) {
        let mut packed = false;
        let mut chain = Chain { waiting: self.is_sticky.then(Vec::new), ..Chain::default() };
        for inst in self.func.layout.block_insts(b).collect::<Vec<_>>() {
            let Some(link) = self.link(inst) else { continue };
            let [p, q] = link.of;
            let before = chain.last.replace(link.result);
            let goes_in = if before == Some(p) {
                q
            } else if before == Some(q) {
                p
            } else {
                self.end(&mut chain);
                chain.last = Some(link.result);
                match [p, q].map(|v| self.is_made_in(v, b)) {
                    [false, true] => q,
                    [true, false] => p,
                    _ => continue,
                }
            };
            chain.group.push((inst, link.test, goes_in));
            packed |= self.try_chain(&mut chain);
        }
        self.end(&mut chain);
        (packed, chain.waiting.unwrap_or_default())
    }

    /// Packs the next inputs, once they are enough for a vector.
    fn try_chain(&mut self, chain: &mut Chain) -> bool {
        let Some(&(_, at, goes_in)) = chain.group.first() else { return false };
        let width = 16 / self.func.dfg.value_type(goes_in).bytes() as usize;
        if chain.group.len() < width {
            return false;
        }
        let group = std::mem::take(&mut chain.group);
        let lanes = group.iter().map(|&(.., v)| v).collect();
        let steps: Option<Vec<Step>> = group.iter().map(|&(inst, test, v)| self.step(inst, test, v)).collect();
        let links: Vec<Inst> = group.iter().flat_map(|&(inst, test, _)| [inst, test]).collect();
        let vector = self.try_lanes(lanes, at, &links);
        match (steps, vector) {
            (Some(steps), Some(vector)) => {
                chain.steps.extend(steps);
                chain.vectors.push(vector);
            }
            _ => self.end(chain),
        }
        vector.is_some()
    }

    /// Ends the chain here, or before a value of another kind.
    fn end(&mut self, chain: &mut Chain) {
        let Chain { last, steps, vectors, mut waiting, .. } = std::mem::take(chain);
        match &mut waiting {
            Some(waiting) if !steps.is_empty() => waiting.push(Ended { steps, vectors }),
            _ => self.shorten(&steps, &vectors),
        }
        chain.waiting = waiting;
        chain.last = last.map(|v| self.func.dfg.resolve_aliases(v));
    }

    /// The step that a selection is, if it takes the value that goes in when both are equal.
    fn step(&self, inst: Inst, test: Inst, value: Value) -> Option<Step> {
        let dfg = &self.func.dfg;
        let InstructionData::Ternary { args: [_, yes, no], .. } = dfg.insts[inst] else { return None };
        let InstructionData::FloatCompare { cond: FloatCC::LessThan, args, .. } = dfg.insts[test] else { return None };
        let [before, no, less] = [yes, no, args[0]].map(|v| dfg.resolve_aliases(v));
        (no == dfg.resolve_aliases(value)).then_some(Step { test, inst, before, value, greatest: less == no })
    }

    /// The link that `inst` is, if it selects one of the two reals that it compares.
    fn link(&self, inst: Inst) -> Option<Link> {
        let dfg = &self.func.dfg;
        self.func.layout.inst_block(inst)?; // A vector may have taken its place.
        let InstructionData::Ternary { opcode: Opcode::Select, args: [cond, yes, no] } = dfg.insts[inst] else {
            return None;
        };
        let ValueDef::Result(test, _) = dfg.value_def(cond) else { return None };
        let InstructionData::FloatCompare { args, .. } = dfg.insts[test] else { return None };
        let [yes, no, a, b] = [yes, no, args[0], args[1]].map(|v| dfg.resolve_aliases(v));
        let is_real = matches!(dfg.value_type(yes), types::F64 | types::F32);
        let same = (yes == a && no == b) || (yes == b && no == a);
        let here = self.func.layout.inst_block(test) == self.func.layout.inst_block(inst);
        (is_real && same && here).then(|| Link { test, of: [yes, no], result: dfg.first_result(inst) })
    }

    /// Whether `v` is computed in `b`.
    fn is_made_in(&self, v: Value, b: Block) -> bool {
        matches!(self.func.dfg.value_def(v), ValueDef::Result(inst, _) if self.func.layout.inst_block(inst) == Some(b))
    }

    /// Computes `lanes` as a vector before `at`, if that is legal and pays, and takes them out of it. An input of a
    /// chain may be computed from earlier `links`: these stay.
    fn try_lanes(&mut self, lanes: Lanes, at: Inst, links: &[Inst]) -> Option<Value> {
        let plan = Plan::of(self, lanes, at, &[])?;
        if plan.replaces(self, links) || plan.gain(self, at, 0) <= 0 {
            return None;
        }
        let vector = plan.emit(self, at);
        plan.retire(self, at);
        Some(vector)
    }
}
