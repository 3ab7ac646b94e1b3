//! The only way to change a [`Unit`].
//!
//! Every verb is one of the five provenance transforms (HPF profiling paper, 3.2; the sets and taints
//! are those of the table in ARCHITECTURE.md) and is recorded. There is no `insert` and no `remove`, and
//! no statement stands outside the tree between verbs, so a pass cannot create, merge, drop or move a
//! statement without saying which of the five it did.
//!
//! Verbs carry tallies by themselves (see `tally`), so a pass need not know of them; it looks at
//! [`Unit::real_stmts`] and its decisions cannot depend on whether the build is profiled.

mod batch;
mod compact;
mod facts;
mod import;
mod lanes;
mod unswitch;

use crate::entities::{Block, Expr, Label, Sym};
use crate::expr::ExprData;
use crate::head::{Head, Level};
use crate::symbol::{Storage, SymData};
use crate::{BinaryOp, Intrinsic, Type, Unit};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::Deref;
use trueline_provenance::{CounterInfo, Edit, ExpandKind, Missed, Obstacle, Origin, SetId, Stmt, Transform, Why};

/// A position between statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Place {
    Before(Stmt),
    After(Stmt),
    Start(Block),
    End(Block),
}

/// The longest set that takes further members from decided conditionals.
pub(crate) const MOST_SOURCES: usize = 128;

/// A [`Unit`] open for editing. Reads go through `Deref`.
pub struct Editor<'u> {
    pub(crate) unit: &'u mut Unit,
    pub(crate) pass: &'static str,
}

impl Deref for Editor<'_> {
    type Target = Unit;
    fn deref(&self) -> &Unit {
        self.unit
    }
}

/// The verbs.
impl<'u> Editor<'u> {
    /// Opens `unit` for `pass`, whose name the edits will bear.
    pub fn open(unit: &'u mut Unit, pass: &'static str) -> Editor<'u> {
        Editor { unit, pass }
    }

    /// Does a part of the work in the name of another pass: the edits bear its name.
    pub fn work_of<R>(&mut self, pass: &'static str, work: impl FnOnce(&mut Editor<'u>) -> R) -> R {
        let own = std::mem::replace(&mut self.pass, pass);
        let result = work(self);
        self.pass = own;
        result
    }

    /// **Null**: a statement unrelated to any source statement appears at `at`.
    pub fn null(&mut self, head: Head, at: Place, why: Why) -> Stmt {
        let new = self.unit.new_stmt(head, SetId::EMPTY, head.arity().expect("null makes no SELECT"));
        self.attach(new, at);
        self.note_tally(head);
        if !head.is_invisible() {
            let why = (!crate::fault("null_without_reason")).then_some(why);
            self.record(Transform::Null, new, None, SetId::EMPTY, why);
        }
        new
    }

    /// **Merge**: `gone` disappears into `keep`, which takes `head` and the union of both sets; the contents of the blocks of
    /// `gone` follow those of `keep`'s. `rename` maps registers of `gone`'s body
    /// (its DO variable) to expressions.
    pub fn merge(&mut self, keep: Stmt, gone: Stmt, head: Head, rename: &[(Sym, Expr)]) {
        assert_ne!(keep, gone, "{}: merge of a statement with itself", self.pass);
        if !crate::fault("merge_without_settling") {
            self.settle_trips(keep);
            self.settle_trips(gone);
            self.settle_fusion(keep, gone);
            self.settle_between(keep, gone);
        }
        for (into, from) in self.block_pairs(keep, gone) {
            for s in self.stmts(from).collect::<Vec<_>>() {
                self.substitute_below(s, rename);
                self.unit.unlink(s);
                self.unit.append(s, into);
            }
        }
        self.unit.stmts[keep].head = head;
        self.take_over(keep, gone);
    }

    /// Gives `keep` the union of both sets, and removes `gone`.
    pub(crate) fn take_over(&mut self, keep: Stmt, gone: Stmt) {
        let (before, with) = (self.set(keep), self.set(gone));
        let after = if crate::fault("merge_without_union") { before } else { self.unit.sets.union(before, with) };
        self.unit.stmts[keep].set = after;
        self.unit.unlink(gone);
        self.unit.log.edits.push(Edit {
            pass: self.pass,
            transform: Transform::Merge,
            stmt: keep,
            other: gone.into(),
            before,
            after,
            with: with.into(),
            why: None,
        });
    }

    /// **Merge**: a part that several statements have in common becomes a new statement at `at` with the union
    /// of their sets; they stay (common subexpressions, combined tests).
    pub fn merge_common(&mut self, users: &[Stmt], head: Head, at: Place) -> Stmt {
        let users = if crate::fault("merge_common_without_union") { &users[..1] } else { users };
        let unit = &mut *self.unit;
        let after = unit.sets.union_of(users.iter().map(|&s| unit.stmts[s].set));
        let new = self.unit.new_stmt(head, after, head.arity().expect("merge_common makes no SELECT"));
        self.attach(new, at);
        let mut left: Vec<Stmt> = users.iter().flat_map(|&s| self.left_by(s, at)).collect();
        left.sort_unstable();
        left.dedup();
        self.add_sets(new, &left);
        let after = self.set(new);
        self.record(Transform::Merge, new, users.first().copied(), after, None);
        new
    }

    /// Forgets the edits that were made, for a unit whose story nobody will ask for. Reasons of statements without a source statement stay:
    /// the verifier reads them.
    pub fn forget_edits(&mut self) {
        self.unit.log.edits.retain(|e| e.transform == Transform::Null);
        self.unit.log.edits.shrink_to_fit();
        self.unit.rewrites = Vec::new();
    }

    /// Gives back memory that the unit holds for growth, where it grows no more.
    pub fn shrink(&mut self) {
        self.unit.stmts.shrink_to_fit();
        self.unit.blocks.shrink_to_fit();
        self.unit.pool.shrink();
        self.unit.sets.shrink();
        self.unit.log.edits.shrink_to_fit();
        self.unit.rewrites.shrink_to_fit();
    }

    /// Notes an edit that the pass could not make to `s`, and why. The program stays unchanged.
    pub fn missed(&mut self, s: Stmt, what: &'static str, why: Obstacle) {
        let missed = Missed { pass: self.pass, what, of: self.set(s), why };
        if self.unit.log.missed.last() != Some(&missed) {
            self.unit.log.missed.push(missed);
        }
    }

    /// Notes that the pass could not do `what` with the unit, and why.
    pub fn missed_whole(&mut self, what: &'static str, why: Obstacle) {
        let of = self.unit.sets.intern([self.unit.serial]);
        self.unit.log.missed.push(Missed { pass: self.pass, what, of, why });
    }

    /// **Eliminate**: `s` and everything in it leaves the program, each statement with the reason. Counts of `s`
    /// are made where it stood, if they have a closed form (law K), else given up.
    pub fn eliminate(&mut self, s: Stmt, why: Why) {
        self.keep_counts(s, why);
        if !matches!(why, Why::Unrolled | Why::Inlined | Why::InlinedPart | Why::Unreachable | Why::ZeroTrips) {
            self.keep_stores(s);
            self.keep_last_values(s);
            self.lose_ghosts(s);
        }
        for inner in self.walk_stmt(s).into_iter().rev() {
            if !self.head(inner).is_invisible() && !crate::fault("eliminate_without_edit") {
                let set = self.set(inner);
                self.record(Transform::Eliminate, inner, None, set, Some(why));
            }
        }
        self.unit.unlink(s);
    }

    /// **Eliminate**: the head of `s` leaves the program. The statements of its block `keep` take its
    /// place, with the set of the statement they leave; those of its other blocks are never executed and leave with it.
    pub fn eliminate_head(&mut self, s: Stmt, keep: Option<Block>, why: Why) {
        let unswitched = self.unswitched_out_of(s);
        for b in self.blocks(s).to_vec() {
            for inner in self.stmts(b).collect::<Vec<_>>() {
                if self.head(inner).is_invisible() && crate::fault("eliminate_head_loses_tally") {
                    self.unit.unlink(inner);
                } else if Some(b) == keep {
                    self.unit.unlink(inner);
                    self.unit.insert_before(inner, s);
                    let is_left = unswitched.is_some_and(|o| self.holds_loop_of(inner, o));
                    // A chain of thousands of decided conditionals would give each statement thousands of sources.
                    let is_short = self.origins(inner).len() + self.origins(s).len() < MOST_SOURCES;
                    if is_short && !is_left && !crate::fault("eliminate_head_without_augmentation") {
                        self.add_sets(inner, &[s]);
                    }
                } else if self.head(inner).is_invisible() {
                    self.unit.unlink(inner);
                } else {
                    self.eliminate_unexecuted(inner);
                }
            }
        }
        let set = self.set(s);
        self.record(Transform::Eliminate, s, None, set, Some(why));
        self.unit.unlink(s);
    }

    /// The loop that the conditional `s` was moved out of, if it was: its set names the loop, and no loop around
    /// it does; other conditionals around it may have been moved out of the same loop. The loop does not take the set of the statements that it held.
    fn unswitched_out_of(&self, s: Stmt) -> Option<Origin> {
        let outermost = self.origins(s).iter().copied().min_by_key(|o| (self.sets.calls(o.via).count(), o.stmt))?;
        let is_around = self.ancestors(s).any(|a| self.head(a).is_loop() && self.origins(a).contains(&outermost));
        (matches!(self.head(s), Head::If { .. }) && !is_around).then_some(outermost)
    }

    /// Whether `s` is a loop that stands for `o`, or contains one.
    fn holds_loop_of(&self, s: Stmt, o: Origin) -> bool {
        self.walk_stmt(s).into_iter().any(|l| self.head(l).is_loop() && self.origins(l).contains(&o))
    }

    /// **Expand**: `from` gives rise to a new statement at `at`, which inherits its set, and the sets of the statements around
    /// `from` if `at` is outside of them. `blocks` is the number of
    /// blocks of a SELECT CASE; other heads know theirs.
    pub fn expand(&mut self, from: Stmt, head: Head, at: Place, kind: ExpandKind) -> Stmt {
        let arity = head.arity().unwrap_or_else(|| self.blocks(from).len());
        let set = if crate::fault("expand_without_set") { SetId::EMPTY } else { self.set(from) };
        let new = self.unit.new_stmt(head, set, arity);
        let left = self.left_by(from, at);
        self.attach(new, at);
        self.add_sets(new, &left);
        if kind.copies() {
            self.taint_expanded(from);
        }
        self.record(Transform::Expand(kind), new, Some(from), set, None);
        new
    }

    /// **Expand**, its beginning: the loop `s`, or loops in it, are about to run through a part of their iterations only, since other
    /// ranks run through the others ([`Editor::expand_in_place`] gives them other bounds). All counting code leaves `s`, for every rank
    /// counts the whole loop, but for that in the conditionals `counted`, of which each rank counts its share ([`Editor::count_by_ranks`]).
    pub fn localize(&mut self, s: Stmt, counted: &[Stmt]) {
        let kept = self.lift_counting(s, counted);
        self.hoist_tallies(s);
        for x in self.walk_stmt(s) {
            self.keep_last_value(x);
        }
        let counts = |&x: &Stmt| self.head(x).is_invisible();
        let stmts: Vec<Stmt> = self.walk_stmt(s).into_iter().skip(1).filter(counts).collect();
        self.take_out(s, Default::default(), stmts);
        self.put_back(kept);
    }

    /// **Expand**, one to one: `s` keeps its place, its blocks and its set, its head is rewritten.
    pub fn expand_in_place(&mut self, s: Stmt, head: Head) {
        let old = self.head(s);
        if old == head {
            return;
        }
        if old.arity() != head.arity() {
            assert!(
                self.blocks(s).iter().all(|&b| self.unit.blocks[b].first.is_none()),
                "{}: a statement with a body changes shape",
                self.pass
            );
        }
        if self.defines(old) != self.defines(head) && !crate::fault("rewrite_without_ghost") {
            self.keep_values(s);
            self.keep_store(s, old, head);
        }
        if old.arity() != head.arity() {
            let arity = head.arity().expect("no statement becomes a SELECT");
            let blocks = (0..arity)
                .map(|_| self.unit.blocks.push(crate::unit::BlockNode { owner: s.into(), ..Default::default() }))
                .collect();
            self.unit.stmts[s].blocks = blocks;
        }
        self.unit.stmts[s].head = head;
        self.note_tally(head);
        if !head.is_invisible() {
            let set = self.set(s);
            self.record(Transform::Expand(ExpandKind::Rewrite), s, Some(s), set, None);
            let number = self.unit.log.edits.len() as u32 - 1;
            self.unit.rewrites.push(crate::unit::Rewrite { number, old, new: head });
        }
    }

    /// **Expand**, its end: `s` has been expanded into other statements, and the husk goes.
    /// Nothing is eliminated: every member of its set must live on in one of them.
    pub fn expanded(&mut self, s: Stmt) {
        assert!(
            self.blocks(s).iter().all(|&b| self.unit.blocks[b].first.is_none()),
            "{}: an expanded statement still has a body",
            self.pass
        );
        self.unit.unlink(s);
    }

    /// **Expand**, Lower: the statements of block `b` of `s`, invisible ones too, come out before `s`,
    /// in order, as part of the expansion of `s`: they execute when and as often as before, so no
    /// set changes (structured control flow to branches, WHERE and FORALL bodies to loops).
    pub fn splice_lowered(&mut self, s: Stmt, b: Block) {
        assert_eq!(self.owner(b), Some(s), "{}: a block is spliced out of its own statement", self.pass);
        for inner in self.stmts(b).collect::<Vec<_>>() {
            self.unit.unlink(inner);
            if !(self.head(inner).is_invisible() && crate::fault("splice_loses_tally")) {
                self.unit.insert_before(inner, s);
            }
        }
    }

    /// **Expand**: `s` is wrapped in a new statement with one block taken (a tile loop, a guard), which
    /// inherits its set; `s` stands in block `number` of it.
    pub fn expand_around(&mut self, s: Stmt, head: Head, number: usize, kind: ExpandKind) -> Stmt {
        let outer = self.expand(s, head, Place::Before(s), kind);
        let blocks = self.blocks(outer);
        let inside = blocks[if crate::fault("expand_around_other_block") { blocks.len() - 1 - number } else { number }];
        self.unit.unlink(s);
        self.unit.append(s, inside);
        outer
    }

    /// **Expand**: a copy of `s` and its body at `at`, with registers replaced as `rename` says and the
    /// labels inside made new. If the copy leaves loops or conditionals that `s` stands in, it takes
    /// their sets too, as a move does (peeling, full unrolling).
    pub fn expand_copy(&mut self, s: Stmt, at: Place, rename: &[(Sym, Expr)], kind: ExpandKind) -> Stmt {
        let left = self.left_by(s, at);
        for inner in self.walk_stmt(s) {
            self.taint_expanded(inner);
        }
        let labels = self.fresh_labels(s);
        let first = self.unit.stmts.len();
        let new = self.copy_tree(s, at, rename, &labels);
        // Arguments of a call that are values now are stored before it.
        let stored = std::iter::successors(self.prev(new), |&x| self.prev(x)).take_while(|x| x.index() >= first);
        for x in stored.collect::<Vec<_>>() {
            self.add_sets(x, &left);
        }
        self.augment(new, s, &left);
        if crate::fault("copy_without_set") {
            self.unit.stmts[new].set = SetId::EMPTY;
        }
        for &l in &left {
            // The copy stands for some executions of the body it left: the loop is no longer whole.
            self.taint_expanded(l);
        }
        let set = self.set(s);
        self.record(Transform::Expand(kind), new, Some(s), set, None);
        new
    }

    /// **Expand**, Replicate: the loop or conditional `s` is split before `tail`, a statement of its
    /// block: the rest goes to a second statement with the same head, after `s` (distribution).
    pub fn expand_split(&mut self, s: Stmt, tail: Stmt) -> Stmt {
        let block = self.parent(tail).expect("tail is in the program");
        let number = self.blocks(s).iter().position(|&b| b == block).expect("tail stands directly in s");
        let second = self.expand(s, self.head(s), Place::After(s), ExpandKind::Replicate);
        let into = self.blocks(second)[number];
        self.hoist_tallies(s);
        self.settle_trips_in(block);
        let cut = self.settle_split(s, block, tail);
        self.split_off(block, [cut, tail], into);
        second
    }

    /// **Move**: `s`, with its body, goes to `at`. Leaving a body adds the sets of the statements left.
    pub fn move_to(&mut self, s: Stmt, at: Place) {
        let before = self.set(s);
        let left = self.left_by(s, at);
        let entered = self.entered_by(s, at);
        if !crate::fault("move_without_ghost") {
            self.keep_values(s);
        }
        self.settle_trips(s);
        self.keep_stores(s);
        if !left.is_empty() || !entered.is_empty() {
            if !crate::fault("move_keeps_counts_inside") {
                self.close_counts(s);
            }
            self.taint_moved(s);
        }
        self.unit.unlink(s);
        self.attach(s, at);
        self.augment(s, s, &left);
        self.record(Transform::Move, s, None, before, None);
    }

    /// **Move**: the loop `inner`, alone in the body of the loop `outer`, becomes the outer of the two
    /// (interchange). It leaves the body of `outer`, so it takes its set.
    pub fn move_around(&mut self, inner: Stmt, outer: Stmt) {
        let (ob, ib) = (self.blocks(outer)[0], self.blocks(inner)[0]);
        assert!(self.real_stmts(ob).eq([inner]), "{}: move_around of an imperfect nest", self.pass);
        if !crate::fault("interchange_keeps_tallies") {
            self.settle_trips_in(ob);
            self.settle_order(outer);
            self.settle_nest(outer, inner);
        }
        let before = self.set(inner);
        self.taint_moved(inner);
        self.taint_moved(outer);
        self.unit.unlink(inner);
        for s in self.stmts(ib).collect::<Vec<_>>() {
            self.unit.unlink(s);
            self.unit.append(s, ob);
        }
        self.unit.insert_before(inner, outer);
        self.unit.unlink(outer);
        self.unit.append(outer, ib);
        let outer_set = if crate::fault("interchange_without_augmentation") { before } else { self.set(outer) };
        let after = self.unit.sets.union(before, outer_set);
        self.unit.stmts[inner].set = after;
        self.record(Transform::Move, inner, None, before, None);
    }

    /// Lowers the unit to `level`. The verifier checks legality.
    pub fn lower_to(&mut self, level: Level) {
        assert!(level >= self.level(), "{}: a unit's level only goes down", self.pass);
        self.unit.level = if crate::fault("lower_skips_a_level") { Level::L } else { level };
    }
}

/// Expressions, symbols, labels: values, so making them is not an edit.
impl Editor<'_> {
    /// A (hash-consed) expression.
    pub fn make(&mut self, data: ExprData) -> Expr {
        self.unit.make(data)
    }
    /// A list of expressions.
    pub fn make_list(&mut self, items: &[Expr]) -> crate::List {
        self.unit.pool.intern_list(items)
    }
    /// A character constant.
    pub fn make_text(&mut self, text: &[u8]) -> Expr {
        let i = self.unit.pool.intern_text(text);
        self.make(ExprData::Text(i))
    }
    /// An integer constant.
    pub fn int(&mut self, ty: Type, v: i64) -> Expr {
        self.make(ExprData::Int(ty, v))
    }
    /// A binary operation.
    pub fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        self.unit.binary(op, a, b)
    }
    /// An intrinsic.
    pub fn intrinsic(&mut self, i: Intrinsic, args: &[Expr]) -> Expr {
        let l = self.make_list(args);
        self.make(ExprData::Intrinsic(i, l))
    }
    /// The value of a register, or a scalar in memory.
    pub fn var(&mut self, v: Sym) -> Expr {
        self.make(ExprData::Var(v))
    }
    /// A new register `name.N`.
    pub fn new_register(&mut self, name: &str, ty: Type) -> Sym {
        let name = format!("{name}.{}", self.unit.syms.len());
        self.new_sym(SymData::scalar(name, ty, Storage::Register))
    }
    /// Gives a symbol that the compiler made a mapping: that of its counterpart in another unit, or of an array beside it.
    pub fn map_new_sym(&mut self, sym: Sym, mapping: crate::MappingData) {
        let known = self.unit.mappings.iter().find(|(_, m)| **m == mapping).map(|(id, _)| id);
        let id = known.unwrap_or_else(|| self.unit.mappings.push(mapping));
        self.unit.syms[sym].mapping = id.into();
    }
    /// A new symbol.
    pub fn new_sym(&mut self, data: SymData) -> Sym {
        self.unit.syms.push(data)
    }
    /// A new label.
    pub fn new_label(&mut self) -> Label {
        let l = Label::new(self.unit.labels as usize);
        self.unit.labels += 1;
        l
    }
    /// A new jump table.
    pub fn new_jump_table(&mut self, labels: &[Label]) -> u32 {
        self.unit.jump_tables.push(labels.into());
        self.unit.jump_tables.len() as u32 - 1
    }
    /// A procedure to call; the same data gives the same id.
    pub fn proc_for(&mut self, data: crate::ProcData) -> crate::Proc {
        match self.unit.procs.iter().find(|(_, p)| **p == data) {
            Some((p, _)) => p,
            None => self.unit.procs.push(data),
        }
    }
    /// A static area; the same linker symbol gives the same id (the larger size and any content win).
    pub fn area_for(&mut self, data: crate::AreaData) -> crate::Area {
        self.unit.area_for(data)
    }
    /// Static memory of another unit that only counting code mentions.
    pub fn area_for_counts(&mut self, data: crate::AreaData) -> crate::Area {
        self.unit.area_for_counts(data)
    }
    /// A counter.
    pub fn counter_for(&mut self, info: CounterInfo) -> crate::Counter {
        self.unit.counter_for(info)
    }
    /// The counter with which each rank counts its share of `info`.
    pub fn counter_of_ranks(&mut self, info: CounterInfo) -> crate::Counter {
        self.unit.counter_of_ranks(info)
    }
    /// A record for probes of an instance of a source statement.
    pub fn record_for(&mut self, of: trueline_provenance::Origin) -> u32 {
        if let Some(i) = self.unit.records.iter().position(|&r| r == of) {
            return i as u32;
        }
        self.unit.records.push(of);
        self.unit.records.len() as u32 - 1
    }
    /// Interns a set of another unit's members here (inlining).
    pub fn set_of(&mut self, stmts: &[trueline_provenance::Serial]) -> SetId {
        self.unit.sets.intern(stmts.iter().copied())
    }
    /// `e` rewritten from the top by `f`; see the crate's documentation of places.
    pub fn map_expr(&mut self, e: Expr, f: &mut dyn FnMut(&mut Unit, Expr) -> Option<Expr>) -> Expr {
        self.unit.map_expr(e, f)
    }
    /// `head` with its operands rewritten by `f`; nothing in the program changes.
    pub fn map_head(&mut self, head: Head, f: &mut dyn FnMut(&mut Unit, Expr) -> Option<Expr>) -> Head {
        self.unit.map_head(head, f)
    }
    /// `e` with registers replaced.
    pub fn substitute(&mut self, e: Expr, rename: &[(Sym, Expr)]) -> Expr {
        self.unit.map_expr(e, &mut |u, x| replacement(u, x, rename))
    }
    /// Rewrites the operands of `s` and of everything in it, in place (expand, one to one).
    pub fn rewrite_below(&mut self, s: Stmt, f: &mut dyn FnMut(&mut Unit, Expr) -> Option<Expr>) {
        for x in self.walk_stmt(s) {
            let head = self.head(x);
            let new = self.unit.map_head(head, f);
            self.expand_in_place(x, new);
        }
    }
}

fn replacement(u: &mut Unit, e: Expr, rename: &[(Sym, Expr)]) -> Option<Expr> {
    match u.expr(e) {
        ExprData::Var(v) => rename.iter().find(|(from, _)| *from == v).map(|(_, to)| *to),
        _ => None,
    }
}

// Private on purpose: a detached statement must not outlive the verb that detached it.
impl Editor<'_> {
    pub(crate) fn attach(&mut self, s: Stmt, at: Place) {
        match at {
            Place::Before(x) => self.unit.insert_before(s, x),
            Place::After(x) => self.unit.insert_after(s, x),
            Place::End(b) => self.unit.append(s, b),
            Place::Start(b) => match self.unit.blocks[b].first.expand() {
                Some(first) => self.unit.insert_before(s, first),
                None => self.unit.append(s, b),
            },
        }
    }

    fn block_pairs(&self, keep: Stmt, gone: Stmt) -> Vec<(Block, Block)> {
        let (k, g) = (self.blocks(keep), self.blocks(gone));
        assert!(g.len() <= k.len(), "{}: merge of statements of different shape", self.pass);
        k.iter().copied().zip(g.iter().copied()).collect()
    }

    fn block_at(&self, at: Place) -> Block {
        match at {
            Place::Before(x) | Place::After(x) => self.parent(x).expect("the place is in the program"),
            Place::Start(b) | Place::End(b) => b,
        }
    }

    /// The statements that enclose `s` but not `at`: those whose body it leaves.
    fn left_by(&self, s: Stmt, at: Place) -> Vec<Stmt> {
        let to = self.block_at(at);
        if self.parent(s) == Some(to) {
            return vec![];
        }
        let around: Vec<Stmt> = self.enclosing_block(to);
        self.ancestors(s).filter(|a| !around.contains(a)).collect()
    }

    /// The statements that enclose `at` but not `s`.
    fn entered_by(&self, s: Stmt, at: Place) -> Vec<Stmt> {
        let to = self.block_at(at);
        if self.parent(s) == Some(to) {
            return vec![];
        }
        let around: Vec<Stmt> = self.ancestors(s).collect();
        self.enclosing_block(to).into_iter().filter(|a| !around.contains(a)).collect()
    }

    fn enclosing_block(&self, b: Block) -> Vec<Stmt> {
        std::iter::successors(self.owner(b), |&p| self.enclosing(p)).collect()
    }

    pub(crate) fn augment(&mut self, new: Stmt, from: Stmt, left: &[Stmt]) {
        if self.head(new).is_invisible() || left.is_empty() || crate::fault("move_without_augmentation") {
            return;
        }
        self.add_sets(new, left);
        // The loop that it leaves is tainted with it: a guard may come around the loop, which then runs less often.
        self.taint_moved(from);
    }

    /// Adds the sets of the statements that `s` has left to its own.
    pub(crate) fn add_sets(&mut self, s: Stmt, left: &[Stmt]) {
        if self.head(s).is_invisible() {
            return;
        }
        let unit = &mut *self.unit;
        let all = std::iter::once(&s).chain(left).map(|&l| unit.stmts[l].set);
        let set = unit.sets.union_of(all);
        self.unit.stmts[s].set = set;
    }

    pub(crate) fn taint_expanded(&mut self, s: Stmt) {
        if crate::fault("taint_expanded") {
            return;
        }
        for &o in self.unit.sets.atoms(self.unit.stmts[s].set) {
            self.unit.taints.expanded.insert(o);
        }
    }

    pub(crate) fn taint_moved(&mut self, s: Stmt) {
        if crate::fault("taint_moved") {
            return;
        }
        for x in self.walk_stmt(s) {
            for &o in self.unit.sets.atoms(self.unit.stmts[x].set) {
                self.unit.taints.moved.insert(o);
            }
        }
    }

    /// New names for the labels that stand inside `s`.
    pub(crate) fn fresh_labels(&mut self, s: Stmt) -> FxHashMap<Label, Label> {
        let inside: Vec<Label> = self
            .walk_stmt(s)
            .into_iter()
            .filter_map(|x| match self.head(x) {
                Head::Label(l) => Some(l),
                _ => None,
            })
            .collect();
        inside.into_iter().map(|l| (l, self.new_label())).collect()
    }

    pub(crate) fn copy_tree(
        &mut self,
        s: Stmt,
        at: Place,
        rename: &[(Sym, Expr)],
        labels: &FxHashMap<Label, Label>,
    ) -> Stmt {
        let head = self.copied_head(self.head(s), rename, labels);
        let (set, arity) = (self.set(s), self.blocks(s).len());
        let new = self.unit.new_stmt(head, set, arity);
        self.attach(new, at);
        self.note_tally(head);
        self.rename_references(new, rename);
        for i in 0..arity {
            let (from, to) = (self.blocks(s)[i], self.blocks(new)[i]);
            for inner in self.stmts(from).collect::<Vec<_>>() {
                if self.head(inner).is_invisible() && crate::fault("copy_without_tallies") {
                    continue;
                }
                self.copy_tree(inner, Place::End(to), rename, labels);
            }
        }
        new
    }

    fn copied_head(&mut self, head: Head, rename: &[(Sym, Expr)], labels: &FxHashMap<Label, Label>) -> Head {
        let new = |l: Label| labels.get(&l).copied().unwrap_or(l);
        let head = match head {
            Head::Label(l) => Head::Label(new(l)),
            Head::Goto(l) => Head::Goto(new(l)),
            Head::ArithIf { value, to } => Head::ArithIf { value, to: to.map(new) },
            Head::Branch { cond, then, otherwise } => Head::Branch { cond, then: new(then), otherwise: new(otherwise) },
            Head::GotoTable { index, table } => {
                let old: Vec<Label> = self.jump_table(table).to_vec();
                let copy: Vec<Label> = old.iter().map(|&l| new(l)).collect();
                let table = if copy == old { table } else { self.new_jump_table(&copy) };
                Head::GotoTable { index, table }
            }
            other => other,
        };
        if rename.is_empty() { head } else { self.unit.map_head(head, &mut |u, e| replacement(u, e, rename)) }
    }

    pub(crate) fn substitute_below(&mut self, s: Stmt, rename: &[(Sym, Expr)]) {
        if rename.is_empty() {
            return;
        }
        for x in self.walk_stmt(s) {
            let head = self.head(x);
            self.unit.stmts[x].head = self.unit.map_head(head, &mut |u, e| replacement(u, e, rename));
            let head = self.head(x);
            self.note_tally(head);
            self.rename_references(x, rename);
        }
    }

    /// Renames registers that the call `s` passes by reference: a register can only be replaced by a register, so a
    /// value is put into a new one before the call (a DO variable printed in an unrolled body).
    fn rename_references(&mut self, s: Stmt, rename: &[(Sym, Expr)]) {
        let Head::Call { callee, args, result } = self.head(s) else { return };
        let mut items: SmallVec<[Expr; 8]> = self.list(args).iter().copied().collect();
        let mut changed = false;
        for item in &mut items {
            let ExprData::AddrOf(access, place) = self.expr(*item) else { continue };
            let ExprData::Var(v) = self.expr(place) else { continue };
            let Some(&(_, by)) = rename.iter().find(|(from, _)| *from == v) else { continue };
            let place = match self.expr(by) {
                ExprData::Var(_) => by,
                _ => {
                    let ty = self.sym(v).ty;
                    let kept = self.new_register("t", ty);
                    let place = self.var(kept);
                    self.expand(s, Head::Assign { place, value: by }, Place::Before(s), ExpandKind::Lower);
                    place
                }
            };
            *item = self.make(ExprData::AddrOf(access, place));
            changed = true;
        }
        if changed {
            let args = self.make_list(&items);
            self.unit.stmts[s].head = Head::Call { callee, args, result };
        }
    }

    /// Removes an arm that is never executed: its counts are zero, so nothing is kept.
    fn eliminate_unexecuted(&mut self, s: Stmt) {
        for inner in self.walk_stmt(s) {
            if !self.head(inner).is_invisible() {
                let set = self.set(inner);
                self.record(Transform::Eliminate, inner, None, set, Some(Why::Unreachable));
            }
        }
        self.unit.unlink(s);
    }

    pub(crate) fn record(
        &mut self,
        transform: Transform,
        stmt: Stmt,
        other: Option<Stmt>,
        before: SetId,
        why: Option<Why>,
    ) {
        let after = self.set(stmt);
        self.unit.log.edits.push(Edit {
            pass: self.pass,
            transform,
            stmt,
            other: other.into(),
            before,
            after,
            with: None.into(),
            why,
        });
    }
}
