//! The `-f` flags, gfortran's, that `fc` and the other commands share.

use trueline_diag::Policy;
use trueline_syntax::SourceForm;

/// What a flag did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It means something here.
    Known,
    /// gfortran knows it; here it changes nothing.
    None,
    /// Nobody knows it.
    Unknown,
}

/// Flags (or their beginnings) of gfortran that change nothing about a right program's meaning, or ask for what is
/// always so here: position-independent code, no reassociation, backtraces.
const WITHOUT_EFFECT: [&str; 63] = [
    "PIC",
    "pic",
    "PIE",
    "pie",
    "align-",
    "aggressive-",
    "associative-math",
    "asynchronous-unwind-tables",
    "backtrace",
    "blas-matmul-limit",
    "branch-",
    "caller-saves",
    "cf-protection",
    "code-hoisting",
    "commons",
    "coarray=single",
    "common",
    "crossjumping",
    "cx-fortran-rules",
    "data-sections",
    "debug-prefix-map",
    "diagnostics-",
    "errno-math",
    "exceptions",
    "expensive-optimizations",
    "external-blas",
    "fast-math",
    "file-prefix-map",
    "finite-math-only",
    "float-store",
    "frontend-",
    "function-sections",
    "fp-contract",
    "graphite",
    "gnu-",
    "inline",
    "ipa-",
    "keep-",
    "lto",
    "math-errno",
    "message-length",
    "modulo-sched",
    "move-loop-",
    "omit-frame-pointer",
    "optimize-",
    "peel-loops",
    "plt",
    "prefetch-loop-arrays",
    "protect-parens",
    "realloc-lhs",
    "reciprocal-math",
    "rename-registers",
    "rounding-math",
    "schedule-",
    "second-underscore",
    "signed-zeros",
    "split-",
    "stack-",
    "strict-",
    "trapping-math",
    "tree-",
    "unroll-",
    "unsafe-math-optimizations",
];

/// Applies a word of `-W`, or `w`, `pedantic` and `pedantic-errors`.
pub fn warn(
    word: &str,
    semantics: &mut trueline_parse::Options,
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
                if refused { semantics.warnings.apply(name) } else { trueline_parse::Warnings::default().apply(name) };
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

fn pedantic(semantics: &mut trueline_parse::Options) {
    semantics.rules.pedantic = true;
    semantics.warnings.apply("tabs");
}

/// Warnings of gfortran that ask for what is always told here, or never.
const KNOWN_WARNINGS: [&str; 16] = [
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

/// Applies the flag after `-f`.
///
/// # Errors
/// If its value is wrong: a sentence.
pub fn apply(
    flag: &str,
    syntax: &mut trueline_syntax::Options,
    semantics: &mut trueline_parse::Options,
) -> Result<Effect, String> {
    if let Some(length) = flag.strip_prefix("fixed-line-length-") {
        syntax.line_length = match length {
            "none" | "0" => None,
            n => Some(n.parse().map_err(|_| format!("'-f{flag}': a number of columns or 'none'"))?),
        };
        return Ok(Effect::Known);
    }
    if let Some(what) = flag.strip_prefix("init-") {
        let known = semantics.initial.apply(what);
        return known.then_some(Effect::Known).ok_or_else(|| format!("'-f{flag}': there is no such value"));
    }
    if flag.starts_with("free-line-length-") {
        // Lines of free form may be as long as they like.
        return Ok(Effect::Known);
    }
    if let Some((name, value)) = flag.split_once('=')
        && let Some(known) = semantics.io.apply(name, value)
    {
        return known.then_some(Effect::Known).ok_or_else(|| format!("'-f{flag}': there is no such value"));
    }
    if let Some((name @ ("fpe-trap" | "fpe-summary"), list)) = flag.split_once('=') {
        let applied = semantics.exceptions.apply(&name["fpe-".len()..], list);
        return applied.map(|()| Effect::Known).map_err(|word| format!("'-f{name}': there is no exception '{word}'"));
    }
    if let Some(list) = flag.strip_prefix("check=") {
        for word in list.split(',') {
            check(word, semantics)?;
        }
        return Ok(Effect::Known);
    }
    match flag {
        "free-form" => syntax.form = SourceForm::Free,
        "no-free-form" | "fixed-form" => syntax.form = SourceForm::Fixed,
        "no-fixed-form" => syntax.form = SourceForm::Free,
        "bounds-check" => semantics.checks.bounds = true,
        "no-bounds-check" => semantics.checks.bounds = false,
        "automatic" => semantics.no_automatic = false,
        "no-automatic" => semantics.no_automatic = true,
        "recursive" => semantics.recursive = true,
        "no-recursive" => semantics.recursive = false,
        "implicit-none" => semantics.implicit_none = true,
        "no-implicit-none" => semantics.implicit_none = false,
        "no-range-check" => semantics.no_range_check = true,
        "range-check" => semantics.no_range_check = false,
        "dec-char-conversions" => semantics.text_numbers = true,
        "dec" => {
            (semantics.text_numbers, semantics.io.widths, semantics.io.exponents) = (true, true, true);
            (syntax.storage_classes, syntax.structures, syntax.bare_exponents) = (true, true, true);
            (semantics.bitwise, semantics.io.blank_items) = (true, true);
        }
        "dec-structure" => syntax.structures = true,
        "no-dec-structure" => syntax.structures = false,
        "dec-static" => syntax.storage_classes = true,
        "no-dec-static" => syntax.storage_classes = false,
        "cray-pointer" => (syntax.cray_pointers, semantics.cray_pointers) = (true, true),
        "no-cray-pointer" => (syntax.cray_pointers, semantics.cray_pointers) = (false, false),
        "allow-invalid-boz" => semantics.any_boz = true,
        "no-allow-invalid-boz" => semantics.any_boz = false,
        "allow-argument-mismatch" => semantics.argument_mismatch = true,
        "no-allow-argument-mismatch" => semantics.argument_mismatch = false,
        "no-dec-char-conversions" => semantics.text_numbers = false,
        "default-integer-8" => semantics.integer_8 = true,
        "default-real-8" => semantics.real_8 = true,
        "default-real-16" => semantics.real_16 = true,
        "default-double-8" => semantics.double_8 = true,
        "real-4-real-8" => semantics.real_4_is_8 = true,
        "real-8-real-4" => semantics.real_8_is_4 = true,
        "integer-4-integer-8" => semantics.integer_4_is_8 = true,
        "real-4-real-16" => semantics.real_4_is_16 = true,
        "real-8-real-16" => semantics.real_8_is_16 = true,
        "default-real-10" | "real-4-real-10" | "real-8-real-10" => {
            return Err(format!("'-f{flag}': the kinds of REAL are 4, 8 and 16"));
        }
        "all-intrinsics" => semantics.rules.all_intrinsics = true,
        "no-all-intrinsics" => semantics.rules.all_intrinsics = false,
        "backslash" => syntax.backslash = true,
        "no-backslash" => syntax.backslash = false,
        "pad-source" => syntax.pad = true,
        "no-pad-source" => syntax.pad = false,
        "dec-blank-format-item" => semantics.io.blank_items = true,
        "no-dec-blank-format-item" => semantics.io.blank_items = false,
        "dec-format-defaults" => semantics.io.widths = true,
        "sign-zero" => semantics.io.unsigned_zero = false,
        "no-sign-zero" => semantics.io.unsigned_zero = true,
        _ => return Ok(without_effect(flag)),
    }
    Ok(Effect::Known)
}

/// What flags say together: a program whose exceptions end it does not have its operations moved.
pub fn settle(options: &mut crate::driver::Options) {
    options.semantics.form = options.syntax.form;
    options.semantics.columns = options.syntax.line_length.map(|n| n as usize);
    if options.semantics.exceptions.trap != 0 {
        options.optimize.level = trueline_opt::OptLevel::O0;
    }
}

fn check(word: &str, semantics: &mut trueline_parse::Options) -> Result<(), String> {
    let (name, on) = word.strip_prefix("no-").map_or((word, true), |name| (name, false));
    let known = semantics.checks.apply(name, on);
    known.then_some(()).ok_or_else(|| format!("'-fcheck={word}': there is no such check"))
}

fn without_effect(flag: &str) -> Effect {
    let name = flag.strip_prefix("no-").unwrap_or(flag);
    if WITHOUT_EFFECT.iter().any(|w| name.starts_with(w)) { Effect::None } else { Effect::Unknown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_known_or_not() {
        let (mut syntax, mut semantics) = (trueline_syntax::Options::default(), trueline_parse::Options::default());
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
