//! From sources to objects: parse all, then compile in the order in which their modules need each other.

use super::args::{Input, Line, Stage};
use super::{depend, link};
use crate::commands::{self, fail, remarks, show_diagnostics, stem};
use crate::driver::{Failure, Session};
use crate::modules;
use crate::modules::interface::{Interface, Store};
use crate::options::Options;
use crate::{exit, output, pipeline};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trueline_syntax::ast::Ast;

/// One source file on its way.
struct Job {
    path: PathBuf,
    session: Session,
    asts: Vec<Ast>,
    /// Modules that it defines.
    defines: BTreeSet<String>,
    /// Modules that it uses and does not define.
    needs: BTreeSet<String>,
    result: Result<Vec<u8>, Failure>,
    interfaces: Vec<Arc<Interface>>,
    /// The lines of `-fopt-info`.
    remarks: String,
    done: bool,
}

/// Compiles, and links if that is asked for; returns the exit code.
pub fn run(line: &Line, options: &Options) -> i32 {
    let mut jobs: Vec<Job> = line
        .sources()
        .map(Path::to_owned)
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|path| parse(path, options))
        .collect();
    order(&mut jobs, line, options);
    match finish(line, options, jobs) {
        Ok(code) => code,
        Err(failure) => code_of(fail(&failure)),
    }
}

/// gfortran ends with 1 whatever the user did wrong.
fn code_of(code: i32) -> i32 {
    if code == exit::LINK { exit::SOURCE } else { code }
}

fn parse(path: PathBuf, options: &Options) -> Job {
    let mut session = Session::default();
    let options = Options { files: vec![path.clone()], ..options.clone() };
    let (asts, result) = match pipeline::parse(&mut session, &options) {
        Ok(asts) => (asts, Err(Failure::Source)),
        Err(bug) => (Vec::new(), Err(bug)),
    };
    let defines: BTreeSet<String> = asts.iter().flat_map(modules::defined).map(|(n, _)| n.to_owned()).collect();
    let used = asts.iter().flat_map(|a| modules::used(a).into_keys());
    let needs = used.filter(|n| !defines.contains(n)).collect();
    Job {
        path,
        session,
        asts,
        defines,
        needs,
        // A parser with a bug has no tree to go on with.
        done: matches!(result, Err(Failure::Bug(_))),
        result,
        interfaces: Vec::new(),
        remarks: String::new(),
    }
}

/// Compiles all, each after those whose modules it needs; independent ones in parallel.
fn order(jobs: &mut [Job], line: &Line, options: &Options) {
    let owner: BTreeMap<String, usize> =
        jobs.iter().enumerate().rev().flat_map(|(i, j)| j.defines.iter().map(move |n| (n.clone(), i))).collect();
    let mut store = Store::new();
    loop {
        let done: Vec<bool> = jobs.iter().map(|j| j.done).collect();
        let is_ready = |j: &Job| j.needs.iter().all(|n| owner.get(n).is_none_or(|&o| done[o]));
        // Modules that need each other have no order: the analysis says so.
        let any = jobs.iter().any(|j| !j.done && is_ready(j));
        let mut wave: Vec<&mut Job> = jobs.iter_mut().filter(|j| !j.done && (!any || is_ready(j))).collect();
        if wave.is_empty() {
            return;
        }
        let options = Options { store: Arc::new(store.clone()), ..options.clone() };
        wave.par_iter_mut().for_each(|job| compile(job, line, &options));
        for job in wave {
            store.extend(job.interfaces.iter().map(|i| (i.name.clone(), i.clone())));
        }
    }
}

fn compile(job: &mut Job, line: &Line, options: &Options) {
    let options = Options { files: vec![job.path.clone()], ..options.clone() };
    job.done = true;
    let is_empty = job.asts.is_empty();
    job.result = to_object(job, line, &options);
    job.result = std::mem::replace(&mut job.result, Err(Failure::Source)).and_then(|bytes| {
        if is_empty {
            return Ok(bytes);
        }
        let directory = line.module_dir.clone().unwrap_or_else(|| PathBuf::from("."));
        for interface in &job.interfaces {
            if line.stage != Stage::Check && !line.dry {
                modules::write(&directory, interface).map_err(Failure::User)?;
            }
        }
        if line.dependencies.beside {
            depend::write(line, &job.path, &job.session, &job.asts).map_err(Failure::User)?;
        }
        Ok(bytes)
    });
}

fn to_object(job: &mut Job, line: &Line, options: &Options) -> Result<Vec<u8>, Failure> {
    let own = job.asts.len();
    let program = pipeline::analyze_trees(&mut job.session, &mut job.asts, options)?;
    let of_part = |ast| modules::interfaces(ast, &job.asts, &job.session.map, options);
    job.interfaces = job.asts[..own].iter().flat_map(of_part).collect();
    if line.stage == Stage::Check || line.dry {
        return Ok(Vec::new());
    }
    if !line.dependencies.beside {
        pipeline::forget(std::mem::take(&mut job.asts));
    }
    let mut compiled = pipeline::optimize_for_object(program, options)?;
    let bytes = match line.stage {
        Stage::Assemble => pipeline::listing(&mut compiled, options).map(String::into_bytes),
        _ => pipeline::object(&mut compiled, options),
    }?;
    for text in &compiled.stale {
        crate::commands::tell(&format!("trueline: warning: {text}\n"));
    }
    if let Some(info) = &options.remarks.info {
        job.remarks = remarks::lines(&compiled, info);
    }
    if options.remarks.record.is_some() {
        let output = line.output.clone().filter(|_| line.stage != Stage::Link);
        remarks::write_record(&compiled, &remarks::record_of(&output.unwrap_or_else(|| stem(&job.path))))?;
    }
    Ok(bytes)
}

/// Shows the diagnostics, writes the objects, links.
fn finish(line: &Line, options: &Options, jobs: Vec<Job>) -> Result<i32, Failure> {
    let mut code = exit::OK;
    let mut objects = Vec::new();
    if let Some(info) = &options.remarks.info {
        let told: String = jobs.iter().map(|job| job.remarks.as_str()).collect();
        remarks::deliver(&told, info)?;
    }
    let broken: BTreeMap<String, PathBuf> = jobs
        .iter()
        .filter(|j| matches!(j.result, Err(Failure::Source)))
        .flat_map(|j| j.defines.iter().map(|name| (name.clone(), j.path.clone())))
        .collect();
    for mut job in jobs {
        name_broken(&mut job, &broken);
        show_diagnostics(job.session, line.json);
        match job.result {
            Ok(bytes) => objects.push((job.path, bytes)),
            Err(failure) => code = code_of(fail(&failure)).max(code),
        }
    }
    if code != exit::OK || line.stage == Stage::Check {
        return Ok(code);
    }
    if line.stage != Stage::Link {
        let suffix = if line.stage == Stage::Assemble { "s" } else { "o" };
        for (path, bytes) in &objects {
            let target = line.output.clone().unwrap_or_else(|| stem(path).with_extension(suffix));
            if line.dry {
                continue;
            }
            if is_standard_output(&target) {
                output::print_bytes(bytes);
            } else {
                commands::write(&target, bytes)?;
            }
        }
        link::compile_others(line, options)?;
        return Ok(exit::OK);
    }
    let directory =
        output::temporary_directory().map_err(|e| Failure::User(format!("Cannot make a temporary directory: {e}")))?;
    let mut paths = Vec::new();
    for (k, (path, bytes)) in objects.iter().enumerate() {
        let name = stem(path);
        let object = directory.path().join(format!("{k}-{}.o", name.display()));
        commands::write(&object, bytes)?;
        paths.push(object);
    }
    debug_assert_eq!(paths.len(), line.inputs.iter().filter(|i| matches!(i, Input::Fortran(_))).count());
    link::link(line, options, &paths)?;
    Ok(exit::OK)
}

/// A module that is not there since its file has errors is in that file.
fn name_broken(job: &mut Job, broken: &BTreeMap<String, PathBuf>) {
    for d in job.session.diagnostics.iter_mut().filter(|d| d.code == "T0241") {
        let missing = |n: &&String| d.message == format!("There is no module '{n}'");
        if let Some((name, path)) = job.needs.iter().find(missing).and_then(|n| broken.get_key_value(n)) {
            d.message = format!("The module '{name}' is in a file with errors");
            d.help = Some(format!("Mend the errors in {}", path.display()));
        }
    }
}

/// `-o -`
pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}
