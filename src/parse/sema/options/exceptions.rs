//! `-ffpe-trap=` and `-ffpe-summary=`: floating-point exceptions that end the program or are reported at its end.

use trueline_abi::exceptions::{ALL, DENORMAL, DIVIDE_BY_ZERO, INEXACT, INVALID, OVERFLOW, UNDERFLOW, USUAL_SUMMARY};

/// The exceptions as the command line names them.
const NAMES: [(&str, i32); 7] = [
    ("invalid", INVALID),
    ("denormal", DENORMAL),
    ("zero", DIVIDE_BY_ZERO),
    ("overflow", OVERFLOW),
    ("underflow", UNDERFLOW),
    ("inexact", INEXACT),
    ("precision", INEXACT),
];

/// The treatment of floating-point exceptions: sums of the flags of [`trueline_abi::exceptions`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatExceptions {
    /// Exceptions that end the program. Such a program is not optimized: a moved operation may raise others than the source.
    pub trap: i32,
    /// Exceptions that are reported when the program stops.
    pub summary: i32,
}

impl Default for FloatExceptions {
    fn default() -> FloatExceptions {
        FloatExceptions { trap: 0, summary: USUAL_SUMMARY }
    }
}

impl FloatExceptions {
    /// Applies `NAME=LIST` after `-ffpe-`.
    ///
    /// # Errors
    /// A word of the list that is no exception.
    pub fn apply<'f>(&mut self, name: &str, list: &'f str) -> Result<(), &'f str> {
        let is_trap = name == "trap";
        let mut chosen = if is_trap { self.trap } else { 0 };
        for word in list.split(',') {
            chosen = match NAMES.iter().find(|(known, _)| *known == word) {
                Some((_, flag)) => chosen | flag,
                None if word == "none" => 0,
                None if word == "all" && !is_trap => ALL,
                None => return Err(word),
            };
        }
        *(if is_trap { &mut self.trap } else { &mut self.summary }) = chosen;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let mut e = FloatExceptions::default();
        assert_eq!(e.apply("trap", "invalid,zero"), Ok(()));
        assert_eq!(e.apply("trap", "overflow"), Ok(()));
        assert_eq!(e.apply("summary", "none"), Ok(()));
        assert_eq!((e.trap, e.summary), (INVALID | DIVIDE_BY_ZERO | OVERFLOW, 0));
        assert_eq!(e.apply("trap", "zero,nil"), Err("nil"));
        assert_eq!(e.apply("trap", "none"), Ok(()));
        assert_eq!(e.trap, 0);
    }
}
