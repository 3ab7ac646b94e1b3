//! The protocols by which threads and ranks share memory, apart from the memory itself.
//!
//! Each is a few loads and stores whose order decides whether it is right. They work on words that the caller has, in a static variable, in
//! the mapped file of the profile, or in memory of several processes; bytes between the words are touched by the caller's closures alone.
//! `tests/loom.rs` tries all orders in which two or three threads can take their steps, and shows for every step that a weaker one would be found.
//!
//! **Invariant:** nothing here names an atomic type but by [`crate::atoms`].

pub(crate) mod lanes;
pub(crate) mod list;
pub(crate) mod lock;
pub(crate) mod net;
pub(crate) mod number;
pub(crate) mod owners;
pub(crate) mod pieces;
pub(crate) mod ring;
pub(crate) mod roll;
pub(crate) mod room;
pub(crate) mod slots;
pub(crate) mod units;
pub(crate) mod waiter;
