//! Profiles, and the command line.

use std::ffi::OsString;
use trueline::fc;
use trueline_abi::profile::{Profile, sealed};
use trueline_report::{FlatOptions, Format, Index, Style};

/// JSON as it is; and if it is a profile, as one whose checksum is right.
pub fn profile_json(bytes: &[u8]) {
    report(bytes);
    if let Ok(profile) = serde_json::from_slice::<Profile>(bytes)
        && let Ok(again) = sealed(&profile)
    {
        report(&again);
    }
}

/// Lines of 16 bytes, each after its number: a raw profile is mostly zeros, and changes of those are changes of nothing.
pub fn profile_raw(lines: &[u8]) {
    const LINES: usize = 1 << 16;
    let mut file = Vec::new();
    for record in lines.chunks_exact(LINE + 4) {
        let (number, line) = record.split_at(4);
        let at = number.iter().rev().fold(0, |n, &b| n << 8 | usize::from(b)) % LINES * LINE;
        file.resize(file.len().max(at + LINE), 0);
        file[at..at + LINE].copy_from_slice(line);
    }
    report(&file);
}

const LINE: usize = 16;

/// The lines of `file` that are not zero, as [`profile_raw`] takes them.
pub fn lines_of(file: &[u8]) -> Vec<u8> {
    let lines = file.chunks_exact(LINE).enumerate().filter(|(n, line)| *n == 0 || line.iter().any(|&b| b != 0));
    lines.flat_map(|(n, line)| [&(n as u32).to_le_bytes(), line].concat()).collect()
}

/// A profile that can be read is shown and exported in every form, and can be added to itself.
fn report(bytes: &[u8]) {
    let profile = match trueline_report::read(bytes) {
        Ok(profile) => profile,
        Err(e) => return assert!(!e.to_string().is_empty(), "it is refused without a reason"),
    };
    let narrow = Style { color: true, width: Some(80) };
    trueline_report::text(&profile, &FlatOptions::default(), narrow);
    let index = Index::new(&profile);
    trueline_report::brief(&index, &FlatOptions::default(), narrow);
    trueline_report::tree_text(&index, None, narrow);
    trueline_report::calls_text(&index, narrow);
    trueline_report::processors_text(&index, narrow);
    trueline_report::annotated(&index, narrow);
    trueline_report::advice_text(&trueline_report::advice(&index, 20, 0.0), narrow);
    trueline_report::html(&profile, None);
    for (format, ..) in Format::ALL {
        let _ = trueline_report::export(&index, *format, None);
    }
    let both = [profile.clone(), profile];
    trueline_report::diff_text(&trueline_report::diff(&both[0], &both[1]), true, narrow);
    let _ = trueline_report::merge(&both);
}

/// A word a line: the command line of gfortran, and ours.
pub fn flags(text: &[u8]) {
    let words = || text.split(|&b| b == b'\n').take(64).map(|w| String::from_utf8_lossy(w).into_owned());
    // A file of options would be read from the disk of this machine.
    if words().any(|w| w.starts_with('@')) {
        return;
    }
    match fc::args::parse(words().map(OsString::from).collect()) {
        Ok(line) => assert!(fc::options(&line).err().is_none_or(|e| !e.is_empty()), "it is refused without a reason"),
        Err(e) => assert!(!e.is_empty(), "it is refused without a reason"),
    }
    let _ = <trueline::cli::Cli as clap::Parser>::try_parse_from(std::iter::once("trueline".to_owned()).chain(words()));
}
