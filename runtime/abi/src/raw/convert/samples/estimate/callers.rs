//! The timers that have measured the time of procedures without one: those around their calls, by the exact numbers of
//! calls.
//!
//! A procedure that was inlined at some of its calls has a timer in its own code, and none or other timers there: the
//! time of its callees is divided among them by the number of calls of each kind.

use super::{DEEPEST, Estimator, PARTLY_INLINED};
use std::collections::HashMap;

/// Timed constructs with their shares.
type Shares = Vec<(usize, f64)>;

impl Estimator<'_> {
    /// The measured constructs that a procedure without a probe is called from, with the shares of its calls. None if
    /// it is called from procedures that it calls; these are then left out.
    pub(super) fn callers(&mut self, procedure: usize) -> Option<Shares> {
        self.callers_at(procedure, 0)
    }

    fn callers_at(&mut self, procedure: usize, depth: usize) -> Option<Shares> {
        if let Some(known) = self.known.get(&procedure) {
            return known.clone();
        }
        if depth > DEEPEST {
            return None;
        }
        self.known.insert(procedure, None);
        let all = self.calls.get(&procedure).copied().unwrap_or(0.0);
        let sites = self.of_callee.get(&procedure).into_iter().flatten().map(|&i| &self.sites[i]);
        let sites: Shares = sites.map(|s| (s.within, s.calls / all)).collect();
        let out = self.around(&sites, depth);
        self.known.insert(procedure, Some(out.clone()));
        Some(out)
    }

    /// The measured constructs around places with shares; shares of places without one go to the others.
    fn around(&mut self, places: &[(usize, f64)], depth: usize) -> Shares {
        let (mut out, mut lost): (HashMap<usize, f64>, f64) = (HashMap::new(), 0.0);
        for &(within, share) in places {
            match self.measuring_all(within, depth) {
                Some(list) => list.into_iter().for_each(|(to, part)| *out.entry(to).or_default() += share * part),
                None => lost += share,
            }
        }
        let rest = 1.0 - lost;
        let mut out: Shares =
            if rest > 1e-9 { out.into_iter().map(|(to, share)| (to, share / rest)).collect() } else { Vec::new() };
        out.sort_unstable_by_key(|o| o.0);
        out
    }

    /// The timer around `c` in the copy that was inlined at a line of the construct around `within`, if there is one.
    fn timer_of_copy(&self, c: usize, within: usize, line: u32) -> Option<usize> {
        let caller = self.chain(within).last()?;
        self.chain(c).find(|&t| self.is_partial(t) && self.copies.contains(&(t, caller, line)))
    }

    /// The timers that have measured the calls from `c`: one in its procedure, or, if the procedure was inlined, those
    /// around its calls.
    fn measuring_all(&mut self, c: usize, depth: usize) -> Option<Shares> {
        if let Some(to) = self.measuring(c) {
            return Some(vec![(to, 1.0)]);
        }
        let procedure = self.chain(c).last()?;
        let sites = self.inlined.get(&procedure).into_iter().flatten();
        let sites: Vec<(usize, f64, Option<usize>)> =
            sites.map(|s| (s.within, s.calls, self.timer_of_copy(c, s.within, s.line))).collect();
        let inlined: f64 = sites.iter().map(|s| s.1).sum();
        let own = self.calls.get(&procedure).copied().unwrap_or(0.0);
        let in_place = if own + inlined > 0.0 { own / (own + inlined) } else { 1.0 };
        let mut out = Shares::new();
        if in_place > 0.0 {
            let is_timed_here = |&c: &usize| {
                let c = &self.constructs[c];
                c.time.is_some() && c.untimed.as_deref() == Some(PARTLY_INLINED)
            };
            let here = self.chain(c).find(is_timed_here);
            let list = match here {
                Some(to) => Some(vec![(to, 1.0)]),
                None => self.callers_at(procedure, depth + 1),
            };
            out.extend(list?.into_iter().map(|(to, share)| (to, share * in_place)));
        }
        if inlined > 0.0 && depth < DEEPEST {
            let (timed, others): (Vec<_>, Vec<_>) = sites.into_iter().partition(|s| s.2.is_some());
            let all = own + inlined;
            out.extend(timed.iter().filter_map(|&(_, calls, to)| Some((to?, calls / all))));
            let rest: f64 = others.iter().map(|s| s.1).sum();
            if rest > 0.0 {
                let places: Shares = others.into_iter().map(|(within, calls, _)| (within, calls / rest)).collect();
                let list = self.around(&places, depth + 1);
                out.extend(list.into_iter().map(|(to, share)| (to, share * rest / all)));
            }
        }
        Some(out)
    }
}
