//! The target `format` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| trueline_fuzz::run("format", data));
