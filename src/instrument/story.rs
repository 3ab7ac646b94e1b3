//! The story of a source line: every edit that touched it, in order.

use std::collections::BTreeSet;
use trueline_ir::Program;
use trueline_provenance::{Edit, ExpandKind, Serial, Transform};

/// One step of a story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The procedure whose code changed.
    pub unit: String,
    /// The pass.
    pub pass: &'static str,
    /// What it did: one of the five, in a phrase.
    pub what: String,
    /// The other source statements involved.
    pub with: Vec<Serial>,
    /// How many times in a row.
    pub times: u32,
}

/// What happened to `s`, in the order of the passes; equal steps in a row are told once.
pub fn story(program: &Program, s: Serial) -> Vec<Event> {
    let mut out: Vec<Event> = Vec::new();
    for unit in &program.units {
        for e in &unit.log().edits {
            let sets = [Some(e.before), Some(e.after), e.with.expand()];
            let all: BTreeSet<Serial> = sets.into_iter().flatten().flat_map(|set| unit.sets().stmts(set)).collect();
            if !all.contains(&s) {
                continue;
            }
            let others: Vec<Serial> = all.into_iter().filter(|&o| o != s).collect();
            let event = Event { unit: unit.name().to_owned(), pass: e.pass, what: phrase(e), with: others, times: 1 };
            match out.last_mut() {
                Some(last) if Event { times: 1, ..last.clone() } == event => last.times += 1,
                _ => out.push(event),
            }
        }
    }
    out
}

/// What an edit did, in a phrase.
pub(crate) fn phrase(e: &Edit) -> String {
    let why = e.why.map_or(String::new(), |w| format!(": {}", w.phrase()));
    match e.transform {
        Transform::Null => format!("null{why}"),
        Transform::Merge => "merge".to_owned(),
        Transform::Eliminate => format!("eliminate{why}"),
        Transform::Expand(ExpandKind::Rewrite) => "rewrite".to_owned(),
        Transform::Expand(kind) => format!("expand ({})", format!("{kind:?}").to_lowercase()),
        Transform::Move => "move".to_owned(),
    }
}
