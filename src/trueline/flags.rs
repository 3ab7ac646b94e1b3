//! The options of gfortran that `fc` and the other commands share. [`table`] has a row for each.

pub mod docs;
pub mod table;
pub mod words;

use table::{Action, FLAGS, Settings};
use trueline_diag::Policy;

/// The effect of a flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It means something here.
    Known,
    /// gfortran knows it; here it changes nothing.
    None,
    /// It is unknown.
    Unknown,
}

/// Flags (or their beginnings) of gfortran that cannot change the result of a right program, or ask for something that is
/// always so here: position-independent code, no reassociation, backtraces.
pub(crate) const WITHOUT_EFFECT: [&str; 83] = [
    "PIC",
    "pic",
    "PIE",
    "pie",
    "aggressive-",
    "align-",
    "asynchronous-unwind-tables",
    "backtrace",
    "branch-",
    "caller-saves",
    "cf-protection",
    "coarray=single",
    "code-hoisting",
    "common",
    "commons",
    "crossjumping",
    "cse-follow-jumps",
    "cx-fortran-rules",
    "data-sections",
    "dce",
    "debug-prefix-map",
    "delete-null-pointer-checks",
    "dse",
    "early-inlining",
    "errno-math",
    "exceptions",
    "expensive-optimizations",
    "file-prefix-map",
    "finite-loops",
    "float-store",
    "forward-propagate",
    "frontend-",
    "function-sections",
    "gcse-",
    "gnu-",
    "graphite",
    "guess-branch-probability",
    "hoist-adjacent-loads",
    "if-conversion",
    "indirect-inlining",
    "inline-",
    "ipa-",
    "ira-",
    "jump-tables",
    "keep-",
    "loop-nest-optimize",
    "loop-unroll-and-jam",
    "lto",
    "math-errno",
    "message-length",
    "modulo-sched",
    "move-loop-",
    "omit-frame-pointer",
    "optimize-",
    "partial-inlining",
    "peephole",
    "plt",
    "prefetch-loop-arrays",
    "protect-parens",
    "rename-registers",
    "reorder-",
    "rerun-cse-after-loop",
    "rounding-math",
    "sched-",
    "schedule-",
    "second-underscore",
    "semantic-interposition",
    "shrink-wrap",
    "simd-cost-model",
    "split-",
    "ssa-",
    "stack-",
    "store-merging",
    "strict-",
    "thread-jumps",
    "tracer",
    "tree-",
    "unroll-completely-",
    "variable-expansion-in-unroller",
    "vect-cost-model",
    "version-loops-for-strides",
    "web",
    "whole-program",
];

/// Applies a word of `-W`, or `w`, `pedantic` and `pedantic-errors`.
pub fn warn(
    word: &str,
    semantics: &mut trueline_sema::Options,
    policy: &mut Policy,
    named: &mut Vec<(String, Policy)>,
) -> Effect {
    match word {
        "w" => *policy = Policy::Drop,
        "error" => *policy = Policy::Refuse,
        "no-error" => *policy = Policy::Tell,
        "pedantic" => pedantic(semantics),
        "pedantic-errors" => {
            pedantic(semantics);
            named.push(("pedantic".to_owned(), Policy::Refuse));
        }
        "no-pedantic" => semantics.rules.pedantic = false,
        _ if word.starts_with("error=") || word.starts_with("no-error=") => {
            let (name, refused) = (word.split_once('=').unwrap_or_default().1, word.starts_with("error="));
            // To refuse a warning is to ask for it.
            let known =
                if refused { semantics.warnings.apply(name) } else { trueline_sema::Warnings::default().apply(name) };
            if !known && !KNOWN_WARNINGS.contains(&name) {
                return Effect::Unknown;
            }
            named.push((name.to_owned(), if refused { Policy::Refuse } else { Policy::Tell }));
        }
        _ if semantics.warnings.apply(word) => {}
        _ => {
            let name = word.strip_prefix("no-").unwrap_or(word);
            return if KNOWN_WARNINGS.contains(&name) { Effect::None } else { Effect::Unknown };
        }
    }
    Effect::Known
}

fn pedantic(semantics: &mut trueline_sema::Options) {
    semantics.rules.pedantic = true;
    semantics.warnings.apply("tabs");
}

/// Names of gfortran's warnings that are always given here, or never.
pub(crate) const KNOWN_WARNINGS: [&str; 16] = [
    "",
    "align-commons",
    "ampersand",
    "argument-mismatch",
    "array-bounds",
    "array-temporaries",
    "c-binding-type",
    "deprecated",
    "do-subscript",
    "fatal-errors",
    "format",
    "frontend-loop-interchange",
    "function-elimination",
    "intrinsics-std",
    "overwrite-recursive",
    "real-q-constant",
];

/// Applies the flag after `-f`, by the rows of the table.
///
/// # Errors
/// If its value is wrong: a sentence.
pub fn apply(
    flag: &str,
    syntax: &mut trueline_syntax::Options,
    semantics: &mut trueline_sema::Options,
) -> Result<Effect, String> {
    let mut settings = Settings { syntax, semantics };
    let (positive, is_on) = flag.strip_prefix("no-").map_or((flag, true), |name| (name, false));
    for row in FLAGS {
        let Some(name) = row.name.strip_prefix("-f") else { continue };
        match row.action {
            Action::Switch(set) if name == positive => set(&mut settings, is_on),
            Action::Once(set) if name == flag => set(&mut settings),
            Action::Value(set) if flag.starts_with(name) => {
                set(&mut settings, &flag[name.len()..]).map_err(|why| format!("'-f{flag}': {why}"))?;
            }
            Action::Refused(why) if name == flag => return Err(format!("'-f{flag}': {why}")),
            _ => continue,
        }
        return Ok(Effect::Known);
    }
    Ok(without_effect(flag))
}

/// Applies the combinations of flags: a program whose exceptions end it does not have its operations moved.
pub fn settle(options: &mut crate::options::Options) {
    options.semantics.form = options.syntax.form;
    options.semantics.columns = options.syntax.line_length.map(|n| n as usize);
    if options.semantics.exceptions.trap != 0 {
        options.optimize.level = trueline_opt::OptLevel::O0;
    }
}

fn without_effect(flag: &str) -> Effect {
    let name = flag.strip_prefix("no-").unwrap_or(flag);
    if WITHOUT_EFFECT.iter().any(|w| name.starts_with(w)) { Effect::None } else { Effect::Unknown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_of_passes_are_documented() {
        for (name, _) in trueline_opt::SWITCHES {
            let flag = format!("-f{name}");
            let is_told = |row: &table::Flag| row.name == flag || row.summary.contains(&format!("`{flag}`"));
            assert!(FLAGS.iter().any(is_told), "{flag}");
        }
    }

    #[test]
    fn flags_are_known_or_not() {
        let (mut syntax, mut semantics) = (trueline_syntax::Options::default(), trueline_sema::Options::default());
        let mut apply = |f: &str| apply(f, &mut syntax, &mut semantics);
        assert_eq!(apply("check=bounds,no-mem"), Ok(Effect::Known));
        assert_eq!(apply("fixed-line-length-132"), Ok(Effect::Known));
        assert_eq!(apply("no-tree-vectorize"), Ok(Effect::None));
        assert_eq!(apply("frobnicate"), Ok(Effect::Unknown));
        assert!(apply("check=everything").is_err());
        assert!(apply("fixed-line-length-x").is_err());
        assert!(semantics.checks.bounds);
        assert_eq!(syntax.line_length, Some(132));
    }
}
