//! The declarations of the source, for debuggers. Nothing that is compiled depends on them.

use crate::{Sym, Type};

/// The declarations of one procedure, module or BLOCK DATA unit.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Declared {
    /// The module that it is, or is in.
    pub module: Option<String>,
    /// The linker symbol of the host of an internal procedure.
    pub host: Option<String>,
    /// The modules that it uses, in order.
    pub uses: Vec<String>,
    /// The variables, in the order of their declarations.
    pub variables: Vec<Variable>,
    /// The derived types that it defines, as indices into [`crate::Program::structures`].
    pub structures: Vec<u32>,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name, lower case.
    pub name: String,
    /// The line of the declaration, in the file of the procedure; 0 if it is in another.
    pub line: u32,
    /// Its type, and its dimensions where they are constant.
    pub ty: DataType,
    /// Its home.
    pub home: Home,
    /// Whether it is a dummy argument.
    pub is_argument: bool,
    /// The register that says whether an optional argument is there: 0 if not.
    pub present: Option<Sym>,
    /// The linker symbol of the COMMON block that it is in.
    pub common: Option<String>,
    /// The module that declares a variable which the procedure only mentions.
    pub of_module: Option<String>,
    /// The first and last line of the construct that it belongs to: BLOCK or ASSOCIATE.
    pub lines: Option<(u32, u32)>,
}

/// The home of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Home {
    /// A symbol of the unit.
    Sym(Sym),
    /// A pointer or allocatable whose registers are a symbol's, and which is kept in static memory as well: as an address, or for an
    /// array as a descriptor.
    Shared {
        /// The linker symbol of the memory.
        area: String,
        /// Offset in bytes.
        offset: u64,
        /// The symbol.
        sym: Option<Sym>,
    },
    /// The part of an array that an associate name stands for.
    Part {
        /// The array.
        sym: Sym,
        /// Its subscripts.
        subs: Vec<Subscript>,
    },
}

/// A subscript that nothing changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subscript {
    /// One index.
    At(Index),
    /// Lower and upper bound, and the distance.
    Range(Index, Index, Index),
}

/// An integer that nothing changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Index {
    /// A constant.
    Known(i64),
    /// The value of a register.
    Of(Sym),
}

impl Home {
    /// The registers that say which part of an array it is.
    pub fn registers(&self) -> impl Iterator<Item = Sym> + '_ {
        registers(if let Home::Part { subs, .. } = self { subs } else { &[] })
    }
}

/// The registers in subscripts.
pub fn registers(subs: &[Subscript]) -> impl Iterator<Item = Sym> + '_ {
    let of = |i: Index| if let Index::Of(v) = i { Some(v) } else { None };
    let all = subs.iter().flat_map(move |s| match *s {
        Subscript::At(i) => [of(i), None, None],
        Subscript::Range(lo, hi, step) => [of(lo), of(hi), of(step)],
    });
    all.flatten()
}

/// A procedure that was inlined: the symbols of the unit that its variables became.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inlined {
    /// The calls that it was inlined by.
    pub via: trueline_provenance::Chain,
    /// Its linker symbol.
    pub symbol: String,
    /// Its symbols, in order, with their counterparts.
    pub places: Vec<(Sym, Counterpart)>,
}

/// A scalar in the memory of a variable that the unit keeps in a register instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InRegister {
    /// The variable.
    pub memory: Sym,
    /// The distance of the scalar from its beginning, in bytes.
    pub offset: u64,
    /// The register, whose type is that of the scalar.
    pub register: Sym,
}

/// A symbol of the unit that stands for one of an inlined procedure.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Counterpart {
    /// A symbol of its own: a local variable, or a copy of an argument.
    Own(Sym),
    /// The actual argument.
    Actual(Sym),
    /// An element of the actual argument, or the sequence that begins there.
    Element(Sym, Vec<Index>),
}

/// A data type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataType {
    /// The type of an element; `Char` of a structure.
    pub ty: Type,
    /// The derived type, as an index into [`crate::Program::structures`].
    pub structure: Option<u32>,
    /// The length of a `CHARACTER`, where it is constant.
    pub len: Option<i64>,
    /// Lower and upper bounds, where they are constant.
    pub dims: Vec<(Option<i64>, Option<i64>)>,
    /// POINTER or ALLOCATABLE.
    pub is_indirect: bool,
}

/// A derived type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Structure {
    /// The name, lower case.
    pub name: String,
    /// Bytes.
    pub size: i64,
    /// The components in order.
    pub components: Vec<Component>,
}

/// A component of a derived type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// The name, lower case.
    pub name: String,
    /// Offset in bytes.
    pub offset: i64,
    /// Its type.
    pub ty: DataType,
}
