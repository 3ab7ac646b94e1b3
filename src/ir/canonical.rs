//! T1: the optimized unit without tallies, ghosts and probes.

use crate::unit::Unit;

impl Unit {
    /// A copy without tallies, ghosts and probes. If its text (which numbers temporaries and labels in
    /// the order of appearance) equals that of the unprofiled build, profiling changed nothing.
    pub fn stripped(&self) -> Unit {
        let mut copy = self.clone();
        for s in copy.walk() {
            if copy.head(s).is_invisible() {
                copy.unlink(s);
            }
        }
        copy.counters.clear();
        copy.counter_ids.clear();
        copy.counted_by_ranks.clear();
        copy.records.clear();
        copy
    }
}
