//! Vectors of 32 bytes in the registers of AVX2, and of 64 in those of AVX-512, of which Cranelift knows the first 16.
//!
//! ```text
//! vmovups xmm0, [rdi]              vmovups ymm0, [rdi]
//! vaddpd  xmm0, xmm0, [rsi]   =>   vaddpd  ymm0, ymm0, [rsi]
//! vmovups [rdi], xmm0              vmovups [rdi], ymm0
//! mfence                           vzeroupper
//! ```
//!
//! CLIF carries 128 bits. But an instruction of AVX on 32 bytes is that on 16 with one bit set, and its length is the same. So an operation on 32 bytes
//! is translated as one on 16, with a mark in its location; addresses and numbers of iterations are those of 32 bytes from the start. When the
//! machine code is there, [`widen`] sets the bits. It trusts nobody: it follows through the machine code which registers have both halves, and
//! gives up if an operation on 32 bytes gets one that has not, if such a register is copied or put on the stack by code that takes half of
//! it, or if an operation treats the halves differently. Then the procedure is compiled once more, with pairs of vectors. Those are the same
//! operations on the same lanes, so results are equal to the bit.
//!
//! Everything else of the code stays as it is: places, locations, frames, the address map.
//!
//! Instructions on 64 bytes are longer ([`long`]), and what comes behind them moves ([`moved`]). Registers that the allocator puts on the stack get
//! other places there, if they have to be whole ([`spills`]).

mod long;
mod masks;
mod moved;
mod part;
mod spills;
mod under;

pub(crate) use moved::Moved;
pub(crate) use spills::Place;

use crate::locate;
use cranelift_codegen::ir::{Function, Inst, StackSlot, StackSlotData, StackSlotKind};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::{Final, MachBufferFinalized};
use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};
use part::{Part, is_fused, is_fused_scalar, is_zero, part};
use rustc_hash::FxHashMap;
use smallvec::smallvec;
use target_lexicon::Architecture;
use trueline_ir::Type;

/// The bytes of the vectors that CLIF has.
pub(crate) const SHORT: usize = 16;

/// The vector of the first 16 bytes of one of 32 or 64 bytes; none of any other type. That of complex numbers is the vector of their parts.
pub(crate) fn short(ty: Type) -> Option<Type> {
    match ty {
        Type::C4x4 | Type::C8x2 => Some(ty.part()),
        _ if ty.size() > SHORT && ty.is_vector() => ty.lane().vector(SHORT / ty.lane().size()),
        _ => None,
    }
}

/// The bytes that a vector in CLIF stands for, if `inst` works on it.
pub(crate) fn bytes(func: &Function, inst: Inst) -> usize {
    let location = func.srcloc(inst);
    match location.bits() {
        _ if location.is_default() => SHORT,
        bits if bits & locate::LONG != 0 => 64,
        bits if bits & locate::WIDE != 0 => 32,
        _ => SHORT,
    }
}

/// Whether `inst` is an operation on 32 bytes, or more.
pub(crate) fn is_wide(func: &Function, inst: Inst) -> bool {
    bytes(func, inst) > SHORT
}

/// The bytes of the longest vectors that an operation in `func` works on.
pub(crate) fn longest_in(func: &Function) -> usize {
    let insts = func.layout.blocks().flat_map(|b| func.layout.block_insts(b));
    insts.map(|i| bytes(func, i)).max().unwrap_or(SHORT)
}

/// The bytes of the longest vector registers of the target, of which Cranelift uses 16.
pub(crate) fn longest(isa: &dyn TargetIsa) -> usize {
    let has = |name: &str| isa.isa_flags().iter().any(|f| f.name == name && f.as_bool() == Some(true));
    match isa.triple().architecture {
        Architecture::X86_64 if !has("has_avx") || !has("has_avx2") => SHORT,
        Architecture::X86_64 if !["has_avx512f", "has_avx512dq", "has_avx512vl"].into_iter().all(has) => 32,
        Architecture::X86_64 => 64,
        _ => SHORT,
    }
}

/// One bit for each of the registers 0 to 15, and for each slot of the stack that holds registers.
type Registers = u64;
/// The bits of the registers.
const ALL_REGISTERS: Registers = 0xffff;

/// The registers and slots whose first 32 bytes are those of a vector, and those of which all 64 are.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Whole {
    half: Registers,
    full: Registers,
    /// The slots that were written since the last call.
    kept: Registers,
}

impl Whole {
    /// The registers that are whole in both.
    fn and(self, other: Whole) -> Whole {
        Whole { half: self.half & other.half, full: self.full & other.full, kept: self.kept & other.kept }
    }

    /// `to` as whole as `from`.
    fn copied(self, from: Registers, to: Registers) -> Whole {
        let with = |all: Registers| if all & from != 0 { all | to } else { all & !to };
        Whole { half: with(self.half), full: with(self.full), ..self }
    }

    /// The bytes of `register` that are those of a vector.
    fn bytes(self, register: Registers) -> usize {
        match () {
            () if self.full & register != 0 => 64,
            () if self.half & register != 0 => 32,
            () => SHORT,
        }
    }
}

/// The reason why instructions are not made longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unfit {
    /// It is not possible.
    Never,
    /// Registers on the stack want this number of bytes in the frame.
    Room(u32),
}

/// The places that code has for registers beside Cranelift's.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Room {
    /// The distance from the stack pointer of bytes in the frame, and their number. Behind them the register allocator has its slots; before them are
    /// the variables of the procedure and the arguments of the procedures that it calls.
    pub(crate) at: u32,
    pub(crate) bytes: u32,
    /// Whether the target has 32 vector registers.
    pub(crate) more_registers: bool,
}

impl Room {
    /// Makes a slot of `bytes` bytes in the frame of `func`, behind all others. There may be no bytes: its place is known then.
    pub(crate) fn in_frame(func: &mut Function, bytes: u32) -> StackSlot {
        func.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 4))
    }

    /// The room in the frame of a function with that slot.
    pub(crate) fn of(
        buffer: &MachBufferFinalized<Final>,
        slot: StackSlot,
        bytes: u32,
        more_registers: bool,
    ) -> Option<Room> {
        Some(Room { at: buffer.frame_layout()?.stackslots[slot].offset, bytes, more_registers })
    }
}

/// Code with instructions on 32 and 64 bytes.
pub(crate) struct Widened {
    pub(crate) bytes: Vec<u8>,
    pub(crate) moved: Moved,
    /// The distances from the stack pointer of slots that have other places now, and those.
    pub(crate) replaced: Vec<(u64, Place)>,
}

/// The places in machine code that the rest of the code generator knows.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Places<'a> {
    /// The locations of its instructions, in order.
    pub(crate) rows: &'a [(u32, u32, u32)],
    /// The places that the linker fills in, in order.
    pub(crate) fixed: &'a [u32],
    /// The beginnings of its blocks, in order.
    pub(crate) blocks: &'a [u32],
}

/// Makes operations on 32 and 64 bytes of the marked ones in `bytes`, a function of x86-64.
///
/// # Errors
/// The reason why that is not possible.
pub(crate) fn widen(bytes: &[u8], places: Places<'_>, room: Option<Room>) -> Result<Widened, Unfit> {
    let mut code = Machine::of(bytes, places).ok_or(Unfit::Never)?;
    let followed = room.map_or(Ok(false), |room| code.follow_slots(room));
    if followed == Ok(true)
        && let Ok(made) = code.widened(bytes, places.fixed)
    {
        return Ok(made);
    }
    // Most code has no use for whole registers on the stack.
    code.forget_slots();
    code.widened(bytes, places.fixed).map_err(|why| followed.err().unwrap_or(why))
}

/// Whether `bytes`, a function of x86-64, puts vector registers on the stack: `movdqu` stores one.
pub(crate) fn spills(bytes: &[u8]) -> bool {
    bytes.windows(3).any(|w| w == [0xf3, 0x0f, 0x7f])
        || bytes.windows(4).any(|w| w[..1] == [0xf3] && w[1] & 0xf0 == 0x40 && w[2..] == [0x0f, 0x7f])
}

/// Changes one instruction.
fn change(place: &mut [u8], part: Part) -> bool {
    match (part, &*place) {
        (Part::Clear, [0x0f, 0xae, 0xf0]) => place.copy_from_slice(&[0xc5, 0xf8, 0x77]),
        // The operand is a register: `vbroadcastsd` from it, which has a prefix of three bytes and no constant at its end.
        (Part::Twice, &[0xc5, first, 0x70, operands, _]) => {
            place.copy_from_slice(&[0xc4, first & 0x80 | 0x62, 0x7d, 0x19, operands]);
        }
        (Part::Twice, &[0xc4, first, _, 0x70, operands, _]) => {
            place.copy_from_slice(&[0xc4, first & 0xe0 | 0x02, 0x7d, 0x19, operands, 0x90]);
        }
        (Part::Twice, _) => return false,
        // `vinsertf128` of the second operand.
        (Part::Join, &[0xc4, first, second, 0x0e, .., _]) => {
            (place[1], place[2], place[3]) = (first, second & 0x7f | 4, 0x18);
            if let Some(last) = place.last_mut() {
                *last = 1;
            }
        }
        (Part::Join, _) => return false,
        // `vpermpd` has one operand, and the opcode 01.
        (Part::Exchange, &[0xc4, first, _, 0x0f, operands, _]) => {
            place.copy_from_slice(&[0xc4, first, 0xfd, 0x01, operands, 0b11_01_10_00]);
        }
        (Part::Exchange, _) => return false,
        (Part::Copy, _) => return encode_with_avx(place, 4),
        // The bit of the length is in the last byte of the prefix.
        (_, [0xc5, ..]) => place[1] |= 4,
        (_, [0xc4, ..]) => place[2] |= 4,
        _ => return false,
    }
    true
}

/// Whether an instruction without AVX moves 16 bytes, as the register allocator asks for.
fn is_move(i: &Instruction) -> bool {
    use Code::*;
    matches!(
        i.code(),
        Movdqa_xmm_xmmm128 | Movdqa_xmmm128_xmm | Movdqu_xmm_xmmm128 | Movdqu_xmmm128_xmm | Movapd_xmm_xmmm128
    )
}

/// Encodes a move of a whole register, which has a prefix of 66 or F3 and an opcode of two bytes, as that of AVX with the bit `length`. Both take as many bytes.
fn encode_with_avx(place: &mut [u8], length: u8) -> bool {
    let prefix = match place.first() {
        Some(0x66) => 1,
        Some(0xf3) => 2,
        _ => return false,
    };
    match *place {
        [_, 0x0f, _, ..] => (place[0], place[1]) = (0xc5, 0xf8 | length | prefix),
        [_, rex @ 0x40..=0x4f, 0x0f, _, ..] => {
            (place[0], place[1], place[2]) = (0xc4, (!rex & 7) << 5 | 1, 0x78 | length | prefix);
        }
        _ => return false,
    }
    true
}

/// The judgement of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Judgement {
    Long,
    Wide,
    Narrow,
    Wrong,
}

/// The machine code of a function.
struct Machine {
    all: Vec<Instruction>,
    parts: Vec<Part>,
    /// The bytes of vectors that an instruction works on by its mark.
    marked: Vec<usize>,
    /// Whether any of them works on 64.
    is_long: bool,
    /// The instruction at an address.
    at: FxHashMap<u64, usize>,
    /// The slots of the stack; those of [`Part::Spill`] and [`Part::Reload`] once they are followed.
    slots: spills::Slots,
    /// The tables behind jumps to addresses in registers.
    tables: Vec<Table>,
}

/// The table of a jump: Cranelift puts it behind the jump, and as the only code that jumps to an address in a register reads it.
#[derive(Clone, Debug)]
struct Table {
    /// The number of the jump.
    jump: usize,
    /// Its place.
    at: u32,
    /// The places that the jump may lead to. An entry is the distance from the beginning of the table.
    to: Vec<u32>,
}

impl Table {
    /// The table from `at` to the next of the blocks. None if an entry is not the beginning of a block.
    fn of(jump: usize, at: u32, bytes: &[u8], blocks: &[u32]) -> Option<Table> {
        let end = *blocks.get(blocks.partition_point(|&b| b <= at))?;
        let entries = bytes.get(at as usize..end as usize)?.as_chunks::<4>();
        let (entries, []) = entries else { return None };
        let to: Vec<u32> = entries.iter().map(|e| at.wrapping_add(u32::from_le_bytes(*e))).collect();
        to.iter().all(|t| blocks.binary_search(t).is_ok()).then_some(Table { jump, at, to })
    }

    /// Its bytes.
    fn bytes(&self) -> u32 {
        4 * self.to.len() as u32
    }
}

impl Machine {
    /// Reads it. None if it cannot be followed.
    fn of(bytes: &[u8], Places { rows, blocks, .. }: Places<'_>) -> Option<Machine> {
        let mut out = Machine {
            all: Vec::new(),
            parts: Vec::new(),
            marked: Vec::new(),
            is_long: false,
            at: FxHashMap::default(),
            slots: spills::Slots::default(),
            tables: Vec::new(),
        };
        let end = rows.iter().map(|r| r.1).max().unwrap_or(0).min(bytes.len() as u32);
        let mut decoder = Decoder::with_ip(64, &bytes[..end as usize], 0, DecoderOptions::NONE);
        let mut row = rows.iter().peekable();
        while decoder.can_decode() {
            let i = decoder.decode();
            let ip = i.ip() as u32;
            while row.next_if(|r| r.1 <= ip).is_some() {}
            let of_row = |r: &&(u32, u32, u32)| {
                let mark = r.2 & (locate::WIDE | locate::LONG);
                if r.0 > ip || r.2 == u32::MAX || mark == 0 {
                    SHORT
                } else if mark & locate::LONG != 0 {
                    64
                } else {
                    32
                }
            };
            let marked = row.peek().map_or(SHORT, of_row);
            out.at.insert(i.ip(), out.all.len());
            out.parts.push(part(&i));
            out.marked.push(marked);
            out.is_long |= marked == 64;
            out.all.push(i);
            if i.flow_control() == FlowControl::IndirectBranch {
                let table = Table::of(out.all.len() - 1, i.next_ip() as u32, bytes, blocks)?;
                let behind = table.at + table.bytes();
                decoder.set_position(behind as usize).ok()?;
                decoder.set_ip(u64::from(behind));
                out.tables.push(table);
            }
        }
        Some(out)
    }

    /// Follows registers into slots of the stack and back, and gives those slots places in `room`. False if there are none.
    ///
    /// # Errors
    /// The room that they want.
    fn follow_slots(&mut self, room: Room) -> Result<bool, Unfit> {
        let mut slots = spills::Slots::default();
        for (part, i) in self.parts.iter_mut().zip(&self.all) {
            *part = slots.part(i, room.at + room.bytes).unwrap_or(*part);
        }
        let before = self.followed().ok_or(Unfit::Never)?;
        let is_wrong = |k: usize| before[k].is_some_and(|state| self.judge(k, state) == Judgement::Wrong);
        if (0..self.all.len()).any(is_wrong) {
            return Err(Unfit::Never);
        }
        let missing = slots.place(self, &before, room);
        self.slots = slots;
        if missing > 0 { Err(Unfit::Room(missing)) } else { Ok(!self.slots.replaced().is_empty()) }
    }

    /// Takes slots of the stack for memory again.
    fn forget_slots(&mut self) {
        self.slots = spills::Slots::default();
        for part in self.parts.iter_mut().filter(|p| matches!(p, Part::Spill(_) | Part::Reload(_))) {
            *part = Part::Scalar;
        }
    }

    /// The code with longer instructions.
    fn widened(&self, bytes: &[u8], fixed: &[u32]) -> Result<Widened, Unfit> {
        let before = self.followed().ok_or(Unfit::Never)?;
        let mut out = bytes.to_vec();
        let mut instead = FxHashMap::default();
        for (k, i) in self.all.iter().enumerate() {
            // Code that is never reached is as good with 16 bytes.
            let Some(state) = before[k] else { continue };
            let at = i.ip() as usize;
            let place = out.get_mut(at..at + i.len()).ok_or(Unfit::Never)?;
            let part = self.parts[k];
            if let Part::Spill(_) | Part::Reload(_) = part
                && let Some(other) = self.slots.moved(i, part, self.bytes_moved(k, state))
            {
                instead.insert(k, smallvec![other]);
                continue;
            }
            match self.judge(k, state) {
                Judgement::Long => _ = instead.insert(k, long::long(i, part).ok_or(Unfit::Never)?),
                Judgement::Wide if !change(place, part) => return Err(Unfit::Never),
                Judgement::Wrong => return Err(Unfit::Never),
                // Instructions without AVX, which keep the upper half of a register, take hundreds of cycles on some processors while there is one.
                Judgement::Narrow if is_move(i) => _ = encode_with_avx(place, 0),
                Judgement::Wide | Judgement::Narrow => {}
            }
        }
        if instead.is_empty() {
            return Ok(Widened { bytes: out, moved: Moved::default(), replaced: Vec::new() });
        }
        masks::hold(self, &mut instead);
        let (bytes, moved) = moved::moved(&out, self, &instead, fixed).ok_or(Unfit::Never)?;
        Ok(Widened { bytes, moved, replaced: self.slots.replaced() })
    }

    /// The bytes of a register or a slot that instruction `k`, which moves one to the other, has to move.
    fn bytes_moved(&self, k: usize, state: Whole) -> usize {
        match self.parts[k] {
            Part::Spill(_) => state.bytes(read(&self.all[k])),
            Part::Reload(slot) => state.bytes(spills::Slots::bit(slot)),
            _ => SHORT,
        }
    }

    /// The registers that are whole before each instruction, none where it is never reached. None if a jump cannot be followed.
    fn followed(&self) -> Option<Vec<Option<Whole>>> {
        let mut before: Vec<Option<Whole>> = vec![None; self.all.len()];
        let mut todo: Vec<(usize, Whole)> = vec![(0, Whole::default())];
        while let Some((mut k, mut state)) = todo.pop() {
            while k < self.all.len() {
                let joined = before[k].map_or(state, |known| known.and(state));
                if before[k] == Some(joined) {
                    break;
                }
                before[k] = Some(joined);
                state = self.after(k, joined);
                let i = &self.all[k];
                match i.flow_control() {
                    FlowControl::UnconditionalBranch => {
                        k = *self.at.get(&i.near_branch_target())?;
                        continue;
                    }
                    FlowControl::ConditionalBranch => todo.push((*self.at.get(&i.near_branch_target())?, state)),
                    FlowControl::Return | FlowControl::Exception => break,
                    FlowControl::IndirectBranch => {
                        let table = self.tables.iter().find(|t| t.jump == k)?;
                        for &to in &table.to {
                            todo.push((*self.at.get(&u64::from(to))?, state));
                        }
                        break;
                    }
                    _ => {}
                }
                k += 1;
            }
        }
        Some(before)
    }

    /// The registers that are whole behind instruction `k`.
    fn after(&self, k: usize, state: Whole) -> Whole {
        let i = &self.all[k];
        let slots = |all: Registers| all & !ALL_REGISTERS;
        let cleared = Whole { half: slots(state.half), full: slots(state.full), kept: state.kept };
        match self.parts[k] {
            Part::Clear => return cleared,
            _ if matches!(i.flow_control(), FlowControl::Call | FlowControl::IndirectCall) => {
                return Whole { kept: 0, ..cleared };
            }
            Part::Spill(slot) => {
                let to = spills::Slots::bit(slot);
                return Whole { kept: state.kept | to, ..state.copied(read(i), to) };
            }
            Part::Reload(slot) => return state.copied(spills::Slots::bit(slot), written(i).unwrap_or(0)),
            _ => {}
        }
        let Some(written) = written(i) else { return state };
        let judgement = self.judge(k, state);
        let is_zero = self.parts[k] == Part::Constant && is_zero(i);
        let is_half = judgement == Judgement::Wide && self.parts[k] != Part::Narrow;
        let with = |before: Registers, is_whole: bool| if is_whole { before | written } else { before & !written };
        let is_full = is_zero || judgement == Judgement::Long;
        Whole { half: with(state.half, is_full || is_half), full: with(state.full, is_full), ..state }
    }

    /// The bytes on which instruction `k` has to work where the registers of `state` are whole.
    fn judge(&self, k: usize, state: Whole) -> Judgement {
        let (i, part, marked) = (&self.all[k], self.parts[k], self.marked[k]);
        let read = read(i);
        let (any, all, full) = (read & state.half != 0, read & !state.half == 0, read & !state.full == 0);
        let is_marked = marked > SHORT;
        match part {
            Part::Join if marked == 64 && all => Judgement::Long,
            Part::Widen | Part::Narrow | Part::Join | Part::Exchange if marked == 64 => Judgement::Wrong,
            Part::Broadcast | Part::Twice if marked == 64 => Judgement::Long,
            Part::Constant if self.is_long && !is_zero(i) => Judgement::Long,
            Part::Copy if any && full => Judgement::Long,
            Part::Lanewise if marked == 64 => {
                if full && !i.is_ip_rel_memory_operand() {
                    Judgement::Long
                } else {
                    Judgement::Wrong
                }
            }
            // An operation without a mark works on all that its operands have.
            Part::Lanewise if !is_marked && any && full && written(i).is_some() && !i.is_ip_rel_memory_operand() => {
                Judgement::Long
            }
            Part::Clear => Judgement::Wide,
            // Zeros in the lower half are zeros in the upper one, too.
            Part::Constant if is_zero(i) => Judgement::Narrow,
            Part::Constant => Judgement::Wide,
            Part::Broadcast | Part::Twice if is_marked => Judgement::Wide,
            Part::Join if is_marked => Judgement::Wide,
            Part::Exchange if is_marked && all => Judgement::Wide,
            // A constant in memory has 16 bytes.
            Part::Widen if is_marked => Judgement::Wide,
            Part::Narrow if is_marked && all && !i.is_ip_rel_memory_operand() => Judgement::Wide,
            Part::Narrow if is_marked => Judgement::Wrong,
            Part::Exchange if is_marked => Judgement::Wrong,
            Part::Widen | Part::Narrow | Part::Join | Part::Exchange if any => Judgement::Wrong,
            Part::Copy if any => Judgement::Wide,
            // Cranelift may have lost the mark of an operation without an effect, not that of a store.
            Part::Lanewise if !is_marked && writes_memory(i) => Judgement::Narrow,
            Part::Lanewise if !is_marked && any && written(i).is_none() => Judgement::Wrong,
            Part::Lanewise if is_marked || (any && all) => {
                let is_constant = i.is_ip_rel_memory_operand();
                if all && !is_constant { Judgement::Wide } else { Judgement::Wrong }
            }
            Part::Short if is_marked => Judgement::Wrong,
            Part::Other if is_marked || any => Judgement::Wrong,
            _ => Judgement::Narrow,
        }
    }
}

/// The bit of a vector register.
fn bit(register: Register) -> Option<Registers> {
    let number = (register as u32).checked_sub(Register::XMM0 as u32)?;
    (number < 16).then(|| 1 << number)
}

/// The vector register that the instruction writes, if there is one.
fn written(i: &Instruction) -> Option<Registers> {
    let is_written = i.op_count() > 0 && i.op0_kind() == OpKind::Register;
    let only_reads = matches!(
        i.mnemonic(),
        Mnemonic::Ucomisd
            | Mnemonic::Ucomiss
            | Mnemonic::Vucomisd
            | Mnemonic::Vucomiss
            | Mnemonic::Vptest
            | Mnemonic::Ptest
    );
    if is_written && !only_reads { bit(i.op0_register()) } else { None }
}

/// The vector registers that the instruction reads, apart from one that it changes in part.
fn read(i: &Instruction) -> Registers {
    let first = if written(i).is_some() && !is_fused(i.mnemonic()) && !is_fused_scalar(i.mnemonic()) { 1 } else { 0 };
    let of = |k: u32| if i.op_kind(k) == OpKind::Register { bit(i.op_register(k)) } else { None };
    (first..i.op_count()).filter_map(of).fold(0, |all, one| all | one)
}

fn writes_memory(i: &Instruction) -> bool {
    i.op_count() > 0 && i.op0_kind() == OpKind::Memory
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKED: u32 = locate::WIDE | 5;

    /// The text of `code` after [`widen`], none if it gives up; all of it is marked but the bytes in `plain`.
    fn widened(code: &[&[u8]], plain: &[usize]) -> Option<String> {
        let mut rows = Vec::new();
        let mut bytes = Vec::new();
        for (k, one) in code.iter().enumerate() {
            let start = bytes.len() as u32;
            bytes.extend_from_slice(one);
            rows.push((start, bytes.len() as u32, if plain.contains(&k) { 5 } else { MARKED }));
        }
        let places = Places { rows: &rows, ..Places::default() };
        let bytes = widen(&bytes, places, None).ok()?.bytes;
        let mut text = String::new();
        for i in &mut Decoder::with_ip(64, &bytes, 0, DecoderOptions::NONE) {
            text += &format!("{:?}", i.mnemonic());
            for k in 0..i.op_count() {
                match i.op_kind(k) {
                    OpKind::Register => text += &format!(" {:?}", i.op_register(k)),
                    _ => text += " []",
                }
            }
            text.push(';');
        }
        Some(text.to_lowercase())
    }

    const LOAD_0: &[u8] = &[0xc5, 0xf8, 0x10, 0x07];
    const LOAD_9: &[u8] = &[0xc5, 0x78, 0x10, 0x0f];
    const ADD_0_0_9: &[u8] = &[0xc4, 0xc1, 0x79, 0x58, 0xc1];
    const STORE_0: &[u8] = &[0xc5, 0xf8, 0x11, 0x07];
    const RETURN: &[u8] = &[0xc3];

    #[test]
    fn marked_operations_get_longer() {
        let text = widened(&[LOAD_0, LOAD_9, ADD_0_0_9, STORE_0, &[0x0f, 0xae, 0xf0], RETURN], &[]).unwrap();
        assert_eq!(text, "vmovups ymm0 [];vmovups ymm9 [];vaddpd ymm0 ymm0 ymm9;vmovups [] ymm0;vzeroupper;ret;");
        // The mark of an operation is not needed, those of loads and stores are.
        assert!(widened(&[LOAD_0, LOAD_9, ADD_0_0_9, STORE_0, RETURN], &[2]).is_some());
        assert_eq!(widened(&[LOAD_0, LOAD_9, ADD_0_0_9, STORE_0, RETURN], &[0]), None);
        // The lower half may be stored by itself, and may have to do with scalars.
        let text = widened(&[LOAD_0, LOAD_9, ADD_0_0_9, STORE_0, RETURN], &[3]).unwrap();
        assert!(text.ends_with("vmovups [] xmm0;ret;"), "{text}");
        let text = widened(&[LOAD_0, LOAD_9, ADD_0_0_9, RETURN], &[1, 2]).unwrap();
        assert!(text.ends_with("vaddpd xmm0 xmm0 xmm9;ret;"), "{text}");
    }

    #[test]
    fn halves_do_not_pass_for_wholes() {
        // `vzeroupper`, a call, a register from the stack, and a jump around the load each leave half a vector.
        let call: &[u8] = &[0xe8, 0, 0, 0, 0];
        let reload: &[u8] = &[0xf3, 0x0f, 0x6f, 0x44, 0x24, 0x10];
        let jump: &[u8] = &[0x74, 0x04];
        for between in [&[0x0f, 0xae, 0xf0][..], call, reload] {
            assert_eq!(widened(&[LOAD_0, between, STORE_0, RETURN], &[1]), None);
        }
        assert_eq!(widened(&[jump, LOAD_0, STORE_0, RETURN], &[0]), None);
        // A constant of 16 bytes is none of 32, and an unpacking treats the halves differently.
        assert_eq!(widened(&[LOAD_0, &[0xc5, 0xf9, 0x58, 0x05, 0, 0, 0, 0], STORE_0, RETURN], &[]), None);
        assert_eq!(widened(&[LOAD_0, &[0xc5, 0xf9, 0x14, 0xc0], STORE_0, RETURN], &[]), None);
        // A jump to an address in a register without a table leads anywhere.
        assert_eq!(widened(&[LOAD_0, STORE_0, &[0xff, 0xe0]], &[2]), None);
    }

    #[test]
    fn scalars_are_the_beginnings_of_whole_registers() {
        let fused: &[u8] = &[0xc4, 0xe2, 0xf9, 0xa9, 0xca];
        let extract: &[u8] = &[0xc4, 0xe3, 0xf9, 0x16, 0xc0, 1];
        let put_together: &[u8] = &[0xc5, 0xf8, 0x16, 0xd8];
        let code = [LOAD_0, fused, extract, put_together, STORE_0, RETURN];
        let text = widened(&code, &[1, 2, 3]).unwrap();
        let scalars = "vfmadd213sd xmm1 xmm0 xmm2;vpextrq rax xmm0 [];vmovlhps xmm3 xmm0 xmm0;";
        assert_eq!(text, format!("vmovups ymm0 [];{scalars}vmovups [] ymm0;ret;"));
        assert_eq!(widened(&code, &[1, 2]), None);
    }

    #[test]
    fn a_jump_by_a_table_leads_to_its_entries() {
        // `vmovups xmm0, [rdi]`, `lea rax, [rip+2]`, `jmp rax`, the table with the places 23 and 28, and a store and a return at each.
        let load_address: &[u8] = &[0x48, 0x8d, 0x05, 2, 0, 0, 0];
        let table: &[u8] = &[10, 0, 0, 0, 15, 0, 0, 0];
        let code: [&[u8]; 8] = [LOAD_0, load_address, &[0xff, 0xe0], table, &[0x90, 0x90], STORE_0, RETURN, STORE_0];
        let bytes = [&code.concat()[..], RETURN].concat();
        let of = |mark: u32, blocks: &[u32]| {
            let rows = [(0, 4, mark), (4, 23, 5), (23, 27, mark), (27, 28, 5), (28, 32, mark), (32, 33, 5)];
            widen(&bytes, Places { rows: &rows, fixed: &[], blocks }, None)
        };
        let half = of(MARKED, &[21, 23, 28]).unwrap();
        assert_eq!((half.bytes.len(), half.moved.at(28)), (33, 28));
        assert_eq!([half.bytes[1], half.bytes[24], half.bytes[29]], [0xfc; 3]);
        // Instructions on 64 bytes are two bytes longer: the entries are 10 and 17.
        let full = of(locate::LONG | 5, &[21, 23, 28]).unwrap();
        assert_eq!([13, 23, 28].map(|at| full.moved.at(at)), [15, 25, 32]);
        assert_eq!(full.bytes[15..23], [10, 0, 0, 0, 17, 0, 0, 0]);
        assert_eq!(full.bytes[9..13], [2, 0, 0, 0]);
        // Entries that lead elsewhere are none.
        assert!(of(MARKED, &[21, 23]).is_err());
        assert!(of(MARKED, &[]).is_err());
    }

    #[test]
    fn moves_within_sixteen_bytes_and_across() {
        // `vpunpcklqdq xmm1, xmm0, xmm9`, then the exchange of the parts in the middle: `vpalignr xmm10, xmm1, xmm1, 5`.
        let unpack: &[u8] = &[0xc4, 0xc1, 0x79, 0x6c, 0xc9];
        let exchange: &[u8] = &[0xc4, 0x63, 0x71, 0x0f, 0xd1, 0x05];
        let store: &[u8] = &[0xc5, 0x78, 0x11, 0x17];
        let text = widened(&[LOAD_0, LOAD_9, unpack, exchange, store, RETURN], &[]).unwrap();
        assert!(text.contains("vpunpcklqdq ymm1 ymm0 ymm9;vpermpd ymm10 ymm1 [];vmovups [] ymm10;"), "{text}");
        // Another distance, other registers, and half a vector.
        for wrong in [[0xc4, 0x63, 0x71, 0x0f, 0xd1, 0x06], [0xc4, 0x63, 0x79, 0x0f, 0xd1, 0x05]] {
            assert_eq!(widened(&[LOAD_0, LOAD_9, unpack, &wrong, store, RETURN], &[]), None);
        }
        assert_eq!(widened(&[LOAD_0, exchange, store, RETURN], &[]), None);
        // `vpshufd xmm0, xmm0, 0x4e` and `vpblendw xmm0, xmm0, xmm9, 0x0f`.
        let swap: &[u8] = &[0xc5, 0xf9, 0x70, 0xc0, 0x4e];
        let blend: &[u8] = &[0xc4, 0xc3, 0x79, 0x0e, 0xc1, 0x0f];
        let text = widened(&[LOAD_0, LOAD_9, swap, blend, STORE_0, RETURN], &[]).unwrap();
        assert!(text.contains("vpshufd ymm0 ymm0 [];vpblendw ymm0 ymm0 ymm9 [];"), "{text}");
    }

    #[test]
    fn copies_and_values_in_all_lanes() {
        let copies: [(&[u8], &str); 3] = [
            (&[0x66, 0x0f, 0x6f, 0xc8], "vmovdqa ymm1 ymm0;"),
            (&[0x66, 0x44, 0x0f, 0x6f, 0xc8], "vmovdqa ymm9 ymm0;"),
            (&[0x66, 0x0f, 0x28, 0xd0], "vmovapd ymm2 ymm0;"),
        ];
        for (copy, wanted) in copies {
            let text = widened(&[LOAD_0, copy, STORE_0, RETURN], &[1]).unwrap();
            assert!(text.contains(wanted), "{text}");
        }
        let text = widened(&[LOAD_9, &[0x66, 0x45, 0x0f, 0x6f, 0xd1], RETURN], &[1]).unwrap();
        assert!(text.contains("vmovdqa ymm10 ymm9;"), "{text}");
        // Halves move with AVX as well: to the stack, from it, and from register to register.
        let moves: [(&[u8], &str); 5] = [
            (&[0xf3, 0x0f, 0x7f, 0x4c, 0x24, 0x10], "vmovdqu [] xmm1;"),
            (&[0xf3, 0x44, 0x0f, 0x6f, 0x54, 0x24, 0x10], "vmovdqu xmm10 [];"),
            (&[0xf3, 0x46, 0x0f, 0x6f, 0x44, 0x1c, 0x10], "vmovdqu xmm8 [];"),
            (&[0x66, 0x0f, 0x6f, 0xd1], "vmovdqa xmm2 xmm1;"),
            (&[0x66, 0x45, 0x0f, 0x6f, 0xda], "vmovdqa xmm11 xmm10;"),
        ];
        for (one, wanted) in moves {
            let text = widened(&[LOAD_0, one, STORE_0, RETURN], &[1]).unwrap();
            assert_eq!(text, format!("vmovups ymm0 [];{wanted}vmovups [] ymm0;ret;"));
        }
        // `vmovq xmm, rax` and the lower half twice.
        let number: &[u8] = &[0xc4, 0xe1, 0xf9, 0x6e, 0xc0];
        let text = widened(&[number, &[0xc5, 0xf9, 0x70, 0xc0, 0x44], STORE_0, RETURN], &[0]).unwrap();
        assert!(text.contains("vbroadcastsd ymm0 xmm0;vmovups [] ymm0;"), "{text}");
        let text = widened(&[number, &[0xc4, 0x41, 0x79, 0x70, 0xc1, 0x44], RETURN], &[0]).unwrap();
        assert!(text.contains("vbroadcastsd ymm8 xmm9;nop;"), "{text}");
        // Zeros are zeros in both halves.
        let text = widened(&[&[0xc5, 0xf9, 0xef, 0xc0], STORE_0, RETURN], &[0]).unwrap();
        assert_eq!(text, "vpxor xmm0 xmm0 xmm0;vmovups [] ymm0;ret;");
    }
}
