//! Cube 4 (`.cubex`): a tar file of a description in XML and binary severities, by metric, call path and processor.

use crate::index::{Index, is_procedure};
use crate::processors::{CATEGORIES, values};
use crate::safe;
use crate::tree::{TreeNode, label, tree};
use std::collections::BTreeMap;
use std::fmt::Write;
use tar::{Builder, EntryType, Header};
use trueline_abi::profile::{Categories, Processor};

/// Larger data is refused.
const MAX_VALUES: usize = 1 << 26;

/// A metric: its unique name, display name, type of values, unit, and the rows of values, one a call path.
struct Metric {
    name: &'static str,
    shown: &'static str,
    dtype: &'static str,
    unit: &'static str,
    bytes: Vec<u8>,
}

pub(super) fn cube(index: &Index<'_>) -> Result<Vec<u8>, String> {
    let nodes = tree(index);
    if nodes.is_empty() {
        return Err("The profile has no procedure that ran, and the format cube needs one".to_owned());
    }
    let processors = &index.profile.processors;
    if nodes.len().saturating_mul(processors.len().max(1)) > MAX_VALUES {
        return Err("The profile has more values than the format cube is written for".to_owned());
    }
    let metrics = metrics(&nodes, processors);
    archive(&anchor(index, &nodes, &metrics), &metrics, nodes.len()).map_err(|e| format!("cube: {e}"))
}

/// The files of a Cube: the description, and an index and values of each metric.
fn archive(anchor: &str, metrics: &[Metric], rows: usize) -> std::io::Result<Vec<u8>> {
    let mut out = Builder::new(Vec::new());
    member(&mut out, "anchor.xml", anchor.as_bytes())?;
    for (i, m) in metrics.iter().enumerate() {
        member(&mut out, &format!("{i}.index"), &row_index(rows))?;
        member(&mut out, &format!("{i}.data"), &[b"CUBEX.DATA", &m.bytes[..]].concat())?;
    }
    out.into_inner()
}

/// Every call path has a row: the sparse index names them all.
fn row_index(rows: usize) -> Vec<u8> {
    const SPARSE: u8 = 1;
    let mut out = b"CUBEX.INDEX".to_vec();
    out.extend(1u32.to_le_bytes());
    out.extend(0u16.to_le_bytes());
    out.push(SPARSE);
    out.extend((rows as u32).to_le_bytes());
    out.extend((0..rows as u32).flat_map(u32::to_le_bytes));
    out
}

/// Visits, exclusive seconds, and the categories where processors have them.
fn metrics(nodes: &[TreeNode], processors: &[Processor]) -> Vec<Metric> {
    let n = processors.len().max(1);
    let mut visits = Vec::with_capacity(nodes.len() * n * 8);
    let mut time = Vec::with_capacity(nodes.len() * n * 8);
    for node in nodes {
        let shares = shares(node.serial, processors);
        for (k, share) in shares.iter().enumerate() {
            // Profiles count over all processors: the counts stand at the first one.
            visits.extend(if k == 0 { node.calls } else { 0 }.to_le_bytes());
            time.extend((node.own as f64 * share / 1e9).to_le_bytes());
        }
    }
    let mut out = vec![
        Metric { name: "visits", shown: "Visits", dtype: "UINT64", unit: "occ", bytes: visits },
        Metric { name: "time", shown: "Time", dtype: "DOUBLE", unit: "sec", bytes: time },
    ];
    let names = [
        ("user", "User"),
        ("communication", "Communication"),
        ("synchronization", "Synchronization"),
        ("runtime", "Runtime library"),
        ("global", "Global operation"),
        ("late_sender", "Late sender"),
        ("late_receiver", "Late receiver"),
    ];
    let is_of_ranks = processors.iter().any(|p| p.ranks.is_some());
    let known = if is_of_ranks { names.len() } else { names.len() - 2 };
    for (k, (name, shown)) in names.into_iter().enumerate().take(known).filter(|_| !processors.is_empty()) {
        debug_assert_eq!(shown.to_lowercase(), CATEGORIES[k + 1]);
        let mut bytes = Vec::with_capacity(nodes.len() * n * 8);
        // A construct's times stand at its first call path; a profile does not part them.
        let mut seen = std::collections::BTreeSet::new();
        for node in nodes {
            let first = seen.insert(node.serial);
            for p in processors {
                let ns = severities(p).get(&node.serial).filter(|_| first).map_or(0, |c| values(c)[k + 1]);
                bytes.extend((ns as f64 / 1e9).to_le_bytes());
            }
        }
        out.push(Metric { name, shown, dtype: "DOUBLE", unit: "sec", bytes });
    }
    if is_of_ranks {
        out.push(sent(nodes, processors, ("messages", "Messages", "occ"), |c| c.messages));
        out.push(sent(nodes, processors, ("bytes", "Bytes sent", "bytes"), |c| c.bytes));
    }
    out
}

/// The times that a processor has without those of constructs inside, if it knows them.
fn severities(p: &Processor) -> &BTreeMap<u32, Categories> {
    if p.own.is_empty() { &p.constructs } else { &p.own }
}

/// Messages, or their bytes, of each construct at its first call path.
fn sent(
    nodes: &[TreeNode],
    processors: &[Processor],
    (name, shown, unit): (&'static str, &'static str, &'static str),
    of: fn(&Categories) -> u64,
) -> Metric {
    let mut seen = std::collections::BTreeSet::new();
    let mut bytes = Vec::with_capacity(nodes.len() * processors.len() * 8);
    for node in nodes {
        let first = seen.insert(node.serial);
        for p in processors {
            bytes.extend(p.own.get(&node.serial).filter(|_| first).map_or(0, of).to_le_bytes());
        }
    }
    Metric { name, shown, dtype: "UINT64", unit, bytes }
}

/// The shares of the processors in the time of a construct.
fn shares(serial: u32, processors: &[Processor]) -> Vec<f64> {
    let elapsed: Vec<f64> =
        processors.iter().map(|p| p.constructs.get(&serial).map_or(0.0, |c| c.elapsed as f64)).collect();
    let sum: f64 = elapsed.iter().sum();
    if sum > 0.0 {
        return elapsed.iter().map(|e| e / sum).collect();
    }
    (0..processors.len().max(1)).map(|k| if k == 0 { 1.0 } else { 0.0 }).collect()
}

fn anchor(index: &Index<'_>, nodes: &[TreeNode], metrics: &[Metric]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.4\">\n");
    let _ = writeln!(out, "<attr key=\"Creator\" value=\"trueline {}\"/>", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(out, "<attr key=\"Program\" value=\"{}\"/>\n<metrics>", xml(&index.profile.program));
    for (i, m) in metrics.iter().enumerate() {
        let _ = writeln!(
            out,
            "<metric id=\"{i}\" type=\"EXCLUSIVE\"><disp_name>{}</disp_name><uniq_name>{}</uniq_name><dtype>{}</dtype><uom>{}</uom><val></val><url></url><descr></descr></metric>",
            m.shown, m.name, m.dtype, m.unit
        );
    }
    out.push_str("</metrics>\n<program>\n");
    regions(index, nodes, &mut out);
    call_paths(index, nodes, &mut out);
    out.push_str("</program>\n");
    system(&index.profile.processors, &mut out);
    out.push_str("</cube>\n");
    out
}

/// One region a construct of the tree, numbered in the order of their first call paths.
fn region_numbers(nodes: &[TreeNode]) -> BTreeMap<u32, usize> {
    let mut out = BTreeMap::new();
    for n in nodes {
        let next = out.len();
        out.entry(n.serial).or_insert(next);
    }
    out
}

fn regions(index: &Index<'_>, nodes: &[TreeNode], out: &mut String) {
    let mut by_number: Vec<(usize, u32)> = region_numbers(nodes).into_iter().map(|(s, n)| (n, s)).collect();
    by_number.sort_unstable();
    for (number, serial) in by_number {
        let Some(c) = index.get(serial) else { continue };
        let name = xml(&label(index, serial));
        let role = if is_procedure(c) { "function" } else { "loop" };
        let _ = writeln!(
            out,
            "<region id=\"{number}\" mod=\"{}\" begin=\"{}\" end=\"{}\"><name>{name}</name><mangled_name>{name}</mangled_name><paradigm>compiler</paradigm><role>{role}</role><url></url><descr></descr></region>",
            xml(&c.file),
            c.line,
            c.end_line
        );
    }
}

/// The call paths, nested; all roots stand in one tree, the first one's, since readers want a single one.
fn call_paths(index: &Index<'_>, nodes: &[TreeNode], out: &mut String) {
    let numbers = region_numbers(nodes);
    let mut open = 0usize;
    for (i, n) in nodes.iter().enumerate() {
        let depth = if i > 0 { n.depth.max(1) } else { 0 };
        while open > depth {
            out.push_str("</cnode>\n");
            open -= 1;
        }
        let c = index.get(n.serial);
        let _ = writeln!(
            out,
            "<cnode id=\"{i}\" line=\"{}\" mod=\"{}\" calleeId=\"{}\">",
            if n.line > 0 { n.line } else { c.map_or(0, |c| c.line) },
            c.map_or(String::new(), |c| xml(&c.file)),
            numbers[&n.serial]
        );
        open += 1;
    }
    out.push_str(&"</cnode>\n".repeat(open));
}

fn system(processors: &[Processor], out: &mut String) {
    out.push_str("<system>\n<systemtreenode Id=\"0\"><name>machine</name><class>machine</class><descr></descr>\n");
    let single = [Processor::default()];
    let list = if processors.is_empty() { &single[..] } else { processors };
    out.push_str("<systemtreenode Id=\"1\"><name>node</name><class>node</class><descr></descr>\n");
    for (i, p) in list.iter().enumerate() {
        let _ = writeln!(
            out,
            "<locationgroup Id=\"{i}\"><name>node {} rank {}</name><rank>{i}</rank><type>process</type><location Id=\"{i}\"><name>thread {}</name><rank>0</rank><type>thread</type></location></locationgroup>",
            p.node, p.rank, p.thread
        );
    }
    out.push_str("</systemtreenode>\n</systemtreenode>\n</system>\n");
}

/// Text of an element or attribute.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in safe(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // XML 1.0 has no other characters beside these, not even escaped.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Adds a regular file to a tar archive, without owner and time: the same profile gives the same bytes.
fn member(out: &mut Builder<Vec<u8>>, name: &str, content: &[u8]) -> std::io::Result<()> {
    let mut header = Header::new_ustar();
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_entry_type(EntryType::Regular);
    out.append_data(&mut header, name, content)
}
