//! The analyses that passes use before they edit: references, registers, loops, dependences.
//!
//! **Invariants:** everything here is recomputed from a `&Unit`, never patched; nothing looks at tallies,
//! ghosts or probes; costs are bounded, and beyond a bound the answer is the conservative one.

pub(crate) mod depend;
pub(crate) mod kills;
pub(crate) mod loops;
pub(crate) mod ordered;
pub(crate) mod refs;
pub(crate) mod registers;
#[cfg(test)]
mod tests;

/// The tests of passes.
#[cfg(test)]
pub(crate) mod harness {
    use crate::{Context, OptLevel, Pass};
    use trueline_ir::testing;

    #[track_caller]
    pub(crate) fn check(pass: &'static Pass, before: &str, after: &str) {
        check_by(pass, &Context::alone(OptLevel::O3), before, after);
    }

    /// With answers to the questions of the pass.
    #[track_caller]
    pub(crate) fn check_by(pass: &'static Pass, context: &Context<'static>, before: &str, after: &str) {
        testing::check(pass.name, &|ed| (pass.run)(ed, context), before, after);
    }

    #[track_caller]
    pub(crate) fn unchanged(pass: &'static Pass, before: &str) {
        unchanged_by(pass, &Context::alone(OptLevel::O3), before);
    }

    /// With answers to the questions of the pass.
    #[track_caller]
    pub(crate) fn unchanged_by(pass: &'static Pass, context: &Context<'static>, before: &str) {
        testing::check_unchanged(pass.name, &|ed| (pass.run)(ed, context), before);
    }
}
