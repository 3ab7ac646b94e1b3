//! Statements on several ranks: rank 0 reads and writes, and gives the others all that a statement defines. Statements on internal files
//! are everybody's own.

use super::namelist::Object;
use super::statement::Statement;
use super::with_top;
use crate::memory::bytes_mut;
use crate::ranks::{fault, rank, set_place, share, size};
use trueline_abi::io::{IoOp, IoSpec};

/// Whether rank 0 does the statement for all.
fn is_shared(statement: &Statement) -> bool {
    size() > 1 && statement.specs.out(IoSpec::InternalUnit).is_none()
}

/// Whether rank 0 alone needs the items of the output statement that is going on.
pub(crate) fn is_of_first() -> bool {
    with_top(|s| is_shared(s) && s.op == IoOp::Write).unwrap_or(false)
}

/// Whether another rank does the statement.
pub(super) fn is_elsewhere(statement: &Statement) -> bool {
    rank() != 0 && is_shared(statement)
}

/// Whether another rank does the statement, which is one of a NAMELIST group.
pub(super) fn is_group_elsewhere(statement: &Statement) -> bool {
    is_elsewhere(statement) && statement.specs.text(IoSpec::Nml).is_some()
}

/// Gives all ranks `count` items that rank 0 has read, `stride` bytes apart. Those of a NAMELIST group follow at the end.
///
/// # Safety
/// `items` is the address of `count` items of `bytes` bytes.
pub(super) unsafe fn share_items(items: *mut u8, bytes: i64, count: i64, stride: i64) {
    let place = |s: &Statement| {
        (is_shared(s) && s.op == IoOp::Read && s.specs.text(IoSpec::Nml).is_none()).then_some(s.location)
    };
    let Some(location) = with_top(place).flatten() else { return };
    set_place(location);
    if fault("ranks_read_alone") {
        return;
    }
    if stride == bytes {
        // SAFETY: the items are adjacent.
        return share(unsafe { bytes_mut(items, bytes.saturating_mul(count)) });
    }
    for i in 0..count.max(0) {
        // SAFETY: item `i` is one of the caller's.
        share(unsafe { bytes_mut(items.offset((i * stride) as isize), bytes) });
    }
}

/// Gives all ranks the variables that the statement has defined at its end on rank 0, and its result.
pub(super) fn share_result(statement: &Statement, result: i32) -> i32 {
    if !is_shared(statement) {
        return result;
    }
    set_place(statement.location);
    if statement.op == IoOp::Read {
        statement.objects.iter().for_each(share_object);
    }
    for (_, out) in &statement.specs.outs {
        share(out.item().bytes);
    }
    let mut bytes = result.to_ne_bytes();
    share(&mut bytes);
    i32::from_ne_bytes(bytes)
}

/// An object and the components in it.
fn share_object(object: &Object) {
    if object.is_there() {
        share_elements(object, object.dims.len(), 0);
    }
}

/// The elements of the first `dims` dimensions at `offset`; of a structure those of its components.
fn share_elements(object: &Object, dims: usize, offset: i64) {
    match dims.checked_sub(1).map(|d| object.dims[d]) {
        Some(dim) => (0..dim.extent).for_each(|i| share_elements(object, dims - 1, offset + i * dim.stride)),
        None if object.parts.is_empty() => share(object.element_mut(offset).bytes),
        None => object.parts.iter().for_each(|part| share_elements(part, part.dims.len(), offset)),
    }
}
