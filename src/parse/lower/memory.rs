//! Memory that a procedure takes and gives back: ALLOCATE, descriptors, values of uninitialized variables.

pub(crate) mod allocate;
pub(crate) mod cray;
pub(crate) mod descriptor;
pub(crate) mod initial;
