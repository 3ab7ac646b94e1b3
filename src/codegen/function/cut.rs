//! Units that are too long for one function of Cranelift, whose indices and register allocator have limits.
//!
//! ```text
//! subroutine s          s:         frame with all variables; number = 0
//!   …  1,000,000                   while (number is not that of the end) number = s.part.K(frame, number)
//!   …  statements       s.part.0:  the first statements; returns the number of the label where to go on
//! end                   s.part.1:  …
//! ```
//!
//! At L a unit is a list of statements with labels and jumps, so it may be cut anywhere. It is cut where few jumps lead over the cut.
//! A jump that leaves its stretch, and the end of a stretch, return the number of the place where to go on: the stretch, and the label
//! in it. As registers have places in the frame, nothing else goes from one stretch to the next. Counting code has no
//! influence on the cuts, and goes with the statement behind it.

use crate::expr::is_long;
use crate::function::facts::Facts;
use crate::function::frame::Layout;
use crate::symbols::Symbols;
use crate::{Options, Records};
use cranelift_entity::EntityRef;
use cranelift_module::{FuncId, Linkage, ModuleError};
use cranelift_object::ObjectModule;
use rustc_hash::FxHashMap;
use trueline_ir::{Expr, Head, Label, Stmt, Unit, UnitKind};

/// A unit with fewer statements is not looked at.
const FEWEST: usize = 2_000;
/// The most operations of a unit that becomes one function: a quarter of the number that Cranelift's indices are good for, since there may be
/// several values for an operation.
const MOST_OPERATIONS: usize = 1_000_000;
/// The same of a unit whose registers are on the stack anyway. Cranelift looks at all branches that wait for their label each time it
/// places constants, so the time for a long chain of ELSE IF grows with the square of the length.
const MOST_ON_STACK: usize = 200_000;
/// The most operations of a stretch, unless one statement has more.
const STRETCH: usize = 100_000;
/// The number of the end of the unit.
pub(crate) const END: i64 = -1;

/// A unit that is compiled as several functions.
pub(crate) struct Cut {
    /// The facts about the whole unit.
    pub(crate) facts: Facts,
    /// The frame of all stretches.
    pub(crate) layout: Layout,
    /// The stretches.
    pub(crate) stretches: Vec<Stretch>,
    /// The numbers of the labels that other stretches lead to.
    numbers: FxHashMap<Label, i64>,
}

/// Statements that become a function.
pub(crate) struct Stretch {
    /// The first.
    pub(crate) first: Stmt,
    /// Their number, without those inside of others.
    pub(crate) count: usize,
    /// The labels that other stretches lead to.
    pub(crate) entries: Vec<Label>,
    /// Its function.
    pub(crate) id: Option<FuncId>,
}

impl Cut {
    /// The stretches of the units that are too long, by the numbers of the units.
    pub(crate) fn all(units: &[Unit], options: &Options, records: &Records) -> FxHashMap<usize, Cut> {
        let code = units.iter().enumerate().filter(|(_, u)| u.kind() != UnitKind::Data);
        code.filter_map(|(number, unit)| Some((number, Cut::of(unit, options, records)?))).collect()
    }

    fn of(unit: &Unit, options: &Options, records: &Records) -> Option<Cut> {
        let stmts: Vec<Stmt> = unit.stmts(unit.body()).collect();
        let most = || if is_long(unit) { MOST_ON_STACK } else { MOST_OPERATIONS };
        let (fewest, size) = options.stretch.map_or((FEWEST, STRETCH), |n| (2, n));
        if stmts.len() < fewest {
            return None;
        }
        let most = options.stretch.unwrap_or_else(most);
        let lengths = lengths(unit, &stmts);
        if lengths.iter().sum::<usize>() <= most {
            return None;
        }
        let facts = Facts::of(unit, options.level, &options.cold, true);
        let layout = Layout::of(unit, &facts, records)?;
        let starts = starts(&lengths, &crossings(unit, &stmts), size);
        let ends = starts.iter().skip(1).copied().chain([stmts.len()]);
        let mut stretches: Vec<Stretch> = starts
            .iter()
            .zip(ends)
            .map(|(&from, to)| Stretch { first: stmts[from], count: to - from, entries: Vec::new(), id: None })
            .collect();
        let numbers = number_entries(unit, &stmts, &starts, &mut stretches);
        Some(Cut { facts, layout, stretches, numbers })
    }

    /// Declares the functions of the stretches of `unit`.
    pub(crate) fn declare(
        &mut self,
        module: &mut ObjectModule,
        symbols: &mut Symbols,
        unit: &Unit,
    ) -> Result<(), ModuleError> {
        for (k, stretch) in self.stretches.iter_mut().enumerate() {
            stretch.id = Some(symbols.function(module, &name(unit, k), Linkage::Local)?);
        }
        Ok(())
    }

    /// The number of the place where stretch `k` begins; behind the last, of the end.
    pub(crate) fn start(&self, k: usize) -> i64 {
        if k < self.stretches.len() && !(k > 0 && trueline_ir::fault("cut_end")) { number(k, 0) } else { END }
    }

    /// The number of a label in another stretch.
    pub(crate) fn number(&self, l: Label) -> i64 {
        let number = self.numbers[&l];
        if trueline_ir::fault("cut_entry") { number & !0xffff_ffff } else { number }
    }

    /// The statements of stretch `k`.
    pub(crate) fn stmts(&self, unit: &Unit, k: usize) -> Vec<Stmt> {
        let of = &self.stretches[k];
        std::iter::successors(Some(of.first), |&s| unit.next(s)).take(of.count).collect()
    }
}

/// The linker symbol of stretch `k`.
pub(crate) fn name(unit: &Unit, k: usize) -> String {
    format!("{}.part.{k}", unit.symbol())
}

/// The number of an entry of a stretch; entry 0 is its beginning.
fn number(stretch: usize, entry: usize) -> i64 {
    ((stretch as i64) << 32) | entry as i64
}

/// The operations of each statement of the program; 0 for counting code.
fn lengths(unit: &Unit, stmts: &[Stmt]) -> Vec<usize> {
    let mut seen = vec![0; unit.pool().len()];
    let mut todo: Vec<Expr> = Vec::new();
    let length = |(s, time): (&Stmt, u32)| {
        let head = unit.head(*s);
        if head.is_invisible() {
            return 0;
        }
        todo.extend(unit.values(head));
        let mut length = 1;
        while let Some(e) = todo.pop() {
            if std::mem::replace(&mut seen[e.index()], time) != time {
                length += 1;
                unit.pool().operands(e, |o| todo.push(o));
            }
        }
        length
    };
    stmts.iter().zip(1..).map(length).collect()
}

/// The number of jumps that lead over the place before each statement.
pub(crate) fn crossings(unit: &Unit, stmts: &[Stmt]) -> Vec<u32> {
    let places = places(unit, stmts);
    let mut changes = vec![0i64; stmts.len() + 2];
    for (at, &s) in stmts.iter().enumerate() {
        for to in unit.targets(unit.head(s)).iter().filter_map(|l| places.get(l)) {
            changes[at.min(*to) + 1] += 1;
            changes[at.max(*to) + 1] -= 1;
        }
    }
    let mut open = 0;
    let count = |change: &i64| {
        open += change;
        u32::try_from(open).unwrap_or(u32::MAX)
    };
    changes.iter().take(stmts.len()).map(count).collect()
}

fn places(unit: &Unit, stmts: &[Stmt]) -> FxHashMap<Label, usize> {
    let place = |(at, &s): (usize, &Stmt)| match unit.head(s) {
        Head::Label(l) => Some((l, at)),
        _ => None,
    };
    stmts.iter().enumerate().filter_map(place).collect()
}

/// The first statement of each stretch: behind at least half of the operations of a stretch, the last of the places with the fewest
/// jumps over them.
fn starts(lengths: &[usize], crossings: &[u32], most: usize) -> Vec<usize> {
    let mut out = vec![0];
    let (mut sum, mut best): (usize, Option<usize>) = (0, None);
    let mut at = 0;
    while at < lengths.len() {
        let may = sum > 0 && lengths[at] > 0;
        if may && (sum >= most / 2 || sum + lengths[at] > most) && best.is_none_or(|b| crossings[at] <= crossings[b]) {
            best = Some(at);
        }
        if let Some(start) = best.filter(|_| sum + lengths[at] > most) {
            out.push(start);
            (sum, best, at) = (0, None, start);
        }
        sum += lengths[at];
        at += 1;
    }
    out
}

/// Finds the labels of each stretch that others lead to, and numbers them.
fn number_entries(unit: &Unit, stmts: &[Stmt], starts: &[usize], stretches: &mut [Stretch]) -> FxHashMap<Label, i64> {
    let places = places(unit, stmts);
    let stretch = |at: usize| starts.partition_point(|&start| start <= at) - 1;
    let mut numbers = FxHashMap::default();
    for (at, &s) in stmts.iter().enumerate() {
        for l in unit.targets(unit.head(s)) {
            let Some(to) = places.get(&l).map(|&to| stretch(to)).filter(|&to| to != stretch(at)) else { continue };
            numbers.entry(l).or_insert_with(|| {
                stretches[to].entries.push(l);
                number(to, stretches[to].entries.len())
            });
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::{STRETCH, starts};

    #[test]
    fn stretches_begin_where_few_jumps_lead_over() {
        let lengths = vec![STRETCH / 100; 250];
        let mut crossings = vec![3; 250];
        assert_eq!(starts(&lengths, &crossings, STRETCH), [0, 100, 200]);
        (crossings[60], crossings[70], crossings[71]) = (1, 1, 2);
        assert_eq!(starts(&lengths, &crossings, STRETCH), [0, 70, 170]);
    }

    #[test]
    fn counting_code_begins_no_stretch_and_a_long_statement_is_one() {
        assert_eq!(starts(&[1, 0, 3 * STRETCH, 0, 1, 1], &[0; 6], STRETCH), [0, 2, 4]);
    }
}
