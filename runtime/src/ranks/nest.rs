//! Loop nests: which iterations each rank executes, and one exchange of elements before the nest instead of one for each element in it.
//!
//! The compiler has found that no rank needs an element in the nest that another rank writes there before (`resolve` in the compiler), so
//! all that is needed is known when the nest is reached. For each rank and each statement the iterations are a product of sets, one for
//! each loop; so are the elements that are read and written ([`trueline_abi::nest`]). Sets that are larger than needed do no harm: an owner
//! always has the value of its elements, so more may be sent, and copies may be taken as invalid that are not.
//!
//! Everything that follows from the numbers and from the notes is a *plan*, which is kept: the same nest in the same state of the notes, as
//! in each step of an iteration in time, is a look into a table.

mod planner;

use super::carry;
use super::ledger::{self, Category};
use super::mapped::{ALONE, Array, array};
use super::notes::{State, States};
use super::placement::Placement;
use super::{begin_at, exchange, fault, note_short, rank, rehearsal, set_place, size};
use crate::memory::c_text;
use planner::Planner;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use trueline_abi::nest::{Nest, PER_LOOP};

/// Elements that go from one rank to another: the array, the first and how many.
pub(super) type Part = (usize, usize, usize);

/// All that one rank sends to another before a nest.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) parts: Vec<Part>,
    /// The bytes of each array, whose parts stand together.
    pub(super) bytes: Vec<(usize, usize)>,
}

impl Message {
    /// All bytes.
    pub(super) fn length(&self) -> usize {
        self.bytes.iter().map(|b| b.1).sum()
    }
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
    /// The bounds of the parts of the loop that is executed in parts, the one first that needs no elements from messages. None if there is no such part
    /// that is worth it.
    parts: Vec<(i64, i64)>,
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

/// A nest of which this rank executes a part, before it receives the elements that the other parts need.
static PARTS: Mutex<Option<Parts>> = Mutex::new(None);

static PLANS: Mutex<Option<Plans>> = Mutex::new(None);

struct Parts {
    plan: Arc<Plan>,
    handles: Vec<i64>,
    /// The number of the first of the two answers with the bounds of the part.
    at: usize,
    /// The part that comes next.
    next: usize,
}

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
        let planner = Planner::new(nest, values, &arrays).without(absent);
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

/// The plan by which the owners of `new` placements get the elements of the arrays.
pub(super) fn remap(arrays: &mut [&mut Array], new: &[(i64, Arc<Placement>)]) -> Arc<Plan> {
    PLANS.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().remap(arrays, new)
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
    let in_parts =
        nest.parted.filter(|_| !plan.parts.is_empty() && exchange::send_at_once(&plan.messages, &mut arrays));
    if in_parts.is_none() {
        exchange::exchange(&plan.messages, &mut arrays);
    }
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
    if let Some(l) = in_parts {
        let at = nest.values + l * PER_LOOP;
        (answers[l * PER_LOOP], answers[l * PER_LOOP + 1]) = plan.parts[0];
        answers[nest.answers() - 1] = plan.parts.len() as i64;
        let handles = given[..nest.arrays].to_vec();
        *PARTS.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Parts { plan: plan.clone(), handles, at, next: 1 });
    }
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

/// Behind a part of a nest: receives the elements that the next part needs, and writes the bounds of that in place of the last one's.
///
/// # Safety
/// `values` are those of the last [`trueline_ranks_nest`], behind which the answers stand; the handles of the nest are in use. `location` is null or
/// NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_part(values: *mut u8, location: *const u8) {
    let mut pending = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(parts) = pending.as_mut() else { return };
    if parts.next == 1 {
        // SAFETY: the caller passes a literal location.
        set_place(unsafe { c_text(location) });
        let _part = ledger::begin(Category::Communication);
        let mut others = Vec::new();
        // SAFETY: the handles are in use, each of an array of its own.
        let mut arrays = unsafe { arrays_of(&parts.handles, &mut others) };
        exchange::receive_all(&parts.plan.messages, &mut arrays);
    }
    match parts.plan.parts.get(parts.next) {
        Some(&(first, last)) => {
            // SAFETY: the answers of the nest are there, of which these are two.
            let answers = unsafe { std::slice::from_raw_parts_mut(values.cast::<i64>().add(parts.at), 2) };
            answers.copy_from_slice(&[first, last]);
            parts.next += 1;
        }
        None => *pending = None,
    }
}

/// The seconds that a statement takes, and that a message costs, where nothing better is known: they decide about the width of strips alone.
const STATEMENT: f64 = 1e-9;
const MESSAGE: f64 = 5e-6;
/// Strips are not narrower, if their number is to choose: the elements of a column stand side by side in memory.
const LEAST_STRIP: i64 = 32;

/// The iterations of a strip of a nest in which ranks wait for others. Of `n` strips each rank but the first waits for one at the beginning, and each
/// strip costs a message, so the time is least where both are equal.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_strip(work: i64, trips: i64, wanted: i64) -> i64 {
    match size() {
        1 => trips.max(1),
        _ if wanted > 0 => wanted,
        ranks => strip(ranks, work, trips),
    }
}

fn strip(ranks: usize, work: i64, trips: i64) -> i64 {
    let part = work as f64 * trips as f64 / ranks as f64 * STATEMENT;
    let wanted = ((ranks - 1) as f64 * part / MESSAGE).sqrt().floor();
    let most = (trips / LEAST_STRIP).max(1);
    let strips = (wanted as i64).clamp(1, most);
    (trips.max(1) as u64).div_ceil(strips as u64) as i64
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
