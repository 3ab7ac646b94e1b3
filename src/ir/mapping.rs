//! Mappings: how the elements of an array are spread over the processors of a grid.
//!
//! An array dimension is *collapsed*, or it is *on* a dimension of the grid: the element with subscript `i` lies at position `stride * i +
//! offset` of a template, whose positions are dealt out to the coordinates of that grid dimension by a format. Alignments of any length
//! are composed into this one step by the front end, so a mapping never names another array's mapping.
//!
//! A mapping has no effect on code: no pass for one processor reads it. [`Placement`] tells owners, once shape and number of processors are known.

mod owner;
mod residue;
mod shape;

pub use owner::{Placement, Share, Span, balanced};
pub use shape::Shape;

use crate::Sym;
use smallvec::SmallVec;
use trueline_provenance::Serial;

/// The mapping of an array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MappingData {
    /// The processors.
    pub grid: Grid,
    /// One for each dimension of the array; empty if the mapping is inherited.
    pub axes: SmallVec<[Axis; 2]>,
    /// The dimensions of the grid, from 0, that no dimension of the array is on, in ascending order.
    pub others: SmallVec<[(u8, Other); 2]>,
    /// The origin of the mapping.
    pub origin: Origin,
    /// REDISTRIBUTE and REALIGN may change it.
    pub dynamic: bool,
    /// SHADOW: the elements kept below and above the local part of each dimension; empty for none.
    pub shadow: SmallVec<[(u64, u64); 2]>,
    /// The directive that says so; none if it stands in a module that is compiled elsewhere.
    pub serial: Option<Serial>,
}

/// The arrangement of processors.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Grid {
    /// The name in the source; none if the compiler chooses the arrangement.
    pub name: Option<String>,
    /// One for each dimension; none for the scalar arrangement, on which everything is replicated.
    pub extents: SmallVec<[GridExtent; 2]>,
}

/// The extent of one dimension of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GridExtent {
    /// A number of processors.
    Known(u64),
    /// The number of all processors, divided by this.
    Ranks(u64),
    /// Chosen when the number of processors is known, as equal to the other free ones as possible.
    Free,
    /// An expression that is evaluated when the program runs.
    Unknown,
}

/// One dimension of an array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Axis {
    /// On no dimension of the grid: each processor that has any of it has all.
    Collapsed,
    /// On a dimension of the grid.
    On {
        /// The dimension of the grid, from 0.
        grid_dim: u8,
        /// The position in the template.
        place: Linear,
        /// The format by which positions are dealt out.
        format: Format,
        /// The positions of the template.
        template: Extents,
    },
}

/// A grid dimension that no dimension of the array is on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Other {
    /// Each coordinate has a copy.
    Replicated,
    /// All elements are at one position of the template.
    Fixed {
        /// The position; none if it is an expression that is evaluated when the program runs.
        position: Option<i64>,
        /// The format by which positions are dealt out.
        format: Format,
        /// The positions of the template.
        template: Extents,
    },
}

/// `stride * i + offset`; a part is none if it is an expression that is evaluated when the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Linear {
    /// The factor, never zero.
    pub stride: Option<i64>,
    /// The constant.
    pub offset: Option<i64>,
}

/// The way in which positions of a template are dealt out to the coordinates of a grid dimension.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Neighbouring positions together: this many each.
    Block(Size),
    /// Blocks of this many, dealt out in turn.
    Cyclic(Size),
    /// The numbers of positions of the coordinates, one after the other.
    GenBlock(Values),
    /// The coordinate of each position, from 0.
    Indirect(Values),
}

/// The size of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Size {
    /// As the standard has it where none is given: the smallest that suffices for BLOCK, 1 for CYCLIC.
    Default,
    /// A positive number.
    Known(u64),
    /// The value that a scalar of the unit has at its entry.
    Of(Sym),
    /// An expression that is evaluated when the program runs.
    Unknown,
}

/// The array that GEN_BLOCK and INDIRECT name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Values {
    /// Its elements.
    Known(Vec<i64>),
    /// A variable of the unit.
    Of(Sym),
    /// An expression that is evaluated when the program runs.
    Unknown,
}

/// The bounds of one dimension of a template.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extents {
    /// Lower and upper bound.
    Known(i64, i64),
    /// The bounds of a dimension, from 0, of an array of the unit.
    Of(Sym, u8),
    /// Expressions that are evaluated when the program runs.
    Unknown,
}

/// The party that decides on the mapping of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// The directive: a dummy argument is remapped if it comes with another mapping.
    Prescribed,
    /// The caller; the directive asserts how it is.
    Described,
    /// The caller, and nothing is known of it (INHERIT, or `*`).
    Inherited,
}

impl MappingData {
    /// Whether nothing is known of it: it is that of the actual argument.
    pub fn is_inherited(&self) -> bool {
        self.origin == Origin::Inherited && self.axes.is_empty()
    }

    /// Applies `f` to every symbol that the mapping names; where it gives none, the values become unknown.
    pub fn with_syms(&self, f: impl Fn(Sym) -> Option<Sym>) -> MappingData {
        let mut new = self.clone();
        let values = |format: &mut Format| {
            if let Format::GenBlock(v) | Format::Indirect(v) = format
                && let Values::Of(s) = v
            {
                *v = f(*s).map_or(Values::Unknown, Values::Of);
            }
            if let Format::Block(size) | Format::Cyclic(size) = format
                && let Size::Of(s) = *size
            {
                *size = f(s).map_or(Size::Unknown, Size::Of);
            }
        };
        let extents = |x: &mut Extents| {
            if let Extents::Of(s, d) = *x {
                *x = f(s).map_or(Extents::Unknown, |s| Extents::Of(s, d));
            }
        };
        for axis in &mut new.axes {
            if let Axis::On { format, template, .. } = axis {
                values(format);
                extents(template);
            }
        }
        for (_, other) in &mut new.others {
            if let Other::Fixed { format, template, .. } = other {
                values(format);
                extents(template);
            }
        }
        new
    }

    /// The symbols that it names.
    pub fn syms(&self) -> Vec<Sym> {
        let found = std::cell::RefCell::new(Vec::new());
        self.with_syms(|s| {
            found.borrow_mut().push(s);
            Some(s)
        });
        found.into_inner()
    }
}
