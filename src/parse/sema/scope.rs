//! Scopes: which names are visible where.
//!
//! ```text
//! global names ◀─ module ◀─ module procedure ◀─ internal procedure      (host association: `parent`)
//!                   ▲
//!                   └── USE puts the module's own symbols into the names of the importing scope
//! ```
//!
//! An interface body has no parent: the standard hides the host from it. Statement functions,
//! FORALL indices and implied-DO variables make no scope: their names are declared (or implicitly
//! typed) in the scope around them, and lowering gives each such use a register of its own.

pub mod facts;
pub(crate) mod hpf_library;
pub(crate) mod nearest;
pub mod nested;
pub(crate) mod operators;
pub(crate) mod resolve;
pub(crate) mod spellings;
pub mod symbol;

use crate::Options;
use crate::scope::spellings::{Spelling, Spellings};
pub use crate::scope::symbol::ScopeId;
use crate::scope::symbol::{Extent, ProcedureClass, StaticData, StaticId, Symbol, SymbolId, SymbolKind};
use crate::types::structure::{Structure, StructureId};
use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_diag::Span;
use trueline_ir::Type;
use trueline_syntax::Name;
use trueline_syntax::ast::{Ast, StmtId, UnitId};

/// The kind of a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    /// The names of modules, external procedures and the main program.
    Global,
    /// A main program.
    Program,
    /// A module.
    Module,
    /// An external, module or internal procedure.
    Procedure,
    /// A BLOCK DATA unit.
    BlockData,
    /// The body of an interface.
    Interface,
    /// A construct with names of its own: BLOCK, ASSOCIATE, FORALL, DO CONCURRENT.
    Construct,
}

/// The type that names starting with each letter have by default; none under IMPLICIT NONE.
#[derive(Clone, PartialEq, Debug)]
pub struct ImplicitRules {
    types: [Option<Implied>; 26],
}

/// The type that the first letter of a name gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Implied {
    /// The type; characters for a derived type.
    pub ty: Type,
    /// The character length. The size of a derived type is known when its definition has been read.
    pub len: Extent,
    /// The derived type.
    pub structure: Option<StructureId>,
}

impl Implied {
    /// Gives the type to a symbol.
    pub fn give(self, symbol: &mut Symbol) {
        symbol.ty = Some(self.ty);
        symbol.len = self.len;
        symbol.structure = self.structure;
    }
}

impl Default for ImplicitRules {
    /// `I` to `N` integer, the others real.
    fn default() -> ImplicitRules {
        let of = |k: usize| if (8..=13).contains(&k) { Type::I4 } else { Type::R4 };
        let implied = |k| Implied { ty: of(k), len: Extent::Known(1), structure: None };
        ImplicitRules { types: std::array::from_fn(|k| Some(implied(k))) }
    }
}

impl ImplicitRules {
    /// IMPLICIT NONE.
    pub fn none() -> ImplicitRules {
        ImplicitRules { types: [None; 26] }
    }

    /// The type of `name`.
    fn of(&self, name: &str) -> Option<Implied> {
        let first = name.bytes().next()?;
        match first {
            b'a'..=b'z' => self.types[usize::from(first - b'a')],
            _ => None,
        }
    }

    /// Sets the letters `from` to `to`, lower case.
    pub fn set(&mut self, from: u8, to: u8, implied: Implied) {
        for letter in from..=to {
            if let Some(slot) = letter.checked_sub(b'a').and_then(|k| self.types.get_mut(usize::from(k))) {
                *slot = Some(implied);
            }
        }
    }
}

/// A scope.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The kind.
    pub kind: ScopeKind,
    /// The host, whose names are visible.
    pub parent: Option<ScopeId>,
    /// The scope that an interface body stands in, whose names IMPORT makes visible.
    pub host: Option<ScopeId>,
    /// Index of the AST its text is in.
    pub ast: usize,
    /// The program unit in that AST; none for the global scope and for interface bodies.
    pub unit: Option<UnitId>,
    /// The construct that it is of.
    pub construct: Option<StmtId>,
    /// The procedure, module or program that it is of.
    pub symbol: Option<SymbolId>,
    /// The names that are declared here or imported by USE. Never iterated.
    pub names: FxHashMap<Spelling, SymbolId>,
    /// The symbols that belong to this scope, in the order of their first appearance.
    pub own: Vec<SymbolId>,
    /// The names that came by USE, in the order of import.
    pub used: Vec<(Box<str>, SymbolId)>,
    /// The ENTRY statements of a procedure and the procedures that they are, in source order.
    pub entries: Vec<(StmtId, SymbolId)>,
    /// The contained procedures, in source order.
    pub children: Vec<ScopeId>,
    /// The implicit typing rules.
    pub implicit: ImplicitRules,
    /// The IMPLICIT NONE of this scope.
    pub implicit_none: Option<Span>,
    /// The IMPLICIT NONE (EXTERNAL) of this scope.
    pub no_external: Option<Span>,
    /// The places where IMPLICIT statements of this scope give each letter its type.
    pub implicit_letters: [Option<Span>; 26],
    /// Host variables that the statements of an internal procedure (or of one it contains) mention,
    /// in the order of first mention.
    pub captured: Vec<SymbolId>,
    /// The linker symbols that BIND(C) gives to COMMON blocks.
    pub common_labels: FxHashMap<Box<str>, String>,
    /// SAVE without a list.
    pub save_all: bool,
    /// PRIVATE without a list, in a module.
    pub private: bool,
    /// The PUBLIC or PRIVATE without a list.
    pub default_access: Option<Span>,
    /// The access that PUBLIC (true) and PRIVATE statements of a module give a name, with their places.
    pub access: FxHashMap<Box<str>, (bool, Span)>,
    /// The names of a module that its users do not see.
    pub hidden: FxHashSet<Box<str>>,
    /// Names that USE imports from several modules with different meanings.
    pub ambiguous: FxHashMap<Box<str>, (SymbolId, SymbolId)>,
    /// Whether a USE names a module that is not known: names that are not known may be its.
    pub lacks_module: bool,
}

impl Scope {
    /// A scope without names.
    pub fn new(kind: ScopeKind, parent: Option<ScopeId>, ast: usize) -> Scope {
        Scope {
            kind,
            parent,
            host: None,
            ast,
            unit: None,
            construct: None,
            symbol: None,
            names: FxHashMap::default(),
            own: Vec::new(),
            used: Vec::new(),
            entries: Vec::new(),
            children: Vec::new(),
            implicit: ImplicitRules::default(),
            implicit_none: None,
            no_external: None,
            implicit_letters: [None; 26],
            captured: Vec::new(),
            common_labels: FxHashMap::default(),
            save_all: false,
            private: false,
            default_access: None,
            access: FxHashMap::default(),
            hidden: FxHashSet::default(),
            ambiguous: FxHashMap::default(),
            lacks_module: false,
        }
    }
}

/// The results of all declarations of a compilation, which lowering reads.
pub struct Declarations<'a> {
    /// The options of the command line.
    pub options: Options,
    /// The files.
    pub asts: &'a [Ast],
    /// The names of all files.
    pub spellings: Spellings,
    /// All symbols.
    pub symbols: PrimaryMap<SymbolId, Symbol>,
    /// All scopes.
    pub scopes: PrimaryMap<ScopeId, Scope>,
    /// All derived types.
    pub structures: PrimaryMap<StructureId, Structure>,
    /// C_PTR and C_FUNPTR, once ISO_C_BINDING is used.
    pub c_types: Option<(StructureId, StructureId)>,
    /// All static memory.
    pub statics: PrimaryMap<StaticId, StaticData>,
    /// The length of a module's CHARACTER variable of deferred length: a variable of its own, as gfortran has it.
    pub lengths: FxHashMap<StaticId, StaticId>,
    /// The global scope.
    pub global: ScopeId,
    /// The main program.
    pub main: Option<SymbolId>,
    /// Internal procedures that are passed as arguments.
    pub closures: FxHashSet<SymbolId>,
    /// Internal procedures whose address a pointer may hold.
    pub pointed: FxHashSet<SymbolId>,
    /// Whether an interface defines an operator or an assignment.
    pub has_operators: bool,
    /// The scope of each program unit, by AST.
    pub unit_scopes: Vec<FxHashMap<UnitId, ScopeId>>,
    /// The scopes of constructs that have one, by AST.
    pub construct_scopes: Vec<FxHashMap<StmtId, ScopeId>>,
    /// Names already reported as undeclared.
    pub reported: FxHashSet<(ScopeId, Box<str>)>,
}

impl<'a> Declarations<'a> {
    /// No declarations yet.
    pub fn new(asts: &'a [Ast], options: Options) -> Declarations<'a> {
        let mut scopes = PrimaryMap::new();
        let global = scopes.push(Scope::new(ScopeKind::Global, None, 0));
        Declarations {
            options,
            asts,
            spellings: Spellings::new(asts),
            symbols: PrimaryMap::new(),
            scopes,
            structures: PrimaryMap::new(),
            c_types: None,
            statics: PrimaryMap::new(),
            lengths: FxHashMap::default(),
            global,
            main: None,
            closures: FxHashSet::default(),
            pointed: FxHashSet::default(),
            has_operators: false,
            unit_scopes: vec![FxHashMap::default(); asts.len()],
            construct_scopes: vec![FxHashMap::default(); asts.len()],
            reported: FxHashSet::default(),
        }
    }

    /// Whether two derived types are one: the same, or SEQUENCE types of the same name and layout.
    pub fn same_type(&self, a: StructureId, b: StructureId) -> bool {
        let (x, y) = (&self.structures[a], &self.structures[b]);
        a == b || (x.sequence && y.sequence && x.name == y.name && x.size == y.size)
    }

    /// The AST of a scope.
    pub fn ast(&self, scope: ScopeId) -> &'a Ast {
        &self.asts[self.scopes[scope].ast]
    }

    /// The scope of a program unit.
    pub fn unit_scope(&self, ast: usize, unit: UnitId) -> Option<ScopeId> {
        self.unit_scopes[ast].get(&unit).copied()
    }

    /// The program units of all files with their scopes, in source order.
    pub fn units(&self) -> Vec<(ScopeId, UnitId)> {
        let mut units = Vec::new();
        for (index, ast) in self.asts.iter().enumerate() {
            let mut todo: Vec<UnitId> = ast.program.iter().rev().copied().collect();
            while let Some(id) = todo.pop() {
                todo.extend(ast.units[id].contained.iter().rev());
                units.extend(self.unit_scope(index, id).map(|scope| (scope, id)));
            }
        }
        units
    }

    /// The type that the rules of `scope` give `name`.
    pub fn implied(&self, scope: ScopeId, name: &str) -> Option<Implied> {
        let implied = self.scopes[scope].implicit.of(name)?;
        let len = implied.structure.map_or(implied.len, |id| Extent::Known(self.structures[id].size));
        Some(Implied { len, ..implied })
    }

    /// The symbol of `name` in `scope`: its own and imported names, then those of its hosts. Global
    /// names (external procedures, modules) are not visible this way.
    pub fn lookup(&self, scope: ScopeId, name: &str) -> Option<SymbolId> {
        self.find(scope, self.spellings.find(name)?)
    }

    /// The symbol of a name of the file of `scope`, as by [`Declarations::lookup`].
    pub fn named(&self, scope: ScopeId, name: Name) -> Option<SymbolId> {
        self.find(scope, self.spellings.of(self.scopes[scope].ast, name))
    }

    /// The same, or a global name that is no intrinsic procedure's.
    pub fn visible(&self, scope: ScopeId, name: Name) -> Option<SymbolId> {
        self.named(scope, name).or_else(|| {
            let text = self.ast(scope).name(name);
            self.lookup_global(text).filter(|_| crate::intrinsic::visible(text).is_none())
        })
    }

    fn find(&self, scope: ScopeId, name: Spelling) -> Option<SymbolId> {
        let mut at = Some(scope);
        while let Some(s) = at {
            if let Some(&symbol) = self.scopes[s].names.get(&name) {
                return Some(symbol);
            }
            at = self.scopes[s].parent;
        }
        None
    }

    /// The symbol of `name` in `scope` itself, its hosts left aside.
    pub fn lookup_local(&self, scope: ScopeId, name: &str) -> Option<SymbolId> {
        self.scopes[scope].names.get(&self.spellings.find(name)?).copied()
    }

    /// A global name: a module, an external procedure that this compilation defines or calls.
    pub fn lookup_global(&self, name: &str) -> Option<SymbolId> {
        self.lookup_local(self.global, name)
    }

    /// Makes `name` stand for a symbol in a scope, whatever it stood for.
    pub fn set_name(&mut self, scope: ScopeId, name: &str, id: SymbolId) {
        let name = self.spellings.intern(name);
        self.scopes[scope].names.insert(name, id);
    }

    /// Makes `name` stand for a symbol in a scope if it stands for nothing there.
    pub fn set_new_name(&mut self, scope: ScopeId, name: &str, id: SymbolId) {
        let name = self.spellings.intern(name);
        self.scopes[scope].names.entry(name).or_insert(id);
    }

    /// Enters a symbol under its own name into the scope that owns it.
    pub fn enter(&mut self, symbol: Symbol) -> SymbolId {
        let scope = symbol.scope;
        let name = self.spellings.intern(&symbol.name);
        let id = self.symbols.push(symbol);
        self.scopes[scope].names.insert(name, id);
        self.scopes[scope].own.push(id);
        id
    }

    /// Whether a symbol is the name of an intrinsic procedure, whatever type a declaration gives it.
    pub fn is_intrinsic_name(&self, id: SymbolId) -> bool {
        let symbol = &self.symbols[id];
        match &symbol.kind {
            SymbolKind::Procedure(p) => p.class == ProcedureClass::Intrinsic,
            // `REAL SQRT` only confirms the type of the intrinsic, as long as nothing else is said.
            SymbolKind::Unknown => {
                !symbol.is_array()
                    && !symbol.attrs.external
                    && crate::intrinsic::visible(&symbol.name).is_some()
                    && !self.options.rules.lacks_intrinsic(&symbol.name)
            }
            _ => false,
        }
    }

    /// Whether a symbol is a variable of a host of `scope`: reachable, but neither its own nor a
    /// module's.
    pub fn is_captured(&self, scope: ScopeId, symbol: SymbolId) -> bool {
        let owner = self.symbols[symbol].scope;
        owner != self.unit_around(scope) && matches!(self.scopes[owner].kind, ScopeKind::Program | ScopeKind::Procedure)
    }
}
