//! Vectorize innermost loops: assignments to neighbouring elements become assignments of vectors.
//!
//! ```text
//!                             do i = 1, n - 1, 2                                            @1
//! do i = 1, n          @1       wide_r8x2(a(i)) = wide_r8x2(b(i)) * r8x2(x)                 @2
//!   a(i) = b(i) * x    @2  =>   end
//! end                         do i = …, n                                                   @1
//!                               a(i) = b(i) * x                                             @2
//! ```
//!
//! `wide_r8x2(a(i))` are the elements from `a(i)` on, `r8x2(x)` has the same value in both lanes. A statement of the vector loop does the
//! work of a statement in all iterations of a strip before the next statement begins. So no iteration may need what an earlier one
//! writes, and one that writes what an earlier one reads has to do so in a later statement, or in the same one. A scalar that each
//! iteration defines before it reads it is a vector in the loop; behind the loop it has its last lane.
//!
//! The greatest or least of integers, their sum, and their bits combined, are found in each lane by itself and put together behind the loop: the
//! order makes no difference for those. A loop that does nothing but add up integers is left to `pack`.
//!
//! A loop that runs backwards has its lanes in the order of memory, the last iteration of a strip first. If two references are a distance apart that
//! is known only when the loop begins, there are two versions of it, and a test of the distance before them.
//!
//! Every lane computes what its iteration did, in the same order of operations: results are equal to the bit.

use crate::analysis::depend::{Dependence, Dir, MAX_REFS, Side, dependence};
use crate::analysis::loops::{DoLoop, inner_first};
use crate::analysis::refs::{MemRef, Region};
use crate::linear::Linear;
use crate::unroll::{constants_fit, counted, partition};
use crate::{Context, OptLevel, Pass};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::scalar::lanes::Shifts;
use trueline_ir::{
    BinaryOp, Editor, ExpandKind, Expr, ExprData, ExprMap, Head, Intrinsic, List, Obstacle, Place, Stmt, Sym, Type,
    UnaryOp, Unit,
};

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O3, ..Pass::new("vectorize", "do what neighbouring iterations do in vectors", run) };

/// The bytes of a vector.
const WIDTH: usize = 16;
/// Loops of at most this number of iterations are left to be unrolled.
const SHORT: i64 = 8;
/// Larger bodies are left alone …
const MAX_SIZE: usize = 160;
/// … and up to this size there are two vectors an iteration, if one has two lanes only.
const SIZE_FOR_TWO: usize = 14;

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    for l in inner_first(ed) {
        match plan(ed, l, context) {
            Ok(plan) => emit(ed, l, &plan),
            Err(Some(why)) => ed.missed(l.stmt, "not vectorized", why),
            // It has nothing that anybody would expect in vectors.
            Err(None) => {}
        }
    }
}

/// How a loop is to be vectorized.
struct Plan {
    lanes: usize,
    /// The iterations of a strip: a multiple of the lanes.
    strip: i64,
    /// The statements of the body, in order.
    stmts: Vec<Stmt>,
    /// The values that differ between the lanes.
    moving: ExprMap<bool>,
    /// Whether the elements of later iterations come before those of earlier ones.
    down: bool,
    /// The questions that are asked before the loop.
    tests: Vec<Test>,
    /// The registers in which something is found over all iterations.
    found: Vec<Found>,
}

/// A register that each iteration combines with a value, in whatever order.
#[derive(Clone, Copy)]
struct Found {
    register: Sym,
    by: By,
    value: Expr,
}

/// How.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Add,
    Sub,
    Function(Intrinsic),
}

impl By {
    /// Whether a value that comes several times is as good as one.
    fn repeats(self) -> bool {
        matches!(self, By::Function(Intrinsic::Max | Intrinsic::Min | Intrinsic::Iand | Intrinsic::Ior))
    }

    fn make(self, ed: &mut Editor<'_>, a: Expr, b: Expr) -> Expr {
        match self {
            By::Add => ed.binary(BinaryOp::Add, a, b),
            By::Sub => ed.binary(BinaryOp::Sub, a, b),
            By::Function(i) => ed.intrinsic(i, &[a, b]),
        }
    }
}

/// The register that the statement `s` combines with a value in each iteration, if it does that.
fn found(u: &Unit, s: Stmt) -> Option<Found> {
    let Head::Assign { place, value } = u.head(s) else { return None };
    let register = u.defines(u.head(s)).filter(|&v| matches!(u.sym(v).ty, Type::I4 | Type::I8))?;
    let (by, a, b) = match u.expr(value) {
        ExprData::Binary(BinaryOp::Add, a, b) => (By::Add, a, b),
        ExprData::Binary(BinaryOp::Sub, a, b) => (By::Sub, a, b),
        ExprData::Intrinsic(i @ (Intrinsic::Iand | Intrinsic::Ior | Intrinsic::Ieor), l) => {
            (By::Function(i), u.list(l)[0], u.list(l)[1])
        }
        ExprData::Intrinsic(i @ (Intrinsic::Max | Intrinsic::Min), l) if u.sym(register).ty == Type::I4 => {
            (By::Function(i), u.list(l)[0], u.list(l)[1])
        }
        _ => return None,
    };
    let value = if a == place {
        b
    } else if b == place && by != By::Sub {
        a
    } else {
        return None;
    };
    (!u.mentions(value, register)).then_some(Found { register, by, value })
}

/// The distance of two references to one array, in iterations: the first touches an element this number of iterations before the other. If the first comes
/// first in an iteration, too, the distance must not be negative, else not positive, or so large that no strip has both.
#[derive(Clone, Debug)]
struct Test {
    distance: Linear,
    first: bool,
}

/// The plan for `l`, or the reason why there is none, if users care.
fn plan(u: &Unit, l: DoLoop, context: &Context<'_>) -> Result<Plan, Option<Obstacle>> {
    let region = Region::of_block(u, l.body);
    let stmts: Vec<Stmt> = u.real_stmts(l.body).collect();
    let step = l.constant_step(u).filter(|s| s.abs() == 1).ok_or(None)?;
    if region.loops || stmts.is_empty() || region.defined.contains(&l.var) {
        return Err(None);
    }
    if region.jumps || region.labels {
        return Err(Some(Obstacle::Jumps));
    }
    if region.effects {
        return Err(Some(Obstacle::Effects));
    }
    if region.size > MAX_SIZE || region.refs.len() > MAX_REFS {
        return Err(Some(Obstacle::Size));
    }
    let is_fixed = !u.mentions(l.hi, l.var) && region.keeps_registers(u, l.hi) && !u.reads_memory(l.hi);
    if !is_fixed {
        return Err(Some(Obstacle::Bounds));
    }
    let first = stored(u, &stmts).ok_or_else(|| not_stored(u, &stmts))?;
    let mut values = Values {
        u,
        l,
        region: &region,
        lanes: WIDTH / first.size().max(1),
        defined: FxHashSet::default(),
        moving: ExprMap::default(),
        step,
        down: None,
        found: Vec::new(),
    };
    for &s in &stmts {
        values.statement(s)?;
    }
    let (lanes, moving, found) = (values.lanes, values.moving, values.found);
    let down = values.down == Some(true);
    let order = Order::of(u, l, &region, &stmts, down, lanes as i64)?;
    let strip = strip(u, l, &region, lanes as i64, order.longest, context).ok_or(None)?;
    Ok(Plan { lanes, strip, stmts, moving, down, tests: order.tests, found })
}

/// The type of the first element that is stored, or of the first number that is found and is no sum.
fn stored(u: &Unit, stmts: &[Stmt]) -> Option<Type> {
    stmts.iter().find_map(|&s| match u.head(s) {
        Head::Assign { place, .. } => {
            let is_found = || found(u, s).is_some_and(|f| matches!(f.by, By::Function(_)));
            let leads = matches!(u.expr(place), ExprData::Elem(..)) || is_found();
            leads.then(|| u.ty(place)).filter(|&t| has_vectors(t))
        }
        _ => None,
    })
}

/// The reason why a loop that stores nothing has no vectors: each iteration adds to a number.
fn not_stored(u: &Unit, stmts: &[Stmt]) -> Option<Obstacle> {
    let is_register = |&s: &Stmt| u.defines(u.head(s)).is_some_and(|v| has_vectors(u.sym(v).ty));
    stmts.iter().all(is_register).then_some(Obstacle::Scalar)
}

fn has_vectors(ty: Type) -> bool {
    matches!(ty, Type::R4 | Type::R8 | Type::I4 | Type::I8)
}

/// How many iterations a strip should have; none if the loop is too short for vectors.
fn strip(u: &Unit, l: DoLoop, region: &Region, lanes: i64, longest: i64, context: &Context<'_>) -> Option<i64> {
    let two = lanes == 2 && region.size <= SIZE_FOR_TWO && longest >= 2 * lanes;
    let most = if two { 2 * lanes } else { lanes };
    if l.trips(u).is_some_and(|t| t <= SHORT) {
        return None;
    }
    [most, lanes].into_iter().find(|&strip| {
        let enough = l.most_trips(u).is_none_or(|t| t >= 2 * strip && t > SHORT);
        enough && constants_fit(u, l, strip) && counted(u, l, context, strip) == Some(strip)
    })
}

/// Tells the values of a loop that differ between lanes, and refuses values that have no vectors.
struct Values<'u> {
    u: &'u Unit,
    l: DoLoop,
    region: &'u Region,
    lanes: usize,
    /// The registers that the iteration has defined so far.
    defined: FxHashSet<Sym>,
    moving: ExprMap<bool>,
    step: i64,
    /// Whether elements come in the opposite order of iterations, once there is one.
    down: Option<bool>,
    found: Vec<Found>,
}

impl Values<'_> {
    /// Goes through the statement `s`.
    fn statement(&mut self, s: Stmt) -> Result<(), Option<Obstacle>> {
        let Head::Assign { place, value } = self.u.head(s) else { return Err(None) };
        match self.u.expr(place) {
            ExprData::Var(v)
                if self.u.sym(v).is_register() && !self.defined.contains(&v) && found(self.u, s).is_some() =>
            {
                self.check_type(self.u.ty(place))?;
                let Some(found) = found(self.u, s).filter(|_| self.found.iter().all(|f| f.register != v)) else {
                    return Err(Some(Obstacle::Scalar));
                };
                if !self.value(found.value)? {
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
                self.value(value)?;
                if !self.value(place)? {
                    return Err(Some(Obstacle::Carried));
                }
            }
            _ => return Err(Some(Obstacle::Carried)),
        }
        Ok(())
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
        if moving && !is_logical(self.u.ty(e)) {
            self.check_type(self.u.ty(e))?;
        }
        self.moving.insert(e, moving);
        Ok(moving)
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
                let moving = self.both(a, b)?;
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
            // Both sides are truth values of lanes, and both may be evaluated.
            BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => {
                let is_mask = |e: Expr| self.moving.get(e) == Some(true);
                let lazy = matches!(op, BinaryOp::And | BinaryOp::Or);
                is_mask(a) && is_mask(b) && !(lazy && self.u.may_trap(b))
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

/// Whether a product with `e` is a few shifts.
fn is_few_shifts(u: &Unit, e: Expr) -> bool {
    u.pool().as_int(e).is_some_and(|k| Shifts::of(k, 8 * u.ty(e).size() as u32).is_some())
}

fn allow(yes: bool) -> Result<(), Option<Obstacle>> {
    if yes { Ok(()) } else { Err(Some(Obstacle::Operation)) }
}

fn is_logical(ty: Type) -> bool {
    matches!(ty, Type::L1 | Type::L2 | Type::L4 | Type::L8)
}

/// Whether there is the function of vectors of `ty`.
fn has_function(i: Intrinsic, ty: Type) -> bool {
    match i {
        Intrinsic::Merge => true,
        Intrinsic::Iand | Intrinsic::Ior | Intrinsic::Ieor | Intrinsic::Not => true,
        Intrinsic::Max | Intrinsic::Min | Intrinsic::Abs => ty != Type::I8,
        Intrinsic::Sqrt | Intrinsic::Sign => ty.is_real(),
        _ => false,
    }
}

/// The number of vectors that may be on their way to the cache.
const ON_THE_WAY: i64 = 4;
/// More questions are not asked before a loop.
const MOST_TESTS: usize = 2;

/// Under which conditions the references of a strip may be made statement by statement.
struct Order {
    tests: Vec<Test>,
    /// The most iterations of a strip.
    longest: i64,
}

impl Order {
    fn of(
        u: &Unit,
        l: DoLoop,
        region: &Region,
        stmts: &[Stmt],
        down: bool,
        lanes: i64,
    ) -> Result<Order, Option<Obstacle>> {
        let side = Side::of(u, l.stmt, l.stmt);
        let numbers: FxHashMap<Stmt, usize> = stmts.iter().enumerate().map(|(k, &s)| (s, k)).collect();
        // A statement reads before it writes.
        let time = |r: &MemRef| numbers.get(&r.stmt).map(|k| 2 * k + usize::from(r.write));
        let mut order = Order { tests: Vec::new(), longest: i64::MAX };
        for w in region.refs.iter().filter(|r| r.write) {
            for r in &region.refs {
                let first = time(r) < time(w);
                let is_fine = match dependence(u, (w, side.as_ref()), (r, side.as_ref()), 1, &region.defined) {
                    Dependence::Never => true,
                    Dependence::Any => false,
                    Dependence::In(ways) => ways.iter().all(|way| match way.first() {
                        Some(Dir::Same) => true,
                        Some(Dir::After) => !r.write && (first || trueline_ir::fault("vectorize_order")),
                        _ => trueline_ir::fault("vectorize_carried"),
                    }),
                };
                if is_fine {
                    continue;
                }
                let is_overlap = w.sym != r.sym;
                let far = distance(u, l, region, r.place, w.place, down).filter(|_| !r.write && !is_overlap);
                if !far.is_some_and(|distance| order.take(Test { distance, first }, lanes)) {
                    return Err(Some(if is_overlap { Obstacle::Overlap } else { Obstacle::Carried }));
                }
            }
        }
        Ok(order)
    }

    /// Whether a read and a write that are so far apart are no obstacle, or can be found to be none before the loop.
    fn take(&mut self, test: Test, lanes: i64) -> bool {
        let Some(known) = test.distance.as_constant() else {
            let has = |t: &Test| t.first == test.first && t.distance.terms == test.distance.terms;
            let known = self.tests.iter().any(|t| has(t) && t.distance.constant == test.distance.constant);
            if !known {
                self.tests.push(test);
            }
            return self.tests.len() <= MOST_TESTS;
        };
        // A vector that is loaded from two that have just been stored waits for both.
        let far = known.saturating_abs();
        let waits = known < 0 && far % lanes != 0 && far < ON_THE_WAY * lanes;
        self.longest = self.longest.min(far);
        far >= lanes && !waits
    }
}

/// How many iterations before `b` touches an element `a` does, if that is the same for all.
fn distance(u: &Unit, l: DoLoop, region: &Region, a: Expr, b: Expr, down: bool) -> Option<Linear> {
    let (ExprData::Elem(x, i), ExprData::Elem(y, j)) = (u.expr(a), u.expr(b)) else { return None };
    if x != y {
        return None;
    }
    let mut far = None;
    for (k, (&i, &j)) in u.list(i).iter().zip(u.list(j)).enumerate() {
        let (mut i, mut j) = (Linear::of(u, i), Linear::of(u, j));
        if i.take(u, l.var) != j.take(u, l.var) {
            return None;
        }
        let apart = if down { j.minus(&i) } else { i.minus(&j) };
        if k == 0 {
            far = Some(apart);
        } else if apart.as_constant() != Some(0) {
            return None;
        }
    }
    let fixed = |e: Expr| !u.reads_memory(e) && !u.may_trap(e) && region.keeps_registers(u, e);
    far.filter(|f| f.terms.iter().all(|&(e, k)| fixed(e) && k.abs() == 1 && matches!(u.expr(e), ExprData::Var(_))))
}

/// The condition under which the loop may be done in strips.
fn condition(ed: &mut Editor<'_>, tests: &[Test], strip: i64) -> Option<Expr> {
    let mut all: Option<Expr> = None;
    for t in tests {
        let distance = t.distance.build(ed);
        let strip = if trueline_ir::fault("vectorize_distance") { 0 } else { strip };
        let (zero, far) = (ed.int(Type::I8, 0), ed.int(Type::I8, if t.first { -strip } else { strip }));
        let ops = if t.first { [BinaryOp::Ge, BinaryOp::Le] } else { [BinaryOp::Le, BinaryOp::Ge] };
        let (near, apart) = (ed.binary(ops[0], distance, zero), ed.binary(ops[1], distance, far));
        let one = ed.binary(BinaryOp::Or, near, apart);
        all = Some(all.map_or(one, |other| ed.binary(BinaryOp::And, other, one)));
    }
    all
}

fn emit(ed: &mut Editor<'_>, l: DoLoop, plan: &Plan) {
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
fn put_together(ed: &mut Editor<'_>, l: DoLoop, f: &Found, vector: Sym, lanes: usize) {
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
struct Vectors<'p> {
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

#[cfg(test)]
mod tests;
