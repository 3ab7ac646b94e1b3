//! Makes programs from seeds.
//!
//! A block is a mixture of anything; now and then it has a shape that some transformation looks for: neighbours
//! that fuse, nests that are better interchanged or split, conditions that leave a loop, iterations that are a case of their own, loops of one or
//! a few iterations, bounds that several loops share.

use super::program::{COMMONS, Cond, DUMMIES, Do, E, Home, Id, Proc, Program, S, Whole, Work};
use super::simulate::{self, Run};
use crate::rng::Rng;

/// Fewer pieces of work are too few.
const LEAST_EVENTS: usize = 40;
/// Loops are nested so deep in a procedure.
const MOST_NESTED: usize = 3;

/// The program of a seed, and its run.
pub fn make(seed: u64) -> (Program, Run) {
    let mut rng = Rng::new(seed ^ 0x7131_e500_0000_0000);
    loop {
        let mut maker = Maker { rng: Rng::new(rng.bits()), next: 0, sites: 0, procs: vec![], commons: [0; COMMONS] };
        let program = maker.program(seed);
        if let Some(run) = simulate::simulate(&program).filter(|r| r.events.len() >= LEAST_EVENTS) {
            return (program, run);
        }
    }
}

struct Maker {
    rng: Rng,
    next: Id,
    sites: u32,
    procs: Vec<Proc>,
    commons: [i64; COMMONS],
}

/// The place at which a statement is made.
#[derive(Clone, Default)]
struct Scope {
    /// The loops around, with whether they are DO loops; their depths are their places.
    loops: Vec<(Id, bool)>,
    /// The block around whose end may be jumped to.
    block: Option<Id>,
    /// The depth that may still be nested.
    room: usize,
    is_main: bool,
    /// Whether a region of the user, or a part that is not timed, may begin here.
    top: bool,
    /// Whether control may not leave by a jump.
    closed: bool,
}

impl Scope {
    /// Depths of DO loops around.
    fn indices(&self) -> Vec<usize> {
        (0..self.loops.len()).filter(|&d| self.loops[d].1).collect()
    }

    fn inside(&self, id: Id, is_do: bool) -> Scope {
        let mut out = Scope { room: self.room.saturating_sub(1), top: false, ..self.clone() };
        out.loops.push((id, is_do));
        out
    }

    fn nested(&self) -> Scope {
        Scope { room: self.room.saturating_sub(1), top: false, ..self.clone() }
    }
}

impl Maker {
    fn program(&mut self, seed: u64) -> Program {
        for n in &mut self.commons {
            *n = self.rng.range(2, 6);
        }
        let count = self.rng.range(1, 6) as usize;
        let mut home = if self.rng.chance(60) { Home::Module(0) } else { Home::External(0) };
        for p in 0..count {
            if p > 0 && self.rng.chance(35) {
                let n = p;
                home = if self.rng.chance(50) { Home::Module(n) } else { Home::External(n) };
            }
            self.procedure(home);
        }
        self.procedure(Home::Main);
        Program { seed, commons: self.commons, procs: std::mem::take(&mut self.procs) }
    }

    fn id(&mut self) -> Id {
        self.next += 1;
        self.next
    }

    fn s(&mut self, does: Do) -> S {
        S { id: self.id(), does }
    }

    fn work(&mut self) -> Work {
        self.sites += 1;
        Work { site: self.sites, weight: self.rng.range(1, 10) as u32 }
    }

    fn opaque(&mut self) -> S {
        let work = self.work();
        self.s(Do::Opaque(work))
    }

    fn procedure(&mut self, home: Home) {
        let is_main = home == Home::Main;
        let recursive = !is_main && self.rng.chance(20);
        let is_function = !is_main && self.rng.chance(25);
        let id = self.id();
        // Small ones are inlined.
        let room = if is_main || self.rng.chance(30) { 4 } else { self.rng.range(1, 2) };
        let scope = Scope { room: room as usize, is_main, top: true, ..Scope::default() };
        let length = if is_main { self.rng.range(3, 7) } else { self.rng.range(1, 2) } as usize;
        let mut body = self.block(&scope, length);
        if recursive {
            let again = vec![E::Bin('-', E::Dummy(0).into(), E::Int(1).into()), E::Dummy(1)];
            let call = self.s(Do::Call(self.procs.len(), again));
            let arms = vec![(Cond { op: ">", a: E::Dummy(0), b: E::Int(0) }, vec![call])];
            body.push(self.s(Do::If { arms, otherwise: vec![] }));
            if self.rng.chance(40) {
                body.push(self.opaque());
            }
        }
        if !is_main {
            // A loop fused with loops of a caller would belong to both.
            if !body.first().is_some_and(S::is_opaque) {
                body.insert(0, self.opaque());
            }
            if !body.last().is_some_and(S::is_opaque) {
                body.push(self.opaque());
            }
        }
        self.procs.push(Proc { id, home, is_function, recursive, body });
    }

    fn block(&mut self, scope: &Scope, length: usize) -> Vec<S> {
        let mut out = vec![];
        if self.rng.chance(40) {
            out.push(self.opaque());
        }
        for _ in 0..length {
            self.statement(scope, &mut out);
        }
        if out.is_empty() {
            out.push(self.opaque());
        }
        out
    }

    /// A block in a construct.
    fn inner(&mut self, scope: &Scope) -> Vec<S> {
        let length = self.rng.range(0, 2) as usize + usize::from(scope.room > 1);
        self.block(scope, length)
    }

    fn small(&mut self) -> E {
        E::Int(self.rng.range(1, 4))
    }

    /// Something that no pass knows.
    fn unknown(&mut self, scope: &Scope) -> E {
        match self.rng.below(2) {
            0 if !scope.is_main => E::Dummy(self.rng.below(DUMMIES)),
            _ => E::Common(self.rng.below(COMMONS)),
        }
    }

    fn bound(&mut self, scope: &Scope) -> E {
        match self.rng.weighted(&[25, 40, 10, 25]) {
            0 => self.small(),
            1 => self.unknown(scope),
            2 => match scope.indices().last() {
                Some(&d) => E::Index(d),
                None => self.unknown(scope),
            },
            _ => self.shared(scope),
        }
    }

    /// A common subexpression.
    fn shared(&mut self, scope: &Scope) -> E {
        let a = self.unknown(scope);
        E::Bin('+', a.into(), E::Common(0).into())
    }

    fn condition(&mut self, scope: &Scope) -> Cond {
        let op = self.rng.pick(&["==", "/=", "<", "<=", ">", ">="]);
        let a = match (scope.indices().last(), self.rng.weighted(&[50, 40, 10])) {
            (Some(&d), 0) => E::Index(d),
            (_, 2) => E::Int(2),
            _ => self.unknown(scope),
        };
        Cond { op, a, b: self.small() }
    }

    fn statement(&mut self, scope: &Scope, out: &mut Vec<S>) {
        let nests = scope.room > 0 && scope.loops.len() < MOST_NESTED;
        let n = u32::from(nests);
        let room = u32::from(scope.room > 0);
        let calls = u32::from(!self.procs.is_empty());
        let in_loop = u32::from(!scope.loops.is_empty() && !scope.closed);
        let top = u32::from(scope.top);
        let weights = [
            22,
            20 * n,
            6 * n,
            11 * room,
            5 * room,
            32 * calls,
            8,
            22 * n,
            7 * in_loop,
            4 * in_loop,
            3 * room * u32::from(!scope.closed),
            5 * top,
            2 * top,
            top,
        ];
        match self.rng.weighted(&weights) {
            0 => out.push(self.opaque()),
            1 => out.push(self.counted(scope)),
            2 => out.push(self.while_loop(scope)),
            3 => out.push(self.conditional(scope)),
            4 => out.push(self.select(scope)),
            5 => out.push(self.call(scope)),
            6 => out.push(self.whole(scope)),
            7 => self.shape(scope, out),
            8 => out.push(self.leave(scope)),
            9 => {
                let c = self.condition(scope);
                out.push(self.s(Do::Cycle(c)));
            }
            10 => out.push(self.jumped_block(scope)),
            k => {
                let inner = Scope { closed: true, top: false, ..scope.clone() };
                let length = self.rng.range(1, 3) as usize;
                let body = self.block(&inner, length);
                out.push(self.s(match k {
                    11 => Do::Region(body),
                    12 => Do::Off(body),
                    _ => Do::Paused(body),
                }));
            }
        }
    }

    fn counted(&mut self, scope: &Scope) -> S {
        let id = self.id();
        let inner = scope.inside(id, true);
        let lo = E::Int(if self.rng.chance(85) { 1 } else { 2 });
        let hi = self.bound(scope);
        let mut body = self.inner(&inner);
        if !body.iter().any(|s| !s.work().is_empty()) {
            body.push(self.opaque());
        }
        S { id, does: Do::Loop { depth: scope.loops.len(), lo, hi, body } }
    }

    fn while_loop(&mut self, scope: &Scope) -> S {
        let id = self.id();
        let trips = self.bound(scope);
        let mut body = self.inner(&scope.inside(id, false));
        body.push(self.opaque());
        S { id, does: Do::While { depth: scope.loops.len(), trips, body } }
    }

    fn conditional(&mut self, scope: &Scope) -> S {
        let inner = scope.nested();
        let arms = (0..self.rng.range(1, 2)).map(|_| (self.condition(scope), self.inner(&inner))).collect();
        let otherwise = if self.rng.chance(50) { self.inner(&inner) } else { vec![] };
        self.s(Do::If { arms, otherwise })
    }

    fn select(&mut self, scope: &Scope) -> S {
        let inner = scope.nested();
        let on = match scope.indices().last() {
            Some(&d) => E::Index(d),
            None => self.unknown(scope),
        };
        let cases = (1..=self.rng.range(1, 3)).map(|v| (v, self.inner(&inner))).collect();
        let otherwise = self.inner(&inner);
        self.s(Do::Select { on, cases, otherwise })
    }

    fn call(&mut self, scope: &Scope) -> S {
        let p = self.rng.below(self.procs.len());
        let first = if self.procs[p].recursive { E::Int(self.rng.range(0, 3)) } else { self.bound(scope) };
        let second = self.bound(scope);
        self.s(Do::Call(p, vec![first, second]))
    }

    fn whole(&mut self, scope: &Scope) -> S {
        let kind = self.rng.pick(&[Whole::Assign, Whole::Assign, Whole::Where, Whole::Elsewhere, Whole::Forall]);
        let (work, other) = (self.work(), self.work());
        let n = if self.rng.chance(50) { E::Int(self.rng.range(2, 8)) } else { E::Common(self.rng.below(COMMONS)) };
        let _ = scope;
        let to = self.rng.below(2);
        self.s(Do::Whole { kind, work, other, to, n })
    }

    fn leave(&mut self, scope: &Scope) -> S {
        let c = self.condition(scope);
        let last = scope.loops.len() - 1;
        let to = if self.rng.chance(70) { last } else { self.rng.below(last + 1) };
        match self.rng.below(4) {
            0 if !scope.is_main => self.s(Do::Return(c)),
            1 if scope.block.is_some() => self.s(Do::Goto(c, scope.block.unwrap_or(0))),
            _ => self.s(Do::Exit(c, scope.loops[to].0)),
        }
    }

    fn jumped_block(&mut self, scope: &Scope) -> S {
        let id = self.id();
        let inner = Scope { block: Some(id), ..scope.nested() };
        let mut body = self.inner(&inner);
        let c = self.condition(scope);
        let at = self.rng.below(body.len() + 1);
        body.insert(at, S { id: self.id(), does: Do::Goto(c, id) });
        body.push(self.opaque());
        S { id, does: Do::Block(body) }
    }

    /// A loop of a shape that some transformation looks for.
    fn shape(&mut self, scope: &Scope, out: &mut Vec<S>) {
        match self.rng.weighted(&[22, 14, 12, 14, 12, 10, 10, 14]) {
            0 => self.neighbours(scope, out),
            1 => out.push(self.nest(scope)),
            2 => out.push(self.splittable(scope)),
            3 => out.push(self.invariant(scope)),
            4 => out.push(self.special_iteration(scope)),
            5 => out.push(self.short(scope, 1)),
            6 => {
                let trips = self.rng.range(2, 4);
                out.push(self.short(scope, trips));
            }
            _ => self.same_bounds(scope, out),
        }
    }

    fn vector(&mut self, to: usize, from: Option<usize>, index: usize) -> S {
        let work = self.work();
        self.s(Do::Vector { work, to, from, index })
    }

    fn do_loop(&mut self, depth: usize, hi: E, body: Vec<S>) -> S {
        self.s(Do::Loop { depth, lo: E::Int(1), hi, body })
    }

    /// Loops that can be fused.
    fn neighbours(&mut self, scope: &Scope, out: &mut Vec<S>) {
        let depth = scope.loops.len();
        let hi = self.bound(scope);
        for k in 0..self.rng.range(2, 3) as usize {
            let mut body = vec![self.vector(k % 2, Some((k + 1) % 2), depth)];
            if self.rng.chance(30) {
                body.push(self.s(Do::Plain(depth)));
            }
            out.push(self.do_loop(depth, hi.clone(), body));
        }
    }

    /// A nest that runs across memory.
    fn nest(&mut self, scope: &Scope) -> S {
        let depth = scope.loops.len();
        let (outer, inner) = (self.bound(scope), self.rng.range(2, 5));
        let work = self.work();
        let body = vec![self.s(Do::Matrix { work, index: [depth, depth + 1] })];
        let hi = if self.rng.chance(50) { E::Int(inner) } else { E::Common(self.rng.below(COMMONS)) };
        let body = vec![self.do_loop(depth + 1, hi, body)];
        self.do_loop(depth, outer, body)
    }

    /// A loop with a part that makes a better nest alone.
    fn splittable(&mut self, scope: &Scope) -> S {
        let depth = scope.loops.len();
        let nest = {
            let work = self.work();
            let body = vec![self.s(Do::Matrix { work, index: [depth, depth + 1] })];
            let hi = E::Common(self.rng.below(COMMONS));
            self.do_loop(depth + 1, hi, body)
        };
        let first = self.vector(0, None, depth);
        let body = if self.rng.chance(50) { vec![first, nest] } else { vec![nest, first] };
        let hi = self.bound(scope);
        self.do_loop(depth, hi, body)
    }

    /// A condition that does not change in the loop.
    fn invariant(&mut self, scope: &Scope) -> S {
        let depth = scope.loops.len();
        let a = if scope.is_main { E::Common(1) } else { E::Dummy(self.rng.below(DUMMIES)) };
        let c = Cond { op: self.rng.pick(&[">", "<="]), a, b: self.small() };
        let pure = scope.is_main || self.rng.chance(50);
        let arm = |m: &mut Self| if pure { vec![m.vector(0, None, depth)] } else { vec![m.opaque()] };
        let (yes, no) = (arm(self), arm(self));
        let mut body = vec![self.s(Do::If { arms: vec![(c, yes)], otherwise: no })];
        if self.rng.chance(50) {
            body.push(if pure { self.vector(1, None, depth) } else { self.opaque() });
        }
        let hi = self.bound(scope);
        self.do_loop(depth, hi, body)
    }

    /// An iteration that is a case of its own.
    fn special_iteration(&mut self, scope: &Scope) -> S {
        let depth = scope.loops.len();
        let hi = self.bound(scope);
        let last = self.rng.chance(40);
        let b = if last { hi.clone() } else { E::Int(1) };
        let first = if self.rng.chance(50) { self.vector(0, None, depth) } else { self.opaque() };
        let otherwise = if self.rng.chance(60) { vec![self.vector(1, None, depth)] } else { vec![] };
        let arms = vec![(Cond { op: "==", a: E::Index(depth), b }, vec![first])];
        let mut body = vec![self.s(Do::If { arms, otherwise })];
        if self.rng.chance(50) {
            body.push(self.opaque());
        }
        self.do_loop(depth, hi, body)
    }

    /// A loop of a few iterations.
    fn short(&mut self, scope: &Scope, trips: i64) -> S {
        let id = self.id();
        let depth = scope.loops.len();
        let mut body = self.inner(&scope.inside(id, true));
        if self.rng.chance(50) {
            body.push(self.vector(0, None, depth));
        }
        S { id, does: Do::Loop { depth, lo: E::Int(1), hi: E::Int(trips), body } }
    }

    /// Loops with one bound and nothing else in common.
    fn same_bounds(&mut self, scope: &Scope, out: &mut Vec<S>) {
        let hi = if self.rng.chance(50) { self.shared(scope) } else { self.unknown(scope) };
        for k in 0..self.rng.range(2, 3) {
            if k > 0 && self.rng.chance(60) {
                out.push(self.opaque());
            }
            let id = self.id();
            let mut body = self.inner(&scope.inside(id, true));
            body.push(self.opaque());
            out.push(S { id, does: Do::Loop { depth: scope.loops.len(), lo: E::Int(1), hi: hi.clone(), body } });
        }
    }
}
