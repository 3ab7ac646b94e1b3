//! The procedures of a compilation on both floors, one after the other: each is checked, and lowered if it is right.

use crate::lower::{self, Context};
use crate::sema::check::consistency::ImplicitCall;
use crate::sema::check::statements;
use crate::sema::scope::ScopeId;
use rayon::prelude::*;
use trueline_diag::Diagnostics;
use trueline_ir::Unit;
use trueline_syntax::ast::UnitId;

/// With at least this many procedures they are handled in parallel.
const MANY: usize = 32;

/// The units of a compilation, and its calls of procedures of which nothing else is known.
#[derive(Default)]
pub(crate) struct Made {
    /// The units, if there is no error and they are wanted.
    pub(crate) units: Vec<Unit>,
    /// The calls, in the order of the source.
    pub(crate) calls: Vec<ImplicitCall>,
}

impl Made {
    fn append(&mut self, other: Made) {
        self.units.extend(other.units);
        self.calls.extend(other.calls);
    }
}

/// Checks every procedure, module and BLOCK DATA of the compilation, in source order; in parallel, as each needs the
/// declarations alone. What is right is lowered while its types are at hand, unless nobody wants the units (`only_check`).
pub(crate) fn make(cx: &Context<'_>, only_check: bool, diags: &mut Diagnostics) -> Made {
    let work = cx.decls.units();
    let one = |&(scope, id): &(ScopeId, UnitId), diags: &mut Diagnostics| {
        let (types, calls) = statements::check(cx.decls, cx.map, scope, id, diags);
        let units =
            if only_check || diags.has_errors() { Vec::new() } else { lower::unit::lower(cx, scope, id, types) };
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
