//! What the compiler says while it compiles: remarks on its decisions, warnings on its directives.

use std::path::Path;
use std::process::Command;

const LOOPS: &str = "program loops
  real :: a(100), b(100), s
  integer :: i, j
  do i = 1, 100
    a(i) = i
  end do
  do j = 1, 100
    b(j) = a(j)
  end do
  do i = 2, 99
    a(i) = a(i) + b(i + 1)
  end do
  s = 0.0
  do i = 1, 100
    s = s + a(i)
  end do
  call show(s, 3)
contains
  recursive subroutine show(x, n)
    real :: x
    integer :: n
    if (n > 1) call show(x, n - 1)
    print *, x
  end subroutine
end program
";

/// The standard error of the command in a directory with the program.
fn told(dir: &Path, source: &str, args: &[&str]) -> String {
    std::fs::write(dir.join("loops.f90"), source).unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_trueline")).args(args).current_dir(dir).output().unwrap();
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(0), "{text}");
    text
}

#[test]
fn what_was_done_and_what_was_not() {
    let dir = tempfile::tempdir().unwrap();
    let fused = "loops.f90:4:3: optimized: fuse: merge, with line 7\n";
    let not_fused =
        "loops.f90:4:3: missed: fuse: not fused with the next loop: the loops do not run over the same iterations\n";
    let recursive = "loops.f90:17:3: missed: inline: not inlined: the procedure calls itself\n";
    let all = told(dir.path(), LOOPS, &["build", "--opt-info=all", "--emit=remarks", "loops.f90", "-o", "x"]);
    for line in [fused, not_fused, recursive] {
        assert!(all.contains(line), "{line} is not in\n{all}");
    }
    let done = told(dir.path(), LOOPS, &["fc", "-O3", "-fopt-info", "loops.f90", "-o", "x"]);
    assert!(done.contains(fused) && !done.contains("missed"), "{done}");
    let none = told(dir.path(), LOOPS, &["fc", "-O3", "-fopt-info-missed=info.txt", "loops.f90", "-o", "x"]);
    assert_eq!(none, "");
    let missed = std::fs::read_to_string(dir.path().join("info.txt")).unwrap();
    assert!(missed.contains(recursive) && !missed.contains("optimized"), "{missed}");
    // Nothing is optimized, and so nothing is told.
    assert_eq!(told(dir.path(), LOOPS, &["build", "-O0", "--opt-info=all", "loops.f90", "-o", "x"]), "");
    let yaml = std::fs::read_to_string(dir.path().join("x.opt.yaml")).unwrap();
    for (kind, pass, line) in [("Passed", "fuse", 4), ("Missed", "inline", 17)] {
        let place = format!("DebugLoc:        {{ File: 'loops.f90', Line: {line}, Column: 3 }}\n");
        let there = yaml
            .split("...\n")
            .any(|r| r.contains(&format!("--- !{kind}\nPass:            '{pass}'\n")) && r.contains(&place));
        assert!(there, "{kind} {pass}:\n{yaml}");
    }
}

#[test]
fn profiles_say_what_was_missed() {
    let dir = tempfile::tempdir().unwrap();
    told(dir.path(), LOOPS, &["profile", "--quiet", "--out", "p.json", "loops.f90"]);
    let profile: serde_json::Value =
        serde_json::from_slice(&std::fs::read(dir.path().join("p.json")).unwrap()).unwrap();
    let of = |line: u64| {
        let constructs = profile["constructs"].as_array().unwrap();
        constructs.iter().find(|c| c["line"] == line).map(|c| c["missed"].to_string()).unwrap()
    };
    assert!(of(4).contains("not fused"), "{}", of(4));
    assert!(of(1).contains("inline: line 17: not inlined: the procedure calls itself"), "{}", of(1));
}

#[test]
fn directives_that_mean_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let source = LOOPS
        .replace("  s = 0.0\n", "!TL$ REGION\n  s = 0.0\n!TL$ REGION left open\n!TL$ PROFILE MAYBE\n!TL$ REGOIN x\n")
        .replace("contains\n", "!TL$ END REGION\n!TL$ PROFILE ON\ncontains\n")
        .replace("    print", "!TL$ END REGION\n    print");
    let text = told(dir.path(), &source, &["build", "loops.f90", "-o", "x"]);
    for (line, words) in [
        (13, "A REGION needs a name"),
        (13, "This REGION has no END REGION"),
        (16, "PROFILE is switched ON or OFF"),
        (17, "This directive is not known"),
        (29, "There is no REGION that this END REGION ends"),
    ] {
        let there =
            text.split("warning[T0701]").any(|w| w.contains(words) && w.contains(&format!("loops.f90:{line}:")));
        assert!(there, "{line}: {words}:\n{text}");
    }
    assert_eq!(text.matches("warning[T0701]").count(), 5, "{text}");
}
