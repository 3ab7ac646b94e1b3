//! NAMELIST groups and assigned formats in input/output statements.
//!
//! ```text
//! namelist /g/ n, a           io_str(nml, 'g');  io_start
//! read (5, g)             =>  io_object('n', no dimensions);  io_get(&n)
//!                             io_object('a', its dimensions);  io_get_array(&a, …);  io_finish
//! ```
//!
//! The runtime transfers the objects when the statement ends, so that a register has memory until then.

use crate::expr::{Lowered, Val};
use crate::io::Statement;
use crate::lower::Lower;
use crate::symbol::{SymbolId, SymbolKind};
use trueline_abi::io::IoSpec as Spec;
use trueline_ir::{Access, BinaryOp, Expr, ExprData, Rt, Type};
use trueline_syntax::ast::{ExprId, ExprKind, StmtKind};

impl Lower<'_, '_> {
    /// The objects of the NAMELIST group that an expression names.
    pub(crate) fn namelist_of(&self, x: ExprId) -> Option<&[SymbolId]> {
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return None };
        match &self.symbol(self.resolve(name)?).kind {
            SymbolKind::Namelist(members) => Some(members),
            _ => None,
        }
    }

    /// NML=: the name of the group; its objects follow when the statement has begun.
    pub(crate) fn group(&mut self, x: ExprId, out: &mut Statement) -> Lowered<()> {
        out.group = self.namelist_of(x).map(<[SymbolId]>::to_vec).unwrap_or_default();
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return Ok(()) };
        let text = self.e.text(self.ast.name(name).as_bytes());
        self.pass_str(Spec::Nml, text);
        Ok(())
    }

    /// An object of a group.
    pub(crate) fn group_object(&mut self, id: SymbolId, is_read: bool, out: &mut Statement) -> Lowered<()> {
        let s = self.symbol(id);
        if !s.is_variable() || s.ty.is_none() {
            return Err(crate::expr::Failed);
        }
        let v = self.variable(id, s.span)?;
        let dims = self.dimensions(v.e);
        let name = self.e.text(s.name.as_bytes());
        let [text, len] = self.read_str(name);
        let rank = self.rank(v.e) as i64;
        let rank = self.int4(rank);
        self.call_rt(Rt::IoObject, &[text, len, dims, rank]);
        let v = self.with_memory(v, is_read, out);
        self.transfer_item(v, is_read, true);
        Ok(())
    }

    /// A register gets memory until the statement ends.
    fn with_memory(&mut self, v: Val, is_read: bool, out: &mut Statement) -> Val {
        let is_register = matches!(self.e.expr(v.e), ExprData::Var(s) if self.sym(s).is_register());
        if !is_register {
            return v;
        }
        let memory = self.e.memory(self.e.ty(v.e), None, &[]);
        let memory = self.var(memory);
        self.assign(memory, v.e);
        if is_read {
            out.results.push((v.e, memory));
        }
        Val { e: memory, len: v.len }
    }

    /// The address of the lower bounds and extents of an array.
    fn dimensions(&mut self, e: Expr) -> Expr {
        let ExprData::Var(array) = self.e.expr(e) else { return self.make(ExprData::Null) };
        let shape = self.shape(e);
        if shape.is_empty() {
            return self.make(ExprData::Null);
        }
        let lowers: Vec<Expr> = self.e.sym(array).dims.iter().map(|d| d.lower).collect();
        let n = self.int8(2 * shape.len() as i64);
        let table = self.e.memory(Type::I8, None, &[n]);
        for (k, (lower, extent)) in lowers.into_iter().zip(shape).enumerate() {
            for (at, value) in [(2 * k + 1, lower), (2 * k + 2, extent)] {
                let at = self.int8(at as i64);
                let place = self.elem(table, &[at]);
                self.assign(place, value);
            }
        }
        let place = self.var(table);
        self.address(Access::In, place)
    }

    /// FMT= with a variable that ASSIGN gave the label of a FORMAT.
    pub(crate) fn assigned_format(&mut self, var: Expr) -> Lowered<()> {
        let var = self.in_register(var);
        for (k, label) in self.assigned.clone().into_iter().enumerate() {
            let Some(info) = self.labels.get(&label) else { continue };
            let StmtKind::Format(text) = self.ast.stmt(info.stmt).kind else { continue };
            let ty = self.ty(var);
            let number = self.int(ty, k as i64 + 1);
            let cond = self.make(ExprData::Binary(BinaryOp::Eq, var, number));
            let (after, _) = self.open_if(cond);
            let s = self.e.text(self.ast.text(text));
            self.pass_str(Spec::Fmt, s);
            self.enter(after);
        }
        Ok(())
    }
}
