//! The target `profile_raw` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| trueline_fuzz::run("profile_raw", data));
