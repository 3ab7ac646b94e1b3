//! Types, attributes and declared entities.

use trueline_diag::Span;

use super::{ExprId, Ident};

/// A type with its parameters.
#[derive(Clone, Debug)]
pub struct TypeSpec {
    /// The type.
    pub base: BaseType,
    /// The kind, unless it is left to the default.
    pub kind: Option<KindSelector>,
    /// The length of a CHARACTER, unless it is left to the default.
    pub len: Option<CharLen>,
    /// The place in the source.
    pub span: Span,
}

/// The intrinsic types, and the name of a derived one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BaseType {
    /// INTEGER
    Integer,
    /// REAL
    Real,
    /// DOUBLE PRECISION
    DoublePrecision,
    /// COMPLEX
    Complex,
    /// DOUBLE COMPLEX
    DoubleComplex,
    /// LOGICAL
    Logical,
    /// CHARACTER
    Character,
    /// BYTE: a one-byte INTEGER
    Byte,
    /// TYPE(name)
    Derived(Ident),
    /// TYPE(*): a dummy argument of any type
    Assumed,
}

/// A kind, as it is given.
#[derive(Clone, Copy, Debug)]
pub enum KindSelector {
    /// `*8`: bytes of the whole (COMPLEX*16 has kind 8).
    Star(u32),
    /// `(8)`, `(kind=k)`.
    Expr(ExprId),
}

/// A character length, as it is given.
#[derive(Clone, Copy, Debug)]
pub enum CharLen {
    /// A length: `*8`, `(8)`, `(len=n)`.
    Expr(ExprId),
    /// `*`: assumed, or that of the constant.
    Star,
    /// `:`: deferred.
    Deferred,
}

/// One dimension of a declared array.
#[derive(Clone, Copy, Debug)]
pub struct Dim {
    /// The lower bound.
    pub lo: Option<ExprId>,
    /// The upper bound.
    pub hi: DimBound,
    /// The place in the source.
    pub span: Span,
}

/// The upper bound of a dimension.
#[derive(Clone, Copy, Debug)]
pub enum DimBound {
    /// `n`
    Expr(ExprId),
    /// `*`: assumed size.
    Star,
    /// `:` without an upper bound: deferred or assumed shape.
    Deferred,
}

/// The dimensions of a declared array.
pub type ArraySpec = Vec<Dim>;

/// One entity of a declaration: `name(dims)*len = init`.
#[derive(Clone, Debug)]
pub struct Entity {
    /// The name.
    pub name: Ident,
    /// The dimensions given with the name.
    pub dims: Option<ArraySpec>,
    /// `*len` after the name: a character length, or the bytes of another type.
    pub len: Option<CharLen>,
    /// The initial value.
    pub init: Init,
    /// The place in the source, from the name to the end of the initial value.
    pub span: Span,
}

/// The initial value of an entity.
#[derive(Clone, Copy, Debug)]
pub enum Init {
    /// None.
    None,
    /// `= expr`
    Value(ExprId),
    /// `=> expr`
    Pointer(ExprId),
}

/// An attribute and where it stands.
#[derive(Clone, Debug)]
pub struct Attr {
    /// The attribute.
    pub kind: AttrKind,
    /// The place in the source.
    pub span: Span,
}

/// The attributes of type declarations, which are also statements of their own.
#[derive(Clone, Debug)]
pub enum AttrKind {
    /// ALLOCATABLE
    Allocatable,
    /// ASYNCHRONOUS
    Asynchronous,
    /// BIND(C, NAME=…)
    Bind(Bind),
    /// CONTIGUOUS
    Contiguous,
    /// DIMENSION(…)
    Dimension(ArraySpec),
    /// EXTERNAL
    External,
    /// INTENT(…)
    Intent(Intent),
    /// INTRINSIC
    Intrinsic,
    /// OPTIONAL
    Optional,
    /// PARAMETER
    Parameter,
    /// POINTER
    Pointer,
    /// PRIVATE
    Private,
    /// PROTECTED
    Protected,
    /// PUBLIC
    Public,
    /// SAVE
    Save,
    /// TARGET
    Target,
    /// VALUE
    Value,
    /// VOLATILE
    Volatile,
    /// AUTOMATIC, an extension: not saved, whatever is said of all variables.
    Automatic,
    /// STATIC, an extension: saved.
    Static,
    /// NOPASS, of a procedure pointer component.
    Nopass,
}

/// The direction of a dummy argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intent {
    /// IN
    In,
    /// OUT
    Out,
    /// INOUT
    InOut,
}

/// `BIND(C)`, `BIND(C, NAME='x')`.
#[derive(Clone, Copy, Debug)]
pub struct Bind {
    /// The binding label.
    pub name: Option<ExprId>,
    /// The place in the source.
    pub span: Span,
}

/// A name in INTERFACE, USE, PUBLIC and PRIVATE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GenericSpec {
    /// A plain name.
    Name(Ident),
    /// OPERATOR(op)
    Operator(DefinedOperator, Span),
    /// ASSIGNMENT(=)
    Assignment(Span),
}

/// An operator that an interface can define: one of the language, or `.name.`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefinedOperator {
    /// An operator written between operands (`+` and `-` also before one); `.name.` is [`super::BinaryOp::Defined`], whether unary or binary.
    Binary(super::BinaryOp),
    /// `.not.`
    Not,
}
