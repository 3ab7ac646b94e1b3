//! The intrinsic procedures, one row each: name, arguments, and the rule that types and lowers a call.
//!
//! ```text
//! abs (a: NUM)            => Op(Ir::Abs)        generic: any numeric argument
//! dsqrt (x: R8)           => Op(Ir::Sqrt)       specific name: that type only
//! max (a: IR, b: IR, ...) => Fold(Ir::Max, ..)  any number of arguments, from the left
//! sum (array: NUM, [dim: I], [mask: L]) => Reduce(Ir::Sum)
//! ```
//!
//! Why a table and not a function for each: name lookup, keyword arguments, argument checks, generic
//! resolution and the list in the documentation are then one thing each, and a new intrinsic is a row.

pub(crate) mod language;
pub mod library;
pub(crate) mod of_modules;
pub(crate) mod table;

use crate::intrinsic::table::TABLE;
use trueline_ir::{BinaryOp, Intrinsic as Ir, Type};

/// The actual arguments in the order of the row, absent ones none; a variadic row's follow.
pub type Actuals = smallvec::SmallVec<[Option<trueline_syntax::ast::ExprId>; 4]>;

/// A set of types that an argument may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class(u16);

#[allow(missing_docs)]
impl Class {
    pub const I: Class = Class(0x00f);
    pub const R: Class = Class(0x2030);
    pub const C: Class = Class(0x40c0);
    pub const L: Class = Class(0xf00);
    pub const H: Class = Class(0x1000);
    pub const IR: Class = Class(0x203f);
    pub const RC: Class = Class(0x60f0);
    pub const NUM: Class = Class(0x60ff);
    pub const NUMLOG: Class = Class(0x6fff);
    pub const IL: Class = Class(0xf0f);
    pub const IRH: Class = Class(0x303f);
    pub const ANY: Class = Class(0x7fff);
    pub const R4: Class = Class::only(Type::R4);
    pub const R8: Class = Class::only(Type::R8);
    pub const C4: Class = Class::only(Type::C4);
    pub const C8: Class = Class::only(Type::C8);

    const fn only(ty: Type) -> Class {
        Class(1 << (ty as i32 - 1))
    }

    /// The only type of a specific intrinsic's argument.
    pub fn single(self) -> Option<Type> {
        Type::ALL.into_iter().find(|&t| Class::only(t) == self)
    }

    /// Whether a value of type `ty` is accepted.
    pub fn accepts(self, ty: Type) -> bool {
        self.0 & Class::only(ty).0 != 0
    }

    /// The set in words, for diagnostics.
    pub fn text(self) -> String {
        const WORDS: [(Class, &str); 5] = [
            (Class::I, "INTEGER"),
            (Class::R, "REAL"),
            (Class::C, "COMPLEX"),
            (Class::L, "LOGICAL"),
            (Class::H, "CHARACTER"),
        ];
        if let Some(&one) = Type::ALL.iter().find(|&&t| Class::only(t) == self) {
            return crate::types::kinds::type_name(one);
        }
        let words: Vec<&str> = WORDS.iter().filter(|(c, _)| self.0 & c.0 != 0).map(|(_, w)| *w).collect();
        words.join(" or ")
    }
}

/// A dummy argument of an intrinsic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arg {
    /// Its keyword.
    pub name: &'static str,
    /// The types that it may have.
    pub class: Class,
    /// Whether it may be absent.
    pub optional: bool,
}

/// The rule by which a call is typed and lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Elemental: an IR intrinsic on the arguments, brought to their common type.
    Op(Ir),
    /// Elemental: an IR intrinsic on the arguments as they are, the second and later ones brought to
    /// the given type (bit positions, exponents).
    OpWith(Ir, Type),
    /// MAX and MIN: a left fold; the result is converted (AMAX0, MAX1).
    Fold(Ir, Option<Type>),
    /// Conversion to this type, or to its kind given by KIND=.
    Convert(Type),
    /// NINT, FLOOR, CEILING: the IR intrinsics to kind 4 and to kind 8.
    Round(Ir, Ir),
    /// AINT, ANINT with KIND=.
    Whole(Ir),
    /// Something of its own.
    Special(Special),
    /// A constant that only the argument's type and kind decide.
    Model(Model),
    /// SUM, MAXVAL …: (array, dim, mask), where a LOGICAL second argument is the mask.
    Reduce(Ir),
    /// Other transformational functions: IR intrinsic with positional arguments.
    Array(Ir),
    /// A question about an array or a string.
    Inquiry(Inquiry),
    /// A subroutine.
    Subroutine(Subroutine),
    /// A procedure of the runtime, called as one of the program is.
    Library(crate::intrinsic::library::Library),
}

/// Functions lowered by code of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Special {
    /// CMPLX(x, y, kind) and DCMPLX, to the given type.
    Cmplx(Type),
    Complex,
    RealPart,
    Dprod,
    Shift(ShiftOp),
    Ishftc,
    MergeBits,
    Poppar,
    Mask {
        left: bool,
    },
    BitCompare(BinaryOp),
    Merge,
    Atan,
    Achar,
    Ichar,
    LexCompare(BinaryOp),
    Index,
    Scan,
    Verify,
    LenTrim,
    Adjust {
        left: bool,
    },
    Trim,
    Repeat,
    NewLine,
    Transfer,
    SelectedKind,
    CommandArgumentCount,
    /// NUMBER_OF_PROCESSORS of HPF.
    Processors,
    /// MY_PROCESSOR of HPF_LOCAL_LIBRARY.
    MyProcessor,
    /// PROCESSORS_SHAPE of HPF.
    ProcessorsShape,
    /// IS_IOSTAT_END and IS_IOSTAT_EOR: whether the argument is this code.
    IsCode(i64),
    /// DSHIFTL and DSHIFTR.
    DoubleShift {
        left: bool,
    },
    Findloc,
    /// BESSEL_JN and BESSEL_YN: the functions of one order, or of a range of orders.
    Bessel(Ir),
    ErfcScaled,
    /// AND, OR and XOR: of the bits of integers, or of logical values.
    Bitwise(Ir),
    /// The functions of IEEE_ARITHMETIC.
    Ieee(Ieee),
    CompilerVersion,
    CompilerOptions,
}

/// A function of IEEE_ARITHMETIC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Ieee {
    IsNan,
    IsFinite,
    IsNormal,
    IsNegative,
    Unordered,
    CopySign,
    NextAfter,
    Support,
}

/// A kind of shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ShiftOp {
    Left,
    Right,
    Arithmetic,
}

/// Numeric inquiry functions: constants of the argument's kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Model {
    Kind,
    BitSize,
    Digits,
    Epsilon,
    Huge,
    MaxExponent,
    MinExponent,
    Precision,
    Radix,
    Range,
    Tiny,
}

/// Inquiry functions about shape, length and status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Inquiry {
    Size,
    Shape,
    Lbound,
    Ubound,
    Len,
    Allocated,
    Associated,
    Null,
    Present,
    IsContiguous,
    SizeOf,
    /// C_SIZEOF
    CSizeOf,
    /// C_LOC
    CLoc,
    /// C_FUNLOC
    CFunLoc,
    /// C_ASSOCIATED
    CAssociated,
    StorageSize,
    Rank,
}

/// Intrinsic subroutines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Subroutine {
    CpuTime,
    SystemClock,
    DateAndTime,
    RandomNumber,
    RandomSeed,
    GetCommandArgument,
    Exit,
    MoveAlloc,
    Mvbits,
    Flush,
    GetCommand,
    GetEnvironmentVariable,
    ExecuteCommandLine,
    CFPointer,
    CFProcPointer,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Intrinsic {
    /// The name, lower case.
    pub name: &'static str,
    /// The dummy arguments in order.
    pub args: &'static [Arg],
    /// Whether more arguments like the last may follow.
    pub variadic: bool,
    /// The meaning of a call.
    pub rule: Rule,
}

impl Intrinsic {
    /// Whether it is called with CALL.
    pub fn is_subroutine(&self) -> bool {
        match self.rule {
            Rule::Subroutine(_) => true,
            Rule::Library(library) => library.gives == crate::intrinsic::library::Gives::Nothing,
            _ => false,
        }
    }

    /// Whether the result is an INTEGER of default kind, as long as no KIND= says otherwise.
    pub fn gives_default_integer(&self) -> bool {
        match self.rule {
            Rule::Model(m) => !matches!(m, Model::BitSize | Model::Huge),
            Rule::Inquiry(i) => matches!(
                i,
                Inquiry::Size
                    | Inquiry::Shape
                    | Inquiry::Lbound
                    | Inquiry::Ubound
                    | Inquiry::Len
                    | Inquiry::StorageSize
                    | Inquiry::Rank
            ),
            Rule::Special(s) => matches!(
                s,
                Special::Index
                    | Special::Scan
                    | Special::Verify
                    | Special::LenTrim
                    | Special::Ichar
                    | Special::SelectedKind
                    | Special::Findloc
                    | Special::Poppar
                    | Special::Mask { .. }
                    | Special::CommandArgumentCount
                    | Special::Processors
                    | Special::MyProcessor
                    | Special::ProcessorsShape
            ),
            Rule::Reduce(ir) => matches!(ir, Ir::Maxloc | Ir::Minloc),
            Rule::Array(ir) => ir == Ir::Count,
            Rule::Round(..) => true,
            Rule::Convert(ty) => ty == Type::I4,
            Rule::Op(ir) => matches!(ir, Ir::Popcnt | Ir::Leadz | Ir::Trailz | Ir::Exponent),
            _ => false,
        }
    }

    /// The position of the argument with this keyword in a call with `count` arguments.
    pub fn position(&self, keyword: &str, count: usize) -> Option<usize> {
        match (self.name, keyword) {
            ("allocated", "scalar") => Some(0),
            // ATAN(X), but ATAN(Y, X).
            ("atan", "x") if count == 1 => Some(0),
            _ => self.args.iter().position(|arg| arg.name == keyword),
        }
    }

    /// The number of arguments that must be given.
    pub fn required(&self) -> usize {
        self.args.iter().filter(|a| !a.optional).count()
    }
}

/// The intrinsic procedure of that name (lower case).
pub fn lookup(name: &str) -> Option<&'static Intrinsic> {
    use std::sync::OnceLock;
    static INDEX: OnceLock<rustc_hash::FxHashMap<&'static str, &'static Intrinsic>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut rows = crate::intrinsic::library::rows();
        rows.extend(TABLE.iter().map(|row| (row.name, row)));
        rows
    });
    index.get(name).copied()
}

/// The intrinsic procedure of that name that is there without any USE.
pub fn visible(name: &str) -> Option<&'static Intrinsic> {
    lookup(name).filter(|_| !crate::intrinsic::of_modules::needs_use(name))
}

/// The intrinsic that `CALL name` means: the subroutine if a function has the same name.
pub fn lookup_subroutine(name: &str) -> Option<&'static Intrinsic> {
    crate::intrinsic::library::subroutine(name).or_else(|| lookup(name))
}

/// Whether a procedure of the program comes before the intrinsic of that name: it is one of the extensions.
pub fn gives_way(name: &str) -> bool {
    matches!(name, "number_of_processors" | "processors_shape")
        || crate::intrinsic::library::function(name).is_some()
        || crate::intrinsic::library::subroutine(name).is_some()
}

/// The runtime's function that stands for an intrinsic passed as an argument, and the type of its
/// result. A generic name means the function of default type.
pub fn specific(name: &str) -> Option<(String, Type)> {
    let row = lookup(name)?;
    let own = match row.rule {
        Rule::Special(Special::Dprod) => Some(("dprod", Type::R8)),
        Rule::Special(Special::Index) => Some(("index", Type::I4)),
        Rule::Special(Special::Ichar) if name == "ichar" => Some(("ichar", Type::I4)),
        Rule::Inquiry(Inquiry::Len) => Some(("len", Type::I4)),
        _ => None,
    };
    if let Some((word, ty)) = own {
        return Some((format!("trueline_specific_{word}"), ty));
    }
    let (ir, class) = match row.rule {
        Rule::Op(ir) => (ir, row.args.first()?.class),
        Rule::Whole(ir) | Rule::Round(ir, _) => (ir, row.args.first()?.class),
        Rule::Special(Special::Atan) => (Ir::Atan, Class::R),
        _ => return None,
    };
    if let Some(&ty) = [Type::C4, Type::C8].iter().find(|&&t| class.accepts(t))
        && !class.accepts(Type::R4)
        && !class.accepts(Type::R8)
    {
        return specific_complex(ir, ty);
    }
    let is_integer = matches!(name, "iabs" | "mod" | "isign" | "idim");
    let ty = if is_integer { Type::I4 } else { *[Type::R4, Type::R8].iter().find(|&&t| class.accepts(t))? };
    const REAL: &[Ir] = &[
        Ir::Abs,
        Ir::Sqrt,
        Ir::Exp,
        Ir::Log,
        Ir::Log10,
        Ir::Sin,
        Ir::Cos,
        Ir::Tan,
        Ir::Asin,
        Ir::Acos,
        Ir::Atan,
        Ir::Sinh,
        Ir::Cosh,
        Ir::Tanh,
        Ir::Aint,
        Ir::Anint,
        Ir::Nint,
        Ir::Atan2,
        Ir::Mod,
        Ir::Sign,
        Ir::Dim,
        Ir::Acosh,
        Ir::Asinh,
        Ir::Atanh,
    ];
    let (suffix, result) = match ty {
        Type::I4 => ("i4", Type::I4),
        Type::R4 => ("r4", if ir == Ir::Nint { Type::I4 } else { Type::R4 }),
        _ => ("r8", if ir == Ir::Nint { Type::I4 } else { Type::R8 }),
    };
    REAL.contains(&ir).then(|| (format!("trueline_specific_{}_{suffix}", ir.name()), result))
}

/// The same of a function of complex numbers.
fn specific_complex(ir: Ir, ty: Type) -> Option<(String, Type)> {
    let (word, gives_part) = match ir {
        Ir::Abs => ("abs", true),
        Ir::ImagPart => ("imag", true),
        Ir::Sqrt => ("sqrt", false),
        Ir::Exp => ("exp", false),
        Ir::Log => ("log", false),
        Ir::Sin => ("sin", false),
        Ir::Cos => ("cos", false),
        Ir::Conjg => ("conjg", false),
        _ => return None,
    };
    let (suffix, part) = if ty == Type::C4 { ("c4", Type::R4) } else { ("c8", Type::R8) };
    Some((format!("trueline_specific_{word}_{suffix}"), if gives_part { part } else { ty }))
}

/// Every name, for "did you mean" and the documentation.
pub fn names<'a>() -> impl Iterator<Item = &'a str> {
    TABLE.iter().map(|row| -> &'a str { row.name }).chain(crate::intrinsic::library::names())
}
