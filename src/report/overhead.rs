//! The cost of measuring, in words.

use trueline_abi::profile::{Overhead, Profile, Ratio};

/// The points by which a cost may differ from the number that states it.
const NARROW: f64 = 2.0;

/// A clause on the cost, for the first line of a report; none if nothing is known of it.
pub fn clause(profile: &Profile) -> Option<String> {
    let overhead = &profile.overhead;
    let at_least = overhead.at_least || profile.incomplete;
    overhead.measured.map(|m| format!("measuring took {}", stated(m, overhead.between, at_least)))
}

/// The parts of the cost and the comparison with the plain program, a line each; empty if there was no comparison.
pub fn comparison(overhead: &Overhead) -> String {
    let Some(compared) = &overhead.compared else { return String::new() };
    let ratio = |r: &Ratio| format!("{:.3} (from {:.3} to {:.3})", r.median, r.low, r.high);
    let mut out = format!(
        "Cost of measuring, by {} runs of the plain program and of the profiled one in turn:\n  \
         processor time: {} times that of the plain program\n  elapsed time: {} times\n  \
         so measuring took {} of the processor time",
        compared.pairs,
        ratio(&compared.cpu),
        ratio(&compared.wall),
        percent(compared.fraction),
    );
    if let Some(stated) = overhead.measured {
        let parts = [
            ("counters", overhead.counters),
            ("timers", overhead.timers),
            ("samples", overhead.samples),
            ("start and end", overhead.start_end),
        ];
        let parts: Vec<String> =
            parts.into_iter().filter_map(|(name, part)| Some(format!("{name} {}", percent(part?)))).collect();
        out.push_str(&format!("; the profile says {} ({})", percent(stated), parts.join(", ")));
    }
    out.push('\n');
    for note in &compared.notes {
        out.push_str(&format!("  {}\n", crate::safe(note)));
    }
    out
}

/// The cost in percent: a number where it is known to two points, and else the two that it is between.
fn stated(measured: f64, between: Option<[f64; 2]>, at_least: bool) -> String {
    let [low, high] = between.unwrap_or([measured; 2]).map(|f| f * 100.0);
    if at_least {
        return if low.round() < 1.0 { "at least a part of 1 %".to_owned() } else { format!("at least {low:.0} %") };
    }
    let middle = f64::midpoint(low, high).round();
    if high.round() < 1.0 {
        "less than 1 %".to_owned()
    } else if (high - middle).max(middle - low) <= NARROW && middle >= 1.0 {
        format!("about {middle:.0} %")
    } else if low.round() < 1.0 {
        format!("up to {:.0} %", high.ceil())
    } else {
        format!("{:.0} to {:.0} %", low.floor(), high.ceil())
    }
}

fn percent(fraction: f64) -> String {
    format!("{:.2} %", fraction * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueline_abi::profile::Compared;

    #[test]
    fn a_run_that_was_cut_short_cost_at_least_that() {
        let mut p = Profile::default();
        assert_eq!(clause(&p), None);
        p.overhead.measured = Some(0.0123);
        assert_eq!(clause(&p).as_deref(), Some("measuring took about 1 %"));
        p.overhead.measured = Some(0.147);
        assert_eq!(clause(&p).as_deref(), Some("measuring took about 15 %"));
        p.overhead.measured = Some(0.0049);
        assert_eq!(clause(&p).as_deref(), Some("measuring took less than 1 %"));
        p.overhead.measured = Some(0.0123);
        p.overhead.at_least = true;
        assert_eq!(clause(&p).as_deref(), Some("measuring took at least 1 %"));
        (p.overhead.at_least, p.incomplete) = (false, true);
        assert_eq!(clause(&p).as_deref(), Some("measuring took at least 1 %"));
    }

    #[test]
    fn a_number_is_said_only_where_it_is_known() {
        let of = |low: f64, high: f64| stated(f64::midpoint(low, high), Some([low, high]), false);
        assert_eq!(of(0.001, 0.004), "less than 1 %");
        assert_eq!(of(0.01, 0.03), "about 2 %");
        assert_eq!(of(0.0, 0.021), "about 1 %");
        assert_eq!(of(0.0, 0.094), "up to 10 %");
        assert_eq!(of(0.004, 0.171), "up to 18 %");
        assert_eq!(of(0.052, 0.171), "5 to 18 %");
        assert_eq!(stated(0.1, Some([0.052, 0.171]), true), "at least 5 %");
        assert_eq!(stated(0.1, Some([0.0, 0.171]), true), "at least a part of 1 %");
        // Each number that is said is no more than two points from either end, and no range leaves one out.
        for (low, high) in (0..60).flat_map(|a| (0..60).map(move |b| (a as f64 / 300.0, (a + b) as f64 / 300.0))) {
            let text = of(low, high);
            let digits = |t: &str| t.split_whitespace().filter_map(|w| w.parse::<f64>().ok()).collect::<Vec<_>>();
            match *digits(&text).as_slice() {
                [n] if text.starts_with("about") => {
                    assert!(n - low * 100.0 <= 2.0 + 1e-9 && high * 100.0 - n <= 2.0 + 1e-9, "{low} {high} {text}");
                }
                [n] => assert!(n >= high * 100.0 - 0.5, "{low} {high} {text}"),
                [a, b] => assert!(a <= low * 100.0 && b >= high * 100.0, "{low} {high} {text}"),
                _ => panic!("{low} {high} {text}"),
            }
        }
    }

    #[test]
    fn a_comparison_stands_beside_the_model() {
        let mut o = Overhead { measured: Some(0.02), counters: Some(0.02), ..Overhead::default() };
        assert_eq!(comparison(&o), "");
        let cpu = Ratio { median: 1.031, low: 1.02, high: 1.04 };
        o.compared = Some(Compared { pairs: 3, cpu, wall: cpu, fraction: 0.03, notes: vec!["a\u{1b}b".to_owned()] });
        let text = comparison(&o);
        assert!(text.contains("by 3 runs") && text.contains("1.031 (from 1.020 to 1.040)"), "{text}");
        assert!(text.contains("took 3.00 %") && text.contains("says 2.00 % (counters 2.00 %)"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}
