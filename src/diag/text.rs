//! Foreign text made fit to be shown: no byte of a source file or a path reaches a terminal as a control.

use std::ops::Range;

/// Source bytes as text that is safe to print: controls become their pictures, text-direction controls `�`, and bytes that
/// are not UTF-8 the characters they are in Latin-1. Tabs and line ends stay. With the text comes where the bytes `mark` have gone.
pub fn visible(bytes: &[u8], mark: Range<usize>) -> (String, Range<usize>) {
    let mut out = String::with_capacity(bytes.len());
    let mut place = (None, None);
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            note(&mut place, &mark, at, out.len());
            out.push(shown(char));
            at += char.len_utf8();
        }
        for &byte in chunk.invalid() {
            note(&mut place, &mark, at, out.len());
            out.push(if byte >= 0xa0 { byte as char } else { '\u{fffd}' });
            at += 1;
        }
    }
    let start = place.0.unwrap_or(out.len());
    let end = place.1.unwrap_or(out.len()).max(start);
    (out, start..end)
}

/// A message, name or path as text that is safe to print on one line.
pub fn safe(text: &str) -> String {
    text.chars().map(|char| if matches!(char, '\t' | '\n') { ' ' } else { shown(char) }).collect()
}

/// Notes where the marked bytes begin and end in the text, as the byte at `at` is about to be written at `out`.
fn note(place: &mut (Option<usize>, Option<usize>), mark: &Range<usize>, at: usize, out: usize) {
    if at >= mark.start && place.0.is_none() {
        place.0 = Some(out);
    }
    if at >= mark.end && place.1.is_none() {
        place.1 = Some(out);
    }
}

fn shown(char: char) -> char {
    match char {
        '\t' | '\n' => char,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + char as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => '\u{fffd}',
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' => '\u{fffd}',
        _ => char,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_follow_their_bytes() {
        let (text, mark) = visible(b"a\x1b\xe9b\xe2\x80\xaec", 3..4);
        assert_eq!(text, "a\u{241b}\u{e9}b\u{fffd}c");
        assert_eq!(&text[mark], "b");
        let (text, mark) = visible(b"ab", 2..2);
        assert_eq!((text.as_str(), mark), ("ab", 2..2));
    }
}
