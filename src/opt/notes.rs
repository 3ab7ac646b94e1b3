//! Notes on the arguments of calls that were inlined are read where they are made, and a procedure that calls no other one needs not ask
//! whether it is running.
//!
//! ```text
//! call rt.pass(7, 0, t.1, place)        @1       t.2 = t.1                               @2<1
//! …                                              passed = t.2 / 2 - 1                    @2<1
//! t.2 = call rt.passed(7, 0)            @2<1     if passed >= 0 .and. passed / 8 < n     @2<1
//! passed = t.2 / 2 - 1                  @2<1 =>    call rt.pass(7, 0, t.1, place)        @1
//! if passed >= 0 .and. passed / 8 < n   @2<1       call rt.wrong_argument(0, …)          @2<1
//!   call rt.wrong_argument(0, …)        @2<1
//! ```
//!
//! With checks a caller tells each procedure the sizes of the arrays that it passes, just before the call. The message about an
//! argument that is too small has the place of the caller, so the note goes to the message.
//!
//! At its entry a procedure asks whether arguments are the same storage (`-fcheck=alias`). Where it was inlined, and the arguments are parts of variables that
//! are apart, they are not; so there is nothing left to note.
//!
//! The flag of a procedure that runs is set and taken back in one activation. If no other procedure is called in between,
//! none can find it set.

use crate::uncheck::check_of;
use crate::{Context, OptLevel, Pass};
use trueline_abi::Effect;
use trueline_ir::{BinaryOp, Callee, Editor, Expr, ExprData, Head, Level, Place, Rt, Stmt, Storage, Sym, Unit, Why};

/// See the module documentation.
pub const PASS: Pass = Pass {
    at: &[Level::Vh, Level::H],
    from: OptLevel::O2,
    ..Pass::new(
        "notes",
        "read notes on arguments where they are made, and omit flags of recursion that none can find set",
        run,
    )
};

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    drop_flag(ed);
    drop_overlaps(ed);
    let mut notes = Notes::default();
    let mut todo = vec![ed.body()];
    while let Some(b) = todo.pop() {
        notes.open.clear();
        for s in ed.real_stmts(b) {
            notes.look_at(ed, s);
            todo.extend(ed.blocks(s).iter().copied());
        }
        notes.end();
    }
    for (pass, passed, code) in notes.read {
        let Head::Call { result, .. } = ed.head(passed) else { continue };
        let place = ed.var(result.expect("a note is read into a register"));
        // The message that needs the note, if it is there.
        let message = message_after(ed, passed);
        ed.expand_in_place(passed, Head::Assign { place, value: code });
        match message {
            Some(message) => ed.move_to(pass, Place::Before(message)),
            None => ed.eliminate(pass, Why::Redundant),
        }
    }
    for pass in notes.unread {
        ed.eliminate(pass, Why::Dead);
    }
}

/// A note that has not been read.
struct Note {
    stmt: Stmt,
    procedure: i64,
    argument: i64,
    code: Expr,
    /// Whether the code still has the value that it had.
    is_kept: bool,
}

#[derive(Default)]
struct Notes {
    open: Vec<Note>,
    /// The procedures that have read one of the open notes, so that nobody will read the others.
    inlined: Vec<i64>,
    /// A note, the statement that reads it, and its code.
    read: Vec<(Stmt, Stmt, Expr)>,
    unread: Vec<Stmt>,
}

impl Notes {
    fn look_at(&mut self, u: &Unit, s: Stmt) {
        match u.head(s) {
            Head::Call { callee: Callee::Rt(Rt::Pass), args, .. } => {
                let args = u.list(args);
                let [Some(procedure), Some(argument)] = [args[0], args[1]].map(|e| u.pool().as_int(e)) else { return };
                // One in the same place that a procedure here did not read is not read by another one.
                self.end_some(|n| n.argument == argument);
                self.open.push(Note { stmt: s, procedure, argument, code: args[2], is_kept: true });
            }
            Head::Call { callee: Callee::Rt(Rt::Passed), args, result } => {
                let args = u.list(args);
                let [Some(procedure), Some(argument)] = [args[0], args[1]].map(|e| u.pool().as_int(e)) else { return };
                let is_it = |n: &Note| n.procedure == procedure && n.argument == argument;
                if let Some(k) = self.open.iter().position(is_it) {
                    let note = self.open.remove(k);
                    self.inlined.push(procedure);
                    if note.is_kept && result.is_some() {
                        self.read.push((note.stmt, s, note.code));
                    }
                }
                self.change(u, s);
            }
            head if u.blocks(s).is_empty() && !calls_others(u, head) => self.change(u, s),
            Head::If { .. } if check_of(u, s).is_some() => {}
            _ => self.end(),
        }
    }

    /// The registers that the statement defines have other values now.
    fn change(&mut self, u: &Unit, s: Stmt) {
        let defined = u.may_define(u.head(s));
        for note in &mut self.open {
            note.is_kept &=
                !u.registers_in(note.code).iter().any(|v| defined.contains(v)) && !u.reads_memory(note.code);
        }
    }

    fn end(&mut self) {
        self.end_some(|_| true);
        self.inlined.clear();
    }

    fn end_some(&mut self, which: impl Fn(&Note) -> bool) {
        for k in (0..self.open.len()).rev() {
            if which(&self.open[k]) {
                let note = self.open.remove(k);
                if self.inlined.contains(&note.procedure) {
                    self.unread.push(note.stmt);
                }
            }
        }
    }
}

/// Whether the statement may call a procedure, read notes, or lead elsewhere.
fn calls_others(u: &Unit, head: Head) -> bool {
    match head {
        Head::Call { callee: Callee::Rt(f), .. } => f.signature().effect != Effect::Pure && !f.is_fault(),
        Head::Call { callee: Callee::Proc(p), .. } => !u.proc(p).is_libm,
        Head::Assign { .. } => false,
        _ => true,
    }
}

/// The message about the argument whose note `passed` reads.
fn message_after(u: &Unit, passed: Stmt) -> Option<Stmt> {
    let number = |s: Stmt, wanted: Rt, k: usize| match u.head(s) {
        Head::Call { callee: Callee::Rt(f), args, .. } if f == wanted => u.pool().as_int(u.list(args)[k]),
        _ => None,
    };
    let argument = number(passed, Rt::Passed, 1)?;
    let after = std::iter::successors(u.next_real(passed), |&s| u.next_real(s));
    let near = after.take_while(|&s| number(s, Rt::Passed, 1).is_none());
    let mut inside = near.filter(|&s| check_of(u, s).is_some()).flat_map(|s| u.walk_stmt(s));
    inside.find(|&s| number(s, Rt::WrongArgument, 0) == Some(argument))
}

/// The most statements before a question in which the addresses that it compares are looked for.
const NEAR: usize = 200;

/// Answers the questions whether variables overlap that are known to be apart.
fn drop_overlaps(ed: &mut Editor<'_>) {
    for s in ed.walk() {
        let Head::If { cond } = ed.head(s) else { continue };
        let begins = |x: Stmt| matches!(ed.head(x), Head::Call { callee: Callee::Rt(Rt::AliasBegin), .. });
        if !ed.real_stmts(ed.blocks(s)[0]).any(begins) {
            continue;
        }
        let mut pairs = Vec::new();
        alternatives(ed, cond, &mut pairs);
        let all = pairs.len();
        pairs.retain(|&pair| !are_apart(ed, s, pair) && !trueline_ir::fault("notes_overlap"));
        if pairs.len() == all {
            continue;
        }
        match pairs.into_iter().reduce(|a, b| ed.binary(BinaryOp::Or, a, b)) {
            Some(cond) => ed.expand_in_place(s, Head::If { cond }),
            None => {
                let otherwise = ed.blocks(s)[1];
                ed.eliminate_head(s, Some(otherwise), Why::ConstantCondition);
            }
        }
    }
}

/// The parts of `e` of which one must hold.
fn alternatives(u: &Unit, e: Expr, out: &mut Vec<Expr>) {
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        match u.expr(e) {
            ExprData::Binary(BinaryOp::Or, a, b) => todo.extend([b, a]),
            _ => out.push(e),
        }
    }
}

/// Whether `pair`, asked at `s`, compares the places of two variables that have no storage in common: `a < end of b .and. b < end of a`.
fn are_apart(u: &Unit, s: Stmt, pair: Expr) -> bool {
    let ExprData::Binary(BinaryOp::And, left, right) = u.expr(pair) else { return false };
    let begin = |e: Expr| match u.expr(e) {
        ExprData::Binary(BinaryOp::Lt, from, _) => object_at(u, s, from),
        _ => None,
    };
    match (begin(left), begin(right)) {
        (Some(a), Some(b)) => a != b,
        _ => false,
    }
}

/// Memory that has nothing in common with other memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Object {
    Area(trueline_ir::Area),
    Frame(Sym),
}

/// The object that the address `e` at `s` is in, if a statement shortly before says so.
fn object_at(u: &Unit, s: Stmt, e: Expr) -> Option<Object> {
    let ExprData::Var(mut wanted) = u.expr(e) else { return None };
    for x in std::iter::successors(u.prev_real(s), |&x| u.prev_real(x)).take(NEAR) {
        if !u.blocks(x).is_empty() || matches!(u.head(x), Head::Label(_)) {
            return None;
        }
        if !u.may_define(u.head(x)).contains(&wanted) {
            continue;
        }
        match u.head(x) {
            Head::Assign { value, .. } => match u.expr(value) {
                ExprData::Var(v) if u.sym(v).is_register() => wanted = v,
                _ => return None,
            },
            Head::Call { callee: Callee::Rt(Rt::Address), .. } => {
                let (_, place) = u.references(u.head(x)).into_iter().next()?;
                let root = match u.expr(place) {
                    ExprData::Var(v) | ExprData::Elem(v, _) | ExprData::Section(v, _) => v,
                    _ => return None,
                };
                return match u.sym(root).storage {
                    Storage::Static { area, .. } => Some(Object::Area(area)),
                    // A register that is passed has a place of its own meanwhile.
                    Storage::Frame | Storage::Register => Some(Object::Frame(root)),
                    _ => None,
                };
            }
            _ => return None,
        }
    }
    None
}

/// Omits the flag that the procedure runs, if it calls no other one.
fn drop_flag(ed: &mut Editor<'_>) {
    let all = ed.walk();
    let calls = |&s: &Stmt| match ed.head(s) {
        Head::Call { callee: Callee::Rt(_), .. } => false,
        Head::Call { callee: Callee::Proc(p), .. } => !ed.proc(p).is_libm,
        head => matches!(head, Head::Call { .. }),
    };
    let calls_none = !all.iter().any(calls) || trueline_ir::fault("notes_flag");
    let Some(flag) = flag_of(ed).filter(|_| calls_none) else { return };
    for s in all {
        match ed.head(s) {
            Head::If { cond } if check_of(ed, s).is_some() && asks_for(ed, cond, flag) => {
                let otherwise = ed.blocks(s)[1];
                ed.eliminate_head(s, Some(otherwise), Why::ConstantCondition);
            }
            Head::Assign { place, .. } if ed.expr(place) == ExprData::Var(flag) => ed.eliminate(s, Why::Dead),
            _ => {}
        }
    }
}

/// The flag that says whether the procedure runs.
fn flag_of(u: &Unit) -> Option<Sym> {
    let name = format!("{}.running", u.symbol());
    let is_it = |storage| matches!(storage, Storage::Static { area, offset: 0 } if u.area(area).symbol == name);
    u.syms().find(|(_, data)| is_it(data.storage)).map(|(sym, _)| sym)
}

fn asks_for(u: &Unit, cond: Expr, flag: Sym) -> bool {
    let ExprData::Binary(BinaryOp::Ne, a, _) = u.expr(cond) else { return false };
    u.expr(a) == ExprData::Var(flag)
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn read_where_it_is_made() {
        check(
            &PASS,
            "
i8 t.1, t.2
call rt.pass(7, 0, t.1, &in \"p\") @1
call rt.pass(7, 1, 1, &in \"p\") @1
t.2 = call rt.passed(7, 0) @2
if t.2 < 20 @2
  call rt.wrong_argument(0, &in \"t\", 1, t.2, 20) @2
end",
            "
t.1 = t.2 @2
if t.1 < 20 @2
  call rt.pass(7, 0, t.2, &in \"p\") @1
  call rt.wrong_argument(0, &in \"t\", 1, t.1, 20) @2
end

rewrite @2
move @1
eliminate @1 (its result is never used)",
        );
    }

    #[test]
    fn variables_that_are_apart() {
        check(
            &PASS,
            "
subroutine s(x) h @0
area m_ size 80 align 8 common
area n_ size 80 align 8 common
r8 a(10) static m_+0
r8 b(10) static n_+0
r8 c(10) static m_+0
r8 x(10)
i8 t.1, t.2, t.3, t.4, t.5, t.6, t.7, t.8, aliases
i8 table(4) frame
t.1 = call rt.address(&in a(1)) @1
t.2 = t.1 + 80 @1
t.3 = call rt.address(&in b(1)) @1
t.4 = t.3 + 80 @1
t.5 = call rt.address(&in c(1)) @1
t.6 = t.5 + 80 @1
t.7 = call rt.address(&in x) @1
t.8 = t.7 + 80 @1
aliases = 0 @1
if t.1 < t.4 .and. t.3 < t.2 @2
  aliases = call rt.alias_begin(&in table, 2, 2, &in \"ab\", 2) @2
end
if t.1 < t.4 .and. t.3 < t.2 .or. t.1 < t.6 .and. t.5 < t.2 .or. t.1 < t.8 .and. t.7 < t.2 @1
  aliases = call rt.alias_begin(&in table, 2, 2, &in \"ab\", 2) @1
end",
            "
t.1 = call rt.address(&in a(1)) @1
t.2 = t.1 + 80 @1
t.3 = call rt.address(&in b(1)) @1
t.4 = t.3 + 80 @1
t.5 = call rt.address(&in c(1)) @1
t.6 = t.5 + 80 @1
t.7 = call rt.address(&in x) @1
t.8 = t.7 + 80 @1
aliases = 0 @1
if t.1 < t.6 .and. t.5 < t.2 .or. t.1 < t.8 .and. t.7 < t.2 @1
  aliases = call rt.alias_begin(&in table, 2, 2, &in \"ab\", 2) @1
end

eliminate @2 (control never reaches it)
eliminate @2 (its condition is constant)
rewrite @1",
        );
    }

    #[test]
    fn refusals() {
        // Another procedure reads it, another one is called, and a value that changes.
        unchanged(
            &PASS,
            "
i8 t.1, t.2
proc s
call rt.pass(7, 0, t.1, &in \"p\") @1
t.2 = call rt.passed(8, 0) @2
call rt.pass(7, 0, 4, &in \"p\") @1
call s() @2
t.2 = call rt.passed(7, 0) @2
call rt.pass(7, 0, t.1, &in \"p\") @1
t.1 = 3 @2
t.2 = call rt.passed(7, 0) @2",
        );
    }
}
