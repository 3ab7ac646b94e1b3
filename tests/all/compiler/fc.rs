//! `trueline fc`: the demands of makefiles and build systems on a Fortran compiler.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

struct Place(tempfile::TempDir);

impl Place {
    /// A directory with files.
    fn with(files: &[(&str, &str)]) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        for (name, text) in files {
            place.write(name, text);
        }
        place
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn run(&self, program: &str, args: &str) -> Output {
        Command::new(program).args(args.split_whitespace()).current_dir(self.path()).output().expect("it starts")
    }

    fn fc(&self, args: &str) -> Output {
        self.run(env!("CARGO_BIN_EXE_trueline"), &format!("fc {args}"))
    }

    #[track_caller]
    fn good(&self, args: &str) -> String {
        let out = self.fc(args);
        assert_eq!(out.status.code(), Some(0), "fc {args}: {}", text(&out.stderr));
        text(&out.stdout)
    }

    /// Fails with exit code 1 and these words.
    #[track_caller]
    fn bad(&self, args: &str, words: &str) -> String {
        let out = self.fc(args);
        let stderr = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "fc {args}: {stderr}");
        assert!(stderr.contains(words), "fc {args}: {stderr}");
        stderr
    }

    #[track_caller]
    fn prints(&self, program: &str, expected: &str) {
        let out = self.run(&format!("./{program}"), "");
        let found: Vec<String> = text(&out.stdout).split_whitespace().map(str::to_owned).collect();
        assert_eq!(found.join(" "), expected, "{program}: {:?} {}", out.status, text(&out.stderr));
    }

    fn has(&self, name: &str) -> bool {
        self.path().join(name).exists()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether a tool is here. Where the gate says that nothing may be skipped, it must be.
#[allow(clippy::print_stdout, reason = "a skipped test says so")]
pub(crate) fn found(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok_and(|o| o.status.success());
    assert!(found || std::env::var_os("TRUELINE_TEST_NO_SKIP").is_none(), "{tool} is missing where no test may skip");
    if !found {
        println!("skipped: {tool} is not installed");
    }
    found
}

const KINDS: &str = "\
module kinds
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: counter = 5
  real(dp) :: table(3) = [1d0, 2d0, 3d0]
  real, private :: a, b
  equivalence (a, b)
  real(dp), allocatable :: grown(:)
contains
  integer function next()
    counter = counter + 1
    next = counter
  end function
  subroutine fill(a, n)
    integer, intent(in) :: n
    real(dp), intent(out) :: a(n)
    integer :: i
    do i = 1, n
      a(i) = helper(i)
    end do
    allocate (grown(n))
    grown = a
  contains
    real(dp) function helper(k)
      integer, intent(in) :: k
      helper = 0.5d0 * k
    end function
  end subroutine
end module
";

const MIDDLE: &str = "\
#define TWICE(x) (2*(x))
module middle
  use kinds, only: dp, following => next, counter
  implicit none
  private
  public :: work, dp
  interface work
    module procedure work_integer, work_real
  end interface
contains
  subroutine work_integer(n)
    integer, intent(inout) :: n
    n = TWICE(n) + following() + counter
#ifdef EXTRA
    n = n + EXTRA
#endif
  end subroutine
  subroutine work_real(x)
    real(dp), intent(inout) :: x
    x = TWICE(x)
  end subroutine
end module
";

const MAIN: &str = "\
program main
  use middle
  use kinds, only: fill, counter, table, grown
  implicit none
  integer :: n = 4
  real(dp) :: v(2)
  call work(n)
  call fill(v, 2)
  call work(v(1))
  print *, n, counter, nint(table(2)), nint(10 * v), size(grown)
end program
";

const EXPECTED: &str = "20 6 2 10 10 2";

fn project() -> Place {
    Place::with(&[("src/kinds.f90", KINDS), ("src/sub/middle.F90", MIDDLE), ("app/main.f90", MAIN)])
}

#[test]
fn files_of_one_command_are_compiled_in_the_order_of_their_modules() {
    let p = project();
    fs::create_dir(p.path().join("mod")).unwrap();
    p.good("app/main.f90 src/sub/middle.F90 src/kinds.f90 -o all -J mod");
    p.prints("all", EXPECTED);
    assert!(p.has("mod/kinds.mod") && p.has("mod/middle.mod"));
    p.good("-DEXTRA=3 -O2 app/main.f90 src/sub/middle.F90 src/kinds.f90 -J mod");
    p.prints("a.out", "23 6 2 10 10 2");
}

#[test]
fn modules_are_used_from_their_files() {
    let p = project();
    fs::create_dir(p.path().join("mod")).unwrap();
    for level in ["-O0", "-O3 -g"] {
        p.good(&format!("{level} -c -J mod src/kinds.f90"));
        let before = fs::metadata(p.path().join("mod/kinds.mod")).unwrap().modified().unwrap();
        p.good(&format!("{level} -c -J mod src/kinds.f90"));
        let after = fs::metadata(p.path().join("mod/kinds.mod")).unwrap().modified().unwrap();
        assert_eq!(before, after, "a module file that says the same is not written again");
        p.good(&format!("{level} -c -J mod src/sub/middle.F90 -o middle.o"));
        p.good(&format!("{level} -c -I mod app/main.f90"));
        p.good("main.o middle.o kinds.o -o separate");
        p.prints("separate", EXPECTED);
    }
    // The module file of `middle` brings `kinds` along.
    p.write("user.f90", "use middle, only: work\ninteger :: n = 1\ncall work(n)\nprint *, n\nend\n");
    fs::remove_file(p.path().join("mod/kinds.mod")).unwrap();
    p.good("-I mod user.f90 middle.o kinds.o -o user");
    p.prints("user", "14");
}

#[test]
fn module_files_that_cannot_be_used_are_told() {
    let p = Place::with(&[("user.f90", "program p\nuse kinds\nend program\n"), ("kinds.f90", KINDS)]);
    p.bad("-c user.f90", "There is no module 'kinds'");
    p.write("kinds.mod", "GFORTRAN module version '15' created from kinds.f90\n");
    let stderr = p.bad("-c user.f90", "it is not of this compiler");
    assert!(!stderr.contains("There is no module"), "{stderr}");
    p.good("-c kinds.f90");
    let good = fs::read(p.path().join("kinds.mod")).unwrap();
    let path = p.path().join("kinds.mod");
    for at in (0..good.len()).step_by(13) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x20;
        fs::write(&path, &bytes).unwrap();
        p.bad("-fsyntax-only user.f90", "kinds.mod");
        fs::write(&path, &good[..at]).unwrap();
        p.bad("-fsyntax-only user.f90", "kinds.mod");
    }
    fs::write(&path, &good).unwrap();
    p.good("-c user.f90");
    p.bad("-c -fdefault-real-8 user.f90", "other default kinds");
    fs::copy(&path, p.path().join("other.mod")).unwrap();
    p.write("user.f90", "program p\nuse other\nend program\n");
    p.bad("-c user.f90", "it holds the module 'kinds'");
}

#[test]
fn a_module_in_a_file_with_errors_is_said_to_be_there() {
    let module = "module grid\n  integer :: n\ncontains\n  subroutine show(k)\n    integer, intent(in) :: k\n    k = 3\n  end subroutine\nend module\n";
    let main =
        "program p\n  use grid\n  implicit none\n  integer :: i\n  i = n\n  call show(i)\n  i = size(1)\nend program\n";
    let p = Place::with(&[("wrong.f90", module), ("main.f90", main)]);
    let told = p.bad("wrong.f90 main.f90", "The module 'grid' is in a file with errors");
    assert!(told.contains("Mend the errors in wrong.f90") && told.contains("An array is needed here"), "{told}");
    // Names that may be the module's are no errors.
    assert_eq!(told.matches("error[").count(), 3, "{told}");
    let told = p.bad("-c main.f90", "There is no module 'grid'");
    assert_eq!(told.matches("error[").count(), 2, "{told}");
}

#[test]
fn messages_point_into_the_source_of_a_module() {
    let p = Place::with(&[("kinds.f90", KINDS), ("user.f90", "use kinds, only: a\nend\n")]);
    p.good("-c kinds.f90");
    p.bad("-c user.f90", "kinds.f90:6");
}

#[test]
fn several_profiled_objects_make_one_profile() {
    let p = project();
    p.good("-fprofile-trueline -O2 -c src/kinds.f90");
    p.good("-fprofile-trueline=all -O2 -c src/sub/middle.F90 -o middle.o");
    p.good("-c app/main.f90");
    p.good("main.o middle.o kinds.o -fprofile-trueline -o mixed");
    let run = Command::new("./mixed").env("TRUELINE_PROFILE_FILE", "p.json").current_dir(p.path()).output().unwrap();
    assert!(run.status.success());
    let out = p.run(env!("CARGO_BIN_EXE_trueline"), "report --view all p.json");
    let report = text(&out.stdout);
    for line in ["src/kinds.f90:18", "src/sub/middle.F90:11", "procedure helper"] {
        assert!(report.contains(line), "{line}: {report}");
    }
}

#[test]
fn a_makefile_builds_a_project() {
    if !found("make") {
        return;
    }
    let p = project();
    let makefile = "\
FFLAGS = -O2 -g -J build -I build
OBJ = build/kinds.o build/middle.o build/main.o
build/main: $(OBJ)
\t$(FC) $(LDFLAGS) -o $@ $(OBJ)
build/%.o: src/%.f90
\t$(FC) $(FFLAGS) -MMD -MP -c $< -o $@
build/%.o: src/sub/%.F90
\t$(FC) $(FFLAGS) -DUSE_IT -c $< -o $@
build/%.o: app/%.f90
\t$(FC) $(FFLAGS) -c $< -o $@
build/middle.o: build/kinds.o
build/main.o: build/middle.o build/kinds.o
";
    p.write("Makefile", makefile);
    fs::create_dir(p.path().join("build")).unwrap();
    let fc = format!("FC={} fc", env!("CARGO_BIN_EXE_trueline"));
    let make = |what: &str| {
        let out = Command::new("make").args([what, &fc]).current_dir(p.path()).output().unwrap();
        assert!(out.status.success(), "{}{}", text(&out.stdout), text(&out.stderr));
        text(&out.stdout)
    };
    make("build/main");
    p.prints("build/main", EXPECTED);
    assert!(make("build/main").contains("up to date"));
    let rule = fs::read_to_string(p.path().join("build/kinds.d")).unwrap();
    assert_eq!(rule, "build/kinds.o build/kinds.mod: src/kinds.f90\n");
}

/// `make CC="trueline fc" …` puts `CC` into the environment of each command.
#[test]
fn a_compiler_that_is_named_as_the_linker_driver_calls_the_systems() {
    let p = project();
    p.write("twice.c", "int twice_(int *i) { return 2 * *i; }\n");
    p.write("four.f90", "integer, external :: twice\nprint *, twice(2)\nend\n");
    let cc = format!("{} fc", env!("CARGO_BIN_EXE_trueline"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
    let words = ["fc", "four.f90", "twice.c", "-o", "four"];
    let out = command.args(words).env("CC", &cc).current_dir(p.path()).output().unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    p.prints("four", "4");
}

#[test]
fn cmake_knows_the_compiler_and_builds_a_project() {
    if !found("cmake") {
        return;
    }
    let p = project();
    let fc = p.path().join("compiler");
    fs::write(&fc, format!("#!/bin/sh\nexec '{}' fc \"$@\"\n", env!("CARGO_BIN_EXE_trueline"))).unwrap();
    let run = |args: &[&str]| {
        let out = Command::new("cmake").args(args).current_dir(p.path()).output().unwrap();
        assert!(out.status.success(), "{}{}", text(&out.stdout), text(&out.stderr));
        text(&out.stdout)
    };
    run(&["-E", "true"]);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&fc, mode).unwrap();
    p.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(demo Fortran)\nadd_library(core src/kinds.f90 src/sub/middle.F90)\n\
         target_include_directories(core PUBLIC ${CMAKE_CURRENT_BINARY_DIR})\nadd_executable(demo app/main.f90)\n\
         target_link_libraries(demo core)\n",
    );
    let configured = run(&["-S", ".", "-B", "out", &format!("-DCMAKE_Fortran_COMPILER={}", fc.display())]);
    assert!(configured.contains("The Fortran compiler identification is GNU"), "{configured}");
    run(&["--build", "out"]);
    p.prints("out/demo", EXPECTED);
}

#[test]
fn variables_without_values_are_preset() {
    let p = Place::with(&[
        (
            "init.f90",
            "program p\ninteger :: i\nreal :: x\nreal(8) :: a(2)\nlogical :: l\nprint *, i, x, a(2), l\nend program\n",
        ),
        ("bad.f90", "i = 'a'\nj = 'b'\nk = 'c'\nend\n"),
    ]);
    for level in ["-O0", "-O3"] {
        p.good(&format!("{level} -finit-integer=7 -finit-real=inf -finit-logical=true init.f90 -o init"));
        p.prints("init", "7 Infinity Infinity T");
        p.good(&format!("{level} -finit-integer=-1 -finit-real=snan -finit-logical=false init.f90 -o init"));
        p.prints("init", "-1 NaN NaN F");
    }
    p.bad("-finit-real=much init.f90", "there is no such value");
    let stderr = p.bad("-fmax-errors=1 -c bad.f90", "bad.f90:1");
    assert!(!stderr.contains("bad.f90:2") && stderr.contains("2 further"), "{stderr}");
}

#[test]
fn the_preprocessor_is_asked_for_by_suffix_or_flag() {
    let p = Place::with(&[
        ("upper.F90", "#include \"defs.h\"\nprint *, N, __LINE__\nend\n"),
        ("lower.f90", "#include \"defs.h\"\nprint *, N, __LINE__\nend\n"),
        ("inc/defs.h", "#define N 7\n"),
        ("fixed.F", "#ifdef WHAT\n      PRINT *, WHAT\n#else\n      PRINT *, 0\n#endif\n      END\n"),
        ("wrong.F90", "print *, 1\n#if\nend\n"),
    ]);
    p.good("-I inc upper.F90 -o upper");
    p.prints("upper", "7 2");
    p.good("-cpp -Iinc lower.f90 -o lower");
    p.prints("lower", "7 2");
    p.good("-DWHAT=42 fixed.F -o fixed");
    p.prints("fixed", "42");
    p.good("-DWHAT=42 -UWHAT fixed.F -o fixed");
    p.prints("fixed", "0");
    assert_eq!(p.good("-E -DWHAT=1 fixed.F"), "# 1 \"fixed.F\"\n\n      PRINT *, 1\n\n\n\n      END\n");
    assert_eq!(p.good("-M -Iinc upper.F90"), "upper.o: upper.F90 inc/defs.h\n");
    p.bad("-c wrong.F90", "wrong.F90:2");
    p.bad("-c upper.F90", "Cannot include 'defs.h'");
}

#[test]
fn debugging_lines_are_comments_or_code() {
    let p = Place::with(&[
        (
            "m.f",
            "      module m\n      integer k\n      contains\n      subroutine s\nD     k = k + 1\n      end\n      end\n",
        ),
        ("m2.f", "      module m2\nD     integer :: only = 5\n      end\n"),
        (
            "main.f",
            "      program p\n      use m\n      k = 1\nd     k = k +\nd    &    10\n      call s\n      print *, k\n      end\n",
        ),
        ("main2.f", "      use m2\n      print *, only\n      end\n"),
    ]);
    for (flag, printed) in [("", "1"), ("-fd-lines-as-comments", "1"), ("-fd-lines-as-code", "12")] {
        p.good(&format!("{flag} m.f main.f -o p"));
        p.prints("p", printed);
    }
    // The text of a module is read as it was when that was compiled.
    p.good("-fd-lines-as-code -c m2.f -o m2.o");
    p.good("main2.f m2.o -o q");
    p.prints("q", "5");
}

#[test]
fn only_what_gfortran_defines_is_defined() {
    let source = "#if defined(unix) || defined(linux) || defined(__linux__) || defined(__x86_64__)\nprint *, 1\n#else\n\
                  print *, __SIZEOF_POINTER__, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__\n#endif\nend\n";
    let p = Place::with(&[("a.F90", source), ("b.f90", "#ifdef DEBUG\nprint *, 2\n#endif\nend\n")]);
    p.good("a.F90 -o a");
    p.prints("a", "8 T");
    let out = p.fc("b.f90 -o b");
    assert!(text(&out.stderr).contains("warning[T0103]"), "{}", text(&out.stderr));
    p.prints("b", "2");
}

#[test]
fn old_programs_may_call_with_another_number_of_arguments() {
    let source = "      call s(1, 2)\n      call t(3)\n      end\n      subroutine s(i)\n      print *, i\n      end\n\
                  \x20     subroutine t(i, j)\n      print *, i\n      end\n";
    let p = Place::with(&[("a.f", source)]);
    let stderr = p.bad("a.f -o a", "error[T0575]");
    assert_eq!(stderr.matches("declared here").count(), 2, "{stderr}");
    for flag in ["-fallow-argument-mismatch", "-std=legacy"] {
        let out = p.fc(&format!("{flag} a.f -o a"));
        assert_eq!(text(&out.stderr).matches("warning[T0575]").count(), 2, "{}", text(&out.stderr));
        p.prints("a", "1 3");
    }
}

#[test]
fn errors_are_on_their_lines_after_preprocessing() {
    let p = Place::with(&[
        (
            "a.F90",
            "#define LONG(x) x + x\n#if 1\nprogram p\nimplicit none\ninteger :: k\n#include \"b.inc\"\nk = LONG(j)\nend\n#endif\n",
        ),
        ("b.inc", "! a comment\nk = nothing\n"),
    ]);
    let stderr = p.bad("-c a.F90", "a.F90:7");
    assert!(stderr.contains("b.inc:2") && stderr.contains("Included at a.F90:6"), "{stderr}");
}

#[test]
fn large_products_are_computed_by_the_blas_that_is_linked() {
    let p = Place::with(&[
        (
            "a.f90",
            "program p\nreal(8) :: a(40, 40), b(40, 40), c(40, 40), d(9, 9)\nreal(4) :: e(40, 40)\ninteger :: calls\ncommon /blas/ calls\ncalls = 0\n\
             call random_number(a)\nb = transpose(a)\nc = matmul(a, b)\nprint *, calls, maxval(abs(c - matmul(a, transpose(a)))) < 1d-12\n\
             d = matmul(a(:9, :9), b(:9, :9))\ne = matmul(real(a), real(b))\nprint *, calls, maxval(abs(c - e)) < 1d-3\nend\n",
        ),
        (
            "blas.f90",
            "subroutine dgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)\ncharacter :: ta, tb\ninteger :: m, n, k, lda, ldb, ldc, i, j, calls\n\
             real(8) :: alpha, beta, a(lda, *), b(ldb, *), c(ldc, *)\ncommon /blas/ calls\ncalls = calls + 1\ndo i = 1, m\ndo j = 1, n\n\
             if (tb == 'N') c(i, j) = beta*c(i, j) + alpha*sum(a(i, :k)*b(:k, j))\nif (tb == 'T') c(i, j) = beta*c(i, j) + alpha*sum(a(i, :k)*b(j, :k))\n\
             end do\nend do\nend\n\
             subroutine sgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)\ncharacter :: ta, tb\ninteger :: m, n, k, lda, ldb, ldc, i, j, calls\n\
             real(4) :: alpha, beta, a(lda, *), b(ldb, *), c(ldc, *)\ncommon /blas/ calls\ncalls = calls + 100\ndo i = 1, m\ndo j = 1, n\n\
             c(i, j) = beta*c(i, j) + alpha*sum(a(i, :k)*b(:k, j))\nend do\nend do\nend\n",
        ),
    ]);
    p.good("-O1 -c blas.f90");
    p.good("-O3 -fexternal-blas a.f90 blas.o -o a");
    p.prints("a", "1 T 102 T");
    p.good("-O3 -fexternal-blas -fblas-matmul-limit=100 a.f90 blas.o -o b");
    p.prints("b", "0 T 0 T");
    p.good("-O3 a.f90 -o c");
    p.prints("c", "0 T 0 T");
    p.bad("-O3 -fexternal-blas a.f90 -o d", "gemm_");
    p.bad("-fblas-matmul-limit=many -c a.f90", "many");
}

#[test]
fn what_build_systems_ask() {
    let p = Place::with(&[("a.f90", "print *, 1\nend\n")]);
    assert!(p.good("--version").contains("GNU Fortran"));
    assert_eq!(p.good("-dumpversion"), "12\n");
    assert!(p.good("-dumpmachine").contains("linux"));
    assert!(p.good("-cpp -dM -E a.f90").contains("#define __GFORTRAN__ 1"));
    assert!(p.good("-E -dM -").contains("#define __GNUC__ 12"), "of standard input");
    p.good("-Wall -O2 -march=native -funroll-loops -fPIC -ffast-math -pipe -m64 -pthread -c a.f90");
    let out = p.fc("-fwhatever -mwhatever -c a.f90");
    assert_eq!((out.status.code(), text(&out.stderr).matches("has no effect").count()), (Some(0), 2));
    p.bad("-Qwhatever a.f90", "unrecognized");
    p.bad("", "no input files");
    p.bad("missing.f90", "no such file");
    p.bad("-c a.f90 a.f90 -o x", "multiple files");
    assert_eq!(p.fc("-v").status.code(), Some(0));
    p.write("words", "-o 'out put'\n  -O2 a.f90");
    p.good("@words");
    p.prints("out put", "1");
    let plan = text(&p.fc("-### a.f90 -lm -o never").stderr);
    assert!(plan.contains("-lm") && !p.has("never"), "{plan}");
    p.write("unresolved.f90", "call nowhere()\nend\n");
    p.bad("unresolved.f90", "exit status");
    p.good("-fsyntax-only unresolved.f90");
}

#[test]
fn warnings_are_told_dropped_or_errors() {
    let p = Place::with(&[("a.f90", "integer :: unused\nreal :: x\nx = 1\nprint *, x == 1\nend\n")]);
    let told = |args: &str| text(&p.fc(args).stderr);
    assert_eq!(told("-c a.f90"), "");
    assert!(told("-Wall -c a.f90").contains("Unused variable 'unused' [-Wunused-variable]"));
    assert_eq!(told("-Wall -Wno-unused-variable -c a.f90"), "");
    assert_eq!(told("-Wall -w -c a.f90"), "");
    assert!(told("-Wall -Wextra -c a.f90").contains("-Wcompare-reals"));
    assert!(told("-Wwhatever -c a.f90").contains("has no effect"));
    fs::remove_file(p.path().join("a.o")).unwrap();
    p.bad("-Wall -Werror -c a.f90", "error[T0700]: Unused variable");
    assert!(!p.has("a.o"));
    p.bad("-Werror=unused-variable -c a.f90", "error[T0700]: Unused variable");
    p.good("-Wall -Werror=tabs -c a.f90");
    p.good("-Wall -Werror -Wno-error=unused-variable -c a.f90");
    p.bad("-std=f66 -c a.f90", "-std=f66");
}

#[test]
fn programs_are_checked_while_they_run() {
    let source = fs::read_to_string(crate::build::root().join("tests/check/checks.f90")).unwrap();
    let p = Place::with(&[("checks.f90", &source)]);
    let mistakes = [
        "At line 27 of file checks.f90\nFortran runtime error: Recursive call to nonrecursive procedure 'once'",
        "At line 21 of file checks.f90\nFortran runtime error: DO step value is zero",
        "At line 13 of file checks.f90\nFortran runtime error: Allocatable variable 'a' is not allocated",
    ];
    for flags in ["-O0", "-O3", "-O2 -fprofile-trueline"] {
        p.good(&format!("{flags} -fcheck=all checks.f90 -o checks"));
        for (k, words) in mistakes.iter().enumerate() {
            let line = format!("echo {} | ./checks", k + 1);
            let out = Command::new("sh").args(["-c", &line]).current_dir(p.path()).output().unwrap();
            assert_eq!(out.status.code(), Some(2));
            assert!(text(&out.stderr).starts_with(words), "{flags}: {}", text(&out.stderr));
        }
    }
    // Where it was, and how it came there.
    p.good("-O0 -g -fcheck=all checks.f90 -o checks");
    let out = Command::new("sh").args(["-c", "echo 1 | ./checks"]).current_dir(p.path()).output().unwrap();
    let at = |name: &str, line: u32| format!("in {name}\n\tat ./checks.f90:{line}\n");
    let frames = [at("once_", 27), at("other_", 34), at("once_", 30), at("MAIN__", 8)];
    let frames: String = frames.iter().enumerate().map(|(k, f)| format!("#{k}  {f}")).collect();
    let expected = format!("\n\nError termination. Backtrace:\n{frames}");
    assert!(text(&out.stderr).ends_with(&expected), "{}", text(&out.stderr));
    p.good("-O2 -fcheck=all,no-recursion checks.f90 -o checks");
    let out = Command::new("sh").args(["-c", "echo 1 | ./checks"]).current_dir(p.path()).output().unwrap();
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    p.bad("-fcheck=everything checks.f90", "there is no such check");
}

#[test]
fn flags_decide_where_variables_live() {
    let p = Place::with(&[(
        "keep.f90",
        "call s\ncall s\ncontains\nsubroutine s\ninteger :: k\ninteger, save :: first = 1\nif (first == 1) k = 40\nfirst = 0\nk = k + 1\nprint *, k\nend subroutine\nend\n",
    )]);
    p.good("-O2 -fno-automatic keep.f90 -o keep");
    p.prints("keep", "41 42");
}

#[test]
fn other_languages_and_kinds_of_output() {
    let p = Place::with(&[
        ("main.f90", "call twice(4)\nend\n"),
        ("twice.f", "      subroutine twice(n)\n      print *, 2*n\n      end\n"),
        ("main.c", "void twice_(int *); int main(void) { int n = 5; twice_(&n); return 0; }\n"),
    ]);
    p.good("-c twice.f");
    p.good("main.c twice.o -o c");
    p.prints("c", "10");
    p.good("-shared -fPIC twice.f -o libtwice.so");
    p.good("main.f90 -L. -ltwice -Wl,-rpath,. -o shared");
    p.prints("shared", "8");
    p.good("-static main.f90 twice.f -o static");
    p.prints("static", "8");
    p.run("ar", "rc libt.a twice.o");
    p.good("main.f90 libt.a -o archive");
    p.prints("archive", "8");
    p.good("-x f95 twice.f -x none -fsyntax-only -ffixed-form");
    p.good("-S main.f90");
    assert!(fs::read_to_string(p.path().join("main.s")).unwrap().contains("MAIN__:"));
}

#[test]
fn objects_of_gfortran_and_ours_call_each_other() {
    if !found("gfortran") {
        return;
    }
    let p = Place::with(&[
        (
            "main.f90",
            "real(8), external :: dot\ncharacter(5) :: s\nreal(8) :: x(3) = [1, 2, 3]\ncall name(s, 2)\nprint *, s, nint(dot(x, x, 3))\nend\n",
        ),
        (
            "sub.f90",
            "real(8) function dot(a, b, n)\ninteger :: n\nreal(8) :: a(n), b(n)\ndot = sum(a * b)\nend function\nsubroutine name(s, k)\ncharacter(*) :: s\ns = repeat('ab', k) // 'c'\nend subroutine\n",
        ),
    ]);
    for (ours, theirs) in [("main", "sub"), ("sub", "main")] {
        p.good(&format!("-c -O2 {ours}.f90 -o {ours}.o"));
        let out = p.run("gfortran", &format!("-c {theirs}.f90 -o {theirs}.o"));
        assert!(out.status.success(), "{}", text(&out.stderr));
        p.good("main.o sub.o -lgfortran -o both");
        p.prints("both", "ababc 14");
    }
}

#[test]
fn lapack_solves_equations() {
    let p = Place::with(&[(
        "solve.f90",
        "real(8) :: a(2,2) = reshape([2d0, 1d0, 1d0, 3d0], [2, 2]), b(2) = [3d0, 5d0]\ninteger :: pivots(2), info\n\
         call dgesv(2, 1, a, 2, pivots, b, 2, info)\nprint *, info, nint(10 * b)\nend\n",
    )]);
    let out = p.fc("solve.f90 -llapack -lblas -o solve");
    if !out.status.success() {
        let missing = text(&out.stderr).contains("cannot find -llapack");
        assert!(missing && std::env::var_os("TRUELINE_TEST_NO_SKIP").is_none(), "{}", text(&out.stderr));
        return;
    }
    p.prints("solve", "0 8 14");
}

#[test]
fn constants_that_do_not_fit_are_taken_on_request() {
    let source = "integer, parameter :: big = 2147483647 + 1\nreal, parameter :: inf = 1./0.\n\
                  print *, big, inf > huge(inf)\nend\n";
    let p = Place::with(&[("range.f90", source), ("text.f90", "integer :: i\ni = 'ABCD'\nprint '(a4)', i\nend\n")]);
    p.bad("range.f90", "Arithmetic overflow");
    p.good("-fno-range-check range.f90 -o range");
    p.prints("range", "-2147483648 T");
    p.bad("text.f90", "CHARACTER cannot become INTEGER(4)");
    p.good("-fdec-char-conversions text.f90 -o text");
    p.prints("text", "ABCD");
}

#[test]
fn c_and_fortran_call_each_other_by_value() {
    const C: &str = "typedef struct { int n; double z; } mixed; typedef struct { float a, b, c; } small;\n\
                     double both(mixed, int); float three(small); char upper(char); void *second(void *);\n\
                     double run(double (*f)(mixed, int)) { mixed m = {2, 1.5}; small s = {1, 2, 3}; double x[2] = {4, 5};\n\
                     return both(m, 7) + f(m, 1) + three(s) + upper('a') + *(double *)second(x); }\n";
    const F: &str = "module m\nuse iso_c_binding\ntype, bind(c) :: mixed\ninteger(c_int) :: n\nreal(c_double) :: z\nend type\n\
                     type, bind(c) :: small\nreal(c_float) :: a, b, c\nend type\ncontains\n\
                     real(c_double) function both(p, k) bind(c)\ntype(mixed), value :: p\ninteger(c_int), value :: k\n\
                     both = p%n*p%z + k\nend function\n\
                     real(c_float) function three(s) bind(c)\ntype(small), value :: s\nthree = s%a + 10*s%b + 100*s%c\nend function\n\
                     character(c_char) function upper(c) bind(c)\ncharacter(c_char), value :: c\nupper = achar(iachar(c) - 32)\nend function\n\
                     type(c_ptr) function second(p) bind(c)\ntype(c_ptr), value :: p\nreal(c_double), pointer :: x(:)\n\
                     call c_f_pointer(p, x, [2])\nsecond = c_loc(x(2))\nend function\nend module\n\
                     program main\nuse m\ninterface\nreal(c_double) function run(f) bind(c)\nimport\n\
                     type(c_funptr), value :: f\nend function\nend interface\nprint '(f6.1)', run(c_funloc(both))\nend program\n";
    let p = Place::with(&[("c.c", C), ("f.f90", F)]);
    for level in ["-O0", "-O3"] {
        p.good(&format!("{level} f.f90 c.c -o both"));
        p.prints("both", "405.0");
    }
}

#[test]
fn modules_that_only_a_block_uses_are_read_from_their_files() {
    let shapes = "module shapes\n  integer :: n = 3\n  type pt\n    real :: x = 1\n  end type\ncontains\n\
        integer function area(p)\n    type(pt) :: p\n    area = int(p%x)*n\n  end function\nend module\n";
    let main = "program main\n  block\n    use shapes\n    type(pt) :: q\n    q%x = 4\n    print *, area(q), n\n    n = 5\n\
        end block\n  block\n    use shapes, only: k => n\n    print *, k\n  end block\nend program\n";
    let place = Place::with(&[("shapes.f90", shapes), ("main.f90", main)]);
    place.good("-c shapes.f90");
    place.good("-c main.f90");
    place.good("shapes.o main.o -o apart");
    place.prints("apart", "12 3 5");
    place.good("-O2 shapes.f90 main.f90 -o together");
    place.prints("together", "12 3 5");
}

/// An element of an array stands for the sequence that begins with it, in another file, too (Fortran 2018, 15.5.2.11).
#[test]
fn elements_and_arrays_are_passed_to_one_procedure_of_another_file() {
    let fill = "subroutine fill(a, n)\n  integer n\n  real a(*)\n  a(1:n) = a(1:n) + 1\nend subroutine\n";
    let main = "program main\n  real, allocatable :: x(:)\n  allocate(x(4))\n  x = 0\n  call fill(x(3), 2)\n\
        call fill(x, 4)\n  print '(4i3)', int(x)\nend program\n";
    let place = Place::with(&[("fill.f90", fill), ("main.f90", main)]);
    place.good("main.f90 fill.f90 -o together");
    place.prints("together", "1 1 2 2");
    place.good("-c fill.f90");
    place.good("-c main.f90");
    place.good("main.o fill.o -o apart");
    place.prints("apart", "1 1 2 2");
}

/// A variable with BIND(C) may be defined in C, in another module, or nowhere else.
#[test]
fn variables_of_c_are_shared() {
    let shared = "module shared\n  use iso_c_binding\n  integer(c_int), bind(c, name='counter') :: counter\n\
        integer(c_int), bind(c) :: own\n  interface\n    subroutine bump() bind(c)\n    end subroutine\n  end interface\n\
        end module\n";
    let main = "program main\n  use shared\n  print *, counter\n  counter = 40\n  own = 2\n  call bump\n  print *, counter, own\n\
        end program\n";
    let c = "int counter = 7; extern int own; void bump(void) { counter++; own *= 3; }";
    let place = Place::with(&[("shared.f90", shared), ("main.f90", main), ("c.c", c)]);
    place.good("c.c shared.f90 main.f90 -o together");
    place.prints("together", "7 41 6");
    for file in ["shared.f90", "main.f90"] {
        place.good(&format!("-O2 -c {file}"));
    }
    place.good("main.o c.c shared.o -o apart");
    place.prints("apart", "7 41 6");
}

#[test]
fn build_takes_mismatches_of_several_files_as_fc_does() {
    let main = "program main\n  call show(1)\n  call show(2.0)\nend program\n";
    let show = "subroutine show(i)\n  integer i\n  print *, i\nend subroutine\n";
    let place = Place::with(&[("main.f90", main), ("show.f90", show)]);
    place.bad("main.f90 show.f90 -o program", "T0576");
    let trueline = env!("CARGO_BIN_EXE_trueline");
    let out = place.run(trueline, "build -fallow-argument-mismatch main.f90 show.f90 -o program");
    assert!(out.status.success() && text(&out.stderr).contains("warning[T0576]"), "{}", text(&out.stderr));
    place.prints("program", "1 1073741824");
}
