//! From the text of a logical line to tokens.
//!
//! The classifier moves a [`Scanner`] over the text: it eats the words that are keywords where they stand, and has the rest
//! turned into tokens. In fixed form a keyword is any prefix (`CALLF(X)`), in free form it must end where a word ends.

use logos::Logos;
use trueline_diag::{Diagnostic, Span};

use crate::ast::*;
use crate::builder::Builder;
use crate::form::{Form, HOLLERITH, Line};
use crate::token::{GenericTok, Kw, Raw, Tok};

mod literal;

pub(crate) use literal::unescaped;

/// The longest name (Fortran 2003; Fortran 95 had 31 characters, and FORTRAN 77 six).
const MAX_NAME: usize = 63;

/// A token with the offsets in the file where it begins and ends.
pub type Spanned = (u32, Tok, u32);

/// A statement that has been reported and cannot be read any further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported;

/// A position in a logical line, and the tokens so far.
pub struct Scanner<'a> {
    /// The builder that makes constants and names.
    pub b: &'a mut Builder,
    /// The logical line.
    pub line: &'a Line,
    /// The offset that the scanner is at.
    pub pos: usize,
    /// The tokens.
    pub out: &'a mut Vec<Spanned>,
    /// True where OPERATOR(…) and ASSIGNMENT(=) can stand.
    pub generic: bool,
}

impl<'a> Scanner<'a> {
    /// The text.
    pub fn text(&self) -> &'a [u8] {
        &self.line.text
    }

    /// Moves over blanks.
    pub fn skip_blanks(&mut self) {
        self.pos = self.blanks_end(self.pos);
    }

    /// The first byte at or after `at` that is not blank.
    pub fn blanks_end(&self, mut at: usize) -> usize {
        let text = self.text();
        while at < text.len() && text[at] == b' ' {
            at += 1;
        }
        at
    }

    /// The next byte that is not blank; 0 at the end.
    pub fn peek(&mut self) -> u8 {
        self.skip_blanks();
        self.text().get(self.pos).copied().unwrap_or(0)
    }

    /// True when nothing is left.
    pub fn at_end(&mut self) -> bool {
        self.peek() == 0 && self.pos >= self.text().len()
    }

    /// The end of a keyword at `at`. A blank in `word` stands for any number of blanks, also none.
    pub fn keyword(&self, at: usize, word: &str) -> Option<usize> {
        let text = self.text();
        let mut at = self.blanks_end(at);
        for &byte in word.as_bytes() {
            if byte == b' ' {
                at = self.blanks_end(at);
            } else if text.get(at) == Some(&byte) {
                at += 1;
            } else {
                return None;
            }
        }
        let goes_on = text.get(at).is_some_and(|&byte| is_word_byte(byte));
        (self.line.form == Form::Fixed || !goes_on).then_some(at)
    }

    /// Eats a keyword if it comes next.
    pub fn eat(&mut self, word: &str) -> bool {
        match self.keyword(self.pos, word) {
            Some(end) => {
                self.pos = end;
                true
            }
            None => false,
        }
    }

    /// Eats a byte if it comes next, without a token.
    pub fn eat_byte(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        self.pos += usize::from(found);
        found
    }

    /// The span of a range of the text.
    pub fn span(&self, start: usize, end: usize) -> Span {
        self.line.span(start, end)
    }

    /// Adds a token for the text from `start` to `end`.
    pub fn token(&mut self, start: usize, tok: Tok, end: usize) {
        let first = self.line.source(start);
        let last = if end > start { self.line.source(end - 1) + 1 } else { first };
        self.out.push((first, tok, last));
    }

    /// Adds the token that says which statement this is.
    pub fn marker(&mut self, tok: Tok) {
        let at = self.line.source(self.pos.saturating_sub(1));
        self.out.push((at, tok, at));
    }

    /// As [`Scanner::marker`], for a plain keyword.
    pub fn kw(&mut self, kw: Kw) {
        self.marker(Tok::Kw(kw));
    }

    /// Eats a word and adds its keyword token.
    pub fn eat_kw(&mut self, word: &str, kw: Kw) -> bool {
        let start = self.blanks_end(self.pos);
        let found = self.eat(word);
        if found {
            self.token(start, Tok::Kw(kw), self.pos);
        }
        found
    }

    /// Reports an error and gives up the statement.
    pub fn fail<T>(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Result<T, Reported> {
        self.b.error(code, span, message);
        Err(Reported)
    }

    /// The place of the parenthesis that closes the one at `open`.
    pub fn close(&self, open: usize) -> Option<usize> {
        self.close_before(open, self.text().len())
    }

    fn close_before(&self, open: usize, end: usize) -> Option<usize> {
        let text = &self.text()[..end];
        let (mut depth, mut at) = (0usize, open);
        while at < text.len() {
            match text[at] {
                b'(' | b'[' => depth += 1,
                b')' | b']' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
            at = self.after(at);
        }
        None
    }

    /// As [`Scanner::close`]; a parenthesis that is never closed is reported.
    pub fn must_close(&mut self, open: usize) -> Result<usize, Reported> {
        match self.close(open) {
            Some(close) => Ok(close),
            None => {
                let diagnostic = Diagnostic::error("T0110", self.span(open, open + 1), "Missing ')'")
                    .label("this parenthesis is not closed");
                self.b.diags.push(diagnostic);
                Err(Reported)
            }
        }
    }

    /// The offset after the byte at `at`, or after the whole constant that starts there.
    pub fn after(&self, at: usize) -> usize {
        let text = self.text();
        match text[at] {
            quote @ (b'\'' | b'"') => {
                text[at + 1..].iter().position(|&byte| byte == quote).map_or(text.len(), |len| at + len + 2)
            }
            HOLLERITH => (at + 1 + literal::hollerith_len(text, at)).min(text.len()),
            _ => at + 1,
        }
    }

    /// The first offset at or after `from`, outside of parentheses and constants, where `test` holds for the rest of the text.
    pub fn find(&self, from: usize, test: impl Fn(&[u8]) -> bool) -> Option<usize> {
        let text = self.text();
        let (mut at, mut depth) = (from, 0i32);
        while at < text.len() {
            if depth == 0 && test(&text[at..]) {
                return Some(at);
            }
            match text[at] {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth -= 1,
                _ => {}
            }
            at = self.after(at);
        }
        None
    }

    /// Turns everything that is left into tokens.
    pub fn rest(&mut self) -> Result<(), Reported> {
        self.lex(self.text().len())
    }

    /// As [`Scanner::rest`], where OPERATOR(…) and ASSIGNMENT(=) can stand.
    pub fn generic_rest(&mut self) -> Result<(), Reported> {
        self.generic = true;
        let result = self.rest();
        self.generic = false;
        result
    }

    /// Turns a parenthesised group that comes next into tokens; nothing when none comes.
    pub fn group(&mut self) -> Result<bool, Reported> {
        if self.peek() != b'(' {
            return Ok(false);
        }
        let close = self.must_close(self.pos)?;
        self.lex(close + 1)?;
        Ok(true)
    }

    /// Turns digits that come next into an integer token, whatever follows them: a label before `E5=`.
    pub fn digits(&mut self) -> bool {
        self.skip_blanks();
        let (start, text) = (self.pos, self.text());
        let len = text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if len == 0 {
            return false;
        }
        self.pos = start + len;
        let literal = self.integer(start, self.pos, KindParam::Default);
        self.token(start, Tok::Int(literal), self.pos);
        true
    }

    /// Turns the text up to `end` into tokens.
    pub fn lex(&mut self, end: usize) -> Result<(), Reported> {
        let text: &'a [u8] = self.text();
        let mut lexer = Raw::lexer(&text[..end]);
        lexer.bump(self.pos);
        while let Some(raw) = lexer.next() {
            let range = lexer.span();
            if self.b.structures && self.is_component_point(range.start) {
                self.token(range.start, Tok::Percent, range.start + 1);
                lexer = Raw::lexer(&text[..end]);
                lexer.bump(range.start + 1);
                continue;
            }
            let Ok(raw) = raw else {
                return self.bad_byte(range.start);
            };
            if raw == Raw::Percent && self.is_percent_loc(range.end) {
                continue;
            }
            let (tok, stop) = match raw {
                Raw::Word => self.word(range.start, range.end)?,
                Raw::Digits | Raw::Point => self.number(range.start, range.end)?,
                Raw::DotWord => self.dot_word(range.start, range.end),
                Raw::Quote => self.quoted(range.start, range.start, KindParam::Default)?,
                raw => (punctuation(raw), range.end),
            };
            // A constant may go beyond `end` when a quote is not closed.
            let stop = stop.min(end);
            self.token(range.start, tok, stop);
            lexer.bump(stop - range.end);
            if matches!(raw, Raw::LArray | Raw::LBracket) && self.type_before_colons(stop) {
                self.pos = stop;
                self.type_spec(false)?;
                lexer.bump(self.pos - stop);
            }
        }
        self.pos = end;
        Ok(())
    }

    /// True before the word of `%LOC(x)`, which is LOC(x).
    fn is_percent_loc(&self, at: usize) -> bool {
        let is_component = matches!(self.out.last(), Some((_, Tok::Name(_) | Tok::RParen, _)));
        !is_component && self.keyword(at, "loc").is_some_and(|end| self.text().get(self.blanks_end(end)) == Some(&b'('))
    }

    /// True of the point in `record.component`. In `a .op. b` the blank tells that it is an operator.
    fn is_component_point(&self, at: usize) -> bool {
        let text = self.text();
        if text[at] != b'.' || !matches!(self.out.last(), Some((_, Tok::Name(_) | Tok::RParen, _))) {
            return false;
        }
        let rest = &text[at + 1..];
        let len = rest.iter().take_while(|byte| is_word_byte(**byte)).count();
        if !rest.first().is_some_and(u8::is_ascii_lowercase) {
            return false;
        }
        const OPERATORS: [&[u8]; 12] =
            [b"eq", b"ne", b"lt", b"le", b"gt", b"ge", b"and", b"or", b"not", b"eqv", b"neqv", b"xor"];
        let is_dotted = rest.get(len) == Some(&b'.');
        !(is_dotted && (OPERATORS.contains(&&rest[..len]) || (at > 0 && text[at - 1] == b' ')))
    }

    /// True when an intrinsic type and `::` stand at `at`.
    pub fn type_before_colons(&self, at: usize) -> bool {
        const TYPES: [&str; 8] =
            ["integer", "real", "double precision", "double complex", "complex", "logical", "character", "type"];
        let Some(mut end) = TYPES.iter().find_map(|word| self.keyword(at, word)) else { return false };
        end = self.blanks_end(end);
        if self.text().get(end) == Some(&b'*') {
            end = self.blanks_end(end + 1);
            end += self.text()[end..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        }
        if self.text().get(end) == Some(&b'(') {
            // A kind is short; a bound keeps a line of nothing but `[real(` linear.
            match self.close_before(end, self.text().len().min(end + 500)) {
                Some(close) => end = close + 1,
                None => return false,
            }
        }
        self.text()[self.blanks_end(end)..].starts_with(b"::")
    }

    fn bad_byte(&mut self, at: usize) -> Result<(), Reported> {
        let text = self.text();
        let len = match text[at] {
            0xf0.. => 4,
            0xe0.. => 3,
            0xc0.. => 2,
            _ => 1,
        };
        let bytes = &text[at..(at + len).min(text.len())];
        let span = self.span(at, at + 1);
        match std::str::from_utf8(bytes) {
            Ok(".") if text[..at].ends_with(b"(") && text[at..].starts_with(b"..)") => {
                let span = self.span(at, at + 2);
                self.fail("T0160", span, "Assumed rank (a feature of Fortran 2018) is not supported")
            }
            Ok(";") => self.fail("T0111", span, "A statement cannot start with ';'"),
            Ok(char) if !char.contains(char::is_control) => {
                let span = self.span(at, at + len);
                self.fail("T0111", span, format!("Invalid character '{char}' outside of a character constant"))
            }
            _ => {
                let message = format!("Invalid byte {:#04x} outside of a character constant", text[at]);
                self.fail("T0111", span, message)
            }
        }
    }

    /// A name, or a constant that starts like one.
    fn word(&mut self, start: usize, end: usize) -> Result<(Tok, usize), Reported> {
        let text = self.text();
        let next = text.get(end).copied().unwrap_or(0);
        let word = std::str::from_utf8(&text[start..end]).unwrap_or_default();
        if matches!(next, b'\'' | b'"') {
            if let Some(radix) = literal::radix(word) {
                return self.boz(start, end, radix);
            }
            if let Some(kind) = word.strip_suffix('_') {
                let kind = KindParam::Name(self.b.ast.names.intern(kind));
                return self.quoted(start, end, kind);
            }
        }
        if self.generic && matches!(word, "operator" | "assignment") && text.get(self.blanks_end(end)) == Some(&b'(') {
            return self.generic_spec(start, self.blanks_end(end), word == "assignment");
        }
        if word.len() > MAX_NAME {
            let span = self.span(start, end);
            return self.fail("T0161", span, format!("A name has at most {MAX_NAME} characters, not {}", word.len()));
        }
        Ok((Tok::Name(self.b.ast.names.intern(word)), end))
    }

    /// `operator(+)`, `assignment(=)`, the parenthesis at `open`.
    fn generic_spec(&mut self, start: usize, open: usize, assignment: bool) -> Result<(Tok, usize), Reported> {
        let close = self.must_close(open)?;
        let inside = self.text()[open + 1..close].trim_ascii();
        let tok = match inside {
            b"=" if assignment => GenericTok::Assignment,
            _ if assignment => return self.fail("T0112", self.span(start, close + 1), "Expected ASSIGNMENT(=)"),
            _ => match self.operator(inside) {
                Some(op) => GenericTok::Operator(op),
                None => {
                    let span = self.span(open + 1, close);
                    return self.fail("T0112", span, "Expected an operator in OPERATOR( )");
                }
            },
        };
        Ok((Tok::Generic(tok), close + 1))
    }

    fn operator(&mut self, text: &[u8]) -> Option<DefinedOperator> {
        let op = match text {
            b"+" => BinaryOp::Add,
            b"-" => BinaryOp::Sub,
            b"*" => BinaryOp::Mul,
            b"/" => BinaryOp::Div,
            b"**" => BinaryOp::Pow,
            b"//" => BinaryOp::Concat,
            b"==" => BinaryOp::Eq,
            b"/=" => BinaryOp::Ne,
            b"<" => BinaryOp::Lt,
            b"<=" => BinaryOp::Le,
            b">" => BinaryOp::Gt,
            b">=" => BinaryOp::Ge,
            [b'.', word @ .., b'.'] if !word.is_empty() && word.iter().all(u8::is_ascii_alphabetic) => {
                match self.dot_operator(word) {
                    Tok::Rel(op) | Tok::Equiv(op) => op,
                    Tok::And => BinaryOp::And,
                    Tok::Or => BinaryOp::Or,
                    Tok::Not => return Some(DefinedOperator::Not),
                    Tok::DefinedOp(name) => BinaryOp::Defined(name),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(DefinedOperator::Binary(op))
    }

    /// The operator `.word.`, given without its points.
    fn dot_operator(&mut self, word: &[u8]) -> Tok {
        match word {
            b"eq" => Tok::Rel(BinaryOp::Eq),
            b"ne" => Tok::Rel(BinaryOp::Ne),
            b"lt" => Tok::Rel(BinaryOp::Lt),
            b"le" => Tok::Rel(BinaryOp::Le),
            b"gt" => Tok::Rel(BinaryOp::Gt),
            b"ge" => Tok::Rel(BinaryOp::Ge),
            b"and" => Tok::And,
            b"or" => Tok::Or,
            b"not" => Tok::Not,
            b"eqv" => Tok::Equiv(BinaryOp::Eqv),
            b"neqv" => Tok::Equiv(BinaryOp::Neqv),
            b"xor" => Tok::Equiv(BinaryOp::Neqv),
            _ => Tok::DefinedOp(self.b.ast.names.intern(std::str::from_utf8(word).unwrap_or_default())),
        }
    }

    /// `.word.`: an operator or a logical constant.
    fn dot_word(&mut self, start: usize, end: usize) -> (Tok, usize) {
        match &self.text()[start + 1..end - 1] {
            word @ (b"true" | b"false") => {
                let (kind, stop) = self.kind_suffix(end);
                let span = self.span(start, stop);
                let e = self.b.leaf(ExprKind::Logical { value: word == b"true", kind }, span);
                (Tok::Literal(e), stop)
            }
            word => (self.dot_operator(word), end),
        }
    }
}

/// A byte that a word can go on with.
pub fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

fn punctuation(raw: Raw) -> Tok {
    match raw {
        Raw::LParen => Tok::LParen,
        Raw::RParen => Tok::RParen,
        Raw::LBracket => Tok::LBracket,
        Raw::RBracket => Tok::RBracket,
        Raw::LArray => Tok::LArray,
        Raw::RArray => Tok::RArray,
        Raw::Comma => Tok::Comma,
        Raw::Colon => Tok::Colon,
        Raw::Colons => Tok::Colons,
        Raw::Assign => Tok::Assign,
        Raw::Arrow => Tok::Arrow,
        Raw::Plus => Tok::Plus,
        Raw::Minus => Tok::Minus,
        Raw::Star => Tok::Star,
        Raw::Power => Tok::Power,
        Raw::Slash => Tok::Slash,
        Raw::Slashes => Tok::Slashes,
        Raw::Eq => Tok::Rel(BinaryOp::Eq),
        Raw::Ne => Tok::Rel(BinaryOp::Ne),
        Raw::Lt => Tok::Rel(BinaryOp::Lt),
        Raw::Le => Tok::Rel(BinaryOp::Le),
        Raw::Gt => Tok::Rel(BinaryOp::Gt),
        Raw::Ge => Tok::Rel(BinaryOp::Ge),
        Raw::Percent => Tok::Percent,
        Raw::Ampersand | Raw::Word | Raw::Digits | Raw::Point | Raw::DotWord | Raw::Quote => Tok::Ampersand,
    }
}
