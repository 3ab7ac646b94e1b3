//! Tallies, mapping and probes: how the optimized program is measured.
