//! Checks that need the types of expressions, which lowering finds.

pub(crate) mod allocate_objects;
pub(crate) mod binding;
pub(crate) mod standard;
pub(crate) mod warn_calls;
pub(crate) mod warn_types;
