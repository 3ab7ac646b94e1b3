//! Give each arm of an arithmetic IF, and each way out of a loop, a jump of its own.
//!
//! ```text
//! do i = 1, n                         do i = 1, n
//!   ifarith a(i), L1, L2, L2            ifarith a(i), L3, L4, L5
//!   …                                   L3:
//! end                                   goto L1
//! L1:                          =>       L4:
//! …                                     goto L2
//!                                       L5:
//!                                       goto L2
//!                                       …
//! ```
//!
//! An arithmetic IF and a computed GOTO have several targets, some in a loop and some outside. An arm is counted where it
//! is taken, and the trips of a loop end where it is left, so there must be a statement there. The code generator threads
//! jumps to jumps. Part of every build, so that profiled and plain ones are alike.

use crate::OptLevel;
use crate::pass::{Context, Pass};
use rustc_hash::FxHashSet;
use trueline_ir::{Editor, ExpandKind, Expr, Head, Label, Level, Place, Stmt};

pub(crate) const PASS: Pass = Pass {
    at: &[Level::Vh],
    from: OptLevel::O0,
    ..Pass::new("exits", "give each arm of an arithmetic IF, and each way out of a loop, a jump of its own", run)
};

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    for s in ed.walk() {
        match ed.head(s) {
            Head::ArithIf { value, to } => {
                let landings = to.map(|_| ed.new_label());
                ed.expand_in_place(s, Head::ArithIf { value, to: landings });
                land(ed, s, landings.into_iter().zip(to));
            }
            Head::GotoTable { index, table } => table_in_loop(ed, s, index, table),
            _ => {}
        }
    }
}

/// Lets a computed GOTO in a loop jump to new labels behind it in place of those outside of the loop.
fn table_in_loop(ed: &mut Editor<'_>, s: Stmt, index: Expr, table: u32) {
    let Some(around) = ed.ancestors(s).find(|&x| ed.head(x).is_loop()) else { return };
    let label = |x: Stmt| if let Head::Label(l) = ed.head(x) { Some(l) } else { None };
    let inside: FxHashSet<Label> = ed.walk_stmt(around).into_iter().filter_map(label).collect();
    let mut landings: Vec<(Label, Label)> = Vec::new();
    let mut labels = ed.jump_table(table).to_vec();
    for l in labels.iter_mut().filter(|l| !inside.contains(l)) {
        let known = landings.iter().find(|(_, to)| to == l).map(|&(landing, _)| landing);
        let landing = known.unwrap_or_else(|| ed.new_label());
        if known.is_none() {
            landings.push((landing, *l));
        }
        *l = landing;
    }
    if landings.is_empty() {
        return;
    }
    let table = ed.new_jump_table(&labels);
    ed.expand_in_place(s, Head::GotoTable { index, table });
    // An index out of range goes on behind it.
    let behind = ed.new_label();
    let last = land(ed, s, landings.into_iter());
    ed.expand(s, Head::Goto(behind), Place::After(s), ExpandKind::Lower);
    ed.expand(s, Head::Label(behind), Place::After(last), ExpandKind::Lower);
}

/// Puts each landing behind `s`, with a jump to its label; returns the last statement.
fn land(ed: &mut Editor<'_>, s: Stmt, landings: impl Iterator<Item = (Label, Label)>) -> Stmt {
    let mut last = s;
    for (landing, l) in landings {
        for head in [Head::Label(landing), Head::Goto(l)] {
            last = ed.expand(s, head, Place::After(last), ExpandKind::Lower);
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::check;

    #[test]
    fn arms_of_an_arithmetic_if() {
        check(
            &PASS,
            "
program main vh @0
i4 i, n
do i = 1, 9 @1
  ifarith i - n, L1, L2, L3 @2
  L2: @3
  n = n + 1 @3
end
L1: @4
L3: @4
n = n + 2 @4",
            "
do i = 1, 9                                     @1
  ifarith i - n, L1, L2, L3                     @2
  L1:                                           @2
  goto L4                                       @2
  L2:                                           @2
  goto L5                                       @2
  L3:                                           @2
  goto L6                                       @2
  L5:                                           @3
  n = n + 1                                     @3
end
L4:                                             @4
L6:                                             @4
n = n + 2                                       @4

rewrite            @2
expand lower       @2
expand lower       @2
expand lower       @2
expand lower       @2
expand lower       @2
expand lower       @2",
        );
    }
}
