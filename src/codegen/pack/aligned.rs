//! Loads of vectors that stand on multiples of 16 bytes.
//!
//! ```text
//! v = load.f64x2 notrap p+32      =>     v = load.f64x2 notrap aligned p+32
//! s = fadd x, v                          s = fadd x, v
//! ```
//!
//! Without AVX an operation of x86-64 takes its operand from memory only if it stands on such a multiple: a load that is known to is no
//! instruction of its own. The remainder of every address is followed through sums, products and parameters of blocks from the beginnings of
//! static memory that this object defines and of arrays on the stack. Memory that another object may define, such as a COMMON block, stands
//! where that object wants it.

use cranelift_codegen::ir::{BlockArg, Function, Inst, InstructionData, Opcode, Value};
use cranelift_codegen::isa::TargetIsa;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;
use target_lexicon::Architecture;

/// The bytes of a vector, as a power of two.
const VECTOR: u32 = 4;

/// The known part of a number: its remainder by `2^power`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rest {
    power: u32,
    rest: u64,
}

impl Rest {
    const UNKNOWN: Rest = Rest { power: 0, rest: 0 };

    fn new(power: u32, rest: u64) -> Rest {
        let power = power.min(VECTOR);
        Rest { power, rest: rest & ((1 << power) - 1) }
    }

    fn of(number: i64) -> Rest {
        Rest::new(VECTOR, number as u64)
    }

    /// The power of two that surely divides it.
    fn zeros(self) -> u32 {
        self.rest.trailing_zeros().min(self.power)
    }

    fn plus(self, other: Rest) -> Rest {
        Rest::new(self.power.min(other.power), self.rest.wrapping_add(other.rest))
    }

    fn minus(self, other: Rest) -> Rest {
        Rest::new(self.power.min(other.power), self.rest.wrapping_sub(other.rest))
    }

    fn times(self, other: Rest) -> Rest {
        let power = (other.power + self.zeros()).min(self.power + other.zeros());
        Rest::new(power, self.rest.wrapping_mul(other.rest))
    }

    /// The part that holds for both.
    fn or(self, other: Rest) -> Rest {
        let same = (self.rest ^ other.rest).trailing_zeros();
        Rest::new(self.power.min(other.power).min(same), self.rest)
    }
}

/// Whether operations take aligned operands only from memory.
pub(crate) fn is_needed(isa: &dyn TargetIsa) -> bool {
    let is_x86 = isa.triple().architecture == Architecture::X86_64;
    is_x86 && !isa.isa_flags().iter().any(|f| f.name == "has_avx" && f.as_bool() == Some(true))
}

/// Marks the loads. The data whose numbers are `defined` stand on multiples of 16 bytes.
pub(crate) fn mark(func: &mut Function, defined: &FxHashSet<u32>) {
    let loads: Vec<Inst> = func.layout.blocks().flat_map(|b| func.layout.block_insts(b)).collect();
    let loads: Vec<Inst> = loads.into_iter().filter(|&i| is_load_of_vector(func, i)).collect();
    if loads.is_empty() {
        return;
    }
    let rests = rests(func, defined);
    for inst in loads {
        let InstructionData::Load { flags, arg, offset, .. } = func.dfg.insts[inst] else { continue };
        let rest = rests[func.dfg.resolve_aliases(arg)].unwrap_or(Rest::UNKNOWN);
        if rest.plus(Rest::of(i32::from(offset).into())) != Rest::of(0) {
            continue;
        }
        let aligned = func.dfg.mem_flags[flags].with_aligned();
        // There are 16 bits for combinations of flags.
        let Ok(aligned) = func.dfg.mem_flags.insert(aligned) else { return };
        if let InstructionData::Load { flags, .. } = &mut func.dfg.insts[inst] {
            *flags = aligned;
        }
    }
}

fn is_load_of_vector(func: &Function, inst: Inst) -> bool {
    let is_load = func.dfg.insts[inst].opcode() == Opcode::Load;
    is_load && func.dfg.value_type(func.dfg.first_result(inst)).bits() == 8 << VECTOR
}

/// The remainders of all numbers: the greatest solution, found from the assumption that everything is known.
fn rests(func: &Function, defined: &FxHashSet<u32>) -> SecondaryMap<Value, Option<Rest>> {
    let mut rests: SecondaryMap<Value, Option<Rest>> = SecondaryMap::with_capacity(func.dfg.num_values());
    if let Some(entry) = func.layout.entry_block() {
        func.dfg.block_params(entry).iter().for_each(|&v| rests[v] = Some(Rest::UNKNOWN));
    }
    let mut changes = true;
    while std::mem::take(&mut changes) {
        for block in func.layout.blocks() {
            for inst in func.layout.block_insts(block) {
                let known = rest(func, inst, &rests, defined);
                for &v in func.dfg.inst_results(inst) {
                    changes |= known.is_some() && rests[v] != known;
                    rests[v] = known.or(rests[v]);
                }
            }
            let Some(last) = func.layout.last_inst(block) else { continue };
            for way in func.dfg.insts[last].branch_destination(&func.dfg.jump_tables, &func.dfg.exception_tables) {
                let to = way.block(&func.dfg.value_lists);
                for (&param, arg) in func.dfg.block_params(to).iter().zip(way.args(&func.dfg.value_lists)) {
                    let passed = match arg {
                        BlockArg::Value(v) => rests[func.dfg.resolve_aliases(v)],
                        _ => Some(Rest::UNKNOWN),
                    };
                    let both = match (rests[param], passed) {
                        (Some(a), Some(b)) => Some(a.or(b)),
                        (a, b) => a.or(b),
                    };
                    changes |= both != rests[param];
                    rests[param] = both;
                }
            }
        }
    }
    rests
}

/// The remainder of the result of `inst`; none as long as that of an operand is open.
fn rest(
    func: &Function,
    inst: Inst,
    rests: &SecondaryMap<Value, Option<Rest>>,
    defined: &FxHashSet<u32>,
) -> Option<Rest> {
    use cranelift_codegen::ir::{ExternalName, GlobalValueData};
    let of = |v: Value| rests[func.dfg.resolve_aliases(v)];
    match func.dfg.insts[inst] {
        InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(Rest::of(imm.bits())),
        InstructionData::Binary { opcode: Opcode::Iadd, args: [a, b] } => Some(of(a)?.plus(of(b)?)),
        InstructionData::Binary { opcode: Opcode::Isub, args: [a, b] } => Some(of(a)?.minus(of(b)?)),
        InstructionData::Binary { opcode: Opcode::Imul, args: [a, b] } => Some(of(a)?.times(of(b)?)),
        InstructionData::Binary { opcode: Opcode::Ishl, args: [a, b] } => {
            let Some(by) = constant(func, b).filter(|k| (0..8).contains(k)) else { return Some(Rest::UNKNOWN) };
            let a = of(a)?;
            Some(Rest::new(a.power + by as u32, a.rest << by))
        }
        // The distance of two arrays that share a pointer.
        InstructionData::Unary { opcode: Opcode::Ineg, arg } => Some(Rest::of(0).minus(of(arg)?)),
        InstructionData::Unary { opcode: Opcode::Sextend | Opcode::Uextend | Opcode::Ireduce, arg } => of(arg),
        InstructionData::StackAddr { stack_slot, offset, .. } => {
            let power = u32::from(func.sized_stack_slots[stack_slot].align_shift);
            Some(Rest::new(power, 0).plus(Rest::of(i32::from(offset).into())))
        }
        InstructionData::UnaryGlobalValue { opcode: Opcode::SymbolValue, global_value } => {
            let GlobalValueData::Symbol { name: ExternalName::User(name), offset, .. } =
                func.global_values[global_value]
            else {
                return Some(Rest::UNKNOWN);
            };
            let name = &func.params.user_named_funcs()[name];
            let is_known = name.namespace == 1 && defined.contains(&name.index);
            Some(if is_known { Rest::of(offset.bits()) } else { Rest::UNKNOWN })
        }
        _ => Some(Rest::UNKNOWN),
    }
}

/// The value of an integer constant.
pub(super) fn constant(func: &Function, v: Value) -> Option<i64> {
    let inst = func.dfg.value_def(func.dfg.resolve_aliases(v)).inst()?;
    match func.dfg.insts[inst] {
        InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_codegen::cursor::{Cursor, FuncCursor};
    use cranelift_codegen::ir::{
        AbiParam, InstBuilder, MemFlagsData, Signature, StackSlotData, StackSlotKind, UserFuncName, types,
    };
    use cranelift_codegen::isa::CallConv;

    #[test]
    fn remainders_of_sums_and_products() {
        let number = |power, rest| Rest::new(power, rest);
        assert_eq!(number(2, 3).plus(number(4, 6)), number(2, 1));
        assert_eq!(number(4, 8).minus(number(4, 9)), number(4, 15));
        assert_eq!(number(0, 0).times(number(4, 8)), number(3, 0));
        assert_eq!(number(1, 1).times(number(4, 8)), number(4, 8));
        assert_eq!(number(4, 3).times(number(4, 5)), number(4, 15));
        assert_eq!(number(4, 0).or(number(4, 8)), number(3, 0));
        assert_eq!(number(4, 5).or(number(2, 1)), number(2, 1));
        for (a, b) in (0..64).flat_map(|a| (0..64).map(move |b| (a, b))) {
            assert_eq!(Rest::of(a).times(Rest::of(b)), Rest::of(a * b));
            assert_eq!(Rest::of(a).minus(Rest::of(b)), Rest::of(a - b));
        }
    }

    /// The loads of a loop over an array on the stack that goes on by `step` bytes; aligned or not.
    fn loaded(step: i64, offsets: [i32; 2]) -> String {
        let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::SystemV));
        func.signature.params.push(AbiParam::new(types::I64));
        let slot = func.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 800, VECTOR as u8));
        let [entry, body] = [(); 2].map(|()| func.dfg.make_block());
        let count = func.dfg.append_block_param(entry, types::I64);
        let at = func.dfg.append_block_param(body, types::I64);
        func.layout.append_block(entry);
        func.layout.append_block(body);
        let mut c = FuncCursor::new(&mut func).at_bottom(entry);
        let start = c.ins().stack_addr(types::I64, slot, 8);
        c.ins().jump(body, &[BlockArg::Value(start)]);
        let mut c = FuncCursor::new(&mut func).at_bottom(body);
        for offset in offsets {
            c.ins().load(types::F64X2, MemFlagsData::new(), at, offset);
        }
        c.ins().load(types::F64X2, MemFlagsData::new(), count, 0);
        let step = c.ins().iconst(types::I64, step);
        let next = c.ins().iadd(at, step);
        c.ins().jump(body, &[BlockArg::Value(next)]);
        mark(&mut func, &FxHashSet::default());
        func.display().to_string()
    }

    /// A load `distance` bytes before an array on the stack, as the sum of its address and a negated number.
    #[test]
    fn distances_that_are_subtracted() {
        for (distance, is_aligned) in [(32, true), (24, false)] {
            let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::SystemV));
            let slot = func.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 800, VECTOR as u8));
            let block = func.dfg.make_block();
            func.layout.append_block(block);
            let mut c = FuncCursor::new(&mut func).at_bottom(block);
            let start = c.ins().stack_addr(types::I64, slot, 64);
            let distance = c.ins().iconst(types::I64, distance);
            let distance = c.ins().ineg(distance);
            let address = c.ins().iadd(start, distance);
            c.ins().load(types::F64X2, MemFlagsData::new(), address, 0);
            c.ins().return_(&[]);
            mark(&mut func, &FxHashSet::default());
            assert_eq!(func.display().to_string().contains("aligned"), is_aligned);
        }
    }

    #[test]
    fn addresses_of_a_loop() {
        let both = loaded(32, [-8, 24]);
        assert_eq!(both.matches("aligned").count(), 2, "{both}");
        let one = loaded(16, [8, 16]);
        assert_eq!(one.matches("aligned").count(), 1, "{one}");
        let none = loaded(24, [8, 24]);
        assert!(!none.contains("aligned"), "{none}");
    }
}
