//! The room that is left on the stack, for checks of recursion.

use crate::expr::Translator;
use crate::symbols::{ADDRESS, STACK_LOWEST, runtime_signature};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use trueline_ir::Rt;

impl Translator<'_, '_> {
    /// The bytes that are left, negative if there is no room. The main thread compares its stack pointer with a limit that the runtime has noted, so that a
    /// recursive procedure makes no call for it; where the limit is not known yet, and in other threads, the runtime is asked.
    pub(crate) fn stack_left(&mut self) -> Value {
        let location = self.mark();
        let here = self.b.ins().get_stack_pointer(ADDRESS);
        let place = self.global(STACK_LOWEST);
        let lowest = self.b.ins().load(ADDRESS, MemFlagsData::trusted(), place, 0);
        let left = self.b.ins().isub(here, lowest);
        let is_known = self.b.ins().icmp(IntCC::UnsignedGreaterThan, here, lowest);
        let (ask, go_on) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(go_on, ADDRESS);
        self.b.set_cold_block(ask);
        self.b.ins().brif(is_known, go_on, &[left.into()], ask, &[]);
        self.b.seal_block(ask);
        self.b.switch_to_block(ask);
        let f = Rt::StackLeft;
        let signature = runtime_signature(f);
        let reference = self.shared.symbols.import(self.b.func, f.signature().symbol, signature);
        let call = self.b.ins().call(reference, &[]);
        let answer = self.b.inst_results(call)[0];
        self.b.ins().jump(go_on, &[answer.into()]);
        self.b.seal_block(go_on);
        self.b.switch_to_block(go_on);
        self.b.set_srcloc(location);
        self.forget();
        self.b.block_params(go_on)[0]
    }
}
