//! Chains: what `m = max(m, …)` takes one after the other.
//!
//! ```text
//! m1 = max m0, abs (x - y)            v = abs (load.f64x2 p - load.f64x2 q)
//! m2 = max m1, abs (x' - y')    =>    m1 = max m0, v[0];  m2 = max m1, v[1]
//! ```
//!
//! The chain keeps its order, on which the signs of zeros and NaNs depend; only what goes into it becomes vectors.

use super::Packer;
use super::plan::{Lanes, Plan};
use cranelift_codegen::ir::{Block, Inst, InstructionData, Opcode, Value, ValueDef, types};

/// A step of a chain: the lesser or the greater of two values.
struct Link {
    /// The comparison.
    test: Inst,
    of: [Value; 2],
    result: Value,
}

impl Packer<'_> {
    /// Packs what goes into the chains of a block; says whether anything was.
    pub(super) fn chains(&mut self, b: Block) -> bool {
        let mut packed = false;
        let mut last: Option<Value> = None;
        let mut group: Vec<(Inst, Value)> = Vec::new();
        for inst in self.func.layout.block_insts(b).collect::<Vec<_>>() {
            let Some(link) = self.link(inst) else { continue };
            let [p, q] = link.of;
            let before = last.replace(link.result);
            let goes_in = if before == Some(p) {
                q
            } else if before == Some(q) {
                p
            } else {
                group.clear();
                match [p, q].map(|v| self.is_made_in(v, b)) {
                    [false, true] => q,
                    [true, false] => p,
                    _ => continue,
                }
            };
            group.push((link.test, goes_in));
            let width = 16 / self.func.dfg.value_type(goes_in).bytes() as usize;
            if group.len() == width {
                let lanes = group.iter().map(|&(_, v)| v).collect();
                packed |= self.try_lanes(lanes, group[0].0);
                group.clear();
            }
        }
        packed
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

    /// Has `lanes` computed as a vector before `at`, if that is legal and pays, and takes them out of it.
    fn try_lanes(&mut self, lanes: Lanes, at: Inst) -> bool {
        let Some(plan) = Plan::of(self, lanes, at, &[]) else { return false };
        if plan.gain(self, at, 0) <= 0 {
            return false;
        }
        plan.emit(self, at);
        plan.retire(self, at);
        true
    }
}
