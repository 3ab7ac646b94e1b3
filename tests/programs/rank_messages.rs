//! HPF on ranks: the messages between ranks, against the fewest and shortest that suffice, and arrays that stay with their owners.

use crate::build::is_full;
use crate::ranks::build;
use crate::trial;
use libtest_mimic::Trial;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// All tests of messages.
pub fn trials() -> Vec<Trial> {
    let here = Path::new("tests/hpf/ranks/messages");
    let kept = Path::new("tests/hpf/kept/main.f90");
    vec![
        trial("hpf-table", here, |_| table()),
        trial("hpf-constructs", here, |_| constructs()),
        trial("hpf-least", here, |_| least()),
        trial("hpf-kept", kept, |_| kept_arrays()),
        trial("hpf-kept-calls", kept, |_| calls_send_nothing()),
    ]
}

/// The messages and bytes that all ranks send, and the output.
fn sent(program: &Path, ranks: usize) -> Result<([u64; 2], String), String> {
    let report = program.with_extension(format!("{ranks}.report"));
    let _ = std::fs::remove_file(&report);
    let mut command = Command::new("timeout");
    command.arg("120").arg(program).env("TRUELINE_NP", ranks.to_string()).env("TRUELINE_MESSAGES", &report);
    let output = command.stdin(Stdio::null()).output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        return Err(format!("{:?} {}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    // One rank alone has no report.
    let report = std::fs::read_to_string(&report).unwrap_or_default();
    let lines = || report.lines().map(|l| l.split(' ').collect::<Vec<_>>()).filter(|w| w.get(2) == Some(&"messages"));
    let sum = |k: usize| lines().map(|w| w.get(k).and_then(|n| n.parse::<u64>().ok()).unwrap_or(0)).sum();
    Ok(([sum(3), sum(5)], text))
}

/// Builds a text as a program of its own.
fn built(directory: &Path, name: &str, text: &str, flags: &[&str]) -> Result<PathBuf, String> {
    let source = directory.join(format!("{name}.f90"));
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    build(directory, name, &[&source], &[&["-O2", "-fhpf"], flags].concat())
}

/// The rows of a table in docs/directives.md, whose heading begins with `| program`, behind the first line with `title`.
fn rows<'t>(text: &'t str, title: &str) -> Vec<Vec<&'t str>> {
    text.lines()
        .skip_while(|l| !l.contains(title))
        .skip_while(|l| !l.starts_with("| program"))
        .skip(2)
        .take_while(|l| l.starts_with('|'))
        .map(|l| l.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// The messages and bytes that `per` steps of an iteration send, as the difference of two programs.
fn step(few: &Path, many: &Path, ranks: usize, per: u64) -> Result<[String; 2], String> {
    let ([m0, b0], _) = sent(few, ranks)?;
    let ([m1, b1], _) = sent(many, ranks)?;
    if !(m1 - m0).is_multiple_of(per) || !(b1 - b0).is_multiple_of(per) {
        return Err(format!("{} messages and {} bytes are not those of {per} steps", m1 - m0, b1 - b0));
    }
    Ok([(m1 - m0) / per, (b1 - b0) / per].map(|n| n.to_string()))
}

/// The rows of the table *Single constructs* in docs/directives.md agree with the programs in tests/hpf/ranks that they name, and each such
/// program has a row.
fn constructs() -> Result<(), String> {
    const STEPS: &str = "steps = 5";
    let text = std::fs::read_to_string("docs/directives.md").map_err(|e| e.to_string())?;
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut names = Vec::new();
    for row in rows(&text, "Single constructs") {
        let &[name, _, messages, _, bytes, _] = row.as_slice() else { return Err(format!("{row:?}")) };
        let name = name.trim_matches('`');
        let source =
            std::fs::read_to_string(format!("tests/hpf/ranks/{name}.f90")).map_err(|e| format!("{name}: {e}"))?;
        if !source.contains(STEPS) {
            return Err(format!("{name} has no {STEPS}"));
        }
        let few = built(directory.path(), &format!("{name}5"), &source, &[])?;
        let many = built(directory.path(), &format!("{name}8"), &source.replace(STEPS, "steps = 8"), &[])?;
        let found = step(&few, &many, 4, 3).map_err(|e| format!("{name}: {e}"))?;
        let stated = [messages, bytes].map(|n| n.replace(',', ""));
        if found != stated {
            return Err(format!("{name}: {found:?} a step, {stated:?} in docs/directives.md"));
        }
        names.push(name.to_owned());
    }
    let programs = crate::build::files("tests/hpf/ranks", &["f90"]);
    match programs.iter().map(|p| crate::ranks::stem(p)).find(|p| p.starts_with("least_") && !names.contains(p)) {
        Some(program) => Err(format!("{program} has no row in docs/directives.md")),
        None => Ok(()),
    }
}

/// The rows of the table *Messages of a step* in docs/directives.md agree with the programs: program, mapping, ranks, messages and bytes of a step,
/// and the least of both, found by hand.
fn table() -> Result<(), String> {
    let text = std::fs::read_to_string("docs/directives.md").map_err(|e| e.to_string())?;
    let rows = rows(&text, "Messages of a step");
    if rows.len() < 6 {
        return Err(format!("{} rows", rows.len()));
    }
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut programs: BTreeMap<String, [PathBuf; 2]> = BTreeMap::new();
    for row in rows {
        let &[program, mapping, ranks, messages, _, bytes, _] = row.as_slice() else { return Err(format!("{row:?}")) };
        let name = program.split(' ').next().unwrap_or_default().trim_matches('`');
        // The number of steps in the source, two numbers in its place, and the steps that one step of the table is.
        let (steps, few, many, per) = match name {
            "jacobi" => ("maxit = 4000", "maxit = 20", "maxit = 30", 10),
            "tomcatv" | "tomcatv_intrin" => ("itmax = 400", "itmax = 20", "itmax = 30", 10),
            "swm256_1d1" | "swm256_1d2" => ("itmax = 600", "itmax = 20", "itmax = 30", 10),
            "kernel7" => ("passes = 200000", "passes = 995", "passes = 2985", 2),
            _ => return Err(format!("{name} is no program")),
        };
        // A mapping behind which the strips of sweeps stand is not that of the source.
        let strip = mapping.split_once(", strips of ").map_or("0", |(_, strip)| strip);
        let key = format!("{name}{strip}");
        if !programs.contains_key(&key) {
            let mut source = std::fs::read_to_string(format!("examples/hpf/{name}.f90")).map_err(|e| e.to_string())?;
            if strip != "0" {
                source = source.replace("mesh(BLOCK, *)", "mesh(*, BLOCK)");
            }
            if !source.contains(steps) {
                return Err(format!("{name} has no {steps}"));
            }
            let of = |number: usize, with| {
                let text = source.replace(steps, with);
                built(directory.path(), &format!("{key}_{number}"), &text, &[&format!("-fhpf-strip={strip}")])
            };
            programs.insert(key.clone(), [of(0, few)?, of(1, many)?]);
        }
        let [few, many] = &programs[&key];
        let ranks = ranks.parse().map_err(|_| format!("{row:?}"))?;
        let found = step(few, many, ranks, per).map_err(|e| format!("{name} on {ranks} ranks: {e}"))?;
        let stated = [messages, bytes].map(|n| n.replace(',', ""));
        if found != stated {
            return Err(format!("{name} on {ranks} ranks: {found:?} a step, {stated:?} in docs/directives.md"));
        }
    }
    Ok(())
}

/// The owner of an element from 1 to `n`.
type Owner = fn(n: usize, ranks: usize, i: usize) -> usize;

fn block(n: usize, ranks: usize, i: usize) -> usize {
    (i - 1) / n.div_ceil(ranks)
}

fn cyclic(_: usize, ranks: usize, i: usize) -> usize {
    (i - 1) % ranks
}

fn threes(_: usize, ranks: usize, i: usize) -> usize {
    (i - 1) / 3 % ranks
}

/// One assignment of elements: for each element that it defines the elements that it reads.
struct Case {
    /// The mapping of the array that is assigned, and its owner.
    to: (&'static str, Owner),
    /// The mapping of the array that is read.
    from: (&'static str, Owner),
    /// The statement.
    text: &'static str,
    /// The elements that are read for element `i`; none if it is not assigned.
    reads: fn(n: usize, i: usize) -> Option<Vec<usize>>,
}

const CASES: [Case; 10] = [
    Case { to: ("BLOCK", block), from: ("BLOCK", block), text: "b(2:n - 1) = a(1:n - 2) + a(3:n)", reads: both_sides },
    Case {
        to: ("CYCLIC", cyclic),
        from: ("CYCLIC", cyclic),
        text: "b(2:n - 1) = a(1:n - 2) + a(3:n)",
        reads: both_sides,
    },
    Case {
        to: ("CYCLIC(3)", threes),
        from: ("CYCLIC(3)", threes),
        text: "b(2:n - 1) = a(1:n - 2) + a(3:n)",
        reads: both_sides,
    },
    Case { to: ("CYCLIC", cyclic), from: ("BLOCK", block), text: "b = a", reads: same },
    Case { to: ("BLOCK", block), from: ("CYCLIC(3)", threes), text: "b = a", reads: same },
    Case { to: ("CYCLIC", cyclic), from: ("CYCLIC", cyclic), text: "b(1:n:3) = a(1:n:3)", reads: every_third },
    Case { to: ("CYCLIC(3)", threes), from: ("CYCLIC", cyclic), text: "b(1:n:3) = a(1:n:3)", reads: every_third },
    Case { to: ("CYCLIC", cyclic), from: ("CYCLIC", cyclic), text: "b(n:1:-1) = a(1:n)", reads: backwards },
    Case { to: ("BLOCK", block), from: ("BLOCK", block), text: "b = cshift(a, 1)", reads: shifted },
    Case { to: ("CYCLIC(3)", threes), from: ("CYCLIC(3)", threes), text: "b = cshift(a, -2)", reads: shifted_back },
];

fn both_sides(n: usize, i: usize) -> Option<Vec<usize>> {
    (i > 1 && i < n).then(|| vec![i - 1, i + 1])
}

fn same(_: usize, i: usize) -> Option<Vec<usize>> {
    Some(vec![i])
}

fn every_third(_: usize, i: usize) -> Option<Vec<usize>> {
    (i % 3 == 1).then(|| vec![i])
}

fn backwards(n: usize, i: usize) -> Option<Vec<usize>> {
    Some(vec![n + 1 - i])
}

fn shifted(n: usize, i: usize) -> Option<Vec<usize>> {
    Some(vec![i % n + 1])
}

fn shifted_back(n: usize, i: usize) -> Option<Vec<usize>> {
    Some(vec![(i + n - 3) % n + 1])
}

/// Sections send each element that a rank needs once, in one message for each pair of ranks: an oracle counts elements one by one.
fn least() -> Result<(), String> {
    const N: usize = 83;
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    for (number, case) in CASES.iter().enumerate() {
        let program = |statement: &str| {
            format!(
                "program p\n  integer, parameter :: n = {N}\n  real(8) :: a(n), b(n)\n  integer :: i\n\
                 !HPF$ DISTRIBUTE a({})\n!HPF$ DISTRIBUTE b({})\n  do i = 1, n\n    a(i) = i\n  end do\n\
                 do i = 1, n\n    b(i) = -i\n  end do\n  {statement}\n  print *, 'end'\nend program\n",
                case.from.0, case.to.0
            )
        };
        let with = built(directory.path(), &format!("with{number}"), &program(case.text), &[])?;
        let without = built(directory.path(), &format!("without{number}"), &program(""), &[])?;
        let ranks: &[usize] = if is_full() { &[2, 3, 4, 7] } else { &[[2, 3, 4][number % 3]] };
        for &ranks in ranks {
            let mut needed: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
            for i in 1..=N {
                let at = (case.to.1)(N, ranks, i);
                for k in (case.reads)(N, i).unwrap_or_default() {
                    let of = (case.from.1)(N, ranks, k);
                    let elements = needed.entry((of, at)).or_default();
                    if of != at && !elements.contains(&k) {
                        elements.push(k);
                    }
                }
            }
            needed.retain(|_, elements| !elements.is_empty());
            let wanted = [needed.len() as u64, needed.values().map(|e| 8 * e.len() as u64).sum()];
            let ([m0, b0], _) = sent(&without, ranks)?;
            let ([m1, b1], _) = sent(&with, ranks)?;
            let found = [m1 - m0, b1 - b0];
            // The owner of an element of a section with a step is known in each iteration only: elements may travel by themselves.
            let is_apart = case.text.contains("1:n:3") && found == [wanted[1] / 8, wanted[1]];
            if found != wanted && !is_apart {
                return Err(format!(
                    "{} from {} to {} on {ranks} ranks: {found:?} messages and bytes, {wanted:?} suffice",
                    case.text, case.from.0, case.to.0
                ));
            }
        }
    }
    Ok(())
}

/// Compiles a file to an object.
fn object(directory: &Path, file: &str, flags: &[&str]) -> Result<PathBuf, String> {
    let object = directory.join(file).with_extension("o");
    let source = Path::new("tests/hpf/kept").join(file);
    let mut command = match file.ends_with(".c") {
        true => Command::new("cc"),
        false => Command::new(env!("CARGO_BIN_EXE_trueline")),
    };
    if !file.ends_with(".c") {
        command.arg("fc").arg("-J").arg(directory);
    }
    let output =
        command.args(flags).arg("-c").arg(source).arg("-o").arg(&object).output().map_err(|e| e.to_string())?;
    if output.status.success() { Ok(object) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Arrays that stay with their owners are whole for everybody who looks at them in another way: files with other directives, without any, not compiled for
/// ranks, and in C.
fn kept_arrays() -> Result<(), String> {
    const FILES: [&str; 4] = ["main.f90", "plain.f90", "cyclic.f90", "reshaped.f90"];
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let link = |name: &str, objects: &[PathBuf]| {
        let objects: Vec<&Path> = objects.iter().map(PathBuf::as_path).collect();
        build(directory.path(), name, &objects, &["-fhpf"])
    };
    let mut wanted = None;
    for (level, left_out) in [("-O0", None), ("-O3", None), ("-O2", Some("plain.f90")), ("-O1", Some("cyclic.f90"))] {
        let mut objects =
            vec![object(directory.path(), "serial.f90", &[level])?, object(directory.path(), "c.c", &[])?];
        for file in FILES {
            let flags = if left_out == Some(file) { vec![level] } else { vec![level, "-fhpf"] };
            objects.push(object(directory.path(), file, &flags)?);
        }
        let program = link("kept", &objects)?;
        let ranks: &[usize] = if is_full() { &[1, 2, 3, 4, 7, 16] } else { &[1, 3, 4] };
        for &ranks in ranks {
            let (_, text) = sent(&program, ranks)?;
            if *wanted.get_or_insert_with(|| text.clone()) != text {
                return Err(format!("{level}, {left_out:?} left out, on {ranks} ranks: {text}, {wanted:?} on one"));
            }
        }
    }
    Ok(())
}

/// Calls send nothing if the mapping is the same: the same nests in procedures and in the main program need the same messages.
fn calls_send_nothing() -> Result<(), String> {
    const BODIES: [&str; 2] = [
        "do j = 2, n - 1\n do i = 2, n - 1\n v(i, j) = u(i, j - 1) + u(i, j + 1)\n end do\n end do",
        "do j = 2, n - 1\n do i = 2, n - 1\n u(i, j) = v(i, j)\n end do\n end do",
    ];
    let declared = |common: bool| {
        let place = if common { "common /state/ u, v\n" } else { "" };
        let mapped = "!HPF$ DISTRIBUTE u(*, BLOCK)\n!HPF$ ALIGN v(i, j) WITH u(i, j)\n";
        format!("integer, parameter :: n = 32\nreal(8) :: u(n, n), v(n, n)\n{place}{mapped}")
    };
    let fill = "do j = 1, n\n do i = 1, n\n u(i, j) = i * j\n v(i, j) = 0\n end do\n end do";
    let main = |declarations: &str, calls: [&str; 2]| {
        format!(
            "program p\n{declarations}integer :: i, j, k\n{fill}\ndo k = 1, 7\n{}\n{}\nend do\nprint *, u(3, 4)\n",
            calls[0], calls[1]
        )
    };
    let apart = "call step\ncall swap\n";
    let procedures = |declarations: &str| {
        let one = |name: &str, body: &str| {
            format!("subroutine {name}\n{declarations}integer :: i, j\n{body}\nend subroutine\n")
        };
        one("step", BODIES[0]) + &one("swap", BODIES[1])
    };
    let common = declared(true);
    // Local arrays, which the procedures between the nests do not get.
    let local = |heading: &str, declarations: &str, allocation: &str| {
        let steps = format!("do k = 1, 7\n{}\ncall tick\n{}\ncall tick\nend do\ncall tick", BODIES[0], BODIES[1]);
        let rest =
            "print *, u(3, 4)\nend subroutine\nsubroutine tick\ninteger, save :: n = 0\nn = n + 1\nend subroutine\n";
        format!(
            "program p\ncall all({})\nend program\nsubroutine all{heading}\n{declarations}\
             !HPF$ DISTRIBUTE u(*, BLOCK)\n!HPF$ ALIGN v(i, j) WITH u(i, j)\ninteger :: i, j, k\n{allocation}\n{fill}\n{steps}\n{rest}",
            if heading.is_empty() { "" } else { "32" }
        )
    };
    let constant = "integer, parameter :: n = 32\n";
    // Arguments, in the main program and handed on.
    let taking = |heading: &str, extents: &str| {
        let one = |name: &str, body: &str| {
            format!(
                "subroutine {name}{heading}\n{extents}!HPF$ DISTRIBUTE u(*, BLOCK)\n!HPF$ ALIGN v(i, j) WITH u(i, j)\n\
                 integer :: i, j\n{body}\nend subroutine\n"
            )
        };
        let on = format!("call step{heading}");
        one("step", BODIES[0]) + &one("swap", BODIES[1]) + &one("on", &on)
    };
    let explicit = taking("(u, v, n)", "integer :: n\nreal(8) :: u(n, n), v(n, n)\n");
    let assumed = taking("(u, v)", &format!("{constant}real(8) :: u(:, :), v(:, :)\n"));
    let passing = |first: &str| ["call on(u, v, n)", "call swap(u, v, n)"].map(|c| c.replace("call on", first));
    let [on, swap] = passing("call on");
    let [step, _] = passing("call step");
    let texts = [
        main(&declared(false), BODIES) + "end program\n",
        main(&common, [apart, ""]) + "end program\n" + &procedures(&common),
        format!("module m\n{}contains\n{}end module\n", declared(false), procedures(""))
            + &main("use m\n", [apart, ""])
            + "end program\n",
        // ALLOCATABLE arrays of a module.
        format!(
            "module m\n{}contains\n{}end module\n",
            declared(false)
                .replace("::", ", allocatable ::")
                .replace("parameter , allocatable", "parameter")
                .replace("u(n, n), v(n, n)", "u(:, :), v(:, :)"),
            procedures("")
        ) + &main("use m\n", [apart, ""]).replacen("do j", "allocate (u(n, n), v(n, n))\ndo j", 1)
            + "end program\n",
        local("", &format!("{constant}real(8) :: u(n, n), v(n, n)\n"), ""),
        local("(n)", "integer :: n\nreal(8) :: u(n, n), v(n, n)\n", ""),
        local("", &format!("{constant}real(8), allocatable :: u(:, :), v(:, :)\n"), "allocate (u(n, n), v(n, n))"),
        main(&declared(false), [&step, &swap]) + "end program\n" + &explicit,
        main(&declared(false), [&on, &swap]) + "end program\n" + &explicit,
        main(&common, [&on, &swap]) + "end program\n" + &explicit,
        format!("module m\ncontains\n{assumed}end module\n")
            + &main(&format!("use m\n{}", declared(false)), ["call on(u, v)", "call swap(u, v)"])
            + "end program\n",
    ];
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut wanted = None;
    for (k, text) in texts.iter().enumerate() {
        let found = sent(&built(directory.path(), &format!("p{k}"), text, &[])?, 4)?;
        if *wanted.get_or_insert_with(|| found.clone()) != found {
            return Err(format!("variant {k}: {found:?}, not {wanted:?}"));
        }
    }
    Ok(())
}
