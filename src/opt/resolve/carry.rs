//! Nests whose results go from rank to rank: sums over a distributed dimension, in the order of the source.
//!
//! ```text
//! do j = 1, n                     call nest(…)
//!   do i = 1, n                   call carry(s, 0)        gets s from the rank before
//!     s(i) = s(i) + a(i,j)   =>   do own j, do i
//!                                   s(i) = s(i) + a(i,j)  by the owner of a(i,j)
//!                                 call carry(s, 1)        sends s to the rank behind
//!                                 call carry(s, 2)        gets s of all iterations from the last one
//! ```
//!
//! The outermost loop walks along the one distributed dimension of an array in blocks, and all that the nest does in an iteration is the work of one
//! owner. So ranks have their iterations one after the other, and everything that the nest changes and that is not mapped, its *state*, may go along:
//! scalars and small arrays, in any way in which the nest uses them.

use super::nest::Scan;
use super::states::Known;
use trueline_abi::nest::{Element, Executed, Subscript};
use trueline_ir::mapping::{Axis, Format, Values};
use trueline_ir::{Callee, Expr, ExprData, Head, Stmt, Storage, Sym};

/// Something that goes from rank to rank.
#[derive(Clone, Copy)]
pub(super) struct Carried {
    /// The variable, a register or memory.
    pub(super) sym: Sym,
    pub(super) bytes: usize,
}

/// The most bytes of an array that goes along.
const MOST: usize = 1 << 20;

impl Scan<'_> {
    /// Finds the state of a nest whose iterations ranks have one after the other, and whose each iteration is one rank's work; if it has none,
    /// the conditionals that owners evaluate.
    pub(super) fn carry_or_conditions(&mut self) {
        let (statements, works) = (self.found.nest.statements.clone(), self.found.works.clone());
        if let Some(state) = self.state() {
            let first = state.0;
            self.conditions();
            if self.is_one_after_the_other() {
                let writes = |e: &Executed| matches!(e, Executed::ByOwners { writes: true, .. });
                let is_read_only = !self.found.nest.statements.iter().any(|s| writes(&s.executed));
                self.found.carried = state.1;
                self.found.nest.carried = Some((first, is_read_only && self.found.counted.is_empty()));
                return;
            }
        }
        (self.found.nest.statements, self.found.works) = (statements, works);
        self.found.counted.clear();
        self.found.for_all.clear();
        self.conditions();
    }

    /// Lets owners execute the statements that all ranks would execute; the first of them, and the variables that they change.
    fn state(&mut self) -> Option<(usize, Vec<Carried>)> {
        let &[root] = self.found.roots.as_slice() else { return None };
        if self.found.loops.first()?.l.stmt != root {
            return None;
        }
        let is_all = |e: &Executed| match e {
            Executed::ByAll => true,
            Executed::ByUsers(loops) => !loops.contains(&0),
            Executed::ByOwners { .. } => false,
        };
        let changing: Vec<usize> = (0..self.found.works.len())
            .filter(|&k| is_all(&self.found.nest.statements[k].executed) && !self.is_conditional(k))
            .collect();
        let mut state: Vec<Carried> = Vec::new();
        for &k in &changing {
            let carried = self.changed_by(self.found.works[k].stmt)?;
            if state.iter().all(|c| c.sym != carried.sym) {
                state.push(carried);
            }
        }
        let mut owner: Option<Vec<String>> = None;
        let decided: Vec<(usize, Expr)> = self.found.works.iter().filter_map(|w| w.decides).collect();
        for &k in &changing {
            let (array, place, of) = self.sure_element(k, &decided)?;
            let own = self.owner(array, place);
            let is_like = owner.get_or_insert_with(|| own.clone()) == &own;
            if !is_like || !self.goes_along_blocks(array, &of) {
                return None;
            }
            let rank = |v: Sym| self.u.sym(v).dims.len();
            if state.iter().any(|c| rank(c.sym) >= rank(self.arrays[array].sym)) {
                return None;
            }
            self.found.nest.statements[k].executed = Executed::ByOwners { of, writes: false };
            self.found.works[k].decides = Some((array, place));
        }
        changing.first().map(|&k| (k, state))
    }

    fn is_conditional(&self, k: usize) -> bool {
        matches!(self.u.head(self.found.works[k].stmt), Head::If { .. } | Head::Select { .. })
    }

    /// The variable that a statement changes, if its size is known.
    fn changed_by(&self, s: Stmt) -> Option<Carried> {
        let sym = match self.u.head(s) {
            Head::Assign { place, .. } => match self.u.expr(place) {
                ExprData::Var(v) | ExprData::Elem(v, _) => v,
                _ => return None,
            },
            Head::Call { callee: Callee::Proc(p), result, .. } if self.u.proc(p).is_libm => result.expand()?,
            Head::Call { callee: Callee::Rt(_), result, .. } => result.expand()?,
            _ => return None,
        };
        let data = self.u.sym(sym);
        let is_plain = data.is_register() || matches!(data.storage, Storage::Frame | Storage::Static { .. });
        if !is_plain || data.len.is_some() {
            return None;
        }
        let mut bytes = data.ty.size();
        for dim in &data.dims {
            let bounds = [Some(dim.lower), dim.upper.expand()].map(|e| self.u.pool().as_int(e?));
            let [Some(lower), Some(upper)] = bounds else { return None };
            let extent = upper.checked_sub(lower)?.checked_add(1).filter(|_| dim.stride.is_none())?;
            bytes = bytes.checked_mul(usize::try_from(extent).ok()?)?;
        }
        (bytes > 0 && bytes <= MOST).then_some(Carried { sym, bytes })
    }

    /// Whether the owner of the element follows from the variable of the outermost loop alone, block by block.
    fn goes_along_blocks(&self, array: usize, of: &Element) -> bool {
        let Known::One(mapping) = &self.known[array] else { return false };
        let in_blocks = |format: &Format| matches!(format, Format::Block(_) | Format::GenBlock(Values::Known(_)));
        let is_along = |s: &Subscript| matches!(s, Subscript::Of(a) if matches!(a.terms.as_slice(), [(0, 1 | -1)]));
        let mut count = 0;
        let all = mapping.axes.iter().zip(&of.subscripts).all(|(axis, s)| match axis {
            Axis::On { format, .. } => {
                count += 1;
                in_blocks(format) && is_along(s)
            }
            _ => true,
        });
        all && count == 1 && mapping.grid.extents.len() == 1
    }

    /// Whether each iteration of the outermost loop is one rank's, as a whole.
    fn is_one_after_the_other(&self) -> bool {
        let by_owners = self.found.nest.statements.iter().all(|s| match &s.executed {
            Executed::ByAll => false,
            Executed::ByUsers(loops) => loops.contains(&0),
            Executed::ByOwners { .. } => true,
        });
        let decided: Vec<(usize, Expr)> = self.found.works.iter().filter_map(|w| w.decides).collect();
        let owners: Vec<Vec<String>> = decided.iter().map(|&(array, place)| self.owner(array, place)).collect();
        let of = &self.found.nest.loops[0];
        let can_be_local = (of.is_fixed() || of.step.abs() == 1) && self.last_value_is_known(0);
        by_owners && can_be_local && owners.windows(2).all(|w| w[0] == w[1])
    }
}
