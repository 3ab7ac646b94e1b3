//! Writing outputs: all or nothing.

use std::io::Write;
use std::path::Path;

/// Writes `content` to a temporary name beside `path` and renames it, so that `path` is never half
/// written; what is not a regular file (a device, a pipe) is written directly.
///
/// # Errors
/// As of the file system; then the temporary file is gone and `path` is as before.
pub fn write_atomically(path: &Path, content: &[u8]) -> std::io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(content);
    }
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut temporary = tempfile::Builder::new().prefix(".trueline-").tempfile_in(directory)?;
    temporary.write_all(content)?;
    temporary.as_file().sync_all()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Temporary files are private; outputs have what the umask allows.
        temporary.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    temporary.persist(path).map_err(|e| e.error)?;
    Ok(())
}
