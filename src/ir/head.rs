//! The heads of statements, and the table of the levels at which each is legal.

use crate::{Counter, Expr, Label, List, Proc, Sym};
use cranelift_entity::packed_option::PackedOption;
use trueline_abi::Rt;

/// A level of the IR. A unit's level only goes down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Array assignments, WHERE, FORALL: all source structure.
    Vh,
    /// Loops over scalars and array elements.
    H,
    /// Addresses explicit, structured control flow kept.
    M,
    /// Labels and branches: one head per construct of CLIF.
    L,
}

impl Level {
    /// Its name on the command line and in the text format.
    pub fn name(self) -> &'static str {
        match self {
            Level::Vh => "vh",
            Level::H => "h",
            Level::M => "m",
            Level::L => "l",
        }
    }
}

/// A set of levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Levels(u8);

impl Levels {
    const VH: Levels = Levels(0b0001);
    const VH_H: Levels = Levels(0b0011);
    const H: Levels = Levels(0b0010);
    const VH_H_M: Levels = Levels(0b0111);
    const M_L: Levels = Levels(0b1100);
    const L: Levels = Levels(0b1000);
    const ALL: Levels = Levels(0b1111);

    /// Whether `level` is in the set.
    pub fn contains(self, level: Level) -> bool {
        self.0 & (1 << level as u8) != 0
    }
}

/// The target of a CALL.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A procedure known by its linker symbol.
    Proc(Proc),
    /// A dummy procedure: the `Value` symbol holds its address.
    Dummy(Sym),
    /// A function of the runtime.
    Rt(Rt),
}

/// A routine of the profile runtime (HPF profiling paper, table 1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum ProbeOp {
    StartProcedure,
    EndProcedure,
    StartLoop,
    EndLoop,
    StartRegion,
    EndRegion,
}

impl ProbeOp {
    /// Whether it starts a timer; otherwise it ends one.
    pub fn is_start(self) -> bool {
        matches!(self, ProbeOp::StartProcedure | ProbeOp::StartLoop | ProbeOp::StartRegion)
    }
}

/// A statement without its nested blocks and its set. Cheap to copy: everything is an id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Head {
    /// `place = value` where at least one side is an array.
    ArrayAssign {
        /// A whole array or section.
        place: Expr,
        /// A conformable array, or a scalar.
        value: Expr,
    },
    /// WHERE (blocks: body, ELSEWHERE). A masked ELSEWHERE is a WHERE in the second block, alone.
    Where {
        /// A logical array.
        mask: Expr,
    },
    /// FORALL (block: body).
    Forall {
        /// Pairs: the index (`Var` of a register symbol), its [`crate::ExprData::Triplet`].
        indices: List,
        /// The mask, a scalar logical in terms of the indices.
        mask: PackedOption<Expr>,
    },
    /// SELECT CASE (a block for each case in source order; the last block is CASE DEFAULT, empty if
    /// there is none).
    Select {
        /// An integer or logical (as integer) value; character selectors are lowered by the front end.
        value: Expr,
        /// For each range: block number, low, high (`Int`; `none` for an open end); flattened triples.
        ranges: List,
    },
    /// `DO var = lo, hi, step` (block: body). Bounds are evaluated once, at entry; `step` is not 0;
    /// after the loop `var` is `lo + trips*step`. All four have the integer type of `var`, a register.
    Do {
        /// The DO variable.
        var: Sym,
        /// First value.
        lo: Expr,
        /// Last value.
        hi: Expr,
        /// Increment.
        step: Expr,
    },
    /// DO WHILE (blocks: statements that prepare the condition, body).
    DoWhile {
        /// The condition, evaluated after the first block, before each iteration.
        cond: Expr,
    },
    /// IF (blocks: THEN, ELSE).
    If {
        /// The condition.
        cond: Expr,
    },
    /// `place = value`, scalars of the same type; not `CHARACTER` (see [`Rt::CharAssign`]).
    Assign {
        /// A variable or array element.
        place: Expr,
        /// The value.
        value: Expr,
    },
    /// A store of `value` at `addr` + `offset` into the memory of `sym`.
    Store {
        /// Address, `INTEGER(8)`.
        addr: Expr,
        /// Displacement in bytes.
        offset: i32,
        /// The value, of the type that is stored.
        value: Expr,
        /// The symbol whose memory it is.
        sym: Sym,
    },
    /// A call. By-reference arguments are [`crate::ExprData::AddrOf`].
    Call {
        /// The target.
        callee: Callee,
        /// Arguments in the order of the ABI.
        args: List,
        /// The register that takes the result.
        result: PackedOption<Sym>,
    },
    /// Leaves the procedure.
    Return,
    /// A point to jump to. A jump never enters a block from outside it.
    Label(Label),
    /// Jumps.
    Goto(Label),
    /// Arithmetic IF: jumps to the first, second or third label as `value` is negative, zero, positive.
    ArithIf {
        /// Integer or real.
        value: Expr,
        /// The three labels.
        to: [Label; 3],
    },
    /// Computed GOTO: jumps to label number `index` (from 1) of the unit's jump table `table`, or
    /// continues if there is none.
    GotoTable {
        /// An integer.
        index: Expr,
        /// Index into [`crate::Unit::jump_table`].
        table: u32,
    },
    /// `IF (cond) GOTO then ELSE GOTO otherwise`.
    Branch {
        /// The condition.
        cond: Expr,
        /// The target if it is true.
        then: Label,
        /// The target if it is false.
        otherwise: Label,
    },
    /// Adds `amount` (`INTEGER(8)`) to a counter. No effect on memory: it commutes with everything and
    /// every legality check and cost model looks past it (docs/provenance.md, Counting laws).
    Tally {
        /// The counter.
        counter: Counter,
        /// The amount to add, in terms of registers and constants.
        amount: Expr,
    },
    /// The beginning or an end of an entry of a loop whose trips are counted: the iterations that are counted between the two are
    /// their number. No effect, and as invisible as a tally.
    Bracket {
        /// The count of its trips.
        counter: Counter,
        /// Whether the entry begins here; otherwise it ends.
        opens: bool,
    },
    /// Counts `times` entries of a loop (`INTEGER(8)`, nothing if 0) with `trips` iterations (`INTEGER(8)`) each. As invisible as a tally.
    Trips {
        /// The count of its trips.
        counter: Counter,
        /// The iterations of each entry, in terms of registers and constants.
        trips: Expr,
        /// The number of entries.
        times: Expr,
        /// Whether `trips` is a [`crate::Intrinsic::SumTrips`] whose terms are entries of their own, each `times`.
        spread: bool,
    },
    /// Keeps a value that only tallies need; as invisible as a tally.
    Ghost {
        /// A register that nothing but tallies and ghosts reads.
        var: Sym,
        /// Its value.
        value: Expr,
    },
    /// The counting code in its block runs if `cond` is true. As invisible as a tally: it stands for a
    /// conditional that has gone, or around a value that must not be evaluated where the program does not.
    GhostIf {
        /// The condition.
        cond: Expr,
    },
    /// The counting code in its block runs `trips` times. It stands for a loop that has gone.
    GhostDo {
        /// The number of iterations, `INTEGER(8)`; evaluated once.
        trips: Expr,
    },
    /// An assignment to memory that has gone, kept because ghosts read the stored value.
    GhostStore {
        /// The place: an element or variable, below H a [`crate::ExprData::Load`] of it.
        place: Expr,
        /// The value.
        value: Expr,
    },
    /// A call of a function without effects that has gone, kept because counts read its result. It does not change the memory
    /// that it passes by reference.
    GhostCall {
        /// The target.
        callee: Callee,
        /// Arguments in the order of the ABI.
        args: List,
        /// A register that nothing but tallies and ghosts reads.
        result: Sym,
    },
    /// A call of the profile runtime's timers, made after optimization.
    Probe {
        /// The routine.
        op: ProbeOp,
        /// Index into [`crate::Unit::records`].
        record: u32,
        /// The entry flag of `start_loop` and `start_region`.
        entry: PackedOption<Expr>,
    },
}

impl Head {
    /// The number of blocks that a statement with this head owns; for a SELECT CASE it depends on the cases.
    pub fn arity(self) -> Option<usize> {
        Some(match self {
            Head::Select { .. } => return None,
            Head::Where { .. } | Head::DoWhile { .. } | Head::If { .. } => 2,
            Head::Forall { .. } | Head::Do { .. } | Head::GhostIf { .. } | Head::GhostDo { .. } => 1,
            _ => 0,
        })
    }

    /// The level table: where a statement with this head is legal. The verifier reads it.
    pub fn levels(self) -> Levels {
        match self {
            Head::ArrayAssign { .. } | Head::Where { .. } | Head::Forall { .. } => Levels::VH,
            Head::Select { .. } | Head::Do { .. } | Head::DoWhile { .. } | Head::If { .. } => Levels::VH_H_M,
            Head::ArithIf { .. } => Levels::VH_H_M,
            Head::Store { .. } => Levels::M_L,
            Head::Branch { .. } => Levels::L,
            Head::Assign { .. }
            | Head::Call { .. }
            | Head::Return
            | Head::Label(_)
            | Head::Goto(_)
            | Head::GotoTable { .. }
            | Head::Tally { .. }
            | Head::Bracket { .. }
            | Head::Trips { .. }
            | Head::Ghost { .. }
            | Head::GhostIf { .. }
            | Head::GhostDo { .. }
            | Head::GhostStore { .. }
            | Head::GhostCall { .. }
            | Head::Probe { .. } => Levels::ALL,
        }
    }

    /// A statement that only counts or measures: no legality check and no cost model sees it.
    pub fn is_invisible(self) -> bool {
        matches!(
            self,
            Head::Tally { .. }
                | Head::Bracket { .. }
                | Head::Trips { .. }
                | Head::Ghost { .. }
                | Head::GhostIf { .. }
                | Head::GhostDo { .. }
                | Head::GhostStore { .. }
                | Head::GhostCall { .. }
                | Head::Probe { .. }
        )
    }

    /// Whether control never reaches the statement that follows.
    pub fn is_jump(self) -> bool {
        matches!(self, Head::Goto(_) | Head::ArithIf { .. } | Head::Branch { .. } | Head::Return)
    }

    /// Whether it is a loop.
    pub fn is_loop(self) -> bool {
        matches!(self, Head::Do { .. } | Head::DoWhile { .. })
    }
}

/// The levels at which an [`crate::ExprData`] is legal.
pub(crate) fn expr_levels(data: crate::ExprData) -> Levels {
    use crate::ExprData as E;
    match data {
        E::Section(..) | E::Triplet(..) | E::Constructor(..) | E::None => Levels::VH,
        E::Elem(..) => Levels::VH_H,
        E::Wide(..) => Levels::H,
        E::Intrinsic(i, _) if i.is_transformational() => Levels::VH,
        E::Addr(_) | E::Load { .. } => Levels::M_L,
        _ => Levels::ALL,
    }
}

/// The name of one block of a statement in the text format.
pub(crate) fn block_word(head: Head, number: usize) -> &'static str {
    match (head, number) {
        (Head::If { .. }, 1) => "else",
        (Head::Where { .. }, 1) => "elsewhere",
        (Head::DoWhile { .. }, 1) => "do",
        (Head::Select { .. }, _) => "case",
        _ => "",
    }
}
