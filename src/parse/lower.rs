//! The second floor: from the AST to VH, one unit a procedure.
//!
//! [`unit::lower`] makes a [`trueline_ir::Unit`] of every procedure of the compilation, in source order. [`Lower`] is the
//! state of one procedure. Its methods for expressions, statements, calls and input/output stand in the folders of those names.
//!
//! **Invariants:** lowering reads the declarations and never changes them; every statement it pushes
//! has the set of one source statement; what the source does wrong is a diagnostic and the statement is
//! left out, so that all errors of a file are found in one run.

#[cfg(test)]
mod agreement;
pub(crate) mod array;
pub(crate) mod bridges;
pub(crate) mod call;
pub(crate) mod chars;
pub(crate) mod check;
pub(crate) mod control;
pub(crate) mod declared;
pub(crate) mod emit;
pub(crate) mod entry;
pub(crate) mod expr;
pub(crate) mod float_exceptions;
pub(crate) mod intrinsic;
pub(crate) mod io;
pub(crate) mod memory;
pub(crate) mod params;
pub(crate) mod run_checks;
pub(crate) mod stmt;
pub(crate) mod symbols;
pub(crate) mod unit;
pub(crate) mod values;

use crate::lower::emit::Emit;
use crate::lower::values::Binding;
use crate::lower::values::Descriptor;
use crate::lower::values::{Failed, Lowered};
use crate::sema::check::Checked;
use crate::sema::check::purity::Purity;
use crate::sema::scope::facts::Facts;
use crate::sema::scope::symbol::{Symbol, SymbolId, SymbolKind};
use crate::sema::scope::{Declarations, ScopeId};
use crate::sema::typed::Typing;
use crate::sema::typed::call::Site;
use rustc_hash::FxHashMap;
use trueline_diag::{Diagnostic, Diagnostics, Severity, SourceMap, Span};
use trueline_ir::{Builder, Expr, Label, Sym};
use trueline_provenance::Serial;
use trueline_syntax::Name;
use trueline_syntax::ast::{Ast, BlockId, Ident, StmtId, UnitId};

/// What lowering is told.
pub(crate) struct Context<'a> {
    /// The declarations.
    pub(crate) decls: &'a Declarations<'a>,
    /// The source statements.
    pub(crate) serials: &'a crate::sema::infos::Serials,
    /// The files.
    pub(crate) map: &'a SourceMap,
    /// Whether subscripts are checked at run time.
    pub(crate) check_bounds: bool,
    /// What is known of all procedures.
    pub(crate) facts: Facts,
    /// The mappings of arrays.
    pub(crate) mappings: &'a crate::sema::mapping::Mappings,
    /// The directives of each unit.
    pub(crate) directives: &'a crate::sema::check::directives::Directives,
    /// Calls of procedures of which nothing else is known, in any order.
    pub(crate) calls: std::sync::Mutex<Vec<crate::sema::check::consistency::ImplicitCall>>,
}

/// The state of lowering one procedure.
pub(crate) struct Lower<'a, 'd> {
    /// Where IR goes.
    pub(crate) e: Emit<'a>,
    pub(crate) cx: &'a Context<'a>,
    pub(crate) diags: &'d mut Diagnostics,
    /// The scope whose names are meant, and its file.
    pub(crate) scope: ScopeId,
    pub(crate) ast: &'a Ast,
    pub(crate) unit: UnitId,
    /// The procedure's own scope, which `scope` is except inside declarations of others.
    pub(crate) home: ScopeId,
    /// The IR symbols of variables.
    pub(crate) bindings: FxHashMap<SymbolId, Binding>,
    /// The pointees of Cray pointers, but for the register that has their address.
    pub(crate) pointees: FxHashMap<SymbolId, trueline_ir::SymData>,
    /// The pieces of the stack that equivalenced variables share.
    pub(crate) overlays: FxHashMap<SymbolId, Sym>,
    /// The flags of optional dummy arguments.
    pub(crate) present: FxHashMap<SymbolId, Sym>,
    /// Whether everything that is declared at entry is.
    pub(crate) has_entered: bool,
    /// Allocatables that called procedures may change.
    pub(crate) shared: Vec<Descriptor>,
    /// The symbols of components.
    /// One temporary may hold structures of different types in turn.
    pub(crate) components: FxHashMap<(Sym, Option<crate::sema::types::structure::StructureId>, usize), Sym>,
    /// The descriptors of symbols behind one.
    pub(crate) descriptors: FxHashMap<Sym, Descriptor>,
    /// The components behind descriptors that the statement has loaded, with the block where.
    pub(crate) loaded: FxHashMap<crate::lower::values::Words, (trueline_ir::Block, Sym, Descriptor)>,
    /// Allocatables that the procedure frees on the way out.
    pub(crate) owned_variables: Vec<(Sym, Descriptor)>,
    /// Structures whose allocatable components the procedure frees on the way out.
    pub(crate) owned_structures: Vec<(Sym, crate::sema::types::structure::StructureId)>,
    /// Names that stand for values here.
    pub(crate) hidden: crate::lower::values::Hidden,
    /// What the names of the ASSOCIATEs around stand for; none after an error.
    pub(crate) associates: FxHashMap<SymbolId, Option<crate::lower::values::Associate>>,
    /// The register of the function's result and the memory that the result variable is in, if it is in memory.
    pub(crate) result_copy: Option<(Sym, Sym)>,
    /// The registers of the memory that BLOCKs take.
    pub(crate) block_memory: FxHashMap<SymbolId, Sym>,
    /// The DO variables of the loops around, with the place of the DO.
    pub(crate) active: Vec<(SymbolId, Span)>,
    /// The stored mask of the assignment in a WHERE that is being lowered: an elemental function is called where it holds.
    pub(crate) masking: Option<Expr>,
    /// The dummy procedures of the interface that a call looks at, and what is passed for them.
    pub(crate) passed_procedures: Vec<(SymbolId, SymbolId)>,
    /// Locals of a called function whose form is being found.
    pub(crate) local_forms: Vec<SymbolId>,
    /// How many DO CONCURRENTs are around.
    pub(crate) concurrent_depth: u32,
    /// Whether a variable of TYPE(*) may stand here.
    pub(crate) takes_any_type: bool,
    /// How many FORALLs are around.
    pub(crate) forall_depth: u32,
    /// Whether a FORALL around has another one in it: subscripts are not checked there, because the checks would have to
    /// run before the values of all iterations of both.
    pub(crate) nested_forall: bool,
    /// The constructs around.
    pub(crate) constructs: Vec<Construct>,
    /// The blocks around, as jumps see them.
    pub(crate) blocks: Vec<BlockId>,
    /// The labels of the procedure.
    pub(crate) labels: FxHashMap<u32, LabelInfo>,
    /// Registers whose memory is given back on the way out.
    pub(crate) owned: Vec<Sym>,
    /// Statement functions being expanded, so that one that uses itself is found.
    pub(crate) expanding: Vec<SymbolId>,
    /// How many statement functions were expanded.
    pub(crate) expansions: usize,
    /// How many array constructors around are being counted.
    pub(crate) counting: u32,
    /// Types of expressions, found without lowering them.
    pub(crate) types: crate::sema::typed::Types,
    /// What functions returned in allocatable memory, which ends with the statement.
    pub(crate) results: rustc_hash::FxHashSet<Sym>,
    /// Default content and ownership tables of derived types, in static memory.
    pub(crate) initials: FxHashMap<crate::sema::types::structure::StructureId, Sym>,
    pub(crate) tables: FxHashMap<crate::sema::types::structure::StructureId, Sym>,
    /// The register with the address of the procedure, of the call through a pointer that is being made.
    pub(crate) callee: Option<Sym>,
    /// Within an operation of constants, whose value is looked at as a whole.
    pub(crate) in_constant: bool,
    /// The source statement being lowered.
    pub(crate) serial: Serial,
    /// Labels that ASSIGN gives a number, in source order.
    pub(crate) assigned: Vec<u32>,
    /// With `-fcheck=recursion`, says that the procedure is active.
    pub(crate) is_running: Option<Sym>,
    /// The blocks that jumps enter from outside.
    pub(crate) open: crate::sema::infos::open_blocks::Open,
    /// Where the ENTRY statements are.
    pub(crate) entries: FxHashMap<StmtId, Label>,
}

/// A construct that EXIT or CYCLE may name.
pub(crate) struct Construct {
    /// Its name.
    pub(crate) name: Option<Name>,
    /// Whether it is a loop.
    pub(crate) is_loop: bool,
    /// Where EXIT goes, once one is there.
    pub(crate) exit: Option<Label>,
    /// Where CYCLE goes, once one is there.
    pub(crate) cycle: Option<Label>,
    /// The temporaries that there are around it.
    pub(crate) temps: crate::lower::emit::TempScope,
}

/// A statement label.
pub(crate) struct LabelInfo {
    /// The IR label; none as long as nothing jumps there.
    pub(crate) label: Option<Label>,
    /// The statement.
    pub(crate) stmt: StmtId,
    /// The blocks that a jump must stand in: the innermost block around the label.
    pub(crate) block: BlockId,
    /// Whether one can jump to it: not a FORMAT, not an ELSE or CASE.
    pub(crate) executable: bool,
    /// Where it is defined.
    pub(crate) span: Span,
}

impl<'a> std::ops::Deref for Lower<'a, '_> {
    type Target = Emit<'a>;
    fn deref(&self) -> &Emit<'a> {
        &self.e
    }
}

impl std::ops::DerefMut for Lower<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.e
    }
}

impl<'a, 'd> Lower<'a, 'd> {
    pub(crate) fn new(
        cx: &'a Context<'a>,
        scope: ScopeId,
        unit: UnitId,
        b: Builder,
        diags: &'d mut Diagnostics,
    ) -> Self {
        let serial = b.serial();
        Lower {
            e: Emit::new(b, cx.map),
            cx,
            diags,
            scope,
            ast: cx.decls.ast(scope),
            unit,
            home: scope,
            bindings: FxHashMap::default(),
            pointees: FxHashMap::default(),
            overlays: FxHashMap::default(),
            present: FxHashMap::default(),
            has_entered: false,
            shared: Vec::new(),
            components: FxHashMap::default(),
            descriptors: FxHashMap::default(),
            loaded: FxHashMap::default(),
            owned_variables: Vec::new(),
            owned_structures: Vec::new(),
            hidden: crate::lower::values::Hidden::default(),
            associates: FxHashMap::default(),
            result_copy: None,
            block_memory: FxHashMap::default(),
            active: Vec::new(),
            masking: None,
            passed_procedures: Vec::new(),
            local_forms: Vec::new(),
            concurrent_depth: 0,
            takes_any_type: false,
            forall_depth: 0,
            nested_forall: false,
            constructs: Vec::new(),
            blocks: Vec::new(),
            labels: FxHashMap::default(),
            owned: Vec::new(),
            expanding: Vec::new(),
            is_running: None,
            expansions: 0,
            counting: 0,
            types: crate::sema::typed::Types::default(),
            results: rustc_hash::FxHashSet::default(),
            initials: FxHashMap::default(),
            tables: FxHashMap::default(),
            callee: None,
            in_constant: false,
            serial,
            assigned: Vec::new(),
            open: crate::sema::infos::open_blocks::Open::default(),
            entries: FxHashMap::default(),
        }
    }

    /// From now on statements stand for `serial`, which begins at `span`.
    pub(crate) fn set_source_at(&mut self, serial: Serial, span: Span) {
        self.serial = serial;
        self.e.set_source(serial, span, self.cx.serials.regions_around(serial));
    }

    /// From now on statements stand for the AST statement `s`, if it is one of its own.
    pub(crate) fn set_source_stmt(&mut self, s: StmtId) {
        let index = self.cx.decls.scopes[self.home].ast;
        let serial = self.cx.serials.of_stmt(index, s).unwrap_or(self.serial);
        self.set_source_at(serial, self.ast.stmt(s).span);
    }

    /// Reports an error.
    pub(crate) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Failed {
        self.report(Diagnostic::error(code, span, message))
    }

    /// Reports a diagnostic.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        self.diags.push(diagnostic);
        Failed
    }

    /// Reports the finding of a check, if there is one. A warning is no failure.
    pub(crate) fn passed_check(&mut self, checked: Checked) -> Lowered<()> {
        let Err(d) = checked else { return Ok(()) };
        let is_error = d.severity == Severity::Error;
        let failed = self.report(d);
        if is_error { Err(failed) } else { Ok(()) }
    }

    /// The question for actual arguments and variables that stand here.
    pub(crate) fn site(&mut self) -> Site<'_, 'a> {
        let function = self.expanding.last().copied();
        Site {
            decls: self.cx.decls,
            ast: self.ast,
            home: self.home,
            values: self.hidden.names(),
            active: &self.active,
            typing: Typing::new(self.cx.decls, self.scope, function, &mut self.types),
        }
    }

    /// The check of statements and calls that have to be PURE.
    pub(crate) fn purity(&mut self) -> Purity<'_, 'a> {
        let (decls, ast, home) = (self.cx.decls, self.ast, self.home);
        Purity { decls, ast, home, is_concurrent: self.concurrent_depth > 0, typing: self.typing() }
    }

    /// A feature that this version does not have.
    pub(crate) fn unsupported(&mut self, span: Span, what: &str) -> Failed {
        let message = format!("{what} not supported yet");
        self.error("T0599", span, message)
    }

    /// What a name stands for, where it is visible: in the body of a statement function its arguments,
    /// then what the scope knows. Where nobody declares an intrinsic's name, it is the intrinsic's.
    pub(crate) fn resolve(&self, name: Name) -> Option<SymbolId> {
        if let Some(&function) = self.expanding.last()
            && let SymbolKind::StatementFunction { dummies, .. } = &self.symbol(function).kind
            && let Some(&dummy) = dummies.iter().find(|&&d| self.symbol(d).name == self.ast.name(name))
        {
            return Some(dummy);
        }
        self.cx.decls.visible(self.scope, name)
    }

    /// What a name stands for; the declarations know every name that the source mentions.
    pub(crate) fn resolve_at(&mut self, name: Name, span: Span) -> Lowered<SymbolId> {
        match self.resolve(name) {
            Some(id) if self.cx.decls.symbols[id].kind == SymbolKind::Error => Err(Failed),
            Some(id) => Ok(id),
            None if crate::sema::intrinsic::visible(self.ast.name(name)).is_some() => {
                let message = format!("The intrinsic procedure '{}' is used as a variable", self.ast.name(name));
                Err(self.error("T0500", span, message))
            }
            // Reported by the declarations (IMPLICIT NONE).
            None => {
                let message = format!("'{}' is not declared", self.ast.name(name));
                Err(self.error("T0501", span, message))
            }
        }
    }

    /// The question for types of expressions that stand here.
    pub(crate) fn typing(&mut self) -> Typing<'_, 'a> {
        let function = self.expanding.last().copied();
        Typing::new(self.cx.decls, self.scope, function, &mut self.types)
    }

    /// A symbol of the declarations.
    pub(crate) fn symbol(&self, id: SymbolId) -> &'a Symbol {
        &self.cx.decls.symbols[id]
    }

    /// The spelling of an identifier.
    pub(crate) fn text_of_ident(&self, ident: Ident) -> &'a str {
        self.ast.name(ident.name)
    }

    /// Gives owned memory back and returns.
    pub(crate) fn leave(&mut self) {
        if let Some((register, memory)) = self.result_copy {
            let value = self.e.var(memory);
            self.e.set(register, value);
        }
        self.unguard_recursion();
        self.free_owned();
        for base in self.owned.clone() {
            let base = self.e.var(base);
            self.e.call_rt(trueline_ir::Rt::Deallocate, &[base]);
        }
        self.e.push(trueline_ir::Head::Return);
    }

    /// The value of an expression that must be an integer constant.
    pub(crate) fn known(&self, e: Expr) -> Option<i64> {
        self.e.pool().as_int(e)
    }
}
