//! Times in edges, trees, tables and other tools' formats.
//!
//! Edges and trees are compared with the ledger, if the times of the constructs are right: else they are wrong with them. Tables and formats
//! are compared with the profile.

use super::formats::{Stacks, callgrind, chrome, cube_seconds, folded, gmon_seconds, pprof, speedscope};
use super::judge::{Case, Class, ERRORS, Failure, Verdict, is_part};
use super::program::{Id, S};
use std::collections::{BTreeMap, BTreeSet};
use trueline_abi::profile::Construct;
use trueline_report::{FlatOptions, Format, Style, Symbols, export, flat, tree};

/// The share of the run by which the times of two views may differ.
const TOLERANCE: f64 = 0.02;

/// Adds the failures that the views show.
pub fn check(case: &Case<'_>, out: &mut Verdict) {
    if !out.failures.iter().any(|f| f.class < Class::Order && f.class != Class::Folded) {
        exclusive(case, &mut out.failures);
        // Part of a paused construct's time is charged to the construct around it.
        if !case.run.around.iter().any(|a| a.paused) {
            edges(case, &mut out.failures);
            calling_tree(case, &mut out.failures);
        }
    }
    table(case, &mut out.failures);
    formats(case, &mut out.failures);
}

fn far(case: &Case<'_>, a: f64, b: f64) -> bool {
    (a - b).abs() > (TOLERANCE * case.elapsed()).max(case.least())
}

fn is_procedure(c: &Construct) -> bool {
    matches!(c.kind.as_str(), "procedure" | "program")
}

/// The constructs with a time of their own.
fn timed(case: &Case<'_>) -> BTreeSet<Id> {
    let rows = case.rows.iter().filter(|(_, c)| case.index.time(c).is_some());
    rows.map(|(&id, _)| id).collect()
}

/// The exclusive time of a construct is the work whose innermost construct with a time it is.
fn exclusive(case: &Case<'_>, out: &mut Vec<Failure>) {
    let timed = timed(case);
    let is_plain = case.measured.profile.constructs.iter().all(|c| c.merged_with.is_empty() && !is_part(c));
    if !is_plain || case.run.around.iter().any(|a| a.paused) || !case.measured.truth.unknown.is_empty() {
        return;
    }
    let mut work: BTreeMap<Id, f64> = BTreeMap::new();
    for (n, ns) in case.measured.truth.own.iter().enumerate() {
        if let Some(a) = case.run.outwards(n).find(|a| timed.contains(&a.id)) {
            *work.entry(a.id).or_default() += ns;
        }
    }
    for &id in &timed {
        // ELSE IFs are rows of their own, and part of their construct here.
        let serial = case.rows[&id].serial;
        let is_arm = |c: &&Construct| c.kind == "elseif" && c.parent == Some(serial);
        let rows = case.measured.profile.constructs.iter().filter(|c| c.serial == serial || is_arm(c));
        let said = rows.filter_map(|c| case.index.time(c)).map(|t| t.exclusive_ns as f64).sum::<f64>();
        let truth = work.get(&id).copied().unwrap_or(0.0);
        // An error of the estimate of a construct is one of the constructs around it, too.
        let up = |c: &Construct| std::iter::successors(Some(c.serial), |&s| case.index.get(s).and_then(|c| c.parent));
        let within = case.measured.profile.constructs.iter().filter(|c| up(c).any(|s| s == serial));
        let error = within.map(|c| case.error_of(c)).fold(0.0, f64::max);
        if (said - truth).abs() > (TOLERANCE * case.elapsed()).max(case.least()) + ERRORS * error {
            let text = format!("{}: {said:.0} ns exclusive, and holds {truth:.0}", case.name(id));
            out.push(Failure { class: Class::Exclusive, id: Some(id), text });
        }
    }
}

/// The time of a call graph's edge that is not marked as an estimate is that of the calls it stands for.
fn edges(case: &Case<'_>, out: &mut Vec<Failure>) {
    for e in case.measured.profile.edges.iter().filter(|e| !e.estimated) {
        let (Some(said), Some(&caller), Some(&callee)) =
            (e.inclusive_ns, case.ids.get(&e.caller), case.ids.get(&e.callee))
        else {
            continue;
        };
        let recursive = |id: Id| case.stands.get(&id).is_some_and(|s| case.program.procs[s.proc].recursive);
        if recursive(caller) || recursive(callee) || case.measured.truth.unknown.contains(&callee) {
            continue;
        }
        let from = |call: Id| {
            let line = case.text.place.get(&call).map_or(0, |p| p.1);
            let by = case.stands.get(&call).map(|s| case.program.procs[s.proc].id);
            by == Some(caller) && (e.line == 0 || e.line == line)
        };
        let is_there = |n: usize| case.run.outwards(n).any(|a| a.id == callee && a.call.is_some_and(from));
        if case.measured.truth.is_spread(is_there) {
            continue;
        }
        let truth = case.measured.truth.sum(is_there);
        if far(case, said as f64, truth) {
            let text = format!(
                "{} to {} at line {}: {said} ns in {} calls, and they hold {truth:.0}",
                case.name(caller),
                case.name(callee),
                e.line,
                e.calls
            );
            out.push(Failure { class: Class::Edge, id: Some(callee), text });
        }
    }
}

/// A node of the calling tree that has a time, not marked as an estimate, has that of its path.
fn calling_tree(case: &Case<'_>, out: &mut Vec<Failure>) {
    let nodes = tree(&case.index);
    let timed = timed(case);
    for (k, node) in nodes.iter().enumerate().filter(|(_, n)| !n.estimated && !n.untimed) {
        let up = std::iter::successors(Some(k), |&k| nodes[k].parent);
        let mut path: Vec<u32> = up.map(|k| nodes[k].serial).collect();
        path.reverse();
        let rows: Vec<&Construct> = path.iter().filter_map(|&s| case.index.get(s)).collect();
        let ids: Vec<Id> = path.iter().filter_map(|s| case.ids.get(s).copied()).collect();
        let odd = rows.iter().any(|c| !c.merged_with.is_empty() || is_part(c) || c.kind == "region");
        // Below a recursive procedure all of its activations are one.
        let again = ids.iter().any(|id| case.stands.get(id).is_some_and(|s| case.program.procs[s.proc].recursive));
        if odd || again || ids.len() < path.len() || ids.iter().any(|id| case.measured.truth.unknown.contains(id)) {
            continue;
        }
        let up = std::iter::successors(Some(k), |&k| nodes[k].parent);
        let mut lines: Vec<u32> = up.map(|k| nodes[k].line).collect();
        lines.reverse();
        let line = |call: Option<Id>| call.and_then(|c| case.text.place.get(&c)).map_or(0, |p| p.1);
        let is_there = |n: usize| {
            let mut chain: Vec<(Id, u32)> = case.run.outwards(n).map(|a| (a.id, line(a.call))).collect();
            let conditional = |id: &Id| case.stands.get(id).and_then(|s| s.stmt).is_some_and(S::is_conditional);
            chain.retain(|(id, _)| ids.contains(id) || (timed.contains(id) && !conditional(id)));
            chain.reverse();
            let path = ids.iter().zip(&lines);
            // A call at no line may be at any.
            chain.len() >= ids.len() && chain.iter().zip(path).all(|(c, (id, &l))| c.0 == *id && (l == 0 || c.1 == l))
        };
        if case.measured.truth.is_spread(is_there) {
            continue;
        }
        let truth = case.measured.truth.sum(is_there);
        if far(case, node.total as f64, truth) {
            let path: Vec<String> = ids.iter().map(|&id| case.text.at(id)).collect();
            let text = format!("{}: {} ns, not marked, and holds {truth:.0}", path.join(" > "), node.total);
            out.push(Failure { class: Class::Tree, id: ids.last().copied(), text });
            return;
        }
    }
}

/// Every time in the table is that of the profile; a construct without a time has none there either.
fn table(case: &Case<'_>, out: &mut Vec<Failure>) {
    let style = Style { width: Some(400), ..Style::default() };
    let text = flat(&case.index, &FlatOptions::default(), style);
    let mut lines: BTreeMap<String, Vec<Vec<f64>>> = BTreeMap::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(at) = words.iter().position(|w| w.contains(".f90:")) else { continue };
        lines.entry(words[at].to_owned()).or_default().push(times(&words[at + 1..]));
    }
    for c in &case.measured.profile.constructs {
        let here = lines.get(&format!("{}:{}", c.file, c.line)).map_or(&[][..], Vec::as_slice);
        let [shown] = here else { continue };
        let near = |ns: u64| shown.iter().any(|s| (s - ns as f64).abs() <= 0.011 * ns as f64 + 1.0);
        let wrong = match case.index.time(c) {
            Some(t) => !near(t.inclusive_ns) || !near(t.exclusive_ns),
            None => c.time.is_none() && !shown.is_empty(),
        };
        if wrong {
            let text = format!("{}:{} `{}` shows {shown:?}, the profile has {:?}", c.file, c.line, c.text, c.time);
            out.push(Failure { class: Class::Table, id: case.ids.get(&c.serial).copied(), text });
        }
    }
}

/// The times among words, in nanoseconds.
fn times(words: &[&str]) -> Vec<f64> {
    let pairs = words.windows(2).filter_map(|w| {
        let unit = [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)].into_iter().find(|(u, _)| *u == w[1])?.1;
        Some(w[0].replace([',', '~'], "").parse::<f64>().ok()? * unit)
    });
    pairs.collect()
}

fn formats(case: &Case<'_>, out: &mut Vec<Failure>) {
    let symbols = symbols(case);
    for (format, name, _) in Format::ALL {
        let wrong = match export(&case.index, *format, Some(&symbols)) {
            Ok(bytes) => wrong_in(case, *format, &bytes, &symbols),
            Err(e) => Some(e),
        };
        if let Some(text) = wrong {
            out.push(Failure { class: Class::Export, id: None, text: format!("{name}: {text}") });
        }
    }
}

/// A place for each procedure, which is all that the format of gprof asks of an executable.
fn symbols(case: &Case<'_>) -> Symbols {
    let names = case.measured.profile.constructs.iter().filter_map(|c| c.symbol.clone());
    let procedures = names.enumerate().map(|(k, name)| (name, (0x1000 * (k as u64 + 1), 0x100))).collect();
    Symbols { procedures, ..Symbols::default() }
}

fn wrong_in(case: &Case<'_>, format: Format, bytes: &[u8], symbols: &Symbols) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let all = case.elapsed() - case.measured.profile.unattributed_ns.unwrap_or(0) as f64;
    let unlike_in = |what: &str, ns: f64, all: f64| {
        far(case, ns, all).then(|| format!("{what} add up to {ns:.0} ns, not {all:.0}"))
    };
    let unlike = |what: &str, ns: f64| unlike_in(what, ns, all);
    match format {
        Format::Csv => csv(case, &text),
        Format::Callgrind => {
            let Some((own, of_functions)) = callgrind(&text) else { return Some("it cannot be read".to_owned()) };
            unlike("costs", own).or_else(|| exclusive_of_procedures(case, &of_functions))
        }
        Format::Folded => stacks(case, folded(&text)),
        Format::Speedscope => stacks(case, speedscope(&text)),
        Format::Chrome => stacks(case, chrome(&text)),
        Format::Pprof => stacks(case, pprof(bytes)),
        Format::Gmon => match gmon_seconds(bytes) {
            // The time in which measuring was off stands in no procedure, and gprof knows nothing else.
            Some(seconds) if !symbols.procedures.is_empty() => unlike_in("samples", seconds * 1e9, all - off(case)),
            _ => Some("it cannot be read".to_owned()),
        },
        Format::Cube => match cube_seconds(bytes) {
            Some(seconds) => unlike("severities", seconds * 1e9),
            None => Some("it cannot be read".to_owned()),
        },
        Format::Lcov | Format::Sarif | Format::Remarks => None,
    }
}

/// Nanoseconds in which measuring was off.
fn off(case: &Case<'_>) -> f64 {
    let off = case.measured.profile.constructs.iter().filter(|c| c.is_off());
    off.filter_map(|c| case.index.time(c)).map(|t| t.exclusive_ns as f64).sum()
}

/// The rows of the profile with their times, to the nanosecond, which stand before the trips and the parts of ranks.
fn csv(case: &Case<'_>, text: &str) -> Option<String> {
    let lines: Vec<&str> = text.split("\r\n").skip(1).filter(|l| !l.is_empty()).collect();
    let found: BTreeMap<u32, Vec<Option<u64>>> = lines
        .iter()
        .filter_map(|l| {
            let serial = l.split(',').next()?.parse().ok()?;
            let mut last: Vec<Option<u64>> = l.rsplit(',').skip(2).take(2).map(|n| n.parse().ok()).collect();
            last.reverse();
            Some((serial, last))
        })
        .collect();
    let wrong = case.measured.profile.constructs.iter().find(|c| {
        let t = case.index.time(c);
        found.get(&c.serial) != Some(&vec![t.map(|t| t.inclusive_ns), t.map(|t| t.exclusive_ns)])
    })?;
    Some(format!("line {} `{}` has {:?}", wrong.line, wrong.text, found.get(&wrong.serial)))
}

/// The exclusive times of all that stands in a procedure, by its name.
fn exclusive_of_procedures(case: &Case<'_>, said: &BTreeMap<String, f64>) -> Option<String> {
    let mut own: BTreeMap<String, f64> = BTreeMap::new();
    for c in &case.measured.profile.constructs {
        let procedure = case.index.get(case.index.procedure_of(c.serial)).map_or("", |p| p.text.as_str());
        *own.entry(procedure.to_owned()).or_default() += case.index.time(c).map_or(0.0, |t| t.exclusive_ns as f64);
    }
    let wrong = own.iter().find(|(name, ns)| far(case, said.get(*name).copied().unwrap_or(0.0), **ns))?;
    Some(format!("'{}' has {:?} ns of its own, not {}", wrong.0, said.get(wrong.0), wrong.1))
}

/// In stacks, a procedure has the time that it has in the profile.
fn stacks(case: &Case<'_>, stacks: Option<Stacks>) -> Option<String> {
    let Some(stacks) = stacks else { return Some("it cannot be read".to_owned()) };
    let name_of = |frame: &str| match frame.strip_prefix('#').and_then(|n| n.parse().ok()) {
        Some(serial) => case.index.get(serial).map_or(String::new(), |c| c.text.clone()),
        None => frame.to_owned(),
    };
    let mut inclusive: BTreeMap<String, f64> = BTreeMap::new();
    for (frames, ns) in &stacks {
        for frame in frames.iter().map(|f| name_of(f)).collect::<BTreeSet<_>>() {
            *inclusive.entry(frame).or_default() += ns;
        }
    }
    let all = case.measured.profile.constructs.iter();
    let mut procedures = all.filter(|c| is_procedure(c) && !is_part(c) && c.time.is_some());
    let wrong = procedures.find(|c| {
        let said = inclusive.get(&c.text).copied().unwrap_or(0.0);
        far(case, said, case.index.time(c).map_or(0.0, |t| t.inclusive_ns as f64))
    })?;
    let (said, own) = (inclusive.get(&wrong.text), case.index.time(wrong));
    Some(format!("'{}' has {said:?} ns, and {:?} in the profile", wrong.text, own.map(|t| t.inclusive_ns)))
}
