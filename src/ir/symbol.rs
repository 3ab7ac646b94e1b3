//! Symbols and where they live.

use crate::{Area, Expr, Mapping, Sym, Type};
use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;

/// One dimension of an array. Bounds are `INTEGER(8)` expressions of constants and of register
/// symbols that are defined before the array's first use and never again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dim {
    /// Lower bound.
    pub lower: Expr,
    /// Upper bound; none in the last dimension of an assumed-size array.
    pub upper: PackedOption<Expr>,
    /// The distance in bytes of neighbours, an expression under the same rules; none if the elements lie as
    /// the dimensions before leave them: without gaps.
    pub stride: PackedOption<Expr>,
}

impl Dim {
    /// `lower : upper`, without gaps.
    pub fn new(lower: Expr, upper: impl Into<PackedOption<Expr>>) -> Dim {
        Dim { lower, upper: upper.into(), stride: None.into() }
    }

    /// The bounds and the stride.
    pub fn exprs(&self) -> impl Iterator<Item = Expr> + use<> {
        [Some(self.lower), self.upper.expand(), self.stride.expand()].into_iter().flatten()
    }

    /// The same with `f` applied to the bounds and the stride.
    pub fn map(&self, mut f: impl FnMut(Expr) -> Expr) -> Dim {
        Dim {
            lower: f(self.lower),
            upper: self.upper.expand().map(&mut f).into(),
            stride: self.stride.expand().map(&mut f).into(),
        }
    }
}

/// The storage of a symbol; alias analysis has to know no more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// A scalar without an address. As the actual argument of a call it is stored to a slot before
    /// the call and, if the access allows writing, loaded after it.
    Register,
    /// Memory on the stack, of constant size, private to this activation.
    Frame,
    /// Static memory at `offset` bytes into `area`. Two symbols alias exactly if they overlap there.
    Static {
        /// The area.
        area: Area,
        /// Offset in bytes.
        offset: u64,
    },
    /// A dummy argument by reference: parameter number `index` is its address. Fortran lets the
    /// optimizer assume that it aliases nothing that is written.
    Dummy {
        /// Position in [`Unit::params`](crate::Unit::params).
        index: u32,
    },
    /// A parameter by value (a hidden character length, VALUE): a register defined at entry.
    Value {
        /// Position in [`Unit::params`](crate::Unit::params).
        index: u32,
    },
    /// Memory whose address is the value of the register `base` (`INTEGER(8)`): allocatable and
    /// automatic arrays, temporaries. Two of them alias only if they have the same base.
    Pointer {
        /// The register that holds the address.
        base: Sym,
    },
    /// A part of the memory of `root`, which is `Frame`, `Dummy` or `Pointer`: a component of a structure.
    Within {
        /// The whole.
        root: Sym,
        /// Offset in bytes.
        offset: u64,
    },
}

/// INTENT of a dummy argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[allow(missing_docs)]
pub enum Intent {
    #[default]
    Unknown,
    In,
    Out,
    InOut,
}

/// A symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymData {
    /// The source name in lower case; of compiler temporaries a name with a dot, such as `t.3`.
    pub name: String,
    /// The type of the scalar or of an element.
    pub ty: Type,
    /// The length of a `CHARACTER` in bytes, an `INTEGER(8)` expression under the rules of [`Dim`].
    pub len: PackedOption<Expr>,
    /// Dimensions, leftmost (stride one) first; none for a scalar.
    pub dims: SmallVec<[Dim; 2]>,
    /// Its storage.
    pub storage: Storage,
    /// INTENT, of a dummy.
    pub intent: Intent,
    /// Whether it may alias other such symbols and dummies (TARGET, POINTER).
    pub may_alias: bool,
    /// Whether calls may also pass the address of this parameter by value, which the entry of the procedure loads then.
    pub is_loaded: bool,
    /// Declared by the source, as opposed to made by the compiler.
    pub from_source: bool,
    /// The mapping of its elements onto processors, if directives give one.
    pub mapping: PackedOption<Mapping>,
    /// The words of the descriptor, if this is the memory of an ALLOCATABLE component. The memory of an object that is no target
    /// belongs to one component, so memory behind descriptors at different places is apart. None: it may be anybody's.
    pub owner: PackedOption<Sym>,
}

/// The beginning of the names of symbols that only count.
pub const FOR_COUNTS: &str = "ghost";

impl SymData {
    /// A scalar of the compiler's own, of which nothing else is known.
    pub fn scalar(name: String, ty: Type, storage: Storage) -> SymData {
        SymData {
            name,
            ty,
            len: None.into(),
            dims: SmallVec::new(),
            storage,
            intent: Intent::Unknown,
            may_alias: false,
            is_loaded: false,
            from_source: false,
            mapping: None.into(),
            owner: None.into(),
        }
    }

    /// Whether the elements lie without gaps.
    pub fn is_contiguous(&self) -> bool {
        self.dims.iter().all(|d| d.stride.is_none())
    }

    /// Whether only counting code mentions it: no analysis of the program may look at it.
    pub fn is_for_counts(&self) -> bool {
        !self.from_source && self.name.starts_with(FOR_COUNTS)
    }

    /// Whether it is a scalar without an address.
    pub fn is_register(&self) -> bool {
        matches!(self.storage, Storage::Register | Storage::Value { .. })
    }
}

/// The visibility of a piece of static memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Linkage {
    /// This object only, and procedures that a unit calls do not touch it.
    Local,
    /// This object only. Procedures that a unit calls may touch it: the unit itself, called again, or one that was inlined.
    Shared,
    /// Defined here, visible to other objects.
    Export,
    /// Defined in another object.
    Import,
    /// A COMMON block: every object that names it may define it, the largest wins.
    Common,
}

/// A piece of static memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AreaData {
    /// The linker symbol. Areas of different units with the same symbol are the same memory.
    pub symbol: String,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// Its visibility.
    pub linkage: Linkage,
    /// Initial content, `size` bytes; empty for zeros (or undefined).
    pub init: Vec<u8>,
    /// Addresses in the content: the place, the linker symbol of an area of the unit or of a procedure, and the number added to its
    /// address.
    pub addresses: Vec<(u64, String, i64)>,
}

/// A procedure that the unit calls.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ProcData {
    /// The linker symbol (`name_`; `__module_MOD_name` for a module procedure).
    pub symbol: String,
    /// The name in the source.
    pub name: String,
    /// Type of a function's value returned in registers.
    pub result: Option<Type>,
    /// No side effects: the call can go if its result is unused (PURE functions).
    pub is_pure: bool,
    /// Known to return to its caller: no STOP, no input/output, no unknown call in it. Counts of a loop
    /// with such calls can be hoisted out of it.
    pub always_returns: bool,
    /// From the C library (`sin`, `pow` …): arguments by value, nothing read or written in memory.
    pub is_libm: bool,
}

impl ProcData {
    /// Whether the call goes to an address, which is the first argument ([`crate::Bridge`]).
    pub fn is_by_address(&self) -> bool {
        self.symbol.starts_with(crate::THROUGH)
    }
}
