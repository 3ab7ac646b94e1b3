//! Counted loops in other forms: the verbs by which they become DO loops.
//!
//! The statements of such a loop are executed when and as often as before, so no set changes and nothing is tainted.

use crate::edit::{Editor, Place};
use crate::head::Head;
use crate::{Expr, Sym};
use rustc_hash::FxHashMap;
use trueline_provenance::{ExpandKind, Stmt, Transform};

impl Editor<'_> {
    /// **Expand**, Lower: the neighbours from `first` to `last`, with the counting code between them, are the body of the new DO
    /// loop `s`, which stands before them.
    pub fn enclose_lowered(&mut self, s: Stmt, first: Stmt, last: Stmt) {
        let body = self.blocks(s)[0];
        let mut next = Some(first);
        while let Some(x) = next {
            next = self.next(x).filter(|_| x != last);
            self.unit.unlink(x);
            self.unit.append(x, body);
        }
    }

    /// **Expand**, one to one: the DO WHILE `s`, whose first block holds only counting code and checks, becomes a DO loop. They
    /// move to the start of each iteration. Returns them, because the tally and the checks of the test that ends the loop
    /// must be copied behind the loop.
    pub fn expand_while(&mut self, s: Stmt, head: Head) -> Vec<Stmt> {
        let (asks, body) = (self.blocks(s)[0], self.blocks(s)[1]);
        let is_check = |x: Stmt| matches!(self.head(x), Head::If { .. });
        assert!(self.real_stmts(asks).all(is_check), "{}: the condition of a DO WHILE needs code", self.pass);
        let counting: Vec<Stmt> = self.stmts(asks).collect();
        for &x in counting.iter().rev() {
            self.unit.unlink(x);
            let first = self.stmts(body).next();
            match first {
                Some(first) => self.unit.insert_before(x, first),
                None => self.unit.append(x, body),
            }
        }
        self.unit.stmts[s].blocks = smallvec::smallvec![body];
        self.unit.stmts[s].head = head;
        let set = self.set(s);
        self.record(Transform::Expand(ExpandKind::Lower), s, Some(s), set, None);
        counting
    }

    /// Copies counting out of the loop `s`, behind it: for an iteration that ended where the loop was left. Returns the last statement
    /// that was made, or `s`.
    pub fn copy_counting(&mut self, counting: &[Stmt], s: Stmt) -> Stmt {
        let mut last = s;
        for &x in counting {
            assert!(self.head(x).is_invisible(), "{}: only counting is copied", self.pass);
            last = self.copy_tree(x, Place::After(last), &[], &FxHashMap::default());
        }
        last
    }

    /// **Merge**: the assignment `gone`, by which the variable of the loop `keep` advances, becomes part of its head. The statements `beyond`
    /// it, on the other side than the end of the iteration, find `var` before it advances and read `instead`.
    pub fn merge_step(&mut self, keep: Stmt, gone: Stmt, beyond: &[Stmt], var: Sym, instead: Expr) {
        for &x in beyond {
            self.substitute_below(x, &[(var, instead)]);
        }
        self.take_over(keep, gone);
    }
}
