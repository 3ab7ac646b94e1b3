//! Derived types: their components and how they lie in memory.
//!
//! A structure is laid out as gfortran (and C) lays it out: each component at the next multiple of its
//! alignment, the whole padded to a multiple of the largest. A POINTER or ALLOCATABLE component is an
//! address, or for an array a descriptor of words: address, kind, rank and bounds.

use crate::constant::Scalar;
pub use crate::scope::symbol::StructureId;
use crate::scope::symbol::{Bounds, Extent, ScopeId, StaticId, SymbolId};
use cranelift_entity::PrimaryMap;
use trueline_diag::Span;
use trueline_ir::Type;
use trueline_syntax::ast::ExprId;

/// The bytes of a descriptor before its dimensions, and of each of those.
pub const DESCRIPTOR_HEAD: i64 = 40;
/// The bytes of a dimension in a descriptor.
pub const DESCRIPTOR_DIM: i64 = 24;

/// The bytes of the address or descriptor of a POINTER or ALLOCATABLE of that rank.
pub fn descriptor_size(rank: usize) -> i64 {
    if rank == 0 { 8 } else { DESCRIPTOR_HEAD + DESCRIPTOR_DIM * rank as i64 }
}

/// The initial content of a component without an explicit value.
#[derive(Clone, PartialEq, Debug)]
pub enum Default {
    /// It is undefined.
    None,
    /// `= value`, laid down as bytes.
    Bytes(Vec<u8>),
}

/// A component.
#[derive(Clone, PartialEq, Debug)]
pub struct Component {
    /// The name, lower case.
    pub name: String,
    /// The place of the declaration.
    pub span: Span,
    /// The type; `Char` of a structure, whose bytes are [`Component::len`].
    pub ty: Type,
    /// The derived type, if it is of one.
    pub structure: Option<StructureId>,
    /// The length of a `CHARACTER`, the bytes of a structure.
    pub len: Extent,
    /// Dimensions.
    pub shape: Vec<Bounds>,
    /// ALLOCATABLE.
    pub allocatable: bool,
    /// POINTER.
    pub pointer: bool,
    /// Hidden from users of the module.
    pub private: bool,
    /// The procedure that has the interface of a procedure pointer, which holds an address.
    pub interface: Option<SymbolId>,
    /// Offset of its first byte.
    pub offset: i64,
    /// The offset of a deferred length.
    pub len_offset: Option<i64>,
    /// The content by default.
    pub default: Default,
    /// The expression of the default, for a constructor.
    pub has_default: bool,
    /// The default target of a pointer: an expression of the AST of the structure's scope.
    pub target: Option<ExprId>,
}

impl Component {
    /// A scalar component of which only name and type are known.
    pub fn new(name: &str, span: Span, ty: Type) -> Component {
        Component {
            name: name.to_owned(),
            span,
            ty,
            structure: None,
            len: Extent::Known(1),
            shape: Vec::new(),
            allocatable: false,
            pointer: false,
            private: false,
            interface: None,
            offset: 0,
            len_offset: None,
            default: Default::None,
            has_default: false,
            target: None,
        }
    }

    /// Whether the structure holds its address or descriptor only.
    pub fn is_indirect(&self) -> bool {
        self.allocatable || self.pointer
    }

    /// The bytes of an element.
    pub fn element_size(&self) -> i64 {
        match self.ty {
            Type::Char => self.len.known().unwrap_or(0),
            ty => ty.size() as i64,
        }
    }

    /// The number of its elements; 1 for a scalar.
    pub fn count(&self) -> i64 {
        self.shape.iter().map(|b| b.size().unwrap_or(0)).fold(1, i64::saturating_mul)
    }

    /// The bytes it takes in the structure.
    pub fn size(&self) -> i64 {
        if self.is_indirect() {
            return descriptor_size(self.shape.len());
        }
        self.element_size().saturating_mul(self.count())
    }
}

/// A derived type.
#[derive(Clone, PartialEq, Debug)]
pub struct Structure {
    /// The name.
    pub name: String,
    /// Its symbol.
    pub symbol: SymbolId,
    /// The scope that defines it.
    pub scope: ScopeId,
    /// The functions of the generic interface that has the name of the type.
    pub constructors: Vec<SymbolId>,
    /// The components in order.
    pub components: Vec<Component>,
    /// The UNIONs and MAPs of a STRUCTURE: before which component they begin and end.
    pub overlays: Vec<(usize, trueline_syntax::ast::Overlay)>,
    /// Bytes.
    pub size: i64,
    /// Alignment in bytes.
    pub align: i64,
    /// SEQUENCE (or BIND(C)).
    pub sequence: bool,
    /// The definition has been read.
    pub complete: bool,
    /// Something in it is ALLOCATABLE: assignment copies its memory, the end of its life frees it.
    pub owns: bool,
    /// Something in it is a POINTER to data.
    pub has_pointers: bool,
    /// The initial bytes of a variable without an initial value, if some of them are defined.
    pub initial: Option<Vec<u8>>,
    /// Some of those bytes are addresses: a constructor is no constant.
    pub has_targets: bool,
    /// Which, once all variables have their homes.
    pub addresses: Vec<(u64, Address)>,
}

/// An address in the content of static memory.
#[derive(Clone, PartialEq, Debug)]
pub enum Address {
    /// Static memory, and an offset in it.
    Memory(StaticId, i64),
    /// The linker symbol of a procedure.
    Procedure(String),
}

impl Structure {
    /// A type of which only the name is known.
    pub fn new(name: &str, symbol: SymbolId, scope: ScopeId) -> Structure {
        Structure {
            name: name.to_owned(),
            symbol,
            scope,
            constructors: Vec::new(),
            components: Vec::new(),
            overlays: Vec::new(),
            size: 0,
            align: 1,
            sequence: false,
            complete: false,
            owns: false,
            has_pointers: false,
            initial: None,
            has_targets: false,
            addresses: Vec::new(),
        }
    }

    /// Whether something in it is an address: a POINTER, or a TYPE(C_PTR).
    pub fn holds_addresses(&self, structures: &PrimaryMap<StructureId, Structure>) -> bool {
        let inner = |c: &Component| {
            let structure = c.structure.filter(|_| !c.is_indirect());
            structure.is_some_and(|id| structures[id].holds_addresses(structures))
        };
        self.has_pointers || self.name == "c_ptr" || self.components.iter().any(inner)
    }

    /// The position of the component `name`.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.components.iter().position(|c| c.name == name)
    }
}

/// The bytes of a constant as a component (or an element of it).
pub fn constant_bytes(v: &Scalar, c: &Component) -> Option<Vec<u8>> {
    let size = c.element_size() as usize;
    if c.structure.is_some() {
        return v.as_text().filter(|t| t.len() == size).map(<[u8]>::to_vec);
    }
    let v = match c.ty {
        Type::Char => crate::constant::resize_text(v, size),
        ty => crate::constant::convert(v, ty)?,
    };
    v.bytes(c.ty, size)
}

/// A variable's default content: `count` times the structure's.
pub fn repeated(bytes: &[u8], count: i64) -> Vec<u8> {
    bytes.repeat(usize::try_from(count).unwrap_or(0))
}
