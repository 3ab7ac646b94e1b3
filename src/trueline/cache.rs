//! Files that are made once and kept for later compiles, in a place that nobody else can write.
//!
//! **Invariants:** a file is used only if its content was just checked, and nobody but the user and root could have changed it
//! or a folder on the way to it since then.

use crate::output::{self, Mode};
use std::fs::{DirBuilder, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The largest file that is kept, in bytes.
const MOST: u64 = 1 << 30;

/// The path of the file `folder/name`, with the content that `make` gives and `is_whole` accepts. A damaged file, or one
/// where others may write, is not used: the file is made anew, and one line says why.
///
/// # Errors
/// A sentence for the user if there is no place for it.
pub fn keep(
    folder: &str,
    name: &str,
    is_whole: impl Fn(&[u8]) -> bool,
    make: impl Fn() -> Result<Vec<u8>, String>,
) -> Result<PathBuf, String> {
    let mut refused = Vec::new();
    for base in bases() {
        let directory = match private(&base, folder) {
            Ok(directory) => directory,
            Err(why) => {
                refused.push(why);
                continue;
            }
        };
        let path = directory.join(name);
        match read(&path) {
            Ok(content) if is_whole(&content) => return Ok(path),
            Ok(_) => refused.push(format!("'{}' is damaged", path.display())),
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            Err(e) => refused.push(format!("'{}' cannot be used: {e}", path.display())),
        }
        match output::write_atomically(&path, &make()?, Mode::Data) {
            Ok(()) => {
                if !refused.is_empty() {
                    let why = trueline_diag::safe(&refused.join("; "));
                    crate::output::tell(&format!("trueline: {why}; it is made anew as '{}'\n", path.display()));
                }
                return Ok(path);
            }
            Err(e) => refused.push(format!("cannot write '{}': {e}", path.display())),
        }
    }
    Err(format!("There is no safe place for {name} (set XDG_CACHE_HOME to one): {}", refused.join("; ")))
}

/// The path of the installed file `folder/name`, if there is one whose content `is_whole` accepts.
///
/// # Errors
/// A sentence for the user if it cannot be used.
pub fn installed(folder: &str, name: &str, is_whole: impl Fn(&[u8], &Path) -> bool) -> Result<Option<PathBuf>, String> {
    let Some(base) = data() else { return Ok(None) };
    let directory = base.join(folder);
    if !directory.join(name).exists() {
        return Ok(None);
    }
    let path = private(&base, folder)?.join(name);
    let content = read(&path).map_err(|e| format!("'{}' cannot be used: {e}", path.display()))?;
    if !is_whole(&content, &path) {
        return Err(format!("'{}' is damaged; install it again", path.display()));
    }
    Ok(Some(path))
}

/// Installs files in a folder that they are found in later; gives the folder.
///
/// # Errors
/// A sentence for the user if there is no place for them.
pub fn install(folder: &str, files: &[(&str, &[u8])]) -> Result<PathBuf, String> {
    let base = data().ok_or("There is no place to install it: set HOME or XDG_DATA_HOME")?;
    let directory = private(&base, folder)?;
    for (name, bytes) in files {
        let path = directory.join(name);
        output::write_atomically(&path, bytes, Mode::Data)
            .map_err(|e| format!("Cannot write '{}': {e}", path.display()))?;
    }
    Ok(directory)
}

/// The directory of files that users install.
fn data() -> Option<PathBuf> {
    variable("XDG_DATA_HOME").map(|p| p.join("trueline")).or(variable("HOME").map(|p| p.join(".local/share/trueline")))
}

/// A path in the environment; relative ones are ignored.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|p: &PathBuf| p.is_absolute())
}

/// The directories where files may be kept, the best one first. Relative paths in the environment are ignored, as the
/// XDG Base Directory Specification demands.
fn bases() -> Vec<PathBuf> {
    let cache = variable("XDG_CACHE_HOME").map(|p| p.join("trueline"));
    let home = variable("HOME").map(|p| p.join(".cache/trueline"));
    // Everybody may make this name first: then it is not ours, and refused.
    let temporary = std::env::temp_dir().join(format!("trueline-{}", output::user()));
    cache.into_iter().chain(home).chain([temporary]).filter(|p| p.is_absolute()).collect()
}

/// The folder `base/folder`, made if need be, without links; an error if others may write there or on the way to it.
fn private(base: &Path, folder: &str) -> Result<PathBuf, String> {
    let wanted = base.join(folder);
    let cannot = |e: std::io::Error| format!("cannot make '{}': {e}", wanted.display());
    // Before anything is made in it: a planted base leads anywhere.
    if let Ok(found) = std::fs::symlink_metadata(base)
        && (!found.is_dir() || ![0, output::user()].contains(&found.uid()))
    {
        return Err(format!("'{}' is not a folder of this user", base.display()));
    }
    // Nothing is made where it could not be used.
    let there = wanted.ancestors().find(|p| p.exists()).unwrap_or(Path::new("/"));
    check_way(&there.canonicalize().map_err(cannot)?, there != wanted)?;
    DirBuilder::new().recursive(true).mode(0o700).create(&wanted).map_err(cannot)?;
    let directory = wanted.canonicalize().map_err(cannot)?;
    check_way(&directory, false)?;
    Ok(directory)
}

/// An error if others may write to `directory`, or to a folder on the way to it.
fn check_way(directory: &Path, on_the_way: bool) -> Result<(), String> {
    for (depth, at) in directory.ancestors().enumerate() {
        let data = std::fs::symlink_metadata(at).map_err(|e| format!("cannot look at '{}': {e}", at.display()))?;
        if let Some(why) = exposed(data.uid(), data.gid(), data.mode(), on_the_way || depth > 0) {
            return Err(format!("'{}' {why}", at.display()));
        }
    }
    Ok(())
}

/// The reason why others can replace files in a folder with this owner, group and mode. On the way to a folder of ours the sticky bit
/// protects it; a group with the number of the user is that of the user alone.
fn exposed(owner: u32, group: u32, mode: u32, on_the_way: bool) -> Option<&'static str> {
    if ![0, output::user()].contains(&owner) {
        return Some("belongs to another user");
    }
    let by_group = mode & 0o020 != 0 && group != owner;
    let protected = on_the_way && mode & 0o1000 != 0;
    ((mode & 0o002 != 0 || by_group) && !protected).then_some("may be written by other users")
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let data = file.metadata()?;
    if !data.is_file() {
        return Err(std::io::Error::other("not a regular file"));
    }
    if let Some(why) = exposed(data.uid(), data.gid(), data.mode(), false) {
        return Err(std::io::Error::other(format!("it {why}")));
    }
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_others_may_write_are_exposed() {
        let me = output::user();
        assert_eq!(exposed(me, me + 7, 0o755, false), None);
        assert_eq!(exposed(0, 0, 0o755, true), None);
        assert_eq!(exposed(me, me, 0o775, false), None, "the group is the user's");
        assert!(exposed(me, me + 7, 0o775, false).is_some());
        assert!(exposed(me, me, 0o777, true).is_some());
        assert_eq!(exposed(0, 0, 0o1777, true), None, "as /tmp");
        assert!(exposed(0, 0, 0o1777, false).is_some(), "but not itself");
        assert!(exposed(me + 7, me, 0o700, false).is_some());
    }
}
