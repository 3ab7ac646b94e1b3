//! The floating-point exceptions of IEEE 754, and the denormal operand of x86, as bits of a mask: those of its MXCSR.

/// An operation without a meaningful result.
pub const INVALID: i32 = 1;
/// An operand is denormal.
pub const DENORMAL: i32 = 2;
/// An exact infinity of finite operands.
pub const DIVIDE_BY_ZERO: i32 = 4;
/// The rounded result is too large.
pub const OVERFLOW: i32 = 8;
/// The result is tiny and inexact.
pub const UNDERFLOW: i32 = 16;
/// The result is rounded.
pub const INEXACT: i32 = 32;

/// The exceptions that a program reports when it stops, by default: all but the inexact ones.
pub const USUAL_SUMMARY: i32 = INVALID | DENORMAL | DIVIDE_BY_ZERO | OVERFLOW | UNDERFLOW;

/// All of them.
pub const ALL: i32 = USUAL_SUMMARY | INEXACT;
