//! GAMMA and the error functions of constants, in more digits than a constant keeps.

use crate::constant::exact::Big;
use std::cell::RefCell;
use trueline_ir::Real;

/// The precision of the gamma function, in bits: enough for the loss near the zeros of its logarithm.
const GAMMA: usize = 320;
/// Stirling's series is used from here on: its terms fall below the precision there.
const STIRLING: f64 = 64.0;
/// The number of its terms.
const TERMS: usize = 44;

thread_local! {
    static BERNOULLI: RefCell<Vec<Big>> = const { RefCell::new(Vec::new()) };
}

/// The Bernoulli numbers B(2), B(4), … by the recurrence on their definition, whose cancellation the precision covers.
fn bernoulli() -> Vec<Big> {
    BERNOULLI.with_borrow_mut(|known| {
        if known.is_empty() {
            let wide = |x: f64| Big::new(x, 1024);
            let mut all = vec![wide(1.0)];
            for m in 1..=2 * TERMS {
                // B(m) = -1/(m+1) * sum over k < m of binomial(m+1, k) * B(k).
                let (mut sum, mut binomial) = (wide(0.0), wide(1.0));
                for (k, b) in all.iter().enumerate() {
                    sum = sum.add(&binomial.mul(b));
                    binomial = binomial.mul(&wide((m + 1 - k) as f64)).div(&wide((k + 1) as f64));
                }
                all.push(sum.div(&wide(m as f64 + 1.0)).neg());
            }
            *known = all.into_iter().skip(2).step_by(2).collect();
        }
        known.clone()
    })
}

/// The logarithm of gamma by Stirling's series, of `z` from [`STIRLING`] on.
fn stirling(z: &Big) -> Big {
    let (half, two) = (z.like(0.5), z.like(2.0));
    let mut sum = z.sub(&half).mul(&z.ln()).sub(z).add(&Big::pi(GAMMA).mul(&two).ln().mul(&half));
    let (mut power, square) = (z.clone(), z.mul(z));
    for (k, b) in bernoulli().iter().enumerate() {
        let n = 2.0 * (k as f64 + 1.0);
        sum = sum.add(&z.like(1.0).mul(b).div(&z.like(n * (n - 1.0)).mul(&power)));
        power = power.mul(&square);
    }
    sum
}

/// `x * (x+1) * …` up to where Stirling's series begins, and the place where it does; `x` is about `near`.
fn shifted(x: &Big, near: f64) -> (Big, Big) {
    let (mut product, mut z, one) = (x.like(1.0), x.clone(), x.like(1.0));
    for _ in 0..(STIRLING - near).ceil().max(0.0) as usize {
        product = product.mul(&z);
        z = z.add(&one);
    }
    (product, z)
}

/// `sin(pi*x)` of an `x` that is not large.
fn sine_of_pi_times(x: Real) -> Big {
    // The remainder is exact, and the sine of it loses nothing near a whole number.
    let whole = x.round();
    let sine = Big::pi(GAMMA).mul(&Big::of(x - whole, GAMMA)).sin();
    if (whole % 2.0.into()) == 0.0 { sine } else { sine.neg() }
}

/// GAMMA; `x` is no pole.
pub fn gamma(x: Real) -> Big {
    let (big, near) = (Big::of(x, GAMMA), x.double());
    let positive = |x: &Big, near: f64| {
        let (product, z) = shifted(x, near);
        stirling(&z).exp().div(&product)
    };
    if x < 0.5 {
        let reflected = positive(&big.like(1.0).sub(&big), 1.0 - near);
        return Big::pi(GAMMA).div(&sine_of_pi_times(x).mul(&reflected));
    }
    positive(&big, near)
}

/// LOG_GAMMA; `x` is no pole.
pub fn log_gamma(x: Real) -> Big {
    let (big, near) = (Big::of(x, GAMMA), x.double());
    let positive = |x: &Big, near: f64| {
        let (product, z) = shifted(x, near);
        stirling(&z).sub(&product.ln())
    };
    if x == 1.0 || x == 2.0 {
        return big.like(0.0);
    }
    if x < 0.5 {
        let reflected = positive(&big.like(1.0).sub(&big), 1.0 - near);
        return Big::pi(GAMMA).div(&sine_of_pi_times(x).abs()).ln().sub(&reflected);
    }
    positive(&big, near)
}

/// The error function by its series with terms of one sign:
/// `2/sqrt(pi) * exp(-x*x) * sum of 2**n * x**(2n+1) / (1*3*…*(2n+1))`.
fn erf_series(x: Real, p: usize) -> Big {
    let x = Big::of(x, p);
    let square = x.mul(&x).mul(&x.like(2.0));
    let (mut sum, mut term, mut odd) = (x.clone(), x.clone(), 1.0);
    while !term.is_zero() && term.order() > sum.order() - p as i32 {
        odd += 2.0;
        term = term.mul(&square).div(&x.like(odd));
        sum = sum.add(&term);
    }
    let factor = x.like(2.0).div(&Big::pi(p).sqrt());
    x.mul(&x).neg().exp().mul(&sum).mul(&factor)
}

/// Beyond, ERF is 1 in all digits of a constant.
const ONE: f64 = 9.0;

/// ERF.
pub fn erf(x: Real) -> Big {
    if x.abs() >= ONE { Big::new(x.double().signum(), GAMMA) } else { erf_series(x, GAMMA) }
}

/// The largest argument for which ERFC is not zero, in double precision and in kind 16.
fn last(x: Real) -> f64 {
    if matches!(x, Real::Double(_)) { 28.0 } else { 108.0 }
}

/// ERFC.
pub fn erfc(x: Real) -> Big {
    let last = last(x);
    if x >= last {
        // Rounds to zero, but is not.
        return Big::new(-last * last, GAMMA).mul(&Big::new(2.0, GAMMA)).exp();
    }
    let p = precision_at(x.double());
    Big::new(1.0, p).sub(&if x <= -ONE { Big::new(-1.0, p) } else { erf_series(x, p) })
}

/// `1 - erf(x)` loses as many bits as `exp(-x*x)` has zeros.
fn precision_at(x: f64) -> usize {
    GAMMA + if x > 0.0 { (1.5 * x * x) as usize } else { 0 }
}

/// ERFC_SCALED: `exp(x*x) * erfc(x)`.
pub fn erfc_scaled(x: Real) -> Big {
    if x < last(x) {
        let big = Big::of(x, precision_at(x.double()));
        return big.mul(&big).exp().mul(&erfc(x));
    }
    // The asymptotic series: 1/(x*sqrt(pi)) * sum of (-1)**n * (1*3*…*(2n-1)) / (2*x*x)**n.
    let x = Big::of(x, GAMMA);
    let square = x.mul(&x).mul(&x.like(2.0));
    let (mut sum, mut term) = (x.like(1.0), x.like(1.0));
    for n in 0..200 {
        let next = term.mul(&x.like(2.0 * f64::from(n) + 1.0)).div(&square).neg();
        if next.order() < -(GAMMA as i32) || next.order() > term.order() {
            break;
        }
        term = next;
        sum = sum.add(&term);
    }
    sum.div(&x.mul(&Big::pi(GAMMA).sqrt()))
}
