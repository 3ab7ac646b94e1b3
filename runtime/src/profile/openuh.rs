//! The `__profile_` routines that OpenUH's instrumentation calls.
//!
//! Every event passes one structure, in which there is room for a handle of the library: we keep the construct's record
//! there. The compiler's description of a unit beforehand is not needed.

use super::arena::Lock;
use super::events::with_stack;
use super::{begin, run, stack};
use crate::memory::c_text;
use std::ffi::CString;
use trueline_abi::raw::Kind;
use trueline_abi::record::Record;

/// The data of an event.
#[repr(C)]
pub struct Event {
    /// The unit: the result of [`__profile_pu_init`].
    pub pu_handle: i64,
    /// The source file.
    pub file_name: *const u8,
    /// The procedure.
    pub pu_name: *const u8,
    /// The number of the construct in the unit.
    pub id: i32,
    /// Its first line.
    pub linenum: i32,
    /// Its last line.
    pub endline: i32,
    /// The kind of a loop or branch.
    pub subtype: i32,
    /// Whether a branch is taken.
    pub taken: i32,
    /// The procedure that a call calls.
    pub callee: *const u8,
    /// The value of a switch.
    pub target: i32,
    /// The number of cases of a switch.
    pub num_target: i32,
    /// The address that an indirect call calls.
    pub called_fun_address: *mut u8,
    /// The library's handle.
    pub data: *mut Record,
}

static LOCK: Lock = Lock::new();

/// The record of an event, made at the first one.
///
/// # Safety
/// `event` is the address of an [`Event`] that lives as long as the program.
unsafe fn record(event: *mut Event, what: &str) -> *mut Record {
    LOCK.with(|| {
        // SAFETY: the texts of an event are null or end with a NUL, as the compiler that made it writes them.
        unsafe {
            if (*event).data.is_null() {
                let text = |p: *const u8| String::from_utf8_lossy(c_text(p)).into_owned();
                let (file, unit, callee) = (text((*event).file_name), text((*event).pu_name), text((*event).callee));
                let name = match what {
                    "" => unit,
                    "call" if !callee.is_empty() => format!("call {callee}"),
                    _ => format!("{what} {} of {unit}", (*event).id),
                };
                let place = format!("{file}:{}: {name}", (*event).linenum);
                let name = CString::new(place).unwrap_or_default().into_raw();
                let record: *mut Record = libc::calloc(1, size_of::<Record>()).cast();
                if !record.is_null() {
                    (*record).name = name.cast();
                    (*event).data = record;
                }
            }
            super::records::given((*event).data.cast())
        }
    })
}

/// The program begins.
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __profile_init(_what: *mut u8) {
    begin();
}

/// The program ends.
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __profile_finish() {
    run::end_measurement();
}

/// A unit is used for the first time; returns its handle.
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __profile_pu_init(_file: *mut u8, _name: *mut u8, pc: i64, _size: i32, _sum: i32) -> *mut u8 {
    pc as *mut u8
}

macro_rules! nothing {
    ($($(#[$doc:meta])* $name:ident($($param:ident: $ty:ty),*);)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// Always safe to call.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($param: $ty),*) {}
        )*
    };
}

nothing! {
    /// The number of procedures follows; records are made when they are used.
    __profile_invoke_init(_unit: *mut u8, _count: i32);
    /// The number of branches.
    __profile_branch_init(_unit: *mut u8, _count: i32);
    /// The number of switches, with their numbers of cases and the cases.
    __profile_switch_init(_unit: *mut u8, _count: i32, _targets: *mut u8, _cases: i32, _values: *mut u8);
    /// The number of computed GOTOs, with their numbers of targets.
    __profile_compgoto_init(_unit: *mut u8, _count: i32, _targets: *mut u8, _all: i32);
    /// The number of values.
    __profile_value_init(_unit: *mut u8, _count: i32);
    /// The number of pairs of values.
    __profile_value_fp_bin_init(_unit: *mut u8, _count: i32);
    /// The number of loops.
    __profile_loop_init(_unit: *mut u8, _count: i32);
    /// The number of short-circuit operations.
    __profile_short_circuit_init(_unit: *mut u8, _count: i32);
    /// The number of calls.
    __profile_call_init(_unit: *mut u8, _count: i32);
    /// The number of indirect calls.
    __profile_icall_init(_unit: *mut u8, _count: i32);
    /// A value; the values of expressions are not part of a profile.
    __profile_value(_unit: *mut u8, _id: i32, _value: i64);
    /// A pair of values; not part of a profile.
    __profile_value_fp_bin(_unit: *mut u8, _id: i32, _first: f64, _second: f64);
    /// A branch is over; it was counted at its beginning.
    __profile_branch_exit(_event: *mut Event);
    /// A switch is over; it was counted at its beginning.
    __profile_switch_exit(_event: *mut Event);
}

with_stack! {
    /// A procedure is entered.
    ///
    /// # Safety
    /// `event` is the address of an [`Event`] that lives as long as the program.
    __profile_invoke(event: *mut Event), "rsi", "x1" => invoke
}

unsafe extern "C" fn invoke(event: *mut Event, stack: u64) {
    // SAFETY: the event is a constant of the object, and `record` gives its record, which is never freed; there is no
    // countdown.
    unsafe { stack::push(std::ptr::null(), record(event, ""), Kind::Procedure, true, stack::Caller::at(stack)) };
}

with_stack! {
    /// A loop is entered.
    ///
    /// # Safety
    /// As [`__profile_invoke`].
    __profile_loop(event: *mut Event), "rsi", "x1" => enter_loop
}

unsafe extern "C" fn enter_loop(event: *mut Event, stack: u64) {
    // SAFETY: the event is a constant of the object, and `record` gives its record, which is never freed; there is no
    // countdown.
    unsafe { stack::push(std::ptr::null(), record(event, "loop"), Kind::Loop, true, stack::Caller::at(stack)) };
}

with_stack! {
    /// A procedure is about to be called.
    ///
    /// # Safety
    /// As [`__profile_invoke`].
    __profile_call_entry(event: *mut Event), "rsi", "x1" => enter_call
}

with_stack! {
    /// A procedure is about to be called through its address.
    ///
    /// # Safety
    /// As [`__profile_invoke`].
    __profile_icall_entry(event: *mut Event), "rsi", "x1" => enter_call
}

unsafe extern "C" fn enter_call(event: *mut Event, stack: u64) {
    // SAFETY: the event is a constant of the object, and `record` gives its record, which is never freed; there is no
    // countdown.
    unsafe { stack::push(std::ptr::null(), record(event, "call"), Kind::Region, true, stack::Caller::at(stack)) };
}

macro_rules! ends {
    ($($(#[$doc:meta])* $name:ident($kind:ident);)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// Always safe to call.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(_event: *mut Event) {
                stack::pop(Kind::$kind);
            }
        )*
    };
}

ends! {
    /// A procedure is left.
    __profile_invoke_exit(Procedure);
    /// A loop is left.
    __profile_loop_exit(Loop);
    /// A call has returned.
    __profile_call_exit(Region);
    /// An indirect call has returned.
    __profile_icall_exit(Region);
}

/// A loop begins an iteration.
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __profile_loop_iter(_event: *mut Event) {
    stack::iterate();
}

macro_rules! counted {
    ($($(#[$doc:meta])* $name:ident($what:literal);)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// As [`__profile_invoke`].
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(event: *mut Event) {
                // SAFETY: `event` is the address of an event of a branch.
                unsafe {
                    let taken = (*event).taken != 0;
                    stack::count(std::ptr::null(), record(event, $what), Kind::LogicalIf, |s| {
                        s.evaluations += 1;
                        s.taken_0 += u64::from(taken);
                    });
                }
            }
        )*
    };
}

counted! {
    /// A condition was evaluated.
    __profile_branch("branch");
    /// The value of a switch was evaluated.
    __profile_switch("switch");
    /// The index of a computed GOTO was evaluated.
    __profile_compgoto("computed goto");
    /// A short-circuit operation was evaluated.
    __profile_short_circuit("short circuit");
}
