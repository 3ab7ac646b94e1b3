//! The reference interpreter: the meaning of a program, at every level of the IR.
//!
//! It is the judge between an optimized program and its source, so it is plain: no sharing with the
//! optimizer, one flat memory whose addresses are integers (so that levels M and L work as H does), and
//! arithmetic that agrees with compiled code to the bit: IEEE operations, wrapping integers, the C
//! library's functions, complex division and powers as gfortran's.
//!
//! Covered is the computational core: numbers, truth values and arrays of them, control flow, calls,
//! intrinsics, tallies; assignment and search of characters. The rest (reading, files, functions of the C
//! library that the standard library does not have) is an [`Error`] of its own kind. Nothing panics, and
//! every run ends: statements and array elements count as steps, and steps are limited.

mod array;
mod blocks;
mod call;
mod chars;
mod eval;
mod exec;
mod extent;
mod forall;
mod memory;
mod setup;
#[cfg(test)]
mod tests;
mod trace;
mod transform;

use crate::Type;
pub use crate::scalar::Value;
use crate::unit::{Program, Unit};
use std::collections::BTreeMap;
use std::fmt;
pub use trace::{Touch, Trace};
use trueline_provenance::{CounterInfo, Serial};

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The linker symbol of the unit to run; none for the main program, or else the first unit.
    pub entry: Option<String>,
    /// The number of statements and array elements after which the run is given up.
    pub steps: u64,
    /// Whether memory and registers begin with test data instead of zeros.
    pub fill: bool,
    /// Whether a subscript outside the bounds is an error.
    pub bounds: bool,
    /// Whether missing procedures are imitated: such a procedure notes its arguments, and changes them.
    pub imitate: bool,
    /// Whether the accesses to memory are kept.
    pub trace: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { entry: None, steps: 1 << 40, fill: false, bounds: true, imitate: false, trace: false }
    }
}

/// The results of a run.
#[derive(Clone, Default, Debug)]
pub struct Run {
    /// The content of static memory, by linker symbol; of dummy arguments of the entry as `dummy N`.
    pub memory: BTreeMap<String, Vec<u8>>,
    /// The output, item by item.
    pub output: Vec<Item>,
    /// The code of the STOP that ended the program, if one did.
    pub stop: Option<i32>,
    /// The value of the entry, if it is a function.
    pub result: Option<Value>,
    /// The totals of all tallies.
    pub tallies: BTreeMap<CounterInfo, i64>,
    /// The number of assignments, stores and calls on behalf of each source statement.
    pub executions: BTreeMap<Serial, u64>,
    /// The steps taken.
    pub steps: u64,
    /// The accesses to memory, if they were asked for.
    pub trace: Option<Trace>,
}

/// One item of output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its type.
    pub ty: Type,
    /// Its bytes in memory.
    pub bytes: Vec<u8>,
}

/// Why a run came to no end of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The program uses a part of the language that the interpreter does not have.
    Beyond,
    /// The program is wrong: a division by zero, a subscript out of bounds, a wild address.
    Wrong,
    /// It takes too many steps or too much memory.
    Limit,
}

/// Why a run came to no end of its own, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The kind of reason.
    pub kind: ErrorKind,
    /// The reason.
    pub text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ErrorKind::Beyond => write!(f, "beyond the core: {}", self.text),
            _ => f.write_str(&self.text),
        }
    }
}

impl std::error::Error for Error {}

type Failure = Box<Error>;

impl From<crate::scalar::Undefined> for Failure {
    fn from(why: crate::scalar::Undefined) -> Failure {
        use crate::scalar::Undefined;
        match why {
            Undefined::Wrong(text) => wrong(text),
            Undefined::Beyond(text) => beyond(text),
            Undefined::Limit(text) => limit(text),
        }
    }
}

fn beyond(text: impl Into<String>) -> Failure {
    Box::new(Error { kind: ErrorKind::Beyond, text: text.into() })
}

fn wrong(text: impl Into<String>) -> Failure {
    Box::new(Error { kind: ErrorKind::Wrong, text: text.into() })
}

fn limit(text: impl Into<String>) -> Failure {
    Box::new(Error { kind: ErrorKind::Limit, text: text.into() })
}

/// The stack that a run needs for the deepest nesting and recursion that it allows.
const STACK: usize = 512 << 20;

/// Runs `program`.
pub fn interpret(program: &Program, options: &Options) -> Result<Run, Error> {
    interpret_units(&program.units, options)
}

/// Runs the units of a program.
pub fn interpret_units(units: &[Unit], options: &Options) -> Result<Run, Error> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || setup::run(units, options));
        match thread.map(|t| t.join()) {
            Ok(Ok(result)) => result.map_err(|e| *e),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(e) => Err(*limit(format!("no thread to run in: {e}"))),
        }
    })
}
