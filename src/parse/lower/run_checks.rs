//! The checks of `-fcheck=`: code that ends the program where it does things that Fortran forbids.
//!
//! ```text
//! x = a(i)      =>   if (i < 1 .or. i > 10) call fault(text, i, …)
//!                    x = a(i)
//! ```
//!
//! The place is that of the expression that is wrong, with its column; the text has it, the names and the numbers that are known, and the call other numbers and the
//! values of the DO variables around. A check is code before the statement: `sema::typed::needs` knows it, for FORALL and
//! WHERE.

pub(crate) mod aliases;
pub(crate) mod arithmetic;
pub(crate) mod elements;
pub(crate) mod filled;
pub(crate) mod kept;
pub(crate) mod objects;
pub(crate) mod passed;
pub(crate) mod shapes;
pub(crate) mod subscripts;
pub(crate) mod targets;
pub(crate) mod undefined;

use crate::entry::CalledBy;
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::{AreaData, BinaryOp, Expr, ExprData, Linkage, Rt, Storage, Type, UnitKind};
use trueline_sema::Checks;
use trueline_sema::scope::symbol::{Symbol, SymbolId};
use trueline_sema::types::kinds::Category;
use trueline_syntax::ast::{ExprId, ExprKind};

/// The most DO variables whose values a message has: those of the innermost loops.
const MOST_VALUES: usize = 4;

impl Variables<'_> {
    /// The checks that are made here.
    pub(crate) fn checks(&self) -> Checks {
        if self.is_unchecked { Checks::default() } else { self.cx.decls.options.checks }
    }

    /// Whether there are checks of expressions here.
    pub(crate) fn checks_expressions(&self) -> bool {
        self.checks().in_expressions()
    }

    /// Whether subscripts are checked here.
    pub(crate) fn checks_bounds(&self) -> bool {
        self.checks().bounds
    }

    /// The DO variables and other indices around, from the innermost, with their values.
    fn loop_values(&mut self) -> Vec<(String, Expr)> {
        let hidden: SmallVec<[SymbolId; 4]> = self.hidden.names().iter().rev().copied().collect();
        let mut values = Vec::new();
        let mut left = self.active.len();
        let mut around = hidden.into_iter();
        while values.len() < MOST_VALUES {
            let id = match around.next() {
                Some(id) => id,
                None if left == 0 => break,
                None => {
                    left -= 1;
                    self.active.key(left)
                }
            };
            let value = match self.hidden.find(id) {
                Some(v) => Some(v.e),
                None => self.bindings.get(&id).map(|b| b.sym).map(|sym| self.var(sym)),
            };
            let is_whole = |e: &Expr| self.rank(*e) == 0 && Category::of(self.ty(*e)) == Category::Integer;
            if let Some(value) = value.filter(is_whole) {
                values.push((self.symbol(id).name.clone(), value));
            }
        }
        values
    }

    /// Ends the program with `text`, in which `numbers` take the places of `{1}`, `{2}` and `{3}`.
    pub(crate) fn fault(&mut self, at: Span, text: &str, numbers: &[Expr]) {
        let (zero, mut passed) = (self.int8(0), SmallVec::<[Expr; 8]>::new());
        let mut whole = format!("{}\0{text}\0", self.place_of(at));
        for k in 0..3 {
            let number = numbers.get(k).copied().unwrap_or(zero);
            self.pass_number(number, &mut whole, &mut passed);
        }
        for (name, value) in self.loop_values() {
            whole.push_str(&name);
            whole.push('\0');
            self.pass_number(value, &mut whole, &mut passed);
        }
        whole.push('\0');
        let text = self.text(whole.as_bytes());
        let [text, _] = self.read_str(text);
        let (routine, most) = if passed.len() > 4 { (Rt::LongFault, 7) } else { (Rt::Fault, 4) };
        passed.resize(most, zero);
        passed.insert(0, text);
        self.call_rt(routine, &passed);
    }

    /// Appends a number to the text of a fault: itself if it is known, else the letter of an argument of the call.
    fn pass_number(&mut self, number: Expr, text: &mut String, passed: &mut SmallVec<[Expr; 8]>) {
        let number = self.convert(Type::I8, number);
        if let Some(known) = self.known(number) {
            text.push_str(&known.to_string());
        } else {
            let argument = passed.iter().position(|&p| p == number).unwrap_or_else(|| {
                passed.push(number);
                passed.len() - 1
            });
            text.push(char::from(b'a' + argument as u8));
        }
        text.push('\0');
    }

    /// The same if `wrong`.
    pub(crate) fn fault_if(&mut self, at: Span, wrong: Expr, text: &str, numbers: &[Expr]) {
        if matches!(self.e.expr(wrong), ExprData::Logical(_, false)) {
            return;
        }
        let (after, _) = self.open_if(wrong);
        self.fault(at, text, numbers);
        self.enter(after);
    }

    /// A comparison of two numbers, as `INTEGER(8)`; folded if they are known.
    pub(crate) fn compared(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        if let (Some(a), Some(b)) = (self.known(a), self.known(b)) {
            let is_so = match op {
                BinaryOp::Lt => a < b,
                BinaryOp::Gt => a > b,
                BinaryOp::Ne => a != b,
                _ => a == b,
            };
            return self.logical(is_so);
        }
        let [a, b] = [a, b].map(|e| self.convert(Type::I8, e));
        self.make(ExprData::Binary(op, a, b))
    }

    /// The name of a variable or part of one, as messages have it: `t%list`.
    pub(crate) fn name_at(&self, x: ExprId) -> String {
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => self.ast.name(name).to_owned(),
            ExprKind::Call { base, .. } => self.name_at(base),
            ExprKind::Paren(inner) => self.name_at(inner),
            ExprKind::Component { base, name } => format!("{}%{}", self.name_at(base), self.ast.name(name)),
            _ => String::new(),
        }
    }

    /// At entry: the procedure must not be running; now it is.
    pub(crate) fn guard_recursion(&mut self, own: &Symbol) {
        let Some(p) = own.procedure().filter(|p| !p.is_recursive && !self.cx.decls.options.recursive) else { return };
        if !self.cx.decls.options.checks.recursion || self.e.kind() == UnitKind::Program {
            return;
        }
        let symbol = format!("{}.running", p.linker);
        let area =
            AreaData { symbol, size: 4, align: 4, linkage: Linkage::Local, init: Vec::new(), addresses: Vec::new() };
        let area = self.e.b.area(area);
        let flag = trueline_ir::SymData::scalar("running".to_owned(), Type::I4, Storage::Static { area, offset: 0 });
        let flag = self.e.b.sym(flag);
        let (running, zero, one) = (self.var(flag), self.int(Type::I4, 0), self.int(Type::I4, 1));
        let again = self.make(ExprData::Binary(BinaryOp::Ne, running, zero));
        let at = self.statement().unwrap_or(own.span);
        for (id, is_called) in self.called_names() {
            let (name, at) =
                id.map_or((own.name.clone(), at), |id| (self.symbol(id).name.clone(), self.symbol(id).span));
            let again = match is_called {
                Some(is_called) => self.make(ExprData::Binary(BinaryOp::And, again, is_called)),
                None => again,
            };
            self.fault_if(at, again, &format!("Recursive call to nonrecursive procedure '{name}'"), &[]);
        }
        self.assign(running, one);
        self.is_running = Some(flag);
    }

    /// The names that the procedure may have been called by, and whether it has been: of one without ENTRY nothing but that it has.
    pub(crate) fn called_names(&mut self) -> Vec<(Option<SymbolId>, Option<Expr>)> {
        let CalledBy::Selected(selector) = self.called_by else { return vec![(None, None)] };
        let names = trueline_sema::storage::results::names(self.cx.decls, self.home);
        let mut out = Vec::with_capacity(names.len());
        for (k, id) in names.into_iter().enumerate() {
            let (which, number) = (self.var(selector), self.int(Type::I4, k as i64));
            let is_called = self.make(ExprData::Binary(BinaryOp::Eq, which, number));
            out.push((Some(id), Some(is_called)));
        }
        out
    }

    /// At entry of a procedure that may call itself: there must be room on the stack.
    pub(crate) fn guard_stack(&mut self, own: &Symbol) {
        let options = &self.cx.decls.options;
        let is_recursive = own.procedure().is_some_and(|p| (p.is_recursive || options.recursive) && !p.is_pure);
        if options.checks.recursion && is_recursive {
            let (left, zero) = (self.call_rt_value(Rt::StackLeft, &[], Type::I8), self.int8(0));
            let full = self.make(ExprData::Binary(BinaryOp::Lt, left, zero));
            self.fault_if(own.span, full, &format!("Stack overflow in procedure '{}'", own.name), &[]);
        }
    }

    /// On the way out: the procedure may be called again.
    pub(crate) fn unguard_recursion(&mut self) {
        if let Some(flag) = self.is_running {
            let (running, zero) = (self.var(flag), self.int(Type::I4, 0));
            self.assign(running, zero);
        }
    }

    /// The step `x` of a DO must not be 0; `text` says so.
    pub(crate) fn check_step(&mut self, x: ExprId, step: Expr, text: &str) {
        if !self.checks().do_steps || self.known(step).is_some() {
            return;
        }
        let (ty, zero) = (self.ty(step), self.int(Type::I4, 0));
        let zero = self.convert(ty, zero);
        let is_zero = self.make(ExprData::Binary(BinaryOp::Eq, step, zero));
        self.fault_if(self.ast.span(x), is_zero, text, &[]);
    }

    /// At the end of the body of a DO: its variable must have the value that it had at the beginning.
    pub(crate) fn check_loop_variable(&mut self, at: Span, var: Expr, value: Expr) {
        let changed = self.make(ExprData::Binary(BinaryOp::Ne, var, value));
        self.fault_if(at, changed, "Loop variable has been modified", &[]);
    }

    /// Ends the program with a message, at `x` if there are checks.
    pub(crate) fn object_error(&mut self, x: ExprId, message: &str) {
        match self.cx.decls.options.checks == Checks::default() {
            true => self.run_time_error(message),
            false => self.fault(self.ast.span(x), message, &[]),
        }
    }
}
