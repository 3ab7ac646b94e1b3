//! Bugs that are put in on purpose, to prove that random programs find them (`tests/campaign`).
//!
//! A place where a wrong choice is likely asks [`fault`] whether to make it. Without the feature `faults` the answer is the constant
//! `false`, and nothing remains of the question; with it, `TRUELINE_FAULT` names the one that is on.

/// Whether the fault `name` is switched on.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub(crate) fn fault(_name: &'static str) -> bool {
    false
}

/// Whether the fault `name` is switched on.
#[cfg(feature = "faults")]
pub(crate) fn fault(name: &'static str) -> bool {
    static ON: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    ON.get_or_init(|| std::env::var("TRUELINE_FAULT").ok()).as_deref() == Some(name)
}
