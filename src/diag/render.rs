//! Diagnostics as text: the sentence, the source line, the carets.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use crate::text::{safe, visible};
use crate::{Diagnostic, FileId, Label, Severity, SourceMap, Span};

/// The most bytes of a line that are shown on either side of a label's start. A line may have 10 MB.
const WINDOW: usize = 120;

/// The largest distance in lines between labels that are still shown in one piece.
const NEAR: u32 = 100;

/// The diagnostic with its source lines, in colours for a terminal.
pub fn render(diagnostic: &Diagnostic, map: &SourceMap) -> String {
    render_with(diagnostic, map, &Renderer::styled())
}

/// The diagnostic with its source lines, without colours.
pub fn render_plain(diagnostic: &Diagnostic, map: &SourceMap) -> String {
    render_with(diagnostic, map, &Renderer::plain())
}

/// The diagnostic on one line, as tools read it: `file:line:column: error: text [T0123]`.
pub fn one_line(diagnostic: &Diagnostic, map: &SourceMap) -> String {
    let diagnostic = &*discreet(diagnostic, map);
    let word = diagnostic.severity.word();
    let message = safe(&diagnostic.message);
    let code = diagnostic.code;
    match &diagnostic.primary {
        Some(label) => {
            let at = map.start(label.span);
            let name = safe(map.file(label.span.file).name());
            format!("{name}:{}:{}: {word}: {message} [{code}]", at.line, at.column)
        }
        None => format!("trueline: {word}: {message} [{code}]"),
    }
}

/// The diagnostic in gfortran's layout, which editors and build tools read: the place, the line with a mark, and the
/// message behind `Error:` or `Warning:`.
pub fn render_gcc(diagnostic: &Diagnostic, map: &SourceMap) -> String {
    let diagnostic = &*discreet(diagnostic, map);
    let word = match diagnostic.severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Note => "Note",
    };
    let message = format!("{word}: {} [{}]\n", safe(&diagnostic.message), diagnostic.code);
    let Some(label) = &diagnostic.primary else { return message };
    let at = map.start(label.span);
    let file = map.file(label.span.file);
    let place = format!("{}:{}:{}:\n\n", safe(file.name()), at.line, at.column);
    if map.is_foreign(label.span.file) {
        return place + &message;
    }
    let line = String::from_utf8_lossy(file.line_text(at.line)).into_owned();
    let column = at.column.saturating_sub(1) as usize;
    let from = column.saturating_sub(WINDOW);
    let shown: String =
        line.trim_end().chars().skip(from).take(2 * WINDOW).map(|c| if c == '\t' { ' ' } else { c }).collect();
    let mark = " ".repeat(column - from);
    format!("{place}{:>5} | {}\n      | {mark}1\n{message}", at.line, safe(&shown))
}

fn render_with(diagnostic: &Diagnostic, map: &SourceMap, renderer: &Renderer) -> String {
    let diagnostic = &*discreet(diagnostic, map);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(safe(&diagnostic.message)).id(diagnostic.code);
    let mut elements: Vec<Element<'_>> = Vec::new();
    let mut columns = Vec::new();
    for piece in pieces(diagnostic, map) {
        if map.is_foreign(piece.file) {
            elements.push(place(&piece, map).into());
        } else {
            elements.push(snippet(&piece, map, &mut columns).into());
        }
    }
    if let Some(label) = &diagnostic.primary {
        elements.extend(inclusions(label.span, map).into_iter().map(|text| Level::NOTE.message(text).into()));
    }
    elements.extend(diagnostic.notes.iter().map(|note| Level::NOTE.message(safe(note)).into()));
    elements.extend(diagnostic.help.iter().map(|help| Level::HELP.message(safe(help)).into()));
    let mut text = if elements.is_empty() {
        renderer.render(&[Group::with_title(title)])
    } else {
        renderer.render(&[title.elements(elements)])
    };
    for (shown, right) in columns {
        text = text.replacen(&shown, &right, 1);
    }
    text.push('\n');
    text
}

/// The diagnostic without quotations if it stands in a file whose lines are not shown.
pub(crate) fn discreet<'d>(diagnostic: &'d Diagnostic, map: &SourceMap) -> Cow<'d, Diagnostic> {
    let Some(primary) = diagnostic.primary.as_ref().filter(|label| map.is_foreign(label.span.file)) else {
        return Cow::Borrowed(diagnostic);
    };
    let mut out = diagnostic.clone();
    out.message = unquoted(&out.message);
    out.notes.iter_mut().chain(out.help.iter_mut()).for_each(|text| *text = unquoted(text));
    out.primary = Some(Label { span: primary.span, text: unquoted(&primary.text) });
    out.secondary.iter_mut().for_each(|label| label.text = unquoted(&label.text));
    out.notes.push("Lines of this file are shown only if -I gives its directory".to_owned());
    Cow::Owned(out)
}

/// The text with `…` in place of its quotations: from the first quotation mark to the last, for a quotation may contain some.
fn unquoted(text: &str) -> String {
    match (text.find('\''), text.rfind('\'')) {
        (Some(from), Some(to)) if from < to => format!("{}'…'{}", &text[..from], &text[to + 1..]),
        (Some(from), _) => format!("{}'…", &text[..from]),
        _ => text.to_owned(),
    }
}

/// The place of a piece whose lines are not shown.
fn place<'r>(piece: &Piece<'_>, map: &SourceMap) -> Origin<'r> {
    let at = map.start(piece.marks[0].1.span);
    let path = safe(map.file(piece.file).name());
    Origin::path(path).line(at.line as usize).char_column(at.column as usize)
}

/// Consecutive lines of one file with the labels on them.
struct Piece<'d> {
    file: FileId,
    first: u32,
    last: u32,
    marks: Vec<(bool, &'d Label)>,
}

/// The pieces to show, the one with the primary label first. Labels on lines not far apart share a piece.
fn pieces<'d>(diagnostic: &'d Diagnostic, map: &SourceMap) -> Vec<Piece<'d>> {
    let primary = diagnostic.primary.iter().map(|label| (true, label));
    let secondary = diagnostic.secondary.iter().map(|label| (false, label));
    let mut pieces: Vec<Piece<'d>> = Vec::new();
    for (is_primary, label) in primary.chain(secondary) {
        let (file, line) = (label.span.file, map.start(label.span).line);
        let near = |piece: &Piece<'_>| {
            let (first, last) = (piece.first.min(line), piece.last.max(line));
            piece.file == file && last - first <= NEAR && (first == last || all_short(map, file, first, last))
        };
        match pieces.iter_mut().find(|piece| near(piece)) {
            Some(piece) => {
                piece.first = piece.first.min(line);
                piece.last = piece.last.max(line);
                piece.marks.push((is_primary, label));
            }
            None => pieces.push(Piece { file, first: line, last: line, marks: vec![(is_primary, label)] }),
        }
    }
    pieces
}

fn all_short(map: &SourceMap, file: FileId, first: u32, last: u32) -> bool {
    (first..=last).all(|line| map.file(file).line_range(line).len() <= 2 * WINDOW)
}

/// The piece for the renderer, which counts columns in the shown text, and in characters: where that is not the true column, a
/// replacement for its `path:line:column` is added to `columns`.
fn snippet<'r>(
    piece: &Piece<'_>,
    map: &SourceMap,
    columns: &mut Vec<(String, String)>,
) -> Snippet<'r, annotate_snippets::Annotation<'r>> {
    let path = safe(map.file(piece.file).name());
    let window = window(piece, map);
    let bytes = &map.file(piece.file).bytes()[window.clone()];
    let (text, _) = visible(bytes, 0..0);
    let at = map.start(piece.marks[0].1.span);
    let mut snippet = Snippet::source(text.clone()).line_start(piece.first as usize).path(path.clone());
    for (which, (is_primary, label)) in piece.marks.iter().enumerate() {
        let clamp = |offset: u32| (offset as usize).clamp(window.start, window.end) - window.start;
        let line_end = map.file(piece.file).line_range(map.start(label.span).line).end;
        let (_, mark) = visible(bytes, clamp(label.span.start)..clamp(label.span.end.min(line_end as u32)));
        if which == 0 {
            let line_start = text[..mark.start].rfind('\n').map_or(0, |at| at + 1);
            let shown = text[line_start..mark.start].chars().count() + 1;
            if shown != at.column as usize {
                let place = format!("{path}:{}:", at.line);
                columns.push((format!("{place}{shown}"), format!("{place}{}", at.column)));
            }
        }
        let kind = if *is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(mark);
        let words = safe(&label.text);
        snippet = snippet.annotation(if words.is_empty() { annotation } else { annotation.label(words) });
    }
    snippet
}

/// The bytes that are shown: the whole lines when they are short, else the neighbourhood of the first label.
fn window(piece: &Piece<'_>, map: &SourceMap) -> Range<usize> {
    let file = map.file(piece.file);
    let line = file.line_range(piece.first).start..file.line_range(piece.last).end;
    if piece.first != piece.last || line.len() <= 2 * WINDOW {
        return line;
    }
    let bytes = file.bytes();
    let first = piece.marks[0].1.span.start as usize;
    let mut start = first.saturating_sub(WINDOW).max(line.start);
    let mut end = (first + WINDOW).min(line.end);
    // Not in the middle of a UTF-8 sequence.
    while start > line.start && bytes[start] & 0xc0 == 0x80 {
        start -= 1;
    }
    while end < line.end && bytes[end] & 0xc0 == 0x80 {
        end += 1;
    }
    start..end.max(start)
}

/// The places that the file of a span was included from, from the inside out.
fn inclusions(span: Span, map: &SourceMap) -> Vec<String> {
    let mut out = Vec::new();
    let mut file = span.file;
    while let Some(at) = map.file(file).included_at() {
        out.push(format!("Included at {}:{}", safe(map.file(at.file).name()), map.start(at).line));
        file = at.file;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_shows_lines_and_carets() {
        let mut map = SourceMap::new();
        let file = map.add("a.f90", b"do i = 1, n\n  x = y(\nend do\n".to_vec());
        let diagnostic = Diagnostic::error("T0100", Span::new(file, 19, 20), "Expected ')'")
            .label("expected ')' after this")
            .because(Span::new(file, 0, 2), "the loop starts here")
            .help("Close the parenthesis");
        let text = render_plain(&diagnostic, &map);
        let expected = "\
error[T0100]: Expected ')'
 --> a.f90:2:8
  |
1 | do i = 1, n
  | -- the loop starts here
2 |   x = y(
  |        ^ expected ')' after this
  |
  = help: Close the parenthesis
";
        assert_eq!(text, expected);
        assert_eq!(one_line(&diagnostic, &map), "a.f90:2:8: error: Expected ')' [T0100]");
    }

    #[test]
    fn a_long_line_is_cut() {
        let mut map = SourceMap::new();
        let file = map.add("a.f90", vec![b'x'; 10_000_000]);
        let text = render_plain(&Diagnostic::error("T0100", Span::new(file, 5_000_000, 9_000_000), "Bad"), &map);
        assert!(text.len() < 2000, "{}", text.len());
        assert!(text.contains("a.f90:1:5000001"), "{text}");
    }

    #[test]
    fn controls_do_not_reach_the_terminal() {
        let mut map = SourceMap::new();
        let file = map.add("a\x1b[2J.f90", b"x = '\x1b[31m\xe2\x80\xae'\0".to_vec());
        let text = render_plain(&Diagnostic::error("T0100", Span::new(file, 0, 1), "Bad '\x07'"), &map);
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        assert!(!text.contains('\u{202e}'));
    }
}
