//! Tokens.

use logos::Logos;
use trueline_diag::Span;

use crate::ast::{BinaryOp, DefinedOperator, ExprId, GenericSpec, IoKind, KindParam};
use crate::names::Name;
use crate::parsed::EndKind;

/// A token as the grammar sees it. The first one of a statement says which statement it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the grammar lists what each stands for")]
pub enum Tok {
    Name(Name),
    Int(IntLit),
    /// A constant other than a plain integer, already an expression.
    Literal(ExprId),
    DefinedOp(Name),
    Generic(GenericTok),
    Rel(BinaryOp),
    Equiv(BinaryOp),
    And,
    Or,
    Not,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LArray,
    RArray,
    Comma,
    Colon,
    Colons,
    Assign,
    Arrow,
    Plus,
    Minus,
    Star,
    Power,
    Slash,
    Slashes,
    Percent,
    Ampersand,
    End(EndKind),
    Io(IoKind),
    IoFormat(IoKind),
    IoUnit(IoKind),
    Kw(Kw),
}

/// An integer constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntLit {
    /// The value.
    pub value: u64,
    /// The kind.
    pub kind: KindParam,
}

impl IntLit {
    /// The value where only small ones make sense; too large ones become the largest.
    pub fn small(self) -> u32 {
        u32::try_from(self.value).unwrap_or(u32::MAX)
    }
}

/// `operator(…)` or `assignment(=)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GenericTok {
    /// OPERATOR
    Operator(DefinedOperator),
    /// ASSIGNMENT
    Assignment,
}

impl GenericTok {
    /// The same with its place.
    pub fn spec(self, span: Span) -> GenericSpec {
        match self {
            GenericTok::Operator(op) => GenericSpec::Operator(op, span),
            GenericTok::Assignment => GenericSpec::Assignment(span),
        }
    }
}

/// Statements, and words that are keywords where they stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "they are named as Fortran names them")]
pub enum Kw {
    AbstractInterface,
    Allocate,
    AssignLabel,
    Assignment,
    Associate,
    Attribute,
    BindStmt,
    Block,
    BlockData,
    Call,
    Case,
    CaseDefault,
    Common,
    Contains,
    Continue,
    Cycle,
    Data,
    Deallocate,
    Declaration,
    DimensionStmt,
    Do,
    Else,
    ElseIf,
    Elsewhere,
    Entry,
    Enum,
    Enumerator,
    Equivalence,
    ErrorStop,
    Exit,
    Forall,
    ForallStmt,
    Goto,
    If,
    IfArith,
    IfLogical,
    Implicit,
    ImplicitNone,
    Import,
    Interface,
    Module,
    ModuleProcedure,
    Namelist,
    Nullify,
    ParameterStmt,
    Pause,
    PointerAssignment,
    PrivateStmt,
    Procedure,
    ProcedureDecl,
    ProcedureHeader,
    Program,
    PublicStmt,
    Return,
    SaveStmt,
    SelectCase,
    Sequence,
    Stop,
    TypeDef,
    Use,
    Where,
    WhereStmt,
    Then,
    To,
    While,
    Concurrent,
    Only,
    Result,
    Letters,
    In,
    Out,
    InOut,
    Subroutine,
    Function,
    Recursive,
    Pure,
    Elemental,
    Impure,
    Integer,
    Real,
    DoublePrecision,
    Complex,
    DoubleComplex,
    Logical,
    Character,
    Byte,
    Type,
    Allocatable,
    Asynchronous,
    Bind,
    Contiguous,
    Dimension,
    External,
    Intent,
    Intrinsic,
    Optional,
    Parameter,
    Pointer,
    Private,
    Protected,
    Public,
    Save,
    Target,
    Value,
    Volatile,
    /// AUTOMATIC
    Automatic,
    /// STATIC
    Static,
    /// POINTER (pointer, pointee)
    CrayPointer,
    /// STRUCTURE
    Structure,
    /// RECORD
    Record,
    /// UNION
    Union,
    /// MAP
    Map,
    Nopass,
    HpfDeclare,
    HpfDistribute,
    HpfAlign,
    HpfRedistribute,
    HpfRealign,
    HpfSequence,
    HpfNoSequence,
    HpfIndependent,
    HpfOn,
    HpfEndOn,
    HpfResident,
    HpfEndResident,
    HpfShadow,
    HpfRange,
    Processors,
    Template,
    Dynamic,
    Inherit,
    Distribute,
    Align,
    Onto,
    With,
    New,
    Reduction,
    On,
    Home,
    Resident,
    Begin,
    Shadow,
    Range,
}

/// The raw tokens of a logical line, as far as they can be told without their surroundings.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(utf8 = false, skip r"[ \t]+")]
pub enum Raw {
    /// A name, keyword or the start of a constant with a kind.
    #[regex(r"[a-z][a-z0-9_$]*")]
    Word,
    /// The start of a number.
    #[regex(r"[0-9]+")]
    Digits,
    /// The start of a number without an integer part.
    #[regex(r"\.[0-9]+")]
    Point,
    /// `.word.`
    #[regex(r"\.[a-z]+\.")]
    DotWord,
    /// The start of a character constant.
    #[regex("['\"]")]
    Quote,
    /// `(`
    #[token("(")]
    LParen,
    /// `)`
    #[token(")")]
    RParen,
    /// `[`
    #[token("[")]
    LBracket,
    /// `]`
    #[token("]")]
    RBracket,
    /// `(/`
    #[token("(/")]
    LArray,
    /// `/)`
    #[token("/)")]
    RArray,
    /// `,`
    #[token(",")]
    Comma,
    /// `:`
    #[token(":")]
    Colon,
    /// `::`
    #[token("::")]
    Colons,
    /// `=`
    #[token("=")]
    Assign,
    /// `=>`
    #[token("=>")]
    Arrow,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
    /// `**`
    #[token("**")]
    Power,
    /// `/`
    #[token("/")]
    Slash,
    /// `//`
    #[token("//")]
    Slashes,
    /// `==`
    #[token("==")]
    Eq,
    /// `/=`
    #[token("/=")]
    Ne,
    /// `<`
    #[token("<")]
    Lt,
    /// `<=`
    #[token("<=")]
    Le,
    /// `>`
    #[token(">")]
    Gt,
    /// `>=`
    #[token(">=")]
    Ge,
    /// `%`
    #[token("%")]
    Percent,
    /// `&`
    #[token("&")]
    Ampersand,
}
