//! Static memory at calls: mapped arrays of COMMON blocks and modules, which procedures do not gather for one another.
//!
//! ```text
//!                       if (q.ranks == 0) leave()        everything is whole if q asks for nothing
//! call q(a)        =>   if (h == 0) h = keep(a)
//!                       hand(q.ranks, 0, h)              a is whole, and q leaves it so, if it does not ask for its argument 0
//!                       call q(a)
//!                       returned(1)                      a has the owners of before
//!                       if (q.ranks == 0) back()
//!                       h = 0                            asked for again before the next use
//!                       gather(x)                        if x has no mapping here, q may know another
//! ```
//!
//! A procedure that this pass has seen asks for the arrays that it uses (`runtime/src/ranks/kept.rs`). It says so by a symbol beside its own:
//! `q.ranks`. Callers refer to that symbol weakly, so it is null for procedures in other languages, and for procedures that were not compiled for
//! ranks or were left out. Memory that a procedure uses without a mapping is gathered at its entry, and behind calls. The symbol stands for a word, whose
//! bits say which dummy arguments the procedure asks for in the same way (`runtime/src/ranks/handed.rs`).

use super::Code;
use super::arrays::Mapped;
use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;
use trueline_ir::{
    Access, Area, AreaData, BinaryOp, Callee, Dim, Editor, Expr, ExprData, Head, KNOWS_RANKS, Linkage, Place, Rt, Stmt,
    Storage, Sym, SymData, Type, Unit, UnitKind,
};

/// Memory between two places that belong together is gathered along with them if it is no more than this many bytes.
const GAP: u64 = 64;

/// Static memory that the unit uses without a mapping.
pub(super) struct Other {
    /// The first symbol in it.
    sym: Sym,
    bytes: u64,
}

/// Makes the symbol by which callers know that the unit asks for arrays, and for which dummy arguments.
pub(super) fn tell(ed: &mut Editor<'_>, arrays: &[Mapped]) {
    if !matches!(ed.kind(), UnitKind::Subroutine | UnitKind::Function) {
        return;
    }
    let linkage = if ed.is_exported() { Linkage::Export } else { Linkage::Shared };
    let symbol = format!("{}{KNOWS_RANKS}", ed.symbol());
    // A symbol of this object alone is printed, and so kept in the text form, if it has content.
    let bits = arrays.iter().filter_map(|a| a.asked).fold(1u64, |bits, k| bits | 2 << k);
    ed.area_for(AreaData {
        symbol,
        size: 8,
        align: 8,
        linkage,
        init: bits.to_ne_bytes().to_vec(),
        addresses: Vec::new(),
    });
}

/// The static memory, known to others, that the statements use otherwise than as `arrays`.
pub(super) fn others(u: &Unit, stmts: &[Stmt], arrays: &[Mapped]) -> Vec<Other> {
    let mut used: Vec<(Area, u64, u64, Sym)> = Vec::new();
    let mut seen: Vec<Sym> = Vec::new();
    for &s in stmts {
        let head = u.head(s);
        if head.is_invisible() {
            continue;
        }
        let mut note = |e: Expr| {
            let Some(sym) = crate::alias::memory_of(u, e).map(|s| u.root(s)).filter(|s| !seen.contains(s)) else {
                return;
            };
            seen.push(sym);
            if let Some((area, first, end)) = known_to_others(u, sym)
                && !arrays.iter().any(|a| a.sym == sym)
            {
                used.push((area, first, end, sym));
            }
        };
        for (_, place) in u.references(head) {
            u.visit_expr(place, &mut note);
        }
        if let Head::Assign { place, .. } | Head::ArrayAssign { place, .. } = head {
            u.visit_expr(place, &mut note);
        }
        for e in u.values(head) {
            u.visit_expr(e, &mut note);
        }
    }
    used.sort_unstable_by_key(|&(area, first, end, sym)| (area, first, end, sym));
    let mut out: Vec<Other> = Vec::new();
    let mut last: Option<(Area, u64, u64)> = None;
    for (area, first, end, sym) in used {
        match (&mut last, out.last_mut()) {
            (Some((same, from, to)), Some(other)) if *same == area && first <= to.saturating_add(GAP) => {
                *to = end.max(*to);
                other.bytes = *to - *from;
            }
            _ => {
                last = Some((area, first, end));
                out.push(Other { sym, bytes: end - first });
            }
        }
    }
    out
}

/// The place of a static symbol, if an array that another procedure knows may lie there.
fn known_to_others(u: &Unit, sym: Sym) -> Option<(Area, u64, u64)> {
    let data = u.sym(sym);
    let Storage::Static { area, offset } = data.storage else { return None };
    let of = u.area(area);
    let bytes = u.size_in_bytes(sym).unwrap_or(of.size.saturating_sub(offset));
    // All procedures see the variables of a module alike, and a scalar on its own is no array.
    let is_scalar = data.dims.is_empty() && bytes == of.size && of.linkage != Linkage::Common;
    let is_seen = match of.linkage {
        Linkage::Local => false,
        Linkage::Shared => data.from_source,
        Linkage::Export | Linkage::Import | Linkage::Common => !data.is_for_counts(),
    };
    (is_seen && !is_scalar).then_some((area, offset, offset.saturating_add(bytes)))
}

impl Other {
    /// Gives all ranks all of it.
    pub(super) fn gathering(&self, ed: &mut Editor<'_>, location: Expr) -> Head {
        let lowers: Vec<Expr> = ed.sym(self.sym).dims.iter().map(|d| d.lower).collect();
        let place = match lowers.is_empty() {
            true => ed.var(self.sym),
            false => {
                let list = ed.make_list(&lowers);
                ed.make(ExprData::Elem(self.sym, list))
            }
        };
        let place = ed.make(ExprData::AddrOf(Access::InOut, place));
        let bytes = ed.int(Type::I8, i64::try_from(self.bytes).unwrap_or(i64::MAX));
        let args = ed.make_list(&[place, bytes, location]);
        Head::Call { callee: Callee::Rt(Rt::RanksGather), args, result: None.into() }
    }
}

/// The preparations for a call that are undone behind it.
pub(super) struct Left {
    /// Whether the callee asks for arrays, if that is known when the program runs only.
    asks: Option<Expr>,
    lent: usize,
}

/// Before a call of a procedure, to which the arrays with these numbers are passed.
pub(super) fn leave(code: &mut Code<'_, '_, '_>, head: Head, passed: &[usize]) -> Left {
    let word = match head {
        Head::Call { callee: Callee::Proc(p), .. } if !code.ed.proc(p).is_by_address() => {
            let symbol = code.ed.proc(p).symbol.clone();
            Some(word(code.ed, &symbol))
        }
        _ => None,
    };
    let asks = word.map(|word| code.ed.binary(BinaryOp::Eq, word, code.zero));
    for &k in passed {
        code.map(k);
    }
    let location = code.location();
    outside(code, asks, |code| code.call(Rt::RanksLeave, &[location]));
    for &k in passed {
        let sym = code.arrays[k].sym;
        let position = super::arrays::whole(code.ed, head, sym).and_then(|n| i64::try_from(n).ok());
        let position = code.ed.int(Type::I8, position.unwrap_or(-1));
        let handle = code.handle(k);
        let first = code.arrays[k].first(code.ed, Access::InOut);
        code.call(Rt::RanksHand, &[word.unwrap_or(code.zero), position, handle, first, location]);
    }
    Left { asks, lent: passed.len() }
}

/// Behind the call.
pub(super) fn back(code: &mut Code<'_, '_, '_>, left: &Left) {
    code.at = Place::After(code.from);
    if left.lent > 0 {
        let count = code.ed.int(Type::I8, left.lent as i64);
        let location = code.location();
        code.call(Rt::RanksReturned, &[count, location]);
    }
    outside(code, left.asks, |code| code.call(Rt::RanksBack, &[]));
    for k in 0..code.arrays.len() {
        if code.arrays[k].kept.is_some() && !code.arrays[k].is_private {
            let (place, value) = (code.handle(k), code.ed.int(Type::I8, 0));
            code.emit(Head::Assign { place, value });
        }
    }
    for k in 0..code.others.len() {
        let location = code.location();
        let head = code.others[k].gathering(code.ed, location);
        code.emit(head);
    }
}

/// Makes code for callees that do not ask; without a condition for all.
fn outside<'e, 'u, 'c>(code: &mut Code<'e, 'u, 'c>, asks: Option<Expr>, make: impl FnOnce(&mut Code<'e, 'u, 'c>)) {
    let Some(cond) = asks else { return make(code) };
    let test = code.emit(Head::If { cond });
    let outside = std::mem::replace(&mut code.at, Place::End(code.ed.blocks(test)[0]));
    make(code);
    code.at = outside;
}

/// A word with the address of the symbol of a procedure that asks for arrays, or 0.
fn word(ed: &mut Editor<'_>, callee: &str) -> Expr {
    let symbol = format!("trueline.asks.{callee}");
    let addresses = vec![(0, format!("{callee}{KNOWS_RANKS}"), 0)];
    let area = AreaData { symbol, size: 8, align: 8, linkage: Linkage::Shared, init: vec![0; 8], addresses };
    let area = ed.area_for(area);
    let known = ed.syms().find(|(_, d)| !d.from_source && d.storage == Storage::Static { area, offset: 0 });
    let sym = match known.map(|(s, _)| s) {
        Some(sym) => sym,
        None => {
            let one = ed.int(Type::I8, 1);
            ed.new_sym(SymData {
                dims: SmallVec::from_slice(&[Dim::new(one, PackedOption::from(one))]),
                ..SymData::scalar(format!("asks.{}", ed.syms().count()), Type::I8, Storage::Static { area, offset: 0 })
            })
        }
    };
    let one = ed.int(Type::I8, 1);
    let list = ed.make_list(&[one]);
    ed.make(ExprData::Elem(sym, list))
}
