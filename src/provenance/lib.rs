//! Where optimized code came from: source statements, sets, the edit log, the mapping.
