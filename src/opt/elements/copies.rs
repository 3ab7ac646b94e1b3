//! Copies of structures become copies of their components, where one side is a structure of the procedure's own of which components alone are used otherwise.
//!
//! ```text
//! t%x = a%x + b%x                              @2      t%x = a%x + b%x       @2
//! t%y = a%y + b%y                              @3  =>  t%y = a%y + b%y       @3
//! call rt.char_assign(&out p(i), 16, &in t, 16)  @5    p%x(i) = t%x          @5
//!                                                      p%y(i) = t%y          @5
//! ```
//!
//! Then the components of the structure are variables of their own. Bytes that no component has are copied as integers.

use super::{MOST, offset};
use crate::alias::memory_of;
use crate::elements::components::{length, part, structure};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trueline_ir::{
    Callee, Editor, ExpandKind, Expr, ExprData, Head, Place, Rt, Stmt, Storage, Sym, SymData, Type, Unit,
};

/// The components of a structure: the first byte and the type of each.
type Parts = BTreeMap<u64, Type>;

/// A copy of a structure.
#[derive(Clone, Copy)]
struct Copy {
    stmt: Stmt,
    to: Expr,
    from: Expr,
}

/// Splits the copies of a unit.
pub(super) fn split(ed: &mut Editor<'_>) {
    let (copies, mut parts) = found(ed);
    if copies.is_empty() {
        return;
    }
    spread(ed, &copies, &mut parts);
    let all: FxHashMap<Sym, Vec<(u64, Type)>> =
        parts.into_iter().filter_map(|(v, own)| Some((v, filled(&own, length(ed, v)?)?))).collect();
    for Copy { stmt, to, from } in copies {
        let known = [to, from].into_iter().find_map(|side| all.get(&structure(ed, side)?.0));
        let Some(own) = known.cloned() else { continue };
        let last = own.len() - 1;
        for (k, (at, ty)) in own.into_iter().enumerate() {
            if k == last && trueline_ir::fault("elements_copy_short") {
                break;
            }
            let [place, value] = [to, from].map(|side| component(ed, side, at, ty));
            ed.expand(stmt, Head::Assign { place, value }, Place::Before(stmt), ExpandKind::Lower);
        }
        ed.expanded(stmt);
    }
}

/// The copies of structures, and the components that statements mention of structures that only copies mention as a whole.
fn found(u: &Unit) -> (Vec<Copy>, FxHashMap<Sym, Parts>) {
    let mut parts: FxHashMap<Sym, Parts> = FxHashMap::default();
    let mut copies = Vec::new();
    let is_own = |v: Sym| {
        let data = u.sym(v);
        let is_plain = data.storage == Storage::Frame && !data.may_alias && data.mapping.is_none();
        is_plain && data.ty == Type::Char && data.dims.is_empty() && !data.is_for_counts() && length(u, v).is_some()
    };
    let mut stays: FxHashSet<Sym> = FxHashSet::default();
    let stmts = u.walk();
    for &s in stmts.iter().filter(|&&s| !u.head(s).is_invisible()) {
        let head = u.head(s);
        let copy = copy(u, s);
        copies.extend(copy);
        let mut values: Vec<Expr> = match copy {
            Some(copy) => {
                let subs = [copy.to, copy.from].map(|side| structure(u, side).map_or(Vec::new(), |(_, subs)| subs));
                for (v, subs) in [copy.to, copy.from].into_iter().filter_map(|side| structure(u, side)) {
                    if subs.is_empty() && is_own(v) {
                        parts.entry(v).or_default();
                    }
                }
                subs.concat()
            }
            None => u.values(head).to_vec(),
        };
        if let Head::Assign { place, .. } = head {
            values.push(place);
        }
        for e in values {
            u.visit_expr(e, &mut |x| {
                let (whole, place) = match u.expr(x) {
                    ExprData::AddrOf(_, place) | ExprData::Substr(place, ..) => (true, place),
                    _ => (false, x),
                };
                let Some(v) = memory_of(u, place) else { return };
                let (Storage::Within { root, offset: at }, false) = (u.sym(v).storage, whole) else {
                    stays.insert(u.root(v));
                    return;
                };
                match offset(u, place) {
                    Some(inner) if is_own(root) => _ = parts.entry(root).or_default().insert(at + inner, u.ty(place)),
                    _ => _ = stays.insert(root),
                }
            });
        }
    }
    for (s, _) in u.syms() {
        u.located_by(s, |e| u.visit_expr(e, &mut |x| stays.extend(memory_of(u, x).map(|v| u.root(v)))));
    }
    parts.retain(|v, _| !stays.contains(v));
    (copies, parts)
}

/// The copy of a structure that `s` is.
fn copy(u: &Unit, s: Stmt) -> Option<Copy> {
    let Head::Call { callee: Callee::Rt(Rt::CharAssign), args, .. } = u.head(s) else { return None };
    let &[to, n, from, m] = u.list(args) else { return None };
    let (ExprData::AddrOf(_, to), ExprData::AddrOf(_, from)) = (u.expr(to), u.expr(from)) else { return None };
    let size = u.pool().as_int(n)?;
    let is_whole = |side: Expr| structure(u, side).and_then(|(v, _)| length(u, v)) == Some(size);
    let is_copy = u.pool().as_int(m) == Some(size) && is_whole(to) && is_whole(from);
    is_copy.then_some(Copy { stmt: s, to, from })
}

/// Lets structures that are copied to one another have the same components.
fn spread(u: &Unit, copies: &[Copy], parts: &mut FxHashMap<Sym, Parts>) {
    loop {
        let mut changed = false;
        for copy in copies {
            let sides = [copy.to, copy.from].map(|side| structure(u, side).map(|(v, _)| v));
            let [Some(a), Some(b)] = sides else { continue };
            let (Some(x), Some(y)) = (parts.get(&a), parts.get(&b)) else { continue };
            if x != y {
                let both: Parts = x.iter().chain(y).map(|(&at, &ty)| (at, ty)).collect();
                changed |= *x != both || *y != both;
                parts.insert(a, both.clone());
                parts.insert(b, both);
            }
        }
        if !changed {
            return;
        }
    }
}

/// The components of a structure of `size` bytes, with integers for the bytes between; none if they overlap, or are too many.
fn filled(parts: &Parts, size: i64) -> Option<Vec<(u64, Type)>> {
    let size = u64::try_from(size).ok()?;
    let mut out = Vec::new();
    let mut at = 0;
    let gap = |at: &mut u64, to: u64, out: &mut Vec<(u64, Type)>| {
        while *at < to {
            let fits = |n: u64| to - *at >= n && at.is_multiple_of(n);
            let ty = if fits(8) {
                Type::I8
            } else if fits(4) {
                Type::I4
            } else {
                Type::I1
            };
            out.push((*at, ty));
            *at += ty.size() as u64;
            if out.len() > MOST {
                return;
            }
        }
    };
    for (&first, &ty) in parts {
        gap(&mut at, first, &mut out);
        if at != first {
            return None;
        }
        out.push((first, ty));
        at += ty.size() as u64;
    }
    gap(&mut at, size, &mut out);
    (at == size && !parts.is_empty() && out.len() <= MOST).then_some(out)
}

/// The component of a structure at a byte.
fn component(ed: &mut Editor<'_>, side: Expr, at: u64, ty: Type) -> Expr {
    let Some((whole, subs)) = structure(ed, side) else { return side };
    let own = SymData::scalar(format!("{}%{at}", ed.sym(whole).name), ty, Storage::Frame);
    let part = part(ed, whole, at, own);
    if subs.is_empty() {
        return ed.var(part);
    }
    let list = ed.make_list(&subs);
    ed.make(ExprData::Elem(part, list))
}
