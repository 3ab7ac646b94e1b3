//! Types: kinds of intrinsic types, derived types, and the characteristics of procedures.

pub mod convention;
pub(crate) mod interfaces;
pub mod kinds;
pub mod structure;
