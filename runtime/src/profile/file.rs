//! The file of the profile: its name, the raw profile under it during the run, and the profile at the end.
//!
//! Both appear under the name whole: a new file has no name at all until it is whole, where the file system can do that, so a process that is
//! killed leaves none. Then it gets the name, or a temporary one that is renamed at once. A name that is no regular file
//! (`/dev/stdout`, a pipe) gets the profile alone, at the end. If the disk is full the profile goes to another
//! directory.
//!
//! **Invariant:** no link is followed that another user made where others may write, and nothing is written to a file that
//! was there before.

use super::former;
use std::ffi::{CString, OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, IntoRawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use trueline_abi::profile::Profile;
use trueline_abi::raw::{Header, RAW_MAGIC, RUNNING};
use trueline_abi::temporary;

/// The profile's name if `TRUELINE_PROFILE_FILE` gives none.
const DEFAULT: &str = "trueline-profile.json";

/// The most names that are tried for a temporary file.
const MOST_NAMES: u32 = 100;

/// The directory for temporary files. At the end of a program the environment may not be read.
static TEMPORARY: OnceLock<PathBuf> = OnceLock::new();

/// The path of the profile of this process.
pub(crate) fn target(pattern: &OsStr, forked: bool) -> PathBuf {
    let pattern = if pattern.is_empty() { DEFAULT.as_bytes() } else { pattern.as_bytes() };
    let path = PathBuf::from(OsString::from_vec(expand(pattern)));
    // A link stays a link; one that another user planted is kept, and refused when it is used.
    let path = temporary::resolve(&path, user()).unwrap_or_else(|planted| planted);
    // The program may change its directory.
    let path = std::path::absolute(&path).unwrap_or(path);
    // Processes with one file would overwrite one another's.
    if forked && !names_process(pattern) { with_number(&path, &std::process::id().to_string()) } else { path }
}

/// The path of a rank that was started here: each but the first has its number in the name, unless the pattern has.
pub(crate) fn of_rank(path: PathBuf, pattern: &OsStr, rank: usize) -> PathBuf {
    let is_named = names(pattern.as_bytes(), b'p') || names(pattern.as_bytes(), b'r');
    if rank == 0 || is_named { path } else { with_number(&path, &rank.to_string()) }
}

/// Removes the files that killed runs left in the directory of the profile.
pub(crate) fn sweep(path: &Path) {
    TEMPORARY.get_or_init(std::env::temp_dir);
    temporary::sweep(directory(path), user());
}

fn user() -> u32 {
    // SAFETY: always succeeds.
    unsafe { libc::geteuid() }
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// `p.json` with a number: `p.7.json`.
fn with_number(path: &Path, number: &str) -> PathBuf {
    let suffix = path.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    path.with_extension(format!("{number}{suffix}"))
}

/// A file for the raw profile.
pub(crate) struct Raw {
    pub descriptor: i32,
    pub inode: u64,
    /// The name that it gets, or another than the wanted one if there is no room.
    pub path: PathBuf,
    /// Its temporary name, if it has one.
    temporary: Option<PathBuf>,
}

/// A new file of `size` bytes for the raw profile; it has no name, or a temporary one, until [`Raw::publish`].
pub(crate) fn open(path: &Path, size: usize) -> std::io::Result<Raw> {
    let error = match open_at(path, size) {
        Err(error) if is_full(&error) => error,
        result => return result,
    };
    let found = elsewhere(path).find_map(|other| open_at(&other, size).ok());
    let consequence = match &found {
        Some(raw) => format!("it goes to '{}'", raw.path.display()),
        None => "it is kept in memory until the end".to_owned(),
    };
    tell(&format!("trueline: there is no room for the profile '{}': {error}; {consequence}\n", path.display()));
    found.ok_or(error)
}

fn open_at(path: &Path, size: usize) -> std::io::Result<Raw> {
    check_writable(path)?;
    if size as u64 > super::arena::largest_file() {
        return Err(std::io::Error::from_raw_os_error(libc::EFBIG));
    }
    let (temporary, file) = new_file(directory(path))?;
    let inode = file.metadata()?.ino();
    let mut descriptor = file.into_raw_fd();
    // SAFETY: the descriptor is ours.
    unsafe {
        // Out of the way of a program that uses low numbers.
        let high = libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, 500);
        if high >= 0 {
            libc::close(descriptor);
            descriptor = high;
        }
        let error = std::io::Error::from_raw_os_error(libc::posix_fallocate(descriptor, 0, size as i64));
        if is_full(&error) {
            libc::close(descriptor);
            remove(temporary.as_deref());
            return Err(error);
        }
    }
    Ok(Raw { descriptor, inode, path: path.to_owned(), temporary })
}

impl Raw {
    /// Gives the raw profile its name.
    pub(crate) fn publish(&self) -> std::io::Result<()> {
        keep_predecessor(&self.path);
        give_name(self.descriptor, self.temporary.as_deref(), &self.path)
    }

    /// Removes the file that [`open`] made.
    pub(crate) fn discard(&self) {
        remove(self.temporary.as_deref());
    }
}

/// Removes a temporary file, if there is one.
fn remove(temporary: Option<&Path>) {
    // Nothing more can be done about a temporary file that cannot be removed.
    let _ = temporary.map(std::fs::remove_file);
}

/// Makes a new file for `directory` without a name, or where that is impossible with a temporary one.
fn new_file(directory: &Path) -> std::io::Result<(Option<PathBuf>, File)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(0o666).custom_flags(libc::O_TMPFILE | libc::O_CLOEXEC);
    match options.open(directory) {
        // Without the process's own list of files it could never get a name.
        Ok(file) if of_descriptor(file.as_raw_fd()).exists() => Ok((None, file)),
        _ => create(directory).map(|(temporary, file)| (Some(temporary), file)),
    }
}

fn of_descriptor(descriptor: i32) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{descriptor}"))
}

/// Gives a whole file its name, in place of the file that has it.
fn give_name(descriptor: i32, temporary: Option<&Path>, path: &Path) -> std::io::Result<()> {
    if let Some(temporary) = temporary {
        return std::fs::rename(temporary, path);
    }
    let is_taken = |e: &std::io::Error| e.kind() == std::io::ErrorKind::AlreadyExists;
    let link = |to: &Path| {
        let names = [&of_descriptor(descriptor), to].map(|p| CString::new(p.as_os_str().as_bytes()));
        let [Ok(from), Ok(to)] = names else { return Err(std::io::ErrorKind::InvalidInput.into()) };
        // SAFETY: two C strings.
        match unsafe {
            libc::linkat(libc::AT_FDCWD, from.as_ptr(), libc::AT_FDCWD, to.as_ptr(), libc::AT_SYMLINK_FOLLOW)
        } {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        }
    };
    match link(path) {
        Err(e) if is_taken(&e) => {}
        result => return result,
    }
    let prefix = temporary::prefix();
    for n in 0..MOST_NAMES {
        let name = directory(path).join(format!("{prefix}{n}"));
        match link(&name) {
            Ok(()) => return std::fs::rename(&name, path).inspect_err(|_| remove(Some(&name))),
            Err(e) if is_taken(&e) => {}
            Err(e) => return Err(e),
        }
    }
    Err(std::io::Error::other("somebody has made files with all names of temporary ones"))
}

/// Makes a new file under a temporary name in `directory`. A file or link that has the name already is not touched.
fn create(directory: &Path) -> std::io::Result<(PathBuf, File)> {
    let prefix = temporary::prefix();
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).mode(0o666).custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC);
    for n in 0..MOST_NAMES {
        let path = directory.join(format!("{prefix}{n}"));
        match options.open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(std::io::Error::other("somebody has made files with all names of temporary ones"))
}

/// Whether there might be room for the file on another disk.
fn is_full(error: &std::io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOSPC | libc::EDQUOT))
}

/// Names for a profile that finds no room at its own path, in directories that all users may write.
fn elsewhere(path: &Path) -> impl Iterator<Item = PathBuf> {
    let name = with_number(Path::new(path.file_name().unwrap_or(DEFAULT.as_ref())), &std::process::id().to_string());
    let own = directory(path).to_owned();
    let first = TEMPORARY.get().filter(|p| p.is_absolute()).cloned();
    first
        .into_iter()
        .chain(["/tmp", "/var/tmp", "/dev/shm"].map(PathBuf::from))
        .filter(move |d| *d != own)
        .map(move |d| d.join(&name))
        .filter(|p| std::fs::symlink_metadata(p).is_err())
}

/// Reports, once, that the file cannot grow with the profile.
pub(crate) fn tell_full() {
    static TOLD: AtomicBool = AtomicBool::new(false);
    if !TOLD.swap(true, Ordering::Relaxed) {
        tell("trueline: there is no more room for the profile; from here on it is kept in memory until the end\n");
    }
}

fn tell(text: &str) {
    crate::exit::tell(text.as_bytes());
}

/// The profile of the program that this process ran before (`exec`): it stays, under a name of its own.
fn keep_predecessor(path: &Path) {
    let Ok(bytes) = read_start(path) else { return };
    former::note(path, &bytes);
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
        .find(|name| std::fs::symlink_metadata(name).is_err());
    if let Some(name) = name {
        // If it cannot be kept it is replaced, as any older profile.
        let _ = std::fs::rename(path, name);
    }
}

fn read_start(path: &Path) -> std::io::Result<Vec<u8>> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Ok(Vec::new());
    }
    let mut bytes = Vec::new();
    file.take(former::START.max(Header::SIZE)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether the name is that of a file that can be replaced.
fn check_writable(path: &Path) -> std::io::Result<()> {
    let Ok(metadata) = std::fs::symlink_metadata(path) else { return Ok(()) };
    if temporary::is_planted(path, user()) && !metadata.is_file() {
        return Err(std::io::Error::other("another user has put something there that is not a regular file"));
    }
    if !metadata.is_file() {
        return Err(std::io::Error::other("not a regular file"));
    }
    let name = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: a C string.
    if unsafe { libc::access(name.as_ptr(), libc::W_OK) } != 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}

/// Writes the profile; `end` returns the nanoseconds that writing a file of that length takes. A failure is reported
/// once on standard error; the program's result stands.
pub(crate) fn write(path: &Path, profile: &mut Profile, end: impl FnOnce(usize) -> u64) {
    let shown = path.display();
    let json = match trueline_abi::profile::sealed_with_end(profile, end) {
        Ok(json) => json,
        Err(error) => return tell(&format!("trueline: cannot write the profile '{shown}': {error}\n")),
    };
    if let Some(text) = former::warning(path, profile) {
        tell(&text);
    }
    let Err(error) = try_write(path, &json) else { return };
    let other = if is_full(&error) && !is_special(path) {
        elsewhere(path).find(|other| replace(other, &json).is_ok())
    } else {
        None
    };
    let consequence = other.map_or_else(String::new, |other| format!("; it is in '{}'", other.display()));
    tell(&format!("trueline: cannot write the profile '{shown}': {error}{consequence}\n"));
}

/// Whether the path is something that can only be written to, not replaced.
fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|m| !m.is_file() && m.rdev() + m.ino() > 0)
}

fn try_write(path: &Path, json: &[u8]) -> std::io::Result<()> {
    if is_special(path) { write_special(path, json) } else { replace(path, json) }
}

fn replace(path: &Path, json: &[u8]) -> std::io::Result<()> {
    check_writable(path)?;
    if json.len() as u64 > super::arena::largest_file() {
        return Err(std::io::Error::from_raw_os_error(libc::EFBIG));
    }
    let (temporary, mut file) = new_file(directory(path))?;
    let result = file.write_all(json).and_then(|()| give_name(file.as_raw_fd(), temporary.as_deref(), path));
    result.inspect_err(|_| remove(temporary.as_deref()))
}

/// Writes to a device or a pipe. Opening a pipe that nobody reads would wait for ever: it is an error.
fn write_special(path: &Path, json: &[u8]) -> std::io::Result<()> {
    if temporary::is_planted(path, user()) {
        return check_writable(path);
    }
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_CLOEXEC;
    let unread = |e: std::io::Error| match e.raw_os_error() {
        Some(libc::ENXIO) => std::io::Error::other("nobody reads from it"),
        _ => e,
    };
    let mut file = OpenOptions::new().write(true).custom_flags(flags).open(path).map_err(unread)?;
    if file.metadata()?.is_file() {
        return Err(std::io::Error::other("it has become a regular file"));
    }
    // SAFETY: the descriptor is open.
    unsafe {
        let flags = libc::fcntl(file.as_raw_fd(), libc::F_GETFL);
        libc::fcntl(file.as_raw_fd(), libc::F_SETFL, flags & !libc::O_NONBLOCK);
    }
    file.write_all(json)
}

/// Whether the name differs between processes.
fn names_process(pattern: &[u8]) -> bool {
    names(pattern, b'p')
}

/// Whether the pattern has this word behind `%`.
fn names(pattern: &[u8], word: u8) -> bool {
    let mut rest = pattern;
    while let Some(at) = rest.iter().position(|&b| b == b'%') {
        if rest.get(at + 1) == Some(&word) {
            return true;
        }
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    false
}

/// Replaces `%e` by the name of the executable, `%p` by the process id, `%r` by the rank, `%h` by the host, `%t` by the time,
/// `%%` by `%`.
fn expand(pattern: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = pattern.iter();
    while let Some(&b) = bytes.next() {
        if b != b'%' {
            out.push(b);
            continue;
        }
        match bytes.next() {
            Some(b'e') => out.extend(super::run::program_name().bytes()),
            Some(b'p') => out.extend(std::process::id().to_string().bytes()),
            Some(b'r') => out.extend(super::settings::rank().to_string().bytes()),
            Some(b't') => out.extend(seconds().to_string().bytes()),
            Some(b'h') => out.extend(host().bytes()),
            Some(b'%') => out.push(b'%'),
            Some(&other) => out.extend([b'%', other]),
            None => out.push(b'%'),
        }
    }
    out
}

fn seconds() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

fn host() -> String {
    let mut name = [0u8; 256];
    // SAFETY: the buffer has the length that is passed, and one byte of it stays zero.
    let failed = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) } != 0;
    let end = name.iter().position(|&b| b == 0).unwrap_or(0);
    if failed { "host".to_owned() } else { String::from_utf8_lossy(&name[..end]).into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert_eq!(expand(b"a%%b%"), b"a%b%");
        assert_eq!(expand(b"x.%p"), format!("x.{}", std::process::id()).as_bytes());
        assert_eq!(expand(b"%e/%%e"), format!("{}/%e", super::super::run::program_name()).as_bytes());
        assert_eq!(expand(b"%q\xff"), b"%q\xff");
        assert!(names_process(b"a.%p.json") && !names_process(b"a%%p.json") && names_process(b"%%%p"));
    }

    #[test]
    fn a_forked_child_has_a_name_of_its_own() {
        let id = std::process::id();
        assert_eq!(target(OsStr::new("/nowhere/p.json"), true), PathBuf::from(format!("/nowhere/p.{id}.json")));
        assert_eq!(target(OsStr::new("/nowhere/p"), true), PathBuf::from(format!("/nowhere/p.{id}")));
        assert_eq!(target(OsStr::new("/nowhere/p.%p"), true), PathBuf::from(format!("/nowhere/p.{id}")));
    }
}
