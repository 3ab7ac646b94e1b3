//! `explain`: the story of a line.

use super::inspect::place;
use super::lesson::lesson;
use super::report::deliver;
use super::{complain, finish, print, print_json, printable};
use crate::cli::Explain;
use crate::driver::{Failure, Session};
use crate::exit;
use crate::options;
use crate::pipeline;
use std::path::PathBuf;
use trueline_codegen::Vectorized;
use trueline_instrument::{Event, TimeMode, story};
use trueline_ir::{Level, OptLevel};
use trueline_provenance::{Serial, StmtInfo, StmtInfos, StmtKind};

/// `trueline explain FILE:LINE`.
pub fn explain(args: &Explain) -> i32 {
    if is_code(&args.place) {
        return explain_code(&args.place);
    }
    let Some((file, line)) = args.place.rsplit_once(':').and_then(|(f, l)| Some((f, l.parse::<u32>().ok()?))) else {
        complain(&format!("'{}' is neither FILE:LINE nor the code of a message such as T0576", args.place));
        return exit::USAGE;
    };
    let options = match options(args, file) {
        Ok(options) => options,
        Err(text) => {
            complain(&text);
            return exit::USAGE;
        }
    };
    let mut session = Session::default();
    if let Some(path) = &args.html {
        let result = lesson(&mut session, &options, file, line).and_then(|page| {
            deliver(Some(path), page.as_bytes())?;
            Ok(exit::OK)
        });
        return finish(session, args.compile.json, result);
    }
    let result = pipeline::compile(&mut session, &options).and_then(|compiled| {
        let here = statements(&compiled.program.infos, file, line);
        if here.is_empty() && !args.compile.json {
            print(&printable(&no_statement(file, line)?));
            return Ok(exit::OK);
        }
        let vectorized = vectorized(&options, compiled.program.infos.stmts.len())?;
        let stories: Vec<Story> =
            here.into_iter().map(|s| Story::new(&compiled, &vectorized, args.theory, s)).collect();
        if args.compile.json {
            print_json(&json(&stories));
        } else {
            print(&printable(&stories.iter().map(Story::text).collect::<String>()));
        }
        Ok(exit::OK)
    });
    finish(session, args.compile.json, result)
}

/// Whether the text is the code of a diagnostic: `T` and four digits.
fn is_code(text: &str) -> bool {
    text.len() == 5 && text.starts_with(['T', 't']) && text[1..].bytes().all(|b| b.is_ascii_digit())
}

/// `trueline explain T0576`.
fn explain_code(code: &str) -> i32 {
    match trueline_diag::explanation(&code.to_uppercase()) {
        Some(code) => {
            print(&code.text());
            exit::OK
        }
        None => {
            complain(&format!("There is no message '{code}'; docs/diagnostics.md lists them"));
            exit::USAGE
        }
    }
}

/// The message about a line that no source statement begins on: a comment, a declaration, a continuation.
fn no_statement(file: &str, line: u32) -> Result<String, Failure> {
    let source = std::fs::read(file).map_err(|e| Failure::User(format!("'{file}' cannot be read: {e}")))?;
    let source = String::from_utf8_lossy(&source);
    match source.lines().nth(line.saturating_sub(1) as usize) {
        Some(_) if line > 0 => Ok(format!("{file}:{line}: no executable statement begins here\n")),
        _ => Err(Failure::User(format!("'{file}' has {} lines", source.lines().count()))),
    }
}

/// The statements that begin on a line.
pub(super) fn statements(infos: &StmtInfos, file: &str, line: u32) -> Vec<Serial> {
    let here = |i: &StmtInfo| i.line == line && infos.files.get(i.file as usize).is_some_and(|f| f.path == file);
    infos.stmts.iter().filter(|(_, i)| here(i)).map(|(s, _)| s).collect()
}

fn options(args: &Explain, file: &str) -> Result<options::Options, String> {
    let mut options = super::options_of(&args.compile, vec![PathBuf::from(file)])?;
    options.optimize.down_to = Level::M;
    options.profile = Some(TimeMode::None);
    Ok(options)
}

/// The statements with vector operations in the object of the same options; `count` is the number of statements.
fn vectorized(options: &options::Options, count: usize) -> Result<Vec<Vectorized>, Failure> {
    if options.optimize.level < OptLevel::O3 {
        return Ok(Vec::new());
    }
    let mut options = options.clone();
    options.optimize.down_to = Level::L;
    options.profile = None;
    let mut compiled = pipeline::compile(&mut Session::default(), &options)?;
    pipeline::object(&mut compiled, &options)?;
    debug_assert_eq!(compiled.program.infos.stmts.len(), count, "the same source has the same statements");
    Ok(compiled.vectorized)
}

/// The construct that a statement without code of its own is an arm of.
fn construct_of(infos: &StmtInfos, s: Serial) -> Option<Serial> {
    let info = &infos.stmts[s];
    matches!(info.kind, StmtKind::Else | StmtKind::Case | StmtKind::Elsewhere).then(|| info.parent.expand()).flatten()
}

/// Everything there is to say of one source statement.
struct Story {
    place: String,
    kind: &'static str,
    text: String,
    /// The construct that ELSE, CASE and ELSEWHERE, which have no code, are arms of. The rest is its story.
    arm_of: Option<String>,
    events: Vec<(Event, Vec<String>)>,
    status: Option<String>,
    now: Vec<(String, String)>,
}

impl Story {
    fn new(compiled: &pipeline::Compiled, vectorized: &[Vectorized], theory: bool, s: Serial) -> Story {
        let (program, infos) = (&compiled.program, &compiled.program.infos);
        let (own, arm) = (s, construct_of(infos, s));
        let s = arm.unwrap_or(s);
        let edits = if theory { trueline_instrument::theory(program, s) } else { story(program, s) };
        let is_told = |e: &Event| !matches!(e.pass, "measure" | "plant" | "discharge");
        // In the words of users, the lines stand where they belong in the sentence.
        let with = |e: &Event| if theory { e.with.iter().map(|&o| place(infos, o)).collect() } else { Vec::new() };
        let mut events: Vec<(Event, Vec<String>)> = edits
            .into_iter()
            .filter(is_told)
            .map(|e| {
                let with = with(&e);
                (e, with)
            })
            .collect();
        let unrolled = super::remarks::unrolled(&trueline_instrument::remarks(program));
        let is_told = events.iter().any(|(e, _)| e.pass == "vectorize");
        if let Some(lanes) = super::remarks::lanes(infos, vectorized, &unrolled, s).filter(|_| !is_told) {
            let unit = infos.procedure(s).map_or(String::new(), |p| infos.stmts[p].text.clone());
            let what = super::remarks::vectorized_words(lanes);
            events.push((Event { unit, pass: "pack", what, with: Vec::new(), times: 1 }, Vec::new()));
        }
        let status =
            compiled.measured.as_ref().and_then(|(m, _)| m.constructs.iter().find(|c| c.serial == s)).map(|c| {
                format!("{}{}", c.status.word(), c.reason.as_ref().map_or(String::new(), |r| format!(" {r}")))
            });
        let mut now = Vec::new();
        for unit in &program.units {
            let stripped = unit.stripped();
            for (x, text) in stripped.described() {
                if stripped.sources(x).any(|o| o == s) {
                    now.push((unit.name().to_owned(), text));
                }
            }
        }
        let info = &infos.stmts[own];
        let arm_of = arm.map(|s| format!("{}: {}", place(infos, s), infos.stmts[s].text));
        let (place, kind, text) = (place(infos, own), info.kind.name(), info.text.clone());
        Story { place, kind, text, arm_of, events, status, now }
    }

    fn text(&self) -> String {
        let mut out = format!("{}: {} ({})\n", self.place, self.text, self.kind.replace('_', " "));
        if let Some(construct) = &self.arm_of {
            out.push_str(&format!("  an arm of {construct}\n"));
        }
        for (i, (e, with)) in self.events.iter().enumerate() {
            let times = if e.times > 1 { format!(", {} times", e.times) } else { String::new() };
            let with = if with.is_empty() { String::new() } else { format!(", with {}", with.join(", ")) };
            out.push_str(&format!("  {}. {}: {}{with}{times}  [{}]\n", i + 1, e.pass, e.what, e.unit));
        }
        if self.events.is_empty() {
            out.push_str("  no pass changed it\n");
        }
        if let Some(status) = &self.status {
            out.push_str(&format!("  status: {status}\n"));
        }
        match self.now.len() {
            0 => out.push_str("  now: no code is left of it\n"),
            n => {
                out.push_str(&format!("  now: {n} optimized statement{}\n", if n == 1 { "" } else { "s" }));
                for (unit, text) in &self.now {
                    out.push_str(&format!("    {unit}: {text}\n"));
                }
            }
        }
        out
    }
}

fn json(stories: &[Story]) -> String {
    let list: Vec<serde_json::Value> = stories
        .iter()
        .map(|s| {
            let events: Vec<serde_json::Value> = s
                .events
                .iter()
                .map(|(e, with)| {
                    serde_json::json!({ "pass": e.pass, "what": e.what, "with": with, "times": e.times, "unit": e.unit })
                })
                .collect();
            let now: Vec<serde_json::Value> =
                s.now.iter().map(|(unit, text)| serde_json::json!({ "unit": unit, "text": text })).collect();
            serde_json::json!({
                "place": s.place, "kind": s.kind, "text": s.text, "arm_of": s.arm_of, "events": events, "status": s.status, "optimized": now,
            })
        })
        .collect();
    serde_json::to_string_pretty(&serde_json::json!({ "schema": "trueline-explain/1", "statements": list }))
        .unwrap_or_default()
        + "\n"
}
