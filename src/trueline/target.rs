//! Targets: the names that are understood, and the way to run a program that is for another processor.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use target_lexicon::{Architecture, Environment, OperatingSystem, Triple, Vendor};
use trueline_codegen::link;

/// The targets that programs can be compiled for.
pub const TARGETS: &str = "x86_64-unknown-linux-gnu and aarch64-unknown-linux-gnu";

/// The place of the directories of distributions' cross compilers.
const SYSROOTS: &str = "/usr";

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
    let library = library_of(triple, &words, Path::new(SYSROOTS))?;
    let mut command = Command::new(first);
    command.args(library.iter().flat_map(|root| ["-L".as_ref(), root.as_os_str()]));
    command.args(rest).arg(program);
    Ok(command)
}

/// The directory of the C library that QEMU's emulator is to be told of, if it is the runner and its words name none: that of
/// the distribution's cross compiler, if there is one.
///
/// # Errors
/// A sentence for the user if the directory that the words name has no C library for the target.
fn library_of(triple: &Triple, words: &[String], sysroots: &Path) -> Result<Option<PathBuf>, String> {
    let name = format!("qemu-{}", triple.architecture);
    let first = words.first().map_or("", String::as_str);
    if !Path::new(first).file_name().is_some_and(|f| f == name.as_str() || f == format!("{name}-static").as_str()) {
        return Ok(None);
    }
    if let Some(at) = words.iter().position(|w| w == "-L") {
        let root =
            words.get(at + 1).ok_or_else(|| format!("A directory is missing after '-L' of the runner '{first}'"))?;
        has_library(triple, first, root)?;
        return Ok(None);
    }
    let root = sysroots.join(format!("{}-linux-gnu", triple.architecture));
    let is_named = std::env::var_os("QEMU_LD_PREFIX").is_some();
    Ok((!is_named && loader(triple, &root).is_some()).then_some(root))
}

/// The program in the directory `root` that loads others, and with them the C library.
fn loader(triple: &Triple, root: &Path) -> Option<PathBuf> {
    let names: &[&str] = match triple.architecture {
        Architecture::X86_64 => &["lib64/ld-linux-x86-64.so.2", "lib/ld-linux-x86-64.so.2"],
        _ => &["lib/ld-linux-aarch64.so.1"],
    };
    // It may be a link that leads into another directory of the target.
    names.iter().map(|name| root.join(name)).find(|path| path.symlink_metadata().is_ok())
}

fn emulator(triple: &Triple) -> Result<Vec<String>, String> {
    let name = format!("qemu-{}", triple.architecture);
    if found(&name).is_none() {
        return Err(format!(
            "Programs for '{triple}' do not run on this machine: install {name} (the package qemu-user of a distribution), or \
             pass --runner COMMAND"
        ));
    }
    let root = format!("{SYSROOTS}/{}-linux-gnu", triple.architecture);
    has_library(triple, &name, &root)?;
    Ok(vec![name, "-L".into(), root])
}

/// An error if there is no C library for the programs that `emulator` runs.
fn has_library(triple: &Triple, emulator: &str, root: &str) -> Result<(), String> {
    // The emulator looks for files that are not there in the machine's own directories.
    if loader(triple, Path::new(root)).or_else(|| loader(triple, Path::new("/"))).is_some() {
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
        let words = |text| link::words(text);
        let qemu = |text| library_of(&triple, &words(text), Path::new("/nowhere"));
        assert_eq!(qemu("env qemu-aarch64 -L /nowhere"), Ok(None), "it is not the runner itself");
        assert_eq!(qemu("qemu-aarch64"), Ok(None));
        assert!(qemu("qemu-aarch64 -L").unwrap_err().contains("missing after '-L'"));
        let text = qemu("/usr/bin/qemu-aarch64-static -cpu max -L /nowhere").unwrap_err();
        assert!(text.contains("'/nowhere'") && text.contains("libc6-dev-arm64-cross"), "{text}");
        let there = tempfile::tempdir().unwrap();
        let root = there.path().join("aarch64-linux-gnu");
        std::fs::create_dir_all(root.join("lib")).unwrap();
        std::fs::write(root.join("lib/ld-linux-aarch64.so.1"), "").unwrap();
        let is_told = library_of(&triple, &words("qemu-aarch64 -cpu max"), there.path());
        assert_eq!(is_told, Ok(Some(root).filter(|_| std::env::var_os("QEMU_LD_PREFIX").is_none())));
        let text = has_library(&triple, "qemu-aarch64", "/nowhere").unwrap_err();
        assert!(
            text.contains("libc6-dev-arm64-cross") && text.contains("--runner 'qemu-aarch64 -L DIRECTORY'"),
            "{text}"
        );
    }
}
