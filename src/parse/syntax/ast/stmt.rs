//! Statements.

use trueline_diag::Span;

use super::{
    ArgList, Attr, AttrKind, Bind, BlockId, Directive, Entity, ExprId, ExprList, GenericSpec, Ident, LabelRef, Param,
    StmtId, TextId, TypeSpec, UnitId,
};

/// A statement and where it stands.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The kind.
    pub kind: StmtKind,
    /// Its own text (of a construct: the head), from the first to the last character, over continuation lines.
    pub span: Span,
    /// Its label.
    pub label: Option<LabelRef>,
}

/// The forms of a statement. Constructs own their blocks; their ELSE, CASE and END statements are statements too, referred to by
/// the construct and by nothing else.
#[derive(Clone, Debug)]
pub enum StmtKind {
    // Executable statements.
    /// `target = value`; leading ones of a body may be statement functions.
    Assign {
        /// The left side.
        target: ExprId,
        /// The right side.
        value: ExprId,
    },
    /// `target => value`
    PointerAssign {
        /// The pointer.
        target: ExprId,
        /// The new target.
        value: ExprId,
    },
    /// CALL
    Call {
        /// The procedure: a name or a component.
        callee: ExprId,
        /// The arguments.
        args: ArgList,
    },
    /// CONTINUE
    Continue,
    /// GO TO
    Goto(LabelRef),
    /// GO TO (labels), selector
    ComputedGoto(Box<ComputedGoto>),
    /// GO TO variable, (labels)
    AssignedGoto(Box<AssignedGoto>),
    /// ASSIGN label TO variable
    AssignLabel {
        /// The label.
        label: LabelRef,
        /// The variable.
        var: Ident,
    },
    /// IF (cond) stmt
    IfLogical {
        /// The condition.
        cond: ExprId,
        /// The statement that depends on it.
        body: StmtId,
    },
    /// IF (value) negative, zero, positive
    IfArith {
        /// The value.
        value: ExprId,
        /// The labels to go to when it is negative, zero, positive.
        labels: Box<[LabelRef; 3]>,
    },
    /// IF (…) THEN … END IF
    If(Box<IfConstruct>),
    /// ELSE IF (cond) THEN: the head of an arm.
    ElseIf {
        /// The condition.
        cond: ExprId,
    },
    /// ELSE: the head of an arm.
    Else,
    /// SELECT CASE … END SELECT
    Select(Box<SelectConstruct>),
    /// CASE: the head of an arm.
    Case(CaseSelector),
    /// DO … END DO, and DO label …
    Do(Box<DoConstruct>),
    /// WHERE (mask) assignment
    WhereStmt {
        /// The mask.
        mask: ExprId,
        /// The assignment.
        body: StmtId,
    },
    /// WHERE … END WHERE
    Where(Box<WhereConstruct>),
    /// ELSEWHERE, ELSEWHERE (mask): the head of an arm.
    Elsewhere {
        /// The mask.
        mask: Option<ExprId>,
    },
    /// FORALL (…) assignment
    ForallStmt {
        /// The indices and the mask.
        header: Box<ForallHeader>,
        /// The assignment.
        body: StmtId,
    },
    /// FORALL … END FORALL
    Forall(Box<ForallConstruct>),
    /// ASSOCIATE … END ASSOCIATE
    Associate(Box<AssociateConstruct>),
    /// BLOCK … END BLOCK
    Block(Box<BlockConstruct>),
    /// CYCLE
    Cycle(Option<Ident>),
    /// EXIT
    Exit(Option<Ident>),
    /// RETURN
    Return(Option<ExprId>),
    /// STOP, ERROR STOP
    Stop {
        /// The code or message.
        code: Option<ExprId>,
        /// `QUIET = expression`: the keyword as it is written, and the expression.
        quiet: Option<(Ident, ExprId)>,
        /// True for ERROR STOP.
        error: bool,
    },
    /// PAUSE
    Pause(Option<ExprId>),
    /// ALLOCATE
    Allocate(Box<Allocate>),
    /// DEALLOCATE: no type, no SOURCE=, no MOLD=.
    Deallocate(Box<Allocate>),
    /// NULLIFY
    Nullify(ExprList),
    /// All input and output statements.
    Io(Box<Io>),

    // Statements that are neither.
    /// FORMAT: the text from `(` to `)`; Holleriths and strings are as in the source.
    Format(TextId),
    /// ENTRY, in its place in the body (or in the specification part).
    Entry(Box<Entry>),
    /// The header of a unit; its parts are in [`super::Unit`].
    Header,
    /// CONTAINS
    Contains,
    /// The END of a unit or construct.
    End {
        /// The name after it.
        name: Option<Ident>,
    },
    /// A directive.
    Directive(Box<Directive>),

    // Specification statements.
    /// `type, attributes :: entities`
    TypeDecl(Box<TypeDecl>),
    /// ALLOCATABLE, ASYNCHRONOUS, CONTIGUOUS, DIMENSION, EXTERNAL, INTENT, INTRINSIC, OPTIONAL, POINTER, PROTECTED, TARGET, VALUE, VOLATILE.
    /// DIMENSION has its bounds at the entities, and an empty list in the attribute.
    Attr {
        /// The attribute.
        attr: AttrKind,
        /// The entities that get it.
        entities: Vec<Entity>,
    },
    /// POINTER (pointer, pointee), …: Cray pointers with their pointees.
    CrayPointers(Vec<(Ident, Entity)>),
    /// RECORD /structure/ names, …
    Records(Vec<TypeDecl>),
    /// UNION, MAP and their ENDs in a STRUCTURE.
    Overlay(Overlay),
    /// PUBLIC, PRIVATE: without items, the default of the module (or, in a type, of its components).
    Access {
        /// PUBLIC.
        public: bool,
        /// The items.
        items: Vec<GenericSpec>,
    },
    /// SAVE: without items, everything.
    Save(Vec<SaveItem>),
    /// BIND(C) :: names
    BindStmt {
        /// The binding.
        bind: Bind,
        /// The variables and COMMON blocks.
        items: Vec<SaveItem>,
    },
    /// PARAMETER (name = value, …)
    Parameter(Vec<(Ident, ExprId)>),
    /// COMMON
    Common(Vec<CommonBlock>),
    /// EQUIVALENCE (a, b), (c, d): one list for each set.
    Equivalence(Vec<ExprList>),
    /// DATA
    Data(Vec<DataGroup>),
    /// IMPLICIT NONE
    ImplicitNone {
        /// Names have no implicit type.
        types: bool,
        /// External procedures must be declared.
        external: bool,
    },
    /// IMPLICIT type (letters)
    Implicit(Vec<ImplicitRule>),
    /// NAMELIST
    Namelist(Vec<NamelistGroup>),
    /// USE
    Use(Box<Use>),
    /// IMPORT: without names, everything.
    Import(Vec<Ident>),
    /// PROCEDURE names, or MODULE PROCEDURE names, in an interface block.
    ModuleProcedure {
        /// With the word MODULE.
        module: bool,
        /// The procedures.
        names: Vec<Ident>,
    },
    /// PROCEDURE(interface), attributes :: names
    ProcedureDecl(Box<ProcedureDecl>),
    /// TYPE … END TYPE
    DerivedType(Box<DerivedType>),
    /// SEQUENCE, in a derived type.
    Sequence,
    /// INTERFACE … END INTERFACE
    Interface(Box<Interface>),
    /// ENUM, BIND(C) … END ENUM
    Enum(Box<EnumDef>),

    /// A statement with an error that has been reported.
    Error,
}

/// GO TO (labels), selector
#[derive(Clone, Debug)]
pub struct ComputedGoto {
    /// The targets.
    pub labels: Vec<LabelRef>,
    /// The number of the target.
    pub selector: ExprId,
}

/// GO TO variable, (labels)
#[derive(Clone, Debug)]
pub struct AssignedGoto {
    /// The variable.
    pub var: Ident,
    /// The targets it may have; empty when not given.
    pub labels: Vec<LabelRef>,
}

/// An IF construct.
#[derive(Clone, Debug)]
pub struct IfConstruct {
    /// The construct name.
    pub name: Option<Ident>,
    /// The condition of the IF itself.
    pub cond: ExprId,
    /// The block of the IF itself.
    pub then: BlockId,
    /// The ELSE IF and ELSE arms.
    pub arms: Vec<Arm>,
    /// The END IF.
    pub end: Option<StmtId>,
}

/// A further arm of a construct: its head statement and its block.
#[derive(Clone, Copy, Debug)]
pub struct Arm {
    /// The [`StmtKind::ElseIf`], [`StmtKind::Else`], [`StmtKind::Case`] or [`StmtKind::Elsewhere`].
    pub head: StmtId,
    /// The block below it.
    pub body: BlockId,
}

/// A SELECT CASE construct.
#[derive(Clone, Debug)]
pub struct SelectConstruct {
    /// The construct name.
    pub name: Option<Ident>,
    /// The compared value.
    pub selector: ExprId,
    /// The CASE arms.
    pub arms: Vec<Arm>,
    /// The END SELECT.
    pub end: Option<StmtId>,
}

/// The values that a CASE selects.
#[derive(Clone, Debug)]
pub enum CaseSelector {
    /// CASE DEFAULT
    Default,
    /// CASE (ranges)
    Ranges(Vec<CaseRange>),
}

/// One item of a CASE.
#[derive(Clone, Copy, Debug)]
pub struct CaseRange {
    /// The lowest value; absent in `:hi`.
    pub lo: Option<ExprId>,
    /// The highest value; absent in `lo:`; the same as `lo` in a single value.
    pub hi: Option<ExprId>,
    /// The place in the source.
    pub span: Span,
}

/// A DO construct of any form.
#[derive(Clone, Debug)]
pub struct DoConstruct {
    /// The construct name.
    pub name: Option<Ident>,
    /// The label of the terminal statement of `DO label`.
    pub label: Option<LabelRef>,
    /// The control.
    pub control: DoControl,
    /// The body. The labelled terminal statement of `DO label` is the last statement of the innermost loop that it ends; the loops
    /// outside that it ends as well stop after that loop.
    pub body: BlockId,
    /// The END DO; absent when a terminal statement ends the loop.
    pub end: Option<StmtId>,
    /// The terminal statement of `DO label`, in this body or (when shared) in that of an inner loop.
    pub terminal: Option<StmtId>,
}

/// The control of a DO.
#[derive(Clone, Debug)]
pub enum DoControl {
    /// Nothing: DO … EXIT … END DO.
    Forever,
    /// var = from, to, step
    Count {
        /// The variable, a name.
        var: Ident,
        /// The first value.
        from: ExprId,
        /// The last value.
        to: ExprId,
        /// The step.
        step: Option<ExprId>,
    },
    /// WHILE (cond)
    While(ExprId),
    /// CONCURRENT (…)
    Concurrent(Box<ForallHeader>),
}

/// A WHERE construct.
#[derive(Clone, Debug)]
pub struct WhereConstruct {
    /// The construct name.
    pub name: Option<Ident>,
    /// The mask of the WHERE itself.
    pub mask: ExprId,
    /// The block of the WHERE itself.
    pub body: BlockId,
    /// The ELSEWHERE arms.
    pub arms: Vec<Arm>,
    /// The END WHERE.
    pub end: Option<StmtId>,
}

/// The parentheses of a FORALL or DO CONCURRENT.
#[derive(Clone, Debug)]
pub struct ForallHeader {
    /// `integer ::` before the indices.
    pub ty: Option<TypeSpec>,
    /// The indices.
    pub triplets: Vec<ForallTriplet>,
    /// The mask.
    pub mask: Option<ExprId>,
    /// The place in the source.
    pub span: Span,
}

/// `index = lo:hi:step`
#[derive(Clone, Copy, Debug)]
pub struct ForallTriplet {
    /// The index.
    pub index: Ident,
    /// The lower bound.
    pub lo: ExprId,
    /// The upper bound.
    pub hi: ExprId,
    /// The stride.
    pub step: Option<ExprId>,
}

/// A FORALL construct.
#[derive(Clone, Debug)]
pub struct ForallConstruct {
    /// The construct name.
    pub name: Option<Ident>,
    /// The indices and the mask.
    pub header: ForallHeader,
    /// The body.
    pub body: BlockId,
    /// The END FORALL.
    pub end: Option<StmtId>,
}

/// An ASSOCIATE construct.
#[derive(Clone, Debug)]
pub struct AssociateConstruct {
    /// The construct name.
    pub name: Option<Ident>,
    /// name => selector
    pub associations: Vec<(Ident, ExprId)>,
    /// The body.
    pub body: BlockId,
    /// The END ASSOCIATE.
    pub end: Option<StmtId>,
}

/// A BLOCK construct.
#[derive(Clone, Debug)]
pub struct BlockConstruct {
    /// The construct name.
    pub name: Option<Ident>,
    /// Its specification statements.
    pub spec: Vec<StmtId>,
    /// The body.
    pub body: BlockId,
    /// The END BLOCK.
    pub end: Option<StmtId>,
}

/// ALLOCATE or DEALLOCATE.
#[derive(Clone, Debug)]
pub struct Allocate {
    /// `type ::`
    pub ty: Option<TypeSpec>,
    /// The objects; the shape is the last argument list of a [`super::ExprKind::Call`], its bounds are sections.
    pub objects: ExprList,
    /// STAT=, ERRMSG=, SOURCE=, MOLD=, in lower case.
    pub options: Vec<(AllocOption, Span, ExprId)>,
}

/// The options of ALLOCATE and DEALLOCATE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllocOption {
    /// STAT=
    Stat,
    /// ERRMSG=
    Errmsg,
    /// SOURCE=
    Source,
    /// MOLD=
    Mold,
}

/// An input or output statement.
#[derive(Clone, Debug)]
pub struct Io {
    /// Which.
    pub kind: IoKind,
    /// The control list. Positional items have got their names: UNIT, then FMT (READ and WRITE; for PRINT and `READ fmt`, FMT alone).
    /// `NML=` and a namelist group as format cannot be told apart here: both are possible under FMT.
    pub controls: Vec<IoControl>,
    /// The items: expressions and implied DOs.
    pub items: ExprList,
}

/// The input and output statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IoKind {
    /// READ
    Read,
    /// WRITE
    Write,
    /// PRINT
    Print,
    /// OPEN
    Open,
    /// CLOSE
    Close,
    /// INQUIRE
    Inquire,
    /// REWIND
    Rewind,
    /// BACKSPACE
    Backspace,
    /// ENDFILE
    Endfile,
    /// FLUSH
    Flush,
    /// WAIT
    Wait,
}

/// One specifier of a control list.
#[derive(Clone, Copy, Debug)]
pub struct IoControl {
    /// Which.
    pub spec: IoSpec,
    /// Its value.
    pub value: IoValue,
    /// The place in the source, with the keyword.
    pub span: Span,
}

/// The value of a specifier.
#[derive(Clone, Copy, Debug)]
pub enum IoValue {
    /// An expression.
    Expr(ExprId),
    /// `*`
    Star,
    /// A label: ERR=, END=, EOR=, FMT=.
    Label(LabelRef),
}

/// The specifiers of all input and output statements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "they are named as Fortran names them")]
pub enum IoSpec {
    Access,
    Action,
    Advance,
    Asynchronous,
    Blank,
    Carriagecontrol,
    Convert,
    Decimal,
    Delim,
    Direct,
    Encoding,
    End,
    Eor,
    Err,
    Exist,
    File,
    Fmt,
    Form,
    Formatted,
    Id,
    Iolength,
    Iomsg,
    Iostat,
    Name,
    Named,
    Newunit,
    Nextrec,
    Nml,
    Number,
    Opened,
    Pad,
    Pending,
    Pos,
    Position,
    Read,
    Readonly,
    Readwrite,
    Rec,
    Recl,
    Round,
    Sequential,
    Share,
    Sign,
    Size,
    Status,
    Stream,
    Unformatted,
    Unit,
    Write,
}

/// An ENTRY.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name.
    pub name: Ident,
    /// The dummy arguments.
    pub params: Vec<Param>,
    /// RESULT(name).
    pub result: Option<Ident>,
    /// BIND(C).
    pub bind: Option<Bind>,
}

/// A type declaration.
#[derive(Clone, Debug)]
pub struct TypeDecl {
    /// The type.
    pub ty: TypeSpec,
    /// The attributes.
    pub attrs: Vec<Attr>,
    /// The declared entities.
    pub entities: Vec<Entity>,
}

/// An item of SAVE or BIND.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SaveItem {
    /// A variable.
    Name(Ident),
    /// A COMMON block.
    Common(Ident),
}

/// One block of a COMMON statement.
#[derive(Clone, Debug)]
pub struct CommonBlock {
    /// The name; absent for blank COMMON.
    pub name: Option<Ident>,
    /// The members.
    pub items: Vec<Entity>,
}

/// One group of a DATA statement: targets / values /.
#[derive(Clone, Debug)]
pub struct DataGroup {
    /// Variables, elements, sections, substrings and implied DOs.
    pub targets: ExprList,
    /// The values.
    pub values: Vec<DataValue>,
    /// The place in the source.
    pub span: Span,
}

/// One value of a DATA statement.
#[derive(Clone, Copy, Debug)]
pub struct DataValue {
    /// `repeat *`: an integer constant or a name.
    pub repeat: Option<ExprId>,
    /// The constant.
    pub value: ExprId,
}

/// One rule of an IMPLICIT statement.
#[derive(Clone, Debug)]
pub struct ImplicitRule {
    /// The type.
    pub ty: TypeSpec,
    /// The letters `a`–`z` from and to, both included, in order.
    pub letters: Vec<(u8, u8)>,
    /// The place in the source.
    pub span: Span,
}

/// One group of a NAMELIST statement.
#[derive(Clone, Debug)]
pub struct NamelistGroup {
    /// The group.
    pub name: Ident,
    /// The variables.
    pub items: Vec<Ident>,
}

/// A USE statement.
#[derive(Clone, Debug)]
pub struct Use {
    /// The module.
    pub module: Ident,
    /// USE, INTRINSIC :: (true) or USE, NON_INTRINSIC :: (false).
    pub intrinsic: Option<bool>,
    /// With ONLY.
    pub only: bool,
    /// The renames, or the items of ONLY.
    pub items: Vec<UseItem>,
}

/// `local => name`, or a name alone.
#[derive(Clone, Copy, Debug)]
pub struct UseItem {
    /// The local name of a rename.
    pub local: Option<GenericSpec>,
    /// The name in the module.
    pub name: GenericSpec,
}

/// A procedure declaration.
#[derive(Clone, Debug)]
pub struct ProcedureDecl {
    /// The interface: nothing, a name or a type.
    pub interface: ProcedureInterface,
    /// The attributes.
    pub attrs: Vec<Attr>,
    /// The declared entities.
    pub entities: Vec<Entity>,
}

/// The parentheses of PROCEDURE(…).
#[derive(Clone, Debug)]
pub enum ProcedureInterface {
    /// Empty.
    None,
    /// The name of an interface or procedure.
    Name(Ident),
    /// A type.
    Type(TypeSpec),
}

/// A part of a UNION in a STRUCTURE, whose maps share memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlay {
    /// UNION: its maps begin at the same byte.
    Union,
    /// MAP: components of a union one after the other.
    Map,
    /// END MAP
    EndMap,
    /// END UNION
    EndUnion,
}

/// A derived type definition.
#[derive(Clone, Debug)]
pub struct DerivedType {
    /// The name.
    pub name: Ident,
    /// PUBLIC, PRIVATE, BIND(C).
    pub attrs: Vec<Attr>,
    /// Component declarations, PRIVATE and SEQUENCE statements, in order.
    pub items: Vec<StmtId>,
    /// For a STRUCTURE in another one, the components of this type in the outer one.
    pub fields: Option<Vec<Entity>>,
    /// The END TYPE.
    pub end: Option<StmtId>,
}

/// An interface block.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The name or operator that it defines.
    pub generic: Option<GenericSpec>,
    /// ABSTRACT INTERFACE.
    pub is_abstract: bool,
    /// The interface bodies.
    pub bodies: Vec<UnitId>,
    /// The [`StmtKind::ModuleProcedure`] statements (and directives).
    pub procedures: Vec<StmtId>,
    /// The END INTERFACE.
    pub end: Option<StmtId>,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct EnumDef {
    /// The enumerators in order, with their values.
    pub items: Vec<(Ident, Option<ExprId>)>,
    /// The END ENUM.
    pub end: Option<StmtId>,
}
