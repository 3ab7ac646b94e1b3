//! Linking with the system's `cc`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use target_lexicon::Triple;

/// The inputs of an executable.
#[derive(Clone, Debug)]
pub struct Inputs<'a> {
    /// Objects, archives and libraries in order; passed on as they are.
    pub objects: Vec<PathBuf>,
    /// The archive of the runtime.
    pub runtime: PathBuf,
    /// Words of the user's for the linker in order, after the objects and before the runtime (`-L`, `-l` …).
    pub extra: Vec<OsString>,
    /// The executable.
    pub output: &'a Path,
    /// The target.
    pub triple: &'a Triple,
}

/// Why there is no executable.
#[derive(Debug)]
pub enum Error {
    /// `cc` could not be started.
    Start {
        /// The program.
        program: String,
        /// Why.
        error: std::io::Error,
    },
    /// `cc` failed; its messages are on standard error already.
    Failed {
        /// The command line.
        command: String,
        /// Its exit code.
        code: Option<i32>,
    },
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Start { program, error } => write!(f, "Cannot run the linker driver '{program}': {error}"),
            Error::Failed { command, code: Some(code) } => write!(f, "Linking failed with code {code}: {command}"),
            Error::Failed { command, code: None } => write!(f, "Linking was interrupted: {command}"),
        }
    }
}

impl std::error::Error for Error {}

/// The link command. Names that begin with `-` or `@` are protected by `./`.
pub fn command(inputs: &Inputs<'_>) -> Command {
    let mut cc = Command::new(driver(inputs.triple));
    cc.args(inputs.objects.iter().map(|p| protected(p)));
    // Other archives may need the runtime; the runtime needs none of them.
    cc.args(&inputs.extra);
    let has = |word: &str| inputs.extra.iter().any(|w| w == word);
    if !has("-r") {
        cc.arg(&inputs.runtime);
        if has("-shared") {
            // Each shared library has a runtime of its own, which is hidden. It is never unloaded: the system would
            // call handlers of the runtime that are gone, at the end of a thread, at a fork, or at a signal.
            cc.args(["-Wl,--exclude-libs,ALL", "-Wl,-z,nodelete"]);
        }
        cc.args(["-Wl,--gc-sections", "-Wl,--as-needed", "-Wl,-z,relro,-z,now"]);
        cc.args(["-ldl", "-lm", "-lpthread", "-static-libgcc"]);
    }
    cc.arg("-o").arg(protected(inputs.output));
    cc
}

/// Links.
///
/// # Errors
/// If `cc` cannot be run or fails.
pub fn link(inputs: &Inputs<'_>) -> Result<(), Error> {
    let mut cc = command(inputs);
    let status = cc.status().map_err(|error| Error::Start { program: driver(inputs.triple), error })?;
    if status.success() {
        return Ok(());
    }
    let words: Vec<String> =
        std::iter::once(cc.get_program()).chain(cc.get_args()).map(|w| w.to_string_lossy().into_owned()).collect();
    Err(Error::Failed { command: words.join(" "), code: status.code() })
}

/// The linker driver: the value of the environment variable `CC`, else `cc` for the host and `ARCH-linux-gnu-gcc` for
/// other targets.
pub fn driver(triple: &Triple) -> String {
    if let Ok(cc) = std::env::var("CC")
        && !cc.is_empty()
    {
        return cc;
    }
    if triple.architecture == Triple::host().architecture {
        "cc".into()
    } else {
        format!("{}-linux-gnu-gcc", triple.architecture)
    }
}

fn protected(path: &Path) -> OsString {
    let text = path.as_os_str();
    match text.as_encoded_bytes().first() {
        Some(b'-' | b'@') => Path::new(".").join(path).into_os_string(),
        _ => text.to_owned(),
    }
}
