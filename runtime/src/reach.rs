//! Memory that pointers still reach when the program ends, for `-fcheck=leaks`, found as leak sanitizers do.
//!
//! ```text
//! static memory, stacks,   ─▶  block of a POINTER  ─▶  block of a POINTER      reached
//! memory of other code
//!                              block of a POINTER  ─▶  block of a POINTER      lost
//! ```
//!
//! Each word in memory that the program may write is taken for an address, except those in the blocks of POINTERs themselves: they
//! count when their block is reached. Memory of C, of code without checks and of allocatables is looked at whole, so a block that
//! only such memory knows is not lost. Descriptors of POINTERs are in memory: those of the main program in static memory, those of a
//! procedure on the stack while it runs.
//!
//! The memory is read from `/proc/self/mem`, where pages that are not there are an error of the read, no signal. Addresses
//! of blocks are kept as complements, as the tables made here are in memory that is looked at.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The bytes that are read at a time.
const PIECE: usize = 256 << 10;
/// The bytes of an address.
const WORD: usize = size_of::<usize>();

/// Whether the main program has returned, so that no procedure of Fortran runs.
static ALL_RETURNED: AtomicBool = AtomicBool::new(false);

/// Says that the main program has returned.
pub(crate) fn note_all_returned() {
    ALL_RETURNED.store(true, Ordering::Relaxed);
}

/// The place on the stack above which the frames of the program are, if one of its statements ends it; else 0.
static LOWEST_FRAME: AtomicUsize = AtomicUsize::new(0);

/// Says that the caller, a routine of the runtime with a small frame, ends the program. Frames of routines that it calls have places that
/// nothing has written since earlier calls, so addresses there mean nothing.
#[inline(always)]
pub(crate) fn note_end() {
    let mark = 0u8;
    LOWEST_FRAME.store(std::ptr::from_ref(&mark) as usize, Ordering::Relaxed);
}

/// The blocks whose leaks are told.
pub(crate) struct Blocks {
    /// The complements of the addresses, in order: the last block comes first.
    hidden: Vec<usize>,
    sizes: Vec<usize>,
    is_reached: Vec<bool>,
    /// Blocks that are reached and have not been looked at.
    todo: Vec<usize>,
}

impl Blocks {
    /// Blocks by the complement of their address and their size.
    pub(crate) fn new(blocks: impl Iterator<Item = (usize, usize)>) -> Blocks {
        let mut all: Vec<(usize, usize)> = blocks.collect();
        all.sort_unstable();
        let (hidden, sizes): (Vec<usize>, Vec<usize>) = all.into_iter().unzip();
        let is_reached = vec![false; hidden.len()];
        Blocks { hidden, sizes, is_reached, todo: Vec::new() }
    }

    /// Whether the block with this complement of its address is reached.
    pub(crate) fn is_reached(&self, hidden: usize) -> bool {
        self.hidden.binary_search(&hidden).is_ok_and(|k| self.is_reached[k])
    }

    /// Finds the blocks that are reached from elsewhere. None if the memory cannot be read.
    pub(crate) fn find_reached(&mut self) -> Option<()> {
        let mark = 0usize;
        let here = std::ptr::from_ref(&mark) as usize;
        let lowest = LOWEST_FRAME.load(Ordering::Relaxed);
        let mut memory = Memory::open()?;
        let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
        for range in maps.lines().filter_map(writable) {
            match range.contains(&here) {
                true if ALL_RETURNED.load(Ordering::Relaxed) => {}
                true if range.contains(&lowest) => self.look_around(&mut memory, lowest.max(here)..range.end),
                true => self.look_around(&mut memory, here..range.end),
                false => self.look_around(&mut memory, range),
            }
        }
        while let Some(k) = self.todo.pop() {
            let start = !self.hidden[k];
            self.look(&mut memory, start..start + self.sizes[k]);
        }
        Some(())
    }

    /// Looks for addresses in a part of the memory, but not in the blocks there.
    fn look_around(&mut self, memory: &mut Memory, range: Range<usize>) {
        let mut from = range.start;
        // Blocks in the order of their addresses.
        let mut k = self.hidden.partition_point(|&hidden| !hidden >= range.start);
        while k > 0 && from < range.end {
            k -= 1;
            let start = !self.hidden[k];
            if start >= range.end {
                break;
            }
            self.look(memory, from..start);
            from = from.max(start + self.sizes[k]);
        }
        self.look(memory, from..range.end);
    }

    /// Looks for addresses in a range: blocks that they are in are reached.
    fn look(&mut self, memory: &mut Memory, range: Range<usize>) {
        let own = memory.piece.as_ptr() as usize;
        let own = own..own + memory.piece.len();
        for part in [range.start..range.end.min(own.start), range.start.max(own.end)..range.end] {
            let mut at = part.start.next_multiple_of(WORD);
            while at < part.end {
                let count = (part.end - at).min(PIECE);
                let read = memory.file.read_at(&mut memory.piece[..count], at as u64).unwrap_or(0);
                let (words, _) = memory.piece[..read].as_chunks::<WORD>();
                words.iter().for_each(|&word| self.reach(usize::from_ne_bytes(word)));
                at += count;
            }
        }
    }

    fn reach(&mut self, address: usize) {
        let k = self.hidden.partition_point(|&hidden| hidden < !address);
        let Some(&hidden) = self.hidden.get(k) else { return };
        if address - !hidden < self.sizes[k] && !std::mem::replace(&mut self.is_reached[k], true) {
            self.todo.push(k);
        }
    }
}

/// The memory of the program, and the piece of it that has been read.
struct Memory {
    file: File,
    piece: Box<[u8]>,
}

impl Memory {
    /// None if it cannot be read.
    fn open() -> Option<Memory> {
        let memory = Memory { file: File::open("/proc/self/mem").ok()?, piece: vec![0; PIECE].into_boxed_slice() };
        // An emulator may show the memory of another program.
        let mark = std::process::id().to_ne_bytes();
        let mut read = [0; 4];
        memory.file.read_exact_at(&mut read, std::ptr::from_ref(&mark) as u64).ok()?;
        (read == mark).then_some(memory)
    }
}

/// The addresses of a line of `/proc/self/maps`, if the program may write there. Memory of devices is not looked at.
fn writable(line: &str) -> Option<Range<usize>> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let is_writable = fields.next()?.starts_with("rw");
    let path = fields.nth(3).unwrap_or("");
    let is_device = path.starts_with("/dev/") && !path.starts_with("/dev/shm/") && path != "/dev/zero";
    let number = |text| usize::from_str_radix(text, 16).ok();
    Some(number(start)?..number(end)?).filter(|_| is_writable && !is_device)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_maps() {
        let range = |text| writable(text).map(|r| (r.start, r.end));
        assert_eq!(range("1000-2000 rw-p 00000000 00:00 0 "), Some((0x1000, 0x2000)));
        assert_eq!(range("1000-2000 rw-p 00000000 00:00 0    [heap]"), Some((0x1000, 0x2000)));
        assert_eq!(range("1000-2000 r--p 00000000 08:01 7  /bin/x"), None);
        assert_eq!(range("1000-2000 rw-s 00000000 08:01 7  /dev/card0"), None);
        assert_eq!(range("1000-2000 rw-s 00000000 08:01 7  /dev/shm/x"), Some((0x1000, 0x2000)));
        assert_eq!(range("x"), None);
    }

    #[test]
    #[cfg_attr(miri, ignore = "reads its own memory as a file of the kernel")]
    fn blocks_that_blocks_know_are_reached_with_them() {
        // A chain of three, of which the heap knows the first by an address inside; another one that only knows itself.
        let mut boxes: Vec<Box<[usize; 4]>> = (0..4).map(|_| Box::new([0usize; 4])).collect();
        let address = |b: &[usize; 4]| std::ptr::from_ref(b) as usize;
        let all: Vec<usize> = boxes.iter().map(|b| !address(b)).collect();
        boxes[0][3] = !all[1];
        boxes[1][0] = !all[2] + 31;
        boxes[3][1] = !all[3];
        let mut blocks = Blocks::new(all.iter().map(|&hidden| (hidden, 32)));
        blocks.reach(!all[0] + 8);
        blocks.reach(!all[2] + 32);
        let mut memory = Memory::open().expect("the memory is there");
        while let Some(k) = blocks.todo.pop() {
            let start = !blocks.hidden[k];
            blocks.look(&mut memory, start..start + blocks.sizes[k]);
        }
        assert_eq!([0, 1, 2, 3].map(|k| blocks.is_reached(all[k])), [true, true, true, false]);
        std::hint::black_box(&boxes);
    }
}
