//! Arguments that only run time can compare: an array with the extents of the dummy argument, also across files; and constants and
//! expressions that the procedure changes.
//!
//! ```text
//! call s(a, n)       call pass(id of s, 0, 2 * (size of a in bytes + 1), place)
//!                    call s(&a, &n)
//! subroutine s(x, n) code = passed(id of s, 0)
//!   real x(n)        if (code >= 2 and code / 2 - 1 < 4 * n) call wrong_argument(…)
//! ```
//!
//! The code of an argument is 0 if nothing is known of it; the last bit says that it must not be changed, the others are the
//! number of bytes and one. The last dimension of an assumed-size array ends where the array does that is passed.

use crate::call::Arguments;
use crate::entry::CalledBy;
use crate::expr::Exprs;
use crate::values::Val;
use crate::variables::Variables;
use trueline_diag::Span;
use trueline_ir::{BinaryOp, Expr, ExprData, Intent, Intrinsic, Rt, Sym, Type};
use trueline_sema::scope::symbol::{Procedure, ProcedureClass, ProcedureKind, Symbol, SymbolId, is_assumed_shape};
use trueline_syntax::ast::{ExprId, ExprKind};

/// The number of elements that is never reached.
const UNKNOWN: i64 = 1 << 62;

/// The most arguments that are noted, as the runtime has it.
const MOST: usize = 32;

/// A note for the procedure that is called.
pub(crate) struct Note {
    argument: usize,
    code: Expr,
    at: Span,
}

/// Whether the dummy argument is an array of elements that follow each other.
fn is_sequence(d: &Symbol) -> bool {
    d.is_variable() && d.is_array() && !d.is_indirect() && !is_assumed_shape(d) && !d.attrs.optional && !d.attrs.value
}

/// Whether the procedure may change the dummy argument, and does not say so.
fn may_change(d: &Symbol) -> bool {
    let a = &d.attrs;
    let is_plain = d.is_variable() && !d.is_indirect() && !a.optional && !a.value && !a.assumed_type;
    is_plain && a.referenced && d.intent == Intent::Unknown && d.structure.is_none()
}

/// Whether calls of the procedure have notes. A pure function may be called at another place than it stands.
fn has_notes(p: &Procedure) -> bool {
    let is_pure = p.is_elemental || p.is_pure && p.kind == ProcedureKind::Function;
    let is_known = matches!(p.class, ProcedureClass::External | ProcedureClass::Module | ProcedureClass::Internal);
    is_known && !is_pure && !p.is_c && !p.linker.is_empty()
}

/// A number for a linker symbol (FNV-1a).
fn number(symbol: &str) -> i64 {
    let hash = symbol.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    hash as i64 | 1
}

impl Exprs<'_> {
    /// Notes the argument `x`, of value `v`, for the procedure that is called.
    pub(crate) fn note_argument(
        &mut self,
        x: ExprId,
        v: Val,
        dummy: Option<SymbolId>,
        is_place: bool,
        out: &mut Arguments,
    ) {
        let checks = self.checks();
        let argument = out.noted;
        let d = dummy.map(|d| self.symbol(d));
        if argument >= MOST || out.callee.is_some() || self.structure_at(v.e).is_some() {
            return;
        }
        let root = self.root_of(x).filter(|_| is_place);
        let fixed = match root.map(|id| self.fixed.get(&id).copied()) {
            _ if !checks.pointer || d.is_some_and(|d| !may_change(d)) => None,
            Some(None) => None,
            Some(Some(flag)) => Some(self.var(flag)),
            None => (self.rank(v.e) == 0 && !is_place).then(|| self.int8(1)),
        };
        // Aliases need the sizes of arrays without an end alone.
        let is_needed = |d: &Symbol| is_sequence(d) && (checks.bounds || d.is_assumed_size());
        let bytes = match (checks.bounds || checks.alias) && d.is_none_or(is_needed) {
            true => self.bytes_passed(x, v, d),
            false => None,
        };
        if fixed.is_none() && bytes.is_none() {
            return;
        }
        let (one, two, zero) = (self.int8(1), self.int8(2), self.int8(0));
        let size = match bytes {
            Some(bytes) => {
                let more = self.add(bytes, one);
                self.mul(more, two)
            }
            None => zero,
        };
        let code = self.add(size, fixed.unwrap_or(zero));
        let code = self.in_register(code);
        out.notes.push(Note { argument, code, at: self.ast.span(x) });
    }

    /// The bytes of an array, or from an element of an array to the array's end; none if they are not known, or known to be
    /// enough.
    fn bytes_passed(&mut self, x: ExprId, v: Val, d: Option<&Symbol>) -> Option<Expr> {
        let each = self.element_bytes(v);
        if self.rank(v.e) > 0 {
            if let (ExprKind::Name(_), Some(id)) = (&self.ast.expr(x).kind, self.root_of(x)) {
                if let Some(&bytes) = self.passed_bytes.get(&id) {
                    return Some(self.var(bytes));
                }
                if self.ends_anywhere(id) {
                    return None;
                }
            }
            let n = self.size(v.e);
            let is_compared = self.known(n).is_some() && d.is_some_and(|d| d.element_count().is_some());
            return (!is_compared).then(|| self.mul(n, each));
        }
        let ExprData::Elem(array, subs) = self.e.expr(v.e) else { return None };
        let ExprKind::Call { base, .. } = self.ast.expr(x).kind else { return None };
        let ExprKind::Name(name) = self.ast.expr(base).kind else { return None };
        let id = self.resolve(name).filter(|id| !self.associates.contains_key(id))?;
        let s = self.symbol(id);
        if s.attrs.pointer || is_assumed_shape(s) || !s.is_array() || !self.sym(array).is_contiguous() {
            return None;
        }
        let known = self.passed_bytes.get(&id).copied();
        if known.is_none() && self.ends_anywhere(id) {
            return None;
        }
        let (subs, dims) = (self.list(subs).to_vec(), self.sym(array).dims.clone());
        let (mut before, mut all) = (self.int8(0), self.int8(1));
        for (&sub, dim) in subs.iter().zip(&dims) {
            let steps = self.sub(sub, dim.lower);
            let distance = self.mul(steps, all);
            before = self.add(before, distance);
            if let Some(upper) = dim.upper.expand() {
                let n = self.count(dim.lower, upper);
                all = self.mul(all, n);
            }
        }
        let left = match known {
            Some(bytes) => {
                let bytes = self.var(bytes);
                let skipped = self.mul(before, each);
                let (left, zero) = (self.sub(bytes, skipped), self.int8(0));
                let is_known = self.make(ExprData::Binary(BinaryOp::Ge, bytes, zero));
                let none = self.int8(-1);
                self.intrinsic(Intrinsic::Merge, &[left, none, is_known])
            }
            None => {
                let left = self.sub(all, before);
                self.mul(left, each)
            }
        };
        Some(left)
    }

    /// Whether the array is a dummy argument whose declared end says nothing: `x(*)`, and `x(1)` of old programs.
    fn ends_anywhere(&self, id: SymbolId) -> bool {
        let s = self.symbol(id);
        let is_dummy = matches!(s.home, trueline_sema::scope::symbol::Home::Dummy { .. });
        let last = s.shape.last().and_then(|b| b.size());
        is_dummy && !s.is_indirect() && !is_assumed_shape(s) && (s.is_assumed_size() || last == Some(1))
    }

    /// The notes, just before the call.
    pub(crate) fn pass_notes(&mut self, p: Option<&Procedure>, out: &mut Arguments) {
        let notes = std::mem::take(&mut out.notes);
        let Some(p) = p.filter(|p| has_notes(p)) else { return };
        let procedure = self.int8(number(&p.linker));
        for note in notes {
            let argument = self.int8(note.argument as i64);
            let location = self.location_at(note.at);
            self.call_rt(Rt::Pass, &[procedure, argument, note.code, location]);
        }
    }
}

impl Variables<'_> {
    /// At entry: takes the notes of the caller, and compares the sizes. Of a procedure with ENTRY statements the unit of each name compares the sizes; no other
    /// note reaches the body.
    pub(crate) fn take_notes(&mut self, own: &Symbol) {
        let checks = self.cx.decls.options.checks;
        let is_body = matches!(self.called_by, CalledBy::Selected(_));
        let is_name = matches!(self.called_by, CalledBy::One(_));
        let Some(p) = own.procedure().filter(|p| has_notes(p) && !is_body).cloned() else { return };
        for (k, d) in p.dummies.iter().enumerate().take(MOST) {
            let Some(id) = *d else { continue };
            let s = self.symbol(id);
            let wants_size = checks.bounds && is_sequence(s) || checks.alias && s.is_assumed_size() && is_sequence(s);
            let wants_size = wants_size && (!is_name || !s.is_assumed_size() && self.has_known_bounds(s));
            let wants_change = checks.pointer && may_change(s) && !is_name;
            let Some(sym) = self.bindings.get(&id).map(|b| b.sym).filter(|_| wants_size || wants_change) else {
                continue;
            };
            let (procedure, argument) = (self.int8(number(&p.linker)), self.int8(k as i64));
            let code = self.call_rt_value(Rt::Passed, &[procedure, argument], Type::I8);
            if wants_size {
                self.take_size(id, sym, code, k);
            }
            if wants_change {
                let one = self.int8(1);
                let flag = self.intrinsic(Intrinsic::Iand, &[code, one]);
                let register = self.register(&format!("fixed.{}", s.name), Type::I8);
                let place = self.var(register);
                self.assign(place, flag);
                self.fixed.insert(id, register);
            }
        }
    }

    /// The array that is passed must have the elements of the dummy argument; one of assumed size ends with it.
    fn take_size(&mut self, id: SymbolId, sym: Sym, code: Expr, argument: usize) {
        let (one, two, zero) = (self.int8(1), self.int8(2), self.int8(0));
        let half = self.binary(BinaryOp::Div, code, two);
        let bytes = self.sub(half, one);
        let register = format!("passed.{}", self.symbol(id).name);
        let register = self.register(&register, Type::I8);
        let place = self.var(register);
        self.assign(place, bytes);
        let each = match self.sym(sym).len.expand() {
            Some(len) => len,
            None => {
                let bytes = self.sym(sym).ty.size() as i64;
                self.int8(bytes)
            }
        };
        let each = self.intrinsic(Intrinsic::Max, &[each, one]);
        let have = self.binary(BinaryOp::Div, place, each);
        let is_known = self.make(ExprData::Binary(BinaryOp::Ge, place, zero));
        if self.symbol(id).is_assumed_size() {
            self.passed_bytes.insert(id, register);
            if self.checks_bounds() {
                self.end_of_assumed_size(sym, have, is_known);
            }
            return;
        }
        let whole = self.var(sym);
        let needed = self.size(whole);
        let few = self.compared(BinaryOp::Lt, have, needed);
        let wrong = self.make(ExprData::Binary(BinaryOp::And, is_known, few));
        let (after, _) = self.open_if(wrong);
        let name = &self.symbol(id).name;
        let text = format!("Actual argument contains too few elements for dummy argument '{name}' ({{1}}/{{2}})");
        let text = self.text(text.as_bytes());
        let [text, len] = self.read_str(text);
        let argument = self.int8(argument as i64);
        self.call_rt(Rt::WrongArgument, &[argument, text, len, have, needed]);
        self.enter(after);
    }

    /// The upper bound of the last dimension, for subscripts.
    fn end_of_assumed_size(&mut self, sym: Sym, elements: Expr, is_known: Expr) {
        let one = self.int8(1);
        let dims = self.sym(sym).dims.clone();
        let Some((last, others)) = dims.split_last() else { return };
        let mut row = one;
        for dim in others {
            let Some(upper) = dim.upper.expand() else { return };
            let n = self.count(dim.lower, upper);
            row = self.mul(row, n);
        }
        let row = self.intrinsic(Intrinsic::Max, &[row, one]);
        // The last row may be shorter than the others.
        let (less, unknown) = (self.sub(row, one), self.int8(UNKNOWN));
        let up = self.add(elements, less);
        let rows = self.binary(BinaryOp::Div, up, row);
        let sum = self.add(last.lower, rows);
        let upper = self.sub(sum, one);
        let upper = self.intrinsic(Intrinsic::Merge, &[upper, unknown, is_known]);
        let register = format!("end.{}", self.sym(sym).name);
        let register = self.register(&register, Type::I8);
        let place = self.var(register);
        self.assign(place, upper);
        self.assumed_ends.insert(sym, register);
    }

    /// The variable at `x` is changed: it must not be a dummy argument that stands for a constant or an expression.
    pub(crate) fn check_not_fixed(&mut self, x: ExprId) {
        if let Some(id) = self.root_of(x) {
            self.check_not_fixed_at(id, self.ast.span(x));
        }
    }

    /// The same of the variable `id`, named at `at`.
    pub(crate) fn check_not_fixed_at(&mut self, id: SymbolId, at: Span) {
        let Some(&flag) = self.fixed.get(&id) else { return };
        let (flag, zero) = (self.var(flag), self.int8(0));
        let wrong = self.make(ExprData::Binary(BinaryOp::Ne, flag, zero));
        let text = format!("Dummy argument '{}' is associated with a constant or expression", self.symbol(id).name);
        self.fault_if(at, wrong, &text, &[]);
    }
}
