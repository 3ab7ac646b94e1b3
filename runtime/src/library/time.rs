//! Clocks and dates.

use super::store;
use crate::chars::assign;
use crate::memory::bytes_mut;
use std::sync::Mutex;

/// User and system time of the process in seconds.
fn used() -> (f64, f64) {
    // SAFETY: all zeros is a value of the structure, and `getrusage` fills it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 * 1e-6;
    (seconds(usage.ru_utime), seconds(usage.ru_stime))
}

/// Stores both times and gives their sum.
///
/// # Safety
/// `to` is the address of two `REAL(4)`.
unsafe fn times(to: *mut f32, (user, system): (f64, f64)) -> f32 {
    // SAFETY: `to` has room for two `REAL(4)`; it need not be aligned.
    unsafe { to.cast::<[f32; 2]>().write_unaligned([user as f32, system as f32]) };
    (user + system) as f32
}

/// ETIME(values)
///
/// # Safety
/// `values` is the address of two `REAL(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_etime(values: *mut f32) -> f32 {
    // SAFETY: `values` has room for two `REAL(4)`.
    unsafe { times(values, used()) }
}

/// CALL ETIME(values, time)
///
/// # Safety
/// `values` is the address of two `REAL(4)`, `time` of one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_etime_sub(values: *mut f32, time: *mut f32) {
    // SAFETY: `time` is null or the address of the array or variable that the procedure of gfortran's library defines.
    unsafe { store(time, times(values, used())) };
}

/// The times at the last call of DTIME.
static LAST: Mutex<(f64, f64)> = Mutex::new((0.0, 0.0));

/// DTIME(values): the time since the last call.
///
/// # Safety
/// `values` is the address of two `REAL(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_dtime(values: *mut f32) -> f32 {
    let now = used();
    let last = LAST.lock().map_or((0.0, 0.0), |mut last| std::mem::replace(&mut *last, now));
    // SAFETY: `values` has room for two `REAL(4)`.
    unsafe { times(values, (now.0 - last.0, now.1 - last.1)) }
}

/// CALL DTIME(values, time)
///
/// # Safety
/// `values` is the address of two `REAL(4)`, `time` of one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_dtime_sub(values: *mut f32, time: *mut f32) {
    // SAFETY: `time` is null or a variable of the type that the function gives; the other arguments are the function's
    // own.
    unsafe { store(time, trueline_lib_dtime(values)) };
}

/// SECOND(): the time used.
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_second() -> f32 {
    let (user, system) = used();
    (user + system) as f32
}

/// CALL SECOND(time)
///
/// # Safety
/// `time` is the address of a `REAL(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_second_sub(time: *mut f32) {
    // SAFETY: `time` is null or a variable of the type that the function gives; the other arguments are the function's
    // own.
    unsafe { store(time, trueline_lib_second()) };
}

fn now() -> i64 {
    // SAFETY: a null argument is allowed.
    unsafe { libc::time(std::ptr::null_mut()) }
}

/// TIME8(): seconds since 1970.
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_time8() -> i64 {
    now()
}

/// TIME()
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_time() -> i32 {
    now() as i32
}

/// MCLOCK8(): processor time in microseconds.
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_mclock8() -> i64 {
    let (user, system) = used();
    ((user + system) * 1e6) as i64
}

/// MCLOCK()
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_mclock() -> i32 {
    // SAFETY: always safe to call.
    unsafe { trueline_lib_mclock8() as i32 }
}

fn broken_down(time: i64, local: bool) -> libc::tm {
    // SAFETY: all zeros is a value of the structure; the C library fills it.
    unsafe {
        let mut tm: libc::tm = std::mem::zeroed();
        if local {
            libc::localtime_r(&time, &mut tm);
        } else {
            libc::gmtime_r(&time, &mut tm);
        }
        tm
    }
}

/// `Thu Jan  1 00:00:00 1970`
fn date_text(time: i64) -> String {
    const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let tm = broken_down(time, true);
    let day = DAYS[tm.tm_wday.clamp(0, 6) as usize];
    let month = MONTHS[tm.tm_mon.clamp(0, 11) as usize];
    let year = tm.tm_year + 1900;
    format!("{day} {month} {:2} {:02}:{:02}:{:02} {year}", tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec)
}

/// FDATE()
///
/// # Safety
/// `to` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fdate(to: *mut u8, len: i64) {
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    assign(unsafe { bytes_mut(to, len) }, date_text(now()).as_bytes());
}

/// CALL FDATE(date)
///
/// # Safety
/// `to` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fdate_sub(to: *mut u8, len: i64) {
    // SAFETY: the arguments are those of the function.
    unsafe { trueline_lib_fdate(to, len) };
}

/// CTIME(time)
///
/// # Safety
/// `to` is the address of `len` bytes, `time` of an `INTEGER(8)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_ctime(to: *mut u8, len: i64, time: *const i64) {
    // SAFETY: `time` is the address of an INTEGER, and the CHARACTER variable has `len` bytes.
    assign(unsafe { bytes_mut(to, len) }, date_text(unsafe { *time }).as_bytes());
}

/// CALL CTIME(time, result)
///
/// # Safety
/// `to` is the address of `len` bytes, `time` of an `INTEGER(8)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_ctime_sub(time: *const i64, to: *mut u8, len: i64) {
    // SAFETY: the arguments are those of the function.
    unsafe { trueline_lib_ctime(to, len, time) };
}

/// CALL IDATE(values): day, month, year.
///
/// # Safety
/// `values` is the address of three `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_idate_sub(values: *mut [i32; 3]) {
    let tm = broken_down(now(), true);
    // SAFETY: `values` is null or the address of the array or variable that the procedure of gfortran's library
    // defines.
    unsafe { store(values, [tm.tm_mday, tm.tm_mon + 1, tm.tm_year + 1900]) };
}

/// CALL ITIME(values): hour, minute, second.
///
/// # Safety
/// `values` is the address of three `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_itime_sub(values: *mut [i32; 3]) {
    let tm = broken_down(now(), true);
    // SAFETY: `values` is null or the address of the array or variable that the procedure of gfortran's library
    // defines.
    unsafe { store(values, [tm.tm_hour, tm.tm_min, tm.tm_sec]) };
}

fn nine(tm: &libc::tm) -> [i32; 9] {
    let date = [tm.tm_mday, tm.tm_mon, tm.tm_year, tm.tm_wday, tm.tm_yday, tm.tm_isdst];
    let [a, b, c, d, e, f] = date;
    [tm.tm_sec, tm.tm_min, tm.tm_hour, a, b, c, d, e, f]
}

/// CALL LTIME(time, values)
///
/// # Safety
/// `time` is the address of an `INTEGER(8)`, `values` of nine `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_ltime_sub(time: *const i64, values: *mut [i32; 9]) {
    // SAFETY: `values` is null or the address of the array or variable that the procedure of gfortran's library
    // defines.
    unsafe { store(values, nine(&broken_down(*time, true))) };
}

/// CALL GMTIME(time, values)
///
/// # Safety
/// `time` is the address of an `INTEGER(8)`, `values` of nine `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_gmtime_sub(time: *const i64, values: *mut [i32; 9]) {
    // SAFETY: `values` is null or the address of the array or variable that the procedure of gfortran's library
    // defines.
    unsafe { store(values, nine(&broken_down(*time, false))) };
}

/// SECNDS(x): seconds since midnight, less `x`.
///
/// # Safety
/// `x` is the address of a `REAL(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_secnds(x: *const f32) -> f32 {
    let [.., hour, minute, second, millisecond] = crate::clock::local_now();
    let seconds = f64::from(hour * 3600 + minute * 60 + second) + 0.001 * f64::from(millisecond);
    // SAFETY: a scalar argument is the address of a value of its type.
    let before = unsafe { *x } % 86400.0;
    seconds as f32 - if before < 0.0 { before + 86400.0 } else { before }
}

/// CALL SLEEP(seconds)
///
/// # Safety
/// `seconds` is the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_sleep_sub(seconds: *const i32) {
    // SAFETY: a scalar argument is the address of a value of its type.
    let seconds = unsafe { *seconds };
    std::thread::sleep(std::time::Duration::from_secs(seconds.max(0) as u64));
}
