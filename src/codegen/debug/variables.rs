//! Variables in DWARF: arguments, locals, COMMON blocks, module variables.
//!
//! A variable in static memory or in the frame has its place at every level. Registers have one in code that is
//! not optimized (see [`crate::homes`]); elsewhere a debugger says that they are optimized out.

use crate::debug::blocks::{Blocks, extents};
use crate::debug::bounds::Bounds;
use crate::debug::code::Code;
use crate::debug::parts::Part;
use crate::debug::spot::{Current, Place, Residences, Spot, unless_zero};
use crate::debug::text;
use crate::debug::types::{Types, dimensions};
use crate::homes::Homes;
use crate::symbols::Symbols;
use cranelift_module::DataId;
use gimli::DW_OP_deref;
use gimli::write::{Address, AttributeValue, DwarfUnit, Expression, UnitEntryId};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use trueline_ir::declared::{DataType, Home, Subscript, Variable};
use trueline_ir::{Program, Storage, Sym, Unit};

/// The data that the descriptions of all units share.
pub(crate) struct Variables<'a> {
    pub(crate) types: Types<'a>,
    linker: &'a Symbols,
    /// The static memory that is mentioned. Its number among the symbols comes after those of the functions.
    areas: IndexMap<DataId, ()>,
    functions: usize,
}

impl<'a> Variables<'a> {
    pub(crate) fn new(program: &'a Program, linker: &'a Symbols, functions: usize) -> Variables<'a> {
        Variables { types: Types::new(&program.structures), linker, areas: IndexMap::new(), functions }
    }

    /// The static memory that is mentioned, in the order of its numbers.
    pub(crate) fn areas(&self) -> impl Iterator<Item = DataId> + '_ {
        self.areas.keys().copied()
    }

    /// The address of static memory, if the object mentions it.
    fn address(&mut self, area: &str, offset: u64) -> Option<Expression> {
        let id = self.linker.data_id(area)?;
        let (number, _) = self.areas.insert_full(id, ());
        let mut out = Expression::new();
        out.op_addr(Address::Symbol { symbol: self.functions + number, addend: offset as i64 });
        Some(out)
    }
}

/// A procedure whose variables are described.
#[derive(Clone, Copy)]
pub(crate) struct Procedure<'a> {
    pub(crate) unit: &'a Unit,
    /// The unit whose code it is: its own, or the one that it was inlined into.
    pub(crate) caller: &'a Unit,
    pub(crate) homes: &'a Homes,
    pub(crate) code: Code,
    pub(crate) blocks: &'a Blocks,
    /// The abstract entries with names and types of its variables, if it was inlined somewhere.
    pub(crate) origin: Option<&'a Abstract>,
}

/// The entries of an inlined procedure, without places.
pub(crate) struct Abstract {
    pub(crate) entry: UnitEntryId,
    /// The variables, by their numbers.
    variables: FxHashMap<usize, UnitEntryId>,
    pub(crate) blocks: Blocks,
}

/// Describes the variables of a procedure that was inlined as children of its abstract `entry`.
pub(crate) fn describe_abstract(
    dwarf: &mut DwarfUnit,
    of: &mut Variables<'_>,
    entry: UnitEntryId,
    unit: &Unit,
    is_text: bool,
) -> Abstract {
    let mut blocks = Blocks::default();
    for extent in extents(unit) {
        blocks.add(dwarf, entry, extent);
    }
    let homes = Homes::of_inlined(Residences::default());
    let code = Code { symbol: 0, entry: 0, is_text };
    let of_unit = Procedure { unit, caller: unit, homes: &homes, code, blocks: &blocks, origin: None };
    let bounds = Bounds::default();
    let mut variables = FxHashMap::default();
    for (number, variable) in in_order(unit).filter(|(_, v)| v.of_module.is_none() && v.common.is_none()) {
        let parent = variable.lines.and_then(|lines| blocks.get(lines)).unwrap_or(entry);
        let scope = Scope { of: of_unit, parent, bounds: &bounds };
        let Some((ty, _)) = scope.described(dwarf, of, variable) else { continue };
        let id = scope.add(dwarf, variable);
        scope.name(dwarf, id, variable, ty);
        variables.insert(number, id);
    }
    Abstract { entry, variables, blocks }
}

/// The variables with their numbers, arguments first.
fn in_order(unit: &Unit) -> impl Iterator<Item = (usize, &Variable)> {
    let all = || unit.declared().variables.iter().enumerate();
    all().filter(|(_, v)| v.is_argument).chain(all().filter(|(_, v)| !v.is_argument))
}

/// Describes the variables of a unit as children of `parent`.
pub(crate) fn describe_variables(
    dwarf: &mut DwarfUnit,
    of: &mut Variables<'_>,
    parent: UnitEntryId,
    procedure: Procedure<'_>,
) {
    let Procedure { unit, homes, code, blocks, origin, .. } = procedure;
    let mut commons: IndexMap<&str, UnitEntryId> = IndexMap::new();
    let bounds = Bounds::describe(dwarf, &mut of.types, parent, unit, homes, code);
    let scope = Scope { of: procedure, parent, bounds: &bounds };
    for (number, variable) in in_order(unit) {
        if let Some(module) = &variable.of_module {
            // The entry of the module gives its place, unless the code may have a newer value elsewhere.
            if !is_always_current(homes, variable) {
                scope.describe(dwarf, of, variable, None);
                let qualified = Variable { name: format!("{module}::{}", variable.name), ..variable.clone() };
                scope.describe(dwarf, of, &qualified, None);
            }
            continue;
        }
        let parent = match &variable.common {
            None => match variable.lines {
                None => parent,
                Some(extent) => match blocks.get(extent) {
                    Some(block) => block,
                    None => continue,
                },
            },
            Some(block) => match commons.get(block.as_str()) {
                Some(&known) => known,
                None => {
                    let Some(id) = common(dwarf, of, parent, block) else { continue };
                    commons.insert(block, id);
                    id
                }
            },
        };
        let origin = origin.and_then(|o| o.variables.get(&number)).copied();
        Scope { parent, ..scope }.describe(dwarf, of, variable, origin);
    }
}

/// Whether a variable of a module has its value in memory in all of the code.
fn is_always_current(homes: &Homes, variable: &Variable) -> bool {
    let v = match variable.home {
        Home::Sym(v) | Home::Shared { sym: Some(v), .. } => v,
        Home::Shared { sym: None, .. } | Home::Part { .. } => return true,
    };
    homes.current(v) == Some(&Current::Everywhere)
}

/// The entry of a COMMON block.
fn common(dwarf: &mut DwarfUnit, of: &mut Variables<'_>, parent: UnitEntryId, block: &str) -> Option<UnitEntryId> {
    let at = of.address(block, 0)?;
    let id = dwarf.unit.add(parent, gimli::DW_TAG_common_block);
    let name = block.strip_suffix('_').unwrap_or(block);
    let name = if name == "_" || name.is_empty() { "__BLNK__" } else { name };
    let entry = dwarf.unit.get_mut(id);
    entry.set(gimli::DW_AT_name, text(name));
    entry.set(gimli::DW_AT_linkage_name, text(block));
    entry.set(gimli::DW_AT_location, AttributeValue::Exprloc(at));
    Some(id)
}

/// A procedure, and the entry whose children its variables become.
#[derive(Clone, Copy)]
struct Scope<'a> {
    of: Procedure<'a>,
    parent: UnitEntryId,
    bounds: &'a Bounds,
}

impl Scope<'_> {
    /// The type and the place of a variable.
    fn described(self, dwarf: &mut DwarfUnit, of: &mut Variables<'_>, variable: &Variable) -> Described {
        match &variable.home {
            Home::Shared { area, offset, sym } => of.types.component(dwarf, &variable.ty).map(|ty| {
                let at = of.address(area, *offset);
                let current = sym.map_or(Some(&Current::Everywhere), |v| self.of.homes.current(v));
                (ty, at.zip(current).map(|(at, current)| At::of(at, current)))
            }),
            Home::Part { .. } => self.part(dwarf, of, variable),
            Home::Sym(v) if variable.ty.is_indirect => self.indirect(dwarf, of, variable, *v),
            Home::Sym(v) => self.direct(dwarf, of, variable, *v),
        }
    }

    fn add(self, dwarf: &mut DwarfUnit, variable: &Variable) -> UnitEntryId {
        let tag = if variable.is_argument { gimli::DW_TAG_formal_parameter } else { gimli::DW_TAG_variable };
        dwarf.unit.add(self.parent, tag)
    }

    /// Sets the name and the type of a variable.
    fn name(self, dwarf: &mut DwarfUnit, id: UnitEntryId, variable: &Variable, ty: UnitEntryId) {
        let file = dwarf.unit.get(self.parent).get(gimli::DW_AT_decl_file).cloned();
        let entry = dwarf.unit.get_mut(id);
        entry.set(gimli::DW_AT_name, text(&variable.name));
        if let (Some(file), true) = (file, variable.line > 0) {
            entry.set(gimli::DW_AT_decl_file, file);
            entry.set(gimli::DW_AT_decl_line, AttributeValue::Udata(u64::from(variable.line)));
        }
        entry.set(gimli::DW_AT_type, AttributeValue::UnitRef(ty));
        if self.of.unit.kind() == trueline_ir::UnitKind::Data || variable.common.is_some() {
            entry.set(gimli::DW_AT_external, AttributeValue::Flag(true));
        }
    }

    /// Describes a variable. The name comes from the entry `origin`, if there is one.
    fn describe(self, dwarf: &mut DwarfUnit, of: &mut Variables<'_>, variable: &Variable, origin: Option<UnitEntryId>) {
        let Some((ty, location)) = self.described(dwarf, of, variable) else { return };
        let id = self.add(dwarf, variable);
        let location = location.map(|at| at.value(dwarf, self.of.code));
        match origin {
            Some(origin) => {
                let of_origin = dwarf.unit.get(origin).get(gimli::DW_AT_type) == Some(&AttributeValue::UnitRef(ty));
                let entry = dwarf.unit.get_mut(id);
                entry.set(gimli::DW_AT_abstract_origin, AttributeValue::UnitRef(origin));
                if !of_origin {
                    entry.set(gimli::DW_AT_type, AttributeValue::UnitRef(ty));
                }
            }
            None => self.name(dwarf, id, variable, ty),
        }
        if let Some(location) = location {
            dwarf.unit.get_mut(id).set(gimli::DW_AT_location, location);
        }
    }
}

/// The place of a variable.
enum At {
    /// All the time.
    Always(Expression),
    /// In some parts of the code.
    Parts(Vec<(u32, u32, Expression)>),
}

impl At {
    /// At one place, where the variable is current.
    fn of(at: Expression, current: &Current) -> At {
        match current {
            Current::Everywhere => At::Always(at),
            Current::In(parts) => At::Parts(parts.iter().map(|&(start, end)| (start, end, at.clone())).collect()),
        }
    }

    /// As an attribute.
    fn value(self, dwarf: &mut DwarfUnit, code: Code) -> AttributeValue {
        let parts = match self {
            At::Always(e) => return AttributeValue::Exprloc(e),
            At::Parts(parts) => parts,
        };
        AttributeValue::LocationListRef(dwarf.unit.locations.add(code.locations(parts)))
    }
}

type Described = Option<(UnitEntryId, Option<At>)>;

impl Scope<'_> {
    /// The type of the scalar or of an element.
    fn element(
        self,
        dwarf: &mut DwarfUnit,
        of: &mut Variables<'_>,
        variable: &Variable,
        v: Sym,
    ) -> Option<UnitEntryId> {
        let (unit, homes, bounds) = (self.of.unit, self.of.homes, self.bounds);
        if let Some(ty) = of.types.scalar(dwarf, &variable.ty) {
            return Some(ty);
        }
        // A CHARACTER whose length is in a register.
        let len = unit.sym(v).len.expand()?;
        if let Some(length) = bounds.get(len) {
            return Some(of.types.dynamic_string(dwarf, AttributeValue::UnitRef(length)));
        }
        if let trueline_ir::ExprData::Int(_, k) = unit.expr(len) {
            let ty = trueline_ir::declared::DataType { len: Some(k), ..variable.ty.clone() };
            return of.types.scalar(dwarf, &ty);
        }
        let home = match unit.expr(len) {
            trueline_ir::ExprData::Var(register) => homes.register(register),
            _ => None,
        };
        let Some(home) = home else {
            // Its length has no place, so the variable has none either.
            return homes
                .is_optimized()
                .then(|| of.types.scalar(dwarf, &DataType { len: Some(0), ..variable.ty.clone() }))?;
        };
        let mut at = Expression::new();
        at.op_fbreg(home);
        Some(of.types.dynamic_string(dwarf, AttributeValue::Exprloc(at)))
    }

    /// A pointer or allocatable whose address and bounds are in registers.
    fn indirect(self, dwarf: &mut DwarfUnit, of: &mut Variables<'_>, variable: &Variable, v: Sym) -> Described {
        let (unit, homes, bounds) = (self.of.unit, self.of.homes, self.bounds);
        let element = self.element(dwarf, of, variable, v)?;
        let base = unit.base_of(v);
        if homes.is_optimized() {
            let ty = if variable.ty.dims.is_empty() {
                of.types.pointer(dwarf, element)
            } else {
                let array = of.types.array(dwarf, element, dimensions(unit, v, homes, bounds));
                if let Some(base) = base.and_then(|b| bounds.base(b)) {
                    of.types.allocated(dwarf, array, base);
                }
                array
            };
            return Some((ty, self.places(of, v)));
        }
        let register = base.and_then(|b| homes.register(b));
        let ty = match (variable.ty.dims.is_empty(), register) {
            (true, _) => of.types.pointer(dwarf, element),
            (false, Some(_)) => {
                let array = of.types.array(dwarf, element, dimensions(unit, v, homes, bounds));
                of.types.behind(dwarf, array);
                array
            }
            // If the variable has no place, its type must not claim that the elements are at the address in it.
            (false, None) => {
                let dims = variable.ty.dims.iter().map(|_| (None, None, None));
                of.types.array(dwarf, element, dims.collect())
            }
        };
        let location = register.map(|at| {
            let mut out = Expression::new();
            out.op_fbreg(at);
            At::Always(out)
        });
        Some((ty, location))
    }

    /// The places in optimized code of a variable without a place of its own.
    fn places(self, of: &mut Variables<'_>, v: Sym) -> Option<At> {
        let Procedure { unit, caller, homes, .. } = self.of;
        let parts = self.bounds.within(unit, v, homes.residence(v)?.clone());
        let Some((here, element)) = homes.here(v) else {
            return Some(At::Parts(
                parts.into_iter().map(|(start, end, spot)| (start, end, spot.expression())).collect(),
            ));
        };
        let is_static = parts.iter().any(|p| p.2 == Spot::Static);
        let whole = if is_static { location(of, caller, homes, *here) } else { None };
        if let Some(subs) = element {
            let subs: Vec<Subscript> = subs.iter().map(|&i| Subscript::At(i)).collect();
            let part = Part::element(caller, *here, &subs)?;
            let all: Vec<_> = parts.into_iter().map(|(start, end, spot)| (start, end, Some(spot))).collect();
            return part.addresses(&all, || whole.clone(), &|v| homes.index(v)).map(At::Parts);
        }
        let expression = |spot: Spot| if spot == Spot::Static { whole.clone() } else { Some(spot.expression()) };
        let parts = parts.into_iter().filter_map(|(start, end, spot)| Some((start, end, expression(spot)?)));
        Some(At::Parts(parts.collect()))
    }

    /// An associate name that stands for a part of an array.
    fn part(self, dwarf: &mut DwarfUnit, of: &mut Variables<'_>, variable: &Variable) -> Described {
        let (unit, homes, code) = (self.of.unit, self.of.homes, self.of.code);
        let part = Part::of(unit, variable)?;
        let array = part.array();
        let element = self.element(dwarf, of, variable, array)?;
        let integer = of.types.base(dwarf, trueline_ir::Type::I8);
        let dims = part.dimensions(dwarf, integer, self.parent, homes, code)?;
        let ty = if dims.is_empty() { element } else { of.types.array(dwarf, element, dims) };
        if !homes.is_optimized() {
            let whole = location(of, unit, homes, array)?;
            return Some((ty, part.address(whole, homes).map(At::Always)));
        }
        let all: Vec<_> = match (homes.residence(array), homes.current(array)) {
            (Some(all), _) => all.iter().map(|(start, end, spot)| (*start, *end, Some(spot.clone()))).collect(),
            (None, Some(Current::Everywhere)) => vec![(0, u32::MAX, None)],
            (None, Some(Current::In(parts))) => parts.iter().map(|&(start, end)| (start, end, None)).collect(),
            (None, None) => Vec::new(),
        };
        let whole = location(of, unit, homes, array);
        let mut found = part.addresses(&all, || whole.clone(), &|v| homes.residence(v)).unwrap_or_default();
        if let [(0, u32::MAX, at)] = found.as_mut_slice() {
            return Some((ty, Some(At::Always(std::mem::replace(at, Expression::new())))));
        }
        found.retain(|f| f.1 < u32::MAX);
        Some((ty, Some(At::Parts(found))))
    }

    /// Any other variable.
    fn direct(self, dwarf: &mut DwarfUnit, of: &mut Variables<'_>, variable: &Variable, v: Sym) -> Described {
        let (unit, homes, bounds) = (self.of.unit, self.of.homes, self.bounds);
        let element = self.element(dwarf, of, variable, v)?;
        let ty = if unit.sym(v).dims.is_empty() {
            element
        } else {
            of.types.array(dwarf, element, dimensions(unit, v, homes, bounds))
        };
        let spare = variable.present.filter(|_| unit.sym(v).dims.is_empty()).and_then(|flag| homes.register(flag));
        let at = match homes.residence(v) {
            Some(_) => self.places(of, v),
            // An absent scalar has spare memory, whose contents mean nothing.
            None if spare.is_some() => location(of, unit, homes, v).zip(spare).map(|(mut at, flag)| {
                unless_zero(&mut at, |e| Place::Frame(flag).push(8, e));
                At::Always(at)
            }),
            None => match (location(of, unit, homes, v), homes.current(v)) {
                (Some(at), Some(Current::Everywhere)) => Some(At::Always(at)),
                (Some(at), Some(Current::In(parts))) => {
                    let parts = parts.iter().map(|&(start, end)| (start, end, at.clone())).collect();
                    Some(At::Parts(bounds.within(unit, v, parts)))
                }
                _ => None,
            },
        };
        Some((ty, at))
    }
}

/// The place of a variable that has one of its own.
fn location(of: &mut Variables<'_>, unit: &Unit, homes: &Homes, v: Sym) -> Option<Expression> {
    let mut out = Expression::new();
    match unit.sym(v).storage {
        Storage::Static { area, offset } => return of.address(&unit.area(area).symbol, offset),
        Storage::Register | Storage::Value { .. } => out.op_fbreg(homes.register(v)?),
        Storage::Frame => out.op_fbreg(homes.memory(v)?),
        Storage::Dummy { .. } => {
            out.op_fbreg(homes.address(v)?);
            out.op(DW_OP_deref);
        }
        Storage::Pointer { base } => {
            out.op_fbreg(homes.register(base)?);
            out.op(DW_OP_deref);
        }
        Storage::Within { root, offset } => {
            let whole = location(of, unit, homes, root)?;
            out = whole;
            out.op_plus_uconst(offset);
        }
    }
    Some(out)
}
