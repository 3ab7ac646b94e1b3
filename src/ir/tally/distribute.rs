//! Splitting a loop: decides for each tally and ghost which of the two loops it belongs to.

use crate::Unit;
use crate::edit::{Editor, Place};
use crate::entities::{Block, Expr, Sym};
use crate::expr::ExprData;
use crate::head::Head;
use crate::tally::Written;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_provenance::{Stmt, Why};

/// Registers with their values, and the registers of the program among them.
type Repeated = (Vec<(Sym, Expr)>, FxHashSet<Sym>);

impl Editor<'_> {
    /// Before `s` is split before `tail` in `block`: counting code that reads memory which the other part writes leaves the loop.
    /// It goes before `s`, or between the two parts; else its counts are given up. Returns the first statement of the second
    /// part: `tail`, or a statement before it that goes along.
    pub(crate) fn settle_split(&mut self, s: Stmt, block: Block, tail: Stmt) -> Stmt {
        self.settle_registers(s, block, tail);
        if !self.unit.counts_by_memory {
            return tail;
        }
        let parts = self.parts(block, [tail, tail]);
        let written = [1, 0].map(|other: usize| Written::by_all(self, &parts[other]).within(self, s));
        let loads = [0, 1]
            .map(|n: usize| -> Vec<Stmt> { parts[n].iter().flat_map(|&x| self.loads_in(x, &written[n])).collect() });
        if self.walk_stmt(s).into_iter().any(|x| matches!(self.head(x), Head::GhostStore { .. })) {
            let is_apart = |n: usize| loads[n].is_empty() && !self.stores_there(&parts[n], &written[n]);
            if is_apart(0) && is_apart(1) {
                return tail;
            }
            let all = self.loads_in(s, &Written::by(self, s).within(self, s));
            let taken = self.concerned(s, FxHashSet::default(), all);
            self.close_last_values(s, &taken);
            // The order of stores stays if all of them are in the first part.
            if self.can_go_before(s, &taken) {
                self.twin(s, Place::Before(s), &taken, &mut Vec::new());
            } else if loads[0].is_empty() && self.can_go_along(&parts[1], &taken) {
                self.goes_along(&parts[1], tail, &taken);
            } else if crate::fault("split_gives_up") || !self.replay(s, &taken) {
                self.give_up_among(s, &taken);
            }
            return tail;
        }
        let from = loads.iter().position(|l| !l.is_empty());
        let taken = self.concerned(s, FxHashSet::default(), loads.concat());
        let Some(from) = from.filter(|_| !taken.is_empty()) else { return tail };
        self.close_last_values(s, &taken);
        if self.can_go_before(s, &taken) {
            self.twin(s, Place::Before(s), &taken, &mut Vec::new());
        } else if loads[1 - from].is_empty() && self.can_go_along(&parts[from], &taken) {
            let before = self.prev(tail);
            self.goes_along(&parts[from], tail, &taken);
            // From the first part: these are the first statements of the second.
            let first = before.map_or_else(|| self.stmts(block).next(), |b| self.next(b));
            return first.filter(|_| from == 0).unwrap_or(tail);
        } else if crate::fault("split_gives_up") || !self.replay(s, &taken) {
            self.give_up_among(s, &taken);
        }
        tail
    }

    /// Counting code by registers of both parts leaves the loop `s`, if copies of the ghosts of the first part are not enough in the second.
    fn settle_registers(&mut self, s: Stmt, block: Block, tail: Stmt) {
        if ["split_without_ghost", "split_keeps_registers"].into_iter().any(crate::fault)
            || crate::fault("split_registers_stay")
        {
            return;
        }
        let parts = self.parts(block, [tail, tail]);
        let [first, second] = [0, 1].map(|n: usize| {
            let mut defined = FxHashSet::default();
            parts[n].iter().for_each(|&x| self.all_defined(x, &mut defined));
            defined
        });
        let early = self.carried_in(vec![parts[1].clone()], &first);
        let counting = parts[1].iter().flat_map(|&x| self.walk_stmt(x)).flat_map(|x| self.counted_registers(x));
        let lacking: FxHashSet<Sym> =
            counting.filter(|v| first.contains(v) && (!second.contains(v) || early.contains(v))).collect();
        let written = Written::by_all(self, &parts[0]);
        let changes = |v: Sym| first.contains(&v) || second.contains(&v);
        if lacking.is_empty() || self.repeated(&parts, lacking.clone(), &changes, &written).is_some() {
            return;
        }
        let taken = self.concerned(s, lacking, Vec::new());
        self.close_last_values(s, &taken);
        if self.can_go_before(s, &taken) {
            self.twin(s, Place::Before(s), &taken, &mut Vec::new());
        } else {
            self.replay(s, &taken);
        }
    }

    /// Whether counting code in `part` stores to memory that the other part writes, so that the order of the two matters.
    fn stores_there(&self, part: &[Stmt], written: &Written) -> bool {
        part.iter().flat_map(|&x| self.walk_stmt(x)).any(|x| match self.head(x) {
            Head::GhostStore { place, .. } => written.may_change(self, place),
            _ => false,
        })
    }

    /// Whether the operands of `taken` and of the control flow around it in `part` keep their values if the program's
    /// statements in `part` are left out.
    fn can_go_along(&self, part: &[Stmt], taken: &FxHashSet<Stmt>) -> bool {
        if crate::fault("split_gives_up")
            || part.iter().any(|&x| self.walk_stmt(x).into_iter().any(|y| self.jumps_or_ends(y)))
        {
            return false;
        }
        let real: Vec<Stmt> = part.iter().copied().filter(|&x| !self.head(x).is_invisible()).collect();
        let mut changing: FxHashSet<Sym> = real.iter().flat_map(|&x| self.defined_by_program(x)).collect();
        let written = Written::by_all(self, &real);
        for (v, _) in self.repeatable(part) {
            changing.remove(&v);
        }
        part.iter().all(|&x| self.is_there(x, taken, &changing, &written, &mut Vec::new()))
    }

    /// Moves the counting code `taken` of `part`, with its control flow, before `tail`.
    fn goes_along(&mut self, part: &[Stmt], tail: Stmt, taken: &FxHashSet<Stmt>) {
        let mut rename: Vec<(Sym, Expr)> = Vec::new();
        for (v, value) in self.repeatable(part) {
            let value = self.substitute(value, &rename);
            let g = self.new_register("ghost", self.sym(v).ty);
            self.unit.tallied.insert(g);
            self.ghost(g, value, Place::Before(tail));
            rename.push((v, self.var(g)));
        }
        for &x in part {
            self.twin(x, Place::Before(tail), taken, &mut rename);
        }
    }

    /// The registers that the program defines once in `part`, before anything there reads them, by values that are the same where
    /// counting code of `part` goes along: that code computes them again.
    fn repeatable(&self, part: &[Stmt]) -> Vec<(Sym, Expr)> {
        let real: Vec<Stmt> = part.iter().copied().filter(|&x| !self.head(x).is_invisible()).collect();
        let written = Written::by_all(self, &real);
        let mut times: FxHashMap<Sym, usize> = FxHashMap::default();
        for v in part.iter().flat_map(|&x| self.walk_stmt(x)).flat_map(|x| self.may_define(self.head(x))) {
            *times.entry(v).or_default() += 1;
        }
        let (mut out, mut read): (Vec<(Sym, Expr)>, FxHashSet<Sym>) = (Vec::new(), FxHashSet::default());
        for &x in part {
            let head = self.head(x);
            if let (Head::Assign { value, .. }, Some(v)) = (head, self.defines(head)) {
                let is_known = |r: &Sym| !times.contains_key(r) || out.iter().any(|o| o.0 == *r);
                let is_same = !written.may_change(self, value) && self.registers_in(value).iter().all(is_known);
                if times[&v] == 1 && is_same && !read.contains(&v) && !self.may_trap(value) {
                    out.push((v, value));
                }
            }
            for y in self.walk_stmt(x) {
                read.extend(self.registers_read(self.head(y)));
            }
        }
        out
    }

    /// Moves the statements of `from` that begin with `tail` to the end of `into`; the statements from `cut` to `tail`
    /// all go.
    ///
    /// A tally counts in exactly one of the two loops, and both run over the same iterations (law R). It stays in the
    /// first, unless it reads a register that is defined after the cut. If it reads registers of both parts, it is
    /// counted by copies of the ghosts of the first part, or given up: where the second part runs, the registers of the
    /// first have their last values.
    pub(crate) fn split_off(&mut self, from: Block, [cut, tail]: [Stmt; 2], into: Block) {
        let [before, after] = self.parts(from, [cut, tail]);
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
        // A register of both parts may be read in the second before that defines it: then it has the value of the first.
        let mut early = self.owner(into).map_or_else(FxHashSet::default, |l| self.carried(l, &first));
        if crate::fault("split_defined_later") {
            early.clear();
        }
        let lacking = |u: &Unit| -> Vec<(Stmt, Sym)> {
            let registers = |s| u.counted_registers(s).into_iter().map(move |v| (s, v));
            let counting = u.walk_block(into).into_iter().flat_map(registers);
            counting.filter(|(_, v)| first.contains(v) && (!second.contains(v) || early.contains(v))).collect()
        };
        let needed: FxHashSet<Sym> = lacking(self).into_iter().map(|(_, v)| v).collect();
        if self.repeat_ghosts(from, into, needed, &|v| first.contains(&v) || second.contains(&v), &written) {
            return;
        }
        let wrong: Vec<Stmt> = lacking(self).into_iter().map(|(s, _)| s).collect();
        self.give_up(&wrong);
    }

    /// The ghosts of the first of `parts` that compute the registers `needed` in each iteration of the second, and the registers of the program
    /// among them; none if a value does not belong to one iteration.
    fn repeated(
        &self,
        [before, after]: &[Vec<Stmt>; 2],
        mut needed: FxHashSet<Sym>,
        changes: &dyn Fn(Sym) -> bool,
        written: &Written,
    ) -> Option<Repeated> {
        let defined_there: FxHashSet<Sym> =
            after.iter().flat_map(|&s| self.walk_stmt(s)).flat_map(|s| self.may_define(self.head(s))).collect();
        let mut copied: FxHashSet<Stmt> = FxHashSet::default();
        let mut copies: Vec<(Sym, Expr)> = Vec::new();
        let mut of_program: FxHashSet<Sym> = FxHashSet::default();
        // Backwards: a value is needed by later statements.
        for &s in before.iter().rev() {
            let head = self.head(s);
            let definition = match head {
                Head::Ghost { var, value } => Some((var, value)),
                Head::Assign { value, .. } if !crate::fault("split_keeps_registers") => {
                    let v = self.defines(head).filter(|v| !defined_there.contains(v));
                    v.map(|v| (v, value))
                }
                _ => None,
            };
            let Some((var, value)) = definition.filter(|d| needed.contains(&d.0)) else { continue };
            copied.insert(s);
            if !head.is_invisible() {
                of_program.insert(var);
            }
            copies.push((var, value));
            needed.extend(self.registers_in(value).into_iter().filter(|&v| changes(v)));
        }
        copies.reverse();
        let elsewhere = before
            .iter()
            .flat_map(|&s| self.walk_stmt(s))
            .any(|s| !copied.contains(&s) && self.may_define(self.head(s)).iter().any(|v| needed.contains(v)));
        let mut defined: FxHashSet<Sym> = FxHashSet::default();
        let alone = copies.iter().all(|&(var, value)| {
            let known = self.registers_in(value).iter().all(|v| !changes(*v) || defined.contains(v));
            defined.insert(var);
            known && !written.may_change(self, value)
        });
        let is_whole = alone && !elsewhere && needed.iter().all(|v| defined.contains(v));
        (is_whole && !crate::fault("split_without_ghost")).then_some((copies, of_program))
    }

    /// Copies the ghosts of `from` that compute the registers `needed` to the start of `into`, which a loop of its own
    /// runs as often; registers of the program get ghosts there. Returns whether that is possible: each value must belong to
    /// one iteration. `changes` are the registers that either loop defines; the first loop has `written` memory.
    fn repeat_ghosts(
        &mut self,
        from: Block,
        into: Block,
        needed: FxHashSet<Sym>,
        changes: &dyn Fn(Sym) -> bool,
        written: &Written,
    ) -> bool {
        let is_needed = !needed.is_empty();
        let parts = [from, into].map(|b| self.stmts(b).collect::<Vec<_>>());
        let Some((copies, of_program)) = self.repeated(&parts, needed, changes, written) else { return !is_needed };
        let mut rename: Vec<(Sym, Expr)> = Vec::new();
        let mut first: Vec<Head> = Vec::new();
        for (var, value) in copies {
            let value = self.substitute(value, &rename);
            let mut own = var;
            if of_program.contains(&var) {
                own = self.new_register("ghost", self.sym(var).ty);
                rename.retain(|r| r.0 != var);
                rename.push((var, self.var(own)));
            }
            first.push(Head::Ghost { var: own, value });
        }
        // No expression names the register that gives an array its place.
        let is_left = |u: &Unit, head: Head| u.registers_read(head).iter().any(|v| of_program.contains(v));
        if first.iter().any(|&head| is_left(self, head)) {
            return false;
        }
        let counting: Vec<Stmt> = self.walk_block(into).into_iter().filter(|&s| self.head(s).is_invisible()).collect();
        for &s in counting.iter().filter(|_| !rename.is_empty()) {
            let head = self.head(s);
            let head = self.map_head(head, &mut |u, e| match u.expr(e) {
                ExprData::Var(v) => rename.iter().find(|(from, _)| *from == v).map(|(_, to)| *to),
                _ => None,
            });
            self.unit.stmts[s].head = head;
            self.note_tally(head);
        }
        let wrong: Vec<Stmt> = counting.into_iter().filter(|&s| is_left(self, self.head(s))).collect();
        self.give_up(&wrong);
        for head in first.into_iter().rev() {
            self.null(head, Place::Start(into), Why::Shadow);
            self.note_tally(head);
        }
        true
    }
}

impl Unit {
    /// The statements of `b` in two parts: the statements that stay when it is split before `tail`, and the ones that go; the statements
    /// from `cut` to `tail` go.
    pub(crate) fn parts(&self, b: Block, [cut, tail]: [Stmt; 2]) -> [Vec<Stmt>; 2] {
        let mut stay: Vec<Stmt> = self.stmts(b).take_while(|&s| s != cut).collect();
        let behind: Vec<Stmt> = self.stmts(b).skip(stay.len()).collect();
        let real: Vec<Stmt> = behind.iter().copied().filter(|&s| !self.head(s).is_invisible()).collect();
        let written = Written::by_all(self, &real);
        let (mut go, mut defined) = (Vec::new(), FxHashSet::default());
        let mut along = true;
        for s in behind {
            along &= s != tail;
            let loads = || self.walk_stmt(s).into_iter().any(|x| written.changes_one_of(self, self.head(x)));
            let needed = || self.counted_registers(s).iter().any(|v| defined.contains(v));
            if along || !self.head(s).is_invisible() || needed() || (self.counts_by_memory && loads()) {
                self.all_defined(s, &mut defined);
                go.push(s);
            } else {
                stay.push(s);
            }
        }
        [stay, go]
    }

    /// Adds the registers that `s` and the statements in it define, ghosts too.
    fn all_defined(&self, s: Stmt, out: &mut FxHashSet<Sym>) {
        for x in self.walk_stmt(s) {
            out.extend(self.may_define(self.head(x)));
        }
    }

    /// The registers that counting code reads in `s` and below; none if `s` is of the program.
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
        self.registers_read(self.head(s)).to_vec()
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
    fn a_value_that_the_first_part_carries_on_is_counted_before_both() {
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
i4 ghost.2, ghost.3, ghost.4
ghost ghost.1 = 0
ghostif 9_i8 > 0
  ghost ghost.2 = 1
  ghostdo 9
    ghost ghost.3 = ghost.2
    ghost ghost.1 = ghost.1 + 2
    ghost ghost.4 = ghost.3 / 2
    tally @5 iterations += merge(ghost.1, 0, ghost.4 > 2)
    ghost ghost.2 = ghost.2 + 1
  end
  ghost ghost.3 = ghost.2
end
do i = 1, 9 @1
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
    fn a_register_of_the_first_part_is_computed_again() {
        let program = |value: &str| {
            format!(
                "
integer i, k, n
i4 ghost.1
integer b(9), c(9)
real a(9)
do i = 1, 9 @1
  n = {value} @2
  c(i) = n @6
  do k = 1, 9 @3
    ghost ghost.1 = n
    a(k) = 2.0 @4
  end
end
tally @5 iterations += i8(ghost.1)"
            )
        };
        let at_third = |ed: &mut Editor<'_>| {
            let s = ed.real_stmts(ed.body()).next().expect("a loop");
            let tail = ed.real_stmts(ed.blocks(s)[0]).nth(2).expect("three statements");
            ed.expand_split(s, tail);
        };
        check(
            "distribute",
            &at_third,
            &program("b(i)"),
            "
i4 ghost.1, ghost.2
do i = 1, 9 @1
  n = b(i) @2
  c(i) = n @6
end
do i = 1, 9 @1
  ghost ghost.1 = b(i)
  do k = 1, 9 @3
    ghost ghost.2 = ghost.1
    a(k) = 2.0 @4
  end
end
tally @5 iterations += ghost.2

expand replicate @1",
        );
        check(
            "distribute",
            &at_third,
            &program("c(10 - i)"),
            "
i8 ghost.1
i4 ghost.2(9) frame
i4 ghost.3, ghost.4, ghost.5, ghost.6, ghost.7, ghost.8
ghostif 9_i8 > 0
  ghost ghost.1 = 1
  ghostdo 9
    ghoststore ghost.2(ghost.1) = c(ghost.1)
    ghost ghost.1 = ghost.1 + 1
  end
  ghost ghost.3 = 1
  ghostdo 9
    ghost ghost.4 = ghost.3
    ghost ghost.5 = ghost.2(10 - ghost.4)
    ghoststore ghost.2(ghost.4) = ghost.5
    ghost ghost.6 = 1
    ghostdo 9
      ghost ghost.7 = ghost.6
      ghost ghost.8 = ghost.5
      ghost ghost.6 = ghost.6 + 1
    end
    ghost ghost.7 = ghost.6
    ghost ghost.3 = ghost.3 + 1
  end
  ghost ghost.4 = ghost.3
end
do i = 1, 9 @1
  n = c(10 - i) @2
  c(i) = n @6
end
do i = 1, 9 @1
  do k = 1, 9 @3
    a(k) = 2.0 @4
  end
end
tally @5 iterations += ghost.8

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

    #[test]
    fn elements_that_the_other_part_does_not_write_stay() {
        for (place, read) in [("a(i)", "a(10)"), ("a(k + 1)", "a(k - 1)"), ("a(3)", "a(4)")] {
            let body = "    ghost ghost.1 = merge(1_i8, 0, b(2) + READ > 3.0)\n    tally @6 taken.0 += ghost.1\n    b(2) = b(j) @4\n";
            let body = body.replace("READ", read);
            let before = format!(
                "
integer i, j, k
i8 ghost.1
real a(10), b(9)
do i = 1, 9 @1
  {place} = 1.0 @2
  do j = 1, 4 @3
{body}  end
end"
            );
            let after = format!(
                "
i8 ghost.1
do i = 1, 9 @1
  {place} = 1.0 @2
end
do i = 1, 9 @1
  do j = 1, 4 @3
{}  end
end

expand replicate @1",
                body.replace("1_i8", "1")
            );
            check("distribute", &split, &before, &after);
        }
    }

    #[test]
    fn counts_by_memory_that_the_other_part_writes_are_counted_there() {
        check(
            "distribute",
            &split,
            "
integer i, j
i8 ghost.1
real a(9), b(9)
do i = 1, 9 @1
  do j = i, 9 @2
    a(j) = 1.0 @3
    ghost ghost.1 = merge(1_i8, 0, b(2) > r8(j))
    tally @6 taken.0 += ghost.1
  end
  b(i) = b(i) + 2.0 @4
end",
            "
i4 ghost.1
i8 ghost.2
do i = 1, 9 @1
  do j = i, 9 @2
    a(j) = 1.0 @3
  end
end
do i = 1, 9 @1
  ghost ghost.1 = i
  ghostdo trip(i, 9, 1)
    ghost ghost.2 = merge(1, 0, b(2) > r8(ghost.1))
    tally @6 taken.0 += ghost.2
    ghost ghost.1 = ghost.1 + 1
  end
  b(i) = b(i) + 2.0 @4
end

expand replicate @1",
        );
    }

    #[test]
    fn counts_by_memory_that_the_first_part_writes_stay_with_it() {
        check(
            "distribute",
            &split,
            "
integer i, j
i8 ghost.1
real a(9), b(9999)
do i = 1, 9 @1
  a(i) = 1.0 @2
  do j = 1, 9 @3
    b(j) = 2.0 @4
    if b(i) > 1.0 @5
      ghost ghost.1 = merge(1_i8, 0, a(7) > 3.0)
      tally @6 taken.0 += ghost.1
      b(i) = 3.0 @7
    end
  end
end",
            "
i8 ghost.1
counter @6 taken.0
do i = 1, 9 @1
  a(i) = 1.0 @2
end
do i = 1, 9 @1
  do j = 1, 9 @3
    b(j) = 2.0 @4
    if b(i) > 1.0 @5
      b(i) = 3.0 @7
    end
  end
end

expand replicate @1",
        );
        check(
            "distribute",
            &split,
            "
integer i, j
i8 ghost.1
real a(9), b(9)
do i = 1, 9 @1
  a(i) = 1.0 @2
  do j = 1, 9 @3
    b(j) = 2.0 @4
    if i > 3 @5
      ghost ghost.1 = merge(1_i8, 0, a(7) > 3.0)
      tally @6 taken.0 += ghost.1
      b(i) = 3.0 @7
    end
  end
end",
            "
i4 ghost.1
l4 ghost.2
i8 ghost.3
do i = 1, 9 @1
  a(i) = 1.0 @2
  ghost ghost.1 = 1
  ghostdo 9
    ghost ghost.2 = i > 3
    ghostif i > 3
      ghost ghost.3 = merge(1, 0, a(7) > 3.0)
      tally @6 taken.0 += ghost.3
    end
    ghost ghost.1 = ghost.1 + 1
  end
end
do i = 1, 9 @1
  do j = 1, 9 @3
    b(j) = 2.0 @4
    if i > 3 @5
      b(i) = 3.0 @7
    end
  end
end

expand replicate @1",
        );
    }
}
