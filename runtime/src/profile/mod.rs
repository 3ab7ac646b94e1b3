//! The profile: timers, counts and the file (HPF profiling paper, section 4).
//!
//! A run has three phases. *Initialization* makes one file, maps it as the memory of everything that is
//! counted, and ends when the main procedure is entered; in the *user* phase nothing is looked up, allocated
//! (but a page now and then) or communicated: a timer is two readings of the cycle counter and a few
//! additions; *cleanup* makes one JSON file of it. A program that is killed leaves the raw file, which says
//! the same (see [`trueline_abi::raw`]).
//!
//! **Invariants:** a record caches its number, so starting a timer looks nothing up; every thread has a stack and sums
//! of its own, so nothing is lost and nothing is locked; constructs that are open when the program ends are closed; a
//! profile that cannot be written costs one warning, never the program's result.

mod arena;
mod block;
pub(crate) mod clock;
mod cost;
mod events;
mod file;
mod filter;
mod former;
mod gnu;
mod host;
#[cfg(target_arch = "x86_64")]
mod keep;
mod objects;
mod off;
mod openuh;
mod pair;
mod records;
mod run;
mod sample;
mod settings;
mod shares;
mod stack;
mod symbols;
mod table;
mod targets;
mod thin;
mod trace;

pub use events::*;
use run::begin;
pub(crate) use run::{begin_if_profiled, has_ended, is_paused, is_wanted, note_leaves, sweep};
pub(crate) use shares::{add_shares, has_shares, shares};

/// The anchor that object headers name, and the function that runs before the main program of any language.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_profile_begin() {
    // Each rank has a profile of its own, and the process that watches over them none.
    crate::ranks::start();
    begin_if_profiled();
}

/// Called by the C library before `main`, so that a main program in another language is measured from its
/// beginning. Not under Miri, which has neither processes nor mapped files.
#[cfg(not(miri))]
#[used]
#[unsafe(link_section = ".init_array")]
static CONSTRUCTOR: unsafe extern "C" fn() = trueline_profile_begin;
