//! From the AST to VH: semantic analysis and lowering.
//!
//! ```text
//! ASTs ─ declare ─▶ symbols, scopes ─ resolve ─▶ every name known ─ storage ─▶ homes, static memory
//!                                                        │                              │
//!                                                      infos ─▶ StmtInfos ── lower ─────┴─▶ units at VH
//! ```
//!
//! **Invariants:** a phase reads the results of earlier ones and changes nothing of them; every error is
//! a diagnostic, and the phases go on after it, so that one run shows all of them; source statements
//! ([`trueline_provenance::StmtInfo`]) are made in `infos` and nowhere else.

mod lower;
mod options;
mod sema;
mod units;

pub use options::Options;
pub use options::checks::Checks;
pub use options::exceptions::FloatExceptions;
pub use options::initial::{Initial, InitialReal};
pub use options::io::IoDefaults;
pub use sema::check::standard::{Rules, Standard};
pub use sema::check::warnings::flags::{Warning, Warnings};
pub use sema::constant::eval::{Folded, Unfolded, WhyNot, const_eval};
pub use sema::constant::{Const, ConstArray, Scalar};
pub use sema::declare::intrinsic_modules::{intrinsic_text, provided_includes};
pub use sema::declare::modules::is_intrinsic_module;
pub use sema::infos::Serials;
pub use sema::intrinsic::language::language;
pub use sema::scope::hpf_library::hpf_library_text;
pub use sema::scope::spellings::{Spelling, Spellings};
pub use sema::scope::symbol::{
    Attributes, Bounds, Extent, Home, Procedure, ProcedureClass, ProcedureKind, StaticData, StaticId, Symbol, SymbolId,
    SymbolKind,
};
pub use sema::scope::{Declarations, ImplicitRules, Scope, ScopeId, ScopeKind};
pub use sema::types::convention::Convention;
pub use sema::types::kinds::{Category, common_type, kind_of, type_name};
pub use sema::types::structure::{Component, Structure, StructureId};

use sema::{check, declare, infos, mapping, scope, storage};
use trueline_diag::{Diagnostic, Diagnostics, SourceMap};
use trueline_syntax::ast::Ast;

/// Analyses the files of a compilation and lowers every procedure to VH.
///
/// The result has no units when there are errors.
pub fn analyze(asts: &[Ast], map: &SourceMap, options: &Options, diags: &mut Diagnostics) -> trueline_ir::Program {
    for ast in asts {
        check::boz::check(ast, *options, diags);
    }
    let mut decls = declare::declare(asts, *options, diags);
    scope::resolve::resolve(&mut decls, diags);
    storage::place(&mut decls, diags);
    check::globals::check(&decls, diags);
    check::globals::check_uses(&decls, diags);
    check::generics::check(&decls, diags);
    check::constraints::check(&decls, diags);
    let ((infos, serials), facts) = rayon::join(|| infos::collect(&decls, map), || scope::facts::Facts::of(&decls));
    let directives = check::directives::check(&decls, &serials, map, diags);
    let mappings = mapping::resolve(&decls, &serials, map, diags);
    let context = lower::Context {
        decls: &decls,
        serials: &serials,
        map,
        facts,
        directives: &directives,
        mappings: &mappings,
        left_out: std::sync::Mutex::default(),
    };
    let units::Made { units, calls } = units::make(&context, options.only_check, diags);
    let left_out = context.left_out.into_inner().unwrap_or_default();
    if let Some(l) = left_out.filter(|_| !diags.has_errors()) {
        diags.push(Diagnostic::error("T0599", l.span, format!("{} not supported yet", l.what)));
    }
    let interfaces = check::linked::of(&decls, map, &calls);
    check::consistency::check(calls, |a, b| decls.same_type(a, b), diags);
    for ast in asts.iter().filter(|ast| !ast.provided) {
        check::standard::uses::check(ast, map, options.rules, options.form, diags);
    }
    check::warnings::warn(&decls, map, options.warnings, diags);
    let units = if diags.has_errors() { Vec::new() } else { units };
    let bridges = lower::bridges::of(&decls);
    let structures = lower::declared::structures(&decls);
    trueline_ir::Program { units, bridges, structures, interfaces, infos }
}
