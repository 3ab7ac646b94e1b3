//! Makes the vectors that were planned.

use super::Plan;
use super::found::{By, Found};
use super::order::condition;
use crate::analysis::loops::DoLoop;
use crate::unroll::partition;
use trueline_ir::{
    BinaryOp, Editor, ExpandKind, Expr, ExprData, ExprMap, Head, Intrinsic, List, Place, Stmt, Sym, Type,
};

pub(super) fn emit(ed: &mut Editor<'_>, l: DoLoop, plan: &Plan) {
    let ty = ed.sym(l.var).ty;
    let i = ed.var(l.var);
    let Some(step) = l.constant_step(ed) else { return };
    if let Some(cond) = condition(ed, &plan.tests, plan.strip) {
        let test = ed.expand_around(l.stmt, Head::If { cond }, 0, ExpandKind::Alternative);
        let otherwise = ed.blocks(test)[1];
        ed.expand_copy(l.stmt, Place::End(otherwise), &[], ExpandKind::Alternative);
    }
    let ahead = |ed: &mut Editor<'_>, k: i64| {
        let k = ed.int(ty, k * step);
        ed.binary(BinaryOp::Add, i, k)
    };
    let later: Vec<Expr> = (1..plan.strip).map(|k| ahead(ed, k)).collect();
    let mut vectors = Vectors { plan, registers: Vec::new(), made: ExprMap::default() };
    let heads: Vec<(Stmt, Head)> = plan.stmts.iter().map(|&s| (s, vectors.statement(ed, s))).collect();
    let mut registers = vectors.registers;
    let lanes = plan.lanes as i64;
    ed.settle_lanes(l.stmt);
    partition(ed, l, plan.strip, |ed| {
        ed.expand_lanes(l.stmt, &heads, plan.lanes as u8, &later);
        for k in 1..plan.strip / lanes {
            let next = ahead(ed, k * lanes);
            for &s in &plan.stmts {
                ed.expand_copy(s, Place::End(l.body), &[(l.var, next)], ExpandKind::Partition);
            }
        }
    });
    for f in &plan.found {
        let at = registers.iter().position(|(scalar, _)| *scalar == f.register);
        let Some((_, vector)) = at.map(|at| registers.remove(at)) else { continue };
        put_together(ed, l, f, vector, plan.lanes);
    }
    // Dead code goes later.
    for (scalar, vector) in registers {
        let last = if plan.down != trueline_ir::fault("vectorize_last_lane") { 0 } else { lanes - 1 };
        let last = ed.int(Type::I4, last);
        let (place, vector) = (ed.var(scalar), ed.var(vector));
        let value = ed.intrinsic(Intrinsic::Lane, &[vector, last]);
        ed.expand(l.stmt, Head::Assign { place, value }, Place::After(l.stmt), ExpandKind::Lower);
    }
}

/// Before the loop the lanes of `vector` are what changes nothing; behind it they are combined with the register.
pub(super) fn put_together(ed: &mut Editor<'_>, l: DoLoop, f: &Found, vector: Sym, lanes: usize) {
    let (scalar, place) = (ed.var(f.register), ed.var(vector));
    let (of, ty) = (ed.ty(scalar), ed.ty(place));
    let nothing = if f.by.repeats() != trueline_ir::fault("vectorize_start") { scalar } else { ed.int(of, 0) };
    let value = ed.make(ExprData::Convert(ty, nothing));
    ed.expand(l.stmt, Head::Assign { place, value }, Place::Before(l.stmt), ExpandKind::Lower);
    let mut all = scalar;
    for k in 0..lanes {
        let number = ed.int(Type::I4, k as i64);
        let lane = ed.intrinsic(Intrinsic::Lane, &[place, number]);
        // The lanes have been taken away from nothing.
        let by = if f.by == By::Sub { By::Add } else { f.by };
        all = by.make(ed, all, lane);
    }
    ed.expand(l.stmt, Head::Assign { place: scalar, value: all }, Place::After(l.stmt), ExpandKind::Lower);
}

/// Makes vectors of values.
pub(super) struct Vectors<'p> {
    plan: &'p Plan,
    /// The registers of the loop, and the registers that hold their vectors.
    registers: Vec<(Sym, Sym)>,
    made: ExprMap<Expr>,
}

impl Vectors<'_> {
    fn statement(&mut self, ed: &mut Editor<'_>, s: Stmt) -> Head {
        let head = ed.head(s);
        let Head::Assign { place, value } = head else { return head };
        let defined = ed.defines(head);
        if let Some(f) = self.plan.found.iter().find(|f| Some(f.register) == defined).copied() {
            let register = self.register(ed, f.register);
            let (place, with) = (ed.var(register), self.value(ed, f.value));
            return Head::Assign { place, value: f.by.make(ed, place, with) };
        }
        let value = self.value(ed, value);
        let place = match ed.expr(place) {
            ExprData::Var(v) => {
                let register = self.register(ed, v);
                ed.var(register)
            }
            _ => self.value(ed, place),
        };
        Head::Assign { place, value }
    }

    fn register(&mut self, ed: &mut Editor<'_>, v: Sym) -> Sym {
        if let Some(&(_, known)) = self.registers.iter().find(|(scalar, _)| *scalar == v) {
            return known;
        }
        let ty = self.vector(ed.sym(v).ty);
        let name = ed.sym(v).name.split('.').next().unwrap_or("t").to_owned();
        let new = ed.new_register(&name, ty);
        self.registers.push((v, new));
        new
    }

    fn vector(&self, ty: Type) -> Type {
        ty.vector(self.plan.lanes).unwrap_or(ty)
    }

    /// The subscripts of the lane that comes first in memory, given those of the first iteration.
    fn lowest(&self, ed: &mut Editor<'_>, subs: List) -> List {
        if !self.plan.down {
            return subs;
        }
        let mut subs: Vec<Expr> = ed.list(subs).to_vec();
        let back = ed.int(Type::I8, self.plan.lanes as i64 - 1);
        if let Some(first) = subs.first_mut() {
            *first = ed.binary(BinaryOp::Sub, *first, back);
        }
        ed.make_list(&subs)
    }

    fn value(&mut self, ed: &mut Editor<'_>, e: Expr) -> Expr {
        if let Some(done) = self.made.get(e) {
            return done;
        }
        let ty = self.vector(ed.ty(e));
        let data = match ed.expr(e) {
            _ if self.plan.moving.get(e) != Some(true) => ExprData::Convert(ty, e),
            ExprData::Var(v) => ExprData::Var(self.register(ed, v)),
            ExprData::Elem(s, subs) => ExprData::Wide(ty, s, self.lowest(ed, subs)),
            ExprData::Unary(op, a) => ExprData::Unary(op, self.value(ed, a)),
            ExprData::Binary(op, a, b) => ExprData::Binary(op, self.value(ed, a), self.value(ed, b)),
            ExprData::Convert(_, a) => ExprData::Convert(ty, self.value(ed, a)),
            ExprData::Intrinsic(i, args) => {
                let args: Vec<Expr> = ed.list(args).to_vec();
                let args: Vec<Expr> = args.into_iter().map(|a| self.value(ed, a)).collect();
                ExprData::Intrinsic(i, ed.make_list(&args))
            }
            other => other,
        };
        let new = ed.make(data);
        self.made.insert(e, new);
        new
    }
}
