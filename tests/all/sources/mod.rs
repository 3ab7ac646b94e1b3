//! The sources of the compiler itself: directions of dependence, English, tables.

mod directions;
mod english;
mod tables;
