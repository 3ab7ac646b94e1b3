//! Probes: calls of the runtime that start and end a timer.
//!
//! Where each thread has a block of counters, a probe counts a cell of it down, and calls the runtime when the cell gets negative:
//!
//! ```text
//! addq $-1, cell(%base)
//! cmpl $0x7fffffff, cell+4(%base)    its upper half has the sign
//! ja   call
//! ```
//!
//! The runtime sets the cell to the number of invocations that are not timed. In a block that is new it is zero, so the
//! runtime hears of the first invocation. A word of the record would be shared by all threads, and countdowns of several threads
//! would fight over it.
//!
//! Some timers are timed always or not any more: their record's number has the sign bit if the construct is masked, which costs a load
//! and a branch. They are those of several constructs together, those on processors without blocks, and those of procedures that have neither a loop
//! nor the address of the block: finding it would take longer than the rest of the probe.
//!
//! Whether a timer was started is noted on the stack until it ends, so that starts and ends match whatever is
//! switched on or off between them. Nothing of a probe is in a register over the code that it times: loops need them all.

use crate::expr::Translator;
use crate::function::frame::Room;
use crate::starts::Start;
use crate::symbols::{ADDRESS, RECORDS, Symbols, runtime_signature};
use crate::tally::{flags, is_worth_a_countdown};
use crate::{Error, RecordPlace};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, ExternalName, GlobalValueData, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, UserExternalName,
    Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_module::{Linkage, Module};
use cranelift_object::ObjectModule;
use smallvec::SmallVec;
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
        crate::starts::declare(module, symbols)?;
    }
    Ok(())
}

/// At the beginning of a function: nothing has been started.
pub(crate) fn begin(t: &mut Translator<'_, '_>) {
    t.counts_down = is_worth_a_countdown(t);
    for s in t.unit.walk() {
        let Head::Probe { op, record, .. } = t.unit.head(s) else { continue };
        let Some(place) = place(t, record).map(|p| p.number) else { continue };
        if !op.is_start() || t.started.contains_key(&place) {
            continue;
        }
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 4, 2);
        let room = Room::Slot(t.b.create_sized_stack_slot(slot), 0);
        nothing_started(t, room);
        t.started.insert(place, room);
    }
}

/// The same for a function that is to call the stretches of its unit, which have rooms in the frame.
pub(crate) fn begin_in(t: &mut Translator<'_, '_>, rooms: impl Iterator<Item = Room>) {
    t.counts_down = is_worth_a_countdown(t);
    rooms.for_each(|room| nothing_started(t, room));
}

fn nothing_started(t: &mut Translator<'_, '_>, room: Room) {
    let no = t.b.ins().iconst(types::I32, 0);
    t.store_room(no, room, 0);
}

/// The place that records whether the timer of the record in that place was started.
fn room(t: &Translator<'_, '_>, place: u32) -> Option<Room> {
    match t.frame {
        Some((layout, address)) => Some(Room::Shared(address, *layout.started.get(&place)?)),
        None => t.started.get(&place).copied(),
    }
}

/// The places of a record in the object.
fn place(t: &Translator<'_, '_>, record: u32) -> Option<RecordPlace> {
    let of = t.shared.records.get(&(t.unit.serial(), t.unit.records()[record as usize]))?;
    Some(RecordPlace { countdown: of.countdown.filter(|_| t.counts_down), ..*of })
}

/// Whether a probe counts a cell of the thread's block down.
pub(crate) fn has_countdown(t: &Translator<'_, '_>, op: ProbeOp, record: u32) -> bool {
    op.is_start() && place(t, record).is_some_and(|p| p.countdown.is_some())
}

/// Translates a probe. `record` is the unit's number of the record; `entry` whether starting is an invocation; `block` gives
/// the address of the thread's block.
pub(crate) fn probe(
    t: &mut Translator<'_, '_>,
    op: ProbeOp,
    record: u32,
    entry: Option<Expr>,
    block: impl FnOnce(&mut Translator<'_, '_>) -> Value,
) {
    let Some((place, room)) = place(t, record).and_then(|p| Some((p, room(t, p.number)?))) else { return };
    if op.is_start() { start(t, op, place, room, entry, block) } else { end(t, op, room) }
}

/// Calls the runtime if this invocation may have to be timed.
fn start(
    t: &mut Translator<'_, '_>,
    op: ProbeOp,
    place: RecordPlace,
    room: Room,
    entry: Option<Expr>,
    block: impl FnOnce(&mut Translator<'_, '_>) -> Value,
) {
    let number = place.number;
    // Nothing that is known here is passed in registers: see `starts`.
    let is_entry = entry.map_or(Some(1), |e| t.unit.pool().as_int(e)).map(|n| n != 0);
    let counts_down = place.countdown.is_some();
    let known = is_entry.filter(|_| keeps_registers(t.shared.triple)).map(|is_entry| Start {
        op,
        record: number,
        counts_down,
        is_entry,
    });
    let entry = match entry {
        Some(e) => {
            let v = t.expr(e).one();
            let from = t.b.func.dfg.value_type(v);
            t.fit(v, from, types::I32)
        }
        None => t.b.ins().iconst(types::I32, 1),
    };
    let name_at = offset_of!(Record, name) as i32;
    let note = |t: &mut Translator<'_, '_>| {
        let yes = t.b.ins().iconst(types::I32, 1);
        t.store_room(yes, room, 0);
    };
    let Some(cell) = place.countdown else {
        let records = records(t);
        let at = i32::try_from(u64::from(number) * RECORD_SIZE).expect("fewer than 2^27 records in an object");
        let id = t.b.ins().load(types::I32, MemFlagsData::trusted(), records, at + offset_of!(Record, id) as i32);
        // The runtime has to hear once of a construct that was masked from the beginning: it has no number yet.
        let wanted = t.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, id, i64::from(MASKED));
        return call_if(t, wanted, op, known, |t| {
            note(t);
            if known.is_some() {
                return SmallVec::new();
            }
            let record = t.b.ins().iadd_imm_s(records, i64::from(at));
            let name = t.b.ins().load(types::I64, MemFlagsData::trusted(), record, name_at);
            let none = t.b.ins().iconst(types::I64, 0);
            arguments(op, name, record, entry, none)
        });
    };
    let base = block(t);
    let at = i32::try_from(cell * 8).expect("fewer than 2^28 counters in an object");
    let flags = flags(t);
    let old = t.b.ins().load(types::I64, flags, base, at);
    let new = t.b.ins().iadd_imm_s(old, -1);
    t.b.ins().store(flags, new, base, at);
    // Not `new`, so that the three above are one instruction.
    let sign = t.b.ins().load(types::I32, flags, base, at + 4);
    // Not with zero, nor by a condition that Cranelift makes one with zero of: that would take the load and the comparison apart.
    let wanted = t.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, sign, i64::from(i32::MAX));
    call_if(t, wanted, op, known, |t| {
        note(t);
        if known.is_some() {
            return SmallVec::new();
        }
        let records = records(t);
        let record = t.b.ins().iadd_imm_s(records, (u64::from(number) * RECORD_SIZE) as i64);
        let name = t.b.ins().load(types::I64, MemFlagsData::trusted(), record, name_at);
        let cell = t.b.ins().iadd_imm_s(base, i64::from(at));
        arguments(op, name, record, entry, cell)
    });
}

/// The arguments of a start, those of the routine in the table and the address of the countdown.
fn arguments(op: ProbeOp, name: Value, record: Value, entry: Value, cell: Value) -> SmallVec<[Value; 4]> {
    let params = crate::probe_function(op).signature().params.len();
    [name, record, entry].into_iter().take(params).chain([cell]).collect()
}

/// The address of the records of the object. Each probe has its own: one for all would be kept in a register from one to the other.
fn records(t: &mut Translator<'_, '_>) -> Value {
    let id = t.shared.symbols.data_id(RECORDS).expect("declared with the counters");
    let name = t.b.func.declare_imported_user_function(UserExternalName::new(1, id.as_u32()));
    // Without an offset: one in the symbol takes an instruction.
    let records = t.b.func.create_global_value(GlobalValueData::Symbol {
        name: ExternalName::user(name),
        offset: 0.into(),
        colocated: true,
        tls: false,
    });
    t.b.ins().symbol_value(ADDRESS, records)
}

/// Calls the runtime if it was called at the start.
fn end(t: &mut Translator<'_, '_>, op: ProbeOp, room: Room) {
    let noted = t.load_room(types::I32, room, 0);
    let wanted = t.b.ins().icmp_imm_u(IntCC::Equal, noted, 1);
    call_if(t, wanted, op, None, |t| {
        nothing_started(t, room);
        SmallVec::new()
    });
}

/// Calls the runtime if `wanted`; only then are the arguments computed. The routines that keep registers take that of the
/// countdown as well as those in the table; a `start` that is known passes its arguments itself.
fn call_if(
    t: &mut Translator<'_, '_>,
    wanted: Value,
    op: ProbeOp,
    start: Option<Start>,
    args: impl FnOnce(&mut Translator<'_, '_>) -> SmallVec<[Value; 4]>,
) {
    let f = crate::probe_function(op);
    let (call, next) = (t.b.create_block(), t.b.create_block());
    t.b.ins().brif(wanted, call, &[], next, &[]);
    t.b.switch_to_block(call);
    t.b.set_cold_block(call);
    let mut args = args(t);
    let (mut name, mut signature) = (f.signature().symbol.to_owned(), runtime_signature(f));
    if keeps_registers(t.shared.triple) {
        name.push_str(KEEPING);
        signature.call_conv = CallConv::PreserveAll;
        if op.is_start() {
            signature.params.push(AbiParam::new(ADDRESS));
        }
    }
    let start = start.and_then(|s| s.reference(t.b.func));
    args.truncate(if start.is_some() { 0 } else { signature.params.len() });
    let reference = start.unwrap_or_else(|| t.shared.symbols.import(t.b.func, &name, signature));
    t.b.ins().call(reference, &args);
    t.b.ins().jump(next, &[]);
    t.b.switch_to_block(next);
    t.forget();
}
