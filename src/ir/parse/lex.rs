//! Tokens of one line of text.

/// A token.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Token {
    /// A word: letters, digits, `_ . # $`; a dot stands only between such characters.
    Word(String),
    /// A word in backquotes: always a name.
    Quoted(String),
    /// A number as written, and the type after its `_`.
    Number(String, Option<String>),
    /// `.true.`, `.and.` and so on, and the type after its `_`.
    Dotted(String, Option<String>),
    /// A text in double quotes.
    Text(Vec<u8>),
    /// Anything else: one or two characters.
    Mark(&'static str),
}

const MARKS: [&str; 23] = [
    "==", "/=", "<=", ">=", "+=", "->", "@", "{", "}", "(", ")", "[", "]", ",", ":", "=", "<", ">", "+", "-", "*", "/",
    "&",
];

/// The tokens of `line`; a comment begins with `!`.
pub(crate) fn tokens(line: &str) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == '!' {
            break;
        }
        let (token, after) = match first {
            'a'..='z' | 'A'..='Z' | '_' => word(rest),
            '0'..='9' => number(rest)?,
            '.' => dotted(rest)?,
            '`' => {
                let (bytes, after) = quoted(&rest[1..], '`')?;
                (Token::Quoted(String::from_utf8(bytes).map_err(|_| "a name is not UTF-8")?), after)
            }
            '"' => {
                let (bytes, after) = quoted(&rest[1..], '"')?;
                (Token::Text(bytes), after)
            }
            _ => {
                let mark = MARKS.iter().find(|m| rest.starts_with(**m));
                let mark = *mark.ok_or_else(|| format!("unexpected character '{}'", first.escape_default()))?;
                (Token::Mark(mark), &rest[mark.len()..])
            }
        };
        out.push(token);
        rest = after.trim_start();
    }
    Ok(out)
}

fn word_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'#' | b'$');
    let mut end = 0;
    while end < bytes.len() {
        let dot = bytes[end] == b'.' && end > 0 && bytes.get(end + 1).is_some_and(|&b| part(b));
        if !part(bytes[end]) && !dot {
            break;
        }
        end += 1;
    }
    end
}

fn word(text: &str) -> (Token, &str) {
    let (w, after) = text.split_at(word_end(text));
    (Token::Word(w.to_owned()), after)
}

/// The type after `_`, if there is one.
fn suffix(text: &str) -> (Option<String>, &str) {
    match text.strip_prefix('_') {
        Some(rest) => {
            let end = rest.bytes().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(rest.len());
            (Some(rest[..end].to_owned()), &rest[end..])
        }
        None => (None, text),
    }
}

fn number(text: &str) -> Result<(Token, &str), String> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = digits(0);
    if text.starts_with("0x") {
        end = 2 + bytes[2..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
    } else {
        if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
            end += 1 + digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            if digits((end + 1 + sign).min(bytes.len())) > 0 {
                end += 1 + sign + digits(end + 1 + sign);
            }
        }
    }
    let (ty, after) = suffix(&text[end..]);
    Ok((Token::Number(text[..end].to_owned(), ty), after))
}

fn dotted(text: &str) -> Result<(Token, &str), String> {
    let end = text[1..].find('.').ok_or("expected a second '.'")? + 2;
    let (ty, after) = suffix(&text[end..]);
    Ok((Token::Dotted(text[..end].to_owned(), ty), after))
}

/// The bytes up to the closing `quote`, and the rest of the text.
fn quoted(text: &str, quote: char) -> Result<(Vec<u8>, &str), String> {
    let mut out = Vec::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            _ if c == quote => return Ok((out, &text[at + c.len_utf8()..])),
            '\\' => match chars.next().map(|(_, c)| c) {
                Some('x') => {
                    let hex: String = chars.by_ref().take(2).map(|(_, c)| c).collect();
                    out.push(u8::from_str_radix(&hex, 16).map_err(|_| "expected two hexadecimal digits after '\\x'")?);
                }
                Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                None => break,
            },
            _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Err(format!("a {quote} is not closed"))
}
