//! Advice on the hottest constructs, in the words of a Fortran programmer.
//!
//! **Invariant:** every piece of advice rests on a fact of the profile: a count, a stride that the compiler saw, something it
//! could not do, time in a routine. Where there is no such fact nothing is advised.

mod facts;

use crate::flat::{FlatOptions, Row, construct, grouped};
use crate::groups::Groups;
use crate::index::Index;
use crate::safe;
use crate::table::{Style, Tone, width};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use trueline_abi::profile::{Construct, Time};

/// Pieces of advice that are given for one construct.
const MOST_FINDINGS: usize = 3;
/// A construct with less of the whole is not worth advice that is asked for.
pub const WORTH_ASKING: f64 = 0.01;
/// A construct with less of the whole is not worth advice in the first look at a profile.
pub const WORTH_TELLING: f64 = 0.05;

/// A fact, and one thing to try because of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The line that it is about.
    pub line: u32,
    /// The fact, as a sentence without a full stop.
    pub fact: String,
    /// The change to try.
    pub hint: String,
}

/// Advice on a construct, or on several that were merged.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// Its serial; for several, that of the first.
    pub serial: u32,
    /// Its file.
    pub file: String,
    /// Its lines.
    pub lines: Vec<u32>,
    /// Its text.
    pub text: String,
    /// The part of the run that its exclusive time is, with that of the conditionals in it.
    pub share: f64,
    /// Whether the share is an estimate.
    pub is_estimate: bool,
    /// The findings, the most promising first.
    pub findings: Vec<Finding>,
    /// The transformations that the compiler has made already.
    pub done: String,
    /// The cost of an iteration, of a single loop.
    pub rate: Option<String>,
}

/// Advice on the `most` hottest constructs that have at least the part `least` of the whole.
pub fn advice(index: &Index<'_>, most: usize, least: f64) -> Vec<Advice> {
    let groups = Groups::new(index);
    let rows = grouped(index, &groups, &FlatOptions::default());
    let whole = index.whole() as f64;
    let in_conditionals = in_conditionals(index);
    let mut worth: Vec<(Vec<&Construct>, Time)> = Vec::new();
    for row in rows {
        let (all, time): (Vec<&Construct>, Option<Time>) = match row {
            Row::One(c) if is_conditional(c) || c.is_off() => continue,
            Row::One(c) => (vec![c], index.time(c)),
            Row::Merged(group, _) => (group.innermost(index), group.time),
        };
        let Some(mut t) = time else { continue };
        for more in all.iter().filter_map(|c| in_conditionals.get(&c.serial)) {
            t.exclusive_ns = t.exclusive_ns.saturating_add(more.exclusive_ns);
            t.estimated |= more.estimated;
        }
        if t.exclusive_ns as f64 >= least * whole && !all.is_empty() {
            worth.push((all, t));
        }
    }
    worth.sort_by_key(|(_, t)| std::cmp::Reverse(t.exclusive_ns));
    worth.truncate(most);
    worth.into_iter().map(|(all, t)| of(index, &all, t, whole)).collect()
}

fn is_conditional(c: &Construct) -> bool {
    c.counts.taken.is_some()
}

/// The time of the conditionals directly in each loop or procedure: advice about a condition is given there.
fn in_conditionals(index: &Index<'_>) -> BTreeMap<u32, Time> {
    let mut out: BTreeMap<u32, Time> = BTreeMap::new();
    // A conditional stands behind the one that it is in, whose answer is its own.
    let mut known: BTreeMap<u32, Option<u32>> = BTreeMap::new();
    for c in index.profile.constructs.iter().filter(|c| is_conditional(c)) {
        let mut at = c.parent;
        let around = loop {
            let Some(p) = at else { break None };
            if let Some(&around) = known.get(&p) {
                break around;
            }
            match index.get(p) {
                Some(outer) if is_conditional(outer) => at = outer.parent,
                found => break found.map(|_| p),
            }
        };
        known.insert(c.serial, around);
        if let (Some(around), Some(t)) = (around, index.time(c)) {
            let sum = out.entry(around).or_default();
            sum.exclusive_ns = sum.exclusive_ns.saturating_add(t.exclusive_ns);
            sum.estimated |= t.estimated;
        }
    }
    out
}

fn of(index: &Index<'_>, all: &[&Construct], t: Time, whole: f64) -> Advice {
    let mut lines: Vec<u32> = all.iter().map(|c| c.line).collect();
    lines.sort_unstable();
    lines.dedup();
    let mut findings: Vec<(u32, Finding)> = Vec::new();
    for c in all {
        for found in facts::of(index, c) {
            if !findings.iter().any(|(_, f)| f.fact == found.1.fact) {
                findings.push(found);
            }
        }
    }
    // The sort is stable: findings that are equally promising stay in the order of the source.
    findings.sort_by_key(|(promise, _)| std::cmp::Reverse(*promise));
    findings.truncate(MOST_FINDINGS);
    let mut texts: Vec<String> = all.iter().map(|c| construct(c)).collect();
    texts.dedup();
    Advice {
        serial: all[0].serial,
        file: safe(&all[0].file).into_owned(),
        lines,
        text: crate::flat::shortened(&texts.join("; "), 60),
        share: t.exclusive_ns as f64 / whole,
        is_estimate: t.estimated || t.error_ns > 0,
        findings: findings.into_iter().map(|(_, f)| f).collect(),
        done: facts::done(all),
        rate: if let [c] = all { facts::rate(c, &t) } else { None },
    }
}

/// The advice as text, in lines that fit.
pub fn advice_text(all: &[Advice], style: Style) -> String {
    let mut out = String::new();
    for a in all {
        let lines: Vec<String> = a.lines.iter().map(u32::to_string).collect();
        let mark = if a.is_estimate { "~" } else { "" };
        let share = format!("{mark}{:.1} % of the run", a.share * 100.0);
        let head = format!("{}:{}  {share}  {}", a.file, lines.join("+"), a.text);
        style.line(Tone::Warm, &head, &mut out);
        for f in &a.findings {
            paragraph("  ", &format!("line {}: {}.", f.line, f.fact), style, &mut out);
            paragraph("    ", &format!("Try: {}.", f.hint), style, &mut out);
        }
        if a.findings.is_empty() {
            let done = if a.done.is_empty() { String::new() } else { format!(" (already {})", a.done) };
            paragraph("  ", &format!("Nothing that the compiler knows of stands in its way{done}."), style, &mut out);
        }
        if let Some(rate) = &a.rate {
            paragraph("  ", &format!("{rate}."), style, &mut out);
        }
    }
    out
}

/// Words in lines that fit, all indented.
fn paragraph(indent: &str, text: &str, style: Style, out: &mut String) {
    let room = style.width.unwrap_or(100).max(40);
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && indent.len() + width(&line) + 1 + width(word) > room {
            out.push_str(&format!("{indent}{line}\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    out.push_str(&format!("{indent}{line}\n"));
}

/// The advice as JSON.
pub fn advice_json(all: &[Advice]) -> Value {
    let one = |a: &Advice| {
        let findings: Vec<Value> =
            a.findings.iter().map(|f| json!({ "line": f.line, "finding": f.fact, "try": f.hint })).collect();
        json!({
            "serial": a.serial, "file": a.file, "lines": a.lines, "text": a.text, "share": a.share,
            "estimated": a.is_estimate, "done": a.done, "rate": a.rate, "findings": findings,
        })
    };
    Value::Array(all.iter().map(one).collect())
}
