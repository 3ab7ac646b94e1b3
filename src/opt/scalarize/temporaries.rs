//! The mappings of the temporaries that lowering made, for programs on several ranks.
//!
//! ```text
//! w = f(2 * v)   t.1 = 2 * v                t.1 is where v is
//!                do k = 1, n
//!                  t.2(k) = f(t.1(k))       t.2 is where t.1 is
//!                end
//!                w = t.2
//! ```
//!
//! Lowering knows no owners, and makes temporaries for the arguments and the results of elemental functions. Without mappings all ranks would
//! compute all of their elements.

use super::{mapping_in, overlap::base_of};
use crate::linear::Linear;
use rustc_hash::FxHashSet;
use trueline_ir::{Editor, Expr, ExprData, Head, Mapping, Stmt, Storage, Sym, Type, Unit};

/// Maps each temporary beside the first mapped array that its elements are computed from.
pub(super) fn map(ed: &mut Editor<'_>) {
    let stmts = ed.walk();
    let kept = passed_on(ed, &stmts);
    for s in stmts {
        let (Head::ArrayAssign { place, value } | Head::Assign { place, value }) = ed.head(s) else { continue };
        let Some(temp) = base_of(ed, place).filter(|&v| is_temporary(ed, v) && !kept.contains(&v)) else { continue };
        let mapping = match ed.expr(place) {
            ExprData::Elem(_, subs) => beside(ed, s, ed.list(subs)),
            ExprData::Var(_) => mapping_in(ed, value, ed.sym(temp).dims.len()),
            _ => None,
        };
        if let Some(mapping) = mapping {
            let data = ed.mapping(mapping).clone();
            ed.map_new_sym(temp, data);
        }
    }
}

/// Whether `v` is an array that lowering made.
fn is_temporary(u: &Unit, v: Sym) -> bool {
    let data = u.sym(v);
    let is_ours = match data.storage {
        Storage::Frame => true,
        Storage::Pointer { base } => !u.sym(base).from_source,
        _ => false,
    };
    is_ours && !data.from_source && !data.dims.is_empty() && data.ty != Type::Char && data.mapping.is_none()
}

/// Temporaries that a procedure may write.
fn passed_on(u: &Unit, stmts: &[Stmt]) -> FxHashSet<Sym> {
    let references = stmts.iter().flat_map(|&s| u.references(u.head(s)));
    references.filter(|(access, _)| access.writes()).filter_map(|(_, place)| base_of(u, place)).collect()
}

/// The mapping of the first mapped array of which the loop around `s` reads elements with the subscripts `subs`, up to constants.
fn beside(u: &Unit, s: Stmt, subs: &[Expr]) -> Option<Mapping> {
    let around = u.ancestors(s).find(|&a| u.head(a).is_loop())?;
    let mut found = None;
    for x in u.walk_stmt(around).into_iter().skip(1) {
        let head = u.head(x);
        let places = u.references(head).into_iter().map(|(_, place)| place);
        for e in u.values(head).into_iter().chain(places) {
            u.visit_expr(e, &mut |e| {
                if let ExprData::Elem(array, l) = u.expr(e)
                    && let Some(mapping) = u.sym(array).mapping.expand()
                    && goes_along(u, subs, u.list(l))
                    && !u.mapping(mapping).dynamic
                {
                    found = found.or(Some(mapping));
                }
            });
        }
        if x == s {
            break;
        }
    }
    found
}

/// Whether the subscripts differ by constants.
fn goes_along(u: &Unit, subs: &[Expr], others: &[Expr]) -> bool {
    let gap = |(&a, &b): (&Expr, &Expr)| Linear::of(u, a).minus(&Linear::of(u, b)).as_constant();
    subs.len() == others.len() && subs.iter().zip(others).all(|pair| gap(pair).is_some())
}
