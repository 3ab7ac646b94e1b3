//! Another target without its tools: one sentence each says what to install or pass.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// A target that is not this machine's.
const OTHER: &str =
    if cfg!(target_arch = "aarch64") { "x86_64-unknown-linux-gnu" } else { "aarch64-unknown-linux-gnu" };

/// The message of a command that fails, where neither programs nor installed libraries are found.
fn refused(at: &Path, words: &[&str], with: &[(&str, &str)]) -> String {
    std::fs::write(at.join("p.f90"), "print *, 1\nend\n").unwrap();
    let nothing = at.join("nothing");
    let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
    command.args(words).current_dir(at).env("PATH", &nothing).env("XDG_DATA_HOME", &nothing);
    for name in ["TRUELINE_RT_DIR", "TRUELINE_RUNNER", "CC"] {
        command.env_remove(name);
    }
    command.envs(with.iter().copied());
    let out = command.output().unwrap();
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(!out.status.success(), "{words:?} {text}");
    assert!(!text.contains("panicked"), "{text}");
    assert!(!at.join("out").exists(), "nothing is left: {text}");
    let sentences: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    assert_eq!(sentences.len(), 1, "{text}");
    text
}

/// A directory with something that passes for the runtime library.
fn library(at: &Path) -> String {
    let directory = at.join("library");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("libtruelinert.a"), "!<arch>\n").unwrap();
    directory.display().to_string()
}

/// A program of one line for the shell.
fn script(at: &Path, name: &str, line: &str) -> String {
    let path = at.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{line}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

/// Something that passes for a linker driver: its last word is the program.
fn linker(at: &Path) -> String {
    script(at, "cc", "for last; do :; done; case \"$last\" in -*) ;; *) : >\"$last\" ;; esac")
}

#[test]
fn without_the_runtime_library() {
    let directory = tempfile::tempdir().unwrap();
    for command in ["build", "run", "profile", "fc"] {
        let output: &[&str] = if matches!(command, "build" | "fc") { &["-o", "out"] } else { &[] };
        let words = [&[command, "--target", OTHER, "p.f90"], output].concat();
        let text = refused(directory.path(), &words, &[]);
        assert!(text.contains(&format!("'trueline runtime install --target {OTHER}'")), "{text}");
        assert!(text.contains("--rt-dir DIR"), "{text}");
    }
    let text = refused(directory.path(), &["build", "--target", OTHER, "--rt-dir", "nowhere", "p.f90"], &[]);
    assert!(text.contains("There is no runtime library 'nowhere/libtruelinert.a': make it by"), "{text}");
}

#[test]
fn without_a_linker() {
    let directory = tempfile::tempdir().unwrap();
    let library = library(directory.path());
    let words = ["build", "--target", OTHER, "p.f90", "-o", "out"];
    let text = refused(directory.path(), &words, &[("TRUELINE_RT_DIR", &library)]);
    assert!(text.contains("install a C compiler for the target") && text.contains("CC"), "{text}");
    let text = refused(directory.path(), &words, &[("TRUELINE_RT_DIR", &library), ("CC", "no-such-cc -m64")]);
    assert!(text.contains("'no-such-cc'"), "{text}");
    let words = ["fc", "--target", OTHER, "p.f90", "-o", "out"];
    let text = refused(directory.path(), &words, &[("TRUELINE_RT_DIR", &library)]);
    assert!(text.contains("install a C compiler for the target") && text.contains("CC"), "{text}");
}

#[test]
fn with_the_linker_of_this_machine() {
    let directory = tempfile::tempdir().unwrap();
    let library = library(directory.path());
    let own = format!("{}-linux-gnu", std::env::consts::ARCH);
    let cc = script(directory.path(), "own-cc", &format!("echo {own}"));
    let with = [("TRUELINE_RT_DIR", library.as_str()), ("CC", cc.as_str())];
    for command in ["build", "fc"] {
        let text = refused(directory.path(), &[command, "--target", OTHER, "p.f90", "-o", "out"], &with);
        assert!(text.contains(&format!("links for '{own}', not for '{OTHER}'")), "{text}");
        assert!(text.contains("have CC name a C compiler for the target"), "{text}");
    }
}

#[test]
fn without_the_c_library_of_the_target() {
    let directory = tempfile::tempdir().unwrap();
    let library = library(directory.path());
    let cc = linker(directory.path());
    let with = [("TRUELINE_RT_DIR", library.as_str()), ("CC", cc.as_str())];
    let qemu = format!("qemu-{}", OTHER.split('-').next().unwrap());
    let qemu = script(directory.path(), &qemu, "exit 1");
    let runner = format!("{qemu} -L nowhere");
    for command in ["run", "profile"] {
        let text = refused(directory.path(), &[command, "--target", OTHER, "--runner", &runner, "p.f90"], &with);
        assert!(text.contains(&format!("There is no C library for '{OTHER}' in 'nowhere': install it")), "{text}");
        assert!(text.contains("-L DIRECTORY'"), "{text}");
    }
}

#[test]
fn profiles_of_two_processors() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    std::fs::write(at.join("p.f90"), "print *, 1\nend\n").unwrap();
    let trueline = |words: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_trueline")).args(words).current_dir(at).output().unwrap();
        assert!(out.status.success(), "{words:?} {}", String::from_utf8_lossy(&out.stderr));
        [out.stdout, out.stderr].map(|text| String::from_utf8_lossy(&text).into_owned())
    };
    trueline(&["profile", "--quiet", "--out", "here.json", "p.f90"]);
    let mut profile: trueline_abi::profile::Profile =
        serde_json::from_slice(&std::fs::read(at.join("here.json")).unwrap()).unwrap();
    let own = profile.target.replace(OTHER.into()).unwrap();
    std::fs::write(at.join("there.json"), trueline_abi::profile::sealed(&profile).unwrap()).unwrap();
    let mut both = [own.as_str(), OTHER];
    both.sort_unstable();
    let both = both.join(", ");
    let [_, said] = trueline(&["merge", "-o", "sum.json", "here.json", "there.json"]);
    assert!(said.contains("on different processors") && said.contains(&both), "{said}");
    let [_, said] = trueline(&["merge", "-o", "twice.json", "here.json", "here.json"]);
    assert_eq!(said, "");
    let [text, _] = trueline(&["report", "sum.json"]);
    assert!(text.lines().next().unwrap().contains(&both), "{text}");
    let [text, _] = trueline(&["diff", "here.json", "there.json"]);
    assert!(text.contains(&format!("their times do not compare: {own} and {OTHER}")), "{text}");
}

#[test]
fn without_an_emulator() {
    let directory = tempfile::tempdir().unwrap();
    let library = library(directory.path());
    let cc = linker(directory.path());
    let with = [("TRUELINE_RT_DIR", library.as_str()), ("CC", cc.as_str())];
    let text = refused(directory.path(), &["run", "--target", OTHER, "p.f90"], &with);
    assert!(text.contains("install qemu-") && text.contains("--runner COMMAND"), "{text}");
    let words = ["run", "--target", OTHER, "--runner", "no-such-runner -L x", "p.f90"];
    let text = refused(directory.path(), &words, &with);
    assert!(text.contains("There is no runner 'no-such-runner'"), "{text}");
}

#[test]
fn without_what_the_library_is_made_of() {
    let directory = tempfile::tempdir().unwrap();
    let text = refused(directory.path(), &["runtime", "install", "--target", OTHER], &[]);
    assert!(text.contains("install Rust") && text.contains("FILE'"), "{text}");
    let text = refused(directory.path(), &["runtime", "install", "--target", OTHER, "--std", "nowhere"], &[]);
    assert!(text.contains(&format!("no Rust standard library for '{OTHER}' in 'nowhere'")), "{text}");
    assert!(text.contains(&format!("rustup target add {OTHER}")) && text.contains("--std DIR"), "{text}");
    let text = refused(directory.path(), &["runtime", "install", "--target", OTHER, "p.f90"], &[]);
    assert!(text.contains("'p.f90' is no archive"), "{text}");
    let text = refused(directory.path(), &["build", "--target", "aarch64-unknown-linux-musl", "p.f90"], &[]);
    assert!(text.contains("GNU C library"), "{text}");
}

/// The runtime library compiles for the other target, where Rust's standard library for it is installed.
#[test]
#[allow(clippy::print_stderr, reason = "tests that skip say so")]
fn the_runtime_compiles_for_the_other_target() {
    let folder = Command::new("rustc").args(["--print", "target-libdir", "--target", OTHER]).output().unwrap();
    let folder = String::from_utf8_lossy(&folder.stdout).trim().to_owned();
    let mut files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    if !files.any(|f| f.file_name().to_string_lossy().starts_with("libstd-")) {
        eprintln!("skipped: there is no standard library for {OTHER}");
        return;
    }
    let mut check = Command::new(env!("CARGO"));
    check.args(["check", "--locked", "--quiet", "-p", "trueline-runtime", "--target", OTHER]);
    // The directory of the tests may be locked by the command that runs them.
    check.arg("--target-dir").arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("check"));
    let out = check.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}
