//! Reports, sums, comparisons and exports of profiles, as scripts call them.

use crate::build::{calls_program, root};
use std::path::Path;
use std::process::{Command, Output};

fn trueline(directory: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trueline")).args(args).current_dir(directory).output().expect("the compiler runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A directory with the profile of an example at a level, as `p.json`.
fn profiled(example: &str, level: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("program.f90");
    std::fs::copy(root().join("examples/hpf").join(example), &source).unwrap();
    let out = trueline(dir.path(), &["profile", "--quiet", level, "--out", "p.json", "program.f90"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    dir
}

fn json(directory: &Path, name: &str) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(directory.join(name)).unwrap()).unwrap()
}

/// The profile of a program of calls, as `p.json`.
fn calls(level: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("calls.f90"), calls_program(3)).unwrap();
    let out = trueline(dir.path(), &["profile", "--quiet", level, "--time", "all", "--out", "p.json", "calls.f90"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    dir
}

#[test]
fn views() {
    let dir = calls("-O1");
    let view = |name: &str| {
        let out = trueline(dir.path(), &["report", "p.json", "--view", name]);
        assert_eq!(out.status.code(), Some(0), "{name}: {}", text(&out.stderr));
        text(&out.stdout)
    };
    let procedures = view("procedures");
    assert!(procedures.contains("procedure inner") && !procedures.contains("do k"), "{procedures}");
    let loops = view("loops");
    assert!(loops.contains("do k = 1, 3") && !loops.contains("procedure inner"), "{loops}");
    let tree = view("tree");
    let lines: Vec<&str> = tree.lines().collect();
    let depth = |word: &str| lines.iter().find_map(|l| l.find(word)).unwrap_or_else(|| panic!("{word} in {tree}"));
    assert!(depth("calls") < depth("outer"), "{tree}");
    assert!(view("calls").contains("200  "), "{}", view("calls"));
    assert!(view("source").contains("if (x < 100.0)"));
    assert!(!view("all").contains('\u{1b}'));
    let csv = text(&trueline(dir.path(), &["report", "p.json", "--csv"]).stdout);
    assert_eq!(csv.lines().count(), 1 + json(dir.path(), "p.json")["constructs"].as_array().unwrap().len());
}

#[test]
fn colours_only_where_they_are_wanted() {
    let dir = calls("-O0");
    let colours = |variables: &[(&str, &str)]| {
        let out = Command::new(env!("CARGO_BIN_EXE_trueline"))
            .args(["report", "p.json"])
            .envs(variables.iter().copied())
            .current_dir(dir.path())
            .output()
            .unwrap();
        text(&out.stdout).contains('\u{1b}')
    };
    assert!(!colours(&[]));
    assert!(colours(&[("CLICOLOR_FORCE", "1")]));
    assert!(!colours(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!colours(&[("CLICOLOR_FORCE", "0")]));
}

#[test]
fn sums() {
    let dir = calls("-O3");
    let out = trueline(dir.path(), &["merge", "-o", "sum.json", "p.json", "p.json", "p.json"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let (one, sum) = (json(dir.path(), "p.json"), json(dir.path(), "sum.json"));
    for (a, b) in one["constructs"].as_array().unwrap().iter().zip(sum["constructs"].as_array().unwrap()) {
        for measure in ["invocations", "iterations", "evaluations"] {
            let times = |c: &serde_json::Value| c["counts"][measure].as_u64();
            assert_eq!(times(a).map(|n| 3 * n), times(b), "{measure} of {a}");
        }
    }
    let shown = trueline(dir.path(), &["report", "p.json", "p.json", "--json"]);
    let shown: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(shown["edges"][0]["calls"].as_u64(), one["edges"][0]["calls"].as_u64().map(|n| 2 * n));
    assert_eq!(sum["processors"].as_array().unwrap().len(), 3);
}

/// Takes the times out of a profile: those of two runs on a busy machine may differ by anything.
fn timeless(path: &Path) {
    let mut p: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    p["clock"]["elapsed_ns"] = 1_000_000.into();
    p["processors"] = serde_json::json!([]);
    for c in p["constructs"].as_array_mut().unwrap() {
        c.as_object_mut().unwrap().remove("time");
    }
    std::fs::write(path, serde_json::to_vec(&p).unwrap()).unwrap();
}

/// The same program at two levels has the same counts; one that works more is found out.
#[test]
fn comparisons() {
    let (fast, slow) = (calls("-O3"), calls("-O0"));
    let old = slow.path().join("p.json");
    let fast_json = fast.path().join("p.json");
    let diff = |a: &Path, b: &Path, more: &[&str]| {
        let mut args = vec!["diff", a.to_str().unwrap(), b.to_str().unwrap()];
        args.extend(more);
        trueline(fast.path(), &args)
    };
    let out = diff(&old, &fast_json, &["--json"]);
    let d: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    for c in d["constructs"].as_array().unwrap() {
        assert_eq!(c["change"], "same", "{c}");
        assert_eq!(c["old"]["counts"], c["new"]["counts"], "{c}");
    }
    let more = calls_program(3)
        .replace("1, 40", "1, 50")
        .replace("program calls\n", "program calls\n  ! A comment moves lines.\n");
    std::fs::write(fast.path().join("calls.f90"), more).unwrap();
    let built = trueline(fast.path(), &["profile", "--quiet", "--out", "more.json", "calls.f90"]);
    assert_eq!(built.status.code(), Some(0));
    let new = fast.path().join("more.json");
    timeless(&fast_json);
    timeless(&new);
    let out = diff(&fast_json, &new, &["--fail-over", "5%"]);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stdout));
    assert!(
        text(&out.stderr).contains("calls.f90:15: do j = 1, 5: count 200 to 250 (+25.0 %)"),
        "{}",
        text(&out.stderr)
    );
    assert_eq!(diff(&fast_json, &new, &["--fail-over", "30%"]).status.code(), Some(0));
    assert_eq!(diff(&fast_json, &new, &["--fail-over", "x"]).status.code(), Some(2));
    let refused = trueline(fast.path(), &["merge", "-o", "no.json", "p.json", "more.json"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(!fast.path().join("no.json").exists());
}

/// A file that is no profile ends every command with exit 1 and one message.
#[test]
fn hostile_profiles() {
    let dir = calls("-O3");
    let whole = std::fs::read(dir.path().join("p.json")).unwrap();
    let older = text(&whole).replacen("trueline-profile/1", "trueline-profile/0", 1);
    let hostile: [(&str, Vec<u8>); 5] = [
        ("empty.json", vec![]),
        ("cut.json", whole[..whole.len() / 2].to_vec()),
        ("old.json", older.into_bytes()),
        ("deep.json", b"[".repeat(1 << 20)),
        ("binary.json", (0..=255).cycle().take(4096).collect()),
    ];
    for (name, bytes) in hostile {
        std::fs::write(dir.path().join(name), bytes).unwrap();
        for args in [
            &["report", name][..],
            &["report", name, "--json"],
            &["merge", "-o", "out.json", "p.json", name],
            &["diff", "p.json", name],
        ] {
            let out = trueline(dir.path(), args);
            assert_eq!(out.status.code(), Some(1), "{args:?}");
            assert_eq!(text(&out.stderr).lines().count(), 1, "{args:?}: {}", text(&out.stderr));
            assert!(out.stdout.is_empty(), "{args:?}");
        }
    }
    assert!(!dir.path().join("out.json").exists());
}

#[test]
fn an_example_reports() {
    let dir = profiled("teaching.f90", "-O3");
    let out = trueline(dir.path(), &["report", "p.json", "--view", "loops", "--limit", "3"]);
    let told = text(&out.stdout);
    let rows: Vec<&str> = told.lines().skip(3).filter(|l| !l.contains(":  ") && !l.contains("  do ")).collect();
    assert!(told.lines().nth(2).is_some_and(|l| l.starts_with("line ")) && rows.len() <= 3, "{told}");
}

/// The reports of a profile as files beside it, at the widths of terminals and of a file. `BLESS=1` rewrites them.
#[test]
fn reports_of_every_width() {
    let directory = root().join("tests/report");
    let mut wrong = Vec::new();
    for view in ["brief", "statements"] {
        for width in ["80", "100", "120", ""] {
            let out = Command::new(env!("CARGO_BIN_EXE_trueline"))
                .args(["report", "storm.json", "--view", view])
                .env("COLUMNS", width)
                .current_dir(&directory)
                .output()
                .unwrap();
            let got = text(&out.stdout);
            if let Ok(most) = width.parse::<usize>() {
                for line in got.lines() {
                    assert!(line.chars().count() <= most, "{view} at {width}: {line}");
                }
            }
            let path = directory.join(format!("storm.{view}{width}.txt"));
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(path, got).unwrap();
            } else if std::fs::read_to_string(&path).unwrap_or_default() != got {
                wrong.push(format!("{}:\n{got}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "not as expected (BLESS=1 accepts):\n{}", wrong.join("\n"));
}

/// Builds and runs a program at -O3 with a profile, and reports it.
fn shown(source: &str, args: &[&str]) -> String {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    crate::profile::exports::trueline(dir.path(), &["build", "--profile", "-O3", "--time=all", "p.f90", "-o", "p"]);
    let mut program = std::process::Command::new(dir.path().join("p"));
    let ran = program.current_dir(dir.path()).env("TRUELINE_PROFILE_FILE", "p.json").output().unwrap();
    assert!(ran.status.success());
    let out = crate::profile::exports::trueline(dir.path(), &[&["report", "p.json"], args].concat());
    String::from_utf8_lossy(&out.stdout).into_owned()
}

#[test]
fn loops_tell_how_they_walk_through_memory() {
    let source = "program p\n  real(8) :: a(20, 30), b(30), s\n  integer :: i, j, k(30)\n  k = 1\n  b = 1d0\n  a = 0d0\n  s = 2d0\n\
                  \x20 do i = 1, 20\n    do j = 1, 30\n      a(i, j) = a(i, j) + b(j) * s + b(k(j)) + b(3)\n    end do\n  end do\n\
                  \x20 do i = 2, 19\n    b(i) = b(i + 1) + real(i, 8)\n  end do\n  print *, sum(a), b(5)\nend program\n";
    let text = shown(source, &["--view", "memory"]);
    let squeezed: Vec<String> = text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let has = |line: &str| assert!(squeezed.iter().any(|l| l == line), "{line} in {text}");
    has("a(i, j) read and written: constant stride, 160 bytes");
    has("b(j) read: unit stride, 8 bytes");
    has("k(j) read: unit stride, 4 bytes");
    has("b(k(j)) read: irregular");
    has("b(3) read: uniform");
    has("with the loop of line 8 innermost, 4 of 5 accesses would be next to one another, not 3");
    has("b(i) written: unit stride, 8 bytes");
    // 600 iterations of 28 bytes; 20 entries.
    has("840 B 16.800 kB p.f90:9 do j = 1, 30");
}

#[test]
fn a_joint_time_is_parted() {
    let source = "program p\n  real(8) :: a(1000), b(1000)\n  integer :: i, k\n  a = 1d0\n  b = 2d0\n  do k = 1, 300\n\
                  \x20   do i = 1, 1000\n      a(i) = a(i) * 0.5d0 + 1d0\n    end do\n    do i = 1, 1000\n\
                  \x20     b(i) = b(i) * 0.25d0 + 2d0 / b(i) - 1d0 / (b(i) + 3d0) + a(i)\n    end do\n  end do\n  print *, a(3) > 0, b(4) > 0\n\
                  end program\n";
    let text = shown(source, &["--view", "loops"]);
    let squeezed: Vec<String> = text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let share = |line: &str| {
        let row = squeezed.iter().find(|l| l.starts_with(&format!("{line} do i = 1, 1000 ~"))).expect(&text);
        // The status of a member: its share, and the bounds of that.
        let share = row.rsplit(" ~").next().unwrap();
        let numbers: Vec<u32> = share.split(|c: char| !c.is_ascii_digit()).filter_map(|w| w.parse().ok()).collect();
        (numbers[0], numbers[1], numbers[2])
    };
    let group = squeezed.iter().find(|l| l.starts_with("p.f90:7+10 ")).expect(&text);
    assert!(group.ends_with(" merged 7+10"), "{group}");
    // Without optimization the first takes a twentieth of the time of both: two divisions are long.
    let (first, second) = (share("p.f90:7"), share("p.f90:10"));
    assert!(first.1 <= 4 && (5..20).contains(&first.0) && first.2 < 60, "{first:?}");
    assert!(first.0 + second.0 == 100 && first.1 + second.2 == 100, "{second:?}");
}

#[test]
fn formulas_name_counts_in_place_of_all_cells_of_a_histogram() {
    let dir = tempfile::tempdir().unwrap();
    let source = "program nest\n  implicit none\n  integer :: i, j, s\n  s = 0\n  do i = 1, 40\n    if (mod(i, 3) == 0) cycle\n\
                  \x20   do j = 1, mod(i, 7)\n      s = s + mod(j * i, 5)\n    end do\n    if (mod(s, 4) == 0) s = s + 1\n  end do\n\
                  \x20 print *, s\nend program\n";
    std::fs::write(dir.path().join("nest.f90"), source).unwrap();
    let out = trueline(dir.path(), &["profile", "--quiet", "-O3", "--overhead=none", "--out", "p.json", "nest.f90"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let p = json(dir.path(), "p.json");
    let formula = |line: u64, measure: &str| {
        let c = p["constructs"].as_array().unwrap().iter().find(|c| c["line"] == line).unwrap();
        let all = c["formulas"].as_array().unwrap();
        all.iter().find(|f| f[0] == measure).unwrap()[1].as_str().unwrap().to_owned()
    };
    assert_eq!(formula(7, "iterations"), "counters of its trips");
    assert_eq!(formula(10, "evaluations"), "invocations of do j = 1, mod(i, 7)");
    assert_eq!(formula(6, "taken.0"), "40 × invocations of nest − invocations of do j = 1, mod(i, 7)");
}
