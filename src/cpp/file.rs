//! Lines, directives, and included files.

use crate::condition;
use crate::expand::{Macros, Place, piece, word};
use crate::{Definition, Options, Output, Problem, Read};
use std::path::{Path, PathBuf};
use trueline_diag::Prepared;

/// The deepest nesting of included files.
const MAX_INCLUDES: usize = 64;

/// The most lines that all files together may have: a file that includes itself twice grows without end.
const MAX_LINES: usize = 20_000_000;

/// The most problems that are reported.
const MAX_PROBLEMS: usize = 100;

pub(crate) fn preprocess(path: &Path, bytes: Vec<u8>, options: &Options, read: Read<'_>) -> Output {
    let mut run = Run {
        options,
        read,
        macros: Macros::default(),
        lines: 0,
        dependencies: Vec::new(),
        problems: Vec::new(),
        open: Vec::new(),
    };
    for definition in &options.definitions {
        let result = match definition {
            Definition::Undefine(name) => {
                run.macros.undefine(name.as_bytes());
                Ok(false)
            }
            Definition::Define(text) => {
                let (name, value) = text.split_once('=').unwrap_or((text, "1"));
                run.macros.define(format!("{name} {value}").as_bytes())
            }
        };
        if let Err(message) = result {
            let file = "<command line>".to_owned();
            run.problems.push(Problem { file, line: 1, is_error: true, message });
        }
    }
    let prepared = run.file(path, bytes);
    Output { prepared, dependencies: run.dependencies, problems: run.problems }
}

/// All that lasts over the files.
struct Run<'r> {
    options: &'r Options,
    read: Read<'r>,
    macros: Macros,
    lines: usize,
    dependencies: Vec<PathBuf>,
    problems: Vec<Problem>,
    /// The files that are being read, each included by the one before.
    open: Vec<PathBuf>,
}

/// One `#if` that is open.
struct Condition {
    /// The line.
    line: u32,
    /// The text around it counts.
    around: bool,
    /// This part counts.
    active: bool,
    /// Some part did.
    taken: bool,
    /// `#else` was there.
    last: bool,
}

/// A file being read.
struct State {
    path: PathBuf,
    name: String,
    line: u32,
    conditions: Vec<Condition>,
    in_comment: Option<u32>,
    text: Vec<u8>,
    includes: Vec<(u32, Prepared)>,
}

impl State {
    fn is_active(&self) -> bool {
        self.conditions.last().is_none_or(|c| c.active)
    }

    fn place(&self) -> Place<'_> {
        Place { file: &self.name, line: self.line }
    }
}

impl Run<'_> {
    fn file(&mut self, path: &Path, bytes: Vec<u8>) -> Prepared {
        let name = path.to_string_lossy().into_owned();
        let mut state = State {
            path: path.to_owned(),
            name,
            line: 0,
            conditions: Vec::new(),
            in_comment: None,
            text: Vec::with_capacity(bytes.len()),
            includes: Vec::new(),
        };
        self.open.push(path.to_owned());
        let mut lines = bytes.split_inclusive(|&b| b == b'\n');
        while let Some(line) = lines.next() {
            state.line += 1;
            self.lines += 1;
            if self.lines > MAX_LINES {
                self.problem(&state, true, format!("The files have more than {MAX_LINES} lines"));
                break;
            }
            let (content, end) = split_end(line);
            if state.in_comment.is_none() && content.first() == Some(&b'#') {
                // A directive goes on after a backslash at the end of the line.
                let mut whole = content.to_vec();
                let mut further = 0;
                while whole.last() == Some(&b'\\') {
                    whole.pop();
                    let Some(next) = lines.next() else { break };
                    whole.extend_from_slice(split_end(next).0);
                    further += 1;
                }
                self.directive(&mut state, &whole);
                state.text.extend(std::iter::repeat_n(b'\n', further + usize::from(!end.is_empty())));
                state.line += further as u32;
                continue;
            }
            if state.is_active() {
                self.text(&mut state, content);
            }
            state.text.extend_from_slice(end);
        }
        self.open.pop();
        self.finish(&mut state);
        let changed = state.text != bytes || !state.includes.is_empty();
        Prepared { name: state.name, text: state.text, original: changed.then_some(bytes), includes: state.includes }
    }

    fn finish(&mut self, state: &mut State) {
        if let Some(line) = state.in_comment {
            state.line = line;
            self.problem(state, true, "The comment is not ended");
        }
        for c in std::mem::take(&mut state.conditions) {
            state.line = c.line;
            self.problem(state, true, "#if without #endif");
        }
    }

    fn problem(&mut self, state: &State, is_error: bool, message: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            let (file, line) = (state.name.clone(), state.line);
            self.problems.push(Problem { file, line, is_error, message: message.into() });
        }
    }

    /// A line that is not a directive.
    fn text(&mut self, state: &mut State, content: &[u8]) {
        let content = without_comments(content, &mut state.in_comment, state.line, b"");
        match self.macros.expand(&content, state.place()) {
            Ok(text) => state.text.extend_from_slice(&text),
            Err(message) => self.problem(state, true, message),
        }
    }

    fn directive(&mut self, state: &mut State, content: &[u8]) {
        let mut in_comment = None;
        let content = without_comments(&content[1..], &mut in_comment, state.line, b"##");
        state.in_comment = in_comment;
        let content = content.trim_ascii();
        let (name, rest) = content.split_at(word(content));
        let rest = rest.trim_ascii();
        match name {
            b"if" | b"ifdef" | b"ifndef" => self.open_condition(state, name, rest),
            b"elif" | b"else" | b"endif" => self.go_on(state, name, rest),
            _ if !state.is_active() => {}
            b"define" => match self.macros.define(rest) {
                Ok(false) => {}
                Ok(true) => {
                    let name = String::from_utf8_lossy(&rest[..word(rest)]).into_owned();
                    self.problem(state, false, format!("The macro '{name}' is defined anew, and differently"));
                }
                Err(message) => self.problem(state, true, message),
            },
            b"undef" => match word(rest) {
                0 => self.problem(state, true, "#undef needs the name of a macro"),
                len => self.macros.undefine(&rest[..len]),
            },
            b"include" => self.include(state, rest),
            b"error" => self.problem(state, true, format!("#error {}", String::from_utf8_lossy(rest))),
            b"warning" => self.problem(state, false, format!("#warning {}", String::from_utf8_lossy(rest))),
            // `# 12 "file"` of an earlier preprocessor, too.
            b"line" | b"pragma" | b"ident" | b"" => {}
            _ => self.problem(state, true, format!("There is no directive '#{}'", String::from_utf8_lossy(name))),
        }
    }

    fn open_condition(&mut self, state: &mut State, name: &[u8], rest: &[u8]) {
        let around = state.is_active();
        let holds = around && self.condition(state, name, rest);
        let condition = Condition { line: state.line, around, active: holds, taken: holds, last: false };
        state.conditions.push(condition);
    }

    fn condition(&mut self, state: &State, name: &[u8], rest: &[u8]) -> bool {
        if matches!(name, b"if" | b"elif") {
            return condition::holds(rest, &self.macros, state.place()).unwrap_or_else(|message| {
                self.problem(state, true, message);
                false
            });
        }
        let len = word(rest);
        if len == 0 {
            self.problem(state, true, format!("#{} needs the name of a macro", String::from_utf8_lossy(name)));
        }
        self.macros.is_defined(&rest[..len]) == (name == b"ifdef")
    }

    fn go_on(&mut self, state: &mut State, name: &[u8], rest: &[u8]) {
        let Some(mut c) = state.conditions.pop() else {
            self.problem(state, true, format!("#{} without #if", String::from_utf8_lossy(name)));
            return;
        };
        if name == b"endif" {
            return;
        }
        if c.last {
            self.problem(state, true, format!("#{} after #else", String::from_utf8_lossy(name)));
        }
        let free = c.around && !c.taken;
        c.active = free && (name == b"else" || self.condition(state, name, rest));
        c.taken |= c.active;
        c.last |= name == b"else";
        state.conditions.push(c);
    }

    fn include(&mut self, state: &mut State, rest: &[u8]) {
        let expanded = self.macros.expand(rest, state.place()).unwrap_or_default();
        let rest = if matches!(rest.first(), Some(b'"' | b'<')) { rest } else { expanded.trim_ascii() };
        let close = match rest.first() {
            Some(b'"') => b'"',
            Some(b'<') => b'>',
            _ => return self.problem(state, true, "#include needs \"FILE\" or <FILE>"),
        };
        let Some(end) = rest[1..].iter().position(|&b| b == close) else {
            return self.problem(state, true, "#include needs \"FILE\" or <FILE>");
        };
        let name = String::from_utf8_lossy(&rest[1..=end]).into_owned();
        if self.open.len() > MAX_INCLUDES {
            let message = format!("Files include each other more than {MAX_INCLUDES} levels deep");
            return self.problem(state, true, message);
        }
        let beside = state.path.parent().filter(|_| close == b'"').map(|d| d.join(&name));
        let listed = self.options.include_dirs.iter().map(|d| d.join(&name));
        let found = beside.into_iter().chain(listed).find(|p| p.exists());
        let Some(path) = found else {
            return self.problem(state, true, format!("Cannot include '{name}': there is no such file"));
        };
        match (self.read)(&path) {
            Ok(bytes) => {
                if !self.dependencies.contains(&path) {
                    self.dependencies.push(path.clone());
                }
                let prepared = self.file(&path, bytes);
                if prepared.text.iter().any(|b| !b.is_ascii_whitespace()) {
                    state.text.extend_from_slice(b"      include 'above'");
                    state.includes.push((state.line, prepared));
                }
            }
            Err(why) => self.problem(state, true, format!("Cannot include '{name}': {why}")),
        }
    }
}

/// A line and its end.
fn split_end(line: &[u8]) -> (&[u8], &[u8]) {
    let len = line.len() - line.iter().rev().take_while(|b| matches!(b, b'\n' | b'\r')).count();
    line.split_at(len)
}

/// The line without `/* … */`, which may go on over lines: `open` is where it began. `joint` stands where a comment
/// joins two words, so that the words of a macro's body stay separate.
fn without_comments<'t>(text: &'t [u8], open: &mut Option<u32>, line: u32, joint: &[u8]) -> std::borrow::Cow<'t, [u8]> {
    let in_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    if open.is_none() && !text.windows(2).any(|w| w == b"/*") {
        return text.into();
    }
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if open.is_some() {
            match text[at..].windows(2).position(|w| w == b"*/") {
                Some(end) => {
                    at += end + 2;
                    *open = None;
                    if out.last().is_some_and(in_word) && text.get(at).is_some_and(in_word) {
                        out.extend_from_slice(joint);
                    }
                }
                None => break,
            }
        } else if text[at..].starts_with(b"/*") {
            *open = Some(line);
            at += 2;
        } else {
            let len = piece(&text[at..]);
            out.extend_from_slice(&text[at..at + len]);
            at += len;
        }
    }
    out.into()
}
