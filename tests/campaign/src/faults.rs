//! R2: the harness itself is proven. Bugs that are put in on purpose are switched on one at a time, and
//! random programs are judged until one fails.

use crate::ast::Case;
use crate::oracle::{self, Difference, Plan, Subject};
use crate::{STACK, campaign, generate, print};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Every fault, with its effect. The names are those in the compiler's own code.
pub const FAULTS: &[(&str, &str)] = &[
    ("depend_distance", "dependence distances are off by one"),
    ("depend_backward", "dependences against the order of iterations are overlooked"),
    ("depend_gcd", "a common divisor of one is taken for none"),
    ("depend_output", "dependences between two writes are dropped"),
    ("ordered_zero", "variables are taken to differ where a loop runs up to one of them"),
    ("ordered_bounds", "variables are taken to differ by a bound that has changed since the loop began"),
    ("compact_value", "a store in a compacted unit stores its own address"),
    ("depend_trips", "a loop of two iterations is taken to have no pair of them"),
    ("depend_stride", "steps are left out of dependence equations"),
    ("alias_equivalence", "arrays equivalenced at an offset are taken to be apart"),
    ("alias_common", "calls are taken to leave COMMON alone"),
    ("alias_element", "an element is taken to be another than itself"),
    ("alias_owner", "ALLOCATABLE components of two elements are taken to be apart, whichever these are"),
    ("alias_classes", "overlapping arrays are put into classes of their own"),
    ("fuse_limit", "loops with different limits are fused"),
    ("fuse_memory", "fusion ignores dependences against the order"),
    ("fuse_register", "fusion ignores scalars that the second loop reads"),
    ("structure_check", "the checks of a test are not made where it ends the loop"),
    ("structure_once", "a loop that asks at its end may have no iteration"),
    ("induct_advance", "what stands behind the advance of a second variable has its old value"),
    (
        "split_defined_later",
        "a register that the second part of a split loop defines at its end is taken to have that value before, too",
    ),
    ("taken_in_parts", "a construct that only counts leaves a nest in parts"),
    ("nest_keeps_brackets", "the trips of a loop that is gone are counted in a nest whose tallies have left it"),
    ("steps_last_value", "a loop that counts its iterations leaves its variable with the value of the last one"),
    ("strides_first", "only the first of several strides is compared"),
    ("split_bound", "the first part of a split loop runs to its end"),
    ("multiply_overlap", "a product is computed in blocks though one of its sides is the result"),
    ("transpose_overlap", "a matrix is transposed in blocks though it is the result"),
    ("evaluate_memory", "functions of all iterations are computed before earlier iterations write their arguments"),
    ("evaluate_register", "functions of all iterations are computed with a scalar's value before the loop"),
    ("evaluate_strip", "strips of blocks of functions share an iteration"),
    ("idiom_overlap", "what overlaps is copied as one block"),
    ("interchange_memory", "interchange ignores dependences"),
    ("interchange_register", "interchange ignores scalars carried by the nest"),
    ("interchange_last_value", "interchange ignores the values that DO variables have after the nest"),
    ("distribute_memory", "distribution ignores dependences against the order"),
    ("distribute_register", "distribution ignores scalars that the first part reads"),
    ("unroll_limit", "the unrolled loop runs one iteration too far"),
    ("unroll_copy", "copies of an unrolled body use the index of the one before"),
    ("unroll_remainder", "the remainder of a known trip count is forgotten"),
    ("unroll_last_value", "the DO variable has no value after full unrolling"),
    ("vectorize_carried", "vectors take what earlier iterations write for what it was before"),
    ("vectorize_order", "vectors are written before earlier iterations read their elements"),
    ("vectorize_writes", "vectors are written before earlier iterations write their elements"),
    ("vectorize_distance", "the version with vectors runs whatever the distance is"),
    ("vectorize_last_lane", "a scalar has the value of another lane behind a vector loop"),
    ("vectorize_result_of_arm", "the result of a function that an arm assigns is taken to be of that arm"),
    ("vectorize_start", "the lanes in which the greatest is found begin with zero"),
    ("again_zero", "the greatest of reals has the sign of a zero of some lane"),
    ("again_nan", "NaNs are no reason to find the greatest of reals again"),
    ("again_first", "the greatest of reals is found again from where a variable that the loop changes says"),
    ("again_memory", "the greatest of reals is found again in elements that the loop has changed"),
    ("vectorize_last_none", "a register that no iteration assigns has a value of an iteration that there is not"),
    ("vectorize_last_least", "of the last iterations of all lanes the first one decides"),
    ("vectorize_last_twice", "of two statements that give a register the value of the last iteration either decides"),
    ("vectorize_last_memory", "the last iteration's value is computed of elements that the loop has changed"),
    ("vectorize_ramp", "the lanes of a loop's variable come in the opposite order"),
    ("vectorize_alternate", "of elements that are two apart the second half of a vector has their neighbours"),
    ("vectorize_gather", "the lanes of elements that are no neighbours come in the opposite order"),
    ("vectorize_unsigned", "bytes without a sign are compared as ones with a sign"),
    ("uncheck_first_end", "a check that holds in the first iteration is taken to hold in all"),
    ("uncheck_counter_once", "a check of a counter that holds before the loop is taken to hold in it"),
    ("uncheck_other_arm", "a check in the second arm is taken to run where the condition is true"),
    ("uncheck_one_arm", "a value that an arm of a conditional leaves alone is taken to be that of the other arm"),
    ("uncheck_joined", "operands of .or. whose checks are gone are joined by .and."),
    ("uncheck_first_mark", "all elements that a nest asks for are taken to have a value if the first one has"),
    ("inline_without_check", "the check behind a question for room on the stack is taken to be that of the room"),
    ("marks_read", "constants are stored into bytes before earlier iterations read these"),
    ("notes_overlap", "arguments that may be the same storage are taken to be apart"),
    ("notes_flag", "the flag of a procedure that calls others and may be entered again by them is omitted"),
    ("vectorize_first_sum", "of several vectors with partial results only the first counts"),
    ("vectorize_other_arm", "in vectors the arms of a conditional are exchanged"),
    ("vectorize_all_lanes", "in vectors a statement under a condition is done in all lanes"),
    ("lanes_of_other_arm", "a vector loop counts the first arm of a conditional for the second"),
    ("lanes_count_less", "a strip of a vector loop counts one iteration too few"),
    ("lanes_unsettled", "counts in a vector loop read values that are lanes now"),
    ("interior_limit", "the loop without tests runs to the end of the one with tests"),
    ("peel_bound", "the loop left by peeling keeps its bounds"),
    ("peel_arm", "the loop left by peeling keeps the wrong arm"),
    ("peel_guard", "peeling forgets that there may be no iteration"),
    ("unswitch_varying", "a condition on registers that the loop changes is taken out of it"),
    ("licm_zero_trips", "statements leave loops that may not run"),
    ("licm_redefined", "statements leave loops that define the register again"),
    ("licm_store", "loads leave loops that store there"),
    ("elements_copy_short", "the last component of a structure is not copied"),
    ("elements_passed", "an element whose address is passed to a call is in a register"),
    ("promote_alias", "an array element in a register ignores other references"),
    ("promote_store", "an array element in a register is not written back"),
    ("copyprop_original", "a copy stands for its original when that has changed"),
    ("forward_loop", "what a loop changes is still known in it"),
    ("forward_label", "what is known on one way to a label is known on all"),
    ("forward_arms", "what an arm changes is still known after it"),
    ("cse_store", "a load is still available after a store"),
    ("cse_lane", "a vector that is stored is taken to have one element more"),
    ("fold_sign", "the difference of constants has the wrong sign"),
    ("fold_zero", "x + 0.0 is x"),
    ("fold_associate", "x + d - c is x + (d + c)"),
    ("fold_trips", "a loop of two iterations is one of one"),
    ("dce_carried", "a register that the next iteration reads is dead"),
    ("dce_jump", "a register that is read after a jump is dead"),
    ("dce_leaving", "a register that is read where a later iteration jumps to is dead"),
    ("dce_store", "stores to local arrays are dead"),
    ("dce_overwritten", "stores to elements are dead though they are read before the next store"),
    ("strength_scale", "an index is multiplied by the size of another array's elements"),
    ("strength_step", "pointers advance by one iteration whatever the step"),
    ("strength_trap", "a quotient that a condition keeps from being computed is computed before the loop"),
    ("scalarize_direction", "array assignments run against the overlap"),
    ("scalarize_overlap", "overlapping sections need no temporary"),
    ("lower_direction", "loops with a step of one test their limit the wrong way"),
    ("hoist_without_trips", "a count leaves a loop without its trips"),
    ("hoist_other_arm", "a count leaves a conditional for the other arm"),
    ("triangular_slope", "the closed sum over a triangular nest has a wrong slope"),
    ("comparison_sum", "the closed sum of a comparison takes > for >="),
    ("eliminate_loses_tally", "what goes takes its counts along"),
    ("remains_lost", "what only counts in a loop that goes is given up"),
    ("remains_trips", "what only counts in a loop that goes runs up to the last value"),
    ("store_without_ghost", "a store that only counts read goes without a trace"),
    ("call_without_ghost", "a call whose result only counts read goes without a trace"),
    ("rewrite_without_store", "a store that becomes an assignment to a register is not there for counts"),
    ("guard_other_arm", "what only counts may evaluate is guarded by the condition of the other arm"),
    ("twin_other_arm", "what an arm counts before a loop is counted for both arms"),
    ("twin_without_select", "what an arm of SELECT counts in a split loop is given up"),
    ("mirror_never", "what counts by memory that its own loop writes is given up"),
    ("remains_other_case", "what is left of a SELECT counts for its first case"),
    ("remains_step", "the variable of a loop that only counts keeps its first value"),
    ("split_without_ghost", "what the second part of a split loop counts by values of the first is given up"),
    ("written_changing", "elements at different distances from a variable of a split loop are taken to be apart"),
    ("follow_some", "a variable that changes in other places, too, is taken to count along"),
    ("follow_any_mask", "a vector that adds up the lanes of one mask is taken to count those of another"),
    ("split_keeps_registers", "what the second part of a split loop counts by registers of the first is given up"),
    ("until_behind", "elements that a loop has written are read before it to count"),
    ("written_backwards", "a loop that runs down to no constant is taken to run up from its first value"),
    ("split_gives_up", "what counts by memory that only the other part of a split loop writes is given up"),
    ("split_registers_stay", "what counts by a ghost that both parts of a split loop carry on is given up"),
    (
        "mirror_until",
        "what counts by an element that its loop writes later, and by one that it has written, is given up",
    ),
    ("replay_never", "what counts by memory that both parts of a split loop write is given up"),
    ("replay_apart", "what counts by memory that has another name where its own loop writes it is given up"),
    ("replay_without_copy", "the memory that counting code follows is empty before its loop"),
    ("replay_without_characters", "what counts by a character that its own loop makes is given up"),
    ("place_without_ghost", "what counts by an array whose bounds go is given up"),
    ("between_written", "what is counted between loops that fuse goes before what it is made of"),
    ("repeated_given_up", "what counts by a value that is kept before both of two loops that fuse is given up"),
    ("repeated_though_changed", "a value between loops that fuse is taken for another one that is kept before both"),
    ("map_look_alike", "a conditional of `.and.` is taken for the IF when that is gone"),
    ("unread_again", "a value that counts read in the next iteration is taken to be read by none"),
    ("last_value_unknown", "what a loop leaves in its variable is not known before the loops around it"),
    ("inline_counts_show", "what an inlined procedure only counts by is declared in its caller"),
    ("order_unsettled", "values that counts carry from one iteration to the next are interchanged with the loops"),
    ("fusion_unsettled", "counts by what another loop leaves are fused with it"),
    ("ghost_missing", "a value that a count needs is not kept"),
    ("hoist_past_exit", "counts leave loops that may be left early"),
    ("cycle_other_arm", "what CYCLE passes by is summed up over the iterations that it ends"),
    ("spread_forgets_last", "the last entry of a nest with constant bounds is not among its trips"),
    ("descriptor_read", "a store through a pointer does not read where it points"),
    ("jump_copies_heads", "what an eliminated jump skips is counted without what is in it"),
    ("exit_keeps_iterations", "where a loop is left early, the iteration being run is not counted"),
    ("promote_lengths", "masks of vectors of two lengths are counted in a register of one"),
    ("promote_forgets_exit", "what a loop counts in a register is lost where it is left early"),
    ("spread_forgets_share", "of the cells that make up a count one is left out of the sum"),
    ("flow_sign", "a count that follows from others is taken from them with the wrong sign"),
    ("constant_sum", "the sum over a loop with constant bounds leaves out the last iteration"),
    ("merge_tallies_redefined", "counts are merged over a change of what they add"),
    ("merge_without_union", "a merged statement keeps one set"),
    ("move_without_augmentation", "what leaves a body does not take its set along"),
    ("interchange_without_augmentation", "an interchanged loop does not take the other's set"),
    ("taint_expanded", "copies leave no taint"),
    ("taint_moved", "moves leave no taint"),
    ("copy_without_tallies", "a copy does not count"),
    ("move_without_ghost", "a definition moves without what counts need of it"),
    ("eliminate_without_edit", "an elimination is not recorded"),
    ("split_copies_tallies", "both halves of a distributed loop count what is counted in it"),
    ("expand_without_set", "an expanded statement has no set"),
    ("null_without_reason", "a statement unrelated to the source has no reason"),
    ("merge_without_settling", "what counts between loops that fuse stays where it is"),
    ("merge_common_without_union", "what statements have in common belongs to the first of them"),
    ("last_value_of_dead", "what an unrolled loop leaves in its variable is known to counts"),
    ("eliminate_head_without_augmentation", "statements that a loop of one trip leaves behind take its set along"),
    ("eliminate_head_loses_tally", "a conditional that is decided takes the counts of its arm along"),
    ("rewrite_without_ghost", "a definition becomes another one without what counts need of it"),
    ("splice_loses_tally", "what is taken out of an array construct does not count"),
    ("expand_around_other_block", "what is guarded stands in the other arm of the guard"),
    ("copy_without_set", "a copy has no set"),
    ("lower_skips_a_level", "a unit goes down to the last level at once"),
    ("inline_without_sets", "inlined statements have the set of the call"),
    ("letters_by_counts", "a temporary that counting code alone reads as a whole stays in memory"),
    ("cut_entry", "a jump into another stretch of a unit that is cut leads to its beginning"),
    ("cut_end", "the end of a stretch is that of the unit"),
    ("alternative_counts_once", "one of two alternatives does not count"),
    ("alternative_without_augmentation", "a test that leaves a loop does not take its set along"),
    ("flatten_other_arm", "what an empty arm counts is counted for the other"),
    ("jump_without_counts", "a jump that goes takes along what is counted behind it on other ways"),
    ("hoist_other_case", "a count leaves a SELECT for another case"),
    ("ghost_last_value", "the value that counts know of a DO variable is its number of iterations"),
    ("inline_result", "the result of an inlined function is lost"),
    ("inline_moving_place", "the place of an argument is looked up again each time"),
    ("inline_component_first", "each component of a structure that is an argument is the first one"),
    ("inline_lower_bound", "an inlined dummy array has the bounds of the actual one"),
    ("inline_counts_nothing", "an inlined procedure does not count"),
    ("base_without_call", "a recursive procedure is its base case wherever that stands at a call"),
    ("base_counts_always", "the base case at a call counts also where the procedure is called"),
    ("inline_by_value", "an inlined procedure changes copies of its arguments"),
    ("rotate_order", "registers handed on from iteration to iteration are handed on in the wrong order"),
    ("rotate_memory", "elements handed on in registers ignore other references"),
    ("cse_register", "an expression is still available after a register in it has changed"),
    ("cse_holder", "an expression is still available after the register that holds it has changed"),
    ("copyprop_copy", "a copy that has changed still stands for its original"),
    ("unswitch_memory", "a condition on memory that the loop writes is taken out of it"),
    ("where_mask_again", "the mask of a WHERE is evaluated again for each of its assignments"),
    ("where_elementwise", "a WHERE that reads other elements of what it assigns is done element by element"),
    ("forall_mask_again", "the mask of a FORALL is evaluated again after its assignments"),
    ("lower_argument", "what a procedure does to an argument in a register is lost"),
    ("fold_last_value", "a loop of one iteration leaves its first value in its variable"),
    ("dce_last_value", "an empty loop leaves nothing in its variable"),
    ("interchange_keeps_tallies", "what is counted between interchanged loops is counted inside of both"),
    ("interchange_keeps_ghosts", "loops that only count stay between loops that change places"),
    ("interchange_counts_each", "what is counted between interchanged loops is counted in each iteration of both"),
    ("intent_of_written", "an argument that the procedure writes is passed for reading only"),
    (
        "intent_of_itself",
        "an argument that a procedure passes on to itself, where it is written, is passed for reading only",
    ),
    ("values_of_written", "an argument that the procedure writes is passed by value"),
    ("move_keeps_counts_inside", "what leaves a body takes its counts along"),
];

/// A program that shows a fault.
pub struct Witness {
    /// Programs judged until it was found.
    pub programs: u64,
    /// The program.
    pub case: Case,
    /// The plan of its optimization.
    pub plan: Plan,
    /// The difference that the fault makes.
    pub difference: Difference,
}

/// The fate of one fault.
pub struct Found {
    /// Its name.
    pub name: &'static str,
    /// The check that found it.
    pub by: Option<Witness>,
    /// The number of times that the compiler asked for it.
    pub hits: u64,
}

/// Ways to optimize each program.
const PLANS: usize = 6;

/// Programs with their optimized forms when no fault is on.
pub struct Prepared {
    first: u64,
    subject: Subject,
    ways: Vec<Way>,
}

/// One way to optimize a batch.
struct Way {
    plan: Plan,
    /// Its fate, in short.
    made: u64,
    /// The faults that might have made a difference: the compiler asked whether they are on.
    asked: BTreeSet<&'static str>,
}

/// Batches of programs from `seed` on.
pub fn prepare(seed: u64, most: u64) -> Vec<Prepared> {
    trueline_ir::set_fault(None);
    let batches: Vec<u64> = (seed..seed + most).step_by(campaign::BATCH as usize).collect();
    let next = AtomicUsize::new(0);
    let mut all: Vec<Prepared> = std::thread::scope(|scope| {
        let worker = || {
            // Passes run on many threads: with one thread each, every question about a fault belongs to the program
            // being optimized.
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build().ok()?;
            let mine = std::iter::from_fn(|| batches.get(next.fetch_add(1, Ordering::Relaxed)));
            Some(mine.filter_map(|&first| pool.install(|| prepare_one(first))).collect::<Vec<_>>())
        };
        let workers: Vec<_> = (0..rayon::current_num_threads()).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().filter_map(|w| w.join().ok().flatten()).flatten().collect()
    });
    all.sort_by_key(|p| p.first);
    all
}

fn prepare_one(first: u64) -> Option<Prepared> {
    let cases: Vec<Case> = (first..first + campaign::BATCH).map(generate::case).collect();
    let subject = oracle::subject(&print::file(&cases)).ok()?;
    let plans = campaign::plans(first, PLANS).into_iter();
    let ways = plans.filter_map(|plan| {
        let (made, asked) = trueline_ir::faults_asked(|| made(&subject, &plan));
        Some(Way { made: made?, plan, asked })
    });
    let ways = ways.collect();
    Some(Prepared { first, subject, ways })
}

/// The result of `subject`, in short; none if a pass fails.
fn made(subject: &Subject, plan: &Plan) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    oracle::optimized(subject, plan).ok()?.hash(&mut hasher);
    Some(hasher.finish())
}

/// Switches `name` on and judges the programs until one fails: those for which the compiler asks for the fault, and
/// which it optimizes differently with it.
pub fn hunt(name: &'static str, prepared: &[Prepared]) -> Found {
    let mut from = 0;
    let mut hits = 0;
    while from < prepared.len() {
        trueline_ir::set_fault(Some(name));
        let shown = prepared[from..].par_iter().enumerate().find_map_first(|(k, p)| {
            let concerned = p.ways.iter().filter(|w| w.asked.contains(name));
            let mut suspects = concerned.filter(|w| made(&p.subject, &w.plan) != Some(w.made));
            suspects.find_map(|w| Some((from + k, &w.plan, oracle::check(&p.subject, &w.plan).err()?)))
        });
        hits += trueline_ir::fault_hits();
        trueline_ir::set_fault(None);
        let Some((k, plan, _)) = shown else { break };
        let programs = (k as u64 + 1) * campaign::BATCH;
        if let Some(by) = witness(name, programs, prepared[k].first, plan) {
            return Found { name, by: Some(by), hits };
        }
        from = k + 1;
    }
    Found { name, by: None, hits }
}

/// The first case of a batch that shows the fault by itself, and is right without it.
fn witness(name: &str, programs: u64, first: u64, plan: &Plan) -> Option<Witness> {
    (first..first + campaign::BATCH).map(generate::case).find_map(|case| {
        let text = with_plan(plan, &print::procedures(&case));
        let difference = replay(name, &text).ok()??;
        Some(Witness { programs, case, plan: plan.clone(), difference })
    })
}

/// A small program that shows the fault `name` and is right without it: the text of a file, whose first line says how it
/// is optimized.
pub fn small_witness(name: &str, by: &Witness) -> String {
    let shows = |case: &Case, plan: &Plan| {
        let text = print::procedures(case);
        replay(name, &with_plan(plan, &text)).is_ok_and(|d| d.is_some_and(|d| d.kind == by.difference.kind))
    };
    let (case, plan) = campaign::shrink_by(&by.case, &by.plan, &shows);
    with_plan(&plan, &print::procedures(&case))
}

fn with_plan(plan: &Plan, procedures: &str) -> String {
    format!("! {plan}\n{procedures}")
}

/// Judges the program of a witness file with the fault `name`; returns the difference, if any.
///
/// # Errors
/// If the file is no witness: it cannot be read, or something is wrong without the fault.
pub fn replay(name: &str, text: &str) -> Result<Option<Difference>, String> {
    let (first, procedures) = text.split_once('\n').ok_or("one line")?;
    let plan: Plan = first.trim_start_matches("! ").parse()?;
    let text = print::whole(procedures);
    trueline_ir::set_fault(None);
    let subject = oracle::subject(&text)?;
    trueline_ir::set_fault(Some(name));
    let shown = oracle::check(&subject, &plan).err();
    trueline_ir::set_fault(None);
    if shown.is_some() {
        oracle::check(&subject, &plan).map_err(|d| format!("without the fault: {:?}: {}", d.kind, d.text))?;
    }
    Ok(shown)
}
