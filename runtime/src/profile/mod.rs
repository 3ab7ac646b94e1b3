//! The profile: timers, counts and the file (HPF profiling paper, section 4).
//!
//! A run has three phases. *Initialization* ends when the main procedure is entered; in the *user* phase
//! nothing is looked up, allocated (but a page now and then) or communicated: a timer is two readings
//! of the cycle counter and a few additions on static records; *cleanup* reads the counters of all
//! objects, computes every construct's counts from its metadata, and writes one JSON file.
//!
//! **Invariants:** records are static data of the objects, so starting a timer looks nothing up; the stack
//! is balanced, or what is on it is closed when the program ends; a profile that cannot be written costs
//! one warning, never the program's result.

mod clock;
mod collect;
mod objects;
mod stack;
mod write;

use std::sync::Once;
use trueline_abi::record::Record;

pub use collect::profile;
use stack::Kind;

static BEGUN: Once = Once::new();

/// Begins the initialization phase if nothing has yet: readies the clock and the stack, and has the
/// profile written at the end of the program.
pub(crate) fn begin() {
    BEGUN.call_once(|| {
        clock::begin();
        crate::exit::register_exit(finish);
        crate::exit::finish_at_exit();
    });
}

/// Begins the profile if the executable has profiled objects.
pub(crate) fn begin_if_profiled() {
    if objects::any() {
        begin();
    }
}

/// The cleanup phase.
fn finish() {
    stack::close_all();
    clock::end();
    if std::env::var("TRUELINE_PROFILE").is_ok_and(|v| matches!(v.as_str(), "off" | "0" | "no" | "false")) {
        return;
    }
    write::write(&collect::profile());
}

/// Begins the initialization phase; `record` is that of the program.
///
/// # Safety
/// `name` is null or NUL-terminated; `record` is null or a [`Record`] that lives as long as the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start_profile(name: *const u8, record: *mut u8) {
    begin();
    // SAFETY: as the caller promises.
    unsafe { bind(name, record) };
}

/// Ends the profile: what follows is not measured.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_end_profile() {
    stack::close_all();
}

/// Enters a procedure.
///
/// # Safety
/// As [`trueline_start_profile`], with a record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start_procedure(name: *const u8, record: *mut u8) {
    // SAFETY: as the caller promises.
    unsafe { stack::push(bind(name, record), Kind::Procedure, true) };
}

/// Leaves the procedure on top of the stack.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_end_procedure() {
    stack::pop(Kind::Procedure);
}

/// Enters a loop; `entry` tells whether this area counts the invocation.
///
/// # Safety
/// As [`trueline_start_profile`], with a record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start_loop(name: *const u8, record: *mut u8, entry: i32) {
    // SAFETY: as the caller promises.
    unsafe { stack::push(bind(name, record), Kind::Loop, entry != 0) };
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
    stack::on_top(|record| record.iterations += 1);
}

/// Enters a region.
///
/// # Safety
/// As [`trueline_start_profile`], with a record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start_region(name: *const u8, record: *mut u8, entry: i32) {
    // SAFETY: as the caller promises.
    unsafe { stack::push(bind(name, record), Kind::Region, entry != 0) };
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
/// As [`trueline_start_profile`], with a record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start_log_if(name: *const u8, record: *mut u8, value: i32) {
    // SAFETY: as the caller promises.
    let record = unsafe { &mut *bind(name, record) };
    record.evaluations += 1;
    record.taken[0] += u64::from(value != 0);
}

/// Counts an evaluation of an arithmetic IF and which arm the sign of `value` takes.
///
/// # Safety
/// As [`trueline_start_profile`], with a record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start_arith_if(name: *const u8, record: *mut u8, value: i32) {
    // SAFETY: as the caller promises.
    let record = unsafe { &mut *bind(name, record) };
    record.evaluations += 1;
    record.taken[(value.signum() + 1) as usize] += 1;
}

/// The record behind `record`, with its name: objects of this compiler have it there, callers in other
/// languages pass a zeroed record and the name with each call.
///
/// # Safety
/// `record` is null or a [`Record`] that lives as long as the program; then the result is valid.
unsafe fn bind(name: *const u8, record: *mut u8) -> *mut Record {
    let record = if record.is_null() { stack::anonymous() } else { record.cast::<Record>() };
    // SAFETY: as the caller promises.
    unsafe {
        if (*record).name.is_null() {
            (*record).name = name;
            objects::adopt(record);
        }
    }
    record
}
