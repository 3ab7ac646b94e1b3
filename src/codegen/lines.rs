//! The source statement that each instruction belongs to, and the line table.
//!
//! A set may have several members. A statement that encloses other members is there only because they left it, so it
//! does not count. If the instruction before belongs to one of the others, this one does too; else the first in source
//! order is taken.
//!
//! A debugger stops where a row says `is_stmt`: at the first instruction of a line that is not there because the
//! optimizer moved it (see [`crate::locate`]).

use crate::debug::Lines;
use crate::debug::currency::root;
use crate::locate::{END, ENTRY, PLACED, set_of};
use gimli::write::{Address, LineProgram};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::Unit;
use trueline_provenance::{Chain, Origin, SetId, StmtInfos, StmtKind};

/// A place in the source: file index and line.
pub(crate) type At = (u32, u32);

/// The owner of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// The entry of the procedure.
    Entry,
    /// A statement.
    Stmt(Origin),
    /// The END statement of the procedure.
    End,
}

/// A piece of code of one owner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Offset of its first byte.
    pub(crate) start: u32,
    /// Offset behind its last byte.
    pub(crate) end: u32,
    /// Its owner.
    pub(crate) owner: Owner,
    /// Whether the optimizer moved it away from its statement.
    pub(crate) is_placed: bool,
}

/// The pieces of the code of a procedure, without gaps, in the order of addresses.
pub(crate) fn pieces(unit: &Unit, infos: &StmtInfos, size: u32, locations: &[(u32, u32, u32)]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for (piece, _) in pieces_of_sets(unit, infos, size, locations) {
        match out.last_mut() {
            Some(last) if (last.owner, last.is_placed) == (piece.owner, piece.is_placed) => last.end = piece.end,
            _ => out.push(piece),
        }
    }
    out
}

/// The same, each with the set of its instructions.
pub(crate) fn pieces_of_sets(
    unit: &Unit,
    infos: &StmtInfos,
    size: u32,
    locations: &[(u32, u32, u32)],
) -> Vec<(Piece, Option<SetId>)> {
    let mut members: FxHashMap<SetId, Vec<Origin>> = FxHashMap::default();
    let mut out = vec![(Piece { start: 0, end: size, owner: Owner::Entry, is_placed: false }, None)];
    let mut last = Owner::Entry;
    for &(start, _, location) in locations {
        let (owner, set) = match location & !PLACED {
            ENTRY => (Owner::Entry, None),
            END => (Owner::End, None),
            _ => {
                let Some(set) = set_of(unit, location) else { continue };
                let members = members.entry(set).or_insert_with(|| innermost(unit, set, infos));
                let owner = match (last, members.first()) {
                    (Owner::Stmt(s), _) if members.contains(&s) => last,
                    (_, Some(&first)) => Owner::Stmt(first),
                    (_, None) => continue,
                };
                (owner, Some(set))
            }
        };
        let piece = Piece { start, end: size, owner, is_placed: location & PLACED != 0 };
        last = owner;
        let Some((before, of)) = out.last_mut() else { continue };
        if (before.owner, before.is_placed, *of) == (piece.owner, piece.is_placed, set) {
            continue;
        }
        before.end = start;
        if before.start == before.end {
            out.pop();
        }
        out.push((piece, set));
    }
    keep_beginnings(unit, infos, &mut out);
    begin_each_line(unit, infos, &mut out);
    out
}

/// Lets a line whose code is all somewhere else begin at the first piece of it.
fn begin_each_line(unit: &Unit, infos: &StmtInfos, pieces: &mut [(Piece, Option<SetId>)]) {
    let begun: FxHashSet<At> =
        pieces.iter().filter(|(p, _)| !p.is_placed).map(|(p, _)| line(unit, infos, p.owner)).collect();
    let mut seen: FxHashSet<At> = FxHashSet::default();
    for (piece, _) in pieces.iter_mut().filter(|(p, _)| p.is_placed) {
        let at = line(unit, infos, piece.owner);
        if !begun.contains(&at) && seen.insert(at) {
            piece.is_placed = false;
        }
    }
}

/// Lets a statement begin in the constructs that it stands in, if some of its code is still there: code that left them
/// has their sets.
fn keep_beginnings(unit: &Unit, infos: &StmtInfos, pieces: &mut [(Piece, Option<SetId>)]) {
    let mut left: FxHashMap<(SetId, Origin), bool> = FxHashMap::default();
    let mut at_home: FxHashSet<Origin> = FxHashSet::default();
    for (piece, set) in pieces.iter() {
        let (Owner::Stmt(o), Some(set)) = (piece.owner, *set) else { continue };
        let has_left = *left.entry((set, o)).or_insert_with(|| {
            let atoms = unit.sets().atoms(set);
            // Code with the procedure in its set is shared with the declarations, and stands at the entry.
            let shares = || unit.sets().around(infos, o).any(|c| atoms.contains(&c));
            atoms.len() > 1 && (shares() || atoms.iter().any(|&test| is_behind(unit, infos, o, test)))
        });
        if !has_left && !piece.is_placed {
            at_home.insert(o);
        }
    }
    for (piece, set) in pieces.iter_mut() {
        let (Owner::Stmt(o), Some(set)) = (piece.owner, *set) else { continue };
        piece.is_placed |= at_home.contains(&o) && left.get(&(set, o)) == Some(&true);
    }
}

/// The members of a set that code of simple statements belongs to: all but loops and conditionals, if there are any such members.
///
/// A loop or conditional that is in the set of a simple statement is around it, or its head was: of a conditional that was moved out of a
/// loop and decided there, all of the loop's statements have the set. Loops and conditionals in procedures that simple members call stay.
pub(crate) fn owners(unit: &Unit, set: SetId, infos: &StmtInfos) -> Vec<Origin> {
    let known = |o: &Origin| infos.stmts.get(o.stmt).map(|i| i.kind);
    let is_simple = |o: &Origin| known(o).is_some_and(|k| !k.is_loop() && !k.is_conditional() && !k.is_procedure());
    let sets = unit.sets();
    let all: Vec<Origin> = sets.atoms(set).iter().copied().filter(|o| known(o).is_some()).collect();
    if all.len() < 2 || !all.iter().any(is_simple) {
        return all;
    }
    let is_called =
        |o: &Origin| sets.around(infos, *o).any(|a| is_simple(&a) && sets.atoms(set).binary_search(&a).is_ok());
    all.iter().copied().filter(|o| is_simple(o) || is_called(o)).collect()
}

/// The owners of a set that enclose no other owner. An ELSE IF encloses all behind it in its construct.
pub(crate) fn innermost(unit: &Unit, set: SetId, infos: &StmtInfos) -> Vec<Origin> {
    let sets = unit.sets();
    let known = owners(unit, set, infos);
    if known.len() < 2 {
        return known;
    }
    let around: FxHashSet<Origin> = known.iter().flat_map(|&o| sets.around(infos, o)).collect();
    let encloses = |o: Origin| {
        around.contains(&o) || (is_else_if(infos, o) && known.iter().any(|&other| is_behind(unit, infos, other, o)))
    };
    known.iter().copied().filter(|&o| !encloses(o)).collect()
}

/// Whether `o` stands behind the ELSE IF `test` in its construct.
fn is_behind(unit: &Unit, infos: &StmtInfos, o: Origin, test: Origin) -> bool {
    let sets = unit.sets();
    o != test
        && o.via == test.via
        && test.stmt < o.stmt
        && is_else_if(infos, test)
        && sets.around(infos, test).next().is_some_and(|construct| sets.around(infos, o).any(|a| a == construct))
}

/// Whether `o` is an ELSE IF: a set of thousands of members has few of these, so they are looked for first.
fn is_else_if(infos: &StmtInfos, o: Origin) -> bool {
    infos.stmts.get(o.stmt).is_some_and(|i| i.kind == StmtKind::ElseIf)
}

/// The line of an owner of code of `unit`.
pub(crate) fn line(unit: &Unit, infos: &StmtInfos, owner: Owner) -> At {
    let of_unit = infos.stmts.get(unit.serial());
    match owner {
        Owner::Entry => of_unit.map_or((0, 0), |i| (i.file, i.line)),
        Owner::End => of_unit.map_or((0, 0), |i| (i.file, i.end_line)),
        Owner::Stmt(o) => infos.stmts.get(o.stmt).map_or((0, 0), |i| (i.file, i.line)),
    }
}

/// The code of the statements from one line to another, of the procedure that was inlined by the calls `via`.
pub(crate) fn pieces_of_lines(
    unit: &Unit,
    infos: &StmtInfos,
    pieces: &[Piece],
    via: Chain,
    (first, last): (u32, u32),
) -> Vec<(u32, u32)> {
    let mut out: Vec<(u32, u32)> = Vec::new();
    for piece in pieces {
        let Owner::Stmt(o) = piece.owner else { continue };
        let Some(info) = root(unit, o, via).and_then(|s| infos.stmts.get(s)) else { continue };
        if !(first..=last).contains(&info.line) {
            continue;
        }
        match out.last_mut() {
            Some(before) if before.1 == piece.start => before.1 = piece.end,
            _ => out.push((piece.start, piece.end)),
        }
    }
    out
}

/// A row of the line table.
pub(crate) struct Row {
    /// Bytes behind the beginning of the code; the first row of a procedure is for all that is before, too.
    pub(crate) offset: u32,
    pub(crate) at: At,
    /// Whether a debugger may stop there.
    pub(crate) is_stmt: bool,
    /// Whether the first statement begins.
    pub(crate) ends_prologue: bool,
}

/// The rows of a procedure.
pub(crate) fn rows(lines: &Lines<'_>, infos: &StmtInfos) -> Vec<Row> {
    let mut out: Vec<Row> = Vec::new();
    let mut is_entered = false;
    for piece in &lines.pieces {
        let at = line(lines.unit, infos, piece.owner);
        if at.0 as usize >= infos.files.len() {
            continue;
        }
        let is_stmt = !piece.is_placed;
        // A line goes on after its statement has begun.
        if out.last().is_some_and(|before| before.at == at && (before.is_stmt || !is_stmt)) {
            continue;
        }
        let ends_prologue = is_stmt && piece.owner != Owner::Entry && !std::mem::replace(&mut is_entered, true);
        out.push(Row { offset: piece.start, at, is_stmt, ends_prologue });
    }
    out
}

/// Adds the rows of a procedure, whose symbol has that number.
pub(crate) fn add_rows(
    program: &mut LineProgram,
    files: &[gimli::write::FileId],
    symbol: usize,
    lines: &Lines<'_>,
    infos: &StmtInfos,
) {
    // Counting code that some callers pass by has the line of the entry, and gets no breakpoint.
    let passed = if lines.is_part { 0 } else { lines.entry };
    program.begin_sequence(Some(Address::Symbol { symbol, addend: 0 }));
    for (k, of) in rows(lines, infos).into_iter().enumerate() {
        let Some(&file) = files.get(of.at.0 as usize) else { continue };
        if k == 0 && passed > 0 {
            let row = program.row();
            (row.address_offset, row.file, row.line) = (0, file, u64::from(of.at.1));
            (row.is_statement, row.prologue_end) = (false, false);
            program.generate_row();
        }
        let row = program.row();
        row.address_offset = passed + if k == 0 { 0 } else { lines.before() + u64::from(of.offset) };
        row.file = file;
        row.line = u64::from(of.at.1);
        row.is_statement = of.is_stmt;
        row.prologue_end = of.ends_prologue;
        program.generate_row();
    }
    program.end_sequence(passed + lines.len());
}
