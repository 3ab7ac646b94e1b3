//! The placement of a procedure: its hottest loop ends in a cache line with most of that line before it.
//!
//! A small loop runs up to twice as fast or slow depending on its place, and a profiled build has more code before it
//! than a plain one. It is slow where the last line that it reaches has little more than the jump back: a processor
//! takes instructions line by line, so nearly empty lines cost as much as full ones (`docs/speed.md` has the figures). Cranelift
//! 0.135 aligns procedures, not blocks (its `align_basic_block` does nothing on x86-64). So
//! the procedure is put behind a multiple of [`LINE`] such that one loop in it ends [`AFTER`] bytes before the end of one, or up to 15
//! bytes earlier if the code holds vector constants: the first of the loops that are nested deepest, which is the same in
//! both builds. Then the comparison and the jump at its end neither cross a multiple of 32 bytes nor end on one, which would be slow on
//! Intel's processors before 2020, too (their erratum of conditional jumps). The other loops of a procedure are not placed. On processors other
//! than x86-64, where nothing was measured, the loop begins on a line.

use crate::step::Code;
use cranelift_module::FuncId;
use cranelift_object::ObjectProduct;
use rustc_hash::FxHashMap;
use target_lexicon::{Architecture, Triple};

/// The alignment of procedures: a cache line.
pub(crate) const LINE: u64 = 64;

/// The bytes of the line behind the loop.
const AFTER: u64 = 4;

/// The number of bytes before the procedure, which itself begins at a multiple of `needed`.
pub(crate) fn padding(code: &Code, needed: u64, triple: &Triple) -> usize {
    if needed > LINE || !needed.is_power_of_two() {
        return 0;
    }
    let Some((head, last)) = hottest(&code.compiled.bb_edges) else { return 0 };
    if triple.architecture != Architecture::X86_64 {
        return before(head, LINE).next_multiple_of(needed) as usize % LINE as usize;
    }
    let starts = code.compiled.bb_starts.iter().copied();
    let end = starts.filter(|&b| b > last).min().unwrap_or(code.size());
    // If constants in the code allow no better place, a little earlier in the line.
    let missing = before(end, LINE - AFTER);
    (missing - missing % needed) as usize
}

/// The number of bytes before code that bring the place `at` in it to offset `wanted` of a line.
fn before(at: u32, wanted: u64) -> u64 {
    (LINE + wanted - u64::from(at) % LINE) % LINE
}

/// The offsets of the first and the last block of a loop: the first of the loops nested deepest. A loop goes from the
/// target of a branch back to the branch; edges are given by the offsets of the blocks they connect.
fn hottest(edges: &[(u32, u32)]) -> Option<(u32, u32)> {
    let mut loops: Vec<(u32, u32)> = back(edges).into_iter().map(|(from, to)| (to, from)).collect();
    // Outer loops come before those inside; of two with one head the longer comes first.
    loops.sort_unstable_by_key(|&(head, end)| (head, std::cmp::Reverse(end)));
    loops.dedup_by_key(|l| l.0);
    let mut around: Vec<u32> = Vec::new();
    let mut best: Option<(usize, u32, u32)> = None;
    for (head, end) in loops {
        while around.last().is_some_and(|&e| e < head) {
            around.pop();
        }
        around.push(end);
        if best.is_none_or(|(depth, ..)| around.len() > depth) {
            best = Some((around.len(), head, end));
        }
    }
    best.map(|(_, head, end)| (head, end))
}

/// The edges back to a block on the path by which a depth-first search reached them. A cold block stands behind all
/// others and leads back, too, but into code that was not run before.
fn back(edges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut edges = edges.to_vec();
    edges.sort_unstable();
    let of = |block: u32| {
        let from = edges.partition_point(|e| e.0 < block);
        edges[from..].iter().take_while(move |e| e.0 == block).map(|e| e.1)
    };
    let Some(&(first, _)) = edges.first() else { return Vec::new() };
    let mut out = Vec::new();
    // Blocks that were reached; whether they are on the way to the one at hand.
    let mut reached: FxHashMap<u32, bool> = FxHashMap::default();
    reached.insert(first, true);
    let mut way = vec![(first, of(first))];
    while let Some((block, next)) = way.last_mut() {
        let Some(to) = next.next() else {
            reached.insert(*block, false);
            way.pop();
            continue;
        };
        match reached.get(&to) {
            Some(true) => out.push((*block, to)),
            Some(false) => {}
            None => {
                reached.insert(to, true);
                way.push((to, of(to)));
            }
        }
    }
    out
}

/// At least so much padding that `bytes` find room in it.
pub(crate) fn with_room(padding: usize, bytes: usize) -> usize {
    padding + bytes.saturating_sub(padding).next_multiple_of(LINE as usize)
}

/// The bytes that stand before a procedure and never run.
pub(crate) fn filler(triple: &Triple, bytes: usize) -> Vec<u8> {
    let nothing = if matches!(triple.architecture, Architecture::X86_64) { 0x90 } else { 0 };
    vec![nothing; bytes]
}

/// Makes the symbol of a procedure, which was defined together with its padding, that of the procedure alone.
pub(crate) fn skip(product: &mut ObjectProduct, function: FuncId, padding: usize) {
    let symbol = product.function_symbol(function);
    let symbol = product.object.symbol_mut(symbol);
    symbol.value += padding as u64;
    symbol.size = symbol.size.saturating_sub(padding as u64);
}

#[cfg(test)]
mod tests {
    use super::{AFTER, LINE, before, hottest, with_room};

    #[test]
    fn room_keeps_the_place() {
        assert_eq!(
            [with_room(0, 0), with_room(16, 0), with_room(16, 8), with_room(0, 8), with_room(4, 9)],
            [0, 16, 16, 64, 68]
        );
    }

    #[test]
    fn an_end_comes_near_that_of_a_line() {
        for at in 0..200 {
            let padding = before(at, LINE - AFTER);
            assert!(padding < LINE);
            assert_eq!((padding + u64::from(at) + AFTER) % LINE, 0);
        }
    }

    #[test]
    fn the_first_of_the_deepest() {
        // A loop alone; two in one; a loop of one block; and no loop.
        assert_eq!(hottest(&[(0, 10), (10, 20), (20, 10), (20, 30)]), Some((10, 20)));
        assert_eq!(
            hottest(&[
                (0, 5),
                (5, 5),
                (5, 10),
                (10, 20),
                (20, 40),
                (40, 20),
                (40, 60),
                (60, 80),
                (80, 60),
                (80, 100),
                (100, 10)
            ]),
            Some((20, 40))
        );
        assert_eq!(hottest(&[(0, 4), (4, 8)]), None);
        // A loop behind another one is not in it.
        assert_eq!(
            hottest(&[(0, 10), (10, 20), (20, 10), (20, 30), (30, 35), (35, 40), (40, 35), (40, 50), (50, 30)]),
            Some((35, 40))
        );
        // A block behind all others that leads back makes no loop of those between.
        assert_eq!(
            hottest(&[(0, 10), (0, 90), (90, 10), (10, 10), (10, 20), (10, 95), (95, 20), (20, 20)]),
            Some((10, 10))
        );
    }
}
