//! Source statements (HPF profiling paper, section 3.1).

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, entity_impl};

/// The serial number of a source statement: the atom of provenance. Numbered in source order over
/// all files of a compilation, the same at every optimization level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Serial(u32);
entity_impl!(Serial, "@");

/// The kind of a source statement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum StmtKind {
    Program,
    Procedure,
    Do,
    DoWhile,
    /// The one-line logical IF.
    IfLog,
    IfArith,
    IfBlock,
    ElseIf,
    Else,
    Select,
    Case,
    Forall,
    Where,
    Elsewhere,
    ArrayAssign,
    Assign,
    Call,
    Io,
    Goto,
    Return,
    Stop,
    Directive,
    /// Anything else that executes: ALLOCATE, DEALLOCATE, NULLIFY …
    Other,
}

impl StmtKind {
    /// Every kind, with its name in reports and in the profile.
    pub const NAMES: &'static [(StmtKind, &'static str)] = &[
        (StmtKind::Program, "program"),
        (StmtKind::Procedure, "procedure"),
        (StmtKind::Do, "do"),
        (StmtKind::DoWhile, "do_while"),
        (StmtKind::IfLog, "if_log"),
        (StmtKind::IfArith, "if_arith"),
        (StmtKind::IfBlock, "if_block"),
        (StmtKind::ElseIf, "elseif"),
        (StmtKind::Else, "else"),
        (StmtKind::Select, "select"),
        (StmtKind::Case, "case"),
        (StmtKind::Forall, "forall"),
        (StmtKind::Where, "where"),
        (StmtKind::Elsewhere, "elsewhere"),
        (StmtKind::ArrayAssign, "array_assign"),
        (StmtKind::Assign, "assign"),
        (StmtKind::Call, "call"),
        (StmtKind::Io, "io"),
        (StmtKind::Goto, "goto"),
        (StmtKind::Return, "return"),
        (StmtKind::Stop, "stop"),
        (StmtKind::Directive, "directive"),
        (StmtKind::Other, "other"),
    ];

    /// The name in reports and in the profile.
    pub fn name(self) -> &'static str {
        StmtKind::NAMES.iter().find(|(k, _)| *k == self).map_or("other", |(_, n)| n)
    }

    /// The kind with that name.
    pub fn by_name(name: &str) -> Option<StmtKind> {
        StmtKind::NAMES.iter().find(|(_, n)| *n == name).map(|(k, _)| *k)
    }

    /// A loop of the source.
    pub fn is_loop(self) -> bool {
        matches!(self, StmtKind::Do | StmtKind::DoWhile)
    }

    /// A conditional of the source.
    pub fn is_conditional(self) -> bool {
        matches!(self, StmtKind::IfLog | StmtKind::IfArith | StmtKind::IfBlock | StmtKind::ElseIf | StmtKind::Select)
    }

    /// Always profiled as a region (docs/provenance.md, rows 19 to 21): its loops are the compiler's.
    pub fn is_region(self) -> bool {
        matches!(self, StmtKind::Forall | StmtKind::Where | StmtKind::ArrayAssign)
    }

    /// A procedure or the main program.
    pub fn is_procedure(self) -> bool {
        matches!(self, StmtKind::Program | StmtKind::Procedure)
    }

    /// Whether statements of this kind are profiled: procedures, loops, conditionals, array
    /// assignments, WHERE and FORALL (HPF profiling paper, section 2).
    pub fn is_profiled(self) -> bool {
        self.is_procedure() || self.is_loop() || self.is_conditional() || self.is_region()
    }
}

/// One statement of the source, as it stood before any optimization.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StmtInfo {
    /// Index into [`StmtInfos::files`].
    pub file: u32,
    /// First line, from 1.
    pub line: u32,
    /// Last line; for a construct, that of its END statement.
    pub end_line: u32,
    /// First column, from 1.
    pub column: u32,
    /// The enclosing statement: a construct, or the procedure.
    pub parent: PackedOption<Serial>,
    /// Its kind.
    pub kind: StmtKind,
    /// Whether it contains an array expression.
    pub is_array_expr: bool,
    /// The statement's text on one line, blanks normalised; for a procedure its name.
    pub text: String,
}

/// A source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileInfo {
    /// The path as the user gave it.
    pub path: String,
    /// The content, for annotated listings.
    pub text: Vec<u8>,
}

/// All source statements of one compilation.
#[derive(Clone, Default, Debug)]
pub struct StmtInfos {
    /// The files.
    pub files: Vec<FileInfo>,
    /// The statements, in source order.
    pub stmts: PrimaryMap<Serial, StmtInfo>,
}

/// The procedures of all source statements, by their serials.
pub struct Procedures(Vec<Option<Serial>>);

impl Procedures {
    /// As [`StmtInfos::procedure`].
    pub fn of(&self, s: Serial) -> Option<Serial> {
        self.0.get(s.as_u32() as usize).copied().flatten()
    }
}

impl StmtInfos {
    /// The statements that enclose `s`, innermost first.
    pub fn ancestors(&self, s: Serial) -> impl Iterator<Item = Serial> + '_ {
        std::iter::successors(self.stmts[s].parent.expand(), |&p| self.stmts[p].parent.expand())
    }

    /// The procedure or program that contains `s`; `s` itself when it is one.
    pub fn procedure(&self, s: Serial) -> Option<Serial> {
        std::iter::once(s).chain(self.ancestors(s)).find(|&p| self.stmts[p].kind.is_procedure())
    }

    /// The procedure of every statement: for those who ask about many, however deep they are.
    pub fn procedures(&self) -> Procedures {
        // A statement stands behind the one that it is in.
        let mut out: Vec<Option<Serial>> = Vec::with_capacity(self.stmts.len());
        for (s, info) in self.stmts.iter() {
            let around = || info.parent.expand().and_then(|p| out.get(p.as_u32() as usize).copied().flatten());
            let procedure = if info.kind.is_procedure() { Some(s) } else { around() };
            out.push(procedure);
        }
        Procedures(out)
    }

    /// The structural hash of every procedure, in source order: FNV-1a over the kinds, the nesting and the texts of
    /// its statements. Comments, blank lines and the place in the file do not matter; a statement changed does.
    pub fn structures(&self) -> Vec<(Serial, u64)> {
        let mut hashes: std::collections::BTreeMap<Serial, u64> = std::collections::BTreeMap::new();
        let procedures = self.procedures();
        for (s, info) in self.stmts.iter() {
            let Some(procedure) = procedures.of(s) else { continue };
            let hash = hashes.entry(procedure).or_insert(0xcbf2_9ce4_8422_2325);
            let up = info.parent.expand().map_or(0, |p| s.as_u32() - p.as_u32());
            for byte in info.kind.name().bytes().chain(up.to_le_bytes()).chain(info.text.bytes()).chain([0xff]) {
                *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        hashes.into_iter().collect()
    }
}
