//! The oracle of times is proven: bugs that are put into the mapping and the timers on purpose make a time wrong that it finds.
//!
//! Faults are switched on for the whole process, so they have a binary of their own.

#![cfg(debug_assertions)]
#![allow(missing_docs)]

use campaign::STACK;
use campaign::times::faults::{Hunt, OF_TIMES};

/// Programs that show each fault, by their seeds: where the difference is small, several.
const SHOWN_BY: &[(&str, &[u64])] = &[
    ("map_scalars_relate", &[6, 1]),
    ("map_unrolled_apart", &[210]),
    ("map_one_area", &[6]),
    ("timer_open_at_jumps", &[27]),
    ("timer_of_one_instance", &[3]),
];

/// Faults that make a difference of a few hundredths, which a busy machine hides; `campaign times faults` shows them.
/// Code that several constructs share takes hardly any time since loops keep their bounds in registers: unit tests of
/// the mapping show that fault. Jumps out of several constructs with timers have become rare since loops that are left
/// by EXIT are counted loops.
const SMALL: &[&str] = &["map_areas_span", "map_calls_are_short", "map_shared_is_own", "timer_ends_outside_first"];

#[test]
fn faults_in_the_mapping_are_found() {
    let hunt = || {
        let mut wrong = Vec::new();
        for (name, what) in OF_TIMES.iter().filter(|(name, _)| !SMALL.contains(name)) {
            let Some((_, seeds)) = SHOWN_BY.iter().find(|(n, _)| n == name) else {
                wrong.push(format!("{name}: there is no program for it"));
                continue;
            };
            let shows = |seed: &u64| {
                let found = Hunt::new(*seed, 1, 1).expect("cc").hunt(name);
                found.by.is_some() || found.refused > 0
            };
            if !seeds.iter().any(shows) {
                wrong.push(format!("{name}: programs {seeds:?} do not show that {what}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(hunt).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}
