//! Program units: how they begin and end.

use crate::limits::limits;
use trueline_diag::{Diagnostic, Span};

use super::Nest;
use super::close::{finish, report_unclosed};
use super::frame::{Frame, Order, Phase, UnitFrame, What};
use crate::ast::*;
use crate::builder::Builder;
use crate::parsed::{EndKind, Header};

impl Nest {
    /// The header of a unit.
    pub(super) fn open_unit(&mut self, b: &mut Builder, header: Header, span: Span, label: Option<LabelRef>) {
        let in_interface = matches!(self.frames.last().map(|frame| &frame.what), Some(What::Interface { .. }));
        let is_procedure = matches!(header.kind, UnitKind::Subroutine | UnitKind::Function);
        if !in_interface {
            self.make_room(b, is_procedure, span);
        } else if !is_procedure {
            b.error("T0156", span, "Only SUBROUTINE and FUNCTION can stand in an interface block");
            return;
        }
        if self.frames.len() > limits().constructs {
            if !std::mem::replace(&mut self.depth_reported, true) {
                b.error("T0153", span, format!("Program units nested more than {} levels deep", limits().constructs));
            }
            return;
        }
        let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::Header, span, label });
        self.push_unit(b, header, Some(stmt), span);
    }

    /// A main program without PROGRAM.
    pub(super) fn open_main(&mut self, b: &mut Builder, span: Span) {
        let header = Header {
            kind: UnitKind::Program,
            name: None,
            prefix: Prefix::default(),
            params: Vec::new(),
            result: None,
            bind: None,
        };
        self.push_unit(b, header, None, span);
    }

    fn push_unit(&mut self, b: &mut Builder, header: Header, stmt: Option<StmtId>, span: Span) {
        self.any_unit = true;
        let host = self.frames.iter().rev().find_map(|frame| match &frame.what {
            What::Unit(unit) => Some(unit.id),
            _ => None,
        });
        let body = b.ast.blocks.push(Vec::new());
        let id = b.ast.units.push(Unit {
            kind: header.kind,
            name: header.name,
            header: stmt,
            prefix: Prefix { extrinsic: b.extrinsic.take(), ..header.prefix },
            params: header.params,
            result: header.result,
            bind: header.bind,
            spec: Vec::new(),
            body,
            contains: None,
            contained: Vec::new(),
            end: None,
            host,
            span,
        });
        match self.frames.last_mut().map(|frame| &mut frame.what) {
            None => b.ast.program.push(id),
            Some(What::Interface { bodies, .. }) => bodies.push(id),
            Some(_) => {
                if let Some(host) = host {
                    b.ast.units[host].contained.push(id);
                }
            }
        }
        let unit = UnitFrame {
            id,
            kind: header.kind,
            spec: std::mem::take(&mut self.pending),
            phase: Phase::Spec,
            order: Order::Use,
            first_executable: None,
            contains: None,
            executable_reported: false,
            contained_reported: false,
        };
        let what = What::Unit(unit);
        let name = header.name;
        self.push(Frame {
            what,
            stmt,
            opener: span,
            name,
            stmts: Vec::new(),
            head: None,
            first: None,
            arms: Vec::new(),
            last_arm: None,
            discarded: false,
            loops: 0,
        });
        self.scopes.push(self.frames.len() - 1);
    }

    /// CONTAINS
    pub(super) fn contains(&mut self, b: &mut Builder, span: Span, label: Option<LabelRef>) {
        if let Some(Frame { what: What::Type { ended, .. }, opener, .. }) = self.frames.last_mut() {
            *ended = true;
            let diagnostic = Diagnostic::error("T0160", span, "Type-bound procedures are not supported")
                .label("a feature of Fortran 2003")
                .because(*opener, "in this derived type");
            b.diags.push(diagnostic);
            return;
        }
        if self.frames.is_empty() {
            self.open_main(b, span);
        }
        let Some(&scope) = self.scopes.last() else { return };
        if !matches!(self.frames[scope].what, What::Unit(_)) {
            b.error("T0156", span, "CONTAINS inside a construct");
            return;
        }
        self.close_above(b, scope, span, "CONTAINS");
        let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::Contains, span, label });
        let opener = self.frames[scope].opener;
        let host_is_internal = self.frames[..scope].iter().rev().find_map(|frame| match &frame.what {
            What::Unit(unit) => Some(unit.kind != UnitKind::Module),
            _ => None,
        });
        if let What::Unit(unit) = &mut self.frames[scope].what {
            if let Some(first) = unit.contains.map(|stmt| b.ast.stmts[stmt].span) {
                b.diags.push(Diagnostic::error("T0156", span, "A second CONTAINS").because(first, "the first one"));
            } else if host_is_internal == Some(true) || unit.kind == UnitKind::BlockData {
                let message = "An internal procedure cannot contain procedures";
                b.diags.push(Diagnostic::error("T0156", span, message).because(opener, "which begins here"));
            }
            unit.contains = Some(stmt);
            unit.phase = Phase::Contains;
        }
    }

    /// END, END PROGRAM and the like.
    pub(super) fn end_unit(
        &mut self,
        b: &mut Builder,
        kind: EndKind,
        name: Option<Ident>,
        span: Span,
        label: Option<LabelRef>,
    ) {
        if self.frames.is_empty() {
            // A main program may consist of an END alone.
            if kind == EndKind::Unit || kind == EndKind::Header(UnitKind::Program) {
                self.open_main(b, span);
            } else {
                let diagnostic = Diagnostic::error("T0154", span, format!("{} without a program unit", kind.text()))
                    .label("no program unit is open here");
                b.diags.push(diagnostic);
                return;
            }
        }
        let Some(scope) = self.unit_scope() else { return };
        self.close_above(b, scope, span, kind.text());
        let label = self.land_at_end(b, span, label);
        let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::End { name }, span, label });
        let Some(frame) = self.frames.last() else { return };
        if let EndKind::Header(end) = kind
            && let What::Unit(unit) = &frame.what
            && unit.kind != end
        {
            let right = EndKind::Header(unit.kind).text();
            let message = format!("{} where {right} was expected", kind.text());
            b.diags.push(Diagnostic::error("T0155", span, message).because(frame.opener, "this is what it ends"));
        } else if let (Some(open), Some(end)) = (frame.name, name)
            && open.name != end.name
        {
            let (open_name, end_name) = (b.word(open.name), b.word(end.name));
            let message = format!("Expected the name '{open_name}' after {}, found '{end_name}'", kind.text());
            b.diags.push(Diagnostic::error("T0155", end.span, message).because(open.span, "named here"));
        }
        self.close_unit(b, Some(stmt), span);
    }

    /// The END of a procedure is where a jump may lead (X3.9-1978, 11.14): its label stands on a CONTINUE before it.
    fn land_at_end(&mut self, b: &mut Builder, span: Span, label: Option<LabelRef>) -> Option<LabelRef> {
        let Some(frame) = self.frames.last_mut() else { return label };
        match &frame.what {
            What::Unit(unit)
                if label.is_some()
                    && matches!(unit.kind, UnitKind::Program | UnitKind::Subroutine | UnitKind::Function) =>
            {
                let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::Continue, span, label });
                frame.stmts.push(stmt);
                None
            }
            _ => label,
        }
    }

    /// Whether an END of this kind ends the innermost open construct.
    pub fn may_end(&self, kind: EndKind) -> bool {
        self.frames.last().is_some_and(|frame| frame.what.end() == kind)
    }

    /// Whether a unit of that kind may begin here.
    pub fn may_begin(&self, kind: UnitKind) -> bool {
        let is_procedure = matches!(kind, UnitKind::Subroutine | UnitKind::Function);
        match self.frames.last().map(|frame| &frame.what) {
            None => true,
            Some(What::Unit(unit)) => unit.phase == Phase::Contains && is_procedure,
            Some(What::Interface { .. }) => is_procedure,
            Some(_) => false,
        }
    }

    /// Nothing is open, and nothing waits for its place.
    pub fn is_between_units(&self) -> bool {
        self.any_unit && self.frames.is_empty() && self.pending.is_empty() && self.head.is_none()
    }

    /// The end of the last file: reports and closes everything that is still open.
    pub fn finish(&mut self, b: &mut Builder, end: Span, may_be_empty: bool) {
        let in_main = |frame: &Frame| frame.opener.file == end.file;
        while let Some(frame) = self.frames.last() {
            let at = if in_main(frame) { end } else { frame.opener };
            if matches!(frame.what, What::Unit(_)) {
                report_missing_end(b, frame, at, "the end of the file");
                self.close_unit(b, None, at);
            } else if let Some(frame) = self.frames.pop() {
                self.forget_scope();
                report_unclosed(b, &frame, at, "the end of the file");
                finish(b, frame, None, None);
            }
        }
        if !self.any_unit && !b.diags.has_errors() {
            let kind = if may_be_empty { Diagnostic::warning } else { Diagnostic::error };
            let diagnostic = kind("T0119", Span::at(end.file, 0), "The file contains no program unit".to_owned());
            b.diags.push(diagnostic.help("A program consists of at least an END statement"));
        }
    }

    /// Before a header outside of an interface: closes everything that cannot contain it.
    fn make_room(&mut self, b: &mut Builder, is_procedure: bool, span: Span) {
        while let Some(frame) = self.frames.last() {
            if let What::Unit(unit) = &frame.what {
                if unit.phase == Phase::Contains && is_procedure {
                    return;
                }
                report_missing_end(b, frame, span, "this header");
                self.close_unit(b, None, span);
            } else if let Some(frame) = self.frames.pop() {
                self.forget_scope();
                report_unclosed(b, &frame, span, "this header");
                finish(b, frame, None, None);
            }
        }
    }

    fn close_unit(&mut self, b: &mut Builder, end: Option<StmtId>, span: Span) {
        let Some(frame) = self.frames.pop() else { return };
        self.forget_scope();
        let What::Unit(frame_unit) = frame.what else { return };
        let body = b.ast.units[frame_unit.id].body;
        b.ast.blocks[body] = frame.stmts;
        let unit = &mut b.ast.units[frame_unit.id];
        unit.spec = frame_unit.spec;
        unit.contains = frame_unit.contains;
        unit.end = end;
        unit.span = unit.span.to(span);
    }

    /// The innermost open unit.
    fn unit_scope(&self) -> Option<usize> {
        self.scopes.iter().rev().copied().find(|&scope| matches!(self.frames[scope].what, What::Unit(_)))
    }
}

fn report_missing_end(b: &mut Builder, frame: &Frame, at: Span, word: &str) {
    let end = frame.what.end();
    let opener = match (frame.name, frame.stmt) {
        (Some(name), _) => format!("'{}' begins here", b.word(name.name)),
        (None, Some(_)) => "it begins here".to_string(),
        (None, None) => "the main program begins here".to_string(),
    };
    b.diags.push(
        Diagnostic::error("T0159", at, format!("Missing {} before {word}", end.text())).because(frame.opener, opener),
    );
}
