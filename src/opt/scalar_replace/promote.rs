//! Promote: places that stay the same in all iterations of a loop live in registers.
//!
//! ```text
//!                                         t = s                         @{1,2}
//! do k = 1, n                   @1        do k = 1, n                   @1
//!   s = s + a(k)                @2   =>     t = t + a(k)                @2
//! end                                     end
//!                                         s = t                         @{1,2}
//! ```
//!
//! Loops are made vectors afterwards, for which numbers that all iterations add to have to be registers.

use crate::alias::may_overlap;
use crate::analysis::depend::{Dependence, MAX_REFS, Side, dependence};
use crate::analysis::loops::{DoLoop, inner_first};
use crate::analysis::refs::{MemRef, Region};
use crate::analysis::registers::Confined;
use crate::licm::{guard, guard_of, surely_runs};
use crate::rewrite::rewrite;
use crate::{Context, OptLevel, Pass};
use trueline_ir::{Editor, ExpandKind, Expr, ExprData, Head, Place, Stmt, Storage, Type, Unit};

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O3, ..Pass::new("promote", "keep places that loops do not move along in registers", run) };

/// More places are not kept over one loop.
const MAX_PLACES: usize = 12;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    let confined = Confined::of(ed);
    for l in inner_first(ed) {
        promote(ed, l, &confined);
    }
}

/// Keeps places in registers over the loop `l`.
pub(super) fn promote(ed: &mut Editor<'_>, l: DoLoop, confined: &Confined) {
    let region = Region::of(ed, l.stmt);
    if region.effects || region.jumps || region.labels || region.refs.len() > MAX_REFS {
        return;
    }
    let mut places: Vec<Expr> = Vec::new();
    for r in region.refs.iter().filter(|r| r.write) {
        if !places.contains(&r.place) && can_promote(ed, l, &region, r, confined) {
            places.push(r.place);
        }
    }
    for place in places.into_iter().take(MAX_PLACES) {
        if !is_always_there(ed, place) && !surely_runs(ed, l.stmt) && !guard(ed, l.stmt, confined) {
            continue;
        }
        let users: Vec<(Stmt, bool)> =
            region.refs.iter().filter(|r| r.place == place).map(|r| (r.stmt, r.write)).collect();
        replace(ed, l, place, &users);
    }
}

fn can_promote(u: &Unit, l: DoLoop, region: &Region, r: &MemRef, confined: &Confined) -> bool {
    let mut subscripts_read_memory = false;
    u.pool().operands(r.place, |e| subscripts_read_memory |= u.reads_memory(e));
    r.exact
        && u.ty(r.place) != Type::Char
        && !subscripts_read_memory
        && region.keeps_registers(u, r.place)
        && is_only_way(u, l, region, r)
        && (is_always_there(u, r.place) || is_surely_written(u, l, region, r, confined))
}

/// Whether every reference in the loop to the memory of `r.place` is to that place, and by its name.
fn is_only_way(u: &Unit, l: DoLoop, region: &Region, r: &MemRef) -> bool {
    let side = Side::of(u, l.stmt, l.stmt);
    region.refs.iter().filter(|x| may_overlap(u, x.sym, r.sym)).all(|x| {
        if trueline_ir::fault("promote_alias") {
            return true;
        }
        if x.place == r.place {
            return x.exact && u.references(u.head(x.stmt)).iter().all(|(_, p)| *p != r.place);
        }
        let at_x = Side::of(u, l.stmt, x.stmt);
        dependence(u, (r, side.as_ref()), (x, at_x.as_ref()), 1, &region.defined) == Dependence::Never
    })
}

/// A scalar in memory of this object: it may be read and written whenever one likes.
fn is_always_there(u: &Unit, place: Expr) -> bool {
    match u.expr(place) {
        ExprData::Var(v) => matches!(u.sym(u.root(v)).storage, Storage::Static { .. } | Storage::Frame),
        _ => false,
    }
}

/// Whether an iteration surely writes the place, and there is one, or can be made sure to be.
fn is_surely_written(u: &Unit, l: DoLoop, region: &Region, r: &MemRef, confined: &Confined) -> bool {
    let runs = surely_runs(u, l.stmt) || guard_of(u, l.stmt, confined).is_some();
    runs && region.refs.iter().any(|x| x.write && x.place == r.place && is_surely_executed(u, l, x.stmt))
}

/// Whether each iteration of the loop executes `s`.
fn is_surely_executed(u: &Unit, l: DoLoop, s: Stmt) -> bool {
    u.ancestors(s).take_while(|&a| a != l.stmt).all(|a| surely_runs(u, a))
}

fn replace(ed: &mut Editor<'_>, l: DoLoop, place: Expr, users: &[(Stmt, bool)]) {
    let t = ed.new_register("held", ed.ty(place));
    let var = ed.var(t);
    let mut all: Vec<Stmt> = Vec::new();
    let mut writers: Vec<Stmt> = Vec::new();
    for &(s, write) in users {
        if all.last() != Some(&s) {
            all.push(s);
        }
        if write && writers.last() != Some(&s) {
            writers.push(s);
        }
    }
    let (first, last) = (all[0], writers[writers.len() - 1]);
    let load = common(ed, &all, Head::Assign { place: var, value: place }, Place::Before(first));
    ed.move_to(load, Place::Before(l.stmt));
    let store = common(ed, &writers, Head::Assign { place, value: var }, Place::After(last));
    if trueline_ir::fault("promote_store") {
        ed.eliminate(store, trueline_ir::Why::Dead);
    } else {
        ed.move_to(store, Place::After(l.stmt));
    }
    for s in all {
        rewrite(ed, s, &mut |ed, e| ed.map_expr(e, &mut |_, x| (x == place).then_some(var)));
        if let Head::Assign { place: to, value } = ed.head(s)
            && to == place
        {
            ed.expand_in_place(s, Head::Assign { place: var, value });
        }
    }
}

/// Makes one statement with `head` at `at` that stands for all `users`.
pub(super) fn common(ed: &mut Editor<'_>, users: &[Stmt], head: Head, at: Place) -> Stmt {
    match users {
        [one] => ed.expand(*one, head, at, ExpandKind::Lower),
        _ => ed.merge_common(users, head, at),
    }
}
