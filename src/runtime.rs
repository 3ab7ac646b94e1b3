//! The runtime archive that executables link: embedded, unpacked once into a cache.

use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::{Path, PathBuf};
use target_lexicon::Triple;

/// The most that is read from standard input, in bytes.
const MOST_INPUT: u64 = 64 << 20;

/// The archive for the host, compressed, after its length in eight bytes.
static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.a.z"));

/// The target that the embedded archive is for.
const HOST: &str = env!("TRUELINE_HOST");

/// Where the archive for `triple` is: `explicit` or `TRUELINE_RT_DIR`, beside the compiler, or the cache, where the embedded one is
/// unpacked to first.
///
/// # Errors
/// A sentence for the user if there is none, or it cannot be unpacked.
pub fn archive(triple: &Triple, explicit: Option<&Path>) -> Result<PathBuf, String> {
    let directory = explicit.map(Path::to_owned).or_else(|| std::env::var_os("TRUELINE_RT_DIR").map(PathBuf::from));
    if let Some(directory) = directory {
        return Ok(directory.join("libtruelinert.a"));
    }
    let beside = std::env::current_exe()
        .ok()
        .and_then(|exe| {
            Some(exe.parent()?.parent()?.join("lib/trueline").join(triple.to_string()).join("libtruelinert.a"))
        })
        .filter(|p| p.is_file());
    if let Some(path) = beside {
        return Ok(path);
    }
    let host: Triple = HOST.parse().map_err(|e| format!("Host '{HOST}': {e}"))?;
    if host.architecture != triple.architecture || host.operating_system != triple.operating_system {
        return Err(format!(
            "There is no runtime library for target '{triple}'; put libtruelinert.a into a directory and pass --rt-dir DIR"
        ));
    }
    unpack(triple)
}

fn unpack(triple: &Triple) -> Result<PathBuf, String> {
    if EMBEDDED.is_empty() {
        return Err("This compiler was built without its runtime library; pass --rt-dir DIR".to_owned());
    }
    let hash: String = Sha256::digest(EMBEDDED).iter().take(8).map(|b| format!("{b:02x}")).collect();
    let name = format!("trueline/{}-{hash}/{triple}", env!("CARGO_PKG_VERSION"));
    let mut last = String::new();
    for base in cache_directories() {
        let directory = base.join(&name);
        let path = directory.join("libtruelinert.a");
        if is_whole(&path) {
            return Ok(path);
        }
        match write(&directory, &path) {
            Ok(()) => return Ok(path),
            Err(e) => last = format!("Cannot unpack the runtime library into '{}': {e}", directory.display()),
        }
    }
    Err(last)
}

fn length() -> u64 {
    EMBEDDED.first_chunk::<8>().map_or(0, |b| u64::from_le_bytes(*b))
}

fn is_whole(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|m| m.len() == length())
}

/// Where files may be kept, the best place first.
pub fn cache_directories() -> Vec<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".cache"));
    cache.into_iter().chain(home).chain([std::env::temp_dir()]).collect()
}

fn write(directory: &Path, path: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)?;
    let content = miniz_oxide::inflate::decompress_to_vec_zlib(EMBEDDED.get(8..).unwrap_or_default())
        .map_err(|e| std::io::Error::other(e.to_string()))?;
    crate::output::write_atomically(path, &content, crate::output::Mode::Data)
}

/// The SHA-256 of `bytes` in hex.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// Reads a whole file that must be a regular one.
///
/// # Errors
/// As of the file system.
pub fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let file = std::fs::File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    file.take(1 << 32).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// All of standard input.
///
/// # Errors
/// As of the system, and if it does not end.
pub fn input() -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(MOST_INPUT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_INPUT {
        return Err(std::io::Error::other("it is larger than 64 MiB"));
    }
    Ok(bytes)
}
