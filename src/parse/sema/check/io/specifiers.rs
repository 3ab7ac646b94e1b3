//! The specifiers of input/output statements: how each is passed to the runtime, and the values that it takes.

use crate::check::Checked;
use crate::check::statements::Statements;
use crate::types::kinds::Category;
use trueline_abi::io::IoSpec as Spec;
use trueline_diag::Diagnostic;
use trueline_ir::Type;
use trueline_syntax::ast::{ExprId, Io, IoControl, IoKind, IoSpec, IoValue};

/// The way a specifier is passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A number.
    Int,
    /// Characters.
    Str,
    /// A variable that is set.
    Out,
}

impl Statements<'_, '_> {
    /// Reports values of a wrong type or rank, and specifiers that the statement has not.
    pub fn specifier_values(&mut self, io: &Io) {
        for &c in &io.controls {
            let checked = self.specifier_value(io.kind, c);
            self.passes(checked);
        }
    }

    fn specifier_value(&mut self, kind: IoKind, c: IoControl) -> Checked {
        let not_a_value = || Err(Diagnostic::error("T0641", c.span, "This is not a value of this specifier"));
        match (c.spec, c.value) {
            (IoSpec::Unit | IoSpec::Fmt, IoValue::Star) => Ok(()),
            (IoSpec::Fmt | IoSpec::Err | IoSpec::End | IoSpec::Eor, IoValue::Label(_)) => Ok(()),
            (IoSpec::Readonly | IoSpec::Nml, _) => Ok(()),
            (IoSpec::Fmt, IoValue::Expr(x)) if self.is_group(x) => Ok(()),
            (IoSpec::Unit, IoValue::Expr(x)) => self.unit_value(kind, x),
            (IoSpec::Fmt, IoValue::Expr(x)) => self.format_value(x),
            (_, IoValue::Expr(x)) => match specifier_of(kind, c.spec) {
                Some((_, Mode::Int)) => self.site().must_be_integer(x),
                Some((_, Mode::Str)) => {
                    let Some(t) = self.site().typing.of(x) else { return Ok(()) };
                    let site = self.site();
                    site.must_be_text(x, &t)?;
                    site.must_be_scalar(x, &t)
                }
                Some((spec, Mode::Out)) => self.site().must_be_variable_of(x, category_of(spec)),
                None => {
                    let message = "This specifier cannot stand in this statement";
                    Err(Diagnostic::error("T0641", c.span, message))
                }
            },
            _ => not_a_value(),
        }
    }

    /// UNIT=: a number, or a CHARACTER variable.
    fn unit_value(&mut self, kind: IoKind, x: ExprId) -> Checked {
        let Some(t) = self.site().typing.of(x) else { return Ok(()) };
        let site = self.site();
        if t.ty != Type::Char || t.structure.is_some() {
            site.must_be_scalar(x, &t)?;
            return site.must_be(x, &t, Category::Integer);
        }
        if matches!(kind, IoKind::Read | IoKind::Write) && site.is_place(x) {
            return Ok(());
        }
        Err(Diagnostic::error("T0642", site.ast.span(x), "An internal unit must be a CHARACTER variable"))
    }

    /// FMT=: a CHARACTER, a variable that a label is assigned to, or an array with the text of a format.
    fn format_value(&mut self, x: ExprId) -> Checked {
        let mut site = self.site();
        let Some(t) = site.typing.of(x) else { return Ok(()) };
        let is_array = t.rank() > 0 || site.typing.is_element(x);
        let fits = match t.structure {
            None if t.ty == Type::Char => true,
            None => site.is_place(x) && (is_array || Category::of(t.ty) == Category::Integer),
            Some(_) => false,
        };
        if fits {
            return Ok(());
        }
        Err(Diagnostic::error("T0643", site.ast.span(x), "A format must be CHARACTER, a label or *"))
    }
}

/// The category of a variable that a specifier defines.
pub fn category_of(spec: Spec) -> Category {
    match spec {
        Spec::Exist | Spec::Opened | Spec::Named | Spec::Pending => Category::Logical,
        Spec::Iostat
        | Spec::Id
        | Spec::Size
        | Spec::Number
        | Spec::Nextrec
        | Spec::Recl
        | Spec::Newunit
        | Spec::Pos
        | Spec::Iolength => Category::Integer,
        _ => Category::Character,
    }
}

/// The specifier and how its value is passed; in INQUIRE most are results.
pub fn specifier_of(kind: IoKind, spec: IoSpec) -> Option<(Spec, Mode)> {
    let asks = kind == IoKind::Inquire;
    let either = if asks { Mode::Out } else { Mode::Str };
    Some(match spec {
        IoSpec::Access => (Spec::Access, either),
        IoSpec::Action => (Spec::Action, either),
        IoSpec::Advance => (Spec::Advance, Mode::Str),
        IoSpec::Asynchronous => (Spec::Asynchronous, either),
        IoSpec::Blank => (Spec::Blank, either),
        IoSpec::Carriagecontrol => (Spec::CarriageControl, either),
        IoSpec::Convert => (Spec::Convert, either),
        IoSpec::Decimal => (Spec::Decimal, either),
        IoSpec::Delim => (Spec::Delim, either),
        IoSpec::Direct => (Spec::Direct, Mode::Out),
        IoSpec::Encoding => (Spec::Encoding, either),
        IoSpec::Exist => (Spec::Exist, Mode::Out),
        IoSpec::File => (Spec::File, Mode::Str),
        IoSpec::Form => (Spec::Form, either),
        IoSpec::Formatted => (Spec::Formatted, Mode::Out),
        IoSpec::Id if matches!(kind, IoKind::Read | IoKind::Write) => (Spec::Id, Mode::Out),
        IoSpec::Id => (Spec::Id, Mode::Int),
        IoSpec::Iolength => (Spec::Iolength, Mode::Out),
        IoSpec::Iomsg => (Spec::Iomsg, Mode::Out),
        IoSpec::Iostat => (Spec::Iostat, Mode::Out),
        IoSpec::Name => (Spec::Name, if asks { Mode::Out } else { Mode::Str }),
        IoSpec::Named => (Spec::Named, Mode::Out),
        IoSpec::Newunit => (Spec::Newunit, Mode::Out),
        IoSpec::Nextrec => (Spec::Nextrec, Mode::Out),
        IoSpec::Number => (Spec::Number, Mode::Out),
        IoSpec::Opened => (Spec::Opened, Mode::Out),
        IoSpec::Pad => (Spec::Pad, either),
        IoSpec::Pending => (Spec::Pending, Mode::Out),
        IoSpec::Pos => (Spec::Pos, if asks { Mode::Out } else { Mode::Int }),
        IoSpec::Position => (Spec::Position, either),
        IoSpec::Read => (Spec::ReadAllowed, Mode::Out),
        IoSpec::Readwrite => (Spec::ReadwriteAllowed, Mode::Out),
        IoSpec::Rec => (Spec::Rec, Mode::Int),
        IoSpec::Recl => (Spec::Recl, if asks { Mode::Out } else { Mode::Int }),
        IoSpec::Round => (Spec::Round, either),
        IoSpec::Sequential => (Spec::Sequential, Mode::Out),
        IoSpec::Share => (Spec::Share, either),
        IoSpec::Sign => (Spec::Sign, either),
        IoSpec::Size => (Spec::Size, Mode::Out),
        IoSpec::Status => (Spec::Status, Mode::Str),
        IoSpec::Stream => (Spec::Stream, Mode::Out),
        IoSpec::Unformatted => (Spec::Unformatted, Mode::Out),
        IoSpec::Write => (Spec::WriteAllowed, Mode::Out),
        _ => return None,
    })
}
