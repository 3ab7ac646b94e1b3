//! Open constructs, definitions and units.

use trueline_diag::{Diagnostic, Span};

use crate::ast::*;
use crate::builder::Builder;
use crate::parsed::EndKind;

/// Something open: a unit, a construct or a definition.
#[derive(Debug)]
pub(super) struct Frame {
    pub what: What,
    /// Its statement; for a unit, its header (which may be missing).
    pub stmt: Option<StmtId>,
    /// The place where it was opened.
    pub opener: Span,
    /// The construct name, or that of the unit.
    pub name: Option<Ident>,
    /// The statements of the block at hand.
    pub stmts: Vec<StmtId>,
    /// The statement that heads the block at hand; none for the construct's own.
    pub head: Option<StmtId>,
    /// The construct's own block, once it is finished.
    pub first: Option<BlockId>,
    pub arms: Vec<Arm>,
    /// The ELSE (or ELSEWHERE without a mask), after which no arm can come.
    pub last_arm: Option<Span>,
    /// Too deep: parsed and checked, but left out of the tree.
    pub discarded: bool,
    /// The number of loops among this and all that is around it.
    pub loops: usize,
}

/// The kinds of open things.
#[derive(Debug)]
pub(super) enum What {
    Unit(UnitFrame),
    If(ExprId),
    Select(ExprId),
    Do {
        target: Option<LabelRef>,
        control: DoControl,
    },
    Where(ExprId),
    Forall(Box<ForallHeader>),
    Associate(Vec<(Ident, ExprId)>),
    Block {
        spec: Vec<StmtId>,
        phase: Phase,
    },
    Interface {
        generic: Option<GenericSpec>,
        is_abstract: bool,
        bodies: Vec<UnitId>,
    },
    /// `ended`: a CONTAINS has been refused.
    Type {
        name: Ident,
        attrs: Vec<Attr>,
        ended: bool,
        /// For a STRUCTURE in another one, the components of its type in the outer one.
        fields: Option<Vec<Entity>>,
    },
    Enum {
        items: Vec<(Ident, Option<ExprId>)>,
    },
    /// A construct whose head could not be parsed: it only has to find its end.
    Broken(EndKind),
}

/// An open program unit.
#[derive(Debug)]
pub(super) struct UnitFrame {
    pub id: UnitId,
    pub kind: UnitKind,
    pub spec: Vec<StmtId>,
    pub phase: Phase,
    /// The last kind of specification that has been read, for the order of them.
    pub order: Order,
    /// The first executable statement, for messages.
    pub first_executable: Option<Span>,
    pub contains: Option<StmtId>,
    /// An executable statement in a unit that has none has been reported; more of them need not be.
    pub executable_reported: bool,
    /// The same for something other than a procedure after CONTAINS.
    pub contained_reported: bool,
}

/// The order that specifications have to come in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Order {
    Use,
    Import,
    Implicit,
    Declaration,
}

/// The part of a unit that has been reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Spec,
    Exec,
    Contains,
}

impl Frame {
    pub fn new(what: What, stmt: StmtId, opener: Span) -> Self {
        Frame {
            what,
            stmt: Some(stmt),
            opener,
            name: None,
            stmts: Vec::new(),
            head: None,
            first: None,
            arms: Vec::new(),
            last_arm: None,
            discarded: false,
            loops: 0,
        }
    }

    /// Ends the block at hand.
    pub fn finish_block(&mut self, b: &mut Builder) {
        let block = b.ast.blocks.push(std::mem::take(&mut self.stmts));
        match self.head.take() {
            Some(head) => self.arms.push(Arm { head, body: block }),
            None => self.first = Some(block),
        }
    }

    /// The name after an END or an arm must be that in front of the construct.
    pub fn check_end_name(&self, b: &mut Builder, name: Option<Ident>, word: &str, required: bool) {
        match (self.name, name) {
            (Some(open), Some(end)) if open.name != end.name => {
                let message =
                    format!("Expected the name '{}' after {word}, found '{}'", b.word(open.name), b.word(end.name));
                b.diags.push(Diagnostic::error("T0155", end.span, message).because(open.span, "named here"));
            }
            (None, Some(end)) => {
                let message = format!("{word} has the name '{}', but what it belongs to has none", b.word(end.name));
                b.diags.push(Diagnostic::error("T0155", end.span, message).because(self.opener, "opened here"));
            }
            (Some(open), None) if required => {
                let message = format!("{word} needs the name '{}'", b.word(open.name));
                let span = b.ast.stmts.last().map_or(self.opener, |(_, stmt)| stmt.span);
                b.diags.push(Diagnostic::error("T0155", span, message).because(open.span, "named here"));
            }
            _ => {}
        }
    }
}

impl What {
    /// The END that closes it.
    pub fn end(&self) -> EndKind {
        match self {
            What::Unit(unit) => EndKind::Header(unit.kind),
            What::If(_) => EndKind::If,
            What::Select(_) => EndKind::Select,
            What::Do { .. } => EndKind::Do,
            What::Where(_) => EndKind::Where,
            What::Forall(_) => EndKind::Forall,
            What::Associate(_) => EndKind::Associate,
            What::Block { .. } => EndKind::Block,
            What::Interface { .. } => EndKind::Interface,
            What::Type { fields: Some(_), .. } => EndKind::Structure,
            What::Type { .. } => EndKind::Type,
            What::Enum { .. } => EndKind::Enum,
            What::Broken(end) => *end,
        }
    }

    /// A statement kind that stands for the construct in questions about its place.
    pub fn sample(&self) -> StmtKind {
        match self {
            What::Where(mask) => StmtKind::Elsewhere { mask: Some(*mask) },
            What::Forall(_) => StmtKind::Elsewhere { mask: None },
            _ => StmtKind::Continue,
        }
    }
}
