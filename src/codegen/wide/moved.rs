//! Code in which some instructions got longer.

use super::Machine;
use super::long::Instructions;
use iced_x86::{Encoder, FlowControl, Instruction};
use rustc_hash::FxHashMap;

/// Constants behind the code stand on a multiple of this number of bytes, and still do when it got longer.
const LINE: u32 = 64;
/// A byte that is never executed: an interrupt.
const FILLER: u8 = 0xcc;

/// The new places of instructions, by their old ones.
#[derive(Clone, Default, Debug)]
pub(crate) struct Moved {
    /// The old and the new beginning of each instruction, and those of the constants behind the code; empty if nothing has moved.
    places: Vec<(u32, u32)>,
    /// The end of the code now.
    end: u32,
}

impl Moved {
    /// The new place of `old`. One within an instruction keeps its distance from the end: that of an address which the linker fills in.
    pub(crate) fn at(&self, old: u32) -> u32 {
        let after = self.places.partition_point(|p| p.0 < old);
        match self.places.get(after) {
            Some(&(from, to)) => to - (from - old),
            None => self.places.last().map_or(old, |&(from, to)| to + (old - from)),
        }
    }

    /// The new place of `old`, which ends a piece of code.
    pub(crate) fn end(&self, old: u32) -> u32 {
        if self.places.last().is_some_and(|p| p.0 == old) { self.end } else { self.at(old) }
    }
}

/// An instruction in its place.
struct Piece {
    /// The bytes now; the old ones if nothing has changed.
    bytes: Vec<u8>,
    /// The place, from its end, of four bytes with the distance to a place of the code, and that place.
    target: Option<(usize, u32)>,
}

/// Puts the instructions `instead` in place of those with their numbers. `fixed` are the places in `bytes` that the linker fills in, in order. None if
/// that is not possible.
pub(super) fn moved(
    bytes: &[u8],
    code: &Machine,
    instead: &FxHashMap<usize, Instructions>,
    fixed: &[u32],
) -> Option<(Vec<u8>, Moved)> {
    let all = &code.all;
    let mut encoder = Encoder::new(64);
    let mut pieces: Vec<Piece> = Vec::with_capacity(all.len());
    for (k, i) in all.iter().enumerate() {
        let (from, to) = (i.ip() as u32, i.next_ip() as u32);
        let after = fixed.partition_point(|&at| at < from);
        let is_fixed = fixed.get(after).is_some_and(|&at| at < to);
        let mut piece = Piece { bytes: bytes.get(from as usize..to as usize)?.to_vec(), target: None };
        if let Some(instead) = instead.get(&k) {
            piece.bytes.clear();
            for x in instead {
                encoder.encode(x, i.ip()).ok()?;
                piece.bytes.extend(encoder.take_buffer());
            }
        }
        if !is_fixed {
            piece.target = target(i)?;
        }
        pieces.push(piece);
    }
    let mut places: Vec<(u32, u32)> = Vec::with_capacity(all.len() + code.tables.len() + 1);
    let (mut old_end, mut end) = (0, 0);
    let mut tables = code.tables.iter().peekable();
    for (k, (i, piece)) in all.iter().zip(&pieces).enumerate() {
        places.push((i.ip() as u32, end));
        old_end = i.next_ip() as u32;
        end += piece.bytes.len() as u32;
        if let Some(table) = tables.next_if(|t| t.jump == k) {
            places.push((table.at, end));
            old_end = table.at + table.bytes();
            end += table.bytes();
        }
    }
    let rest = bytes.get(old_end as usize..)?;
    let new_end = if rest.is_empty() { end } else { old_end + end.saturating_sub(old_end).next_multiple_of(LINE) };
    places.push((old_end, new_end));
    let moved = Moved { places, end };
    let mut out = Vec::with_capacity(new_end as usize + rest.len());
    let mut tables = code.tables.iter().peekable();
    for (k, piece) in pieces.iter().enumerate() {
        out.extend_from_slice(&piece.bytes);
        if let Some((from_end, to)) = piece.target {
            let at = out.len().checked_sub(from_end)?;
            let distance = moved.at(to).wrapping_sub(out.len() as u32);
            out.get_mut(at..at + 4)?.copy_from_slice(&distance.to_le_bytes());
        }
        if let Some(table) = tables.next_if(|t| t.jump == k) {
            let start = out.len() as u32;
            out.extend(table.to.iter().flat_map(|&to| moved.at(to).wrapping_sub(start).to_le_bytes()));
        }
    }
    out.resize(new_end as usize, FILLER);
    out.extend_from_slice(rest);
    Some((out, moved))
}

/// The place of the code that an instruction names by its distance, if it does: how far from the end of the instruction this stands, and that place.
/// None if the distance has not four bytes.
fn target(i: &Instruction) -> Option<Option<(usize, u32)>> {
    if matches!(i.flow_control(), FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch | FlowControl::Call)
    {
        return (i.len() >= 5).then_some(Some((4, i.near_branch_target() as u32)));
    }
    if !i.is_ip_rel_memory_operand() {
        return Some(None);
    }
    // An immediate value stands behind the displacement.
    let immediate: usize = (0..i.op_count()).map(|k| immediate_bytes(i, k)).sum();
    Some(Some((4 + immediate, i.ip_rel_memory_address() as u32)))
}

fn immediate_bytes(i: &Instruction, k: u32) -> usize {
    use iced_x86::OpKind::*;
    match i.op_kind(k) {
        Immediate8 | Immediate8_2nd | Immediate8to16 | Immediate8to32 | Immediate8to64 => 1,
        Immediate16 => 2,
        Immediate32 | Immediate32to64 => 4,
        _ => 0,
    }
}
