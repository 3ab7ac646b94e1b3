//! The rows: every intrinsic procedure. The meaning of the rules is explained at [`crate::intrinsic`].

use crate::intrinsic::{Arg, Class, Ieee, Inquiry, Intrinsic, Model, Rule, ShiftOp, Special, Subroutine};
use Rule::{Array, Convert, Fold, Op, OpWith, Reduce, Round, Whole};
use trueline_ir::{BinaryOp, Intrinsic as Ir, Type};

macro_rules! arg {
    ([$name:ident : $class:ident]) => {
        Arg { name: stringify!($name), class: Class::$class, optional: true }
    };
    (($name:ident : $class:ident)) => {
        Arg { name: stringify!($name), class: Class::$class, optional: false }
    };
}

macro_rules! variadic {
    () => {
        false
    };
    (more) => {
        true
    };
}

/// `"name" (required: CLASS) [optional: CLASS] => rule;`, with `more` where the last argument repeats.
macro_rules! rows {
    ($($name:literal $(($a:ident: $ac:ident))* $([$b:ident: $bc:ident])* $($more:ident)? => $rule:expr;)*) => {
        /// The table.
        pub static TABLE: &[Intrinsic] = &[$(Intrinsic {
            name: $name,
            args: &[$(arg!(($a: $ac)),)* $(arg!([$b: $bc]),)*],
            variadic: variadic!($($more)?),
            rule: $rule,
        }),*];
    };
}

const fn special(s: Special) -> Rule {
    Rule::Special(s)
}
const fn model(m: Model) -> Rule {
    Rule::Model(m)
}
const fn inquiry(i: Inquiry) -> Rule {
    Rule::Inquiry(i)
}
const fn sub(s: Subroutine) -> Rule {
    Rule::Subroutine(s)
}

rows! {
    "abs" (a: NUM) => Op(Ir::Abs);
    "iabs" (a: I) => Op(Ir::Abs);
    "dabs" (a: R8) => Op(Ir::Abs);
    "cabs" (a: C4) => Op(Ir::Abs);
    "zabs" (a: C8) => Op(Ir::Abs);
    "cdabs" (a: C8) => Op(Ir::Abs);
    "sqrt" (x: RC) => Op(Ir::Sqrt);
    "dsqrt" (x: R8) => Op(Ir::Sqrt);
    "csqrt" (x: C4) => Op(Ir::Sqrt);
    "zsqrt" (x: C8) => Op(Ir::Sqrt);
    "cdsqrt" (x: C8) => Op(Ir::Sqrt);
    "exp" (x: RC) => Op(Ir::Exp);
    "dexp" (x: R8) => Op(Ir::Exp);
    "cexp" (x: C4) => Op(Ir::Exp);
    "zexp" (x: C8) => Op(Ir::Exp);
    "cdexp" (x: C8) => Op(Ir::Exp);
    "sin" (x: RC) => Op(Ir::Sin);
    "dsin" (x: R8) => Op(Ir::Sin);
    "csin" (x: C4) => Op(Ir::Sin);
    "zsin" (x: C8) => Op(Ir::Sin);
    "cdsin" (x: C8) => Op(Ir::Sin);
    "cos" (x: RC) => Op(Ir::Cos);
    "dcos" (x: R8) => Op(Ir::Cos);
    "ccos" (x: C4) => Op(Ir::Cos);
    "zcos" (x: C8) => Op(Ir::Cos);
    "cdcos" (x: C8) => Op(Ir::Cos);
    "log" (x: RC) => Op(Ir::Log);
    "alog" (x: R4) => Op(Ir::Log);
    "dlog" (x: R8) => Op(Ir::Log);
    "clog" (x: C4) => Op(Ir::Log);
    "zlog" (x: C8) => Op(Ir::Log);
    "cdlog" (x: C8) => Op(Ir::Log);
    "log10" (x: R) => Op(Ir::Log10);
    "alog10" (x: R4) => Op(Ir::Log10);
    "dlog10" (x: R8) => Op(Ir::Log10);
    "tan" (x: RC) => Op(Ir::Tan);
    "dtan" (x: R8) => Op(Ir::Tan);
    "asin" (x: RC) => Op(Ir::Asin);
    "dasin" (x: R8) => Op(Ir::Asin);
    "acos" (x: RC) => Op(Ir::Acos);
    "dacos" (x: R8) => Op(Ir::Acos);
    "sinh" (x: RC) => Op(Ir::Sinh);
    "dsinh" (x: R8) => Op(Ir::Sinh);
    "cosh" (x: RC) => Op(Ir::Cosh);
    "dcosh" (x: R8) => Op(Ir::Cosh);
    "tanh" (x: RC) => Op(Ir::Tanh);
    "dtanh" (x: R8) => Op(Ir::Tanh);
    "atan" (y: RC) [x: R] => special(Special::Atan);
    "datan" (x: R8) => Op(Ir::Atan);
    "atan2" (y: R) (x: R) => Op(Ir::Atan2);
    "datan2" (y: R8) (x: R8) => Op(Ir::Atan2);
    "asinh" (x: RC) => Op(Ir::Asinh);
    "dasinh" (x: R8) => Op(Ir::Asinh);
    "acosh" (x: RC) => Op(Ir::Acosh);
    "dacosh" (x: R8) => Op(Ir::Acosh);
    "atanh" (x: RC) => Op(Ir::Atanh);
    "datanh" (x: R8) => Op(Ir::Atanh);
    "erfc_scaled" (x: R) => special(Special::ErfcScaled);
    "bessel_j0" (x: R) => Op(Ir::BesselJ0);
    "bessel_j1" (x: R) => Op(Ir::BesselJ1);
    "bessel_y0" (x: R) => Op(Ir::BesselY0);
    "bessel_y1" (x: R) => Op(Ir::BesselY1);
    "bessel_jn" (n: I) (x: IR) [x2: R] => special(Special::Bessel(Ir::BesselJn));
    "bessel_yn" (n: I) (x: IR) [x2: R] => special(Special::Bessel(Ir::BesselYn));
    "besj0" (x: R) => Op(Ir::BesselJ0);
    "besj1" (x: R) => Op(Ir::BesselJ1);
    "besy0" (x: R) => Op(Ir::BesselY0);
    "besy1" (x: R) => Op(Ir::BesselY1);
    "besjn" (n: I) (x: R) => special(Special::Bessel(Ir::BesselJn));
    "besyn" (n: I) (x: R) => special(Special::Bessel(Ir::BesselYn));
    "dbesj0" (x: R8) => Op(Ir::BesselJ0);
    "dbesj1" (x: R8) => Op(Ir::BesselJ1);
    "dbesy0" (x: R8) => Op(Ir::BesselY0);
    "dbesy1" (x: R8) => Op(Ir::BesselY1);
    "dbesjn" (n: I) (x: R8) => special(Special::Bessel(Ir::BesselJn));
    "dbesyn" (n: I) (x: R8) => special(Special::Bessel(Ir::BesselYn));
    "erf" (x: R) => Op(Ir::Erf);
    "derf" (x: R8) => Op(Ir::Erf);
    "erfc" (x: R) => Op(Ir::Erfc);
    "derfc" (x: R8) => Op(Ir::Erfc);
    "gamma" (x: R) => Op(Ir::Gamma);
    "dgamma" (x: R8) => Op(Ir::Gamma);
    "log_gamma" (x: R) => Op(Ir::LogGamma);
    "lgamma" (x: R) => Op(Ir::LogGamma);
    "algama" (x: R4) => Op(Ir::LogGamma);
    "dlgama" (x: R8) => Op(Ir::LogGamma);
    "hypot" (x: R) (y: R) => Op(Ir::Hypot);
    "mod" (a: IR) (p: IR) => Op(Ir::Mod);
    "amod" (a: R4) (p: R4) => Op(Ir::Mod);
    "dmod" (a: R8) (p: R8) => Op(Ir::Mod);
    "modulo" (a: IR) (p: IR) => Op(Ir::Modulo);
    "sign" (a: IR) (b: IR) => Op(Ir::Sign);
    "isign" (a: I) (b: I) => Op(Ir::Sign);
    "dsign" (a: R8) (b: R8) => Op(Ir::Sign);
    "dim" (x: IR) (y: IR) => Op(Ir::Dim);
    "idim" (x: I) (y: I) => Op(Ir::Dim);
    "ddim" (x: R8) (y: R8) => Op(Ir::Dim);
    "dprod" (x: R4) (y: R4) => special(Special::Dprod);
    "max" (a1: IRH) (a2: IRH) more => Fold(Ir::Max, None);
    "max0" (a1: I) (a2: I) more => Fold(Ir::Max, None);
    "amax0" (a1: I) (a2: I) more => Fold(Ir::Max, Some(Type::R4));
    "amax1" (a1: R) (a2: R) more => Fold(Ir::Max, Some(Type::R4));
    "dmax1" (a1: R) (a2: R) more => Fold(Ir::Max, Some(Type::R8));
    "max1" (a1: R) (a2: R) more => Fold(Ir::Max, Some(Type::I4));
    "min" (a1: IRH) (a2: IRH) more => Fold(Ir::Min, None);
    "min0" (a1: I) (a2: I) more => Fold(Ir::Min, None);
    "amin0" (a1: I) (a2: I) more => Fold(Ir::Min, Some(Type::R4));
    "amin1" (a1: R) (a2: R) more => Fold(Ir::Min, Some(Type::R4));
    "dmin1" (a1: R) (a2: R) more => Fold(Ir::Min, Some(Type::R8));
    "min1" (a1: R) (a2: R) more => Fold(Ir::Min, Some(Type::I4));
    "int" (a: NUM) [kind: I] => Convert(Type::I4);
    "ifix" (a: R4) => Convert(Type::I4);
    "idint" (a: R8) => Convert(Type::I4);
    "int2" (a: NUM) => Convert(Type::I2);
    "int8" (a: NUM) => Convert(Type::I8);
    "real" (a: NUM) [kind: I] => special(Special::RealPart);
    "float" (a: I) => Convert(Type::R4);
    "long" (a: I) => Convert(Type::I8);
    "short" (a: I) => Convert(Type::I2);
    "sngl" (a: R) => Convert(Type::R4);
    "dble" (a: NUM) => Convert(Type::R8);
    "dfloat" (a: I) => Convert(Type::R8);
    "dreal" (a: C8) => Op(Ir::RealPart);
    "realpart" (a: NUM) => special(Special::RealPart);
    "logical" (l: L) [kind: I] => Convert(Type::L4);
    "cmplx" (x: NUM) [y: IR] [kind: I] => special(Special::Cmplx(Type::C4));
    "dcmplx" (x: NUM) [y: IR] => special(Special::Cmplx(Type::C8));
    "complex" (x: IR) (y: IR) => special(Special::Complex);
    "aimag" (z: C) => Op(Ir::ImagPart);
    "imag" (z: C) => Op(Ir::ImagPart);
    "imagpart" (z: C) => Op(Ir::ImagPart);
    "dimag" (z: C8) => Op(Ir::ImagPart);
    "conjg" (z: C) => Op(Ir::Conjg);
    "dconjg" (z: C8) => Op(Ir::Conjg);
    "aint" (a: R) [kind: I] => Whole(Ir::Aint);
    "dint" (a: R8) => Op(Ir::Aint);
    "anint" (a: R) [kind: I] => Whole(Ir::Anint);
    "dnint" (a: R8) => Op(Ir::Anint);
    "nint" (a: R) [kind: I] => Round(Ir::Nint, Ir::Nint8);
    "idnint" (a: R8) => Round(Ir::Nint, Ir::Nint8);
    "floor" (a: R) [kind: I] => Round(Ir::Floor, Ir::Floor8);
    "ceiling" (a: R) [kind: I] => Round(Ir::Ceiling, Ir::Ceiling8);
    "iand" (i: I) (j: I) => Op(Ir::Iand);
    "ior" (i: I) (j: I) => Op(Ir::Ior);
    "ieor" (i: I) (j: I) => Op(Ir::Ieor);
    "and" (i: IL) (j: IL) => special(Special::Bitwise(Ir::Iand));
    "or" (i: IL) (j: IL) => special(Special::Bitwise(Ir::Ior));
    "xor" (i: IL) (j: IL) => special(Special::Bitwise(Ir::Ieor));
    "not" (i: I) => Op(Ir::Not);
    "ishft" (i: I) (shift: I) => OpWith(Ir::Ishft, Type::I4);
    "ishftc" (i: I) (shift: I) [size: I] => special(Special::Ishftc);
    "shiftl" (i: I) (shift: I) => special(Special::Shift(ShiftOp::Left));
    "lshift" (i: I) (shift: I) => special(Special::Shift(ShiftOp::Left));
    "dshiftl" (i: I) (j: I) (shift: I) => special(Special::DoubleShift { left: true });
    "dshiftr" (i: I) (j: I) (shift: I) => special(Special::DoubleShift { left: false });
    "shiftr" (i: I) (shift: I) => special(Special::Shift(ShiftOp::Right));
    "shifta" (i: I) (shift: I) => special(Special::Shift(ShiftOp::Arithmetic));
    "rshift" (i: I) (shift: I) => special(Special::Shift(ShiftOp::Arithmetic));
    "btest" (i: I) (pos: I) => OpWith(Ir::Btest, Type::I4);
    "ibset" (i: I) (pos: I) => OpWith(Ir::Ibset, Type::I4);
    "ibclr" (i: I) (pos: I) => OpWith(Ir::Ibclr, Type::I4);
    "ibits" (i: I) (pos: I) (len: I) => OpWith(Ir::Ibits, Type::I4);
    "popcnt" (i: I) => Op(Ir::Popcnt);
    "poppar" (i: I) => special(Special::Poppar);
    "leadz" (i: I) => Op(Ir::Leadz);
    "trailz" (i: I) => Op(Ir::Trailz);
    "maskl" (i: I) [kind: I] => special(Special::Mask { left: true });
    "maskr" (i: I) [kind: I] => special(Special::Mask { left: false });
    "merge_bits" (i: I) (j: I) (mask: I) => special(Special::MergeBits);
    "bge" (i: I) (j: I) => special(Special::BitCompare(BinaryOp::Ge));
    "bgt" (i: I) (j: I) => special(Special::BitCompare(BinaryOp::Gt));
    "ble" (i: I) (j: I) => special(Special::BitCompare(BinaryOp::Le));
    "blt" (i: I) (j: I) => special(Special::BitCompare(BinaryOp::Lt));
    "merge" (tsource: ANY) (fsource: ANY) (mask: L) => special(Special::Merge);
    "isnan" (x: R) => Op(Ir::IsNan);
    "fraction" (x: R) => Op(Ir::Fraction);
    "exponent" (x: R) => Op(Ir::Exponent);
    "scale" (x: R) (i: I) => OpWith(Ir::Scale, Type::I4);
    "set_exponent" (x: R) (i: I) => OpWith(Ir::SetExponent, Type::I4);
    "nearest" (x: R) (s: R) => Op(Ir::Nearest);
    "spacing" (x: R) => Op(Ir::Spacing);
    "rrspacing" (x: R) => Op(Ir::Rrspacing);
    "achar" (i: I) [kind: I] => special(Special::Achar);
    "char" (i: I) [kind: I] => special(Special::Achar);
    "iachar" (c: H) [kind: I] => special(Special::Ichar);
    "ichar" (c: H) [kind: I] => special(Special::Ichar);
    "lge" (string_a: H) (string_b: H) => special(Special::LexCompare(BinaryOp::Ge));
    "lgt" (string_a: H) (string_b: H) => special(Special::LexCompare(BinaryOp::Gt));
    "lle" (string_a: H) (string_b: H) => special(Special::LexCompare(BinaryOp::Le));
    "llt" (string_a: H) (string_b: H) => special(Special::LexCompare(BinaryOp::Lt));
    "index" (string: H) (substring: H) [back: L] [kind: I] => special(Special::Index);
    "scan" (string: H) (set: H) [back: L] [kind: I] => special(Special::Scan);
    "verify" (string: H) (set: H) [back: L] [kind: I] => special(Special::Verify);
    "len" (string: H) [kind: I] => inquiry(Inquiry::Len);
    "len_trim" (string: H) [kind: I] => special(Special::LenTrim);
    "lnblnk" (string: H) => special(Special::LenTrim);
    "adjustl" (string: H) => special(Special::Adjust { left: true });
    "adjustr" (string: H) => special(Special::Adjust { left: false });
    "trim" (string: H) => special(Special::Trim);
    "repeat" (string: H) (ncopies: I) => special(Special::Repeat);
    "new_line" (a: H) => special(Special::NewLine);
    "kind" (x: ANY) => model(Model::Kind);
    "bit_size" (i: I) => model(Model::BitSize);
    "digits" (x: IR) => model(Model::Digits);
    "epsilon" (x: R) => model(Model::Epsilon);
    "huge" (x: IR) => model(Model::Huge);
    "maxexponent" (x: R) => model(Model::MaxExponent);
    "minexponent" (x: R) => model(Model::MinExponent);
    "precision" (x: RC) => model(Model::Precision);
    "radix" (x: IR) => model(Model::Radix);
    "range" (x: NUM) => model(Model::Range);
    "tiny" (x: R) => model(Model::Tiny);
    "selected_int_kind" (r: I) => special(Special::SelectedKind);
    "selected_real_kind" [p: I] [r: I] [radix: I] => special(Special::SelectedKind);
    "selected_char_kind" (name: H) => special(Special::SelectedKind);
    "size" (array: ANY) [dim: I] [kind: I] => inquiry(Inquiry::Size);
    "shape" (source: ANY) [kind: I] => inquiry(Inquiry::Shape);
    "lbound" (array: ANY) [dim: I] [kind: I] => inquiry(Inquiry::Lbound);
    "ubound" (array: ANY) [dim: I] [kind: I] => inquiry(Inquiry::Ubound);
    "allocated" (array: ANY) => inquiry(Inquiry::Allocated);
    "associated" (pointer: ANY) [target: ANY] => inquiry(Inquiry::Associated);
    "null" [mold: ANY] => inquiry(Inquiry::Null);
    "present" (a: ANY) => inquiry(Inquiry::Present);
    "is_contiguous" (array: ANY) => inquiry(Inquiry::IsContiguous);
    "storage_size" (a: ANY) [kind: I] => inquiry(Inquiry::StorageSize);
    "rank" (a: ANY) => inquiry(Inquiry::Rank);
    "sizeof" (x: ANY) => inquiry(Inquiry::SizeOf);
    "c_sizeof" (x: ANY) => inquiry(Inquiry::CSizeOf);
    "c_loc" (x: ANY) => inquiry(Inquiry::CLoc);
    "c_funloc" (x: ANY) => inquiry(Inquiry::CFunLoc);
    "c_associated" (c_ptr_1: ANY) [c_ptr_2: ANY] => inquiry(Inquiry::CAssociated);
    "sum" (array: NUM) [dim: IL] [mask: L] => Reduce(Ir::Sum);
    "product" (array: NUM) [dim: IL] [mask: L] => Reduce(Ir::Product);
    "maxval" (array: IRH) [dim: IL] [mask: L] => Reduce(Ir::Maxval);
    "minval" (array: IRH) [dim: IL] [mask: L] => Reduce(Ir::Minval);
    "iall" (array: I) [dim: IL] [mask: L] => Reduce(Ir::Iall);
    "iany" (array: I) [dim: IL] [mask: L] => Reduce(Ir::Iany);
    "iparity" (array: I) [dim: IL] [mask: L] => Reduce(Ir::Iparity);
    "maxloc" (array: IRH) [dim: IL] [mask: L] [kind: I] [back: L] => Reduce(Ir::Maxloc);
    "minloc" (array: IRH) [dim: IL] [mask: L] [kind: I] [back: L] => Reduce(Ir::Minloc);
    "findloc" (array: ANY) (value: ANY) [dim: IL] [mask: L] [kind: I] [back: L] => special(Special::Findloc);
    "count" (mask: L) [dim: I] [kind: I] => Array(Ir::Count);
    "any" (mask: L) [dim: I] => Array(Ir::Any);
    "all" (mask: L) [dim: I] => Array(Ir::All);
    "parity" (mask: L) [dim: I] => Array(Ir::Parity);
    "norm2" (x: R) [dim: I] => Array(Ir::Norm2);
    "dot_product" (vector_a: NUMLOG) (vector_b: NUMLOG) => Array(Ir::DotProduct);
    "matmul" (matrix_a: NUMLOG) (matrix_b: NUMLOG) => Array(Ir::Matmul);
    "transpose" (matrix: ANY) => Array(Ir::Transpose);
    "cshift" (array: ANY) (shift: I) [dim: I] => Array(Ir::Cshift);
    "eoshift" (array: ANY) (shift: I) [boundary: ANY] [dim: I] => Array(Ir::Eoshift);
    "spread" (source: ANY) (dim: I) (ncopies: I) => Array(Ir::Spread);
    "reshape" (source: ANY) (shape: I) [pad: ANY] [order: I] => Array(Ir::Reshape);
    "pack" (array: ANY) (mask: L) [vector: ANY] => Array(Ir::Pack);
    "unpack" (vector: ANY) (mask: L) (field: ANY) => Array(Ir::Unpack);
    "transfer" (source: ANY) (mold: ANY) [size: I] => special(Special::Transfer);
    "is_iostat_end" (i: I) => special(Special::IsCode(-1));
    "is_iostat_eor" (i: I) => special(Special::IsCode(-2));
    "ieee_is_nan" (x: R) => special(Special::Ieee(Ieee::IsNan));
    "ieee_is_finite" (x: R) => special(Special::Ieee(Ieee::IsFinite));
    "ieee_is_normal" (x: R) => special(Special::Ieee(Ieee::IsNormal));
    "ieee_is_negative" (x: R) => special(Special::Ieee(Ieee::IsNegative));
    "ieee_unordered" (x: R) (y: R) => special(Special::Ieee(Ieee::Unordered));
    "ieee_copy_sign" (x: R) (y: R) => special(Special::Ieee(Ieee::CopySign));
    "ieee_next_after" (x: R) (y: R) => special(Special::Ieee(Ieee::NextAfter));
    "ieee_support_subnormal" [x: R] => special(Special::Ieee(Ieee::Support));
    "ieee_support_divide" [x: R] => special(Special::Ieee(Ieee::Support));
    "ieee_support_io" [x: R] => special(Special::Ieee(Ieee::Support));
    "ieee_support_sqrt" [x: R] => special(Special::Ieee(Ieee::Support));
    "ieee_support_underflow_control" [x: R] => special(Special::Ieee(Ieee::Support));
    "ieee_support_rounding" (round_value: ANY) [x: R] => special(Special::Ieee(Ieee::Support));
    "ieee_support_flag" (flag: ANY) [x: R] => special(Special::Ieee(Ieee::Support));
    "ieee_support_halting" (flag: ANY) => special(Special::Ieee(Ieee::Support));
    "ieee_support_nan" [x: R] => special(Special::Ieee(Ieee::Support));
    "ieee_support_inf" [x: R] => special(Special::Ieee(Ieee::Support));
    "ieee_support_datatype" [x: R] => special(Special::Ieee(Ieee::Support));
    "ieee_support_denormal" [x: R] => special(Special::Ieee(Ieee::Support));
    "ieee_support_standard" [x: R] => special(Special::Ieee(Ieee::Support));
    "ieee_selected_real_kind" [p: I] [r: I] [radix: I] => special(Special::SelectedKind);
    "compiler_version" => special(Special::CompilerVersion);
    "compiler_options" => special(Special::CompilerOptions);
    "command_argument_count" => special(Special::CommandArgumentCount);
    "number_of_processors" [dim: I] => special(Special::Processors);
    "my_processor" => special(Special::MyProcessor);
    "processors_shape" => special(Special::ProcessorsShape);
    "iargc" => special(Special::CommandArgumentCount);
    "cpu_time" (time: R) => sub(Subroutine::CpuTime);
    "system_clock" [count: I] [count_rate: IR] [count_max: I] => sub(Subroutine::SystemClock);
    "date_and_time" [date: H] [time: H] [zone: H] [values: I] => sub(Subroutine::DateAndTime);
    "random_number" (harvest: R) => sub(Subroutine::RandomNumber);
    "random_seed" [size: I] [put: I] [get: I] => sub(Subroutine::RandomSeed);
    "get_command_argument" (number: I) [value: H] [length: I] [status: I] => sub(Subroutine::GetCommandArgument);
    "get_command" [command: H] [length: I] [status: I] => sub(Subroutine::GetCommand);
    "get_environment_variable" (name: H) [value: H] [length: I] [status: I] [trim_name: L]
        => sub(Subroutine::GetEnvironmentVariable);
    "execute_command_line" (command: H) [wait: L] [exitstat: I] [cmdstat: I] [cmdmsg: H]
        => sub(Subroutine::ExecuteCommandLine);
    "getarg" (pos: I) (value: H) => sub(Subroutine::GetCommandArgument);
    "exit" [status: I] => sub(Subroutine::Exit);
    "move_alloc" (from: ANY) (to: ANY) => sub(Subroutine::MoveAlloc);
    "c_f_pointer" (cptr: ANY) (fptr: ANY) [shape: I] [lower: I] => sub(Subroutine::CFPointer);
    "c_f_procpointer" (cptr: ANY) (fptr: ANY) => sub(Subroutine::CFProcPointer);
    "mvbits" (from: I) (frompos: I) (len: I) (to: I) (topos: I) => sub(Subroutine::Mvbits);
    "flush" [unit: I] => sub(Subroutine::Flush);
}
