//! The verb behind unswitching: a conditional that is fixed in a loop goes around it.

use crate::edit::{Editor, Place};
use crate::head::Head;
use trueline_provenance::{ExpandKind, Stmt, Transform};

impl Editor<'_> {
    /// **Move** and **Expand** (Alternative): the IF `test`, anywhere in the loop `around`, is taken out of it and
    /// stands around it, with the sets of the statements it leaves; the loop is in its first block with the first arm
    /// in the place of the IF, and a copy with the other arm in its second. Returns the copy.
    ///
    /// The condition must be the same in all iterations. Tallies in the loop stand in both copies, and one of the
    /// copies runs (law A); tallies of an arm go with the arm.
    pub fn move_test_around(&mut self, test: Stmt, around: Stmt) -> Stmt {
        assert!(matches!(self.head(test), Head::If { .. }), "{}: only an IF goes around a loop", self.pass);
        let position = self.walk_stmt(around).into_iter().position(|s| s == test).expect("the IF stands in the loop");
        let left: Vec<Stmt> = self.ancestors(test).take_while(|&a| a != around).chain([around]).collect();
        let before = self.set(test);
        self.taint_moved(test);
        for s in self.walk_stmt(around) {
            self.taint_expanded(s);
        }
        let labels = self.fresh_labels(around);
        let copy = self.copy_tree(around, Place::After(around), &[], &labels);
        if crate::fault("alternative_counts_once") {
            for s in self.walk_stmt(copy).into_iter().filter(|&s| self.head(s).is_invisible()).collect::<Vec<_>>() {
                self.unit.unlink(s);
            }
        }
        let twin = self.walk_stmt(copy)[position];
        self.keep_arm(test, 0);
        self.keep_arm(twin, 1);
        self.unit.insert_before(test, around);
        if !crate::fault("alternative_without_augmentation") {
            self.augment(test, test, &left);
        }
        for (number, s) in [around, copy].into_iter().enumerate() {
            let into = self.blocks(test)[number];
            self.unit.unlink(s);
            self.unit.append(s, into);
        }
        self.record(Transform::Move, test, None, before, None);
        let set = self.set(around);
        self.record(Transform::Expand(ExpandKind::Alternative), copy, Some(around), set, None);
        copy
    }

    /// The statements of block `arm` of `test` take its place, with its set; those of the other block are in the other copy.
    fn keep_arm(&mut self, test: Stmt, arm: usize) {
        for (number, b) in self.blocks(test).to_vec().into_iter().enumerate() {
            for s in self.stmts(b).collect::<Vec<_>>() {
                self.unit.unlink(s);
                if number == arm {
                    self.unit.insert_before(s, test);
                    self.add_sets(s, &[test]);
                }
            }
        }
        self.unit.unlink(test);
    }
}

#[cfg(test)]
mod tests {
    use crate::Head;
    use crate::testing::check;
    use trueline_provenance::{Stmt, Why};

    #[test]
    fn test_in_a_nested_loop() {
        check(
            "unswitch",
            &|ed| {
                let test = ed.walk().into_iter().find(|&s| matches!(ed.head(s), Head::If { .. })).expect("an IF");
                let around = ed.ancestors(test).last().expect("a loop");
                ed.move_test_around(test, around);
            },
            "
integer i, j, k
real a(10, 10)
do i = 1, 9 @1
  do j = 1, 9 @2
    tally @3 evaluations += 1
    if k > 2 @3
      tally @3 taken.0 += 1
      a(i, j) = 1.0 @4
    else
      a(i, j) = 2.0 @5
    end
    a(i, j) = a(i, j) * 2.0 @6
  end
end",
            "
if k > 2 @{1,2,3}
  do i = 1, 9 @1
    do j = 1, 9 @2
      tally @3 evaluations += 1
      tally @3 taken.0 += 1
      a(i, j) = 1.0 @{3,4}
      a(i, j) = a(i, j) * 2.0 @6
    end
  end
else
  do i = 1, 9 @1
    do j = 1, 9 @2
      tally @3 evaluations += 1
      a(i, j) = 2.0 @{3,5}
      a(i, j) = a(i, j) * 2.0 @6
    end
  end
end

move @3 -> @{1,2,3}
expand alternative @1",
        );
    }

    /// A loop stands for itself alone behind a decided conditional that was in it, and in a loop in it, though another one of its conditionals
    /// still stands around both.
    #[test]
    fn a_conditional_of_an_inner_loop_goes() {
        check(
            "unswitch",
            &|ed| {
                for _ in 0..2 {
                    let is_if = |s: &Stmt| matches!(ed.head(*s), Head::If { .. });
                    let is_inside = |s: &Stmt| ed.ancestors(*s).any(|a| ed.head(a).is_loop());
                    let test = ed.walk().into_iter().find(|s| is_if(s) && is_inside(s)).expect("an IF in a loop");
                    let around = ed.ancestors(test).filter(|&a| ed.head(a).is_loop()).last().expect("a loop");
                    ed.move_test_around(test, around);
                }
                let is_if = |s: &Stmt| matches!(ed.head(*s), Head::If { .. });
                let inner = ed.walk().into_iter().filter(is_if).nth(1).expect("the second IF");
                let keep = ed.blocks(inner)[0];
                ed.eliminate_head(inner, Some(keep), Why::ConstantCondition);
            },
            "
integer i, j, k, m
real a(10, 10)
k = 4 @7
m = 4 @8
do i = 1, 9 @1
  if k > 2 @2
    do j = 1, 9 @3
      if k == m @4
        a(i, j) = 1.0 @5
      end
    end
  end
end",
            "
k = 4 @7
m = 4 @8
if k > 2 @{1,2}
  do i = 1, 9 @1
    do j = 1, 9 @{2,3}
      a(i, j) = 1.0 @{4,5}
    end
  end
else
  do i = 1, 9 @1
  end
end

move @2 -> @{1,2}
expand alternative @1
move @4 -> @{1,2,3,4}
expand alternative @1
eliminate @1 (control never reaches it)
eliminate @{2,3} (control never reaches it)
eliminate @{1,2,3,4} (its condition is constant)",
        );
    }
}
