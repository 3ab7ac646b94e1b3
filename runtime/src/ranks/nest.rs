//! Loop nests: which iterations each rank executes, and one exchange of elements before the nest instead of one for each element in it.
//!
//! The compiler has found that no rank needs an element in the nest that another rank writes there before (`resolve` in the compiler), so
//! all that is needed is known when the nest is reached. For each rank and each statement the iterations are a product of sets, one for
//! each loop; so are the elements that are read and written ([`trueline_abi::nest`]). Sets that are larger than needed do no harm: an owner
//! always has the value of its elements, so more may be sent, and copies may be taken as invalid that are not.
//!
//! Everything that follows from the numbers and from the notes is a *plan*, which is kept: the same nest in the same state of the notes, as
//! in each step of an iteration in time, is a look into a table.

use super::carry;
use super::ledger::{self, Category};
use super::mapped::{ALONE, Array, all, array};
use super::notes::{Run, State, States, changed};
use super::placement::Placement;
use super::sets::Set;
use super::work::Counter;
use super::{begin_at, exchange, fault, note_short, rank, rehearsal, set_place, size};
use crate::memory::c_text;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use trueline_abi::nest::{Affine, Element, Executed, NOTHING, Nest, Subscript};

/// Elements that go from one rank to another: the array, the first and how many.
pub(super) type Part = (usize, usize, usize);

/// All that one rank sends to another before a nest.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) parts: Vec<Part>,
}

/// The work of this rank for a nest.
pub(super) struct Plan {
    answers: Vec<i64>,
    /// The messages that this rank sends or receives, in the order of all ranks.
    pub(super) messages: Vec<Message>,
    /// Messages with elements that ranks compute in the nest for others.
    late: Vec<Message>,
    /// The notes of each array behind the nest.
    pub(super) after: Vec<Arc<State>>,
    /// The iterations of all statements on this rank, if there is a ledger; in a rehearsal on each rank, and last those of a rank alone.
    iterations: Vec<u64>,
    /// The ranks with iterations, in order, if results go from one to the next.
    order: Vec<usize>,
}

impl Plan {
    /// Whether this rank sends and receives nothing before the nest.
    fn is_quiet(&self) -> bool {
        self.messages.is_empty() && self.late.is_empty()
    }
}

/// A nest, its values, and the versions of the notes of its arrays.
type Key = (usize, Vec<i64>);

/// A table of numbers that compiled code has passed, by its address.
struct Known {
    numbers: Vec<i64>,
    /// No other table has it.
    id: usize,
    nest: Arc<Nest>,
    /// The last plan of it, and the numbers that it was made from.
    last: Option<(Vec<i64>, Arc<Plan>)>,
    /// How often it was reached.
    count: u64,
}

impl Known {
    /// Whether these are the numbers at an address.
    ///
    /// # Safety
    /// `address` is that of `count` integers, which need not be aligned.
    unsafe fn is(&self, address: usize, count: usize) -> bool {
        // SAFETY: bytes may be read as they are, on both sides.
        self.numbers.len() == count
            && unsafe {
                let bytes = count * size_of::<i64>();
                std::slice::from_raw_parts(address as *const u8, bytes)
                    == std::slice::from_raw_parts(self.numbers.as_ptr().cast::<u8>(), bytes)
            }
    }

    /// The last plan, if it was made from the same numbers and notes.
    fn plan(&self, values: &[i64], arrays: &[&mut Array]) -> Option<Arc<Plan>> {
        let (numbers, plan) = self.last.as_ref()?;
        let mut rest = numbers.strip_prefix(values)?.iter();
        let is_same = arrays.iter().all(|a| rest.next().is_some_and(|n| a.version() == Some(*n)));
        (is_same && rest.next().is_none()).then(|| plan.clone())
    }
}

#[derive(Default)]
struct Plans {
    nests: BTreeMap<usize, Known>,
    last: usize,
    plans: HashMap<Key, Arc<Plan>>,
    states: States,
    /// Numbers that are kept in plans.
    size: usize,
}

/// Plans and states are forgotten when they have this many numbers.
const MOST: usize = 8 << 20;

/// The number in place of that of a nest, for mappings that change.
const REMAP: usize = 0;

/// The plan, and the handles, of a nest behind which this rank sends.
static PENDING: Mutex<Option<(Arc<Plan>, Vec<i64>)>> = Mutex::new(None);

static PLANS: Mutex<Option<Plans>> = Mutex::new(None);

impl Plans {
    /// The nest of a table, its number, and how often it was reached.
    fn nest(&mut self, address: usize, count: usize) -> (usize, Arc<Nest>, u64) {
        // A library that was loaded where another one has been has other tables at the same addresses.
        if let Some(known) = self.nests.get_mut(&address)
            // SAFETY: compiled code passes the address of this many integers.
            && unsafe { known.is(address, count) }
        {
            known.count += 1;
            return (known.id, known.nest.clone(), known.count);
        }
        // SAFETY: as above; they need not be aligned.
        let number = |k: usize| unsafe { (address as *const i64).add(k).read_unaligned() };
        let numbers: Vec<i64> = (0..count).map(number).collect();
        let nest = Arc::new(Nest::decode(&numbers).unwrap_or_default());
        self.last += 1;
        self.nests.insert(address, Known { numbers, id: self.last, nest: nest.clone(), last: None, count: 1 });
        (self.last, nest, 1)
    }

    /// The last plan of the nest whose table is at `address`, if it holds again.
    fn last_plan(&self, address: usize, nest: &Nest, values: &[i64], arrays: &[&mut Array]) -> Option<Arc<Plan>> {
        self.nests.get(&address)?.plan(&values[nest.arrays..nest.values], arrays)
    }

    /// The plan of the nest whose table is at `address`.
    fn plan(
        &mut self,
        (address, id): (usize, usize),
        nest: &Nest,
        values: &[i64],
        arrays: &mut [&mut Array],
    ) -> Arc<Plan> {
        let own = &values[nest.arrays..nest.values];
        let plan = self.look_up(id, nest, values, arrays);
        let versions: Option<Vec<i64>> = arrays.iter().map(|a| a.version()).collect();
        if let (Some(known), Some(versions)) = (self.nests.get_mut(&address), versions) {
            known.last = Some((own.iter().copied().chain(versions).collect(), plan.clone()));
        }
        plan
    }

    /// The plan of a nest in which no element of some of its arrays is used. It is not kept.
    fn without(&mut self, nest: &Nest, values: &[i64], arrays: &mut [&mut Array], absent: &[bool]) -> Arc<Plan> {
        let before: Vec<Arc<State>> = arrays.iter_mut().map(|a| a.state(&mut self.states)).collect();
        let arrays: Vec<(i64, &Placement)> = arrays.iter().map(|a| (a.number, &*a.placement)).collect();
        let planner = Planner { absent, ..Planner::new(nest, values, &arrays) };
        Arc::new(planner.plan(&before, &mut self.states))
    }

    fn look_up(&mut self, id: usize, nest: &Nest, values: &[i64], arrays: &mut [&mut Array]) -> Arc<Plan> {
        let before: Vec<Arc<State>> = arrays.iter_mut().map(|a| a.state(&mut self.states)).collect();
        let mut numbers = values[nest.arrays..nest.values].to_vec();
        if fault("ranks_plan_of_other_values") {
            numbers.clear();
        }
        if !fault("ranks_plan_of_other_state") {
            numbers.extend(before.iter().map(|s| s.number));
        }
        let key = (id, numbers);
        if let Some(plan) = self.plans.get(&key) {
            return plan.clone();
        }
        self.make_room();
        let arrays: Vec<(i64, &Placement)> = arrays.iter().map(|a| (a.number, &*a.placement)).collect();
        let plan = Planner::new(nest, values, &arrays).plan(&before, &mut self.states);
        self.keep(key, plan)
    }

    /// The plan by which new owners of arrays get their elements.
    fn remap(&mut self, arrays: &mut [&mut Array], new: &[(i64, Arc<Placement>)]) -> Arc<Plan> {
        let before: Vec<Arc<State>> = arrays.iter_mut().map(|a| a.state(&mut self.states)).collect();
        let mut numbers: Vec<i64> = new.iter().map(|n| n.0).collect();
        numbers.extend(before.iter().map(|s| s.number));
        let key = (REMAP, numbers);
        if let Some(plan) = self.plans.get(&key) {
            return plan.clone();
        }
        self.make_room();
        let placements: Vec<(i64, &Placement)> = new.iter().map(|(n, p)| (*n, &**p)).collect();
        let none = Nest::default();
        let plan = Planner::new(&none, &[], &placements).remap(&before, &mut self.states);
        self.keep(key, plan)
    }

    /// Forgets plans and states that have grown too large.
    fn make_room(&mut self) {
        if self.size + self.states.size() > MOST {
            self.plans.clear();
            self.states.forget();
            self.nests.values_mut().for_each(|known| known.last = None);
            self.size = 0;
        }
    }

    fn keep(&mut self, key: Key, plan: Plan) -> Arc<Plan> {
        let plan = Arc::new(plan);
        let parts: usize = plan.messages.iter().chain(&plan.late).map(|m| m.parts.len() * 3 + 3).sum();
        self.size += key.1.len() + plan.answers.len() + parts + 16;
        self.plans.insert(key, plan.clone());
        plan
    }
}

/// The sets of one statement on one rank: for each loop the values of its variable; none if it executes nothing.
type Iterations = Option<Vec<Set>>;

/// The notes of an array while a plan is made.
struct Notes {
    /// Before the exchange.
    before: Arc<State>,
    /// With all that has been planned so far.
    now: Vec<Run>,
}

struct Planner<'a> {
    nest: &'a Nest,
    values: &'a [i64],
    arrays: &'a [(i64, &'a Placement)],
    /// Whether no element of an array is ever used; empty if there is none of these.
    absent: &'a [bool],
    /// The values of each loop's variable on one rank.
    whole: Vec<Set>,
}

impl<'a> Planner<'a> {
    fn new(nest: &'a Nest, values: &'a [i64], arrays: &'a [(i64, &'a Placement)]) -> Planner<'a> {
        let mut planner = Planner { nest, values, arrays, absent: &[], whole: Vec::new() };
        for l in &nest.loops {
            let set = if l.is_fixed() {
                Set::progression(planner.value(&l.lo), planner.value(&l.hi), l.step)
            } else {
                // The variables of the loops around it take whole ranges.
                let (lo, hi) = (planner.image(&l.lo, &planner.whole), planner.image(&l.hi, &planner.whole));
                match (lo.hull(), hi.hull()) {
                    (Some(lo), Some(hi)) if l.step > 0 => Set::range(lo.0, hi.1),
                    (Some(lo), Some(hi)) => Set::range(hi.0, lo.1),
                    _ => Set::default(),
                }
            };
            planner.whole.push(set);
        }
        planner
    }

    fn value(&self, a: &Affine) -> i64 {
        self.values.get(a.value).copied().unwrap_or(0)
    }

    /// The values of a sum.
    fn image(&self, a: &Affine, loops: &[Set]) -> Set {
        let offset = self.value(a);
        match a.terms.as_slice() {
            [] => Set::range(offset, offset),
            [(l, factor)] => loops[*l].mapped(*factor, offset),
            terms => {
                let mut sum = (offset, offset);
                for &(l, factor) in terms {
                    let Some(part) = loops[l].mapped(factor, 0).hull() else { return Set::default() };
                    // The range around the multiples, for any factor.
                    sum = (sum.0.saturating_add(part.0), sum.1.saturating_add(part.1));
                }
                Set::range(sum.0, sum.1)
            }
        }
    }

    /// The subscripts of an element in each dimension, in the iterations of `loops`.
    fn section(&self, e: &Element, loops: &[Set]) -> Vec<Set> {
        let placement = self.arrays[e.array].1;
        let subscript = |(d, s): (usize, &Subscript)| {
            let (lo, hi) = placement.subscripts(d);
            let whole = Set::range(lo, hi);
            match s {
                Subscript::Any => whole,
                Subscript::Of(a) => self.image(a, loops).and(&whole),
                Subscript::Either(all) => {
                    all.iter().fold(Set::default(), |set, a| set.or(&self.image(a, loops).and(&whole)))
                }
            }
        };
        e.subscripts.iter().enumerate().map(subscript).collect()
    }

    fn is_absent(&self, array: usize) -> bool {
        self.absent.get(array) == Some(&true)
    }

    /// The iterations in which `rank` owns the element.
    fn owned(&self, e: &Element, rank: usize) -> Iterations {
        let part = self.arrays[e.array].1.part(rank).filter(|_| !self.is_absent(e.array))?;
        let mut loops = self.whole.clone();
        for (subscript, own) in e.subscripts.iter().zip(part) {
            let (Subscript::Of(a), Some(own)) = (subscript, own) else { continue };
            let offset = self.value(a);
            match a.terms.as_slice() {
                [] if !own.contains(offset) => return None,
                [] => {}
                // The compiler passes no other factor than 1 and -1 here: i = factor * (subscript - offset).
                [(l, factor)] => {
                    let back = own.mapped(*factor, factor.saturating_neg().saturating_mul(offset));
                    loops[*l] = loops[*l].and(&back);
                }
                _ => return None,
            }
        }
        Some(loops)
    }

    /// The iterations of each statement on `rank`.
    fn iterations(&self, rank: usize) -> Vec<Iterations> {
        let mut out: Vec<Iterations> = self
            .nest
            .statements
            .iter()
            .map(|s| match &s.executed {
                Executed::ByOwners { of, .. } => self.owned(of, rank),
                _ => Some(self.whole.clone()),
            })
            .collect();
        // The ranks that use a value execute it, too.
        let mut used: Vec<Set> = vec![Set::default(); self.whole.len()];
        for (s, iterations) in self.nest.statements.iter().zip(&out) {
            let Some(iterations) = iterations else { continue };
            for l in self.nest.chain(s.inner) {
                if !matches!(&s.executed, Executed::ByUsers(loops) if loops.contains(&l)) {
                    used[l] = used[l].or(&iterations[l]);
                }
            }
        }
        for (s, iterations) in self.nest.statements.iter().zip(&mut out) {
            if let (Executed::ByUsers(loops), Some(iterations)) = (&s.executed, iterations) {
                loops.iter().for_each(|&l| iterations[l] = used[l].clone());
            }
        }
        let runs = |s: &trueline_abi::nest::Statement, i: &Vec<Set>| self.nest.chain(s.inner).all(|l| !i[l].is_empty());
        let statements = self.nest.statements.iter();
        statements.zip(out).map(|(s, i)| i.filter(|i| runs(s, i))).collect()
    }

    fn plan(&self, before: &[Arc<State>], states: &mut States) -> Plan {
        let mut notes: Vec<Notes> =
            before.iter().map(|s| Notes { before: s.clone(), now: s.runs().to_vec() }).collect();
        if self.nest.carried.is_some_and(|c| c.may_be_whole) && self.is_everywhere(before) {
            let alone = vec![vec![Some(self.whole.clone()); self.nest.statements.len()]; size()];
            let plan = self.planned(self.nest.alone(self.values), BTreeMap::new(), notes, states);
            return Plan { iterations: self.work(&alone), ..plan };
        }
        let per_rank: Vec<Vec<Iterations>> = (0..size()).map(|r| self.iterations(r)).collect();
        let mut messages: BTreeMap<(usize, usize), Vec<Part>> = BTreeMap::new();
        for (to, iterations) in per_rank.iter().enumerate() {
            for (s, loops) in self.nest.statements.iter().zip(iterations) {
                let Some(loops) = loops else { continue };
                let early =
                    s.reads.iter().enumerate().filter(|(k, read)| !s.late.contains(k) && !self.is_absent(read.array));
                for (_, read) in early {
                    self.need(read, loops, to, &mut notes, &mut messages);
                }
            }
        }
        for (by, iterations) in per_rank.iter().enumerate() {
            for (s, loops) in self.nest.statements.iter().zip(iterations) {
                if let (Executed::ByOwners { of, writes: true }, Some(loops)) = (&s.executed, loops) {
                    let owners = self.arrays[of.array].1.sharers(by);
                    if owners.trailing_zeros() as usize == by && !fault("ranks_nest_unnoted") {
                        let section = self.section(of, loops);
                        let now = &mut notes[of.array].now;
                        *now = changed(now, &self.ranges(of.array, &section), all(), &mut |_| owners);
                    }
                }
            }
        }
        let mut late = BTreeMap::new();
        for (to, iterations) in per_rank.iter().enumerate() {
            for (s, loops) in self.nest.statements.iter().zip(iterations) {
                let Some(loops) = loops else { continue };
                let wanted = s.late.iter().filter(|&&k| !self.is_absent(s.reads[k].array));
                wanted.for_each(|&k| self.wait_for(&s.reads[k], loops, to, &mut notes, &mut late));
            }
        }
        let plan = self.planned(self.answers(&per_rank[rank()]), messages, notes, states);
        Plan { late: ordered(late), iterations: self.work(&per_rank), order: self.order(&per_rank), ..plan }
    }

    /// Whether all ranks have all elements that the nest reads.
    fn is_everywhere(&self, before: &[Arc<State>]) -> bool {
        let mut notes: Vec<Notes> =
            before.iter().map(|s| Notes { before: s.clone(), now: s.runs().to_vec() }).collect();
        let mut messages = BTreeMap::new();
        for read in self.nest.statements.iter().flat_map(|s| &s.reads).filter(|r| !self.is_absent(r.array)) {
            let section = self.section(read, &self.whole);
            (0..size()).for_each(|to| self.missing(read.array, &section, to, &mut notes, &mut messages));
        }
        // The messages are those of this rank only.
        notes.iter().all(|n| n.now == n.before.runs())
    }

    /// The ranks with iterations of the statement whose results go from one to the next, in order.
    fn order(&self, per_rank: &[Vec<Iterations>]) -> Vec<usize> {
        let Some(c) = self.nest.carried else { return Vec::new() };
        let first = |rank: usize| Some((per_rank[rank][c.statement].as_ref()?[c.along].hull()?.0, rank));
        let mut all: Vec<(i64, usize)> = (0..per_rank.len()).filter_map(first).collect();
        all.sort_unstable();
        if (self.nest.loops[c.along].step < 0) != fault("ranks_carry_backwards") {
            all.reverse();
        }
        all.into_iter().map(|(_, rank)| rank).collect()
    }

    /// The iterations that somebody wants to know.
    fn work(&self, per_rank: &[Vec<Iterations>]) -> Vec<u64> {
        let counter = Counter { nest: self.nest, values: self.values };
        let of = |iterations: &Vec<Iterations>| {
            let each = self.nest.statements.iter().zip(iterations);
            let each = each.filter_map(|(s, loops)| Some(counter.iterations(s.inner, loops.as_ref()?)));
            each.fold(0, u64::saturating_add)
        };
        if rehearsal::is_on() {
            let alone = vec![Some(self.whole.clone()); self.nest.statements.len()];
            per_rank.iter().chain([&alone]).map(of).collect()
        } else if ledger::is_kept() {
            vec![of(&per_rank[rank()])]
        } else {
            Vec::new()
        }
    }

    /// Notes the messages by which rank `to` gets the elements that it reads when their owners are through with the nest.
    fn wait_for(
        &self,
        read: &Element,
        loops: &[Set],
        to: usize,
        notes: &mut [Notes],
        late: &mut BTreeMap<(usize, usize), Vec<Part>>,
    ) {
        let section = self.section(read, loops);
        let placement = self.arrays[read.array].1;
        for from in (0..size()).filter(|&q| q != to && placement.sharers(q).trailing_zeros() as usize == q) {
            let Some(part) = placement.part(from) else { continue };
            let theirs = section.iter().zip(part);
            let theirs: Vec<Set> = theirs.map(|(s, own)| own.map_or_else(|| s.clone(), |own| s.and(own))).collect();
            let now = &mut notes[read.array].now;
            *now = changed(now, &self.ranges(read.array, &theirs), all(), &mut |(first, end, have)| {
                if have >> to & 1 == 0 && concerns(from, to) {
                    late.entry((from, to)).or_default().push((read.array, first, end - first));
                }
                have | 1 << to
            });
        }
    }

    /// Each owner gets those of its elements that it has not got.
    fn remap(&self, before: &[Arc<State>], states: &mut States) -> Plan {
        let mut notes: Vec<Notes> =
            before.iter().map(|s| Notes { before: s.clone(), now: s.runs().to_vec() }).collect();
        let mut messages: BTreeMap<(usize, usize), Vec<Part>> = BTreeMap::new();
        for (array, (_, placement)) in self.arrays.iter().enumerate() {
            for to in 0..size() {
                let Some(part) = placement.part(to).filter(|_| !before[array].is_whole()) else { continue };
                let section: Vec<Set> = part
                    .into_iter()
                    .enumerate()
                    .map(|(d, own)| {
                        let (lo, hi) = placement.subscripts(d);
                        own.cloned().unwrap_or_else(|| Set::range(lo, hi))
                    })
                    .collect();
                self.missing(array, &section, to, &mut notes, &mut messages);
            }
        }
        self.planned(Vec::new(), messages, notes, states)
    }

    fn planned(
        &self,
        answers: Vec<i64>,
        messages: BTreeMap<(usize, usize), Vec<Part>>,
        notes: Vec<Notes>,
        states: &mut States,
    ) -> Plan {
        Plan {
            answers,
            messages: ordered(messages),
            late: Vec::new(),
            iterations: Vec::new(),
            order: Vec::new(),
            after: notes.into_iter().zip(self.arrays).map(|(n, a)| states.keep(a.0, n.now)).collect(),
        }
    }

    /// Notes the messages by which rank `to` gets the elements that it reads and has not got.
    fn need(
        &self,
        read: &Element,
        loops: &[Set],
        to: usize,
        notes: &mut [Notes],
        messages: &mut BTreeMap<(usize, usize), Vec<Part>>,
    ) {
        let section = self.section(read, loops);
        let placement = self.arrays[read.array].1;
        let Some(part) = placement.part(to) else {
            return self.missing(read.array, &section, to, notes, messages);
        };
        // The rank has the elements that are its own in all dimensions. Its other elements are divided by the first dimension that is not its own.
        let mut inside = section.clone();
        for (d, own) in part.into_iter().enumerate() {
            let Some(own) = own else { continue };
            let mut piece = inside.clone();
            piece[d] = section[d].without(own);
            if d == 1 && fault("ranks_border_lost") {
                continue;
            }
            self.missing(read.array, &piece, to, notes, messages);
            inside[d] = section[d].and(own);
        }
    }

    fn missing(
        &self,
        array: usize,
        section: &[Set],
        to: usize,
        notes: &mut [Notes],
        messages: &mut BTreeMap<(usize, usize), Vec<Part>>,
    ) {
        let notes = &mut notes[array];
        let before = notes.before.runs();
        let mut k = 0;
        notes.now = changed(&notes.now, &self.ranges(array, section), all(), &mut |(first, end, have)| {
            if have == 0 || have >> to & 1 != 0 {
                return have;
            }
            k += before[k..].partition_point(|r| r.1 <= first);
            // A rank that gets a value by this exchange cannot send it on in the same.
            for &(a, b, had) in before[k..].iter().take_while(|r| r.0 < end) {
                let from = had.trailing_zeros() as usize;
                // The other messages are those of other ranks.
                if concerns(from, to) {
                    let (first, end) = (a.max(first), b.min(end));
                    messages.entry((from, to)).or_default().push((array, first, end - first));
                }
            }
            have | 1 << to
        });
    }

    /// The elements of a section, in order.
    fn ranges(&self, array: usize, section: &[Set]) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        self.runs(array, section, &mut |first, end| out.push((first, end)));
        if !out.is_sorted() {
            out.sort_unstable();
        }
        out
    }

    /// Calls `each` for the elements of a section, run by run.
    fn runs(&self, array: usize, section: &[Set], each: &mut dyn FnMut(usize, usize)) {
        let placement = self.arrays[array].1;
        if section.len() != placement.rank() || section.iter().any(Set::is_empty) {
            return;
        }
        // Dimensions that are whole make longer runs.
        let mut size = 1usize;
        let mut sizes = vec![1usize];
        for d in 0..section.len() {
            let (lo, hi) = placement.subscripts(d);
            size = size.saturating_mul(usize::try_from(i128::from(hi) - i128::from(lo) + 1).unwrap_or(0));
            sizes.push(size);
        }
        let is_whole = |d: usize| section[d].ranges() == [placement.subscripts(d)];
        let inner = (0..section.len()).take_while(|&d| is_whole(d)).count();
        if inner == section.len() {
            return each(0, placement.count);
        }
        let mut todo = vec![(section.len() - 1, 0usize)];
        while let Some((d, from)) = todo.pop() {
            let lower = placement.subscripts(d).0;
            let at = |i: i64| from + sizes[d] * (i.abs_diff(lower) as usize);
            if d == inner {
                section[d].ranges().iter().for_each(|&(first, last)| each(at(first), at(last) + sizes[d]));
                continue;
            }
            for &(first, last) in section[d].ranges().iter().rev() {
                todo.extend((first..=last).rev().map(|i| (d - 1, at(i))));
            }
        }
    }

    /// The answers for this rank.
    fn answers(&self, iterations: &[Iterations]) -> Vec<i64> {
        let mut out = Vec::with_capacity(self.nest.answers());
        let mut used: Vec<Set> = vec![Set::default(); self.whole.len()];
        for (s, loops) in self.nest.statements.iter().zip(iterations) {
            if let Some(loops) = loops {
                self.nest.chain(s.inner).for_each(|l| used[l] = used[l].or(&loops[l]));
            }
        }
        for (l, set) in self.nest.loops.iter().zip(&used) {
            let Some((low, high)) = set.hull() else {
                // No iterations, in either direction.
                let (lo, hi) = if l.is_fixed() && l.step < 0 { (NOTHING.1, NOTHING.0) } else { NOTHING };
                out.extend([lo, hi, l.step, 1]);
                continue;
            };
            let step = set.distance().map_or(l.step, |d| d.saturating_mul(l.step.signum()));
            let each = high.abs_diff(low) / step.unsigned_abs().max(1) + 1 == set.len();
            match l.is_fixed() && l.step < 0 {
                true => out.extend([high, low, step, i64::from(each)]),
                false => out.extend([low, high, step, i64::from(each)]),
            }
        }
        for (s, loops) in self.nest.statements.iter().zip(iterations) {
            for &l in &s.guards {
                let hull = match loops {
                    None => None,
                    // A statement alone is executed or not.
                    Some(_) if s.inner.is_none() => Some((0, 0)),
                    Some(loops) => loops.get(l).and_then(Set::hull),
                };
                let (low, high) = hull.unwrap_or(NOTHING);
                out.extend([low, high]);
            }
        }
        out
    }
}

/// The plan by which the owners of `new` placements get the elements of the arrays.
pub(super) fn remap(arrays: &mut [&mut Array], new: &[(i64, Arc<Placement>)]) -> Arc<Plan> {
    PLANS.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().remap(arrays, new)
}

/// Whether a message between two ranks concerns this one: in a rehearsal all do.
fn concerns(from: usize, to: usize) -> bool {
    from == rank() || to == rank() || rehearsal::is_on()
}

/// Messages in the order of all ranks.
fn ordered(messages: BTreeMap<(usize, usize), Vec<Part>>) -> Vec<Message> {
    messages.into_iter().map(|((from, to), parts)| Message { from, to, parts: joined(parts) }).collect()
}

/// Neighbouring parts as one.
fn joined(mut parts: Vec<Part>) -> Vec<Part> {
    parts.sort_unstable();
    parts.dedup_by(|next, before| {
        let follows = before.0 == next.0 && before.1 + before.2 == next.1;
        if follows {
            before.2 += next.2;
        }
        follows
    });
    parts
}

/// Before a loop nest: sends and receives the elements that are needed in it, and puts the answers behind the values.
///
/// # Safety
/// `table` is the address of `numbers` integers that mean a nest; `values` has the values of that nest, and room for its answers; the first
/// values are handles that are in use. `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_nest(table: *const u8, numbers: i64, values: *mut u8, location: *const u8) {
    let count = usize::try_from(numbers).unwrap_or(0);
    let mut plans = PLANS.lock().unwrap_or_else(PoisonError::into_inner);
    let plans = plans.get_or_insert_default();
    let (id, nest, reached) = plans.nest(table as usize, count);
    // SAFETY: the caller passes an array of integers that is large enough.
    let (given, answers) = unsafe {
        std::slice::from_raw_parts_mut(values.cast::<i64>(), nest.values + nest.answers()).split_at_mut(nest.values)
    };
    let handles = &given[..nest.arrays];
    if size() == 1 || handles.iter().all(|&h| h == ALONE) {
        if nest.carried.is_some() {
            carry::begin(&[]);
        }
        answers.copy_from_slice(&nest.alone(given));
        return;
    }
    let mut others = Vec::new();
    // SAFETY: the caller passes handles that are in use, each of an array of its own.
    let mut arrays = unsafe { arrays_of(handles, &mut others) };
    if arrays.len() < nest.arrays {
        return;
    }
    // SAFETY: the caller passes a literal location.
    let place = unsafe { c_text(location) };
    let begin = || begin_at(place, Category::Library);
    let mut part = ledger::is_due(reached).then(begin);
    let has_absent = handles.contains(&ALONE);
    let last = if has_absent { None } else { plans.last_plan(table as usize, &nest, given, &arrays) };
    let is_short = last.as_ref().is_some_and(|plan| plan.is_quiet());
    if !is_short {
        part = part.or_else(|| Some(begin()));
    }
    let plan = match last {
        Some(plan) => plan,
        None if has_absent => {
            let absent: Vec<bool> = handles.iter().map(|&h| h == ALONE).collect();
            plans.without(&nest, given, &mut arrays, &absent)
        }
        None => plans.plan((table as usize, id), &nest, given, &mut arrays),
    };
    if let Some(part) = part.as_ref().filter(|_| !plan.is_quiet()) {
        part.goes_on(Category::Communication);
    }
    exchange::exchange(&plan.messages, &mut arrays);
    if nest.carried.is_some() {
        carry::begin(&plan.order);
    }
    if rehearsal::is_on() {
        rehearse(&plan, &mut arrays);
        answers.copy_from_slice(&nest.alone(given));
        return;
    }
    exchange::receive_all(&plan.late, &mut arrays);
    if plan.late.iter().any(|m| m.from == rank()) {
        let handles = given[..nest.arrays].to_vec();
        *PENDING.lock().unwrap_or_else(PoisonError::into_inner) = Some((plan.clone(), handles));
    }
    for (array, state) in arrays.iter_mut().zip(&plan.after) {
        array.take_state(state);
    }
    answers.copy_from_slice(&plan.answers);
    let iterations = plan.iterations.iter().copied().fold(0, u64::saturating_add);
    match part {
        Some(part) if is_short => part.end_short(iterations),
        Some(part) => part.end_with(iterations),
        None => note_short(place, iterations),
    }
}

/// The arrays of a nest; in place of those of which no element is used some in `others`.
///
/// # Safety
/// The handles are [`ALONE`] or in use, each of an array of its own.
unsafe fn arrays_of<'a>(handles: &[i64], others: &'a mut Vec<Array>) -> Vec<&'a mut Array> {
    // SAFETY: as the caller says; the array is not used beyond this.
    let like = handles.iter().find_map(|&h| unsafe { array(h) }.map(|a| Array::absent(a)));
    let Some(like) = like else { return Vec::new() };
    others.extend(handles.iter().filter(|h| **h == ALONE).map(|_| Array::absent(&like)));
    let mut others = others.iter_mut();
    // SAFETY: as the caller says.
    handles.iter().filter_map(|&h| if h == ALONE { others.next() } else { unsafe { array(h) } }).collect()
}

/// Notes all that ranks would do in the nest, which this process executes as if it were alone.
fn rehearse(plan: &Plan, arrays: &mut [&mut Array]) {
    if let Some((&whole, iterations)) = plan.iterations.split_last() {
        rehearsal::nest(iterations, whole, &exchange::sent(&plan.late, arrays));
    }
    for (array, state) in arrays.iter_mut().zip(&plan.after) {
        array.take_state(state);
    }
}

/// Behind a nest in which ranks wait for others: sends what this rank has computed for them.
///
/// # Safety
/// `location` is null or NUL-terminated; the handles of the nest are in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_swept(location: *const u8) {
    let Some((plan, handles)) = PENDING.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    // SAFETY: the caller passes a literal location.
    set_place(unsafe { c_text(location) });
    let _part = ledger::begin(Category::Communication);
    let mut others = Vec::new();
    // SAFETY: the handles are in use, each of an array of its own.
    let mut arrays = unsafe { arrays_of(&handles, &mut others) };
    exchange::send_all(&plan.late, &mut arrays);
}

/// Whether this rank owns elements with that subscript of dimension `dim`, from 0.
///
/// # Safety
/// `handle` is 0 or that of an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_mine(handle: i64, dim: i64, subscript: i64) -> i32 {
    // SAFETY: the caller passes a handle that is in use.
    let Some(array) = (unsafe { array(handle) }) else { return 1 };
    i32::from(
        rehearsal::is_on()
            || array.placement.has_subscript(rank(), usize::try_from(dim).unwrap_or(usize::MAX), subscript),
    )
}
