//! NAMELIST: the objects of a group, and what a group looks like when it is written.
//!
//! Compiled code passes the objects one after the other, as it does items; what is done with them is done when all
//! are known, at the end of the statement, because input names them in any order.

use super::edit;
use super::error::Result;
use super::item::{Class, Item, ItemMut, class};
use super::real;
use super::unit::{Delim, Modes, Unit};
use super::write::{list_complex_parts, quote};
use trueline_abi::TypeCode;

/// A variable of a group.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    /// Its name, lower case.
    pub name: Vec<u8>,
    /// Lower bound and number of elements of each dimension.
    pub dims: Vec<(i64, i64)>,
    /// Its first element.
    pub at: *mut u8,
    pub code: TypeCode,
    /// The bytes of an element.
    pub size: usize,
    /// The number of elements.
    pub count: usize,
}

impl Object {
    /// An element, to be written.
    pub fn element(&self, k: usize) -> Item<'static> {
        // SAFETY: compiled code passed the address of `count` elements, which outlive the statement.
        let bytes = unsafe { std::slice::from_raw_parts(self.at.add(k * self.size), self.size) };
        Item { code: self.code, bytes }
    }

    /// An element, to be read into.
    pub fn element_mut(&mut self, k: usize) -> ItemMut<'_> {
        // SAFETY: as above; nothing else refers to it while it is assigned.
        let bytes = unsafe { std::slice::from_raw_parts_mut(self.at.add(k * self.size), self.size) };
        ItemMut { code: self.code, bytes }
    }

    /// The elements that have an address.
    pub fn elements(&self) -> usize {
        if self.at.is_null() { 0 } else { self.count }
    }
}

/// Values on the first line of an object, before a new line is begun.
const FIRST_LINE: usize = 5;

/// Writes a group.
pub(crate) fn write(unit: &mut Unit, group: &[u8], objects: &[Object], modes: &Modes) -> Result<()> {
    unit.put(&[b"&", group.to_ascii_uppercase().as_slice()].concat())?;
    for object in objects {
        unit.end_output_record()?;
        write_object(unit, object, modes)?;
    }
    unit.end_output_record()?;
    unit.put(b" /")?;
    unit.end_output_record()
}

fn write_object(unit: &mut Unit, object: &Object, modes: &Modes) -> Result<()> {
    unit.put(&[b" ", object.name.to_ascii_uppercase().as_slice(), b"="].concat())?;
    let separator: &[u8] = if modes.comma { b";" } else { b"," };
    let count = object.elements();
    // As libgfortran counts: five values on the first line, six on each further one.
    let (mut on_line, mut repeats) = (1, 1);
    for k in 0..count {
        let item = object.element(k);
        if k + 1 < count && item.bytes == object.element(k + 1).bytes {
            repeats += 1;
            continue;
        }
        if repeats > 1 {
            unit.put(format!(" {repeats}*").as_bytes())?;
        }
        unit.put(&value(item, repeats > 1, modes))?;
        unit.put(separator)?;
        on_line += 1;
        if on_line > FIRST_LINE {
            on_line = 0;
            unit.end_output_record()?;
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
            edit::list_integer(&mut field, item.integer(), item.bytes.len());
            let width = field.len();
            field.drain(..field.iter().take_while(|&&b| b == b' ').count());
            field.resize(width, b' ');
        }
        Class::Logical => edit::logical(&mut field, item.logical(), 1),
        Class::Real => {
            real::list(&mut field, item.real(), real::kind(item.bytes.len()), modes);
            if repeated {
                field.drain(..field.iter().take_while(|&&b| b == b' ').count());
            }
        }
        Class::Complex => field = list_complex_parts(item, modes),
        Class::Character => {
            quote(&mut field, item.bytes, if modes.delim == Delim::Apostrophe { b'\'' } else { b'"' });
        }
    }
    field
}
