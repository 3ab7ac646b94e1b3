//! The functions of a unit that was cut: see [`crate::function::cut`].

use crate::expr::Translator;
use crate::function::cut::{Cut, name};
use crate::function::{Body, begin};
use crate::homes::Slots;
use crate::shared::Shared;
use crate::symbols::ADDRESS;
use crate::tally::Counters;
use crate::{abi, locate};
use cranelift_codegen::ir::{
    AbiParam, Function, InstBuilder, JumpTableData, Signature, SourceLoc, UserFuncName, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use rustc_hash::FxHashMap;
use trueline_ir::{Head, Unit};

/// The signature of a stretch: the frame, and the number of the place where to begin; where to go on.
fn signature(shared: &Shared<'_>) -> Signature {
    let mut out = Signature::new(CallConv::triple_default(shared.triple));
    out.params.extend([AbiParam::new(ADDRESS), AbiParam::new(types::I64)]);
    out.returns.push(AbiParam::new(types::I64));
    out
}

/// The function with the symbol of the unit: it makes the frame and calls the stretches. Also whether the unit's timers count down.
pub(crate) fn translate_caller(unit: &Unit, index: u32, cut: &Cut, shared: &Shared<'_>) -> (Function, Slots, bool) {
    let mut func =
        Function::with_name_signature(UserFuncName::user(0, index), abi::unit_signature(unit, shared.triple));
    locate::begin(&mut func);
    let mut context = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut func, &mut context);
    let mut t = Translator::new(unit, shared, builder, &cut.facts);
    t.trace = None;
    let slot = cut.layout.make(&mut t);
    let params = begin(&mut t);
    cut.layout.clear(&mut t, slot);
    t.enter(&params);
    let mut addresses: Vec<_> = t.addresses.iter().map(|(&v, &address)| (v, address)).collect();
    addresses.sort_unstable();
    for (v, address) in addresses {
        if let Some(&(slot, at)) = t.slots.addresses.get(&v) {
            t.b.ins().stack_store(ADDRESS, address, slot, at);
        }
    }
    crate::probe::begin_in(&mut t, cut.layout.timers(slot));
    call_stretches(&mut t, cut, slot);
    t.b.set_srcloc(SourceLoc::new(locate::END));
    Body::new(Counters::default(), FxHashMap::default()).leave(&mut t);
    t.b.seal_all_blocks();
    let (slots, counts_down) = (std::mem::take(&mut t.slots), t.counts_down);
    t.b.finalize(shared.config);
    (func, slots, counts_down)
}

/// Calls the stretch that a number names, until one returns the number of the end.
fn call_stretches(t: &mut Translator<'_, '_>, cut: &Cut, slot: cranelift_codegen::ir::StackSlot) {
    let (next, end) = (t.b.create_block(), t.b.create_block());
    let number = t.b.append_block_param(next, types::I64);
    // A debugger stops here, where the first statement begins.
    let first = t.unit.real_stmts(t.unit.body()).find(|&s| !matches!(t.unit.head(s), Head::Label(_)));
    let first = first.map(|s| locate::of_set(t.unit.set(s))).filter(|l| !l.is_default());
    t.b.set_srcloc(first.unwrap_or(SourceLoc::new(locate::ENTRY)));
    let start = t.b.ins().iconst(types::I64, cut.start(0));
    t.b.ins().jump(next, &[start.into()]);
    t.b.set_srcloc(SourceLoc::new(locate::ENTRY));
    t.b.switch_to_block(next);
    let stretch = t.b.ins().ushr_imm_u(number, 32);
    let stretch = t.b.ins().ireduce(types::I32, stretch);
    let blocks: Vec<_> = cut.stretches.iter().map(|_| t.b.create_block()).collect();
    let targets: Vec<_> = blocks.iter().map(|&b| t.b.func.dfg.block_call(b, &[])).collect();
    let default = t.b.func.dfg.block_call(end, &[]);
    let table = t.b.create_jump_table(JumpTableData::new(default, &targets));
    t.b.ins().br_table(stretch, table);
    for (k, block) in blocks.into_iter().enumerate() {
        t.b.switch_to_block(block);
        let function = t.shared.symbols.import(t.b.func, &name(t.unit, k), signature(t.shared));
        let frame = t.b.ins().stack_addr(ADDRESS, slot, 0);
        let call = t.b.ins().call(function, &[frame, number]);
        let result = t.b.inst_results(call)[0];
        t.b.ins().jump(next, &[result.into()]);
    }
    t.b.switch_to_block(end);
    t.forget();
}

/// Stretch `k` of a unit.
pub(crate) fn translate_stretch(unit: &Unit, k: usize, cut: &Cut, counts_down: bool, shared: &Shared<'_>) -> Function {
    let mut func = Function::with_name_signature(UserFuncName::user(1, k as u32), signature(shared));
    locate::begin(&mut func);
    let mut context = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut func, &mut context);
    let mut t = Translator::new(unit, shared, builder, &cut.facts);
    t.trace = None;
    t.counts_down = counts_down;
    let params = begin(&mut t);
    t.frame = Some((&cut.layout, params[0]));
    let stmts = cut.stmts(unit, k);
    let counters = Counters::of_stretch(&mut t, &stmts);
    let mut body = Body { is_stretch: true, ..Body::new(counters, FxHashMap::default()) };
    let start = t.b.create_block();
    let entries = &cut.stretches[k].entries;
    let blocks: Vec<_> = std::iter::once(start).chain(entries.iter().map(|&l| body.block(&mut t, l))).collect();
    let targets: Vec<_> = blocks.iter().map(|&b| t.b.func.dfg.block_call(b, &[])).collect();
    let entry = t.b.ins().ireduce(types::I32, params[1]);
    let table = t.b.create_jump_table(JumpTableData::new(targets[0], &targets));
    t.b.ins().br_table(entry, table);
    t.b.switch_to_block(start);
    t.forget();
    for s in stmts {
        body.stmt(&mut t, s);
    }
    if !body.filled {
        body.go_on(&mut t, cut.start(k + 1));
    }
    let mut left: Vec<_> =
        body.blocks.iter().filter(|(l, _)| !body.placed.contains(l)).map(|(&l, &b)| (l, b)).collect();
    left.sort_unstable();
    for (l, block) in left {
        t.b.switch_to_block(block);
        body.go_on(&mut t, cut.number(l));
    }
    t.b.seal_all_blocks();
    t.b.finalize(shared.config);
    func
}

impl Body {
    /// Leaves the stretch; the caller goes on at that number.
    pub(super) fn go_on(&mut self, t: &mut Translator<'_, '_>, number: i64) {
        let number = t.b.ins().iconst(types::I64, number);
        t.b.ins().return_(&[number]);
        self.filled = true;
    }
}
