//! Scalar values and their bytes.

use crate::Type;

/// A scalar. Integers and truth values (0 and 1) are sign-extended to 64 bits.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Value {
    Int(i64),
    R4(f32),
    R8(f64),
    C4(f32, f32),
    C8(f64, f64),
    /// A vector, as it lies in memory ([`super::lanes`]).
    Lanes([u8; super::lanes::BYTES]),
}

impl Value {
    /// An integer, truth value or address; the truncation of anything else.
    pub fn int(self) -> i64 {
        match self {
            Value::Int(v) => v,
            Value::R4(x) | Value::C4(x, _) => x as i64,
            Value::R8(x) | Value::C8(x, _) => x as i64,
            Value::Lanes(_) => i64::from(self != Value::Lanes([0; super::lanes::BYTES])),
        }
    }

    /// Whether a truth value is true.
    pub fn truth(self) -> bool {
        self.int() != 0
    }

    /// A truth value.
    pub fn logical(v: bool) -> Value {
        Value::Int(i64::from(v))
    }

    /// Zero or false.
    pub fn zero(ty: Type) -> Value {
        match ty {
            Type::R4 => Value::R4(0.0),
            Type::R8 => Value::R8(0.0),
            Type::C4 => Value::C4(0.0, 0.0),
            Type::C8 => Value::C8(0.0, 0.0),
            _ if ty.is_vector() => Value::Lanes([0; super::lanes::BYTES]),
            _ => Value::Int(0),
        }
    }

    /// Test data: small numbers that differ between neighbours, usable as subscripts and divisors.
    pub(crate) fn sample(ty: Type, k: u64) -> Value {
        let whole = (k * 7 + 4) % 10 + 1;
        let real = whole as f64 * 0.625 - if k % 3 == 2 { 5.5 } else { 0.25 };
        match ty {
            Type::L1 | Type::L2 | Type::L4 | Type::L8 => Value::logical(k % 3 != 1),
            Type::R4 => Value::R4(real as f32),
            Type::R8 => Value::R8(real),
            Type::C4 => Value::C4(real as f32, 1.5 - k as f32),
            Type::C8 => Value::C8(real, 1.5 - k as f64),
            Type::Char => Value::Int(i64::from(b'a') + (k % 26) as i64),
            _ => Value::Int(whole as i64),
        }
    }

    /// The bytes of a value of type `ty`; the first `ty.size()` of them count.
    pub fn bytes(self, ty: Type) -> [u8; super::lanes::BYTES] {
        let mut out = [0; super::lanes::BYTES];
        let mut put = |at: usize, bytes: &[u8]| out[at..at + bytes.len()].copy_from_slice(bytes);
        match (self, ty) {
            (Value::R4(x), _) => put(0, &x.to_le_bytes()),
            (Value::R8(x), _) => put(0, &x.to_le_bytes()),
            (Value::C4(re, im), _) => {
                put(0, &re.to_le_bytes());
                put(4, &im.to_le_bytes());
            }
            (Value::C8(re, im), _) => {
                put(0, &re.to_le_bytes());
                put(8, &im.to_le_bytes());
            }
            (Value::Int(v), _) => put(0, &v.to_le_bytes()),
            (Value::Lanes(all), _) => put(0, &all),
        }
        out
    }

    /// The value of type `ty` in `bytes`, which has as many.
    pub fn from_bytes(ty: Type, bytes: &[u8]) -> Value {
        let word = |at: usize, n: usize| {
            let mut wide = [0_u8; 8];
            let n = n.min(bytes.len().saturating_sub(at));
            wide[..n].copy_from_slice(&bytes[at..at + n]);
            u64::from_le_bytes(wide)
        };
        let low = match bytes.get(..8) {
            Some(b) => u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]),
            None => word(0, 8),
        };
        let f = |bits: u64| f32::from_bits(bits as u32);
        match ty {
            Type::R4 => Value::R4(f(low)),
            Type::R8 => Value::R8(f64::from_bits(low)),
            Type::C4 => Value::C4(f(low), f(low >> 32)),
            Type::C8 => Value::C8(f64::from_bits(low), f64::from_bits(word(8, 8))),
            _ if ty.is_vector() => {
                let mut all = [0; super::lanes::BYTES];
                all.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
                Value::Lanes(all)
            }
            _ => Value::Int(wrap(ty, low as i64)),
        }
    }
}

/// `v` in the width of `ty`.
pub fn wrap(ty: Type, v: i64) -> i64 {
    match ty {
        Type::I1 | Type::L1 => i64::from(v as i8),
        Type::I2 | Type::L2 => i64::from(v as i16),
        Type::I4 | Type::L4 => i64::from(v as i32),
        Type::Char => i64::from(v as u8),
        _ => v,
    }
}
