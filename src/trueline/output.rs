//! Writing outputs: all or nothing.

use std::collections::BTreeSet;
use std::fs::{OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::{NamedTempFile, TempDir};
use trueline_abi::temporary;

/// The purpose of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// To be read.
    Data,
    /// To be run.
    Program,
}

/// The directories in which temporary files are made; those of killed compiles were removed there.
static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The number of the user.
pub fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Makes a temporary file in `directory`, whose files of killed compiles go first, once. No other is made meanwhile, nor while
/// [`remove_temporaries`] runs.
fn make_in<T>(directory: &Path, make: impl FnOnce() -> std::io::Result<T>) -> std::io::Result<T> {
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if swept.insert(directory.to_owned()) {
        temporary::sweep(directory, user());
    }
    make()
}

/// The number of times that the removal of a folder is tried.
const TRIES: usize = 20;

/// Removes all temporary files of this process, and does `then`, before which no more are made.
pub(crate) fn remove_temporaries(then: impl FnOnce()) {
    let swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let prefix = temporary::prefix();
    for entry in swept.iter().filter_map(|d| std::fs::read_dir(d).ok()).flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(&prefix)) {
            let path = entry.path();
            // A linker that has not ended yet may make a file in a folder meanwhile. The next compile removes files that stay.
            let remove = || std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
            let _ = (0..TRIES).any(|_| remove().is_ok() || !path.exists());
        }
    }
    then();
}

/// A new directory that nobody else may enter; it goes when it is dropped, or with the next compile if this one is killed.
///
/// # Errors
/// As of the file system.
pub fn temporary_directory() -> std::io::Result<TempDir> {
    make_in(&std::env::temp_dir(), || tempfile::Builder::new().prefix(&temporary::prefix()).tempdir())
}

/// A new file with this ending that nobody else may read; it goes as [`temporary_directory`].
///
/// # Errors
/// As of the file system.
pub fn temporary_file(ending: &str) -> std::io::Result<NamedTempFile> {
    make_in(&std::env::temp_dir(), || tempfile::Builder::new().prefix(&temporary::prefix()).suffix(ending).tempfile())
}

/// Writes `content` to a new file beside `path` and renames it, so that `path` is never half written, and no link there is
/// followed; a file that is not regular (a device, a pipe) is written directly, unless another user put it there.
///
/// # Errors
/// As of the file system; then the temporary file is gone and `path` is as before.
pub fn write_atomically(path: &Path, content: &[u8], mode: Mode) -> std::io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        return write_special(path, content);
    }
    // Beyond the limit the system would end the process by a signal.
    if content.len() as u64 > largest_file() {
        return Err(too_large());
    }
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let prefix = temporary::prefix();
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt;
        // The umask takes its share of it, as of any new file.
        Permissions::from_mode(if mode == Mode::Program { 0o777 } else { 0o666 })
    };
    builder.permissions(permissions);
    let mut temporary = make_in(directory, || builder.tempfile_in(directory))?;
    temporary.write_all(content)?;
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// Writes to a device or a pipe. Opening a pipe that nobody reads would wait for ever: it is an error.
fn write_special(path: &Path, content: &[u8]) -> std::io::Result<()> {
    if temporary::is_planted(path, user()) {
        return Err(std::io::Error::other("another user has put something there that is not a regular file"));
    }
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    let mut file = OpenOptions::new().write(true).custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() {
        return Err(std::io::Error::other("it has become a regular file"));
    }
    let flags = rustix::fs::fcntl_getfl(&file)?;
    rustix::fs::fcntl_setfl(&file, flags - rustix::fs::OFlags::NONBLOCK)?;
    file.write_all(content)
}

/// The largest possible file.
fn largest_file() -> u64 {
    rustix::process::getrlimit(rustix::process::Resource::Fsize).current.unwrap_or(u64::MAX)
}

fn too_large() -> std::io::Error {
    std::io::Error::from_raw_os_error(libc::EFBIG)
}

/// Why standard output could not be written, the first time.
static LOST: Mutex<Option<String>> = Mutex::new(None);

/// Writes to standard output. A closed pipe ends the output, as `head` expects; any other failure is
/// reported at the end, by [`lost`].
pub fn print(text: &str) {
    print_bytes(text.as_bytes());
}

/// As [`print`], of any bytes.
pub fn print_bytes(bytes: &[u8]) {
    note(check_size(bytes).and_then(|()| std::io::stdout().write_all(bytes)));
}

/// An error if standard output is a file that may not become so large: the system would end the process by a signal.
fn check_size(more: &[u8]) -> std::io::Result<()> {
    let most = largest_file();
    if most == u64::MAX {
        return Ok(());
    }
    let mut out = std::io::stdout();
    out.flush()?;
    let kind = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(&out)?.st_mode);
    let is_beyond = || rustix::fs::tell(&out).is_ok_and(|at| at.saturating_add(more.len() as u64) > most);
    if kind.is_file() && is_beyond() { Err(too_large()) } else { Ok(()) }
}

/// The error that standard output had, if any, after everything has been written.
pub fn lost() -> Option<String> {
    note(std::io::stdout().flush());
    LOST.lock().ok().and_then(|mut lost| lost.take())
}

fn note(result: std::io::Result<()>) {
    if let Err(e) = result
        && e.kind() != std::io::ErrorKind::BrokenPipe
        && let Ok(mut lost) = LOST.lock()
    {
        lost.get_or_insert_with(|| e.to_string());
    }
}

/// Writes to standard error.
pub(crate) fn tell(text: &str) {
    // There is no place to report a failure of standard error.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// One line of an error without a place in a source.
pub(crate) fn complain(text: &str) {
    tell(&format!("trueline: error: {}\n", printable(text)));
}

/// The text without bytes that would command a terminal; it keeps its lines.
pub(crate) fn printable(text: &str) -> String {
    text.split('\n').map(trueline_diag::safe).collect::<Vec<_>>().join("\n")
}
