//! The log of every edit, in the vocabulary of the five transforms (HPF profiling paper, 3.2).

use crate::{CounterInfo, SetId, SetPool};
use cranelift_entity::entity_impl;
use cranelift_entity::packed_option::PackedOption;
use std::fmt;

/// A statement of the IR. Ids are never reused, so the log is a derivation graph over them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stmt(u32);
entity_impl!(Stmt, "s");

/// The five things an optimizer can do to the statements of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Transform {
    /// A statement unrelated to any source statement appears.
    Null,
    /// Several statements are condensed into one.
    Merge,
    /// A statement leaves the program.
    Eliminate,
    /// One statement gives rise to one or several.
    Expand(ExpandKind),
    /// The order of statements changes.
    Move,
}

/// The way in which a statement was expanded. It decides whether its tallies are copied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExpandKind {
    /// The iteration space is split: unroll and remainder, peel, index-set split.
    Partition,
    /// The pieces run over the whole iteration space: fission, scalarization into several loops.
    Replicate,
    /// One of the copies runs: unswitching, versioning, cloning.
    Alternative,
    /// One loop becomes a nest: strip-mining, tiling.
    Nest,
    /// One statement does the work of this number of iterations, lane by lane: vectorization.
    Lanes(u8),
    /// Code of a lower level.
    Lower,
    /// The statement keeps its place and its body; its operands are rewritten.
    Rewrite,
}

/// Why a statement appeared out of nothing, or left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Why {
    /// Its result is never used.
    Dead,
    /// Control never reaches it.
    Unreachable,
    /// Its condition is a constant.
    ConstantCondition,
    /// The loop never runs.
    ZeroTrips,
    /// The loop runs once.
    SingleTrip,
    /// The loop was unrolled completely.
    Unrolled,
    /// Its result is already at hand.
    Redundant,
    /// It asked whether a loop goes on, which became a DO loop.
    Limit,
    /// A temporary that is no longer needed.
    Temporary,
    /// A call replaced by the body of the procedure.
    Inlined,
    /// A call replaced by the part of a recursive procedure that does not call it again, beside a call for the rest.
    InlinedPart,
    /// It makes an array descriptor.
    Descriptor,
    /// It allocates or frees a temporary.
    Allocation,
    /// It counts (a tally's support).
    Counting,
    /// It keeps a value that only counting needs.
    Shadow,
    /// It joins control flow (a label, a jump of the compiler's).
    ControlFlow,
    /// It measures (a probe).
    Measuring,
}

impl ExpandKind {
    /// Whether it makes copies, which the mapping has to know (taint).
    pub fn copies(self) -> bool {
        !matches!(self, ExpandKind::Lower | ExpandKind::Rewrite)
    }
}

impl Why {
    /// Whether code of the called procedure took the place of a call.
    pub fn is_inlining(self) -> bool {
        matches!(self, Why::Inlined | Why::InlinedPart)
    }

    /// A phrase that completes "eliminated by PASS: …".
    pub fn phrase(self) -> &'static str {
        match self {
            Why::Dead => "its result is never used",
            Why::Unreachable => "control never reaches it",
            Why::ConstantCondition => "its condition is constant",
            Why::ZeroTrips => "the loop never runs",
            Why::SingleTrip => "the loop runs exactly once",
            Why::Unrolled => "the loop is unrolled completely",
            Why::Redundant => "its value is already available",
            Why::Limit => "it is the limit of a DO loop now",
            Why::Temporary => "the temporary is no longer needed",
            Why::Inlined => "the procedure's body stands in its place",
            Why::InlinedPart => "the part of the procedure that does not call it again stands in its place",
            Why::Descriptor => "array descriptor",
            Why::Allocation => "memory of a temporary",
            Why::Counting => "counting",
            Why::Shadow => "value kept for counting",
            Why::ControlFlow => "control flow",
            Why::Measuring => "measuring",
        }
    }
}

/// An obstacle that kept a pass from a worthwhile edit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Obstacle {
    /// Something in one iteration needs the result of an earlier one, or undoes it.
    Dependence,
    /// A scalar carries a value from one iteration, or loop, to the next.
    Scalar,
    /// The value of a loop's variable is needed after it.
    LastValue,
    /// The bounds of one loop depend on the other, or change, or can trap.
    Bounds,
    /// The loops do not run over the same iterations.
    Iterations,
    /// The loops were inlined from two procedures, or through two calls.
    Instance,
    /// There are other statements between the loops.
    Between,
    /// There is a jump or a label inside.
    Jumps,
    /// There is a call, or input or output, inside.
    Effects,
    /// It is too large.
    Size,
    /// Its constructs, loops or operations are nested deeper than the time for it allows.
    Depth,
    /// The procedure calls itself.
    Recursive,
    /// The procedure uses memory that the caller cannot name.
    Memory,
    /// An argument cannot be bound to the dummy in place.
    Argument,
    /// An iteration reads or writes what one before writes.
    Carried,
    /// Elements are not neighbours in memory.
    Apart,
    /// Two arrays may overlap.
    Overlap,
    /// An element is stored to under a condition only.
    Conditional,
    /// An element is read under a condition only.
    Guarded,
    /// Both arms of a conditional would be done, one of which takes long.
    Costly,
    /// Vectors have no such operation.
    Operation,
    /// The mapping of the array depends on values that are known at run time.
    Mapping,
    /// One of two loops walks along its arrays, and the other one looks elements up.
    Lookup,
    /// The memory of the array has another name, or its elements do not lie side by side.
    OtherName,
    /// The owner of an element that is stored to does not follow from loop variables.
    Owner,
    /// An element that one processor computes is read by another in the same loop nest.
    Owned,
    /// The arms of a conditional are not the work of the owner of one element.
    Arms,
}

impl Obstacle {
    /// A phrase that completes "not done: …".
    pub fn phrase(self) -> &'static str {
        match self {
            Obstacle::Dependence => "a dependence between iterations would be reversed",
            Obstacle::Scalar => "a scalar carries a value from one iteration to the next",
            Obstacle::LastValue => "the value of a loop variable is needed afterwards",
            Obstacle::Bounds => "the bounds of one loop depend on the other, or can change",
            Obstacle::Iterations => "the loops do not run over the same iterations",
            Obstacle::Instance => "one of the loops comes from another procedure or call, and keeps its own time",
            Obstacle::Between => "there are other statements between the loops",
            Obstacle::Jumps => "there is a jump inside",
            Obstacle::Effects => "there is a call, or input or output, inside",
            Obstacle::Size => "it is too large",
            Obstacle::Depth => "its constructs, loops or operations nest too deep",
            Obstacle::Recursive => "the procedure calls itself",
            Obstacle::Memory => "the procedure uses memory that the caller cannot name",
            Obstacle::Carried => "an iteration needs what another one writes",
            Obstacle::Apart => "it uses elements that are not neighbours in memory",
            Obstacle::Overlap => "two of its arrays may be the same memory",
            Obstacle::Conditional => "it stores to an element under a condition only, and others may not be stored to",
            Obstacle::Guarded => "it reads an element under a condition only, and others may not be there",
            Obstacle::Costly => "lanes would do long operations of both arms of a conditional",
            Obstacle::Operation => "vectors do not have one of its operations or types",
            Obstacle::Argument => "an argument cannot take the place of the dummy argument",
            Obstacle::Mapping => "the mapping of the array depends on values that are known at run time",
            Obstacle::Lookup => {
                "one of them runs in vectors, the other looks elements up, and both in one would not run in vectors"
            }
            Obstacle::Owner => "the owner of an element that it stores to is known in each iteration only",
            Obstacle::Owned => "it reads elements that other processors compute in the same loops",
            Obstacle::Arms => "its arms are not the work of the owner of one element alone",
            Obstacle::OtherName => "the array is part of other memory, or its elements are no numbers side by side",
        }
    }
}

/// Something that a pass would have done, but could not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Missed {
    /// The pass.
    pub pass: &'static str,
    /// The edit that was not made, as in "not fused with the next loop".
    pub what: &'static str,
    /// The set of the statement that it would have been done to.
    pub of: SetId,
    /// Why not.
    pub why: Obstacle,
}

/// One edit.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The pass that made it.
    pub pass: &'static str,
    /// The transform.
    pub transform: Transform,
    /// The statement the edit is about; for an expand, merge or null the resulting one.
    pub stmt: Stmt,
    /// The statement it came from (expand), or that vanished into it (merge).
    pub other: PackedOption<Stmt>,
    /// The set of the source of the edit, before the edit: for an expand the source is `other`, else `stmt`.
    pub before: SetId,
    /// The set of `stmt` after it.
    pub after: SetId,
    /// The set of the statement that vanished in a merge.
    pub with: PackedOption<SetId>,
    /// The reason of a null or an eliminate.
    pub why: Option<Why>,
}

/// All edits of a unit, in order, and the counts that had to be given up.
#[derive(Clone, Default, Debug)]
pub struct EditLog {
    /// The edits.
    pub edits: Vec<Edit>,
    /// Counts that could not be carried over an edit: they are reported UNAVAILABLE, with the pass.
    pub lost: Vec<(CounterInfo, &'static str)>,
    /// Edits that passes could not make, in order. Nothing is decided by them.
    pub missed: Vec<Missed>,
}

impl EditLog {
    /// One line an edit: the transform, the sets and the reason.
    pub fn display<'a>(&'a self, pool: &'a SetPool) -> impl fmt::Display + 'a {
        Displayed { edits: &self.edits, pool }
    }

    /// As [`EditLog::display`], from edit number `from`.
    pub fn display_from<'a>(&'a self, from: usize, pool: &'a SetPool) -> impl fmt::Display + 'a {
        Displayed { edits: &self.edits[from..], pool }
    }
}

struct Displayed<'a> {
    edits: &'a [Edit],
    pool: &'a SetPool,
}

impl fmt::Display for Displayed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for e in self.edits {
            let name = match e.transform {
                Transform::Null => "null".to_owned(),
                Transform::Merge => "merge".to_owned(),
                Transform::Eliminate => "eliminate".to_owned(),
                Transform::Expand(ExpandKind::Rewrite) => "rewrite".to_owned(),
                Transform::Expand(kind) => format!("expand {}", format!("{kind:?}").to_lowercase()),
                Transform::Move => "move".to_owned(),
            };
            write!(f, "{name:<19}{}", self.pool.display(e.before))?;
            if let Some(w) = e.with.expand() {
                write!(f, " + {}", self.pool.display(w))?;
            }
            if e.after != e.before || e.with.is_some() {
                write!(f, " -> {}", self.pool.display(e.after))?;
            }
            if let Some(why) = e.why {
                write!(f, "  ({})", why.phrase())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
