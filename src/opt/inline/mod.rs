//! Inline: the body of a small procedure takes the place of a call.
//!
//! ```text
//! call axpy(3, x, y)       @4         n = 3                   @4
//!                                     do i = 1, n             @8
//! subroutine axpy(n, x, y) @7   =>      y(i) = y(i) + x(i)    @9
//!   do i = 1, n            @8         end
//!     y(i) = y(i) + x(i)   @9
//! ```
//!
//! The statements of the procedure keep their own sets, so the profile still attributes them to the procedure; the
//! statements that bind the arguments belong to the call. Callees come before callers (the manager sees to it), so an
//! inlined body has its own calls inlined already. Of procedures that call themselves, see `recursion.rs`.
//!
//! Arguments are bound to the actual places themselves, never to copies of addresses: alias analysis goes by
//! symbols, and a second name for the same memory would mislead it. A dummy array becomes the actual array with
//! other subscripts, where their shapes allow that address by address, or a view of the same static memory. If an
//! argument allows neither, the call stays.

mod bind;
mod copy;
pub mod nests;
mod recursion;
mod returns;
mod structures;
#[cfg(test)]
mod tests;

use crate::analysis::refs::Region;
use crate::{Context, OptLevel, Pass};
use bind::{Binding, Constants};
use copy::Copier;
use recursion::Base;
use rustc_hash::FxHashMap;
use trueline_ir::{
    Callee, Editor, Expr, ExprData, Head, Level, Obstacle, Place, Stmt, Storage, Sym, Unit, UnitKind, Why,
};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O3,
    interprocedural: true,
    ..Pass::new("inline", "put the bodies of small procedures in the place of calls", run)
};

/// The largest size of a procedure that is inlined at a call in a loop,
const SIZE_IN_LOOP: usize = 120;
/// and at a call outside of loops.
const SIZE_OUTSIDE: usize = 30;
/// A call that a previous run made at least this often
const OFTEN: u64 = 10_000;
/// is replaced by a procedure of up to this size.
const SIZE_OFTEN: usize = 200;
/// Procedures with more statements than this are not examined further.
const MAX_STMTS: usize = 1000;
/// The most that a unit may grow.
const GROWTH: usize = 3000;

/// A procedure, and its size or why it cannot be inlined.
type Known<'a> = (&'a Unit, Result<usize, Obstacle>);

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    let calls: Vec<Stmt> = ed.walk().into_iter().filter(|&s| callee_of(ed, s).is_some()).collect();
    if calls.is_empty() || ed.level() != Level::H {
        return;
    }
    let mut known: FxHashMap<String, Option<Known<'_>>> = FxHashMap::default();
    let mut bases: FxHashMap<String, Option<Base>> = FxHashMap::default();
    let mut left = GROWTH;
    let constants = Constants::of(ed);
    for call in calls {
        let Some(symbol) = callee_of(ed, call) else { continue };
        let fits = match known.get(symbol) {
            Some(&found) => found,
            None => {
                let found = context.callee(symbol).map(|c| (c, size_of(c)));
                known.insert(symbol.to_owned(), found);
                found
            }
        };
        let Some((callee, size)) = fits else { continue };
        if context.never_ran(ed, call) {
            continue;
        }
        let fits = |n: &usize| *n <= left && *n <= limit(ed, call, context);
        if size.is_err() && limit(ed, call, context) > SIZE_OUTSIDE {
            let base = bases.entry(callee.symbol().to_owned()).or_insert_with(|| Base::of(callee));
            if let Some(base) = base.as_ref().filter(|b| fits(&b.size)) {
                left -= base.size;
                recursion::replace(ed, call, callee, base, &constants);
                continue;
            }
        }
        let bound = size.and_then(|n| Some(n).filter(fits).ok_or(Obstacle::Size));
        let bound =
            bound.and_then(|n| Ok((n, bind::bindings(ed, call, callee, &constants).ok_or(Obstacle::Argument)?)));
        match bound {
            Ok((size, bindings)) => {
                left -= size;
                inline(ed, call, callee, bindings);
            }
            Err(why) => ed.missed(call, "not inlined", why),
        }
    }
    recursion::unroll(ed, &constants);
}

/// The linker symbol of the procedure that `s` calls.
fn callee_of(u: &Unit, s: Stmt) -> Option<&str> {
    match u.head(s) {
        Head::Call { callee: Callee::Proc(p), .. } if !u.proc(p).is_libm => Some(&u.proc(p).symbol),
        _ => None,
    }
}

/// The largest size of a procedure that replaces `call`.
fn limit(u: &Unit, call: Stmt, context: &Context<'_>) -> usize {
    let in_loop = u.ancestors(call).any(|a| u.head(a).is_loop());
    match context.at_most(u, call) {
        Some(n) if n >= OFTEN => SIZE_OFTEN,
        _ if in_loop => SIZE_IN_LOOP,
        _ => SIZE_OUTSIDE,
    }
}

/// The size of the procedure, or the obstacle to inlining it anywhere.
fn size_of(callee: &Unit) -> Result<usize, Obstacle> {
    if callee.is_deep() || !is_small(callee) {
        return Err(Obstacle::Size);
    }
    if !matches!(callee.kind(), UnitKind::Subroutine | UnitKind::Function) || callee.level() != Level::H {
        return Err(Obstacle::Memory);
    }
    let mut region = Region::default();
    for s in callee.walk() {
        region.add(callee, s);
        let by_address = match callee.head(s) {
            Head::Call { callee: Callee::Dummy(_), .. } => true,
            Head::Call { callee: Callee::Proc(p), .. } => callee.proc(p).is_by_address(),
            // The frame of a procedure with targets is to end with it.
            Head::Call { callee: Callee::Rt(trueline_ir::Rt::EndTarget), .. } => true,
            _ => false,
        };
        if by_address || matches!(callee.head(s), Head::Probe { .. }) {
            return Err(Obstacle::Effects);
        }
        if region.size > SIZE_OFTEN {
            return Err(Obstacle::Size);
        }
    }
    match () {
        () if calls_itself(callee) => Err(Obstacle::Recursive),
        () if !memory_is_plain(callee) => Err(Obstacle::Memory),
        () => Ok(region.size),
    }
}

/// Whether the unit has few statements; counted no further than it takes to know.
fn is_small(u: &Unit) -> bool {
    let mut blocks = vec![u.body()];
    let mut count = 0;
    while let Some(b) = blocks.pop() {
        for s in u.real_stmts(b) {
            count += 1;
            if count > MAX_STMTS {
                return false;
            }
            blocks.extend_from_slice(u.blocks(s));
        }
    }
    true
}

/// Whether the caller can name all memory of the procedure: it can name memory that the procedure allocates itself;
/// memory behind an address that the procedure got from elsewhere would have a second name.
fn memory_is_plain(callee: &Unit) -> bool {
    let stmts = callee.walk();
    callee.syms().filter(|(_, data)| !data.is_for_counts()).all(|(_, data)| match data.storage {
        Storage::Pointer { base } => stmts.iter().all(|&s| match callee.head(s) {
            Head::Assign { value, .. } if callee.defines(callee.head(s)) == Some(base) => {
                callee.pool().is_constant(value)
            }
            head @ Head::Call { .. } => {
                !callee.references(head).iter().any(|(_, p)| callee.expr(*p) == ExprData::Var(base))
            }
            _ => true,
        }),
        // A component of a dummy argument becomes one of the actual argument.
        Storage::Within { root, .. } => {
            let is_dummy =
                matches!(callee.sym(root).storage, Storage::Dummy { .. }) && callee.sym(root).dims.is_empty();
            !data.may_alias && (callee.sym(root).storage == Storage::Frame || is_dummy)
        }
        _ => !data.may_alias,
    })
}

fn calls_itself(callee: &Unit) -> bool {
    callee.walk().into_iter().any(|s| callee_of(callee, s) == Some(callee.symbol()))
}

/// Replaces `call` by the body of `callee`.
fn inline(ed: &mut Editor<'_>, call: Stmt, callee: &Unit, bindings: Vec<Binding>) {
    let mut copier = Copier::new(ed, callee, call);
    copier.bind_all(bindings);
    copier.body();
    finish(copier, Why::Inlined);
}

/// Replaces `call` in a nest by the body of `callee`, in which RETURNs are no jumps.
fn inline_without_jumps(ed: &mut Editor<'_>, call: Stmt, callee: &Unit, bindings: Vec<Binding>) {
    let mut copier = Copier::new(ed, callee, call);
    copier.in_nest = true;
    copier.bind_all(bindings);
    copier.body_without_jumps();
    finish(copier, Why::Inlined);
}

/// Replaces `call` by the base case of `callee`, and a call for the rest.
fn inline_base(ed: &mut Editor<'_>, call: Stmt, callee: &Unit, base: &Base, bindings: Vec<Binding>) {
    let mut copier = Copier::new(ed, callee, call);
    copier.bind_all(bindings);
    copier.base(base);
    finish(copier, Why::InlinedPart);
}

/// Hands the result over; the call goes.
fn finish(mut copier: Copier<'_, '_, '_>, why: Why) {
    let (call, callee) = (copier.call, copier.callee);
    if let (Head::Call { result, .. }, Some(from)) = (copier.ed.head(call), callee.result())
        && let Some(to) = result.expand()
        && !trueline_ir::fault("inline_result")
    {
        let value = copier.register_value(from);
        copier.assign_for_call(to, value);
    }
    copier.note().eliminate(call, why);
}

/// An actual argument as a place of the caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// A scalar: a variable or element.
    Scalar(Expr),
    /// A whole symbol with the dummy's own shape, or one whose elements have the same subscripts.
    Symbol(Sym),
    /// Elements of an array: `start` has the subscripts of the first element; the dummy's subscripts, relative to its
    /// lower bounds `lower`, are added to the first of them.
    Elements { array: Sym, start: Vec<Expr>, lower: Vec<i64> },
}

/// The place of the statements that stand for the call.
pub(crate) fn before(call: Stmt) -> Place {
    Place::Before(call)
}
