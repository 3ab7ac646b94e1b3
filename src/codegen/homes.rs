//! The places of the variables of a procedure on the stack: in code that is not optimized, of all of them.

use crate::debug::spot::{Current, Residence, Residences};
use cranelift_codegen::MachBufferFrameLayout;
use cranelift_codegen::ir::StackSlot;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::declared::{Home, Index};
use trueline_ir::{Storage, Sym, Unit};
use trueline_provenance::Chain;

/// The bytes between the frame pointer and the canonical frame address: the caller's frame pointer and the return address.
const BEFORE_FRAME: i64 = 16;

/// The slots of a function as it is translated.
#[derive(Clone, Default)]
pub(crate) struct Slots {
    /// A register.
    pub(crate) registers: FxHashMap<Sym, StackSlot>,
    /// A variable in memory.
    pub(crate) memory: FxHashMap<Sym, StackSlot>,
    /// The address of a dummy argument.
    pub(crate) addresses: FxHashMap<Sym, StackSlot>,
    /// The numbers of a nest, for the functions that count its trips.
    pub(crate) nest: Option<StackSlot>,
}

/// The same as offsets from the canonical frame address.
#[derive(Default)]
pub(crate) struct Homes {
    registers: FxHashMap<Sym, i64>,
    memory: FxHashMap<Sym, i64>,
    addresses: FxHashMap<Sym, i64>,
    /// The places of registers in optimized code; those on the stack are not always current.
    residences: Option<Residences>,
}

/// The offset of a variable in memory in the frame.
pub(crate) fn offset(slots: &Slots, layout: Option<&MachBufferFrameLayout>, v: Sym) -> Option<i64> {
    let layout = layout?;
    let offset = i64::from(layout.stackslots[*slots.memory.get(&v)?].offset);
    Some(offset - i64::from(layout.frame_to_fp_offset) - BEFORE_FRAME)
}

impl Homes {
    /// The places of the variables of an inlined procedure.
    pub(crate) fn of_inlined(residences: Residences) -> Homes {
        Homes { residences: Some(residences), ..Homes::default() }
    }

    /// The procedures that were inlined, taken out.
    pub(crate) fn take_inlined(&mut self) -> Vec<(Chain, Residences)> {
        self.residences.as_mut().map_or_else(Vec::new, |r| std::mem::take(&mut r.inlined))
    }

    /// The symbol of the unit that stands for the variable of an inlined procedure, and the element.
    pub(crate) fn here(&self, v: Sym) -> Option<&(Sym, Option<Vec<Index>>)> {
        self.residences.as_ref()?.here.get(&v)
    }

    /// The place of a register that is the index of an element.
    pub(crate) fn index(&self, register: Sym) -> Option<&Residence> {
        self.residences.as_ref()?.indexes.get(&register)
    }

    /// The homes in the frame as it was laid out, and for optimized code the residences of registers.
    pub(crate) fn of(slots: &Slots, layout: Option<&MachBufferFrameLayout>, residences: Option<Residences>) -> Homes {
        let Some(layout) = layout else { return Homes { residences, ..Homes::default() } };
        let place = |(&v, &slot): (&Sym, &StackSlot)| {
            let offset = i64::from(layout.stackslots[slot].offset);
            (v, offset - i64::from(layout.frame_to_fp_offset) - BEFORE_FRAME)
        };
        Homes {
            registers: slots.registers.iter().map(place).collect(),
            memory: slots.memory.iter().map(place).collect(),
            addresses: slots.addresses.iter().map(place).collect(),
            residences,
        }
    }

    /// Whether the code is optimized, so that a variable may have no place.
    pub(crate) fn is_optimized(&self) -> bool {
        self.residences.is_some()
    }

    /// The place of the value of a register.
    pub(crate) fn register(&self, v: Sym) -> Option<i64> {
        self.registers.get(&v).copied().filter(|_| self.residences.is_none())
    }

    /// The places of a register or dummy argument of optimized code.
    pub(crate) fn residence(&self, v: Sym) -> Option<&Residence> {
        self.residences.as_ref()?.places.get(&v)
    }

    /// The parts of the code where a variable in static memory or in the frame is current; none if that is not known.
    pub(crate) fn current(&self, v: Sym) -> Option<&Current> {
        match &self.residences {
            None => Some(&Current::Everywhere),
            Some(known) => known.current.get(&v),
        }
    }

    /// The place of a variable that lives in the frame.
    pub(crate) fn memory(&self, v: Sym) -> Option<i64> {
        self.memory.get(&v).copied()
    }

    /// The place of the address of a dummy argument.
    pub(crate) fn address(&self, v: Sym) -> Option<i64> {
        self.addresses.get(&v).copied()
    }
}

/// The registers that have a home in code that is not optimized: variables of the source, and the registers that
/// describe the place and size of others.
pub(crate) fn homed(unit: &Unit) -> FxHashSet<Sym> {
    let mut out: FxHashSet<Sym> = unit.result().into_iter().collect();
    for (v, data) in unit.syms().filter(|(_, data)| data.from_source) {
        if data.is_register() {
            out.insert(v);
        }
        if let Storage::Pointer { base } = data.storage {
            out.insert(base);
        }
        unit.located_by(v, |e| out.extend(unit.registers_in(e)));
    }
    // Associate names stand for values in registers, and for parts of arrays at places in registers.
    for variable in &unit.declared().variables {
        out.extend(variable.home.registers());
        out.extend(variable.present);
        if let Home::Sym(v) = variable.home {
            out.extend(Some(v).filter(|&v| unit.sym(v).is_register()));
            unit.located_by(v, |e| out.extend(unit.registers_in(e)));
        }
    }
    out
}
