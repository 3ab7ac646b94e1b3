//! Features of a later standard that are known only when names have a meaning.

use crate::lower::source::Source;
use crate::sema::check::standard::{self, Feature, Standard};
use trueline_diag::Span;

impl Source<'_, '_> {
    /// Tells of a feature that is known only when names have a meaning.
    pub(crate) fn uses(&mut self, feature: Feature, span: Span, what: &str) {
        self.cx.decls.options.rules.note(feature, span, what, self.diags);
    }

    /// Tells of an intrinsic procedure.
    pub(crate) fn uses_intrinsic(&mut self, name: &str, span: Span) {
        let rules = self.cx.decls.options.rules;
        let any = rules.is_empty() || (rules.all_intrinsics && rules.standard > Standard::F77);
        if !any && let Some(feature) = standard::intrinsic(name) {
            self.uses(feature, span, &format!("'{name}'"));
        }
    }
}
