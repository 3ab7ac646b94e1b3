//! Counters in registers over innermost loops without calls.
//!
//! ```text
//! do i = 1, n                    ghost count = 0
//!   if a(i) > 0                  do i = 1, n
//!     tally taken += 1     =>      if a(i) > 0
//!   end                              ghost count = count + 1
//! end                              end
//!                                end
//!                                tally taken += count
//! ```
//!
//! The same holds for loops of labels and jumps. The register is added before each jump out of the loop, and before each call
//! that ends the run, as checks have them: such a loop is one without calls. Nothing
//! outside of the procedure reads the counters while such a loop runs, except a report after a kill: then the counts of
//! the loop are missing.

use crate::edit::{Editor, Place};
use crate::entities::{Block, Counter, Expr, Label, Sym};
use crate::expr::{BinaryOp, ExprData};
use crate::head::Head;
use crate::tally::follow::Followed;
use crate::{Type, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_provenance::{Stmt, Why};

/// The approximate number of registers for the integers and counters of a loop.
const REGISTERS: usize = 12;
/// The same of registers for reals and vectors, and for counters that are vectors.
const VECTORS: usize = 14;
/// The least number of counters with vector registers: in memory they take several operations.
const LEAST_VECTORS: usize = 3;
/// The least and the largest number of counters with registers; the ones that run most often come first.
const LEAST: usize = 1;
const MOST: usize = 6;
/// The approximate number of executions in 256 iterations that is worth a register. A rarer counter takes one operation in memory, and
/// a register that the values of the loop have to make room for takes more.
const FREQUENT: u64 = 32;
/// The most calls in a loop that end the run: with more, the code before them would matter.
const MOST_ENDS: usize = 32;
/// The fewest iterations of a loop that is changed.
const FEW_TRIPS: i64 = 3;

/// A loop: its statements, its beginning and its ends.
struct Loop {
    /// The statement, if it has one.
    of: Option<Stmt>,
    inside: Vec<Stmt>,
    begins: Vec<Place>,
    /// None if control never comes to the statement behind it.
    ends: Option<Place>,
    /// The jumps out of it, and the calls that end the run.
    exits: Vec<Stmt>,
}

impl Editor<'_> {
    /// Keeps the counters of innermost loops without calls in registers. Returns the counters that are.
    pub fn promote_tallies(&mut self) -> Vec<Counter> {
        let mut out = Vec::new();
        for s in self.walk() {
            if let Some(l) = structured(self, s) {
                self.promote(&l, &mut out);
            }
        }
        // Counting adds no jumps.
        let mut jumps = None;
        for b in self.all_blocks() {
            for l in jumped(self, b, &mut jumps) {
                self.promote(&l, &mut out);
            }
        }
        out
    }

    fn promote(&mut self, l: &Loop, out: &mut Vec<Counter>) {
        let Chosen { following, in_registers } = chosen(self, l);
        for ((counter, tallies), along) in following {
            let amount = match along {
                Along::Scalar(along) => self.follow(along, &l.begins),
                Along::Lanes(vectors) => self.follow_lanes(&vectors, &l.begins),
            };
            tallies.into_iter().for_each(|t| self.eliminate(t, Why::Counting));
            self.count_behind(l, counter, amount);
            out.push(counter);
        }
        for (counter, tallies) in in_registers {
            let mut registers = Registers::default();
            for t in tallies {
                self.count_in_registers(t, l.of, &mut registers);
            }
            let all = [registers.scalar].into_iter().chain(registers.lanes).flatten();
            let mut amount: Option<Expr> = None;
            for r in all {
                let (now, zero) = (self.var(r), self.zero_of(r));
                for &at in &l.begins {
                    self.ghost(r, zero, at);
                }
                let sum = if self.ty(now).is_vector() { self.sum_of_lanes(now) } else { now };
                amount = Some(amount.map_or(sum, |a| self.binary(BinaryOp::Add, a, sum)));
            }
            let Some(amount) = amount else { continue };
            self.count_behind(l, counter, amount);
            out.push(counter);
        }
    }

    /// Adds `amount` wherever the loop is left.
    fn count_behind(&mut self, l: &Loop, counter: Counter, amount: Expr) {
        for &x in l.exits.iter().filter(|_| !crate::fault("promote_forgets_exit")) {
            self.tally(counter, amount, Place::Before(x));
        }
        if let Some(at) = l.ends {
            self.tally(counter, amount, at);
        }
    }

    /// The tally `t` of a loop adds to a register: the true lanes of masks to one with as many lanes.
    fn count_in_registers(&mut self, t: Stmt, of: Option<Stmt>, registers: &mut Registers) {
        let Head::Tally { amount, .. } = self.head(t) else { return };
        let sum = self.mask_sum(amount, of);
        let mut ghosts = Vec::new();
        for &(mask, op) in sum.iter().flat_map(|s| &s.masks) {
            let ty = self.type_of_lanes(mask);
            let length = if crate::fault("promote_lengths") { usize::from(ty.size() > 16) } else { ty.size() / 32 };
            let kind = usize::from(ty.lane() == Type::I4) + 2 * length;
            let slot = &mut registers.lanes[kind];
            let var = self.count_register(slot, ty);
            let lanes = self.var(var);
            ghosts.push((var, self.with_lanes_of(lanes, mask, op)));
        }
        let scalar = match &sum {
            Some(sum) if sum.number == 0 => None,
            Some(sum) => Some(self.int(Type::I8, sum.number)),
            None => Some(amount),
        };
        if let Some(amount) = scalar {
            let var = self.count_register(&mut registers.scalar, Type::I8);
            let now = self.var(var);
            ghosts.push((var, self.binary(BinaryOp::Add, now, amount)));
        }
        let Some((var, value)) = ghosts.pop() else { return };
        self.unit.stmts[t].head = Head::Ghost { var, value };
        for (var, value) in ghosts {
            self.ghost(var, value, Place::Before(t));
        }
    }

    /// The register in `slot`, which is made where there is none.
    fn count_register(&mut self, slot: &mut Option<Sym>, ty: Type) -> Sym {
        *slot.get_or_insert_with(|| {
            let register = self.new_register("count", ty);
            self.unit.tallied.insert(register);
            register
        })
    }

    fn zero_of(&mut self, register: Sym) -> Expr {
        let ty = self.sym(register).ty;
        let zero = self.int(ty.lane(), 0);
        if ty.is_vector() { self.make(ExprData::Convert(ty, zero)) } else { zero }
    }
}

/// The registers of one counter over a loop.
#[derive(Default)]
struct Registers {
    scalar: Option<Sym>,
    /// One for masks of lanes of eight bytes and one for those of four, of vectors of 16, 32 and 64 bytes.
    lanes: [Option<Sym>; 6],
}

/// The loop statement `s` with its contents, if it is an innermost one without calls that only jumps leave.
fn structured(unit: &Unit, s: Stmt) -> Option<Loop> {
    let few = match unit.head(s) {
        Head::Do { lo, hi, step, .. } => {
            let [lo, hi, step] = [lo, hi, step].map(|e| unit.pool.as_int(e));
            lo.zip(hi).zip(step).is_some_and(|((lo, hi), step)| crate::tally::trip_count(lo, hi, step) < FEW_TRIPS)
        }
        Head::DoWhile { .. } => false,
        _ => return None,
    };
    if few || unit.within(s).any(|x| unit.head(x).is_loop() || calls_others(unit, unit.head(x))) {
        return None;
    }
    let inside: Vec<Stmt> = unit.within(s).collect();
    let exits = exits(unit, &inside, None)?;
    Some(Loop { of: Some(s), inside, begins: vec![Place::Before(s)], ends: Some(Place::After(s)), exits })
}

/// The jumps to each label, with their places among all statements.
type Jumps = FxHashMap<Label, Vec<(usize, Stmt)>>;

fn jumps(unit: &Unit) -> Jumps {
    let mut out = Jumps::default();
    for (at, s) in unit.walk().into_iter().enumerate() {
        for l in unit.targets(unit.head(s)) {
            out.entry(l).or_default().push((at, s));
        }
    }
    out
}

/// The innermost loops of labels and jumps among the statements of `b`; `known` are the jumps of the unit, found when the
/// first loop needs them.
fn jumped(unit: &Unit, b: Block, known: &mut Option<Jumps>) -> Vec<Loop> {
    let list: Vec<Stmt> = unit.stmts(b).collect();
    let labels: FxHashMap<Label, usize> = list
        .iter()
        .enumerate()
        .filter_map(|(at, &s)| if let Head::Label(l) = unit.head(s) { Some((l, at)) } else { None })
        .collect();
    if labels.is_empty() {
        return vec![];
    }
    let mut last: FxHashMap<usize, usize> = FxHashMap::default();
    for (at, &s) in list.iter().enumerate() {
        for x in unit.walk_stmt(s) {
            for l in unit.targets(unit.head(x)) {
                if let Some(&to) = labels.get(&l).filter(|&&to| to <= at) {
                    last.insert(to, at);
                }
            }
        }
    }
    let mut loops: Vec<(usize, usize)> = last.into_iter().collect();
    loops.sort_unstable();
    let mut out = Vec::new();
    let mut last_end = None;
    for (k, &(from, to)) in loops.iter().enumerate() {
        // No loop that begins before it reaches into it, and the next one begins behind it.
        let is_innermost = last_end.is_none_or(|end| end < from) && loops.get(k + 1).is_none_or(|next| next.0 > to);
        last_end = last_end.max(Some(to));
        if is_innermost {
            let known = known.get_or_insert_with(|| jumps(unit));
            out.extend(of_jumps(unit, &list[from..=to], known));
        }
    }
    out
}

/// The statements of `list`, from a label to the last jump back, as a loop.
fn of_jumps(unit: &Unit, list: &[Stmt], jumps: &Jumps) -> Option<Loop> {
    let (&first, &last) = (list.first()?, list.last()?);
    let inside: Vec<Stmt> = list.iter().flat_map(|&s| unit.walk_stmt(s)).collect();
    let Head::Label(start) = unit.head(first) else { return None };
    let exits = exits(unit, &inside, Some(start))?;
    let here: FxHashSet<Stmt> = inside.iter().copied().collect();
    let labels: FxHashSet<Label> = labels(unit, &inside);
    let mut begins = vec![Place::Before(first)];
    let entering = labels.iter().filter_map(|l| jumps.get(l)).flatten().filter(|(_, x)| !here.contains(x));
    let mut entering: Vec<(usize, Stmt)> = entering.copied().collect();
    entering.sort_unstable();
    entering.dedup();
    for (_, x) in entering {
        // It enters the loop: at its beginning, or not at all.
        if unit.head(x) != Head::Goto(start) {
            return None;
        }
        begins.push(Place::Before(x));
    }
    let ends = (!unit.head(last).is_jump()).then_some(Place::After(last));
    Some(Loop { of: None, inside, begins, ends, exits })
}

fn labels(unit: &Unit, inside: &[Stmt]) -> FxHashSet<Label> {
    inside.iter().filter_map(|&x| if let Head::Label(l) = unit.head(x) { Some(l) } else { None }).collect()
}

/// The jumps out of a loop, which may begin with a label; none if there are loops or calls in it, or other ways out.
fn exits(unit: &Unit, inside: &[Stmt], start: Option<Label>) -> Option<Vec<Stmt>> {
    let labels = labels(unit, inside);
    let (mut out, mut passed) = (Vec::new(), FxHashSet::default());
    let mut ends = 0;
    for &x in inside {
        if let Head::Label(l) = unit.head(x) {
            passed.insert(l);
        }
        // A jump back makes an inner loop.
        if unit.targets(unit.head(x)).iter().any(|l| Some(*l) != start && passed.contains(l)) {
            return None;
        }
        let head = unit.head(x);
        if head.is_loop() || calls_others(unit, head) {
            return None;
        }
        match head {
            _ if unit.never_returns(head) => {
                ends += 1;
                out.push(x);
            }
            Head::Return => out.push(x),
            Head::Goto(l) if !labels.contains(&l) => out.push(x),
            _ if unit.targets(head).iter().any(|l| !labels.contains(l)) => return None,
            _ => {}
        }
    }
    (ends <= MOST_ENDS).then_some(out)
}

/// Whether `head` calls anything that may come back, but for functions that depend on their arguments only.
fn calls_others(unit: &Unit, head: Head) -> bool {
    unit.calls_others(head) && !unit.never_returns(head)
}

/// A counter and its tallies in a loop.
type Counted = (Counter, Vec<Stmt>);

/// A variable of the program that counts along.
enum Along {
    Scalar(Followed),
    /// Vectors whose lanes count those of masks.
    Lanes(Vec<Sym>),
}

/// The counters of a loop that are not to be added to memory in it.
struct Chosen {
    /// They follow a variable.
    following: Vec<(Counted, Along)>,
    /// They are to have registers: the ones that run most often.
    in_registers: Vec<Counted>,
}

/// Chooses among the counters of the loop.
fn chosen(unit: &Unit, l: &Loop) -> Chosen {
    let here: FxHashSet<Stmt> = l.inside.iter().copied().collect();
    let exits: FxHashSet<Stmt> = l.exits.iter().copied().collect();
    let mut found: indexmap::IndexMap<Counter, (u64, Vec<Stmt>)> = indexmap::IndexMap::new();
    let mut used: FxHashSet<Sym> = FxHashSet::default();
    for &x in &l.inside {
        let head = unit.head(x);
        if !head.is_invisible() {
            used.extend(unit.values(head).into_iter().flat_map(|e| unit.registers_in(e)));
            used.extend(unit.defines(head));
        }
        let Head::Tally { counter, .. } = head else { continue };
        let (frequency, tallies) = found.entry(counter).or_default();
        *frequency += frequency_of(unit, x, &here, &exits);
        tallies.push(x);
    }
    // A counter that only runs on the way out is added to memory there.
    let (mut out, mut following) = (Vec::new(), Vec::new());
    for (counter, (frequency, tallies)) in found.into_iter().filter(|(_, (frequency, _))| *frequency > 0) {
        let lanes = || unit.followed_lanes(l.of, &l.inside, &tallies).map(Along::Lanes);
        match unit.followed(l.of, &l.inside, &tallies).map(Along::Scalar).or_else(lanes) {
            Some(along) => following.push(((counter, tallies), along)),
            None => out.push((counter, (frequency, tallies))),
        }
    }
    out.sort_by_key(|(_, (frequency, _))| std::cmp::Reverse(*frequency));
    let is_wide = |&&v: &&Sym| unit.sym(v).ty.is_real() || unit.sym(v).ty.is_vector();
    let wide = used.iter().filter(is_wide).count();
    let mut room = REGISTERS.saturating_sub(used.len() - wide).clamp(LEAST, MOST);
    let mut room_of_vectors = VECTORS.saturating_sub(wide).clamp(LEAST_VECTORS, MOST);
    let mut in_registers = Vec::new();
    for (counter, (frequency, tallies)) in out {
        let in_lanes = tallies.iter().all(|&t| counts_lanes(unit, t, l.of));
        let room = if in_lanes { &mut room_of_vectors } else { &mut room };
        if let Some(left) = room.checked_sub(1).filter(|_| in_lanes || frequency >= FREQUENT) {
            *room = left;
            in_registers.push((counter, tallies));
        }
    }
    Chosen { following, in_registers }
}

/// Whether the tally `t` of the loop statement `of` adds nothing but true lanes of masks.
fn counts_lanes(unit: &Unit, t: Stmt, of: Option<Stmt>) -> bool {
    let Head::Tally { amount, .. } = unit.head(t) else { return false };
    unit.mask_sum(amount, of).is_some_and(|sum| sum.number == 0)
}

/// The approximate number of executions of the statement `x` of a loop: 256 if every iteration executes it; 0 if the
/// loop is left behind it.
fn frequency_of(unit: &Unit, x: Stmt, here: &FxHashSet<Stmt>, exits: &FxHashSet<Stmt>) -> u64 {
    let (mut x, mut frequency) = (x, 256);
    while let (Some(outer), Some(b)) = (unit.enclosing(x), unit.parent(x)) {
        if !here.contains(&outer) {
            break;
        }
        if unit.stmts(b).next_back().is_some_and(|last| exits.contains(&last)) {
            return 0;
        }
        let arms = unit.blocks(outer).len().max(2) as u64;
        frequency = (frequency / arms).max(1);
        x = outer;
    }
    frequency
}
