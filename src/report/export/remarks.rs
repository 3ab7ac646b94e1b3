//! Optimization remarks as LLVM writes them (YAML, one document a remark), keyed to constructs, with their counts as hotness.

use crate::index::{Index, executions_of_all as executions};
use crate::safe;
use std::fmt::Write;
use trueline_abi::profile::Construct;

pub(super) fn of_profile(index: &Index<'_>) -> String {
    let mut out = String::new();
    for c in &index.profile.constructs {
        for step in &c.story {
            let (pass, what) = step.split_once(": ").unwrap_or(("trueline", step));
            let name = what.split([' ', ':', ',']).next().unwrap_or("");
            remark(c, "Passed", pass, name, what, &mut out);
        }
        for step in &c.missed {
            let (pass, why) = step.split_once(": ").unwrap_or(("trueline", step));
            remark(c, "Missed", pass, "NotApplied", why, &mut out);
        }
        let reason = c.reason.as_deref().unwrap_or("");
        let text = format!("status {}{}{reason}", c.status.word(), if reason.is_empty() { "" } else { ": " });
        remark(c, "Analysis", "measure", "Status", &text, &mut out);
    }
    out
}

fn remark(c: &Construct, kind: &'static str, pass: &str, name: &str, text: &str, out: &mut String) {
    let hotness = c.counts.iterations.or_else(|| executions(c));
    let (line, column) = (c.line, c.column);
    let procedure = &c.procedure;
    out.push_str(&document(&RemarkDoc {
        kind,
        pass,
        name,
        file: &c.file,
        line,
        column,
        procedure,
        hotness,
        of: &c.text,
        text,
    }));
}

/// A remark as YAML has it.
#[derive(Clone, Copy, Debug)]
pub struct RemarkDoc<'a> {
    /// `Passed`, `Missed` or `Analysis`.
    pub kind: &'a str,
    /// The pass.
    pub pass: &'a str,
    /// The decision in one word.
    pub name: &'a str,
    /// The source file.
    pub file: &'a str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The procedure.
    pub procedure: &'a str,
    /// The number of executions, if it is known.
    pub hotness: Option<u64>,
    /// The text of the statement.
    pub of: &'a str,
    /// The decision, or the obstacle.
    pub text: &'a str,
}

/// The YAML document of a remark.
pub fn document(r: &RemarkDoc<'_>) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "--- !{}\nPass:            {}\nName:            {}\nDebugLoc:        {{ File: {}, Line: {}, Column: {} }}\nFunction:        {}\n",
        r.kind,
        quoted(r.pass),
        quoted(r.name),
        quoted(r.file),
        r.line,
        r.column,
        quoted(r.procedure),
    );
    if let Some(n) = r.hotness {
        let _ = writeln!(out, "Hotness:         {n}");
    }
    let _ = writeln!(
        out,
        "Args:\n  - Construct:       {}\n  - String:          ': '\n  - Reason:          {}\n...",
        quoted(r.of),
        quoted(r.text)
    );
    out
}

/// A single-quoted YAML scalar.
fn quoted(text: &str) -> String {
    format!("'{}'", safe(text).replace('\'', "''"))
}
