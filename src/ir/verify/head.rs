//! Rules about single statements.

use super::Verifier;
use super::expr::{is_integer, is_logical, is_real};
use crate::Type;
use crate::entities::{Expr, List, Sym};
use crate::expr::ExprData;
use crate::head::{Head, Level};
use trueline_provenance::Stmt;

impl Verifier<'_> {
    pub(super) fn head(&mut self, s: Stmt, head: Head) {
        let u = self.u;
        match head {
            Head::ArrayAssign { place, value } => self.array_assign(place, value),
            Head::Assign { place, value } => self.assign(place, value),
            Head::Where { mask } => {
                let fits = is_logical(u.ty(mask)) && u.pool.rank(mask) > 0;
                self.check(6, fits, "the mask is no logical array");
                self.value(mask);
            }
            Head::Forall { indices, mask } => self.forall(indices, mask.expand()),
            Head::Select { value, ranges } => self.select(s, value, ranges),
            Head::Do { var, lo, hi, step } => self.do_loop(s, var, [lo, hi, step]),
            Head::DoWhile { cond } | Head::If { cond } | Head::Branch { cond, .. } => self.condition(cond),
            Head::Store { addr, value, sym, .. } => {
                self.check(6, u.ty(addr) == Type::I8, "the address is no INTEGER(8)");
                self.check(6, !u.sym(sym).is_register(), "it stores to a register");
                self.value(addr);
                self.value(value);
            }
            Head::Call { callee, args, result } => self.call(callee, args, result.expand()),
            Head::ArithIf { value, .. } => {
                let fits = (is_integer(u.ty(value)) || is_real(u.ty(value))) && u.pool.rank(value) == 0;
                self.check(6, fits, "the value has the wrong type");
                self.value(value);
            }
            Head::GotoTable { index, .. } => {
                self.check(6, is_integer(u.ty(index)) && u.pool.rank(index) == 0, "the index is no integer");
                self.value(index);
            }
            Head::Tally { amount, .. } => {
                let fits = u.ty(amount) == Type::I8 && !u.reads_memory(amount);
                self.check(12, fits, "it adds something else than an INTEGER(8) of registers");
                self.value(amount);
            }
            Head::Bracket { .. } => {}
            Head::Trips { trips, times, spread, .. } => {
                let plain = |e| u.ty(e) == Type::I8 && !u.reads_memory(e);
                let sum = matches!(u.expr(trips), ExprData::Intrinsic(crate::Intrinsic::SumTrips, _));
                let fits = plain(trips) && plain(times) && (sum || !spread);
                self.check(12, fits, "it counts something else than INTEGER(8) of registers");
                self.value(trips);
                self.value(times);
            }
            Head::Ghost { var, value } => {
                // It may read memory: the value of an assignment that has gone, where the assignment stood.
                let fits = u.sym(var).is_register() && u.sym(var).ty == u.ty(value);
                self.check(13, fits, "a ghost is a register of the type of its value");
                self.value(value);
            }
            Head::GhostIf { cond } => {
                self.condition(cond);
                self.counting_alone(s);
            }
            Head::GhostDo { trips } => {
                self.check(13, u.ty(trips) == Type::I8, "a counting loop has an INTEGER(8) of trips");
                self.value(trips);
                self.counting_alone(s);
            }
            Head::GhostCall { callee, args, result } => self.call(callee, args, Some(result)),
            Head::GhostStore { place, value } => {
                let memory = match u.expr(place) {
                    ExprData::Var(v) => !u.sym(v).is_register(),
                    ExprData::Elem(..) | ExprData::Wide(..) => u.level() <= Level::H,
                    ExprData::Load { .. } => u.level() >= Level::M,
                    _ => false,
                };
                let fits = memory && u.ty(place) == u.ty(value);
                self.check(13, fits, "a value is kept in memory of another type or in none");
                self.value(place);
                self.value(value);
            }
            Head::Probe { entry, .. } => {
                if let Some(e) = entry.expand() {
                    let fits = is_logical(u.ty(e)) || is_integer(u.ty(e));
                    self.check(6, fits, "the entry flag is neither logical nor integer");
                    self.value(e);
                }
            }
            Head::Return | Head::Label(_) | Head::Goto(_) => {}
        }
    }

    /// V13.
    fn counting_alone(&mut self, s: Stmt) {
        let alone = self.u.walk_stmt(s).into_iter().all(|x| self.u.head(x).is_invisible());
        self.check(13, alone, "counting code holds code of the program");
    }

    fn condition(&mut self, cond: Expr) {
        let u = self.u;
        let fits = is_logical(u.ty(cond)) && u.pool.rank(cond) == 0;
        self.check(6, fits, "the condition is no logical scalar");
        self.value(cond);
    }

    fn target(&mut self, place: Expr) {
        let u = self.u;
        let is_place =
            matches!(u.expr(place), ExprData::Var(_) | ExprData::Elem(..) | ExprData::Section(..) | ExprData::Wide(..));
        self.check(6, is_place, "it assigns to something that is no variable");
        if is_place {
            let mut todo = Vec::new();
            self.place(place, &mut todo);
            for e in todo {
                self.value(e);
            }
        }
    }

    fn array_assign(&mut self, place: Expr, value: Expr) {
        let u = self.u;
        self.target(place);
        let (to, from) = (u.pool.rank(place), u.pool.rank(value));
        self.check(6, to > 0 && (from == to || from == 0), "the ranks of both sides differ");
        let same = u.ty(place) == u.ty(value) && u.ty(place) != Type::Char;
        self.check(6, same, "the types of both sides differ");
        self.value(value);
    }

    fn assign(&mut self, place: Expr, value: Expr) {
        let u = self.u;
        self.target(place);
        self.check(6, u.pool.rank(place) == 0 && u.pool.rank(value) == 0, "a scalar assignment has an array");
        let same = u.ty(place) == u.ty(value) && u.ty(place) != Type::Char;
        self.check(6, same, "the types of both sides differ");
        // The base of a pointer may be the address of a place (inlining binds arrays so).
        match u.expr(value) {
            ExprData::AddrOf(..) | ExprData::ProcAddr(_) => self.argument(value),
            _ => self.value(value),
        }
    }

    fn forall(&mut self, indices: List, mask: Option<Expr>) {
        let u = self.u;
        let items = u.list(indices);
        self.check(6, !items.is_empty() && items.len().is_multiple_of(2), "its indices are not pairs");
        for pair in items.chunks_exact(2) {
            let fits = match u.expr(pair[0]) {
                ExprData::Var(v) => u.sym(v).is_register() && is_integer(u.sym(v).ty),
                _ => false,
            };
            self.check(6, fits, "an index is no integer register");
            match u.expr(pair[1]) {
                ExprData::Triplet(lo, hi, step) => {
                    for e in [lo, hi, step] {
                        self.check(6, u.ty(e) == Type::I8, "the range of an index is no INTEGER(8)");
                        self.value(e);
                    }
                }
                _ => self.report(16, "the range of an index is no triplet"),
            }
        }
        if let Some(m) = mask {
            self.condition(m);
        }
    }

    fn select(&mut self, s: Stmt, value: Expr, ranges: List) {
        let u = self.u;
        let ty = u.ty(value);
        self.check(6, is_integer(ty) && u.pool.rank(value) == 0, "the selector is no integer");
        self.value(value);
        let items = u.list(ranges);
        self.check(3, items.len().is_multiple_of(3), "its ranges are not triples");
        let cases = u.blocks(s).len() as i64 - 1;
        for range in items.chunks_exact(3) {
            let number = u.pool.as_int(range[0]);
            self.check(3, number.is_some_and(|n| (0..cases).contains(&n)), "a range belongs to no CASE");
            for &e in &range[1..] {
                let fits = match u.expr(e) {
                    ExprData::Int(t, _) => t == ty,
                    ExprData::None => true,
                    _ => false,
                };
                self.check(3, fits, "a range has bounds that are no constants of the selector's type");
            }
        }
    }

    fn do_loop(&mut self, s: Stmt, var: Sym, bounds: [Expr; 3]) {
        let u = self.u;
        let data = u.sym(var);
        self.check(7, data.is_register() && is_integer(data.ty), "the DO variable is no integer register");
        for e in bounds {
            let fits = u.ty(e) == data.ty && u.pool.rank(e) == 0;
            self.check(7, fits, "a bound is not of the type of the DO variable");
            self.check(7, u.is_loop_bound(e), "a bound is more than a sum or product of registers and constants");
            self.value(e);
        }
        self.check(7, u.pool.as_int(bounds[2]) != Some(0), "the step is zero");
        // Only the statements directly inside are looked at here: an inner loop checks its own.
        let mut inside = u.stmts(u.blocks(s)[0]);
        let redefined = inside.any(|x| !u.head(x).is_invisible() && u.defines(u.head(x)) == Some(var));
        self.check(7, !redefined || u.level == Level::L, "the DO variable is defined in the body");
    }
}
