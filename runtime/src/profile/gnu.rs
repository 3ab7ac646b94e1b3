//! `__cyg_profile_func_enter` and `__cyg_profile_func_exit`: the calls that `gcc -finstrument-functions` plants.
//!
//! A function is known by its address; it gets a record in a table of the library at its first call. Its name
//! is that of the symbol at the address, found once.

use super::arena::Lock;
use super::events::with_stack;
use super::stack;
use crate::shared::slots;
use std::ffi::CString;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use trueline_abi::raw::Kind;
use trueline_abi::record::Record;

/// The number of places in the table, a power of two; at most three quarters of them are used.
const CAPACITY: usize = 1 << 16;

/// Addresses and records, with open addressing; a chunk of memory of its own, made at the first call.
struct Entry {
    address: AtomicU64,
    record: std::cell::UnsafeCell<Record>,
}

static TABLE: AtomicPtr<Entry> = AtomicPtr::new(std::ptr::null_mut());
static USED: AtomicU64 = AtomicU64::new(0);
static LOCK: Lock = Lock::new();

with_stack! {
    /// A function of another compiler is entered.
    ///
    /// # Safety
    /// `function` is its address.
    __cyg_profile_func_enter(function: *mut u8, _site: *mut u8), "rdx", "x2" => enter
}

unsafe extern "C" fn enter(function: *mut u8, _site: *mut u8, stack: u64) {
    if let Some(record) = record_of(function) {
        // SAFETY: the record is in the table, which lives as long as the program.
        unsafe { stack::push(std::ptr::null(), record, Kind::Procedure, true, stack::Caller::at(stack)) };
    }
}

/// The function is left.
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cyg_profile_func_exit(function: *mut u8, _site: *mut u8) {
    if record_of(function).is_some() {
        stack::pop(Kind::Procedure);
    }
}

/// The record of a function; `None` when the table is full.
fn record_of(function: *mut u8) -> Option<*mut Record> {
    let mut table = TABLE.load(Ordering::Acquire);
    if table.is_null() {
        table = make()?;
    }
    let address = function as u64;
    let first = (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % CAPACITY;
    // SAFETY: the table has `CAPACITY` entries, and stays.
    let entries = unsafe { std::slice::from_raw_parts(table, CAPACITY) };
    let fill = |entry: &Entry| {
        let name = name(address);
        // SAFETY: nobody uses the entry before its address is stored.
        unsafe { *entry.record.get() = Record { name: name.into_raw().cast(), construct: 0, id: 0 } };
    };
    let most = CAPACITY as u64 * 3 / 4;
    let found = slots::find(entries, (first, address), |entry| &entry.address, (&LOCK, &USED, most), fill);
    found.map(|entry| entry.record.get())
}

#[cold]
fn make() -> Option<*mut Entry> {
    super::begin();
    LOCK.with(|| {
        let table = TABLE.load(Ordering::Acquire);
        if !table.is_null() {
            return Some(table);
        }
        // SAFETY: zeroed memory is a table of empty entries.
        let table: *mut Entry = unsafe { libc::calloc(CAPACITY, size_of::<Entry>()) }.cast();
        TABLE.store(table, Ordering::Release);
        (!table.is_null()).then_some(table)
    })
}

/// The symbol at an address, or the address.
fn name(address: u64) -> CString {
    // SAFETY: the structure is filled by the call; its name is NUL-terminated.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        let found = libc::dladdr(address as *const _, &mut info) != 0 && !info.dli_sname.is_null();
        if found && info.dli_saddr as u64 == address {
            return std::ffi::CStr::from_ptr(info.dli_sname).to_owned();
        }
    }
    let text = super::symbols::name(address).unwrap_or_else(|| format!("function at {address:#x}"));
    CString::new(text).unwrap_or_default()
}
