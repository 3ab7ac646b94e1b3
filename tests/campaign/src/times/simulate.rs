//! The work of a program in order, each piece with the constructs and calls around it.
//!
//! This is the source's meaning and nothing else, so it is the truth: the nth piece of work in the ledger is the nth one here,
//! and takes its time for all that is around it.

use super::print::{MASKED, varies};
use super::program::{Cond, Do, E, ELEMENTS, Id, Program, S, Whole, Work};

/// A node of the tree of surroundings of work: a construct, procedure or call in another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Around {
    /// The node it stands in; its own number if it is the root.
    pub parent: usize,
    /// The construct or procedure.
    pub id: Id,
    /// The statement that called a procedure.
    pub call: Option<Id>,
    /// Whether timing is switched off here.
    pub paused: bool,
}

/// A piece of work that was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// The finished work.
    pub work: Work,
    /// The node around it.
    pub at: usize,
    /// The iteration: the subscripts, as the ledger has them; none of opaque work.
    pub key: Option<u32>,
}

/// The work of a program.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The tree; parents come first.
    pub around: Vec<Around>,
    /// The work.
    pub events: Vec<Event>,
}

impl Run {
    /// The nodes from `at` outwards.
    pub fn outwards(&self, at: usize) -> impl Iterator<Item = &Around> + '_ {
        let next = |&n: &usize| Some(self.around[n].parent).filter(|&p| p != n);
        std::iter::successors(Some(at), next).map(|n| &self.around[n])
    }
}

/// More work than this is too much.
const MOST_EVENTS: usize = 1200;
const MOST_STEPS: usize = 20_000;
const MOST_DEPTH: usize = 24;

/// The way in which control leaves a statement.
#[derive(PartialEq, Eq)]
enum Flow {
    Next,
    Exit(Id),
    Cycle,
    Return,
    Goto(Id),
}

struct Machine<'a> {
    program: &'a Program,
    run: Run,
    steps: usize,
    depth: usize,
}

/// The variables of an activation.
struct Frame {
    args: Vec<i64>,
    indices: Vec<i64>,
}

/// Runs the program; none if it does too much, or uses a variable without a value.
pub fn simulate(program: &Program) -> Option<Run> {
    let mut machine = Machine { program, run: Run::default(), steps: 0, depth: 0 };
    machine.call(program.main(), vec![], None)?;
    Some(machine.run)
}

impl Machine<'_> {
    fn enter(&mut self, id: Id, call: Option<Id>, at: Option<usize>, pauses: bool) -> usize {
        let paused = pauses || at.is_some_and(|n| self.run.around[n].paused);
        let known = at.and_then(|n| {
            let mut nodes = self.run.around.iter().enumerate().skip(n + 1);
            nodes.find(|(_, a)| a.parent == n && a.id == id && a.call == call).map(|(k, _)| k)
        });
        known.unwrap_or_else(|| {
            let parent = at.unwrap_or(self.run.around.len());
            self.run.around.push(Around { parent, id, call, paused });
            self.run.around.len() - 1
        })
    }

    fn call(&mut self, p: usize, args: Vec<i64>, from: Option<(Id, usize)>) -> Option<()> {
        if self.depth >= MOST_DEPTH {
            return None;
        }
        self.depth += 1;
        let proc = &self.program.procs[p];
        let at = self.enter(proc.id, from.map(|f| f.0), from.map(|f| f.1), false);
        let mut frame = Frame { args, indices: vec![0; 16] };
        self.block(&proc.body, &mut frame, at)?;
        self.depth -= 1;
        Some(())
    }

    fn value(&self, e: &E, f: &Frame) -> Option<i64> {
        Some(match e {
            E::Int(n) => *n,
            E::Index(d) => *f.indices.get(*d)?,
            E::Dummy(n) => *f.args.get(*n)?,
            E::Common(n) => *self.program.commons.get(*n)?,
            E::Bin(op, a, b) => {
                let (a, b) = (self.value(a, f)?, self.value(b, f)?);
                match op {
                    '+' => a + b,
                    '-' => a - b,
                    _ => a * b,
                }
            }
        })
    }

    fn holds(&self, c: &Cond, f: &Frame) -> Option<bool> {
        let (a, b) = (self.value(&c.a, f)?, self.value(&c.b, f)?);
        Some(match c.op {
            "==" => a == b,
            "/=" => a != b,
            "<" => a < b,
            "<=" => a <= b,
            ">" => a > b,
            _ => a >= b,
        })
    }

    fn work(&mut self, work: Work, at: usize, key: Option<u32>) -> Option<()> {
        self.run.events.push(Event { work, at, key });
        (self.run.events.len() <= MOST_EVENTS).then_some(())
    }

    fn block(&mut self, block: &[S], f: &mut Frame, at: usize) -> Option<Flow> {
        for s in block {
            match self.statement(s, f, at)? {
                Flow::Next => {}
                other => return Some(other),
            }
        }
        Some(Flow::Next)
    }

    fn statement(&mut self, s: &S, f: &mut Frame, at: usize) -> Option<Flow> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return None;
        }
        let jump = |c: bool, flow: Flow| Some(if c { flow } else { Flow::Next });
        let element = |i: &usize, f: &Frame| f.indices.get(*i).filter(|n| (1..=ELEMENTS).contains(*n)).map(|_| ());
        match &s.does {
            Do::Opaque(w) => self.work(*w, at, None)?,
            Do::Vector { work, index, .. } => {
                element(index, f)?;
                self.work(*work, at, key(f.indices[*index], 0))?;
            }
            Do::Matrix { work, index: [i, j] } => {
                element(i, f)?;
                element(j, f)?;
                let column = if varies(*work) { f.indices[*j] } else { 0 };
                self.work(*work, at, key(f.indices[*i], column))?;
            }
            Do::Plain(i) => element(i, f)?,
            Do::Whole { .. } => self.whole(s, f, at)?,
            Do::Exit(c, to) => return jump(self.holds(c, f)?, Flow::Exit(*to)),
            Do::Cycle(c) => return jump(self.holds(c, f)?, Flow::Cycle),
            Do::Return(c) => return jump(self.holds(c, f)?, Flow::Return),
            Do::Goto(c, to) => return jump(self.holds(c, f)?, Flow::Goto(*to)),
            Do::Call(p, args) => {
                let args = args.iter().map(|a| self.value(a, f)).collect::<Option<Vec<i64>>>()?;
                self.call(*p, args, Some((s.id, at)))?;
            }
            _ => return self.construct(s, f, at),
        }
        Some(Flow::Next)
    }

    fn whole(&mut self, s: &S, f: &Frame, at: usize) -> Option<()> {
        let Do::Whole { kind, work, other, n, .. } = &s.does else { return None };
        let at = self.enter(s.id, None, Some(at), false);
        let n = self.value(n, f).filter(|n| (1..=ELEMENTS).contains(n))?;
        let masked = matches!(kind, Whole::Where | Whole::Elsewhere);
        for i in 1..=if masked { n.min(MASKED) } else { n } {
            self.work(*work, at, key(i, 0))?;
        }
        if *kind == Whole::Elsewhere {
            for i in MASKED + 1..=n {
                self.work(*other, at, key(i, 0))?;
            }
        }
        Some(())
    }

    fn construct(&mut self, s: &S, f: &mut Frame, at: usize) -> Option<Flow> {
        let inside = self.enter(s.id, None, Some(at), matches!(s.does, Do::Paused(_)));
        match &s.does {
            Do::Loop { depth, lo, hi, body } => {
                let (lo, hi) = (self.value(lo, f)?, self.value(hi, f)?);
                for i in lo..=hi {
                    f.indices[*depth] = i;
                    match self.block(body, f, inside)? {
                        Flow::Next | Flow::Cycle => {}
                        Flow::Exit(to) if to == s.id => break,
                        other => return Some(other),
                    }
                }
            }
            Do::While { trips, body, .. } => {
                for _ in 0..self.value(trips, f)? {
                    match self.block(body, f, inside)? {
                        Flow::Next | Flow::Cycle => {}
                        Flow::Exit(to) if to == s.id => break,
                        other => return Some(other),
                    }
                }
            }
            Do::If { arms, otherwise } => {
                for (c, body) in arms {
                    if self.holds(c, f)? {
                        return self.block(body, f, inside);
                    }
                }
                return self.block(otherwise, f, inside);
            }
            Do::Select { on, cases, otherwise } => {
                let on = self.value(on, f)?;
                let body = cases.iter().find(|(v, _)| *v == on).map_or(otherwise, |(_, b)| b);
                return self.block(body, f, inside);
            }
            Do::Block(body) => {
                return Some(match self.block(body, f, at)? {
                    Flow::Goto(to) if to == s.id => Flow::Next,
                    other => other,
                });
            }
            Do::Region(body) | Do::Off(body) | Do::Paused(body) => return self.block(body, f, inside),
            _ => {}
        }
        Some(Flow::Next)
    }
}

/// The iteration in the fraction of the argument of `gamma`.
fn key(row: i64, column: i64) -> Option<u32> {
    u32::try_from(row * 64 + column).ok()
}
