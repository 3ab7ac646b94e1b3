//! R3: every application of a loop transformation is checked by code that shares nothing with it.
//!
//! ```text
//! before                       after interchange            cell a(2,1)
//! do i = 1, 2                  do j = 1, 2                  stored 5.0, read; stored 7.0
//!   do j = 1, 2                  do i = 1, 2                stored 7.0; stored 5.0, read: refused
//! ```
//!
//! Two accesses to one cell of memory, one of which stores, must keep their order: that is every flow, anti and output
//! dependence. The checker does not compute dependences; it enumerates them. Both programs are run on the same test data,
//! and every cell must have the same sequence of stored values in both, and reads where there were some, unless none is made elsewhere instead. Accesses
//! to different cells, and reads between two stores, may change places, and a store of the bits that are there is none.

use crate::campaign::BATCH;
use crate::oracle::{self, Plan};
use crate::rng::Rng;
use crate::{generate, print};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use trueline_ir::{Level, Program, Trace, interpret};
use trueline_opt::{OptLevel, Options};

/// The passes that change the order of iterations or copy them. Each leaves the accesses themselves as they are.
pub const LOOPS: &[&str] =
    &["distribute", "interchange", "fuse", "peel", "split", "unswitch", "version", "vectorize", "unroll"];

/// Steps after which a run is given up.
const STEPS: u64 = 4_000_000;

/// Programs in one file: each application is a run of the whole file.
const FEW: u64 = BATCH / 4;

/// The work of the checker.
#[derive(Default, Debug)]
pub struct Checked {
    /// Programs.
    pub programs: u64,
    /// Applications that changed something, by pass.
    pub applications: BTreeMap<&'static str, u64>,
    /// Applications without a verdict: the program takes too many steps or accesses, or is beyond the interpreter.
    pub unjudged: u64,
    /// Cells compared.
    pub cells: u64,
    /// Accesses compared.
    pub accesses: u64,
    /// Applications that do not keep a dependence.
    pub failures: Vec<String>,
}

impl Checked {
    fn add(&mut self, other: Checked) {
        self.programs += other.programs;
        other.applications.into_iter().for_each(|(pass, n)| *self.applications.entry(pass).or_default() += n);
        self.unjudged += other.unjudged;
        self.cells += other.cells;
        self.accesses += other.accesses;
        self.failures.extend(other.failures);
    }
}

/// The time between two stores to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Epoch {
    /// The bits that the store at its beginning leaves; none at the start of the run.
    stored: Option<u32>,
    /// How often the cell is read meanwhile.
    reads: u32,
    /// Whether the bits that are there are stored again: so do vectors with a mask, which read them before.
    again: bool,
}

const UNTOUCHED: Epoch = Epoch { stored: None, reads: 0, again: false };

impl Epoch {
    /// Whether `after` keeps this. A read that has moved is missing here; a further one is that of a bound before a loop that does not run.
    fn is_kept_by(&self, after: &Epoch) -> bool {
        self.stored == after.stored && (self.reads == 0 || after.reads > 0 || self.again || after.again)
    }

    /// Whether `after` is this without some of its reads.
    fn is_without_reads(&self, after: &Epoch) -> bool {
        self.stored == after.stored && after.reads <= self.reads
    }
}

type Cells<'t> = HashMap<(&'t str, u64), Vec<Epoch>>;

fn cells(trace: &Trace) -> Cells<'_> {
    // The bits that a cell has are known from the first access on.
    let mut out: HashMap<(&str, u64), (Vec<Epoch>, Option<u32>)> = HashMap::new();
    for a in &trace.accesses {
        let name = trace.spaces[a.space as usize].as_str();
        let (epochs, bits) = out.entry((name, a.offset)).or_insert_with(|| (vec![UNTOUCHED], None));
        match epochs.last_mut() {
            Some(last) if !a.stores => last.reads = last.reads.saturating_add(1),
            Some(last) if *bits == Some(a.bits) => last.again = true,
            _ => epochs.push(Epoch { stored: Some(a.bits), ..UNTOUCHED }),
        }
        *bits = Some(a.bits);
    }
    out.into_iter().map(|(place, (epochs, _))| (place, epochs)).collect()
}

/// Compares the order of the accesses of two runs; returns the number of cells. Memory that one of the programs does not have
/// is not compared: temporaries that a transformation made.
///
/// # Errors
/// The first cell, by name and place, at which a dependence is not kept.
pub fn same_order(before: &Trace, after: &Trace) -> Result<u64, String> {
    let spaces: BTreeSet<&str> = before.spaces.iter().map(String::as_str).collect();
    let common: BTreeSet<&str> = after.spaces.iter().map(String::as_str).filter(|s| spaces.contains(s)).collect();
    let (old, new) = (cells(before), cells(after));
    let mut places: Vec<_> = old.keys().chain(new.keys()).filter(|(space, _)| common.contains(space)).collect();
    places.sort_unstable();
    places.dedup();
    let untouched = vec![UNTOUCHED];
    for place in &places {
        let a = old.get(place).unwrap_or(&untouched);
        let b = new.get(place).unwrap_or(&untouched);
        // A read that has moved would be one more elsewhere: a cell with no more reads in any epoch has lost those of values that nothing needs, such as the
        // other operand of MERGE in iterations whose condition is known.
        let omits = |a: &[Epoch], b: &[Epoch]| a.iter().zip(b).all(|(x, y)| x.is_without_reads(y));
        if a.len() != b.len() || !a.iter().zip(b).all(|(x, y)| x.is_kept_by(y)) && !omits(a, b) {
            let k = a.iter().zip(b).position(|(x, y)| !x.is_kept_by(y)).unwrap_or(a.len().min(b.len()));
            let show = |e: &[Epoch]| e.get(k).map_or("nothing".to_owned(), |e| format!("{e:?}"));
            let (space, offset) = place;
            return Err(format!("'{space}' + {offset}, after {k} stores: {} became {}", show(a), show(b)));
        }
    }
    Ok(places.len() as u64)
}

/// The accesses of a run, on test data or on zeros: a value that is stored may be the one that is there by chance.
///
/// # Errors
/// Why it has no end.
pub fn trace(program: &Program, fill: bool) -> Result<Trace, trueline_ir::Error> {
    let options = trueline_ir::Options { steps: STEPS, fill, trace: true, ..trueline_ir::Options::default() };
    Ok(interpret(program, &options)?.trace.unwrap_or_default())
}

/// The accesses of the run on test data, and of that on zeros.
type Traces = Result<[Trace; 2], trueline_ir::Error>;

fn traces(program: &Program) -> Traces {
    Ok([trace(program, true)?, trace(program, false)?])
}

/// Checks every application of a loop transformation to `plain` by `plan`: the program with one application fewer against
/// the program with it.
pub fn check(plain: &Program, plan: &Plan) -> Checked {
    let mut out = Checked::default();
    let wanted = LOOPS.iter().map(|&name| name.to_owned()).collect();
    let base = Options {
        level: plan.level,
        passes: plan.passes.clone(),
        verify: false,
        down_to: Level::H,
        ..Options::default()
    };
    let all = Options { dump: wanted, ..base.clone() };
    let stats = match trueline_opt::optimize(&mut plain.clone(), &all) {
        Ok(stats) => stats,
        Err(bug) => {
            out.failures.push(bug.to_string());
            return out;
        }
    };
    let mut last: Option<(u64, Traces)> = None;
    for d in stats.dumps.iter().filter(|d| d.before != d.after && !d.edits.is_empty()) {
        let mut run = |bisect: u64| {
            let mut program = plain.clone();
            let options = Options { bisect: Some(bisect), ..base.clone() };
            trueline_opt::optimize(&mut program, &options).map_err(|bug| bug.to_string())?;
            let mut hasher = DefaultHasher::new();
            program.units.iter().for_each(|u| u.to_string().hash(&mut hasher));
            let text = hasher.finish();
            // The program after one application is mostly the one before the next.
            match last.take() {
                Some((same, known)) if same == text => Ok::<_, String>((text, known)),
                _ => Ok((text, traces(&program))),
            }
        };
        let pair = run(d.application - 1).and_then(|a| Ok((a, run(d.application)?)));
        *out.applications.entry(d.pass).or_default() += 1;
        match pair {
            Err(bug) => out.failures.push(format!("{} on {}: {bug}", d.pass, d.unit)),
            Ok(((_, Ok(a)), (text, Ok(b)))) => {
                for (a, b) in a.iter().zip(&b) {
                    out.accesses += a.accesses.len() as u64;
                    match same_order(a, b) {
                        Ok(cells) => out.cells += cells,
                        Err(e) => out.failures.push(format!("{} on {}: {e}", d.pass, d.unit)),
                    }
                }
                last = Some((text, Ok(b)));
            }
            Ok(((_, Ok(_)), (_, Err(e)))) if e.kind == trueline_ir::ErrorKind::Wrong => {
                out.failures.push(format!("{} on {}: {e}", d.pass, d.unit));
            }
            Ok(_) => out.unjudged += 1,
        }
    }
    out
}

/// The plans of the programs that begin with `seed`: the passes of -O3, and random ones, in which loop transformations abound.
fn plans(seed: u64, count: usize) -> Vec<Plan> {
    let mut rng = Rng::new(seed ^ 0x0dde);
    let whole = Plan {
        level: OptLevel::O3,
        passes: None,
        down_to: Level::H,
        discharge: false,
        verify: false,
        vector_bytes: 16,
    };
    let mut out = vec![whole.clone()];
    out.extend((1..count).map(|_| {
        let names = (0..3 + rng.below(6)).map(|_| rng.pick(LOOPS).to_owned());
        let passes = ["inline", "scalarize"].map(str::to_owned).into_iter().chain(names).collect();
        Plan { passes: Some(passes), ..whole.clone() }
    }));
    out
}

/// Checks the programs with seeds from `first` on, `count` of them, each optimized in `per` ways.
pub fn run(first: u64, count: u64, per: usize) -> Checked {
    let batches: Vec<u64> = (first..first + count).step_by(FEW as usize).collect();
    let batch = |&seed: &u64| {
        let n = FEW.min(first + count - seed);
        let cases: Vec<_> = (seed..seed + n).map(generate::case).collect();
        let mut out = Checked { programs: n, ..Checked::default() };
        match oracle::load(&print::file(&cases)) {
            Err(e) => out.failures.push(format!("seed {seed}: {e}")),
            Ok(plain) => {
                for plan in plans(seed, per) {
                    let mut one = check(&plain, &plan);
                    one.failures.iter_mut().for_each(|f| *f = format!("seed {seed} {plan}: {f}"));
                    out.add(one);
                }
            }
        }
        out
    };
    let found: Vec<Checked> = batches.par_iter().map(batch).collect();
    let mut out = Checked::default();
    found.into_iter().for_each(|f| out.add(f));
    out
}
