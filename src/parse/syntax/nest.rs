//! From single statements to blocks, constructs and program units.
//!
//! Everything that is open lies on one explicit stack of [`Frame`]s, so that depth costs memory but no stack of ours. A construct's
//! statement is made when its head is read (so that ids ascend in source order) and filled in when its end is found.

use crate::limits::limits;
use cranelift_entity::packed_option::ReservedValue;
use trueline_diag::{Diagnostic, Span};

use crate::ast::*;
use crate::builder::Builder;
use crate::parsed::{EndKind, Parsed};

mod close;
mod frame;
mod rules;
mod units;

use frame::{Frame, Phase, What};

/// The open constructs and units, and statements that wait for their place.
#[derive(Debug, Default)]
pub struct Nest {
    frames: Vec<Frame>,
    /// The indices of the frames that have a specification part: units and BLOCK constructs.
    scopes: Vec<usize>,
    /// Directives before the first statement of a unit.
    pending: Vec<StmtId>,
    /// A one-line IF, WHERE or FORALL whose statement is read next.
    head: Option<(StmtId, Head)>,
    /// The one-line IFs around it.
    outer_heads: Vec<(StmtId, Head)>,
    depth_reported: bool,
    any_unit: bool,
}

/// The deepest nesting of STRUCTUREs.
const MAX_STRUCTURES: usize = 50;

/// The head of a one-line statement.
#[derive(Debug)]
enum Head {
    If(ExprId),
    Where(ExprId),
    Forall(Box<ForallHeader>),
}

impl Head {
    /// The whole statement.
    fn with(self, body: StmtId) -> StmtKind {
        match self {
            Head::If(cond) => StmtKind::IfLogical { cond, body },
            Head::Where(mask) => StmtKind::WhereStmt { mask, body },
            Head::Forall(header) => StmtKind::ForallStmt { header, body },
        }
    }
}

impl Nest {
    /// Nothing open.
    pub fn new() -> Self {
        Nest::default()
    }

    /// Puts a statement in its place. `span` is its text, `opener` the same with the construct name.
    pub fn place(
        &mut self,
        b: &mut Builder,
        parsed: Parsed,
        span: Span,
        opener: Span,
        label: Option<LabelRef>,
        name: Option<Ident>,
    ) {
        let takes_name = matches!(
            parsed,
            Parsed::If(_)
                | Parsed::Select(_)
                | Parsed::Do(..)
                | Parsed::Where(_)
                | Parsed::Forall(_)
                | Parsed::Associate(_)
                | Parsed::Block
        );
        if let Some(name) = name.filter(|_| !takes_name) {
            b.error("T0152", name.span, "Only constructs can have a name in front");
        }
        match parsed {
            Parsed::Header(header) => return self.open_unit(b, *header, span, label),
            Parsed::End(kind, end_name) => {
                if let (EndKind::Interface, Some(name)) = (kind, end_name) {
                    self.check_end_interface(b, GenericSpec::Name(name), span);
                }
                return self.end(b, kind, end_name, span, label);
            }
            Parsed::EndInterface(generic) => {
                self.check_end_interface(b, generic, span);
                return self.end(b, EndKind::Interface, None, span, label);
            }
            Parsed::Contains => return self.contains(b, span, label),
            _ => {}
        }
        if !self.ensure_place(b, span, &parsed) {
            return;
        }
        match parsed {
            Parsed::Stmt(kind) => self.simple(b, kind, span, label),
            Parsed::LogicalIf(cond) => self.one_line(b, Head::If(cond), span, label),
            Parsed::WhereStmt(mask) => self.one_line(b, Head::Where(mask), span, label),
            Parsed::ForallStmt(header) => self.one_line(b, Head::Forall(header), span, label),
            Parsed::If(cond) => self.open(b, What::If(cond), span, opener, label, name),
            Parsed::Select(selector) => self.open(b, What::Select(selector), span, opener, label, name),
            Parsed::Do(target, control) => self.open(b, What::Do { target, control }, span, opener, label, name),
            Parsed::Where(mask) => self.open(b, What::Where(mask), span, opener, label, name),
            Parsed::Forall(header) => self.open(b, What::Forall(header), span, opener, label, name),
            Parsed::Associate(list) => self.open(b, What::Associate(list), span, opener, label, name),
            Parsed::Block => {
                self.open(b, What::Block { spec: Vec::new(), phase: Phase::Spec }, span, opener, label, name);
            }
            Parsed::ElseIf(cond, name) => self.arm(b, StmtKind::ElseIf { cond }, name, span, label),
            Parsed::Else(name) => self.arm(b, StmtKind::Else, name, span, label),
            Parsed::Case(selector, name) => self.arm(b, StmtKind::Case(selector), name, span, label),
            Parsed::Elsewhere(mask, name) => self.arm(b, StmtKind::Elsewhere { mask }, name, span, label),
            Parsed::TypeDef(attrs, name) => {
                self.open_definition(b, What::Type { name, attrs, ended: false, fields: None }, span, label)
            }
            Parsed::Structure(name, fields) => self.open_structure(b, name, fields, span, label),
            Parsed::Interface(generic, is_abstract) => {
                let what = What::Interface { generic, is_abstract, bodies: Vec::new() };
                self.open_definition(b, what, span, label);
            }
            Parsed::Enum => self.open_definition(b, What::Enum { items: Vec::new() }, span, label),
            Parsed::Enumerators(list) => self.enumerators(b, list, span),
            Parsed::Header(_) | Parsed::End(..) | Parsed::EndInterface(_) | Parsed::Contains => {}
        }
    }

    /// A construct whose head could not be parsed is opened all the same, so that its END finds something to end.
    pub fn broken_construct(&mut self, b: &mut Builder, end: EndKind, span: Span, label: Option<LabelRef>) {
        if self.frames.is_empty() {
            self.open_main(b, span);
        }
        let what = self.frames.last().map(|frame| &frame.what);
        if matches!(what, Some(What::Unit(unit)) if unit.phase == Phase::Contains) {
            return;
        }
        let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::Error, span, label });
        self.push_executable(stmt);
        self.push(Frame { discarded: true, ..Frame::new(What::Broken(end), stmt, span) });
    }

    /// The same for a derived type or an interface block.
    pub fn broken_definition(&mut self, b: &mut Builder, end: EndKind, span: Span, label: Option<LabelRef>) {
        let what = if end == EndKind::Type {
            What::Type {
                name: Ident { name: b.ast.names.intern("<error>"), span },
                attrs: Vec::new(),
                ended: false,
                fields: None,
            }
        } else {
            What::Interface { generic: None, is_abstract: false, bodies: Vec::new() }
        };
        let nested =
            matches!(self.frames.last().map(|frame| &frame.what), Some(What::Type { .. } | What::Interface { .. }));
        if nested {
            return;
        }
        if self.frames.is_empty() {
            self.open_main(b, span);
        }
        let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::Error, span, label });
        self.push(Frame { discarded: true, ..Frame::new(what, stmt, span) });
    }

    /// A statement that could not be parsed and may have declared any name, as USE.
    pub fn broken_declaration(&mut self, b: &mut Builder, span: Span) {
        if self.in_specification() {
            let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::Error, span, label: None });
            self.push_spec(stmt);
        }
    }

    /// A statement that could not be parsed: its label is kept, since a GO TO or DO may refer to it.
    pub fn broken(&mut self, b: &mut Builder, span: Span, label: Option<LabelRef>) {
        if label.is_none() || self.frames.is_empty() {
            return;
        }
        let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::Error, span, label });
        self.push_executable(stmt);
        self.end_labelled(b, stmt, label);
    }

    /// A directive: before the unit it belongs to, in its specification part, or in its place in the body.
    pub fn directive(&mut self, b: &mut Builder, kind: StmtKind, span: Span) {
        let declares = match &kind {
            StmtKind::Directive(directive) => match &**directive {
                Directive::Hpf(Hpf::Declare { .. } | Hpf::Sequence { .. }) => true,
                Directive::Hpf(Hpf::Several(all)) => all.iter().all(|one| matches!(one, Hpf::Declare { .. })),
                Directive::Omp(text) => {
                    matches!(b.ast.text(text.name), b"threadprivate") || b.ast.text(text.name).starts_with(b"declare")
                }
                _ => false,
            },
            _ => false,
        };
        b.ast.has_directives = true;
        let stmt = b.ast.stmts.push(Stmt { kind, span, label: None });
        match self.frames.last_mut() {
            None => self.pending.push(stmt),
            Some(frame) => match &mut frame.what {
                What::Unit(unit) if unit.phase == Phase::Contains => self.pending.push(stmt),
                What::Interface { .. } | What::Type { .. } | What::Enum { .. } => frame.stmts.push(stmt),
                _ if declares => self.push_spec(stmt),
                _ => frame.stmts.push(stmt),
            },
        }
    }

    /// The head of a one-line statement: it gets its id now, its kind with its statement.
    fn one_line(&mut self, b: &mut Builder, head: Head, span: Span, label: Option<LabelRef>) {
        let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::Error, span, label });
        if self.check_place(b, &head_kind(&head), span) {
            self.executable(b, span);
        }
        self.head = Some((stmt, head));
    }

    /// The statement of a one-line statement.
    pub fn place_tail(&mut self, b: &mut Builder, parsed: Parsed, span: Span) {
        let kind = match parsed {
            Parsed::Stmt(kind) if rules::is_action(&kind) => kind,
            _ => {
                b.error("T0151", span, "Only a simple executable statement can stand here");
                return self.broken_tail(b, span);
            }
        };
        let Some((stmt, head)) = self.head.take() else { return };
        let assigns = matches!(kind, StmtKind::Assign { .. } | StmtKind::PointerAssign { .. });
        let word = match head {
            Head::If(_) => None,
            Head::Where(_) => Some("WHERE"),
            Head::Forall(_) => Some("FORALL"),
        };
        if let Some(word) = word.filter(|_| !assigns) {
            b.error("T0151", span, format!("Only an assignment can stand in a one-line {word}"));
        }
        let body = b.ast.stmts.push(Stmt { kind, span, label: None });
        b.ast.stmts[stmt].kind = head.with(body);
        let mut outermost = stmt;
        while let Some((outer, head)) = self.outer_heads.pop() {
            b.ast.stmts[outer].kind = head.with(outermost);
            outermost = outer;
        }
        self.finish_one_line(b, outermost);
    }

    /// A one-line WHERE or FORALL after a one-line IF; false for other statements.
    pub fn nest_head(&mut self, b: &mut Builder, parsed: Parsed, span: Span) -> bool {
        let head = match parsed {
            Parsed::WhereStmt(mask) => Head::Where(mask),
            Parsed::ForallStmt(header) => Head::Forall(header),
            _ => return false,
        };
        let Some(outer) = self.head.take_if(|(_, head)| matches!(head, Head::If(_))) else { return false };
        self.outer_heads.push(outer);
        let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::Error, span, label: None });
        self.head = Some((stmt, head));
        true
    }

    /// The same for a statement that could not be parsed.
    pub fn broken_tail(&mut self, b: &mut Builder, _span: Span) {
        let inner = self.head.take().map(|h| h.0);
        // Only the outermost one has a place among the statements.
        let outer = self.outer_heads.drain(..).next().map(|h| h.0);
        if let Some(stmt) = outer.or(inner) {
            self.finish_one_line(b, stmt);
        }
    }

    fn finish_one_line(&mut self, b: &mut Builder, stmt: StmtId) {
        self.push_executable(stmt);
        let label = b.ast.stmts[stmt].label;
        self.end_labelled(b, stmt, label);
    }

    /// A statement that is complete on its own line.
    fn simple(&mut self, b: &mut Builder, kind: StmtKind, span: Span, label: Option<LabelRef>) {
        let data = std::mem::take(&mut b.old_style_data);
        let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::Error, span, label });
        let place = rules::place_of(&kind);
        let is_entry = matches!(kind, StmtKind::Entry(_));
        let candidate = rules::may_be_statement_function(b, &kind);
        let has_place = self.check_place(b, &kind, span);
        self.check_order(b, &kind, span);
        b.ast.stmts[stmt].kind = kind;
        match place {
            rules::Place::Anywhere if is_entry => self.push_in_order(stmt),
            rules::Place::Anywhere => self.push_spec(stmt),
            rules::Place::Specification => {
                self.specification(b, span);
                self.push_spec(stmt);
            }
            rules::Place::Execution if !has_place => {}
            rules::Place::Execution => {
                if !(candidate && self.in_specification()) {
                    self.executable(b, span);
                }
                self.push_executable(stmt);
            }
        }
        if !data.is_empty() {
            let kind = StmtKind::Data(data);
            let stmt = b.ast.stmts.push(Stmt { kind, span, label: None });
            self.push_spec(stmt);
        }
        self.end_labelled(b, stmt, label);
    }

    /// The number of loops that are open.
    fn loops(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.loops)
    }

    /// Puts `frame` into all that is open.
    fn push(&mut self, frame: Frame) {
        let loops = self.loops() + usize::from(matches!(frame.what, What::Do { .. }));
        self.frames.push(Frame { loops, ..frame });
    }

    /// Opens a construct.
    fn open(
        &mut self,
        b: &mut Builder,
        what: What,
        span: Span,
        opener: Span,
        label: Option<LabelRef>,
        name: Option<Ident>,
    ) {
        let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::Error, span, label });
        if self.check_place(b, &what.sample(), span) {
            self.executable(b, span);
            self.push_executable(stmt);
        }
        let limits = limits();
        let deep = self.frames.len() > limits.constructs;
        let too_deep = deep || matches!(what, What::Do { .. }) && self.loops() >= limits.loops;
        if too_deep && !self.depth_reported {
            self.depth_reported = true;
            let message = match deep {
                true => format!("Constructs nested more than {} levels deep", limits.constructs),
                false => format!("Loops nested more than {} levels deep", limits.loops),
            };
            b.error("T0153", span, message);
        }
        let is_block = matches!(what, What::Block { .. });
        self.push(Frame { name, discarded: too_deep, ..Frame::new(what, stmt, opener) });
        if is_block {
            self.scopes.push(self.frames.len() - 1);
        }
    }

    /// ELSE IF, ELSE, CASE, ELSEWHERE.
    fn arm(&mut self, b: &mut Builder, kind: StmtKind, name: Option<Ident>, span: Span, label: Option<LabelRef>) {
        let end = match kind {
            StmtKind::Case(_) => EndKind::Select,
            StmtKind::Elsewhere { .. } => EndKind::Where,
            _ => EndKind::If,
        };
        let word = match kind {
            StmtKind::ElseIf { .. } => "ELSE IF",
            StmtKind::Else => "ELSE",
            StmtKind::Case(_) => "CASE",
            _ => "ELSEWHERE",
        };
        let Some(index) = self.find_frame(end) else {
            let opener = end.text().trim_start_matches("END ");
            let diagnostic = Diagnostic::error("T0154", span, format!("{word} without {opener}"))
                .label(format!("no {opener} is open here"));
            b.diags.push(diagnostic);
            return;
        };
        self.close_above(b, index, span, word);
        let stmt = b.ast.stmts.push(Stmt { kind, span, label });
        let Some(frame) = self.frames.last_mut() else { return };
        if !matches!(frame.what, What::Broken(_)) {
            frame.check_end_name(b, name, word, false);
        }
        let kind = &b.ast.stmts[stmt].kind;
        let last = matches!(kind, StmtKind::Else | StmtKind::Elsewhere { mask: None });
        if let Some(first) = frame.last_arm.filter(|_| !matches!(kind, StmtKind::Case(_))) {
            let diagnostic = Diagnostic::error("T0154", span, format!("{word} after the last arm of this construct"))
                .because(first, "no arm can follow this one");
            b.diags.push(diagnostic);
        }
        if last {
            frame.last_arm = Some(span);
        }
        frame.finish_block(b);
        frame.head = Some(stmt);
    }

    fn enumerators(&mut self, b: &mut Builder, list: Vec<(Ident, Option<ExprId>)>, span: Span) {
        match self.frames.last_mut().map(|frame| &mut frame.what) {
            Some(What::Enum { items }) => items.extend(list),
            _ => b.error("T0154", span, "ENUMERATOR outside of ENUM"),
        }
    }

    /// Opens a STRUCTURE, which may stand in another.
    fn open_structure(
        &mut self,
        b: &mut Builder,
        name: Ident,
        fields: Vec<Entity>,
        span: Span,
        label: Option<LabelRef>,
    ) {
        let around = self.frames.iter().rev().take_while(|f| matches!(f.what, What::Type { .. })).count();
        if around > MAX_STRUCTURES {
            b.error("T0153", span, format!("Structures nested more than {MAX_STRUCTURES} levels deep"));
        }
        if around == 0 && !fields.is_empty() {
            b.error("T0127", span, "Only a STRUCTURE in another one declares components");
        }
        let what = What::Type { name, attrs: Vec::new(), ended: false, fields: Some(fields) };
        self.open_definition(b, what, span, label);
        if let Some(frame) = self.frames.last_mut() {
            frame.discarded = around > MAX_STRUCTURES;
        }
    }

    /// Opens a derived type, an interface block or an enumeration.
    fn open_definition(&mut self, b: &mut Builder, what: What, span: Span, label: Option<LabelRef>) {
        let stmt = b.ast.stmts.push(Stmt { kind: StmtKind::Error, span, label });
        self.specification(b, span);
        self.push_spec(stmt);
        self.push(Frame::new(what, stmt, span));
    }
}

/// The statement kind of a one-line statement, for questions about its place.
fn head_kind(head: &Head) -> StmtKind {
    match head {
        Head::If(cond) => StmtKind::IfLogical { cond: *cond, body: StmtId::reserved_value() },
        Head::Where(mask) => StmtKind::WhereStmt { mask: *mask, body: StmtId::reserved_value() },
        Head::Forall(header) => StmtKind::ForallStmt { header: header.clone(), body: StmtId::reserved_value() },
    }
}
