//! Did you mean …?

use strsim::osa_distance;

/// The candidate nearest to `word`, if it is near enough for a slip of the finger.
pub fn closest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if word.len() > 64 {
        return None;
    }
    let limit = (word.len() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .map(|candidate| (osa_distance(word, candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips() {
        assert_eq!(closest("wirte", ["read", "write"]), Some("write"));
        assert_eq!(closest("subrutine", ["subroutine"]), Some("subroutine"));
        assert_eq!(closest("x", ["do", "if"]), None);
    }
}
