//! The optimization level.

use std::fmt;
use std::str::FromStr;

/// The effort of the optimizer: `-O0` to `-O3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum OptLevel {
    /// Each statement as it stands.
    O0,
    /// Scalar passes.
    O1,
    /// Loop passes.
    O2,
    /// Inlining, unrolling and all the rest.
    #[default]
    O3,
}

impl OptLevel {
    /// All of them, in order.
    pub const ALL: [OptLevel; 4] = [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3];

    /// `O0` to `O3`, as in reports and profiles.
    pub fn name(self) -> &'static str {
        match self {
            OptLevel::O0 => "O0",
            OptLevel::O1 => "O1",
            OptLevel::O2 => "O2",
            OptLevel::O3 => "O3",
        }
    }
}

impl fmt::Display for OptLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for OptLevel {
    type Err = String;

    /// Reads the text behind `-O`: a number, nothing for 1, or gfortran's `g`, `s`, `z` and `fast`. Higher numbers mean 3.
    fn from_str(text: &str) -> Result<OptLevel, String> {
        match text {
            "0" => Ok(OptLevel::O0),
            "" | "1" | "g" => Ok(OptLevel::O1),
            "2" | "s" | "z" => Ok(OptLevel::O2),
            "fast" => Ok(OptLevel::O3),
            _ if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => Ok(OptLevel::O3),
            _ => Err(format!("'-O{text}': the level is 0 to 3, g, s, z or fast")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OptLevel;

    #[test]
    fn names_are_read_back_and_others_refused() {
        for level in OptLevel::ALL {
            assert_eq!(level.name()[1..].parse(), Ok(level));
        }
        assert_eq!("s".parse(), Ok(OptLevel::O2));
        assert_eq!("9".parse(), Ok(OptLevel::O3));
        assert!("x".parse::<OptLevel>().is_err() && "-1".parse::<OptLevel>().is_err());
    }
}
