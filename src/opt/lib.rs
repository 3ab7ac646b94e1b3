//! The optimizer: analyses, passes and the pass list.
//!
//! A pass is one file with a `PASS`; the one word in [`passes!`] registers it. [`pipeline`] is the order
//! in which they run, [`optimize`] runs them.
//!
//! **Invariants:** a pass changes a unit only through the verbs of [`trueline_ir::Editor`]; its
//! decisions depend neither on tallies nor on the numbers of ids, so that a profiled build is optimized
//! as an unprofiled one; analyses are recomputed, never patched; the result does not depend on the
//! number of threads.

mod alias;
mod forward;
mod linear;
mod manager;
mod pass;
mod rewrite;
#[cfg(test)]
mod tests;

pub use manager::{Bug, Dump, Options, PassStats, Stats, optimize, optimize_with};
pub use pass::{Context, OptLevel, Pass};

macro_rules! passes {
    ($($name:ident),* $(,)?) => {
        $(pub mod $name;)*
        /// Every pass, by name.
        pub const PASSES: &[&Pass] = &[$(&$name::PASS),*];
    };
}

// Adding a pass: create `src/opt/<name>.rs` and add `<name>` here and where it runs in `pipeline`.
passes![copyprop, cse, dce, fold, lower_l, lower_m, scalarize, strength];

/// Where a program can be instrumented (paper, section 4): before or after a phase.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Point {
    BeforeIpa,
    AfterIpa,
    BeforeLno,
    AfterLno,
    BeforeWopt,
    AfterWopt,
}

/// One step of the pipeline.
#[derive(Clone, Copy)]
pub enum Step {
    /// A pass runs on every unit.
    Run(&'static Pass),
    /// A point where instrumentation may be put in.
    At(Point),
}

/// What runs at `level`, in order.
pub fn pipeline(level: OptLevel) -> Vec<Step> {
    use Point::*;
    use Step::{At, Run};
    let all = [
        Run(&scalarize::PASS),
        // Interprocedural analysis.
        At(BeforeIpa),
        At(AfterIpa),
        // Loop nests, of which constants are known.
        Run(&fold::PASS),
        Run(&copyprop::PASS),
        Run(&dce::PASS),
        At(BeforeLno),
        At(AfterLno),
        // Scalars; then with addresses explicit.
        Run(&fold::PASS),
        Run(&copyprop::PASS),
        Run(&cse::PASS),
        Run(&dce::PASS),
        Run(&lower_m::PASS),
        At(BeforeWopt),
        Run(&fold::PASS),
        Run(&strength::PASS),
        Run(&copyprop::PASS),
        Run(&dce::PASS),
        At(AfterWopt),
        Run(&lower_l::PASS),
    ];
    all.into_iter().filter(|s| !matches!(s, Run(p) if p.from > level)).collect()
}

/// The pass with that name.
pub fn pass_named(name: &str) -> Option<&'static Pass> {
    PASSES.iter().copied().find(|p| p.name == name)
}
