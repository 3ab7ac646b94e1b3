//! The six times of a rank (HPF profiling paper, section 2) for each construct, from the ledger of its messages by line.
//!
//! The runtime measures all times but user time by itself, for each statement that communicates. A statement belongs to the innermost
//! construct around it; where that one ran in several contexts, they share the time by their own times. User time is the rest of the construct's
//! own time. **Invariant:** the six times of all constructs without those inside, with the time outside of them all, add up to the time of
//! the rank.

use super::{Categories, Processor, Profile};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A statement for which ranks communicated.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Communicates {
    /// The innermost construct around it that is in the calling tree; none if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serial: Option<u32>,
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// Messages with elements that were sent from here.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Nanoseconds of choosing, packing and copying elements.
    pub communication: u64,
    /// Nanoseconds until a message came.
    pub late_sender: u64,
    /// Nanoseconds until there was room for a message.
    pub late_receiver: u64,
    /// Nanoseconds of the runtime library: plans and mappings.
    pub runtime: u64,
    /// Nanoseconds of global operations.
    pub global: u64,
    /// Nanoseconds in which the rank slept while it waited for others. They are a part of the waiting, and no sample sees them.
    #[serde(skip)]
    pub asleep: u64,
    /// The arrays whose elements were sent, by name and directive. Bytes are each array's own; a message with elements of several arrays counts
    /// for the first of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
}

/// An array whose elements were sent.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Reference {
    /// Its name.
    pub name: String,
    /// The directive that maps it, as `file:line`; empty if that is not known.
    pub directive: String,
    /// Messages.
    pub messages: u64,
    /// Bytes.
    pub bytes: u64,
}

impl Communicates {
    /// The place of the innermost construct around the statement.
    pub(crate) fn innermost(&self, constructs: &[super::Construct]) -> Option<usize> {
        let holds =
            |c: &super::Construct| c.file == self.file && c.line <= self.line && self.line <= c.end_line.max(c.line);
        let all = constructs.iter().enumerate().filter(|(_, c)| holds(c));
        all.max_by_key(|(_, c)| (c.line, c.serial)).map(|(k, _)| k)
    }

    fn times(&self) -> Own {
        [self.communication, self.late_sender, self.late_receiver, self.runtime, self.global]
    }
}

/// All times but that of user code.
type Own = [u64; 5];

fn add(to: &mut Categories, user: u64, own: &Own) {
    let [communication, late_sender, late_receiver, runtime, global] = *own;
    to.user += user;
    to.communication += communication;
    to.late_sender += late_sender;
    to.late_receiver += late_receiver;
    to.synchronization += late_sender + late_receiver;
    to.runtime += runtime;
    to.global += global;
    to.elapsed += user + own.iter().sum::<u64>();
}

/// Puts the statements that communicated into the profile of one of `ranks` ranks, and gives each construct its six times.
pub fn settle(profile: &mut Profile, ranks: u32, mut statements: Vec<Communicates>) {
    let elapsed = profile.clock.elapsed_ns;
    let nodes: Vec<usize> = (0..profile.call_tree.len()).filter(|&k| profile.call_tree[k].thread == 0).collect();
    let mut of_serial: HashMap<u32, Vec<usize>> = HashMap::new();
    nodes.iter().for_each(|&k| of_serial.entry(profile.call_tree[k].serial).or_default().push(k));
    let mut own: Vec<Own> = vec![[0; 5]; profile.call_tree.len()];
    let mut whole: u64 = 0;
    for s in &mut statements {
        whole = whole.saturating_add(s.times().iter().sum());
        s.serial = around(profile, s, &of_serial);
        let Some(at) = s.serial.and_then(|c| of_serial.get(&c)) else { continue };
        let weights: Vec<u64> = at.iter().map(|&k| profile.call_tree[k].exclusive_ns).collect();
        for (category, ns) in s.times().into_iter().enumerate() {
            at.iter().zip(parted(ns, &weights)).for_each(|(&k, part)| own[k][category] += part);
        }
    }
    let elapsed = elapsed.max(whole);
    let rests: Vec<u64> =
        nodes.iter().map(|&k| profile.call_tree[k].exclusive_ns.saturating_sub(own[k].iter().sum())).collect();
    let sum: u64 = rests.iter().sum();
    // Times of constructs that rest on samples may add up to more than there is.
    let users = if sum > elapsed - whole { parted(elapsed - whole, &rests) } else { rests };
    let mut processor = Processor { ranks: Some(ranks), elapsed_ns: Some(elapsed), statements, ..Processor::default() };
    let mut inside = 0;
    for (&k, user) in nodes.iter().zip(users) {
        let mut around = BTreeSet::new();
        let mut next = Some(k);
        while let Some(n) = next {
            around.insert(profile.call_tree[n].serial);
            next = profile.call_tree[n].parent.map(|p| p as usize).filter(|&p| p < n);
        }
        around.into_iter().for_each(|c| add(processor.constructs.entry(c).or_default(), user, &own[k]));
        add(processor.own.entry(profile.call_tree[k].serial).or_default(), user, &own[k]);
        inside += user + own[k].iter().sum::<u64>();
    }
    for s in &processor.statements {
        if let Some(c) = s.serial.and_then(|c| processor.own.get_mut(&c)) {
            c.messages += s.messages;
            c.bytes += s.bytes;
        }
    }
    processor.outside_ns = Some(elapsed.saturating_sub(inside));
    match profile.processors.iter_mut().find(|p| p.thread == 0) {
        Some(first) => *first = Processor { node: first.node, rank: first.rank, ..processor },
        None => profile.processors.insert(0, processor),
    }
}

/// The innermost construct around a statement that has a node in the tree.
fn around(profile: &Profile, s: &Communicates, nodes: &HashMap<u32, Vec<usize>>) -> Option<u32> {
    let mut serial = profile.constructs[s.innermost(&profile.constructs)?].serial;
    let parents: BTreeMap<u32, Option<u32>> = profile.constructs.iter().map(|c| (c.serial, c.parent)).collect();
    while !nodes.contains_key(&serial) {
        serial = parents.get(&serial).copied().flatten()?;
    }
    Some(serial)
}

/// Parts of `whole` by weight, which add up to it; the first gets all where no part has a weight.
fn parted(whole: u64, weights: &[u64]) -> Vec<u64> {
    let sum: u128 = weights.iter().map(|&w| u128::from(w)).sum();
    let (mut before, mut given) = (0u128, 0u128);
    let mut out: Vec<u64> = Vec::with_capacity(weights.len());
    for &w in weights {
        before += u128::from(w);
        let until = (u128::from(whole) * before).checked_div(sum).unwrap_or(u128::from(whole));
        out.push((until - given) as u64);
        given = until;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::{CallNode, Construct};
    use super::*;

    fn profile() -> Profile {
        let construct = |serial, parent, line, end_line| Construct {
            serial,
            parent,
            file: "a.f90".to_owned(),
            line,
            end_line,
            ..Construct::default()
        };
        let node =
            |id, parent, serial, exclusive_ns| CallNode { id, parent, serial, exclusive_ns, ..CallNode::default() };
        let mut out = Profile {
            constructs: vec![construct(0, None, 1, 20), construct(1, Some(0), 3, 9), construct(2, None, 30, 40)],
            call_tree: vec![
                node(0, None, 0, 100),
                node(1, Some(0), 1, 300),
                node(2, Some(1), 2, 60),
                node(3, Some(0), 2, 20),
            ],
            ..Profile::default()
        };
        out.clock.elapsed_ns = 500;
        out
    }

    /// The times of a callee are parted by its contexts, and all times add up.
    #[test]
    fn times_add_up() {
        let at = |line, late_sender, global, messages| Communicates {
            file: "a.f90".to_owned(),
            line,
            late_sender,
            global,
            messages,
            ..Communicates::default()
        };
        let mut p = profile();
        settle(&mut p, 4, vec![at(4, 100, 20, 3), at(33, 40, 0, 2)]);
        let q = &p.processors[0];
        let sum: u64 = q.own.values().map(|c| c.elapsed).sum();
        assert_eq!(sum + q.outside_ns.unwrap(), q.elapsed_ns.unwrap());
        let loop_ = q.constructs[&1];
        assert_eq!((loop_.elapsed, loop_.late_sender, loop_.synchronization, loop_.global), (360, 130, 130, 20));
        assert_eq!((q.own[&1].messages, q.own[&2].messages, q.own[&2].late_sender), (3, 2, 40));
        assert_eq!(q.constructs[&0].elapsed, 480);
        for c in q.constructs.values() {
            assert_eq!(c.elapsed, c.user + c.communication + c.synchronization + c.runtime + c.global);
        }
    }

    /// Sampled times that are too long for the run are shortened.
    #[test]
    fn times_are_within_the_run() {
        let mut p = profile();
        p.clock.elapsed_ns = 400;
        let s = Communicates { file: "a.f90".to_owned(), line: 2, communication: 150, ..Communicates::default() };
        settle(&mut p, 2, vec![s]);
        let q = &p.processors[0];
        assert_eq!((q.constructs[&0].elapsed, q.outside_ns), (400, Some(0)));
        assert_eq!(parted(10, &[1, 1, 1]), [3, 3, 4]);
        assert_eq!(parted(7, &[0, 0]), [7, 0]);
    }
}
