//! FORALL: for each statement of its body all right sides are evaluated before anything is assigned.
//!
//! ```text
//! forall (i = 1:n, a(i) > 0) a(i) = a(i - 1)   @3     do i = n, 1, -1               @3
//!                                                =>     if (a(i) > 0)               @3
//!                                                         a(i) = a(i - 1)           @3
//! ```
//!
//! If a loop in either direction would read an element that it has assigned, the values are first stored in sequence to
//! a temporary, for the active index values, and then assigned in the same sequence.

use super::Lowering;
use super::masked::{assignments_below, reads_only_itself};
use super::overlap::{NestLoop, base_of, directions, reads_array};
use smallvec::SmallVec;
use trueline_ir::{Block, Expr, ExprData, Head, Stmt, Sym, Type, Why};
use trueline_provenance::Measure;

/// One index of a FORALL: a loop with bounds of the type of its variable.
#[derive(Clone, Copy)]
pub(super) struct Index {
    var: Sym,
    lo: Expr,
    hi: Expr,
    step: Expr,
    from: Stmt,
}

/// A condition that guards everything inside the first `depth` loops.
#[derive(Clone, Copy)]
pub(super) struct Guard {
    pub(super) depth: usize,
    /// The condition, or the array that holds its values in sequence.
    pub(super) cond: Result<Expr, Sym>,
    from: Stmt,
}

/// The FORALLs around a statement, outermost first.
#[derive(Clone, Default)]
pub(super) struct Around {
    pub(super) indices: Vec<Index>,
    pub(super) guards: Vec<Guard>,
    /// Calls of functions and assignments of registers that the next statement needs for each index value.
    pub(super) prelude: Vec<Stmt>,
}

impl Lowering<'_, '_, '_> {
    pub(super) fn forall_statement(&mut self, s: Stmt) {
        let active = self
            .ed
            .walk_stmt(s)
            .into_iter()
            .any(|x| matches!(self.ed.head(x), Head::Assign { .. } | Head::ArrayAssign { .. } | Head::Call { .. }));
        if !active {
            self.ed.eliminate(s, Why::Dead);
            return;
        }
        self.forall(s, &Around::default());
        self.free_to(0);
        self.consume(s);
    }

    fn forall(&mut self, s: Stmt, outer: &Around) {
        let Head::Forall { indices, mask } = self.ed.head(s) else { return };
        let from = std::mem::replace(&mut self.from, s);
        self.ready.clear();
        let mut around = outer.clone();
        let mut own = self.indices_of(s, indices, outer.indices.is_empty());
        let body: Block = self.ed.blocks(s)[0];
        self.order_by_subscripts(&mut own, body);
        around.indices.extend(own);
        let body: Vec<Stmt> = self.ed.real_stmts(body).collect();
        if let Some(mask) = mask.expand() {
            let depth = around.indices.len();
            let mut guard = Guard { depth, cond: Ok(mask), from: s };
            let written = assignments_below(self.ed, s);
            let changes = written.iter().any(|&(_, a)| reads_array(self.ed, &[mask], a));
            around.guards.push(guard);
            let one = body.len() == 1 && self.plan_assign(body[0], &around).is_some();
            if changes && !one && !trueline_ir::fault("forall_mask_again") {
                around.guards.pop();
                guard.cond = Err(self.saved_mask(mask, &around));
                around.guards.push(guard);
            }
        }
        for inner in body {
            match self.ed.head(inner) {
                head if self.is_prelude(head) => around.prelude.push(inner),
                Head::Forall { .. } => self.forall(inner, &around),
                Head::Assign { place, value } => self.forall_assign(inner, place, value, &around),
                Head::ArrayAssign { place, value } => self.forall_array(inner, place, value, None, &around),
                Head::Where { .. } => self.forall_where(inner, &around),
                // An assignment of characters.
                head => {
                    let (from, at) = (std::mem::replace(&mut self.from, inner), self.at);
                    self.open_forall(&around, &[]);
                    let head = self.prepare_head(head);
                    self.emit(head);
                    (self.from, self.at) = (from, at);
                }
            }
            if !self.is_prelude(self.ed.head(inner)) {
                around.prelude.clear();
            }
        }
        self.from = from;
    }

    /// Whether a statement of the body only computes a register for the next one.
    fn is_prelude(&self, head: Head) -> bool {
        matches!(head, Head::Assign { .. } | Head::Call { .. }) && self.ed.defines(head).is_some()
    }

    /// The expressions that the statements of the prelude evaluate.
    fn prelude_inputs(&self, around: &Around) -> Vec<Expr> {
        around.prelude.iter().flat_map(|&s| self.ed.values(self.ed.head(s))).collect()
    }

    /// The prelude's code, for the current values of the indices; a call is counted where it is made.
    pub(super) fn open_prelude(&mut self, around: &Around) {
        let from = self.from;
        for &s in &around.prelude {
            self.from = s;
            self.ready.clear();
            if let Some(t) = self.ed.prev(s)
                && let Head::Tally { counter, amount } = self.ed.head(t)
                && matches!(self.ed.counter(counter).measure, Measure::Calls(_))
            {
                self.ed.tally(counter, amount, self.at);
                self.ed.eliminate(t, Why::Redundant);
            }
            let head = self.prepare_head(self.ed.head(s));
            self.emit(head);
        }
        self.ready.clear();
        self.from = from;
    }

    /// The loops of a FORALL header. Bounds are evaluated once, before the loops, if there is no index
    /// around that they could depend on.
    fn indices_of(&mut self, s: Stmt, indices: trueline_ir::List, outermost: bool) -> Vec<Index> {
        let pairs: Vec<Expr> = self.ed.list(indices).to_vec();
        let mut out = Vec::new();
        for pair in pairs.chunks_exact(2) {
            let (ExprData::Var(var), ExprData::Triplet(lo, hi, step)) = (self.ed.expr(pair[0]), self.ed.expr(pair[1]))
            else {
                continue;
            };
            let ty = self.ed.sym(var).ty;
            let [lo, hi, step] = [lo, hi, step].map(|e| {
                let e = if outermost { self.prepare(e) } else { e };
                let e = self.narrow(ty, e);
                if outermost { self.simple(e) } else { e }
            });
            out.push(Index { var, lo, hi, step, from: s });
        }
        out
    }

    /// The integer `e` as type `ty`.
    fn narrow(&mut self, ty: Type, e: Expr) -> Expr {
        match self.ed.expr(e) {
            _ if self.ed.ty(e) == ty => e,
            ExprData::Int(_, v) => self.ed.int(ty, v),
            ExprData::Convert(_, inner) if self.ed.ty(inner) == ty => inner,
            _ => self.ed.make(ExprData::Convert(ty, e)),
        }
    }

    /// Puts the index of the leftmost subscript on the left side innermost.
    fn order_by_subscripts(&mut self, own: &mut [Index], body: Block) {
        let first = self.ed.real_stmts(body).next();
        let Some((place, _)) = first.and_then(|s| assignments_below(self.ed, s).first().copied()) else { return };
        let mut subs: Vec<Expr> = Vec::new();
        self.ed.pool().operands(place, |x| subs.push(x));
        let position = |i: &Index| subs.iter().position(|&x| self.ed.mentions(x, i.var)).unwrap_or(usize::MAX);
        own.sort_by_key(|i| std::cmp::Reverse(position(i)));
    }

    /// For a scalar assignment that can be done in one nest: which of its loops run backwards.
    fn plan_assign(&mut self, s: Stmt, around: &Around) -> Option<SmallVec<[bool; 4]>> {
        let Head::Assign { place, value } = self.ed.head(s) else { return None };
        let mut reads = vec![value];
        self.ed.pool().operands(place, |x| reads.push(x));
        reads.extend(around.guards.iter().filter_map(|g| g.cond.ok()));
        reads.extend(self.prelude_inputs(around));
        let nest: SmallVec<[NestLoop; 4]> = around
            .indices
            .iter()
            .map(|i| {
                let [lo, hi, step] = [i.lo, i.hi, i.step].map(|e| self.ed.pool().as_int(e));
                let trips = match (lo, hi, step) {
                    (Some(lo), Some(hi), Some(step)) if step != 0 => Some(((hi - lo + step) / step).max(0)),
                    _ => None,
                };
                NestLoop { var: i.var, step, trips }
            })
            .collect();
        let down = directions(self.ed, place, &reads, &nest)?;
        // The last value of a loop by more than one would have to be computed.
        let unit = nest.iter().zip(&down).all(|(l, &down)| match l.step {
            Some(step) => !down || step.abs() == 1,
            None => false,
        });
        let fixed = nest.iter().all(|l| l.step.is_some());
        // A mask that was stored in sequence is read in the same sequence.
        let in_sequence = around.guards.iter().any(|g| g.cond.is_err());
        (unit && ((fixed && !in_sequence) || down.iter().all(|d| !d))).then_some(down)
    }

    fn forall_assign(&mut self, s: Stmt, place: Expr, value: Expr, around: &Around) {
        let array = base_of(self.ed, place);
        let mut inputs = vec![value];
        self.ed.pool().operands(place, |x| inputs.push(x));
        inputs.extend(self.prelude_inputs(around));
        let untouched = array.is_some_and(|a| {
            !reads_array(self.ed, &inputs, a)
                && around.guards.iter().all(|g| g.cond.is_err() || !self.guard_reads(g, a))
        });
        let plan = if untouched { Some(SmallVec::new()) } else { self.plan_assign(s, around) };
        let mark = self.frees.len();
        match plan {
            Some(down) => {
                let at = self.at;
                self.open_forall(around, &down);
                self.open_prelude(around);
                self.assign_inside(s, place, value);
                self.at = at;
            }
            None => self.forall_two_phase(s, place, value, around),
        }
        self.free_to(mark);
    }

    fn guard_reads(&self, guard: &Guard, array: Sym) -> bool {
        guard.cond.is_ok_and(|c| reads_array(self.ed, &[c], array))
    }

    /// `place = value` for the current values of the indices.
    pub(super) fn assign_inside(&mut self, s: Stmt, place: Expr, value: Expr) {
        let from = std::mem::replace(&mut self.from, s);
        let mark = self.frees.len();
        self.ready.clear();
        let head = self.prepare_head(Head::Assign { place, value });
        if let Head::Assign { place, value } = head {
            self.assign(place, value);
        }
        self.free_to(mark);
        self.ready.clear();
        self.from = from;
    }

    /// At least the number of index values.
    pub(super) fn points(&mut self, indices: &[Index]) -> Expr {
        let dependent = indices
            .iter()
            .any(|i| [i.lo, i.hi, i.step].iter().any(|&e| indices.iter().any(|o| self.ed.mentions(e, o.var))));
        if dependent {
            let zero = self.ed.int(Type::I8, 0);
            let count = self.register("points", zero);
            let at = self.at;
            self.open_forall(&Around { indices: indices.to_vec(), ..Around::default() }, &[]);
            self.step(count);
            self.at = at;
            return self.ed.var(count);
        }
        let mut total = self.ed.int(Type::I8, 1);
        for i in indices {
            let bounds = [i.lo, i.hi, i.step].map(|e| self.ed.widen(e));
            let trips = self.ed.trips(bounds);
            total = self.times(total, trips);
        }
        self.simple(total)
    }

    /// Opens the loops and guards. A saved guard is read in the sequence in which it was saved.
    pub(super) fn open_forall(&mut self, around: &Around, down: &[bool]) {
        let zero = self.ed.int(Type::I8, 0);
        let counts: Vec<Option<Sym>> =
            around.guards.iter().map(|g| g.cond.is_err().then(|| self.register("count", zero))).collect();
        let from = self.from;
        for (k, i) in around.indices.iter().enumerate() {
            self.from = i.from;
            let head = if down.get(k).copied().unwrap_or(false) {
                let ty = self.ed.sym(i.var).ty;
                let step = self.ed.pool().as_int(i.step).unwrap_or(1);
                Head::Do { var: i.var, lo: i.hi, hi: i.lo, step: self.ed.int(ty, -step) }
            } else {
                let [lo, hi, step] = [i.lo, i.hi, i.step].map(|e| {
                    let e = self.prepare(e);
                    self.simple(e)
                });
                Head::Do { var: i.var, lo, hi, step }
            };
            self.open(head);
            self.ready.clear();
            for (guard, count) in around.guards.iter().zip(&counts).filter(|(g, _)| g.depth == k + 1) {
                self.from = guard.from;
                self.open_guard(guard, *count);
            }
        }
        self.from = from;
    }

    fn open_guard(&mut self, guard: &Guard, count: Option<Sym>) {
        let cond = match (guard.cond, count) {
            (Err(saved), Some(count)) => {
                let (array, position) = (self.ed.var(saved), self.ed.var(count));
                let cond = self.element(array, &[position]);
                let cond = self.register("active", cond);
                self.step(count);
                self.ed.var(cond)
            }
            (Ok(cond), _) => {
                let mark = self.frees.len();
                self.ready.clear();
                let cond = self.prepare(cond);
                self.free_to(mark);
                cond
            }
            (Err(_), None) => unreachable!("saved guards have counts"),
        };
        self.open(Head::If { cond });
    }

    /// An array assignment for each index value.
    pub(super) fn forall_array(&mut self, s: Stmt, place: Expr, value: Expr, mask: Option<Expr>, around: &Around) {
        let from = std::mem::replace(&mut self.from, s);
        let mut inputs = vec![value];
        inputs.extend(mask);
        self.ed.pool().operands(place, |x| inputs.push(x));
        inputs.extend(around.guards.iter().filter_map(|g| g.cond.ok()));
        inputs.extend(self.prelude_inputs(around));
        let written: Vec<(Expr, Sym)> = base_of(self.ed, place).map(|a| (place, a)).into_iter().collect();
        let mark = self.frees.len();
        let at = self.at;
        if reads_only_itself(self.ed, &inputs, &written) {
            self.open_forall(around, &[]);
            self.open_prelude(around);
            self.array_assign(place, value, mask);
            self.at = at;
        } else {
            self.forall_array_two_phase(s, place, value, mask, around);
        }
        self.free_to(mark);
        self.from = from;
    }

    /// A WHERE for each index value.
    fn forall_where(&mut self, s: Stmt, around: &Around) {
        let written = assignments_below(self.ed, s);
        let mut exprs: Vec<Expr> =
            self.ed.walk_stmt(s).into_iter().flat_map(|x| self.ed.values(self.ed.head(x))).collect();
        exprs.extend(around.guards.iter().filter_map(|g| g.cond.ok()));
        let mark = self.frees.len();
        if reads_only_itself(self.ed, &exprs, &written) {
            let at = self.at;
            self.open_forall(around, &[]);
            self.where_here(s);
            self.at = at;
        } else {
            let around = self.with_saved_guards(s, around);
            self.forall_where_branches(s, None, &written, &around);
        }
        self.free_to(mark);
    }
}
