//! Faults in promises of the verbs to any caller that no pass of today relies on: their witnesses are made with the
//! verbs themselves.

use crate::oracle;
use trueline_ir::{
    BinaryOp, Editor, Head, Level, Options, Place, Program, Stmt, Type, Why, interpret, parse_program, set_fault,
    verify,
};
use trueline_provenance::Serial;

/// The count of the loop depends on line 3.
const SOURCE: &str = "\
program p
  integer :: i, k, c
  k = 5
  do i = 1, k
    if (k > 3) then
      c = 1
    end if
  end do
  c = 3
  print *, c
end program
";
/// The lines of the definition, the loop, the conditional, and the last assignment.
const LINES: [u32; 4] = [3, 4, 5, 9];

/// Line 4 stores the value that line 5 reads, on which the count of the loop depends.
const STORED: &str = "\
program p
  integer :: i, k, c, a(4)
  common /s/ a
  a(2) = 5
  k = a(2)
  do i = 1, k
    c = 1
  end do
  c = 5
  print *, c
end program
";
/// The lines of the store, the definition, the loop, and the last assignment.
const STORED_LINES: [u32; 4] = [4, 5, 6, 9];

/// The last iteration stores beyond the array.
const CHECKED: &str = "\
program p
  integer :: i, a(4)
  do i = 1, 5
    a(i) = i
  end do
  print *, a
end program
";

/// A counter that leaves an array, and an index that does so in the second arm.
const COUNTED: &str = "\
program p
  integer :: i, k, a(4)
  k = 0
  do i = 1, 5
    k = k + 1
    a(k) = i
  end do
  print *, a
end program
";
const IN_ARMS: &str = "\
program p
  integer :: i, a(4)
  do i = 1, 5
    if (i < 3) then
      a(i) = i
    else
      a(i) = -i
    end if
  end do
  print *, a
end program
";

/// An index that one arm gives another value.
const BEHIND_ARM: &str = "\
program p
  integer :: i, k, a(4)
  do i = 1, 5
    k = i
    if (i == 2) k = 1
    a(k) = i
  end do
  print *, a
end program
";

/// The second operand of a condition has a check of its own, and decides once.
const OPERANDS: &str = "\
program p
  integer :: i, n, a(4), b(4)
  a = 1
  b = 1
  b(3) = 2
  n = 0
  do i = 1, 4
    if (a(i) > 1 .or. b(i) > 1) n = n + 1
  end do
  if (n == 1) stop 3
end program
";

/// A procedure that asks for room on the stack, and then for its argument.
const ROOM: &str = "function f(n) result r h @0 symbol f_\ni4 n value\ni4 r, x\ni8 t\nproc f_ name f result i4 returns\n\
t = call rt.stack_left() @0\nif n > 9 @1\n  call rt.fault_of_four(&in \"t\", 0, 0, 0, 0) @1\nend\n\
r = n @2\nif n > 1 @3\n  x = call f_(n - 1) @4\n  r = x + n @4\nend\nreturn @0";

/// Elements of which only the first has a mark.
const MARKED: &str = "program p h @0\ni1 m(9) frame\nr8 a(9) frame, s\ni4 i, n, state\nn = 9 @1\nstate = 2 @1\n\
do i = 1, 9 @2\n  m(i) = 0 @2\n  a(i) = 0.0 @2\nend\nm(1) = 1 @3\ns = 0.0 @3\ndo i = 1, n @4\n  if state == 2 @5\n    \
if m(i) == 0 @5\n      call rt.fault_of_four(&in \"t\", 0, 0, 0, 0) @5\n    end\n  end\n  s = s + a(i) @5\nend\na(1) = s @6\nreturn @0";

/// A test that is made once and has an operand out of its range.
const ASKED: &str = "\
program p
  integer :: i, m
  i = 1
  m = 100
  do while (i <= ishft(4, m))
    i = i + 1
  end do
  print *, i
end program
";

const RECURSIVE: &str = "\
program p
  call first(3)
end program
subroutine first(n)
  integer, intent(in) :: n
  print *, n
  if (n > 0) call second(n - 1)
end subroutine
subroutine second(n)
  integer, intent(in) :: n
  call first(n)
end subroutine
";

/// A unit in its last form, at L.
const LAST: &str = "program p l\nr8 a(3)\nstore(a, addr(a), 8) = load_r8(a, addr(a)) + 1.0 @2\nreturn @3";

/// The element behind a vector with the same value in both lanes.
const VECTOR: &str = "program p h\ni8 i\nr8 a(9) frame, x\ni = 2 @1\nwide_r8x2(a(i)) = r8x2(0.5) @2\nx = a(i + 2) @3\na(1) = x @4\nreturn @5";

/// An argument that may be the variable of COMMON.
const OVERLAP: &str = "subroutine s(x) h @0\narea m_ size 80 align 8 common\nr8 a(10) static m_+0\nr8 x(10)\ni8 t, u, n\ni8 table(4) frame\n\
t = call rt.address(&in a(1)) @1\nu = call rt.address(&in x) @1\nn = 0 @1\nif t < u + 80 .and. u < t + 80 @1\n  \
n = call rt.alias_begin(&in table, 2, 2, &in \"ab\", 2) @1\nend\nreturn @2";

/// The mistakes in the result of a witness.
type Judged = Result<(), String>;

/// The faults, and the judgements that must be right without them and wrong with them.
const WITNESSES: &[(&str, fn() -> Judged)] = &[
    ("null_without_reason", null_has_a_reason),
    ("rewrite_without_ghost", rewritten_definitions_are_kept),
    ("rewrite_without_store", rewritten_stores_are_kept),
    ("move_keeps_counts_inside", counts_stay_where_they_are),
    ("uncheck_first_end", checks_that_fail_stay),
    ("uncheck_counter_once", checks_of_counters_stay),
    ("uncheck_other_arm", checks_in_arms_stay),
    ("uncheck_one_arm", checks_behind_arms_stay),
    ("uncheck_joined", operands_are_joined),
    ("uncheck_first_mark", marks_of_all_are_asked_for),
    ("inline_without_check", checks_of_copies_stay),
    ("structure_check", checks_of_tests_stay),
    ("notes_flag", flags_of_recursion_stay),
    ("notes_overlap", questions_of_overlap_stay),
    ("compact_value", compact_units_are_the_same),
    ("cse_lane", elements_behind_a_vector_are_read),
    ("cut_entry", crate::stretches::cut_units_are_the_same),
    ("cut_end", crate::stretches::cut_units_are_the_same),
];

/// The effect of the fault `name`, if its witness is here.
///
/// # Errors
/// If something is wrong without the fault.
pub fn replay(name: &str) -> Option<Result<Option<String>, String>> {
    let (_, judge) = WITNESSES.iter().find(|(n, _)| *n == name)?;
    set_fault(None);
    if let Err(e) = judge() {
        return Some(Err(format!("without the fault: {e}")));
    }
    set_fault(Some(name));
    let shown = judge().err();
    set_fault(None);
    Some(Ok(shown))
}

/// A statement without a source statement says why it is there: rule 10 of the verifier.
fn null_has_a_reason() -> Judged {
    let mut program = oracle::load(SOURCE)?;
    let unit = &mut program.units[0];
    let mut ed = Editor::open(unit, "by hand");
    let register = ed.new_register("t", Type::I4);
    let (place, one) = (ed.var(register), ed.int(Type::I4, 1));
    let value = ed.binary(BinaryOp::Add, one, one);
    let body = ed.body();
    ed.null(Head::Assign { place, value }, Place::Start(body), Why::Temporary);
    match verify(unit).first() {
        None => Ok(()),
        Some(v) => Err(v.to_string()),
    }
}

/// `k = 5` becomes `c = 3` when the loop that ran to `k` is gone: its tally still needs the 5.
fn rewritten_definitions_are_kept() -> Judged {
    same_counts(SOURCE, LINES, |ed, [definition, header, _, last]| {
        ed.eliminate(header, Why::Dead);
        let head = ed.head(last);
        ed.expand_in_place(definition, head);
    })
}

/// `a(2) = 5` becomes `c = 5` when the loop that ran to `a(2)` is gone: its tally still needs the 5.
fn rewritten_stores_are_kept() -> Judged {
    same_counts(STORED, STORED_LINES, |ed, [store, definition, header, last]| {
        ed.eliminate(header, Why::Dead);
        ed.eliminate(definition, Why::Dead);
        let head = ed.head(last);
        ed.expand_in_place(store, head);
    })
}

/// The conditional, whose value is the same each time, leaves the loop: it is still counted in each iteration.
fn counts_stay_where_they_are() -> Judged {
    same_counts(SOURCE, LINES, |ed, [_, header, conditional, _]| ed.move_to(conditional, Place::Before(header)))
}

/// The last iteration leaves the bounds of the array: the message comes with and without the pass that takes checks out of loops.
fn checks_that_fail_stay() -> Judged {
    told_with_and_without(CHECKED, UNCHECK)
}

/// The same of a counter.
fn checks_of_counters_stay() -> Judged {
    told_with_and_without(COUNTED, UNCHECK)
}

/// The same in the second arm of a conditional.
fn checks_in_arms_stay() -> Judged {
    told_with_and_without(IN_ARMS, UNCHECK)
}

/// The same behind a conditional with one arm.
fn checks_behind_arms_stay() -> Judged {
    told_with_and_without(BEHIND_ARM, UNCHECK)
}

/// Operands whose checks are gone are joined again.
fn operands_are_joined() -> Judged {
    told_with_and_without(OPERANDS, UNCHECK)
}

/// The second element has no mark: the message comes with and without the pass that takes checks out of loops.
fn marks_of_all_are_asked_for() -> Judged {
    let mut program = parse_program(MARKED)?;
    let end = |p: &Program| interpret(p, &Options::default()).map_err(|e| e.to_string()).map(|run| run.stop);
    let before = end(&program)?;
    let context = trueline_opt::Context::alone(trueline_opt::OptLevel::O3);
    (trueline_opt::uncheck::PASS.run)(&mut Editor::open(&mut program.units[0], "uncheck"), &context);
    let after = end(&program)?;
    if before.is_some() && before == after { Ok(()) } else { Err(format!("{after:?}, not {before:?}")) }
}

/// A procedure whose arguments are checked makes the checks in each copy, if it is inlined into itself.
fn checks_of_copies_stay() -> Judged {
    let mut unit = parse_program(ROOM)?.units.remove(0);
    let context = trueline_opt::Context::alone(trueline_opt::OptLevel::O3);
    (trueline_opt::inline::PASS.run)(&mut Editor::open(&mut unit, "inline"), &context);
    let after = unit.to_string();
    let [checks, copies] = ["rt.fault", "> 1"].map(|text| after.matches(text).count());
    if checks == copies { Ok(()) } else { Err(format!("{copies} copies, {checks} checks: {after}")) }
}

/// A loop without an iteration asks once: the message comes with and without the pass that makes a DO loop of it.
fn checks_of_tests_stay() -> Judged {
    told_with_and_without(ASKED, &["structure"])
}

/// A procedure is entered again by way of another one: the message comes with and without the pass that omits flags of recursion.
fn flags_of_recursion_stay() -> Judged {
    told_with_and_without(RECURSIVE, &["notes"])
}

/// Whether an argument is the same storage as a variable of COMMON is asked at the entry.
fn questions_of_overlap_stay() -> Judged {
    let mut unit = parse_program(OVERLAP)?.units.remove(0);
    let context = trueline_opt::Context::alone(trueline_opt::OptLevel::O3);
    (trueline_opt::notes::PASS.run)(&mut Editor::open(&mut unit, "notes"), &context);
    let after = unit.to_string();
    if after.contains("alias_begin") { Ok(()) } else { Err(format!("nothing asks: {after}")) }
}

/// The passes that take checks out of loops.
const UNCHECK: &[&str] = &["settle", "copyprop", "uncheck"];

fn told_with_and_without(source: &str, passes: &[&str]) -> Judged {
    oracle::set_checked(true);
    let program = oracle::load(source);
    oracle::set_checked(false);
    let mut program = program?;
    let end = |p: &Program| interpret(p, &Options::default()).map_err(|e| e.to_string()).map(|run| run.stop);
    let before = end(&program)?;
    let passes = Some(passes.iter().map(|&p| p.to_owned()).collect());
    let options = trueline_opt::Options { passes, down_to: Level::H, ..trueline_opt::Options::default() };
    trueline_opt::optimize(&mut program, &options).map_err(|bug| bug.to_string())?;
    let after = end(&program)?;
    if before.is_some() && before == after { Ok(()) } else { Err(format!("{after:?}, not {before:?}")) }
}

/// Output and counts are the same after `change` of the statements at `lines`.
fn same_counts(source: &str, lines: [u32; 4], change: impl Fn(&mut Editor<'_>, [Stmt; 4])) -> Judged {
    let program = oracle::load(source)?;
    let mut counted = program.clone();
    trueline_instrument::plant(&mut counted);
    let run = |p: &Program| interpret(p, &Options::default()).map_err(|e| e.to_string());
    let before = run(&counted)?;
    let mut ed = Editor::open(&mut counted.units[0], "by hand");
    let mut found = Vec::new();
    for line in lines {
        let of: Vec<Serial> = program.infos.stmts.iter().filter(|(_, i)| i.line == line).map(|(s, _)| s).collect();
        let all: Vec<Stmt> =
            ed.walk().into_iter().filter(|&s| of.iter().any(|&o| ed.origins(s) == [o.into()])).collect();
        // The statements of a loop without the ones that evaluate its bounds.
        let construct = all.iter().copied().find(|&s| !ed.blocks(s).is_empty());
        found.push(construct.or(all.first().copied()).ok_or_else(|| format!("no statement on line {line}"))?);
    }
    change(&mut ed, found.try_into().map_err(|_| "four statements")?);
    let after = run(&counted)?;
    if after.output != before.output {
        return Err("the output differs".to_owned());
    }
    match before.tallies.iter().find(|(c, n)| after.tallies.get(*c) != Some(*n)) {
        None => Ok(()),
        Some((c, n)) => Err(format!("{} is {:?}, not {n}", c.measure.name(), after.tallies.get(c))),
    }
}

fn compact_units_are_the_same() -> Judged {
    let mut unit = parse_program(LAST)?.units.remove(0);
    let before = unit.to_string();
    let mut ed = Editor::open(&mut unit, "test");
    let two = ed.int(Type::I8, 2);
    ed.binary(BinaryOp::Add, two, two);
    ed.compact();
    let after = ed.to_string();
    if before == after { Ok(()) } else { Err(format!("{before} became {after}")) }
}

fn elements_behind_a_vector_are_read() -> Judged {
    let mut unit = parse_program(VECTOR)?.units.remove(0);
    let context = trueline_opt::Context::alone(trueline_opt::OptLevel::O3);
    (trueline_opt::cse::PASS.run)(&mut Editor::open(&mut unit, "cse"), &context);
    let after = unit.to_string();
    if after.contains("x = a(i + 2)") { Ok(()) } else { Err(format!("nothing reads it: {after}")) }
}
