//! A few programs of the oracle of times, and whether it finds failures.
#![allow(missing_docs)]

use campaign::STACK;
use campaign::times::judge::{Case, Class, judge};
use campaign::times::make::make;
use campaign::times::program::{Do, Id, Program, Whole, visit};
use campaign::times::run::{Measured, Way, Workshop};
use campaign::times::{campaign::judge_way, exports, simulate};
use trueline_abi::profile::{Profile, Status};

const UNOPTIMIZED: Way = Way { level: 0, passes: None, separate: false, by_default: false };

/// The compiler needs more stack than a test has.
fn on_a_large_stack(f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(f).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn has(program: &Program, f: impl Fn(&Do) -> bool) -> bool {
    let mut found = false;
    for p in &program.procs {
        visit(&p.body, &mut vec![], &mut |s, _| found |= f(&s.does));
    }
    found
}

/// Loops, procedures and array assignments; for a WHERE, the mask alone is timed without optimization.
fn is_plain(program: &Program) -> bool {
    let masked = |d: &Do| matches!(d, Do::Whole { kind: Whole::Where | Whole::Elsewhere, .. });
    !has(program, |d| masked(d) || matches!(d, Do::Paused(_)))
}

#[test]
fn without_optimization_times_are_those_of_the_ledger() {
    on_a_large_stack(|| {
        let shop = Workshop::new("plain").expect("cc");
        let programs = (1..).map(make).filter(|(p, _)| is_plain(p)).take(6);
        for (program, run) in programs {
            for separate in [false, true] {
                let way = Way { separate, ..UNOPTIMIZED };
                let verdict = judge_way(&shop, &program, &run, &way, 5).expect("it compiles and runs");
                assert!(!verdict.judged.is_empty());
                let failures = verdict.failures;
                assert!(failures.is_empty(), "seed {}: {failures:?}", program.seed);
            }
        }
    });
}

/// At every level, with random passes, in one file and in several, timed as by default and by all timers.
#[test]
fn times_are_those_of_the_ledger_at_every_level() {
    on_a_large_stack(|| {
        let shop = Workshop::new("levels").expect("cc");
        for seed in [2, 3, 7, 100] {
            let (program, run) = make(seed);
            for way in Way::of(seed, 1, true) {
                let verdict = judge_way(&shop, &program, &run, &way, 5).expect("it compiles and runs");
                let mut failures = verdict.failures;
                failures.retain(|f| f.class < Class::Edge);
                assert!(failures.is_empty(), "seed {seed} at {}: {failures:?}", way.row());
            }
        }
    });
}

/// At every level, in every way, programs do the work of the source.
#[test]
fn programs_do_the_work_of_the_source() {
    on_a_large_stack(|| {
        let shop = Workshop::new("work").expect("cc");
        for seed in 1..4 {
            let (program, run) = make(seed);
            for way in Way::of(seed, 1, true) {
                shop.build(&program, &run, &way).and_then(|b| b.measure(&run, &way)).expect("as the source says");
            }
        }
    });
}

/// The mistakes in the profile of a program after a change.
fn after(change: impl Fn(&mut Profile, &dyn Fn(Id) -> usize, Id)) -> Vec<Class> {
    let shop = Workshop::new("changed").expect("cc");
    let loops = |p: &Program| p.procs.iter().all(|p| !p.recursive) && is_plain(p);
    let (program, run) = (1..).map(make).find(|(p, _)| loops(p)).expect("a program");
    let built = shop.build(&program, &run, &UNOPTIMIZED).expect("it compiles");
    let mut measured = built.measure(&run, &UNOPTIMIZED).expect("it runs");
    let classes = |measured: &Measured| {
        let case = Case::new(&program, &built.text, &run, &UNOPTIMIZED, measured);
        let mut verdict = judge(&case);
        exports::check(&case, &mut verdict);
        verdict.failures.iter().map(|f| f.class).collect::<Vec<_>>()
    };
    let (hot, serial) = {
        let case = Case::new(&program, &built.text, &run, &UNOPTIMIZED, &measured);
        // A loop that holds a good part of the run, and not all of it.
        let loops = case.rows.keys().copied().filter(|id| case.stands[id].stmt.is_some_and(|s| s.is_loop()));
        let share = |id: &Id| case.time_of(&[*id].into(), true) / case.elapsed();
        let hot = loops.filter(|id| share(id) < 0.8).max_by(|a, b| share(a).total_cmp(&share(b))).expect("a loop");
        (hot, case.rows.iter().map(|(&id, c)| (id, c.serial)).collect::<std::collections::BTreeMap<_, _>>())
    };
    let rows: Vec<u32> = measured.profile.constructs.iter().map(|c| c.serial).collect();
    let at = |id: Id| rows.iter().position(|s| *s == serial[&id]).expect("a row");
    change(&mut measured.profile, &at, hot);
    classes(&measured)
}

#[test]
fn what_is_wrong_is_found() {
    on_a_large_stack(|| {
        let wrong = after(|p, at, id| {
            let elapsed = p.clock.elapsed_ns;
            if let Some(t) = &mut p.constructs[at(id)].time {
                t.inclusive_ns += elapsed / 10;
            }
        });
        assert!(wrong.contains(&Class::Wrong), "{wrong:?}");
        let absent = after(|p, at, id| p.constructs[at(id)].time = None);
        assert!(absent.contains(&Class::Absent), "{absent:?}");
        let zero = after(|p, at, id| p.constructs[at(id)].time = Some(trueline_abi::profile::Time::default()));
        assert!(zero.contains(&Class::Zero), "{zero:?}");
        let gone = after(|p, at, id| p.constructs[at(id)].status = Status::Eliminated);
        assert!(gone.contains(&Class::Eliminated), "{gone:?}");
        let merged = after(|p, at, id| {
            let other = p.constructs.iter().find(|c| c.kind == "do" && c.serial != p.constructs[at(id)].serial);
            p.constructs[at(id)].merged_with = vec![other.expect("another loop").serial];
        });
        assert!(merged.contains(&Class::Merged), "{merged:?}");
        let order = after(|p, at, id| {
            let around = p.constructs[at(id)].parent;
            let outer = p.constructs.iter_mut().find(|c| Some(c.serial) == around).expect("a construct around it");
            outer.time = Some(trueline_abi::profile::Time { inclusive_ns: 1, exclusive_ns: 1, ..Default::default() });
        });
        assert!(order.contains(&Class::Order), "{order:?}");
    });
}

/// The source's meaning needs no compiler: a seed is a program, and its work.
#[test]
fn a_seed_is_a_program() {
    for seed in 1..20 {
        let (program, run) = make(seed);
        assert!(program.is_sound());
        assert_eq!((program.clone(), run.events.clone()), {
            let (again, run) = make(seed);
            (again, run.events)
        });
        assert_eq!(simulate::simulate(&program).map(|r| r.events.len()), Some(run.events.len()));
    }
}
