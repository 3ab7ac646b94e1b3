//! The expression of `#if`.

use crate::expand::{Macros, Place, piece, word};

/// The deepest nesting of parentheses and signs.
const MAX_DEPTH: u32 = 200;

/// The value of the expression of `#if` or `#elif`.
pub(crate) fn holds(text: &[u8], macros: &Macros, place: Place<'_>) -> Result<bool, String> {
    let text = macros.expand(&resolve_defined(text, macros)?, place)?;
    let mut parser = Parser { text: &text, at: 0, depth: 0 };
    let value = parser.ternary()?;
    match parser.peek() {
        0 => Ok(value != 0),
        _ => Err(format!("'{}' is left over in the condition", String::from_utf8_lossy(&text[parser.at..]))),
    }
}

/// `defined X` and `defined(X)` become 1 or 0, before any macro is replaced.
fn resolve_defined(text: &[u8], macros: &Macros) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let len = piece(&text[at..]);
        let this = &text[at..at + len];
        at += len;
        if this != b"defined" {
            out.extend_from_slice(this);
            continue;
        }
        let blanks = |at: usize| at + text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        at = blanks(at);
        let open = text.get(at) == Some(&b'(');
        if open {
            at = blanks(at + 1);
        }
        let len = word(&text[at..]);
        if len == 0 {
            return Err("'defined' needs the name of a macro".to_owned());
        }
        out.extend_from_slice(if macros.is_defined(&text[at..at + len]) { b" 1 " } else { b" 0 " });
        at += len;
        if open {
            at = blanks(at);
            if text.get(at) != Some(&b')') {
                return Err("'defined(' needs its ')'".to_owned());
            }
            at += 1;
        }
    }
    Ok(out)
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
    depth: u32,
}

/// The operators of two operands with their precedence, longest first.
const OPERATORS: [(&[u8], u8); 18] = [
    (b"||", 1),
    (b"&&", 2),
    (b"==", 6),
    (b"!=", 6),
    (b"<=", 7),
    (b">=", 7),
    (b"<<", 8),
    (b">>", 8),
    (b"|", 3),
    (b"^", 4),
    (b"&", 5),
    (b"<", 7),
    (b">", 7),
    (b"+", 9),
    (b"-", 9),
    (b"*", 10),
    (b"/", 10),
    (b"%", 10),
];

impl Parser<'_> {
    fn peek(&mut self) -> u8 {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        self.at += usize::from(found);
        found
    }

    fn ternary(&mut self) -> Result<i64, String> {
        self.deeper()?;
        let condition = self.binary(1)?;
        let value = if self.eat(b'?') {
            let yes = self.ternary()?;
            if !self.eat(b':') {
                return Err("'?' needs its ':' in the condition".to_owned());
            }
            let no = self.ternary()?;
            if condition != 0 { yes } else { no }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u8) -> Result<i64, String> {
        let mut left = self.unary()?;
        loop {
            self.peek();
            let rest = &self.text[self.at..];
            let Some(&(operator, precedence)) =
                OPERATORS.iter().find(|(o, _)| rest.starts_with(o)).filter(|(_, p)| *p >= least)
            else {
                return Ok(left);
            };
            self.at += operator.len();
            let right = self.binary(precedence + 1)?;
            left = apply(operator, left, right)?;
        }
    }

    fn unary(&mut self) -> Result<i64, String> {
        self.deeper()?;
        let value = match self.peek() {
            b'!' => {
                self.at += 1;
                i64::from(self.unary()? == 0)
            }
            b'-' => {
                self.at += 1;
                self.unary()?.wrapping_neg()
            }
            b'+' => {
                self.at += 1;
                self.unary()?
            }
            b'~' => {
                self.at += 1;
                !self.unary()?
            }
            b'(' => {
                self.at += 1;
                let value = self.ternary()?;
                if !self.eat(b')') {
                    return Err("')' is missing in the condition".to_owned());
                }
                value
            }
            b'0'..=b'9' => self.number()?,
            _ => self.name()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("The condition is nested too deeply".to_owned());
        }
        Ok(())
    }

    fn number(&mut self) -> Result<i64, String> {
        let len = self.text[self.at..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'.').count();
        let text = String::from_utf8_lossy(&self.text[self.at..self.at + len]).to_ascii_lowercase();
        self.at += len;
        let digits = text.trim_end_matches(['u', 'l']);
        let value = match digits.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(&digits[1..], 8),
            None => digits.parse(),
        };
        value.map(|v| v as i64).map_err(|_| format!("'{text}' is not an integer"))
    }

    /// A name that is no macro is 0.
    fn name(&mut self) -> Result<i64, String> {
        let len = word(&self.text[self.at..]);
        if len == 0 {
            let rest = String::from_utf8_lossy(&self.text[self.at..]).into_owned();
            return Err(match rest.is_empty() {
                true => "The condition is not complete".to_owned(),
                false => format!("'{rest}' is no condition"),
            });
        }
        let name = &self.text[self.at..self.at + len];
        self.at += len;
        if self.peek() == b'(' {
            return Err(format!("'{}' is not a macro with arguments", String::from_utf8_lossy(name)));
        }
        Ok(0)
    }
}

fn apply(operator: &[u8], a: i64, b: i64) -> Result<i64, String> {
    let shift = |b: i64| u32::try_from(b).unwrap_or(64).min(64);
    Ok(match operator {
        b"||" => i64::from(a != 0 || b != 0),
        b"&&" => i64::from(a != 0 && b != 0),
        b"|" => a | b,
        b"^" => a ^ b,
        b"&" => a & b,
        b"==" => i64::from(a == b),
        b"!=" => i64::from(a != b),
        b"<" => i64::from(a < b),
        b"<=" => i64::from(a <= b),
        b">" => i64::from(a > b),
        b">=" => i64::from(a >= b),
        b"<<" => a.checked_shl(shift(b)).unwrap_or(0),
        b">>" => a.checked_shr(shift(b)).unwrap_or(if a < 0 { -1 } else { 0 }),
        b"+" => a.wrapping_add(b),
        b"-" => a.wrapping_sub(b),
        b"*" => a.wrapping_mul(b),
        _ if b == 0 => return Err("Division by zero in the condition".to_owned()),
        b"/" => a.wrapping_div(b),
        _ => a.wrapping_rem(b),
    })
}
