//! Procedures that call each other, directly or not.

/// Numbers nodes so that those on a common cycle have the same number (Kosaraju's algorithm, after Sharir, 1981).
pub(super) fn cycles(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let (mut to, mut from) = (vec![Vec::new(); n], vec![Vec::new(); n]);
    for &(a, b) in edges {
        to[a].push(b);
        from[b].push(a);
    }
    let mut finished = Vec::with_capacity(n);
    let mut is_seen = vec![false; n];
    for start in 0..n {
        visit(start, &to, &mut is_seen, &mut |node| finished.push(node));
    }
    let mut number = vec![0; n];
    let mut is_seen = vec![false; n];
    for &start in finished.iter().rev() {
        visit(start, &from, &mut is_seen, &mut |node| number[node] = start);
    }
    number
}

/// Visits all nodes that can be reached and were not seen; calls `leave` for each after all nodes that it leads to.
fn visit(start: usize, to: &[Vec<usize>], is_seen: &mut [bool], leave: &mut impl FnMut(usize)) {
    if std::mem::replace(&mut is_seen[start], true) {
        return;
    }
    let mut open = vec![(start, 0)];
    while let Some((node, next)) = open.last_mut() {
        match to[*node].get(*next) {
            Some(&k) => {
                *next += 1;
                if !std::mem::replace(&mut is_seen[k], true) {
                    open.push((k, 0));
                }
            }
            None => {
                leave(*node);
                open.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cycles;

    #[test]
    fn nodes_on_a_cycle_have_one_number() {
        let of = cycles(7, &[(0, 1), (1, 2), (2, 1), (2, 3), (3, 3), (4, 5), (5, 6), (6, 4), (4, 0)]);
        for (a, b, same) in [(1, 2, true), (4, 5, true), (5, 6, true), (0, 1, false), (2, 3, false), (4, 0, false)] {
            assert_eq!(of[a] == of[b], same, "{a} and {b}");
        }
    }
}
