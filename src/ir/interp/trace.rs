//! The accesses to memory of a run, in order: the facts from which a checker derives the dependences that a transformed
//! program must keep.

use super::setup::Machine;
use super::{Failure, limit};
use std::cell::RefCell;

/// Accesses after which a run is given up.
const MOST: usize = 1 << 23;

/// The bytes of one cell: longer accesses are several, so that vectors and scalars compare.
const CELL: usize = 4;

/// The accesses of a run.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    /// The names of the areas that the accesses are to.
    pub spaces: Vec<String>,
    /// The accesses, in order.
    pub accesses: Vec<Touch>,
}

/// One access to at most four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The area, as an index into [`Trace::spaces`].
    pub space: u32,
    /// Whether it stores.
    pub stores: bool,
    /// The bytes that were read or stored.
    pub bits: u32,
    /// The place in the area.
    pub offset: u64,
}

/// The accesses by address, while the program runs. Loads happen behind a shared reference.
#[derive(Default)]
pub(super) struct Log(RefCell<Vec<(u64, u32, bool)>>);

impl Log {
    pub(super) fn add(&self, address: i64, bytes: &[u8], stores: bool) -> Result<(), Failure> {
        let mut log = self.0.borrow_mut();
        if log.len() > MOST {
            return Err(limit("the run accesses memory too often"));
        }
        for (k, cell) in bytes.chunks(CELL).enumerate() {
            let mut bits = [0; CELL];
            bits[..cell.len()].copy_from_slice(cell);
            log.push((address as u64 + (k * CELL) as u64, u32::from_le_bytes(bits), stores));
        }
        Ok(())
    }
}

impl Machine<'_> {
    /// Names the places of all accesses. Those to memory that no name stands for are left out.
    pub(super) fn trace(&mut self, dummies: &[Option<i64>]) -> Option<Trace> {
        let log = self.memory.log.take()?.0.into_inner();
        let mut spaces: Vec<(u64, u64, String)> = self.spaces(dummies);
        spaces.sort();
        let place = |address: u64| {
            let k = spaces.partition_point(|(start, ..)| *start <= address).checked_sub(1)?;
            let (start, size, _) = &spaces[k];
            (address - start < *size).then_some((k as u32, address - start))
        };
        let access = |(address, bits, stores): (u64, u32, bool)| {
            let (space, offset) = place(address)?;
            Some(Touch { space, stores, bits, offset })
        };
        let accesses = log.into_iter().filter_map(access).collect();
        Some(Trace { spaces: spaces.into_iter().map(|(.., name)| name).collect(), accesses })
    }
}
