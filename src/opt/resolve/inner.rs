//! Inner iterations first: while elements of other ranks are on their way, a rank computes everything that does not need them.
//!
//! ```text
//!                                       call nest(…)              sends; says which iterations are inner ones     @1
//! do j = 2, n - 1            @1         do part = 1, parts                                                        @1
//!   do i = 2, n - 1          @2    =>     do j = first, last      of this part                                    @1
//!     b(i, j) = a(i, j - 1)  @3             do i = 2, n - 1                                                       @2
//!                                             b(i, j) = a(i, j - 1)                                               @3
//!                                         call part(…)            receives; says which iterations are the next    @1
//! ```
//!
//! The outermost loop is the one that is parted, if its owners are the ranks: inside, the border would be walked through element by element, which takes
//! longer than the wait that it hides. Its iterations change their order, so none may need another one.

use super::Code;
use super::nest::{Found, Scan};
use crate::analysis::depend::{Dir, Side, dependence};
use crate::analysis::registers::Flow;
use trueline_abi::nest::Executed;
use trueline_ir::{Access, ExpandKind, ExprData, Head, Place, Rt, Stmt, Sym, Type, fault};

impl Scan<'_> {
    /// The loop whose inner iterations may go first: it is the first root that needs elements which may come from other ranks.
    pub(super) fn inner_first(&self) -> Option<usize> {
        let found = &self.found;
        let root = *found.roots.iter().find(|&&root| self.may_come(root))?;
        let l = found.loops.iter().position(|a| a.l.stmt == root)?;
        let (around, of) = (&found.loops[l], &found.nest.loops[l]);
        let fits =
            around.is_local && !around.is_whole && around.asked.is_empty() && of.is_fixed() && of.step.abs() == 1;
        let waits = found.nest.sweeps() || !found.carried.is_empty() || !found.for_all.is_empty();
        if !fits || waits || !self.is_shared(root) || !self.leaves_no_variable(root) {
            return None;
        }
        let is_free = fault("ranks_inner_dependent") || self.keeps_no_register(l) && self.is_parallel(root);
        is_free.then_some(l)
    }

    /// The statements of the nest in `root`, by their numbers.
    fn works_in(&self, root: Stmt) -> impl Iterator<Item = usize> {
        (0..self.found.works.len()).filter(move |&k| self.found.root_of(self.u, self.found.works[k].stmt) == root)
    }

    /// Whether statements in `root` read elements that other ranks may own.
    fn may_come(&self, root: Stmt) -> bool {
        self.works_in(root).any(|k| {
            let reads = self.found.nest.statements[k].reads.iter().zip(&self.found.works[k].reads);
            reads.into_iter().any(|(element, &place)| !self.is_local(k, self.found.arrays[element.array], place))
        })
    }

    /// Whether each statement in `root` is the work of some ranks.
    fn is_shared(&self, root: Stmt) -> bool {
        self.works_in(root).all(|k| self.found.nest.statements[k].executed != Executed::ByAll)
    }

    /// Whether nobody reads the variables of the loops in `root` behind it; some get their last value there in any case.
    fn leaves_no_variable(&self, root: Stmt) -> bool {
        let loops = self.found.loops.iter().enumerate();
        let mut inside = loops.filter(|(_, a)| a.l.stmt == root || self.u.ancestors(a.l.stmt).any(|s| s == root));
        inside.all(|(l, a)| self.found.restored.contains(&l) || !self.live.is_behind(root, a.l.var))
    }

    /// Whether no iteration of loop `l` reads a register that another one has defined, and nobody reads one behind it.
    fn keeps_no_register(&self, l: usize) -> bool {
        let vars: Vec<Sym> = self.found.loops.iter().map(|a| a.l.var).collect();
        let (of, root) = (self.found.loops[l].l, self.found.loops[l].l.stmt);
        let flow = Flow::of(self.u, of.body);
        let defined = &self.region.defined;
        flow.exposed.iter().all(|v| !defined.contains(v) || *v == of.var)
            && defined.iter().all(|&v| vars.contains(&v) || !self.live.is_behind(root, v))
    }

    /// Whether no iteration of the loop `root` touches memory that another one stores to.
    fn is_parallel(&self, root: Stmt) -> bool {
        let inside = self.region.refs.iter().filter(|r| r.stmt == root || self.u.ancestors(r.stmt).any(|s| s == root));
        let refs: Vec<_> = inside.map(|r| (r, Side::of(self.u, root, r.stmt))).collect();
        refs.iter().enumerate().all(|(n, (x, at_x))| {
            refs[n..].iter().all(|(y, at_y)| {
                let found = dependence(self.u, (x, at_x.as_ref()), (y, at_y.as_ref()), 1, &self.region.defined);
                !found.any(|v: &[Dir]| v[0] != Dir::Same)
            })
        })
    }
}

/// Puts loop `l` into a loop over its parts, in which `code` goes on. The runtime writes the bounds of a part behind the values in `memory`. All counts
/// have left the loop.
pub(super) fn apply(code: &mut Code<'_, '_, '_>, found: &mut Found, memory: Sym, l: usize) {
    let root = found.loops[l].l.stmt;
    code.at = Place::Before(root);
    let count = found.nest.values + found.nest.answers() - 1;
    let parts = super::partition::answer(code, memory, count, Type::I8);
    let var = code.ed.new_register("number", Type::I8);
    let [one, step] = [1, 1].map(|n| code.ed.int(Type::I8, n));
    let head = Head::Do { var, lo: one, hi: parts, step };
    found.around = Some(code.ed.expand_around(root, head, 0, ExpandKind::Lower));
    // The elements have to be there for the next part.
    code.at = Place::After(root);
    let first = super::partition::number(code, memory, 0);
    let first = code.ed.make(ExprData::AddrOf(Access::InOut, first));
    let location = code.location();
    code.call(Rt::RanksPart, &[first, location]);
    code.at = Place::Before(root);
}
