//! The runtime archive that executables link: embedded, unpacked once into a cache, and compared with its hash each time; for
//! other targets one that was installed.

pub mod cross;
pub(crate) mod nested;

use sha2::{Digest, Sha256};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use target_lexicon::Triple;

/// The most that is read from standard input, in bytes.
const MOST_INPUT: u64 = 64 << 20;

/// The archive for the host, compressed, after its SHA-256.
static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.a.z"));

/// The name of the archive.
pub(crate) const NAME: &str = "libtruelinert.a";

/// The target that the embedded archive is for.
const HOST: &str = env!("TRUELINE_HOST");

/// The place of the archive for `triple`: `explicit` or `TRUELINE_RT_DIR`, beside the compiler, where `trueline runtime
/// install` put it, or the cache, where the embedded archive is unpacked first.
///
/// # Errors
/// A sentence for the user if there is none, or it cannot be unpacked.
pub fn archive(triple: &Triple, explicit: Option<&Path>) -> Result<PathBuf, String> {
    let directory = explicit
        .map(Path::to_owned)
        .or_else(|| std::env::var_os("TRUELINE_RT_DIR").filter(|d| !d.is_empty()).map(PathBuf::from));
    if let Some(directory) = directory {
        let path = directory.join(NAME);
        if !path.is_file() {
            return Err(format!(
                "There is no runtime library '{}': make it by 'trueline runtime build --target {triple}'",
                path.display()
            ));
        }
        return Ok(path);
    }
    let beside = std::env::current_exe()
        .ok()
        .and_then(|exe| Some(exe.parent()?.parent()?.join("lib/trueline").join(triple.to_string()).join(NAME)))
        .filter(|p| p.is_file());
    if let Some(path) = beside {
        return Ok(path);
    }
    if let Some(path) = cross::installed(triple)? {
        return Ok(path);
    }
    let host: Triple = HOST.parse().map_err(|e| format!("Host '{HOST}': {e}"))?;
    let of = |t: &Triple| (t.architecture, t.operating_system, t.environment);
    if of(&host) != of(triple) {
        return Err(format!(
            "There is no runtime library for target '{triple}': make it by 'trueline runtime install --target {triple}', or \
             pass --rt-dir DIR"
        ));
    }
    unpack(triple)
}

fn unpack(triple: &Triple) -> Result<PathBuf, String> {
    if EMBEDDED.is_empty() {
        return Err("This compiler was built without its runtime library; pass --rt-dir DIR".to_owned());
    }
    let Some((digest, packed)) = EMBEDDED.split_first_chunk::<32>() else {
        return Err("The runtime library in this compiler is damaged".to_owned());
    };
    let hash: String = digest.iter().take(8).map(|b| format!("{b:02x}")).collect();
    let folder = format!("{}-{hash}/{triple}", env!("CARGO_PKG_VERSION"));
    let is_whole = |content: &[u8]| Sha256::digest(content)[..] == digest[..];
    crate::cache::keep(&folder, NAME, is_whole, || {
        let content = miniz_oxide::inflate::decompress_to_vec_zlib(packed).ok().filter(|content| is_whole(content));
        content.ok_or_else(|| "The runtime library in this compiler is damaged".to_owned())
    })
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
    // A pipe would have it wait for a writer.
    let file = std::fs::OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)?;
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
