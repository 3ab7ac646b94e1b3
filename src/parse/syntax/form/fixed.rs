//! Fixed source form.

use trueline_diag::{Diagnostic, Diagnostics, Span};

use super::{Event, HOLLERITH, Line, Reader, Sentinel, hollerith_count, sentinel};

/// The contents of the first six columns.
struct Front {
    label: Option<(u32, Span)>,
    continuation: bool,
    /// The start of column 7.
    body: usize,
}

/// A constant that the line end does not end.
#[derive(Clone, Copy)]
enum Inside {
    Nothing,
    Quote(u8, usize),
    Hollerith(usize, usize),
}

impl Reader {
    pub(super) fn next_fixed(&mut self, line: &mut Line, diags: &mut Diagnostics) -> Event {
        if let Some((at, column)) = self.pending.take() {
            line.after_semicolon = true;
            self.statement(at, column, line, diags);
            return Event::Statement;
        }
        while self.pos < self.end {
            let (start, end) = (self.pos, self.line_end(self.pos));
            self.pos = end + 1;
            if self.is_comment(start, end) {
                if let Some((sentinel, len)) = sentinel(&self.bytes[start..end], self.form) {
                    self.directive(sentinel, start, len, line);
                    return Event::Directive(sentinel);
                }
                continue;
            }
            if self.bytes[start] == b'#' {
                self.preprocessor_line(start, end, diags);
                continue;
            }
            let front = self.front(start, end, Some(diags));
            if front.continuation {
                let span = Span::new(self.file, start as u32, end as u32);
                let message = "Continuation line without a statement to continue";
                diags.push(Diagnostic::error("T0102", span, message).help("Column 6 must be blank or 0 here"));
                continue;
            }
            line.label = front.label;
            self.statement(front.body, 7, line, diags);
            if !line.text.is_empty() || line.label.is_some() || self.pending.is_some() {
                return Event::Statement;
            }
        }
        Event::End
    }

    /// Column 1 says so, or there is nothing but blanks and a `!` that is not in column 6. `d` is a comment when no word follows
    /// it: DATA in column 1 shall not vanish silently.
    fn is_comment(&self, start: usize, end: usize) -> bool {
        let text = &self.bytes[start..end];
        match text {
            [] | [b'c' | b'C' | b'*' | b'!', ..] => return true,
            [b'd' | b'D', rest @ ..] if !self.d_lines => {
                return rest.first().is_none_or(|byte| !byte.is_ascii_alphabetic());
            }
            _ => {}
        }
        match text.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)) {
            None => true,
            Some(at) => text[at] == b'!' && (at != 5 || text[..at].contains(&b'\t')),
        }
    }

    /// Reads columns 1 to 6. Errors are reported where the line is read for the first time.
    fn front(&self, start: usize, end: usize, mut diags: Option<&mut Diagnostics>) -> Front {
        let mut front = Front { label: None, continuation: false, body: end };
        let (mut value, mut digits) = (0u32, None);
        for (column, at) in (start..end).enumerate() {
            let byte = self.byte(at);
            match byte {
                b'\t' => {
                    let next = self.bytes.get(at + 1).filter(|_| at + 1 < end);
                    front.continuation = digits.is_none() && matches!(next, Some(b'1'..=b'9'));
                    front.body = at + 1 + front.continuation as usize;
                    break;
                }
                _ if column == 5 => {
                    front.continuation = !matches!(byte, b' ' | b'0');
                    front.body = at + 1;
                    break;
                }
                b' ' => {}
                b'd' | b'D' if column == 0 && self.d_lines => {}
                b'0'..=b'9' => {
                    value = value * 10 + u32::from(byte - b'0');
                    digits = Some((digits.map_or(at, |(first, _)| first), at + 1));
                }
                b'!' => break,
                _ => {
                    if let Some(diags) = diags.take() {
                        let span = Span::new(self.file, at as u32, at as u32 + 1);
                        let message = "Only a label may stand in columns 1 to 5 of fixed source form";
                        let help = "Use the suffix .f90 or the option -ffree-form for free source form";
                        diags.push(Diagnostic::error("T0104", span, message).help(help));
                    }
                    // The rest of the line is read as if the field were blank.
                }
            }
        }
        front.label = digits.map(|(first, last)| (value, Span::new(self.file, first as u32, last as u32)));
        front
    }

    /// Reads a statement that starts at `at`, in the given column, to its end.
    fn statement(&mut self, mut at: usize, mut column: usize, line: &mut Line, diags: &mut Diagnostics) {
        let mut end = self.line_end(at);
        let mut inside = Inside::Nothing;
        loop {
            if at >= end || column > self.limit {
                let Some((next, label)) = self.continuation(end + 1) else { break };
                if let Some((_, span)) = label {
                    let message = "A continuation line cannot have a label";
                    diags.push(
                        Diagnostic::error("T0104", span, message).help("Column 6 makes this a continuation line"),
                    );
                }
                self.pad(&mut inside, column, end, line);
                (at, column) = (next, 7);
                end = self.line_end(at);
                self.pos = end + 1;
                continue;
            }
            let raw = self.bytes[at];
            match inside {
                Inside::Quote(quote, _) => {
                    if !(raw == b'\r' && at + 1 == end) {
                        line.push(raw, at);
                    }
                    if raw == quote {
                        inside = Inside::Nothing;
                    }
                }
                Inside::Hollerith(left, first) => {
                    line.push(raw, at);
                    inside = if left > 1 { Inside::Hollerith(left - 1, first) } else { Inside::Nothing };
                }
                Inside::Nothing => match self.byte(at) {
                    b' ' | b'\t' => {}
                    b'!' => {
                        at = end;
                        continue;
                    }
                    b';' => {
                        self.pending = self.more(at + 1, end).then_some((at + 1, column + 1));
                        return;
                    }
                    quote @ (b'\'' | b'"') => {
                        line.push(quote, at);
                        inside = Inside::Quote(quote, at);
                    }
                    b'h' | b'H' => match hollerith_count(&line.text) {
                        Some(count) => {
                            line.push(HOLLERITH, at);
                            inside = Inside::Hollerith(count, at);
                        }
                        None => line.push(b'h', at),
                    },
                    byte => line.push(byte.to_ascii_lowercase(), at),
                },
            }
            at += 1;
            column += 1;
        }
        match inside {
            Inside::Quote(quote, first) => {
                line.push(quote, at.min(self.end));
                self.unterminated(quote, first, self.line_end(first), diags);
            }
            Inside::Hollerith(left, first) => {
                (0..left).for_each(|_| line.push(b' ', first));
            }
            Inside::Nothing => {}
        }
    }

    /// True when a statement or a continuation follows a `;`.
    fn more(&self, at: usize, end: usize) -> bool {
        let rest = self.bytes[at..end].trim_ascii_start();
        !(rest.is_empty() || rest[0] == b'!') || self.continuation(end + 1).is_some()
    }

    /// Inside a constant, the columns up to the last one that counts are blanks.
    fn pad(&self, inside: &mut Inside, column: usize, at: usize, line: &mut Line) {
        if self.limit == usize::MAX || !self.pad {
            return;
        }
        for _ in column..=self.limit {
            match inside {
                Inside::Nothing => return,
                Inside::Quote(..) => line.push(b' ', at),
                Inside::Hollerith(left, first) => {
                    line.push(b' ', at);
                    *inside = if *left > 1 { Inside::Hollerith(*left - 1, *first) } else { Inside::Nothing };
                }
            }
        }
    }

    /// The continuation line at or after the line at `at`, over comments and blank lines: the start of its column 7, and the label
    /// in its label field.
    fn continuation(&self, mut at: usize) -> Option<(usize, Option<(u32, Span)>)> {
        while at < self.end {
            let end = self.line_end(at);
            if self.is_comment(at, end) || self.bytes[at] == b'#' {
                at = end + 1;
                continue;
            }
            let front = self.front(at, end, None);
            return front.continuation.then_some((front.body, front.label));
        }
        None
    }

    /// Reads a directive; the sign in column 6 continues the one before. HPF directives lose their blanks like statements; the
    /// others keep them, since they are kept as text.
    fn directive(&mut self, which: Sentinel, start: usize, len: usize, line: &mut Line) {
        let mut at = start + len;
        let mut end = self.line_end(start);
        loop {
            let mut quote = None;
            // Column 6 is blank or 0 in an initial line.
            at = if at < start + 6 && len < 6 { (start + 6).min(end) } else { at };
            while at < end {
                let byte = self.byte(at);
                match (quote, byte) {
                    (Some(open), _) if byte == open => quote = None,
                    (None, b'\'' | b'"') => quote = Some(byte),
                    (None, b'!') => break,
                    _ => {}
                }
                if quote.is_some() || !matches!(byte, b' ' | b'\t') {
                    line.push(if quote.is_some() { byte } else { byte.to_ascii_lowercase() }, at);
                } else if which != Sentinel::Hpf {
                    line.push(b' ', at);
                }
                at += 1;
            }
            let next = end + 1;
            if next >= self.end {
                return;
            }
            let next_end = self.line_end(next);
            let continues = sentinel(&self.bytes[next..next_end], self.form).is_some_and(|(other, _)| other == which)
                && len < 6
                && self.bytes[next..next_end].get(5).is_some_and(|sign| !matches!(sign, b' ' | b'0' | b'\t'));
            if !continues {
                return;
            }
            (at, end) = (next + 6, next_end);
            self.pos = end + 1;
            if which != Sentinel::Hpf && !line.text.is_empty() {
                line.push(b' ', next);
            }
        }
    }
}
