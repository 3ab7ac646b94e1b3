//! Constants.

use super::{Reported, Scanner, is_word_byte};
use crate::ast::*;
use crate::form::HOLLERITH;
use crate::token::{IntLit, Tok};

/// The base that a letter before a quoted constant stands for.
pub(super) fn radix(word: &str) -> Option<u8> {
    match word {
        "b" => Some(2),
        "o" => Some(8),
        "z" | "x" => Some(16),
        _ => None,
    }
}

/// The number of bytes of the Hollerith constant whose mark stands at `at`, by the digits before it.
pub(super) fn hollerith_len(text: &[u8], at: usize) -> usize {
    let digits = text[..at].iter().rev().take_while(|byte| byte.is_ascii_digit()).take(9).count();
    text[at - digits..at].iter().fold(0, |value, byte| value * 10 + usize::from(byte - b'0'))
}

impl Scanner<'_> {
    /// A number whose first digits, or point and digits, are the text from `start` to `end`.
    pub(super) fn number(&mut self, start: usize, end: usize) -> Result<(Tok, usize), Reported> {
        let text = self.text();
        let byte = |at: usize| text.get(at).copied().unwrap_or(0);
        let digits_end = |at: usize| at + text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if byte(end) == HOLLERITH {
            let stop = (end + 1 + hollerith_len(text, end)).min(text.len());
            let id = self.b.text(&text[end + 1..stop]);
            let span = self.span(start, stop);
            return Ok((Tok::Literal(self.b.leaf(ExprKind::Hollerith(id), span)), stop));
        }
        let (mut stop, mut real) = (end, text[start] == b'.');
        if !real && byte(end) == b'.' && !operator_at(text, end) {
            real = true;
            stop = digits_end(end + 1);
        }
        if matches!(byte(stop), b'e' | b'd' | b'q') {
            let sign = usize::from(matches!(byte(stop + 1), b'+' | b'-'));
            if byte(stop + 1 + sign).is_ascii_digit() {
                real = true;
                stop = digits_end(stop + 1 + sign);
            } else if self.b.bare_exponents && !is_word_byte(byte(stop + 1)) {
                let mut zero = text[start..=stop].to_vec();
                zero.push(b'0');
                let kind = ExprKind::Real { text: self.b.text(&zero), kind: KindParam::Default };
                let span = self.span(start, stop + 1);
                return Ok((Tok::Literal(self.b.leaf(kind, span)), stop + 1));
            }
        }
        if !real && byte(stop) == b'_' && matches!(byte(stop + 1), b'\'' | b'"') {
            let kind = KindParam::Digits(self.integer(start, stop, KindParam::Default).small());
            return self.quoted(start, stop + 1, kind);
        }
        let (kind, after) = self.kind_suffix(stop);
        if !real {
            let literal = self.integer(start, stop, kind);
            return Ok((Tok::Int(literal), after));
        }
        let id = self.b.text(&text[start..stop]);
        let span = self.span(start, after);
        Ok((Tok::Literal(self.b.leaf(ExprKind::Real { text: id, kind }, span)), after))
    }

    /// The value of digits. One that does not fit in 64 bits is reported.
    pub fn integer(&mut self, start: usize, end: usize, kind: KindParam) -> IntLit {
        let digits = &self.text()[start..end];
        let value =
            digits.iter().try_fold(0u64, |value, byte| value.checked_mul(10)?.checked_add(u64::from(byte - b'0')));
        if value.is_none() {
            let span = self.span(start, end);
            self.b.error("T0113", span, "Integer constant larger than any integer kind can hold");
        }
        IntLit { value: value.unwrap_or(0), kind }
    }

    /// `_8`, `_dp` at `at`, and where it ends.
    pub(super) fn kind_suffix(&mut self, at: usize) -> (KindParam, usize) {
        let text = self.text();
        if text.get(at) != Some(&b'_') || !text.get(at + 1).is_some_and(u8::is_ascii_alphanumeric) {
            return (KindParam::Default, at);
        }
        let word = &text[at + 1..];
        if word[0].is_ascii_digit() {
            let end = at + 1 + word.iter().take_while(|byte| byte.is_ascii_digit()).count();
            return (KindParam::Digits(self.integer(at + 1, end, KindParam::Default).small()), end);
        }
        let end = at + 1 + word.iter().take_while(|byte| is_word_byte(**byte)).count();
        let name = std::str::from_utf8(&text[at + 1..end]).unwrap_or_default();
        (KindParam::Name(self.b.ast.names.intern(name)), end)
    }

    /// A character constant whose quote stands at `open`; `start` is where its kind begins. With a letter after it, a constant
    /// in another base.
    pub(super) fn quoted(&mut self, start: usize, open: usize, kind: KindParam) -> Result<(Tok, usize), Reported> {
        let text = self.text();
        let close = self.closing_quote(open);
        let inside = &text[open + 1..close];
        let stop = (close + 1).min(text.len());
        if start == open && !inside.is_empty() && !text.get(stop + 1).is_some_and(|&byte| is_word_byte(byte)) {
            let letter = text.get(stop..stop + 1).and_then(|letter| std::str::from_utf8(letter).ok());
            if let Some(radix) = letter.and_then(radix)
                && inside.iter().all(|&byte| (byte as char).is_digit(u32::from(radix)))
            {
                return Ok((self.boz_literal(start, inside, radix, stop + 1), stop + 1));
            }
        }
        let id = if inside.contains(&text[open]) {
            let mut bytes = Vec::with_capacity(inside.len());
            let mut at = 0;
            while at < inside.len() {
                bytes.push(inside[at]);
                at += 1 + usize::from(inside[at] == text[open]);
            }
            self.literal_text(&bytes)
        } else {
            self.literal_text(inside)
        };
        let span = self.span(start, stop);
        Ok((Tok::Literal(self.b.leaf(ExprKind::Char { text: id, kind }, span)), stop))
    }

    /// The text of a character constant.
    fn literal_text(&mut self, bytes: &[u8]) -> TextId {
        if self.b.backslash && bytes.contains(&b'\\') { self.b.text(&unescaped(bytes)) } else { self.b.text(bytes) }
    }

    /// `z'ff'`, the quote at `open`.
    pub(super) fn boz(&mut self, start: usize, open: usize, radix: u8) -> Result<(Tok, usize), Reported> {
        let text = self.text();
        let close = self.closing_quote(open);
        let inside = &text[open + 1..close];
        let stop = (close + 1).min(text.len());
        let good = |byte: &u8| (*byte as char).is_digit(u32::from(radix)) || *byte == b' ';
        if inside.trim_ascii().is_empty() || !inside.iter().all(good) {
            let message = format!("The digits of this constant must be those of base {radix}");
            return self.fail("T0114", self.span(start, stop), message);
        }
        Ok((self.boz_literal(start, inside, radix, stop), stop))
    }

    fn boz_literal(&mut self, start: usize, inside: &[u8], radix: u8, stop: usize) -> Tok {
        let digits: Vec<u8> = inside.iter().filter(|byte| **byte != b' ').map(u8::to_ascii_lowercase).collect();
        let digits = self.b.text(&digits);
        let span = self.span(start, stop);
        Tok::Literal(self.b.leaf(ExprKind::Boz { radix, digits }, span))
    }

    /// The place of the quote that closes the one at `open`; doubled quotes do not close it.
    fn closing_quote(&self, open: usize) -> usize {
        let text = self.text();
        let quote = text[open];
        let mut at = open + 1;
        while at < text.len() {
            if text[at] == quote {
                if text.get(at + 1) != Some(&quote) {
                    return at;
                }
                at += 1;
            }
            at += 1;
        }
        text.len()
    }
}

/// True when the point at `at` starts an operator: `1.EQ.2`, but not `1.E5` or `1.D0`.
fn operator_at(text: &[u8], at: usize) -> bool {
    let letters = text[at + 1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    letters > 0 && text.get(at + 1 + letters) == Some(&b'.')
}

/// The characters that the escape sequences of C stand for; a backslash before anything else is one.
pub(crate) fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let (byte, used) = escape(&text[at..]).unwrap_or((text[at], 1));
        out.push(byte);
        at += used;
    }
    out
}

/// The escape sequence at the beginning of `text`: its character and its length.
fn escape(text: &[u8]) -> Option<(u8, usize)> {
    let [b'\\', letter, rest @ ..] = text else { return None };
    Some(match letter {
        b'a' => (0x07, 2),
        b'b' => (0x08, 2),
        b't' => (b'\t', 2),
        b'f' => (0x0c, 2),
        b'n' => (b'\n', 2),
        b'r' => (b'\r', 2),
        b'v' => (0x0b, 2),
        b'0' => (0, 2),
        b'\\' => (b'\\', 2),
        b'x' => {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            (u8::from_str_radix(digits, 16).ok()?, 4)
        }
        _ => return None,
    })
}
