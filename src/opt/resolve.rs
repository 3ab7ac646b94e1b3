//! Resolve: the owners of elements are found when the program runs, for programs on several ranks (`-fhpf`).
//!
//! ```text
//!                                 if (h == 0) h = map(a)            @3
//!                                 fetch b(k) for a(i)               @3
//! a(i) = b(k) + c   @3      =>    w = write(a(i))                   @3
//!                                 if (w /= 0) a(i) = b(k) + c       @3
//!
//! s = s + a(i)      @5      =>    fetch a(i) for all                @5
//!                                 s = s + a(i)                      @5
//! call p(a)         @7      =>    publish a                         @7
//!                                 call p(a)                         @7
//! ```
//!
//! Every rank runs the whole control flow with all variables. Only the store to an element of a mapped array is its owners' alone; an
//! element that an owner needs for it comes from an owner of that element, and one that everybody needs goes to all ranks. The
//! runtime knows which rank has which value, so nothing is sent twice (`runtime/src/ranks/mapped.rs`).
//!
//! **Invariant:** at the entry and the exit of a procedure, and at each call, all ranks have all elements of all arrays but those of static memory and
//! arguments that the callee asks for. So each procedure may map an array in its own way, or not at all, and a procedure that this pass leaves out is right: then every rank
//! computes everything. Arrays of static memory, as those of COMMON blocks and modules, stay with their owners from one procedure to the next if all of
//! them ask for them (`calls`). Arrays whose owners cannot be told are computed by every rank (`arrays`).
//!
//! Things of the world around, such as clocks, are asked by the first rank, which gives the others the answer (`world`).
//!
//! Everything made from a statement is expand Lower of it (docs/provenance.md, rows 23 and 25), so communication stands on its line.

mod apart;
mod arrays;
mod calls;
mod carry;
mod conditions;
mod forward;
mod inner;
mod live;
mod nest;
mod partition;
mod reduction;
mod scalars;
mod states;
mod strips;
mod sweep;
#[cfg(test)]
mod tests;
mod turns;
mod world;

use crate::{Context, OptLevel, Pass};
use arrays::Mapped;
use live::Live;
use rustc_hash::{FxHashMap, FxHashSet};
use states::States;
use trueline_ir::{
    Access, BinaryOp, Block, Callee, Editor, ExpandKind, Expr, ExprData, Head, Obstacle, Place, Rt, Stmt, Sym, Type,
    Unit, UnitKind, Why, fault,
};
use trueline_provenance::StmtInfos;

/// The most nests whose communication goes before the first of them.
const MOST_JOINED: usize = 24;

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O0,
    ..Pass::new("resolve", "let owners compute the elements of mapped arrays, and fetch what they need", run)
};

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    if !context.hpf {
        return;
    }
    let before = ed.walk();
    let mut states = States::of(ed, &before);
    states.prepare(ed);
    let states = states;
    let (mut arrays, sizes) = arrays::of(ed, &before, &states);
    let others = calls::others(ed, &before, &arrays);
    if arrays.iter().any(|a| a.asked.is_some()) {
        let mut nests = Nests::of(ed, &arrays, &states, context);
        nests.beside(ed, &turns::Turns::default());
        let inside = nests.inside(ed);
        arrays::ask_for_nests(ed, &mut arrays, &before, &inside);
    }
    let arrays = arrays;
    calls::tell(ed, &arrays);
    let mut nests = Nests::of(ed, &arrays, &states, context);
    let turns = turns::Turns::of(ed, &arrays, &before, &nests.inside(ed));
    nests.beside(ed, &turns);
    let inside = nests.inside(ed);
    let Nests { mut found, refused, .. } = nests;
    if context.in_order {
        found.iter_mut().for_each(|n| n.nest.parted = None);
    }
    for (s, why) in refused {
        ed.missed(s, "communication is not moved before the loop", why);
    }
    for n in found.iter().filter(|n| n.nest.sweeps() && n.strips.is_empty()) {
        let text = "not parted in strips: ranks work one after the other in it";
        ed.missed(n.roots[0], text, Obstacle::Dependence);
    }
    let counted: Vec<Stmt> = found.iter().flat_map(|n| n.counted.iter().copied()).collect();
    for &(s, why) in found.iter().flat_map(|n| &n.for_all) {
        ed.missed(s, "its elements go to all processors, which all evaluate it", why);
    }
    let mut roots: FxHashMap<Stmt, nest::Found> = found.into_iter().map(|n| (n.roots[0], n)).collect();
    for &s in &before {
        if ed.head(s).is_invisible() || inside.contains(&s) && !roots.contains_key(&s) {
            continue;
        }
        let at = Place::Before(counted_from(ed, &arrays, s));
        let zero = ed.int(Type::I8, 0);
        let mut code = Code { ed, context, arrays: &arrays, others: &others, states: &states, from: s, at, zero };
        match roots.get_mut(&s) {
            Some(found) => partition::apply(&mut code, found),
            None if turns.has(s) => turns::apply(&mut code, &turns),
            None => {
                turns::frame(&mut code, &turns);
                code.statement();
            }
        }
    }
    ed.count_by_ranks(&counted);
    ends(ed, &arrays, &others, &states);
    for (of, register) in sizes.0 {
        let (place, of) = (ed.var(register), ed.var(of));
        let value = ed.widen(of);
        ed.null(Head::Assign { place, value }, Place::Start(ed.body()), Why::Descriptor);
    }
}

/// The code at the entry and at the end of the unit.
fn ends(ed: &mut Editor<'_>, arrays: &[Mapped], others: &[calls::Other], states: &States) {
    let nowhere = ed.make(ExprData::Null);
    let is_procedure = ed.kind() != UnitKind::Program;
    let body = ed.body();
    let falls = ed.real_stmts(body).next_back().is_none_or(|last| !ed.head(last).is_jump());
    for other in others.iter().filter(|_| !fault("ranks_other_mapping_unseen")) {
        let head = other.gathering(ed, nowhere);
        ed.null(head, Place::Start(body), Why::Descriptor);
    }
    for register in states.registers().into_iter().chain(arrays.iter().map(|a| a.handle)) {
        let zero = ed.int(Type::I8, 0);
        let place = ed.var(register);
        ed.null(Head::Assign { place, value: zero }, Place::Start(body), Why::Descriptor);
    }
    if !is_procedure {
        let args = ed.make_list(&[]);
        let begin = Head::Call { callee: Callee::Rt(Rt::RanksBegin), args, result: None.into() };
        ed.null(begin, Place::Start(body), Why::Descriptor);
    }
    if is_procedure && falls {
        for array in arrays {
            for head in array.closing(ed, nowhere) {
                ed.null(head, Place::End(body), Why::Descriptor);
            }
        }
    }
}

/// The search for loop nests whose communication goes before them.
struct Nests<'a> {
    arrays: &'a [Mapped],
    states: &'a States,
    live: Live,
    infos: Option<&'a StmtInfos>,
    found: Vec<nest::Found>,
    /// Assignments in blocks with nests, and the statements before them.
    alone: Vec<(Stmt, Option<Stmt>)>,
    /// Loops that need communication in them, and why.
    refused: Vec<(Stmt, Obstacle)>,
}

impl<'a> Nests<'a> {
    fn of(u: &Unit, arrays: &'a [Mapped], states: &'a States, context: &Context<'a>) -> Nests<'a> {
        let (live, infos) = (Live::of(u), context.infos);
        let (found, alone, refused) = (Vec::new(), Vec::new(), Vec::new());
        let mut nests = Nests { arrays, states, live, infos, found, alone, refused };
        if !arrays.is_empty() {
            nests.block(u, u.body());
        }
        nests
    }

    fn nest(&self, u: &Unit, roots: &[Stmt]) -> Result<Option<nest::Found>, nest::Refusal> {
        nest::of(u, (self.arrays, self.states, &self.live), self.infos, roots)
    }

    /// The outermost nests in `b`; the assignments beside them are looked at later.
    fn block(&mut self, u: &Unit, b: Block) {
        let before = self.found.len();
        let mut alone = Vec::new();
        let mut last: Option<Stmt> = None;
        for s in u.real_stmts(b) {
            let follows = last.replace(s);
            match u.head(s) {
                Head::Do { .. } => match self.nest(u, &[s]) {
                    Ok(Some(found)) => self.add(u, found, follows),
                    Ok(None) => {}
                    Err((_, why)) => {
                        self.refused.push((s, why));
                        u.blocks(s).iter().for_each(|&b| self.block(u, b));
                    }
                },
                Head::Assign { .. } => alone.push((s, follows)),
                _ => u.blocks(s).iter().for_each(|&b| self.block(u, b)),
            }
        }
        // Notes of single elements would part the notes of sections again each time.
        if self.found.len() > before {
            self.alone.append(&mut alone);
        }
    }

    /// The statements of the nests.
    fn inside(&self, u: &Unit) -> FxHashSet<Stmt> {
        self.found.iter().flat_map(|n| &n.roots).flat_map(|&r| u.walk_stmt(r)).collect()
    }

    /// The assignments beside nests.
    fn beside(&mut self, u: &Unit, turns: &turns::Turns) {
        for (s, follows) in std::mem::take(&mut self.alone) {
            if !turns.has(s)
                && let Ok(Some(found)) = self.nest(u, &[s])
                && found.names_elements()
            {
                self.add(u, found, follows);
            }
        }
    }

    /// Adds a nest, to the one whose last root is `follows` if the communication of both may go before that.
    fn add(&mut self, u: &Unit, found: nest::Found, follows: Option<Stmt>) {
        let before = self.found.iter().position(|f| f.roots.last().copied() == follows && follows.is_some());
        if let Some(k) = before.filter(|&k| self.found[k].roots.len() < MOST_JOINED && self.found[k].joins())
            && found.joins()
        {
            let roots: Vec<Stmt> = self.found[k].roots.iter().chain(&found.roots).copied().collect();
            if let Ok(Some(both)) = self.nest(u, &roots)
                && both.joins()
            {
                self.found[k] = both;
                return;
            }
        }
        self.found.push(found);
    }
}

/// The first of the statements in front of `s` that count by the elements which `s` reads, or `s` itself: they read the fetched elements, too.
fn counted_from(u: &Unit, arrays: &[Mapped], s: Stmt) -> Stmt {
    let reads = |x: Stmt| {
        u.values(u.head(x)).iter().any(|&e| {
            let mut found = false;
            u.visit_expr(e, &mut |e| found |= element_of(u, arrays, e).is_some());
            found
        })
    };
    let counting = std::iter::successors(u.prev(s), |&p| u.prev(p)).take_while(|&p| u.head(p).is_invisible());
    counting.filter(|&p| u.walk_stmt(p).into_iter().any(reads)).last().unwrap_or(s)
}

/// The mapped array that `e` is an element of.
fn element_of(u: &Unit, arrays: &[Mapped], e: Expr) -> Option<usize> {
    let ExprData::Elem(s, _) = u.expr(e) else { return None };
    arrays.iter().position(|a| a.sym == s)
}

/// An element of a mapped array that a statement reads.
struct Read {
    element: Expr,
    array: usize,
    /// Whether all ranks need it: it decides where or whether something is done.
    for_all: bool,
    /// The conditions that are true, or false, where it is evaluated.
    conditions: Vec<(Expr, bool)>,
}

/// The code that is made for one statement.
struct Code<'e, 'u, 'c> {
    ed: &'e mut Editor<'u>,
    context: &'c Context<'c>,
    arrays: &'c [Mapped],
    /// Static memory that is used without a mapping.
    others: &'c [calls::Other],
    states: &'c States,
    from: Stmt,
    at: Place,
    zero: Expr,
}

impl Code<'_, '_, '_> {
    fn statement(&mut self) {
        if states::apply(self) {
            return;
        }
        let head = self.ed.head(self.from);
        if let Head::DoWhile { .. } = head {
            // The condition is evaluated behind the first block, each time.
            self.at = Place::End(self.ed.blocks(self.from)[0]);
        }
        match head {
            Head::Assign { place, value } => match self.array_of(place) {
                Some(array) => return self.owners_compute(array, place, value),
                None => self.fetch_all(head),
            },
            Head::Call { .. } => {
                self.fetch_all(head);
                self.fetch_shown(head);
                let left = self.before_call(head);
                world::ask_first(self, head);
                if let Some(left) = left {
                    let outside = self.at;
                    calls::back(self, &left);
                    self.at = outside;
                }
                if states::sees_all(self.ed, head) {
                    let outside = self.at;
                    states::follow(self);
                    self.at = outside;
                }
            }
            Head::Return => self.leave(),
            _ => self.fetch_all(head),
        }
        self.note_changed_memory(head);
    }

    /// `element = value`, where the owners of the element compute.
    fn owners_compute(&mut self, array: usize, place: Expr, value: Expr) {
        let mut reads = Vec::new();
        self.reads_in_operands(place, true, &mut Vec::new(), &mut reads);
        self.reads(value, false, &mut Vec::new(), &mut reads);
        reads.retain(|r| r.for_all || r.element != place);
        for read in reads.iter().filter(|r| r.for_all && !fault("ranks_subscript_unsaid")) {
            self.fetch(read, None);
        }
        self.map(array);
        for read in reads.iter().filter(|r| !r.for_all) {
            self.fetch(read, Some((array, place)));
        }
        let handle = self.handle(array);
        let element = self.ed.make(ExprData::AddrOf(Access::In, place));
        let writes = self.ask(Rt::RanksWrite, &[handle, element], Type::I4);
        let cond = self.is_set(writes);
        self.ed.expand_around(self.from, Head::If { cond }, 0, ExpandKind::Lower);
    }

    /// Makes the handle of an array before its first store.
    fn map(&mut self, array: usize) {
        let known = &self.arrays[array];
        let (handle, zero) = (self.handle(array), self.ed.int(Type::I8, 0));
        let cond = self.ed.binary(BinaryOp::Eq, handle, zero);
        let test = self.emit(Head::If { cond });
        let outside = std::mem::replace(&mut self.at, Place::End(self.ed.blocks(test)[0]));
        let follows = self.states.is_shared(known.sym);
        let location = self.location();
        for head in known.opening(self.ed, self.context, follows, location) {
            self.emit(head);
        }
        if follows && !known.is_asked_for() {
            self.call(Rt::RanksFollow, &[handle]);
        }
        self.at = outside;
    }

    /// Gives all ranks the elements that the head of the statement reads.
    fn fetch_all(&mut self, head: Head) {
        let mut reads = Vec::new();
        for e in self.ed.values(head) {
            self.reads(e, true, &mut Vec::new(), &mut reads);
        }
        for read in &reads {
            self.fetch(read, None);
        }
    }

    /// The element, the first element of a section, or the whole array that the call writes to the world outside, and its array.
    fn shown(&self, head: Head) -> Option<(usize, Expr)> {
        let Head::Call { callee: Callee::Rt(Rt::IoPut | Rt::IoPutArray), .. } = head else { return None };
        let mut read = self.ed.references(head).into_iter().filter(|r| r.0 == Access::In);
        let whole = |place: Expr| match self.ed.expr(place) {
            ExprData::Var(v) => self.arrays.iter().position(|a| a.sym == v),
            _ => None,
        };
        read.find_map(|(_, place)| Some((self.array_of(place).or_else(|| whole(place))?, place)))
    }

    /// Gives the elements that the call writes to the ranks that write them.
    fn fetch_shown(&mut self, head: Head) {
        let Some((array, element)) = self.shown(head).filter(|_| !fault("ranks_output_unsaid")) else { return };
        let Head::Call { callee, args, .. } = head else { return };
        if self.arrays[array].is_asked_for() {
            self.map(array);
        }
        let (count, stride) = match (callee, self.ed.list(args)) {
            (Callee::Rt(Rt::IoPutArray), &[.., count, stride]) => (count, stride),
            // A whole array as one item is an object of a NAMELIST group; many elements at one address are no section.
            _ => {
                let is_whole = matches!(self.ed.expr(element), ExprData::Var(_));
                (self.ed.int(Type::I8, if is_whole { i64::MAX } else { 1 }), self.ed.int(Type::I8, 0))
            }
        };
        let handle = self.handle(array);
        let element = self.ed.make(ExprData::AddrOf(Access::InOut, element));
        let location = self.location();
        self.call(Rt::RanksGive, &[handle, element, count, stride, location]);
    }

    /// Before a call all ranks have all of the arrays that it may see, but kept ones only if they are passed, or if the callee does not ask for
    /// them: then something is to be done behind the call.
    fn before_call(&mut self, head: Head) -> Option<calls::Left> {
        let sees_all = states::sees_all(self.ed, head);
        let shown = self.shown(head);
        let references = self.ed.references(head);
        let passed = references.iter().filter(|r| shown.is_none_or(|s| s.1 != r.1));
        let passed: Vec<Sym> = passed.filter_map(|&(_, place)| crate::alias::memory_of(self.ed, place)).collect();
        let mut lent = Vec::new();
        for (k, array) in self.arrays.iter().enumerate() {
            let is_passed = passed.contains(&array.sym) && !fault("ranks_argument_apart");
            if is_passed && sees_all && array.may_be_handed() {
                lent.push(k);
            } else if array.asked.is_some() && sees_all {
                let location = self.location();
                let head = self.arrays[k].about(self.ed, Rt::RanksShow, location);
                self.emit(head);
            } else if is_passed || sees_all && !array.is_private && array.kept.is_none() {
                self.publish(k);
            }
        }
        match head {
            Head::Call { callee, .. } if sees_all && !world::is_asked(self, callee) => {
                Some(calls::leave(self, head, &lent))
            }
            _ => {
                lent.into_iter().for_each(|k| self.publish(k));
                None
            }
        }
    }

    /// Statements about the memory of an allocatable array: all ranks have its elements before the address goes elsewhere, and the
    /// use of the handle ends before there is another one.
    fn note_changed_memory(&mut self, head: Head) {
        for k in 0..self.arrays.len() {
            let Some(base) = self.ed.base_of(self.arrays[k].sym) else { continue };
            let changes = self.ed.may_define(head).contains(&base);
            let goes_on = !arrays::only_asks(head);
            let mentions = goes_on && self.ed.values(head).iter().any(|&e| self.ed.mentions(e, base));
            let is_freed = mentions && matches!(head, Head::Call { callee: Callee::Rt(Rt::Deallocate), .. });
            // The runtime knows kept memory by its address.
            let is_kept = self.arrays[k].kept.is_some();
            if (mentions || changes && !is_kept) && !is_freed {
                self.publish(k);
            }
            if changes || is_freed {
                if !is_kept {
                    let end = self.arrays[k].ending(self.ed);
                    self.emit(end);
                }
                let (handle, zero) = (self.handle(k), self.ed.int(Type::I8, 0));
                self.emit(Head::Assign { place: handle, value: zero });
                states::forget(self, self.arrays[k].sym);
            }
        }
    }

    /// Before the procedure is left.
    fn leave(&mut self) {
        if self.ed.kind() != UnitKind::Program {
            for k in 0..self.arrays.len() {
                let location = self.location();
                for head in self.arrays[k].closing(self.ed, location) {
                    self.emit(head);
                }
            }
        }
    }

    fn publish(&mut self, array: usize) {
        if self.arrays[array].asked.is_some() {
            self.map(array);
        }
        let location = self.location();
        let head = self.arrays[array].publishing(self.ed, location);
        self.emit(head);
    }

    /// Gives the owners of an element, or all ranks, a value.
    fn fetch(&mut self, read: &Read, for_owners: Option<(usize, Expr)>) {
        let outside = self.at;
        for &(cond, holds) in &read.conditions {
            let test = self.emit(Head::If { cond });
            self.at = Place::End(self.ed.blocks(test)[usize::from(!holds)]);
        }
        if self.arrays[read.array].is_asked_for() {
            self.map(read.array);
        }
        let handle = self.handle(read.array);
        let element = self.ed.make(ExprData::AddrOf(Access::InOut, read.element));
        let (other, target) = match for_owners {
            Some((array, place)) => (self.handle(array), place),
            None => (self.ed.int(Type::I8, 0), read.element),
        };
        let target = self.ed.make(ExprData::AddrOf(Access::In, target));
        let location = self.location();
        self.call(Rt::RanksFetch, &[handle, element, other, target, location]);
        self.at = outside;
    }

    /// The elements of mapped arrays in `e`: elements in a subscript stand before the element that it belongs to.
    fn reads(&self, e: Expr, for_all: bool, conditions: &mut Vec<(Expr, bool)>, out: &mut Vec<Read>) {
        match self.ed.expr(e) {
            ExprData::Elem(..) => {
                self.reads_in_operands(e, true, conditions, out);
                if let Some(array) = self.array_of(e)
                    && !out.iter().any(|r| r.element == e && r.for_all >= for_all && r.conditions == *conditions)
                {
                    out.push(Read { element: e, array, for_all, conditions: conditions.clone() });
                }
            }
            ExprData::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let decides = self.has_reads(right);
                self.reads(left, for_all || decides, conditions, out);
                conditions.push((left, op == BinaryOp::And));
                self.reads(right, for_all, conditions, out);
                conditions.pop();
            }
            _ => self.reads_in_operands(e, for_all, conditions, out),
        }
    }

    fn reads_in_operands(&self, e: Expr, for_all: bool, conditions: &mut Vec<(Expr, bool)>, out: &mut Vec<Read>) {
        let mut operands = Vec::new();
        crate::rewrite::values_in(self.ed, e, &mut |x| operands.push(x));
        for x in operands {
            self.reads(x, for_all, conditions, out);
        }
    }

    fn has_reads(&self, e: Expr) -> bool {
        let mut found = false;
        self.ed.visit_expr(e, &mut |x| found |= self.array_of(x).is_some());
        found
    }

    /// The mapped array that `e` is an element of.
    fn array_of(&self, e: Expr) -> Option<usize> {
        element_of(self.ed, self.arrays, e)
    }

    fn handle(&mut self, array: usize) -> Expr {
        self.ed.var(self.arrays[array].handle)
    }

    fn emit(&mut self, head: Head) -> Stmt {
        let new = self.ed.expand(self.from, head, self.at, ExpandKind::Lower);
        if let Place::After(_) = self.at {
            self.at = Place::After(new);
        }
        new
    }

    fn call(&mut self, f: Rt, args: &[Expr]) {
        let args = self.ed.make_list(args);
        self.emit(Head::Call { callee: Callee::Rt(f), args, result: None.into() });
    }

    /// A new register with the result of a call.
    fn ask(&mut self, f: Rt, args: &[Expr], ty: Type) -> Sym {
        let result = self.ed.new_register("rank", ty);
        let args = self.ed.make_list(args);
        self.emit(Head::Call { callee: Callee::Rt(f), args, result: result.into() });
        result
    }

    /// A new register with this value of 64 bits.
    fn register(&mut self, name: &str, value: Expr) -> Expr {
        let register = self.ed.new_register(name, Type::I8);
        let place = self.ed.var(register);
        self.emit(Head::Assign { place, value });
        place
    }

    fn is_set(&mut self, v: Sym) -> Expr {
        let (v, zero) = (self.ed.var(v), self.ed.int(Type::I4, 0));
        self.ed.binary(BinaryOp::Ne, v, zero)
    }

    /// `file:line` of the statement, NUL-terminated, as an argument.
    fn location(&mut self) -> Expr {
        location(self.ed, self.context, self.from)
    }
}

fn location(ed: &mut Editor<'_>, context: &Context<'_>, s: Stmt) -> Expr {
    let origin = ed.own_source(s);
    let text = origin.and_then(|o| context.location(o)).unwrap_or_default();
    let text = ed.make_text(format!("{text}\0").as_bytes());
    ed.make(ExprData::AddrOf(Access::In, text))
}
