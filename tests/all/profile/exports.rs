//! Exports, read back by the tools they are for.

use crate::build::calls_program;
use std::path::Path;
use std::process::{Command, Output};

fn run(directory: &Path, program: &str, args: &[&str]) -> Output {
    Command::new(program).args(args).current_dir(directory).output().unwrap_or_else(|e| panic!("{program}: {e}"))
}

pub fn trueline(directory: &Path, args: &[&str]) -> Output {
    let out = run(directory, env!("CARGO_BIN_EXE_trueline"), args);
    assert_eq!(out.status.code(), Some(0), "{args:?}: {}", text(&out.stderr));
    out
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A directory with the executable `calls` and its profile `p.json`.
pub fn profiled() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("calls.f90"), calls_program(3000)).unwrap();
    trueline(dir.path(), &["build", "-g", "--profile", "-O1", "--time", "all", "calls.f90", "-o", "calls"]);
    let out = Command::new(dir.path().join("calls"))
        .env("TRUELINE_PROFILE_FILE", "p.json")
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert!(out.status.success());
    dir
}

fn export(directory: &Path, format: &str) -> Vec<u8> {
    trueline(directory, &["export", "--format", format, "--exe", "calls", "-o", "out", "p.json"]);
    let bytes = std::fs::read(directory.join("out")).unwrap();
    assert!(!bytes.is_empty(), "{format}");
    bytes
}

/// Whether the tool is there; where nothing may be skipped, it must be.
#[allow(clippy::print_stderr)]
pub fn has(tool: &str) -> bool {
    let there =
        std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|d| d.join(tool).is_file()));
    assert!(there || std::env::var_os("TRUELINE_TEST_NO_SKIP").is_none(), "'{tool}' is not installed");
    if !there {
        eprintln!("skipped: '{tool}' is not installed");
    }
    there
}

#[test]
fn callgrind() {
    let dir = profiled();
    export(dir.path(), "callgrind");
    if !has("callgrind_annotate") {
        return;
    }
    let out = run(dir.path(), "callgrind_annotate", &["--auto=yes", "--threshold=100", "out"]);
    let shown = text(&out.stdout);
    let squeezed: Vec<String> = shown.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let line = |ending: &str| {
        squeezed.iter().find(|l| l.ends_with(ending)).unwrap_or_else(|| panic!("{ending} in {shown}")).clone()
    };
    assert!(line("do k = 1, 3000").contains(" 603,000 "), "{shown}");
    assert!(line("do j = 1, 5").starts_with("40 "), "{shown}");
    line("=> calls.f90:inner (200x)");
    line("=> calls.f90:outer (40x)");
    assert!(line("if (x < 100.0) x = x + 1.0").starts_with("603,000 "), "{shown}");
}

#[test]
fn lcov() {
    let dir = profiled();
    let written = text(&export(dir.path(), "lcov"));
    for record in ["DA:22,603000", "BRDA:22,0,0,", "FNDA:201,inner", "DA:14,40", "LF:7"] {
        assert!(written.contains(record), "{record} in {written}");
    }
    if !has("genhtml") {
        return;
    }
    std::fs::rename(dir.path().join("out"), dir.path().join("out.info")).unwrap();
    let out = run(dir.path(), "genhtml", &["--branch-coverage", "-o", "html", "out.info"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert!(text(&out.stdout).contains("7 of 7 lines"), "{}", text(&out.stdout));
}

#[test]
fn gmon() {
    let dir = profiled();
    export(dir.path(), "gmon");
    if !has("gprof") {
        return;
    }
    let out = run(dir.path(), "gprof", &["-b", "-q", "calls", "out"]);
    let shown = text(&out.stdout);
    let squeezed: Vec<String> = shown.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(squeezed.iter().any(|l| l.contains("200/201 outer_")), "{shown}");
    assert!(squeezed.iter().any(|l| l.contains("1/201 MAIN__")), "{shown}");
    let lines = run(dir.path(), "gprof", &["-l", "-A", "calls", "out"]);
    let shown = text(&lines.stdout);
    let line =
        |ending: &str| shown.lines().find(|l| l.ends_with(ending)).unwrap_or_else(|| panic!("{ending} in {shown}"));
    assert!(line("if (x < 100.0) x = x + 1.0").trim_start().starts_with("603000 ->"), "{shown}");
    let refused = run(dir.path(), env!("CARGO_BIN_EXE_trueline"), &["export", "--format", "gmon", "p.json"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("--exe"), "{}", text(&refused.stderr));
}

#[test]
fn gprof_knows_internal_procedures() {
    let dir = tempfile::tempdir().unwrap();
    let source = "program p\n  integer :: i, k = 0\n  do i = 1, 10\n    call thin(k)\n  end do\n  print *, k\ncontains\n\
                  recursive subroutine thin(k)\n  integer, intent(inout) :: k\n  k = k + 1\n\
                  if (mod(k, 3) == 1) call thin(k)\nend subroutine\nend program\n";
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    trueline(dir.path(), &["build", "--profile", "-O1", "p.f90", "-o", "calls"]);
    let mut program = Command::new(dir.path().join("calls"));
    let ran = program.env("TRUELINE_PROFILE_FILE", "p.json").current_dir(dir.path()).output().unwrap();
    assert!(ran.status.success());
    export(dir.path(), "gmon");
    if !has("gprof") {
        return;
    }
    let shown = text(&run(dir.path(), "gprof", &["-b", "-q", "calls", "out"]).stdout);
    let squeezed: Vec<String> = shown.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(squeezed.iter().any(|l| l.contains("10+5 thin_IN_MAIN__")), "{shown}");
}

#[test]
fn pprof() {
    let dir = profiled();
    export(dir.path(), "pprof");
    if !has("go") {
        return;
    }
    let go = |args: &[&str]| {
        let mut all = vec!["tool", "pprof"];
        all.extend(args);
        all.push("out");
        let out = Command::new("go")
            .args(&all)
            .env("PPROF_TMPDIR", dir.path())
            .env("HOME", dir.path())
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let list = go(&["-sample_index=executions", "-list", "inner"]);
    let squeezed: Vec<String> = list.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(squeezed.iter().any(|l| l.starts_with("603000 603000") && l.contains("if (x < 100.0)")), "{list}");
    let top = go(&["-top", "-cum"]);
    assert!(top.contains("inner") && top.contains("calls"), "{top}");
}

/// The weights of a stack add up to the time of the program.
#[test]
fn stacks() {
    let dir = profiled();
    let folded = text(&export(dir.path(), "folded"));
    let sum: u64 = folded.lines().map(|l| l.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum();
    let profile: serde_json::Value =
        serde_json::from_slice(&std::fs::read(dir.path().join("p.json")).unwrap()).unwrap();
    // Each weight is rounded.
    let whole = profile["constructs"][0]["time"]["inclusive_ns"].as_u64().unwrap();
    assert!(sum.abs_diff(whole) <= folded.lines().count() as u64, "{sum} of {whole}");
    assert!(folded.contains("calls;do i = 1, 40 [calls:5];outer;do j = 1, 5 [outer:14];inner;"), "{folded}");
    let speedscope: serde_json::Value = serde_json::from_slice(&export(dir.path(), "speedscope")).unwrap();
    let p = &speedscope["profiles"][0];
    assert_eq!(p["endValue"].as_u64(), Some(sum));
    let frames = speedscope["shared"]["frames"].as_array().unwrap().len();
    for sample in p["samples"].as_array().unwrap() {
        assert!(sample.as_array().unwrap().iter().all(|f| (f.as_u64().unwrap() as usize) < frames));
    }
    assert_eq!(p["samples"].as_array().unwrap().len(), p["weights"].as_array().unwrap().len());
}

/// Children of a slice lie inside it, one after the other.
#[test]
fn chrome() {
    let dir = profiled();
    let trace: serde_json::Value = serde_json::from_slice(&export(dir.path(), "chrome")).unwrap();
    let slices: Vec<(f64, f64)> = trace["traceEvents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|e| e["ph"] == "X" && e["tid"] == 1)
        .map(|e| (e["ts"].as_f64().unwrap(), e["ts"].as_f64().unwrap() + e["dur"].as_f64().unwrap()))
        .collect();
    assert!(slices.len() >= 6);
    for (i, a) in slices.iter().enumerate() {
        for b in &slices[i + 1..] {
            let apart = b.0 >= a.1 - 1e-6;
            let inside = b.0 >= a.0 - 1e-6 && b.1 <= a.1 + 1e-6;
            assert!(apart || inside, "{a:?} {b:?}");
        }
    }
}

/// Tools in Python are asked where they are installed; they are in no distribution.
#[allow(clippy::print_stderr)]
fn python(directory: &Path, module: &str, script: &str) -> Option<String> {
    let there = Command::new("python3").args(["-c", &format!("import {module}")]).output();
    if !there.is_ok_and(|o| o.status.success()) {
        eprintln!("skipped: the Python module '{module}' is not installed");
        return None;
    }
    let out = run(directory, "python3", &["-c", script]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    Some(text(&out.stdout))
}

#[test]
fn cube() {
    let dir = profiled();
    let bytes = export(dir.path(), "cube");
    assert_eq!(&bytes[257..262], b"ustar");
    let script = "
from pycubexr import CubexParser
with CubexParser('out') as c:
    visits = [m for m in c.get_metrics() if m.name == 'visits'][0]
    values = c.get_metric_values(visits)
    for n in c.all_cnodes():
        print(c.get_region(n).name, int(values.cnode_values(n, convert_to_inclusive=False).sum()))
";
    if let Some(shown) = python(dir.path(), "pycubexr", script) {
        assert!(
            shown.contains("outer 40\n") && shown.contains("inner 200\n") && shown.contains("inner 1\n"),
            "{shown}"
        );
    }
}

#[test]
fn sarif_remarks_and_csv() {
    let dir = profiled();
    let sarif: serde_json::Value = serde_json::from_slice(&export(dir.path(), "sarif")).unwrap();
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for r in sarif["runs"][0]["results"].as_array().unwrap() {
        assert_eq!(rules[r["ruleIndex"].as_u64().unwrap() as usize]["id"], r["ruleId"]);
        assert!(r["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().unwrap() > 0);
    }
    let remarks = text(&export(dir.path(), "remarks"));
    assert!(remarks.contains("Line: 21,") && remarks.contains("Hotness:         603000"), "{remarks}");
    let script = "
import yaml
class Loader(yaml.SafeLoader): pass
for kind in ('Passed', 'Missed', 'Analysis'):
    Loader.add_constructor('!' + kind, lambda l, n, k=kind: (k, l.construct_mapping(n, deep=True)))
for kind, r in yaml.load_all(open('out'), Loader):
    print(kind, r['DebugLoc']['Line'], r['Function'], r.get('Hotness'))
";
    if let Some(shown) = python(dir.path(), "yaml", script) {
        assert!(shown.contains("Analysis 21 inner 603000\n"), "{shown}");
    }
    let csv = text(&export(dir.path(), "csv"));
    assert!(csv.contains(",\"inner\",\"calls.f90\",21,"), "{csv}");
}
