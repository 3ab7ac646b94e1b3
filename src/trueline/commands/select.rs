//! The options that select the constructs and figures of a profiled build.

use super::{is_linker_input, printable, tell};
use crate::cli::Compile;
use crate::options::Options;
use clap::Args;
use std::path::{Path, PathBuf};
use trueline_abi::filter::Filter;
use trueline_instrument::{Phase, Regions, Selection, TimeMode, score};

/// The cost that timers may have unless the command line says otherwise, as a fraction of the time.
pub(crate) const USUAL_BUDGET: f64 = 0.01;

/// The constructs and figures of a profiled build.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Profiling")]
pub struct Select {
    /// The point at which counting code is put in its place; the counts are the same at all six
    #[arg(long, value_name = "PHASE", default_value = "post-wopt",
        value_parser = ["pre-ipa", "post-ipa", "pre-lno", "post-lno", "pre-wopt", "post-wopt"])]
    pub instrument_at: String,
    /// The kinds of constructs to measure: procedures, loops (do, while), branches (if-then, if-then-else, true, false, select),
    /// arrays, callsites, statements; default, all
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', conflicts_with = "measure_level")]
    pub regions: Option<Vec<String>>,
    /// The same by a number: 1 procedures, 2 loops, 3 branches and array statements, 4 call sites, 5 statements
    #[arg(id = "measure_level", long = "level", value_name = "1..5", value_parser = clap::value_parser!(u8).range(1..=5))]
    pub level: Option<u8>,
    /// Do not time the constructs that this file excludes: a Score-P filter file or a TAU select file
    #[arg(long, value_name = "FILE")]
    pub filter: Option<PathBuf>,
    /// Time leaf procedures too
    #[arg(long)]
    pub time_leaves: bool,
    /// Leave out timers, the most frequent first, until the predicted cost is so much of the run time, and thin at
    /// run time the timers that turn out to cost more: `1%`, the default unless more timers are asked for; `none` leaves all
    #[arg(long, value_name = "PERCENT")]
    pub overhead: Option<String>,
    /// The score below which `score` and `--time=selective` leave a procedure without a timer
    #[arg(long, value_name = "N", default_value_t = score::THRESHOLD)]
    pub threshold: u64,
    /// Time leaf procedures too, and keep each activation of recursive ones in the calling tree, to a depth if one is given
    #[arg(long, value_name = "DEPTH", num_args = 0..=1, require_equals = true, default_missing_value = "full")]
    pub call_tree: Option<String>,
    /// The instruction that adds to counters which threads share: `atomic` loses nothing when threads run the code;
    /// `auto` is atomic where other languages take part (-c, objects, libraries). On x86-64 each thread has its own, so
    /// no count is lost in any case, and the option has no effect
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = ["auto", "single", "atomic"])]
    pub profile_update: String,
    /// The most samples of the program counter in a second of processor time; samples time constructs without a timer:
    /// the kernel allows 100 to 1000; `off` for none. The usual 250 takes 0.2 to 0.5 % of the time
    #[arg(long, value_name = "HZ")]
    pub samples: Option<String>,
}

impl Select {
    /// The options with the selection that the command line asks for.
    ///
    /// # Errors
    /// A sentence about the command line, or about the filter file.
    pub(crate) fn select(&self, options: Options, compile: &Compile) -> Result<Options, String> {
        let mut selection = self.selection(compile)?;
        // The `-f` flags of the command line say the same in gfortran's manner.
        selection.samples = selection.samples.or(options.selection.samples);
        if self.overhead.is_none() && options.profile == Some(TimeMode::All) {
            selection.overhead = None;
        }
        Ok(Options { selection, ..options })
    }

    fn selection(&self, compile: &Compile) -> Result<Selection, String> {
        let others = compile.files.iter().any(|f| is_linker_input(f)) || !compile.library.is_empty();
        let regions = match (&self.regions, self.level) {
            (Some(names), _) => Regions::named(names.iter().map(|n| n.trim()))?,
            (None, Some(level)) => Regions::level(level),
            (None, None) => Regions::default(),
        };
        Ok(Selection {
            instrument_at: Phase::by_name(&self.instrument_at).unwrap_or_default(),
            regions,
            filter: self.filter.as_deref().map(filter).transpose()?,
            // The tree of calls has all procedures in it.
            leaves: self.time_leaves || self.call_tree.is_some(),
            overhead: self.budget(compile)?,
            threshold: self.threshold,
            tree_depth: self.tree_depth()?,
            atomic: match self.profile_update.as_str() {
                "atomic" => true,
                "single" => false,
                _ => others,
            },
            samples: self.samples.as_deref().map(samples).transpose()?,
        })
    }

    /// The cost that timers may have. A user who asks for more timers than the usual ones wants them all.
    fn budget(&self, compile: &Compile) -> Result<Option<f64>, String> {
        match self.overhead.as_deref() {
            Some("none") => Ok(None),
            Some(text) => percent(text).map(Some),
            None if compile.time == "all" || self.time_leaves || self.call_tree.is_some() => Ok(None),
            None => Ok(Some(USUAL_BUDGET)),
        }
    }

    fn tree_depth(&self) -> Result<u64, String> {
        match self.call_tree.as_deref() {
            None => Ok(0),
            Some("full") => Ok(u64::MAX),
            Some(text) => match text.parse::<u64>() {
                Ok(depth) if depth > 0 => Ok(depth),
                _ => Err(format!("--call-tree={text}: the depth is a number of procedures, from 1")),
            },
        }
    }
}

/// A number of samples a second, or `off`.
pub(crate) fn samples(text: &str) -> Result<u64, String> {
    match text {
        "off" => Ok(0),
        _ => text.parse().map_err(|_| format!("'{text}' samples: a number a second, or off")),
    }
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    match number.parse::<f64>() {
        Ok(p) if (0.0..=100.0).contains(&p) => Ok(p / 100.0),
        _ => Err(format!("--overhead={text}: a percentage, as in 1%, or none")),
    }
}

fn filter(path: &Path) -> Result<Filter, String> {
    let name = path.display();
    let bytes = crate::runtime::read(path).map_err(|e| format!("Cannot read the filter '{name}': {e}"))?;
    let filter = Filter::parse(&String::from_utf8_lossy(&bytes)).map_err(|e| format!("Filter '{name}', {e}"))?;
    for (line, text) in &filter.ignored {
        tell(&printable(&format!("trueline: warning: filter '{name}', line {line}: '{text}' has no effect here\n")));
    }
    Ok(filter)
}
