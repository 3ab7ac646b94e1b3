//! Input and output: a statement becomes calls of the protocol in `trueline_abi::io`.
//!
//! ```text
//! write (u, '(i5)') n, a(1:9:2)     io_begin(write);  io_int(unit, u);  io_str(fmt, '(i5)');  io_start
//!                               =>  io_put(&n);  io_put_array(&a(1), 5 items, 16 bytes apart)
//!                                   io_finish
//! ```
//!
//! The runtime writes IOSTAT= and its like when the statement ends, so they must have an address until
//! then: a register gets memory for that time. Items are passed one after the other, so that an item
//! read can be the bound of the next implied DO.

pub(crate) mod defaults;
pub(crate) mod group;
pub(crate) mod items;

use crate::stmt::Stmts;
use crate::values::{Checked, Str, Val, refused};
use trueline_abi::io::{DEFAULT_UNIT, IO_END, IO_EOR, IO_ERR, IoOp, IoSpec as Spec};
use trueline_ir::{Access, BinaryOp, Expr, ExprData, Head, List, Rt, Sym, Type};
use trueline_sema::Checks;
use trueline_sema::check::io::specifiers::{Mode, category_of, specifier_of};
use trueline_sema::scope::symbol::SymbolId;
use trueline_sema::types::kinds::Category;
use trueline_syntax::ast::{ExprId, Io, IoControl, IoKind, IoSpec, IoValue, LabelRef, StmtKind};

/// A statement under way.
#[derive(Default)]
pub(crate) struct Statement {
    /// After the end: where to, and the memory the value is in.
    pub(crate) results: Vec<(Expr, Expr)>,
    /// The objects of a NAMELIST group that are read: they get their values when the statement ends.
    pub(crate) read: Vec<trueline_ir::Sym>,
    /// The label to go to for each outcome.
    jumps: Vec<(i32, LabelRef)>,
    /// After the end: a section that was written by way of a copy, and the copy.
    copies: Vec<(Str, Str)>,
    /// The objects of the NAMELIST group that is transferred.
    pub(crate) group: Vec<SymbolId>,
}

/// The way of an item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Write,
    Read,
    /// As READ, and the program goes on if it fails.
    TriedRead,
}

/// Input and output, over the other statements.
pub(crate) struct IoStmt<'l, 'a> {
    /// The other statements.
    pub(crate) stmts: &'l mut Stmts<'a>,
}

impl<'a> std::ops::Deref for IoStmt<'_, 'a> {
    type Target = Stmts<'a>;
    fn deref(&self) -> &Self::Target {
        self.stmts
    }
}

impl std::ops::DerefMut for IoStmt<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.stmts
    }
}

impl IoStmt<'_, '_> {
    pub(crate) fn io_statement(&mut self, io: &Io) {
        let temps = self.open_temps();
        // Messages of programs with checks have columns.
        let place = self.statement().filter(|_| self.checks() != Checks::default());
        let location = match place {
            Some(place) => self.location_at(place),
            None => self.location(),
        };
        let number = self.int4(operation(io.kind) as i64);
        self.call_rt(Rt::IoBegin, &[number, location]);
        let mut statement = Statement::default();
        self.specifiers(io, &mut statement);
        self.call_rt(Rt::IoStart, &[]);
        for id in std::mem::take(&mut statement.group) {
            self.group_object(id, io.kind == IoKind::Read, &mut statement);
        }
        // INQUIRE(IOLENGTH=) asks for sizes.
        let outer = (io.kind == IoKind::Inquire).then(|| self.silence());
        let takes_errors = io.controls.iter().any(|c| matches!(c.spec, IoSpec::Iostat | IoSpec::Err | IoSpec::End));
        let direction = match io.kind {
            IoKind::Read if takes_errors => Direction::TriedRead,
            IoKind::Read => Direction::Read,
            _ => Direction::Write,
        };
        for &x in self.ast.list(io.items) {
            self.item(x, direction);
        }
        if let Some(outer) = outer {
            self.listen(outer);
        }
        self.finish(statement, temps)
    }

    fn finish(&mut self, statement: Statement, temps: crate::emit::TempScope) {
        if statement.jumps.is_empty() && statement.results.is_empty() && statement.copies.is_empty() {
            self.call_rt(Rt::IoFinish, &[]);
            statement.read.into_iter().for_each(|object| self.touch(object));
            self.close_temps(temps);
            return;
        }
        let outcome = self.call_rt_value(Rt::IoFinish, &[], Type::I4);
        statement.read.into_iter().for_each(|object| self.touch(object));
        for (place, memory) in statement.results {
            self.assign(place, memory);
        }
        for (section, copy) in statement.copies {
            self.assign_str(section, copy);
        }
        self.close_temps(temps);
        for (code, label) in statement.jumps {
            let to = self.jump_target(label);
            let code = self.int4(i64::from(code));
            let cond = self.make(ExprData::Binary(BinaryOp::Eq, outcome, code));
            let (after, _) = self.open_if(cond);
            self.push(Head::Goto(to));
            self.enter(after);
        }
    }
}

fn operation(kind: IoKind) -> IoOp {
    match kind {
        IoKind::Read => IoOp::Read,
        IoKind::Write | IoKind::Print => IoOp::Write,
        IoKind::Open => IoOp::Open,
        IoKind::Close => IoOp::Close,
        IoKind::Inquire => IoOp::Inquire,
        IoKind::Rewind => IoOp::Rewind,
        IoKind::Backspace => IoOp::Backspace,
        IoKind::Endfile => IoOp::Endfile,
        IoKind::Flush => IoOp::Flush,
        IoKind::Wait => IoOp::Wait,
    }
}

/// Specifiers.
impl IoStmt<'_, '_> {
    fn specifiers(&mut self, io: &Io, out: &mut Statement) {
        let transfers = matches!(io.kind, IoKind::Read | IoKind::Write | IoKind::Print);
        if transfers && !io.controls.iter().any(|c| c.spec == IoSpec::Unit) {
            self.unit_number(DEFAULT_UNIT);
        }
        for &c in &io.controls {
            self.specifier(io.kind, c, out);
        }
    }

    fn unit_number(&mut self, n: i64) {
        let (spec, n) = (self.int4(Spec::Unit as i64), self.int8(n));
        self.call_rt(Rt::IoInt, &[spec, n]);
    }

    fn specifier(&mut self, kind: IoKind, c: IoControl, out: &mut Statement) {
        match (c.spec, c.value) {
            (IoSpec::Unit, IoValue::Star) => {
                self.unit_number(DEFAULT_UNIT);
            }
            (IoSpec::Unit, IoValue::Expr(x)) => self.unit_specifier(kind, x, out),
            (IoSpec::Fmt, IoValue::Star) => {
                let (spec, one) = (self.int4(Spec::ListDirected as i64), self.int8(1));
                self.call_rt(Rt::IoInt, &[spec, one]);
            }
            (IoSpec::Fmt, IoValue::Label(l)) => self.format_label(l),
            (IoSpec::Fmt | IoSpec::Nml, IoValue::Expr(x)) if self.namelist_of(x).is_some() => self.group(x, out),
            (IoSpec::Fmt, IoValue::Expr(x)) => self.format(x),
            (IoSpec::Err | IoSpec::End | IoSpec::Eor, IoValue::Label(l)) => {
                let (spec, code) = match c.spec {
                    IoSpec::Err => (Spec::Err, IO_ERR),
                    IoSpec::End => (Spec::End, IO_END),
                    _ => (Spec::Eor, IO_EOR),
                };
                self.jump_target(l);
                out.jumps.push((code, l));
                let (spec, one) = (self.int4(spec as i64), self.int8(1));
                self.call_rt(Rt::IoInt, &[spec, one]);
            }
            (IoSpec::Readonly, _) => {
                let read = self.text(b"READ");
                self.pass_str(Spec::Action, read);
                let (spec, one) = (self.int4(Spec::Readonly as i64), self.int8(1));
                self.call_rt(Rt::IoInt, &[spec, one]);
            }
            (IoSpec::Nml, _) => refused(),
            (_, IoValue::Expr(x)) => match specifier_of(kind, c.spec) {
                Some((spec, Mode::Int)) => self.int_specifier(spec, x),
                Some((spec, Mode::Str)) => self.str_specifier(spec, x),
                Some((spec, Mode::Out)) => self.out_specifier(spec, x, out),
                None => refused(),
            },
            _ => refused(),
        }
    }

    fn int_specifier(&mut self, spec: Spec, x: ExprId) {
        let value = self.integer(x);
        let spec = self.int4(spec as i64);
        self.call_rt(Rt::IoInt, &[spec, value]);
    }

    fn str_specifier(&mut self, spec: Spec, x: ExprId) {
        let s = self.string(x);
        self.must_be_scalar(s.place);
        self.pass_str(spec, s);
    }

    pub(crate) fn pass_str(&mut self, spec: Spec, s: Str) {
        let [text, len] = self.read_str(s);
        let spec = self.int4(spec as i64);
        self.call_rt(Rt::IoStr, &[spec, text, len]);
    }

    /// A variable that the statement defines.
    fn out_specifier(&mut self, spec: Spec, x: ExprId, out: &mut Statement) {
        let v = self.assignable(x);
        self.check_not_fixed(x);
        self.must_be_scalar(v.e);
        self.must_be(v.e, category_of(spec));
        let is_register = matches!(self.e.expr(v.e), ExprData::Var(s) if self.sym(s).is_register());
        let place = if is_register {
            let own = self.ty(v.e);
            let memory = self.e.memory(own, None, &[]);
            let memory = self.var(memory);
            self.assign(memory, v.e);
            out.results.push((v.e, memory));
            memory
        } else {
            v.e
        };
        self.pass_out(spec, Val { e: place, len: v.len });
    }

    fn pass_out(&mut self, spec: Spec, v: Val) {
        let address = self.address(Access::InOut, v.e);
        let code = self.code(v.e);
        let zero = self.int8(0);
        let spec = self.int4(spec as i64);
        self.call_rt(Rt::IoOut, &[spec, address, code, v.len.unwrap_or(zero)]);
    }

    pub(crate) fn code(&mut self, e: Expr) -> Expr {
        let ty = self.ty(e);
        self.int4(ty as i64)
    }

    /// UNIT=: a number, or a CHARACTER variable.
    fn unit_specifier(&mut self, kind: IoKind, x: ExprId, out: &mut Statement) {
        let v = if self.is_variable_reference(x) { self.designator(x) } else { self.expr(x) };
        let Some(s) = self.as_str(v) else {
            self.must_be_scalar(v.e);
            self.must_be(v.e, Category::Integer);
            let (spec, value) = (self.int4(Spec::Unit as i64), self.convert(Type::I8, v.e));
            self.call_rt(Rt::IoInt, &[spec, value]);
            return;
        };
        if !matches!(kind, IoKind::Read | IoKind::Write) || !self.is_variable_reference(x) {
            refused();
        }
        if kind == IoKind::Write {
            self.check_not_fixed(x);
        }
        let place = match self.rank(s.place) {
            0 => s.place,
            _ => match (self.e.expr(s.place), self.contiguous(s.place)) {
                (ExprData::Var(v), _) if self.sym(v).is_contiguous() => s.place,
                (_, Some(first)) => first,
                _ => {
                    let copy = self.copy_str(s);
                    if kind == IoKind::Write {
                        out.copies.push((s, copy));
                    }
                    copy.place
                }
            },
        };
        self.pass_out(Spec::InternalUnit, Val { e: place, len: Some(s.len) });
        if self.rank(s.place) > 0 {
            let count = self.size(s.place);
            let spec = self.int4(Spec::InternalCount as i64);
            self.call_rt(Rt::IoInt, &[spec, count]);
        }
    }

    fn format_label(&mut self, l: LabelRef) {
        let stmt = self.labels.all.get(&l.label).checked().stmt;
        let StmtKind::Format(text) = self.ast.stmt(stmt).kind else { refused() };
        let text = self.ast.text(text);
        let s = self.text(text);
        self.pass_str(Spec::Fmt, s);
    }

    /// FMT=: an array of numbers that hold the characters, as FORTRAN 66 programs have it.
    fn numeric_format(&mut self, v: Val) {
        let bytes = self.ty(v.e).size() as i64;
        let (count, size) = (self.size(v.e), self.int8(bytes));
        let len = self.mul(count, size);
        let place = if self.is_contiguous_variable(v.e) { v.e } else { self.copied(v).e };
        self.pass_str(Spec::Fmt, Str { place, len });
    }

    /// FMT=: the elements from one on to the end of their array, numbers that hold the characters.
    fn numeric_format_from(&mut self, element: Expr, sym: Sym, subs: List) {
        let size = self.ty(element).size() as i64;
        let subs: Vec<Expr> = self.list(subs).to_vec();
        let dims: Vec<_> = self.sym(sym).dims.iter().copied().collect();
        // The elements of each dimension that follow, times those of one step in it; then the element itself.
        let (mut rest, mut stride) = (self.int8(1), self.int8(1));
        for (dim, sub) in dims.iter().zip(subs) {
            // The end of an assumed-size array is unknown: the element alone.
            let Some(upper) = dim.upper.expand() else { break };
            let behind = self.binary(BinaryOp::Sub, upper, sub);
            let more = self.mul(behind, stride);
            rest = self.binary(BinaryOp::Add, rest, more);
            let one = self.int8(1);
            let distance = self.binary(BinaryOp::Sub, upper, dim.lower);
            let extent = self.binary(BinaryOp::Add, distance, one);
            stride = self.mul(stride, extent);
        }
        let size = self.int8(size);
        let len = self.mul(rest, size);
        self.pass_str(Spec::Fmt, Str { place: element, len });
    }

    /// FMT=: characters, or all elements of an array of them, one after the other.
    fn format(&mut self, x: ExprId) {
        let v = self.expr(x);
        let Some(s) = self.as_str(v) else {
            if let ExprData::Elem(sym, subs) = self.e.expr(v.e)
                && self.structure_at(v.e).is_none()
            {
                return self.numeric_format_from(v.e, sym, subs);
            }
            if self.category(v.e) == Category::Integer && self.rank(v.e) == 0 && self.is_variable_reference(x) {
                return self.assigned_format(v.e);
            }
            if self.rank(v.e) > 0 && self.structure_at(v.e).is_none() && self.is_variable_reference(x) {
                return self.numeric_format(v);
            }
            refused();
        };
        let count = self.size(s.place);
        let s = self.addressable_str(s);
        let len = self.mul(count, s.len);
        self.pass_str(Spec::Fmt, Str { place: s.place, len });
    }
}
