//! Operations under a mask, in place of those on operands that a mask has made zeros of.
//!
//! ```text
//! vmovupd   zmm3 {k2}{z}, zmm3
//! vmovupd   zmm4 {k2}{z}, zmm5
//! vsubpd    zmm3, zmm3, zmm4              vmulpd zmm1 {k3}{z}, zmm1, zmm0
//! vmovupd   zmm1 {k3}{z}, zmm1      =>    vsubpd zmm1 {k2}, zmm3, zmm5
//! vmulpd    zmm1, zmm1, zmm0
//! vblendmpd zmm1 {k2}, zmm1, zmm3
//! ```
//!
//! Lanes outside of the mask have the same bits as before, or a selection leaves them behind. They raise no exceptions, as those of zeros do
//! not. An operand that a mask made zeros of goes if the operation alone has read it. All this is within code without jumps.

use super::long::Instructions;
use super::{Machine, Registers, written};
use iced_x86::{Code, FlowControl, Instruction, Mnemonic, OpKind, Register};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// A register that an instruction has made under a mask, or could.
struct Masked {
    /// The bit of the register.
    register: Registers,
    mask: Register,
    /// The bytes of a lane.
    lane: usize,
    /// The number of the instruction.
    by: usize,
    how: How,
}

enum How {
    /// It is this register where the mask is true, else zeros.
    Move(Register),
    Operation {
        /// The operands that are made zeros of without need if nothing reads lanes outside of the mask.
        operands: SmallVec<[Operand; 2]>,
        /// The operation may take place later.
        can_move: bool,
    },
}

/// The operand of an operation that is a register under a mask.
#[derive(Clone, Copy)]
struct Operand {
    number: u32,
    /// The register without the mask.
    before: Register,
    /// The number of the instruction that has made zeros of it.
    by: usize,
}

/// Makes operations under masks of those in `instead`. Jumps lead to `targets`. The instructions of `code` read the registers `reads`, and those behind each want the registers
/// `wanted`.
pub(super) fn operate(
    code: &Machine,
    instead: &mut FxHashMap<usize, Instructions>,
    targets: &FxHashSet<u64>,
    (reads, wanted): (&[Registers], &[Registers]),
) {
    let mut known = Known { instead, masked: Vec::new(), inverse: Vec::new() };
    for (k, i) in code.all.iter().enumerate() {
        if targets.contains(&i.ip()) || i.flow_control() != FlowControl::Next {
            known.masked.clear();
            known.inverse.clear();
        }
        let found = known.look_at(k, wanted[k]);
        known.forget(k, reads[k], written(i).unwrap_or(0));
        known.masked.extend(found);
    }
}

/// The state before an instruction.
struct Known<'a> {
    instead: &'a mut FxHashMap<usize, Instructions>,
    masked: Vec<Masked>,
    /// Pairs of masks of which each is the other's inverse.
    inverse: Vec<[Register; 2]>,
}

impl Known<'_> {
    /// Changes instruction `k`; gives the register under a mask that it makes.
    fn look_at(&mut self, k: usize, wanted: Registers) -> Option<Masked> {
        let made = self.instead.get(&k)?;
        let x = *made.last()?;
        let register = zmm(&x, 0)?;
        let lane = lane(x.mnemonic())?;
        if let Some(before) = moved(&x) {
            return Some(Masked { register, mask: x.op_mask(), lane, by: k, how: How::Move(before) });
        }
        if made.len() != 1 {
            return None;
        }
        if matches!(x.mnemonic(), Mnemonic::Vblendmps | Mnemonic::Vblendmpd) {
            self.select(k, &x, wanted);
            return None;
        }
        if x.has_op_mask() || !is_arithmetic(x.mnemonic()) {
            return None;
        }
        let mut mask = None;
        let mut operands: SmallVec<[Operand; 2]> = SmallVec::new();
        for number in 1..x.op_count() {
            let Some(of) = zmm(&x, number) else { continue };
            let is_last = wanted & of == 0 || of == register;
            let Some(m) = self.masked.iter().find(|m| m.register == of && m.lane == lane && is_last) else { continue };
            let How::Move(before) = m.how else { continue };
            if *mask.get_or_insert(m.mask) == m.mask {
                operands.push(Operand { number, before, by: m.by });
            }
        }
        let mask = mask?;
        let are_all = operands.len() as u32 == x.op_count() - 1;
        if are_all && of_zeros_is_zero(x.mnemonic()) {
            self.put_under(k, &operands, mask);
            operands.clear();
        }
        let can_move = (1..x.op_count()).all(|n| x.op_kind(n) == OpKind::Register);
        Some(Masked { register, mask, lane, by: k, how: How::Operation { operands, can_move } })
    }

    /// The selection `x`, instruction `k`: lanes that it leaves behind need not be zeros, and an operation under its mask can have the other lanes before.
    fn select(&mut self, k: usize, x: &Instruction, wanted: Registers) {
        let [to, no, yes] = [0, 1, 2].map(|n| zmm(x, n).unwrap_or(0));
        let mask = x.op_mask();
        let is_inverse = |m: Register| self.inverse.iter().any(|p| p.contains(&m) && p.contains(&mask) && m != mask);
        let is_last = |of: Registers| (wanted & of == 0 || of == to) && yes != no;
        let lane = lane(x.mnemonic());
        let find = |of: Registers, is_right: &dyn Fn(Register) -> bool| {
            let fits = |m: &Masked| m.register == of && is_last(of) && Some(m.lane) == lane && is_right(m.mask);
            self.masked.iter().position(fits)
        };
        let found = [find(no, &is_inverse), find(yes, &|m| m == mask)];
        let mut changed = *x;
        let mut other: Option<Instructions> = None;
        for (number, found) in [1, 2].into_iter().zip(found) {
            let Some(m) = found.and_then(|f| self.masked.get(f)) else { continue };
            let (by, mask, into) = (m.by, m.mask, if number == 1 { yes } else { no });
            match &m.how {
                &How::Move(before) => {
                    changed.set_op_register(number, before);
                    self.remove(by);
                }
                How::Operation { operands, can_move } => {
                    let (operands, can_move) = (operands.clone(), *can_move);
                    if !operands.is_empty() {
                        self.put_under(by, &operands, mask);
                    }
                    // The lanes of the other operand stay where they are.
                    if can_move && into == to && other.is_none() && moved_to(self.instead.get(&by)) {
                        let mut operation = self.instead.insert(by, smallvec![]).unwrap_or_default();
                        for x in &mut operation {
                            x.set_op0_register(changed.op0_register());
                            x.set_zeroing_masking(false);
                        }
                        other = Some(operation);
                    }
                }
            }
        }
        self.instead.insert(k, other.unwrap_or_else(|| smallvec![changed]));
    }

    /// Puts the operation `by` under `mask`, with its operands before they were.
    fn put_under(&mut self, by: usize, operands: &[Operand], mask: Register) {
        for o in operands {
            self.remove(o.by);
        }
        for x in self.instead.get_mut(&by).into_iter().flatten() {
            for o in operands {
                x.set_op_register(o.number, o.before);
            }
            x.set_op_mask(mask);
            x.set_zeroing_masking(true);
        }
    }

    /// Removes the move under a mask that is the last one of the instructions `by`, if it is there still.
    fn remove(&mut self, by: usize) {
        if let Some(made) = self.instead.get_mut(&by)
            && made.last().is_some_and(|x| moved(x).is_some())
        {
            made.pop();
        }
    }

    /// Forgets what instruction `k` changes: it reads the registers `read`, and writes `written`.
    fn forget(&mut self, k: usize, read: Registers, written: Registers) {
        // Other readers of a register want all of its lanes.
        self.masked.retain(|m| m.register & (read | written) == 0);
        for x in self.instead.get(&k).into_iter().flatten().filter(|x| x.op0_register().is_k()) {
            let to = x.op0_register();
            self.masked.retain(|m| m.mask != to);
            self.inverse.retain(|p| !p.contains(&to));
            if x.code() == Code::VEX_Knotw_kr_kr {
                self.inverse.push([to, x.op1_register()]);
            }
        }
        let instead = &self.instead;
        self.masked.retain_mut(|m| match &mut m.how {
            How::Move(before) => number(*before).is_none_or(|b| b & written == 0),
            How::Operation { operands, can_move } => {
                let mut of = operands.iter().filter_map(|o| number(o.before));
                let of_before = of.any(|b| b & written != 0);
                let made = instead.get(&m.by).into_iter().flatten();
                let all = made.flat_map(|x| (1..x.op_count()).filter_map(|n| zmm(x, n)));
                *can_move &= !of_before && all.fold(0, |all, one| all | one) & written == 0;
                true
            }
        });
    }
}

/// Whether an operation is one instruction, which can be put elsewhere.
fn moved_to(made: Option<&Instructions>) -> bool {
    made.is_some_and(|made| made.len() == 1 && made[0].has_op_mask())
}

/// The bit of a register of 64 bytes.
fn number(register: Register) -> Option<Registers> {
    register.is_zmm().then(|| 1 << register.number())
}

/// The bit of operand `n`, if it is a register of 64 bytes.
fn zmm(x: &Instruction, n: u32) -> Option<Registers> {
    if n < x.op_count() && x.op_kind(n) == OpKind::Register { number(x.op_register(n)) } else { None }
}

/// The register that `x` moves under a mask, with zeros elsewhere.
fn moved(x: &Instruction) -> Option<Register> {
    let is_move = matches!(x.mnemonic(), Mnemonic::Vmovups | Mnemonic::Vmovupd);
    let under = is_move && x.has_op_mask() && x.zeroing_masking() && x.op1_kind() == OpKind::Register;
    under.then(|| x.op1_register())
}

/// The bytes of the lanes of an instruction that moves, computes or selects.
fn lane(m: Mnemonic) -> Option<usize> {
    use Mnemonic::*;
    match m {
        Vmovups | Vblendmps | Vaddps | Vsubps | Vmulps | Vdivps | Vsqrtps | Vpaddd | Vpsubd | Vpmulld => Some(4),
        Vmovupd | Vblendmpd | Vaddpd | Vsubpd | Vmulpd | Vdivpd | Vsqrtpd | Vpaddq | Vpsubq => Some(8),
        _ => None,
    }
}

fn is_arithmetic(m: Mnemonic) -> bool {
    use Mnemonic::*;
    lane(m).is_some() && !matches!(m, Vmovups | Vmovupd | Vblendmps | Vblendmpd)
}

/// Whether the operation makes a zero of zeros, with no sign.
fn of_zeros_is_zero(m: Mnemonic) -> bool {
    is_arithmetic(m) && !matches!(m, Mnemonic::Vdivps | Mnemonic::Vdivpd)
}

#[cfg(test)]
mod tests {
    use crate::wide::long::tests::{LONG, made};
    use iced_x86::Code::*;
    use iced_x86::Register::*;
    use iced_x86::{Code, Encoder, Instruction, MemoryOperand, Register};

    /// An instruction on registers.
    fn on(code: Code, registers: &[Register]) -> Vec<u8> {
        let mut i = match *registers {
            [a, b, c] => Instruction::with3(code, a, b, c),
            [a, b, c, d] => Instruction::with4(code, a, b, c, d),
            _ => panic!("{registers:?}"),
        };
        encoded(i.as_mut().expect("operands that fit"))
    }

    fn encoded(i: &Instruction) -> Vec<u8> {
        let mut encoder = Encoder::new(64);
        encoder.encode(i, 0).expect("an instruction");
        encoder.take_buffer()
    }

    /// The text of the long instructions for a comparison of zmm0 and zmm9 to a mask in xmm7, and `code`.
    fn text(code: Vec<Vec<u8>>) -> String {
        let at = |base| MemoryOperand::with_base(base);
        let load = |to, base| encoded(&Instruction::with2(VEX_Vmovups_xmm_xmmm128, to, at(base)).expect("a load"));
        let compare = Instruction::with4(VEX_Vcmppd_xmm_xmm_xmmm128_imm8, XMM7, XMM0, XMM9, 1_u32);
        let mut all = vec![load(XMM0, RDI), load(XMM9, RSI), load(XMM5, RCX), encoded(&compare.expect("a comparison"))];
        let begins = all.len();
        all.extend(code);
        all.push(encoded(&Instruction::with2(VEX_Vmovups_xmmm128_xmm, at(RDX), XMM3).expect("a store")));
        all.push(vec![0xc3]);
        let rows: Vec<(&[u8], u32)> = all.iter().map(|bytes| (&bytes[..], LONG)).collect();
        let (text, ..) = made(&rows, &[], &[]).expect("long instructions");
        text.split(';').skip(begins).map(|i| format!("{i};")).collect::<String>().replace("vmovups [] zmm3;ret;;", "")
    }

    fn both_arms() -> Vec<Vec<u8>> {
        vec![
            on(VEX_Vandpd_xmm_xmm_xmmm128, &[XMM2, XMM7, XMM0]),
            on(VEX_Vandpd_xmm_xmm_xmmm128, &[XMM3, XMM7, XMM9]),
            on(VEX_Vsubpd_xmm_xmm_xmmm128, &[XMM2, XMM2, XMM3]),
            on(VEX_Vandnpd_xmm_xmm_xmmm128, &[XMM3, XMM7, XMM9]),
            on(VEX_Vmulpd_xmm_xmm_xmmm128, &[XMM3, XMM3, XMM5]),
            on(VEX_Vblendvpd_xmm_xmm_xmmm128_xmm, &[XMM3, XMM3, XMM2, XMM7]),
        ]
    }

    #[test]
    fn one_arm_goes_over_the_other() {
        let arms = "knotw k3 k2;vmulpd zmm3 zmm9 zmm5 k3z;vsubpd zmm3 zmm0 zmm9 k2;";
        assert_eq!(text(both_arms()), arms);
        // The other arm stays where it is if its operands change before the selection.
        let mut code = both_arms();
        code.insert(4, on(VEX_Vaddpd_xmm_xmm_xmmm128, &[XMM0, XMM5, XMM5]));
        let arms = "vsubpd zmm2 zmm0 zmm9 k2z;knotw k3 k2;vaddpd zmm0 zmm5 zmm5;vmulpd zmm3 zmm9 zmm5 k3z;vblendmpd zmm3 zmm3 zmm2 k2;";
        assert_eq!(text(code), arms);
    }

    #[test]
    fn zeros_that_are_wanted_stay() {
        // A sum takes all lanes of the product, which are zeros of the second operand's signs, or no numbers.
        let mut code = both_arms();
        code.insert(5, on(VEX_Vaddpd_xmm_xmm_xmmm128, &[XMM0, XMM3, XMM5]));
        let made = text(code);
        assert!(made.contains("knotw k3 k2;vmovupd zmm3 zmm9 k3z;vmulpd zmm3 zmm3 zmm5;vaddpd"), "{made}");
        // An operand that something else reads stays, too.
        let mut code = both_arms();
        code.insert(3, on(VEX_Vaddpd_xmm_xmm_xmmm128, &[XMM5, XMM3, XMM5]));
        let made = text(code);
        assert!(made.contains("vmovupd zmm3 zmm9 k2z;vsubpd zmm2 zmm0 zmm3 k2z;vaddpd zmm5 zmm3 zmm5;"), "{made}");
    }

    #[test]
    fn operations_that_make_zeros_of_zeros_need_no_selection() {
        let (and, sqrt) = (VEX_Vandpd_xmm_xmm_xmmm128, VEX_Vsqrtpd_xmm_xmmm128);
        let root = encoded(&Instruction::with2(sqrt, XMM3, XMM2).expect("a root"));
        assert_eq!(text(vec![on(and, &[XMM2, XMM7, XMM0]), root]), "vsqrtpd zmm3 zmm0 k2z;");
        let code = vec![on(and, &[XMM2, XMM7, XMM0]), on(VEX_Vdivpd_xmm_xmm_xmmm128, &[XMM3, XMM2, XMM2])];
        assert_eq!(text(code), "vmovupd zmm2 zmm0 k2z;vdivpd zmm3 zmm2 zmm2;");
    }
}
