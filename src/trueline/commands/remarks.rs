//! The optimizer's decisions and obstacles at compile time: `-fopt-info`, and remarks as YAML.

use super::{build, printable, tell};
use crate::driver::Failure;
use crate::options::{Info, Remarks};
use crate::pipeline::Compiled;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use trueline_codegen::Vectorized;
use trueline_instrument::Remark;
use trueline_provenance::{Serial, StmtInfo, StmtInfos, StmtKind};
use trueline_report::{RemarkDoc, document};

/// Writes the remarks that are asked for.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn write(compiled: &Compiled, wanted: &Remarks) -> Result<(), Failure> {
    if let Some(info) = &wanted.info {
        deliver(&lines(compiled, info), info)?;
    }
    wanted.record.as_deref().map_or(Ok(()), |path| write_record(compiled, path))
}

/// The remarks of all steps, vectorization included.
fn all(compiled: &Compiled) -> Vec<Remark> {
    let mut out = trueline_instrument::remarks(&compiled.program);
    let infos = &compiled.program.infos;
    let unrolled = unrolled(&out);
    let told: BTreeSet<Serial> = out.iter().filter(|r| r.passed && r.pass == "vectorize").map(|r| r.of).collect();
    let constructs: BTreeSet<Serial> = compiled.vectorized.iter().map(|v| carrier(infos, &unrolled, v.of)).collect();
    for of in constructs {
        if let Some(lanes) = lanes(infos, &compiled.vectorized, &unrolled, of).filter(|_| !told.contains(&of)) {
            // Packing may have made vectors where vectorization could not.
            out.retain(|r| r.of != of || r.passed || r.pass != "vectorize");
            out.push(Remark { of, passed: true, pass: "pack".to_owned(), text: vectorized_words(lanes) });
        }
    }
    out.sort_by_key(|r| (r.of, !r.passed));
    out
}

/// The constructs that were unrolled, whose copies become vectors, and the constructs that were vectorized.
pub(crate) fn unrolled(remarks: &[Remark]) -> BTreeSet<Serial> {
    remarks.iter().filter(|r| r.passed && (r.pass == "unroll" || r.pass == "vectorize")).map(|r| r.of).collect()
}

/// The construct that a remark on vectorization is about: the innermost one around the statement that was unrolled, else the
/// innermost loop around, else the statement itself.
fn carrier(infos: &StmtInfos, unrolled: &BTreeSet<Serial>, s: Serial) -> Serial {
    let around = || std::iter::once(s).chain(infos.ancestors(s));
    let is_loop = |a: &Serial| matches!(infos.stmts[*a].kind, StmtKind::Do | StmtKind::DoWhile | StmtKind::Forall);
    around().find(|a| unrolled.contains(a)).or_else(|| around().find(is_loop)).unwrap_or(s)
}

/// The most lanes of vector operations of a construct or statement; none if it has no such operation.
pub(crate) fn lanes(
    infos: &StmtInfos,
    vectorized: &[Vectorized],
    unrolled: &BTreeSet<Serial>,
    of: Serial,
) -> Option<u32> {
    let concerns = |v: &&Vectorized| v.of == of || carrier(infos, unrolled, v.of) == of;
    vectorized.iter().filter(concerns).map(|v| v.lanes).max()
}

/// The words of that remark.
pub(crate) fn vectorized_words(lanes: u32) -> String {
    format!("vectorized, {lanes} lanes")
}

/// The lines of `-fopt-info`.
pub(crate) fn lines(compiled: &Compiled, info: &Info) -> String {
    let remarks = all(compiled);
    let told = remarks.iter().filter(|r| if r.passed { info.optimized } else { info.missed });
    told.map(|r| line(compiled, r)).collect()
}

/// Writes such lines where they are to go.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn deliver(lines: &str, info: &Info) -> Result<(), Failure> {
    match &info.to {
        Some(path) => build::write(path, lines.as_bytes()),
        None => {
            tell(&printable(lines));
            Ok(())
        }
    }
}

/// Writes all remarks as YAML.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write_record(compiled: &Compiled, path: &Path) -> Result<(), Failure> {
    let remarks = all(compiled);
    let text: String = remarks.iter().map(|r| yaml(compiled, r)).collect();
    build::write(path, text.as_bytes())
}

/// The file of the remarks that belongs to an output.
pub(crate) fn record_of(output: &Path) -> PathBuf {
    output.with_extension("opt.yaml")
}

fn line(compiled: &Compiled, r: &Remark) -> String {
    let (file, info) = place(compiled, r);
    let kind = if r.passed { "optimized" } else { "missed" };
    format!("{file}:{}:{}: {kind}: {}: {}\n", info.line, info.column, r.pass, r.text)
}

fn yaml(compiled: &Compiled, r: &Remark) -> String {
    let (file, info) = place(compiled, r);
    let infos = &compiled.program.infos;
    document(&RemarkDoc {
        kind: if r.passed { "Passed" } else { "Missed" },
        pass: &r.pass,
        name: if r.passed { r.text.split([' ', ':', ',']).next().unwrap_or("") } else { "NotApplied" },
        file,
        line: info.line,
        column: info.column,
        procedure: infos.procedure(r.of).map_or("", |p| infos.stmts[p].text.as_str()),
        hotness: None,
        of: &info.text,
        text: &r.text,
    })
}

fn place<'a>(compiled: &'a Compiled, r: &Remark) -> (&'a str, &'a StmtInfo) {
    let infos = &compiled.program.infos;
    let info = &infos.stmts[r.of];
    (infos.files.get(info.file as usize).map_or("", |f| f.path.as_str()), info)
}
