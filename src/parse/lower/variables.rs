//! The variables of a procedure: the IR symbols they are bound to, their descriptors and components, and the memory that the
//! procedure gives back when it ends.

use crate::entry::CalledBy;
use crate::source::Source;
use crate::values::{Associate, Binding, Descriptor, Words};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{Block, Sym};
use trueline_sema::scope::symbol::SymbolId;
use trueline_sema::types::structure::StructureId;

/// The variables of a procedure, over the source around.
pub(crate) struct Variables<'a> {
    /// The source around.
    pub(crate) source: Source<'a>,
    /// The IR symbols of variables.
    pub(crate) bindings: FxHashMap<SymbolId, Binding>,
    /// The pieces of the stack that equivalenced variables share.
    pub(crate) overlays: FxHashMap<SymbolId, Sym>,
    /// The flags of optional dummy arguments.
    pub(crate) present: FxHashMap<SymbolId, Sym>,
    /// Meanings of the names of the ASSOCIATEs around.
    pub(crate) associates: FxHashMap<SymbolId, Associate>,
    /// Whether everything that is declared at entry is.
    pub(crate) has_entered: bool,
    /// Allocatables that called procedures may change.
    pub(crate) shared: Vec<Descriptor>,
    /// The symbols of components. One temporary may hold structures of different types in turn.
    pub(crate) components: FxHashMap<(Sym, Option<StructureId>, usize), Sym>,
    /// The descriptors of symbols behind one.
    pub(crate) descriptors: FxHashMap<Sym, Descriptor>,
    /// The components behind descriptors that the statement has loaded, with the block where.
    pub(crate) loaded: FxHashMap<Words, (Block, Sym, Descriptor)>,
    /// Allocatables that the procedure frees on the way out.
    pub(crate) owned_variables: Vec<(Sym, Descriptor)>,
    /// Structures whose allocatable components the procedure frees on the way out.
    pub(crate) owned_structures: Vec<(Sym, StructureId)>,
    /// Registers whose memory is given back on the way out.
    pub(crate) owned: Vec<Sym>,
    /// The register of the function's result and the memory that the result variable is in, if it is in memory.
    pub(crate) result_copy: Option<(Sym, Sym)>,
    /// Results of functions in allocatable memory, which ends with the statement.
    pub(crate) results: FxHashSet<Sym>,
    /// Default content of derived types, in static memory.
    pub(crate) initials: FxHashMap<StructureId, Sym>,
    /// Ownership tables of derived types, in static memory.
    pub(crate) tables: FxHashMap<StructureId, Sym>,
    /// With `-fcheck=recursion`, says that the procedure is active.
    pub(crate) is_running: Option<Sym>,
    /// With `-fcheck=undefined`, the register that says whether a variable has been given a value; of a function's result
    /// with `-fcheck=results`, too.
    pub(crate) defined: FxHashMap<SymbolId, Sym>,
    /// The flags among them that other objects have, too.
    pub(crate) shared_flags: FxHashSet<Sym>,
    /// With `-fcheck=undefined`, the shadows of arrays.
    pub(crate) shadows: FxHashMap<Sym, crate::run_checks::elements::Shadow>,
    /// With `-fcheck=undefined`, the loops around whose bounds are constant, and the parts of arrays that loops have filled.
    pub(crate) ranges: Vec<(SymbolId, i64, i64)>,
    pub(crate) regions: Vec<crate::run_checks::filled::Region>,
    /// With `-fcheck=undefined`, a register for each component of a structure.
    pub(crate) parts: FxHashMap<SymbolId, Vec<Sym>>,
    /// Whether a function is around that looks at some elements of its arguments only.
    pub(crate) selects: bool,
    /// The result among these variables.
    pub(crate) checked_result: Option<SymbolId>,
    /// The names that a procedure with ENTRY statements may be called by, in this unit.
    pub(crate) called_by: CalledBy,
    /// Dummy arguments that may be changed, and the registers that say that the actual one must not.
    pub(crate) fixed: FxHashMap<SymbolId, Sym>,
    /// CHARACTER dummy arguments, and the lengths that are passed.
    pub(crate) passed_lengths: FxHashMap<SymbolId, Sym>,
    /// Dummy arguments of assumed size, and the registers with the bytes that are passed; negative if nobody knows.
    pub(crate) passed_bytes: FxHashMap<SymbolId, Sym>,
    /// Their symbols, and the registers with the upper bounds of their last dimensions.
    pub(crate) assumed_ends: FxHashMap<Sym, Sym>,
    /// With `-fcheck=pointer`, the table of targets that are gone.
    pub(crate) filter: Option<Sym>,
    /// With `-fcheck=alias`, the names that may be the same storage.
    pub(crate) aliases: crate::run_checks::aliases::Aliases,
    /// The variable whose value is about to be read.
    pub(crate) reads: Option<SymbolId>,
    /// Whether no checks are made here. A FORALL around has another one in it, so that the checks would have to run before the
    /// values of all iterations of both; or the subscripts of its targets were checked and stored.
    pub(crate) is_unchecked: bool,
    /// Whether a FORALL is around.
    pub(crate) in_forall: bool,
    /// Whether an optional argument that is absent may stand here.
    pub(crate) may_be_absent: bool,
}

crate::builds_on!(Variables<'a>, source: Source<'a>);

impl<'a> Variables<'a> {
    pub(crate) fn new(source: Source<'a>) -> Self {
        Variables {
            source,
            bindings: FxHashMap::default(),
            overlays: FxHashMap::default(),
            present: FxHashMap::default(),
            associates: FxHashMap::default(),
            has_entered: false,
            shared: Vec::new(),
            components: FxHashMap::default(),
            descriptors: FxHashMap::default(),
            loaded: FxHashMap::default(),
            owned_variables: Vec::new(),
            owned_structures: Vec::new(),
            owned: Vec::new(),
            result_copy: None,
            results: FxHashSet::default(),
            initials: FxHashMap::default(),
            tables: FxHashMap::default(),
            is_running: None,
            defined: FxHashMap::default(),
            shared_flags: FxHashSet::default(),
            shadows: FxHashMap::default(),
            ranges: Vec::new(),
            regions: Vec::new(),
            parts: FxHashMap::default(),
            selects: false,
            checked_result: None,
            called_by: CalledBy::Any,
            fixed: FxHashMap::default(),
            passed_lengths: FxHashMap::default(),
            passed_bytes: FxHashMap::default(),
            assumed_ends: FxHashMap::default(),
            filter: None,
            aliases: Default::default(),
            reads: None,
            is_unchecked: false,
            in_forall: false,
            may_be_absent: false,
        }
    }

    /// Gives owned memory back and returns.
    pub(crate) fn leave(&mut self) {
        self.check_result_set();
        if let Some((register, memory)) = self.result_copy {
            let value = self.e.var(memory);
            self.e.set(register, value);
        }
        self.unguard_recursion();
        self.free_owned();
        self.end_targets();
        self.end_pointers();
        self.end_aliases();
        for base in self.owned.clone() {
            let base = self.e.var(base);
            self.e.call_rt(trueline_ir::Rt::Deallocate, &[base]);
        }
        self.e.push(trueline_ir::Head::Return);
    }
}
