//! Intrinsic procedures that are there only where a module that has them is used.

/// The procedures of ISO_C_BINDING.
pub const C_PROCEDURES: &[&str] = &["c_associated", "c_f_pointer", "c_f_procpointer", "c_funloc", "c_loc", "c_sizeof"];

/// The functions of IEEE_ARITHMETIC and IEEE_EXCEPTIONS that are intrinsic procedures of the compiler: the text of these modules
/// has the others, and takes these from a module of their own.
pub const IEEE_FUNCTIONS: &[&str] = &[
    "ieee_is_nan",
    "ieee_is_finite",
    "ieee_is_normal",
    "ieee_is_negative",
    "ieee_unordered",
    "ieee_copy_sign",
    "ieee_next_after",
    "ieee_support_nan",
    "ieee_support_inf",
    "ieee_support_datatype",
    "ieee_support_denormal",
    "ieee_support_subnormal",
    "ieee_support_divide",
    "ieee_support_io",
    "ieee_support_sqrt",
    "ieee_support_standard",
    "ieee_support_underflow_control",
    "ieee_support_rounding",
    "ieee_support_flag",
    "ieee_support_halting",
    "ieee_selected_real_kind",
];

/// The functions of HPF_LOCAL_LIBRARY.
pub const HPF_LOCAL_FUNCTIONS: &[&str] = &["my_processor"];

/// Whether an intrinsic procedure is there only where a module that has it is used.
pub fn needs_use(name: &str) -> bool {
    IEEE_FUNCTIONS.contains(&name) || C_PROCEDURES.contains(&name) || HPF_LOCAL_FUNCTIONS.contains(&name)
}
