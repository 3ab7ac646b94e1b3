//! Frames of procedures that were inlined: `DW_TAG_inlined_subroutine`, nested as the calls were.

use crate::debug::blocks::Blocks;
use crate::debug::code::{Code, Files};
use crate::lines::{Owner, Piece};
use gimli::write::{AttributeValue, DwarfUnit, RangeList, UnitEntryId};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_ir::Unit;
use trueline_provenance::{Origin, Serial, StmtInfos};

/// A procedure that was inlined, and the statement that called it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Call {
    pub(crate) site: Serial,
    pub(crate) procedure: Serial,
}

/// The calls by which a statement came into `unit`, outermost first; none if it is its own.
fn chain(unit: &Unit, infos: &StmtInfos, origin: Origin) -> Vec<Call> {
    let sets = unit.sets();
    let mut out = Vec::new();
    let mut at = origin;
    while let Some(site) = sets.site(at.via) {
        let Some(procedure) = infos.procedure(at.stmt) else { break };
        out.push(Call { site: site.stmt, procedure });
        at = site;
    }
    out.reverse();
    out
}

/// An inlined frame: its code, and the frames in it.
#[derive(Default)]
pub(crate) struct Frame {
    ranges: Vec<(u32, u32)>,
    inner: IndexMap<(Serial, Serial), Frame>,
}

impl Frame {
    /// The frames of a procedure, as the inner ones of one for the procedure itself.
    pub(crate) fn of(unit: &Unit, pieces: &[Piece], infos: &StmtInfos) -> Frame {
        let mut chains: FxHashMap<Origin, Vec<Call>> = FxHashMap::default();
        let mut out = Frame::default();
        for piece in pieces {
            let Owner::Stmt(o) = piece.owner else { continue };
            let chain = chains.entry(o).or_insert_with(|| chain(unit, infos, o));
            let mut at = &mut out;
            for call in chain {
                at = at.inner.entry((call.site, call.procedure)).or_default();
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
            out.extend(frame.inner.keys().map(|k| k.1));
            todo.extend(frame.inner.values());
        }
    }
}

/// Describes the frames in `frame` as children of `parent`, whose code that is.
pub(crate) fn describe(
    dwarf: &mut DwarfUnit,
    parent: UnitEntryId,
    frame: &Frame,
    (code, blocks): (Code, &Blocks),
    of: &Origins<'_>,
) {
    let mut todo: Vec<(UnitEntryId, &Frame, Option<&Blocks>)> = vec![(parent, frame, Some(blocks))];
    while let Some((parent, frame, blocks)) = todo.pop() {
        for (&(site, procedure), inner) in &frame.inner {
            let Some(&origin) = of.entries.get(&procedure) else { continue };
            let line = of.infos.stmts.get(site).map_or(0, |i| i.line);
            let parent = blocks.and_then(|b| b.around((line, line))).unwrap_or(parent);
            let id = dwarf.unit.add(parent, gimli::DW_TAG_inlined_subroutine);
            let ranges = inner.ranges.iter().map(|&(a, b)| code.range(a, b));
            let ranges = dwarf.unit.ranges.add(RangeList(ranges.collect()));
            let entry = dwarf.unit.get_mut(id);
            entry.set(gimli::DW_AT_abstract_origin, AttributeValue::UnitRef(origin));
            entry.set(gimli::DW_AT_ranges, AttributeValue::RangeListRef(ranges));
            if let Some(&(first, _)) = inner.ranges.first() {
                entry.set(gimli::DW_AT_entry_pc, AttributeValue::Address(code.at(first)));
            }
            if let Some(info) = of.infos.stmts.get(site) {
                entry.set(gimli::DW_AT_call_file, of.files.attribute(info.file));
                entry.set(gimli::DW_AT_call_line, AttributeValue::Udata(u64::from(info.line)));
                entry.set(gimli::DW_AT_call_column, AttributeValue::Udata(u64::from(info.column)));
            }
            todo.push((id, inner, None));
        }
    }
}

/// The entries of procedures that were inlined, which their frames refer to.
pub(crate) struct Origins<'a> {
    pub(crate) entries: &'a IndexMap<Serial, UnitEntryId>,
    pub(crate) infos: &'a StmtInfos,
    pub(crate) files: &'a Files,
}
