//! The format of valgrind's callgrind, version 1 (valgrind manual, "Callgrind Format Specification").
//!
//! Events are executions of constructs, iterations, and exclusive nanoseconds. A name is defined once, at its first use, and
//! only its number is used from then on: readers take a second definition for an error.

use crate::index::{Index, executions_of_all as executions};
use crate::safe;
use std::collections::BTreeMap;
use std::fmt::Write;
use trueline_abi::profile::Edge;

/// Numbers for names, in the order of their first use.
#[derive(Default)]
struct Names {
    numbers: BTreeMap<String, usize>,
}

impl Names {
    fn of(&mut self, name: &str) -> String {
        let name = safe(name).into_owned();
        let next = self.numbers.len() + 1;
        match self.numbers.get(&name) {
            Some(n) => format!("({n})"),
            None => {
                let text = format!("({next}) {name}");
                self.numbers.insert(name, next);
                text
            }
        }
    }
}

pub(super) fn callgrind(index: &Index<'_>) -> String {
    let profile = index.profile;
    let mut out = format!(
        "# callgrind format\nversion: 1\ncreator: trueline\ncmd: {}\npositions: line\n\
         event: Executions : entries and evaluations\nevent: Iterations : iterations of loops\nevent: Nanoseconds : exclusive time\n\
         events: Executions Iterations Nanoseconds\n",
        safe(&profile.program)
    );
    let mut lines: BTreeMap<u32, BTreeMap<u32, [u64; 3]>> = BTreeMap::new();
    for c in &profile.constructs {
        let costs = lines.entry(index.procedure_of(c.serial)).or_default().entry(c.line).or_default();
        let own = [executions(c), c.counts.iterations, index.time(c).map(|t| t.exclusive_ns)];
        for (sum, n) in costs.iter_mut().zip(own) {
            *sum = sum.saturating_add(n.unwrap_or(0));
        }
    }
    let total = lines.values().flat_map(BTreeMap::values).fold([0u64; 3], |mut sum, costs| {
        sum.iter_mut().zip(costs).for_each(|(s, c)| *s = s.saturating_add(*c));
        sum
    });
    let _ = writeln!(out, "summary: {} {} {}\n", total[0], total[1], total[2]);
    let calls = index.calls();
    let (mut files, mut functions) = (Names::default(), Names::default());
    for (&serial, costs) in &lines {
        let Some(p) = index.get(serial) else { continue };
        let (file, function) = (files.of(&p.file), functions.of(&p.text));
        let _ = writeln!(out, "fl={file}\nfn={function}");
        for (line, [executions, iterations, ns]) in costs {
            let _ = writeln!(out, "{line} {executions} {iterations} {ns}");
        }
        for e in calls.get(&serial).into_iter().flatten().filter(|e| e.calls > 0) {
            call(index, e, &mut files, &mut functions, &mut out);
        }
        out.push('\n');
    }
    out
}

fn call(index: &Index<'_>, e: &Edge, files: &mut Names, functions: &mut Names, out: &mut String) {
    let Some(callee) = index.get(e.callee) else { return };
    let (file, function) = (files.of(&callee.file), functions.of(&callee.text));
    // Calls from several lines stand at the caller's first one.
    let line = if e.line == 0 { index.get(e.caller).map_or(0, |c| c.line) } else { e.line };
    let _ = writeln!(out, "cfl={file}\ncfn={function}\ncalls={} {}", e.calls, callee.line);
    let _ = writeln!(out, "{line} {} 0 {}", e.calls, e.inclusive_ns.unwrap_or(0));
}
