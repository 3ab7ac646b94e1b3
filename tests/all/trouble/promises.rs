//! The scripts of `tests/promises` in small: each shows one promise of docs/reliability.md, and takes sizes for the whole of it.

use std::path::Path;
use std::process::Command;

/// Runs a script, which prints the reason if the promise is not kept.
fn keeps(script: &str, sizes: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new("bash");
    command.arg(root.join("tests/promises").join(script)).args(sizes);
    let out = command.env("TRUELINE", env!("CARGO_BIN_EXE_trueline")).current_dir(root).output().unwrap();
    let (text, errors) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{script}: {:?}\n{text}\n{errors}", out.status);
}

#[test]
fn sums_do_not_depend_on_ranks() {
    keeps("sums.sh", &["0"]);
}

#[test]
fn functions_are_accurate() {
    keeps("accuracy.sh", &["400", "100"]);
}

#[test]
fn outputs_are_all_or_nothing() {
    keeps("outputs.sh", &["6", "2"]);
}

#[test]
fn ranks_and_threads_do_not_race() {
    keeps("races.sh", &["1", "1"]);
}

#[test]
fn bytes_are_identical() {
    keeps("identical.sh", &["3"]);
}

#[test]
fn executables_are_hardened() {
    keeps("hardened.sh", &["3"]);
}

#[test]
fn code_and_dependencies_are_accounted_for() {
    keeps("accounts.sh", &[]);
}
