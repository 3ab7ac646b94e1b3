//! Internal procedures as arguments: code addresses that carry an environment.
//!
//! Compiled code passes a procedure as one code address, as every Fortran compiler does. For an internal
//! procedure that reaches variables of its host, that address is a *thunk*: it notes the environment (the
//! addresses of those variables) in a variable of the thread and goes on to the procedure, which fetches
//! the environment first thing.
//!
//! ```text
//! page of thunks (read, execute)        page of data (read, write)
//! thunk k:  r = data[k].environment     data[k]: environment, code, length
//!           thread variable = r
//!           jump to data[k].code
//! ```
//!
//! **Invariant:** no page is ever writable and executable at a time: a page of thunks is written once, before it is
//! made executable, and all differences between thunks are data.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

/// The bytes of a thunk and of its data.
const SLOT: usize = 32;

/// The data that a thunk reads.
#[repr(C)]
struct Data {
    environment: *mut u64,
    code: *mut u8,
    length: usize,
}

thread_local! {
    /// The environment of the procedure that a thunk of this thread is about to enter.
    static ENVIRONMENT: Cell<*mut u64> = const { Cell::new(std::ptr::null_mut()) };
}

/// The beginnings of the pages of thunks.
static PAGES: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// The addresses of thunks that are not in use.
static FREE: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// A new closure of the procedure at `code` with an environment of `size` values, as the address to call.
///
/// # Safety
/// `code` is the address of a procedure that fetches its environment before it calls anything else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_closure_new(code: *mut u8, size: i64) -> *mut u8 {
    let length = usize::try_from(size).unwrap_or(0).max(1);
    let environment = Box::leak(vec![0u64; length].into_boxed_slice()).as_mut_ptr();
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    if free.is_empty() {
        free.extend(more_thunks());
    }
    let Some(thunk) = free.pop() else { no_memory() };
    // SAFETY: every thunk has its data one page behind it, and this one is nobody else's.
    unsafe { data_of(thunk).write(Data { environment, code, length }) };
    thunk as *mut u8
}

/// Puts `value` at position `index` of the environment of a closure.
///
/// # Safety
/// `closure` is from [`trueline_closure_new`], with a size above `index`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_closure_bind(closure: *mut u8, index: i64, value: *mut u8) {
    // SAFETY: `closure` is a thunk of `trueline_closure_new`, so its data stand where `data_of` says, and `index` is
    // below their size.
    unsafe {
        let data = &*data_of(closure as usize);
        if let Ok(index) = usize::try_from(index)
            && index < data.length
        {
            data.environment.add(index).write(value as u64);
        }
    }
}

/// Gives a closure back.
///
/// # Safety
/// `closure` is from [`trueline_closure_new`]; nobody calls it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_closure_free(closure: *mut u8) {
    // SAFETY: the environment is the box that `trueline_closure_new` made.
    unsafe {
        let data = data_of(closure as usize).read();
        drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(data.environment, data.length)));
    }
    FREE.lock().unwrap_or_else(PoisonError::into_inner).push(closure as usize);
}

/// The environment of the procedure that was entered through a closure just now.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_closure_environment() -> *mut u8 {
    ENVIRONMENT.with(|e| e.get().cast())
}

/// Whether two addresses of procedures are of the same procedure: as code, or as closures of the same code that reach the same
/// variables.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_closure_same(a: *mut u8, b: *mut u8) -> i32 {
    if a == b {
        return 1;
    }
    let (Some(a), Some(b)) = (closure_at(a as usize), closure_at(b as usize)) else { return 0 };
    // SAFETY: an environment is a box of this length until its closure is given back.
    let values = |d: &Data| unsafe { std::slice::from_raw_parts(d.environment, d.length) };
    i32::from(a.code == b.code && values(&a) == values(&b))
}

/// The data of the closure at an address; none if there is no thunk, or it is not in use.
fn closure_at(address: usize) -> Option<Data> {
    let page = page_size();
    let pages = PAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let found =
        pages.iter().any(|&start| (start..start + page).contains(&address) && (address - start).is_multiple_of(SLOT));
    drop(pages);
    let free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    if !found || free.contains(&address) {
        return None;
    }
    // SAFETY: a thunk in use has its data.
    Some(unsafe { data_of(address).read() })
}

fn data_of(thunk: usize) -> *mut Data {
    (thunk + page_size()) as *mut Data
}

fn page_size() -> usize {
    // SAFETY: asks for a constant of the system.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

fn no_memory() -> ! {
    crate::exit::tell("Error: no memory for a procedure argument\n".as_bytes());
    crate::exit::leave(1)
}

/// A page of thunks and the page of their data.
fn more_thunks() -> Vec<usize> {
    let page = page_size();
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: new memory that nothing else uses; it is checked below.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), 2 * page, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        no_memory();
    }
    let Some(code) = thunk_code(page) else { no_memory() };
    let base = start as usize;
    let thunks: Vec<usize> = (0..page / SLOT).map(|k| base + k * SLOT).collect();
    for &thunk in &thunks {
        // SAFETY: inside of the first of the two pages, which is writable until below.
        unsafe { std::ptr::copy_nonoverlapping(code.as_ptr(), thunk as *mut u8, SLOT) };
    }
    // SAFETY: the first page of the memory from above.
    let failed = unsafe { libc::mprotect(start, page, libc::PROT_READ | libc::PROT_EXEC) } != 0;
    if failed {
        no_memory();
    }
    synchronise(base, base + page);
    PAGES.lock().unwrap_or_else(PoisonError::into_inner).push(base);
    thunks
}

/// The offset of the thread variable from the address in the thread register.
fn thread_offset() -> i64 {
    let variable = ENVIRONMENT.with(|e| e.as_ptr() as i64);
    variable - thread_pointer()
}

#[cfg(target_arch = "x86_64")]
fn thread_pointer() -> i64 {
    let pointer: i64;
    // SAFETY: by the ABI the first word of the thread's block holds its own address.
    unsafe { std::arch::asm!("mov {}, fs:0", out(reg) pointer, options(nostack, readonly, preserves_flags)) };
    pointer
}

#[cfg(target_arch = "aarch64")]
fn thread_pointer() -> i64 {
    let pointer: i64;
    // SAFETY: reads a register.
    unsafe { std::arch::asm!("mrs {}, tpidr_el0", out(reg) pointer, options(nostack, nomem, preserves_flags)) };
    pointer
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn thread_pointer() -> i64 {
    0
}

/// The code of a thunk, the same for all: it finds its data by its own address.
#[cfg(target_arch = "x86_64")]
fn thunk_code(page: usize) -> Option<[u8; SLOT]> {
    let page = i32::try_from(page).ok()?;
    let offset = i32::try_from(thread_offset()).ok()?;
    let mut code = vec![0xf3, 0x0f, 0x1e, 0xfa]; // endbr64
    code.extend([0x4c, 0x8b, 0x15]); // mov r10, [rip + …]
    code.extend((page - 11).to_le_bytes());
    code.extend([0x64, 0x4c, 0x89, 0x14, 0x25]); // mov fs:[…], r10
    code.extend(offset.to_le_bytes());
    code.extend([0xff, 0x25]); // jmp [rip + …]
    code.extend((page + 8 - 26).to_le_bytes());
    code.resize(SLOT, 0xcc);
    code.try_into().ok()
}

#[cfg(target_arch = "aarch64")]
fn thunk_code(page: usize) -> Option<[u8; SLOT]> {
    let offset = u32::try_from(thread_offset()).ok().filter(|o| o % 8 == 0 && *o < 32768)?;
    let literal = |distance: u32| 0x5800_0010 | ((distance / 4) << 5); // ldr x16, pc + distance
    let page = u32::try_from(page).ok().filter(|p| *p < 1 << 19)?;
    let words = [
        literal(page),
        0xd53b_d051,                                         // mrs x17, tpidr_el0
        0xf900_0000 | ((offset / 8) << 10) | (17 << 5) | 16, // str x16, [x17, #offset]
        literal(page + 8 - 12),
        0xd61f_0200, // br x16
    ];
    let mut code: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    code.resize(SLOT, 0);
    code.try_into().ok()
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn thunk_code(_: usize) -> Option<[u8; SLOT]> {
    None
}

/// Makes new instructions visible to the processor.
#[cfg(target_arch = "aarch64")]
fn synchronise(start: usize, end: usize) {
    unsafe extern "C" {
        fn __clear_cache(start: *mut u8, end: *mut u8);
    }
    // SAFETY: the range is memory of our own.
    unsafe { __clear_cache(start as *mut u8, end as *mut u8) };
}

#[cfg(not(target_arch = "aarch64"))]
fn synchronise(_: usize, _: usize) {}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;

    unsafe extern "C" fn product(x: i64) -> i64 {
        // SAFETY: entered through a thunk with an environment of one value.
        unsafe { x * *trueline_closure_environment().cast::<i64>() }
    }

    #[test]
    #[cfg_attr(miri, ignore = "calls machine code that the library has made")]
    fn each_closure_has_its_environment() {
        let closures: Vec<*mut u8> = (0..1000i64)
            .map(|k| {
                // SAFETY: `product` fetches its environment at once.
                unsafe {
                    let c = trueline_closure_new(product as *mut u8, 1);
                    trueline_closure_bind(c, 0, k as *mut u8);
                    c
                }
            })
            .collect();
        for (k, &c) in closures.iter().enumerate() {
            // SAFETY: a thunk has the type of its procedure.
            let call: unsafe extern "C" fn(i64) -> i64 = unsafe { std::mem::transmute(c) };
            // SAFETY: the closure is alive.
            assert_eq!(unsafe { call(7) }, 7 * k as i64);
        }
        for c in closures {
            // SAFETY: nobody calls it any more.
            unsafe { trueline_closure_free(c) };
        }
    }
}
