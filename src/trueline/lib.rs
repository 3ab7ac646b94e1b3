//! trueline: a Fortran/HPF compiler that profiles the optimized program on its true source lines.
//!
//! [`pipeline`] reads top to bottom; ARCHITECTURE.md has the bird's eye view.

pub mod cache;
pub mod cli;
pub mod commands;
pub mod dispatch;
pub mod display;
pub mod driver;
pub mod exit;
pub mod fc;
pub mod feedback;
pub mod flags;
pub mod interrupt;
pub mod language;
pub mod linking;
pub mod modules;
pub mod options;
pub mod output;
pub mod pipeline;
pub mod progress;
pub mod runtime;
pub mod target;

use std::ffi::OsString;

/// Passes recurse to the depth of the user's nesting, which the front end bounds; this is enough for
/// that bound whatever `ulimit -s` says.
const STACK: usize = 256 << 20;

/// Runs the command line on a thread with a stack of our own size; returns the exit code.
pub fn main(args: Vec<OsString>) -> i32 {
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global();
    debug_assert!(pool.is_ok(), "the pool is made once");
    let command = args.get(1).map_or_else(String::new, |word| word.to_string_lossy().into_owned());
    let run = std::thread::Builder::new().stack_size(STACK).spawn(|| dispatch::main(args));
    match run.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic's message is on standard error already; phases of a compilation are named by the pipeline.
        Ok(Err(_)) => commands::fail(&driver::Failure::Bug(format!("command '{command}'"))),
        Err(e) => commands::fail(&driver::Failure::User(format!("Cannot start a thread: {e}"))),
    }
}
