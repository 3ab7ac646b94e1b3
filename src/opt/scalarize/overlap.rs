//! Whether the loops may store the value straight away, and in which direction they then must run.
//!
//! The right side is evaluated before anything is assigned. In a loop, an element that is stored in one
//! iteration and read in a later one would be read too late. With subscripts `i + d` on both sides the
//! distance is a number: where it points to earlier iterations, the loop can run the other way
//! (`a(2:n) = a(1:n-1)` runs down); where two reads point both ways, or the distance is not known, the
//! value is stored to a temporary first.

use crate::alias::may_overlap;
use crate::linear::Linear;
use smallvec::SmallVec;
use trueline_ir::{Expr, ExprData, Sym, Unit};

/// One loop of a nest: its variable, step (of unknown sign if none) and, if known, how often it runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct NestLoop {
    pub(super) var: Sym,
    pub(super) step: Option<i64>,
    pub(super) trips: Option<i64>,
}

/// For each loop of a nest, whether it has to run against its direction.
pub(super) type Directions = SmallVec<[bool; 4]>;

/// The relation of the element `read` to the element `written` of the same array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    /// They are never the same element.
    Independent,
    /// The element that an iteration reads is written this many iterations later, by loop; none where the number is not
    /// known.
    Distance(SmallVec<[Option<i64>; 4]>),
}

/// The relation of `read` to `written`, subscripts in terms of the variables of `nest` (outermost first).
pub(super) fn relation(u: &Unit, written: &[Expr], read: &[Expr], nest: &[NestLoop]) -> Relation {
    let mut distance: SmallVec<[Option<i64>; 4]> = nest.iter().map(|_| None).collect();
    for (&w, &r) in written.iter().zip(read) {
        if trueline_ir::fault("scalarize_overlap") {
            return Relation::Independent;
        }
        let (mut w, mut r) = (Linear::of(u, w), Linear::of(u, r));
        let factors: SmallVec<[(i64, i64); 4]> = nest.iter().map(|l| (w.take(u, l.var), r.take(u, l.var))).collect();
        if nest.iter().any(|l| w.mentions(u, l.var) || r.mentions(u, l.var)) {
            continue;
        }
        let Some(gap) = r.minus(&w).as_constant() else { continue };
        let mut varying = factors.iter().enumerate().filter(|(_, f)| **f != (0, 0));
        match (varying.next(), varying.next()) {
            (None, _) if gap != 0 => return Relation::Independent,
            (Some((k, &(a, b))), None) if a == b => {
                let step = nest[k].step.unwrap_or(1);
                let unit = a.wrapping_mul(step);
                if unit == 0 || gap % unit != 0 {
                    return Relation::Independent;
                }
                let d = gap / unit;
                let beyond = nest[k].trips.is_some_and(|n| d.unsigned_abs() >= n.unsigned_abs());
                if beyond || distance[k].is_some_and(|other| other != d) {
                    return Relation::Independent;
                }
                distance[k] = Some(d);
            }
            _ => {}
        }
    }
    Relation::Distance(distance)
}

/// The directions in which the loops of `nest` (outermost first) can store `written` while evaluating
/// `reads`; none if a temporary is needed.
pub(super) fn directions(u: &Unit, written: Expr, reads: &[Expr], nest: &[NestLoop]) -> Option<Directions> {
    let mut wanted: SmallVec<[Option<bool>; 4]> = nest.iter().map(|_| None).collect();
    let (array, subs) = split(u, written)?;
    for place in places(u, reads) {
        let Some(base) = base_of(u, place) else { continue };
        if !may_overlap(u, array, base) {
            continue;
        }
        let (read_array, read_subs) = split(u, place)?;
        if read_array != array {
            return None;
        }
        let Relation::Distance(distance) = relation(u, &subs, &read_subs, nest) else { continue };
        for (k, d) in distance.into_iter().enumerate() {
            match d? {
                0 => continue,
                d => {
                    // Written later than read is right; earlier is so if the loop runs backwards.
                    let down = (d < 0) != trueline_ir::fault("scalarize_direction");
                    if wanted[k].is_some_and(|w| w != down) {
                        return None;
                    }
                    wanted[k] = Some(down);
                    break;
                }
            }
        }
    }
    Some(wanted.into_iter().map(|w| w.unwrap_or(false)).collect())
}

/// Whether evaluating `exprs` may read the memory of `array`.
pub(super) fn reads_array(u: &Unit, exprs: &[Expr], array: Sym) -> bool {
    places(u, exprs).into_iter().filter_map(|p| base_of(u, p)).any(|b| may_overlap(u, array, b))
}

/// The array and the subscripts of an element.
fn split(u: &Unit, place: Expr) -> Option<(Sym, SmallVec<[Expr; 4]>)> {
    match u.expr(place) {
        ExprData::Elem(s, l) => Some((s, u.list(l).iter().copied().collect())),
        ExprData::Substr(base, ..) => split(u, base),
        _ => None,
    }
}

/// The symbol of a place in memory.
pub(super) fn base_of(u: &Unit, place: Expr) -> Option<Sym> {
    match u.expr(place) {
        ExprData::Elem(s, _) | ExprData::Section(s, _) => Some(s),
        ExprData::Var(s) => (!u.sym(s).is_register()).then_some(s),
        ExprData::Substr(base, ..) => base_of(u, base),
        _ => None,
    }
}

/// Every place in memory that evaluating `exprs` reads, outermost first.
fn places(u: &Unit, exprs: &[Expr]) -> Vec<Expr> {
    let mut out = Vec::new();
    for &e in exprs {
        u.visit_expr(e, &mut |x| {
            if matches!(u.expr(x), ExprData::Elem(..) | ExprData::Section(..) | ExprData::Var(_)) {
                out.push(x);
            }
        });
    }
    out
}
