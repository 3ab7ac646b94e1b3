//! The names of functions from the symbol table of the executable, for callers that pass addresses only.

use std::sync::Mutex;

/// Addresses as they are linked, with their names, sorted; read once.
static SYMBOLS: Mutex<Option<Vec<(u64, String)>>> = Mutex::new(None);

/// The name of the function that begins at `address`.
pub(crate) fn name(address: u64) -> Option<String> {
    let mut symbols = SYMBOLS.lock().ok()?;
    let list = symbols.get_or_insert_with(|| read().unwrap_or_default());
    let linked = address.wrapping_sub(load_bias());
    let i = list.binary_search_by_key(&linked, |(a, _)| *a).ok()?;
    Some(list[i].1.clone())
}

/// The functions of the executable's ELF symbol table.
fn read() -> Option<Vec<(u64, String)>> {
    let file = std::fs::read("/proc/self/exe").ok()?;
    let number = |at: usize, len: usize| -> Option<u64> {
        let bytes = file.get(at..at.checked_add(len)?)?;
        Some(bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)))
    };
    if file.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (sections, size, count) = (number(0x28, 8)? as usize, number(0x3a, 2)? as usize, number(0x3c, 2)? as usize);
    let section = |i: usize, field: usize, len: usize| number(sections.checked_add(i.checked_mul(size)?)? + field, len);
    let table = (0..count).find(|&i| section(i, 4, 4) == Some(2))?;
    let (start, len) = (section(table, 0x18, 8)? as usize, section(table, 0x20, 8)? as usize);
    let names = section(section(table, 0x28, 4)? as usize, 0x18, 8)? as usize;
    let mut out = Vec::new();
    for at in (start..start.checked_add(len)?).step_by(24) {
        let (name, info, value) = (number(at, 4)? as usize, number(at + 4, 1)?, number(at + 8, 8)?);
        // Functions that are defined here.
        if info & 15 == 2 && value != 0 {
            let text = file.get(names.checked_add(name)?..)?;
            let end = text.iter().position(|&b| b == 0)?;
            out.push((value, String::from_utf8_lossy(&text[..end]).into_owned()));
        }
    }
    out.sort();
    out.dedup_by_key(|(a, _)| *a);
    Some(out)
}

/// The distance between the executable's addresses and its linked addresses.
fn load_bias() -> u64 {
    extern "C" fn first(info: *mut libc::dl_phdr_info, _size: usize, data: *mut libc::c_void) -> i32 {
        // SAFETY: the C library passes a valid structure and our own pointer. The executable comes first.
        unsafe { *data.cast::<u64>() = (*info).dlpi_addr };
        1
    }
    let mut bias = 0u64;
    // SAFETY: the callback writes to `bias`, which lives long enough.
    unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut bias).cast()) };
    bias
}
