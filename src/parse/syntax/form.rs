//! Source form: from the lines of a file to logical lines, one statement each.
//!
//! A [`Line`] is the text of one statement with continuations joined, comments gone, and letters outside of character
//! constants in lower case; in fixed form also without blanks outside of them. A map leads from each of its bytes back to
//! the byte of the file that it came from. A Hollerith constant `5Hab cd` is marked by [`HOLLERITH`] in place of its `H`,
//! so that every scanner of the text finds the same constants.

use std::cell::Cell;
use std::sync::Arc;

use trueline_diag::{Diagnostic, Diagnostics, FileId, Span};

mod fixed;
mod free;

/// Stands in a logical line for the `H` of a Hollerith constant. No source byte outside of a constant becomes this one.
pub const HOLLERITH: u8 = 1;

/// The two source forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Columns 1–5 label, 6 continuation, 7–72 statement; blanks mean nothing.
    Fixed,
    /// `&` continues, blanks separate.
    Free,
}

/// The beginning of a directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sentinel {
    /// `!HPF$`
    Hpf,
    /// `!$OMP`
    Omp,
    /// `!$OMPI`
    Ompi,
    /// `!TL$`
    Trueline,
}

/// The finding of a reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A statement, possibly with a label, possibly nothing but a label.
    Statement,
    /// A directive; the sentinel is not in the text.
    Directive(Sentinel),
    /// The end of the file.
    End,
}

/// One logical line.
#[derive(Debug)]
pub struct Line {
    /// The text.
    pub text: Vec<u8>,
    /// The label field.
    pub label: Option<(u32, Span)>,
    /// The source form decides whether blanks separate.
    pub form: Form,
    /// True when the statement begins in the middle of a source line, after `;`.
    pub after_semicolon: bool,
    file: FileId,
    segments: Vec<(u32, u32)>,
    next_source: u32,
}

impl Line {
    /// An empty line of a file.
    pub fn new(file: FileId, form: Form) -> Self {
        let (text, segments) = (Vec::with_capacity(256), Vec::with_capacity(32));
        Line { text, label: None, form, after_semicolon: false, file, segments, next_source: u32::MAX }
    }

    /// The file that it comes from.
    pub fn file(&self) -> FileId {
        self.file
    }

    fn clear(&mut self) {
        self.text.clear();
        self.segments.clear();
        self.label = None;
        self.after_semicolon = false;
        self.next_source = u32::MAX;
    }

    /// Adds a byte that stands at `source` in the file.
    fn push(&mut self, byte: u8, source: usize) {
        let source = source as u32;
        if source != self.next_source {
            self.segments.push((self.text.len() as u32, source));
        }
        self.text.push(byte);
        self.next_source = source + 1;
    }

    /// The offset in the file of the byte at `at` of the text; past the end, the offset after the last byte.
    pub fn source(&self, at: usize) -> u32 {
        if at >= self.text.len() {
            return if self.text.is_empty() { 0 } else { self.next_source };
        }
        let segment = self.segments.partition_point(|&(text, _)| text as usize <= at);
        let (text, source) = self.segments[segment - 1];
        source + (at as u32 - text)
    }

    /// The span of a range of the text: from its first to its last byte.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let first = self.source(start);
        let last = if end > start { self.source(end - 1) + 1 } else { first };
        Span::new(self.file, first, last)
    }

    /// The span of everything but the label.
    pub fn whole(&self) -> Span {
        self.span(0, self.text.trim_ascii_end().len())
    }
}

/// Reads the logical lines of one file.
#[derive(Debug)]
pub struct Reader {
    file: FileId,
    form: Form,
    bytes: Arc<Vec<u8>>,
    /// The end of the text that is read, before trailing end-of-file marks.
    end: usize,
    pos: usize,
    /// Set when the last statement ended with `;`: where the next one starts, and its column.
    pending: Option<(usize, usize)>,
    /// In fixed form, the last column that counts.
    limit: usize,
    /// Lines that end within a constant are padded.
    pad: bool,
    /// A `d` in the first column of fixed form is a blank.
    d_lines: bool,
    newline: u8,
    /// A part of a line whose end is known: a line of 10^5 statements is searched once, not 10^5 times.
    known_line: Cell<(usize, usize)>,
}

impl Reader {
    /// A reader at the start of a file.
    pub fn new(file: FileId, bytes: Arc<Vec<u8>>, form: Form, options: &crate::Options) -> Self {
        let newline = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
        let end =
            bytes.iter().rposition(|byte| !matches!(byte, 0x1a | b'\n' | b'\r' | b' ')).map_or(0, |last| last + 1);
        let pos = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let limit = options.line_length.map_or(usize::MAX, |length| length as usize);
        Reader {
            file,
            form,
            bytes,
            end: end.max(pos),
            pos,
            pending: None,
            limit,
            pad: options.pad,
            d_lines: options.d_lines,
            newline,
            known_line: Cell::new((1, 0)),
        }
    }

    /// A reader of whole lines in the middle of a file.
    pub fn of_range(
        file: FileId,
        bytes: Arc<Vec<u8>>,
        range: std::ops::Range<usize>,
        form: Form,
        options: &crate::Options,
    ) -> Self {
        let whole = Reader::new(file, bytes, form, options);
        Reader { pos: whole.pos.max(range.start), end: whole.end.min(range.end), ..whole }
    }

    /// The file that is read.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The source form.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The next statement or directive, in `line`.
    pub fn next(&mut self, line: &mut Line, diags: &mut Diagnostics) -> Event {
        line.clear();
        line.file = self.file;
        line.form = self.form;
        match self.form {
            Form::Fixed => self.next_fixed(line, diags),
            Form::Free => self.next_free(line, diags),
        }
    }

    /// The end of the source line that contains `at`: the offset of its line end.
    fn line_end(&self, at: usize) -> usize {
        let (start, end) = self.known_line.get();
        if (start..=end).contains(&at) {
            return end;
        }
        let end =
            self.bytes[at..self.end].iter().position(|&byte| byte == self.newline).map_or(self.end, |len| at + len);
        self.known_line.set((at, end));
        end
    }

    /// The byte at `at`, blanks of every sort as a blank.
    fn byte(&self, at: usize) -> u8 {
        match self.bytes[at] {
            b'\r' | 0x0b | 0x0c => b' ',
            HOLLERITH => 2,
            byte => byte,
        }
    }

    /// A line that starts with `#`: the mark of a preprocessor, which is skipped, or a line for one.
    fn preprocessor_line(&self, start: usize, end: usize, diags: &mut Diagnostics) {
        let rest = self.bytes[start + 1..end].trim_ascii_start();
        if rest.first().is_none_or(u8::is_ascii_digit) || rest.starts_with(b"line ") {
            return;
        }
        let span = Span::new(self.file, start as u32, end as u32);
        diags.push(
            Diagnostic::warning("T0103", span, "Preprocessor directive in a file that is not preprocessed")
                .help("Use the option -cpp, or a suffix in upper case such as .F90"),
        );
    }

    fn unterminated(&self, quote: u8, at: usize, end: usize, diags: &mut Diagnostics) {
        let span = Span::new(self.file, at as u32, end as u32);
        diags.push(
            Diagnostic::error("T0101", span, "Unterminated character constant")
                .label(format!("no closing {} follows", quote as char)),
        );
    }
}

/// The sentinel of a directive at the start of a comment (its first byte is the comment sign), and its length.
/// In fixed form `c` and `*` introduce one too.
fn sentinel(comment: &[u8], form: Form) -> Option<(Sentinel, usize)> {
    let (&sign, rest) = comment.split_first()?;
    if sign != b'!' && !(form == Form::Fixed && matches!(sign, b'c' | b'C' | b'*')) {
        return None;
    }
    let starts = |word: &[u8]| rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word);
    let found = match () {
        _ if starts(b"hpf$") => (Sentinel::Hpf, 5),
        _ if starts(b"$ompi") => (Sentinel::Ompi, 6),
        _ if starts(b"$omp") => (Sentinel::Omp, 5),
        _ if starts(b"tl$") => (Sentinel::Trueline, 4),
        _ => return None,
    };
    let separated = rest.get(found.1 - 1).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    // In fixed form the column after the sentinel may hold a continuation sign of any sort.
    (separated || form == Form::Fixed).then_some(found)
}

/// The number of bytes of a Hollerith constant whose `H` comes now: the digits at the end of `text`, unless they belong to
/// something else. `DO10H=1,5` and `REAL*8HEIGHT` have none, `FORMAT(1X5HHELLO)` has one.
fn hollerith_count(text: &[u8]) -> Option<usize> {
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || digits > 9 || digits == text.len() {
        return None;
    }
    let (before, number) = text.split_at(text.len() - digits);
    let is_one = match before[before.len() - 1] {
        byte if byte.is_ascii_alphabetic() => before.starts_with(b"format("),
        b'_' | b'%' | b'\'' | b'"' | 0x80.. => false,
        b'.' => !before[..before.len() - 1].last().is_some_and(u8::is_ascii_digit),
        b'*' => before.contains(&b'/') || !starts_with_type(before),
        b' ' => !ends_with_word(before),
        _ => true,
    };
    let count: usize = std::str::from_utf8(number).ok()?.parse().ok()?;
    (is_one && count > 0).then_some(count)
}

fn starts_with_type(text: &[u8]) -> bool {
    const TYPES: [&[u8]; 9] =
        [b"integer", b"real", b"logical", b"complex", b"character", b"double", b"implicit", b"byte", b"type"];
    TYPES.iter().any(|word| text.starts_with(word))
}

/// `do 10 h = …` in free form: a number after a word is a label.
fn ends_with_word(text: &[u8]) -> bool {
    text.trim_ascii_end().last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hollerith_or_not() {
        let count = |text: &str| hollerith_count(text.as_bytes());
        assert_eq!(count("datax/3*4"), Some(4));
        assert_eq!(count("callf(12"), Some(12));
        assert_eq!(count("format(1x5"), Some(5));
        assert_eq!(count("if(x.eq.4"), Some(4));
        assert_eq!(count("do10"), None);
        assert_eq!(count("real*8"), None);
        assert_eq!(count("x=1.5"), None);
        assert_eq!(count("do 10"), None);
        assert_eq!(count("10"), None);
    }
}
