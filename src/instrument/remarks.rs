//! Remarks: the optimizer's decisions about each statement, and its obstacles.

use crate::narrate::narratives;
use rustc_hash::FxHashSet;
use trueline_ir::Program;
use trueline_provenance::Serial;

/// One remark.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Remark {
    /// The statement.
    pub of: Serial,
    /// Whether the change was made; otherwise it was missed.
    pub passed: bool,
    /// The pass.
    pub pass: String,
    /// The decision, or the change that was not made and why.
    pub text: String,
}

/// All remarks, in source order; for each statement, decisions come first.
pub fn remarks(program: &Program) -> Vec<Remark> {
    let mut out: Vec<Remark> = Vec::new();
    for (of, steps) in narratives(program) {
        for step in steps {
            let (pass, text) = step.split_once(": ").unwrap_or(("", &step));
            out.push(Remark { of, passed: true, pass: pass.to_owned(), text: text.to_owned() });
        }
    }
    // The steps of a statement stay in their order.
    out.sort_by_key(|r| r.of);
    out.extend(missed(program));
    out.sort_by_key(|r| (r.of, !r.passed));
    out
}

/// The obstacles, in the order of the passes; each once, however often a pass came by.
pub(crate) fn missed(program: &Program) -> Vec<Remark> {
    let mut seen: FxHashSet<Remark> = FxHashSet::default();
    let mut out = Vec::new();
    for unit in &program.units {
        for m in &unit.log().missed {
            // The first of several merged statements stands for all.
            let Some(of) = unit.sets().stmts(m.of).next() else { continue };
            let text = format!("{}: {}", m.what, m.why.phrase());
            let remark = Remark { of, passed: false, pass: m.pass.to_owned(), text };
            if seen.insert(remark.clone()) {
                out.push(remark);
            }
        }
    }
    out
}
