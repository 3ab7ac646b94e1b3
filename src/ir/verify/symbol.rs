//! Rules about symbols, parameters and ids.

use super::Verifier;
use crate::entities::{Expr, Sym};
use crate::expr::{BinaryOp, ExprData};
use crate::head::{Callee, Head};
use crate::symbol::Storage;
use crate::{Type, UnaryOp};
use cranelift_entity::EntityRef;

/// A mistake in a symbol or an area; text only when it is reported.
struct Wrong<'a> {
    kind: &'static str,
    name: &'a str,
    what: &'static str,
}

impl std::fmt::Display for Wrong<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}'{}' {}", self.kind, self.name, self.what)
    }
}

impl<'u> Verifier<'u> {
    /// V19: everything that a statement names is in the unit's tables. Ids inside expressions are valid
    /// by construction.
    pub(super) fn ids(&mut self) {
        let u = self.u;
        for s in u.walk() {
            self.at = Some(s);
            let fine = |e: Expr| e.index() < u.pool.len();
            let head = u.head(s);
            let sym = |v: Sym| u.syms.is_valid(v);
            let ok = match head {
                Head::ArrayAssign { place, value } | Head::Assign { place, value } => fine(place) && fine(value),
                Head::Where { mask } => fine(mask),
                Head::If { cond } | Head::DoWhile { cond } | Head::Branch { cond, .. } => fine(cond),
                Head::Select { value, .. } | Head::ArithIf { value, .. } => fine(value),
                Head::Do { var, lo, hi, step } => sym(var) && fine(lo) && fine(hi) && fine(step),
                Head::Store { addr, value, sym: v, .. } => fine(addr) && fine(value) && sym(v),
                Head::Call { callee, result, .. } => {
                    let callee = match callee {
                        Callee::Proc(p) => u.procs.is_valid(p),
                        Callee::Dummy(v) => sym(v),
                        Callee::Rt(_) => true,
                    };
                    callee && result.expand().is_none_or(sym)
                }
                Head::GotoTable { index, table } => fine(index) && (table as usize) < u.jump_tables.len(),
                Head::Tally { counter, amount } => u.counters.is_valid(counter) && fine(amount),
                Head::Bracket { counter, .. } => u.counters.is_valid(counter),
                Head::Trips { counter, trips, times, .. } => u.counters.is_valid(counter) && fine(trips) && fine(times),
                Head::Ghost { var, value } => sym(var) && fine(value),
                Head::GhostIf { cond: e } | Head::GhostDo { trips: e } => fine(e),
                Head::GhostCall { result, .. } => sym(result),
                Head::GhostStore { place, value } => fine(place) && fine(value),
                Head::Probe { record, entry, .. } => {
                    (record as usize) < u.records.len() && entry.expand().is_none_or(fine)
                }
                Head::Forall { .. } | Head::Return | Head::Label(_) | Head::Goto(_) => true,
            };
            self.check(19, ok, "it names something that is not in the unit");
            let labels = match head {
                Head::Label(l) => l.as_u32() < u.labels,
                _ if ok => u.targets(head).iter().all(|l| l.as_u32() < u.labels),
                _ => true,
            };
            self.check(19, labels, "it names a label that was not made");
        }
        self.at = None;
    }

    /// V8 and V14.
    pub(super) fn symbols(&mut self) {
        let u = self.u;
        for (s, data) in u.syms.iter() {
            let wrong = |what| Wrong { kind: "", name: &data.name, what };
            let last = data.dims.len();
            for (k, d) in data.dims.iter().enumerate() {
                self.check(8, self.is_bound(d.lower), wrong("has a lower bound that is no INTEGER(8) of registers"));
                if let Some(e) = d.stride.expand() {
                    self.check(8, self.is_bound(e), wrong("has a stride that is no INTEGER(8) of registers"));
                }
                match d.upper.expand() {
                    Some(e) => {
                        self.check(8, self.is_bound(e), wrong("has an upper bound that is no INTEGER(8) of registers"))
                    }
                    None => {
                        let root = u.syms.get(u.root(s)).map(|r| r.storage);
                        let may = matches!(root, Some(Storage::Dummy { .. } | Storage::Pointer { .. }));
                        self.check(8, may && k + 1 == last, wrong("has no upper bound"));
                    }
                }
            }
            if let Some(e) = data.len.expand() {
                self.check(8, self.is_bound(e), wrong("has a length that is no INTEGER(8) of registers"));
            }
            self.check(8, (data.ty == Type::Char) == data.len.is_some(), wrong("has a length, or lacks one"));
            self.storage(s, &wrong);
            let loads = matches!(data.storage, Storage::Value { .. })
                && matches!(data.ty, Type::I4 | Type::I8 | Type::L4 | Type::L8 | Type::R4 | Type::R8);
            self.check(14, !data.is_loaded || loads, wrong("is loaded at entry, but not passed by value"));
            if let Some(words) = data.owner.expand() {
                let fits = u.syms.get(words).is_some_and(|w| !w.is_register() && w.ty == Type::I8 && words != s);
                let owned = matches!(data.storage, Storage::Pointer { .. });
                self.check(8, fits && owned, wrong("has an owner that is no descriptor"));
            }
        }
        for (_, a) in u.areas.iter() {
            let wrong = |what| Wrong { kind: "area ", name: &a.symbol, what };
            self.check(8, a.align.is_power_of_two(), wrong("has an alignment that is no power of two"));
            let fits = a.init.is_empty() || a.init.len() as u64 == a.size;
            self.check(8, fits, wrong("has initial content of another size"));
        }
        for (k, &p) in u.params.iter().enumerate() {
            let fits = match u.syms.get(p).map(|d| d.storage) {
                Some(Storage::Dummy { index } | Storage::Value { index }) => index as usize == k,
                _ => false,
            };
            self.check(14, fits, format_args!("parameter {k} is not declared as that"));
        }
        if let Some(r) = u.result {
            let fits = u.syms.get(r).is_some_and(|d| d.is_register() && d.ty != Type::Char);
            self.check(14, fits, "the result is no register");
        }
    }

    fn storage(&mut self, s: Sym, wrong: &dyn Fn(&'static str) -> Wrong<'u>) {
        let u = self.u;
        let data = u.sym(s);
        let is_scalar = data.dims.is_empty() && data.ty != Type::Char;
        match data.storage {
            Storage::Register => self.check(8, is_scalar, wrong("is no scalar, but a register")),
            Storage::Value { index } => {
                self.check(8, is_scalar, wrong("is no scalar, but passed by value"));
                self.check(14, (index as usize) < u.params.len(), wrong("is a parameter that does not exist"));
            }
            Storage::Dummy { index } => {
                self.check(14, (index as usize) < u.params.len(), wrong("is a parameter that does not exist"));
            }
            Storage::Static { area, offset } => {
                let Some(area) = u.areas.get(area) else {
                    return self.report(8, wrong("is in an area that does not exist").to_string());
                };
                let end = u.constant_size(s).and_then(|size| size.checked_add(offset));
                self.check(8, end.is_none_or(|end| end <= area.size), wrong("does not fit its area"));
            }
            Storage::Frame => self.check(8, u.constant_size(s).is_some(), wrong("has no constant size")),
            Storage::Within { root, .. } => {
                let fits = u.syms.get(root).is_some_and(|r| {
                    matches!(r.storage, Storage::Frame | Storage::Dummy { .. } | Storage::Pointer { .. })
                });
                self.check(8, fits, wrong("is part of memory that is not the procedure's"));
            }
            Storage::Pointer { base } => {
                let fits = u.syms.get(base).is_some_and(|b| b.is_register() && b.ty == Type::I8);
                self.check(8, fits, wrong("has a base that is no INTEGER(8) register"));
            }
        }
    }

    /// Whether `e` may be a bound: an `INTEGER(8)` of constants and registers.
    fn is_bound(&self, e: Expr) -> bool {
        let u = self.u;
        let mut fine = u.ty(e) == Type::I8 && u.pool.rank(e) == 0;
        u.visit_expr(e, &mut |x| {
            fine &= match u.expr(x) {
                ExprData::Var(v) => u.sym(v).is_register(),
                ExprData::Elem(..) | ExprData::Section(..) | ExprData::Wide(..) => false,
                ExprData::Load { .. } | ExprData::Substr(..) => false,
                ExprData::AddrOf(..) | ExprData::Addr(_) | ExprData::Text(_) => false,
                _ => true,
            };
        });
        fine
    }
}

impl crate::Unit {
    /// Whether `e` may be a bound of a DO loop: constants, registers, and `+ - *` of them. (Conversions
    /// between integers too: they cost nothing and cannot trap.)
    pub fn is_loop_bound(&self, e: Expr) -> bool {
        let mut fine = true;
        self.visit_expr(e, &mut |x| {
            fine &= match self.expr(x) {
                ExprData::Int(..) => true,
                ExprData::Var(v) => self.sym(v).is_register(),
                ExprData::Unary(UnaryOp::Neg, _) | ExprData::Convert(..) => true,
                ExprData::Binary(op, ..) => matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul),
                ExprData::Intrinsic(i, _) => matches!(
                    i,
                    crate::Intrinsic::Min | crate::Intrinsic::Max | crate::Intrinsic::Trip | crate::Intrinsic::Merge
                ),
                _ => false,
            };
        });
        fine
    }
}
