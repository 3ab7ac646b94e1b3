//! Components of structures as symbols.
//!
//! A structure is a string of bytes, and a component a symbol that is part of it. Of an array of structures it is an array with the bytes of a structure as
//! its stride, behind the component's own dimensions.

use crate::linear::{add_scaled, difference, product};
use smallvec::SmallVec;
use trueline_ir::{Dim, Editor, Expr, ExprData, Storage, Sym, SymData, Type, Unit};

/// The constant length of the structures that `v` is or has.
pub(crate) fn length(u: &Unit, v: Sym) -> Option<i64> {
    u.pool().as_int(u.sym(v).len.expand()?)
}

/// A structure, or an element of an array of structures, whose components can be named: its symbol and subscripts. Owners of elements of mapped arrays are
/// asked for the structures, not for their components.
pub(crate) fn structure(u: &Unit, place: Expr) -> Option<(Sym, Vec<Expr>)> {
    let (v, subs) = match u.expr(place) {
        ExprData::Var(v) => (v, Vec::new()),
        ExprData::Elem(v, l) => (v, u.list(l).to_vec()),
        _ => return None,
    };
    let data = u.sym(v);
    let is_one = data.ty == Type::Char && data.dims.len() == subs.len() && data.mapping.is_none();
    (is_one && length(u, v).is_some()).then_some((v, subs))
}

/// The symbol of a component at `offset` in the structures of `whole`: one that is there, or a new one like `own`, which has the component's own
/// dimensions.
pub(crate) fn part(ed: &mut Editor<'_>, whole: Sym, offset: u64, own: SymData) -> Sym {
    let size = length(ed, whole).unwrap_or(0);
    let mut dims = own.dims.clone();
    dims.extend(strided(ed, whole, size));
    let data = ed.sym(whole).clone();
    let storage = match data.storage {
        Storage::Static { area, offset: at } => Storage::Static { area, offset: at + offset },
        Storage::Within { root, offset: at } => Storage::Within { root, offset: at + offset },
        _ => Storage::Within { root: whole, offset },
    };
    let new = SymData { dims, storage, intent: data.intent, may_alias: data.may_alias, owner: data.owner, ..own };
    let new = SymData { from_source: false, is_loaded: false, mapping: None.into(), ..new };
    let same = |d: &SymData| {
        let is_same = d.storage == new.storage && d.ty == new.ty && d.dims == new.dims && d.len == new.len;
        is_same && d.may_alias == new.may_alias && d.mapping.is_none() && !d.is_for_counts()
    };
    let known = ed.syms().find(|(_, d)| same(d)).map(|(s, _)| s);
    known.unwrap_or_else(|| ed.new_sym(new))
}

/// The dimensions of `whole` with distances in bytes; neighbours are `size` bytes apart.
fn strided(ed: &mut Editor<'_>, whole: Sym, size: i64) -> SmallVec<[Dim; 2]> {
    let mut distance = ed.int(Type::I8, size);
    let one = ed.int(Type::I8, 1);
    let dims = ed.sym(whole).dims.clone();
    let mut out = SmallVec::new();
    for d in dims {
        let stride = d.stride.expand().unwrap_or(distance);
        out.push(Dim { stride: stride.into(), ..d });
        if let Some(upper) = d.upper.expand() {
            let n = difference(ed, upper, d.lower);
            let n = add_scaled(ed, n, one, 1);
            distance = product(ed, distance, n);
        }
    }
    out
}
