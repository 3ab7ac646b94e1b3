//! Probes: calls of the runtime that start and end a timer.
//!
//! A construct that the runtime has masked costs a load and a branch: its number has the sign bit, and the runtime
//! is not called. Whether a timer was started is noted on the stack until it ends, so that starts and ends match whatever is
//! switched on or off between them. Nothing of a probe is in a register over the code that it times: loops need them all.

use crate::Error;
use crate::expr::Translator;
use crate::function::RECORDS;
use crate::symbols::{ADDRESS, Symbols, runtime_signature};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    ExternalName, GlobalValue, GlobalValueData, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind,
    UserExternalName, Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_module::{Linkage, Module};
use cranelift_object::ObjectModule;
use std::mem::offset_of;
use target_lexicon::{Architecture, Triple};
use trueline_abi::record::{KEEPING, MASKED, RECORD_SIZE, Record};
use trueline_ir::{Expr, Head, ProbeOp};

/// Whether the runtime has routines for probes that change no register, so that nothing is on the stack only because of a probe.
fn keeps_registers(triple: &Triple) -> bool {
    matches!(triple.architecture, Architecture::X86_64)
}

/// Declares these routines.
pub(crate) fn declare(module: &mut ObjectModule, symbols: &mut Symbols) -> Result<(), Error> {
    use ProbeOp::{EndLoop, EndProcedure, EndRegion, StartLoop, StartProcedure, StartRegion};
    if keeps_registers(module.isa().triple()) {
        for op in [StartProcedure, EndProcedure, StartLoop, EndLoop, StartRegion, EndRegion] {
            let symbol = crate::probe_function(op).signature().symbol;
            symbols.function(module, &format!("{symbol}{KEEPING}"), Linkage::Import)?;
        }
    }
    Ok(())
}

/// At the beginning of a function: nothing has been started.
pub(crate) fn begin(t: &mut Translator<'_, '_>) {
    for s in t.unit.walk() {
        let Head::Probe { op, record, .. } = t.unit.head(s) else { continue };
        let Some(place) = place(t, record).filter(|p| op.is_start() && !t.started.contains_key(p)) else { continue };
        let slot = t.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 4, 2));
        let no = t.b.ins().iconst(types::I32, 0);
        t.b.ins().stack_store(ADDRESS, no, slot, 0);
        t.started.insert(place, slot);
    }
}

/// The place of a record among those of the object.
fn place(t: &Translator<'_, '_>, record: u32) -> Option<u32> {
    t.shared.records.get(&(t.unit.serial(), t.unit.records()[record as usize])).copied()
}

/// Translates a probe. `record` is the unit's number of the record; `entry` whether starting is an invocation.
pub(crate) fn probe(t: &mut Translator<'_, '_>, op: ProbeOp, record: u32, entry: Option<Expr>) {
    let Some((place, slot)) = place(t, record).and_then(|p| Some((p, *t.started.get(&p)?))) else { return };
    if op.is_start() { start(t, op, place, slot, entry) } else { end(t, op, slot) }
}

/// Unless the construct is masked: calls the runtime.
fn start(t: &mut Translator<'_, '_>, op: ProbeOp, place: u32, slot: StackSlot, entry: Option<Expr>) {
    let entry = match entry {
        Some(e) => {
            let v = t.expr(e).one();
            let from = t.b.func.dfg.value_type(v);
            t.fit(v, from, types::I32)
        }
        None => t.b.ins().iconst(types::I32, 1),
    };
    let record = address(t, place);
    let record = t.b.ins().symbol_value(ADDRESS, record);
    let id = t.b.ins().load(types::I32, MemFlagsData::trusted(), record, offset_of!(Record, id) as i32);
    // The runtime has to hear once of a construct that was masked from the beginning: it has no number yet.
    let wanted = t.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, id, i64::from(MASKED));
    call_if(t, wanted, op, |t| {
        let yes = t.b.ins().iconst(types::I32, 1);
        t.b.ins().stack_store(ADDRESS, yes, slot, 0);
        let name = t.b.ins().load(types::I64, MemFlagsData::trusted(), record, offset_of!(Record, name) as i32);
        [name, record, entry]
    });
}

/// The address of a record. Each probe has its own: one for all would be kept in a register from one to the other.
fn address(t: &mut Translator<'_, '_>, place: u32) -> GlobalValue {
    let id = t.shared.symbols.data_id(RECORDS).expect("declared with the counters");
    let name = t.b.func.declare_imported_user_function(UserExternalName::new(1, id.as_u32()));
    t.b.func.create_global_value(GlobalValueData::Symbol {
        name: ExternalName::user(name),
        offset: ((u64::from(place) * RECORD_SIZE) as i64).into(),
        colocated: true,
        tls: false,
    })
}

/// Calls the runtime if it was called at the start.
fn end(t: &mut Translator<'_, '_>, op: ProbeOp, slot: StackSlot) {
    let wanted = t.b.ins().stack_load(ADDRESS, types::I32, slot, 0);
    call_if(t, wanted, op, |t| {
        let no = t.b.ins().iconst(types::I32, 0);
        t.b.ins().stack_store(ADDRESS, no, slot, 0);
        []
    });
}

/// Calls the runtime if `wanted`; only then are the arguments computed, of which it takes as many as it has parameters.
fn call_if<const N: usize>(
    t: &mut Translator<'_, '_>,
    wanted: Value,
    op: ProbeOp,
    args: impl FnOnce(&mut Translator<'_, '_>) -> [Value; N],
) {
    let f = crate::probe_function(op);
    let (call, next) = (t.b.create_block(), t.b.create_block());
    t.b.ins().brif(wanted, call, &[], next, &[]);
    t.b.switch_to_block(call);
    t.b.set_cold_block(call);
    let all = args(t);
    let args = &all[..f.signature().params.len()];
    let (mut name, mut signature) = (f.signature().symbol.to_owned(), runtime_signature(f));
    if keeps_registers(t.shared.triple) {
        name.push_str(KEEPING);
        signature.call_conv = CallConv::PreserveAll;
    }
    let reference = t.shared.symbols.import(t.b.func, &name, signature);
    t.b.ins().call(reference, args);
    t.b.ins().jump(next, &[]);
    t.b.switch_to_block(next);
    t.forget();
}
