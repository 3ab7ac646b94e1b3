//! Whatever stands in a profile, a source or a file name stays text, in every report, export and message.
//!
//! A report of a hostile profile has the structure of that of a harmless one: as many lines, records, cells and elements.

use crate::profile::exports::trueline;
use crate::profile::page::drive;
use crate::profile::payloads::payloads;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use trueline_abi::profile::Profile;
use trueline_report::{FlatOptions, Format, Index, Style, Symbols};

const TEMPLATE: &str = include_str!("injection.json");

/// The profile that has the payload in all its texts.
fn hostile(payload: &str) -> Profile {
    let quoted = json!(payload).to_string();
    let json = TEMPLATE.replace("PAYLOAD", &quoted[1..quoted.len() - 1]);
    trueline_report::read(json.as_bytes()).unwrap_or_else(|e| panic!("{payload:?}: {e}"))
}

/// Nothing that a terminal obeys, or that makes text stand elsewhere than it is.
#[track_caller]
fn printable(what: &str, text: &str) {
    let bad = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!text.contains(bad), "{what}: {text:?}");
}

fn lines(text: &str) -> usize {
    text.lines().count()
}

/// Every report on the terminal, by name.
fn terminal(profile: &Profile) -> Vec<(&'static str, String)> {
    let index = Index::new(profile);
    let (options, style) = (FlatOptions::default(), Style::default());
    let mut later = profile.clone();
    later.constructs[0].counts.invocations = Some(77);
    let d = trueline_report::diff(profile, &later);
    vec![
        ("report", trueline_report::text(profile, &options, style)),
        ("tree", trueline_report::tree_text(&index, None, style)),
        ("calls", trueline_report::calls_text(&index, style)),
        ("diff", trueline_report::diff_text(&d, true, style)),
    ]
}

#[test]
fn on_the_terminal() {
    let harmless = terminal(&hostile("x"));
    for payload in payloads() {
        for ((name, text), (_, plain)) in terminal(&hostile(&payload)).iter().zip(&harmless) {
            printable(name, text);
            // A source of several lines has several.
            let own = if *name == "report" { lines(&format!("{payload}\n")) - 1 } else { 0 };
            assert_eq!(lines(text), lines(plain) + own, "{name} of {payload:?}: {text}");
        }
    }
}

#[test]
fn in_json() {
    for payload in payloads() {
        let profile = hostile(&payload);
        let text = serde_json::to_string_pretty(&profile).unwrap();
        assert_eq!(trueline_report::read(text.as_bytes()).unwrap(), profile, "{payload:?}");
        let d = trueline_report::diff_json(&trueline_report::diff(&profile, &profile));
        assert!(d.is_object(), "{payload:?}");
    }
}

/// The cells of a table by RFC 4180.
fn cells(csv: &str) -> Vec<Vec<String>> {
    let (mut rows, mut cell, mut quoted) = (vec![vec![]], String::new(), false);
    let mut chars = csv.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => rows.last_mut().unwrap().push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                rows.last_mut().unwrap().push(std::mem::take(&mut cell));
                rows.push(vec![]);
            }
            c => cell.push(c),
        }
    }
    rows.pop();
    rows
}

#[test]
fn in_csv() {
    for payload in payloads() {
        let profile = hostile(&payload);
        let rows = cells(&trueline_report::csv(&Index::new(&profile), &FlatOptions::default()));
        assert_eq!(rows.len(), 4, "{payload:?}");
        for row in &rows {
            assert_eq!(row.len(), rows[0].len(), "{payload:?}");
            for cell in row {
                printable("csv", cell);
                let number = cell.parse::<f64>().is_ok();
                assert!(number || !cell.starts_with(['=', '+', '-', '@']), "{payload:?} is a formula: {cell}");
            }
        }
    }
}

/// The keys and lengths of a value: everything but its texts and numbers.
fn shape(value: &Value) -> Value {
    match value {
        Value::Array(list) => list.iter().map(shape).collect(),
        Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), shape(v))).collect::<serde_json::Map<_, _>>().into(),
        _ => Value::Null,
    }
}

/// The number of fields with each number in a Protocol Buffers message.
fn fields(mut bytes: &[u8]) -> Vec<(u64, usize)> {
    let mut out = std::collections::BTreeMap::new();
    fn varint(bytes: &mut &[u8]) -> u64 {
        let (mut n, mut shift) = (0, 0);
        loop {
            let (&b, rest) = bytes.split_first().expect("it is whole");
            *bytes = rest;
            n |= u64::from(b & 127) << shift;
            shift += 7;
            if b < 128 {
                return n;
            }
        }
    }
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        *out.entry(key >> 3).or_default() += 1;
        match key & 7 {
            0 => drop(varint(&mut bytes)),
            2 => {
                let n = varint(&mut bytes) as usize;
                bytes = &bytes[n..];
            }
            kind => panic!("a field of kind {kind}"),
        }
    }
    out.into_iter().collect()
}

/// The part of an export that does not depend on names.
fn skeleton(format: Format, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match format {
        Format::Speedscope | Format::Chrome | Format::Sarif => {
            shape(&serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"))).to_string()
        }
        Format::Pprof => format!("{:?}", fields(&unzipped(bytes))),
        Format::Cube => {
            let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#"];
            let xml = text.split('\0').filter(|part| part.contains('<')).collect::<String>();
            let whole = xml.match_indices('&').all(|(i, _)| entities.iter().any(|e| xml[i..].starts_with(e)));
            assert!(whole, "{xml}");
            format!("{} elements", xml.matches('<').count())
        }
        Format::Folded => format!("{} stacks of {} frames", lines(&text), text.matches(';').count()),
        Format::Csv => format!("{:?}", cells(&text).iter().map(Vec::len).collect::<Vec<_>>()),
        Format::Gmon => format!("{bytes:?}"),
        Format::Callgrind | Format::Lcov | Format::Remarks => {
            let starts = text.lines().map(|l| l.split(['=', ':', ' ']).next().unwrap_or(""));
            starts
                .map(|s| if s.starts_with(|c: char| c.is_ascii_digit()) { "0" } else { s })
                .collect::<Vec<_>>()
                .join("|")
        }
    }
}

/// The content of a gzip file without options.
fn unzipped(bytes: &[u8]) -> Vec<u8> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return bytes.to_vec();
    }
    miniz_oxide::inflate::decompress_to_vec(&bytes[10..bytes.len() - 8]).expect("it can be inflated")
}

#[test]
fn in_every_export() {
    for (format, name, ..) in Format::ALL {
        let exported = |payload: &str| {
            let procedures = [(payload.to_owned(), (64, 640))].into_iter().collect();
            let symbols = Symbols { procedures, ..Symbols::default() };
            trueline_report::export(&Index::new(&hostile(payload)), *format, Some(&symbols))
                .unwrap_or_else(|e| panic!("{name} of {payload:?}: {e}"))
        };
        let plain = skeleton(*format, &exported("x"));
        for payload in payloads() {
            let bytes = exported(&payload);
            assert_eq!(skeleton(*format, &bytes), plain, "{name} of {payload:?}: {}", String::from_utf8_lossy(&bytes));
            if !matches!(format, Format::Pprof | Format::Cube | Format::Gmon) {
                printable(name, &String::from_utf8_lossy(&bytes).replace("\r\n", "\n").replace('\t', " "));
            }
        }
    }
}

/// The page's markup is the same whatever is in the profile.
#[test]
fn in_the_markup_of_the_page() {
    let elements = |payload: &str| {
        let page = trueline_report::html(&hostile(payload), None);
        (page.matches('<').count(), page.matches("</script").count(), page.matches("<!--").count())
    };
    let plain = elements("x");
    for payload in payloads() {
        assert_eq!(elements(&payload), plain, "{payload:?}");
    }
}

/// All payloads in one page, each as the name of a program, a file, a procedure and so on, clicked through in a browser.
#[test]
fn in_a_browser() {
    let mut whole: Option<Value> = None;
    let all = payloads();
    for (n, payload) in all.iter().enumerate() {
        let quoted = json!(payload).to_string();
        let mut one: Value = serde_json::from_str(&TEMPLATE.replace("PAYLOAD", &quoted[1..quoted.len() - 1])).unwrap();
        let base = 3 * n as u64;
        for c in one["constructs"].as_array_mut().unwrap() {
            c["serial"] = json!(c["serial"].as_u64().unwrap() + base);
            c["parent"] = c["parent"].as_u64().map_or(Value::Null, |p| json!(p + base));
        }
        for key in ["caller", "callee"] {
            one["edges"][0][key] = json!(one["edges"][0][key].as_u64().unwrap() + base);
        }
        match &mut whole {
            None => whole = Some(one),
            Some(whole) => {
                for part in ["files", "constructs", "edges"] {
                    let more = one[part].take();
                    whole[part].as_array_mut().unwrap().extend(more.as_array().unwrap().iter().cloned());
                }
            }
        }
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.json"), whole.unwrap().to_string()).unwrap();
    trueline(dir.path(), &["report", "--html", "page.html", "p.json"]);
    let only = [
        "ready",
        "title",
        "files",
        "constructs",
        "every",
        "tree",
        "flame",
        "callers",
        "processors",
        "markup",
        "requests",
    ];
    let Some(seen) = drive(dir.path(), "page.html", Some(&only)) else { return };
    assert_eq!(seen["errors"], json!([]));
    let s = &seen["steps"];
    assert_eq!(s["title"], json!(all[0]));
    assert_eq!(s["constructs"].as_u64().map(|n| n > 10), Some(true), "{s}");
    assert_eq!(s["files"], json!(all.len()), "{}", s["files"]);
    assert_eq!(s["every"], json!(3 * all.len()), "{}", s["every"]);
    assert_eq!(s["markup"], json!([]));
    assert_eq!(s["requests"], 0);
}

/// The commands on a source whose name and comments are hostile, right or wrong. `TRUELINE_PAYLOADS=all` takes every
/// payload, else a few.
#[test]
fn in_names_and_texts_of_sources() {
    let all = std::env::var("TRUELINE_PAYLOADS").is_ok_and(|v| v == "all");
    let step = if all { 1 } else { 41 };
    for payload in payloads().iter().step_by(step) {
        let dir = tempfile::tempdir().unwrap();
        let name: String = payload.chars().filter(|c| !matches!(c, '/' | '\0')).take(100).collect();
        let file = format!("./{name}.f90");
        let comment = payload.replace(['\n', '\r'], " ");
        let right = format!(
            "program p\n  integer :: i\n  do i = 1, 3 ! {comment}\n    call s(i)\n  end do\ncontains\n  \
                             subroutine s(i)\n    integer :: i\n    if (i < 0) stop 1\n  end subroutine\nend program\n"
        );
        std::fs::write(dir.path().join(&file), &right).unwrap();
        let commands: [&[&str]; 5] = [
            &["profile", "-O1", &file],
            &["explain", &format!("{file}:3")],
            &["score", &file],
            &["map", &file],
            &["build", "--opt-info=all", &file, "-o", "exe"],
        ];
        for command in commands {
            said(dir.path(), command, &[0, 1]);
        }
        std::fs::write(dir.path().join(&file), right.replace("call s(i)", &format!("i = = 1 ! {comment}"))).unwrap();
        said(dir.path(), &["build", &file], &[1]);
        said(dir.path(), &["build", "--json", &file], &[1]);
        said(dir.path(), &["report", &format!("./{name}.json")], &[1]);
        assert!(!dir.path().join("owned").exists(), "{payload:?} was obeyed");
    }
}

/// Runs a command; its output is printable.
fn said(directory: &Path, args: &[&str], codes: &[i32]) {
    let out = Command::new(env!("CARGO_BIN_EXE_trueline")).args(args).current_dir(directory).output().unwrap();
    assert!(out.status.code().is_some_and(|c| codes.contains(&c)), "{args:?}: {out:?}");
    for text in [&out.stdout, &out.stderr] {
        printable(&format!("{args:?}"), &String::from_utf8_lossy(text));
    }
}
