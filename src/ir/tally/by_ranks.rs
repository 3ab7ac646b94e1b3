//! Counts of ranks: of the arms of a conditional that only some ranks evaluate each rank counts its share, and the count is the sum.
//!
//! Shares are not comparable with other counts before they are added up, which the runtime does at the end. So they have counters of their own.
//! Where others count the same, such as all ranks another copy of an inlined procedure, the count is the sum of both (`trueline_instrument`,
//! `discharge.rs`).

use crate::edit::Editor;
use crate::entities::Block;
use crate::head::Head;
use rustc_hash::FxHashSet;
use trueline_provenance::Stmt;

/// Counting code that was taken out of its place: the statement, its block, and the statement behind it.
pub(crate) type Lifted = Vec<(Stmt, Block, Option<Stmt>)>;

impl Editor<'_> {
    /// Lets each rank count its share in the conditionals `stmts`, each evaluation of which is one rank's.
    pub fn count_by_ranks(&mut self, stmts: &[Stmt]) {
        if crate::fault("ranks_share_is_all") {
            return;
        }
        for s in stmts.iter().flat_map(|&s| self.walk_stmt(s)).collect::<Vec<Stmt>>() {
            if let Head::Tally { counter, amount } = self.head(s) {
                let info = self.counter(counter);
                let counter = self.counter_of_ranks(info);
                self.unit.stmts[s].head = Head::Tally { counter, amount };
            }
        }
    }

    /// Takes the counting code in the conditionals `counted`, as far as they are in `s`, out of its place.
    pub(crate) fn lift_counting(&mut self, s: Stmt, counted: &[Stmt]) -> Lifted {
        let within: FxHashSet<Stmt> = self.walk_stmt(s).into_iter().collect();
        let mut out = Lifted::new();
        for &c in counted.iter().filter(|c| within.contains(c) && !crate::fault("ranks_share_leaves")) {
            for x in self.walk_stmt(c) {
                // Statements in a construct that only counts go along with it.
                if self.head(x).is_invisible()
                    && let Some(block) = self.parent(x)
                    && self.enclosing(x).is_some_and(|outer| !self.head(outer).is_invisible())
                {
                    out.push((x, block, self.next(x)));
                }
            }
        }
        out.iter().for_each(|&(x, ..)| self.unit.unlink(x));
        out
    }

    /// Puts it back.
    pub(crate) fn put_back(&mut self, lifted: Lifted) {
        for (x, block, next) in lifted.into_iter().rev() {
            match next {
                Some(next) => self.unit.insert_before(x, next),
                None => self.unit.append(x, block),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Editor;
    use crate::testing::apply;

    const NEST: &str = "
integer i
real a(40), b(40)
do i = 1, 36 @1
  tally @1 iterations += 1
  tally @2 evaluations += 1
  if b(i) > 3.0 @2
    tally @2 taken.0 += 1
    a(i) = b(i) @3
  end
end";

    #[test]
    fn shares_stay_in_their_arms() {
        let run = |ed: &mut Editor<'_>| {
            let all = ed.walk();
            let find = |what: &dyn Fn(crate::Head) -> bool| all.iter().copied().find(|&s| what(ed.head(s)));
            let l = find(&|h| matches!(h, crate::Head::Do { .. })).expect("a loop");
            let c = find(&|h| matches!(h, crate::Head::If { .. })).expect("a conditional");
            ed.localize(l, &[c]);
            ed.count_by_ranks(&[c]);
        };
        let (_, after) = apply("resolve", &run, NEST);
        let text = after.to_string();
        let code = text.split_once("b(40)").map_or("", |(_, code)| code);
        let words: Vec<&str> = code.split_whitespace().collect();
        let wanted = "counter @2 taken.0 tally @1 iterations += 36 tally @2 evaluations += 36 do i = 1, 36 @1 if b(i) > 3.0 @2 \
                      tally @2 taken.0 of ranks += 1 a(i) = b(i) @3 end end";
        assert_eq!(words.join(" "), wanted);
    }

    #[test]
    fn a_count_that_is_made_elsewhere_stays_apart() {
        let run = |ed: &mut Editor<'_>| {
            let c = ed.walk().into_iter().find(|&s| matches!(ed.head(s), crate::Head::If { .. }));
            ed.count_by_ranks(&[c.expect("a conditional")]);
        };
        let (_, after) = apply("resolve", &run, &format!("{NEST}\ntally @2 taken.0 += 1"));
        let text = after.to_string();
        assert!(text.contains("tally @2 taken.0 of ranks += 1") && text.contains("tally @2 taken.0 += 1"), "{text}");
    }
}
