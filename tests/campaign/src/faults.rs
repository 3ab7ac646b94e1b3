//! R2: the harness itself is proven. Bugs that are put in on purpose are switched on one at a time, and
//! random programs are judged until one fails.

use crate::campaign;
use crate::oracle::Difference;
use rayon::prelude::*;

/// Every fault, with what it does. The names are those in the compiler's own code.
pub const FAULTS: &[(&str, &str)] = &[
    ("depend_distance", "dependence distances are off by one"),
    ("depend_backward", "dependences against the order of iterations are overlooked"),
    ("depend_gcd", "a common divisor of one is taken for none"),
    ("depend_output", "dependences between two writes are dropped"),
    ("depend_trips", "a loop of two iterations is taken to have no pair of them"),
    ("depend_stride", "steps are left out of dependence equations"),
    ("alias_equivalence", "arrays equivalenced at an offset are taken to be apart"),
    ("alias_common", "calls are taken to leave COMMON alone"),
    ("alias_element", "an element is taken to be another than itself"),
    ("alias_classes", "overlapping arrays are put into classes of their own"),
    ("fuse_limit", "loops with different limits are fused"),
    ("fuse_memory", "fusion ignores dependences against the order"),
    ("fuse_register", "fusion ignores scalars that the second loop reads"),
    ("interchange_memory", "interchange ignores dependences"),
    ("interchange_register", "interchange ignores scalars carried by the nest"),
    ("interchange_last_value", "interchange ignores the values that DO variables have after the nest"),
    ("distribute_memory", "distribution ignores dependences against the order"),
    ("distribute_register", "distribution ignores scalars that the first part reads"),
    ("unroll_limit", "the unrolled loop runs one iteration too far"),
    ("unroll_copy", "copies of an unrolled body use the index of the one before"),
    ("unroll_remainder", "the remainder of a known trip count is forgotten"),
    ("unroll_last_value", "the DO variable has no value after full unrolling"),
    ("peel_bound", "the loop left by peeling keeps its bounds"),
    ("peel_arm", "the loop left by peeling keeps the wrong arm"),
    ("peel_guard", "peeling forgets that there may be no iteration"),
    ("unswitch_varying", "a condition on registers that the loop changes is taken out of it"),
    ("licm_zero_trips", "statements leave loops that may not run"),
    ("licm_redefined", "statements leave loops that define the register again"),
    ("licm_store", "loads leave loops that store there"),
    ("promote_alias", "an array element in a register ignores other references"),
    ("promote_store", "an array element in a register is not written back"),
    ("copyprop_original", "a copy stands for its original when that has changed"),
    ("forward_loop", "what a loop changes is still known in it"),
    ("forward_label", "what is known on one way to a label is known on all"),
    ("forward_arms", "what an arm changes is still known after it"),
    ("cse_store", "a load is still available after a store"),
    ("fold_sign", "the difference of constants has the wrong sign"),
    ("fold_zero", "x + 0.0 is x"),
    ("fold_associate", "x + d - c is x + (d + c)"),
    ("fold_trips", "a loop of two iterations is one of one"),
    ("dce_carried", "a register that the next iteration reads is dead"),
    ("dce_jump", "a register that is read after a jump is dead"),
    ("dce_store", "stores to local arrays are dead"),
    ("strength_step", "pointers advance by one iteration whatever the step"),
    ("scalarize_direction", "array assignments run against the overlap"),
    ("scalarize_overlap", "overlapping sections need no temporary"),
    ("lower_direction", "loops with a step of one test their limit the wrong way"),
    ("hoist_without_trips", "a count leaves a loop without its trips"),
    ("hoist_other_arm", "a count leaves a conditional for the other arm"),
    ("triangular_slope", "the closed sum over a triangular nest has a wrong slope"),
    ("eliminate_loses_tally", "what goes takes its counts along"),
    ("ghost_missing", "a value that a count needs is not kept"),
    ("hoist_past_exit", "counts leave loops that may be left early"),
    ("merge_tallies_redefined", "counts are merged over a change of what they add"),
    ("merge_without_union", "a merged statement keeps one set"),
    ("move_without_augmentation", "what leaves a body does not take its set along"),
    ("interchange_without_augmentation", "an interchanged loop does not take the other's set"),
    ("taint_expanded", "copies leave no taint"),
    ("taint_moved", "moves leave no taint"),
    ("copy_without_tallies", "a copy does not count"),
    ("move_without_ghost", "a definition moves without what counts need of it"),
    ("eliminate_without_edit", "an elimination is not recorded"),
    ("split_moves_tallies", "both halves of a distributed loop count its iterations"),
    ("expand_without_set", "an expanded statement has no set"),
];

/// What became of one fault.
pub struct Found {
    /// Its name.
    pub name: &'static str,
    /// The number of programs judged until it was found, and how it showed.
    pub by: Option<(u64, Difference)>,
    /// How often the compiler asked for it.
    pub hits: u64,
}

/// Ways to optimize each program.
const PLANS: usize = 6;

/// Batches of programs from `seed` on; those that fail without a fault prove nothing, and are left out.
pub fn batches(seed: u64, most: u64) -> Vec<u64> {
    trueline_ir::set_fault(None);
    let all: Vec<u64> = (seed..seed + most).step_by(campaign::BATCH as usize).collect();
    all.into_par_iter().filter(|&first| fails(first).is_none()).collect()
}

fn fails(first: u64) -> Option<Difference> {
    let cases: Vec<_> = (first..first + campaign::BATCH).map(crate::generate::case).collect();
    campaign::judge(&cases, &campaign::plans(first, PLANS)).err().map(|(_, d)| d)
}

/// Switches `name` on and judges `batches` until one fails.
pub fn hunt(name: &'static str, batches: &[u64]) -> Found {
    trueline_ir::set_fault(Some(name));
    let by = batches
        .par_iter()
        .enumerate()
        .find_map_first(|(k, &first)| Some(((k as u64 + 1) * campaign::BATCH, fails(first)?)));
    let hits = trueline_ir::fault_hits();
    trueline_ir::set_fault(None);
    Found { name, by, hits }
}
