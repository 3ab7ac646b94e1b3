//! `report`, `merge`, `diff`: looking at profiles, one or several.

use super::{complain, fail, print, print_json, printable, tell};
use crate::cli::{Diff, Merge, Report};
use crate::driver::Failure;
use crate::feedback::load;
use crate::progress::Progress;
use crate::{exit, output};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use trueline_abi::profile::Profile;
use trueline_report::{FlatOptions, Index, Scope, SortKey, Style};

/// Reads several profiles and adds them up.
///
/// # Errors
/// As [`load`]; if they are of different versions of a source.
pub(crate) fn load_all(paths: &[PathBuf]) -> Result<Profile, Failure> {
    if let [path] = paths {
        return load(path);
    }
    let progress = Progress::new(paths.len() + 1);
    let read = |p: &PathBuf| {
        progress.step(&format!("reading {}", p.display()));
        load(p)
    };
    let profiles = paths.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    progress.step("adding up");
    trueline_report::merge(&profiles).map_err(|e| Failure::User(e.to_string()))
}

/// The style of text on standard output: colour and width if it is a terminal; `NO_COLOR`, `CLICOLOR_FORCE`,
/// `TERM=dumb` and `COLUMNS` are heeded.
pub(crate) fn style() -> Style {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    let terminal = std::io::stdout().is_terminal();
    let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
    let forced = set("CLICOLOR_FORCE") && std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| v != "0");
    let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse::<usize>().ok()).filter(|&c| c > 0);
    let width = if terminal {
        columns.or_else(|| terminal_size::terminal_size().map(|(terminal_size::Width(w), _)| usize::from(w)))
    } else {
        columns
    };
    Style { color: !set("NO_COLOR") && (forced || (terminal && !dumb)), width }
}

/// Writes an output, or prints it when the name is `-` or absent.
///
/// # Errors
/// As of the file system.
pub(crate) fn deliver(path: Option<&Path>, content: &[u8]) -> Result<(), Failure> {
    match path {
        Some(path) if path != Path::new("-") => output::write_atomically(path, content, output::Mode::Data)
            .map_err(|e| Failure::User(format!("Cannot write '{}': {e}", path.display()))),
        _ => {
            use std::io::Write;
            // Nothing is lost that anybody still reads.
            let _ = std::io::stdout().write_all(content);
            Ok(())
        }
    }
}

/// The exit code of a command's result.
pub(crate) fn code(result: Result<i32, Failure>) -> i32 {
    result.unwrap_or_else(|f| fail(&f))
}

/// `trueline report`.
pub fn report(args: &Report) -> i32 {
    code(load_all(&args.profiles).and_then(|profile| {
        let result = show(args, &profile);
        // The process ends; giving a large profile back piece by piece would take a third of the time.
        std::mem::forget(profile);
        result
    }))
}

fn show(args: &Report, profile: &Profile) -> Result<i32, Failure> {
    let sort = match args.sort.as_str() {
        "inclusive" => SortKey::Inclusive,
        "count" => SortKey::Count,
        "line" => SortKey::Line,
        _ => SortKey::Exclusive,
    };
    let scope = match args.view.as_str() {
        "procedures" => Scope::Procedures,
        "loops" => Scope::Loops,
        _ => Scope::All,
    };
    let options = FlatOptions { sort, limit: args.limit, matching: args.matching.clone(), scope };
    let index = Index::new(profile);
    if args.json {
        print_json(&(serde_json::to_string_pretty(profile).unwrap_or_default() + "\n"));
        return Ok(exit::OK);
    }
    if args.csv {
        print(&trueline_report::csv(&index, &options));
        return Ok(exit::OK);
    }
    if let Some(path) = &args.html {
        deliver(Some(path), trueline_report::html(profile, None).as_bytes())?;
        return Ok(exit::OK);
    }
    let style = style();
    let head = || trueline_report::summary_in(&index, style) + "\n";
    let text = match args.view.as_str() {
        "procedures" | "loops" | "statements" => head() + &trueline_report::flat(&index, &options, style),
        "tree" => head() + &trueline_report::tree_text(&index, args.limit, style),
        "calls" => head() + &trueline_report::calls_text(&index, style),
        "processors" => head() + &trueline_report::processors_text(&index, style),
        "memory" => head() + &trueline_report::memory_text(&index, args.limit, style),
        "source" => head() + &trueline_report::annotated(&index, style),
        "all" => trueline_report::text(profile, &options, style),
        _ => trueline_report::brief(&index, &options, style),
    };
    print(&text);
    Ok(exit::OK)
}

/// `trueline merge`.
pub fn merge(args: &Merge) -> i32 {
    code(load_all(&args.profiles).and_then(|profile| {
        if let Some(targets) = profile.target.as_deref().filter(|t| t.contains(',')) {
            tell(&printable(&format!(
                "trueline: warning: The runs were on different processors, so their times do not add up: {}\n",
                targets.replace(',', ", ")
            )));
        }
        let json = trueline_abi::profile::sealed(&profile).map_err(|e| Failure::User(e.to_string()))?;
        deliver(Some(&args.output), &json)?;
        Ok(exit::OK)
    }))
}

/// `trueline diff`.
pub fn diff(args: &Diff) -> i32 {
    let limit = match args.fail_over.as_deref().map(percent) {
        Some(None) => {
            complain("'--fail-over' wants a percentage of 0 or more, such as 5%");
            return exit::USAGE;
        }
        Some(limit) => limit,
        None => None,
    };
    code(load(&args.old).and_then(|old| {
        let new = load(&args.new)?;
        let d = trueline_report::diff(&old, &new);
        if args.json {
            print_json(&(serde_json::to_string_pretty(&trueline_report::diff_json(&d)).unwrap_or_default() + "\n"));
        } else {
            print(&trueline_report::diff_text(&d, args.all, style()));
        }
        let grown = limit.map_or(vec![], |limit| trueline_report::grown(&d, limit));
        for line in &grown {
            tell(&format!("trueline: grown: {}\n", printable(line)));
        }
        Ok(if grown.is_empty() { exit::OK } else { exit::SOURCE })
    }))
}

/// `5%` or `5`, as 0.05.
fn percent(text: &str) -> Option<f64> {
    let n: f64 = text.trim().trim_end_matches('%').trim_end().parse().ok()?;
    (n.is_finite() && n >= 0.0).then_some(n / 100.0)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn percentages() {
        assert_eq!(percent("5%"), Some(0.05));
        assert_eq!(percent("0"), Some(0.0));
        assert_eq!(percent("-1%"), None);
        assert_eq!(percent("nan"), None);
        assert_eq!(percent("x"), None);
    }
}
