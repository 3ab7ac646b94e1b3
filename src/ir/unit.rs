//! The unit: one procedure, as arenas of statements, blocks and symbols.
//!
//! The statements of a block are a doubly linked list, so that inserting and removing one costs the
//! same in a block of ten and of a hundred thousand statements.

use crate::entities::{Area, Block, Counter, Expr, Label, List, Mapping, Proc, Sym};
use crate::expr::{ExprData, ExprPool};
use crate::head::{Head, Level};
use crate::symbol::{AreaData, ProcData, SymData};
use crate::{BinaryOp, Type};
use cranelift_entity::PrimaryMap;
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_provenance::{CounterInfo, EditLog, Origin, Serial, SetId, SetPool, Stmt, StmtInfos, Taints};

/// The kind of procedure that a unit is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum UnitKind {
    Program,
    Subroutine,
    Function,
    /// No code: the static data of a module or BLOCK DATA.
    Data,
}

/// A compilation: its units in source order and the statements they came from.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// The units.
    pub units: Vec<Unit>,
    /// The procedures that gfortran calls by another convention.
    pub bridges: Vec<crate::Bridge>,
    /// The derived types of the source.
    pub structures: Vec<crate::declared::Structure>,
    /// The interfaces that the object tells to the link.
    pub interfaces: Vec<crate::interface::Interface>,
    /// The source statements of all of them.
    pub infos: StmtInfos,
}

#[derive(Clone)]
pub(crate) struct StmtNode {
    pub(crate) head: Head,
    pub(crate) blocks: SmallVec<[Block; 2]>,
    pub(crate) parent: PackedOption<Block>,
    pub(crate) prev: PackedOption<Stmt>,
    pub(crate) next: PackedOption<Stmt>,
    pub(crate) set: SetId,
}

#[derive(Clone, Default)]
pub(crate) struct BlockNode {
    pub(crate) first: PackedOption<Stmt>,
    pub(crate) last: PackedOption<Stmt>,
    pub(crate) owner: PackedOption<Stmt>,
}

/// A directive, kept for the listing and for distribution (on one processor it changes nothing).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    /// The source statement.
    pub serial: Serial,
    /// Its keyword, lower case: `distribute`, `align`, `independent` …
    pub kind: String,
    /// The text, blanks normalised.
    pub text: String,
    /// The symbols it maps.
    pub syms: Vec<Sym>,
    /// The source loop it stands before.
    pub of_loop: Option<Serial>,
}

/// A statement that was rewritten in place.
#[derive(Clone, Copy)]
pub(crate) struct Rewrite {
    /// The number of the edit in the log.
    pub(crate) number: u32,
    pub(crate) old: Head,
    pub(crate) new: Head,
}

/// One procedure.
#[derive(Clone)]
pub struct Unit {
    pub(crate) name: String,
    pub(crate) symbol: String,
    pub(crate) kind: UnitKind,
    pub(crate) exported: bool,
    pub(crate) level: Level,
    pub(crate) serial: Serial,
    pub(crate) stmts: PrimaryMap<Stmt, StmtNode>,
    pub(crate) blocks: PrimaryMap<Block, BlockNode>,
    pub(crate) body: Block,
    pub(crate) syms: PrimaryMap<Sym, SymData>,
    pub(crate) areas: PrimaryMap<Area, AreaData>,
    pub(crate) procs: PrimaryMap<Proc, ProcData>,
    pub(crate) params: Vec<Sym>,
    pub(crate) result: Option<Sym>,
    pub(crate) returned: Option<crate::Returned>,
    pub(crate) labels: u32,
    pub(crate) jump_tables: Vec<Box<[Label]>>,
    pub(crate) records: Vec<Origin>,
    pub(crate) counters: PrimaryMap<Counter, CounterInfo>,
    pub(crate) counter_ids: FxHashMap<CounterInfo, Counter>,
    /// Counts of which each rank has a share.
    pub(crate) counted_by_ranks: rustc_hash::FxHashSet<Counter>,
    pub(crate) pool: ExprPool,
    pub(crate) sets: SetPool,
    pub(crate) taints: Taints,
    pub(crate) log: EditLog,
    /// The heads before and after each rewrite in the log, in its order.
    pub(crate) rewrites: Vec<Rewrite>,
    pub(crate) directives: Vec<Directive>,
    pub(crate) mappings: PrimaryMap<Mapping, crate::MappingData>,
    pub(crate) declared: std::sync::Arc<crate::declared::Declared>,
    pub(crate) inlined: Vec<crate::declared::Inlined>,
    pub(crate) in_registers: Vec<crate::declared::InRegister>,
    pub(crate) tallied: cranelift_entity::EntitySet<Sym>,
    /// Divisions in amounts that leave no remainder.
    pub(crate) exact: cranelift_entity::EntitySet<Expr>,
    /// Whether a ghost may read memory.
    pub(crate) counts_by_memory: bool,
    /// The symbols whose memory ghosts read.
    pub(crate) counted_memory: rustc_hash::FxHashSet<Sym>,
    /// Whether it nests too deep to be optimized.
    pub(crate) deep: bool,
}

impl std::fmt::Debug for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Unit({})", self.name)
    }
}

/// Reading. Free for everyone.
impl Unit {
    /// The name in the source, lower case.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The linker symbol.
    pub fn symbol(&self) -> &str {
        &self.symbol
    }
    /// The kind of procedure.
    pub fn kind(&self) -> UnitKind {
        self.kind
    }
    /// Whether other objects may call it; an internal procedure is not exported.
    pub fn is_exported(&self) -> bool {
        self.exported
    }
    /// The level it is at.
    pub fn level(&self) -> Level {
        self.level
    }
    /// The source statement that is the procedure.
    pub fn serial(&self) -> Serial {
        self.serial
    }
    /// The outermost block.
    pub fn body(&self) -> Block {
        self.body
    }
    /// The parameters in the order of the ABI; their storage is `Dummy` or `Value`.
    pub fn params(&self) -> &[Sym] {
        &self.params
    }
    /// The register whose value a function returns.
    pub fn result(&self) -> Option<Sym> {
        self.result
    }
    /// The way in which the structure that the function gives, the memory of its first parameter, reaches the caller.
    pub fn returned(&self) -> Option<crate::Returned> {
        self.returned
    }
    /// The statements of `b`, in order.
    pub fn stmts(&self, b: Block) -> impl DoubleEndedIterator<Item = Stmt> + '_ {
        StmtIter {
            unit: self,
            front: self.blocks[b].first,
            back: self.blocks[b].last,
            done: self.blocks[b].first.is_none(),
        }
    }
    /// The statements of `b` that legality checks and cost models see: without tallies, ghosts and probes.
    pub fn real_stmts(&self, b: Block) -> impl DoubleEndedIterator<Item = Stmt> + '_ {
        self.stmts(b).filter(|&s| !self.head(s).is_invisible())
    }
    /// The next statement in the block of `s`.
    pub fn next(&self, s: Stmt) -> Option<Stmt> {
        self.stmts[s].next.expand()
    }
    /// The previous statement in the block of `s`.
    pub fn prev(&self, s: Stmt) -> Option<Stmt> {
        self.stmts[s].prev.expand()
    }
    /// The next statement that is not invisible.
    pub fn next_real(&self, s: Stmt) -> Option<Stmt> {
        std::iter::successors(self.next(s), |&x| self.next(x)).find(|&x| !self.head(x).is_invisible())
    }
    /// The previous statement that is not invisible.
    pub fn prev_real(&self, s: Stmt) -> Option<Stmt> {
        std::iter::successors(self.prev(s), |&x| self.prev(x)).find(|&x| !self.head(x).is_invisible())
    }
    /// The head of `s`.
    pub fn head(&self, s: Stmt) -> Head {
        self.stmts[s].head
    }
    /// The blocks nested in `s`.
    pub fn blocks(&self, s: Stmt) -> &[Block] {
        &self.stmts[s].blocks
    }
    /// The explicit `SetOfStmtInfo` of `s`.
    pub fn set(&self, s: Stmt) -> SetId {
        self.stmts[s].set
    }
    /// The members of the explicit set of `s`.
    pub fn origins(&self, s: Stmt) -> &[Origin] {
        self.sets.atoms(self.stmts[s].set)
    }
    /// The source statements in the explicit set of `s`, sorted, wherever they were inlined.
    pub fn sources(&self, s: Stmt) -> impl DoubleEndedIterator<Item = Serial> + '_ {
        self.sets.stmts(self.stmts[s].set)
    }
    /// Before any optimization: the source statement that `s` belongs to, the innermost one of its set (the front end writes
    /// FORALL constructs out as loops of the statements in them).
    pub fn own_source(&self, s: Stmt) -> Option<Serial> {
        self.own_origin(s).map(|o| o.stmt)
    }
    /// The innermost source of `s`: among the statements inlined through most calls, the last in the source. Statements that `s` left or was
    /// inlined at are in its set, too.
    pub fn own_origin(&self, s: Stmt) -> Option<Origin> {
        self.origins(s).iter().copied().max_by_key(|o| (self.sets.calls(o.via).count(), o.stmt))
    }
    /// The block that `s` stands in, or none once it has been eliminated.
    pub fn parent(&self, s: Stmt) -> Option<Block> {
        self.stmts[s].parent.expand()
    }
    /// The statement that owns `b`, or none for the body of the unit.
    pub fn owner(&self, b: Block) -> Option<Stmt> {
        self.blocks[b].owner.expand()
    }
    /// The statement that encloses `s`.
    pub fn enclosing(&self, s: Stmt) -> Option<Stmt> {
        self.parent(s).and_then(|b| self.owner(b))
    }
    /// The statements that enclose `s`, innermost first.
    pub fn ancestors(&self, s: Stmt) -> impl Iterator<Item = Stmt> + '_ {
        std::iter::successors(self.enclosing(s), |&p| self.enclosing(p))
    }
    /// A symbol.
    pub fn sym(&self, s: Sym) -> &SymData {
        &self.syms[s]
    }
    /// The symbol whose memory `s` is part of: `s` itself unless it is `Within` another.
    pub fn root(&self, s: Sym) -> Sym {
        match self.syms[s].storage {
            crate::Storage::Within { root, .. } => root,
            _ => s,
        }
    }
    /// The register that holds the address of the memory of `s`, if one does.
    pub fn base_of(&self, s: Sym) -> Option<Sym> {
        match self.syms[self.root(s)].storage {
            crate::Storage::Pointer { base } => Some(base),
            _ => None,
        }
    }
    /// Calls `each` for the place and size of `s`: the register of its address, and bounds, strides and length.
    pub fn located_by(&self, s: Sym, mut each: impl FnMut(Expr)) {
        let data = &self.syms[s];
        data.dims.iter().flat_map(crate::Dim::exprs).chain(data.len.expand()).for_each(&mut each);
    }
    /// Every symbol.
    pub fn syms(&self) -> impl Iterator<Item = (Sym, &SymData)> {
        self.syms.iter()
    }
    /// A static area.
    pub fn area(&self, a: Area) -> &AreaData {
        &self.areas[a]
    }
    /// Every static area.
    pub fn areas(&self) -> impl Iterator<Item = (Area, &AreaData)> {
        self.areas.iter()
    }
    /// A procedure that is called.
    pub fn proc(&self, p: Proc) -> &ProcData {
        &self.procs[p]
    }
    /// Every procedure that is called.
    pub fn procs(&self) -> impl Iterator<Item = (Proc, &ProcData)> {
        self.procs.iter()
    }
    /// A counter.
    pub fn counter(&self, c: Counter) -> CounterInfo {
        self.counters[c]
    }
    /// Whether each rank counts a share with it, and the sum over all ranks counts.
    pub fn is_counted_by_ranks(&self, c: Counter) -> bool {
        self.counted_by_ranks.contains(&c)
    }
    /// Every counter.
    pub fn counters(&self) -> impl Iterator<Item = (Counter, CounterInfo)> + '_ {
        self.counters.iter().map(|(c, i)| (c, *i))
    }
    /// A table of computed GOTO.
    pub fn jump_table(&self, t: u32) -> &[Label] {
        &self.jump_tables[t as usize]
    }
    /// The number of jump tables.
    pub fn jump_table_count(&self) -> u32 {
        self.jump_tables.len() as u32
    }
    /// The number of labels made so far.
    pub fn label_count(&self) -> u32 {
        self.labels
    }
    /// The source statement each probe record is about.
    pub fn records(&self) -> &[Origin] {
        &self.records
    }
    /// The expressions.
    pub fn pool(&self) -> &ExprPool {
        &self.pool
    }
    /// The form of `e`.
    pub fn expr(&self, e: Expr) -> ExprData {
        self.pool.data(e)
    }
    /// The type of `e`.
    pub fn ty(&self, e: Expr) -> Type {
        self.pool.ty(e)
    }
    /// The members of a list.
    pub fn list(&self, l: List) -> &[Expr] {
        self.pool.list(l)
    }
    /// The sets.
    pub fn sets(&self) -> &SetPool {
        &self.sets
    }
    /// The taints.
    pub fn taints(&self) -> &Taints {
        &self.taints
    }
    /// The edits so far.
    pub fn log(&self) -> &EditLog {
        &self.log
    }
    /// The directives.
    pub fn directives(&self) -> &[Directive] {
        &self.directives
    }
    /// A mapping.
    pub fn mapping(&self, m: Mapping) -> &crate::MappingData {
        &self.mappings[m]
    }
    /// Every mapping.
    pub fn mappings(&self) -> impl Iterator<Item = (Mapping, &crate::MappingData)> {
        self.mappings.iter()
    }
    /// The declarations of its source.
    pub fn declared(&self) -> &crate::declared::Declared {
        &self.declared
    }
    /// The procedures that were inlined, each after those it was inlined through.
    pub fn inlined(&self) -> &[crate::declared::Inlined] {
        &self.inlined
    }
    /// The elements and components of variables that are in registers instead of memory.
    pub fn in_registers(&self) -> &[crate::declared::InRegister] {
        &self.in_registers
    }
    /// The number of statements ever made.
    pub fn stmt_count(&self) -> usize {
        self.stmts.len()
    }
    /// Whether `s` is in the program.
    pub fn is_live(&self, s: Stmt) -> bool {
        std::iter::successors(Some(s), |&p| self.enclosing(p))
            .last()
            .is_some_and(|top| self.parent(top) == Some(self.body))
    }
    /// Every block in the program, outermost first, in source order.
    pub fn all_blocks(&self) -> Vec<Block> {
        let mut out = vec![self.body];
        for s in self.walk() {
            out.extend_from_slice(self.blocks(s));
        }
        out
    }
}

struct StmtIter<'a> {
    unit: &'a Unit,
    front: PackedOption<Stmt>,
    back: PackedOption<Stmt>,
    done: bool,
}

impl Iterator for StmtIter<'_> {
    type Item = Stmt;
    fn next(&mut self) -> Option<Stmt> {
        if self.done {
            return None;
        }
        let s = self.front.expand()?;
        self.done = self.front == self.back;
        self.front = self.unit.stmts[s].next;
        Some(s)
    }
}

impl DoubleEndedIterator for StmtIter<'_> {
    fn next_back(&mut self) -> Option<Stmt> {
        if self.done {
            return None;
        }
        let s = self.back.expand()?;
        self.done = self.front == self.back;
        self.back = self.unit.stmts[s].prev;
        Some(s)
    }
}

/// Making expressions and symbols, which is not an edit: neither has provenance.
impl Unit {
    pub(crate) fn make(&mut self, data: ExprData) -> Expr {
        let (ty, rank) = self.type_of(data);
        self.pool.intern(data, ty, rank)
    }

    /// The type and rank of an expression, from its operands.
    fn type_of(&self, data: ExprData) -> (Type, u8) {
        let p = &self.pool;
        let max_rank = |l: List| p.list(l).iter().map(|&e| p.rank(e)).max().unwrap_or(0);
        match data {
            ExprData::Int(ty, _) | ExprData::Real(ty, _) | ExprData::Complex(ty, ..) | ExprData::Logical(ty, _) => {
                (ty, 0)
            }
            ExprData::Quad(_) => (Type::R16, 0),
            ExprData::Text(_) => (Type::Char, 0),
            ExprData::None | ExprData::Null | ExprData::AddrOf(..) | ExprData::Addr(_) | ExprData::ProcAddr(_) => {
                (Type::I8, 0)
            }
            ExprData::Var(s) => (self.syms[s].ty, self.syms[s].dims.len() as u8),
            ExprData::Elem(s, _) => (self.syms[s].ty, 0),
            ExprData::Wide(ty, ..) => (ty, 0),
            ExprData::Section(s, l) => {
                let rank = p.list(l).iter().filter(|&&e| p.rank(e) > 0).count();
                (self.syms[s].ty, rank as u8)
            }
            ExprData::Triplet(..) => (Type::I8, 1),
            ExprData::Substr(base, ..) => (Type::Char, p.rank(base)),
            ExprData::Unary(_, a) => (p.ty(a), p.rank(a)),
            ExprData::Binary(op, a, b) => {
                (if op.is_comparison() { p.ty(a).mask() } else { p.ty(a) }, p.rank(a).max(p.rank(b)))
            }
            ExprData::Convert(ty, a) | ExprData::Bitcast(ty, a) => (ty, p.rank(a)),
            ExprData::Intrinsic(i, l) if i.is_transformational() => {
                (i.result(p.ty(p.list(l)[0])), self.array_rank(i, l))
            }
            ExprData::Intrinsic(crate::Intrinsic::Gather, l) => {
                let lane = p.ty(p.list(l)[0]);
                (lane.vector(p.list(l).len()).unwrap_or(lane), 0)
            }
            ExprData::Intrinsic(i, l) => (i.result(p.ty(p.list(l)[0])), max_rank(l)),
            ExprData::Constructor(ty, _) => (ty, 1),
            ExprData::Load { ty, .. } => (ty, 0),
        }
    }

    /// The rank of a transformational intrinsic (Fortran 95 standard, chapter 13).
    fn array_rank(&self, i: crate::Intrinsic, l: List) -> u8 {
        use crate::Intrinsic as I;
        let args = self.pool.list(l);
        let rank = self.pool.rank(args[0]);
        let present = |k: usize| args.get(k).is_some_and(|&e| self.pool.data(e) != ExprData::None);
        match i {
            I::Sum
            | I::Product
            | I::Maxval
            | I::Minval
            | I::Count
            | I::Any
            | I::All
            | I::Parity
            | I::Iall
            | I::Iany
            | I::Iparity
            | I::Norm2 => {
                if present(1) {
                    rank.saturating_sub(1)
                } else {
                    0
                }
            }
            I::Maxloc | I::Minloc => {
                if present(1) {
                    rank.saturating_sub(1)
                } else {
                    1
                }
            }
            I::DotProduct => 0,
            I::Matmul => (rank + self.pool.rank(args[1])).saturating_sub(2),
            I::Transpose => 2,
            I::Spread => rank + 1,
            I::Pack => 1,
            I::Unpack => self.pool.rank(args[1]),
            I::Reshape => self.reshape_rank(args[1]),
            _ => rank,
        }
    }

    /// The rank of a RESHAPE: the constant extent of its second argument.
    fn reshape_rank(&self, shape: Expr) -> u8 {
        match self.pool.data(shape) {
            ExprData::Constructor(_, l) => self.pool.list(l).len() as u8,
            ExprData::Var(s) if self.syms[s].dims.len() == 1 => {
                let d = self.syms[s].dims[0];
                let bound = |e: Option<Expr>| e.and_then(|e| self.pool.as_int(e));
                match (bound(Some(d.lower)), bound(d.upper.expand())) {
                    (Some(lo), Some(hi)) => (hi - lo + 1).clamp(0, 15) as u8,
                    _ => 1,
                }
            }
            ExprData::Convert(_, e) => self.reshape_rank(e),
            _ => 1,
        }
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        self.make(ExprData::Binary(op, a, b))
    }

    pub(crate) fn counter_for(&mut self, info: CounterInfo) -> Counter {
        if let Some(&c) = self.counter_ids.get(&info) {
            return c;
        }
        let c = self.counters.push(info);
        self.counter_ids.insert(info, c);
        c
    }

    /// The counter with which each rank counts its share of `info`; it is apart from the one that all ranks count alike with.
    pub(crate) fn counter_of_ranks(&mut self, info: CounterInfo) -> Counter {
        if let Some(&c) = self.counted_by_ranks.iter().find(|&&c| self.counters[c] == info) {
            return c;
        }
        let c = self.counters.push(info);
        self.counted_by_ranks.insert(c);
        c
    }

    pub(crate) fn new_stmt(&mut self, head: Head, set: SetId, arity: usize) -> Stmt {
        let s = self.stmts.push(StmtNode {
            head,
            blocks: SmallVec::new(),
            parent: None.into(),
            prev: None.into(),
            next: None.into(),
            set,
        });
        for _ in 0..arity {
            let b = self.blocks.push(BlockNode { owner: s.into(), ..BlockNode::default() });
            self.stmts[s].blocks.push(b);
        }
        s
    }

    pub(crate) fn append(&mut self, s: Stmt, b: Block) {
        let last = self.blocks[b].last;
        self.link(s, b, last, None.into());
    }

    pub(crate) fn insert_before(&mut self, s: Stmt, at: Stmt) {
        let b = self.stmts[at].parent.expect("the place is in the program");
        let prev = self.stmts[at].prev;
        self.link(s, b, prev, at.into());
    }

    pub(crate) fn insert_after(&mut self, s: Stmt, at: Stmt) {
        let b = self.stmts[at].parent.expect("the place is in the program");
        let next = self.stmts[at].next;
        self.link(s, b, at.into(), next);
    }

    fn link(&mut self, s: Stmt, b: Block, prev: PackedOption<Stmt>, next: PackedOption<Stmt>) {
        debug_assert!(self.stmts[s].parent.is_none(), "{s} is already in the program");
        self.stmts[s].parent = b.into();
        self.stmts[s].prev = prev;
        self.stmts[s].next = next;
        match prev.expand() {
            Some(p) => self.stmts[p].next = s.into(),
            None => self.blocks[b].first = s.into(),
        }
        match next.expand() {
            Some(n) => self.stmts[n].prev = s.into(),
            None => self.blocks[b].last = s.into(),
        }
    }

    pub(crate) fn unlink(&mut self, s: Stmt) {
        let b = self.stmts[s].parent.take().expect("statement is in the program");
        let (prev, next) = (self.stmts[s].prev.take(), self.stmts[s].next.take());
        match prev {
            Some(p) => self.stmts[p].next = next.into(),
            None => self.blocks[b].first = next.into(),
        }
        match next {
            Some(n) => self.stmts[n].prev = prev.into(),
            None => self.blocks[b].last = prev.into(),
        }
    }
}
