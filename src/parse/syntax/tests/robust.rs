//! No bytes at all make the parser panic or hang: prefixes and single-byte changes of sample programs, and sizes and depths.

use std::path::Path;
use std::time::{Duration, Instant};

use trueline_diag::{Diagnostics, SourceMap, render_plain};
use trueline_syntax::{Options, dump, parse};

/// Parses a text, prints the tree, and gives the messages.
fn check(name: &str, bytes: &[u8]) -> Vec<String> {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let file = map.add(name, bytes.to_vec());
    let ast = parse(&mut map, file, &Options::default(), &mut diags);
    let text = dump(&ast, &map);
    let all = diags.finish(&map);
    let rendered: usize = all.iter().map(|diagnostic| render_plain(diagnostic, &map).len()).sum();
    assert!(text.len() + rendered < 100 * bytes.len() + 1_000_000, "{name}: too much text");
    assert!(!ast.program.is_empty() || !all.is_empty(), "{name}: neither a unit nor a diagnostic");
    all.into_iter().map(|diagnostic| diagnostic.message).collect()
}

fn samples() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut all: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("the folder is readable").path())
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "f" || suffix == "f90"))
        .map(|path| (path.display().to_string(), std::fs::read(&path).expect("the file is readable")))
        .collect();
    all.sort();
    all
}

/// The step between the cases that a test tries: a sample in `cargo test`, all of them with `TRUELINE_FUZZ=all`.
fn step(count: usize, cases: usize) -> usize {
    if std::env::var_os("TRUELINE_FUZZ").is_some() { 1 } else { (count / cases).max(1) }
}

#[test]
fn every_prefix() {
    for (name, bytes) in samples() {
        for end in (0..bytes.len()).step_by(step(bytes.len(), 20)) {
            check(&name, &bytes[..end]);
        }
    }
}

#[test]
fn every_changed_byte() {
    const BYTES: &[u8] = b"'\"&!;(),=:*/.%\n \t0a\0\x01\x80\xff[";
    for (which, (name, bytes)) in samples().into_iter().enumerate() {
        let step = step(bytes.len(), 30);
        for (turn, at) in (which % step..bytes.len()).step_by(step).enumerate() {
            let mut changed = bytes.clone();
            match (turn + which) % 3 {
                0 => changed[at] = BYTES[(turn + which) % BYTES.len()],
                1 => drop(changed.remove(at)),
                _ => changed.insert(at, BYTES[(turn + which) % BYTES.len()]),
            }
            check(&name, &changed);
        }
    }
}

#[test]
fn other_source_form() {
    for (name, bytes) in samples() {
        let other = if name.ends_with(".f") { "x.f90" } else { "x.f" };
        check(other, &bytes);
    }
}

/// A size that takes no time, or fifty times that with `TRUELINE_FUZZ=all`.
fn size(small: usize) -> usize {
    if std::env::var_os("TRUELINE_FUZZ").is_some() { 50 * small } else { small }
}

/// Parses within a time that anything quadratic would exceed, and finds a message with the given words (or none at all).
fn sized(name: &str, text: String, words: &str) {
    let start = Instant::now();
    let messages = check(name, text.as_bytes());
    assert!(start.elapsed() < Duration::from_secs(60), "{name}: {:?}", start.elapsed());
    let found = messages.iter().any(|message| message.contains(words));
    assert!(if words.is_empty() { messages.is_empty() } else { found }, "{name}: {messages:?}");
}

#[test]
fn depth_has_a_limit() {
    let n = size(20_000);
    sized("parens.f90", format!("x = {}1{}\nend\n", "(".repeat(n), ")".repeat(n)), "");
    sized("sum.f90", format!("x = 1{}\nend\n", "+1".repeat(n)), "levels deep");
    sized("power.f90", format!("x = 1{}\nend\n", "**1".repeat(n)), "levels deep");
    sized("minus.f90", format!("x = 1 {}1\nend\n", "- ".repeat(n)), "levels deep");
    sized("not.f90", format!("x = {}y\nend\n", ".not.".repeat(n)), "levels deep");
    sized("calls.f90", format!("x = {}1{}\nend\n", "abs(".repeat(n), ")".repeat(n)), "levels deep");
    sized("lists.f90", format!("x = {}1{}\nend\n", "[".repeat(n), "]".repeat(n)), "levels deep");
    sized("types.f90", format!("x = {}1\nend\n", "[real(".repeat(n)), "Unexpected end");
}

#[test]
fn constructs_have_a_limit() {
    let n = size(5_000);
    sized("do.f90", format!("{}{}end\n", "do\n".repeat(n), "end do\n".repeat(n)), "levels deep");
    sized("if.f90", format!("{}{}end\n", "if (x) then\n".repeat(n), "end if\n".repeat(n)), "levels deep");
    sized("crossed.f90", format!("{}{}end\n", "do\n".repeat(n), "end if\n".repeat(n)), "levels deep");
    sized("labels.f90", format!("{}1 continue\nend\n", "do 1 i=1,2\n".repeat(n)), "levels deep");
    sized(
        "blocks.f90",
        format!("{}{}end\n", "block\n1 format(i5)\n".repeat(n), "end block\n".repeat(n)),
        "levels deep",
    );
    let interface = "subroutine s\ninterface\n";
    sized("units.f90", interface.repeat(n), "levels deep");
    sized("open.f90", "do\nif (x) then\n".repeat(n), "levels deep");
}

#[test]
fn sizes_are_linear() {
    let n = size(20_000);
    sized("lines.f90", format!("{}end\n", "x(i) = y(i) + 1\n".repeat(n)), "");
    sized("data.f90", format!("data x / {}1 /\nend\n", "1,".repeat(n)), "");
    sized("line.f90", format!("print *, {}1\nend\n", "'abc', ".repeat(n)), "");
    sized("comment.f90", format!("x = 1 &\n{}+ 1\nend\n", "! comment\n".repeat(n)), "");
    sized("continued.f90", format!("x = max(1 &\n{})\nend\n", ", 1 &\n".repeat(n)), "");
    sized("continued.f", format!("      X = MAX(1\n{}     &)\n      END\n", "     & ,1\n".repeat(n)), "");
    sized("blank.f", format!("      X = 1\n{}      END\n", "C comment\n\n".repeat(n)), "");
    sized("semicolons.f90", format!("{}end\n", "x=1;".repeat(n)), "");
    sized("semicolons.f", format!("      {}\n      END\n", "X=1;".repeat(10)), "");
    sized("errors.f90", "1+(\n".repeat(n), "cannot start");
    sized("quotes.f90", format!("x = {}\nend\n", "'".repeat(n + 1)), "Unterminated");
    sized("holleriths.f90", format!("data x / {}1ha /\nend\n", "1ha,".repeat(n)), "");
    sized("hs.f90", format!("x = 99999999{}\nend\n", "h".repeat(n)), "");
    sized("ends.f90", "end\n".repeat(n), "");
}

#[test]
fn a_long_line_is_no_problem() {
    let n = size(200_000) * 10;
    sized("long.f90", format!("x = {}\nend\n", "x".repeat(n)), "at most 63");
    sized("comment.f90", format!("x = 1 ! {}\nend\n", "x".repeat(n)), "");
    sized("blank.f90", format!("x = {}1\nend\n", " ".repeat(n)), "");
    sized("bad.f90", format!("x = {} y\nend\n", "1".repeat(n)), "Syntax error");
}
