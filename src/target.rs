//! Targets: the names that are understood, and the way to run a program that is for another processor.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use target_lexicon::{Architecture, Environment, OperatingSystem, Triple, Vendor};
use trueline_codegen::link;

/// The targets that programs can be compiled for.
pub const TARGETS: &str = "x86_64-unknown-linux-gnu and aarch64-unknown-linux-gnu";

/// The target that `text` names, as a triple (`aarch64-unknown-linux-gnu`) or without its vendor (`aarch64-linux-gnu`).
///
/// # Errors
/// A sentence for the user if it is none, or programs for it would need another C library.
pub fn parse(text: &str) -> Result<Triple, String> {
    let unknown = || format!("Target '{text}' is not supported; the targets are {TARGETS}");
    let mut triple: Triple = text.parse().map_err(|_| unknown())?;
    let known = matches!(
        triple.architecture,
        Architecture::X86_64 | Architecture::Aarch64(target_lexicon::Aarch64Architecture::Aarch64)
    );
    if !known || triple.operating_system != OperatingSystem::Linux {
        return Err(unknown());
    }
    if triple.environment != Environment::Gnu {
        return Err(format!(
            "Target '{text}' has the C library '{}', and programs need the GNU C library; the targets are {TARGETS}",
            triple.environment
        ));
    }
    triple.vendor = Vendor::Unknown;
    Ok(triple)
}

/// A command that runs `program`, which is for `triple`: directly, or by the words of `runner`. Without these, a program for
/// another processor is run by QEMU's emulator of user programs, with the libraries of the distribution's cross compiler.
///
/// # Errors
/// A sentence for the user if there is no emulator, or no C library for it.
pub fn command(triple: &Triple, runner: Option<&str>, program: &Path) -> Result<Command, String> {
    let given = runner.map(str::to_owned).or_else(|| std::env::var("TRUELINE_RUNNER").ok());
    let words = match given.map(|text| link::words(&text)).filter(|words| !words.is_empty()) {
        Some(words) => words,
        None if link::is_native(triple) => return Ok(Command::new(program)),
        None => emulator(triple)?,
    };
    let (first, rest) = words.split_first().ok_or("The runner is empty")?;
    if found(first).is_none() {
        return Err(format!("There is no runner '{first}': install it, or name another one by --runner"));
    }
    let mut command = Command::new(first);
    command.args(rest).arg(program);
    Ok(command)
}

fn emulator(triple: &Triple) -> Result<Vec<String>, String> {
    let name = format!("qemu-{}", triple.architecture);
    if found(&name).is_none() {
        return Err(format!(
            "Programs for '{triple}' do not run on this machine: install {name} (the package qemu-user of a distribution), or \
             pass --runner COMMAND"
        ));
    }
    let root = format!("/usr/{}-linux-gnu", triple.architecture);
    has_library(triple, &name, &root)?;
    Ok(vec![name, "-L".into(), root])
}

/// An error if there is no C library for the programs that `emulator` runs.
fn has_library(triple: &Triple, emulator: &str, root: &str) -> Result<(), String> {
    if Path::new(root).join("lib").is_dir() {
        return Ok(());
    }
    Err(format!(
        "There is no C library for '{triple}' in '{root}': install it (the package libc6-dev-arm64-cross of a \
         distribution, or the like), or pass --runner '{emulator} -L DIRECTORY'"
    ))
}

/// The program that a command's first word names.
fn found(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|p| p.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|d| d.join(OsStr::new(name))).find(|p| p.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_targets() {
        for text in ["aarch64-unknown-linux-gnu", "aarch64-linux-gnu", "aarch64-pc-linux-gnu"] {
            assert_eq!(parse(text).unwrap().to_string(), "aarch64-unknown-linux-gnu", "{text}");
        }
        for text in ["x86_64-unknown-linux-musl", "aarch64-linux-android"] {
            assert!(parse(text).unwrap_err().contains("GNU C library"), "{text}: {:?}", parse(text));
        }
        for text in ["", "pdp11", "riscv64gc-unknown-linux-gnu", "aarch64-apple-darwin", "aarch64_be-unknown-linux-gnu"]
        {
            assert!(parse(text).unwrap_err().contains("is not supported"), "{text}");
        }
    }

    #[test]
    fn runners() {
        let triple = parse("aarch64-unknown-linux-gnu").unwrap();
        let run = |runner| command(&triple, Some(runner), Path::new("./a.out"));
        let words = run("env  A=1").unwrap();
        let words: Vec<_> = words.get_args().map(|w| w.to_string_lossy().into_owned()).collect();
        assert_eq!(words, ["A=1", "./a.out"]);
        assert!(run("no-such-emulator -L x").unwrap_err().contains("'no-such-emulator'"));
        let text = has_library(&triple, "qemu-aarch64", "/nowhere").unwrap_err();
        assert!(
            text.contains("libc6-dev-arm64-cross") && text.contains("--runner 'qemu-aarch64 -L DIRECTORY'"),
            "{text}"
        );
    }
}
