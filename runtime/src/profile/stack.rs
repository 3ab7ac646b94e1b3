//! The internal stack of what is being timed, and the caller-callee table.
//!
//! Both are tables of large pages that are allocated when needed (HPF profiling paper, 4.3), so that
//! entering a construct costs the same every time but once in four thousand. A procedure gets a dense
//! number at its first activation; the pair of caller and callee indexes a two-dimensional table laid
//! out as one vector.

use super::clock::ticks;
use std::cell::UnsafeCell;
use trueline_abi::record::Record;

/// What a frame times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Procedure,
    Loop,
    Region,
}

#[derive(Clone, Copy)]
struct Frame {
    record: *mut Record,
    kind: Kind,
    start: u64,
    /// Ticks spent in timed constructs inside this one.
    inner: u64,
    /// The number of the procedure that is active in this frame, from 1; 0 when none is.
    procedure: u32,
}

/// Frames in a page.
const PAGE: usize = 4096;

/// An edge of the call graph: calls and inclusive ticks.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Edge {
    pub(crate) calls: u64,
    pub(crate) ticks: u64,
}

struct Stack {
    pages: Vec<Box<[Frame]>>,
    depth: usize,
    /// Records of procedures in the order of their numbers.
    procedures: Vec<*mut Record>,
    /// Edges: `caller * width + callee`.
    edges: Vec<Edge>,
    width: usize,
    /// Completed pairs of probes.
    pairs: u64,
    unbalanced: u64,
}

struct Shared(UnsafeCell<Stack>);

// SAFETY: profiled code runs in one thread; the parallel runtimes give each thread a stack of its own.
unsafe impl Sync for Shared {}

static STACK: Shared = Shared(UnsafeCell::new(Stack {
    pages: Vec::new(),
    depth: 0,
    procedures: Vec::new(),
    edges: Vec::new(),
    width: 0,
    pairs: 0,
    unbalanced: 0,
}));

/// The record of calls that pass none.
static ANONYMOUS: SharedRecord = SharedRecord(UnsafeCell::new(EMPTY));
const EMPTY: Record = Record {
    name: std::ptr::null(),
    construct: 0,
    depth: 0,
    inclusive: 0,
    exclusive: 0,
    invocations: 0,
    iterations: 0,
    taken: [0; 3],
    evaluations: 0,
};

struct SharedRecord(UnsafeCell<Record>);

// SAFETY: as `Shared`.
unsafe impl Sync for SharedRecord {}

fn stack() -> &'static mut Stack {
    // SAFETY: see `Shared`.
    unsafe { &mut *STACK.0.get() }
}

/// The record of calls that pass none.
pub(crate) fn anonymous() -> *mut Record {
    ANONYMOUS.0.get()
}

/// Enters a construct.
///
/// # Safety
/// `record` is valid as long as the program runs.
pub(crate) unsafe fn push(record: *mut Record, kind: Kind, entry: bool) {
    let s = stack();
    let (page, slot) = (s.depth / PAGE, s.depth % PAGE);
    if page == s.pages.len() {
        if page == 0 {
            super::begin();
        }
        let empty = Frame { record: std::ptr::null_mut(), kind: Kind::Region, start: 0, inner: 0, procedure: 0 };
        s.pages.push(vec![empty; PAGE].into_boxed_slice());
    }
    let outer = if s.depth == 0 { 0 } else { frame(s, s.depth - 1).procedure };
    // SAFETY: as the caller promises.
    let r = unsafe { &mut *record };
    let procedure = if kind == Kind::Procedure {
        let number = s.number(record, r);
        s.edge(outer, number).calls += 1;
        number
    } else {
        outer
    };
    r.depth += 1;
    r.invocations += u64::from(entry);
    s.depth += 1;
    // The clock is read last, so that entering is on the caller's account.
    s.pages[page][slot] = Frame { record, kind, start: ticks(), inner: 0, procedure };
}

/// Leaves the construct on top of the stack, which should be of `kind`.
pub(crate) fn pop(kind: Kind) {
    let now = ticks();
    let s = stack();
    if s.depth == 0 {
        s.unbalanced += 1;
        return;
    }
    let mut top = *frame(s, s.depth - 1);
    // A jump out of a construct that was not closed: it ends where what is around it ends.
    while top.kind != kind && kind == Kind::Procedure && s.depth > 1 {
        s.unbalanced += 1;
        leave(s, now);
        top = *frame(s, s.depth - 1);
    }
    if top.kind != kind {
        s.unbalanced += 1;
        return;
    }
    leave(s, now);
}

/// Closes everything, as at the end of the program.
pub(crate) fn close_all() {
    let now = ticks();
    let s = stack();
    while s.depth > 0 {
        leave(s, now);
    }
}

/// Does something to the record on top of the stack.
pub(crate) fn on_top(f: impl FnOnce(&mut Record)) {
    let s = stack();
    if s.depth > 0 {
        // SAFETY: records on the stack are valid.
        f(unsafe { &mut *frame(s, s.depth - 1).record });
    }
}

fn frame(s: &mut Stack, i: usize) -> &mut Frame {
    &mut s.pages[i / PAGE][i % PAGE]
}

fn leave(s: &mut Stack, now: u64) {
    s.depth -= 1;
    let top = *frame(s, s.depth);
    let spent = now.wrapping_sub(top.start);
    // SAFETY: records on the stack are valid.
    let r = unsafe { &mut *top.record };
    r.depth -= 1;
    r.exclusive += spent.wrapping_sub(top.inner);
    if r.depth == 0 {
        r.inclusive += spent;
    }
    let outer = if s.depth > 0 {
        let below = frame(s, s.depth - 1);
        below.inner += spent;
        below.procedure
    } else {
        0
    };
    if top.kind == Kind::Procedure {
        s.edge(outer, top.procedure).ticks += spent;
    }
    s.pairs += 1;
}

impl Stack {
    /// The dense number of a procedure, kept in its record, where procedures count nothing.
    fn number(&mut self, record: *mut Record, r: &mut Record) -> u32 {
        if r.evaluations == 0 {
            self.procedures.push(record);
            r.evaluations = self.procedures.len() as u64;
        }
        r.evaluations as u32
    }

    fn edge(&mut self, caller: u32, callee: u32) -> &mut Edge {
        let needed = self.procedures.len() + 1;
        if needed > self.width {
            let width = (needed * 2).max(64);
            let mut edges = vec![Edge::default(); width * width];
            for (i, e) in self.edges.iter().enumerate() {
                edges[i / self.width * width + i % self.width] = *e;
            }
            self.edges = edges;
            self.width = width;
        }
        &mut self.edges[caller as usize * self.width + callee as usize]
    }
}

/// The edges that were taken: records of caller (null for the outside) and callee.
pub(crate) fn edges() -> Vec<(*mut Record, *mut Record, Edge)> {
    let s = stack();
    let record = |s: &Stack, n: usize| if n == 0 { std::ptr::null_mut() } else { s.procedures[n - 1] };
    let count = s.procedures.len() + 1;
    let mut out = Vec::new();
    for caller in 0..count.min(s.width) {
        for callee in 1..count {
            let e = s.edges[caller * s.width + callee];
            if e.calls > 0 {
                out.push((record(s, caller), record(s, callee), e));
            }
        }
    }
    out
}

/// How many pairs of probes ran.
pub(crate) fn pairs() -> u64 {
    stack().pairs
}

/// What a pair of probes costs in ticks: the least mean of a few short trials.
pub(crate) fn probe_ticks() -> f64 {
    const PAIRS: u32 = 256;
    let mut record = EMPTY;
    let kept = stack().pairs;
    let mut best = f64::INFINITY;
    for _ in 0..8 {
        let start = ticks();
        for _ in 0..PAIRS {
            // SAFETY: the record outlives the pair.
            unsafe { push(&raw mut record, Kind::Region, true) };
            pop(Kind::Region);
        }
        best = best.min(ticks().wrapping_sub(start) as f64 / f64::from(PAIRS));
    }
    stack().pairs = kept;
    best
}
