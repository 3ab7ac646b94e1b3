//! The list of supported features, for the documentation: made from the tables that the compiler itself reads.

use crate::intrinsic::table::TABLE;
use crate::intrinsic::{Arg, Intrinsic};
use std::fmt::Write as _;

/// `docs/language.md`.
pub fn language() -> String {
    let words = trueline_syntax::words();
    let mut out = String::from(
        "# The language\n\nGenerated from the tables of the compiler; `BLESS=1 cargo test -p trueline-lower` rewrites it.\n",
    );
    section(&mut out, "Types", &words.types);
    section(&mut out, "Attributes", &words.attributes);
    section(&mut out, "Statements", &words.statements);
    out.push_str("\nAssignments, statement functions and the headers of procedures begin with no such word.\n");
    out.push_str("\n## Intrinsic modules\n\n");
    for (module, names) in crate::declare::intrinsic_modules::contents() {
        let _ = writeln!(out, "- `{module}`: {}", quoted(&names));
    }
    for (title, subroutines) in [("Intrinsic functions", false), ("Intrinsic subroutines", true)] {
        let _ = writeln!(out, "\n## {title}\n\nArguments in brackets may be absent.\n");
        let mut rows: Vec<&Intrinsic> = TABLE.iter().filter(|r| r.is_subroutine() == subroutines).collect();
        rows.sort_by_key(|r| r.name);
        for row in rows {
            let args: Vec<String> = row.args.iter().map(argument).collect();
            let more = if row.variadic { ", …" } else { "" };
            let _ = writeln!(out, "- `{}({}{more})`", row.name, args.join(", "));
        }
    }
    out.push_str(
        "\n## Refused\n\nEach by a diagnostic that names the feature; the rest of the file is still checked.\n\n",
    );
    for (feature, origin) in words.refused {
        let _ = writeln!(out, "- {feature}: {origin}");
    }
    out
}

fn section(out: &mut String, title: &str, words: &[&str]) {
    let upper: Vec<String> = words.iter().map(|w| w.to_uppercase()).collect();
    let upper: Vec<&str> = upper.iter().map(String::as_str).collect();
    let _ = writeln!(out, "\n## {title}\n\n{}", quoted(&upper));
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
}

fn argument(a: &Arg) -> String {
    if a.optional { format!("[{}]", a.name) } else { a.name.to_owned() }
}
