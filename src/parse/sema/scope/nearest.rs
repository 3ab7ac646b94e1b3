//! "Did you mean": the name that is closest to one that nobody knows.

use strsim::osa_distance;

/// The closest of `known` to `name`, if it is close enough to be a slip of the finger.
pub fn closest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = match name.len() {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        if candidate.len().abs_diff(name.len()) > limit || candidate == name {
            continue;
        }
        let d = osa_distance(name, candidate);
        // The smallest of equally close names, so that the message does not depend on the order of a map.
        if d <= limit && best.is_none_or(|b| (d, candidate) < b) {
            best = Some((d, candidate));
        }
    }
    best.map(|b| b.1)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn finds_a_slip_and_leaves_strangers_alone() {
        assert_eq!(closest("totla", ["x", "total", "count"].into_iter()), Some("total"));
        assert_eq!(closest("nn", ["n", "mm"].into_iter()), None);
        assert_eq!(closest("pressure", ["velocity"].into_iter()), None);
    }
}
