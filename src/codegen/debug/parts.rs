//! Associate names that stand for an element or a section of an array.
//!
//! ```text
//! associate (r => a(i, 2:n:2))      address of a + offset of a(i, 2), (n - 2 + 2) / 2 elements, 2 columns apart
//! ```

use crate::debug::bounds::{Bounds, Pieces, pieces};
use crate::debug::code::Code;
use crate::debug::spot::{Residence, Spot};
use crate::debug::types::{Bound, Dimension, push_home, push_value};
use crate::homes::Homes;
use gimli::write::{DwarfUnit, Expression, UnitEntryId};
use gimli::{DW_OP_div, DW_OP_minus, DW_OP_mul, DW_OP_plus};
use trueline_ir::declared::{Home, Index, Subscript, Variable, registers};
use trueline_ir::{Expr, Sym, Type, Unit};

/// Pushes the value of a register.
type Push<'a> = &'a dyn Fn(Sym, &mut Expression) -> Option<()>;

/// The part of an array.
pub(crate) struct Part<'a> {
    unit: &'a Unit,
    sym: Sym,
    subs: &'a [Subscript],
    registers: Vec<Sym>,
}

impl<'a> Part<'a> {
    /// The part that a variable stands for; none if it is no such variable.
    pub(crate) fn of(unit: &'a Unit, variable: &'a Variable) -> Option<Part<'a>> {
        let Home::Part { sym, subs } = &variable.home else { return None };
        Part::element(unit, *sym, subs)
    }

    /// The part that begins at an element of an array.
    pub(crate) fn element(unit: &'a Unit, sym: Sym, subs: &'a [Subscript]) -> Option<Part<'a>> {
        let data = unit.sym(sym);
        if subs.len() != data.dims.len() {
            return None;
        }
        let mut registers: Vec<Sym> = registers(subs).collect();
        // The last upper bound does not influence distances.
        let last = data.dims.len().saturating_sub(1);
        for (k, d) in data.dims.iter().enumerate() {
            let upper = d.upper.expand().filter(|_| k < last);
            for e in [Some(d.lower), upper, d.stride.expand()].into_iter().flatten() {
                registers.extend(unit.registers_in(e));
            }
        }
        data.len.expand().into_iter().for_each(|e| registers.extend(unit.registers_in(e)));
        registers.sort_unstable();
        registers.dedup();
        Some(Part { unit, sym, subs, registers })
    }

    /// The array.
    pub(crate) fn array(&self) -> Sym {
        self.sym
    }

    fn push(&self, e: Expr, out: &mut Expression, register: Push<'_>) -> Option<()> {
        push_value(out, self.unit, e, register, 32)
    }

    fn index(&self, i: Index, out: &mut Expression, register: Push<'_>) -> Option<()> {
        match i {
            Index::Known(k) => out.op_consts(k),
            Index::Of(v) => register(v, out)?,
        }
        Some(())
    }

    /// Pushes the distance in bytes of neighbours in dimension `k`.
    fn distance(&self, k: usize, out: &mut Expression, register: Push<'_>) -> Option<()> {
        let data = self.unit.sym(self.sym);
        let first = (0..=k).rev().find(|&j| data.dims[j].stride.is_some());
        match (first.and_then(|j| data.dims[j].stride.expand()), data.len.expand()) {
            (Some(stride), _) => self.push(stride, out, register)?,
            (None, Some(len)) => self.push(len, out, register)?,
            (None, None) => out.op_consts(data.ty.size() as i64),
        }
        for d in &data.dims[first.unwrap_or(0)..k] {
            self.push(d.upper.expand()?, out, register)?;
            self.push(d.lower, out, register)?;
            out.op(DW_OP_minus);
            out.op_plus_uconst(1);
            out.op(DW_OP_mul);
        }
        Some(())
    }

    /// Adds the offset of the first element to the address on the stack.
    fn offset(&self, out: &mut Expression, register: Push<'_>) -> Option<()> {
        for (k, sub) in self.subs.iter().enumerate() {
            let (Subscript::At(first) | Subscript::Range(first, ..)) = *sub;
            self.index(first, out, register)?;
            self.push(self.unit.sym(self.sym).dims[k].lower, out, register)?;
            out.op(DW_OP_minus);
            self.distance(k, out, register)?;
            out.op(DW_OP_mul);
            out.op(DW_OP_plus);
        }
        Some(())
    }

    /// The upper bound and the distance of neighbours of each dimension of the part; the lower bound is 1.
    pub(crate) fn dimensions(
        &self,
        dwarf: &mut DwarfUnit,
        integer: UnitEntryId,
        parent: UnitEntryId,
        homes: &Homes,
        code: Code,
    ) -> Option<Vec<Dimension>> {
        let mut out = Vec::new();
        for (k, sub) in self.subs.iter().enumerate() {
            let Subscript::Range(lo, hi, step) = *sub else { continue };
            let upper = |out: &mut Expression, register: Push<'_>| {
                self.index(hi, out, register)?;
                self.index(lo, out, register)?;
                out.op(DW_OP_minus);
                self.index(step, out, register)?;
                out.op(DW_OP_plus);
                self.index(step, out, register)?;
                out.op(DW_OP_div);
                Some(())
            };
            let distance = |out: &mut Expression, register: Push<'_>| {
                self.distance(k, out, register)?;
                self.index(step, out, register)?;
                out.op(DW_OP_mul);
                Some(())
            };
            let mut bound = |push: &dyn Fn(&mut Expression, Push<'_>) -> Option<()>| {
                if homes.is_optimized() && !self.registers.is_empty() {
                    let values = self.in_pieces(pieces(&|v| homes.residence(v), &self.registers)?, |out, register| {
                        push(out, register)?;
                        out.op(gimli::DW_OP_stack_value);
                        Some(())
                    });
                    return Some(Bound::Of(Bounds::variable_of(dwarf, integer, parent, values?, code)));
                }
                let mut out = Expression::new();
                push(&mut out, &|v, out| push_home(out, self.unit, v, homes))?;
                Some(Bound::Computed(out))
            };
            out.push((Some(Bound::Known(1)), Some(bound(&upper)?), Some(bound(&distance)?)));
        }
        Some(out)
    }

    /// Expressions for pieces of optimized code in which registers are known.
    fn in_pieces(
        &self,
        all: Pieces,
        make: impl Fn(&mut Expression, Push<'_>) -> Option<()>,
    ) -> Option<Vec<(u32, u32, Expression)>> {
        let mut out = Vec::with_capacity(all.len());
        for (start, end, places) in all {
            let mut data = Expression::new();
            let register = |v: Sym, out: &mut Expression| {
                places.get(&v)?.push(self.unit.sym(v).ty.size() as u32, out);
                Some(())
            };
            make(&mut data, &register)?;
            out.push((start, end, data));
        }
        Some(out)
    }

    /// The address of the part in code that is not optimized; `array` is that of the array.
    pub(crate) fn address(&self, array: Expression, homes: &Homes) -> Option<Expression> {
        let mut out = array;
        self.offset(&mut out, &|v, out| push_home(out, self.unit, v, homes))?;
        Some(out)
    }

    /// The same in optimized code, by the pieces in which the array is somewhere.
    pub(crate) fn addresses<'r>(
        &self,
        array: &[(u32, u32, Option<Spot>)],
        whole: impl Fn() -> Option<Expression>,
        places: &dyn Fn(Sym) -> Option<&'r Residence>,
    ) -> Option<Vec<(u32, u32, Expression)>> {
        let known = pieces(places, &self.registers)?;
        let mut out = Vec::new();
        for (start, end, spot) in array {
            let parts = crate::debug::spot::within(&known, &[(*start, *end)]);
            let made = self.in_pieces(parts, |out, register| {
                match spot {
                    Some(Spot::Memory(place)) => place.push(Type::I8.size() as u32, out),
                    Some(Spot::Slot(offset)) => out.op_fbreg(*offset),
                    Some(Spot::Value(..) | Spot::Parts(..) | Spot::Given(..)) => return None,
                    Some(Spot::Static) | None => *out = whole()?,
                }
                self.offset(out, register)
            });
            out.extend(made?);
        }
        Some(out)
    }
}
