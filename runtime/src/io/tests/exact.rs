//! Decimal input and output is exact (R13): every real number that is written with enough digits is read as the same number, and
//! each digit that is written is that of the exact value, rounded once by the mode that is asked for.
//!
//! Two things are libgfortran's way on purpose, and not looked at: `EN` without a rounding mode takes a digit less beside some powers of
//! ten, and `F` with RU or RD does not see digits that are 20 places behind the last one.
//!
//! The judge shares nothing with the runtime: it multiplies whole numbers of any length and rounds their digits itself.
//! `TRUELINE_SINGLES=all` takes every `REAL(4)`, `TRUELINE_SINGLES=FROM..TO` those whose bits are numbers in that range, so that all can be taken in parts,
//! and `TRUELINE_SINGLES=N` N of them, spread over all; `TRUELINE_DOUBLES=N` takes N of `REAL(8)`, among them those beside powers of two and ten, halves of a last place, and
//! numbers without a leading bit. `TRUELINE_DOUBLES=FROM..TO` takes the numbers from that one to that one of the same sequence, which are only read as they were written, in parts of
//! 100 million, each of which says that it is done. `TRUELINE_TEST_THREADS=N` runs on N threads.

#![allow(clippy::print_stdout, reason = "a long run says how much it was")]

use crate::io::format::{Data, Letter};
use crate::io::read_number::{self, list_real, real};
use crate::io::real::{edit, kind, list};
use crate::io::unit::{Modes, Rounding};
use std::ops::Range;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

fn wanted(name: &str, least: u64) -> u64 {
    let least = if cfg!(miri) { least.div_ceil(1024) } else { least };
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(least)
}

/// The range `FROM..TO` that a variable of the environment asks for.
fn asked(name: &str) -> Option<Range<u64>> {
    let text = std::env::var(name).ok()?;
    let (from, to) = text.split_once("..")?;
    Some(from.parse().ok()?..to.parse().ok()?)
}

/// The numbers of kind 4 that are tried, and whether these are their bits.
fn singles() -> (Range<u64>, bool) {
    const ALL: u64 = 1 << 32;
    let text = std::env::var("TRUELINE_SINGLES").unwrap_or_default();
    match asked("TRUELINE_SINGLES") {
        Some(range) => (range.start..ALL.min(range.end), true),
        None if text == "all" => (0..ALL, true),
        None => (0..wanted("TRUELINE_SINGLES", 1 << 16), false),
    }
}

/// Runs `check` on all numbers of `range`, on as many threads as are asked for or there are processors, each with room for text; returns the number that were right.
fn on_all(range: Range<u64>, check: impl Fn(u64, &mut Vec<u8>) -> Result<(), String> + Sync) -> u64 {
    const PART: u64 = if cfg!(miri) { 16 } else { 1 << 12 };
    let (next, done) = (AtomicU64::new(range.start), AtomicU64::new(0));
    let work = || {
        let mut text = Vec::new();
        loop {
            let from = next.fetch_add(PART, Ordering::Relaxed);
            if from >= range.end {
                return;
            }
            let to = (from + PART).min(range.end);
            for n in from..to {
                text.clear();
                check(n, &mut text).unwrap_or_else(|e| panic!("{e}"));
            }
            done.fetch_add(to - from, Ordering::Relaxed);
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = wanted("TRUELINE_TEST_THREADS", processors as u64).max(1);
    std::thread::scope(|s| (0..threads).for_each(|_| drop(s.spawn(work))));
    done.into_inner()
}

fn random(n: u64) -> u64 {
    let x = n.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The powers of ten with exponents from 0 to 307.
static TENS: LazyLock<Vec<f64>> =
    LazyLock::new(|| (0..308).map(|k| format!("1e{k}").parse().expect("a number")).collect());

/// The `n`-th of the numbers of kind 8 that are tried: random bits, and in every second place one that is hard.
fn double(n: u64) -> f64 {
    let r = random(n);
    let near = |x: f64| f64::from_bits(x.to_bits().wrapping_add(r % 7).wrapping_sub(3));
    let x = match n % 8 {
        // No leading bit; beside a power of two, and of ten; a tie of few digits; a decimal number of everyday size.
        1 => f64::from_bits(r & ((1 << 52) - 1)),
        3 => near(f64::from_bits(((r >> 12) % 2046) << 52)),
        5 => near(TENS[(r >> 8) as usize % TENS.len()]),
        6 => ((r >> 40) as f64 + 0.5) / f64::from(1u32 << (r % 20)),
        7 => (r >> 20) as f64 / 1000.0,
        _ => f64::from_bits(r),
    };
    if x.is_finite() { x } else { 1.0 / (1.0 + (r >> 12) as f64) }
}

/// Writes `x` in a field of 80 characters.
fn write(out: &mut Vec<u8>, x: f64, letter: Letter, digits: u32, rounding: Rounding) {
    let data = Data { letter, width: Some(80), digits: Some(digits), exponent: Some(4) };
    let modes = Modes { rounding, ..Modes::DEFAULT };
    edit(out, x.into(), kind(8), data, i32::from(letter == Letter::D), &modes).expect("the scale is in range");
}

/// All digits of the absolute value of `x`, and the number of those in front of the point, by whole numbers in limbs of nine digits.
fn exact_digits(x: f64) -> (Vec<u8>, i64) {
    const BASE: u64 = 1_000_000_000;
    let bits = x.to_bits();
    let (field, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    let (mut whole, mut exponent) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    while exponent < 0 && whole != 0 && whole % 2 == 0 {
        (whole, exponent) = (whole / 2, exponent + 1);
    }
    let mut limbs = vec![whole % BASE, whole / BASE];
    // whole * 2^-n is whole * 5^n * 10^-n. As many factors at a time as leave the product of a limb in 64 bits.
    let (factor, most) = if exponent < 0 { (5u64, 12) } else { (2, 29) };
    let mut left = exponent.unsigned_abs() as u32;
    while left > 0 {
        let step = left.min(most);
        let by = factor.pow(step);
        left -= step;
        let mut carry = 0;
        for limb in &mut limbs {
            let product = *limb * by + carry;
            (*limb, carry) = (product % BASE, product / BASE);
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let text: String = limbs.iter().rev().map(|limb| format!("{limb:09}")).collect();
    let text = text.trim_start_matches('0').as_bytes().to_vec();
    let point = text.len() as i64 + exponent.min(0);
    (text, point)
}

/// The digits of `x` up to the place `10^-places`, without leading zeros: the exact digits, rounded by `rounding`.
fn rounded(x: f64, digits: &[u8], point: i64, places: i64, rounding: Rounding) -> Vec<u8> {
    let keep = point + places;
    let digit = |k: i64| usize::try_from(k).ok().and_then(|k| digits.get(k)).map_or(0, |d| d - b'0');
    let mut out: Vec<u8> = (0..keep.max(0)).map(digit).collect();
    // The rest in halves of the last place: below, at, or above one half; none at all.
    let first = if keep < 0 { 0 } else { digit(keep) };
    let more =
        digits.iter().enumerate().any(|(k, d)| k as i64 > keep.max(-1) && *d != b'0' && (keep >= 0 || k as i64 >= 0));
    let (any, half) = (first > 0 || more, (first, more).cmp(&(5, false)));
    let up = match rounding {
        Rounding::Up => any && x.is_sign_positive(),
        Rounding::Down => any && x.is_sign_negative(),
        Rounding::Zero => false,
        Rounding::Compatible => half.is_ge(),
        Rounding::Unspecified | Rounding::Nearest => {
            half.is_gt() || half.is_eq() && out.last().is_some_and(|d| d % 2 == 1)
        }
    };
    if up {
        let mut k = out.len();
        loop {
            if k == 0 {
                out.insert(0, 1);
                break;
            }
            k -= 1;
            out[k] = (out[k] + 1) % 10;
            if out[k] != 0 {
                break;
            }
        }
    }
    let zeros = out.iter().take_while(|d| **d == 0).count();
    out.drain(..zeros);
    out.iter().map(|d| d + b'0').collect()
}

/// The digits in front of the exponent, without leading zeros and the point.
fn digits_in(text: &[u8]) -> Vec<u8> {
    let end = text.iter().position(|b| *b == b'E' || *b == b'D').unwrap_or(text.len());
    let digits: Vec<u8> = text[..end].iter().copied().filter(u8::is_ascii_digit).collect();
    let zeros = digits.iter().take_while(|b| **b == b'0').count();
    digits[zeros..].to_vec()
}

const MODES: [Rounding; 6] =
    [Rounding::Unspecified, Rounding::Nearest, Rounding::Up, Rounding::Down, Rounding::Zero, Rounding::Compatible];

#[test]
fn every_single_is_read_as_it_was_written() {
    let (range, are_bits) = singles();
    let start = std::time::Instant::now();
    let data = Data { letter: Letter::Es, width: Some(20), digits: Some(8), exponent: None };
    let right = on_all(range, |n, text| {
        // An odd factor takes each number once.
        let bits = if are_bits { n as u32 } else { (n as u32).wrapping_mul(2_654_435_769) };
        let x = f32::from_bits(bits);
        if !x.is_finite() {
            return Ok(());
        }
        let back = if bits % 2 == 0 {
            list(text, f64::from(x).into(), kind(4), &Modes::DEFAULT);
            list_real(text.trim_ascii(), 4, &Modes::DEFAULT)
        } else {
            edit(text, f64::from(x).into(), kind(4), data, 0, &Modes::DEFAULT).expect("no scale");
            real(text, 4, 0, 0, &Modes::DEFAULT)
        };
        match back {
            Ok(read_number::Real::Single(y)) if y.to_bits() == bits => Ok(()),
            other => Err(format!("{bits:#x} is written {} and read {other:?}", String::from_utf8_lossy(text))),
        }
    });
    println!("{right} REAL(4), {:.0} s: all read as they were written", start.elapsed().as_secs_f64());
}

#[test]
fn doubles_are_read_as_they_were_written() {
    const PART: u64 = 100_000_000;
    let range = asked("TRUELINE_DOUBLES").unwrap_or(0..wanted("TRUELINE_DOUBLES", 1 << 14));
    for from in range.clone().step_by(PART as usize) {
        let part = from..range.end.min(from + PART);
        let start = std::time::Instant::now();
        let right = on_all(part.clone(), is_read_as_written);
        let seconds = start.elapsed().as_secs_f64();
        println!("{right} REAL(8), numbers {part:?}, {seconds:.0} s: all read as they were written");
    }
}

fn is_read_as_written(n: u64, text: &mut Vec<u8>) -> Result<(), String> {
    let x = double(n);
    match n / 8 % 4 {
        0 => list(text, x.into(), kind(8), &Modes::DEFAULT),
        1 => write(text, x, Letter::E, 17, Rounding::Nearest),
        2 => write(text, x, Letter::En, 16, Rounding::Nearest),
        _ => write(text, x, Letter::D, 17, Rounding::Nearest),
    }
    match list_real(text.trim_ascii(), 8, &Modes::DEFAULT) {
        Ok(read_number::Real::Double(y)) if y.to_bits() == x.to_bits() => Ok(()),
        other => Err(format!("{x:e} is written {} and read {other:?}", String::from_utf8_lossy(text))),
    }
}

#[test]
fn digits_are_those_of_the_exact_value() {
    let count = wanted("TRUELINE_DOUBLES", 1 << 12) / 8;
    let start = std::time::Instant::now();
    let edits = AtomicU64::new(0);
    on_all(0..count, |n, text| {
        let x = if n % 3 == 0 { -double(n) } else { double(n) };
        if x == 0.0 {
            return Ok(());
        }
        let (digits, point) = exact_digits(x);
        for rounding in MODES {
            let count = 1 + (random(n ^ 77) % 24) as i64;
            // With F the place is fixed, and with E and ES the number of digits.
            for (letter, places) in [
                (Letter::F, count),
                (Letter::Es, count - point),
                (Letter::E, count - point),
                (Letter::F, -(point.min(0)) % 40),
            ] {
                // The field has 80 characters, and all the number's digits may be behind them.
                let is_seen = point + places > 0 || !matches!(rounding, Rounding::Up | Rounding::Down);
                if letter == Letter::F && (point + places > 70 || point < -60 || !is_seen) {
                    continue;
                }
                let asked = match letter {
                    Letter::F => places,
                    Letter::Es => count - 1,
                    _ => count,
                };
                text.clear();
                write(text, x, letter, asked as u32, rounding);
                let (got, mut want) = (digits_in(text), rounded(x, &digits, point, places, rounding));
                // A carry into a new first place: one digit less behind.
                if letter != Letter::F && want.len() as i64 > count {
                    want.pop();
                }
                if got != want {
                    let text = String::from_utf8_lossy(text).trim().to_owned();
                    let want = String::from_utf8_lossy(&want).into_owned();
                    return Err(format!(
                        "{x:e} by {letter:?} with {asked} digits, {rounding:?}, is {text}, not {want}"
                    ));
                }
                edits.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    });
    println!("{} edits, {:.0} s: all digits right", edits.into_inner(), start.elapsed().as_secs_f64());
}
