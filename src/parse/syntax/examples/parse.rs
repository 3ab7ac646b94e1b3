//! Parses the files named on the command line and prints their trees and diagnostics.

use std::io::Write;
use std::path::Path;

use trueline_diag::{Diagnostics, SourceMap, render_plain};
use trueline_syntax::{Options, dump, parse};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let quiet = std::env::var_os("QUIET").is_some();
    for name in std::env::args().skip(1) {
        let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
        if let Some(file) = map.load_main(Path::new(&name), &mut diags) {
            let start = std::time::Instant::now();
            let ast = parse(&mut map, file, &Options::default(), &mut diags);
            if quiet {
                let seconds = start.elapsed().as_secs_f64();
                let lines = map.file(file).line_count();
                writeln!(
                    out,
                    "{name}: {} statements, {lines} lines, {:.0} lines/s",
                    ast.stmts.len(),
                    f64::from(lines) / seconds
                )?;
            } else {
                write!(out, "{}", dump(&ast, &map))?;
            }
        }
        for diagnostic in diags.finish(&map) {
            write!(out, "{}", render_plain(&diagnostic, &map))?;
        }
    }
    Ok(())
}
