//! Building a unit from source statements, as the front end and the text reader do, once. After
//! [`Builder::finish`] only an [`Editor`](crate::Editor) can change it.

use crate::edit::Editor;
use crate::entities::{Area, Block, Expr, Label, List, Proc, Sym};
use crate::expr::ExprData;
use crate::head::{Head, Level};
use crate::symbol::{AreaData, Linkage, ProcData, Storage, SymData};
use crate::unit::{BlockNode, Directive, Unit, UnitKind};
use cranelift_entity::{EntitySet, PrimaryMap};
use rustc_hash::FxHashMap;
use trueline_provenance::{Chain, Edit, EditLog, Origin, Serial, SetId, SetPool, Stmt, Taints, Transform, Why};

/// The block that the next statement goes to.
pub type Cursor = Block;

/// A unit under construction. Reads go through `Deref`.
pub struct Builder {
    unit: Unit,
    /// Areas and procedures by linker symbol: a search through all of them made 20,000 saved variables
    /// of one procedure take seconds.
    areas: FxHashMap<String, Area>,
    procs: FxHashMap<String, Proc>,
    mappings: FxHashMap<crate::MappingData, crate::Mapping>,
}

impl std::ops::Deref for Builder {
    type Target = Unit;
    fn deref(&self) -> &Unit {
        &self.unit
    }
}

impl Builder {
    /// A unit without statements. `symbol` is its linker symbol, `serial` the source statement it is.
    pub fn new(name: &str, symbol: &str, kind: UnitKind, serial: Serial) -> Builder {
        let mut blocks = PrimaryMap::new();
        let body = blocks.push(BlockNode::default());
        Builder {
            areas: FxHashMap::default(),
            procs: FxHashMap::default(),
            mappings: FxHashMap::default(),
            unit: Unit {
                name: name.to_owned(),
                symbol: symbol.to_owned(),
                kind,
                exported: true,
                level: Level::Vh,
                serial,
                stmts: PrimaryMap::new(),
                blocks,
                body,
                syms: PrimaryMap::new(),
                areas: PrimaryMap::new(),
                procs: PrimaryMap::new(),
                params: Vec::new(),
                result: None,
                returned: None,
                labels: 0,
                jump_tables: Vec::new(),
                records: Vec::new(),
                counters: PrimaryMap::new(),
                counter_ids: FxHashMap::default(),
                counted_by_ranks: Default::default(),
                pool: Default::default(),
                sets: SetPool::default(),
                taints: Taints::default(),
                log: EditLog::default(),
                rewrites: Vec::new(),
                directives: Vec::new(),
                mappings: PrimaryMap::new(),
                declared: std::sync::Arc::default(),
                inlined: Vec::new(),
                in_registers: Vec::new(),
                tallied: EntitySet::new(),
                exact: EntitySet::new(),
                counts_by_memory: false,
                counted_memory: rustc_hash::FxHashSet::default(),
                deep: false,
            },
        }
    }

    /// Sets the level (the text reader; the front end builds VH).
    pub fn set_level(&mut self, level: Level) {
        self.unit.level = level;
    }

    /// Whether other objects may call the unit.
    pub fn set_exported(&mut self, exported: bool) {
        self.unit.exported = exported;
    }

    /// Appends a parameter. Its storage must be `Dummy` or `Value` with the index this returns; declare
    /// the symbol after asking [`Builder::next_param`].
    pub fn push_param(&mut self, sym: Sym) {
        self.unit.params.push(sym);
    }

    /// The index that the next parameter will have.
    pub fn next_param(&self) -> u32 {
        self.unit.params.len() as u32
    }

    /// Sets the way in which the structure in the memory of the first parameter reaches the caller.
    pub fn set_returned(&mut self, way: crate::Returned) {
        self.unit.returned = Some(way);
    }

    /// Puts other parameters in place of those from number `first` on.
    pub fn replace_params(&mut self, first: usize, params: &[Sym]) {
        self.unit.params.truncate(first);
        self.unit.params.extend_from_slice(params);
        for (k, &p) in self.unit.params.iter().enumerate() {
            match &mut self.unit.syms[p].storage {
                Storage::Dummy { index } | Storage::Value { index } => *index = k as u32,
                _ => {}
            }
        }
    }

    /// Sets the register whose value the function returns.
    pub fn set_result(&mut self, sym: Sym) {
        self.unit.result = Some(sym);
    }

    /// Declares a symbol.
    pub fn sym(&mut self, data: SymData) -> Sym {
        self.unit.syms.push(data)
    }

    /// Changes a declaration while the unit is built.
    pub fn sym_mut(&mut self, sym: Sym) -> &mut SymData {
        &mut self.unit.syms[sym]
    }

    /// Declares a static area; the same linker symbol gives the same id.
    pub fn area(&mut self, data: AreaData) -> Area {
        if let Some(&id) = self.areas.get(&data.symbol) {
            self.unit.areas[id].absorb(data);
            return id;
        }
        let symbol = data.symbol.clone();
        let id = self.unit.areas.push(data);
        self.areas.insert(symbol, id);
        id
    }

    /// Changes an area while the unit is built (DATA).
    pub fn area_mut(&mut self, area: Area) -> &mut AreaData {
        &mut self.unit.areas[area]
    }

    /// Declares a procedure that is called; the same symbol gives the same id.
    pub fn proc(&mut self, data: ProcData) -> Proc {
        if let Some(&id) = self.procs.get(&data.symbol) {
            // A mention without a call may have come first.
            let known = &mut self.unit.procs[id].result;
            *known = known.or(data.result);
            return id;
        }
        let symbol = data.symbol.clone();
        let id = self.unit.procs.push(data);
        self.procs.insert(symbol, id);
        id
    }

    /// A new label.
    pub fn label(&mut self) -> Label {
        let l = Label::from_u32(self.unit.labels);
        self.unit.labels += 1;
        l
    }

    /// A new jump table.
    pub fn jump_table(&mut self, labels: &[Label]) -> u32 {
        self.unit.jump_tables.push(labels.into());
        self.unit.jump_tables.len() as u32 - 1
    }

    /// An expression.
    pub fn make(&mut self, data: ExprData) -> Expr {
        self.unit.make(data)
    }

    /// A list.
    pub fn list(&mut self, items: &[Expr]) -> List {
        self.unit.pool.intern_list(items)
    }

    /// A character constant.
    pub fn text(&mut self, text: &[u8]) -> Expr {
        let i = self.unit.pool.intern_text(text);
        self.unit.make(ExprData::Text(i))
    }

    /// The set of `serials`.
    pub fn set_of(&mut self, serials: &[Serial]) -> SetId {
        self.unit.sets.intern(serials.iter().copied())
    }
    /// The set of statements, some of them inlined.
    pub fn set_of_origins(&mut self, origins: &[Origin]) -> SetId {
        self.unit.sets.intern(origins.iter().copied())
    }
    /// A statement inlined through `calls`, the innermost first.
    pub fn inlined_at(&mut self, stmt: Serial, calls: &[Serial]) -> Origin {
        let via = calls.iter().rev().fold(Chain::NONE, |outer, &call| self.unit.sets.chain(call, outer));
        Origin { stmt, via }
    }

    /// Appends a statement that stands for a source statement (or several). `arity` is the number of
    /// blocks of a SELECT CASE; other heads know theirs.
    pub fn push(&mut self, at: Cursor, head: Head, set: SetId, arity: usize) -> Stmt {
        let s = self.unit.new_stmt(head, set, head.arity().unwrap_or(arity));
        self.unit.append(s, at);
        let mut editor = Editor { unit: &mut self.unit, pass: "" };
        editor.note_tally(head);
        s
    }

    /// Takes back a statement that was pushed, with all that was pushed into its blocks: a guard that
    /// turned out not to be needed, or a trial.
    pub fn retract(&mut self, s: Stmt) {
        self.unit.unlink(s);
    }

    /// Replaces the head of a statement already pushed, which must have as many blocks.
    pub fn set_head(&mut self, s: Stmt, head: Head) {
        self.unit.stmts[s].head = head;
    }

    /// The counter of a source count (the text reader).
    pub fn counter(&mut self, info: trueline_provenance::CounterInfo) -> crate::Counter {
        self.unit.counter_for(info)
    }

    /// Adds a counter with which each rank counts a share (the text reader).
    pub fn counter_of_ranks(&mut self, info: trueline_provenance::CounterInfo) -> crate::Counter {
        self.unit.counter_of_ranks(info)
    }

    /// The record of an instance of a source statement (the text reader).
    pub fn record(&mut self, of: Origin) -> u32 {
        self.unit.records.push(of);
        self.unit.records.len() as u32 - 1
    }

    /// Notes that `s` derives from no source statement (the text reader: `@{}`).
    pub(crate) fn made_from_nothing(&mut self, s: Stmt) {
        self.unit.log.edits.push(Edit {
            pass: "",
            transform: Transform::Null,
            stmt: s,
            other: None.into(),
            before: SetId::EMPTY,
            after: SetId::EMPTY,
            with: None.into(),
            why: Some(Why::ControlFlow),
        });
    }

    /// Adds a mapping; an equal one gives the same id.
    pub fn mapping(&mut self, data: crate::MappingData) -> crate::Mapping {
        if let Some(&id) = self.mappings.get(&data) {
            return id;
        }
        let id = self.unit.mappings.push(data.clone());
        self.mappings.insert(data, id);
        id
    }

    /// Adds a directive.
    pub fn directive(&mut self, directive: Directive) {
        self.unit.directives.push(directive);
    }

    /// Sets the declarations of the source.
    pub fn declare(&mut self, declared: crate::declared::Declared) {
        self.unit.declared = std::sync::Arc::new(declared);
    }

    /// The unit, from now on changed only by an [`Editor`](crate::Editor).
    pub fn finish(mut self) -> Unit {
        self.unit.measure_depth();
        self.unit
    }
}

impl Unit {
    pub(crate) fn area_for(&mut self, data: AreaData) -> Area {
        match self.areas.iter().find(|(_, a)| a.symbol == data.symbol).map(|(id, _)| id) {
            Some(id) => {
                self.areas[id].absorb(data);
                id
            }
            None => self.areas.push(data),
        }
    }

    /// The memory `data` of another unit, which defines it; here only counting code mentions it.
    pub(crate) fn area_for_counts(&mut self, data: AreaData) -> Area {
        match self.areas.iter().find(|(_, a)| a.symbol == data.symbol && a.size >= data.size).map(|(id, _)| id) {
            Some(id) => id,
            None if data.linkage == Linkage::Local => self.area_for(data),
            None => self.area_for(AreaData { linkage: Linkage::Import, ..data }),
        }
    }
}

impl AreaData {
    /// Another declaration of the same memory: the larger one counts.
    fn absorb(&mut self, other: AreaData) {
        self.size = self.size.max(other.size);
        self.align = self.align.max(other.align);
        if self.linkage == Linkage::Import {
            self.linkage = other.linkage;
        }
        if self.init.is_empty() {
            self.init = other.init;
            self.addresses = other.addresses;
        }
    }
}
