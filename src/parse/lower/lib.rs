//! Lowering, the second floor of the front end: from the AST to VH, one unit a procedure.
//!
//! [`compile`] makes a [`trueline_ir::Unit`] of every procedure of the compilation, in source order. Each is made by
//! objects that stand on one another:
//!
//! ```text
//! Lower        the procedure: its arguments, entries, and the order of everything (unit, params, entry, declared)
//! Body         constructs (control/)
//! Stmts        other statements, and labels (stmt/, memory/allocate); IoStmt over it, input and output (io/)
//! Exprs        expressions and calls (expr/, call/, array/); Intrinsics over it, calls of intrinsic functions (intrinsic/)
//! Variables    symbols of variables, descriptors, components (variables, symbols, memory/)
//! Source       the source around: scope, names, types (source)
//! Emit         IR: expressions, statements, temporaries (emit, array, chars)
//! ```
//!
//! An object uses the methods of those below it as its own, and knows nothing of those above it: an expression cannot touch
//! the constructs around it. A method belongs to the lowest object that has all it needs.
//!
//! **Invariants:** lowering reads the declarations and never changes them; every statement it pushes
//! has the set of one source statement; it sees only procedures that the checks found right, reports nothing and cannot fail. A
//! program that the checks should have refused ends the compilation as a bug of ours ([`values::refused`]).

#[cfg(test)]
mod agreement;
pub(crate) mod array;
pub(crate) mod bridges;
pub(crate) mod call;
pub(crate) mod chars;
mod compilation;
pub(crate) mod control;
pub(crate) mod declared;
pub(crate) mod emit;
pub(crate) mod entry;
pub(crate) mod expr;
pub(crate) mod float_exceptions;
pub(crate) mod intrinsic;
pub(crate) mod io;
pub(crate) mod memory;
pub(crate) mod params;
pub(crate) mod run_checks;
pub(crate) mod source;
pub(crate) mod stmt;
pub(crate) mod symbols;
pub(crate) mod unit;
pub(crate) mod values;
pub(crate) mod variables;

pub use compilation::compile;

use crate::control::Body;
use crate::expr::Exprs;
use crate::source::Source;
use crate::stmt::Stmts;
use crate::variables::Variables;
use trueline_diag::SourceMap;
use trueline_ir::Builder;
use trueline_sema::analysis::Analysis;
use trueline_sema::check::directives::Directives;
use trueline_sema::infos::Serials;
use trueline_sema::mapping::Mappings;
use trueline_sema::scope::facts::Facts;
use trueline_sema::scope::{Declarations, ScopeId};
use trueline_sema::typed::Types;
use trueline_syntax::ast::UnitId;

/// Lets an object of lowering use the one below it as its own: `builds_on!(Stmts<'a>, exprs: Exprs<'a>)`.
///
/// The one below knows nothing of it: expressions cannot touch the constructs around them.
macro_rules! builds_on {
    ($object:ident<$($life:lifetime),*>, $field:ident: $below:ty) => {
        impl<$($life),*> std::ops::Deref for $object<$($life),*> {
            type Target = $below;
            fn deref(&self) -> &Self::Target {
                &self.$field
            }
        }

        impl<$($life),*> std::ops::DerefMut for $object<$($life),*> {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.$field
            }
        }
    };
}
pub(crate) use builds_on;

/// The inputs of lowering.
pub(crate) struct Context<'a> {
    /// The declarations.
    pub(crate) decls: &'a Declarations<'a>,
    /// The source statements.
    pub(crate) serials: &'a Serials,
    /// The files.
    pub(crate) map: &'a SourceMap,
    /// Facts about all procedures.
    pub(crate) facts: &'a Facts,
    /// The mappings of arrays.
    pub(crate) mappings: &'a Mappings,
    /// The directives of each unit.
    pub(crate) directives: &'a Directives,
    /// The variables in NAMELIST groups, if `-fcheck=undefined` asks.
    pub(crate) in_groups: rustc_hash::FxHashSet<trueline_sema::scope::symbol::SymbolId>,
}

impl<'a> Context<'a> {
    fn new(analysis: &'a Analysis<'a>) -> Context<'a> {
        let Analysis { decls, map, serials, facts, directives, mappings } = analysis;
        let in_groups = match decls.options.checks.undefined {
            true => trueline_sema::storage::shared::in_groups(decls),
            false => Default::default(),
        };
        Context { decls, serials, map, facts, mappings, directives, in_groups }
    }
}

/// Lowering of one procedure: its arguments, entries and variables, around its body.
pub(crate) struct Lower<'a> {
    /// The statements of the procedure.
    pub(crate) body: Body<'a>,
}

builds_on!(Lower<'a>, body: Body<'a>);

impl<'a> Lower<'a> {
    pub(crate) fn new(cx: &'a Context<'a>, scope: ScopeId, unit: UnitId, b: Builder, types: Types) -> Self {
        let exprs = Exprs::new(Variables::new(Source::new(cx, scope, b, types)));
        Lower { body: Body::new(Stmts::new(exprs, unit)) }
    }

    /// The unit that has been made.
    pub(crate) fn finish(self) -> trueline_ir::Unit {
        self.body.stmts.exprs.variables.source.e.b.finish()
    }
}
