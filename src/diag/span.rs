//! Positions: a file and a range of its bytes.

use std::fmt;

/// A file of a [`crate::SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub(crate) u32);

impl FileId {
    /// The position of the file in the order of loading.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes in one file. Twelve bytes, copied freely; lines and columns are looked up in the source map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Span { file, start, end: end.max(start) }
    }

    /// An empty range.
    pub fn at(file: FileId, offset: u32) -> Self {
        Span { file, start: offset, end: offset }
    }

    /// From the start of this to the end of `other`; just this when they lie in different files.
    pub fn to(self, other: Span) -> Self {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether `other` lies in it.
    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The number of bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// True of a range without bytes.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.file.0, self.start, self.end)
    }
}

/// A line and a column as people count them, from 1. Columns count bytes, as the columns of fixed source form do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location {
    /// The line, from 1.
    pub line: u32,
    /// The byte column, from 1.
    pub column: u32,
}
