//! Intrinsic functions that are expressions.
//!
//! Elemental ones stay expressions down to code generation. The transformational ones exist at VH
//! only: scalarization turns them into loops.

macro_rules! intrinsics {
    ($($(#[$doc:meta])* $name:ident $text:literal $group:ident;)*) => {
        /// An intrinsic function; those without a comment are the Fortran function of that name.
        #[allow(missing_docs)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Intrinsic {
            $($(#[$doc])* $name,)*
        }

        impl Intrinsic {
            /// Every intrinsic.
            pub const ALL: &'static [Intrinsic] = &[$(Intrinsic::$name),*];

            /// Its name in the text format.
            pub fn name(self) -> &'static str {
                match self { $(Intrinsic::$name => $text,)* }
            }

            fn group(self) -> Group {
                match self { $(Intrinsic::$name => Group::$group,)* }
            }
        }
    };
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    /// Type of the first argument.
    Same,
    /// `INTEGER(4)`.
    Int4,
    /// `INTEGER(8)`.
    Int8,
    /// Default logical.
    Logical,
    /// The real type of a complex argument.
    Part,
    /// The complex type of real arguments.
    Complex,
    /// The type of the lanes of a vector.
    Lane,
    /// The vector of 16 bytes with such lanes.
    Piece,
    /// Arrays: legal at VH only, type of the first argument.
    Array,
    /// Arrays: legal at VH only, default logical.
    ArrayLogical,
    /// Arrays: legal at VH only, `INTEGER(4)`.
    ArrayInt4,
}

intrinsics! {
    /// ABS; for a complex number, its modulus (then the type is the part's).
    Abs "abs" Part;
    Sqrt "sqrt" Same;
    Exp "exp" Same;
    Log "log" Same;
    Log10 "log10" Same;
    Sin "sin" Same;
    Cos "cos" Same;
    Tan "tan" Same;
    Asin "asin" Same;
    Acos "acos" Same;
    Atan "atan" Same;
    Atan2 "atan2" Same;
    Sinh "sinh" Same;
    Cosh "cosh" Same;
    Tanh "tanh" Same;
    /// `base ** exponent`: both real or both complex, or integer ** integer (the type of the base).
    Pow "pow" Same;
    /// `base ** exponent` with a real or complex base and an `INTEGER(4)` exponent.
    PowInt "powi" Same;
    /// `base ** exponent` with a real or complex base and an `INTEGER(8)` exponent. A negative one takes powers of the
    /// reciprocal of the base, where `powi` of a real takes the reciprocal of the power: as gfortran, to the last bit.
    PowLong "powl" Same;
    /// MOD: the remainder with the sign of the first argument.
    Mod "mod" Same;
    /// MODULO: the remainder with the sign of the second argument.
    Modulo "modulo" Same;
    Sign "sign" Same;
    Dim "dim" Same;
    /// MAX of two; for reals as gfortran: a NaN loses.
    Max "max" Same;
    /// MIN of two.
    Min "min" Same;
    /// AINT: truncation to a whole number.
    Aint "aint" Same;
    /// ANINT: rounding half away from zero.
    Anint "anint" Same;
    /// NINT to `INTEGER(4)`.
    Nint "nint" Int4;
    /// NINT to `INTEGER(8)`.
    Nint8 "nint8" Int8;
    /// FLOOR to `INTEGER(4)`.
    Floor "floor" Int4;
    /// FLOOR to `INTEGER(8)`.
    Floor8 "floor8" Int8;
    /// CEILING to `INTEGER(4)`.
    Ceiling "ceiling" Int4;
    /// CEILING to `INTEGER(8)`.
    Ceiling8 "ceiling8" Int8;
    /// CMPLX of two reals of one kind.
    Cmplx "cmplx" Complex;
    /// The real part.
    RealPart "realpart" Part;
    /// AIMAG.
    ImagPart "imagpart" Part;
    Conjg "conjg" Same;
    Iand "iand" Same;
    Ior "ior" Same;
    Ieor "ieor" Same;
    Not "not" Same;
    /// ISHFT(i, shift): logical shift, left if positive.
    Ishft "ishft" Same;
    /// ISHFTC(i, shift, size).
    Ishftc "ishftc" Same;
    /// SHIFTA-like arithmetic shift right.
    Shifta "shifta" Same;
    Btest "btest" Logical;
    Ibset "ibset" Same;
    Ibclr "ibclr" Same;
    Ibits "ibits" Same;
    /// MERGE(tsource, fsource, mask): both values are evaluated.
    Merge "merge" Same;
    /// The number of iterations of `DO i = lo, hi, step` (three `INTEGER(8)`); 0 when `step` is 0.
    Trip "trip" Int8;
    /// The arguments of [`Rt::SumTrips`](trueline_abi::Rt::SumTrips): the sum of the trip counts of
    /// an inner loop whose bounds are affine in the outer loop's variable.
    SumTrips "sumtrips" Int8;
    /// ICHAR of the first character of a place of type `CHARACTER`.
    Ichar "ichar" Int4;
    Gamma "gamma" Same;
    LogGamma "log_gamma" Same;
    Erf "erf" Same;
    Erfc "erfc" Same;
    Hypot "hypot" Same;
    BesselJ0 "bessel_j0" Same;
    BesselJ1 "bessel_j1" Same;
    BesselY0 "bessel_y0" Same;
    BesselY1 "bessel_y1" Same;
    /// BESSEL_JN with the order, an `INTEGER(4)`, behind the real argument.
    BesselJn "bessel_jn" Same;
    /// BESSEL_YN, likewise.
    BesselYn "bessel_yn" Same;
    Asinh "asinh" Same;
    Acosh "acosh" Same;
    Atanh "atanh" Same;
    /// POPCNT.
    Popcnt "popcnt" Int4;
    /// LEADZ.
    Leadz "leadz" Int4;
    /// TRAILZ.
    Trailz "trailz" Int4;
    /// IEEE test: not a number.
    IsNan "isnan" Logical;
    /// FRACTION, EXPONENT, SCALE, SET_EXPONENT, NEAREST, SPACING, RRSPACING: model functions.
    Fraction "fraction" Same;
    Exponent "exponent" Int4;
    Scale "scale" Same;
    SetExponent "set_exponent" Same;
    /// NEAREST(x, s).
    Nearest "nearest" Same;
    Spacing "spacing" Same;
    Rrspacing "rrspacing" Same;
    /// The lane of a vector with the number of the second argument, a constant, from 0.
    Lane "lane" Lane;
    /// The lanes of a vector from the number of the second argument on, a constant, as many as 16 bytes hold.
    Piece "piece" Piece;
    /// The number of lanes of a mask that are true.
    Ones "ones" Int8;
    /// The vector of the first argument with more in each lane: the number of the lane times the second argument, a constant.
    Ramp "ramp" Same;
    /// The vector whose lanes are the arguments, scalars of one type.
    Gather "gather" Same;
    /// Every second lane of two vectors, those of the first one before those of the second: bit 0 of the third argument, a constant, is the number of the first
    /// lane of the first vector, bit 1 that of the second.
    Alternate "alternate" Same;

    /// SUM(array, dim, mask). The arguments of array intrinsics are positional; an absent one is `none`.
    Sum "SUM" Array;
    Product "PRODUCT" Array;
    Maxval "MAXVAL" Array;
    Minval "MINVAL" Array;
    /// MAXLOC(array, dim, mask).
    Maxloc "MAXLOC" ArrayInt4;
    Minloc "MINLOC" ArrayInt4;
    /// COUNT(mask, dim).
    Count "COUNT" ArrayInt4;
    Any "ANY" ArrayLogical;
    All "ALL" ArrayLogical;
    Parity "PARITY" ArrayLogical;
    DotProduct "DOT_PRODUCT" Array;
    Matmul "MATMUL" Array;
    Transpose "TRANSPOSE" Array;
    /// CSHIFT(array, shift, dim).
    Cshift "CSHIFT" Array;
    /// EOSHIFT(array, shift, boundary, dim).
    Eoshift "EOSHIFT" Array;
    /// SPREAD(source, dim, ncopies).
    Spread "SPREAD" Array;
    /// RESHAPE(source, shape, pad, order).
    Reshape "RESHAPE" Array;
    /// PACK(array, mask, vector).
    Pack "PACK" Array;
    /// UNPACK(vector, mask, field).
    Unpack "UNPACK" Array;
    /// IALL, IANY, IPARITY.
    Iall "IALL" Array;
    Iany "IANY" Array;
    Iparity "IPARITY" Array;
    /// NORM2(array, dim).
    Norm2 "NORM2" Array;
}

use crate::{Rt, Type};

impl Intrinsic {
    /// The intrinsic with that name in the text format.
    pub fn by_name(name: &str) -> Option<Intrinsic> {
        Intrinsic::ALL.iter().copied().find(|i| i.name() == name)
    }

    /// The function that one of the runtime computes of each element of a block.
    pub fn of_blocks(f: Rt) -> Option<Intrinsic> {
        match f {
            Rt::ExpR8 | Rt::ApproxExpR8 => Some(Intrinsic::Exp),
            Rt::LogR8 | Rt::ApproxLogR8 => Some(Intrinsic::Log),
            Rt::SinR8 | Rt::ApproxSinR8 => Some(Intrinsic::Sin),
            Rt::CosR8 | Rt::ApproxCosR8 => Some(Intrinsic::Cos),
            Rt::PowR8 | Rt::ApproxPowR8 => Some(Intrinsic::Pow),
            _ => None,
        }
    }

    /// Whether it works on whole arrays, and so exists at VH only.
    pub fn is_transformational(self) -> bool {
        matches!(self.group(), Group::Array | Group::ArrayLogical | Group::ArrayInt4)
    }

    /// Whether it is a function of the mathematical library, and takes longer than a few operations.
    pub fn is_library_function(self) -> bool {
        use Intrinsic::*;
        matches!(self, Exp | Log | Log10 | Sin | Cos | Tan | Asin | Acos | Atan | Atan2 | Sinh | Cosh | Tanh)
            || matches!(self, Asinh | Acosh | Atanh | Pow | Gamma | LogGamma | Erf | Erfc | Hypot)
            || matches!(self, BesselJ0 | BesselJ1 | BesselY0 | BesselY1 | BesselJn | BesselYn)
    }

    /// The type of its result, given that of its first argument.
    pub fn result(self, first: Type) -> Type {
        match self.group() {
            Group::Same | Group::Array => first,
            Group::Int4 | Group::ArrayInt4 => Type::I4,
            Group::Int8 => Type::I8,
            Group::Logical | Group::ArrayLogical => Type::L4,
            Group::Part => first.part(),
            Group::Lane => first.lane(),
            Group::Piece => first.lane().vector(Type::R8x2.size() / first.lane().size()).unwrap_or(first),
            Group::Complex => match first {
                Type::R4 => Type::C4,
                Type::R16 => Type::C16,
                Type::R4x4 => Type::C4x4,
                Type::R8x2 => Type::C8x2,
                _ => Type::C8,
            },
        }
    }

    /// Whether evaluating it can trap or end the program for some arguments: it must not be executed
    /// where the source does not execute it.
    pub fn may_trap(self, ty: Type) -> bool {
        matches!(self, Intrinsic::Mod | Intrinsic::Modulo) && matches!(ty, Type::I1 | Type::I2 | Type::I4 | Type::I8)
    }
}
