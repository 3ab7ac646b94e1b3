//! The profile that this run's profile replaces: a warning if it is of another program, as when the tests of a build
//! all write `trueline-profile.json` in one directory and only the last one's profile remains.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use trueline_abi::profile::Profile;
use trueline_abi::raw::{Header, RAW_MAGIC, RUNNING};

/// The bytes of a profile that are read to know the program.
pub(super) const START: u64 = 16 << 10;

/// The program that a profile is of.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Former {
    /// A finished profile: the program's name and its first source file.
    Finished { program: String, source: String },
    /// The profile of a process that is still running.
    Running { pid: u64 },
}

/// The profile that was at the path when this run began.
static FORMER: Mutex<Option<(PathBuf, Former)>> = Mutex::new(None);

/// Notes the beginning of a file that the profile at `path` is about to replace.
pub(super) fn note(path: &Path, start: &[u8]) {
    let former = running(start).or_else(|| finished(start));
    *FORMER.lock().unwrap_or_else(PoisonError::into_inner) = former.map(|f| (path.to_owned(), f));
}

/// A warning if the profile that was at `path` was of another program than `profile`.
pub(super) fn warning(path: &Path, profile: &Profile) -> Option<String> {
    let (at, former) = FORMER.lock().unwrap_or_else(PoisonError::into_inner).take()?;
    let of = match former {
        _ if at != path => return None,
        Former::Running { pid } => format!("process {pid}, which ran at the same time"),
        Former::Finished { program, source } => {
            let own = profile.files.first().map_or("", |f| f.path.as_str());
            if program == profile.program && source == own {
                return None;
            }
            format!("'{program}' ({source})")
        }
    };
    let shown = path.display();
    Some(format!(
        "trueline: warning: the profile of {of} in '{shown}' was replaced by that of '{}'; \
         TRUELINE_PROFILE_FILE=%e.json gives each program a file of its own, %p each process\n",
        profile.program
    ))
}

/// The other process whose raw profile this is, if it is still running.
fn running(start: &[u8]) -> Option<Former> {
    let header = Header::read(start, 0)?;
    let pid = i32::try_from(header.pid).ok().filter(|&pid| pid > 0)?;
    if header.magic != RAW_MAGIC || header.state != RUNNING || header.pid == u64::from(std::process::id()) {
        return None;
    }
    // SAFETY: signal 0 is sent to nobody; the call only asks whether the process is there.
    let is_alive = unsafe { libc::kill(pid, 0) } == 0;
    is_alive.then_some(Former::Running { pid: header.pid })
}

/// The program of a finished profile: the first values of two keys, which stand before the texts of the source files.
fn finished(start: &[u8]) -> Option<Former> {
    let text = String::from_utf8_lossy(start);
    let value = |key: &str| {
        let line = text.lines().map(str::trim).find_map(|l| l.strip_prefix(key))?;
        serde_json::from_str::<String>(line.trim_end_matches(',')).ok()
    };
    value("\"schema\": ").filter(|s| s.starts_with("trueline-profile/"))?;
    Some(Former::Finished { program: value("\"program\": ")?, source: value("\"path\": ")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_of_a_profile() {
        let text = "{\n  \"schema\": \"trueline-profile/1\",\n  \"program\": \"a \\\"b\\\"\",\n  \"files\": [\n    {\n      \"path\": \"x/a.f90\",\n";
        let found = Former::Finished { program: "a \"b\"".into(), source: "x/a.f90".into() };
        assert_eq!(finished(text.as_bytes()), Some(found));
        for end in 0..text.len() - 2 {
            assert_eq!(finished(&text.as_bytes()[..end]), None, "{end}");
        }
        assert_eq!(finished(b"{\n  \"program\": \"a\",\n  \"path\": \"b\"\n"), None);
        assert_eq!(finished(&[0xff; 64]), None);
        assert_eq!(running(&[0xff; 512]), None);
    }
}
