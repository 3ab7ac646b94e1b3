//! Shrinks a program whose times are wrong.
//!
//! Whatever is tried need not be right: a candidate that does not compile, or does too little, is one that does not fail.

use super::campaign::{Found, judge_way};
use super::command::kind;
use super::judge::{Class, Failure};
use super::program::{Do, E, Program, S};
use super::run::Workshop;
use super::simulate::simulate;

/// At most this many candidates are tried.
const MOST: usize = 250;

struct Reducer<'a> {
    shop: &'a Workshop,
    found: &'a Found,
    best: Program,
    failure: Failure,
    left: usize,
}

/// The smallest program found that fails in the same way, if the program does so again.
pub fn reduce(shop: &Workshop, found: &Found) -> Option<(Program, Failure)> {
    let failure = fails(shop, found, &found.program)?;
    let mut r = Reducer { shop, found, best: found.program.clone(), failure, left: MOST };
    loop {
        let before = size(&r.best);
        r.procedures();
        r.statements();
        r.details();
        if size(&r.best) >= before || r.left == 0 {
            return Some((r.best, r.failure));
        }
    }
}

fn size(program: &Program) -> usize {
    format!("{program:?}").len()
}

/// The mistake of a candidate, if it is the same.
fn fails(shop: &Workshop, found: &Found, candidate: &Program) -> Option<Failure> {
    let run = Some(candidate).filter(|c| c.is_sound()).and_then(simulate).filter(|r| !r.events.is_empty())?;
    let wanted = found.failure.class;
    match judge_way(shop, candidate, &run, &found.way, 2) {
        Ok(verdict) => verdict.failures.into_iter().find(|f| f.class == wanted && kind(f) == kind(&found.failure)),
        Err(text) if wanted == Class::Broken && stem(&text) == stem(&found.failure.text) => {
            Some(Failure { class: wanted, id: None, text })
        }
        Err(_) => None,
    }
}

/// The common part of messages of one cause.
fn stem(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_alphabetic() || *c == ' ').take(14).collect()
}

impl Reducer<'_> {
    fn attempt(&mut self, change: impl FnOnce(&mut Program)) -> bool {
        if self.left == 0 {
            return false;
        }
        let mut candidate = self.best.clone();
        change(&mut candidate);
        if candidate == self.best {
            return false;
        }
        self.left -= 1;
        let Some(failure) = fails(self.shop, self.found, &candidate) else { return false };
        (self.best, self.failure) = (candidate, failure);
        true
    }

    /// Drops procedures that nothing calls.
    fn procedures(&mut self) {
        let mut p = self.best.procs.len() - 1;
        while p > 0 {
            p -= 1;
            self.attempt(|c| {
                c.procs.remove(p);
                for proc in &mut c.procs {
                    each(&mut proc.body, &mut |s| match &mut s.does {
                        // A call of a removed procedure would be one of the main program, which is refused.
                        Do::Call(q, _) if *q == p => *q = usize::MAX,
                        Do::Call(q, _) if *q > p => *q -= 1,
                        _ => {}
                    });
                    drop_calls(&mut proc.body);
                }
            });
        }
    }

    /// Deletes statements, and replaces constructs by their bodies.
    fn statements(&mut self) {
        for p in (0..self.best.procs.len()).rev() {
            let mut n = 0;
            while n < count(&self.best.procs[p].body) {
                if self.attempt(|c| at(&mut c.procs[p].body, n, &mut |b, i| drop(b.remove(i)))) {
                    continue;
                }
                let mut arms = 0;
                at(&mut self.best.procs[p].body.clone(), n, &mut |b, i| arms = b[i].blocks().len());
                // From the last: those in front keep their numbers when one is dropped.
                for arm in (0..arms).rev() {
                    let unwrap = |b: &mut Vec<S>, i: usize| {
                        let inner = std::mem::take(b[i].blocks_mut().swap_remove(arm));
                        b.splice(i..=i, inner);
                    };
                    if self.attempt(|c| at(&mut c.procs[p].body, n, &mut |b, i| unwrap(b, i))) {
                        break;
                    }
                    self.attempt(|c| at(&mut c.procs[p].body, n, &mut |b, i| drop_arm(&mut b[i], arm)));
                }
                n += 1;
            }
        }
    }

    /// Makes bounds and arguments simple.
    fn details(&mut self) {
        for p in 0..self.best.procs.len() {
            for n in 0..count(&self.best.procs[p].body) {
                self.attempt(|c| at(&mut c.procs[p].body, n, &mut |b, i| simple(&mut b[i])));
            }
            self.attempt(|c| c.procs[p].is_function = false);
            self.attempt(|c| c.procs[p].recursive = false);
        }
    }
}

fn each(block: &mut [S], f: &mut dyn FnMut(&mut S)) {
    for s in block {
        f(s);
        s.blocks_mut().into_iter().for_each(|b| each(b, f));
    }
}

fn drop_calls(block: &mut Vec<S>) {
    block.retain(|s| !matches!(s.does, Do::Call(usize::MAX, _)));
    for s in block {
        s.blocks_mut().into_iter().for_each(drop_calls);
    }
}

fn count(block: &[S]) -> usize {
    block.iter().map(|s| 1 + s.blocks().into_iter().map(|b| count(b)).sum::<usize>()).sum()
}

/// Applies `f` to the block and place of statement number `n`, outer ones first.
fn at(block: &mut Vec<S>, n: usize, f: &mut dyn FnMut(&mut Vec<S>, usize)) {
    fn find(block: &mut Vec<S>, n: &mut usize, f: &mut dyn FnMut(&mut Vec<S>, usize)) -> bool {
        for i in 0..block.len() {
            if *n == 0 {
                f(block, i);
                return true;
            }
            *n -= 1;
            if block[i].blocks_mut().into_iter().any(|b| find(b, n, f)) {
                return true;
            }
        }
        false
    }
    let mut n = n;
    find(block, &mut n, f);
}

fn drop_arm(s: &mut S, arm: usize) {
    match &mut s.does {
        Do::If { arms, otherwise } if arm >= arms.len() => otherwise.clear(),
        Do::If { arms, .. } if arms.len() > 1 => drop(arms.remove(arm)),
        Do::Select { cases, otherwise, .. } if arm >= cases.len() => otherwise.clear(),
        Do::Select { cases, .. } if cases.len() > 1 => drop(cases.remove(arm)),
        _ => {}
    }
}

fn simple(s: &mut S) {
    match &mut s.does {
        Do::Loop { hi, .. } if !matches!(hi, E::Int(_)) => *hi = E::Common(0),
        Do::While { trips, .. } if !matches!(trips, E::Int(_)) => *trips = E::Common(0),
        Do::Call(_, args) => *args = vec![E::Int(1), E::Int(2)],
        Do::Whole { n, .. } => *n = E::Int(4),
        Do::Vector { from, .. } => *from = None,
        _ => {}
    }
}
