//! Elementwise loops and straight-line code over neighbouring reals: code that becomes vectors, next to code that must
//! not, because arrays overlap by EQUIVALENCE or the loop reads an element that an iteration before wrote.

use super::Gen;
use super::expr::Ranged;
use crate::ast::{E, S, Ty, VarId};

impl Gen<'_> {
    /// One of the shapes.
    pub(super) fn neighbours(&mut self, out: &mut Vec<S>) {
        let ty = self.rng.pick(&[Ty::R8, Ty::R8, Ty::R4]);
        let arrays: Vec<VarId> = (0..self.proc.vars.len())
            .filter(|&v| {
                let var = &self.proc.vars[v];
                var.ty == ty && !var.dims.is_empty() && var.dims.iter().all(|d| d.by.is_none())
            })
            .collect();
        let written: Vec<VarId> = arrays.iter().copied().filter(|v| !self.fixed.contains(v)).collect();
        if written.is_empty() {
            return self.bait(out);
        }
        if self.rng.chance(25) {
            self.in_a_row(ty, &arrays, &written, out);
        } else {
            self.elementwise(ty, &arrays, &written, out);
        }
    }

    /// `do i: a(i + p) = f(b(i + q), c(i + r)); …`
    fn elementwise(&mut self, ty: Ty, arrays: &[VarId], written: &[VarId], out: &mut Vec<S>) {
        let h = self.header();
        let at = Ranged { e: E::Var(h.var), lo: h.range.0, hi: h.range.1 };
        let body = self.within(&h, None, |g| {
            let n = g.rng.range(1, 3);
            (0..n)
                .map(|_| {
                    g.work += g.cost;
                    // The greatest or the least so far, in order.
                    if g.rng.chance(20)
                        && let Some(m) = g.place(ty)
                    {
                        let lane = g.lane(ty, arrays, &at, 2);
                        let name = g.rng.pick(&["max", "max", "min"]);
                        let args = if g.rng.chance(70) { vec![m.clone(), lane] } else { vec![lane, m.clone()] };
                        return S::Assign(m, E::call(name, args));
                    }
                    if g.rng.chance(30) {
                        return g.masked(ty, (arrays, written), &at, 2);
                    }
                    g.of_lane(ty, (arrays, written), &at)
                })
                .collect()
        });
        out.push(Gen::close(h, None, body));
    }

    /// `a(i + p) = f(b(i + q), c(i + r))`
    fn of_lane(&mut self, ty: Ty, (arrays, written): (&[VarId], &[VarId]), at: &Ranged) -> S {
        let to = self.rng.pick(written);
        let place = self.near(to, at);
        S::Assign(place, self.lane(ty, arrays, at, 2))
    }

    /// A conditional on elements, which becomes a mask: one arm or two, mostly with assignments to the same element.
    fn masked(&mut self, ty: Ty, of: (&[VarId], &[VarId]), at: &Ranged, depth: usize) -> S {
        let compare = |g: &mut Self| {
            let op = g.rng.pick(&["<", ">", "<=", ">=", "==", "/="]);
            E::bin(op, g.lane(ty, of.0, at, 1), g.lane(ty, of.0, at, 1))
        };
        let mut cond = compare(self);
        if self.rng.chance(15) {
            let other = compare(self);
            cond = E::bin(self.rng.pick(&[".and.", ".or."]), cond, other);
        }
        let mut arm = self.of_lane(ty, of, at);
        let mut otherwise = Vec::new();
        if self.rng.chance(60) {
            let mut other = self.of_lane(ty, of, at);
            if let (S::Assign(place, _), S::Assign(same, _)) = (&mut other, &arm)
                && self.rng.chance(80)
            {
                *place = same.clone();
            }
            otherwise.push(other);
        } else if let S::Assign(place, value) = &mut arm
            && self.rng.chance(60)
        {
            // The element is read anyway.
            cond = E::bin(">", place.clone(), self.lane(ty, of.0, at, 0));
            *value = E::bin("+", place.clone(), value.clone());
        }
        if depth > 1 && self.rng.chance(20) {
            otherwise = vec![self.masked(ty, of, at, depth - 1)];
        }
        S::If(vec![(cond, vec![arm])], otherwise)
    }

    /// `a(4) = f(b(4)); a(5) = f(b(5)); …` in some order, now and then one missing.
    fn in_a_row(&mut self, ty: Ty, arrays: &[VarId], written: &[VarId], out: &mut Vec<S>) {
        let (to, from) = (self.rng.pick(written), self.rng.pick(arrays));
        let (p, q) = (self.rng.range(0, 3), self.rng.range(0, 3));
        let mut order: Vec<i64> = (0..self.rng.range(2, 5)).collect();
        if self.rng.chance(30) {
            order.reverse();
        }
        let x = self.value(ty, 0);
        let op = self.rng.pick(&["+", "-", "*"]);
        for k in order {
            if self.rng.chance(10) {
                continue;
            }
            self.work += self.cost;
            let element = |g: &mut Self, v: VarId, c: i64| {
                let lo = g.proc.vars[v].dims[0].lo;
                let at = Ranged { e: E::Int(lo + c), lo: lo + c, hi: lo + c };
                g.along(v, at)
            };
            let (place, read) = (element(self, to, k + p), element(self, from, k + q));
            out.push(S::Assign(place, E::bin(op, read, x.clone())));
        }
    }

    /// The element of `v` at the index or up to two beside it.
    fn near(&mut self, v: VarId, at: &Ranged) -> E {
        let c = self.rng.pick(&[0, 0, 0, 1, -1, 2, -2]);
        self.along(v, at.clone().plus(c))
    }

    /// The element of `v` whose first subscript is that, shifted into bounds.
    fn along(&mut self, v: VarId, at: Ranged) -> E {
        let dims = self.proc.vars[v].dims.clone();
        let mut subs = vec![self.fit(at, dims[0].lo, dims[0].hi)];
        subs.extend(dims[1..].iter().map(|d| E::Int(self.rng.range(d.lo, d.hi))));
        E::Elem(v, subs)
    }

    /// The computation that is alike for each element.
    fn lane(&mut self, ty: Ty, arrays: &[VarId], at: &Ranged, depth: usize) -> E {
        if depth == 0 || self.rng.chance(20) {
            if self.rng.chance(25) {
                return self.value(ty, 0);
            }
            let v = self.rng.pick(arrays);
            return self.near(v, at);
        }
        let a = self.lane(ty, arrays, at, depth - 1);
        match self.rng.weighted(&[25, 20, 20, 8, 8, 6, 7, 6]) {
            0 => E::bin("+", a, self.lane(ty, arrays, at, depth - 1)),
            1 => E::bin("-", a, self.lane(ty, arrays, at, depth - 1)),
            2 => E::bin("*", a, self.constant(ty)),
            3 => E::bin("/", self.lane(ty, arrays, at, depth - 1), E::bin("+", E::call("abs", vec![a]), self.one(ty))),
            4 => E::call("abs", vec![a]),
            5 => E::Un("-", Box::new(a)),
            6 => {
                let b = self.lane(ty, arrays, at, depth - 1);
                E::call(self.rng.pick(&["max", "min"]), vec![a, b])
            }
            _ => E::call("sqrt", vec![E::call("abs", vec![a])]),
        }
    }

    fn one(&self, ty: Ty) -> E {
        E::Real(ty, if ty == Ty::R4 { "1.0".into() } else { "1.0d0".into() })
    }
}
