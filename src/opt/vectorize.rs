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
//! order makes no difference for those. A loop that does nothing but add up integers is left to `pack`, unless vectors are longer than those of `pack`.
//!
//! A register that the last iteration under a condition decides keeps the number of this iteration in each lane ([`last`]).
//!
//! The loop's variable as a value is a vector of its own, to which each strip adds the strip's length; so are its conversions.
//!
//! Numbers of eight and of four bytes in one loop have vectors of 32 and of 16 bytes: as many lanes.
//!
//! The iterations that vectors of 64 bytes leave over are done in vectors of half the length, as far as they go.
//!
//! Elements that are two apart are every second one of two vectors.
//!
//! Other elements that are no neighbours, `x(3*i)` or `x(k(i))`, are loaded one by one and put together, where enough is computed of them.
//!
//! In a loop over bytes a vector has the lowest byte of each integer, of whatever kind ([`bytes`]): texts run in 16 lanes.
//!
//! A loop that runs backwards has its lanes in the order of memory, the last iteration of a strip first. If two references are a distance apart that
//! is known only when the loop begins, there are two versions of it, and a test of the distance before them.
//!
//! Every lane computes what its iteration did, in the same order of operations: results are equal to the bit.

mod again;
mod bytes;
mod emit;
mod found;
mod lanes;
mod last;
mod masks;
mod order;
mod values;

use crate::analysis::depend::MAX_REFS;
use crate::analysis::loops::{DoLoop, inner_first};
use crate::analysis::refs::Region;
use crate::unroll::{constants_fit, counted};
use crate::{Arithmetic, Context, OptLevel, Pass};
use bytes::{Ranges, Sign};
use emit::emit;
use found::{By, Found, found};
use masks::{Masks, Readers, StoreBy};
use order::{Order, Test};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{BinaryOp, Editor, Expr, ExprData, ExprMap, Head, Intrinsic, Obstacle, Stmt, Sym, Type, Unit};
use values::Values;

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O3, ..Pass::new("vectorize", "do what neighbouring iterations do in vectors", run) };

/// The bytes of the vectors that every target has.
const WIDTH: usize = 16;
/// The bytes of longer ones, which some targets have.
const LONG: usize = 32;
/// The bytes of the longest ones.
const LONGEST: usize = 64;
/// Elements that are no neighbours are put together in vectors of this length at most.
const MOST_PUT_TOGETHER: usize = LONG;
/// The bytes of the long vectors among others of half the bytes: a pair of vectors where the target has no longer ones.
const MIXED_WIDTH: usize = LONG;
/// Loops of at most this number of iterations are left to be unrolled.
const SHORT: i64 = 8;
/// Vectors of 64 bytes are for loops of more iterations, if their number is not known.
const FEW_IN_LONGEST: i64 = 128;
/// Larger bodies are left alone …
const MAX_SIZE: usize = 160;
/// … and up to this size there are several vectors an iteration.
const SIZE_FOR_TWO: usize = 14;
/// A loop known to have this number of vectors has two of them an iteration, whatever their lanes.
const MANY_VECTORS: i64 = 32;
/// Small bodies do this number of iterations at a time …
const STRIP: i64 = 4;
/// … and this one if they add up reals: each vector has a sum of its own, so that an addition does not wait for the one before.
const STRIP_OF_SUMS: i64 = 8;

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    let mut readers = Readers::default();
    for l in inner_first(ed) {
        match plan(ed, l, context, &readers, Way::default()) {
            Ok(plan) => {
                let rest = emit(ed, l, &plan).filter(|_| plan.shape.width > WIDTH);
                readers = Readers::default();
                if let Some(l) = rest.and_then(|rest| DoLoop::of(ed, rest))
                    && let Some(plan) = plan_of_rest(ed, l, context, plan.shape.width)
                {
                    emit(ed, l, &plan);
                }
            }
            Err(_) if again::vectorize(ed, l, context, &readers) => readers = Readers::default(),
            Err(Some(why)) => ed.missed(l.stmt, "not vectorized", why),
            // It has nothing that anybody would expect in vectors.
            Err(None) => {}
        }
    }
}

/// Whether the pass would make vectors of the loop as it stands.
pub(crate) fn runs_in_vectors(u: &Unit, l: DoLoop, context: &Context<'_>) -> bool {
    plan(u, l, context, &Readers::default(), Way::default()).is_ok()
}

/// The facts that a plan may rely on.
#[derive(Clone, Copy, Default)]
struct Way {
    /// The greatest and least of reals are found again where they depend on the order.
    again: bool,
    /// The loop has what another has left over: one vector is enough.
    rest: bool,
}

/// The sizes of vectors.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Shape {
    /// The bytes of a vector, of the longest ones if there are several.
    width: usize,
    /// Whether numbers of four bytes are in vectors of half the width, beside numbers of eight bytes.
    mixed: bool,
}

impl Shape {
    /// Whether each of `lanes` lanes is a byte.
    fn has_bytes(self, lanes: usize) -> bool {
        lanes == self.width
    }

    /// The vector of `lanes` values of type `ty`.
    fn vector(self, ty: Type, lanes: usize) -> Option<Type> {
        ty.vector(lanes).filter(|v| v.size() == self.width || (self.mixed && 2 * v.size() == self.width))
    }
}

/// How a loop is to be vectorized.
struct Plan {
    lanes: usize,
    shape: Shape,
    /// The loop's variable, and what it advances by in each iteration.
    var: Sym,
    step: i64,
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
    /// The statements whose registers keep the value of the last iteration.
    lasts: Vec<Stmt>,
    /// The ways in which assignments under conditions store to elements.
    stores: FxHashMap<Stmt, StoreBy>,
    /// The values that advance by a constant in each iteration, and this constant: vectors to which a strip adds it.
    ramps: Vec<(Expr, i64)>,
    /// The elements that each lane loads by itself.
    gathers: Vec<Expr>,
    /// The elements that are two apart in neighbouring iterations.
    alternate: Vec<Expr>,
    /// The comparisons of statements that are comparisons of bytes without a sign.
    unsigned: FxHashSet<(Stmt, Expr)>,
    /// The registers whose vectors are bytes, and how a byte tells the value; none if nothing asks for it behind the loop.
    narrow: FxHashMap<Sym, Option<Sign>>,
    /// The way in which numbers that depend on the order are found again, if there are any.
    again: Option<again::Again>,
}

/// The plan for `l`, or the reason why there is none, if users care. The vectors are the longest ones with which there is one.
fn plan(u: &Unit, l: DoLoop, context: &Context<'_>, readers: &Readers, way: Way) -> Result<Plan, Option<Obstacle>> {
    let of = |width: usize| plan_of(u, l, context, readers, way, width);
    let may_be = |&width: &usize| width <= context.vector_bytes && (width < LONGEST || pays_in_longest(u, l, context));
    let planned = [LONGEST, LONG].into_iter().filter(may_be).find_map(|width| of(width).ok());
    if let Some(plan) = planned {
        return Ok(plan);
    }
    match of(WIDTH) {
        Err(Some(Obstacle::Operation)) => {
            plan_with(u, l, context, readers, (way, Shape { width: MIXED_WIDTH, mixed: true }))
        }
        planned => planned,
    }
}

/// The plan for the iterations that vectors of `width` bytes have left over. If their number is known they may be a single vector, unless that would take more to
/// begin or to end; else those of 64 bytes are followed by vectors of 32.
fn plan_of_rest(u: &Unit, l: DoLoop, context: &Context<'_>, width: usize) -> Option<Plan> {
    let of = |width: usize, way: Way| plan_of(u, l, context, &Readers::default(), way, width).ok();
    let is_short = |p: &Plan| p.found.is_empty() && p.lasts.is_empty() && p.tests.is_empty();
    let most = width.min(context.vector_bytes);
    let widths = [LONGEST, LONG, WIDTH].into_iter().filter(|&w| w <= most && l.trips(u).is_some());
    let way = Way { rest: true, ..Way::default() };
    let one = widths.filter_map(|w| of(w, way)).find(is_short);
    one.or_else(|| of(LONG, Way::default()).filter(|_| width == LONGEST))
}

/// Whether `l` may take less time in vectors of 64 bytes than in those of 32. On most processors divisions and square roots take as long for each lane, and of
/// a loop with few iterations, which may be any number, too many are left over.
fn pays_in_longest(u: &Unit, l: DoLoop, context: &Context<'_>) -> bool {
    let mut divides = false;
    for s in u.walk_block(l.body) {
        for value in u.values(u.head(s)) {
            u.visit_expr(value, &mut |e| {
                divides |= match u.expr(e) {
                    ExprData::Binary(BinaryOp::Div, a, _) => u.ty(a).is_real(),
                    ExprData::Intrinsic(i, _) => i == Intrinsic::Sqrt,
                    _ => false,
                };
            });
        }
    }
    (!divides || context.divides_long) && (l.trips(u).is_some() || l.most_trips(u).is_none_or(|t| t >= FEW_IN_LONGEST))
}

/// The plan for `l` with vectors of `width` bytes, all of them.
fn plan_of(
    u: &Unit,
    l: DoLoop,
    context: &Context<'_>,
    readers: &Readers,
    way: Way,
    width: usize,
) -> Result<Plan, Option<Obstacle>> {
    plan_with(u, l, context, readers, (way, Shape { width, mixed: false }))
}

/// The plan for `l` with vectors of this shape.
fn plan_with(
    u: &Unit,
    l: DoLoop,
    context: &Context<'_>,
    readers: &Readers,
    (way, shape): (Way, Shape),
) -> Result<Plan, Option<Obstacle>> {
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
    let all: Vec<Stmt> = u.walk_block(l.body).into_iter().filter(|&s| !u.head(s).is_invisible()).collect();
    let arithmetic = context.arithmetic;
    let first = stored(u, &all, arithmetic, (way, shape.width))
        .or_else(|| compared(u, &all))
        .ok_or_else(|| not_stored(u, &all))?;
    let (lanes, shape) = match first.size().max(1) {
        1 if shape.mixed => return Err(Some(Obstacle::Operation)),
        // There are no longer vectors of bytes.
        1 => (WIDTH, Shape { width: WIDTH, ..shape }),
        _ if shape.mixed => (shape.width / longest(u, &region, first), shape),
        size => (shape.width / size, shape),
    };
    if !masks::pays(u, l.body, lanes) {
        return Err(Some(Obstacle::Costly));
    }
    let masks = Masks::of(u, l, readers);
    let mut values = Values {
        u,
        l,
        region: &region,
        lanes,
        shape,
        has_complex: context.vector_bytes > WIDTH,
        defined: FxHashSet::default(),
        moving: ExprMap::default(),
        step,
        down: None,
        found: Vec::new(),
        lasts: Vec::new(),
        masks: &masks,
        under: 0,
        arithmetic,
        again: way.again,
        gathers: Vec::new(),
        alternate: Vec::new(),
        operations: 0,
        ramps: Vec::new(),
        ranges: Ranges::default(),
        unsigned: FxHashSet::default(),
    };
    for &s in &stmts {
        values.statement(s)?;
    }
    if !values.pays() {
        return Err(Some(Obstacle::Apart));
    }
    let narrow = values.narrow()?;
    let Values { lanes, moving, found, lasts, ramps, gathers, alternate, unsigned, down, .. } = values;
    let down = down == Some(true);
    let order = Order::of(u, l, &region, &all, down, lanes as i64)?;
    let is_real = |f: &Found| u.sym(f.register).ty.is_real();
    let least = if found.iter().any(is_real) { STRIP_OF_SUMS } else { STRIP };
    let strip = if way.rest {
        strip_of_rest(u, l, lanes as i64, context)
    } else {
        strip(u, l, &region, lanes as i64, order.longest, least, context)
    };
    let strip = strip.ok_or(None)?;
    Ok(Plan {
        lanes,
        shape,
        var: l.var,
        step,
        strip,
        stmts,
        moving,
        down,
        tests: order.tests,
        found,
        lasts,
        stores: masks.stores,
        ramps,
        gathers,
        alternate,
        unsigned,
        narrow,
        again: None,
    })
}

/// The bytes of the longest lanes of numbers that have vectors, at least eight.
fn longest(u: &Unit, region: &Region, first: Type) -> usize {
    if first == Type::C8 || region.refs.iter().any(|r| u.ty(r.place) == Type::C8) { 16 } else { 8 }
}

/// The type of the first element that is stored, or of the first number that is found and is no sum of integers, which `pack` makes in short vectors.
fn stored(u: &Unit, stmts: &[Stmt], arithmetic: Arithmetic, (way, width): (Way, usize)) -> Option<Type> {
    stmts.iter().find_map(|&s| match u.head(s) {
        Head::Assign { place, .. } => {
            // Counts have the lanes of their conditions.
            let is_long = |f: &Found| width > WIDTH && u.pool().as_int(f.value).is_none();
            let leads = |f: Found| matches!(f.by, By::Function(_)) || u.sym(f.register).ty.is_real() || is_long(&f);
            let is_found = || found(u, s, arithmetic, way.again).is_some_and(leads);
            let leads = matches!(u.expr(place), ExprData::Elem(..)) || is_found();
            leads.then(|| u.ty(place)).filter(|&t| has_vectors(t))
        }
        _ => None,
    })
}

/// The type of the first numbers that a condition compares.
fn compared(u: &Unit, stmts: &[Stmt]) -> Option<Type> {
    stmts.iter().find_map(|&s| {
        let Head::If { cond } = u.head(s) else { return None };
        let mut found = None;
        u.visit_expr(cond, &mut |e| {
            if let ExprData::Binary(op, a, b) = u.expr(e)
                && op.is_comparison()
                && has_vectors(u.ty(a))
            {
                let has_bytes = [a, b].into_iter().any(|x| reads_bytes(u, x));
                found = found.or(Some(if has_bytes { Type::I1 } else { u.ty(a) }));
            }
        });
        found
    })
}

/// Whether an element of an array of bytes is read in `e`.
fn reads_bytes(u: &Unit, e: Expr) -> bool {
    let mut found = false;
    u.visit_expr(e, &mut |x| found |= matches!(u.expr(x), ExprData::Elem(..)) && u.ty(x) == Type::I1);
    found
}

/// The reason why a loop that stores nothing has no vectors: each iteration adds to a number.
fn not_stored(u: &Unit, stmts: &[Stmt]) -> Option<Obstacle> {
    let is_register = |&s: &Stmt| u.defines(u.head(s)).is_some_and(|v| has_vectors(u.sym(v).ty));
    stmts.iter().all(is_register).then_some(Obstacle::Scalar)
}

fn has_vectors(ty: Type) -> bool {
    matches!(ty, Type::R4 | Type::R8 | Type::C4 | Type::C8 | Type::I4 | Type::I8 | Type::I1)
}

/// How many iterations a strip should have; none if the loop is too short for vectors.
fn strip(
    u: &Unit,
    l: DoLoop,
    region: &Region,
    lanes: i64,
    longest: i64,
    least: i64,
    context: &Context<'_>,
) -> Option<i64> {
    let two = if l.trips(u).is_some_and(|t| t >= MANY_VECTORS * lanes) { 2 * lanes } else { lanes };
    let most = if region.size <= SIZE_FOR_TWO { least.max(two) } else { lanes };
    let most = if longest >= most { most } else { lanes };
    if l.trips(u).is_some_and(|t| t <= SHORT) {
        return None;
    }
    [most, 2 * lanes, lanes].into_iter().filter(|&strip| strip <= most).find(|&strip| {
        let enough = l.most_trips(u).is_none_or(|t| t >= 2 * strip && t > SHORT);
        enough && constants_fit(u, l, strip) && counted(u, l, context, strip) == Some(strip)
    })
}

/// The same of a loop that has what another has left over.
fn strip_of_rest(u: &Unit, l: DoLoop, lanes: i64, context: &Context<'_>) -> Option<i64> {
    let enough = l.trips(u).is_some_and(|t| t >= lanes);
    (enough && constants_fit(u, l, lanes) && counted(u, l, context, lanes) == Some(lanes)).then_some(lanes)
}

#[cfg(test)]
mod tests;
