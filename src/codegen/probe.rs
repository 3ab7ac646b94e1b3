//! Probes: calls of the runtime that start and end a timer.
//!
//! A construct that the runtime has masked costs a load and a branch: its number has the sign bit, and the runtime
//! is not called. Whether a timer was started is kept in a register until it ends, so that starts and ends match
//! whatever is switched on or off between them.

use crate::expr::Translator;
use crate::function::RECORDS;
use crate::symbols::runtime_signature;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::Variable;
use std::mem::offset_of;
use trueline_abi::record::{MASKED, RECORD_SIZE, Record};
use trueline_ir::{Expr, ProbeOp};

/// Translates a probe. `record` is the unit's number of the record; `entry` whether starting is an invocation.
pub(crate) fn probe(t: &mut Translator<'_, '_>, op: ProbeOp, record: u32, entry: Option<Expr>) {
    let of = t.unit.records()[record as usize];
    let Some(&slot) = t.shared.records.get(&(t.unit.serial(), of)) else { return };
    let known = t.started.get(&slot).copied();
    let started = known.unwrap_or_else(|| t.b.declare_var(types::I32));
    t.started.insert(slot, started);
    if op.is_start() { start(t, op, slot, started, entry) } else { end(t, op, started) }
}

/// Unless the construct is masked: calls the runtime.
fn start(t: &mut Translator<'_, '_>, op: ProbeOp, slot: u32, started: Variable, entry: Option<Expr>) {
    let base = t.global(RECORDS);
    let record = t.b.ins().iadd_imm_s(base, (u64::from(slot) * RECORD_SIZE) as i64);
    let entry = match entry {
        Some(e) => {
            let v = t.expr(e).one();
            let from = t.b.func.dfg.value_type(v);
            t.fit(v, from, types::I32)
        }
        None => t.b.ins().iconst(types::I32, 1),
    };
    let id = t.b.ins().load(types::I32, MemFlagsData::trusted(), record, offset_of!(Record, id) as i32);
    // The runtime has to hear once of a construct that was masked from the beginning: it has no number yet.
    let wanted = t.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, id, i64::from(MASKED));
    let wanted = t.b.ins().uextend(types::I32, wanted);
    t.b.def_var(started, wanted);
    call_if(t, wanted, op, |t| {
        let name = t.b.ins().load(types::I64, MemFlagsData::trusted(), record, offset_of!(Record, name) as i32);
        [name, record, entry]
    });
}

/// Calls the runtime if it was called at the start.
fn end(t: &mut Translator<'_, '_>, op: ProbeOp, started: Variable) {
    let wanted = t.b.use_var(started);
    call_if(t, wanted, op, |_| []);
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
    let reference = t.shared.symbols.import(t.b.func, f.signature().symbol, runtime_signature(f));
    t.b.ins().call(reference, args);
    t.b.ins().jump(next, &[]);
    t.b.switch_to_block(next);
    t.forget();
}
