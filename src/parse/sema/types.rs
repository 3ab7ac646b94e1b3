//! Types: kinds of intrinsic types, derived types, and the characteristics of procedures.

pub(crate) mod convention;
pub(crate) mod interfaces;
pub(crate) mod kinds;
pub(crate) mod structure;
