//! Constraints of the specifiers of an input/output statement, as far as constants and the other specifiers tell
//! (Fortran 2008, 9.5.6, 9.6.2 and 9.10.2).

mod format;
pub mod specifiers;
mod transfers;

use self::format::Liberties;
use crate::check::jumps;
use crate::check::statements::Statements;
use crate::constant::eval::const_eval;
use crate::constant::{Const, Scalar};
use crate::scope::symbol::SymbolKind;
use trueline_diag::{Diagnostic, Span};
use trueline_ir::Type;
use trueline_syntax::ast::{ExprId, ExprKind, Io, IoControl, IoKind, IoSpec, IoValue};

/// The words that a specifier of OPEN, CLOSE, READ or WRITE may have. None if it is any text.
fn words_of(kind: IoKind, spec: IoSpec) -> Option<&'static [&'static str]> {
    Some(match spec {
        IoSpec::Access => &["sequential", "direct", "stream", "append"],
        IoSpec::Action => &["read", "write", "readwrite"],
        IoSpec::Advance | IoSpec::Asynchronous | IoSpec::Pad => &["yes", "no"],
        IoSpec::Blank => &["null", "zero"],
        IoSpec::Decimal => &["point", "comma"],
        IoSpec::Delim => &["apostrophe", "quote", "none"],
        IoSpec::Encoding => &["default", "utf-8"],
        IoSpec::Form => &["formatted", "unformatted"],
        IoSpec::Position => &["asis", "rewind", "append"],
        IoSpec::Round => &["up", "down", "zero", "nearest", "compatible", "processor_defined"],
        IoSpec::Sign => &["plus", "suppress", "processor_defined"],
        IoSpec::Status if kind == IoKind::Close => &["keep", "delete"],
        IoSpec::Status => &["old", "new", "scratch", "replace", "unknown"],
        _ => return None,
    })
}

/// The specifiers of one statement.
struct Specifiers<'l> {
    io: &'l Io,
    /// The values that are constant characters, in lower case without blanks at the end.
    words: Vec<(IoSpec, String)>,
    /// The faults, and where they are.
    wrong: Vec<(Span, String)>,
}

impl Specifiers<'_> {
    fn get(&self, spec: IoSpec) -> Option<&IoControl> {
        self.io.controls.iter().find(|c| c.spec == spec)
    }

    fn has(&self, spec: IoSpec) -> bool {
        self.get(spec).is_some()
    }

    fn word(&self, spec: IoSpec) -> Option<&str> {
        self.words.iter().find(|w| w.0 == spec).map(|w| w.1.as_str())
    }

    fn is(&self, spec: IoSpec, word: &str) -> bool {
        self.word(spec) == Some(word)
    }

    /// An error if the first of them is there.
    fn refuse(&mut self, specs: &[IoSpec], why: &str) {
        if let Some(c) = specs.iter().find_map(|&s| self.get(s)) {
            let (span, name) = (c.span, c.spec.word().to_uppercase());
            self.wrong.push((span, format!("{name}= cannot stand {why}")));
        }
    }

    /// An error if `spec` is there without the specifier that it needs.
    fn need(&mut self, spec: IoSpec, there: bool, what: &str) {
        if let Some(span) = self.get(spec).map(|c| c.span).filter(|_| !there) {
            self.wrong.push((span, format!("{}= needs {what}", spec.word().to_uppercase())));
        }
    }

    fn check_words(&mut self) {
        for (spec, word) in &self.words {
            let Some(allowed) = words_of(self.io.kind, *spec) else { continue };
            if let Some(c) = self.get(*spec)
                && !allowed.contains(&word.as_str())
            {
                let message = format!("'{word}' is no value of {}=", spec.word().to_uppercase());
                self.wrong.push((c.span, message));
            }
        }
    }

    fn open(&mut self) {
        let has_file = self.has(IoSpec::File) || self.has(IoSpec::Name);
        let is_scratch = self.is(IoSpec::Status, "scratch");
        let is_known = !self.has(IoSpec::Status) || self.word(IoSpec::Status).is_some();
        if !has_file && is_known && !is_scratch {
            self.need(IoSpec::Newunit, false, "FILE= or STATUS='SCRATCH'");
        }
        if is_scratch {
            self.refuse(&[IoSpec::File], "with STATUS='SCRATCH'");
        }
        if self.is(IoSpec::Status, "new") || self.is(IoSpec::Status, "replace") {
            self.need(IoSpec::Status, has_file, "FILE= when it is 'NEW' or 'REPLACE'");
        }
        if self.is(IoSpec::Form, "unformatted") {
            let formatted = [IoSpec::Blank, IoSpec::Delim, IoSpec::Pad];
            self.refuse(&formatted, "with FORM='UNFORMATTED'");
        }
        if self.is(IoSpec::Access, "direct") {
            self.refuse(&[IoSpec::Position], "with ACCESS='DIRECT'");
        }
    }

    /// READ and WRITE. `is_internal`: the unit is a CHARACTER variable.
    fn transfer(&mut self, is_internal: bool, is_group: bool) {
        let is_group = is_group || self.has(IoSpec::Nml);
        let format = self.get(IoSpec::Fmt).copied();
        let is_unformatted = format.is_none() && !is_group;
        let is_list = format.is_some_and(|c| matches!(c.value, IoValue::Star));
        if is_internal {
            self.refuse(&[IoSpec::Rec, IoSpec::Pos, IoSpec::Advance, IoSpec::Asynchronous], "with an internal unit");
            if let Some(unit) = self.get(IoSpec::Unit).map(|c| c.span).filter(|_| is_unformatted) {
                self.wrong.push((unit, "An internal unit needs a format".to_owned()));
            }
        }
        if self.has(IoSpec::Rec) {
            self.refuse(&[IoSpec::Pos, IoSpec::End], "with REC=");
            self.refuse(if is_list { &[IoSpec::Rec] } else { &[] }, "with the format *");
        }
        if is_group {
            self.refuse(&[IoSpec::Rec, IoSpec::Advance], "with a NAMELIST group");
            if self.has(IoSpec::Nml) {
                self.refuse(&[IoSpec::Fmt], "with a NAMELIST group");
            }
        }
        if is_list || is_unformatted {
            let why = if is_list { "with the format *" } else { "without a format" };
            self.refuse(&[IoSpec::Advance], why);
        }
        if is_unformatted {
            let formatted = [IoSpec::Blank, IoSpec::Decimal, IoSpec::Delim, IoSpec::Pad, IoSpec::Sign];
            self.refuse(&formatted, "without a format");
        } else if !is_list && !is_group {
            self.refuse(&[IoSpec::Delim], "with this format: only * and NAMELIST have delimiters");
        }
        for spec in [IoSpec::Size, IoSpec::Eor] {
            let advances = self.is(IoSpec::Advance, "yes");
            self.need(spec, self.has(IoSpec::Advance) && !advances, "ADVANCE='NO'");
        }
        self.need(IoSpec::Id, self.is(IoSpec::Asynchronous, "yes"), "ASYNCHRONOUS='YES'");
    }
}

impl Statements<'_, '_> {
    /// Reports the faults of an input/output statement that its specifiers show.
    pub fn io_statement(&mut self, io: &Io) {
        self.unit(io);
        self.specifier_values(io);
        jumps::check_formats(self.ast, &self.labels, io, self.diags);
        for c in &io.controls {
            match (c.spec, c.value) {
                (IoSpec::Fmt, IoValue::Expr(x)) if !self.is_group(x) => self.format(x, io.kind == IoKind::Read),
                (IoSpec::Nml, IoValue::Expr(x)) if self.is_group(x) => {}
                (IoSpec::Nml, _) => {
                    self.diags.push(Diagnostic::error("T0643", c.span, "NML= names a NAMELIST group"));
                }
                _ => {}
            }
        }
        self.specifiers(io);
    }

    /// Reports a unit that is missing, or `*` where a unit has a number.
    fn unit(&mut self, io: &Io) {
        let has = |spec: IoSpec| io.controls.iter().any(|c| c.spec == spec);
        let unitless = match io.kind {
            IoKind::Open => !has(IoSpec::Unit) && !has(IoSpec::Newunit),
            IoKind::Inquire => !has(IoSpec::Unit) && !has(IoSpec::File) && !has(IoSpec::Iolength),
            IoKind::Close | IoKind::Rewind | IoKind::Backspace | IoKind::Endfile | IoKind::Wait => !has(IoSpec::Unit),
            _ => false,
        };
        if let Some(c) = io.controls.first().filter(|_| unitless) {
            self.diags.push(Diagnostic::error("T0644", c.span, "The statement needs UNIT="));
        }
        let is_star = |c: &&IoControl| c.spec == IoSpec::Unit && matches!(c.value, IoValue::Star);
        let transfers = matches!(io.kind, IoKind::Read | IoKind::Write | IoKind::Print);
        if let Some(c) = io.controls.iter().find(is_star).filter(|_| !transfers) {
            let d = Diagnostic::error("T0648", c.span, "The unit * stands in READ and WRITE only");
            self.diags.push(d.help("Give the number of the unit: 5 is standard input, 6 is standard output"));
        }
    }

    /// Reports values that specifiers cannot have, and specifiers that cannot stand together. With IOSTAT= or ERR= these are
    /// warnings, since the program asks for the error.
    fn specifiers(&mut self, io: &Io) {
        let mut all = Specifiers { io, words: Vec::new(), wrong: Vec::new() };
        let mut is_internal = false;
        for c in &io.controls {
            let IoValue::Expr(x) = c.value else { continue };
            if c.spec == IoSpec::Unit {
                is_internal = self.is_text(x);
                if is_internal && self.site().typing.has_vector_subscript(x) {
                    let message = "An internal unit cannot be a section by a vector".to_owned();
                    all.wrong.push((c.span, message));
                }
            }
            match const_eval(self.decls, self.scope, x) {
                Ok(Const::Scalar(Scalar::Char(text))) => {
                    all.words.push((c.spec, String::from_utf8_lossy(&text).trim_end().to_lowercase()));
                }
                Ok(value) => check_number(io.kind, c, value.as_int(), &mut all.wrong),
                Err(_) => {}
            }
        }
        let is_group = all.get(IoSpec::Fmt).is_some_and(|c| match c.value {
            IoValue::Expr(x) => self.is_group(x),
            _ => false,
        });
        match io.kind {
            IoKind::Inquire if all.has(IoSpec::Unit) => all.refuse(&[IoSpec::File], "with UNIT="),
            IoKind::Open => {
                all.check_words();
                all.open();
            }
            IoKind::Read | IoKind::Write => {
                all.check_words();
                all.transfer(is_internal, is_group);
                if let Some(&x) = self.ast.list(io.items).first().filter(|_| is_group || all.has(IoSpec::Nml)) {
                    all.wrong.push((self.ast.span(x), "A NAMELIST group has no list of items".to_owned()));
                }
            }
            IoKind::Close => all.check_words(),
            _ => {}
        }
        let asks = all.has(IoSpec::Iostat) || all.has(IoSpec::Err);
        let make = if asks { Diagnostic::warning } else { Diagnostic::error };
        for (span, message) in all.wrong {
            self.diags.push(make("T0647", span, message));
        }
    }

    /// Whether a unit is CHARACTER.
    fn is_text(&mut self, x: ExprId) -> bool {
        let mut site = self.site();
        site.is_place(x) && site.typing.of(x).is_some_and(|t| t.ty == Type::Char)
    }

    /// Whether an expression is the name of a NAMELIST group.
    pub fn is_group(&mut self, x: ExprId) -> bool {
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return false };
        let id = self.decls.visible(self.scope, name);
        id.is_some_and(|id| matches!(self.decls.symbols[id].kind, SymbolKind::Namelist(_)))
    }

    /// Reports a constant that is no format.
    fn format(&mut self, x: ExprId, reads: bool) {
        let Ok(Const::Scalar(Scalar::Char(text))) = const_eval(self.decls, self.scope, x) else { return };
        self.format_text(&text, self.ast.span(x), reads);
    }

    /// Reports the text of a format, which stands in `span`, if it is none.
    pub fn format_text(&mut self, text: &[u8], span: Span, reads: bool) {
        let io = self.decls.options.io;
        let liberties = Liberties { no_period: io.legacy, no_width: io.widths, no_item: io.blank_items, reads };
        let Err((at, message)) = format::check(text, liberties) else { return };
        let source = self.map.text(span);
        // Unless it is continued, has doubled quotes or is computed, the text stands there as it is.
        let place = source.windows(text.len().max(1)).position(|w| w == text);
        let span = match place {
            Some(start) => {
                let at = span.start + (start + at) as u32;
                Span::new(span.file, at, at + 1)
            }
            None => span,
        };
        self.diags.push(Diagnostic::error("T0645", span, message));
    }
}

fn check_number(kind: IoKind, c: &IoControl, value: Option<i64>, wrong: &mut Vec<(Span, String)>) {
    let Some(n) = value else { return };
    let message = match c.spec {
        // NEWUNIT= gives units below -9.
        IoSpec::Unit if n < 0 && kind != IoKind::Open && (kind != IoKind::Inquire || n >= -2) => {
            "A unit is not negative"
        }
        IoSpec::Recl if kind == IoKind::Open && n <= 0 => "The length of a record is positive",
        _ => return,
    };
    wrong.push((c.span, message.to_owned()));
}
