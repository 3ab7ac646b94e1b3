//! Eliminating several statements together.
//!
//! Eliminating a definition keeps its value in a ghost if a count needs it. The ghost reads the operands of that definition;
//! if their definitions go as well, they need ghosts, too. So the values of a whole batch are kept before its first statement goes.

use crate::edit::Editor;
use crate::entities::Sym;
use crate::head::Head;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_provenance::{SetId, Stmt, Transform, Why};

impl Editor<'_> {
    /// **Eliminate**: as [`Editor::eliminate`], for statements without blocks, some of which may read the results of others.
    pub fn eliminate_all(&mut self, gone: &[(Stmt, Why)]) {
        assert!(gone.iter().all(|&(s, _)| self.blocks(s).is_empty()), "{}: a construct goes with others", self.pass);
        let stmts: Vec<Stmt> = gone.iter().map(|&(s, _)| s).collect();
        for &s in &stmts {
            self.keep_stores(s);
        }
        self.keep_values_of(&stmts);
        for &(s, why) in gone {
            if !crate::fault("eliminate_without_edit") {
                let set: SetId = self.set(s);
                self.record(Transform::Eliminate, s, None, set, Some(why));
            }
            self.unit.unlink(s);
        }
    }

    /// Makes shadows of the registers that `doomed` define and counts read, until no shadow reads a register that goes
    /// without one.
    pub(super) fn keep_values_of(&mut self, doomed: &[Stmt]) {
        let set: FxHashSet<Stmt> = doomed.iter().copied().collect();
        let mut shadows: FxHashMap<Sym, Option<Sym>> = FxHashMap::default();
        let mut again = true;
        while again {
            again = false;
            // A definition mostly stands after the definitions that it reads.
            for &x in doomed.iter().rev() {
                for v in self.may_define(self.head(x)) {
                    if !self.unit.tallied.contains(v) {
                        continue;
                    }
                    match shadows.get(&v) {
                        None => {
                            again = true;
                            let shadow = self.shadow(v, &set);
                            shadows.insert(v, shadow);
                        }
                        Some(&Some(g)) => again |= self.read_instead(v, g),
                        Some(None) => {}
                    }
                }
            }
        }
    }

    /// Makes counting code read the shadow `g` of `v`. `g` itself keeps reading `v`, as it follows the definitions that
    /// stay.
    fn read_instead(&mut self, v: Sym, g: Sym) -> bool {
        let (v_expr, g_expr) = (self.var(v), self.var(g));
        let mut changed = false;
        for x in self.walk() {
            let head = self.head(x);
            if !head.is_invisible() || matches!(head, Head::Ghost { var, .. } if var == g) {
                continue;
            }
            let new = self.unit.map_head(head, &mut |_, e| (e == v_expr).then_some(g_expr));
            changed |= new != head;
            self.unit.stmts[x].head = new;
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use crate::Head;
    use crate::testing::check;
    use trueline_provenance::Why;

    /// Eliminates all assignments to registers of the program.
    fn all(ed: &mut crate::Editor<'_>) {
        let gone: Vec<_> = ed
            .walk()
            .into_iter()
            .filter(|&s| matches!(ed.head(s), Head::Assign { .. }) && ed.defines(ed.head(s)).is_some())
            .map(|s| (s, Why::Dead))
            .collect();
        ed.eliminate_all(&gone);
    }

    #[test]
    fn a_count_of_a_value_of_a_value() {
        check(
            "dce",
            &all,
            "
integer m, n, k
real a(10)
k = 8 @1
n = k @2
m = n + 1 @3
tally @4 iterations += trip(1, i8(m), 1)
a(1) = 1.0 @5",
            "
i4 ghost.1, ghost.2, ghost.3
ghost ghost.1 = 8
ghost ghost.2 = ghost.1
ghost ghost.3 = ghost.2 + 1
tally @4 iterations += trip(1, ghost.3, 1)
a(1) = 1.0 @5

eliminate @1 (its result is never used)
eliminate @2 (its result is never used)
eliminate @3 (its result is never used)",
        );
    }

    #[test]
    fn a_value_of_the_iteration_before() {
        check(
            "dce",
            &all,
            "
integer i, m, n
real a(10)
n = 2 @1
m = 1 @2
do i = 1, 3 @3
  tally @4 iterations += trip(1, i8(m), 1)
  m = n @5
  n = n + 1 @6
  a(i) = 1.0 @7
end",
            "
i4 ghost.1, ghost.2
ghost ghost.1 = 2
ghost ghost.2 = 1
do i = 1, 3 @3
  tally @4 iterations += trip(1, ghost.2, 1)
  ghost ghost.2 = ghost.1
  ghost ghost.1 = ghost.1 + 1
  a(i) = 1.0 @7
end

eliminate @1 (its result is never used)
eliminate @2 (its result is never used)
eliminate @5 (its result is never used)
eliminate @6 (its result is never used)",
        );
    }
}
