//! Elemental procedures over arrays: the call in a loop over the elements.
//!
//! ```text
//! w = f(v, 2*v, n)     t1 = 2*v
//!                      do k = 1, size(v);  t(k) = f(v(k), t1(k), n);  end do
//!                      w = t
//! ```

use crate::call::Arguments;
use crate::expr::{Failed, Lowered, Val};
use crate::lower::Lower;
use crate::symbol::SymbolId;
use trueline_diag::Span;
use trueline_ir::{Access, Expr, Intent, Type};
use trueline_syntax::ast::{Arg, ArgValue, ExprId};

/// An argument: evaluated once, an element at a time.
struct Operand {
    x: ExprId,
    value: Val,
    access: Access,
    /// A variable, whose own elements are passed.
    is_place: bool,
}

impl Lower<'_, '_> {
    /// The array of results; none if all arguments are scalars.
    pub(crate) fn elemental_function(
        &mut self,
        id: SymbolId,
        span: Span,
        ty: Type,
        args: &[Arg],
    ) -> Lowered<Option<Val>> {
        if !self.has_array(args) {
            return Ok(None);
        }
        if ty == Type::Char {
            return Err(self.unsupported(span, "An elemental function with a CHARACTER result over arrays is"));
        }
        let operands = self.operands(id, span, args)?;
        let shape = self.common_extents(&operands)?;
        let temp = self.memory(ty, None, &shape);
        let (at, outer) = self.open_elements(&shape);
        let out = self.element_arguments(&operands, &at);
        let result = self.register("f", ty);
        self.emit_call(id, span, out, Some(result))?;
        let (place, value) = (self.elem(temp, &at), self.var(result));
        self.assign(place, value);
        self.enter(outer);
        Ok(Some(Val::plain(self.var(temp))))
    }

    /// Whether the call was one over arrays.
    pub(crate) fn elemental_subroutine(&mut self, id: SymbolId, span: Span, args: &[Arg]) -> Lowered<bool> {
        if !self.has_array(args) {
            return Ok(false);
        }
        let operands = self.operands(id, span, args)?;
        let shape = self.common_extents(&operands)?;
        let (at, outer) = self.open_elements(&shape);
        let out = self.element_arguments(&operands, &at);
        self.emit_call(id, span, out, None)?;
        self.enter(outer);
        Ok(true)
    }

    fn has_array(&mut self, args: &[Arg]) -> bool {
        args.iter().any(|a| match a.value {
            ArgValue::Expr(x) => self.tried(x).is_some_and(|(_, rank)| rank > 0),
            _ => false,
        })
    }

    fn operands(&mut self, id: SymbolId, span: Span, args: &[Arg]) -> Lowered<Vec<Operand>> {
        let dummies = self.symbol(id).procedure().map(|p| p.dummies.clone()).unwrap_or_default();
        let mut out = Vec::new();
        for (k, actual) in self.order(id, args, span)?.into_iter().enumerate() {
            let Some(ArgValue::Expr(x)) = actual.value else {
                return Err(self.unsupported(actual.span, "An absent argument of an elemental procedure is"));
            };
            let dummy = dummies.get(k).copied().flatten();
            let intent = dummy.map_or(Intent::Unknown, |d| self.symbol(d).intent);
            let is_place = self.is_variable_reference(x);
            let mut value = if is_place { self.reference(x)? } else { self.expr(x)? };
            if let Some(d) = dummy {
                self.check_argument(x, id, d, true, value, is_place)?;
            }
            if matches!(intent, Intent::Out | Intent::InOut) {
                self.check_changed(x, dummy, is_place)?;
            }
            if !is_place && value.len.is_none() {
                value.e = self.in_memory_or_register(value.e);
            }
            let access = if is_place && intent != Intent::In { Access::InOut } else { Access::In };
            out.push(Operand { x, value, access, is_place: is_place || value.len.is_some() });
        }
        Ok(out)
    }

    fn common_extents(&mut self, operands: &[Operand]) -> Lowered<crate::arrays::Shape> {
        let first = operands.iter().find(|o| self.rank(o.value.e) > 0).ok_or(Failed)?.value.e;
        for o in operands {
            self.conform(o.x, first, o.value.e)?;
        }
        Ok(self.shape(first))
    }

    fn element_arguments(&mut self, operands: &[Operand], at: &[Expr]) -> Arguments {
        let mut out = Arguments::default();
        for o in operands {
            let element = self.element(o.value.e, at);
            let place = if o.is_place { element } else { self.in_memory_or_register(element) };
            let address = self.address(o.access, place);
            out.list.push(address);
            out.lengths.extend(o.value.len);
        }
        out
    }
}
