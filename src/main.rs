//! The command line of trueline.
fn main() {}
