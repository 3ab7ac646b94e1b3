//! The pass manager.

use crate::manager::apply_for_test;
use crate::{Context, OptLevel, Options, PASSES, Pass, Step, optimize, pipeline};
use trueline_ir::{Editor, Level, Program, parse_program};

const TWO_UNITS: &str = "\
program main vh @0
i4 n, k
r8 a(10)
k = 1 @1
n = k + 1 @2
a = r8(n) @3
end
subroutine s(x) vh @4
r8 x
x = 2.0 * 3.0 @5
";

fn program() -> Program {
    parse_program(&TWO_UNITS.replace("end\n", "")).unwrap()
}

fn text(program: &Program) -> String {
    program.units.iter().map(|u| u.to_string()).collect()
}

fn down_to(level: Level, passes: Option<&[&str]>) -> Options {
    let passes = passes.map(|p| p.iter().map(|&n| n.to_owned()).collect());
    Options { passes, down_to: level, verify: true, ..Options::default() }
}

#[test]
fn every_pass_has_a_name_of_its_own_and_runs_somewhere() {
    let run: Vec<&str> = pipeline(OptLevel::O3)
        .into_iter()
        .filter_map(|s| match s {
            Step::Run(p) => Some(p.name),
            Step::Stage(_) => None,
        })
        .collect();
    for (i, p) in PASSES.iter().enumerate() {
        assert!(PASSES[..i].iter().all(|q| q.name != p.name), "{} twice", p.name);
        assert!(run.contains(&p.name), "{} is in no pipeline", p.name);
        assert!(!p.summary.is_empty() && !p.at.is_empty());
    }
}

#[test]
fn every_level_lowers_all_the_way() {
    for level in [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3] {
        let mut p = program();
        optimize(&mut p, &Options { level, ..Options::default() }).unwrap();
        assert!(p.units.iter().all(|u| u.level() == Level::L));
    }
}

#[test]
fn passes_by_name_bring_the_lowerings_they_need() {
    let mut p = program();
    let stats = optimize(&mut p, &down_to(Level::L, Some(&["fold", "strength", "scalarize", "dce"]))).unwrap();
    let names: Vec<&str> = stats.passes.iter().map(|p| p.pass).collect();
    assert_eq!(names, ["scalarize", "fold", "lower_m", "strength", "dce", "lower_l"]);
}

#[test]
fn bisection_counts_applications_pass_by_pass() {
    let all = down_to(Level::H, Some(&["fold", "dce"]));
    let mut plain = program();
    let total = optimize(&mut plain, &all).unwrap().applications;
    assert_eq!(total, 12, "six stages, and three passes on two units");
    let mut first = program();
    // Two stages and the lowering of both units come first, then fold on the first.
    optimize(&mut first, &Options { bisect: Some(5), ..all.clone() }).unwrap();
    assert!(first.units[0].to_string().contains("n = 2"));
    assert!(first.units[1].to_string().contains("x = 2.0 * 3.0"));
    let mut none = program();
    optimize(&mut none, &Options { bisect: Some(0), ..all }).unwrap();
    assert!(none.units[0].to_string().contains("n = k + 1"));
}

#[test]
fn dumps_show_before_after_and_edits() {
    let mut p = program();
    let options = Options { dump: vec!["fold".into()], ..down_to(Level::H, Some(&["fold"])) };
    let dumps = optimize(&mut p, &options).unwrap().dumps;
    assert_eq!(dumps.len(), 2);
    assert!(dumps[0].before.contains("n = k + 1") && dumps[0].after.contains("n = 2"));
    assert_eq!(dumps[0].application, 5);
    assert!(dumps[0].edits.contains("rewrite            @2"), "{}", dumps[0].edits);
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut p = program();
        pool.install(|| optimize(&mut p, &Options::default())).unwrap();
        text(&p)
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn a_panic_names_the_pass_and_the_application() {
    fn run(_: &mut Editor<'_>, _: &Context<'_>) {
        panic!("no such thing");
    }
    static BROKEN: Pass = Pass { at: &[Level::Vh], ..Pass::new("broken", "panics", run) };
    let mut p = program();
    let bug = apply_for_test(&BROKEN, &mut p.units[0], 17).unwrap_err();
    assert_eq!((bug.pass, bug.application), ("broken", 17));
    assert!(bug.to_string().contains("--opt-bisect=16") && bug.to_string().contains("no such thing"), "{bug}");
}

#[test]
fn a_lost_statement_is_a_bug_of_the_pass() {
    fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
        let s = ed.walk()[0];
        ed.expanded(s);
    }
    static LOSES: Pass = Pass { at: &[Level::Vh], ..Pass::new("loses", "drops a statement", run) };
    let mut p = program();
    let bug = apply_for_test(&LOSES, &mut p.units[0], 1).unwrap_err();
    assert!(bug.message.contains("no longer in any set"), "{bug}");
}
