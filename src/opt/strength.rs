//! Strength reduction: addresses that advance with an innermost loop become pointers.
//!
//! ```text
//! do i = 1, n                                 @2      p = &a + j*800 + 8*1                @2
//!   [&b + j*800 + i*8] =                      @3      do i = 1, n                         @2
//!       load r8 [&a + j*800 + i*8 - 8]                  [p + 1592] = load r8 [p - 8]      @3
//! end                                            =>     p = p + 8                         @2
//!                                                     end
//! ```
//!
//! References whose addresses differ by a constant share a pointer; symbols of one static area are
//! addressed from its start, so a COMMON block often needs one for all its arrays. In loops of vectors, and with more than
//! [`MOST_POINTERS`] groups, groups that advance alike share a pointer, too: the distance
//! to it is a register that the processor adds in the address, `[p + distance + displacement]`. Pointers of their own would be an addition each in
//! every iteration (a sum of two arrays in vectors, in the first-level cache: 250 against 143 ns). Loops of scalars keep a few, by which code
//! generation packs neighbours (`examples/hpf`, jacobi: 0.11 against 0.18 s), and so do loops of vectors where a far displacement would take an
//! instruction (AArch64).
//!
//! References that advance by a value that is no constant share a pointer, too: they have no neighbours.
//!
//! A step that is no constant, or a factor such as the leading dimension of an array, is multiplied before the loop. Loops of scalars that go one by one, and were not unrolled, have one index for all groups on a processor that multiplies it in the address:
//! `[base + index*8 + displacement]`, also for elements of different sizes. The remainder of a loop of vectors keeps its pointers: it runs for a few
//! elements, and the values before it would take registers from the vectors.
//!
//! Measured on a five-array stencil against index arithmetic at each reference: 2.3 against 1.5 cycles
//! an element.

use crate::{Context, Pass, lower_m};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use trueline_ir::{
    BinaryOp, Block, Editor, ExpandKind, Expr, ExprData, Head, Level, Place, Stmt, Sym, Type, UnaryOp, Unit,
};

/// See the module documentation.
pub const PASS: Pass = Pass {
    at: &[Level::M],
    from: crate::OptLevel::O2,
    ..Pass::new("strength", "addresses that advance with an innermost loop become pointers", run)
};

/// Pointers that a loop of scalars may advance; x86-64 has sixteen registers, and the loop needs some of them.
const MOST_POINTERS: usize = 6;

/// Factors by which a processor multiplies an index in an address.
const SCALES: [i64; 4] = [1, 2, 4, 8];

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    for s in ed.walk() {
        if let Head::Do { var, lo, step, .. } = ed.head(s)
            && is_innermost(ed, s)
        {
            reduce(ed, s, var, lo, step, context.displaces_far);
        }
    }
}

fn is_innermost(unit: &Unit, s: Stmt) -> bool {
    unit.walk_block(unit.blocks(s)[0]).into_iter().all(|x| !unit.head(x).is_loop())
}

/// References whose addresses differ by a constant: the invariant terms of the address, and the factor of the loop's
/// variable.
struct Group {
    terms: Vec<(Expr, i64)>,
    factor: Factor,
    addrs: Vec<Expr>,
}

/// A constant, or as many times a value that does not change in the loop: a leading dimension, a step of a transform.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Factor {
    times: i64,
    value: Option<Expr>,
}

impl Factor {
    const ONE: Factor = Factor { times: 1, value: None };

    /// A constant that a processor multiplies an index by in an address.
    fn is_scale(self) -> bool {
        self.value.is_none() && SCALES.contains(&self.times)
    }

    fn scaled(self, k: i64) -> Factor {
        Factor { times: self.times.wrapping_mul(k), ..self }
    }

    /// `e` times the factor, as a value and how often to take it.
    fn product(self, ed: &mut Editor<'_>, e: Expr) -> (Expr, i64) {
        match (self.value, ed.pool().as_int(e)) {
            (None, _) => (e, self.times),
            (Some(value), Some(k)) => (value, self.times.wrapping_mul(k)),
            (Some(value), None) => (ed.binary(BinaryOp::Mul, e, value), self.times),
        }
    }
}

fn reduce(ed: &mut Editor<'_>, s: Stmt, var: Sym, lo: Expr, step: Expr, displaces_far: bool) {
    let groups = groups(ed, s, var);
    if groups.is_empty() {
        return;
    }
    let vectors = has_vectors(ed, s);
    let shares = groups.len() > MOST_POINTERS || displaces_far && vectors;
    let lo = ed.widen(lo);
    let are_scaled = displaces_far && groups.len() > 1 && groups.iter().all(|g| g.factor.is_scale());
    let fixed = ed.pool().as_int(step);
    let counts = are_scaled && fixed == Some(1) && !vectors && !is_rest(ed, s);
    let index = counts.then(|| define_before(ed, s, "index", lo));
    let mut replaced: Vec<(Expr, Expr)> = Vec::new();
    let mut advanced: Vec<(Sym, Expr)> = Vec::new();
    let mut pointers: Vec<(Factor, Sym, &Group)> = Vec::new();
    for g in &groups {
        let addr = match pointers.iter().find(|(f, ..)| *f == g.factor) {
            _ if let Some(index) = index => {
                let start = sum(ed, g.terms.iter().copied());
                let base = define_before(ed, s, "base", start);
                let factor = if trueline_ir::fault("strength_scale") { groups[0].factor } else { g.factor };
                let (base, index, factor) = (ed.var(base), ed.var(index), ed.int(Type::I8, factor.times));
                let scaled = ed.binary(BinaryOp::Mul, index, factor);
                ed.binary(BinaryOp::Add, base, scaled)
            }
            // The distance to the pointer that advances alike does not change in the loop.
            Some(&(_, p, first)) if shares || displaces_far && g.factor.value.is_some() => {
                let terms = g.terms.iter().copied().chain(first.terms.iter().map(|&(e, k)| (e, k.wrapping_neg())));
                let distance = sum(ed, cancel(terms));
                let distance = define_before(ed, s, "distance", distance);
                let (p, distance) = (ed.var(p), ed.var(distance));
                ed.binary(BinaryOp::Add, p, distance)
            }
            _ => {
                let first = g.factor.product(ed, lo);
                let start = sum(ed, cancel(g.terms.iter().copied().chain([first])));
                let p = define_before(ed, s, "p", start);
                let step = if trueline_ir::fault("strength_step") { ed.int(Type::I8, 1) } else { ed.widen(step) };
                let by = g.factor.product(ed, step);
                let by = sum(ed, [by]);
                // A step has one value, that before the loop.
                let by = if ed.pool().as_int(by).is_some() {
                    by
                } else {
                    let by = define_before(ed, s, "by", by);
                    ed.var(by)
                };
                advanced.push((p, by));
                pointers.push((g.factor, p, g));
                ed.var(p)
            }
        };
        replaced.extend(g.addrs.iter().map(|&a| (a, addr)));
    }
    let one = ed.int(Type::I8, 1);
    advanced.extend(index.map(|i| (i, one)));
    let body = ed.blocks(s)[0];
    for x in ed.walk_block(body) {
        let head = ed.head(x);
        let new = ed.map_head(head, &mut |_, e| replaced.iter().find(|(old, _)| *old == e).map(|(_, new)| *new));
        ed.expand_in_place(x, new);
    }
    for (p, by) in advanced {
        let place = ed.var(p);
        let value = ed.binary(BinaryOp::Add, place, by);
        ed.expand(s, Head::Assign { place, value }, Place::End(body), ExpandKind::Lower);
    }
}

/// Whether the loop stores vectors or has them in registers.
fn has_vectors(unit: &Unit, s: Stmt) -> bool {
    makes_vectors(unit, unit.blocks(s)[0])
}

fn makes_vectors(unit: &Unit, block: Block) -> bool {
    unit.walk_block(block).into_iter().any(|x| match unit.head(x) {
        Head::Assign { value, .. } | Head::Store { value, .. } => unit.ty(value).is_vector(),
        _ => false,
    })
}

/// Whether the loop does the iterations that a loop of vectors before it has left.
fn is_rest(unit: &Unit, s: Stmt) -> bool {
    let mut before = std::iter::successors(unit.prev_real(s), |&x| unit.prev_real(x));
    before.any(|x| unit.blocks(x).iter().any(|&b| makes_vectors(unit, b)))
}

fn define_before(ed: &mut Editor<'_>, s: Stmt, name: &str, value: Expr) -> Sym {
    let p = ed.new_register(name, Type::I8);
    let place = ed.var(p);
    ed.expand(s, Head::Assign { place, value }, Place::Before(s), ExpandKind::Lower);
    p
}

/// The groups of the loop's references, in the order of their first appearance.
fn groups(ed: &mut Editor<'_>, s: Stmt, var: Sym) -> Vec<Group> {
    let body = ed.walk_block(ed.blocks(s)[0]);
    let changed: FxHashSet<Sym> = body.iter().flat_map(|&x| ed.may_define(ed.head(x))).collect();
    if changed.contains(&var) {
        return vec![];
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut seen: FxHashSet<Expr> = FxHashSet::default();
    for x in body {
        for addr in addresses(ed, x) {
            if !seen.insert(addr) {
                continue;
            }
            let Some((terms, factor)) = linear(ed, addr, var, &changed) else { continue };
            match groups.iter_mut().find(|g| g.factor == factor && g.terms == terms) {
                Some(g) => g.addrs.push(addr),
                None => groups.push(Group { terms, factor, addrs: vec![addr] }),
            }
        }
    }
    groups
}

/// The addresses that a statement loads from and stores to, in order. Invisible statements have none.
fn addresses(unit: &Unit, s: Stmt) -> SmallVec<[Expr; 8]> {
    let mut out = SmallVec::new();
    let head = unit.head(s);
    if head.is_invisible() {
        return out;
    }
    for e in unit.values(head) {
        unit.visit_expr(e, &mut |x| {
            if let ExprData::Load { addr, .. } = unit.expr(x) {
                out.push(addr);
            }
        });
    }
    if let Head::Store { addr, .. } = head {
        out.push(addr);
    }
    out
}

/// `addr` as invariant terms plus a factor times `var`; none if it is not, or does not move with the loop.
fn linear(ed: &mut Editor<'_>, addr: Expr, var: Sym, changed: &FxHashSet<Sym>) -> Option<(Vec<(Expr, i64)>, Factor)> {
    // A quotient that a condition keeps from being computed must not be computed before the loop.
    let is_fixed = |u: &Unit, e: Expr| {
        let stays = !u.reads_memory(e) && u.registers_in(e).iter().all(|v| *v != var && !changed.contains(v));
        stays && (trueline_ir::fault("strength_trap") || !u.may_trap(e))
    };
    let mut terms: Vec<(Expr, i64)> = Vec::new();
    let mut factor: Option<Factor> = None;
    let mut todo = vec![(addr, Factor::ONE)];
    while let Some((e, by)) = todo.pop() {
        if is_fixed(ed, e) && (by.value.is_some() || !is_sum(ed, e)) {
            terms.push(by.product(ed, e));
            continue;
        }
        match ed.expr(e) {
            ExprData::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                todo.push((b, if op == BinaryOp::Add { by } else { by.scaled(-1) }));
                todo.push((a, by));
            }
            ExprData::Unary(UnaryOp::Neg, a) => todo.push((a, by.scaled(-1))),
            ExprData::Binary(BinaryOp::Mul, a, b) => {
                let (a, b) = if is_fixed(ed, b) { (a, b) } else { (b, a) };
                let by = match (ed.pool().as_int(b), by.value) {
                    (Some(k), _) => by.scaled(k),
                    (None, None) if is_fixed(ed, b) => Factor { value: Some(b), ..by },
                    (None, Some(value)) if is_fixed(ed, b) => {
                        Factor { value: Some(ed.binary(BinaryOp::Mul, value, b)), ..by }
                    }
                    _ => return None,
                };
                todo.push((a, by));
            }
            // Subscript arithmetic in a narrower type does not overflow in a correct program.
            ExprData::Convert(Type::I8, x) if let Some(wide) = lower_m::widened(ed, x) => todo.push((wide, by)),
            data => {
                let is_var = match data {
                    ExprData::Var(v) => v == var,
                    ExprData::Convert(Type::I8, x) => ed.expr(x) == ExprData::Var(var),
                    _ => false,
                };
                let times = factor.map_or(0, |f| f.times);
                if !is_var || factor.is_some_and(|f| f.value != by.value) {
                    return None;
                }
                factor = Some(Factor { times: times.wrapping_add(by.times), ..by });
            }
        }
    }
    let factor = factor.filter(|f| f.times != 0)?;
    Some((cancel(terms), factor))
}

/// Whether `e` is a sum or a multiple, whose terms are looked at one by one.
fn is_sum(ed: &Editor<'_>, e: Expr) -> bool {
    match ed.expr(e) {
        ExprData::Binary(BinaryOp::Add | BinaryOp::Sub, ..) | ExprData::Unary(UnaryOp::Neg, _) => true,
        ExprData::Binary(BinaryOp::Mul, a, b) => [a, b].iter().any(|&x| ed.pool().as_int(x).is_some()),
        _ => false,
    }
}

/// The terms with equal ones added up, in the order of their first appearance.
fn cancel(terms: impl IntoIterator<Item = (Expr, i64)>) -> Vec<(Expr, i64)> {
    let mut out: Vec<(Expr, i64)> = Vec::new();
    for (e, k) in terms {
        match out.iter_mut().find(|(x, _)| *x == e) {
            Some((_, old)) => *old = old.wrapping_add(k),
            None => out.push((e, k)),
        }
    }
    out.retain(|(_, k)| *k != 0);
    out
}

/// The sum of terms with factors; constants last, where they fold into displacements.
fn sum(ed: &mut Editor<'_>, terms: impl IntoIterator<Item = (Expr, i64)>) -> Expr {
    let mut constant = 0i64;
    let mut total: Option<Expr> = None;
    for (e, k) in terms {
        if let Some(v) = ed.pool().as_int(e) {
            constant = constant.wrapping_add(v.wrapping_mul(k));
            continue;
        }
        let scaled = if k == 1 {
            e
        } else {
            let k = ed.int(Type::I8, k);
            ed.binary(BinaryOp::Mul, e, k)
        };
        total = Some(match total {
            Some(t) => ed.binary(BinaryOp::Add, t, scaled),
            None => scaled,
        });
    }
    let constant_expr = ed.int(Type::I8, constant);
    match total {
        Some(t) if constant == 0 => t,
        Some(t) => ed.binary(BinaryOp::Add, t, constant_expr),
        None => constant_expr,
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::check;

    #[test]
    fn loops_of_scalars_have_an_index() {
        check(
            &PASS,
            "
program p m
i8 i
r8 a(40)
i4 b(40)
do i = 1, 40 @1
  store(a, addr(a) + i * 8, -8) = load_r8(a, addr(a) + i * 8, 8) + r8(load_i4(b, addr(b) + i * 4, -4)) @2
end",
            "
i8 index.1, base.1, base.2
index.1 = 1 @1
base.1 = addr(b) @1
base.2 = addr(a) @1
do i = 1, 40 @1
  store(a, base.2 + index.1 * 8, -8) = load_r8(a, base.2 + index.1 * 8, 8) + r8(load_i4(b, base.1 + index.1 * 4, -4)) @2
  index.1 = index.1 + 1 @1
end

expand lower @1
expand lower @1
expand lower @1
rewrite @2
expand lower @1",
        );
    }

    #[test]
    fn a_step_has_one_value() {
        check(
            &PASS,
            "
program p m
i8 i
i8 k
r8 a(40)
do i = 1, 40, k @1
  store(a, addr(a) + i * 8, -8) = 1.0 @2
end",
            "
i8 p.1, by.1
p.1 = addr(a) + 8 @1
by.1 = k * 8 @1
do i = 1, 40, k @1
  store(a, p.1, -8) = 1.0 @2
  p.1 = p.1 + by.1 @1
end

expand lower @1
expand lower @1
rewrite @2
expand lower @1",
        );
    }

    #[test]
    fn a_factor_of_run_time_is_a_step() {
        check(
            &PASS,
            "
program p m
i4 i
i8 k
r8 a(40), b(400)
do i = 1, 40 @1
  store(a, addr(a) + i8(i) * 8, -8) = load_r8(b, addr(b) + i8(i) * k * 8, -8) + load_r8(b, addr(b) + i8(i + 1) * k * 8, -8) @2
end",
            "
i8 p.1, by.1, distance.1, p.2
p.1 = addr(b) + k * 16 @1
by.1 = k * 8 @1
distance.1 = k * (-8) @1
p.2 = addr(a) + 8 @1
do i = 1, 40 @1
  store(a, p.2, -8) = load_r8(b, p.1 + distance.1, -8) + load_r8(b, p.1, -8) @2
  p.1 = p.1 + by.1 @1
  p.2 = p.2 + 8 @1
end

expand lower @1
expand lower @1
expand lower @1
expand lower @1
rewrite @2
expand lower @1
expand lower @1",
        );
    }

    #[test]
    fn groups_of_vectors_that_advance_alike_share_a_pointer() {
        check(
            &PASS,
            "
program p m
i8 i
r8 a(40), b(40), c(80)
do i = 1, 40 @1
  store(a, addr(a) + i * 8, -8) = load_r8x2(b, addr(b) + i * 8, -8) + load_r8x2(c, addr(c) + i * 16, -8) @2
end",
            "
i8 p.1, p.2, distance.1
p.1 = addr(c) + 16 @1
p.2 = addr(b) + 8 @1
distance.1 = addr(a) + addr(b) * (-1) @1
do i = 1, 40 @1
  store(a, p.2 + distance.1, -8) = load_r8x2(b, p.2, -8) + load_r8x2(c, p.1, -8) @2
  p.1 = p.1 + 16 @1
  p.2 = p.2 + 8 @1
end

expand lower @1
expand lower @1
expand lower @1
rewrite @2
expand lower @1
expand lower @1",
        );
    }
}
