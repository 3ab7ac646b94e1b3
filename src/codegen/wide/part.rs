//! The part that each instruction plays where vectors get longer.

use super::bit;
use iced_x86::{Code, EncodingKind, Instruction, Mnemonic, OpKind};

/// The immediate of `vpblendw` that stands for [`Part::Join`].
const JOIN: u8 = 0xf0;
/// The immediate of `vpshufd` that stands for [`Part::Twice`].
const TWICE: u8 = 0x44;
/// The bytes by which `vpalignr` moves for [`Part::Exchange`].
const EXCHANGE: u8 = 5;

/// The part that an instruction plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
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
    /// It puts a register into a slot of the stack, or loads it from there.
    Spill(u8),
    Reload(u8),
    /// It takes its operands of 16 bytes, which may be the beginnings of longer ones.
    Short,
    /// It has to do with scalars only.
    Scalar,
    /// The upper halves are cleared from here on.
    Clear,
    /// Anything else.
    Other,
}

/// Whether the instruction is a product and a sum, which reads the register that it writes.
pub(super) fn is_fused(m: Mnemonic) -> bool {
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

/// The same of scalars.
pub(super) fn is_fused_scalar(m: Mnemonic) -> bool {
    use Mnemonic::*;
    matches!(
        m,
        Vfmadd132ss
            | Vfmadd213ss
            | Vfmadd231ss
            | Vfmsub132ss
            | Vfmsub213ss
            | Vfmsub231ss
            | Vfnmadd132ss
            | Vfnmadd213ss
            | Vfnmadd231ss
            | Vfnmsub132ss
            | Vfnmsub213ss
            | Vfnmsub231ss
            | Vfmadd132sd
            | Vfmadd213sd
            | Vfmadd231sd
            | Vfmsub132sd
            | Vfmsub213sd
            | Vfmsub231sd
            | Vfnmadd132sd
            | Vfnmadd213sd
            | Vfnmadd231sd
            | Vfnmsub132sd
            | Vfnmsub213sd
            | Vfnmsub231sd
    )
}

/// Whether an instruction that depends on nothing gives zeros.
pub(super) fn is_zero(i: &Instruction) -> bool {
    matches!(i.mnemonic(), Mnemonic::Vpxor | Mnemonic::Vxorps | Mnemonic::Vxorpd)
}

/// The part of an instruction.
pub(super) fn part(i: &Instruction) -> Part {
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
        Vmovlhps | Vpunpckldq | Vpunpckhdq => Part::Short,
        Vmovd | Vmovq | Vmovss | Vmovsd | Vaddss | Vaddsd | Vsubss | Vsubsd | Vmulss | Vmulsd | Vdivss | Vdivsd => {
            Part::Scalar
        }
        Vsqrtss | Vsqrtsd | Vminss | Vminsd | Vmaxss | Vmaxsd | Vcvtss2sd | Vcvtsd2ss | Vcvtsi2ss | Vcvtsi2sd => {
            Part::Scalar
        }
        Vucomiss | Vucomisd | Vcvttss2si | Vcvttsd2si | Vroundss | Vroundsd | Vcmpss | Vcmpsd => Part::Scalar,
        m if is_fused_scalar(m) => Part::Scalar,
        // One of the lanes of the first 16 bytes.
        Vpextrb | Vpextrw | Vpextrd | Vpextrq | Vextractps => Part::Scalar,
        _ => Part::Other,
    }
}
