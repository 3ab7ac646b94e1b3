//! Residue: the code of a construct that remains for counting alone, law K without a closed form.
//!
//! ```text
//! do i = 1, n                               i = 1 + trip(1, n, 1)          ! if it is read
//!   ghost g = g + i                  =>     ghost d = 1
//!   tally merge(1, 0, mod(g, 3) == 1)       ghostdo trip(1, n, 1)
//! end                                         ghost g = g + d
//!                                             tally merge(1, 0, mod(g, 3) == 1)
//!                                             ghost d = d + 1
//!                                           end
//! ```
//!
//! A store that goes leaves a ghost store behind, if there are ghosts that read memory.

use crate::edit::{Editor, Place};
use crate::entities::{Block, Expr, List, Sym};
use crate::expr::{Access, ExprData};
use crate::head::Head;
use crate::{BinaryOp, Callee, Rt, Storage, SymData, Type, Unit};
use rustc_hash::FxHashSet;
use trueline_provenance::{Stmt, Why};

impl Editor<'_> {
    /// Moves the counting code in `s`, which has no other contents, before it as code that only counts.
    pub(crate) fn leave_remains(&mut self, s: Stmt) {
        if !self.is_hollow(s) || crate::fault("remains_lost") {
            return;
        }
        self.drop_unread(s);
        if self.blocks(s).iter().all(|&b| self.stmts(b).next().is_none()) {
            return;
        }
        match self.head(s) {
            Head::If { .. } => self.flatten_counting_arms(s),
            Head::Select { value, ranges } => {
                let kept = self.kept(value, s);
                for number in 0..self.blocks(s).len() {
                    let case = if crate::fault("remains_other_case") { 0 } else { number };
                    let cond = self.selects(kept, ranges, case, self.blocks(s).len());
                    let guard = self.null(Head::GhostIf { cond }, Place::Before(s), Why::Shadow);
                    let (from, into) = (self.blocks(s)[number], self.blocks(guard)[0]);
                    self.bring(from, into, &[]);
                }
            }
            Head::Do { var, lo, hi, step } => {
                let from = self.blocks(s)[0];
                let (into, d, end) = self.counting_loop(var, [lo, hi, step], Place::Before(s), &[]);
                self.bring(from, into, &[(var, d)]);
                self.advance(into, d, end);
            }
            _ => {}
        }
    }

    /// A loop that only counts, with the iterations of `DO var = bounds`; `rename` maps registers to their values
    /// there. Returns its block, the value of `var` in it, and its step.
    pub(crate) fn counting_loop(
        &mut self,
        var: Sym,
        bounds: [Expr; 3],
        at: Place,
        rename: &[(Sym, Expr)],
    ) -> (Block, Expr, Expr) {
        let [lo, hi, step] = bounds.map(|e| self.substitute(e, rename));
        let ty = self.sym(var).ty;
        let wide = [lo, hi, step].map(|e| self.widen(e));
        let trips = self.trips(wide);
        let trips = if crate::fault("remains_trips") { self.widen(hi) } else { trips };
        // Further code goes after the last one made, in order.
        let whole = self.null(Head::GhostDo { trips }, at, Why::Shadow);
        let step = if self.pool.as_int(step).is_some() { step } else { self.kept(step, whole) };
        let d = self.kept_in("ghost", ty, lo, whole);
        (self.blocks(whole)[0], d, step)
    }

    /// The end of an iteration: `d + step` in `d`.
    pub(crate) fn advance(&mut self, block: Block, d: Expr, step: Expr) {
        let ExprData::Var(v) = self.expr(d) else { return };
        let next = if crate::fault("remains_step") { d } else { self.binary(BinaryOp::Add, d, step) };
        self.ghost(v, next, Place::End(block));
    }

    /// A ghost with the value of `e` before `s`.
    pub(crate) fn kept(&mut self, e: Expr, s: Stmt) -> Expr {
        let ty = self.ty(e);
        self.kept_in("ghost", ty, e, s)
    }

    fn kept_in(&mut self, name: &str, ty: crate::Type, e: Expr, s: Stmt) -> Expr {
        let g = self.new_register(name, ty);
        self.ghost(g, e, Place::Before(s));
        self.unit.tallied.insert(g);
        self.var(g)
    }

    /// Moves the statements of `from`, which all only count, to the end of `into`.
    fn bring(&mut self, from: Block, into: Block, rename: &[(Sym, Expr)]) {
        for x in self.stmts(from).collect::<Vec<_>>() {
            self.unit.unlink(x);
            self.unit.append(x, into);
            self.rename_counting(x, rename);
        }
    }

    /// Renames registers in code that only counts.
    pub(crate) fn rename_counting(&mut self, s: Stmt, rename: &[(Sym, Expr)]) {
        if rename.is_empty() {
            return;
        }
        for x in self.walk_stmt(s) {
            let head = self.head(x);
            let new = self.unit.map_head(head, &mut |u, e| match u.expr(e) {
                ExprData::Var(v) => rename.iter().find(|(from, _)| *from == v).map(|(_, to)| *to),
                _ => None,
            });
            self.unit.stmts[x].head = new;
            self.note_tally(new);
        }
    }

    /// Whether `s` holds nothing but counting code.
    pub(crate) fn is_hollow(&self, s: Stmt) -> bool {
        self.blocks(s).iter().all(|&b| self.real_stmts(b).next().is_none())
    }

    /// Removes ghosts in `s` that are never read.
    fn drop_unread(&mut self, s: Stmt) {
        let inside: Vec<Stmt> = self.walk_stmt(s).into_iter().skip(1).collect();
        if !inside.iter().any(|&x| matches!(self.head(x), Head::Ghost { .. })) {
            return;
        }
        let within: FxHashSet<Stmt> = inside.iter().copied().collect();
        let mut read: FxHashSet<Sym> = FxHashSet::default();
        for x in self.walk() {
            let counts = self.head(x).is_invisible();
            if counts && (!within.contains(&x) || !matches!(self.head(x), Head::Ghost { .. })) {
                read.extend(self.own_registers(x));
            }
        }
        let mut grown = true;
        while grown {
            grown = false;
            for &x in &inside {
                if let Head::Ghost { var, .. } = self.head(x)
                    && read.contains(&var)
                {
                    for v in self.own_registers(x) {
                        grown |= read.insert(v);
                    }
                }
            }
        }
        for &x in inside.iter().rev() {
            let unread = match self.head(x) {
                Head::Ghost { var, .. } => !read.contains(&var),
                Head::GhostIf { .. } | Head::GhostDo { .. } => self.stmts(self.blocks(x)[0]).next().is_none(),
                _ => false,
            };
            if unread {
                self.unit.unlink(x);
            }
        }
    }

    /// Called before `s` leaves its place: keeps stores that ghosts may read as ghost stores. Within a construct a
    /// ghost cannot follow that; then the counts that read them are given up.
    pub(crate) fn keep_stores(&mut self, s: Stmt) {
        if !self.unit.counts_by_memory || crate::fault("store_without_ghost") {
            return;
        }
        for x in self.walk_stmt(s) {
            let (place, value) = match self.head(x) {
                Head::Assign { place, value } if self.stored_at(place).is_some() => (place, value),
                Head::Store { addr, offset, value, sym } => {
                    let ty = self.ty(value);
                    (self.make(ExprData::Load { ty, addr, offset, sym }), value)
                }
                _ => continue,
            };
            let Some(stored) = self.stored_at(place) else { continue };
            if !self.may_count(stored) {
                continue;
            }
            if x == s {
                // Rewriting may have left one.
                if self.prev(x).is_some_and(|p| self.head(p) == Head::GhostStore { place, value }) {
                    continue;
                }
                self.null(Head::GhostStore { place, value }, Place::Before(s), Why::Shadow);
            } else {
                let readers = self.ghosts_reading(stored);
                self.give_up(&readers);
            }
        }
    }

    /// Call before a store (`old`) is rewritten into a register assignment (`new`): an assignment, or the call that stores a character.
    /// If a ghost may read that memory, a ghost store keeps the value there.
    pub(crate) fn keep_store(&mut self, s: Stmt, old: Head, new: Head) {
        let Head::Assign { place: register, .. } = new else { return };
        if !self.unit.counts_by_memory || crate::fault("rewrite_without_store") {
            return;
        }
        let place = match old {
            Head::Assign { place, .. } => place,
            Head::Call { callee: Callee::Rt(Rt::CharAssign), args, .. } => match self.byte_stored(args) {
                Some(place) => place,
                None => return,
            },
            _ => return,
        };
        if let Some(stored) = self.stored_at(place)
            && self.may_count(stored)
        {
            self.null(Head::GhostStore { place, value: register }, Place::After(s), Why::Shadow);
        }
    }

    /// The byte of a variable of one character that the call with the arguments `args` assigns, if counting code may read it.
    fn byte_stored(&mut self, args: List) -> Option<Expr> {
        let ExprData::AddrOf(_, to) = self.expr(*self.list(args).first()?) else { return None };
        let ExprData::Var(root) = self.expr(to) else { return None };
        let old = self.sym(root).clone();
        let is_one = old.dims.is_empty() && old.len.expand().and_then(|e| self.pool.as_int(e)) == Some(1);
        if !is_one || !self.may_count(root) {
            return None;
        }
        let name = format!("{}.byte.{}", old.name, self.syms().count());
        let storage = Storage::Within { root, offset: 0 };
        let byte = SymData { name, ty: Type::I1, len: None.into(), storage, from_source: false, ..old };
        let byte = self.new_sym(byte);
        Some(self.var(byte))
    }

    /// Puts a call for the ghost `g` alone after the call `s`, which leaves the program. Returns whether that is
    /// possible; the caller keeps the values that the call reads.
    pub(crate) fn call_for(&mut self, g: Sym, s: Stmt) -> bool {
        let Head::Call { callee, args, result } = self.head(s) else { return false };
        let pure = match callee {
            Callee::Proc(p) => self.proc(p).is_libm,
            Callee::Rt(f) => matches!(f.signature().effect, trueline_abi::Effect::Pure),
            Callee::Dummy(_) => false,
        };
        let Some(result) = result.expand().filter(|_| pure) else { return false };
        let args: Vec<Expr> = self.list(args).to_vec();
        // Memory that it changes by reference is not kept.
        let reads = |&a: &Expr| !matches!(self.expr(a), ExprData::AddrOf(access, _) if access != Access::In);
        if !args.iter().all(reads) || crate::fault("call_without_ghost") {
            return false;
        }
        // It may be passed its own result of the time before.
        let (old, new) = (self.var(result), self.var(g));
        // Registers that are passed by reference have places of their own: another register cannot stand for one.
        let args: Vec<Expr> = args
            .into_iter()
            .map(|a| match self.expr(a) {
                ExprData::AddrOf(access, place) if self.is_register(place) => {
                    let kept = self.kept(if place == old { new } else { place }, s);
                    self.make(ExprData::AddrOf(access, kept))
                }
                _ => self.unit.map_expr(a, &mut |_, e| (e == old).then_some(new)),
            })
            .collect();
        let args = self.make_list(&args);
        self.null(Head::GhostCall { callee, args, result: g }, Place::After(s), Why::Shadow);
        true
    }

    fn is_register(&self, e: Expr) -> bool {
        matches!(self.expr(e), ExprData::Var(v) if self.sym(v).is_register())
    }

    /// Whether ghosts may read the memory of `stored`.
    fn may_count(&self, stored: Sym) -> bool {
        self.unit.counted_memory.iter().any(|&m| may_share(self, m, stored))
    }

    /// The ghosts that may read the memory of `stored`.
    fn ghosts_reading(&self, stored: Sym) -> Vec<Stmt> {
        let reads = |e: Expr| {
            let mut found = false;
            self.visit_expr(e, &mut |x| {
                found |= self.stored_at(x).is_some_and(|m| may_share(self, m, stored));
            });
            found
        };
        let counting = |&x: &Stmt| self.head(x).is_invisible();
        let reading = |&x: &Stmt| self.values(self.head(x)).into_iter().any(reads);
        self.walk().into_iter().filter(counting).filter(reading).collect()
    }
}

impl Unit {
    /// The symbol whose memory `place` is in.
    pub(crate) fn stored_at(&self, place: Expr) -> Option<Sym> {
        match self.expr(place) {
            ExprData::Elem(s, _) | ExprData::Section(s, _) | ExprData::Wide(_, s, _) => Some(s),
            ExprData::Load { sym: s, .. } => Some(s),
            ExprData::Var(s) => (!self.sym(s).is_register()).then_some(s),
            ExprData::Substr(base, ..) => self.stored_at(base),
            _ => None,
        }
    }
}

/// Whether two symbols may have memory in common, as far as their places tell.
pub(crate) fn may_share(u: &Unit, a: Sym, b: Sym) -> bool {
    let (x, y) = (u.root(a), u.root(b));
    if x == y || (u.sym(x).may_alias && u.sym(y).may_alias) {
        return true;
    }
    match (u.sym(x).storage, u.sym(y).storage) {
        (Storage::Static { area: p, offset: i }, Storage::Static { area: q, offset: j }) => {
            p == q && !u.ends_before(x, i, j) && !u.ends_before(y, j, i)
        }
        // Memory that is changed by one name is not reached by the other.
        (Storage::Static { .. }, Storage::Dummy { .. }) | (Storage::Dummy { .. }, Storage::Static { .. }) => false,
        (Storage::Frame, _) | (_, Storage::Frame) => false,
        _ => u.sym(x).may_alias || u.sym(y).may_alias,
    }
}

#[cfg(test)]
mod tests {
    use crate::Editor;
    use crate::testing::check;
    use trueline_provenance::Why;

    /// Eliminates the first statement that is not counting code.
    fn first(ed: &mut Editor<'_>) {
        let s = ed.real_stmts(ed.body()).next().expect("a statement");
        ed.eliminate(s, Why::Dead);
    }

    #[test]
    fn a_loop_of_values_that_depend_on_each_other() {
        check(
            "dce",
            &first,
            "
integer i, n
i8 ghost.1
do i = 1, n, 2 @1
  ghost ghost.1 = ghost.1 * 3 + i8(i)
  tally @2 taken.0 += merge(1_i8, 0, ghost.1 > 7)
end
n = 1 @3",
            "
i4 ghost.1
i8 ghost.2
ghost ghost.1 = 1
ghostdo trip(1, n, 2)
  ghost ghost.2 = ghost.2 * 3 + i8(ghost.1)
  tally @2 taken.0 += merge(1_i8, 0, ghost.2 > 7)
  ghost ghost.1 = ghost.1 + 2
end
n = 1 @3

eliminate @1 (its result is never used)",
        );
    }

    #[test]
    fn an_arm_with_a_value_that_may_trap() {
        check(
            "dce",
            &first,
            "
integer n, m
i8 ghost.1
if m > 0 @1
  ghost ghost.1 = i8(n / m)
  tally @2 iterations += ghost.1
end
n = 1 @3",
            "
l4 ghost.1
i8 ghost.2
ghost ghost.1 = m > 0
ghostif ghost.1
  ghost ghost.2 = i8(n / m)
end
tally @2 iterations += merge(ghost.2, 0, ghost.1)
n = 1 @3

eliminate @1 (its result is never used)",
        );
    }

    #[test]
    fn a_store_that_a_ghost_reads() {
        check(
            "dce",
            &first,
            "
integer i
i8 ghost.1
integer a(9), b(9)
a(i) = 3 @1
b(i) = 4 @2
ghost ghost.1 = i8(a(2))
tally @3 iterations += ghost.1",
            "
ghoststore a(i) = 3
b(i) = 4 @2
ghost ghost.1 = i8(a(2))
tally @3 iterations += ghost.1

eliminate @1 (its result is never used)",
        );
    }
}
