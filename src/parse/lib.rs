//! From the AST to VH: semantic analysis and lowering.
//!
//! ```text
//! ASTs ─ declare ─▶ symbols, scopes ─ resolve ─▶ every name known ─ storage ─▶ homes, static memory
//!                                                        │                              │
//!                                                      infos ─▶ StmtInfos ── lower ─────┴─▶ units at VH
//! ```
//!
//! **Invariants:** a phase reads what the ones before it made and changes nothing of it; every error is
//! a diagnostic, and the phases go on after it, so that one run shows all of them; source statements
//! ([`trueline_provenance::StmtInfo`]) are made in `infos` and nowhere else.

mod allocate_objects;
mod arrays;
mod attributes;
mod boz;
mod bridges;
mod call;
mod call_args;
mod call_closure;
mod call_consistency;
mod call_elemental;
mod call_generic;
mod call_optional;
mod call_result;
mod call_value;
mod chars;
mod constant;
mod constant_arrays;
mod constant_bits;
mod constant_designator;
mod constant_eval;
mod constant_exact;
mod constant_intrinsics;
mod constant_math;
mod constant_ops;
mod constant_special;
mod constant_text;
mod constant_values;
mod constraints;
mod control;
mod control_array;
mod control_block;
mod control_forall;
mod control_forall_where;
mod control_open;
mod control_select;
mod cray;
mod declare;
mod declare_binding;
mod declare_block;
mod declare_constants;
mod declare_entities;
mod declare_interfaces;
mod declare_overlays;
mod declare_procedures;
mod declare_structures;
mod declare_types;
mod declared;
mod descriptor;
mod emit;
mod entry;
mod expr;
mod expr_array;
mod expr_component;
mod expr_constant;
mod expr_ref;
mod facts;
mod float_exceptions;
mod format;
mod generics;
mod globals;
mod hpf;
mod infos;
mod infos_text;
mod initial;
mod inquiry_parts;
mod interfaces;
mod intrinsics;
mod intrinsics_array;
mod intrinsics_c;
mod intrinsics_dim;
mod intrinsics_ieee;
mod intrinsics_inquiry;
mod intrinsics_kind;
mod intrinsics_locate;
mod intrinsics_lower;
mod intrinsics_range;
mod intrinsics_sub;
mod intrinsics_system;
mod intrinsics_table;
mod io;
mod io_check;
mod io_defaults;
mod io_group;
mod io_items;
mod kinds;
mod language;
mod library;
mod lower;
mod lower_entry;
mod lower_params;
mod lower_symbols;
mod modules;
mod modules_intrinsic;
mod open_blocks;
mod operators;
mod pointer_checks;
mod procedure_pointers;
mod profiling;
mod purity;
mod resolve;
mod resolve_check;
mod run_checks;
mod scope;
mod spelling;
mod spellings;
mod standard;
mod standard_use;
mod stmt;
mod stmt_memory;
mod stmt_pointer;
mod stmt_realloc;
mod stmt_structure;
mod storage;
mod storage_data;
mod storage_groups;
mod storage_pointers;
mod structure;
mod symbol;
mod visit;
mod warn;
mod warn_calls;
mod warn_types;
mod warnings;

pub use constant::{Const, ConstArray, Scalar};
pub use constant_eval::{Folded, Unfolded, WhyNot, const_eval};
pub use float_exceptions::FloatExceptions;
pub use infos::Serials;
pub use initial::{Initial, InitialReal};
pub use io_defaults::IoDefaults;
pub use kinds::{Category, common_type, kind_of, type_name};
pub use language::language;
pub use modules::is_intrinsic_module;
pub use modules_intrinsic::{intrinsic_text, provided_includes};
pub use run_checks::Checks;
pub use scope::{Declarations, ImplicitRules, Scope, ScopeId, ScopeKind};
pub use spellings::{Spelling, Spellings};
pub use standard::{Rules, Standard};
pub use structure::{Component, Structure, StructureId};
pub use symbol::{
    Attributes, Bounds, Extent, Home, Procedure, ProcedureClass, ProcedureKind, StaticData, StaticId, Symbol, SymbolId,
    SymbolKind,
};
pub use warnings::{Warning, Warnings};

use trueline_diag::{Diagnostics, SourceMap};
use trueline_ir::Type;
use trueline_syntax::ast::Ast;

/// What the command line asks of the front end.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// `-fcheck=`: what is checked at run time.
    pub checks: Checks,
    /// `-fimplicit-none`: as if every scope began with IMPLICIT NONE.
    pub implicit_none: bool,
    /// `-fdefault-integer-8`.
    pub integer_8: bool,
    /// `-fdefault-real-8`.
    pub real_8: bool,
    /// `-freal-4-real-8`: every REAL(4) is a REAL(8).
    pub real_4_is_8: bool,
    /// `-freal-8-real-4`: every REAL(8) is a REAL(4).
    pub real_8_is_4: bool,
    /// `-fdefault-real-16`: default REAL and DOUBLE PRECISION have kind 16.
    pub real_16: bool,
    /// `-fdefault-double-8`: DOUBLE PRECISION keeps kind 8.
    pub double_8: bool,
    /// `-freal-4-real-16`: every REAL(4) is a REAL(16).
    pub real_4_is_16: bool,
    /// `-freal-8-real-16`: every REAL(8) is a REAL(16).
    pub real_8_is_16: bool,
    /// `-finteger-4-integer-8`: every INTEGER(4) is an INTEGER(8).
    pub integer_4_is_8: bool,
    /// What the runtime is told when the program begins.
    pub io: IoDefaults,
    /// `-ffpe-trap=`, `-ffpe-summary=`
    pub exceptions: FloatExceptions,
    /// `-fno-automatic`: as if every procedure had a SAVE.
    pub no_automatic: bool,
    /// `-finit-…`
    pub initial: Initial,
    /// `-frecursive`: as if every procedure were RECURSIVE.
    pub recursive: bool,
    /// `-fno-range-check`: constants wrap around or become infinite where they do not fit.
    pub no_range_check: bool,
    /// `-fdec-char-conversions`: a character constant may be a number, as a Hollerith constant may.
    pub text_numbers: bool,
    /// `-fcray-pointer`: variables that others can reach may be what a Cray pointer points to.
    pub cray_pointers: bool,
    /// `-fdec`: logical operators work on the bits of integers.
    pub bitwise: bool,
    /// `-fallow-invalid-boz`: BOZ constants may stand wherever a number may.
    pub any_boz: bool,
    /// `-fallow-argument-mismatch`: calls of external procedures may have more or fewer arguments than the procedures.
    pub argument_mismatch: bool,
    /// Only diagnostics are wanted, no units.
    pub only_check: bool,
    /// `-W…`
    pub warnings: Warnings,
    /// `-std=`, `-pedantic`
    pub rules: Rules,
    /// `-ffree-form`, `-ffixed-form`
    pub form: trueline_syntax::SourceForm,
    /// `-ffixed-line-length-`: the last column of fixed form.
    pub columns: Option<usize>,
}

impl Options {
    /// Default INTEGER.
    pub fn default_integer(self) -> Type {
        if self.integer_8 || self.integer_4_is_8 { Type::I8 } else { Type::I4 }
    }

    /// Default LOGICAL.
    pub fn default_logical(self) -> Type {
        if self.integer_8 { Type::L8 } else { Type::L4 }
    }

    /// Default REAL.
    pub fn default_real(self) -> Type {
        match self {
            Options { real_16: true, .. } => Type::R16,
            Options { real_8: true, .. } => self.kind_of(Type::R8),
            _ => self.kind_of(Type::R4),
        }
    }

    /// DOUBLE PRECISION, also the type of `1d0`: larger than default REAL, if there is a larger kind.
    pub fn default_double(self) -> Type {
        if (self.real_8 || self.real_16) && !self.double_8 { Type::R16 } else { self.kind_of(Type::R8) }
    }

    /// The type of AMAX0 and its kin, which default REAL does not change.
    pub(crate) fn extreme(self, ty: Type) -> Type {
        if ty == Type::R4 { ty } else { self.specific(ty) }
    }

    /// DOUBLE COMPLEX.
    pub fn double_complex(self) -> Type {
        if self.default_double() == Type::R16 { Type::C16 } else { self.kind_of(Type::C8) }
    }

    /// The type that a specific intrinsic of `ty` has: one of kind 4 is of default REAL, one of kind 8 of DOUBLE PRECISION.
    pub fn specific(self, ty: Type) -> Type {
        match ty {
            Type::R4 => self.default_real(),
            Type::C4 => self.default_complex(),
            Type::R8 => self.default_double(),
            Type::C8 => self.double_complex(),
            Type::I4 => self.default_integer(),
            _ => ty,
        }
    }

    /// The type that declarations and constants of `ty` have (`-freal-4-real-8` and the like).
    pub fn kind_of(self, ty: Type) -> Type {
        match ty {
            Type::R4 if self.real_4_is_8 => Type::R8,
            Type::C4 if self.real_4_is_8 => Type::C8,
            Type::R4 if self.real_4_is_16 => Type::R16,
            Type::C4 if self.real_4_is_16 => Type::C16,
            Type::R8 if self.real_8_is_16 => Type::R16,
            Type::C8 if self.real_8_is_16 => Type::C16,
            Type::R8 if self.real_8_is_4 => Type::R4,
            Type::C8 if self.real_8_is_4 => Type::C4,
            Type::I4 if self.integer_4_is_8 => Type::I8,
            _ => ty,
        }
    }

    /// Default COMPLEX.
    pub fn default_complex(self) -> Type {
        match self.default_real() {
            Type::R16 => Type::C16,
            Type::R8 => Type::C8,
            _ => Type::C4,
        }
    }
}

/// Analyses the files of a compilation and lowers every procedure to VH.
///
/// The result has no units when there are errors.
pub fn analyze(asts: &[Ast], map: &SourceMap, options: &Options, diags: &mut Diagnostics) -> trueline_ir::Program {
    for ast in asts {
        boz::check(ast, *options, diags);
    }
    let mut decls = declare::declare(asts, *options, diags);
    resolve::resolve(&mut decls, diags);
    storage::place(&mut decls, diags);
    globals::check(&decls, diags);
    globals::check_uses(&decls, diags);
    generics::check(&decls, diags);
    constraints::check(&decls, diags);
    let ((infos, serials), facts) = rayon::join(|| infos::collect(&decls, map), || facts::Facts::of(&decls));
    let directives = hpf::check(&decls, &serials, map, diags);
    let context = lower::Context {
        decls: &decls,
        serials: &serials,
        map,
        check_bounds: options.checks.bounds,
        facts,
        directives: &directives,
        calls: std::sync::Mutex::default(),
    };
    let units = lower::lower(&context, !options.only_check, diags);
    let calls = context.calls.into_inner().unwrap_or_default();
    call_consistency::check(calls, |a, b| decls.same_type(a, b), diags);
    for ast in asts {
        standard_use::check(ast, map, options.rules, options.form, diags);
    }
    warn::warn(&decls, map, options.warnings, diags);
    let units = if diags.has_errors() { Vec::new() } else { units };
    let bridges = bridges::of(&decls);
    let structures = declared::structures(&decls);
    trueline_ir::Program { units, bridges, structures, infos }
}
