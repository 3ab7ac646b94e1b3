//! Values: a scalar that a procedure only reads is passed in a register.
//!
//! ```text
//! function f(n) result r              function f(n) result r
//! i4 n intent_in                      i4 n value loaded
//!   if n < 2 @2                         if n < 2 @2
//!   …                           =>      …
//!   r = call f(&in t) @5                r = call f(t) @5
//! ```
//!
//! A caller that passes a reference has to store the value, whose variable is no register then, and the procedure loads it again. Calls that know the
//! procedure pass the value. All others, of other objects or through a dummy procedure, go on to pass the address: the entry of the procedure, code
//! between its symbol and its body, loads the value, so it has to be one that the procedure is sure to load first of all.
//!
//! Callees come before callers. A call in a circle of procedures may go on to pass addresses.

use super::{Callees, called};
use crate::OptLevel;
use crate::alias::memory_of;
use crate::pass::{Context, Pass};
use crate::rewrite::evaluated;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use trueline_ir::{Block, Callee, Editor, Expr, ExprData, Head, Level, Stmt, Storage, Sym, Type, Unit, UnitKind};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O2,
    interprocedural: true,
    ..Pass::new("values", "pass scalars that are only read in registers", run)
};

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    if ed.level() != Level::H || context.entry_registers == 0 {
        return;
    }
    let own = candidates(ed, context.entry_registers);
    for &p in &own {
        ed.load_at_entry(p);
    }
    let mut callees = Callees::new(context);
    for s in ed.walk() {
        let Some((symbol, _)) = called(ed, s) else { continue };
        let is_own = symbol == ed.symbol();
        let params = if is_own { loaded(ed) } else { callees.get(symbol).map_or_else(Vec::new, loaded) };
        pass_values(ed, s, &params);
    }
}

/// The types of the parameters of `u` that its entry loads.
fn loaded(u: &Unit) -> Vec<Option<Type>> {
    u.params().iter().map(|&p| u.sym(p)).map(|sym| sym.is_loaded.then_some(sym.ty)).collect()
}

/// Lets the call at `s` pass values, if it passes places of these types.
fn pass_values(ed: &mut Editor<'_>, s: Stmt, params: &[Option<Type>]) {
    let Head::Call { callee, args, result } = ed.head(s) else { return };
    let mut list = ed.list(args).to_vec();
    if list.len() != params.len() || params.iter().all(Option::is_none) {
        return;
    }
    for (a, ty) in list.iter_mut().zip(params) {
        let Some(ty) = *ty else { continue };
        match ed.expr(*a) {
            ExprData::AddrOf(_, place) if ed.ty(place) == ty && is_scalar(ed, place) => *a = place,
            _ => return,
        }
    }
    let args = ed.make_list(&list);
    ed.expand_in_place(s, Head::Call { callee, args, result });
}

/// Whether the place is a value where it stands in an expression.
fn is_scalar(u: &Unit, place: Expr) -> bool {
    match u.expr(place) {
        ExprData::Var(v) => u.sym(v).dims.is_empty(),
        ExprData::Elem(..) => true,
        _ => false,
    }
}

/// The dummies of `u` that come in registers, where the entry has this number of them.
fn candidates(u: &Unit, registers: usize) -> Vec<Sym> {
    let fits = |p: &Sym| match u.sym(*p).storage {
        Storage::Value { .. } => !u.sym(*p).ty.is_real() && !u.sym(*p).ty.is_complex(),
        _ => true,
    };
    let is_procedure = matches!(u.kind(), UnitKind::Subroutine | UnitKind::Function);
    if !is_procedure || u.returned().is_some() || u.params().len() > registers || !u.params().iter().all(fits) {
        return Vec::new();
    }
    if u.result().is_some_and(|r| u.sym(r).ty.is_complex()) {
        return Vec::new();
    }
    let mut left: FxHashSet<Sym> = u.params().iter().copied().filter(|&p| is_number(u, p)).collect();
    let mut passed: Vec<(usize, Sym)> = Vec::new();
    for (_, sym) in u.syms() {
        if let Storage::Within { root, .. } = sym.storage {
            left.remove(&root);
        }
    }
    for s in u.walk() {
        let head = u.head(s);
        if let Head::Assign { place, .. } = head
            && let Some(v) = memory_of(u, place)
            && !trueline_ir::fault("values_of_written")
        {
            left.remove(&v);
        }
        let is_own = called(u, s).is_some_and(|(symbol, args)| symbol == u.symbol() && args.len() == u.params().len());
        let (Head::Call { args, .. } | Head::GhostCall { args, .. }) = head else { continue };
        for (k, &a) in u.list(args).iter().enumerate() {
            let ExprData::AddrOf(_, place) = u.expr(a) else { continue };
            let Some(v) = memory_of(u, place) else { continue };
            if is_own {
                passed.push((k, v))
            } else {
                left.remove(&v);
            }
        }
    }
    let early = read_first(u, u.body(), &left);
    left.retain(|v| early.contains(v));
    loop {
        // A call of itself takes the address unless that argument is a value there, too.
        let by_address =
            |&&(k, v): &&(usize, Sym)| left.contains(&v) && !u.params().get(k).is_some_and(|p| left.contains(p));
        let gone: Vec<Sym> = passed.iter().filter(by_address).map(|x| x.1).collect();
        if gone.is_empty() {
            break;
        }
        left.retain(|v| !gone.contains(v));
    }
    u.params().iter().copied().filter(|p| left.contains(p)).collect()
}

fn is_number(u: &Unit, p: Sym) -> bool {
    let sym = u.sym(p);
    let ty = matches!(sym.ty, Type::I4 | Type::I8 | Type::L4 | Type::L8 | Type::R4 | Type::R8);
    matches!(sym.storage, Storage::Dummy { .. }) && ty && sym.dims.is_empty() && !sym.may_alias && sym.mapping.is_none()
}

/// The dummies of `wanted` that every way through the block reads, before anything else can happen.
fn read_first(u: &Unit, block: Block, wanted: &FxHashSet<Sym>) -> FxHashSet<Sym> {
    let mut out = FxHashSet::default();
    for s in u.stmts(block) {
        let head = u.head(s);
        if head.is_invisible() {
            continue;
        }
        let values = if matches!(head, Head::DoWhile { .. }) { SmallVec::new() } else { u.values(head) };
        for e in values {
            evaluated(u, e, |x| {
                if let ExprData::Var(v) = u.expr(x)
                    && wanted.contains(&v)
                {
                    out.insert(v);
                }
            });
        }
        let goes_on = match head {
            Head::Assign { .. } => true,
            Head::Call { callee: Callee::Proc(p), .. } => u.proc(p).is_libm,
            Head::If { .. } => {
                let [then, otherwise] = [0, 1].map(|k| read_first(u, u.blocks(s)[k], wanted));
                out.extend(then.intersection(&otherwise));
                false
            }
            _ => false,
        };
        if !goes_on {
            break;
        }
    }
    out
}
