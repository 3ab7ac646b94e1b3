//! `dump` and `map`: looking at the program between source and machine code.

use super::{complain, finish, options, print, print_json, printable, time_mode};
use crate::cli::{Dump, Map};
use crate::driver::{self, Failure, Session};
use crate::exit;
use crate::options::Options;
use crate::pipeline;
use std::collections::{BTreeMap, BTreeSet};
use trueline_instrument::TimeMode;
use trueline_ir::{Level, Program};
use trueline_provenance::{Serial, StmtInfos};

/// `trueline dump`.
pub fn dump(args: &Dump) -> i32 {
    let mut options = match options(&args.compile) {
        Ok(options) => options,
        Err(text) => {
            complain(&text);
            return exit::USAGE;
        }
    };
    if args.profile {
        options.profile = Some(time_mode(&args.compile.time));
    }
    let mut session = Session::default();
    let result = dump_level(&mut session, &mut options, args).map(|text| {
        print(&text);
        exit::OK
    });
    finish(session, args.compile.json, result)
}

fn dump_level(session: &mut Session, options: &mut Options, args: &Dump) -> Result<String, Failure> {
    if args.mappings {
        options.optimize.down_to = Level::Vh;
        options.semantics.ranks = Some(args.compile.ranks.unwrap_or(1));
        let compiled = pipeline::compile(session, options)?;
        return Ok(super::mappings::text(&compiled.program, args));
    }
    options.optimize.down_to = match args.level.as_str() {
        "ast" => {
            let asts = driver::parse(session, options);
            if session.diagnostics.has_errors() {
                return Err(Failure::Source);
            }
            return Ok(asts.iter().map(|ast| trueline_syntax::dump(ast, &session.map)).collect());
        }
        "vh" => Level::Vh,
        "h" => Level::H,
        "m" => Level::M,
        _ => Level::L,
    };
    let mut compiled = pipeline::compile(session, options)?;
    if args.level == "asm" {
        return pipeline::listing(&mut compiled, options);
    }
    let program = compiled.program;
    let code = pipeline::code_options(options);
    let mut out = String::new();
    for (i, unit) in program.units.iter().enumerate() {
        match args.level.as_str() {
            "clif" if unit.kind() == trueline_ir::UnitKind::Data => continue,
            "clif" => out.push_str(&trueline_codegen::clif(&program.units, i, &code)?),
            _ => out.push_str(&text(unit, args.sets)),
        }
        out.push('\n');
        for d in unit.directives() {
            out.push_str(&format!("! directive @{} {}: {}\n", d.serial.as_u32(), d.kind, d.text));
        }
        if args.edits {
            out.push_str(&unit.log().display(unit.sets()).to_string());
        }
    }
    if args.sets {
        out.push_str(&legend(&program.infos));
    }
    Ok(out)
}

/// A unit's text, without the column of sets unless it is asked for.
fn text(unit: &trueline_ir::Unit, sets: bool) -> String {
    let text = unit.to_string();
    if sets {
        return text;
    }
    let without = |line: &str| match line.rfind(" @") {
        Some(at) if line[at + 2..].chars().all(|c| c.is_ascii_digit() || "{},".contains(c)) => {
            line[..at].trim_end().to_owned()
        }
        _ => line.to_owned(),
    };
    text.lines().map(without).map(|l| l + "\n").collect()
}

/// The statements behind the numbers in sets.
fn legend(infos: &StmtInfos) -> String {
    let mut out = String::new();
    for (s, info) in infos.stmts.iter() {
        let file = infos.files.get(info.file as usize).map_or("", |f| f.path.as_str());
        out.push_str(&format!("! @{} {}:{} {} {}\n", s.as_u32(), file, info.line, info.kind.name(), info.text));
    }
    out
}

/// The effect of a step on a unit: the lines that went and came, with their sets, and the edits.
pub(super) fn difference(d: &trueline_opt::Dump) -> String {
    let (before, after): (Vec<&str>, Vec<&str>) = (d.before.lines().collect(), d.after.lines().collect());
    let mut out = format!("--- {} before {} (application {})\n+++ after\n", d.unit, d.pass, d.application);
    let start = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let rest = before.len().min(after.len()) - start;
    let end = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    for line in &before[start..before.len() - end] {
        out.push_str(&format!("-{line}\n"));
    }
    for line in &after[start..after.len() - end] {
        out.push_str(&format!("+{line}\n"));
    }
    out.push_str(&d.edits);
    out
}

/// `trueline map`.
pub fn map(args: &Map) -> i32 {
    let mut options = match options(&args.compile) {
        Ok(options) => options,
        Err(text) => {
            complain(&text);
            return exit::USAGE;
        }
    };
    options.profile = Some(TimeMode::None);
    options.optimize.down_to = Level::M;
    let mut session = Session::default();
    let result = pipeline::compile(&mut session, &options).map(|compiled| {
        if args.compile.json {
            print_json(&map_json(&compiled.program));
        } else {
            print(&printable(&map_text(&compiled)));
        }
        exit::OK
    });
    finish(session, args.compile.json, result)
}

/// The optimized statements of each source statement: unit, line number in its text, text.
fn images(program: &Program) -> BTreeMap<Serial, Vec<(String, String)>> {
    let mut out: BTreeMap<Serial, Vec<(String, String)>> = BTreeMap::new();
    for unit in &program.units {
        let stripped = unit.stripped();
        for (s, text) in stripped.described() {
            for o in stripped.sources(s) {
                out.entry(o).or_default().push((unit.name().to_owned(), text.clone()));
            }
        }
    }
    out
}

fn map_text(compiled: &pipeline::Compiled) -> String {
    let (program, infos) = (&compiled.program, &compiled.program.infos);
    let images = images(program);
    let statuses: BTreeMap<Serial, String> = compiled
        .measured
        .iter()
        .flat_map(|(m, _)| &m.constructs)
        .map(|c| {
            (c.serial, format!("{}{}", c.status.word(), c.reason.as_ref().map_or(String::new(), |r| format!(" {r}"))))
        })
        .collect();
    let mut out = String::from("source -> optimized\n");
    for (s, info) in infos.stmts.iter() {
        let status = statuses.get(&s).map_or(String::new(), |t| format!("  [{t}]"));
        out.push_str(&format!("{}: {}{status}\n", place(infos, s), info.text));
        for (unit, text) in images.get(&s).into_iter().flatten() {
            out.push_str(&format!("    {unit}: {text}\n"));
        }
    }
    out.push_str("\noptimized -> source\n");
    for unit in &program.units {
        out.push_str(&format!("{}\n", unit.name()));
        let stripped = unit.stripped();
        for (s, text) in stripped.described() {
            let depth = stripped.ancestors(s).count();
            let lines: BTreeSet<String> = stripped.sources(s).map(|o| place(infos, o)).collect();
            let lines: Vec<String> = lines.into_iter().collect();
            out.push_str(&format!("  {}{text}   <- {}\n", "  ".repeat(depth), lines.join(", ")));
        }
    }
    out
}

fn map_json(program: &Program) -> String {
    let infos = &program.infos;
    let images = images(program);
    let statements: Vec<serde_json::Value> = infos
        .stmts
        .iter()
        .map(|(s, info)| {
            let optimized: Vec<serde_json::Value> = images
                .get(&s)
                .into_iter()
                .flatten()
                .map(|(unit, text)| serde_json::json!({ "unit": unit, "text": text }))
                .collect();
            serde_json::json!({
                "serial": s.as_u32(), "file": infos.files.get(info.file as usize).map_or("", |f| f.path.as_str()),
                "line": info.line, "kind": info.kind.name(), "text": info.text, "optimized": optimized,
            })
        })
        .collect();
    serde_json::to_string_pretty(&serde_json::json!({ "schema": "trueline-map/1", "statements": statements }))
        .unwrap_or_default()
        + "\n"
}

/// `file:line`.
pub(super) fn place(infos: &StmtInfos, s: Serial) -> String {
    let info = &infos.stmts[s];
    format!("{}:{}", infos.files.get(info.file as usize).map_or("", |f| f.path.as_str()), info.line)
}
