//! A procedure of our language as a tree, which is generated and reduced.
//!
//! A [`Case`] is one kernel with the procedures that it calls. Its text is made by [`crate::print`]; many
//! cases make one file, so that native compilers are started once for all of them.

/// The type of a variable or expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    /// INTEGER(4)
    I4,
    /// REAL(4)
    R4,
    /// REAL(8)
    R8,
    /// LOGICAL(4)
    L4,
    /// CHARACTER(4)
    C4,
}

/// The home of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// In the procedure.
    Local,
    /// In the case's COMMON block, in the order of declaration.
    Common,
    /// In the COMMON block of opaque integers.
    Opaque,
    /// A dummy argument.
    Dummy,
    /// The result of a function.
    Result,
}

/// One dimension of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dim {
    /// Lower bound.
    pub lo: i64,
    /// Upper bound.
    pub hi: i64,
    /// The dummy argument that has the upper bound as its value, of an adjustable array.
    pub by: Option<usize>,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Its dimensions; none for a scalar.
    pub dims: Vec<Dim>,
    /// Its home.
    pub home: Home,
}

impl Var {
    /// The number of elements.
    pub fn size(&self) -> i64 {
        self.dims.iter().map(|d| d.hi - d.lo + 1).product()
    }
}

/// An index into [`Proc::vars`].
pub type VarId = usize;

/// A subscript of a section.
#[derive(Clone, PartialEq, Debug)]
pub enum Sub {
    /// One element.
    At(E),
    /// `lo:hi:step`
    Range(E, E, Option<E>),
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub enum E {
    /// An integer.
    Int(i64),
    /// A real number, as it is written.
    Real(Ty, String),
    /// A truth value.
    Log(bool),
    /// Characters.
    Text(&'static str),
    /// A variable, or a whole array.
    Var(VarId),
    /// An element.
    Elem(VarId, Vec<E>),
    /// A section.
    Sec(VarId, Vec<Sub>),
    /// A binary operation, its operator as it is written.
    Bin(&'static str, Box<E>, Box<E>),
    /// `-` or `.not.`
    Un(&'static str, Box<E>),
    /// An intrinsic function.
    Fn(&'static str, Vec<E>),
    /// A function of the case, by its index.
    User(usize, Vec<E>),
}

/// A procedure that is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A procedure of the case, by its index.
    Case(usize),
    /// One that stands in every file.
    Support(&'static str),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum S {
    /// An assignment, of a scalar or an array.
    Assign(E, E),
    /// DO.
    Do {
        /// The construct's name.
        name: Option<String>,
        /// The DO variable.
        var: VarId,
        /// First value.
        lo: E,
        /// Last value.
        hi: E,
        /// Step.
        step: Option<E>,
        /// The body.
        body: Vec<S>,
    },
    /// DO WHILE.
    While(E, Vec<S>),
    /// IF, ELSE IF …, ELSE.
    If(Vec<(E, Vec<S>)>, Vec<S>),
    /// SELECT CASE: value, cases as ranges, CASE DEFAULT.
    Select(E, Vec<(Vec<(i64, i64)>, Vec<S>)>, Vec<S>),
    /// WHERE, masked ELSEWHERE …, ELSEWHERE (without a mask).
    Where(Vec<(Option<E>, Vec<S>)>),
    /// FORALL: indices with bounds, mask, body.
    Forall(Vec<(VarId, E, E, Option<E>)>, Option<E>, Vec<S>),
    /// EXIT of the innermost or the named loop.
    Exit(Option<String>),
    /// CYCLE of the innermost or the named loop.
    Cycle(Option<String>),
    /// GOTO.
    Goto(u32),
    /// A labelled CONTINUE.
    Label(u32),
    /// Arithmetic IF.
    Arith(E, [u32; 3]),
    /// Computed GOTO.
    Computed(Vec<u32>, E),
    /// CALL.
    Call(Target, Vec<E>),
    /// RETURN.
    Return,
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Proc {
    /// Its name.
    pub name: String,
    /// The type of a function's result.
    pub result: Option<Ty>,
    /// Whether it is PURE, which its callers know by an interface.
    pub pure: bool,
    /// The dummy arguments, in order.
    pub params: Vec<VarId>,
    /// All variables.
    pub vars: Vec<Var>,
    /// Pairs of array elements that share storage: variable, element counted from the first.
    pub equivalences: Vec<(VarId, i64, VarId, i64)>,
    /// The statements.
    pub body: Vec<S>,
}

/// A kernel and the procedures that it calls.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its number, which makes its names unique in a file.
    pub id: u64,
    /// The procedures; the first is the kernel.
    pub procs: Vec<Proc>,
}

impl S {
    /// The blocks in it.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<S>> {
        match self {
            S::Do { body, .. } | S::While(_, body) | S::Forall(_, _, body) => vec![body],
            S::If(arms, otherwise) => arms.iter_mut().map(|(_, b)| b).chain([otherwise]).collect(),
            S::Select(_, cases, otherwise) => cases.iter_mut().map(|(_, b)| b).chain([otherwise]).collect(),
            S::Where(arms) => arms.iter_mut().map(|(_, b)| b).collect(),
            _ => vec![],
        }
    }

    /// The expressions in it that stand for values and may be replaced by others of their type.
    pub fn values_mut(&mut self) -> Vec<&mut E> {
        match self {
            S::Assign(_, value) => vec![value],
            S::Do { lo, hi, step, .. } => [lo, hi].into_iter().chain(step).collect(),
            S::While(e, _) | S::Select(e, ..) | S::Arith(e, _) | S::Computed(_, e) => vec![e],
            S::If(arms, _) => arms.iter_mut().map(|(e, _)| e).collect(),
            S::Where(arms) => arms.iter_mut().filter_map(|(e, _)| e.as_mut()).collect(),
            S::Forall(indices, mask, _) => {
                indices.iter_mut().flat_map(|(_, lo, hi, step)| [lo, hi].into_iter().chain(step)).chain(mask).collect()
            }
            _ => vec![],
        }
    }
}

impl E {
    /// `a op b`.
    pub fn bin(op: &'static str, a: E, b: E) -> E {
        E::Bin(op, Box::new(a), Box::new(b))
    }

    /// An intrinsic.
    pub fn call(name: &'static str, args: Vec<E>) -> E {
        E::Fn(name, args)
    }

    /// The operands that may be replaced by others of their type.
    pub fn operands_mut(&mut self) -> Vec<&mut E> {
        match self {
            E::Bin(_, a, b) => vec![a, b],
            E::Un(_, a) => vec![a],
            E::Fn(_, args) | E::Elem(_, args) => args.iter_mut().collect(),
            E::Sec(_, subs) => subs
                .iter_mut()
                .flat_map(|s| match s {
                    Sub::At(e) => vec![e],
                    Sub::Range(a, b, c) => [a, b].into_iter().chain(c).collect(),
                })
                .collect(),
            _ => vec![],
        }
    }
}

impl Proc {
    /// The type of `e`.
    pub fn ty(&self, e: &E, procs: &[Proc]) -> Ty {
        match e {
            E::Int(_) => Ty::I4,
            E::Real(t, _) => *t,
            E::Log(_) => Ty::L4,
            E::Text(_) | E::Bin("//", ..) | E::Fn("achar", _) => Ty::C4,
            E::Var(v) | E::Elem(v, _) | E::Sec(v, _) => self.vars[*v].ty,
            E::Bin("<" | "<=" | ">" | ">=" | "==" | "/=" | ".and." | ".or." | ".eqv." | ".neqv.", ..) => Ty::L4,
            E::Bin("**", a, _) => self.ty(a, procs),
            E::Bin(_, a, b) => match (self.ty(a, procs), self.ty(b, procs)) {
                (Ty::R8, _) | (_, Ty::R8) => Ty::R8,
                (Ty::R4, _) | (_, Ty::R4) => Ty::R4,
                (t, _) => t,
            },
            E::Un(_, a) => self.ty(a, procs),
            E::Fn("int" | "nint" | "modulo" | "count" | "size" | "iand" | "ieor" | "ior", _)
            | E::Fn("index" | "scan" | "verify" | "len_trim", _) => Ty::I4,
            E::Fn("real", _) => Ty::R4,
            E::Fn("dble", _) => Ty::R8,
            E::Fn("any" | "all", _) => Ty::L4,
            E::Fn(_, args) => args.first().map_or(Ty::I4, |a| self.ty(a, procs)),
            E::User(p, _) => procs.get(*p).and_then(|p| p.result).unwrap_or(Ty::R8),
        }
    }
}
