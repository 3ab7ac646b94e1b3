//! Which statements go along when a loop is split: those from the cut on, and of what counts what needs them.

use crate::edit::{Editor, Place};
use crate::entities::{Block, Sym};
use crate::head::Head;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_provenance::Stmt;

impl Editor<'_> {
    /// Moves the statements of `from` that begin with `tail` to the end of `into`.
    ///
    /// A tally counts in exactly one of the two loops, and both run over the same iterations (law R); it stays with
    /// the first, unless it reads a register that is defined after the cut. One that reads registers of both parts
    /// is given up: where the second part runs, those of the first have their last values.
    pub(crate) fn split_off(&mut self, from: Block, tail: Stmt, into: Block) {
        let mut first: FxHashSet<Sym> = FxHashSet::default();
        for s in self.stmts(from).take_while(|&s| s != tail).collect::<Vec<_>>() {
            self.all_defined(s, &mut first);
        }
        let mut second: FxHashSet<Sym> = FxHashSet::default();
        for s in std::iter::successors(Some(tail), |&s| self.next(s)).collect::<Vec<_>>() {
            let goes = !self.head(s).is_invisible() || self.counted_registers(s).iter().any(|v| second.contains(v));
            if goes {
                self.all_defined(s, &mut second);
                self.unit.unlink(s);
                self.unit.append(s, into);
            }
        }
        if crate::fault("split_copies_tallies") {
            for s in self.stmts(from).filter(|&s| self.head(s).is_invisible()).collect::<Vec<_>>() {
                self.copy_tree(s, Place::End(into), &[], &FxHashMap::default());
            }
        }
        let wrong: Vec<Stmt> = self
            .walk_block(into)
            .into_iter()
            .filter(|&s| self.counted_registers(s).iter().any(|v| first.contains(v) && !second.contains(v)))
            .collect();
        self.give_up(&wrong);
    }

    /// The registers that counting reads in `s` and what is in it; none if `s` is of the program.
    pub(crate) fn counted_registers(&self, s: Stmt) -> Vec<Sym> {
        let mut out = Vec::new();
        if !self.head(s).is_invisible() {
            return out;
        }
        for x in self.walk_stmt(s) {
            out.extend(self.own_registers(x));
        }
        out
    }

    /// Adds the registers that `s` and what is in it define, ghosts too.
    fn all_defined(&self, s: Stmt, out: &mut FxHashSet<Sym>) {
        for x in self.walk_stmt(s) {
            out.extend(self.may_define(self.head(x)));
        }
    }
}

impl crate::Unit {
    /// The registers that the head of `s`, which only counts, reads.
    pub(crate) fn own_registers(&self, s: Stmt) -> Vec<Sym> {
        let head = self.head(s);
        let mut out: Vec<Sym> = self.values(head).into_iter().flat_map(|e| self.registers_in(e)).collect();
        if let Head::GhostStore { place, .. } = head {
            out.extend(self.registers_in(place));
        }
        out
    }
}
