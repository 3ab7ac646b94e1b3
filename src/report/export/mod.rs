//! Profiles in the formats of other tools. Each format is a function from a profile to bytes.
//!
//! **Invariants:** a format gets the figures of the profile and no others: a figure that was not measured is left out where the
//! format can leave out, and a time stands once. Text is escaped as the format asks.

mod callgrind;
mod chrome;
mod cube;
mod gmon;
mod lcov;
mod pprof;
mod remarks;
mod sarif;
mod stacks;

use crate::{FlatOptions, Index, SortKey};
pub use gmon::Symbols;
pub use remarks::{RemarkDoc, document};

/// A format to export to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Format {
    Callgrind,
    Pprof,
    Lcov,
    Speedscope,
    Folded,
    Chrome,
    Cube,
    Gmon,
    Sarif,
    Remarks,
    Csv,
}

impl Format {
    /// Every format with its name on the command line and who reads it.
    pub const ALL: &'static [(Format, &'static str, &'static str)] = &[
        (Format::Callgrind, "callgrind", "callgrind_annotate, KCachegrind"),
        (Format::Pprof, "pprof", "go tool pprof"),
        (Format::Lcov, "lcov", "lcov, genhtml, editors"),
        (Format::Speedscope, "speedscope", "speedscope"),
        (Format::Folded, "folded", "flamegraph.pl, inferno"),
        (Format::Chrome, "chrome", "Perfetto, chrome://tracing"),
        (Format::Cube, "cube", "Cube, Scalasca, ParaProf"),
        (Format::Gmon, "gmon", "gprof"),
        (Format::Sarif, "sarif", "editors, code review"),
        (Format::Remarks, "remarks", "opt-viewer"),
        (Format::Csv, "csv", "spreadsheets"),
    ];

    /// The format with that name.
    pub fn by_name(name: &str) -> Option<Format> {
        Format::ALL.iter().find(|(_, n, _)| *n == name).map(|(f, ..)| *f)
    }
}

/// The profile in a format. `symbols` are those of the executable, which [`Format::Gmon`] needs and others ignore.
///
/// # Errors
/// A sentence for the user, if the format cannot hold the profile.
pub fn export(index: &Index<'_>, format: Format, symbols: Option<&Symbols>) -> Result<Vec<u8>, String> {
    Ok(match format {
        Format::Callgrind => callgrind::callgrind(index).into_bytes(),
        Format::Pprof => pprof::pprof(index),
        Format::Lcov => lcov::lcov(index).into_bytes(),
        Format::Speedscope => stacks::speedscope(index).into_bytes(),
        Format::Folded => stacks::folded(index).into_bytes(),
        Format::Chrome => chrome::chrome(index).into_bytes(),
        Format::Cube => cube::cube(index)?,
        Format::Gmon => gmon::gmon(index, symbols)?,
        Format::Sarif => sarif::sarif(index).into_bytes(),
        Format::Remarks => remarks::of_profile(index).into_bytes(),
        Format::Csv => crate::csv(index, &FlatOptions { sort: SortKey::Line, ..FlatOptions::default() }).into_bytes(),
    })
}

/// JSON on one line, with a line end.
fn compact(value: &serde_json::Value) -> String {
    crate::printable_json(&value.to_string()).into_owned() + "\n"
}
