//! Frames of procedures that were inlined: `DW_TAG_inlined_subroutine`, nested as the calls were.

use crate::lines::{Owner, Piece};
use gimli::write::{Address, AttributeValue, DwarfUnit, FileId, Range, RangeList, UnitEntryId};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_ir::{Callee, Head, Unit, Why};
use trueline_provenance::{Serial, StmtInfos};

/// How deep inlined frames nest at most: a circle of procedures cannot be followed further.
const DEEPEST: usize = 32;

/// A procedure that was inlined, and the statement that called it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Call {
    pub(crate) site: Serial,
    pub(crate) procedure: Serial,
}

/// The calls that were inlined, of each procedure.
pub(crate) struct Calls<'a> {
    infos: &'a StmtInfos,
    by_caller: FxHashMap<Serial, Vec<Call>>,
}

impl<'a> Calls<'a> {
    /// Reads the edit logs.
    pub(crate) fn of(units: &[Unit], infos: &'a StmtInfos) -> Calls<'a> {
        let serials: FxHashMap<&str, Serial> = units.iter().map(|u| (u.symbol(), u.serial())).collect();
        let mut by_caller: FxHashMap<Serial, Vec<Call>> = FxHashMap::default();
        for unit in units {
            for edit in unit.log().edits.iter().filter(|e| e.why == Some(Why::Inlined)) {
                let Head::Call { callee: Callee::Proc(p), .. } = unit.head(edit.stmt) else { continue };
                let Some(&procedure) = serials.get(unit.proc(p).symbol.as_str()) else { continue };
                let Some(&site) = unit.sets().atoms(edit.before).first() else { continue };
                let calls = by_caller.entry(unit.serial()).or_default();
                if !calls.iter().any(|c| c.procedure == procedure) {
                    calls.push(Call { site, procedure });
                }
            }
        }
        Calls { infos, by_caller }
    }

    /// The calls by which a statement came into the unit that is `unit`, outermost first; none if it is its own.
    pub(crate) fn chain(&self, unit: Serial, statement: Serial) -> Vec<Call> {
        let Some(home) = self.infos.procedure(statement).filter(|&home| home != unit) else { return Vec::new() };
        self.find(unit, home, DEEPEST).unwrap_or_default()
    }

    /// The calls that lead from a procedure to one that was inlined into it.
    fn find(&self, unit: Serial, home: Serial, deepest: usize) -> Option<Vec<Call>> {
        let calls = self.by_caller.get(&unit)?;
        if let Some(&call) = calls.iter().find(|c| c.procedure == home) {
            // The call may have come in with another procedure.
            let mut chain = match self.infos.procedure(call.site) {
                Some(caller) if caller != unit && deepest > 0 => self.find(unit, caller, deepest - 1)?,
                _ => Vec::new(),
            };
            chain.push(call);
            return Some(chain);
        }
        let deeper = deepest.checked_sub(1)?;
        calls.iter().find_map(|&call| {
            let mut chain = vec![call];
            chain.extend(self.find(call.procedure, home, deeper)?);
            Some(chain)
        })
    }
}

/// An inlined frame: its code, and the frames in it.
#[derive(Default)]
pub(crate) struct Frame {
    ranges: Vec<(u32, u32)>,
    inner: IndexMap<(Serial, Serial), Frame>,
}

impl Frame {
    /// The frames of a procedure, as the inner ones of one for the procedure itself.
    pub(crate) fn of(unit: &Unit, pieces: &[Piece], calls: &Calls<'_>) -> Frame {
        let mut chains: FxHashMap<Serial, Vec<Call>> = FxHashMap::default();
        let mut out = Frame::default();
        for piece in pieces {
            let Owner::Stmt(s) = piece.owner else { continue };
            let chain = chains.entry(s).or_insert_with(|| calls.chain(unit.serial(), s));
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

/// Describes the frames in `frame` as children of `parent`, whose code begins at `start`.
pub(crate) fn describe(
    dwarf: &mut DwarfUnit,
    parent: UnitEntryId,
    frame: &Frame,
    start: &dyn Fn(u32) -> Address,
    of: &Origins<'_>,
) {
    let mut todo: Vec<(UnitEntryId, &Frame)> = vec![(parent, frame)];
    while let Some((parent, frame)) = todo.pop() {
        for (&(site, procedure), inner) in &frame.inner {
            let Some(&origin) = of.entries.get(&procedure) else { continue };
            let id = dwarf.unit.add(parent, gimli::DW_TAG_inlined_subroutine);
            let ranges =
                inner.ranges.iter().map(|&(a, b)| Range::StartLength { begin: start(a), length: u64::from(b - a) });
            let ranges = dwarf.unit.ranges.add(RangeList(ranges.collect()));
            let entry = dwarf.unit.get_mut(id);
            entry.set(gimli::DW_AT_abstract_origin, AttributeValue::UnitRef(origin));
            entry.set(gimli::DW_AT_ranges, AttributeValue::RangeListRef(ranges));
            if let Some(&(first, _)) = inner.ranges.first() {
                entry.set(gimli::DW_AT_entry_pc, AttributeValue::Address(start(first)));
            }
            if let Some(info) = of.infos.stmts.get(site) {
                entry.set(gimli::DW_AT_call_file, AttributeValue::FileIndex(of.files.get(info.file as usize).copied()));
                entry.set(gimli::DW_AT_call_line, AttributeValue::Udata(u64::from(info.line)));
                entry.set(gimli::DW_AT_call_column, AttributeValue::Udata(u64::from(info.column)));
            }
            todo.push((id, inner));
        }
    }
}

/// The entries of procedures that were inlined, which their frames refer to.
pub(crate) struct Origins<'a> {
    pub(crate) entries: &'a IndexMap<Serial, UnitEntryId>,
    pub(crate) infos: &'a StmtInfos,
    pub(crate) files: &'a [FileId],
}
