//! Counted loops in other forms become DO loops, on which the loop passes work.
//!
//! ```text
//! i = 1                  @1      i = 1                     @1
//! L1:                            do i = 1, n               @3
//!   a(i) = 0.0           @2  =>    a(i) = 0.0              @2
//!   i = i + 1            @3      end
//! if i <= n              @4
//!   goto L1              @5
//! ```
//!
//! The forms are DO WHILE, DO with an EXIT, and GOTO; the test is at the beginning (before or after the variable
//! advances), or at the end, so that there is always one iteration. A loop of the source keeps its place and set. The
//! DO of a GOTO loop gets the set of the assignment that advances its variable, for no source statement is around the
//! repeated statements. The IF goes, and its counts stay.
//!
//! Checks (`-fcheck`) and notes on storage with two names stand before the statement that they belong to, so they may stand before the test; then they are
//! made once more behind the loop, as the test that ends it was. Before a test at the end other assignments may stand, too.
//!
//! The variable must be a register that nothing else in the loop changes, its step a constant, the limit fixed. Other jumps out of
//! the loop stay: a DO variable is defined there, too.

#[cfg(test)]
mod tests;

use crate::alias::memory_of;
use crate::analysis::refs::Region;
use crate::fold::constant::fits;
use crate::linear::is_integer;
use crate::uncheck::check_of;
use crate::{Context, OptLevel, Pass};
use trueline_ir::{
    BinaryOp, Block, Editor, ExpandKind, Expr, ExprData, Head, Intrinsic, Label, Place, Stmt, Sym, Type, UnaryOp, Unit,
    Why,
};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O2,
    ..Pass::new("structure", "counted loops written with GOTO or DO WHILE become DO loops", run)
};

/// Loops with more statements are left alone: to look for jumps into them takes time.
const MOST: usize = 5000;
/// The most statements between the test and the assignment that advances the variable.
const MOST_CHECKS: usize = 64;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    // Inner loops come first: they begin last.
    for s in ed.walk().into_iter().rev() {
        if ed.parent(s).is_none() {
            continue;
        }
        if let Some(found) = find(ed, s) {
            rebuild(ed, &found);
        }
    }
}

/// The form of a loop in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// DO WHILE, with the question in its head.
    While,
    /// DO without limits, and an EXIT.
    Endless,
    /// A label and a jump to it.
    Jump,
}

/// The place of the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asks {
    /// Before anything else.
    First,
    /// At once after the variable advances, which is done first.
    Advanced,
    /// At the end, after the variable advances.
    Last,
}

/// A loop that counts.
struct Found {
    form: Form,
    asks: Asks,
    /// The DO WHILE, or the label.
    head: Stmt,
    /// The first and last repeated statement, in one block; in a loop with a label, `first` follows the label.
    first: Stmt,
    last: Stmt,
    /// The IF that leaves the loop or jumps back, if there is one.
    test: Option<Stmt>,
    /// The checks before the test, which are made once more than the statements behind it.
    checks: Vec<Stmt>,
    advance: Stmt,
    var: Sym,
    step: i64,
    limit: Limit,
    /// The first value, if it is a constant.
    begin: Option<i64>,
}

/// The loop goes on as long as the variable is on this side of `value`.
#[derive(Clone, Copy)]
struct Limit {
    value: Expr,
    /// Whether it may be equal.
    inclusive: bool,
}

/// The loop that begins at `s`.
fn find(u: &Unit, s: Stmt) -> Option<Found> {
    match u.head(s) {
        Head::DoWhile { cond } => {
            let [asks, body] = [u.blocks(s)[0], u.blocks(s)[1]];
            let checks: Vec<Stmt> = u.real_stmts(asks).collect();
            if !checks.iter().all(|&x| is_check(u, x)) {
                return None;
            }
            let (first, last) = (u.real_stmts(body).next()?, u.real_stmts(body).next_back()?);
            if matches!(u.expr(cond), ExprData::Logical(_, true)) {
                return tested(u, s, Form::Endless, first, last).filter(|_| checks.is_empty());
            }
            let found = counted(u, Form::While, Asks::First, s, [first, last], None, last, cond)?;
            Some(Found { checks, ..found }).filter(|f| is_sound(u, f, None))
        }
        Head::Label(l) => {
            let first = u.next_real(s)?;
            let back = jump_back(u, first, l)?;
            match u.head(back) {
                // At its end.
                Head::If { cond } => {
                    let advance = advance_before(u, back, cond)?;
                    let found = counted(u, Form::Jump, Asks::Last, s, [first, back], Some(back), advance, cond)?;
                    Some(found).filter(|f| is_sound(u, f, Some(l)))
                }
                _ => tested(u, s, Form::Jump, first, back),
            }
        }
        _ => None,
    }
}

/// The loop between `first` and `last`, which an IF at its beginning leaves.
fn tested(u: &Unit, head: Stmt, form: Form, first: Stmt, last: Stmt) -> Option<Found> {
    let label = match u.head(head) {
        Head::Label(l) => Some(l),
        _ => None,
    };
    // The end of the last iteration; for a loop with a label, the place before the jump back.
    let end = if form == Form::Jump { u.prev_real(last)? } else { last };
    let made = |asks, test, checks: &[Stmt], advance| {
        let (cond, _) = exit_of(u, test)?;
        let found = counted_until(u, form, asks, head, [first, last], test, advance, cond)?;
        Some(Found { checks: checks.to_vec(), ..found }).filter(|f| is_sound(u, f, label))
    };
    let (checks, test) = checks_before(u, first, last)?;
    if test != end
        && let Some(found) = made(Asks::First, test, &checks, end)
    {
        return Some(found);
    }
    if !checks.is_empty() || first == last {
        return None;
    }
    let (checks, test) = checks_before(u, u.next_real(first)?, last)?;
    made(Asks::Advanced, test, &checks, first)
}

/// The checks from `s` on, and the statement behind them, no later than `last`.
fn checks_before(u: &Unit, s: Stmt, last: Stmt) -> Option<(Vec<Stmt>, Stmt)> {
    let mut checks = Vec::new();
    let mut at = s;
    while is_check(u, at) {
        checks.push(at);
        at = u.next_real(at).filter(|_| at != last && checks.len() < MOST_CHECKS)?;
    }
    Some((checks, at))
}

/// Whether the statement is a check, or a note on storage with two names, in which nothing jumps.
fn is_check(u: &Unit, s: Stmt) -> bool {
    let stays = |x: Stmt| !u.head(x).is_jump() && !matches!(u.head(x), Head::Label(_) | Head::GotoTable { .. });
    check_of(u, s).is_some() && u.walk_stmt(s).into_iter().all(stays)
}

/// The assignment before `test` that advances a variable which `cond` compares, with nothing but assignments and checks in between.
fn advance_before(u: &Unit, test: Stmt, cond: Expr) -> Option<Stmt> {
    let (_, a, b) = comparison(u, cond)?;
    for s in std::iter::successors(u.prev_real(test), |&x| u.prev_real(x)).take(MOST_CHECKS) {
        if let Some((var, _)) = step_of(u, s)
            && [a, b].iter().any(|&e| u.expr(e) == ExprData::Var(var))
        {
            return Some(s);
        }
        if !matches!(u.head(s), Head::Assign { .. }) && !is_check(u, s) {
            return None;
        }
    }
    None
}

/// The condition and the jump of an IF that does nothing but leave.
fn exit_of(u: &Unit, s: Stmt) -> Option<(Expr, Stmt)> {
    let Head::If { cond } = u.head(s) else { return None };
    let jump = only(u, u.blocks(s)[0])?;
    let is_exit = matches!(u.head(jump), Head::Goto(_)) && u.real_stmts(u.blocks(s)[1]).next().is_none();
    is_exit.then_some((cond, jump))
}

fn only(u: &Unit, b: Block) -> Option<Stmt> {
    crate::analysis::loops::only(u, b)
}

/// The last of the statements from `first` on in its block that jumps to `l`, as GOTO or as all that an IF does.
fn jump_back(u: &Unit, first: Stmt, l: Label) -> Option<Stmt> {
    let mut back = None;
    for s in std::iter::successors(Some(first), |&x| u.next_real(x)).take(MOST) {
        let jumps = match u.head(s) {
            Head::Goto(to) => to == l,
            Head::If { .. } => exit_of(u, s).is_some_and(|(_, jump)| u.head(jump) == Head::Goto(l)),
            _ => false,
        };
        if jumps {
            back = Some(s);
        }
    }
    back.filter(|&b| b != first)
}

/// The loop that goes on until `cond` holds.
#[allow(clippy::too_many_arguments, reason = "the parts of a loop")]
fn counted_until(
    u: &Unit,
    form: Form,
    asks: Asks,
    head: Stmt,
    ends: [Stmt; 2],
    test: Stmt,
    advance: Stmt,
    cond: Expr,
) -> Option<Found> {
    let (op, a, b) = comparison(u, cond)?;
    with(u, form, asks, head, ends, Some(test), advance, (negated(op)?, a, b))
}

/// The loop that goes on while `cond` holds.
#[allow(clippy::too_many_arguments, reason = "the parts of a loop")]
fn counted(
    u: &Unit,
    form: Form,
    asks: Asks,
    head: Stmt,
    ends: [Stmt; 2],
    test: Option<Stmt>,
    advance: Stmt,
    cond: Expr,
) -> Option<Found> {
    with(u, form, asks, head, ends, test, advance, comparison(u, cond)?)
}

#[allow(clippy::too_many_arguments, reason = "the parts of a loop")]
fn with(
    u: &Unit,
    form: Form,
    asks: Asks,
    head: Stmt,
    [first, last]: [Stmt; 2],
    test: Option<Stmt>,
    advance: Stmt,
    (op, a, b): (BinaryOp, Expr, Expr),
) -> Option<Found> {
    let (var, step) = step_of(u, advance)?;
    let is_var = |e: Expr| u.expr(e) == ExprData::Var(var);
    let (op, value) = match (is_var(a), is_var(b)) {
        (true, false) => (op, b),
        (false, true) => (op.mirrored()?, a),
        _ => return None,
    };
    let inclusive = match (op, step > 0) {
        (BinaryOp::Le, true) | (BinaryOp::Ge, false) => true,
        (BinaryOp::Lt, true) | (BinaryOp::Gt, false) => false,
        _ => return None,
    };
    let inside = |v: i64, by: i64| v.checked_add(by).is_some_and(|v| fits(u.sym(var).ty, v));
    let begin = first_value(u, head, var).filter(|&v| inside(v, step) && inside(v, -step.signum()));
    Some(Found {
        form,
        asks,
        head,
        first,
        last,
        test,
        checks: Vec::new(),
        advance,
        var,
        step,
        limit: Limit { value, inclusive },
        begin,
    })
}

/// A comparison, also one that is denied.
fn comparison(u: &Unit, cond: Expr) -> Option<(BinaryOp, Expr, Expr)> {
    match u.expr(cond) {
        ExprData::Binary(op, a, b) if is_integer(u.ty(a)) => Some((op, a, b)),
        ExprData::Unary(UnaryOp::Not, x) => match u.expr(x) {
            ExprData::Binary(op, a, b) if is_integer(u.ty(a)) => Some((negated(op)?, a, b)),
            _ => None,
        },
        _ => None,
    }
}

fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        _ => return None,
    })
}

/// The register that `s` advances, and by how much.
pub(crate) fn step_of(u: &Unit, s: Stmt) -> Option<(Sym, i64)> {
    let Head::Assign { place, value } = u.head(s) else { return None };
    let ExprData::Var(var) = u.expr(place) else { return None };
    let step = match u.expr(value) {
        ExprData::Binary(BinaryOp::Add, a, b) if a == place => u.pool().as_int(b)?,
        ExprData::Binary(BinaryOp::Add, a, b) if b == place => u.pool().as_int(a)?,
        ExprData::Binary(BinaryOp::Sub, a, b) if a == place => u.pool().as_int(b)?.checked_neg()?,
        _ => return None,
    };
    let plain = u.sym(var).is_register() && is_integer(u.sym(var).ty) && step != 0 && step.abs() < 1 << 20;
    plain.then_some((var, step))
}

/// The constant that `var` has before `s`, if the last assignment to it in the block gives it one.
fn first_value(u: &Unit, s: Stmt, var: Sym) -> Option<i64> {
    for x in std::iter::successors(u.prev_real(s), |&x| u.prev_real(x)).take(64) {
        if matches!(u.head(x), Head::Label(_)) {
            return None;
        }
        if u.walk_stmt(x).into_iter().any(|y| u.may_define(u.head(y)).contains(&var)) {
            let Head::Assign { value, .. } = u.head(x) else { return None };
            return u.pool().as_int(value);
        }
    }
    None
}

/// Whether the loop is one: nothing else changes its variable or its limit, nothing jumps to its begin or into it.
fn is_sound(u: &Unit, f: &Found, label: Option<Label>) -> bool {
    let all: Vec<Stmt> =
        std::iter::successors(Some(f.first), |&x| u.next_real(x).filter(|_| x != f.last)).take(MOST).collect();
    if all.last() != Some(&f.last) || (f.asks == Asks::Last && Some(f.advance) == f.test) {
        return false;
    }
    let mut region = Region::default();
    let mut inside = Vec::new();
    let apart = f.checks.iter().filter(|x| !all.contains(x));
    for &s in all.iter().chain(apart).filter(|&&s| s != f.advance) {
        for x in u.walk_stmt(s) {
            region.add(u, x);
            inside.push(x);
        }
    }
    let limit = f.limit.value;
    let mut memory = Vec::new();
    u.visit_expr(limit, &mut |e| memory.extend(memory_of(u, e)));
    let fixed = region.keeps_registers(u, limit)
        && !u.mentions(limit, f.var)
        && !memory.iter().any(|&m| region.may_write(u, m))
        && (memory.is_empty() || !u.reads_memory(limit) || matches!(u.expr(limit), ExprData::Var(_)))
        && !u.may_trap(limit)
        && u.ty(limit) == u.sym(f.var).ty;
    let exclusive = f.limit.inclusive
        || f.begin.is_some()
        || u.pool().as_int(limit).is_some_and(|v| v.checked_sub(f.step.signum()).is_some_and(|v| fits(u.ty(limit), v)));
    // Labels in the loop are targets of jumps in it alone, that at its beginning of the one that repeats it.
    let own: Vec<Label> = inside
        .iter()
        .filter_map(|&x| match u.head(x) {
            Head::Label(l) => Some(l),
            _ => None,
        })
        .collect();
    let jumps = |to: &dyn Fn(Label) -> bool, among: &[Stmt]| {
        among.iter().filter(|&&x| u.targets(u.head(x)).iter().any(|&l| to(l))).count()
    };
    let everything = u.walk();
    let begin = label.is_none_or(|l| jumps(&|to| to == l, &everything) == 1);
    let entered =
        own.is_empty() || jumps(&|to| own.contains(&to), &everything) == jumps(&|to| own.contains(&to), &inside);
    // An argument that is absent is not read before the loop if the loop may be left before it is read there.
    let left = inside.iter().filter(|&&x| u.head(x).is_jump()).count() > 1;
    let read = !(u.reads_memory(limit) && f.asks == Asks::Last && left);
    !region.defined.contains(&f.var) && read && fixed && exclusive && begin && entered
}

/// Writes the loop as DO.
fn rebuild(ed: &mut Editor<'_>, f: &Found) {
    let ty = ed.sym(f.var).ty;
    let (lo, hi, limit) = bounds(ed, f, ty);
    let step = ed.int(ty, f.step);
    let head = Head::Do { var: f.var, lo, hi, step };
    let s = if f.form == Form::Jump {
        let s = ed.expand(f.advance, head, Place::Before(f.head), ExpandKind::Lower);
        let inside = ed.next(f.head).expect("the loop has a body");
        ed.enclose_lowered(s, inside, f.last);
        s
    } else {
        f.head
    };
    let asking = if f.form == Form::Jump { vec![] } else { ed.expand_while(s, head) };
    let (other_side, by) = match f.asks {
        Asks::Advanced => (neighbours(ed, f.advance, &Unit::prev), f.step.wrapping_neg()),
        _ => (neighbours(ed, f.advance, &Unit::next), f.step),
    };
    let (var, by) = (ed.var(f.var), ed.int(ty, by));
    let instead = ed.binary(BinaryOp::Add, var, by);
    let before = f.test.filter(|_| f.asks != Asks::Last).map(|t| neighbours(ed, t, &Unit::prev));
    let is_asked = |x: &Stmt| ed.head(*x).is_invisible() || f.checks.contains(x);
    let asked: Vec<Stmt> = before.map_or(asking, |b| b.into_iter().rev().filter(is_asked).collect());
    ed.merge_step(s, f.advance, &other_side, f.var, instead);
    let after = copy_questions(ed, s, &asked);
    match f.test {
        Some(test) if f.asks == Asks::Last => drop_last_question(ed, f, test, limit),
        Some(test) => {
            let copy = ed.expand_copy(test, Place::After(after), &[], ExpandKind::Partition);
            let [leaves, goes_on] = [ed.blocks(copy)[0], ed.blocks(test)[1]];
            ed.eliminate_head(copy, Some(leaves), Why::Limit);
            ed.eliminate_head(test, Some(goes_on), Why::Limit);
        }
        None => {}
    }
    if f.form == Form::Jump {
        if matches!(ed.head(f.last), Head::Goto(_)) {
            ed.eliminate(f.last, Why::Limit);
        }
        ed.eliminate(f.head, Why::Redundant);
    }
}

/// Copies counting and checks out of the loop `s`, behind it: for the question that ends the loop. Returns the last statement that was made, or `s`.
fn copy_questions(ed: &mut Editor<'_>, s: Stmt, asked: &[Stmt]) -> Stmt {
    let mut after = s;
    for &x in asked {
        if ed.head(x).is_invisible() {
            after = ed.copy_counting(&[x], after);
        } else if !trueline_ir::fault("structure_check") {
            after = ed.expand_copy(x, Place::After(after), &[], ExpandKind::Partition);
        }
    }
    after
}

/// Removes the IF that jumps back: the DO repeats by itself. The counts of the IF stay.
fn drop_last_question(ed: &mut Editor<'_>, f: &Found, test: Stmt, limit: Expr) {
    let head = ed.head(test);
    let head = ed.map_head(head, &mut |_, e| (e == f.limit.value).then_some(limit));
    ed.expand_in_place(test, head);
    let (_, jump) = exit_of(ed, test).expect("it was found to be one");
    ed.eliminate(jump, Why::Limit);
    ed.eliminate(test, Why::Limit);
}

/// The statements on one side of `s` in its block.
fn neighbours(u: &Unit, s: Stmt, next: &dyn Fn(&Unit, Stmt) -> Option<Stmt>) -> Vec<Stmt> {
    let all = std::iter::successors(next(u, s), |&x| next(u, x));
    all.collect()
}

/// The first and last value of the DO variable, and the limit as a value that does not change.
fn bounds(ed: &mut Editor<'_>, f: &Found, ty: Type) -> (Expr, Expr, Expr) {
    let ahead = if f.asks == Asks::Advanced { f.step } else { 0 };
    let lo = match f.begin {
        Some(v) => ed.int(ty, v + ahead),
        None => {
            let (var, ahead) = (ed.var(f.var), ed.int(ty, ahead));
            let value = if f.asks == Asks::Advanced { ed.binary(BinaryOp::Add, var, ahead) } else { var };
            define(ed, f, "first", ty, value)
        }
    };
    let value = f.limit.value;
    let limit =
        if ed.reads_memory(value) || !ed.is_loop_bound(value) { define(ed, f, "limit", ty, value) } else { value };
    let mut hi = limit;
    if !f.limit.inclusive {
        hi = match ed.pool().as_int(limit) {
            Some(v) if fits(ty, v - f.step.signum()) => ed.int(ty, v - f.step.signum()),
            _ => {
                // The outermost value of the type stays as it is: subtracting would wrap, and no first value is beyond it.
                let outermost = if f.step > 0 { -largest(ty) } else { largest(ty) - 1 };
                let (outermost, one) = (ed.int(ty, outermost), ed.int(ty, f.step.signum()));
                let kept = ed.intrinsic(if f.step > 0 { Intrinsic::Max } else { Intrinsic::Min }, &[hi, outermost]);
                ed.binary(BinaryOp::Sub, kept, one)
            }
        };
    }
    if f.asks == Asks::Last && !trueline_ir::fault("structure_once") {
        hi = ed.intrinsic(if f.step > 0 { Intrinsic::Max } else { Intrinsic::Min }, &[lo, hi]);
    }
    (lo, hi, limit)
}

fn largest(ty: Type) -> i64 {
    i64::MAX >> (64 - 8 * ty.size())
}

fn define(ed: &mut Editor<'_>, f: &Found, name: &str, ty: Type, value: Expr) -> Expr {
    let register = ed.new_register(name, ty);
    let place = ed.var(register);
    ed.expand(f.advance, Head::Assign { place, value }, Place::Before(f.head), ExpandKind::Lower);
    place
}
