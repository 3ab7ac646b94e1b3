//! The environment variables that say how a run is profiled. An impossible value is reported and ignored.

use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::sync::OnceLock;
use trueline_abi::raw::{FOLDED, MOST_THINNING, NO_TREE};

/// At most this many bytes of a value that is not understood are shown.
const SHOWN: usize = 40;

/// The value of a variable without blanks around it; none if it is not set, or is not text.
fn value(name: &str, wanted: &str) -> Option<String> {
    let value = std::env::var_os(name)?;
    match value.to_str() {
        Some(text) => Some(text.trim().to_owned()),
        None => {
            refuse(name, value.as_bytes(), wanted);
            None
        }
    }
}

/// Says that a variable is ignored. Its value may be anything, so it is escaped for a terminal.
fn refuse(name: &str, value: &[u8], wanted: &str) {
    let more = if value.len() > SHOWN { "…" } else { "" };
    let value = value[..value.len().min(SHOWN)].escape_ascii();
    crate::exit::tell(format!("trueline: {name} is '{value}{more}', not {wanted}; it is ignored\n").as_bytes());
}

/// The value of a variable as `parse` understands it.
fn parsed<T>(name: &str, wanted: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
    let text = value(name, wanted)?;
    let result = parse(&text);
    if result.is_none() {
        refuse(name, text.as_bytes(), wanted);
    }
    result
}

/// Whether `TRUELINE_PROFILE` asks for no profile.
pub(super) fn is_off() -> bool {
    let parse = |text: &str| match text {
        "off" | "0" | "no" | "false" => Some(true),
        "" | "on" | "1" | "yes" | "true" => Some(false),
        _ => None,
    };
    parsed("TRUELINE_PROFILE", "on or off", parse).unwrap_or(false)
}

/// The number of events of a thread that `TRUELINE_TRACE` wants to be kept; `usual` if it gives none.
pub(super) fn trace(usual: u64) -> u64 {
    let parse = |text: &str| match text {
        "" | "off" => Some(0),
        "on" => Some(usual),
        n => n.parse().ok(),
    };
    parsed("TRUELINE_TRACE", "on, off or a number of events", parse).unwrap_or(0)
}

/// The depth of the call tree that `TRUELINE_CALL_TREE` wants, if it is set.
pub(super) fn tree_depth() -> Option<u64> {
    let parse = |text: &str| match text {
        "" => Some(FOLDED),
        "off" => Some(NO_TREE),
        "on" | "full" => Some(u64::MAX),
        n => n.parse().ok(),
    };
    parsed("TRUELINE_CALL_TREE", "on, off or a depth", parse)
}

/// The rule for constructs that are not timed further.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Throttle {
    /// All is timed.
    Off,
    /// A construct that was called more often, with a shorter mean time in microseconds, is not timed.
    Beyond(u64, f64),
}

/// The rule of `TRUELINE_THROTTLE`, if it is set.
pub(super) fn throttle() -> Option<Throttle> {
    parsed("TRUELINE_THROTTLE", "CALLS,MICROSECONDS or off", parse_throttle)
}

fn parse_throttle(text: &str) -> Option<Throttle> {
    if text == "off" {
        return Some(Throttle::Off);
    }
    let (calls, us) = text.split_once(',')?;
    let us = us.trim().parse::<f64>().ok().filter(|us| us.is_finite() && *us >= 0.0)?;
    Some(Throttle::Beyond(calls.trim().parse().ok()?, us))
}

/// The least power of two that `TRUELINE_THIN` wants timers to be thinned by, if it is set; 0 for `off`.
pub(super) fn thinning() -> Option<u64> {
    parsed("TRUELINE_THIN", "off or a power of two from 1 to 24", parse_thinning)
}

fn parse_thinning(text: &str) -> Option<u64> {
    if text == "off" {
        return Some(0);
    }
    text.trim().parse().ok().filter(|k| (1..=MOST_THINNING).contains(k))
}

/// The rank of the process in a parallel run, 0 if there is none.
pub(crate) fn rank() -> u64 {
    static RANK: OnceLock<u64> = OnceLock::new();
    *RANK.get_or_init(read_rank)
}

fn read_rank() -> u64 {
    let ours = std::env::var_os("TRUELINE_RANK").is_some();
    if ours && let Some(rank) = parsed("TRUELINE_RANK", "a number", |text| text.parse().ok()) {
        return rank;
    }
    let of = |name: &&str| std::env::var(name).ok()?.trim().parse().ok();
    ["OMPI_COMM_WORLD_RANK", "PMI_RANK"].iter().find_map(of).unwrap_or(0)
}

/// The content of a file that a variable names: a regular file of at most `most` bytes. A FIFO would make the program wait
/// before its first statement, and a device has no end.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_CLOEXEC;
    let say = |e: std::io::Error| e.to_string();
    let file = std::fs::OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(say)?;
    let kind = file.metadata().map_err(say)?.file_type();
    if !kind.is_file() {
        let what = match () {
            () if kind.is_dir() => "a directory",
            () if kind.is_fifo() => "a pipe",
            () if kind.is_char_device() || kind.is_block_device() => "a device",
            () => "something special",
        };
        return Err(format!("it is {what}, not a regular file"));
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(say)?;
    if bytes.len() as u64 > most { Err(format!("it is larger than {} MiB", most >> 20)) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinnings() {
        assert_eq!((parse_thinning("off"), parse_thinning("4")), (Some(0), Some(4)));
        for text in ["", "0", "25", "-1", "on", "1e1"] {
            assert_eq!(parse_thinning(text), None, "{text}");
        }
    }

    #[test]
    fn throttles() {
        assert_eq!(parse_throttle("off"), Some(Throttle::Off));
        assert_eq!(parse_throttle("10, 2.5"), Some(Throttle::Beyond(10, 2.5)));
        for text in ["", "on", "10", "10,-1", "10,nan", "10,inf", "-1,1", "1e400,1"] {
            assert_eq!(parse_throttle(text), None, "{text}");
        }
    }
}
