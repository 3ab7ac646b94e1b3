//! `advise -np N`: a run on N ranks foretold by one process, for the distribution that the source says and for others.
//!
//! Each distribution is compiled and run once, as a rehearsal (`runtime/src/ranks/rehearsal.rs`): messages, bytes and iterations of all ranks are those
//! of a real run, times are an estimate. Distributions are compared by the time of the slowest rank.

use super::build::{start, usage, with_executable};
use super::ranks::{Ledgers, lines_text};
use super::{cost, finish, print, print_json, printable, tell};
use crate::cli::Advise;
use crate::driver::{Failure, Session};
use crate::options::{Options, Remarks};
use crate::progress::Progress;
use crate::{exit, pipeline};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use trueline_syntax::{Dealt, Distribute, Found, distributions};

/// The runtime has room for this many ranks.
const MOST_RANKS: u32 = 64;
/// Arrays and templates with more dimensions are distributed in one dimension only.
const MOST_DIMENSIONS: usize = 3;
/// Rows of the table of directives.
const MOST_DIRECTIVES: usize = 20;
/// Latency and bandwidth between processes of one machine, as the runtime takes them without `--link`.
const LINK: (f64, f64) = (2e-6, 4e9);

/// A distribution of the program, and the run that it leads to.
struct Prediction {
    /// The distribution in place of that of the source; none for the source as it stands.
    changes: Vec<Distribute>,
    ledgers: String,
}

impl Prediction {
    fn name(&self) -> String {
        if self.changes.is_empty() {
            return "as the source says".to_owned();
        }
        named(&self.changes)
    }
}

fn named(changes: &[Distribute]) -> String {
    changes.iter().map(Distribute::to_string).collect::<Vec<_>>().join(" ")
}

/// The figures of a prediction that are compared.
struct Figures<'a> {
    name: String,
    ledgers: Ledgers<'a>,
    /// Seconds of the slowest rank.
    time: f64,
    /// All ranks together.
    messages: u64,
    bytes: u64,
    reductions: u64,
    /// The iterations of all ranks, and of the one that has most.
    iterations: (u64, u64),
}

impl<'a> Figures<'a> {
    fn of(prediction: &'a Prediction) -> Figures<'a> {
        let ledgers = Ledgers::parse(&prediction.ledgers);
        let ranks = || ledgers.ranks.values();
        Figures {
            name: prediction.name(),
            time: ranks().fold(0.0, |t, r| t.max(r.elapsed())),
            messages: ranks().map(|r| r.messages).sum(),
            bytes: ranks().map(|r| r.bytes).sum(),
            reductions: ranks().map(|r| r.reductions).max().unwrap_or(0),
            iterations: (ranks().map(|r| r.iterations).sum(), ranks().map(|r| r.iterations).max().unwrap_or(0)),
            ledgers,
        }
    }

    /// The mean of the ranks' iterations to the most; 1 without any.
    fn balance(&self) -> f64 {
        let (all, most) = self.iterations;
        if most == 0 { 1.0 } else { all as f64 / (most as f64 * self.ledgers.ranks.len().max(1) as f64) }
    }

    fn speedup(&self) -> f64 {
        if self.time > 0.0 { self.ledgers.alone / self.time } else { 1.0 }
    }
}

/// Whether the command line asks for a prediction, not for advice on a profile.
pub(super) fn is_wanted(args: &Advise) -> bool {
    args.compile.ranks.is_some() || !args.compile.distribute.is_empty()
}

/// Compiles and rehearses the program for each distribution, and shows the comparison.
pub(super) fn what_if(args: &Advise, mut options: Options) -> i32 {
    let Some(ranks) = args.compile.ranks else {
        return usage("--distribute is a question about ranks: say their number by -np");
    };
    if !(2..=MOST_RANKS).contains(&ranks) {
        return usage(&format!("A run is foretold for 2 to {MOST_RANKS} ranks, not for {ranks}"));
    }
    let link = match args.link.as_deref().map_or(Some(LINK), link) {
        Some(link) => link,
        None => {
            let text = args.link.as_deref().unwrap_or_default().escape_debug();
            return usage(&format!(
                "'{text}' is no link: a latency in seconds and bytes a second are written 2e-6:4e9"
            ));
        }
    };
    options.profile = None;
    options.remarks = Remarks::default();
    let mut session = Session::default();
    let result = predict(&mut session, args, &options, ranks, link).map(|all| {
        let figures = ordered(&all);
        if args.compile.json {
            print_json(&(serde_json::to_string_pretty(&as_json(&figures, ranks, link)).unwrap_or_default() + "\n"));
        } else {
            print(&as_text(&figures, ranks, link, args.limit));
        }
        exit::OK
    });
    finish(session, args.compile.json, result)
}

/// `2e-6:4e9`
fn link(text: &str) -> Option<(f64, f64)> {
    let (latency, bandwidth) = text.split_once(':')?;
    let (latency, bandwidth) = (latency.parse::<f64>().ok()?, bandwidth.parse::<f64>().ok()?);
    let is_sound = (0.0..1e3).contains(&latency) && bandwidth.is_finite() && bandwidth > 0.0;
    is_sound.then_some((latency, bandwidth))
}

/// The source as it stands first, then the distributions that are asked for, or all that come into question.
fn predict(
    session: &mut Session,
    args: &Advise,
    options: &Options,
    ranks: u32,
    link: (f64, f64),
) -> Result<Vec<Prediction>, Failure> {
    let plain = Options { distribute: Vec::new(), ..options.clone() };
    let trees = pipeline::parse(&mut Session::default(), &plain)?;
    let found: Vec<Found> = trees.iter().flat_map(distributions).collect();
    drop(trees);
    let directory = cost::directory()?;
    let mut rehearsals = Rehearsals {
        args,
        options,
        directory: directory.path(),
        variable: format!("{ranks}:{:e}:{:e}", link.0, link.1),
        input: None,
    };
    let (code, first) = rehearsals.run(session, Vec::new())?;
    if found.is_empty() {
        return Err(Failure::User("No directive distributes an array: all ranks would do the same".to_owned()));
    }
    if code != Some(exit::OK) {
        let code = code.map_or_else(|| "by a signal".to_owned(), |code| format!("with {code}"));
        tell(&format!("trueline: warning: the program ends {code}; the prediction goes so far\n"));
    }
    let mut out = vec![first];
    if !options.distribute.is_empty() {
        out.push(rehearsals.run(session, options.distribute.clone())?.1);
        return Ok(out);
    }
    let all = candidates(&found);
    let progress = Progress::new(all.len());
    for changes in all {
        progress.step(&named(&changes));
        // A distribution that the source does not allow is none that comes into question.
        if let Ok((_, prediction)) = rehearsals.run(&mut Session::default(), changes) {
            out.push(prediction);
        }
    }
    Ok(out)
}

/// Runs of one program in place of runs on ranks.
struct Rehearsals<'a> {
    args: &'a Advise,
    options: &'a Options,
    directory: &'a Path,
    /// The number of ranks and the link, as the runtime reads them.
    variable: String,
    /// The input of the first run.
    input: Option<cost::Input>,
}

impl Rehearsals<'_> {
    /// Compiles and runs the program with these distributions: its exit code and the ledgers of all ranks.
    fn run(&mut self, session: &mut Session, changes: Vec<Distribute>) -> Result<(Option<i32>, Prediction), Failure> {
        let options = Options { distribute: changes.clone(), ..self.options.clone() };
        let ledger = self.directory.join("ledger");
        // There is none before the first run.
        let _ = std::fs::remove_file(&ledger);
        let mut ended = None;
        with_executable(session, &options, &self.args.compile, |program| {
            let cannot = |e: std::io::Error| Failure::User(format!("Cannot run the program: {e}"));
            let mut command = start(&options, program)?;
            command.args(&self.args.args).env("TRUELINE_MESSAGES", &ledger).env_remove("TRUELINE_NP");
            command.env("TRUELINE_PREDICT", &self.variable).stdout(Stdio::null());
            ended = match &self.input {
                Some(input) => crate::interrupt::status(command.stdin(input.again()?).stderr(Stdio::null())),
                None => {
                    let (mut child, input) = cost::first_run(&mut command, self.directory)?;
                    self.input = Some(input);
                    child.wait()
                }
            }
            .map_err(cannot)?
            .code();
            Ok(exit::OK)
        })?;
        let ledgers = std::fs::read_to_string(&ledger)
            .map_err(|_| Failure::User("The program told nothing: it did not come to its end".to_owned()))?;
        Ok((ended, Prediction { changes, ledgers }))
    }
}

/// The distributions that come into question: arrays and templates with the same number of dimensions are distributed alike, by blocks in any
/// of their dimensions or in turns in one.
fn candidates(found: &[Found]) -> Vec<Vec<Distribute>> {
    let mut groups: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for f in found {
        let Some(rank) = f.rank else { continue };
        let names = groups.entry(rank).or_default();
        if !names.contains(&f.name.as_str()) {
            names.push(&f.name);
        }
    }
    let mut out = Vec::new();
    for (&rank, names) in &groups {
        for formats in formats(rank) {
            let one = |name: &&str| Distribute { name: (*name).to_owned(), formats: formats.clone() };
            out.push(names.iter().map(one).collect());
        }
    }
    out
}

fn formats(rank: usize) -> Vec<Vec<Dealt>> {
    let in_one = |d: usize, dealt: Dealt| (0..rank).map(|k| if k == d { dealt } else { Dealt::Whole }).collect();
    let mut out: Vec<Vec<Dealt>> = (0..rank).map(|d| in_one(d, Dealt::Block(None))).collect();
    out.extend((0..rank).map(|d| in_one(d, Dealt::Cyclic(None))));
    if rank <= MOST_DIMENSIONS {
        let several = (0..1u32 << rank).filter(|bits| bits.count_ones() > 1);
        let dealt = |bits: u32, d: usize| if bits >> d & 1 == 0 { Dealt::Whole } else { Dealt::Block(None) };
        out.extend(several.map(|bits| (0..rank).map(|d| dealt(bits, d)).collect::<Vec<_>>()));
    }
    out
}

/// The predictions, the fastest first.
fn ordered(all: &[Prediction]) -> Vec<Figures<'_>> {
    let mut out: Vec<Figures<'_>> = all.iter().map(Figures::of).collect();
    out.sort_by(|a, b| a.time.total_cmp(&b.time));
    out
}

/// The time that a directive costs: that of the lines that communicate, by the bytes of its arrays there.
struct Directive<'a> {
    arrays: Vec<&'a str>,
    messages: u64,
    bytes: u64,
    seconds: f64,
}

/// The directives by their places; the rest, which no array causes, is that of the empty one.
fn directives<'a>(ledgers: &Ledgers<'a>) -> Vec<(&'a str, Directive<'a>)> {
    let mut of_line: BTreeMap<&str, u64> = BTreeMap::new();
    for ((_, _, place), sums) in &ledgers.parts {
        *of_line.entry(place).or_default() += sums[1];
    }
    let empty = || Directive { arrays: Vec::new(), messages: 0, bytes: 0, seconds: 0.0 };
    let mut all: BTreeMap<&str, Directive<'a>> = BTreeMap::new();
    for (&(array, directive, place), sums) in &ledgers.parts {
        let d = all.entry(directive).or_insert_with(empty);
        if !d.arrays.contains(&array) {
            d.arrays.push(array);
        }
        d.messages += sums[0];
        d.bytes += sums[1];
        let (whole, line) = (of_line[place], ledgers.lines.get(place));
        d.seconds += line.map_or(0.0, |l| l.overhead()) * sums[1] as f64 / whole.max(1) as f64;
    }
    let rest: f64 = ledgers.lines.iter().filter(|(p, _)| !of_line.contains_key(*p)).map(|(_, l)| l.overhead()).sum();
    if rest > 0.0 {
        all.entry("").or_insert_with(empty).seconds += rest;
    }
    let mut out: Vec<(&str, Directive<'a>)> = all.into_iter().collect();
    out.sort_by(|a, b| b.1.seconds.total_cmp(&a.1.seconds).then(a.0.cmp(b.0)));
    out
}

/// `2.00 µs`, `1.25 ms`, `3.20 s`
fn seconds(s: f64) -> String {
    match s {
        s if s < 1e-3 => format!("{:.2} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

fn as_text(all: &[Figures<'_>], ranks: u32, link: (f64, f64), limit: usize) -> String {
    let mut out = format!(
        "Predicted for {ranks} ranks, each with a processor of its own; a message is {} on its way, {:.1} GB/s\n\n",
        seconds(link.0),
        link.1 / 1e9
    );
    let wide = all.iter().map(|f| f.name.chars().count()).max().unwrap_or(0).max("distribution".len());
    out.push_str(&format!(
        "{:<wide$}{:>12}{:>10}{:>9}{:>12}{:>15}{:>12}\n",
        "distribution", "time", "speed-up", "balance", "messages", "bytes", "reductions"
    ));
    for f in all.iter().take(limit) {
        let (time, name) = (seconds(f.time), printable(&f.name));
        out.push_str(&format!(
            "{name:<wide$}{time:>12}{:>10.2}{:>9.2}{:>12}{:>15}{:>12}\n",
            f.speedup(),
            f.balance(),
            f.messages,
            f.bytes,
            f.reductions
        ));
    }
    if all.len() > limit {
        out.push_str(&format!("and {} more\n", all.len() - limit));
    }
    let Some(best) = all.first() else { return out };
    if let Some(source) = all.iter().find(|f| f.ledgers_are_of_source()).filter(|s| s.name != best.name) {
        let factor = source.time / best.time.max(f64::MIN_POSITIVE);
        out.push_str(&format!("\n{} is {factor:.2} times as fast as the source as it stands\n", best.name));
    }
    out.push_str(&format!("\nCost of directives, all ranks together: {}\n", printable(&best.name)));
    out.push_str(&format!("{:>12}{:>12}{:>15}  directive\n", "time", "messages", "bytes"));
    let all = directives(&best.ledgers);
    for (place, d) in all.iter().take(MOST_DIRECTIVES) {
        let what = match place.is_empty() {
            true => "reductions, input and output, plans".to_owned(),
            false => format!("{} maps {}", printable(place), printable(&d.arrays.join(", "))),
        };
        out.push_str(&format!("{:>12}{:>12}{:>15}  {what}\n", seconds(d.seconds), d.messages, d.bytes));
    }
    if all.len() > MOST_DIRECTIVES {
        out.push_str(&format!("and {} more\n", all.len() - MOST_DIRECTIVES));
    }
    out.push_str(&lines_text(&best.ledgers.lines));
    out
}

impl Figures<'_> {
    fn ledgers_are_of_source(&self) -> bool {
        self.name == "as the source says"
    }
}

fn as_json(all: &[Figures<'_>], ranks: u32, link: (f64, f64)) -> Value {
    let of_directive = |(place, d): &(&str, Directive<'_>)| json!({"directive": place, "arrays": d.arrays, "messages": d.messages, "bytes": d.bytes, "seconds": d.seconds});
    let one = |f: &Figures<'_>| {
        let of_rank = |r: &super::ranks::Row| json!({"messages": r.messages, "bytes": r.bytes, "iterations": r.iterations, "seconds": r.elapsed()});
        let of_line = |(place, r): (&&str, &super::ranks::Row)| json!({"line": place, "messages": r.messages, "bytes": r.bytes, "iterations": r.iterations, "seconds": r.overhead()});
        json!({
            "distribution": f.name,
            "seconds": f.time,
            "alone_seconds": f.ledgers.alone,
            "balance": f.balance(),
            "messages": f.messages,
            "bytes": f.bytes,
            "reductions": f.reductions,
            "ranks": f.ledgers.ranks.values().map(of_rank).collect::<Vec<_>>(),
            "directives": directives(&f.ledgers).iter().map(of_directive).collect::<Vec<_>>(),
            "lines": f.ledgers.lines.iter().map(of_line).collect::<Vec<_>>(),
        })
    };
    json!({
        "ranks": ranks,
        "latency_seconds": link.0,
        "bytes_per_second": link.1,
        "predictions": all.iter().map(one).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, rank: usize) -> Found {
        let file = trueline_diag::SourceMap::new().add("a.f90", Vec::new());
        Found { name: name.to_owned(), span: trueline_diag::Span::at(file, 0), rank: Some(rank) }
    }

    #[test]
    fn arrays_of_one_rank_are_distributed_alike() {
        let names = |all: Vec<Vec<Distribute>>| -> Vec<String> {
            all.iter().map(|c| c.iter().map(Distribute::to_string).collect::<Vec<_>>().join(" ")).collect()
        };
        assert_eq!(
            names(candidates(&[found("a", 1), found("b", 1), found("a", 1)])),
            ["a(BLOCK) b(BLOCK)", "a(CYCLIC) b(CYCLIC)"]
        );
        let of_two = names(candidates(&[found("m", 2)]));
        assert_eq!(of_two, ["m(BLOCK,*)", "m(*,BLOCK)", "m(CYCLIC,*)", "m(*,CYCLIC)", "m(BLOCK,BLOCK)"]);
        assert_eq!(formats(3).len(), 10);
        assert_eq!(formats(5).len(), 10);
    }

    /// The costs of the directives are the times of all lines.
    #[test]
    fn costs_add_up() {
        let text = "rank 0 at x.f90:9 messages 2 bytes 40 communication 0.5 late-sender 0.25\n\
            rank 1 at x.f90:9 messages 0 bytes 0 late-sender 0.25\nrank 0 at x.f90:20 messages 0 bytes 0 global 0.125\n\
            part 0 of a@x.f90:3 at x.f90:9 messages 2 bytes 30\npart 0 of b@x.f90:4 at x.f90:9 messages 0 bytes 10\n";
        let costs: Vec<(&str, f64)> = directives(&Ledgers::parse(text)).iter().map(|(p, d)| (*p, d.seconds)).collect();
        assert_eq!(costs, [("x.f90:3", 0.75), ("x.f90:4", 0.25), ("", 0.125)]);
    }

    #[test]
    fn links_have_two_numbers() {
        assert_eq!(link("1e-6:2e9"), Some((1e-6, 2e9)));
        for wrong in ["", "1", "1:0", "-1:5", "x:5", "1:inf"] {
            assert_eq!(link(wrong), None, "{wrong}");
        }
    }
}
