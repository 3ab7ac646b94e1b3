//! Lower M to L: structured control flow becomes labels and branches.
//!
//! ```text
//! do i = 1, n        @2          limit = n + 1                            @2
//!   a(i) = 0         @3          i = 1                                    @2
//! end                       =>   branch i <= n, L1, L2                    @2
//!                                L1:                                      @2
//!                                a(i) = 0                                 @3
//!                                i = i + 1                                @2
//!                                branch i /= limit, L1, L2                @2
//!                                L2:                                      @2
//! ```
//!
//! With a constant step the test is for equality with one past the last value, which wraps with the
//! variable, so that a loop up to the largest integer ends. Other loops count trips down. A loop that stands in an IF which asks
//! whether it runs does not ask again.

use crate::fold::constant::fits;
use crate::licm::surely_runs;
use crate::{Context, OptLevel, Pass};
use rustc_hash::FxHashSet;
use trueline_ir::{
    BinaryOp, Block, Editor, ExpandKind, Expr, ExprData, Head, Intrinsic, Label, Level, Place, Stmt, Sym, Type, Unit,
};

/// See the module documentation.
pub const PASS: Pass = Pass {
    at: &[Level::M],
    from: OptLevel::O0,
    lowers_to: Some(Level::L),
    ..Pass::new("lower_l", "structured control flow becomes branches (M to L)", run)
};

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    let all = ed.walk();
    for &s in all.iter().rev() {
        // A jump around an arm that only counts would be one more than in a plain build. Inner arms first: their
        // counts may be all that is left in an outer one.
        ed.flatten_counting_arms(s);
    }
    // The loops that need not ask before the first iteration.
    let is_sure = |&s: &Stmt| context.level > OptLevel::O0 && surely_runs(ed, s);
    let sure: FxHashSet<Stmt> = all.iter().copied().filter(is_sure).collect();
    // Outer statements first, so that each statement comes out of a block once, however deep it stands.
    for s in all {
        match ed.head(s) {
            Head::If { cond } => lower_if(ed, s, cond),
            Head::Do { var, lo, hi, step } => {
                lower_do(ed, s, var, [lo, hi, step], (context.level, sure.contains(&s)));
            }
            Head::DoWhile { cond } => lower_while(ed, s, cond, context.level),
            Head::Select { value, .. } => lower_select(ed, s, value, context.level),
            Head::ArithIf { value, to } => lower_arith_if(ed, s, value, to),
            _ => {}
        }
    }
    ed.lower_to(Level::L);
}

/// Emits statements that stand for `from`, before it.
struct Emit<'e, 'u> {
    ed: &'e mut Editor<'u>,
    from: Stmt,
}

impl Emit<'_, '_> {
    fn push(&mut self, head: Head) {
        self.ed.expand(self.from, head, Place::Before(self.from), ExpandKind::Lower);
    }
    fn label(&mut self, l: Label) {
        self.push(Head::Label(l));
    }
    fn goto(&mut self, l: Label) {
        self.push(Head::Goto(l));
    }
    fn branch(&mut self, cond: Expr, then: Label, otherwise: Label) {
        self.push(Head::Branch { cond, then, otherwise });
    }
    fn assign(&mut self, var: Sym, value: Expr) {
        let place = self.ed.var(var);
        self.push(Head::Assign { place, value });
    }
    /// The statements of a block of `from` come out, in place, with no change of their order.
    fn splice(&mut self, b: Block) {
        self.ed.splice_lowered(self.from, b);
    }
    fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        self.ed.binary(op, a, b)
    }
}

fn lower_if(ed: &mut Editor<'_>, s: Stmt, cond: Expr) {
    let [then, otherwise] = [ed.blocks(s)[0], ed.blocks(s)[1]];
    let has_else = ed.stmts(otherwise).next().is_some();
    let (yes, no, end) = (ed.new_label(), ed.new_label(), ed.new_label());
    let mut e = Emit { ed, from: s };
    e.branch(cond, yes, if has_else { no } else { end });
    e.label(yes);
    e.splice(then);
    if has_else {
        e.goto(end);
        e.label(no);
        e.splice(otherwise);
    }
    e.label(end);
    ed.expanded(s);
}

/// With `runs` the loop has at least one iteration.
fn lower_do(ed: &mut Editor<'_>, s: Stmt, var: Sym, [lo, hi, step]: [Expr; 3], (level, runs): (OptLevel, bool)) {
    let body = ed.blocks(s)[0];
    let ty = ed.sym(var).ty;
    let (head, end) = (ed.new_label(), ed.new_label());
    let constant = ed.pool().as_int(step).filter(|&k| k.abs() == 1 || has_past(ty, k));
    let mut e = Emit { ed, from: s };
    if let Some(k) = constant {
        let bounds = [lo, hi, step].map(|x| e.ed.widen(x));
        let trips = e.ed.trips(bounds);
        // The limit must not see the variable's new value.
        let hi = if e.ed.mentions(hi, var) {
            let kept = e.ed.new_register("last", ty);
            e.assign(kept, hi);
            e.ed.var(kept)
        } else {
            hi
        };
        let first = e.ed.new_register("first", ty);
        e.assign(first, lo);
        let (first, i) = (e.ed.var(first), e.ed.var(var));
        let down = (k < 0) != trueline_ir::fault("lower_direction");
        let enter = e.binary(if down { BinaryOp::Ge } else { BinaryOp::Le }, first, hi);
        let known = past_of_constants(e.ed, lo, hi, k, ty);
        let past = match known {
            Some(p) => e.ed.int(ty, p),
            None => {
                let last = past(&mut e, [first, hi], k);
                // Without an iteration the variable keeps its first value.
                let is_exact = runs || level == OptLevel::O0;
                let past = if is_exact { last } else { e.ed.intrinsic(Intrinsic::Merge, &[last, first, enter]) };
                let limit = e.ed.new_register("limit", ty);
                e.assign(limit, past);
                let limit = e.ed.var(limit);
                if k.abs() == 1 && level > OptLevel::O0 {
                    let [low, high] = if k > 0 { [first, limit] } else { [limit, first] };
                    let distance = e.ed.distance(low, high, e.ed.ty(low));
                    e.ed.count_by_distance(s, trips, distance);
                }
                limit
            }
        };
        e.assign(var, first);
        if !runs {
            e.branch(enter, head, end);
        }
        e.label(head);
        e.splice(body);
        let next = e.binary(BinaryOp::Add, i, step);
        e.assign(var, next);
        // A constant limit is compared directly; a test for inequality would be made one of the value before.
        let goes_on = match (known.is_some() && level > OptLevel::O0, k < 0) {
            (true, true) => BinaryOp::Gt,
            (true, false) => BinaryOp::Lt,
            (false, _) => BinaryOp::Ne,
        };
        let again = e.binary(goes_on, i, past);
        e.branch(again, head, end);
    } else {
        count_down(&mut e, var, [lo, hi, step], body, [head, end]);
    }
    e.label(end);
    ed.expanded(s);
}

/// A loop whose step is not known, or too awkward: its trips are counted down.
fn count_down(e: &mut Emit<'_, '_>, var: Sym, [lo, hi, step]: [Expr; 3], body: Block, [head, end]: [Label; 2]) {
    let ty = e.ed.sym(var).ty;
    let bounds = [lo, hi, step].map(|x| e.ed.widen(x));
    let trips = e.ed.intrinsic(Intrinsic::Trip, &bounds);
    let count = e.ed.new_register("trips", Type::I8);
    e.assign(count, trips);
    let step_value = if e.ed.pool().as_int(step).is_some() {
        step
    } else {
        let kept = e.ed.new_register("step", ty);
        e.assign(kept, step);
        e.ed.var(kept)
    };
    e.assign(var, lo);
    let (i, n) = (e.ed.var(var), e.ed.var(count));
    let (zero, one) = (e.ed.int(Type::I8, 0), e.ed.int(Type::I8, 1));
    let enter = e.binary(BinaryOp::Gt, n, zero);
    e.branch(enter, head, end);
    e.label(head);
    e.splice(body);
    let next = e.binary(BinaryOp::Add, i, step_value);
    e.assign(var, next);
    let fewer = e.binary(BinaryOp::Sub, n, one);
    e.assign(count, fewer);
    e.branch(enter, head, end);
}

/// Whether the value after the last of a loop with the constant step `k` is found without a signed division of the widest integers.
fn has_past(ty: Type, k: i64) -> bool {
    k != 0 && k.checked_abs().is_some_and(|a| fits(ty, a)) && (k.abs().count_ones() == 1 || ty != Type::I8)
}

/// One past the last value, if that is a constant of the type.
fn past_of_constants(u: &Unit, lo: Expr, hi: Expr, k: i64, ty: Type) -> Option<i64> {
    let hi = u.pool().as_int(hi)?;
    let past = if k.abs() == 1 {
        hi.checked_add(k)?
    } else {
        let lo = u.pool().as_int(lo)?;
        let distance = hi.checked_sub(lo)?;
        // A loop without iterations never comes to this value.
        lo.checked_add((distance / k).checked_add(1)?.checked_mul(k)?)?
    };
    fits(ty, past).then_some(past)
}

/// The value of the variable after the loop, wrapping: the test for equality is right even for the largest integer. Masking rounds the
/// distance between the first and the last value down to whole steps, if these are powers of two.
///
/// It is the first value of a loop without iterations, by a MERGE that nothing needs but Cranelift: that would make `i + 1 /= n + 1` into
/// `i /= n`, keep the old and the new value alive, and copy one on a back edge of its own, at an instruction and a jump an iteration. And a
/// sum with a constant it would compute in each iteration, to save a register.
fn past(e: &mut Emit<'_, '_>, [first, hi]: [Expr; 2], k: i64) -> Expr {
    let ty = e.ed.ty(first);
    let step = e.ed.int(ty, k);
    let last = if k.abs() == 1 {
        hi
    } else {
        let (from, to) = if k > 0 { (first, hi) } else { (hi, first) };
        let whole = if k.abs().count_ones() == 1 {
            let distance = e.binary(BinaryOp::Sub, to, from);
            let mask = e.ed.int(ty, -k.abs());
            e.ed.intrinsic(Intrinsic::Iand, &[distance, mask])
        } else {
            let [from, to] = [from, to].map(|x| e.ed.widen(x));
            let distance = e.binary(BinaryOp::Sub, to, from);
            let size = e.ed.int(Type::I8, k.abs());
            let trips = e.binary(BinaryOp::Div, distance, size);
            let whole = e.binary(BinaryOp::Mul, trips, size);
            e.ed.make(ExprData::Convert(ty, whole))
        };
        e.binary(if k > 0 { BinaryOp::Add } else { BinaryOp::Sub }, first, whole)
    };
    e.binary(BinaryOp::Add, last, step)
}

/// The most parts of a condition that is evaluated in two places.
const SHORT: usize = 16;

/// A loop asks at its beginning, and again at its end, where the first question jumps over it: one jump an iteration instead of two.
fn lower_while(ed: &mut Editor<'_>, s: Stmt, cond: Expr, level: OptLevel) {
    let [prepare, body] = [ed.blocks(s)[0], ed.blocks(s)[1]];
    let (head, yes, end) = (ed.new_label(), ed.new_label(), ed.new_label());
    let mut parts = 0;
    ed.visit_expr(cond, &mut |_| parts += 1);
    let asks_twice = level != OptLevel::O0 && ed.real_stmts(prepare).next().is_none() && parts <= SHORT;
    let counting: Vec<Stmt> = if asks_twice { ed.stmts(prepare).collect() } else { Vec::new() };
    let mut e = Emit { ed, from: s };
    if !asks_twice {
        e.goto(head);
        e.label(head);
    }
    e.splice(prepare);
    e.branch(cond, yes, end);
    e.label(yes);
    e.splice(body);
    if asks_twice {
        let last = e.ed.prev(s).expect("a label stands there");
        e.ed.copy_counting(&counting, last);
        e.branch(cond, yes, end);
    } else {
        e.goto(head);
    }
    e.label(end);
    ed.expanded(s);
}

/// Questions one after the other; a table if there are many. Values outside of it are asked about, or are in no range.
fn lower_select(ed: &mut Editor<'_>, s: Stmt, value: Expr, level: OptLevel) {
    let Head::Select { ranges, .. } = ed.head(s) else { return };
    let ranges = ed.list(ranges).to_vec();
    let blocks = ed.blocks(s).to_vec();
    let ty = ed.ty(value);
    let labels: Vec<Label> = blocks.iter().map(|_| ed.new_label()).collect();
    let end = ed.new_label();
    let selector = ed.new_register("selector", ty);
    let mut e = Emit { ed, from: s };
    e.assign(selector, value);
    let v = e.ed.var(selector);
    let default = labels.last().copied();
    let table = default.filter(|_| level > OptLevel::O0).and_then(|default| table(e.ed, &ranges, ty, &labels, default));
    if let Some((before, targets)) = &table {
        let before = e.ed.int(ty, *before);
        let index = e.binary(BinaryOp::Sub, v, before);
        let table = e.ed.new_jump_table(targets);
        e.push(Head::GotoTable { index, table });
    }
    let is_open = |ed: &Editor<'_>, x: Expr| ed.expr(x) == ExprData::None;
    for triple in ranges.chunks_exact(3) {
        let Some(case) = e.ed.pool().as_int(triple[0]) else { continue };
        let test = match (is_open(e.ed, triple[1]), is_open(e.ed, triple[2])) {
            (false, false) if table.is_some() => continue,
            (false, false) if triple[1] == triple[2] => e.binary(BinaryOp::Eq, v, triple[1]),
            (false, false) => {
                let above = e.binary(BinaryOp::Ge, v, triple[1]);
                let below = e.binary(BinaryOp::Le, v, triple[2]);
                e.binary(BinaryOp::And, above, below)
            }
            (false, true) => e.binary(BinaryOp::Ge, v, triple[1]),
            (true, false) => e.binary(BinaryOp::Le, v, triple[2]),
            (true, true) => e.ed.make(ExprData::Logical(Type::L4, true)),
        };
        let next = e.ed.new_label();
        e.branch(test, labels[case as usize], next);
        e.label(next);
    }
    if let Some(default) = default {
        e.goto(default);
    }
    for (&b, &l) in blocks.iter().zip(&labels) {
        e.label(l);
        e.splice(b);
        e.goto(end);
    }
    e.label(end);
    ed.expanded(s);
}

/// The fewest ranges that are found by a table: fewer questions are answered sooner.
const FEWEST_IN_TABLE: usize = 8;
/// The most entries of a table for each range.
const ENTRIES_A_RANGE: i64 = 8;

/// The targets for consecutive values, and the value before the first of them, if the ranges with two ends are many and close together.
/// A range with one end has no value between others.
fn table(u: &Unit, ranges: &[Expr], ty: Type, labels: &[Label], default: Label) -> Option<(i64, Vec<Label>)> {
    if !matches!(ty, Type::I1 | Type::I2 | Type::I4 | Type::I8) {
        return None;
    }
    let is_closed = |t: &&[Expr]| t[1..].iter().all(|&x| u.expr(x) != ExprData::None);
    let all = |t: &[Expr]| Some([u.pool().as_int(t[0])?, u.pool().as_int(t[1])?, u.pool().as_int(t[2])?]);
    let closed: Option<Vec<[i64; 3]>> = ranges.chunks_exact(3).filter(is_closed).map(all).collect();
    let closed: Vec<[i64; 3]> = closed?.into_iter().filter(|[_, low, high]| low <= high).collect();
    let (first, last) = (closed.iter().map(|c| c[1]).min()?, closed.iter().map(|c| c[2]).max()?);
    let before = first.checked_sub(1).filter(|&n| fits(ty, n))?;
    let size = last.checked_sub(before).filter(|&n| fits(ty, n))?;
    if closed.len() < FEWEST_IN_TABLE || size > ENTRIES_A_RANGE.checked_mul(closed.len() as i64)? {
        return None;
    }
    let mut out = vec![default; size as usize];
    for [case, low, high] in closed {
        out[(low - first) as usize..=(high - first) as usize].fill(labels[case as usize]);
    }
    Some((before, out))
}

fn lower_arith_if(ed: &mut Editor<'_>, s: Stmt, value: Expr, to: [Label; 3]) {
    let ty = ed.ty(value);
    let kept = ed.new_register("arith", ty);
    let zero = match ty {
        ty if ty.is_real() => ed.make(ExprData::real(ty, 0.0)),
        _ => ed.int(ty, 0),
    };
    let next = ed.new_label();
    let mut e = Emit { ed, from: s };
    e.assign(kept, value);
    let v = e.ed.var(kept);
    let negative = e.binary(BinaryOp::Lt, v, zero);
    e.branch(negative, to[0], next);
    e.label(next);
    let equal = e.binary(BinaryOp::Eq, v, zero);
    e.branch(equal, to[1], to[2]);
    ed.expanded(s);
}
