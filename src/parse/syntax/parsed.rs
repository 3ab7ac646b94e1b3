//! Results of the grammar for one statement, before blocks are built of them.

use crate::ast::*;

/// A statement on its own.
#[derive(Clone, Debug)]
pub enum Parsed {
    /// A statement that is complete.
    Stmt(StmtKind),
    /// The head of a logical IF; its statement follows.
    LogicalIf(ExprId),
    /// IF (…) THEN
    If(ExprId),
    /// ELSE IF
    ElseIf(ExprId, Option<Ident>),
    /// ELSE
    Else(Option<Ident>),
    /// SELECT CASE
    Select(ExprId),
    /// CASE
    Case(CaseSelector, Option<Ident>),
    /// DO
    Do(Option<LabelRef>, DoControl),
    /// The head of a WHERE construct
    Where(ExprId),
    /// The head of a WHERE statement; its assignment follows.
    WhereStmt(ExprId),
    /// ELSEWHERE
    Elsewhere(Option<ExprId>, Option<Ident>),
    /// The head of a FORALL construct
    Forall(Box<ForallHeader>),
    /// The head of a FORALL statement; its assignment follows.
    ForallStmt(Box<ForallHeader>),
    /// ASSOCIATE
    Associate(Vec<(Ident, ExprId)>),
    /// BLOCK
    Block,
    /// The END of anything
    End(EndKind, Option<Ident>),
    /// END INTERFACE OPERATOR (…) or ASSIGNMENT (=)
    EndInterface(GenericSpec),
    /// The header of a program unit
    Header(Box<Header>),
    /// CONTAINS
    Contains,
    /// The head of a derived type
    TypeDef(Vec<Attr>, Ident),
    /// The head of a STRUCTURE, with the components of that type around it
    Structure(Ident, Vec<Entity>),
    /// INTERFACE, and whether ABSTRACT
    Interface(Option<GenericSpec>, bool),
    /// ENUM
    Enum,
    /// ENUMERATOR
    Enumerators(Vec<(Ident, Option<ExprId>)>),
}

impl Parsed {
    /// The header of a unit without arguments.
    pub fn header(kind: HeaderKind, name: Option<Ident>) -> Self {
        Parsed::Header(Box::new(Header {
            kind,
            name,
            prefix: Prefix::default(),
            params: Vec::new(),
            result: None,
            bind: None,
        }))
    }
}

/// The kind of unit or construct that an END ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndKind {
    /// END alone
    Unit,
    /// END PROGRAM, END SUBROUTINE …
    Header(HeaderKind),
    /// END PROCEDURE, of a separate module procedure
    Procedure,
    /// END IF
    If,
    /// END DO
    Do,
    /// END SELECT
    Select,
    /// END WHERE
    Where,
    /// END FORALL
    Forall,
    /// END ASSOCIATE
    Associate,
    /// END BLOCK
    Block,
    /// END TYPE
    Type,
    /// END INTERFACE
    Interface,
    /// END ENUM
    Enum,
    /// END STRUCTURE
    Structure,
    /// END UNION
    Union,
    /// END MAP
    Map,
}

impl EndKind {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            EndKind::Unit => "END",
            EndKind::Header(HeaderKind::Program) => "END PROGRAM",
            EndKind::Header(HeaderKind::Subroutine) => "END SUBROUTINE",
            EndKind::Header(HeaderKind::Function) => "END FUNCTION",
            EndKind::Header(HeaderKind::Module) => "END MODULE",
            EndKind::Header(HeaderKind::BlockData) => "END BLOCK DATA",
            EndKind::Procedure => "END PROCEDURE",
            EndKind::If => "END IF",
            EndKind::Do => "END DO",
            EndKind::Select => "END SELECT",
            EndKind::Where => "END WHERE",
            EndKind::Forall => "END FORALL",
            EndKind::Associate => "END ASSOCIATE",
            EndKind::Block => "END BLOCK",
            EndKind::Type => "END TYPE",
            EndKind::Interface => "END INTERFACE",
            EndKind::Enum => "END ENUM",
            EndKind::Structure => "END STRUCTURE",
            EndKind::Union => "END UNION",
            EndKind::Map => "END MAP",
        }
    }
}

/// The kinds of units.
pub type HeaderKind = UnitKind;

/// The header of a program unit.
#[derive(Clone, Debug)]
pub struct Header {
    /// The kind.
    pub kind: HeaderKind,
    /// The name.
    pub name: Option<Ident>,
    /// The words before SUBROUTINE or FUNCTION.
    pub prefix: Prefix,
    /// The dummy arguments.
    pub params: Vec<Param>,
    /// RESULT
    pub result: Option<Ident>,
    /// BIND(C)
    pub bind: Option<Bind>,
}

/// One word before SUBROUTINE or FUNCTION.
#[derive(Clone, Debug)]
pub enum PrefixItem {
    /// The type.
    Type(TypeSpec),
    /// RECURSIVE
    Recursive,
    /// PURE
    Pure,
    /// ELEMENTAL
    Elemental,
    /// IMPURE
    Impure,
}

/// A part after the dummy arguments.
#[derive(Clone, Copy, Debug)]
pub enum Suffix {
    /// RESULT(name)
    Result(Ident),
    /// BIND(C)
    Bind(Bind),
}
