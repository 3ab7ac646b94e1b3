//! gprof's `gmon.out` (binutils, `gmon_out.h`): call arcs, a histogram of time over procedures, and, where the executable has a
//! line table, how often each line ran, which `gprof -l -A` writes beside the source.
//!
//! The format speaks of addresses, so the executable's symbols are needed. The time of a procedure is spread over the bins of
//! its code.

use crate::index::{Index, executions_of_all as executions, is_procedure};
use std::collections::BTreeMap;

/// Facts about the executable.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// Address and size in bytes of the procedures, by linker symbol.
    pub procedures: BTreeMap<String, (u64, u64)>,
    /// The first address of the code of each line, by file and line.
    pub lines: BTreeMap<(String, u32), u64>,
}

/// Bytes of code in a bin of the histogram.
const BIN: u64 = 16;
/// A histogram larger than this is refused.
const MAX_BINS: u64 = 1 << 24;

pub(super) fn gmon(index: &Index<'_>, symbols: Option<&Symbols>) -> Result<Vec<u8>, String> {
    let symbols = symbols.ok_or("The format gmon needs the executable that was profiled: pass --exe FILE")?;
    let mut places: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for c in index.profile.constructs.iter().filter(|c| is_procedure(c)) {
        if let Some(&place) = c.symbol.as_ref().and_then(|s| symbols.procedures.get(s)) {
            places.insert(c.serial, place);
        }
    }
    if places.is_empty() {
        return Err("The executable has none of the profile's procedures".to_owned());
    }
    let mut out = b"gmon".to_vec();
    out.extend(1u32.to_le_bytes());
    out.extend([0; 12]);
    histogram(index, &places, &mut out)?;
    for e in index.profile.edges.iter().filter(|e| e.calls > 0) {
        let (Some(&(from, _)), Some(&(to, _))) = (places.get(&e.caller), places.get(&e.callee)) else { continue };
        // A count too large for the format is given in several records, which gprof adds up; huge ones are cut.
        let mut left = e.calls;
        for _ in 0..16 {
            let part = u32::try_from(left).unwrap_or(u32::MAX);
            out.push(1);
            out.extend((from + 1).to_le_bytes());
            out.extend(to.to_le_bytes());
            out.extend(part.to_le_bytes());
            left -= u64::from(part);
            if left == 0 {
                break;
            }
        }
    }
    lines(index, &symbols.lines, &mut out);
    Ok(out)
}

/// The executions of the constructs; for a line, those of the first one that was counted.
fn lines(index: &Index<'_>, addresses: &BTreeMap<(String, u32), u64>, out: &mut Vec<u8>) {
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    for c in &index.profile.constructs {
        if let (Some(&address), Some(n)) = (addresses.get(&(c.file.clone(), c.line)), executions(c)) {
            counts.entry(address).or_insert(n);
        }
    }
    if counts.is_empty() {
        return;
    }
    out.push(2);
    out.extend(u32::try_from(counts.len()).unwrap_or(u32::MAX).to_le_bytes());
    for (address, n) in counts.into_iter().take(u32::MAX as usize) {
        out.extend(address.to_le_bytes());
        out.extend(n.to_le_bytes());
    }
}

/// Nanoseconds of each procedure, its loops included, without the procedures it calls.
fn own_times(index: &Index<'_>) -> BTreeMap<u32, u64> {
    let mut own: BTreeMap<u32, u64> = BTreeMap::new();
    for c in &index.profile.constructs {
        if let Some(t) = index.time(c) {
            let sum = own.entry(index.procedure_of(c.serial)).or_default();
            *sum = sum.saturating_add(t.exclusive_ns);
        }
    }
    own
}

fn histogram(index: &Index<'_>, places: &BTreeMap<u32, (u64, u64)>, out: &mut Vec<u8>) -> Result<(), String> {
    let low = places.values().map(|p| p.0).min().unwrap_or(0) / BIN * BIN;
    let high = places.values().map(|p| p.0.saturating_add(p.1.max(1))).max().unwrap_or(0).div_ceil(BIN) * BIN;
    let bins = (high - low) / BIN;
    if bins > MAX_BINS {
        return Err("The executable's procedures are too far apart for the format gmon".to_owned());
    }
    let times = own_times(index);
    let longest = times.values().copied().max().unwrap_or(0);
    // The finest of these rates at which the bins can hold the time; gprof wants a whole number of ticks a second.
    let fits = |rate: u64| {
        times.iter().all(|(s, &ns)| {
            let room = places.get(s).map_or(1, |p| (p.1 / BIN).max(1)) * u64::from(u16::MAX);
            u128::from(ns) * u128::from(rate) / 1_000_000_000 <= u128::from(room)
        })
    };
    let rate =
        [1_000_000u64, 100_000, 10_000, 1000, 100, 10].into_iter().find(|&r| longest == 0 || fits(r)).unwrap_or(1);
    let mut counts = vec![0u64; bins as usize];
    for (serial, ns) in times {
        let Some(&(start, size)) = places.get(&serial) else { continue };
        let ticks = (u128::from(ns) * u128::from(rate) / 1_000_000_000) as u64;
        let first = ((start + BIN - 1 - low) / BIN).min(bins - 1);
        let n = (size / BIN).max(1).min(bins - first);
        for k in 0..n {
            counts[(first + k) as usize] += ticks / n + u64::from(k < ticks % n);
        }
    }
    out.push(0);
    out.extend(low.to_le_bytes());
    out.extend(high.to_le_bytes());
    out.extend((bins as u32).to_le_bytes());
    out.extend((rate as u32).to_le_bytes());
    out.extend(b"seconds\0\0\0\0\0\0\0\0s");
    out.extend(counts.iter().flat_map(|&n| u16::try_from(n).unwrap_or(u16::MAX).to_le_bytes()));
    Ok(())
}
