//! Ghosts: they keep values that counts need after the program itself stops needing them.
//!
//! A register `x` that a tally reads gets a shadow: a register `g` that a ghost statement defines after each definition
//! of `x`, and every tally reads `g` instead. After that the program's own definitions of `x` can be moved or dropped
//! as in an unprofiled build (T1), and the count stays right (T2). If a value cannot be kept, the counts that depend on
//! it are given up.

use crate::edit::{Editor, Place};
use crate::entities::{Expr, Sym};
use crate::expr::ExprData;
use crate::head::Head;
use crate::tally::may_share;
use crate::{Storage, Type};
use rustc_hash::FxHashSet;
use trueline_provenance::{Stmt, Why};

impl Editor<'_> {
    /// Gives up the tallies and ghosts among `stmts`, and the counting code that needs those ghosts.
    pub(crate) fn give_up(&mut self, stmts: &[Stmt]) {
        let mut wrong = FxHashSet::default();
        for &x in stmts {
            if self.parent(x).is_some() && self.head(x).is_invisible() {
                self.give_up_one(x, &mut wrong);
            }
        }
        self.lose_readers_of(wrong);
    }

    /// Gives up the counts that read ghosts inside `s`, which is dropped.
    pub(crate) fn lose_ghosts(&mut self, s: Stmt) {
        if self.blocks(s).is_empty() {
            return;
        }
        let ghosts: FxHashSet<Sym> = self
            .walk_stmt(s)
            .into_iter()
            .filter_map(|x| match self.head(x) {
                Head::Ghost { var, .. } => Some(var),
                _ => None,
            })
            .collect();
        self.lose_readers_of(ghosts);
    }

    /// Called before the definition `s` (or definitions inside it) moves or goes: shadows every register that it
    /// defines and a tally reads.
    pub(crate) fn keep_values(&mut self, s: Stmt) {
        self.shadow_below(s, false);
    }

    /// As [`Editor::keep_values`] for `s` that is about to leave the program: the shadows of its results must not read
    /// the register, which then keeps its old value.
    pub(crate) fn keep_last_values(&mut self, s: Stmt) {
        self.shadow_below(s, true);
    }

    /// Gives up the counts that depend on `ghost`, directly or through other ghosts.
    fn lose_readers(&mut self, ghost: Sym) {
        self.lose_readers_of([ghost].into_iter().collect());
    }

    /// Gives up the counts that depend on any of these ghosts, directly or through other ghosts.
    pub(crate) fn lose_readers_of(&mut self, mut wrong: FxHashSet<Sym>) {
        let mut grown = !wrong.is_empty();
        while grown {
            grown = false;
            for x in self.walk() {
                let head = self.head(x);
                if !head.is_invisible() || !self.own_registers(x).iter().any(|v| wrong.contains(v)) {
                    continue;
                }
                if let Head::Ghost { var, .. } = head
                    && wrong.contains(&var)
                {
                    continue;
                }
                if self.parent(x).is_some() {
                    grown |= self.give_up_one(x, &mut wrong);
                }
            }
        }
    }

    /// Gives up the count or ghost `x`; adds the registers that are wrong without it. Returns whether there are any.
    fn give_up_one(&mut self, x: Stmt, wrong: &mut FxHashSet<Sym>) -> bool {
        let mut grown = false;
        for inner in self.walk_stmt(x) {
            match self.head(inner) {
                Head::Tally { counter, .. } => {
                    let lost = (self.counter(counter), self.pass);
                    self.unit.log.lost.push(lost);
                }
                Head::Bracket { .. } | Head::Trips { .. } => self.lose_trips_at(inner),
                Head::Ghost { var, .. } => grown |= wrong.insert(var),
                // Ghosts that read that memory are wrong.
                Head::GhostStore { place, .. } => {
                    let copy = self.stored_at(place).filter(|&m| self.sym(self.root(m)).is_for_counts());
                    for g in self.walk() {
                        if let Head::Ghost { var, value } = self.head(g)
                            && self.reads_memory(value)
                            && copy.is_none_or(|m| self.reads_from(value, m))
                        {
                            grown |= wrong.insert(var);
                        }
                    }
                }
                _ => {}
            }
        }
        if self.parent(x).is_some() {
            self.unit.unlink(x);
        }
        grown
    }

    /// Whether `e` reads the memory of `m`.
    fn reads_from(&self, e: Expr, m: Sym) -> bool {
        let mut found = false;
        self.visit_expr(e, &mut |x| found |= self.stored_at(x).is_some_and(|other| may_share(self, m, other)));
        found
    }

    fn shadow_below(&mut self, s: Stmt, doomed: bool) {
        let inside = self.walk_stmt(s);
        let (gone, none): (FxHashSet<Stmt>, FxHashSet<Stmt>) = (inside.iter().copied().collect(), FxHashSet::default());
        for &x in &inside {
            if self.head(x).is_invisible() {
                continue;
            }
            for v in self.may_define(self.head(x)) {
                if self.unit.tallied.contains(v) {
                    self.shadow(v, if doomed { &gone } else { &none });
                }
            }
        }
    }

    /// Records the registers that tallies and ghosts read, and whether they read memory.
    pub(crate) fn note_tally(&mut self, head: Head) {
        if !head.is_invisible() {
            return;
        }
        for e in self.values(head) {
            for v in self.registers_in(e) {
                self.unit.tallied.insert(v);
            }
            if self.reads_memory(e) {
                self.unit.counts_by_memory = true;
                self.note_memory(e);
            }
        }
        if let Head::GhostStore { place, .. } = head {
            for v in self.registers_in(place) {
                self.unit.tallied.insert(v);
            }
        }
    }

    fn note_memory(&mut self, e: Expr) {
        let mut read: Vec<Sym> = Vec::new();
        self.visit_expr(e, &mut |x| read.extend(self.stored_at(x).map(|m| self.root(m))));
        self.unit.counted_memory.extend(read);
    }

    /// `doomed` are the statements that are about to go. Returns the shadow, if counting code reads `v`.
    pub(crate) fn shadow(&mut self, v: Sym, doomed: &FxHashSet<Stmt>) -> Option<Sym> {
        if crate::fault("ghost_missing") {
            return None;
        }
        let ty = self.sym(v).ty;
        let g = self.new_register("ghost", ty);
        let (v_expr, g_expr) = (self.var(v), self.var(g));
        let mut read = false;
        for x in self.walk() {
            let head = self.head(x);
            if head.is_invisible() {
                let new = self.unit.map_head(head, &mut |_, e| (e == v_expr).then_some(g_expr));
                read |= new != head;
                self.unit.stmts[x].head = new;
            }
        }
        // Expressions do not name the base of a memory area, so ghosts that read such memory cannot read the shadow.
        let based: Vec<Stmt> = self
            .walk()
            .into_iter()
            .filter(|&x| self.head(x).is_invisible() && self.own_registers(x).contains(&v))
            .collect();
        if based.is_empty() {
            self.unit.tallied.remove(v);
        } else if doomed.iter().any(|&x| self.may_define(self.head(x)).contains(&v)) && !self.keep_place(v, doomed) {
            self.give_up(&based);
        }
        if !read {
            return None;
        }
        self.unit.tallied.insert(g);
        let mut lost = false;
        for x in self.walk() {
            let head = self.head(x);
            if head.is_invisible() || !self.may_define(head).contains(&v) {
                continue;
            }
            match head {
                // The value of a definition that goes is kept itself, even if it reads memory: here, where the program
                // read it, it is right.
                Head::Assign { value, .. } if doomed.contains(&x) => {
                    let value = self.unit.map_expr(value, &mut |_, e| (e == v_expr).then_some(g_expr));
                    self.ghost(g, value, Place::After(x));
                }
                Head::Do { lo, hi, step, .. } if doomed.contains(&x) => {
                    let last = self.last_value(lo, hi, step);
                    self.ghost(g, last, Place::After(x));
                }
                // The result of an impure call that goes is not known.
                Head::Call { .. } if doomed.contains(&x) => lost |= !self.call_for(g, x),
                Head::Do { .. } => {
                    let body = self.blocks(x)[0];
                    self.ghost(g, v_expr, Place::Start(body));
                    self.ghost(g, v_expr, Place::After(x));
                }
                Head::Assign { value, .. } if !self.mentions(value, v) && !self.reads_memory(value) => {
                    self.ghost(g, value, Place::After(x));
                }
                _ => self.ghost(g, v_expr, Place::After(x)),
            }
        }
        if matches!(self.sym(v).storage, Storage::Value { .. }) {
            self.ghost(g, v_expr, Place::Start(self.body()));
        }
        if lost {
            self.lose_readers(g);
        }
        Some(g)
    }

    /// Keeps the definition of `v`, which gives the place of memory that counts read, for the counts alone, before it
    /// goes. Returns whether that is possible: no statement of the program that might reach a reader defines `v` again.
    fn keep_place(&mut self, v: Sym, doomed: &FxHashSet<Stmt>) -> bool {
        if matches!(self.sym(v).storage, Storage::Value { .. }) || crate::fault("place_without_ghost") {
            return false;
        }
        let of_program = |&x: &Stmt| !self.head(x).is_invisible() && self.may_define(self.head(x)).contains(&v);
        let definitions: Vec<Stmt> = self.walk().into_iter().filter(of_program).collect();
        let &[only] = definitions.as_slice() else { return false };
        let Head::Assign { value, .. } = self.head(only) else { return false };
        if !doomed.contains(&only) {
            return false;
        }
        self.ghost(v, value, Place::After(only));
        self.unit.tallied.insert(v);
        true
    }

    /// The value of a loop's variable behind the loop.
    pub(crate) fn last_value(&mut self, lo: Expr, hi: Expr, step: Expr) -> Expr {
        let ty = self.ty(lo);
        let [lo, hi, step] = [lo, hi, step].map(|e| self.widen(e));
        let trips = self.trips([lo, hi, step]);
        let past = if crate::fault("ghost_last_value") { trips } else { self.multiply(trips, step) };
        let last = self.add(lo, past);
        match self.pool.as_int(last) {
            Some(n) => self.int(ty, n),
            None if ty == Type::I8 => last,
            None => self.make(ExprData::Convert(ty, last)),
        }
    }

    pub(crate) fn ghost(&mut self, var: Sym, value: Expr, at: Place) {
        self.null(Head::Ghost { var, value }, at, Why::Shadow);
    }
}
