//! The two parts into which a loop is split before a statement with elementary functions.

use crate::analysis::depend::{Dir, Side, dependence};
use crate::analysis::loops::DoLoop;
use crate::analysis::refs::{MemRef, Region};
use crate::analysis::registers::Flow;
use rustc_hash::FxHashSet;
use trueline_ir::{BinaryOp, Expr, ExprData, Head, Intrinsic, Obstacle, Stmt, Sym, Type, Unit};

/// More functions are not computed between two parts, nor are more registers kept.
const MOST: usize = 6;

/// The division of a loop.
pub(super) struct Parts {
    /// The statement with functions: the first of the second part.
    pub(super) at: Stmt,
    /// The functions, whose arguments have none themselves.
    pub(super) calls: Vec<Expr>,
    /// The registers of the first part that the second reads.
    pub(super) kept: Vec<Sym>,
    /// The registers that change in the loop.
    changing: FxHashSet<Sym>,
}

impl Parts {
    /// Whether `e` is the same in all iterations of `l`.
    pub(super) fn is_fixed(&self, u: &Unit, l: DoLoop, e: Expr) -> bool {
        is_fixed(u, l, &self.changing, e)
    }
}

fn is_fixed(u: &Unit, l: DoLoop, changing: &FxHashSet<Sym>, e: Expr) -> bool {
    !u.reads_memory(e) && u.registers_in(e).iter().all(|v| *v != l.var && !changing.contains(v))
}

/// The parts of `l` at its first statement with functions, or the reason why it cannot be split there; none if there is no such statement.
pub(super) fn parts(u: &Unit, l: DoLoop) -> Option<Result<Parts, Obstacle>> {
    let stmts: Vec<Stmt> = u.real_stmts(l.body).collect();
    let changing = Region::of_block(u, l.body).defined;
    let functions = |s: Stmt| {
        let Head::Assign { value, .. } = u.head(s) else { return Vec::new() };
        let mut found = Found { u, l, changing: &changing, calls: Vec::new() };
        found.inside(value);
        found.calls.truncate(MOST);
        found.calls
    };
    let (k, calls) = stmts.iter().enumerate().map(|(k, &s)| (k, functions(s))).find(|(_, calls)| !calls.is_empty())?;
    let at = stmts[k];
    let (first, second) = (Region::of_all(u, &stmts[..k]), Region::of_all(u, &stmts[k..]));
    let early = arguments(u, at, &calls);
    if !memory_allows(u, l, &first, &early, &second) && !trueline_ir::fault("evaluate_memory") {
        return Some(Err(Obstacle::Carried));
    }
    let kept = match kept(u, l, &stmts[..k], &stmts[k..], &calls) {
        Some(kept) => kept,
        None => return Some(Err(Obstacle::Scalar)),
    };
    Some(Ok(Parts { at, calls, kept, changing }))
}

/// The functions in a value.
struct Found<'u> {
    u: &'u Unit,
    l: DoLoop,
    changing: &'u FxHashSet<Sym>,
    calls: Vec<Expr>,
}

impl Found<'_> {
    /// Finds the functions in `e` that have none in their arguments, and are evaluated whenever `e` is; whether there is one.
    fn inside(&mut self, e: Expr) -> bool {
        let u = self.u;
        match u.expr(e) {
            ExprData::Unary(_, a) | ExprData::Convert(_, a) => self.inside(a),
            ExprData::Binary(BinaryOp::And | BinaryOp::Or, a, _) => self.inside(a),
            ExprData::Binary(_, a, b) => {
                let left = self.inside(a);
                self.inside(b) || left
            }
            ExprData::Intrinsic(Intrinsic::Merge, _) => false,
            ExprData::Intrinsic(f, args) => {
                let args = u.list(args);
                let mut found = false;
                for &a in args {
                    found |= self.inside(a);
                }
                let moves = args.iter().any(|&a| !is_fixed(u, self.l, self.changing, a));
                if !found && moves && has_blocks(f, u.ty(e)) && args.iter().all(|&a| u.ty(a) == Type::R8) {
                    if !self.calls.contains(&e) {
                        self.calls.push(e);
                    }
                    return true;
                }
                found
            }
            _ => false,
        }
    }
}

/// Whether the runtime has a function for blocks of `f`.
fn has_blocks(f: Intrinsic, ty: Type) -> bool {
    let is_there = matches!(f, Intrinsic::Exp | Intrinsic::Log | Intrinsic::Sin | Intrinsic::Cos | Intrinsic::Pow);
    is_there && ty == Type::R8
}

/// The references to memory of `at` that belong to the arguments of `calls`.
fn arguments(u: &Unit, at: Stmt, calls: &[Expr]) -> Vec<MemRef> {
    let mut inside: FxHashSet<Expr> = FxHashSet::default();
    for &call in calls {
        u.visit_expr(call, &mut |e| {
            inside.insert(e);
        });
    }
    Region::of_all(u, &[at]).refs.into_iter().filter(|r| !r.write && inside.contains(&r.place)).collect()
}

/// Whether no reference of the second part is in an earlier iteration than one of the first, or of the arguments, to the same memory.
fn memory_allows(u: &Unit, l: DoLoop, first: &Region, early: &[MemRef], second: &Region) -> bool {
    let side = |r: &MemRef| Side::of(u, l.stmt, r.stmt);
    let defined: FxHashSet<Sym> = first.defined.union(&second.defined).copied().collect();
    second.refs.iter().all(|x| {
        first.refs.iter().chain(early).filter(|y| x.write || y.write).all(|y| {
            !dependence(u, (x, side(x).as_ref()), (y, side(y).as_ref()), 1, &defined).any(|way| way[0] == Dir::Before)
        })
    })
}

/// The registers of the first part that the second reads; none if a register goes from one iteration to the next between the parts.
fn kept(u: &Unit, l: DoLoop, before: &[Stmt], after: &[Stmt], calls: &[Expr]) -> Option<Vec<Sym>> {
    let read = |stmts: &[Stmt]| -> Vec<Sym> { stmts.iter().flat_map(|&s| u.registers_read(u.head(s))).collect() };
    let defined = |stmts: &[Stmt]| -> Vec<Sym> { stmts.iter().filter_map(|&s| u.defines(u.head(s))).collect() };
    let mut read_first = read(before);
    read_first.extend(calls.iter().flat_map(|&c| u.registers_in(c)));
    let (read_second, first, second) = (read(after), defined(before), defined(after));
    let flow = Flow::of(u, l.body);
    let crosses = first.iter().filter(|v| read_second.contains(v) || second.contains(v));
    let returns = second.iter().filter(|v| read_first.contains(v));
    if crosses.chain(returns).any(|v| flow.exposed.contains(v)) && !trueline_ir::fault("evaluate_register") {
        return None;
    }
    let mut kept: Vec<Sym> = Vec::new();
    for v in first {
        if read_second.contains(&v) && !kept.contains(&v) {
            kept.push(v);
        }
    }
    let fits = |&v: &Sym| matches!(u.sym(v).ty, Type::R4 | Type::R8 | Type::I4 | Type::I8);
    (kept.len() <= MOST && kept.iter().all(fits)).then_some(kept)
}
