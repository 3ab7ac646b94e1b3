//! Which statements go along when a loop is split: those from the cut on, and of what counts what needs them.

use crate::Unit;
use crate::edit::{Editor, Place};
use crate::entities::{Block, Sym};
use crate::head::Head;
use crate::order::Written;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_provenance::{Stmt, Why};

impl Editor<'_> {
    /// Moves the statements of `from` that begin with `tail` to the end of `into`.
    ///
    /// A tally counts in exactly one of the two loops, and both run over the same iterations (law R); it stays with
    /// the first, unless it reads a register that is defined after the cut. One that reads registers of both parts
    /// is counted by what ghosts of the first part keep once more, or given up: where the second part runs, the registers
    /// of the first have their last values.
    pub(crate) fn split_off(&mut self, from: Block, tail: Stmt, into: Block) {
        let [before, after] = self.parts(from, tail);
        let (mut first, mut second) = (FxHashSet::default(), FxHashSet::default());
        before.iter().for_each(|&s| self.all_defined(s, &mut first));
        after.iter().for_each(|&s| self.all_defined(s, &mut second));
        let written = Written::by_all(self, &before);
        for s in after {
            self.unit.unlink(s);
            self.unit.append(s, into);
        }
        if crate::fault("split_copies_tallies") {
            for s in self.stmts(from).filter(|&s| self.head(s).is_invisible()).collect::<Vec<_>>() {
                self.copy_tree(s, Place::End(into), &[], &FxHashMap::default());
            }
        }
        let lacking = |u: &Unit| -> Vec<(Stmt, Sym)> {
            let registers = |s| u.counted_registers(s).into_iter().map(move |v| (s, v));
            let counting = u.walk_block(into).into_iter().flat_map(registers);
            counting.filter(|(_, v)| first.contains(v) && !second.contains(v)).collect()
        };
        let needed: FxHashSet<Sym> = lacking(self).into_iter().map(|(_, v)| v).collect();
        if self.repeat_ghosts(from, into, needed, &|v| first.contains(&v) || second.contains(&v), &written) {
            return;
        }
        let wrong: Vec<Stmt> = lacking(self).into_iter().map(|(s, _)| s).collect();
        self.give_up(&wrong);
    }

    /// Copies the ghosts of `from` that make the registers `needed` to the start of `into`, which is run as often by
    /// a loop of its own. Whether they are values of an iteration alone, so that this can be done; `changes` are
    /// the registers that either loop defines, and the first has `written` memory.
    fn repeat_ghosts(
        &mut self,
        from: Block,
        into: Block,
        mut needed: FxHashSet<Sym>,
        changes: &dyn Fn(Sym) -> bool,
        written: &Written,
    ) -> bool {
        let mut copies: Vec<Head> = Vec::new();
        // Backwards: a value is needed by what comes after it.
        for s in self.stmts(from).rev().collect::<Vec<_>>() {
            match self.head(s) {
                head @ Head::Ghost { var, value } if needed.contains(&var) => {
                    copies.push(head);
                    needed.extend(self.registers_in(value).into_iter().filter(|&v| changes(v)));
                }
                _ => {}
            }
        }
        copies.reverse();
        let top: FxHashSet<Stmt> = self.stmts(from).collect();
        let elsewhere = self.walk_block(from).into_iter().any(|s| {
            let copied = top.contains(&s) && matches!(self.head(s), Head::Ghost { .. });
            !copied && self.may_define(self.head(s)).iter().any(|v| needed.contains(v))
        });
        let mut defined: FxHashSet<Sym> = FxHashSet::default();
        let alone = copies.iter().all(|&head| {
            let Head::Ghost { var, value } = head else { return false };
            let known = self.registers_in(value).iter().all(|v| !changes(*v) || defined.contains(v));
            defined.insert(var);
            known && !written.changes_one_of(self, head)
        });
        if crate::fault("split_without_ghost") || elsewhere || !alone || needed.iter().any(|v| !defined.contains(v)) {
            return needed.is_empty();
        }
        for head in copies.into_iter().rev() {
            self.null(head, Place::Start(into), Why::Shadow);
        }
        true
    }
}

impl Unit {
    /// The statements of `b` in two parts: those that stay when it is split before `tail`, and those that go.
    pub(crate) fn parts(&self, b: Block, tail: Stmt) -> [Vec<Stmt>; 2] {
        let mut stay: Vec<Stmt> = self.stmts(b).take_while(|&s| s != tail).collect();
        let behind: Vec<Stmt> = self.stmts(b).skip(stay.len()).collect();
        let real: Vec<Stmt> = behind.iter().copied().filter(|&s| !self.head(s).is_invisible()).collect();
        let written = Written::by_all(self, &real);
        let (mut go, mut defined) = (Vec::new(), FxHashSet::default());
        for s in behind {
            let loads = || self.walk_stmt(s).into_iter().any(|x| written.changes_one_of(self, self.head(x)));
            let needed = || self.counted_registers(s).iter().any(|v| defined.contains(v));
            if !self.head(s).is_invisible() || needed() || (self.counts_by_memory && loads()) {
                self.all_defined(s, &mut defined);
                go.push(s);
            } else {
                stay.push(s);
            }
        }
        [stay, go]
    }

    /// Adds the registers that `s` and what is in it define, ghosts too.
    fn all_defined(&self, s: Stmt, out: &mut FxHashSet<Sym>) {
        for x in self.walk_stmt(s) {
            out.extend(self.may_define(self.head(x)));
        }
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

#[cfg(test)]
mod tests {
    use crate::Editor;
    use crate::testing::check;

    /// Splits the first loop before its second statement.
    fn split(ed: &mut Editor<'_>) {
        let s = ed.real_stmts(ed.body()).next().expect("a loop");
        let tail = ed.real_stmts(ed.blocks(s)[0]).nth(1).expect("two statements");
        ed.expand_split(s, tail);
    }

    #[test]
    fn a_count_by_values_of_both_parts() {
        check(
            "distribute",
            &split,
            "
integer i, n
i8 ghost.1
i8 ghost.2
real a(9), b(9)
do i = 1, 9 @1
  ghost ghost.1 = i8(i) * 2
  a(i) = 1.0 @2
  b(i) = 2.0 @3
  n = i / 2 @4
  ghost ghost.2 = i8(n)
  tally @5 iterations += merge(ghost.1, 0, ghost.2 > 2)
end",
            "
i8 ghost.1, ghost.2
do i = 1, 9 @1
  ghost ghost.1 = i8(i) * 2
  a(i) = 1.0 @2
end
do i = 1, 9 @1
  ghost ghost.1 = i8(i) * 2
  b(i) = 2.0 @3
  n = i / 2 @4
  ghost ghost.2 = i8(n)
  tally @5 iterations += merge(ghost.1, 0, ghost.2 > 2)
end

expand replicate @1",
        );
    }

    #[test]
    fn a_value_that_the_first_part_carries_on_is_not_there_in_the_second() {
        check(
            "distribute",
            &split,
            "
integer i, n
i8 ghost.1
real a(9), b(9)
ghost ghost.1 = 0
do i = 1, 9 @1
  ghost ghost.1 = ghost.1 + 2
  a(i) = 1.0 @2
  b(i) = 2.0 @3
  n = i / 2 @4
  tally @5 iterations += merge(ghost.1, 0, n > 2)
end",
            "
i8 ghost.1
counter @5 iterations
ghost ghost.1 = 0
do i = 1, 9 @1
  ghost ghost.1 = ghost.1 + 2
  a(i) = 1.0 @2
end
do i = 1, 9 @1
  b(i) = 2.0 @3
  n = i / 2 @4
end

expand replicate @1",
        );
    }

    #[test]
    fn a_count_by_memory_of_the_second_part_goes_with_it() {
        check(
            "distribute",
            &split,
            "
integer i
i8 ghost.1
real a(9), b(9)
do i = 1, 9 @1
  a(i) = 1.0 @2
  b(i) = r8(i) @3
  ghost ghost.1 = merge(1_i8, 0, b(i) > 3.0)
  tally @5 iterations += ghost.1
end",
            "
do i = 1, 9 @1
  a(i) = 1.0 @2
end
do i = 1, 9 @1
  b(i) = r8(i) @3
  ghost ghost.1 = merge(1, 0, b(i) > 3.0)
  tally @5 iterations += ghost.1
end

expand replicate @1",
        );
    }
}
