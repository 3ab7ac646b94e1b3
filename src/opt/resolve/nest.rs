//! Loop nests whose communication goes before them: the analysis.
//!
//! A nest is accepted if all that it reads of mapped arrays is known before it: its bounds are sums of multiples of outer loop variables and
//! of values that it does not change, it has no jumps and no calls with effects, the owners of the elements that it stores to follow from loop
//! variables, and no rank reads an element there that another rank has stored to before in the nest. Else the reason is told, and the
//! loops inside are looked at.
//!
//! **Who executes a statement.** The owners of the element that it stores to; for the reduction of a scalar the owners of an element that is
//! reduced; for a scalar that each iteration defines anew, and that nobody reads behind the loop, those who use it; else all ranks.

use super::apart::never_meet;
use super::arrays::Mapped;
use super::carry::Carried;
use super::element_of;
use super::forward::Forward;
use super::live::Live;
use super::states::{Known, States};
use crate::analysis::depend::{Dir, MAX_REFS, Side, dependence};
use crate::analysis::loops::DoLoop;
use crate::analysis::refs::{MemRef, Region};
use crate::linear::Linear;
use trueline_abi::nest::{Affine, Element, Executed, Loop, Nest, Statement, Subscript};
use trueline_ir::mapping::{Axis, Format, Other};
use trueline_ir::{
    Access, Block, Expr, ExprData, Head, Intrinsic, MappingData, Obstacle, Stmt, Storage, Sym, Unit, fault,
};
use trueline_provenance::StmtInfos;

/// A nest whose communication goes before it, or several, one behind the other, whose communication goes before the first.
pub(super) struct Found {
    /// The loops, or assignments, in order.
    pub(super) roots: Vec<Stmt>,
    /// As the runtime is told; the values are only counted in it when all guards are known.
    pub(super) nest: Nest,
    pub(super) loops: Vec<Around>,
    /// The statements and conditions, as in `nest`.
    pub(super) works: Vec<Work>,
    /// The numbers of the mapped arrays.
    pub(super) arrays: Vec<usize>,
    /// The values that bounds and subscripts are made of.
    pub(super) values: Vec<Linear>,
    /// The scalars that are reduced, each once, and whether the least value is wanted.
    pub(super) reductions: Vec<(Stmt, Expr, bool)>,
    /// Loops whose variable gets its last value behind the nest.
    pub(super) restored: Vec<usize>,
    /// Variables that go from rank to rank.
    pub(super) carried: Vec<Carried>,
    /// Loops with the same bounds that are parted in strips.
    pub(super) strips: Vec<usize>,
    /// The loop over the strips, or over inner and other iterations, once there is one.
    pub(super) around: Option<Stmt>,
    /// Whether the strips may need elements that are sent before all of them.
    pub(super) needs_more: bool,
    /// The conditionals whose arms are counted by the owners of an element, each for itself.
    pub(super) counted: Vec<Stmt>,
    /// The conditionals that all ranks evaluate, and why.
    pub(super) for_all: Vec<Refusal>,
}

impl Found {
    /// Whether it is one whose communication may go before that of others: no rank waits in it, and nothing is to be done behind it.
    pub(super) fn joins(&self) -> bool {
        !self.nest.sweeps() && self.carried.is_empty() && self.reductions.is_empty() && self.restored.is_empty()
    }

    /// The root that a statement is in.
    pub(super) fn root_of(&self, u: &Unit, s: Stmt) -> Stmt {
        let around = std::iter::once(s).chain(u.ancestors(s));
        around.into_iter().find(|x| self.roots.contains(x)).unwrap_or(s)
    }

    /// All statements in it, without counting ones.
    pub(super) fn stmts(&self, u: &Unit) -> Vec<Stmt> {
        let all = self.roots.iter().flat_map(|&r| u.walk_stmt(r));
        all.filter(|&s| !u.head(s).is_invisible()).collect()
    }

    /// Whether the subscripts of all elements that it reads are known before it.
    pub(super) fn names_elements(&self) -> bool {
        let mut reads = self.nest.statements.iter().flat_map(|s| &s.reads);
        reads.all(|e| e.subscripts.iter().all(|s| !matches!(s, Subscript::Any)))
    }
}

/// A loop of a nest.
pub(super) struct Around {
    pub(super) l: DoLoop,
    /// Whether it is in a conditional of the nest.
    in_conditional: bool,
    /// The bounds, where they are known through registers that the nest defines.
    pub(super) through: [Option<Linear>; 2],
    /// Whether each rank runs through its own iterations only.
    pub(super) is_local: bool,
    /// Whether these are all iterations on every rank that comes to the loop: no owner depends on its variable, and the loops around it have
    /// let the owners alone pass. Its bounds stay as they are, so everything that follows from constant ones still does.
    pub(super) is_whole: bool,
    /// The owners of subscripts of its variable that are asked for in each iteration of it, for all statements in it.
    pub(super) asked: Vec<Question>,
}

/// A statement or condition of a nest.
#[derive(Clone)]
pub(super) struct Work {
    pub(super) stmt: Stmt,
    /// The elements that it reads, as places.
    pub(super) reads: Vec<Expr>,
    /// The element that decides who executes it, as a place, and its mapped array.
    pub(super) decides: Option<(usize, Expr)>,
    /// The register that it defines, if that is all it does.
    pub(super) defines: Option<Sym>,
    /// The owners that are asked for each time.
    pub(super) asked: Vec<Question>,
    /// Whether it is in a conditional that only those evaluate who execute it.
    pub(super) is_inside: bool,
}

/// A question for the owners of a subscript: the mapped array, the dimension from 0, the subscript.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) array: usize,
    pub(super) dim: usize,
    pub(super) subscript: Expr,
}

/// The reason for which a nest is not accepted, and the statement that it is in.
pub(super) type Refusal = (Stmt, Obstacle);

/// The nest at `roots`, loops or assignments that follow one another; none if there is nothing to communicate or to share in it.
pub(super) fn of(
    u: &Unit,
    (arrays, states, live): (&[Mapped], &States, &Live),
    infos: Option<&StmtInfos>,
    roots: &[Stmt],
) -> Result<Option<Found>, Refusal> {
    let Some(&root) = roots.first() else { return Ok(None) };
    let region = Region::of_all(u, roots);
    if !region.refs.iter().any(|r| arrays.iter().any(|a| a.sym == r.sym)) {
        return Ok(None);
    }
    for (is_met, why) in [
        (region.jumps || region.labels, Obstacle::Jumps),
        (region.effects, Obstacle::Effects),
        (region.refs.len() > MAX_REFS, Obstacle::Size),
    ] {
        if is_met {
            return Err((root, why));
        }
    }
    let found = Found {
        roots: roots.to_vec(),
        nest: Nest::default(),
        loops: Vec::new(),
        works: Vec::new(),
        arrays: Vec::new(),
        values: Vec::new(),
        reductions: Vec::new(),
        restored: Vec::new(),
        carried: Vec::new(),
        strips: Vec::new(),
        around: None,
        needs_more: false,
        counted: Vec::new(),
        for_all: Vec::new(),
    };
    let known = arrays.iter().map(|a| states.known(u, a.sym, root)).collect();
    let forward = Forward::of(u, &found.stmts(u));
    let mut scan = Scan { u, arrays, known, live, infos, region, forward, found };
    for &root in roots {
        scan.stmt(root, None, false)?;
    }
    scan.values_and_conditions();
    scan.carry_or_conditions();
    scan.share();
    let along = scan.dependences()?;
    scan.found.strips = scan.strips(&along);
    scan.found.needs_more = !scan.found.strips.is_empty() && scan.needs_more();
    scan.found.nest.parted = scan.inner_first();
    scan.number();
    Ok(Some(scan.found))
}

pub(super) struct Scan<'a> {
    pub(super) u: &'a Unit,
    pub(super) arrays: &'a [Mapped],
    /// Their mappings in the nest.
    pub(super) known: Vec<Known<'a>>,
    pub(super) live: &'a Live,
    pub(super) infos: Option<&'a StmtInfos>,
    pub(super) region: Region,
    pub(super) forward: Forward,
    pub(super) found: Found,
}

/// First look: loops, statements, and the elements that they read and write.
impl Scan<'_> {
    fn block(&mut self, b: Block, inner: Option<usize>, in_conditional: bool) -> Result<(), Refusal> {
        for s in self.u.real_stmts(b).collect::<Vec<_>>() {
            self.stmt(s, inner, in_conditional)?;
        }
        Ok(())
    }

    fn stmt(&mut self, s: Stmt, inner: Option<usize>, in_conditional: bool) -> Result<(), Refusal> {
        let head = self.u.head(s);
        match head {
            Head::Do { .. } => self.enter(s, inner, in_conditional),
            Head::If { cond: value } | Head::Select { value, .. } => {
                let reads = self.reads(head);
                if !reads.is_empty() || self.is_computed(value, inner) {
                    let reads = if fault("ranks_condition_unsaid") { Vec::new() } else { reads };
                    self.work(s, inner, Executed::ByAll, reads);
                }
                for b in self.u.blocks(s).to_vec() {
                    self.block(b, inner, true)?;
                }
                Ok(())
            }
            Head::Assign { place, value } => self.assign(s, (place, value), inner),
            Head::Call { .. } => {
                let references = self.u.references(head);
                let is_mapped = |e: Expr| {
                    crate::alias::memory_of(self.u, e).is_some_and(|m| self.arrays.iter().any(|a| a.sym == m))
                };
                if references.iter().any(|&(access, place)| access != Access::In || is_mapped(place)) {
                    return Err((s, Obstacle::Effects));
                }
                let reads = self.reads(head);
                let work = self.work(s, inner, Executed::ByAll, reads);
                self.found.works[work].defines = self.u.defines(head);
                Ok(())
            }
            _ => Err((s, Obstacle::Jumps)),
        }
    }

    fn enter(&mut self, s: Stmt, parent: Option<usize>, in_conditional: bool) -> Result<(), Refusal> {
        let Some(l) = DoLoop::of(self.u, s) else { return Ok(()) };
        let step = l.constant_step(self.u).filter(|n| i32::try_from(*n).is_ok_and(|n| n != i32::MIN));
        let step = step.ok_or((s, Obstacle::Bounds))?;
        if !self.reads(self.u.head(s)).is_empty() {
            return Err((s, Obstacle::Bounds));
        }
        self.forward.at = Some(s);
        let [lo, hi] = [l.lo, l.hi].map(|e| self.affine(e, parent));
        let through = [l.lo, l.hi].map(|e| self.forward.other(self.u, e));
        self.forward.at = None;
        let (Some(lo), Some(hi)) = (lo, hi) else { return Err((s, Obstacle::Bounds)) };
        let number = self.found.loops.len();
        self.found.nest.loops.push(Loop { parent, lo, hi, step });
        self.found.loops.push(Around {
            l,
            in_conditional,
            through,
            is_local: false,
            is_whole: false,
            asked: Vec::new(),
        });
        self.block(l.body, Some(number), in_conditional)
    }

    fn assign(&mut self, s: Stmt, (place, value): (Expr, Expr), inner: Option<usize>) -> Result<(), Refusal> {
        let reads = self.reads(self.u.head(s));
        let Some(array) = element_of(self.u, self.arrays, place) else {
            let work = self.work(s, inner, Executed::ByAll, reads);
            self.found.works[work].defines = self.u.defines(self.u.head(s));
            self.note_value(s, place, value, inner);
            return Ok(());
        };
        let of = self.element(place, inner);
        if !self.tells_owner(array, &of) {
            return Err((s, Obstacle::Owner));
        }
        let work = self.work(s, inner, Executed::ByOwners { of, writes: true }, reads);
        self.found.works[work].decides = Some((array, place));
        Ok(())
    }

    /// Whether owners of the element follow from loop variables: each distributed dimension has one of them at most, alone.
    pub(super) fn tells_owner(&self, array: usize, e: &Element) -> bool {
        e.subscripts.iter().enumerate().all(|(d, s)| match s {
            _ if !self.is_distributed(array, d) => true,
            Subscript::Of(a) => matches!(a.terms.as_slice(), [] | [(_, 1 | -1)]),
            Subscript::Any | Subscript::Either(_) => false,
        })
    }

    /// Whether elements with different subscripts of a dimension may have different owners.
    fn is_distributed(&self, array: usize, dim: usize) -> bool {
        let is_on = |m: &MappingData| matches!(m.axes.get(dim), Some(Axis::On { .. }));
        self.known[array].may(is_on)
    }

    /// Whether the subscripts of an owner in a dimension may have gaps.
    fn has_gaps(&self, array: usize, dim: usize) -> bool {
        let has = |m: &MappingData| match m.axes.get(dim) {
            Some(Axis::On { format, .. }) => matches!(format, Format::Cyclic(_) | Format::Indirect(_)),
            _ => false,
        };
        self.known[array].may(has)
    }

    fn work(&mut self, stmt: Stmt, inner: Option<usize>, executed: Executed, reads: Vec<Expr>) -> usize {
        self.forward.at = Some(stmt);
        let elements = reads.iter().map(|&e| self.element(e, inner)).collect();
        self.forward.at = None;
        let (guards, late) = (Vec::new(), Vec::new());
        self.found.nest.statements.push(Statement { inner, executed, guards, reads: elements, late });
        self.found.works.push(Work { stmt, reads, decides: None, defines: None, asked: Vec::new(), is_inside: false });
        self.found.works.len() - 1
    }

    /// The elements of mapped arrays that the head of a statement reads, each once.
    fn reads(&self, head: Head) -> Vec<Expr> {
        let mut out = Vec::new();
        for e in self.u.values(head) {
            self.u.visit_expr(e, &mut |x| {
                if element_of(self.u, self.arrays, x).is_some() && !out.contains(&x) {
                    out.push(x);
                }
            });
        }
        out
    }

    /// Whether `e` depends on something that the nest computes, other than the variables of loops around it.
    fn is_computed(&self, e: Expr, inner: Option<usize>) -> bool {
        let vars: Vec<Sym> = self.chain(inner).into_iter().map(|l| self.found.loops[l].l.var).collect();
        self.u.registers_in(e).iter().any(|v| self.region.defined.contains(v) && !vars.contains(v))
            || self.reads_changed(e)
    }

    /// Whether `e` reads memory that the nest may write.
    fn reads_changed(&self, e: Expr) -> bool {
        let mut found = false;
        self.u.visit_expr(e, &mut |x| {
            found |= crate::alias::memory_of(self.u, x).is_some_and(|m| self.region.may_write(self.u, m));
        });
        found
    }

    pub(super) fn chain(&self, inner: Option<usize>) -> Vec<usize> {
        self.found.nest.chain(inner).collect()
    }

    /// An element of a mapped array, which gets a number in the nest.
    pub(super) fn element(&mut self, place: Expr, inner: Option<usize>) -> Element {
        let array = element_of(self.u, self.arrays, place).unwrap_or(0);
        let known = self.found.arrays.iter().position(|&a| a == array);
        let number = known.unwrap_or_else(|| {
            self.found.arrays.push(array);
            self.found.arrays.len() - 1
        });
        let ExprData::Elem(_, list) = self.u.expr(place) else {
            return Element { array: number, subscripts: Vec::new() };
        };
        let items = self.u.list(list).to_vec();
        Element { array: number, subscripts: items.into_iter().map(|e| self.subscript(e, inner)).collect() }
    }

    fn subscript(&mut self, e: Expr, inner: Option<usize>) -> Subscript {
        if let Some(sum) = self.affine(e, inner) {
            return Subscript::Of(sum);
        }
        let all = self.choices(Linear::of(self.u, e)).unwrap_or_default();
        let all: Option<Vec<Affine>> = all.into_iter().map(|sum| self.affine_of(sum, inner)).collect();
        all.filter(|all| !all.is_empty()).map_or(Subscript::Any, Subscript::Either)
    }

    /// The sums of which one is the value, if it is chosen by MERGE.
    fn choices(&self, sum: Linear) -> Option<Vec<Linear>> {
        let mut found = sum.terms.iter().filter_map(|&(t, factor)| match self.u.expr(t) {
            ExprData::Intrinsic(Intrinsic::Merge, list) => {
                Some((t, factor, [self.u.list(list)[0], self.u.list(list)[1]]))
            }
            _ => None,
        });
        let (t, factor, arms) = found.next().filter(|_| found.next().is_none())?;
        let arm = |e: Expr| {
            let mut sum = sum.clone();
            sum.add_term(t, factor.wrapping_neg());
            sum.add(self.u, e, factor);
            sum
        };
        Some(arms.map(arm).into())
    }

    /// `e` as a sum of multiples of the variables of the loops around and of a value that is known before the nest, and may be evaluated
    /// there.
    fn affine(&mut self, e: Expr, inner: Option<usize>) -> Option<Affine> {
        self.affine_of(Linear::of(self.u, e), inner)
    }

    fn affine_of(&mut self, sum: Linear, inner: Option<usize>) -> Option<Affine> {
        let mut rest = self.forward.through(self.u, sum);
        let mut terms = Vec::new();
        for l in self.chain(inner) {
            let factor = rest.take(self.u, self.found.loops[l].l.var);
            if factor != 0 {
                terms.push((l, factor));
            }
        }
        terms.sort_unstable();
        rest.terms.iter().all(|&(t, _)| self.is_known(t)).then(|| Affine { terms, value: self.value(rest) })
    }

    /// Whether `e` has the same value in the whole nest, and nothing can happen when it is evaluated where the nest would not.
    pub(super) fn is_known(&self, e: Expr) -> bool {
        let mut safe = !self.u.may_trap(e) && self.region.keeps_registers(self.u, e) && !self.reads_changed(e);
        self.u.visit_expr(e, &mut |x| {
            safe &= match self.u.expr(x) {
                ExprData::Elem(..) | ExprData::Wide(..) | ExprData::Load { .. } | ExprData::Substr(..) => false,
                ExprData::Var(v) => !matches!(self.u.sym(v).storage, Storage::Pointer { .. } | Storage::Within { .. }),
                _ => true,
            }
        });
        safe
    }

    /// The number of a value.
    fn value(&mut self, sum: Linear) -> usize {
        let same = |v: &Linear| v.constant == sum.constant && v.terms == sum.terms;
        self.found.values.iter().position(same).unwrap_or_else(|| {
            self.found.values.push(sum);
            self.found.values.len() - 1
        })
    }
}

/// Third look: whether a rank needs an element that another one stores to before.
impl Scan<'_> {
    /// The loops that run along the sweep, if it is one.
    fn dependences(&mut self) -> Result<Vec<usize>, Refusal> {
        let mut flows = Vec::new();
        for w in 0..self.found.works.len() {
            let Executed::ByOwners { writes: true, .. } = self.found.nest.statements[w].executed else { continue };
            let Some((array, place)) = self.found.works[w].decides else { continue };
            let is_overlooked =
                |r| fault("ranks_flow_overlooked") || fault("ranks_joined_flow") && self.are_apart(w, r);
            for r in 0..self.found.works.len() {
                for (k, &read) in self.found.works[r].reads.iter().enumerate() {
                    if element_of(self.u, self.arrays, read) != Some(array) || self.is_local(r, array, read) {
                        continue;
                    }
                    if !self.never_meet(w, r, k)
                        && self.follows((w, place, true), (r, read, false), w != r && self.is_before(w, r))
                        && !flows.contains(&(r, k))
                        && !is_overlooked(r)
                    {
                        flows.push((r, k));
                    }
                }
            }
        }
        self.sweep(&flows)
    }

    /// Whether two statements are in different roots.
    fn are_apart(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(|k| self.found.root_of(self.u, self.found.works[k].stmt));
        a != b
    }

    /// Whether statement `a` stands before statement `b`.
    pub(super) fn is_before(&self, a: usize, b: usize) -> bool {
        // Works are numbered in the order of the statements.
        a < b
    }

    /// The mapping of an array in the nest, if there is one only.
    pub(super) fn mapping(&self, array: usize) -> Option<&MappingData> {
        match self.known[array] {
            Known::One(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// Whether bounds say that the element that statement `w` stores to never is element `k` that statement `r` reads.
    pub(super) fn never_meet(&self, w: usize, r: usize, k: usize) -> bool {
        let nest = &self.found.nest;
        let [a, b] = [w, r].map(|s| &nest.statements[s]);
        let Executed::ByOwners { of, .. } = &a.executed else { return false };
        fault("ranks_never_meet") || never_meet(nest, &self.found.values, (of, a.inner), (&b.reads[k], b.inner))
    }

    /// Whether the second of two accesses to elements of one array may touch an element after the first one has; `is_before` if it does within an
    /// iteration. An access is a statement, the element as a place, and whether it is a store.
    pub(super) fn follows(
        &self,
        (w, place, stores): (usize, Expr, bool),
        (r, read, stores_too): (usize, Expr, bool),
        is_before: bool,
    ) -> bool {
        if self.found.loops.is_empty() && self.found.roots.len() == 1 {
            return is_before;
        }
        let [from, to] = [w, r].map(|k| self.found.works[k].stmt);
        let ExprData::Elem(sym, _) = self.u.expr(place) else { return true };
        let reference = |stmt, place, write| MemRef { stmt, sym, place, write, exact: true };
        let sides = [from, to].map(|s| Side::of(self.u, self.found.root_of(self.u, s), s));
        let chains = [w, r].map(|k| {
            let mut chain = self.chain(self.found.nest.statements[k].inner);
            chain.reverse();
            chain
        });
        let common = chains[0].iter().zip(&chains[1]).take_while(|(a, b)| a == b).count();
        let (a, b) = (reference(from, place, stores), reference(to, read, stores_too));
        let found = dependence(self.u, (&a, sides[0].as_ref()), (&b, sides[1].as_ref()), common, &self.region.defined);
        found.any(|directions| match directions.iter().position(|d| *d != Dir::Same) {
            Some(level) => directions[level] == Dir::Before && !self.is_independent(chains[0][level]),
            None => is_before,
        })
    }

    /// Whether an INDEPENDENT directive stands before the loop.
    fn is_independent(&self, l: usize) -> bool {
        let of = self.u.own_source(self.found.loops[l].l.stmt);
        of.is_some() && self.u.directives().iter().any(|d| d.of_loop == of && d.kind == "independent")
    }

    /// Whether all ranks that execute statement `k` own the element `read` then.
    pub(super) fn is_local(&self, k: usize, array: usize, read: Expr) -> bool {
        let wanted = self.owner(array, read);
        let is_same = |(by, place): (usize, Expr)| {
            let own = self.owner(by, place);
            own.len() == wanted.len() && own.iter().zip(&wanted).all(|(own, wanted)| wanted.is_empty() || own == wanted)
        };
        match &self.found.nest.statements[k].executed {
            Executed::ByAll => false,
            Executed::ByOwners { .. } => self.found.works[k].decides.is_some_and(is_same),
            // The users are the owners of all elements that are stored to in these loops. All ranks run through loops outside of the list.
            Executed::ByUsers(loops) => {
                let inside =
                    |o: usize| self.chain(self.found.nest.statements[o].inner).iter().any(|l| loops.contains(l));
                let all_loops = self.chain(self.found.nest.statements[k].inner).iter().all(|l| loops.contains(l));
                all_loops
                    && (0..self.found.works.len()).filter(|&o| inside(o)).all(|o| {
                        match &self.found.nest.statements[o].executed {
                            Executed::ByAll => false,
                            Executed::ByOwners { .. } => self.found.works[o].decides.is_some_and(is_same),
                            Executed::ByUsers(other) => *other == *loops,
                        }
                    })
            }
        }
    }

    /// A text for the coordinate of an element in each dimension of the grid: equal texts mean equal coordinates. Empty along dimensions
    /// where each coordinate has a copy. The last one is that of the grid itself.
    pub(super) fn owner(&self, array: usize, place: Expr) -> Vec<String> {
        let ExprData::Elem(_, list) = self.u.expr(place) else { return Vec::new() };
        let Known::One(mapping) = self.known[array] else {
            // Any two arrays may have different mappings.
            let text = |(d, &e): (usize, &Expr)| {
                let mut sum = Linear::of(self.u, e);
                sum.terms.sort_unstable();
                if self.is_distributed(array, d) { format!("array {array} {d} {sum:?}") } else { String::new() }
            };
            let mut out: Vec<String> = self.u.list(list).iter().enumerate().map(text).collect();
            out.push(format!("array {array}"));
            return out;
        };
        let mut out = vec![String::new(); mapping.grid.extents.len()];
        for (axis, &e) in mapping.axes.iter().zip(self.u.list(list)) {
            if let Axis::On { grid_dim, place, format, template } = axis {
                let mut sum = Linear::of(self.u, e);
                sum.terms.sort_unstable();
                out[usize::from(*grid_dim)] = format!("{place:?} {format:?} {template:?} {sum:?}");
            }
        }
        for (grid_dim, other) in &mapping.others {
            if let Other::Fixed { .. } = other {
                out[usize::from(*grid_dim)] = format!("{other:?}");
            }
        }
        out.push(format!("{:?}", mapping.grid));
        out
    }
}

/// Last look: who runs through which iterations, and where guards are.
impl Scan<'_> {
    fn share(&mut self) {
        for l in 0..self.found.loops.len() {
            let inside: Vec<usize> = (0..self.found.works.len())
                .filter(|&k| self.chain(self.found.nest.statements[k].inner).contains(&l))
                .collect();
            let is_shared = inside.iter().all(|&k| match &self.found.nest.statements[k].executed {
                Executed::ByAll => false,
                Executed::ByOwners { .. } => true,
                Executed::ByUsers(loops) => loops.contains(&l),
            });
            let owned = inside.iter().any(|&k| self.found.works[k].decides.is_some());
            let of = &self.found.nest.loops[l];
            let is_local = is_shared && owned && (of.is_fixed() || of.step.abs() == 1) && self.last_value_is_known(l);
            self.found.loops[l].is_local = is_local;
            if !is_local {
                for &k in &inside {
                    if let Executed::ByUsers(loops) = &mut self.found.nest.statements[k].executed {
                        loops.retain(|&x| x != l);
                    }
                }
            }
        }
        for l in 0..self.found.loops.len() {
            self.guard(l);
            self.found.loops[l].is_whole = self.found.loops[l].is_local && self.is_whole(l);
        }
        // A statement alone.
        for k in 0..self.found.works.len() {
            let s = &mut self.found.nest.statements[k];
            if s.inner.is_none() && matches!(s.executed, Executed::ByOwners { .. }) {
                s.guards.push(0);
            }
        }
        let behind = |&l: &usize| {
            let l = self.found.loops[l].l;
            self.live.is_behind(self.found.root_of(self.u, l.stmt), l.var)
        };
        let local = (0..self.found.loops.len()).filter(|&l| self.found.loops[l].is_local);
        self.found.restored = local.filter(behind).filter(|_| !fault("ranks_last_value")).collect();
    }

    /// Whether the last value of the variable of loop `l` is needed behind the nest at most, where it can be computed.
    pub(super) fn last_value_is_known(&self, l: usize) -> bool {
        let Around { l: of, in_conditional, .. } = &self.found.loops[l];
        let root = self.found.root_of(self.u, of.stmt);
        let behind = self.live.is_behind(root, of.var);
        let is_inside = |s: Stmt| {
            let around = self.u.ancestors(s).take_while(|&a| a != root).chain([root]);
            around.filter(|&a| a != s).any(|a| self.u.defines(self.u.head(a)) == Some(of.var))
        };
        let all = self.u.walk_stmt(root).into_iter().filter(|&s| !self.u.head(s).is_invisible());
        let mut outside = all.filter(|&s| !is_inside(s));
        let is_read = outside.any(|s| self.u.registers_read(self.u.head(s)).contains(&of.var));
        let is_unsure = behind && (*in_conditional || !self.has_bounds_behind(l));
        !is_read && !is_unsure
    }

    /// Whether each rank runs through all iterations of the local loop `l`, if it comes to it.
    fn is_whole(&self, l: usize) -> bool {
        let around: Vec<usize> = self.chain(self.found.nest.loops[l].parent);
        self.deciding(l).into_iter().all(|k| {
            // Ranks that own nothing of an array have no part in its grid, which only a loop whose variable tells owners sees.
            self.demands(k, l).is_empty() && around.iter().any(|&a| !self.demands(k, a).is_empty())
        })
    }

    /// The statements in loop `l` whose element decides who executes them.
    fn deciding(&self, l: usize) -> Vec<usize> {
        (0..self.found.works.len())
            .filter(|&k| self.chain(self.found.nest.statements[k].inner).contains(&l))
            .filter(|&k| self.found.works[k].decides.is_some())
            .collect()
    }

    /// The guards that compare the variable of loop `l`.
    fn guard(&mut self, l: usize) {
        let inside = self.deciding(l);
        let demands: Vec<Vec<String>> = inside.iter().map(|&k| self.demands(k, l)).collect();
        let is_same = demands.windows(2).all(|w| w[0] == w[1]);
        if is_same && self.found.loops[l].is_local {
            if let Some(&k) = inside.first() {
                self.found.loops[l].asked = self.questions(k, l);
            }
            return;
        }
        for (&k, demands) in inside.iter().zip(&demands) {
            if !demands.is_empty() && !self.found.works[k].is_inside {
                self.found.nest.statements[k].guards.push(l);
                let asked = self.questions(k, l);
                self.found.works[k].asked.extend(asked);
            }
        }
    }

    /// Texts for the conditions on the variable of loop `l` under which a rank executes statement `k`. A condition without a variable
    /// belongs to the outermost loop.
    fn demands(&self, k: usize, l: usize) -> Vec<String> {
        let Some((array, place)) = self.found.works[k].decides else { return Vec::new() };
        let Executed::ByOwners { of, .. } = &self.found.nest.statements[k].executed else { return Vec::new() };
        let is_outermost = self.found.nest.loops[l].parent.is_none();
        let owner = self.owner(array, place);
        let Known::One(mapping) = self.known[array] else {
            let is_here = |(d, s): (usize, &Subscript)| match s {
                Subscript::Of(a) => self.is_distributed(array, d) && a.terms.first().map_or(is_outermost, |t| t.0 == l),
                Subscript::Any | Subscript::Either(_) => false,
            };
            let dims = of.subscripts.iter().enumerate().filter(|&x| is_here(x));
            let mut out: Vec<String> = dims.map(|(d, _)| owner[d].clone()).collect();
            out.extend(owner.last().filter(|_| is_outermost).cloned());
            return out;
        };
        let mut out = Vec::new();
        let grid = owner.last().cloned().unwrap_or_default();
        for (axis, s) in mapping.axes.iter().zip(&of.subscripts) {
            if let (Axis::On { grid_dim, .. }, Subscript::Of(a)) = (axis, s)
                && a.terms.first().map_or(is_outermost, |t| t.0 == l)
            {
                out.push(format!("{grid_dim} {} {grid}", owner[usize::from(*grid_dim)]));
            }
        }
        for (grid_dim, other) in &mapping.others {
            if is_outermost && matches!(other, Other::Fixed { .. }) {
                out.push(format!("{grid_dim} {other:?} {grid}"));
            }
        }
        out.sort_unstable();
        out
    }

    /// The owners that have to be asked for in statement `k` because those of the variable of loop `l` have gaps.
    fn questions(&self, k: usize, l: usize) -> Vec<Question> {
        let Some((array, place)) = self.found.works[k].decides else { return Vec::new() };
        let (Executed::ByOwners { of, .. }, ExprData::Elem(_, list)) =
            (&self.found.nest.statements[k].executed, self.u.expr(place))
        else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for (dim, (&subscript, s)) in self.u.list(list).iter().zip(&of.subscripts).enumerate() {
            if let Subscript::Of(a) = s
                && self.has_gaps(array, dim)
                && a.terms.first().is_some_and(|t| t.0 == l)
            {
                out.push(Question { array, dim, subscript });
            }
        }
        out
    }

    /// Numbers the values behind the handles.
    fn number(&mut self) {
        let first = self.found.arrays.len();
        let nest = &mut self.found.nest;
        (nest.arrays, nest.values) = (first, first + self.found.values.len());
        let shift = |a: &mut Affine| a.value += first;
        let element = |e: &mut Element| {
            e.subscripts.iter_mut().for_each(|s| match s {
                Subscript::Any => {}
                Subscript::Of(a) => shift(a),
                Subscript::Either(all) => all.iter_mut().for_each(shift),
            });
        };
        for l in &mut nest.loops {
            shift(&mut l.lo);
            shift(&mut l.hi);
        }
        for s in &mut nest.statements {
            if let Executed::ByOwners { of, .. } = &mut s.executed {
                element(of);
            }
            s.reads.iter_mut().for_each(element);
            if s.reads.len() > 1 && s.late.is_empty() && fault("ranks_read_unsaid") {
                s.reads.pop();
            }
        }
    }
}
