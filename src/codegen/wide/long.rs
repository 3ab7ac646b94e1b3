//! Instructions on 64 bytes, for those on 16 of AVX.
//!
//! ```text
//! vaddpd    xmm0, xmm1, [rsi]          vaddpd    zmm0, zmm1, [rsi]
//! vcmpltpd  xmm0, xmm1, xmm2      =>   vcmpltpd  k1, zmm1, zmm2;  vpmovm2q zmm0, k1
//! vblendvpd xmm0, xmm1, xmm2, xmm3     vpmovq2m  k1, zmm3;  vblendmpd zmm0 {k1}, zmm1, zmm2
//! ```
//!
//! A mask of AVX-512 has registers of its own, of which Cranelift uses none: a comparison makes ones and zeros of it at once, as it has
//! them on 16 bytes, and what selects by ones and zeros makes a mask of them.

use super::Part;
use iced_x86::{Code, EncodingKind, Instruction, MemoryOperand, Mnemonic, OpKind, Register};
use smallvec::{SmallVec, smallvec};

/// The instructions that take the place of one.
pub(super) type Instructions = SmallVec<[Instruction; 2]>;

/// The register for masks.
const MASK: Register = Register::K1;
/// The immediate of `vpternlogd` that gives ones.
const ONES: u32 = 0xff;

/// The same on 64 bytes; none if there is no such instruction.
pub(super) fn long(i: &Instruction, part: Part) -> Option<Instructions> {
    use Mnemonic::*;
    match part {
        Part::Constant => {
            let to = whole(i.op0_register());
            let code = Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8;
            return Some(smallvec![Instruction::with4(code, to, to, to, ONES).ok()?]);
        }
        Part::Twice => {
            let code = Code::EVEX_Vbroadcastsd_zmm_k1z_xmmm64;
            return Some(smallvec![Instruction::with2(code, whole(i.op0_register()), i.op1_register()).ok()?]);
        }
        Part::Join => {
            let code = Code::EVEX_Vinsertf64x4_zmm_k1z_zmm_ymmm256_imm8;
            let [to, low] = [0, 1].map(|k| whole(i.op_register(k)));
            let high = Register::YMM0 + i.op2_register().number() as u32;
            return (i.op2_kind() == OpKind::Register)
                .then_some(smallvec![Instruction::with4(code, to, low, high, 1_u32).ok()?]);
        }
        Part::Copy => {
            let code = Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512;
            let (to, from) = (whole(i.op0_register()), whole(i.op1_register()));
            return Some(smallvec![Instruction::with2(code, to, from).ok()?]);
        }
        Part::Lanewise | Part::Broadcast => {}
        _ => return None,
    }
    match i.mnemonic() {
        Vcmpps => compared(i, Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae, Code::EVEX_Vpmovm2d_zmm_kr),
        Vcmppd => compared(i, Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae, Code::EVEX_Vpmovm2q_zmm_kr),
        Vpcmpeqd => compared(i, Code::EVEX_Vpcmpeqd_kr_k1_zmm_zmmm512b32, Code::EVEX_Vpmovm2d_zmm_kr),
        Vpcmpeqq => compared(i, Code::EVEX_Vpcmpeqq_kr_k1_zmm_zmmm512b64, Code::EVEX_Vpmovm2q_zmm_kr),
        Vpcmpgtd => compared(i, Code::EVEX_Vpcmpgtd_kr_k1_zmm_zmmm512b32, Code::EVEX_Vpmovm2d_zmm_kr),
        Vpcmpgtq => compared(i, Code::EVEX_Vpcmpgtq_kr_k1_zmm_zmmm512b64, Code::EVEX_Vpmovm2q_zmm_kr),
        Vblendvps => selected(i, Code::EVEX_Vpmovd2m_kr_zmm, Code::EVEX_Vblendmps_zmm_k1z_zmm_zmmm512b32),
        Vblendvpd => selected(i, Code::EVEX_Vpmovq2m_kr_zmm, Code::EVEX_Vblendmpd_zmm_k1z_zmm_zmmm512b64),
        Vpblendvb => selected(i, Code::EVEX_Vpmovb2m_kr_zmm, Code::EVEX_Vpblendmb_zmm_k1z_zmm_zmmm512),
        Vmovmskps => signs(i, Code::EVEX_Vpmovd2m_kr_zmm, Code::VEX_Kmovw_r32_kr),
        Vmovmskpd => signs(i, Code::EVEX_Vpmovq2m_kr_zmm, Code::VEX_Kmovb_r32_kr),
        _ => {
            let source = if part == Part::Broadcast { 1 } else { u32::MAX };
            Some(smallvec![with_code(i, code(i)?, source)])
        }
    }
}

/// The register of 64 bytes of which `register` is the beginning; any other register itself.
fn whole(register: Register) -> Register {
    if register.is_xmm() { Register::ZMM0 + (register as u32 - Register::XMM0 as u32) } else { register }
}

/// `i` with another code and its registers whole, but for operand `scalar`.
fn with_code(i: &Instruction, code: Code, scalar: u32) -> Instruction {
    let mut out = *i;
    out.set_code(code);
    for k in (0..i.op_count()).filter(|&k| k != scalar && i.op_kind(k) == OpKind::Register) {
        out.set_op_register(k, whole(i.op_register(k)));
    }
    shorten(&mut out);
    out
}

/// Asks for a displacement of one byte, which counts multiples of the operand's bytes; the encoder takes four bytes where that does not fit.
fn shorten(i: &mut Instruction) {
    if i.memory_displ_size() != 0 && !i.is_ip_rel_memory_operand() {
        i.set_memory_displ_size(1);
    }
}

/// A comparison to a mask, and the ones and zeros of that.
fn compared(i: &Instruction, compare: Code, spread: Code) -> Option<Instructions> {
    let mut first = with_code(i, compare, 0);
    first.set_op0_register(MASK);
    Some(smallvec![first, Instruction::with2(spread, whole(i.op0_register()), MASK).ok()?])
}

/// The mask of the signs of the fourth operand, and the lanes of the third where it is true, else those of the second.
fn selected(i: &Instruction, gather: Code, select: Code) -> Option<Instructions> {
    let first = Instruction::with2(gather, MASK, whole(i.op_register(3))).ok()?;
    let (to, no) = (whole(i.op0_register()), whole(i.op1_register()));
    if i.op_kind(2) != OpKind::Register {
        return None;
    }
    let mut second = Instruction::with3(select, to, no, whole(i.op_register(2))).ok()?;
    second.set_op_mask(MASK);
    Some(smallvec![first, second])
}

/// The selection `i` by a mask in its own register.
pub(super) fn selection(i: &Instruction, mask: Register, lane: usize) -> Option<Instructions> {
    if i.op_kind(2) != OpKind::Register {
        return None;
    }
    let code = match lane {
        4 => Code::EVEX_Vblendmps_zmm_k1z_zmm_zmmm512b32,
        _ => Code::EVEX_Vblendmpd_zmm_k1z_zmm_zmmm512b64,
    };
    let [to, no, yes] = [0, 1, 2].map(|k| whole(i.op_register(k)));
    let mut out = Instruction::with3(code, to, no, yes).ok()?;
    out.set_op_mask(mask);
    Some(smallvec![out])
}

/// The operand `operand` of the conjunction `i` where a mask in its own register is true, else zeros.
pub(super) fn conjunction(i: &Instruction, operand: u32, mask: Register, lane: usize) -> Option<Instructions> {
    let code = match lane {
        4 => Code::EVEX_Vmovups_zmm_k1z_zmmm512,
        _ => Code::EVEX_Vmovupd_zmm_k1z_zmmm512,
    };
    let to = whole(i.op0_register());
    let mut out = match i.op_kind(operand) {
        OpKind::Register => Instruction::with2(code, to, whole(i.op_register(operand))).ok()?,
        OpKind::Memory => {
            let mut at = *i;
            shorten(&mut at);
            let place = MemoryOperand::new(
                at.memory_base(),
                at.memory_index(),
                at.memory_index_scale(),
                at.memory_displacement64() as i64,
                at.memory_displ_size(),
                false,
                at.segment_prefix(),
            );
            Instruction::with2(code, to, place).ok()?
        }
        _ => return None,
    };
    out.set_op_mask(mask);
    out.set_zeroing_masking(true);
    Some(smallvec![out])
}

/// The register that `i` writes with ones where a mask in its own register is true.
pub(super) fn disjunction(i: &Instruction, mask: Register, lane: usize) -> Option<Instructions> {
    let code = match lane {
        4 => Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8,
        _ => Code::EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8,
    };
    let to = whole(i.op0_register());
    let mut out = Instruction::with4(code, to, to, to, ONES).ok()?;
    out.set_op_mask(mask);
    Some(smallvec![out])
}

/// The signs of the lanes as bits.
fn signs(i: &Instruction, gather: Code, to_integer: Code) -> Option<Instructions> {
    let first = Instruction::with2(gather, MASK, whole(i.op1_register())).ok()?;
    let to = i.op0_register().full_register32();
    Some(smallvec![first, Instruction::with2(to_integer, to, MASK).ok()?])
}

/// The code on 64 bytes of an instruction that is one.
fn code(i: &Instruction) -> Option<Code> {
    use Code::*;
    use Mnemonic::*;
    debug_assert_eq!(i.encoding(), EncodingKind::VEX);
    let stores = i.op0_kind() == OpKind::Memory;
    Some(match i.mnemonic() {
        Vmovups | Vmovupd if stores => EVEX_Vmovups_zmmm512_k1z_zmm,
        Vmovups | Vmovupd => EVEX_Vmovups_zmm_k1z_zmmm512,
        Vmovdqu if stores => EVEX_Vmovdqu32_zmmm512_k1z_zmm,
        Vmovdqu => EVEX_Vmovdqu32_zmm_k1z_zmmm512,
        Vaddps => EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er,
        Vaddpd => EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er,
        Vsubps => EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er,
        Vsubpd => EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er,
        Vmulps => EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er,
        Vmulpd => EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er,
        Vdivps => EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er,
        Vdivpd => EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er,
        Vminps => EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae,
        Vminpd => EVEX_Vminpd_zmm_k1z_zmm_zmmm512b64_sae,
        Vmaxps => EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae,
        Vmaxpd => EVEX_Vmaxpd_zmm_k1z_zmm_zmmm512b64_sae,
        Vsqrtps => EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er,
        Vsqrtpd => EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er,
        Vcvtdq2ps => EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er,
        Vcvttps2dq => EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae,
        Vpabsd => EVEX_Vpabsd_zmm_k1z_zmmm512b32,
        Vroundps => EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae,
        Vroundpd => EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae,
        Vandps => EVEX_Vandps_zmm_k1z_zmm_zmmm512b32,
        Vandpd => EVEX_Vandpd_zmm_k1z_zmm_zmmm512b64,
        Vandnps => EVEX_Vandnps_zmm_k1z_zmm_zmmm512b32,
        Vandnpd => EVEX_Vandnpd_zmm_k1z_zmm_zmmm512b64,
        Vorps => EVEX_Vorps_zmm_k1z_zmm_zmmm512b32,
        Vorpd => EVEX_Vorpd_zmm_k1z_zmm_zmmm512b64,
        Vxorps => EVEX_Vxorps_zmm_k1z_zmm_zmmm512b32,
        Vxorpd => EVEX_Vxorpd_zmm_k1z_zmm_zmmm512b64,
        Vpand => EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32,
        Vpandn => EVEX_Vpandnd_zmm_k1z_zmm_zmmm512b32,
        Vpor => EVEX_Vpord_zmm_k1z_zmm_zmmm512b32,
        Vpxor => EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32,
        Vpaddd => EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32,
        Vpsubd => EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32,
        Vpmulld => EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32,
        Vpmaxsd => EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32,
        Vpminsd => EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32,
        Vpmaxud => EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32,
        Vpminud => EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32,
        Vpaddq => EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64,
        Vpsubq => EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64,
        Vpunpcklqdq => EVEX_Vpunpcklqdq_zmm_k1z_zmm_zmmm512b64,
        Vpunpckhqdq => EVEX_Vpunpckhqdq_zmm_k1z_zmm_zmmm512b64,
        Vpslld => EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8,
        Vpsllq => EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8,
        Vpsrld => EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8,
        Vpsrlq => EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8,
        Vpsrad => EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8,
        Vshufps => EVEX_Vshufps_zmm_k1z_zmm_zmmm512b32_imm8,
        Vpshufd => EVEX_Vpshufd_zmm_k1z_zmmm512b32_imm8,
        Vmovaps => EVEX_Vmovaps_zmm_k1z_zmmm512,
        Vmovapd => EVEX_Vmovapd_zmm_k1z_zmmm512,
        Vmovdqa => EVEX_Vmovdqa32_zmm_k1z_zmmm512,
        Vfmadd132ps => EVEX_Vfmadd132ps_zmm_k1z_zmm_zmmm512b32_er,
        Vfmadd132pd => EVEX_Vfmadd132pd_zmm_k1z_zmm_zmmm512b64_er,
        Vfmadd213ps => EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er,
        Vfmadd213pd => EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er,
        Vfmadd231ps => EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er,
        Vfmadd231pd => EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er,
        Vfmsub132ps => EVEX_Vfmsub132ps_zmm_k1z_zmm_zmmm512b32_er,
        Vfmsub132pd => EVEX_Vfmsub132pd_zmm_k1z_zmm_zmmm512b64_er,
        Vfmsub213ps => EVEX_Vfmsub213ps_zmm_k1z_zmm_zmmm512b32_er,
        Vfmsub213pd => EVEX_Vfmsub213pd_zmm_k1z_zmm_zmmm512b64_er,
        Vfmsub231ps => EVEX_Vfmsub231ps_zmm_k1z_zmm_zmmm512b32_er,
        Vfmsub231pd => EVEX_Vfmsub231pd_zmm_k1z_zmm_zmmm512b64_er,
        Vfnmadd132ps => EVEX_Vfnmadd132ps_zmm_k1z_zmm_zmmm512b32_er,
        Vfnmadd132pd => EVEX_Vfnmadd132pd_zmm_k1z_zmm_zmmm512b64_er,
        Vfnmadd213ps => EVEX_Vfnmadd213ps_zmm_k1z_zmm_zmmm512b32_er,
        Vfnmadd213pd => EVEX_Vfnmadd213pd_zmm_k1z_zmm_zmmm512b64_er,
        Vfnmadd231ps => EVEX_Vfnmadd231ps_zmm_k1z_zmm_zmmm512b32_er,
        Vfnmadd231pd => EVEX_Vfnmadd231pd_zmm_k1z_zmm_zmmm512b64_er,
        Vfnmsub132ps => EVEX_Vfnmsub132ps_zmm_k1z_zmm_zmmm512b32_er,
        Vfnmsub132pd => EVEX_Vfnmsub132pd_zmm_k1z_zmm_zmmm512b64_er,
        Vfnmsub213ps => EVEX_Vfnmsub213ps_zmm_k1z_zmm_zmmm512b32_er,
        Vfnmsub213pd => EVEX_Vfnmsub213pd_zmm_k1z_zmm_zmmm512b64_er,
        Vfnmsub231ps => EVEX_Vfnmsub231ps_zmm_k1z_zmm_zmmm512b32_er,
        Vfnmsub231pd => EVEX_Vfnmsub231pd_zmm_k1z_zmm_zmmm512b64_er,
        Vbroadcastss => EVEX_Vbroadcastss_zmm_k1z_xmmm32,
        Vpbroadcastd => EVEX_Vpbroadcastd_zmm_k1z_xmmm32,
        _ => return None,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use crate::locate;
    use crate::wide::{Moved, Places, Widened, widen};
    use iced_x86::{Decoder, OpKind};

    pub(in crate::wide) const LONG: u32 = locate::LONG | 5;
    const WIDE: u32 = locate::WIDE | 5;
    const PLAIN: u32 = 5;

    const LOAD_0: &[u8] = &[0xc5, 0xf8, 0x10, 0x07];
    const LOAD_9: &[u8] = &[0xc5, 0x78, 0x10, 0x0f];
    const ADD_0_0_9: &[u8] = &[0xc4, 0xc1, 0x79, 0x58, 0xc1];
    const STORE_0: &[u8] = &[0xc5, 0xf8, 0x11, 0x07];
    const RETURN: &[u8] = &[0xc3];

    /// The text of `code`, each piece with its location, on 64 bytes; none if that is given up.
    pub(in crate::wide) fn made(
        code: &[(&[u8], u32)],
        behind: &[u8],
        fixed: &[u32],
    ) -> Option<(String, Vec<u8>, Moved)> {
        let (mut bytes, mut rows) = (Vec::new(), Vec::new());
        for &(one, location) in code {
            let start = bytes.len() as u32;
            bytes.extend_from_slice(one);
            rows.push((start, bytes.len() as u32, location));
        }
        let end = bytes.len() as u32;
        bytes.extend_from_slice(behind);
        let Widened { bytes, moved, .. } = widen(&bytes, Places { rows: &rows, fixed, blocks: &[] }, None).ok()?;
        let mut text = String::new();
        for i in &mut Decoder::with_ip(64, &bytes[..moved.end(end) as usize], 0, 0) {
            text += &format!("{:?}", i.mnemonic());
            for k in 0..i.op_count() {
                match i.op_kind(k) {
                    OpKind::Register => text += &format!(" {:?}", i.op_register(k)),
                    OpKind::NearBranch64 => text += &format!(" {:x}", i.near_branch_target()),
                    _ if i.is_ip_rel_memory_operand() => text += &format!(" [{:x}]", i.ip_rel_memory_address()),
                    _ => text += " []",
                }
            }
            if i.has_op_mask() {
                text += &format!(" {:?}{}", i.op_mask(), if i.zeroing_masking() { "z" } else { "" });
            }
            text.push(';');
        }
        Some((text.to_lowercase(), bytes, moved))
    }

    #[test]
    fn what_stands_behind_longer_instructions_moves() {
        // `je` to the return, `vmovsd` of a constant behind the code, and `vmovsd` of one that the linker knows.
        let jump: &[u8] = &[0x0f, 0x84, 0x19, 0, 0, 0];
        let own: &[u8] = &[0xc5, 0xfb, 0x10, 0x15, 9, 0, 0, 0];
        let linked: &[u8] = &[0xc5, 0xfb, 0x10, 0x1d, 0, 0, 0, 0];
        let code = [(jump, PLAIN), (LOAD_0, LONG), (ADD_0_0_9, PLAIN), (own, PLAIN), (linked, PLAIN), (RETURN, PLAIN)];
        let constant = [1, 2, 3, 4, 5, 6, 7, 8];
        let (text, bytes, moved) = made(&code, &constant, &[27]).unwrap();
        assert_eq!(
            text, "je 21;vmovups zmm0 [];vaddpd xmm0 xmm0 xmm9;vmovsd xmm2 [60];vmovsd xmm3 [21];ret;",
            "the constant keeps its place in a line of 64 bytes"
        );
        assert_eq!(bytes[0x60..], constant);
        assert_eq!([6, 10, 27, 31, 32].map(|at| moved.at(at)), [6, 12, 29, 33, 0x60]);
        assert_eq!(moved.end(32), 34);
        // Jumps of two bytes do not reach everywhere.
        assert!(made(&[(&[0x74, 0x04], PLAIN), (LOAD_0, LONG), (RETURN, PLAIN)], &[], &[]).is_none());
    }

    #[test]
    fn only_whole_registers_are_worked_on() {
        let of = |load: u32, add: u32, store: u32| {
            let code = [(LOAD_0, load), (LOAD_9, LONG), (ADD_0_0_9, add), (STORE_0, store), (RETURN, PLAIN)];
            made(&code, &[], &[]).map(|made| made.0)
        };
        let all = "vmovups zmm0 [];vmovups zmm9 [];vaddpd zmm0 zmm0 zmm9;vmovups [] zmm0;ret;";
        assert_eq!(of(LONG, LONG, LONG).as_deref(), Some(all));
        assert_eq!(of(LONG, PLAIN, LONG).as_deref(), Some(all), "the mark of an operation is not needed");
        assert_eq!(of(WIDE, LONG, LONG), None);
        assert_eq!(of(WIDE, PLAIN, LONG), None);
        let half = of(WIDE, PLAIN, WIDE).unwrap();
        assert_eq!(half, "vmovups ymm0 [];vmovups zmm9 [];vaddpd ymm0 ymm0 ymm9;vmovups [] ymm0;ret;");
        let call: &[u8] = &[0xe8, 0, 0, 0, 0];
        assert!(made(&[(LOAD_0, LONG), (call, PLAIN), (STORE_0, LONG), (RETURN, PLAIN)], &[], &[5]).is_none());
    }

    #[test]
    fn masks_have_registers_of_their_own() {
        // `vcmpltpd xmm1, xmm0, xmm9`, `vandpd xmm2, xmm1, xmm9`, `vblendvpd xmm0, xmm9, xmm2, xmm1` and `vmovmskpd eax, xmm1`.
        let compare: &[u8] = &[0xc4, 0xc1, 0x79, 0xc2, 0xc9, 1];
        let and: &[u8] = &[0xc4, 0xc1, 0x71, 0x54, 0xd1];
        let select: &[u8] = &[0xc4, 0xe3, 0x31, 0x4b, 0xc2, 0x10];
        let signs: &[u8] = &[0xc5, 0xf9, 0x50, 0xc1];
        let clear: &[u8] = &[0xc5, 0xf1, 0xef, 0xc9];
        let of = |last: &[u8]| {
            let code = [
                (LOAD_0, LONG),
                (LOAD_9, LONG),
                (compare, LONG),
                (and, LONG),
                (select, LONG),
                (last, LONG),
                (STORE_0, LONG),
                (RETURN, PLAIN),
            ];
            made(&code, &[], &[]).unwrap().0
        };
        // Lanes that the selection leaves behind need not be zeros.
        let ends = |text: &str| format!("vblendmpd zmm0 zmm9 zmm9 k2;{text}vmovups [] zmm0;ret;");
        let begin = "vmovups zmm0 [];vmovups zmm9 [];vcmppd k2 zmm0 zmm9 [];";
        // Ones and zeros are made of the mask where something else wants them.
        assert_eq!(of(signs), format!("{begin}vpmovm2q zmm1 k2;{}", ends("vpmovq2m k1 zmm1;kmovb eax k1;")));
        assert_eq!(of(clear), format!("{begin}{}", ends("vpxor xmm1 xmm1 xmm1;")));
    }
}
