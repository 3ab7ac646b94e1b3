//! The harness for ranks is proven: bugs that are put in on purpose, in the compiler and in the runtime library, are switched on one at a
//! time, and random programs are judged until one prints or counts something else.

use super::run::{Bench, STRIPS, Way};
use super::{File, Piece, Program, make, reduce};
use rayon::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use trueline_ir::set_fault;

/// A fault, and its effect.
pub type Named = (&'static str, &'static str);

/// Faults in the pass `resolve`.
pub const COMPILER: &[Named] = &[
    ("ranks_read_unsaid", "the last element that a statement of a nest reads is not asked for"),
    ("ranks_condition_unsaid", "elements in the condition of an IF in a nest are not asked for"),
    ("ranks_mask_unsaid", "elements in the mask of a WHERE in a nest are not asked for"),
    ("ranks_subscript_unsaid", "elements in subscripts are not asked for"),
    ("ranks_flow_overlooked", "elements that another rank computes in a nest are taken to be there before"),
    ("ranks_sweep_grids", "sweeps along two grids, in which the ranks stand in different orders, are one"),
    ("ranks_strips_crossed", "a sweep is parted in strips whose elements need one another"),
    ("ranks_strips_bound", "the last iteration of each strip is left out"),
    ("ranks_output_unsaid", "elements that are written to the world outside stay with their owners"),
    ("ranks_inner_dependent", "iterations that need one another are executed in parts"),
    ("ranks_joined_flow", "elements that another rank computes in an earlier nest are taken to be there before both"),
    ("ranks_never_meet", "bounds are taken to keep all elements of a nest apart"),
    ("ranks_last_value", "variables of shared loops have no value behind the nest"),
    ("ranks_scalar_behind", "a scalar that is read behind a loop is computed where the loop uses it"),
    ("ranks_reduction_apart", "each rank keeps its own maximum"),
    ("ranks_remap_unknown", "arrays that directives map anew are taken to have the declared mapping"),
    ("ranks_argument_apart", "arguments are not whole on all ranks"),
    ("ranks_other_mapping_unseen", "memory without a mapping is not gathered at the entry"),
    ("ranks_left_apart", "arrays are not whole when a procedure is left"),
    (
        "ranks_carry_crossed",
        "results are taken to go from rank to rank along an inner loop, whatever the loops around it do",
    ),
    ("ranks_carry_unread", "temporaries that went from rank to rank are not sent to all, though all read them"),
    ("ranks_carry_extent", "the last of results whose number is known at run time only does not go from rank to rank"),
    ("ranks_turn_ends", "a scalar that went from owner to owner is not sent to all behind the loop"),
    ("ranks_counted_anywhere", "the owner of another element does what the owner of an element shall do in an arm"),
    ("ranks_copies_counted", "each rank that has a copy of an element counts the arms of its conditional"),
    ("ranks_share_is_all", "the share of a rank is taken for the count of all"),
    (
        "ranks_readers_near",
        "a value that scalars hand on is computed by the owner of another element than the one that it ends in",
    ),
    (
        "ranks_mask_uncounted",
        "whoever computes something under a mask counts the procedures there, and nobody adds that up",
    ),
    ("ranks_share_not_apart", "the share of a rank and the count of all ranks have one cell"),
    ("ranks_share_leaves", "counts of arms that a rank has a share of leave the nest"),
];

/// Faults in the runtime library.
pub const RUNTIME: &[Named] = &[
    ("ranks_share_short", "the last subscript of each owner is nobody's"),
    ("ranks_border_lost", "elements beyond a border of the second dimension are not sent"),
    ("ranks_remap_forgotten", "the new owners of a remapped array do not get its elements"),
    ("ranks_kept_not_fetched", "a kept array that another procedure maps in another way is not sent"),
    ("ranks_handed_not_fetched", "an array that a procedure with another mapping gets is not sent"),
    ("ranks_inherited_bounds", "an argument with INHERIT has the owners of the caller's subscripts"),
    ("ranks_lent_apart", "arguments that the callee does not ask for are not whole on all ranks"),
    ("ranks_gather_forgotten", "kept arrays are not gathered"),
    ("ranks_write_unnoted", "an element that is stored on its own is taken to be valid everywhere"),
    ("ranks_nest_unnoted", "elements that a nest stores are taken to be valid everywhere"),
    ("ranks_plan_of_other_state", "the plan of a nest is used again in another state of its arrays"),
    ("ranks_plan_of_other_values", "the plan of a nest is used again for other bounds"),
    ("ranks_sweep_discarded", "elements that come from the rank before in a sweep are not stored"),
    ("ranks_inner_waits", "iterations that need elements on their way are executed before they come"),
    ("ranks_inner_bound", "one iteration too much is executed before elements come"),
    ("ranks_publish_last", "the last run of elements is not sent when all ranks shall have an array"),
    ("ranks_shown_everywhere", "elements that the first rank got to write them are taken to be valid everywhere"),
    ("ranks_section_last", "the last run of a section is not sent when all ranks shall have it"),
    ("ranks_reduce_first", "the maximum of the first rank is that of all"),
    ("ranks_runs_joined", "neighbouring elements of different owners are noted as one run"),
    ("ranks_changed_joined", "neighbouring runs in the notes of a nest are taken as one"),
    ("ranks_read_alone", "the ranks do not get values that the first one reads"),
    ("ranks_backwards", "descending subscripts are off by one"),
    ("ranks_descending", "a loop that counts down leaves out its last iteration"),
    ("ranks_turn_stays", "a scalar is taken to be with the next owner, and is not sent"),
    ("ranks_carry_anew", "what goes from rank to rank is nothing when it comes"),
    ("ranks_carry_backwards", "what goes from rank to rank begins with the last one"),
    ("ranks_carry_first", "of several values that go from rank to rank together, each is taken for the first"),
    ("ranks_shares_of_two", "the shares of all ranks but two are not added up"),
    ("ranks_foretold_short", "the last message of an exchange is not foretold"),
    ("ranks_copies", "an array that is replicated along one dimension is taken to be everywhere"),
];

/// Whether the fault is one of rehearsals, which run programs on no ranks: figures that are foretold differ then, and no output.
fn is_foretold(name: &str) -> bool {
    name.starts_with("ranks_foretold_")
}

/// All of them.
pub fn all() -> impl Iterator<Item = (Named, bool)> {
    COMPILER.iter().map(|&f| (f, false)).chain(RUNTIME.iter().map(|&f| (f, true)))
}

/// Begins the line in a witness that names a file.
const FILE: &str = "! file ";

/// The way in which the programs of a hunt are built.
fn way(seed: u64) -> Way {
    Way {
        level: if seed.is_multiple_of(3) { 0 } else { 2 },
        profiled: false,
        ranks: vec![[2, 3, 4][seed as usize % 3]],
        without: Vec::new(),
        strip: STRIPS[seed as usize % STRIPS.len()],
    }
}

/// A program that is right.
struct Prepared {
    program: Program,
    bench: Bench,
    way: Way,
    built: PathBuf,
    /// The bytes of the executable.
    hash: u64,
}

/// Programs against which faults are hunted.
pub struct Hunt(Vec<Prepared>);

/// A fault that was found.
pub struct Found {
    /// The programs that were judged until then.
    pub programs: usize,
    /// The first difference.
    pub text: String,
    /// The program.
    pub program: Program,
    way: Way,
}

impl Hunt {
    /// Builds the programs with seeds from `first` on.
    pub fn new(first: u64, count: u64) -> Hunt {
        set_fault(None);
        let prepared =
            (first..first + count).into_par_iter().filter_map(|seed| Prepared::new(make::program(seed), way(seed)));
        Hunt(prepared.collect())
    }

    /// The first program that shows a fault.
    pub fn hunt(&self, name: &'static str, in_runtime: bool) -> Option<Found> {
        // A few programs at a time, so that not all are judged when the first shows it.
        for (k, some) in self.0.chunks(8).enumerate() {
            let judge = |p: &Prepared| p.shows(name, in_runtime);
            set_fault((!in_runtime).then_some(name));
            let found: Vec<Option<String>> = some.par_iter().map(judge).collect();
            set_fault(None);
            if let Some((at, text)) = found.into_iter().enumerate().find_map(|(k, text)| Some((k, text?))) {
                let p = &some[at];
                let (program, way) = (p.program.clone(), p.way.clone());
                return Some(Found { programs: 8 * k + at + 1, text, program, way });
            }
        }
        None
    }
}

impl Prepared {
    fn new(program: Program, way: Way) -> Option<Prepared> {
        let bench = Bench::new(&program).ok()?;
        let built = bench.build(&way, "right").ok()?;
        if way.ranks.iter().any(|&n| bench.judge(&built, &way, n, None).is_some()) {
            return None;
        }
        let hash = hash(&built);
        Some(Prepared { program, bench, way, built, hash })
    }

    /// The difference that the fault makes; a compiler's is switched on already.
    fn shows(&self, name: &str, in_runtime: bool) -> Option<String> {
        let built = match in_runtime {
            true => self.built.clone(),
            false => match self.bench.build(&self.way, "wrong") {
                Ok(built) if hash(&built) == self.hash => return None,
                Ok(built) => built,
                Err(e) => return Some(e),
            },
        };
        if is_foretold(name) {
            let foretold = |fault| self.way.ranks.iter().find_map(|&n| self.bench.foretold(&built, n, fault));
            return foretold("").map_or_else(|| foretold(name), |_| None);
        }
        let fault = in_runtime.then_some(name);
        let mut runs = self.way.ranks.iter().filter_map(|&n| self.bench.judge(&built, &self.way, n, fault));
        runs.next().map(|(_, text)| text)
    }
}

impl Found {
    /// The text of a small program that shows the fault; its first line says how it is built: `! -O2 4 ranks`, or with ` profiled` behind it.
    pub fn witness(&self, name: &'static str, in_runtime: bool) -> String {
        let shows = |program: &Program| shown(program, &self.way, name, in_runtime).ok().flatten().is_some();
        let small = reduce::reduce(self.program.clone(), shows);
        let mut text = format!("! -O{} {} ranks\n", self.way.level, self.way.ranks[0]);
        for f in &small.files {
            text.push_str(&format!("{FILE}{}\n{}", f.name, f.text()));
        }
        text
    }
}

/// The difference that a fault makes to a program.
///
/// # Errors
/// If the program is wrong without it.
fn shown(program: &Program, way: &Way, name: &str, in_runtime: bool) -> Result<Option<String>, String> {
    set_fault(None);
    let right = Prepared::new(program.clone(), way.clone()).ok_or("the program is wrong without the fault")?;
    set_fault((!in_runtime).then_some(name));
    let text = right.shows(name, in_runtime);
    set_fault(None);
    Ok(text)
}

/// Judges the witness of a fault.
///
/// # Errors
/// If it is wrong without the fault, or its first line says nothing.
pub fn replay(name: &str, in_runtime: bool, text: &str) -> Result<Option<String>, String> {
    let (first, _) = text.split_once('\n').unwrap_or((text, ""));
    let words: Vec<&str> = first.split(' ').collect();
    let ["!", level, ranks, "ranks", ref how @ ..] = words[..] else {
        return Err(format!("'{first}' says not how it is built"));
    };
    let profiled = how.contains(&"profiled");
    let number = |w: &str| w.trim_start_matches("-O").parse::<usize>().map_err(|e| format!("{w}: {e}"));
    let strip = how.iter().skip_while(|w| **w != "strips").nth(1).map_or(Ok(0), |w| number(w))? as u32;
    let way = Way { level: number(level)? as u8, profiled, ranks: vec![number(ranks)?], without: Vec::new(), strip };
    let mut files: Vec<File> = Vec::new();
    let mut file = |name: &str, text: &str| {
        files.push(File { name: name.to_owned(), pieces: vec![Piece::fixed(text)] });
    };
    match text.contains(FILE) {
        false => file("main.f90", text),
        true => {
            for part in text.split(FILE).skip(1) {
                let (name, text) = part.split_once('\n').unwrap_or((part, ""));
                file(name, text);
            }
        }
    }
    shown(&Program { seed: 0, files }, &way, name, in_runtime)
}

/// Hunts all faults, or those of a list with commas; the exit code. Programs that show them are written to `write`.
pub fn command(only: Option<&str>, seed: u64, programs: u64, write: Option<&str>, print: &mut dyn FnMut(&str)) -> i32 {
    let hunt = Hunt::new(seed, programs);
    print(&format!("{} programs", hunt.0.len()));
    let kept = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ranks");
    let mut count = [0; 2];
    for ((name, what), in_runtime) in all().filter(|f| only.is_none_or(|o| o.split(',').any(|o| o == f.0.0))) {
        count[1] += 1;
        let Some(found) = hunt.hunt(name, in_runtime) else {
            let text = std::fs::read_to_string(kept.join(format!("{name}.f90"))).unwrap_or_default();
            match replay(name, in_runtime, &text) {
                Ok(Some(shown)) => {
                    count[0] += 1;
                    print(&format!("found by its witness       {name}: {what} [{shown}]"));
                }
                Ok(None) => print(&format!("NOT FOUND  {name}: {what}")),
                Err(e) => print(&format!("NOT FOUND  {name}: {what} [its witness: {e}]")),
            }
            continue;
        };
        count[0] += 1;
        print(&format!("found after {:4} programs  {name}: {what} [{}]", found.programs, found.text));
        if let Some(directory) = write {
            let text = found.witness(name, in_runtime);
            print(&format!("    {} lines", text.lines().count()));
            if let Err(e) = std::fs::write(std::path::Path::new(directory).join(format!("{name}.f90")), text) {
                print(&e.to_string());
            }
        }
    }
    print(&format!("{} of {} faults found", count[0], count[1]));
    i32::from(count[0] < count[1])
}

fn hash(path: &std::path::Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    std::fs::read(path).unwrap_or_default().hash(&mut hasher);
    hasher.finish()
}
