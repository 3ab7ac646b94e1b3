//! The driver: reads logical lines, follows INCLUDE, and hands each statement to the classifier, the grammar and the nesting.

use std::ops::Range;
use std::path::{Path, PathBuf};

use lalrpop_util::ParseError;
use trueline_diag::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use crate::ast::*;
use crate::builder::{Builder, Meant};
use crate::classify::{self, Class};
use crate::expected;
use crate::form::{Event, Form, HOLLERITH, Line, Reader, Sentinel};
use crate::grammar::StatementParser;
use crate::nest::Nest;
use crate::parsed::{EndKind, Parsed};
use crate::scan::{Reported, Scanner, Spanned};
use crate::token::{Kw, Tok};

/// The greatest depth of files that include each other.
const MAX_INCLUDES: usize = 64;

/// The source form of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SourceForm {
    /// By the suffix: `.f .for .f77 .ftn` (and in upper case) are fixed, all others free.
    #[default]
    Auto,
    /// Fixed.
    Fixed,
    /// Free.
    Free,
}

/// The options of the command line for reading source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The source form.
    pub form: SourceForm,
    /// The folders in which INCLUDE looks after the directory of the including file.
    pub include_dirs: Vec<PathBuf>,
    /// The last column of fixed form; none for lines without end.
    pub line_length: Option<u32>,
    /// Lines of fixed form that end within a constant are padded to their last column (`-fpad-source`).
    pub pad: bool,
    /// A `d` in the first column of fixed form is a blank, not a comment's beginning (`-fd-lines-as-code`).
    pub d_lines: bool,
    /// Backslashes in character constants begin escape sequences, as in C (`-fbackslash`).
    pub backslash: bool,
    /// Cray pointers: `POINTER (p, x)` (`-fcray-pointer`).
    pub cray_pointers: bool,
    /// STATIC and AUTOMATIC (`-fdec-static`).
    pub storage_classes: bool,
    /// STRUCTURE, RECORD, UNION and MAP, and points before components (`-fdec-structure`).
    pub structures: bool,
    /// `2.E` is `2.E0` (`-fdec`).
    pub bare_exponents: bool,
    /// Files that INCLUDE finds where there are none of that name: their names and texts.
    pub provided: Vec<(&'static str, String)>,
    /// A file without a program unit is compiled to nothing: the preprocessor may leave no more of a file.
    pub may_be_empty: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            form: SourceForm::Auto,
            include_dirs: Vec::new(),
            line_length: Some(72),
            pad: true,
            d_lines: false,
            backslash: false,
            cray_pointers: false,
            storage_classes: false,
            structures: false,
            bare_exponents: false,
            provided: Vec::new(),
            may_be_empty: false,
        }
    }
}

/// Parses a file and its included files. There is always a tree: a statement with an error is reported and left out.
pub fn parse(map: &mut SourceMap, file: FileId, options: &Options, diags: &mut Diagnostics) -> Ast {
    let mut parser = Parser::new(map, file, options, std::mem::take(diags));
    if map.check(file, &mut parser.b.diags) {
        let reader = Reader::new(file, map.file(file).shared_bytes(), parser.line.form, options);
        parser.readers.push((reader, identity(map.file(file).name())));
        parser.run(&mut |parser, name| parser.include(map, name));
        // Where the last line ends, not the empty line that may follow it.
        let end = map.file(file).bytes().trim_ascii_end().len() as u32;
        parser.nest.finish(&mut parser.b, Span::at(file, end), options.may_be_empty);
    }
    *diags = parser.b.diags;
    parser.b.ast
}

/// Parses whole lines of a file that [`SourceMap::check`] has found readable. None if that cannot be done by itself: it
/// includes something, has errors, or does not end between two program units.
pub(crate) fn parse_range(
    map: &SourceMap,
    file: FileId,
    range: Range<usize>,
    options: &Options,
    diags: Diagnostics,
) -> Option<(Ast, Diagnostics)> {
    let mut parser = Parser::new(map, file, options, diags);
    parser.b.ast.start = range.start as u32;
    let reader = Reader::of_range(file, map.file(file).shared_bytes(), range, parser.line.form, options);
    parser.readers.push((reader, PathBuf::new()));
    let mut includes = false;
    parser.run(&mut |_, _| includes = true);
    let complete = !includes && parser.nest.is_between_units() && !parser.b.diags.has_errors();
    complete.then_some((parser.b.ast, parser.b.diags))
}

/// The form of a file: the given one, else by the suffix. Never [`SourceForm::Auto`].
pub fn form_of(name: &str, form: SourceForm) -> SourceForm {
    if form != SourceForm::Auto {
        return form;
    }
    let suffix = Path::new(name).extension().map(|suffix| suffix.to_ascii_lowercase());
    let fixed = suffix.is_some_and(|suffix| ["f", "for", "f77", "ftn", "fpp"].iter().any(|fixed| suffix == *fixed));
    if fixed { SourceForm::Fixed } else { SourceForm::Free }
}

/// The identity of a file, whatever the path it is reached by.
fn identity(name: &str) -> PathBuf {
    std::fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name))
}

/// Whether the text of a statement with an error looks as if it were to declare names.
fn declares(text: &[u8]) -> bool {
    const WORDS: [&str; 22] = [
        "allocatable",
        "byte",
        "character",
        "class",
        "common",
        "complex",
        "dimension",
        "double",
        "enumerator",
        "equivalence",
        "external",
        "generic",
        "integer",
        "intrinsic",
        "logical",
        "parameter",
        "pointer",
        "procedure",
        "real",
        "save",
        "target",
        "type",
    ];
    let (first, rest) = first_word(text);
    let assigns = rest.trim_ascii_start().first() == Some(&b'=');
    text.windows(2).any(|w| w == b"::") || !assigns && WORDS.contains(&first.as_str())
}

/// The first word of a statement in small letters, and the text behind it.
fn first_word(text: &[u8]) -> (String, &[u8]) {
    let (word, rest) = text.split_at(text.iter().position(|c| !c.is_ascii_alphabetic()).unwrap_or(text.len()));
    (String::from_utf8_lossy(word).to_ascii_lowercase(), rest)
}

struct Parser<'o> {
    options: &'o Options,
    line: Line,
    /// The files that are being read, each included by the one before.
    readers: Vec<(Reader, PathBuf)>,
    tokens: Vec<Spanned>,
    grammar: StatementParser,
    nest: Nest,
    b: Builder,
}

impl<'o> Parser<'o> {
    fn new(map: &SourceMap, file: FileId, options: &'o Options, diags: Diagnostics) -> Self {
        let mut b = Builder::new(file, diags);
        b.backslash = options.backslash;
        b.cray_pointers = options.cray_pointers;
        b.storage_classes = options.storage_classes;
        b.structures = options.structures;
        b.bare_exponents = options.bare_exponents;
        let form = match form_of(map.file(file).name(), options.form) {
            SourceForm::Fixed => Form::Fixed,
            _ => Form::Free,
        };
        Parser {
            options,
            line: Line::new(file, form),
            readers: Vec::new(),
            tokens: Vec::new(),
            grammar: StatementParser::new(),
            nest: Nest::new(),
            b,
        }
    }

    /// Reads all lines; `include` gets the file names of INCLUDE lines.
    fn run(&mut self, include: &mut dyn FnMut(&mut Self, &[u8])) {
        while let Some((reader, _)) = self.readers.last_mut() {
            let event = reader.next(&mut self.line, &mut self.b.diags);
            self.b.start_statement(self.line.file());
            match event {
                Event::End => {
                    self.readers.pop();
                }
                Event::Directive(Sentinel::Hpf) => self.hpf(),
                Event::Directive(which) => self.text_directive(which),
                Event::Statement => match included_name(&self.line.text) {
                    Some(name) => {
                        let name = self.line.text[name].to_vec();
                        include(self, &name);
                    }
                    None => self.statement(),
                },
            }
        }
    }

    /// One statement of the file.
    fn statement(&mut self) {
        let label = self.label();
        if self.line.text.is_empty() {
            if let Some(label) = label {
                let diagnostic = Diagnostic::error("T0115", label.span, "A label without a statement")
                    .help("Use CONTINUE to give it one");
                self.b.diags.push(diagnostic);
            }
            return;
        }
        let whole = self.line.whole();
        let mut name = None;
        match self.parse_from(0, &mut name) {
            Ok((parsed, tail)) => {
                let from = parsed_span(&name, whole);
                self.nest.place(&mut self.b, parsed, whole, from, label, name);
                if let Some(tail) = tail {
                    self.tail(tail);
                }
            }
            Err(Reported) => self.recover(whole, label),
        }
    }

    /// After a statement with an error: opens or ends the unit or block that it probably meant.
    fn recover(&mut self, whole: Span, label: Option<LabelRef>) {
        match self.b.meant.take() {
            Some(Meant::End(kind)) if self.nest.may_end(kind) => {
                return self.nest.place(&mut self.b, Parsed::End(kind, None), whole, whole, label, None);
            }
            Some(Meant::Header(kind, Some(name))) if self.nest.may_begin(kind) => {
                let parsed = Parsed::header(kind, Some(name));
                self.nest.place(&mut self.b, parsed, whole, whole, label, None);
                // Its arguments are not known.
                return self.nest.broken_declaration(&mut self.b, whole);
            }
            _ => {}
        }
        if self.nest.in_specification() && declares(&self.line.text) {
            let words = self.line.text.split(|c| !(c.is_ascii_alphanumeric() || *c == b'_'));
            let names = words.filter(|w| w.first().is_some_and(u8::is_ascii_alphabetic));
            self.b.ast.unread.extend(names.map(|w| String::from_utf8_lossy(w).to_ascii_lowercase().into_boxed_str()));
        }
        let has = |kw: Kw| self.tokens.iter().any(|token| token.1 == Tok::Kw(kw));
        let end = match self.tokens.first().map(|token| token.1) {
            // A loop that a label ends is over with its terminal statement.
            Some(Tok::Kw(Kw::Do)) if !matches!(self.tokens.get(1), Some((_, Tok::Int(_), _))) => EndKind::Do,
            Some(Tok::Kw(Kw::If)) if has(Kw::Then) => EndKind::If,
            Some(Tok::Kw(Kw::SelectCase)) => EndKind::Select,
            Some(Tok::Kw(Kw::Where)) => EndKind::Where,
            Some(Tok::Kw(Kw::Forall)) => EndKind::Forall,
            Some(Tok::Kw(Kw::Associate)) => EndKind::Associate,
            Some(Tok::Kw(Kw::TypeDef)) => {
                return self.nest.broken_definition(&mut self.b, EndKind::Type, whole, label);
            }
            Some(Tok::Kw(Kw::Interface)) => {
                return self.nest.broken_definition(&mut self.b, EndKind::Interface, whole, label);
            }
            Some(Tok::Kw(Kw::Case | Kw::CaseDefault)) => {
                let arm = Parsed::Case(CaseSelector::Ranges(Vec::new()), None);
                return self.nest.place(&mut self.b, arm, whole, whole, label, None);
            }
            Some(Tok::Kw(Kw::ProcedureHeader)) => return self.broken_header(whole, label),
            _ => {
                if first_word(&self.line.text).0 == "use" {
                    self.nest.broken_declaration(&mut self.b, whole);
                }
                return self.nest.broken(&mut self.b, whole, label);
            }
        };
        self.nest.broken_construct(&mut self.b, end, whole, label);
    }

    /// A procedure header with an error opens a procedure, with its kind and name if they can be read.
    fn broken_header(&mut self, whole: Span, label: Option<LabelRef>) {
        let is_kind = |tok: Tok| matches!(tok, Tok::Kw(Kw::Subroutine | Kw::Function));
        let Some(at) = self.tokens.iter().position(|token| is_kind(token.1)) else { return };
        let kind = if self.tokens[at].1 == Tok::Kw(Kw::Function) { UnitKind::Function } else { UnitKind::Subroutine };
        let name = match self.tokens.get(at + 1) {
            Some(&(start, Tok::Name(name), end)) => Ident { name, span: self.b.span(start, end) },
            _ => Ident { name: self.b.ast.names.intern("<error>"), span: whole },
        };
        let parsed = Parsed::header(kind, Some(name));
        self.nest.place(&mut self.b, parsed, whole, whole, label, None);
    }

    /// The statement after the head of a one-line IF, WHERE or FORALL.
    fn tail(&mut self, at: usize) {
        let whole = self.line.span(at, self.line.text.trim_ascii_end().len());
        let mut name = None;
        match self.parse_from(at, &mut name) {
            Ok((parsed, None)) => self.nest.place_tail(&mut self.b, parsed, whole),
            Ok((parsed, Some(next))) => {
                if self.nest.nest_head(&mut self.b, parsed, whole) {
                    return self.tail(next);
                }
                let message = "Only a simple statement can stand here, not another one-line IF";
                self.b.error("T0151", whole, message);
                self.nest.broken_tail(&mut self.b, whole);
            }
            Err(Reported) => self.nest.broken_tail(&mut self.b, whole),
        }
    }

    /// Classifies and parses the text from `at`. With a tail, the result is the head alone.
    fn parse_from(&mut self, at: usize, name: &mut Option<Ident>) -> Result<(Parsed, Option<usize>), Reported> {
        self.tokens.clear();
        let mut scanner = Scanner { b: &mut self.b, line: &self.line, pos: at, out: &mut self.tokens, generic: false };
        let class = classify::classify(&mut scanner, name)?;
        match class {
            Class::Format(start) => self.format(start).map(|kind| (Parsed::Stmt(kind), None)),
            Class::Tokens => self.grammar().map(|parsed| (parsed, None)),
            Class::Tail(tail) => self.grammar().map(|parsed| (parsed, Some(tail))),
        }
    }

    fn grammar(&mut self) -> Result<Parsed, Reported> {
        let first = self.tokens.first().map(|token| token.1);
        if let (Some(tok), 1) = (first, self.tokens.len())
            && let Some(parsed) = alone(tok)
        {
            return Ok(parsed);
        }
        match self.grammar.parse(&mut self.b, self.tokens.iter().copied()) {
            Ok(parsed) => Ok(parsed),
            Err(error) => {
                self.syntax_error(first, error);
                Err(Reported)
            }
        }
    }

    fn syntax_error(&mut self, first: Option<Tok>, error: ParseError<u32, Tok, ()>) {
        if let ParseError::UnrecognizedToken { token: (start, tok, end), .. } = &error
            && let Some((feature, origin)) = expected::unsupported(first, *tok)
        {
            let span = self.b.span(*start, *end);
            self.b.diags.push(Diagnostic::error("T0160", span, format!("{feature} are not supported")).label(origin));
            return;
        }
        let statement = expected::statement(first);
        let (span, found, expected) = match error {
            ParseError::UnrecognizedToken { token: (start, _, end), expected } => {
                let span = self.b.span(start, end);
                (span, Some(()), expected)
            }
            ParseError::UnrecognizedEof { location, expected } => {
                (self.b.span(location.saturating_sub(1), location), None, expected)
            }
            ParseError::ExtraToken { token: (start, _, end) } => (self.b.span(start, end), Some(()), Vec::new()),
            ParseError::InvalidToken { location } => (self.b.span(location, location), Some(()), Vec::new()),
            ParseError::User { .. } => return,
        };
        let message = match found {
            Some(()) => format!("Syntax error in {statement}"),
            None => format!("Unexpected end of {statement}"),
        };
        let mut diagnostic = Diagnostic::error("T0100", span, message);
        if let Some(words) = expected::words(&expected) {
            let place = if found.is_some() { "" } else { " after this" };
            diagnostic = diagnostic.label(format!("expected {words}{place}"));
        }
        self.b.diags.push(diagnostic);
    }

    /// The text of a FORMAT from its parenthesis on, with Holleriths as they were.
    fn format(&mut self, start: usize) -> Result<StmtKind, Reported> {
        let text = self.line.text[start..].trim_ascii_end();
        let scanner = Scanner { b: &mut self.b, line: &self.line, pos: start, out: &mut self.tokens, generic: false };
        if scanner.close(start) != Some(start + text.len() - 1) {
            let span = self.line.span(start, start + text.len());
            self.b.error("T0116", span, "A FORMAT ends with the parenthesis that closes its first one");
            return Err(Reported);
        }
        if self.line.label.is_none() {
            let diagnostic = Diagnostic::error("T0116", self.line.whole(), "A FORMAT needs a label")
                .note("Without one, no READ or WRITE can refer to it");
            self.b.diags.push(diagnostic);
        }
        let bytes: Vec<u8> = text.iter().map(|&byte| if byte == HOLLERITH { b'h' } else { byte }).collect();
        let bytes = if self.options.backslash { crate::scan::unescaped(&bytes) } else { bytes };
        Ok(StmtKind::Format(self.b.text(&bytes)))
    }

    fn label(&mut self) -> Option<LabelRef> {
        let (label, span) = self.line.label?;
        self.b.note_label();
        if label == 0 {
            self.b.error("T0120", span, "A label has one to five digits, and is not zero");
            return None;
        }
        Some(LabelRef { label, span })
    }

    fn hpf(&mut self) {
        if self.line.text.trim_ascii().is_empty() {
            return;
        }
        let whole = self.line.whole();
        self.tokens.clear();
        let mut scanner = Scanner { b: &mut self.b, line: &self.line, pos: 0, out: &mut self.tokens, generic: false };
        let result = classify::hpf(&mut scanner).and_then(|_| self.grammar());
        if let Ok(Parsed::Stmt(kind)) = result {
            self.nest.directive(&mut self.b, kind, whole);
        }
    }

    fn text_directive(&mut self, which: Sentinel) {
        let text = self.line.text.trim_ascii();
        let name = classify::text_name(text);
        let words: Vec<&[u8]> = text[..name].split(|byte| *byte == b' ').filter(|word| !word.is_empty()).collect();
        let name_id = self.b.text(&words.join(&b' '));
        let clauses = self.b.text(text[name..].trim_ascii());
        let directive = TextDirective { name: name_id, clauses };
        let directive = match which {
            Sentinel::Omp => Directive::Omp(directive),
            Sentinel::Ompi => Directive::Ompi(directive),
            Sentinel::Trueline | Sentinel::Hpf => Directive::Trueline(directive),
        };
        let whole = self.line.whole();
        self.nest.directive(&mut self.b, StmtKind::Directive(Box::new(directive)), whole);
    }

    /// Reads the file that an INCLUDE line names before the rest of this one.
    fn include(&mut self, map: &mut SourceMap, name: &[u8]) {
        let span = self.line.whole();
        let name = String::from_utf8_lossy(name).into_owned();
        if self.readers.len() >= MAX_INCLUDES {
            self.b.error("T0117", span, format!("Files include each other more than {MAX_INCLUDES} levels deep"));
            return;
        }
        let Some((reader, _)) = self.readers.last() else { return };
        let form = reader.form();
        if let Some(file) = map.include_prepared(span) {
            // The name does not matter: the file cannot include itself, being text already.
            let identity = PathBuf::from(format!("\0{}", file.index()));
            return self.open(map, file, form, identity);
        }
        let path = self.find_include(map, reader.file(), &name);
        let identity = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        if let Some(first) = self.readers.iter().position(|(_, open)| *open == identity) {
            let mut diagnostic = Diagnostic::error("T0117", span, format!("'{name}' includes itself"));
            if let Some(at) = self.readers.get(first + 1).and_then(|(reader, _)| map.file(reader.file()).included_at())
            {
                diagnostic = diagnostic.because(at, "by way of this INCLUDE line");
            }
            self.b.diags.push(diagnostic);
            return;
        }
        match map.load(&path, Some(span)) {
            Ok(file) => self.open(map, file, form, identity),
            Err(error) => {
                if let Some((name, text)) = self.options.provided.iter().find(|(provided, _)| *provided == name) {
                    let file = map.add_included(*name, text.clone().into_bytes(), Some(span));
                    return self.open(map, file, form, identity);
                }
                let diagnostic = Diagnostic::error("T0118", span, format!("Cannot include '{name}': {error}"));
                self.b.diags.push(diagnostic);
            }
        }
    }

    fn open(&mut self, map: &SourceMap, file: FileId, form: Form, identity: PathBuf) {
        if map.check(file, &mut self.b.diags) {
            let bytes = map.file(file).shared_bytes();
            self.readers.push((Reader::new(file, bytes, form, self.options), identity));
        }
    }

    /// The directory of the including file first, then that of the file of the command line, then the directories of the command
    /// line, then as it stands.
    fn find_include(&self, map: &SourceMap, including: FileId, name: &str) -> PathBuf {
        let beside = |file: FileId| Path::new(map.file(file).name()).parent().map(|dir| dir.join(name));
        let listed = self.options.include_dirs.iter().map(|dir| dir.join(name));
        let near = beside(including).into_iter().chain(beside(self.b.ast.file));
        let found = near.chain(listed).chain([PathBuf::from(name)]).find(|path| path.exists());
        found.or(beside(including)).unwrap_or_else(|| PathBuf::from(name))
    }
}

/// The commonest statements of one word, which need no grammar.
fn alone(word: Tok) -> Option<Parsed> {
    Some(match word {
        Tok::End(kind) => Parsed::End(kind, None),
        Tok::Kw(Kw::Else) => Parsed::Else(None),
        Tok::Kw(Kw::Continue) => Parsed::Stmt(StmtKind::Continue),
        Tok::Kw(Kw::Return) => Parsed::Stmt(StmtKind::Return(None)),
        _ => return None,
    })
}

/// The place of a statement with its construct name.
fn parsed_span(name: &Option<Ident>, whole: Span) -> Span {
    match name {
        Some(name) => Span::new(whole.file, name.span.start.min(whole.start), whole.end),
        None => whole,
    }
}

/// The range of the file name in an INCLUDE line: INCLUDE, a quoted text, nothing else.
fn included_name(text: &[u8]) -> Option<std::ops::Range<usize>> {
    let rest = text.strip_prefix(b"include")?;
    let start = text.len() - rest.trim_ascii_start().len();
    let quote = *text.get(start).filter(|byte| matches!(byte, b'\'' | b'"'))?;
    let end = text.trim_ascii_end().len();
    let inside = start + 1..end.checked_sub(1)?;
    let whole = inside.start < inside.end && text[end - 1] == quote && !text[inside.clone()].contains(&quote);
    whole.then_some(inside)
}
