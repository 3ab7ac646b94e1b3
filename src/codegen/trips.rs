//! Trips of loops: adds to the cells of a histogram, with minimum and maximum.
//!
//! Entries with few trips have a cell for each number of trips. The buckets of others stand highest first, so that the number of leading
//! zeros of the trips is the index:
//!
//! ```text
//! if trips < 32
//!   few[trips] += times
//! else
//!   cells[leading zeros of trips] += times
//!   many += trips * times, if the iterations are not counted otherwise
//!   least = max(least, not trips)
//!   most  = max(most, trips)
//! ```

use crate::expr::Translator;
use crate::symbols::{ADDRESS, runtime_signature};
use crate::{block, tally};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AtomicRmwOp, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, Value, types,
};
use cranelift_codegen::isa::CallConv;
use trueline_abi::trips::FEW;
use trueline_ir::{Counter, Expr, ExprData, Rt};
use trueline_provenance::{CounterInfo, Measure};

/// The most numbers that describe a nest: its bounds and steps, and the number of its entries.
const NEST: usize = 9;

/// The operands of a [`trueline_ir::Head::Trips`].
#[derive(Clone, Copy)]
pub(crate) struct Trips {
    pub(crate) counter: Counter,
    pub(crate) trips: Expr,
    pub(crate) times: Expr,
    pub(crate) spread: bool,
}

/// The cells of a histogram, by their numbers in the object.
struct Cells {
    /// The cell of no trips.
    zero: u32,
    least: u32,
    most: u32,
    /// The cell of few trips, if there is one for each number of them: that of none.
    few: Option<u32>,
    /// The cell of the iterations of the other entries, if nothing else counts iterations.
    many: Option<u32>,
}

/// The cells of `counter`, if it has any.
fn cells(t: &Translator<'_, '_>, counter: Counter) -> Option<Cells> {
    let of = t.unit.counter(counter).of;
    let cell = |measure| t.shared.counters.get(&CounterInfo { of, measure }).copied();
    let (zero, least, most) = (cell(Measure::TripBucket(0))?, cell(Measure::LeastTrips)?, cell(Measure::MostTrips)?);
    Some(Cells { zero, least, most, few: cell(Measure::FewTrips(0)), many: cell(Measure::ManyTrips) })
}

/// Whether trips of `counter` are added to cells.
pub(crate) fn has_cells(t: &Translator<'_, '_>, counter: Counter) -> bool {
    cells(t, counter).is_some()
}

fn offset(cell: i64) -> i32 {
    i32::try_from(cell * 8).expect("fewer than 2^28 counters in an object")
}

/// Adds to the histogram, whose object's counters are at `base`.
pub(crate) fn add(t: &mut Translator<'_, '_>, base: Value, what: Trips) {
    let Some(cells) = cells(t, what.counter) else { return };
    let times = t.expr(what.times).one();
    if what.spread {
        spread(t, base, &cells, what.trips, times);
        return;
    }
    let is_atomic = t.shared.atomic && !block::has_blocks(t.shared.triple);
    let flags = tally::flags(t);
    let trips = t.expr(what.trips).one();
    let end = cells.few.map(|few| {
        let [one, more, end] = [(); 3].map(|()| t.b.create_block());
        let is_few = t.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, trips, FEW as i64);
        t.b.ins().brif(is_few, one, &[], more, &[]);
        t.b.seal_block(one);
        t.b.seal_block(more);
        t.b.switch_to_block(one);
        let scaled = t.b.ins().ishl_imm_u(trips, 3);
        let cell = t.b.ins().iadd(base, scaled);
        change(t, flags, is_atomic, AtomicRmwOp::Add, cell, offset(few.into()), times);
        t.b.ins().jump(end, &[]);
        t.b.switch_to_block(more);
        end
    });
    many(t, base, &cells, what, [trips, times], is_atomic);
    if let Some(end) = end {
        t.b.ins().jump(end, &[]);
        t.b.seal_block(end);
        t.b.switch_to_block(end);
        t.forget();
    }
}

/// Adds to a bucket, and to minimum and maximum.
fn many(
    t: &mut Translator<'_, '_>,
    base: Value,
    cells: &Cells,
    what: Trips,
    [trips, times]: [Value; 2],
    is_atomic: bool,
) {
    let flags = tally::flags(t);
    let zeros = t.b.ins().clz(trips);
    let scaled = t.b.ins().ishl_imm_u(zeros, 3);
    let bucket = t.b.ins().iadd(base, scaled);
    // 64 leading zeros are no trips.
    let displacement = offset(i64::from(cells.zero) - 64);
    change(t, flags, is_atomic, AtomicRmwOp::Add, bucket, displacement, times);
    if let Some(many) = cells.many {
        let always_once = t.unit.pool().as_int(what.times) == Some(1);
        let iterations = if always_once { trips } else { t.b.ins().imul(trips, times) };
        change(t, flags, is_atomic, AtomicRmwOp::Add, base, offset(many.into()), iterations);
    }
    let not = t.b.ins().bnot(trips);
    let always = t.unit.pool().as_int(what.times).is_some_and(|n| n > 0);
    let [most, least] = if always {
        [trips, not]
    } else {
        let none = t.b.ins().iconst(types::I64, 0);
        let entered = t.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, times, 0);
        [trips, not].map(|v| t.b.ins().select(entered, v, none))
    };
    let bounds = [(offset(cells.most.into()), most), (offset(cells.least.into()), least)];
    if is_atomic {
        for (offset, value) in bounds {
            change(t, flags, is_atomic, AtomicRmwOp::Umax, base, offset, value);
        }
        return;
    }
    // Hardly ever is one of them new.
    let (rare, after) = (t.b.create_block(), t.b.create_block());
    t.b.set_cold_block(rare);
    for (k, (offset, value)) in bounds.into_iter().enumerate() {
        let old = t.b.ins().load(types::I64, flags, base, offset);
        let is_new = t.b.ins().icmp(IntCC::UnsignedGreaterThan, value, old);
        let next = if k == 0 { t.b.create_block() } else { after };
        t.b.ins().brif(is_new, rare, &[], next, &[]);
        if k == 0 {
            t.b.seal_block(next);
            t.b.switch_to_block(next);
        }
    }
    t.b.seal_block(rare);
    t.b.switch_to_block(rare);
    for (offset, value) in bounds {
        change(t, flags, is_atomic, AtomicRmwOp::Umax, base, offset, value);
    }
    t.b.ins().jump(after, &[]);
    t.b.seal_block(after);
    t.b.switch_to_block(after);
    t.forget();
}

/// Adds `value` to a cell, or makes it the larger of the two.
fn change(
    t: &mut Translator<'_, '_>,
    flags: MemFlagsData,
    is_atomic: bool,
    op: AtomicRmwOp,
    base: Value,
    offset: i32,
    value: Value,
) {
    if is_atomic {
        let cell = t.b.ins().iadd_imm_s(base, i64::from(offset));
        t.b.ins().atomic_rmw(types::I64, flags, op, cell, value);
        return;
    }
    let old = t.b.ins().load(types::I64, flags, base, offset);
    let new = match op {
        AtomicRmwOp::Add => t.b.ins().iadd(old, value),
        _ => t.b.ins().umax(old, value),
    };
    t.b.ins().store(flags, new, base, offset);
}

/// Leaves the entries of a triangular nest to the runtime.
fn spread(t: &mut Translator<'_, '_>, base: Value, cells: &Cells, trips: Expr, times: Value) {
    let ExprData::Intrinsic(_, args) = t.unit.expr(trips) else { return };
    let first = t.b.ins().iadd_imm_s(base, i64::from(offset(i64::from(cells.zero) - 64)));
    let mut numbers: Vec<Value> = t.unit.list(args).to_vec().into_iter().map(|e| t.expr(e).one()).collect();
    numbers.push(times);
    nest(t, Rt::SpreadTrips, &[first], &numbers);
}

/// Calls a function with `args` and the address of `numbers`, which is returned. It changes no register, so that counting keeps nothing of the program
/// out of registers; its address comes from the table of the linker, for the code that binds procedures when they are called first
/// does change some.
pub(crate) fn nest(t: &mut Translator<'_, '_>, f: Rt, args: &[Value], numbers: &[Value]) -> StackSlot {
    let slot = match t.slots.nest {
        Some(slot) => slot,
        None => *t.slots.nest.insert(t.b.create_sized_stack_slot(StackSlotData::new(
            StackSlotKind::ExplicitSlot,
            8 * NEST as u32,
            3,
        ))),
    };
    for (k, &n) in numbers.iter().enumerate().take(NEST) {
        t.b.ins().stack_store(ADDRESS, n, slot, 8 * k as i32);
    }
    let at = t.b.ins().stack_addr(ADDRESS, slot, 0);
    let mut signature = runtime_signature(f);
    signature.call_conv = CallConv::PreserveAll;
    let function = t.shared.symbols.import_bound(t.b.func, f.signature().symbol, signature);
    let args: Vec<Value> = args.iter().copied().chain([at]).collect();
    t.b.ins().call(function, &args);
    slot
}
