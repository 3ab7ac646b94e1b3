//! The intrinsic modules: ISO_FORTRAN_ENV, ISO_C_BINDING and OMP_LIB, and the parts of IEEE_ARITHMETIC,
//! made when a program first uses them.
//!
//! Their names are named constants, and the names of intrinsic procedures that are visible only by USE.

use crate::constant::{Const, Scalar};
use crate::declare::Declare;
use crate::intrinsic::of_modules::{C_PROCEDURES, HPF_LOCAL_FUNCTIONS, IEEE_FUNCTIONS};
use crate::scope::symbol::{Extent, Procedure, ProcedureClass, ProcedureKind, Symbol, SymbolKind};
use crate::scope::{Scope, ScopeId, ScopeKind};
use crate::types::structure::{Component, Structure, StructureId};
use trueline_diag::Span;
use trueline_ir::Type;

/// Integer constants of ISO_FORTRAN_ENV, with the values of gfortran on a 64-bit machine.
const FORTRAN_ENV: &[(&str, i64)] = &[
    ("int8", 1),
    ("int16", 2),
    ("int32", 4),
    ("int64", 8),
    ("real32", 4),
    ("real64", 8),
    ("real128", 16),
    ("logical8", 1),
    ("logical16", 2),
    ("logical32", 4),
    ("logical64", 8),
    ("input_unit", 5),
    ("output_unit", 6),
    ("error_unit", 0),
    ("iostat_end", -1),
    ("iostat_eor", -2),
    ("iostat_inquire_internal_unit", 5018),
    ("character_storage_size", 8),
    ("numeric_storage_size", 32),
    ("file_storage_size", 8),
    ("atomic_int_kind", 4),
    ("atomic_logical_kind", 4),
];

/// Arrays of kinds of ISO_FORTRAN_ENV: the kinds of this compiler.
const KINDS: &[(&str, &[i64])] = &[
    ("integer_kinds", &[1, 2, 4, 8]),
    ("logical_kinds", &[1, 2, 4, 8]),
    ("real_kinds", &[4, 8, 16]),
    ("character_kinds", &[1]),
];

/// Kinds of ISO_C_BINDING on a 64-bit machine.
const C_KINDS: &[(&str, i64)] = &[
    ("c_int", 4),
    ("c_short", 2),
    ("c_long", 8),
    ("c_long_long", 8),
    ("c_signed_char", 1),
    ("c_size_t", 8),
    ("c_int8_t", 1),
    ("c_int16_t", 2),
    ("c_int32_t", 4),
    ("c_int64_t", 8),
    ("c_int_least8_t", 1),
    ("c_int_least16_t", 2),
    ("c_int_least32_t", 4),
    ("c_int_least64_t", 8),
    ("c_int_fast8_t", 1),
    ("c_int_fast16_t", 8),
    ("c_int_fast32_t", 8),
    ("c_int_fast64_t", 8),
    ("c_intmax_t", 8),
    ("c_intptr_t", 8),
    ("c_ptrdiff_t", 8),
    ("c_float", 4),
    ("c_double", 8),
    ("c_float_complex", 4),
    ("c_double_complex", 8),
    ("c_float128", 16),
    ("c_float128_complex", 16),
    ("c_bool", 1),
    ("c_char", 1),
    // Kinds that do not exist have a negative number.
    ("c_int128_t", -1),
    ("c_int_least128_t", -1),
    ("c_int_fast128_t", -1),
    ("c_long_double", -4),
    ("c_long_double_complex", -4),
];

/// The types of ISO_C_BINDING, their null values, and the component that holds the address.
const C_TYPES: &[(&str, &str)] = &[("c_ptr", "c_null_ptr"), ("c_funptr", "c_null_funptr")];

/// The intrinsic modules that are written in Fortran; their procedures are in the runtime library.
const TEXTS: [(&str, &str); 3] = [
    ("ieee_arithmetic", include_str!("intrinsic_modules/ieee_arithmetic.f90")),
    ("ieee_exceptions", include_str!("intrinsic_modules/ieee_exceptions.f90")),
    ("ieee_features", include_str!("intrinsic_modules/ieee_features.f90")),
];

/// The text of an intrinsic module that is written in Fortran: a tree of it is to be among those of a program that uses it.
pub fn intrinsic_text(name: &str) -> Option<&'static str> {
    TEXTS.iter().find(|(module, _)| *module == name).map(|(_, text)| *text)
}

/// Characters of ISO_C_BINDING.
const C_CHARACTERS: &[(&str, u8)] = &[
    ("c_null_char", 0),
    ("c_alert", 7),
    ("c_backspace", 8),
    ("c_form_feed", 12),
    ("c_new_line", 10),
    ("c_carriage_return", 13),
    ("c_horizontal_tab", 9),
    ("c_vertical_tab", 11),
];

/// Kinds of OMP_LIB, which compilers give even to programs without OpenMP, and its version.
const OMP_CONSTANTS: &[(&str, i64)] = &[
    ("omp_lock_kind", 4),
    ("omp_nest_lock_kind", 8),
    ("omp_sched_kind", 4),
    ("omp_proc_bind_kind", 4),
    ("openmp_version", 201511),
];

/// Functions of OMP_LIB, of the OpenMP library that a program is linked with.
const OMP_FUNCTIONS: &[(&str, Type)] = &[
    ("omp_get_num_threads", Type::I4),
    ("omp_get_max_threads", Type::I4),
    ("omp_get_thread_num", Type::I4),
    ("omp_get_num_procs", Type::I4),
    ("omp_get_thread_limit", Type::I4),
    ("omp_get_level", Type::I4),
    ("omp_in_parallel", Type::L4),
    ("omp_get_dynamic", Type::L4),
    ("omp_get_nested", Type::L4),
    ("omp_test_lock", Type::L4),
    ("omp_get_wtime", Type::R8),
    ("omp_get_wtick", Type::R8),
    ("omp_get_active_level", Type::I4),
    ("omp_get_ancestor_thread_num", Type::I4),
    ("omp_get_cancellation", Type::L4),
    ("omp_get_default_device", Type::I4),
    ("omp_get_device_num", Type::I4),
    ("omp_get_initial_device", Type::I4),
    ("omp_get_max_active_levels", Type::I4),
    ("omp_get_max_task_priority", Type::I4),
    ("omp_get_max_teams", Type::I4),
    ("omp_get_num_devices", Type::I4),
    ("omp_get_num_places", Type::I4),
    ("omp_get_num_teams", Type::I4),
    ("omp_get_partition_num_places", Type::I4),
    ("omp_get_place_num", Type::I4),
    ("omp_get_place_num_procs", Type::I4),
    ("omp_get_proc_bind", Type::I4),
    ("omp_get_supported_active_levels", Type::I4),
    ("omp_get_team_num", Type::I4),
    ("omp_get_team_size", Type::I4),
    ("omp_get_teams_thread_limit", Type::I4),
    ("omp_in_final", Type::L4),
    ("omp_is_initial_device", Type::L4),
    ("omp_test_nest_lock", Type::I4),
];

/// Its subroutines.
const OMP_SUBROUTINES: &[&str] = &[
    "omp_set_num_threads",
    "omp_set_dynamic",
    "omp_set_nested",
    "omp_init_lock",
    "omp_destroy_lock",
    "omp_set_lock",
    "omp_unset_lock",
    "omp_init_nest_lock",
    "omp_destroy_nest_lock",
    "omp_set_nest_lock",
    "omp_unset_nest_lock",
    "omp_get_partition_place_nums",
    "omp_get_place_proc_ids",
    "omp_get_schedule",
    "omp_set_default_device",
    "omp_set_max_active_levels",
    "omp_set_num_teams",
    "omp_set_schedule",
    "omp_set_teams_thread_limit",
];

/// The files that INCLUDE finds in any case: `omp_lib.h`, with the names of OMP_LIB. Their lines are right in both source forms.
pub fn provided_includes() -> Vec<(&'static str, String)> {
    let mut text = String::new();
    for (name, value) in OMP_CONSTANTS {
        text += &format!("      integer {name}\n      parameter ({name} = {value})\n");
    }
    for (name, ty) in OMP_FUNCTIONS {
        text += &format!("      external {name}\n      {} {name}\n", crate::types::kinds::type_name(*ty));
    }
    for name in OMP_SUBROUTINES {
        text += &format!("      external {name}\n");
    }
    vec![("omp_lib.h", text)]
}

/// Functions of HPF_LIBRARY that are intrinsic functions: the text of the module has the others.
const HPF_FUNCTIONS: &[&str] = &[
    "iall",
    "iany",
    "iparity",
    "parity",
    "leadz",
    "popcnt",
    "poppar",
    "maxloc",
    "minloc",
    "number_of_processors",
    "processors_shape",
];

/// The intrinsic modules and the names they give, for the documentation.
pub fn contents() -> Vec<(&'static str, Vec<&'static str>)> {
    let names = |list: &[(&'static str, i64)]| list.iter().map(|r| r.0).collect::<Vec<_>>();
    let mut env = names(FORTRAN_ENV);
    env.extend(KINDS.iter().map(|r| r.0));
    env.extend(["compiler_version", "compiler_options"]);
    let mut c = names(C_KINDS);
    c.extend(C_CHARACTERS.iter().map(|r| r.0));
    c.extend(C_TYPES.iter().flat_map(|r| [r.0, r.1]));
    c.extend(C_PROCEDURES);
    let mut omp = names(OMP_CONSTANTS);
    omp.extend(OMP_FUNCTIONS.iter().map(|r| r.0));
    omp.extend(OMP_SUBROUTINES);
    vec![
        ("iso_fortran_env", env),
        ("iso_c_binding", c),
        ("ieee_functions", IEEE_FUNCTIONS.to_vec()),
        ("omp_lib", omp),
        ("hpf_functions", HPF_FUNCTIONS.to_vec()),
        ("hpf_local_library", HPF_LOCAL_FUNCTIONS.to_vec()),
    ]
}

/// Whether a module of that name is part of the language.
pub fn is_intrinsic(name: &str) -> bool {
    matches!(
        name,
        "iso_fortran_env" | "iso_c_binding" | "ieee_functions" | "omp_lib" | "hpf_functions" | "hpf_local_library"
    )
}

/// The scope of an intrinsic module; `span` is where it is used.
pub fn module(d: &mut Declare<'_, '_>, name: &str, span: Span) -> Option<ScopeId> {
    if !is_intrinsic(name) {
        return None;
    }
    if let Some(&(_, scope)) = d.intrinsic_modules.iter().find(|m| m.0 == name) {
        return Some(scope);
    }
    let mut scope = Scope::new(ScopeKind::Module, None, 0);
    scope.implicit = crate::scope::ImplicitRules::none();
    let scope = d.decls.scopes.push(scope);
    let mut symbol = Symbol::new(name, span, d.decls.global);
    symbol.kind = SymbolKind::Module(scope);
    d.decls.scopes[scope].symbol = Some(d.decls.symbols.push(symbol));
    let mut make = Make { d, scope, span };
    if name == "iso_fortran_env" {
        FORTRAN_ENV.iter().for_each(|&(name, v)| make.integer(name, v));
        KINDS.iter().for_each(|&(name, kinds)| make.vector(name, kinds));
        ["compiler_version", "compiler_options"].iter().for_each(|name| make.procedure(name));
    } else if name == "ieee_functions" {
        IEEE_FUNCTIONS.iter().for_each(|name| make.procedure(name));
    } else if name == "hpf_functions" {
        HPF_FUNCTIONS.iter().for_each(|name| make.procedure(name));
    } else if name == "hpf_local_library" {
        HPF_LOCAL_FUNCTIONS.iter().for_each(|name| make.procedure(name));
    } else if name == "omp_lib" {
        OMP_CONSTANTS.iter().for_each(|&(name, v)| make.integer(name, v));
        OMP_FUNCTIONS.iter().for_each(|&(name, ty)| make.external(name, Some(ty)));
        OMP_SUBROUTINES.iter().for_each(|name| make.external(name, None));
    } else {
        C_KINDS.iter().for_each(|&(name, v)| make.integer(name, v));
        C_CHARACTERS.iter().for_each(|&(name, c)| make.constant(name, Scalar::text(&[c]).into(), Type::Char));
        let types: Vec<StructureId> = C_TYPES.iter().map(|&(name, null)| make.address_type(name, null)).collect();
        C_PROCEDURES.iter().for_each(|name| make.procedure(name));
        if let [data, procedure] = types[..] {
            d.decls.c_types = Some((data, procedure));
        }
    }
    d.intrinsic_modules.push((name.to_owned(), scope));
    Some(scope)
}

struct Make<'m, 'a, 'd> {
    d: &'m mut Declare<'a, 'd>,
    scope: ScopeId,
    span: Span,
}

impl Make<'_, '_, '_> {
    fn integer(&mut self, name: &str, v: i64) {
        self.constant(name, Scalar::int(v).into(), Type::I4);
    }

    fn vector(&mut self, name: &str, values: &[i64]) {
        let values = values.iter().map(|&v| Scalar::int(v)).collect::<Vec<_>>();
        let n = values.len() as i64;
        let id = self.enter(name);
        let symbol = &mut self.d.decls.symbols[id];
        symbol.kind = SymbolKind::Parameter;
        symbol.ty = Some(Type::I4);
        symbol.shape = vec![crate::scope::symbol::Bounds::known(1, n)];
        symbol.value = Some(Const::vector(Type::I4, 0, values));
    }

    fn constant(&mut self, name: &str, value: Const, ty: Type) {
        let id = self.enter(name);
        let symbol = &mut self.d.decls.symbols[id];
        symbol.kind = SymbolKind::Parameter;
        symbol.ty = Some(ty);
        symbol.attrs.typed = true;
        symbol.value = Some(value);
    }

    /// A type that holds an address, and its null value.
    fn address_type(&mut self, name: &str, null: &str) -> StructureId {
        let symbol = self.enter(name);
        let mut structure = Structure::new(name, symbol, self.scope);
        (structure.size, structure.align, structure.complete) = (8, 8, true);
        structure.components.push(Component { private: true, ..Component::new("c_address", self.span, Type::I8) });
        let structure = self.d.decls.structures.push(structure);
        self.d.decls.symbols[symbol].kind = SymbolKind::DerivedType(structure);
        self.constant(null, Scalar::text(&[0; 8]).into(), Type::Char);
        if let Some(id) = self.d.decls.lookup_local(self.scope, null) {
            self.d.decls.symbols[id].structure = Some(structure);
            self.d.decls.symbols[id].len = Extent::Known(8);
        }
        structure
    }

    fn procedure(&mut self, name: &str) {
        let Some(row) = crate::intrinsic::lookup(name) else { return };
        let kind = if row.is_subroutine() { ProcedureKind::Subroutine } else { ProcedureKind::Function };
        let id = self.enter(name);
        let procedure = Procedure::unknown(ProcedureClass::Intrinsic, kind, name);
        self.d.decls.symbols[id].kind = SymbolKind::Procedure(Box::new(procedure));
    }

    /// A function of a type, or a subroutine, of another library.
    fn external(&mut self, name: &str, ty: Option<Type>) {
        let kind = if ty.is_some() { ProcedureKind::Function } else { ProcedureKind::Subroutine };
        let id = self.enter(name);
        let symbol = &mut self.d.decls.symbols[id];
        symbol.kind = SymbolKind::Procedure(Box::new(Procedure::unknown(ProcedureClass::External, kind, name)));
        symbol.ty = ty;
        symbol.attrs.typed = ty.is_some();
    }

    fn enter(&mut self, name: &str) -> crate::scope::symbol::SymbolId {
        self.d.decls.enter(Symbol::new(name, self.span, self.scope))
    }
}
