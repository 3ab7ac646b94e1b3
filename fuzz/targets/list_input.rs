//! The target `list_input` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| trueline_fuzz::run("list_input", data));
