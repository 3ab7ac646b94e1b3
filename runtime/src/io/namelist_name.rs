//! The left side of an assignment in NAMELIST input: `x(2)%name(1:3)(2:5) =`.

use super::error::Result;
use super::item::{Class, class};
use super::namelist::{Object, Range};
use super::namelist_read::{bad, name, next, peek, shown};
use super::unit::Unit;

/// The object that a name with subscripts, components and a substring stands for.
#[derive(Debug)]
pub(crate) struct Target {
    /// The number of the object.
    pub object: usize,
    /// Its elements.
    pub ranges: Vec<Range>,
    /// The components on the way, each with its elements.
    pub parts: Vec<(usize, Vec<Range>)>,
    /// First and last character.
    pub substring: Option<(i64, i64)>,
}

/// Reads the left side and the equals sign.
pub(crate) fn target(unit: &mut Unit, objects: &[Object]) -> Result<Target> {
    let (object, mut found) = named(unit, objects)?;
    let (ranges, mut arrays) = elements(unit, found)?;
    let mut out = Target { object, ranges, parts: Vec::new(), substring: None };
    loop {
        match next(unit)? {
            b'%' if found.parts.is_empty() => {
                return Err(bad(format!("Attempt to get derived component for {}", shown(found))));
            }
            b'%' => {
                unit.record.at += 1;
                next(unit)?;
                let (k, part) = named(unit, &found.parts)?;
                let (ranges, is_array) = elements(unit, part)?;
                out.parts.push((k, ranges));
                found = part;
                if arrays && is_array {
                    let name = shown(found);
                    return Err(bad(format!("Multiple sub-objects with non-zero rank in namelist object {name}")));
                }
                arrays |= is_array;
            }
            b'(' if found.parts.is_empty() && class(found.code) == Class::Character && out.substring.is_none() => {
                out.substring = Some(substring(unit, found)?);
            }
            b'(' => {
                let name = shown(found);
                return Err(bad(format!("Qualifier for a scalar or non-character namelist object {name}")));
            }
            b'=' => {
                unit.record.at += 1;
                return Ok(out);
            }
            _ => return Err(bad(format!("Equal sign must follow namelist object name {}", shown(found)))),
        }
    }
}

/// The object that is named here.
fn named<'a>(unit: &mut Unit, objects: &'a [Object]) -> Result<(usize, &'a Object)> {
    let text = name(unit).to_ascii_lowercase();
    if let Some(k) = objects.iter().position(|o| o.name == text) {
        return Ok((k, &objects[k]));
    }
    // The text here is shown up to where a name would end.
    let rest = &unit.record.bytes[unit.record.at.min(unit.record.bytes.len())..];
    let ends = |b: &u8| matches!(b, b'=' | b' ' | b'\t' | b'(' | b'%' | b',' | b'/' | b';');
    let more = rest.iter().position(ends).unwrap_or(rest.len()).min(60);
    let shown = [text.as_slice(), &rest[..more].to_ascii_lowercase()].concat();
    Err(bad(format!("Cannot match namelist object name {}", String::from_utf8_lossy(&shown))))
}

/// The elements that subscripts choose, and whether they are an array; all of them without subscripts.
fn elements(unit: &mut Unit, object: &Object) -> Result<(Vec<Range>, bool)> {
    if object.dims.is_empty() || next(unit)? != b'(' {
        return Ok((object.whole(), !object.dims.is_empty()));
    }
    let triplets = triplets(unit, object)?;
    let wrong = |problem: &str| bad(format!("{problem} for namelist variable {}", shown(object)));
    if triplets.len() != object.dims.len() {
        return Err(wrong("Bad number of index fields"));
    }
    let section = triplets.iter().any(|t| t.colon);
    let mut out = Vec::with_capacity(triplets.len());
    for (k, (t, whole)) in triplets.iter().zip(object.whole()).enumerate() {
        let Range { from: lower, to: upper, .. } = whole;
        let (mut from, mut to) = (t.from.unwrap_or(lower), t.to.unwrap_or(upper));
        if t.step < 0 {
            (from, to) = (t.from.unwrap_or(upper), t.to.unwrap_or(lower));
        }
        if !t.colon {
            to = from;
        }
        if from.min(to) < lower || from.max(to) > upper {
            return Err(wrong(&format!("Index {} out of range", k + 1)));
        }
        if (to - from) * t.step.signum() < 0 {
            return Err(wrong(&format!("Bad range in index {}", k + 1)));
        }
        // From an element of an array of an intrinsic type on, values go on to those behind.
        if !section && object.parts.is_empty() {
            to = upper;
        }
        out.push(Range { from, to, step: t.step });
    }
    Ok((out, section))
}

fn substring(unit: &mut Unit, object: &Object) -> Result<(i64, i64)> {
    let triplets = triplets(unit, object)?;
    let wrong = |problem: &str| bad(format!("{problem} for namelist variable {}", shown(object)));
    let [t] = triplets.as_slice() else { return Err(wrong("Bad substring qualifier")) };
    if t.step != 1 {
        return Err(bad(format!("Step not allowed in substring qualifier for namelist object {}", shown(object))));
    }
    if !t.colon {
        return Err(wrong("Missing colon in substring qualifier"));
    }
    let (lo, hi) = (t.from.unwrap_or(1), t.to.unwrap_or(object.size as i64));
    if lo < 1 || hi > object.size as i64 || lo > hi.max(0) + 1 {
        return Err(wrong("Substring out of range"));
    }
    Ok((lo, hi))
}

struct Triplet {
    from: Option<i64>,
    to: Option<i64>,
    step: i64,
    /// Whether there is a colon: otherwise `from` is an index.
    colon: bool,
}

/// `(a:b:c, d)`
fn triplets(unit: &mut Unit, object: &Object) -> Result<Vec<Triplet>> {
    let wrong = |problem: &str| bad(format!("{problem} for namelist variable {}", shown(object)));
    unit.record.at += 1;
    let mut out = Vec::new();
    let mut parts: Vec<Option<i64>> = vec![None];
    loop {
        match next(unit)? {
            b':' => parts.push(None),
            c @ (b',' | b')') => {
                out.push(triplet(&parts).map_err(wrong)?);
                if out.len() > 15 {
                    return Err(wrong("Bad number of index fields"));
                }
                parts = vec![None];
                if c == b')' {
                    unit.record.at += 1;
                    return Ok(out);
                }
            }
            b'+' | b'-' | b'0'..=b'9' if parts.last() == Some(&None) => {
                let value = signed(unit).ok_or_else(|| wrong("Bad integer in index"))?;
                if let Some(last) = parts.last_mut() {
                    *last = Some(value);
                }
                continue;
            }
            _ => return Err(wrong("Bad character in index")),
        }
        unit.record.at += 1;
    }
}

/// The text between the colons of a triplet.
fn triplet(parts: &[Option<i64>]) -> std::result::Result<Triplet, &'static str> {
    let colon = parts.len() > 1;
    let step = match parts.get(2) {
        None => 1,
        Some(Some(step)) if *step != 0 => *step,
        Some(_) => return Err("Bad index triplet"),
    };
    if parts.len() > 3 {
        return Err("Bad index triplet");
    }
    if !colon && parts[0].is_none() {
        return Err("Null index field");
    }
    Ok(Triplet { from: parts[0], to: parts.get(1).copied().flatten(), step, colon })
}

/// An integer at the cursor, which is left behind it.
fn signed(unit: &mut Unit) -> Option<i64> {
    let rest = &unit.record.bytes[unit.record.at..];
    let len = 1 + rest[1..].iter().take_while(|b| b.is_ascii_digit()).count();
    let value: i64 = std::str::from_utf8(&rest[..len]).ok()?.trim_start_matches('+').parse().ok()?;
    unit.record.at += len;
    // Bounds are within 32 bits of each other in any array that exists; a larger number cannot be added to.
    (value.unsigned_abs() < 1 << 62 && peek(unit) != Some(b'.')).then_some(value)
}
