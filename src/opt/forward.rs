//! Forward walk over a unit with facts that hold on every path. Constant propagation, copy propagation and common
//! subexpressions use it.
//!
//! Facts found in an arm of a conditional or in the body of a loop do not leave it. Before a loop, the walk forgets
//! everything that an iteration may change; after a conditional, everything that an arm may change. At a label it
//! forgets everything that a statement between the first and the last jump to the label may change (siblings of the
//! label, with all statements in them): a fact that is left held at each of the jumps.

use crate::analysis::kills::Kills;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;
use trueline_ir::{Block, Editor, Head, Label, Stmt, Unit};

/// Facts a pass keeps while it walks.
pub(crate) trait Facts {
    /// The state that [`Facts::rollback`] goes back to.
    fn mark(&mut self) -> usize;
    /// Takes back everything learnt and forgotten since `mark`.
    fn rollback(&mut self, mark: usize);
    /// Forgets the facts that executing a statement with `head` may change.
    fn forget(&mut self, unit: &Unit, head: Head);
    /// Forgets the facts learnt at `time` or later. Facts made by a definition may stay: [`Facts::forget`] of that
    /// definition drops them.
    fn forget_since(&mut self, _time: u32) {}
    /// Forgets everything.
    fn forget_all(&mut self);
    /// Rewrites the values that `s` evaluates. For a DO WHILE the walk calls this after its first block.
    fn rewrite(&mut self, ed: &mut Editor<'_>, s: Stmt, time: u32) -> Next;
    /// Learns from `s`, which has no blocks, after it has executed.
    fn learn(&mut self, unit: &Unit, s: Stmt, time: u32);
}

/// The place at which the walk goes on after a rewrite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// Into the statement and then to the one after it.
    Go,
    /// The statement is gone: with this one, or at the end of the block.
    Resume(Option<Stmt>),
}

/// Walks `ed` with `facts`.
pub(crate) fn walk(ed: &mut Editor<'_>, facts: &mut impl Facts) {
    let spans = spans(ed);
    let budget = 4 * real_count(ed) + 10_000;
    let kills = Kills::of(ed);
    let mut walker = Walker { spans, kills, time: 0, started: FxHashMap::default(), budget };
    walker.block(ed, facts, ed.body());
}

struct Walker {
    /// For each label the first and the last sibling with a jump to it, or the label itself.
    spans: FxHashMap<Label, (Stmt, Stmt)>,
    /// The changes that each construct makes.
    kills: Kills,
    time: u32,
    /// The time at which the walk reached the first sibling of a span.
    started: FxHashMap<Stmt, u32>,
    /// The number of statements that `forget_span` may still visit. After that, each label forgets everything.
    budget: usize,
}

impl Walker {
    fn block(&mut self, ed: &mut Editor<'_>, facts: &mut impl Facts, b: Block) {
        let mut next = ed.stmts(b).next();
        while let Some(s) = next {
            self.time += 1;
            self.started.insert(s, self.time);
            next = match self.stmt(ed, facts, s) {
                Next::Go => ed.next(s),
                Next::Resume(at) => at,
            };
        }
    }

    fn stmt(&mut self, ed: &mut Editor<'_>, facts: &mut impl Facts, s: Stmt) -> Next {
        match ed.head(s) {
            Head::Label(l) => self.join(ed, facts, l),
            Head::Do { .. } | Head::GhostDo { .. } => {
                if let Next::Resume(at) = facts.rewrite(ed, s, self.time) {
                    return Next::Resume(at);
                }
                if !trueline_ir::fault("forward_loop") {
                    self.forget_below(ed, facts, s);
                }
                let mark = facts.mark();
                self.block(ed, facts, ed.blocks(s)[0]);
                facts.rollback(mark);
            }
            Head::DoWhile { .. } => {
                self.forget_below(ed, facts, s);
                let mark = facts.mark();
                self.block(ed, facts, ed.blocks(s)[0]);
                let next = facts.rewrite(ed, s, self.time);
                if next == Next::Go {
                    self.block(ed, facts, ed.blocks(s)[1]);
                }
                facts.rollback(mark);
                return next;
            }
            _ => {
                if let Next::Resume(at) = facts.rewrite(ed, s, self.time) {
                    return Next::Resume(at);
                }
                if ed.blocks(s).is_empty() {
                    facts.forget(ed, ed.head(s));
                    facts.learn(ed, s, self.time);
                } else {
                    for b in ed.blocks(s).to_vec() {
                        let mark = facts.mark();
                        self.block(ed, facts, b);
                        facts.rollback(mark);
                    }
                    if !trueline_ir::fault("forward_arms") {
                        self.forget_below(ed, facts, s);
                    }
                }
            }
        }
        Next::Go
    }

    /// Other paths come in at the label `l`.
    fn join(&mut self, ed: &Editor<'_>, facts: &mut impl Facts, l: Label) {
        let Some(&(first, last)) = self.spans.get(&l) else { return };
        let Some(&since) = self.started.get(&first).filter(|_| ed.parent(first).is_some() && ed.parent(last).is_some())
        else {
            return facts.forget_all(); // The construct around a jump has been taken apart.
        };
        if trueline_ir::fault("forward_label") {
            return;
        }
        facts.forget_since(since);
        self.forget_span(ed, facts, first, last);
    }

    fn forget_below(&self, ed: &Editor<'_>, facts: &mut impl Facts, s: Stmt) {
        let sum = self.kills.of_construct(s);
        if let Some(sum) = sum {
            sum.real.iter().for_each(|&h| facts.forget(ed, h));
            if let Some(counting) = &sum.counting {
                return counting.iter().for_each(|&h| facts.forget(ed, h));
            }
        }
        for x in ed.walk_stmt(s) {
            if sum.is_none() || ed.head(x).is_invisible() {
                facts.forget(ed, ed.head(x));
            }
        }
    }

    fn forget_span(&mut self, ed: &Editor<'_>, facts: &mut impl Facts, first: Stmt, last: Stmt) {
        let mut at = Some(first);
        while let Some(s) = at {
            // Counting code takes nothing from the budget: a profiled build must not forget more than a plain one.
            for x in ed.walk_stmt(s) {
                facts.forget(ed, ed.head(x));
                if !ed.head(x).is_invisible() {
                    let Some(left) = self.budget.checked_sub(1) else { return facts.forget_all() };
                    self.budget = left;
                }
            }
            if s == last {
                return;
            }
            at = ed.next(s);
        }
        facts.forget_all();
    }
}

/// The number of statements of a unit, without counting code.
pub(crate) fn real_count(u: &Unit) -> usize {
    u.walk().into_iter().filter(|&s| !u.head(s).is_invisible()).count()
}

/// For each label the range of siblings from the first with a jump to it, or the label, to the last, or the label.
fn spans(u: &Unit) -> FxHashMap<Label, (Stmt, Stmt)> {
    let all = u.walk();
    let mut at: FxHashMap<Label, (Stmt, Block)> = FxHashMap::default();
    for &s in &all {
        if let (Head::Label(l), Some(b)) = (u.head(s), u.parent(s)) {
            at.insert(l, (s, b));
        }
    }
    let mut spans: FxHashMap<Label, (Stmt, Stmt)> = FxHashMap::default();
    let mut passed: FxHashSet<Label> = FxHashSet::default();
    for &s in &all {
        if let Head::Label(l) = u.head(s) {
            passed.insert(l);
        }
        for l in u.targets(u.head(s)) {
            let Some(&(label, block)) = at.get(&l) else { continue };
            let Some(x) = std::iter::once(s).chain(u.ancestors(s)).find(|&x| u.parent(x) == Some(block)) else {
                continue;
            };
            if passed.contains(&l) {
                spans.entry(l).or_insert((label, x)).1 = x;
            } else {
                spans.entry(l).or_insert((x, label));
            }
        }
    }
    spans
}

/// A map that remembers how to take changes back.
pub(crate) struct Scoped<K, V> {
    map: FxHashMap<K, V>,
    journal: Vec<(K, Option<V>)>,
}

impl<K, V> Default for Scoped<K, V> {
    fn default() -> Scoped<K, V> {
        Scoped { map: FxHashMap::default(), journal: Vec::new() }
    }
}

impl<K: Copy + Eq + Hash, V: Clone> Scoped<K, V> {
    pub(crate) fn get(&self, k: K) -> Option<&V> {
        self.map.get(&k)
    }

    pub(crate) fn insert(&mut self, k: K, v: V) {
        let old = self.map.insert(k, v);
        self.journal.push((k, old));
    }

    pub(crate) fn remove(&mut self, k: K) -> Option<V> {
        let old = self.map.remove(&k)?;
        self.journal.push((k, Some(old.clone())));
        Some(old)
    }

    /// Removes everything, in the time that learning it took.
    pub(crate) fn clear(&mut self) {
        self.journal.extend(self.map.drain().map(|(k, v)| (k, Some(v))));
    }

    pub(crate) fn mark(&self) -> usize {
        self.journal.len()
    }

    pub(crate) fn rollback(&mut self, mark: usize) {
        self.rollback_with(mark, |_, _| {});
    }

    /// As [`Scoped::rollback`]; calls `restored` for each entry that comes back.
    pub(crate) fn rollback_with(&mut self, mark: usize, mut restored: impl FnMut(&K, &V)) {
        while self.journal.len() > mark {
            match self.journal.pop() {
                Some((k, Some(v))) => {
                    restored(&k, &v);
                    self.map.insert(k, v);
                }
                Some((k, None)) => {
                    self.map.remove(&k);
                }
                None => return,
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.map.len()
    }

    /// Removes the entries that `keep` does not want.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        let journal = &mut self.journal;
        self.map.retain(|k, v| {
            let stays = keep(k, v);
            if !stays {
                journal.push((*k, Some(v.clone())));
            }
            stays
        });
    }
}
