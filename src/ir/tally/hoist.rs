//! Laws H, Hs, C and K: tallies leave loops and conditionals, by closed forms, and the counts of dropped code are kept.
//!
//! ```text
//! do i = 1, n                     tally @3 += trip(1, n, 1)
//!   tally @3 += 1          =>     do i = 1, n
//!   a(i) = b(i)                     a(i) = b(i)
//! end                             end
//! ```

use crate::edit::{Editor, Place};
use crate::entities::{Block, Counter, Expr, Sym};
use crate::expr::{BinaryOp, ExprData};
use crate::head::Head;
use crate::tally::Written;
use crate::{Intrinsic, Type, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_provenance::{CounterInfo, Stmt, Why};

impl Editor<'_> {
    /// Adds `amount` to `counter` at `at`.
    pub fn tally(&mut self, counter: Counter, amount: Expr, at: Place) -> Stmt {
        self.null(Head::Tally { counter, amount }, at, Why::Counting)
    }

    /// Lets the tally `t` add to `cell`, a share of its counter.
    pub fn count_share(&mut self, t: Stmt, cell: CounterInfo) {
        if let Head::Tally { amount, .. } = self.head(t) {
            let counter = self.counter_for(cell);
            self.unit.stmts[t].head = Head::Tally { counter, amount };
        }
    }

    /// Laws H, Hs and C for the loop or conditional `s`: every tally in it whose total for one execution
    /// of `s` has a closed form is replaced by one tally before `s`. Others stay. Tallies leave a
    /// conditional inside `s` only when its condition is fixed in `s`: before it, they would cost more.
    pub fn hoist_tallies(&mut self, s: Stmt) {
        let changed = self.defined_below(s);
        let own = self.defined_below_loop(s);
        self.hoist_inner(s, &|u, cond| {
            let is_fixed = u.registers_in(cond).iter().all(|v| !changed.contains(v));
            is_fixed || (u.is_constant_in_nest(s, cond, &own) && u.blocks(s).iter().all(|&b| u.runs_through(b)))
        });
    }

    /// Called before the loops `outer` and `inner`, alone in it, change places: a tally that stands between them, and
    /// is counted once in each iteration of `outer`, must not be counted once in each iteration of both. It leaves the
    /// nest if that has a closed form (H, Hs). Else it goes into `inner`, to be counted in the first iteration there,
    /// if it is zero whenever `inner` does not run; or it is given up. The counts inside `inner` stay, unless they
    /// leave the nest altogether.
    pub(crate) fn settle_nest(&mut self, outer: Stmt, inner: Stmt) {
        let (between, inside) = (self.blocks(outer)[0], self.blocks(inner)[0]);
        // Brackets whose loop is gone would find nothing between them.
        if !crate::fault("nest_keeps_brackets") {
            self.collapse_trips(between);
            self.collapse_trips(inside);
        }
        let straight = self.runs_straight(between);
        let (by_outer, by_inner) = (self.defined_below(outer), self.defined_below(inner));
        let Head::Do { var, lo, hi, step } = self.head(inner) else { return };
        let bounds = [lo, hi, step].map(|e| self.widen(e));
        let trips = self.trips(bounds);
        for (b, nested) in [(between, false), (inside, true)] {
            for t in self.stmts(b).collect::<Vec<_>>() {
                if self.parent(t) != Some(b) {
                    continue; // Taken out with one before it.
                }
                if matches!(self.head(t), Head::Trips { .. }) && !nested {
                    let all = if straight { self.hoisted_trips(outer, 0, t, &by_outer) } else { None };
                    match all {
                        Some(head) => self.replace_before(t, head, outer),
                        None => self.take_out(outer, FxHashSet::default(), vec![t]),
                    }
                    continue;
                }
                if matches!(self.head(t), Head::GhostDo { .. } | Head::GhostIf { .. }) && !nested {
                    if !crate::fault("interchange_keeps_ghosts") {
                        self.take_out(outer, FxHashSet::default(), vec![t]);
                    }
                    continue;
                }
                let Head::Tally { counter, amount } = self.head(t) else { continue };
                let amount = if nested { amount } else { self.without_ghosts(t, amount, &by_outer) };
                let once = if nested && straight { self.total(inner, 0, amount, &by_inner) } else { Some(amount) };
                let all = once.filter(|_| straight).and_then(|n| self.total(outer, 0, n, &by_outer));
                if let Some(all) = all {
                    self.unit.unlink(t);
                    self.tally(counter, all, Place::Before(outer));
                } else if !nested {
                    let moves = self.registers_in(amount).iter().any(|v| by_inner.contains(v));
                    if moves || !self.needs_iterations(amount, trips) {
                        self.take_out(outer, FxHashSet::default(), vec![t]);
                        continue;
                    }
                    self.unit.unlink(t);
                    let (i, zero) = (self.var(var), self.int(Type::I8, 0));
                    let first = self.binary(BinaryOp::Eq, i, lo);
                    let once = self.intrinsic(Intrinsic::Merge, &[amount, zero, first]);
                    let amount = if crate::fault("interchange_counts_each") { amount } else { once };
                    self.tally(counter, amount, Place::Start(inside));
                }
            }
        }
    }

    /// Whether `amount` is 0 if the loop with `trips` trips does not run, or the loop runs in any case.
    fn needs_iterations(&self, amount: Expr, trips: Expr) -> bool {
        let runs = self.pool.as_int(trips).is_some_and(|n| n > 0);
        runs || amount == trips
            || matches!(self.expr(amount), ExprData::Binary(BinaryOp::Mul, x, y) if x == trips || y == trips)
    }

    fn hoist_inner(&mut self, s: Stmt, worthwhile: &dyn Fn(&Unit, Expr) -> bool) {
        for b in self.blocks(s).to_vec() {
            for inner in self.stmts(b).collect::<Vec<_>>() {
                match self.head(inner) {
                    Head::If { cond } if !worthwhile(self, cond) => self.hoist_inner_loops(inner),
                    Head::If { .. } => self.hoist_inner(inner, worthwhile),
                    Head::Do { .. } => self.hoist_tallies(inner),
                    _ if !self.blocks(inner).is_empty() => self.hoist_inner_loops(inner),
                    _ => {}
                }
            }
        }
        self.hoist_from(s);
    }

    fn hoist_inner_loops(&mut self, s: Stmt) {
        for b in self.blocks(s).to_vec() {
            for inner in self.stmts(b).collect::<Vec<_>>() {
                match self.head(inner) {
                    Head::Do { .. } => self.hoist_tallies(inner),
                    _ if !self.blocks(inner).is_empty() => self.hoist_inner_loops(inner),
                    _ => {}
                }
            }
        }
    }

    fn hoist_from(&mut self, s: Stmt) {
        for number in 0..self.blocks(s).len() {
            let b = self.blocks(s)[number];
            self.collapse_trips(b);
            if !self.runs_through(b) && !crate::fault("hoist_past_exit") {
                self.hoist_past_cycles(s, b);
                continue;
            }
            let counts = |&t: &Stmt| matches!(self.head(t), Head::Tally { .. } | Head::Trips { .. });
            if !self.stmts(b).any(|t| counts(&t)) {
                continue;
            }
            self.keep_brackets(b);
            let counts = |&t: &Stmt| matches!(self.head(t), Head::Tally { .. } | Head::Trips { .. });
            let tallies: Vec<Stmt> = self.stmts(b).filter(counts).collect();
            let changed = self.defined_below(s);
            self.read_before(s, b, &changed);
            for t in tallies {
                if let Some(head) = self.hoisted_trips(s, number, t, &changed) {
                    self.replace_before(t, head, s);
                }
                let Head::Tally { counter, amount } = self.head(t) else {
                    continue;
                };
                if self.parent(t) != Some(b) {
                    continue;
                }
                let amount = self.without_ghosts(t, amount, &changed);
                if let Some(total) = self.total(s, number, amount, &changed) {
                    self.unit.unlink(t);
                    self.tally(counter, total, Place::Before(s));
                }
            }
        }
    }

    /// Moves the reads of memory by ghosts in the body `b` before the loop `s`, if the loop only counts: the memory is
    /// the same each time.
    fn read_before(&mut self, s: Stmt, b: Block, changed: &FxHashSet<Sym>) {
        if !matches!(self.head(s), Head::Do { .. }) || self.real_stmts(b).next().is_some() {
            return;
        }
        if self.walk_block(b).into_iter().any(|x| matches!(self.head(x), Head::GhostStore { .. })) {
            return;
        }
        for x in self.stmts(b).collect::<Vec<_>>() {
            let Head::Ghost { var, value } = self.head(x) else { continue };
            let fixed = self.registers_in(value).iter().all(|v| !changed.contains(v));
            if !self.reads_memory(value) || self.may_trap(value) || !fixed {
                continue;
            }
            let g = self.new_register("ghost", self.ty(value));
            self.ghost(g, value, Place::Before(s));
            self.unit.tallied.insert(g);
            let kept = self.var(g);
            self.unit.stmts[x].head = Head::Ghost { var, value: kept };
        }
    }

    /// `amount`, tallied by `t`, with ghosts of its block replaced by the values they keep, if those still hold at `t`:
    /// the definition that a ghost follows may have left the loop, and so the amount does not vary there any more.
    pub(crate) fn without_ghosts(&mut self, t: Stmt, mut amount: Expr, changed: &FxHashSet<Sym>) -> Expr {
        // Ghosts stand near the tallies that read them; a bound keeps long blocks linear.
        const NEAR: usize = 64;
        let mut between: FxHashSet<Sym> = FxHashSet::default();
        let mut at = self.prev(t);
        for _ in 0..NEAR {
            let Some(x) = at else { break };
            if self.registers_in(amount).iter().all(|v| !changed.contains(v)) {
                break;
            }
            if let Head::Ghost { var, value } = self.head(x)
                && self.mentions(amount, var)
                && !between.contains(&var)
                && !self.reads_memory(value)
                && self.registers_in(value).iter().all(|v| *v != var && !between.contains(v))
            {
                let old = self.var(var);
                amount = self.unit.map_expr(amount, &mut |_, e| (e == old).then_some(value));
            }
            between.extend(self.defined_below(x));
            at = self.prev(x);
        }
        amount
    }

    /// Called before `gone` joins its neighbour `keep`: moves tallies and ghosts between them before both, if `keep`
    /// does not change their operands; else they stay, if `gone` neither reads nor changes them. A ghost that stands
    /// before `keep`, too, goes: loops that were split have such copies.
    pub(crate) fn settle_between(&mut self, keep: Stmt, gone: Stmt) {
        if self.next_real(keep) != Some(gone) {
            return;
        }
        let between = |ed: &Self| -> Vec<Stmt> {
            std::iter::successors(ed.next(keep), |&x| ed.next(x)).take_while(|&x| x != gone).collect()
        };
        // Brackets of loops that are gone would be executed on other ways than the code they stand around.
        between(self).into_iter().for_each(|x| self.settle_bracket(x));
        let between = between(self);
        if between.is_empty() {
            return;
        }
        // A ghost may be read by one that stays.
        for &x in between.iter().rev() {
            for v in self.defined_below(x) {
                self.drop_overwritten(v);
            }
        }
        let mut first = self.defined_below(keep);
        let second = self.defined_below(gone);
        let mut read: [FxHashSet<Sym>; 2] = Default::default();
        for (set, s) in read.iter_mut().zip([keep, gone]) {
            for x in self.walk_stmt(s) {
                set.extend(self.registers_read(self.head(x)));
            }
        }
        // Ghost stores keep their order.
        let stores = between.iter().any(|&x| self.walk_stmt(x).into_iter().any(|y| self.stores(y)));
        let written = [keep, gone].map(|s| Written::by_all(self, &[s]));
        for x in between {
            if self.parent(x).is_none() || !self.head(x).is_invisible() {
                continue;
            }
            if !crate::fault("repeated_given_up") && self.is_repeated(x, keep, &first) {
                self.unit.unlink(x);
                continue;
            }
            let inside = self.walk_stmt(x);
            let uses: Vec<Sym> = inside.iter().flat_map(|&y| self.own_registers(y)).collect();
            let fixed = |set: &FxHashSet<Sym>, written: &Written| {
                let loads = |&y: &Stmt| match stores {
                    true => self.values(self.head(y)).into_iter().any(|e| self.reads_memory(e)) || self.stores(y),
                    false => written.changes_one_of(self, self.head(y)) && !crate::fault("between_written"),
                };
                !inside.iter().any(loads) && uses.iter().all(|v| !set.contains(v))
            };
            let defs = self.defined_below(x);
            let (early, late) = (fixed(&first, &written[0]), fixed(&second, &written[1]));
            let apart = |a: &FxHashSet<Sym>, b: &FxHashSet<Sym>| defs.iter().all(|v| !a.contains(v) && !b.contains(v));
            if early && apart(&read[0], &first) {
                self.unit.unlink(x);
                self.unit.insert_before(x, keep);
                continue;
            }
            first.extend(&defs);
            if !late || !apart(&read[1], &second) {
                self.give_up(&[x]);
            }
        }
    }

    /// Whether the ghost `x` has its value already, by the same ghost before `keep`; between `keep` and `x`, the registers `defined`
    /// are defined.
    fn is_repeated(&self, x: Stmt, keep: Stmt, defined: &FxHashSet<Sym>) -> bool {
        let head = self.head(x);
        let Head::Ghost { var, value } = head else { return false };
        let mut concerned = self.registers_in(value).to_vec();
        if concerned.contains(&var) || self.reads_memory(value) || defined.contains(&var) {
            return false;
        }
        if crate::fault("repeated_though_changed") {
            concerned.clear();
        }
        if concerned.iter().any(|v| defined.contains(v)) {
            return false;
        }
        concerned.push(var);
        for y in std::iter::successors(self.prev(keep), |&y| self.prev(y)) {
            if self.head(y) == head {
                return true;
            }
            if matches!(self.head(y), Head::Label(_)) || self.defined_below(y).iter().any(|v| concerned.contains(v)) {
                return false;
            }
        }
        false
    }

    /// Whether `s` is a ghost store.
    fn stores(&self, s: Stmt) -> bool {
        matches!(self.head(s), Head::GhostStore { .. })
    }

    /// **Eliminate**: the jump `s` to the label that control reaches anyway, past nothing but counting code and the
    /// ends of conditionals. Tallies between them are counted on the ways that do not lead through `s`: at the end of
    /// the other arms of those conditionals.
    pub fn eliminate_redundant_jump(&mut self, s: Stmt) {
        let mut at = s;
        let mut others: Vec<Block> = Vec::new();
        loop {
            let mut next = self.next(at);
            while let Some(x) = next.filter(|&x| self.head(x).is_invisible()) {
                next = self.next(x);
                for &b in others.iter().filter(|_| !crate::fault("jump_without_counts")) {
                    if crate::fault("jump_copies_heads") {
                        self.null(self.head(x), Place::End(b), Why::Counting);
                        continue;
                    }
                    // Copies its contents, too, if it is a loop or conditional that counts.
                    self.copy_tree(x, Place::End(b), &[], &FxHashMap::default());
                }
                self.unit.unlink(x);
            }
            match self.enclosing(at) {
                Some(outer) if next.is_none() => {
                    let own = self.parent(at);
                    others.extend(self.blocks(outer).iter().copied().filter(|&b| Some(b) != own));
                    at = outer;
                }
                _ => break,
            }
        }
        self.eliminate(s, Why::Redundant);
    }

    /// Merges the tallies of each counter that stand in one block without a jump or label between
    /// them; drops tallies that add nothing.
    pub fn merge_tallies(&mut self, b: Block) {
        let mut open: FxHashMap<Counter, Stmt> = FxHashMap::default();
        let mut defined: FxHashSet<Sym> = FxHashSet::default();
        self.drop_empty_tallies(b);
        let mut seen: FxHashSet<Counter> = FxHashSet::default();
        let is_new = |s| !matches!(self.head(s), Head::Tally { counter, .. } if !seen.insert(counter));
        if self.stmts(b).all(is_new) {
            // Looking into the other statements of each block takes the square of the depth of a nest.
            return;
        }
        for s in self.stmts(b).collect::<Vec<_>>() {
            let head = self.head(s);
            match head {
                Head::Tally { counter, amount } => {
                    let free = self.registers_in(amount).iter().all(|v| !defined.contains(v))
                        || crate::fault("merge_tallies_redefined");
                    match open.get(&counter).copied() {
                        Some(first) if free => {
                            let Head::Tally { amount: a, .. } = self.head(first) else {
                                continue;
                            };
                            let sum = self.add(a, amount);
                            self.unit.stmts[first].head = Head::Tally { counter, amount: sum };
                            self.unit.unlink(s);
                        }
                        Some(_) => {}
                        None => {
                            open.insert(counter, s);
                        }
                    }
                }
                Head::Bracket { counter, .. } => {
                    let of = self.counter(counter).of;
                    open.retain(|&c, _| self.unit.counters[c].of != of);
                }
                _ if head.is_jump()
                    || matches!(head, Head::Label(_) | Head::GotoTable { .. })
                    || !self.always_returns(head)
                    || self.walk_stmt(s).iter().any(|&x| self.leaves(x)) =>
                {
                    open.clear();
                    defined.clear();
                }
                _ => {
                    for x in self.walk_stmt(s) {
                        defined.extend(self.may_define(self.head(x)));
                    }
                }
            }
        }
    }

    /// Drops the tallies of a block that add nothing.
    fn drop_empty_tallies(&mut self, b: Block) {
        let adds_nothing =
            |s: &Stmt| matches!(self.head(*s), Head::Tally { amount, .. } if self.pool.as_int(amount) == Some(0));
        for s in self.stmts(b).filter(adds_nothing).collect::<Vec<_>>() {
            self.unit.unlink(s);
        }
    }

    /// Law K, before `s` is dropped.
    pub(crate) fn keep_counts(&mut self, s: Stmt, why: Why) {
        if matches!(why, Why::Unrolled | Why::Inlined | Why::InlinedPart | Why::Unreachable | Why::ZeroTrips) {
            return; // The copies count, or there is nothing to count.
        }
        if crate::fault("eliminate_loses_tally") {
            return;
        }
        self.close_counts(s);
    }

    /// Moves every tally in `s` before `s`: by its closed form, else, if `s` has no other contents, with the control
    /// flow that it needs. Others are given up.
    pub(crate) fn close_counts(&mut self, s: Stmt) {
        if self.blocks(s).is_empty() {
            return;
        }
        if self.is_hollow(s) && matches!(self.head(s), Head::If { .. }) {
            // The arms may have kept, with the counts, values that these depend on.
            self.flatten_counting_arms(s);
        }
        self.hoist_inner(s, &|_, _| true);
        self.leave_remains(s);
        for t in self.walk_stmt(s) {
            if let Head::Tally { counter, .. } = self.head(t) {
                let lost = (self.counter(counter), self.pass);
                self.unit.log.lost.push(lost);
                self.unit.unlink(t);
            } else {
                self.lose_trips_at(t);
            }
        }
    }

    /// The sum of `amount`, tallied in block `number` of `s`, over one execution of `s`, in terms of
    /// values before `s`; none if there is no closed form.
    pub(crate) fn total(&mut self, s: Stmt, number: usize, amount: Expr, changed: &FxHashSet<Sym>) -> Option<Expr> {
        let fixed = |u: &Unit, e: Expr| u.registers_in(e).iter().all(|v| !changed.contains(v));
        match self.head(s) {
            Head::If { cond } => {
                if self.reads_memory(cond) || !fixed(self, amount) || self.may_trap(cond) {
                    return None;
                }
                let zero = self.int(Type::I8, 0);
                let (yes, no) =
                    if (number == 0) != crate::fault("hoist_other_arm") { (amount, zero) } else { (zero, amount) };
                Some(self.intrinsic(Intrinsic::Merge, &[yes, no, cond]))
            }
            Head::Select { value, ranges } => {
                if self.reads_memory(value) || !fixed(self, amount) || self.may_trap(value) {
                    return None;
                }
                let number = if crate::fault("hoist_other_case") { 0 } else { number };
                let cond = self.selects(value, ranges, number, self.blocks(s).len());
                let zero = self.int(Type::I8, 0);
                Some(self.intrinsic(Intrinsic::Merge, &[amount, zero, cond]))
            }
            Head::Do { var, lo, hi, step } => {
                if [lo, hi, step].iter().any(|&e| self.reads_memory(e) || self.may_trap(e)) {
                    return None;
                }
                let bounds = [lo, hi, step].map(|e| self.widen(e));
                let mut others = changed.clone();
                others.remove(&var);
                if fixed(self, amount) {
                    let trips = self.trips(bounds);
                    if crate::fault("hoist_without_trips") {
                        return Some(amount);
                    }
                    Some(self.multiply(amount, trips))
                } else if self.registers_in(amount).iter().all(|v| !others.contains(v)) {
                    self.sum(var, bounds, amount)
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// Whether `value` selects block `number` of `blocks`, the last of which is CASE DEFAULT.
    pub(crate) fn selects(&mut self, value: Expr, ranges: crate::List, number: usize, blocks: usize) -> Expr {
        let default = number + 1 == blocks;
        let triples: Vec<Expr> = self.list(ranges).to_vec();
        let mut any = self.make(ExprData::Logical(Type::L4, false));
        for r in triples.chunks_exact(3) {
            if !default && self.pool.as_int(r[0]) != Some(number as i64) {
                continue;
            }
            let mut inside = self.make(ExprData::Logical(Type::L4, true));
            for (op, bound) in [(BinaryOp::Ge, r[1]), (BinaryOp::Le, r[2])] {
                if self.expr(bound) != ExprData::None {
                    let test = self.binary(op, value, bound);
                    inside = self.binary(BinaryOp::And, inside, test);
                }
            }
            any = self.binary(BinaryOp::Or, any, inside);
        }
        if default { self.make(ExprData::Unary(crate::UnaryOp::Not, any)) } else { any }
    }

    /// The number of iterations of a loop with these bounds (`INTEGER(8)`).
    pub fn trips(&mut self, [lo, hi, step]: [Expr; 3]) -> Expr {
        match (self.pool.as_int(lo), self.pool.as_int(hi), self.pool.as_int(step)) {
            (Some(l), Some(h), Some(s)) => self.int(Type::I8, trip_count(l, h, s)),
            _ => self.intrinsic(Intrinsic::Trip, &[lo, hi, step]),
        }
    }

    /// An integer expression as `INTEGER(8)`.
    pub fn widen(&mut self, e: Expr) -> Expr {
        match (self.ty(e), self.pool.as_int(e)) {
            (Type::I8, _) => e,
            (_, Some(v)) => self.int(Type::I8, v),
            _ => self.make(ExprData::Convert(Type::I8, e)),
        }
    }

    pub(crate) fn multiply(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.pool.as_int(a), self.pool.as_int(b)) {
            (Some(x), Some(y)) => self.int(Type::I8, x.wrapping_mul(y)),
            (Some(1), _) => b,
            (_, Some(1)) => a,
            (Some(0), _) | (_, Some(0)) => self.int(Type::I8, 0),
            _ => self.binary(BinaryOp::Mul, a, b),
        }
    }

    pub(crate) fn add(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.pool.as_int(a), self.pool.as_int(b)) {
            (Some(x), Some(y)) => self.int(Type::I8, x.wrapping_add(y)),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => self.binary(BinaryOp::Add, a, b),
        }
    }

    /// Whether a block that is entered runs to its end: no label, no jump, no call that may not return,
    /// at any depth.
    pub(crate) fn runs_straight(&self, b: Block) -> bool {
        self.walk_block(b).into_iter().all(|s| !self.leaves(s))
    }

    pub(crate) fn leaves(&self, s: Stmt) -> bool {
        let head = self.head(s);
        head.is_jump() || matches!(head, Head::Label(_) | Head::GotoTable { .. }) || !self.always_returns(head)
    }

    pub(crate) fn may_trap(&self, e: Expr) -> bool {
        self.unit.may_trap(e)
    }

    pub(crate) fn defined_below(&self, s: Stmt) -> FxHashSet<Sym> {
        self.walk_stmt(s).into_iter().flat_map(|x| self.may_define(self.head(x))).collect()
    }
}

impl Unit {
    /// Whether evaluating `e` may trap or read outside an array, so that it must not be evaluated where the source does
    /// not. Reads of scalars are safe.
    pub fn may_trap(&self, e: Expr) -> bool {
        let mut found = false;
        self.visit_expr(e, &mut |x| {
            found |= match self.expr(x) {
                ExprData::Binary(BinaryOp::Div, _, d) => {
                    matches!(self.ty(x), Type::I1 | Type::I2 | Type::I4 | Type::I8)
                        && !self.pool.as_int(d).is_some_and(|d| d != 0 && d != -1)
                }
                ExprData::Intrinsic(i, l) => {
                    i.may_trap(self.ty(x))
                        && !self.list(l).get(1).and_then(|&d| self.pool.as_int(d)).is_some_and(|d| d != 0 && d != -1)
                }
                // A scalar's own memory can be read at any time.
                ExprData::Load { addr, offset: 0, sym, .. } => {
                    self.expr(addr) != ExprData::Addr(sym) || !self.sym(sym).dims.is_empty()
                }
                ExprData::Elem(..) | ExprData::Section(..) | ExprData::Wide(..) | ExprData::Load { .. } => true,
                _ => false,
            }
        });
        found
    }
}

/// The number of iterations of `DO i = lo, hi, step`; 0 if `step` is 0.
pub fn trip_count(lo: i64, hi: i64, step: i64) -> i64 {
    if step == 0 {
        return 0;
    }
    let trips = (i128::from(hi) - i128::from(lo) + i128::from(step)) / i128::from(step);
    i64::try_from(trips.max(0)).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use crate::Editor;
    use crate::testing::check;

    /// Fuses the first two loops.
    fn fuse(ed: &mut Editor<'_>) {
        let loops: Vec<_> = ed.real_stmts(ed.body()).filter(|&s| !ed.blocks(s).is_empty()).take(2).collect();
        ed.merge(loops[0], loops[1], ed.head(loops[0]), &[]);
    }

    #[test]
    fn a_ghost_between_two_loops_that_is_kept_already_goes() {
        check(
            "fuse",
            &fuse,
            "
integer i, k
i4 ghost.1
i4 ghost.2
real a(9), b(9)
k = 7 @1
ghost ghost.1 = k + 1
do i = 1, 9 @2
  tally @3 taken.0 += merge(1_i8, 0, i > ghost.1)
  a(i) = 1.0 @4
end
ghost ghost.1 = k + 1
do i = 1, 9 @5
  ghost ghost.2 = ghost.1
  tally @6 taken.0 += merge(1_i8, 0, i < ghost.2)
  b(i) = 1.0 @7
end",
            "
k = 7 @1
ghost ghost.1 = k + 1
do i = 1, 9 @{2,5}
  tally @3 taken.0 += merge(1_i8, 0, i > ghost.1)
  a(i) = 1.0 @4
  ghost ghost.2 = ghost.1
  tally @6 taken.0 += merge(1_i8, 0, i < ghost.2)
  b(i) = 1.0 @7
end

merge @2 + @5 -> @{2,5}",
        );
    }

    #[test]
    fn a_ghost_between_two_loops_with_another_value_is_given_up() {
        check(
            "fuse",
            &fuse,
            "
integer i, k
i4 ghost.1
real a(9), b(9)
k = 7 @1
ghost ghost.1 = k + 1
k = 3 @8
do i = 1, 9 @2
  tally @3 taken.0 += merge(1_i8, 0, i > ghost.1)
  a(i) = 1.0 @4
end
ghost ghost.1 = k + 1
do i = 1, 9 @5
  tally @6 taken.0 += merge(1_i8, 0, i < ghost.1)
  b(i) = 1.0 @7
end",
            "
counter @3 taken.0
counter @6 taken.0
k = 7 @1
ghost ghost.1 = k + 1
k = 3 @8
do i = 1, 9 @{2,5}
  a(i) = 1.0 @4
  b(i) = 1.0 @7
end

merge @2 + @5 -> @{2,5}",
        );
    }
}
