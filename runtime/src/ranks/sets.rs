//! Sets of subscripts and of iterations: ranges in ascending order.

use super::fault;

/// A set of integers: ranges, each with its first and last member, in ascending order and with gaps between them.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Set(Vec<(i64, i64)>);

/// More members than this are not listed one by one; a set of them is the range around them.
const MOST: usize = 1 << 22;

impl Set {
    /// `first` to `last`.
    pub(super) fn range(first: i64, last: i64) -> Set {
        let mut out = Set::default();
        out.push(first, last);
        out
    }

    /// The values of a DO variable.
    pub(super) fn progression(lo: i64, hi: i64, step: i64) -> Set {
        let hi = if step < 0 && fault("ranks_descending") { hi + 1 } else { hi };
        let (low, high, width) = if step > 0 { (lo, hi, step) } else { (hi, lo, step.saturating_neg()) };
        if low > high || width == 0 {
            return Set::default();
        }
        // The last value that is reached.
        let whole = (i128::from(high) - i128::from(low)) / i128::from(width);
        let rest = (i128::from(high) - i128::from(low)) - whole * i128::from(width);
        let (low, high) = if step > 0 { (low, high - rest as i64) } else { (low + rest as i64, high) };
        if width == 1 || whole > MOST as i128 {
            return Set::range(low, high);
        }
        Set((0..=whole as i64).map(|k| (low + k * width, low + k * width)).collect())
    }

    /// Adds a range behind all others.
    pub(super) fn push(&mut self, first: i64, last: i64) {
        if first > last {
            return;
        }
        match self.0.last_mut() {
            Some(before) if before.1.checked_add(1).is_some_and(|next| first <= next) => before.1 = before.1.max(last),
            _ => self.0.push((first, last)),
        }
    }

    /// The ranges.
    pub(super) fn ranges(&self) -> &[(i64, i64)] {
        &self.0
    }

    /// Whether it has no member.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of members.
    pub(super) fn len(&self) -> u64 {
        self.0.iter().fold(0, |n, r| n.saturating_add(r.1.abs_diff(r.0).saturating_add(1)))
    }

    /// The least and the greatest member.
    pub(super) fn hull(&self) -> Option<(i64, i64)> {
        Some((self.0.first()?.0, self.0.last()?.1))
    }

    /// Whether `i` is a member.
    pub(super) fn contains(&self, i: i64) -> bool {
        let k = self.0.partition_point(|r| r.1 < i);
        self.0.get(k).is_some_and(|r| r.0 <= i)
    }

    /// The members of both.
    pub(super) fn and(&self, other: &Set) -> Set {
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut out = Set::default();
        while let (Some(&&x), Some(&&y)) = (a.peek(), b.peek()) {
            out.push(x.0.max(y.0), x.1.min(y.1));
            if x.1 <= y.1 {
                a.next()
            } else {
                b.next()
            };
        }
        out
    }

    /// The members of either.
    pub(super) fn or(&self, other: &Set) -> Set {
        let mut all: Vec<(i64, i64)> = self.0.iter().chain(&other.0).copied().collect();
        all.sort_unstable();
        let mut out = Set::default();
        all.into_iter().for_each(|(first, last)| out.push(first, last));
        out
    }

    /// The members that are none of `other`.
    pub(super) fn without(&self, other: &Set) -> Set {
        let mut out = Set::default();
        let mut holes = other.0.iter().peekable();
        for &(first, last) in &self.0 {
            let mut from = Some(first);
            while let (Some(at), Some(&&hole)) = (from, holes.peek()) {
                if hole.1 < at {
                    holes.next();
                    continue;
                }
                if hole.0 > last {
                    break;
                }
                if let Some(before) = hole.0.checked_sub(1) {
                    out.push(at, before);
                }
                // A hole that goes on behind this range is looked at again.
                from = if hole.1 >= last { None } else { hole.1.checked_add(1) };
            }
            if let Some(at) = from {
                out.push(at, last);
            }
        }
        out
    }

    /// `factor * i + offset` for all members, for a factor of 1 or -1; for other factors the range around them.
    pub(super) fn mapped(&self, factor: i64, offset: i64) -> Set {
        let at = |i: i64| i.saturating_mul(factor).saturating_add(offset);
        match factor {
            1 => Set(self.0.iter().map(|&(a, b)| (at(a), at(b))).collect()),
            -1 => {
                let off = i64::from(fault("ranks_backwards"));
                Set(self.0.iter().rev().map(|&(a, b)| (at(b) + off, at(a) + off)).collect())
            }
            _ => match self.hull() {
                Some((a, b)) => Set::range(at(a).min(at(b)), at(a).max(at(b))),
                None => Set::default(),
            },
        }
    }

    /// The distance of neighbours, if the set has several members, all at one distance greater than 1.
    pub(super) fn distance(&self) -> Option<i64> {
        let (a, b) = (self.0.first()?, self.0.get(1)?);
        let distance = b.0.checked_sub(a.0)?;
        let regular = self.0.windows(2).all(|w| w[1].0.checked_sub(w[0].0) == Some(distance));
        (regular && self.0.iter().all(|r| r.0 == r.1)).then_some(distance)
    }
}

#[cfg(test)]
mod tests {
    use super::Set;

    fn members(s: &Set) -> Vec<i64> {
        s.ranges().iter().flat_map(|&(a, b)| a..=b).collect()
    }

    /// All operations on all subsets of eight numbers.
    #[test]
    fn operations_agree_with_lists() {
        let of = |bits: u32| {
            let mut s = Set::default();
            (0..8).filter(|k| bits >> k & 1 != 0).for_each(|k| s.push(k, k));
            s
        };
        let step = if cfg!(miri) { 41 } else { 1 };
        for x in (0..256u32).step_by(step) {
            assert_eq!(
                members(&of(x).mapped(-1, 3)),
                (0..8).rev().filter(|k| x >> k & 1 != 0).map(|k| 3 - k).collect::<Vec<i64>>()
            );
            for y in (0..256u32).step_by(step) {
                let (a, b) = (of(x), of(y));
                assert_eq!(a.and(&b), of(x & y));
                assert_eq!(a.or(&b), of(x | y));
                assert_eq!(a.without(&b), of(x & !y), "{x:b} {y:b}");
            }
        }
    }

    #[test]
    fn do_variables() {
        assert_eq!(members(&Set::progression(1, 10, 3)), [1, 4, 7, 10]);
        assert_eq!(members(&Set::progression(10, 2, -3)), [4, 7, 10]);
        assert_eq!(members(&Set::progression(5, 2, -1)), [2, 3, 4, 5]);
        assert!(Set::progression(2, 1, 1).is_empty() && Set::progression(1, 2, -1).is_empty());
        assert_eq!(Set::progression(1, 10, 3).distance(), Some(3));
        assert_eq!(Set::range(1, 3).distance(), None);
        assert!(Set::range(i64::MIN, i64::MAX).without(&Set::range(i64::MIN, i64::MAX)).is_empty());
    }
}
