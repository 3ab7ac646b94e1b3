//! Array sections, array assignments, WHERE, FORALL and reductions of arrays.

use super::expr::Ranged;
use super::{Around, Gen};
use crate::ast::{E, S, Sub, Ty, VarId};

/// One dimension of a section before it is shifted to where an array is: from the lowest element to the
/// highest, with a step.
#[derive(Clone)]
struct Span {
    from: E,
    to: E,
    /// The interval that all elements lie in.
    lo: i64,
    hi: i64,
    step: i64,
    /// The largest number of elements.
    count: i64,
}

/// The shapes that conform.
#[derive(Clone)]
pub(super) struct Shape(Vec<Span>);

impl Gen<'_> {
    fn shape(&mut self, rank: usize) -> Shape {
        Shape((0..rank).map(|_| self.span()).collect())
    }

    fn span(&mut self) -> Span {
        let from = if self.rng.chance(70) { self.small_constant(1, 3) } else { self.bound() };
        let to = if self.rng.chance(50) { self.small_constant(3, 7) } else { self.bound() };
        let step = self.rng.pick(&[1, 1, 1, 1, 2, -1, -2]);
        let (lo, hi) = (from.lo.min(to.lo), from.hi.max(to.hi));
        let count = hi - lo + 1;
        if step > 0 {
            Span { from: from.e, to: to.e, lo, hi, step, count }
        } else {
            Span { from: to.e, to: from.e, lo, hi, step, count }
        }
    }

    fn small_constant(&mut self, lo: i64, hi: i64) -> Ranged {
        let v = self.rng.range(lo, hi);
        Ranged { e: E::Int(v), lo: v, hi: v }
    }

    /// The section of `v` with that shape, shifted to lie in its bounds; none if it is too small.
    fn section(&mut self, v: VarId, shape: &Shape) -> Option<E> {
        let dims = self.proc.vars[v].dims.clone();
        let rank = shape.0.len();
        if dims.len() < rank || dims.iter().any(|d| d.by.is_some() && d.lo > d.hi) {
            return None;
        }
        // Which of the array's dimensions vary: the first ones, or the last ones.
        let skip = if self.rng.chance(50) { 0 } else { dims.len() - rank };
        let mut subs = Vec::new();
        for (k, d) in dims.iter().enumerate() {
            if k < skip || k >= skip + rank {
                let r = self.ranged();
                subs.push(Sub::At(self.fit(r, d.lo, d.hi)));
                continue;
            }
            let span = &shape.0[k - skip];
            let (least, most) = (d.lo - span.lo, d.hi - span.hi);
            if least > most {
                return None;
            }
            let near: Vec<i64> = [0, 1, -1, 2, -2].into_iter().filter(|c| (least..=most).contains(c)).collect();
            let c = if near.is_empty() { self.rng.range(least, most) } else { self.rng.pick(&near) };
            let shifted = |e: &E| Ranged { e: e.clone(), lo: 0, hi: 0 }.plus(c).e;
            let step = (span.step != 1).then_some(E::Int(span.step));
            subs.push(Sub::Range(shifted(&span.from), shifted(&span.to), step));
        }
        Some(E::Sec(v, subs))
    }

    fn any_section(&mut self, ty: Ty, shape: &Shape, written: bool) -> Option<E> {
        let rank = shape.0.len();
        for _ in 0..4 {
            let v = self.find(|v| v.ty == ty && v.dims.len() >= rank)?;
            if written && self.fixed.contains(&v) {
                continue;
            }
            if let Some(e) = self.section(v, shape) {
                return Some(e);
            }
        }
        None
    }

    /// An array value of that shape (or a scalar, which conforms with everything).
    fn conformable(&mut self, ty: Ty, shape: &Shape, depth: usize) -> E {
        if depth == 0 || self.rng.chance(25) {
            if self.rng.chance(80)
                && let Some(e) = self.any_section(ty, shape, false)
            {
                return e;
            }
            return self.value(ty, 0);
        }
        if ty == Ty::L4 {
            return self.mask(shape, depth);
        }
        let a = self.conformable(ty, shape, depth - 1);
        match self.rng.weighted(&[40, 25, 20, 5, 5]) {
            0 => E::bin("+", a, self.conformable(ty, shape, depth - 1)),
            1 => E::bin("-", a, self.conformable(ty, shape, depth - 1)),
            2 => E::bin("*", a, self.constant(ty)),
            3 => E::call("abs", vec![a]),
            _ => {
                let b = self.conformable(ty, shape, depth - 1);
                E::call("max", vec![a, b])
            }
        }
    }

    fn mask(&mut self, shape: &Shape, depth: usize) -> E {
        let ty = self.rng.pick(&[Ty::R8, Ty::R8, Ty::I4]);
        let a = self.any_section(ty, shape, false);
        let b = self.conformable(ty, shape, depth.min(1));
        let op = self.rng.pick(&["<", "<=", ">", ">="]);
        let base = match a {
            Some(a) => E::bin(op, a, b),
            None => E::Log(true),
        };
        if depth > 0 && self.rng.chance(15) {
            let other = self.mask(shape, 0);
            return E::bin(".and.", base, other);
        }
        base
    }

    /// The type of something to assign an array of `rank` to.
    fn array_type(&mut self, rank: usize) -> Option<Ty> {
        let fixed = self.fixed.clone();
        let vars: Vec<VarId> = (0..self.proc.vars.len()).filter(|v| !fixed.contains(v)).collect();
        let types: Vec<Ty> =
            vars.iter().map(|&v| &self.proc.vars[v]).filter(|v| v.dims.len() >= rank).map(|v| v.ty).collect();
        if types.is_empty() { None } else { Some(self.rng.pick(&types)) }
    }

    fn spend(&mut self, shape: &Shape) {
        self.work += self.cost * shape.0.iter().map(|s| s.count.max(1)).product::<i64>();
    }

    /// `section = expression of sections`, overlapping at will.
    pub(super) fn array_assign(&mut self) -> Option<S> {
        let rank = 1 + self.rng.weighted(&[65, 35]);
        let ty = self.array_type(rank)?;
        let shape = self.shape(rank);
        self.spend(&shape);
        self.quietly(|g| g.assignment(ty, &shape))
    }

    fn assignment(&mut self, ty: Ty, shape: &Shape) -> Option<S> {
        let place = self.any_section(ty, shape, true)?;
        let mut value = self.conformable(ty, shape, 2);
        // The assigned array is read too, shifted, more often than chance would have it.
        if self.rng.chance(35)
            && ty != Ty::L4
            && let E::Sec(v, _) = place
            && let Some(own) = self.section(v, shape)
        {
            value = E::bin("+", own, value);
        }
        Some(S::Assign(place, value))
    }

    /// `a = expression`, of whole arrays.
    pub(super) fn whole_assign(&mut self) -> Option<S> {
        let fixed = self.fixed.clone();
        let a = self.find(|v| !v.dims.is_empty())?;
        if fixed.contains(&a) {
            return None;
        }
        let (ty, dims) = (self.proc.vars[a].ty, self.proc.vars[a].dims.clone());
        self.work += self.cost * self.proc.vars[a].size();
        let same = |v: &crate::ast::Var| {
            v.ty == ty
                && v.dims.len() == dims.len()
                && v.dims.iter().zip(&dims).all(|(x, y)| x.hi - x.lo == y.hi - y.lo)
        };
        let b = self.find(same).unwrap_or(a);
        let value = match ty {
            Ty::L4 => E::Un(".not.", Box::new(E::Var(b))),
            _ => {
                let c = self.constant(ty);
                let scaled = E::bin("*", E::Var(b), if ty == Ty::I4 { E::Int(-1) } else { c });
                if self.rng.chance(50) { scaled } else { E::bin("+", E::Var(a), scaled) }
            }
        };
        Some(S::Assign(E::Var(a), value))
    }

    /// WHERE with its arms.
    pub(super) fn where_construct(&mut self) -> Option<S> {
        let rank = 1 + self.rng.weighted(&[70, 30]);
        let ty = self.array_type(rank)?;
        let shape = self.shape(rank);
        self.spend(&shape);
        self.spend(&shape);
        self.quietly(|g| {
            let mut arms = Vec::new();
            let count = 1 + g.rng.weighted(&[50, 35, 15]);
            for k in 0..count {
                let masked = k == 0 || (k == 1 && count == 3);
                // A scalar truth value is no mask: compare with a section, or give up.
                let mask = if masked { Some(g.array_mask(&shape)?) } else { None };
                let mut body = Vec::new();
                for _ in 0..g.rng.range(1, 2) {
                    body.push(g.assignment(ty, &shape)?);
                }
                arms.push((mask, body));
            }
            Some(S::Where(arms))
        })
    }

    fn array_mask(&mut self, shape: &Shape) -> Option<E> {
        let ty = self.rng.pick(&[Ty::R8, Ty::R8, Ty::I4, Ty::R4]);
        let a = self.any_section(ty, shape, false)?;
        let b = self.conformable(ty, shape, 1);
        let op = self.rng.pick(&["<", "<=", ">", ">="]);
        Some(E::bin(op, a, b))
    }

    /// FORALL with one or two indices; each occurs in a subscript of its own of the assigned array, so no
    /// element is assigned twice.
    pub(super) fn forall(&mut self) -> Option<S> {
        let rank = 1 + self.rng.weighted(&[60, 40]);
        let fixed = self.fixed.clone();
        let mut targets = Vec::new();
        for _ in 0..self.rng.range(1, 2) {
            let v = self.find(|v| v.dims.len() >= rank)?;
            if fixed.contains(&v) {
                return None;
            }
            targets.push(v);
        }
        let shape = self.shape(rank);
        self.spend(&shape);
        let before = self.around.len();
        let mut indices = Vec::new();
        let mut kept = Vec::new();
        for span in &shape.0 {
            let var = self.index();
            kept.push((var, self.ranges[var]));
            self.ranges[var] = Some((span.lo, span.hi));
            self.around.push(Around { var, name: None, is_loop: false });
            let step = (span.step != 1).then_some(E::Int(span.step));
            indices.push((var, span.from.clone(), span.to.clone(), step));
        }
        self.pure_calls = true;
        let made = self.quietly(|g| {
            let mask = g.rng.chance(40).then(|| g.cond(1));
            let mut body = Vec::new();
            for v in targets {
                let place = g.injective(v, &shape, before)?;
                let ty = g.proc.vars[v].ty;
                let value = g.value(ty, 2);
                body.push(S::Assign(place, value));
            }
            Some(S::Forall(indices, mask, body))
        });
        self.pure_calls = false;
        self.around.truncate(before);
        for (var, range) in kept {
            self.ranges[var] = range;
        }
        made
    }

    fn injective(&mut self, v: VarId, shape: &Shape, first: usize) -> Option<E> {
        let dims = self.proc.vars[v].dims.clone();
        let mut subs = Vec::new();
        for (k, d) in dims.iter().enumerate() {
            let Some(span) = shape.0.get(k) else {
                subs.push(E::Int(self.rng.range(d.lo, d.hi)));
                continue;
            };
            if span.hi - span.lo > d.hi - d.lo {
                return None;
            }
            let r = Ranged { e: E::Var(self.around[first + k].var), lo: span.lo, hi: span.hi };
            subs.push(self.fit(r, d.lo, d.hi));
        }
        Some(E::Elem(v, subs))
    }

    /// `s = SUM(section)` and its like.
    pub(super) fn reduction(&mut self) -> Option<S> {
        let ty = self.rng.pick(&[Ty::R8, Ty::R8, Ty::I4, Ty::R4]);
        let place = self.place(ty)?;
        let shape = self.shape(1);
        self.spend(&shape);
        self.quietly(|g| {
            let a = g.any_section(ty, &shape, false)?;
            let value = match g.rng.below(5) {
                0 => E::call("maxval", vec![a]),
                1 if ty != Ty::I4 => {
                    let b = g.any_section(ty, &shape, false)?;
                    E::call("dot_product", vec![a, b])
                }
                2 if ty == Ty::I4 => E::call("count", vec![E::bin(">", a, E::Int(0))]),
                3 => E::call("minval", vec![a]),
                _ => {
                    let b = g.conformable(ty, &shape, 1);
                    E::call("sum", vec![E::bin("+", a, b)])
                }
            };
            Some(S::Assign(place, value))
        })
    }

    /// Runs `f` where no function may be called.
    fn quietly<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.no_calls, true);
        let out = f(self);
        self.no_calls = before;
        out
    }
}
