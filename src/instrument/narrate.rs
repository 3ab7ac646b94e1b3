//! The words of a profile beside its figures: the decisions about each construct, and the source of its counts.

use crate::Discharged;
use crate::words::decision;
use rustc_hash::FxHashMap;
use trueline_abi::profile::{CountMeta, CountSource};
use trueline_ir::{Program, Why};
use trueline_provenance::{CounterInfo, Measure, Serial, StmtInfos, Transform};

/// A story is cut after this many steps: `trueline explain` has all of them.
const MOST_STEPS: usize = 24;
/// At most this many other lines are named.
const MOST_LINES: usize = 6;

/// The decisions about every profiled construct, and about calls that were inlined, as `PASS: words`; equal ones in a row
/// stand once.
pub(crate) fn narratives(program: &Program) -> FxHashMap<Serial, Vec<String>> {
    let infos = &program.infos;
    let mut steps: FxHashMap<Serial, Vec<(String, u32)>> = FxHashMap::default();
    for unit in &program.units {
        for (number, e) in unit.log().edits.iter().enumerate() {
            let mut all: Vec<Serial> = Vec::new();
            for set in [Some(e.before), Some(e.after), e.with.expand()].into_iter().flatten() {
                all.extend(unit.sets().stmts(set));
            }
            all.sort_unstable();
            all.dedup();
            let is_inlined = e.transform == Transform::Eliminate && e.why.is_some_and(Why::is_inlining);
            for &s in all.iter().filter(|&&s| is_inlined || infos.stmts[s].kind.is_profiled()) {
                let own = steps.entry(s).or_default();
                if own.len() > MOST_STEPS {
                    continue;
                }
                let Some(words) = decision(unit, infos, number, e, s) else { continue };
                let text = format!("{}: {words}", e.pass);
                match own.last_mut() {
                    Some((last, times)) if *last == text => *times += 1,
                    _ => own.push((text, 1)),
                }
            }
        }
    }
    steps.retain(|_, list| !list.is_empty());
    steps.into_iter().map(|(s, steps)| (s, finished(steps))).collect()
}

fn finished(mut steps: Vec<(String, u32)>) -> Vec<String> {
    let more = steps.len() > MOST_STEPS;
    steps.truncate(MOST_STEPS);
    let times = |(text, n): (String, u32)| if n == 1 { text } else { format!("{text}, {n} times") };
    let mut out: Vec<String> = steps.into_iter().map(times).collect();
    if more {
        out.push("…".to_owned());
    }
    out
}

/// The origin of a count: its measure, and a sum of constants times procedure counts and of counters.
pub(crate) fn formula(infos: &StmtInfos, discharged: &Discharged, s: Serial, count: &CountMeta) -> (String, String) {
    let text = match &count.source {
        CountSource::Unavailable { pass } => format!("given up by {pass}"),
        CountSource::Sum { terms } if terms.is_empty() => "0: never reached".to_owned(),
        CountSource::Sum { terms } => {
            let term = |&(factor, cell): &(i64, u32)| {
                let base = match discharged.cells.get(cell as usize) {
                    Some(c) if c.of != s || c.measure.name() != count.measure => {
                        format!("{} of {}", c.measure.name(), infos.stmts[c.of].text)
                    }
                    Some(_) => "counter".to_owned(),
                    None => sum(infos, discharged, s, cell),
                };
                let times = factor.unsigned_abs();
                (factor < 0, if times == 1 { base } else { format!("{times} × {base}") })
            };
            // The shares of a counter stand with its own cell.
            let is_share = |c: &CounterInfo| matches!(c.measure, Measure::Share(_));
            let is_whole = |term: &&(i64, u32)| !discharged.cells.get(term.1 as usize).is_some_and(is_share);
            // A difference begins with its positive terms.
            let (less, more): (Vec<_>, Vec<_>) = terms.iter().filter(is_whole).map(term).partition(|t| t.0);
            let joined = |list: Vec<(bool, String)>, by| list.into_iter().map(|t| t.1).collect::<Vec<_>>().join(by);
            let taken = if less.is_empty() { String::new() } else { format!(" − {}", joined(less, " − ")) };
            format!("{}{taken}", joined(more, " + "))
        }
    };
    (count.measure.clone(), text)
}

/// The invocations of a procedure that are the sum of its calls.
fn sum(infos: &StmtInfos, discharged: &Discharged, s: Serial, cell: u32) -> String {
    let Some(d) = discharged.derived.get(cell as usize - discharged.cells.len()) else { return String::new() };
    if d.procedure != s {
        return format!("invocations of {}", infos.stmts[d.procedure].text);
    }
    let mut lines: Vec<u32> = d.calls.iter().map(|c| infos.stmts[c.of].line).collect();
    lines.sort_unstable();
    lines.dedup();
    let more = if lines.len() > MOST_LINES { " …" } else { "" };
    let shown: Vec<String> = lines.iter().take(MOST_LINES).map(u32::to_string).collect();
    let entered = discharged.entries.iter().any(|(_, info, _)| info.of == s);
    let others = if entered { ", and those from elsewhere" } else { "" };
    format!("calls in line{} {}{more}{others}", if lines.len() == 1 { "" } else { "s" }, shown.join(", "))
}
