//! The filter of targets that are gone, which compiled code reads and the runtime writes, and codes for `-fcheck=pointer`.

/// Cells for addresses in units of 16 bytes.
pub const FINE: usize = 1 << 17;
/// The shift that makes such a unit of an address.
pub const FINE_SHIFT: u32 = 4;
/// Cells for addresses in units of 64 KiB, behind the others.
pub const COARSE: usize = 1 << 15;
/// The shift that makes such a unit of an address.
pub const COARSE_SHIFT: u32 = 16;

/// The linker symbol of the filter.
pub const FILTER: &str = "trueline_gone_targets";

/// A flag of memory that is noted: a POINTER was allocated.
pub const IS_POINTER: i64 = 1;
/// A flag of memory that is noted: it is told if it is still allocated at the end.
pub const WANTS_LEAKS: i64 = 2;

/// Answers to a DEALLOCATE of a POINTER.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum Released {
    /// Nothing is wrong with it.
    Fine = 0,
    /// The target is a part of the memory that was allocated.
    Part = 1,
    /// The target was deallocated before.
    Gone = 2,
    /// The target is a variable that was not allocated.
    Variable = 3,
}
