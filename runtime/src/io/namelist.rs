//! NAMELIST: the objects of a group, and writing a group.
//!
//! Compiled code passes the objects one after the other, as it does items. The statement is executed at its end, when
//! all objects are known, because input names them in any order.

use super::edit;
use super::error::Result;
use super::item::{Class, Item, ItemMut, class};
use super::real;
use super::unit::{Delim, Medium, Modes, Unit};
use super::write::{list_complex_parts, quote};
use trueline_abi::TypeCode;

/// A dimension of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Dim {
    pub lower: i64,
    pub extent: i64,
    /// The distance of its elements in bytes.
    pub stride: i64,
}

/// A variable of a group, or a component of one.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    /// Its name, lower case; for a component, the component's.
    pub name: Vec<u8>,
    /// Its own dimensions.
    pub dims: Vec<Dim>,
    /// Its first element; for a component, the one in the first element of the object around it.
    pub at: *mut u8,
    pub code: TypeCode,
    /// The bytes of an element.
    pub size: usize,
    /// The components of a structure; empty for everything else.
    pub parts: Vec<Object>,
}

impl Object {
    /// An object with only name and dimensions known.
    fn new(name: &[u8], dims: Vec<Dim>) -> Object {
        Object { name: name.to_vec(), dims, at: std::ptr::null_mut(), code: TypeCode::I4, size: 0, parts: Vec::new() }
    }

    /// The element that is `offset` bytes from the first, to be written.
    pub fn element(&self, offset: i64) -> Item<'static> {
        // SAFETY: compiled code passed address, bounds and strides of elements that outlive the statement, and
        // `offset` is made of subscripts within those bounds.
        let bytes = unsafe { std::slice::from_raw_parts(self.at.offset(offset as isize), self.size) };
        Item { code: self.code, bytes }
    }

    /// The element that is `offset` bytes from the first, to be read into.
    pub fn element_mut(&self, offset: i64) -> ItemMut<'static> {
        // SAFETY: as above; nothing else refers to it while it is assigned.
        let bytes = unsafe { std::slice::from_raw_parts_mut(self.at.offset(offset as isize), self.size) };
        ItemMut { code: self.code, bytes }
    }

    /// Whether it has an address: an array that is not allocated has none.
    pub fn is_there(&self) -> bool {
        self.parts.first().map_or(!self.at.is_null(), Object::is_there)
    }

    /// The whole of its dimensions.
    pub fn whole(&self) -> Vec<Range> {
        self.dims.iter().map(|d| Range { from: d.lower, to: d.lower + d.extent - 1, step: 1 }).collect()
    }
}

/// Adds an object, or a component to those named before: `x%b` belongs to the last `x`.
pub(crate) fn add(objects: &mut Vec<Object>, path: &[u8], dims: Vec<Dim>) {
    let mut level = objects;
    let mut parts = path.split(|&b| b == b'%').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() || level.is_empty() {
            level.push(Object::new(part, dims));
            return;
        }
        let last = level.len() - 1;
        level = &mut level[last].parts;
    }
}

/// The object that was named last.
pub(crate) fn last(objects: &mut [Object]) -> Option<&mut Object> {
    let mut last = objects.last_mut()?;
    while !last.parts.is_empty() {
        let end = last.parts.len() - 1;
        last = &mut last.parts[end];
    }
    Some(last)
}

/// `from : to : step` of a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub from: i64,
    pub to: i64,
    pub step: i64,
}

/// The subscripts of a section, leftmost fastest.
pub(crate) struct Subscripts<'a> {
    ranges: &'a [Range],
    next: Option<Vec<i64>>,
}

impl<'a> Subscripts<'a> {
    /// All subscripts of `ranges`; without dimensions, one empty list.
    pub fn new(ranges: &'a [Range]) -> Subscripts<'a> {
        let empty = ranges.iter().any(|r| if r.step > 0 { r.from > r.to } else { r.from < r.to });
        Subscripts { ranges, next: (!empty).then(|| ranges.iter().map(|r| r.from).collect()) }
    }
}

impl Iterator for Subscripts<'_> {
    type Item = Vec<i64>;

    fn next(&mut self) -> Option<Vec<i64>> {
        let now = self.next.take()?;
        let mut next = now.clone();
        for (at, r) in next.iter_mut().zip(self.ranges) {
            *at += r.step;
            if if r.step > 0 { *at <= r.to } else { *at >= r.to } {
                self.next = Some(next);
                break;
            }
            *at = r.from;
        }
        Some(now)
    }
}

/// The distance in bytes of the element with these subscripts from the first.
pub(crate) fn offset(dims: &[Dim], subscripts: &[i64]) -> i64 {
    dims.iter().zip(subscripts).map(|(d, s)| (s - d.lower).wrapping_mul(d.stride)).fold(0, i64::wrapping_add)
}

/// Values on the first line of an object, before a new line is begun.
const FIRST_LINE: usize = 5;

/// Writes a group.
pub(crate) fn write(unit: &mut Unit, group: &[u8], objects: &[Object], modes: &Modes) -> Result<()> {
    unit.put(&[b"&", group.to_ascii_uppercase().as_slice()].concat())?;
    for object in objects {
        write_object(unit, object, &object.name.to_ascii_uppercase(), 0, modes)?;
    }
    new_line(unit)?;
    unit.put(b" /")?;
    unit.end_output_record()
}

/// Ends a line; in an internal unit of one record, a blank does.
fn new_line(unit: &mut Unit) -> Result<()> {
    match &unit.medium {
        Medium::Memory(memory) if memory.count == 1 => unit.put(b" "),
        _ => unit.end_output_record(),
    }
}

/// An object, or each element of a structure with its components; `base` is the offset of the object around it.
fn write_object(unit: &mut Unit, object: &Object, name: &[u8], base: i64, modes: &Modes) -> Result<()> {
    if object.parts.is_empty() {
        new_line(unit)?;
        unit.put(&[b" ", name, b"="].concat())?;
        return if object.is_there() { write_values(unit, object, base, modes) } else { Ok(()) };
    }
    for subscripts in Subscripts::new(&object.whole()) {
        let base = base + offset(&object.dims, &subscripts);
        let shown: Vec<String> = subscripts.iter().map(i64::to_string).collect();
        let shown = if shown.is_empty() { String::new() } else { format!("({})", shown.join(",")) };
        for part in &object.parts {
            let name = [name, shown.as_bytes(), b"%", part.name.to_ascii_uppercase().as_slice()].concat();
            write_object(unit, part, &name, base, modes)?;
        }
    }
    Ok(())
}

fn write_values(unit: &mut Unit, object: &Object, base: i64, modes: &Modes) -> Result<()> {
    let separator: &[u8] = if modes.comma { b";" } else { b"," };
    // Characters without delimiters look alike.
    let bare = modes.delim == Delim::None;
    // As libgfortran counts: five values on the first line, six on each further one.
    let (mut on_line, mut repeats) = (1, 1);
    let whole = object.whole();
    let mut elements = Subscripts::new(&whole).map(|s| object.element(base + offset(&object.dims, &s))).peekable();
    while let Some(item) = elements.next() {
        if elements.peek().is_some_and(|next| next.bytes == item.bytes) {
            repeats += 1;
            continue;
        }
        if repeats > 1 {
            unit.put(format!(" {repeats}*").as_bytes())?;
        }
        unit.put(&value(item, repeats > 1, modes))?;
        if !(bare && class(item.code) == Class::Character) {
            unit.put(separator)?;
        }
        on_line += 1;
        if on_line > FIRST_LINE {
            on_line = 0;
            if bare {
                unit.put(separator)?;
            }
            new_line(unit)?;
            unit.put(b" ")?;
        }
        repeats = 1;
    }
    Ok(())
}

/// A value as list-directed output has it, without the blank before it; integers stand at the left.
fn value(item: Item<'_>, repeated: bool, modes: &Modes) -> Vec<u8> {
    let mut field = Vec::with_capacity(64);
    match class(item.code) {
        Class::Integer => {
            edit::list_integer(&mut field, item.integer(), item.bytes.len(), modes);
            let width = field.len();
            field.drain(..field.iter().take_while(|&&b| b == b' ').count());
            field.resize(width, b' ');
        }
        Class::Logical => edit::logical(&mut field, item.logical(), 1),
        Class::Real => {
            real::list(&mut field, item.real(), real::kind(item.bytes.len()), modes);
            if repeated {
                // The blanks before it stand behind it.
                let blanks = field.iter().take_while(|&&b| b == b' ').count();
                field.rotate_left(blanks);
            }
        }
        Class::Complex => field = list_complex_parts(item, modes),
        Class::Character => match modes.delim {
            Delim::None => field.extend_from_slice(item.bytes),
            Delim::Apostrophe => quote(&mut field, item.bytes, b'\''),
            Delim::Quote | Delim::Unspecified => quote(&mut field, item.bytes, b'"'),
        },
    }
    field
}
