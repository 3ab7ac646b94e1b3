//! Recursive procedures: the base case stands at their calls, and a tiny procedure is inlined into itself.
//!
//! ```text
//! f = call fib(k)          @4         if (k < 2)              @4
//!                                       f = k                 @9<4
//! function fib(n)          @7   =>    else
//!   if (n < 2) then        @8           f = call fib(k)       @4
//!     fib = n              @9         end
//!   else
//!     fib = fib(n - 1) + fib(n - 2)
//!   end if
//! ```
//!
//! An activation either stands wholly at the call or is wholly called, so nothing is counted twice, and no timer of a copy is around the
//! procedure itself. Which of the two it is, is decided by the condition that the procedure decides first.
//!
//! A procedure that does nothing but calculate and call itself is inlined into itself, level by level. Its copies have no timers of
//! their own: an activation is around each of them (`trueline_instrument`, `timer.rs`).
//!
//! Procedures that are checked ask at their entry whether there is room on the stack (`-fcheck=recursion`). An activation asks once, for all
//! copies in it; the base case, which calls nothing, has no need to ask.

use super::bind::{Constants, bindings};
use super::{callee_of, calls_itself, inline, is_small, memory_is_plain};
use crate::analysis::refs::Region;
use rustc_hash::FxHashSet;
use trueline_ir::{Callee, Editor, Expr, Head, Level, Obstacle, Rt, Stmt, Storage, Sym, SymData, Unit, UnitKind};

/// The largest base case that stands at a call of the procedure in itself.
const SIZE_OF_BASE: usize = 30;
/// The size up to which a procedure grows that is inlined into itself.
const SIZE_OF_LEVELS: usize = 1000;
/// The levels of a procedure that one activation does at most.
const LEVELS: usize = 6;

/// The way through a recursive procedure that calls nothing.
pub(super) struct Base {
    /// The conditional that decides.
    pub(super) test: Stmt,
    /// The number of its block on the way.
    pub(super) arm: usize,
    /// The statements before it.
    pub(super) first: Vec<Stmt>,
    /// The statements of the block.
    pub(super) then: Vec<Stmt>,
    /// The statements behind it.
    pub(super) rest: Vec<Stmt>,
    /// Statements and operations.
    pub(super) size: usize,
}

impl Base {
    /// The base case of a procedure that calls itself.
    pub(super) fn of(callee: &Unit) -> Option<Base> {
        let is_procedure = matches!(callee.kind(), UnitKind::Subroutine | UnitKind::Function);
        if !is_procedure || callee.level() != Level::H || callee.is_deep() || !is_small(callee) {
            return None;
        }
        if !calls_itself(callee) || !memory_is_plain(callee) {
            return None;
        }
        let test = decision(callee)?;
        // The base case calls nothing, so the room that its caller has is enough.
        let body: Vec<Stmt> = callee.stmts(callee.body()).filter(|&s| !asks_for_room(callee, s)).collect();
        let at = body.iter().position(|&s| s == test)?;
        (0..2).find_map(|arm| {
            let then = without_return(callee, callee.stmts(callee.blocks(test)[arm]).collect());
            let rest = if then.1 { Vec::new() } else { without_return(callee, body[at + 1..].to_vec()).0 };
            let first = body[..at].to_vec();
            let all: Vec<Stmt> = [&first[..], &then.0, &rest].concat();
            let all: Vec<Stmt> = all.into_iter().flat_map(|s| callee.walk_stmt(s)).collect();
            if !all.iter().all(|&s| is_simple(callee, callee.head(s))) {
                return None;
            }
            let mut region = Region::default();
            all.iter().for_each(|&s| region.add(callee, s));
            Some(Base { test, arm, first, then: then.0, rest, size: region.size })
        })
    }

    /// All statements, the deciding one first.
    pub(super) fn stmts(&self, callee: &Unit) -> Vec<Stmt> {
        let parts = self.first.iter().chain(&self.then).chain(&self.rest);
        std::iter::once(self.test).chain(parts.flat_map(|&s| callee.walk_stmt(s))).collect()
    }
}

/// The conditional that a procedure decides first, before anything but assignments to registers that it does not read.
fn decision(callee: &Unit) -> Option<Stmt> {
    let mut set: FxHashSet<Sym> = FxHashSet::default();
    for s in callee.real_stmts(callee.body()).filter(|&s| !asks_for_room(callee, s)) {
        let head = callee.head(s);
        match head {
            Head::Assign { .. } => _ = set.insert(callee.defines(head)?),
            Head::If { .. } => {
                let reads_one = callee.registers_read(head).iter().any(|v| set.contains(v));
                return (!reads_one).then_some(s);
            }
            _ => return None,
        }
    }
    None
}

/// Whether the statement asks whether there is room on the stack, or ends the program if there is none.
pub(super) fn asks_for_room(u: &Unit, s: Stmt) -> bool {
    let room = |s: Stmt| match u.head(s) {
        Head::Call { callee: Callee::Rt(Rt::StackLeft), result, .. } => result.expand(),
        _ => None,
    };
    let compares = |s: Stmt, v: Sym| {
        let is_of_room = |cond: Expr| u.mentions(cond, v) || trueline_ir::fault("inline_without_check");
        crate::uncheck::check_of(u, s).is_some_and(is_of_room)
    };
    let asked = |call: Option<Stmt>, check: Option<Stmt>| {
        let room = call.and_then(room);
        room.is_some_and(|v| check.is_some_and(|s| compares(s, v)))
    };
    asked(Some(s), u.next_real(s)) || asked(u.prev_real(s), Some(s))
}

/// The statements without a RETURN at their end, and whether there was one.
fn without_return(callee: &Unit, mut stmts: Vec<Stmt>) -> (Vec<Stmt>, bool) {
    let last = stmts.iter().rposition(|&s| !callee.head(s).is_invisible());
    let returns = last.filter(|&k| callee.head(stmts[k]) == Head::Return);
    if let Some(k) = returns {
        stmts.remove(k);
    }
    (stmts, returns.is_some())
}

/// Whether a statement neither calls, nor loops, nor jumps.
fn is_simple(u: &Unit, head: Head) -> bool {
    match head {
        Head::Call { callee: Callee::Proc(p), .. } => u.proc(p).is_libm,
        Head::Assign { .. } | Head::If { .. } | Head::Select { .. } => true,
        head => head.is_invisible() && !matches!(head, Head::Probe { .. }),
    }
}

/// A tiny procedure is inlined into itself; the base case stands at the calls that are left.
pub(super) fn unroll(ed: &mut Editor<'_>, constants: &Constants) {
    if !is_small(ed) || !calls_itself(ed) {
        return;
    }
    let original = Unit::clone(ed);
    if is_tiny(&original) {
        levels(ed, &original, constants);
    }
    if let Some(base) = Base::of(&original).filter(|b| b.size <= SIZE_OF_BASE) {
        for call in own_calls(ed) {
            replace(ed, call, &original, &base, constants);
        }
    }
}

/// Inlines `original`, which `ed` was, into itself, as many levels as there is room for.
fn levels(ed: &mut Editor<'_>, original: &Unit, constants: &Constants) {
    let size = size_of(original);
    for _ in 1..LEVELS {
        let calls = own_calls(ed);
        if calls.is_empty() || size_of(ed) + calls.len() * size > SIZE_OF_LEVELS {
            break;
        }
        for call in calls {
            if let Some(bindings) = bindings(ed, call, original, constants) {
                inline(ed, call, original, bindings);
            }
        }
    }
}

/// Replaces `call` by the base case of `callee`, and the call where it is not that case. Notes the obstacle if an argument cannot be bound.
pub(super) fn replace(ed: &mut Editor<'_>, call: Stmt, callee: &Unit, base: &Base, constants: &Constants) {
    match bindings(ed, call, callee, constants) {
        Some(bindings) => super::inline_base(ed, call, callee, base, bindings),
        None => ed.missed(call, "not inlined", Obstacle::Argument),
    }
}

/// The calls of a procedure in itself.
fn own_calls(u: &Unit) -> Vec<Stmt> {
    u.walk().into_iter().filter(|&s| callee_of(u, s) == Some(u.symbol())).collect()
}

fn size_of(u: &Unit) -> usize {
    Region::of_block(u, u.body()).size
}

/// Whether a procedure only calculates and calls itself, with scalars.
fn is_tiny(u: &Unit) -> bool {
    let is_scalar =
        |(_, data): (Sym, &SymData)| data.is_for_counts() || data.storage != Storage::Frame || data.dims.is_empty();
    let calculates = |s: Stmt| {
        let head = u.head(s);
        let is_for_room = std::iter::once(s).chain(u.ancestors(s)).any(|a| asks_for_room(u, a));
        is_for_room || is_simple(u, head) || head == Head::Return || callee_of(u, s) == Some(u.symbol())
    };
    matches!(u.kind(), UnitKind::Subroutine | UnitKind::Function)
        && u.level() == Level::H
        && !u.is_deep()
        && memory_is_plain(u)
        && u.syms().all(is_scalar)
        && u.walk().into_iter().all(calculates)
}
