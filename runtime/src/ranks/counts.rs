//! Counts of which each rank has a share: the arms of conditionals that the owner of an element evaluates alone.
//!
//! At an end of the program that is orderly on all ranks, they add their shares up, and each goes on as if it had counted all. If a run ends in
//! another way, the shares stay apart, and the profile of each rank has its own, marked as a part.

use super::ledger::{self, Category};
use super::{fault, rank, receive, rehearsal, send, size};

/// Adds up the shares of all ranks. All of them call it.
pub(crate) fn add_up() {
    if size() == 1 || rehearsal::is_on() || !crate::profile::has_shares() {
        return;
    }
    let _part = ledger::begin(Category::Global);
    let own = crate::profile::shares();
    // A rank that found no memory for its profile has none.
    let known = own.as_ref().map_or(0, |own| own.len() as u64 + 1);
    let is_alike = is_alike(known);
    let Some(own) = own.filter(|_| is_alike) else { return };
    let mut sums = own.clone();
    let mut bytes: Vec<u8> = own.iter().flat_map(|n| n.to_ne_bytes()).collect();
    if rank() == 0 {
        let mut others = vec![0; bytes.len()];
        for from in 1..size() {
            receive(from, &mut others);
            if from > 1 && fault("ranks_shares_of_two") {
                continue;
            }
            let of_rank = others.chunks_exact(8).map(|n| u64::from_ne_bytes(n.try_into().unwrap_or_default()));
            sums.iter_mut().zip(of_rank).for_each(|(sum, n)| *sum = sum.wrapping_add(n));
        }
        bytes = sums.iter().flat_map(|n| n.to_ne_bytes()).collect();
        (1..size()).for_each(|to| send(to, &bytes));
    } else {
        send(0, &bytes);
        receive(0, &mut bytes);
        sums = bytes.chunks_exact(8).map(|n| u64::from_ne_bytes(n.try_into().unwrap_or_default())).collect();
    }
    let others: Vec<u64> = sums.iter().zip(&own).map(|(sum, own)| sum.wrapping_sub(*own)).collect();
    crate::profile::add_shares(&others);
}

/// Whether all ranks have the same number, not 0.
fn is_alike(own: u64) -> bool {
    let mut bytes = own.to_ne_bytes();
    if rank() == 0 {
        let mut is_so = own != 0;
        for from in 1..size() {
            let mut other = [0; 8];
            receive(from, &mut other);
            is_so &= u64::from_ne_bytes(other) == own;
        }
        bytes = u64::from(is_so).to_ne_bytes();
        (1..size()).for_each(|to| send(to, &bytes));
        return is_so;
    }
    send(0, &bytes);
    receive(0, &mut bytes);
    u64::from_ne_bytes(bytes) != 0
}
