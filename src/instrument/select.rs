//! Selection: the constructs and figures of a profiled build.
//!
//! Counting is nearly free, so all constructs that a profile has are counted; kinds of constructs that are
//! not wanted are left out whole. Timers cost two readings of the clock each, so there are filters,
//! directives and a budget for them. Nothing here changes the program that is optimized (T1).

use rustc_hash::{FxHashMap, FxHashSet};
use trueline_abi::filter::{Filter, Subject};
use trueline_ir::Program;
use trueline_provenance::{Serial, StmtInfo, StmtInfos, StmtKind};

/// The measurements of a profiled build.
#[derive(Clone, Default, Debug)]
pub struct Selection {
    /// The phase at which counting code is moved out of loops.
    pub instrument_at: Phase,
    /// The kinds of constructs.
    pub regions: Regions,
    /// The constructs that are not timed.
    pub filter: Option<Filter>,
    /// Whether leaf procedures are timed too.
    pub leaves: bool,
    /// The most that timers may cost, as a fraction of the time; they are left out until they do not. While the program
    /// runs, timers that turn out to cost more are thinned.
    pub overhead: Option<f64>,
    /// Procedures with a lower score are not timed, if procedures are selected by their scores.
    pub threshold: u64,
    /// The depth of the calling-context tree that the program keeps: 0 for none, all ones for the whole.
    pub tree_depth: u64,
    /// Whether counters are added to atomically.
    pub atomic: bool,
    /// The most samples in a second, 0 for none; `None` for the usual number if anything is timed.
    pub samples: Option<u64>,
}

/// A point of the pipeline at which counting code is put in its place. The counts are the same at all six.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    /// Before the interprocedural optimizer.
    PreIpa,
    /// After it.
    PostIpa,
    /// Before the loop nest optimizer.
    PreLno,
    /// After it.
    PostLno,
    /// Before the global optimizer.
    PreWopt,
    /// After it.
    #[default]
    PostWopt,
}

impl Phase {
    /// Every phase, with its name on the command line and in the profile.
    pub const NAMES: [(Phase, &'static str); 6] = [
        (Phase::PreIpa, "pre-ipa"),
        (Phase::PostIpa, "post-ipa"),
        (Phase::PreLno, "pre-lno"),
        (Phase::PostLno, "post-lno"),
        (Phase::PreWopt, "pre-wopt"),
        (Phase::PostWopt, "post-wopt"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Phase::NAMES.iter().find(|(p, _)| *p == self).map_or("", |(_, n)| n)
    }

    /// The phase with that name.
    pub fn by_name(name: &str) -> Option<Phase> {
        Phase::NAMES.iter().find(|(_, n)| *n == name).map(|(p, _)| *p)
    }
}

/// A set of kinds of constructs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Regions(u16);

const PROCEDURES: u16 = 1;
const DO: u16 = 1 << 1;
const WHILE: u16 = 1 << 2;
const IF_THEN: u16 = 1 << 3;
const IF_THEN_ELSE: u16 = 1 << 4;
const TRUE: u16 = 1 << 5;
const FALSE: u16 = 1 << 6;
const SELECT: u16 = 1 << 7;
const ARRAYS: u16 = 1 << 8;
const CALLSITES: u16 = 1 << 9;
const STATEMENTS: u16 = 1 << 10;
const BRANCHES: u16 = IF_THEN | IF_THEN_ELSE | TRUE | FALSE | SELECT;

/// The words of `--regions`.
const WORDS: [(&str, u16); 15] = [
    ("procedures", PROCEDURES),
    ("loops", DO | WHILE),
    ("do", DO),
    ("while", WHILE),
    ("branches", BRANCHES),
    ("if-then", IF_THEN),
    ("if-then-else", IF_THEN_ELSE),
    ("true", TRUE),
    ("false", FALSE),
    ("select", SELECT),
    ("arrays", ARRAYS),
    ("callsites", CALLSITES),
    ("statements", STATEMENTS),
    ("default", PROCEDURES | DO | WHILE | BRANCHES | ARRAYS),
    ("all", PROCEDURES | DO | WHILE | BRANCHES | ARRAYS | CALLSITES | STATEMENTS),
];

impl Default for Regions {
    fn default() -> Regions {
        Regions::level(3)
    }
}

impl Regions {
    /// The kinds of a level: 1 procedures; 2 and loops; 3 and branches and array statements; 4 and call sites;
    /// 5 and every statement.
    pub fn level(level: u8) -> Regions {
        let mut set = PROCEDURES;
        for (at, more) in [(2, DO | WHILE), (3, BRANCHES | ARRAYS), (4, CALLSITES), (5, STATEMENTS)] {
            if level >= at {
                set |= more;
            }
        }
        Regions(set)
    }

    /// The kinds with these names.
    ///
    /// # Errors
    /// A sentence that names the first unknown one.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Regions, String> {
        let mut set = 0;
        for name in names {
            let Some((_, bits)) = WORDS.iter().find(|(word, _)| *word == name) else {
                let known: Vec<&str> = WORDS.iter().map(|(word, _)| *word).collect();
                return Err(format!("There are no regions '{name}'; there are {}", known.join(", ")));
            };
            set |= bits;
        }
        // Arms alone are those of both kinds of IF; a kind of IF alone has both arms.
        let (ifs, arms) = (IF_THEN | IF_THEN_ELSE, TRUE | FALSE);
        if set & arms != 0 && set & ifs == 0 {
            set |= ifs;
        } else if set & ifs != 0 && set & arms == 0 {
            set |= arms;
        }
        Ok(Regions(set))
    }

    fn has(self, bits: u16) -> bool {
        self.0 & bits != 0
    }

    /// Whether procedures are timed. They are always counted.
    pub(crate) fn times_procedures(self) -> bool {
        self.has(PROCEDURES)
    }

    /// Whether a construct of this kind is measured.
    pub(crate) fn selects(self, kind: StmtKind, has_else: bool) -> bool {
        match kind {
            StmtKind::Program | StmtKind::Procedure => true,
            StmtKind::Do => self.has(DO),
            StmtKind::DoWhile => self.has(WHILE),
            StmtKind::IfLog | StmtKind::IfBlock | StmtKind::ElseIf | StmtKind::IfArith => {
                self.has(if has_else { IF_THEN_ELSE } else { IF_THEN })
            }
            StmtKind::Select => self.has(SELECT),
            StmtKind::Forall | StmtKind::Where | StmtKind::ArrayAssign => self.has(ARRAYS),
            StmtKind::Call => self.has(CALLSITES | STATEMENTS),
            _ => self.counts_alone(kind),
        }
    }

    /// Whether a simple statement of this kind is counted by itself.
    pub(crate) fn counts_alone(self, kind: StmtKind) -> bool {
        match kind {
            StmtKind::Call => self.has(CALLSITES | STATEMENTS),
            StmtKind::Assign | StmtKind::Io | StmtKind::Goto | StmtKind::Return | StmtKind::Stop | StmtKind::Other => {
                self.has(STATEMENTS)
            }
            _ => false,
        }
    }

    /// Whether evaluations are counted: the arm that is not taken follows from them.
    pub(crate) fn counts_evaluations(self) -> bool {
        self.has(FALSE | SELECT)
    }
}

/// The source's own wishes about timers.
pub(crate) struct Wishes {
    /// `!$OMPI FUNCTION`: procedures that are always timed.
    forced: FxHashSet<String>,
    /// `!TL$ PROFILE OFF` to `ON`: file, and the lines between.
    off: Vec<(u32, u32, u32)>,
    /// The linker symbols of the procedures.
    symbols: FxHashMap<Serial, String>,
}

impl Wishes {
    /// Reads the directives.
    pub(crate) fn of(program: &Program) -> Wishes {
        let infos = &program.infos;
        let symbols = program.units.iter().map(|u| (u.serial(), u.symbol().to_owned())).collect();
        let mut out = Wishes { forced: FxHashSet::default(), off: Vec::new(), symbols };
        let mut open: Option<(u32, u32)> = None;
        for (_, info) in infos.stmts.iter().filter(|(_, i)| i.kind == StmtKind::Directive) {
            let words: Vec<String> =
                info.text.split([' ', ',']).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match words.as_slice() {
                [sentinel, "function", names @ ..] if sentinel.ends_with("$ompi") => {
                    let names = names.iter().filter(|n| **n != "scls");
                    out.forced.extend(names.map(|n| (*n).to_owned()));
                }
                [sentinel, "profile", "off"] if sentinel.ends_with("tl$") => {
                    open.get_or_insert((info.file, info.line));
                }
                [sentinel, "profile", "on"] if sentinel.ends_with("tl$") => {
                    if let Some((file, first)) = open.take() {
                        let last = if file == info.file { info.line } else { u32::MAX };
                        out.off.push((file, first, last));
                    }
                }
                _ => {}
            }
        }
        out.off.extend(open.map(|(file, first)| (file, first, u32::MAX)));
        out
    }

    /// Whether a procedure is always timed.
    pub(crate) fn forces(&self, procedure: &str) -> bool {
        self.forced.contains(&procedure.to_lowercase())
    }

    fn switches_off(&self, info: &StmtInfo) -> bool {
        self.off.iter().any(|&(file, first, last)| file == info.file && (first..=last).contains(&info.line))
    }
}

/// Whether no filter or directive forbids to time `s`.
pub(crate) fn may_time(s: Serial, infos: &StmtInfos, selection: &Selection, wishes: &Wishes) -> bool {
    let info = &infos.stmts[s];
    if wishes.switches_off(info) {
        return false;
    }
    let Some(filter) = &selection.filter else { return true };
    let procedure = infos.procedure(s);
    let subject = Subject {
        procedure: procedure.map_or("", |p| infos.stmts[p].text.as_str()),
        symbol: procedure.and_then(|p| wishes.symbols.get(&p)).map_or("", String::as_str),
        file: infos.files.get(info.file as usize).map_or("", |f| f.path.as_str()),
        line: info.line,
        kind: info.kind.name(),
    };
    !filter.excludes(&subject)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_names() {
        assert_eq!(Regions::named(["procedures", "loops"]).unwrap(), Regions::level(2));
        assert_eq!(Regions::named(["all"]).unwrap(), Regions::level(5));
        assert_eq!(Regions::named(["default"]).unwrap(), Regions::default());
        assert!(Regions::named(["true"]).unwrap().selects(StmtKind::IfLog, false));
        assert!(!Regions::named(["true"]).unwrap().counts_evaluations());
        assert!(!Regions::named(["if-then"]).unwrap().selects(StmtKind::IfBlock, true));
        assert!(Regions::named(["lops"]).unwrap_err().contains("loops"));
        assert!(
            Regions::level(1).selects(StmtKind::Procedure, false) && !Regions::level(1).selects(StmtKind::Do, false)
        );
    }
}
