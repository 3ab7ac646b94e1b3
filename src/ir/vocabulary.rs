//! The words of the text format, shared by the printer and the reader.

use crate::{Access, Intrinsic, Level, Linkage, ProbeOp, Type, UnitKind};
use trueline_provenance::Measure;

/// The set of a statement starts at this column, so that a column of sets can be read downwards.
pub(crate) const SET_COLUMN: usize = 48;

/// Expressions nested deeper than this are an error (the bound of the whole compiler).
pub(crate) const MAX_DEPTH: usize = 2000;

/// Blocks nested deeper than this are an error.
pub(crate) const MAX_NESTING: usize = 1000;

/// The largest rank of an array (Fortran 2008).
pub(crate) const MAX_RANK: usize = 15;

pub(crate) const TYPES: [(Type, &str); 37] = [
    (Type::I1, "i1"),
    (Type::I2, "i2"),
    (Type::I4, "i4"),
    (Type::I8, "i8"),
    (Type::R4, "r4"),
    (Type::R8, "r8"),
    (Type::C4, "c4"),
    (Type::C8, "c8"),
    (Type::L1, "l1"),
    (Type::L2, "l2"),
    (Type::L4, "l4"),
    (Type::L8, "l8"),
    (Type::Char, "char"),
    (Type::R16, "r16"),
    (Type::C16, "c16"),
    (Type::I4x4, "i4x4"),
    (Type::I8x2, "i8x2"),
    (Type::R4x4, "r4x4"),
    (Type::R8x2, "r8x2"),
    (Type::L4x4, "l4x4"),
    (Type::L8x2, "l8x2"),
    (Type::I1x16, "i1x16"),
    (Type::L1x16, "l1x16"),
    (Type::I4x8, "i4x8"),
    (Type::I8x4, "i8x4"),
    (Type::R4x8, "r4x8"),
    (Type::R8x4, "r8x4"),
    (Type::L4x8, "l4x8"),
    (Type::L8x4, "l8x4"),
    (Type::C4x4, "c4x4"),
    (Type::C8x2, "c8x2"),
    (Type::I4x16, "i4x16"),
    (Type::I8x8, "i8x8"),
    (Type::R4x16, "r4x16"),
    (Type::R8x8, "r8x8"),
    (Type::L4x16, "l4x16"),
    (Type::L8x8, "l8x8"),
];

pub(crate) const KINDS: [(UnitKind, &str); 4] = [
    (UnitKind::Program, "program"),
    (UnitKind::Subroutine, "subroutine"),
    (UnitKind::Function, "function"),
    (UnitKind::Data, "data"),
];

pub(crate) const LEVELS: [(Level, &str); 4] = [(Level::Vh, "vh"), (Level::H, "h"), (Level::M, "m"), (Level::L, "l")];

pub(crate) const LINKAGES: [(Linkage, &str); 5] = [
    (Linkage::Local, "local"),
    (Linkage::Shared, "shared"),
    (Linkage::Export, "export"),
    (Linkage::Import, "import"),
    (Linkage::Common, "common"),
];

pub(crate) const ORIGINS: [(crate::mapping::Origin, &str); 3] = [
    (crate::mapping::Origin::Prescribed, "prescribed"),
    (crate::mapping::Origin::Described, "described"),
    (crate::mapping::Origin::Inherited, "inherited"),
];

pub(crate) const ACCESSES: [(Access, &str); 3] = [(Access::In, "in"), (Access::Out, "out"), (Access::InOut, "inout")];

pub(crate) const PROBES: [(ProbeOp, &str); 6] = [
    (ProbeOp::StartProcedure, "start_procedure"),
    (ProbeOp::EndProcedure, "end_procedure"),
    (ProbeOp::StartLoop, "start_loop"),
    (ProbeOp::EndLoop, "end_loop"),
    (ProbeOp::StartRegion, "start_region"),
    (ProbeOp::EndRegion, "end_region"),
];

/// Words that start a statement or stand for a value: a symbol of that name is written in backquotes.
const KEYWORDS: [&str; 31] = [
    "call",
    "goto",
    "return",
    "if",
    "else",
    "end",
    "do",
    "where",
    "elsewhere",
    "forall",
    "select",
    "case",
    "ifarith",
    "branch",
    "store",
    "tally",
    "tripsopen",
    "tripsclose",
    "trips",
    "tripsspread",
    "times",
    "ghost",
    "ghostif",
    "ghostdo",
    "ghoststore",
    "ghostcall",
    "probe",
    "none",
    "null",
    "prepared",
    "entry",
];

/// The word for `key` in `table`.
pub(crate) fn word<K: Copy + PartialEq>(table: &[(K, &'static str)], key: K) -> &'static str {
    table.iter().find(|(k, _)| *k == key).map_or("?", |(_, w)| w)
}

/// The meaning of `word` in `table`.
pub(crate) fn by_word<K: Copy>(table: &[(K, &'static str)], word: &str) -> Option<K> {
    table.iter().find(|(_, w)| *w == word).map(|(k, _)| *k)
}

/// The measure that `word` stands for; [`Measure::name`] is the other way.
pub(crate) fn measure_by_word(word: &str) -> Option<Measure> {
    let numbered = |prefix: &str| word.strip_prefix(prefix).and_then(|k| k.parse().ok());
    match word {
        "invocations" => Some(Measure::Invocations),
        "iterations" => Some(Measure::Iterations),
        "evaluations" => Some(Measure::Evaluations),
        "elements" => Some(Measure::Elements),
        "trips" => Some(Measure::Trips),
        _ => {
            let of = || word.strip_prefix("trips.of.").and_then(|n| n.parse().ok()).map(Measure::TripsOf);
            let share = || word.strip_prefix("share.").and_then(|n| n.parse().ok()).map(Measure::Share);
            let of_arm = numbered("taken.").map(Measure::Taken);
            of_arm.or_else(|| numbered("calls.").map(Measure::Calls)).or_else(of).or_else(share)
        }
    }
}

/// Whether `word` is a function in an expression: an intrinsic, a conversion, an address.
pub(crate) fn is_function(word: &str) -> bool {
    let typed = ["load_", "bitcast_", "wide_"].iter().find_map(|p| word.strip_prefix(p)).unwrap_or(word);
    word == "addr" || by_word(&TYPES, typed).is_some() || Intrinsic::by_name(word).is_some()
}

/// Whether a symbol called `name` can be written as it is.
pub(crate) fn is_plain(name: &str) -> bool {
    let mut chars = name.chars();
    let starts = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    let is_label = name.strip_prefix('L').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    starts
        && !is_label
        && !name.ends_with('.')
        && !name.contains("..")
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '#' | '$'))
        && !KEYWORDS.contains(&name)
}

/// `name` as it stands in text: bare, or in backquotes.
pub(crate) fn quoted(name: &str, plain: bool) -> String {
    if plain && is_plain(name) {
        return name.to_owned();
    }
    let mut out = String::from("`");
    out.push_str(&escaped(name.as_bytes(), '`'));
    out.push('`');
    out
}

/// `text` with everything that is not printable ASCII as `\xHH`.
pub(crate) fn escaped(text: &[u8], quote: char) -> String {
    let mut out = String::new();
    for &b in text {
        let c = char::from(b);
        if c == quote || c == '\\' {
            out.push('\\');
            out.push(c);
        } else if (b' '..0x7f).contains(&b) {
            out.push(c);
        } else {
            out.push_str(&format!("\\x{b:02x}"));
        }
    }
    out
}

/// The linker symbol a unit has unless its header says otherwise.
pub(crate) fn default_symbol(kind: UnitKind, name: &str) -> String {
    match kind {
        UnitKind::Program => "MAIN__".to_owned(),
        _ => format!("{name}_"),
    }
}

/// The least and the largest number of arguments of an intrinsic.
pub(crate) fn arity(i: Intrinsic) -> (usize, usize) {
    use Intrinsic as I;
    match i {
        I::Atan2
        | I::Pow
        | I::PowInt
        | I::PowLong
        | I::Mod
        | I::Modulo
        | I::Sign
        | I::Dim
        | I::Max
        | I::Min
        | I::Cmplx => (2, 2),
        I::Lane | I::Piece | I::Ramp => (2, 2),
        I::Gather => (2, 8),
        I::Alternate => (3, 3),
        I::Iand | I::Ior | I::Ieor | I::Ishft | I::Shifta | I::Btest | I::Ibset | I::Ibclr | I::Hypot => (2, 2),
        I::BesselJn | I::BesselYn | I::Scale | I::SetExponent | I::Nearest | I::DotProduct | I::Matmul => (2, 2),
        I::Ishftc | I::Ibits | I::Merge | I::Trip | I::Spread | I::Unpack => (3, 3),
        I::SumTrips => (8, 8),
        I::Sum | I::Product | I::Maxval | I::Minval | I::Maxloc | I::Minloc | I::Iall | I::Iany | I::Iparity => (1, 3),
        I::Count | I::Any | I::All | I::Parity | I::Norm2 => (1, 2),
        I::Cshift | I::Pack => (2, 3),
        I::Eoshift | I::Reshape => (2, 4),
        _ => (1, 1),
    }
}

/// The type a literal without a suffix has where `hint` is expected.
pub(crate) fn literal_type(hint: Option<Type>, default: Type) -> Type {
    let class = |t: Type| match t.lane() {
        Type::I1 | Type::I2 | Type::I4 | Type::I8 => 0,
        Type::R4 | Type::R8 | Type::R16 => 1,
        Type::C4 | Type::C8 | Type::C16 => 2,
        Type::L1 | Type::L2 | Type::L4 | Type::L8 => 3,
        _ => 4,
    };
    match hint {
        Some(t) if class(t) == class(default) => t,
        _ => default,
    }
}

/// The type that argument `k` of intrinsic `i` is expected to have, given the expected type of the result
/// and the type of the first argument.
pub(crate) fn argument_hint(i: Intrinsic, k: usize, result: Option<Type>, first: Option<Type>) -> Option<Type> {
    match (i, k) {
        (Intrinsic::Gather, _) => first.or(result.map(|t| t.lane())),
        (Intrinsic::Alternate, 2) => Some(Type::I4),
        (_, 0) if i.result(Type::I1) == Type::I1 && i.result(Type::C8) == Type::C8 => result,
        (_, 0) => None,
        _ => first,
    }
}

/// Whether the arguments of `i` are `INTEGER(8)`, so that integers of other kinds are converted.
pub(crate) fn takes_index(i: Intrinsic) -> bool {
    matches!(i, Intrinsic::Trip | Intrinsic::SumTrips)
}
