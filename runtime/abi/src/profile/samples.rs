//! Samples of the program counter in the profile.

use serde::{Deserialize, Serialize};

/// The sampling of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Samples {
    /// The number of samples taken.
    pub count: u64,
    /// The number of samples in a second of processor time.
    pub rate_hz: f64,
    /// The processor time that a sample stands for, on average.
    pub period_ns: u64,
    /// Samples that are missing: the program had signals blocked, or there was no room.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub lost: u64,
    /// Processor time in code that no construct is known to have called.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub outside_ns: u64,
    /// Processor time in the routines that measure.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub measuring_ns: u64,
    /// Notes for the reader of the samples: why there are none, where probes and samples disagree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The samples of a construct.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ConstructSamples {
    /// Samples in its own code, and in other code that it called: not in constructs that it contains.
    pub exclusive: u64,
    /// Samples in it and in the constructs that it contains, or that were inlined into it.
    pub inclusive: u64,
    /// Nanoseconds of the estimated inclusive time that were spent in procedures called from it: their mean time by the
    /// exact number of calls.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub called_ns: u64,
}

/// Time that a construct spent in code which is not profiled.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Foreign {
    /// The function called: `sin`, or the statement whose library routine it is: `WRITE`.
    pub name: String,
    /// Processor time in it, in nanoseconds; it is part of the construct's exclusive time.
    pub ns: u64,
}

/// The time that threads ran, and the part of it in which they used a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ThreadTime {
    /// A number; threads that did not run at the same time may share one.
    pub thread: u32,
    /// The number of threads.
    pub threads: u64,
    /// Elapsed time from the first construct of each to its end.
    pub wall_ns: u64,
    /// Processor time.
    pub cpu_ns: u64,
    /// Time in which they were ready to run and others had the processors, where the system tells.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub delay_ns: u64,
}
