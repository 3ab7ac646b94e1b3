//! Macros and their replacement.

use rustc_hash::FxHashMap;

/// The deepest nesting of replacements.
const MAX_DEPTH: usize = 200;

/// The longest line that replacement may make, and the most work for one.
const MAX_LINE: usize = 4 << 20;

/// A macro.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Macro {
    /// The parameters of one that looks like a function.
    params: Option<Vec<Vec<u8>>>,
    /// The last parameter takes all further arguments.
    variadic: bool,
    body: Vec<u8>,
}

/// The macros that are defined.
#[derive(Clone, Default, Debug)]
pub struct Macros {
    table: FxHashMap<Vec<u8>, Macro>,
}

/// The place of a text, for `__FILE__` and `__LINE__`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'p> {
    pub(crate) file: &'p str,
    pub(crate) line: u32,
}

impl Macros {
    /// Whether `name` is defined.
    pub(crate) fn is_defined(&self, name: &[u8]) -> bool {
        self.table.contains_key(name) || matches!(name, b"__FILE__" | b"__LINE__")
    }

    /// `#undef`
    pub(crate) fn undefine(&mut self, name: &[u8]) {
        self.table.remove(name);
    }

    /// Defines the macro in the text behind `#define`. True if that changes the meaning of a macro.
    pub(crate) fn define(&mut self, text: &[u8]) -> Result<bool, String> {
        let text = text.trim_ascii();
        let len = word(text);
        if len == 0 {
            return Err("A macro needs a name".to_owned());
        }
        let (name, rest) = text.split_at(len);
        if name == b"defined" {
            return Err("'defined' cannot be a macro".to_owned());
        }
        let (params, variadic, body) = match rest.first() {
            Some(b'(') => {
                let (params, body) = parameters(rest)?;
                (Some(params.names), params.variadic, body)
            }
            _ => (None, false, rest),
        };
        let new = Macro { params, variadic, body: body.trim_ascii().to_vec() };
        let old = self.table.insert(name.to_vec(), new.clone());
        Ok(old.is_some_and(|old| old != new))
    }

    /// The text with all macros replaced.
    pub(crate) fn expand(&self, text: &[u8], place: Place<'_>) -> Result<Vec<u8>, String> {
        // Most lines name no macro: they are looked through, not copied.
        if !self.mentions(text) {
            return Ok(text.to_vec());
        }
        let mut budget = MAX_LINE;
        let mut hidden = Vec::new();
        self.replace(text, place, &mut hidden, &mut budget)
    }

    fn mentions(&self, text: &[u8]) -> bool {
        let mut at = 0;
        while at < text.len() {
            let len = word(&text[at..]);
            if len > 0 && self.is_defined(&text[at..at + len]) {
                return true;
            }
            at += len.max(1);
        }
        false
    }

    fn replace(
        &self,
        text: &[u8],
        place: Place<'_>,
        hidden: &mut Vec<Vec<u8>>,
        budget: &mut usize,
    ) -> Result<Vec<u8>, String> {
        if hidden.len() > MAX_DEPTH {
            return Err(format!("Macros nest more than {MAX_DEPTH} levels deep"));
        }
        *budget = budget.checked_sub(text.len() + 1).ok_or("The replacement of macros makes a line too long")?;
        let mut out = Vec::with_capacity(text.len());
        let mut at = 0;
        while at < text.len() {
            let len = piece(&text[at..]);
            let this = &text[at..at + len];
            at += len;
            match self.table.get(this) {
                _ if this == b"__LINE__" => out.extend_from_slice(place.line.to_string().as_bytes()),
                _ if this == b"__FILE__" => {
                    out.push(b'"');
                    out.extend_from_slice(place.file.as_bytes());
                    out.push(b'"');
                }
                Some(found) if !hidden.iter().any(|h| h == this) => {
                    let body = match &found.params {
                        None => found.body.clone(),
                        Some(params) => {
                            let Some((given, end)) = arguments(&text[at..]) else {
                                out.extend_from_slice(this);
                                continue;
                            };
                            at += end;
                            let given = matched(this, given, params.len(), found.variadic)?;
                            self.substitute(found, params, &given, place, hidden, budget)?
                        }
                    };
                    hidden.push(this.to_vec());
                    let replaced = self.replace(&body, place, hidden, budget)?;
                    hidden.pop();
                    out.extend_from_slice(&replaced);
                }
                _ => out.extend_from_slice(this),
            }
        }
        Ok(out)
    }

    /// The body with the arguments in it; those beside `##` as they are written, the others replaced first.
    fn substitute(
        &self,
        found: &Macro,
        params: &[Vec<u8>],
        given: &[Vec<u8>],
        place: Place<'_>,
        hidden: &mut Vec<Vec<u8>>,
        budget: &mut usize,
    ) -> Result<Vec<u8>, String> {
        let replaced: Vec<Vec<u8>> =
            given.iter().map(|g| self.replace(g, place, hidden, budget)).collect::<Result<_, _>>()?;
        let body = &found.body;
        let mut out = Vec::with_capacity(body.len());
        let mut at = 0;
        let mut pasted = false;
        while at < body.len() {
            if body[at..].starts_with(b"##") {
                let kept = out.trim_ascii_end().len();
                out.truncate(kept);
                at += 2 + body[at + 2..].iter().take_while(|b| **b == b' ').count();
                pasted = true;
                continue;
            }
            // Into character constants, too: names are looked for in them.
            let len = word(&body[at..]).max(number(&body[at..])).max(1);
            let this = &body[at..at + len];
            at += len;
            match params.iter().position(|p| p == this) {
                Some(k) => {
                    let next = body[at..].trim_ascii_start().starts_with(b"##");
                    out.extend_from_slice(if pasted || next { &given[k] } else { &replaced[k] });
                }
                None => out.extend_from_slice(this),
            }
            pasted = false;
            if out.len() > MAX_LINE {
                return Err("The replacement of macros makes a line too long".to_owned());
            }
        }
        Ok(out)
    }
}

/// As many arguments as parameters.
fn matched(name: &[u8], mut given: Vec<Vec<u8>>, wanted: usize, variadic: bool) -> Result<Vec<Vec<u8>>, String> {
    if wanted == 0 && given.len() == 1 && given[0].trim_ascii().is_empty() {
        given.clear();
    }
    if variadic {
        if given.len() >= wanted {
            let rest = given.split_off(wanted - 1).join(&b',');
            given.push(rest);
        } else if given.len() + 1 == wanted {
            given.push(Vec::new());
        }
    }
    if given.len() == wanted {
        return Ok(given);
    }
    let name = String::from_utf8_lossy(name);
    Err(format!("The macro '{name}' needs {wanted} arguments and is given {}", given.len()))
}

/// The parameters of a macro.
struct Parameters {
    names: Vec<Vec<u8>>,
    variadic: bool,
}

/// `(a, b, …)` after the name of a macro, and the rest of the line.
fn parameters(text: &[u8]) -> Result<(Parameters, &[u8]), String> {
    let close = text.iter().position(|&b| b == b')').ok_or("The parameters of a macro end with ')'")?;
    let inside = text[1..close].trim_ascii();
    let mut out: Vec<Vec<u8>> = Vec::new();
    let mut variadic = false;
    if !inside.is_empty() {
        for part in inside.split(|&b| b == b',') {
            let part = part.trim_ascii();
            if variadic {
                return Err("'...' is the last parameter of a macro".to_owned());
            }
            let name = part.strip_suffix(b"...").map(<[u8]>::trim_ascii_end);
            variadic = name.is_some();
            let name = match name {
                Some(b"") => b"__VA_ARGS__",
                Some(name) => name,
                None => part,
            };
            if name.is_empty() || word(name) != name.len() {
                return Err(format!("'{}' cannot be a parameter of a macro", String::from_utf8_lossy(part)));
            }
            out.push(name.to_vec());
        }
    }
    Ok((Parameters { names: out, variadic }, &text[close + 1..]))
}

/// The arguments in parentheses at the start of the text (after blanks), and where they end. None if there are
/// none, or the line ends before they do.
fn arguments(text: &[u8]) -> Option<(Vec<Vec<u8>>, usize)> {
    let open = text.iter().position(|b| !matches!(b, b' ' | b'\t'))?;
    if text[open] != b'(' {
        return None;
    }
    let mut out = vec![Vec::new()];
    let mut depth = 0usize;
    let mut at = open + 1;
    while at < text.len() {
        let len = piece(&text[at..]);
        let this = &text[at..at + len];
        match this {
            b")" if depth == 0 => {
                let trimmed = out.iter().map(|a: &Vec<u8>| a.trim_ascii().to_vec()).collect();
                return Some((trimmed, at + 1));
            }
            b"," if depth == 0 => out.push(Vec::new()),
            _ => {
                match this {
                    b"(" => depth += 1,
                    b")" => depth -= 1,
                    _ => {}
                }
                if let Some(last) = out.last_mut() {
                    last.extend_from_slice(this);
                }
            }
        }
        at += len;
    }
    None
}

/// The length of the piece at the start of a text that is not empty: a name, a number, a character constant up to its quote or
/// the end, or one byte.
pub(crate) fn piece(text: &[u8]) -> usize {
    match text[0] {
        quote @ (b'\'' | b'"') => text[1..].iter().position(|&b| b == quote).map_or(text.len(), |end| end + 2),
        _ => word(text).max(number(text)).max(1),
    }
}

/// The length of the name at the start of the text.
pub(crate) fn word(text: &[u8]) -> usize {
    match text.first() {
        Some(b) if b.is_ascii_alphabetic() || *b == b'_' => {
            text.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count()
        }
        _ => 0,
    }
}

/// The length of the digits, with the letters that follow them, at the start of the text: `1D0` contains no name.
fn number(text: &[u8]) -> usize {
    match text.first() {
        Some(b) if b.is_ascii_digit() => text.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count(),
        _ => 0,
    }
}
