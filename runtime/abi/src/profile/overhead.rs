//! The cost of measuring.

use super::Profile;
use crate::cost::Operations;
use serde::{Deserialize, Serialize};

/// The cost of measuring: fractions of the time of the run, which would have been shorter by so much without it. The time is the elapsed
/// time without waiting for a processor, with that of beginning and writing the profile; or the processor time of all threads if that
/// is more.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Overhead {
    /// The whole: the sum of the parts, each by the middle of its costs. [`Overhead::between`] says how far it can be trusted.
    pub measured: Option<f64>,
    /// The whole is mostly between these two. None in profiles of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<[f64; 2]>,
    /// Counting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<f64>,
    /// Timers: pairs of probes, and the tests whether a timer is masked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timers: Option<f64>,
    /// Samples of the program counter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<f64>,
    /// The beginning and the end of the run: mapping the file, writing the profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_end: Option<f64>,
    /// Whether there is cost that the parts do not have: the run was cut short, or some counts are not known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
    /// Nanoseconds that a pair of probes costs.
    pub probe_ns: f64,
    /// The operations of each class that counting took: see [`crate::cost::Class`].
    #[serde(default, deserialize_with = "crate::cost::of_classes")]
    pub operations: Operations,
    /// Nanoseconds that an operation of each class takes here.
    #[serde(default, deserialize_with = "crate::cost::of_classes")]
    pub operation_ns: Operations,
    /// The comparison with the plain program, if there was one (`trueline profile --cost`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compared: Option<Compared>,
}

/// The profiled program beside the plain one: both were run in turn.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Compared {
    /// The number of pairs that ran.
    pub pairs: u32,
    /// The ratio of elapsed times.
    pub wall: Ratio,
    /// The ratio of processor times, user and system.
    pub cpu: Ratio,
    /// The cost as a fraction of the profiled run, as [`Overhead::measured`] states it: of processor times.
    pub fraction: f64,
    /// Why the ratios may be wrong, or were not measured as they should be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A time of the profiled program over that of the plain one.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Ratio {
    /// The median of the pairs.
    pub median: f64,
    /// The lowest of a pair.
    pub low: f64,
    /// The highest of a pair.
    pub high: f64,
}

impl Overhead {
    /// The parts that are known.
    fn parts(&mut self) -> [&mut Option<f64>; 4] {
        [&mut self.counters, &mut self.timers, &mut self.samples, &mut self.start_end]
    }

    /// Makes the whole the sum of the parts.
    pub fn add_up(&mut self) {
        let known: Vec<f64> = self.parts().iter().filter_map(|p| **p).collect();
        self.measured = (!known.is_empty()).then(|| known.iter().sum());
    }
}

impl Profile {
    /// The time in nanoseconds that [`Overhead`] is a fraction of.
    pub fn cost_base_ns(&self) -> f64 {
        let cpu: f64 = self.threads.iter().map(|t| t.cpu_ns as f64).sum();
        // While others had the processor, nothing was measured.
        let delay = self.threads.iter().map(|t| t.delay_ns).max().unwrap_or(0);
        cpu.max(self.clock.elapsed_ns.saturating_sub(delay) as f64)
    }

    /// Makes the parts fractions, if they are nanoseconds, and adds them up.
    pub(crate) fn set_cost(&mut self, counters: f64, timers: f64, samples: f64, start: f64) {
        let base = self.cost_base_ns() + start;
        for (part, ns) in self.overhead.parts().into_iter().zip([counters, timers, samples, start]) {
            *part = Some(if base > 0.0 { round((ns / base).clamp(0.0, 1.0)) } else { 0.0 });
        }
        self.overhead.add_up();
    }

    /// Makes the two nanoseconds fractions, between which the whole is.
    pub(crate) fn set_between(&mut self, low: f64, high: f64, start: f64) {
        let base = self.cost_base_ns() + start;
        let part = |ns: f64| if base > 0.0 { round((ns / base).clamp(0.0, 1.0)) } else { 0.0 };
        self.overhead.between = Some([part(low), part(high.max(low))]);
    }

    /// Adds nanoseconds at the end of the run, which then took longer by as many.
    pub fn add_to_start_end(&mut self, ns: f64) {
        let start = self.overhead.start_end.unwrap_or(0.0).clamp(0.0, 0.999);
        // The base is the time with the start; `start` is the fraction of the start in it.
        let base = self.cost_base_ns() / (1.0 - start);
        if base + ns <= 0.0 || self.overhead.measured.is_none() {
            return;
        }
        for part in self.overhead.parts() {
            *part = part.map(|f| f * base / (base + ns));
        }
        if let Some(ends) = &mut self.overhead.between {
            *ends = ends.map(|f| round((f * base + ns) / (base + ns)));
        }
        let rest = self.overhead.start_end.unwrap_or(0.0);
        self.overhead.start_end = Some(rest + ns / (base + ns));
        self.overhead.parts().into_iter().for_each(|p| *p = p.map(round));
        self.overhead.add_up();
    }
}

/// To a hundredth of a thousandth of a percent: more digits say nothing.
fn round(fraction: f64) -> f64 {
    (fraction * 1e7).round() / 1e7
}

/// Puts `overhead` in the place of the one in the JSON of a profile. Within strings there are no line breaks, and nested
/// values stand further to the right.
pub(super) fn replace(json: &mut Vec<u8>, overhead: &Overhead) -> serde_json::Result<()> {
    const START: &[u8] = b"\n  \"overhead\": ";
    const END: &[u8] = b"\n  }";
    let find = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).position(|w| w == what);
    let Some(start) = find(json, START).map(|at| at + START.len()) else { return Ok(()) };
    let Some(end) = find(&json[start..], END).map(|at| start + at + END.len()) else { return Ok(()) };
    let text = serde_json::to_string_pretty(overhead)?.replace('\n', "\n  ");
    json.splice(start..end, text.into_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Clock;

    fn profile() -> Profile {
        let clock = Clock { elapsed_ns: 1_000_000, ..Clock::default() };
        let mut p = Profile { program: "\n  \"overhead\": {\n  }".to_owned(), clock, ..Profile::default() };
        p.set_cost(50_000.0, 20_000.0, 10_000.0, 0.0);
        p.set_between(30_000.0, 200_000.0, 0.0);
        p
    }

    #[test]
    fn the_whole_is_the_sum_of_the_parts() {
        let mut p = profile();
        assert_eq!((p.overhead.counters, p.overhead.samples), (Some(0.05), Some(0.01)));
        assert!((p.overhead.measured.unwrap() - 0.08).abs() < 1e-9);
        p.add_to_start_end(1_000_000.0);
        assert_eq!((p.overhead.counters, p.overhead.start_end), (Some(0.025), Some(0.5)));
        assert!((p.overhead.measured.unwrap() - 0.54).abs() < 1e-9);
        assert_eq!(p.overhead.between, Some([0.515, 0.6]), "the end takes the same time in both cases");
    }

    #[test]
    fn a_cost_below_zero_is_none() {
        let mut p = profile();
        p.set_between(-30_000.0, 20_000.0, 0.0);
        assert_eq!(p.overhead.between, Some([0.0, 0.02]));
        p.set_between(-30_000.0, -20_000.0, 0.0);
        assert_eq!(p.overhead.between, Some([0.0, 0.0]));
        p.set_between(0.0, 3_000_000.0, 0.0);
        assert_eq!(p.overhead.between, Some([0.0, 1.0]));
    }

    #[test]
    fn threads_use_more_than_the_elapsed_time() {
        let mut p = profile();
        let thread = crate::profile::ThreadTime { cpu_ns: 1_000_000, ..Default::default() };
        p.threads = vec![thread, thread];
        p.set_cost(100_000.0, 0.0, 0.0, 0.0);
        assert_eq!(p.overhead.counters, Some(0.05));
    }

    #[test]
    fn the_end_is_put_into_the_json() {
        let mut p = profile();
        let json = crate::profile::sealed_with_end(&mut p, |len| if len > 100 { 250_000 } else { 0 }).unwrap();
        assert!(!crate::profile::is_damaged(&json));
        assert_eq!(serde_json::from_slice::<Profile>(&json).unwrap(), p);
        assert_eq!(p.overhead.start_end, Some(0.2));
        assert_eq!(json, crate::profile::sealed(&p).unwrap());
    }
}
