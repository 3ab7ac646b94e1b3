//! The least values of sums over the iterations of a nest.
//!
//! A sum is taken apart from the inside: registers that the nest assigns once become their values, the innermost DO variable becomes its
//! first or its last value, and so on, until only values are left that the nest keeps. MIN, MAX, quotients, remainders and codes of characters are
//! bounded by themselves.

use super::around;
use super::limits::limits;
use crate::alias::memory_of;
use crate::analysis::loops::DoLoop;
use crate::analysis::refs::Region;
use crate::licm::speculable;
use crate::linear::{Linear, is_integer};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use trueline_ir::{BinaryOp, Editor, Expr, ExprData, Head, Intrinsic, Stmt, Sym, Type, UnaryOp, Unit};

/// The most steps in which a sum is taken apart.
const MOST_STEPS: u32 = 60;
/// The most terms of a sum.
const MOST_TERMS: usize = 12;

/// A loop with everything in it.
pub(super) struct Nest<'o> {
    once: &'o Once,
    pub(super) root: Stmt,
    pub(super) region: Region,
    /// The statements in it that may define each register.
    pub(super) definitions: FxHashMap<Sym, Vec<Stmt>>,
    /// Registers that stand for the values that others have before the nest: each with the other one.
    pub(super) entries: RefCell<Vec<(Sym, Sym)>>,
    /// Whether conditionals on a DO variable limit its values.
    pub(super) is_limited: Cell<bool>,
}

/// The values of registers that a unit assigns once and outside of loops, such as bounds of arrays.
#[derive(Default)]
pub(super) struct Once {
    values: FxHashMap<Sym, (Stmt, Expr)>,
}

impl Once {
    pub(super) fn of(u: &Unit, all: &[Stmt]) -> Once {
        let mut definitions: FxHashMap<Sym, u32> = FxHashMap::default();
        let mut once = Once::default();
        for &s in all.iter().filter(|&&s| !u.head(s).is_invisible()) {
            let head = u.head(s);
            if matches!(head, Head::Label(_)) {
                return Once::default();
            }
            for v in u.may_define(head) {
                *definitions.entry(v).or_default() += 1;
            }
            if let (Head::Assign { value, .. }, Some(v)) = (head, u.defines(head))
                && is_integer(u.sym(v).ty)
                && !u.reads_memory(value)
                && !u.may_trap(value)
                && !u.ancestors(s).any(|a| u.head(a).is_loop())
            {
                once.values.insert(v, (s, value));
            }
        }
        let is_one = |v: &Sym| definitions.get(v) == Some(&1);
        // A dummy argument by value that is never assigned is as good.
        let is_kept = |v: Sym| definitions.get(&v).is_none_or(|&n| n == 1) && !is_of_loop(u, all, v);
        once.values.retain(|v, (_, value)| is_one(v) && u.registers_in(*value).into_iter().all(is_kept));
        once
    }

    /// The sum with the values in place of the registers.
    fn put(&self, u: &Unit, before: Stmt, sum: &Linear) -> Linear {
        let mut sum = sum.clone();
        for _ in 0..MOST_STEPS {
            let value = |e: Expr| match u.expr(e) {
                ExprData::Var(v) => self.values.get(&v).filter(|&&(s, _)| is_before(u, s, before)).map(|x| x.1),
                _ => None,
            };
            let Some((e, k, value)) = sum.terms.iter().find_map(|&(e, k)| Some((e, k, value(e)?))) else { break };
            sum.terms.retain(|t| t.0 != e);
            sum.add(u, value, k);
        }
        sum
    }
}

/// Whether `v` is defined in a loop, or by one.
fn is_of_loop(u: &Unit, all: &[Stmt], v: Sym) -> bool {
    all.iter().any(|&s| {
        let head = u.head(s);
        !head.is_invisible()
            && u.may_define(head).contains(&v)
            && (head.is_loop() || u.ancestors(s).any(|a| u.head(a).is_loop()))
    })
}

impl Nest<'_> {
    pub(super) fn of<'o>(u: &Unit, root: Stmt, once: &'o Once) -> Nest<'o> {
        let mut definitions: FxHashMap<Sym, Vec<Stmt>> = FxHashMap::default();
        for x in u.walk_stmt(root).into_iter().filter(|&x| !u.head(x).is_invisible()) {
            for v in u.may_define(u.head(x)) {
                definitions.entry(v).or_default().push(x);
            }
        }
        let (entries, is_limited) = (RefCell::default(), Cell::new(false));
        Nest { once, root, region: Region::of(u, root), definitions, entries, is_limited }
    }

    pub(super) fn size(&self) -> usize {
        self.region.size
    }

    /// Whether `e` is a sum in which a DO variable of the nest occurs.
    pub(super) fn is_of_variables(&self, u: &Unit, e: Expr) -> bool {
        let is_variable =
            |v: Sym| self.definitions.get(&v).is_some_and(|d| d.iter().any(|&s| matches!(u.head(s), Head::Do { .. })));
        is_integer(u.ty(e)) && !u.reads_memory(e) && u.registers_in(e).into_iter().any(is_variable)
    }

    /// The conditions before the nest under which `cond`, evaluated at `at`, is false in all iterations.
    pub(super) fn never(&self, ed: &mut Editor<'_>, at: Stmt, cond: Expr) -> Option<Vec<Expr>> {
        match ed.expr(cond) {
            ExprData::Logical(_, false) => Some(Vec::new()),
            ExprData::Unary(UnaryOp::Not, x) => self.always(ed, at, x),
            ExprData::Binary(BinaryOp::Or, a, b) => {
                let mut all = self.never(ed, at, a)?;
                all.extend(self.never(ed, at, b)?);
                Some(all)
            }
            ExprData::Binary(BinaryOp::And, a, b) => self.easier(ed, at, [a, b], Self::never),
            ExprData::Binary(op, a, b) if is_integer(ed.ty(a)) => {
                let opposite = match op {
                    BinaryOp::Lt => BinaryOp::Ge,
                    BinaryOp::Le => BinaryOp::Gt,
                    BinaryOp::Gt => BinaryOp::Le,
                    BinaryOp::Ge => BinaryOp::Lt,
                    BinaryOp::Eq => BinaryOp::Ne,
                    BinaryOp::Ne => BinaryOp::Eq,
                    _ => return None,
                };
                self.holds(ed, at, opposite, [a, b])
            }
            _ => self.unless(ed, cond),
        }
    }

    /// The same under which it is true.
    fn always(&self, ed: &mut Editor<'_>, at: Stmt, cond: Expr) -> Option<Vec<Expr>> {
        match ed.expr(cond) {
            ExprData::Logical(_, true) => Some(Vec::new()),
            ExprData::Unary(UnaryOp::Not, x) => self.never(ed, at, x),
            ExprData::Binary(BinaryOp::And, a, b) => {
                let mut all = self.always(ed, at, a)?;
                all.extend(self.always(ed, at, b)?);
                Some(all)
            }
            ExprData::Binary(BinaryOp::Or, a, b) => self.easier(ed, at, [a, b], Self::always),
            ExprData::Binary(op, a, b) if is_integer(ed.ty(a)) => self.holds(ed, at, op, [a, b]),
            _ if self.is_fixed(ed, cond) => Some(vec![cond]),
            _ => None,
        }
    }

    /// The side that needs fewer questions.
    fn easier(
        &self,
        ed: &mut Editor<'_>,
        at: Stmt,
        sides: [Expr; 2],
        asks: fn(&Self, &mut Editor<'_>, Stmt, Expr) -> Option<Vec<Expr>>,
    ) -> Option<Vec<Expr>> {
        let both = sides.map(|e| asks(self, ed, at, e));
        both.into_iter().flatten().min_by_key(Vec::len)
    }

    fn unless(&self, ed: &mut Editor<'_>, cond: Expr) -> Option<Vec<Expr>> {
        self.is_fixed(ed, cond).then(|| vec![ed.make(ExprData::Unary(UnaryOp::Not, cond))])
    }

    /// The conditions under which a comparison of integers is true in all iterations.
    fn holds(&self, ed: &mut Editor<'_>, at: Stmt, op: BinaryOp, [a, b]: [Expr; 2]) -> Option<Vec<Expr>> {
        if self.is_fixed(ed, a) && self.is_fixed(ed, b) {
            return match (ed.pool().as_int(a), ed.pool().as_int(b)) {
                (Some(a), Some(b)) => compare(op, a, b).then(Vec::new),
                _ => Some(vec![ed.binary(op, a, b)]),
            };
        }
        let [a, b] = [a, b].map(|e| Linear::of(ed, e));
        let strictly = i64::from(matches!(op, BinaryOp::Gt | BinaryOp::Lt));
        let mut sum = match op {
            BinaryOp::Ge | BinaryOp::Gt => a.minus(&b),
            BinaryOp::Le | BinaryOp::Lt => b.minus(&a),
            BinaryOp::Eq if a.clone().minus(&b).as_constant() == Some(0) => return Some(Vec::new()),
            BinaryOp::Eq => {
                // Neither is greater than the other.
                let mut is_proved = |sum: Linear| {
                    let least = self.least(ed, at, sum, &mut MOST_STEPS.clone());
                    least.and_then(|l| l.as_constant()).is_some_and(|v| v >= 0)
                };
                return (is_proved(a.clone().minus(&b)) && is_proved(b.minus(&a))).then(Vec::new);
            }
            _ => return None,
        };
        sum.constant = sum.constant.checked_sub(strictly)?;
        let least = self.least(ed, at, sum, &mut MOST_STEPS.clone())?;
        match self.once.put(ed, self.root, &least).as_constant() {
            Some(v) => (v >= 0).then(Vec::new),
            None => Some(vec![not_negative(ed, &least)]),
        }
    }

    /// As `least`, in as many steps as a sum may take.
    pub(super) fn least_of(&self, ed: &mut Editor<'_>, at: Stmt, sum: Linear) -> Option<Linear> {
        self.least(ed, at, sum, &mut MOST_STEPS.clone())
    }

    /// The least value of the sum over the iterations in which `at` runs: a sum of values that the nest keeps.
    pub(super) fn least(&self, ed: &mut Editor<'_>, at: Stmt, mut sum: Linear, steps: &mut u32) -> Option<Linear> {
        let loops = around(ed, self.root, at);
        loop {
            *steps = steps.checked_sub(1)?;
            if sum.terms.len() > MOST_TERMS {
                return None;
            }
            let changing = |(e, _): &(Expr, i64)| !self.is_fixed(ed, *e);
            if !sum.terms.iter().any(changing) {
                return Some(sum);
            }
            if let Some((e, k, value)) = sum.terms.iter().find_map(|&(e, k)| Some((e, k, self.value_of(ed, at, e)?))) {
                sum.terms.retain(|t| t.0 != e);
                sum.add(ed, value, k);
                continue;
            }
            let variable = |l: &&DoLoop| {
                let is_it = |e: Expr| ed.expr(e) == ExprData::Var(l.var);
                sum.terms.iter().any(|&(e, _)| is_it(e)) && self.runs_by_itself(ed, l)
            };
            if let Some(l) = loops.iter().rev().find(variable).copied() {
                let k = sum.take(ed, l.var);
                match self.is_limited.get() {
                    true => self.put_limited_end(ed, at, &mut sum, l, k)?,
                    false => self.put_end(ed, &mut sum, l, k)?,
                }
                continue;
            }
            let &(e, k) = sum.terms.iter().find(|t| changing(t))?;
            sum.terms.retain(|t| t.0 != e);
            let end = self.end_of_term(ed, at, e, k > 0, steps)?;
            add_multiple(&mut sum, &end, k)?;
        }
    }

    /// Adds the value of the DO variable of `l` at which `k` times it is least, times `k`.
    fn put_end(&self, ed: &mut Editor<'_>, sum: &mut Linear, l: DoLoop, k: i64) -> Option<()> {
        if !self.keeps_bounds(ed, &l) {
            return None;
        }
        let Some(step) = l.constant_step(ed) else {
            // Whichever way it runs, all values lie between the bounds.
            let bounds = [l.lo, l.hi].map(|e| Linear::of(ed, e));
            let end = one_of(ed, if k > 0 { Intrinsic::Min } else { Intrinsic::Max }, &bounds)?;
            return add_multiple(sum, &end, k);
        };
        if (k > 0) == (step > 0) || trueline_ir::fault("uncheck_first_end") {
            sum.add(ed, l.lo, k);
            return Some(());
        }
        let mut distance = Linear::of(ed, l.hi).minus(&Linear::of(ed, l.lo));
        match distance.as_constant() {
            _ if step.abs() == 1 => sum.add(ed, l.hi, k),
            Some(d) => {
                sum.add(ed, l.lo, k);
                sum.constant = sum.constant.checked_add((d / step).max(0).checked_mul(step)?.checked_mul(k)?)?;
            }
            None => {
                // The last value is not that of the limit.
                if step < 0 {
                    distance = Linear::default().minus(&distance);
                }
                let size = step.checked_abs()?;
                let distance = distance.build(ed);
                let divisor = ed.int(Type::I8, size);
                let steps = ed.binary(BinaryOp::Div, distance, divisor);
                sum.add(ed, l.lo, k);
                sum.add(ed, steps, step.checked_mul(k)?);
            }
        }
        Some(())
    }

    /// As above, where the conditionals around `at` let through only some of the values.
    fn put_limited_end(&self, ed: &mut Editor<'_>, at: Stmt, sum: &mut Linear, l: DoLoop, k: i64) -> Option<()> {
        let is_known = |u: &Unit, e: Expr| {
            let is_variable = |o: &DoLoop| u.expr(e) == ExprData::Var(o.var) && self.runs_by_itself(u, o);
            self.is_fixed(u, e) || around(u, self.root, l.stmt).iter().any(|o| o.stmt != l.stmt && is_variable(o))
        };
        let mut ends = limits(ed, at, l, k > 0, is_known);
        if ends.is_empty() || self.region.labels {
            return self.put_end(ed, sum, l, k);
        }
        let mut end = Linear::default();
        self.put_end(ed, &mut end, l, k.signum())?;
        if k < 0 {
            end = Linear::default().minus(&end);
        }
        ends.push(end);
        // The greatest of several limits from below counts.
        let end = one_of(ed, if k > 0 { Intrinsic::Max } else { Intrinsic::Min }, &ends)?;
        add_multiple(sum, &end, k)
    }

    /// Whether the bounds of the loop are the same where it ends as where it began.
    fn keeps_bounds(&self, u: &Unit, l: &DoLoop) -> bool {
        let is_inside = |&s: &Stmt| u.ancestors(s).any(|a| a == l.stmt);
        let is_kept = |v: Sym| !self.definitions.get(&v).is_some_and(|d| d.iter().any(is_inside));
        [l.lo, l.hi, l.step].into_iter().all(|e| u.registers_in(e).into_iter().all(is_kept))
    }

    /// The least (or the greatest) value of an expression that is no sum.
    fn end_of_term(&self, ed: &mut Editor<'_>, at: Stmt, e: Expr, least: bool, steps: &mut u32) -> Option<Linear> {
        let mut end = |ed: &mut Editor<'_>, e: Expr, least: bool| {
            let sum = Linear::of(ed, e);
            if least {
                return self.least(ed, at, sum, steps);
            }
            let negative = Linear::default().minus(&sum);
            Some(Linear::default().minus(&self.least(ed, at, negative, steps)?))
        };
        let between = |least_value: i64, greatest: i64| {
            Some(Linear { constant: if least { least_value } else { greatest }, ..Linear::default() })
        };
        match ed.expr(e) {
            ExprData::Var(v) if self.is_counter(ed, v) => match self.end_of_register(ed, at, v, least, steps) {
                Some(end) => Some(end),
                None => self.end_by_flow(ed, at, v, least, steps),
            },
            ExprData::Var(v) => match self.end_by_flow(ed, at, v, least, steps) {
                Some(end) => Some(end),
                None => self.end_of_register(ed, at, v, least, steps),
            },
            // To a smaller type it may run over.
            ExprData::Convert(to, x) if is_integer(ed.ty(x)) && to.size() >= ed.ty(x).size() => end(ed, x, least),
            ExprData::Binary(BinaryOp::Div, a, b) => {
                let by = ed.pool().as_int(b).filter(|&b| b > 0)?;
                let a = end(ed, a, least)?;
                if let Some(v) = a.as_constant() {
                    return Some(Linear { constant: v / by, ..Linear::default() });
                }
                let a = a.build(ed);
                let by = ed.int(Type::I8, by);
                let quotient = ed.binary(BinaryOp::Div, a, by);
                Some(Linear::of(ed, quotient))
            }
            ExprData::Intrinsic(i, args) => {
                let args: Vec<Expr> = ed.list(args).to_vec();
                match i {
                    Intrinsic::Min | Intrinsic::Max => {
                        let ends: Option<Vec<Linear>> = args.iter().map(|&x| end(ed, x, least)).collect();
                        one_of(ed, i, &ends?)
                    }
                    Intrinsic::Merge => {
                        let ends: Option<Vec<Linear>> = args[..2].iter().map(|&x| end(ed, x, least)).collect();
                        one_of(ed, if least { Intrinsic::Min } else { Intrinsic::Max }, &ends?)
                    }
                    Intrinsic::Ichar => between(0, 255),
                    Intrinsic::Iand if let Some(bit) = self.last_bit(ed, at, &args) => between(bit, bit),
                    Intrinsic::Iand => {
                        let mask = args.iter().find_map(|&x| ed.pool().as_int(x).filter(|&m| m >= 0))?;
                        between(0, mask)
                    }
                    Intrinsic::Modulo => between(0, ed.pool().as_int(args[1]).filter(|&m| m > 0)? - 1),
                    Intrinsic::Mod => {
                        let most = ed.pool().as_int(args[1]).filter(|&m| m > 0)? - 1;
                        let positive = end(ed, args[0], true).and_then(|l| l.as_constant()).is_some_and(|v| v >= 0);
                        between(if positive { 0 } else { -most }, most)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The value of `IAND(x, 1)`, if it is known whether `x` is even.
    fn last_bit(&self, u: &Unit, at: Stmt, args: &[Expr]) -> Option<i64> {
        let &[x, mask] = args else { return None };
        let x = [(x, mask), (mask, x)].into_iter().find(|p| u.pool().as_int(p.1) == Some(1))?.0;
        let mut sum = Linear::of(u, x);
        for _ in 0..MOST_TERMS {
            let Some(&(e, k)) = sum.terms.iter().find(|t| t.1 % 2 != 0) else { return Some(sum.constant & 1) };
            let value = self.value_of(u, at, e)?;
            sum.terms.retain(|t| t.0 != e);
            sum.add(u, value, k);
        }
        None
    }

    /// The value of the register `e`, if one assignment in the nest gives it to it, before `at` in each iteration.
    fn value_of(&self, u: &Unit, at: Stmt, e: Expr) -> Option<Expr> {
        let ExprData::Var(v) = u.expr(e) else { return None };
        let [s] = self.definitions.get(&v)?[..] else { return None };
        let Head::Assign { place, value } = u.head(s) else { return None };
        if self.region.labels || place != e || u.mentions(value, v) || !is_before(u, s, at) {
            return None;
        }
        // The value is that of this iteration: its operands are fixed, DO variables of loops around both, or such registers.
        let is_kept = |w: Sym| match self.definitions.get(&w).map(Vec::as_slice) {
            None => true,
            Some(&[d]) => match u.head(d) {
                Head::Do { .. } => u.ancestors(s).any(|a| a == d),
                Head::Assign { .. } => is_before(u, d, s),
                _ => false,
            },
            Some(_) => false,
        };
        let memory_is_kept = !u.reads_memory(value) || keeps_memory(u, &self.region, value);
        (u.registers_in(value).into_iter().all(is_kept) && memory_is_kept && !u.may_trap(value)).then_some(value)
    }

    /// Whether only the head of the loop changes its variable.
    pub(super) fn runs_by_itself(&self, u: &Unit, l: &DoLoop) -> bool {
        let inside = |s: Stmt| s != l.stmt && u.ancestors(s).any(|a| a == l.stmt);
        !self.definitions.get(&l.var).is_some_and(|d| d.iter().any(|&s| inside(s)))
    }

    /// Whether `e` is the same wherever in the nest it stands, and may be evaluated before it.
    pub(super) fn is_fixed(&self, u: &Unit, e: Expr) -> bool {
        self.region.keeps_registers(u, e)
            && speculable(u, e)
            && (!u.reads_memory(e) || keeps_memory(u, &self.region, e))
    }
}

/// Whether control comes to `at` only after `s` in the same iteration of all loops around `s`.
pub(super) fn is_before(u: &Unit, s: Stmt, at: Stmt) -> bool {
    let Some(block) = u.parent(s) else { return false };
    let in_block = std::iter::once(at).chain(u.ancestors(at)).find(|&a| u.parent(a) == Some(block));
    in_block.is_some_and(|a| a != s && std::iter::successors(u.next_real(s), |&x| u.next_real(x)).any(|x| x == a))
}

/// Whether nothing in the region writes the memory that `e` reads.
pub(super) fn keeps_memory(u: &Unit, region: &Region, e: Expr) -> bool {
    let mut kept = true;
    u.visit_expr(e, &mut |x| kept &= memory_of(u, x).is_none_or(|sym| !region.may_write(u, sym)));
    kept
}

fn compare(op: BinaryOp, a: i64, b: i64) -> bool {
    match op {
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        BinaryOp::Ge => a >= b,
        BinaryOp::Eq => a == b,
        _ => a != b,
    }
}

/// Adds `k` times `end`.
pub(super) fn add_multiple(sum: &mut Linear, end: &Linear, k: i64) -> Option<()> {
    for &(term, by) in &end.terms {
        let by = by.checked_mul(k)?;
        sum.add_term(term, by);
    }
    sum.constant = sum.constant.checked_add(end.constant.checked_mul(k)?)?;
    Some(())
}

/// The least or the greatest of the sums.
pub(super) fn one_of(ed: &mut Editor<'_>, i: Intrinsic, sums: &[Linear]) -> Option<Linear> {
    if !sums.is_empty() && sums.iter().all(|l| l.as_constant().is_some()) {
        let values = sums.iter().map(|l| l.constant);
        let constant = if i == Intrinsic::Min { values.min()? } else { values.max()? };
        return Some(Linear { constant, ..Linear::default() });
    }
    if let [only] = sums {
        return Some(only.clone());
    }
    // Two at a time, as the instruction has it.
    let built: Vec<Expr> = sums.iter().map(|l| wide(ed, l)).collect();
    let all = built.into_iter().reduce(|a, b| ed.intrinsic(i, &[a, b]))?;
    Some(Linear::of(ed, all))
}

/// `sum >= 0`, with nothing subtracted that could run over: `ub - i - 1 >= 0` is `ub >= i + 1`.
fn not_negative(ed: &mut Editor<'_>, sum: &Linear) -> Expr {
    let part = |sign: i64| {
        let terms = sum.terms.iter().filter(|t| t.1.signum() == sign).map(|&(e, k)| (e, k.wrapping_abs())).collect();
        Linear { terms, constant: 0 }
    };
    let (mut greater, mut less) = (part(1), part(-1));
    match sum.constant < 0 || less.terms.is_empty() {
        true => less.constant = sum.constant.wrapping_neg(),
        false if greater.terms.is_empty() => greater.constant = sum.constant,
        false => greater.constant = sum.constant,
    }
    let [greater, less] = [greater, less].map(|l| wide(ed, &l));
    ed.binary(BinaryOp::Ge, greater, less)
}

/// The sum as an `INTEGER(8)`.
fn wide(ed: &mut Editor<'_>, sum: &Linear) -> Expr {
    let e = sum.build(ed);
    ed.widen(e)
}
