//! Scalars and conditions of a nest: the ranks that compute and evaluate them.
//!
//! ```text
//! where (b > 4) a = b       do j: do i       each rank its own
//!                             if (b(i,j) > 4)     by those who execute something in the arms
//!                               a(i,j) = b(i,j)   by the owners of a(i,j)
//! ```
//!
//! A scalar that each iteration defines anew, and that nobody reads behind the loop, is computed by those who use it.

use super::element_of;
use super::nest::Scan;
use crate::analysis::registers::Flow;
use trueline_abi::nest::Executed;
use trueline_ir::{Head, Stmt, fault};
use trueline_provenance::StmtKind;

/// Second look: scalars and conditions.
impl Scan<'_> {
    /// Finds the statements and conditions that those execute who use something of an iteration.
    pub(super) fn values_and_conditions(&mut self) {
        if self.found.loops.is_empty() {
            return;
        }
        let flows: Vec<Flow> = self.found.loops.iter().map(|a| Flow::of(self.u, a.l.body)).collect();
        for k in 0..self.found.works.len() {
            if self.found.works[k].decides.is_some() {
                continue;
            }
            if let Some((place, least)) = self.reduction(k) {
                let inner = self.found.nest.statements[k].inner;
                let owned = self.found.works[k].reads.clone().into_iter().find_map(|e| {
                    let array = element_of(self.u, self.arrays, e)?;
                    let of = self.element(e, inner);
                    self.tells_owner(array, &of).then_some((array, e, of))
                });
                if let Some((array, e, of)) = owned {
                    self.found.nest.statements[k].executed = Executed::ByOwners { of, writes: false };
                    self.found.works[k].decides = Some((array, e));
                    self.found.reductions.push((self.found.works[k].stmt, place, least));
                    continue;
                }
            }
            if self.extreme(k) {
                continue;
            }
            if self.is_made_condition(k) {
                let chain = self.chain(self.found.nest.statements[k].inner);
                let statement = &mut self.found.nest.statements[k];
                statement.executed = Executed::ByUsers(chain);
                if fault("ranks_mask_unsaid") {
                    statement.reads.clear();
                }
                continue;
            }
            let Some(v) = self.found.works[k].defines else { continue };
            let chain = self.chain(self.found.nest.statements[k].inner);
            let private = |&l: &usize| {
                let is_behind = self.live.is_behind(self.found.loops[l].l.stmt, v) && !fault("ranks_scalar_behind");
                !flows[l].exposed.contains(&v) && !is_behind
            };
            let loops: Vec<usize> = chain.into_iter().filter(private).collect();
            if !loops.is_empty() {
                self.found.nest.statements[k].executed = Executed::ByUsers(loops);
            }
        }
    }

    /// Whether work `k` is a condition of an assignment of the source, as that of WHERE: its arms have no counts, so those who execute something
    /// in them evaluate it. The arms of an IF are counted, and so is a procedure that was inlined in an arm.
    fn is_made_condition(&self, k: usize) -> bool {
        let s = self.found.works[k].stmt;
        let procedure = |x: Stmt| self.infos.and_then(|infos| infos.procedure(self.u.own_source(x)?));
        let is_inlined = |x: Stmt| !self.u.head(x).is_invisible() && procedure(x) != procedure(s);
        if self.u.walk_stmt(s).into_iter().any(is_inlined) && !fault("ranks_mask_uncounted") {
            return false;
        }
        let kind = self.infos.and_then(|infos| infos.stmts.get(self.u.own_source(s)?)).map(|info| info.kind);
        let is_made =
            matches!(kind, Some(StmtKind::Assign | StmtKind::ArrayAssign | StmtKind::Where | StmtKind::Elsewhere));
        matches!(self.u.head(s), Head::If { .. } | Head::Select { .. }) && is_made
    }
}
