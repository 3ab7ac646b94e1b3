//! The routines that measured code calls: table 1 of the HPF profiling paper, and switching on and off.
//!
//! A start passes on the stack pointer of its caller, by which procedures that were left by `longjmp` are recognised;
//! the start of a procedure also passes the frame pointer, by which its call is known. That takes a few instructions
//! before the routine's own code.

use super::stack::Caller;
use super::{begin, records, run, stack};
use trueline_abi::raw::Kind;

/// Defines a routine that continues in `$body` with the caller's stack pointer as one more argument.
macro_rules! with_stack {
    ($(#[$doc:meta])* $name:ident($($param:ident: $ty:ty),*), $x86:literal, $arm:literal => $body:ident) => {
        $(#[$doc])*
        #[cfg(target_arch = "x86_64")]
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($param: $ty),*) {
            core::arch::naked_asm!(concat!("mov ", $x86, ", rsp"), "jmp {body}", body = sym $body)
        }

        $(#[$doc])*
        #[cfg(target_arch = "aarch64")]
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($param: $ty),*) {
            core::arch::naked_asm!(concat!("mov ", $arm, ", sp"), "b {body}", body = sym $body)
        }

        $(#[$doc])*
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($param: $ty),*) {
            // SAFETY: the arguments are passed on as they are, and the body has the same conditions.
            unsafe { $body($($param,)* 0) }
        }
    };
}
pub(super) use with_stack;

/// Enters a procedure.
///
/// # Safety
/// As [`trueline_start_profile`].
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start_procedure(name: *const u8, record: *mut u8) {
    core::arch::naked_asm!("mov rdx, rsp", "mov rcx, rbp", "jmp {body}", body = sym start_procedure)
}

/// Enters a procedure.
///
/// # Safety
/// As [`trueline_start_profile`].
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start_procedure(name: *const u8, record: *mut u8) {
    core::arch::naked_asm!("mov x2, sp", "mov x3, x29", "b {body}", body = sym start_procedure)
}

/// Enters a procedure.
///
/// # Safety
/// As [`trueline_start_profile`].
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start_procedure(name: *const u8, record: *mut u8) {
    // SAFETY: the arguments are passed on as they are, and the body has the same conditions.
    unsafe { start_procedure(name, record, 0, 0) }
}

/// Begins the initialization phase; `record` is that of the program.
///
/// # Safety
/// `name` is null or NUL-terminated; `record` is null or a zeroed
/// [`Record`](trueline_abi::record::Record) that lives as long as the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start_profile(_name: *const u8, _record: *mut u8) {
    begin();
}

/// Ends the profile: nothing is measured from now on.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_end_profile() {
    run::end_measurement();
}

pub(super) unsafe extern "C" fn start_procedure(name: *const u8, record: *mut u8, stack: u64, frame: u64) {
    // SAFETY: name and record are constants of an object, which are there as long as it is loaded; the countdown is
    // null or of this thread.
    unsafe { stack::push(name, records::given(record), Kind::Procedure, true, Caller { frame, ..Caller::at(stack) }) };
}

/// Leaves the procedure on top of the stack.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_end_procedure() {
    stack::pop(Kind::Procedure);
}

with_stack! {
    /// Enters a loop; `entry` tells whether this area counts the invocation.
    ///
    /// # Safety
    /// As [`trueline_start_profile`].
    trueline_start_loop(name: *const u8, record: *mut u8, entry: i32), "rcx", "x3" => start_loop
}

pub(super) unsafe extern "C" fn start_loop(name: *const u8, record: *mut u8, entry: i32, stack: u64) {
    // SAFETY: name and record are constants of an object, which are there as long as it is loaded; the countdown is
    // null or of this thread.
    unsafe { stack::push(name, records::given(record), Kind::Loop, entry != 0, Caller::at(stack)) };
}

/// Leaves the loop on top of the stack.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_end_loop() {
    stack::pop(Kind::Loop);
}

/// Counts an iteration of the loop on top of the stack.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_incr_loop() {
    stack::iterate();
}

with_stack! {
    /// Enters a region.
    ///
    /// # Safety
    /// As [`trueline_start_profile`].
    trueline_start_region(name: *const u8, record: *mut u8, entry: i32), "rcx", "x3" => start_region
}

pub(super) unsafe extern "C" fn start_region(name: *const u8, record: *mut u8, entry: i32, stack: u64) {
    // SAFETY: name and record are constants of an object, which are there as long as it is loaded; the countdown is
    // null or of this thread.
    unsafe { stack::push(name, records::given(record), Kind::Region, entry != 0, Caller::at(stack)) };
}

/// Leaves the region on top of the stack.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_end_region() {
    stack::pop(Kind::Region);
}

/// Counts an evaluation of a logical IF and, if `value` is not 0, that it was taken.
///
/// # Safety
/// As [`trueline_start_profile`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start_log_if(name: *const u8, record: *mut u8, value: i32) {
    // SAFETY: name and record are constants of an object, which are there as long as it is loaded; the countdown is
    // null or of this thread.
    unsafe {
        stack::count(name, records::given(record), Kind::LogicalIf, |s| {
            s.evaluations += 1;
            s.taken_0 += u64::from(value != 0);
        });
    }
}

/// Counts an evaluation of an arithmetic IF and the arm that the sign of `value` selects.
///
/// # Safety
/// As [`trueline_start_profile`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start_arith_if(name: *const u8, record: *mut u8, value: i32) {
    // SAFETY: name and record are constants of an object, which are there as long as it is loaded; the countdown is
    // null or of this thread.
    unsafe {
        stack::count(name, records::given(record), Kind::ArithmeticIf, |s| {
            s.evaluations += 1;
            match value.signum() {
                -1 => s.taken_0 += 1,
                0 => s.taken_1 += 1,
                _ => s.taken_2 += 1,
            }
        });
    }
}

/// Switches timing off: constructs entered from now on are counted, not timed.
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_pause_profile() {
    run::pause(true);
}

/// Switches timing on again.
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_resume_profile() {
    run::pause(false);
}

/// Switches one construct's timer off (`timed` is 0) or on. A construct that is being timed stays timed to its end.
///
/// # Safety
/// As [`trueline_start_profile`], with a record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_mask_record(record: *mut u8, timed: i32) {
    // SAFETY: the record is valid; its number is accessed as an atomic only.
    unsafe { records::mask(records::given(record), timed == 0) };
}

/// Enters a procedure whose invocations compiled code counts down.
///
/// # Safety
/// As [`trueline_start_profile`]; `countdown` is null or in the calling thread's block.
#[cfg(target_arch = "x86_64")]
pub(super) unsafe extern "C" fn start_counted_procedure(
    name: *const u8,
    record: *mut u8,
    stack: u64,
    frame: u64,
    countdown: *mut i64,
) {
    // SAFETY: name and record are constants of an object, which are there as long as it is loaded; the countdown is
    // null or of this thread.
    unsafe { stack::push(name, records::given(record), Kind::Procedure, true, Caller { stack, frame, countdown }) };
}

/// Enters a loop whose invocations compiled code counts down.
///
/// # Safety
/// As [`start_counted_procedure`].
#[cfg(target_arch = "x86_64")]
pub(super) unsafe extern "C" fn start_counted_loop(
    name: *const u8,
    record: *mut u8,
    entry: i32,
    stack: u64,
    countdown: *mut i64,
) {
    let caller = Caller { countdown, ..Caller::at(stack) };
    // SAFETY: name and record are constants of an object, which are there as long as it is loaded; the countdown is
    // null or of this thread.
    unsafe { stack::push(name, records::given(record), Kind::Loop, entry != 0, caller) };
}

/// Enters a region whose invocations compiled code counts down.
///
/// # Safety
/// As [`start_counted_procedure`].
#[cfg(target_arch = "x86_64")]
pub(super) unsafe extern "C" fn start_counted_region(
    name: *const u8,
    record: *mut u8,
    entry: i32,
    stack: u64,
    countdown: *mut i64,
) {
    let caller = Caller { countdown, ..Caller::at(stack) };
    // SAFETY: name and record are constants of an object, which are there as long as it is loaded; the countdown is
    // null or of this thread.
    unsafe { stack::push(name, records::given(record), Kind::Region, entry != 0, caller) };
}
