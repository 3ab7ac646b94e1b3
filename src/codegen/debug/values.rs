//! The values of variables in the CLIF of an optimized unit.
//!
//! While a unit is translated, a [`Trace`] records the beginnings of its statements and the value of each definition of
//! a register. When the function is complete, [`Flow::solve`] finds for every statement the value that a variable has
//! there, and the definitions that it comes from. Nothing is added to the function for that: where paths meet, a
//! parameter of the block is the variable if on each path the argument is the variable's value. That is assumed first
//! and given up where it does not hold, so loops are no exception.

use crate::debug::currency::{ENTRY, Mask};
use crate::types::Val;
use cranelift_codegen::dominator_tree::DominatorTree;
use cranelift_codegen::flowgraph::ControlFlowGraph;
use cranelift_codegen::ir::{Block, Function, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_ir::{ExprData, Stmt, Sym};

/// The limit of block parameters times variables beyond which no values are found.
const MOST_WORK: usize = 1 << 29;
/// The most rounds over the parameters that may be a variable.
const MOST_ROUNDS: usize = 40;

/// The events of a block.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A statement begins; none at the end of the procedure.
    At(Option<Stmt>),
    /// A register gets a value, or one that no value stands for; the statement that does it, or none at the entry.
    Def(Sym, Option<Stmt>, Option<Val>),
    /// A register gets the value of another, but no code does that.
    Copy(Sym, Option<Stmt>, Sym),
}

/// The notes of the translation of a unit.
#[derive(Default)]
pub(crate) struct Trace {
    steps: Vec<(Block, Step)>,
    current: Option<Stmt>,
    /// The addresses of dummy arguments.
    pub(crate) addresses: FxHashMap<Sym, Value>,
}

impl Trace {
    /// A statement begins.
    pub(crate) fn begin(&mut self, block: Option<Block>, s: Option<Stmt>) {
        self.current = s;
        self.steps.extend(block.map(|b| (b, Step::At(s))));
    }

    /// The current statement defines a register.
    pub(crate) fn define(&mut self, block: Option<Block>, v: Sym, value: Option<Val>) {
        self.steps.extend(block.map(|b| (b, Step::Def(v, self.current, value))));
    }

    /// The current statement defines a register whose value is not computed.
    pub(crate) fn skip(&mut self, block: Option<Block>, v: Sym, value: ExprData) {
        let step = match value {
            ExprData::Var(of) => Step::Copy(v, self.current, of),
            _ => Step::Def(v, self.current, None),
        };
        self.steps.extend(block.map(|b| (b, step)));
    }
}

/// The value of a variable: one of CLIF, or two of a complex number.
pub(crate) type Values = SmallVec<[Value; 2]>;

struct Node {
    params: SmallVec<[Value; 4]>,
    steps: Vec<Step>,
    /// The predecessors, with the values that they hand over.
    before: Vec<(usize, SmallVec<[Value; 4]>)>,
    /// The nearest block that every path to this one passes.
    dominator: Option<usize>,
    /// The blocks where paths that it dominates meet others.
    frontier: SmallVec<[usize; 2]>,
}

/// The blocks of a function and the effects in them.
pub(crate) struct Flow {
    nodes: Vec<Node>,
    /// The nodes, each after its dominator.
    order: Vec<usize>,
    /// The nodes that define each register, with the last definition.
    last: FxHashMap<Sym, Last>,
    /// The definitions of each register.
    definitions: FxHashMap<Sym, Vec<Option<Stmt>>>,
}

impl Flow {
    /// The values of a function that was translated with a trace.
    pub(crate) fn of(func: &Function, trace: &Trace) -> Flow {
        let blocks: Vec<Block> = func.layout.blocks().collect();
        let numbers: FxHashMap<Block, usize> = blocks.iter().enumerate().map(|(i, &b)| (b, i)).collect();
        let node = |&block: &Block| Node {
            params: func.dfg.block_params(block).iter().copied().collect(),
            steps: Vec::new(),
            before: Vec::new(),
            dominator: None,
            frontier: SmallVec::new(),
        };
        let mut nodes: Vec<Node> = blocks.iter().map(node).collect();
        for (i, &b) in blocks.iter().enumerate() {
            let Some(last) = func.layout.last_inst(b) else { continue };
            for call in func.dfg.insts[last].branch_destination(&func.dfg.jump_tables, &func.dfg.exception_tables) {
                let Some(&to) = numbers.get(&call.block(&func.dfg.value_lists)) else { continue };
                let args = call.args(&func.dfg.value_lists).filter_map(|a| a.as_value());
                let args = args.map(|v| func.dfg.resolve_aliases(v)).collect();
                nodes[to].before.push((i, args));
            }
        }
        let tree = DominatorTree::with_function(func, &ControlFlowGraph::with_function(func));
        for (i, &b) in blocks.iter().enumerate() {
            nodes[i].dominator = tree.idom(b).and_then(|d| numbers.get(&d).copied());
        }
        let order = tree.cfg_rpo().filter_map(|b| numbers.get(b).copied()).collect();
        let mut out = Flow { nodes, order, last: FxHashMap::default(), definitions: FxHashMap::default() };
        out.find_frontiers();
        let resolved = |value: Val| value.map(|v| func.dfg.resolve_aliases(v));
        for &(block, step) in &trace.steps {
            let Some(&node) = numbers.get(&block) else { continue };
            let step = match step {
                Step::Def(v, s, value) => Step::Def(v, s, value.map(resolved)),
                other => other,
            };
            if let Step::Def(v, s, _) | Step::Copy(v, s, _) = step {
                out.definitions.entry(v).or_default().push(s);
            }
            out.nodes[node].steps.push(step);
        }
        out.resolve_copies();
        for (i, node) in out.nodes.iter().enumerate() {
            for step in &node.steps {
                if let Step::Def(v, s, value) = *step {
                    out.last.entry(v).or_default().insert(i, (s, value));
                }
            }
        }
        out
    }

    /// Turns copies into definitions with the values of the registers that they copy, if these are certain: defined
    /// before in the same node, or only once and on all paths.
    fn resolve_copies(&mut self) {
        let mut only: FxHashMap<Sym, (usize, Option<Val>)> = FxHashMap::default();
        for i in self.order.clone() {
            let mut here: FxHashMap<Sym, Option<Val>> = FxHashMap::default();
            for k in 0..self.nodes[i].steps.len() {
                let (v, s, value) = match self.nodes[i].steps[k] {
                    Step::At(_) => continue,
                    Step::Def(v, s, value) => (v, s, value),
                    Step::Copy(v, s, of) => {
                        let before =
                            || only.get(&of).filter(|(at, _)| self.dominates(*at, i)).and_then(|known| known.1);
                        (v, s, here.get(&of).copied().unwrap_or_else(before))
                    }
                };
                self.nodes[i].steps[k] = Step::Def(v, s, value);
                here.insert(v, value);
                if self.definitions.get(&v).is_some_and(|all| all.len() == 1) {
                    only.insert(v, (i, value));
                }
            }
        }
        // Code that no path reaches.
        for step in self.nodes.iter_mut().flat_map(|n| &mut n.steps) {
            if let Step::Copy(v, s, _) = *step {
                *step = Step::Def(v, s, None);
            }
        }
    }

    /// Whether all paths to node `b` lead through `a`.
    fn dominates(&self, a: usize, b: usize) -> bool {
        std::iter::successors(Some(b), |&n| self.nodes[n].dominator).any(|n| n == a)
    }

    /// The statements that define a register; none for its entry value.
    pub(crate) fn definitions(&self, v: Sym) -> impl Iterator<Item = Option<Stmt>> + '_ {
        self.definitions.get(&v).into_iter().flatten().copied()
    }

    /// Whether there is time to look at this number of variables.
    pub(crate) fn affords(&self, variables: usize) -> bool {
        let steps: usize = self.nodes.iter().map(|n| n.steps.len() + 1 + n.params.len() * (1 + n.before.len())).sum();
        steps.saturating_mul(variables) <= MOST_WORK
    }

    /// Calls `each` for every statement with the definitions of `v` that reach it and the value that it has there.
    /// `mask` gives the definition that a statement makes. Only the first of several statements in a row that stand for
    /// the `same` source counts: a debugger shows variables as they are before the source statement.
    pub(crate) fn solve(
        &self,
        v: Sym,
        parts: usize,
        mask: &dyn Fn(Option<Stmt>) -> Mask,
        same: &dyn Fn(Stmt, Stmt) -> bool,
        each: &mut dyn FnMut(Option<Stmt>, Mask, Option<Values>),
    ) {
        let masks = self.masks(v, mask);
        let held: Vec<Vec<Option<Value>>> = (0..parts).map(|part| self.held(v, part)).collect();
        for (i, node) in self.nodes.iter().enumerate() {
            let mut reached = masks[i];
            let mut values: Option<Values> = held.iter().map(|h| h[i]).collect();
            let mut before = None;
            for step in &node.steps {
                match *step {
                    Step::At(s) => {
                        if !s.zip(before).is_some_and(|(s, before)| same(s, before)) {
                            each(s, reached, values.clone());
                        }
                        before = s;
                    }
                    Step::Def(x, s, value) if x == v => {
                        reached = mask(s);
                        values = value.and_then(|value| (0..parts).map(|k| part_of(value, k)).collect());
                    }
                    Step::Def(..) | Step::Copy(..) => {}
                }
            }
        }
    }

    /// The definitions that reach each node.
    fn masks(&self, v: Sym, mask: &dyn Fn(Option<Stmt>) -> Mask) -> Vec<Mask> {
        let mut reached: Vec<Mask> = vec![0; self.nodes.len()];
        let last: FxHashMap<usize, Mask> =
            self.last.get(&v).into_iter().flatten().map(|(&node, &(s, _))| (node, mask(s))).collect();
        if let Some(first) = reached.first_mut() {
            *first = ENTRY;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (i, node) in self.nodes.iter().enumerate() {
                let into = node
                    .before
                    .iter()
                    .fold(reached[i], |into, (from, _)| into | last.get(from).copied().unwrap_or(reached[*from]));
                changed |= into != reached[i];
                reached[i] = into;
            }
        }
        reached
    }

    /// Finds the joins of paths (Cooper, Harvey and Kennedy).
    fn find_frontiers(&mut self) {
        for i in 0..self.nodes.len() {
            if self.nodes[i].before.len() < 2 {
                continue;
            }
            for k in 0..self.nodes[i].before.len() {
                let mut at = Some(self.nodes[i].before[k].0);
                while let Some(n) = at.filter(|&n| Some(n) != self.nodes[i].dominator) {
                    if !self.nodes[n].frontier.contains(&i) {
                        self.nodes[n].frontier.push(i);
                    }
                    at = self.nodes[n].dominator;
                }
            }
        }
    }

    /// The value of a part of `v` at the beginning of each node.
    fn held(&self, v: Sym, part: usize) -> Vec<Option<Value>> {
        let none = FxHashMap::default();
        let last = self.last.get(&v).unwrap_or(&none);
        let mut out = vec![Held::Unknown; self.nodes.len()];
        let mut is_join = vec![false; self.nodes.len()];
        let mut todo: Vec<usize> = last.keys().copied().collect();
        while let Some(n) = todo.pop() {
            for &f in &self.nodes[n].frontier {
                if !std::mem::replace(&mut is_join[f], true) {
                    todo.push(f);
                }
            }
        }
        let joins: Vec<usize> = (0..self.nodes.len()).filter(|&j| is_join[j]).collect();
        for &j in &joins {
            out[j] = Held::Any((0..self.nodes[j].params.len()).collect());
        }
        for round in 0..=MOST_ROUNDS {
            self.inherit(&is_join, last, part, &mut out);
            let changed = self.narrow(&joins, last, part, &mut out);
            // The first of the parameters that agree.
            let is_open = |&&j: &&usize| matches!(&out[j], Held::Any(all) if all.len() > 1);
            let open = joins.iter().find(is_open).copied().filter(|_| !changed);
            if !changed && open.is_none() {
                break;
            }
            if round == MOST_ROUNDS {
                return vec![None; self.nodes.len()];
            }
            if let Some(Held::Any(all)) = open.map(|j| &mut out[j]) {
                all.truncate(1);
            }
        }
        let value = |(i, held): (usize, &Held)| match held {
            Held::Value(v) => Some(*v),
            Held::Of(j, all) if all.len() == 1 => self.nodes[*j].params.get(all[0]).copied(),
            Held::Any(all) if all.len() == 1 => self.nodes[i].params.get(all[0]).copied(),
            _ => None,
        };
        out.iter().enumerate().map(value).collect()
    }

    /// Gives each node that is no join the value that its dominator holds at its end.
    fn inherit(&self, is_join: &[bool], last: &Last, part: usize, out: &mut [Held]) {
        for &i in &self.order {
            if is_join[i] {
                continue;
            }
            out[i] = match self.nodes[i].dominator {
                Some(d) => self.after(d, last, part, out),
                None => Held::Unknown,
            };
        }
    }

    /// The value of `v` at the end of a node.
    fn after(&self, i: usize, last: &Last, part: usize, out: &[Held]) -> Held {
        match last.get(&i) {
            Some(&(_, value)) => value.and_then(|v| part_of(v, part)).map_or(Held::Unknown, Held::Value),
            None => match &out[i] {
                Held::Any(all) => Held::Of(i, all.clone()),
                held => held.clone(),
            },
        }
    }

    /// Removes parameters that are not the variable on some path; returns whether there were any.
    fn narrow(&self, joins: &[usize], last: &Last, part: usize, out: &mut [Held]) -> bool {
        let mut changed = false;
        for &j in joins {
            let Held::Any(all) = &out[j] else { continue };
            let mut kept = all.clone();
            for (from, args) in &self.nodes[j].before {
                match self.after(*from, last, part, out) {
                    Held::Value(v) => kept.retain(|k| args.get(*k) == Some(&v)),
                    Held::Of(at, params) => kept.retain(|k| {
                        params.iter().any(|p| args.get(*k).is_some_and(|a| self.nodes[at].params.get(*p) == Some(a)))
                    }),
                    Held::Any(_) | Held::Unknown => kept.clear(),
                }
            }
            if kept.len() != all.len() {
                changed = true;
                out[j] = Held::Any(kept);
            }
        }
        changed
    }
}

type Last = FxHashMap<usize, (Option<Stmt>, Option<Val>)>;

fn part_of(value: Val, part: usize) -> Option<Value> {
    match (value, part) {
        (Val::One(v) | Val::Two(v, _), 0) | (Val::Two(_, v), 1) => Some(v),
        _ => None,
    }
}

/// The value of a variable at the beginning of a block.
#[derive(Clone, Debug)]
enum Held {
    Value(Value),
    /// One of these parameters of the block.
    Any(SmallVec<[usize; 4]>),
    /// One of these parameters of another block.
    Of(usize, SmallVec<[usize; 4]>),
    Unknown,
}
