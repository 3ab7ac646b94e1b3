//! Messages during compilation: remarks on its decisions, warnings on its directives.

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

const NEST: &str = "subroutine nest(a, b, n, k)
  integer :: n, i, j, k
  real :: a(n, n), b(n, n)
  do i = 1, n
    do j = 1, n
      a(i, j) = b(i, j) * 2.0
    end do
  end do
  do i = 1, n
    if (k > 3) then
      b(i, 1) = a(i, 1)
    else
      b(i, 1) = 0.0
    end if
  end do
end subroutine
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
fn decisions_are_told_in_words_of_users() {
    let dir = tempfile::tempdir().unwrap();
    let all = told(dir.path(), NEST, &["fc", "-O3", "-fopt-info", "-c", "loops.f90"]);
    for line in [
        "loops.f90:4:3: optimized: interchange: interchanged with the loop of line 5\n",
        "loops.f90:4:3: optimized: vectorize: vectorized, 4 lanes\n",
        "loops.f90:10:5: optimized: unswitch: taken out of the loop of line 9\n",
    ] {
        assert!(all.contains(line), "{line} is not in\n{all}");
    }
    assert_eq!(all.matches("vectorized").count(), 1, "{all}");
    assert!(!all.contains("expand") && !all.contains("merge"), "{all}");
    // Without the step there are no vectors, and no remark.
    let none = told(dir.path(), NEST, &["build", "--opt-info", "--opt-bisect=29", "-c", "loops.f90"]);
    assert!(none.contains("interchanged") && !none.contains("vectorized"), "{none}");
    let explain = |args: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_trueline")).args(args).current_dir(dir.path()).output().unwrap();
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let plain = explain(&["explain", "loops.f90:4"]);
    assert!(plain.contains("vectorize: vectorized, 4 lanes") && !plain.contains("expand"), "{plain}");
    let theory = explain(&["explain", "--theory", "loops.f90:4"]);
    assert!(theory.contains("vectorize: expand (lanes(4))") && theory.contains("rewrite: do i = 1, "), "{theory}");
}

#[test]
fn sums_of_reals_are_vectors_where_options_allow_it() {
    const SUM: &str = "real(8) function total(a, n)
  integer :: n, i
  real(8) :: a(n)
  total = 0
  do i = 1, n
    total = total + a(i)
  end do
end function
";
    let dir = tempfile::tempdir().unwrap();
    let has_vectors = |command: &[&str]| {
        let args: Vec<&str> = command.iter().copied().chain(["-c", "loops.f90"]).collect();
        told(dir.path(), SUM, &args).contains("loops.f90:5:3: optimized: vectorize: vectorized, 2 lanes")
    };
    assert!(has_vectors(&["fc", "-Ofast", "-fopt-info"]) && has_vectors(&["build", "-Ofast", "--opt-info"]));
    let three = ["fc", "-O3", "-fopt-info", "-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"];
    assert!(has_vectors(&three) && !has_vectors(&three[..5]) && !has_vectors(&three[..3]));
}

#[test]
fn what_was_done_and_what_was_not() {
    let dir = tempfile::tempdir().unwrap();
    let fused = "loops.f90:4:3: optimized: fuse: fused with the loop of line 7\n";
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
    // Nothing is optimized, and so nothing is reported.
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
