//! As many refusals as rules.

use super::{RULES, verify, verify_program};
use crate::expr::ExprData;
use crate::head::{Callee, Head};
use crate::{Builder, Expr, Label, Type, Unit, UnitKind, parse_program, parse_unit};
use trueline_provenance::Serial;

fn rules(unit: &Unit) -> Vec<u8> {
    verify(unit).iter().map(|v| v.rule).collect()
}

#[track_caller]
fn fine(text: &str) {
    let unit = parse_unit(text).unwrap();
    assert_eq!(verify(&unit), [], "{unit}");
}

#[track_caller]
fn broken(rule: u8, text: &str) {
    let unit = parse_unit(text).unwrap();
    let found = verify(&unit);
    assert!(!found.is_empty() && found.iter().all(|v| v.rule == rule), "expected V{rule} alone, got {found:?}\n{unit}");
}

/// A unit with one integer register and whatever `fill` pushes.
fn built(fill: impl FnOnce(&mut Builder)) -> Unit {
    let mut unit = parse_unit("integer i").unwrap();
    let mut b = Builder::new("main", "MAIN__", UnitKind::Program, Serial::from_u32(0));
    b.sym(unit.syms.values_mut().next().unwrap().clone());
    b.set_level(crate::Level::H);
    fill(&mut b);
    b.finish()
}

#[test]
fn rules_are_numbered() {
    assert!(RULES.iter().enumerate().all(|(k, (n, _))| usize::from(*n) == k + 1));
}

#[test]
fn well_formed_units() {
    fine("integer i\nreal a(10)\ndo i = 1, 10 @1\na(i) = a(i) + 1.0 @2\nend");
    fine("program p vh\nreal a(10), b(10)\nlogical m(10)\nwhere m @1\na(1:9) = b(2:10) @2\nend\na = SUM(b) @3");
    fine("subroutine s(a, n)\nr8 a(n, *)\ni8 n value\ncall f_(&inout a(1, 2)) @1\nreturn @2");
    fine("integer i\nL1: @1\nif i == 1 @2\ngoto L1 @3\nend\ntally @4 iterations += trip(1, i, 1)");
    fine(
        "program p m\nr8 a(10)\ni8 p\nstore(a, addr(a) + p * 8, -8) = load_r8(a, addr(a)) @1\ncall f_(&in load_r8(a, addr(a), 8)) @2",
    );
    fine("integer i\nL1: @{}\ngoto L1 @1");
}

#[test]
fn v1_v2_levels() {
    broken(1, "real a(3)\na = 1.0 @1");
    broken(1, "program p l\ninteger i\nif i == 1 @1\nend");
    broken(1, "program p vh\ninteger i\nbranch i == 1, L1, L1 @1\nL1: @1");
    broken(1, "program p h\nr8 a(1)\nstore(a, 8) = 1.0 @1");
    broken(2, "real a(3), x\nx = SUM(a) @1");
    broken(2, "real a(3), x\nx = a(1) + load_r8(a, 8) @1");
    broken(2, "program p m\nreal a(3), x\nx = a(1) @1");
    broken(2, "program p m\nchar c*3\ni4 i\ni = 1 @1\ncall f_(&in c) @1");
    broken(2, "real a(3)\ncall f_(a) @1");
}

#[test]
fn v3_blocks() {
    let unit = built(|b| {
        let set = b.set_of(&[Serial::from_u32(1)]);
        let value = b.make(ExprData::Int(Type::I4, 1));
        let three = b.make(ExprData::Int(Type::I4, 3));
        let ranges = b.list(&[three, value, value]);
        let body = b.body();
        b.push(body, Head::Select { value, ranges }, set, 2);
    });
    assert_eq!(rules(&unit), [3]);
    let mut unit = parse_unit("integer i\nif i == 1 @1\nend").unwrap();
    let s = unit.walk()[0];
    unit.stmts[s].blocks.pop();
    assert_eq!(rules(&unit), [3]);
}

#[test]
fn v4_tree() {
    let text = "integer i\nif i == 1 @1\ni = 2 @2\nend\ni = 3 @3";
    let mut unit = parse_unit(text).unwrap();
    let all = unit.walk();
    unit.stmts[all[1]].parent = Some(unit.body).into();
    assert_eq!(rules(&unit), [4]);
    let mut unit = parse_unit(text).unwrap();
    unit.stmts[all[2]].prev = None.into();
    assert_eq!(rules(&unit), [4]);
    let mut unit = parse_unit(text).unwrap();
    unit.stmts[all[2]].next = Some(all[0]).into();
    assert!(rules(&unit).contains(&4), "a cycle ends");
    let mut unit = parse_unit(text).unwrap();
    let b = unit.stmts[all[0]].blocks[0];
    unit.blocks[b].owner = Some(all[2]).into();
    assert_eq!(rules(&unit), [4]);
}

#[test]
fn v5_operands() {
    broken(5, "integer i\ni = i + 1_i8 @1");
    broken(5, "integer i\nlogical l\ni = i4(l .and. l .eqv. i == 2) @1\ni = -i4(-l) @1");
    broken(5, "integer i\ni = .not. 1 @1\ni = 1 .and. 2 @1");
    broken(5, "complex z\nlogical l\nl = z < z @1");
    broken(5, "real x\nx = bitcast_r8(1_i4) @1");
    broken(5, "program p vh\nreal a(3), b(3, 3)\nb = b + a @1");
    broken(5, "program p m\ninteger i\ni = i4(addr(i)) @1");
    let unit = built(|b| {
        let set = b.set_of(&[Serial::from_u32(1)]);
        let value = b.make(ExprData::Int(Type::I4, 1 << 40));
        let place = b.make(ExprData::Var(crate::Sym::from_u32(0)));
        let body = b.body();
        b.push(body, Head::Assign { place, value }, set, 0);
    });
    assert_eq!(rules(&unit), [5]);
}

#[test]
fn v6_statements() {
    broken(6, "integer i\nreal x\ni = x @1");
    broken(6, "integer i\nif i @1\nend");
    broken(6, "integer i\nreal a(3)\nselect a(1) @1\nend");
    broken(6, "integer i\n1 = i @1");
    broken(6, "program p vh\nreal a(3), b(3, 3)\na = b @1");
    broken(6, "program p vh\nreal a(3)\nwhere a(1) > 1.0 @1\nend");
    broken(6, "program p vh\nreal x, a(3)\nforall (x = 1:3) @1\na(1) = 2.0 @1\nend");
    broken(6, "logical l\nifarith l, L1, L1, L1 @1\nL1: @1");
    broken(6, "real x\ngoto (L1), x @1\nL1: @1");
    broken(6, "program p m\nreal x\nstore(x, 8) = x @1");
}

#[test]
fn v7_loops() {
    broken(7, "real x\ndo x = 1.0, 2.0, 1.0 @1\nend");
    broken(7, "integer i, n(3)\ndo i = 1, n(2) @1\nend");
    broken(7, "integer i, n\ndo i = 1, n / 2 @1\nend");
    broken(7, "integer i\ndo i = 1, 10_i8 @1\nend");
    broken(7, "integer i\ndo i = 1, 10, 0 @1\nend");
    broken(7, "integer i\ndo i = 1, 10 @1\ni = i + 1 @2\nend");
    broken(7, "integer k static s+0\narea s size 4\ndo k = 1, 10 @1\nend");
}

#[test]
fn v8_symbols() {
    broken(8, "integer n(2)\nreal a(3) register");
    broken(8, "integer n\nreal a(n) frame");
    broken(8, "area s size 8\nreal a(3) static s+0");
    broken(8, "integer p\nreal a(3) pointer p");
    broken(8, "real x*3");
    broken(8, "char c");
    broken(8, "area s size 8 align 3\nreal x static s+0");
    broken(8, "subroutine s(a)\ninteger n static t+0\narea t size 4\nreal a(n)");
    broken(8, "real a(*)");
}

#[test]
fn v9_labels() {
    broken(9, "goto L1 @1");
    broken(9, "L1: @1\nL1: @2");
    broken(9, "integer i\nif i == 1 @1\nL1: @2\nend\ngoto L1 @3");
    broken(9, "integer i\ngoto (L1), i @1");
}

#[test]
fn v10_v11_provenance() {
    broken(10, "integer i\ni = 1");
    broken(10, "integer i\nif i == 1\ni = 2 @1\nend");
    fine("integer i\nif i == 1 @1\ni = 2\nend");
    let program = parse_program("file \"x\"\ninfo @0 program 0:1-2:1 \"\"\ninteger i\ni = 1 @5").unwrap();
    assert!(verify_program(&program).iter().all(|v| v.rule == 11));
    assert_eq!(verify_program(&program).len(), 1);
}

#[test]
fn v12_v13_tallies_and_ghosts() {
    broken(12, "real a(3)\ntally @1 iterations += i8(a(1))");
    broken(12, "real x\ntally @1 iterations += x");
    broken(13, "integer i, g\nghost g = i\ni = g @1");
    broken(13, "integer i, g\nghost g = i\ng = i @1");
    broken(13, "integer g\nreal x\nghost g = x");
    fine("integer i, g\nghost g = i\ntally @1 iterations += g");
}

#[test]
fn v14_parameters() {
    broken(14, "subroutine s(a)\nreal a dummy 1");
    broken(14, "real a dummy 0");
    broken(14, "function f() result x\nreal x(3)");
}

#[test]
fn v15_calls() {
    broken(15, "call rt.stop_int(1, 2) @1");
    broken(15, "real x\ncall rt.stop_int(x) @1");
    broken(15, "real x\ncall rt.io_put(&out x, 3, 1) @1");
    broken(15, "integer i\ni = call rt.powi_f64(1.0, 2) @1");
    broken(15, "proc f_ result r8\ninteger i\ni = call f_(i) @1");
    broken(15, "proc sin libm result r8\nreal x\nx = call sin(&in x) @1");
    broken(15, "integer i\ncall *i() @1");
    broken(15, "call rt.deallocate(1.0) @1");
}

#[test]
fn v16_addresses() {
    broken(16, "program p vh\ninteger i\ni = i4(none) @1");
    broken(16, "integer i, k\ni = i4(&in k) @1");
    broken(16, "call f_(\"abc\"[1:2]) @1");
    broken(16, "call f_(&out \"abc\") @1");
    broken(16, "integer i\ncall f_(&in (i + 1)) @1");
}

#[test]
fn v17_v18_subscripts_and_intrinsics() {
    broken(17, "real a(3, 3)\na(1) = 0.0 @1");
    broken(17, "real x\nx(1) = 0.0 @1");
    broken(17, "real a(3), x\na(x) = 0.0 @1");
    broken(18, "integer i\ni = sin(i) @1");
    broken(18, "real x\nx = max(x, 1) @1");
    broken(18, "real x\nx = merge(x, x, 1) @1");
    broken(18, "real x\nx = iand(x, x) @1");
    broken(18, "program p vh\nreal a(3), x\nx = NORM2(a, 1.0) @1");
}

#[test]
fn v19_ids() {
    let push = |head: Head| {
        built(move |b| {
            let set = b.set_of(&[Serial::from_u32(1)]);
            let body = b.body();
            b.push(body, head, set, 0);
        })
    };
    let far = Expr::from_u32(99);
    assert_eq!(rules(&push(Head::GotoTable { index: far, table: 0 })), [19]);
    assert_eq!(rules(&push(Head::Goto(Label::from_u32(7)))), [19]);
    let list = crate::List::from_u32(0);
    let call = Head::Call { callee: Callee::Proc(crate::Proc::from_u32(3)), args: list, result: None.into() };
    assert_eq!(rules(&push(call)), [19]);
}
