//! The bad corpus: every mistake is diagnosed at its line, all of them in one run, without a panic.

use crate::build::{files, options};
use crate::trial;
use libtest_mimic::Trial;
use std::path::Path;
use trueline::driver::{Failure, Session};
use trueline::pipeline;

/// A diagnostic: file name, line, message.
type Found = (String, u32, String);

/// The diagnostics of a file, and whether it was refused.
fn diagnose(file: &Path) -> (Vec<Found>, bool) {
    let mut session = Session::default();
    let result = pipeline::analyze(&mut session, &options(file, 0, None));
    let source_error = matches!(result, Err(Failure::Source));
    let Session { map, diagnostics, .. } = session;
    let list = diagnostics.finish(&map);
    let lines = list
        .iter()
        .filter(|d| d.severity == trueline_diag::Severity::Error)
        .map(|d| match &d.primary {
            Some(l) => {
                let name = Path::new(map.file(l.span.file).name());
                let name = name.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
                (name, map.start(l.span).line, d.message.clone())
            }
            None => (String::new(), 0, d.message.clone()),
        })
        .collect();
    (lines, source_error)
}

/// A line of an `.err` file.
struct Expected {
    file: Option<String>,
    lines: std::ops::RangeInclusive<u32>,
    text: String,
}

impl Expected {
    fn parse(line: &str) -> Result<Expected, String> {
        let wrong = || format!("not LINE: TEXT: {line}");
        let (mut place, mut text) = line.split_once(':').ok_or_else(wrong)?;
        let mut file = None;
        if !place.starts_with(|c: char| c.is_ascii_digit()) {
            file = Path::new(place).file_name().map(|n| n.to_string_lossy().into_owned());
            (place, text) = text.split_once(':').ok_or_else(wrong)?;
        }
        let (first, last) = place.split_once('-').unwrap_or((place, place));
        let number = |t: &str| t.trim().parse::<u32>().map_err(|_| wrong());
        Ok(Expected { file, lines: number(first)?..=number(last)?, text: text.trim().to_lowercase() })
    }

    fn fits(&self, own: &str, (file, line, message): &Found) -> bool {
        let there = self.file.as_deref().unwrap_or(own);
        (there == file || file.is_empty()) && self.lines.contains(line) && message.to_lowercase().contains(&self.text)
    }
}

/// One test a program.
pub fn trials() -> Vec<Trial> {
    files("tests/bad", &["f", "f90", "hpf"]).iter().map(|file| trial("bad", file, is_diagnosed)).collect()
}

/// The mistakes are diagnosed as the `.err` file says.
fn is_diagnosed(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file.with_extension("err")).map_err(|e| format!("no .err file: {e}"))?;
    let own = file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let (found, failed) = diagnose(file);
    if !failed {
        return Err("no error was found".to_owned());
    }
    let lenient = text.lines().any(|l| l.trim() == "...");
    let expected: Vec<Expected> = text
        .lines()
        .filter(|l| !l.trim().is_empty() && l.trim() != "...")
        .map(Expected::parse)
        .collect::<Result<_, _>>()?;
    let all = || -> String { found.iter().map(|(f, l, t)| format!("\n    {f}:{l}: {t}")).collect() };
    if let Some(e) = expected.iter().find(|e| !found.iter().any(|f| e.fits(&own, f))) {
        return Err(format!("expected '{:?}: {}', found{}", e.lines, e.text, all()));
    }
    let stray = |f: &&Found| {
        !expected
            .iter()
            .any(|e| Expected { file: e.file.clone(), lines: e.lines.clone(), text: String::new() }.fits(&own, f))
    };
    match found.iter().find(stray) {
        Some((f, l, t)) if !lenient => Err(format!("not expected: {f}:{l}: {t}")),
        _ => Ok(()),
    }
}
