//! Two profiles side by side: the constructs that cost more, that run more often, that came and went.
//!
//! Procedures are matched by file and name. Where their structural hashes agree, constructs are matched by their place in the
//! procedure; where the procedure has changed, by kind and text, the n-th with the n-th.

use crate::flat::{bounded, executed, shortened};
use crate::index::{Index, executions, is_procedure};
use crate::safe;
use crate::table::{Style, Table, Tone, count, time};
use std::collections::{BTreeMap, HashMap};
use trueline_abi::profile::{Construct, Profile};

/// Times that grow by less than this are noise, whatever their ratio, in nanoseconds.
const NOISE_NS: u64 = 1_000_000;

/// The change of a procedure between the profiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Its statements are the same.
    Same,
    /// Its statements changed.
    Edited,
    /// Only the second profile has it.
    Added,
    /// Only the first profile has it.
    Removed,
}

impl Change {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Change::Same => "same",
            Change::Edited => "edited",
            Change::Added => "added",
            Change::Removed => "removed",
        }
    }
}

/// A construct in one or both of the profiles.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// In the first.
    pub old: Option<&'a Construct>,
    /// In the second.
    pub new: Option<&'a Construct>,
    /// The change of its procedure.
    pub change: Change,
    /// Exclusive nanoseconds in the first.
    pub old_ns: Option<u64>,
    /// Exclusive nanoseconds in the second.
    pub new_ns: Option<u64>,
}

impl<'a> Pair<'a> {
    /// The construct, as the newer profile has it.
    pub fn shown(&self) -> Option<&'a Construct> {
        self.new.or(self.old)
    }

    /// The executions before and after.
    pub fn runs(&self) -> (Option<u64>, Option<u64>) {
        (self.old.and_then(work), self.new.and_then(work))
    }
}

/// Iterations of a loop, else executions.
fn work(c: &Construct) -> Option<u64> {
    c.counts.iterations.or_else(|| executions(c))
}

/// The same in words.
fn words(c: Option<&Construct>) -> String {
    c.map_or(String::new(), |c| match c.counts.iterations {
        None => executed(c),
        n => bounded(c, "iterations", n),
    })
}

/// Two profiles, compared.
pub struct Diff<'a> {
    /// The elapsed times, in nanoseconds.
    pub elapsed: (u64, u64),
    /// The targets, if they differ: times of different processors say little about each other.
    pub targets: Option<(&'a str, &'a str)>,
    /// The constructs, in the order of the second profile; then the constructs that only the first has.
    pub pairs: Vec<Pair<'a>>,
}

/// Compares.
pub fn diff<'a>(old: &'a Profile, new: &'a Profile) -> Diff<'a> {
    let (a, b) = (Index::new(old), Index::new(new));
    let by_name: HashMap<(&str, &str), &Construct> =
        a.procedures().map(|p| ((p.file.as_str(), p.text.as_str()), p)).collect();
    // A file that moved: the name alone decides where it is unique.
    let mut alone: HashMap<&str, Vec<&Construct>> = HashMap::new();
    for p in a.procedures() {
        alone.entry(&p.text).or_default().push(p);
    }
    let (inside_old, inside_new) = (contents(&a), contents(&b));
    let mut pairs = Vec::new();
    let mut used = std::collections::BTreeSet::new();
    for p in b.procedures() {
        let before =
            by_name.get(&(p.file.as_str(), p.text.as_str())).copied().or_else(|| match alone.get(p.text.as_str()) {
                Some(list) if list.len() == 1 => Some(list[0]),
                _ => None,
            });
        let before = before.filter(|o| used.insert(o.serial));
        let mine = inside_new.get(&p.serial).map_or(&[][..], Vec::as_slice);
        let theirs = before.and_then(|o| inside_old.get(&o.serial)).map_or(&[][..], Vec::as_slice);
        let same = before.is_some_and(|o| o.hash.is_some() && o.hash == p.hash);
        let change = match before {
            None => Change::Added,
            Some(_) if same => Change::Same,
            Some(_) => Change::Edited,
        };
        pairs.extend(matched(theirs, mine, same).map(|(o, n)| pair(&a, &b, o, n, change)));
    }
    for p in a.procedures().filter(|p| !used.contains(&p.serial)) {
        let gone = inside_old.get(&p.serial).into_iter().flatten();
        pairs.extend(gone.map(|&c| pair(&a, &b, Some(c), None, Change::Removed)));
    }
    let targets = old.target.as_deref().zip(new.target.as_deref()).filter(|(a, b)| a != b);
    Diff { targets, elapsed: (old.clock.elapsed_ns, new.clock.elapsed_ns), pairs }
}

fn pair<'a>(
    a: &Index<'_>,
    b: &Index<'_>,
    old: Option<&'a Construct>,
    new: Option<&'a Construct>,
    change: Change,
) -> Pair<'a> {
    let own = |i: &Index<'_>, c: Option<&Construct>| c.and_then(|c| i.time(c)).map(|t| t.exclusive_ns);
    Pair { old, new, change, old_ns: own(a, old), new_ns: own(b, new) }
}

/// The constructs of each procedure, itself first.
fn contents<'a>(index: &Index<'a>) -> BTreeMap<u32, Vec<&'a Construct>> {
    let mut out: BTreeMap<u32, Vec<&Construct>> = BTreeMap::new();
    for c in &index.profile.constructs {
        out.entry(index.procedure_of(c.serial)).or_default().push(c);
    }
    out
}

type Match<'a> = (Option<&'a Construct>, Option<&'a Construct>);

fn matched<'a>(old: &[&'a Construct], new: &[&'a Construct], same: bool) -> impl Iterator<Item = Match<'a>> {
    let at: HashMap<Place<'_>, usize> = places(old, same).into_iter().zip(0..).collect();
    let mut taken = vec![false; old.len()];
    let mut out: Vec<Match<'a>> = Vec::new();
    for (&c, place) in new.iter().zip(places(new, same)) {
        let before = at.get(&place).copied();
        if let Some(i) = before {
            taken[i] = true;
        }
        out.push((before.map(|i| old[i]), Some(c)));
    }
    out.extend(old.iter().zip(taken).filter(|(_, t)| !t).map(|(&c, _)| (Some(c), None)));
    out.into_iter()
}

/// The key of a construct in its procedure: kind, text, number.
type Place<'a> = (&'a str, &'a str, u32);

/// The places of the constructs of a procedure: their distance from it, or the n-th of their kind and text.
fn places<'a>(list: &[&'a Construct], same: bool) -> Vec<Place<'a>> {
    let base = list.first().map_or(0, |c| c.serial);
    let mut seen: HashMap<(&str, &str), u32> = HashMap::new();
    list.iter()
        .map(|&c| {
            if same {
                return ("", "", c.serial - base);
            }
            if is_procedure(c) {
                return (c.kind.as_str(), "", 0);
            }
            let n = seen.entry((&c.kind, &c.text)).or_insert(0);
            *n += 1;
            (c.kind.as_str(), c.text.as_str(), *n)
        })
        .collect()
}

/// The figures that grew by more than `limit` (0.05 is 5 %): one sentence each. Counts grow exactly; a time must also grow by a hundredth
/// of the whole run and by a millisecond.
pub fn grown(d: &Diff<'_>, limit: f64) -> Vec<String> {
    let mut out = Vec::new();
    let more = |old: u64, new: u64| new as f64 > old as f64 * (1.0 + limit);
    let floor = NOISE_NS.max(d.elapsed.0 / 100);
    let slower = |old: u64, new: u64| more(old, new) && new.saturating_sub(old) > floor;
    if slower(d.elapsed.0, d.elapsed.1) {
        out.push(format!(
            "elapsed time: {} to {}{}",
            time(d.elapsed.0),
            time(d.elapsed.1),
            percent(d.elapsed.0, d.elapsed.1)
        ));
    }
    for p in &d.pairs {
        let (Some(c), Some(_), Some(_)) = (p.shown(), p.old, p.new) else { continue };
        let place = format!("{}:{}: {}", safe(&c.file), c.line, shortened(&safe(&c.text), 52));
        if let (Some(old), Some(new)) = (p.old_ns, p.new_ns)
            && slower(old, new)
        {
            out.push(format!("{place}: time {} to {}{}", time(old), time(new), percent(old, new)));
        }
        if let (Some(old), Some(new)) = p.runs()
            && more(old, new)
        {
            out.push(format!("{place}: count {} to {}{}", count(Some(old)), count(Some(new)), percent(old, new)));
        }
    }
    out
}

fn percent(old: u64, new: u64) -> String {
    if old == 0 {
        return String::new();
    }
    format!(" ({:+.1} %)", (new as f64 / old as f64 - 1.0) * 100.0)
}

/// The table of differences; `all` shows equal constructs as well.
pub fn diff_text(d: &Diff<'_>, all: bool, style: Style) -> String {
    let mut out =
        format!("elapsed {} to {}{}\n", time(d.elapsed.0), time(d.elapsed.1), percent(d.elapsed.0, d.elapsed.1));
    if let Some((old, new)) = d.targets {
        out.push_str(&format!(
            "the programs are for different processors, so their times do not compare: {} and {}\n",
            safe(old),
            safe(new)
        ));
    }
    let mut rows: Vec<&Pair<'_>> = d.pairs.iter().filter(|p| all || differs(p)).collect();
    let moved = |p: &Pair<'_>| p.old_ns.unwrap_or(0).abs_diff(p.new_ns.unwrap_or(0));
    rows.sort_by_key(|p| (std::cmp::Reverse(moved(p)), p.new.map_or(u32::MAX, |c| c.serial)));
    if rows.is_empty() {
        out.push_str("no construct differs in counts or status\n");
        return out;
    }
    let has_trips = rows.iter().any(|p| trips(p).is_some());
    let mut columns = vec![("time", true), ("to", true), ("", true), ("count", true), ("to ", true), (" ", true)];
    columns.extend(has_trips.then_some(("trips", false)));
    columns.extend([("change", false), ("line", false), ("construct", false)]);
    let mut table = Table::new(&columns);
    for p in rows {
        let Some(c) = p.shown() else { continue };
        let (old, new) = p.runs();
        let change = match (p.change, p.old.map(|c| c.status), p.new.map(|c| c.status)) {
            (Change::Same, Some(a), Some(b)) if a != b => format!("{} to {}", a.word(), b.word()),
            (Change::Edited, Some(_), None) => "removed".to_owned(),
            (Change::Edited, None, Some(_)) => "added".to_owned(),
            (Change::Same, ..) => String::new(),
            (change, ..) => change.word().to_owned(),
        };
        let tone = match (p.old_ns, p.new_ns) {
            (Some(a), Some(b)) if b > a && b - a > NOISE_NS.max(d.elapsed.0 / 100) => Tone::Hot,
            _ if old != new => Tone::Warm,
            _ => Tone::Plain,
        };
        let growth = |old: Option<u64>, new: Option<u64>| {
            old.zip(new).map_or(String::new(), |(a, b)| percent(a, b).trim().to_owned())
        };
        let mut cells = vec![
            p.old_ns.map_or(String::new(), time),
            p.new_ns.map_or(String::new(), time),
            growth(p.old_ns, p.new_ns),
            words(p.old),
            if words(p.old) == words(p.new) { String::new() } else { words(p.new) },
            if old == new { String::new() } else { growth(old, new) },
        ];
        cells.extend(has_trips.then(|| trips(p).unwrap_or_default()));
        cells.extend([change, format!("{}:{}", safe(&c.file), c.line), crate::flat::construct(c)]);
        table.push_toned(cells, tone);
    }
    out.push_str(&table.render(style));
    out
}

/// The iterations of its entries before and after, if both are known and differ in words.
fn trips(p: &Pair<'_>) -> Option<String> {
    let (old, new) = (crate::trips::describe(&p.old?.counts)?, crate::trips::describe(&p.new?.counts)?);
    (old != new).then(|| format!("{old} to {new}"))
}

/// Whether counts, status or existence differ, or the time does so noticeably.
fn differs(p: &Pair<'_>) -> bool {
    let (Some(a), Some(b)) = (p.old, p.new) else { return true };
    let time = |n: Option<u64>| n.unwrap_or(0);
    a.counts != b.counts || a.status != b.status || time(p.old_ns).abs_diff(time(p.new_ns)) > NOISE_NS
}

/// The comparison as JSON, schema `trueline-diff/1`.
pub fn diff_json(d: &Diff<'_>) -> serde_json::Value {
    let constructs: Vec<serde_json::Value> = d
        .pairs
        .iter()
        .filter_map(|p| {
            let c = p.shown()?;
            Some(serde_json::json!({
                "file": c.file, "line": c.line, "kind": c.kind, "procedure": c.procedure, "text": c.text,
                "change": p.change.word(),
                "old": p.old.map(|o| side(o, p.old_ns)), "new": p.new.map(|n| side(n, p.new_ns)),
            }))
        })
        .collect();
    serde_json::json!({
        "schema": "trueline-diff/1",
        "elapsed_ns": { "old": d.elapsed.0, "new": d.elapsed.1 },
        "constructs": constructs,
    })
}

fn side(c: &Construct, ns: Option<u64>) -> serde_json::Value {
    serde_json::json!({
        "serial": c.serial, "line": c.line, "status": c.status.word(), "counts": c.counts, "exclusive_ns": ns,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;

    #[test]
    fn equal_profiles_do_not_differ() {
        let p = sample();
        let d = diff(&p, &p);
        assert_eq!(d.pairs.len(), p.constructs.len());
        assert!(d.pairs.iter().all(|p| p.change == Change::Same && p.old.is_some() && p.new.is_some()));
        assert!(grown(&d, 0.0).is_empty());
        assert!(diff_text(&d, false, Style::default()).contains("no construct differs"));
    }

    #[test]
    fn growth_is_found() {
        let (old, mut new) = (sample(), sample());
        new.constructs[1].counts.iterations = Some(new.constructs[1].counts.iterations.unwrap() * 2);
        new.clock.elapsed_ns *= 2;
        let d = diff(&old, &new);
        let found = grown(&d, 0.05);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[1].contains("count 1,000 to 2,000 (+100.0 %)"), "{found:?}");
        assert!(grown(&d, 1.5).is_empty());
    }

    /// Loops whose entries have other numbers of iterations tell of them; no others have the column.
    #[test]
    fn trips_are_told_where_they_differ() {
        let (mut old, mut new) = (sample(), sample());
        assert!(!diff_text(&diff(&old, &new), true, Style::default()).contains("trips"));
        for (p, most) in [(&mut old, 10), (&mut new, 12)] {
            (p.constructs[1].counts.min_trips, p.constructs[1].counts.max_trips) = (Some(10), Some(most));
        }
        let text = diff_text(&diff(&old, &new), false, Style::default());
        assert!(text.contains("trips") && text.contains("10 to 10..12"), "{text}");
    }

    /// Serials shift when a procedure is put before; texts still match when the procedure changed.
    #[test]
    fn moved_and_edited_procedures_match() {
        let (old, mut new) = (sample(), sample());
        for c in &mut new.constructs {
            c.serial += 100;
            c.line += 7;
            c.parent = c.parent.map(|p| p + 100);
        }
        new.edges.clear();
        assert!(diff(&old, &new).pairs.iter().all(|p| p.old.is_some() && p.change == Change::Same));
        new.constructs[0].hash = Some("0".into());
        new.constructs[1].text = "do i = 1, 2".into();
        let d = diff(&old, &new);
        assert_eq!(d.pairs[0].change, Change::Edited);
        assert!(d.pairs[1].old.is_none());
        assert!(d.pairs.iter().any(|p| p.new.is_none()));
    }
}
