//! Counting that depends on the order of iterations.
//!
//! Passes ignore counting code, so a loop may be interchanged, fused or split although a ghost carries a value from one
//! iteration to the next. Before that, such counting code leaves the loop: it goes before it, into a loop of its own,
//! in the order of the source. Counts that need values which only the program's own loop computes are given up.
//!
//! ```text
//! do i = 1, n                          ghostdo …
//!   do j = 1, m                          ghostdo …
//!     a(i, j) = 0.0                        ghost g = g + d*e
//!     ghost g = g + i*j           =>       tally merge(1, 0, mod(g, 3) == 1)
//!     tally merge(1, 0, mod(g, 3) == 1)  …
//!   end                                do i = 1, n
//! end                                    do j = 1, m
//!                                          a(i, j) = 0.0
//! ```

use crate::edit::{Editor, Place};
use crate::entities::{Block, Expr, Sym};
use crate::head::Head;
use crate::tally::{Written, may_share, trip_count};
use rustc_hash::FxHashSet;
use trueline_provenance::{Stmt, Why};

/// A set of registers.
type Registers = FxHashSet<Sym>;

impl Editor<'_> {
    /// Called before the loops of the nest `outer` change places: tallies that depend on their order, or leave the
    /// nest, go before it.
    pub(crate) fn settle_order(&mut self, outer: Stmt) {
        if !self.counts_values(outer) || crate::fault("order_unsettled") {
            return;
        }
        let own = self.ghost_registers(outer);
        let mut wrong = self.carried(outer, &self.defined_below(outer));
        if let Head::Do { var, .. } = self.head(outer) {
            wrong.remove(&var);
        }
        if !own.is_empty() {
            wrong.extend(self.read_outside(&[outer]).intersection(&own));
        }
        let loads = self.loads_in(outer, &Written::by(self, outer));
        self.take_out(outer, wrong, loads);
    }

    /// Called before the loop `gone` joins `keep`: tallies that read values of the other loop leave them.
    pub(crate) fn settle_fusion(&mut self, keep: Stmt, gone: Stmt) {
        if crate::fault("fusion_unsettled") {
            return;
        }
        for (s, other) in [(gone, keep), (keep, gone)] {
            if !self.counts_values(s) {
                continue;
            }
            let (foreign, own) = (self.defined_below(other), self.ghost_registers(s));
            // Registers of the other loop are local here, too, if each iteration defines them before they are read.
            let mut wrong = self.carried(s, &foreign);
            if own.iter().any(|v| foreign.contains(v)) {
                let outside = self.left_for_others(keep, gone);
                wrong.extend(own.iter().filter(|v| foreign.contains(v) && outside.contains(v)));
            }
            if let Head::Do { var, .. } = self.head(s) {
                wrong.remove(&var);
            }
            let loads = self.loads_in(s, &Written::by(self, other));
            self.take_out(s, wrong, loads);
        }
    }

    /// The registers that counting elsewhere reads, except for the registers that each iteration of `gone` defines: these it leaves
    /// as before when it joins `keep`.
    fn left_for_others(&self, keep: Stmt, gone: Stmt) -> Registers {
        let mut outside = self.read_outside(&[keep, gone]);
        for x in self.blocks(gone).iter().flat_map(|&b| self.stmts(b)) {
            if let Head::Ghost { var, .. } = self.head(x) {
                outside.remove(&var);
            }
        }
        outside
    }

    /// Whether counting code in `s` does more than add constants.
    fn counts_values(&self, s: Stmt) -> bool {
        self.walk_stmt(s).into_iter().any(|x| match self.head(x) {
            Head::Tally { amount, .. } => !self.registers_in(amount).is_empty(),
            Head::Bracket { .. } => false,
            head => head.is_invisible(),
        })
    }

    /// The registers that ghosts in `s` define.
    fn ghost_registers(&self, s: Stmt) -> Registers {
        let ghosts = self.walk_stmt(s).into_iter().filter_map(|x| match self.head(x) {
            Head::Ghost { var, .. } | Head::GhostCall { result: var, .. } => Some(var),
            _ => None,
        });
        ghosts.collect()
    }

    /// The registers that counting outside `loops` reads.
    fn read_outside(&self, loops: &[Stmt]) -> Registers {
        let inside: FxHashSet<Stmt> = loops.iter().flat_map(|&s| self.walk_stmt(s)).collect();
        let outside = self.walk().into_iter().filter(|x| !inside.contains(x) && self.head(*x).is_invisible());
        outside.flat_map(|x| self.own_registers(x)).collect()
    }

    /// The ones among `registers` that counting code in `s` reads, where the same iteration need not have defined them.
    pub(crate) fn carried(&self, s: Stmt, registers: &Registers) -> Registers {
        let bodies = self.blocks(s).iter().map(|&b| self.stmts(b).collect()).collect();
        self.carried_in(bodies, registers)
    }

    /// The same of loops with these bodies.
    pub(crate) fn carried_in(&self, bodies: Vec<Vec<Stmt>>, registers: &Registers) -> Registers {
        let mut out = Registers::default();
        let mut todo: Vec<(Vec<Stmt>, Registers)> = bodies.into_iter().map(|b| (b, Registers::default())).collect();
        while let Some((stmts, mut defined)) = todo.pop() {
            for x in stmts {
                let head = self.head(x);
                if head.is_invisible() {
                    let read = self.own_registers(x).into_iter();
                    out.extend(read.filter(|v| registers.contains(v) && !defined.contains(v)));
                }
                let mut inside = defined.clone();
                if let Head::Do { var, .. } = head {
                    inside.insert(var);
                }
                todo.extend(self.blocks(x).iter().map(|&b| (self.stmts(b).collect(), inside.clone())));
                defined.extend(self.may_define(head));
            }
        }
        out
    }

    /// The counting code in `s` that reads memory that is `written`.
    pub(crate) fn loads_in(&self, s: Stmt, written: &Written) -> Vec<Stmt> {
        if !self.unit.counts_by_memory {
            return Vec::new();
        }
        let counts = |&x: &Stmt| {
            let head = self.head(x);
            head.is_invisible() && written.changes_one_of(self, head)
        };
        self.walk_stmt(s).into_iter().filter(counts).collect()
    }

    /// Moves the counting code in `s` that uses the registers `wrong` or is one of `stmts` before `s`.
    pub(crate) fn take_out(&mut self, s: Stmt, wrong: Registers, stmts: Vec<Stmt>) {
        let mut taken = self.concerned(s, wrong, stmts);
        if taken.is_empty() {
            return;
        }
        self.close_last_values(s, &taken);
        if self.can_go_before(s, &taken) || (self.mirror(s, &mut taken) && self.can_go_before(s, &taken)) {
            self.twin(s, Place::Before(s), &taken, &mut Vec::new());
        } else if !self.replay(s, &taken) {
            self.give_up_among(s, &taken);
        }
    }

    /// Gives up the counts in `s` that need `taken`.
    pub(crate) fn give_up_among(&mut self, s: Stmt, taken: &FxHashSet<Stmt>) {
        let lost: Vec<Stmt> = self.walk_stmt(s).into_iter().filter(|x| taken.contains(x)).collect();
        self.give_up(&lost);
    }

    /// The counting code in `s` that uses one of the registers `wrong` or is one of `stmts`.
    pub(crate) fn concerned(&mut self, s: Stmt, mut wrong: Registers, stmts: Vec<Stmt>) -> FxHashSet<Stmt> {
        let mut taken: FxHashSet<Stmt> = stmts.into_iter().collect();
        if wrong.is_empty() && taken.is_empty() {
            return taken;
        }
        let ghosts = self.ghost_registers(s);
        for x in self.walk_stmt(s).into_iter().rev() {
            if let Head::Ghost { var, .. } = self.head(x)
                && self.is_live(x)
            {
                self.drop_overwritten(var);
            }
        }
        let inside: Vec<Stmt> =
            self.walk_stmt(s).into_iter().skip(1).filter(|&x| self.head(x).is_invisible()).collect();
        let stored: Vec<Sym> = inside.iter().filter_map(|&x| self.ghost_stored(x)).collect();
        // Memory that is stored to and read by code that goes.
        let mut memory: Vec<Sym> = Vec::new();
        let mut grown = true;
        while grown {
            grown = false;
            for &x in &inside {
                let (reads, defines) = (self.own_registers(x), self.may_define(self.head(x)));
                let concerned = taken.contains(&x)
                    || reads.iter().chain(&defines).any(|v| wrong.contains(v))
                    || memory.iter().any(|&m| self.counts_in(x, m));
                if !concerned {
                    continue;
                }
                // A construct that only counts goes as a whole, also the one that `x` is a part of.
                let around = self.ancestors(x).take_while(|&a| a != s && self.head(a).is_invisible());
                let whole = if crate::fault("taken_in_parts") { x } else { around.last().unwrap_or(x) };
                for y in self.walk_stmt(whole) {
                    grown |= taken.insert(y);
                    for &m in &stored {
                        if !memory.contains(&m) && self.counts_in(y, m) {
                            memory.push(m);
                            grown = true;
                        }
                    }
                    let registers = self.own_registers(y).into_iter().chain(self.may_define(self.head(y)));
                    for v in registers.filter(|v| ghosts.contains(v)) {
                        grown |= wrong.insert(v);
                    }
                }
            }
        }
        self.lose_parted_trips(s, &taken);
        taken
    }

    /// The memory that a GhostStore stores to.
    fn ghost_stored(&self, x: Stmt) -> Option<Sym> {
        match self.head(x) {
            Head::GhostStore { place, .. } => self.stored_at(place),
            _ => None,
        }
    }

    /// Whether `x`, which only counts, reads the memory `m` or stores to it.
    fn counts_in(&self, x: Stmt, m: Sym) -> bool {
        let here = |e: Expr| {
            let mut found = false;
            self.visit_expr(e, &mut |y| found |= self.stored_at(y).is_some_and(|other| may_share(self, m, other)));
            found
        };
        self.ghost_stored(x).is_some_and(|other| may_share(self, m, other))
            || self.values(self.head(x)).into_iter().any(here)
    }

    /// Ghosts among `taken` that keep the last value of the variable of a loop in `s` keep its closed form.
    pub(crate) fn close_last_values(&mut self, s: Stmt, taken: &FxHashSet<Stmt>) {
        if crate::fault("last_value_unknown") {
            return;
        }
        let changing = self.defined_by_program(s);
        for x in self.walk_stmt(s) {
            let Head::Ghost { var, value } = self.head(x) else { continue };
            if !taken.contains(&x) {
                continue;
            }
            let mut new = value;
            for v in self.registers_in(value).into_iter().filter(|v| changing.contains(v)) {
                let v_expr = self.var(v);
                if let Some([lo, hi, step]) = self.left_before(x, v) {
                    let last = self.last_value(lo, hi, step);
                    new = self.unit.map_expr(new, &mut |_, e| (e == v_expr).then_some(last));
                }
            }
            if new != value {
                let head = Head::Ghost { var, value: new };
                self.unit.stmts[x].head = head;
                self.note_tally(head);
            }
        }
    }

    /// The bounds of the loop whose last value `v` has before `x`, if they still have the same values.
    fn left_before(&self, x: Stmt, v: Sym) -> Option<[Expr; 3]> {
        let mut between = Registers::default();
        let mut at = self.prev(x)?;
        let outermost = loop {
            let defined = self.defined_below(at);
            let found = defined.contains(&v);
            between.extend(defined);
            if found {
                break at;
            }
            at = self.prev(at)?;
        };
        let written = Written::by(self, outermost);
        let mut s = outermost;
        loop {
            let Head::Do { var, lo, hi, step } = self.head(s) else { return None };
            if var == v {
                let again = self.walk_stmt(s).into_iter().skip(1).any(|y| self.may_define(self.head(y)).contains(&v));
                let same =
                    |e: Expr| !written.may_change(self, e) && self.registers_in(e).iter().all(|r| !between.contains(r));
                return (!again && [lo, hi, step].into_iter().all(same)).then_some([lo, hi, step]);
            }
            let [l, h, t] = [lo, hi, step].map(|e| self.pool.as_int(e));
            if trip_count(l?, h?, t?) == 0 {
                return None;
            }
            s = self.stmts(self.blocks(s)[0]).rev().find(|&y| self.defined_below(y).contains(&v))?;
        }
    }

    /// The registers that statements of the program define in `s`.
    pub(crate) fn defined_by_program(&self, s: Stmt) -> Registers {
        let real = self.walk_stmt(s).into_iter().filter(|&x| !self.head(x).is_invisible());
        real.flat_map(|x| self.may_define(self.head(x))).collect()
    }

    /// Whether the operands of `taken` and of the control flow around it in `s` are known before `s`.
    pub(crate) fn can_go_before(&self, s: Stmt, taken: &FxHashSet<Stmt>) -> bool {
        if self.walk_stmt(s).into_iter().any(|x| self.jumps_or_ends(x)) {
            return false;
        }
        let changing = self.defined_by_program(s);
        let real: Vec<Stmt> = self.walk_stmt(s).into_iter().filter(|&x| self.blocks(x).is_empty()).collect();
        let real: Vec<Stmt> = real.into_iter().filter(|&x| !self.head(x).is_invisible()).collect();
        // Counting code stores to memory in the same order as before, so only the program's own stores matter.
        let written = Written::by_all(self, &real).within(self, s);
        let mut variables: Vec<Sym> = Vec::new();
        if self.is_there(s, taken, &changing, &written, &mut variables) {
            return true;
        }
        // Elements that the loop writes when their iteration has read them.
        let Head::Do { var, lo, hi, step } = self.head(s) else { return false };
        let is_known =
            |e: Expr| !written.may_change(self, e) && self.registers_in(e).iter().all(|v| !changing.contains(v));
        [lo, hi, step].into_iter().all(is_known)
            && self.stmts(self.blocks(s)[0]).filter(|&x| self.walk_stmt(x).iter().any(|y| taken.contains(y))).all(|x| {
                let written = Written::until(self, s, x, &real);
                written.is_some_and(|written| self.is_there(x, taken, &changing, &written, &mut vec![var]))
            })
    }

    /// As `can_go_before`, for `s` and its contents; `variables` are those of the loops around it.
    pub(crate) fn is_there(
        &self,
        s: Stmt,
        taken: &FxHashSet<Stmt>,
        changing: &Registers,
        written: &Written,
        variables: &mut Vec<Sym>,
    ) -> bool {
        if !self.walk_stmt(s).iter().any(|x| taken.contains(x)) {
            return true;
        }
        let head = self.head(s);
        let place = match head {
            Head::GhostStore { place, .. } => Some(place),
            _ => None,
        };
        let known = self.values(head).into_iter().chain(place).all(|e| {
            let memory = written.may_change(self, e);
            !memory && self.registers_in(e).iter().all(|v| !changing.contains(v) || variables.contains(v))
        });
        let fits = match head {
            Head::Do { .. } | Head::If { .. } => true,
            Head::Select { .. } => !crate::fault("twin_without_select"),
            _ => head.is_invisible(),
        };
        if !known || !fits {
            return false;
        }
        let depth = variables.len();
        if let Head::Do { var, .. } = head {
            variables.push(var);
        }
        let all = self
            .blocks(s)
            .iter()
            .all(|&b| self.stmts(b).all(|x| self.is_there(x, taken, changing, written, variables)));
        variables.truncate(depth);
        all
    }

    pub(crate) fn jumps_or_ends(&self, s: Stmt) -> bool {
        let head = self.head(s);
        head.is_jump() || matches!(head, Head::Label(_) | Head::GotoTable { .. }) || !self.always_returns(head)
    }

    /// Copies the control flow of `s` to `at`, as code that only counts, with the statements of `taken`, which leave
    /// `s`.
    pub(crate) fn twin(&mut self, s: Stmt, at: Place, taken: &FxHashSet<Stmt>, rename: &mut Vec<(Sym, Expr)>) {
        if !self.walk_stmt(s).iter().any(|x| taken.contains(x)) {
            return;
        }
        if taken.contains(&s) {
            self.unit.unlink(s);
            self.attach(s, at);
            self.rename_counting(s, rename);
            return;
        }
        match self.head(s) {
            Head::Do { var, lo, hi, step } => {
                let (into, d, step) = self.counting_loop(var, [lo, hi, step], at, rename);
                rename.push((var, d));
                self.twin_block(self.blocks(s)[0], into, taken, rename);
                rename.pop();
                self.advance(into, d, step);
            }
            Head::If { cond } => {
                let cond = self.substitute(cond, rename);
                let arms = self.blocks(s).to_vec();
                let first = self.null(Head::GhostIf { cond }, at, Why::Shadow);
                let flag = self.kept(cond, first);
                let not = self.make(crate::ExprData::Unary(crate::UnaryOp::Not, flag));
                let other = if crate::fault("twin_other_arm") { flag } else { not };
                let second = self.null(Head::GhostIf { cond: other }, Place::After(first), Why::Shadow);
                for (from, guard) in arms.into_iter().zip([first, second]) {
                    let into = self.blocks(guard)[0];
                    self.twin_block(from, into, taken, rename);
                    if self.stmts(into).next().is_none() {
                        self.unit.unlink(guard);
                    }
                }
            }
            Head::Select { value, ranges } => {
                let value = self.substitute(value, rename);
                let kept = self.new_register("ghost", self.ty(value));
                self.unit.tallied.insert(kept);
                let mut last = self.null(Head::Ghost { var: kept, value }, at, Why::Shadow);
                let (kept, blocks) = (self.var(kept), self.blocks(s).to_vec());
                for (number, &from) in blocks.iter().enumerate() {
                    let cond = self.selects(kept, ranges, number, blocks.len());
                    let guard = self.null(Head::GhostIf { cond }, Place::After(last), Why::Shadow);
                    let into = self.blocks(guard)[0];
                    self.twin_block(from, into, taken, rename);
                    if self.stmts(into).next().is_none() {
                        self.unit.unlink(guard);
                    } else {
                        last = guard;
                    }
                }
            }
            // A construct that only counts goes as a whole.
            _ => {}
        }
    }

    fn twin_block(&mut self, from: Block, into: Block, taken: &FxHashSet<Stmt>, rename: &mut Vec<(Sym, Expr)>) {
        for x in self.stmts(from).collect::<Vec<_>>() {
            self.twin(x, Place::End(into), taken, rename);
        }
    }
}
