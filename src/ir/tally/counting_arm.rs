//! Law C for arms that hold nothing but counting code.

use crate::edit::{Editor, Place};
use crate::entities::{Expr, Sym};
use crate::expr::ExprData;
use crate::head::Head;
use crate::{Intrinsic, Type, Unit};
use rustc_hash::FxHashMap;
use trueline_provenance::{Stmt, Why};

impl Editor<'_> {
    /// Law C for arms of the IF `s` that hold nothing but counting code: they are counted before `s`, by the value that
    /// the condition has there, kept in a ghost. After that an arm that is empty in a plain build is empty in a
    /// profiled one.
    pub fn flatten_counting_arms(&mut self, s: Stmt) {
        let Head::If { cond } = self.head(s) else { return };
        let mut kept: Option<Expr> = None;
        for number in 0..2 {
            let b = self.blocks(s)[number];
            self.collapse_trips(b);
            let inside: Vec<Stmt> = self.stmts(b).collect();
            if inside.is_empty() || inside.iter().any(|&x| !self.head(x).is_invisible()) {
                continue;
            }
            let flag = *kept.get_or_insert_with(|| {
                let g = self.new_register("ghost", self.ty(cond));
                self.ghost(g, cond, Place::Before(s));
                self.unit.tallied.insert(g);
                self.var(g)
            });
            let yes = (number == 0) != crate::fault("flatten_other_arm");
            self.flatten_arm(s, &inside, flag, yes);
        }
    }

    /// Moves `inside`, a whole arm, before `s`. The arm is executed if `flag` is `yes`.
    fn flatten_arm(&mut self, s: Stmt, inside: &[Stmt], flag: Expr, yes: bool) {
        // Conditions already known to be evaluated inside this arm only. A tally guarded by one of them needs no
        // second guard.
        let mut conditions: FxHashMap<Sym, Expr> = FxHashMap::default();
        let mut guarded: Option<Stmt> = None;
        for &x in inside {
            self.unit.unlink(x);
            let zero = self.int(Type::I8, 0);
            let head = self.head(x);
            match head {
                Head::Tally { counter, amount } if !self.may_trap(amount) => {
                    let amount = self.with_values(amount, &conditions);
                    let (a, b) = if yes { (amount, zero) } else { (zero, amount) };
                    let amount = self.intrinsic(Intrinsic::Merge, &[a, b, flag]);
                    self.tally(counter, amount, Place::Before(s));
                    guarded = None;
                }
                Head::Trips { counter, trips, times, spread } if !self.may_trap(trips) && !self.may_trap(times) => {
                    let trips = self.with_values(trips, &conditions);
                    let times = self.with_values(times, &conditions);
                    let (a, b) = if yes { (times, zero) } else { (zero, times) };
                    let times = self.intrinsic(Intrinsic::Merge, &[a, b, flag]);
                    self.null(Head::Trips { counter, trips, times, spread }, Place::Before(s), Why::Counting);
                    guarded = None;
                }
                // One condition selects no vectors.
                Head::Ghost { var, value } if !self.may_trap(value) && self.ty(value).lanes() == 1 => {
                    forget(self, &mut conditions, var);
                    if self.ty(value) == Type::L4 && !self.reads_memory(value) && !self.mentions(value, var) {
                        conditions.insert(var, value);
                    }
                    let old = self.var(var);
                    let (a, b) = if yes { (value, old) } else { (old, value) };
                    let value = self.intrinsic(Intrinsic::Merge, &[a, b, flag]);
                    self.ghost(var, value, Place::Before(s));
                    guarded = None;
                }
                Head::Probe { .. } => {}
                // It must not be evaluated where the program does not.
                _ => {
                    for v in self.defined_below(x) {
                        forget(self, &mut conditions, v);
                    }
                    let guard = *guarded.get_or_insert_with(|| {
                        let cond = if yes || crate::fault("guard_other_arm") {
                            flag
                        } else {
                            self.make(ExprData::Unary(crate::UnaryOp::Not, flag))
                        };
                        self.null(Head::GhostIf { cond }, Place::Before(s), Why::Shadow)
                    });
                    let block = self.blocks(guard)[0];
                    self.unit.append(x, block);
                }
            }
        }
    }

    /// `e` with registers replaced by their values.
    fn with_values(&mut self, e: Expr, values: &FxHashMap<Sym, Expr>) -> Expr {
        if values.is_empty() {
            return e;
        }
        self.unit.map_expr(e, &mut |u, x| match u.expr(x) {
            ExprData::Var(v) => values.get(&v).copied(),
            _ => None,
        })
    }
}

/// Removes the conditions that are not known any more when `v` changes.
fn forget(u: &Unit, conditions: &mut FxHashMap<Sym, Expr>, v: Sym) {
    conditions.retain(|&c, e| c != v && !u.mentions(*e, v));
}
