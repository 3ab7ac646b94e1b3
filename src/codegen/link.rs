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
        /// Whether it links for the processor of this machine.
        is_native: bool,
        /// Why.
        error: std::io::Error,
    },
    /// `cc` links for another processor.
    Foreign {
        /// The program.
        program: String,
        /// The target that it says it has.
        has: String,
        /// The target that is wanted.
        wanted: String,
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
            Error::Start { program, is_native: true, error } => {
                write!(f, "Cannot run the linker driver '{program}': {error}")
            }
            Error::Start { program, is_native: false, error } => write!(
                f,
                "Cannot run the linker driver '{program}': {error}; install a C compiler for the target (the package \
                 gcc-aarch64-linux-gnu of a distribution, or the like), or have CC name one"
            ),
            Error::Foreign { program, has, wanted } => write!(
                f,
                "The linker driver '{program}' links for '{has}', not for '{wanted}': have CC name a C compiler for the \
                 target (the package gcc-aarch64-linux-gnu of a distribution, or the like)"
            ),
            Error::Failed { command, code: Some(code) } => write!(f, "Linking failed with code {code}: {command}"),
            Error::Failed { command, code: None } => write!(f, "Linking was interrupted: {command}"),
        }
    }
}

impl std::error::Error for Error {}

/// The link command. Names that begin with `-` or `@` are protected by `./`.
pub fn command(inputs: &Inputs<'_>) -> Command {
    let mut cc = driver(inputs.triple);
    cc.args(inputs.objects.iter().map(|p| protected(p)));
    // Other archives may need the runtime; the runtime needs none of them.
    cc.args(&inputs.extra);
    let has = |word: &str| inputs.extra.iter().any(|w| w == word);
    if !has("-r") {
        // Rust's own copies of functions such as `rint` are in the archive, too. Those know one rounding mode only; the C
        // library's, which gfortran's programs call, are found first.
        cc.args(["-Wl,--push-state,--no-as-needed", "-lm", "-Wl,--pop-state"]);
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

/// Asks a linker driver that `CC` names whether it links for `triple`, if that is another processor than this machine's. A driver
/// that does not answer as GCC and Clang do is taken as it is.
///
/// # Errors
/// If it answers that it links for another processor.
pub fn check_driver(triple: &Triple) -> Result<(), Error> {
    if is_native(triple) || std::env::var_os("CC").is_none() {
        return Ok(());
    }
    let mut cc = driver(triple);
    let Ok(out) = cc.arg("-dumpmachine").stdin(std::process::Stdio::null()).output() else { return Ok(()) };
    let has = String::from_utf8_lossy(&out.stdout).trim().to_owned();
    match has.split_once('-') {
        Some((processor, _)) if out.status.success() && processor != triple.architecture.to_string() => {
            let program = cc.get_program().to_string_lossy().into_owned();
            Err(Error::Foreign { program, has, wanted: triple.to_string() })
        }
        _ => Ok(()),
    }
}

/// Links.
///
/// # Errors
/// If `cc` cannot be run or fails.
pub fn link(inputs: &Inputs<'_>) -> Result<(), Error> {
    check_driver(inputs.triple)?;
    let mut cc = command(inputs);
    let status = cc.status().map_err(|error| start(inputs.triple, &cc, error))?;
    if status.success() {
        return Ok(());
    }
    let words: Vec<String> =
        std::iter::once(cc.get_program()).chain(cc.get_args()).map(|w| w.to_string_lossy().into_owned()).collect();
    Err(Error::Failed { command: words.join(" "), code: status.code() })
}

/// Why the linker driver did not start.
pub fn start(triple: &Triple, cc: &Command, error: std::io::Error) -> Error {
    Error::Start { program: cc.get_program().to_string_lossy().into_owned(), is_native: is_native(triple), error }
}

/// Whether programs for `triple` are for the processor of this machine.
pub fn is_native(triple: &Triple) -> bool {
    triple.architecture == Triple::host().architecture
}

/// Says in the environment of the linker driver that it is one: a trueline that is told so, since `CC` names it as well, passes `CC` over.
const IS_DRIVER: &str = "TRUELINE_IS_DRIVER";

/// The linker driver: the words of the environment variable `CC`, else `cc` for the host and `ARCH-linux-gnu-gcc` for
/// other targets.
pub fn driver(triple: &Triple) -> Command {
    let is_driver = std::env::var_os(IS_DRIVER).is_some();
    let words = std::env::var("CC").map(|cc| words(&cc)).unwrap_or_default();
    if let Some((program, rest)) = words.split_first().filter(|_| !is_driver) {
        let mut command = Command::new(program);
        command.args(rest).env(IS_DRIVER, "1");
        return command;
    }
    if is_native(triple) { Command::new("cc") } else { Command::new(format!("{}-linux-gnu-gcc", triple.architecture)) }
}

/// The words of a command; one word if it is the path of a file as it stands.
pub fn words(command: &str) -> Vec<String> {
    if command.contains('/') && Path::new(command).is_file() {
        return vec![command.to_owned()];
    }
    command.split_whitespace().map(str::to_owned).collect()
}

fn protected(path: &Path) -> OsString {
    let text = path.as_os_str();
    match text.as_encoded_bytes().first() {
        Some(b'-' | b'@') => Path::new(".").join(path).into_os_string(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_several_words() {
        assert_eq!(words("ccache  gcc -m64 "), ["ccache", "gcc", "-m64"]);
        assert!(words("  ").is_empty());
        let dir = std::env::temp_dir().join(format!("with a blank {}", std::process::id()));
        std::fs::write(&dir, "").unwrap();
        assert_eq!(words(dir.to_str().unwrap()), [dir.to_str().unwrap()]);
        std::fs::remove_file(&dir).unwrap();
    }

    #[test]
    fn the_c_library_comes_before_the_archive() {
        let triple: Triple = "aarch64-unknown-linux-gnu".parse().unwrap();
        let inputs = Inputs {
            objects: vec!["-a.o".into()],
            runtime: "rt.a".into(),
            extra: vec!["-lb".into()],
            output: Path::new("o"),
            triple: &triple,
        };
        let command = command(&inputs);
        let words: Vec<&str> = command.get_args().filter_map(|w| w.to_str()).collect();
        let at = |word: &str| words.iter().position(|w| *w == word).unwrap();
        assert!(at("./-a.o") < at("-lb") && at("-lb") < at("-lm") && at("-lm") < at("rt.a"), "{words:?}");
    }
}
