//! Constants are made where they are used.
//!
//! ```text
//! block1:                         block1:
//!   v1 = iconst.i32 1               v1 = iconst.i32 1
//!   jump block2(v1)        =>       jump block2(v1)
//! block3:                         block3:
//!   jump block2(v1)                 v2 = iconst.i32 1
//!                                   jump block2(v2)
//! ```
//!
//! Cranelift's optimizer makes a constant anew in each block that uses it, but not one that it had to make a second time, in a block that the first one does not
//! dominate. Such a constant takes a register in all blocks between, and may be loaded from the stack in a loop.

use cranelift_codegen::ir::{Function, Inst, Opcode, Value};
use rustc_hash::FxHashMap;

/// Makes integer constants of `func` anew in each block, behind Cranelift's optimizer. Returns each new value with the one that it is equal to.
pub(crate) fn make_where_used(func: &mut Function) -> Vec<(Value, Value)> {
    let mut made = Vec::new();
    let blocks: Vec<_> = func.layout.blocks().collect();
    for b in blocks {
        let mut own: FxHashMap<Value, Value> = FxHashMap::default();
        for inst in func.layout.block_insts(b).collect::<Vec<_>>() {
            let foreign: Vec<(Value, Inst)> = func
                .dfg
                .inst_values(inst)
                .filter_map(|v| Some((v, func.dfg.value_def(v).inst()?)))
                .filter(|&(_, def)| func.dfg.insts[def].opcode() == Opcode::Iconst)
                .filter(|&(_, def)| func.layout.inst_block(def) != Some(b))
                .collect();
            for (v, def) in foreign {
                own.entry(v).or_insert_with(|| {
                    let new = func.dfg.clone_inst(def);
                    func.layout.insert_inst(new, inst);
                    let new = func.dfg.first_result(new);
                    made.push((new, v));
                    new
                });
            }
            if !own.is_empty() {
                func.dfg.map_inst_values(inst, |v| own.get(&v).copied().unwrap_or(v));
            }
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_codegen::cursor::{Cursor, FuncCursor};
    use cranelift_codegen::ir::{InstBuilder, Signature, UserFuncName, types};
    use cranelift_codegen::isa::CallConv;

    #[test]
    fn a_constant_is_made_in_each_block() {
        let mut func = Function::with_name_signature(UserFuncName::default(), Signature::new(CallConv::SystemV));
        let [first, second] = [(); 2].map(|()| func.dfg.make_block());
        let x = func.dfg.append_block_param(second, types::I32);
        for b in [first, second] {
            func.layout.append_block(b);
        }
        let mut c = FuncCursor::new(&mut func).at_bottom(first);
        let one = c.ins().iconst(types::I32, 1);
        c.ins().jump(second, &[one.into()]);
        c.goto_bottom(second);
        let sum = c.ins().iadd(x, one);
        c.ins().iadd(sum, one);
        c.ins().jump(second, &[one.into()]);
        make_where_used(&mut func);
        let text = func.display().to_string();
        assert_eq!(text.matches("iconst.i32 1").count(), 2, "{text}");
        assert!(text.contains("jump block1(v1)") && text.contains("jump block1(v4)"), "{text}");
    }
}
