//! Ghosts whose value nothing can read: a backward walk over structured code for one register.

use crate::Unit;
use crate::edit::Editor;
use crate::entities::{Block, Label, Sym};
use crate::head::Head;
use rustc_hash::FxHashMap;
use trueline_provenance::Stmt;

impl Editor<'_> {
    /// Takes out the ghosts of `v` that are overwritten before they are read, or never read.
    pub(crate) fn drop_overwritten(&mut self, v: Sym) {
        let mut walk = Walk { u: self.unit, v, at_label: FxHashMap::default(), unread: Vec::new() };
        walk.block(self.body(), false);
        for s in walk.unread {
            self.unit.unlink(s);
        }
    }
}

struct Walk<'a> {
    u: &'a Unit,
    v: Sym,
    /// Whether the value is read from the labels already passed on.
    at_label: FxHashMap<Label, bool>,
    unread: Vec<Stmt>,
}

impl Walk<'_> {
    /// Whether the value at the start of `b` is read; `live` is whether that at its end is.
    fn block(&mut self, b: Block, mut live: bool) -> bool {
        for s in self.u.stmts(b).rev().collect::<Vec<_>>() {
            live = self.stmt(s, live);
        }
        live
    }

    fn stmt(&mut self, s: Stmt, live: bool) -> bool {
        let head = self.u.head(s);
        let blocks = self.u.blocks(s);
        match head {
            Head::Ghost { var, .. } if var == self.v => {
                if !live {
                    self.unread.push(s);
                }
                live && self.reads(s)
            }
            Head::Label(l) => {
                self.at_label.insert(l, live);
                live
            }
            Head::Return => false,
            _ if !self.u.targets(head).is_empty() => {
                // Jumps backwards come to where it is not known yet.
                let there = self.u.targets(head).iter().any(|l| self.at_label.get(l).copied().unwrap_or(true));
                there || (live && !head.is_jump())
            }
            _ if blocks.is_empty() => live || self.reads(s),
            Head::If { .. } | Head::Select { .. } | Head::GhostIf { .. } => {
                let mut any = matches!(head, Head::GhostIf { .. }) && live;
                for &b in blocks {
                    any |= self.block(b, live);
                }
                any || self.reads(s)
            }
            _ => {
                let end = live || self.u.walk_stmt(s).into_iter().any(|x| self.reads(x) || self.leads_to_reader(x));
                let mut any = end;
                for &b in blocks.iter().rev() {
                    any |= self.block(b, end);
                }
                any
            }
        }
    }

    fn reads(&self, s: Stmt) -> bool {
        self.u.head(s).is_invisible() && self.u.own_registers(s).contains(&self.v)
    }

    fn leads_to_reader(&self, s: Stmt) -> bool {
        self.u.targets(self.u.head(s)).iter().any(|l| self.at_label.get(l).copied().unwrap_or(true))
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
}
