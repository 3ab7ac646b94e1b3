//! Counts that follow from others by the structure of the source, so that no code counts them.
//!
//! ```text
//! do i = 1, n            iterations @1            entry ──▶ h ──iter @1──▶ b ──eval @2──▶ c ──taken @2──┐
//!   if (a(i) > x) then   evaluations @2, taken              ▲                            │             │
//!     k = k + 1                                             └────────────────────────────┴─────────────┘
//!   end if                                         iter = eval: one of the two is counted
//! ```
//!
//! The flow graph of each procedure is made of its source, right after the tallies are planted: an arc for each tally,
//! and nodes where control flow joins or splits. Any other code between two tallies joins nodes, so that at each node
//! the inflow equals the outflow (Kirchhoff). A statement that may not return leads to the end of the procedure as well
//! as on. These sums hold for the counts of the source, so they hold for every optimized form of the program, including
//! inlined copies (T2).
//!
//! After optimization, when the cost of each counter is known, a spanning forest of the arcs that cost most is taken: they
//! follow from the others, a minimal set that runs least often (Knuth and Stevenson, BIT 13, 1973). A count that a pass had to
//! give up follows in the same way.
//!
//! Counts of which each rank has a share follow from others of that kind alone, so that the share of one rank is known in a run that ends
//! before the ranks have added up their shares: for the arms that a rank executes hold the same sums, but not for the arms of all ranks
//! together with the evaluations that each of them counts. A count that was given up may follow from both kinds.
//!
//! In a run that is cut short each open activation may be off by one: such counts are marked.

use crate::discharge::Discharged;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use trueline_ir::{Block, ExprData, Head, Intrinsic, Label, Program, Stmt, Unit, UnitKind};
use trueline_provenance::{CounterInfo, Measure};

/// The most terms of a derived count; a longer sum keeps its counter.
const MOST_TERMS: usize = 24;

/// Constants times counts.
pub type Terms = Vec<(i64, CounterInfo)>;

/// The flow graph of all procedures.
#[derive(Clone, Default, Debug)]
pub struct Flow {
    arcs: Vec<Arc>,
    nodes: usize,
    forks: Vec<Fork>,
    /// The nodes that control may come to from elsewhere: labels, and the ends of procedures.
    places: Vec<usize>,
}

/// The place of a tally: control passes from one node to the other as often as the tally counts.
#[derive(Clone, Copy, Debug)]
struct Arc {
    from: usize,
    to: usize,
    counter: CounterInfo,
    /// The body that the tally stands in.
    body: usize,
}

/// A conditional.
#[derive(Clone, Debug)]
struct Fork {
    /// The node in front of it.
    from: usize,
    /// The node behind it.
    to: usize,
    /// The body that it stands in.
    body: usize,
    /// The arcs in its arms.
    arcs: std::ops::Range<usize>,
}

/// The flow graph of a program as [`crate::plant`] left it.
pub(crate) fn flow(program: &Program) -> Flow {
    let units = || program.units.iter().filter(|u| u.kind() != UnitKind::Data);
    let mut times: FxHashMap<CounterInfo, u32> = FxHashMap::default();
    for unit in units() {
        for s in unit.walk() {
            if let Head::Tally { counter, amount } = unit.head(s) {
                let once = unit.pool().as_int(amount) == Some(1);
                *times.entry(unit.counter(counter)).or_default() += if once { 1 } else { 2 };
            }
        }
    }
    let mut graph = Graph::default();
    for unit in units() {
        let end = graph.place();
        let mut walk = Walk { unit, times: &times, end, labels: FxHashMap::default(), body: 0, graph: &mut graph };
        let last = walk.block(unit.body(), end);
        graph.join(last, end);
    }
    graph.finish()
}

/// A graph under construction; nodes are joined in a union-find forest.
#[derive(Default)]
struct Graph {
    joined: Joined,
    arcs: Vec<Arc>,
    forks: Vec<Fork>,
    places: Vec<usize>,
    bodies: usize,
}

#[derive(Default)]
struct Joined(Vec<usize>);

impl Joined {
    fn find(&mut self, mut n: usize) -> usize {
        while self.0[n] != n {
            self.0[n] = self.0[self.0[n]];
            n = self.0[n];
        }
        n
    }

    /// Joins two sets; whether they were apart.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
        a != b
    }
}

impl Graph {
    fn node(&mut self) -> usize {
        self.joined.0.push(self.joined.0.len());
        self.joined.0.len() - 1
    }

    /// A node that control may come to from elsewhere.
    fn place(&mut self) -> usize {
        self.places.push(self.joined.0.len());
        self.node()
    }

    fn join(&mut self, a: usize, b: usize) {
        self.joined.join(a, b);
    }

    fn finish(mut self) -> Flow {
        let nodes = self.joined.0.len();
        for a in &mut self.arcs {
            (a.from, a.to) = (self.joined.find(a.from), self.joined.find(a.to));
        }
        for f in &mut self.forks {
            (f.from, f.to) = (self.joined.find(f.from), self.joined.find(f.to));
        }
        let places = self.places.iter().map(|&n| self.joined.find(n)).collect();
        Flow { arcs: self.arcs, nodes, forks: self.forks, places }
    }
}

/// Walks through a unit.
struct Walk<'a> {
    unit: &'a Unit,
    /// The number of tallies of each counter; a counter with one tally is an arc.
    times: &'a FxHashMap<CounterInfo, u32>,
    /// The node of the world outside, where control enters the procedure from and leaves it to.
    end: usize,
    labels: FxHashMap<Label, usize>,
    /// The body that is being walked through.
    body: usize,
    graph: &'a mut Graph,
}

impl Walk<'_> {
    fn label(&mut self, l: Label) -> usize {
        *self.labels.entry(l).or_insert_with(|| self.graph.place())
    }

    /// Walks through `b` from the node `at`; returns the node at its end.
    fn block(&mut self, b: Block, mut at: usize) -> usize {
        self.graph.bodies += 1;
        let around = std::mem::replace(&mut self.body, self.graph.bodies);
        for s in self.unit.stmts(b) {
            at = self.stmt(s, at);
        }
        self.body = around;
        at
    }

    fn stmt(&mut self, s: Stmt, at: usize) -> usize {
        let unit = self.unit;
        let head = unit.head(s);
        match head {
            Head::Tally { counter, .. } => {
                let counter = unit.counter(counter);
                if self.times.get(&counter) != Some(&1) {
                    return at;
                }
                let to = self.graph.node();
                self.graph.arcs.push(Arc { from: at, to, counter, body: self.body });
                return to;
            }
            Head::Label(l) => {
                let place = self.label(l);
                self.graph.join(at, place);
                return at;
            }
            Head::If { .. } | Head::Select { .. } => {
                let after = self.graph.node();
                let first = self.graph.arcs.len();
                for &b in unit.blocks(s) {
                    let end = self.block(b, at);
                    self.graph.join(end, after);
                }
                let arcs = first..self.graph.arcs.len();
                self.graph.forks.push(Fork { from: at, to: after, body: self.body, arcs });
                return after;
            }
            Head::Do { .. } => {
                let end = self.block(unit.blocks(s)[0], at);
                self.graph.join(end, at);
                return at;
            }
            Head::DoWhile { cond } => {
                let test = self.block(unit.blocks(s)[0], at);
                let end = self.block(unit.blocks(s)[1], test);
                self.graph.join(end, at);
                // Nothing but jumps leaves `do` without a condition.
                return if matches!(unit.expr(cond), ExprData::Logical(_, true)) { self.graph.node() } else { test };
            }
            _ => {}
        }
        for l in unit.targets(head) {
            let place = self.label(l);
            self.graph.join(at, place);
        }
        let ends = |x: Stmt| !unit.always_returns(unit.head(x)) || unit.head(x) == Head::Return;
        if unit.walk_stmt(s).into_iter().any(ends) {
            self.graph.join(at, self.end);
        }
        // Code behind a jump is reached by labels only.
        if head.is_jump() { self.graph.node() } else { at }
    }
}

/// Facts about a count that decide whether it follows from others.
struct Costs {
    of: FxHashMap<CounterInfo, u64>,
    lost: FxHashSet<CounterInfo>,
    kept: FxHashSet<CounterInfo>,
}

/// Takes out the counters that follow from others, except for the counters in `kept`. Of the counts in `of_ranks` each rank has a share.
pub(crate) fn apply(
    program: &mut Program,
    flow: &Flow,
    kept: &FxHashSet<CounterInfo>,
    of_ranks: &FxHashSet<CounterInfo>,
    out: &mut Discharged,
) {
    let costs = Costs {
        of: costs(program),
        lost: program.units.iter().flat_map(|u| u.log().lost.iter().map(|(c, _)| *c)).collect(),
        kept: program
            .units
            .iter()
            .map(|u| CounterInfo { of: u.serial(), measure: Measure::Invocations })
            .chain(kept.iter().copied())
            .collect(),
    };
    for (counter, terms) in solve_by_scope(flow, costs, of_ranks) {
        out.flow.insert(counter, terms);
    }
    let taken: FxHashSet<CounterInfo> = out.flow.keys().copied().collect();
    crate::derive::remove(program, &taken);
    out.fixed.retain(|f| !taken.contains(&f.counter));
}

/// The loops and conditionals around a statement that are looked at.
const MOST_LEVELS: usize = 100;

/// A counter that follows a variable of the program costs so much less than one with code of its own.
const FREE: u64 = 16;

/// The approximate costs of the counters: by the depth of the loops and conditionals around their tallies.
fn costs(program: &Program) -> FxHashMap<CounterInfo, u64> {
    let mut out: FxHashMap<CounterInfo, u64> = FxHashMap::default();
    for unit in program.units.iter().filter(|u| u.kind() != UnitKind::Data) {
        let order = unit.walk();
        let jumps = Jumps::new(unit, &order);
        let following = unit.following_tallies();
        for (at, &s) in order.iter().enumerate() {
            let Head::Tally { counter, amount } = unit.head(s) else { continue };
            let is_free = following.contains(&s);
            let instructions = match unit.expr(amount) {
                _ if unit.pool().as_int(amount).is_some() => 2,
                ExprData::Intrinsic(Intrinsic::Ones, _) => 3,
                _ => 5,
            };
            let cost = out.entry(unit.counter(counter)).or_default();
            let more = instructions * jumps.frequency(unit, s, at);
            *cost = cost.saturating_add(if is_free { (more / FREE).max(1) } else { more });
        }
    }
    out
}

/// The jumps back of a unit, which make loops.
pub(crate) struct Jumps {
    back: FxHashSet<Stmt>,
    /// For each statement in the order of the text, in how many such loops it is.
    depths: Vec<u32>,
}

impl Jumps {
    pub(crate) fn new(unit: &Unit, order: &[Stmt]) -> Jumps {
        let mut labels: FxHashMap<Label, usize> = FxHashMap::default();
        let mut ends: FxHashMap<usize, usize> = FxHashMap::default();
        let mut back = FxHashSet::default();
        for (at, &s) in order.iter().enumerate() {
            if let Head::Label(l) = unit.head(s) {
                labels.insert(l, at);
            }
            for l in unit.targets(unit.head(s)) {
                if let Some(&start) = labels.get(&l) {
                    ends.insert(start, at);
                    back.insert(s);
                }
            }
        }
        let mut changes = vec![(0u32, 0u32); order.len()];
        for (start, end) in ends {
            changes[start].0 += 1;
            changes[end].1 += 1;
        }
        let mut depth = 0;
        let depths = changes.into_iter().map(|(begin, end)| {
            depth += begin;
            let here = depth;
            depth -= end;
            here
        });
        Jumps { back, depths: depths.collect() }
    }

    /// The approximate number of executions of the statement `s`, number `at` of the unit. An arm that ends with a jump
    /// is assumed to leave the loop around it, unless it jumps back. A tally in an arm with nothing but a jump, or of SELECT
    /// with nothing at all, costs one jump more.
    pub(crate) fn frequency(&self, unit: &Unit, s: Stmt, at: usize) -> u64 {
        const ONCE: u64 = 1 << 10;
        let (mut loops, mut arms, mut leaves, mut jumps) = (self.depths[at], 0u32, false, 1);
        let innermost = loops == 0;
        let mut x = s;
        let mut levels = 0;
        // Levels farther out change nothing but the time that this takes.
        while let (Some(outer), Some(b), true) = (unit.enclosing(x), unit.parent(x), levels < MOST_LEVELS) {
            levels += 1;
            match unit.head(outer) {
                Head::Do { .. } | Head::DoWhile { .. } if leaves => leaves = false,
                Head::Do { .. } | Head::DoWhile { .. } | Head::GhostDo { .. } => loops += 1,
                _ => {
                    let last = unit.stmts(b).next_back().filter(|&last| unit.head(last).is_jump());
                    leaves |= last.is_some_and(|last| !self.back.contains(&last));
                    let is_empty = match unit.real_stmts(b).next() {
                        // In a plain build no code is there, and SELECT jumps to what follows it.
                        None => matches!(unit.head(outer), Head::Select { .. }),
                        first => first == last,
                    };
                    if x == s && is_empty {
                        jumps = 3;
                    }
                    arms += u32::from((loops == 0 || !innermost) && !leaves);
                }
            }
            x = outer;
        }
        if leaves {
            loops = loops.saturating_sub(1);
        }
        ((jumps * ONCE) >> arms.min(8)) << (4 * loops.min(8))
    }
}

/// The counts that follow from others, in terms of counts that do not. Shares follow from shares, and other counts from such.
fn solve_by_scope(flow: &Flow, mut costs: Costs, of_ranks: &FxHashSet<CounterInfo>) -> Vec<(CounterInfo, Terms)> {
    if of_ranks.is_empty() {
        return solve(flow, &costs);
    }
    let is_share = |a: &Arc| of_ranks.contains(&a.counter);
    let mut out = solve(&contracted(flow, &|a| !is_share(a), &[]), &costs);
    let outside = outside(flow, &is_share);
    out.extend(solve(&contracted(flow, &is_share, &outside), &costs));
    let known: FxHashMap<CounterInfo, Terms> = out.iter().cloned().collect();
    costs.lost.retain(|counter| !known.contains_key(counter));
    costs.of.clear();
    for (counter, terms) in solve(flow, &costs) {
        let mut sum: BTreeMap<CounterInfo, i64> = BTreeMap::new();
        for (k, of) in terms {
            match known.get(&of) {
                Some(terms) => terms.iter().for_each(|&(factor, of)| *sum.entry(of).or_default() += k * factor),
                None => *sum.entry(of).or_default() += k,
            }
        }
        out.push((counter, sum.into_iter().filter(|(_, k)| *k != 0).map(|(of, k)| (k, of)).collect()));
    }
    out
}

/// The nodes that a rank may pass without having counted how. Sums of shares hold at all other nodes: a rank comes to them, and leaves them,
/// in arms that it executes as the whole program does.
fn outside(flow: &Flow, is_share: &dyn Fn(&Arc) -> bool) -> Vec<usize> {
    let other = |a: &&Arc| !is_share(a);
    let whole: FxHashSet<usize> = flow.arcs.iter().filter(other).map(|a| a.body).collect();
    let shared: FxHashSet<usize> = flow.arcs.iter().map(|a| a.body).filter(|b| !whole.contains(b)).collect();
    let is_skipped = |f: &&Fork| !shared.contains(&f.body) && flow.arcs[f.arcs.clone()].iter().any(is_share);
    let mut out = flow.places.clone();
    out.extend(flow.arcs.iter().filter(other).flat_map(|a| [a.from, a.to]));
    out.extend(flow.forks.iter().filter(is_skipped).flat_map(|f| [f.from, f.to]));
    out
}

/// The graph with the arcs that `keep` is true for. The ends of each of the others are one node, as are all of `nodes`.
fn contracted(flow: &Flow, keep: &dyn Fn(&Arc) -> bool, nodes: &[usize]) -> Flow {
    let mut joined = Joined((0..flow.nodes).collect());
    let gone = flow.arcs.iter().filter(|a| !keep(a)).map(|a| (a.from, a.to));
    gone.chain(nodes.windows(2).map(|pair| (pair[0], pair[1]))).for_each(|(a, b)| {
        joined.join(a, b);
    });
    let kept = flow.arcs.iter().filter(|a| keep(a));
    let arcs = kept.map(|a| Arc { from: joined.find(a.from), to: joined.find(a.to), ..*a }).collect();
    Flow { arcs, nodes: flow.nodes, ..Flow::default() }
}

/// The counts that follow from others, in terms of counts that do not.
fn solve(flow: &Flow, costs: &Costs) -> Vec<(CounterInfo, Terms)> {
    let arcs = &flow.arcs;
    let cost = |a: &Arc| costs.of.get(&a.counter).copied().unwrap_or(0);
    let is_lost = |a: usize| costs.lost.contains(&arcs[a].counter);
    let wanted = |a: &usize| is_lost(*a) || (cost(&arcs[*a]) > 0 && !costs.kept.contains(&arcs[*a].counter));
    let mut order: Vec<usize> = (0..arcs.len()).filter(wanted).collect();
    order.sort_by_key(|&a| (!is_lost(a), Reverse(cost(&arcs[a])), rank(arcs[a].counter.measure), a));
    let mut joined = Joined((0..flow.nodes).collect());
    let mut tree: Vec<Vec<usize>> = vec![Vec::new(); flow.nodes];
    let mut in_tree = vec![false; arcs.len()];
    for a in order {
        if joined.join(arcs[a].from, arcs[a].to) {
            in_tree[a] = true;
            tree[arcs[a].from].push(a);
            tree[arcs[a].to].push(a);
        }
    }
    let mut sums: Vec<BTreeMap<usize, i64>> = vec![BTreeMap::new(); flow.nodes];
    for (a, arc) in arcs.iter().enumerate().filter(|&(a, arc)| !in_tree[a] && arc.from != arc.to) {
        add(&mut sums[arc.to], a, 1);
        add(&mut sums[arc.from], a, -1);
    }
    let mut out = Vec::new();
    // From the leaves: the inflow of the part of the tree below an arc is its outflow.
    for (n, a) in leaves_first(arcs, &tree) {
        let sum = std::mem::take(&mut sums[n]);
        let out_of = if arcs[a].from == n { 1 } else { -1 };
        let above = if arcs[a].from == n { arcs[a].to } else { arcs[a].from };
        let unknown = sum.keys().any(|&x| is_lost(x));
        let fits = !unknown && !sum.is_empty() && (sum.len() <= MOST_TERMS || is_lost(a));
        if !fits {
            // It has a counter of its own, or stays lost.
            add(&mut sums[above], a, out_of);
            continue;
        }
        let sign = if trueline_ir::fault("flow_sign") { -out_of } else { out_of };
        let terms = sum.iter().map(|(&x, &k)| (sign * k, arcs[x].counter)).collect();
        out.push((arcs[a].counter, terms));
        for (x, k) in sum {
            add(&mut sums[above], x, k);
        }
    }
    out
}

fn add(sum: &mut BTreeMap<usize, i64>, arc: usize, k: i64) {
    let n = sum.entry(arc).or_default();
    *n += k;
    if *n == 0 {
        sum.remove(&arc);
    }
}

/// The nodes of the forest but for its roots, each with the arc that leads to the root; those farther from it first.
fn leaves_first(arcs: &[Arc], tree: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut seen = vec![false; tree.len()];
    let mut out = Vec::new();
    for root in 0..tree.len() {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        let mut open = vec![root];
        while let Some(n) = open.pop() {
            for &a in &tree[n] {
                let other = arcs[a].from + arcs[a].to - n;
                if !std::mem::replace(&mut seen[other], true) {
                    out.push((other, a));
                    open.push(other);
                }
            }
        }
    }
    out.reverse();
    out
}

/// The order in which counts of equal cost follow from the others: calls last, for procedures follow from them.
fn rank(measure: Measure) -> u8 {
    match measure {
        Measure::Evaluations => 0,
        Measure::Taken(_) => 1,
        Measure::Iterations => 2,
        Measure::Elements => 3,
        Measure::Invocations => 4,
        Measure::Calls(_) => 5,
        // Not in the graph.
        m if m.is_of_trips() => 6,
        _ => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueline_provenance::Serial;

    fn counter(of: u32, measure: Measure) -> CounterInfo {
        CounterInfo { of: Serial::from_u32(of), measure }
    }

    fn costs(of: &[(CounterInfo, u64)], lost: &[CounterInfo]) -> Costs {
        Costs { of: of.iter().copied().collect(), lost: lost.iter().copied().collect(), kept: FxHashSet::default() }
    }

    fn arc(from: usize, to: usize, counter: CounterInfo) -> Arc {
        Arc { from, to, counter, body: 0 }
    }

    /// A conditional of three arms: 0 → 1 by the evaluations, from there back by each arm.
    fn arms() -> (Flow, [CounterInfo; 4]) {
        let evaluations = counter(1, Measure::Evaluations);
        let taken = [0, 1, 2].map(|k| counter(1, Measure::Taken(k)));
        let mut arcs = vec![arc(0, 1, evaluations)];
        arcs.extend(taken.iter().map(|&counter| arc(1, 0, counter)));
        (Flow { arcs, nodes: 2, ..Flow::default() }, [evaluations, taken[0], taken[1], taken[2]])
    }

    #[test]
    fn the_dearest_count_follows_from_the_others() {
        let (flow, [e, a, b, c]) = arms();
        let solved = solve(&flow, &costs(&[(e, 4), (a, 9), (b, 3), (c, 1)], &[]));
        assert_eq!(solved, [(a, vec![(1, e), (-1, b), (-1, c)])]);
        // A count that costs nothing is left alone.
        let solved = solve(&flow, &costs(&[(a, 9), (b, 3), (c, 1)], &[]));
        assert_eq!(solved, [(a, vec![(1, e), (-1, b), (-1, c)])]);
        assert_eq!(solve(&flow, &costs(&[], &[])), []);
    }

    #[test]
    fn lost_counts_follow_if_no_other_is_lost() {
        let (flow, [e, a, b, c]) = arms();
        let of = [(e, 4), (a, 9), (b, 3), (c, 1)];
        assert_eq!(solve(&flow, &costs(&of, &[c])), [(c, vec![(1, e), (-1, a), (-1, b)])]);
        assert_eq!(solve(&flow, &costs(&of, &[b, c])), []);
    }

    /// A conditional that one rank evaluates for all, and in its last arm another one: no sum has shares and other counts.
    #[test]
    fn shares_follow_from_shares() {
        let e = counter(1, Measure::Evaluations);
        let first = counter(1, Measure::Taken(0));
        let inner = counter(2, Measure::Evaluations);
        let arms = [0, 1].map(|k| counter(2, Measure::Taken(k)));
        let places = [(0, 1, e, 0), (1, 0, first, 1), (1, 2, inner, 2), (2, 0, arms[0], 3), (2, 0, arms[1], 4)];
        let arcs = places.map(|(from, to, counter, body)| Arc { from, to, counter, body }).to_vec();
        let forks = vec![Fork { from: 1, to: 0, body: 0, arcs: 1..5 }, Fork { from: 2, to: 0, body: 2, arcs: 3..5 }];
        let flow = Flow { arcs, nodes: 3, forks, places: vec![0] };
        let of = [(e, 1), (first, 9), (inner, 8), (arms[0], 3), (arms[1], 3)];
        let shares: FxHashSet<CounterInfo> = [first, inner, arms[0], arms[1]].into_iter().collect();
        let solved = |of_ranks: &FxHashSet<CounterInfo>, lost: &[CounterInfo]| {
            let mut out = solve_by_scope(&flow, costs(&of, lost), of_ranks);
            out.iter_mut().for_each(|(_, terms)| terms.sort_by_key(|(_, of)| (of.of, of.measure)));
            out
        };
        assert_eq!(solved(&shares, &[]), [(inner, vec![(1, arms[0]), (1, arms[1])])]);
        let all = FxHashSet::default();
        assert!(solved(&all, &[]).contains(&(first, vec![(1, e), (-1, arms[0]), (-1, arms[1])])));
        // A count that was given up follows from both kinds.
        let given_up: FxHashSet<CounterInfo> = [inner, arms[0], arms[1]].into_iter().collect();
        let wanted = (first, vec![(1, e), (-1, arms[0]), (-1, arms[1])]);
        assert!(solved(&given_up, &[first]).contains(&wanted));
    }

    #[test]
    fn long_sums_are_cut() {
        // A chain of tests, each with an arm that leaves.
        let n = 100;
        let arm = |k: usize| arc(k + 1, 0, counter(k as u32, Measure::Taken(0)));
        let test = |k: usize| arc(k, k + 1, counter(k as u32, Measure::Evaluations));
        let arcs: Vec<Arc> = (0..n).flat_map(|k| [test(k), arm(k)]).collect();
        let of: Vec<(CounterInfo, u64)> =
            arcs.iter().map(|a| (a.counter, if a.counter.measure == Measure::Evaluations { 2 } else { 1 })).collect();
        let solved = solve(&Flow { arcs, nodes: n + 1, ..Flow::default() }, &costs(&of, &[]));
        assert!(solved.iter().all(|(_, terms)| terms.len() <= MOST_TERMS));
        assert!(solved.len() > n * 9 / 10, "{}", solved.len());
    }
}
