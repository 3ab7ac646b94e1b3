//! Warnings and features of standards that only the code being made tells.

pub(crate) mod binding;
pub(crate) mod standard;
pub(crate) mod warn_calls;
pub(crate) mod warn_types;
