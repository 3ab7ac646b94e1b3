//! Formatted and list-directed input and output against the results of gfortran 12 for the same cases, which are kept
//! in text files: `TRUELINE_BLESS=1 cargo test equals_gfortran` writes them anew.

use super::differential::{read_bits, write_bits};

/// The distance of the cases that are tried: Miri is slow.
const STEP: usize = if cfg!(miri) { 250 } else { 1 };

#[test]
fn output_is_as_stored() {
    let mut count = 0;
    for line in include_str!("output.txt").lines().step_by(STEP) {
        let (case, expected) = line.split_once('|').unwrap();
        let mut words = case.splitn(3, ' ');
        let (ty, bits) = (words.next().unwrap(), u64::from_str_radix(words.next().unwrap(), 16).unwrap());
        let format = words.next().unwrap();
        assert_eq!(write_bits(ty, bits, format), expected, "{case}");
        count += 1;
    }
    assert!(count >= 1000 / STEP, "{count} cases");
}

#[test]
fn input_is_as_stored() {
    let mut count = 0;
    for line in include_str!("input.txt").lines().step_by(STEP) {
        let (case, expected) = line.rsplit_once('|').unwrap();
        let (head, text) = case.split_once('|').unwrap();
        let (ty, format) = head.split_once(' ').unwrap();
        assert_eq!(read_bits(ty, format, text), expected, "{case}");
        count += 1;
    }
    assert!(count >= 1000 / STEP, "{count} cases");
}
