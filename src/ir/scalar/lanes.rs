//! Operations on vectors: lane by lane what they are on scalars.
//!
//! A vector is its bytes as they lie in memory. A truth value of a lane is an integer of the lane's size, 0 or 1.

use super::{Undefined, Value, beyond};
use crate::{BinaryOp, Type};

/// The bytes of the longest vectors; shorter ones are followed by zeros.
pub const BYTES: usize = 64;

/// The vector of type `ty` whose lane number `k` is `lane(k)`.
pub fn build(ty: Type, mut lane: impl FnMut(usize) -> Result<Value, Undefined>) -> Result<Value, Undefined> {
    let (of, mut bytes) = (ty.lane(), [0; BYTES]);
    for (k, place) in bytes.chunks_exact_mut(of.size()).take(ty.lanes()).enumerate() {
        place.copy_from_slice(&lane(k)?.bytes(of)[..of.size()]);
    }
    Ok(Value::Lanes(bytes))
}

/// Lane number `k` of `v`, of type `ty`; of a scalar the scalar.
pub fn lane(ty: Type, v: Value, k: usize) -> Value {
    let (of, size) = (ty.lane(), ty.lane().size());
    match v {
        Value::Lanes(bytes) => {
            bytes.get(k * size..(k + 1) * size).map_or(Value::zero(of), |b| Value::from_bytes(of, b))
        }
        scalar => scalar,
    }
}

/// The number of lanes of the mask `v`, of type `ty`, that are true.
pub(super) fn ones(ty: Type, v: Value) -> i64 {
    (0..ty.lanes()).filter(|&k| lane(ty, v, k).truth()).count() as i64
}

/// The lane of `v`, a vector of type `ty`, whose number is `k`.
pub(super) fn numbered(ty: Type, v: Value, k: i64) -> Result<Value, Undefined> {
    match usize::try_from(k) {
        Ok(k) if k < ty.lanes() => Ok(lane(ty, v, k)),
        _ => Err(beyond("a lane that the vector has not")),
    }
}

/// The vector of type `ty` with the lanes of `v`, a vector of type `of`, from number `k` on.
pub(super) fn piece(ty: Type, of: Type, v: Value, k: i64) -> Result<Value, Undefined> {
    build(ty, |n| numbered(of, v, k.saturating_add(n as i64)))
}

/// The vector `v`, of type `ty`, with `step` more in each lane than in the one before.
pub(super) fn ramp(ty: Type, v: Value, step: i64) -> Result<Value, Undefined> {
    build(ty, |k| {
        let more = super::convert(Type::I8, ty.lane(), Value::Int(step.wrapping_mul(k as i64)));
        super::binary(BinaryOp::Add, ty.lane(), lane(ty, v, k), more)
    })
}

/// Every second lane of two vectors of type `ty`, those of the first before those of the second: from the lanes on whose numbers are the bits of `from`.
pub(super) fn alternate(ty: Type, of: [Value; 2], from: i64) -> Result<Value, Undefined> {
    let each = ty.lanes() / 2;
    build(ty, |k| {
        let (vector, k) = (k / each, k % each);
        Ok(lane(ty, of[vector & 1], 2 * k + usize::from(from >> vector & 1 == 1)))
    })
}

/// A product with a constant as one shift to the left, or the sum or difference of two: vectors have no product of all integers that
/// takes less.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shifts {
    /// The larger shift.
    pub high: u32,
    /// The other one, and whether it is taken away.
    pub low: Option<(u32, bool)>,
}

impl Shifts {
    /// The shifts for a product with `factor`, of integers of `bits` bits.
    pub fn of(factor: i64, bits: u32) -> Option<Shifts> {
        let factor = u64::try_from(factor).ok().filter(|&f| f > 0 && f < 1 << 30)?;
        let low = factor.trailing_zeros();
        let rest = factor >> low;
        let shifts = match (rest == 1, (rest - 1).is_power_of_two(), (rest + 1).is_power_of_two()) {
            (true, ..) => Shifts { high: low, low: None },
            (_, true, _) => Shifts { high: low + (rest - 1).trailing_zeros(), low: Some((low, false)) },
            (_, _, true) => Shifts { high: low + (rest + 1).trailing_zeros(), low: Some((low, true)) },
            _ => return None,
        };
        (shifts.high < bits).then_some(shifts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar;

    #[test]
    fn lanes_are_scalars() {
        let of = |values: [i32; 4]| build(Type::I4x4, |k| Ok(Value::Int(values[k].into()))).unwrap();
        let (a, b) = (of([1, -2, i32::MAX, 4]), of([5, 6, 1, -8]));
        assert_eq!(scalar::binary(BinaryOp::Add, Type::I4x4, a, b), Ok(of([6, 4, i32::MIN, -4])));
        let less = scalar::binary(BinaryOp::Lt, Type::I4x4, a, b).unwrap();
        assert_eq!([0, 1, 2, 3].map(|k| lane(Type::L4x4, less, k)), [1, 1, 0, 0].map(Value::Int));
        assert_eq!(ones(Type::L4x4, less), 2);
        let all = scalar::convert(Type::R8, Type::R8x2, Value::R8(0.5));
        assert_eq!(lane(Type::R8x2, all, 1), Value::R8(0.5));
        assert!(numbered(Type::R8x2, all, 2).is_err());
        assert_eq!(ramp(Type::I4x4, a, -3), Ok(of([1, -5, i32::MAX - 6, -5])));
        assert_eq!(lane(Type::R8x2, ramp(Type::R8x2, all, 2).unwrap(), 1), Value::R8(2.5));
        assert_eq!(alternate(Type::I4x4, [a, b], 0), Ok(of([1, i32::MAX, 5, 1])));
        assert_eq!(alternate(Type::I4x4, [a, b], 3), Ok(of([-2, 4, 6, -8])));
        assert_eq!(alternate(Type::I4x4, [a, b], 2), Ok(of([1, i32::MAX, 6, -8])));
    }

    #[test]
    fn products_with_few_ones_are_shifts() {
        for factor in [1, 2, 3, 5, 6, 7, 8, 12, 15, 24, 31, 48, 1024, 1025] {
            let Shifts { high, low } = Shifts::of(factor, 32).unwrap();
            let low = low.map_or(0, |(by, minus)| if minus { -(1_i64 << by) } else { 1 << by });
            assert_eq!((1_i64 << high) + low, factor);
        }
        for factor in [0, -1, 11, 37, 1 << 40] {
            assert_eq!(Shifts::of(factor, 32), None, "{factor}");
        }
    }
}
