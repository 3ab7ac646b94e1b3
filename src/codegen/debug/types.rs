//! The types of variables in DWARF.
//!
//! A bound that is not constant is an expression: of registers with a home on the stack, or of the words of a
//! descriptor in memory. So is the address of the elements of a POINTER or ALLOCATABLE array.

use crate::debug::bounds::Bounds;
use crate::debug::spot::Place;
use crate::homes::Homes;
use gimli::write::{AttributeValue, DwarfUnit, Expression, UnitEntryId};
use gimli::{DW_OP_deref, DW_OP_minus, DW_OP_mul, DW_OP_neg, DW_OP_plus, DW_OP_push_object_address};
use rustc_hash::FxHashMap;
use trueline_ir::declared::{DataType, Structure};
use trueline_ir::{BinaryOp, Expr, ExprData, Sym, Type, UnaryOp, Unit};

/// The words of a descriptor in memory, as offsets in bytes: the unit of its strides, and the first dimension.
const SPAN: u64 = 32;
const DIMENSIONS: u64 = 40;
/// The bytes of a dimension: stride, lower and upper bound.
const DIMENSION: u64 = 24;

/// A bound or stride: a number or an expression.
pub(crate) enum Bound {
    Known(i64),
    Computed(Expression),
    /// The value of a variable.
    Of(UnitEntryId),
}

impl Bound {
    fn value(self) -> AttributeValue {
        match self {
            Bound::Known(k) => AttributeValue::Sdata(k),
            Bound::Computed(e) => AttributeValue::Exprloc(e),
            Bound::Of(variable) => AttributeValue::UnitRef(variable),
        }
    }
}

/// The dimension of an array: lower bound, upper bound, distance of neighbours in bytes.
pub(crate) type Dimension = (Option<Bound>, Option<Bound>, Option<Bound>);

/// The types described so far.
pub(crate) struct Types<'a> {
    structures: &'a [Structure],
    base: FxHashMap<&'static str, UnitEntryId>,
    strings: FxHashMap<i64, UnitEntryId>,
    described: Vec<UnitEntryId>,
}

impl<'a> Types<'a> {
    pub(crate) fn new(structures: &'a [Structure]) -> Types<'a> {
        Types { structures, base: FxHashMap::default(), strings: FxHashMap::default(), described: Vec::new() }
    }

    /// A type without dimensions; none if its length is not constant.
    pub(crate) fn scalar(&mut self, dwarf: &mut DwarfUnit, ty: &DataType) -> Option<UnitEntryId> {
        match (ty.structure, ty.ty) {
            (Some(s), _) => self.structure(dwarf, s),
            (None, Type::Char) => Some(self.string(dwarf, ty.len?)),
            (None, ty) => Some(self.base(dwarf, ty)),
        }
    }

    /// An intrinsic type.
    pub(crate) fn base(&mut self, dwarf: &mut DwarfUnit, ty: Type) -> UnitEntryId {
        let (name, encoding) = base_type(ty);
        *self.base.entry(name).or_insert_with(|| {
            let id = dwarf.unit.add(dwarf.unit.root(), gimli::DW_TAG_base_type);
            let entry = dwarf.unit.get_mut(id);
            entry.set(gimli::DW_AT_name, AttributeValue::String(name.as_bytes().to_vec()));
            entry.set(gimli::DW_AT_encoding, AttributeValue::Encoding(encoding));
            entry.set(gimli::DW_AT_byte_size, AttributeValue::Udata(ty.size() as u64));
            id
        })
    }

    fn string(&mut self, dwarf: &mut DwarfUnit, len: i64) -> UnitEntryId {
        *self.strings.entry(len).or_insert_with(|| {
            let id = dwarf.unit.add(dwarf.unit.root(), gimli::DW_TAG_string_type);
            dwarf.unit.get_mut(id).set(gimli::DW_AT_byte_size, AttributeValue::Udata(len.max(0) as u64));
            id
        })
    }

    /// A string whose length is found at a place on the stack, or is the value of a variable.
    pub(crate) fn dynamic_string(&mut self, dwarf: &mut DwarfUnit, length: AttributeValue) -> UnitEntryId {
        let id = dwarf.unit.add(dwarf.unit.root(), gimli::DW_TAG_string_type);
        let entry = dwarf.unit.get_mut(id);
        if matches!(length, AttributeValue::Exprloc(_)) {
            entry.set(gimli::DW_AT_string_length_byte_size, AttributeValue::Udata(8));
        }
        entry.set(gimli::DW_AT_string_length, length);
        id
    }

    fn structure(&mut self, dwarf: &mut DwarfUnit, number: u32) -> Option<UnitEntryId> {
        if self.described.is_empty() {
            self.describe_structures(dwarf);
        }
        self.described.get(number as usize).copied()
    }

    /// Describes all derived types: first their entries, because components may refer to each other's types in circles.
    fn describe_structures(&mut self, dwarf: &mut DwarfUnit) {
        let root = dwarf.unit.root();
        self.described = self.structures.iter().map(|_| dwarf.unit.add(root, gimli::DW_TAG_structure_type)).collect();
        for (structure, id) in self.structures.iter().zip(self.described.clone()) {
            let entry = dwarf.unit.get_mut(id);
            entry.set(gimli::DW_AT_name, crate::debug::text(&structure.name));
            entry.set(gimli::DW_AT_byte_size, AttributeValue::Udata(structure.size.max(0) as u64));
            for component in &structure.components {
                let Some(ty) = self.component(dwarf, &component.ty) else { continue };
                let member = dwarf.unit.add(id, gimli::DW_TAG_member);
                let entry = dwarf.unit.get_mut(member);
                entry.set(gimli::DW_AT_name, crate::debug::text(&component.name));
                entry.set(gimli::DW_AT_type, AttributeValue::UnitRef(ty));
                entry.set(gimli::DW_AT_data_member_location, AttributeValue::Udata(component.offset.max(0) as u64));
            }
        }
    }

    /// The type of a component, or of another variable whose descriptor is in memory.
    pub(crate) fn component(&mut self, dwarf: &mut DwarfUnit, ty: &DataType) -> Option<UnitEntryId> {
        let element = self.scalar(dwarf, ty)?;
        match (ty.is_indirect, ty.dims.is_empty()) {
            (true, true) => Some(self.pointer(dwarf, element)),
            (true, false) => {
                let dims = (0..ty.dims.len() as u64).map(described_dimension).collect();
                let array = self.array(dwarf, element, dims);
                self.behind(dwarf, array);
                Some(array)
            }
            (false, true) => Some(element),
            (false, false) => {
                let dims = ty.dims.iter().map(|&(lo, hi)| (lo.map(Bound::Known), hi.map(Bound::Known), None));
                Some(self.array(dwarf, element, dims.collect()))
            }
        }
    }

    pub(crate) fn pointer(&mut self, dwarf: &mut DwarfUnit, to: UnitEntryId) -> UnitEntryId {
        let id = dwarf.unit.add(dwarf.unit.root(), gimli::DW_TAG_pointer_type);
        let entry = dwarf.unit.get_mut(id);
        entry.set(gimli::DW_AT_byte_size, AttributeValue::Udata(8));
        entry.set(gimli::DW_AT_type, AttributeValue::UnitRef(to));
        id
    }

    /// Marks the array as allocated if that variable is not 0.
    pub(crate) fn allocated(&mut self, dwarf: &mut DwarfUnit, array: UnitEntryId, base: UnitEntryId) {
        dwarf.unit.get_mut(array).set(gimli::DW_AT_allocated, AttributeValue::UnitRef(base));
    }

    /// Places the elements of an array at the address in the first word of the variable, if that is not 0.
    pub(crate) fn behind(&mut self, dwarf: &mut DwarfUnit, array: UnitEntryId) {
        let entry = dwarf.unit.get_mut(array);
        let first = || AttributeValue::Exprloc(word(0));
        entry.set(gimli::DW_AT_data_location, first());
        entry.set(gimli::DW_AT_allocated, first());
    }

    pub(crate) fn array(&mut self, dwarf: &mut DwarfUnit, of: UnitEntryId, dims: Vec<Dimension>) -> UnitEntryId {
        let index = self.base(dwarf, Type::I8);
        let id = dwarf.unit.add(dwarf.unit.root(), gimli::DW_TAG_array_type);
        let entry = dwarf.unit.get_mut(id);
        entry.set(gimli::DW_AT_ordering, AttributeValue::Ordering(gimli::DW_ORD_col_major));
        entry.set(gimli::DW_AT_type, AttributeValue::UnitRef(of));
        for (lower, upper, stride) in dims {
            let range = dwarf.unit.add(id, gimli::DW_TAG_subrange_type);
            let entry = dwarf.unit.get_mut(range);
            entry.set(gimli::DW_AT_type, AttributeValue::UnitRef(index));
            let parts = [
                (gimli::DW_AT_lower_bound, lower),
                (gimli::DW_AT_upper_bound, upper),
                (gimli::DW_AT_byte_stride, stride),
            ];
            for (name, bound) in parts {
                if let Some(bound) = bound {
                    entry.set(name, bound.value());
                }
            }
        }
        id
    }
}

/// The word of a descriptor at an offset.
fn word(offset: u64) -> Expression {
    let mut e = Expression::new();
    push_word(&mut e, offset);
    e
}

fn push_word(e: &mut Expression, offset: u64) {
    e.op(DW_OP_push_object_address);
    if offset > 0 {
        e.op_plus_uconst(offset);
    }
    e.op(DW_OP_deref);
}

/// Dimension `k` of a descriptor in memory.
fn described_dimension(k: u64) -> Dimension {
    let at = DIMENSIONS + k * DIMENSION;
    let mut stride = word(at);
    push_word(&mut stride, SPAN);
    stride.op(DW_OP_mul);
    let bound = |offset| Some(Bound::Computed(word(offset)));
    (bound(at + 8), bound(at + 16), Some(Bound::Computed(stride)))
}

/// The dimensions of a symbol, as far as they can be described.
pub(crate) fn dimensions(unit: &Unit, v: Sym, homes: &Homes, bounds: &Bounds) -> Vec<Dimension> {
    let bound = |e: Expr| -> Option<Bound> {
        if let Some(k) = unit.pool().as_int(e) {
            return Some(Bound::Known(k));
        }
        if let Some(variable) = bounds.get(e) {
            return Some(Bound::Of(variable));
        }
        let mut out = Expression::new();
        push_value(&mut out, unit, e, &|v, out| push_home(out, unit, v, homes), 32)?;
        Some(Bound::Computed(out))
    };
    let dims = unit.sym(v).dims.iter();
    dims.map(|d| (bound(d.lower), d.upper.expand().and_then(bound), d.stride.expand().and_then(bound))).collect()
}

/// Pushes the value of a register with a home on the stack.
pub(crate) fn push_home(out: &mut Expression, unit: &Unit, v: Sym, homes: &Homes) -> Option<()> {
    Place::Frame(homes.register(v)?).push(unit.sym(v).ty.size() as u32, out);
    Some(())
}

/// Pushes the value of an expression of constants and registers, which `register` pushes.
pub(crate) fn push_value(
    out: &mut Expression,
    unit: &Unit,
    e: Expr,
    register: &dyn Fn(Sym, &mut Expression) -> Option<()>,
    deepest: u32,
) -> Option<()> {
    let deeper = deepest.checked_sub(1)?;
    match unit.expr(e) {
        ExprData::Int(_, k) => out.op_consts(k),
        ExprData::Var(v) => register(v, out)?,
        ExprData::Convert(to, a) if is_integer(to) && is_integer(unit.ty(a)) => {
            push_value(out, unit, a, register, deeper)?;
        }
        ExprData::Unary(UnaryOp::Neg, a) => {
            push_value(out, unit, a, register, deeper)?;
            out.op(DW_OP_neg);
        }
        ExprData::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
            push_value(out, unit, a, register, deeper)?;
            push_value(out, unit, b, register, deeper)?;
            out.op(match op {
                BinaryOp::Add => DW_OP_plus,
                BinaryOp::Sub => DW_OP_minus,
                _ => DW_OP_mul,
            });
        }
        _ => return None,
    }
    Some(())
}

fn is_integer(ty: Type) -> bool {
    matches!(ty, Type::I1 | Type::I2 | Type::I4 | Type::I8)
}

/// gfortran's name of an intrinsic type, and its encoding.
fn base_type(ty: Type) -> (&'static str, gimli::DwAte) {
    use gimli::{DW_ATE_boolean, DW_ATE_complex_float, DW_ATE_float, DW_ATE_signed, DW_ATE_unsigned_char};
    match ty {
        Type::I1 => ("integer(kind=1)", DW_ATE_signed),
        Type::I2 => ("integer(kind=2)", DW_ATE_signed),
        Type::I4 => ("integer(kind=4)", DW_ATE_signed),
        Type::I8 => ("integer(kind=8)", DW_ATE_signed),
        Type::L1 => ("logical(kind=1)", DW_ATE_boolean),
        Type::L2 => ("logical(kind=2)", DW_ATE_boolean),
        Type::L4 => ("logical(kind=4)", DW_ATE_boolean),
        Type::L8 => ("logical(kind=8)", DW_ATE_boolean),
        Type::R4 => ("real(kind=4)", DW_ATE_float),
        Type::R8 => ("real(kind=8)", DW_ATE_float),
        Type::R16 => ("real(kind=16)", DW_ATE_float),
        Type::C4 => ("complex(kind=4)", DW_ATE_complex_float),
        Type::C8 => ("complex(kind=8)", DW_ATE_complex_float),
        Type::C16 => ("complex(kind=16)", DW_ATE_complex_float),
        Type::Char => ("character(kind=1)", DW_ATE_unsigned_char),
        // No variable of the source is one.
        vector => base_type(vector.lane()),
    }
}
