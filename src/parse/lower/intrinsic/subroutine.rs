//! Intrinsic subroutines.

use crate::expr::Exprs;
use crate::intrinsic::Intrinsics;
use crate::stmt::Stmts;
use crate::values::{Checked, Val, refused};
use trueline_ir::{Access, BinaryOp, Expr, ExprData, Intrinsic as Ir, Rt, Type};
use trueline_sema::intrinsic::Actuals;
use trueline_sema::intrinsic::{Intrinsic as Row, Rule, Subroutine};
use trueline_syntax::ast::{ArgList, ExprId};

impl Stmts<'_> {
    /// `CALL name(args)` of an intrinsic subroutine; an unknown name is an external procedure's
    /// business, which the declarations have settled before.
    pub(crate) fn call_intrinsic(&mut self, name: &str, callee: ExprId, args: ArgList) {
        let span = self.ast.span(callee);
        let row = trueline_sema::intrinsic::lookup_subroutine(name).checked();
        if let Rule::Library(library) = row.rule
            && row.is_subroutine()
        {
            let args = self.match_arguments(row, args, span);
            Intrinsics { exprs: &mut self.exprs }.library_call(row, library, &args);
            return;
        }
        let Rule::Subroutine(which) = row.rule else { refused() };
        let args = self.match_arguments(row, args, span);
        match which {
            Subroutine::CpuTime => {
                let place = self.result_place(row, &args, 0).checked();
                let seconds = self.call_rt_value(Rt::CpuTime, &[], Type::R8);
                self.assign(place.e, seconds);
            }
            Subroutine::SystemClock => self.system_clock(row, &args),
            Subroutine::DateAndTime => self.date_and_time(row, &args),
            Subroutine::RandomNumber => self.random_number(row, &args),
            Subroutine::RandomSeed => self.random_seed(row, &args),
            Subroutine::GetCommandArgument => self.get_argument(row, &args),
            Subroutine::Exit => self.exit(row, &args),
            Subroutine::MoveAlloc => {
                let from = args.first().copied().flatten().checked();
                let to = args.get(1).copied().flatten().checked();
                self.move_alloc(from, to)
            }
            Subroutine::Mvbits => self.mvbits(row, &args),
            Subroutine::Flush => self.flush(row, &args),
            Subroutine::GetCommand => self.get_command(row, &args),
            Subroutine::GetEnvironmentVariable => self.get_environment_variable(row, &args),
            Subroutine::ExecuteCommandLine => self.execute_command_line(row, &args),
            Subroutine::CFPointer => self.c_f_pointer(&args),
            Subroutine::CFProcPointer => self.c_f_procpointer(&args),
        }
    }

    pub(crate) fn assign_if(&mut self, place: Option<Val>, value: Expr) {
        if let Some(place) = place {
            self.assign(place.e, value);
        }
    }

    /// The clock ticks every nanosecond if an argument has kind 8, else every millisecond.
    fn system_clock(&mut self, row: &Row, args: &Actuals) {
        let places = [0, 1, 2].map(|k| self.result_place(row, args, k));
        let [count, rate, max] = places;
        let (count, rate, max) = (count, rate, max);
        let wide = [count, max].into_iter().flatten().any(|v| self.ty(v.e) == Type::I8);
        let wide = wide || (count.is_none() && rate.is_some_and(|v| self.ty(v.e) == Type::I8));
        // A count of a kind too small for any clock is that of a machine without one.
        if let Some(v) = count.filter(|v| self.ty(v.e).size() < 4) {
            let (none, zero) = (if self.ty(v.e).size() == 1 { -127 } else { -32767 }, self.int8(0));
            let none = self.int8(none);
            self.assign_if(count, none);
            self.assign_if(rate, zero);
            self.assign_if(max, zero);
            return;
        }
        let (kind, ticks, last) = if wide { (8, 1_000_000_000, i64::MAX) } else { (4, 1000, i64::from(i32::MAX)) };
        if count.is_some() {
            let kind = self.int4(kind);
            let now = self.call_rt_value(Rt::SystemClock, &[kind], Type::I8);
            self.assign_if(count, now);
        }
        let (ticks, last) = (self.int8(ticks), self.int8(last));
        self.assign_if(rate, ticks);
        self.assign_if(max, last);
    }

    fn date_and_time(&mut self, row: &Row, args: &Actuals) {
        let mut list = Vec::new();
        for k in 0..3 {
            let (null, zero) = (self.make(ExprData::Null), self.int8(0));
            match self.result_place(row, args, k).and_then(|v| self.as_str(v)) {
                Some(s) => list.extend(self.write_str(s)),
                None => list.extend([null, zero]),
            }
        }
        let values = self.result_place(row, args, 3);
        let Some(place) = values else {
            let null = self.make(ExprData::Null);
            list.push(null);
            self.call_rt(Rt::DateAndTime, &list);
            return;
        };
        // Eight default integers, converted to whatever the array has.
        let eight = self.int8(8);
        let temp = self.memory(Type::I4, None, &[eight]);
        let temp = self.var(temp);
        let address = self.written(temp);
        list.push(address);
        self.call_rt(Rt::DateAndTime, &list);
        let (at, outer) = self.open_elements(&[eight]);
        let (to, from) = (self.element(place.e, &at), self.element(temp, &at));
        self.assign(to, from);
        self.enter(outer);
    }

    fn random_number(&mut self, row: &Row, args: &Actuals) {
        let place = self.result_place(row, args, 0).checked();
        let ty = self.ty(place.e);
        let (code, bytes) = (self.int4(ty as i64), self.int8(ty.size() as i64));
        let whole = self.rank(place.e) == 0 || matches!(self.e.expr(place.e), ExprData::Var(_));
        let target = if whole {
            place.e
        } else {
            let shape = self.shape(place.e);
            let temp = self.memory(ty, None, &shape);
            self.var(temp)
        };
        let (to, count) = (self.written(target), self.size(target));
        self.call_rt(Rt::RandomNumber, &[to, code, count, bytes]);
        if !whole {
            self.assign(place.e, target);
        }
    }

    /// RANDOM_SEED. Arguments that are optional dummies are passed one by one, if they are present.
    fn random_seed(&mut self, row: &Row, args: &Actuals) {
        let flags: Vec<Option<Expr>> =
            args.iter().map(|x| x.and_then(|x| self.optional_flag(x)).map(|flag| self.var(flag))).collect();
        if flags.iter().all(Option::is_none) {
            return self.random_seed_of(row, args);
        }
        let (zero, one) = (self.int8(0), self.int8(1));
        let mut given = zero;
        for (_, flag) in args.iter().zip(&flags).filter(|(x, _)| x.is_some()) {
            let is_one = match *flag {
                Some(flag) => {
                    let there = self.make(ExprData::Binary(BinaryOp::Ne, flag, zero));
                    self.intrinsic(Ir::Merge, &[one, zero, there])
                }
                None => one,
            };
            given = self.add(given, is_one);
        }
        let many = self.compared(BinaryOp::Gt, given, one);
        if let Some(&x) = args.iter().flatten().next() {
            let span = self.ast.span(x);
            self.fault_if(span, many, "RANDOM_SEED should have at most one argument present", &[]);
        }
        for k in 0..args.len() {
            let only: Actuals = args.iter().enumerate().map(|(n, x)| x.filter(|_| n == k)).collect();
            match flags[k] {
                _ if args[k].is_none() => {}
                None => self.random_seed_of(row, &only),
                Some(flag) => {
                    let there = self.make(ExprData::Binary(BinaryOp::Ne, flag, zero));
                    let (after, _) = self.open_if(there);
                    self.random_seed_of(row, &only);
                    self.enter(after);
                }
            }
        }
    }

    fn random_seed_of(&mut self, row: &Row, args: &Actuals) {
        let size = self.result_place(row, args, 0);
        let get = self.result_place(row, args, 2);
        let put = self.actual(row, args, 1);
        let (null, zero) = (self.make(ExprData::Null), self.int8(0));
        let mut n = zero;
        // An INTEGER(8) holds two of the runtime's words.
        let kinds = [size, put, get].map(|v| v.map(|v| self.ty(v.e)));
        let (ty, words) = if kinds.contains(&Some(Type::I8)) { (Type::I8, 2) } else { (Type::I4, 1) };
        let put = match put {
            Some(v) => {
                let e = self.convert(ty, v.e);
                let memory = self.in_memory(e);
                n = self.size(memory);
                self.address(Access::In, memory)
            }
            None => null,
        };
        let mut copied = None;
        let get_address = match get {
            Some(v) => {
                let shape = self.shape(v.e);
                n = self.product(&shape);
                let temp = self.memory(ty, None, &shape);
                let temp = self.var(temp);
                copied = Some((v.e, temp));
                self.written(temp)
            }
            None => null,
        };
        let count = size.map(|_| {
            let temp = self.memory(Type::I4, None, &[]);
            self.var(temp)
        });
        let size_address = count.map_or(null, |temp| self.written(temp));
        let factor = self.int8(words);
        let n = self.mul(n, factor);
        self.call_rt(Rt::RandomSeed, &[size_address, put, get_address, n]);
        if let (Some(place), Some(count)) = (size, count) {
            let factor = self.int4(words);
            let count = if words == 1 { count } else { self.binary(BinaryOp::Div, count, factor) };
            self.assign(place.e, count);
        }
        if let Some((place, temp)) = copied {
            self.assign(place, temp);
        }
    }

    /// GET_COMMAND_ARGUMENT(number, value, length, status).
    fn get_argument(&mut self, row: &Row, args: &Actuals) {
        let number = self.needed(row, args, 0);
        let number = self.convert(Type::I8, number);
        let value = self.result_place(row, args, 1).and_then(|v| self.as_str(v));
        let places = [2, 3].map(|k| if k < row.args.len() { self.result_place(row, args, k) } else { None });
        let [length, status] = places;
        let (length, status) = (length, status);
        let (null, zero) = (self.make(ExprData::Null), self.int8(0));
        let [to, len] = value.map_or([null, zero], |s| self.write_str(s));
        let found = self.call_rt_value(Rt::ArgumentGet, &[number, to, len], Type::I8);
        let there = self.at_least_zero(found);
        self.assign_if(length, there);
        if status.is_some() {
            // 0 when it fits, -1 when it was cut, a positive number when there is none.
            let cut = self.make(ExprData::Binary(BinaryOp::Gt, found, len));
            let none = self.make(ExprData::Binary(BinaryOp::Lt, found, zero));
            let (minus, forty_two) = (self.int8(-1), self.int8(42));
            let cut = if value.is_some() { self.intrinsic(Ir::Merge, &[minus, zero, cut]) } else { zero };
            let code = self.intrinsic(Ir::Merge, &[forty_two, cut, none]);
            self.assign_if(status, code);
        }
    }

    /// EXIT(status): the program ends without a message.
    fn exit(&mut self, row: &Row, args: &Actuals) {
        let code = match self.actual(row, args, 0) {
            Some(v) => self.convert(Type::I8, v.e),
            None => self.int8(0),
        };
        self.call_rt(Rt::Exit, &[code]);
    }

    /// MVBITS: bits of `from` replace bits of `to`.
    fn mvbits(&mut self, row: &Row, args: &Actuals) {
        let place = self.result_place(row, args, 3).checked();
        let ty = self.ty(place.e);
        let from = self.needed(row, args, 0);
        let from = self.convert(ty, from);
        let [from_at, len, to_at] = [1, 2, 4].map(|k| self.needed(row, args, k));
        let [from_at, len, to_at] = [from_at, len, to_at].map(|e| self.convert(Type::I4, e));
        let bits = self.intrinsic(Ir::Ibits, &[from, from_at, len]);
        let bits = self.intrinsic(Ir::Ishft, &[bits, to_at]);
        let (ones, zero) = (self.int(ty, -1), self.int4(0));
        let mask = self.intrinsic(Ir::Ibits, &[ones, zero, len]);
        let mask = self.intrinsic(Ir::Ishft, &[mask, to_at]);
        let keep = self.intrinsic(Ir::Not, &[mask]);
        let kept = self.intrinsic(Ir::Iand, &[place.e, keep]);
        let value = self.intrinsic(Ir::Ior, &[kept, bits]);
        self.assign(place.e, value);
    }

    fn flush(&mut self, row: &Row, args: &Actuals) {
        let unit = match self.actual(row, args, 0) {
            Some(v) => self.convert(Type::I8, v.e),
            None => self.int8(6),
        };
        let (op, location) = (self.int4(trueline_abi::io::IoOp::Flush as i64), self.location());
        self.call_rt(Rt::IoBegin, &[op, location]);
        let spec = self.int4(trueline_abi::io::IoSpec::Unit as i64);
        self.call_rt(Rt::IoInt, &[spec, unit]);
        self.call_rt(Rt::IoStart, &[]);
        self.call_rt(Rt::IoFinish, &[]);
    }
}

impl Exprs<'_> {
    /// A variable that the subroutine defines.
    pub(crate) fn result_place(&mut self, row: &Row, args: &Actuals, k: usize) -> Option<Val> {
        let x = args.get(k).copied().flatten()?;
        let v = self.assignable(x);
        self.check_not_fixed(x);
        if row.args[k].class.accepts(self.ty(v.e)) { Some(v) } else { refused() }
    }
}
