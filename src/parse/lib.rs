//! From the AST to VH: semantic analysis and lowering.

mod arrays;
mod chars;
mod emit;
mod intrinsics;
mod intrinsics_table;
mod constant;
mod kinds;
mod scope;
mod symbol;

pub use constant::{Const, ConstArray, Scalar};
pub use kinds::{Category, common_type, kind_of, type_name};
pub use scope::{Declarations, ImplicitRules, Scope, ScopeId, ScopeKind};
pub use symbol::{
    Attributes, Bounds, Extent, Home, Procedure, ProcedureClass, ProcedureKind, StaticData, StaticId, Symbol, SymbolId,
    SymbolKind,
};
