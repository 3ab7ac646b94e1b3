//! Options of the command line that the front end knows, and the types that they make default.

pub(crate) mod checks;
pub(crate) mod exceptions;
pub(crate) mod initial;
pub mod io;

use crate::types::convention::Convention;
use crate::{Checks, FloatExceptions, Initial, IoDefaults, Rules, Warnings};
use trueline_ir::Type;

/// The options of the command line for the front end.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// The rules by which the target passes structures by value.
    pub convention: Convention,
    /// `-fcheck=`: the checks at run time.
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
    /// The defaults of input and output that the runtime gets when the program begins.
    pub io: IoDefaults,
    /// `-ffpe-trap=`, `-ffpe-summary=`
    pub exceptions: FloatExceptions,
    /// `-fno-automatic`: as if every procedure had a SAVE.
    pub no_automatic: bool,
    /// `-finit-…`
    pub initial: Initial,
    /// `-fno-realloc-lhs`: an allocatable keeps its shape in assignments, as in Fortran 95.
    pub no_realloc_lhs: bool,
    /// `-frecursive`: as if every procedure were RECURSIVE.
    pub recursive: bool,
    /// `-fno-range-check`: constants wrap around or become infinite where they do not fit.
    pub no_range_check: bool,
    /// `-fdec-char-conversions`: a character constant may be a number, as a Hollerith constant may.
    pub text_numbers: bool,
    /// `-fcray-pointer`: a Cray pointer may point to any variable that other procedures can reach.
    pub cray_pointers: bool,
    /// `-fdec`: logical operators work on the bits of integers.
    pub bitwise: bool,
    /// `-fallow-invalid-boz`: BOZ constants may stand wherever a number may.
    pub any_boz: bool,
    /// `-fallow-argument-mismatch`: calls of external procedures may have more or fewer arguments than the procedures.
    pub argument_mismatch: bool,
    /// Only diagnostics are wanted, no units.
    pub only_check: bool,
    /// `-fhpf`: the program may run on several ranks, whose number is known then.
    pub hpf: bool,
    /// The iterations of a strip of a sweep on several ranks; 0 leaves them to the runtime (`-fhpf-strip=N`).
    pub hpf_strip: u32,
    /// `-fno-hpf-overlap`: ranks wait for all elements of a loop nest before it.
    pub hpf_in_order: bool,
    /// `-np`: the number of processors that mappings are told for; without it NUMBER_OF_PROCESSORS is no constant in them.
    pub ranks: Option<u32>,
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
    pub fn extreme(self, ty: Type) -> Type {
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
