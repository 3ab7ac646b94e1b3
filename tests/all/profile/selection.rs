//! The choice of measurements in a profiled build: phases, kinds, filters, directives, scores, budget, throttle, call tree.

use crate::build::{build_and_run, check_all, counts, options, root};
use std::path::Path;
use std::process::{Command, Output};
use trueline_abi::profile::{Construct, Counts, Profile};
use trueline_instrument::{Phase, Regions, TimeMode};

/// Takes the trips out of both where they are not known in one: passes in between may merge loops, and short loops are not asked.
fn without_unknown_trips(a: &mut Counts, b: &mut Counts) {
    if a.trips_unknown.is_some() || b.trips_unknown.is_some() {
        for c in [a, b] {
            (c.min_trips, c.max_trips, c.zero_trips, c.trips, c.trips_unknown) = Default::default();
        }
    }
}

/// The same counts at all six points where counting code can be put in its place.
#[test]
fn the_six_phases_agree() {
    let is_asked = std::env::var_os("TRUELINE_ALL_PHASES").is_some();
    let every = if is_asked { 1 } else { [39, 13][usize::from(crate::build::is_full())] };
    let files = crate::build::files("tests/run", &["f90"]);
    let some = crate::corpus::one_in(every, files);
    check_all(
        &some,
        |f| f.display().to_string(),
        |file| {
            let mut first = None;
            for (phase, name) in Phase::NAMES {
                let mut options = options(file, 3, Some(TimeMode::Outer));
                options.selection.instrument_at = phase;
                let ran = build_and_run(file, &options)?;
                let text = ran.profile.ok_or("no profile was written")?;
                let mut found = counts(&text)?;
                let said = trueline_report::read(text.as_bytes()).map_err(|e| e.to_string())?.instrument_at;
                if said != name {
                    return Err(format!("the profile says {said}, not {name}"));
                }
                let mut first = first.get_or_insert_with(|| found.clone()).clone();
                for (construct, counts) in &mut first {
                    if let Some(other) = found.get_mut(construct) {
                        without_unknown_trips(counts, other);
                    }
                }
                if first != found {
                    return Err(format!("counts at {name} differ from those at pre-ipa"));
                }
            }
            Ok(())
        },
    );
}

/// Counts are the same at -O0 and -O3 for every selection, and so are those of constructs that several selections
/// measure.
#[test]
fn levels_measure_more_and_more() {
    let file = root().join("examples/hpf/triangular.f90");
    let mut before: Option<std::collections::BTreeMap<String, Counts>> = None;
    for level in 1..=5 {
        let of = |opt| {
            let mut options = options(&file, opt, Some(TimeMode::Outer));
            options.selection.regions = Regions::level(level);
            counts(&build_and_run(&file, &options).unwrap().profile.unwrap()).unwrap()
        };
        let (plain, optimized) = (of(0), of(3));
        assert_eq!(plain, optimized, "level {level}");
        if let Some(before) = before {
            assert!(before.len() < plain.len() || level == 4, "level {level} measures nothing more");
            assert!(before.iter().all(|(k, c)| plain.get(k) == Some(c)), "level {level} counts otherwise");
        }
        before = Some(plain);
    }
}

const SOURCE: &str = "program p
  integer :: i
  real :: x
  x = 0
  do i = 1, 4000
    call leaf(x)
    call busy(x, i)
  end do
  if (x > 1) then
    x = 1
  else
    x = 2
  end if
  if (x > 5) x = 3
  print *, x > 0
contains
subroutine leaf(x)
  real :: x
  x = x * 0.5
end subroutine
recursive subroutine busy(x, n)
  real :: x
  integer :: n, k
  do k = 1, mod(n, 7)
    x = x + k
  end do
  if (n < 0) call busy(x, n + 1)
end subroutine
subroutine never(x)
  real :: x
  call leaf(x)
end subroutine
end program
";

/// Runs the compiler.
fn trueline(directory: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trueline")).args(args).current_dir(directory).output().unwrap()
}

/// Builds [`SOURCE`] without inlining, runs it, and reads the profile.
fn profile(source: &str, args: &[&str], environment: &[(&str, &str)]) -> Profile {
    let dir = tempfile::tempdir().unwrap();
    profile_in(dir.path(), source, args, environment)
}

fn profile_in(dir: &Path, source: &str, args: &[&str], environment: &[(&str, &str)]) -> Profile {
    std::fs::write(dir.join("p.f90"), source).unwrap();
    let level = if args.iter().any(|a| a.starts_with("-O")) { &[][..] } else { &["-O0"] };
    let all = [&["build", "--profile", "p.f90", "-o", "p"], level, args].concat();
    let built = trueline(dir, &all);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(dir.join("p"))
        .current_dir(dir)
        .env("TRUELINE_PROFILE_FILE", "p.json")
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    trueline_report::read(&std::fs::read(dir.join("p.json")).unwrap()).unwrap()
}

fn find<'a>(p: &'a Profile, text: &str) -> &'a Construct {
    p.constructs.iter().find(|c| c.text.starts_with(text)).unwrap_or_else(|| panic!("there is no '{text}'"))
}

#[test]
fn kinds_by_name() {
    let kinds = |args: &[&str]| {
        let mut kinds: Vec<String> = profile(SOURCE, args, &[]).constructs.into_iter().map(|c| c.kind).collect();
        kinds.sort();
        kinds.dedup();
        kinds.join(" ")
    };
    assert_eq!(kinds(&["--regions=procedures"]), "procedure program");
    assert_eq!(kinds(&["--regions=do"]), "do procedure program");
    assert_eq!(kinds(&["--regions=if-then-else"]), "if_block procedure program");
    assert_eq!(kinds(&["--regions=if-then"]), "if_log procedure program");
    assert_eq!(kinds(&["--regions=callsites"]), "call procedure program");
    let p = profile(SOURCE, &["--regions=all"], &[]);
    assert_eq!(find(&p, "x = x * 0.5").counts.invocations, Some(4000));
    assert_eq!(find(&p, "call busy(x, i)").counts.invocations, Some(4000));
    assert_eq!((find(&p, "x = 1").counts.invocations, find(&p, "x = 3").counts.invocations), (Some(1), Some(0)));
}

#[test]
fn filters_at_compile_time_and_at_run_time() {
    let dir = tempfile::tempdir().unwrap();
    let filter = dir.path().join("f.txt");
    std::fs::write(&filter, "SCOREP_REGION_NAMES_BEGIN\n EXCLUDE BUSY\nSCOREP_REGION_NAMES_END\n").unwrap();
    let path = filter.to_str().unwrap();
    let whole = profile(SOURCE, &[], &[]);
    assert!(find(&whole, "busy").time.unwrap().inclusive_ns > 0);
    let compiled = profile(SOURCE, &["--filter", path], &[]);
    assert!(find(&compiled, "busy").time.is_none() && find(&compiled, "do k").time.is_none());
    let run = profile(SOURCE, &[], &[("TRUELINE_FILTER_FILE", path)]);
    assert_eq!((find(&run, "busy").time, find(&run, "busy").untimed.as_deref()), (None, Some("filtered")));
    for p in [&compiled, &run] {
        assert_eq!(find(p, "busy").counts, find(&whole, "busy").counts);
        assert!(find(p, "do i").time.unwrap().inclusive_ns > 0);
    }
    std::fs::write(&filter, "BEGIN_EXCLUDE_LIST\nBUSY\nEND_EXCLUDE_LIST\n").unwrap();
    assert!(find(&profile(SOURCE, &["--filter", path], &[]), "busy").time.is_none());
    std::fs::write(&filter, "EXCLUDE busy\n").unwrap();
    let refused = trueline(dir.path(), &["build", "--profile", "--filter", path, "p.f90"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("line 1"));
    assert_ne!(refused.status.code(), Some(0));
}

#[test]
fn directives_select() {
    let source = SOURCE
        .replace("subroutine leaf(x)\n", "!$OMPI FUNCTION SCLS leaf\nsubroutine leaf(x)\n")
        .replace("  do k = 1", "!TL$ PROFILE OFF\n  do k = 1")
        .replace("  if (n < 0)", "!TL$ PROFILE ON\n  if (n < 0)");
    let p = profile(&source, &[], &[]);
    assert!(find(&p, "leaf").time.is_some_and(|t| t.inclusive_ns > 0), "a function that is named is timed");
    assert!(find(&p, "do k").time.is_none(), "what is switched off is not timed");
    // A sample may fall into it.
    let is_untimed = find(&profile(SOURCE, &[], &[]), "leaf").time.is_none_or(|t| t.estimated);
    assert!(is_untimed, "a leaf is counted, not timed");
    assert!(find(&profile(SOURCE, &["--time-leaves"], &[]), "leaf").time.is_some());
}

#[test]
fn regions_that_the_source_marks() {
    let source = SOURCE
        .replace("  do i = 1, 4000\n", "!TL$ REGION Main part\n  do i = 1, 4000\n!TL$ REGION inner\n")
        .replace("busy(x, i)\n  end do\n", "busy(x, i)\n!TL$ END REGION\n  end do\n!TL$ END REGION\n");
    for level in ["-O0", "-O3"] {
        let p = profile(&source, &[level], &[]);
        let (outer, inner) = (find(&p, "Main part"), find(&p, "inner"));
        assert_eq!((outer.kind.as_str(), outer.line, outer.end_line), ("region", 5, 12), "{level}");
        assert_eq!((outer.counts.invocations, inner.counts.invocations), (Some(1), Some(4000)), "{level}");
        let time = outer.time.unwrap();
        assert!(time.inclusive_ns * 2 > find(&p, "p").time.unwrap().inclusive_ns / 2, "{level}: {time:?}");
    }
}

#[test]
fn throttle_and_budget() {
    let p = profile(SOURCE, &[], &[("TRUELINE_THROTTLE", "100,100000")]);
    let busy = find(&p, "busy");
    assert_eq!((busy.untimed.as_deref(), busy.counts.invocations), (Some("throttled"), Some(4000)));
    let off = profile(SOURCE, &[], &[("TRUELINE_THROTTLE", "off")]);
    assert!(off.constructs.iter().all(|c| matches!(c.untimed.as_deref(), None | Some("leaf"))));
    assert_eq!(find(&off, "leaf").untimed.as_deref(), Some("leaf"));
    let none = profile(SOURCE, &["--overhead=0%"], &[]);
    // A sample may fall into it.
    assert!(none.constructs.iter().all(|c| c.time.as_ref().is_none_or(|t| t.estimated)));
    assert_eq!(find(&none, "busy").untimed.as_deref(), Some("over budget"));
    assert_eq!(none.overhead.timers, Some(0.0));
    let all = profile(SOURCE, &[], &[]);
    assert!(all.overhead.timers.unwrap() > 0.0 && all.overhead.measured.unwrap() > 0.0);
    assert_eq!(find(&none, "busy").counts, find(&all, "busy").counts);
}

/// A procedure that is called often for next to nothing is thinned in a program with a budget, and its timer is
/// left out where the source tells how often it is called. The counts are the same.
#[test]
fn a_budget_is_kept_while_the_program_runs() {
    let source = "program p\n  integer :: i, k, n\n  k = 0\n  n = 200000\n  if (command_argument_count() > 0) n = 1\n  do i = 1, n\n    call tiny(k, mod(i, 3))\n  end do\n  print *, k\n\
                  contains\nrecursive subroutine tiny(k, n)\n  integer :: k, n, j\n  do j = 1, n\n    k = k + j\nNEVER  end do\n\
                  \x20 if (k < 0) call tiny(k, n)\nend subroutine\nend program\n";
    // By its text it takes long enough to be thinned.
    let never: String = (1..=64).map(|n| format!("      k = k * 3 + ieor(k, {n})\n")).collect();
    let long = source.replace("NEVER", &format!("    if (k < 0) then\n{never}    end if\n"));
    let (source, short) = (long.as_str(), source.replace("NEVER", ""));
    let (usual, whole) = (profile(source, &["-O1"], &[]), profile(source, &["-O1", "--overhead=none"], &[]));
    assert!(find(&usual, "tiny").untimed.as_deref().is_some_and(|why| why.starts_with("thinned 1 in ")));
    assert_eq!(find(&whole, "tiny").untimed, None);
    for p in [&usual, &whole] {
        assert_eq!(find(p, "tiny").counts.invocations, Some(200_000));
    }
    let predicted = profile(&short.replace("1, n\n    call", "1, 200000\n    call"), &["-O1"], &[]);
    assert_eq!(find(&predicted, "tiny").untimed.as_deref(), Some("over budget"));
    assert!(find(&usual, "tiny").time.unwrap().inclusive_ns < find(&whole, "tiny").time.unwrap().inclusive_ns);
}

#[test]
fn the_call_tree_has_every_context() {
    let source = "program p\n  call a(3)\n  call b(1)\ncontains\nrecursive subroutine a(n)\n  integer :: n\n  call b(n)\n\
                  \x20 if (n > 1) call a(n - 1)\nend subroutine\nsubroutine b(n)\n  integer :: n\n  n = n + 0\nend subroutine\nend program\n";
    let source = source.replace("n = n + 0", "if (n < 0) print *, n");
    let p = profile(&source, &["--call-tree"], &[]);
    let name = |serial: u32| p.constructs.iter().find(|c| c.serial == serial).unwrap().text.clone();
    let path = |mut at: u32| {
        let mut out = Vec::new();
        loop {
            let node = &p.call_tree[at as usize];
            out.push(name(node.serial));
            match node.parent {
                Some(parent) => at = parent,
                None => break,
            }
        }
        out.reverse();
        out.join("/")
    };
    let mut paths: Vec<(String, u64)> = p.call_tree.iter().map(|n| (path(n.id), n.calls)).collect();
    paths.sort();
    let expected = ["p", "p/a", "p/a/a", "p/a/a/a", "p/a/a/a/b", "p/a/a/b", "p/a/b", "p/b"];
    assert_eq!(paths, expected.map(|p| (p.to_owned(), 1)));
    let shallow = profile(&source, &[], &[("TRUELINE_CALL_TREE", "2")]);
    let kept = shallow.call_tree.iter().filter(|n| !n.untimed && !n.estimated).count();
    assert_eq!(kept, 3, "p, a and b: deeper calls are on their account");
    assert!(profile(&source, &[], &[("TRUELINE_CALL_TREE", "off")]).call_tree.is_empty());
}

#[test]
fn score_decides_as_the_paper_does() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.f90"), SOURCE).unwrap();
    let out = trueline(dir.path(), &["score", "--json", "--write-filter", "f.txt", "p.f90"]);
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let of = |name: &str| {
        let all = json["procedures"].as_array().unwrap();
        all.iter().find(|p| p["procedure"] == name).unwrap_or_else(|| panic!("no {name}")).clone()
    };
    let (main, leaf, busy, never) = (of("p"), of("leaf"), of("busy"), of("never"));
    assert_eq!((&leaf["loop_level"], &leaf["instrumented"]), (&1.into(), &false.into()));
    assert_eq!(leaf["score"].as_u64().unwrap(), 202_752 + leaf["weight"].as_u64().unwrap());
    // It calls itself, which counts: it is instrumented.
    assert_eq!((&busy["callsites"], &busy["instrumented"]), (&1.into(), &true.into()));
    assert_eq!((&main["callsites"], &main["callsite_score"]), (&1.into(), &4_194_304.into()));
    assert_eq!((&never["callsites"], &never["instrumented"]), (&0.into(), &true.into()));
    let filter = std::fs::read_to_string(dir.path().join("f.txt")).unwrap();
    assert!(filter.contains("EXCLUDE leaf\n") && !filter.contains("busy"), "{filter}");
    let table = trueline(dir.path(), &["score", "--threshold", "9999999999", "p.f90"]);
    assert_eq!(String::from_utf8_lossy(&table.stdout).matches("not instrumented").count(), 4);
    // With a profile, constructs that were not executed have no weight.
    profile_in(dir.path(), SOURCE, &[], &[]);
    let out = trueline(dir.path(), &["score", "--json", "--profile-use", "p.json", "p.f90"]);
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let never = json["procedures"].as_array().unwrap().iter().find(|p| p["procedure"] == "never").unwrap();
    assert_eq!(never["weight"], 0);
    // And a build times the constructs that the scores select.
    let p = profile(SOURCE, &["--time=selective"], &[]);
    assert!(find(&p, "never").time.is_some() && find(&p, "leaf").time.is_none());
}
