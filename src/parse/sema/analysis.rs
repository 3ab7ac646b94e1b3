//! The analysis of a compilation, from its files to facts about all of them.
//!
//! ```text
//! ASTs ─ declare ─▶ symbols, scopes ─ resolve ─▶ every name known ─ storage ─▶ homes, static memory
//!                                                        │
//!                                                      infos ─▶ StmtInfos ─▶ check_unit, one after the other ─▶ conclude
//! ```

use crate::check::consistency::ImplicitCall;
use crate::check::directives::Directives;
use crate::check::{self, statements};
use crate::infos::{self, Serials};
use crate::mapping::{self, Mappings};
use crate::options::Options;
use crate::scope::facts::Facts;
use crate::scope::{self, Declarations, ScopeId};
use crate::typed::Types;
use crate::{declare, storage};
use trueline_diag::{Diagnostics, SourceMap};
use trueline_ir::interface::Interface;
use trueline_provenance::StmtInfos;
use trueline_syntax::ast::{Ast, UnitId};

/// A compilation of which everything is known but the statements of its procedures.
pub struct Analysis<'a> {
    /// The symbols and scopes.
    pub decls: Declarations<'a>,
    /// The files.
    pub map: &'a SourceMap,
    /// The numbers of the source statements.
    pub serials: Serials,
    /// Facts about all procedures.
    pub facts: Facts,
    /// The directives of each unit.
    pub directives: Directives,
    /// The mappings of arrays.
    pub mappings: Mappings,
}

impl<'a> Analysis<'a> {
    /// Analyses the declarations of all files, with the source statements of the compilation.
    pub fn new(
        asts: &'a [Ast],
        map: &'a SourceMap,
        options: &Options,
        diags: &mut Diagnostics,
    ) -> (Analysis<'a>, StmtInfos) {
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
        let ((infos, serials), facts) = rayon::join(|| infos::collect(&decls, map), || Facts::of(&decls));
        let directives = check::directives::check(&decls, &serials, map, diags);
        let mappings = mapping::resolve(&decls, &serials, map, diags);
        (Analysis { decls, map, serials, facts, directives, mappings }, infos)
    }

    /// Checks the statements of one procedure, module or BLOCK DATA; gives the types of its expressions, and its calls by
    /// implicit interfaces.
    pub fn check_unit(&self, scope: ScopeId, id: UnitId, diags: &mut Diagnostics) -> (Types, Vec<ImplicitCall>) {
        statements::check(&self.decls, self.map, scope, id, diags)
    }

    /// Checks that need the whole compilation, with all calls by implicit interfaces; gives the interfaces that the object tells
    /// to the link.
    pub fn conclude(&self, calls: Vec<ImplicitCall>, diags: &mut Diagnostics) -> Vec<Interface> {
        let (decls, map, options) = (&self.decls, self.map, self.decls.options);
        let interfaces = check::linked::of(decls, map, &calls);
        check::consistency::check(calls, |a, b| decls.same_type(a, b), diags);
        for ast in decls.asts.iter().filter(|ast| !ast.provided) {
            check::standard::uses::check(ast, map, options.rules, options.form, diags);
        }
        check::warnings::warn(decls, map, options.warnings, diags);
        interfaces
    }
}
