//! The diagnostics of one compilation.

use crate::{Diagnostic, FileId, Severity, SourceMap};

/// At most this many messages are kept for one file; the others are only counted.
const CAP: usize = 100;

/// Collects the diagnostics of all phases; [`Diagnostics::finish`] gives them in the order of the source.
#[derive(Debug, Default)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    per_file: Vec<usize>,
    errors: usize,
    warnings: usize,
    suppressed: usize,
    policy: Policy,
    named: Vec<(String, Policy)>,
    most: Option<usize>,
}

/// The treatment of warnings.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Policy {
    /// They are reported.
    #[default]
    Tell,
    /// They are dropped.
    Drop,
    /// They are errors.
    Refuse,
}

impl Diagnostics {
    /// None yet.
    pub fn new() -> Self {
        Diagnostics::default()
    }

    /// None yet, under the same rules.
    pub fn like(other: &Diagnostics) -> Self {
        Diagnostics { policy: other.policy, named: other.named.clone(), most: other.most, ..Diagnostics::default() }
    }

    /// Sets the treatment of warnings from now on.
    pub fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
    }

    /// Sets the treatment of the warnings of some names, which goes before that of all; the last entry of a name counts.
    pub fn set_named(&mut self, named: Vec<(String, Policy)>) {
        self.named = named;
    }

    /// The treatment of a warning: its name stands at the end of its message.
    fn policy_of(&self, message: &str) -> Policy {
        let name = message.rsplit_once("[-W").and_then(|(_, rest)| rest.strip_suffix(']'));
        let named = name.and_then(|name| self.named.iter().rev().find(|(known, _)| known == name));
        match named {
            Some((_, policy)) if self.policy != Policy::Drop => *policy,
            _ => self.policy,
        }
    }

    /// Sets the number of errors after which the others are only counted: `-fmax-errors=`.
    pub fn set_most(&mut self, most: Option<usize>) {
        self.most = most;
    }

    /// Adds one. Beyond 100 for one file it is counted and forgotten.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Warning {
            match self.policy_of(&diagnostic.message) {
                Policy::Tell => {}
                Policy::Drop => return,
                Policy::Refuse => diagnostic.severity = Severity::Error,
            }
        }
        match diagnostic.severity {
            Severity::Error => {
                self.errors += 1;
                if self.most.is_some_and(|most| self.errors > most) {
                    self.suppressed += 1;
                    return;
                }
            }
            Severity::Warning => self.warnings += 1,
            Severity::Note => {}
        }
        if let Some(primary) = &diagnostic.primary {
            let at = primary.span.file.index();
            if self.per_file.len() <= at {
                self.per_file.resize(at + 1, 0);
            }
            if self.per_file[at] >= CAP {
                self.suppressed += 1;
                return;
            }
            self.per_file[at] += 1;
        }
        self.kept.push(diagnostic);
    }

    /// True when a further message for `file` would be suppressed: expensive phases may stop early.
    pub fn is_full(&self, file: FileId) -> bool {
        self.per_file.get(file.index()).is_some_and(|&count| count >= CAP)
    }

    /// True when there is an error, kept or suppressed.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The number of errors, suppressed ones included.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// The number of warnings, suppressed ones included.
    pub fn warnings(&self) -> usize {
        self.warnings
    }

    /// The number of messages that were counted and forgotten.
    pub fn suppressed(&self) -> usize {
        self.suppressed
    }

    /// The messages kept, in the order of arrival.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.kept.iter()
    }

    /// The same, to be changed: a later phase may know more of a reason.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.kept.iter_mut()
    }

    /// Moves everything of `other` in here.
    pub fn append(&mut self, other: Diagnostics) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.suppressed += other.suppressed;
        for diagnostic in other.kept {
            // The counts of severities above already contain it.
            match diagnostic.severity {
                Severity::Error => self.errors -= 1,
                Severity::Warning => self.warnings -= 1,
                Severity::Note => {}
            }
            self.push(diagnostic);
        }
    }

    /// All of them: those without a place first, then by file, position and severity, without repetitions. A last line says
    /// how many were suppressed. An included file stands where it was loaded.
    pub fn finish(self, _map: &SourceMap) -> Vec<Diagnostic> {
        let mut all = self.kept;
        all.sort_by_key(|d| (d.primary.as_ref().map(|label| (label.span.file, label.span.start)), d.severity));
        let mut out: Vec<Diagnostic> = Vec::with_capacity(all.len());
        for diagnostic in all {
            let start = out.len().saturating_sub(8);
            if !out[start..].contains(&diagnostic) {
                out.push(diagnostic);
            }
        }
        if self.suppressed > 0 {
            let message = format!("{} further messages suppressed", self.suppressed);
            out.push(Diagnostic { severity: Severity::Note, ..Diagnostic::global_error("T0001", message) });
        }
        out
    }
}
