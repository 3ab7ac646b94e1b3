//! The backtrace of a program that ends with an error: its procedures, innermost first, with lines if there is a line
//! table.

use std::backtrace::Backtrace;

/// The frames as text, in libgfortran's look; empty if nothing is known.
pub(crate) fn text() -> Vec<u8> {
    of(&Backtrace::force_capture())
}

/// The frames of a chain of calls that was kept.
pub(crate) fn of(chain: &Backtrace) -> Vec<u8> {
    let all = chain.to_string();
    let mut out = String::new();
    let mut count = 0;
    let mut inner = "";
    let mut lines = all.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((number, name)) = line.trim_start().split_once(": ") else { continue };
        if number.parse::<u32>().is_err() {
            continue;
        }
        let place = lines.peek().and_then(|l| l.trim_start().strip_prefix("at ")).map(str::to_owned);
        if !is_of_the_program(name) || leads_to(name, inner) {
            continue;
        }
        inner = name;
        let name = name.strip_suffix(DIRECT).unwrap_or(name);
        out.push_str(&format!("#{count}  in {name}\n"));
        count += 1;
        if let Some(place) = place {
            out.push_str(&format!("\tat {}\n", without_column(&place)));
        }
    }
    out.into_bytes()
}

/// The end of the symbol of a procedure's code, where another symbol is for gfortran's convention.
const DIRECT: &str = ".direct";

/// Whether the procedure `name` only leads from one calling convention to the other, which `inner` follows.
fn leads_to(name: &str, inner: &str) -> bool {
    name != inner && name.strip_suffix(DIRECT).unwrap_or(name) == inner.strip_suffix(DIRECT).unwrap_or(inner)
}

/// Not of this library, the standard library or the start-up code.
fn is_of_the_program(name: &str) -> bool {
    let inner = name.trim_start_matches('<');
    !["trueline_", "trueline.", "std::", "core::", "alloc::", "__rust", "rust_", "__libc_", "_start", "unknown>"]
        .iter()
        .any(|p| inner.starts_with(p))
        && name != "main"
}

/// `FILE:LINE` of `FILE:LINE:COLUMN`.
fn without_column(place: &str) -> &str {
    match place.rsplit_once(':') {
        Some((rest, column)) if rest.contains(':') && column.bytes().all(|b| b.is_ascii_digit()) => rest,
        _ => place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown() {
        assert!(is_of_the_program("sub_") && is_of_the_program("__m_MOD_f") && is_of_the_program("MAIN__"));
        assert!(!is_of_the_program("trueline_runtime::exit::leave") && !is_of_the_program("<std::x as y>::z"));
        assert!(!is_of_the_program("trueline.through.I8.0"));
        assert!(leads_to("sub_", "sub_.direct") && leads_to("sub_.direct", "sub_"));
        assert!(!leads_to("sub_.direct", "sub_.direct") && !leads_to("sub_", "other_.direct"));
        assert_eq!(without_column("./a.f90:12:3"), "./a.f90:12");
        assert_eq!(without_column("./a.f90:12"), "./a.f90:12");
    }
}
