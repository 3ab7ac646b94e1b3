//! Masks stay in their own registers as long as those hold them.
//!
//! ```text
//! vcmpltpd  k1, zmm0, zmm2;  vpmovm2q zmm3, k1          vcmpltpd  k2, zmm0, zmm2
//! vandpd    zmm4, zmm3, zmm2                      =>    vmovupd   zmm4 {k2}{z}, zmm2
//! vpmovq2m  k1, zmm3;  vblendmpd zmm3 {k1}, zmm5, zmm4  vblendmpd zmm3 {k2}, zmm5, zmm4
//! ```

use super::long::{Instructions, conjunction, disjunction, selection};
use super::{Machine, Part, Registers, bit, read, under, written};
use iced_x86::{Code, EncodingKind, FlowControl, Instruction, Mnemonic, OpKind, Register};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// The registers that hold masks; the first one is for masks that are used at once.
const HOLDERS: [Register; 6] = [Register::K2, Register::K3, Register::K4, Register::K5, Register::K6, Register::K7];

/// The registers in which procedures get arguments, and return results.
const ARGUMENTS: Registers = 0xff;
const RESULTS: Registers = 0b11;

/// A mask that is in a register of its own, and as ones and zeros in a vector.
struct Held {
    holder: Register,
    /// The register of its inverse.
    inverse: Option<Register>,
    /// The bytes of a lane.
    lane: usize,
}

/// Makes use of masks in their own registers in `instead`, the instructions on 64 bytes that take the place of some of `code`.
pub(super) fn hold(code: &Machine, instead: &mut FxHashMap<usize, Instructions>) {
    let targets: FxHashSet<u64> =
        code.all.iter().filter(|i| is_branch(i)).map(Instruction::near_branch_target).collect();
    let mut held: FxHashMap<Registers, Held> = FxHashMap::default();
    let mut reads: Vec<Registers> = Vec::with_capacity(code.all.len());
    let mut spreads: Vec<(usize, Registers)> = Vec::new();
    let mut holders = HOLDERS.into_iter().cycle();
    for (k, i) in code.all.iter().enumerate() {
        if targets.contains(&i.ip()) {
            held.clear();
        }
        // Zeros and ones depend on nothing, and an instruction without AVX may read the register that it writes.
        let also = written(i).filter(|_| i.encoding() == EncodingKind::Legacy).unwrap_or(0);
        reads.push(if code.parts[k] == Part::Constant { 0 } else { read(i) | also });
        if instead.contains_key(&k)
            && let Some((mask, with_mask)) = with_mask(i, &held).or_else(|| with_inverse(i, &mut held, &mut holders))
        {
            instead.insert(k, with_mask);
            reads[k] &= !mask;
        }
        if let Some(to) = written(i) {
            held.remove(&to);
        }
        if !matches!(i.flow_control(), FlowControl::Next | FlowControl::ConditionalBranch) {
            held.clear();
        }
        // A comparison of a register with itself makes ones, and no mask.
        if let (Some(lane), Some(to)) = (compares(i), written(i))
            && let Some([compare, spread]) = instead.get_mut(&k).map(SmallVec::as_mut_slice)
        {
            let holder = holders.next().unwrap_or(Register::K7);
            give_up(&mut held, holder);
            compare.set_op0_register(holder);
            spread.set_op1_register(holder);
            held.insert(to, Held { holder, inverse: None, lane });
            spreads.push((k, to));
        }
    }
    let wanted = wanted(code, &reads, instead);
    for (k, to) in spreads.into_iter().filter(|&(k, to)| wanted[k] & to == 0) {
        debug_assert_eq!(written(&code.all[k]), Some(to));
        instead.entry(k).and_modify(|made| made.truncate(1));
    }
    under::operate(code, instead, &targets, (&reads, &wanted));
}

/// Has nothing in `holder` any more.
fn give_up(held: &mut FxHashMap<Registers, Held>, holder: Register) {
    held.retain(|_, h| h.holder != holder);
    for h in held.values_mut().filter(|h| h.inverse == Some(holder)) {
        h.inverse = None;
    }
}

/// The vector registers that are read behind each instruction before they are written.
fn wanted(code: &Machine, reads: &[Registers], instead: &FxHashMap<usize, Instructions>) -> Vec<Registers> {
    let mut before: Vec<Registers> = vec![0; code.all.len() + 1];
    // Whatever is behind the code wants everything.
    before[code.all.len()] = Registers::MAX;
    let mut behind: Vec<Registers> = vec![0; code.all.len()];
    loop {
        let mut changed = false;
        for (k, i) in code.all.iter().enumerate().rev() {
            let target = || code.at.get(&i.near_branch_target()).map_or(Registers::MAX, |&t| before[t]);
            behind[k] = match i.flow_control() {
                FlowControl::Next => before[k + 1],
                FlowControl::ConditionalBranch => before[k + 1] | target(),
                FlowControl::UnconditionalBranch => target(),
                FlowControl::Call | FlowControl::IndirectCall => before[k + 1] | ARGUMENTS,
                FlowControl::Return => RESULTS,
                _ => Registers::MAX,
            };
            // Instructions without AVX may leave a part of a register as it was.
            let is_whole = instead.contains_key(&k) || i.encoding() == EncodingKind::VEX;
            let kills = written(i).filter(|_| is_whole).unwrap_or(0);
            let now = reads[k] | (behind[k] & !kills);
            changed |= now != before[k];
            before[k] = now;
        }
        if !changed {
            return behind;
        }
    }
}

fn is_branch(i: &Instruction) -> bool {
    matches!(i.flow_control(), FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch)
}

/// The bytes of the lanes that the instruction compares, if it does.
fn compares(i: &Instruction) -> Option<usize> {
    use Mnemonic::*;
    match i.mnemonic() {
        Vcmpps | Vpcmpeqd | Vpcmpgtd => Some(4),
        Vcmppd | Vpcmpeqq | Vpcmpgtq => Some(8),
        _ => None,
    }
}

/// The instruction with a mask in its own register, and the vector in which it is ones and zeros.
fn with_mask(i: &Instruction, held: &FxHashMap<Registers, Held>) -> Option<(Registers, Instructions)> {
    use Mnemonic::*;
    let of = |k: u32| {
        let register = bit(i.op_register(k))?;
        Some((register, held.get(&register)?))
    };
    match i.mnemonic() {
        Vblendvps | Vblendvpd | Vpblendvb => {
            let (mask, h) = of(3)?;
            let others = [1, 2].iter().filter_map(|&k| bit(i.op_register(k))).fold(0, |all, r| all | r);
            (others & mask == 0).then_some((mask, selection(i, h.holder, h.lane)?))
        }
        Vandps | Vandpd | Vpand => {
            let (operand, (mask, h)) = of(1).map(|m| (2, m)).or_else(|| Some((1, of(2)?)))?;
            (bit(i.op_register(operand)) != Some(mask)).then_some((mask, conjunction(i, operand, h.holder, h.lane)?))
        }
        // Ones are set in a register that has been there before.
        Vorps | Vorpd | Vpor => {
            let (operand, (mask, h)) = of(1).map(|m| (2, m)).or_else(|| Some((1, of(2)?)))?;
            let stays = i.op_kind(operand) == OpKind::Register && i.op_register(operand) == i.op0_register();
            let is_other = stays && bit(i.op0_register()) != Some(mask);
            is_other.then_some((mask, disjunction(i, h.holder, h.lane)?))
        }
        _ => None,
    }
}

/// The second operand of a conjunction where a mask is false, by the inverse of the mask, which the next of the holders gets if none has it.
fn with_inverse(
    i: &Instruction,
    held: &mut FxHashMap<Registers, Held>,
    holders: &mut impl Iterator<Item = Register>,
) -> Option<(Registers, Instructions)> {
    if !matches!(i.mnemonic(), Mnemonic::Vandnps | Mnemonic::Vandnpd | Mnemonic::Vpandn) {
        return None;
    }
    let mask = bit(i.op1_register())?;
    let (holder, lane, inverse) = held.get(&mask).map(|h| (h.holder, h.lane, h.inverse))?;
    if i.op_kind(2) == OpKind::Register && i.op2_register() == i.op1_register() {
        return None;
    }
    if let Some(inverse) = inverse {
        return Some((mask, conjunction(i, 2, inverse, lane)?));
    }
    let free = holders.find(|&h| h != holder)?;
    let mut made: Instructions = smallvec![Instruction::with2(Code::VEX_Knotw_kr_kr, free, holder).ok()?];
    made.extend(conjunction(i, 2, free, lane)?);
    give_up(held, free);
    held.get_mut(&mask)?.inverse = Some(free);
    Some((mask, made))
}
