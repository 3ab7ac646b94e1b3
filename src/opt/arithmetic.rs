//! The rules of real arithmetic that a user gave up by options such as `-ffast-math`.

/// Freedoms beyond results that are equal to the bit; none without options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Arithmetic {
    /// Sums and products may be grouped in another way (`-fassociative-math`).
    pub associative: bool,
    /// `x / y` may be `x * (1 / y)` (`-freciprocal-math`).
    pub reciprocal: bool,
    /// There are no infinities and no NaNs (`-ffinite-math-only`).
    pub finite: bool,
    /// The sign of a zero makes no difference (`-fno-signed-zeros`).
    pub unsigned_zeros: bool,
    /// Nobody looks at exceptions (`-fno-trapping-math`).
    pub untrapped: bool,
    /// Functions of vectors may be off by a unit of the last place or two (`-fapprox-func`).
    pub approximate: bool,
}

impl Arithmetic {
    /// All freedoms: `-ffast-math`.
    pub const FAST: Arithmetic = Arithmetic {
        associative: true,
        reciprocal: true,
        finite: true,
        unsigned_zeros: true,
        untrapped: true,
        approximate: true,
    };

    /// Applies a flag, without its `-f`. False if it is about something else.
    pub fn take(&mut self, flag: &str) -> bool {
        let (name, on) = flag.strip_prefix("no-").map_or((flag, true), |name| (name, false));
        match name {
            "fast-math" => *self = if on { Arithmetic::FAST } else { Arithmetic::default() },
            "unsafe-math-optimizations" => {
                *self = Arithmetic { finite: self.finite, ..if on { Arithmetic::FAST } else { Arithmetic::default() } }
            }
            "associative-math" => self.associative = on,
            "reciprocal-math" => self.reciprocal = on,
            "finite-math-only" => self.finite = on,
            "signed-zeros" => self.unsigned_zeros = !on,
            "approx-func" => self.approximate = on,
            "trapping-math" => self.untrapped = !on,
            _ => return false,
        }
        true
    }

    /// Whether sums and products may be grouped in another way. As in gfortran, that takes more than `-fassociative-math`.
    pub fn may_regroup(self) -> bool {
        self.associative && self.unsigned_zeros && self.untrapped
    }

    /// Whether the greatest and the least of several numbers do not depend on their order.
    pub fn has_one_greatest(self) -> bool {
        self.finite && self.unsigned_zeros
    }
}

#[cfg(test)]
mod tests {
    use super::Arithmetic;

    fn of(flags: &[&str]) -> Arithmetic {
        let mut all = Arithmetic::default();
        for flag in flags {
            assert!(all.take(flag), "{flag}");
        }
        all
    }

    #[test]
    fn sums_need_three_flags() {
        assert!(!of(&["associative-math"]).may_regroup());
        assert!(!of(&["associative-math", "no-signed-zeros"]).may_regroup());
        assert!(of(&["associative-math", "no-signed-zeros", "no-trapping-math"]).may_regroup());
        assert!(of(&["fast-math"]).may_regroup() && of(&["unsafe-math-optimizations"]).may_regroup());
        assert!(!of(&["fast-math", "trapping-math"]).may_regroup());
        assert!(!of(&["fast-math", "no-fast-math"]).may_regroup());
    }

    #[test]
    fn the_greatest_needs_numbers() {
        assert!(of(&["fast-math"]).has_one_greatest() && !of(&["unsafe-math-optimizations"]).has_one_greatest());
        assert!(of(&["finite-math-only", "no-signed-zeros"]).has_one_greatest());
        assert!(!Arithmetic::default().take("tree-vectorize"));
    }
}
