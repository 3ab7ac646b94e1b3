//! Input and output statements.

use trueline_diag::Diagnostic;

use super::Builder;
use crate::ast::*;
use crate::spelling::closest;

/// Every specifier, with its keyword and the statements that have it.
const SPECS: &[(&str, IoSpec, &[IoKind])] = {
    use IoKind::*;
    const RW: &[IoKind] = &[Read, Write];
    const ALL: &[IoKind] = &[Read, Write, Open, Close, Inquire, Rewind, Backspace, Endfile, Flush, Wait];
    const OI: &[IoKind] = &[Open, Inquire];
    const RWOI: &[IoKind] = &[Read, Write, Open, Inquire];
    &[
        ("access", IoSpec::Access, OI),
        ("action", IoSpec::Action, OI),
        ("advance", IoSpec::Advance, RW),
        ("asynchronous", IoSpec::Asynchronous, RWOI),
        ("blank", IoSpec::Blank, RWOI),
        ("carriagecontrol", IoSpec::Carriagecontrol, OI),
        ("convert", IoSpec::Convert, OI),
        ("decimal", IoSpec::Decimal, RWOI),
        ("delim", IoSpec::Delim, &[Write, Open, Inquire]),
        ("direct", IoSpec::Direct, &[Inquire]),
        ("encoding", IoSpec::Encoding, OI),
        ("end", IoSpec::End, &[Read, Wait]),
        ("eor", IoSpec::Eor, &[Read, Wait]),
        ("err", IoSpec::Err, ALL),
        ("exist", IoSpec::Exist, &[Inquire]),
        ("file", IoSpec::File, OI),
        ("fmt", IoSpec::Fmt, RW),
        ("form", IoSpec::Form, OI),
        ("formatted", IoSpec::Formatted, &[Inquire]),
        ("id", IoSpec::Id, &[Read, Write, Inquire, Wait]),
        ("iolength", IoSpec::Iolength, &[Inquire]),
        ("iomsg", IoSpec::Iomsg, ALL),
        ("iostat", IoSpec::Iostat, ALL),
        ("name", IoSpec::Name, &[Inquire, Open]),
        ("named", IoSpec::Named, &[Inquire]),
        ("newunit", IoSpec::Newunit, &[Open]),
        ("nextrec", IoSpec::Nextrec, &[Inquire]),
        ("nml", IoSpec::Nml, RW),
        ("number", IoSpec::Number, &[Inquire]),
        ("opened", IoSpec::Opened, &[Inquire]),
        ("pad", IoSpec::Pad, &[Read, Open, Inquire]),
        ("pending", IoSpec::Pending, &[Inquire]),
        ("pos", IoSpec::Pos, &[Read, Write, Inquire]),
        ("position", IoSpec::Position, OI),
        ("read", IoSpec::Read, &[Inquire]),
        ("readwrite", IoSpec::Readwrite, &[Inquire]),
        ("rec", IoSpec::Rec, RW),
        ("recl", IoSpec::Recl, OI),
        ("round", IoSpec::Round, RWOI),
        ("sequential", IoSpec::Sequential, &[Inquire]),
        ("share", IoSpec::Share, OI),
        ("sign", IoSpec::Sign, &[Write, Open, Inquire]),
        ("size", IoSpec::Size, &[Read, Inquire]),
        ("status", IoSpec::Status, &[Open, Close]),
        ("stream", IoSpec::Stream, &[Inquire]),
        ("unformatted", IoSpec::Unformatted, &[Inquire]),
        ("unit", IoSpec::Unit, ALL),
        ("write", IoSpec::Write, &[Inquire]),
    ]
};

impl IoKind {
    /// The keyword.
    pub fn word(self) -> &'static str {
        match self {
            IoKind::Read => "READ",
            IoKind::Write => "WRITE",
            IoKind::Print => "PRINT",
            IoKind::Open => "OPEN",
            IoKind::Close => "CLOSE",
            IoKind::Inquire => "INQUIRE",
            IoKind::Rewind => "REWIND",
            IoKind::Backspace => "BACKSPACE",
            IoKind::Endfile => "ENDFILE",
            IoKind::Flush => "FLUSH",
            IoKind::Wait => "WAIT",
        }
    }
}

impl IoSpec {
    /// The keyword, in lower case.
    pub fn word(self) -> &'static str {
        SPECS.iter().find(|(_, spec, _)| *spec == self).map_or("", |(word, _, _)| word)
    }
}

impl Builder {
    /// An expression as the value of a specifier that is not known yet.
    pub fn io_value(&mut self, e: ExprId) -> IoControl {
        IoControl { spec: IoSpec::Unit, value: IoValue::Expr(e), span: self.ast.span(e) }
    }

    /// `*` as the value of a specifier that is not known yet.
    pub fn io_star(&mut self, l: u32, r: u32) -> IoControl {
        IoControl { spec: IoSpec::Unit, value: IoValue::Star, span: self.span(l, r) }
    }

    /// A statement with a control list and the last `n` list elements as its items.
    pub fn io(&mut self, kind: IoKind, list: Vec<(Option<Ident>, IoControl)>, n: usize) -> StmtKind {
        let items = self.take_items(n);
        let mut controls: Vec<IoControl> = Vec::with_capacity(list.len());
        for (position, (name, control)) in list.into_iter().enumerate() {
            let spec = match name {
                Some(name) => self.io_spec(kind, name),
                None => self.io_position(kind, position, controls.last(), control),
            };
            let Some(spec) = spec else { continue };
            let span = name.map_or(control.span, |name| name.span.to(control.span));
            let value = match (spec, name) {
                (IoSpec::Readonly, None) => IoValue::Star,
                (IoSpec::Share, None) => self.io_share(control),
                _ => self.io_label(spec, control.value),
            };
            if let Some(first) = controls.iter().find(|other| other.spec == spec) {
                let message = format!("Specifier {}= given twice", spec.word().to_uppercase());
                let diagnostic = Diagnostic::error("T0131", span, message).because(first.span, "first given here");
                self.diags.push(diagnostic);
                continue;
            }
            controls.push(IoControl { spec, value, span });
        }
        let has_items = matches!(kind, IoKind::Read | IoKind::Write)
            || (kind == IoKind::Inquire && controls.iter().any(|control| control.spec == IoSpec::Iolength));
        if !items.is_empty() && !has_items {
            let span = self.ast.span(self.ast.list(items)[0]);
            self.error("T0131", span, format!("{} has no list of items", kind.word()));
        }
        let has_unit = controls.iter().any(|control| control.spec == IoSpec::Unit);
        if let Some(control) = controls.first()
            && matches!(kind, IoKind::Read | IoKind::Write | IoKind::Flush)
            && !has_unit
        {
            let diagnostic = Diagnostic::error("T0644", control.span, format!("{} needs UNIT=", kind.word()));
            self.diags.push(diagnostic.help("The unit comes first; '*' is the standard one"));
        }
        StmtKind::Io(Box::new(Io { kind, controls, items }))
    }

    /// PRINT, and READ without a control list.
    pub fn io_format(&mut self, kind: IoKind, format: IoControl, n: usize) -> StmtKind {
        let items = self.take_items(n);
        let value = self.io_label(IoSpec::Fmt, format.value);
        let controls = vec![IoControl { spec: IoSpec::Fmt, value, span: format.span }];
        StmtKind::Io(Box::new(Io { kind, controls, items }))
    }

    /// REWIND and the like with nothing but a unit.
    pub fn io_unit(&mut self, kind: IoKind, unit: IoControl) -> StmtKind {
        StmtKind::Io(Box::new(Io { kind, controls: vec![unit], items: ExprList::default() }))
    }

    fn io_spec(&mut self, kind: IoKind, name: Ident) -> Option<IoSpec> {
        let word = self.word(name.name);
        let message = match SPECS.iter().find(|(known, _, _)| *known == word) {
            Some((_, spec, kinds)) if kinds.contains(&kind) => return Some(*spec),
            Some(_) => format!("{} has no specifier {}=", kind.word(), word.to_uppercase()),
            None => format!("Unknown specifier '{}='", word.to_uppercase()),
        };
        let known = SPECS.iter().filter(|(_, _, kinds)| kinds.contains(&kind)).map(|(word, _, _)| *word);
        let help = closest(word, known).map(|word| format!("Did you mean {}=?", word.to_uppercase()));
        let mut diagnostic = Diagnostic::error("T0131", name.span, message);
        diagnostic.help = help;
        self.diags.push(diagnostic);
        None
    }

    /// The unit comes first, and after it the format, both without keywords.
    fn io_position(
        &mut self,
        kind: IoKind,
        position: usize,
        before: Option<&IoControl>,
        control: IoControl,
    ) -> Option<IoSpec> {
        let after_unit = before.is_some_and(|control| control.spec == IoSpec::Unit);
        match position {
            0 => Some(IoSpec::Unit),
            1 if after_unit && matches!(kind, IoKind::Read | IoKind::Write) => Some(IoSpec::Fmt),
            _ => self.io_word(kind, control),
        }
    }

    /// READONLY, SHARED and NOSHARED of DEC compilers are words of their own.
    fn io_word(&mut self, kind: IoKind, control: IoControl) -> Option<IoSpec> {
        if let (IoKind::Open, IoValue::Expr(e)) = (kind, control.value)
            && let ExprKind::Name(name) = self.ast.exprs[e].kind
        {
            match self.word(name) {
                "readonly" => return Some(IoSpec::Readonly),
                "shared" | "noshared" => return Some(IoSpec::Share),
                _ => {}
            }
        }
        self.error("T0131", control.span, "Expected a specifier with a keyword");
        None
    }

    /// SHARED is short for `SHARE='DENYNONE'`, NOSHARED for `SHARE='DENYRW'`.
    fn io_share(&mut self, control: IoControl) -> IoValue {
        let is_shared = match control.value {
            IoValue::Expr(e) => matches!(self.ast.exprs[e].kind, ExprKind::Name(name) if self.word(name) == "shared"),
            _ => false,
        };
        let text = self.text(if is_shared { b"DENYNONE".as_slice() } else { b"DENYRW" });
        let kind = ExprKind::Char { text, kind: KindParam::Default };
        IoValue::Expr(self.leaf(kind, control.span))
    }

    /// Makes a label of an integer constant if the specifier takes a label.
    fn io_label(&mut self, spec: IoSpec, value: IoValue) -> IoValue {
        let IoValue::Expr(e) = value else { return value };
        let span = self.ast.span(e);
        let is_label = matches!(spec, IoSpec::Err | IoSpec::End | IoSpec::Eor);
        match self.ast.exprs[e].kind {
            ExprKind::Int { value, kind } if is_label || spec == IoSpec::Fmt => {
                let literal = crate::token::IntLit { value, kind };
                IoValue::Label(self.label(literal, span.start, span.end))
            }
            _ if is_label => {
                self.error("T0131", span, format!("Expected a label after {}=", spec.word().to_uppercase()));
                value
            }
            _ => value,
        }
    }
}
