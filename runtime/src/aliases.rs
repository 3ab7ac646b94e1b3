//! Storage that a procedure knows by two names, for the checks of `-fcheck=alias`.
//!
//! A procedure with arguments tells the places of its arguments and of the variables of modules and COMMON that it mentions.
//! If some of them overlap, each access to one of them is noted, byte by byte, as long as the procedure runs. Fortran
//! allows both to be read; if one is defined, the same bytes must not be used by the other name, before or after. Most calls
//! have no overlap, and note nothing.

use crate::exit::split_location;
use crate::memory::{bytes, c_text};
use std::cell::RefCell;
use std::collections::HashMap;

/// A call notes at most this many bytes.
const MOST_BYTES: usize = 1 << 22;

/// An access to a byte by a name.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Access {
    variable: i64,
    defines: bool,
    location: &'static [u8],
}

/// A call some of whose names overlap.
struct Session {
    names: &'static [u8],
    dummies: i64,
    seen: HashMap<usize, Vec<Access>>,
}

impl Session {
    /// The earlier access to one of the bytes that forbids this one.
    fn conflict(&mut self, address: usize, size: usize, new: Access) -> Option<Access> {
        for at in address..address + size {
            if self.seen.len() >= MOST_BYTES {
                return None;
            }
            let all = self.seen.entry(at).or_default();
            let is_other =
                |a: &&Access| a.variable != new.variable && (a.variable < self.dummies || new.variable < self.dummies);
            if let Some(&old) = all.iter().filter(is_other).find(|a| a.defines || new.defines) {
                return Some(old);
            }
            if !all.iter().any(|a| (a.variable, a.defines) == (new.variable, new.defines)) {
                all.push(new);
            }
        }
        None
    }

    fn name(&self, variable: i64) -> String {
        let name = self.names.split(|&b| b == 0).nth(usize::try_from(variable).unwrap_or(0));
        String::from_utf8_lossy(name.unwrap_or_default()).into_owned()
    }
}

thread_local! {
    static SESSIONS: RefCell<Vec<Session>> = const { RefCell::new(Vec::new()) };
}

/// Whether two of the variables overlap of which the first is a dummy argument. A negative size has no end.
fn overlap(table: &[i64], dummies: i64) -> bool {
    let ranges: Vec<(i64, i64)> = table
        .chunks_exact(2)
        .map(|pair| (pair[0], if pair[1] < 0 { i64::MAX } else { pair[0].saturating_add(pair[1]) }))
        .collect();
    let dummies = usize::try_from(dummies).unwrap_or(0).min(ranges.len());
    (0..dummies).any(|k| ranges[k + 1..].iter().any(|b| ranges[k].0 < b.1 && b.0 < ranges[k].1))
}

/// Begins a call: `table` has address and size of `count` variables, the first `dummies` of them arguments, whose names are
/// separated by NULs. Returns the number of the call, or 0 if nothing overlaps.
///
/// # Safety
/// `table` has `2 * count` words; `names` is the address of `len` bytes that live as long as the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_alias_begin(
    table: *const u8,
    count: i64,
    dummies: i64,
    names: *const u8,
    len: i64,
) -> i64 {
    let Ok(words) = usize::try_from(2 * count) else { return 0 };
    // SAFETY: the caller passes a table of that many aligned words, and a literal text.
    let (table, names) = unsafe { (std::slice::from_raw_parts(table.cast::<i64>(), words), bytes(names, len)) };
    if !overlap(table, dummies) {
        return 0;
    }
    SESSIONS.with_borrow_mut(|sessions| {
        sessions.push(Session { names, dummies, seen: HashMap::new() });
        sessions.len() as i64
    })
}

/// Notes an access to `size` bytes of a variable of the call.
///
/// # Safety
/// `location` is null or NUL-terminated, and lives as long as the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_alias_access(
    session: i64,
    variable: i64,
    address: *mut u8,
    size: i64,
    defines: i32,
    location: *const u8,
) {
    // SAFETY: the caller passes a literal location.
    let new = Access { variable, defines: defines != 0, location: unsafe { c_text(location) } };
    let (Ok(session), Ok(size)) = (usize::try_from(session - 1), usize::try_from(size)) else { return };
    let text = SESSIONS.with_borrow_mut(|sessions| {
        let session = sessions.get_mut(session)?;
        let old = session.conflict(address as usize, size, new)?;
        let verb = |a: Access| if a.defines { "defined" } else { "used" };
        let (file, line, column) = split_location(old.location);
        let [file, line, column] = [file, line, column].map(String::from_utf8_lossy);
        let (own, other) = (session.name(variable), session.name(old.variable));
        let place = format!("{file}:{line}:{column}");
        Some(format!("'{own}' is {}, and '{other}', which is the same storage, is {} at {place}", verb(new), verb(old)))
    });
    if let Some(text) = text {
        crate::faults::fault(new.location, &text, [0; 3]);
    }
}

/// Ends a call.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_alias_end(session: i64) {
    if let Ok(left) = usize::try_from(session - 1) {
        SESSIONS.with_borrow_mut(|sessions| sessions.truncate(left));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_with_an_argument_count() {
        assert!(overlap(&[100, 4, 100, 4], 2));
        assert!(overlap(&[100, 4, 96, 5], 1));
        assert!(!overlap(&[100, 4, 96, 4], 2));
        assert!(!overlap(&[100, 4, 104, 4], 2));
        assert!(overlap(&[100, -1, 1000, 4], 2));
        // Two variables of COMMON.
        assert!(!overlap(&[100, 4, 200, 4, 200, 4], 1));
    }

    #[test]
    fn only_bytes_that_are_defined_conflict() {
        let mut session = Session { names: b"x\0y", dummies: 2, seen: HashMap::new() };
        let access = |variable, defines| Access { variable, defines, location: b"" };
        assert!(session.conflict(0, 8, access(0, false)).is_none());
        assert!(session.conflict(0, 8, access(1, false)).is_none());
        assert!(session.conflict(8, 4, access(0, true)).is_none());
        assert!(session.conflict(12, 4, access(1, true)).is_none());
        assert_eq!(session.conflict(4, 4, access(0, true)).map(|a| a.variable), Some(1));
        assert_eq!(session.conflict(11, 4, access(1, false)).map(|a| a.variable), Some(0));
        assert_eq!(session.name(1), "y");
    }
}
