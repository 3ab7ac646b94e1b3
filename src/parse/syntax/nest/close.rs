//! Ends of constructs and definitions.

use trueline_diag::{Diagnostic, Span};

use super::Nest;
use super::frame::{Frame, What};
use crate::ast::*;
use crate::builder::Builder;
use crate::parsed::{EndKind, Parsed};

/// The most levels of the stack that an END looks through. Further down it would rather be a stray; and a file of nothing
/// but mistakes stays linear.
const REACH: usize = 64;

impl Nest {
    /// The END of anything.
    pub(super) fn end(
        &mut self,
        b: &mut Builder,
        kind: EndKind,
        name: Option<Ident>,
        span: Span,
        label: Option<LabelRef>,
    ) {
        if matches!(kind, EndKind::Unit | EndKind::Header(_) | EndKind::Procedure) {
            return self.end_unit(b, kind, name, span, label);
        }
        let overlay = match kind {
            EndKind::Union => Some(Overlay::EndUnion),
            EndKind::Map => Some(Overlay::EndMap),
            _ => None,
        };
        if let Some(overlay) = overlay {
            let parsed = Parsed::Stmt(StmtKind::Overlay(overlay));
            return self.place(b, parsed, span, span, label, None);
        }
        let Some(index) = self.find_frame(kind) else {
            let opener = kind.text().trim_start_matches("END ");
            let diagnostic = Diagnostic::error("T0154", span, format!("{} without {opener}", kind.text()))
                .label(format!("no {opener} is open here"));
            b.diags.push(diagnostic);
            return;
        };
        self.close_above(b, index, span, kind.text());
        let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::End { name }, span, label });
        let Some(frame) = self.frames.last() else { return };
        match &frame.what {
            What::Type { name: open, .. } => {
                if let Some(end) = name.filter(|end| end.name != open.name && !frame.discarded) {
                    let (open_name, end_name) = (b.word(open.name), b.word(end.name));
                    let message = format!("Expected the name '{open_name}' after END TYPE, found '{end_name}'");
                    b.diags.push(Diagnostic::error("T0155", end.span, message).because(open.span, "named here"));
                }
            }
            What::Interface { .. } | What::Enum { .. } | What::Broken(_) => {}
            What::Do { target: Some(target), .. } => {
                frame.check_end_name(b, name, kind.text(), true);
                if label.is_none_or(|label| label.label != target.label) {
                    let message = format!("This END DO needs the label {}", target.label);
                    b.diags.push(Diagnostic::error("T0158", span, message).because(target.span, "asked for here"));
                }
            }
            _ => frame.check_end_name(b, name, kind.text(), true),
        }
        let terminal = match frame.what {
            What::Do { target: Some(_), .. } => Some(stmt),
            _ => None,
        };
        if let Some(frame) = self.frames.pop() {
            self.forget_scope();
            finish(b, frame, Some(stmt), terminal);
        }
        self.end_labelled(b, stmt, label);
    }

    /// An error if END INTERFACE names another generic than the INTERFACE does.
    pub(super) fn check_end_interface(&self, b: &mut Builder, end: GenericSpec, span: Span) {
        let interfaces = self.frames.iter().rev().filter(|frame| !frame.discarded);
        let open = interfaces.filter_map(|frame| match &frame.what {
            What::Interface { generic, .. } => Some((*generic, frame.opener)),
            _ => None,
        });
        let Some((open, opener)) = open.take(1).next() else { return };
        let same = match (open, end) {
            (Some(GenericSpec::Name(a)), GenericSpec::Name(b)) => a.name == b.name,
            (Some(GenericSpec::Operator(a, _)), GenericSpec::Operator(b, _)) => a == b,
            (Some(GenericSpec::Assignment(_)), GenericSpec::Assignment(_)) => true,
            _ => false,
        };
        if same {
            return;
        }
        let message = match open {
            None => "This INTERFACE has no name, but its END has one".to_owned(),
            Some(GenericSpec::Name(name)) => format!("Expected the name '{}' after END INTERFACE", b.word(name.name)),
            Some(_) => "END INTERFACE names something else than INTERFACE".to_owned(),
        };
        b.diags.push(Diagnostic::error("T0155", span, message).because(opener, "the INTERFACE"));
    }

    /// Ends all DO loops whose terminal statement has this label.
    pub(super) fn end_labelled(&mut self, b: &mut Builder, stmt: StmtId, label: Option<LabelRef>) {
        let Some(label) = label else { return };
        while let Some(frame) = self.frames.last() {
            match &frame.what {
                What::Do { target: Some(target), .. } if target.label == label.label => {}
                What::Do { .. } | What::Unit(_) => return,
                // A terminal statement inside an IF that began inside the loop: the IF is not closed.
                _ => match self.labelled_below(label.label) {
                    Some(index) => self.close_above(b, index, label.span, "the terminal statement of the DO"),
                    None => return,
                },
            }
            if let Some(frame) = self.frames.pop() {
                check_terminal(b, &frame, stmt, label);
                finish(b, frame, None, Some(stmt));
            }
        }
    }

    /// The DO below constructs that are not loops whose terminal statement has the label.
    fn labelled_below(&self, label: u32) -> Option<usize> {
        let low = self.frames.len().saturating_sub(REACH);
        for index in (low..self.frames.len()).rev() {
            match &self.frames[index].what {
                What::Do { target: Some(target), .. } if target.label == label => return Some(index),
                What::Do { .. } | What::Unit(_) | What::Interface { .. } => return None,
                _ => {}
            }
        }
        None
    }

    /// The innermost frame that an END of this kind can close, within the unit at hand.
    pub(super) fn find_frame(&self, kind: EndKind) -> Option<usize> {
        let low = self.frames.len().saturating_sub(REACH);
        for index in (low..self.frames.len()).rev() {
            let what = &self.frames[index].what;
            if what.end() == kind {
                return Some(index);
            }
            if matches!(what, What::Unit(_)) {
                return None;
            }
        }
        None
    }

    /// Closes everything above a frame and reports that it was not closed.
    pub(super) fn close_above(&mut self, b: &mut Builder, index: usize, at: Span, word: &str) {
        while self.frames.len() > index + 1 {
            let Some(frame) = self.frames.pop() else { return };
            self.forget_scope();
            report_unclosed(b, &frame, at, word);
            finish(b, frame, None, None);
        }
    }

    pub(super) fn forget_scope(&mut self) {
        if self.scopes.last().is_some_and(|&scope| scope >= self.frames.len()) {
            self.scopes.pop();
        }
    }
}

/// A statement that always goes elsewhere cannot end a loop.
fn check_terminal(b: &mut Builder, frame: &Frame, stmt: StmtId, label: LabelRef) {
    let word = match &b.ast.stmts[stmt].kind {
        StmtKind::Goto(_) | StmtKind::AssignedGoto(_) => "GO TO",
        StmtKind::Return(_) => "RETURN",
        StmtKind::Stop { .. } => "STOP",
        StmtKind::Exit(_) => "EXIT",
        StmtKind::Cycle(_) => "CYCLE",
        _ => return,
    };
    let message = format!("{word} cannot be the last statement of a DO loop");
    let diagnostic = Diagnostic::error("T0158", b.ast.stmts[stmt].span, message)
        .because(frame.opener, "this loop ends there")
        .help(format!("Give the label {} to a CONTINUE after it", label.label));
    b.diags.push(diagnostic);
}

/// Reports a construct that is still open at `at`.
pub(super) fn report_unclosed(b: &mut Builder, frame: &Frame, at: Span, word: &str) {
    let message = match &frame.what {
        What::Do { target: Some(target), .. } => {
            let message = format!("No statement with the label {} follows that could end this DO", target.label);
            let diagnostic = Diagnostic::error("T0159", target.span, message);
            b.diags.push(diagnostic.because(at, "the loop would have to end before this"));
            return;
        }
        What::Broken(_) => return,
        what => format!("Missing {} before {word}", what.end().text()),
    };
    b.diags.push(Diagnostic::error("T0159", at, message).because(frame.opener, "opened here and not closed"));
}

/// Fills in the statement of a construct or definition that has ended.
pub(super) fn finish(b: &mut Builder, mut frame: Frame, end: Option<StmtId>, terminal: Option<StmtId>) {
    let Some(stmt) = frame.stmt else { return };
    let items = match frame.what {
        What::Interface { .. } | What::Type { .. } | What::Enum { .. } => std::mem::take(&mut frame.stmts),
        _ => Vec::new(),
    };
    frame.finish_block(b);
    if frame.discarded {
        return;
    }
    let Frame { what, name, first, arms, .. } = frame;
    let body = match first {
        Some(first) => first,
        None => b.ast.blocks.push(Vec::new()),
    };
    b.ast.stmts[stmt].kind = match what {
        What::If(cond) => StmtKind::If(Box::new(IfConstruct { name, cond, then: body, arms, end })),
        What::Select(selector) => StmtKind::Select(Box::new(SelectConstruct { name, selector, arms, end })),
        What::Do { target, control } => {
            StmtKind::Do(Box::new(DoConstruct { name, label: target, control, body, end, terminal }))
        }
        What::Where(mask) => StmtKind::Where(Box::new(WhereConstruct { name, mask, body, arms, end })),
        What::Forall(header) => StmtKind::Forall(Box::new(ForallConstruct { name, header: *header, body, end })),
        What::Associate(associations) => {
            StmtKind::Associate(Box::new(AssociateConstruct { name, associations, body, end }))
        }
        What::Block { spec, .. } => StmtKind::Block(Box::new(BlockConstruct { name, spec, body, end })),
        What::Interface { generic, is_abstract, bodies } => {
            StmtKind::Interface(Box::new(Interface { generic, is_abstract, bodies, procedures: items, end }))
        }
        What::Type { name, attrs, fields, .. } => {
            StmtKind::DerivedType(Box::new(DerivedType { name, attrs, items, fields, end }))
        }
        What::Enum { items } => StmtKind::Enum(Box::new(EnumDef { items, end })),
        What::Unit(_) | What::Broken(_) => return,
    };
}
