//! Vectors of 32 and 64 bytes that the register allocator puts on the stack, in 16 bytes each.
//!
//! ```text
//! movdqu [rsp+32], xmm3              vmovdqa32 zmm16, zmm3          vmovdqu32 [rsp+192], zmm3
//! ...                          =>    ...                       or   ...
//! movdqu xmm5, [rsp+32]              vmovdqa32 zmm5, zmm16          vmovdqu32 zmm5, [rsp+192]
//! ```
//!
//! With AVX-512 there are 16 more registers, of which Cranelift knows nothing: a slot that is not read across a call becomes one of them. Any other
//! one gets 64 bytes of the frame.

use super::{Machine, Part, Registers, Room, Whole, bit};
use iced_x86::{Code, Instruction, MemoryOperand, OpKind, Register};

/// The bytes that a slot gets in the frame.
const ROOM: u32 = 64;
/// The bit of the first slot among those of registers.
const FIRST: usize = 16;
/// The most slots that are followed.
const MOST: usize = Registers::BITS as usize - FIRST;
/// The registers that only AVX-512 has.
const MORE_REGISTERS: usize = 16;

/// The place of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Where the register allocator has put it.
    Same,
    Register(Register),
    /// At this distance from the stack pointer.
    Frame(u32),
}

/// The slots of a function.
#[derive(Clone, Default, Debug)]
pub(super) struct Slots {
    /// The distances from the stack pointer.
    at: Vec<u64>,
    places: Vec<Place>,
}

impl Slots {
    /// The part of an instruction that stores a vector register in a slot or loads one from there; none if it does neither. Slots are as far from the stack
    /// pointer as `first`, or further.
    pub(super) fn part(&mut self, i: &Instruction, first: u32) -> Option<Part> {
        let is_store = match i.code() {
            Code::Movdqu_xmmm128_xmm => true,
            Code::Movdqu_xmm_xmmm128 => false,
            _ => return None,
        };
        let memory = if is_store { i.op0_kind() } else { i.op1_kind() };
        if memory != OpKind::Memory || i.memory_base() != Register::RSP || i.memory_index() != Register::None {
            return None;
        }
        let at = i.memory_displacement64();
        // The sign of the displacement is that of 64 bits.
        if at < u64::from(first) || at > i32::MAX as u64 {
            return None;
        }
        let slot = self.at.iter().position(|&known| known == at).or_else(|| {
            (self.at.len() < MOST).then(|| {
                self.at.push(at);
                self.at.len() - 1
            })
        })?;
        Some(if is_store { Part::Spill(slot as u8) } else { Part::Reload(slot as u8) })
    }

    /// The bit of a slot.
    pub(super) fn bit(slot: u8) -> Registers {
        1 << (FIRST + usize::from(slot))
    }

    /// Gives slots places in `room`; `before` has the state before each instruction of `code`. Gives the bytes of the frame that they need if it has too few.
    pub(super) fn place(&mut self, code: &Machine, before: &[Option<Whole>], room: Room) -> u32 {
        let (mut long, mut crossing, mut used): (Registers, Registers, Registers) = (0, 0, 0);
        for (k, i) in code.all.iter().enumerate() {
            let Some(state) = before[k] else { continue };
            match code.parts[k] {
                Part::Spill(slot) => {
                    let register = bit(i.op1_register()).unwrap_or(0);
                    used |= Slots::bit(slot);
                    if state.half & register != 0 {
                        long |= Slots::bit(slot);
                    }
                }
                Part::Reload(slot) if state.kept & Slots::bit(slot) == 0 => crossing |= Slots::bit(slot),
                _ => {}
            }
        }
        let count = if room.more_registers { MORE_REGISTERS } else { 0 };
        let mut registers = (0..count).map(|n| Register::ZMM16 + n as u32);
        self.places = vec![Place::Same; self.at.len()];
        let mut taken = 0;
        for is_long in [true, false] {
            for (slot, place) in self.places.iter_mut().enumerate() {
                let bit = Slots::bit(slot as u8);
                if used & bit == 0 || (long & bit != 0) != is_long {
                    continue;
                }
                if crossing & bit == 0
                    && let Some(register) = registers.next()
                {
                    *place = Place::Register(register);
                } else if is_long {
                    *place = Place::Frame(room.at + taken);
                    taken += ROOM;
                }
            }
        }
        if taken > room.bytes { taken } else { 0 }
    }

    /// The distances from the stack pointer of the slots that have other places now, and those.
    pub(super) fn replaced(&self) -> Vec<(u64, Place)> {
        let all = self.at.iter().copied().zip(self.places.iter().copied());
        all.filter(|(_, place)| *place != Place::Same).collect()
    }

    /// The move of `bytes` bytes from or to the new place of a slot, instead of `i`. None if the slot has none.
    pub(super) fn moved(&self, i: &Instruction, part: Part, bytes: usize) -> Option<Instruction> {
        let (slot, is_store) = match part {
            Part::Spill(slot) => (slot, true),
            Part::Reload(slot) => (slot, false),
            _ => return None,
        };
        let first = match bytes {
            16 => Register::XMM0,
            32 => Register::YMM0,
            _ => Register::ZMM0,
        };
        let of_length = |register: Register| first + register.number() as u32;
        let register = of_length(if is_store { i.op1_register() } else { i.op0_register() });
        let place = *self.places.get(usize::from(slot))?;
        match place {
            Place::Same => None,
            Place::Register(other) => {
                let code = match bytes {
                    16 => Code::EVEX_Vmovdqa32_xmm_k1z_xmmm128,
                    32 => Code::EVEX_Vmovdqa32_ymm_k1z_ymmm256,
                    _ => Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512,
                };
                let other = of_length(other);
                let (to, from) = if is_store { (other, register) } else { (register, other) };
                Instruction::with2(code, to, from).ok()
            }
            Place::Frame(at) => {
                let memory = MemoryOperand::with_base_displ_size(Register::RSP, i64::from(at), 1);
                let code = match (bytes, is_store) {
                    (16, true) => Code::VEX_Vmovdqu_xmmm128_xmm,
                    (16, false) => Code::VEX_Vmovdqu_xmm_xmmm128,
                    (32, true) => Code::VEX_Vmovdqu_ymmm256_ymm,
                    (32, false) => Code::VEX_Vmovdqu_ymm_ymmm256,
                    (_, true) => Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm,
                    (_, false) => Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512,
                };
                if is_store {
                    Instruction::with2(code, memory, register).ok()
                } else {
                    Instruction::with2(code, register, memory).ok()
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ROOM;
    use crate::locate;
    use crate::wide::{Places, Room, Unfit, widen};
    use iced_x86::{Decoder, OpKind};

    const LONG: u32 = locate::LONG | 5;
    const WIDE: u32 = locate::WIDE | 5;
    const PLAIN: u32 = 5;

    /// `vmovups xmm0, [rdi]`, and back.
    const LOAD: &[u8] = &[0xc5, 0xf8, 0x10, 0x07];
    const STORE: &[u8] = &[0xc5, 0xf8, 0x11, 0x07];
    /// `movdqu [rsp+256], xmm0`, and back.
    const SPILL: &[u8] = &[0xf3, 0x0f, 0x7f, 0x84, 0x24, 0, 1, 0, 0];
    const RELOAD: &[u8] = &[0xf3, 0x0f, 0x6f, 0x84, 0x24, 0, 1, 0, 0];
    const CALL: &[u8] = &[0xe8, 0, 0, 0, 0];
    const RETURN: &[u8] = &[0xc3];

    fn made(code: &[(&[u8], u32)], fixed: &[u32], room: Room) -> Result<String, Unfit> {
        let (mut bytes, mut rows) = (Vec::new(), Vec::new());
        for &(one, location) in code {
            let start = bytes.len() as u32;
            bytes.extend_from_slice(one);
            rows.push((start, bytes.len() as u32, location));
        }
        let made = widen(&bytes, Places { rows: &rows, fixed, blocks: &[] }, Some(room))?;
        let mut text = String::new();
        for i in &mut Decoder::with_ip(64, &made.bytes, 0, 0) {
            text += &format!("{:?}", i.mnemonic());
            for k in 0..i.op_count() {
                match i.op_kind(k) {
                    OpKind::Register => text += &format!(" {:?}", i.op_register(k)),
                    _ => text += &format!(" [{}]", i.memory_displacement64()),
                }
            }
            text.push(';');
        }
        Ok(format!("{}{:?}", text.to_lowercase(), made.replaced))
    }

    #[test]
    fn a_slot_across_a_call_gets_room_in_the_frame() {
        let of = |mark: u32, room: Room| {
            let code = [(LOAD, mark), (SPILL, PLAIN), (CALL, PLAIN), (RELOAD, PLAIN), (STORE, mark), (RETURN, PLAIN)];
            made(&code, &[14], room)
        };
        for more_registers in [false, true] {
            assert_eq!(of(LONG, Room { at: 0, bytes: 0, more_registers }), Err(Unfit::Room(ROOM)));
        }
        let room = Room { at: 128, bytes: ROOM, more_registers: true };
        let stored = "vmovdqu32 [128] zmm0;call [19];vmovdqu32 zmm0 [128];";
        assert!(
            of(LONG, room).is_ok_and(|text| text.contains(stored) && text.ends_with("[(256, Frame(128))]")),
            "{:?}",
            of(LONG, room)
        );
        let stored = "vmovdqu [128] ymm0;";
        assert!(of(WIDE, room).is_ok_and(|text| text.contains(stored)), "{:?}", of(WIDE, room));
        assert_eq!(of(PLAIN, room).map(|text| text.contains("vmovdqu [256] xmm0;")), Ok(true));
    }

    #[test]
    fn arguments_on_the_stack_stay_there() {
        let code = [(LOAD, LONG), (SPILL, PLAIN), (RELOAD, PLAIN), (STORE, LONG), (RETURN, PLAIN)];
        assert_eq!(made(&code, &[], Room { at: 272, bytes: 0, more_registers: true }), Err(Unfit::Never));
    }

    #[test]
    fn a_slot_of_a_loop_becomes_a_register() {
        let code = [(LOAD, LONG), (SPILL, PLAIN), (RELOAD, PLAIN), (STORE, LONG), (RETURN, PLAIN)];
        let text = made(&code, &[], Room { at: 0, bytes: 0, more_registers: true }).unwrap();
        let moves = "vmovdqa32 zmm16 zmm0;vmovdqa32 zmm0 zmm16;";
        assert!(text.contains(moves) && text.ends_with("[(256, Register(ZMM16))]"), "{text}");
        assert_eq!(made(&code, &[], Room::default()), Err(Unfit::Room(ROOM)));
    }

    #[test]
    fn a_slot_is_as_whole_as_all_that_is_stored_there() {
        // `je` around the first store: the slot has half a vector, or a whole one.
        let jump: &[u8] = &[0x0f, 0x84, 9, 0, 0, 0];
        let second: (&[u8], u32) = (&[0xc5, 0xf8, 0x10, 0x0f], PLAIN);
        let other: &[u8] = &[0xf3, 0x0f, 0x7f, 0x8c, 0x24, 0, 1, 0, 0];
        let of = |mark: u32| {
            let code = [
                (LOAD, LONG),
                second,
                (other, PLAIN),
                (jump, PLAIN),
                (SPILL, PLAIN),
                (RELOAD, PLAIN),
                (STORE, mark),
                (RETURN, PLAIN),
            ];
            made(&code, &[], Room { at: 0, bytes: 0, more_registers: true })
        };
        assert_eq!(of(LONG), Err(Unfit::Never));
        assert!(of(PLAIN).is_ok());
    }
}
