//! Common subexpressions: a value that has been computed, or loaded, on every path and has not changed since is kept in
//! a register.
//!
//! ```text
//! x = a(i) * b + 1   @1        t = a(i) * b   @{1,2}
//! y = a(i) * b + 2   @2   =>   x = t + 1      @1
//!                              y = t + 2      @2
//! ```
//!
//! An expression is available from the statement that computes it in any case (not under the right side
//! of `.and.`) until a register in it is assigned or memory it reads may be written. An assignment to a
//! register makes that register the place where its value is at hand; a store of a register makes it the
//! place where the element is, and the element that a constant is stored to is that constant. A vector of
//! one value in all lanes is stored as separate elements: to load one of these from a vector that was just
//! stored takes longer than the store itself (`livermore10`: 1.7 times gfortran -O3). Integer sums are left to
//! addressing modes and to code generation.

mod available;
#[cfg(test)]
mod tests;

use crate::forward::{self, Facts, Next};
use crate::linear::Linear;
use crate::rewrite::{rebuild, rewrite, values_in};
use crate::{Context, Pass};
use available::{Available, Fact, Held};
use rustc_hash::FxHashMap;
use trueline_ir::{BinaryOp, Editor, Expr, ExprData, Head, Level, Place, Stmt, Sym, Type, Unit};

/// See the module documentation.
pub const PASS: Pass =
    Pass { at: &[Level::H, Level::M], ..Pass::new("cse", "compute common subexpressions once", run) };

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    let mut cse =
        Cse { available: Available::new(ed), groups: Vec::new(), worth: FxHashMap::default(), lanes: Vec::new() };
    forward::walk(ed, &mut cse);
    materialize(ed, cse.groups);
}

/// An expression computed by one statement, and the later statements that need not compute it again.
struct Group {
    expr: Expr,
    creator: Stmt,
    users: Vec<Stmt>,
    /// The register that keeps its value, once there is a user.
    holder: Option<Sym>,
}

struct Cse {
    available: Available,
    /// In the order of statements, and in a statement larger expressions before their parts.
    groups: Vec<Group>,
    worth: FxHashMap<Expr, bool>,
    /// The elements that the statement at hand stores as one vector, and where their value is.
    lanes: Vec<(Expr, Held)>,
}

impl Facts for Cse {
    fn mark(&mut self) -> usize {
        self.available.mark()
    }

    fn rollback(&mut self, mark: usize) {
        self.available.rollback(mark);
    }

    fn forget(&mut self, unit: &Unit, head: Head) {
        self.available.forget(unit, head);
    }

    fn forget_since(&mut self, time: u32) {
        self.available.forget_since(time);
    }

    fn forget_all(&mut self) {
        self.available.forget_all();
    }

    fn rewrite(&mut self, ed: &mut Editor<'_>, s: Stmt, time: u32) -> Next {
        let head = ed.head(s);
        if head.is_invisible() {
            return Next::Go;
        }
        let mut memo = FxHashMap::default();
        rewrite(ed, s, &mut |ed, e| self.reuse(ed, s, e, &mut memo));
        if matches!(head, Head::If { .. } | Head::Select { .. }) {
            self.create(ed, s, time);
        }
        self.lanes = lanes(ed, s);
        Next::Go
    }

    fn learn(&mut self, unit: &Unit, s: Stmt, time: u32) {
        let head = unit.head(s);
        if head.is_invisible() {
            return;
        }
        self.create(unit, s, time);
        for (place, held) in std::mem::take(&mut self.lanes) {
            self.available.insert(unit, place, Fact { time, held });
        }
        let Head::Assign { place, value } = head else { return };
        if let Some(v) = unit.defines(head) {
            if self.is_worth(unit, value) && !unit.mentions(value, v) {
                self.available.insert(unit, value, Fact { time, held: Held::Register(v) });
            }
        } else if unit.ty(place) == unit.ty(value)
            && let Some(held) = held(unit, value)
        {
            self.available.insert(unit, place, Fact { time, held });
        }
    }
}

/// Where a value is that takes no computation: in a register, or nowhere, since it is constant.
fn held(unit: &Unit, value: Expr) -> Option<Held> {
    match unit.expr(value) {
        ExprData::Var(v) if unit.sym(v).is_register() => Some(Held::Register(v)),
        ExprData::Int(..) | ExprData::Real(..) | ExprData::Logical(..) => Some(Held::Constant(value)),
        _ => None,
    }
}

/// The elements that `s` stores as one vector with the same value in all lanes, each with the place of this value.
fn lanes(ed: &mut Editor<'_>, s: Stmt) -> Vec<(Expr, Held)> {
    let Head::Assign { place, value } = ed.head(s) else { return Vec::new() };
    let (ExprData::Wide(ty, array, list), ExprData::Convert(to, one)) = (ed.expr(place), ed.expr(value)) else {
        return Vec::new();
    };
    let Some(held) = held(ed, one).filter(|_| to == ty && ed.ty(one) == ed.sym(array).ty && !ed.ty(one).is_vector())
    else {
        return Vec::new();
    };
    let subscripts = ed.list(list).to_vec();
    let first = Linear::of(ed, subscripts[0]);
    let last = if trueline_ir::fault("cse_lane") { ty.lanes() + 1 } else { ty.lanes() };
    let mut out = Vec::new();
    for lane in 0..last {
        let mut at = first.clone();
        at.constant = at.constant.wrapping_add(lane as i64);
        let mut subscripts = subscripts.clone();
        subscripts[0] = at.build(ed);
        let subscripts = ed.make_list(&subscripts);
        out.push((ed.make(ExprData::Elem(array, subscripts)), held));
    }
    out
}

impl Cse {
    /// `e` with the largest parts replaced that are at hand.
    fn reuse(&mut self, ed: &mut Editor<'_>, s: Stmt, e: Expr, memo: &mut FxHashMap<Expr, Expr>) -> Expr {
        if let Some(&done) = memo.get(&e) {
            return done;
        }
        let new = match self.at_hand(ed, s, e) {
            Some(held) => held,
            None => {
                let inner = rebuild(ed, e, &mut |ed, x| self.reuse(ed, s, x, memo));
                if inner == e { e } else { self.at_hand(ed, s, inner).unwrap_or(inner) }
            }
        };
        memo.insert(e, new);
        new
    }

    fn at_hand(&mut self, ed: &mut Editor<'_>, s: Stmt, e: Expr) -> Option<Expr> {
        let v = match self.available.get(e)?.held {
            Held::Register(v) => v,
            Held::Constant(c) => return Some(c),
            Held::Group(g) => {
                let group = &mut self.groups[g as usize];
                if group.users.last() != Some(&s) {
                    group.users.push(s);
                }
                *group.holder.get_or_insert_with(|| ed.new_register("cse", ed.ty(e)))
            }
        };
        Some(ed.var(v))
    }

    /// Makes the expressions that `s` certainly computes available, unless `s` itself changes them.
    fn create(&mut self, unit: &Unit, s: Stmt, time: u32) {
        let head = unit.head(s);
        let changes = self.available.changes(unit, head);
        let mut todo: Vec<Expr> = unit.values(head).into_iter().rev().collect();
        while let Some(e) = todo.pop() {
            if self.is_worth(unit, e)
                && self.available.get(e).is_none()
                && !self.available.changed_by(unit, e, &changes)
            {
                let g = self.groups.len() as u32;
                self.groups.push(Group { expr: e, creator: s, users: Vec::new(), holder: None });
                self.available.insert(unit, e, Fact { time, held: Held::Group(g) });
            }
            let from = todo.len();
            match unit.expr(e) {
                // The right operand is computed only sometimes.
                ExprData::Binary(BinaryOp::And | BinaryOp::Or, a, _) => todo.push(a),
                _ => values_in(unit, e, &mut |x| todo.push(x)),
            }
            todo[from..].reverse();
        }
    }

    /// Whether keeping the value of `e` is better than computing it again.
    fn is_worth(&mut self, u: &Unit, e: Expr) -> bool {
        if let Some(&known) = self.worth.get(&e) {
            return known;
        }
        let ty = u.ty(e);
        let int = |e: Expr| matches!(u.ty(e), Type::I1 | Type::I2 | Type::I4 | Type::I8);
        let worth = ty != Type::Char
            && match u.expr(e) {
                ExprData::Var(v) => !u.sym(v).is_register() && u.sym(v).dims.is_empty(),
                ExprData::Elem(..) | ExprData::Wide(..) | ExprData::Load { .. } => true,
                ExprData::Unary(..) | ExprData::Binary(..) if ty.is_vector() => true,
                ExprData::Binary(op, a, b) if int(a) => match op {
                    BinaryOp::Mul => !u.pool().is_constant(a) && !u.pool().is_constant(b),
                    BinaryOp::Div => true,
                    _ => false,
                },
                ExprData::Binary(op, a, _) => !op.is_comparison() && (u.ty(a).is_real() || u.ty(a).is_complex()),
                // The code generator looks for constants in all lanes, and makes each once in a loop.
                ExprData::Convert(_, a) if ty.is_vector() && u.pool().is_constant(a) => false,
                ExprData::Convert(_, a) => int(e) != int(a),
                ExprData::Intrinsic(i, _) => !i.is_transformational(),
                _ => false,
            };
        self.worth.insert(e, worth);
        worth
    }
}

/// Computes the values that have users into registers, before the statements that computed them first.
/// Larger expressions come first, so that their parts end up before them.
fn materialize(ed: &mut Editor<'_>, groups: Vec<Group>) {
    // The statements that now compute the creator's expressions: the creator and the new ones before it.
    let mut made: FxHashMap<Stmt, Vec<Stmt>> = FxHashMap::default();
    for group in groups {
        let Some(holder) = group.holder else { continue };
        let (place, value) = (ed.var(holder), group.expr);
        let parts = made.entry(group.creator).or_insert_with(|| vec![group.creator]);
        let first = *parts.last().expect("a creator is among its parts");
        let users: Vec<Stmt> = std::iter::once(group.creator).chain(group.users.iter().copied()).collect();
        let new = ed.merge_common(&users, Head::Assign { place, value }, Place::Before(first));
        for &s in parts.iter() {
            rewrite(ed, s, &mut |ed, e| replace(ed, e, value, place, &mut FxHashMap::default()));
        }
        parts.push(new);
    }
}

fn replace(ed: &mut Editor<'_>, e: Expr, from: Expr, to: Expr, memo: &mut FxHashMap<Expr, Expr>) -> Expr {
    if e == from {
        return to;
    }
    if let Some(&done) = memo.get(&e) {
        return done;
    }
    let new = rebuild(ed, e, &mut |ed, x| replace(ed, x, from, to, memo));
    memo.insert(e, new);
    new
}
