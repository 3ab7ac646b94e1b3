//! The syntax tree of one source file: datatypes only.
//!
//! Everything lives in arenas of [`Ast`] and is referred to by id, so that no tree is ever dropped or walked by
//! recursion over boxes: a boxed tree of 200,000 nested parentheses overflows the stack when it is dropped.
//!
//! Invariants
//! - `StmtId`s ascend in source order (an INCLUDE file stands where its line stands), `UnitId`s in order of headers.
//! - Every expression and statement has a span; a statement's span is its own text, for a construct its head only.
//! - Expressions and constructs nest no deeper than [`crate::limits`] allows, so later phases may recurse.
//! - A statement that could not be parsed stands in its place as [`StmtKind::Error`], so that its label is known.
//! - The tree says nothing about meaning: `a(1)` is one form, whatever `a` is.

use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashSet;
use trueline_diag::{FileId, Span};

use crate::names::{Name, Names};

mod decl;
mod directive;
mod expr;
mod stmt;
mod unit;

pub use decl::*;
pub use directive::*;
pub use expr::*;
pub use stmt::*;
pub use unit::*;

/// An expression of an [`Ast`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(u32);
entity_impl!(ExprId, "x");

/// A statement of an [`Ast`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(u32);
entity_impl!(StmtId, "s");

/// A sequence of statements of an [`Ast`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(u32);
entity_impl!(BlockId, "block");

/// A program unit, contained procedure or interface body of an [`Ast`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(u32);
entity_impl!(UnitId, "unit");

/// A piece of literal text of an [`Ast`]: character constants, digits of real constants, FORMATs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextId(u32);
entity_impl!(TextId, "text");

/// A name as it stands in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The case-folded name.
    pub name: Name,
    /// The place in the source.
    pub span: Span,
}

/// A statement label where it is referred to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelRef {
    /// 1 to 99999.
    pub label: u32,
    /// The place in the source.
    pub span: Span,
}

/// The syntax tree of a file with all that it includes.
#[derive(Debug)]
pub struct Ast {
    /// The file.
    pub file: FileId,
    /// The offset in the file where its text begins: 0, but for a later part of a large file.
    pub start: u32,
    /// A module file: it only declares names that other objects define.
    pub external: bool,
    /// The external program units in order; contained procedures hang below them.
    pub program: Vec<UnitId>,
    /// All units.
    pub units: PrimaryMap<UnitId, Unit>,
    /// All statements.
    pub stmts: PrimaryMap<StmtId, Stmt>,
    /// All blocks.
    pub blocks: PrimaryMap<BlockId, Vec<StmtId>>,
    /// All expressions.
    pub exprs: PrimaryMap<ExprId, Expr>,
    /// The elements of all [`ExprList`]s.
    pub expr_lists: Vec<ExprId>,
    /// The elements of all [`ArgList`]s.
    pub args: Vec<Arg>,
    /// The offsets and lengths of the texts in `text_bytes`.
    pub texts: PrimaryMap<TextId, (u32, u32)>,
    /// The bytes of all texts.
    pub text_bytes: Vec<u8>,
    /// The names.
    pub names: Names,
    /// For each label in the source, the next statement made after it was read; in order, without repetitions.
    pub labels: Vec<StmtId>,
    /// Comes with the compiler, and is compiled along with the program that uses it: its procedures are local to the object.
    pub provided: bool,
    /// Whether there are directives.
    pub has_directives: bool,
    /// Spellings of directives that are not HPF but accepted, as sentences.
    pub spellings: Vec<(Span, &'static str)>,
    /// Names in specification statements that could not be read: they may be declared there.
    pub unread: FxHashSet<Box<str>>,
}

impl Ast {
    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id]
    }

    /// The span of an expression.
    pub fn span(&self, id: ExprId) -> Span {
        self.exprs[id].span
    }

    /// The elements of a list of expressions.
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        &self.expr_lists[list.start as usize..][..list.len as usize]
    }

    /// The elements of a list of arguments or subscripts.
    pub fn args(&self, list: ArgList) -> &[Arg] {
        &self.args[list.start as usize..][..list.len as usize]
    }

    /// A statement.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id]
    }

    /// The statements of a block.
    pub fn block(&self, id: BlockId) -> &[StmtId] {
        &self.blocks[id]
    }

    /// Whether a statement of a unit, or of one that it contains, has or mentions a label.
    pub fn has_labels(&self, unit: UnitId) -> bool {
        let unit = &self.units[unit];
        let first = unit.header.unwrap_or(StmtId(0));
        let next = self.labels.partition_point(|&s| s < first);
        self.labels.get(next).is_some_and(|&s| unit.end.is_none_or(|end| s <= end))
    }

    /// The bytes of a text.
    pub fn text(&self, id: TextId) -> &[u8] {
        let (start, len) = self.texts[id];
        &self.text_bytes[start as usize..][..len as usize]
    }

    /// The spelling (lower case) of a name.
    pub fn name(&self, name: Name) -> &str {
        self.names.text(name)
    }
}
