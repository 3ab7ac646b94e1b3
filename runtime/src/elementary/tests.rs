//! Blocks against the C library, and tables against a longer arithmetic.

use super::tables::{COSINE, EXP, LOG, LOG_SHORT, SINE};
use super::{
    Arguments, Cosine, Exp, Function, Log, NearCosine, NearExp, NearLog, NearPower, NearSine, Power, Sine, block, ways,
};
use crate::ieee;
use trueline_abi::Quad;

/// The low half of the exceptions that the C library calls by these numbers on the processor at hand: all but "inexact".
const EXCEPTIONS: i32 = if cfg!(target_arch = "x86_64") { 0x1f } else { 0x0f };

/// Random bits.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number between `low` and `high`.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (self.bits() >> 11) as f64 / (1_u64 << 53) as f64 * (high - low)
    }
}

/// Compares blocks of the function in all ways of this processor with the C library: values, and exceptions of each argument.
fn compare<F: Function>(name: &str, x: &[f64], y: &[f64]) {
    compare_one::<F>(name, x, y);
    match name {
        "EXP" => compare_one::<NearExp>("near EXP", x, y),
        "LOG" => compare_one::<NearLog>("near LOG", x, y),
        "SIN" => compare_one::<NearSine>("near SIN", x, y),
        "COS" => compare_one::<NearCosine>("near COS", x, y),
        _ => compare_one::<NearPower>("near **", x, y),
    }
}

fn compare_one<F: Function>(name: &str, x: &[f64], y: &[f64]) {
    let at = |v: &[f64]| Arguments { first: v.as_ptr(), is_one: v.len() == 1 };
    let second = |k: usize| if y.len() == 1 { y[0] } else { y[k] };
    let library: Vec<f64> = (0..x.len()).map(|k| F::library(x[k], second(k))).collect();
    for way in ways() {
        let mut to = vec![0.0; x.len()];
        // SAFETY: the vectors have as many elements.
        unsafe { block::<F>(way, to.as_mut_ptr(), at(x), at(y), x.len()) };
        for k in 0..x.len() {
            let is_same = to[k].to_bits() == library[k].to_bits();
            let units = to[k].to_bits().abs_diff(library[k].to_bits());
            let is_near = F::APPROXIMATE && units <= if name.ends_with("SIN") || name.ends_with("COS") { 2 } else { 1 };
            assert!(
                is_same || is_near,
                "{name} {way:?} of {:e} {:e}: {:e}, not {:e}",
                x[k],
                second(k),
                to[k],
                library[k]
            );
        }
    }
}

fn clear() {
    // SAFETY: nothing else looks at the flags.
    unsafe { ieee::feclearexcept(EXCEPTIONS) };
}

fn raised() -> i32 {
    // SAFETY: it only reads the flags.
    unsafe { ieee::fetestexcept(EXCEPTIONS) }
}

/// Compares the exceptions of one argument.
fn compare_exceptions<F: Function>(name: &str, x: f64, y: f64) {
    clear();
    std::hint::black_box(F::library(std::hint::black_box(x), y));
    let right = raised();
    for way in ways() {
        let (mut to, one) = ([0.0; 8], [1.0; 8]);
        let (mut of, mut by) = (one, one);
        (of[3], by[3]) = (x, y);
        let at = |v: &[f64; 8]| Arguments { first: v.as_ptr(), is_one: false };
        clear();
        // SAFETY: the arrays have as many elements.
        unsafe { block::<F>(way, std::hint::black_box(to.as_mut_ptr()), at(&of), at(&by), 8) };
        std::hint::black_box(&to);
        let found = raised();
        assert!(found == right, "{name} {way:?} of {x:e} {y:e} raises {found:#x}, not {right:#x}");
        clear();
    }
}

/// Arguments that are special to one function or another, with both signs.
fn special() -> Vec<f64> {
    let mut all = vec![0.0, f64::INFINITY, f64::NAN, f64::from_bits(0x7ff4_0000_0000_0000), 1.0, 0.5, 2.0, 3.0, 1.5];
    for e in (-1074..1024).step_by(7).chain([-1022, -1023, -60, -61, -54, -53, -27, -28, 15, 16, 60, 61, 1023]) {
        let p = 2.0_f64.powi(e);
        all.extend([p, p.next_down(), p.next_up(), 1.3 * p]);
    }
    for edge in [707.9, 708.0, 709.78, 709.79, 745.1, 745.2, 708.39, 708.4, 1.0, 0.6875, 1.375, 1.0 + 1.0 / 256.0] {
        all.extend([edge, f64::next_down(edge), f64::next_up(edge)]);
    }
    all.extend((1..400).map(|k| f64::from(k) * std::f64::consts::PI / 64.0));
    let negative: Vec<f64> = all.iter().map(|x| -x).collect();
    all.extend(negative);
    all
}

#[test]
fn special_arguments() {
    let all = special();
    compare::<Exp>("EXP", &all, &all);
    compare::<Log>("LOG", &all, &all);
    compare::<Sine>("SIN", &all, &all);
    compare::<Cosine>("COS", &all, &all);
    for &y in all.iter().step_by(5) {
        compare::<Power>("**", &all, &[y]);
    }
    // The logarithm needs more than 64 digits here.
    compare::<Power>("**", &[9.978_317_229_259_661e-1; 8], &[2.293_384_523_557_385_3e5]);
    for &x in &all {
        compare_exceptions::<Exp>("EXP", x, 1.0);
        compare_exceptions::<Log>("LOG", x, 1.0);
        compare_exceptions::<Sine>("SIN", x, 1.0);
        compare_exceptions::<Cosine>("COS", x, 1.0);
        for &y in all.iter().step_by(97) {
            compare_exceptions::<Power>("**", x, y);
        }
    }
}

#[test]
fn random_arguments() {
    // More of them with TRUELINE_TEST_ARGUMENTS, in thousands.
    let thousands = std::env::var("TRUELINE_TEST_ARGUMENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for n in 0..thousands {
        let mut some = |low: f64, high: f64| -> Vec<f64> { (0..1000).map(|_| random.between(low, high)).collect() };
        compare::<Exp>("EXP", &some(-708.0, 708.0), &[0.0]);
        compare::<Exp>("EXP", &some(-1.0, 1.0), &[0.0]);
        compare::<Log>("LOG", &some(0.5, 2.0), &[0.0]);
        compare::<Log>("LOG", &some(0.999, 1.001), &[0.0]);
        compare::<Log>("LOG", &some(0.0, 1.0e6), &[0.0]);
        for high in [0.2, 3.2, 100.0, 32768.0] {
            compare::<Sine>("SIN", &some(-high, high), &[0.0]);
            compare::<Cosine>("COS", &some(-high, high), &[0.0]);
        }
        compare::<Power>("**", &some(0.0, 100.0), &some(-3.0, 3.0));
        compare::<Power>("**", &some(0.5, 1.5), &some(-1000.0, 1000.0));
        compare::<Power>("**", &some(0.0, 1.0e6), &[[1.5, -0.5, 1.0 / 3.0, 2.5][n % 4]]);
        let near: Vec<f64> = some(0.99, 1.01);
        let large: Vec<f64> = near.iter().map(|x| 700.0 / x.ln() * random.between(-1.0, 1.0)).collect();
        compare::<Power>("**", &near, &large);
        let bits: Vec<f64> = (0..1000).map(|_| f64::from_bits(random.bits())).collect();
        compare::<Exp>("EXP", &bits, &[0.0]);
        compare::<Sine>("SIN", &bits, &[0.0]);
        compare::<Cosine>("COS", &bits, &[0.0]);
        let positive: Vec<f64> = bits.iter().map(|x| x.abs()).collect();
        compare::<Log>("LOG", &positive, &[0.0]);
        let exponents: Vec<f64> = positive.iter().map(|x| 600.0 / x.ln() * random.between(-1.0, 1.0)).collect();
        compare::<Power>("**", &positive, &exponents);
    }
}

#[test]
fn every_length_and_place() {
    for count in 0..100 {
        let x: Vec<f64> = (0..count).map(|k| 0.3 + f64::from(k) / 7.0).collect();
        compare::<Exp>("EXP", &x, &[0.0]);
        let mut place = x.clone();
        place.push(7.0);
        // SAFETY: as many elements, in place.
        unsafe { super::trueline_log_r8(place.as_mut_ptr().cast(), place.as_ptr().cast(), count.into()) };
        let right: Vec<f64> = x.iter().map(|&x| Log::library(x, 0.0)).chain([7.0]).collect();
        assert_eq!(place, right);
    }
    // SAFETY: nothing is computed.
    unsafe { super::trueline_exp_r8(std::ptr::null_mut(), std::ptr::null(), -1) };
}

/// In other rounding modes all elements are the C library's.
#[test]
fn rounding_modes() {
    let up = if cfg!(target_arch = "x86_64") { 0x800 } else { 0x40_0000 };
    let x: Vec<f64> = (0..64).map(|k| f64::from(k) / 9.0).collect();
    let mut to = vec![0.0; 64];
    // SAFETY: the mode is one of the processor's, and each thread has its own; as many elements.
    unsafe {
        ieee::fesetround(up);
        super::trueline_exp_r8(to.as_mut_ptr().cast(), x.as_ptr().cast(), 64);
    }
    let right: Vec<f64> = x.iter().map(|&x| Exp::library(std::hint::black_box(x), 0.0)).collect();
    // SAFETY: this is the usual mode.
    unsafe { ieee::fesetround(0) };
    assert_eq!(to, right);
}

/// Checks that the parts of a number are what it is nearest to, and the rest.
fn check(name: &str, k: usize, exact: Quad, parts: &[u64; 2]) {
    assert_eq!(parts[0], exact.to_f64().to_bits(), "{name} {k}");
    check_sum(name, k, exact, parts);
}

fn check_sum(name: &str, k: usize, exact: Quad, parts: &[u64]) {
    let off = parts.iter().fold(exact, |rest, &bits| rest - Quad::from(f64::from_bits(bits)));
    assert!(off.abs().to_f64() < 2.0_f64.powi(-96), "{name} {k}: {:e}", off.to_f64());
}

/// The sum of a series whose terms `next` makes, each from the one before and its number.
fn series(first: Quad, next: impl Fn(Quad, i128) -> Quad) -> Quad {
    let (mut sum, mut term) = (first, first);
    for n in 1..60 {
        term = next(term, n);
        sum = sum + term;
    }
    sum
}

fn quad(text: &str) -> Quad {
    Quad::parse(text).expect("a number")
}

/// Each entry is computed again with 113 binary digits.
#[test]
fn tables_are_exact() {
    let ln2 = quad("0.6931471805599453094172321214581765680755001343602552541206800094933936");
    let pi = quad("3.1415926535897932384626433832795028841971693993751058209749445923078164");
    let whole = Quad::from_int;
    let columns = |table: &[[u64; 16]; 2], k: usize| [table[0][k], table[1][k]];
    for k in 0..16 {
        let x = ln2 * whole(k as i128) / whole(16);
        check("EXP", k, series(whole(1), |term, n| term * x / whole(n)), &columns(&EXP, k));
        let x = pi * whole(k as i128) / whole(32);
        let sine = series(x, |term, n| -(term * x * x) / whole(2 * n * (2 * n + 1)));
        let cosine = series(whole(1), |term, n| -(term * x * x) / whole(2 * n * (2 * n - 1)));
        check("SINE", k, sine, &columns(&SINE, k));
        check("COSINE", k, cosine, &columns(&COSINE, k));
    }
    let short: Vec<[u64; 3]> = (0..16).map(|k| LOG_SHORT.map(|column| column[k])).collect();
    for (rows, first, width) in [(&LOG[..], 0x3fe6_0000_0000_0000, 44), (&short, 0x3fe6_8000_0000_0000, 48)] {
        check_logarithms(rows, first, width);
    }
}

/// Rows with the bits `first + (k << width)`.
fn check_logarithms(rows: &[[u64; 3]], first: u64, width: u32) {
    let whole = Quad::from_int;
    for (k, parts) in rows.iter().enumerate() {
        let at = |k: usize| f64::from_bits(first + ((k as u64) << width));
        let (low, high) = (at(k), at(k + 1));
        let inverse = f64::from_bits(parts[0]);
        let is_at_one = low <= 1.0 && 1.0 <= high;
        assert_eq!(inverse, if is_at_one { 1.0 } else { 1.0 / f64::midpoint(low, high) });
        // log v is twice the sum of q**(2n + 1) / (2n + 1) with q = (v - 1) / (v + 1).
        let v = Quad::from(inverse);
        let q = (v - whole(1)) / (v + whole(1));
        let half = series(q, |term, n| term * q * q * whole(2 * n - 1) / whole(2 * n + 1));
        check_sum("LOG", k, -(half + half), &parts[1..]);
        let digits = f64::from_bits(parts[1]) * 2.0_f64.powi(42);
        assert_eq!(digits, digits.trunc());
    }
}
