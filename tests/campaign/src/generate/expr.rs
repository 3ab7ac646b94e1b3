//! Scalar expressions.

use super::Gen;
use crate::ast::{E, Ty, VarId};

/// An integer expression with the interval of its values.
#[derive(Clone)]
pub(super) struct Ranged {
    pub e: E,
    pub lo: i64,
    pub hi: i64,
}

impl Ranged {
    fn constant(v: i64) -> Ranged {
        Ranged { e: E::Int(v), lo: v, hi: v }
    }

    pub(super) fn plus(self, c: i64) -> Ranged {
        let e = match c {
            0 => self.e,
            c if c < 0 => E::bin("-", self.e, E::Int(-c)),
            c => E::bin("+", self.e, E::Int(c)),
        };
        Ranged { e, lo: self.lo + c, hi: self.hi + c }
    }
}

impl Gen<'_> {
    pub(super) fn constant(&mut self, ty: Ty) -> E {
        match ty {
            Ty::I4 => E::Int(self.rng.range(-3, 9)),
            Ty::R4 => E::Real(ty, self.rng.pick(&["0.5", "0.25", "1.0", "0.75", "1.25", "0.1"]).to_owned()),
            Ty::R8 => E::Real(
                ty,
                self.rng.pick(&["0.5d0", "0.25d0", "1.0d0", "0.75d0", "1.1d0", "0.3d0", "0.0d0"]).to_owned(),
            ),
            Ty::L4 => E::Log(self.rng.chance(50)),
            Ty::C4 => E::Text(self.rng.pick(&["abc", "b", "dab", "cabb", "  a"])),
        }
    }

    /// The integers with a known interval: loop indices more often than others.
    fn known(&mut self) -> Option<VarId> {
        if !self.around.is_empty() && self.rng.chance(80) {
            let k = self.rng.below(self.around.len());
            let v = self.around[k].var;
            return self.ranges[v].map(|_| v);
        }
        let ranges = &self.ranges;
        let vars = &self.proc.vars;
        let all: Vec<VarId> = (0..vars.len()).filter(|&v| ranges[v].is_some() && vars[v].dims.is_empty()).collect();
        if all.is_empty() { None } else { Some(self.rng.pick(&all)) }
    }

    fn known_var(&mut self) -> Ranged {
        match self.known() {
            Some(v) => {
                let (lo, hi) = self.ranges[v].expect("known has an interval");
                Ranged { e: E::Var(v), lo, hi }
            }
            None => Ranged::constant(self.rng.range(1, 5)),
        }
    }

    /// An integer expression whose values are known to lie in an interval.
    pub(super) fn ranged(&mut self) -> Ranged {
        match self.rng.weighted(&[40, 25, 6, 6, 6, 6, 8]) {
            0 => self.known_var(),
            1 => {
                let c = self.rng.range(-2, 2);
                self.known_var().plus(c)
            }
            2 => {
                let k = self.rng.pick(&[2, 2, 3, -1]);
                let r = self.known_var();
                let (a, b) = (r.lo * k, r.hi * k);
                Ranged { e: E::bin("*", E::Int(k), r.e), lo: a.min(b), hi: a.max(b) }
            }
            3 | 4 => {
                let (a, b) = (self.known_var(), self.known_var());
                if self.rng.chance(50) {
                    Ranged { e: E::bin("+", a.e, b.e), lo: a.lo + b.lo, hi: a.hi + b.hi }
                } else {
                    Ranged { e: E::bin("-", a.e, b.e), lo: a.lo - b.hi, hi: a.hi - b.lo }
                }
            }
            5 => self.indirect(),
            _ => Ranged::constant(self.rng.range(1, 6)),
        }
    }

    /// An element of an index array.
    fn indirect(&mut self) -> Ranged {
        let found = (0..self.proc.vars.len()).find(|&v| self.ranges[v].is_some() && self.proc.vars[v].dims.len() == 1);
        let Some(v) = found else { return self.known_var() };
        let (lo, hi) = self.ranges[v].expect("it has an interval");
        let d = self.proc.vars[v].dims[0].clone();
        let inner = self.known_var();
        let at = self.fit(inner, d.lo, d.hi);
        Ranged { e: E::Elem(v, vec![at]), lo, hi }
    }

    /// `r` made to lie in `lo..=hi`: shifted if that is enough, else folded into it.
    pub(super) fn fit(&mut self, r: Ranged, lo: i64, hi: i64) -> E {
        if r.lo >= lo && r.hi <= hi {
            return r.e;
        }
        if r.hi - r.lo <= hi - lo {
            let room = (hi - lo) - (r.hi - r.lo);
            let extra = self.rng.range(0, room.min(2));
            let c = if r.lo < lo { lo - r.lo + extra } else { hi - r.hi - extra };
            return r.plus(c).e;
        }
        match self.rng.below(3) {
            0 => E::Int(self.rng.range(lo, hi)),
            1 => E::call("max", vec![E::Int(lo), E::call("min", vec![E::Int(hi), r.e])]),
            _ => {
                let folded = E::call("modulo", vec![r.e, E::Int(hi - lo + 1)]);
                if lo == 0 { folded } else { E::bin("+", folded, E::Int(lo)) }
            }
        }
    }

    /// An element of the array `v`. Subscripts that are loop indices plus a small distance are preferred.
    pub(super) fn element(&mut self, v: VarId) -> E {
        let dims = self.proc.vars[v].dims.clone();
        let mut order: Vec<VarId> = self.around.iter().rev().map(|a| a.var).collect();
        if self.rng.chance(40) {
            order.reverse();
        }
        let mut subs = Vec::new();
        for (k, d) in dims.iter().enumerate() {
            let r = match order.get(k) {
                Some(&i) if self.rng.chance(80) => {
                    let (lo, hi) = self.ranges[i].unwrap_or((1, 1));
                    let c = [0, 0, 0, 1, -1, 2, -2][self.rng.below(7)];
                    let plain = Ranged { e: E::Var(i), lo, hi };
                    if lo + c >= d.lo && hi + c <= d.hi { plain.plus(c) } else { plain }
                }
                _ => self.ranged(),
            };
            subs.push(self.fit(r, d.lo, d.hi));
        }
        E::Elem(v, subs)
    }

    fn leaf(&mut self, ty: Ty) -> E {
        let array = self.find(|v| v.ty == ty && !v.dims.is_empty());
        match self.rng.weighted(&[45, 30, 15]) {
            0 if array.is_some() => self.element(array.expect("just found")),
            0 | 1 => match self.find(|v| v.ty == ty && v.dims.is_empty()) {
                Some(v) => E::Var(v),
                None => self.constant(ty),
            },
            _ => self.constant(ty),
        }
    }

    /// A scalar value of type `ty`.
    pub(super) fn value(&mut self, ty: Ty, depth: usize) -> E {
        if ty == Ty::L4 {
            return self.cond(depth);
        }
        if ty == Ty::C4 {
            return self.text();
        }
        if depth == 0 || self.rng.chance(20) {
            return self.leaf(ty);
        }
        if self.rng.chance(6)
            && let Some(call) = self.function(ty)
        {
            return call;
        }
        match ty {
            Ty::I4 => self.integer(depth),
            _ => self.real(ty, depth),
        }
    }

    fn integer(&mut self, depth: usize) -> E {
        let a = self.value(Ty::I4, depth - 1);
        match self.rng.weighted(&[30, 20, 14, 6, 6, 6, 6, 6, 4, 4, 3, 3]) {
            0 => E::bin("+", a, self.value(Ty::I4, depth - 1)),
            1 => E::bin("-", a, self.value(Ty::I4, depth - 1)),
            2 => E::bin("*", a, self.leaf(Ty::I4)),
            3 => {
                let d = self.rng.pick(&[2, 3, 5, 7, -2, 4]);
                E::bin("/", a, E::Int(d))
            }
            4 => {
                let d = self.rng.pick(&[2, 3, 5, 7, 4]);
                E::call("mod", vec![a, E::Int(d)])
            }
            5 => {
                let b = self.value(Ty::I4, depth - 1);
                let name = self.rng.pick(&["max", "min"]);
                E::call(name, vec![a, b])
            }
            6 => E::call("abs", vec![a]),
            7 => E::Un("-", Box::new(a)),
            8 => {
                let b = self.value(Ty::I4, depth - 1);
                let name = self.rng.pick(&["iand", "ieor", "ior"]);
                E::call(name, vec![a, b])
            }
            9 => E::bin("+", a, self.integer_power()),
            10 => E::bin("-", a, self.position().e),
            _ => {
                let b = self.value(Ty::I4, depth - 1);
                let c = self.cond(depth - 1);
                E::call("merge", vec![a, b, c])
            }
        }
    }

    /// Real values stay finite in a program's short life: products have a factor that is not large.
    fn real(&mut self, ty: Ty, depth: usize) -> E {
        if self.rng.chance(10) {
            return self.converted(ty, depth);
        }
        let a = self.value(ty, depth - 1);
        match self.rng.weighted(&[34, 24, 16, 8, 5, 4, 4, 3, 3, 2, 3]) {
            0 => E::bin("+", a, self.value(ty, depth - 1)),
            1 => E::bin("-", a, self.value(ty, depth - 1)),
            2 => {
                let c = self.constant(ty);
                if self.rng.chance(50) { E::bin("*", a, c) } else { E::bin("*", c, a) }
            }
            3 => {
                let small = E::call("sin", vec![self.leaf(ty)]);
                E::bin("*", a, small)
            }
            4 => {
                let one = E::Real(ty, if ty == Ty::R4 { "1.5" } else { "1.5d0" }.into());
                let d = E::bin("+", E::call("abs", vec![self.leaf(ty)]), one);
                E::bin("/", a, d)
            }
            5 => {
                let b = self.value(ty, depth - 1);
                let name = self.rng.pick(&["max", "min"]);
                E::call(name, vec![a, b])
            }
            6 => E::call("abs", vec![a]),
            7 => E::Un("-", Box::new(a)),
            8 => E::call("sqrt", vec![E::call("abs", vec![a])]),
            9 => E::bin("+", a, self.power(ty)),
            _ => {
                let b = self.value(ty, depth - 1);
                let c = self.cond(depth - 1);
                E::call("merge", vec![a, b, c])
            }
        }
    }

    /// A small integer to an exponent of either kind. Negative exponents are those of constants that are not zero.
    fn integer_power(&mut self) -> E {
        let k = self.ranged();
        if self.rng.chance(40) {
            let base = E::Int(self.rng.pick(&[2, -2, 1, -1, 3]));
            let exponent = self.fit(k, -3, 5);
            return self.raised(Ty::I4, base, exponent);
        }
        let r = self.ranged();
        let (base, exponent) = (self.fit(r, -3, 3), self.fit(k, 0, 4));
        self.raised(Ty::I4, base, exponent)
    }

    /// A number from 0.5 to 2.5 to a small power.
    fn power(&mut self, ty: Ty) -> E {
        let k = self.ranged();
        let middle = E::Real(ty, if ty == Ty::R4 { "1.5" } else { "1.5d0" }.into());
        let base = E::bin("+", E::call("sin", vec![self.leaf(ty)]), middle);
        let exponent = self.fit(k, -5, 7);
        self.raised(ty, base, exponent)
    }

    /// `base ** exponent`, of type `ty` though the exponent may be an INTEGER(8).
    fn raised(&mut self, ty: Ty, base: E, exponent: E) -> E {
        if self.rng.chance(50) {
            return E::bin("**", base, exponent);
        }
        let long = E::bin("**", base, E::call("int", vec![exponent, E::Int(8)]));
        if ty == Ty::I4 { E::call("int", vec![long]) } else { long }
    }

    /// Characters: of at most four, or one that the loops decide.
    fn text(&mut self) -> E {
        match self.rng.weighted(&[40, 30, 20]) {
            0 => match self.find(|v| v.ty == Ty::C4) {
                Some(v) => E::Var(v),
                None => self.constant(Ty::C4),
            },
            1 => self.letter(),
            _ => self.constant(Ty::C4),
        }
    }

    /// A letter from `a` to `e`.
    fn letter(&mut self) -> E {
        let r = self.ranged();
        let k = self.fit(r, 97, 101);
        E::call("achar", vec![k])
    }

    /// The position of characters in others, from 0 to 4.
    pub(super) fn position(&mut self) -> Ranged {
        let name = self.rng.pick(&["index", "scan", "verify", "len_trim"]);
        let args = if name == "len_trim" { vec![self.text()] } else { vec![self.text(), self.letter()] };
        Ranged { e: E::call(name, args), lo: 0, hi: 4 }
    }

    fn converted(&mut self, ty: Ty, depth: usize) -> E {
        let name = if ty == Ty::R4 { "real" } else { "dble" };
        let from = self.rng.pick(&[Ty::I4, Ty::R4]);
        if from == ty {
            return self.leaf(ty);
        }
        let inner = self.value(from, depth - 1);
        if ty == Ty::R8 && self.rng.chance(30) {
            return E::bin("+", inner, self.leaf(Ty::R8));
        }
        E::call(name, vec![inner])
    }

    /// A condition.
    pub(super) fn cond(&mut self, depth: usize) -> E {
        if depth > 0 && self.rng.chance(25) {
            let (a, b) = (self.cond(depth - 1), self.cond(depth - 1));
            let op = self.rng.pick(&[".and.", ".or.", ".and.", ".or.", ".neqv."]);
            return E::bin(op, a, b);
        }
        if depth > 0 && self.rng.chance(6) {
            return E::Un(".not.", Box::new(self.cond(depth - 1)));
        }
        match self.rng.weighted(&[35, 30, 15, 12, 8, 4]) {
            0 => {
                let ty = self.rng.pick(&[Ty::R8, Ty::R8, Ty::I4, Ty::R4]);
                let (a, b) = (self.leaf(ty), self.value(ty, depth.min(1)));
                let op = self.rng.pick(&["<", "<=", ">", ">="]);
                E::bin(op, a, b)
            }
            1 => {
                let a = self.known_var();
                let b = self.ranged();
                let op = self.rng.pick(&["<", "<=", ">", ">=", "==", "/="]);
                E::bin(op, a.e, b.e)
            }
            2 => self.edge(),
            3 => {
                let a = self.known_var();
                let k = self.rng.range(2, 3);
                E::bin("==", E::call("mod", vec![a.e, E::Int(k)]), E::Int(1))
            }
            4 => match self.find(|v| v.ty == Ty::L4 && v.dims.is_empty()) {
                Some(v) => E::Var(v),
                None => E::Log(true),
            },
            _ => {
                let op = self.rng.pick(&["<", "<=", ">", ">=", "==", "/="]);
                E::bin(op, self.text(), self.text())
            }
        }
    }

    /// A test for the first or last iteration, or of something invariant.
    fn edge(&mut self) -> E {
        let Some(a) = self.around.last() else {
            let (a, b) = (self.known_var(), self.rng.range(0, 6));
            return E::bin(">", a.e, E::Int(b));
        };
        let v = a.var;
        let (lo, hi) = self.ranges[v].unwrap_or((1, 1));
        let at = self.rng.pick(&[lo, hi, lo + 1, hi - 1]);
        let op = self.rng.pick(&["==", "==", "/=", ">", "<="]);
        E::bin(op, E::Var(v), E::Int(at))
    }
}
