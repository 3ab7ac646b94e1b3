//! NAMELIST groups and assigned formats in input/output statements.
//!
//! ```text
//! namelist /g/ n, a           io_str(nml, 'g');  io_start
//! read (5, g)             =>  io_object('n', no dimensions);  io_get(&n)
//!                             io_object('a', its dimensions);  io_get(&a(1));  io_finish
//! ```
//!
//! An object of derived type is named before its components: `t`, then `t%n`. The runtime transfers the objects when the statement ends, so that a register has memory until then.

use crate::io::IoStmt;
use crate::io::Statement;
use crate::source::Source;
use crate::values::{Val, refused};
use trueline_abi::io::IoSpec as Spec;
use trueline_ir::{Access, BinaryOp, Expr, ExprData, Intent, Rt, Sym, Type};
use trueline_sema::scope::symbol::{SymbolId, SymbolKind};
use trueline_syntax::ast::{ExprId, ExprKind, StmtKind};

impl IoStmt<'_, '_> {
    /// NML=: the name of the group; its objects follow when the statement has begun.
    pub(crate) fn group(&mut self, x: ExprId, out: &mut Statement) {
        out.group = self.namelist_of(x).unwrap_or_default().to_vec();
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return };
        // Records have the group's own name, whatever USE calls it here.
        let own = self.resolve(name).map_or_else(|| self.ast.name(name).to_owned(), |id| self.symbol(id).name.clone());
        let text = self.e.text(own.as_bytes());
        self.pass_str(Spec::Nml, text);
    }

    /// An object of a group; `x` names the group.
    pub(crate) fn group_object(&mut self, id: SymbolId, is_read: bool, out: &mut Statement) {
        let s = self.symbol(id);
        if !s.is_variable() || s.ty.is_none() {
            refused();
        }
        if is_read && s.intent == Intent::In {
            refused();
        }
        let v = self.variable(id, s.span);
        let rank = self.rank(v.e);
        if self.structure_at(v.e).is_some() {
            let ExprData::Var(sym) = self.e.expr(v.e) else { refused() };
            if is_read {
                self.e.b.sym_mut(sym).may_alias = true;
                out.read.push(sym);
            }
            return self.structure_object(&s.name, (sym, rank), is_read);
        }
        self.name_object(&s.name, v.e, rank);
        let v = self.with_memory(v, is_read, out);
        if let ExprData::Var(memory) = self.e.expr(v.e)
            && is_read
        {
            // The runtime keeps the address until the statement ends.
            self.e.b.sym_mut(memory).may_alias = true;
            out.read.push(memory);
        }
        self.transfer_object(v, is_read);
    }

    /// An object of derived type, whose first `rank` dimensions are its own: it is named, then its components are.
    fn structure_object(&mut self, name: &str, (sym, rank): (Sym, usize), is_read: bool) {
        let whole = self.var(sym);
        self.name_object(name, whole, rank);
        let Some(id) = self.structure_at(whole) else { refused() };
        let structure = &self.cx.decls.structures[id];
        for (k, c) in structure.components.iter().enumerate() {
            if c.is_indirect() {
                refused();
            }
            let part = self.component_symbol(sym, id, k);
            let name = format!("{name}%{}", c.name);
            if c.structure.is_some() {
                self.structure_object(&name, (part, c.shape.len()), is_read);
                continue;
            }
            let v = self.whole_symbol(part);
            self.name_object(&name, v.e, c.shape.len());
            self.transfer_object(v, is_read);
        }
    }

    /// Passes the name and the first `rank` dimensions of an object.
    fn name_object(&mut self, name: &str, e: Expr, rank: usize) {
        let dims = self.dimensions(e, rank);
        let name = self.e.text(name.as_bytes());
        let [text, len] = self.read_str(name);
        let rank = self.int4(rank as i64);
        self.call_rt(Rt::IoObject, &[text, len, dims, rank]);
    }

    /// Passes the first element of an object; the runtime has the dimensions.
    fn transfer_object(&mut self, v: Val, is_read: bool) {
        let e = match self.e.expr(v.e) {
            ExprData::Var(array) if self.rank(v.e) > 0 && !self.is_contiguous_variable(v.e) => {
                let lowers: Vec<Expr> = self.e.sym(array).dims.iter().map(|d| d.lower).collect();
                self.elem(array, &lowers)
            }
            _ => v.e,
        };
        self.transfer_scalar(Val { e, ..v }, is_read);
    }

    /// A register gets memory until the statement ends.
    fn with_memory(&mut self, v: Val, is_read: bool, out: &mut Statement) -> Val {
        let is_register = matches!(self.e.expr(v.e), ExprData::Var(s) if self.sym(s).is_register());
        if !is_register {
            return v;
        }
        let own = self.ty(v.e);
        let memory = self.e.memory(own, None, &[]);
        let memory = self.var(memory);
        self.assign(memory, v.e);
        if is_read {
            out.results.push((v.e, memory));
        }
        Val { e: memory, len: v.len }
    }

    /// The address of the lower bounds, extents and distances in bytes of the first `rank` dimensions of an array.
    fn dimensions(&mut self, e: Expr, rank: usize) -> Expr {
        let ExprData::Var(array) = self.e.expr(e) else { return self.make(ExprData::Null) };
        if rank == 0 {
            return self.make(ExprData::Null);
        }
        let extents = self.symbol_shape(array);
        let dims = self.e.sym(array).dims.clone();
        let n = self.int8(3 * rank as i64);
        let table = self.e.memory(Type::I8, None, &[n]);
        let mut distance = match (self.structure_at(e), self.e.sym(array).len.expand()) {
            (Some(id), _) => {
                let size = self.cx.decls.structures[id].size;
                self.int8(size)
            }
            (None, Some(len)) => len,
            (None, None) => {
                let size = self.ty(e).size() as i64;
                self.int8(size)
            }
        };
        for (k, (d, &extent)) in dims.iter().zip(&extents).take(rank).enumerate() {
            let stride = d.stride.expand().unwrap_or(distance);
            for (at, value) in [(3 * k + 1, d.lower), (3 * k + 2, extent), (3 * k + 3, stride)] {
                let at = self.int8(at as i64);
                let place = self.elem(table, &[at]);
                self.assign(place, value);
            }
            distance = self.mul(distance, extent);
        }
        let place = self.var(table);
        self.address(Access::In, place)
    }

    /// FMT= with a variable that ASSIGN gave the label of a FORMAT.
    pub(crate) fn assigned_format(&mut self, var: Expr) {
        let var = self.in_register(var);
        for (k, label) in self.labels.assigned.clone().into_iter().enumerate() {
            let Some(info) = self.labels.all.get(&label) else { continue };
            let StmtKind::Format(text) = self.ast.stmt(info.stmt).kind else { continue };
            let ty = self.ty(var);
            let number = self.int(ty, k as i64 + 1);
            let cond = self.make(ExprData::Binary(BinaryOp::Eq, var, number));
            let (after, _) = self.open_if(cond);
            let text = self.ast.text(text);
            let s = self.text(text);
            self.pass_str(Spec::Fmt, s);
            self.enter(after);
        }
    }
}

impl Source<'_> {
    /// The objects of the NAMELIST group that an expression names.
    pub(crate) fn namelist_of(&self, x: ExprId) -> Option<&[SymbolId]> {
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return None };
        match &self.symbol(self.resolve(name)?).kind {
            SymbolKind::Namelist(members) => Some(members),
            _ => None,
        }
    }
}
