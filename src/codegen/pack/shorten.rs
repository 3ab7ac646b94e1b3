//! Chains that wait for themselves: `m = max(max(max(m, a), b), c)`, where `m` comes from the iteration before.
//!
//! ```text
//! m1 = max m, a;  m2 = max m1, b;  m3 = max m2, c    =>    t = max (max a, b), c;  m3 = max (m | mask), t
//! ```
//!
//! Now only one operation of an iteration waits for the iteration before. `max x, y` is `if (y < x) x else y`: of equal
//! values, such as zeros with different signs, it takes the last, and that is associative as long as there are no NaNs.
//! After a NaN the chain forgets the values before it and goes on with those after it. So if one of `a`, `b`, `c` is a
//! NaN, `m` must be forgotten: then the mask is all ones, which makes a NaN of `m`, else zero. If `c` is a NaN, it is
//! the result in both forms.

use super::Packer;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{Endianness, Inst, InstBuilder, MemFlagsData, Type, Value, ValueDef, types};

/// The fewest steps for which this pays.
const FEWEST: usize = 4;

/// A step of a chain of `before less value` or `value less before`.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The comparison.
    pub(super) test: Inst,
    /// The selection.
    pub(super) inst: Inst,
    /// The result of the chain so far.
    pub(super) before: Value,
    /// The operand that goes in.
    pub(super) value: Value,
    /// Whether it is the greatest that is looked for.
    pub(super) greatest: bool,
}

impl Packer<'_> {
    /// Shortens the wait for the iteration before, if all inputs of `steps` are in `vectors`.
    pub(super) fn shorten(&mut self, steps: &[Step], vectors: &[Value]) {
        let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return };
        // A selection may have become a lane of another vector.
        let there = |inst: Inst| self.func.layout.inst_block(inst).is_some();
        if steps.len() < FEWEST || !steps.iter().all(|s| there(s.inst) && there(s.test)) {
            return;
        }
        let ty = self.func.dfg.value_type(first.value);
        let ours = |s: &Step| self.uses[self.func.dfg.first_result(s.inst)] == 2 || s.inst == last.inst;
        let alike = steps.iter().all(|s| s.greatest == first.greatest && ours(s));
        let comes_in = matches!(self.func.dfg.value_def(first.before), ValueDef::Param(..));
        if !alike || !comes_in || ty != types::F64 {
            return;
        }
        let at = last.inst;
        let start = self.func.layout.prev_inst(at);
        let mask = self.any_nan(vectors, ty, at);
        let mut cursor = self.cursor(at);
        let mut take = |before: Value, value: Value| {
            let (a, b) = if first.greatest { (value, before) } else { (before, value) };
            let test = cursor.ins().fcmp(FloatCC::LessThan, a, b);
            cursor.ins().select(test, before, value)
        };
        let most = steps[1..].iter().fold(first.value, |most, s| take(most, s.value));
        let kept = cursor.ins().bor(first.before, mask);
        let (a, b) = if first.greatest { (most, kept) } else { (kept, most) };
        let test = cursor.ins().fcmp(FloatCC::LessThan, a, b);
        let result = cursor.ins().select(test, kept, most);
        self.settle(start, at);
        self.replace(at, result);
        for s in steps.iter().rev() {
            for inst in [s.inst, s.test] {
                let there = self.func.layout.inst_block(inst).is_some();
                if there && self.uses[self.func.dfg.first_result(inst)] == 0 {
                    self.remove(inst);
                }
            }
        }
    }

    /// All ones if a lane of the vectors is a NaN, and zero if not.
    fn any_nan(&mut self, vectors: &[Value], ty: Type, at: Inst) -> Value {
        let wide = self.func.dfg.value_type(vectors[0]);
        let mut cursor = self.cursor(at);
        let mut masks = vectors.chunks(2).map(|two| (two[0], two[two.len() - 1]));
        let mut all: Option<Value> = None;
        for (a, b) in &mut masks {
            let mask = cursor.ins().fcmp(FloatCC::Unordered, a, b);
            all = Some(match all {
                Some(m) => cursor.ins().bor(m, mask),
                None => mask,
            });
        }
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        let mask = cursor.ins().bitcast(wide, little, all.expect("a chain has vectors"));
        let lanes: Vec<Value> = (0..wide.lane_count()).map(|k| cursor.ins().extractlane(mask, k as u8)).collect();
        debug_assert_eq!(cursor.func.dfg.value_type(lanes[0]), ty);
        lanes[1..].iter().fold(lanes[0], |m, &lane| cursor.ins().bor(m, lane))
    }
}
