//! The oracle is proven: with a fault switched on in the verbs' sets, in the log or in the mapping, some time must be wrong that is right
//! without it.

use super::campaign::{ATTEMPTS, doubtful, judge_way};
use super::judge::{Class, Failure};
use super::make::make;
use super::program::{Id, Program};
use super::run::{Way, Workshop};
use super::simulate::Run;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Faults that leave the program as it is, and put its time elsewhere.
///
/// Taints decide which counts a loop may claim, not which statements are timed; statements that several others share,
/// and the test of a loop that was unswitched, take no time to speak of: `taint_expanded`, `taint_moved`,
/// `map_look_alike`, `merge_common_without_union` and `alternative_without_augmentation` may be tried by name.
pub const FAULTS: &[&str] = &[
    "merge_without_union",
    "move_without_augmentation",
    "interchange_without_augmentation",
    "eliminate_without_edit",
    "expand_without_set",
    "copy_without_set",
    "inline_without_sets",
    "eliminate_head_without_augmentation",
];

/// Faults in the mapping and in the timers, which change no count.
pub const OF_TIMES: &[(&str, &str)] = &[
    ("map_scalars_relate", "every statement that two constructs share relates them"),
    ("map_unrolled_apart", "loops that were one when they were unrolled are not related"),
    ("map_shared_is_own", "what several constructs share is timed with each"),
    ("map_areas_span", "what stands between two areas of a construct is timed with it"),
    ("map_one_area", "the first area of a construct is its only one"),
    ("map_calls_are_short", "calls that stand apart from their construct have no timer"),
    ("timer_open_at_jumps", "a jump out of a construct does not end its timer"),
    ("timer_ends_outside_first", "a jump out of several constructs ends the outer timers first"),
    ("timer_of_one_instance", "one instance of a construct in inlined code has a timer"),
];

/// A program built in one way, without a fault.
struct Base {
    program: Program,
    run: Run,
    way: Way,
    /// The bytes of the executable.
    hash: u64,
    /// The mistakes without the fault, once it was asked for.
    wrong: Option<BTreeSet<Id>>,
}

/// The hunt for a fault.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its name.
    pub name: String,
    /// The program and the failure that shows it; none if nothing does.
    pub by: Option<(Program, Way, Failure)>,
    /// The number of builds to which it made a difference, and the number of all.
    pub different: (usize, usize),
    /// The number of builds that failed: checks after each pass found it before a time could be wrong.
    pub refused: usize,
}

/// Programs against which faults are hunted.
pub struct Hunt {
    shop: Workshop,
    bases: Vec<Base>,
}

impl Hunt {
    /// Builds the programs with seeds from `first` on.
    ///
    /// # Errors
    /// If there is no `cc`.
    pub fn new(first: u64, count: u64, plans: usize) -> Result<Hunt, String> {
        trueline_ir::set_fault(None);
        let shop = Workshop::new("faults")?;
        let mut bases = vec![];
        for seed in first..first + count {
            let (program, run) = make(seed);
            for way in Way::of(seed, plans, false).into_iter().filter(|w| w.level > 0 && !w.by_default) {
                if let Ok(built) = shop.build(&program, &run, &way) {
                    let (program, run) = (program.clone(), run.clone());
                    bases.push(Base { program, run, way, hash: hash(&built.bytes()), wrong: None });
                }
            }
        }
        Ok(Hunt { shop, bases })
    }

    /// Switches a fault on, and judges the programs that are built differently until a time is wrong that was right.
    pub fn hunt(&mut self, name: &str) -> Found {
        let mut out = Found { name: name.to_owned(), by: None, different: (0, self.bases.len()), refused: 0 };
        for base in &mut self.bases {
            let built = || self.shop.build(&base.program, &base.run, &base.way).map(|b| hash(&b.bytes()));
            match with_fault(Some(name), built) {
                Ok(h) if h == base.hash => continue,
                Ok(_) => {}
                Err(_) => out.refused += 1,
            }
            out.different.0 += 1;
            let judged = || new_failure(&self.shop, base, ATTEMPTS);
            if with_fault(Some(name), judged).is_none() {
                continue;
            }
            if base.wrong.is_none() {
                base.wrong = Some(doubtful(&self.shop, &base.program, &base.run, &base.way).unwrap_or_default());
            }
            // Once more, now that the failures without it are known.
            let judged = || new_failure(&self.shop, base, ATTEMPTS);
            if let Some(failure) = with_fault(Some(name), judged) {
                out.by = Some((base.program.clone(), base.way.clone(), failure));
                return out;
            }
        }
        out
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

fn with_fault<T>(name: Option<&str>, f: impl FnOnce() -> T) -> T {
    trueline_ir::set_fault(name);
    let value = f();
    trueline_ir::set_fault(None);
    value
}

/// A construct whose time is wrong as the compiler is now, and that is not known to be wrong without the fault.
fn new_failure(shop: &Workshop, base: &Base, attempts: usize) -> Option<Failure> {
    let is_new = |f: &Failure| f.id.is_some_and(|id| base.wrong.as_ref().is_none_or(|known| !known.contains(&id)));
    let verdict = judge_way(shop, &base.program, &base.run, &base.way, attempts).ok()?;
    let counts = |f: &Failure| (f.class < Class::Order && f.class != Class::Inlined) || f.class == Class::Exclusive;
    verdict.failures.into_iter().find(|f| counts(f) && is_new(f))
}

/// Hunts the faults of a list, or all, and prints the programs that found them; returns the exit code.
pub fn command(names: &[String], seed: u64, programs: u64, plans: usize, print: &mut dyn FnMut(&str)) -> i32 {
    let mut hunt = match Hunt::new(seed, programs, plans) {
        Ok(hunt) => hunt,
        Err(e) => {
            print(&e);
            return 2;
        }
    };
    let names: Vec<String> = match names {
        [] => FAULTS.iter().chain(OF_TIMES.iter().map(|(name, _)| name)).map(|n| (*n).to_owned()).collect(),
        names => names.to_vec(),
    };
    let (mut found, mut effective) = (0, 0);
    for name in &names {
        let result = hunt.hunt(name);
        let (different, all) = result.different;
        effective += usize::from(different > 0);
        match result.by {
            Some((program, way, failure)) => {
                found += 1;
                print(&format!(
                    "found by seed {} at {}  {name}: {}: {}",
                    program.seed,
                    way.row(),
                    failure.class.word(),
                    failure.text
                ));
            }
            None if different == 0 => print(&format!("no difference to {all} builds  {name}")),
            // The checks after each pass ask whether every statement stands where its set says.
            None if result.refused > 0 => {
                found += 1;
                print(&format!("refused by the checks after passes, {} of {all} builds  {name}", result.refused));
            }
            None => print(&format!("NOT FOUND, {different} of {all} builds are different  {name}")),
        }
    }
    print(&format!("{found} of {effective} faults that make a difference found, {} tried", names.len()));
    i32::from(found < effective)
}
