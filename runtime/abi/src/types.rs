//! Codes for the intrinsic types of Fortran, as they cross the boundary between code and runtime.

/// The type of one data item. The number is part of the ABI.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(i32)]
pub enum TypeCode {
    /// `INTEGER(1)`
    I1 = 1,
    /// `INTEGER(2)`
    I2 = 2,
    /// `INTEGER(4)`
    I4 = 3,
    /// `INTEGER(8)`
    I8 = 4,
    /// `REAL(4)`
    R4 = 5,
    /// `REAL(8)`
    R8 = 6,
    /// `COMPLEX(4)`: two `REAL(4)`
    C4 = 7,
    /// `COMPLEX(8)`: two `REAL(8)`
    C8 = 8,
    /// `LOGICAL(1)`
    L1 = 9,
    /// `LOGICAL(2)`
    L2 = 10,
    /// `LOGICAL(4)`
    L4 = 11,
    /// `LOGICAL(8)`
    L8 = 12,
    /// `CHARACTER`, one byte a character; the length is passed beside it
    Char = 13,
    /// `REAL(16)`, IEEE binary128
    R16 = 14,
    /// `COMPLEX(16)`: two `REAL(16)`
    C16 = 15,
}

impl TypeCode {
    /// Every code, in the order of its number.
    pub const ALL: [TypeCode; 15] = [
        TypeCode::I1,
        TypeCode::I2,
        TypeCode::I4,
        TypeCode::I8,
        TypeCode::R4,
        TypeCode::R8,
        TypeCode::C4,
        TypeCode::C8,
        TypeCode::L1,
        TypeCode::L2,
        TypeCode::L4,
        TypeCode::L8,
        TypeCode::Char,
        TypeCode::R16,
        TypeCode::C16,
    ];

    /// The code with number `n`, if there is one.
    pub fn from_number(n: i32) -> Option<TypeCode> {
        TypeCode::ALL.get(usize::try_from(n).ok()?.checked_sub(1)?).copied()
    }

    /// The size of an item in bytes; for a `CHARACTER`, that of one character.
    pub fn size(self) -> usize {
        match self {
            TypeCode::I1 | TypeCode::L1 | TypeCode::Char => 1,
            TypeCode::I2 | TypeCode::L2 => 2,
            TypeCode::I4 | TypeCode::L4 | TypeCode::R4 => 4,
            TypeCode::I8 | TypeCode::L8 | TypeCode::R8 | TypeCode::C4 => 8,
            TypeCode::C8 | TypeCode::R16 => 16,
            TypeCode::C16 => 32,
        }
    }

    /// Whether it is a `REAL`.
    pub fn is_real(self) -> bool {
        matches!(self, TypeCode::R4 | TypeCode::R8 | TypeCode::R16)
    }

    /// Whether it is a `COMPLEX`.
    pub fn is_complex(self) -> bool {
        matches!(self, TypeCode::C4 | TypeCode::C8 | TypeCode::C16)
    }

    /// The type of the parts of a `COMPLEX`; any other type itself.
    pub fn part(self) -> TypeCode {
        match self {
            TypeCode::C4 => TypeCode::R4,
            TypeCode::C8 => TypeCode::R8,
            TypeCode::C16 => TypeCode::R16,
            other => other,
        }
    }
}
