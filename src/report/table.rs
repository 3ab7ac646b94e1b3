//! Tables in plain text.

/// Rows of cells; numbers to the right, words to the left.
pub(crate) struct Table {
    headings: Vec<(&'static str, bool)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Columns by heading; `true` for those of numbers.
    pub(crate) fn new(headings: &[(&'static str, bool)]) -> Table {
        Table { headings: headings.to_vec(), rows: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The table as text; columns without any content are left out.
    pub(crate) fn render(&self) -> String {
        let width = |c: usize| self.rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
        let used: Vec<usize> = (0..self.headings.len()).filter(|&c| width(c) > 0).collect();
        let mut out = String::new();
        let line = |cells: &dyn Fn(usize) -> String, out: &mut String| {
            let mut text = String::new();
            for (i, &c) in used.iter().enumerate() {
                let (heading, right) = self.headings[c];
                let w = width(c).max(heading.chars().count());
                let cell = cells(c);
                if i > 0 {
                    text.push_str("  ");
                }
                if right {
                    text.push_str(&format!("{cell:>w$}"));
                } else {
                    text.push_str(&format!("{cell:<w$}"));
                }
            }
            out.push_str(text.trim_end());
            out.push('\n');
        };
        line(&|c| self.headings[c].0.to_owned(), &mut out);
        for row in &self.rows {
            line(&|c| row[c].clone(), &mut out);
        }
        out
    }
}

/// A count with thousands apart, or nothing.
pub(crate) fn count(n: Option<u64>) -> String {
    let Some(n) = n else { return String::new() };
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(d);
    }
    out
}

/// A time with three significant digits and a unit.
pub(crate) fn time(ns: u64) -> String {
    let (value, unit) = match ns {
        0..1_000 => return format!("{ns} ns"),
        1_000..1_000_000 => (ns as f64 / 1e3, "us"),
        1_000_000..1_000_000_000 => (ns as f64 / 1e6, "ms"),
        _ => (ns as f64 / 1e9, "s"),
    };
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(count(Some(1_234_567)), "1,234,567");
        assert_eq!(count(Some(0)), "0");
        assert_eq!(count(None), "");
        assert_eq!(time(999), "999 ns");
        assert_eq!(time(1_234_567), "1.23 ms");
        assert_eq!(time(45_600_000_000), "45.6 s");
    }
}
