//! The runtime library for other targets: made of the embedded sources by the user's cargo, and installed where this compiler
//! finds it.
//!
//! **Invariant:** an installed archive is used only by a compiler with the same sources of the runtime.

use super::{NAME, nested};
use crate::{cache, output};
use object::read::archive::ArchiveFile;
use object::{Architecture as Machine, Object};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use target_lexicon::{Architecture, Triple};

/// The sources of the runtime as `build.rs` packs them.
static SOURCES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.src.z"));

/// The name of the file with the hash of an installed archive.
const HASH: &str = "libtruelinert.a.sha256";

/// The folder of an installed archive: of this version of the runtime's sources alone.
fn folder(triple: &Triple) -> String {
    static SUM: LazyLock<String> = LazyLock::new(|| super::sha256(SOURCES));
    format!("{}-{}/{triple}", env!("CARGO_PKG_VERSION"), &SUM[..16])
}

/// The installed archive for `triple`, if there is one.
///
/// # Errors
/// A sentence for the user if it is damaged, or others may write it.
pub fn installed(triple: &Triple) -> Result<Option<PathBuf>, String> {
    cache::installed(&folder(triple), NAME, |content, path| {
        let hash = super::read(&path.with_file_name(HASH)).unwrap_or_default();
        hash.trim_ascii() == super::sha256(content).as_bytes()
    })
}

/// Installs an archive for `triple`; gives its path.
///
/// # Errors
/// A sentence for the user.
pub fn install(triple: &Triple, archive: &[u8], name: &Path) -> Result<PathBuf, String> {
    check(triple, archive).map_err(|why| format!("'{}' {why}", name.display()))?;
    let hash = super::sha256(archive);
    let directory = cache::install(&folder(triple), &[(HASH, hash.as_bytes()), (NAME, archive)])?;
    Ok(directory.join(NAME))
}

/// An error unless `bytes` are an archive of objects for `triple` that has the runtime.
fn check(triple: &Triple, bytes: &[u8]) -> Result<(), String> {
    let Ok(archive) = ArchiveFile::parse(bytes) else { return Err("is no archive".to_owned()) };
    let wanted = match triple.architecture {
        Architecture::X86_64 => Machine::X86_64,
        _ => Machine::Aarch64,
    };
    let mut has_runtime = false;
    for member in archive.members() {
        let data = member.and_then(|m| m.data(bytes)).map_err(|_| "is damaged".to_owned())?;
        let Ok(file) = object::File::parse(data) else { continue };
        if file.architecture() != wanted {
            return Err(format!("has objects for another processor than that of '{triple}'"));
        }
        has_runtime = has_runtime || file.symbol_by_name("trueline_start").is_some();
    }
    if has_runtime { Ok(()) } else { Err("is not the runtime library".to_owned()) }
}

/// Makes the archive for `triple`, with the Rust toolchain that is installed or the one in the directory `std`.
///
/// # Errors
/// A sentence for the user about the missing parts.
pub fn build(triple: &Triple, std: Option<&Path>) -> Result<Vec<u8>, String> {
    let rustc = std.map(|s| s.join("bin/rustc")).filter(|p| p.is_file());
    check_library(triple, std, rustc.as_deref())?;
    let directory = output::temporary_directory().map_err(|e| format!("Cannot make a temporary directory: {e}"))?;
    let root = directory.path();
    unpack(root)?;
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--lib", "--quiet", "--target", &triple.to_string(), "--manifest-path"]);
    cargo.arg(root.join("shim/Cargo.toml")).arg("--target-dir").arg(root.join("t"));
    nested::without_settings(&mut cargo);
    let mut flags = format!("--remap-path-prefix={}=trueline", root.display());
    match (&rustc, std) {
        (Some(rustc), _) => _ = cargo.env("RUSTC", rustc),
        (None, Some(std)) => flags += &format!("\u{1f}--sysroot\u{1f}{}", std.display()),
        (None, None) => {}
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags);
    let out = cargo.stdin(Stdio::null()).output().map_err(|e| no_cargo(triple, &e))?;
    if !out.status.success() {
        return Err(format!(
            "The runtime library does not build:\n{}",
            String::from_utf8_lossy(&out.stderr).trim_end()
        ));
    }
    let archive = root.join("t").join(triple.to_string()).join("release/libtrueline_shim.a");
    // Optional: it makes the archive half as large.
    for tool in [format!("{}-linux-gnu-objcopy", triple.architecture), "llvm-objcopy".to_owned()] {
        let status = Command::new(tool).arg("--strip-debug").arg(&archive).stderr(Stdio::null()).status();
        if status.is_ok_and(|s| s.success()) {
            break;
        }
    }
    let tool = |name| format!("{}-linux-gnu-{name}", triple.architecture);
    nested::join_sections(&archive, &tool("gcc"), &tool("ar"));
    super::read(&archive).map_err(|e| format!("cargo left no archive: {e}"))
}

fn no_cargo(triple: &Triple, error: &std::io::Error) -> String {
    format!(
        "Cannot run 'cargo': {error}; install Rust, or make the archive where Rust is and install it here by 'trueline runtime \
         install --target {triple} FILE'"
    )
}

/// An error if Rust's standard library for `triple` is missing.
fn check_library(triple: &Triple, std: Option<&Path>, rustc: Option<&Path>) -> Result<(), String> {
    let folder = match std {
        Some(std) => std.join("lib/rustlib").join(triple.to_string()).join("lib"),
        None => {
            let mut ask = Command::new(rustc.unwrap_or(Path::new("rustc")));
            ask.args(["--print", "target-libdir", "--target", &triple.to_string()]);
            let out = ask.output().map_err(|e| no_cargo(triple, &e))?;
            PathBuf::from(String::from_utf8_lossy(&out.stdout).trim())
        }
    };
    let mut files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    if files.any(|f| f.file_name().to_string_lossy().starts_with("libstd-")) {
        return Ok(());
    }
    let at = std.map_or_else(String::new, |s| format!(" in '{}'", s.display()));
    Err(format!(
        "There is no Rust standard library for '{triple}'{at}: install it ('rustup target add {triple}'), or pass --std DIR, a \
         directory with lib/rustlib/{triple}"
    ))
}

/// Writes the sources, and the crate that makes a static library of them.
fn unpack(root: &Path) -> Result<(), String> {
    let damaged = || "The sources of the runtime library in this compiler are damaged".to_owned();
    let all = miniz_oxide::inflate::decompress_to_vec_zlib(SOURCES).map_err(|_| damaged())?;
    let write = |path: &Path, bytes: &[u8]| {
        let make = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        make.and_then(|()| std::fs::write(path, bytes)).map_err(|e| format!("Cannot write '{}': {e}", path.display()))
    };
    let mut rest = &all[..];
    while let Some(end) = rest.iter().position(|&b| b == b'\n') {
        let head = std::str::from_utf8(&rest[..end]).map_err(|_| damaged())?;
        let (path, len) = head.rsplit_once(' ').ok_or_else(damaged)?;
        let len: usize = len.parse().map_err(|_| damaged())?;
        let bytes = rest.get(end + 1..end + 1 + len).ok_or_else(damaged)?;
        let path = Path::new(path);
        if !path.components().all(|c| matches!(c, Component::Normal(_))) {
            return Err(damaged());
        }
        write(&root.join(path), bytes)?;
        rest = &rest[end + 1 + len..];
    }
    write(&root.join("shim/src/lib.rs"), nested::SHIM.as_bytes())?;
    write(&root.join("shim/Cargo.toml"), nested::manifest(&root.join("runtime"), "").as_bytes())?;
    std::fs::copy(root.join("Cargo.lock"), root.join("shim/Cargo.lock")).map_err(|e| e.to_string())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sources_are_a_workspace() {
        let directory = tempfile::tempdir().unwrap();
        unpack(directory.path()).unwrap();
        for file in
            ["Cargo.toml", "runtime/Cargo.toml", "runtime/src/lib.rs", "runtime/abi/src/lib.rs", "shim/src/lib.rs"]
        {
            assert!(directory.path().join(file).is_file(), "{file}");
        }
        let manifest = std::fs::read_to_string(directory.path().join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[workspace.dependencies]"), "{manifest}");
        assert!(manifest.contains("members = [\"runtime\", \"runtime/abi\"]"), "{manifest}");
    }

    #[test]
    fn only_archives_of_the_runtime_are_installed() {
        let triple: Triple = "aarch64-unknown-linux-gnu".parse().unwrap();
        assert_eq!(check(&triple, b"no archive").unwrap_err(), "is no archive");
        assert_eq!(check(&triple, b"!<arch>\n").unwrap_err(), "is not the runtime library");
    }
}
