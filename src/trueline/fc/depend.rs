//! `-E`, `-dM` and `-M`: the preprocessor's output, and the files that a source depends on.

use super::args::{Line, Stage};
use super::compile::is_standard_output;
use crate::commands::{complain, print, show_diagnostics};
use crate::driver::{self, Session};
use crate::options::Options;
use crate::{exit, language, modules, output};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use trueline_cpp::Definition;
use trueline_syntax::ast::Ast;

/// `-E` or `-M`.
pub fn preprocess(line: &Line, options: &Options) -> i32 {
    let mut code = exit::OK;
    let mut all = Vec::new();
    for path in line.sources() {
        let mut session = Session::default();
        let text = if line.dependencies.only {
            let mut options = options.clone();
            options.files = vec![path.to_owned()];
            let asts = driver::parse(&mut session, &options);
            (!asts.is_empty()).then(|| rule(line, path, &session, &asts).into_bytes())
        } else if line.dump_macros {
            Some(macros(options).into_bytes())
        } else {
            text(&mut session, path, line, options)
        };
        let failed = session.diagnostics.has_errors() && !line.dependencies.only;
        show_diagnostics(session, line.json);
        match text {
            Some(text) if !failed => all.extend(text),
            _ => code = exit::SOURCE,
        }
    }
    if code != exit::OK {
        return code;
    }
    let target = if line.dependencies.only {
        line.dependencies.file.as_ref().or(line.output.as_ref())
    } else {
        line.output.as_ref()
    };
    match target.filter(|p| !is_standard_output(p)) {
        Some(path) => match output::write_atomically(path, &all, output::Mode::Data) {
            Ok(()) => exit::OK,
            Err(e) => {
                complain(&format!("Cannot write '{}': {e}", path.display()));
                exit::SOURCE
            }
        },
        None => {
            output::print_bytes(&all);
            exit::OK
        }
    }
}

fn text(session: &mut Session, path: &Path, line: &Line, options: &Options) -> Option<Vec<u8>> {
    if path == Path::new("-") || line.preprocess.unwrap_or(true) || language::is_preprocessed(path) {
        let out = driver::preprocess(session, path, options)?;
        let text = trueline_cpp::flatten(&out.prepared);
        return Some(if line.no_markers { without_markers(&text) } else { text });
    }
    let file = session.map.load_main(path, &mut session.diagnostics)?;
    Some(session.map.file(file).bytes().to_vec())
}

fn without_markers(text: &[u8]) -> Vec<u8> {
    text.split_inclusive(|&b| b == b'\n').filter(|l| !l.starts_with(b"# ")).flatten().copied().collect()
}

/// `-dM`
fn macros(options: &Options) -> String {
    let define = |d: &Definition| match d {
        Definition::Define(text) => {
            let (name, value) = text.split_once('=').unwrap_or((text, "1"));
            Some(format!("#define {name} {value}\n"))
        }
        Definition::Undefine(_) => None,
    };
    options.cpp.definitions.iter().filter_map(define).collect()
}

/// The rule of `-M`: the object and the modules depend on the sources and the modules used.
pub fn rule(line: &Line, path: &Path, session: &Session, asts: &[Ast]) -> String {
    let directory = line.module_dir.clone().unwrap_or_default();
    let module = |name: &str| directory.join(format!("{name}.mod")).to_string_lossy().into_owned();
    let parts = || asts.iter().filter(|a| !a.external && !a.provided);
    let own: Vec<&str> = parts().flat_map(modules::defined).map(|(name, _)| name).collect();
    let mut targets = line.dependencies.targets.clone();
    if targets.is_empty() {
        targets.push(target(line, path).to_string_lossy().into_owned());
        targets.extend(own.iter().map(|n| module(n)));
    }
    let mut needed: Vec<String> = vec![path.to_string_lossy().into_owned()];
    // Module files have been loaded by now, too: they are not included files.
    let files = session.map.files().filter(|(_, f)| f.included_at().is_some()).map(|(_, f)| f.name().to_owned());
    let headers = session.headers.iter().map(|h| h.to_string_lossy().into_owned());
    for name in headers.chain(files) {
        if !needed.contains(&name) {
            needed.push(name);
        }
    }
    let sources = needed.len();
    let used: BTreeSet<String> = parts().flat_map(|a| modules::used(a).into_keys()).collect();
    let foreign =
        used.iter().filter(|n| !own.contains(&n.as_str()) && !trueline_sema::is_intrinsic_module(n) && *n != "omp_lib");
    needed.extend(foreign.map(|n| module(n)));
    let mut out = format!("{}: {}\n", words(&targets), words(&needed));
    if line.dependencies.phony {
        for header in &needed[1..sources] {
            out.push_str(&format!("{}:\n", words(std::slice::from_ref(header))));
        }
    }
    out
}

fn words(names: &[String]) -> String {
    names.iter().map(|n| n.replace(' ', "\\ ")).collect::<Vec<_>>().join(" ")
}

fn target(line: &Line, path: &Path) -> PathBuf {
    match &line.output {
        Some(output) if line.stage == Stage::Compile => output.clone(),
        _ => crate::commands::stem(path).with_extension("o"),
    }
}

/// Writes the file of `-MD`.
///
/// # Errors
/// A sentence.
pub fn write(line: &Line, path: &Path, session: &Session, asts: &[Ast]) -> Result<(), String> {
    let file = line.dependencies.file.clone().unwrap_or_else(|| match &line.output {
        Some(output) => output.with_extension("d"),
        None => crate::commands::stem(path).with_extension("d"),
    });
    let text = rule(line, path, session, asts);
    if is_standard_output(&file) {
        print(&text);
        return Ok(());
    }
    output::write_atomically(&file, text.as_bytes(), output::Mode::Data)
        .map_err(|e| format!("Cannot write '{}': {e}", file.display()))
}
