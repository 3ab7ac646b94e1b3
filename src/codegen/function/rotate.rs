//! Loops that test at their beginning test at their end.
//!
//! ```text
//! L1:                            L1:
//! branch j <= n, L2, L3          branch j <= n, L2, L3
//! L2:                            L2:
//! …                       =>     …
//! j = j + j                      j = j + j
//! goto L1                        branch j <= n, L2, L3
//! L3:                            L3:
//! ```
//!
//! One jump an iteration instead of two, and where different ways lead back, each has a branch of its own, which is foreseen by itself. The counts before
//! the branch stand before each of them. Where the variable has just become more than its limit, nothing is left to ask:
//! `j = n + 1` ends the loop.

use super::Body;
use crate::expr::Translator;
use crate::locate;
use cranelift_codegen::ir::InstBuilder;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_ir::{BinaryOp, ExprData, Head, Label, Stmt, Unit};

/// Longer conditions are evaluated in one place.
const MOST_OPERATIONS: usize = 12;
/// More counts are made in one place.
const MOST_COUNTS: usize = 4;

/// The jumps back in whose place the test of their loop stands.
pub(super) type Tests = FxHashMap<Stmt, Test>;

/// The test of a loop.
#[derive(Clone)]
pub(super) struct Test {
    /// The counts before the branch, and the branch.
    stmts: SmallVec<[Stmt; 4]>,
    /// Whether it fails.
    is_over: bool,
}

impl Test {
    /// The branch.
    pub(super) fn branch(&self) -> Stmt {
        self.stmts[self.stmts.len() - 1]
    }
}

/// The jumps of `unit`, at L, in whose place the test of their loop stands. `led` tells where conditional jumps to a label lead.
pub(super) fn tests(unit: &Unit, led: impl Fn(Label) -> Label) -> Tests {
    let mut at: FxHashMap<Label, (usize, Stmt)> = FxHashMap::default();
    let mut falls_into: FxHashSet<Label> = FxHashSet::default();
    let mut open = true;
    for (k, s) in unit.stmts(unit.body()).enumerate() {
        let head = unit.head(s);
        if let Head::Label(l) = head {
            at.insert(l, (k, s));
            falls_into.extend(open.then_some(l));
        }
        if !head.is_invisible() {
            open = !head.is_jump() && !matches!(head, Head::Branch { .. });
        }
    }
    let mut out = Tests::default();
    for (k, s) in unit.stmts(unit.body()).enumerate() {
        let Head::Goto(l) = unit.head(s) else { continue };
        let l = led(l);
        // Without another way to the label nothing would lead to its block.
        let Some(&(start, label)) = at.get(&l).filter(|a| a.0 < k && falls_into.contains(&l)) else { continue };
        let Some(stmts) = test(unit, label) else { continue };
        let test = Test { stmts, is_over: false };
        let targets = unit.targets(unit.head(test.branch())).into_iter();
        let inside = targets.filter(|l| at.get(l).is_some_and(|a| start < a.0 && a.0 <= k)).count();
        if inside == 1 {
            out.insert(s, test);
        }
    }
    let jumped = jumped(unit, &out, led);
    let comes_from_before = |s: &Stmt| {
        let mut labels = labels_before(unit, *s);
        labels.all(|l| !jumped.contains(&l))
    };
    for (&s, test) in &mut out {
        test.is_over = comes_from_before(&s) && is_over(unit, s, test.branch());
    }
    out
}

/// The labels that jumps lead to if the tests stand in the places of theirs.
fn jumped(unit: &Unit, tests: &Tests, led: impl Fn(Label) -> Label) -> FxHashSet<Label> {
    let mut out = FxHashSet::default();
    for s in unit.stmts(unit.body()) {
        let head = unit.head(s);
        let targets = unit.targets(head).into_iter();
        match head {
            Head::Branch { .. } => out.extend(targets.map(&led)),
            Head::Goto(_) if tests.contains_key(&s) => {}
            _ => out.extend(targets),
        }
    }
    out
}

/// The labels right before `s`.
fn labels_before(unit: &Unit, s: Stmt) -> impl Iterator<Item = Label> {
    let before = std::iter::successors(unit.prev(s), |&x| unit.prev(x)).map(|x| unit.head(x));
    let before = before.take_while(|h| h.is_invisible() || matches!(h, Head::Label(_)));
    before.filter_map(|h| if let Head::Label(l) = h { Some(l) } else { None })
}

/// The statements from `label` up to the branch, if there are only counts before it.
fn test(unit: &Unit, label: Stmt) -> Option<SmallVec<[Stmt; 4]>> {
    let mut out = SmallVec::new();
    for s in std::iter::successors(unit.next(label), |&x| unit.next(x)) {
        out.push(s);
        match unit.head(s) {
            Head::Branch { cond, .. } => {
                let mut operations = 0;
                unit.visit_expr(cond, &mut |_| operations += 1);
                return (operations <= MOST_OPERATIONS).then_some(out);
            }
            Head::Tally { .. } | Head::Bracket { .. } if out.len() <= MOST_COUNTS => {}
            _ => return None,
        }
    }
    None
}

/// Whether the condition of `branch` is false behind the jump `s`: the statement before has just made the variable more than it may be.
fn is_over(unit: &Unit, s: Stmt, branch: Stmt) -> bool {
    let Head::Branch { cond, .. } = unit.head(branch) else { return false };
    let mut before = std::iter::successors(unit.prev(s), |&x| unit.prev(x)).map(|x| unit.head(x));
    let last = before.find(|h| !h.is_invisible() && !matches!(h, Head::Label(_)));
    let Some(Head::Assign { place, value }) = last else { return false };
    let ExprData::Binary(BinaryOp::Add, base, more) = unit.expr(value) else { return false };
    let asks = match unit.expr(cond) {
        ExprData::Binary(BinaryOp::Le | BinaryOp::Lt, a, b) => a == place && b == base,
        ExprData::Binary(BinaryOp::Ge | BinaryOp::Gt, b, a) => a == place && b == base,
        _ => false,
    };
    asks && base != place && unit.pool().as_int(more).is_some_and(|k| k > 0)
}

impl Body {
    /// Translates the test of the loop that the jump `s` leads back to. False if the jump is to be one.
    pub(super) fn test_again(&mut self, t: &mut Translator<'_, '_>, s: Stmt) -> bool {
        let Some(test) = self.tests.get(&s).cloned() else { return false };
        for x in test.stmts {
            let Head::Branch { cond, then, otherwise } = t.unit.head(x) else {
                self.stmt(t, x);
                continue;
            };
            let [yes, no] = [then, otherwise].map(|l| self.block(t, self.led(t, l)));
            t.b.set_srcloc(locate::of_set(t.unit.set(x)));
            t.begin_stmt();
            t.note(Some(x));
            if test.is_over {
                t.b.ins().jump(no, &[]);
            } else {
                t.branch(cond, yes, no);
            }
            self.filled = true;
        }
        true
    }
}
