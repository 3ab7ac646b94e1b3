//! Everything that a profiled object carries beside its code.

use crate::options::Options;
use crate::runtime;
use miniz_oxide::deflate::compress_to_vec_zlib;
use trueline_abi::profile::SourceFile;
use trueline_codegen::{EntryData, ProfileData, RecordData};
use trueline_instrument::{Measured, MetaOptions, TimeMode};
use trueline_ir::Program;

/// The samples of the program counter in a second: as many as the kernel's usual tick allows.
const USUAL_SAMPLES: u64 = 250;

/// Collects the data of a profiled object.
pub(super) fn profile_data(
    program: &Program,
    calls: &trueline_instrument::Calls,
    measured: &Measured,
    discharged: &trueline_instrument::Discharged,
    options: &Options,
) -> ProfileData {
    let infos = &program.infos;
    // The text of a module file is that of a source without the bodies of its procedures: no version of the source.
    let compiled: std::collections::BTreeSet<u32> = infos.stmts.values().map(|info| info.file).collect();
    let files = infos
        .files
        .iter()
        .enumerate()
        .filter(|&(at, _)| compiled.contains(&(at as u32)))
        .map(|(_, f)| SourceFile {
            path: f.path.clone(),
            sha256: runtime::sha256(&f.text),
            text: Some(String::from_utf8_lossy(&f.text).into_owned()),
        })
        .collect();
    let meta_options = MetaOptions {
        opt_level: options.optimize.level.name().to_owned(),
        target: options.triple.to_string(),
        instrument_at: options.selection.instrument_at.name().to_owned(),
    };
    let meta = trueline_instrument::metadata(program, calls, measured, discharged, files, &meta_options);
    let json = serde_json::to_vec(&meta).unwrap_or_default();
    let places: std::collections::HashMap<u32, u32> =
        meta.constructs.iter().enumerate().map(|(i, c)| (c.construct.serial, i as u32)).collect();
    let records = measured
        .timers
        .iter()
        .map(|timer| {
            let serial = timer.record.stmt;
            let info = &infos.stmts[serial];
            let file = infos.files.get(info.file as usize).map_or("", |f| f.path.as_str());
            RecordData {
                unit: timer.unit,
                of: timer.record,
                construct: places.get(&serial.as_u32()).copied().unwrap_or(0),
                name: format!("{file}:{}: {}", info.line, info.text),
                is_joint: timer.members.len() > 1,
            }
        })
        .collect();
    ProfileData {
        counters: discharged.cells.clone(),
        entries: discharged
            .entries
            .iter()
            .map(|(symbol, counter, by)| EntryData {
                symbol: symbol.clone(),
                counter: *counter,
                is_passed_by: *by == trueline_instrument::Entered::FromElsewhere,
                is_open: trueline_instrument::may_be_passed_by(program, symbol),
            })
            .collect(),
        outside: discharged.outside.iter().map(|(symbol, _)| symbol.clone()).collect(),
        records,
        meta: compress_to_vec_zlib(&json, 6),
        constructs: measured.constructs.iter().map(|c| c.serial).zip(0..).collect(),
        regions: trueline_instrument::region_bounds(infos),
        tree_depth: options.selection.tree_depth,
        budget: options.selection.overhead.map_or(0, |f| (f * 1e6).round() as u64),
        atomic: options.selection.atomic,
        sample_rate: match options.profile {
            Some(TimeMode::None) | None => options.selection.samples.unwrap_or(0),
            Some(_) => options.selection.samples.unwrap_or(USUAL_SAMPLES),
        },
    }
}
