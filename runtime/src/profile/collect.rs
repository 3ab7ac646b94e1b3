//! Cleanup: from counters, records and metadata to a [`Profile`].

use super::{clock, objects, stack};
use std::collections::HashMap;
use std::ffi::CStr;
use trueline_abi::profile::{
    Clock, Construct, ConstructMeta, CountSource, Counts, Edge, ObjectMeta, Overhead, Profile, SCHEMA, Status, Time,
};
use trueline_abi::record::{ObjectHeader, Record};

/// The profile of the run so far.
pub fn profile() -> Profile {
    let calibration = clock::calibration();
    let mut out = Profile {
        schema: SCHEMA.to_owned(),
        program: program_name(),
        clock: Clock {
            source: calibration.source.to_owned(),
            ticks_per_second: calibration.ticks_per_second,
            elapsed_ns: calibration.elapsed_ns,
        },
        ..Profile::default()
    };
    let pairs = stack::pairs() as f64 * calibration.probe_ns;
    out.overhead = Overhead {
        predicted: None,
        measured: Some(if calibration.elapsed_ns == 0 { 0.0 } else { pairs / calibration.elapsed_ns as f64 }),
        probe_ns: calibration.probe_ns,
    };
    let mut collector = Collector {
        nanoseconds: 1e9 / calibration.ticks_per_second,
        serials: HashMap::new(),
        symbols: HashMap::new(),
        calls: Vec::new(),
        out,
    };
    for header in objects::headers() {
        collector.object(&header);
    }
    collector.foreign();
    collector.edges();
    collector.out
}

struct Collector {
    /// Nanoseconds in a tick.
    nanoseconds: f64,
    /// The serial of the procedure behind a record.
    serials: HashMap<usize, u32>,
    /// The serial of the procedure behind a linker symbol.
    symbols: HashMap<String, u32>,
    /// Caller, linker symbol of the callee, line, calls.
    calls: Vec<(u32, String, u32, u64)>,
    out: Profile,
}

impl Collector {
    fn object(&mut self, header: &ObjectHeader) {
        let Some(meta) = read_meta(header) else {
            crate::exit::tell(b"trueline: the profile metadata of an object cannot be read; it is left out\n");
            return;
        };
        // SAFETY: the header was made by the compiler: `counter_count` numbers stand there.
        let cells = unsafe { slice(header.counters, header.counter_count) };
        // SAFETY: as above.
        let records = unsafe { slice(header.records, header.record_count) };
        // Serials are unique in an object; those of the next one follow.
        let base = self.out.constructs.iter().map(|c| c.serial + 1).max().unwrap_or(0);
        self.out.opt_level = meta.opt_level;
        self.out.instrument_at = meta.instrument_at;
        self.out.files.extend(meta.files);
        for c in meta.constructs {
            self.construct(c, base, cells, records);
        }
        for e in meta.edges {
            if let Some(calls) = evaluate(&e.calls, cells) {
                self.calls.push((base + e.caller, e.callee, e.line, calls));
            }
        }
    }

    fn construct(&mut self, meta: ConstructMeta, base: u32, cells: &[u64], records: &[Record]) {
        let mut c = meta.construct;
        c.serial += base;
        c.parent = c.parent.map(|p| p + base);
        for m in &mut c.merged_with {
            *m += base;
        }
        for count in &meta.counts {
            let value = evaluate(&count.source, cells);
            put(&mut c.counts, &count.measure, value);
        }
        complete(&mut c.counts, &c.kind);
        if let Some(record) = meta.record.and_then(|r| records.get(r as usize)) {
            c.time = Some(self.time(record));
            if let Some(symbol) = &meta.symbol {
                self.serials.insert(std::ptr::from_ref(record) as usize, c.serial);
                self.symbols.insert(symbol.clone(), c.serial);
            }
        }
        if let Some(symbol) = meta.symbol {
            self.symbols.insert(symbol, c.serial);
        }
        self.out.constructs.push(c);
    }

    fn time(&self, record: &Record) -> Time {
        let ns = |ticks: u64| (ticks as f64 * self.nanoseconds).round() as u64;
        Time { inclusive_ns: ns(record.inclusive), exclusive_ns: ns(record.exclusive) }
    }

    /// Constructs of callers in other languages: all that is known of them is in their records.
    fn foreign(&mut self) {
        for record in objects::adopted() {
            // SAFETY: adopted records live as long as the program.
            let r = unsafe { &*record };
            let serial = self.out.constructs.iter().map(|c| c.serial + 1).max().unwrap_or(0);
            let name = if r.name.is_null() {
                "?".into()
            } else {
                // SAFETY: the name was passed as a C string.
                unsafe { CStr::from_ptr(r.name.cast()) }.to_string_lossy()
            };
            let is_if = r.evaluations > 0 && r.inclusive == 0 && r.invocations == 0;
            let counts = Counts {
                invocations: (!is_if).then_some(r.invocations),
                iterations: (r.iterations > 0).then_some(r.iterations),
                evaluations: is_if.then_some(r.evaluations),
                taken: is_if.then(|| r.taken.to_vec()),
                ..Counts::default()
            };
            self.serials.insert(record as usize, serial);
            self.out.constructs.push(Construct {
                serial,
                kind: "region".to_owned(),
                procedure: name.to_string(),
                text: name.into_owned(),
                status: Status::Exact,
                counts_exact: true,
                counts,
                time: (!is_if).then(|| self.time(r)),
                ..Construct::default()
            });
        }
    }

    /// Edges by line from the counters, with the times of the caller-callee table where they are known.
    fn edges(&mut self) {
        let mut times: HashMap<(u32, u32), u64> = HashMap::new();
        let mut foreign = Vec::new();
        for (caller, callee, e) in stack::edges() {
            let (Some(&to), ns) = (self.serials.get(&(callee as usize)), (e.ticks as f64 * self.nanoseconds) as u64)
            else {
                continue;
            };
            let Some(&from) = self.serials.get(&(caller as usize)) else { continue };
            times.insert((from, to), ns);
            foreign.push((from, to, e.calls));
        }
        for (caller, symbol, line, calls) in std::mem::take(&mut self.calls) {
            let Some(&callee) = self.symbols.get(&symbol) else { continue };
            let inclusive_ns = times.remove(&(caller, callee));
            self.out.edges.push(Edge { caller, callee, line, calls, inclusive_ns });
        }
        for (caller, callee, calls) in foreign {
            if let Some(ns) = times.remove(&(caller, callee)) {
                self.out.edges.push(Edge { caller, callee, line: 0, calls, inclusive_ns: Some(ns) });
            }
        }
    }
}

/// Arms that follow from the others: of a logical IF the second, of an arithmetic IF the third.
fn complete(counts: &mut Counts, kind: &str) {
    let (Some(evaluations), Some(taken)) = (counts.evaluations, counts.taken.as_mut()) else { return };
    let arms = match kind {
        "if_arith" => 3,
        "select" => return,
        _ => 2,
    };
    if taken.len() + 1 == arms {
        taken.push(evaluations.saturating_sub(taken.iter().sum()));
    }
}

fn put(counts: &mut Counts, measure: &str, value: Option<u64>) {
    match measure {
        "invocations" => counts.invocations = value,
        "iterations" => counts.iterations = value,
        "evaluations" => counts.evaluations = value,
        "elements" => counts.elements = value,
        _ => {
            let arm = measure.strip_prefix("taken.").and_then(|k| k.parse::<usize>().ok());
            if let (Some(arm), Some(value)) = (arm.filter(|&k| k <= usize::from(u16::MAX)), value) {
                let taken = counts.taken.get_or_insert_default();
                taken.resize(taken.len().max(arm + 1), 0);
                taken[arm] = value;
            }
        }
    }
}

fn evaluate(source: &CountSource, cells: &[u64]) -> Option<u64> {
    match source {
        CountSource::Unavailable { .. } => None,
        CountSource::Sum { terms } => terms.iter().try_fold(0u64, |sum, &(factor, cell)| {
            Some(sum.wrapping_add(factor.wrapping_mul(*cells.get(cell as usize)?)))
        }),
    }
}

fn read_meta(header: &ObjectHeader) -> Option<ObjectMeta> {
    // SAFETY: the header was made by the compiler: `meta_len` bytes stand there.
    let packed = unsafe { slice(header.meta, header.meta_len) };
    let json = miniz_oxide::inflate::decompress_to_vec_zlib(packed).ok()?;
    serde_json::from_slice(&json).ok()
}

/// # Safety
/// `data` is null or the address of `len` values that live as long as the program.
unsafe fn slice<'a, T>(data: *const T, len: u64) -> &'a [T] {
    if data.is_null() {
        return &[];
    }
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts(data, len as usize) }
}

fn program_name() -> String {
    let path = std::env::args_os().next().unwrap_or_default();
    std::path::Path::new(&path).file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}
