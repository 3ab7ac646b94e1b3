//! Constructs with names of their own, BLOCK and ASSOCIATE, as `DW_TAG_lexical_block`.

use crate::debug::code::Code;
use gimli::write::{AttributeValue, DwarfUnit, RangeList, UnitEntryId};
use trueline_ir::Unit;

/// The first and last line of a construct.
pub(crate) type Extent = (u32, u32);

/// The constructs of a procedure, each after those around it.
#[derive(Clone, Default)]
pub(crate) struct Blocks(Vec<(Extent, UnitEntryId)>);

impl Blocks {
    /// Describes the constructs of `unit` that have code in `pieces`, inside `parent`. `origins` are their entries in
    /// the abstract procedure.
    pub(crate) fn describe(
        dwarf: &mut DwarfUnit,
        parent: UnitEntryId,
        unit: &Unit,
        code: Code,
        pieces: &dyn Fn(Extent) -> Vec<(u32, u32)>,
        origins: Option<&Blocks>,
    ) -> Blocks {
        let mut out = Blocks::default();
        for extent in extents(unit) {
            let pieces = pieces(extent);
            if pieces.is_empty() {
                continue;
            }
            let id = out.add(dwarf, parent, extent);
            let ranges = pieces.into_iter().map(|(from, to)| code.range(from, to));
            let ranges = dwarf.unit.ranges.add(RangeList(ranges.collect()));
            let entry = dwarf.unit.get_mut(id);
            entry.set(gimli::DW_AT_ranges, AttributeValue::RangeListRef(ranges));
            if let Some(origin) = origins.and_then(|o| o.get(extent)) {
                entry.set(gimli::DW_AT_abstract_origin, AttributeValue::UnitRef(origin));
            }
        }
        out
    }

    /// Adds the entry of a construct.
    pub(crate) fn add(&mut self, dwarf: &mut DwarfUnit, parent: UnitEntryId, extent: Extent) -> UnitEntryId {
        let id = dwarf.unit.add(self.around(extent).unwrap_or(parent), gimli::DW_TAG_lexical_block);
        self.0.push((extent, id));
        id
    }

    /// The entry of a construct.
    pub(crate) fn get(&self, extent: Extent) -> Option<UnitEntryId> {
        self.0.iter().find(|b| b.0 == extent).map(|b| b.1)
    }

    /// The innermost construct that has these lines.
    pub(crate) fn around(&self, (first, last): Extent) -> Option<UnitEntryId> {
        let inside = |b: &&(Extent, UnitEntryId)| b.0.0 <= first && last <= b.0.1;
        self.0.iter().rfind(inside).map(|b| b.1)
    }
}

/// The constructs with names of their own, each after those around it.
pub(crate) fn extents(unit: &Unit) -> Vec<Extent> {
    let mut out: Vec<Extent> = unit.declared().variables.iter().filter_map(|v| v.lines).collect();
    out.sort_unstable_by_key(|&(first, last)| (first, std::cmp::Reverse(last)));
    out.dedup();
    out
}
