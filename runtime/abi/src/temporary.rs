//! Files in directories that others may write: names of temporary files, the sweep of files that killed processes left, and
//! which files another user may have planted.
//!
//! A temporary file is named after the process that makes it: `.trueline-PID-START-SYSTEM-…`. START is when the process was
//! started, since numbers of processes are used again; SYSTEM tells boots, machines and containers apart, whose processes
//! cannot be asked for here.
//!
//! **Invariants:** the sweep removes only regular files and folders of the same user with such a name, whose process is
//! gone; it follows no link.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The beginning of the names of all temporary files.
pub const PREFIX: &str = ".trueline-";

/// Whether the processes of another system are gone cannot be asked, but no file is written for that long.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// The most names of a folder that the sweep looks at.
const MOST_NAMES: usize = 20_000;

/// The beginning of the names of this process's temporary files.
pub fn prefix() -> String {
    let pid = std::process::id();
    format!("{PREFIX}{pid}-{:x}-{:08x}-", started(pid).unwrap_or(0), system())
}

/// When the process was started, in ticks since the system was; none if there is no such process.
fn started(pid: u32) -> Option<u64> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The second word is the name in parentheses, which may have both in it. The 22nd is the time.
    let rest = &stat[stat.iter().rposition(|&b| b == b')')? + 1..];
    std::str::from_utf8(rest).ok()?.split_ascii_whitespace().nth(19)?.parse().ok()
}

/// A number for this boot of this machine and this container; 0 where the system does not tell.
fn system() -> u32 {
    let boot = std::fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    if boot.is_empty() {
        return 0;
    }
    // FNV-1a.
    let bytes = boot.iter().chain(space.as_os_str().as_encoded_bytes());
    bytes.fold(0x811c_9dc5, |hash: u32, &b| (hash ^ u32::from(b)).wrapping_mul(0x0100_0193)).max(1)
}

/// Whether a file with this name, last changed then, was left by a process that is gone.
fn is_abandoned(name: &str, changed: SystemTime) -> bool {
    let Some(mut words) = name.strip_prefix(PREFIX).map(|rest| rest.splitn(4, '-')) else { return false };
    let (Some(pid), Some(start), Some(place), Some(_)) = (words.next(), words.next(), words.next(), words.next())
    else {
        return false;
    };
    let (Ok(pid), Ok(start), Ok(place)) =
        (pid.parse::<u32>(), u64::from_str_radix(start, 16), u32::from_str_radix(place, 16))
    else {
        return false;
    };
    if place != 0 && start != 0 && place == system() {
        return started(pid) != Some(start);
    }
    SystemTime::now().duration_since(changed).is_ok_and(|age| age > OLD)
}

/// Removes the temporary files in `directory` that killed processes of `user` left there. A file that cannot be removed
/// stays.
pub fn sweep(directory: &Path, user: u32) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.take(MOST_NAMES).flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|n| n.starts_with(PREFIX)) else { continue };
        // The metadata are the entry's own, not those of a link's target.
        let Ok(data) = entry.metadata() else { continue };
        let Ok(changed) = data.modified() else { continue };
        if data.uid() != user || !is_abandoned(name, changed) {
            continue;
        }
        // Another process may sweep at the same time.
        let _ = match () {
            () if data.is_file() => std::fs::remove_file(entry.path()),
            () if data.is_dir() => std::fs::remove_dir_all(entry.path()),
            () => Ok(()),
        };
    }
}

/// Whether another user than `user` or root made `path`, itself, in a directory that others may write: whoever uses it
/// obeys that user.
pub fn is_planted(path: &Path, user: u32) -> bool {
    let Ok(data) = std::fs::symlink_metadata(path) else { return false };
    if [0, user].contains(&data.uid()) {
        return false;
    }
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::metadata(directory).is_ok_and(|d| d.mode() & 0o022 != 0 || ![0, user].contains(&d.uid()))
}

/// Follows `path` through links that no other user planted; the error is the path of the first planted one. A file
/// without a name (`/dev/stdout`) stays unchanged.
pub fn resolve(path: &Path, user: u32) -> Result<std::path::PathBuf, std::path::PathBuf> {
    let mut at = path.to_owned();
    // As many as the system follows.
    for _ in 0..40 {
        if is_planted(&at, user) && std::fs::symlink_metadata(&at).is_ok_and(|m| m.is_symlink()) {
            return Err(at);
        }
        let Ok(to) = std::fs::read_link(&at) else { break };
        at = at.parent().unwrap_or(Path::new("")).join(to);
    }
    let is_same = match (std::fs::metadata(path), std::fs::symlink_metadata(&at)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        // The end of the links is a name to be made.
        (Err(_), Err(_)) => true,
        _ => false,
    };
    Ok(if is_same { at } else { path.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_processes_that_are_gone_are_abandoned() {
        let (now, long_ago) = (SystemTime::now(), SystemTime::now() - 2 * OLD);
        let (pid, start, here) = (std::process::id(), started(std::process::id()).unwrap(), system());
        assert!(!is_abandoned(&(prefix() + "0"), long_ago), "this process is there");
        assert!(is_abandoned(&format!(".trueline-{pid}-{:x}-{here:08x}-0", start + 1), now), "a number used again");
        assert!(is_abandoned(&format!(".trueline-4194399-{start:x}-{here:08x}-0"), now), "no such process");
        let elsewhere = format!(".trueline-{pid}-{start:x}-{:08x}-0", here ^ 1);
        assert!(!is_abandoned(&elsewhere, now) && is_abandoned(&elsewhere, long_ago));
        for name in
            ["", ".trueline-", ".trueline-1", ".trueline-x-1-1-1", ".trueline-1-1-1", "p.json", ".trueline-1-2-"]
        {
            assert!(!is_abandoned(name, long_ago), "{name}");
        }
    }

    #[test]
    fn the_sweep_leaves_what_is_not_its_own() {
        let directory = std::env::temp_dir().join(format!("trueline-sweep-{}", std::process::id()));
        std::fs::create_dir_all(directory.join("kept")).unwrap();
        std::fs::write(directory.join("kept/file"), "x").unwrap();
        let gone = format!(".trueline-4194399-1-{:08x}-", system());
        std::fs::write(directory.join(format!("{gone}file")), "x").unwrap();
        std::fs::create_dir(directory.join(format!("{gone}folder"))).unwrap();
        std::fs::write(directory.join(format!("{gone}folder/inside")), "x").unwrap();
        std::os::unix::fs::symlink("kept", directory.join(format!("{gone}link"))).unwrap();
        std::os::unix::fs::symlink("../kept", directory.join(format!("{gone}folder/link"))).unwrap();
        std::fs::write(directory.join(prefix() + "mine"), "x").unwrap();
        std::fs::write(directory.join(".trueline-notes"), "x").unwrap();
        let user = std::fs::metadata(&directory).unwrap().uid();
        let names = || {
            let all = std::fs::read_dir(&directory).unwrap();
            let mut all: Vec<_> = all.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
            all.sort();
            all
        };
        let before = names();
        sweep(&directory, user + 1);
        assert_eq!(names(), before, "files of another user");
        sweep(&directory, user);
        let mut expected = vec![prefix() + "mine", format!("{gone}link"), ".trueline-notes".into(), "kept".into()];
        expected.sort();
        assert_eq!(names(), expected);
        assert!(directory.join("kept/file").exists());
        std::fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn links_are_resolved_to_names() {
        let directory = std::env::temp_dir().join(format!("trueline-resolve-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let user = std::fs::metadata(&directory).unwrap().uid();
        std::os::unix::fs::symlink("b", directory.join("a")).unwrap();
        std::os::unix::fs::symlink("c", directory.join("b")).unwrap();
        assert_eq!(resolve(&directory.join("a"), user), Ok(directory.join("c")));
        std::fs::write(directory.join("c"), "").unwrap();
        assert_eq!(resolve(&directory.join("a"), user), Ok(directory.join("c")));
        // To anyone but its owner and root the link is planted if others may write there.
        std::fs::set_permissions(&directory, std::os::unix::fs::PermissionsExt::from_mode(0o1777)).unwrap();
        if user != 0 {
            assert_eq!(resolve(&directory.join("a"), user + 1), Err(directory.join("a")));
        }
        assert_eq!(resolve(Path::new("/dev/null"), user), Ok("/dev/null".into()));
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
