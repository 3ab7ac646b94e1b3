//! The ids of the IR.

use cranelift_entity::entity_impl;

/// A sequence of statements: the body of a loop, an arm of an IF, or the unit's own body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block(u32);
entity_impl!(Block, "b");

/// A symbol of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(u32);
entity_impl!(Sym, "sym");

/// An expression. Structurally equal expressions of a unit have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr(u32);
entity_impl!(Expr, "e");

/// An interned list of expressions: subscripts, arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct List(u32);
entity_impl!(List, "list");

/// A target of jumps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(u32);
entity_impl!(Label, "L");

/// A counter that tallies add to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Counter(u32);
entity_impl!(Counter, "c");

/// A piece of static memory: a COMMON block, a module variable, a saved local.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Area(u32);
entity_impl!(Area, "area");

/// A procedure that the unit calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Proc(u32);
entity_impl!(Proc, "proc");

/// The mapping of an array's elements onto processors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mapping(u32);
entity_impl!(Mapping, "map");
