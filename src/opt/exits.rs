//! Give each way out of a loop a jump of its own.
//!
//! ```text
//! do i = 1, n                         do i = 1, n
//!   ifarith a(i), L1, L2, L2           ifarith a(i), L3, L2, L2
//!   …                          =>       L3:
//! end                                   goto L1
//! L1:                                   …
//! ```
//!
//! An arithmetic IF and a computed GOTO have several targets, some in the loop and some outside. The trips of a loop end
//! where it is left, so there must be a statement there: the trips are closed before the new jump. Part of every build, so
//! that profiled and plain ones are alike.

use crate::OptLevel;
use crate::pass::{Context, Pass};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{Editor, ExpandKind, Head, Label, Level, Place, Stmt};

pub(crate) const PASS: Pass = Pass {
    at: &[Level::Vh],
    from: OptLevel::O0,
    ..Pass::new("exits", "give each way out of a loop a jump of its own", run)
};

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    for s in ed.walk() {
        let head = ed.head(s);
        if !matches!(head, Head::ArithIf { .. } | Head::GotoTable { .. }) {
            continue;
        }
        let Some(inside) = labels_of_loop(ed, s) else { continue };
        let outside: FxHashSet<Label> = ed.targets(head).into_iter().filter(|l| !inside.contains(l)).collect();
        if !outside.is_empty() {
            land(ed, s, head, &outside);
        }
    }
}

/// The labels in the innermost loop around `s`.
fn labels_of_loop(ed: &Editor<'_>, s: Stmt) -> Option<FxHashSet<Label>> {
    let around = ed.ancestors(s).find(|&x| ed.head(x).is_loop())?;
    let label = |x: Stmt| if let Head::Label(l) = ed.head(x) { Some(l) } else { None };
    Some(ed.walk_stmt(around).into_iter().filter_map(label).collect())
}

/// Lets `s` jump to new labels behind it in place of those in `outside`, and from there to these.
fn land(ed: &mut Editor<'_>, s: Stmt, head: Head, outside: &FxHashSet<Label>) {
    let mut landings: FxHashMap<Label, Label> = FxHashMap::default();
    let mut order = Vec::new();
    let mut new = |ed: &mut Editor<'_>, l: Label| {
        if !outside.contains(&l) {
            return l;
        }
        *landings.entry(l).or_insert_with(|| {
            let landing = ed.new_label();
            order.push((landing, l));
            landing
        })
    };
    let (head, falls_through) = match head {
        Head::ArithIf { value, to } => (Head::ArithIf { value, to: to.map(|l| new(ed, l)) }, false),
        Head::GotoTable { index, table } => {
            let labels: Vec<Label> = ed.jump_table(table).to_vec();
            let labels: Vec<Label> = labels.into_iter().map(|l| new(ed, l)).collect();
            (Head::GotoTable { index, table: ed.new_jump_table(&labels) }, true)
        }
        _ => return,
    };
    ed.expand_in_place(s, head);
    let mut last = s;
    let mut push = |ed: &mut Editor<'_>, head: Head| last = ed.expand(s, head, Place::After(last), ExpandKind::Lower);
    let around = falls_through.then(|| ed.new_label());
    if let Some(around) = around {
        push(ed, Head::Goto(around));
    }
    for (landing, l) in order {
        push(ed, Head::Label(landing));
        push(ed, Head::Goto(l));
    }
    if let Some(around) = around {
        push(ed, Head::Label(around));
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::check;

    #[test]
    fn out_of_a_loop() {
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
  L3:                                           @2
  goto L5                                       @2
  L2:                                           @3
  n = n + 1                                     @3
end
L4:                                             @4
L5:                                             @4
n = n + 2                                       @4

rewrite            @2
expand lower       @2
expand lower       @2
expand lower       @2
expand lower       @2",
        );
    }
}
