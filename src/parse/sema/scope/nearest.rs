//! "Did you mean": the name that is closest to one that nobody knows.

/// The closest of `known` to `name`, if it is close enough to be a slip of the finger.
pub(crate) fn closest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
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
        let d = distance(name.as_bytes(), candidate.as_bytes());
        // Of equally close names the smallest, so that the message does not depend on the order of a map.
        if d <= limit && best.is_none_or(|b| (d, candidate) < b) {
            best = Some((d, candidate));
        }
    }
    best.map(|b| b.1)
}

/// Insertions, deletions, replacements and swaps of neighbours that make `a` into `b`.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let width = b.len() + 1;
    let mut rows = vec![vec![0usize; width]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..width).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut d = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d = d.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = d;
        }
    }
    rows[a.len()][b.len()]
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
