//! The first floor: semantic analysis. From the AST to symbols, types, storage, constants and source statements; it makes no IR.

pub(crate) mod check;
pub(crate) mod constant;
pub(crate) mod declare;
pub(crate) mod infos;
pub(crate) mod intrinsic;
pub(crate) mod scope;
pub(crate) mod storage;
pub(crate) mod types;
pub(crate) mod visit;
