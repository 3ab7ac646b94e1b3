//! Objects of gfortran and ours in one program, each calling the other: `tests/abi`.

use std::path::Path;
use std::process::Command;

/// The callee, and the caller.
const PAIRS: [(&str, &str); 5] = [
    ("procedures.f90", "calls.f90"),
    ("module.f90", "uses.f90"),
    ("shaped.f90", "shaped_calls.f90"),
    ("quads.f90", "quads_calls.f90"),
    ("values.f90", "values_calls.f90"),
];

fn run(command: &mut Command) -> String {
    let out = command.output().expect("it starts");
    assert!(out.status.success(), "{command:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn has_gfortran() -> bool {
    let there = Command::new("gfortran").arg("--version").output().is_ok();
    assert!(there || std::env::var_os("TRUELINE_TEST_NO_SKIP").is_none(), "gfortran is missing where no test may skip");
    there
}

/// Compiles one file with `compiler`; its module files go to a directory of their own.
fn object(directory: &Path, compiler: &[&str], source: &str) -> String {
    let tag: String = compiler.join("").chars().filter(char::is_ascii_alphanumeric).collect();
    let modules = directory.join(&tag);
    std::fs::create_dir_all(&modules).unwrap();
    let object = format!("{tag}.{source}.o");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/abi").join(source);
    let mut command = Command::new(compiler[0]);
    command.args(&compiler[1..]).arg("-J").arg(&modules).arg("-c").arg(path).arg("-o").arg(&object);
    run(command.current_dir(directory));
    object
}

#[test]
fn each_calls_the_other() {
    if !has_gfortran() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let trueline = env!("CARGO_BIN_EXE_trueline");
    let theirs: &[&str] = &["gfortran", "-w"];
    for (callee, caller) in PAIRS {
        let (their_callee, their_caller) = (object(at, theirs, callee), object(at, theirs, caller));
        run(Command::new("gfortran").args([&their_callee, &their_caller]).args(["-o", "all-theirs"]).current_dir(at));
        let expected = run(Command::new("./all-theirs").current_dir(at));
        assert!(expected.lines().count() > 10, "{expected}");
        for flags in ["-O0", "-O3", "-fprofile-trueline"] {
            let ours = [trueline, "fc", "-w", flags];
            let (our_callee, our_caller) = (object(at, &ours, callee), object(at, &ours, caller));
            for (callee, caller) in
                [(&our_callee, &our_caller), (&our_callee, &their_caller), (&their_callee, &our_caller)]
            {
                let mut link = Command::new(trueline);
                link.args(["fc", flags, callee, caller, "-lgfortran", "-o", "mixed"]);
                run(link.current_dir(at));
                assert_eq!(run(Command::new("./mixed").current_dir(at)), expected, "{callee} {caller}");
            }
        }
    }
}

/// The same through libraries: an archive, a shared library of ours and one of gfortran's, with a COMMON block in both.
#[test]
fn through_libraries() {
    if !has_gfortran() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let trueline = env!("CARGO_BIN_EXE_trueline");
    let flags = ["gfortran", "-w", "-fPIC"];
    let (theirs, their_caller) = (object(at, &flags, "shaped.f90"), object(at, &flags, "shaped_calls.f90"));
    run(Command::new("gfortran").args(["-shared", &theirs, "-o", "libtheirs.so"]).current_dir(at));
    run(Command::new("gfortran").args([&theirs, &their_caller]).args(["-o", "all-theirs"]).current_dir(at));
    let expected = run(Command::new("./all-theirs").current_dir(at));
    for level in ["-O0", "-O3"] {
        let ours = [trueline, "fc", "-w", "-fPIC", level];
        let (callee, caller) = (object(at, &ours, "shaped.f90"), object(at, &ours, "shaped_calls.f90"));
        let _ = std::fs::remove_file(at.join("libours.a"));
        run(Command::new("ar").args(["rc", "libours.a", &callee]).current_dir(at));
        run(Command::new(trueline).args(["fc", "-shared", &callee, "-o", "libours.so"]).current_dir(at));
        for library in ["libours.a", "./libours.so", "./libtheirs.so"] {
            let mut link = Command::new(trueline);
            run(link.args(["fc", &caller, library, "-lgfortran", "-o", "mixed"]).current_dir(at));
            assert_eq!(run(Command::new("./mixed").current_dir(at)), expected, "{library}");
        }
        run(Command::new("gfortran").args([&their_caller, "./libours.so", "-o", "mixed"]).current_dir(at));
        assert_eq!(run(Command::new("./mixed").current_dir(at)), expected, "gfortran's program");
    }
}

/// A procedure is counted for every caller and convention, and the way there is not counted.
#[test]
fn who_calls_makes_no_difference_to_counts() {
    if !has_gfortran() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let trueline = env!("CARGO_BIN_EXE_trueline");
    let flags = ["gfortran", "-w"];
    // For its module file.
    object(at, &flags, "shaped.f90");
    let their_caller = object(at, &flags, "shaped_calls.f90");
    let mut all = Vec::new();
    for level in ["-O0", "-O3"] {
        // Which trips are counted otherwise depends on the code.
        let ours = [trueline, "fc", "-w", "-fprofile-trueline=all", level];
        let (callee, caller) = (object(at, &ours, "shaped.f90"), object(at, &ours, "shaped_calls.f90"));
        for caller in [&caller, &their_caller] {
            let mut link = Command::new(trueline);
            link.args(["fc", "-fprofile-trueline", &callee, caller, "-lgfortran", "-o", "mixed"]);
            run(link.current_dir(at));
            run(Command::new("./mixed").current_dir(at));
            all.push(counts(&at.join("trueline-profile.json")));
        }
    }
    assert!(all[0].len() > 50, "{:?}", all[0]);
    assert!(all.iter().all(|c| *c == all[0]), "{all:?}");
}

/// Structures by value to and from C, on both targets, with gfortran's program as the reference.
#[test]
fn structures_go_by_value_as_in_c() {
    if !has_gfortran() {
        return;
    }
    let host = target_lexicon::Triple::host();
    for triple in [Some(host), crate::build::other_target()].into_iter().flatten() {
        let directory = tempfile::tempdir().unwrap();
        let at = directory.path();
        let source = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/abi").join(name);
        let mut cc = trueline_codegen::link::driver(&triple);
        run(cc.args(["-O1", "-c"]).arg(source("structures.c")).args(["-o", "c.o"]).current_dir(at));
        let expected = std::fs::read_to_string(source("structures.out")).unwrap();
        if trueline_codegen::link::is_native(&triple) {
            let mut theirs = Command::new("gfortran");
            run(theirs.arg(source("structures.f90")).args(["c.o", "-o", "theirs"]).current_dir(at));
            assert_eq!(run(Command::new("./theirs").current_dir(at)), expected, "gfortran's program");
        }
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            let mut ours = Command::new(env!("CARGO_BIN_EXE_trueline"));
            ours.args(["build", level, "--target", &triple.to_string()]).arg(source("structures.f90"));
            run(ours.args(["c.o", "-o", "ours"]).current_dir(at));
            let mut program = trueline::target::command(&triple, None, &at.join("ours")).unwrap();
            assert_eq!(run(&mut program), expected, "{level} on {triple}");
        }
    }
}

/// Objects of ours and of gfortran's in one program on the other target.
#[test]
fn each_calls_the_other_on_the_other_target() {
    let Some(triple) = crate::build::other_target() else { return };
    let gfortran = format!("{}-linux-gnu-gfortran", triple.architecture);
    if Command::new(&gfortran).arg("--version").output().is_err() {
        assert!(std::env::var_os("TRUELINE_TEST_NO_SKIP").is_none(), "{gfortran} is missing where no test may skip");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let target = format!("--target={triple}");
    let trueline = env!("CARGO_BIN_EXE_trueline");
    let started = |program: &str| run(&mut trueline::target::command(&triple, None, &at.join(program)).unwrap());
    for (callee, caller) in PAIRS {
        let theirs: &[&str] = &[&gfortran, "-w"];
        let (their_callee, their_caller) = (object(at, theirs, callee), object(at, theirs, caller));
        run(Command::new(&gfortran).args([&their_callee, &their_caller]).args(["-o", "all-theirs"]).current_dir(at));
        let expected = started("all-theirs");
        for level in ["-O0", "-O3"] {
            let ours = [trueline, "fc", "-w", level, &target];
            let (our_callee, our_caller) = (object(at, &ours, callee), object(at, &ours, caller));
            let mixes = [(&our_callee, &our_caller), (&our_callee, &their_caller), (&their_callee, &our_caller)];
            for (callee, caller) in mixes {
                let mut link = Command::new(trueline);
                link.args(["fc", level, &target, callee, caller, "-lgfortran", "-o", "mixed"]);
                run(link.current_dir(at));
                assert_eq!(started("mixed"), expected, "{callee} {caller}");
            }
        }
    }
}

/// Structures by value at ENTRY, where gfortran passes other values than C: all mixes of ours and C's.
#[test]
fn structures_go_by_value_at_entries() {
    let host = target_lexicon::Triple::host();
    for triple in [Some(host), crate::build::other_target()].iter().flatten() {
        all_mixes_with_c(triple, "entries", 17);
    }
}

/// Values beside arguments that may be absent: no COMPLEX is divided between the registers and the stack.
#[test]
fn values_beside_optional_arguments_go_as_in_c() {
    let host = target_lexicon::Triple::host();
    for triple in [Some(host), crate::build::other_target()].iter().flatten() {
        all_mixes_with_c(triple, "optionals", 6);
    }
}

/// Procedures and calls of `tests/abi/NAME*`, in Fortran and in C.
fn all_mixes_with_c(triple: &target_lexicon::Triple, name: &str, lines: usize) {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let source = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/abi").join(name);
    let target = format!("--target={triple}");
    for (flags, to) in [(&["-DCALLS", "-c"][..], "c-calls.o"), (&["-c"], "c.o")] {
        let mut cc = trueline_codegen::link::driver(triple);
        run(cc.arg("-O1").args(flags).arg(source(&format!("{name}.c"))).args(["-o", to]).current_dir(at));
    }
    let linked = |level: &str, callee: &str, caller: &str| {
        let mut link = Command::new(env!("CARGO_BIN_EXE_trueline"));
        run(link.args(["fc", level, &target, callee, caller, "-o", "mixed"]).current_dir(at));
        run(&mut trueline::target::command(triple, None, &at.join("mixed")).unwrap())
    };
    let expected = linked("-O0", "c.o", "c-calls.o");
    assert_eq!(expected.lines().count(), lines, "{expected}");
    for level in ["-O0", "-O3", "-fprofile-trueline"] {
        let ours = [env!("CARGO_BIN_EXE_trueline"), "fc", "-w", level, &target];
        let (callee, caller) =
            (object(at, &ours, &format!("{name}.f90")), object(at, &ours, &format!("{name}_calls.f90")));
        for (callee, caller) in [(&*callee, &*caller), (&callee, "c-calls.o"), ("c.o", &caller)] {
            assert_eq!(linked(level, callee, caller), expected, "{level} {callee} {caller} on {triple}");
        }
    }
}

/// The functions of mathematics in an executable are the C library's, not those of Rust's archive, which know one rounding mode.
#[test]
fn functions_come_from_the_c_library() {
    use object::{Object, ObjectSymbol};
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    std::fs::write(at.join("m.f90"), MATHEMATICS).unwrap();
    let host = target_lexicon::Triple::host();
    for triple in [Some(host), crate::build::other_target()].into_iter().flatten() {
        let mut build = Command::new(env!("CARGO_BIN_EXE_trueline"));
        run(build.args(["build", "--target", &triple.to_string(), "m.f90", "-o", "m"]).current_dir(at));
        let bytes = std::fs::read(at.join("m")).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        for name in ["fmod", "rint", "rintf", "round", "roundf"] {
            let own = file.symbols().find(|s| s.name() == Ok(name) && s.is_definition());
            assert!(own.is_none(), "{name} is in the executable for {triple}");
        }
        // The others may be instructions.
        assert!(file.dynamic_symbols().any(|s| s.name() == Ok("fmod")), "fmod is not the C library's on {triple}");
        let out = run(&mut trueline::target::command(&triple, None, &at.join("m")).unwrap());
        assert_eq!(out.trim(), "0.75  8.00  8.00  3.00  3.00", "{triple}");
    }
}

const MATHEMATICS: &str = "program p
  use, intrinsic :: ieee_arithmetic
  real(8) :: x, y
  real(4) :: r
  x = command_argument_count() + 7.5d0
  y = 2.25d0
  r = real(x)
  call ieee_set_rounding_mode(ieee_up)
  print '(5f6.2)', mod(x, y), anint(x), anint(r), ieee_rint(r - 5.25), ieee_rint(x - 5.25d0)
end program
";

/// The counts of the constructs of shaped.f90.
fn counts(profile: &Path) -> Vec<String> {
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(profile).unwrap()).unwrap();
    let constructs = json["constructs"].as_array().unwrap().iter();
    let own = constructs.filter(|c| c["file"].as_str().is_some_and(|f| f.ends_with("shaped.f90")));
    own.map(|c| format!("{}:{} {}", c["line"], c["column"], c["counts"])).collect()
}
