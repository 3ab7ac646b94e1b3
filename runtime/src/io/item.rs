//! A data item as it crosses the boundary: a type code and its bytes.

use trueline_abi::{Quad, Real, TypeCode};

/// An item that is written.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    pub code: TypeCode,
    pub bytes: &'a [u8],
}

/// An item that is read into.
pub(crate) struct ItemMut<'a> {
    pub code: TypeCode,
    pub bytes: &'a mut [u8],
}

/// The class of a type, as run-time errors name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Integer,
    Real,
    Complex,
    Logical,
    Character,
}

/// The class of a type code.
pub(crate) fn class(code: TypeCode) -> Class {
    match code {
        TypeCode::I1 | TypeCode::I2 | TypeCode::I4 | TypeCode::I8 => Class::Integer,
        TypeCode::R4 | TypeCode::R8 | TypeCode::R16 => Class::Real,
        TypeCode::C4 | TypeCode::C8 | TypeCode::C16 => Class::Complex,
        TypeCode::L1 | TypeCode::L2 | TypeCode::L4 | TypeCode::L8 => Class::Logical,
        TypeCode::Char => Class::Character,
        vector => class(vector.lane()),
    }
}

/// The code of the parts of a complex type.
pub(crate) fn part_code(code: TypeCode) -> TypeCode {
    code.part()
}

impl Class {
    /// As in `Expected INTEGER for item 1 in formatted transfer, got REAL`.
    pub fn name(self) -> &'static str {
        match self {
            Class::Integer => "INTEGER",
            Class::Real => "REAL",
            Class::Complex => "COMPLEX",
            Class::Logical => "LOGICAL",
            Class::Character => "CHARACTER",
        }
    }
}

impl<'a> Item<'a> {
    /// The bytes as a signed integer; of more than eight bytes, the first eight.
    pub fn integer(&self) -> i64 {
        match *self.bytes {
            [a] => i64::from(a as i8),
            [a, b] => i64::from(i16::from_ne_bytes([a, b])),
            [a, b, c, d] => i64::from(i32::from_ne_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h, ..] => i64::from_ne_bytes([a, b, c, d, e, f, g, h]),
            _ => 0,
        }
    }

    /// The bytes as a real number. `REAL(4)` widens without change of value.
    pub fn real(&self) -> Real {
        if let Ok(bytes) = <[u8; 16]>::try_from(self.bytes) {
            return Real::Quad(Quad::from_bits(u128::from_ne_bytes(bytes)));
        }
        Real::Double(match *self.bytes {
            [a, b, c, d] => f64::from(f32::from_ne_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h, ..] => f64::from_ne_bytes([a, b, c, d, e, f, g, h]),
            _ => 0.0,
        })
    }

    /// Whether any byte is set: the value of a logical.
    pub fn logical(&self) -> bool {
        self.bytes.iter().any(|&b| b != 0)
    }

    /// Real and imaginary part of a complex item; any other item alone.
    pub fn parts(self) -> (Item<'a>, Option<Item<'a>>) {
        if class(self.code) != Class::Complex {
            return (self, None);
        }
        let code = part_code(self.code);
        let (re, im) = self.bytes.split_at(code.size());
        (Item { code, bytes: re }, Some(Item { code, bytes: im }))
    }
}

impl ItemMut<'_> {
    /// Stores an integer that is known to fit; the low bytes of one that does not.
    pub fn set_integer(&mut self, value: i64) {
        match self.bytes.len() {
            1 => self.bytes.copy_from_slice(&(value as i8).to_ne_bytes()),
            2 => self.bytes.copy_from_slice(&(value as i16).to_ne_bytes()),
            4 => self.bytes.copy_from_slice(&(value as i32).to_ne_bytes()),
            8 => self.bytes.copy_from_slice(&value.to_ne_bytes()),
            _ => {}
        }
    }

    /// Stores a logical value: 1 or 0 in the item's size.
    pub fn set_logical(&mut self, value: bool) {
        self.set_integer(value.into());
    }

    /// Reborrows, for a callee that takes an item by value.
    pub fn reborrow(&mut self) -> ItemMut<'_> {
        ItemMut { code: self.code, bytes: self.bytes }
    }

    /// Real and imaginary part of a complex item; any other item alone.
    pub fn parts(&mut self) -> (ItemMut<'_>, Option<ItemMut<'_>>) {
        if class(self.code) != Class::Complex {
            return (self.reborrow(), None);
        }
        let code = part_code(self.code);
        let (re, im) = self.bytes.split_at_mut(code.size());
        (ItemMut { code, bytes: re }, Some(ItemMut { code, bytes: im }))
    }
}
