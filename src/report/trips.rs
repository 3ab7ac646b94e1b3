//! The iterations of the entries of a loop, in words.

use crate::table::count;
use trueline_abi::profile::Counts;
use trueline_abi::trips::{bucket, most_of};

/// `3..1000, mostly 512..1000, 2 % none`, of a loop whose entries do not all have the same number of iterations.
pub(crate) fn describe(c: &Counts) -> Option<String> {
    let (min, max) = c.min_trips.zip(c.max_trips)?;
    if min == max {
        return Some(count(Some(min)));
    }
    let mut out = format!("{}..{}", count(Some(min)), count(Some(max)));
    let Some(trips) = c.trips.as_deref() else { return Some(out) };
    let entries = trips.iter().fold(0u64, |sum, t| sum.saturating_add(t.1));
    if let Some(&(least, n)) = trips.iter().max_by_key(|t| t.1)
        && n > entries / 2
        && trips.len() > 1
    {
        let (from, to) = (least.max(min), most_of(bucket(least)).min(max));
        let range = if from == to { count(Some(from)) } else { format!("{}..{}", count(Some(from)), count(Some(to))) };
        if from > 0 || to > 0 {
            out.push_str(&format!(", mostly {range}"));
        }
    }
    if let Some(zero) = c.zero_trips.filter(|&z| z > 0 && entries > 0) {
        out.push_str(&format!(", {} % none", (zero as f64 / entries as f64 * 100.0).round().max(1.0)));
    }
    Some(out)
}

/// The sum of two histograms. It is not known if one of them is not, and its loop was entered.
pub(crate) fn sum(a: &Counts, b: &Counts) -> Option<Vec<(u64, u64)>> {
    let known = |c: &Counts| match (&c.trips, c.invocations) {
        (Some(t), _) => Some(t.clone()),
        (None, Some(0)) => Some(vec![]),
        _ => None,
    };
    if a.trips.is_none() && b.trips.is_none() {
        return None;
    }
    let mut sum = std::collections::BTreeMap::new();
    for (least, n) in known(a)?.into_iter().chain(known(b)?) {
        let all: &mut u64 = sum.entry(least).or_default();
        *all = all.saturating_add(n);
    }
    Some(sum.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(range: (u64, u64), trips: &[(u64, u64)]) -> Counts {
        let zero = trips.iter().find(|t| t.0 == 0).map_or(0, |t| t.1);
        Counts {
            min_trips: Some(range.0),
            max_trips: Some(range.1),
            zero_trips: Some(zero),
            trips: Some(trips.to_vec()),
            ..Counts::default()
        }
    }

    #[test]
    fn words() {
        let of = |range, trips: &[(u64, u64)]| describe(&counts(range, trips)).unwrap();
        assert_eq!(of((7, 7), &[(4, 3)]), "7");
        assert_eq!(of((5, 7), &[(4, 3)]), "5..7");
        assert_eq!(of((0, 1000), &[(0, 2), (512, 98)]), "0..1,000, mostly 512..1,000, 2 % none");
        assert_eq!(of((0, 3), &[(0, 90), (2, 10)]), "0..3, 90 % none");
        assert_eq!(of((1, 9), &[(1, 5), (8, 5)]), "1..9");
        assert_eq!(describe(&Counts::default()), None);
    }

    #[test]
    fn sums() {
        let (a, b) = (counts((0, 1), &[(0, 2), (1, 1)]), counts((1, 4), &[(1, 5), (4, 1)]));
        assert_eq!(sum(&a, &b), Some(vec![(0, 2), (1, 6), (4, 1)]));
        let unknown = Counts { invocations: Some(3), ..Counts::default() };
        assert_eq!(sum(&a, &unknown), None);
        assert_eq!(sum(&a, &Counts { invocations: Some(0), ..Counts::default() }), a.trips);
    }
}
