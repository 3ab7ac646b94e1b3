//! The counters: sums over the blocks of all threads.

use super::{RawError, broken, slice};
use crate::raw::{Block, Header, ObjectEntry};
use std::collections::BTreeSet;

/// The counters of all objects, one after the other.
pub(super) struct Counters {
    sums: Vec<u64>,
    /// The largest value of a block, for cells that report it.
    most: Vec<u64>,
}

impl Counters {
    /// Adds up the blocks, each at the place of its linked file. They do not overlap, so together they are not longer than the
    /// file, and adding them up takes linear time.
    pub(super) fn read(bytes: &[u8], header: &Header) -> Result<Counters, RawError> {
        let len = usize::try_from(header.counters_len).ok().filter(|&len| len <= bytes.len() && len % 8 == 0);
        let len = len.ok_or_else(|| broken("the length of the counters"))?;
        let mut all = Counters { sums: vec![0u64; len / 8], most: vec![0u64; len / 8] };
        let mut seen = BTreeSet::new();
        let mut at = header.blocks;
        let mut room = bytes.len() as u64;
        while at != 0 {
            let block = Block::read(bytes, at).ok_or_else(|| broken("a block of counters"))?;
            let size = block.len.checked_add(Block::SIZE).filter(|&size| size <= room && seen.insert(at));
            room -= size.ok_or_else(|| broken("the blocks of counters overlap"))?;
            let place = usize::try_from(block.first / 8).ok().filter(|_| block.first % 8 == 0);
            let place = place.filter(|&place| place <= all.sums.len()).ok_or_else(|| broken("a block of counters"))?;
            let (sums, most) = (&mut all.sums[place..], &mut all.most[place..]);
            let cells = slice(bytes, block.counters, block.len)?;
            if cells.len() / 8 > sums.len() {
                return Err(broken("a block of counters"));
            }
            for ((sum, most), cell) in sums.iter_mut().zip(most).zip(cells.chunks_exact(8)) {
                let value = u64::from_ne_bytes(cell.try_into().unwrap_or_default());
                *sum = sum.wrapping_add(value);
                *most = value.max(*most);
            }
            at = block.next;
        }
        Ok(all)
    }

    /// The counters of one object, as far as the file has them.
    pub(super) fn of(&self, object: &ObjectEntry) -> &[u64] {
        part(&self.sums, object)
    }

    /// The same, the largest of the blocks instead of their sum.
    pub(super) fn most_of(&self, object: &ObjectEntry) -> &[u64] {
        part(&self.most, object)
    }
}

fn part<'a>(cells: &'a [u64], object: &ObjectEntry) -> &'a [u64] {
    let first = usize::try_from(object.counters / 8).unwrap_or(usize::MAX);
    let count = usize::try_from(object.counter_count).unwrap_or(usize::MAX);
    let rest = cells.get(first..).unwrap_or_default();
    &rest[..count.min(rest.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of two blocks with two counters each, at 32 and at 88, and its header.
    fn file() -> (Vec<u64>, Header) {
        let words = vec![0, 0, 0, 0, 88, 1, 72, 0, 16, 5, 6, 0, 2, 128, 0, 16, 70, 80];
        (words, Header { blocks: 32, block_count: 2, counters_len: 16, ..Header::default() })
    }

    fn read(words: &[u64], header: &Header) -> Result<Vec<u64>, RawError> {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
        Counters::read(&bytes, header).map(|c| c.sums)
    }

    #[test]
    fn a_count_is_the_sum_over_the_blocks() {
        let (words, header) = file();
        assert_eq!(read(&words, &header), Ok(vec![5 + 70, 6 + 80]));
    }

    #[test]
    fn a_maximum_is_that_of_the_blocks() {
        let (words, header) = file();
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
        assert_eq!(Counters::read(&bytes, &header).unwrap().most, [70, 80]);
    }

    #[test]
    fn counters_of_another_linked_file_stand_at_their_own_place() {
        let (mut words, header) = file();
        words[14] = 16;
        let header = Header { counters_len: 32, ..header };
        assert_eq!(read(&words, &header), Ok(vec![5, 6, 70, 80]));
        assert!(read(&words, &Header { counters_len: 24, ..header }).is_err(), "beyond the counters of all");
        words[14] = 12;
        assert!(read(&words, &header).is_err(), "between two counters");
    }

    #[test]
    fn damaged_blocks_are_told() {
        let (mut words, header) = file();
        words[11] = 32;
        assert!(read(&words, &header).is_err(), "a ring");
        words[11] = 4096;
        assert!(read(&words, &header).is_err(), "beyond the end");
        words[11] = 0;
        assert!(read(&words, &Header { counters_len: 1 << 40, ..header }).is_err(), "longer than the file");
        assert!(read(&words, &Header { counters_len: 12, ..header }).is_err(), "half a counter");
        words[8] = u64::MAX;
        assert!(read(&words, &header).is_err(), "a block that is longer than the file");
        words[8] = 16;
        words[13] = u64::MAX - 7;
        assert!(read(&words, &header).is_err(), "an offset that overflows");
    }

    #[test]
    fn an_object_has_no_more_than_there_is() {
        let counters = Counters { sums: vec![1, 2, 3], most: vec![1, 1, 2] };
        let object = |counters, counter_count| ObjectEntry { counters, counter_count, ..ObjectEntry::default() };
        assert_eq!(counters.of(&object(8, 1)), [2]);
        assert_eq!(counters.of(&object(8, 100)), [2, 3]);
        assert_eq!(counters.most_of(&object(8, 100)), [1, 2]);
        assert_eq!(counters.of(&object(u64::MAX, u64::MAX)), [0; 0]);
    }
}
