//! Shapes that loop transformations look for.

use super::{DROPPED, Gen};
use crate::ast::{E, S, Ty};

impl Gen<'_> {
    /// One of the shapes.
    pub(super) fn bait(&mut self, out: &mut Vec<S>) {
        match self.rng.below(11) {
            0 | 1 => self.fusion(out),
            2 | 3 => self.interchange(out),
            4 => self.invariant_test(out),
            5 => self.temporaries(out),
            6 => self.product(out),
            7 => self.ends(out),
            8 => self.dropped(out),
            9 => self.owners(out),
            _ => self.twin(out),
        }
    }

    /// Adjacent loops with the same header.
    fn fusion(&mut self, out: &mut Vec<S>) {
        let h = self.header();
        for _ in 0..self.rng.range(2, 3) {
            let n = self.rng.range(1, 2) as usize;
            let body = self.within(&h, None, |g| {
                let mut body = Vec::new();
                for _ in 0..n {
                    g.work += g.cost;
                    body.push(if g.rng.chance(15) { g.accumulate() } else { g.assign() });
                }
                body
            });
            let (lo, hi, step) = (h.lo.clone(), h.hi.clone(), h.step.clone());
            out.push(S::Do { name: None, var: h.var, lo, hi, step, body });
            if self.rng.chance(15) {
                out.push(self.assign());
            }
        }
    }

    /// A nest that strides badly, perfect or not.
    fn interchange(&mut self, out: &mut Vec<S>) {
        let depth = if self.rng.chance(75) { 2 } else { 3 };
        let imperfect = self.rng.chance(30);
        let s = self.nest(depth, imperfect);
        out.push(s);
    }

    fn nest(&mut self, depth: usize, imperfect: bool) -> S {
        let h = self.header();
        let body = self.within(&h, None, |g| {
            let mut body = Vec::new();
            if depth > 1 {
                if imperfect && g.rng.chance(60) {
                    body.push(g.assign());
                }
                body.push(g.nest(depth - 1, imperfect));
                if imperfect && g.rng.chance(40) {
                    body.push(g.assign());
                }
            } else {
                for _ in 0..g.rng.range(1, 2) {
                    g.work += g.cost;
                    let wide = g.find(|v| v.dims.len() >= 2).filter(|v| !g.fixed.contains(v));
                    body.push(match wide {
                        Some(v) if g.rng.chance(80) => g.assign_to(v),
                        _ => g.assign(),
                    });
                }
            }
            body
        });
        Gen::close(h, None, body)
    }

    /// A condition in a loop that does not depend on the loop.
    fn invariant_test(&mut self, out: &mut Vec<S>) {
        let cond = self.cond(1);
        let h = self.header();
        let body = self.within(&h, None, |g| {
            let mut body = Vec::new();
            if g.rng.chance(50) {
                body.push(g.assign());
            }
            let (a, b) = (g.block(1), g.block(1));
            let otherwise = if g.rng.chance(60) { b } else { vec![] };
            body.push(S::If(vec![(cond, a)], otherwise));
            if g.rng.chance(50) {
                body.push(g.assign());
            }
            body
        });
        out.push(Gen::close(h, None, body));
    }

    /// A scalar temporary in the body, and an invariant one.
    fn temporaries(&mut self, out: &mut Vec<S>) {
        let Some(t) = self.place(Ty::R8) else { return self.fusion(out) };
        let h = self.header();
        let body = self.within(&h, None, |g| {
            let value = g.value(Ty::R8, 2);
            let mut body = vec![S::Assign(t.clone(), value)];
            for _ in 0..g.rng.range(1, 2) {
                g.work += 2 * g.cost;
                if let Some(v) = g.find(|v| v.ty == Ty::R8 && !v.dims.is_empty()) {
                    let place = g.element(v);
                    let other = g.value(Ty::R8, 1);
                    body.push(S::Assign(place, E::bin("+", t.clone(), other)));
                }
            }
            body
        });
        out.push(Gen::close(h, None, body));
    }

    /// A triple nest that sums products.
    fn product(&mut self, out: &mut Vec<S>) {
        let found = self.find(|v| v.ty == Ty::R8 && v.dims.len() == 2);
        let Some(c) = found else { return self.interchange(out) };
        let h1 = self.header();
        let body = self.within(&h1, None, |g| {
            let h2 = g.header();
            let body = g.within(&h2, None, |g| {
                let place = g.element(c);
                let h3 = g.header();
                let body = g.within(&h3, None, |g| {
                    g.work += 2 * g.cost;
                    let (a, b) = (g.element(c), g.value(Ty::R8, 0));
                    let half = E::Real(Ty::R8, "0.125d0".into());
                    vec![S::Assign(place.clone(), E::bin("+", place, E::bin("*", a, E::bin("*", b, half))))]
                });
                vec![Gen::close(h3, None, body)]
            });
            vec![Gen::close(h2, None, body)]
        });
        out.push(Gen::close(h1, None, body));
    }

    /// A test for the first and the last iteration.
    fn ends(&mut self, out: &mut Vec<S>) {
        let h = self.header();
        let (lo, hi, var) = (h.lo.clone(), h.hi.clone(), h.var);
        let body = self.within(&h, None, |g| {
            let mut body = Vec::new();
            let first = E::bin("==", E::Var(var), lo);
            let last = E::bin(g.rng.pick(&["==", "/=", "<"]), E::Var(var), hi);
            let (a, b, c) = (g.assign(), g.assign(), g.assign());
            if g.rng.chance(60) {
                body.push(S::If(vec![(first, vec![a])], vec![]));
            }
            body.push(b);
            if g.rng.chance(60) {
                body.push(S::If(vec![(last, vec![c])], vec![]));
            }
            body
        });
        out.push(Gen::close(h, None, body));
    }

    /// Statements that run in a part of the iterations each, as those of different owners do.
    fn owners(&mut self, out: &mut Vec<S>) {
        let count = self.rng.range(2, 3);
        let limits: Vec<[E; 2]> = (0..count).map(|_| [self.bound().e, self.bound().e]).collect();
        let mut h = self.header();
        if self.rng.chance(80) {
            while h.step.is_some() {
                h = self.header();
            }
        }
        let var = h.var;
        let body = self.within(&h, None, |g| {
            let mut body = Vec::new();
            for [lo, hi] in limits {
                g.work += g.cost;
                let from = E::bin(g.rng.pick(&[">=", ">=", ">"]), E::Var(var), lo);
                let to = E::bin(g.rng.pick(&["<=", "<=", "<"]), E::Var(var), hi);
                let cond = if g.rng.chance(85) { E::bin(".and.", from, to) } else { from };
                let inner = vec![g.assign()];
                body.push(S::If(vec![(cond, inner)], vec![]));
                if g.rng.chance(20) {
                    body.push(g.assign());
                }
            }
            body
        });
        out.push(Gen::close(h, None, body));
    }

    /// A loop whose conditions are made of values that nothing else needs.
    fn dropped(&mut self, out: &mut Vec<S>) {
        let Some(u) = self.dropped_scalar(Ty::I4) else { return self.twin(out) };
        let v = self.dropped_scalar(Ty::R8).unwrap_or_else(|| u.clone());
        let h = self.header();
        let body = self.within(&h, None, |g| {
            g.work += 3 * g.cost;
            let value = match g.rng.below(3) {
                0 => g.function(Ty::I4),
                1 => Some(g.position().e),
                _ => None,
            };
            let value = value.unwrap_or_else(|| g.bounded(Ty::I4, 2));
            let mut body = vec![S::Assign(u.clone(), value)];
            let most = E::Int(g.rng.range(0, 4));
            let test = E::bin(g.rng.pick(&["<", ">", "==", "<="]), u.clone(), most);
            let real = if g.rng.chance(50) { g.function(Ty::R8) } else { None };
            let real = real.unwrap_or_else(|| g.bounded(Ty::R8, 1));
            let inner = S::Assign(v.clone(), real);
            body.push(S::If(vec![(test, vec![inner])], vec![]));
            if g.rng.chance(50) {
                let half = E::Real(Ty::R8, "0.5d0".into());
                let other = vec![S::Assign(u.clone(), E::Int(2))];
                body.push(S::If(vec![(E::bin(">", v, half), other)], vec![]));
            }
            if g.rng.chance(40) {
                body.push(g.assign());
            }
            body
        });
        out.push(Gen::close(h, None, body));
    }

    fn dropped_scalar(&mut self, ty: Ty) -> Option<E> {
        self.find(|v| v.ty == ty && DROPPED.contains(&v.name.as_str())).map(E::Var)
    }

    /// Two statements with a common part, in a loop or not.
    fn twin(&mut self, out: &mut Vec<S>) {
        let common = self.value(Ty::R8, 2);
        for _ in 0..self.rng.range(2, 3) {
            let arrays = self.find(|v| v.ty == Ty::R8 && !v.dims.is_empty());
            let place: Option<E> = match (arrays, self.rng.chance(50)) {
                (Some(v), true) => Some(self.element(v)),
                _ => self.place(Ty::R8),
            };
            let Some(place) = place else { continue };
            let rest = self.value(Ty::R8, 1);
            out.push(S::Assign(place, E::bin("+", common.clone(), rest)));
        }
        if out.is_empty() {
            out.push(self.assign());
        }
    }
}
