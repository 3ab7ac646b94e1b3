//! Operations on vectors: lane by lane what they are on scalars.
//!
//! A vector is its bytes as they lie in memory. A truth value of a lane is an integer of the lane's size, 0 or 1.

use super::{Undefined, Value, beyond};
use crate::Type;

/// The bytes of a vector.
pub const BYTES: usize = 16;

/// The vector of type `ty` whose lane number `k` is `lane(k)`.
pub fn build(ty: Type, mut lane: impl FnMut(usize) -> Result<Value, Undefined>) -> Result<Value, Undefined> {
    let (of, mut bytes) = (ty.lane(), [0; BYTES]);
    for (k, place) in bytes.chunks_exact_mut(of.size()).enumerate() {
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

/// The lane of `v`, a vector of type `ty`, whose number is `k`.
pub(super) fn numbered(ty: Type, v: Value, k: i64) -> Result<Value, Undefined> {
    match usize::try_from(k) {
        Ok(k) if k < ty.lanes() => Ok(lane(ty, v, k)),
        _ => Err(beyond("a lane that the vector has not")),
    }
}
