//! Elemental procedures over arrays: the call in a loop over the elements.
//!
//! ```text
//! w = f(v, 2*v, n)     t1 = 2*v
//!                      do k = 1, size(v);  t(k) = f(v(k), t1(k), n);  end do
//!                      w = t
//! ```

use crate::call::Arguments;
use crate::expr::Exprs;
use crate::stmt::Stmts;
use crate::values::{Checked, Val, refused};
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::{Access, Expr, ExprData, Intent, Type};
use trueline_sema::scope::symbol::SymbolId;
use trueline_syntax::ast::{Arg, ArgValue, ExprId};

/// An argument: evaluated once, an element at a time.
struct Operand {
    x: ExprId,
    dummy: Option<SymbolId>,
    /// None if an optional argument is absent.
    value: Option<Val>,
    access: Access,
    /// A variable, whose own elements are passed.
    is_place: bool,
}

impl Exprs<'_> {
    /// The array of results; none if all arguments are scalars.
    pub(crate) fn elemental_function(&mut self, id: SymbolId, span: Span, ty: Type, args: &[Arg]) -> Option<Val> {
        if !self.has_array(args) {
            return None;
        }
        let operands = self.operands(id, span, args);
        let shape = self.common_extents(&operands);
        if ty == Type::Char {
            return Some(self.elemental_text(id, span, &operands, &shape));
        }
        let temp = self.memory(ty, None, &shape);
        let (at, outer) = self.open_masked(&shape);
        let out = self.element_arguments(&operands, &at);
        let result = self.register("f", ty);
        self.emit_call(id, span, out, Some(result));
        let (place, value) = (self.elem(temp, &at), self.var(result));
        self.assign(place, value);
        self.enter(outer);
        Some(Val::plain(self.var(temp)))
    }

    /// The results of a CHARACTER function.
    fn elemental_text(&mut self, id: SymbolId, span: Span, operands: &[Operand], shape: &[Expr]) -> Val {
        let s = self.symbol(id);
        let result = s.procedure().and_then(|p| p.result).map_or(s, |r| self.symbol(r));
        let values: Vec<_> = operands.iter().filter_map(|o| Some((o.dummy?, o.value?))).collect();
        let len = self.result_length(s, result, &values).checked();
        let temp = match result.structure {
            Some(structure) => self.structure_temp(structure, shape),
            None => self.memory(Type::Char, Some(len), shape),
        };
        let (at, outer) = self.open_masked(shape);
        let mut out = self.element_arguments(operands, &at);
        let place = self.elem(temp, &at);
        let mut list = vec![self.result_address(s, place)];
        let len = Some(len).filter(|_| result.structure.is_none());
        list.extend(len);
        out.put_first(list);
        self.emit_call(id, span, out, None);
        self.enter(outer);
        Val { e: self.var(temp), len }
    }

    /// Opens loops over the elements; in a WHERE over the elements that its mask selects.
    fn open_masked(&mut self, shape: &[Expr]) -> (crate::array::Shape, trueline_ir::Block) {
        let (at, outer) = self.open_elements(shape);
        if let Some(mask) = self.masking.filter(|&m| self.rank(m) == shape.len()) {
            let cond = self.element(mask, &at);
            self.open_if(cond);
        }
        (at, outer)
    }

    fn operands(&mut self, id: SymbolId, span: Span, args: &[Arg]) -> Vec<Operand> {
        let dummies = self.symbol(id).procedure().map(|p| p.dummies.clone()).unwrap_or_default();
        let mut out = Vec::new();
        for (k, actual) in self.order(id, args, span).into_iter().enumerate() {
            let dummy = dummies.get(k).copied().flatten();
            let optional = dummy.is_some_and(|d| self.symbol(d).attrs.optional);
            let given = actual.value.filter(|v| !matches!(v, ArgValue::Expr(x) if optional && self.is_null(*x)));
            let x = match given {
                Some(ArgValue::Expr(x)) => x,
                Some(_) => refused(),
                None => {
                    let x = out.first().map_or(ExprId::from_u32(0), |o: &Operand| o.x);
                    out.push(Operand { x, dummy, value: None, access: Access::In, is_place: false });
                    continue;
                }
            };
            let intent = dummy.map_or(Intent::Unknown, |d| self.symbol(d).intent);
            let is_place = self.is_variable_reference(x);
            let outer = std::mem::replace(&mut self.may_be_absent, optional);
            let value = if is_place { self.reference(x) } else { self.expr(x) };
            self.may_be_absent = outer;
            let mut value = value;
            let is_place = is_place || self.structure_at(value.e).is_some();
            if !is_place && value.len.is_none() {
                value.e = self.in_memory_or_register(value.e);
            }
            let access = if is_place && intent != Intent::In { Access::InOut } else { Access::In };
            let is_place = is_place || value.len.is_some();
            value.e = self.with_elements(value.e);
            out.push(Operand { x, dummy, value: Some(value), access, is_place });
        }
        out
    }

    fn element_arguments(&mut self, operands: &[Operand], at: &[Expr]) -> Arguments {
        let mut out = Arguments::default();
        for o in operands {
            let Some(value) = o.value else {
                self.absent(o.dummy, &mut out);
                continue;
            };
            let element = self.element(value.e, at);
            if let Some(d) = o.dummy.filter(|&d| self.symbol(d).attrs.value) {
                if !self.pass_value(d, Val { e: element, ..value }, &mut out) {
                    let element = self.number_value(o.x, d, Val::plain(element));
                    out.list.push(element);
                } else {
                    out.lengths.truncate(out.lengths.len() - usize::from(value.len.is_some()));
                }
            } else {
                let place = if o.is_place { element } else { self.in_memory_or_register(element) };
                let address = self.address(o.access, place);
                out.list.push(address);
            }
            out.lengths.extend(value.len);
            if let Some(d) = o.dummy.filter(|&d| !crate::symbols::extras(self.symbol(d)).is_empty()) {
                self.further(o.x, d, value, &mut out);
            }
        }
        out
    }
}

impl Stmts<'_> {
    /// Whether the call was one over arrays.
    pub(crate) fn elemental_subroutine(&mut self, id: SymbolId, span: Span, args: &[Arg], copies_second: bool) -> bool {
        if !self.has_array(args) {
            return false;
        }
        let mut operands = self.operands(id, span, args);
        if let [Operand { value: Some(to), .. }, Operand { value: Some(from), .. }] = &mut operands[..]
            && copies_second
            && self.may_overlap(to.e, from.e)
        {
            *from = self.copied(*from);
        }
        let shape = self.common_extents(&operands);
        let (at, outer) = self.open_masked(&shape);
        let out = self.element_arguments(&operands, &at);
        self.emit_call(id, span, out, None);
        self.enter(outer);
        true
    }
}

impl Variables<'_> {
    fn has_array(&mut self, args: &[Arg]) -> bool {
        args.iter().any(|a| match a.value {
            ArgValue::Expr(x) => !self.is_null(x) && self.typing().of(x).is_some_and(|t| t.rank() > 0),
            _ => false,
        })
    }

    /// A section with its vector subscripts in memory where an element of them could not be named.
    fn with_elements(&mut self, e: Expr) -> Expr {
        let ExprData::Section(v, subs) = self.e.expr(e) else { return e };
        if self.has_elements(e) {
            return e;
        }
        let subs: SmallVec<[Expr; 4]> = self.e.list(subs).iter().copied().collect();
        let stored = |l: &mut Self, s| if l.rank(s) > 0 && !l.has_elements(s) { l.in_memory(s) } else { s };
        let subs: SmallVec<[Expr; 4]> = subs.into_iter().map(|s| stored(self, s)).collect();
        let list = self.b.list(&subs);
        self.make(ExprData::Section(v, list))
    }

    fn common_extents(&mut self, operands: &[Operand]) -> crate::array::Shape {
        let given: Vec<(ExprId, Val)> = operands.iter().filter_map(|o| Some((o.x, o.value?))).collect();
        // An optional argument that may be absent has no say in the shape if another can have it.
        let ranked = |l: &Self, o: &&Operand| o.value.is_some_and(|v| l.rank(v.e) > 0);
        let sure = operands.iter().filter(|o| self.optional_flag(o.x).is_none()).find(|o| ranked(self, o));
        let first = sure.or_else(|| operands.iter().find(|o| ranked(self, o)));
        let first = first.and_then(|o| o.value).checked().e;
        for (x, v) in given {
            self.conform(x, first, v.e);
        }
        self.shape(first)
    }
}
