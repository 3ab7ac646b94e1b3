//! Values, places and descriptors in IR, as lowering hands them about.

use smallvec::SmallVec;
use trueline_ir::{Expr, Sym};
use trueline_sema::scope::symbol::SymbolId;

/// The end of a compilation whose checks let a program through that they should have refused: a bug of ours, told with the place in
/// lowering and the procedure.
#[track_caller]
pub(crate) fn refused() -> ! {
    panic!("the checks let something through at {}", std::panic::Location::caller())
}

/// Ends the compilation as [`refused`] does, unless `holds`.
#[track_caller]
pub(crate) fn checked_that(holds: bool) {
    if !holds {
        refused();
    }
}

/// Values that the checks have made sure of.
pub(crate) trait Checked<T> {
    /// The value; without one, as [`refused`].
    fn checked(self) -> T;
}

impl<T> Checked<T> for Option<T> {
    #[track_caller]
    fn checked(self) -> T {
        match self {
            Some(value) => value,
            None => refused(),
        }
    }
}

impl<T, E> Checked<T> for Result<T, E> {
    #[track_caller]
    fn checked(self) -> T {
        self.ok().checked()
    }
}

/// A lowered expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Val {
    /// The value, or the place of a CHARACTER.
    pub(crate) e: Expr,
    /// The length of a CHARACTER.
    pub(crate) len: Option<Expr>,
}

impl Val {
    /// A value that is not a CHARACTER.
    pub(crate) fn plain(e: Expr) -> Val {
        Val { e, len: None }
    }
}

impl From<Str> for Val {
    fn from(s: Str) -> Val {
        Val { e: s.place, len: Some(s.len) }
    }
}

/// A CHARACTER value: a place, of some rank, and the length of each of its elements (`INTEGER(8)`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Str {
    /// The place.
    pub(crate) place: Expr,
    /// The length of an element.
    pub(crate) len: Expr,
}

/// The form that a variable of the source has in the unit.
#[derive(Clone)]
pub(crate) struct Binding {
    /// The IR symbol.
    pub(crate) sym: Sym,
    /// The descriptor of an allocatable.
    pub(crate) descriptor: Option<Descriptor>,
}

/// Names that stand for values, innermost last: implied-DO variables, FORALL indices, arguments of statement functions.
/// They hide the variable of that name.
#[derive(Default)]
pub(crate) struct Hidden {
    names: Vec<SymbolId>,
    values: Vec<Val>,
    /// The number of names that do not count inside the statement function being expanded.
    floor: usize,
}

impl Hidden {
    /// Lets a name stand for a value from here on.
    pub(crate) fn push(&mut self, (name, value): (SymbolId, Val)) {
        self.names.push(name);
        self.values.push(value);
    }

    /// Adds several.
    pub(crate) fn extend(&mut self, all: impl IntoIterator<Item = (SymbolId, Val)>) {
        all.into_iter().for_each(|hidden| self.push(hidden));
    }

    /// Forgets the last `count` names.
    pub(crate) fn drop_last(&mut self, count: usize) {
        let left = self.names.len().saturating_sub(count);
        self.names.truncate(left);
        self.values.truncate(left);
    }

    /// The names that count here.
    pub(crate) fn names(&self) -> &[SymbolId] {
        &self.names[self.floor..]
    }

    /// The value that a name stands for, if it counts here.
    pub(crate) fn find(&self, name: SymbolId) -> Option<Val> {
        let k = self.names().iter().rposition(|&hidden| hidden == name)?;
        Some(self.values[self.floor + k])
    }

    /// Lets only names that follow count; gives the old floor for [`Hidden::restore`].
    pub(crate) fn close(&mut self) -> usize {
        std::mem::replace(&mut self.floor, self.names.len())
    }

    /// Undoes [`Hidden::close`].
    pub(crate) fn restore(&mut self, floor: usize) {
        self.floor = floor;
    }
}

/// The meaning of an associate name.
#[derive(Clone, Copy)]
pub(crate) struct Associate {
    /// The variable or part of one, its subscripts evaluated; or the value.
    pub(crate) value: Val,
    /// The variable it is, or is part of; none for a value.
    pub(crate) root: Option<SymbolId>,
}

/// The address and the bounds of a pointer or allocatable.
#[derive(Clone)]
pub(crate) struct Descriptor {
    /// The register of the address, 0 when it is not allocated or associated.
    pub(crate) base: Sym,
    /// The registers of lower and upper bounds, in pairs.
    pub(crate) bounds: SmallVec<[Sym; 4]>,
    /// Whether it is that of a POINTER, not of an ALLOCATABLE.
    pub(crate) is_pointer: bool,
    /// A function returned it: as a value it has bounds from 1, whatever the function gave it.
    pub(crate) is_result: bool,
    /// The registers of the strides in units, if it is that of a pointer.
    pub(crate) strides: SmallVec<[Sym; 2]>,
    /// The register of the bytes in a unit, if it is that of a pointer to an array.
    pub(crate) span: Option<Sym>,
    /// The register of a deferred length.
    pub(crate) len: Option<Sym>,
    /// The memory each of the registers is kept in; empty when they are all there is.
    pub(crate) memory: SmallVec<[Expr; 8]>,
    /// The descriptor in memory, if it is whole there.
    pub(crate) words: Option<Words>,
    /// The bytes of an element; a `CHARACTER` of deferred length has them in [`Descriptor::len`].
    pub(crate) size: Expr,
    /// Word 3.
    pub(crate) kind: i64,
}

/// The words of a descriptor: a symbol, and the subscripts of the array that it is a component of.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Words {
    pub(crate) sym: Sym,
    pub(crate) outer: SmallVec<[Expr; 4]>,
}

impl Descriptor {
    /// The registers in the order of [`Descriptor::memory`].
    pub(crate) fn registers(&self) -> impl Iterator<Item = Sym> + '_ {
        let all = std::iter::once(self.base).chain(self.bounds.iter().copied()).chain(self.strides.iter().copied());
        all.chain(self.span).chain(self.len)
    }
}
