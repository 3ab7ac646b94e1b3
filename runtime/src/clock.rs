//! CPU_TIME, SYSTEM_CLOCK and DATE_AND_TIME.

use crate::chars::assign;
use crate::memory::bytes_mut;

/// CPU_TIME in seconds.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_cpu_time() -> f64 {
    let now = read(libc::CLOCK_PROCESS_CPUTIME_ID);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// SYSTEM_CLOCK: the count in ticks of 1 ns (kind 8) or 1 ms (kind 4, which wraps at HUGE).
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_system_clock(kind: i32) -> i64 {
    let now = monotonic_nanoseconds();
    if kind >= 8 { now } else { now / 1_000_000 % i64::from(i32::MAX) }
}

/// DATE_AND_TIME; an absent argument is null with length 0. `values` has eight `INTEGER(4)`.
///
/// # Safety
/// Each argument is null or the address of as many bytes as its type has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_date_and_time(
    date: *mut u8,
    date_len: i64,
    time: *mut u8,
    time_len: i64,
    zone: *mut u8,
    zone_len: i64,
    values: *mut u8,
) {
    let v = local_now();
    let [year, month, day, offset, hour, minute, second, millisecond] = v;
    let sign = if offset < 0 { '-' } else { '+' };
    let (zone_hours, zone_minutes) = (offset.abs() / 60, offset.abs() % 60);
    // SAFETY: the caller passes character variables and their lengths.
    unsafe {
        assign(bytes_mut(date, date_len), format!("{year:04}{month:02}{day:02}").as_bytes());
        assign(bytes_mut(time, time_len), format!("{hour:02}{minute:02}{second:02}.{millisecond:03}").as_bytes());
        assign(bytes_mut(zone, zone_len), format!("{sign}{zone_hours:02}{zone_minutes:02}").as_bytes());
    }
    if !values.is_null() {
        // SAFETY: the caller passes eight integers.
        unsafe { values.cast::<[i32; 8]>().write_unaligned(v) };
    }
}

/// Time from an arbitrary start that never runs backwards.
pub(crate) fn monotonic_nanoseconds() -> i64 {
    let now = read(libc::CLOCK_MONOTONIC);
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}

fn read(clock: libc::clockid_t) -> libc::timespec {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes one `timespec`. The clocks used here cannot fail.
    unsafe { libc::clock_gettime(clock, &mut now) };
    now
}

/// The eight values of DATE_AND_TIME now.
pub(crate) fn local_now() -> [i32; 8] {
    let now = read(libc::CLOCK_REALTIME);
    local_time(now.tv_sec, now.tv_nsec)
}

/// The eight values of DATE_AND_TIME.
fn local_time(seconds: i64, nanoseconds: i64) -> [i32; 8] {
    // SAFETY: a `tm` of zeros is valid, and `localtime_r` fills it.
    let tm = unsafe {
        let mut tm: libc::tm = std::mem::zeroed();
        libc::localtime_r(&seconds, &mut tm);
        tm
    };
    let milliseconds = (nanoseconds / 1_000_000) as i32;
    let offset = (tm.tm_gmtoff / 60) as i32;
    [tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, offset, tm.tm_hour, tm.tm_min, tm.tm_sec, milliseconds]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_has_the_fixed_layout() {
        let (mut date, mut time, mut zone, mut values) = ([0u8; 8], [0u8; 12], [0u8; 5], [0i32; 8]);
        // SAFETY: addresses of arrays of the sizes that are passed.
        unsafe {
            trueline_date_and_time(
                date.as_mut_ptr(),
                8,
                time.as_mut_ptr(),
                12,
                zone.as_mut_ptr(),
                5,
                values.as_mut_ptr().cast(),
            );
        }
        assert_eq!(std::str::from_utf8(&date).unwrap()[..4].parse(), Ok(values[0]));
        assert_eq!(&time[6..7], b".");
        assert_eq!(&time[10..], b"  ");
        assert!(zone[0] == b'+' || zone[0] == b'-');
    }

    #[test]
    fn clocks_run_forward() {
        let before = monotonic_nanoseconds();
        // SAFETY: any kind is allowed.
        let (fine, coarse) = unsafe { (trueline_system_clock(8), trueline_system_clock(4)) };
        assert!(fine >= before && (0..i64::from(i32::MAX)).contains(&coarse));
    }
}
