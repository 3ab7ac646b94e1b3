//! SARIF 2.1.0: statuses and decisions as notes in editors and code review.

use crate::flat::shortened;
use crate::index::Index;
use crate::safe;
use serde_json::{Value, json};
use trueline_abi::profile::{Construct, Status};

const RULES: &[(Status, &str)] = &[
    (Status::ExactDerived, "Counted exactly, through the changes that the optimizer made"),
    (Status::Merged, "Counted exactly; its time is that of several constructs which became one"),
    (Status::Region, "Counted exactly; transformed beyond one loop and timed as a whole"),
    (Status::Bounded, "Counted between bounds"),
    (Status::Eliminated, "No code is left of it; the counts are those it would have had"),
    (Status::Unavailable, "Not measured"),
];

pub(super) fn sarif(index: &Index<'_>) -> String {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|(s, text)| {
            json!({ "id": s.word(), "shortDescription": { "text": text }, "defaultConfiguration": { "level": "note" } })
        })
        .chain([json!({
            "id": "MISSED", "shortDescription": { "text": "A transformation was not applied" },
            "defaultConfiguration": { "level": "note" },
        })])
        .collect();
    let mut results = Vec::new();
    for c in &index.profile.constructs {
        if let Some(rule) = RULES.iter().position(|(s, _)| *s == c.status) {
            let reason = c.reason.as_ref().map_or(String::new(), |r| format!(" {}", safe(r)));
            results.push(result(c, c.status.word(), rule, &format!("'{}': {}{reason}", title(c), c.status.word())));
        }
        for missed in &c.missed {
            results.push(result(c, "MISSED", RULES.len(), &format!("'{}': {}", title(c), safe(missed))));
        }
    }
    super::compact(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "trueline", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "results": results,
        }],
    }))
}

fn title(c: &Construct) -> String {
    shortened(&safe(&c.text), 60)
}

fn result(c: &Construct, rule: &str, number: usize, message: &str) -> Value {
    json!({
        "ruleId": rule, "ruleIndex": number, "level": "note", "message": { "text": message },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&c.file) },
            "region": { "startLine": c.line.max(1), "startColumn": c.column.max(1), "endLine": c.end_line.max(c.line).max(1) },
        } }],
        "properties": { "counts": c.counts, "passes": c.passes },
    })
}

/// A path as a relative or absolute reference (RFC 3986): other bytes than the unreserved ones and `/` are escaped.
fn uri(path: &str) -> String {
    path.bytes()
        .map(|b| match b {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(b).to_string(),
            _ => format!("%{b:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn escaped() {
        assert_eq!(uri("a b/<c>.f90"), "a%20b/%3Cc%3E.f90");
    }
}
