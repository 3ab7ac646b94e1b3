//! The available expressions, and the changes that make them unavailable.

use crate::alias::{Classes, Writes, memory_of, surely_spared, writes};
use crate::forward::{Scoped, real_count};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;
use trueline_ir::{Expr, ExprData, Head, Sym, Unit};

/// The most expressions that are available from one class of memory: each store to it looks at all of them. Beyond,
/// the oldest are forgotten.
const MOST_READERS: usize = 128;

/// The place of the value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Held {
    /// In a register.
    Register(Sym),
    /// It is this constant.
    Constant(Expr),
    /// Computed by the creator of a group.
    Group(u32),
}

/// The facts about an available expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    /// When it was learnt.
    pub(super) time: u32,
    pub(super) held: Held,
}

/// The registers and places that an expression depends on.
struct Needs {
    registers: SmallVec<[Sym; 4]>,
    /// Elements and variables in memory, with their class.
    places: SmallVec<[(u32, Expr); 2]>,
}

/// The registers and the memory that a statement changes.
pub(super) struct Changes {
    registers: SmallVec<[Sym; 2]>,
    writes: Writes,
}

pub(super) struct Available {
    facts: Scoped<Expr, Fact>,
    classes: Classes,
    globals: Vec<u32>,
    needs: FxHashMap<Expr, Rc<Needs>>,
    /// Expressions that need a register or a class of memory; perhaps some that are not available.
    of_register: FxHashMap<Sym, Vec<Expr>>,
    of_class: FxHashMap<u32, Vec<Expr>>,
    /// The number of facts that may still be examined for labels.
    budget: usize,
}

impl Available {
    pub(super) fn new(u: &Unit) -> Available {
        let classes = Classes::of(u);
        Available {
            facts: Scoped::default(),
            globals: classes.globals().collect(),
            classes,
            needs: FxHashMap::default(),
            of_register: FxHashMap::default(),
            of_class: FxHashMap::default(),
            budget: 50 * real_count(u) + 10_000,
        }
    }

    pub(super) fn get(&self, e: Expr) -> Option<Fact> {
        self.facts.get(e).copied()
    }

    pub(super) fn mark(&mut self) -> usize {
        self.facts.mark()
    }

    pub(super) fn rollback(&mut self, mark: usize) {
        let mut back: Vec<(Expr, Fact)> = Vec::new();
        self.facts.rollback_with(mark, |&e, &fact| back.push((e, fact)));
        for (e, fact) in back {
            self.index(e, fact);
        }
    }

    pub(super) fn insert(&mut self, u: &Unit, e: Expr, fact: Fact) {
        self.needs(u, e);
        self.facts.insert(e, fact);
        self.index(e, fact);
    }

    /// Makes sure that a change of anything `e` needs finds it.
    fn index(&mut self, e: Expr, fact: Fact) {
        let Some(needs) = self.needs.get(&e).cloned() else { return };
        for &v in &needs.registers {
            self.of_register.entry(v).or_default().push(e);
        }
        if let Held::Register(v) = fact.held {
            self.of_register.entry(v).or_default().push(e);
        }
        for &(class, _) in &needs.places {
            let readers = self.of_class.entry(class).or_default();
            readers.push(e);
            if readers.len() > MOST_READERS {
                self.bound(class);
            }
        }
    }

    /// Forgets the oldest readers of a class if too many are available. Entries that are not, or stand twice, do not count: how many
    /// of these there are depends on the statements walked over, and counting code must not decide anything.
    fn bound(&mut self, class: u32) {
        let Some(readers) = self.of_class.get_mut(&class) else { return };
        let mut seen = FxHashSet::default();
        let facts = &self.facts;
        let mut left: Vec<Expr> =
            readers.iter().rev().copied().filter(|&e| facts.get(e).is_some() && seen.insert(e)).collect();
        left.reverse();
        if left.len() > MOST_READERS {
            for old in left.drain(..MOST_READERS / 2) {
                self.facts.remove(old);
            }
        }
        *readers = left;
    }

    fn needs(&mut self, u: &Unit, e: Expr) -> Rc<Needs> {
        if let Some(known) = self.needs.get(&e) {
            return known.clone();
        }
        let mut registers: SmallVec<[Sym; 4]> = SmallVec::new();
        let mut places: SmallVec<[(u32, Expr); 2]> = SmallVec::new();
        u.visit_expr(e, &mut |x| {
            if let ExprData::Var(v) = u.expr(x)
                && u.sym(v).is_register()
            {
                registers.push(v);
            } else if let Some(s) = memory_of(u, x) {
                let mut located = Vec::new();
                u.registers_of(s, &mut located);
                registers.extend(located);
                if let Some(class) = self.classes.class(s) {
                    places.push((class, x));
                }
            }
        });
        registers.sort_unstable();
        registers.dedup();
        let needs = Rc::new(Needs { registers, places });
        self.needs.insert(e, needs.clone());
        needs
    }

    pub(super) fn changes(&self, u: &Unit, head: Head) -> Changes {
        Changes { registers: u.may_define(head), writes: writes(u, head) }
    }

    /// Whether `changes` may change the value of `e`.
    pub(super) fn changed_by(&mut self, u: &Unit, e: Expr, changes: &Changes) -> bool {
        let needs = self.needs(u, e);
        if changes.registers.iter().any(|v| needs.registers.contains(v)) && !trueline_ir::fault("cse_register") {
            return true;
        }
        needs.places.iter().any(|&(class, place)| {
            (changes.writes.globals && self.globals.contains(&class))
                || changes
                    .writes
                    .places
                    .iter()
                    .any(|&(s, written)| self.classes.class(s) == Some(class) && !surely_spared(u, written, place))
        })
    }

    /// Forgets the expressions that executing a statement with `head` may change.
    pub(super) fn forget(&mut self, u: &Unit, head: Head) {
        let changes = self.changes(u, head);
        for v in &changes.registers {
            for e in self.of_register.remove(v).unwrap_or_default() {
                let needed = self.needs.get(&e).is_some_and(|n| n.registers.contains(v));
                let held = self.facts.get(e).is_some_and(|f| f.held == Held::Register(*v))
                    && !trueline_ir::fault("cse_holder");
                if needed || held {
                    self.facts.remove(e);
                }
            }
        }
        let mut classes: SmallVec<[u32; 2]> =
            changes.writes.places.iter().filter_map(|(s, _)| self.classes.class(*s)).collect();
        if changes.writes.globals {
            classes.extend(self.globals.iter().copied());
        }
        for class in classes {
            let Some(readers) = self.of_class.remove(&class) else { continue };
            let mut left = Vec::new();
            for e in readers {
                if self.facts.get(e).is_none() {
                    continue;
                }
                if self.changed_by(u, e, &changes) && !trueline_ir::fault("cse_store") {
                    self.facts.remove(e);
                } else {
                    left.push(e);
                }
            }
            if !left.is_empty() {
                self.of_class.insert(class, left);
            }
        }
    }

    pub(super) fn forget_since(&mut self, time: u32) {
        if self.facts.len() > self.budget {
            return self.forget_all();
        }
        self.budget -= self.facts.len();
        self.facts.retain(|_, f| f.time < time);
    }

    pub(super) fn forget_all(&mut self) {
        self.facts.clear();
    }
}
