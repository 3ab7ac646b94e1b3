//! Profiles for the tests of this crate.

use crate::{FlatOptions, Index, Style};
use trueline_abi::profile::{
    Categories, Clock, Construct, Counts, Edge, Processor, Profile, SCHEMA, SourceFile, Status, Time,
};

fn construct(serial: u32, parent: Option<u32>, kind: &str, line: u32, text: &str) -> Construct {
    let procedure = if serial < 6 { "main" } else { "work" };
    Construct {
        serial,
        parent,
        kind: kind.into(),
        procedure: procedure.into(),
        file: "a.f90".into(),
        line,
        end_line: line + 2,
        column: 1,
        text: text.into(),
        status: Status::Exact,
        counts_exact: true,
        ..Construct::default()
    }
}

/// A small profile with all that profiles have.
pub(crate) fn sample() -> Profile {
    let time = |inclusive_ns, exclusive_ns| Some(Time { inclusive_ns, exclusive_ns, ..Time::default() });
    let counts = |n| Counts { invocations: Some(n), ..Counts::default() };
    let main = Construct {
        end_line: 9,
        hash: Some("00000000000000aa".into()),
        symbol: Some("MAIN__".into()),
        counts: counts(1),
        time: time(90_000_000, 10_000_000),
        ..construct(0, None, "program", 1, "main")
    };
    let lp = Construct {
        counts: Counts { iterations: Some(1000), min_trips: Some(1000), max_trips: Some(1000), ..counts(1) },
        end_line: 6,
        time: time(80_000_000, 50_000_000),
        story: vec!["unroll: unrolled by 4".into()],
        passes: vec!["unroll".into()],
        status: Status::Region,
        reason: Some("profiled as a region after unroll".into()),
        formulas: vec![("iterations".into(), "1000 × invocations of main".into())],
        ..construct(2, Some(0), "do", 2, "do i = 1, n")
    };
    let cond = Construct {
        counts: Counts { evaluations: Some(1000), taken: Some(vec![300, 700]), ..Counts::default() },
        ..construct(4, Some(2), "if_block", 3, "if (x > 0) then")
    };
    let work = Construct {
        hash: Some("00000000000000bb".into()),
        counts: counts(300),
        time: time(30_000_000, 30_000_000),
        ..construct(6, None, "procedure", 11, "work")
    };
    let gone = Construct {
        status: Status::Eliminated,
        reason: Some("by dce: its result is never used".into()),
        counts: Counts { iterations: Some(900), ..counts(300) },
        ..construct(8, Some(6), "do", 12, "do j = 1, 3")
    };
    let share = |ns: u64| {
        let c = Categories { elapsed: ns, user: ns / 2, communication: ns - ns / 2, ..Categories::default() };
        [(0, c), (2, c)].into_iter().collect()
    };
    Profile {
        schema: SCHEMA.into(),
        program: "a".into(),
        opt_level: "O3".into(),
        target: Some("x86_64-unknown-linux-gnu".into()),
        instrument_at: "post-wopt".into(),
        clock: Clock { source: "tsc".into(), ticks_per_second: 1e9, elapsed_ns: 100_000_000, ..Clock::default() },
        files: vec![SourceFile {
            path: "a.f90".into(),
            sha256: "ab".into(),
            text: Some((1..=4).map(|n| format!("{n} <b></script>\n")).collect()),
        }],
        constructs: vec![main, lp, cond, work, gone],
        edges: vec![Edge {
            caller: 0,
            callee: 6,
            line: 4,
            calls: 300,
            inclusive_ns: Some(30_000_000),
            ..Edge::default()
        }],
        processors: vec![
            Processor { node: 0, rank: 0, thread: 0, constructs: share(90_000_000), ..Processor::default() },
            Processor { node: 0, rank: 1, thread: 0, constructs: share(50_000_000), ..Processor::default() },
        ],
        ..Profile::default()
    }
}

/// Every report of a profile that could be read; none may panic.
pub(crate) fn show_all(profile: &Profile) {
    let index = Index::new(profile);
    let (options, style) = (FlatOptions::default(), Style { color: true, width: Some(80) });
    assert!(!crate::text(profile, &options, style).is_empty());
    assert!(!crate::tree_text(&index, None, style).is_empty());
    crate::calls_text(&index, style);
    crate::csv(&index, &options);
    crate::html(profile, None);
    let procedures = [("MAIN__".to_owned(), (64, 640))].into_iter().collect();
    let lines = [(("a.f90".to_owned(), 2), 80)].into_iter().collect();
    let symbols = crate::Symbols { procedures, lines };
    for (format, ..) in crate::Format::ALL {
        // Formats may refuse a profile that they cannot hold, in a sentence.
        if let Err(text) = crate::export(&index, *format, Some(&symbols)) {
            assert!(!text.is_empty());
        }
    }
    let d = crate::diff(profile, profile);
    crate::diff_json(&d);
    crate::diff_text(&d, true, style);
    assert!(crate::merge(&[profile.clone(), profile.clone()]).is_ok());
}
