//! Types, declarations and headers.

use trueline_diag::Diagnostic;

use super::{Class, refused, tokens, unknown, word_end};
use crate::form::Form;
use crate::scan::{Reported, Scanner};
use crate::spelling::closest;
use crate::token::{Kw, Tok};

/// The words that declarations and headers start with.
pub(super) const LEADING: &[&str] = &[
    "integer",
    "real",
    "double precision",
    "double complex",
    "complex",
    "logical",
    "character",
    "byte",
    "recursive",
    "pure",
    "elemental",
    "impure",
    "subroutine",
    "function",
];

pub(super) const TYPES: &[(&str, Kw)] = &[
    ("integer", Kw::Integer),
    ("real", Kw::Real),
    ("double precision", Kw::DoublePrecision),
    ("double complex", Kw::DoubleComplex),
    ("complex", Kw::Complex),
    ("logical", Kw::Logical),
    ("character", Kw::Character),
    ("byte", Kw::Byte),
];

pub(super) const ATTRIBUTES: &[(&str, Kw)] = &[
    ("allocatable", Kw::Allocatable),
    ("asynchronous", Kw::Asynchronous),
    ("automatic", Kw::Automatic),
    ("bind", Kw::Bind),
    ("contiguous", Kw::Contiguous),
    ("dimension", Kw::Dimension),
    ("external", Kw::External),
    ("intent", Kw::Intent),
    ("intrinsic", Kw::Intrinsic),
    ("nopass", Kw::Nopass),
    ("optional", Kw::Optional),
    ("parameter", Kw::Parameter),
    ("pointer", Kw::Pointer),
    ("private", Kw::Private),
    ("protected", Kw::Protected),
    ("public", Kw::Public),
    ("save", Kw::Save),
    ("static", Kw::Static),
    ("target", Kw::Target),
    ("value", Kw::Value),
    ("volatile", Kw::Volatile),
];

impl Scanner<'_> {
    /// Turns a type that comes next into tokens. In IMPLICIT, a parenthesis after it holds letters unless another one follows.
    pub fn type_spec(&mut self, implicit: bool) -> Result<bool, Reported> {
        let derived =
            self.keyword(self.pos, "type").filter(|&end| self.text().get(self.blanks_end(end)) == Some(&b'('));
        if let Some(end) = derived {
            return self.type_in_parentheses(self.blanks_end(end));
        }
        let first = self.peek();
        let mut types = TYPES.iter().filter(|(word, _)| word.as_bytes()[0] == first);
        let Some((_, kw)) = types.find(|(word, kw)| self.eat_kw(word, *kw)) else { return Ok(false) };
        if self.peek() == b'*' && !matches!(kw, Kw::DoublePrecision | Kw::DoubleComplex) {
            self.lex(self.pos + 1)?;
            if !self.digits() && !self.group()? {
                let span = self.span(self.pos.saturating_sub(1), self.pos);
                return self.fail("T0126", span, "Expected a length after '*'");
            }
        } else if self.peek() == b'(' && !matches!(kw, Kw::DoublePrecision | Kw::DoubleComplex) {
            let close = self.must_close(self.pos)?;
            let letters = implicit && self.text().get(self.blanks_end(close + 1)) != Some(&b'(');
            if !letters {
                self.group()?;
            }
        }
        Ok(true)
    }

    /// `TYPE(name)` or `TYPE(INTEGER)`, with the parenthesis at `open`.
    fn type_in_parentheses(&mut self, open: usize) -> Result<bool, Reported> {
        self.eat_kw("type", Kw::Type);
        let inside = self.blanks_end(open + 1);
        let is_type = |word: &str| {
            let after = self.keyword(inside, word).and_then(|end| self.text().get(self.blanks_end(end)));
            matches!(after, Some(b')' | b'(' | b'*'))
        };
        if !TYPES.iter().any(|(word, _)| is_type(word)) {
            return self.group();
        }
        let close = self.must_close(open)?;
        self.lex(inside)?;
        self.type_spec(false)?;
        self.lex(close + 1)?;
        Ok(true)
    }
}

/// A SUBROUTINE or FUNCTION, with whatever stands before.
pub(super) fn header(s: &mut Scanner<'_>) -> Result<bool, Reported> {
    const PREFIXES: &[(&str, Kw)] =
        &[("recursive", Kw::Recursive), ("pure", Kw::Pure), ("elemental", Kw::Elemental), ("impure", Kw::Impure)];
    if !matches!(s.peek(), b's' | b'f' | b'r' | b'p' | b'e' | b'i' | b'c' | b'd' | b'l' | b'b' | b't') {
        return Ok(false);
    }
    let text = s.text();
    let (start, tokens_before, reported) = (s.pos, s.out.len(), s.b.diags.errors());
    let holds = |word: &[u8]| text[start..].windows(word.len()).take(200).any(|window| window == word);
    if !(holds(b"function") || holds(b"subroutine")) {
        return Ok(false);
    }
    s.kw(Kw::ProcedureHeader);
    loop {
        if PREFIXES.iter().any(|(word, kw)| s.eat_kw(word, *kw)) {
            continue;
        }
        if super::extrinsic::prefix(s) {
            continue;
        }
        let is_type = s.peek() != b'(' && s.type_spec(false)?;
        if !is_type {
            break;
        }
    }
    let is_header = if s.eat_kw("subroutine", Kw::Subroutine) {
        s.peek().is_ascii_lowercase()
    } else {
        s.eat_kw("function", Kw::Function) && looks_like_function(s)
    };
    if !is_header || s.b.diags.errors() > reported {
        s.pos = start;
        s.out.truncate(tokens_before);
        return Ok(false);
    }
    name_and_params(s)?;
    suffixes(s)?;
    Ok(true)
}

/// `name ( dummies ) …`, and not an array called FUNCTIONX.
fn looks_like_function(s: &mut Scanner<'_>) -> bool {
    s.skip_blanks();
    let text = s.text();
    let Some(end) = word_end(text, s.pos) else { return false };
    let open = s.blanks_end(end);
    if text.get(open) != Some(&b'(') {
        return false;
    }
    let Some(close) = s.close(open) else { return true };
    let after = &text[s.blanks_end(close + 1)..];
    let inside = &text[open + 1..close];
    let dummies = inside
        .split(|&byte| byte == b',')
        .all(|dummy| dummy.trim_ascii().first().is_none_or(|byte| byte.is_ascii_lowercase() || *byte == b'*'));
    s.line.form == Form::Free
        || (dummies && (after.is_empty() || after.starts_with(b"result") || after.starts_with(b"bind")))
}

/// The name of a procedure and its dummy arguments, as far as they are there.
pub(super) fn name_and_params(s: &mut Scanner<'_>) -> Result<(), Reported> {
    s.skip_blanks();
    let Some(end) = word_end(s.text(), s.pos) else { return s.rest() };
    let open = s.blanks_end(end);
    // In fixed form nothing separates the name of a SUBROUTINE without arguments from BIND.
    s.lex(end)?;
    if s.text().get(open) == Some(&b'(') { s.group().map(|_| ()) } else { Ok(()) }
}

/// RESULT(…) and BIND(…), to the end.
pub(super) fn suffixes(s: &mut Scanner<'_>) -> Result<(), Reported> {
    while s.eat_kw("result", Kw::Result) || s.eat_kw("bind", Kw::Bind) {
        s.group()?;
    }
    s.rest()
}

/// `type, attributes :: entities`
pub(super) fn type_declaration(s: &mut Scanner<'_>) -> Result<bool, Reported> {
    if !matches!(s.peek(), b'i' | b'r' | b'c' | b'd' | b'l' | b'b' | b't') {
        return Ok(false);
    }
    s.kw(Kw::Declaration);
    if !s.type_spec(false)? {
        s.out.pop();
        return Ok(false);
    }
    attributes(s)?;
    s.rest()?;
    Ok(true)
}

/// The attributes before `::`. Without `::`, a comma after CHARACTER*8 means nothing.
fn attributes(s: &mut Scanner<'_>) -> Result<(), Reported> {
    let Some(colons) = s.find(s.pos, |rest| rest.starts_with(b"::")) else {
        s.eat_byte(b',');
        return Ok(());
    };
    while s.pos < colons && s.peek() == b',' {
        s.lex(s.pos + 1)?;
        s.skip_blanks();
        let start = s.pos;
        match ATTRIBUTES.iter().find(|(word, kw)| s.eat_kw(word, *kw)) {
            Some((_, Kw::Intent)) => intent(s)?,
            Some((_, class @ (Kw::Automatic | Kw::Static))) => allow_storage_class(s, *class)?,
            Some((_, Kw::Dimension | Kw::Bind)) => {
                s.group()?;
            }
            Some(_) => {}
            None => return unknown_attribute(s, start),
        }
    }
    Ok(())
}

fn unknown_attribute(s: &mut Scanner<'_>, start: usize) -> Result<(), Reported> {
    refused::attribute(s)?;
    let text = s.text();
    let end = word_end(text, start).unwrap_or((start + 1).min(text.len()));
    let word = std::str::from_utf8(&text[start..end]).unwrap_or_default();
    let mut diagnostic = Diagnostic::error("T0109", s.span(start, end), format!("Unknown attribute '{word}'"));
    if let Some(near) = closest(word, ATTRIBUTES.iter().map(|(word, _)| *word)) {
        diagnostic = diagnostic.help(format!("Did you mean {}?", near.to_uppercase()));
    }
    s.b.diags.push(diagnostic);
    Err(Reported)
}

/// `(IN)`, `(OUT)`, `(INOUT)`, `(IN OUT)`
fn intent(s: &mut Scanner<'_>) -> Result<(), Reported> {
    if s.peek() != b'(' {
        return Ok(());
    }
    let close = s.must_close(s.pos)?;
    s.lex(s.pos + 1)?;
    let _ = s.eat_kw("in out", Kw::InOut) || s.eat_kw("out", Kw::Out) || s.eat_kw("in", Kw::In);
    s.lex(close + 1)
}

pub(super) fn intent_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    s.kw(Kw::Attribute);
    s.kw(Kw::Intent);
    intent(s)?;
    tokens(s.rest())
}

pub(super) fn implicit_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    if let Some(end) = s.keyword(s.pos, "none").filter(|&end| s.text().get(s.blanks_end(end)) == Some(&b'(')) {
        return implicit_none(s, end);
    }
    s.kw(Kw::Implicit);
    loop {
        if !s.type_spec(true)? {
            return s.fail("T0126", s.span(s.pos, s.pos + 1), "Expected a type in the IMPLICIT statement");
        }
        s.kw(Kw::Letters);
        s.group()?;
        if s.peek() != b',' {
            return tokens(s.rest());
        }
        s.lex(s.pos + 1)?;
    }
}

/// `IMPLICIT NONE (TYPE, EXTERNAL)`: TYPE is about the types of names, EXTERNAL about procedures that are called.
fn implicit_none(s: &mut Scanner<'_>, end: usize) -> Result<Class, Reported> {
    let open = s.blanks_end(end);
    let close = s.must_close(open)?;
    let text = s.text();
    let inside: Vec<&[u8]> = text[open + 1..close].split(|&b| b == b',').map(<[u8]>::trim_ascii).collect();
    if let Some(other) = inside.iter().find(|&&w| !matches!(w, b"type" | b"external" | b"")) {
        let message = format!("IMPLICIT NONE lists TYPE and EXTERNAL, not '{}'", String::from_utf8_lossy(other));
        return s.fail("T0126", s.span(open + 1, close), message);
    }
    let of_types = inside.iter().any(|&w| w == b"type" || w.is_empty());
    s.b.implicit_none = (of_types, inside.contains(&&b"external"[..]));
    s.kw(Kw::ImplicitNone);
    s.pos = close + 1;
    tokens(s.rest())
}

pub(super) fn bind_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    if s.peek() != b'(' {
        return unknown(s);
    }
    s.kw(Kw::BindStmt);
    s.kw(Kw::Bind);
    tokens(s.rest())
}

/// POINTER with names, or the Cray pointers of old programs with their pointees.
pub(super) fn pointer_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    if s.peek() != b'(' {
        s.kw(Kw::Attribute);
        s.kw(Kw::Pointer);
        return tokens(s.rest());
    }
    if !s.b.cray_pointers {
        let message = "This POINTER statement declares Cray pointers, an extension";
        let d = Diagnostic::error("T0162", s.line.whole(), message).help("Accept them with -fcray-pointer");
        s.b.diags.push(d);
        return Err(Reported);
    }
    s.kw(Kw::CrayPointer);
    tokens(s.rest())
}

/// PARAMETER, in old programs without parentheses.
pub(super) fn parameter_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    let is_old = s.peek().is_ascii_lowercase() && s.find(s.pos, |rest| rest[0] == b'=').is_some();
    if s.peek() != b'(' && !is_old {
        return unknown(s);
    }
    s.kw(Kw::ParameterStmt);
    tokens(s.rest())
}

pub(super) fn structure_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    if !s.b.structures {
        s.pos = s.text().len() - s.text().trim_ascii_start().len();
        refused::feature(s)?;
        return unknown(s);
    }
    s.marker(Tok::Kw(Kw::Structure));
    tokens(s.rest())
}

pub(super) fn record_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    if !s.b.structures || s.peek() != b'/' {
        return unknown(s);
    }
    s.kw(Kw::Record);
    s.rest()?;
    super::drop_commas(s);
    Ok(Class::Tokens)
}

pub(super) fn union_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    overlay(s, Kw::Union)
}

pub(super) fn map_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    overlay(s, Kw::Map)
}

fn overlay(s: &mut Scanner<'_>, kw: Kw) -> Result<Class, Reported> {
    if !s.b.structures || !s.at_end() {
        return unknown(s);
    }
    s.kw(kw);
    tokens(s.rest())
}

pub(super) fn automatic_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    storage_class(s, Kw::Automatic)
}

pub(super) fn static_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    storage_class(s, Kw::Static)
}

fn storage_class(s: &mut Scanner<'_>, class: Kw) -> Result<Class, Reported> {
    allow_storage_class(s, class)?;
    s.kw(Kw::Attribute);
    s.kw(class);
    tokens(s.rest())
}

/// STATIC and AUTOMATIC have to be asked for.
fn allow_storage_class(s: &mut Scanner<'_>, class: Kw) -> Result<(), Reported> {
    let word = match class {
        Kw::Static => "STATIC",
        Kw::Automatic => "AUTOMATIC",
        _ => return Ok(()),
    };
    if s.b.storage_classes {
        return Ok(());
    }
    let d = Diagnostic::error("T0163", s.line.whole(), format!("{word} is an extension of old compilers"));
    s.b.diags.push(d.help(if class == Kw::Static {
        "Write SAVE, or accept it with -fdec-static"
    } else {
        "Accept it with -fdec-static"
    }));
    Err(Reported)
}

pub(super) fn enum_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    s.kw(Kw::Enum);
    if s.peek() == b',' {
        s.lex(s.pos + 1)?;
        s.eat_kw("bind", Kw::Bind);
    }
    tokens(s.rest())
}

/// PROCEDURE(interface), attributes :: names, or PROCEDURE names in an interface block.
pub(super) fn procedure_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    if s.peek() != b'(' {
        s.kw(Kw::Procedure);
        return tokens(s.rest());
    }
    s.kw(Kw::ProcedureDecl);
    let close = s.must_close(s.pos)?;
    s.lex(s.pos + 1)?;
    let at = s.pos;
    let is_type = TYPES.iter().any(|(word, _)| {
        // A name in parentheses is an interface even if it begins with the name of a type.
        s.keyword(at, word).is_some_and(|end| matches!(s.text().get(s.blanks_end(end)), Some(b')' | b'(' | b'*')))
    });
    if is_type || s.keyword(at, "type").is_some_and(|end| s.text().get(s.blanks_end(end)) == Some(&b'(')) {
        s.type_spec(false)?;
    }
    s.lex(close + 1)?;
    attributes(s)?;
    tokens(s.rest())
}

/// TYPE, attributes :: name. The TYPE of DEC's compilers that prints is refused.
pub(super) fn type_definition(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    if matches!(s.peek(), b'*' | b'\'' | b'"' | b'0'..=b'9') {
        let diagnostic = Diagnostic::error("T0160", s.line.whole(), "TYPE as an output statement is not Fortran")
            .help("Use PRINT, which means the same");
        s.b.diags.push(diagnostic);
        return Err(Reported);
    }
    if s.keyword(s.pos, "is").is_some_and(|end| s.text().get(s.blanks_end(end)) == Some(&b'(')) {
        s.pos = s.text().len() - s.text().trim_ascii_start().len();
        refused::feature(s)?;
    }
    s.marker(Tok::Kw(Kw::TypeDef));
    let start = s.pos;
    if s.peek() == b',' && s.find(start, |rest| rest.starts_with(b"::")).is_some() {
        refused::type_attribute(s)?;
    }
    attributes(s)?;
    tokens(s.rest())
}
