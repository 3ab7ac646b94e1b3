//! Scalars in memory become registers over the loops that do not change them, before the loop passes look at the loops.
//!
//! ```text
//!                              n.1 = n                 @{1,2,5}
//! do i = 1, n          @1      do i = 1, n.1           @1
//!   do j = 1, n        @2        do j = 1, n.1         @2
//!     a(i, j) = 0.0    @3  =>      a(i, j) = 0.0       @3
//!   end                          end
//! end                          end
//! do i = 1, n          @5      do i = 1, n.1           @5
//! ```
//!
//! Dummy arguments by reference, COMMON and module variables are memory, and a bound in memory is one that "can change": nests with such bounds would
//! neither be interchanged nor fused nor tiled. Loops one after the other use the same register as long as nothing between
//! them changes the variable, so equal bounds stay equal.
//!
//! A dummy argument is read ahead only if the nest reads it outside of conditionals and the procedure never asks whether it
//! is present: an absent one must not be touched.

use crate::alias::{may_overlap, memory_of, writes};
use crate::analysis::refs::Region;
use crate::rewrite::{rewrite, values_in};
use crate::{Context, OptLevel, Pass};
use rustc_hash::FxHashSet;
use trueline_ir::{Block, Editor, Expr, ExprData, Head, Place, Stmt, Storage, Sym, Type, Unit};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O2,
    ..Pass::new("settle", "keep scalars in memory that loops do not change in registers over them", run)
};

/// More variables than this are not kept over one loop: they would only be spilled.
const MOST: usize = 24;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    let asked = asked_for(ed);
    let mut groups = Vec::new();
    let mut blocks = vec![ed.body()];
    while let Some(b) = blocks.pop() {
        groups.extend(groups_of(ed, b, &asked));
        // Loops in conditionals, but not loops in loops.
        for s in ed.real_stmts(b).filter(|&s| !ed.head(s).is_loop()).collect::<Vec<_>>() {
            blocks.extend(ed.blocks(s).iter().copied());
        }
    }
    for group in groups {
        settle(ed, &group);
    }
}

/// A variable, and the statements that read it while it keeps its value.
struct Group {
    sym: Sym,
    place: Expr,
    /// The first loop.
    before: Stmt,
    users: Vec<Stmt>,
}

fn settle(ed: &mut Editor<'_>, group: &Group) {
    let register = ed.new_register(&ed.sym(group.sym).name.clone(), ed.ty(group.place));
    let var = ed.var(register);
    let head = Head::Assign { place: var, value: group.place };
    ed.merge_common(&group.users, head, Place::Before(group.before));
    for &user in &group.users {
        rewrite(ed, user, &mut |ed, e| ed.map_expr(e, &mut |_, x| (x == group.place).then_some(var)));
    }
}

/// The variables whose address is looked at, as PRESENT does, and not only passed on.
fn asked_for(u: &Unit) -> FxHashSet<Sym> {
    let mut out = FxHashSet::default();
    for s in u.walk() {
        let is_passed = |e: &Expr| matches!(u.expr(*e), ExprData::AddrOf(..));
        for e in u.values(u.head(s)).into_iter().filter(|e| !is_passed(e)) {
            u.visit_expr(e, &mut |x| {
                if let ExprData::AddrOf(_, place) = u.expr(x) {
                    out.extend(memory_of(u, place));
                }
            });
        }
    }
    out
}

/// The groups of the outermost loops of a block.
fn groups_of(u: &Unit, b: Block, asked: &FxHashSet<Sym>) -> Vec<Group> {
    let (mut open, mut done): (Vec<Group>, Vec<Group>) = (Vec::new(), Vec::new());
    for s in u.real_stmts(b) {
        let head = u.head(s);
        let region = Region::of(u, s);
        let is_join = matches!(head, Head::Label(_)) || region.labels;
        let changes = |sym: Sym| is_join || region.may_write(u, sym) || may_write_elsewhere(u, head, sym);
        let (closed, still) = open.into_iter().partition(|g: &Group| changes(g.sym));
        let closed: Vec<Group> = closed;
        done.extend(closed);
        open = still;
        if !head.is_loop() || region.labels {
            continue;
        }
        for (sym, place, users) in reads(u, s, asked).into_iter().filter(|r| !changes(r.0)).take(MOST) {
            match open.iter_mut().find(|g| g.place == place) {
                Some(group) => group.users.extend(users),
                None => open.push(Group { sym, place, before: s, users }),
            }
        }
    }
    done.extend(open);
    // Each register in the order of the source.
    done
}

/// Whether a statement by itself may change a variable through other names.
fn may_write_elsewhere(u: &Unit, head: Head, sym: Sym) -> bool {
    let written = writes(u, head);
    written.globals || written.places.iter().any(|&(w, _)| may_overlap(u, w, sym))
}

/// The scalars in memory that the loop `s` reads and that may be read before it, each with the statements that read it.
fn reads(u: &Unit, s: Stmt, asked: &FxHashSet<Sym>) -> Vec<(Sym, Expr, Vec<Stmt>)> {
    let mut out: Vec<(Sym, Expr, Vec<Stmt>, bool)> = Vec::new();
    for x in u.walk_stmt(s).into_iter().filter(|&x| !u.head(x).is_invisible()) {
        let is_sure = u.ancestors(x).take_while(|&a| a != s).all(|a| u.head(a).is_loop());
        let mut seen = FxHashSet::default();
        let mut todo: Vec<Expr> = u.values(u.head(x)).to_vec();
        while let Some(e) = todo.pop() {
            if !seen.insert(e) {
                continue;
            }
            if let ExprData::Var(v) = u.expr(e)
                && is_candidate(u, v)
                && !asked.contains(&whole(u, v))
            {
                match out.iter_mut().find(|r| r.1 == e) {
                    Some((.., users, sure)) => {
                        if users.last() != Some(&x) {
                            users.push(x);
                        }
                        *sure |= is_sure;
                    }
                    None => out.push((v, e, vec![x], is_sure)),
                }
            }
            values_in(u, e, &mut |x| todo.push(x));
        }
    }
    let is_there = |v: Sym| !matches!(u.sym(whole(u, v)).storage, Storage::Dummy { .. });
    out.into_iter().filter(|r| r.3 || is_there(r.0)).map(|(v, e, users, _)| (v, e, users)).collect()
}

/// Whether it is a scalar in memory that is there as long as the procedure runs.
fn is_candidate(u: &Unit, v: Sym) -> bool {
    let data = u.sym(v);
    let is_scalar = data.dims.is_empty() && data.ty != Type::Char && !data.ty.is_complex() && data.ty.size() <= 8;
    let storage = u.sym(whole(u, v)).storage;
    is_scalar && matches!(storage, Storage::Dummy { .. } | Storage::Static { .. } | Storage::Frame)
}

/// The variable that `v` is, or is a part of.
fn whole(u: &Unit, v: Sym) -> Sym {
    match u.sym(v).storage {
        Storage::Within { root, .. } => root,
        _ => v,
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn loops_one_after_the_other_share_a_register() {
        check(
            &PASS,
            "
program main h @0
area blk_ size 4 align 8 common
i4 n static blk_+0
i4 i, j, t
r8 a(9, 9) frame
do i = 1, 9 @1
  t = n @2
  do j = 1, t @2
    a(i, j) = 1.0 @3
  end
end
do i = 1, 9 @4
  a(i, n) = 2.0 @5
end",
            "
i4 n.1
n.1 = n                         @{1,2,4,5}
do i = 1, 9                     @1
  t = n.1                       @2
  do j = 1, t                   @2
    a(i, j) = 1.0               @3
  end
end
do i = 1, 9                     @4
  a(i, n.1) = 2.0               @5
end

merge @{1,2,4,5}
rewrite @2
rewrite @5",
        );
    }

    #[test]
    fn a_variable_that_the_loop_changes_stays() {
        unchanged(
            &PASS,
            "
program main h @0
area blk_ size 4 align 8 common
i4 n static blk_+0
i4 i
r8 a(9) frame
do i = 1, 9 @1
  a(i) = r8(n) @2
  n = n + 1 @3
end",
        );
    }

    #[test]
    fn a_call_may_change_common() {
        unchanged(
            &PASS,
            "
program main h @0
area blk_ size 4 align 8 common
i4 n static blk_+0
i4 i
r8 a(9) frame
do i = 1, 9 @1
  a(i) = r8(n) @2
  call s() @3
end",
        );
    }

    #[test]
    fn a_dummy_that_only_a_conditional_reads_stays() {
        unchanged(
            &PASS,
            "
subroutine s(k, n) h @0
i4 k
i4 n
i4 i
r8 a(9) frame
do i = 1, 9 @1
  if i > 3 @2
    a(i) = r8(n) @3
  end
end",
        );
    }
}
