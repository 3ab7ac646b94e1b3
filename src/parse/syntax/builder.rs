//! Builds the tree: the actions of the grammar's rules.
//!
//! The builder owns the arenas while a file is parsed. Lists of expressions and arguments under construction lie on two stacks;
//! a rule that ends a list takes the last elements. A mistake that a rule finds is reported and replaced by something harmless, so
//! that the rest of the statement is still read.

use crate::limits::{is_deep, limits};
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashSet;
use trueline_diag::{Diagnostic, Diagnostics, FileId, Span};

use crate::ast::*;
use crate::names::{Name, Names};
use crate::parsed::EndKind;
use crate::token::IntLit;

mod decl;
mod expr;
mod hpf;
mod io;
mod operators;

pub use operators::Chain;

/// The statement that a misspelt word was meant to begin, by the nearest word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meant {
    /// The END of something.
    End(EndKind),
    /// The header of a unit of that name.
    Header(UnitKind, Option<Ident>),
}

/// The state of building one [`Ast`].
#[derive(Debug)]
pub struct Builder {
    /// The tree so far.
    pub ast: Ast,
    /// The file of the statement at hand.
    pub file: FileId,
    /// The diagnostics so far.
    pub diags: Diagnostics,
    /// Old-style initial values of the declaration at hand: they become a DATA statement.
    pub old_style_data: Vec<DataGroup>,
    /// Backslashes in character constants begin escape sequences.
    pub backslash: bool,
    /// Cray pointers are accepted.
    pub cray_pointers: bool,
    /// STATIC and AUTOMATIC are accepted.
    pub storage_classes: bool,
    /// STRUCTURE and RECORD are accepted.
    pub structures: bool,
    /// The exponent of a real constant may lack its digits.
    pub bare_exponents: bool,
    /// EXTRINSIC before the header at hand.
    pub extrinsic: Option<Extrinsic>,
    /// SELECT TYPE has been refused, so that its TYPE IS and CLASS IS need not be.
    pub select_type_reported: bool,
    depths: Vec<u32>,
    items: Vec<ExprId>,
    /// The operands and operators of expressions that are being read.
    operands: Vec<ExprId>,
    operators: Vec<operators::Waiting>,
    args: Vec<Arg>,
    alloc_options: Vec<(AllocOption, Span, ExprId)>,
    /// The meaning that a statement with an error probably had.
    pub(crate) meant: Option<Meant>,
    /// Whether IMPLICIT NONE is about types, and about external procedures.
    pub(crate) implicit_none: (bool, bool),
    too_deep: bool,
}

impl Builder {
    /// A builder for a file.
    pub fn new(file: FileId, diags: Diagnostics) -> Self {
        let ast = Ast {
            external: false,
            provided: false,
            file,
            start: 0,
            program: Vec::new(),
            units: PrimaryMap::new(),
            stmts: PrimaryMap::new(),
            blocks: PrimaryMap::new(),
            exprs: PrimaryMap::new(),
            expr_lists: Vec::new(),
            args: Vec::new(),
            texts: PrimaryMap::new(),
            text_bytes: Vec::new(),
            names: Names::new(),
            labels: Vec::new(),
            has_directives: false,
            spellings: Vec::new(),
            unread: FxHashSet::default(),
        };
        Builder {
            ast,
            file,
            diags,
            old_style_data: Vec::new(),
            backslash: false,
            cray_pointers: false,
            storage_classes: false,
            structures: false,
            bare_exponents: false,
            extrinsic: None,
            select_type_reported: false,
            depths: Vec::new(),
            items: Vec::new(),
            operands: Vec::new(),
            operators: Vec::new(),
            args: Vec::new(),
            alloc_options: Vec::new(),
            implicit_none: (true, false),
            meant: None,
            too_deep: false,
        }
    }

    /// Forgets the remains of an abandoned statement.
    pub fn start_statement(&mut self, file: FileId) {
        self.file = file;
        self.extrinsic = None;
        self.items.clear();
        self.operands.clear();
        self.operators.clear();
        self.args.clear();
        self.alloc_options.clear();
        self.old_style_data.clear();
        self.implicit_none = (true, false);
        self.meant = None;
        self.too_deep = false;
    }

    /// A span of the file at hand.
    pub fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.file, start, end)
    }

    /// Reports an error.
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diags.push(Diagnostic::error(code, span, message));
    }

    /// A piece of text.
    pub fn text(&mut self, bytes: &[u8]) -> TextId {
        let start = self.ast.text_bytes.len() as u32;
        self.ast.text_bytes.extend_from_slice(bytes);
        self.ast.texts.push((start, bytes.len() as u32))
    }

    /// An identifier's spelling.
    pub fn word(&self, name: Name) -> &str {
        self.ast.names.text(name)
    }

    /// The next statement has or mentions a label.
    pub fn note_label(&mut self) {
        let next = self.ast.stmts.next_key();
        if self.ast.labels.last() != Some(&next) {
            self.ast.labels.push(next);
        }
    }

    /// A label that is referred to.
    pub fn label(&mut self, n: IntLit, l: u32, r: u32) -> LabelRef {
        self.note_label();
        let span = self.span(l, r);
        if n.value == 0 || n.value > 99999 || n.kind != KindParam::Default {
            self.error("T0120", span, "A label has one to five digits, and is not zero");
        }
        LabelRef { label: n.small().clamp(1, 99999), span }
    }

    /// Adds an expression whose operands are `depth` deep.
    fn make(&mut self, kind: ExprKind, span: Span, depth: u32) -> ExprId {
        let limits = limits();
        let depth = match kind {
            ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::Paren(_) => depth,
            _ => depth + limits.per_call - 1,
        };
        if depth >= limits.operations {
            if !self.too_deep {
                self.too_deep = true;
                let message = format!("Expression nested more than {} levels deep", limits.operations);
                let help = match is_deep() {
                    true => "Assign a part of it to a variable of its own",
                    false => "Assign a part of it to a variable of its own; more levels need address space (ulimit -v)",
                };
                self.diags.push(Diagnostic::error("T0121", span, message).help(help));
            }
            return self.push(ExprKind::Error, span, 1);
        }
        self.push(kind, span, depth + 1)
    }

    fn push(&mut self, kind: ExprKind, span: Span, depth: u32) -> ExprId {
        self.depths.push(depth);
        self.ast.exprs.push(Expr { kind, span })
    }

    fn depth(&self, e: ExprId) -> u32 {
        self.depths[e.index()]
    }

    /// Adds an expression without operands.
    pub fn leaf(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.push(kind, span, 1)
    }

    /// Puts an expression on the stack of list elements.
    pub fn push_item(&mut self, e: ExprId) {
        self.items.push(e);
    }

    /// The last `n` list elements as a list.
    pub fn take_items(&mut self, n: usize) -> ExprList {
        let from = self.items.len() - n;
        let start = self.ast.expr_lists.len() as u32;
        self.ast.expr_lists.extend(self.items.drain(from..));
        ExprList { start, len: n as u32 }
    }
}
