//! HPF: programs that are right, in every spelling that is accepted, and wrong ones, which get a message with both places and a remedy.

mod owners;

use crate::build::{build_and_run, check_all, files, options};
use std::path::Path;
use trueline::driver::Session;
use trueline::pipeline;
use trueline_diag::Severity;

fn name(file: &Path) -> String {
    file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

/// The diagnostics of a file: severity, code, the lines of the places, message, whether there is a remedy.
fn diagnostics(file: &Path) -> Vec<(Severity, String, u32, Vec<u32>, String, bool)> {
    let mut session = Session::default();
    let _ = pipeline::analyze(&mut session, &options(file, 0, None));
    let Session { map, diagnostics, .. } = session;
    let list = diagnostics.finish(&map);
    let line = |span| map.start(span).line;
    list.iter()
        .map(|d| {
            let primary = d.primary.as_ref().map_or(0, |l| line(l.span));
            let others = d.secondary.iter().map(|l| line(l.span)).collect();
            (d.severity, d.code.to_string(), primary, others, d.message.clone(), d.help.is_some())
        })
        .collect()
}

/// `! expect error T0420 5 7: text`: the severity, the code, the line of the message, the line that it contradicts (`-` if there is none).
#[test]
fn wrong_programs_are_told_why() {
    let wrong = files("tests/hpf/wrong", &["f", "f90"]);
    assert!(wrong.len() >= 55, "{} programs", wrong.len());
    check_all(
        &wrong,
        |file| name(file),
        |file| {
            let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
            let found = diagnostics(file);
            let expected: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("! expect ")).collect();
            if expected.is_empty() {
                return Err("no '! expect' line".to_owned());
            }
            for one in &expected {
                let (head, text) = one.split_once(": ").ok_or("not SEVERITY CODE LINE OTHER: TEXT")?;
                let [severity, code, line, other] = head.split(' ').collect::<Vec<_>>()[..] else {
                    return Err(format!("not four words: {head}"));
                };
                let severity = if severity == "error" { Severity::Error } else { Severity::Warning };
                let fits = |d: &&(Severity, String, u32, Vec<u32>, String, bool)| {
                    let there = other == "-" || d.3.iter().any(|l| l.to_string() == other);
                    d.0 == severity && d.1 == code && d.2.to_string() == line && there && d.4.contains(text) && d.5
                };
                if !found.iter().any(|d| fits(&d)) {
                    return Err(format!("expected {one}\n  with a remedy, found {found:#?}"));
                }
            }
            let lines: Vec<&str> = expected.iter().filter_map(|e| e.split(' ').nth(2)).collect();
            match found.iter().find(|d| !lines.contains(&d.2.to_string().as_str())) {
                Some(d) => Err(format!("not expected: {d:?}")),
                None => Ok(()),
            }
        },
    );
}

/// A file `NAME.out` has the output, and a line `! spelling N` of the program says how many warnings about spellings there are.
#[test]
fn right_programs_run() {
    check_all(
        &files("tests/hpf/right", &["f", "f90"]),
        |file| name(file),
        |file| {
            let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
            let spellings: usize =
                text.lines().find_map(|l| l[1.min(l.len())..].strip_prefix(" spelling ")?.parse().ok()).unwrap_or(0);
            let found = diagnostics(file);
            let slips = found.iter().filter(|d| d.4.ends_with("[-Whpf-spelling]")).count();
            if slips != spellings || found.len() != spellings {
                return Err(format!("expected {spellings} warnings about spellings, found {found:#?}"));
            }
            for level in [0, 3] {
                let out = build_and_run(file, &options(file, level, None))?.stdout;
                let golden = file.with_extension("out");
                if std::env::var_os("BLESS").is_some() {
                    std::fs::write(&golden, &out).map_err(|e| e.to_string())?;
                }
                if std::fs::read_to_string(&golden).map_err(|e| format!("no .out file: {e}"))? != out {
                    return Err(format!("another output at -O{level}: {out}"));
                }
            }
            Ok(())
        },
    );
}

/// No directive of the programs that are right elsewhere is doubted.
#[test]
fn no_false_alarm() {
    let mut all = files("examples/hpf", &["f90"]);
    all.extend(files("tests/run", &["f", "f90"]));
    check_all(
        &all,
        |file| name(file),
        |file| {
            let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
            if !text.to_ascii_lowercase().contains("hpf$") {
                return Ok(());
            }
            match diagnostics(file).first() {
                Some(d) => Err(format!("{d:?}")),
                None => Ok(()),
            }
        },
    );
}
