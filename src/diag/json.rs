//! Diagnostics as JSON, for editors and CI.

use serde_json::{Value, json};

use crate::{Diagnostic, Label, SourceMap};

/// The diagnostics as one JSON array. Lines and columns count from 1, columns in bytes; the end is the last byte.
pub fn to_json(diagnostics: &[Diagnostic], map: &SourceMap) -> String {
    let all: Vec<Value> = diagnostics.iter().map(|diagnostic| value(diagnostic, map)).collect();
    let mut text = serde_json::to_string_pretty(&all).unwrap_or_default();
    text.push('\n');
    text
}

fn value(diagnostic: &Diagnostic, map: &SourceMap) -> Value {
    let diagnostic = &*crate::render::discreet(diagnostic, map);
    json!({
        "severity": diagnostic.severity.word(),
        "code": diagnostic.code,
        "message": diagnostic.message,
        "primary": diagnostic.primary.as_ref().map(|label| place(label, map)),
        "secondary": diagnostic.secondary.iter().map(|label| place(label, map)).collect::<Vec<_>>(),
        "notes": diagnostic.notes,
        "help": diagnostic.help,
    })
}

fn place(label: &Label, map: &SourceMap) -> Value {
    let (start, end) = (map.start(label.span), map.end(label.span));
    json!({
        "file": map.file(label.span.file).name(),
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        "label": label.text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    #[test]
    fn one_object_for_each() {
        let mut map = SourceMap::new();
        let file = map.add("a.f90", b"x = \"1\"\n".to_vec());
        let text = to_json(&[Diagnostic::error("T0100", Span::new(file, 4, 7), "Bad").label("this")], &map);
        let all: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(all[0]["primary"]["end_column"], 7);
        assert_eq!(all[0]["severity"], "error");
    }
}
