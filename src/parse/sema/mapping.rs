//! Mappings: the HPF directives of all scopes, composed for each array into one step from subscripts to processors.
//!
//! ```text
//! directives ─ said ─▶ per symbol: DISTRIBUTE, ALIGN, SHADOW … ─ compose ─▶ MappingData ─ check ─▶ diagnostics
//! ```
//!
//! **Invariants:** a mapping names arrays by [`SymbolId`] until lowering gives them symbols of a unit ([`Mapped::data`]); one processor
//! or many, a mapping is the same unless `-np` says how many processors there are.

mod check;
mod compose;
mod contradict;
mod extents;
mod independent;
mod local;
mod on;
mod said;
mod slips;

use crate::infos::Serials;
use crate::scope::Declarations;
use crate::scope::symbol::SymbolId;
use rustc_hash::FxHashMap;
use said::Said;
use trueline_diag::{Diagnostics, SourceMap, Span};
use trueline_ir::{MappingData, Sym};

/// The mappings of all arrays and templates that directives mention.
#[derive(Default)]
pub struct Mappings {
    all: FxHashMap<SymbolId, Mapped>,
}

/// The mapping of one array.
pub struct Mapped {
    /// The mapping; the symbols in it are numbers of [`SymbolId`].
    data: MappingData,
    /// The directive.
    span: Span,
}

impl Mappings {
    /// The mapping of a symbol.
    pub fn of(&self, id: SymbolId) -> Option<&Mapped> {
        self.all.get(&id)
    }
}

impl Mapped {
    /// The mapping on the symbols of a unit; symbols that the unit does not mention become unknown.
    pub fn data(&self, own: impl Fn(SymbolId) -> Option<Sym>) -> MappingData {
        self.data.with_syms(|s| own(SymbolId::from_u32(s.as_u32())))
    }
}

/// Composes the mappings of all symbols, and reports contradictions.
pub fn resolve(decls: &Declarations<'_>, serials: &Serials, map: &SourceMap, diags: &mut Diagnostics) -> Mappings {
    slips::check(decls, map, diags);
    let extrinsic = |ast: &trueline_syntax::ast::Ast| ast.units.values().any(|u| u.prefix.extrinsic.is_some());
    if !decls.asts.iter().any(|ast| ast.has_directives || extrinsic(ast)) {
        return Mappings::default();
    }
    let said = Said::of(decls, serials);
    let mut composer = compose::Composer::new(decls, &said, diags);
    composer.all();
    let mappings = composer.finish();
    check::check(decls, &said, &mappings, diags);
    contradict::check(decls, &said, &mappings, diags);
    local::check(decls, &said, diags);
    on::check(decls, diags);
    independent::check(decls, diags);
    mappings
}
