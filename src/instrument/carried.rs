//! Values that an iteration of a loop of the source needs from the one before, so that iterations run one after the other.
//!
//! ```text
//! s = s + a(i)               the sum in `s` is added up in the order of the iterations
//! x(i) = x(i - 1) * b(i)     `x(i - 1)` was computed by an iteration before
//! t = t * c; y(i) = t        `t` keeps its value from one iteration to the next
//! r(k) = max(r(k), a(i))     `r(k)` keeps its value from one iteration to the next
//! ```
//!
//! Only scalars and elements of real and complex arrays are reported: counters that go up by a constant do not keep
//! iterations from running at once.

use crate::access::{Walk, text};
use rustc_hash::FxHashSet;
use trueline_ir::{BinaryOp, Expr, ExprData, Head, Intrinsic, List, Sym, Type};

/// The largest number of iterations between computing and using an element that leaves no room for vectors.
const MOST_DISTANCE: i64 = 7;

/// The values, each as a sentence without a full stop, in the order of the source.
pub(crate) fn carried(walk: &Walk<'_>) -> Vec<String> {
    let mut out = scalars(walk);
    out.extend(elements(walk));
    out
}

/// Scalars that are read before the iteration has computed them.
fn scalars(walk: &Walk<'_>) -> Vec<String> {
    let unit = walk.unit;
    let mut computed: FxHashSet<Sym> = FxHashSet::default();
    let mut told: Vec<Sym> = Vec::new();
    let assigned: FxHashSet<Sym> =
        walk.body.iter().filter_map(|&s| assigned(walk, unit.head(s)).map(|(v, _)| v)).collect();
    for &s in &walk.body {
        let head = unit.head(s);
        if head.is_invisible() {
            continue;
        }
        let place = if let Head::Assign { place, .. } = head { Some(place) } else { None };
        let subscripts = place.filter(|&p| !matches!(unit.expr(p), ExprData::Var(_)));
        for e in unit.values(head).into_iter().chain(subscripts) {
            unit.visit_expr(e, &mut |x| {
                if let ExprData::Var(v) = unit.expr(x)
                    && assigned.contains(&v)
                    && !computed.contains(&v)
                    && !told.contains(&v)
                {
                    told.push(v);
                }
            });
        }
        let is_in_each = unit.enclosing(s) == Some(walk.of);
        computed.extend(assigned_in(walk, head).filter(|_| is_in_each));
    }
    told.into_iter().map(|v| sentence(walk, v)).collect()
}

fn assigned_in(walk: &Walk<'_>, head: Head) -> impl Iterator<Item = Sym> {
    assigned(walk, head).map(|(v, _)| v).into_iter()
}

/// The real or complex scalar that a statement assigns to, and the value.
fn assigned(walk: &Walk<'_>, head: Head) -> Option<(Sym, Expr)> {
    let Head::Assign { place, value, .. } = head else { return None };
    let ExprData::Var(v) = walk.unit.expr(place) else { return None };
    is_real(walk.unit.sym(v).ty).then_some((v, value))
}

fn is_real(ty: Type) -> bool {
    ty.is_real() || ty.is_complex()
}

/// The sentence about a carried `v`: a sum, a product or an extreme, if the loop uses it for nothing else.
fn sentence(walk: &Walk<'_>, v: Sym) -> String {
    let unit = walk.unit;
    let name = &unit.sym(v).name;
    let (mut kinds, mut reads, mut uses) = (FxHashSet::default(), 0, 0);
    for &s in &walk.body {
        let head = unit.head(s);
        if let Some((_, value)) = assigned(walk, head).filter(|(w, _)| *w == v) {
            kinds.insert(kind_of(walk, value, v));
            uses += 1;
        }
        for e in unit.values(head) {
            unit.visit_expr(e, &mut |x| reads += usize::from(unit.expr(x) == ExprData::Var(v)));
        }
    }
    let kind = kinds.into_iter().next().flatten().filter(|_| reads == uses);
    match kind {
        Some(kind) => format!("the {kind} in `{name}` is made in the order of the iterations"),
        None => format!("`{name}` keeps its value from one iteration to the next"),
    }
}

/// The name of the value made by `v = v op x`.
fn kind_of(walk: &Walk<'_>, value: Expr, v: Sym) -> Option<&'static str> {
    let unit = walk.unit;
    let is_v = |e: Expr| unit.expr(e) == ExprData::Var(v);
    match unit.expr(value) {
        ExprData::Binary(BinaryOp::Add, a, b) => (leads_to(walk, a, v) || leads_to(walk, b, v)).then_some("sum"),
        ExprData::Binary(BinaryOp::Sub, a, _) => leads_to(walk, a, v).then_some("sum"),
        ExprData::Binary(BinaryOp::Mul, a, b) => (is_v(a) || is_v(b)).then_some("product"),
        ExprData::Intrinsic(f @ (Intrinsic::Max | Intrinsic::Min), args) => {
            let word = if f == Intrinsic::Max { "maximum" } else { "minimum" };
            unit.list(args).iter().any(|&a| is_v(a)).then_some(word)
        }
        _ => None,
    }
}

/// Whether `e` is `v`, or `v` and a term added to it.
fn leads_to(walk: &Walk<'_>, mut e: Expr, v: Sym) -> bool {
    loop {
        match walk.unit.expr(e) {
            ExprData::Var(w) => return w == v,
            ExprData::Binary(BinaryOp::Add | BinaryOp::Sub, a, _) => e = a,
            _ => return false,
        }
    }
}

/// Elements that iterations shortly before have computed, and elements that all iterations read and then write.
fn elements(walk: &Walk<'_>) -> Vec<String> {
    let all = walk.elements();
    let is_real = |a: Sym| is_real(walk.unit.sym(a).ty);
    let mut out = Vec::new();
    for (at, &(array, read, _)) in all.iter().enumerate().filter(|(_, (a, _, writes))| !writes && is_real(*a)) {
        let is_same = |&(a, written, writes): &(Sym, List, bool)| writes && a == array && written == read;
        let is_fixed = || walk.unit.list(read).iter().all(|&e| walk.coefficient(e, 0) == Some(0));
        if all[at..].iter().any(is_same) && is_fixed() {
            out.push(format!("`{}` keeps its value from one iteration to the next", text(walk.unit, array, read)));
            continue;
        }
        let writes = all.iter().filter(|(a, _, writes)| *writes && *a == array);
        let mut distances = writes.filter_map(|&(_, written, _)| distance(walk, read, written));
        if distances.any(|d| (1..=MOST_DISTANCE).contains(&d)) {
            out.push(format!("`{}` was computed by an iteration before", text(walk.unit, array, read)));
        }
    }
    out
}

/// The number of iterations between writing the element and reading it; none if it is not constant.
fn distance(walk: &Walk<'_>, read: List, written: List) -> Option<i64> {
    let unit = walk.unit;
    let step = walk.step.filter(|&s| s != 0)?;
    let mut out: Option<i64> = None;
    for (&r, &w) in unit.list(read).iter().zip(unit.list(written)) {
        let ((base_r, of_r), (base_w, of_w)) = (offset(walk, r), offset(walk, w));
        if base_r != base_w {
            return None;
        }
        let apart = of_w.checked_sub(of_r)?;
        let each = walk.coefficient(r, 0)?.checked_mul(step)?;
        if each == 0 {
            if apart != 0 {
                return None;
            }
            continue;
        }
        if apart % each != 0 || out.is_some_and(|d| d != apart / each) {
            return None;
        }
        out = Some(apart / each);
    }
    out
}

/// A subscript as something and a constant.
fn offset(walk: &Walk<'_>, mut e: Expr) -> (Option<Expr>, i64) {
    while let ExprData::Convert(_, of) = walk.unit.expr(e) {
        e = of;
    }
    let constant = |e: Expr| walk.unit.pool().as_int(e);
    match walk.unit.expr(e) {
        ExprData::Int(_, n) => (None, n),
        ExprData::Binary(BinaryOp::Add, a, b) if let Some(n) = constant(b) => (Some(a), n),
        ExprData::Binary(BinaryOp::Add, a, b) if let Some(n) = constant(a) => (Some(b), n),
        ExprData::Binary(BinaryOp::Sub, a, b) if let Some(n) = constant(b) => (Some(a), n.saturating_neg()),
        _ => (Some(e), 0),
    }
}
