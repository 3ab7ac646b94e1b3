//! Whether the loops may store the value straight away, and in which direction they then must run.
//!
//! The right side is evaluated before anything is assigned. In a loop, an element that is stored in one
//! iteration and read in a later one would be read too late. With subscripts `i + d` on both sides the
//! distance is a number: where it points to earlier iterations, the loop can run the other way
//! (`a(2:n) = a(1:n-1)` runs down); where two reads point both ways, or the distance is not known, the
//! value is stored to a temporary first.

use super::linear::Linear;
use smallvec::SmallVec;
use trueline_ir::{Editor, Expr, ExprData, Storage, Sym, Unit};

/// Whether the memory of `a` and `b` may overlap.
pub(crate) fn may_overlap(u: &Unit, a: Sym, b: Sym) -> bool {
    if a == b {
        return true;
    }
    let (x, y) = (u.sym(a), u.sym(b));
    match (x.storage, y.storage) {
        (Storage::Register | Storage::Value { .. } | Storage::Frame, _)
        | (_, Storage::Register | Storage::Value { .. } | Storage::Frame) => false,
        (Storage::Static { area: p, offset: i }, Storage::Static { area: q, offset: j }) => {
            let before = |i: u64, j: u64, s: Sym| size_in_bytes(u, s).is_some_and(|n| i.saturating_add(n) <= j);
            p == q && !before(i, j, a) && !before(j, i, b)
        }
        (Storage::Pointer { base: p }, Storage::Pointer { base: q }) => p == q || (x.may_alias && y.may_alias),
        _ => x.may_alias && y.may_alias,
    }
}

/// The size of a symbol of constant size.
pub(crate) fn size_in_bytes(u: &Unit, s: Sym) -> Option<u64> {
    let data = u.sym(s);
    let mut size = match data.len.expand() {
        Some(len) => u64::try_from(u.pool().as_int(len)?).ok()?,
        None => data.ty.size() as u64,
    };
    for d in &data.dims {
        let (lo, hi) = (u.pool().as_int(d.lower)?, u.pool().as_int(d.upper.expand()?)?);
        size = size.checked_mul(u64::try_from(hi.checked_sub(lo)?.checked_add(1)?).unwrap_or(0))?;
    }
    Some(size)
}

/// One loop of a nest: its variable, step (of unknown sign if none) and, if known, how often it runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct NestLoop {
    pub(super) var: Sym,
    pub(super) step: Option<i64>,
    pub(super) trips: Option<i64>,
}

/// For each loop of a nest, whether it has to run against its direction.
pub(super) type Directions = SmallVec<[bool; 4]>;

/// How the element `read` relates to the element `written` of the same array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    /// They are never the same element.
    Independent,
    /// What is read in an iteration is written so many iterations later, a loop at a time; none where
    /// that is not known.
    Distance(SmallVec<[Option<i64>; 4]>),
}

/// The relation of `read` to `written`, subscripts in terms of the variables of `nest` (outermost first).
pub(super) fn relation(ed: &mut Editor<'_>, written: &[Expr], read: &[Expr], nest: &[NestLoop]) -> Relation {
    let mut distance: SmallVec<[Option<i64>; 4]> = nest.iter().map(|_| None).collect();
    for (&w, &r) in written.iter().zip(read) {
        let (mut w, mut r) = (Linear::of(ed, w), Linear::of(ed, r));
        let factors: SmallVec<[(i64, i64); 4]> =
            nest.iter().map(|l| (w.take(ed, l.var), r.take(ed, l.var))).collect();
        if nest.iter().any(|l| w.mentions(ed, l.var) || r.mentions(ed, l.var)) {
            continue;
        }
        let (we, re) = (w.build(ed), r.build(ed));
        let Some(gap) = Linear::of_difference(ed, re, we).as_constant() else { continue };
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
pub(super) fn directions(ed: &mut Editor<'_>, written: Expr, reads: &[Expr], nest: &[NestLoop]) -> Option<Directions> {
    let mut wanted: SmallVec<[Option<bool>; 4]> = nest.iter().map(|_| None).collect();
    let (array, subs) = split(ed, written)?;
    for place in places(ed, reads) {
        let Some(base) = base_of(ed, place) else { continue };
        if !may_overlap(ed, array, base) {
            continue;
        }
        let (read_array, read_subs) = split(ed, place)?;
        if read_array != array {
            return None;
        }
        let Relation::Distance(distance) = relation(ed, &subs, &read_subs, nest) else { continue };
        for (k, d) in distance.into_iter().enumerate() {
            match d? {
                0 => continue,
                d => {
                    // Written later than read is right; earlier is so if the loop runs backwards.
                    let down = d < 0;
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
pub(super) fn reads_array(ed: &Editor<'_>, exprs: &[Expr], array: Sym) -> bool {
    places(ed, exprs).into_iter().filter_map(|p| base_of(ed, p)).any(|b| may_overlap(ed, array, b))
}

/// The array and the subscripts of an element.
fn split(ed: &Editor<'_>, place: Expr) -> Option<(Sym, SmallVec<[Expr; 4]>)> {
    match ed.expr(place) {
        ExprData::Elem(s, l) => Some((s, ed.list(l).iter().copied().collect())),
        ExprData::Substr(base, ..) => split(ed, base),
        _ => None,
    }
}

/// The symbol of a place in memory.
pub(super) fn base_of(ed: &Editor<'_>, place: Expr) -> Option<Sym> {
    match ed.expr(place) {
        ExprData::Elem(s, _) | ExprData::Section(s, _) => Some(s),
        ExprData::Var(s) => (!ed.sym(s).is_register()).then_some(s),
        ExprData::Substr(base, ..) => base_of(ed, base),
        _ => None,
    }
}

/// Every place in memory that evaluating `exprs` reads, outermost first.
fn places(ed: &Editor<'_>, exprs: &[Expr]) -> Vec<Expr> {
    let mut out = Vec::new();
    for &e in exprs {
        ed.visit_expr(e, &mut |x| {
            if matches!(ed.expr(x), ExprData::Elem(..) | ExprData::Section(..) | ExprData::Var(_)) {
                out.push(x);
            }
        });
    }
    out
}
