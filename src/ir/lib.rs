//! The IR of trueline: one tree for all levels, changed only through provenance verbs.
