//! Compares a profile with the ledger.

use super::order::{self, Says};
use super::print::Text;
use super::program::{Do, Id, Program, S, Whole, visit};
use super::run::{Measured, RUNS, Way};
use super::simulate::Run;
use std::collections::{BTreeMap, BTreeSet};
use trueline_abi::profile::{Construct, Profile, Status, Time};
use trueline_report::Index;

/// The classes of wrong times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Said to be gone, and its work is done.
    Eliminated,
    /// A conditional that is said to be gone, although its arms run.
    Folded,
    /// No time.
    Absent,
    /// A procedure without a time of its own that says it was inlined.
    Inlined,
    /// 0 ns, without a word on why.
    Zero,
    /// Merged with a construct that it was not merged with.
    Merged,
    /// Not said to be merged with a construct that became one loop with it.
    Apart,
    /// A time that differs from the true one.
    Wrong,
    /// More time than the construct around it.
    Order,
    /// Exclusive times that do not add up, or one that is wrong.
    Exclusive,
    /// An edge of the call graph.
    Edge,
    /// A node of the calling tree.
    Tree,
    /// A table.
    Table,
    /// A format of another tool.
    Export,
    /// It does not compile or run.
    Broken,
}

impl Class {
    /// A word for tables.
    pub fn word(self) -> &'static str {
        match self {
            Class::Eliminated => "false ELIMINATED",
            Class::Folded => "false ELIMINATED, conditional",
            Class::Absent => "absent",
            Class::Inlined => "inlined",
            Class::Zero => "zero",
            Class::Merged => "false MERGED",
            Class::Apart => "not MERGED",
            Class::Wrong => "wrong",
            Class::Order => "child > parent",
            Class::Exclusive => "exclusive",
            Class::Edge => "edge",
            Class::Tree => "tree",
            Class::Table => "table",
            Class::Export => "export",
            Class::Broken => "broken",
        }
    }
}

/// One thing that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The class of the failure.
    pub class: Class,
    /// The construct.
    pub id: Option<Id>,
    /// The stated time and the true one.
    pub text: String,
}

/// The result of one run.
#[derive(Clone, Default, Debug)]
pub struct Verdict {
    /// The constructs that hold enough of the run to be judged.
    pub judged: BTreeSet<Id>,
    /// The mistakes.
    pub failures: Vec<Failure>,
    /// The passes that changed constructs that are judged.
    pub passes: BTreeMap<String, usize>,
}

/// From where on a time is judged, and is wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// The share of a run that is worth judging.
    pub worth: f64,
    /// The share of the run by which a time may be wrong.
    pub tolerance: f64,
}

/// The contract.
pub const LIMITS: Limits = Limits { worth: 0.01, tolerance: 0.02 };
/// With a margin: a time that is right by these limits is right by the contract in every run.
pub const MARGIN: Limits = Limits { worth: 0.004, tolerance: 0.012 };
/// Nanoseconds by which the time of a short program may be wrong in a run: starting and printing take their time.
const LEAST: f64 = 150_000.0;
/// The number of standard errors by which a time may be wrong.
pub const ERRORS: f64 = 3.0;

/// A construct or procedure where it stands.
pub struct Stands<'a> {
    /// The statement; none for a procedure.
    pub stmt: Option<&'a S>,
    /// Its procedure, by index.
    pub proc: usize,
    /// The construct around it.
    pub parent: Option<Id>,
    /// Whether its lines are not to be timed.
    pub off: bool,
    /// Whether timing is paused there.
    pub paused: bool,
}

/// The facts that a comparison uses.
pub struct Case<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its text.
    pub text: &'a Text,
    /// The program's work.
    pub run: &'a Run,
    /// The way in which it was built.
    pub way: &'a Way,
    /// The measured profile.
    pub measured: &'a Measured,
    /// The demands on its times.
    pub limits: Limits,
    /// The profile, indexed.
    pub index: Index<'a>,
    /// Every construct and procedure.
    pub stands: BTreeMap<Id, Stands<'a>>,
    /// The row of each in the profile.
    pub rows: BTreeMap<Id, &'a Construct>,
    /// The construct of each row.
    pub ids: BTreeMap<u32, Id>,
}

/// The place of every construct.
pub fn stands(program: &Program) -> BTreeMap<Id, Stands<'_>> {
    let mut out = BTreeMap::new();
    for (proc, p) in program.procs.iter().enumerate() {
        out.insert(p.id, Stands { stmt: None, proc, parent: None, off: false, paused: false });
        visit(&p.body, &mut vec![], &mut |s, around| {
            let off = around.iter().any(|a| matches!(a.does, Do::Off(_)));
            let paused = around.iter().any(|a| matches!(a.does, Do::Paused(_)));
            let parent = around.last().map(|a| a.id);
            out.insert(s.id, Stands { stmt: Some(s), proc, parent, off, paused });
        });
    }
    out
}

/// Whether a row of the profile is of the kind of the statement.
fn is_row_of(c: &Construct, s: Option<&S>) -> bool {
    let kinds: &[&str] = match s.map(|s| &s.does) {
        None => &["procedure", "program"],
        Some(Do::Loop { .. }) => &["do"],
        Some(Do::While { .. }) => &["do_while"],
        Some(Do::If { .. }) => &["if_block"],
        Some(Do::Select { .. }) => &["select"],
        Some(Do::Region(_)) => &["region"],
        Some(Do::Whole { kind, .. }) => match kind {
            Whole::Assign => &["array_assign"],
            Whole::Where | Whole::Elsewhere => &["where"],
            Whole::Forall => &["forall"],
        },
        Some(_) => &[],
    };
    kinds.contains(&c.kind.as_str())
}

impl<'a> Case<'a> {
    /// Finds the rows.
    pub fn new(program: &'a Program, text: &'a Text, run: &'a Run, way: &'a Way, measured: &'a Measured) -> Case<'a> {
        let stands = stands(program);
        let mut at: BTreeMap<(&str, u32), Vec<&Construct>> = BTreeMap::new();
        for c in &measured.profile.constructs {
            let file = c.file.rsplit('/').next().unwrap_or(&c.file);
            at.entry((file, c.line)).or_default().push(c);
        }
        let (mut rows, mut ids) = (BTreeMap::new(), BTreeMap::new());
        for (&id, s) in &stands {
            let Some(&(file, line)) = text.place.get(&id) else { continue };
            let here = at.get(&(text.files[file].name.as_str(), line)).into_iter().flatten();
            for c in here.filter(|c| is_row_of(c, s.stmt)) {
                rows.entry(id).or_insert(*c);
                ids.insert(c.serial, id);
            }
        }
        Case {
            program,
            text,
            run,
            way,
            measured,
            limits: LIMITS,
            index: Index::new(&measured.profile),
            stands,
            rows,
            ids,
        }
    }

    /// The true time of the constructs together.
    pub fn time_of(&self, of: &BTreeSet<Id>, paused: bool) -> f64 {
        let truth = &self.measured.truth;
        truth.sum(|n| (paused || !self.run.around[n].paused) && self.run.outwards(n).any(|a| of.contains(&a.id)))
    }

    /// The elapsed time.
    pub fn elapsed(&self) -> f64 {
        self.measured.profile.clock.elapsed_ns as f64
    }

    /// A construct and its place, for messages.
    pub fn name(&self, id: Id) -> String {
        format!("{} `{}`", self.text.at(id), self.text.line(id))
    }

    fn share(&self, ns: f64) -> String {
        format!("{:.1} %", ns * 100.0 / self.elapsed().max(1.0))
    }

    /// The standard error of the exclusive time of a row; 0 of one that was timed each time.
    pub fn error_of(&self, c: &Construct) -> f64 {
        self.index.time(c).map_or(0.0, |t| t.error_ns as f64)
    }

    /// Nanoseconds by which a time may be wrong because programs start and print.
    pub fn least(&self) -> f64 {
        let runs = if self.way.by_default { RUNS } else { 1 };
        LEAST * runs as f64
    }

    /// The largest error of the time of a row.
    fn tolerance(&self, c: &Construct) -> f64 {
        let errors = ERRORS * self.index.time(c).map_or(0.0, |t| t.inclusive_error_ns as f64);
        if self.way.by_default && errors > 0.0 {
            return (errors + 0.005 * self.elapsed()).max(self.least());
        }
        (self.limits.tolerance * self.elapsed()).max(self.least())
    }
}

/// Whether the time of a row is said to be a part of it.
pub fn is_part(c: &Construct) -> bool {
    matches!(c.untimed.as_deref(), Some("throttled" | "partly inlined"))
}

/// Judges every construct.
pub fn judge(case: &Case<'_>) -> Verdict {
    let mut out = Verdict::default();
    for (&id, s) in &case.stands {
        let times = s.stmt.is_none_or(S::is_timed);
        if case.measured.truth.unknown.contains(&id) || !(times || s.stmt.is_some_and(S::is_conditional)) {
            continue;
        }
        let true_time = case.time_of(&[id].into(), true);
        let is_hot = true_time >= case.limits.worth * case.elapsed();
        let failure = if times { construct(case, id, s, is_hot) } else { conditional(case, id, is_hot) };
        // By default there are few timers.
        let timed = !case.way.by_default || case.rows.get(&id).is_some_and(|c| c.time.is_some());
        if times && timed && (is_hot || failure.is_some()) {
            out.judged.insert(id);
            for p in case.rows.get(&id).map_or(&[][..], |c| c.passes.as_slice()) {
                *out.passes.entry(p.clone()).or_default() += 1;
            }
        }
        if let Some((class, text)) = failure {
            let text = format!("{}: {text}", case.name(id));
            out.failures.push(Failure { class, id: Some(id), text });
        }
    }
    apart(case, &mut out);
    children(case, &mut out.failures);
    sums(case, &mut out.failures);
    out
}

fn conditional(case: &Case<'_>, id: Id, is_hot: bool) -> Option<(Class, String)> {
    let c = case.rows.get(&id)?;
    let time = case.time_of(&[id].into(), true);
    (is_hot && c.status == Status::Eliminated)
        .then(|| (Class::Folded, format!("ELIMINATED {}, and holds {}", reason(c), case.share(time))))
}

fn reason(c: &Construct) -> &str {
    c.reason.as_deref().unwrap_or("without a reason")
}

/// The mistake in the time of a construct.
fn construct(case: &Case<'_>, id: Id, s: &Stands<'_>, is_hot: bool) -> Option<(Class, String)> {
    let own: BTreeSet<Id> = [id].into();
    let (least, most) = (case.time_of(&own, false), case.time_of(&own, true));
    let holds = case.share(most);
    let Some(c) = case.rows.get(&id) else {
        return is_hot.then(|| (Class::Absent, format!("no row, and holds {holds}")));
    };
    if s.off {
        let timed = is_hot && c.time.is_some_and(|t| t.inclusive_ns > 0);
        return timed.then(|| (Class::Wrong, "timed where timing is switched off".to_owned()));
    }
    if is_hot && c.status == Status::Eliminated {
        return Some((Class::Eliminated, format!("ELIMINATED {}, and holds {holds}", reason(c))));
    }
    let group = group(case, c);
    // The time of a member in another one is part of that one's.
    let is_member = |serial: u32| group.iter().any(|m| m.serial == serial);
    let is_outer = |m: &&&Construct| {
        let around = std::iter::successors(m.parent, |&p| case.index.get(p).and_then(|c| c.parent));
        !around.into_iter().any(is_member)
    };
    let times = group.iter().filter(is_outer).filter_map(|m| m.time);
    let together = Some(times.map(|t| t.inclusive_ns).sum::<u64>()).filter(|&ns| group.len() > 1 && ns > 0);
    let time = c.time.or_else(|| group.iter().find_map(|m| m.time));
    let time = time.map(|t| Time { inclusive_ns: together.unwrap_or(t.inclusive_ns), ..t });
    let Some(time) = time else {
        // By default there are few timers.
        let is_paused = s.paused || c.untimed.as_deref() == Some("paused");
        if !is_hot || case.way.by_default || (is_paused && least == 0.0) {
            return None;
        }
        let why = c.untimed.as_deref().unwrap_or("no reason");
        let class = if s.stmt.is_none() && why == "inlined" { Class::Inlined } else { Class::Absent };
        return Some((class, format!("no time ({}, {why}), and holds {holds}", c.status.word())));
    };
    let inclusive = time.inclusive_ns as f64;
    // All timers are on.
    if is_hot && !case.way.by_default && time.estimated && group.len() == 1 && !is_part(c) {
        return Some((Class::Absent, format!("no timer ({}), and holds {holds}", c.status.word())));
    }
    if is_hot && time.inclusive_ns == 0 && (least > 0.0 || c.untimed.is_none()) {
        return Some((Class::Zero, format!("0 ns ({}), and holds {holds}", c.status.word())));
    }
    if group.len() > 1 {
        return merged(case, id, &group, inclusive, is_hot);
    }
    let tolerance = case.tolerance(c);
    let too_little = inclusive < least - tolerance && !is_part(c);
    (too_little || inclusive > most + tolerance).then(|| {
        let said = format!("{} ({})", case.share(inclusive), c.status.word());
        (Class::Wrong, format!("{said}, and holds {holds}"))
    })
}

/// The rows that a row is merged with, itself included.
fn group<'a>(case: &Case<'a>, c: &'a Construct) -> Vec<&'a Construct> {
    let mut out = vec![c];
    out.extend(c.merged_with.iter().filter(|&&m| m != c.serial).filter_map(|&m| case.index.get(m)));
    out
}

fn merged(case: &Case<'_>, id: Id, group: &[&Construct], inclusive: f64, is_hot: bool) -> Option<(Class, String)> {
    let members: Vec<Option<Id>> = group.iter().map(|c| case.ids.get(&c.serial).copied()).collect();
    let lines = || group[1..].iter().map(|c| format!("{}:{}", c.procedure, c.line)).collect::<Vec<_>>().join(", ");
    let known: BTreeSet<Id> = members.iter().flatten().copied().collect();
    if !is_together(case, id, &known) || members.contains(&None) {
        let time = case.time_of(&[id].into(), true);
        // One of several copies may be merged though it was not entered; the time is then that of the others.
        let alone = || {
            let (least, tolerance) = (case.time_of(&[id].into(), false), case.tolerance(group[0]));
            (least - tolerance..=time + tolerance).contains(&group[0].time.map_or(0.0, |t| t.inclusive_ns as f64))
        };
        if group[0].reason.as_deref().is_some_and(|r| r.ends_with("copies")) && alone() {
            return None;
        }
        let text = format!("MERGED with {}, which are other loops; holds {}", lines(), case.share(time));
        return is_hot.then_some((Class::Merged, text));
    }
    if known.iter().any(|m| case.measured.truth.unknown.contains(m)) {
        return None;
    }
    let (least, most) = (case.time_of(&known, false), case.time_of(&known, true));
    // The error of a joint time is that of its members, the largest.
    let tolerance = group.iter().map(|c| case.tolerance(c)).fold(0.0, f64::max);
    (inclusive < least - tolerance || inclusive > most + tolerance).then(|| {
        let said = format!("MERGED with {}: {} together", lines(), case.share(inclusive));
        (Class::Wrong, format!("{said}, and they hold {}", case.share(most)))
    })
}

/// Whether the members of a group may be one loop, all of them: each is connected to `id` by pairs that may.
fn is_together(case: &Case<'_>, id: Id, members: &BTreeSet<Id>) -> bool {
    let mut reached: BTreeSet<Id> = [id].into();
    let mut todo = vec![id];
    while let Some(a) = todo.pop() {
        for &b in members {
            if !reached.contains(&b) && (may_be_one(case, a, b) || may_be_one(case, b, a)) {
                reached.insert(b);
                todo.push(b);
            }
        }
    }
    members.iter().all(|m| reached.contains(m))
}

/// Whether two constructs of the source may have become one loop: neighbours by fusion, a loop and the one in it by interchange. None
/// goes past an opaque call, both say that the pass was there, and the order in which work was done does not speak against it.
fn may_be_one(case: &Case<'_>, a: Id, b: Id) -> bool {
    let (Some(x), Some(y)) = (case.stands.get(&a), case.stands.get(&b)) else { return false };
    let (Some(s), Some(t)) = (x.stmt, y.stmt) else { return false };
    let went_through =
        |pass: &str| [a, b].iter().all(|i| case.rows.get(i).is_some_and(|c| c.passes.iter().any(|p| p == pass)));
    if x.proc != y.proc || s.is_opaque() || t.is_opaque() {
        return false;
    }
    let nested = || {
        let mut around = std::iter::successors(y.parent, |p| case.stands.get(p).and_then(|s| s.parent));
        went_through("interchange")
            && around.any(|p| p == a)
            && match order::interchanged(case, t) {
                Says::Yes => true,
                Says::No => false,
                Says::Nothing => y.parent == Some(a) && is_nest(case, a, s),
            }
    };
    let cousins = || match (x.parent, y.parent) {
        (Some(p), Some(q)) => p == q || may_be_one(case, p, q),
        (p, q) => p == q,
    };
    let fused = || {
        went_through("fuse")
            && match order::fused(case, s, t) {
                Says::Yes => true,
                Says::No => false,
                Says::Nothing => cousins(),
            }
    };
    nested() || fused()
}

/// Whether a loop holds another one alone, or was split so that it does.
fn is_nest(case: &Case<'_>, id: Id, s: &S) -> bool {
    let split = case.rows.get(&id).is_some_and(|c| c.passes.iter().any(|p| p == "distribute"));
    split || s.blocks().iter().all(|b| b.len() == 1)
}

/// Loops that the order of work shows to have become one share a row: neighbours that took turns. A loop that ran inside the one
/// that it holds has the time of both, as the source has it.
fn apart(case: &Case<'_>, out: &mut Verdict) {
    let loops =
        case.stands.iter().filter_map(|(&id, s)| Some((id, s, s.stmt.filter(|s| s.is_loop() && !s.is_opaque())?)));
    let loops: Vec<_> = loops.filter(|(id, ..)| out.judged.contains(id)).collect();
    for &(a, x, s) in &loops {
        for &(b, y, t) in loops.iter().filter(|(b, ..)| *b != a) {
            let one = a < b && x.proc == y.proc && x.parent == y.parent && order::take_turns(case, s, t);
            let (Some(c), Some(d)) = (case.rows.get(&a), case.rows.get(&b)) else { continue };
            let both = c.time.is_some() && d.time.is_some() && !is_part(c) && !is_part(d);
            if one && both && !c.merged_with.contains(&d.serial) && !d.merged_with.contains(&c.serial) {
                let text = format!("{}: not MERGED with {}, with which it is one loop", case.name(a), case.text.at(b));
                out.failures.push(Failure { class: Class::Apart, id: Some(a), text });
            }
        }
    }
}

/// No construct has more time than the one around it.
fn children(case: &Case<'_>, out: &mut Vec<Failure>) {
    let plain = |c: &&Construct| c.merged_with.is_empty() && !is_part(c);
    for c in case.measured.profile.constructs.iter().filter(plain) {
        let around = std::iter::successors(c.parent, |&p| case.index.get(p).and_then(|c| c.parent));
        let Some(p) = around.filter_map(|p| case.index.get(p)).find(|p| p.time.is_some() && plain(p)) else { continue };
        let (Some(inner), Some(outer)) = (c.time, p.time) else { continue };
        if inner.inclusive_ns as f64 > outer.inclusive_ns as f64 * 1.001 + 2000.0 {
            let text = format!(
                "line {} `{}` has {} ns, line {} `{}` around it {}",
                c.line, c.text, inner.inclusive_ns, p.line, p.text, outer.inclusive_ns
            );
            out.push(Failure { class: Class::Order, id: case.ids.get(&c.serial).copied(), text });
        }
    }
}

/// Timed constructs and the time outside make the whole.
fn sums(case: &Case<'_>, out: &mut Vec<Failure>) {
    let profile: &Profile = &case.measured.profile;
    let exclusive: u64 = profile.constructs.iter().filter_map(|c| case.index.time(c)).map(|t| t.exclusive_ns).sum();
    let all = exclusive as f64 + profile.unattributed_ns.unwrap_or(0) as f64;
    if (all - case.elapsed()).abs() > 0.005 * case.elapsed() + 20_000.0 {
        let text = format!("exclusive times and the rest are {all} ns of {} elapsed", case.elapsed());
        out.push(Failure { class: Class::Exclusive, id: None, text });
    }
}
