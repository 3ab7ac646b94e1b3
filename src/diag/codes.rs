//! The table of diagnostics: code, severity, title, explanation and example.
//!
//! The table is the text file `codes.txt`: paragraphs of three lines. `trueline explain CODE` prints a row, and
//! docs/diagnostics.md is made from all. Tests check that the sources use exactly these codes, and that each example shows its own.

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code {
    /// `T` and four digits.
    pub code: &'static str,
    /// `error`, `warning` or `note`; `error/warning` where options decide.
    pub severity: &'static str,
    /// A program under tests/ that shows it, if there is one.
    pub example: Option<&'static str>,
    /// One sentence without a full stop.
    pub title: &'static str,
    /// The reason, and the remedy.
    pub explanation: &'static str,
}

impl Code {
    /// The row for people.
    pub fn text(&self) -> String {
        let example = self.example.map_or(String::new(), |e| format!("Example: {e}\n"));
        format!("{} ({}): {}\n\n{}\n{example}", self.code, self.severity, self.title, self.explanation)
    }
}

/// All rows, by code.
pub fn codes() -> impl Iterator<Item = Code> {
    include_str!("codes.txt").split("\n\n").filter_map(|paragraph| {
        let mut lines = paragraph.trim().lines();
        let mut head = lines.next()?.split(' ');
        let (code, severity) = (head.next()?, head.next()?);
        let example = head.next().filter(|e| *e != "-");
        Some(Code { code, severity, example, title: lines.next()?, explanation: lines.next()? })
    })
}

/// The row of a code.
pub fn explanation(code: &str) -> Option<Code> {
    codes().find(|c| c.code == code)
}

/// docs/diagnostics.md.
pub fn codes_as_markdown() -> String {
    let mut out = String::from(
        "# Messages of the compiler\n\nGenerated from `src/diag/codes.txt`; `BLESS=1 cargo test --test all tables::` rewrites it. \
         `trueline explain T0576` prints one of them.\n\n| code | | message | explanation | example |\n|---|---|---|---|---|\n",
    );
    for c in codes() {
        let example = c.example.map_or(String::new(), |e| format!("`{e}`"));
        let cell = |text: &str| text.replace('|', "\\|").replace('*', "\\*");
        out.push_str(&format!(
            "| {} | {} | {} | {} | {example} |\n",
            c.code,
            c.severity,
            cell(c.title),
            cell(c.explanation)
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_whole_and_in_order() {
        let all: Vec<Code> = codes().collect();
        assert_eq!(all.len(), include_str!("codes.txt").split("\n\n").count());
        assert!(all.windows(2).all(|w| w[0].code < w[1].code));
        for c in &all {
            assert!(!c.title.ends_with('.') && c.explanation.ends_with('.'), "{c:?}");
            assert!(c.severity.split('/').all(|s| ["error", "warning", "note"].contains(&s)), "{c:?}");
        }
        assert!(explanation("T0576").is_some() && explanation("T9999").is_none());
    }
}
