//! Reading files that users name, whatever they turn out to be.
//!
//! A source file is a regular file of at most 64 MiB. Anything else is refused before a byte is read: `/dev/zero` has no end,
//! and a FIFO blocks whoever opens it. Hence the open without blocking, and the question after its kind, which the open file answers.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use crate::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

/// The largest source file. Offsets are 32 bits wide with room to spare.
const MAX_BYTES: u64 = 64 << 20;

/// Why a file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// There is no such file.
    NotFound,
    /// It is something other than a regular file; the text names it.
    NotRegular(&'static str),
    /// It has more than 64 MiB.
    TooLarge,
    /// The system refused; the text says why.
    Refused(String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NotFound => f.write_str("there is no such file"),
            LoadError::NotRegular(what) => write!(f, "it is {what}, not a regular file"),
            LoadError::TooLarge => write!(f, "it is larger than {} MiB", MAX_BYTES >> 20),
            LoadError::Refused(why) => f.write_str(why),
        }
    }
}

impl SourceMap {
    /// Reads a file under the name the user gave it.
    pub fn load(&mut self, path: &Path, included_at: Option<Span>) -> Result<FileId, LoadError> {
        let bytes = read(path)?;
        Ok(self.add_included(path.to_string_lossy(), bytes, included_at))
    }

    /// As [`SourceMap::load`] for a file of the command line: a failure becomes a diagnostic.
    pub fn load_main(&mut self, path: &Path, diags: &mut Diagnostics) -> Option<FileId> {
        match self.load(path, None) {
            Ok(file) => Some(file),
            Err(error) => {
                let message = format!("Cannot read '{}': {error}", path.to_string_lossy());
                diags.push(Diagnostic::global_error("T0002", message));
                None
            }
        }
    }
}

/// The bytes of a source file.
///
/// # Errors
/// If it is not a regular file of a bearable size, or the system refuses.
pub fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(refused)?;
    let data = file.metadata().map_err(refused)?;
    if let Some(what) = irregular(&file).map_err(refused)? {
        return Err(LoadError::NotRegular(what));
    }
    if data.len() > MAX_BYTES {
        return Err(LoadError::TooLarge);
    }
    let mut bytes = Vec::with_capacity(data.len() as usize + 1);
    // A file of /proc says that it is empty and may grow while it is read: the limit holds for the bytes read.
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(refused)?;
    if bytes.len() as u64 > MAX_BYTES { Err(LoadError::TooLarge) } else { Ok(bytes) }
}

/// The kind of the open file, unless it is a regular one.
fn irregular(file: &File) -> std::io::Result<Option<&'static str>> {
    let kind = file.metadata()?.file_type();
    Ok(match kind {
        _ if kind.is_file() => None,
        _ if kind.is_dir() => Some("a directory"),
        _ if kind.is_fifo() => Some("a pipe"),
        _ if kind.is_socket() => Some("a socket"),
        _ if kind.is_char_device() || kind.is_block_device() => Some("a device"),
        _ => Some("something special"),
    })
}

fn refused(error: std::io::Error) -> LoadError {
    match error.kind() {
        ErrorKind::NotFound => LoadError::NotFound,
        ErrorKind::PermissionDenied => LoadError::Refused("the permission is denied".into()),
        // Opening a socket, or a device without a driver.
        _ if error.raw_os_error() == Some(libc::ENXIO) => LoadError::NotRegular("a socket or device"),
        _ => LoadError::Refused(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(path: &Path) -> LoadError {
        SourceMap::new().load(path, None).unwrap_err()
    }

    #[test]
    fn only_regular_files_are_read() {
        let dir = std::env::temp_dir().join(format!("trueline-load-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        assert_eq!(why(&dir), LoadError::NotRegular("a directory"));
        assert_eq!(why(Path::new("/dev/zero")), LoadError::NotRegular("a device"));
        assert_eq!(why(&dir.join("missing.f90")), LoadError::NotFound);
        let fifo = dir.join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        assert_eq!(why(&fifo), LoadError::NotRegular("a pipe"));
        let large = dir.join("large");
        File::create(&large).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert_eq!(why(&large), LoadError::TooLarge);
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
