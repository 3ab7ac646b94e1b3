//! The story of a source line: the decisions about it, or every edit that touched it, in order.

use crate::words::decision;
use std::collections::BTreeSet;
use trueline_ir::{Program, Unit};
use trueline_provenance::{Edit, ExpandKind, Serial, Transform};

/// One step of a story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The procedure whose code changed.
    pub unit: String,
    /// The pass.
    pub pass: &'static str,
    /// Its effect, in a phrase.
    pub what: String,
    /// The other source statements involved.
    pub with: Vec<Serial>,
    /// The number of times in a row.
    pub times: u32,
}

/// The decisions about `s`, in the order of the steps; equal ones stand once.
pub fn story(program: &Program, s: Serial) -> Vec<Event> {
    let mut out: Vec<Event> = Vec::new();
    for event in collect(program, s, &|unit, number, e| decision(unit, &program.infos, number, e, s)) {
        let same = |e: &&mut Event| (e.pass, &e.what, &e.unit) == (event.pass, &event.what, &event.unit);
        match out.iter_mut().find(same) {
            Some(first) => first.times += event.times,
            None => out.push(event),
        }
    }
    out
}

/// Every edit that touched `s`, in the terms of the five transforms.
pub fn theory(program: &Program, s: Serial) -> Vec<Event> {
    collect(program, s, &|unit, number, e| {
        let text = phrase(e);
        let texts = unit.rewritten(number).map(|(old, new)| format!("{text}: {old}  =>  {new}"));
        Some(texts.unwrap_or(text))
    })
}

fn collect(program: &Program, s: Serial, words: &dyn Fn(&Unit, usize, &Edit) -> Option<String>) -> Vec<Event> {
    let mut out: Vec<Event> = Vec::new();
    for unit in &program.units {
        for (number, e) in unit.log().edits.iter().enumerate() {
            let sets = [Some(e.before), Some(e.after), e.with.expand()];
            let all: BTreeSet<Serial> = sets.into_iter().flatten().flat_map(|set| unit.sets().stmts(set)).collect();
            if !all.contains(&s) {
                continue;
            }
            let Some(what) = words(unit, number, e) else { continue };
            let others: Vec<Serial> = all.into_iter().filter(|&o| o != s).collect();
            let event = Event { unit: unit.name().to_owned(), pass: e.pass, what, with: others, times: 1 };
            let same = |last: &Event| (last.pass, &last.what, &last.unit) == (event.pass, &event.what, &event.unit);
            match out.last_mut() {
                Some(last) if same(last) => last.times += 1,
                _ => out.push(event),
            }
        }
    }
    out
}

/// An edit in the terms of the five transforms.
fn phrase(e: &Edit) -> String {
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
