//! The harness catches passes that lie.

use super::{check, check_dir, check_unchanged};
use crate::expr::ExprData;
use crate::head::Head;
use crate::{BinaryOp, Editor, ExpandKind, Level, Place, Stmt, Type, Why};

const LOOPS: &str = "
integer i
real a(8), b(8)
do i = 1, 3 @1
  a(i) = 1.5 @2
end
do i = 1, 3 @3
  b(i) = a(i) @4
end";

fn nth(ed: &Editor<'_>, n: usize) -> Stmt {
    ed.walk()[n]
}

#[test]
fn what_a_pass_did_is_compared() {
    let swap = |ed: &mut Editor<'_>| {
        let s = nth(ed, 1);
        let Head::Assign { place, value } = ed.head(s) else { panic!() };
        let t = ed.new_register("t", Type::R8);
        let to = ed.var(t);
        ed.expand(s, Head::Assign { place: to, value }, Place::Before(s), ExpandKind::Lower);
        ed.expand_in_place(s, Head::Assign { place, value: to });
    };
    check(
        "swap",
        &swap,
        LOOPS,
        "
r8 t.1
do i = 1, 3          @1
  t.1 = 1.5          @2
  a(i) = t.1         @2
end
do i = 1, 3          @3
  b(i) = a(i)        @4
end

expand lower       @2
rewrite       @2",
    );
}

#[test]
fn an_idle_pass_changes_nothing() {
    check_unchanged("idle", &|_| {}, LOOPS);
    check("idle", &|_| {}, "integer i\ni = 1 @1", "i = 1 @1");
}

#[test]
#[should_panic(expected = "changed the unit")]
fn a_change_is_noticed() {
    check_unchanged("busy", &|ed| ed.eliminate(nth(ed, 1), Why::Redundant), "real a(2)\na(1) = 1.5 @1\na(1) = 1.5 @2");
}

#[test]
#[should_panic(expected = "wrong 'expand'")]
fn a_wrong_source_is_caught() {
    // The copy of @2 claims to come from @4.
    let lie = |ed: &mut Editor<'_>| {
        let (two, four) = (nth(ed, 1), nth(ed, 3));
        let head = ed.head(two);
        ed.expand(four, head, Place::After(two), ExpandKind::Partition);
    };
    check("lie", &lie, LOOPS, "");
}

#[test]
#[should_panic(expected = "differs at byte")]
fn another_meaning_is_caught() {
    let break_it = |ed: &mut Editor<'_>| {
        let s = nth(ed, 3);
        let Head::Assign { place, value } = ed.head(s) else { panic!() };
        let value = ed.binary(BinaryOp::Add, value, value);
        ed.expand_in_place(s, Head::Assign { place, value });
    };
    check("break", &break_it, LOOPS, "");
}

#[test]
#[should_panic(expected = "is broken: V")]
fn a_broken_test_is_caught() {
    check_unchanged("idle", &|_| {}, "integer i\ni = 1.5 @1");
}

#[test]
#[should_panic(expected = "after mistype: V6")]
fn a_broken_unit_is_caught() {
    let mistype = |ed: &mut Editor<'_>| {
        let s = nth(ed, 1);
        let Head::Assign { place, .. } = ed.head(s) else { panic!() };
        let value = ed.int(Type::I4, 1);
        ed.expand_in_place(s, Head::Assign { place, value });
    };
    check("mistype", &mistype, LOOPS, "");
}

#[test]
#[should_panic(expected = "iterations was 3, is now 6")]
fn a_wrong_count_is_caught() {
    let double = |ed: &mut Editor<'_>| {
        let Head::Tally { counter, amount } = ed.head(nth(ed, 1)) else { panic!() };
        ed.tally(counter, amount, Place::Start(ed.body()));
    };
    check("double", &double, "integer i\ni = 1 @1\ntally @1 iterations += 3", "");
}

#[test]
#[should_panic(expected = "@9 is in a set, but was not in the unit")]
fn an_invented_source_is_caught() {
    let invent = |ed: &mut Editor<'_>| {
        let s = nth(ed, 1);
        let set = ed.set_of(&[2, 9].map(trueline_provenance::Serial::from_u32));
        ed.unit.stmts[s].set = set;
    };
    check("invent", &invent, LOOPS, "");
}

#[test]
#[should_panic(expected = "@4 is no longer in any set")]
fn a_silent_loss_is_caught() {
    let lose = |ed: &mut Editor<'_>| {
        let s = nth(ed, 3);
        ed.unit.unlink(s);
    };
    check("lose", &lose, LOOPS, "");
}

#[test]
#[should_panic(expected = "now it fails")]
fn a_new_error_is_caught() {
    let divide = |ed: &mut Editor<'_>| {
        let s = nth(ed, 1);
        let head = ed.head(s);
        let i = ed.new_register("i", Type::I4);
        let (to, zero) = (ed.var(i), ed.int(Type::I4, 0));
        let value = ed.make(ExprData::Binary(BinaryOp::Div, zero, zero));
        ed.expand(s, Head::Assign { place: to, value }, Place::Before(s), ExpandKind::Lower);
        assert_eq!(ed.head(s), head);
    };
    check("divide", &divide, LOOPS, "");
}

#[test]
fn directories_of_tests() {
    let dir = std::env::temp_dir().join(format!("trueline-ir-testing-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let file = dir.join("one.txt");
    std::fs::write(&file, "integer i\ni = 1 @1\n\n!> i = 1                                           @1\n").unwrap();
    check_dir(&dir, "idle", &|_| {});
    std::fs::write(&file, "integer i\ni = 1 @1\n\n!> i = 2 @1\n").unwrap();
    let failed = std::panic::catch_unwind(|| check_dir(&dir, "idle", &|_| {}));
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(failed.is_err() || std::env::var_os("BLESS").is_some());
}

#[test]
fn levels_are_compared_across_lowering() {
    // Lowers an assignment by hand: the meaning must stay.
    let lower = |ed: &mut Editor<'_>| {
        let s = nth(ed, 0);
        let Head::Assign { value, .. } = ed.head(s) else { panic!() };
        let a = ed.syms().next().unwrap().0;
        let addr = ed.make(ExprData::Addr(a));
        ed.expand_in_place(s, Head::Store { addr, offset: 8, value, sym: a });
        ed.lower_to(Level::M);
    };
    check(
        "lower",
        &lower,
        "real a(3)\na(2) = 4.5 @1",
        "program main m @0\nstore(a, addr(a), 8) = 4.5 @1\n\nrewrite @1",
    );
}
