//! The text of a statement on one line.

use trueline_diag::{SourceMap, Span};

/// The longest text of a statement; longer ones are cut, because nobody reads on.
const LONGEST: usize = 2000;

/// The text of a directive, with its sentinel, which stands before its span.
pub fn directive(map: &SourceMap, span: Span) -> String {
    let file = map.file(span.file);
    let line = file.line_range(map.start(span).line);
    let before = &file.bytes()[line.start..(span.start as usize).max(line.start)];
    let blanks = before.len() - before.trim_ascii_start().len();
    normalised(map, Span::new(span.file, (line.start + blanks) as u32, span.end))
}

/// The text of `span` with continuation marks and comments left out and runs of blanks made one, outside
/// of character constants. Bytes that are no UTF-8 become replacement characters.
pub fn normalised(map: &SourceMap, span: Span) -> String {
    let bytes = map.text(span);
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len().min(LONGEST));
    let mut quote = None;
    let mut lines = bytes.split(|&b| b == b'\n');
    let mut first = lines.next().unwrap_or(&[]);
    let sentinel = sentinel(first).to_vec();
    if !sentinel.is_empty() {
        out.extend_from_slice(&sentinel);
        first = &first[sentinel.len()..];
    }
    let mut free = append(&mut out, first, &mut quote);
    for mut line in lines {
        if out.len() > LONGEST {
            break;
        }
        let blanks = line.len() - line.trim_ascii_start().len();
        if !sentinel.is_empty() && line[blanks..].len() >= sentinel.len() {
            let (head, rest) = line[blanks..].split_at(sentinel.len());
            if head.eq_ignore_ascii_case(&sentinel) {
                // A continuation line of a directive repeats the sentinel; a fixed-form one has its mark next.
                line = if free { rest.trim_ascii_start() } else { rest.get(1..).unwrap_or(&[]) };
                blank(&mut out);
                free = append(&mut out, line.strip_prefix(b"&").unwrap_or(line), &mut quote);
                continue;
            }
        }
        match continuation(line, free, quote.is_some()) {
            Some(rest) => {
                if quote.is_none() {
                    blank(&mut out);
                }
                free = append(&mut out, rest, &mut quote);
            }
            None => continue,
        }
    }
    finish(out)
}

/// `!HPF$` and its like at the start of a directive; empty for other statements.
fn sentinel(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|&b| b == b'$').map_or(0, |k| k + 1);
    let is_sentinel = (2..=6).contains(&end) && matches!(line[0], b'!' | b'c' | b'C' | b'*');
    if !is_sentinel {
        return &[];
    }
    // `!$OMP` has its letters after the dollar.
    let word = line[end..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
    if end == 2 { &line[..end + word] } else { &line[..end] }
}

fn finish(mut out: Vec<u8>) -> String {
    while out.last().is_some_and(|b| b.is_ascii_whitespace()) {
        out.pop();
    }
    let mut text = String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
    if text.len() > LONGEST {
        let cut = (0..=LONGEST).rev().find(|&k| text.is_char_boundary(k)).unwrap_or(0);
        text.truncate(cut);
        text.push_str(" …");
    }
    text
}

/// A blank, unless one is there already.
fn blank(out: &mut Vec<u8>) {
    if out.last().is_some_and(|&last| last != b' ') {
        out.push(b' ');
    }
}

/// Appends one line without its comment, and tells whether it ended with `&`.
fn append(out: &mut Vec<u8>, line: &[u8], quote: &mut Option<u8>) -> bool {
    let start = out.len();
    for &b in line {
        match *quote {
            Some(q) => {
                out.push(b);
                if b == q {
                    *quote = None;
                }
            }
            None if b == b'!' => break,
            None if b.is_ascii_whitespace() => {
                blank(out);
            }
            None => {
                if b == b'\'' || b == b'"' {
                    *quote = Some(b);
                }
                out.push(b);
            }
        }
    }
    let end = out[start..].iter().rposition(|b| !b.is_ascii_whitespace()).map(|k| start + k);
    match end {
        Some(k) if out[k] == b'&' => {
            out.truncate(k);
            true
        }
        _ => false,
    }
}

/// The part of a continuation line that belongs to the statement; none of a comment line.
fn continuation(line: &[u8], free: bool, in_quote: bool) -> Option<&[u8]> {
    let text = line.trim_ascii_start();
    if free {
        return match text {
            [] | [b'!', ..] => None,
            [b'&', rest @ ..] => Some(rest),
            _ if in_quote => Some(line),
            _ => Some(text),
        };
    }
    match line {
        [b'c' | b'C' | b'*' | b'd' | b'D', ..] => None,
        _ if matches!(text, [] | [b'!', ..]) => None,
        [b'\t', b'1'..=b'9', rest @ ..] => Some(rest),
        // A directive's sentinel, or the five blanks of fixed form, then the mark.
        _ => Some(line.get(6..).unwrap_or(&[])),
    }
}
