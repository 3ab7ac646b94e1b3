//! The profile on the source: reading profiles, the flat table, the annotated source.
//!
//! **Invariants:** a report prints what the profile says and nothing else: a count that was not measured
//! is blank, never zero, and a joint time stands once, at the construct that has the timer; text from
//! the profile is shown with control characters escaped.

mod annotate;
mod flat;
mod read;
mod table;

pub use annotate::annotated;
pub use flat::{FlatOptions, SortKey, flat};
pub use read::{ReadError, read};

use trueline_abi::profile::Profile;

/// The whole text report: summary, flat table, annotated source.
pub fn text(profile: &Profile, options: &FlatOptions) -> String {
    format!("{}\n{}\n{}", flat::summary(profile), flat(profile, options), annotated(profile))
}

/// `text` with control characters made visible, so that a profile cannot drive a terminal.
pub(crate) fn safe(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => ' ',
            c if c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => '\u{fffd}',
            c => c,
        })
        .collect()
}
