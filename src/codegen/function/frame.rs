//! The frame that the functions of a cut unit share: a place for each register, each variable on the stack and each address of a dummy
//! argument. It lies on the stack of the function that calls the others.

use crate::Records;
use crate::expr::{Translator, frame_size, register_size};
use crate::function::facts::Facts;
use crate::homes::homed;
use crate::symbols::ADDRESS;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AliasRegionData, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, Type as ClifType, Value,
};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use trueline_ir::{Callee, ExprData, Head, Storage, Sym, Unit};

/// The number of the alias region of places of registers in a frame that is shared: behind those of all symbols.
const REGION: u32 = u32::MAX;

/// A place that a function keeps a value in.
#[derive(Clone, Copy)]
pub(crate) enum Room {
    /// In a slot of its own frame, at an offset.
    Slot(StackSlot, i32),
    /// In the frame at that address, which another function has.
    Shared(Value, i32),
}

/// Offsets in a frame that several functions share.
#[derive(Default)]
pub(crate) struct Layout {
    /// Registers.
    pub(crate) registers: FxHashMap<Sym, i32>,
    /// Variables in memory.
    pub(crate) memory: FxHashMap<Sym, i32>,
    /// The addresses of dummy arguments.
    pub(crate) addresses: FxHashMap<Sym, i32>,
    /// Notes of timers that were started, by the places of their records.
    pub(crate) started: FxHashMap<u32, i32>,
    /// The end of the registers, which come first.
    registers_end: u32,
    size: u32,
}

impl Layout {
    /// The places for all that `unit` mentions; none if they need more than two gigabytes.
    pub(crate) fn of(unit: &Unit, facts: &Facts, records: &Records) -> Option<Layout> {
        let mentioned = mentioned(unit);
        // A debugger reads these where another register may hold the value of the moment.
        let own = homed(unit);
        let mut out = Layout::default();
        for (v, _) in unit.syms().filter(|(v, data)| mentioned[v.index()] && is_register(data.storage)) {
            let holder = facts.holders.get(&v).copied().filter(|h| !own.contains(&v) && !own.contains(h));
            if let Some(&known) = holder.and_then(|h| out.registers.get(&h)) {
                out.registers.insert(v, known);
                continue;
            }
            let at = out.add(register_size(unit, v))?;
            out.registers.insert(v, at);
            if let Some(holder) = holder {
                out.registers.insert(holder, at);
            }
        }
        out.size = out.size.checked_next_multiple_of(8)?;
        out.registers_end = out.size;
        for (v, data) in unit.syms().filter(|(v, _)| mentioned[v.index()]) {
            match data.storage {
                Storage::Frame => {
                    let size = frame_size(unit, v);
                    let at = out.add((size, if size >= 16 { 4 } else { 3 }))?;
                    out.memory.insert(v, at);
                }
                Storage::Dummy { .. } => {
                    let at = out.add((8, 3))?;
                    out.addresses.insert(v, at);
                }
                _ => {}
            }
        }
        for of in unit.records() {
            if let Some(place) = records.get(&(unit.serial(), *of)).map(|p| p.number)
                && !out.started.contains_key(&place)
            {
                let at = out.add((4, 2))?;
                out.started.insert(place, at);
            }
        }
        Some(out)
    }

    fn add(&mut self, (size, align): (u32, u8)) -> Option<i32> {
        let at = self.size.checked_next_multiple_of(1 << align)?;
        self.size = at.checked_add(size).filter(|&end| i32::try_from(end).is_ok())?;
        Some(at as i32)
    }

    /// Makes the frame in the function that calls the others, and lets it find all in there.
    pub(crate) fn make(&self, t: &mut Translator<'_, '_>) -> StackSlot {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, self.size.max(16), 4);
        let slot = t.b.create_sized_stack_slot(data);
        let within = |places: &FxHashMap<Sym, i32>| places.iter().map(|(&v, &at)| (v, (slot, at))).collect();
        t.slots.registers = within(&self.registers);
        t.slots.memory = within(&self.memory);
        t.slots.addresses = within(&self.addresses);
        slot
    }

    /// Fills the registers with zeros, as registers without a definition are everywhere.
    pub(crate) fn clear(&self, t: &mut Translator<'_, '_>, slot: StackSlot) {
        const WORD: i64 = 8;
        if self.registers_end == 0 {
            return;
        }
        let (next, after) = (t.b.create_block(), t.b.create_block());
        let at = t.b.append_block_param(next, ADDRESS);
        let zero = t.b.ins().iconst(ADDRESS, 0);
        let frame = t.b.ins().stack_addr(ADDRESS, slot, 0);
        t.b.ins().jump(next, &[zero.into()]);
        t.b.switch_to_block(next);
        let place = t.b.ins().iadd(frame, at);
        let flags = MemFlagsData::trusted();
        t.b.ins().store(flags, zero, place, 0);
        let behind = t.b.ins().iadd_imm_s(at, WORD);
        let goes_on = t.b.ins().icmp_imm_s(IntCC::SignedLessThan, behind, i64::from(self.registers_end));
        t.b.ins().brif(goes_on, next, &[behind.into()], after, &[]);
        t.b.switch_to_block(after);
    }

    /// The places of the notes of timers, in the order of offsets.
    pub(crate) fn timers(&self, slot: StackSlot) -> impl Iterator<Item = Room> + use<> {
        let mut all: Vec<i32> = self.started.values().copied().collect();
        all.sort_unstable();
        all.into_iter().map(move |at| Room::Slot(slot, at))
    }
}

fn is_register(storage: Storage) -> bool {
    matches!(storage, Storage::Register | Storage::Value { .. })
}

/// Whether the code of a unit may name each symbol.
fn mentioned(unit: &Unit) -> Vec<bool> {
    let mut out = vec![false; unit.syms().count()];
    let mut mention = |v: Sym| out[v.index()] = true;
    let pool = unit.pool();
    for e in pool.all() {
        if let ExprData::Var(v) | ExprData::Addr(v) = pool.data(e) {
            mention(v);
            mention(unit.root(v));
        }
    }
    for s in unit.walk() {
        let head = unit.head(s);
        unit.defines(head).into_iter().for_each(&mut mention);
        if let Head::Call { callee: Callee::Dummy(v), .. } | Head::GhostCall { callee: Callee::Dummy(v), .. } = head {
            mention(v);
        }
    }
    unit.params().iter().copied().chain(unit.result()).for_each(&mut mention);
    for (_, data) in unit.syms() {
        if let Storage::Pointer { base } = data.storage {
            mention(base);
        }
    }
    out
}

impl Translator<'_, '_> {
    /// Loads from a place.
    pub(crate) fn load_room(&mut self, ty: ClifType, room: Room, offset: i32) -> Value {
        match room {
            Room::Slot(slot, at) => self.b.ins().stack_load(ADDRESS, ty, slot, at + offset),
            Room::Shared(frame, at) => {
                let flags = self.room_flags();
                self.b.ins().load(ty, flags, frame, at + offset)
            }
        }
    }

    /// Stores to a place.
    pub(crate) fn store_room(&mut self, value: Value, room: Room, offset: i32) {
        match room {
            Room::Slot(slot, at) => self.b.ins().stack_store(ADDRESS, value, slot, at + offset),
            Room::Shared(frame, at) => {
                let flags = self.room_flags();
                self.b.ins().store(flags, value, frame, at + offset)
            }
        };
    }

    /// The address of a place.
    pub(crate) fn room_address(&mut self, room: Room) -> Value {
        match room {
            Room::Slot(slot, at) => self.b.ins().stack_addr(ADDRESS, slot, at),
            Room::Shared(frame, at) => self.b.ins().iadd_imm_s(frame, i64::from(at)),
        }
    }

    fn room_flags(&mut self) -> MemFlagsData {
        let data = AliasRegionData { user_id: REGION, description: "frame".into() };
        let region = self.b.func.dfg.alias_regions.insert(data);
        self.with_region(Some(region))
    }
}
