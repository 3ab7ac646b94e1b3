//! The command line and the environment of the program; a few functions of the runtime library.

use crate::intrinsic::Intrinsics;
use crate::stmt::Stmts;
use crate::values::{Checked, Val};
use trueline_ir::{Access, BinaryOp, Expr, ExprData, Intrinsic as Ir, Rt, Type};
use trueline_sema::constant::eval::const_eval;
use trueline_sema::intrinsic::Actuals;
use trueline_sema::intrinsic::Intrinsic as Row;
use trueline_sema::types::kinds::Category;
use trueline_syntax::ast::ExprId;

impl Stmts<'_> {
    /// GET_COMMAND(command, length, status).
    pub(crate) fn get_command(&mut self, row: &Row, args: &Actuals) {
        let value = self.result_place(row, args, 0);
        let [to, len] = self.room(value);
        let found = self.call_rt_value(Rt::CommandGet, &[to, len], Type::I8);
        self.length_and_status(row, args, 1, found, value.is_some().then_some(len))
    }

    /// GET_ENVIRONMENT_VARIABLE(name, value, length, status, trim_name).
    pub(crate) fn get_environment_variable(&mut self, row: &Row, args: &Actuals) {
        let name = self.needed_str(row, args, 0);
        let [name, name_len] = self.read_str(name);
        let value = self.result_place(row, args, 1);
        let trim = match args[4] {
            Some(x) => {
                let e = self.condition(x);
                let (one, zero) = (self.int4(1), self.int4(0));
                let e = self.convert(Type::L4, e);
                self.intrinsic(Ir::Merge, &[one, zero, e])
            }
            None => self.int4(1),
        };
        let [to, len] = self.room(value);
        let found = self.call_rt_value(Rt::EnvironmentGet, &[name, name_len, trim, to, len], Type::I8);
        self.length_and_status(row, args, 2, found, value.is_some().then_some(len))
    }

    /// The place for the text of a subroutine; null if the argument is absent.
    fn room(&mut self, value: Option<Val>) -> [Expr; 2] {
        match value.and_then(|v| self.as_str(v)) {
            Some(s) => self.write_str(s),
            None => [self.make(ExprData::Null), self.int8(0)],
        }
    }

    /// LENGTH and STATUS, the arguments at `k` and behind: 0 when it fits, -1 when it was cut, 1 when
    /// there is nothing.
    fn length_and_status(&mut self, row: &Row, args: &Actuals, k: usize, found: Expr, room: Option<Expr>) {
        let (length, status) = (self.result_place(row, args, k), self.result_place(row, args, k + 1));
        let there = self.at_least_zero(found);
        self.assign_if(length, there);
        if status.is_some() {
            let (zero, one, minus) = (self.int8(0), self.int8(1), self.int8(-1));
            let none = self.make(ExprData::Binary(BinaryOp::Lt, found, zero));
            let fits = match room {
                Some(len) => {
                    let cut = self.make(ExprData::Binary(BinaryOp::Gt, found, len));
                    self.intrinsic(Ir::Merge, &[minus, zero, cut])
                }
                None => zero,
            };
            let code = self.intrinsic(Ir::Merge, &[one, fits, none]);
            self.assign_if(status, code);
        }
    }

    /// EXECUTE_COMMAND_LINE(command, wait, exitstat, cmdstat, cmdmsg).
    pub(crate) fn execute_command_line(&mut self, row: &Row, args: &Actuals) {
        let command = self.needed_str(row, args, 0);
        let [text, len] = self.read_str(command);
        let wait = match args[1] {
            Some(x) => {
                let e = self.condition(x);
                let (one, zero) = (self.int4(1), self.int4(0));
                let e = self.convert(Type::L4, e);
                self.intrinsic(Ir::Merge, &[one, zero, e])
            }
            None => self.int4(1),
        };
        let (exit, status) = (self.result_place(row, args, 2), self.result_place(row, args, 3));
        let code = self.call_rt_value(Rt::CommandRun, &[text, len, wait], Type::I8);
        let there = self.at_least_zero(code);
        self.assign_if(exit, there);
        let message = self.result_place(row, args, 4).and_then(|v| self.as_str(v));
        // The shell ends with 126 or 127 when there is no such command.
        let (zero, one, three) = (self.int8(0), self.int8(1), self.int8(3));
        let (first, last) = (self.int8(126), self.int8(127));
        let failed = self.make(ExprData::Binary(BinaryOp::Lt, code, zero));
        let is_first = self.make(ExprData::Binary(BinaryOp::Eq, code, first));
        let is_last = self.make(ExprData::Binary(BinaryOp::Eq, code, last));
        let invalid = self.make(ExprData::Binary(BinaryOp::Or, is_first, is_last));
        let value = self.intrinsic(Ir::Merge, &[three, zero, invalid]);
        let value = self.intrinsic(Ir::Merge, &[one, value, failed]);
        let told = status.is_some();
        self.assign_if(status, value);
        for (cond, text) in [(failed, "Execution of child process impossible"), (invalid, "Invalid command line")] {
            if told && message.is_none() {
                continue;
            }
            let (after, _) = self.open_if(cond);
            if let Some(message) = message {
                let text = self.text(text.as_bytes());
                self.assign_str(message, text);
            }
            if !told {
                self.run_time_error(&format!("EXECUTE_COMMAND_LINE: {text}"));
            }
            self.enter(after);
        }
    }
}

impl Intrinsics<'_, '_> {
    /// DSHIFTL and DSHIFTR: the bits of two integers side by side, shifted.
    pub(crate) fn double_shift(&mut self, x: ExprId, row: &Row, args: &Actuals, left: bool) -> Val {
        let values = self.operands_of(x, row, args);
        let ty = self.common_of(&values[..2]);
        let (i, j) = (self.convert(ty, values[0].e), self.convert(ty, values[1].e));
        let shift = self.convert(Type::I4, values[2].e);
        let bits = self.int4(8 * ty.size() as i64);
        let rest = self.binary(BinaryOp::Sub, bits, shift);
        let (up, down) = if left { (shift, rest) } else { (rest, shift) };
        let down = self.neg(down);
        let high = self.intrinsic(Ir::Ishft, &[i, up]);
        let low = self.intrinsic(Ir::Ishft, &[j, down]);
        Val::plain(self.intrinsic(Ir::Ior, &[high, low]))
    }

    /// BESSEL_JN(n, x), or BESSEL_JN(n1, n2, x): an array over the orders.
    pub(crate) fn bessel(&mut self, x: ExprId, row: &Row, ir: Ir, args: &Actuals) -> Val {
        if let Ok(c) = const_eval(self.cx.decls, self.scope, x) {
            return self.const_value(&c);
        }
        if args.get(2).copied().flatten().is_none() {
            let values = self.operands_of(x, row, args);
            self.must_be(values[1].e, Category::Real);
            let n = self.convert(Type::I4, values[0].e);
            return Val::plain(self.intrinsic(ir, &[values[1].e, n]));
        }
        let (from, to) = (args[0].checked(), args[1].checked());
        let (from, to) = (self.integer(from), self.integer(to));
        let value = self.needed(row, args, 2);
        self.must_be_scalar(value);
        let value = self.in_register(value);
        let n = self.count(from, to);
        let own = self.ty(value);
        let result = self.e.memory(own, None, &[n]);
        let (k, outer) = self.open_count(n);
        let one = self.int8(1);
        let before = self.sub(k, one);
        let order = self.add(from, before);
        let order = self.convert(Type::I4, order);
        let y = self.intrinsic(ir, &[value, order]);
        let place = self.elem(result, &[k]);
        self.assign(place, y);
        self.enter(outer);
        Val::plain(self.var(result))
    }

    /// ERFC_SCALED of a scalar.
    fn erfc_scaled_of(&mut self, ty: Type, x: Expr) -> Expr {
        if ty != Type::R16 {
            let x = self.convert(Type::R8, x);
            let y = self.call_rt_value(Rt::ErfcScaled, &[x], Type::R8);
            return self.convert(ty, y);
        }
        let memory = self.in_memory_or_register(x);
        let address = self.address(Access::In, memory);
        self.call_library("trueline_lib_erfc_scaled_r16", "erfc_scaled", &[address], ty)
    }

    /// ERFC_SCALED(x), of each element.
    pub(crate) fn erfc_scaled(&mut self, row: &Row, args: &Actuals) -> Val {
        let e = self.needed(row, args, 0);
        let ty = self.ty(e);
        if self.rank(e) == 0 {
            return Val::plain(self.erfc_scaled_of(ty, e));
        }
        let e = if self.has_elements(e) { e } else { self.in_memory(e) };
        let shape = self.shape(e);
        let result = self.memory(ty, None, &shape);
        let (at, outer) = self.open_elements(&shape);
        let x = self.element(e, &at);
        let y = self.erfc_scaled_of(ty, x);
        let place = self.elem(result, &at);
        self.assign(place, y);
        self.enter(outer);
        Val::plain(self.var(result))
    }
}
