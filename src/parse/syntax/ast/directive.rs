//! Directives: comments that say something to the compiler.

use trueline_diag::Span;

use super::{ArraySpec, Entity, ExprId, Ident, TextId};

/// A directive.
#[derive(Clone, Debug)]
pub enum Directive {
    /// `!HPF$`
    Hpf(Hpf),
    /// `!$OMP`
    Omp(TextDirective),
    /// `!$OMPI`
    Ompi(TextDirective),
    /// `!TL$`
    Trueline(TextDirective),
}

/// A directive that is kept as text.
#[derive(Clone, Debug)]
pub struct TextDirective {
    /// The leading words that name it, in lower case with single blanks: `parallel do`, `end parallel`.
    pub name: TextId,
    /// The text after the name, continuations joined, in lower case outside of character constants.
    pub clauses: TextId,
}

/// The HPF directives.
#[derive(Clone, Debug)]
pub enum Hpf {
    /// PROCESSORS, TEMPLATE, DISTRIBUTE, ALIGN, DYNAMIC, INHERIT and combined forms: attributes of entities.
    Declare {
        /// The attributes.
        attrs: Vec<HpfAttr>,
        /// The entities that have the attributes, each with the dimensions given at its name.
        entities: Vec<Entity>,
    },
    /// REDISTRIBUTE: executable.
    Redistribute {
        /// The new distribution.
        distribution: Distribution,
        /// The arrays or templates that get it.
        targets: Vec<Ident>,
    },
    /// REALIGN: executable.
    Realign {
        /// The new alignment.
        alignment: Alignment,
        /// The arrays or templates that get it.
        targets: Vec<Ident>,
    },
    /// SEQUENCE, NO SEQUENCE: without items, everything.
    Sequence {
        /// Not NO SEQUENCE.
        on: bool,
        /// Variables and COMMON blocks.
        items: Vec<super::SaveItem>,
    },
    /// INDEPENDENT, before a DO or FORALL.
    Independent(Clauses),
    /// ON HOME (target), before a statement or, with BEGIN, up to END ON.
    OnHome {
        /// The variable whose owner executes.
        target: ExprId,
        /// With BEGIN.
        begin: bool,
        /// Its clauses.
        clauses: Clauses,
    },
    /// END ON
    EndOn,
    /// RESIDENT (names) and its like: kept for the record.
    Resident {
        /// The local variables; empty for everything.
        items: Vec<ExprId>,
        /// With BEGIN.
        begin: bool,
    },
    /// END RESIDENT
    EndResident,
    /// One directive that stands for several: `ALIGN a(i), b(i) WITH t(i)`.
    Several(Vec<Hpf>),
}

/// An HPF attribute of an entity.
#[derive(Clone, Debug)]
pub struct HpfAttr {
    /// The attribute.
    pub kind: HpfAttrKind,
    /// The place in the source.
    pub span: Span,
}

/// The HPF attributes.
#[derive(Clone, Debug)]
pub enum HpfAttrKind {
    /// PROCESSORS
    Processors,
    /// TEMPLATE
    Template,
    /// DIMENSION(…)
    Dimension(ArraySpec),
    /// DYNAMIC
    Dynamic,
    /// INHERIT
    Inherit,
    /// DISTRIBUTE
    Distribute(Distribution),
    /// ALIGN
    Align(Alignment),
    /// SHADOW: one for each dimension.
    Shadow(Vec<Shadow>),
    /// RANGE: the distributions that the array may have, one of which it has at any time.
    Range(Vec<Vec<DistFormat>>),
}

/// The elements kept beside the local part of a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shadow {
    /// Below.
    pub low: ExprId,
    /// Above.
    pub high: ExprId,
}

/// The formats of a DISTRIBUTE and the processors.
#[derive(Clone, Debug)]
pub struct Distribution {
    /// One for each dimension; absent when left out.
    pub formats: Option<Vec<DistFormat>>,
    /// `*` before the formats: the dummy's distribution is asserted, not made.
    pub descriptive: bool,
    /// ONTO
    pub onto: Option<Onto>,
    /// The place in the source.
    pub span: Span,
}

/// ONTO processors
#[derive(Clone, Copy, Debug)]
pub enum Onto {
    /// A processor arrangement (or a section of one).
    Processors(ExprId),
    /// `*` alone: whatever it is.
    Any,
    /// `*` and a processor arrangement: asserted.
    Asserted(ExprId),
}

/// The distribution of one dimension.
#[derive(Clone, Copy, Debug)]
pub struct DistFormat {
    /// How.
    pub kind: DistKind,
    /// The size in parentheses (an array for GEN_BLOCK and INDIRECT).
    pub size: Option<ExprId>,
    /// `SHADOW=` in the parentheses.
    pub shadow: Option<Shadow>,
    /// The place in the source.
    pub span: Span,
}

/// The ways of distributing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DistKind {
    /// BLOCK
    Block,
    /// CYCLIC
    Cyclic,
    /// GEN_BLOCK
    GenBlock,
    /// INDIRECT
    Indirect,
    /// `*`: not distributed.
    Collapsed,
    /// ALL, in RANGE: any format.
    All,
    /// `BLOCK()` or `CYCLIC()`, in RANGE: with any size.
    AnyBlock,
    /// `CYCLIC()`
    AnyCyclic,
}

/// `(source) WITH target(subscripts)`
#[derive(Clone, Debug)]
pub struct Alignment {
    /// One for each dimension of the aligned array; absent when left out.
    pub source: Option<Vec<AlignSource>>,
    /// `*` before the target: asserted; `WITH *` alone: no target.
    pub descriptive: bool,
    /// The array or template; absent in `WITH *`.
    pub target: Option<Ident>,
    /// The subscripts of the target.
    pub subscripts: Vec<AlignSubscript>,
    /// The place in the source.
    pub span: Span,
}

/// One dimension of an aligned array.
#[derive(Clone, Copy, Debug)]
pub enum AlignSource {
    /// A dummy variable of the alignment.
    Name(Ident),
    /// `:`
    Colon(Span),
    /// `*`: collapsed.
    Star(Span),
}

/// One subscript of an alignment target.
#[derive(Clone, Copy, Debug)]
pub enum AlignSubscript {
    /// An expression in at most one dummy variable.
    Expr(ExprId),
    /// `lo:hi:step`
    Section {
        /// The lower bound.
        lo: Option<ExprId>,
        /// The upper bound.
        hi: Option<ExprId>,
        /// The stride.
        step: Option<ExprId>,
        /// The place in the source.
        span: Span,
    },
    /// `*`: replicated.
    Star(Span),
}

/// The clauses of INDEPENDENT and ON.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    /// NEW (variables)
    pub new: Vec<Ident>,
    /// REDUCTION (variables), each with its operation if that is given.
    pub reduction: Vec<(Option<ReductionOp>, ExprId)>,
    /// `INDEPENDENT (i, j)`: the variables of the loops it is about.
    pub loops: Vec<Ident>,
    /// ON HOME (target)
    pub home: Option<ExprId>,
    /// RESIDENT (names), and whether the clause is there at all.
    pub resident: Option<Vec<ExprId>>,
}

/// The operation of a REDUCTION clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "they are named as Fortran names them")]
pub enum ReductionOp {
    Add,
    Multiply,
    And,
    Or,
    Eqv,
    Neqv,
    Max,
    Min,
    Iand,
    Ior,
    Ieor,
}

/// EXTRINSIC(…) before a procedure or another program unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extrinsic {
    /// The model by which its code runs.
    pub model: Model,
    /// The place in the source.
    pub span: Span,
}

/// The models of extrinsic procedures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// HPF: one thread of control for all processors.
    Global,
    /// HPF_LOCAL: each processor runs it on its part.
    Local,
    /// HPF_SERIAL: one processor runs it.
    Serial,
}
