//! Fortran source form, tokens, grammar and AST.
//!
//! [`parse`] reads a file in these steps, each of which works on one statement:
//!
//! ```text
//! bytes ─ form ─▶ logical line ─ classify, scan ─▶ tokens ─ grammar, builder ─▶ statement ─ nest ─▶ tree
//! ```
//!
//! The classifier decides which statement a line is, before any token is made, because Fortran's tokens depend on it. The
//! grammar (`grammar.lalrpop`) knows single statements only; blocks are built from them by `nest`. So an error costs one statement.

pub mod ast;
mod builder;
mod classify;
mod dump;
mod expected;
mod form;
pub mod limits;
mod names;
mod nest;
mod parsed;
mod parser;
mod redistribute;
mod scan;
mod spelling;
mod split;
mod token;

pub use classify::{Words, words};
pub use dump::dump;
pub use names::{Name, Names};
pub use parser::{Options, SourceForm, form_of, parse};
pub use redistribute::{Dealt, Distribute, Found, aligned, distributions, redistribute};
pub use split::parse_parts;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, unused, missing_docs)]
    grammar
);
