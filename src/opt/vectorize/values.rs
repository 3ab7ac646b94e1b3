//! The values of a loop that differ between lanes, and the values that have no vectors.

use super::found::{By, Found, found};
use super::has_vectors;
use super::masks::Masks;
use crate::Arithmetic;
use crate::analysis::loops::DoLoop;
use crate::analysis::refs::Region;
use crate::licm::speculable;
use crate::linear::Linear;
use rustc_hash::FxHashSet;
use trueline_ir::scalar::lanes::Shifts;
use trueline_ir::{BinaryOp, Expr, ExprData, ExprMap, Head, Intrinsic, Obstacle, Stmt, Sym, Type, UnaryOp, Unit};

/// Tells the values of a loop that differ between lanes, and refuses values that have no vectors.
pub(super) struct Values<'u> {
    pub(super) u: &'u Unit,
    pub(super) l: DoLoop,
    pub(super) region: &'u Region,
    pub(super) lanes: usize,
    /// The registers that the iteration has defined so far.
    pub(super) defined: FxHashSet<Sym>,
    pub(super) moving: ExprMap<bool>,
    pub(super) step: i64,
    /// Whether elements come in the opposite order of iterations, once there is one.
    pub(super) down: Option<bool>,
    pub(super) found: Vec<Found>,
    pub(super) masks: &'u Masks<'u>,
    /// The number of conditionals that the values stand under.
    pub(super) under: usize,
    /// The rules that reals need not keep.
    pub(super) arithmetic: Arithmetic,
}

/// Conditionals in one another are done in lanes up to this depth.
const MOST_UNDER: usize = 3;

impl Values<'_> {
    /// Goes through the statement `s`.
    pub(super) fn statement(&mut self, s: Stmt) -> Result<(), Option<Obstacle>> {
        let (place, value) = match self.u.head(s) {
            Head::Assign { place, value } => (place, value),
            Head::If { cond } => return self.conditional(s, cond),
            _ => return Err(None),
        };
        match self.u.expr(place) {
            ExprData::Var(v)
                if self.u.sym(v).is_register() && !self.defined.contains(&v) && self.finds(s).is_some() =>
            {
                let counts = self.finds(s).is_some_and(|f| self.is_count(&f));
                if !counts {
                    self.check_type(self.u.ty(place))?;
                }
                let Some(found) = self.finds(s).filter(|_| self.found.iter().all(|f| f.register != v)) else {
                    return Err(Some(Obstacle::Scalar));
                };
                // Under a condition the value differs at least by the condition.
                if !self.value(found.value)? && self.under == 0 {
                    return Err(Some(Obstacle::Scalar));
                }
                self.found.push(found);
            }
            ExprData::Var(v) if self.found.iter().any(|f| f.register == v) => return Err(Some(Obstacle::Scalar)),
            ExprData::Var(v) if self.u.sym(v).is_register() => {
                self.check_type(self.u.ty(place))?;
                self.value(value)?;
                self.defined.insert(v);
            }
            ExprData::Elem(..) => {
                if self.under > 0 && !self.masks.stores.contains_key(&s) {
                    return Err(Some(Obstacle::Conditional));
                }
                self.value(value)?;
                if !self.value(place)? {
                    return Err(Some(Obstacle::Carried));
                }
            }
            _ => return Err(Some(Obstacle::Carried)),
        }
        Ok(())
    }

    fn finds(&self, s: Stmt) -> Option<Found> {
        found(self.u, s, self.arithmetic)
    }

    /// Goes through the IF `s`: the statements of both arms, one arm after the other.
    fn conditional(&mut self, s: Stmt, cond: Expr) -> Result<(), Option<Obstacle>> {
        allow(self.value(cond)? && self.under < MOST_UNDER)?;
        let before = self.defined.clone();
        let mut after: [FxHashSet<Sym>; 2] = Default::default();
        for (k, after) in after.iter_mut().enumerate() {
            self.defined.clone_from(&before);
            self.under += 1;
            for x in self.u.real_stmts(self.u.blocks(s)[k]) {
                self.statement(x)?;
            }
            self.under -= 1;
            *after = std::mem::take(&mut self.defined);
        }
        // A register that one arm defines is of that arm only, or has been defined before.
        for k in 0..2 {
            let alone = after[k].difference(&after[1 - k]);
            if !alone.into_iter().all(|&v| self.masks.is_of_arm(self.u, self.u.blocks(s)[k], v)) {
                return Err(Some(Obstacle::Scalar));
            }
        }
        self.defined = after[0].intersection(&after[1]).copied().collect();
        Ok(())
    }

    /// Whether the register is counted under a condition, in lanes of the width of the condition.
    fn is_count(&self, f: &Found) -> bool {
        let is_sum = matches!(f.by, By::Add | By::Sub) && self.u.pool().as_int(f.value).is_some();
        is_sum && self.under > 0 && Type::I8.vector(self.lanes).is_some()
    }

    fn check_type(&self, ty: Type) -> Result<(), Option<Obstacle>> {
        let fits = has_vectors(ty) && ty.vector(self.lanes).is_some();
        if fits { Ok(()) } else { Err(Some(Obstacle::Operation)) }
    }

    /// Whether `e` differs between the lanes.
    fn value(&mut self, e: Expr) -> Result<bool, Option<Obstacle>> {
        if let Some(known) = self.moving.get(e) {
            return Ok(known);
        }
        let moving = self.find(e)?;
        if self.under > 0 {
            self.check_under_condition(e, moving)?;
        }
        let is_in_memory = matches!(self.u.expr(e), ExprData::Elem(..) | ExprData::Var(_));
        if moving && is_logical(self.u.ty(e)) && is_in_memory {
            allow(self.u.ty(e).vector(self.lanes).is_some())?;
        } else if moving && !is_logical(self.u.ty(e)) {
            self.check_type(self.u.ty(e))?;
        }
        self.moving.insert(e, moving);
        Ok(moving)
    }

    /// Whether `e`, whose operands are so, may be evaluated in iterations that do not evaluate it.
    fn check_under_condition(&self, e: Expr, moving: bool) -> Result<(), Option<Obstacle>> {
        let u = self.u;
        match u.expr(e) {
            ExprData::Elem(..) if !self.masks.may_be_read(u, self.l, e) => Err(Some(Obstacle::Guarded)),
            ExprData::Elem(..) => Ok(()),
            ExprData::Var(_) if !speculable(u, e) => Err(Some(Obstacle::Guarded)),
            ExprData::Binary(BinaryOp::Div, ..) if !moving => allow(!u.ty(e).is_real() && !traps(u, e)),
            ExprData::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) | ExprData::Convert(..) if !moving => {
                allow(!u.ty(e).is_real())
            }
            ExprData::Intrinsic(..) if !moving => allow(!u.ty(e).is_real() && !traps(u, e)),
            _ => Ok(()),
        }
    }

    fn find(&mut self, e: Expr) -> Result<bool, Option<Obstacle>> {
        let u = self.u;
        match u.expr(e) {
            _ if u.pool().is_constant(e) => Ok(false),
            ExprData::Var(v) if v == self.l.var => Err(Some(Obstacle::Operation)),
            ExprData::Var(v) if u.sym(v).is_register() => {
                match (self.region.defined.contains(&v), self.defined.contains(&v)) {
                    (false, _) => Ok(false),
                    (true, true) => Ok(true),
                    (true, false) => Err(Some(Obstacle::Scalar)),
                }
            }
            ExprData::Var(v) if self.region.may_write(u, v) => Err(Some(Obstacle::Carried)),
            ExprData::Var(_) => Ok(false),
            ExprData::Elem(s, subs) => self.element(s, u.list(subs)),
            ExprData::Unary(op, a) => {
                let moving = self.value(a)?;
                allow(!moving || op == UnaryOp::Neg || is_logical(u.ty(e)))?;
                Ok(moving)
            }
            ExprData::Binary(op, a, b) => {
                let moving = if matches!(op, BinaryOp::And | BinaryOp::Or) {
                    let left = self.value(a)?;
                    // The right side is evaluated in all lanes, where the left one decides too.
                    self.under += 1;
                    let right = self.value(b)?;
                    self.under -= 1;
                    left || right
                } else {
                    self.both(a, b)?
                };
                allow(!moving || self.has_operation(op, a, b))?;
                Ok(moving)
            }
            ExprData::Convert(to, a) => {
                let moving = self.value(a)?;
                allow(!moving || (u.ty(a) == Type::I4 && to == Type::R4))?;
                Ok(moving)
            }
            ExprData::Intrinsic(i, args) => {
                let mut moving = [false; 3];
                let args = u.list(args).to_vec();
                for (k, &a) in args.iter().enumerate() {
                    let moves = self.value(a)?;
                    moving[k.min(2)] |= moves;
                }
                let any = moving.contains(&true);
                let mask = i != Intrinsic::Merge || moving[2];
                allow(!any || (mask && has_function(i, u.ty(args[0]))))?;
                Ok(any)
            }
            _ => Err(Some(Obstacle::Operation)),
        }
    }

    fn both(&mut self, a: Expr, b: Expr) -> Result<bool, Option<Obstacle>> {
        let (x, y) = (self.value(a)?, self.value(b)?);
        Ok(x || y)
    }

    /// Whether vectors have the operation `a op b`, if one of both differs between lanes.
    fn has_operation(&self, op: BinaryOp, a: Expr, b: Expr) -> bool {
        let ty = self.u.ty(a);
        match op {
            BinaryOp::Add | BinaryOp::Sub => true,
            BinaryOp::Mul => ty.is_real() || [a, b].into_iter().any(|e| is_few_shifts(self.u, e)),
            BinaryOp::Div => ty.is_real(),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                matches!(ty, Type::R4 | Type::R8 | Type::I4)
            }
            // Both sides are truth values of lanes.
            BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => {
                let is_mask = |e: Expr| self.moving.get(e) == Some(true);
                is_mask(a) && is_mask(b)
            }
        }
    }

    /// An element: whether it moves on by one in each iteration, or stays.
    fn element(&mut self, s: Sym, subs: &[Expr]) -> Result<bool, Option<Obstacle>> {
        let (u, data) = (self.u, self.u.sym(s));
        let mut factors = Vec::new();
        for &sub in subs {
            let mut sum = Linear::of(u, sub);
            factors.push(sum.take(u, self.l.var));
            let fixed = |e: Expr| !u.reads_memory(e) && self.region.keeps_registers(u, e) && !u.mentions(e, self.l.var);
            if !sum.terms.iter().all(|&(e, _)| fixed(e)) {
                return Err(Some(Obstacle::Apart));
            }
        }
        let mut located = Vec::new();
        u.registers_of(s, &mut located);
        if located.iter().any(|v| self.region.defined.contains(v)) {
            return Err(Some(Obstacle::Apart));
        }
        let neighbours = data.dims.first().is_some_and(|d| d.stride.is_none()) && data.len.is_none();
        match factors.split_first() {
            _ if factors.iter().all(|&k| k == 0) => Ok(false),
            Some((&k @ (1 | -1), rest)) if rest.iter().all(|&k| k == 0) && neighbours => {
                let down = k * self.step < 0;
                if *self.down.get_or_insert(down) == down { Ok(true) } else { Err(Some(Obstacle::Apart)) }
            }
            _ => Err(Some(Obstacle::Apart)),
        }
    }
}

/// Whether the operation `e` may trap, its operands apart.
fn traps(u: &Unit, e: Expr) -> bool {
    let (trapping, divisor) = match u.expr(e) {
        ExprData::Binary(BinaryOp::Div, _, b) => (true, Some(b)),
        ExprData::Intrinsic(i, args) => (i.may_trap(u.ty(e)), u.list(args).get(1).copied()),
        _ => (false, None),
    };
    trapping && !divisor.and_then(|d| u.pool().as_int(d)).is_some_and(|d| d != 0 && d != -1)
}

/// Whether a product with `e` is a few shifts.
pub(super) fn is_few_shifts(u: &Unit, e: Expr) -> bool {
    u.pool().as_int(e).is_some_and(|k| Shifts::of(k, 8 * u.ty(e).size() as u32).is_some())
}

pub(super) fn allow(yes: bool) -> Result<(), Option<Obstacle>> {
    if yes { Ok(()) } else { Err(Some(Obstacle::Operation)) }
}

pub(super) fn is_logical(ty: Type) -> bool {
    matches!(ty, Type::L1 | Type::L2 | Type::L4 | Type::L8)
}

/// Whether there is the function of vectors of `ty`.
pub(super) fn has_function(i: Intrinsic, ty: Type) -> bool {
    match i {
        Intrinsic::Merge => true,
        Intrinsic::Iand | Intrinsic::Ior | Intrinsic::Ieor | Intrinsic::Not => true,
        Intrinsic::Max | Intrinsic::Min | Intrinsic::Abs => ty != Type::I8,
        Intrinsic::Sqrt | Intrinsic::Sign => ty.is_real(),
        _ => false,
    }
}
