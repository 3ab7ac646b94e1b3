//! Rules for the places of statements.

use trueline_diag::{Diagnostic, Span};

use super::Nest;
use super::frame::{Frame, Order, Phase, What};
use crate::ast::*;
use crate::builder::Builder;
use crate::parsed::Parsed;

/// The part of a unit that a statement belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Specification,
    Execution,
    /// FORMAT, DATA, ENTRY and other statements that people put between executable ones.
    Anywhere,
}

/// The place that a statement belongs to.
pub(super) fn place_of(kind: &StmtKind) -> Place {
    match kind {
        StmtKind::Format(_) | StmtKind::Data(_) | StmtKind::Entry(_) | StmtKind::Namelist(_) => Place::Anywhere,
        StmtKind::TypeDecl(_)
        | StmtKind::Attr { .. }
        | StmtKind::CrayPointers(_)
        | StmtKind::Records(_)
        | StmtKind::Overlay(_)
        | StmtKind::Access { .. }
        | StmtKind::Save(_)
        | StmtKind::BindStmt { .. }
        | StmtKind::Parameter(_)
        | StmtKind::Common(_)
        | StmtKind::Equivalence(_)
        | StmtKind::ImplicitNone { .. }
        | StmtKind::Implicit(_)
        | StmtKind::Use(_)
        | StmtKind::Import(_)
        | StmtKind::ModuleProcedure { .. }
        | StmtKind::ProcedureDecl(_)
        | StmtKind::DerivedType(_)
        | StmtKind::Sequence
        | StmtKind::Interface(_)
        | StmtKind::Enum(_) => Place::Specification,
        _ => Place::Execution,
    }
}

/// True of a statement that can stand after the parenthesis of a logical IF.
pub(super) fn is_action(kind: &StmtKind) -> bool {
    place_of(kind) == Place::Execution && !matches!(kind, StmtKind::Directive(_))
}

/// True of a statement that can only stand in an execution part.
fn is_executable(parsed: &Parsed) -> bool {
    match parsed {
        Parsed::Stmt(kind) => place_of(kind) == Place::Execution,
        Parsed::Enumerators(_) | Parsed::Enum | Parsed::Interface(..) | Parsed::TypeDef(..) | Parsed::Structure(..) => {
            false
        }
        _ => true,
    }
}

/// True of a statement that an interface body must not have (Fortran 2008, C1201).
fn has_no_place_in_interface(parsed: &Parsed) -> bool {
    is_executable(parsed)
        || matches!(parsed, Parsed::Stmt(StmtKind::Data(_) | StmtKind::Format(_) | StmtKind::Entry(_)))
}

/// `f(x, y) = …`: a statement function, unless `f` is an array.
pub(super) fn may_be_statement_function(b: &Builder, kind: &StmtKind) -> bool {
    let StmtKind::Assign { target, .. } = kind else { return false };
    let ExprKind::Call { base, args } = b.ast.exprs[*target].kind else { return false };
    let is_name = |e: ExprId| matches!(b.ast.exprs[e].kind, ExprKind::Name(_));
    is_name(base)
        && b.ast
            .args(args)
            .iter()
            .all(|arg| arg.keyword.is_none() && matches!(arg.value, ArgValue::Expr(e) if is_name(e)))
}

impl Nest {
    /// Makes sure that there is a unit for a statement; a main program may lack its PROGRAM. False when the statement has no
    /// place at all.
    pub(super) fn ensure_place(&mut self, b: &mut Builder, span: Span, parsed: &Parsed) -> bool {
        let unended = matches!(
            self.frames.last().map(|frame| &frame.what),
            Some(What::Interface { .. } | What::Type { ended: false, .. } | What::Enum { .. })
        );
        if unended && is_executable(parsed) {
            // Rather a missing END than an executable statement in a definition.
            let scope = self.scopes.last().copied().unwrap_or(0);
            self.close_above(b, scope, span, "this statement");
            return self.ensure_place(b, span, parsed);
        }
        let in_body = matches!(self.frames[..], [.., Frame { what: What::Interface { .. }, .. }, _]);
        let Some(frame) = self.frames.last_mut() else {
            self.open_main(b, span);
            return true;
        };
        match &mut frame.what {
            What::Unit(unit) if in_body && has_no_place_in_interface(parsed) => {
                if !std::mem::replace(&mut unit.contained_reported, true) {
                    let message = "Only declarations can stand in the body of an interface";
                    let d = Diagnostic::error("T0156", span, message).because(frame.opener, "in this procedure");
                    b.diags.push(d.help("END it here: the body of an interface tells what the arguments are"));
                }
                false
            }
            What::Unit(unit) if unit.phase == Phase::Contains => {
                if std::mem::replace(&mut unit.contained_reported, true) {
                    return false;
                }
                let contains = unit.contains.map(|stmt| b.ast.stmts[stmt].span);
                let mut diagnostic =
                    Diagnostic::error("T0156", span, "Only procedures can stand after CONTAINS, and this is none");
                if let Some(contains) = contains {
                    diagnostic = diagnostic.because(contains, "after this CONTAINS");
                }
                b.diags.push(diagnostic);
                false
            }
            What::Interface { .. } if !matches!(parsed, Parsed::Stmt(StmtKind::ModuleProcedure { .. })) => {
                let diagnostic =
                    Diagnostic::error("T0156", span, "Only procedure headers can stand in an interface block")
                        .because(frame.opener, "in this INTERFACE");
                b.diags.push(diagnostic);
                false
            }
            What::Type { ended: true, .. } => false,
            What::Type { fields: Some(_), .. }
                if matches!(
                    parsed,
                    Parsed::Structure(..) | Parsed::Stmt(StmtKind::Records(_) | StmtKind::Overlay(_))
                ) =>
            {
                true
            }
            _ if matches!(parsed, Parsed::Stmt(StmtKind::Overlay(_))) => {
                b.error("T0156", span, "UNION and MAP can only stand in a STRUCTURE");
                false
            }
            What::Type { .. }
                if !matches!(
                    parsed,
                    Parsed::Stmt(
                        StmtKind::TypeDecl(_)
                            | StmtKind::Access { .. }
                            | StmtKind::Sequence
                            | StmtKind::ProcedureDecl(_)
                    )
                ) =>
            {
                let diagnostic = Diagnostic::error("T0156", span, "Only components can stand in a derived type")
                    .because(frame.opener, "in this TYPE");
                b.diags.push(diagnostic);
                false
            }
            What::Enum { .. } if !matches!(parsed, Parsed::Enumerators(_)) => {
                let diagnostic = Diagnostic::error("T0156", span, "Only ENUMERATOR can stand in an enumeration")
                    .because(frame.opener, "in this ENUM");
                b.diags.push(diagnostic);
                false
            }
            _ => true,
        }
    }

    /// Checks a statement against the construct it stands in. False when it has no place in the unit at all.
    pub(super) fn check_place(&mut self, b: &mut Builder, kind: &StmtKind, span: Span) -> bool {
        let Some(frame) = self.frames.last_mut() else { return true };
        let executable = place_of(kind) == Place::Execution;
        let message = match &mut frame.what {
            What::Select(_) if frame.head.is_none() && executable => "A statement before the first CASE",
            What::Where(_)
                if !matches!(
                    kind,
                    StmtKind::Assign { .. } | StmtKind::WhereStmt { .. } | StmtKind::Elsewhere { mask: Some(_) }
                ) =>
            {
                "Only assignments and WHERE can stand in a WHERE construct"
            }
            What::Forall(_)
                if !matches!(
                    kind,
                    StmtKind::Assign { .. }
                        | StmtKind::PointerAssign { .. }
                        | StmtKind::WhereStmt { .. }
                        | StmtKind::ForallStmt { .. }
                        | StmtKind::Elsewhere { .. }
                ) =>
            {
                "Only assignments, WHERE and FORALL can stand in a FORALL construct"
            }
            What::Unit(unit) if executable && matches!(unit.kind, UnitKind::Module | UnitKind::BlockData) => {
                if std::mem::replace(&mut unit.executable_reported, true) {
                    return false;
                }
                let word = if unit.kind == UnitKind::Module { "MODULE" } else { "BLOCK DATA" };
                let message = format!("Executable statement in a {word}");
                let diagnostic = Diagnostic::error("T0156", span, message).because(frame.opener, "which begins here");
                b.diags.push(diagnostic);
                return false;
            }
            _ => return true,
        };
        b.diags
            .push(Diagnostic::error("T0156", span, message).because(frame.opener, "of the construct that begins here"));
        true
    }

    /// Notes that the execution part has begun.
    pub(super) fn executable(&mut self, _b: &mut Builder, span: Span) {
        let Some(&scope) = self.scopes.last() else { return };
        match &mut self.frames[scope].what {
            What::Unit(unit) if unit.phase == Phase::Spec => {
                unit.phase = Phase::Exec;
                unit.first_executable = Some(span);
            }
            What::Block { phase, .. } => *phase = Phase::Exec,
            _ => {}
        }
    }

    /// Specifications come in an order: USE, IMPORT, IMPLICIT, all others.
    pub(super) fn check_order(&mut self, b: &mut Builder, kind: &StmtKind, span: Span) {
        let (order, word, after) = match kind {
            StmtKind::Use(_) => (Order::Use, "USE", "all other specifications"),
            StmtKind::Import(_) => (Order::Import, "IMPORT", "IMPLICIT and declarations"),
            StmtKind::ImplicitNone { .. } | StmtKind::Implicit(_) => (Order::Implicit, "IMPLICIT", "declarations"),
            // They may stand among IMPLICIT statements.
            StmtKind::Parameter(_) => return,
            kind if place_of(kind) == Place::Specification => (Order::Declaration, "", ""),
            _ => return,
        };
        let Some(What::Unit(unit)) = self.frames.last_mut().map(|frame| &mut frame.what) else { return };
        if unit.phase != Phase::Spec {
            return;
        }
        if order < unit.order {
            let mut diagnostic = Diagnostic::error("T0157", span, format!("{word} must come before {after}"));
            if let Some(&last) = unit.spec.last() {
                diagnostic = diagnostic.because(b.ast.stmts[last].span, "this stands before it");
            }
            b.diags.push(diagnostic);
        }
        unit.order = unit.order.max(order);
    }

    /// A specification statement: reported when the execution part has begun.
    pub(super) fn specification(&mut self, b: &mut Builder, span: Span) {
        if matches!(self.frames.last().map(|frame| &frame.what), Some(What::Interface { .. } | What::Type { .. })) {
            return;
        }
        let Some(&scope) = self.scopes.last() else { return };
        let first = match &self.frames[scope].what {
            What::Unit(unit) if unit.phase == Phase::Exec => unit.first_executable,
            What::Block { phase: Phase::Exec, .. } => Some(self.frames[scope].opener),
            _ if scope + 1 != self.frames.len() => Some(self.frames[self.frames.len() - 1].opener),
            _ => return,
        };
        let mut diagnostic = Diagnostic::error("T0157", span, "Specification statement after an executable statement");
        if let Some(first) = first {
            diagnostic = diagnostic.because(first, "the execution part begins here");
        }
        b.diags.push(diagnostic.help("Move it up to the other specifications"));
    }

    /// True while no executable statement has been read in the unit.
    pub fn in_specification(&self) -> bool {
        let Some(&scope) = self.scopes.last() else { return false };
        scope + 1 == self.frames.len()
            && matches!(&self.frames[scope].what, What::Unit(unit) if unit.phase == Phase::Spec)
    }

    /// Adds a statement to the block at hand.
    pub(super) fn push_executable(&mut self, stmt: StmtId) {
        if let Some(frame) = self.frames.last_mut() {
            frame.stmts.push(stmt);
        }
    }

    /// Adds a statement to the specification part at hand, or to the definition it stands in.
    pub(super) fn push_spec(&mut self, stmt: StmtId) {
        if let Some(frame) = self.frames.last_mut()
            && matches!(frame.what, What::Interface { .. } | What::Type { .. } | What::Enum { .. })
        {
            return frame.stmts.push(stmt);
        }
        let Some(&scope) = self.scopes.last() else { return };
        match &mut self.frames[scope].what {
            What::Unit(unit) => unit.spec.push(stmt),
            What::Block { spec, .. } => spec.push(stmt),
            _ => {}
        }
    }

    /// Adds a statement to whichever part is being read.
    pub(super) fn push_in_order(&mut self, stmt: StmtId) {
        if self.in_specification() { self.push_spec(stmt) } else { self.push_executable(stmt) }
    }
}
