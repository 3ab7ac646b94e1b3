//! The profile on the source: reading profiles, text reports, the page, comparison, sums, and other tools' formats.
//!
//! **Invariants:** a report prints the figures of the profile and no others: a count that was not measured
//! is blank, never zero, and a joint time stands once, at the construct that has the timer; text from
//! the profile is shown with control characters escaped. Reports are functions from profiles to text or bytes: files and
//! terminals are the caller's.

mod advise;
mod annotate;
mod cells;
mod contexts;
mod csv;
mod diff;
mod export;
mod flat;
mod groups;
mod hot;
mod html;
mod index;
mod memory;
mod merge;
mod overhead;
mod processors;
mod ranks;
mod read;
mod table;
#[cfg(test)]
mod testing;
mod tree;
mod treeview;
mod trips;
mod unmix;

pub use advise::{Advice, Finding, WORTH_ASKING, WORTH_TELLING, advice, advice_json, advice_text};
pub use annotate::annotated;
pub use csv::csv;
pub use diff::{Change, Diff, Pair, diff, diff_json, diff_text, grown};
pub use export::{Format, RemarkDoc, Symbols, document, export};
pub use flat::{FlatOptions, Scope, SortKey, flat, summary, summary_in};
pub use hot::brief;
pub use html::{CodeLine, Lesson, LessonLevel, LessonPass, html};
pub use index::Index;
pub use memory::memory_text;
pub use merge::{MergeError, merge};
pub use processors::{CATEGORIES, Spread, statistics};
pub use read::{ReadError, read};
pub use table::Style;
pub use tree::{TreeNode, tree};
pub use treeview::{calls_text, processors_text, tree_text};
pub use unmix::{Share, Shares};

use std::borrow::Cow;
use trueline_abi::profile::Profile;

/// The whole text report: the first look, all constructs, the annotated source, and advice.
pub fn text(profile: &Profile, options: &FlatOptions, style: Style) -> String {
    let index = Index::new(profile);
    let mut out = hot::first(&index, options, style) + "\n";
    flat::table(&index, options).render_to(style, &mut out);
    out.push('\n');
    annotate::annotate(&index, style, &mut out);
    out.push_str(hot::last(&index, style).trim_start());
    out
}

/// `text` with control characters made visible, so that a profile cannot drive a terminal.
pub(crate) fn safe(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .map(|c| match c {
            '\t' => ' ',
            c if unprintable(c) => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// JSON for a terminal: characters that would command it are written as escapes, which say the same.
pub fn printable_json(json: &str) -> Cow<'_, str> {
    if !json.contains(|c| c != '\n' && unprintable(c)) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if c != '\n' && unprintable(c) {
            out.push_str(&format!("\\u{:04x}", c as u32));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Whether a character would command a terminal, break a line, or move its neighbours.
fn unprintable(c: char) -> bool {
    let moves = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || moves
}
