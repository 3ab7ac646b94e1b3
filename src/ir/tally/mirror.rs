//! Memory that a loop writes, followed in a register by the counting code that leaves the loop.
//!
//! ```text
//! do k = j, 1, -1                          ghostif j >= 1: ghost g = a(1)
//!   tally taken += merge(1, 0, a(1) == 2)  do k = j, 1, -1
//!   a(k) = x                          =>     tally taken += merge(1, 0, g == 2)
//! end                                        a(k) = x
//!                                            ghost g = merge(x, g, k == 1)
//!                                          end
//! ```
//!
//! After that the counting code reads no memory that the loop writes, so it can go before the loop. The place is the same in all
//! iterations, and every store that may reach it is of its type and either reaches all of it or nothing, which subscripts tell.

use crate::edit::{Editor, Place};
use crate::entities::{Area, Expr, Sym};
use crate::expr::{BinaryOp, ExprData};
use crate::head::Head;
use crate::tally::Written;
use crate::{Intrinsic, Storage, Type};
use rustc_hash::FxHashSet;
use trueline_provenance::{Stmt, Why};

/// The most places that are followed: a question for each store and each of them.
const MOST: usize = 4;

/// A store, its value, and the numbers of the places that it may reach, each with the condition.
type Store = (Stmt, Expr, Vec<(usize, Expr)>);

/// The memory that an element lies in.
#[derive(PartialEq, Eq)]
enum Base {
    /// Static memory, with the distance in bytes from its beginning: a sum of products, and a constant.
    Static(Area, Vec<(Expr, i64)>, i64),
    /// An array of this call, with the subscripts.
    Array(Sym, Vec<Expr>),
}

impl Editor<'_> {
    /// Has the counting code `taken` of `s` follow memory that `s` writes in registers; returns whether it reads no such memory any
    /// more. The definitions of the registers in `s` are added to `taken`.
    pub(crate) fn mirror(&mut self, s: Stmt, taken: &mut FxHashSet<Stmt>) -> bool {
        if crate::fault("mirror_never") {
            return false;
        }
        let real: Vec<Stmt> = self
            .walk_stmt(s)
            .into_iter()
            .filter(|&x| !self.head(x).is_invisible() && self.blocks(x).is_empty())
            .collect();
        let counting: Vec<Stmt> = self.walk_stmt(s).into_iter().filter(|x| taken.contains(x)).collect();
        let is_plain =
            |h| matches!(h, Head::Ghost { .. } | Head::Tally { .. } | Head::GhostIf { .. } | Head::Probe { .. });
        if !counting.iter().all(|&x| is_plain(self.head(x))) {
            return false;
        }
        let (written, changing) = (Written::by_all(self, &real), self.defined_by_program(s));
        let mut places: Vec<Expr> = Vec::new();
        for x in self.stmts(self.blocks(s)[0]).collect::<Vec<_>>() {
            let here = self.walk_stmt(x).into_iter().filter(|y| taken.contains(y));
            let values: Vec<Expr> = here.flat_map(|y| self.values(self.head(y)).to_vec()).collect();
            // Elements that the loop writes when their iteration has read them need not be followed.
            let until = Written::until(self, s, x, &real).filter(|_| !crate::fault("mirror_until"));
            if !self.add_places(&values, until.as_ref().unwrap_or(&written), &changing, &mut places) {
                return false;
            }
        }
        // Values that are stored there may be those of further places.
        let mut done = 0;
        let mut stores: Vec<Store> = Vec::new();
        while let Some(&place) = places.get(done) {
            let Some(found) = self.stores_to(place, &real).filter(|_| places.len() <= MOST) else { return false };
            for (x, value, same) in found {
                match stores.iter_mut().find(|s| s.0 == x) {
                    Some(store) => store.2.push((done, same)),
                    None => stores.push((x, value, vec![(done, same)])),
                }
                if !self.add_places(&[value], &written, &changing, &mut places) {
                    return false;
                }
            }
            done += 1;
        }
        let registers: Vec<Sym> = places.iter().map(|&p| self.new_register("ghost", self.ty(p))).collect();
        let now: Vec<Expr> = registers.iter().map(|&g| self.var(g)).collect();
        let instead = |e: Expr| places.iter().position(|&p| p == e).map(|k| now[k]);
        for store in &mut stores {
            store.1 = self.unit.map_expr(store.1, &mut |_, e| instead(e));
        }
        // The places are read before the loop if it runs: something in each iteration reads them.
        let Head::Do { lo, hi, step, .. } = self.head(s) else { return false };
        let body = self.blocks(s)[0];
        let is_read = |p: Expr| {
            self.stmts(body).any(|x| {
                let mut found = false;
                self.values(self.head(x)).into_iter().for_each(|e| self.visit_expr(e, &mut |y| found |= y == p));
                found
            })
        };
        if !places.iter().all(|&p| is_read(p)) || stores.iter().any(|store| self.may_trap(store.1)) {
            return false;
        }
        let bounds = [lo, hi, step].map(|e| self.widen(e));
        let (trips, zero) = (self.trips(bounds), self.int(Type::I8, 0));
        let cond = self.binary(BinaryOp::Gt, trips, zero);
        let guard = self.null(Head::GhostIf { cond }, Place::Before(s), Why::Shadow);
        let first = self.blocks(guard)[0];
        for (&place, &g) in places.iter().zip(&registers) {
            self.unit.tallied.insert(g);
            self.ghost(g, place, Place::End(first));
        }
        for (x, value, reached) in stores {
            let new = self.new_register("ghost", self.ty(value));
            self.unit.tallied.insert(new);
            let mut last = self.null(Head::Ghost { var: new, value }, Place::After(x), Why::Shadow);
            taken.insert(last);
            let new = self.var(new);
            for (k, same) in reached {
                let value = self.intrinsic(Intrinsic::Merge, &[new, now[k], same]);
                last = self.null(Head::Ghost { var: registers[k], value }, Place::After(last), Why::Shadow);
                taken.insert(last);
            }
        }
        for &x in &counting {
            let head = self.head(x);
            self.unit.stmts[x].head = self.unit.map_head(head, &mut |_, e| instead(e));
            let head = self.head(x);
            self.note_tally(head);
        }
        true
    }

    /// Adds the places in memory that `values` read and that are `written`; returns whether each is a scalar or an element that is
    /// the same all the time, unless registers of it are `changing`.
    fn add_places(&self, values: &[Expr], written: &Written, changing: &FxHashSet<Sym>, out: &mut Vec<Expr>) -> bool {
        let mut is_plain = true;
        for &e in values {
            self.visit_expr(e, &mut |p| {
                if self.stored_at(p).is_none() || !written.may_change(self, p) {
                    return;
                }
                let subscripts = match self.expr(p) {
                    ExprData::Elem(_, list) => self.list(list).to_vec(),
                    ExprData::Var(_) => Vec::new(),
                    _ => {
                        is_plain = false;
                        return;
                    }
                };
                let is_fixed = !self.registers_in(p).iter().any(|v| changing.contains(v));
                // A subscript in memory, as in `a(ix(1))`, has one value too, if nothing in the loop writes that.
                let is_written = |e: Expr| written.may_change(self, e);
                let is_known = !subscripts.iter().any(|&e| is_written(e)) && self.ty(p) != Type::Char;
                is_plain &= is_fixed && is_known;
                if !out.contains(&p) {
                    out.push(p);
                }
            });
        }
        is_plain
    }

    /// The statements among `real` that may store to `place`, with the value, and whether it goes there; none if that is not known.
    fn stores_to(&mut self, place: Expr, real: &[Stmt]) -> Option<Vec<(Stmt, Expr, Expr)>> {
        let mut out = Vec::new();
        for &x in real {
            if !Written::by(self, x).may_change(self, place) {
                continue;
            }
            let Head::Assign { place: to, value } = self.head(x) else { return None };
            let fits = self.ty(to) == self.ty(place) && self.ty(value) == self.ty(to);
            if !fits || self.reads_memory_in_place(to) {
                return None;
            }
            let same = self.is_same_place(to, place)?;
            out.push((x, value, same));
        }
        Some(out)
    }

    fn reads_memory_in_place(&self, place: Expr) -> bool {
        match self.expr(place) {
            ExprData::Elem(_, list) => self.list(list).iter().any(|&e| self.reads_memory(e) || self.may_trap(e)),
            ExprData::Var(_) => false,
            _ => true,
        }
    }

    /// Whether `a` and `b`, of one type, are one place, as a value; none if they may overlap in part, or that is not known.
    fn is_same_place(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let size = self.ty(a).size() as i64;
        match (self.base(a)?, self.base(b)?) {
            (Base::Static(p, these, i), Base::Static(q, those, j)) if p == q => {
                let whole = |terms: &[(Expr, i64)]| terms.iter().all(|t| t.1 % size == 0);
                if i.checked_sub(j)? % size != 0 || !whole(&these) || !whole(&those) {
                    return None;
                }
                let (x, y) = (self.distance_of(&these, i), self.distance_of(&those, j));
                Some(self.binary(BinaryOp::Eq, x, y))
            }
            (Base::Array(v, these), Base::Array(w, those)) if v == w && these.len() == those.len() => {
                let mut same = self.make(ExprData::Logical(Type::L4, true));
                for (x, y) in these.into_iter().zip(those) {
                    let here = self.binary(BinaryOp::Eq, x, y);
                    same = self.binary(BinaryOp::And, same, here);
                }
                Some(same)
            }
            _ => None,
        }
    }

    fn distance_of(&mut self, terms: &[(Expr, i64)], constant: i64) -> Expr {
        let mut sum = self.int(Type::I8, constant);
        for &(e, k) in terms {
            let k = self.int(Type::I8, k);
            let e = self.widen(e);
            let product = self.multiply(e, k);
            sum = self.binary(BinaryOp::Add, sum, product);
        }
        sum
    }

    /// The memory that the scalar or element `place` lies in, and the place there.
    fn base(&self, place: Expr) -> Option<Base> {
        let (v, subscripts) = match self.expr(place) {
            ExprData::Elem(v, list) => (v, self.list(list).to_vec()),
            ExprData::Var(v) => (v, Vec::new()),
            _ => return None,
        };
        let data = self.sym(v);
        match data.storage {
            Storage::Static { area, offset } if data.is_contiguous() => {
                let (mut terms, mut constant, mut stride) = (Vec::new(), offset as i64, data.ty.size() as i64);
                for (&e, d) in subscripts.iter().zip(&data.dims) {
                    let lower = self.pool.as_int(d.lower)?;
                    constant = constant.checked_sub(lower.checked_mul(stride)?)?;
                    match self.pool.as_int(e) {
                        Some(k) => constant = constant.checked_add(k.checked_mul(stride)?)?,
                        None => terms.push((e, stride)),
                    }
                    let upper = d.upper.expand().and_then(|e| self.pool.as_int(e));
                    let extent = upper.and_then(|hi| hi.checked_sub(lower)?.checked_add(1)).map(|n| n.max(0));
                    stride = stride.checked_mul(extent.unwrap_or(0))?;
                }
                // The extent of the last dimension does not matter, that of another one must be known.
                let last = data.dims.len().saturating_sub(1);
                let is_known = |d: &crate::symbol::Dim| d.upper.expand().is_some_and(|e| self.pool.as_int(e).is_some());
                data.dims[..last].iter().all(is_known).then_some(Base::Static(area, terms, constant))
            }
            Storage::Frame | Storage::Dummy { .. } => Some(Base::Array(v, subscripts)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Editor;
    use crate::testing::check;

    fn settle(ed: &mut Editor<'_>) {
        let s = ed.real_stmts(ed.body()).next().expect("a loop");
        ed.settle_lanes(s);
    }

    #[test]
    fn an_element_that_the_loop_stores_is_followed() {
        check(
            "vectorize",
            &settle,
            "
integer i, j, x
i8 ghost.1
integer a(9)
do i = j, 1, -1 @1
  ghost ghost.1 = merge(1_i8, 0, a(2) > 3)
  tally @2 taken.0 += ghost.1
  a(i) = x @3
end",
            "
i4 ghost.1, ghost.2
i8 ghost.3
i4 ghost.4
ghostif trip(j, 1, -1) > 0
  ghost ghost.1 = a(2)
end
ghost ghost.2 = j
ghostdo trip(j, 1, -1)
  ghost ghost.3 = merge(1, 0, ghost.1 > 3)
  tally @2 taken.0 += ghost.3
  ghost ghost.4 = x
  ghost ghost.1 = merge(ghost.4, ghost.1, -4 + i8(ghost.2) * 4 == 4)
  ghost ghost.2 = ghost.2 + (-1)
end
do i = j, 1, -1                                 @1
  a(i) = x                                      @3
end
",
        );
    }

    #[test]
    fn an_element_whose_subscript_is_in_memory_is_followed_if_that_stays() {
        check(
            "vectorize",
            &settle,
            "
integer i, j, x
i8 ghost.1
integer a(9), k(9)
do i = j, 1, -1 @1
  ghost ghost.1 = merge(1_i8, 0, a(k(1)) > 3)
  tally @2 taken.0 += ghost.1
  a(i) = x @3
end",
            "
i4 ghost.1, ghost.2
i8 ghost.3
i4 ghost.4
ghostif trip(j, 1, -1) > 0
  ghost ghost.1 = a(k(1))
end
ghost ghost.2 = j
ghostdo trip(j, 1, -1)
  ghost ghost.3 = merge(1, 0, ghost.1 > 3)
  tally @2 taken.0 += ghost.3
  ghost ghost.4 = x
  ghost ghost.1 = merge(ghost.4, ghost.1, -4 + i8(ghost.2) * 4 == (-4 + i8(k(1)) * 4))
  ghost ghost.2 = ghost.2 + (-1)
end
do i = j, 1, -1                                 @1
  a(i) = x                                      @3
end
",
        );
    }

    #[test]
    fn values_that_only_the_loop_computes_are_not() {
        check(
            "vectorize",
            &settle,
            "
integer i, j, x
i8 ghost.1
integer a(9999), b(9)
do i = j, 1, -1 @1
  ghost ghost.1 = merge(1_i8, 0, a(2) > 3)
  tally @2 taken.0 += ghost.1
  a(i) = a(i) + x @3
end",
            "
counter @2 taken.0
do i = j, 1, -1                                 @1
  a(i) = a(i) + x                               @3
end
",
        );
    }
}
