//! What a profile says of its constructs beside the figures: what became of each, and how its counts are obtained.

use crate::Discharged;
use crate::story::phrase;
use rustc_hash::FxHashMap;
use trueline_abi::profile::{CountMeta, CountSource};
use trueline_ir::Program;
use trueline_provenance::{Edit, ExpandKind, Serial, StmtInfos, Transform};

/// A story is cut after so many steps: who wants all of them asks `trueline explain`.
const MOST_STEPS: usize = 24;
/// So many other lines are named in a step.
const MOST_LINES: usize = 6;

/// Sets with more members are not listed.
const MOST_NAMED: usize = 64;

/// The steps of every profiled construct: `PASS: what, with lines …`; equal steps in a row are told once.
pub(crate) fn narratives(program: &Program) -> FxHashMap<Serial, Vec<String>> {
    let infos = &program.infos;
    let mut steps: FxHashMap<Serial, Vec<(String, u32)>> = FxHashMap::default();
    for unit in &program.units {
        for e in &unit.log().edits {
            if is_silent(e) {
                continue;
            }
            let mut all: Vec<Serial> = Vec::new();
            for set in [Some(e.before), Some(e.after), e.with.expand()].into_iter().flatten() {
                all.extend(unit.sets().stmts(set));
            }
            all.sort_unstable();
            all.dedup();
            for &s in all.iter().filter(|&&s| infos.stmts[s].kind.is_profiled()) {
                let own = steps.entry(s).or_default();
                if own.len() > MOST_STEPS {
                    continue;
                }
                // A statement of very many sources tells its story to each of them in few words.
                let with = if all.len() > MOST_NAMED { String::new() } else { others(infos, &all, s) };
                let text = format!("{}: {}{with}", e.pass, phrase(e));
                match own.last_mut() {
                    Some((last, times)) if *last == text => *times += 1,
                    _ => own.push((text, 1)),
                }
            }
        }
    }
    steps.into_iter().map(|(s, steps)| (s, finished(steps))).collect()
}

/// Measuring, lowering, and operands rewritten in place are no news of a construct.
fn is_silent(e: &Edit) -> bool {
    e.transform == Transform::Expand(ExpandKind::Rewrite)
        || matches!(e.pass, "measure" | "plant" | "discharge" | "lower_m" | "lower_l" | "strength")
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

fn others(infos: &StmtInfos, all: &[Serial], s: Serial) -> String {
    let mut lines: Vec<u32> = all.iter().filter(|&&o| o != s).map(|&o| infos.stmts[o].line).collect();
    lines.sort_unstable();
    lines.dedup();
    let more = lines.len() > MOST_LINES;
    let shown: Vec<String> = lines.iter().take(MOST_LINES).map(u32::to_string).collect();
    match shown.len() {
        0 => String::new(),
        1 => format!(", with line {}", shown[0]),
        _ => format!(", with lines {}{}", shown.join(", "), if more { " …" } else { "" }),
    }
}

/// How a count comes about: its measure, and a sum of constants times procedure counts and of counters.
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
            // A difference begins with what something is taken from.
            let (less, more): (Vec<_>, Vec<_>) = terms.iter().map(term).partition(|t| t.0);
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
