//! The last value of a loop's variable, kept for counts when the program does not need it.
//!
//! ```text
//! do l = 0, 4              ghost h = 0 + 5*1          Unrolled completely, the program never sets l to 5, for
//!   f = 1                  do l = 0, 4                nobody reads it. Counts may.
//! end                        f = 1
//! ghost c = l > 1    =>    end
//! tally … c                ghost g = h
//!                          ghost c = g > 1
//! ```

use crate::{Editor, Expr, ExprData, Head, Place, Stmt, Sym};
use rustc_hash::FxHashSet;

impl Editor<'_> {
    /// Called before the loop `s` leaves another value in its variable, or none, because the variable is dead behind
    /// it: counts that read the variable behind the loop get the value of the source.
    pub fn keep_last_value(&mut self, s: Stmt) {
        let Head::Do { var, lo, hi, step } = self.head(s) else { return };
        if !self.unit.tallied.contains(var) || crate::fault("last_value_of_dead") {
            return;
        }
        if self.walk().into_iter().any(|x| self.counts_behind(x, var)) {
            self.shadow(var, &FxHashSet::default());
        }
        let copies: Vec<(Stmt, Sym)> = self.copies_after(s, var);
        if copies.is_empty() {
            return;
        }
        // The bounds have their values before the loop.
        let last = self.last_value(lo, hi, step);
        let kept = self.new_register("ghost", self.sym(var).ty);
        self.ghost(kept, last, Place::Before(s));
        self.unit.tallied.insert(kept);
        let kept: Expr = self.var(kept);
        for (x, g) in copies {
            self.unit.stmts[x].head = Head::Ghost { var: g, value: kept };
        }
    }

    /// Whether `x` counts by `var` outside of the loops over it, and is more than a copy directly behind one of them.
    fn counts_behind(&self, x: Stmt, var: Sym) -> bool {
        let head = self.head(x);
        if !head.is_invisible() || !self.own_registers(x).contains(&var) {
            return false;
        }
        let is_over_var = |s: Stmt| matches!(self.head(s), Head::Do { var: v, .. } if v == var);
        let mut around = self.enclosing(x);
        while let Some(s) = around {
            if is_over_var(s) {
                return false;
            }
            around = self.enclosing(s);
        }
        let is_copy = matches!(head, Head::Ghost { value, .. } if self.expr(value) == ExprData::Var(var));
        let mut before = self.prev(x);
        while let Some(p) = before.filter(|&p| self.head(p).is_invisible()) {
            before = self.prev(p);
        }
        !(is_copy && before.is_some_and(is_over_var))
    }

    /// The copies of `var` right behind `s`.
    fn copies_after(&self, s: Stmt, var: Sym) -> Vec<(Stmt, Sym)> {
        let mut out = Vec::new();
        let mut next = self.next(s);
        while let Some(x) = next.filter(|&x| self.head(x).is_invisible()) {
            if let Head::Ghost { var: g, value } = self.head(x)
                && self.expr(value) == ExprData::Var(var)
            {
                out.push((x, g));
            }
            next = self.next(x);
        }
        out
    }
}
