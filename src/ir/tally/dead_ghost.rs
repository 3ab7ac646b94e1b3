//! Ghosts whose values are never read: a backward walk over structured code for one register.

use crate::Unit;
use crate::edit::Editor;
use crate::entities::{Block, Label, Sym};
use crate::head::Head;
use rustc_hash::FxHashMap;
use trueline_provenance::Stmt;

impl Editor<'_> {
    /// Takes out the ghosts of `v` that are overwritten before they are read, or never read.
    pub(crate) fn drop_overwritten(&mut self, v: Sym) {
        for s in unread(self.unit, v) {
            self.unit.unlink(s);
        }
    }
}

/// Number of walks in which the facts about loops and labels may grow; after that every ghost is assumed to be read.
const MOST_WALKS: usize = 8;

/// The ghosts of `v` whose values are never read.
fn unread(u: &Unit, v: Sym) -> Vec<Stmt> {
    let mut walk = Walk { u, v, at_label: FxHashMap::default(), at_end: FxHashMap::default(), grown: false };
    for _ in 0..MOST_WALKS {
        let mut unread = Vec::new();
        walk.grown = false;
        walk.block(u.body(), false, &mut unread);
        if !walk.grown {
            return unread;
        }
    }
    Vec::new()
}

struct Walk<'a> {
    u: &'a Unit,
    v: Sym,
    /// Whether the value is read from this label on, as far as known.
    at_label: FxHashMap<Label, bool>,
    /// Whether the value at the start of this loop's body is read, as far as known.
    at_end: FxHashMap<Stmt, bool>,
    /// Whether the last walk has learned something.
    grown: bool,
}

impl Walk<'_> {
    /// Whether the value at the start of `b` is read; `live` is whether that at its end is.
    fn block(&mut self, b: Block, mut live: bool, unread: &mut Vec<Stmt>) -> bool {
        for s in self.u.stmts(b).rev().collect::<Vec<_>>() {
            live = self.stmt(s, live, unread);
        }
        live
    }

    fn stmt(&mut self, s: Stmt, live: bool, unread: &mut Vec<Stmt>) -> bool {
        let head = self.u.head(s);
        let blocks = self.u.blocks(s);
        match head {
            Head::Ghost { var, .. } | Head::GhostCall { result: var, .. } if var == self.v => {
                if !live {
                    unread.push(s);
                }
                live && self.reads(s)
            }
            Head::Label(l) => {
                let before = self.at_label.insert(l, live);
                self.grown |= live && before != Some(true);
                live
            }
            Head::Return => false,
            _ if !self.u.targets(head).is_empty() => {
                let there = self.u.targets(head).iter().any(|l| self.at_label.get(l) == Some(&true));
                there || (live && !head.is_jump())
            }
            _ if blocks.is_empty() => live || self.reads(s),
            Head::If { .. } | Head::Select { .. } | Head::GhostIf { .. } => {
                let mut any = matches!(head, Head::GhostIf { .. }) && live;
                for &b in blocks {
                    any |= self.block(b, live, unread);
                }
                any || self.reads(s)
            }
            // A body may be run again, or not at all.
            _ => {
                let again = self.at_end.get(&s) == Some(&true) && !crate::fault("unread_again");
                let end = live || again;
                let mut start = false;
                for &b in blocks.iter().rev() {
                    start |= self.block(b, end, unread);
                }
                if start && self.at_end.insert(s, true) != Some(true) && !end {
                    self.grown = true;
                }
                live || start || self.reads(s)
            }
        }
    }

    fn reads(&self, s: Stmt) -> bool {
        self.u.head(s).is_invisible() && self.u.own_registers(s).contains(&self.v)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn what_is_overwritten_or_never_read_goes() {
        check(
            "test",
            &|ed| {
                let v = ed.syms().find(|(_, d)| d.name.starts_with("ghost")).map(|(v, _)| v);
                ed.drop_overwritten(v.expect("a ghost"));
            },
            "
integer i
i8 ghost.1
real a(10)
ghost ghost.1 = 7
ghost ghost.1 = 5
do i = 1, 3 @1
  tally @2 iterations += ghost.1
  a(i) = 1.0 @3
end
ghost ghost.1 = 8",
            "
ghost ghost.1 = 5
do i = 1, 3 @1
  tally @2 iterations += ghost.1
  a(i) = 1.0 @3
end
",
        );
    }

    #[test]
    fn what_each_iteration_overwrites_goes_before_the_loop() {
        check(
            "test",
            &|ed| {
                let v = ed.syms().find(|(_, d)| d.name.starts_with("ghost")).map(|(v, _)| v);
                ed.drop_overwritten(v.expect("a ghost"));
            },
            "
integer i, j
i8 ghost.1
i8 ghost.2
real a(10)
ghost ghost.2 = 1
do j = 1, 3 @4
  ghost ghost.1 = 7
  do i = 1, 3 @1
    tally @2 iterations += ghost.2
    a(i) = 1.0 @3
    ghost ghost.2 = 4
  end
  ghost ghost.1 = 5
  do i = 1, 3 @5
    ghost ghost.1 = i8(i)
    tally @2 iterations += ghost.1
    a(i) = 2.0 @6
  end
end",
            "
i8 ghost.1, ghost.2
ghost ghost.1 = 1
do j = 1, 3 @4
  do i = 1, 3 @1
    tally @2 iterations += ghost.1
    a(i) = 1.0 @3
    ghost ghost.1 = 4
  end
  do i = 1, 3 @5
    ghost ghost.2 = i8(i)
    tally @2 iterations += ghost.2
    a(i) = 2.0 @6
  end
end
",
        );
    }
}
