//! The data of an input/output statement that is under way.

use super::cursor::Cursor;
use super::error::{IoError, Result};
use super::format::Format;
use super::item::{ItemMut, class};
use super::unit::{Modes, Unit};
use super::write::ListOutput;
use std::rc::Rc;
use trueline_abi::TypeCode;
use trueline_abi::io::{IoOp, IoSpec};

/// A variable that the statement defines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Out {
    pub at: *mut u8,
    pub code: TypeCode,
    /// The length of a character variable.
    pub len: i64,
}

/// The specifiers as they were passed. There are few: finding one is a walk.
#[derive(Default, Debug)]
pub(crate) struct Specs {
    pub ints: Vec<(i32, i64)>,
    pub texts: Vec<(i32, Vec<u8>)>,
    pub outs: Vec<(i32, Out)>,
    pub format: Option<Result<Rc<Format>>>,
}

/// The action of a data transfer statement on its items.
#[derive(Debug)]
pub(crate) enum Transfer {
    /// Not a data transfer, or ended by an error.
    None,
    /// `INQUIRE(IOLENGTH=)`: the bytes so far.
    Length(u64),
    FormattedOutput(Cursor),
    FormattedInput(Cursor),
    ListOutput(ListOutput, Modes),
    ListInput(super::list_read::ListInput, Modes),
    UnformattedOutput(super::unformatted::Output),
    UnformattedInput(super::unformatted::Input),
    /// A NAMELIST group, whose objects are collected.
    Namelist(Modes),
}

/// A statement between `io_begin` and `io_finish`.
pub(crate) struct Statement {
    pub op: IoOp,
    /// `file:line`
    pub location: &'static [u8],
    pub specs: Specs,
    pub unit: Option<Box<Unit>>,
    pub transfer: Transfer,
    /// The objects of a NAMELIST group so far.
    pub objects: Vec<super::namelist::Object>,
    pub error: Option<IoError>,
    /// `ADVANCE='NO'`
    pub stays: bool,
    /// Items so far.
    pub items: u32,
    /// Characters read by edit descriptors, for `SIZE=`.
    pub size: u64,
}

impl Statement {
    /// A statement before its specifiers and items are known.
    pub fn new(op: IoOp, location: &'static [u8]) -> Statement {
        Statement {
            op,
            location,
            specs: Specs::default(),
            unit: None,
            transfer: Transfer::None,
            objects: Vec::new(),
            error: None,
            stays: false,
            items: 0,
            size: 0,
        }
    }

    /// Whether the program handles `error` itself.
    pub fn handles(&self, error: &IoError) -> bool {
        let branch = match error.code {
            super::error::code::END => IoSpec::End,
            super::error::code::EOR => IoSpec::Eor,
            _ => IoSpec::Err,
        };
        self.specs.out(IoSpec::Iostat).is_some() || self.specs.int(branch).is_some()
    }
}

impl Specs {
    /// An integer specifier.
    pub fn int(&self, spec: IoSpec) -> Option<i64> {
        self.ints.iter().find(|(s, _)| *s == spec as i32).map(|(_, value)| *value)
    }

    /// A character specifier without its trailing blanks.
    pub fn text(&self, spec: IoSpec) -> Option<&[u8]> {
        let (_, text) = self.texts.iter().find(|(s, _)| *s == spec as i32)?;
        Some(crate::chars::trimmed(text))
    }

    /// A variable to be defined.
    pub fn out(&self, spec: IoSpec) -> Option<Out> {
        self.outs.iter().find(|(s, _)| *s == spec as i32).map(|(_, out)| *out)
    }

    /// Defines the integer variable of `spec`, if there is one.
    pub fn set_int(&self, spec: IoSpec, value: i64) {
        if let Some(out) = self.out(spec) {
            out.item().set_integer(value);
        }
    }

    /// Defines the logical variable of `spec`, if there is one.
    pub fn set_logical(&self, spec: IoSpec, value: bool) {
        if let Some(out) = self.out(spec) {
            out.item().set_logical(value);
        }
    }

    /// Defines the character variable of `spec`, if there is one.
    pub fn set_text(&self, spec: IoSpec, text: &[u8]) {
        if let Some(out) = self.out(spec) {
            crate::chars::assign(out.item().bytes, text);
        }
    }
}

impl Out {
    /// The variable's bytes.
    pub(super) fn item(&self) -> ItemMut<'static> {
        let len = if class(self.code) == super::item::Class::Character { self.len } else { self.code.size() as i64 };
        // SAFETY: compiled code passed the address of a variable of this type and length, which outlives
        // the statement; nothing else refers to it while it is assigned.
        ItemMut { code: self.code, bytes: unsafe { crate::memory::bytes_mut(self.at, len) } }
    }
}
