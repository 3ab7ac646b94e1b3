//! The tests of the whole compiler that need more than one program and its recorded output; those are in `tests/programs`.

mod build;
mod compiler;
mod corpus;
mod debug;
mod examples;
mod hpf;
mod profile;
mod sources;
mod trouble;
