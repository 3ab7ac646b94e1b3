//! The compilation on both floors: analysed, and its procedures checked and lowered one after the other.

use crate::{Context, bridges, declared, unit};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use trueline_diag::{Diagnostics, SourceMap};
use trueline_ir::Unit;
use trueline_sema::analysis::Analysis;
use trueline_sema::check::consistency::ImplicitCall;
use trueline_sema::options::Options;
use trueline_sema::scope::ScopeId;
use trueline_sema::typed::Types;
use trueline_syntax::ast::{Ast, UnitId};

/// With at least this many procedures they are handled in parallel.
const MANY: usize = 32;

/// Analyses the files of a compilation and lowers every procedure to VH, unless nobody wants the code (`only_check`).
///
/// The result has no units when there are errors.
pub fn compile(asts: &[Ast], map: &SourceMap, options: &Options, diags: &mut Diagnostics) -> trueline_ir::Program {
    let (analysis, infos) = Analysis::new(asts, map, options, diags);
    let context = Context::new(&analysis);
    let Made { units, calls } = make(&analysis, &context, options.only_check, diags);
    let interfaces = analysis.conclude(calls, diags);
    let units = if diags.has_errors() { Vec::new() } else { units };
    let bridges = bridges::of(&analysis.decls);
    let structures = declared::structures(&analysis.decls);
    trueline_ir::Program { units, bridges, structures, interfaces, infos }
}

/// The units of a compilation, and its calls of procedures of which nothing else is known.
#[derive(Default)]
struct Made {
    /// The units, if there is no error and they are wanted.
    units: Vec<Unit>,
    /// The calls, in the order of the source.
    calls: Vec<ImplicitCall>,
}

impl Made {
    fn append(&mut self, other: Made) {
        self.units.extend(other.units);
        self.calls.extend(other.calls);
    }
}

/// Checks every procedure, module and BLOCK DATA, in source order; in parallel, as each needs the declarations alone. One that is
/// right is lowered while its types are at hand.
fn make(analysis: &Analysis<'_>, cx: &Context<'_>, only_check: bool, diags: &mut Diagnostics) -> Made {
    let work = cx.decls.units();
    // Declarations that are wrong make other units wrong without a message of their own.
    let only_check = only_check || diags.has_errors();
    let one = |&(scope, id): &(ScopeId, UnitId), diags: &mut Diagnostics| {
        let (types, calls) = analysis.check_unit(scope, id, diags);
        let units = if only_check || diags.has_errors() { Vec::new() } else { lowered(cx, scope, id, types) };
        Made { units, calls }
    };
    let mut all = Made::default();
    if work.len() < MANY {
        work.iter().for_each(|w| all.append(one(w, diags)));
        return all;
    }
    let like: &Diagnostics = diags;
    let made: Vec<(Made, Diagnostics)> = work
        .par_iter()
        .map(|w| {
            let mut own = Diagnostics::like(like);
            (one(w, &mut own), own)
        })
        .collect();
    for (made, own) in made {
        diags.append(own);
        all.append(made);
    }
    all
}

/// Lowers a procedure. A panic in it says which one, and goes on.
fn lowered(cx: &Context<'_>, scope: ScopeId, id: UnitId, types: Types) -> Vec<Unit> {
    let work = || {
        // Tests see that the message names the procedure, in debug builds.
        if cfg!(debug_assertions) && std::env::var_os("TRUELINE_TEST_PANIC").is_some_and(|name| name == "lower") {
            crate::values::refused();
        }
        unit::lower(cx, scope, id, types)
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|e| {
        let Some(own) = cx.decls.scopes[scope].symbol.map(|own| &cx.decls.symbols[own]) else { resume_unwind(e) };
        let file = cx.map.file(own.span.file);
        let at = format!("'{}' at {}:{}", own.name, file.name(), file.location(own.span.start).line);
        resume_unwind(Box::new(format!("lowering {at}: {}", trueline_ir::panic_text(e.as_ref()))))
    })
}
