//! Checks: rules of the language that hold wherever a thing stands, and warnings.

pub(crate) mod allocate_objects;
pub(crate) mod allocations;
pub(crate) mod arguments;
pub(crate) mod assignments;
pub(crate) mod binding;
pub(crate) mod boz;
pub(crate) mod calls;
pub(crate) mod components;
pub(crate) mod conformity;
pub mod consistency;
pub(crate) mod constant_values;
pub(crate) mod constraints;
pub(crate) mod constructors;
pub(crate) mod constructs;
pub mod directives;
pub(crate) mod generics;
pub(crate) mod globals;
pub(crate) mod heads;
pub(crate) mod intrinsics;
pub mod io;
pub(crate) mod jumps;
pub(crate) mod linked;
pub(crate) mod nesting;
pub(crate) mod operations;
pub(crate) mod pointer_targets;
pub(crate) mod pointers;
pub(crate) mod purity;
pub(crate) mod references;
pub(crate) mod select;
pub(crate) mod sizes;
pub(crate) mod standard;
pub(crate) mod statements;
pub(crate) mod values;
pub(crate) mod warnings;

/// The result of a check: nothing, or an error or a warning.
pub type Checked = Result<(), trueline_diag::Diagnostic>;
