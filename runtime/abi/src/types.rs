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
    /// A vector of four `INTEGER(4)`. Vectors are values of compiled code: none is ever handed to the runtime.
    I4x4 = 32,
    /// A vector of two `INTEGER(8)`
    I8x2 = 33,
    /// A vector of four `REAL(4)`
    R4x4 = 34,
    /// A vector of two `REAL(8)`
    R8x2 = 35,
    /// A vector of four truth values of four bytes
    L4x4 = 36,
    /// A vector of two truth values of eight bytes
    L8x2 = 37,
    /// A vector of 16 `INTEGER(1)`
    I1x16 = 38,
    /// A vector of 16 truth values of one byte
    L1x16 = 39,
    /// A vector of eight `INTEGER(4)`: those of 32 bytes are for processors that have registers of that length
    I4x8 = 40,
    /// A vector of four `INTEGER(8)`
    I8x4 = 41,
    /// A vector of eight `REAL(4)`
    R4x8 = 42,
    /// A vector of four `REAL(8)`
    R8x4 = 43,
    /// A vector of eight truth values of four bytes
    L4x8 = 44,
    /// A vector of four truth values of eight bytes
    L8x4 = 45,
    /// A vector of four `COMPLEX(4)`, the parts of each side by side
    C4x4 = 46,
    /// A vector of two `COMPLEX(8)`
    C8x2 = 47,
    /// A vector of 16 `INTEGER(4)`: those of 64 bytes are for processors with AVX-512
    I4x16 = 48,
    /// A vector of eight `INTEGER(8)`
    I8x8 = 49,
    /// A vector of 16 `REAL(4)`
    R4x16 = 50,
    /// A vector of eight `REAL(8)`
    R8x8 = 51,
    /// A vector of 16 truth values of four bytes
    L4x16 = 52,
    /// A vector of eight truth values of eight bytes
    L8x8 = 53,
}

impl TypeCode {
    /// Every code of an item, in the order of its number.
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

    /// Every type of vectors, with that of their lanes and the number of lanes.
    pub const VECTORS: [(TypeCode, TypeCode, usize); 22] = [
        (TypeCode::I4x4, TypeCode::I4, 4),
        (TypeCode::I8x2, TypeCode::I8, 2),
        (TypeCode::R4x4, TypeCode::R4, 4),
        (TypeCode::R8x2, TypeCode::R8, 2),
        (TypeCode::L4x4, TypeCode::L4, 4),
        (TypeCode::L8x2, TypeCode::L8, 2),
        (TypeCode::I1x16, TypeCode::I1, 16),
        (TypeCode::L1x16, TypeCode::L1, 16),
        (TypeCode::I4x8, TypeCode::I4, 8),
        (TypeCode::I8x4, TypeCode::I8, 4),
        (TypeCode::R4x8, TypeCode::R4, 8),
        (TypeCode::R8x4, TypeCode::R8, 4),
        (TypeCode::L4x8, TypeCode::L4, 8),
        (TypeCode::L8x4, TypeCode::L8, 4),
        (TypeCode::C4x4, TypeCode::C4, 4),
        (TypeCode::C8x2, TypeCode::C8, 2),
        (TypeCode::I4x16, TypeCode::I4, 16),
        (TypeCode::I8x8, TypeCode::I8, 8),
        (TypeCode::R4x16, TypeCode::R4, 16),
        (TypeCode::R8x8, TypeCode::R8, 8),
        (TypeCode::L4x16, TypeCode::L4, 16),
        (TypeCode::L8x8, TypeCode::L8, 8),
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
            TypeCode::I4x4 | TypeCode::I8x2 | TypeCode::R4x4 | TypeCode::R8x2 | TypeCode::L4x4 | TypeCode::L8x2 => 16,
            TypeCode::I1x16 | TypeCode::L1x16 => 16,
            TypeCode::I4x8 | TypeCode::I8x4 | TypeCode::R4x8 | TypeCode::R8x4 | TypeCode::L4x8 | TypeCode::L8x4 => 32,
            TypeCode::C4x4 | TypeCode::C8x2 => 32,
            TypeCode::I4x16 | TypeCode::I8x8 | TypeCode::R4x16 | TypeCode::R8x8 | TypeCode::L4x16 | TypeCode::L8x8 => {
                64
            }
        }
    }

    /// Whether it is a vector.
    pub fn is_vector(self) -> bool {
        self.lanes() > 1
    }

    /// The number of its lanes; 1 for anything but a vector.
    pub fn lanes(self) -> usize {
        TypeCode::VECTORS.iter().find(|v| v.0 == self).map_or(1, |v| v.2)
    }

    /// The type of its lanes; anything but a vector itself.
    pub fn lane(self) -> TypeCode {
        TypeCode::VECTORS.iter().find(|v| v.0 == self).map_or(self, |v| v.1)
    }

    /// The vector with this number of items of the type, if there is one.
    pub fn vector(self, lanes: usize) -> Option<TypeCode> {
        TypeCode::VECTORS.iter().find(|v| v.1 == self && v.2 == lanes).map(|v| v.0)
    }

    /// The type of the truth values that comparing two of the type gives: `LOGICAL(4)`, of vectors one in each lane.
    pub fn mask(self) -> TypeCode {
        match self {
            TypeCode::I4x4 | TypeCode::R4x4 | TypeCode::L4x4 => TypeCode::L4x4,
            TypeCode::I8x2 | TypeCode::R8x2 | TypeCode::L8x2 => TypeCode::L8x2,
            TypeCode::I1x16 | TypeCode::L1x16 => TypeCode::L1x16,
            TypeCode::I4x8 | TypeCode::R4x8 | TypeCode::L4x8 => TypeCode::L4x8,
            TypeCode::I8x4 | TypeCode::R8x4 | TypeCode::L8x4 => TypeCode::L8x4,
            TypeCode::I4x16 | TypeCode::R4x16 | TypeCode::L4x16 => TypeCode::L4x16,
            TypeCode::I8x8 | TypeCode::R8x8 | TypeCode::L8x8 => TypeCode::L8x8,
            _ => TypeCode::L4,
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

    /// The type of the parts of a `COMPLEX`, of a vector one with a part of each lane; any other type itself.
    pub fn part(self) -> TypeCode {
        match self {
            TypeCode::C4 => TypeCode::R4,
            TypeCode::C8 => TypeCode::R8,
            TypeCode::C16 => TypeCode::R16,
            TypeCode::C4x4 => TypeCode::R4x4,
            TypeCode::C8x2 => TypeCode::R8x2,
            other => other,
        }
    }
}
