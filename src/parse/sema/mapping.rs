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
mod remap;
mod said;
mod slips;

use crate::infos::Serials;
use crate::scope::Declarations;
use crate::scope::symbol::SymbolId;
use rustc_hash::FxHashMap;
use said::Said;
use trueline_diag::{Diagnostics, SourceMap, Span};
use trueline_ir::{MappingData, Sym};
use trueline_provenance::Serial;

/// The mappings of all arrays and templates that directives mention.
#[derive(Default)]
pub struct Mappings {
    all: FxHashMap<SymbolId, Mapped>,
    /// The effects of REDISTRIBUTE and REALIGN, by the directive.
    remaps: FxHashMap<Serial, Vec<Effect>>,
}

/// The effect of a REDISTRIBUTE or REALIGN on one array or template: its new mapping is one of its *alternatives* in the procedure, and
/// follows from the alternative that an object has before. Alternative 0 is the declared mapping.
pub struct Effect {
    /// The object that is mapped anew.
    pub to: SymbolId,
    /// The object whose alternative decides.
    pub from: SymbolId,
    /// For each alternative of `from` the new one of `to`, and the mapping, as [`Mapped`] has it.
    pub steps: Vec<(u32, MappingData)>,
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

    /// The effects of the directive, in order.
    pub fn effects(&self, directive: Serial) -> &[Effect] {
        self.remaps.get(&directive).map_or(&[], Vec::as_slice)
    }
}

impl Mapped {
    /// The mapping on the symbols of a unit; symbols that the unit does not mention become unknown.
    pub fn data(&self, own: impl Fn(SymbolId) -> Option<Sym>) -> MappingData {
        on_unit(&self.data, own)
    }

    /// The symbols that it names.
    pub fn names(&self) -> impl Iterator<Item = SymbolId> {
        self.data.syms().into_iter().map(|s| SymbolId::from_u32(s.as_u32()))
    }
}

/// A mapping on the symbols of a unit; symbols that the unit does not mention become unknown.
pub fn on_unit(data: &MappingData, own: impl Fn(SymbolId) -> Option<Sym>) -> MappingData {
    data.with_syms(|s| own(SymbolId::from_u32(s.as_u32())))
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
