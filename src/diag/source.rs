//! The files of one compilation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{FileId, Location, Span};

/// A file read into memory, with the starts of its lines.
#[derive(Debug)]
pub struct SourceFile {
    name: String,
    bytes: Arc<Vec<u8>>,
    lines: Vec<u32>,
    included_at: Option<Span>,
    original: Option<Arc<Vec<u8>>>,
    /// Whether the preprocessor read it for an `#include`, or may have.
    header: bool,
}

/// A text to be read in place of a file: preprocessed, or from a module file. It has a line for each line of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prepared {
    /// The path of the file.
    pub name: String,
    /// The text.
    pub text: Vec<u8>,
    /// The bytes of the file, if they are others.
    pub original: Option<Vec<u8>>,
    /// The texts in place of INCLUDE lines, by the numbers of the lines, ascending.
    pub includes: Vec<(u32, Prepared)>,
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

    /// The bytes as the user wrote them, before preprocessing.
    pub fn written(&self) -> &[u8] {
        self.original.as_ref().unwrap_or(&self.bytes)
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
    /// The texts in place of INCLUDE lines.
    includes: BTreeMap<(usize, u32), Prepared>,
    /// The files of the command line.
    mains: Vec<PathBuf>,
    /// The directories of the command line for included files.
    include_dirs: Vec<PathBuf>,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> Self {
        SourceMap::default()
    }

    /// Notes the files and directories of the command line: lines of files included from elsewhere are not shown.
    pub fn set_trusted(&mut self, mains: &[PathBuf], include_dirs: &[PathBuf]) {
        self.mains = mains.to_vec();
        self.include_dirs = include_dirs.to_vec();
    }

    /// Marks a file that the preprocessor may have read for an `#include`.
    pub fn mark_header(&mut self, file: FileId) {
        self.files[file.index()].header = true;
    }

    /// Whether a file is included from outside of the tree of the sources and of the directories of the command line. Somebody
    /// who may compile, but not read all that the compiler may, learns nothing of its content. The tree of a source is the
    /// current directory if it is in there, else the directory where it stands.
    pub fn is_foreign(&self, id: FileId) -> bool {
        let file = self.file(id);
        let mut top = file;
        while let Some(at) = top.included_at {
            top = self.file(at.file);
        }
        let is_main = |f: &SourceFile| {
            self.mains.iter().any(|m| m.to_string_lossy() == *f.name || (m == Path::new("-") && f.name == "<stdin>"))
        };
        let is_included = file.included_at.is_some() && is_main(top) || file.header && !is_main(file);
        // A text on no disk is no secret: it is part of the compiler.
        let Some(path) = Path::new(&file.name).canonicalize().ok().filter(|_| is_included) else { return false };
        let here = Path::new(".").canonicalize().ok().filter(|d| d.parent().is_some());
        let tree = |main: &PathBuf| {
            if main == Path::new("-") {
                return here.clone();
            }
            let main = main.canonicalize().ok()?;
            here.clone().filter(|here| main.starts_with(here)).or_else(|| Some(main.parent()?.to_owned()))
        };
        let mut trees = self.mains.iter().filter_map(tree);
        let mut listed = self.include_dirs.iter().filter_map(|d| d.canonicalize().ok());
        !trees.any(|t| path.starts_with(t)) && !listed.any(|d| path.starts_with(d))
    }

    /// Adds a file whose bytes are already at hand: standard input, a test, a preprocessed text.
    pub fn add(&mut self, name: impl Into<String>, bytes: Vec<u8>) -> FileId {
        self.add_included(name, bytes, None)
    }

    /// As [`SourceMap::add`], for the file that an INCLUDE line at `included_at` names.
    pub fn add_included(&mut self, name: impl Into<String>, bytes: Vec<u8>, included_at: Option<Span>) -> FileId {
        let id = FileId(self.files.len() as u32);
        let lines = line_starts(&bytes);
        let bytes = Arc::new(bytes);
        self.files.push(SourceFile { name: name.into(), bytes, lines, included_at, original: None, header: false });
        id
    }

    /// Adds a text that is read in place of a file.
    pub fn add_prepared(&mut self, prepared: Prepared, included_at: Option<Span>) -> FileId {
        let id = self.add_included(prepared.name, prepared.text, included_at);
        self.files[id.index()].original = prepared.original.map(Arc::new);
        self.includes.extend(prepared.includes.into_iter().map(|(line, inner)| ((id.index(), line), inner)));
        id
    }

    /// Adds the text that is read in place of the INCLUDE line at `at`, if there is one.
    pub fn include_prepared(&mut self, at: Span) -> Option<FileId> {
        let line = self.start(at).line;
        let prepared = self.includes.remove(&(at.file.index(), line))?;
        Some(self.add_prepared(prepared, Some(at)))
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
