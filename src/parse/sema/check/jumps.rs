//! Labels that are defined twice, jumps that cannot be made, and formats that are none.

use crate::labels::Labels;
use trueline_diag::{Diagnostic, Diagnostics};
use trueline_syntax::ast::{Ast, BlockId, Io, IoSpec, IoValue, LabelRef, StmtId, StmtKind};

/// Reports the wrong labels and jumps of a procedure.
pub fn check(ast: &Ast, labels: &Labels, diags: &mut Diagnostics) {
    for &(label, span) in &labels.repeated {
        let d = Diagnostic::error("T0610", span, format!("The label {label} is defined twice"));
        diags.push(d.because(labels.all[&label].span, "first defined here"));
    }
    for &(to, s, block) in &labels.wanted {
        if let Some(d) = wrong_jump(ast, labels, to, s, block) {
            diags.push(d);
        }
    }
}

/// The fault of a jump from `s`, which stands in `block`, to a label.
fn wrong_jump(ast: &Ast, labels: &Labels, to: LabelRef, s: StmtId, block: BlockId) -> Option<Diagnostic> {
    // ASSIGN may name any label; an assigned GOTO jumps to labels that were assigned, whatever its list says.
    if matches!(ast.stmt(s).kind, StmtKind::AssignLabel { .. } | StmtKind::AssignedGoto(_)) {
        return None;
    }
    let Some(label) = labels.all.get(&to.label) else { return Some(undefined(to)) };
    let d = if !label.executable {
        let message = format!("The statement with label {} cannot be jumped to", to.label);
        Diagnostic::error("T0612", to.span, message)
    } else if labels.blocks_around(block).all(|b| b != labels.block_of(label)) {
        Diagnostic::error("T0613", to.span, format!("The jump to label {} enters a block", to.label))
    } else {
        return None;
    };
    Some(d.because(label.span, "defined here"))
}

fn undefined(to: LabelRef) -> Diagnostic {
    Diagnostic::error("T0611", to.span, format!("The label {} is not defined", to.label))
}

/// Reports labels after FMT= that are not those of a FORMAT.
pub fn check_formats(ast: &Ast, labels: &Labels, io: &Io, diags: &mut Diagnostics) {
    for c in &io.controls {
        let (IoSpec::Fmt, IoValue::Label(l)) = (c.spec, c.value) else { continue };
        let Some(label) = labels.all.get(&l.label) else {
            diags.push(undefined(l));
            continue;
        };
        if !matches!(ast.stmt(label.stmt).kind, StmtKind::Format(_)) {
            let message = format!("The label {} is not that of a FORMAT", l.label);
            let d = Diagnostic::error("T0643", l.span, message);
            diags.push(d.because(ast.stmt(label.stmt).span, "defined here"));
        }
    }
}
