//! Places in the code of a procedure, and files, as attributes.
//!
//! In an object a piece of code is its beginning and its length. In assembly it is its beginning and its end, since `as` may
//! choose other encodings of instructions: only addresses become labels.

use gimli::write::{Address, AttributeValue, Expression, FileId, Location, LocationList, Range};

/// The code of a procedure.
#[derive(Clone, Copy)]
pub(crate) struct Code {
    /// The number of its symbol.
    pub(crate) symbol: usize,
    /// The number of bytes between the symbol and the code.
    pub(crate) entry: u64,
    /// Whether it will be assembled.
    pub(crate) is_text: bool,
}

impl Code {
    /// The address of an offset.
    pub(crate) fn at(self, offset: u32) -> Address {
        Address::Symbol { symbol: self.symbol, addend: (self.entry + u64::from(offset)) as i64 }
    }

    /// A piece.
    pub(crate) fn range(self, from: u32, to: u32) -> Range {
        let begin = self.at(from);
        match self.is_text {
            true => Range::StartEnd { begin, end: self.at(to) },
            false => Range::StartLength { begin, length: u64::from(to - from) },
        }
    }

    /// Expressions that hold in pieces.
    pub(crate) fn locations(self, all: impl IntoIterator<Item = (u32, u32, Expression)>) -> LocationList {
        let location = |(from, to, data): (u32, u32, Expression)| match self.is_text {
            true => Location::StartEnd { begin: self.at(from), end: self.at(to), data },
            false => Location::StartLength { begin: self.at(from), length: u64::from(to - from), data },
        };
        LocationList(all.into_iter().map(location).collect())
    }
}

/// The files of the line table.
pub(crate) struct Files {
    pub(crate) ids: Vec<FileId>,
    /// Whether the table is made by `as`, where the first file has the number 1.
    pub(crate) is_text: bool,
}

impl Files {
    /// The file with that index.
    pub(crate) fn attribute(&self, file: u32) -> AttributeValue {
        match self.is_text {
            true => AttributeValue::Udata(u64::from(file) + 1),
            false => AttributeValue::FileIndex(self.ids.get(file as usize).copied()),
        }
    }
}
