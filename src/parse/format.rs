//! FORMAT statements, as far as they can be wrong without a doubt: what the runtime would refuse.

/// What is wrong with a format, and at which byte of it. In a lenient one `F8` stands for `F8.0`.
pub(crate) fn check(text: &[u8], is_lenient: bool) -> Result<(), (usize, String)> {
    let mut at = 0;
    let mut depth = 0u32;
    // Whether a comma may not stand here, because there is no item before it.
    let mut is_empty = true;
    while let Some(&c) = text.get(at) {
        match c.to_ascii_lowercase() {
            b' ' | b'\t' => at += 1,
            b'(' => {
                depth += 1;
                is_empty = true;
                at += 1;
            }
            b')' => {
                depth = depth.checked_sub(1).ok_or_else(|| (at, "A parenthesis too many".to_owned()))?;
                is_empty = false;
                at += 1;
            }
            b',' if is_empty => return Err((at, "An edit descriptor is missing before the comma".to_owned())),
            b',' => {
                is_empty = true;
                at += 1;
            }
            b'\'' | b'"' => {
                at = string_end(text, at).ok_or_else(|| (at, "A character string without end".to_owned()))?;
                is_empty = false;
            }
            b'0'..=b'9' => at = after_number(text, at, &mut is_empty)?,
            b'/' | b':' | b'$' | b'*' | b'+' | b'-' | b'.' | b'\\' => {
                is_empty = false;
                at += 1;
            }
            letter @ (b'a'..=b'z' | b'A'..=b'Z') => {
                if !b"abdefgilopqrstxz".contains(&letter) || letter == b'q' {
                    return Err((at, format!("'{}' is no edit descriptor", c as char)));
                }
                is_empty = false;
                let len = word_len(&text[at..]);
                if !is_lenient && !is_exponent(&text[..at]) && lacks_period(&text[at..], len) {
                    return Err((at, format!("The descriptor '{}' needs a period and a number of digits", c as char)));
                }
                at += len;
            }
            _ => return Err((at, format!("'{}' has no place in a format", (c as char).escape_default()))),
        }
    }
    if depth > 0 {
        return Err((text.len().saturating_sub(1), "A parenthesis without end".to_owned()));
    }
    Ok(())
}

/// Whether the letter after `before` begins the width of an exponent, as in `E12.3E2`.
fn is_exponent(before: &[u8]) -> bool {
    before.iter().rev().find(|c| !c.is_ascii_digit() && **c != b' ') == Some(&b'.')
}

/// Whether a descriptor of reals, whose letters are `len` bytes, has a width but no period after it.
fn lacks_period(text: &[u8], len: usize) -> bool {
    let word = text[..len].to_ascii_lowercase();
    let rest = text[len..].iter().skip_while(|c| c.is_ascii_digit() || **c == b' ');
    let width = text[len..].iter().find(|c| **c != b' ').is_some_and(u8::is_ascii_digit);
    let real = matches!(word.as_slice(), b"d" | b"e" | b"en" | b"es" | b"f");
    real && width && rest.clone().next().is_some_and(|&c| c != b'.')
}

/// Behind the closing quote; a doubled one does not close.
fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let quote = text[start];
    let mut at = start + 1;
    loop {
        if *text.get(at)? == quote {
            if text.get(at + 1) != Some(&quote) {
                return Some(at + 1);
            }
            at += 1;
        }
        at += 1;
    }
}

/// A repeat count, or a Hollerith constant.
fn after_number(text: &[u8], start: usize, is_empty: &mut bool) -> Result<usize, (usize, String)> {
    let mut at = start;
    let mut n = 0usize;
    while let Some(d) = text.get(at).filter(|c| c.is_ascii_digit() || **c == b' ') {
        if *d != b' ' {
            n = n.saturating_mul(10).saturating_add(usize::from(d - b'0'));
        }
        at += 1;
    }
    if matches!(text.get(at), Some(b'h' | b'H')) {
        *is_empty = false;
        let end = at.saturating_add(1).saturating_add(n);
        if end > text.len() {
            return Err((start, "A Hollerith constant without end".to_owned()));
        }
        return Ok(end);
    }
    Ok(at)
}

/// The letters of one descriptor: `TL`, `EN`, `BZ` and so on are one.
fn word_len(text: &[u8]) -> usize {
    let second = text.get(1).map(u8::to_ascii_lowercase);
    match (text[0].to_ascii_lowercase(), second) {
        (b't', Some(b'l' | b'r')) | (b'e', Some(b'n' | b's' | b'x')) | (b's', Some(b'p' | b's' | b'u')) => 2,
        (b'b', Some(b'n' | b'z')) | (b'd', Some(b'c' | b'p' | b't')) => 2,
        (b'r', Some(b'c' | b'd' | b'n' | b'p' | b'u' | b'z')) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn right_formats_pass() {
        for text in
            ["(i5)", "(3(i2, f8.3), /, 'it''s', 5habcde, 1x)", "(1p2e12.4, tr3, bz, g0)", "(a)", "()", "(//i5/)"]
        {
            assert_eq!(check(text.as_bytes(), false), Ok(()), "{text}");
        }
    }

    #[test]
    fn a_lenient_format_needs_no_period() {
        assert_eq!(check(b"(f8, e12)", true), Ok(()));
    }

    #[test]
    fn wrong_formats_do_not() {
        for text in ["(i3,, i4)", "(q5)", "(i5", "(i5))", "('open)", "(9habc)", "(#)", "(f8)", "(1p e12, i5)"] {
            assert!(check(text.as_bytes(), false).is_err(), "{text}");
        }
    }
}
