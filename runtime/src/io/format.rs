//! Formats: the edit descriptors, and the parser from text.
//!
//! A format is a flat list of operations; a group is a pair of them. The parser has no recursion, so that a hostile
//! run-time format cannot exhaust the stack. It accepts the extensions of gfortran's `-std=legacy`: missing commas, `X`
//! without a count, `F8` for `F8.0`.

use super::error::{IoError, Result, code};
use super::item::Class;
use super::unit::{Rounding, Sign};
use std::sync::atomic::{AtomicBool, Ordering};

/// One step of a format.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Op {
    pub kind: OpKind,
    /// The number of repetitions.
    pub repeat: u32,
    /// Offset in the text, for messages.
    pub source: u32,
}

/// The action of a step.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum OpKind {
    /// The group ends after operation `end`. An unlimited group has [`UNLIMITED`] repeats.
    Begin { end: u32 },
    /// Back to `begin`, or on.
    End { begin: u32 },
    /// A data edit descriptor.
    Data(Data),
    /// Characters that are written as they are.
    Text(Vec<u8>),
    /// `T`: to this column, from 1, counted from the left tab limit.
    Tab(u32),
    /// `TR`, `X` or, negative, `TL`.
    Move(i32),
    /// `/`
    Slash,
    /// `:`
    Colon,
    /// `$`: the record is not ended.
    Dollar,
    /// `P`
    Scale(i32),
    /// `S`, `SP`, `SS`
    Sign(Sign),
    /// `BN`, `BZ`: blanks are zeros.
    BlankZero(bool),
    /// `DC`, `DP`: the decimal symbol is a comma.
    Comma(bool),
    /// `RU`, `RD`, `RZ`, `RN`, `RC`, `RP`
    Round(Rounding),
}

/// A data edit descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Data {
    pub letter: Letter,
    /// Width; `None` for `A` and `L` without one. 0 is the least that holds the value.
    pub width: Option<u32>,
    /// `d`, or `m` of an integer.
    pub digits: Option<u32>,
    /// `e`
    pub exponent: Option<u32>,
}

/// Whether descriptors need no width.
static WIDTHS: AtomicBool = AtomicBool::new(false);

/// Sets whether descriptors need no width (`-fdec-format-defaults`).
pub(crate) fn set_default_widths(widths: bool) {
    WIDTHS.store(widths, Ordering::Relaxed);
}

impl Data {
    /// A descriptor that may lack its width, for an item of `size` bytes: the widths are those of DEC compilers.
    pub fn with_default_width(self, of: Class, size: usize) -> Data {
        if self.width.is_some() || matches!(self.letter, Letter::A) || !WIDTHS.load(Ordering::Relaxed) {
            return self;
        }
        match of {
            Class::Integer => Data { width: Some([4, 7, 12, 23][(size.max(1).ilog2() as usize).min(3)]), ..self },
            Class::Real | Class::Complex => {
                let (width, digits) = if size == 4 { (15, 7) } else { (25, 16) };
                Data { width: Some(width), digits: Some(digits), exponent: self.exponent.or(Some(2)), ..self }
            }
            Class::Logical => Data { width: Some(2), ..self },
            Class::Character => self,
        }
    }
}

/// The letter of a data edit descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum Letter {
    I,
    B,
    O,
    Z,
    F,
    E,
    En,
    Es,
    D,
    G,
    L,
    A,
}

/// The repeat count of `*`.
pub(crate) const UNLIMITED: u32 = u32::MAX;

/// A parsed format.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Format {
    pub text: Vec<u8>,
    pub ops: Vec<Op>,
    /// The target of reversion: the last group of the outermost level, or the beginning.
    pub revert: u32,
}

/// Parses a format, from its opening parenthesis on; text behind the closing one is ignored.
pub(crate) fn parse(text: &[u8]) -> Result<Format> {
    let mut parser = Parser { text, at: 0, ops: Vec::new(), open: Vec::new(), revert: 0, after_item: false };
    match parser.format() {
        Ok(()) => {
            let Parser { ops, revert, .. } = parser;
            Ok(Format { text: text.to_vec(), ops, revert })
        }
        Err(problem) => Err(format_error(&problem, text, parser.at.saturating_sub(1))),
    }
}

/// A message with the format below it and a caret below the place.
pub(crate) fn format_error(problem: &str, text: &[u8], at: usize) -> IoError {
    // A window of a long format around the place; the width is libgfortran's.
    const BEFORE: usize = 20;
    const SHOWN: usize = 80;
    let start = at.saturating_sub(SHOWN - BEFORE);
    let shown = &text[start.min(text.len())..(start + SHOWN).min(text.len())];
    let mut message = problem.as_bytes().to_vec();
    message.push(b'\n');
    message.extend(shown.iter().map(|&b| if b.is_ascii_control() { b' ' } else { b }));
    message.push(b'\n');
    message.resize(message.len() + (at - start), b' ');
    message.push(b'^');
    IoError::new(code::FORMAT, message)
}

type Parsed<T> = std::result::Result<T, String>;

const UNEXPECTED_END: &str = "Unexpected end of format string";
const NONNEGATIVE_WIDTH: &str = "Nonnegative width required in format";
const ZERO_WIDTH: &str = "Zero width in format descriptor";
const BAD_STRING: &str = "Unterminated character constant in format string";
const BAD_HOLLERITH: &str = "Hollerith constant extends past the end of the format";

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    ops: Vec<Op>,
    /// The groups that are open.
    open: Vec<u32>,
    revert: u32,
    /// Whether a comma makes sense: not after an opening parenthesis or another comma.
    after_item: bool,
}

impl Parser<'_> {
    fn format(&mut self) -> Parsed<()> {
        if self.next() != Some(b'(') {
            return Err("Missing initial left parenthesis in format".into());
        }
        loop {
            let source = self.peek_at();
            match self.next().ok_or(UNEXPECTED_END)? {
                b')' => {
                    let Some(begin) = self.open.pop() else { return Ok(()) };
                    self.end_group(begin);
                }
                // An empty item is harmless, but not at the beginning of a list.
                b',' if self.after_item => self.after_item = false,
                first => {
                    self.after_item = true;
                    self.item(first, source)?;
                }
            }
        }
    }

    fn end_group(&mut self, begin: u32) {
        let end = self.ops.len() as u32;
        self.after_item = true;
        self.ops[begin as usize].kind = OpKind::Begin { end };
        self.push(OpKind::End { begin }, 1, self.at - 1);
        if self.open.is_empty() {
            self.revert = begin;
        }
    }

    /// One item that begins with `first` at `source`.
    fn item(&mut self, first: u8, source: usize) -> Parsed<()> {
        match first {
            b'0'..=b'9' => {
                let number = self.number_from(first)?;
                self.counted(number, source)
            }
            b'+' | b'-' => {
                let digit = self.next().filter(u8::is_ascii_digit).ok_or("Bad number in format")?;
                let number = self.number_from(digit)? as i32;
                self.scale(if first == b'-' { -number } else { number }, source)
            }
            b'*' => match self.next() {
                Some(b'(') => {
                    self.begin_group(UNLIMITED, source);
                    Ok(())
                }
                _ => Err("Left parenthesis required after '*'".into()),
            },
            b'(' => {
                self.begin_group(1, source);
                Ok(())
            }
            b'\'' | b'"' => {
                let text = self.quoted(first)?;
                self.push(OpKind::Text(text), 1, source);
                Ok(())
            }
            b'/' => {
                self.push(OpKind::Slash, 1, source);
                Ok(())
            }
            b':' => {
                self.push(OpKind::Colon, 1, source);
                Ok(())
            }
            b'$' => {
                self.push(OpKind::Dollar, 1, source);
                Ok(())
            }
            _ => match self.control(first.to_ascii_uppercase(), source)? {
                true => Ok(()),
                false => self.data(first, 1, source),
            },
        }
    }

    /// The descriptors that may follow a repeat count.
    fn counted(&mut self, count: u32, source: usize) -> Parsed<()> {
        let next = self.next().ok_or(UNEXPECTED_END)?;
        match next.to_ascii_uppercase() {
            b'P' => {
                self.push(OpKind::Scale(count as i32), 1, source);
                Ok(())
            }
            b'X' => {
                self.push(OpKind::Move(count as i32), 1, source);
                Ok(())
            }
            b'H' => {
                let end = self.at.checked_add(count as usize).filter(|&end| end <= self.text.len());
                let end = end.ok_or(BAD_HOLLERITH)?;
                let text = self.text[self.at..end].to_vec();
                self.at = end;
                self.push(OpKind::Text(text), 1, source);
                Ok(())
            }
            _ if count == 0 => Err("Expected P edit descriptor in format".into()),
            b'(' => {
                self.begin_group(count, source);
                Ok(())
            }
            b'/' => {
                self.push(OpKind::Slash, count, source);
                Ok(())
            }
            _ => self.data(next, count, source),
        }
    }

    fn begin_group(&mut self, repeat: u32, source: usize) {
        self.after_item = false;
        self.open.push(self.ops.len() as u32);
        self.push(OpKind::Begin { end: 0 }, repeat, source);
    }

    /// A signed number is a scale factor.
    fn scale(&mut self, factor: i32, source: usize) -> Parsed<()> {
        match self.next().map(|b| b.to_ascii_uppercase()) {
            Some(b'P') => {
                self.push(OpKind::Scale(factor), 1, source);
                Ok(())
            }
            _ => Err("Expected P edit descriptor in format".into()),
        }
    }

    /// Control descriptors that begin with a letter; false if `letter` begins none.
    fn control(&mut self, letter: u8, source: usize) -> Parsed<bool> {
        let second = self.peek().map(|b| b.to_ascii_uppercase());
        let kind = match (letter, second) {
            (b'X', _) => OpKind::Move(1),
            (b'S', Some(b'P')) => self.skip(OpKind::Sign(Sign::Plus)),
            (b'S', Some(b'S')) => self.skip(OpKind::Sign(Sign::Suppress)),
            (b'S', _) => OpKind::Sign(Sign::Suppress),
            (b'B', Some(b'N')) => self.skip(OpKind::BlankZero(false)),
            (b'B', Some(b'Z')) => self.skip(OpKind::BlankZero(true)),
            (b'D', Some(b'C')) => self.skip(OpKind::Comma(true)),
            (b'D', Some(b'P')) => self.skip(OpKind::Comma(false)),
            (b'R', Some(mode @ (b'U' | b'D' | b'Z' | b'N' | b'C' | b'P'))) => self.skip(OpKind::Round(match mode {
                b'U' => Rounding::Up,
                b'D' => Rounding::Down,
                b'Z' => Rounding::Zero,
                b'N' => Rounding::Nearest,
                b'C' => Rounding::Compatible,
                _ => Rounding::Unspecified,
            })),
            (b'T', Some(b'L')) => {
                self.next();
                OpKind::Move(-(self.positive()? as i32))
            }
            (b'T', Some(b'R')) => {
                self.next();
                OpKind::Move(self.positive()? as i32)
            }
            (b'T', _) => OpKind::Tab(self.positive()?),
            _ => return Ok(false),
        };
        self.push(kind, 1, source);
        Ok(true)
    }

    fn skip(&mut self, kind: OpKind) -> OpKind {
        self.next();
        kind
    }

    /// A data edit descriptor whose first letter is `first`.
    fn data(&mut self, first: u8, repeat: u32, source: usize) -> Parsed<()> {
        let letter = match first.to_ascii_uppercase() {
            b'I' => Letter::I,
            b'B' => Letter::B,
            b'O' => Letter::O,
            b'Z' => Letter::Z,
            b'F' => Letter::F,
            b'D' => Letter::D,
            b'G' => Letter::G,
            b'L' => Letter::L,
            b'A' => Letter::A,
            b'E' => match self.peek().map(|b| b.to_ascii_uppercase()) {
                Some(b'N') => self.letter(Letter::En),
                Some(b'S') => self.letter(Letter::Es),
                _ => Letter::E,
            },
            other => return Err(format!("Unexpected element '{}' in format", char::from(other))),
        };
        let data = match letter {
            Letter::A | Letter::L => self.width_only(letter)?,
            Letter::I | Letter::B | Letter::O | Letter::Z => self.integer(letter)?,
            _ => self.real(letter)?,
        };
        self.push(OpKind::Data(data), repeat, source);
        Ok(())
    }

    fn letter(&mut self, letter: Letter) -> Letter {
        self.next();
        letter
    }

    fn width_only(&mut self, letter: Letter) -> Parsed<Data> {
        let width = self.number()?;
        if width == Some(0) && letter == Letter::A {
            return Err(ZERO_WIDTH.into());
        }
        Ok(Data { letter, width, digits: None, exponent: None })
    }

    fn integer(&mut self, letter: Letter) -> Parsed<Data> {
        let Some(width) = self.width()? else { return Ok(Data { letter, width: None, digits: None, exponent: None }) };
        let digits = if self.take(b'.') { Some(self.required("Nonnegative width required in format")?) } else { None };
        if width != 0 && digits.is_some_and(|m| m > width) {
            return Err("Minimum digits exceeds field width".into());
        }
        Ok(Data { letter, width: Some(width), digits, exponent: None })
    }

    fn real(&mut self, letter: Letter) -> Parsed<Data> {
        let Some(width) = self.width()? else { return Ok(Data { letter, width: None, digits: None, exponent: None }) };
        let mut data = Data { letter, width: Some(width), digits: None, exponent: None };
        if !self.take(b'.') {
            if letter != Letter::G {
                if !super::read::is_legacy() && !WIDTHS.load(Ordering::Relaxed) {
                    self.at += 1;
                    return Err("Period required in format".into());
                }
                data.digits = Some(0);
            }
            return Ok(data);
        }
        data.digits = Some(self.required(NONNEGATIVE_WIDTH)?);
        let with_exponent = matches!(letter, Letter::E | Letter::En | Letter::Es | Letter::G);
        if with_exponent && matches!(self.peek(), Some(b'E' | b'e')) {
            self.next();
            data.exponent = Some(self.required("Positive exponent width required in format")?);
        }
        Ok(data)
    }

    /// Reads the rest of a quoted constant; a doubled delimiter stands for one.
    fn quoted(&mut self, delimiter: u8) -> Parsed<Vec<u8>> {
        let mut text = Vec::new();
        loop {
            let c = *self.text.get(self.at).ok_or(BAD_STRING)?;
            self.at += 1;
            if c == delimiter {
                if self.text.get(self.at) != Some(&delimiter) {
                    return Ok(text);
                }
                self.at += 1;
            }
            text.push(c);
        }
    }

    /// The width; none if it may be missing and does.
    fn width(&mut self) -> Parsed<Option<u32>> {
        match self.number()? {
            None if WIDTHS.load(Ordering::Relaxed) => Ok(None),
            None => {
                self.at += 1;
                Err(NONNEGATIVE_WIDTH.into())
            }
            width => Ok(width),
        }
    }

    fn required(&mut self, problem: &str) -> Parsed<u32> {
        match self.number()? {
            Some(number) => Ok(number),
            None => {
                self.at += 1;
                Err(problem.into())
            }
        }
    }

    fn positive(&mut self) -> Parsed<u32> {
        match self.number()? {
            Some(number) if number > 0 => Ok(number),
            _ => {
                self.at += 1;
                Err("Positive integer required in format".into())
            }
        }
    }

    fn number(&mut self) -> Parsed<Option<u32>> {
        match self.peek() {
            Some(digit @ b'0'..=b'9') => {
                self.next();
                self.number_from(digit).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn number_from(&mut self, first: u8) -> Parsed<u32> {
        let mut number = u32::from(first - b'0');
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            self.next();
            number = number
                .checked_mul(10)
                .and_then(|n| n.checked_add(u32::from(digit - b'0')))
                .filter(|&n| n <= i32::MAX as u32)
                .ok_or("Number too large in format")?;
        }
        Ok(number)
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.next();
        }
        found
    }

    /// The offset of the next character that is not blank.
    fn peek_at(&self) -> usize {
        let blank = |b: &u8| matches!(b, b' ' | b'\t');
        self.at + self.text[self.at..].iter().take_while(|b| blank(b)).count()
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.peek_at()).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let at = self.peek_at();
        let c = self.text.get(at).copied();
        self.at = (at + 1).min(self.text.len());
        c
    }

    fn push(&mut self, kind: OpKind, repeat: u32, source: usize) {
        self.ops.push(Op { kind, repeat, source: source as u32 });
    }
}
