//! The compilation on both floors: analysed, and its procedures checked and lowered one after the other.

use crate::{Context, LeftOut, bridges, declared, unit};
use rayon::prelude::*;
use trueline_diag::{Diagnostic, Diagnostics, SourceMap};
use trueline_ir::Unit;
use trueline_sema::analysis::Analysis;
use trueline_sema::check::consistency::ImplicitCall;
use trueline_sema::options::Options;
use trueline_sema::scope::ScopeId;
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
    if let Some(LeftOut { span, what }) = context.left_out().take().filter(|_| !diags.has_errors()) {
        diags.push(Diagnostic::error("T0599", span, format!("{what} not supported yet")));
    }
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
    let one = |&(scope, id): &(ScopeId, UnitId), diags: &mut Diagnostics| {
        let (types, calls) = analysis.check_unit(scope, id, diags);
        let units = if only_check || diags.has_errors() { Vec::new() } else { unit::lower(cx, scope, id, types) };
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
