//! The display of diagnostics: text for people, gfortran's layout for editors, or JSON; with colours or without.

use crate::driver::Session;
use crate::options::{Color, Format};
use crate::output::tell;
use std::io::IsTerminal;
use trueline_report::printable_json;

impl Color {
    /// Whether standard error gets colours.
    fn is_on(self) -> bool {
        let is_set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty() && v != "0");
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if std::env::var_os("NO_COLOR").is_some() => false,
            Color::Auto => is_set("CLICOLOR_FORCE") || std::io::stderr().is_terminal(),
        }
    }
}

/// Writes the diagnostics of a session to standard error.
pub(crate) fn show(session: Session, json: bool) {
    let Session { map, diagnostics, display, .. } = session;
    let suppressed = diagnostics.suppressed();
    let list = diagnostics.finish(&map);
    if json || display.format == Format::Json {
        if !list.is_empty() {
            tell(&printable_json(&trueline_diag::to_json(&list, &map)));
            tell("\n");
        }
        return;
    }
    let has_colors = display.color.is_on();
    for d in &list {
        let text = match display.format {
            Format::Gcc => trueline_diag::render_gcc(d, &map),
            _ if has_colors => trueline_diag::render(d, &map),
            _ => trueline_diag::render_plain(d, &map),
        };
        tell(&text);
        tell("\n");
    }
    if suppressed > 0 {
        tell(&format!("trueline: {suppressed} further errors are not shown\n"));
    }
}
