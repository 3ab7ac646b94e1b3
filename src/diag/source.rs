//! The files of one compilation.

use std::sync::Arc;

use crate::{FileId, Location, Span};

/// A file read into memory, with the starts of its lines.
#[derive(Debug)]
pub struct SourceFile {
    name: String,
    bytes: Arc<Vec<u8>>,
    lines: Vec<u32>,
    included_at: Option<Span>,
}

impl SourceFile {
    /// The path as the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bytes as they stand in the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, for a reader that needs the map for other files meanwhile.
    pub fn shared_bytes(&self) -> Arc<Vec<u8>> {
        Arc::clone(&self.bytes)
    }

    /// The INCLUDE line that brought the file in.
    pub fn included_at(&self) -> Option<Span> {
        self.included_at
    }

    /// The number of lines. An empty file has one, empty, line.
    pub fn line_count(&self) -> u32 {
        self.lines.len() as u32
    }

    /// The line and column of a byte offset.
    pub fn location(&self, offset: u32) -> Location {
        let line = self.lines.partition_point(|&start| start <= offset).max(1);
        Location { line: line as u32, column: offset - self.lines[line - 1] + 1 }
    }

    /// The byte range of a line (from 1) without its line end. Out of range: empty, at the end of the file.
    pub fn line_range(&self, line: u32) -> std::ops::Range<usize> {
        let size = self.bytes.len();
        let Some(&start) = (line as usize).checked_sub(1).and_then(|at| self.lines.get(at)) else {
            return size..size;
        };
        let start = start as usize;
        let mut end = self.lines.get(line as usize).map_or(size, |&next| next as usize);
        while end > start && matches!(self.bytes[end - 1], b'\n' | b'\r') {
            end -= 1;
        }
        start..end
    }

    /// The text of a line (from 1) without its line end.
    pub fn line_text(&self, line: u32) -> &[u8] {
        &self.bytes[self.line_range(line)]
    }
}

/// The files of one compilation in the order of loading, and the positions in them.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> Self {
        SourceMap::default()
    }

    /// Adds a file whose bytes are already at hand: standard input, a test, a preprocessed text.
    pub fn add(&mut self, name: impl Into<String>, bytes: Vec<u8>) -> FileId {
        self.add_included(name, bytes, None)
    }

    /// As [`SourceMap::add`], for the file that an INCLUDE line at `included_at` names.
    pub fn add_included(&mut self, name: impl Into<String>, bytes: Vec<u8>, included_at: Option<Span>) -> FileId {
        let id = FileId(self.files.len() as u32);
        let lines = line_starts(&bytes);
        self.files.push(SourceFile { name: name.into(), bytes: Arc::new(bytes), lines, included_at });
        id
    }

    /// The file of an id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// All files with their ids, in the order of loading.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(at, file)| (FileId(at as u32), file))
    }

    /// The line and column where a span starts.
    pub fn start(&self, span: Span) -> Location {
        self.file(span.file).location(span.start)
    }

    /// The line and column of the last byte of a span (of its start when it is empty).
    pub fn end(&self, span: Span) -> Location {
        self.file(span.file).location(if span.is_empty() { span.end } else { span.end - 1 })
    }

    /// The bytes of a span.
    pub fn text(&self, span: Span) -> &[u8] {
        let bytes = self.file(span.file).bytes();
        let end = (span.end as usize).min(bytes.len());
        &bytes[(span.start as usize).min(end)..end]
    }
}

/// A line ends with LF; in a file without any LF, with CR (old Macintosh files).
fn line_starts(bytes: &[u8]) -> Vec<u32> {
    let end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
    let mut starts = Vec::with_capacity(bytes.len() / 24 + 1);
    starts.push(0);
    starts.extend(bytes.iter().enumerate().filter(|&(_, &byte)| byte == end).map(|(at, _)| at as u32 + 1));
    starts
}
