//! The sources and diagnostics of a compilation, and how its files are read. The pipeline compiles them.

use crate::options::{Display, Options};
use crate::{language, runtime};
use std::path::{Path, PathBuf};
use trueline_diag::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use trueline_opt::Bug;
use trueline_syntax::ast::Ast;
use trueline_syntax::{Distribute, Found, aligned, distributions, redistribute};

/// Why there is no result.
#[derive(Debug)]
pub enum Failure {
    /// The source has errors; they are in the diagnostics.
    Source,
    /// A message for the user: an input, a limit, the target.
    User(String),
    /// The link failed.
    Link(String),
    /// A bug of ours.
    Bug(String),
}

impl From<Bug> for Failure {
    fn from(bug: Bug) -> Failure {
        Failure::Bug(bug.to_string())
    }
}

impl From<trueline_codegen::Error> for Failure {
    fn from(e: trueline_codegen::Error) -> Failure {
        match e {
            trueline_codegen::Error::Internal(_) => Failure::Bug(e.to_string()),
            _ => Failure::User(e.to_string()),
        }
    }
}

/// The sources and the diagnostics.
#[derive(Default)]
pub struct Session {
    /// The files read.
    pub map: SourceMap,
    /// The diagnostics.
    pub diagnostics: Diagnostics,
    /// The files that the preprocessor read, in the order of their first inclusion.
    pub headers: Vec<PathBuf>,
    /// The display of diagnostics.
    pub display: Display,
}

/// Reads and parses the files. There is a tree for each file that can be read: mistakes are in the
/// diagnostics and left out of the tree, so that the analysis can go on and find more.
pub fn parse(session: &mut Session, options: &Options) -> Vec<Ast> {
    session.display = options.display;
    session.diagnostics.set_policy(options.policy);
    session.diagnostics.set_named(options.named_policies.clone());
    session.diagnostics.set_most(options.most_errors);
    session.map.set_trusted(&options.files, &options.syntax.include_dirs);
    let mut asts = Vec::new();
    for path in &options.files {
        let Some(file) = load(session, path, options) else { continue };
        if session.map.check(file, &mut session.diagnostics) {
            asts.extend(trueline_syntax::parse_parts(
                &mut session.map,
                file,
                &options.syntax,
                &mut session.diagnostics,
            ));
        }
    }
    options.distribute.iter().for_each(|wanted| distribute(session, &mut asts, wanted));
    asts
}

/// Gives an array or template the distribution that the command line says.
fn distribute(session: &mut Session, asts: &mut [Ast], wanted: &Distribute) {
    if asts.iter_mut().map(|ast| redistribute(ast, wanted)).sum::<usize>() > 0 {
        return;
    }
    let found: Vec<Found> = asts.iter().flat_map(distributions).collect();
    let name = &wanted.name;
    let diagnostic = if let Some(other) = found.iter().find(|f| f.name == *name) {
        let (has, given) = (other.rank.unwrap_or(0), wanted.formats.len());
        let message = format!("'{name}' has {has} dimensions, but '--distribute' gives {given} formats");
        Diagnostic::error("T0468", other.span, message).help("Give one format for each dimension")
    } else if let Some((span, target)) = asts.iter().find_map(|ast| aligned(ast, name)) {
        let message = format!("'{name}' is aligned with '{target}', and '--distribute' cannot distribute it");
        Diagnostic::error("T0468", span, message).help(format!("Distribute '{target}'"))
    } else {
        let mut names: Vec<&str> = found.iter().map(|f| f.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let help = match names.as_slice() {
            [] => "The program has no DISTRIBUTE directive".to_owned(),
            names => format!("There are directives for {}", names.join(", ")),
        };
        Diagnostic::global_error("T0468", format!("No directive distributes '{name}'")).help(help)
    };
    session.diagnostics.push(diagnostic);
}

/// Reads a file, through the preprocessor if that is asked for. `-` is standard input.
fn load(session: &mut Session, path: &Path, options: &Options) -> Option<FileId> {
    if path != Path::new("-") && !options.preprocess.unwrap_or_else(|| language::is_preprocessed(path)) {
        return session.map.load_main(path, &mut session.diagnostics);
    }
    let prepared = preprocess(session, path, options)?.prepared;
    Some(session.map.add_prepared(prepared, None))
}

/// A file after the preprocessor; none if there are errors, which are in the diagnostics.
pub fn preprocess(session: &mut Session, path: &Path, options: &Options) -> Option<trueline_cpp::Output> {
    let mut mains = options.files.clone();
    mains.push(path.to_owned());
    session.map.set_trusted(&mains, &options.syntax.include_dirs);
    let is_input = path == Path::new("-");
    let bytes = if is_input { runtime::input().map_err(|e| e.to_string()) } else { read(path) };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(why) => {
            let message = format!("Cannot read '{}': {why}", path.display());
            session.diagnostics.push(Diagnostic::global_error("T0002", message));
            return None;
        }
    };
    let name = if is_input { Path::new("<stdin>") } else { path };
    let out = trueline_cpp::preprocess(name, bytes, &options.cpp, &mut read);
    session.headers.extend(out.dependencies.iter().cloned());
    for problem in &out.problems {
        session.problem(problem);
    }
    (!out.problems.iter().any(|p| p.is_error)).then_some(out)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    trueline_diag::read(path).map_err(|e| e.to_string())
}

impl Session {
    /// A message of the preprocessor. An error shows its line; the file of a warning is read for its program, and only once.
    fn problem(&mut self, problem: &trueline_cpp::Problem) {
        let diagnostic = if !problem.is_error {
            let message = format!("{}:{}: {}", problem.file, problem.line, problem.message);
            Diagnostic::global_warning("T0021", message)
        } else if let Ok(file) = self.map.load(Path::new(&problem.file), None) {
            self.map.mark_header(file);
            let line = self.map.file(file).line_range(problem.line);
            let span = Span::new(file, line.start as u32, line.end as u32);
            Diagnostic::error("T0020", span, &problem.message)
        } else {
            Diagnostic::global_error("T0020", format!("{}:{}: {}", problem.file, problem.line, problem.message))
        };
        self.diagnostics.push(diagnostic);
    }
}
