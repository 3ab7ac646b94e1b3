//! The harness is proven: every fault has a program that shows it, and the mapping makes no claim where the paper's rule,
//! read literally, would make a wrong one.
//!
//! Faults are switched on for the whole process, so the tests that do it stand in this binary, and take turns.

#![cfg(any(debug_assertions, feature = "faults"))]
#![allow(missing_docs)]

use campaign::claims::Claims;
use campaign::faults::{FAULTS, replay};
use campaign::oracle;
use campaign::times::faults::OF_TIMES;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use trueline_ir::{Editor, ExpandKind, Expr, Head, Place, Program, Stmt, interpret, set_fault};
use trueline_provenance::Serial;

static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn every_fault_is_shown_by_a_small_program() {
    let _turn = turn();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("faults");
    let mut wrong = Vec::new();
    for (name, what) in FAULTS {
        if let Some(judged) = campaign::by_hand::replay(name) {
            match judged {
                Ok(Some(_)) => {}
                Ok(None) => wrong.push(format!("{name}: nothing shows that {what}")),
                Err(e) => wrong.push(format!("{name}: {e}")),
            }
            continue;
        }
        let Ok(text) = std::fs::read_to_string(directory.join(format!("{name}.f90"))) else {
            wrong.push(format!("{name}: there is no witness"));
            continue;
        };
        match replay(name, &text) {
            Ok(Some(_)) => {}
            Ok(None) => wrong.push(format!("{name}: nothing shows that {what}")),
            Err(e) => wrong.push(format!("{name}: {e}")),
        }
        // The result of the reducer: the first line says how the program is optimized.
        let lines = text.lines().count() - 1;
        if lines > 30 {
            wrong.push(format!("{name}: {lines} lines"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// R3: wrong loop transformations are found by the order of accesses alone, without counts, claims or the output.
#[test]
fn wrong_loop_transformations_do_not_keep_the_order() {
    const OF_LOOPS: &[&str] = &[
        "depend_backward",
        "depend_gcd",
        "depend_output",
        "depend_trips",
        "interchange_memory",
        "fuse_memory",
        "fuse_limit",
        "distribute_memory",
        "split_bound",
        "unroll_copy",
        "unroll_limit",
        "unroll_remainder",
        "unswitch_memory",
        "vectorize_distance",
        "vectorize_last_lane",
        "vectorize_order",
        "vectorize_start",
        "vectorize_carried",
    ];
    let _turn = turn();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("faults");
    let mut missed = Vec::new();
    for name in OF_LOOPS {
        let text = std::fs::read_to_string(directory.join(format!("{name}.f90"))).expect("a witness");
        let (first, procedures) = text.split_once('\n').expect("two lines");
        let plan: oracle::Plan = first.trim_start_matches("! ").parse().expect("a plan");
        let plain = oracle::load(&campaign::print::whole(procedures)).expect("it compiles");
        set_fault(None);
        let right = campaign::order::check(&plain, &plan);
        assert!(right.failures.is_empty(), "{name}: {:?}", right.failures);
        set_fault(Some(name));
        let with = campaign::order::check(&plain, &plan);
        set_fault(None);
        if with.failures.is_empty() {
            missed.push(format!("{name} {:?}", with.applications));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// No fault is in the code that the list, and so the test above, does not know.
#[test]
fn the_list_of_faults_is_complete() {
    fn visit(directory: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(directory).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                visit(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).expect("readable");
                let asked = text.split("fault(\"").skip(1).filter_map(|rest| rest.split_once("\")"));
                found.extend(asked.map(|(name, _)| name.to_owned()));
            }
        }
    }
    let mut found = Vec::new();
    for folder in ["../../src", "../../runtime/src"] {
        visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    }
    found.sort();
    found.dedup();
    let mut listed: Vec<String> = FAULTS.iter().chain(OF_TIMES).map(|(name, _)| (*name).to_owned()).collect();
    listed.extend(campaign::ranks::faults::all().map(|((name, _), _)| name.to_owned()));
    listed.sort();
    assert_eq!(found, listed);
}

/// A program whose first procedure is changed by hand with the verbs of the editor.
struct Bench {
    counted: Program,
    program: Program,
}

/// The source of the counterexamples; line 4 is the loop.
const LOOP: &str = "\
program p
  integer :: i, j, c, n(2), a(10)
  n = 6; c = 0; a = 0
  do i = 1, n(1)
    c = 1
    if (n(2) > 3) then
      do j = 1, 2
        c = 2
      end do
    end if
  end do
  print *, c
end program
";

impl Bench {
    fn new() -> Bench {
        let program = oracle::load(LOOP).expect("it is right");
        let mut counted = program.clone();
        trueline_instrument::plant(&mut counted);
        Bench { counted, program }
    }

    fn at_line(&self, line: u32) -> Serial {
        self.program.infos.stmts.iter().find(|(_, i)| i.line == line).expect("a statement").0
    }

    /// The statement `of` in the code; for a loop, not the statements that evaluate its bounds.
    fn find(ed: &Editor<'_>, of: Serial) -> Option<Stmt> {
        let all: Vec<Stmt> = ed.walk().into_iter().filter(|&s| ed.origins(s) == [of.into()]).collect();
        all.iter().copied().find(|&s| !ed.blocks(s).is_empty()).or(all.first().copied())
    }

    /// Changes the program, then compares the claims of the mapping with the counts of the source: whether the loop of
    /// `line` is claimed to be true, and whether all claims are right.
    fn claims(
        mut self,
        line: u32,
        change: impl Fn(&mut Editor<'_>, &dyn Fn(&Editor<'_>, u32) -> Stmt),
    ) -> (bool, Result<(), String>) {
        let of = self.at_line(line);
        let lines: Vec<(u32, Serial)> = self.program.infos.stmts.iter().map(|(s, i)| (i.line, s)).collect();
        let options = trueline_ir::Options::default();
        let reference = interpret(&self.counted, &options).expect("it runs");
        let at = |ed: &Editor<'_>, line: u32| {
            let here = lines.iter().filter(|(l, _)| *l == line);
            here.filter_map(|(_, s)| Bench::find(ed, *s)).next().expect("a statement of the line")
        };
        change(&mut Editor::open(&mut self.program.units[0], "by hand"), &at);
        let mut claims = Claims::default();
        claims.plant(&mut self.program);
        let ran = interpret(&self.program, &options).expect("it still runs");
        (claims.is_claimed(of), claims.compare(&ran.tallies, &reference.tallies))
    }
}

fn bounds(ed: &Editor<'_>, s: Stmt) -> (trueline_ir::Sym, [Expr; 3]) {
    let Head::Do { var, lo, hi, step } = ed.head(s) else { panic!("no loop") };
    (var, [lo, hi, step])
}

/// The loop without its body.
fn empty(ed: &mut Editor<'_>, s: Stmt) {
    for x in ed.real_stmts(ed.blocks(s)[0]).collect::<Vec<_>>() {
        ed.eliminate(x, trueline_ir::Why::Dead);
    }
}

/// The loop without its first iteration.
fn shorten(ed: &mut Editor<'_>, s: Stmt) {
    let (var, [_, hi, step]) = bounds(ed, s);
    let lo = ed.int(trueline_ir::Type::I4, 2);
    ed.expand_in_place(s, Head::Do { var, lo, hi, step });
}

/// The loop in strips of two; the first value of a strip is in the outer loop's variable.
fn strip(ed: &mut Editor<'_>, s: Stmt) -> Stmt {
    let ty = trueline_ir::Type::I4;
    let (var, [lo, hi, step]) = bounds(ed, s);
    let first = ed.new_register("strip", ty);
    let two = ed.int(ty, 2);
    let outer = ed.expand_around(s, Head::Do { var: first, lo, hi, step: two }, 0, ExpandKind::Nest);
    let (lo, one) = (ed.var(first), ed.int(ty, 1));
    let hi = ed.binary(trueline_ir::BinaryOp::Add, lo, one);
    ed.expand_in_place(s, Head::Do { var, lo, hi, step });
    outer
}

#[test]
fn untouched_loops_are_claimed() {
    let _turn = turn();
    let (claimed, right) = Bench::new().claims(4, |_, _| {});
    assert!(claimed);
    assert_eq!(right, Ok(()));
}

/// The loop that is left looks unique, and misses an iteration.
#[test]
fn peel() {
    let _turn = turn();
    let (claimed, right) = Bench::new().claims(4, |ed, at| {
        let l = at(ed, 4);
        let (var, [lo, ..]) = bounds(ed, l);
        for x in ed.real_stmts(ed.blocks(l)[0]).collect::<Vec<_>>() {
            ed.expand_copy(x, Place::Before(l), &[(var, lo)], ExpandKind::Partition);
        }
        shorten(ed, l);
    });
    assert!(!claimed);
    assert_eq!(right, Ok(()));
}

/// A change after which the claim of a loop would be wrong, and only a taint keeps it from being made.
fn only_the_taint_tells(line: u32, taint: &str, change: impl Fn(&mut Editor<'_>, &dyn Fn(&Editor<'_>, u32) -> Stmt)) {
    let (claimed, right) = Bench::new().claims(line, &change);
    assert!(!claimed);
    assert_eq!(right, Ok(()));
    set_fault(Some(taint));
    let (claimed, right) = Bench::new().claims(line, &change);
    set_fault(None);
    assert!(claimed && right.is_err(), "without the taint the claim is wrong");
}

/// With the body go all other signs that an iteration was peeled. Only the taint remains.
#[test]
fn empty_the_body_then_peel() {
    let _turn = turn();
    let change = |ed: &mut Editor<'_>, at: &dyn Fn(&Editor<'_>, u32) -> Stmt| {
        let l = at(ed, 4);
        empty(ed, l);
        let (var, [lo, ..]) = bounds(ed, l);
        let place = ed.var(var);
        ed.expand(l, Head::Assign { place, value: lo }, Place::Before(l), ExpandKind::Partition);
        shorten(ed, l);
    };
    only_the_taint_tells(4, "taint_expanded", change);
}

/// Each header runs as often as the other should.
#[test]
fn interchange() {
    let _turn = turn();
    for fault in [None, Some("interchange_without_augmentation"), Some("taint_moved")] {
        let change = |ed: &mut Editor<'_>, at: &dyn Fn(&Editor<'_>, u32) -> Stmt| {
            let (l, test, inner) = (at(ed, 4), at(ed, 6), at(ed, 7));
            let first = at(ed, 5);
            ed.move_to(first, Place::Before(l));
            let then = ed.blocks(test)[0];
            ed.eliminate_head(test, Some(then), trueline_ir::Why::ConstantCondition);
            ed.move_around(inner, l);
        };
        set_fault(fault);
        let outer = Bench::new().claims(4, change);
        let inner = Bench::new().claims(7, change);
        set_fault(None);
        assert!(!outer.0 && !inner.0, "{fault:?}");
        assert_eq!((outer.1, inner.1), (Ok(()), Ok(())), "{fault:?}");
    }
}

/// One of the two loops that strip mining makes of one goes; the other looks as if it were the only one ever. That one went
/// betrays it as well as its taint.
#[test]
fn strip_then_eliminate_one_copy() {
    let _turn = turn();
    let change = |ed: &mut Editor<'_>, at: &dyn Fn(&Editor<'_>, u32) -> Stmt| {
        let l = at(ed, 4);
        empty(ed, l);
        let outer = strip(ed, l);
        let (var, [lo, ..]) = bounds(ed, outer);
        let place = ed.var(var);
        ed.null(Head::Assign { place, value: lo }, Place::Before(outer), trueline_ir::Why::Temporary);
        let keep = ed.blocks(outer)[0];
        ed.eliminate_head(outer, Some(keep), trueline_ir::Why::SingleTrip);
    };
    for fault in [None, Some("taint_expanded")] {
        set_fault(fault);
        let (claimed, right) = Bench::new().claims(4, change);
        set_fault(None);
        assert!(!claimed, "{fault:?}");
        assert_eq!(right, Ok(()), "{fault:?}");
    }
}

/// The loop in the conditional runs once a strip, and all that is around it corresponds to the source.
#[test]
fn strip_then_move_a_conditional_with_a_loop_out_of_the_strip() {
    let _turn = turn();
    let change = |ed: &mut Editor<'_>, at: &dyn Fn(&Editor<'_>, u32) -> Stmt| {
        let (l, test) = (at(ed, 4), at(ed, 6));
        strip(ed, l);
        ed.move_to(test, Place::Before(l));
    };
    only_the_taint_tells(7, "taint_moved", change);
}

/// Law N: the counts of a header stay outside of a new loop around it.
#[test]
fn nest_counts_at_the_outermost_loop() {
    let _turn = turn();
    let mut bench = Bench::new();
    let options = trueline_ir::Options::default();
    let before = interpret(&bench.counted, &options).expect("it runs").tallies;
    let of = bench.at_line(4);
    let ed = &mut Editor::open(&mut bench.counted.units[0], "by hand");
    let l = Bench::find(ed, of).expect("the loop");
    strip(ed, l);
    assert_eq!(interpret(&bench.counted, &options).expect("it still runs").tallies, before);
}
