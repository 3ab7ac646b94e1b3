//! Targets of fuzzing: whatever the bytes are, each ends with a value or a message, soon, and without a panic.
//!
//! ```text
//! fuzz/run pipeline 600           ten minutes of libFuzzer, beginning with the seeds
//! cargo test -p trueline-fuzz     every seed, and some changes of each
//! ```
//!
//! A target is a row of [`TARGETS`]. libFuzzer calls it through `targets/`; [`mutate`] needs no engine, and so no coverage.

mod data;
mod io;
pub mod mutate;
pub mod seeds;
mod source;

use std::thread;

/// Something that reads what anybody may have written.
pub struct Target {
    /// Its name, which is that of its file in `targets/`.
    pub name: &'static str,
    /// The work. It panics if it finds a fault of ours.
    pub work: fn(&[u8]),
    /// The inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words that mutations insert.
    pub words: &'static [&'static str],
}

/// The targets, by name.
pub const TARGETS: &[Target] = &[
    Target { name: "tokens", work: source::tokens, seeds: seeds::free, words: seeds::FORTRAN },
    Target { name: "free_form", work: source::free_form, seeds: seeds::free, words: seeds::FORTRAN },
    Target { name: "fixed_form", work: source::fixed_form, seeds: seeds::fixed, words: seeds::FORTRAN },
    Target { name: "preprocessor", work: source::preprocessor, seeds: seeds::preprocessed, words: seeds::MACROS },
    Target { name: "analysis", work: source::analysis, seeds: seeds::free, words: seeds::FORTRAN },
    Target { name: "pipeline", work: source::pipeline, seeds: seeds::free, words: seeds::FORTRAN },
    Target { name: "directives", work: source::directives, seeds: seeds::directives, words: seeds::HPF },
    Target { name: "ir_text", work: source::ir_text, seeds: seeds::ir_text, words: seeds::IR },
    Target { name: "module_file", work: source::module_file, seeds: seeds::modules, words: seeds::FORTRAN },
    Target { name: "profile_json", work: data::profile_json, seeds: seeds::profiles, words: seeds::NUMBERS },
    Target { name: "profile_raw", work: data::profile_raw, seeds: seeds::raw_profiles, words: &[] },
    Target { name: "format", work: io::format, seeds: seeds::formats, words: seeds::EDITING },
    Target { name: "list_input", work: io::list_input, seeds: seeds::lists, words: seeds::NUMBERS },
    Target { name: "namelist", work: io::namelist, seeds: seeds::namelists, words: seeds::GROUPS },
    Target { name: "flags", work: data::flags, seeds: seeds::flags, words: seeds::FLAGS },
];

/// Runs the target of that name, as the compiler does its work: on a thread with a stack of the compiler's size.
///
/// # Panics
/// If there is no such target, or it finds a fault.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|t| t.name == name).expect("the name of a target");
    let ended = on_stack(|| (target.work)(data));
    assert!(ended.is_some(), "the target '{}' finds a fault", target.name);
}

/// Does `work`, which may be that of many inputs, on such a thread; nothing if it panics.
///
/// # Panics
/// If there can be no further thread.
pub fn on_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
        thread.expect("a thread can be started").join().ok()
    })
}
