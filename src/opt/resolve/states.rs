//! The mappings that arrays may have at each statement, where REDISTRIBUTE and REALIGN change them.
//!
//! ```text
//! call ranks_remap(a …, 0 -> 1)  @4     a: 0, declared; 1 behind it
//! do i = 1, n                    @5     a: 1
//! if (c)                         @7
//!   call ranks_remap(a …, -> 2)  @8
//! end
//! do i = 1, n                    @9     a: 1 or 2
//! ```
//!
//! The front end has numbered the alternatives of each object (`trueline_sema::mapping::Effect`), and left a mark at the directive. A forward
//! walk finds which of them reach a statement; jumps bring theirs to their labels. Other procedures may change arrays that they can
//! see, so behind calls and at the entry nothing is known of such arrays.

use super::Code;
use rustc_hash::FxHashMap;
use trueline_ir::{
    BinaryOp, Block, Callee, Editor, Expr, ExprData, Head, Intrinsic, Label, Linkage, Mapping, MappingData, Place, Rt,
    Stmt, Storage, Sym, Type, Unit, fault,
};

/// Alternatives as bits, for each object.
type Sets = Vec<u64>;

/// Any mapping, given in another procedure.
const ELSEWHERE: u64 = 1 << 63;

/// A mark of the front end.
struct Mark {
    to: usize,
    from: usize,
    /// For each alternative of `from` the new one of `to`.
    steps: Vec<u32>,
    array: Option<Sym>,
}

/// An array or template that is mapped anew.
#[derive(Default)]
struct Object {
    array: Option<Sym>,
    /// The mappings of the alternatives behind the declared one.
    mappings: FxHashMap<u32, Mapping>,
    /// Whether other procedures may map it anew.
    is_shared: bool,
    /// A register with the alternative, if a directive stands in this unit.
    register: Option<Sym>,
}

/// The mappings that arrays may have.
#[derive(Default)]
pub(super) struct States {
    marks: FxHashMap<Stmt, Mark>,
    objects: Vec<Object>,
    /// The alternatives in front of statements.
    before: FxHashMap<Stmt, Sets>,
}

/// The mappings that an array may have at a statement.
pub(super) enum Known<'u> {
    /// Always the same.
    One(&'u MappingData),
    /// One of these.
    Some(Vec<&'u MappingData>),
    /// Any.
    Any,
}

impl Known<'_> {
    /// Whether one of the mappings may be of that kind.
    pub(super) fn may(&self, is_so: impl Fn(&MappingData) -> bool) -> bool {
        match self {
            Known::One(m) => is_so(m),
            Known::Some(all) => all.iter().any(|m| is_so(m)),
            Known::Any => true,
        }
    }
}

/// Whether other procedures may use the array without getting it as an argument. The address of an allocatable array stands in memory of theirs
/// if it comes from there.
pub(super) fn is_shared(u: &Unit, s: Sym, stmts: &[Stmt]) -> bool {
    match u.sym(s).storage {
        Storage::Static { area, .. } => u.area(area).linkage != Linkage::Local,
        Storage::Pointer { base } => {
            stmts.iter().any(|&x| u.may_define(u.head(x)).contains(&base) && !is_made_here(u, u.head(x)))
        }
        _ => false,
    }
}

/// Whether a statement that defines the address of an array gives it new memory, or none.
pub(super) fn is_made_here(u: &Unit, head: Head) -> bool {
    match head {
        Head::Assign { value, .. } => u.pool().as_int(value).is_some(),
        Head::Call { callee, .. } => matches!(callee, Callee::Rt(Rt::Allocate | Rt::AllocateStat)),
        _ => false,
    }
}

impl States {
    /// The marks of the unit, and all arrays that directives may change.
    pub(super) fn of(u: &Unit, stmts: &[Stmt]) -> States {
        let mut states = States::default();
        let mut numbers: FxHashMap<i64, usize> = FxHashMap::default();
        for &s in stmts {
            let Some((base, ids, steps)) = mark(u, s) else { continue };
            let [to, from] = ids.map(|id| {
                *numbers.entry(id).or_insert_with(|| {
                    states.objects.push(Object::default());
                    states.objects.len() - 1
                })
            });
            let object = &mut states.objects[to];
            object.array = object.array.or(base);
            for &(alternative, mapping) in &steps {
                if let Some(mapping) = mapping {
                    object.mappings.insert(alternative, mapping);
                }
            }
            let steps = steps.iter().map(|s| s.0).collect();
            states.marks.insert(s, Mark { to, from, steps, array: base });
        }
        for (s, data) in u.syms() {
            let is_dynamic = data.mapping.expand().is_some_and(|m| u.mapping(m).dynamic) && is_shared(u, s, stmts);
            if is_dynamic && !states.objects.iter().any(|o| o.array == Some(s)) {
                states.objects.push(Object { array: Some(s), ..Object::default() });
            }
        }
        for object in &mut states.objects {
            object.is_shared = object.array.is_some_and(|a| is_shared(u, a, stmts));
        }
        if !states.objects.is_empty() {
            Flow { u, states: &mut states, labels: FxHashMap::default(), changed: false }.all();
        }
        states
    }

    /// Makes the registers.
    pub(super) fn prepare(&mut self, ed: &mut Editor<'_>) {
        let mut used: Vec<usize> = self.marks.values().flat_map(|m| [m.to, m.from]).collect();
        used.sort_unstable();
        used.dedup();
        for k in used {
            self.objects[k].register = Some(ed.new_register("mapping", Type::I8));
        }
    }

    fn object(&self, array: Sym) -> Option<&Object> {
        self.objects.iter().find(|o| o.array == Some(array))
    }

    /// Whether directives map the array anew: here, or in another procedure.
    pub(super) fn is_dynamic(&self, array: Sym) -> bool {
        self.object(array).is_some()
    }

    /// Whether other procedures may map the array anew.
    pub(super) fn is_shared(&self, array: Sym) -> bool {
        self.object(array).is_some_and(|o| o.is_shared)
    }

    /// The shared arrays that directives of this unit map anew.
    pub(super) fn marked(&self) -> impl Iterator<Item = (Sym, Stmt)> {
        let mut found: Vec<(Stmt, Sym)> =
            self.marks.iter().filter_map(|(&s, m)| Some((s, m.array.filter(|&a| self.is_shared(a))?))).collect();
        found.sort_unstable();
        found.into_iter().map(|(s, a)| (a, s))
    }

    /// The mappings of the alternatives of an array behind the declared one, by their numbers.
    pub(super) fn alternatives(&self, array: Sym) -> Vec<(u32, Mapping)> {
        let Some(object) = self.object(array) else { return Vec::new() };
        let mut all: Vec<(u32, Mapping)> = object.mappings.iter().map(|(&k, &m)| (k, m)).collect();
        all.sort_unstable();
        all
    }

    /// The mappings that the array may have at a statement.
    pub(super) fn known<'u>(&self, u: &'u Unit, array: Sym, at: Stmt) -> Known<'u> {
        let declared = u.sym(array).mapping.expand().map(|m| u.mapping(m)).filter(|m| !m.is_inherited());
        let Some(k) = self.objects.iter().position(|o| o.array == Some(array) && !fault("ranks_remap_unknown")) else {
            return declared.map_or(Known::Any, Known::One);
        };
        let bits = self.before.get(&at).map_or(ELSEWHERE, |sets| sets[k]);
        let mapping = |a: u32| match self.objects[k].mappings.get(&a) {
            Some(&m) => Some(u.mapping(m)),
            None => declared.filter(|_| a == 0),
        };
        let all: Option<Vec<&MappingData>> = members(bits).map(mapping).collect();
        match all {
            _ if bits & ELSEWHERE != 0 => Known::Any,
            None => Known::Any,
            Some(all) if all.len() == 1 => Known::One(all[0]),
            Some(all) => Known::Some(all),
        }
    }
}

fn members(bits: u64) -> impl Iterator<Item = u32> {
    (0..63).filter(move |k| bits >> k & 1 != 0)
}

/// The array, the numbers of the objects, and the steps of a mark.
type Marked = (Option<Sym>, [i64; 2], Vec<(u32, Option<Mapping>)>);

fn mark(u: &Unit, s: Stmt) -> Option<Marked> {
    let Head::Call { callee: Callee::Rt(Rt::RanksRemap), args, .. } = u.head(s) else { return None };
    let &[base, to, from, steps, _] = u.list(args) else { return None };
    let place = |e: Expr| match u.expr(e) {
        ExprData::AddrOf(_, place) => Some(place),
        _ => None,
    };
    let array = place(base).and_then(|p| match u.expr(p) {
        ExprData::Elem(array, _) => Some(array),
        _ => None,
    });
    let ExprData::Text(text) = u.expr(place(steps)?) else { return None };
    let (numbers, _) = u.pool().text(text).as_chunks::<8>();
    let numbers: Vec<i64> = numbers.iter().map(|n| i64::from_le_bytes(*n)).collect();
    let step = |pair: &[i64; 2]| {
        let mapping = u32::try_from(pair[1]).ok().map(Mapping::from_u32);
        (u32::try_from(pair[0]).unwrap_or(0), mapping)
    };
    let (pairs, _) = numbers.as_chunks::<2>();
    Some((array, [u.pool().as_int(to)?, u.pool().as_int(from)?], pairs.iter().map(step).collect()))
}

/// The forward walk.
struct Flow<'a> {
    u: &'a Unit,
    states: &'a mut States,
    labels: FxHashMap<Label, Sets>,
    changed: bool,
}

impl Flow<'_> {
    fn all(&mut self) {
        loop {
            self.changed = false;
            let mut sets: Sets = self.states.objects.iter().map(|o| if o.is_shared { ELSEWHERE } else { 1 }).collect();
            self.block(self.u.body(), &mut sets);
            if !self.changed {
                return;
            }
        }
    }

    fn block(&mut self, b: Block, sets: &mut Sets) {
        for s in self.u.real_stmts(b).collect::<Vec<_>>() {
            self.stmt(s, sets);
        }
    }

    fn stmt(&mut self, s: Stmt, sets: &mut Sets) {
        let head = self.u.head(s);
        if let Head::Label(l) = head
            && let Some(there) = self.labels.get(&l)
        {
            join(sets, there);
        }
        match head {
            Head::Do { .. } | Head::DoWhile { .. } => {
                self.repeated(self.u.blocks(s), sets);
                self.note(s, sets);
            }
            _ if self.u.blocks(s).is_empty() => {
                self.note(s, sets);
                self.plain(s, head, sets);
            }
            _ => {
                self.note(s, sets);
                let before = sets.clone();
                // A selection without a default passes by.
                if !matches!(head, Head::If { .. }) {
                    join(sets, &before);
                } else {
                    sets.iter_mut().for_each(|bits| *bits = 0);
                }
                for b in self.u.blocks(s).to_vec() {
                    let mut arm = before.clone();
                    self.block(b, &mut arm);
                    join(sets, &arm);
                }
            }
        }
    }

    /// Blocks that run one after the other any number of times.
    fn repeated(&mut self, blocks: &[Block], sets: &mut Sets) {
        loop {
            let mut again = sets.clone();
            for &b in blocks {
                self.block(b, &mut again);
                join(&mut again, &sets.clone());
            }
            if again == *sets {
                return;
            }
            *sets = again;
        }
    }

    fn plain(&mut self, s: Stmt, head: Head, sets: &mut Sets) {
        for l in self.u.targets(head) {
            let there = self.labels.entry(l).or_insert_with(|| vec![0; sets.len()]);
            self.changed |= join(there, sets);
        }
        if head.is_jump() {
            sets.iter_mut().for_each(|bits| *bits = 0);
        }
        if let Some(mark) = self.states.marks.get(&s) {
            let from = sets[mark.from];
            sets[mark.to] = mark.results(from).iter().fold(0, |bits, &(_, to)| bits | 1 << to);
        }
        for (k, object) in self.states.objects.iter().enumerate() {
            // Memory that is allocated anew has the declared mapping.
            let base = object.array.and_then(|a| self.u.base_of(a));
            if base.is_some_and(|b| self.u.may_define(head).contains(&b)) {
                sets[k] = if is_made_here(self.u, head) { 1 } else { ELSEWHERE };
            }
            if object.is_shared && sees_all(self.u, head) {
                sets[k] = ELSEWHERE;
            }
        }
    }

    fn note(&mut self, s: Stmt, sets: &Sets) {
        let known = self.states.before.entry(s).or_insert_with(|| vec![0; sets.len()]);
        self.changed |= join(known, sets);
    }
}

impl Mark {
    /// The alternatives of `from` that are among the bits, each with the new one of `to`.
    fn results(&self, from: u64) -> Vec<(u32, u32)> {
        let step = |k: u32| (k, self.steps.get(k as usize).or(self.steps.first()).copied().unwrap_or(0));
        // An object that was mapped elsewhere counts as declared.
        let from = if from & ELSEWHERE != 0 { from | 1 } else { from };
        members(from).map(step).collect()
    }
}

/// Adds bits. Whether there are new ones.
fn join(sets: &mut Sets, other: &Sets) -> bool {
    let mut is_new = false;
    for (bits, more) in sets.iter_mut().zip(other) {
        is_new |= more & !*bits != 0;
        *bits |= more;
    }
    is_new
}

/// Whether a statement calls something that may use arrays by their names.
pub(super) fn sees_all(u: &Unit, head: Head) -> bool {
    match head {
        Head::Call { callee: Callee::Proc(p), .. } => !u.proc(p).is_libm,
        Head::Call { callee: Callee::Dummy(_), .. } => true,
        _ => false,
    }
}

/// Makes code of the mark that `code` is about, if it is about one.
pub(super) fn apply(code: &mut Code<'_, '_, '_>) -> bool {
    let (s, states) = (code.from, code.states);
    let Some(mark) = states.marks.get(&s) else { return false };
    let from = states.before.get(&s).map_or(ELSEWHERE, |sets| sets[mark.from]);
    let results = mark.results(from);
    let [Some(place), Some(from)] = [mark.to, mark.from].map(|k| states.objects[k].register) else { return false };
    let [place, from] = [place, from].map(|r| code.ed.var(r));
    let is_last = !goes_on(code, s);
    let mut value = code.ed.int(Type::I8, results.first().map_or(0, |r| r.1.into()));
    for &(old, new) in results.iter().skip(1) {
        let [old, new] = [old, new].map(|k| code.ed.int(Type::I8, k.into()));
        let is_old = code.ed.binary(BinaryOp::Eq, from, old);
        value = code.ed.intrinsic(Intrinsic::Merge, &[new, value, is_old]);
    }
    code.ed.expand_in_place(s, Head::Assign { place, value });
    code.at = Place::After(s);
    if let Some(k) = mark.array.and_then(|a| code.arrays.iter().position(|m| m.sym == a)) {
        code.map(k);
        let mut news: Vec<u32> = results.iter().map(|r| r.1).collect();
        news.sort_unstable();
        news.dedup();
        for &new in &news {
            if news.len() == 1 {
                announce(code, k, new);
                continue;
            }
            let number = code.ed.int(Type::I8, new.into());
            let cond = code.ed.binary(BinaryOp::Eq, place, number);
            let test = code.emit(Head::If { cond });
            code.at = Place::End(code.ed.blocks(test)[0]);
            announce(code, k, new);
            code.at = Place::After(test);
        }
    }
    if is_last {
        let location = code.location();
        code.call(Rt::RanksRemapped, &[location]);
    }
    true
}

/// Whether another mark of the same directive follows.
fn goes_on(code: &Code<'_, '_, '_>, s: Stmt) -> bool {
    let own = code.ed.own_source(s);
    let mut behind = std::iter::successors(code.ed.next(s), |&x| code.ed.next(x));
    behind.any(|x| code.states.marks.contains_key(&x) && code.ed.own_source(x) == own)
}

/// Tells the runtime of the new mapping of an array.
fn announce(code: &mut Code<'_, '_, '_>, array: usize, alternative: u32) {
    let known = &code.arrays[array];
    let Some((filling, [table, numbers, pairs])) = known.another(code.ed, alternative) else { return };
    for head in filling {
        code.emit(head);
    }
    let is_shared = code.ed.int(Type::I4, i64::from(code.states.is_shared(known.sym)));
    let handle = code.handle(array);
    code.call(Rt::RanksAnew, &[handle, table, numbers, pairs, is_shared]);
}

/// Behind a call, takes over the mapping that other procedures may have given arrays.
pub(super) fn follow(code: &mut Code<'_, '_, '_>) {
    code.at = Place::After(code.from);
    for k in 0..code.arrays.len() {
        let sym = code.arrays[k].sym;
        if code.states.is_shared(sym) && code.ed.base_of(sym).is_none() {
            // A kept array has its mapping wherever it is asked for.
            if code.arrays[k].kept.is_none() {
                let handle = code.handle(k);
                code.call(Rt::RanksFollow, &[handle]);
            }
            forget(code, sym);
        }
    }
}

/// The alternative of an array is the declared one again, or unknown.
pub(super) fn forget(code: &mut Code<'_, '_, '_>, array: Sym) {
    if let Some(register) = code.states.object(array).and_then(|o| o.register) {
        let (place, value) = (code.ed.var(register), code.ed.int(Type::I8, 0));
        code.emit(Head::Assign { place, value });
    }
}

impl States {
    /// The registers with alternatives, which are 0 at the entry.
    pub(super) fn registers(&self) -> Vec<Sym> {
        self.objects.iter().filter_map(|o| o.register).collect()
    }
}
