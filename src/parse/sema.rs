//! The first floor: semantic analysis, from the AST to symbols, types, storage, constants and source statements.
//!
//! **Invariants:** no module of this floor makes IR, and none mentions [`crate::lower`].

pub(crate) mod check;
pub(crate) mod constant;
pub(crate) mod declare;
pub(crate) mod infos;
pub(crate) mod intrinsic;
pub(crate) mod labels;
pub(crate) mod mapping;
pub(crate) mod scope;
pub(crate) mod storage;
pub(crate) mod typed;
pub(crate) mod types;
pub(crate) mod visit;
