//! Calls of procedures in other objects lead to the definition that the linker and the loader choose, profiled or not, and are counted
//! once, whatever the link.
//!
//! Each test builds the same program plain and profiled, with the same commands, and compares the output of both; the
//! counts are those of the definition that was called.

use crate::build::counts;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Calls `leaf` ten times, each call counted where it is made.
const CALLER: &str = "subroutine caller(s)
  integer, intent(inout) :: s
  integer :: i
  do i = 1, 10
    call leaf(i, s)
  end do
end subroutine
";
const LEAF: &str = "subroutine leaf(i, s)
  integer, intent(in) :: i
  integer, intent(inout) :: s
  s = s + i
end subroutine
";
/// Defines `leaf` and something else, so that an archive member is needed for that.
const LEAF_AND_OTHER: &str = "subroutine leaf(i, s)
  integer, intent(in) :: i
  integer, intent(inout) :: s
  s = s + i
end subroutine
subroutine other()
end subroutine
";
const MAIN: &str = "program main
  integer :: s
  s = 0
  call caller(s)
  print *, s
end program
";
/// Adds a thousand for each call, so that the output tells which procedure was called.
const C_LEAF: &str = "void leaf_(int *i, int *s) { (void)i; *s += 1000; }\n";

/// The number of calls of a procedure.
type Calls = Box<dyn Fn(&str) -> Option<u64>>;

/// A folder in which a program is built plain (`is_profiled` false) or profiled.
struct Build {
    directory: tempfile::TempDir,
    is_profiled: bool,
    level: &'static str,
}

impl Build {
    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let out = Command::new(program).args(arguments).current_dir(self.directory.path()).output().unwrap();
        assert!(out.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    }

    fn fortran(&self, arguments: &[&str]) {
        let own: &[&str] = if self.is_profiled { &["fc", "-fprofile-trueline"] } else { &["fc"] };
        self.run(env!("CARGO_BIN_EXE_trueline"), &[own, arguments].concat());
    }

    /// Compiles `text` to `name.o`.
    fn object(&self, name: &str, text: &str, options: &[&str]) {
        let source = format!("{name}.f90");
        std::fs::write(self.path(&source), text).unwrap();
        self.fortran(&[&[self.level, "-c", &source, "-o", &format!("{name}.o")], options].concat());
    }

    /// The same without a profile, in both builds.
    fn plain_object(&self, name: &str, text: &str) {
        let source = format!("{name}.f90");
        std::fs::write(self.path(&source), text).unwrap();
        let object = format!("{name}.o");
        self.run(env!("CARGO_BIN_EXE_trueline"), &["fc", self.level, "-c", &source, "-o", &object]);
    }

    fn c_object(&self, name: &str, text: &str) {
        let source = format!("{name}.c");
        std::fs::write(self.path(&source), text).unwrap();
        self.run("cc", &["-O1", "-fPIC", "-c", &source, "-o", &format!("{name}.o")]);
    }

    fn link(&self, arguments: &[&str]) {
        self.fortran(&[arguments, &["-o", "t"]].concat());
    }

    /// The output of the program, and the calls of a procedure according to the profile, if there is one.
    fn result(&self, environment: &[(&str, &str)]) -> (String, Calls) {
        let mut t = Command::new(self.path("t"));
        t.current_dir(self.directory.path()).env("TRUELINE_PROFILE_FILE", self.path("p.json"));
        let out = t.env("LD_LIBRARY_PATH", ".").envs(environment.iter().copied()).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let found = if self.is_profiled { calls(&self.path("p.json")) } else { Box::new(|_: &str| None) };
        (String::from_utf8(out.stdout).unwrap(), found)
    }
}

/// The number of calls of each procedure: the sum over all of its name; none without a procedure of that name.
fn calls(profile: &Path) -> Calls {
    let profile = trueline_report::read(&std::fs::read(profile).unwrap()).unwrap();
    Box::new(move |name| {
        let own = profile.constructs.iter().filter(|c| c.kind == "procedure" && c.text == name);
        own.map(|c| c.counts.invocations.unwrap()).reduce(|a, b| a + b)
    })
}

/// Builds a program plain and profiled at two levels; the plain one prints `expected`, the profiled one the same, and
/// `leaf` is the number of its calls, or none if the profile does not know it.
fn check(expected: &str, leaf: Option<u64>, environment: &[(&str, &str)], make: &dyn Fn(&Build)) {
    for level in ["-O0", "-O2"] {
        for is_profiled in [false, true] {
            let build = Build { directory: tempfile::tempdir().unwrap(), is_profiled, level };
            make(&build);
            let (printed, calls) = build.result(environment);
            assert_eq!(printed.trim(), expected, "{level} {is_profiled}");
            if is_profiled {
                assert_eq!(calls("leaf"), leaf, "{level}");
                assert_eq!(calls("caller").unwrap_or(1), 1, "{level}");
            }
        }
    }
}

fn three_objects(b: &Build, options: &[&str]) {
    b.object("leaf", LEAF, options);
    b.object("caller", CALLER, options);
    b.object("main", MAIN, options);
}

#[test]
fn objects_one_by_one_in_any_order() {
    for order in [["leaf.o", "caller.o", "main.o"], ["main.o", "caller.o", "leaf.o"]] {
        for options in [&[][..], &["-fPIC"], &["-g"]] {
            check("55", Some(10), &[], &|b| {
                three_objects(b, options);
                b.link(&order);
            });
        }
    }
    for options in
        [&["-no-pie"][..], &["-rdynamic"], &["-static"], &["-Wl,--gc-sections"], &["-Wl,-z,now", "-Wl,-z,relro"]]
    {
        if options == ["-static"] && !links_statically() {
            continue;
        }
        check("55", Some(10), &[], &|b| {
            three_objects(b, &[]);
            b.link(&[&["leaf.o", "caller.o", "main.o"], options].concat());
        });
    }
}

fn links_statically() -> bool {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("t.c"), "#include <math.h>\nint main(int n, char **v) { return sin(n) > 2; }\n")
        .unwrap();
    let cc = Command::new("cc").current_dir(dir.path()).args(["-static", "t.c", "-lm", "-o", "t"]).output();
    cc.is_ok_and(|out| out.status.success())
}

#[test]
fn profiled_and_plain_objects_together() {
    check("55", None, &[], &|b| {
        three_objects(b, &[]);
        b.plain_object("leaf", LEAF);
        b.link(&["leaf.o", "caller.o", "main.o"]);
    });
    check("55", Some(10), &[], &|b| {
        three_objects(b, &[]);
        b.plain_object("caller", CALLER);
        b.link(&["leaf.o", "caller.o", "main.o"]);
    });
    // The callee was a profiled one, and is compiled anew with another number of arguments that it looks at.
    check("0", Some(10), &[], &|b| {
        three_objects(b, &[]);
        b.object("leaf", "subroutine leaf(i)\n  integer, intent(in) :: i\n  if (i < 0) stop 3\nend subroutine\n", &[]);
        b.link(&["leaf.o", "caller.o", "main.o"]);
    });
}

#[test]
fn a_definition_in_c_takes_the_place_of_one_in_an_archive() {
    check("10000", None, &[], &|b| {
        three_objects(b, &[]);
        b.c_object("mine", C_LEAF);
        b.run("ar", &["rcs", "liball.a", "leaf.o", "caller.o"]);
        b.link(&["main.o", "mine.o", "liball.a"]);
    });
    // The archive has all objects that the program needs, and no other definitions.
    check("55", Some(10), &[], &|b| {
        three_objects(b, &[]);
        b.run("ar", &["rcs", "liball.a", "leaf.o", "caller.o"]);
        b.link(&["main.o", "liball.a"]);
    });
}

/// The member that defines `leaf` is in the program for its other procedure; the linker takes the first definition.
#[test]
fn the_first_of_two_definitions() {
    check("10000", Some(0), &[], &|b| {
        b.c_object("mine", C_LEAF);
        b.object("leaf", LEAF_AND_OTHER, &[]);
        b.object("caller", CALLER, &[]);
        b.object("main", &MAIN.replace("call caller", "call other()\n  call caller"), &[]);
        b.link(&["main.o", "mine.o", "caller.o", "leaf.o", "-Wl,--allow-multiple-definition"]);
    });
}

/// `objcopy` gives symbols other names and bindings.
fn has_objcopy() -> bool {
    crate::profile::exports::has("objcopy")
}

#[test]
fn a_weak_definition_is_passed_over() {
    if !has_objcopy() {
        return;
    }
    let weaken = |b: &Build| b.run("objcopy", &["--weaken-symbol=leaf_", "leaf.o"]);
    check("10000", Some(0), &[], &|b| {
        three_objects(b, &[]);
        weaken(b);
        b.c_object("mine", C_LEAF);
        b.link(&["leaf.o", "caller.o", "main.o", "mine.o"]);
    });
    check("55", Some(10), &[], &|b| {
        three_objects(b, &[]);
        weaken(b);
        b.link(&["leaf.o", "caller.o", "main.o"]);
    });
    // The definition has another name by now, and the call does not lead to it.
    check("10000", Some(0), &[], &|b| {
        three_objects(b, &[]);
        b.run("objcopy", &["--redefine-sym", "leaf_=old_leaf_", "leaf.o"]);
        b.c_object("mine", C_LEAF);
        b.link(&["leaf.o", "caller.o", "main.o", "mine.o"]);
    });
}

#[test]
fn the_linker_leads_calls_elsewhere() {
    let around =
        "void __real_leaf_(int *, int *);\nvoid __wrap_leaf_(int *i, int *s) { *s += 1000; __real_leaf_(i, s); }\n";
    check("10055", Some(10), &[], &|b| {
        three_objects(b, &[]);
        b.c_object("around", around);
        b.link(&["leaf.o", "caller.o", "main.o", "around.o", "-Wl,--wrap=leaf_"]);
    });
    if !has_objcopy() {
        return;
    }
    check("10000", Some(0), &[], &|b| {
        three_objects(b, &[]);
        b.c_object("mine", &C_LEAF.replace("leaf_", "mine"));
        b.run("objcopy", &["--redefine-sym", "leaf_=mine", "caller.o"]);
        b.link(&["leaf.o", "caller.o", "main.o", "mine.o"]);
    });
}

#[test]
fn objects_linked_to_one_object_first() {
    check("55", Some(10), &[], &|b| {
        three_objects(b, &[]);
        b.run("cc", &["-nostdlib", "-r", "leaf.o", "caller.o", "-o", "both.o"]);
        b.link(&["both.o", "main.o"]);
    });
    if !has_objcopy() {
        return;
    }
    check("10000", Some(0), &[], &|b| {
        three_objects(b, &[]);
        b.run("cc", &["-nostdlib", "-r", "leaf.o", "caller.o", "-o", "both.o"]);
        b.run("objcopy", &["--weaken-symbol=leaf_", "both.o"]);
        b.c_object("mine", C_LEAF);
        b.link(&["both.o", "main.o", "mine.o"]);
    });
}

/// The library calls its own procedure, or that of the executable, where it has one; with `-Bsymbolic` its own.
#[test]
fn executables_replace_procedures_of_libraries() {
    let library = |b: &Build, options: &[&str]| {
        b.object("leaf", LEAF, &["-fPIC"]);
        b.object("caller", CALLER, &["-fPIC"]);
        b.fortran(&[&["-shared", "leaf.o", "caller.o", "-o", "libboth.so"], options].concat());
        b.object("main", MAIN, &[]);
    };
    check("55", Some(10), &[], &|b| {
        library(b, &[]);
        b.link(&["main.o", "-L.", "-lboth"]);
    });
    for replaced in [&[][..], &["-Wl,-Bsymbolic"]] {
        let (printed, calls) = if replaced.is_empty() { ("10000", 0) } else { ("55", 10) };
        check(printed, Some(calls), &[], &|b| {
            library(b, replaced);
            b.c_object("mine", C_LEAF);
            b.link(&["main.o", "mine.o", "-L.", "-lboth"]);
        });
    }
    // The executable's own is a profiled one: it counts where it is entered.
    let twice = LEAF.replace("s + i", "s + 2 * i");
    check("110", Some(10), &[], &|b| {
        library(b, &[]);
        b.object("mine", &twice, &[]);
        b.link(&["main.o", "mine.o", "-L.", "-lboth"]);
    });
}

#[test]
fn preloaded_libraries_replace_procedures_of_libraries_only() {
    let make = |b: &Build, is_library: bool| {
        three_objects(b, &["-fPIC"]);
        b.c_object("mine", C_LEAF);
        b.run("cc", &["-shared", "mine.o", "-o", "libmine.so"]);
        if is_library {
            b.fortran(&["-shared", "leaf.o", "caller.o", "-o", "libboth.so"]);
            b.link(&["main.o", "-L.", "-lboth"]);
        } else {
            b.link(&["main.o", "caller.o", "leaf.o", "-rdynamic"]);
        }
    };
    let preload = [("LD_PRELOAD", "./libmine.so")];
    check("10000", Some(0), &preload, &|b| make(b, true));
    check("55", Some(10), &[], &|b| make(b, true));
    check("55", Some(10), &preload, &|b| make(b, false));
}

/// The executable opens a library that calls a procedure that both define, and the library alone defines.
#[test]
fn libraries_that_are_opened_find_procedures_of_the_executable() {
    let open = "#include <dlfcn.h>\n#include <stdio.h>\nvoid leaf_(int *, int *);\nint main(void) {\n  int s = 0, one = 1;\n  \
                void *l = dlopen(\"./libboth.so\", RTLD_NOW);\n  if (!l) { puts(dlerror()); return 1; }\n  \
                ((void (*)(int *))dlsym(l, \"caller_\"))(&s);\n  leaf_(&one, &s);\n  printf(\"%d\\n\", s);\n  return 0;\n}\n";
    let twice = LEAF.replace("s + i", "s + 2 * i");
    for (options, printed) in [(&["-rdynamic"][..], "112"), (&[], "57")] {
        check(printed, Some(11), &[], &|b| {
            b.object("leaf", LEAF, &["-fPIC"]);
            b.object("caller", CALLER, &["-fPIC"]);
            b.fortran(&["-shared", "leaf.o", "caller.o", "-o", "libboth.so"]);
            b.object("mine", &twice, &[]);
            b.c_object("open", open);
            b.link(&[&["open.o", "mine.o", "-ldl"], options].concat());
        });
    }
}

/// A procedure called by its address is counted where it is entered, also for callers that call it by its name, too.
#[test]
fn addresses_of_procedures_are_those_of_their_entries() {
    let caller = "subroutine caller(s)
  integer, intent(inout) :: s
  external :: leaf
  integer :: i
  do i = 1, 10
    if (i < 6) then
      call leaf(i, s)
    else
      call through(leaf, i, s)
    end if
  end do
end subroutine
subroutine through(f, i, s)
  external :: f
  integer :: i, s
  call f(i, s)
end subroutine
";
    check("55", Some(10), &[], &|b| {
        three_objects(b, &[]);
        b.object("caller", caller, &[]);
        b.link(&["leaf.o", "caller.o", "main.o"]);
    });
    let same = "#include <dlfcn.h>\nvoid leaf_(int *, int *);\nvoid same_(void (*f)(int *, int *), int *s) {\n  *s += f == leaf_;\n}\n";
    let asks = "subroutine caller(s)
  integer, intent(inout) :: s
  external :: leaf
  integer :: i
  do i = 1, 10
    call leaf(i, s)
  end do
  call same(leaf, s)
end subroutine
";
    check("56", Some(10), &[], &|b| {
        three_objects(b, &[]);
        b.object("caller", asks, &[]);
        b.c_object("same", same);
        b.link(&["leaf.o", "caller.o", "main.o", "same.o"]);
    });
}

/// Procedures of different objects that call one another; one of them ends the run.
#[test]
fn rings_of_objects_and_a_stop_in_a_callee() {
    let even = "recursive subroutine even(n)\n  integer, intent(in) :: n\n  integer :: k\n  do k = 1, 2\n    \
                if (n > 0 .and. k == 1) call odd(n - 1)\n  end do\nend subroutine\n";
    let odd = "recursive subroutine odd(n)\n  integer, intent(in) :: n\n  if (n > 0) call even(n - 1)\n  if (n == 5) stop\nend subroutine\n";
    for is_profiled in [false, true] {
        let b = Build { directory: tempfile::tempdir().unwrap(), is_profiled, level: "-O2" };
        b.object("even", even, &[]);
        b.object("odd", odd, &[]);
        b.object("main", "program main\n  call even(8)\n  print *, 'never'\nend program\n", &[]);
        b.link(&["even.o", "odd.o", "main.o"]);
        let (printed, calls) = b.result(&[]);
        assert_eq!(printed, "");
        if is_profiled {
            assert_eq!((calls("even"), calls("odd")), (Some(5), Some(4)));
        }
    }
}

/// The calls of a killed program are in its profile, also where they passed by entries.
#[test]
fn a_killed_program_has_its_calls() {
    let b = Build { directory: tempfile::tempdir().unwrap(), is_profiled: true, level: "-O2" };
    let ends = "#include <signal.h>\nvoid ends_(int *i) { if (*i == 7) raise(SIGKILL); }\n";
    b.object("leaf", &LEAF.replace("s = s + i", "call ends(i)\n  s = s + i"), &[]);
    b.object("caller", CALLER, &[]);
    b.object("main", MAIN, &[]);
    b.c_object("ends", ends);
    b.link(&["leaf.o", "caller.o", "main.o", "ends.o"]);
    let profile = b.path("p.json");
    let status = Command::new(b.path("t")).env("TRUELINE_PROFILE_FILE", &profile).status().unwrap();
    assert!(!status.success());
    let bytes = std::fs::read(&profile).unwrap();
    let found = counts(&serde_json::to_string(&trueline_report::read(&bytes).unwrap()).unwrap()).unwrap();
    let leaf = found.iter().find(|(k, _)| k.ends_with(" leaf")).unwrap().1;
    assert_eq!(leaf.invocations, Some(7));
}
