//! Counts of which each rank has a share, in the memory of the profile.

use super::{arena, block, objects, run};

/// Whether the program may have such counts: it is profiled, whatever the settings say, which may not be the same for all ranks.
pub(crate) fn has_shares() -> bool {
    objects::any()
}

/// The shares of this rank; none if there is no profile.
pub(crate) fn shares() -> Option<Vec<u64>> {
    Some(places()?.into_iter().map(|(_, n)| n).collect())
}

/// Adds the shares of all other ranks to those of this one.
pub(crate) fn add_shares(others: &[u64]) {
    let Some(own) = places() else { return };
    run::add_up(|| {
        block::add(own.iter().zip(others).map(|(&(place, _), &n)| (place, n)));
        block::save();
    });
}

fn places() -> Option<Vec<(u64, u64)>> {
    if arena::base().is_null() {
        return None;
    }
    block::save();
    trueline_abi::raw::shares(arena::bytes()).ok()
}
