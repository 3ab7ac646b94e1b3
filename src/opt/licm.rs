//! Loop-invariant code motion: values that are the same in every iteration are computed once, before the loop.
//!
//! ```text
//!                                  t = b(k, j)                         @{2,3}
//! do i = 1, 100              @2    s = x * y                           @{2,4}
//!   a(i) = a(i) + b(k, j)    @3    do i = 1, 100                       @2
//!   s = x * y                @4 =>   a(i) = a(i) + t                   @3
//!   c(i) = s                 @5      c(i) = s                          @5
//! end                              end
//! ```
//!
//! A value that may trap, or read outside an array, is hoisted only if the loop certainly evaluates it; a loop whose
//! trip count is unknown gets a guard for that (row 29: it belongs to the loop). Pure arithmetic on registers stays:
//! the code generator hoists it as well, and knows the register pressure.

use crate::alias::memory_of;
use crate::analysis::depend::{Dependence, MAX_REFS, Side, dependence};
use crate::analysis::loops::DoLoop;
use crate::analysis::refs::{MemRef, Region};
use crate::analysis::registers::{Confined, Flow};
use crate::rewrite::{rewrite, values_in};
use crate::{Context, OptLevel, Pass};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_ir::{
    BinaryOp, Block, Editor, ExpandKind, Expr, ExprData, Head, Intrinsic, Place, Stmt, Storage, Sym, Type, Unit,
};

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O2, ..Pass::new("licm", "compute values that are fixed in a loop once, before it", run) };

/// More values than this are not kept over one loop: they would only be spilled.
const MAX_VALUES: usize = 24;

/// More elements of real arrays stay in the loop, all of them: an operation takes an element from memory as fast as a value that was spilled, and
/// neighbours are one vector there.
const MAX_ELEMENTS: usize = 16;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    let confined = Confined::of(ed);
    let reads = reads_of(ed, &ed.walk());
    for s in ed.walk().into_iter().rev().filter(|&s| ed.head(s).is_loop()).collect::<Vec<_>>() {
        hoist_statements(ed, s, &reads);
        hoist_values(ed, s, &confined);
        // Registers that were loaded in the loop are copies of a value before it now.
        hoist_statements(ed, s, &reads);
    }
}

/// The number of statements that read each register.
pub(crate) fn reads_of(u: &Unit, stmts: &[Stmt]) -> FxHashMap<Sym, usize> {
    let mut out: FxHashMap<Sym, usize> = u.result().map(|v| (v, 1)).into_iter().collect();
    for &s in stmts {
        let head = u.head(s);
        if head.is_invisible() {
            continue;
        }
        for v in u.registers_read(head) {
            *out.entry(v).or_default() += 1;
        }
    }
    out
}

/// Moves assignments of invariant values to registers out of the loop `s`. `reads` counts the readers of
/// registers in the whole unit.
pub(crate) fn hoist_statements(ed: &mut Editor<'_>, s: Stmt, reads: &FxHashMap<Sym, usize>) {
    let Some(l) = DoLoop::of(ed, s) else { return };
    let candidates: Vec<Stmt> = ed.real_stmts(l.body).filter(|&x| is_register_assignment(ed, x)).collect();
    if candidates.is_empty() {
        return;
    }
    let mut region = Region::of(ed, s);
    if region.labels || region.jumps {
        return;
    }
    let inside = ed.walk_stmt(s);
    let (flow, reads_inside) = (Flow::of(ed, l.body), reads_of(ed, &inside));
    let mut definitions: FxHashMap<Sym, usize> = FxHashMap::default();
    for &x in &inside {
        for v in ed.may_define(ed.head(x)) {
            *definitions.entry(v).or_default() += 1;
        }
    }
    let runs = l.trips(ed).is_some_and(|t| t > 0) || trueline_ir::fault("licm_zero_trips");
    for x in candidates {
        let (Some(v), Head::Assign { value, .. }) = (ed.defines(ed.head(x)), ed.head(x)) else { continue };
        let count = |map: &FxHashMap<Sym, usize>| map.get(&v).copied().unwrap_or(0);
        let local = count(reads) <= count(&reads_inside) && ed.result() != Some(v);
        let is_bound = [l.lo, l.hi, l.step].iter().any(|&e| ed.mentions(e, v));
        let movable = (count(&definitions) == 1 || trueline_ir::fault("licm_redefined"))
            && !flow.exposed.contains(&v)
            && !is_bound
            && (runs || local)
            && region.keeps_registers(ed, value)
            && (speculable(ed, value) || (runs && !region.effects))
            && keeps_memory(ed, &region, s, x, value);
        if movable {
            ed.move_to(x, Place::Before(s));
            region.defined.remove(&v);
        }
    }
}

fn is_register_assignment(u: &Unit, s: Stmt) -> bool {
    matches!(u.head(s), Head::Assign { .. }) && u.defines(u.head(s)).is_some()
}

/// Whether nothing that `e`, evaluated in the statement `at`, reads from memory is written in the loop.
fn keeps_memory(u: &Unit, region: &Region, outer: Stmt, at: Stmt, e: Expr) -> bool {
    let mut ok = true;
    if u.reads_memory(e) {
        u.visit_expr(e, &mut |x| {
            ok = ok
                && match memory_of(u, x) {
                    Some(_) if trueline_ir::fault("licm_store") => true,
                    Some(sym) if region.may_write(u, sym) => is_spared(u, region, outer, at, sym, x),
                    _ => true,
                }
        });
    }
    ok
}

/// Whether no write in the loop `outer` touches the element `place`, although some touch its array.
fn is_spared(u: &Unit, region: &Region, outer: Stmt, at: Stmt, sym: Sym, place: Expr) -> bool {
    // Messages of checks write nothing.
    if !region.has_only_checks() || region.refs.len() > MAX_REFS || DoLoop::of(u, outer).is_none() {
        return false;
    }
    let read = MemRef { stmt: at, sym, place, write: false, exact: true };
    // The place is the same in all iterations, so it is looked at from outside of the inner loops.
    let side = Side::of(u, outer, outer);
    region.refs.iter().filter(|r| r.write).all(|r| {
        let other = Side::of(u, outer, r.stmt);
        dependence(u, (&read, side.as_ref()), (r, other.as_ref()), 1, &region.defined) == Dependence::Never
    })
}

/// An invariant value and the statements that use it.
struct Value {
    expr: Expr,
    users: Vec<Stmt>,
}

/// Computes invariant values before the loop `s`, in registers.
fn hoist_values(ed: &mut Editor<'_>, s: Stmt, confined: &Confined) {
    let region = Region::of(ed, s);
    let can_guard = guard_of(ed, s, confined).is_some();
    let straight = !region.labels && !region.jumps && !region.effects;
    let mut search = Search {
        u: ed,
        s,
        region: &region,
        sure_if_entered: straight,
        found: Vec::new(),
        index: FxHashMap::default(),
        tested: FxHashMap::default(),
    };
    search.all(straight && (can_guard || surely_runs(ed, s)));
    let found = search.found;
    if found.is_empty() {
        return;
    }
    if found.iter().any(|v| !speculable(ed, v.expr)) && !surely_runs(ed, s) {
        guard(ed, s, confined);
    }
    let is_element = |v: &Value| is_real(ed.ty(v.expr)) && matches!(ed.expr(v.expr), ExprData::Elem(..));
    let elements: Vec<bool> = found.iter().map(is_element).collect();
    let stay = elements.iter().filter(|&&e| e).count() > MAX_ELEMENTS;
    let values = found.into_iter().zip(elements).filter(|(_, is_element)| !(stay && *is_element));
    for (value, _) in values.take(MAX_VALUES) {
        hoist_value(ed, s, &value);
    }
}

fn is_real(ty: Type) -> bool {
    matches!(ty, Type::R4 | Type::R8)
}

fn hoist_value(ed: &mut Editor<'_>, s: Stmt, value: &Value) {
    let t = ed.new_register("inv", ed.ty(value.expr));
    let var = ed.var(t);
    let head = Head::Assign { place: var, value: value.expr };
    let first = value.users[0];
    let temp = match value.users.len() {
        1 => ed.expand(first, head, Place::Before(first), ExpandKind::Lower),
        _ => ed.merge_common(&value.users, head, Place::Before(first)),
    };
    if first != s {
        ed.move_to(temp, Place::Before(s));
    }
    for &user in &value.users {
        rewrite(ed, user, &mut |ed, e| ed.map_expr(e, &mut |_, x| (x == value.expr).then_some(var)));
    }
}

/// Whether `e` may be evaluated where the source does not: it neither traps nor reads memory that may be absent (an
/// element outside its array, an absent OPTIONAL argument, an array that is not allocated).
pub(crate) fn speculable(u: &Unit, e: Expr) -> bool {
    let mut there = true;
    u.visit_expr(e, &mut |x| {
        if let ExprData::Var(v) = u.expr(x) {
            there &= !matches!(u.sym(u.root(v)).storage, Storage::Dummy { .. } | Storage::Pointer { .. });
        }
    });
    there && (is_surely_there(u, e) || !u.may_trap(e))
}

/// Whether `e` is an element of the procedure's own or of static memory that is inside its array by constants, as in the description of a component
/// that is allocatable.
fn is_surely_there(u: &Unit, e: Expr) -> bool {
    let ExprData::Elem(array, subs) = u.expr(e) else { return false };
    let data = u.sym(array);
    let is_own = matches!(u.sym(u.root(array)).storage, Storage::Static { .. } | Storage::Frame);
    let subs = u.list(subs);
    is_own
        && subs.len() == data.dims.len()
        && subs.iter().zip(&data.dims).all(|(&sub, d)| {
            let upper = d.upper.expand().and_then(|e| u.pool().as_int(e));
            let [sub, lower] = [sub, d.lower].map(|e| u.pool().as_int(e));
            d.stride.is_none() && matches!((lower, sub, upper), (Some(l), Some(s), Some(h)) if l <= s && s <= h)
        })
}

/// Whether the loop `s` is sure to run at least once when it is reached.
pub(crate) fn surely_runs(u: &Unit, s: Stmt) -> bool {
    let Some(l) = DoLoop::of(u, s) else { return false };
    l.trips(u).is_some_and(|t| t > 0) || is_guarded(u, l)
}

/// Whether the loop stands in an IF that asks whether it runs, and nothing changes the answer on the way to it, on which no jump comes in.
fn is_guarded(u: &Unit, l: DoLoop) -> bool {
    let Some(outer) = u.enclosing(l.stmt) else { return false };
    let Head::If { cond } = u.head(outer) else { return false };
    let op = if l.constant_step(u).is_some_and(|k| k > 0) { BinaryOp::Le } else { BinaryOp::Ge };
    let keeps = |x: Stmt| {
        let head = u.head(x);
        !matches!(head, Head::Label(_)) && u.may_define(head).iter().all(|v| !u.mentions(cond, *v))
    };
    let fixed = |s: Stmt| u.walk_stmt(s).into_iter().all(keeps);
    l.constant_step(u).is_some()
        && !u.reads_memory(cond)
        && (u.expr(cond) == ExprData::Binary(op, l.lo, l.hi) || asks_for_whole_strip(u, l, cond))
        && u.parent(l.stmt) == Some(u.blocks(outer)[0])
        && std::iter::successors(u.prev_real(l.stmt), |&x| u.prev_real(x)).all(fixed)
}

/// Whether `cond` asks for the iterations of one strip, and `l` is the loop over whole strips.
///
/// ```text
/// if i8(n) - i8(m) >= 3        or trip(m, n, 1) >= 4, where the variable is an INTEGER(8)
///   do i = m, n - 3, 4
/// ```
fn asks_for_whole_strip(u: &Unit, l: DoLoop, cond: Expr) -> bool {
    let int = |e: Expr| u.pool().as_int(e);
    let ExprData::Binary(BinaryOp::Sub, hi, less) = u.expr(l.hi) else { return false };
    let ExprData::Binary(BinaryOp::Ge, iterations, least) = u.expr(cond) else { return false };
    let (Some(less), Some(least)) = (int(less).filter(|&k| k > 0), int(least)) else { return false };
    if l.constant_step(u).is_none_or(|k| k <= 0) {
        return false;
    }
    let is_widened = |wide: Expr, e: Expr| match int(e) {
        Some(k) => int(wide) == Some(k),
        None => wide == e || u.expr(wide) == ExprData::Convert(Type::I8, e),
    };
    let bounds = match u.expr(iterations) {
        // Neither these differences nor, then, the limit wrap.
        ExprData::Binary(BinaryOp::Sub, to, from) if u.sym(l.var).ty != Type::I8 && less == least => [from, to],
        ExprData::Intrinsic(Intrinsic::Trip, list) => match *u.list(list) {
            [from, to, by] if int(by).and_then(|k| k.checked_mul(least - 1)) == Some(less) => [from, to],
            _ => return false,
        },
        _ => return false,
    };
    is_widened(bounds[0], l.lo) && is_widened(bounds[1], hi)
}

/// The condition on which the loop `s` runs, if a guard may be put around it: its variable must not matter
/// after a loop without iterations.
pub(crate) fn guard_of(u: &Unit, s: Stmt, confined: &Confined) -> Option<(BinaryOp, Expr, Expr)> {
    let l = DoLoop::of(u, s)?;
    if !confined.contains(l.var) || u.reads_memory(l.lo) || u.reads_memory(l.hi) || l.trips(u).is_some_and(|t| t <= 0) {
        return None;
    }
    let op = if l.constant_step(u)? > 0 { BinaryOp::Le } else { BinaryOp::Ge };
    Some((op, l.lo, l.hi))
}

/// Puts the loop `s` under an IF that asks whether it runs. Does nothing if that is not possible.
pub(crate) fn guard(ed: &mut Editor<'_>, s: Stmt, confined: &Confined) -> bool {
    let Some((op, lo, hi)) = guard_of(ed, s, confined) else { return false };
    let cond = ed.binary(op, lo, hi);
    ed.keep_last_value(s);
    ed.expand_around(s, Head::If { cond }, 0, ExpandKind::Lower);
    true
}

/// The search for invariant values of a loop.
struct Search<'a> {
    u: &'a Unit,
    s: Stmt,
    region: &'a Region,
    /// Whether an iteration that begins gets to its end.
    sure_if_entered: bool,
    found: Vec<Value>,
    index: FxHashMap<Expr, usize>,
    tested: FxHashMap<Expr, Test>,
}

/// The properties of an expression in the loop.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Test {
    /// No operand changes in the loop.
    fixed: bool,
    /// It is more than arithmetic on registers.
    worthwhile: bool,
}

impl Search<'_> {
    /// `sure`: the loop runs, or can be guarded.
    fn all(&mut self, sure: bool) {
        if let Head::DoWhile { cond } = self.u.head(self.s) {
            self.expr(self.s, cond, false);
        }
        for b in self.u.blocks(self.s).to_vec() {
            self.block(b, sure);
        }
    }

    fn block(&mut self, b: Block, sure: bool) {
        for x in self.u.real_stmts(b).collect::<Vec<_>>() {
            let head = self.u.head(x);
            for e in self.u.values(head) {
                self.expr(x, e, sure);
            }
            let inside = sure && DoLoop::of(self.u, x).is_some() && surely_runs(self.u, x) && self.sure_if_entered;
            for inner in self.u.blocks(x).to_vec() {
                self.block(inner, inside);
            }
        }
    }

    /// The largest invariant values in `e`, which `at` evaluates.
    fn expr(&mut self, at: Stmt, e: Expr, sure: bool) {
        let mut seen = FxHashSet::default();
        let mut todo = vec![(e, sure)];
        while let Some((e, sure)) = todo.pop() {
            if !seen.insert((e, sure)) || self.u.pool().is_constant(e) {
                continue;
            }
            if self.u.ty(e) != Type::Char && self.is_invariant(at, e) && (sure || speculable(self.u, e)) {
                self.add(at, e);
                continue;
            }
            let decides = match self.u.expr(e) {
                ExprData::Binary(BinaryOp::And | BinaryOp::Or, _, right) => Some(right),
                _ => None,
            };
            values_in(self.u, e, &mut |x| todo.push((x, sure && decides != Some(x))));
        }
    }

    fn is_invariant(&mut self, at: Stmt, e: Expr) -> bool {
        let movable = matches!(
            self.u.expr(e),
            ExprData::Var(_)
                | ExprData::Elem(..)
                | ExprData::Unary(..)
                | ExprData::Binary(..)
                | ExprData::Convert(..)
                | ExprData::Intrinsic(..)
        );
        movable && self.test(at, e) == Test { fixed: true, worthwhile: true }
    }

    /// Tests `e` by its operands, each once (a sum may have thousands of terms).
    fn test(&mut self, at: Stmt, e: Expr) -> Test {
        if let Some(&known) = self.tested.get(&e) {
            return known;
        }
        let mut out = Test { fixed: true, worthwhile: false };
        match self.u.expr(e) {
            ExprData::Var(_) | ExprData::Elem(..) => match memory_of(self.u, e) {
                Some(sym) => {
                    out.worthwhile = true;
                    let written = self.region.may_write(self.u, sym);
                    let registers = self.region.keeps_registers(self.u, e);
                    out.fixed = registers && (!written || is_spared(self.u, self.region, self.s, at, sym, e));
                }
                None => out.fixed = self.region.keeps_registers(self.u, e),
            },
            // A register is better spent on it than the code: it divides, or calls a function.
            ExprData::Binary(BinaryOp::Div, ..) | ExprData::Intrinsic(..) => out.worthwhile = true,
            ExprData::AddrOf(..) | ExprData::Substr(..) => out.fixed = false,
            _ => {}
        }
        let mut operands: SmallVec<[Expr; 4]> = SmallVec::new();
        self.u.pool().operands(e, |x| operands.push(x));
        for x in operands {
            let inner = self.test(at, x);
            out.fixed &= inner.fixed;
            out.worthwhile |= inner.worthwhile;
        }
        self.tested.insert(e, out);
        out
    }

    fn add(&mut self, at: Stmt, expr: Expr) {
        let i = *self.index.entry(expr).or_insert_with(|| {
            self.found.push(Value { expr, users: Vec::new() });
            self.found.len() - 1
        });
        if self.found[i].users.last() != Some(&at) && !self.found[i].users.contains(&at) {
            self.found[i].users.push(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn element_and_statement() {
        check(
            &PASS,
            "
integer i, k
real a(10), b(10), c(10), x, y, s
do i = 1, 10 @2
  a(i) = a(i) + b(k) @3
  s = x / y @4
  c(i) = s @5
end",
            "
r8 inv.1
s = x / y                   @{2,4}
inv.1 = b(k)                @{2,3}
do i = 1, 10                @2
  a(i) = a(i) + inv.1       @3
  c(i) = s                  @5
end

move @4 -> @{2,4}
expand lower @3
move @3 -> @{2,3}
rewrite @3",
        );
    }

    #[test]
    fn unknown_trip_count_takes_a_guard() {
        check(
            &PASS,
            "
integer i, k, n
real a(10), b(10)
n = k + 3 @1
do i = 1, n @2
  a(i) = a(i) + b(k) * b(k) @3
end",
            "
r8 inv.1
n = k + 3                       @1
if 1 <= n                       @2
  inv.1 = b(k) * b(k)           @{2,3}
  do i = 1, n                   @2
    a(i) = a(i) + inv.1         @3
  end
end

expand lower @2
expand lower @3
move @3 -> @{2,3}
rewrite @3",
        );
    }

    #[test]
    fn no_guard_when_the_variable_matters_afterwards() {
        unchanged(
            &PASS,
            "
integer i, k, n
real a(10), b(10)
n = k + 3 @1
do i = 1, n @2
  a(i) = a(i) + b(k) @3
end
a(1) = r8(i) @4",
        );
    }

    #[test]
    fn a_limit_that_changes_in_the_loop_stays() {
        unchanged(
            &PASS,
            "
integer i, n
real a(10)
n = 7 @1
do i = 1, n @2
  n = 3 @3
  a(i) = 0.0 @4
end",
        );
    }

    #[test]
    fn an_element_that_is_written_stays() {
        unchanged(
            &PASS,
            "
integer i, k
real a(10)
do i = 1, 10 @2
  a(i) = a(k) + 1.0 @3
end",
        );
    }

    #[test]
    fn an_element_before_those_written_is_hoisted() {
        check(
            &PASS,
            "
integer i, k
real a(10, 10)
do k = 1, 9 @1
  do i = k + 1, 10 @2
    a(i, k) = a(i, k) / a(k, k) @3
  end
end",
            "
r8 inv.1
do k = 1, 9 @1
  if k + 1 <= 10 @2
    inv.1 = a(k, k) @{2,3}
    do i = k + 1, 10 @2
      a(i, k) = a(i, k) / inv.1 @3
    end
  end
end

expand lower @2
expand lower @3
move @3 -> @{2,3}
rewrite @3",
        );
    }

    #[test]
    fn a_condition_decides_whether_the_element_exists() {
        unchanged(
            &PASS,
            "
integer i, k
real a(10), b(10)
do i = 1, 10 @2
  if k <= 10 .and. a(i) > 0.0 @3
    a(i) = b(k) @4
  end
end",
        );
    }

    #[test]
    fn an_assignment_that_is_read_before_stays() {
        unchanged(
            &PASS,
            "
integer i
real a(10), s, x
do i = 1, 10 @2
  a(i) = s @3
  s = x * 2.0 @4
end",
        );
    }

    #[test]
    fn a_call_may_change_common() {
        unchanged(
            &PASS,
            "
program main h @0
area blk_ size 8 align 8 common
i4 i
r8 a(10)
r8 c static blk_+0
do i = 1, 10 @2
  a(i) = c @3
  call s() @4
end",
        );
    }
}
