//! Categories and kinds of the intrinsic types.

use trueline_ir::Type;

/// An intrinsic type without its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Category {
    Integer,
    Real,
    Complex,
    Logical,
    Character,
}

impl Category {
    /// The category of a type.
    pub fn of(ty: Type) -> Category {
        match ty {
            Type::I1 | Type::I2 | Type::I4 | Type::I8 => Category::Integer,
            Type::R4 | Type::R8 | Type::R16 => Category::Real,
            Type::C4 | Type::C8 | Type::C16 => Category::Complex,
            Type::L1 | Type::L2 | Type::L4 | Type::L8 => Category::Logical,
            Type::Char => Category::Character,
            vector => Category::of(vector.lane()),
        }
    }

    /// The Fortran keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Category::Integer => "INTEGER",
            Category::Real => "REAL",
            Category::Complex => "COMPLEX",
            Category::Logical => "LOGICAL",
            Category::Character => "CHARACTER",
        }
    }

    /// The type of this category with kind type parameter `kind`, if there is one.
    pub fn with_kind(self, kind: i64) -> Option<Type> {
        Some(match (self, kind) {
            (Category::Integer, 1) => Type::I1,
            (Category::Integer, 2) => Type::I2,
            (Category::Integer, 4) => Type::I4,
            (Category::Integer, 8) => Type::I8,
            (Category::Real, 4) => Type::R4,
            (Category::Real, 8) => Type::R8,
            (Category::Real, 16) => Type::R16,
            (Category::Complex, 16) => Type::C16,
            (Category::Complex, 4) => Type::C4,
            (Category::Complex, 8) => Type::C8,
            (Category::Logical, 1) => Type::L1,
            (Category::Logical, 2) => Type::L2,
            (Category::Logical, 4) => Type::L4,
            (Category::Logical, 8) => Type::L8,
            (Category::Character, 1) => Type::Char,
            _ => return None,
        })
    }

    /// The kinds there are, in words.
    pub fn kinds(self) -> &'static str {
        match self {
            Category::Integer | Category::Logical => "1, 2, 4 and 8",
            Category::Real | Category::Complex => "4, 8 and 16",
            Category::Character => "1",
        }
    }

    /// Whether arithmetic is defined.
    pub fn is_numeric(self) -> bool {
        matches!(self, Category::Integer | Category::Real | Category::Complex)
    }
}

/// The kind type parameter.
pub fn kind_of(ty: Type) -> i64 {
    ty.part().size() as i64
}

/// The type of an arithmetic operation on operands of types `a` and `b`.
pub fn common_type(a: Type, b: Type) -> Option<Type> {
    let (ca, cb) = (Category::of(a), Category::of(b));
    let kind = kind_of(a).max(kind_of(b));
    match (ca, cb) {
        (x, y) if x == y => x.with_kind(kind),
        (Category::Integer, Category::Real | Category::Complex) => Some(b),
        (Category::Real | Category::Complex, Category::Integer) => Some(a),
        (Category::Real, Category::Complex) | (Category::Complex, Category::Real) => Category::Complex.with_kind(kind),
        _ => None,
    }
}

/// The range of an integer type.
pub fn int_range(ty: Type) -> (i64, i64) {
    match ty {
        Type::I1 => (i8::MIN.into(), i8::MAX.into()),
        Type::I2 => (i16::MIN.into(), i16::MAX.into()),
        Type::I4 => (i32::MIN.into(), i32::MAX.into()),
        _ => (i64::MIN, i64::MAX),
    }
}

/// A type as the source writes it: `REAL(8)`.
pub fn type_name(ty: Type) -> String {
    match ty {
        Type::Char => "CHARACTER".to_owned(),
        ty => format!("{}({})", Category::of(ty).keyword(), kind_of(ty)),
    }
}

/// gfortran's number of a type.
pub fn type_number(ty: Type) -> i64 {
    match Category::of(ty) {
        Category::Integer => 1,
        Category::Logical => 2,
        Category::Real => 3,
        Category::Complex => 4,
        Category::Character => 6,
    }
}
