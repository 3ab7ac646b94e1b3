//! Free source form.

use trueline_diag::{Diagnostic, Diagnostics, Span};

use super::{Event, HOLLERITH, Line, Reader, Sentinel, hollerith_count, sentinel};

impl Reader {
    pub(super) fn next_free(&mut self, line: &mut Line, diags: &mut Diagnostics) -> Event {
        if let Some((at, _)) = self.pending.take() {
            line.after_semicolon = true;
            let body = self.free_label(at, self.line_end(at), line, diags);
            self.free_statement(body, line, diags);
            return Event::Statement;
        }
        while self.pos < self.end {
            let start = self.pos;
            let first = self.skip_blanks(start);
            let byte = if first < self.end { self.bytes[first] } else { self.newline };
            if byte == self.newline {
                self.pos = first + 1;
                continue;
            }
            let end = self.line_end(first);
            self.pos = end + 1;
            if byte == b'!' {
                if let Some((which, len)) = sentinel(&self.bytes[first..end], self.form) {
                    self.free_directive(which, first + len, line);
                    return Event::Directive(which);
                }
                continue;
            }
            if byte == b'#' && first == start {
                self.preprocessor_line(start, end, diags);
                continue;
            }
            let body = self.free_label(first, end, line, diags);
            self.free_statement(body, line, diags);
            if !line.text.is_empty() || line.label.is_some() || self.pending.is_some() {
                return Event::Statement;
            }
        }
        Event::End
    }

    fn skip_blanks(&self, mut at: usize) -> usize {
        while at < self.end && self.bytes[at] != self.newline && matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        at
    }

    /// Digits in front of the statement; gives where the statement begins.
    fn free_label(&self, first: usize, end: usize, line: &mut Line, diags: &mut Diagnostics) -> usize {
        let digits = self.bytes[first..end].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let after = first + digits;
        if digits == 0 || (after < end && !matches!(self.byte(after), b' ' | b'\t' | b'&' | b';' | b'!')) {
            return first;
        }
        let span = Span::new(self.file, first as u32, after as u32);
        let text = std::str::from_utf8(&self.bytes[first..after]).unwrap_or_default();
        match text.parse::<u32>() {
            Ok(value) if digits <= 5 => line.label = Some((value, span)),
            _ => diags.push(Diagnostic::error("T0105", span, "A label has at most five digits")),
        }
        self.skip_blanks(after)
    }

    fn free_statement(&mut self, start: usize, line: &mut Line, diags: &mut Diagnostics) {
        let mut at = self.skip_blanks(start);
        let mut quote: Option<(u8, usize)> = None;
        loop {
            if at >= self.end || self.bytes[at] == self.newline {
                if let Some((open, first)) = quote {
                    self.unterminated(open, first, at, diags);
                    line.push(open, at);
                }
                self.pos = at + 1;
                break;
            }
            let raw = self.bytes[at];
            if raw == b'&' && self.continues(at, quote.is_some()) {
                match self.free_continuation(at, quote.is_some()) {
                    Some((next, joined)) => {
                        let doubles =
                            line.text.last().is_some_and(|&q| matches!(q, b'\'' | b'"') && q == self.bytes[next]);
                        if !joined && quote.is_none() && !doubles {
                            line.push(b' ', at);
                        }
                        at = next;
                        self.pos = self.line_end(at) + 1;
                        continue;
                    }
                    None => {
                        at = self.line_end(at);
                        continue;
                    }
                }
            }
            if let Some((open, _)) = quote {
                if !(raw == b'\r' && self.bytes.get(at + 1).is_none_or(|&next| next == self.newline)) {
                    line.push(raw, at);
                }
                if raw == open {
                    quote = None;
                }
                at += 1;
                continue;
            }
            match self.byte(at) {
                b'\t' | b' ' => line.push(b' ', at),
                b'!' => {
                    at = self.line_end(at);
                    continue;
                }
                b';' => {
                    let next = self.skip_blanks(at + 1);
                    let end = self.line_end(next);
                    let more = next < end && self.bytes[next] != b'!';
                    self.pos = end + 1;
                    self.pending = more.then_some((next, 0));
                    break;
                }
                open @ (b'\'' | b'"') => {
                    line.push(open, at);
                    quote = Some((open, at));
                }
                b'h' | b'H' => match hollerith_count(&line.text) {
                    Some(count) => {
                        at = self.free_hollerith(at, count, line);
                        continue;
                    }
                    None => line.push(b'h', at),
                },
                byte => line.push(byte.to_ascii_lowercase(), at),
            }
            at += 1;
        }
        while line.text.last() == Some(&b' ') {
            line.text.pop();
        }
        if line.text.is_empty() {
            line.segments.clear();
            line.next_source = u32::MAX;
        } else {
            // The trimming may have cut through segments.
            let len = line.text.len() as u32;
            while line.segments.last().is_some_and(|&(text, _)| text >= len) {
                line.segments.pop();
            }
            let &(text, source) = line.segments.last().unwrap_or(&(0, 0));
            line.next_source = source + (len - text);
        }
    }

    /// Copies a Hollerith constant whose `H` stands at `at`; one that runs past the end of the line is padded.
    fn free_hollerith(&self, at: usize, count: usize, line: &mut Line) -> usize {
        let end = self.line_end(at);
        line.push(HOLLERITH, at);
        let last = (at + 1 + count).min(end);
        (at + 1..last).for_each(|at| line.push(self.bytes[at], at));
        (last..at + 1 + count.min(4096)).for_each(|_| line.push(b' ', at));
        last
    }

    /// True when the `&` at `at` ends its line: only blanks follow, or (outside of constants) a comment.
    fn continues(&self, at: usize, in_constant: bool) -> bool {
        let next = self.skip_blanks(at + 1);
        next >= self.end || self.bytes[next] == self.newline || (!in_constant && self.bytes[next] == b'!')
    }

    /// The place where a statement goes on after the `&` at `at`, and whether a second `&` joins the two without a blank. Comments and
    /// blank lines are skipped, and the blanks before a constant that goes on without a `&`, as by every compiler that takes it.
    fn free_continuation(&self, at: usize, in_constant: bool) -> Option<(usize, bool)> {
        let mut start = self.line_end(at) + 1;
        while start < self.end {
            let first = self.skip_blanks(start);
            if first >= self.end {
                return None;
            }
            match self.bytes[first] {
                byte if byte == self.newline => start = first + 1,
                b'!' => start = self.line_end(first) + 1,
                b'#' if first == start => start = self.line_end(first) + 1,
                // A line with nothing but `&` continues nothing and is skipped.
                b'&' if self.continues(first, in_constant) => start = self.line_end(first) + 1,
                b'&' => return Some((first + 1, true)),
                _ => return Some((first, false)),
            }
        }
        None
    }

    /// Reads a directive. `&` at the end continues it on a line with the same sentinel (and perhaps `&`).
    fn free_directive(&mut self, which: Sentinel, start: usize, line: &mut Line) {
        let mut at = self.skip_blanks(start);
        let mut quote = None;
        loop {
            let end = self.line_end(at.min(self.end));
            let mut continued = false;
            while at < end {
                let byte = self.byte(at);
                match (quote, byte) {
                    (Some(open), _) if byte == open => quote = None,
                    (None, b'\'' | b'"') => quote = Some(byte),
                    (None, b'!') => break,
                    (None, b'&') if self.continues(at, false) => {
                        continued = true;
                        break;
                    }
                    _ => {}
                }
                let byte = if quote.is_some() { byte } else { byte.to_ascii_lowercase() };
                line.push(if byte == b'\t' { b' ' } else { byte }, at);
                at += 1;
            }
            self.pos = end + 1;
            if !continued || self.pos >= self.end {
                return;
            }
            let first = self.skip_blanks(self.pos);
            let next_end = self.line_end(first.min(self.end));
            match sentinel(&self.bytes[first.min(next_end)..next_end], self.form) {
                Some((other, len)) if other == which => {
                    line.push(b' ', at);
                    at = self.skip_blanks(first + len);
                    if at < self.end && self.bytes[at] == b'&' {
                        at += 1;
                    }
                }
                _ => return,
            }
        }
    }
}
