//! Writing the profile: to a temporary name, then renamed, so that no reader ever sees half of one.

use std::path::{Path, PathBuf};
use trueline_abi::profile::Profile;

/// Where the profile goes if `TRUELINE_PROFILE_FILE` does not say.
const DEFAULT: &str = "trueline-profile.json";

/// Writes the profile. What goes wrong is said once on standard error; the program's result stands.
pub(crate) fn write(profile: &Profile) {
    let pattern = std::env::var("TRUELINE_PROFILE_FILE").unwrap_or_default();
    let path = PathBuf::from(expand(if pattern.is_empty() { DEFAULT } else { &pattern }));
    if let Err(error) = try_write(&path, profile) {
        crate::exit::tell(format!("trueline: cannot write the profile '{}': {error}\n", path.display()).as_bytes());
    }
}

fn try_write(path: &Path, profile: &Profile) -> std::io::Result<()> {
    let mut json = serde_json::to_vec_pretty(profile)?;
    json.push(b'\n');
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    let result = std::fs::write(&temporary, &json).and_then(|()| std::fs::rename(&temporary, path));
    if result.is_err() {
        // Nothing more can be done about a temporary file that cannot be removed.
        let _ = std::fs::remove_file(&temporary);
    }
    result
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
            Some('r') => out.push_str(&rank()),
            Some('t') => out.push_str(&seconds().to_string()),
            Some('h') => out.push_str(&host()),
            Some('%') => out.push('%'),
            Some(other) => out.extend(['%', other]),
            None => out.push('%'),
        }
    }
    out
}

fn rank() -> String {
    ["TRUELINE_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK"]
        .iter()
        .find_map(|name| std::env::var(name).ok())
        .filter(|r| r.bytes().all(|b| b.is_ascii_digit()))
        .unwrap_or_else(|| "0".to_owned())
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
    use super::expand;

    #[test]
    fn patterns() {
        assert_eq!(expand("a%%b%"), "a%b%");
        assert_eq!(expand("x.%p"), format!("x.{}", std::process::id()));
        assert_eq!(expand("%q"), "%q");
    }
}
