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
use std::panic::{AssertUnwindSafe, catch_unwind};
use trueline_syntax::limits::DEEP_STACK;

/// The stack of a thread where [`DEEP_STACK`] is not to be had: phases recurse to the depth of the user's nesting, which the front
/// end bounds. This is enough for usual programs, whatever `ulimit -s` says.
const STACK: usize = 256 << 20;

/// More threads are only started where there are more processors.
const MOST_THREADS: usize = 64;

/// Runs the command line on threads with stacks of our own size; returns the exit code.
pub fn main(args: Vec<OsString>) -> i32 {
    let command = args.get(1).map_or_else(String::new, |word| word.to_string_lossy().into_owned());
    let _ = interrupt::end_cleanly();
    let count = threads_wanted();
    let threads = |stack| rayon::ThreadPoolBuilder::new().num_threads(count).stack_size(stack).build();
    let deep = if may_reserve() { threads(DEEP_STACK).ok() } else { None };
    if deep.is_some() {
        trueline_syntax::limits::allow_depth();
    }
    let pool = match deep.map_or_else(|| threads(STACK), Ok) {
        Ok(pool) => pool,
        Err(e) => return commands::fail(&driver::Failure::User(format!("Cannot start threads: {e}"))),
    };
    // The panic's message is on standard error already; phases of a compilation are named by the pipeline.
    let run = catch_unwind(AssertUnwindSafe(|| pool.install(|| dispatch::main(args))));
    run.unwrap_or_else(|_| commands::fail(&driver::Failure::Bug(format!("command '{command}'"))))
}

/// The number of threads that `RAYON_NUM_THREADS` asks for, as far as more make sense; 0, for one on each processor, where it does not.
fn threads_wanted() -> usize {
    let wanted = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse::<usize>().ok()).unwrap_or(0);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    wanted.min(processors.max(MOST_THREADS))
}

/// Whether memory may be reserved that is never used: stacks of this size are, but for the pages that are touched.
fn may_reserve() -> bool {
    let space = rustix::process::getrlimit(rustix::process::Resource::As).current;
    // 2: the kernel counts reserved memory.
    let counts = std::fs::read_to_string("/proc/sys/vm/overcommit_memory").is_ok_and(|mode| mode.trim() == "2");
    space.is_none() && !counts
}
