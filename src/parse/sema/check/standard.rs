//! `-std=`: which standard is the first to have a feature, and which ones call it obsolescent or have deleted it.
//!
//! The table below is all there is to say about a feature; where it is found in the tree is said in [`crate::check::standard::uses`].

pub(crate) mod uses;

use trueline_diag::{Diagnostic, Diagnostics, Span};

/// The standard that a source is to keep to. A later one has all features of the earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Standard {
    /// ANSI X3.9-1978
    F77,
    /// ISO/IEC 1539-1:1997, Fortran 90 included
    F95,
    /// ISO/IEC 1539-1:2004
    F2003,
    /// ISO/IEC 1539-1:2010
    F2008,
    /// ISO/IEC 1539-1:2018
    F2018,
    /// All there is.
    #[default]
    Gnu,
    /// All there is, and features that only old programs use.
    Legacy,
}

use Standard::*;

impl Standard {
    /// The standard after `-std=`.
    pub fn named(name: &str) -> Option<Standard> {
        Some(match name {
            "f77" => F77,
            "f90" | "f95" => F95,
            "f2003" => F2003,
            "f2008" | "f2008ts" => F2008,
            "f2018" => F2018,
            "gnu" => Gnu,
            "legacy" => Legacy,
            _ => return None,
        })
    }

    /// The name in messages.
    fn title(self) -> &'static str {
        match self {
            F77 => "Fortran 77",
            F95 => "Fortran 95",
            F2003 => "Fortran 2003",
            F2008 => "Fortran 2008",
            F2018 => "Fortran 2018",
            Gnu => "GNU Extension",
            Legacy => "Legacy Extension",
        }
    }
}

/// A row: the name of the feature; the first standard that has it; the first that calls it obsolescent; the first without it.
pub type Row = (&'static str, Standard, Option<Standard>, Option<Standard>);

macro_rules! features {
    ($($name:ident: $text:literal, $since:ident $(, obsolescent $old:ident)? $(, deleted $gone:ident)?;)*) => {
        /// A feature that not all standards have.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Feature {
            $($name,)*
        }

        impl Feature {
            pub fn row(self) -> Row {
                match self {
                    $(Feature::$name => ($text, $since, last!($($old)?), last!($($gone)?)),)*
                }
            }
        }
    };
}

macro_rules! last {
    () => {
        None
    };
    ($s:ident) => {
        Some($s)
    };
}

features! {
    FreeForm: "Free source form", F95;
    FullLineComment: "A comment that begins with '!'", F95;
    LongName: "A name of more than 6 characters", F95;
    LongerName: "A name of more than 31 characters", F2003;
    LongestName: "A name of more than 63 characters", Gnu;
    DollarName: "A name with '$'", Gnu;
    LongLine: "A line of more than 132 characters", Gnu;
    Module: "MODULE", F95;
    Use: "USE statement", F95;
    IntrinsicUse: "USE statement with INTRINSIC or NON_INTRINSIC attribute", F2003;
    Contains: "CONTAINS statement", F95;
    Interface: "INTERFACE block", F95;
    AbstractInterface: "ABSTRACT INTERFACE", F2003;
    ModuleProcedureWord: "PROCEDURE statement in an INTERFACE", F2003;
    ProcedureDecl: "PROCEDURE declaration", F2003;
    DerivedType: "Derived type definition", F95;
    AllocatableComponent: "ALLOCATABLE component", F2003;
    AllocatableScalar: "ALLOCATABLE scalar", F2003;
    AllocatableDummy: "ALLOCATABLE dummy argument", F2003;
    DeferredLength: "Deferred length type parameter", F2003;
    Enum: "ENUM", F2003;
    Import: "IMPORT statement", F2003;
    BindC: "BIND(C)", F2003;
    ColonDeclaration: "Type declaration with '::'", F95;
    KindSelector: "KIND in a type declaration", F95;
    KindParameter: "Constant with a kind parameter", F95;
    StarKind: "Nonstandard type declaration", Gnu;
    Byte: "BYTE type", Gnu;
    DoubleComplex: "DOUBLE COMPLEX", Gnu;
    CharacterStar: "Old-style character length", F77, obsolescent F95;
    AttributeStatement: "Attribute statement", F95;
    Asynchronous: "ASYNCHRONOUS attribute", F2003;
    Contiguous: "CONTIGUOUS attribute", F2008;
    Protected: "PROTECTED attribute", F2003;
    Value: "VALUE attribute", F2003;
    Volatile: "VOLATILE attribute", F2003;
    ImplicitNone: "IMPLICIT NONE", F95;
    Namelist: "NAMELIST statement", F95;
    Recursive: "RECURSIVE", F95;
    PureElemental: "PURE or ELEMENTAL procedure", F95;
    Impure: "IMPURE procedure", F2008;
    Result: "RESULT", F95;
    Initialisation: "Initial value in a type declaration", F95;
    PointerInitialisation: "Initial target of a pointer", F2008;
    PointerAssignment: "Pointer assignment", F95;
    Select: "SELECT CASE", F95;
    DoWhile: "DO WHILE", F95;
    DoForever: "DO without loop control", F95;
    EndDo: "END DO", F95;
    ConstructName: "Construct name", F95;
    CycleExit: "CYCLE and EXIT", F95;
    ExitConstruct: "EXIT statement with no do-construct-name", F2008;
    DoConcurrent: "DO CONCURRENT", F2008;
    LabelledDo: "Labeled DO statement", F77, obsolescent F2018;
    SharedTermination: "Shared DO termination label", F77, obsolescent F95, deleted F2018;
    OtherTermination: "DO termination statement which is not END DO or CONTINUE", F77, obsolescent F95, deleted F2018;
    RealDo: "Real DO variable", F77, obsolescent F95, deleted F95;
    ArithmeticIf: "Arithmetic IF statement", F77, obsolescent F95, deleted F2018;
    ComputedGoto: "Computed GOTO", F77, obsolescent F95;
    AssignedGoto: "Assigned GOTO statement", F77, obsolescent F95, deleted F95;
    Assign: "ASSIGN statement", F77, obsolescent F95, deleted F95;
    Pause: "PAUSE statement", F77, obsolescent F95, deleted F95;
    AlternateReturn: "Alternate-return argument", F77, obsolescent F95;
    StatementFunction: "Statement function", F77, obsolescent F95;
    Entry: "ENTRY statement", F77, obsolescent F2008;
    Common: "COMMON block", F77, obsolescent F2018;
    Equivalence: "EQUIVALENCE statement", F77, obsolescent F2018;
    BlockData: "BLOCK DATA construct", F77, obsolescent F2018;
    DataInBody: "DATA statement after the first executable statement", F77, obsolescent F95;
    FixedForm: "Fixed source form", F77, obsolescent F95;
    Where: "WHERE", F95;
    Forall: "FORALL", F95, obsolescent F2018;
    ForallType: "FORALL index with a type", F2008;
    Associate: "ASSOCIATE construct", F2003;
    Block: "BLOCK construct", F2008;
    ErrorStop: "ERROR STOP", F2008;
    StopQuiet: "QUIET in STOP", F2018;
    AssumedType: "TYPE(*)", F2018;
    Allocate: "ALLOCATE and DEALLOCATE", F95;
    AllocateType: "ALLOCATE with a type", F2003;
    AllocateErrmsg: "ERRMSG=", F2003;
    AllocateSource: "SOURCE=", F2003;
    AllocateMold: "MOLD=", F2008;
    Nullify: "NULLIFY statement", F95;
    ArrayConstructor: "Array constructor", F95;
    BracketConstructor: "[...] style array constructors", F2003;
    TypedConstructor: "Array constructor including type specification", F2003;
    Section: "Array section", F95;
    AssumedShape: "Assumed-shape or deferred-shape array", F95;
    StructureComponent: "Component of a structure", F95;
    ComplexPart: "Part of a COMPLEX by %RE or %IM", F2008;
    ArgumentKeyword: "Keyword argument", F95;
    SymbolOperator: "Relational operator as a symbol", F95;
    DefinedOperator: "Defined operator", F95;
    Hollerith: "Hollerith constant", Legacy;
    Boz: "BOZ literal constant", F95;
    BozForm: "BOZ constant with nonstandard letter", Gnu;
    Flush: "FLUSH statement", F2003;
    Wait: "WAIT statement", F2003;
    IoF95: "ADVANCE=, DELIM=, PAD=, POSITION=, ACTION=, SIZE=, EOR= and NML=", F95;
    IoF2003: "ASYNCHRONOUS=, DECIMAL=, ENCODING=, ID=, IOMSG=, PENDING=, POS=, ROUND=, SIGN= and STREAM=", F2003;
    Newunit: "NEWUNIT=", F2008;
    Convert: "CONVERT=", Gnu;
    DecOpen: "CARRIAGECONTROL=, SHARE= and READONLY", Gnu;
    Intrinsic95: "Intrinsic procedure of Fortran 95", F95;
    Intrinsic2003: "Intrinsic procedure of Fortran 2003", F2003;
    Intrinsic2008: "Intrinsic procedure of Fortran 2008", F2008;
    Intrinsic2018: "Intrinsic procedure of Fortran 2018", F2018;
    IntrinsicGnu: "Intrinsic procedure that is in no standard", Gnu;
}

/// The options that decide which features are reported.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Rules {
    /// `-std=`
    pub standard: Standard,
    /// `-pedantic`: extensions and obsolescent features are reported whatever the standard is.
    pub pedantic: bool,
    /// Features that Fortran 95 and 2018 have deleted are reported, though they are accepted.
    pub deleted: bool,
    /// `-fall-intrinsics`: intrinsics that the standard lacks are there.
    pub all_intrinsics: bool,
}

impl Rules {
    /// True if nothing can be reported.
    pub fn is_empty(self) -> bool {
        self.only_deleted() && !self.deleted
    }

    /// True if nothing but deleted features can be reported.
    pub fn only_deleted(self) -> bool {
        self.standard >= Gnu && !self.pedantic
    }

    /// Whether the standard does not have the intrinsic procedure of that name, which is then one of the program.
    pub fn lacks_intrinsic(self, name: &str) -> bool {
        !self.all_intrinsics
            && self.standard < Gnu
            && intrinsic(name).is_some_and(|feature| feature.row().1 > self.standard)
    }

    /// The diagnostic for a feature at a place, if there is one; `what` is the name used there, or empty.
    pub fn judge(self, feature: Feature, span: Span, what: &str) -> Option<Diagnostic> {
        let (text, since, obsolescent, deleted) = feature.row();
        let text = if what.is_empty() { text.to_owned() } else { format!("{text}: {what}") };
        let standard = self.standard;
        if since > standard {
            let message = format!("{}: {text}", since.title());
            let help = format!("-std={} has it", flag_of(since));
            return Some(Diagnostic::error("T0710", span, message).help(help));
        }
        if standard >= Gnu {
            // Many programs use features that only Fortran 2018 discourages.
            let message = match (since >= Gnu, deleted.or(obsolescent.filter(|&old| old <= F95))) {
                _ if !self.pedantic => {
                    let gone = deleted.filter(|_| self.deleted)?;
                    let by = if gone > F95 { "Fortran 2018 deleted" } else { "Deleted" };
                    return Some(Diagnostic::warning("T0711", span, format!("{by} feature: {text}")));
                }
                (true, _) => format!("{}: {text}", since.title()),
                (false, Some(_)) if deleted.is_some() => format!("Deleted feature: {text}"),
                (false, Some(_)) => format!("Obsolescent feature: {text}"),
                (false, None) => return None,
            };
            return Some(Diagnostic::warning("T0711", span, format!("{message} [-Wpedantic]")));
        }
        if let Some(gone) = deleted.filter(|&gone| gone <= standard) {
            return Some(Diagnostic::error("T0712", span, format!("{} deleted feature: {text}", gone.title())));
        }
        obsolescent.filter(|&old| old <= standard)?;
        Some(Diagnostic::warning("T0711", span, format!("Obsolescent feature: {text}")))
    }

    /// Tells of a feature.
    pub fn note(self, feature: Feature, span: Span, what: &str, diags: &mut Diagnostics) {
        if !self.is_empty()
            && let Some(d) = self.judge(feature, span, what)
        {
            diags.push(d);
        }
    }
}

fn flag_of(standard: Standard) -> &'static str {
    match standard {
        F77 => "f77",
        F95 => "f95",
        F2003 => "f2003",
        F2008 => "f2008",
        F2018 => "f2018",
        Gnu => "gnu",
        Legacy => "legacy",
    }
}

/// The intrinsic procedures of FORTRAN 77.
const INTRINSICS_77: &str = "abs acos aimag aint alog alog10 amax0 amax1 amin0 amin1 amod anint asin atan atan2 cabs ccos cexp char clog \
    cmplx conjg cos cosh csin csqrt dabs dacos dasin datan datan2 dble dcos dcosh ddim dexp dim dint dlog dlog10 dmax1 dmin1 dmod dnint \
    dprod dsign dsin dsinh dsqrt dtan dtanh exp float iabs ichar idim idint idnint ifix index int isign len lge lgt lle llt log log10 max \
    max0 max1 min min0 min1 mod nint real sign sin sinh sngl sqrt tan tanh";

/// Intrinsics that Fortran 90 and 95 add.
const INTRINSICS_95: &str = "achar adjustl adjustr all allocated any associated bit_size btest ceiling count cpu_time cshift \
    date_and_time digits dot_product eoshift epsilon exponent floor fraction huge iachar iand ibclr ibits ibset ieor ior ishft ishftc kind \
    lbound len_trim logical matmul maxexponent maxloc maxval merge minexponent minloc minval modulo mvbits nearest not null pack precision \
    present product radix random_number random_seed range repeat reshape rrspacing scale scan selected_int_kind selected_real_kind \
    set_exponent shape size spacing spread sum system_clock tiny transfer transpose trim ubound unpack verify";

/// Intrinsics that Fortran 2003 adds.
const INTRINSICS_2003: &str = "command_argument_count extends_type_of get_command get_command_argument get_environment_variable \
    is_iostat_end is_iostat_eor move_alloc new_line same_type_as selected_char_kind";

/// Intrinsics that Fortran 2008 adds.
const INTRINSICS_2008: &str = "acosh asinh atanh bessel_j0 bessel_j1 bessel_jn bessel_y0 bessel_y1 bessel_yn bge bgt ble blt dshiftl \
    dshiftr erf erfc erfc_scaled execute_command_line findloc gamma hypot iall iany image_index iparity is_contiguous leadz log_gamma maskl \
    maskr merge_bits norm2 num_images parity popcnt poppar shifta shiftl shiftr storage_size this_image trailz atomic_define atomic_ref";

/// Intrinsics that Fortran 2018 adds.
const INTRINSICS_2018: &str =
    "co_broadcast co_max co_min co_reduce co_sum coshape out_of_range random_init reduce rank";

/// The feature that an intrinsic procedure is; none: FORTRAN 77, or a module's.
pub fn intrinsic(name: &str) -> Option<Feature> {
    let among = |list: &str| list.split_whitespace().any(|known| known == name);
    if among(INTRINSICS_77) || name.starts_with("c_") || name.starts_with("ieee_") || name.starts_with("compiler_") {
        return None;
    }
    let lists = [
        (INTRINSICS_95, Feature::Intrinsic95),
        (INTRINSICS_2003, Feature::Intrinsic2003),
        (INTRINSICS_2008, Feature::Intrinsic2008),
        (INTRINSICS_2018, Feature::Intrinsic2018),
    ];
    let found = lists.into_iter().find(|(list, _)| among(list));
    Some(found.map_or(Feature::IntrinsicGnu, |(_, feature)| feature))
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueline_diag::{Severity, SourceMap};

    #[test]
    fn a_feature_is_judged_by_its_row() {
        let mut map = SourceMap::default();
        let span = Span::new(map.add("a.f90", b"x".to_vec()), 0, 1);
        let judge = |standard, pedantic, feature| {
            Rules { standard, pedantic, ..Rules::default() }.judge(feature, span, "").map(|d| (d.severity, d.message))
        };
        let error = |text: &str| Some((Severity::Error, text.to_owned()));
        let warning = |text: &str| Some((Severity::Warning, text.to_owned()));
        assert_eq!(judge(F95, false, Feature::Block), error("Fortran 2008: BLOCK construct"));
        assert_eq!(judge(F2008, false, Feature::Block), None);
        assert_eq!(judge(Gnu, true, Feature::Block), None);
        assert_eq!(judge(F2018, false, Feature::Byte), error("GNU Extension: BYTE type"));
        assert_eq!(judge(Gnu, true, Feature::Byte), warning("GNU Extension: BYTE type [-Wpedantic]"));
        assert_eq!(judge(F77, false, Feature::ArithmeticIf), None);
        assert_eq!(judge(F95, false, Feature::ArithmeticIf), warning("Obsolescent feature: Arithmetic IF statement"));
        assert_eq!(
            judge(F2018, false, Feature::ArithmeticIf),
            error("Fortran 2018 deleted feature: Arithmetic IF statement")
        );
        assert_eq!(judge(F95, false, Feature::Pause), error("Fortran 95 deleted feature: PAUSE statement"));
        assert_eq!(judge(Legacy, false, Feature::Hollerith), None);
    }

    #[test]
    fn intrinsics_have_a_standard() {
        assert_eq!(intrinsic("sqrt"), None);
        assert_eq!(intrinsic("trim"), Some(Feature::Intrinsic95));
        assert_eq!(intrinsic("etime"), Some(Feature::IntrinsicGnu));
    }
}
