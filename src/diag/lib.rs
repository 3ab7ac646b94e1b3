//! Source files, positions and diagnostics of trueline.
//!
//! Everything the user can do wrong ends as a [`Diagnostic`]: one sentence, a code, the place that is wrong, the places
//! that say why. Text and JSON are two renderings of that one datatype, so that they never disagree.
//!
//! Invariants: a [`Span`] always lies within its file; a file is read once, whole, and never changes afterwards; nothing
//! here panics or blocks on the contents or the kind of a file.

mod check;
mod codes;
mod collect;
mod diagnostic;
mod json;
mod load;
mod render;
mod source;
mod span;
mod text;

pub use codes::{Code, codes, codes_as_markdown, explanation};
pub use collect::{Diagnostics, Policy};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use json::to_json;
pub use load::{LoadError, read};
pub use render::{one_line, render, render_gcc, render_plain};
pub use source::{Prepared, SourceFile, SourceMap};
pub use span::{FileId, Location, Span};
pub use text::safe;
