//! The file of the profile: its name, the raw profile under it during the run, and the profile at the end.
//!
//! Both appear under the name whole, by renaming. What is not a regular file (`/dev/stdout`, a pipe) gets
//! the profile alone, at the end.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use trueline_abi::profile::Profile;
use trueline_abi::raw::{Header, RAW_MAGIC, RUNNING};

/// Where the profile goes if `TRUELINE_PROFILE_FILE` does not say.
const DEFAULT: &str = "trueline-profile.json";

/// Where the profile of this process goes.
pub(crate) fn target(pattern: &str, forked: bool) -> PathBuf {
    let pattern = if pattern.is_empty() { DEFAULT } else { pattern };
    let path = PathBuf::from(expand(pattern));
    // A link stays a link.
    let path = std::fs::canonicalize(&path).unwrap_or(path);
    // Processes with one file would overwrite one another's.
    if forked && !names_process(pattern) { with_number(&path, &std::process::id().to_string()) } else { path }
}

/// `p.json` with a number: `p.7.json`.
fn with_number(path: &Path, number: &str) -> PathBuf {
    let suffix = path.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    path.with_extension(format!("{number}{suffix}"))
}

/// A new file for the raw profile, with its inode; it has a temporary name until [`publish`].
pub(crate) fn open(path: &Path) -> std::io::Result<(i32, u64)> {
    check_writable(path)?;
    let temporary = c_path(&temporary(path))?;
    let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
    // SAFETY: a C string; descriptors are our own.
    unsafe {
        let mut file = libc::open(temporary.as_ptr(), flags, 0o666);
        if file < 0 && std::io::Error::last_os_error().kind() == std::io::ErrorKind::AlreadyExists {
            // Of a process of the same number that was killed.
            libc::unlink(temporary.as_ptr());
            file = libc::open(temporary.as_ptr(), flags, 0o666);
        }
        if file < 0 {
            return Err(std::io::Error::last_os_error());
        }
        // Out of the way of a program that uses low numbers.
        let high = libc::fcntl(file, libc::F_DUPFD_CLOEXEC, 500);
        if high >= 0 {
            libc::close(file);
            file = high;
        }
        let mut status: libc::stat = std::mem::zeroed();
        libc::fstat(file, &mut status);
        Ok((file, status.st_ino as u64))
    }
}

/// Gives the raw profile its name.
pub(crate) fn publish(path: &Path) -> std::io::Result<()> {
    keep_predecessor(path);
    std::fs::rename(temporary(path), path)
}

/// Removes what [`open`] made.
pub(crate) fn discard(path: &Path) {
    // Nothing more can be done about a temporary file that cannot be removed.
    let _ = std::fs::remove_file(temporary(path));
}

/// The profile of the program that this process ran before (`exec`): it stays, under a name of its own.
fn keep_predecessor(path: &Path) {
    let Ok(bytes) = read_start(path) else { return };
    let Some(header) = Header::read(&bytes, 0) else { return };
    if header.magic != RAW_MAGIC || header.state != RUNNING || header.pid != u64::from(std::process::id()) {
        return;
    }
    let name = (0..1000)
        .map(|n| {
            with_number(
                path,
                &format!("{}{}", std::process::id(), if n == 0 { String::new() } else { format!("-{n}") }),
            )
        })
        .find(|name| !name.exists());
    if let Some(name) = name {
        // If it cannot be kept it is replaced, as any older profile.
        let _ = std::fs::rename(path, name);
    }
}

fn read_start(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    if !std::fs::metadata(path)?.is_file() {
        return Ok(Vec::new());
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(Header::SIZE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether the name is that of something that can be replaced.
fn check_writable(path: &Path) -> std::io::Result<()> {
    let Ok(metadata) = std::fs::metadata(path) else { return Ok(()) };
    if !metadata.is_file() {
        return Err(std::io::Error::other("not a regular file"));
    }
    let name = c_path(path)?;
    // SAFETY: a C string.
    if unsafe { libc::access(name.as_ptr(), libc::W_OK) } != 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}

fn c_path(path: &Path) -> std::io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

fn temporary(path: &Path) -> PathBuf {
    path.with_extension(format!("{}.tmp", std::process::id()))
}

/// Writes the profile. What goes wrong is said once on standard error; the program's result stands.
pub(crate) fn write(path: &Path, profile: &Profile) {
    if let Err(error) = try_write(path, profile) {
        crate::exit::tell(format!("trueline: cannot write the profile '{}': {error}\n", path.display()).as_bytes());
    }
}

fn try_write(path: &Path, profile: &Profile) -> std::io::Result<()> {
    let json = trueline_abi::profile::sealed(profile)?;
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file() && m.rdev() + m.ino() > 0) {
        return std::fs::write(path, &json);
    }
    check_writable(path)?;
    if json.len() as u64 > super::arena::largest_file() {
        return Err(std::io::Error::from_raw_os_error(libc::EFBIG));
    }
    let temporary = temporary(path);
    let result = std::fs::write(&temporary, &json).and_then(|()| std::fs::rename(&temporary, path));
    if result.is_err() {
        discard(path);
    }
    result
}

/// Whether the name differs between processes.
fn names_process(pattern: &str) -> bool {
    pattern.replace("%%", "").contains("%p")
}

/// Replaces `%p` by the process id, `%r` by the rank, `%h` by the host, `%t` by the time, `%%` by `%`.
fn expand(pattern: &str) -> String {
    let mut out = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('p') => out.push_str(&std::process::id().to_string()),
            Some('r') => out.push_str(&rank().to_string()),
            Some('t') => out.push_str(&seconds().to_string()),
            Some('h') => out.push_str(&host()),
            Some('%') => out.push('%'),
            Some(other) => out.extend(['%', other]),
            None => out.push('%'),
        }
    }
    out
}

/// The rank of the process in a parallel run, 0 if there is none.
pub(crate) fn rank() -> u64 {
    ["TRUELINE_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK"]
        .iter()
        .find_map(|name| std::env::var(name).ok()?.parse().ok())
        .unwrap_or(0)
}

fn seconds() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

fn host() -> String {
    let mut name = [0u8; 256];
    // SAFETY: the buffer is as long as is said, and one byte of it stays zero.
    let failed = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) } != 0;
    let end = name.iter().position(|&b| b == 0).unwrap_or(0);
    if failed { "host".to_owned() } else { String::from_utf8_lossy(&name[..end]).into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert_eq!(expand("a%%b%"), "a%b%");
        assert_eq!(expand("x.%p"), format!("x.{}", std::process::id()));
        assert_eq!(expand("%q"), "%q");
        assert!(names_process("a.%p.json") && !names_process("a%%p.json"));
    }

    #[test]
    fn a_forked_child_has_a_name_of_its_own() {
        let id = std::process::id();
        assert_eq!(target("/nowhere/p.json", true), PathBuf::from(format!("/nowhere/p.{id}.json")));
        assert_eq!(target("/nowhere/p", true), PathBuf::from(format!("/nowhere/p.{id}")));
        assert_eq!(target("/nowhere/p.%p", true), PathBuf::from(format!("/nowhere/p.{id}")));
    }
}
