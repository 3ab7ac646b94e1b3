//! The counting laws: how the verbs of [`Editor`](crate::Editor) keep every count exact while code changes.
//!
//! A tally stands beside the code it counts, as a statement of its own: the header tallies of a loop before it, the
//! others in its body. So the laws of copying (B, R, N, A) need no code: a copied body takes its tallies along, a copied
//! header does not. Each other law has one function, and the verbs call it before they change the code:
//!
//! | law | subject | function | called by |
//! |---|---|---|---|
//! | H | a count in a loop becomes a multiple of the trip count before it | [`hoist`]: `hoist_tallies`, `total` | the step `hoist_tallies`, discharge |
//! | Hs | a closed sum, where the amount depends on the loop's variable | [`closed_sum`]: `sum`, `triangular` | as H |
//! | Hs past CYCLE | the same in constant nests, where an iteration may end early | [`constant_nest`]: `hoist_past_cycles` | as H |
//! | C | a count in an arm becomes a count of the condition before it | [`hoist`]: `total`; [`counting_arm`]: `flatten_counting_arms` | as H, and K |
//! | K | the counts of code that is dropped | [`hoist`]: `keep_counts`, `close_counts` | `eliminate` |
//! | K without a closed form | code that only counts stays behind | [`residue`]: `leave_remains`, `keep_stores`, `keep_store` | `eliminate`, `move_to`, `expand_in_place` |
//! | E | a loop that may be left early counts at its exits | [`early_exit`]: `count_exits` | discharge |
//! | order | counting that depends on the order of iterations leaves the loop first | [`reorder`]: `settle_order`; [`hoist`]: `settle_nest` | `move_around` |
//! | order in fusion | the same, and counting between the two loops | [`reorder`]: `settle_fusion`; [`hoist`]: `settle_between` | `merge` |
//! | order in fission | each tally of a split loop goes along with one of the two parts | [`distribute`]: `settle_split`, `split_off` | `expand_split` |
//! | order past stores | what the loop itself stores is followed in a register | [`mirror`]: `mirror` | as order |
//! | order without a law | the loop's own computation is repeated before it for the counts alone | [`replay`]: `replay` | as order, and order in fission |
//! | ghosts | a value that only tallies still read is kept alive | [`ghost`]: `keep_values`, `keep_last_values`, `shadow` | `eliminate`, `move_to`, `expand_in_place` |
//! | last values | the value of a loop variable behind its loop | [`last_value`]: `keep_last_value` | unroll, peel, licm |
//! | dead ghosts | a ghost that nothing can read goes | [`dead_ghost`]: `drop_overwritten` | the functions above |
//! | trips | iterations of each entry of a loop | [`trips`]: `settle_trips`, `closed`, `collapse_trips` | `merge`, `move_to`, discharge |
//! | limit | the trips of a lowered loop follow from its limit | [`distance`]: `count_by_distance` | the pass `lower_l` |
//! | registers | counters of innermost loops without calls are kept in registers | [`promote`]: `promote_tallies` | discharge |
//! | variables | a counter that a variable of the program counts along with needs no code in the loop | [`follow`]: `follow`; [`follow_lanes`]: the same of vectors | as registers |
//! | ranks | of the arms of a conditional that one rank evaluates each rank counts its share | [`by_ranks`]: `count_by_ranks` | `localize`, the pass `resolve` |
//! | lanes | the true lanes of masks are added up in vector registers | [`mask_sum`]: `mask_sum`, `sum_of_lanes` | as registers |
//!
//! [`amount`] folds amounts whose parts have become constants. A count that no law can keep is given up: it is noted in
//! the log with the pass, and reported UNAVAILABLE.

pub(crate) mod amount;
pub(crate) mod by_ranks;
pub(crate) mod closed_sum;
pub(crate) mod constant_nest;
pub(crate) mod counting_arm;
pub(crate) mod dead_ghost;
pub(crate) mod distance;
pub(crate) mod distribute;
pub(crate) mod early_exit;
pub(crate) mod follow;
pub(crate) mod follow_lanes;
pub(crate) mod ghost;
pub(crate) mod hoist;
pub(crate) mod last_value;
pub(crate) mod mask_sum;
pub(crate) mod mirror;
pub(crate) mod promote;
pub(crate) mod reorder;
pub(crate) mod replay;
pub(crate) mod residue;
pub(crate) mod trips;
pub(crate) mod written;

pub use hoist::trip_count;
pub(crate) use residue::may_share;
pub(crate) use written::Written;
