//! Currency: whether a variable of the optimized code has the value that it has in the source.
//!
//! A debugger that stops at a statement shows the variables as they are before it. In optimized code a register may be
//! behind the source (an assignment was eliminated, or stands further down) or ahead of it. So the definitions that
//! reach a statement are computed twice: in the source, lowered without any optimization ([`Reaching::of`]), and in the
//! optimized unit (see [`crate::debug::values`]). The register is *current* if both are the same definitions and none of
//! them is dubious ([`Doubts`]); elsewhere the variable is optimized out. A variable that is only ever a constant there has that
//! value whatever became of the assignment.
//!
//! Equal sets are not enough if the optimizer runs statements in another order of iterations: in a loop that was fused,
//! split or interchanged, the last assignment that ran need not be the one of the source. Definitions in such loops are
//! dubious. So are DO variables of loops that have copies (an unrolled body has `i + 1` where the source has `i`), and
//! assignments that have left the construct around them, or that have several copies with one eliminated.

use crate::debug::memory::{Write, writes, writes_part};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_ir::{BinaryOp, Callee, Expr, ExprData, Head, Label, Stmt, Sym, Type, Unit};
use trueline_provenance::{Chain, ExpandKind, Origin, Serial, SetId, StmtInfos, Transform};

/// Definitions, one bit each: those of the source by their numbers, and these two.
pub(crate) type Mask = u64;
/// The value at the entry of the procedure.
pub(crate) const ENTRY: Mask = 1 << 63;
/// A definition that is not in the source, or dubious.
pub(crate) const FOREIGN: Mask = 1 << 62;
/// The most statements of a variable that may define it.
const MOST_DEFINITIONS: usize = 62;

/// The source of a unit, lowered without optimization, as blocks of statements.
pub(crate) struct Source<'a> {
    unit: &'a Unit,
    /// The statements with the registers they define, by block.
    blocks: Vec<Vec<(Stmt, SmallVec<[Sym; 1]>)>>,
    successors: Vec<SmallVec<[u32; 2]>>,
    /// The blocks that begin with labels.
    starts: FxHashMap<Label, u32>,
    /// The source statements that define each register.
    definitions: FxHashMap<Sym, Vec<Stmt>>,
    /// Whether the last block leads to the end of the procedure.
    is_open: bool,
}

impl<'a> Source<'a> {
    /// The blocks of `unit`, which is at L.
    pub(crate) fn of(unit: &'a Unit) -> Source<'a> {
        let mut out = Source {
            unit,
            blocks: vec![vec![]],
            successors: vec![],
            starts: FxHashMap::default(),
            definitions: FxHashMap::default(),
            is_open: true,
        };
        let mut ways: Vec<(u32, Label)> = Vec::new();
        let mut falls: Vec<u32> = Vec::new();
        let mut open = true;
        for s in unit.stmts(unit.body()) {
            let head = unit.head(s);
            let mut at = out.blocks.len() as u32 - 1;
            if let Head::Label(l) = head {
                if open {
                    falls.push(at);
                }
                at += 1;
                out.blocks.push(vec![]);
                out.starts.insert(l, at);
                open = true;
            }
            let defines: SmallVec<[Sym; 1]> = unit.may_define(head).into_iter().collect();
            for &v in &defines {
                out.definitions.entry(v).or_default().push(s);
            }
            ways.extend(unit.targets(head).into_iter().map(|l| (at, l)));
            out.blocks[at as usize].push((s, defines));
            let is_last = head.is_jump() || ends(head);
            if is_last || matches!(head, Head::GotoTable { .. }) {
                open = !is_last;
                if open {
                    falls.push(at);
                }
                out.blocks.push(vec![]);
            }
        }
        out.is_open = open;
        out.successors = vec![SmallVec::new(); out.blocks.len()];
        for at in falls {
            out.successors[at as usize].push(at + 1);
        }
        for (at, l) in ways {
            if let Some(&to) = out.starts.get(&l) {
                out.successors[at as usize].push(to);
            }
        }
        out
    }

    /// The unit.
    pub(crate) fn unit(&self) -> &'a Unit {
        self.unit
    }

    /// The definitions that reach each block. `after` maps the definitions before a statement to those after it.
    fn reached(&self, after: &dyn Fn(Mask, &Stmt) -> Mask) -> Vec<Mask> {
        let mut reached: Vec<Mask> = vec![0; self.blocks.len()];
        reached[0] = ENTRY;
        let mut todo: Vec<u32> = (0..self.blocks.len() as u32).rev().collect();
        while let Some(b) = todo.pop() {
            let out = self.blocks[b as usize].iter().fold(reached[b as usize], |mask, (s, _)| after(mask, s));
            for &to in &self.successors[b as usize] {
                let into = &mut reached[to as usize];
                if *into | out != *into {
                    *into |= out;
                    todo.push(to);
                }
            }
        }
        reached
    }

    /// The statements that run where the optional argument whose flag is the register `flag` may be absent: those with a
    /// way from the beginning on which no test finds it.
    pub(crate) fn where_absent(&self, flag: Sym) -> FxHashSet<Serial> {
        let mut out = FxHashSet::default();
        let mut is_reached = vec![false; self.blocks.len()];
        let mut todo = vec![0];
        while let Some(b) = todo.pop() {
            if std::mem::replace(&mut is_reached[b as usize], true) {
                continue;
            }
            let block = &self.blocks[b as usize];
            out.extend(block.iter().filter_map(|&(s, _)| self.unit.own_source(s)));
            let found = block.last().and_then(|&(s, _)| match self.unit.head(s) {
                Head::Branch { cond, then, otherwise } => match self.tested(cond, flag)? {
                    true => Some(then),
                    false => Some(otherwise),
                },
                _ => None,
            });
            let found = found.and_then(|l| self.starts.get(&l)).copied();
            todo.extend(self.successors[b as usize].iter().copied().filter(|&to| Some(to) != found));
        }
        out
    }

    /// Whether a condition says that `flag` is not zero (true) or zero (false), if it asks for that.
    fn tested(&self, cond: Expr, flag: Sym) -> Option<bool> {
        let ExprData::Binary(op, a, b) = self.unit.expr(cond) else { return None };
        let is_test = self.unit.expr(a) == ExprData::Var(flag) && self.unit.pool().as_int(b) == Some(0);
        match op {
            BinaryOp::Ne if is_test => Some(true),
            BinaryOp::Eq if is_test => Some(false),
            _ => None,
        }
    }

    /// The number of its statements.
    pub(crate) fn len(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum()
    }
}

/// Whether a statement calls a routine of the runtime that never returns.
fn ends(head: Head) -> bool {
    let Head::Call { callee: Callee::Rt(routine), .. } = head else { return false };
    routine.signature().effect == trueline_abi::Effect::NoReturn
}

/// The definitions of one variable that reach each statement of the source.
pub(crate) struct Reaching {
    /// The statements that define it, in the order of their bits.
    pub(crate) serials: Vec<Serial>,
    /// The value of each definition, if that is a constant.
    constants: Vec<Option<Expr>>,
    /// The definitions that reach the statements; several masks for a statement that is several statements below (a DO
    /// has a beginning and a step).
    at: FxHashMap<Serial, SmallVec<[Mask; 2]>>,
    /// The definitions that reach the beginnings of statements.
    begun: FxHashMap<Serial, SmallVec<[Mask; 2]>>,
}

impl Reaching {
    /// The definitions of the register `v`; none if too many statements define it.
    pub(crate) fn of(source: &Source<'_>, v: Sym) -> Option<Reaching> {
        let all = source.definitions.get(&v).into_iter().flatten();
        Reaching::by(source, all.map(|&s| (s, Write::Must)))
    }

    /// The definitions of a variable in memory.
    pub(crate) fn of_memory(source: &Source<'_>, v: Sym) -> Option<Reaching> {
        let all = source.blocks.iter().flatten().map(|(s, _)| *s);
        Reaching::by(source, all.filter_map(|s| Some((s, writes(source.unit, s, v)?))))
    }

    /// The definitions of a part of a variable in memory: the offset in bytes of a scalar, and its type.
    pub(crate) fn of_part(source: &Source<'_>, v: Sym, part: (u64, Type)) -> Option<Reaching> {
        let all = source.blocks.iter().flatten().map(|(s, _)| *s);
        Reaching::by(source, all.filter_map(|s| Some((s, writes_part(source.unit, s, v, part)?))))
    }

    /// The definitions of a variable that these statements define.
    fn by(source: &Source<'_>, writers: impl Iterator<Item = (Stmt, Write)>) -> Option<Reaching> {
        let unit = source.unit;
        let mut serials: Vec<Serial> = Vec::new();
        let mut constants: Vec<Option<Expr>> = Vec::new();
        let mut masks: FxHashMap<Stmt, (Mask, Write)> = FxHashMap::default();
        for (s, write) in writers {
            let mut mask = 0;
            let value = constant(unit, s).filter(|_| write == Write::Must);
            for serial in serials_of(unit, s) {
                let known = serials.iter().position(|&x| x == serial);
                let bit = known.unwrap_or(serials.len());
                if known.is_none() {
                    serials.push(serial);
                    constants.push(value);
                }
                if serials.len() > MOST_DEFINITIONS {
                    return None;
                }
                if constants[bit] != value {
                    constants[bit] = None;
                }
                mask |= 1 << bit;
            }
            masks.insert(s, (mask, write));
        }
        let after = |before: Mask, s: &Stmt| match masks.get(s) {
            Some(&(own, Write::Must)) => own,
            Some(&(own, Write::May)) => before | own,
            None => before,
        };
        let reached = source.reached(&after);
        let mut at: FxHashMap<Serial, SmallVec<[Mask; 2]>> = FxHashMap::default();
        let mut begun: FxHashMap<Serial, SmallVec<[Mask; 2]>> = FxHashMap::default();
        for (b, stmts) in source.blocks.iter().enumerate() {
            let mut mask = reached[b];
            let mut before: SmallVec<[Serial; 2]> = SmallVec::new();
            for (s, _) in stmts {
                let serials = serials_of(unit, *s);
                if serials != before {
                    serials.iter().for_each(|&serial| note(&mut begun, serial, mask));
                    before.clone_from(&serials);
                }
                for serial in serials {
                    note(&mut at, serial, mask);
                }
                mask = after(mask, s);
            }
            if source.is_open && b + 1 == source.blocks.len() {
                note(&mut at, unit.serial(), mask);
                note(&mut begun, unit.serial(), mask);
            }
        }
        Some(Reaching { serials, constants, at, begun })
    }

    /// Whether nothing defines the variable.
    pub(crate) fn is_never_written(&self) -> bool {
        self.serials.is_empty()
    }

    /// The value of the variable at a statement, if that is a constant of the source's unit.
    pub(crate) fn constant(&self, at: Serial) -> Option<Expr> {
        let all = self.begun.get(&at)?.iter().fold(0, |a, b| a | b);
        let mut bits = (0..self.serials.len()).filter(|&k| all & (1 << k) != 0);
        let first = self.constants[bits.next()?]?;
        let is_only = all & (ENTRY | FOREIGN) == 0 && bits.all(|k| self.constants[k] == Some(first));
        is_only.then_some(first)
    }

    /// Whether the variable is current inside a statement that is reached by the definitions `mask` in the optimized
    /// code. `present` has the statements that are anywhere in the optimized code.
    pub(crate) fn is_current(&self, at: Serial, mask: Mask, present: Mask) -> bool {
        self.at.get(&at).is_some_and(|all| agrees(all, mask, present))
    }

    /// The same at the beginning of a statement.
    pub(crate) fn is_current_before(&self, at: Serial, mask: Mask, present: Mask) -> bool {
        self.begun.get(&at).is_some_and(|all| agrees(all, mask, present))
    }

    /// The same for a part of memory that has no value before a statement defines it: where that may not have happened yet does not
    /// matter, if it happened in the code.
    pub(crate) fn is_current_if_defined(&self, at: Serial, mask: Mask, present: Mask) -> bool {
        let defined: Option<SmallVec<[Mask; 2]>> =
            self.begun.get(&at).map(|all| all.iter().map(|m| m & !ENTRY).collect());
        defined.is_some_and(|all| agrees(&all, mask & !ENTRY, present))
    }

    /// The definitions of the source that the origins of an optimized one stand for.
    pub(crate) fn mask_of(&self, roots: impl Iterator<Item = Serial>) -> Mask {
        let bits = roots.filter_map(|r| self.serials.iter().position(|&x| x == r));
        bits.fold(0, |mask, bit| mask | 1 << bit)
    }
}

/// Whether the definitions `mask` are those of the source at some place; `all` are those at all places that look the
/// same.
fn agrees(all: &[Mask], mask: Mask, present: Mask) -> bool {
    let any = all.iter().fold(0, |a, b| a | b);
    mask & FOREIGN == 0 && mask != 0 && any & !(present | ENTRY) == 0 && all.contains(&mask)
}

/// Adds the definitions that reach a statement.
fn note(all: &mut FxHashMap<Serial, SmallVec<[Mask; 2]>>, at: Serial, mask: Mask) {
    let known = all.entry(at).or_default();
    if !known.contains(&mask) {
        known.push(mask);
    }
}

/// The source statements of a statement; the procedure if it belongs to none.
fn serials_of(unit: &Unit, s: Stmt) -> SmallVec<[Serial; 2]> {
    let all: SmallVec<[Serial; 2]> = unit.sources(s).collect();
    if all.is_empty() { SmallVec::from_slice(&[unit.serial()]) } else { all }
}

/// The constant that a statement assigns.
fn constant(unit: &Unit, s: Stmt) -> Option<Expr> {
    let (Head::Assign { value, .. } | Head::Store { value, .. }) = unit.head(s) else { return None };
    matches!(unit.expr(value), ExprData::Int(..) | ExprData::Real(..) | ExprData::Logical(..)).then_some(value)
}

/// The statement that `origin` is, or is called by, in the procedure inlined by the calls `via` (in the unit's own code
/// if there are none).
pub(crate) fn root(unit: &Unit, origin: Origin, via: Chain) -> Option<Serial> {
    let mut at = origin;
    while at.via != via {
        at = unit.sets().site(at.via)?;
    }
    Some(at.stmt)
}

/// Source statements of an optimized unit that give less certainty about values than their place in the code suggests.
#[derive(Default)]
pub(crate) struct Doubts {
    /// Loops whose iterations run in another order, or together with those of others.
    loops: FxHashSet<Origin>,
    /// Loops some of whose iterations are copies of the body, with another expression for the DO variable.
    unrolled: FxHashSet<Origin>,
    /// The source statements that an eliminated statement stood for.
    eliminated: FxHashSet<Origin>,
}

impl Doubts {
    /// Reads the doubts from the log of the edits.
    pub(crate) fn of(unit: &Unit, infos: &StmtInfos) -> Doubts {
        let mut out = Doubts::default();
        let is_loop = |o: &Origin| infos.stmts.get(o.stmt).is_some_and(|i| i.kind.is_loop());
        for edit in &unit.log().edits {
            let sets = [Some(edit.before), Some(edit.after), edit.with.expand()];
            let atoms = sets.into_iter().flatten().flat_map(|set| unit.sets().atoms(set)).copied();
            match edit.transform {
                // One statement vanished into another; an operand that several statements share does not count.
                Transform::Merge if edit.with.is_some() => out.loops.extend(atoms.filter(is_loop)),
                Transform::Expand(ExpandKind::Replicate | ExpandKind::Nest | ExpandKind::Lanes(_)) => {
                    out.loops.extend(atoms.filter(is_loop))
                }
                Transform::Move if unit.head(edit.stmt).is_loop() => out.loops.extend(atoms.filter(is_loop)),
                Transform::Expand(ExpandKind::Partition) => {
                    for &o in unit.sets().atoms(edit.before) {
                        out.unrolled
                            .extend(std::iter::once(o).chain(unit.sets().around(infos, o)).filter(is_loop).take(2));
                    }
                }
                Transform::Eliminate => out.eliminated.extend(unit.sets().atoms(edit.before).iter().copied()),
                _ => {}
            }
        }
        // An inlined call is gone, but its effects are not.
        for inlined in unit.inlined() {
            unit.sets().site(inlined.via).into_iter().for_each(|call| _ = out.eliminated.remove(&call));
        }
        out
    }

    /// Whether the statement with that set, which is `origin`, may have run at another time than in the source.
    pub(crate) fn doubt(&self, unit: &Unit, infos: &StmtInfos, set: SetId, origin: Origin) -> bool {
        self.doubt_inside(unit, infos, origin) || left(unit, infos, set, origin).next().is_some()
    }

    /// The same for places outside of the constructs that the statement left, where leaving them does not matter.
    pub(crate) fn doubt_inside(&self, unit: &Unit, infos: &StmtInfos, origin: Origin) -> bool {
        self.unrolled.contains(&origin)
            || self.loops.contains(&origin)
            || unit.taints().expanded.contains(&origin) && self.eliminated.contains(&origin)
            || unit.sets().around(infos, origin).any(|o| o.stmt != unit.serial() && self.loops.contains(&o))
    }
}

/// The constructs that the statement with that set, which is `origin`, has left.
pub(crate) fn left<'a>(
    unit: &'a Unit,
    infos: &'a StmtInfos,
    set: SetId,
    origin: Origin,
) -> impl Iterator<Item = Origin> + 'a {
    let atoms = unit.sets().atoms(set);
    // The outermost statements of an inlined procedure stand for the call, too.
    let sites = std::iter::successors(unit.sets().site(origin.via), |o| unit.sets().site(o.via));
    let is_left = move |o: &Origin| o.stmt != unit.serial() && atoms.contains(o) && !sites.clone().any(|s| s == *o);
    unit.sets().around(infos, origin).filter(is_left)
}
