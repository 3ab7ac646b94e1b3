//! Expressions.

use cranelift_entity::packed_option::PackedOption;
use trueline_diag::Span;

use super::{ExprId, Ident, LabelRef, TextId, TypeSpec};
use crate::names::Name;

/// An expression and where it stands.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind.
    pub kind: ExprKind,
    /// The place in the source.
    pub span: Span,
}

/// A slice of [`super::Ast::expr_lists`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExprList {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl ExprList {
    /// The number of elements.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// True without elements.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// A slice of [`super::Ast::args`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ArgList {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl ArgList {
    /// The number of elements.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// True without elements.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// The forms of an expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `42`, `42_8`, `42_ik`. A constant beyond 64 bits is an error of its own, and 0 here.
    Int {
        /// The value.
        value: u64,
        /// The kind.
        kind: KindParam,
    },
    /// `1.5e3`, `1d0`, `.5_rk`: the text without the kind, in lower case, not rounded yet.
    Real {
        /// Digits, point and exponent; the exponent letter (`e`, `d`, `q`) is kept.
        text: TextId,
        /// The kind after `_`.
        kind: KindParam,
    },
    /// `.true.`, `.false._1`.
    Logical {
        /// The value.
        value: bool,
        /// The kind.
        kind: KindParam,
    },
    /// `'text'`, `"text"`, `k_'text'`: doubled quotes are undone; the bytes are those of the file.
    Char {
        /// The bytes.
        text: TextId,
        /// The kind before `_`.
        kind: KindParam,
    },
    /// `5HHELLO`.
    Hollerith(TextId),
    /// `z'ff'`, `o'17'`, `b'101'`, and `x'ff'`, `'ff'x` as people write them.
    Boz {
        /// 2, 8 or 16.
        radix: u8,
        /// The digits, in lower case.
        digits: TextId,
    },
    /// `(re, im)`: two parts that sema finds to be constants (or, as an extension, not).
    Complex {
        /// The real part.
        re: ExprId,
        /// The imaginary part.
        im: ExprId,
    },
    /// A name alone.
    Name(Name),
    /// `base(args)`: array element, array section, substring, function reference, structure constructor, statement function.
    /// A substring of an element is a `Call` of a `Call`.
    Call {
        /// The designator before the parentheses: a name, a component or another `Call` (or a character literal: its substring).
        base: ExprId,
        /// The list inside.
        args: ArgList,
    },
    /// `base%name`.
    Component {
        /// The designator before the `%`.
        base: ExprId,
        /// The component.
        name: Name,
    },
    /// A unary operation.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: ExprId,
    },
    /// A binary operation.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand.
        left: ExprId,
        /// The right operand.
        right: ExprId,
    },
    /// `(inner)`: kept, because it fixes the order of floating-point operations and makes an expression of a variable.
    Paren(ExprId),
    /// `(/ … /)` or `[ … ]`: elements are expressions and implied DOs.
    ArrayConstructor {
        /// `[ type :: … ]`.
        ty: Option<Box<TypeSpec>>,
        /// The elements.
        items: ExprList,
    },
    /// `(items, var = from, to, step)`, in array constructors, I/O lists and DATA only.
    ImpliedDo(Box<ImpliedDo>),
    /// An expression with an error that has been reported.
    Error,
}

/// An implied DO.
#[derive(Clone, Copy, Debug)]
pub struct ImpliedDo {
    /// The repeated items: expressions and further implied DOs.
    pub items: ExprList,
    /// The control variable.
    pub var: Ident,
    /// The first value.
    pub from: ExprId,
    /// The last value.
    pub to: ExprId,
    /// The step.
    pub step: Option<ExprId>,
}

/// The kind of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KindParam {
    /// Not given.
    Default,
    /// Digits.
    Digits(u32),
    /// A named constant.
    Name(Name),
}

/// One argument, subscript or section.
#[derive(Clone, Copy, Debug)]
pub struct Arg {
    /// `keyword =`.
    pub keyword: Option<Ident>,
    /// The argument.
    pub value: ArgValue,
    /// The place in the source, with the keyword.
    pub span: Span,
}

/// The forms of an argument.
#[derive(Clone, Copy, Debug)]
pub enum ArgValue {
    /// An expression.
    Expr(ExprId),
    /// `lo:hi:step`, each of which may be missing. Also the range of a substring.
    Section {
        /// The lower bound.
        lo: PackedOption<ExprId>,
        /// The upper bound.
        hi: PackedOption<ExprId>,
        /// The stride.
        step: PackedOption<ExprId>,
    },
    /// `*10`, `&10`: an alternate return.
    AltReturn(LabelRef),
    /// `*` alone: in HPF subscripts, and where sema has to refuse it.
    Star,
}

/// The unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `.not.`
    Not,
    /// `.name.`
    Defined(Name),
}

/// The binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `**`
    Pow,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `//`
    Concat,
    /// `==`, `.eq.`
    Eq,
    /// `/=`, `.ne.`
    Ne,
    /// `<`, `.lt.`
    Lt,
    /// `<=`, `.le.`
    Le,
    /// `>`, `.gt.`
    Gt,
    /// `>=`, `.ge.`
    Ge,
    /// `.and.`
    And,
    /// `.or.`
    Or,
    /// `.eqv.`
    Eqv,
    /// `.neqv.`
    Neqv,
    /// `.name.`
    Defined(Name),
}

impl BinaryOp {
    /// The spelling; `.op.` for all defined operators.
    pub fn spelling(self) -> &'static str {
        match self {
            BinaryOp::Pow => "**",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Concat => "//",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "/=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::And => ".and.",
            BinaryOp::Or => ".or.",
            BinaryOp::Eqv => ".eqv.",
            BinaryOp::Neqv => ".neqv.",
            BinaryOp::Defined(_) => ".op.",
        }
    }
}
