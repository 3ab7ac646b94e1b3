//! Products that are added at once: `-ffp-contract=fast`.
//!
//! ```text
//! m = fmul a, b;  s = fadd m, c     =>    s = fma a, b, c
//! m = fmul a, b;  s = fsub c, m     =>    s = fma (fneg a), b, c
//! m = fmul a, b;  s = fsub m, c     =>    s = fma a, b, (fneg c)
//! ```
//!
//! The product is not rounded, so last digits differ from those of two operations: only with the flag, and where the
//! processor has the instruction. Both have the same source location, and thus the same set of source statements: neither
//! merges statements here. A product with another use stays, as it would be computed twice. So does one that is added to the sum of the iterations
//! before, in a loop that waits for that sum: the addition alone takes three cycles, and both at once take four.

use super::aligned::constant;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{Block, BlockArg, Function, Inst, InstBuilder, Opcode, Value, ValueDef, types};
use cranelift_codegen::isa::TargetIsa;
use cranelift_entity::SecondaryMap;
use target_lexicon::Architecture;

/// Whether the processor multiplies and adds in one instruction.
pub(crate) fn is_possible(isa: &dyn TargetIsa) -> bool {
    match isa.triple().architecture {
        Architecture::X86_64 => isa.isa_flags().iter().any(|f| f.name == "has_fma" && f.as_bool() == Some(true)),
        _ => true,
    }
}

/// Contracts the sums and differences of products.
pub(crate) fn contract(func: &mut Function) {
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
    let mut sums = Vec::new();
    for block in func.layout.blocks() {
        for inst in func.layout.block_insts(block) {
            for value in func.dfg.inst_values(inst) {
                uses[func.dfg.resolve_aliases(value)] += 1;
            }
            if matches!(func.dfg.insts[inst].opcode(), Opcode::Fadd | Opcode::Fsub) {
                sums.push(inst);
            }
        }
    }
    for sum in sums {
        let [x, y] = [0, 1].map(|k| func.dfg.resolve_aliases(func.dfg.inst_args(sum)[k]));
        let is_difference = func.dfg.insts[sum].opcode() == Opcode::Fsub;
        // The second operand first: the first one is the sum so far in `s + a * b`, and the earlier product in `a * b + c * d`.
        let Some((product, second)) =
            [(y, true), (x, false)].into_iter().find_map(|(v, second)| Some((product(func, &uses, sum, v)?, second)))
        else {
            continue;
        };
        let other = if second { x } else { y };
        if waits_for_itself(func, sum, other) {
            continue;
        }
        let [mut a, mut b] = [0, 1].map(|k| func.dfg.resolve_aliases(func.dfg.inst_args(product)[k]));
        // The instruction leaves its result in the register of the first factor, which is copied before if it lives on.
        if !ends_in(func, &uses, sum, a) && ends_in(func, &uses, sum, b) {
            (a, b) = (b, a);
        }
        let location = func.srcloc(sum);
        let mut cursor = FuncCursor::new(func).at_inst(sum).with_srcloc(location);
        let (a, other) = match (is_difference, second) {
            (false, _) => (a, other),
            (true, true) => (cursor.ins().fneg(a), other),
            (true, false) => (a, cursor.ins().fneg(other)),
        };
        cursor.func.replace(sum).fma(a, b, other);
        cursor.func.layout.remove_inst(product);
    }
}

/// Whether `value` is computed in the block of `sum`, whose product is its only use.
fn ends_in(func: &Function, uses: &SecondaryMap<Value, u32>, sum: Inst, value: Value) -> bool {
    let ValueDef::Result(inst, _) = func.dfg.value_def(value) else { return false };
    uses[value] == 1 && func.layout.inst_block(inst) == func.layout.inst_block(sum)
}

/// The cycles that a product and a sum in one instruction take.
const LATENCY: usize = 4;
/// The instructions that are done in a cycle.
const WIDTH: usize = 4;

/// Whether `sum` adds to `so_far`, which comes through sums from the sum of the iteration before, and the loop, one block, waits for these sums longer than
/// its instructions take.
fn waits_for_itself(func: &Function, sum: Inst, so_far: Value) -> bool {
    let Some(block) = func.layout.inst_block(sum) else { return false };
    let Some(last) = func.layout.last_inst(block) else { return false };
    let ways = func.dfg.insts[last].branch_destination(&func.dfg.jump_tables, &func.dfg.exception_tables);
    let Some(back) = ways.iter().find(|way| way.block(&func.dfg.value_lists) == block) else { return false };
    // Backwards to a parameter of the block.
    let mut links = 1;
    let mut at = so_far;
    let number = loop {
        match func.dfg.value_def(at) {
            ValueDef::Param(b, number) if b == block => break number,
            ValueDef::Result(inst, _) if func.layout.inst_block(inst) == Some(block) => {
                let Some(before) = carried(func, inst, block) else { return false };
                (at, links) = (before, links + 1);
            }
            _ => return false,
        }
    };
    // The value that the next iteration gets goes back to `sum`.
    let Some(BlockArg::Value(next)) = back.args(&func.dfg.value_lists).nth(number) else { return false };
    let mut at = func.dfg.resolve_aliases(next);
    while let ValueDef::Result(inst, _) = func.dfg.value_def(at) {
        if inst == sum {
            return links * LATENCY > func.layout.block_insts(block).filter(|&i| takes_time(func, i)).count() / WIDTH;
        }
        let Some(before) = carried(func, inst, block).filter(|_| func.layout.inst_block(inst) == Some(block)) else {
            return false;
        };
        (at, links) = (before, links + 1);
    }
    false
}

/// Whether the processor has an instruction for it in the loop. It computes the place of an element in the instruction that loads it.
fn takes_time(func: &Function, inst: Inst) -> bool {
    use Opcode::{F32const, F64const, Iadd, Iconst, SymbolValue};
    match func.dfg.insts[inst].opcode() {
        Iconst | F32const | F64const | SymbolValue => false,
        Iadd => {
            !func.dfg.inst_args(inst).iter().any(|&v| func.dfg.value_def(v).inst().is_some_and(|i| scales(func, i)))
        }
        _ => !scales(func, inst),
    }
}

/// Whether it multiplies an index by a number of bytes that addresses can have.
fn scales(func: &Function, inst: Inst) -> bool {
    func.dfg.insts[inst].opcode() == Opcode::Imul
        && func.dfg.inst_args(inst).iter().any(|&v| constant(func, v).is_some_and(|n| matches!(n, 1 | 2 | 4 | 8)))
}

/// The operand of a sum that is not a product or a load of this iteration: the sum so far.
fn carried(func: &Function, inst: Inst, block: Block) -> Option<Value> {
    let is_own = |v: Value| match func.dfg.value_def(v) {
        ValueDef::Param(b, _) => b == block,
        ValueDef::Result(i, _) => matches!(func.dfg.insts[i].opcode(), Opcode::Fadd | Opcode::Fsub | Opcode::Fma),
        ValueDef::Union(..) => false,
    };
    let args = func.dfg.inst_args(inst);
    let sums: &[Value] = match func.dfg.insts[inst].opcode() {
        Opcode::Fadd | Opcode::Fsub => args,
        Opcode::Fma => &args[2..],
        _ => &[],
    };
    sums.iter().map(|&v| func.dfg.resolve_aliases(v)).find(|&v| is_own(v))
}

/// The instruction that makes `value`, if it is a product of which `sum` is the only use.
fn product(func: &Function, uses: &SecondaryMap<Value, u32>, sum: Inst, value: Value) -> Option<Inst> {
    let ValueDef::Result(inst, _) = func.dfg.value_def(value) else { return None };
    let is_real = matches!(func.dfg.value_type(value), types::F32 | types::F64 | types::F32X4 | types::F64X2);
    let here = func.layout.inst_block(inst).is_some() && func.layout.inst_block(inst) == func.layout.inst_block(sum);
    let is_ours = func.srcloc(inst) == func.srcloc(sum) && uses[value] == 1;
    (is_real && here && is_ours && func.dfg.insts[inst].opcode() == Opcode::Fmul).then_some(inst)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_codegen::ir::{AbiParam, Signature, UserFuncName};
    use cranelift_codegen::isa::CallConv;

    /// A function of three values after the step: the products and sums that `make` asks for.
    fn contracted(make: impl Fn(&mut FuncCursor<'_>, [Value; 3]) -> Value) -> String {
        let mut signature = Signature::new(CallConv::SystemV);
        signature.params = vec![AbiParam::new(types::F64); 3];
        signature.returns = vec![AbiParam::new(types::F64)];
        let mut func = Function::with_name_signature(UserFuncName::default(), signature);
        let block = func.dfg.make_block();
        func.layout.append_block(block);
        let values = [(); 3].map(|()| func.dfg.append_block_param(block, types::F64));
        let mut cursor = FuncCursor::new(&mut func).at_bottom(block);
        let result = make(&mut cursor, values);
        cursor.ins().return_(&[result]);
        contract(&mut func);
        func.display().to_string()
    }

    #[test]
    fn sums_and_differences_of_products() {
        let sum = contracted(|c, [x, y, z]| {
            let m = c.ins().fmul(x, y);
            c.ins().fadd(m, z)
        });
        assert!(sum.contains("fma v0, v1, v2") && !sum.contains("fmul"), "{sum}");
        let less = contracted(|c, [x, y, z]| {
            let m = c.ins().fmul(x, y);
            c.ins().fsub(z, m)
        });
        assert!(less.contains("= fneg v0") && less.contains(", v1, v2"), "{less}");
        let more = contracted(|c, [x, y, z]| {
            let m = c.ins().fmul(x, y);
            c.ins().fsub(m, z)
        });
        assert!(more.contains("= fneg v2") && more.contains("fma v0, v1, "), "{more}");
    }

    #[test]
    fn a_product_that_is_used_again_stays() {
        let twice = contracted(|c, [x, y, z]| {
            let m = c.ins().fmul(x, y);
            let s = c.ins().fadd(m, z);
            c.ins().fdiv(s, m)
        });
        assert!(!twice.contains("fma"), "{twice}");
        let square = contracted(|c, [x, y, _]| {
            let m = c.ins().fmul(x, y);
            c.ins().fadd(m, m)
        });
        assert!(!square.contains("fma"), "{square}");
    }

    #[test]
    fn a_factor_that_ends_comes_first() {
        let text = contracted(|c, [x, y, z]| {
            let root = c.ins().sqrt(y);
            let m = c.ins().fmul(x, root);
            c.ins().fadd(m, z)
        });
        assert!(text.contains("v3 = sqrt v1") && text.contains("fma v3, v0, v2"), "{text}");
        let twice = contracted(|c, [x, y, z]| {
            let root = c.ins().sqrt(y);
            let m = c.ins().fmul(x, root);
            let s = c.ins().fadd(m, z);
            c.ins().fdiv(s, root)
        });
        assert!(twice.contains("fma v0, v3, v2"), "{twice}");
    }

    /// A loop that adds a product to a sum, with so much other work in each iteration.
    fn looped(others: usize) -> String {
        let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::SystemV));
        func.signature.params.push(AbiParam::new(types::F64));
        let [entry, body] = [(); 2].map(|()| func.dfg.make_block());
        let x = func.dfg.append_block_param(entry, types::F64);
        let so_far = func.dfg.append_block_param(body, types::F64);
        func.layout.append_block(entry);
        func.layout.append_block(body);
        FuncCursor::new(&mut func).at_bottom(entry).ins().jump(body, &[BlockArg::Value(x)]);
        let mut c = FuncCursor::new(&mut func).at_bottom(body);
        let product = c.ins().fmul(x, x);
        let sum = c.ins().fadd(so_far, product);
        for _ in 0..others {
            c.ins().fdiv(x, x);
        }
        c.ins().jump(body, &[BlockArg::Value(sum)]);
        contract(&mut func);
        func.display().to_string()
    }

    #[test]
    fn a_loop_does_not_wait_longer() {
        assert!(!looped(0).contains("fma"), "{}", looped(0));
        assert!(looped(40).contains("fma"), "{}", looped(40));
    }

    #[test]
    fn a_product_of_another_statement_stays() {
        use cranelift_codegen::ir::SourceLoc;
        let other = contracted(|c, [x, y, z]| {
            c.set_srcloc(SourceLoc::new(1));
            let m = c.ins().fmul(x, y);
            c.set_srcloc(SourceLoc::new(2));
            c.ins().fadd(m, z)
        });
        assert!(!other.contains("fma"), "{other}");
    }
}
