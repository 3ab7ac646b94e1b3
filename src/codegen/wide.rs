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
//! Instructions on 64 bytes are longer ([`long`]), and what comes behind them moves ([`moved`]).

mod long;
mod masks;
mod moved;

pub(crate) use moved::Moved;

use crate::locate;
use cranelift_codegen::ir::{Function, Inst};
use cranelift_codegen::isa::TargetIsa;
use iced_x86::{Code, Decoder, DecoderOptions, EncodingKind, FlowControl, Instruction, Mnemonic, OpKind, Register};
use rustc_hash::FxHashMap;
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

/// The immediate of `vpblendw` that stands for [`Part::Join`].
const JOIN: u8 = 0xf0;
/// The immediate of `vpshufd` that stands for [`Part::Twice`].
const TWICE: u8 = 0x44;
/// The bytes by which `vpalignr` moves for [`Part::Exchange`].
const EXCHANGE: u8 = 5;

/// One bit for each of the registers 0 to 15.
type Registers = u16;

/// The registers whose first 32 bytes are those of a vector, and those of which all 64 are.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Whole {
    half: Registers,
    full: Registers,
}

impl Whole {
    /// The registers that are whole in both.
    fn and(self, other: Whole) -> Whole {
        Whole { half: self.half & other.half, full: self.full & other.full }
    }
}

/// The part that an instruction plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// The same operation on each lane.
    Lanewise,
    /// A vector that does not depend on its operands, which are one register: zeros or ones.
    Constant,
    /// It takes its operand, a scalar, to all lanes.
    Broadcast,
    /// The same, but of the 16 bytes that it writes: `vpshufd` with the lower half twice.
    Twice,
    /// The lanes of 16 bytes, each converted to a lane of twice the size.
    Widen,
    /// The lower halves of two registers, one after the other: `vpblendw` of which a half is taken from each.
    Join,
    /// The second 8 bytes and the third change places: `vpalignr` of a register with itself by a number of bytes that no other code asks for.
    Exchange,
    /// Lanes converted to ones of half the size, in 16 bytes.
    Narrow,
    /// A copy of a register by an instruction without AVX, which leaves the upper half behind.
    Copy,
    /// It has to do with scalars only.
    Scalar,
    /// The upper halves are cleared from here on.
    Clear,
    /// Anything else.
    Other,
}

/// Makes operations on 32 and 64 bytes of the marked ones in `bytes`, a function of x86-64. `rows` are the locations of its instructions, in order, and
/// `fixed` the places that the linker fills in. None if that is not possible.
pub(crate) fn widen(bytes: &[u8], rows: &[(u32, u32, u32)], fixed: &[u32]) -> Option<(Vec<u8>, Moved)> {
    let code = Machine::of(bytes, rows)?;
    let before = code.followed()?;
    let mut out = bytes.to_vec();
    let mut instead = FxHashMap::default();
    for (k, i) in code.all.iter().enumerate() {
        // Code that is never reached is as good with 16 bytes.
        let Some(state) = before[k] else { continue };
        let at = i.ip() as usize;
        let place = out.get_mut(at..at + i.len())?;
        match code.judge(k, state) {
            Judgement::Long => _ = instead.insert(k, long::long(i, code.parts[k])?),
            Judgement::Wide if !change(place, code.parts[k]) => return None,
            Judgement::Wrong => return None,
            // Instructions without AVX, which keep the upper half of a register, take hundreds of cycles on some processors while there is one.
            Judgement::Narrow if is_move(i) => _ = encode_with_avx(place, 0),
            Judgement::Wide | Judgement::Narrow => {}
        }
    }
    if instead.is_empty() {
        return Some((out, Moved::default()));
    }
    masks::hold(&code, &mut instead);
    moved::moved(&out, &code.all, &instead, fixed)
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
}

impl Machine {
    /// Reads it; none if it cannot be followed.
    fn of(bytes: &[u8], rows: &[(u32, u32, u32)]) -> Option<Machine> {
        let mut out = Machine {
            all: Vec::new(),
            parts: Vec::new(),
            marked: Vec::new(),
            is_long: false,
            at: FxHashMap::default(),
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
        }
        Some(out)
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
                    FlowControl::IndirectBranch => return None,
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
        if self.parts[k] == Part::Clear || matches!(i.flow_control(), FlowControl::Call | FlowControl::IndirectCall) {
            return Whole::default();
        }
        let Some(written) = written(i) else { return state };
        let judgement = self.judge(k, state);
        let is_zero = self.parts[k] == Part::Constant && is_zero(i);
        let is_half = judgement == Judgement::Wide && self.parts[k] != Part::Narrow;
        let with = |before: Registers, is_whole: bool| if is_whole { before | written } else { before & !written };
        let is_full = is_zero || judgement == Judgement::Long;
        Whole { half: with(state.half, is_full || is_half), full: with(state.full, is_full) }
    }

    /// The bytes on which instruction `k` has to work where the registers of `state` are whole.
    fn judge(&self, k: usize, state: Whole) -> Judgement {
        let (i, part, marked) = (&self.all[k], self.parts[k], self.marked[k]);
        let read = read(i);
        let (any, all, full) = (read & state.half != 0, read & !state.half == 0, read & !state.full == 0);
        let is_marked = marked > SHORT;
        match part {
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
    let first = if written(i).is_some() && !is_fused(i.mnemonic()) { 1 } else { 0 };
    let of = |k: u32| if i.op_kind(k) == OpKind::Register { bit(i.op_register(k)) } else { None };
    (first..i.op_count()).filter_map(of).fold(0, |all, one| all | one)
}

fn writes_memory(i: &Instruction) -> bool {
    i.op_count() > 0 && i.op0_kind() == OpKind::Memory
}

/// Whether the instruction is a product and a sum, which reads the register that it writes.
fn is_fused(m: Mnemonic) -> bool {
    use Mnemonic::*;
    matches!(
        m,
        Vfmadd132ps
            | Vfmadd132pd
            | Vfmadd213ps
            | Vfmadd213pd
            | Vfmadd231ps
            | Vfmadd231pd
            | Vfmsub132ps
            | Vfmsub132pd
            | Vfmsub213ps
            | Vfmsub213pd
            | Vfmsub231ps
            | Vfmsub231pd
            | Vfnmadd132ps
            | Vfnmadd132pd
            | Vfnmadd213ps
            | Vfnmadd213pd
            | Vfnmadd231ps
            | Vfnmadd231pd
            | Vfnmsub132ps
            | Vfnmsub132pd
            | Vfnmsub213ps
            | Vfnmsub213pd
            | Vfnmsub231ps
            | Vfnmsub231pd
    )
}

/// Whether an instruction that depends on nothing gives zeros.
fn is_zero(i: &Instruction) -> bool {
    matches!(i.mnemonic(), Mnemonic::Vpxor | Mnemonic::Vxorps | Mnemonic::Vxorpd)
}

/// The part of an instruction.
fn part(i: &Instruction) -> Part {
    if i.code() == Code::Mfence {
        return Part::Clear;
    }
    let touches = (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Register && bit(i.op_register(k)).is_some());
    if !touches {
        return Part::Scalar;
    }
    let is_copy = matches!(i.code(), Code::Movdqa_xmm_xmmm128 | Code::Movapd_xmm_xmmm128);
    if is_copy && i.op1_kind() == OpKind::Register {
        return Part::Copy;
    }
    if i.encoding() != EncodingKind::VEX {
        // Instructions without AVX leave the upper half as it is, and read none.
        return if i.encoding() == EncodingKind::Legacy { Part::Scalar } else { Part::Other };
    }
    part_of_avx(i)
}

fn part_of_avx(i: &Instruction) -> Part {
    use Mnemonic::*;
    let is_register = |k: u32| i.op_kind(k) == OpKind::Register;
    let same = i.op_count() >= 3 && is_register(2) && i.op1_register() == i.op2_register();
    match i.mnemonic() {
        Vpxor | Vxorps | Vxorpd | Vpcmpeqb | Vpcmpeqw | Vpcmpeqd | Vpcmpeqq if same => Part::Constant,
        Vaddps | Vaddpd | Vsubps | Vsubpd | Vmulps | Vmulpd | Vdivps | Vdivpd | Vminps | Vminpd | Vmaxps | Vmaxpd => {
            Part::Lanewise
        }
        Vsqrtps | Vsqrtpd | Vcvtdq2ps | Vcvttps2dq | Vpabsd | Vroundps | Vroundpd | Vcmpps | Vcmppd => Part::Lanewise,
        Vandps | Vandpd | Vandnps | Vandnpd | Vorps | Vorpd | Vxorps | Vxorpd => Part::Lanewise,
        Vpand | Vpandn | Vpor | Vpxor | Vblendvps | Vblendvpd | Vpblendvb => Part::Lanewise,
        Vpaddd | Vpaddq | Vpsubd | Vpsubq | Vpmulld | Vpmaxsd | Vpminsd | Vpmaxud | Vpminud => Part::Lanewise,
        Vpcmpeqb | Vpcmpeqw | Vpcmpeqd | Vpcmpeqq | Vpcmpgtb | Vpcmpgtw | Vpcmpgtd | Vpcmpgtq => Part::Lanewise,
        // The distance is a constant: that in a register is one for all lanes.
        Vpslld | Vpsllq | Vpsrld | Vpsrlq | Vpsrad if i.op_count() == 3 && i.op2_kind() == OpKind::Immediate8 => {
            Part::Lanewise
        }
        // Moves within 16 bytes, the same in both halves.
        Vpunpcklqdq | Vpunpckhqdq | Vshufps => Part::Lanewise,
        Vpblendw if i.immediate8() != JOIN => Part::Lanewise,
        Vpshufd if i.immediate8() != TWICE => Part::Lanewise,
        Vmovups | Vmovupd | Vmovdqu | Vmovmskps | Vmovmskpd => Part::Lanewise,
        // In memory they would have to stand on multiples of 32 bytes.
        Vmovaps | Vmovapd | Vmovdqa if is_register(0) && is_register(1) => Part::Lanewise,
        m if is_fused(m) => Part::Lanewise,
        Vbroadcastss | Vpbroadcastd => Part::Broadcast,
        Vpblendw => Part::Join,
        Vpalignr if i.immediate8() == EXCHANGE && same => Part::Exchange,
        Vcvtdq2pd | Vcvtps2pd | Vpmovsxdq => Part::Widen,
        Vcvttpd2dq | Vcvtpd2ps => Part::Narrow,
        Vpshufd if is_register(1) => Part::Twice,
        Vmovd | Vmovq | Vmovss | Vmovsd | Vaddss | Vaddsd | Vsubss | Vsubsd | Vmulss | Vmulsd | Vdivss | Vdivsd => {
            Part::Scalar
        }
        Vsqrtss | Vsqrtsd | Vminss | Vminsd | Vmaxss | Vmaxsd | Vcvtss2sd | Vcvtsd2ss | Vcvtsi2ss | Vcvtsi2sd => {
            Part::Scalar
        }
        Vucomiss | Vucomisd | Vcvttss2si | Vcvttsd2si | Vroundss | Vroundsd | Vcmpss | Vcmpsd => Part::Scalar,
        _ => Part::Other,
    }
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
        let (bytes, _) = widen(&bytes, &rows, &[])?;
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
        // A jump to an address in a register leads anywhere.
        assert_eq!(widened(&[LOAD_0, STORE_0, &[0xff, 0xe0]], &[2]), None);
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
