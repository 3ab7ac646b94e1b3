//! Values on their way through register allocation: which are followed, and where the code has them.
//!
//! A value may be gone while another is live that it can be computed from: an address without the base, a number of 32
//! bits but not of 64. So operations of integers with constants are followed backwards, too.

use crate::debug::spot::{Operand, Place};
use crate::debug::values::Values;
use crate::step::Code;
use cranelift_codegen::LabelValueLoc;
use cranelift_codegen::ir::{
    Function, InstructionData, Opcode, RelSourceLoc, Value, ValueDef, ValueLabel, ValueLabelAssignments,
    ValueLabelStart,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::ReservedValue;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The values to be followed, and the values that stand for them in the code that registers are allocated for.
#[derive(Clone, Default)]
pub(crate) struct Watch {
    values: FxHashSet<Value>,
    /// The values equal to each of them.
    equal: FxHashMap<Value, Vec<Value>>,
    constants: FxHashMap<Value, u64>,
    /// The values that each of them can be computed from.
    derived: FxHashMap<Value, Vec<(Value, Form)>>,
}

/// A value as a sum: another value times `scale` plus `add`. The low `size` bytes of the other value count, with their sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Form {
    size: u8,
    scale: i64,
    add: i64,
}

/// The most operations between a value and the one that it is computed from.
const MOST_STEPS: usize = 3;

impl Watch {
    /// For the values that are wanted.
    pub(crate) fn new(values: impl Iterator<Item = Value>) -> Watch {
        Watch { values: values.collect(), ..Watch::default() }
    }

    /// Labels them in an optimized function, each value with its own number. `copies` are pairs of a new value and the value it is
    /// equal to.
    pub(crate) fn label(&mut self, func: &mut Function, copies: &[(Value, Value)]) {
        if self.values.is_empty() {
            return;
        }
        let mut parents: FxHashMap<Value, Value> = FxHashMap::default();
        for v in func.dfg.values() {
            if let ValueDef::Union(a, b) = func.dfg.value_def(v) {
                let roots = [v, a, b].map(|x| crate::locate::root(&mut parents, x));
                let first = roots.into_iter().min().unwrap_or(v);
                for r in roots.into_iter().filter(|&r| r != first) {
                    parents.insert(r, first);
                }
            }
        }
        for &(copy, v) in copies {
            let roots = [copy, v].map(|x| crate::locate::root(&mut parents, x));
            if roots[0] != roots[1] {
                parents.insert(roots[0], roots[1]);
            }
        }
        let mut class_of = |v: Value| crate::locate::root(&mut parents, original(func, v));
        let mut constants: FxHashMap<Value, u64> = FxHashMap::default();
        let mut members: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
        for (v, def) in func.dfg.values_and_defs() {
            if !matches!(def, ValueDef::Result(..)) {
                continue;
            }
            let class = class_of(v);
            members.entry(class).or_default().push(v);
            if let Some(bits) = constant(func, v) {
                constants.insert(class, bits);
            }
        }
        let mut classes: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
        for &v in &self.values {
            let class = class_of(v);
            classes.insert(class, Vec::new());
            let forms = forms(func, &members, &constants, &mut class_of, class);
            classes.extend(forms.iter().map(|&(leaf, _)| (leaf, Vec::new())));
            if !forms.is_empty() {
                self.derived.insert(v, forms);
            }
        }
        let mut labels = std::collections::BTreeMap::new();
        for b in func.layout.blocks() {
            let results = func.layout.block_insts(b).flat_map(|i| func.dfg.inst_results(i));
            for &v in func.dfg.block_params(b).iter().chain(results) {
                let Some(equal) = classes.get_mut(&class_of(v)) else { continue };
                equal.push(v);
                let start = ValueLabelStart { from: RelSourceLoc::default(), label: ValueLabel::new(v.index()) };
                labels.insert(v, ValueLabelAssignments::Starts(vec![start]));
            }
        }
        let leaves: Vec<Value> = self.derived.values().flatten().map(|d| d.0).collect();
        for v in self.values.iter().copied().chain(leaves) {
            let class = class_of(v);
            self.equal.insert(v, classes.get(&class).cloned().unwrap_or_default());
            self.constants.extend(constants.get(&class).map(|&bits| (v, bits)));
        }
        func.dfg.values_labels = Some(labels);
    }
}

/// The value that `v` stands for. One that the optimizer has deleted stands for nothing, and is returned itself.
fn original(func: &Function, v: Value) -> Value {
    let mut at = v;
    while let Some(next) = func.dfg.value_alias_dest_for_serialization(at) {
        if next.is_reserved_value() {
            break;
        }
        at = next;
    }
    at
}

/// The classes of values that the integer `class` can be computed from, nearest first.
fn forms(
    func: &Function,
    members: &FxHashMap<Value, Vec<Value>>,
    constants: &FxHashMap<Value, u64>,
    class_of: &mut dyn FnMut(Value) -> Value,
    class: Value,
) -> Vec<(Value, Form)> {
    let size = |v: Value| func.dfg.value_type(v).bytes();
    if !func.dfg.value_type(class).is_int() || size(class) > 8 {
        return Vec::new();
    }
    let whole = Form { size: size(class) as u8, scale: 1, add: 0 };
    let mut out: Vec<(Value, Form)> = Vec::new();
    let mut todo = vec![(class, whole)];
    for _ in 0..MOST_STEPS {
        let mut next = Vec::new();
        for (of, form) in std::mem::take(&mut todo) {
            for &v in members.get(&of).map_or(&[][..], Vec::as_slice) {
                let Some((operand, step)) = step(func, constants, class_of, v) else { continue };
                // The step is within the type of `v`, which only counts if nothing wider was made of it.
                let is_extension = step.size < whole_size(func, v);
                if is_extension && form.size < step.size || !is_extension && whole.size > form.size {
                    continue;
                }
                let made = Form {
                    size: step.size.min(form.size),
                    scale: form.scale.wrapping_mul(step.scale),
                    add: form.scale.wrapping_mul(step.add).wrapping_add(form.add),
                };
                let operand = class_of(operand);
                if operand != class && !out.iter().any(|(known, _)| *known == operand) {
                    out.push((operand, made));
                    next.push((operand, made));
                }
            }
        }
        todo = next;
    }
    out
}

/// The bytes of an integer value.
fn whole_size(func: &Function, v: Value) -> u8 {
    func.dfg.value_type(v).bytes() as u8
}

/// The operand that `v` is computed from by one operation with a constant, and the computation.
fn step(
    func: &Function,
    constants: &FxHashMap<Value, u64>,
    class_of: &mut dyn FnMut(Value) -> Value,
    v: Value,
) -> Option<(Value, Form)> {
    let inst = func.dfg.value_def(v).inst()?;
    let size = whole_size(func, v);
    let form = |scale: i64, add: i64| Form { size, scale, add };
    match func.dfg.insts[inst] {
        InstructionData::Unary { opcode: Opcode::Sextend, arg } => {
            Some((arg, Form { size: whole_size(func, arg), scale: 1, add: 0 }))
        }
        InstructionData::Unary { opcode: Opcode::Ireduce, arg } => Some((arg, form(1, 0))),
        InstructionData::Binary { opcode, args: [a, b] } => {
            let mut constant = |v: Value| constants.get(&class_of(v)).map(|&k| k as i64);
            match (opcode, constant(a), constant(b)) {
                (Opcode::Iadd, _, Some(k)) => Some((a, form(1, k))),
                (Opcode::Iadd, Some(k), _) => Some((b, form(1, k))),
                (Opcode::Isub, _, Some(k)) => Some((a, form(1, k.wrapping_neg()))),
                (Opcode::Imul, _, Some(k)) => Some((a, form(k, 0))),
                (Opcode::Ishl, _, Some(k)) if (0..i64::from(size) * 8).contains(&k) => Some((a, form(1 << k, 0))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The bits of a value that is constant.
fn constant(func: &Function, v: Value) -> Option<u64> {
    let inst = func.dfg.value_def(v).inst()?;
    match func.dfg.insts[inst] {
        InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits() as u64),
        InstructionData::UnaryIeee32 { imm, .. } => Some(u64::from(imm.bits())),
        InstructionData::UnaryIeee64 { imm, .. } => Some(imm.bits()),
        _ => None,
    }
}

/// The places of each label, in the order of addresses.
pub(crate) type Ranges = FxHashMap<u32, Vec<(u32, u32, Place)>>;

/// The places of the labelled values. A place that a call changes ends one byte before the end of the call, where
/// debuggers look up the frames of callers.
pub(crate) fn ranges(code: &Code, isa: &dyn TargetIsa) -> Ranges {
    let mut returns = code.returns.clone();
    returns.sort_unstable();
    let mut out: Ranges = FxHashMap::default();
    for (label, all) in &code.compiled.value_labels_ranges {
        let mut places = Vec::new();
        for r in all {
            let place = match r.loc {
                LabelValueLoc::CFAOffset(offset) => code.in_frame(offset),
                LabelValueLoc::Reg(reg) => isa.map_regalloc_reg_to_dwarf(reg).ok().map(Place::Register),
            };
            let Some(place) = place else { continue };
            match place {
                Place::Register(number) => {
                    let mut start = r.start;
                    if !is_saved(isa, number) {
                        let from = returns.partition_point(|&at| at <= r.start);
                        for &at in returns[from..].iter().take_while(|&&at| at <= r.end) {
                            places.push((start, at - 1, place));
                            start = at;
                        }
                    }
                    places.push((start, r.end, place));
                }
                _ => places.push((r.start, r.end, place)),
            }
        }
        places.retain(|p| p.0 < p.1);
        places.sort_unstable_by_key(|p| (p.0, p.1));
        out.insert(label.as_u32(), places);
    }
    out
}

/// Whether calls leave a register, by its DWARF number, as it was.
fn is_saved(isa: &dyn TargetIsa, number: u16) -> bool {
    match isa.triple().architecture {
        target_lexicon::Architecture::X86_64 => matches!(number, 3 | 6 | 12..=15),
        target_lexicon::Architecture::Aarch64(_) => matches!(number, 19..=29 | 72..=79),
        _ => false,
    }
}

/// The parts of a piece of code in which all of `values` are somewhere.
pub(crate) fn in_piece(
    values: &Values,
    watch: &Watch,
    ranges: &Ranges,
    whole: (u32, u32),
) -> Vec<(u32, u32, SmallVec<[Place; 2]>)> {
    let mut out: Vec<(u32, u32, SmallVec<[Place; 2]>)> = vec![(whole.0, whole.1, SmallVec::new())];
    for v in values {
        let mut next = Vec::new();
        for (start, end, places) in out {
            for (from, to, place) in of_value(*v, watch, ranges, (start, end)) {
                let mut places = places.clone();
                places.push(place);
                next.push((from, to, places));
            }
        }
        out = next;
    }
    out
}

/// The parts of a piece of code in which a value is somewhere; no two of them overlap.
pub(crate) fn of_value(v: Value, watch: &Watch, ranges: &Ranges, (start, end): (u32, u32)) -> Vec<(u32, u32, Place)> {
    if let Some(&bits) = watch.constants.get(&v) {
        return vec![(start, end, Place::Constant(bits))];
    }
    let mut out = of_class(v, watch, ranges, (start, end));
    for &(leaf, form) in watch.derived.get(&v).into_iter().flatten() {
        for gap in gaps(&out, (start, end)) {
            for (from, to, place) in of_class(leaf, watch, ranges, gap) {
                out.extend(form.of(place).map(|place| (from, to, place)));
            }
        }
        out.sort_unstable_by_key(|r| r.0);
    }
    out
}

/// The parts of a piece of code that none of `all` covers.
fn gaps(all: &[(u32, u32, Place)], (start, end): (u32, u32)) -> Vec<(u32, u32)> {
    let mut at = start;
    let mut out = Vec::new();
    for &(from, to, _) in all {
        if from > at {
            out.push((at, from));
        }
        at = to;
    }
    if at < end {
        out.push((at, end));
    }
    out
}

impl Form {
    /// The place of the sum, if its operand is there.
    fn of(self, place: Place) -> Option<Place> {
        let Form { size, scale, add } = self;
        match place {
            Place::Register(r) => Some(Place::Sum { of: Operand::Register(r), size, scale, add }),
            Place::Frame(offset) => Some(Place::Sum { of: Operand::Frame(offset), size, scale, add }),
            Place::Constant(_) | Place::Sum { .. } => None,
        }
    }
}

/// The parts of a piece of code in which a value, or one equal to it, is somewhere.
fn of_class(v: Value, watch: &Watch, ranges: &Ranges, (start, end): (u32, u32)) -> Vec<(u32, u32, Place)> {
    let equal = watch.equal.get(&v).map_or(&[][..], Vec::as_slice);
    let all = equal.iter().filter_map(|e| ranges.get(&e.as_u32())).flatten();
    let mut all: Vec<(u32, u32, Place)> =
        all.filter(|r| r.0 < end && r.1 > start).map(|r| (r.0.max(start), r.1.min(end), r.2)).collect();
    all.sort_unstable_by_key(|r| (r.0, r.1));
    let mut at = start;
    let mut out = Vec::new();
    for (from, to, place) in all {
        if to > at {
            out.push((from.max(at), to, place));
            at = to;
        }
    }
    out
}
