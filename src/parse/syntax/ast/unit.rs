//! Program units.

use trueline_diag::Span;

use super::{Bind, BlockId, Ident, StmtId, TypeSpec, UnitId};

/// A program unit, a contained procedure or an interface body.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The kind.
    pub kind: UnitKind,
    /// The name; absent for a main program without PROGRAM and a BLOCK DATA without a name.
    pub name: Option<Ident>,
    /// The header statement ([`super::StmtKind::Header`]); absent for a main program without PROGRAM.
    pub header: Option<StmtId>,
    /// RECURSIVE, PURE, ELEMENTAL … and the type before FUNCTION.
    pub prefix: Prefix,
    /// The dummy arguments of a procedure.
    pub params: Vec<Param>,
    /// RESULT(name).
    pub result: Option<Ident>,
    /// BIND(C).
    pub bind: Option<Bind>,
    /// The specification statements in order, with directives among them. FORMAT, DATA and NAMELIST statements are all here,
    /// even if they stand between executable ones.
    pub spec: Vec<StmtId>,
    /// The execution part. The leading assignments to `name(names…)` may turn out to be statement functions: sema decides,
    /// by whether the name is an array.
    pub body: BlockId,
    /// The CONTAINS statement.
    pub contains: Option<StmtId>,
    /// The procedures after CONTAINS.
    pub contained: Vec<UnitId>,
    /// The END statement; absent when it is missing (which has been reported).
    pub end: Option<StmtId>,
    /// The unit that contains this one (or whose interface block does).
    pub host: Option<UnitId>,
    /// From the header to the END, in the file of the header.
    pub span: Span,
}

/// The kinds of program units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnitKind {
    /// PROGRAM, or a main program without a header.
    Program,
    /// SUBROUTINE
    Subroutine,
    /// FUNCTION
    Function,
    /// MODULE
    Module,
    /// BLOCK DATA
    BlockData,
}

/// The words before SUBROUTINE or FUNCTION.
#[derive(Clone, Debug, Default)]
pub struct Prefix {
    /// The type of the function.
    pub ty: Option<TypeSpec>,
    /// RECURSIVE
    pub recursive: bool,
    /// PURE
    pub pure: bool,
    /// ELEMENTAL
    pub elemental: bool,
    /// IMPURE
    pub impure: bool,
    /// EXTRINSIC
    pub extrinsic: Option<super::Extrinsic>,
}

/// A dummy argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Param {
    /// A name.
    Name(Ident),
    /// `*`: an alternate return.
    Star(Span),
}
