//! Frames of procedures that were inlined: `DW_TAG_inlined_subroutine`, nested as the calls were.

use crate::debug::blocks::Blocks;
use crate::debug::code::Files;
use crate::debug::variables::{Abstract, Procedure, Variables, describe_variables};
use crate::homes::Homes;
use crate::lines::{Owner, Piece};
use gimli::write::{AttributeValue, DwarfUnit, RangeList, UnitEntryId};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_ir::Unit;
use trueline_provenance::{Chain, Origin, Serial, StmtInfos};

/// A procedure that was inlined, and the statement that called it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Call {
    pub(crate) site: Serial,
    pub(crate) procedure: Serial,
    /// This call and the calls that its procedure was inlined by.
    pub(crate) via: Chain,
}

/// The calls by which a statement came into `unit`, outermost first; none if it is its own.
fn chain(unit: &Unit, infos: &StmtInfos, origin: Origin) -> Vec<Call> {
    let sets = unit.sets();
    let mut out = Vec::new();
    let mut at = origin;
    while let Some(site) = sets.site(at.via) {
        let Some(procedure) = infos.procedure(at.stmt) else { break };
        out.push(Call { site: site.stmt, procedure, via: at.via });
        at = site;
    }
    out.reverse();
    out
}

/// An inlined frame: its code, and the frames in it.
#[derive(Default)]
pub(crate) struct Frame {
    ranges: Vec<(u32, u32)>,
    inner: IndexMap<Call, Frame>,
}

impl Frame {
    /// The frames of a procedure, as the inner frames of one for the procedure itself.
    pub(crate) fn of(unit: &Unit, pieces: &[Piece], infos: &StmtInfos) -> Frame {
        let mut chains: FxHashMap<Origin, Vec<Call>> = FxHashMap::default();
        let mut out = Frame::default();
        for piece in pieces {
            let Owner::Stmt(o) = piece.owner else { continue };
            let chain = chains.entry(o).or_insert_with(|| chain(unit, infos, o));
            let mut at = &mut out;
            for call in chain {
                at = at.inner.entry(*call).or_default();
                match at.ranges.last_mut() {
                    Some(last) if last.1 == piece.start => last.1 = piece.end,
                    _ => at.ranges.push((piece.start, piece.end)),
                }
            }
        }
        out
    }

    /// The procedures of the frames.
    pub(crate) fn procedures(&self, out: &mut Vec<Serial>) {
        let mut todo: SmallVec<[&Frame; 8]> = SmallVec::from_elem(self, 1);
        while let Some(frame) = todo.pop() {
            out.extend(frame.inner.keys().map(|c| c.procedure));
            todo.extend(frame.inner.values());
        }
    }
}

/// Describes the frames in `frame` as children of `parent`, the entry of the procedure `within`.
pub(crate) fn describe(
    dwarf: &mut DwarfUnit,
    variables: &mut Variables<'_>,
    parent: UnitEntryId,
    frame: &Frame,
    within: Procedure<'_>,
    of: &Origins<'_>,
) {
    let caller = within.caller;
    let outermost = within.blocks.clone();
    let mut todo: Vec<(UnitEntryId, &Frame, Blocks)> = vec![(parent, frame, outermost)];
    while let Some((parent, frame, blocks)) = todo.pop() {
        for (call, inner) in &frame.inner {
            let Some(origin) = of.entries.get(&call.procedure) else { continue };
            let line = of.infos.stmts.get(call.site).map_or(0, |i| i.line);
            let parent = blocks.around((line, line)).unwrap_or(parent);
            let id = dwarf.unit.add(parent, gimli::DW_TAG_inlined_subroutine);
            let ranges = inner.ranges.iter().map(|&(a, b)| within.code.range(a, b));
            let ranges = dwarf.unit.ranges.add(RangeList(ranges.collect()));
            let entry = dwarf.unit.get_mut(id);
            entry.set(gimli::DW_AT_abstract_origin, AttributeValue::UnitRef(origin.entry));
            entry.set(gimli::DW_AT_ranges, AttributeValue::RangeListRef(ranges));
            if let Some(&(first, _)) = inner.ranges.first() {
                entry.set(gimli::DW_AT_entry_pc, AttributeValue::Address(within.code.at(first)));
            }
            if let Some(info) = of.infos.stmts.get(call.site) {
                entry.set(gimli::DW_AT_call_file, of.files.attribute(info.file));
                entry.set(gimli::DW_AT_call_line, AttributeValue::Udata(u64::from(info.line)));
                entry.set(gimli::DW_AT_call_column, AttributeValue::Udata(u64::from(info.column)));
            }
            let mut own = Blocks::default();
            if let (Some(unit), Some(homes)) = (of.units.get(&call.procedure), of.homes.get(&call.via)) {
                let pieces = |extent| crate::lines::pieces_of_lines(caller, of.infos, of.pieces, call.via, extent);
                own = Blocks::describe(dwarf, id, unit, within.code, &pieces, Some(&origin.blocks));
                let procedure = Procedure { unit, homes, blocks: &own, origin: Some(origin), ..within };
                describe_variables(dwarf, variables, id, procedure);
            }
            todo.push((id, inner, own));
        }
    }
}

/// The procedures that were inlined into one.
pub(crate) struct Origins<'a> {
    /// The entries that their frames refer to.
    pub(crate) entries: &'a IndexMap<Serial, Abstract>,
    pub(crate) units: &'a FxHashMap<Serial, &'a Unit>,
    /// The places of their variables, by the calls that they were inlined by.
    pub(crate) homes: &'a FxHashMap<Chain, Homes>,
    pub(crate) pieces: &'a [Piece],
    pub(crate) infos: &'a StmtInfos,
    pub(crate) files: &'a Files,
}
