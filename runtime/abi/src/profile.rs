//! The profile format `trueline-profile/1` and the metadata that a profiled object carries.
//!
//! The runtime writes a [`Profile`] as JSON; every reader of this project reads it through these types.
//! Fields that a profile does not have are absent, never zero: zero is a count.

mod overhead;
mod ranks;
mod samples;

pub use overhead::{Compared, Overhead, Ratio};
pub use ranks::{Communicates, Reference, settle};
pub use samples::{ConstructSamples, Foreign, Samples, ThreadTime};
use serde::{Deserialize, Serialize};

/// The value of [`Profile::schema`].
pub const SCHEMA: &str = "trueline-profile/1";

/// The end of a profile that was written whole, around eight hexadecimal digits. No other writer of JSON breaks lines so.
const SEAL: (&[u8], &[u8]) = (b",\n\"checksum\": \"", b"\"\n}\n");

/// The profile as a file: JSON whose last field is a checksum of everything before it.
///
/// # Errors
/// If a number cannot be written as JSON.
pub fn sealed(profile: &Profile) -> serde_json::Result<Vec<u8>> {
    Ok(seal(serde_json::to_vec_pretty(profile)?))
}

/// As [`sealed`], where writing the profile has a cost that is to stand in it: `end_ns` is called once most is done. It gets the
/// length of the file and gives the nanoseconds since the program ended.
///
/// # Errors
/// As [`sealed`].
pub fn sealed_with_end(profile: &mut Profile, end_ns: impl FnOnce(usize) -> u64) -> serde_json::Result<Vec<u8>> {
    let mut json = serde_json::to_vec_pretty(profile)?;
    let end = end_ns(json.len());
    profile.add_to_start_end(end as f64);
    overhead::replace(&mut json, &profile.overhead)?;
    Ok(seal(json))
}

fn seal(mut json: Vec<u8>) -> Vec<u8> {
    while json.last().is_some_and(|&b| b == b'}' || b == b'\n') {
        json.pop();
        if json.last() != Some(&b'\n') {
            break;
        }
    }
    let sum = checksum(&json);
    json.extend(SEAL.0);
    json.extend(format!("{sum:08x}").bytes());
    json.extend(SEAL.1);
    json
}

/// Whether `bytes` were changed or cut since [`sealed`] wrote them. JSON that another tool has written again has another
/// form at its end, and no checksum to compare.
pub fn is_damaged(bytes: &[u8]) -> bool {
    let size = SEAL.0.len() + 8 + SEAL.1.len();
    // The last byte may have been cut.
    let whole = |bytes: &[u8], cut: usize| {
        let Some(at) = (bytes.len() + cut).checked_sub(size) else { return usize::MAX };
        let expected = SEAL.0.iter().map(Some).chain([None; 8]).chain(SEAL.1.iter().map(Some));
        bytes[at..].iter().zip(expected).filter(|(b, e)| e.is_some_and(|e| e != *b)).count()
    };
    match whole(bytes, 0) {
        0 => {
            let (content, seal) = bytes.split_at(bytes.len() - size);
            let digits = &seal[SEAL.0.len()..SEAL.0.len() + 8];
            format!("{:08x}", checksum(content)).as_bytes() != digits
        }
        1 => true,
        _ => whole(bytes, 1) == 0,
    }
}

/// Adler-32 (RFC 1950), which every change of one byte changes.
fn checksum(bytes: &[u8]) -> u32 {
    miniz_oxide::mz_adler32_oxide(1, bytes)
}

/// A profile of one run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Profile {
    /// [`SCHEMA`].
    pub schema: String,
    /// The name of the program, without directory.
    pub program: String,
    /// The optimization level: `O0` to `O3`.
    pub opt_level: String,
    /// The target that the program was compiled for: `aarch64-unknown-linux-gnu` …; of a sum of several, all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The point at which instrumentation was made: `post-wopt` …
    pub instrument_at: String,
    /// The rank, if the program ran on several; of a sum of their profiles, the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// Whether the run ended before the profile was complete.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// The signal that ended the run, if one did: `SIGTERM` …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<String>,
    /// Nanoseconds of the first thread outside of all timed constructs: with the exclusive times of its
    /// processor they add up to the elapsed time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unattributed_ns: Option<u64>,
    /// The clock behind the times.
    pub clock: Clock,
    /// The cost of measuring.
    pub overhead: Overhead,
    /// The source files.
    pub files: Vec<SourceFile>,
    /// Every construct of the source that is profiled.
    pub constructs: Vec<Construct>,
    /// The joint times of constructs that were merged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
    /// The dynamic call graph.
    pub edges: Vec<Edge>,
    /// Times by processor.
    pub processors: Vec<Processor>,
    /// The tree of calling contexts; parents stand before their children.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub call_tree: Vec<CallNode>,
    /// The events of the threads, if a trace was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<Trace>,
    /// The sampling of the program counter, if it was sampled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<Samples>,
    /// Elapsed and processor time of the threads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<ThreadTime>,
}

/// When a thread entered and left timed constructs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trace {
    /// The rank in the run.
    #[serde(default)]
    pub rank: u32,
    /// The thread.
    #[serde(default)]
    pub thread: u32,
    /// The number of events after the kept ones.
    #[serde(default)]
    pub lost: u64,
    /// Words of nanoseconds since the event before (for the first, since the start), and then the event: `+` and the serial of the
    /// construct that was entered, or `-`: the construct entered last is left.
    pub events: String,
}

/// A moment of a [`Trace`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Nanoseconds since the start.
    pub ns: u64,
    /// The serial of the construct that was entered; none if the one entered last is left.
    pub entered: Option<u32>,
}

impl Trace {
    /// The events; none if they are not written as they should be, or more is left than was entered.
    pub fn moments(&self) -> Option<Vec<Moment>> {
        let mut out = Vec::new();
        let (mut ns, mut depth) = (0u64, 0usize);
        for word in self.events.split_ascii_whitespace() {
            let (after, entered) = match word.split_once('+') {
                Some((after, serial)) => (after, Some(serial.parse().ok()?)),
                None => (word.strip_suffix('-')?, None),
            };
            ns = ns.checked_add(after.parse().ok()?)?;
            depth = if entered.is_some() { depth + 1 } else { depth.checked_sub(1)? };
            out.push(Moment { ns, entered });
        }
        Some(out)
    }

    /// Sets the events, which are in the order of time.
    pub fn set_moments(&mut self, moments: impl IntoIterator<Item = Moment>) {
        use std::fmt::Write;
        let mut last = 0;
        self.events.clear();
        for m in moments {
            let separator = if self.events.is_empty() { "" } else { " " };
            let after = m.ns.saturating_sub(last);
            last = last.max(m.ns);
            let _ = match m.entered {
                Some(serial) => write!(self.events, "{separator}{after}+{serial}"),
                None => write!(self.events, "{separator}{after}-"),
            };
        }
    }
}

/// A construct in one calling context. The exclusive times of all nodes of a construct add up to that of the construct, and
/// with the time outside of all constructs all of them are the elapsed time of their thread.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CallNode {
    /// Its number in the tree: its index.
    pub id: u32,
    /// The context around it; none for a root.
    pub parent: Option<u32>,
    /// The serial of the procedure, loop or region.
    pub serial: u32,
    /// The thread.
    #[serde(default)]
    pub thread: u32,
    /// The line of the call of a procedure, in the next procedure further out; 0 if it is not known.
    #[serde(default, skip_serializing_if = "is_zero_line")]
    pub line: u32,
    /// The number of times it was entered in this context.
    pub calls: u64,
    /// Time with all nodes below.
    pub inclusive_ns: u64,
    /// Time without the nodes below.
    pub exclusive_ns: u64,
    /// Whether a time or the number of calls is an estimate: a share of the construct's figure, or from samples.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// Whether its time stands further out, at an earlier activation of the same procedure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recursive: bool,
    /// Whether it has no time of its own: it was inlined, or has no timer, and no sample fell into it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untimed: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero_line(n: &u32) -> bool {
    *n == 0
}

/// The clock.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Clock {
    /// `tsc`, `cntvct` or `monotonic`.
    pub source: String,
    /// Ticks in a second, calibrated against the monotonic clock.
    pub ticks_per_second: f64,
    /// The run's elapsed time in nanoseconds; for several runs, the sum.
    pub elapsed_ns: u64,
    /// The elapsed time of the longest run, in the sum of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest_ns: Option<u64>,
    /// The number of runs, in the sum of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<u32>,
}

/// A source file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SourceFile {
    /// The path as it was given to the compiler.
    pub path: String,
    /// SHA-256 of the content, in hex.
    pub sha256: String,
    /// The content, so that a report needs no sources at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The status of a construct (docs/provenance.md, Statuses).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum Status {
    /// Counted and timed at its own statement.
    #[serde(rename = "EXACT")]
    Exact,
    /// Counted by a tally or a closed form.
    #[serde(rename = "EXACT-DERIVED")]
    ExactDerived,
    /// Exact counts; its time is joint with that of the constructs in `merged_with`.
    #[serde(rename = "MERGED")]
    Merged,
    /// Transformed beyond a loop: profiled as a region.
    #[serde(rename = "REGION")]
    Region,
    /// Between bounds.
    #[serde(rename = "BOUNDED")]
    Bounded,
    /// No code is left of it; counts are those it would have had.
    #[serde(rename = "ELIMINATED")]
    Eliminated,
    /// Not measured.
    #[default]
    #[serde(rename = "UNAVAILABLE")]
    Unavailable,
}

impl Status {
    /// The word that reports print.
    pub fn word(self) -> &'static str {
        match self {
            Status::Exact => "EXACT",
            Status::ExactDerived => "EXACT-DERIVED",
            Status::Merged => "MERGED",
            Status::Region => "REGION",
            Status::Bounded => "BOUNDED",
            Status::Eliminated => "ELIMINATED",
            Status::Unavailable => "UNAVAILABLE",
        }
    }
}

/// The text of the region for time in which the program has switched timing off.
pub const OFF: &std::ffi::CStr = c"measurement off";

/// A construct of the source.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Construct {
    /// Its serial number.
    pub serial: u32,
    /// The serial of the enclosing construct or procedure.
    pub parent: Option<u32>,
    /// Its kind: `procedure`, `do`, `if_block` …
    pub kind: String,
    /// The procedure it stands in.
    pub procedure: String,
    /// The file it stands in.
    pub file: String,
    /// Its first line.
    pub line: u32,
    /// Its last line.
    pub end_line: u32,
    /// Its column.
    pub column: u32,
    /// Its text.
    pub text: String,
    /// The call sites it was inlined at: `file:line`.
    #[serde(default)]
    pub inlined_at: Vec<String>,
    /// Its status.
    pub status: Status,
    /// The reason of the status, if it is not EXACT.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The serials of the constructs its time is joint with.
    #[serde(default)]
    pub merged_with: Vec<u32>,
    /// The passes that changed it, in order.
    #[serde(default)]
    pub passes: Vec<String>,
    /// The decisions about it, `PASS: words`, in the order of the passes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub story: Vec<String>,
    /// The changes that were not made, and why: `PASS: reason`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<String>,
    /// The linker symbol of a procedure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Weight for sharing a merged timer: own operations per execution (nested constructs excluded), in units of one addition.
    /// 0 if not merged.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub operations: u64,
    /// The accesses of an innermost loop to arrays: the elements its body reads and writes, and the distance to those of the next iteration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accesses: Vec<String>,
    /// The most bytes that an iteration of an innermost loop touches and the one before did not.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub touched: u64,
    /// The most elements that its operations work on at once; 0 if it has none that work on several.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lanes: u64,
    /// The values that an iteration of an innermost loop needs from the one before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carried: Vec<String>,
    /// The change that would make its accesses contiguous.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// The origin of each count: measure and formula.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formulas: Vec<(String, String)>,
    /// The hash of the statements of a procedure, in hex. Profiles of equal hash are of equal sources,
    /// whatever the level and the place in the file; the serials in it count from the procedure's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Whether all counts below are exact. If they are not, and available, they are the most it can have been: the run was
    /// cut short, and counts that are added ahead are marked by it. If `counts.part` names some, those are the least it can have been, and
    /// the others are exact.
    pub counts_exact: bool,
    /// Whether counts that are not exact may be off the other way, too: those of the loops that were running are missing. If `counts.part`
    /// names some, any of the counts may be off either way.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_be_low: bool,
    /// The counts.
    pub counts: Counts,
    /// The times, if it was timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Time>,
    /// Why it was not timed, or not always: `over budget` (it has no timer), `leaf`, `filtered`, `throttled`, `thinned 1 in` a power of two (its time is
    /// an estimate), `paused`, `inlined` (its time is that of its callers) or `partly inlined`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untimed: Option<String>,
    /// The samples that fell into it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<ConstructSamples>,
    /// Time in code that is not profiled and was called from it, the longest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foreign: Vec<Foreign>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// The counts of a construct; counts that do not apply, or are not available, are absent.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Calls, or entries of a loop or region.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocations: Option<u64>,
    /// Iterations of a loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// The fewest iterations of one invocation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_trips: Option<u64>,
    /// The most iterations of one invocation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_trips: Option<u64>,
    /// Invocations without an iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zero_trips: Option<u64>,
    /// Invocations by the iterations of each, in buckets by powers of two that are not empty: the fewest iterations of
    /// the bucket (0, 1, 2, 4, 8 …), and the number of invocations with at least these iterations and less than twice
    /// as many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trips: Option<Vec<(u64, u64)>>,
    /// Why minimum, maximum and histogram of the iterations of an invocation are not known, though the counts are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trips_unknown: Option<String>,
    /// Evaluations of a conditional.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluations: Option<u64>,
    /// Executions of each arm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<Vec<u64>>,
    /// Elements assigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<u64>,
    /// The counts among these that are the part of this rank alone, or of some ranks: `evaluations`, `taken.0` … All ranks together have
    /// counted at least as much.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub part: Vec<String>,
}

impl Counts {
    /// Whether the count `measure` is a part of that of all ranks.
    #[must_use]
    pub fn is_part(&self, measure: &str) -> bool {
        self.part.iter().any(|m| m == measure)
    }

    /// The same of arm `k`.
    #[must_use]
    pub fn is_part_of_arm(&self, k: usize) -> bool {
        !self.part.is_empty() && self.is_part(&format!("taken.{k}"))
    }
}

/// The times of a construct.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Time {
    /// With everything it calls or contains.
    pub inclusive_ns: u64,
    /// Without nested timed constructs.
    pub exclusive_ns: u64,
    /// Whether a part of it is an estimate: it rests on samples or on some of the invocations, or is the share of this construct in a
    /// joint time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// The standard error of the exclusive time, if it rests on samples: that of the construct, or those of constructs in
    /// it, whose time is not in it. If the construct was thinned: that of the inclusive time, if it is larger.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub error_ns: u64,
    /// The standard error of the inclusive time, if it rests on samples.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub inclusive_error_ns: u64,
    /// The part of `inclusive_error_ns` that is there in each run alike: places share a time by the number of calls, of which one may take
    /// longer than another.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shared_error_ns: u64,
    /// The least and the most that the inclusive time may be, if it is a share of a joint time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between_ns: Option<(u64, u64)>,
}

/// Constructs that optimization made one loop of: their time is joint. It stands here once; the times of the members
/// are their estimated shares.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Group {
    /// The serials of the constructs, in source order.
    pub members: Vec<u32>,
    /// Their joint time, with everything they call or contain.
    pub inclusive_ns: u64,
    /// Without nested timed constructs.
    pub exclusive_ns: u64,
}

/// A call-graph edge.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Edge {
    /// Serial of the calling procedure.
    pub caller: u32,
    /// Serial of the called procedure.
    pub callee: u32,
    /// The line of the call; 0 when several lines call.
    pub line: u32,
    /// The number of calls.
    pub calls: u64,
    /// Whether that is the most it can have been: the run was cut short where calls are counted before they happen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_most: bool,
    /// Whether it may have been more, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_be_low: bool,
    /// Time in the callee on behalf of this call, if it was timed; of recursive calls only the outermost have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inclusive_ns: Option<u64>,
    /// Whether that is an estimate: from samples, or a share of the time of several calls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

/// The times of one processor.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Processor {
    /// The machine's number in the run.
    pub node: u32,
    /// The rank.
    pub rank: u32,
    /// The thread.
    pub thread: u32,
    /// The number of ranks of the run, if it was one on ranks. All of them have the same counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<u32>,
    /// Times by serial.
    pub constructs: std::collections::BTreeMap<u32, Categories>,
    /// Times of ranks by serial, without those of constructs inside and of procedures called.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub own: std::collections::BTreeMap<u32, Categories>,
    /// The statements for which the rank communicated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<Communicates>,
    /// Nanoseconds that it ran: the first thread from the beginning of the run to its end, others from their first timed
    /// construct to the end of their last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ns: Option<u64>,
    /// The part of that in no timed construct.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside_ns: Option<u64>,
}

/// Nanoseconds by category (HPF profiling paper, section 2); they add up to `elapsed`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Categories {
    /// All of it.
    pub elapsed: u64,
    /// User code.
    pub user: u64,
    /// Communication.
    pub communication: u64,
    /// Synchronization: late senders and late receivers, where they are told apart.
    pub synchronization: u64,
    /// The part of that until a message came.
    #[serde(default, skip_serializing_if = "is_none_of_it")]
    pub late_sender: u64,
    /// The part of that until there was room for a message.
    #[serde(default, skip_serializing_if = "is_none_of_it")]
    pub late_receiver: u64,
    /// The runtime library.
    pub runtime: u64,
    /// Global operations.
    pub global: u64,
    /// Messages with elements that were sent; they stand at the construct alone, not at those around.
    #[serde(default, skip_serializing_if = "is_none_of_it")]
    pub messages: u64,
    /// Their bytes.
    #[serde(default, skip_serializing_if = "is_none_of_it")]
    pub bytes: u64,
}

fn is_none_of_it(n: &u64) -> bool {
    *n == 0
}

/// The way in which a count is obtained at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountSource {
    /// A constant times the invocations of the procedure, plus counter cells.
    Sum {
        /// `factor * cell` terms: factor, index of the counter cell.
        terms: Vec<(i64, u32)>,
    },
    /// It could not be carried over an edit.
    Unavailable {
        /// The pass that gave it up.
        pass: String,
    },
}

/// One count of a construct.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CountMeta {
    /// `invocations`, `iterations`, `evaluations`, `taken.K`, `elements`, `calls`.
    pub measure: String,
    /// The source of the count.
    pub source: CountSource,
    /// Whether it is added ahead, such as all iterations of a loop when it is entered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ahead: bool,
    /// Whether it is added behind: at the end of a loop. A count that follows from others may be both.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub behind: bool,
}

/// The source of the trips of a loop.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TripsMeta {
    /// Why they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
    /// Trips that some entries have, and how many do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constants: Vec<(u64, CountSource)>,
    /// The first cell of the histogram of the others and the number of its buckets. They stand the highest first;
    /// behind them are the complement of the minimum and the maximum. Over several threads the maximum of these holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub histogram: Option<(u32, u8)>,
    /// The number of cells that follow, of the entries with no trips, with one, and so on, which are in no bucket.
    #[serde(default, skip_serializing_if = "is_zero_byte")]
    pub few: u8,
}

fn is_zero_byte(n: &u8) -> bool {
    *n == 0
}

impl Construct {
    /// Whether it is the region for time in which timing is switched off, which stands nowhere in the source.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.line == 0 && self.kind == "region" && self.text.as_bytes() == OFF.to_bytes()
    }
}

/// The compiler's knowledge of a construct before the run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ConstructMeta {
    /// Everything static of the profile's construct; its counts and times are filled in at run time.
    pub construct: Construct,
    /// Its counts.
    pub counts: Vec<CountMeta>,
    /// The trips of a loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trips: Option<TripsMeta>,
    /// The indices of the records of its instances that have a timer, alone or with others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<u32>,
    /// Whether an instance of it has code that no timer measures.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partly: bool,
    /// The linker symbol of a procedure, by which calls from other objects name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
}

/// A timer in the code of an object.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimerMeta {
    /// The serials of the constructs that it measures, several if their time is joint.
    pub constructs: Vec<u32>,
    /// The calls that the code of each of them was inlined through, innermost first; none if no code was inlined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<Vec<SiteMeta>>,
}

/// A call in the source.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SiteMeta {
    /// The serial of the calling procedure.
    pub caller: u32,
    /// The file of the call.
    pub file: String,
    /// The line of the call.
    pub line: u32,
}

/// The compiler's knowledge of a call: an edge of the call graph.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EdgeMeta {
    /// The serial of the calling procedure.
    pub caller: u32,
    /// The linker symbol of the procedure called.
    pub callee: String,
    /// The line of the call.
    pub line: u32,
    /// The number of times it was made.
    pub calls: CountSource,
    /// Whether that is added before it happened.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ahead: bool,
    /// The serial of the innermost construct around the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<u32>,
    /// Whether it is added after that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub behind: bool,
}

/// The invocations of a procedure, as the sum of its calls.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DerivedMeta {
    /// `factor * cell` terms.
    pub terms: Vec<(i64, u32)>,
    /// The serials of the procedures whose calls are counted before or after they are made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ahead_in: Vec<u32>,
    /// Whether some of these are counted after they are made.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub behind: bool,
}

/// The metadata of an object.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ObjectMeta {
    /// The optimization level.
    pub opt_level: String,
    /// The target, a triple; none in objects of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The point at which instrumentation was made.
    pub instrument_at: String,
    /// The files.
    pub files: Vec<SourceFile>,
    /// The constructs, in source order.
    pub constructs: Vec<ConstructMeta>,
    /// The timers, in the order of their records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timers: Vec<TimerMeta>,
    /// The calls, in source order.
    #[serde(default)]
    pub edges: Vec<EdgeMeta>,
    /// Sums that are cells like those of the counters, after which they are numbered; in their terms are earlier ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<DerivedMeta>,
    /// The cells of which each rank counts its share: the count is the sum over all ranks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of_ranks: Vec<u32>,
    /// The cost of counting in the object: for each class of operations, how often they run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<crate::cost::CostMeta>,
    /// For each target of calls (`ObjectHeader::targets`) the cells that count these calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Vec<u32>>,
}
