//! Nests whose results go from rank to rank: sums over a distributed dimension, in the order of the source.
//!
//! ```text
//! do j = 1, n                     call nest(…)
//!   do i = 1, n                   call carry(s, 0)        gets s from the rank before
//!     s(i) = s(i) + a(i,j)   =>   do own j, do i
//!                                   s(i) = s(i) + a(i,j)  by the owner of a(i,j)
//!                                 call carry(s, 1)        sends s to the rank behind
//!                                 call carry(s, 2)        gets s of all iterations from the last one
//! ```
//!
//! One loop walks along the one distributed dimension of an array in blocks, and all that the nest does in an iteration of it is the work of one
//! owner. So ranks have their iterations one after the other, and everything that the nest changes and that is not mapped, its *state*, may go along:
//! scalars and small arrays. If that is the outermost loop, the nest may use them in any way. If it is an inner one, iterations of the loops around it change
//! places on ranks, so each must have elements of its own:
//!
//! ```text
//! do j = 1, n                     do j = 1, n
//!   do i = 1, n             =>      do own i
//!     s(j) = s(j) + a(i,j)            s(j) = s(j) + a(i,j)   by the owner of a(i,j)
//! ```
//!
//! A register may have the element meanwhile: `t = s(j)` before the inner loop and `s(j) = t` behind it are every rank's, and change nothing on one without
//! iterations of that loop.

use super::nest::Scan;
use super::states::Known;
use crate::linear::Linear;
use trueline_abi::nest::{self, Element, Executed, Subscript};
use trueline_ir::mapping::{Axis, Format, Values};
use trueline_ir::{Callee, Expr, ExprData, Head, Stmt, Storage, Sym, fault};

/// Something that goes from rank to rank.
#[derive(Clone, Copy)]
pub(super) struct Carried {
    /// The variable, a register or memory.
    pub(super) sym: Sym,
    /// None if they are known at run time only.
    pub(super) bytes: Option<usize>,
    /// Whether anything behind the nest reads it, so all ranks get it.
    pub(super) is_read_behind: bool,
}

/// The state of a nest.
struct State {
    /// A statement that changes it in the loop along which ranks follow one another.
    statement: usize,
    /// The variables.
    carried: Vec<Carried>,
    /// The statements outside of that loop, which are every rank's.
    outside: Vec<usize>,
}

/// The most bytes of an array that goes along, if they are known.
const MOST: usize = 1 << 20;

impl Scan<'_> {
    /// Finds the state of a nest whose iterations ranks have one after the other, and whose each iteration is one rank's work; if it has none,
    /// the conditionals that owners evaluate.
    pub(super) fn carry_or_conditions(&mut self) {
        let (statements, works) = (self.found.nest.statements.clone(), self.found.works.clone());
        for along in 0..self.found.loops.len() {
            if let Some(state) = self.state(along) {
                self.conditions();
                if self.is_one_after_the_other(along, &state) && (along == 0 || self.is_crossed(along, &state)) {
                    let writes = |e: &Executed| matches!(e, Executed::ByOwners { writes: true, .. });
                    let is_read_only = !self.found.nest.statements.iter().any(|s| writes(&s.executed));
                    let may_be_whole = is_read_only && self.found.counted.is_empty();
                    self.found.carried = state.carried;
                    self.found.nest.carried = Some(nest::Carried { statement: state.statement, along, may_be_whole });
                    return;
                }
            }
            (self.found.nest.statements, self.found.works) = (statements.clone(), works.clone());
            self.found.counted.clear();
            self.found.for_all.clear();
        }
        self.conditions();
    }

    /// Lets owners execute the statements that all ranks would execute in the loop `along`, in whose order ranks follow one another.
    fn state(&mut self, along: usize) -> Option<State> {
        let &[root] = self.found.roots.as_slice() else { return None };
        if self.found.loops.first()?.l.stmt != root {
            return None;
        }
        let is_all = |e: &Executed| match e {
            Executed::ByAll => true,
            Executed::ByUsers(loops) => !loops.contains(&along),
            Executed::ByOwners { .. } => false,
        };
        let changing = (0..self.found.works.len())
            .filter(|&k| is_all(&self.found.nest.statements[k].executed) && !self.is_conditional(k));
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            changing.partition(|&k| self.chain(self.found.nest.statements[k].inner).contains(&along));
        let handed = self.handed(along, (*inside.first()?, *inside.last()?), &outside)?;
        let mut carried: Vec<Carried> = Vec::new();
        for &k in inside.iter().chain(&outside) {
            if self.found.works[k].defines.is_some_and(|v| handed.contains(&v)) {
                continue;
            }
            let changed = self.changed_by(self.found.works[k].stmt)?;
            if carried.iter().all(|c| c.sym != changed.sym) {
                carried.push(changed);
            }
        }
        let mut owner: Option<Vec<String>> = None;
        let decided: Vec<(usize, Expr)> = self.found.works.iter().filter_map(|w| w.decides).collect();
        for &k in &inside {
            let (array, place, of) = self.sure_element(k, &decided)?;
            let own = self.owner(array, place);
            let is_like = owner.get_or_insert_with(|| own.clone()) == &own;
            if !is_like || !self.goes_along_blocks(array, &of, along) {
                return None;
            }
            let rank = |v: Sym| self.u.sym(v).dims.len();
            if carried.iter().any(|c| rank(c.sym) >= rank(self.arrays[array].sym)) {
                return None;
            }
            self.found.nest.statements[k].executed = Executed::ByOwners { of, writes: false };
            self.found.works[k].decides = Some((array, place));
        }
        Some(State { statement: inside[0], carried, outside })
    }

    /// The registers that have an element of the state while the loop `along` runs: the statements `outside` of it are the first and the last of their
    /// uses, `t = s(j)` and `s(j) = t`. None if one of them is something else.
    fn handed(&self, along: usize, inside: (usize, usize), outside: &[usize]) -> Option<Vec<Sym>> {
        let around = &self.found.loops[along].l;
        let mut ends: Vec<(Sym, Expr, bool)> = Vec::new();
        for &k in outside {
            let (statement, stmt) = (&self.found.nest.statements[k], self.found.works[k].stmt);
            let Head::Assign { place, value } = self.u.head(stmt) else { return None };
            let (v, element, is_first) = match (self.u.expr(place), self.u.expr(value)) {
                (ExprData::Var(v), ExprData::Elem(..)) => (v, value, true),
                (ExprData::Elem(..), ExprData::Var(v)) => (v, place, false),
                _ => return None,
            };
            let in_order = if is_first { k < inside.0 } else { k > inside.1 };
            let parent = self.found.nest.loops[along].parent;
            // Nobody reads it in another iteration, or behind the nest.
            let is_own = !is_first
                || matches!(&statement.executed, Executed::ByUsers(all) if parent.is_some_and(|p| all.contains(&p)));
            let is_beside = self.u.parent(stmt) == self.u.parent(around.stmt);
            let is_new = !ends.iter().any(|e| (e.0, e.2) == (v, is_first));
            if !(self.u.sym(v).is_register() && in_order && is_own && is_beside && is_new) {
                return None;
            }
            ends.push((v, element, is_first));
        }
        let is_pair = |e: &(Sym, Expr, bool)| ends.contains(&(e.0, e.1, !e.2));
        ends.iter().all(is_pair).then(|| ends.iter().map(|e| e.0).collect())
    }

    /// Whether ranks may have the iterations of the inner loop `along` one after the other, each in all iterations of the loops around it: those have
    /// elements of the state of their own, and all mapped elements have the values from before the nest.
    fn is_crossed(&self, along: usize, state: &State) -> bool {
        let around: Vec<usize> = self.chain(self.found.nest.loops[along].parent);
        let is_inside = |inner: Option<usize>| self.chain(inner).contains(&along);
        let is_fixed = |l: &usize| self.found.nest.loops[*l].is_fixed();
        let statements = &self.found.nest.statements;
        let reads_only = |e: &Executed| !matches!(e, Executed::ByOwners { writes: true, .. });
        around.iter().chain([&along]).all(is_fixed)
            && statements.iter().all(|s| reads_only(&s.executed))
            && (0..statements.len()).all(|k| is_inside(statements[k].inner) || state.outside.contains(&k))
            && self.found.reductions.is_empty()
            && (fault("ranks_carry_crossed") || state.carried.iter().all(|c| self.is_apart(c.sym, &around)))
    }

    /// Whether each iteration of these loops uses elements of the array `v` that no other one does.
    fn is_apart(&self, v: Sym, loops: &[usize]) -> bool {
        let mut place: Option<Expr> = None;
        let mut is_same = true;
        for s in self.found.stmts(self.u) {
            let head = self.u.head(s);
            let stored = match head {
                Head::Assign { place, .. } => Some(place),
                _ => None,
            };
            let passed: Vec<Expr> = self.u.references(head).iter().map(|r| r.1).collect();
            for e in self.u.values(head).into_iter().chain(stored).chain(passed) {
                self.u.visit_expr(e, &mut |x| {
                    let Some(m) = crate::alias::memory_of(self.u, x) else { return };
                    if crate::alias::may_overlap(self.u, m, v) {
                        is_same &= *place.get_or_insert(x) == x;
                    }
                });
            }
        }
        let Some(ExprData::Elem(of, list)) = place.filter(|_| is_same).map(|e| self.u.expr(e)) else { return false };
        let vars: Vec<Sym> = self.found.loops.iter().map(|a| a.l.var).collect();
        let tells = |l: usize| {
            self.u.list(list).iter().any(|&e| {
                let mut sum = Linear::of(self.u, e);
                let factor = sum.take(self.u, self.found.loops[l].l.var);
                factor.abs() == 1 && vars.iter().all(|&v| sum.take(self.u, v) == 0) && self.is_known_sum(&sum)
            })
        };
        of == v && loops.iter().all(|&l| tells(l))
    }

    fn is_known_sum(&self, sum: &Linear) -> bool {
        sum.terms.iter().all(|&(t, _)| self.is_known(t))
    }

    fn is_conditional(&self, k: usize) -> bool {
        matches!(self.u.head(self.found.works[k].stmt), Head::If { .. } | Head::Select { .. })
    }

    /// The variable that a statement changes, if its size is known.
    fn changed_by(&self, s: Stmt) -> Option<Carried> {
        let sym = match self.u.head(s) {
            Head::Assign { place, .. } => match self.u.expr(place) {
                ExprData::Var(v) | ExprData::Elem(v, _) => v,
                _ => return None,
            },
            Head::Call { callee: Callee::Proc(p), result, .. } if self.u.proc(p).is_libm => result.expand()?,
            Head::Call { callee: Callee::Rt(_), result, .. } => result.expand()?,
            _ => return None,
        };
        let data = self.u.sym(sym);
        let is_plain = match data.storage {
            Storage::Frame | Storage::Static { .. } => true,
            Storage::Dummy { .. } | Storage::Pointer { .. } => !data.may_alias && !data.dims.is_empty(),
            _ => data.is_register(),
        };
        if !is_plain || data.len.is_some() || !self.is_there(sym, s) {
            return None;
        }
        let mut bytes = Some(data.ty.size());
        for dim in &data.dims {
            let upper = dim.upper.expand().filter(|_| dim.stride.is_none())?;
            bytes = match [dim.lower, upper].map(|e| self.u.pool().as_int(e)) {
                [Some(lower), Some(upper)] => {
                    let extent = usize::try_from(upper.checked_sub(lower)?.checked_add(1)?).ok()?;
                    match bytes {
                        Some(n) => Some(n.checked_mul(extent)?),
                        None => None,
                    }
                }
                _ if self.is_known(dim.lower) && self.is_known(upper) => None,
                _ => return None,
            };
        }
        let is_read_behind = self.is_read_behind(sym);
        bytes.is_none_or(|n| n > 0 && n <= MOST).then_some(Carried { sym, bytes, is_read_behind })
    }

    /// Whether there is memory behind the array that `s` changes wherever the nest is reached: an argument may be absent, and an ALLOCATABLE array
    /// not allocated, as long as no element is used. An argument with one element is, in old programs, one of any size.
    fn is_there(&self, v: Sym, s: Stmt) -> bool {
        let data = self.u.sym(v);
        if !data.from_source || !matches!(data.storage, Storage::Dummy { .. } | Storage::Pointer { .. }) {
            return true;
        }
        let mut around = self.u.ancestors(s).take_while(|a| !self.found.roots.contains(a));
        let is_one = data.dims.last().is_some_and(|d| d.upper.expand() == Some(d.lower));
        around.all(|a| self.u.head(a).is_loop()) && !is_one
    }

    /// Whether a variable may be read outside of the nest. A temporary is one statement's, which gives it its first values each time.
    fn is_read_behind(&self, v: Sym) -> bool {
        let data = self.u.sym(v);
        if data.from_source {
            return true;
        }
        if data.is_register() {
            return self.found.roots.iter().any(|&r| self.live.is_behind(r, v));
        }
        if !matches!(data.storage, Storage::Frame) {
            return true;
        }
        if fault("ranks_carry_unread") {
            return false;
        }
        let inside = self.found.stmts(self.u);
        let outside = self.u.walk().into_iter().filter(|s| !self.u.head(*s).is_invisible() && !inside.contains(s));
        outside.into_iter().any(|s| {
            let head = self.u.head(s);
            let passed: Vec<Expr> = self.u.references(head).iter().map(|r| r.1).collect();
            let mut is_read = false;
            for e in self.u.values(head).into_iter().chain(passed) {
                self.u.visit_expr(e, &mut |x| {
                    is_read |=
                        crate::alias::memory_of(self.u, x).is_some_and(|m| crate::alias::may_overlap(self.u, m, v));
                });
            }
            is_read
        })
    }

    /// Whether the owner of the element follows from the variable of one loop alone, block by block.
    fn goes_along_blocks(&self, array: usize, of: &Element, along: usize) -> bool {
        let Known::One(mapping) = &self.known[array] else { return false };
        let in_blocks = |format: &Format| matches!(format, Format::Block(_) | Format::GenBlock(Values::Known(_)));
        let is_along =
            |s: &Subscript| matches!(s, Subscript::Of(a) if matches!(a.terms.as_slice(), [(l, 1 | -1)] if *l == along));
        let mut count = 0;
        let all = mapping.axes.iter().zip(&of.subscripts).all(|(axis, s)| match axis {
            Axis::On { format, .. } => {
                count += 1;
                in_blocks(format) && is_along(s)
            }
            _ => true,
        });
        all && count == 1 && mapping.grid.extents.len() == 1
    }

    /// Whether each iteration of the loop is one rank's, as a whole.
    fn is_one_after_the_other(&self, along: usize, state: &State) -> bool {
        let by_owners = self.found.nest.statements.iter().enumerate().all(|(k, s)| match &s.executed {
            _ if state.outside.contains(&k) => true,
            Executed::ByAll => false,
            Executed::ByUsers(loops) => loops.contains(&along),
            Executed::ByOwners { .. } => true,
        });
        let decided: Vec<(usize, Expr)> = self.found.works.iter().filter_map(|w| w.decides).collect();
        let owners: Vec<Vec<String>> = decided.iter().map(|&(array, place)| self.owner(array, place)).collect();
        let of = &self.found.nest.loops[along];
        let can_be_local = (of.is_fixed() || of.step.abs() == 1) && self.last_value_is_known(along);
        by_owners && can_be_local && owners.windows(2).all(|w| w[0] == w[1])
    }
}
