//! Tables in plain text, as wide as the terminal, and with colour where it is one.

use std::borrow::Cow;

/// The style of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Whether to use the terminal's colours.
    pub color: bool,
    /// The columns there are; without a bound when output goes to a file.
    pub width: Option<usize>,
}

/// The role of a cell or line, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tone {
    /// A heading.
    Heading,
    /// Costs much.
    Hot,
    /// Costs something.
    Warm,
    /// Less important text.
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

/// The number of columns that the text takes.
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

/// A column of a [`Table`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// Its heading.
    heading: &'static str,
    /// Whether it is one of numbers, which stand to the right.
    number: bool,
    /// The rank: if the terminal is too narrow the columns with the lowest rank are left out first; those of rank 0
    /// always stay.
    rank: u8,
    /// The width that its text may be cut to; numbers are never cut.
    least: Option<usize>,
    /// The width that its text is cut to before a column of a higher rank than [`DEAR`] is left out.
    tight: usize,
    /// The place at which its text is cut.
    cut: Cut,
}

/// The place at which a text that is too long is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cut {
    /// At its end.
    End,
    /// In the middle, so that the end of a path and the line stay.
    Middle,
}

impl Column {
    /// A column of numbers.
    pub(crate) const fn number(heading: &'static str, rank: u8) -> Column {
        Column { heading, number: true, rank, least: None, tight: 0, cut: Cut::End }
    }

    /// A column of text that may be cut at its end.
    pub(crate) const fn text(heading: &'static str, rank: u8, least: usize) -> Column {
        Column { heading, number: false, rank, least: Some(least), tight: least, cut: Cut::End }
    }

    /// The column, cut to `tight` characters before a dear one is left out.
    pub(crate) const fn or_tight(self, tight: usize) -> Column {
        Column { tight, ..self }
    }

    /// A column of paths and lines, which may be cut in the middle.
    pub(crate) const fn place(heading: &'static str, rank: u8, least: usize) -> Column {
        Column { cut: Cut::Middle, ..Column::text(heading, rank, least) }
    }
}

/// Rows of cells; numbers to the right, words to the left.
pub(crate) struct Table {
    columns: Vec<Column>,
    /// The text of all cells, row by row, and where each ends.
    text: String,
    ends: Vec<usize>,
    tones: Vec<Tone>,
    /// The columns that each column's content takes.
    widths: Vec<usize>,
}

impl Table {
    /// Columns by heading; `true` for those of numbers. A line that is too long for the terminal is cut at its end.
    pub(crate) fn new(headings: &[(&'static str, bool)]) -> Table {
        let column = |&(heading, number)| Column { heading, number, rank: 0, least: None, tight: 0, cut: Cut::End };
        Table::with(headings.iter().map(column).collect())
    }

    /// A table that is fitted to the terminal by leaving out columns and cutting texts.
    pub(crate) fn with(columns: Vec<Column>) -> Table {
        let widths = vec![0; columns.len()];
        Table { columns, text: String::new(), ends: Vec::new(), tones: Vec::new(), widths }
    }

    /// A row of plain text.
    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.push_toned(row, Tone::Plain);
    }

    /// A row with a tone.
    pub(crate) fn push_toned(&mut self, row: Vec<String>, tone: Tone) {
        debug_assert_eq!(row.len(), self.columns.len());
        for (cell, widest) in row.iter().zip(&mut self.widths) {
            *widest = (*widest).max(width(cell));
            self.text.push_str(cell);
            self.ends.push(self.text.len());
        }
        self.tones.push(tone);
    }

    /// Whether there is no row.
    pub(crate) fn is_empty(&self) -> bool {
        self.tones.is_empty()
    }

    /// The table as text; columns without any content are left out.
    pub(crate) fn render(&self, style: Style) -> String {
        let mut out = String::with_capacity(2 * self.text.len());
        self.render_to(style, &mut out);
        out
    }

    /// As [`Table::render`], at the end of `out`.
    pub(crate) fn render_to<'a>(&'a self, style: Style, out: &mut String) {
        let columns = self.fitted(style);
        let mut line = String::new();
        let mut row = |tone: Tone, cell: &dyn Fn(usize) -> &'a str| {
            line.clear();
            for (i, &(c, w)) in columns.iter().enumerate() {
                let cell = match self.columns[c].cut {
                    Cut::End => cut_end(cell(c), w),
                    Cut::Middle => cut_middle(cell(c), w),
                };
                let empty = w.saturating_sub(width(&cell));
                let (before, after) = if self.columns[c].number { (empty, 0) } else { (0, empty) };
                blanks(before + if i > 0 { 2 } else { 0 }, &mut line);
                line.push_str(&cell);
                blanks(after, &mut line);
            }
            style.line(tone, line.trim_end(), out);
        };
        row(Tone::Heading, &|c| self.columns[c].heading);
        for (n, &tone) in self.tones.iter().enumerate() {
            let first = n * self.columns.len();
            let start = |c: usize| if first + c == 0 { 0 } else { self.ends[first + c - 1] };
            row(tone, &|c| &self.text[start(c)..self.ends[first + c]]);
        }
    }

    /// The columns that are shown, with their widths. Where there is no room for all, those of the lowest rank go; the
    /// room that is left then goes to the texts, a construct's before a status's.
    fn fitted(&self, style: Style) -> Vec<(usize, usize)> {
        let natural = |c: usize| self.widths[c].max(width(self.columns[c].heading));
        let mut shown: Vec<(usize, usize)> =
            (0..self.columns.len()).filter(|&c| self.widths[c] > 0).map(|c| (c, natural(c))).collect();
        let Some(room) = style.width.map(|w| w.max(MOST_NARROW)) else { return shown };
        let total =
            |shown: &[(usize, usize)]| shown.iter().map(|s| s.1).sum::<usize>() + 2 * shown.len().saturating_sub(1);
        if total(&shown) <= room {
            return shown;
        }
        let least = |c: usize| self.columns[c].least.map_or(natural(c), |least| least.min(natural(c)));
        shown.iter_mut().for_each(|s| s.1 = least(s.0));
        while total(&shown) > room {
            let lowest = |&(_, &(c, _)): &(usize, &(usize, usize))| self.columns[c].rank;
            let ranked = shown.iter().enumerate().filter(|(_, (c, _))| self.columns[*c].rank > 0);
            let Some((at, &(lowest, _))) = ranked.min_by_key(lowest) else { break };
            let loose = |&(c, w): &(usize, usize)| self.columns[c].least.is_some() && w > self.columns[c].tight;
            match shown.iter().position(loose).filter(|_| self.columns[lowest].rank >= DEAR) {
                Some(text) => shown[text].1 = self.columns[shown[text].0].tight,
                None => drop(shown.remove(at)),
            }
        }
        let mut left = room.saturating_sub(total(&shown));
        // A construct's text is cut last, then paths are, then the others.
        let mut order: Vec<usize> = (0..shown.len()).collect();
        order.sort_by_key(|&i| {
            let column = self.columns[shown[i].0];
            (column.rank > 0, column.cut == Cut::Middle, i)
        });
        for i in order {
            let (c, w) = &mut shown[i];
            let more = (natural(*c) - *w).min(left);
            (*w, left) = (*w + more, left - more);
        }
        shown
    }
}

/// Columns of this rank and higher are left out only when all texts are as short as they may be.
const DEAR: u8 = 6;

/// No table is fitted to less.
const MOST_NARROW: usize = 40;

/// The text, cut to `most` characters with an ellipsis at its end.
fn cut_end(text: &str, most: usize) -> Cow<'_, str> {
    if width(text) <= most {
        return Cow::Borrowed(text);
    }
    let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    Cow::Owned(cut)
}

/// The text, cut to `most` characters with an ellipsis a quarter from its beginning.
fn cut_middle(text: &str, most: usize) -> Cow<'_, str> {
    let all = width(text);
    if all <= most {
        return Cow::Borrowed(text);
    }
    let before = most.saturating_sub(1) / 4;
    let after = most.saturating_sub(1) - before;
    let mut cut: String = text.chars().take(before).collect();
    cut.push('…');
    cut.extend(text.chars().skip(all - after));
    Cow::Owned(cut)
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

    #[test]
    fn narrow_terminals_lose_columns_before_texts() {
        let columns = vec![
            Column::place("line", 0, 12),
            Column::text("construct", 0, 10),
            Column::number("time", 3),
            Column::number("trips", 1),
            Column::text("status", 2, 6),
        ];
        let mut table = Table::with(columns);
        let row = ["src/of/a/project/long_name.f90:118", "do i = 2, n - 1", "65.5 ms", "1,000,000", "merged 28+34"];
        table.push(row.iter().map(|&c| c.to_owned()).collect());
        let rendered = |width| table.render(Style { color: false, width });
        assert!(rendered(None).lines().nth(1).unwrap().ends_with("1,000,000  merged 28+34"));
        assert_eq!(
            rendered(Some(60)),
            "line             construct           time      trips  status\n\
             src…ame.f90:118  do i = 2, n - 1  65.5 ms  1,000,000  merge…\n"
        );
        for width in 40..100 {
            assert!(rendered(Some(width)).lines().all(|l| l.chars().count() <= width), "{width}");
            assert!(rendered(Some(width)).contains(":118"), "{width}");
        }
    }
}
