//! Values that cross from one part of a loop to another, from one iteration to another, or out of a procedure: they
//! make a loop transformation wrong that looks possible.

use super::Gen;
use super::expr::Ranged;
use super::stmt::Header;
use crate::ast::{E, S, Ty};

impl Gen<'_> {
    /// One of the shapes.
    pub(super) fn crossing(&mut self, out: &mut Vec<S>) {
        match self.rng.below(10) {
            0 | 1 => self.handed_on(out),
            2 | 3 => self.skewed(out),
            4 | 5 => self.parts(out),
            6 => self.signed_zeros(out),
            7 => self.bound_redefined(out),
            8 => self.deep(out),
            _ => self.leaves_two(out),
        }
    }

    /// A loop header with few iterations.
    pub(super) fn short_header(&mut self, most: i64) -> Header {
        loop {
            let h = self.header();
            if h.trips <= most {
                return h;
            }
        }
    }

    /// An integer scalar that no loop has for its variable.
    fn no_index(&mut self) -> Option<E> {
        (0..4).find_map(|_| self.place(Ty::I4).filter(|e| !matches!(e, E::Var(v) if self.indices.contains(v))))
    }

    /// `array = value` with the array of type REAL(8), if there is one.
    fn store(&mut self, value: E) -> S {
        self.work += self.cost;
        match self.find(|v| v.ty == Ty::R8 && !v.dims.is_empty()) {
            Some(a) => S::Assign(self.element(a), value),
            None => S::Assign(self.place(Ty::R8).unwrap_or(E::Var(0)), value),
        }
    }

    /// Two loops alike; the second reads a scalar that the first leaves, or changes one that the first reads.
    fn handed_on(&mut self, out: &mut Vec<S>) {
        let Some(t) = self.place(Ty::R8) else { return self.bait(out) };
        let h = self.header();
        let forward = self.rng.chance(70);
        for part in [forward, !forward] {
            let body = self.within(&h, None, |g| {
                let mut body = Vec::new();
                let own = g.value(Ty::R8, 1);
                if part {
                    body.push(g.store(own.clone()));
                    body.push(S::Assign(t.clone(), own));
                } else {
                    body.push(g.store(E::bin("+", t.clone(), own)));
                }
                body
            });
            let (lo, hi, step) = (h.lo.clone(), h.hi.clone(), h.step.clone());
            out.push(S::Do { name: None, var: h.var, lo, hi, step, body });
        }
    }

    /// A nest that strides badly, with a dependence that goes forward in one loop and back in the other.
    fn skewed(&mut self, out: &mut Vec<S>) {
        let found = self.find(|v| v.ty == Ty::R8 && v.dims.len() == 2);
        let Some(a) = found.filter(|v| !self.fixed.contains(v)) else { return self.bait(out) };
        let (outer, d) = (self.header(), self.proc.vars[a].dims.clone());
        let body = self.within(&outer, None, |g| {
            let inner = g.header();
            let body = g.within(&inner, None, |g| {
                g.work += g.cost;
                let at = |g: &mut Gen<'_>, p: i64, q: i64| {
                    let subs = [(outer.var, outer.range, p), (inner.var, inner.range, q)];
                    let subs = subs.iter().zip(&d);
                    E::Elem(a, subs.map(|(&(v, r, c), d)| g.shifted(v, r, c, (d.lo, d.hi))).collect())
                };
                let (p, q) = (g.rng.pick(&[1, -1, 0, 2]), g.rng.pick(&[1, -1, -2]));
                let (to, from) = (at(g, 0, 0), at(g, p, q));
                let half = E::Real(Ty::R8, "0.5d0".into());
                let rest = g.value(Ty::R8, 1);
                vec![S::Assign(to, E::bin("+", E::bin("*", from, half), rest))]
            });
            vec![Gen::close(inner, None, body)]
        });
        out.push(Gen::close(outer, None, body));
    }

    /// `v + c` as a subscript between bounds: folded to them where it would leave them.
    fn shifted(&mut self, v: usize, range: (i64, i64), c: i64, (lo, hi): (i64, i64)) -> E {
        let r = Ranged { e: E::Var(v), lo: range.0, hi: range.1 }.plus(c);
        if r.lo >= lo && r.hi <= hi {
            return r.e;
        }
        E::call("max", vec![E::Int(lo), E::call("min", vec![E::Int(hi), r.e])])
    }

    /// A loop of parts that distribution would like to separate: values that one part needs of another, and inner loops
    /// whose bounds are computed in the body.
    fn parts(&mut self, out: &mut Vec<S>) {
        let (Some(t), Some(m)) = (self.place(Ty::R8), self.no_index()) else { return self.bait(out) };
        let wide = self.find(|v| v.ty == Ty::R8 && v.dims.len() >= 2).filter(|v| !self.fixed.contains(v));
        let Some(wide) = wide else { return self.bait(out) };
        let h = self.header();
        let kind = self.rng.below(4);
        let body = self.within(&h, None, |g| {
            let mut body = Vec::new();
            let value = g.value(Ty::R8, 1);
            body.push(g.store(if kind == 0 { E::bin("+", t.clone(), value.clone()) } else { value.clone() }));
            if kind == 1 {
                let bound = E::call("mod", vec![E::call("abs", vec![g.value(Ty::I4, 1)]), E::Int(4)]);
                body.push(S::Assign(m.clone(), bound));
                let inner = g.short_header(4);
                let lines = g.within(&inner, None, |g| vec![g.assign()]);
                // The interval of its variable is that of the header made; the bound is at most the lower limit.
                let hi = E::call("min", vec![inner.hi.clone(), m.clone()]);
                let down = matches!(&inner.step, Some(s) if *s != E::Int(2) && *s != E::Int(3));
                let hi = if down { inner.hi.clone() } else { hi };
                body.push(S::Do { name: None, var: inner.var, lo: inner.lo, hi, step: inner.step, body: lines });
            }
            let inner = g.header();
            let lines = g.within(&inner, None, |g| vec![g.assign_to(wide)]);
            body.push(Gen::close(inner, None, lines));
            match kind {
                0 => body.push(S::Assign(t.clone(), value)),
                2 => body.push(g.assign()),
                _ => {}
            }
            body
        });
        out.push(Gen::close(h, None, body));
    }

    /// Zeros with signs.
    fn signed_zeros(&mut self, out: &mut Vec<S>) {
        let (Some(x), Some(y)) = (self.place(Ty::R8), self.place(Ty::R8)) else { return self.bait(out) };
        let real = |t: &str| E::Real(Ty::R8, t.to_owned());
        let any = E::call("abs", vec![self.value(Ty::R8, 1)]);
        let negative = E::Un("-", Box::new(E::bin("+", any, real("1.0d0"))));
        out.push(S::Assign(x.clone(), E::bin("*", real("0.0d0"), negative)));
        let zero = real("0.0d0");
        let value = match self.rng.below(6) {
            0 | 1 => E::bin("+", x.clone(), zero),
            2 => E::bin("+", zero, x.clone()),
            3 => E::bin("-", x.clone(), zero),
            4 => E::bin("-", zero, x.clone()),
            _ => E::bin("*", x.clone(), real("1.0d0")),
        };
        out.push(S::Assign(y, value));
    }

    /// A count that is made of a register which changes later in the body: the loop that is counted does nothing.
    fn bound_redefined(&mut self, out: &mut Vec<S>) {
        let (Some(m), Some(t)) = (self.no_index(), self.no_index()) else { return self.bait(out) };
        if m == t {
            return self.bait(out);
        }
        let first = self.rng.range(0, 4);
        out.push(S::Assign(m.clone(), E::Int(first)));
        let h = self.header();
        let var = h.var;
        let body = self.within(&h, None, |g| {
            let mut body = Vec::new();
            let inner = g.index();
            g.work += 5 * g.cost;
            let lines = vec![S::Assign(t.clone(), E::bin("+", E::Var(inner), E::Int(1)))];
            let nest = S::Do { name: None, var: inner, lo: E::Int(1), hi: m.clone(), step: None, body: lines };
            if g.rng.chance(60) {
                body.push(nest);
            } else {
                // The interval of `inner` is not known, so nothing else is generated in it.
                let test = E::bin(">", m.clone(), E::Int(g.rng.range(0, 3)));
                body.push(S::If(vec![(test, vec![nest])], vec![]));
            }
            if g.rng.chance(50) {
                body.push(g.assign());
            }
            let next = match g.rng.below(3) {
                0 => E::Int(g.rng.range(0, 5)),
                1 => E::call("mod", vec![E::Var(var), E::Int(3)]),
                _ => g.named("n2").unwrap_or(E::Int(3)),
            };
            body.push(S::Assign(m.clone(), next));
            body
        });
        out.push(Gen::close(h, None, body));
        out.push(S::Assign(t, E::Int(0)));
    }

    /// A nest of four or five short loops.
    fn deep(&mut self, out: &mut Vec<S>) {
        let depth = if self.depth > 1 { 2 } else { self.rng.range(4, 5) };
        let s = self.deep_nest(depth);
        out.push(s);
    }

    fn deep_nest(&mut self, depth: i64) -> S {
        let h = self.short_header(4);
        let body = self.within(&h, None, |g| {
            let mut body = Vec::new();
            if depth == 1 || g.rng.chance(15) {
                g.work += g.cost;
                body.push(g.assign());
            }
            if depth > 1 {
                body.push(g.deep_nest(depth - 1));
            }
            body
        });
        Gen::close(h, None, body)
    }

    /// A GOTO out of two loops.
    fn leaves_two(&mut self, out: &mut Vec<S>) {
        let target = self.label();
        let h = self.header();
        let body = self.within(&h, None, |g| {
            let inner = g.header();
            let mut lines = g.within(&inner, None, |g| {
                let cond = g.cond(1);
                vec![g.assign(), S::If(vec![(cond, vec![S::Goto(target)])], vec![]), g.assign()]
            });
            if g.rng.chance(30) {
                lines.remove(0);
            }
            vec![g.assign(), Gen::close(inner, None, lines)]
        });
        out.push(Gen::close(h, None, body));
        if self.rng.chance(50) {
            out.push(self.assign());
        }
        out.push(S::Label(target));
    }
}
