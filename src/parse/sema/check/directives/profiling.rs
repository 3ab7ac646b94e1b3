//! Checks of the directives that select the profiled parts: `!TL$ REGION name` … `!TL$ END REGION`, `!TL$ PROFILE OFF` and `ON`.
//!
//! A mistake in one is a warning: the program means the same without it.

use trueline_diag::{Diagnostic, Diagnostics, Span};

const CODE: &str = "T0701";

/// Checks those of a procedure, in source order, each with its text.
pub fn check(directives: Vec<(Span, String)>, diags: &mut Diagnostics) {
    let mut open: Vec<Span> = Vec::new();
    let mut warn = |d: Diagnostic| diags.push(d);
    for (span, text) in directives {
        let words: Vec<String> = text.split_whitespace().skip(1).map(str::to_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["region"] => {
                warn(Diagnostic::warning(CODE, span, "A REGION needs a name").help("write !TL$ REGION name"));
                open.push(span);
            }
            ["region", ..] => open.push(span),
            ["end", "region", ..] | ["endregion", ..] => {
                if open.pop().is_none() {
                    warn(Diagnostic::warning(CODE, span, "There is no REGION that this END REGION ends"));
                }
            }
            ["profile", "on" | "off"] => {}
            ["profile", ..] => {
                let what = Diagnostic::warning(CODE, span, "PROFILE is switched ON or OFF");
                warn(what.help("write !TL$ PROFILE OFF or !TL$ PROFILE ON"));
            }
            _ => {
                let what = Diagnostic::warning(CODE, span, "This directive is not known and has no effect");
                warn(what.help("there are REGION name, END REGION, PROFILE OFF and PROFILE ON"));
            }
        }
    }
    for span in open {
        let what =
            Diagnostic::warning(CODE, span, "This REGION has no END REGION in its procedure; it is not measured");
        warn(what.help("write !TL$ END REGION behind its last statement"));
    }
}
