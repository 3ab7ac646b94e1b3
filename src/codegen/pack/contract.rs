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
//! merges statements here. A product with another use stays, as it would be computed twice.

use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{Function, Inst, InstBuilder, Opcode, Value, ValueDef, types};
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
        let [a, b] = [0, 1].map(|k| func.dfg.resolve_aliases(func.dfg.inst_args(product)[k]));
        let other = if second { x } else { y };
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
