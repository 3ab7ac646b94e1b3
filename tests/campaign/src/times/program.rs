//! Programs whose time is known: they are generated, simulated and reduced.
//!
//! All they do is work: calls of a procedure in C that takes a known time and notes when (`ledger.c`). Work is either opaque, so
//! that no transformation passes it, or a function of the C library to the compiler (`gamma`, which the ledger
//! defines), so that loops are fused, interchanged and split around it.

/// The number of a construct or procedure in its program.
pub type Id = u32;

/// An integer expression.
#[derive(Clone, PartialEq, Debug)]
pub enum E {
    /// A constant.
    Int(i64),
    /// The variable of the DO loop at a depth of the procedure.
    Index(usize),
    /// A dummy argument.
    Dummy(usize),
    /// A variable in COMMON, set by an opaque procedure.
    Common(usize),
    /// A sum, difference or product.
    Bin(char, Box<E>, Box<E>),
}

/// A comparison.
#[derive(Clone, PartialEq, Debug)]
pub struct Cond {
    /// `==`, `/=`, `<`, `<=`, `>`, `>=`
    pub op: &'static str,
    /// Left.
    pub a: E,
    /// Right.
    pub b: E,
}

/// A piece of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// Its number.
    pub site: u32,
    /// Its cost as a weight: the printer scales all to the length of a run.
    pub weight: u32,
}

/// An array statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whole {
    /// An assignment of a section.
    Assign,
    /// WHERE: one statement.
    Where,
    /// WHERE … ELSEWHERE: a construct.
    Elsewhere,
    /// FORALL: one statement.
    Forall,
}

/// The action of a statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Do {
    /// An opaque call.
    Opaque(Work),
    /// `a(i) = a(i) + gamma(…)`: the array, one it reads, the index.
    Vector {
        /// The work.
        work: Work,
        /// The array that is assigned.
        to: usize,
        /// The array that is read beside it.
        from: Option<usize>,
        /// The depth of the loop whose variable is the subscript.
        index: usize,
    },
    /// `d(i, j) = d(i, j) + gamma(…)`: the depths of the subscripts.
    Matrix {
        /// The work.
        work: Work,
        /// Depths.
        index: [usize; 2],
    },
    /// Arithmetic that takes no time to speak of: `c(i) = c(i)*0.5 + a(i)`.
    Plain(usize),
    /// An array statement over the first elements up to a number.
    Whole {
        /// The statement.
        kind: Whole,
        /// The work for each element.
        work: Work,
        /// The work of ELSEWHERE on the other elements.
        other: Work,
        /// The array.
        to: usize,
        /// The number of elements.
        n: E,
    },
    /// DO.
    Loop {
        /// The depth, which names its variable.
        depth: usize,
        /// Bounds.
        lo: E,
        /// Bounds.
        hi: E,
        /// The body.
        body: Vec<S>,
    },
    /// DO WHILE with a number of iterations.
    While {
        /// The depth, which names its variable.
        depth: usize,
        /// Iterations.
        trips: E,
        /// The body.
        body: Vec<S>,
    },
    /// IF, ELSE IF …, ELSE.
    If {
        /// Conditions and the statements that they guard.
        arms: Vec<(Cond, Vec<S>)>,
        /// ELSE.
        otherwise: Vec<S>,
    },
    /// SELECT CASE.
    Select {
        /// The selector.
        on: E,
        /// Values and the statements that they guard.
        cases: Vec<(i64, Vec<S>)>,
        /// CASE DEFAULT.
        otherwise: Vec<S>,
    },
    /// `if (…) exit LOOP`
    Exit(Cond, Id),
    /// `if (…) cycle`
    Cycle(Cond),
    /// `if (…) return`
    Return(Cond),
    /// `if (…) goto` the end of the block.
    Goto(Cond, Id),
    /// Statements with a label at their end.
    Block(Vec<S>),
    /// A region of the user.
    Region(Vec<S>),
    /// `!TL$ PROFILE OFF` to `ON`.
    Off(Vec<S>),
    /// `trueline_pause_profile` to `trueline_resume_profile`.
    Paused(Vec<S>),
    /// A call, by the index of the procedure.
    Call(usize, Vec<E>),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct S {
    /// Its number.
    pub id: Id,
    /// Its statements.
    pub does: Do,
}

/// The home of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// In a module.
    Module(usize),
    /// By itself.
    External(usize),
    /// It is the main program.
    Main,
}

/// A procedure.
#[derive(Clone, PartialEq, Debug)]
pub struct Proc {
    /// Its number among the constructs.
    pub id: Id,
    /// Its home.
    pub home: Home,
    /// Whether it is a function.
    pub is_function: bool,
    /// Whether it calls itself.
    pub recursive: bool,
    /// Its statements.
    pub body: Vec<S>,
}

/// The number of integers in COMMON.
pub const COMMONS: usize = 4;
/// The number of dummy arguments of a procedure.
pub const DUMMIES: usize = 2;
/// The number of elements of the arrays.
pub const ELEMENTS: i64 = 48;

/// A program. A procedure calls those before it, and perhaps itself; the last one is the main program.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// The seed it was made from.
    pub seed: u64,
    /// The values of variables in COMMON.
    pub commons: [i64; COMMONS],
    /// The procedures.
    pub procs: Vec<Proc>,
}

impl S {
    /// The statements in it.
    pub fn blocks(&self) -> Vec<&Vec<S>> {
        match &self.does {
            Do::Loop { body, .. } | Do::While { body, .. } => vec![body],
            Do::Block(body) | Do::Region(body) | Do::Off(body) | Do::Paused(body) => vec![body],
            Do::If { arms, otherwise } => arms.iter().map(|(_, b)| b).chain([otherwise]).collect(),
            Do::Select { cases, otherwise, .. } => cases.iter().map(|(_, b)| b).chain([otherwise]).collect(),
            _ => vec![],
        }
    }

    /// The statements in it.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<S>> {
        match &mut self.does {
            Do::Loop { body, .. } | Do::While { body, .. } => vec![body],
            Do::Block(body) | Do::Region(body) | Do::Off(body) | Do::Paused(body) => vec![body],
            Do::If { arms, otherwise } => arms.iter_mut().map(|(_, b)| b).chain([otherwise]).collect(),
            Do::Select { cases, otherwise, .. } => cases.iter_mut().map(|(_, b)| b).chain([otherwise]).collect(),
            _ => vec![],
        }
    }

    /// The work in it alone.
    pub fn work(&self) -> Vec<Work> {
        match &self.does {
            Do::Opaque(w) | Do::Vector { work: w, .. } | Do::Matrix { work: w, .. } => vec![*w],
            Do::Whole { kind: Whole::Elsewhere, work, other, .. } => vec![*work, *other],
            Do::Whole { work, .. } => vec![*work],
            _ => vec![],
        }
    }

    /// Whether it is a loop.
    pub fn is_loop(&self) -> bool {
        matches!(self.does, Do::Loop { .. } | Do::While { .. })
    }

    /// Whether it is a conditional.
    pub fn is_conditional(&self) -> bool {
        matches!(self.does, Do::If { .. } | Do::Select { .. })
    }

    /// Whether it should have a time: a loop, an array statement or a region of the user.
    pub fn is_timed(&self) -> bool {
        self.is_loop() || matches!(self.does, Do::Whole { .. } | Do::Region(_))
    }

    /// Whether something in it is opaque, so that no other loop can be merged with it.
    pub fn is_opaque(&self) -> bool {
        let own = matches!(self.does, Do::Opaque(_) | Do::Call(..) | Do::Paused(_));
        own || self.blocks().into_iter().flatten().any(S::is_opaque)
    }
}

/// Every statement of a block, outer ones first, with those around it.
pub fn visit<'a>(block: &'a [S], around: &mut Vec<&'a S>, f: &mut dyn FnMut(&'a S, &[&'a S])) {
    for s in block {
        f(s, around);
        around.push(s);
        for b in s.blocks() {
            visit(b, around, f);
        }
        around.pop();
    }
}

impl S {
    /// The expressions of the statement itself.
    pub fn values(&self) -> Vec<&E> {
        match &self.does {
            Do::Whole { n, .. } => vec![n],
            Do::Loop { lo, hi, .. } => vec![lo, hi],
            Do::While { trips, .. } => vec![trips],
            Do::If { arms, .. } => arms.iter().flat_map(|(c, _)| [&c.a, &c.b]).collect(),
            Do::Select { on, .. } => vec![on],
            Do::Exit(c, _) | Do::Cycle(c) | Do::Return(c) | Do::Goto(c, _) => vec![&c.a, &c.b],
            Do::Call(_, args) => args.iter().collect(),
            _ => vec![],
        }
    }

    /// The depths of the loops whose variables it reads.
    fn indices(&self) -> Vec<usize> {
        fn of(e: &E, out: &mut Vec<usize>) {
            match e {
                E::Index(d) => out.push(*d),
                E::Bin(_, a, b) => {
                    of(a, out);
                    of(b, out);
                }
                _ => {}
            }
        }
        let mut out = vec![];
        self.values().into_iter().for_each(|e| of(e, &mut out));
        match &self.does {
            Do::Vector { index, .. } | Do::Plain(index) => out.push(*index),
            Do::Matrix { index, .. } => out.extend(index),
            _ => {}
        }
        out
    }

    /// Whether it means something where it stands.
    fn is_sound(&self, around: &[&S], p: usize, is_main: bool) -> bool {
        let goes = match &self.does {
            Do::Exit(_, to) => around.iter().any(|a| a.is_loop() && a.id == *to),
            Do::Goto(_, to) => around.iter().any(|a| matches!(a.does, Do::Block(_)) && a.id == *to),
            Do::Cycle(_) => around.iter().any(|a| a.is_loop()),
            Do::Return(_) => !is_main,
            Do::Call(q, _) => *q <= p,
            _ => true,
        };
        let depth = |a: &&S| match a.does {
            Do::Loop { depth, .. } => Some(depth),
            _ => None,
        };
        let loops: Vec<usize> = around.iter().filter_map(depth).collect();
        goes && self.indices().iter().all(|d| loops.contains(d))
    }
}

impl Program {
    /// Whether every name in it means something: else no compiler would take it.
    pub fn is_sound(&self) -> bool {
        self.procs.iter().enumerate().all(|(p, proc)| {
            let mut sound = true;
            let is_main = p == self.main();
            visit(&proc.body, &mut vec![], &mut |s, around| sound &= s.is_sound(around, p, is_main));
            sound
        })
    }

    /// The index of the main program.
    pub fn main(&self) -> usize {
        self.procs.len() - 1
    }

    /// The name of a procedure.
    pub fn name(&self, p: usize) -> String {
        match self.procs[p].home {
            Home::Main => "main".to_owned(),
            _ => format!("proc{p}"),
        }
    }
}
