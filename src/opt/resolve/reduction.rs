//! Scalars that are the greatest or the least of values which owners compute: each rank has its own, and they are combined behind the nest.

use super::element_of;
use super::nest::Scan;
use crate::linear::Linear;
use trueline_abi::nest::Executed;
use trueline_ir::{BinaryOp, Expr, ExprData, Head, Intrinsic, Stmt, Sym, Type};
use trueline_provenance::StmtKind;

impl Scan<'_> {
    /// `place = max(place, …)`, or with MIN, where nothing else in the nest touches `place`: the place, and whether it is MIN.
    pub(super) fn reduction(&self, k: usize) -> Option<(Expr, bool)> {
        let s = self.found.works[k].stmt;
        let Head::Assign { place, value } = self.u.head(s) else { return None };
        let ExprData::Intrinsic(i @ (Intrinsic::Max | Intrinsic::Min), list) = self.u.expr(value) else { return None };
        let ty = self.u.ty(place);
        let args = self.u.list(list).to_vec();
        let own = args.iter().filter(|&&a| a == place).count();
        let others = || args.iter().filter(|&&a| a != place);
        // The sign of a zero depends on the order.
        let has_order = |e: Expr| ty.is_real() && !matches!(self.u.expr(e), ExprData::Intrinsic(Intrinsic::Abs, _));
        let is_number = matches!(ty, Type::I1 | Type::I2 | Type::I4 | Type::I8 | Type::R4 | Type::R8);
        if own != 1 || args.len() != 2 || !is_number {
            return None;
        }
        let is_asked = self.is_reduction_asked(s, place);
        if !is_asked && others().any(|&e| has_order(e)) {
            return None;
        }
        let inner = self.found.nest.statements[k].inner;
        let is_fixed = match self.u.expr(place) {
            ExprData::Var(_) => true,
            ExprData::Elem(_, list) => self.u.list(list).to_vec().into_iter().all(|e| {
                let mut sum = Linear::of(self.u, e);
                self.chain(inner).iter().all(|&l| sum.take(self.u, self.found.loops[l].l.var) == 0)
                    && sum.terms.iter().all(|&(t, _)| self.is_known(t))
            }),
            _ => false,
        };
        (is_fixed && self.is_alone(s, place, others().copied().collect())).then_some((place, i == Intrinsic::Min))
    }

    /// Lets owners execute statement `k` if it and the two before it are those of MAXVAL or MINVAL:
    ///
    /// ```text
    /// item = abs(a(i))
    /// if (item > acc)
    ///   acc = item        statement k
    /// ```
    pub(super) fn extreme(&mut self, k: usize) -> bool {
        let Some((test, value, place, least)) = self.extreme_at(k) else { return false };
        let inner = self.found.nest.statements[value].inner;
        let owned = self.found.works[value].reads.clone().into_iter().find_map(|e| {
            let array = element_of(self.u, self.arrays, e)?;
            let of = self.element(e, inner);
            self.tells_owner(array, &of).then_some((array, e, of))
        });
        let Some((array, e, of)) = owned else { return false };
        for s in [test, k] {
            self.found.nest.statements[s].executed = Executed::ByOwners { of: of.clone(), writes: false };
            self.found.works[s].decides = Some((array, e));
        }
        // The others get the result behind the nest.
        self.found.reductions.push((self.found.works[k].stmt, place, least));
        true
    }

    /// The condition, the statement that defines the item, the result, and whether the least one is wanted.
    fn extreme_at(&self, k: usize) -> Option<(usize, usize, Expr, bool)> {
        let s = self.found.works[k].stmt;
        let Head::Assign { place, value } = self.u.head(s) else { return None };
        let (ExprData::Var(acc), ExprData::Var(item)) = (self.u.expr(place), self.u.expr(value)) else { return None };
        let around = self.u.enclosing(s)?;
        let Head::If { cond } = self.u.head(around) else { return None };
        // The arms of a conditional of the source are counted, and their counts depend on values of other ranks.
        let is_made = self.infos.is_some_and(|infos| {
            let kind = self.u.own_source(around).and_then(|of| infos.stmts.get(of)).map(|info| info.kind);
            matches!(kind, Some(StmtKind::Assign | StmtKind::ArrayAssign | StmtKind::Call))
        });
        let [then, other] = self.u.blocks(around) else { return None };
        let is_alone = self.u.real_stmts(*then).count() == 1 && self.u.real_stmts(*other).next().is_none();
        let ExprData::Binary(op, left, right) = self.u.expr(cond) else { return None };
        let (greater, lesser) = match op {
            BinaryOp::Gt => (left, right),
            BinaryOp::Lt => (right, left),
            _ => return None,
        };
        let least = match (greater == value && lesser == place, greater == place && lesser == value) {
            (true, _) => false,
            (_, true) => true,
            _ => return None,
        };
        let before = self.u.prev_real(around)?;
        let Head::Assign { place: defined, value: of } = self.u.head(before) else { return None };
        let number = |x: Stmt| self.found.works.iter().position(|w| w.stmt == x);
        let ty = self.u.ty(place);
        let is_number = matches!(ty, Type::I1 | Type::I2 | Type::I4 | Type::I8 | Type::R4 | Type::R8);
        // The sign of a zero depends on the order.
        let has_order = ty.is_real() && !matches!(self.u.expr(of), ExprData::Intrinsic(Intrinsic::Abs, _));
        let uses = |v: Sym, most: &[Stmt]| {
            self.found.stmts(self.u).into_iter().all(|x| {
                let head = self.u.head(x);
                most.contains(&x) || !(self.u.registers_read(head).contains(&v) || self.u.may_define(head).contains(&v))
            })
        };
        let is_reduction = is_made
            && is_alone
            && is_number
            && !has_order
            && acc != item
            && self.u.expr(defined) == ExprData::Var(item)
            && self.u.sym(acc).is_register()
            && !self.u.registers_in(of).contains(&acc)
            && uses(acc, &[around, s])
            && uses(item, &[before, around, s])
            && self.found.roots.iter().all(|&r| !self.live.is_behind(r, item));
        is_reduction.then_some((number(around)?, number(before)?, place, least))
    }

    /// Whether a REDUCTION clause of a loop around `s` names the variable.
    fn is_reduction_asked(&self, s: Stmt, place: Expr) -> bool {
        let ExprData::Var(v) = self.u.expr(place) else { return false };
        let name = self.u.sym(v).name.to_ascii_lowercase();
        self.found.loops.iter().filter(|a| self.u.ancestors(s).any(|x| x == a.l.stmt)).any(|a| {
            let Some(of) = self.u.own_source(a.l.stmt) else { return false };
            self.u.directives().iter().filter(|d| d.of_loop == Some(of) && d.kind == "independent").any(|d| {
                let text = d.text.to_ascii_lowercase();
                let Some((_, clause)) = text.split_once("reduction") else { return false };
                let clause = clause.split(')').next().unwrap_or_default();
                clause.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
            })
        })
    }

    /// Whether nothing in the nest but the statement `s` touches the variable of `place`, and the other operands do not.
    fn is_alone(&self, s: Stmt, place: Expr, others: Vec<Expr>) -> bool {
        let (ExprData::Var(v) | ExprData::Elem(v, _)) = self.u.expr(place) else { return false };
        let touches = |e: Expr| {
            let mut found = self.u.registers_in(e).contains(&v);
            self.u.visit_expr(e, &mut |x| {
                found |= crate::alias::memory_of(self.u, x).is_some_and(|m| crate::alias::may_overlap(self.u, m, v));
            });
            found
        };
        let elsewhere = self.found.stmts(self.u).into_iter().filter(|&x| x != s);
        let mut heads = elsewhere.map(|x| self.u.head(x));
        !others.into_iter().any(touches)
            && !heads.any(|head| {
                let stores = matches!(head, Head::Assign { place, .. } if touches(place));
                stores || self.u.may_define(head).contains(&v) || self.u.values(head).into_iter().any(touches)
            })
    }
}
