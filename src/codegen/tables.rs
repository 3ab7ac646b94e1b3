//! The tables of an object that the driver reads when it links.

pub mod flags;
pub mod interfaces;
pub mod references;
