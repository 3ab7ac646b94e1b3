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
/// At most this many terms of a formula are named.
const MOST_TERMS: usize = 16;

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
            let base = |of: Base| match of {
                Base::Cell(cell) => match discharged.cells.get(cell as usize) {
                    Some(c) if c.of != s || c.measure.name() != count.measure => named(infos, *c),
                    Some(_) => "counter".to_owned(),
                    None => sum(infos, discharged, s, cell),
                },
                Base::Histogram(c) if c.of == s => "counters of its trips".to_owned(),
                Base::Histogram(c) => named(infos, c),
            };
            let term = |(factor, of): (i64, Base)| match factor.unsigned_abs() {
                1 => base(of),
                times => format!("{times} × {}", base(of)),
            };
            let terms = collected(discharged, terms);
            let hidden = terms.len().saturating_sub(MOST_TERMS);
            // A difference begins with its positive terms.
            let (less, more): (Vec<_>, Vec<_>) = terms.into_iter().take(MOST_TERMS).partition(|t| t.0 < 0);
            let joined = |list: Vec<(i64, Base)>, by| list.into_iter().map(term).collect::<Vec<_>>().join(by);
            let taken = if less.is_empty() { String::new() } else { format!(" − {}", joined(less, " − ")) };
            let rest = if hidden > 0 { format!(" and {hidden} more terms") } else { String::new() };
            format!("{}{taken}{rest}", joined(more, " + "))
        }
    };
    (count.measure.clone(), text)
}

/// A term of a formula.
#[derive(Clone, Copy)]
enum Base {
    Cell(u32),
    /// Entries or iterations of a loop that are a sum over its histogram.
    Histogram(CounterInfo),
}

fn named(infos: &StmtInfos, c: CounterInfo) -> String {
    format!("{} of {}", c.measure.name(), infos.stmts[c.of].text)
}

/// The terms of a count, those of a histogram in one. The shares of a counter stand with its own cell.
fn collected(discharged: &Discharged, terms: &[(i64, u32)]) -> Vec<(i64, Base)> {
    let cell = |n: u32| discharged.cells.get(n as usize).copied();
    let mut histograms: FxHashMap<Serial, FxHashMap<Measure, i64>> = FxHashMap::default();
    for &(factor, n) in terms {
        if let Some(c) = cell(n).filter(|c| c.measure.is_of_trips()) {
            histograms.entry(c.of).or_default().insert(c.measure, factor);
        }
    }
    let mut out = Vec::new();
    let mut told: FxHashMap<Serial, bool> = FxHashMap::default();
    for &(factor, n) in terms {
        match cell(n) {
            Some(c) if matches!(c.measure, Measure::Share(_)) => {}
            Some(c) if c.measure.is_of_trips() => {
                let whole = *told.entry(c.of).or_insert_with(|| {
                    match crate::trips::whole(discharged, c.of, &histograms[&c.of]) {
                        Some(sums) => {
                            out.extend(sums.into_iter().map(|(k, info)| (k, Base::Histogram(info))));
                            true
                        }
                        None => false,
                    }
                });
                if !whole {
                    out.push((factor, Base::Cell(n)));
                }
            }
            _ => out.push((factor, Base::Cell(n))),
        }
    }
    out
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
