//! The checks of `-fcheck=` beside bounds: code that ends the program where it does things that Fortran forbids.

use crate::lower::expr::Exprs;
use crate::lower::values::Str;
use crate::lower::variables::Variables;
use crate::sema::scope::symbol::{Symbol, SymbolId};
use trueline_ir::{AreaData, BinaryOp, Expr, ExprData, Linkage, Rt, Storage, Sym, Type, UnaryOp, UnitKind};
use trueline_syntax::ast::{ExprId, ExprKind};

impl Variables<'_, '_> {
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
        let flag = crate::lower::emit::scalar("running".to_owned(), Type::I4, Storage::Static { area, offset: 0 });
        let flag = self.e.b.sym(flag);
        let (running, zero, one) = (self.var(flag), self.int(Type::I4, 0), self.int(Type::I4, 1));
        let again = self.make(ExprData::Binary(BinaryOp::Ne, running, zero));
        let (after, _) = self.open_if(again);
        self.run_time_error(&format!("Recursive call to nonrecursive procedure '{}'", own.name));
        self.enter(after);
        self.assign(running, one);
        self.is_running = Some(flag);
    }

    /// On the way out: the procedure may be called again.
    pub(crate) fn unguard_recursion(&mut self) {
        if let Some(flag) = self.is_running {
            let (running, zero) = (self.var(flag), self.int(Type::I4, 0));
            self.assign(running, zero);
        }
    }

    /// The step of a DO must not be 0.
    pub(crate) fn check_step(&mut self, step: Expr) {
        if !self.cx.decls.options.checks.do_steps || self.known(step).is_some() {
            return;
        }
        let (ty, zero) = (self.ty(step), self.int(Type::I4, 0));
        let zero = self.convert(ty, zero);
        let is_zero = self.make(ExprData::Binary(BinaryOp::Eq, step, zero));
        let (after, _) = self.open_if(is_zero);
        self.run_time_error("DO step value is zero");
        self.enter(after);
    }

    /// Ends the program if `wrong`: with `text`, in which two numbers take the places of `%`.
    fn end_if(&mut self, wrong: Expr, text: &str, numbers: [Expr; 2]) {
        let (after, _) = self.open_if(wrong);
        let text = self.text(text.as_bytes());
        let [text, len] = self.read_str(text);
        let location = self.location();
        let [first, second] = numbers.map(|n| self.convert(Type::I8, n));
        self.call_rt(Rt::CheckError, &[location, text, len, first, second]);
        self.enter(after);
    }

    /// Whether subscripts are checked here.
    pub(crate) fn checks_bounds(&self) -> bool {
        self.cx.check_bounds && !self.nested_forall
    }

    /// A substring that is not empty must be inside of its string.
    pub(crate) fn check_substring(&mut self, name: &str, string: Str, lo: Option<Expr>, hi: Option<Expr>) {
        if !self.checks_bounds() {
            return;
        }
        let one = self.int8(1);
        let (from, to) = (lo.unwrap_or(one), hi.unwrap_or(string.len));
        let [from, to, len] = [from, to, string.len].map(|e| self.convert(Type::I8, e));
        let some = self.make(ExprData::Binary(BinaryOp::Ge, to, from));
        if self.known(from).is_none_or(|from| from < 1) {
            let below = self.make(ExprData::Binary(BinaryOp::Lt, from, one));
            let wrong = self.make(ExprData::Binary(BinaryOp::And, some, below));
            let text = format!("Substring out of bounds: lower bound (%) of '{name}' is less than one");
            self.end_if(wrong, &text, [from, len]);
        }
        if hi.is_some() && !matches!((self.known(to), self.known(len)), (Some(to), Some(len)) if to <= len) {
            let above = self.make(ExprData::Binary(BinaryOp::Gt, to, len));
            let wrong = self.make(ExprData::Binary(BinaryOp::And, some, above));
            let text = format!("Substring out of bounds: upper bound (%) of '{name}' exceeds string length (%)");
            self.end_if(wrong, &text, [to, len]);
        }
    }

    /// The extents of two arrays in dimension `dim` must be the same.
    pub(crate) fn check_extents(&mut self, what: &str, a: Expr, b: Expr) {
        if !self.checks_bounds() || a == b || self.known(a).is_some() && self.known(b).is_some() {
            return;
        }
        let differ = self.make(ExprData::Binary(BinaryOp::Ne, a, b));
        self.end_if(differ, &format!("{what} (%/%)"), [a, b]);
    }

    /// The array that is assigned must have the shape of the array it is assigned to.
    pub(crate) fn check_shapes(&mut self, target: ExprId, place: Expr, value: Expr) {
        if !self.checks_bounds() || self.rank(value) == 0 {
            return;
        }
        let name = self.root_of(target).map_or(String::new(), |id| self.symbol(id).name.clone());
        let (to, from) = (self.shape(place), self.shape(value));
        // Nothing is assigned to an array without elements.
        let one = self.int8(1);
        let size = to.iter().fold(one, |n, &e| self.mul(n, e));
        let outer = (self.known(size).is_none() && self.checks_bounds()).then(|| {
            let zero = self.int8(0);
            let some = self.make(ExprData::Binary(BinaryOp::Gt, size, zero));
            self.open_if(some).0
        });
        for (k, (to, from)) in to.into_iter().zip(from).enumerate() {
            self.check_extents(&format!("Array bound mismatch for dimension {} of array '{name}'", k + 1), to, from);
        }
        if let Some(outer) = outer {
            self.enter(outer);
        }
    }

    /// At the end of the body of a DO: its variable must have the value that it had at the beginning.
    pub(crate) fn check_loop_variable(&mut self, var: Expr, value: Expr) {
        let changed = self.make(ExprData::Binary(BinaryOp::Ne, var, value));
        let (after, _) = self.open_if(changed);
        self.run_time_error("Loop variable has been modified");
        self.enter(after);
    }

    /// An allocatable must be allocated where an element of it is used.
    pub(crate) fn check_allocated(&mut self, sym: Sym, name: &str) {
        if !self.cx.decls.options.checks.pointer {
            return;
        }
        let Some(descriptor) = self.descriptors.get(&sym).cloned() else { return };
        let (base, zero) = (self.var(descriptor.base), self.int8(0));
        let missing = self.make(ExprData::Binary(BinaryOp::Eq, base, zero));
        let (after, _) = self.open_if(missing);
        self.run_time_error(&match descriptor.is_pointer {
            true => format!("Pointer '{name}' is not associated"),
            false => format!("Allocatable variable '{name}' is not allocated"),
        });
        self.enter(after);
    }
}

impl Exprs<'_, '_> {
    /// An allocatable or pointer that is passed to a dummy argument which is neither must be there.
    pub(crate) fn check_actual(&mut self, x: ExprId, optional: bool) {
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return };
        if !self.cx.decls.options.checks.pointer || optional {
            return;
        }
        // An associate name is there as long as its construct is.
        let is_object = |id: &SymbolId| self.symbol(*id).is_variable() && !self.associates.contains_key(id);
        let Some(id) = self.resolve(name).filter(is_object) else { return };
        let Ok(Some((_, d))) = self.descriptor_at(x) else { return };
        let there = self.is_there(&d);
        let missing = self.make(ExprData::Unary(UnaryOp::Not, there));
        let (after, _) = self.open_if(missing);
        let name = &self.symbol(id).name;
        self.run_time_error(&match d.is_pointer {
            true => format!("Pointer actual argument '{name}' is not associated"),
            false => format!("Allocatable actual argument '{name}' is not allocated"),
        });
        self.enter(after);
    }
}
