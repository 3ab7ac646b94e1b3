//! `dump --mappings`: which processor owns which part of each array.

use crate::cli::Dump;
use std::fmt::Write;
use trueline_ir::mapping::{Placement, Share, Span};
use trueline_ir::{Program, Sym, Unit};

/// More processors than this are refused: each has a line for each array.
pub const MOST_RANKS: u32 = 65_536;

/// More spans of one dimension than this are not printed.
const MOST_SPANS: usize = 64;

/// The mapped arrays of all units, on the number of processors that the command line says.
pub(super) fn text(program: &Program, args: &Dump) -> String {
    let ranks = u64::from(args.compile.ranks.unwrap_or(1));
    let mut out = String::new();
    for unit in &program.units {
        let mut mapped: Vec<Sym> =
            unit.syms().filter(|(_, d)| d.from_source && d.mapping.is_some()).map(|(s, _)| s).collect();
        mapped.sort_by(|&a, &b| unit.sym(a).name.cmp(&unit.sym(b).name));
        if mapped.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{}: {ranks} processor{}", unit.name(), if ranks == 1 { "" } else { "s" });
        for s in mapped {
            array(unit, s, ranks, program, &mut out);
        }
    }
    if out.is_empty() { "No array is mapped\n".to_owned() } else { out }
}

fn array(unit: &Unit, s: Sym, ranks: u64, program: &Program, out: &mut String) {
    let data = unit.sym(s);
    let Some(mapping) = data.mapping.expand().map(|m| unit.mapping(m)) else { return };
    let shape = unit.shape(s);
    let bounds: Vec<String> = shape
        .bounds
        .iter()
        .map(|b| b.map_or(":".to_owned(), |(lo, hi)| if lo == 1 { hi.to_string() } else { format!("{lo}:{hi}") }))
        .collect();
    let list = if bounds.is_empty() { String::new() } else { format!("({})", bounds.join(", ")) };
    let directive = mapping.serial.and_then(|serial| program.infos.stmts.get(serial));
    let from = directive.map_or(String::new(), |i| format!(", line {}: {}", i.line, i.text));
    let _ = writeln!(out, "  {}{list}{from}", data.name);
    let placement = match Placement::new(unit, mapping, &shape, ranks) {
        Ok(placement) => placement,
        Err(unknown) => {
            let _ = writeln!(out, "    known when the program runs: {unknown}");
            return;
        }
    };
    let grid: Vec<String> = placement.grid().iter().map(u64::to_string).collect();
    let name = mapping.grid.name.as_deref().unwrap_or("processors");
    let _ = writeln!(out, "    on {name}({})", grid.join(", "));
    let Some(cells) = placement.cells().filter(|&cells| cells <= u64::from(MOST_RANKS)) else {
        let _ = writeln!(out, "    the arrangement has more than {MOST_RANKS} processors");
        return;
    };
    let rank = shape.bounds.len();
    let mut total = Some(0u64);
    for cell in 0..cells {
        let at = placement.coordinates(cell);
        let shares: Vec<Share> = (0..rank).map(|d| placement.share(d, &at, MOST_SPANS)).collect();
        let bytes = placement.bytes(&at);
        total = total.zip(bytes).and_then(|(a, b)| a.checked_add(b));
        let coordinates: Vec<String> = at.iter().map(u64::to_string).collect();
        let _ = write!(out, "    rank {} at ({})", placement.rank(cell), coordinates.join(", "));
        if placement.is_elsewhere(&at) || shares.iter().any(|s| s.count == 0) {
            let _ = writeln!(out, " owns nothing");
            continue;
        }
        if rank == 0 {
            let _ = writeln!(out, " owns it, {} bytes", bytes.unwrap_or(0));
            continue;
        }
        let owned: Vec<String> = shares.iter().map(owned).collect();
        let local: Vec<String> = shares.iter().map(|s| format!("{}:{}", s.local.0, s.local.1)).collect();
        let bytes = bytes.map_or("more than 2^64".to_owned(), |n| n.to_string());
        let _ = writeln!(out, " owns ({}), local ({}), {bytes} bytes", owned.join(", "), local.join(", "));
    }
    if let Some(total) = total {
        let _ = writeln!(out, "    {total} bytes in all");
    }
}

/// `1:10, 41:50`, or with gaps `1:9:2`; a part that has further spans ends in `…` and tells how many subscripts it has.
fn owned(share: &Share) -> String {
    let one = |s: &Span| match (s.first == s.last, s.step) {
        (true, _) => s.first.to_string(),
        (false, 1) => format!("{}:{}", s.first, s.last),
        (false, step) => format!("{}:{}:{step}", s.first, s.last),
    };
    let spans: Vec<String> = share.spans.iter().map(one).collect();
    let spans = spans.join(" ");
    if share.more { format!("{spans} … {} in all", share.count) } else { spans }
}
