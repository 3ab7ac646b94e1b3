//! Procedures beyond the standard that the runtime has, because programs have always called them: ETIME, RAND,
//! GETENV, SYSTEM and the like.
//!
//! A procedure of this name that the compilation defines comes first.

use crate::intrinsic::{Arg, Class, Intrinsic, Rule};
use rustc_hash::FxHashMap;
use trueline_ir::Type;

/// The way an argument is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    /// A number, converted to this type, by the address of a copy.
    In(Type),
    /// A REAL of any kind, which decides the kind of the function.
    Real,
    /// Characters and their length.
    InText,
    /// A character variable and its length.
    OutText,
    /// A variable that gets a number of this type, converted.
    Out(Type),
    /// A variable or array by its address.
    Place,
    /// An integer array that gets a number of values of this type, converted.
    Values(Type, u8),
}

/// The result of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    /// It is a subroutine.
    Nothing,
    /// A number or logical value.
    Number(Type),
    /// A REAL of the kind of its argument.
    Real,
    /// A text of this length.
    Text(i64),
}

/// The convention for calls of a library procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Library {
    /// One for each argument of the row.
    pub passes: &'static [Pass],
    /// The result.
    pub gives: Gives,
}

impl Library {
    /// Whether it is a function of numbers, and as such of the elements of arrays.
    pub fn is_elemental(&self) -> bool {
        let takes_numbers = self.passes.iter().all(|p| matches!(p, Pass::In(Type::I4 | Type::R8) | Pass::Real));
        matches!(self.gives, Gives::Real | Gives::Number(Type::R8)) && takes_numbers
    }
}

macro_rules! class {
    (I4) => {
        Class::I
    };
    (I8) => {
        Class::I
    };
    (R4) => {
        Class::R
    };
    (Real) => {
        Class::R
    };
    (R8) => {
        Class::R8
    };
    (Text) => {
        Class::H
    };
    (ToText) => {
        Class::H
    };
    (ToI4) => {
        Class::I
    };
    (ToR4) => {
        Class::R
    };
    (ToI8) => {
        Class::I
    };
    (L4) => {
        Class::L
    };
    (Three) => {
        Class::I
    };
    (Nine) => {
        Class::I
    };
    (Thirteen) => {
        Class::I
    };
    (R4s) => {
        Class::R4
    };
    (Any) => {
        Class::ANY
    };
}

macro_rules! pass {
    (I4) => {
        Pass::In(Type::I4)
    };
    (I8) => {
        Pass::In(Type::I8)
    };
    (R4) => {
        Pass::In(Type::R4)
    };
    (R8) => {
        Pass::In(Type::R8)
    };
    (Real) => {
        Pass::Real
    };
    (Text) => {
        Pass::InText
    };
    (ToText) => {
        Pass::OutText
    };
    (ToI4) => {
        Pass::Out(Type::I4)
    };
    (ToR4) => {
        Pass::Out(Type::R4)
    };
    (ToI8) => {
        Pass::Out(Type::I8)
    };
    (L4) => {
        Pass::In(Type::L4)
    };
    (Three) => {
        Pass::Values(Type::I4, 3)
    };
    (Nine) => {
        Pass::Values(Type::I4, 9)
    };
    (Thirteen) => {
        Pass::Values(Type::I8, 13)
    };
    (R4s) => {
        Pass::Place
    };
    (Any) => {
        Pass::Place
    };
}

macro_rules! rows {
    ($($name:literal $(($a:ident: $ac:ident))* $([$b:ident: $bc:ident])* => $gives:expr;)*) => {
        &[$(Intrinsic {
            name: $name,
            args: &[
                $(Arg { name: stringify!($a), class: class!($ac), optional: false },)*
                $(Arg { name: stringify!($b), class: class!($bc), optional: true },)*
            ],
            variadic: false,
            rule: Rule::Library(Library { passes: &[$(pass!($ac),)* $(pass!($bc),)*], gives: $gives }),
        }),*]
    };
}

const I4: Gives = Gives::Number(Type::I4);
const I8: Gives = Gives::Number(Type::I8);
const R4: Gives = Gives::Number(Type::R4);
const R8: Gives = Gives::Number(Type::R8);
const L4: Gives = Gives::Number(Type::L4);

/// The functions.
static FUNCTIONS: &[Intrinsic] = rows! {
    "access" (name: Text) (mode: Text) => I4;
    "acosd" (x: Real) => Gives::Real;
    "asind" (x: Real) => Gives::Real;
    "atan2d" (y: Real) (x: Real) => Gives::Real;
    "atand" (x: Real) => Gives::Real;
    "besj0" (x: Real) => Gives::Real;
    "besj1" (x: Real) => Gives::Real;
    "besjn" (n: I4) (x: Real) => Gives::Real;
    "besy0" (x: Real) => Gives::Real;
    "besy1" (x: Real) => Gives::Real;
    "besyn" (n: I4) (x: Real) => Gives::Real;
    "chdir" (name: Text) => I4;
    "chmod" (name: Text) (mode: Text) => I4;
    "cosd" (x: Real) => Gives::Real;
    "cotan" (x: Real) => Gives::Real;
    "cotand" (x: Real) => Gives::Real;
    "ctime" (time: I8) => Gives::Text(24);
    "dacosd" (x: R8) => R8;
    "dasind" (x: R8) => R8;
    "datan2d" (y: R8) (x: R8) => R8;
    "datand" (x: R8) => R8;
    "dbesj0" (x: R8) => R8;
    "dbesj1" (x: R8) => R8;
    "dbesjn" (n: I4) (x: R8) => R8;
    "dbesy0" (x: R8) => R8;
    "dbesy1" (x: R8) => R8;
    "dbesyn" (n: I4) (x: R8) => R8;
    "dcosd" (x: R8) => R8;
    "dcotan" (x: R8) => R8;
    "dcotand" (x: R8) => R8;
    "dsind" (x: R8) => R8;
    "dtand" (x: R8) => R8;
    "dtime" (values: R4s) => R4;
    "etime" (values: R4s) => R4;
    "fdate" => Gives::Text(24);
    "fget" (c: ToText) => I4;
    "fgetc" (unit: I4) (c: ToText) => I4;
    "fnum" (unit: I4) => I4;
    "fput" (c: Text) => I4;
    "fputc" (unit: I4) (c: Text) => I4;
    "fstat" (unit: I4) (values: Thirteen) => I4;
    "ftell" (unit: I4) => I8;
    "getcwd" (c: ToText) => I4;
    "getgid" => I4;
    "getpid" => I4;
    "getuid" => I4;
    "hostnm" (c: ToText) => I4;
    "ierrno" => I4;
    "irand" [i: I4] => I4;
    "isatty" (unit: I4) => L4;
    "kill" (pid: I4) (sig: I4) => I4;
    "link" (path1: Text) (path2: Text) => I4;
    "loc" (x: Any) => I8;
    "lstat" (name: Text) (values: Thirteen) => I4;
    "malloc" (size: I8) => I8;
    "mclock" => I4;
    "mclock8" => I8;
    "ran" [i: I4] => R4;
    "rand" [i: I4] => R4;
    "rename" (path1: Text) (path2: Text) => I4;
    "secnds" (x: R4) => R4;
    "second" => R4;
    "sind" (x: Real) => Gives::Real;
    "stat" (name: Text) (values: Thirteen) => I4;
    "symlnk" (path1: Text) (path2: Text) => I4;
    "system" (command: Text) => I4;
    "tand" (x: Real) => Gives::Real;
    "time" => I4;
    "time8" => I8;
    "ttynam" (unit: I4) => Gives::Text(64);
    "umask" (mask: I4) => I4;
    "unlink" (path: Text) => I4;
};

/// The subroutines.
static SUBROUTINES: &[Intrinsic] = rows! {
    "abort" => Gives::Nothing;
    "backtrace" => Gives::Nothing;
    "chdir" (name: Text) [status: ToI4] => Gives::Nothing;
    "chmod" (name: Text) (mode: Text) [status: ToI4] => Gives::Nothing;
    "ctime" (time: I8) (result: ToText) => Gives::Nothing;
    "dtime" (values: R4s) (time: ToR4) => Gives::Nothing;
    "etime" (values: R4s) (time: ToR4) => Gives::Nothing;
    "fdate" (date: ToText) => Gives::Nothing;
    "fget" (c: ToText) [status: ToI4] => Gives::Nothing;
    "fgetc" (unit: I4) (c: ToText) [status: ToI4] => Gives::Nothing;
    "fput" (c: Text) [status: ToI4] => Gives::Nothing;
    "fputc" (unit: I4) (c: Text) [status: ToI4] => Gives::Nothing;
    "free" (ptr: I8) => Gives::Nothing;
    "fseek" (unit: I4) (offset: I8) (whence: I4) [status: ToI4] => Gives::Nothing;
    "fstat" (unit: I4) (values: Thirteen) [status: ToI4] => Gives::Nothing;
    "ftell" (unit: I4) (offset: ToI8) => Gives::Nothing;
    "gerror" (result: ToText) => Gives::Nothing;
    "getcwd" (c: ToText) [status: ToI4] => Gives::Nothing;
    "getenv" (name: Text) (value: ToText) => Gives::Nothing;
    "getlog" (c: ToText) => Gives::Nothing;
    "gmtime" (time: I8) (values: Nine) => Gives::Nothing;
    "hostnm" (c: ToText) [status: ToI4] => Gives::Nothing;
    "idate" (values: Three) => Gives::Nothing;
    "itime" (values: Three) => Gives::Nothing;
    "kill" (pid: I4) (sig: I4) [status: ToI4] => Gives::Nothing;
    "link" (path1: Text) (path2: Text) [status: ToI4] => Gives::Nothing;
    "lstat" (name: Text) (values: Thirteen) [status: ToI4] => Gives::Nothing;
    "ltime" (time: I8) (values: Nine) => Gives::Nothing;
    "perror" (string: Text) => Gives::Nothing;
    "random_init" (repeatable: L4) (image_distinct: L4) => Gives::Nothing;
    "rename" (path1: Text) (path2: Text) [status: ToI4] => Gives::Nothing;
    "second" (time: ToR4) => Gives::Nothing;
    "sleep" (seconds: I4) => Gives::Nothing;
    "srand" (seed: I4) => Gives::Nothing;
    "stat" (name: Text) (values: Thirteen) [status: ToI4] => Gives::Nothing;
    "symlnk" (path1: Text) (path2: Text) [status: ToI4] => Gives::Nothing;
    "system" (command: Text) [status: ToI4] => Gives::Nothing;
    "ttynam" (unit: I4) (name: ToText) => Gives::Nothing;
    "umask" (mask: I4) [old: ToI4] => Gives::Nothing;
    "unlink" (path: Text) [status: ToI4] => Gives::Nothing;
};

/// The function of that name (lower case).
pub fn function(name: &str) -> Option<&'static Intrinsic> {
    FUNCTIONS.binary_search_by_key(&name, |row| row.name).ok().map(|k| &FUNCTIONS[k])
}

/// The subroutine of that name (lower case).
pub fn subroutine(name: &str) -> Option<&'static Intrinsic> {
    SUBROUTINES.binary_search_by_key(&name, |row| row.name).ok().map(|k| &SUBROUTINES[k])
}

/// Every name, functions first.
pub fn names<'a>() -> impl Iterator<Item = &'a str> {
    let only = SUBROUTINES.iter().filter(|row| function(row.name).is_none());
    FUNCTIONS.iter().chain(only).map(|row| -> &'a str { row.name })
}

/// The rows by name, for the index of all intrinsics: a function hides the subroutine of its name.
pub fn rows() -> FxHashMap<&'static str, &'static Intrinsic> {
    SUBROUTINES.iter().chain(FUNCTIONS).map(|row| (row.name, row)).collect()
}

#[cfg(test)]
mod tests {
    use super::{FUNCTIONS, SUBROUTINES};

    #[test]
    fn rows_are_sorted() {
        for table in [FUNCTIONS, SUBROUTINES] {
            assert!(table.windows(2).all(|w| w[0].name < w[1].name));
        }
    }
}
