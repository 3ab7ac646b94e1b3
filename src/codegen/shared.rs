//! The data that all functions of an object share while they are translated.

use crate::entry::loaded::Loaded;
use crate::symbols::Symbols;
use cranelift_codegen::isa::TargetFrontendConfig;
use rustc_hash::FxHashMap;
use target_lexicon::Triple;
use trueline_ir::{OptLevel, Unit};

/// The data that all functions of an object share.
pub(crate) struct Shared<'a> {
    pub(crate) symbols: &'a Symbols,
    pub(crate) triple: &'a Triple,
    pub(crate) config: TargetFrontendConfig,
    /// The places of the counters of each (statement, measure), if the build is profiled.
    pub(crate) counters: &'a FxHashMap<trueline_provenance::CounterInfo, u32>,
    /// The places of real constants in read-only memory, by their bits; empty at -O0.
    pub(crate) reals: &'a FxHashMap<u64, u32>,
    /// The cells of entries that callers may add to themselves ([`crate::entry::counted_by_all`]).
    pub(crate) counted: &'a FxHashMap<String, u32>,
    /// The procedures with arguments that their entries load.
    pub(crate) loaded: &'a Loaded,
    /// Whether an instruction rounds reals to whole numbers.
    pub(crate) rounds: bool,
    /// The optimization level.
    pub(crate) level: OptLevel,
    /// The place of the record of each source statement.
    pub(crate) records: &'a crate::Records,
    /// Whether counters are added to atomically.
    pub(crate) atomic: bool,
    /// Set where debug information is made of optimized code: the statements and units of the source.
    pub(crate) debug: Option<(&'a trueline_provenance::StmtInfos, &'a FxHashMap<&'a str, &'a Unit>)>,
    /// The arms of conditionals that hardly ever run.
    pub(crate) cold: &'a FxHashMap<trueline_provenance::Serial, [bool; 2]>,
}
