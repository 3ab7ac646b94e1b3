//! Statements on vectors from statements on scalars.
//!
//! Under a condition the statements of both arms are done in all lanes. Operands of real arithmetic are zero in the lanes whose iteration
//! does not do it, and divisors are one, so that these lanes raise no exception: zeros and constants give results that are exact.

use super::Plan;
use super::bytes::{is_integer, lowest_byte};
use super::found::{By, Found};
use super::last;
use super::masks::StoreBy;
use crate::linear::Linear;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{BinaryOp, Editor, Expr, ExprData, Head, Intrinsic, List, Stmt, Sym, Type, UnaryOp};

/// The operand of an operation in the lanes that do not do it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Idle {
    /// Zero of either sign.
    Zero,
    /// A constant.
    Constant,
}

/// Makes vectors of values.
pub(super) struct Vectors<'p> {
    plan: &'p Plan,
    /// The registers of the loop, and the registers that hold their vectors.
    pub(super) registers: Vec<(Sym, Sym)>,
    /// The values that advance with the loop, and the registers that hold their vectors.
    pub(super) ramps: Vec<(Expr, Sym)>,
    /// The statements that the last iteration decides, as they were, and the registers that hold its numbers.
    pub(super) lasts: Vec<(Stmt, Head, Sym)>,
    /// The elements whose vectors are in registers until they are stored.
    elements: Vec<(Expr, Sym)>,
    /// The registers that the strip has defined so far.
    defined: FxHashSet<Sym>,
    /// The vectors of values, each under a mask.
    made: FxHashMap<(Expr, Option<Expr>), Expr>,
    /// The lanes that execute the current statement, if these are not all.
    mask: Option<Expr>,
    /// The current statement.
    stmt: Option<Stmt>,
}

impl<'p> Vectors<'p> {
    pub(super) fn new(plan: &'p Plan) -> Vectors<'p> {
        Vectors {
            plan,
            registers: Vec::new(),
            ramps: Vec::new(),
            lasts: Vec::new(),
            elements: Vec::new(),
            defined: FxHashSet::default(),
            made: FxHashMap::default(),
            mask: None,
            stmt: None,
        }
    }

    /// Adds the heads of `stmts` on vectors, and of the statements in them, in order. A conditional becomes the definition of its mask.
    pub(super) fn statements(&mut self, ed: &mut Editor<'_>, stmts: &[Stmt], heads: &mut Vec<(Stmt, Head)>) {
        for &s in stmts {
            self.stmt = Some(s);
            if self.has_bytes() {
                // The same comparison may be one of bytes without a sign elsewhere.
                self.made.clear();
            }
            let Head::If { cond } = ed.head(s) else {
                heads.push((s, self.assignment(ed, s)));
                continue;
            };
            let outer = self.mask;
            let alone = self.value(ed, cond);
            let both = |ed: &mut Editor<'_>, m: Expr| outer.map_or(m, |o| ed.binary(BinaryOp::And, o, m));
            let ty = ed.ty(alone);
            let mask = ed.new_register("mask", ty);
            let (place, value) = (ed.var(mask), both(ed, alone));
            heads.push((s, Head::Assign { place, value }));
            let not = ed.make(ExprData::Unary(UnaryOp::Not, place));
            let mut arms = [place, both(ed, not)];
            if trueline_ir::fault("vectorize_other_arm") {
                arms.reverse();
            }
            for (k, &arm) in arms.iter().enumerate() {
                let inside: Vec<Stmt> = ed.real_stmts(ed.blocks(s)[k]).collect();
                self.mask = Some(arm);
                self.statements(ed, &inside, heads);
            }
            self.mask = outer;
        }
    }

    fn assignment(&mut self, ed: &mut Editor<'_>, s: Stmt) -> Head {
        let head = ed.head(s);
        let Head::Assign { place, value } = head else { return head };
        let defined = ed.defines(head);
        if let Some(f) = self.plan.found.iter().find(|f| Some(f.register) == defined).copied() {
            return self.found(ed, &f);
        }
        if self.plan.lasts.contains(&s) {
            return self.last(ed, s);
        }
        let value = self.value(ed, value);
        let ExprData::Var(v) = ed.expr(place) else { return self.store(ed, s, place, value) };
        let register = self.register(ed, v);
        self.define(ed, register, value)
    }

    /// Combines a register with the value of each iteration. Under a condition nothing changes in the other lanes.
    fn found(&mut self, ed: &mut Editor<'_>, f: &Found) -> Head {
        if let (true, Some(mask), Some(k)) = (self.has_bytes(), self.mask, ed.pool().as_int(f.value)) {
            return counted(ed, f, mask, k);
        }
        let register = self.register(ed, f.register);
        let place = ed.var(register);
        let of = ed.ty(place).lane();
        let with = match ed.pool().as_int(f.value) {
            // A number of lanes as wide as those of the condition.
            Some(k) => {
                let (ty, k) = (ed.ty(place), ed.int(of, k));
                ed.make(ExprData::Convert(ty, k))
            }
            None => self.value(ed, f.value),
        };
        if matches!(f.by, By::Add | By::Sub | By::Mul)
            && self.mask.is_some()
            && !trueline_ir::fault("vectorize_all_lanes")
        {
            let with = self.idle(ed, with, f.by.nothing());
            return Head::Assign { place, value: f.by.make(ed, place, with) };
        }
        let value = f.by.make(ed, place, with);
        Head::Assign { place, value: self.or_before(ed, value, place) }
    }

    /// Keeps the number of the iteration in the lanes of the mask.
    fn last(&mut self, ed: &mut Editor<'_>, s: Stmt) -> Head {
        let size = self.plan.shape.width / self.plan.lanes;
        let number = last::iteration(ed, self.plan.var, if size == 8 { Type::I8 } else { Type::I4 });
        let vector = self.vector(ed.ty(number));
        let register = ed.new_register("last", vector);
        self.lasts.push((s, ed.head(s), register));
        let (place, number) = (ed.var(register), self.ramp(ed, number));
        Head::Assign { place, value: self.or_before(ed, number, place) }
    }

    /// `register = value`, under a mask only in its lanes.
    fn define(&mut self, ed: &mut Editor<'_>, register: Sym, value: Expr) -> Head {
        let place = ed.var(register);
        let value = if self.defined.insert(register) { value } else { self.or_before(ed, value, place) };
        Head::Assign { place, value }
    }

    /// `value` in the lanes of the mask, in the others what `before` is.
    fn or_before(&mut self, ed: &mut Editor<'_>, value: Expr, before: Expr) -> Expr {
        match self.mask {
            Some(mask) if !trueline_ir::fault("vectorize_all_lanes") => {
                let args = match ed.expr(mask) {
                    ExprData::Unary(UnaryOp::Not, other) => [before, value, other],
                    _ => [value, before, mask],
                };
                ed.intrinsic(Intrinsic::Merge, &args)
            }
            _ => value,
        }
    }

    /// The assignment `s` of `value` to the element `place`.
    fn store(&mut self, ed: &mut Editor<'_>, s: Stmt, place: Expr, value: Expr) -> Head {
        let wide = self.value(ed, place);
        let by = self.plan.stores.get(&s).copied().filter(|_| self.mask.is_some());
        let kept = self.elements.iter().find(|e| e.0 == place).map(|e| e.1);
        match (by, kept) {
            (None, _) => Head::Assign { place: wide, value },
            (Some(StoreBy::Register), _) => {
                let register = kept.unwrap_or_else(|| {
                    let ty = ed.ty(wide);
                    let new = ed.new_register("t", ty);
                    self.elements.push((place, new));
                    new
                });
                self.define(ed, register, value)
            }
            (Some(StoreBy::Last), Some(register)) => {
                self.elements.retain(|e| e.0 != place);
                let before = ed.var(register);
                Head::Assign { place: wide, value: self.or_before(ed, value, before) }
            }
            (Some(StoreBy::Last | StoreBy::Back), _) => {
                Head::Assign { place: wide, value: self.or_before(ed, value, wide) }
            }
        }
    }

    fn register(&mut self, ed: &mut Editor<'_>, v: Sym) -> Sym {
        if let Some(&(_, known)) = self.registers.iter().find(|(scalar, _)| *scalar == v) {
            return known;
        }
        let ty = self.vector(ed.sym(v).ty);
        // A count in lanes of another width.
        let ty = if ty.is_vector() { ty } else { self.vector(Type::I8) };
        let name = ed.sym(v).name.split('.').next().unwrap_or("t").to_owned();
        let new = ed.new_register(&name, ty);
        self.registers.push((v, new));
        new
    }

    fn vector(&self, ty: Type) -> Type {
        let ty = if self.has_bytes() && is_integer(ty) { Type::I1 } else { ty };
        self.plan.shape.vector(ty, self.plan.lanes).unwrap_or(ty)
    }

    /// Whether a lane is a byte, the lowest one of an integer.
    fn has_bytes(&self) -> bool {
        self.plan.shape.has_bytes(self.plan.lanes)
    }

    /// A value that is the same in all lanes.
    fn fixed(&self, ed: &mut Editor<'_>, e: Expr) -> Expr {
        let from = ed.ty(e);
        let e = match ed.pool().as_int(e) {
            _ if !self.has_bytes() || !is_integer(from) || from == Type::I1 => e,
            Some(k) => ed.int(Type::I1, lowest_byte(k)),
            None => ed.make(ExprData::Convert(Type::I1, e)),
        };
        let ty = self.vector(from);
        ed.make(ExprData::Convert(ty, e))
    }

    /// The comparison `e` of bytes. Without a sign they are in the same order as with one if their highest bits are inverted.
    fn compare(&mut self, ed: &mut Editor<'_>, e: Expr) -> Expr {
        let ExprData::Binary(op, a, b) = ed.expr(e) else { return e };
        let (mut x, mut y) = (self.value(ed, a), self.value(ed, b));
        let is_unsigned = self.stmt.is_some_and(|s| self.plan.unsigned.contains(&(s, e)));
        if is_unsigned && !matches!(op, BinaryOp::Eq | BinaryOp::Ne) && !trueline_ir::fault("vectorize_unsigned") {
            (x, y) = (inverted(ed, x), inverted(ed, y));
        }
        strict(ed, op, x, y)
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

    fn moves(&self, e: Expr) -> bool {
        self.plan.moving.get(e) == Some(true)
    }

    fn advances(&self, e: Expr) -> bool {
        self.plan.ramps.iter().any(|r| r.0 == e)
    }

    /// The vector of a value that advances with the loop.
    fn ramp(&mut self, ed: &mut Editor<'_>, e: Expr) -> Expr {
        if let Some(&(_, known)) = self.ramps.iter().find(|r| r.0 == e) {
            return ed.var(known);
        }
        let ty = self.vector(ed.ty(e));
        let new = ed.new_register("lanes", ty);
        self.ramps.push((e, new));
        ed.var(new)
    }

    fn value(&mut self, ed: &mut Editor<'_>, e: Expr) -> Expr {
        if let Some(&done) = self.made.get(&(e, self.mask)) {
            return done;
        }
        let new = match ed.expr(e) {
            _ if !self.moves(e) => self.fixed(ed, e),
            _ if self.advances(e) => self.ramp(ed, e),
            ExprData::Binary(op, ..) if self.has_bytes() && op.is_comparison() => self.compare(ed, e),
            ExprData::Convert(_, a) if self.has_bytes() => self.value(ed, a),
            ExprData::Intrinsic(Intrinsic::Iand, args) if self.has_bytes() && keeps_byte(ed, ed.list(args)[1]) => {
                self.value(ed, ed.list(args)[0])
            }
            _ if self.mask.is_some() && is_arithmetic(ed, e) => self.exact(ed, e).0,
            ExprData::Binary(op, a, b) => {
                let x = self.value(ed, a);
                let outer = self.mask;
                if matches!(op, BinaryOp::And | BinaryOp::Or) && does_arithmetic(ed, b) {
                    // The right side is evaluated where the left one does not decide.
                    let decides = if op == BinaryOp::And { x } else { ed.make(ExprData::Unary(UnaryOp::Not, x)) };
                    self.mask = Some(outer.map_or(decides, |o| ed.binary(BinaryOp::And, o, decides)));
                }
                let y = self.value(ed, b);
                self.mask = outer;
                ed.binary(op, x, y)
            }
            data => self.plain(ed, e, data),
        };
        self.made.insert((e, self.mask), new);
        new
    }

    /// A value of which no part needs care.
    fn plain(&mut self, ed: &mut Editor<'_>, e: Expr, data: ExprData) -> Expr {
        let ty = self.vector(ed.ty(e));
        let data = match data {
            ExprData::Var(v) => ExprData::Var(self.register(ed, v)),
            ExprData::Elem(s, subs) if self.plan.alternate.contains(&e) => return self.alternate(ed, ty, s, subs),
            ExprData::Elem(..) if self.plan.gathers.contains(&e) => return self.gather(ed, e),
            ExprData::Elem(s, subs) => ExprData::Wide(ty, s, self.lowest(ed, subs)),
            ExprData::Unary(op, a) => ExprData::Unary(op, self.value(ed, a)),
            ExprData::Convert(_, a) => ExprData::Convert(ty, self.value(ed, a)),
            ExprData::Intrinsic(i @ (Intrinsic::Ishft | Intrinsic::Shifta), args) => {
                let (of, by) = (ed.list(args)[0], ed.list(args)[1]);
                let by = ed.pool().as_int(by).unwrap_or(0);
                let by = small_number(ed, ty.lane(), by);
                let by = ed.make(ExprData::Convert(ty, by));
                let args = [self.value(ed, of), by];
                ExprData::Intrinsic(i, ed.make_list(&args))
            }
            ExprData::Intrinsic(i, args) => {
                let args: Vec<Expr> = ed.list(args).to_vec();
                let args: Vec<Expr> = args.into_iter().map(|a| self.value(ed, a)).collect();
                ExprData::Intrinsic(i, ed.make_list(&args))
            }
            other => other,
        };
        ed.make(data)
    }

    /// Every second element of `array`, from the one with these subscripts on. Two vectors have them and those in between, of which the last is none that
    /// the program reads, unless it reads a neighbour of each: then they begin one later, or end one earlier.
    fn alternate(&mut self, ed: &mut Editor<'_>, ty: Type, array: Sym, subs: List) -> Expr {
        let lanes = self.plan.lanes as i64;
        let is_read = |ed: &Editor<'_>, apart: i64| {
            self.plan.alternate.iter().any(|&other| neighbours(ed, array, subs, other) == Some(apart))
        };
        let (start, second, from) = match (is_read(ed, 1), is_read(ed, -1)) {
            (true, _) => (0, lanes, 0),
            (_, true) => (-1, lanes - 1, 3),
            _ => (0, lanes - 1, 2),
        };
        // The lanes lie in the order of memory.
        let back = if self.plan.down { 2 * (lanes - 1) } else { 0 };
        let from = if trueline_ir::fault("vectorize_alternate") { from ^ 2 } else { from };
        let parts = [start, second].map(|ahead| {
            let mut subs: Vec<Expr> = ed.list(subs).to_vec();
            if let Some(first) = subs.first_mut().filter(|_| ahead != back) {
                let more = ed.int(Type::I8, ahead - back);
                *first = ed.binary(BinaryOp::Add, *first, more);
            }
            let subs = ed.make_list(&subs);
            ed.make(ExprData::Wide(ty, array, subs))
        });
        let from = ed.int(Type::I4, from);
        ed.intrinsic(Intrinsic::Alternate, &[parts[0], parts[1], from])
    }

    /// The vector of the element `e`, of which each lane has its own.
    fn gather(&mut self, ed: &mut Editor<'_>, e: Expr) -> Expr {
        let var = self.plan.var;
        let i = ed.var(var);
        let registers = self.registers.clone();
        let is_down = self.plan.down != trueline_ir::fault("vectorize_gather");
        let lanes: Vec<Expr> = (0..self.plan.lanes)
            .map(|k| {
                // The lanes lie in the order of memory.
                let later = if is_down { self.plan.lanes - 1 - k } else { k } as i64 * self.plan.step;
                let more = ed.int(ed.ty(i), later);
                let here = if later == 0 { i } else { ed.binary(BinaryOp::Add, i, more) };
                let number = ed.int(Type::I4, k as i64);
                let mut own = vec![(var, here)];
                for &(scalar, vector) in &registers {
                    let vector = ed.var(vector);
                    own.push((scalar, ed.intrinsic(Intrinsic::Lane, &[vector, number])));
                }
                ed.substitute(e, &own)
            })
            .collect();
        ed.intrinsic(Intrinsic::Gather, &lanes)
    }

    /// The vector of an operand of real arithmetic under the mask, and its value in the other lanes: their operations are exact.
    fn exact(&mut self, ed: &mut Editor<'_>, e: Expr) -> (Expr, Idle) {
        if is_tame(ed, e) {
            return (self.value(ed, e), Idle::Constant);
        }
        if !self.moves(e) || !is_arithmetic(ed, e) || self.advances(e) {
            let value = self.value(ed, e);
            return (self.idle_zero(ed, value), Idle::Zero);
        }
        match ed.expr(e) {
            ExprData::Binary(BinaryOp::Div, a, b) => {
                let (x, idle) = self.exact(ed, a);
                let y = self.value(ed, b);
                let y = self.idle(ed, y, 1);
                (ed.binary(BinaryOp::Div, x, y), idle)
            }
            ExprData::Binary(op, a, b) => {
                let ((x, p), (y, q)) = (self.exact(ed, a), self.exact(ed, b));
                let constants = p == Idle::Constant && q == Idle::Constant;
                let (x, p) = if constants { (self.idle_zero(ed, x), Idle::Zero) } else { (x, p) };
                let zero = p == q || op == BinaryOp::Mul;
                let value = ed.binary(op, x, y);
                if op.is_comparison() || zero { (value, Idle::Zero) } else { (value, Idle::Constant) }
            }
            ExprData::Convert(_, a) => {
                let ty = self.vector(ed.ty(e));
                let x = self.value(ed, a);
                let x = self.idle_zero(ed, x);
                (ed.make(ExprData::Convert(ty, x)), Idle::Zero)
            }
            ExprData::Intrinsic(i, args) => {
                let args: Vec<Expr> = ed.list(args).to_vec();
                let mut args: Vec<(Expr, Idle)> = args.into_iter().map(|a| self.exact(ed, a)).collect();
                if i == Intrinsic::Sqrt && args[0].1 == Idle::Constant {
                    // The root of a constant need not be exact.
                    args[0] = (self.idle_zero(ed, args[0].0), Idle::Zero);
                }
                let constant = args.iter().any(|a| a.1 == Idle::Constant);
                let args: Vec<Expr> = args.into_iter().map(|a| a.0).collect();
                (ed.intrinsic(i, &args), if constant { Idle::Constant } else { Idle::Zero })
            }
            _ => {
                let value = self.value(ed, e);
                (self.idle_zero(ed, value), Idle::Zero)
            }
        }
    }

    fn idle_zero(&mut self, ed: &mut Editor<'_>, value: Expr) -> Expr {
        self.idle(ed, value, 0)
    }

    /// `value` in the lanes of the mask, in the others the number `idle`.
    fn idle(&mut self, ed: &mut Editor<'_>, value: Expr, idle: i64) -> Expr {
        let Some(mask) = self.mask else { return value };
        let ty = ed.ty(value);
        let number = small_number(ed, ty.lane(), idle);
        let all = ed.make(ExprData::Convert(ty, number));
        ed.intrinsic(Intrinsic::Merge, &[value, all, mask])
    }
}

/// How many elements behind the one of `array` with these subscripts `other` is, in the same column.
fn neighbours(ed: &Editor<'_>, array: Sym, subs: List, other: Expr) -> Option<i64> {
    let ExprData::Elem(of, others) = ed.expr(other) else { return None };
    let ((&a, rest), (&b, others)) = (ed.list(subs).split_first()?, ed.list(others).split_first()?);
    let apart = Linear::of(ed, b).minus(&Linear::of(ed, a)).as_constant();
    apart.filter(|_| of == array && rest == others)
}

/// The bytes `x` with their highest bits inverted.
fn inverted(ed: &mut Editor<'_>, x: Expr) -> Expr {
    let ty = ed.ty(x);
    if let ExprData::Convert(_, k) = ed.expr(x)
        && let Some(k) = ed.pool().as_int(k)
    {
        let k = ed.int(Type::I1, lowest_byte(k ^ 0x80));
        return ed.make(ExprData::Convert(ty, k));
    }
    let highest = ed.int(Type::I1, -0x80);
    let highest = ed.make(ExprData::Convert(ty, highest));
    ed.intrinsic(Intrinsic::Ieor, &[x, highest])
}

/// The comparison `x op y` of bytes, with a constant as one that excludes equality if there is one: only those are instructions.
fn strict(ed: &mut Editor<'_>, op: BinaryOp, x: Expr, y: Expr) -> Expr {
    let (more, strict, edge) = match op {
        BinaryOp::Le => (1, BinaryOp::Lt, i8::MAX),
        BinaryOp::Ge => (-1, BinaryOp::Gt, i8::MIN),
        _ => return ed.binary(op, x, y),
    };
    if let ExprData::Convert(ty, k) = ed.expr(y)
        && let Some(k) = ed.pool().as_int(k).filter(|&k| k != i64::from(edge))
    {
        let k = ed.int(Type::I1, k + more);
        let y = ed.make(ExprData::Convert(ty, k));
        return ed.binary(strict, x, y);
    }
    ed.binary(op, x, y)
}

/// Whether the lowest byte of an integer is the same combined with `e` by IAND.
fn keeps_byte(ed: &Editor<'_>, e: Expr) -> bool {
    ed.pool().as_int(e).is_some_and(|k| k & 0xff == 0xff)
}

/// The register of `f` with `k` for each true lane of the mask.
fn counted(ed: &mut Editor<'_>, f: &Found, mask: Expr, k: i64) -> Head {
    let place = ed.var(f.register);
    let ty = ed.ty(place);
    let ones = ed.intrinsic(Intrinsic::Ones, &[mask]);
    let ones = if ty == Type::I8 { ones } else { ed.make(ExprData::Convert(ty, ones)) };
    let each = ed.int(ty, k);
    let with = if k == 1 { ones } else { ed.binary(BinaryOp::Mul, ones, each) };
    Head::Assign { place, value: f.by.make(ed, place, with) }
}

/// A constant of type `ty`.
pub(super) fn small_number(ed: &mut Editor<'_>, ty: Type, k: i64) -> Expr {
    match ty {
        Type::R4 => ed.make(ExprData::Real(Type::R4, u64::from((k as f32).to_bits()))),
        Type::R8 => ed.make(ExprData::Real(Type::R8, (k as f64).to_bits())),
        _ => ed.int(ty, k),
    }
}

/// Whether `e` is a constant with which arithmetic of zeros is exact: neither infinite nor denormal.
fn is_tame(ed: &Editor<'_>, e: Expr) -> bool {
    match ed.expr(e) {
        ExprData::Real(Type::R4, bits) => f32::from_bits(bits as u32).is_normal() || bits as u32 == 0,
        ExprData::Real(_, bits) => f64::from_bits(bits).is_normal() || bits == 0,
        _ => false,
    }
}

/// Whether `e` is an operation of reals that may raise an exception.
fn is_arithmetic(ed: &Editor<'_>, e: Expr) -> bool {
    match ed.expr(e) {
        ExprData::Binary(_, a, _) => ed.ty(a).is_real(),
        // A real that fits no integer raises an exception, too.
        ExprData::Convert(to, a) => to.is_real() || ed.ty(a).is_real(),
        ExprData::Intrinsic(i, args) => {
            matches!(i, Intrinsic::Sqrt | Intrinsic::Max | Intrinsic::Min) && ed.ty(ed.list(args)[0]).is_real()
        }
        _ => false,
    }
}

/// Whether there is such an operation in `e`.
fn does_arithmetic(ed: &Editor<'_>, e: Expr) -> bool {
    let mut found = false;
    ed.visit_expr(e, &mut |x| found |= is_arithmetic(ed, x));
    found
}
