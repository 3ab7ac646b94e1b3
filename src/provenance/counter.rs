//! Counters: the obligations that tallies carry.

use crate::Serial;

/// The measure of a count of a source statement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Measure {
    /// Calls of a procedure; entries of a loop or region.
    Invocations,
    /// Iterations of a loop.
    Iterations,
    /// Evaluations of a conditional.
    Evaluations,
    /// Executions of arm `k` of a conditional, from 0: for an IF the THEN arm, for an arithmetic IF
    /// `< 0`, `= 0`, `> 0`, of a SELECT CASE its CASE blocks in source order.
    Taken(u16),
    /// Elements assigned by an array assignment, WHERE or FORALL.
    Elements,
    /// Calls made by reference `k` of a statement to a procedure, from 0 (an edge of the call graph).
    Calls(u16),
    /// The trips of a loop, one number an entry: a histogram with its minimum and maximum.
    Trips,
    /// Entries of a loop with this number of trips.
    TripsOf(u64),
    /// Entries of a loop by the number of bits of their trips.
    TripBucket(u8),
    /// Entries of a loop with so few trips, which are not in a bucket.
    FewTrips(u8),
    /// Iterations of entries that are in a bucket.
    ManyTrips,
    /// The complement of the fewest trips; the maximum of several holds.
    LeastTrips,
    /// The most trips; the maximum of several holds.
    MostTrips,
    /// A share of a count that is the sum of several cells; the number is one of all shares.
    Share(u32),
}

impl Measure {
    /// Its name in metadata and in the text format of the IR.
    pub fn name(self) -> String {
        match self {
            Measure::Invocations => "invocations".into(),
            Measure::Iterations => "iterations".into(),
            Measure::Evaluations => "evaluations".into(),
            Measure::Taken(k) => format!("taken.{k}"),
            Measure::Elements => "elements".into(),
            Measure::Calls(k) => format!("calls.{k}"),
            Measure::Trips => "trips".into(),
            Measure::TripsOf(n) => format!("trips.of.{n}"),
            Measure::TripBucket(k) => format!("trips.bits.{k}"),
            Measure::FewTrips(n) => format!("trips.few.{n}"),
            Measure::ManyTrips => "trips.many".into(),
            Measure::LeastTrips => "trips.least".into(),
            Measure::MostTrips => "trips.most".into(),
            Measure::Share(n) => format!("share.{n}"),
        }
    }

    /// Whether it is about the trips of the entries of a loop.
    pub fn is_of_trips(self) -> bool {
        matches!(
            self,
            Measure::Trips
                | Measure::TripsOf(_)
                | Measure::TripBucket(_)
                | Measure::FewTrips(_)
                | Measure::ManyTrips
                | Measure::LeastTrips
                | Measure::MostTrips
        )
    }
}

/// One count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CounterInfo {
    /// The source statement.
    pub of: Serial,
    /// The measure.
    pub measure: Measure,
}
