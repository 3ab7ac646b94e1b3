//! The cost of measuring, in words.

use trueline_abi::profile::{Overhead, Profile, Ratio};

/// A clause on the cost, for the first line of a report; none if nothing is known of it.
pub fn clause(profile: &Profile) -> Option<String> {
    let overhead = &profile.overhead;
    let at_least = overhead.at_least || profile.incomplete;
    overhead.measured.map(|m| format!("measuring took {}", stated(m, at_least)))
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

/// The cost by the model, which is right to a few points: with more digits than that it would claim too much.
fn stated(fraction: f64, at_least: bool) -> String {
    let rounded = (fraction * 100.0).round();
    match (at_least, rounded < 1.0) {
        (true, true) => "at least a part of 1 %".to_owned(),
        (false, true) => "less than 1 %".to_owned(),
        (true, false) => format!("at least {rounded:.0} %"),
        (false, false) => format!("about {rounded:.0} %"),
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
