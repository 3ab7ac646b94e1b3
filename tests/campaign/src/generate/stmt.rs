//! Statements: assignments, loops, conditionals, jumps, calls.

use super::expr::Ranged;
use super::{Around, Gen, WORK};
use crate::ast::{E, Home, S, Target, Ty, VarId};

/// A loop header.
pub(super) struct Header {
    pub var: VarId,
    pub lo: E,
    pub hi: E,
    pub step: Option<E>,
    /// The interval of the values of `var` in the body.
    pub range: (i64, i64),
    /// The largest number of iterations.
    pub trips: i64,
}

impl Gen<'_> {
    /// About `n` statements.
    pub(super) fn block(&mut self, n: usize) -> Vec<S> {
        let mut out = Vec::new();
        for _ in 0..n {
            if self.work > WORK {
                break;
            }
            self.some(&mut out);
        }
        if out.is_empty() {
            out.push(self.assign());
        }
        out
    }

    /// One statement, or a few that belong together.
    fn some(&mut self, out: &mut Vec<S>) {
        self.work += self.cost;
        let in_loop = self.around.iter().any(|a| a.is_loop);
        let deep = self.depth >= 5;
        let nest = if deep { 0 } else { 30 };
        let jump = if in_loop { 3 } else { 0 };
        let outer = if in_loop { 2 } else { 12 };
        let weights = [40, nest, nest / 2, jump, outer, outer, outer, 6, 5, nest / 4, nest / 8, nest / 8, nest / 2];
        match self.rng.weighted(&weights) {
            0 => out.push(self.assign()),
            1 => self.loops(out),
            2 => out.push(self.conditional()),
            3 => out.push(self.jump()),
            4 => self.push(out, |g| g.array_assign()),
            5 => self.push(out, |g| if g.rng.chance(60) { g.where_construct() } else { g.forall() }),
            6 => self.push(out, |g| if g.rng.chance(70) { g.reduction() } else { g.whole_assign() }),
            7 => self.push(out, |g| g.call()),
            8 => out.push(self.accumulate()),
            9 => self.while_loop(out),
            10 => out.push(self.select()),
            11 => self.arithmetic(out),
            _ => match self.rng.weighted(&[45, 40, 15]) {
                0 => self.bait(out),
                1 => self.crossing(out),
                _ => self.neighbours(out),
            },
        }
    }

    fn push(&mut self, out: &mut Vec<S>, f: impl FnOnce(&mut Self) -> Option<S>) {
        match f(self) {
            Some(s) => out.push(s),
            None => out.push(self.assign()),
        }
    }

    /// A scalar variable that may be assigned.
    pub(super) fn place(&mut self, ty: Ty) -> Option<E> {
        let busy: Vec<VarId> = self.around.iter().map(|a| a.var).chain(self.fixed.iter().copied()).collect();
        let all: Vec<VarId> = (0..self.proc.vars.len())
            .filter(|v| !busy.contains(v))
            .filter(|&v| {
                let var = &self.proc.vars[v];
                var.ty == ty && var.dims.is_empty() && var.home != Home::Opaque
            })
            .collect();
        if all.is_empty() { None } else { Some(E::Var(self.rng.pick(&all))) }
    }

    /// An assignment of a scalar or an element.
    pub(super) fn assign(&mut self) -> S {
        let ty = [Ty::R8, Ty::R4, Ty::I4, Ty::L4, Ty::C4][self.rng.weighted(&[60, 12, 22, 6, 3])];
        let fixed = self.fixed.clone();
        let in_loop = self.around.iter().any(|a| a.is_loop);
        if self.rng.chance(if in_loop { 75 } else { 25 }) {
            let arrays: Vec<VarId> = (0..self.proc.vars.len())
                .filter(|v| !fixed.contains(v))
                .filter(|&v| !self.proc.vars[v].dims.is_empty())
                .collect();
            if !arrays.is_empty() {
                let v = self.rng.pick(&arrays);
                return self.assign_to(v);
            }
        }
        match self.place(ty) {
            Some(place) => S::Assign(place, self.bounded(ty, 2)),
            None => match self.place(Ty::I4) {
                Some(place) => S::Assign(place, self.bounded(Ty::I4, 2)),
                None => S::If(vec![(E::Log(false), vec![S::Return])], vec![]),
            },
        }
    }

    /// A value that does not grow beyond measure when the assignment is repeated.
    pub(super) fn bounded(&mut self, ty: Ty, depth: usize) -> E {
        let e = self.value(ty, depth);
        if ty == Ty::I4 && self.rng.chance(70) { E::call("mod", vec![e, E::Int(997)]) } else { e }
    }

    /// An assignment to an element of `v`.
    pub(super) fn assign_to(&mut self, v: VarId) -> S {
        let place = self.element(v);
        let ty = self.proc.vars[v].ty;
        let depth = self.rng.pick(&[1, 2, 2, 3]);
        let mut value = self.bounded(ty, depth);
        // A recurrence or a stencil, more often than chance would have it.
        if ty != Ty::L4 && self.rng.chance(30) {
            let own = self.element(v);
            let half = self.constant(ty);
            let scaled = if ty == Ty::I4 { own } else { E::bin("*", own, half) };
            value = E::bin(self.rng.pick(&["+", "-"]), scaled, value);
            if ty == Ty::I4 {
                value = E::call("mod", vec![value, E::Int(991)]);
            }
        }
        S::Assign(place, value)
    }

    /// `s = s + …` and its like.
    pub(super) fn accumulate(&mut self) -> S {
        let ty = self.rng.pick(&[Ty::R8, Ty::R8, Ty::I4, Ty::R4]);
        let Some(place) = self.place(ty) else { return self.assign() };
        let term = self.value(ty, 1);
        let value = match self.rng.below(5) {
            0 => E::call("max", vec![place.clone(), term]),
            1 => E::call("min", vec![place.clone(), term]),
            2 => E::bin("-", place.clone(), term),
            _ => E::bin("+", place.clone(), term),
        };
        S::Assign(place, value)
    }

    /// A loop bound: unknown to the compiler more often than not.
    pub(super) fn bound(&mut self) -> Ranged {
        let small = |g: &mut Self, v: VarId| {
            let (lo, hi) = g.ranges[v].expect("it has an interval");
            let r = Ranged { e: E::Var(v), lo, hi };
            let c = if g.rng.chance(60) { 0 } else { g.rng.range(-1, 2) };
            r.plus(c)
        };
        let loops: Vec<VarId> =
            self.around.iter().filter(|a| a.is_loop && self.ranges[a.var].is_some()).map(|a| a.var).collect();
        if !loops.is_empty() && self.rng.chance(30) {
            let v = self.rng.pick(&loops);
            return small(self, v);
        }
        let opaque: Vec<VarId> = (0..self.proc.vars.len())
            .filter(|&v| self.proc.vars[v].dims.is_empty() && self.fixed.contains(&v) && self.ranges[v].is_some())
            .collect();
        if !opaque.is_empty() && self.rng.chance(75) {
            let v = self.rng.pick(&opaque);
            return small(self, v);
        }
        let v = self.rng.range(0, 8);
        Ranged { e: E::Int(v), lo: v, hi: v }
    }

    /// A loop header with values that arrays can be subscripted with.
    pub(super) fn header(&mut self) -> Header {
        let var = self.index();
        loop {
            let first = if self.rng.chance(60) {
                let v = self.rng.pick(&[1, 1, 1, 2, 0]);
                Ranged { e: E::Int(v), lo: v, hi: v }
            } else {
                self.bound()
            };
            let last = self.bound();
            let size = self.rng.pick(&[1, 1, 1, 1, 2, 3]);
            let (lo, hi) = (first.lo, last.hi);
            if hi - lo > 10 {
                continue;
            }
            let trips = ((hi - lo + size) / size).max(0);
            // An empty loop has no values of its variable; its body never runs.
            let range = if hi < lo { (lo.min(4), lo.max(4)) } else { (lo, hi) };
            let down = self.rng.chance(20);
            let (lo, hi) = if down { (last.e, first.e) } else { (first.e, last.e) };
            let step = if down { Some(E::Int(-size)) } else { (size > 1).then_some(E::Int(size)) };
            let step = match (&step, self.rng.chance(4)) {
                // An opaque step: n4 is 1, n5 is -2.
                (None, true) => Some(self.named("n4").unwrap_or(E::Int(1))),
                (Some(E::Int(-2)), _) => Some(self.named("n5").unwrap_or(E::Int(-2))),
                _ => step,
            };
            return Header { var, lo, hi, step, range, trips };
        }
    }

    pub(super) fn named(&self, name: &str) -> Option<E> {
        self.proc.vars.iter().position(|v| v.name == name && v.home == Home::Opaque).map(E::Var)
    }

    /// The statements that `f` generates in the body of a loop with that header.
    pub(super) fn within<T>(&mut self, h: &Header, name: Option<String>, f: impl FnOnce(&mut Self) -> T) -> T {
        let kept = (self.ranges[h.var], self.cost);
        self.ranges[h.var] = Some(h.range);
        self.cost *= h.trips.max(1);
        self.depth += 1;
        self.around.push(Around { var: h.var, name, is_loop: true });
        let out = f(self);
        self.around.pop();
        self.depth -= 1;
        (self.ranges[h.var], self.cost) = kept;
        out
    }

    pub(super) fn close(h: Header, name: Option<String>, body: Vec<S>) -> S {
        S::Do { name, var: h.var, lo: h.lo, hi: h.hi, step: h.step, body }
    }

    fn loops(&mut self, out: &mut Vec<S>) {
        let h = self.header();
        let name = self.rng.chance(25).then(|| self.fresh_name());
        let n = 1 + self.rng.weighted(&[35, 35, 20, 10]);
        let target = self.rng.chance(6).then(|| self.label());
        let mut body = self.within(&h, name.clone(), |g| g.block(n));
        if let Some(l) = target {
            // A GOTO out of the loop.
            let cond = self.within(&h, None, |g| g.cond(1));
            let at = self.rng.below(body.len() + 1);
            body.insert(at, S::If(vec![(cond, vec![S::Goto(l)])], vec![]));
        }
        let var = h.var;
        out.push(Gen::close(h, name, body));
        if let Some(l) = target {
            out.push(S::Label(l));
        }
        if self.rng.chance(20)
            && let Some(place) = self.place(Ty::I4)
            && place != E::Var(var)
        {
            out.push(S::Assign(place, E::bin("+", E::Var(var), E::Int(1))));
        }
    }

    fn conditional(&mut self) -> S {
        self.depth += 1;
        let mut arms = Vec::new();
        for _ in 0..1 + self.rng.weighted(&[75, 20, 5]) {
            let cond = self.cond(2);
            let n = 1 + self.rng.weighted(&[60, 40]);
            arms.push((cond, self.block(n)));
        }
        let otherwise = if self.rng.chance(45) { self.block(1) } else { vec![] };
        self.depth -= 1;
        S::If(arms, otherwise)
    }

    fn select(&mut self) -> S {
        self.depth += 1;
        let r = self.ranged();
        let at = self.rng.range(r.lo, r.hi.max(r.lo));
        let cases = vec![(vec![(at, at), (at + 3, at + 4)], self.block(1)), (vec![(at + 1, at + 2)], self.block(1))];
        let otherwise = if self.rng.chance(60) { self.block(1) } else { vec![] };
        self.depth -= 1;
        S::Select(r.e, cases, otherwise)
    }

    fn jump(&mut self) -> S {
        let names: Vec<String> = self.around.iter().filter_map(|a| a.name.clone()).collect();
        let name = (!names.is_empty() && self.rng.chance(50)).then(|| self.rng.pick(&names));
        let cond = self.cond(1);
        let to = match self.rng.below(10) {
            // A helper may end here.
            0..2 if self.is_helper => S::Return,
            0..5 => S::Exit(name),
            _ => S::Cycle(name),
        };
        S::If(vec![(cond, vec![to])], vec![])
    }

    /// `w = 0; do while (…); w = w + 1 …`, which ends whatever the condition is.
    fn while_loop(&mut self, out: &mut Vec<S>) {
        let w = self.index();
        let most = self.rng.range(1, 6);
        let test = E::bin("<", E::Var(w), E::Int(most));
        let cond = match self.rng.below(3) {
            0 => test,
            1 => E::bin(".and.", test, self.cond(1)),
            _ => E::bin(".and.", self.cond(1), test),
        };
        let h = Header { var: w, lo: E::Int(0), hi: E::Int(0), step: None, range: (0, most), trips: most };
        let n = self.rng.range(1, 3) as usize;
        let mut body = vec![S::Assign(E::Var(w), E::bin("+", E::Var(w), E::Int(1)))];
        body.extend(self.within(&h, None, |g| g.block(n)));
        out.push(S::Assign(E::Var(w), E::Int(0)));
        out.push(S::While(cond, body));
    }

    /// Arithmetic IF or computed GOTO with its targets.
    fn arithmetic(&mut self, out: &mut Vec<S>) {
        self.depth += 1;
        let labels = [self.label(), self.label(), self.label()];
        let end = self.label();
        let r = self.ranged();
        if self.rng.chance(50) {
            out.push(S::Arith(r.plus(-2).e, labels));
        } else {
            out.push(S::Computed(labels.to_vec(), r.e));
            out.push(self.assign());
            out.push(S::Goto(end));
        }
        for l in labels {
            out.push(S::Label(l));
            out.push(self.assign());
            if self.rng.chance(70) {
                out.push(S::Goto(end));
            }
        }
        out.push(S::Label(end));
        self.depth -= 1;
    }

    /// A call of a subroutine of the case; actual arguments do not overlap.
    fn call(&mut self) -> Option<S> {
        if self.no_calls {
            return None;
        }
        let subs: Vec<usize> = (1..self.procs.len()).filter(|&p| self.procs[p].result.is_none()).collect();
        if subs.is_empty() {
            return None;
        }
        let p = self.rng.pick(&subs);
        let args = self.arguments(p)?;
        Some(S::Call(Target::Case(p), args))
    }

    /// A call of a function of the case with a result of type `ty`.
    pub(super) fn function(&mut self, ty: Ty) -> Option<E> {
        if self.no_calls && !self.pure_calls {
            return None;
        }
        let fits = |p: &crate::ast::Proc| p.result == Some(ty) && (p.pure || !self.no_calls);
        let all: Vec<usize> = (1..self.procs.len()).filter(|&p| fits(&self.procs[p])).collect();
        if all.is_empty() {
            return None;
        }
        let p = self.rng.pick(&all);
        // Arguments are without calls: functions of functions would cost too much.
        let before = std::mem::replace(&mut self.no_calls, true);
        let pure = std::mem::replace(&mut self.pure_calls, false);
        let args = self.arguments(p);
        (self.no_calls, self.pure_calls) = (before, pure);
        Some(E::User(p, args?))
    }

    fn arguments(&mut self, p: usize) -> Option<Vec<E>> {
        let summary = self.summaries[p].clone();
        let callee = self.procs[p].clone();
        self.work += self.cost * summary.cost;
        self.summary.uses_common |= summary.uses_common;
        self.summary.cost += summary.cost;
        if self.work > 2 * WORK {
            return None;
        }
        let mut taken: Vec<VarId> = Vec::new();
        let mut args = Vec::new();
        // Which arguments are values, not places that the procedure may change.
        let mut values: Vec<usize> = Vec::new();
        for (k, &param) in callee.params.iter().enumerate() {
            let want = &callee.vars[param];
            let changes = summary.changes.get(k).copied().unwrap_or(false);
            if want.dims.is_empty() && !changes {
                // An upper bound must have the value it stands for.
                let bound = callee.vars.iter().flat_map(|v| &v.dims).find(|d| d.by == Some(param)).map(|d| d.hi);
                values.push(k);
                args.push(match bound {
                    Some(hi) => self.equal_to(hi),
                    None => self.value(want.ty, 1),
                });
                continue;
            }
            let element = want.dims.is_empty() && self.rng.chance(40);
            if element && let Some((v, place)) = self.actual_element(want.ty, &taken, summary.uses_common) {
                taken.push(v);
                args.push(place);
                continue;
            }
            let v = self.actual(want, &taken, changes, summary.uses_common)?;
            taken.push(v);
            args.push(E::Var(v));
        }
        // An array that is passed to be changed is not read by another argument's expression.
        let changed: Vec<VarId> = taken.clone();
        for k in values {
            let (param, a) = (callee.params[k], &mut args[k]);
            if mentions_any(a, &self.overlapping(&changed)) {
                let bound = callee.vars.iter().flat_map(|v| &v.dims).find(|d| d.by == Some(param)).map(|d| d.hi);
                *a = bound.map_or_else(|| self.constant(callee.vars[param].ty), E::Int);
            }
        }
        Some(args)
    }

    fn equal_to(&mut self, value: i64) -> E {
        let all: Vec<VarId> = (0..self.proc.vars.len())
            .filter(|&v| self.ranges[v] == Some((value, value)) && self.proc.vars[v].dims.is_empty())
            .collect();
        if all.is_empty() || self.rng.chance(40) { E::Int(value) } else { E::Var(self.rng.pick(&all)) }
    }

    /// An element to be changed, whose place may depend on a scalar that the same call changes.
    fn actual_element(&mut self, ty: Ty, taken: &[VarId], common: bool) -> Option<(VarId, E)> {
        let mut banned = self.overlapping(taken);
        banned.extend(&self.fixed);
        let v = self.find(|v| v.ty == ty && !v.dims.is_empty() && !(common && v.home == Home::Common))?;
        if banned.contains(&v) {
            return None;
        }
        let E::Elem(_, mut subs) = self.element(v) else { return None };
        let d = self.proc.vars[v].dims[0].clone();
        let moving = taken.iter().find(|&&t| self.proc.vars[t].ty == Ty::I4 && self.proc.vars[t].dims.is_empty());
        if let Some(&moving) = moving {
            subs[0] = self.fit(Ranged { e: E::Var(moving), lo: -9999, hi: 9999 }, d.lo, d.hi);
        }
        Some((v, E::Elem(v, subs)))
    }

    fn actual(&mut self, want: &crate::ast::Var, taken: &[VarId], changes: bool, common: bool) -> Option<VarId> {
        let busy: Vec<VarId> = self.around.iter().map(|a| a.var).chain(self.fixed.iter().copied()).collect();
        let banned = self.overlapping(taken);
        let all: Vec<VarId> = (0..self.proc.vars.len())
            .filter(|v| !banned.contains(v) && (!changes || !busy.contains(v)))
            .filter(|&v| {
                let var = &self.proc.vars[v];
                let same = var.dims.len() == want.dims.len()
                    && var.dims.iter().zip(&want.dims).all(|(a, b)| a.lo == b.lo && a.hi == b.hi);
                var.ty == want.ty && same && var.home != Home::Opaque && !(common && var.home == Home::Common)
            })
            .collect();
        if all.is_empty() { None } else { Some(self.rng.pick(&all)) }
    }

    /// The variables and the ones that share storage with them.
    fn overlapping(&self, vars: &[VarId]) -> Vec<VarId> {
        let mut out = vars.to_vec();
        for &(a, _, b, _) in &self.proc.equivalences {
            if vars.contains(&a) {
                out.push(b);
            }
            if vars.contains(&b) {
                out.push(a);
            }
        }
        out
    }
}

fn mentions_any(e: &E, vars: &[VarId]) -> bool {
    match e {
        E::Var(v) => vars.contains(v),
        E::Elem(v, args) => vars.contains(v) || args.iter().any(|a| mentions_any(a, vars)),
        E::Sec(v, _) => vars.contains(v),
        E::Bin(_, a, b) => mentions_any(a, vars) || mentions_any(b, vars),
        E::Un(_, a) => mentions_any(a, vars),
        E::Fn(_, args) | E::User(_, args) => args.iter().any(|a| mentions_any(a, vars)),
        E::Int(_) | E::Real(..) | E::Log(_) | E::Text(_) => false,
    }
}
