//! Objects of gfortran and ours in one program, each calling the other: `tests/abi`.

use std::path::Path;
use std::process::Command;

/// What is called, and what calls it.
const PAIRS: [(&str, &str); 2] = [("procedures.f90", "calls.f90"), ("module.f90", "uses.f90")];

fn run(command: &mut Command) -> String {
    let out = command.output().expect("it starts");
    assert!(out.status.success(), "{command:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
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
    if Command::new("gfortran").arg("--version").output().is_err() {
        assert!(std::env::var_os("TRUELINE_TEST_NO_SKIP").is_none(), "gfortran is missing where no test may skip");
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
