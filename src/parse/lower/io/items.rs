//! The items of an input/output list: scalars, arrays, structures component by component, implied DO.

use crate::io::{Direction, IoStmt};
use crate::values::{Val, refused};
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_ir::{Access, BinaryOp, Expr, ExprData, Rt, Type};
use trueline_sema::scope::symbol::SymbolId;
use trueline_sema::types::kinds::Category;
use trueline_sema::types::structure::StructureId;
use trueline_syntax::ast::{ExprId, ExprKind, ImpliedDo};

impl IoStmt<'_, '_> {
    pub(crate) fn item(&mut self, x: ExprId, direction: Direction) {
        let is_read = direction != Direction::Write;
        let temps = self.open_temps();
        if let ExprKind::ImpliedDo(d) = self.ast.expr(x).kind.clone() {
            return self.item_loop(&d, direction);
        }
        let is_place = self.is_variable_reference(x);
        let mut perhaps = None;
        let v = match (is_read, is_place) {
            (true, _) => {
                let defined = self.begin_defining(x);
                let v = self.assignable(x);
                let defined = self.end_defining(defined);
                // Arrays that are read as far as there are numbers are a habit.
                let is_single = self.rank(v.e) == 0 && self.structure_at(v.e).is_none();
                match direction {
                    Direction::TriedRead if is_single && self.checks().undefined => perhaps = defined,
                    _ => self.note_defined(defined, x, v.e),
                }
                let at = self.ast.span(x);
                self.note_access(at, v.e, true);
                self.check_not_fixed(x);
                v
            }
            (false, true) => self.read_reference(x),
            (false, false) => self.expr(x),
        };
        self.check_whole(x, v.e);
        if let Some(id) = self.structure_at(v.e) {
            self.transfer_structure(v.e, id, is_read);
        } else {
            self.transfer_item(v, is_read, is_place);
        }
        if perhaps.is_some() {
            self.note_if_read(perhaps, x, v.e);
        }
        self.close_temps(temps);
    }

    /// The scalar `e`, of the item `x`, has a value if the statement has not failed so far.
    fn note_if_read(&mut self, defined: Option<SymbolId>, x: ExprId, e: Expr) {
        let (fails, zero) = (self.call_rt_value(Rt::IoFails, &[], Type::I4), self.int(Type::I4, 0));
        let is_read = self.make(ExprData::Binary(BinaryOp::Eq, fails, zero));
        let (after, _) = self.open_if(is_read);
        self.note_defined(defined, x, e);
        self.enter(after);
    }

    /// A structure: its components one after the other.
    fn transfer_structure(&mut self, e: Expr, id: StructureId, is_read: bool) {
        if self.rank(e) > 0 {
            let shape = self.shape(e);
            let (at, outer) = self.open_elements(&shape);
            let e = self.element(e, &at);
            self.transfer_structure(e, id, is_read);
            self.enter(outer);
            return;
        }
        let structure = &self.cx.decls.structures[id];
        for (k, c) in structure.components.iter().enumerate() {
            if c.interface.is_some() || c.is_indirect() {
                refused();
            }
            let part = self.part_of(e, id, k);
            let v = self.whole_part(&part);
            match c.structure {
                Some(inner) => self.transfer_structure(v.e, inner, is_read),
                None => self.transfer_item(v, is_read, true),
            }
        }
    }

    /// An implied DO of an item list: its variable is that of the program.
    fn item_loop(&mut self, d: &ImpliedDo, direction: Direction) {
        let (id, place) = self.loop_variable(d.var);
        let (lo, hi) = (self.loop_bound(d.from), self.loop_bound(d.to));
        let step = match d.step {
            Some(x) => self.loop_bound(x),
            None => self.int8(1),
        };
        if self.known(step) == Some(0) {
            refused();
        }
        if let Some(x) = d.step {
            self.check_step(x, step, "DO step value is zero");
        }
        if self.category(place) == Category::Real {
            let (next, after) = self.open_real(place, [lo, hi, step]);
            self.loop_items(d, id, direction);
            self.assign(place, next);
            self.enter(after);
            return;
        }
        let direct = match self.e.expr(place) {
            ExprData::Var(v) if self.sym(v).is_register() => Some(v),
            _ => None,
        };
        let ty = self.ty(place);
        let var = direct.unwrap_or_else(|| self.register("i", ty));
        let value = self.var(var);
        let after = self.open_do(var, lo, hi, step);
        if direct.is_none() {
            self.assign(place, value);
        }
        self.loop_items(d, id, direction);
        self.enter(after);
        if direct.is_none() {
            self.assign(place, value);
        }
    }

    fn loop_items(&mut self, d: &ImpliedDo, id: SymbolId, direction: Direction) {
        self.active.push(id, d.var.span);
        for &x in self.ast.list(d.items) {
            self.item(x, direction);
        }
        self.active.pop();
    }

    pub(crate) fn transfer_item(&mut self, v: Val, is_read: bool, is_place: bool) {
        if self.rank(v.e) == 0 {
            let e = if is_place || v.len.is_some() { v.e } else { self.in_memory_or_register(v.e) };
            return self.transfer_scalar(Val { e, ..v }, is_read);
        }
        if let Some((first, count, stride)) = self.strided(v) {
            let access = if is_read { Access::InOut } else { Access::In };
            let (address, code) = (self.address(access, first), self.code(v.e));
            let zero = self.int8(0);
            let f = if is_read { Rt::IoGetArray } else { Rt::IoPutArray };
            return self.call_rt(f, &[address, code, v.len.unwrap_or(zero), count, stride]);
        }
        if !self.has_elements(v.e) {
            let stored = match self.as_str(v) {
                Some(s) => self.copy_str(s).place,
                None => self.in_memory(v.e),
            };
            return self.transfer_item(Val { e: stored, ..v }, is_read, true);
        }
        let shape = self.shape(v.e);
        let (at, outer) = self.open_elements(&shape);
        let e = self.element(v.e, &at);
        self.transfer_item(Val { e, ..v }, is_read, is_place);
        self.enter(outer);
    }

    pub(crate) fn transfer_scalar(&mut self, v: Val, is_read: bool) {
        let (f, access) = if is_read { (Rt::IoGet, Access::InOut) } else { (Rt::IoPut, Access::In) };
        let (address, code) = (self.address(access, v.e), self.code(v.e));
        let zero = self.int8(0);
        self.call_rt(f, &[address, code, v.len.unwrap_or(zero)]);
    }
}

impl Variables<'_> {
    /// An array whose elements are equally far apart: the first, how many, and the distance in bytes.
    fn strided(&mut self, v: Val) -> Option<(Expr, Expr, Expr)> {
        let size = match v.len {
            Some(len) => len,
            None => {
                let size = self.ty(v.e).size() as i64;
                self.int8(size)
            }
        };
        let count = self.size(v.e);
        if self.is_contiguous_variable(v.e) {
            return Some((v.e, count, size));
        }
        if let Some(first) = self.contiguous(v.e) {
            return Some((first, count, size));
        }
        let ExprData::Section(array, subs) = self.e.expr(v.e) else { return None };
        if self.rank(v.e) != 1 {
            return None;
        }
        let subs: SmallVec<[Expr; 4]> = self.list(subs).iter().copied().collect();
        let extents = self.symbol_shape(array);
        let mut stride = size;
        let mut first: SmallVec<[Expr; 4]> = SmallVec::new();
        let mut distance = None;
        for (k, &sub) in subs.iter().enumerate() {
            match self.e.expr(sub) {
                ExprData::Triplet(lo, _, step) => {
                    let own = self.sym(array).dims[k].stride.expand();
                    distance = Some(self.mul(step, own.unwrap_or(stride)));
                    first.push(lo);
                }
                _ if self.rank(sub) > 0 => return None,
                _ => first.push(sub),
            }
            stride = self.mul(stride, extents[k]);
        }
        Some((self.elem(array, &first), count, distance?))
    }
}
