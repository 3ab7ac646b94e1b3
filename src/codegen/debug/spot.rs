//! The places of variables in pieces of machine code, as DWARF expressions.

use gimli::write::Expression;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_ir::Sym;
use trueline_ir::declared::Index;
use trueline_provenance::Chain;

/// A place of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// A register, by its DWARF number.
    Register(u16),
    /// An offset from the canonical frame address.
    Frame(i64),
    /// No place: the bits of a constant.
    Constant(u64),
    /// No place: an integer at `of`, `size` bytes with their sign, times `scale` plus `add`.
    Sum { of: Operand, size: u8, scale: i64, add: i64 },
}

/// The place of an integer that others are computed from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    Register(u16),
    Frame(i64),
}

impl Place {
    /// Says that a value of `size` bytes is there.
    fn describe(self, size: u32, e: &mut Expression) {
        match self {
            Place::Register(r) => e.op_reg(gimli::Register(r)),
            Place::Frame(offset) => e.op_fbreg(offset),
            Place::Constant(bits) => e.op_implicit_value(bits.to_le_bytes()[..size.min(8) as usize].into()),
            Place::Sum { .. } => {
                self.push(size, e);
                e.op(gimli::DW_OP_stack_value);
            }
        }
    }

    /// Pushes the integer that is there, `size` bytes wide.
    pub(crate) fn push(self, size: u32, e: &mut Expression) {
        let is_whole = size >= 8;
        match self {
            Place::Register(r) => e.op_breg(gimli::Register(r), 0),
            Place::Frame(offset) => {
                e.op_fbreg(offset);
                if is_whole { e.op(gimli::DW_OP_deref) } else { e.op_deref_size(size as u8) }
            }
            Place::Constant(bits) => e.op_consts(bits as i64),
            Place::Sum { of, size, scale, add } => {
                match of {
                    Operand::Register(r) => Place::Register(r).push(size.into(), e),
                    Operand::Frame(offset) => Place::Frame(offset).push(size.into(), e),
                }
                if scale != 1 {
                    e.op_consts(scale);
                    e.op(gimli::DW_OP_mul);
                }
                if add != 0 {
                    e.op_consts(add);
                    e.op(gimli::DW_OP_plus);
                }
            }
        }
        if !is_whole {
            for op in [gimli::DW_OP_shl, gimli::DW_OP_shra] {
                e.op_constu(u64::from(64 - 8 * size));
                e.op(op);
            }
        }
    }
}

/// The offset of a part of a variable, its value or the parts of a complex one, and the bytes of each of those.
pub(crate) type Part = (u64, SmallVec<[Place; 2]>, u32);

/// The place of a variable in a piece of code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    /// Its value, or the parts of a complex one, and the bytes of each part.
    Value(SmallVec<[Place; 2]>, u32),
    /// The values of parts that lie one behind the other, not all of them: where each begins, its places, and the bytes of each; then the
    /// size of the whole.
    Parts(Vec<Part>, u64),
    /// Memory at the address in a place.
    Memory(Place),
    /// Memory of an optional argument: its address, the flag, which is 0 if the argument is absent, and the bytes of that. A
    /// debugger is then given address 0, as if the caller had passed that.
    Given(Place, Place, u32),
    /// Memory at an offset from the canonical frame address.
    Slot(i64),
    /// The static memory of the symbol.
    Static,
}

impl Spot {
    /// The DWARF expression for it.
    pub(crate) fn expression(&self) -> Expression {
        let mut e = Expression::new();
        match self {
            Spot::Memory(place) => place.push(8, &mut e),
            Spot::Given(place, flag, size) => {
                place.push(8, &mut e);
                unless_zero(&mut e, |e| flag.push(*size, e));
            }
            Spot::Slot(offset) => e.op_fbreg(*offset),
            // The symbol is known to its unit.
            Spot::Static => {}
            Spot::Value(places, size) => {
                for &place in places {
                    place.describe(*size, &mut e);
                    if places.len() > 1 {
                        e.op_piece(u64::from(*size));
                    }
                }
            }
            Spot::Parts(parts, whole) => {
                let mut end = 0;
                for (at, places, size) in parts {
                    // Nothing is said of the bytes between.
                    if *at > end {
                        e.op_piece(at - end);
                    }
                    for &place in places {
                        place.describe(*size, &mut e);
                        e.op_piece(u64::from(*size));
                    }
                    end = at + u64::from(*size) * places.len() as u64;
                }
                if *whole > end {
                    e.op_piece(whole - end);
                }
            }
        }
        e
    }

    /// The place of a scalar that is one value.
    pub(crate) fn place(&self) -> Option<Place> {
        match self {
            Spot::Value(places, _) if places.len() == 1 => Some(places[0]),
            _ => None,
        }
    }
}

/// Makes the address that was pushed 0 if the flag that `push` pushes is 0.
pub(crate) fn unless_zero(e: &mut Expression, push: impl FnOnce(&mut Expression)) {
    push(e);
    e.op(gimli::DW_OP_lit0);
    e.op(gimli::DW_OP_ne);
    e.op(gimli::DW_OP_mul);
}

/// Pieces of code, with the place of a variable in each.
pub(crate) type Residence = Vec<(u32, u32, Spot)>;

/// The code in which a variable in static memory or in the frame is current.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Current {
    Everywhere,
    In(Vec<(u32, u32)>),
}

/// The places of the variables of a unit in its machine code.
#[derive(Default)]
pub(crate) struct Residences {
    /// The locations of registers, of dummy arguments and of variables that are reached through a register.
    pub(crate) places: FxHashMap<Sym, Residence>,
    /// The locations of variables that have a place anyway.
    pub(crate) current: FxHashMap<Sym, Current>,
    /// The symbols of the unit that stand for the variables of an inlined procedure, and the elements that these are.
    pub(crate) here: FxHashMap<Sym, (Sym, Option<Vec<Index>>)>,
    /// The registers that hold the indices of these elements.
    pub(crate) indexes: FxHashMap<Sym, Residence>,
    /// The procedures that were inlined, by the calls.
    pub(crate) inlined: Vec<(Chain, Residences)>,
}

impl Current {
    /// The pieces of code, of that size in all, in which the variable is current.
    pub(crate) fn parts(&self, size: u32) -> Vec<(u32, u32)> {
        match self {
            Current::Everywhere => vec![(0, size)],
            Current::In(parts) => parts.clone(),
        }
    }
}

/// The memory that a register with the address `all` describes; for a pointer to a scalar, the address itself.
pub(crate) fn behind(all: Residence, is_address: bool) -> Residence {
    let spot = |(start, end, spot): (u32, u32, Spot)| {
        let place = spot.place()?;
        Some((start, end, if is_address { spot } else { Spot::Memory(place) }))
    };
    all.into_iter().filter_map(spot).collect()
}

/// The pieces of `all` that lie in `parts`; both are in the order of addresses.
pub(crate) fn within<T: Clone>(all: &[(u32, u32, T)], parts: &[(u32, u32)]) -> Vec<(u32, u32, T)> {
    let mut out = Vec::new();
    for (start, end, of) in all {
        let from = parts.partition_point(|p| p.1 <= *start);
        for &(a, b) in parts[from..].iter().take_while(|p| p.0 < *end) {
            out.push((a.max(*start), b.min(*end), of.clone()));
        }
    }
    out
}

/// Adds a range, as part of the one before if that goes on.
pub(crate) fn add(residence: &mut Residence, start: u32, end: u32, spot: Spot) {
    match residence.last_mut() {
        Some(last) if last.1 == start && last.2 == spot => last.1 = end,
        _ => residence.push((start, end, spot)),
    }
}
