//! Conditionals of the source on elements: only the owners of one element evaluate them, and count their arms.
//!
//! ```text
//! do j, do i                          do own j, do i
//!   if (a(i,j) > 3)           =>        if (a(i,j) > 3)            the owner of a(i,j) alone
//!     tally taken += 1                    tally taken of ranks += 1
//!     b(i,j) = a(i,j-1)                   b(i,j) = a(i,j-1)
//! ```
//!
//! In each evaluation there is an element whose owner is one rank: it is read by the condition, or by a statement beside it, in any case. If all that
//! the arms do is that rank's work, the conditional is. Then each rank has counted its share of the arms, and the count is the sum over
//! all ranks, which they make at the end of the run ([`trueline_ir::Editor::count_by_ranks`]). No counts but those in the arms differ between ranks: the
//! evaluations leave the nest as they would have (`Editor::localize`).

use super::element_of;
use super::nest::Scan;
use super::states::Known;
use rustc_hash::FxHashSet;
use trueline_abi::nest::{Element, Executed};
use trueline_ir::mapping::{Axis, Other};
use trueline_ir::{BinaryOp, Callee, Expr, ExprData, Head, Intrinsic, Obstacle, Stmt, Sym, fault};

impl Scan<'_> {
    /// Finds the conditionals that the owners of an element evaluate. One may depend on values of another one.
    pub(super) fn conditions(&mut self) {
        loop {
            let before = self.found.counted.len();
            let mut refused = Vec::new();
            for k in 0..self.found.works.len() {
                let s = self.found.works[k].stmt;
                let is_conditional = matches!(self.u.head(s), Head::If { .. } | Head::Select { .. });
                let is_free = matches!(self.found.nest.statements[k].executed, Executed::ByAll);
                if !is_conditional || !is_free || self.found.works[k].is_inside {
                    continue;
                }
                match self.work_of_owners(k) {
                    Ok(()) => self.found.counted.push(s),
                    Err(why) => refused.push((s, why)),
                }
            }
            if refused.is_empty() || self.found.counted.len() == before {
                return self.found.for_all.extend(refused);
            }
        }
    }

    /// Lets the owners of an element execute conditional `k` if all in its arms is their work.
    fn work_of_owners(&mut self, k: usize) -> Result<(), Obstacle> {
        let s = self.found.works[k].stmt;
        let arms: FxHashSet<Stmt> =
            self.u.walk_stmt(s).into_iter().filter(|&x| x != s && !self.u.head(x).is_invisible()).collect();
        let works: Vec<usize> =
            (0..self.found.works.len()).filter(|&w| arms.contains(&self.found.works[w].stmt)).collect();
        if arms.iter().any(|&x| !self.is_simple(self.u.head(x))) {
            return Err(Obstacle::Arms);
        }
        // Scalars of an iteration; whoever reads them outside is the same rank.
        let mut defined: Vec<Sym> = Vec::new();
        for &w in &works {
            let is_conditional = matches!(self.u.head(self.found.works[w].stmt), Head::If { .. } | Head::Select { .. });
            if self.found.works[w].decides.is_some() || is_conditional {
                continue;
            }
            let v = self.found.works[w].defines.filter(|_| self.is_of_users(w));
            defined.push(v.ok_or(Obstacle::Arms)?);
        }
        let readers = self.readers(defined, s, &arms).ok_or(Obstacle::Arms)?;
        let deciding = works.iter().chain(&readers).copied();
        let deciding: Vec<(usize, Expr)> = deciding.filter_map(|w| self.found.works[w].decides).collect();
        let (array, place, of) = self.sure_element(k, &deciding).ok_or(Obstacle::Arms)?;
        for &w in [k].iter().chain(&works) {
            self.found.works[w].is_inside = w != k;
            let statement = &mut self.found.nest.statements[w];
            if !matches!(statement.executed, Executed::ByOwners { writes: true, .. }) {
                statement.executed = Executed::ByOwners { of: of.clone(), writes: false };
                self.found.works[w].decides = Some((array, place));
            }
        }
        Ok(())
    }

    /// Whether a statement in an arm may be the work of one rank: no loop, since its trips are counted, and no procedure that counts.
    fn is_simple(&self, head: Head) -> bool {
        match head {
            Head::Assign { .. } | Head::If { .. } | Head::Select { .. } => true,
            Head::Call { callee: Callee::Proc(p), .. } => self.u.proc(p).is_libm,
            Head::Call { callee: Callee::Rt(_), .. } => true,
            _ => false,
        }
    }

    /// The statements outside of conditional `s` with `arms` that read one of `defined`, or a scalar of the iteration that is computed from one; none if one of them is
    /// not the work of the owners of an element.
    fn readers(&self, mut defined: Vec<Sym>, s: Stmt, arms: &FxHashSet<Stmt>) -> Option<Vec<usize>> {
        let mut out = Vec::new();
        let stmts: Vec<Stmt> = self.found.stmts(self.u).into_iter().filter(|&x| x != s && !arms.contains(&x)).collect();
        let mut next = 0;
        while let Some(&v) = defined.get(next) {
            next += 1;
            for &x in stmts.iter().filter(|&&x| self.u.registers_read(self.u.head(x)).contains(&v)) {
                let w = self.found.works.iter().position(|w| w.stmt == x)?;
                match self.found.works[w].decides {
                    Some(_) => out.push(w),
                    None => {
                        let more = self.found.works[w].defines.filter(|_| self.is_of_users(w))?;
                        if !defined.contains(&more) && !fault("ranks_readers_near") {
                            defined.push(more);
                        }
                    }
                }
            }
        }
        Some(out)
    }

    /// Whether those execute statement `w` who use something of the same iteration of all loops.
    fn is_of_users(&self, w: usize) -> bool {
        let statement = &self.found.nest.statements[w];
        let chain = self.chain(statement.inner);
        matches!(&statement.executed, Executed::ByUsers(loops) if chain.iter().all(|l| loops.contains(l)))
    }

    /// An element that exists whenever conditional `k` is evaluated, whose owner is one rank, and which has the owner of all of `deciding`.
    pub(super) fn sure_element(&mut self, k: usize, deciding: &[(usize, Expr)]) -> Option<(usize, Expr, Element)> {
        let s = self.found.works[k].stmt;
        let inner = self.found.nest.statements[k].inner;
        let mut candidates = Vec::new();
        for e in self.u.values(self.u.head(s)) {
            self.sure_reads(e, &mut candidates);
        }
        candidates.extend(self.in_each_arm(s));
        let around: Vec<Stmt> =
            std::iter::once(s).chain(self.u.ancestors(s)).take_while(|a| !self.found.roots.contains(a)).collect();
        for &a in &around {
            if let head @ (Head::If { .. } | Head::Select { .. }) = self.u.head(a) {
                self.u.values(head).iter().for_each(|&e| self.sure_reads(e, &mut candidates));
            }
            let Some(b) = self.u.parent(a) else { continue };
            for x in self.u.real_stmts(b) {
                if let Head::Assign { place, value } = self.u.head(x) {
                    candidates.extend(element_of(self.u, self.arrays, place).map(|_| place));
                    self.sure_reads(value, &mut candidates);
                }
            }
        }
        candidates.into_iter().find_map(|place| {
            let array = element_of(self.u, self.arrays, place)?;
            let of = self.element(place, inner);
            let own = self.owner(array, place);
            let is_same = deciding.iter().all(|&(by, e)| self.owner(by, e) == own);
            let fits = self.has_one_owner(array) && self.tells_owner(array, &of);
            (fits && (is_same || fault("ranks_counted_anywhere"))).then_some((array, place, of))
        })
    }

    /// The elements that statements in each arm of an IF touch.
    fn in_each_arm(&self, s: Stmt) -> Vec<Expr> {
        let Head::If { .. } = self.u.head(s) else { return Vec::new() };
        let mut arms = self.u.blocks(s).iter().map(|&b| {
            let mut out = Vec::new();
            for x in self.u.real_stmts(b) {
                match self.u.head(x) {
                    Head::Assign { place, value } => {
                        out.extend(element_of(self.u, self.arrays, place).map(|_| place));
                        self.sure_reads(value, &mut out);
                    }
                    Head::If { .. } => out.extend(self.in_each_arm(x)),
                    _ => {}
                }
            }
            out
        });
        let (Some(mut first), Some(other)) = (arms.next(), arms.next()) else { return Vec::new() };
        first.retain(|e| other.contains(e));
        first
    }

    /// The elements of mapped arrays that are read whenever `e` is evaluated.
    fn sure_reads(&self, e: Expr, out: &mut Vec<Expr>) {
        match self.u.expr(e) {
            ExprData::Elem(..) if element_of(self.u, self.arrays, e).is_some() => out.push(e),
            ExprData::Binary(BinaryOp::And | BinaryOp::Or, left, _) => self.sure_reads(left, out),
            ExprData::Intrinsic(Intrinsic::Merge, _) => {}
            _ => {
                let mut operands = Vec::new();
                crate::rewrite::values_in(self.u, e, &mut |x| operands.push(x));
                operands.into_iter().for_each(|x| self.sure_reads(x, out));
            }
        }
    }

    /// Whether each element of the array is one rank's: no dimension of the grid has copies.
    fn has_one_owner(&self, array: usize) -> bool {
        let Known::One(mapping) = &self.known[array] else { return false };
        (0..mapping.grid.extents.len()).all(|g| {
            let is_on = |axis: &Axis| matches!(axis, Axis::On { grid_dim, .. } if usize::from(*grid_dim) == g);
            let is_fixed = |(d, other): &(u8, Other)| usize::from(*d) == g && matches!(other, Other::Fixed { .. });
            mapping.axes.iter().any(is_on) || mapping.others.iter().any(is_fixed) || fault("ranks_copies_counted")
        })
    }
}
