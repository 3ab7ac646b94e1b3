//! Profiles: selection, times, ends of runs, reports, exports.

mod chains;
mod contexts;
mod cost;
pub(crate) mod endings;
pub(crate) mod exports;
mod feedback;
mod first_look;
mod injection;
mod inlined;
mod library;
pub(crate) mod page;
pub(crate) mod payloads;
mod reports;
mod samples;
mod schema;
mod selection;
mod thinned;
mod threads;
mod trace;
mod trips;
