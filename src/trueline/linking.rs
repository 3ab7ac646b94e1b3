//! The link: runs `cc`, and explains symbols that nothing defines by the source lines that need them.
//!
//! The linker says `undefined reference to 'foo_'` and an offset in an object. Our objects have a table of their
//! references ([`trueline_codegen::tables::references`]), so that the message becomes a diagnostic at the line of the call, for objects
//! compiled earlier and for members of archives as well. Messages about other objects are passed on as they are.

pub mod interfaces;
pub mod storage;

use crate::driver::Session;
use crate::runtime;
use object::read::archive::ArchiveFile;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use trueline_codegen::tables::references::{self, Reference};
use trueline_diag::{Diagnostic, FileId, Span};

/// The places shown beside the first one of a symbol.
const FURTHER_PLACES: usize = 3;

/// The end of a link.
pub struct Outcome {
    /// The exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// The number of undefined symbols that diagnostics of the session explain.
    pub explained: usize,
    /// Whether the link was not tried, as diagnostics of the session say that procedures and their calls disagree.
    pub refused: bool,
    /// Whether messages of the linker remain that no diagnostic stands for.
    pub has_other_messages: bool,
}

/// Runs a link command. Messages about undefined symbols become diagnostics of the session where a line is known; all
/// others go to standard error. Procedures and calls that disagree are errors where the program is checked, else warnings: old programs
/// rely on what all processors do with them.
///
/// # Errors
/// If the command cannot be started.
pub fn run(command: &mut Command, session: &mut Session, is_checked: bool) -> std::io::Result<Outcome> {
    let before = session.diagnostics.errors();
    interfaces::check(command, session, is_checked);
    // A warning may have been made an error.
    let wrong = session.diagnostics.errors() - before;
    if wrong > 0 {
        return Ok(Outcome { code: Some(1), explained: wrong, refused: true, has_other_messages: false });
    }
    // Kept until the linker has read it.
    let flags = storage::flags(command).map(|bytes| object_file(&bytes)).transpose()?;
    if let Some(file) = &flags {
        command.arg(file.path());
    }
    // Its messages are read: they have to be in one language.
    let mut child = command.env("LC_ALL", "C").stderr(Stdio::piped()).spawn()?;
    let mut bytes = Vec::new();
    if let Some(mut stderr) = child.stderr.take() {
        stderr.read_to_end(&mut bytes)?;
    }
    let status = child.wait()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (mut rest, mut explained) = (text.clone(), 0);
    if !status.success() {
        let found = references(command, &text);
        (rest, explained) = without_explained(&text, &found);
        for (symbol, places) in &found {
            let diagnostic = diagnostic(session, symbol, places);
            session.diagnostics.push(diagnostic);
        }
    }
    crate::output::tell(&crate::output::printable(&rest));
    Ok(Outcome { code: status.code(), explained, refused: false, has_other_messages: !rest.trim().is_empty() })
}

/// An object in a file that goes when it is dropped.
fn object_file(bytes: &[u8]) -> std::io::Result<tempfile::NamedTempFile> {
    let mut file = crate::output::temporary_file(".o")?;
    file.write_all(bytes)?;
    Ok(file)
}

/// The lines that need each undefined symbol of the linker's messages.
fn references(command: &Command, text: &str) -> BTreeMap<String, Vec<Reference>> {
    let wanted: BTreeSet<&str> = text.lines().filter_map(undefined).collect();
    let mut out: BTreeMap<String, Vec<Reference>> = BTreeMap::new();
    if wanted.is_empty() {
        return out;
    }
    let mut add = |found: Vec<Reference>| {
        for r in found.into_iter().filter(|r| wanted.contains(r.symbol.as_str())) {
            out.entry(r.symbol.clone()).or_default().push(r);
        }
    };
    for path in files(command) {
        let Ok(bytes) = runtime::read(&path) else { continue };
        if !bytes.starts_with(&object::archive::MAGIC) {
            add(references::of_object(&bytes));
            continue;
        }
        let Ok(archive) = ArchiveFile::parse(&*bytes) else { continue };
        for member in archive.members().map_while(Result::ok) {
            // The linker takes only some of the members; it names the members that have undefined symbols.
            let name = format!("({})", String::from_utf8_lossy(member.name()));
            if let Ok(data) = member.data(&*bytes)
                && text.contains(&name)
            {
                add(references::of_object(data));
            }
        }
    }
    for places in out.values_mut() {
        places.sort_by(|a, b| (&a.file, a.line, &a.procedure).cmp(&(&b.file, b.line, &b.procedure)));
        places.dedup();
    }
    out
}

/// The symbol of a message such as ``undefined reference to `foo_'``, of GNU ld, gold, lld and mold.
fn undefined(line: &str) -> Option<&str> {
    if let Some((_, rest)) = line.split_once("undefined reference to ") {
        return rest.trim_start_matches(['`', '\'', '"']).split(['\'', '"']).next().filter(|s| !s.is_empty());
    }
    let (_, rest) = line.split_once("undefined symbol: ")?;
    rest.split_whitespace().next()
}

/// The files of a link command that may be objects or archives, and the archives of its `-l`.
fn files(command: &Command) -> Vec<PathBuf> {
    let words: Vec<&OsStr> = command.get_args().collect();
    let mut out: Vec<PathBuf> = Vec::new();
    let mut directories: Vec<PathBuf> = Vec::new();
    for (k, word) in words.iter().enumerate() {
        match word.to_str().and_then(|w| w.strip_prefix("-L")) {
            Some("") => directories.extend(words.get(k + 1).map(PathBuf::from)),
            Some(directory) => directories.push(directory.into()),
            None => {}
        }
    }
    for (k, word) in words.iter().enumerate() {
        match word.to_str() {
            // The output of an earlier link is no input.
            _ if k > 0 && words[k - 1] == "-o" => {}
            Some(w) if w.starts_with("-l") => {
                out.extend(directories.iter().map(|d| d.join(format!("lib{}.a", &w[2..]))));
            }
            Some(w) if w.starts_with('-') => {}
            _ => out.push(word.into()),
        }
    }
    out
}

/// The linker's messages without those about the symbols that are explained, and how many symbols those are.
fn without_explained(text: &str, found: &BTreeMap<String, Vec<Reference>>) -> (String, usize) {
    let mut out = String::new();
    // A line such as "a.o: in function `p':" belongs to the next ones.
    let mut heading = None;
    let mut explained = BTreeSet::new();
    let mut is_explained = false;
    for line in text.lines() {
        let symbol = undefined(line).or_else(|| more(line));
        if let Some(symbol) = symbol.filter(|s| found.contains_key(*s)) {
            explained.insert(symbol);
            is_explained = true;
        } else if line.contains(": in function `") {
            heading = Some(line);
        } else if is_explained && (line.starts_with(">>> ") || line.starts_with("collect2: error: ld returned")) {
            // Places of lld, and the end of the driver's messages: they say nothing more.
        } else {
            for line in heading.take().into_iter().chain([line]) {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    (out, explained.len())
}

/// The symbol of ``more undefined references to `foo_' follow``.
fn more(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("more undefined references to ")?;
    rest.trim_start_matches(['`', '\'']).split('\'').next()
}

/// The message about a symbol that nothing defines.
fn diagnostic(session: &mut Session, symbol: &str, places: &[Reference]) -> Diagnostic {
    let message = format!("Undefined reference to '{symbol}'");
    let mut spans = places.iter().map(|place| (place, span(session, place)));
    let Some((first, at)) = spans.next() else { return Diagnostic::global_error("T0030", message) };
    let mut out = match at {
        Some(span) => Diagnostic::error("T0030", span, message)
            .label(format!("needed in '{}'; no object or library of the link defines it", first.procedure)),
        None => {
            let text = format!("{}:{}: {message}, needed in '{}'", first.file, first.line, first.procedure);
            Diagnostic::global_error("T0030", text)
        }
    };
    let mut shown = 1;
    for (place, span) in spans.by_ref().take(FURTHER_PLACES) {
        shown += 1;
        out = match span.filter(|_| out.primary.is_some()) {
            Some(span) => out.because(span, format!("also needed in '{}'", place.procedure)),
            None => out.note(format!("also needed in '{}', {}:{}", place.procedure, place.file, place.line)),
        };
    }
    if places.len() > shown {
        out = out.note(format!("{} more lines need it", places.len() - shown));
    }
    out.help(remedy(symbol))
}

/// The advice for a symbol that nothing defines, by the form of its name.
fn remedy(symbol: &str) -> String {
    let of_module = symbol.strip_prefix("__").and_then(|rest| rest.split_once("_MOD_"));
    match (of_module, symbol.strip_suffix('_')) {
        (None, Some(name @ ("sgemm" | "dgemm"))) => {
            format!(
                "Link with the library that has '{name}', by -lblas, say; with -fexternal-blas products of matrices call it"
            )
        }
        (Some((module, name)), _) => format!("Link with the object of module '{module}', which has '{name}'"),
        (None, Some(name)) => {
            format!("Link with the object or library that has '{name}', or declare it if it is an array")
        }
        (None, None) => format!("Link with the object or library that defines '{symbol}'"),
    }
}

/// A source file that an object names. Anybody may have made the object: only files of this compilation and files below the
/// current directory are shown.
fn source(session: &mut Session, name: &str) -> Option<FileId> {
    let known = session.map.files().find(|(_, f)| f.name() == name).map(|(id, _)| id);
    if known.is_some() {
        return known;
    }
    let path = Path::new(name);
    let here = Path::new(".").canonicalize().ok()?;
    path.canonicalize().ok().filter(|p| p.starts_with(&here))?;
    session.map.load(path, None).ok()
}

/// The text of a line without its indentation.
fn span(session: &mut Session, place: &Reference) -> Option<Span> {
    let file = source(session, &place.file)?;
    let source = session.map.file(file);
    let range = source.line_range(place.line);
    let text = &source.bytes()[range.clone()];
    let text = text.split(|&b| b == b'!').next().unwrap_or(text);
    let indent = text.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let len = text.trim_ascii().len();
    (len > 0).then(|| Span::new(file, (range.start + indent) as u32, (range.start + indent + len) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_four_linkers() {
        for (line, symbol) in [
            ("a.f90:(.text+0x35): undefined reference to `foo_'", Some("foo_")),
            ("a.o:a.f90:function MAIN__: error: undefined reference to 'foo_'", Some("foo_")),
            ("ld.lld: error: undefined symbol: foo_", Some("foo_")),
            ("mold: error: undefined symbol: foo_", Some("foo_")),
            ("a.o: in function `MAIN__':", None),
            ("undefined reference to `'", None),
        ] {
            assert_eq!(undefined(line), symbol, "{line}");
        }
    }

    #[test]
    fn other_messages_stay() {
        let reference = Reference { symbol: "foo_".into(), file: "a.f90".into(), line: 1, procedure: "p".into() };
        let found = BTreeMap::from([("foo_".to_owned(), vec![reference])]);
        let text = "ld: a.o: in function `MAIN__':\na.f90:(.text+0x35): undefined reference to `foo_'\n\
                    ld: a.f90:(.text+0x35): more undefined references to `foo_' follow\n\
                    ld: b.o: in function `b':\nb.c:(.text+0x5): undefined reference to `bar'\ncollect2: error: ld returned 1 exit status\n";
        let rest = "ld: b.o: in function `b':\nb.c:(.text+0x5): undefined reference to `bar'\n";
        assert_eq!(without_explained(text, &found), (rest.to_owned(), 1));
        assert_eq!(without_explained(text, &BTreeMap::new()), (text.to_owned(), 0));
    }

    #[test]
    fn the_files_of_a_command() {
        let mut command = Command::new("cc");
        command.args(["a.o", "-L", "x", "-Ly", "-lz", "-Wl,--gc-sections", "b.a", "-o", "out"]);
        let found: Vec<String> = files(&command).iter().map(|p| p.display().to_string()).collect();
        // The directory after `-L` is no file and is skipped when it is read.
        assert_eq!(found, ["a.o", "x", "x/libz.a", "y/libz.a", "b.a"]);
    }
}
