//! The verb behind inlining: statements of another unit come in.

use crate::edit::{Editor, Place};
use crate::head::Head;
use trueline_provenance::{ExpandKind, Serial, Stmt, Transform};

impl Editor<'_> {
    /// **Expand**, Lower: a statement of the called procedure stands at `at` as part of what the call is expanded
    /// into. It derives from the source statements it derives from there, not from the call; `blocks` is the number
    /// of its blocks. The procedure's statements now exist in copies, so they are tainted.
    pub fn expand_inlined(&mut self, call: Stmt, head: Head, origins: &[Serial], blocks: usize, at: Place) -> Stmt {
        let set = if crate::fault("inline_without_sets") { self.set(call) } else { self.set_of(origins) };
        let new = self.unit.new_stmt(head, set, blocks);
        self.attach(new, at);
        self.note_tally(head);
        self.taint_expanded(new);
        if !head.is_invisible() {
            let before = self.set(call);
            self.record(Transform::Expand(ExpandKind::Lower), new, Some(call), before, None);
        }
        new
    }
}
