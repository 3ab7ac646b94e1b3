//! Formats known at compile time, of FORMAT statements and of constants: whether they can be read.
//!
//! The grammar is that of Fortran 2008, 10.3 and 10.4, with changes as in gfortran: commas may be missing, `X`
//! needs no count, `$` ends no record; a scale factor is followed by a comma or by a descriptor of reals.
//! Formats written at run time are read by the runtime, which takes more.

/// Deviations that are accepted in a format.
#[derive(Clone, Copy, Default, Debug)]
pub struct Liberties {
    /// `F8` is `F8.0` (`-std=legacy`).
    pub no_period: bool,
    /// Descriptors need no width (`-fdec-format-defaults`).
    pub no_width: bool,
    /// The last item may be empty (`-fdec-blank-format-item`).
    pub no_item: bool,
    /// Values are read by it, so that no width is 0.
    pub reads: bool,
}

/// The byte of a mistake in a format, and its description.
pub type Problem = (usize, String);

/// An error if `text` is no format.
pub fn check(text: &[u8], liberties: Liberties) -> Result<(), Problem> {
    let mut checker = Checker { text, at: 0, begin: 0, count: 0, again: None, depth: 0, liberties };
    let mut state = match checker.next()? {
        Token::Open => State::First,
        _ => return checker.wrong("A format begins with '('"),
    };
    while state != State::Done {
        state = match state {
            State::First => match checker.next()? {
                Token::Close => State::Done,
                t => checker.unread(t, State::Item),
            },
            State::Item => checker.item()?,
            State::Between | State::Optional | State::BehindText => checker.between(state)?,
            State::Done => State::Done,
        };
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    Open,
    Close,
    Comma,
    Slash,
    Colon,
    Dollar,
    Star,
    Period,
    /// 0
    Zero,
    /// Another number without a sign.
    Positive,
    Signed,
    Text,
    /// P
    Scale,
    X,
    Hollerith,
    /// T, TL, TR
    Tab,
    /// S, BN, DC, RU and the like.
    Control,
    /// A, D, E, F, G, L, and I, which stands for B, O and Z, too.
    Data(u8),
    /// EN, ES
    Exponent,
    /// DT
    Defined,
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Behind the first parenthesis.
    First,
    /// An item must follow.
    Item,
    /// Behind a descriptor.
    Between,
    /// Behind a descriptor that needs no comma.
    Optional,
    /// Behind a character string.
    BehindText,
    Done,
}

struct Checker<'t> {
    text: &'t [u8],
    at: usize,
    /// The start of the last token.
    begin: usize,
    /// The last number.
    count: usize,
    again: Option<Token>,
    /// The groups that are open.
    depth: u32,
    liberties: Liberties,
}

type Checked<T> = Result<T, Problem>;

/// Tokens.
impl Checker<'_> {
    fn wrong<T>(&self, message: impl Into<String>) -> Checked<T> {
        Err((self.begin.min(self.text.len().saturating_sub(1)), message.into()))
    }

    fn unread(&mut self, t: Token, state: State) -> State {
        self.again = Some(t);
        state
    }

    fn end<T>(&self) -> Checked<T> {
        Err((self.text.len().saturating_sub(1), "The format ends too early".to_owned()))
    }

    /// The next character that is no blank, in upper case.
    fn peek(&mut self) -> Option<u8> {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        self.text.get(self.at).map(u8::to_ascii_uppercase)
    }

    /// Takes the next character if it is one of these.
    fn take(&mut self, any: &[u8]) -> bool {
        let found = self.peek().is_some_and(|c| any.contains(&c));
        self.at += usize::from(found);
        found
    }

    fn next(&mut self) -> Checked<Token> {
        if let Some(t) = self.again.take() {
            return Ok(t);
        }
        let Some(c) = self.peek() else {
            self.begin = self.at;
            return self.end();
        };
        self.begin = self.at;
        self.at += 1;
        Ok(match c {
            b'(' => Token::Open,
            b')' => Token::Close,
            b',' => Token::Comma,
            b'/' => Token::Slash,
            b':' => Token::Colon,
            b'$' => Token::Dollar,
            b'*' => Token::Star,
            b'.' => Token::Period,
            b'0'..=b'9' => {
                self.at -= 1;
                self.number();
                if self.count == 0 { Token::Zero } else { Token::Positive }
            }
            b'+' | b'-' if self.peek().is_some_and(|c| c.is_ascii_digit()) => {
                self.number();
                Token::Signed
            }
            b'\'' | b'"' => self.string(c)?,
            b'A' | b'F' | b'G' | b'L' => Token::Data(c),
            b'P' => Token::Scale,
            b'X' => Token::X,
            b'H' => Token::Hollerith,
            b'I' | b'O' | b'Z' => Token::Data(b'I'),
            b'B' if self.take(b"NZ") => Token::Control,
            b'B' => Token::Data(b'I'),
            b'S' => {
                self.take(b"SP");
                Token::Control
            }
            b'R' if self.take(b"CDNPUZ") => Token::Control,
            b'T' => {
                self.take(b"LR");
                Token::Tab
            }
            b'D' if self.take(b"CP") => Token::Control,
            b'D' if self.take(b"T") => Token::Defined,
            b'D' => Token::Data(c),
            b'E' if self.take(b"NS") => Token::Exponent,
            b'E' => Token::Data(c),
            _ => Token::Other,
        })
    }

    fn number(&mut self) {
        self.count = 0;
        while let Some(d) = self.peek().filter(u8::is_ascii_digit) {
            self.count = self.count.saturating_mul(10).saturating_add(usize::from(d - b'0'));
            self.at += 1;
        }
    }

    /// Behind the closing quote; a doubled one does not close.
    fn string(&mut self, quote: u8) -> Checked<Token> {
        loop {
            match self.text.get(self.at) {
                None => return self.wrong("A character string without end"),
                Some(&c) if c == quote && self.text.get(self.at + 1) == Some(&quote) => self.at += 2,
                Some(&c) => {
                    self.at += 1;
                    if c == quote {
                        return Ok(Token::Text);
                    }
                }
            }
        }
    }

    /// The last token as it stands there.
    fn word(&self) -> String {
        trueline_diag::safe(String::from_utf8_lossy(&self.text[self.begin.min(self.at)..self.at]).trim())
    }
}

/// Items.
impl Checker<'_> {
    fn no_item<T>(&self) -> Checked<T> {
        self.wrong(format!("'{}' is no edit descriptor", self.word()))
    }

    fn missing<T>(&self) -> Checked<T> {
        self.wrong("An edit descriptor is missing before this")
    }

    fn item(&mut self) -> Checked<State> {
        Ok(match self.next()? {
            Token::Open => self.group(),
            Token::Star => match self.next()? {
                Token::Open => self.group(),
                _ => return self.wrong("'*' is followed by a group in parentheses"),
            },
            Token::Positive => match self.next()? {
                Token::Open => self.group(),
                Token::Slash => State::Optional,
                t => self.descriptor(t)?,
            },
            Token::Zero | Token::Signed => match self.next()? {
                Token::Scale => self.descriptor(Token::Scale)?,
                _ => return self.wrong("A zero or a number with a sign is followed by P"),
            },
            Token::Scale => return self.wrong("P needs a scale factor before it"),
            Token::X => State::Between,
            Token::Text => State::BehindText,
            Token::Colon | Token::Slash => State::Optional,
            Token::Dollar => match self.next()? {
                Token::Close if self.depth == 0 => State::Done,
                t => self.unread(t, State::Optional),
            },
            Token::Close if self.liberties.no_item => State::Done,
            Token::Close | Token::Comma => return self.missing(),
            t => self.descriptor(t)?,
        })
    }

    fn group(&mut self) -> State {
        self.depth += 1;
        State::Item
    }

    fn close(&mut self) -> State {
        match self.depth.checked_sub(1) {
            Some(depth) => {
                self.depth = depth;
                State::Between
            }
            None => State::Done,
        }
    }

    /// Behind an item.
    fn between(&mut self, state: State) -> Checked<State> {
        Ok(match (self.next()?, state) {
            (Token::Comma, _) => State::Item,
            (Token::Close, _) => self.close(),
            (Token::Colon | Token::Slash, State::Between | State::BehindText) => State::Optional,
            (t, _) => self.unread(t, State::Item),
        })
    }

    /// Reads the parts that a descriptor needs, or may have, after its letter.
    fn descriptor(&mut self, t: Token) -> Checked<State> {
        match t {
            Token::X | Token::Control => {}
            Token::Scale => return self.scale(),
            Token::Tab => {
                if self.next()? != Token::Positive {
                    return self.wrong("T, TL and TR need a positive number");
                }
            }
            Token::Data(b'L') => {
                let t = self.next()?;
                if !matches!(t, Token::Positive | Token::Zero) {
                    self.again = Some(t);
                }
            }
            Token::Data(b'A') => match self.next()? {
                Token::Positive => {}
                Token::Zero => return self.wrong("The width of A cannot be 0"),
                t => self.again = Some(t),
            },
            Token::Data(b'D' | b'E' | b'G') | Token::Exponent => self.real(t)?,
            Token::Data(letter) => self.fixed(letter)?,
            Token::Hollerith => {
                let end = self.at.saturating_add(self.count);
                if end > self.text.len() {
                    return self.wrong("A Hollerith constant without end");
                }
                self.at = end;
            }
            Token::Defined => self.defined()?,
            Token::Close | Token::Comma => return self.missing(),
            _ => return self.no_item(),
        }
        Ok(State::Between)
    }

    /// Behind a scale factor.
    fn scale(&mut self) -> Checked<State> {
        let mut t = self.next()?;
        if t == Token::Positive {
            t = self.next()?;
        }
        let is_real = matches!(t, Token::Data(b'D' | b'E' | b'F' | b'G') | Token::Exponent);
        if !is_real && !matches!(t, Token::Comma | Token::Close | Token::Slash) {
            return self.wrong("A comma is missing after P");
        }
        Ok(self.unread(t, State::Optional))
    }

    /// F, or I, B, O and Z.
    fn fixed(&mut self, letter: u8) -> Checked<()> {
        let name = self.word();
        let mut t = self.next()?;
        match t {
            Token::Positive => {}
            Token::Zero if self.liberties.reads => return self.wrong("Nothing is read by a width of 0"),
            Token::Zero => {}
            t if self.liberties.no_width => {
                self.again = Some(t);
                return Ok(());
            }
            _ => return self.wrong(format!("The descriptor '{name}' needs a width")),
        }
        t = self.next()?;
        if t == Token::Period {
            return self.digits();
        }
        if letter == b'F' && !self.liberties.no_period && !self.liberties.no_width {
            return self.no_period(&name);
        }
        self.again = Some(t);
        Ok(())
    }

    fn no_period<T>(&self, name: &str) -> Checked<T> {
        self.wrong(format!("The descriptor '{name}' needs a period and a number of digits"))
    }

    fn digits(&mut self) -> Checked<()> {
        match self.next()? {
            Token::Zero | Token::Positive => Ok(()),
            _ => self.wrong("A number of digits must follow the period"),
        }
    }

    /// D, E, EN, ES and G.
    fn real(&mut self, kind: Token) -> Checked<()> {
        let name = self.word();
        let mut t = self.next()?;
        if kind == Token::Data(b'G') && t == Token::Zero {
            return self.least_width();
        }
        if matches!(t, Token::Zero | Token::Positive) {
            t = self.next()?;
        } else if self.liberties.no_width {
            self.again = Some(t);
            return Ok(());
        }
        if t != Token::Period {
            if !self.liberties.no_period {
                return self.no_period(&name);
            }
            self.again = Some(t);
            return Ok(());
        }
        self.digits()?;
        if kind == Token::Data(b'D') {
            return Ok(());
        }
        let t = self.next()?;
        if t != Token::Data(b'E') {
            self.again = Some(t);
            return Ok(());
        }
        match self.next()? {
            Token::Zero | Token::Positive => Ok(()),
            _ => self.wrong("The width of the exponent must follow E"),
        }
    }

    /// Behind `G0`.
    fn least_width(&mut self) -> Checked<()> {
        let mut t = self.next()?;
        if t == Token::Period {
            if self.next()? != Token::Positive {
                return self.wrong("A positive number of digits must follow the period");
            }
            t = self.next()?;
            if t == Token::Data(b'E') {
                return self.wrong("'G0' has no width of an exponent");
            }
        }
        self.again = Some(t);
        Ok(())
    }

    /// DT: a string and a list of numbers may follow.
    fn defined(&mut self) -> Checked<()> {
        let mut t = self.next()?;
        if t == Token::Text {
            t = self.next()?;
        }
        if t != Token::Open {
            self.again = Some(t);
            return Ok(());
        }
        loop {
            if !matches!(self.next()?, Token::Zero | Token::Positive | Token::Signed) {
                return self.wrong("A number is needed here");
            }
            match self.next()? {
                Token::Comma => {}
                Token::Close => return Ok(()),
                _ => return self.wrong("A comma or ')' is needed here"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Liberties, check};

    const NONE: Liberties = Liberties { no_period: false, no_width: false, no_item: false, reads: false };

    #[test]
    fn right_formats_pass() {
        for text in [
            "(i5)",
            "(3(i2, f8.3), /, 'it''s', 5habcde, 1x)",
            "(1p2e12.4, tr3, bz, g0)",
            "(a)",
            "()",
            "(//i5/)",
            "(-1p,i5 i5,2(i5)3x)",
            "(*(i5,:))",
            "(e12.3e2,g0.3,1p/e12.4,t 5,f 1 0 . 2)",
            "(i5$)",
            "(dt'abc'(1,-2),l,x,bn i5) and more",
        ] {
            assert_eq!(check(text.as_bytes(), NONE), Ok(()), "{text}");
        }
    }

    #[test]
    fn liberties_are_taken() {
        for text in ["(f8, e12)", "(d12,g5)"] {
            assert_eq!(check(text.as_bytes(), Liberties { no_period: true, ..NONE }), Ok(()), "{text}");
        }
        for text in ["(f, i, e)", "(g,i5)", "(f8)"] {
            assert_eq!(check(text.as_bytes(), Liberties { no_width: true, ..NONE }), Ok(()), "{text}");
        }
        assert_eq!(check(b"(i5,)", Liberties { no_item: true, ..NONE }), Ok(()));
        assert_eq!(check(b"(i0)", NONE), Ok(()));
        assert!(check(b"(i0)", Liberties { reads: true, ..NONE }).is_err());
    }

    #[test]
    fn wrong_formats_do_not() {
        for text in [
            "(i3,, i4)",
            "(q5)",
            "(i5",
            "('open)",
            "(9habc)",
            "(#)",
            "(f8)",
            "(1p e12, i5)",
            "i5)",
            "",
            "(i)",
            "(f5.)",
            "(e5.3e)",
            "(i-5)",
            "(+i5)",
            "(i5,)",
            "(,i5)",
            "(0i5)",
            "(2:)",
            "(2'a')",
            "(*i5)",
            "(p,i5)",
            "(1p i5)",
            "(1p2(e12.4))",
            "(t,i5)",
            "(tl)",
            "(a5.3)",
            "(a0)",
            "(g0.3e2)",
            "(())",
            "(-5x)",
            "(ru,rx)",
            "(dt()i5)",
            "(3)",
        ] {
            assert!(check(text.as_bytes(), NONE).is_err(), "{text}");
        }
    }

    #[test]
    fn the_place_is_that_of_the_mistake() {
        assert_eq!(check(b"(i5, q3)", NONE).map_err(|(at, _)| at), Err(5));
        assert_eq!(check(b"(i5,, i3)", NONE).map_err(|(at, _)| at), Err(4));
    }
}
