//! Bounds of arrays and lengths of strings that are not constant.
//!
//! Without optimization a bound is an expression of registers that have a home on the stack. In optimized code it is an
//! artificial variable whose location list gives the value where all its registers are somewhere.

use crate::debug::code::Code;
use crate::debug::spot::{Place, Residence, Spot, within};
use crate::debug::types::{Types, push_value};
use crate::homes::Homes;
use gimli::write::{AttributeValue, DwarfUnit, Expression, UnitEntryId};
use rustc_hash::FxHashMap;
use trueline_ir::declared::Home;
use trueline_ir::{Expr, Sym, Unit};

/// Pieces of code.
pub(crate) type Parts = Vec<(u32, u32)>;

/// The artificial variables of a unit in optimized code, with the code in which each has a value.
#[derive(Default)]
pub(crate) struct Bounds {
    /// By expression.
    values: FxHashMap<Expr, (UnitEntryId, Parts)>,
    /// The addresses of pointers and allocatables, by register.
    bases: FxHashMap<Sym, UnitEntryId>,
}

impl Bounds {
    /// Describes the bounds and lengths of the variables of `unit` as children of `parent`.
    pub(crate) fn describe(
        dwarf: &mut DwarfUnit,
        types: &mut Types<'_>,
        parent: UnitEntryId,
        unit: &Unit,
        homes: &Homes,
        code: Code,
    ) -> Bounds {
        let mut out = Bounds::default();
        if !homes.is_optimized() {
            return out;
        }
        for variable in &unit.declared().variables {
            let Home::Sym(v) = variable.home else { continue };
            if let Some(base) = unit.base_of(v).filter(|b| !out.bases.contains_key(b)) {
                let all = homes.residence(base).map_or(&[][..], Vec::as_slice);
                let values: Vec<_> = all.iter().map(|(from, to, spot)| (*from, *to, spot.expression())).collect();
                if !values.is_empty() {
                    let ty = types.base(dwarf, unit.sym(base).ty);
                    out.bases.insert(base, Bounds::variable_of(dwarf, ty, parent, values, code));
                }
            }
            let mut all: Vec<Expr> = Vec::new();
            unit.located_by(v, |e| all.push(e));
            for e in all {
                if unit.pool().as_int(e).is_some() || out.values.contains_key(&e) {
                    continue;
                }
                let Some(values) = values(unit, e, homes).filter(|v| !v.is_empty()) else { continue };
                let parts = values.iter().map(|v| (v.0, v.1)).collect();
                let ty = types.base(dwarf, unit.ty(e));
                out.values.insert(e, (Bounds::variable_of(dwarf, ty, parent, values, code), parts));
            }
        }
        out
    }

    /// The variable for the address in a register.
    pub(crate) fn base(&self, register: Sym) -> Option<UnitEntryId> {
        self.bases.get(&register).copied()
    }

    /// Describes an artificial variable that has these values in parts of the code.
    pub(crate) fn variable_of(
        dwarf: &mut DwarfUnit,
        ty: UnitEntryId,
        parent: UnitEntryId,
        values: Vec<(u32, u32, Expression)>,
        code: Code,
    ) -> UnitEntryId {
        let list = dwarf.unit.locations.add(code.locations(values));
        let id = dwarf.unit.add(parent, gimli::DW_TAG_variable);
        let entry = dwarf.unit.get_mut(id);
        entry.set(gimli::DW_AT_artificial, AttributeValue::Flag(true));
        entry.set(gimli::DW_AT_type, AttributeValue::UnitRef(ty));
        entry.set(gimli::DW_AT_location, AttributeValue::LocationListRef(list));
        id
    }

    /// The variable for an expression.
    pub(crate) fn get(&self, e: Expr) -> Option<UnitEntryId> {
        self.values.get(&e).map(|known| known.0)
    }

    /// The pieces of `all` in which the elements of `v` can be found: the bounds that give their distances are known.
    pub(crate) fn within<T: Clone>(&self, unit: &Unit, v: Sym, all: Vec<(u32, u32, T)>) -> Vec<(u32, u32, T)> {
        let data = unit.sym(v);
        let last = data.dims.len().saturating_sub(1);
        let uppers = data.dims.iter().enumerate().filter(|(k, _)| *k < last).filter_map(|(_, d)| d.upper.expand());
        let lowers = data.dims.iter().flat_map(|d| [Some(d.lower), d.stride.expand()]).flatten();
        let needed = uppers.chain(lowers).chain(data.len.expand());
        needed.filter(|&e| unit.pool().as_int(e).is_none()).fold(all, |all, e| match self.values.get(&e) {
            Some((_, parts)) => within(&all, parts),
            None => Vec::new(),
        })
    }
}

/// Pieces of optimized code with the places of registers.
pub(crate) type Pieces = Vec<(u32, u32, FxHashMap<Sym, Place>)>;

/// The pieces of optimized code in which all the registers have places, by `places`.
pub(crate) fn pieces<'r>(places: &dyn Fn(Sym) -> Option<&'r Residence>, registers: &[Sym]) -> Option<Pieces> {
    let mut all: Pieces = vec![(0, u32::MAX, FxHashMap::default())];
    for &v in registers {
        let residence = places(v)?;
        let mut next = Vec::new();
        for (start, end, spot) in residence {
            let Some(place) = spot.place() else { continue };
            for (from, to, mut places) in within(&all, &[(*start, *end)]) {
                places.insert(v, place);
                next.push((from, to, places));
            }
        }
        all = next;
    }
    Some(all)
}

/// The pieces of optimized code in which the value of an integer expression is known, with its computation there.
fn values(unit: &Unit, e: Expr, homes: &Homes) -> Option<Vec<(u32, u32, Expression)>> {
    let registers: Vec<Sym> = unit.registers_in(e).into_iter().collect();
    let all = pieces(&|v| homes.residence(v), &registers)?;
    let is_register = matches!(unit.expr(e), trueline_ir::ExprData::Var(_));
    let mut out = Vec::with_capacity(all.len());
    for (start, end, places) in all.into_iter().filter(|a| a.1 < u32::MAX) {
        let data = match places.values().next() {
            Some(&place) if is_register => {
                Spot::Value([place].into_iter().collect(), unit.ty(e).size() as u32).expression()
            }
            _ => {
                let mut data = Expression::new();
                let value = |v: Sym, out: &mut Expression| {
                    places.get(&v)?.push(unit.sym(v).ty.size() as u32, out);
                    Some(())
                };
                push_value(&mut data, unit, e, &value, 32)?;
                data.op(gimli::DW_OP_stack_value);
                data
            }
        };
        out.push((start, end, data));
    }
    Some(out)
}
