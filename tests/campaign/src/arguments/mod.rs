//! Random programs about argument passing and host association, compared with gfortran.
//!
//! A program is a list of cases. Each sets all variables anew, calls a procedure made for it, and shows all variables.
//! The procedure shows each dummy argument, changes it if it may, and passes some on; it may also read and change
//! variables of its host or of a module that are not passed. [`make`] chooses, [`print`] writes, [`run`] compiles and
//! compares, and reduces programs that differ.

pub mod make;
pub mod print;
pub mod roots;
pub mod run;

/// A type of dummy arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    /// `INTEGER`
    Int,
    /// `REAL(8)`
    Real,
    /// `CHARACTER` of length 4, or of a part of one.
    Text,
    /// A derived type of a number of each.
    Pair,
    /// `CHARACTER` of deferred length, a scalar.
    Deferred,
}

impl Ty {
    /// All types but the deferred one.
    pub const ALL: [Ty; 4] = [Ty::Int, Ty::Real, Ty::Text, Ty::Pair];

    /// The letter that the names of variables of the type begin with.
    pub fn letter(self) -> char {
        match self {
            Ty::Int => 'i',
            Ty::Real => 'r',
            Ty::Text | Ty::Deferred => 'c',
            Ty::Pair => 'p',
        }
    }
}

/// The form of a dummy argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A scalar.
    Scalar,
    /// An array with these extents.
    Explicit,
    /// An array of assumed size.
    AssumedSize,
    /// An array of assumed shape.
    AssumedShape,
    /// An ALLOCATABLE.
    Allocatable,
    /// A POINTER.
    Pointer,
}

/// INTENT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intent {
    /// Not given.
    None,
    /// `IN`
    In,
    /// `OUT`
    Out,
    /// `INOUT`
    InOut,
}

/// A dummy argument, its actual argument, and the statements about it.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The name of the dummy argument.
    pub name: String,
    /// Its declaration.
    pub declaration: String,
    /// The actual argument; none if it is absent.
    pub actual: Option<String>,
    /// The variable that the actual argument is part of.
    pub root: String,
    /// Statements of the procedure about the dummy argument.
    pub body: Vec<String>,
    /// Whether a procedure without explicit interface may have it.
    pub plain: bool,
    /// Whether a procedure with ENTRY, or one that passes all arguments on, may have it.
    pub passed_on: bool,
}

/// The kind of procedure that a case calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A procedure of a module.
    Module,
    /// An internal procedure.
    Internal,
    /// An external procedure without explicit interface.
    External,
    /// A second name of a procedure of a module.
    Entry,
    /// A procedure of a module, called by another one that it is passed to with its arguments.
    PassedModule,
    /// An internal procedure, called by another one that it is passed to with its arguments.
    PassedInternal,
}

/// A procedure and its call.
#[derive(Clone, Debug)]
pub struct Case {
    /// The number, which is part of names.
    pub number: usize,
    /// The procedure.
    pub callee: Callee,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Statements about variables that are not passed.
    pub host: Vec<String>,
    /// The declaration of the result and the statement that gives it a value.
    pub result: Option<(String, Vec<String>)>,
    /// Before which argument the keywords begin.
    pub keywords: usize,
}

/// The place of the variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// A module.
    Module,
    /// The main program.
    Program,
    /// A procedure of a module, some as its dummy arguments.
    Procedure,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The seed that it was made of.
    pub seed: u64,
    /// The place of the variables.
    pub home: Home,
    /// Its cases.
    pub cases: Vec<Case>,
}
