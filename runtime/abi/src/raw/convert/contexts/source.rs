//! Constructs and counted calls: the facts about places in the calling tree that the source and the counts give.

use super::{Found, Measured, Way};
use crate::profile::Construct;
use crate::raw::convert::objects::OfCall;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// The calls of one procedure by another at one line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    pub(super) caller: usize,
    pub(super) callee: usize,
    pub(super) line: u32,
    /// The innermost construct around the first of them.
    pub(super) within: usize,
    pub(super) calls: u64,
}

/// Procedures and lines of calls, and whether there are other ways.
type Steps = (Vec<(usize, u32)>, bool);

/// The most nodes that are searched for a way between two procedures.
const FARTHEST: usize = 2000;

/// Ways that were looked for: from a procedure, and the construct in it, to another.
type Known = RefCell<HashMap<(usize, Option<usize>, usize), Steps>>;

/// The constructs of the profile, by position.
pub(super) struct Source<'a> {
    pub(super) constructs: &'a [Construct],
    at: HashMap<u32, usize>,
    parents: Vec<Option<usize>>,
    procedures: Vec<usize>,
    pub(super) calls: Vec<Counted>,
    from: HashMap<usize, Vec<usize>>,
    to: HashMap<usize, Vec<usize>>,
    /// The constructs that have contexts.
    timed: HashSet<usize>,
    known: Known,
}

impl<'a> Source<'a> {
    pub(super) fn new(
        found: &Found,
        serials: &HashMap<u64, u32>,
        measured: &Measured,
        constructs: &'a [Construct],
    ) -> Source<'a> {
        let at: HashMap<u32, usize> = constructs.iter().enumerate().map(|(i, c)| (c.serial, i)).collect();
        // A construct stands before those in it.
        let parent = |(i, c): (usize, &Construct)| c.parent.and_then(|p| at.get(&p).copied()).filter(|&p| p < i);
        let parents: Vec<Option<usize>> = constructs.iter().enumerate().map(parent).collect();
        let mut procedures: Vec<usize> = Vec::with_capacity(constructs.len());
        for (i, c) in constructs.iter().enumerate() {
            let around = parents[i].filter(|_| !is_procedure(c)).map(|p| procedures[p]);
            procedures.push(around.unwrap_or(i));
        }
        let mut sums: BTreeMap<(usize, usize, u32), Counted> = BTreeMap::new();
        for OfCall { caller, symbol, line, calls, within, .. } in found.calls.iter().filter(|c| c.calls > 0) {
            let callee = found.symbols.get(symbol).and_then(|s| at.get(s));
            let (Some(&caller), Some(&callee)) = (at.get(caller), callee) else { continue };
            let within = within.and_then(|s| at.get(&s).copied()).unwrap_or(caller);
            let new = Counted { caller, callee, line: *line, within, calls: 0 };
            let sum = sums.entry((caller, callee, *line)).or_insert(new);
            sum.calls = sum.calls.saturating_add(*calls);
        }
        let calls: Vec<Counted> = sums.into_values().collect();
        let (mut from, mut to): (HashMap<usize, Vec<usize>>, HashMap<usize, Vec<usize>>) = Default::default();
        for (i, c) in calls.iter().enumerate() {
            from.entry(c.caller).or_default().push(i);
            to.entry(c.callee).or_default().push(i);
        }
        let kept = measured.threads.iter().flat_map(|t| &t.contexts);
        let members = |record: u64| {
            let merged = found.instances.get(&record).map(|i| i.members.as_slice());
            merged.unwrap_or_default().iter().chain(serials.get(&record)).filter_map(|s| at.get(s).copied())
        };
        let timed = kept.flat_map(|n| members(n.record)).collect();
        Source { constructs, at, parents, procedures, calls, from, to, timed, known: Default::default() }
    }

    /// The position of a construct.
    pub(super) fn position(&self, serial: u32) -> Option<usize> {
        self.at.get(&serial).copied()
    }

    pub(super) fn is_procedure(&self, c: usize) -> bool {
        is_procedure(&self.constructs[c])
    }

    pub(super) fn procedure_of(&self, c: usize) -> usize {
        self.procedures[c]
    }

    pub(super) fn parent(&self, c: usize) -> Option<usize> {
        self.parents[c]
    }

    /// Whether a construct without a recorded context stands in the tree: if samples fell into it, or it was entered,
    /// so that a construct in it may have time.
    pub(super) fn is_node(&self, c: usize) -> bool {
        let c = &self.constructs[c];
        let n = &c.counts;
        let is_off = matches!(c.untimed.as_deref(), Some("filtered" | "paused"));
        c.time.is_some() || (!is_off && n.invocations.or(n.evaluations).is_some_and(|n| n > 0))
    }

    /// The exclusive time of a construct in nanoseconds.
    pub(super) fn own(&self, c: usize) -> f64 {
        self.constructs[c].time.map_or(0, |t| t.exclusive_ns) as f64
    }

    /// The counted calls of a procedure.
    pub(super) fn calls_of(&self, callee: usize) -> impl Iterator<Item = &Counted> {
        self.to.get(&callee).into_iter().flatten().map(|&i| &self.calls[i])
    }

    /// The construct and those around it that stand in the tree, in their procedure, outermost first.
    pub(super) fn nodes_around(&self, c: usize) -> Vec<usize> {
        let around = std::iter::successors(Some(c), |&c| self.parents[c]).take_while(|&c| !self.is_procedure(c));
        let mut out: Vec<usize> = around.filter(|&c| self.is_node(c)).collect();
        out.reverse();
        out
    }

    /// The way to an instance of a construct, which is the last step. `via` are the calls that it was inlined through, innermost first.
    pub(super) fn way_to(&self, construct: usize, via: &[(u32, u32)]) -> Way {
        let calls = via.iter().rev().filter_map(|&(caller, line)| Some((self.position(caller)?, line)));
        let calls: Vec<(usize, u32)> = calls.collect();
        let own = self.procedure_of(construct);
        let mut way = Way { host: calls.first().map_or(own, |c| c.0), ..Way::default() };
        for (i, &(caller, line)) in calls.iter().enumerate() {
            let callee = calls.get(i + 1).map_or(own, |c| c.0);
            let counted = self.calls_of(callee).find(|c| (c.caller, c.line) == (caller, line));
            let around = counted.map_or(vec![], |c| self.nodes_around(c.within));
            way.steps.extend(around.into_iter().map(|c| (c, 0)));
            way.steps.push((callee, line));
        }
        if !self.is_procedure(construct) {
            let around = self.parents[construct].map_or(vec![], |p| self.nodes_around(p));
            way.steps.extend(around.into_iter().map(|c| (c, 0)));
            way.steps.push((construct, 0));
        }
        way
    }

    /// The innermost construct with contexts around a construct, in its procedure, or the construct itself.
    pub(super) fn timed_around(&self, c: usize) -> Option<usize> {
        let around = std::iter::successors(Some(c), |&c| self.parents[c]).take_while(|&c| !self.is_procedure(c));
        around.into_iter().find(|c| self.timed.contains(c))
    }

    /// The procedures from the one that `from` calls, in its construct `inside`, to `to`, with the lines of the calls
    /// and the constructs around them: the shortest way through procedures without contexts. Without such a way `to`
    /// alone, with no line.
    pub(super) fn between(&self, from: Option<usize>, inside: Option<usize>, to: usize) -> Steps {
        let Some(from) = from else { return (vec![(to, 0)], false) };
        let inside = inside.and_then(|c| self.timed_around(c));
        let key = (from, inside, to);
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let steps = self.search(from, inside, to);
        self.known.borrow_mut().insert(key, steps.clone());
        steps
    }

    fn search(&self, from: usize, inside: Option<usize>, to: usize) -> Steps {
        // A call in another construct with contexts would have come from a context of that construct.
        let is_here = |c: &&Counted| c.caller != from || self.timed_around(c.within) == inside;
        let mut before: HashMap<usize, usize> = HashMap::new();
        let mut todo = VecDeque::from([from]);
        'search: while let Some(p) = todo.pop_front() {
            for call in self.from.get(&p).into_iter().flatten().map(|&i| &self.calls[i]).filter(is_here) {
                let callee = call.callee;
                if before.len() > FARTHEST {
                    break 'search;
                }
                let is_way = callee == to || !self.timed.contains(&callee);
                if !is_way || (callee == from && to != from) || before.contains_key(&callee) {
                    continue;
                }
                before.insert(callee, p);
                if callee == to {
                    break 'search;
                }
                todo.push_back(callee);
            }
        }
        if !before.contains_key(&to) {
            return (vec![(to, 0)], false);
        }
        let (mut out, mut at, mut ambiguous) = (Vec::new(), to, false);
        loop {
            let caller = before[&at];
            let hops: Vec<&Counted> = self.calls_of(at).filter(|c| c.caller == caller).filter(is_here).collect();
            let others = self.calls_of(at).any(|c| c.caller != caller && before.contains_key(&c.caller));
            ambiguous |= hops.len() != 1 || others;
            match hops[..] {
                [hop] => {
                    out.push((at, hop.line));
                    out.extend(self.nodes_around(hop.within).into_iter().rev().map(|c| (c, 0)));
                }
                _ => out.push((at, 0)),
            }
            at = caller;
            if at == from {
                break;
            }
        }
        out.reverse();
        (out, ambiguous)
    }
}

fn is_procedure(c: &Construct) -> bool {
    matches!(c.kind.as_str(), "procedure" | "program")
}
