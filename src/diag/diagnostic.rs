//! One message to the user.

use crate::Span;

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// No code is made.
    Error,
    /// Probably a mistake, though right Fortran.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// The word that is printed.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A marked piece of source with a few words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The text beside the mark; may be empty for the primary label.
    pub text: String,
}

/// A message: the mistake, its place, the reason, and a remedy.
///
/// The message is one sentence, starts with a capital, has no full stop, Fortran keywords in upper case and program
/// names in single quotes. The primary label marks the mistake, the secondary labels the reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The stable code: `T` and four digits.
    pub code: &'static str,
    /// The sentence.
    pub message: String,
    /// The place that is wrong; absent only when there is no source at all (a missing file).
    pub primary: Option<Label>,
    /// The places that say why.
    pub secondary: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// A remedy.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Error, code, Some(span), message.into())
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Warning, code, Some(span), message.into())
    }

    /// An error that has no place in any source.
    pub fn global_error(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Error, code, None, message.into())
    }

    /// A warning that has no place in any source.
    pub fn global_warning(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Warning, code, None, message.into())
    }

    fn new(severity: Severity, code: &'static str, span: Option<Span>, message: String) -> Self {
        let primary = span.map(|span| Label { span, text: String::new() });
        Diagnostic { severity, code, message, primary, secondary: Vec::new(), notes: Vec::new(), help: None }
    }

    /// With words at the primary place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// With a second place that says why.
    pub fn because(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// With a further fact.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds a remedy.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
