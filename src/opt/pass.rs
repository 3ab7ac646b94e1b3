//! Passes, and the questions that they may ask.

use crate::{Arithmetic, Feedback, OptLevel};
use trueline_ir::{Editor, Level, Program, Unit};
use trueline_provenance::{Serial, StmtInfos};

/// A transformation.
pub struct Pass {
    /// The name used on the command line, in dumps and in the profile report.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The levels of the IR that it works at.
    pub at: &'static [Level],
    /// The lowest optimization level whose pipeline has it.
    pub from: OptLevel,
    /// The level it brings a unit down to: a lowering, which always runs.
    pub lowers_to: Option<Level>,
    /// Whether it looks at other units ([`Context::callee`]): then callees come before callers, one
    /// unit after the other.
    pub interprocedural: bool,
    /// Does the work.
    pub run: fn(&mut Editor<'_>, &Context<'_>),
}

impl Pass {
    /// A pass that works on one unit, from which the others differ in a field or two.
    pub const fn new(name: &'static str, summary: &'static str, run: fn(&mut Editor<'_>, &Context<'_>)) -> Pass {
        Pass { name, summary, at: &[Level::H], from: OptLevel::O1, lowers_to: None, interprocedural: false, run }
    }
}

/// The answers to the questions of a pass about the compilation.
#[derive(Clone, Copy, Default)]
pub struct Context<'a> {
    /// The optimization level.
    pub level: OptLevel,
    /// The other units; the one being edited is not among them.
    pub(crate) units: &'a [Option<Unit>],
    /// The source statements, for the locations of run-time errors.
    pub(crate) infos: Option<&'a StmtInfos>,
    /// The counts of a previous run.
    pub(crate) feedback: Option<&'a Feedback>,
    /// Whether the program may run on several ranks.
    pub(crate) hpf: bool,
    /// The iterations of a strip of a sweep; 0 leaves them to the runtime.
    pub(crate) strip: u32,
    /// Whether ranks execute the iterations of a nest in order, even if elements for some of them are on their way.
    pub(crate) in_order: bool,
    /// The rules of real arithmetic that need not hold.
    pub(crate) arithmetic: Arithmetic,
    /// Whether an instruction takes any displacement of 32 bits.
    pub(crate) displaces_far: bool,
    /// The registers for arguments that the entry of a procedure has; 0 if there are no entries.
    pub(crate) entry_registers: usize,
    /// The bytes of the longest vectors: 16 or 32.
    pub(crate) vector_bytes: usize,
    /// Whether the processor divides 64 bytes in the time of 32.
    pub(crate) divides_long: bool,
    /// Whether an instruction for the greater of two reals keeps NaNs: code generation finds the greatest of numbers without a sign with it.
    pub(crate) keeps_nans: bool,
}

impl<'a> Context<'a> {
    /// A compilation of a single unit at `level`.
    pub fn alone(level: OptLevel) -> Context<'a> {
        Context {
            level,
            units: &[],
            infos: None,
            feedback: None,
            hpf: false,
            strip: 0,
            in_order: false,
            arithmetic: Arithmetic::default(),
            displaces_far: true,
            entry_registers: 6,
            vector_bytes: 16,
            divides_long: false,
            keeps_nans: false,
        }
    }

    /// `file:line` of a source statement.
    pub fn location(&self, serial: Serial) -> Option<String> {
        let infos = self.infos?;
        let info = infos.stmts.get(serial)?;
        let file = infos.files.get(info.file as usize)?;
        Some(format!("{}:{}", file.path, info.line))
    }

    /// The unit of this compilation whose linker symbol is `symbol`; not the one that is being edited.
    pub fn callee(&self, symbol: &str) -> Option<&'a Unit> {
        self.units.iter().flatten().find(|u| u.symbol() == symbol)
    }
}

/// The units of `program` with callees before callers, as far as calls are not recursive.
pub(crate) fn bottom_up(program: &Program) -> Vec<usize> {
    let by_symbol: std::collections::BTreeMap<&str, usize> =
        program.units.iter().enumerate().map(|(i, u)| (u.symbol(), i)).collect();
    let callees: Vec<Vec<usize>> = program
        .units
        .iter()
        .map(|u| u.procs().filter_map(|(_, p)| by_symbol.get(p.symbol.as_str()).copied()).collect())
        .collect();
    let mut order = Vec::with_capacity(callees.len());
    let mut seen = vec![false; callees.len()];
    for root in 0..callees.len() {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        // Iterative post-order: call chains are as long as the user's program makes them.
        let mut stack = vec![(root, 0)];
        while let Some((unit, next)) = stack.pop() {
            match callees[unit].get(next) {
                Some(&callee) => {
                    stack.push((unit, next + 1));
                    if !std::mem::replace(&mut seen[callee], true) {
                        stack.push((callee, 0));
                    }
                }
                None => order.push(unit),
            }
        }
    }
    order
}
