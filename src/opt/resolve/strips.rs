//! Sweeps in strips: while a rank computes a strip of its part, the rank behind it computes the strip before.
//!
//! ```text
//!                                       width = strip(n - 1, m)                        @1
//!                                       do first = 0, m - 1, width                     @1
//! do j = 2, n                @1           call nest(…)                                 @1
//!   do i = 1, m              @2    =>     do j = its own                               @1
//!     a(i, j) = a(i, j - 1)  @3             do i = first + 1, min(first + width, m)    @2
//!                                             a(i, j) = a(i, j - 1)                    @3
//!                                         call swept()                                 @1
//! ```
//!
//! Each strip is a nest of its own to the runtime, which says how wide strips are; one rank alone has one. The loop that is parted is the outermost one
//! that does not run along the sweep, or the loops in it that do all the work. Then iterations of different strips change their order. That is allowed if
//! all elements of an array that the nest stores to have the variable of such a loop in one dimension, at one distance; and of one loop also if no
//! iteration needs a later one of it, in an earlier one of the loops around it.

use super::Code;
use super::nest::{Found, Scan};
use super::partition::ask;
use crate::alias::may_overlap;
use crate::analysis::depend::{Dir, Side, dependence};
use crate::analysis::loops::{DoLoop, perfect_nest};
use crate::analysis::registers::Flow;
use crate::linear::{Linear, difference, product};
use trueline_abi::nest::{Affine, Executed, Nest};
use trueline_ir::{BinaryOp, ExpandKind, Expr, ExprData, Head, Intrinsic, Place, Rt, Sym, Type, fault};

impl Scan<'_> {
    /// The loops to part in strips, where the loops `along` run along the sweep. None if no loop can be parted.
    pub(super) fn strips(&self, along: &[usize]) -> Vec<usize> {
        let works = &self.found.nest.statements;
        let alike = works.iter().all(|s| s.executed != Executed::ByAll);
        let [root] = self.found.roots[..] else { return Vec::new() };
        if along.is_empty() || !alike || !self.found.carried.is_empty() || !self.found.for_all.is_empty() {
            return Vec::new();
        }
        let Some(outermost) = DoLoop::of(self.u, root) else { return Vec::new() };
        let chain = perfect_nest(self.u, outermost);
        let number = |l: &DoLoop| self.found.loops.iter().position(|a| a.l.stmt == l.stmt);
        let numbers: Option<Vec<usize>> = chain.iter().map(number).collect();
        let Some(numbers) = numbers else { return Vec::new() };
        let level = numbers.iter().position(|l| !along.contains(l));
        let (around, parted) = match level {
            Some(level) => (&numbers[..level], vec![numbers[level]]),
            // The statements in the innermost of these loops, which have to be loops all.
            None => {
                let inside = self.u.real_stmts(chain[chain.len() - 1].body);
                let all: Option<Vec<usize>> = inside.map(|s| number(&DoLoop::of(self.u, s)?)).collect();
                (&numbers[..], all.unwrap_or_default())
            }
        };
        let fits = self.are_alike(&parted) && self.leaves_nothing(around.iter().chain(&parted));
        let keeps = around.is_empty()
            || fault("ranks_strips_crossed")
            || self.registers_are_free(&parted)
                && (self.elements_are_apart(&parted) || level.is_some_and(|level| self.order_is_kept(level)));
        if fits && keeps { parted } else { Vec::new() }
    }

    /// Whether ranks may need elements of others that are there before the sweep: they are sent once, as no rank begins a strip before those around it are
    /// through with the last one else.
    pub(super) fn needs_more(&self) -> bool {
        let early = |&(r, k): &(usize, usize)| !self.found.nest.statements[r].late.contains(&k);
        self.all_reads().filter(early).any(|(r, k)| !matches!(self.side_of(r, k), Some(None)))
    }

    /// Whether the loops have the same bounds, which are known before the nest.
    fn are_alike(&self, parted: &[usize]) -> bool {
        let Some((&first, others)) = parted.split_first() else { return false };
        let loops = &self.found.nest.loops;
        let is_known = |l: usize| {
            let around = &self.found.loops[l];
            loops[l].is_fixed() && around.asked.is_empty() && around.through.iter().all(Option::is_none)
        };
        let bounds = |l: usize| (&loops[l].lo, &loops[l].hi, loops[l].step);
        is_known(first) && others.iter().all(|&l| is_known(l) && bounds(l) == bounds(first))
    }

    /// Whether nobody reads the variables of these loops behind the nest; some get their last value there in any case.
    fn leaves_nothing<'l>(&self, mut loops: impl Iterator<Item = &'l usize>) -> bool {
        let root = self.found.roots[0];
        loops.all(|l| self.found.restored.contains(l) || !self.live.is_behind(root, self.found.loops[*l].l.var))
    }

    /// Whether two iterations with different values of the variables of these loops never come to one element that the nest stores to.
    fn elements_are_apart(&self, parted: &[usize]) -> bool {
        let mut places: Vec<(Sym, usize, Linear)> = Vec::new();
        let stored = |s: Sym| self.region.refs.iter().any(|r| r.write && may_overlap(self.u, r.sym, s));
        for r in self.region.refs.iter().filter(|r| stored(r.sym)) {
            let Some(var) = self.parted_around(r.stmt, parted) else { return false };
            let ExprData::Elem(sym, list) = self.u.expr(r.place) else { return false };
            let Some((dim, rest)) = self.dimension(self.u.list(list), var).filter(|_| r.exact) else { return false };
            let others = self.region.refs.iter().any(|o| o.sym != sym && may_overlap(self.u, o.sym, sym));
            match places.iter().find(|p| p.0 == sym) {
                _ if others => return false,
                Some((_, d, known)) if *d != dim || known.terms != rest.terms || known.constant != rest.constant => {
                    return false;
                }
                Some(_) => {}
                None => places.push((sym, dim, rest)),
            }
        }
        true
    }

    /// Whether an iteration of the loop at `level` that needs another one in the loops around it comes behind it in that loop, or is the same.
    fn order_is_kept(&self, level: usize) -> bool {
        let sides = self.region.refs.iter().map(|r| Side::of(self.u, self.found.roots[0], r.stmt));
        let refs: Vec<_> = self.region.refs.iter().zip(sides).collect();
        let bad = |v: &[Dir]| match (v[..level].iter().find(|d| **d != Dir::Same), v[level]) {
            (None, _) | (_, Dir::Same) => false,
            (Some(outer), own) => *outer != own,
        };
        refs.iter().enumerate().all(|(n, (x, at_x))| {
            refs[n..].iter().all(|(y, at_y)| {
                !dependence(self.u, (x, at_x.as_ref()), (y, at_y.as_ref()), level + 1, &self.region.defined).any(bad)
            })
        })
    }

    /// Whether no iteration of these loops reads a register that another one has defined, and nobody reads one behind the nest.
    fn registers_are_free(&self, parted: &[usize]) -> bool {
        let vars: Vec<Sym> = self.found.loops.iter().map(|a| a.l.var).collect();
        parted.iter().all(|&l| {
            let flow = Flow::of(self.u, self.found.loops[l].l.body);
            flow.exposed.iter().all(|v| !self.region.defined.contains(v) || vars.contains(v))
        }) && self.region.defined.iter().all(|&v| vars.contains(&v) || !self.live.is_behind(self.found.roots[0], v))
    }

    /// The variable of the parted loop around a statement.
    fn parted_around(&self, s: trueline_ir::Stmt, parted: &[usize]) -> Option<Sym> {
        let around: Vec<trueline_ir::Stmt> = self.u.ancestors(s).collect();
        let mut loops = parted.iter().map(|&l| self.found.loops[l].l);
        loops.find(|l| around.contains(&l.stmt)).map(|l| l.var)
    }

    /// The one dimension whose subscript is `var` and something that does not change in the nest, and that.
    fn dimension(&self, subscripts: &[Expr], var: Sym) -> Option<(usize, Linear)> {
        subscripts.iter().enumerate().find_map(|(dim, &e)| {
            let mut rest = Linear::of(self.u, e);
            let is_alone = rest.take(self.u, var) == 1 && !rest.mentions(self.u, var);
            let is_known = rest.terms.iter().all(|&(t, _)| self.is_known(t));
            (is_alone && is_known).then_some((dim, rest))
        })
    }
}

/// Puts the nest into a loop over its strips, behind which `code` goes on; the code of the nest belongs before its root from now on. All
/// counts have left the nest.
pub(super) fn apply(code: &mut Code<'_, '_, '_>, found: &mut Found) {
    let Some(&first) = found.strips.first() else { return };
    let root = found.roots[0];
    code.at = Place::Before(root);
    let parted = found.loops[first].l;
    let [lo, hi, step] = [parted.lo, parted.hi, parted.step].map(|e| code.ed.widen(e));
    let trips = code.ed.trips([lo, hi, step]);
    let trips = code.register("trips", trips);
    let chain: Vec<usize> = match found.nest.statements.iter().find(|s| !s.late.is_empty()) {
        Some(s) => found.nest.chain(s.inner).filter(|l| !found.strips.contains(l)).collect(),
        None => Vec::new(),
    };
    let mut work = code.ed.int(Type::I8, found.nest.statements.len() as i64);
    for l in chain.into_iter().filter(|&l| found.nest.loops[l].is_fixed()) {
        let of = found.loops[l].l;
        let bounds = [of.lo, of.hi, of.step].map(|e| code.ed.widen(e));
        let count = code.ed.trips(bounds);
        work = product(code.ed, work, count);
    }
    let wanted = code.ed.int(Type::I8, i64::from(code.context.strip));
    let width = code.ask(Rt::RanksStrip, &[work, trips, wanted], Type::I8);
    let width = code.ed.var(width);
    let var = code.ed.new_register("first", Type::I8);
    let [zero, one] = [0, 1].map(|n| code.ed.int(Type::I8, n));
    let last = difference(code.ed, trips, one);
    let head = Head::Do { var, lo: zero, hi: last, step: width };
    if found.needs_more {
        ask(code, found, &Nest { is_ahead: true, ..found.nest.clone() });
    }
    found.around = Some(code.ed.expand_around(root, head, 0, ExpandKind::Lower));
    let strip = code.ed.var(var);
    let end = code.ed.binary(BinaryOp::Add, strip, width);
    let end = code.ed.intrinsic(Intrinsic::Min, &[end, trips]);
    let none = code.ed.int(Type::I8, 2);
    let end = difference(code.ed, end, if fault("ranks_strips_bound") { none } else { one });
    let bounds = [strip, end].map(|count| {
        let far = product(code.ed, count, step);
        let value = code.ed.binary(BinaryOp::Add, lo, far);
        code.register("bound", value)
    });
    for bound in bounds {
        found.values.push(Linear { terms: std::iter::once((bound, 1)).collect(), constant: 0 });
    }
    let value = |k: usize| Affine { terms: Vec::new(), value: found.nest.values + k };
    let [from, to] = [value(0), value(1)];
    found.nest.values += bounds.len();
    for &l in &found.strips {
        (found.nest.loops[l].lo, found.nest.loops[l].hi) = (from.clone(), to.clone());
        let around = &found.loops[l];
        if !around.is_local || around.is_whole {
            let ty = code.ed.sym(around.l.var).ty;
            let [lo, hi] = bounds.map(|e| if ty == Type::I8 { e } else { code.ed.make(ExprData::Convert(ty, e)) });
            code.ed.expand_in_place(around.l.stmt, Head::Do { var: around.l.var, lo, hi, step: around.l.step });
        }
    }
}
