//! Symbols: the meanings of names in the source.
//!
//! Symbols of all scopes of a compilation share one arena ([`crate::Declarations`]), so an imported
//! name *is* the module's symbol, and a host's variable is the same symbol in its internal procedures.
//! Expressions that a declaration could not fold stay ids into the AST of the symbol's own scope.

use crate::constant::Const;
use cranelift_entity::entity_impl;
use trueline_diag::Span;
use trueline_ir::{Intent, Linkage, Type};
use trueline_syntax::ast::ExprId;

/// A symbol of the compilation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(u32);
entity_impl!(SymbolId, "name");

/// A scope.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeId(u32);
entity_impl!(ScopeId, "scope");

/// A derived type of the compilation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructureId(u32);
entity_impl!(StructureId, "type");

/// A piece of static memory of the compilation. Becomes a `trueline_ir::Area` in each unit that uses it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StaticId(u32);
entity_impl!(StaticId, "static");

/// A bound of a dimension, or a character length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Known at compile time.
    Known(i64),
    /// Evaluated at entry to the procedure; an expression of the AST of the symbol's scope.
    Entry(ExprId),
    /// `:`, set by ALLOCATE (or by the actual argument of an assumed-shape dummy).
    Deferred,
    /// `*`: the last upper bound of an assumed-size array, the length of an assumed-length dummy.
    Assumed,
}

impl Extent {
    /// The value when it is known at compile time.
    pub fn known(self) -> Option<i64> {
        match self {
            Extent::Known(v) => Some(v),
            _ => None,
        }
    }

    /// The expression that is evaluated at entry.
    pub fn computed(self) -> Option<ExprId> {
        match self {
            Extent::Entry(x) => Some(x),
            _ => None,
        }
    }
}

/// One declared dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Lower bound; `Known(1)` when the source gives none.
    pub lower: Extent,
    /// Upper bound.
    pub upper: Extent,
}

impl Bounds {
    /// Bounds that are both known.
    pub fn known(lower: i64, upper: i64) -> Bounds {
        Bounds { lower: Extent::Known(lower), upper: Extent::Known(upper) }
    }

    /// The number of elements when both bounds are known.
    pub fn size(self) -> Option<i64> {
        let (lo, hi) = (self.lower.known()?, self.upper.known()?);
        Some(hi.checked_sub(lo)?.checked_add(1)?.max(0))
    }
}

/// Attributes that a declaration gives.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[allow(missing_docs)]
pub struct Attributes {
    pub allocatable: bool,
    pub pointer: bool,
    pub target: bool,
    /// It is a target only because an internal procedure reaches it that a pointer points to.
    pub reached: bool,
    pub optional: bool,
    pub save: bool,
    pub external: bool,
    pub intrinsic: bool,
    pub value: bool,
    pub volatile: bool,
    pub private: bool,
    pub public: bool,
    /// Named in a type statement, as opposed to typed by the IMPLICIT rules.
    pub typed: bool,
    /// Initialised in a type statement or by DATA.
    pub initialised: bool,
    /// In a COMMON block.
    pub common: bool,
    /// In an EQUIVALENCE set.
    pub equivalenced: bool,
    /// The variable of a function's result.
    pub result: bool,
    /// Only procedures of its module change it.
    pub protected: bool,
    /// An internal procedure that is passed as an argument may reach it: it has an address.
    pub closure: bool,
    /// The name of an ASSOCIATE, or the index of a construct: it stands for something else.
    pub associate: bool,
    /// CONTIGUOUS: its elements have no gaps between them.
    pub contiguous: bool,
    /// TYPE(*): a dummy argument of any type.
    pub assumed_type: bool,
    /// AUTOMATIC: not saved.
    pub automatic: bool,
    /// Some statement gives it a value or may do so.
    pub referenced: bool,
}

/// The place of a variable in a piece of the stack that others share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overlay {
    /// One of the variables that share it, the same for all.
    pub first: SymbolId,
    /// Offset of the variable in bytes.
    pub offset: u64,
    /// The bytes of the whole.
    pub size: u64,
}

/// The home of a variable; decided once all specification statements of its scope are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// Not a variable, or not decided yet.
    None,
    /// A scalar without an address: local, numeric or logical, not saved.
    Register,
    /// On the stack, of constant size.
    Frame,
    /// `offset` bytes into static memory. A module allocatable's descriptor: the address of its data,
    /// then the lower and the upper bound of each dimension, each 8 bytes.
    Static {
        /// The memory.
        area: StaticId,
        /// Offset in bytes.
        offset: u64,
    },
    /// Dummy argument number `position` of the procedure's own list, from 0.
    Dummy {
        /// Position in [`Procedure::dummies`].
        position: u32,
    },
    /// An automatic array or character: memory obtained at entry, freed at exit.
    Automatic,
    /// A local allocatable: base address and bounds in registers.
    Allocatable,
}

/// The origin of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcedureClass {
    /// A global procedure, wherever it is defined.
    External,
    /// Contained in a module.
    Module,
    /// Contained in a program or procedure.
    Internal,
    /// A dummy argument.
    Dummy,
    /// An intrinsic of the language.
    Intrinsic,
}

/// The way a procedure is invoked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcedureKind {
    /// By CALL.
    Subroutine,
    /// In an expression.
    Function,
    /// EXTERNAL alone says neither.
    Unknown,
}

/// The properties of a procedure.
#[derive(Clone, PartialEq, Debug)]
pub struct Procedure {
    /// The way of invoking it.
    pub kind: ProcedureKind,
    /// The origin.
    pub class: ProcedureClass,
    /// The linker symbol; empty for dummies and intrinsics.
    pub linker: String,
    /// The dummy arguments, when there is a definition or an interface body; none for `*`.
    pub dummies: Vec<Option<SymbolId>>,
    /// The variable that holds a function's value, when there is a definition or an interface body.
    pub result: Option<SymbolId>,
    /// The scope of the definition or of the interface body.
    pub scope: Option<ScopeId>,
    /// The interface is known to callers (module, internal, interface block, statement function). An
    /// external procedure defined in this compilation has a scope, but its interface stays implicit.
    pub explicit: bool,
    /// PURE (or ELEMENTAL).
    pub is_pure: bool,
    /// ELEMENTAL.
    pub is_elemental: bool,
    /// RECURSIVE.
    pub is_recursive: bool,
    /// PROCEDURE(name): the procedure whose interface it has, until that is known.
    pub like: Option<SymbolId>,
    /// BIND(C): characters come without a hidden length.
    pub is_c: bool,
}

impl Procedure {
    /// A procedure of which only the name is known.
    pub fn unknown(class: ProcedureClass, kind: ProcedureKind, name: &str) -> Procedure {
        Procedure {
            kind,
            class,
            linker: if class == ProcedureClass::External { format!("{name}_") } else { String::new() },
            dummies: Vec::new(),
            result: None,
            scope: None,
            explicit: false,
            is_pure: false,
            is_elemental: false,
            is_recursive: false,
            like: None,
            is_c: false,
        }
    }
}

/// The kind of a symbol. Common blocks and construct names have name spaces of their own.
#[derive(Clone, PartialEq, Debug)]
pub enum SymbolKind {
    /// Named in a specification statement, but nothing decides its kind yet.
    Unknown,
    /// A variable, scalar or array.
    Variable,
    /// A named constant; [`Symbol::value`] is its value, none after an error in it.
    Parameter,
    /// A procedure.
    Procedure(Box<Procedure>),
    /// A statement function.
    StatementFunction {
        /// Its dummy arguments: they share name, type and symbol with a variable of the scope.
        dummies: Vec<SymbolId>,
        /// The expression.
        body: ExprId,
    },
    /// A module.
    Module(ScopeId),
    /// The main program.
    Program(ScopeId),
    /// A BLOCK DATA unit.
    BlockData(ScopeId),
    /// A NAMELIST group.
    Namelist(Vec<SymbolId>),
    /// A generic name: the specific procedures.
    Generic(Vec<SymbolId>),
    /// A derived type.
    DerivedType(StructureId),
    /// An HPF processor arrangement; its shape is [`Symbol::shape`].
    Processors,
    /// An HPF template; its shape is [`Symbol::shape`].
    Template,
    /// Its declaration was in error; uses give no further diagnostics.
    Error,
}

/// A symbol.
#[derive(Clone, PartialEq, Debug)]
pub struct Symbol {
    /// The name, lower case.
    pub name: String,
    /// The kind.
    pub kind: SymbolKind,
    /// The type of a variable, a constant, or a function's value; none for symbols without a type.
    pub ty: Option<Type>,
    /// The derived type, if it is of one. Its [`Symbol::ty`] is then `Char` and [`Symbol::len`] its bytes: to
    /// the IR a structure is a string of bytes.
    pub structure: Option<StructureId>,
    /// The length if the type is `CHARACTER`. If length or dimensions of a function depend on its
    /// arguments, [`Procedure::result`] has them.
    pub len: Extent,
    /// The dimensions; empty for a scalar.
    pub shape: Vec<Bounds>,
    /// Attributes.
    pub attrs: Attributes,
    /// INTENT of a dummy argument.
    pub intent: Intent,
    /// The home of a variable.
    pub home: Home,
    /// The value of a named constant, or the value at entry of a register of the main program.
    pub value: Option<Const>,
    /// The place where the name is declared, or first used if it never is.
    pub span: Span,
    /// The procedure that has the interface of a procedure pointer, which is a variable that holds an address.
    pub interface: Option<SymbolId>,
    /// The piece of the stack that it shares by EQUIVALENCE.
    pub overlay: Option<Overlay>,
    /// The Cray pointer that holds its address.
    pub cray_pointer: Option<SymbolId>,
    /// The linker symbol that BIND(C) gives a variable.
    pub bind: Option<String>,
    /// The scope that owns it: where its declaration and its [`Extent::Entry`] expressions stand.
    pub scope: ScopeId,
}

impl Symbol {
    /// A symbol of which only the name is known.
    pub fn new(name: &str, span: Span, scope: ScopeId) -> Symbol {
        Symbol {
            name: name.to_owned(),
            kind: SymbolKind::Unknown,
            ty: None,
            structure: None,
            len: Extent::Known(1),
            shape: Vec::new(),
            attrs: Attributes::default(),
            intent: Intent::Unknown,
            home: Home::None,
            value: None,
            interface: None,
            overlay: None,
            cray_pointer: None,
            bind: None,
            span,
            scope,
        }
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        !self.shape.is_empty()
    }

    /// Whether it is of type `CHARACTER`.
    pub fn is_character(&self) -> bool {
        self.ty == Some(Type::Char) && self.structure.is_none()
    }

    /// Whether it is ALLOCATABLE or a POINTER.
    pub fn is_indirect(&self) -> bool {
        self.attrs.allocatable || self.attrs.pointer
    }

    /// Whether pointers, closures or others may reach it for longer than a call: it has an address of its own, and is never kept in a
    /// register alone.
    pub fn has_lasting_address(&self) -> bool {
        self.attrs.target || self.attrs.volatile || self.attrs.closure
    }

    /// The bounds that are evaluated at entry.
    pub fn computed_bounds(&self) -> impl Iterator<Item = ExprId> {
        self.shape.iter().flat_map(|b| [b.lower, b.upper]).filter_map(Extent::computed)
    }

    /// The bounds and the length that are evaluated at entry.
    pub fn computed_extents(&self) -> impl Iterator<Item = ExprId> {
        self.computed_bounds().chain(self.len.computed())
    }

    /// Whether it is a variable.
    pub fn is_variable(&self) -> bool {
        self.kind == SymbolKind::Variable
    }

    /// Whether its last dimension is `*`.
    pub fn is_assumed_size(&self) -> bool {
        self.shape.last().is_some_and(|d| d.upper == Extent::Assumed)
    }

    /// The procedure that it is.
    pub fn procedure(&self) -> Option<&Procedure> {
        match &self.kind {
            SymbolKind::Procedure(p) => Some(p),
            _ => None,
        }
    }

    /// The number of elements when every bound is known; 1 for a scalar.
    pub fn element_count(&self) -> Option<i64> {
        self.shape.iter().try_fold(1i64, |n, d| n.checked_mul(d.size()?))
    }

    /// The size of an element in bytes, when it is known.
    pub fn element_size(&self) -> Option<i64> {
        match self.ty? {
            Type::Char => self.len.known().map(|n| n.max(0)),
            ty => Some(ty.size() as i64),
        }
    }
}

/// A piece of static memory.
#[derive(Clone, PartialEq, Debug)]
pub struct StaticData {
    /// The linker symbol.
    pub symbol: String,
    /// Size in bytes; for a COMMON block the largest of the compilation.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// The visibility to other objects.
    pub linkage: Linkage,
    /// Initial content; empty for zeros.
    pub init: Vec<u8>,
    /// Addresses in the content: the offset, the memory pointed to, and the offset in that memory.
    pub addresses: Vec<(u64, StaticId, i64)>,
    /// Addresses of procedures in the content: where, and the linker symbol.
    pub procedures: Vec<(u64, String)>,
    /// The scope whose unit carries the content, so that it is in the object once.
    pub owner: ScopeId,
}

/// Whether a dummy argument takes its extents from the actual one.
pub fn is_assumed_shape(s: &Symbol) -> bool {
    !s.is_indirect() && s.shape.iter().any(|b| b.upper == Extent::Deferred)
}

/// Whether an assumed-shape dummy argument is the actual argument itself, with its gaps: pointers to a TARGET point to that
/// after the call, too (Fortran 2003, 12.4.1.2).
pub fn has_strides(s: &Symbol) -> bool {
    s.attrs.target && !s.attrs.contiguous && is_assumed_shape(s)
}

/// Whether a symbol is an internal procedure.
pub fn is_internal(s: &Symbol) -> bool {
    s.procedure().is_some_and(|p| p.class == ProcedureClass::Internal)
}
