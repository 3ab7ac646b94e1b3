//! Some random signatures: objects of both compilers and C in all mixes.

use campaign::signatures::run::{Options, command};
use std::process::Command;

fn judge(target: Option<&str>) {
    let gfortran = target.map_or("gfortran".to_owned(), |_| "aarch64-linux-gnu-gfortran".to_owned());
    if Command::new(&gfortran).arg("--version").output().is_err() {
        assert!(std::env::var_os("TRUELINE_TEST_NO_SKIP").is_none(), "{gfortran} is missing where no test may skip");
        return;
    }
    // The first program has a COMPLEX(4) for which no register is left.
    let options = Options { seed: 3, signatures: 40, target: target.map(str::to_owned), write: None };
    let mut text = String::new();
    let code = command(&options, &mut |line| text += &format!("{line}\n"));
    // The compiler is not there if this package alone is tested.
    if code == 2 && std::env::var_os("TRUELINE_TEST_NO_SKIP").is_none() {
        return;
    }
    assert_eq!(code, 0, "{text}");
    assert!(text.starts_with("40 signatures on "), "{text}");
}

#[test]
fn on_this_machine() {
    judge(None);
}

#[test]
fn on_the_other_target() {
    if std::env::var_os("TRUELINE_TEST_AARCH64").is_some() {
        judge(Some("aarch64-unknown-linux-gnu"));
    }
}
