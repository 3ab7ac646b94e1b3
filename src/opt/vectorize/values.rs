//! The values of a loop that differ between lanes, and the values that have no vectors.

use super::bytes::{self, Ranges, Sign};
use super::found::{By, Found, found};
use super::masks::Masks;
use super::{MOST_PUT_TOGETHER, Shape, has_vectors, last};
use crate::Arithmetic;
use crate::analysis::loops::DoLoop;
use crate::analysis::refs::Region;
use crate::licm::speculable;
use crate::linear::Linear;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::scalar::lanes::Shifts;
use trueline_ir::{BinaryOp, Expr, ExprData, ExprMap, Head, Intrinsic, Obstacle, Stmt, Sym, Type, UnaryOp, Unit};

/// Tells the values of a loop that differ between lanes, and refuses values that have no vectors.
pub(super) struct Values<'u> {
    pub(super) u: &'u Unit,
    pub(super) l: DoLoop,
    pub(super) region: &'u Region,
    pub(super) lanes: usize,
    pub(super) shape: Shape,
    /// Whether complex numbers have vectors: only long registers gain from them, and short ones have not all of their moves on every processor.
    pub(super) has_complex: bool,
    /// The registers that the iteration has defined so far.
    pub(super) defined: FxHashSet<Sym>,
    pub(super) moving: ExprMap<bool>,
    pub(super) step: i64,
    /// Whether elements come in the opposite order of iterations, once there is one.
    pub(super) down: Option<bool>,
    pub(super) found: Vec<Found>,
    /// The statements under conditions whose registers keep the value of the last iteration.
    pub(super) lasts: Vec<Stmt>,
    pub(super) masks: &'u Masks<'u>,
    /// The number of conditionals that the values stand under.
    pub(super) under: usize,
    /// The rules that reals need not keep.
    pub(super) arithmetic: Arithmetic,
    /// Whether the greatest and least of reals are found again where they depend on the order.
    pub(super) again: bool,
    /// The elements that are no neighbours: each lane has its own.
    pub(super) gathers: Vec<Expr>,
    /// The elements that are two apart in neighbouring iterations.
    pub(super) alternate: Vec<Expr>,
    /// The operations on vectors: each takes the place of one for each lane.
    pub(super) operations: usize,
    /// The values that advance by a constant in each iteration, and this constant.
    pub(super) ramps: Vec<(Expr, i64)>,
    /// The ranges of integers whose lanes are bytes.
    pub(super) ranges: Ranges,
    /// The comparisons of statements that are comparisons of bytes without a sign.
    pub(super) unsigned: FxHashSet<(Stmt, Expr)>,
}

/// Values that advance faster with the loop's variable are converted one by one.
const LARGEST_FACTOR: i64 = 1 << 16;

/// Elements that are no neighbours are put together of at most this number of lanes …
const MOST_GATHERED: usize = 4;
/// … where for each of them there is this number of operations on vectors.
const OPERATIONS_FOR_GATHER: usize = 2;
/// The operations that a division of reals, a root, or a product of complex numbers takes the time of.
const LONG_OPERATION: usize = 4;

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
                if self.has_bytes() && !counts {
                    return Err(Some(Obstacle::Scalar));
                }
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
            ExprData::Var(v) if self.under > 0 && !self.defined.contains(&v) && self.keeps_last(s) => {
                self.lasts.push(s)
            }
            ExprData::Var(v) if self.u.sym(v).is_register() => {
                self.check_type(self.u.ty(place))?;
                self.value(value)?;
                self.compare_bytes(s, value)?;
                if self.has_bytes() {
                    self.ranges.set(v, self.ranges.of(self.u, value));
                }
                self.defined.insert(v);
            }
            ExprData::Elem(..) => {
                if self.under > 0 && !self.masks.stores.contains_key(&s) {
                    return Err(Some(Obstacle::Conditional));
                }
                self.value(value)?;
                self.compare_bytes(s, value)?;
                if !self.value(place)? {
                    return Err(Some(Obstacle::Carried));
                }
                if self.gathers.contains(&place) || self.alternate.contains(&place) {
                    return Err(Some(Obstacle::Apart));
                }
            }
            _ => return Err(Some(Obstacle::Carried)),
        }
        Ok(())
    }

    /// Whether the last iteration that executes `s` decides what its register is.
    fn keeps_last(&self, s: Stmt) -> bool {
        // Two lanes, each with two operations more than a branch that is foreseen, take 1.4 of the time.
        if self.lanes < last::LEAST_LANES {
            return false;
        }
        let numbers = last::number(self.u, self.l, self.shape.width / self.lanes);
        numbers.is_some_and(|ty| self.vector(ty).is_some()) && last::keeps_last(self.u, self.l, self.region, s)
    }

    fn finds(&self, s: Stmt) -> Option<Found> {
        found(self.u, s, self.arithmetic, self.again)
    }

    /// Goes through the IF `s`: the statements of both arms, one arm after the other.
    fn conditional(&mut self, s: Stmt, cond: Expr) -> Result<(), Option<Obstacle>> {
        allow(self.value(cond)? && self.under < MOST_UNDER)?;
        self.compare_bytes(s, cond)?;
        let before = self.defined.clone();
        let mut after: [FxHashSet<Sym>; 2] = Default::default();
        let (ranges, mut first) = (self.ranges.clone(), None);
        for (k, after) in after.iter_mut().enumerate() {
            self.defined.clone_from(&before);
            self.ranges.clone_from(&ranges);
            if self.has_bytes() {
                self.ranges.assume(self.u, cond, k == 0);
            }
            self.under += 1;
            for x in self.u.real_stmts(self.u.blocks(s)[k]) {
                self.statement(x)?;
            }
            self.under -= 1;
            *after = std::mem::take(&mut self.defined);
            first.get_or_insert_with(|| self.ranges.clone());
        }
        if let Some(first) = first {
            self.ranges.join(&first);
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

    /// Whether the register is counted under a condition, in lanes of the width of the condition, or by the true lanes of its mask.
    fn is_count(&self, f: &Found) -> bool {
        let is_sum = matches!(f.by, By::Add | By::Sub) && self.u.pool().as_int(f.value).is_some();
        is_sum && self.under > 0 && (self.has_bytes() || self.vector(Type::I8).is_some())
    }

    /// How the last values of registers follow from bytes, if lanes are bytes; refuses the loop if they do not, and are asked for.
    pub(super) fn narrow(&self) -> Result<FxHashMap<Sym, Option<Sign>>, Option<Obstacle>> {
        let mut out = FxHashMap::default();
        if !self.has_bytes() {
            return Ok(out);
        }
        for s in self.u.walk_block(self.l.body) {
            let head = self.u.head(s);
            let Some(v) = self.u.defines(head).filter(|_| !head.is_invisible()) else { continue };
            if self.found.iter().any(|f| f.register == v) {
                continue;
            }
            let sign = self.ranges.of_register(self.u, v).sign();
            if sign.is_none() && !self.masks.is_of_arm(self.u, self.l.body, v) {
                return Err(Some(Obstacle::Scalar));
            }
            out.insert(v, sign);
        }
        Ok(out)
    }

    /// Whether a lane is a byte, and integers of all kinds have their lowest one in it.
    fn has_bytes(&self) -> bool {
        self.shape.has_bytes(self.lanes)
    }

    /// Goes through the comparisons in `e`, a value of the statement `s`, if lanes are bytes.
    fn compare_bytes(&mut self, s: Stmt, e: Expr) -> Result<(), Option<Obstacle>> {
        if !self.has_bytes() {
            return Ok(());
        }
        let mut comparisons = Vec::new();
        self.u.visit_expr(e, &mut |x| {
            if let ExprData::Binary(op, a, b) = self.u.expr(x)
                && op.is_comparison()
                && self.moving.get(x) == Some(true)
            {
                comparisons.push((x, self.ranges.compares(self.u, a, b)));
            }
        });
        for (x, sign) in comparisons {
            match sign {
                Some(Sign::Signed) => {}
                Some(Sign::Unsigned) => {
                    self.unsigned.insert((s, x));
                }
                None => return Err(Some(Obstacle::Operation)),
            }
        }
        Ok(())
    }

    /// The vectors of values of type `ty`.
    fn vector(&self, ty: Type) -> Option<Type> {
        self.shape.vector(ty, self.lanes)
    }

    fn check_type(&self, ty: Type) -> Result<(), Option<Obstacle>> {
        let has_bytes = self.has_bytes() && bytes::is_integer(ty);
        let fits = has_bytes || (has_vectors(ty) && self.vector(ty).is_some());
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
        allow(!moving || !self.u.ty(e).is_complex() || (self.has_complex && self.under == 0))?;
        // Masks are as wide as the lanes that they select from.
        allow(!moving || !is_logical(self.u.ty(e)) || !self.shape.mixed)?;
        if moving && is_logical(self.u.ty(e)) && is_in_memory {
            allow(self.vector(self.u.ty(e)).is_some())?;
        } else if moving && !is_logical(self.u.ty(e)) {
            self.check_type(self.u.ty(e))?;
        }
        self.operations += usize::from(moving) * self.saved(e);
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
            ExprData::Var(v) if v == self.l.var => {
                allow(!self.has_bytes())?;
                Ok(self.ramp(e, 1))
            }
            ExprData::Var(v) if u.sym(v).is_register() => {
                match (self.region.defined.contains(&v), self.defined.contains(&v)) {
                    (false, _) => Ok(false),
                    (true, true) => Ok(true),
                    (true, false) => Err(Some(Obstacle::Scalar)),
                }
            }
            ExprData::Var(v) if self.region.may_write(u, v) => Err(Some(Obstacle::Carried)),
            ExprData::Var(_) => Ok(false),
            ExprData::Elem(s, subs) => {
                let moving = match self.element(e, s, u.list(subs)) {
                    Err(Some(Obstacle::Apart)) => self.gather(e)?,
                    known => known?,
                };
                allow(!moving || self.vector(u.ty(e)).is_some())?;
                Ok(moving)
            }
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
                if let Some(factor) = self.advances(to, a) {
                    return Ok(self.ramp(e, factor));
                }
                let moving = self.value(a)?;
                let is_byte = self.has_bytes() && [u.ty(a), to].into_iter().all(bytes::is_integer);
                allow(!moving || is_byte || self.converts(u.ty(a), to))?;
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
                let of = u.ty(args[0]);
                let shifts = |&by: &Expr| u.pool().as_int(by).is_some_and(|k| shifts_lanes(i, of, k));
                let is_there = if self.has_bytes() {
                    has_function_of_bytes(i)
                } else {
                    has_function(i, of) || args.get(1).is_some_and(shifts)
                };
                allow(!any || (mask && is_there))?;
                Ok(any)
            }
            _ => Err(Some(Obstacle::Operation)),
        }
    }

    /// Whether vectors have the conversion: of lanes of the same size, and in mixed vectors of lanes of another size.
    fn converts(&self, from: Type, to: Type) -> bool {
        match (from, to) {
            (Type::I4, Type::R4) | (Type::R4, Type::I4) => !self.has_bytes(),
            (Type::I4 | Type::R4, Type::R8) | (Type::R8, Type::I4 | Type::R4) | (Type::I4, Type::I8) => {
                self.shape.mixed
            }
            (Type::R4, Type::C4) | (Type::R8, Type::C8) => self.shape.mixed,
            _ => false,
        }
    }

    /// Notes that `e` advances by `factor` with the loop's variable.
    fn ramp(&mut self, e: Expr, factor: i64) -> bool {
        if self.ramps.iter().all(|r| r.0 != e) {
            self.ramps.push((e, factor));
        }
        true
    }

    /// The factor of the loop's variable in `a`, an integer of four bytes that is converted to a wider number: without an overflow in any
    /// iteration the converted value advances evenly, and exactly.
    fn advances(&self, to: Type, a: Expr) -> Option<i64> {
        let u = self.u;
        if self.shape.width != 8 * self.lanes
            || u.ty(a) != Type::I4
            || u.sym(self.l.var).ty != Type::I4
            || !matches!(to, Type::I8 | Type::R8)
        {
            return None;
        }
        let mut sum = Linear::of(u, a);
        let factor = sum.take(u, self.l.var);
        let rest = i128::from(sum.as_constant()?);
        let fits = |i: i64| i32::try_from(i128::from(factor) * i128::from(i) + rest).is_ok();
        let (first, last) = self.ends();
        (factor != 0 && factor.abs() <= LARGEST_FACTOR && fits(first) && fits(last)).then_some(factor)
    }

    /// The first value of the loop's variable and the last one, or the farthest that it may have.
    fn ends(&self) -> (i64, i64) {
        let known = |e: Expr| self.u.pool().as_int(e);
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        let (lo, hi) = if self.step > 0 { (least, most) } else { (most, least) };
        (known(self.l.lo).unwrap_or(lo), known(self.l.hi).unwrap_or(hi))
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
            BinaryOp::Mul => {
                let is_shifted = || [a, b].into_iter().any(|e| is_few_shifts(self.u, e));
                ty.is_real() || ty.is_complex() || (!self.has_bytes() && is_shifted())
            }
            BinaryOp::Div => ty.is_real(),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                matches!(ty, Type::R4 | Type::R8 | Type::I4) || (self.has_bytes() && bytes::is_integer(ty))
            }
            // Both sides are truth values of lanes.
            BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => {
                let is_mask = |e: Expr| self.moving.get(e) == Some(true);
                is_mask(a) && is_mask(b)
            }
        }
    }

    /// Notes that each lane loads the element `e` by itself.
    fn gather(&mut self, e: Expr) -> Result<bool, Option<Obstacle>> {
        let is_short = self.shape.width <= MOST_PUT_TOGETHER && self.lanes <= MOST_GATHERED;
        let is_there = matches!(self.u.ty(e), Type::R4 | Type::R8 | Type::C4 | Type::C8) && is_short;
        if self.under > 0 || !is_there || !self.is_scalar(e) {
            return Err(Some(Obstacle::Apart));
        }
        self.gathers.push(e);
        Ok(true)
    }

    /// Whether a lane can compute `e` by itself, with the same effects in any order of iterations.
    fn is_scalar(&self, e: Expr) -> bool {
        let u = self.u;
        match u.expr(e) {
            _ if u.pool().is_constant(e) => true,
            ExprData::Var(v) if v == self.l.var => true,
            ExprData::Var(v) if u.sym(v).is_register() => {
                let is_vector = self.defined.contains(&v) && self.vector(u.sym(v).ty).is_some();
                !self.region.defined.contains(&v) || (is_vector && self.found.iter().all(|f| f.register != v))
            }
            ExprData::Var(v) => !self.region.may_write(u, v),
            ExprData::Elem(s, subs) => {
                let mut located = Vec::new();
                u.registers_of(s, &mut located);
                let is_fixed = !located.iter().any(|v| self.region.defined.contains(v));
                is_fixed && u.sym(s).len.is_none() && u.list(subs).iter().all(|&sub| self.is_scalar(sub))
            }
            ExprData::Unary(_, a) => self.is_scalar(a),
            ExprData::Binary(op, a, b) => op != BinaryOp::Div && self.is_scalar(a) && self.is_scalar(b),
            ExprData::Convert(to, a) => !to.is_real() && !u.ty(a).is_real() && self.is_scalar(a),
            _ => false,
        }
    }

    /// Whether vectors have every second element from `e` on.
    fn may_alternate(&self, e: Expr) -> bool {
        let ty = self.u.ty(e);
        let has_moves = matches!(ty, Type::R4 | Type::R8 | Type::I4 | Type::I8) && !self.has_bytes();
        has_moves && self.under == 0 && self.shape.width <= MOST_PUT_TOGETHER && self.vector(ty).is_some()
    }

    /// Whether the elements that each lane loads by itself cost less than the operations on vectors save.
    pub(super) fn pays(&self) -> bool {
        self.operations >= OPERATIONS_FOR_GATHER * self.gathers.len() + self.alternate.len()
    }

    /// The operations that each lane but one saves where `e` is one on vectors.
    fn saved(&self, e: Expr) -> usize {
        match self.u.expr(e) {
            ExprData::Binary(BinaryOp::Div, ..) => LONG_OPERATION,
            ExprData::Binary(BinaryOp::Mul, ..) if self.u.ty(e).is_complex() => LONG_OPERATION,
            ExprData::Intrinsic(Intrinsic::Sqrt, _) => LONG_OPERATION,
            ExprData::Elem(..) => usize::from(!self.gathers.contains(&e)),
            ExprData::Binary(..) | ExprData::Unary(..) | ExprData::Convert(..) | ExprData::Intrinsic(..) => 1,
            _ => 0,
        }
    }

    /// The element `e`: whether it moves on by one in each iteration, or by two, or stays.
    fn element(&mut self, e: Expr, s: Sym, subs: &[Expr]) -> Result<bool, Option<Obstacle>> {
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
            Some((&k @ (2 | -2), rest)) if rest.iter().all(|&k| k == 0) && neighbours && self.may_alternate(e) => {
                let down = k * self.step < 0;
                if *self.down.get_or_insert(down) != down {
                    return Err(Some(Obstacle::Apart));
                }
                self.alternate.push(e);
                Ok(true)
            }
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

/// Whether `i` is a shift by `k` that vectors of integers of type `ty` have.
fn shifts_lanes(i: Intrinsic, ty: Type, k: i64) -> bool {
    let bits = 8 * ty.size() as i64;
    match i {
        Intrinsic::Ishft => matches!(ty, Type::I4 | Type::I8) && k.abs() < bits,
        Intrinsic::Shifta => ty == Type::I4 && (0..bits).contains(&k),
        _ => false,
    }
}

/// Whether the lowest byte of the function depends on that of its arguments only.
fn has_function_of_bytes(i: Intrinsic) -> bool {
    matches!(i, Intrinsic::Merge | Intrinsic::Iand | Intrinsic::Ior | Intrinsic::Ieor | Intrinsic::Not)
}

/// Whether there is the function of vectors of `ty`.
pub(super) fn has_function(i: Intrinsic, ty: Type) -> bool {
    match i {
        _ if ty.is_complex() => matches!(i, Intrinsic::Conjg | Intrinsic::RealPart | Intrinsic::ImagPart),
        Intrinsic::Cmplx => true,
        Intrinsic::Merge => true,
        Intrinsic::Iand | Intrinsic::Ior | Intrinsic::Ieor | Intrinsic::Not => true,
        Intrinsic::Max | Intrinsic::Min | Intrinsic::Abs => ty != Type::I8,
        Intrinsic::Sqrt | Intrinsic::Sign => ty.is_real(),
        _ => false,
    }
}
