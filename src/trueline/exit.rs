//! The exit codes of the compiler.

/// All went well.
pub const OK: i32 = 0;
/// The user's source or input is wrong.
pub const SOURCE: i32 = 1;
/// The command line is wrong.
pub const USAGE: i32 = 2;
/// The link failed.
pub const LINK: i32 = 3;
/// A bug of ours.
pub const BUG: i32 = 101;
