//! NAMELIST input.
//!
//! ```text
//! &group  name = value, value  name(2:3) = 2*value  ! a comment
//!   name(2)(1:3) = 'abc' /
//! ```
//!
//! What stands before the group, and other groups, are passed over. The end of a record is a blank, but not between
//! quotes.

use super::error::{IoError, Result, code};
use super::item::{Class, class};
use super::list_read::{self, Value};
use super::namelist::Object;
use super::unit::{Modes, Unit};

/// Reads a group.
pub(crate) fn read(unit: &mut Unit, group: &[u8], objects: &mut [Object], modes: &Modes) -> Result<()> {
    find_group(unit, group)?;
    loop {
        match next(unit)? {
            b'/' => break,
            b'&' | b'$' => {
                // `&END`, or the next group without an end of this one.
                break;
            }
            b',' | b';' => unit.record.at += 1,
            _ => assignment(unit, objects, modes)?,
        }
    }
    unit.end_input_record()
}

/// Passes over records up to the name of the group.
fn find_group(unit: &mut Unit, group: &[u8]) -> Result<()> {
    loop {
        match next(unit)? {
            b'&' | b'$' => {
                unit.record.at += 1;
                let name = name(unit);
                if name.eq_ignore_ascii_case(group) {
                    return Ok(());
                }
                unit.end_input_record()?;
            }
            _ => unit.end_input_record()?,
        }
    }
}

fn peek(unit: &Unit) -> Option<u8> {
    unit.record.bytes.get(unit.record.at).copied()
}

/// The next character that is neither blank nor in a comment, in this record or a later one.
fn next(unit: &mut Unit) -> Result<u8> {
    loop {
        unit.load()?;
        match peek(unit) {
            Some(b' ' | b'\t' | b'\r') => unit.record.at += 1,
            Some(b'!') | None => unit.end_input_record()?,
            Some(other) => return Ok(other),
        }
    }
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// A name at the cursor, which is left behind it.
fn name(unit: &mut Unit) -> Vec<u8> {
    let rest = &unit.record.bytes[unit.record.at.min(unit.record.bytes.len())..];
    let len = rest.iter().take_while(|&&b| is_name(b)).count();
    let name = rest[..len].to_vec();
    unit.record.at += len;
    name
}

/// Whether a name and an equals sign stand here, with subscripts or components in between.
fn begins_assignment(unit: &Unit) -> bool {
    let rest = &unit.record.bytes[unit.record.at.min(unit.record.bytes.len())..];
    if !rest.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_') {
        return false;
    }
    let (mut depth, mut after_blank) = (0u32, false);
    for &b in rest {
        match b {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'=' if depth == 0 => return true,
            _ if depth > 0 => continue,
            b' ' | b'\t' => {
                after_blank = true;
                continue;
            }
            b'%' => {}
            b if is_name(b) && !after_blank => {}
            _ => return false,
        }
        after_blank = false;
    }
    false
}

/// The elements that a name with subscripts stands for, and the part of each.
struct Target {
    /// Numbers of elements in the order of their values.
    elements: Vec<usize>,
    /// Whether the values may go on to the elements behind: a whole array, or one from an element on.
    goes_on: bool,
    /// First and last character.
    substring: Option<(i64, i64)>,
}

/// `name = values`
fn assignment(unit: &mut Unit, objects: &mut [Object], modes: &Modes) -> Result<()> {
    let text = name(unit);
    if text.is_empty() {
        let found = unit.record.bytes.get(unit.record.at).copied().unwrap_or(b' ');
        return Err(bad(format!("Cannot match namelist object name {}", char::from(found).escape_default())));
    }
    let shown = String::from_utf8_lossy(&text).to_lowercase();
    let Some(object) = objects.iter_mut().find(|o| o.name.eq_ignore_ascii_case(&text)) else {
        return Err(bad(format!("Cannot match namelist object name {shown}")));
    };
    let target = target(unit, object, &shown)?;
    if next(unit)? != b'=' {
        return Err(bad(format!("Missing equals sign for namelist object {shown}")));
    }
    unit.record.at += 1;
    values(unit, object, &target, modes)
}

/// Subscripts and substring behind the name.
fn target(unit: &mut Unit, object: &Object, name: &str) -> Result<Target> {
    let mut out = Target { elements: (0..object.elements()).collect(), goes_on: true, substring: None };
    let mut subscripted = object.dims.is_empty();
    while next(unit)? == b'(' {
        let triplets = triplets(unit, name)?;
        if !subscripted {
            subscripted = true;
            (out.elements, out.goes_on) = section(object, &triplets, name)?;
        } else if class(object.code) == Class::Character && out.substring.is_none() && triplets.len() == 1 {
            let (lo, hi, _) = triplets[0];
            let (lo, hi) = (lo.unwrap_or(1), hi.unwrap_or(object.size as i64));
            if lo < 1 || hi > object.size as i64 {
                return Err(bad(format!("Substring out of range for namelist variable {name}")));
            }
            out.substring = Some((lo, hi));
        } else {
            return Err(bad(format!("Bad subscripts for namelist variable {name}")));
        }
    }
    Ok(out)
}

type Triplet = (Option<i64>, Option<i64>, i64);

/// `(a:b:c, d)`. An index alone is `d:d`.
fn triplets(unit: &mut Unit, name: &str) -> Result<Vec<Triplet>> {
    unit.record.at += 1;
    let mut out = Vec::new();
    let mut parts: Vec<Option<i64>> = vec![None];
    loop {
        match next(unit)? {
            b':' => parts.push(None),
            c @ (b',' | b')') => {
                let step = parts.get(2).copied().flatten().unwrap_or(1);
                let hi = if parts.len() > 1 { parts[1] } else { parts[0] };
                let single = parts.len() == 1 && parts[0].is_none();
                if single || parts.len() > 3 || step == 0 || out.len() > 15 {
                    return Err(bad(format!("Bad subscripts for namelist variable {name}")));
                }
                out.push((parts[0], hi, step));
                parts = vec![None];
                if c == b')' {
                    unit.record.at += 1;
                    return Ok(out);
                }
            }
            b'+' | b'-' | b'0'..=b'9' => {
                let rest = &unit.record.bytes[unit.record.at..];
                let len = 1 + rest[1..].iter().take_while(|b| b.is_ascii_digit()).count();
                let value = std::str::from_utf8(&rest[..len]).ok().and_then(|t| t.trim_start_matches('+').parse().ok());
                let Some(value) = value else {
                    return Err(bad(format!("Bad subscripts for namelist variable {name}")));
                };
                if let Some(last) = parts.last_mut() {
                    *last = Some(value);
                }
                unit.record.at += len;
                continue;
            }
            _ => return Err(bad(format!("Bad subscripts for namelist variable {name}"))),
        }
        unit.record.at += 1;
    }
}

/// The elements of a section, and whether it is one element from which values may go on.
fn section(object: &Object, triplets: &[Triplet], name: &str) -> Result<(Vec<usize>, bool)> {
    if triplets.len() != object.dims.len() {
        return Err(bad(format!("Wrong number of subscripts for namelist variable {name}")));
    }
    let mut elements = vec![0usize];
    let mut stride = 1usize;
    let mut single = true;
    for (&(lo, hi, step), &(lower, extent)) in triplets.iter().zip(&object.dims) {
        let last = lower + extent - 1;
        let (lo, hi) = if step > 0 {
            (lo.unwrap_or(lower), hi.unwrap_or(last))
        } else {
            (lo.unwrap_or(last), hi.unwrap_or(lower))
        };
        single &= lo == hi;
        if lo.min(hi) < lower || lo.max(hi) > last {
            return Err(bad(format!("Index out of range for namelist variable {name}")));
        }
        let mut indices = Vec::new();
        let mut at = lo;
        while if step > 0 { at <= hi } else { at >= hi } {
            indices.push((at - lower) as usize * stride);
            at += step;
        }
        elements = indices.iter().flat_map(|i| elements.iter().map(move |e| e + i)).collect();
        stride *= extent.max(0) as usize;
    }
    if single {
        let first = elements.first().copied().unwrap_or(0);
        elements = (first..object.elements()).collect();
    }
    Ok((elements, single))
}

/// The values behind the equals sign, up to the next name or the end of the group.
fn values(unit: &mut Unit, object: &mut Object, target: &Target, modes: &Modes) -> Result<()> {
    let of = class(object.code);
    let mut elements = target.elements.iter().copied();
    let mut number = 0;
    loop {
        let first = next(unit)?;
        if matches!(first, b'/' | b'&' | b'$') || begins_assignment(unit) {
            return Ok(());
        }
        number += 1;
        let (value, repeats) = one(unit, of, number, modes)?;
        for _ in 0..repeats {
            let Some(k) = elements.next() else {
                if matches!(value, Value::Null) {
                    break;
                }
                return Err(bad(format!("Repeat count too large for namelist object {}", shown(object))));
            };
            let mut item = object.element_mut(k);
            if let Some((lo, hi)) = target.substring {
                item.bytes = &mut item.bytes[(lo - 1) as usize..hi.max(lo - 1) as usize];
            }
            list_read::store(&value, &mut item, number, modes)?;
        }
        if target.substring.is_some() {
            elements = target.elements[..0].iter().copied();
        }
    }
}

/// One value with its repeat count, and the separator behind it.
fn one(unit: &mut Unit, of: Class, number: u32, modes: &Modes) -> Result<(Value, u32)> {
    let mut repeats = 1;
    let mut value = Value::Null;
    if !list_read::is_comma(next(unit)?, modes) {
        if let Some(count) = list_read::repeat_count(unit, number)? {
            repeats = count;
        }
        if peek(unit).is_some_and(|b| !list_read::is_separator(b, modes)) {
            value = list_read::cut(unit, of, number, modes)?;
        }
        // The comma behind a value belongs to it; blanks may stand before.
        while matches!(peek(unit), Some(b' ' | b'\t' | b'\r')) {
            unit.record.at += 1;
        }
    }
    if peek(unit).is_some_and(|b| list_read::is_comma(b, modes)) {
        unit.record.at += 1;
    }
    Ok((value, repeats))
}

fn shown(object: &Object) -> String {
    String::from_utf8_lossy(&object.name).into_owned()
}

fn bad(message: String) -> IoError {
    IoError::new(code::READ_VALUE, message)
}
