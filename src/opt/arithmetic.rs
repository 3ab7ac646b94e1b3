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
    /// Products of matrices may be computed by the BLAS (`-fexternal-blas`).
    pub blas: bool,
    /// The side of the smallest cube of products for which that is done, if it is not the usual one (`-fblas-matmul-limit=`).
    pub blas_limit: Option<u32>,
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
        blas: false,
        blas_limit: None,
    };

    /// gfortran's limit.
    const BLAS_LIMIT: u32 = 30;

    /// Applies a flag, without its `-f`. False if it is about something else.
    pub fn take(&mut self, flag: &str) -> bool {
        let (name, on) = flag.strip_prefix("no-").map_or((flag, true), |name| (name, false));
        match name {
            "fast-math" => *self = self.all(on),
            "unsafe-math-optimizations" => *self = Arithmetic { finite: self.finite, ..self.all(on) },
            "external-blas" => self.blas = on,
            "associative-math" => self.associative = on,
            "reciprocal-math" => self.reciprocal = on,
            "finite-math-only" => self.finite = on,
            "signed-zeros" => self.unsigned_zeros = !on,
            "approx-func" => self.approximate = on,
            "trapping-math" => self.untrapped = !on,
            _ => match name.strip_prefix("blas-matmul-limit=").and_then(|limit| limit.parse().ok()) {
                Some(limit) if on => self.blas_limit = Some(limit),
                _ => return false,
            },
        }
        true
    }

    /// With all freedoms of `-ffast-math`, or with none of them.
    fn all(self, on: bool) -> Arithmetic {
        let of = if on { Arithmetic::FAST } else { Arithmetic::default() };
        Arithmetic { blas: self.blas, blas_limit: self.blas_limit, ..of }
    }

    /// The side of the smallest cube of products that the BLAS may compute; none if it may compute none.
    pub fn blas_from(self) -> Option<u32> {
        self.blas.then(|| self.blas_limit.unwrap_or(Arithmetic::BLAS_LIMIT))
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
        assert_eq!(of(&["external-blas", "fast-math"]).blas_from(), Some(30));
        assert_eq!(of(&["blas-matmul-limit=7", "external-blas", "no-fast-math"]).blas_from(), Some(7));
        assert_eq!(of(&["blas-matmul-limit=7"]).blas_from(), None);
        assert!(!Arithmetic::default().take("blas-matmul-limit=many"));
    }

    #[test]
    fn the_greatest_needs_numbers() {
        assert!(of(&["fast-math"]).has_one_greatest() && !of(&["unsafe-math-optimizations"]).has_one_greatest());
        assert!(of(&["finite-math-only", "no-signed-zeros"]).has_one_greatest());
        assert!(!Arithmetic::default().take("tree-vectorize"));
    }
}
