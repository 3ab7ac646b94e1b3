//! Intent: dummy arguments that nobody writes are passed for reading only.
//!
//! ```text
//! subroutine s(n, x)                  subroutine s(n, x)
//! i4 n                                i4 n intent_in
//!   x = x + n @2                =>      x = x + n @2
//! call s(&inout k, &inout y) @5       call s(&in k, &inout y) @5
//! ```
//!
//! Behind a call that may write its arguments, the caller loads them again, and the counts of a loop with such a call cannot be computed ahead. Fortran's INTENT says where that is needless, but old sources have none, and an implicit interface does not show it.
//!
//! Callees come before callers. A procedure that calls itself may pass an argument on to itself; in a longer circle of calls, one call is believed to
//! write.

use super::{Callees, called};
use crate::OptLevel;
use crate::alias::memory_of;
use crate::pass::{Context, Pass};
use rustc_hash::FxHashSet;
use trueline_ir::{Access, Callee, Editor, Expr, ExprData, Head, Intent, Level, Rt, Stmt, Storage, Sym, Type, Unit};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O2,
    interprocedural: true,
    ..Pass::new("intent", "pass arguments that nobody writes for reading only", run)
};

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    if ed.level() != Level::H {
        return;
    }
    let calls: Vec<Stmt> = ed.walk().into_iter().filter(|&s| called(ed, s).is_some()).collect();
    let mut callees = Callees::new(context);
    for &s in &calls {
        let Some((symbol, args)) = called(ed, s) else { continue };
        let callee = callees.get(symbol);
        if let Some(callee) = callee.filter(|c| c.params().len() == args.len()) {
            let only_read: Vec<bool> = callee.params().iter().map(|&p| is_only_read(callee, p)).collect();
            narrow(ed, s, &only_read);
        }
    }
    let unwritten = unwritten(ed);
    for &p in &unwritten {
        ed.mark_unwritten(p);
    }
    let own: Vec<bool> = ed.params().iter().map(|&p| is_only_read(ed, p)).collect();
    for s in calls {
        if called(ed, s).is_some_and(|(symbol, args)| symbol == ed.symbol() && args.len() == own.len()) {
            narrow(ed, s, &own);
        }
    }
}

fn is_only_read(u: &Unit, p: Sym) -> bool {
    is_plain(u, p) && u.sym(p).intent == Intent::In
}

/// Whether the dummy is a number, or an array of such, of the source: none of the words of a descriptor, through which other memory is written.
fn is_plain(u: &Unit, p: Sym) -> bool {
    let sym = u.sym(p);
    matches!(sym.storage, Storage::Dummy { .. }) && sym.from_source && !sym.may_alias && sym.ty != Type::Char
}

/// Lets the call at `s` read those arguments that it was thought to read and write.
fn narrow(ed: &mut Editor<'_>, s: Stmt, only_read: &[bool]) {
    let Head::Call { callee, args, result } = ed.head(s) else { return };
    let mut list = ed.list(args).to_vec();
    let mut changed = false;
    for (a, _) in list.iter_mut().zip(only_read).filter(|(_, only_read)| **only_read) {
        if let ExprData::AddrOf(Access::InOut, place) = ed.expr(*a) {
            *a = ed.make(ExprData::AddrOf(Access::In, place));
            changed = true;
        }
    }
    if changed {
        let args = ed.make_list(&list);
        ed.expand_in_place(s, Head::Call { callee, args, result });
    }
}

/// The dummies without an INTENT that no statement writes, or makes known to others.
fn unwritten(u: &Unit) -> Vec<Sym> {
    let is_open = |&p: &Sym| is_plain(u, p) && u.sym(p).intent == Intent::Unknown;
    let mut left: FxHashSet<Sym> = u.params().iter().copied().filter(is_open).collect();
    // The arguments that the procedure passes on to itself: where, and which.
    let mut passed: Vec<(usize, Sym)> = Vec::new();
    for s in u.walk() {
        let head = u.head(s);
        match head {
            Head::Assign { place, .. } => strike(u, place, &mut left),
            Head::Call { callee, args, .. } => {
                let is_own = called(u, s).is_some_and(|(symbol, _)| symbol == u.symbol());
                for (k, &a) in u.list(args).iter().enumerate() {
                    let ExprData::AddrOf(access, place) = u.expr(a) else { continue };
                    match memory_of(u, place) {
                        Some(v) if is_own && access == Access::InOut && u.params().len() == u.list(args).len() => {
                            passed.push((k, u.root(v)));
                        }
                        _ if access != Access::In || keeps(callee) => strike(u, place, &mut left),
                        _ => {}
                    }
                }
            }
            Head::GhostCall { .. } | Head::GhostStore { .. } => {}
            _ => {
                for (access, place) in u.references(head) {
                    if access != Access::In {
                        strike(u, place, &mut left);
                    }
                }
            }
        }
    }
    loop {
        let written = |&(k, v): &(usize, Sym)| {
            left.contains(&v) && !u.params().get(k).is_some_and(|p| left.contains(p) || is_only_read(u, *p))
        };
        let gone: Vec<Sym> = passed.iter().filter(|x| written(x)).map(|x| x.1).collect();
        if gone.is_empty() || trueline_ir::fault("intent_of_itself") {
            break;
        }
        gone.iter().for_each(|v| {
            left.remove(v);
        });
    }
    u.params().iter().copied().filter(|p| left.contains(p)).collect()
}

/// Whether the function's result is an address that it is given.
fn keeps(callee: Callee) -> bool {
    matches!(callee, Callee::Rt(Rt::Address | Rt::Barrier | Rt::Procedure | Rt::NoteTarget))
}

fn strike(u: &Unit, place: Expr, left: &mut FxHashSet<Sym>) {
    if let Some(v) = memory_of(u, place)
        && !trueline_ir::fault("intent_of_written")
    {
        left.remove(&u.root(v));
    }
}
