//! Traversal of statements and of the expressions in them, generic over heads.

use crate::entities::{Block, Expr, Label, List, Sym};
use crate::expr::ExprData;
use crate::expr_map::ExprMap;
use crate::head::Head;
use crate::{Callee, Unit};
use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;
use trueline_provenance::Stmt;

impl Unit {
    /// Every statement in the program, outermost first, in order.
    pub fn walk(&self) -> Vec<Stmt> {
        self.walk_block(self.body)
    }

    /// Every statement in `b` and below, in order.
    pub fn walk_block(&self, b: Block) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut todo: Vec<Stmt> = self.stmts(b).rev().collect();
        while let Some(s) = todo.pop() {
            out.push(s);
            for &nested in self.blocks(s).iter().rev() {
                todo.extend(self.stmts(nested).rev());
            }
        }
        out
    }

    /// `s` and every statement below it, in order.
    pub fn walk_stmt(&self, s: Stmt) -> Vec<Stmt> {
        let mut out = vec![s];
        for &b in self.blocks(s) {
            out.extend(self.walk_block(b));
        }
        out
    }

    /// The statements below `s`, in order, found one after the other: for those who look for the first of a kind.
    pub fn within(&self, s: Stmt) -> impl Iterator<Item = Stmt> + '_ {
        let firsts = |s: Stmt| self.blocks(s).iter().rev().filter_map(|&b| self.stmts(b).next());
        let mut todo: Vec<Stmt> = firsts(s).collect();
        std::iter::from_fn(move || {
            let x = todo.pop()?;
            todo.extend(self.next(x));
            todo.extend(firsts(x));
            Some(x)
        })
    }

    /// The expressions in the head of a statement that are evaluated for their value; for a place that is written, only
    /// the expressions that address it (its subscripts).
    pub fn values(&self, head: Head) -> SmallVec<[Expr; 4]> {
        let mut out = SmallVec::new();
        match head {
            Head::ArrayAssign { place, value } | Head::Assign { place, value } | Head::GhostStore { place, value } => {
                self.pool.operands(place, |e| out.push(e));
                out.push(value);
            }
            Head::Where { mask } => out.push(mask),
            Head::Forall { indices, mask } => {
                out.extend(self.list(indices).iter().skip(1).step_by(2).copied());
                out.extend(mask.expand());
            }
            Head::Select { value, .. } | Head::ArithIf { value, .. } => out.push(value),
            Head::Do { lo, hi, step, .. } => out.extend([lo, hi, step]),
            Head::DoWhile { cond } | Head::If { cond } | Head::Branch { cond, .. } => out.push(cond),
            Head::Store { addr, value, .. } => out.extend([addr, value]),
            Head::Call { args, .. } | Head::GhostCall { args, .. } => out.extend_from_slice(self.list(args)),
            Head::GotoTable { index, .. } => out.push(index),
            Head::Tally { amount, .. } => out.push(amount),
            Head::Trips { trips, times, .. } => out.extend([trips, times]),
            Head::Ghost { value, .. } => out.push(value),
            Head::GhostIf { cond } => out.push(cond),
            Head::GhostDo { trips } => out.push(trips),
            Head::Probe { entry, .. } => out.extend(entry.expand()),
            Head::Return | Head::Label(_) | Head::Goto(_) | Head::Bracket { .. } => {}
        }
        out
    }

    /// The register that `head` itself defines: an assignment's, a loop's, a call's result.
    /// (Registers passed by reference to a call are not included.)
    pub fn defines(&self, head: Head) -> Option<Sym> {
        match head {
            Head::Assign { place, .. } => match self.expr(place) {
                ExprData::Var(v) if self.sym(v).is_register() => Some(v),
                _ => None,
            },
            Head::Do { var, .. } | Head::Ghost { var, .. } | Head::GhostCall { result: var, .. } => Some(var),
            Head::Call { result, .. } => result.expand(),
            _ => None,
        }
    }

    /// The places passed by reference by the call `head`, with the access.
    pub fn references(&self, head: Head) -> SmallVec<[(crate::Access, Expr); 4]> {
        let mut out = SmallVec::new();
        if let Head::Call { args, .. } = head {
            for &a in self.list(args) {
                if let ExprData::AddrOf(access, place) = self.expr(a) {
                    out.push((access, place));
                }
            }
        }
        out
    }

    /// The registers that executing `head` may define, itself or through references of a call.
    pub fn may_define(&self, head: Head) -> SmallVec<[Sym; 2]> {
        let mut out: SmallVec<[Sym; 2]> = self.defines(head).into_iter().collect();
        for (access, place) in self.references(head) {
            if let (true, ExprData::Var(v)) = (access.writes(), self.expr(place))
                && self.sym(v).is_register()
            {
                out.push(v);
            }
        }
        if let Head::Forall { indices, .. } = head {
            out.extend(self.list(indices).iter().step_by(2).filter_map(|&e| match self.expr(e) {
                ExprData::Var(v) => Some(v),
                _ => None,
            }));
        }
        out
    }

    /// Visits `e` and every expression below it, each once, operands after the expression.
    pub fn visit_expr(&self, e: Expr, each: &mut impl FnMut(Expr)) {
        let mut seen = ExprMap::default();
        let mut todo: SmallVec<[Expr; 16]> = smallvec::smallvec![e];
        while let Some(e) = todo.pop() {
            if seen.insert(e, ()) {
                each(e);
                self.pool.operands(e, |o| todo.push(o));
            }
        }
    }

    /// Whether `v` occurs in `e`.
    pub fn mentions(&self, e: Expr, v: Sym) -> bool {
        let mut found = false;
        self.visit_expr(e, &mut |x| found |= self.expr(x) == ExprData::Var(v));
        found
    }

    /// The registers that occur in `e`, and the registers that describe the places and sizes of its arrays.
    pub fn registers_in(&self, e: Expr) -> SmallVec<[Sym; 8]> {
        let mut out = SmallVec::new();
        let mut arrays: SmallVec<[Sym; 4]> = SmallVec::new();
        self.visit_expr(e, &mut |x| match self.expr(x) {
            ExprData::Var(v) if self.sym(v).is_register() => out.push(v),
            ExprData::Var(v) | ExprData::Elem(v, _) | ExprData::Section(v, _) | ExprData::Wide(_, v, _)
                if !arrays.contains(&v) =>
            {
                arrays.push(v);
            }
            _ => {}
        });
        for v in arrays {
            self.registers_of(v, &mut out);
        }
        out
    }

    /// The registers that `head` reads: in its values, and in the places where it stores.
    pub fn registers_read(&self, head: Head) -> SmallVec<[Sym; 8]> {
        let mut out = SmallVec::new();
        for e in self.values(head) {
            out.extend(self.registers_in(e));
        }
        if let Head::ArrayAssign { place, .. } | Head::Assign { place, .. } | Head::GhostStore { place, .. } = head
            && let ExprData::Var(v) | ExprData::Elem(v, _) | ExprData::Section(v, _) | ExprData::Wide(_, v, _) =
                self.expr(place)
            && !self.sym(v).is_register()
            && !crate::fault("descriptor_read")
        {
            self.registers_of(v, &mut out);
        }
        out
    }

    /// The registers that describe the place and size of the memory of `s`.
    pub fn registers_of(&self, s: Sym, out: &mut impl Extend<Sym>) {
        out.extend(self.base_of(s));
        self.located_by(s, |e| {
            self.visit_expr(e, &mut |x| {
                if let ExprData::Var(v) = self.expr(x) {
                    out.extend([v]);
                }
            });
        });
    }

    /// Whether evaluating `e` reads memory.
    pub fn reads_memory(&self, e: Expr) -> bool {
        let mut found = false;
        self.visit_expr(e, &mut |x| {
            found |= match self.expr(x) {
                ExprData::Var(v) => !self.sym(v).is_register(),
                ExprData::Elem(..) | ExprData::Section(..) | ExprData::Wide(..) => true,
                ExprData::Load { .. } | ExprData::Substr(..) => true,
                _ => false,
            }
        });
        found
    }

    /// The labels `head` may jump to.
    pub fn targets(&self, head: Head) -> SmallVec<[Label; 3]> {
        match head {
            Head::Goto(l) => SmallVec::from_slice(&[l]),
            Head::ArithIf { to, .. } => to.into_iter().collect(),
            Head::Branch { then, otherwise, .. } => SmallVec::from_slice(&[then, otherwise]),
            Head::GotoTable { table, .. } => self.jump_table(table).iter().copied().collect(),
            _ => SmallVec::new(),
        }
    }
}

/// Rewriting of expressions. The results are new values; nothing in the program changes.
impl Unit {
    /// `e` with `f` applied from the top: an expression that `f` returns replaces the old one, else the operands are
    /// rewritten. The root of a place (`AddrOf`, a substring's variable) is never replaced, only its operands.
    pub(crate) fn map_expr(&mut self, e: Expr, f: &mut dyn FnMut(&mut Unit, Expr) -> Option<Expr>) -> Expr {
        let mut memo = ExprMap::default();
        self.map_memo(e, f, &mut memo)
    }

    fn map_memo(
        &mut self,
        e: Expr,
        f: &mut dyn FnMut(&mut Unit, Expr) -> Option<Expr>,
        memo: &mut ExprMap<Expr>,
    ) -> Expr {
        if let Some(done) = memo.get(e) {
            return done;
        }
        let new = match f(self, e) {
            Some(new) => new,
            None => self.map_operands(e, f, memo),
        };
        memo.insert(e, new);
        new
    }

    fn map_operands(
        &mut self,
        e: Expr,
        f: &mut dyn FnMut(&mut Unit, Expr) -> Option<Expr>,
        memo: &mut ExprMap<Expr>,
    ) -> Expr {
        let data = match self.expr(e) {
            ExprData::Elem(v, l) => ExprData::Elem(v, self.map_list(l, f, memo)),
            ExprData::Wide(ty, v, l) => ExprData::Wide(ty, v, self.map_list(l, f, memo)),
            ExprData::Section(v, l) => ExprData::Section(v, self.map_list(l, f, memo)),
            ExprData::Intrinsic(crate::Intrinsic::Ichar, l) => {
                let place = self.list(l)[0];
                let place = self.map_operands(place, f, memo);
                ExprData::Intrinsic(crate::Intrinsic::Ichar, self.pool.intern_list(&[place]))
            }
            ExprData::Intrinsic(i, l) => ExprData::Intrinsic(i, self.map_list(l, f, memo)),
            ExprData::Constructor(ty, l) => ExprData::Constructor(ty, self.map_list(l, f, memo)),
            ExprData::Triplet(a, b, c) => {
                ExprData::Triplet(self.map_memo(a, f, memo), self.map_memo(b, f, memo), self.map_memo(c, f, memo))
            }
            ExprData::Substr(a, b, c) => {
                ExprData::Substr(self.map_operands(a, f, memo), self.map_memo(b, f, memo), self.map_memo(c, f, memo))
            }
            ExprData::Unary(op, a) => ExprData::Unary(op, self.map_memo(a, f, memo)),
            ExprData::Binary(op, a, b) => ExprData::Binary(op, self.map_memo(a, f, memo), self.map_memo(b, f, memo)),
            ExprData::Convert(ty, a) => ExprData::Convert(ty, self.map_memo(a, f, memo)),
            ExprData::Bitcast(ty, a) => ExprData::Bitcast(ty, self.map_memo(a, f, memo)),
            ExprData::AddrOf(access, a) => ExprData::AddrOf(access, self.map_operands(a, f, memo)),
            ExprData::Load { ty, addr, offset, sym } => {
                ExprData::Load { ty, addr: self.map_memo(addr, f, memo), offset, sym }
            }
            _ => return e,
        };
        self.make(data)
    }

    fn map_list(
        &mut self,
        l: List,
        f: &mut dyn FnMut(&mut Unit, Expr) -> Option<Expr>,
        memo: &mut ExprMap<Expr>,
    ) -> List {
        let items: SmallVec<[Expr; 4]> = self.list(l).iter().copied().collect();
        let new: SmallVec<[Expr; 4]> = items.iter().map(|&e| self.map_memo(e, f, memo)).collect();
        if new == items { l } else { self.pool.intern_list(&new) }
    }

    /// `head` with `f` applied to its operands, as in [`Unit::map_expr`]; a place that is written
    /// keeps its variable, its subscripts are rewritten.
    pub(crate) fn map_head(&mut self, head: Head, f: &mut dyn FnMut(&mut Unit, Expr) -> Option<Expr>) -> Head {
        let mut memo = ExprMap::default();
        let m = &mut memo;
        match head {
            Head::ArrayAssign { place, value } => {
                Head::ArrayAssign { place: self.map_operands(place, f, m), value: self.map_memo(value, f, m) }
            }
            Head::Assign { place, value } => {
                Head::Assign { place: self.map_operands(place, f, m), value: self.map_memo(value, f, m) }
            }
            Head::Where { mask } => Head::Where { mask: self.map_memo(mask, f, m) },
            Head::Forall { indices, mask } => {
                let items: Vec<Expr> = self.list(indices).to_vec();
                let new: Vec<Expr> = items
                    .iter()
                    .enumerate()
                    .map(|(i, &e)| if i % 2 == 0 { e } else { self.map_memo(e, f, m) })
                    .collect();
                let mask: PackedOption<Expr> = mask.expand().map(|e| self.map_memo(e, f, m)).into();
                Head::Forall { indices: self.pool.intern_list(&new), mask }
            }
            Head::Select { value, ranges } => Head::Select { value: self.map_memo(value, f, m), ranges },
            Head::Do { var, lo, hi, step } => Head::Do {
                var,
                lo: self.map_memo(lo, f, m),
                hi: self.map_memo(hi, f, m),
                step: self.map_memo(step, f, m),
            },
            Head::DoWhile { cond } => Head::DoWhile { cond: self.map_memo(cond, f, m) },
            Head::If { cond } => Head::If { cond: self.map_memo(cond, f, m) },
            Head::Store { addr, offset, value, sym } => {
                Head::Store { addr: self.map_memo(addr, f, m), offset, value: self.map_memo(value, f, m), sym }
            }
            Head::Call { callee, args, result } => Head::Call { callee, args: self.map_list(args, f, m), result },
            Head::ArithIf { value, to } => Head::ArithIf { value: self.map_memo(value, f, m), to },
            Head::GotoTable { index, table } => Head::GotoTable { index: self.map_memo(index, f, m), table },
            Head::Branch { cond, then, otherwise } => Head::Branch { cond: self.map_memo(cond, f, m), then, otherwise },
            Head::Tally { counter, amount } => Head::Tally { counter, amount: self.map_memo(amount, f, m) },
            Head::Trips { counter, trips, times, spread } => {
                Head::Trips { counter, trips: self.map_memo(trips, f, m), times: self.map_memo(times, f, m), spread }
            }
            Head::Ghost { var, value } => Head::Ghost { var, value: self.map_memo(value, f, m) },
            Head::GhostIf { cond } => Head::GhostIf { cond: self.map_memo(cond, f, m) },
            Head::GhostDo { trips } => Head::GhostDo { trips: self.map_memo(trips, f, m) },
            Head::GhostCall { callee, args, result } => {
                Head::GhostCall { callee, args: self.map_list(args, f, m), result }
            }
            Head::GhostStore { place, value } => {
                Head::GhostStore { place: self.map_operands(place, f, m), value: self.map_memo(value, f, m) }
            }
            Head::Probe { op, record, entry } => {
                Head::Probe { op, record, entry: entry.expand().map(|e| self.map_memo(e, f, m)).into() }
            }
            Head::Return | Head::Label(_) | Head::Goto(_) | Head::Bracket { .. } => head,
        }
    }

    /// Whether `head` calls anything but a function of the runtime that depends on its arguments only: such a one neither ends the run
    /// nor comes back to the program, and those of single characters are no calls in the code.
    pub fn calls_others(&self, head: Head) -> bool {
        match head {
            Head::Call { callee: Callee::Rt(f), .. } => f.signature().effect != trueline_abi::Effect::Pure,
            Head::Call { .. } | Head::GhostCall { .. } => true,
            _ => false,
        }
    }

    /// Whether `head` is a call of the runtime that does not come back: it ends the run.
    pub fn never_returns(&self, head: Head) -> bool {
        matches!(head, Head::Call { callee: Callee::Rt(f), .. } if f.signature().effect == trueline_abi::Effect::NoReturn)
    }

    /// Whether the call `head` certainly returns to the statement after it.
    pub fn always_returns(&self, head: Head) -> bool {
        match head {
            Head::Call { callee: Callee::Rt(f), .. } => {
                matches!(f.signature().effect, trueline_abi::Effect::Pure)
                    || matches!(f, crate::Rt::Allocate | crate::Rt::AllocateStat | crate::Rt::Deallocate)
            }
            Head::Call { callee: Callee::Proc(p), .. } => self.proc(p).is_libm || self.proc(p).always_returns,
            Head::Call { callee: Callee::Dummy(_), .. } => false,
            _ => true,
        }
    }
}
