//! `score`: which procedures are worth a timer.

use super::{finish, options, print, print_json, printable};
use crate::cli::Score;
use crate::driver::{Failure, Session};
use crate::options::Options;
use crate::pipeline;
use crate::{exit, output};
use serde_json::json;
use std::fmt::Write;
use trueline_instrument::score::{self, Shape};

/// `trueline score`.
pub fn score(args: &Score) -> i32 {
    let selected = options(&args.compile).and_then(|o| args.select.select(o, &args.compile));
    let options = match selected {
        Ok(options) => options,
        Err(text) => {
            super::complain(&text);
            return exit::USAGE;
        }
    };
    let mut session = Session::default();
    let result = scores(&mut session, &options, args).map(|()| exit::OK);
    finish(session, args.compile.json, result)
}

fn scores(session: &mut Session, options: &Options, args: &Score) -> Result<(), Failure> {
    let profile = match &args.compile.profile_use {
        Some(path) => Some(crate::feedback::load(path)?),
        None => None,
    };
    let program = pipeline::analyze(session, options)?;
    let shapes: Vec<Shape> = score::shapes(&program, profile.as_ref()).into_iter().map(|(_, s)| s).collect();
    let scores = score::decide(&shapes, options.selection.threshold);
    if let Some(path) = &args.write_filter {
        let text = filter(&scores);
        output::write_atomically(path, text.as_bytes(), output::Mode::Data)
            .map_err(|e| Failure::User(format!("Cannot write '{}': {e}", path.display())))?;
    }
    if args.compile.json {
        print_json(&as_json(&scores, options.selection.threshold));
    } else {
        print(&printable(&table(&scores)));
    }
    Ok(())
}

fn as_json(scores: &[score::Score], threshold: u64) -> String {
    let procedures: Vec<serde_json::Value> = scores
        .iter()
        .map(|s| {
            json!({
                "procedure": s.procedure, "weight": s.weight, "loop_level": s.loop_level, "loop_score": s.loop_score,
                "callsites": s.callsites, "callsite_score": s.callsite_score, "score": s.score,
                "instrumented": s.instrumented, "reason": s.reason,
            })
        })
        .collect();
    let whole = json!({ "schema": "trueline-score/1", "threshold": threshold, "procedures": procedures });
    serde_json::to_string_pretty(&whole).unwrap_or_default() + "\n"
}

/// The decision table, with the columns of the paper's table 1.
fn table(scores: &[score::Score]) -> String {
    let width = scores.iter().map(|s| s.procedure.chars().count()).max().unwrap_or(0).max(9);
    let mut out = String::new();
    let mut line = |cells: [&str; 6]| {
        let [name, weight, loops, sites, sum, decision] = cells;
        // Writing to a string does not fail.
        let _ = writeln!(out, "{name:<width$}  {weight:>8}  {loops:>16}  {sites:>20}  {sum:>14}  {decision}");
    };
    line(["procedure", "weight", "loop score", "callsite score", "score", "decision"]);
    for s in scores {
        let decision = if s.instrumented { "instrumented" } else { "not instrumented" };
        line([
            &s.procedure,
            &s.weight.to_string(),
            &format!("{} ({})", s.loop_score, s.loop_level),
            &format!("{} ({})", s.callsite_score, s.callsites),
            &s.score.to_string(),
            &format!("{decision}: {}", s.reason),
        ]);
    }
    out
}

/// A filter that leaves out procedures not worth a timer, for `--filter`, `TRUELINE_FILTER_FILE` and Score-P.
fn filter(scores: &[score::Score]) -> String {
    let mut out = String::from("SCOREP_REGION_NAMES_BEGIN\n");
    for s in scores.iter().filter(|s| !s.instrumented) {
        out.push_str(&format!("  EXCLUDE {}\n", s.procedure.replace(' ', "\\ ")));
    }
    out + "SCOREP_REGION_NAMES_END\n"
}
