//! Optimization remarks as LLVM writes them (YAML, one document a remark), keyed to constructs, with their counts as hotness.

use crate::index::{Index, executions};
use crate::safe;
use std::fmt::Write;
use trueline_abi::profile::Construct;

pub(super) fn remarks(index: &Index<'_>) -> String {
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

fn remark(c: &Construct, kind: &str, pass: &str, name: &str, text: &str, out: &mut String) {
    let hotness = c.counts.iterations.or_else(|| executions(c));
    let _ = write!(
        out,
        "--- !{kind}\nPass:            {}\nName:            {}\nDebugLoc:        {{ File: {}, Line: {}, Column: {} }}\nFunction:        {}\n",
        quoted(pass),
        quoted(name),
        quoted(&c.file),
        c.line,
        c.column,
        quoted(&c.procedure),
    );
    if let Some(n) = hotness {
        let _ = writeln!(out, "Hotness:         {n}");
    }
    let _ = writeln!(
        out,
        "Args:\n  - Construct:       {}\n  - String:          ': '\n  - Reason:          {}\n...",
        quoted(&c.text),
        quoted(text)
    );
}

/// A single-quoted YAML scalar.
fn quoted(text: &str) -> String {
    format!("'{}'", safe(text).replace('\'', "''"))
}
