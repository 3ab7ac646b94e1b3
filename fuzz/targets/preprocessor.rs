//! The target `preprocessor` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| trueline_fuzz::run("preprocessor", data));
