//! Edges between the blocks of machine code.
//!
//! Cranelift 0.135 gives the edges of a procedure by numbers of blocks, with the places at which blocks were *emitted*.
//! The two disagree as soon as a cold block was moved to the end, and then edges start at the wrong blocks
//! (`VCode::emit` fills `bb_starts` in one order and reads it in the other). The places where blocks begin are right,
//! so for such procedures the edges are read from the branches.

use cranelift_codegen::CompiledCode;
use cranelift_codegen::ir::Function;
use iced_x86::{Decoder, DecoderOptions, FlowControl};
use smallvec::SmallVec;
use target_lexicon::{Architecture, Triple};

/// The ways that control may go from an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    /// To the next instruction only.
    Next,
    /// To a place, or to the next instruction.
    Branch(u64),
    /// To a place.
    Jump(u64),
    /// To the places of a table.
    Table,
    /// To no place in this procedure.
    End,
}

/// Reads the first instruction of code, given its place: returns its size, and where it leads.
type Read = fn(&[u8], u64) -> Option<(u64, Flow)>;

/// Makes the edges of the code right.
pub(crate) fn mend(code: &mut CompiledCode, func: &Function, triple: &Triple) {
    let has_cold = func.layout.blocks().any(|b| func.is_effectively_cold(b));
    let read: Read = match triple.architecture {
        Architecture::X86_64 => x86_64,
        Architecture::Aarch64(_) => aarch64,
        _ => return,
    };
    if !has_cold || code.bb_starts.is_empty() {
        return;
    }
    let mut starts = code.bb_starts.clone();
    starts.sort_unstable();
    starts.dedup();
    let tables = tables(&code.bb_edges);
    code.bb_edges = edges(code.code_buffer(), &starts, &tables, read);
}

/// The targets of jumps through tables, as far as Cranelift's edges show them: those of all blocks with more than two
/// successors.
fn tables(edges: &[(u32, u32)]) -> Vec<u32> {
    let of_many = edges.chunk_by(|a, b| a.0 == b.0).filter(|of| of.len() > 2);
    let mut out: Vec<u32> = of_many.flatten().map(|e| e.1).collect();
    out.sort_unstable();
    out.dedup();
    out
}

fn edges(code: &[u8], starts: &[u32], tables: &[u32], read: Read) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).map_or(code.len() as u64, |&e| e.into());
        let mut to: SmallVec<[u32; 4]> = SmallVec::new();
        let (mut at, mut goes_on) = (u64::from(start), true);
        while goes_on && at < end {
            let Some((size, flow)) = code.get(at as usize..).and_then(|rest| read(rest, at)) else { break };
            goes_on = matches!(flow, Flow::Next | Flow::Branch(_));
            match flow {
                Flow::Branch(target) | Flow::Jump(target) => to.extend(u32::try_from(target)),
                Flow::Table => to.extend_from_slice(tables),
                Flow::Next | Flow::End => {}
            }
            at += size;
        }
        to.extend(starts.get(i + 1).copied().filter(|_| goes_on));
        to.sort_unstable();
        to.dedup();
        // Traps stand behind the blocks.
        out.extend(to.into_iter().filter(|t| starts.binary_search(t).is_ok()).map(|t| (start, t)));
    }
    out
}

/// The size of the first instruction, which stands at `at`, and where it leads.
fn x86_64(code: &[u8], at: u64) -> Option<(u64, Flow)> {
    let mut decoder = Decoder::with_ip(64, code, at, DecoderOptions::NONE);
    let instruction = decoder.decode();
    let flow = match instruction.flow_control() {
        FlowControl::Next | FlowControl::Call | FlowControl::IndirectCall => Flow::Next,
        FlowControl::ConditionalBranch => Flow::Branch(instruction.near_branch_target()),
        FlowControl::UnconditionalBranch => Flow::Jump(instruction.near_branch_target()),
        FlowControl::IndirectBranch => Flow::Table,
        FlowControl::Return | FlowControl::Exception | FlowControl::Interrupt | FlowControl::XbeginXabortXend => {
            Flow::End
        }
    };
    (!instruction.is_invalid()).then_some((instruction.len() as u64, flow))
}

fn aarch64(code: &[u8], at: u64) -> Option<(u64, Flow)> {
    let word = u32::from_le_bytes(code.get(..4)?.try_into().ok()?);
    // The offset in instructions: a signed field of `bits` bits from bit `from` on.
    let target = |from: u32, bits: u32| {
        let field = i64::from((word << (32 - from - bits)) as i32 >> (32 - bits));
        at.wrapping_add_signed(field * 4)
    };
    let flow = match word {
        w if w & 0xfc00_0000 == 0x1400_0000 => Flow::Jump(target(0, 26)),
        w if w & 0xff00_0010 == 0x5400_0000 || w & 0x7e00_0000 == 0x3400_0000 => Flow::Branch(target(5, 19)),
        w if w & 0x7e00_0000 == 0x3600_0000 => Flow::Branch(target(5, 14)),
        w if w & 0xffff_fc1f == 0xd61f_0000 => Flow::Table,
        w if w & 0xffff_fc1f == 0xd65f_0000 || w & 0xffff_0000 == 0 => Flow::End,
        _ => Flow::Next,
    };
    Some((4, flow))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_of_x86_64() {
        // 0: nop; jne 8.  3: jmp 0.  5: ud2; int3.  8: ret.
        let code = [0x90, 0x75, 5, 0xeb, 0xfb, 0x0f, 0x0b, 0xcc, 0xc3];
        assert_eq!(edges(&code, &[0, 3, 5, 8], &[], x86_64), [(0, 3), (0, 8), (3, 0)]);
    }

    #[test]
    fn calls_and_tables_of_x86_64() {
        // 0: call rax; jmp rax, with a table that is no code behind it.  8: nop.  9: ret.
        let code = [0xff, 0xd0, 0xff, 0xe0, 0x06, 0x06, 0x06, 0x06, 0x90, 0xc3];
        assert_eq!(edges(&code, &[0, 8, 9], &[8, 9], x86_64), [(0, 8), (0, 9), (8, 9)]);
        assert_eq!(tables(&[(0, 8), (0, 9), (0, 9), (8, 9)]), [8, 9]);
    }

    #[test]
    fn branches_of_aarch64() {
        // 0: b.ne 12.  4: cbz x1, 0.  8: tbnz w0, 3, 16.  12: b 4.  16: ret.
        let words: [u32; 5] = [0x5400_0061, 0xb4ff_ffe1, 0x3718_0040, 0x17ff_fffe, 0xd65f_03c0];
        let code: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let found = edges(&code, &[0, 4, 8, 12, 16], &[], aarch64);
        assert_eq!(found, [(0, 4), (0, 12), (4, 0), (4, 8), (8, 12), (8, 16), (12, 4)]);
    }
}
