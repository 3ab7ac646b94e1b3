//! Conclusions from the order in which work was done about loops that may have become one.
//!
//! Fused loops take turns, iteration by iteration; interchanged loops run along the other subscript. Where loops are too short to
//! tell, nothing speaks against it.

use super::judge::Case;
use super::program::{S, visit};
use std::collections::BTreeSet;

/// The sites in a statement.
fn sites(s: &S) -> BTreeSet<u32> {
    let mut out = BTreeSet::new();
    visit(std::slice::from_ref(s), &mut vec![], &mut |s, _| out.extend(s.work().iter().map(|w| w.site)));
    out
}

/// The one of two loops that each piece of work belongs to, in runs that no opaque work divides.
fn turns(
    order: impl Iterator<Item = (u32, Option<u32>)>,
    first: &BTreeSet<u32>,
    second: &BTreeSet<u32>,
) -> Vec<Vec<bool>> {
    let mut out = vec![vec![]];
    for (site, key) in order {
        if key.is_none() {
            out.push(vec![]);
        } else if let Some(run) = out.last_mut()
            && (first.contains(&site) || second.contains(&site))
        {
            run.push(second.contains(&site));
        }
    }
    out
}

fn changes(runs: &[Vec<bool>]) -> usize {
    runs.iter().map(|r| r.windows(2).filter(|w| w[0] != w[1]).count()).sum()
}

fn size(runs: &[Vec<bool>]) -> usize {
    runs.iter().map(Vec::len).sum()
}

/// The conclusion from the order of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Says {
    /// The loops became one.
    Yes,
    /// They did not.
    No,
    /// They are too short to tell.
    Nothing,
}

/// Whether two loops were fused.
pub fn fused(case: &Case<'_>, a: &S, b: &S) -> Says {
    let (first, second) = (sites(a), sites(b));
    let source = turns(case.run.events.iter().map(|e| (e.work.site, e.key)), &first, &second);
    let done = turns(case.measured.truth.order.iter().copied(), &first, &second);
    // Work that was done less often leaves gaps, and the turns of the remaining work may come to the same number.
    let tells = size(&done) == size(&source)
        && source.iter().flat_map(|r| r.windows(4)).any(|w| w[0] == w[1] && w[1] != w[2] && w[2] == w[3]);
    match () {
        () if changes(&done) != changes(&source) => Says::Yes,
        () if tells => Says::No,
        () => Says::Nothing,
    }
}

/// Whether a loop was interchanged with one around it.
pub fn interchanged(case: &Case<'_>, inner: &S) -> Says {
    let mut says = Says::Nothing;
    for site in sites(inner) {
        let source: Vec<u32> = case.run.events.iter().filter(|e| e.work.site == site).filter_map(|e| e.key).collect();
        let order = case.measured.truth.order.iter();
        let done: Vec<u32> = order.filter(|(s, _)| *s == site).filter_map(|(_, key)| *key).collect();
        if source != done {
            return Says::Yes;
        }
        // One row is finished, and the next one follows.
        if source.windows(3).any(|w| w[0] / 64 == w[1] / 64 && w[0] != w[1] && w[2] / 64 > w[1] / 64) {
            says = Says::No;
        }
    }
    says
}

/// Whether two loops take turns where in the source one comes after the other, and time is taken.
pub fn take_turns(case: &Case<'_>, a: &S, b: &S) -> bool {
    let (first, second) = (sites(a), sites(b));
    let timed = case.run.events.iter().filter(|e| !case.run.around[e.at].paused);
    let source = turns(timed.map(|e| (e.work.site, e.key)), &first, &second);
    let truth = &case.measured.truth;
    let timed = truth.order.iter().zip(&truth.paused).filter(|(_, paused)| !**paused);
    let done = turns(timed.map(|(o, _)| *o), &first, &second);
    size(&done) == size(&source) && changes(&done) > changes(&source)
}
