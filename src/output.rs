//! Writing outputs: all or nothing.

use std::fs::{OpenOptions, Permissions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

/// What a file is written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// To be read.
    Data,
    /// To be run.
    Program,
}

/// Writes `content` to a temporary name beside `path` and renames it, so that `path` is never half
/// written; what is not a regular file (a device, a pipe) is written directly.
///
/// # Errors
/// As of the file system; then the temporary file is gone and `path` is as before.
pub fn write_atomically(path: &Path, content: &[u8], mode: Mode) -> std::io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        return write_special(path, content);
    }
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".trueline-");
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt;
        // The umask takes its share of it, as of any new file.
        Permissions::from_mode(if mode == Mode::Program { 0o777 } else { 0o666 })
    };
    builder.permissions(permissions);
    let mut temporary = builder.tempfile_in(directory)?;
    temporary.write_all(content)?;
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// Writes to a device or a pipe. Opening a pipe that nobody reads would wait for ever: it is an error.
fn write_special(path: &Path, content: &[u8]) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        drop(OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path)?);
    }
    OpenOptions::new().write(true).open(path)?.write_all(content)
}

/// Why standard output could not be written, the first time.
static LOST: Mutex<Option<String>> = Mutex::new(None);

/// Writes to standard output. A closed pipe ends the output, as `head` expects; what else goes wrong is
/// told at the end, by [`lost`].
pub fn print(text: &str) {
    print_bytes(text.as_bytes());
}

/// As [`print`], of any bytes.
pub fn print_bytes(bytes: &[u8]) {
    note(std::io::stdout().write_all(bytes));
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
