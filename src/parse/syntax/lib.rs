//! Fortran source form, tokens, grammar and AST.

pub mod ast;
mod names;

pub use names::{Name, Names};
