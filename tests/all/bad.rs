//! The bad corpus: every mistake is diagnosed at its line, all of them in one run, without a panic.

use crate::build::{check_all, files, options};
use std::path::{Path, PathBuf};
use trueline::driver::{self, Failure, Session};

/// The diagnostics of a file: line and message.
fn diagnose(file: &Path) -> (Vec<(u32, String)>, bool) {
    let mut session = Session::default();
    let result = driver::analyze(&mut session, &options(file, 0, None));
    let source_error = matches!(result, Err(Failure::Source));
    let Session { map, diagnostics } = session;
    let list = diagnostics.finish(&map);
    let lines = list
        .iter()
        .map(|d| (d.primary.as_ref().map_or(0, |l| map.start(l.span).line), trueline_diag::render_plain(d, &map)))
        .collect();
    (lines, source_error)
}

#[test]
fn mistakes_are_diagnosed() {
    let bad = files("tests/bad", &["f", "f90", "hpf"]);
    check_all(&bad, |p: &PathBuf| p.display().to_string(), |file| {
        let Ok(expected) = std::fs::read_to_string(file.with_extension("err")) else {
            return Ok(()); // Only included by others.
        };
        let (found, failed) = diagnose(file);
        if !failed {
            return Err("no error was found".to_owned());
        }
        for line in expected.lines().filter(|l| !l.trim().is_empty()) {
            let (number, text) = line.split_once(':').ok_or(format!("not LINE: TEXT: {line}"))?;
            let number: u32 = number.trim().parse().map_err(|_| format!("no line number: {line}"))?;
            let text = text.trim().to_lowercase();
            let hit = found.iter().any(|(l, t)| (*l == number || number == 0) && t.to_lowercase().contains(&text));
            if !hit {
                let all: Vec<String> = found.iter().map(|(l, t)| format!("    {l}: {}", t.lines().next().unwrap_or(""))).collect();
                return Err(format!("expected '{line}', found\n{}", all.join("\n")));
            }
        }
        Ok(())
    });
}
