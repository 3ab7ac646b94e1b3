//! Objects of gfortran and ours in one program, each calling the other: `tests/abi`.

use std::path::Path;
use std::process::Command;

/// The callee, and the caller.
const PAIRS: [(&str, &str); 4] = [
    ("procedures.f90", "calls.f90"),
    ("module.f90", "uses.f90"),
    ("shaped.f90", "shaped_calls.f90"),
    ("quads.f90", "quads_calls.f90"),
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

/// The counts of the constructs of shaped.f90.
fn counts(profile: &Path) -> Vec<String> {
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(profile).unwrap()).unwrap();
    let constructs = json["constructs"].as_array().unwrap().iter();
    let own = constructs.filter(|c| c["file"].as_str().is_some_and(|f| f.ends_with("shaped.f90")));
    own.map(|c| format!("{}:{} {}", c["line"], c["column"], c["counts"])).collect()
}
