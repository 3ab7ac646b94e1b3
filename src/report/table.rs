//! Tables in plain text, as wide as the terminal, and with colour where it is one.

use std::borrow::Cow;

/// How text looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Whether to use the terminal's colours.
    pub color: bool,
    /// The columns there are; without a bound when output goes to a file.
    pub width: Option<usize>,
}

/// What a cell or line stands for, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tone {
    /// A heading.
    Heading,
    /// Costs much.
    Hot,
    /// Costs something.
    Warm,
    /// Of less interest.
    Faint,
    /// Anything else.
    Plain,
}

impl Style {
    /// `text` in the colour of `tone`.
    pub(crate) fn paint(self, tone: Tone, text: &str) -> Cow<'_, str> {
        let code = match tone {
            Tone::Heading => "1",
            Tone::Hot => "1;31",
            Tone::Warm => "33",
            Tone::Faint => "2",
            Tone::Plain => "",
        };
        if !self.color || code.is_empty() || text.is_empty() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(format!("\u{1b}[{code}m{text}\u{1b}[0m"))
    }

    /// A line of the output: cut to the width, and in the colour of `tone`.
    pub(crate) fn line(self, tone: Tone, line: &str, out: &mut String) {
        out.push_str(&self.paint(tone, &self.fit(line)));
        out.push('\n');
    }

    /// The line cut to the width, with an ellipsis.
    pub(crate) fn fit(self, line: &str) -> Cow<'_, str> {
        match self.width {
            Some(room) if width(line) > room.max(20) => {
                let mut cut: String = line.chars().take(room.max(20) - 1).collect();
                cut.push('…');
                Cow::Owned(cut)
            }
            _ => Cow::Borrowed(line),
        }
    }
}

/// How many columns the text takes.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// Adds `n` blanks to `out`.
pub(crate) fn blanks(n: usize, out: &mut String) {
    const SOME: &str = "                                                                ";
    let mut left = n;
    while left > 0 {
        let part = left.min(SOME.len());
        out.push_str(&SOME[..part]);
        left -= part;
    }
}

/// The tone of a share of the whole.
pub(crate) fn heat(share: f64) -> Tone {
    match share {
        s if s >= 0.2 => Tone::Hot,
        s if s >= 0.02 => Tone::Warm,
        _ => Tone::Plain,
    }
}

/// Rows of cells; numbers to the right, words to the left.
pub(crate) struct Table {
    headings: Vec<(&'static str, bool)>,
    /// The text of all cells, row by row, and where each ends.
    text: String,
    ends: Vec<usize>,
    tones: Vec<Tone>,
    /// The columns that each column's content takes.
    widths: Vec<usize>,
}

impl Table {
    /// Columns by heading; `true` for those of numbers.
    pub(crate) fn new(headings: &[(&'static str, bool)]) -> Table {
        Table {
            headings: headings.to_vec(),
            text: String::new(),
            ends: Vec::new(),
            tones: Vec::new(),
            widths: vec![0; headings.len()],
        }
    }

    /// A row of plain text.
    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.push_toned(row, Tone::Plain);
    }

    /// A row with a tone.
    pub(crate) fn push_toned(&mut self, row: Vec<String>, tone: Tone) {
        debug_assert_eq!(row.len(), self.headings.len());
        for (cell, widest) in row.iter().zip(&mut self.widths) {
            *widest = (*widest).max(width(cell));
            self.text.push_str(cell);
            self.ends.push(self.text.len());
        }
        self.tones.push(tone);
    }

    /// The table as text; columns without any content are left out.
    pub(crate) fn render(&self, style: Style) -> String {
        let mut out = String::with_capacity(2 * self.text.len());
        self.render_to(style, &mut out);
        out
    }

    /// As [`Table::render`], at the end of `out`.
    pub(crate) fn render_to<'a>(&'a self, style: Style, out: &mut String) {
        let columns: Vec<(usize, usize)> = (0..self.headings.len())
            .filter(|&c| self.widths[c] > 0)
            .map(|c| (c, self.widths[c].max(width(self.headings[c].0))))
            .collect();
        let mut line = String::new();
        let mut row = |tone: Tone, cell: &dyn Fn(usize) -> &'a str| {
            line.clear();
            for (i, &(c, w)) in columns.iter().enumerate() {
                let cell = cell(c);
                let empty = w.saturating_sub(width(cell));
                let (before, after) = if self.headings[c].1 { (empty, 0) } else { (0, empty) };
                blanks(before + if i > 0 { 2 } else { 0 }, &mut line);
                line.push_str(cell);
                blanks(after, &mut line);
            }
            style.line(tone, line.trim_end(), out);
        };
        row(Tone::Heading, &|c| self.headings[c].0);
        for (n, &tone) in self.tones.iter().enumerate() {
            let first = n * self.headings.len();
            let start = |c: usize| if first + c == 0 { 0 } else { self.ends[first + c - 1] };
            row(tone, &|c| &self.text[start(c)..self.ends[first + c]]);
        }
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

    #[test]
    fn width_and_colour() {
        let mut table = Table::new(&[("n", true), ("text", false)]);
        table.push_toned(vec!["1".into(), "a long text that does not fit".into()], Tone::Hot);
        assert_eq!(table.render(Style::default()), "n  text\n1  a long text that does not fit\n");
        let narrow = Style { color: true, width: Some(20) };
        assert_eq!(table.render(narrow), "\u{1b}[1mn  text\u{1b}[0m\n\u{1b}[1;31m1  a long text that…\u{1b}[0m\n");
    }
}
