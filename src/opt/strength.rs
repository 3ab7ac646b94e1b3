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
//! A step that is no constant is multiplied before the loop. Loops of scalars that go one by one, and were not unrolled, have one index for all groups on a processor that multiplies it in the address:
//! `[base + index*8 + displacement]`, also for elements of different sizes. The remainder of a loop of vectors keeps its pointers: it runs for a few
//! elements, and the values before it would take registers from the vectors.
//!
//! Measured on a five-array stencil against index arithmetic at each reference: 2.3 against 1.5 cycles
//! an element.

use crate::{Context, Pass};
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
    factor: i64,
    addrs: Vec<Expr>,
}

fn reduce(ed: &mut Editor<'_>, s: Stmt, var: Sym, lo: Expr, step: Expr, displaces_far: bool) {
    let groups = groups(ed, s, var);
    if groups.is_empty() {
        return;
    }
    let vectors = has_vectors(ed, s);
    let shares = groups.len() > MOST_POINTERS || displaces_far && vectors;
    let lo = ed.widen(lo);
    let are_scaled = displaces_far && groups.len() > 1 && groups.iter().all(|g| SCALES.contains(&g.factor));
    let fixed = ed.pool().as_int(step);
    let counts = are_scaled && fixed == Some(1) && !vectors && !is_rest(ed, s);
    let index = counts.then(|| define_before(ed, s, "index", lo));
    let mut replaced: Vec<(Expr, Expr)> = Vec::new();
    let mut advanced: Vec<(Sym, Expr)> = Vec::new();
    let mut pointers: Vec<(i64, Sym, &Group)> = Vec::new();
    for g in &groups {
        let addr = match pointers.iter().find(|(f, ..)| *f == g.factor) {
            _ if let Some(index) = index => {
                let start = sum(ed, g.terms.iter().copied());
                let base = define_before(ed, s, "base", start);
                let factor = if trueline_ir::fault("strength_scale") { groups[0].factor } else { g.factor };
                let (base, index, factor) = (ed.var(base), ed.var(index), ed.int(Type::I8, factor));
                let scaled = ed.binary(BinaryOp::Mul, index, factor);
                ed.binary(BinaryOp::Add, base, scaled)
            }
            // The distance to the pointer that advances alike does not change in the loop.
            Some(&(_, p, first)) if shares => {
                let terms = g.terms.iter().copied().chain(first.terms.iter().map(|&(e, k)| (e, k.wrapping_neg())));
                let distance = sum(ed, cancel(terms));
                let distance = define_before(ed, s, "distance", distance);
                let (p, distance) = (ed.var(p), ed.var(distance));
                ed.binary(BinaryOp::Add, p, distance)
            }
            _ => {
                let start = sum(ed, g.terms.iter().copied().chain([(lo, g.factor)]));
                let p = define_before(ed, s, "p", start);
                let by = match fixed {
                    Some(_) if trueline_ir::fault("strength_step") => ed.int(Type::I8, g.factor),
                    Some(step) => ed.int(Type::I8, g.factor.wrapping_mul(step)),
                    // The step has one value, that before the loop.
                    None => {
                        let (step, factor) = (ed.widen(step), ed.int(Type::I8, g.factor));
                        let by = ed.binary(BinaryOp::Mul, step, factor);
                        let by = define_before(ed, s, "by", by);
                        ed.var(by)
                    }
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
fn groups(ed: &Editor<'_>, s: Stmt, var: Sym) -> Vec<Group> {
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

/// `addr` as invariant terms plus `factor * var`; none if it is not, or does not move with the loop.
fn linear(unit: &Unit, addr: Expr, var: Sym, changed: &FxHashSet<Sym>) -> Option<(Vec<(Expr, i64)>, i64)> {
    let mut terms: Vec<(Expr, i64)> = Vec::new();
    let mut factor = 0i64;
    let mut todo = vec![(addr, 1i64)];
    while let Some((e, k)) = todo.pop() {
        match unit.expr(e) {
            ExprData::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                todo.push((b, if op == BinaryOp::Add { k } else { k.wrapping_neg() }));
                todo.push((a, k));
            }
            ExprData::Unary(UnaryOp::Neg, a) => todo.push((a, k.wrapping_neg())),
            ExprData::Binary(BinaryOp::Mul, a, b) if unit.pool().as_int(b).is_some() => {
                todo.push((a, k.wrapping_mul(unit.pool().as_int(b)?)));
            }
            ExprData::Binary(BinaryOp::Mul, a, b) if unit.pool().as_int(a).is_some() => {
                todo.push((b, k.wrapping_mul(unit.pool().as_int(a)?)));
            }
            ExprData::Var(v) if v == var => factor = factor.wrapping_add(k),
            ExprData::Convert(Type::I8, x) if unit.expr(x) == ExprData::Var(var) => factor = factor.wrapping_add(k),
            _ => {
                let fixed =
                    !unit.reads_memory(e) && unit.registers_in(e).iter().all(|v| *v != var && !changed.contains(v));
                if !fixed {
                    return None;
                }
                match terms.iter_mut().find(|(t, _)| *t == e) {
                    Some((_, old)) => *old = old.wrapping_add(k),
                    None => terms.push((e, k)),
                }
            }
        }
    }
    terms.retain(|(_, k)| *k != 0);
    (factor != 0).then_some((terms, factor))
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
