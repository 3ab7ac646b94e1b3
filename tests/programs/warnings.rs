//! Warnings: each program of `tests/warn`, compiled with `-Wall -Wextra` and the flags of its first line (`! warnings: NAME …`), gives
//! exactly those of its `.err` file (`LINE: TEXT` a line), without flags none, and with `-Werror` it is refused.

use crate::build::{files, options};
use crate::trial;
use libtest_mimic::Trial;
use std::path::Path;
use trueline::driver::Session;
use trueline::pipeline;
use trueline_diag::{Policy, Severity};

fn warnings(file: &Path, flags: &[&str], policy: Policy) -> (Vec<(u32, String)>, bool) {
    let mut options = options(file, 0, None);
    options.policy = policy;
    for flag in flags {
        assert!(options.semantics.warnings.apply(flag), "{flag}");
    }
    let mut session = Session::default();
    let refused = pipeline::analyze(&mut session, &options).is_err();
    let Session { map, diagnostics, .. } = session;
    let list = diagnostics.finish(&map);
    let severity = if policy == Policy::Refuse { Severity::Error } else { Severity::Warning };
    let found = list.iter().filter(|d| d.severity == severity);
    let found = found.map(|d| (d.primary.as_ref().map_or(0, |l| map.start(l.span).line), d.message.clone()));
    (found.collect(), refused)
}

/// One test a program.
pub fn trials() -> Vec<Trial> {
    files("tests/warn", &["f", "f90"]).iter().map(|file| trial("warn", file, has_its_warnings)).collect()
}

/// The warnings are those of the `.err` file.
fn has_its_warnings(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file.with_extension("err")).map_err(|e| format!("no .err file: {e}"))?;
    let source = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let own = source.lines().next().and_then(|l| l.strip_prefix("! warnings: ")).unwrap_or_default();
    let flags: Vec<&str> = ["all", "extra"].into_iter().chain(own.split_whitespace()).collect();
    let (found, refused) = warnings(file, &flags, Policy::Tell);
    let all: String = found.iter().map(|(l, t)| format!("\n    {l}: {t}")).collect();
    if refused {
        return Err(format!("refused:{all}"));
    }
    for line in text.lines() {
        let (at, words) = line.split_once(": ").ok_or("not LINE: TEXT")?;
        let at: u32 = at.parse().map_err(|_| "not LINE: TEXT")?;
        if !found.iter().any(|(l, t)| *l == at && t.contains(words)) {
            return Err(format!("expected {line}, found{all}"));
        }
    }
    if found.len() != text.lines().count() {
        return Err(format!("{} expected, found{all}", text.lines().count()));
    }
    let unasked = [warnings(file, &[], Policy::Tell).0, warnings(file, &flags, Policy::Drop).0];
    if unasked.iter().any(|w| !w.is_empty()) {
        return Err("warnings that nobody asked for".to_owned());
    }
    let (errors, refused) = warnings(file, &flags, Policy::Refuse);
    if errors != found || !refused {
        return Err("-Werror does not refuse it".to_owned());
    }
    Ok(())
}
