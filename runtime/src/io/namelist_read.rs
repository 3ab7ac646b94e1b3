//! NAMELIST input.
//!
//! ```text
//! &group  name = value, value  name(2:3) = 2*value  ! a comment
//!   name(2)(1:3) = 'abc'  t%n(1) = 5 /
//! ```
//!
//! Text before the group, and other groups, are passed over. The end of a record is a blank, but not between quotes.

use super::error::{IoError, Result, code};
use super::item::{Class, class};
use super::list_read::{self, Value};
use super::namelist::{Object, Range, Subscripts, offset};
use super::namelist_name::{Target, target};
use super::unit::{Modes, Unit};

/// Reads a group.
pub(crate) fn read(unit: &mut Unit, group: &[u8], objects: &[Object], modes: &Modes) -> Result<()> {
    find_group(unit, group)?;
    // The number of the value, in messages.
    let mut number = 0;
    loop {
        match next(unit)? {
            b'/' => break,
            b'&' | b'$' => {
                unit.record.at += 1;
                if name(unit).eq_ignore_ascii_case(b"end") {
                    break;
                }
                return Err(bad("namelist not terminated with / or &end".into()));
            }
            b',' | b';' => unit.record.at += 1,
            b'=' => return Err(bad("namelist read: misplaced = sign".into())),
            _ => {
                let target = target(unit, objects)?;
                let values = Values {
                    unit: &mut *unit,
                    modes,
                    number: &mut number,
                    value: Value::Null,
                    repeats: 0,
                    ended: false,
                };
                values.assign(&target, objects)?;
            }
        }
    }
    unit.end_input_record()
}

/// Passes over everything up to the name of the group, and that.
fn find_group(unit: &mut Unit, group: &[u8]) -> Result<()> {
    loop {
        unit.load()?;
        let rest = &unit.record.bytes[unit.record.at.min(unit.record.bytes.len())..];
        match rest.iter().position(|b| matches!(b, b'&' | b'$' | b'!')) {
            Some(at) if rest[at] != b'!' => {
                unit.record.at += at + 1;
                let found = name(unit);
                let ends = peek(unit).is_none_or(|b| matches!(b, b' ' | b'\t' | b'\r' | b',' | b';' | b'/' | b'!'));
                if ends && found.eq_ignore_ascii_case(group) {
                    return Ok(());
                }
            }
            _ => unit.end_input_record()?,
        }
    }
}

pub(super) fn peek(unit: &Unit) -> Option<u8> {
    unit.record.bytes.get(unit.record.at).copied()
}

/// The next character that is neither blank nor in a comment, in this record or a later one.
pub(super) fn next(unit: &mut Unit) -> Result<u8> {
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
pub(super) fn name(unit: &mut Unit) -> Vec<u8> {
    let rest = &unit.record.bytes[unit.record.at.min(unit.record.bytes.len())..];
    let len = rest.iter().take_while(|&&b| is_name(b)).count();
    let name = rest[..len].to_vec();
    unit.record.at += len;
    name
}

/// The item at the cursor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ahead {
    /// A name and an equals sign, with subscripts or components in between.
    Assignment,
    /// Something else.
    Value,
    /// The record ends behind a name: the next one decides.
    Open,
}

/// The item at the cursor of this record.
fn ahead(unit: &Unit) -> Ahead {
    /// No name with subscripts is longer: a parenthesis that stays open is not sought to the end of a record again
    /// and again.
    const MOST: usize = 1000;
    let rest = &unit.record.bytes[unit.record.at.min(unit.record.bytes.len())..];
    if !rest.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_') {
        return Ahead::Value;
    }
    let (mut depth, mut after_blank) = (0u32, false);
    for &b in rest.iter().take(MOST) {
        match b {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'=' if depth == 0 => return Ahead::Assignment,
            _ if depth > 0 => continue,
            b' ' | b'\t' | b'\r' => {
                after_blank = true;
                continue;
            }
            b'%' => {}
            b'!' => return Ahead::Open,
            b if is_name(b) && !after_blank => {}
            _ => return Ahead::Value,
        }
        after_blank = false;
    }
    if rest.len() < MOST { Ahead::Open } else { Ahead::Value }
}

/// Whether a name and an equals sign stand here. The equals sign may stand in a later record, which is then joined to
/// this one.
fn begins_assignment(unit: &mut Unit) -> Result<bool> {
    loop {
        match ahead(unit) {
            Ahead::Assignment => return Ok(true),
            Ahead::Value => return Ok(false),
            Ahead::Open if !unit.join_next_record()? => return Ok(false),
            Ahead::Open => {}
        }
    }
}

/// The elements of an object, and the components on the way to its parts, as in [`Target`].
type Chosen<'a> = (&'a [Range], &'a [(usize, Vec<Range>)]);

/// The values behind an equals sign, up to the next name or the end of the group.
struct Values<'a> {
    unit: &'a mut Unit,
    modes: &'a Modes,
    number: &'a mut u32,
    value: Value,
    /// The number of further elements that have `value`.
    repeats: u32,
    /// There are no more values.
    ended: bool,
}

impl Values<'_> {
    fn assign(mut self, target: &Target, objects: &[Object]) -> Result<()> {
        let Some(object) = objects.get(target.object) else { return Ok(()) };
        self.elements(object, Some((&target.ranges, &target.parts)), target.substring, 0)?;
        let left = self.repeats > 0 && !matches!(self.value, Value::Null);
        if left {
            return Err(bad(format!("Repeat count too large for namelist object {}", shown(object))));
        }
        Ok(())
    }

    /// Assigns values to the elements of an object: to the `chosen` elements, or all.
    fn elements(
        &mut self,
        object: &Object,
        chosen: Option<Chosen<'_>>,
        substring: Option<(i64, i64)>,
        base: i64,
    ) -> Result<()> {
        let whole = object.whole();
        let ranges = chosen.map_or(whole.as_slice(), |(ranges, _)| ranges);
        for subscripts in Subscripts::new(ranges) {
            let base = base + offset(&object.dims, &subscripts);
            match chosen.and_then(|(_, parts)| parts.split_first()) {
                Some(((k, ranges), deeper)) => {
                    self.elements(&object.parts[*k], Some((ranges, deeper)), substring, base)?;
                }
                None if object.parts.is_empty() => self.element(object, substring, base)?,
                None => {
                    for part in &object.parts {
                        self.elements(part, None, None, base)?;
                    }
                }
            }
            if self.ended {
                break;
            }
        }
        Ok(())
    }

    fn element(&mut self, object: &Object, substring: Option<(i64, i64)>, at: i64) -> Result<()> {
        if self.ended || !object.is_there() {
            return Ok(());
        }
        if self.repeats == 0 {
            self.next_value(object)?;
            if self.ended {
                return Ok(());
            }
        }
        self.repeats -= 1;
        let mut item = object.element_mut(at);
        if let Some((lo, hi)) = substring {
            item.bytes = &mut item.bytes[(lo - 1) as usize..hi.max(lo - 1) as usize];
        }
        list_read::store(&self.value, &mut item, *self.number, self.modes)
    }

    /// The next value with its repeat count, and the separator behind it.
    fn next_value(&mut self, object: &Object) -> Result<()> {
        let first = next(self.unit)?;
        if matches!(first, b'/' | b'&' | b'$') || begins_assignment(self.unit)? {
            self.ended = true;
            return Ok(());
        }
        *self.number += 1;
        let of = class(object.code);
        (self.value, self.repeats) = (Value::Null, 1);
        if !list_read::is_comma(first, self.modes) {
            if let Some(count) = list_read::repeat_count(self.unit, *self.number)? {
                self.repeats = count;
            }
            if peek(self.unit).is_some_and(|b| b != b'!' && !list_read::is_separator(b, self.modes)) {
                self.value = self.one(of)?;
            }
            // The comma behind a value belongs to it; blanks may stand before.
            while matches!(peek(self.unit), Some(b' ' | b'\t' | b'\r')) {
                self.unit.record.at += 1;
            }
        }
        if peek(self.unit).is_some_and(|b| list_read::is_comma(b, self.modes)) {
            self.unit.record.at += 1;
        }
        Ok(())
    }

    /// Reads one value. Text that cannot be a number is reported as the name of an object that does not exist.
    fn one(&mut self, of: Class) -> Result<Value> {
        let value = list_read::cut(self.unit, of, *self.number, self.modes, true)?;
        let Value::Plain(text) = &value else { return Ok(value) };
        let numeric = matches!(of, Class::Integer | Class::Real);
        let special = |b: &u8| of == Class::Real && matches!(b.to_ascii_lowercase(), b'i' | b'n');
        if numeric && text.first().is_some_and(|b| b.is_ascii_alphabetic() && !special(b)) {
            let name = text[..text.iter().take_while(|&&b| is_name(b)).count()].to_ascii_lowercase();
            return Err(bad(format!("Cannot match namelist object name {}", String::from_utf8_lossy(&name))));
        }
        Ok(value)
    }
}

pub(super) fn shown(object: &Object) -> String {
    String::from_utf8_lossy(&object.name).into_owned()
}

pub(super) fn bad(message: String) -> IoError {
    IoError::new(code::READ_VALUE, message)
}
