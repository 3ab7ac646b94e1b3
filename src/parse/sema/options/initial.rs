//! Initial content, by `-finit-real=` and its kin, of local variables without an initial value.

use crate::types::kinds::Category;
use trueline_ir::Type;

/// The values of `-finit-real=`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum InitialReal {
    Zero,
    Infinity,
    MinusInfinity,
    QuietNan,
    SignallingNan,
}

impl InitialReal {
    /// The bits, of an `R4` the low 32.
    pub fn bits(self, ty: Type) -> u128 {
        // Sign, exponent and the first bits of the fraction; the others are zero.
        let top = |short: u32, long: u64, longest: u16| match ty {
            Type::R4 => short.into(),
            Type::R16 => u128::from(longest) << 112 | u128::from(long & 0x000f_ffff_ffff_ffff) << 60,
            _ => u128::from(long),
        };
        match self {
            InitialReal::Zero => 0,
            InitialReal::Infinity => top(0x7f80_0000, 0x7ff0_0000_0000_0000, 0x7fff),
            InitialReal::MinusInfinity => top(0xff80_0000, 0xfff0_0000_0000_0000, 0xffff),
            InitialReal::QuietNan => top(0x7fc0_0000, 0x7ff8_0000_0000_0000, 0x7fff),
            InitialReal::SignallingNan => top(0x7fa0_0000, 0x7ff4_0000_0000_0000, 0x7fff),
        }
    }
}

/// Longer character values are left as they are: initial values have limits.
pub const MOST_CHARACTERS: i64 = 1 << 28;

/// The initial values by type; none: whatever is in memory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Initial {
    /// REAL and both parts of COMPLEX.
    pub real: Option<InitialReal>,
    /// INTEGER
    pub integer: Option<i64>,
    /// LOGICAL
    pub logical: Option<bool>,
    /// CHARACTER: the code of every character.
    pub character: Option<u8>,
    /// `-finit-derived`: components of derived types, too.
    pub derived: bool,
}

impl Initial {
    /// Applies `NAME` or `NAME=VALUE` after `-finit-`; false if it is none of them.
    pub fn apply(&mut self, flag: &str) -> bool {
        let (name, value) = flag.split_once('=').unwrap_or((flag, ""));
        let value = value.to_ascii_lowercase();
        let value = value.as_str();
        match (name, value) {
            ("local-zero", "") => {
                *self = Initial {
                    real: Some(InitialReal::Zero),
                    integer: Some(0),
                    logical: Some(false),
                    character: Some(0),
                    derived: self.derived,
                };
            }
            ("derived", "") => self.derived = true,
            ("real", "zero") => self.real = Some(InitialReal::Zero),
            ("real", "inf") => self.real = Some(InitialReal::Infinity),
            ("real", "-inf") => self.real = Some(InitialReal::MinusInfinity),
            ("real", "nan") => self.real = Some(InitialReal::QuietNan),
            ("real", "snan") => self.real = Some(InitialReal::SignallingNan),
            ("integer", n) => match n.parse() {
                Ok(n) => self.integer = Some(n),
                Err(_) => return false,
            },
            ("character", n) => match n.parse::<u8>() {
                Ok(n) if n < 128 => self.character = Some(n),
                _ => return false,
            },
            ("logical", "true") => self.logical = Some(true),
            ("logical", "false") => self.logical = Some(false),
            _ => return false,
        }
        true
    }
}

impl Initial {
    /// The content of a scalar without an initial value in static memory or in a structure; characters have a length.
    pub fn bytes(self, ty: Type, len: Option<i64>) -> Option<Vec<u8>> {
        let size = ty.size();
        let real = |ty: Type| Some(self.real?.bits(ty).to_le_bytes()[..ty.size()].to_vec());
        Some(match Category::of(ty) {
            Category::Integer => self.integer?.to_le_bytes()[..size].to_vec(),
            Category::Logical => i64::from(self.logical?).to_le_bytes()[..size].to_vec(),
            Category::Real => real(ty)?,
            Category::Complex => real(ty.part())?.repeat(2),
            _ => match (self.character, len) {
                (Some(code), Some(n)) if ty == Type::Char && n <= MOST_CHARACTERS => {
                    vec![code; usize::try_from(n).ok()?]
                }
                _ => return None,
            },
        })
    }
}
