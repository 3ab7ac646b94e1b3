//! Semantic analysis, from the AST to symbols, types, storage, constants and source statements.
//!
//! **Invariants:** a phase reads the results of earlier ones and changes nothing of them; every error is a diagnostic, and the
//! phases go on after it, so that one run shows all of them; source statements ([`trueline_provenance::StmtInfo`]) are made in
//! [`infos`] and nowhere else. No IR is made here: lowering is a crate of its own, which this one does not know.

pub mod analysis;
pub mod check;
pub mod constant;
pub mod declare;
pub mod infos;
pub mod intrinsic;
pub mod labels;
pub mod mapping;
pub mod options;
pub mod scope;
pub mod storage;
pub mod typed;
pub mod types;
pub mod visit;

pub use crate::check::standard::{Rules, Standard};
pub use crate::check::warnings::flags::{Warning, Warnings};
pub use crate::constant::eval::{Folded, Unfolded, WhyNot, const_eval};
pub use crate::constant::{Const, ConstArray, Scalar};
pub use crate::declare::intrinsic_modules::{intrinsic_text, provided_includes};
pub use crate::declare::modules::is_intrinsic_module;
pub use crate::infos::Serials;
pub use crate::intrinsic::language::language;
pub use crate::options::Options;
pub use crate::options::checks::Checks;
pub use crate::options::exceptions::FloatExceptions;
pub use crate::options::initial::{Initial, InitialReal};
pub use crate::options::io::IoDefaults;
pub use crate::scope::hpf_library::hpf_library_text;
pub use crate::scope::spellings::{Spelling, Spellings};
pub use crate::scope::symbol::{
    Attributes, Bounds, Extent, Home, Procedure, ProcedureClass, ProcedureKind, StaticData, StaticId, Symbol, SymbolId,
    SymbolKind,
};
pub use crate::scope::{Declarations, ImplicitRules, Scope, ScopeId, ScopeKind};
pub use crate::types::convention::Convention;
pub use crate::types::kinds::{Category, common_type, kind_of, type_name};
pub use crate::types::structure::{Component, Structure, StructureId};
