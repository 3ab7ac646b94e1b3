//! Replay: a loop's own computation is repeated for the counts alone, before the loop changes.
//!
//! ```text
//!                                           ghostif trip(1, n, 1) > 0
//!                                             b' = b
//! do i = 1, n                                 ghostdo trip(1, n, 1)
//!   tally taken += merge(1, 0, b(k(i)) > 2)     tally taken += merge(1, 0, b'(k(i)) > 2)
//!   b(i) = b(m) + x                   =>        ghoststore b'(i) = b'(m) + x
//!   c(i) = 0                                do i = 1, n
//! end                                         b(i) = b(m) + x
//!                                             c(i) = 0
//! ```
//!
//! The counting code takes along all statements that its operands and its control flow depend on: registers become ghosts, and
//! the arrays that such statements store to have copies, which only counting code knows. So any count can leave a loop that it
//! depends on, unless there are jumps, calls or large arrays. It is the dearest of the laws, and the last that is tried.

use crate::edit::{Editor, Place};
use crate::entities::{Block, Expr, List, Sym};
use crate::expr::{Access, ExprData};
use crate::head::Head;
use crate::symbol::FOR_COUNTS;
use crate::tally::{Written, may_share};
use crate::{BinaryOp, Callee, Dim, Intent, Intrinsic, Rt, Storage, SymData, Type, UnaryOp, Unit};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashSet;
use trueline_provenance::{Stmt, Why};

/// The most bytes that are copied before a loop: a loop of few iterations may be reached often, and a copy of 16 KiB each time made a program 300 times
/// slower.
const MOST_BYTES: u64 = 1 << 10;

/// Registers and memory of the program, with the symbols that stand for them in the replay.
type Instead = IndexMap<Sym, Sym>;

/// The statements of a loop that are repeated: the counting code that leaves it, the program's statements that this depends on,
/// and the constructs around both.
struct Slice {
    stmts: FxHashSet<Stmt>,
    /// The registers that these statements of the program define.
    registers: IndexSet<Sym>,
    /// The memory that they write.
    roots: IndexSet<Sym>,
}

impl Editor<'_> {
    /// Moves the counting code `taken` of the loop `s` before it, with copies of the program's statements that it depends on. Returns
    /// whether that is possible; nothing has changed otherwise.
    pub(crate) fn replay(&mut self, s: Stmt, taken: &FxHashSet<Stmt>) -> bool {
        let Head::Do { lo, hi, step, .. } = self.head(s) else { return false };
        let is_off = crate::fault("replay_never") || crate::fault("last_value_unknown");
        if is_off || self.walk_stmt(s).into_iter().any(|x| self.jumps_or_ends(x)) {
            return false;
        }
        let Some(slice) = self.slice(s, taken) else { return false };
        let bytes: Option<u64> = slice.roots.iter().map(|&r| self.bytes_to_copy(r)).sum();
        if bytes.is_none_or(|n| n > MOST_BYTES) {
            return false;
        }
        let mut hulls = Vec::new();
        let instead = self.stand_ins(s, &slice, &mut hulls);
        if !self.is_replayable(s, taken, &slice, &instead) {
            return false;
        }
        let mut copies = hulls;
        for v in self.exposed(s, taken, &slice) {
            let to = instead[&v];
            if self.root(to) == to {
                copies.push((v, to));
            }
        }
        let bounds = [lo, hi, step].map(|e| self.widen(e));
        let (trips, zero) = (self.trips(bounds), self.int(Type::I8, 0));
        let cond = self.binary(BinaryOp::Gt, trips, zero);
        let guard = self.null(Head::GhostIf { cond }, Place::Before(s), Why::Shadow);
        let into = self.blocks(guard)[0];
        for (from, to) in copies {
            if self.sym(from).is_register() || !crate::fault("replay_without_copy") {
                self.copied(from, to, into);
            }
        }
        self.replay_one(s, into, taken, &slice, &instead);
        true
    }

    /// The statements of `s` that `taken` depends on; none if one of them cannot be repeated.
    fn slice(&self, s: Stmt, taken: &FxHashSet<Stmt>) -> Option<Slice> {
        let all = self.walk_stmt(s);
        let mut slice =
            Slice { stmts: FxHashSet::default(), registers: IndexSet::default(), roots: IndexSet::default() };
        let (mut registers, mut memory) = (FxHashSet::<Sym>::default(), IndexSet::<Sym>::default());
        let mut new: Vec<Stmt> = all.iter().copied().filter(|x| taken.contains(x)).collect();
        while !new.is_empty() {
            for x in std::mem::take(&mut new) {
                let around = self.ancestors(x).take_while(|&a| a != s).chain([s]);
                for y in std::iter::once(x).chain(around) {
                    if slice.stmts.insert(y) {
                        self.depends(y, &mut registers, &mut memory);
                    }
                }
            }
            for &x in all.iter().filter(|&x| !slice.stmts.contains(x) && !self.head(*x).is_invisible()) {
                let head = self.head(x);
                let written = || Written::by(self, x);
                let defines = self.may_define(head).iter().any(|v| registers.contains(v));
                let is_leaf = self.blocks(x).is_empty();
                if defines || (is_leaf && memory.iter().any(|&m| written().reaches(self, m))) {
                    new.push(x);
                }
            }
        }
        for &x in all.iter().filter(|x| slice.stmts.contains(x) && !self.head(**x).is_invisible()) {
            match self.head(x) {
                Head::Do { var, .. } => _ = slice.registers.insert(var),
                Head::If { .. } | Head::Select { .. } => {}
                head => match self.stored_by(head)? {
                    Stored::Register(v) => _ = slice.registers.insert(v),
                    Stored::Memory(m) => _ = slice.roots.insert(self.root(m)),
                },
            }
        }
        // Memory of another symbol at the same place (EQUIVALENCE, COMMON) is in the same copy.
        let mut done = 0;
        while let Some(&r) = slice.roots.get_index(done) {
            let others = memory.iter().map(|&m| self.root(m)).filter(|&m| m != r && may_share(self, m, r));
            for m in others.collect::<Vec<_>>() {
                let is_static = |v: Sym| matches!(self.sym(v).storage, Storage::Static { .. });
                if !is_static(m) || !is_static(r) || crate::fault("replay_apart") {
                    return None;
                }
                slice.roots.insert(m);
            }
            done += 1;
        }
        Some(slice)
    }

    /// Adds the registers and the memory that executing `x` itself depends on.
    fn depends(&self, x: Stmt, registers: &mut FxHashSet<Sym>, memory: &mut IndexSet<Sym>) {
        let head = self.head(x);
        registers.extend(self.registers_read(head));
        for e in self.values(head) {
            self.visit_expr(e, &mut |y| memory.extend(self.stored_at(y)));
        }
        if let Head::GhostStore { place, .. } = head {
            memory.extend(self.stored_at(place));
        }
    }

    /// The one place that a statement of the program changes, if the statement can be repeated.
    fn stored_by(&self, head: Head) -> Option<Stored> {
        match head {
            Head::Assign { place, .. } => match self.expr(place) {
                ExprData::Var(v) if self.sym(v).is_register() => Some(Stored::Register(v)),
                ExprData::Var(v) | ExprData::Elem(v, _) => Some(Stored::Memory(v)),
                _ => None,
            },
            Head::Call { callee: Callee::Rt(Rt::CharAssign), args, .. } => {
                if crate::fault("replay_without_characters") {
                    return None;
                }
                self.character(args).map(|(to, _)| Stored::Memory(to))
            }
            Head::Call { callee, args, result } => {
                let is_pure = match callee {
                    Callee::Proc(p) => self.proc(p).is_libm,
                    Callee::Rt(f) => matches!(f.signature().effect, trueline_abi::Effect::Pure),
                    Callee::Dummy(_) => false,
                };
                let reads = |&a: &Expr| !matches!(self.expr(a), ExprData::AddrOf(access, _) if access != Access::In);
                let result = result.expand().filter(|_| is_pure && self.list(args).iter().all(reads));
                result.map(Stored::Register)
            }
            _ => None,
        }
    }

    /// The variable of one character and the place of the character that a call with the arguments `args` assigns to it.
    fn character(&self, args: List) -> Option<(Sym, Expr)> {
        let &[to, n, from, m] = self.list(args) else { return None };
        let (ExprData::AddrOf(_, to), ExprData::AddrOf(_, from)) = (self.expr(to), self.expr(from)) else {
            return None;
        };
        let ExprData::Var(to) = self.expr(to) else { return None };
        let is_one = self.pool.as_int(n) == Some(1) && self.pool.as_int(m).is_some_and(|m| m >= 1);
        let is_known = match self.expr(from) {
            ExprData::Text(_) => true,
            ExprData::Var(v) => self.ty(from) == Type::Char || (self.ty(from) == Type::I1 && self.sym(v).is_register()),
            ExprData::Elem(..) => self.ty(from) == Type::Char,
            _ => false,
        };
        (is_one && is_known && !self.sym(to).is_register()).then_some((to, from))
    }

    /// The size of the memory of `root`, if it can be copied: the size is constant, and no pointer leads there.
    fn bytes_to_copy(&self, root: Sym) -> Option<u64> {
        let data = self.sym(root);
        let is_own = matches!(data.storage, Storage::Frame | Storage::Static { .. }) && data.is_contiguous();
        if !is_own || data.may_alias || data.mapping.is_some() || data.owner.is_some() {
            return None;
        }
        let mut size = data.ty.size() as u64;
        if data.ty == Type::Char {
            let is_one = data.len.expand().and_then(|e| self.pool.as_int(e)) == Some(1) && data.dims.is_empty();
            size = is_one.then_some(1)?;
        }
        for d in &data.dims {
            let (lower, upper) = (self.pool.as_int(d.lower)?, self.pool.as_int(d.upper.expand()?)?);
            size = size.checked_mul(u64::try_from(upper.checked_sub(lower)?.checked_add(1)?).ok()?)?;
        }
        Some(size)
    }

    fn symbol_for_counts(&mut self, data: SymData) -> Sym {
        let name = format!("{FOR_COUNTS}.{}", self.syms().count());
        self.new_sym(SymData { name, from_source: false, ..data })
    }

    /// If `r` shares static memory with other symbols of `slice`: `r`, the copy of all their memory, and the place of `r` in it. The memory
    /// and its copy are added to `hulls`.
    fn part_of_hull(&mut self, r: Sym, slice: &Slice, hulls: &mut Vec<(Sym, Sym)>) -> Option<(Sym, Sym, u64)> {
        let place = |ed: &Self, v: Sym| match ed.sym(v).storage {
            Storage::Static { area, offset } => Some((area, offset, offset + ed.bytes_to_copy(v)?)),
            _ => None,
        };
        let (area, first, _) = place(self, r)?;
        let (mut low, mut high) = (first, first);
        let mut number = 0;
        let all: Vec<_> = slice.roots.iter().filter_map(|&v| place(self, v)).filter(|p| p.0 == area).collect();
        loop {
            // Neighbours that do not overlap are no harm.
            let here: Vec<_> = all.iter().filter(|p| p.1 <= high && low <= p.2).collect();
            if here.len() == number {
                break;
            }
            number = here.len();
            low = here.iter().map(|p| p.1).min()?;
            high = here.iter().map(|p| p.2).max()?;
        }
        if number < 2 {
            return None;
        }
        let storage = Storage::Static { area, offset: low };
        let known = hulls.iter().find(|h| self.sym(h.0).storage == storage);
        if let Some(&(_, hull)) = known {
            return Some((r, hull, first - low));
        }
        let ty = [Type::I8, Type::I4, Type::I2].into_iter().find(|ty| {
            let size = ty.size() as u64;
            low.is_multiple_of(size) && high.is_multiple_of(size)
        });
        let ty = ty.unwrap_or(Type::I1);
        let (one, words) = (self.int(Type::I8, 1), self.int(Type::I8, ((high - low) / ty.size() as u64) as i64));
        let dims = std::iter::once(Dim::new(one, words)).collect();
        let old = self.sym(r).clone();
        let memory =
            self.symbol_for_counts(SymData { ty, len: None.into(), dims, storage, intent: Intent::Unknown, ..old });
        let copy = self.symbol_for_counts(SymData { storage: Storage::Frame, ..self.sym(memory).clone() });
        hulls.push((memory, copy));
        Some((r, copy, first - low))
    }

    /// Makes the symbols that stand for the registers and the memory of `slice`: the memory itself, and the parts of it in `s`. Memory that
    /// several symbols share is added to `hulls`.
    fn stand_ins(&mut self, s: Stmt, slice: &Slice, hulls: &mut Vec<(Sym, Sym)>) -> Instead {
        let mut instead = Instead::default();
        for &v in &slice.registers {
            let g = self.new_register(FOR_COUNTS, self.sym(v).ty);
            self.unit.tallied.insert(g);
            instead.insert(v, g);
        }
        let mut named: IndexSet<Sym> = slice.roots.clone();
        for x in self.walk_stmt(s) {
            let head = self.head(x);
            let place = match head {
                Head::Assign { place, .. } => Some(place),
                _ => None,
            };
            for e in self.values(head).into_iter().chain(place) {
                self.visit_expr(e, &mut |y| named.extend(self.stored_at(y)));
            }
        }
        named.retain(|&v| slice.roots.contains(&self.root(v)));
        let parts: Vec<(Sym, Sym, u64)> =
            slice.roots.iter().filter_map(|&r| self.part_of_hull(r, slice, hulls)).collect();
        for v in named {
            let old = self.sym(v).clone();
            let storage = match old.storage {
                Storage::Within { root, offset } => match parts.iter().find(|p| p.0 == root) {
                    Some(&(_, hull, at)) => Storage::Within { root: hull, offset: at + offset },
                    None => Storage::Within { root: instead[&root], offset },
                },
                _ => match parts.iter().find(|p| p.0 == v) {
                    Some(&(_, hull, offset)) => Storage::Within { root: hull, offset },
                    None => Storage::Frame,
                },
            };
            let new = self.symbol_for_counts(SymData { storage, intent: Intent::Unknown, ..old });
            instead.insert(v, new);
        }
        instead
    }

    /// Whether all operands of `slice` are there in the replay: nothing but scalars and elements of the memory that has a copy, in
    /// its own place.
    fn is_replayable(&mut self, s: Stmt, taken: &FxHashSet<Stmt>, slice: &Slice, instead: &Instead) -> bool {
        for x in self.walk_stmt(s).into_iter().filter(|x| slice.stmts.contains(x)) {
            let head = self.head(x);
            let is_counting = taken.contains(&x);
            if head.is_invisible() != is_counting {
                return false;
            }
            // Counting code outside may read memory of the program that counting code stores to.
            let stored = match head {
                Head::GhostStore { place, .. } => self.stored_at(place),
                _ => None,
            };
            let defined = self.may_define(head);
            if is_counting
                && (stored.is_some_and(|m| instead.contains_key(&m)) || defined.iter().any(|v| instead.contains_key(v)))
            {
                return false;
            }
            let values = self.values(head);
            for e in values {
                let new = redirected(self.unit, e, instead);
                let mut is_left = self.registers_in(new).iter().any(|v| instead.contains_key(v));
                self.visit_expr(new, &mut |y| {
                    is_left |= self.stored_at(y).is_some_and(|m| instead.contains_key(&m));
                });
                if is_left {
                    return false;
                }
            }
            let place = match head {
                Head::Assign { place, .. } | Head::GhostStore { place, .. } => Some(place),
                _ => None,
            };
            let mut located = Vec::new();
            if let Some(m) = place.and_then(|p| self.stored_at(p)) {
                self.registers_of(m, &mut located);
            }
            if located.iter().any(|v| instead.contains_key(v)) {
                return false;
            }
        }
        true
    }

    /// The registers and the memory of `slice` that may be read with the values that they have before `s`.
    fn exposed(&self, s: Stmt, taken: &FxHashSet<Stmt>, slice: &Slice) -> Vec<Sym> {
        let is_scalar = |v: Sym| self.sym(v).dims.is_empty();
        let mut out: IndexSet<Sym> = slice.roots.iter().copied().filter(|&r| !is_scalar(r)).collect();
        let mut todo: Vec<(Vec<Stmt>, FxHashSet<Sym>)> = vec![(vec![s], FxHashSet::default())];
        while let Some((stmts, mut defined)) = todo.pop() {
            for x in stmts.into_iter().filter(|x| slice.stmts.contains(x)) {
                let head = self.head(x);
                let (mut registers, mut memory) = (FxHashSet::default(), IndexSet::default());
                self.depends(x, &mut registers, &mut memory);
                let roots = memory.iter().map(|&m| self.root(m)).filter(|r| slice.roots.contains(r));
                let read = slice.registers.iter().copied().filter(|v| registers.contains(v)).chain(roots);
                out.extend(read.filter(|v| !defined.contains(v)));
                let mut inside = defined.clone();
                if let Head::Do { var, .. } = head {
                    inside.insert(var);
                    defined.insert(var);
                }
                todo.extend(self.blocks(x).iter().map(|&b| (self.stmts(b).collect(), inside.clone())));
                if !taken.contains(&x) && self.blocks(x).is_empty() {
                    match self.stored_by(head) {
                        Some(Stored::Register(v)) => _ = defined.insert(v),
                        Some(Stored::Memory(m)) if is_scalar(m) && self.root(m) == m => _ = defined.insert(m),
                        _ => {}
                    }
                }
            }
        }
        out.into_iter().collect()
    }

    /// Gives `to` the value or the elements of `from` at the end of `into`.
    fn copied(&mut self, from: Sym, to: Sym, into: Block) {
        let data = self.sym(from).clone();
        if data.is_register() {
            let value = self.var(from);
            self.ghost(to, value, Place::End(into));
            return;
        }
        if data.ty == Type::Char {
            let place = self.var(from);
            let value = self.code_of(place);
            let place = self.byte(to);
            self.stored(place, value, into);
            return;
        }
        let (mut at, mut subs, mut ends) = (into, Vec::new(), Vec::new());
        for d in data.dims.iter().rev() {
            let one = self.int(Type::I8, 1);
            let (lower, upper) = (d.lower, d.upper.expand().unwrap_or(d.lower));
            let (block, sub, step) = self.counted([lower, upper, one], at);
            ends.push((block, sub, step));
            subs.insert(0, sub);
            at = block;
        }
        let (value, place) = if subs.is_empty() {
            (self.var(from), self.var(to))
        } else {
            let list = self.make_list(&subs);
            (self.make(ExprData::Elem(from, list)), self.make(ExprData::Elem(to, list)))
        };
        self.stored(place, value, at);
        for (block, sub, step) in ends.into_iter().rev() {
            self.advance(block, sub, step);
        }
    }

    /// A loop that only counts, at the end of `into`: its block, the value of its variable, and its step.
    fn counted(&mut self, bounds: [Expr; 3], into: Block) -> (Block, Expr, Expr) {
        let var = self.new_register(FOR_COUNTS, self.ty(bounds[0]));
        self.counting_loop(var, bounds, Place::End(into), &[])
    }

    fn stored(&mut self, place: Expr, value: Expr, into: Block) {
        let head = Head::GhostStore { place, value };
        self.null(head, Place::End(into), Why::Shadow);
        self.note_tally(head);
    }

    /// The byte of the variable of one character `v`.
    fn byte(&mut self, v: Sym) -> Expr {
        let old = self.sym(v).clone();
        let storage = match old.storage {
            Storage::Within { .. } => old.storage,
            _ => Storage::Within { root: v, offset: 0 },
        };
        let byte = self.symbol_for_counts(SymData { ty: Type::I1, len: None.into(), storage, ..old });
        self.var(byte)
    }

    /// The code of the first character at `place`, a constant, a variable, or a register that is one.
    fn code_of(&mut self, place: Expr) -> Expr {
        match self.expr(place) {
            ExprData::Text(t) => {
                let code = self.pool.text(t).first().copied().unwrap_or(b' ');
                self.int(Type::I1, i64::from(code as i8))
            }
            _ if self.ty(place) == Type::I1 => place,
            _ => {
                let code = self.intrinsic(Intrinsic::Ichar, &[place]);
                self.make(ExprData::Convert(Type::I1, code))
            }
        }
    }

    /// The replay of `x` at the end of `into`.
    fn replay_one(&mut self, x: Stmt, into: Block, taken: &FxHashSet<Stmt>, slice: &Slice, instead: &Instead) {
        if !slice.stmts.contains(&x) {
            return;
        }
        let head = self.head(x);
        if taken.contains(&x) {
            self.unit.unlink(x);
            self.attach(x, Place::End(into));
            for y in self.walk_stmt(x) {
                let head = self.head(y);
                let new = self.unit.map_head(head, &mut |u, e| instead_of(u, e, instead));
                self.unit.stmts[y].head = new;
                self.note_tally(new);
            }
            return;
        }
        match head {
            Head::Do { var, lo, hi, step } => {
                let bounds = [lo, hi, step].map(|e| redirected(self.unit, e, instead));
                let (block, d, step) = self.counting_loop(var, bounds, Place::End(into), &[]);
                // After the loop, the variable is past the last iteration.
                self.ghost(instead[&var], d, Place::End(block));
                self.replay_block(self.blocks(x)[0], block, taken, slice, instead);
                self.advance(block, d, step);
                self.ghost(instead[&var], d, Place::End(into));
            }
            Head::If { cond } => {
                let cond = redirected(self.unit, cond, instead);
                let flag = self.kept_at(cond, into);
                let not = self.make(ExprData::Unary(UnaryOp::Not, flag));
                for (from, cond) in self.blocks(x).to_vec().into_iter().zip([flag, not]) {
                    self.replay_arm(from, cond, into, taken, slice, instead);
                }
            }
            Head::Select { value, ranges } => {
                let value = redirected(self.unit, value, instead);
                let kept = self.kept_at(value, into);
                let blocks = self.blocks(x).to_vec();
                for (number, &from) in blocks.iter().enumerate() {
                    let cond = self.selects(kept, ranges, number, blocks.len());
                    self.replay_arm(from, cond, into, taken, slice, instead);
                }
            }
            Head::Assign { place, value } => {
                let value = redirected(self.unit, value, instead);
                match self.expr(place) {
                    ExprData::Var(v) if self.sym(v).is_register() => self.ghost(instead[&v], value, Place::End(into)),
                    _ => {
                        let place = redirected(self.unit, place, instead);
                        self.stored(place, value, into);
                    }
                }
            }
            Head::Call { callee: Callee::Rt(Rt::CharAssign), args, .. } => {
                let Some((to, from)) = self.character(args) else { return };
                let from = redirected(self.unit, from, instead);
                let (value, place) = (self.code_of(from), self.byte(instead[&to]));
                self.stored(place, value, into);
            }
            Head::Call { callee, args, result } => {
                let Some(result) = result.expand() else { return };
                let args: Vec<Expr> = self.list(args).to_vec();
                let args: Vec<Expr> = args.into_iter().map(|e| redirected(self.unit, e, instead)).collect();
                let call = Head::GhostCall { callee, args: self.make_list(&args), result: instead[&result] };
                self.null(call, Place::End(into), Why::Shadow);
                self.note_tally(call);
            }
            _ => {}
        }
    }

    fn replay_arm(
        &mut self,
        from: Block,
        cond: Expr,
        into: Block,
        taken: &FxHashSet<Stmt>,
        slice: &Slice,
        instead: &Instead,
    ) {
        if !self.stmts(from).any(|x| slice.stmts.contains(&x)) {
            return;
        }
        let guard = self.null(Head::GhostIf { cond }, Place::End(into), Why::Shadow);
        self.replay_block(from, self.blocks(guard)[0], taken, slice, instead);
    }

    fn replay_block(&mut self, from: Block, into: Block, taken: &FxHashSet<Stmt>, slice: &Slice, instead: &Instead) {
        for x in self.stmts(from).collect::<Vec<_>>() {
            self.replay_one(x, into, taken, slice, instead);
        }
    }

    /// A ghost with the value of `e` at the end of `into`.
    fn kept_at(&mut self, e: Expr, into: Block) -> Expr {
        let g = self.new_register(FOR_COUNTS, self.ty(e));
        self.ghost(g, e, Place::End(into));
        self.unit.tallied.insert(g);
        self.var(g)
    }
}

/// The one thing that a statement changes.
enum Stored {
    Register(Sym),
    Memory(Sym),
}

/// `e` with other registers and memory.
fn redirected(u: &mut Unit, e: Expr, instead: &Instead) -> Expr {
    u.map_expr(e, &mut |u, x| instead_of(u, x, instead))
}

/// The expression that stands for `x`, for [`Unit::map_expr`], which leaves the roots of places as they are.
fn instead_of(u: &mut Unit, x: Expr, instead: &Instead) -> Option<Expr> {
    match u.expr(x) {
        ExprData::Var(v) => instead.get(&v).map(|&to| u.make(ExprData::Var(to))),
        ExprData::Elem(v, list) => {
            let &to = instead.get(&v)?;
            let subs: Vec<Expr> = u.list(list).to_vec();
            let subs: Vec<Expr> = subs.into_iter().map(|e| redirected(u, e, instead)).collect();
            let list = u.pool.intern_list(&subs);
            Some(u.make(ExprData::Elem(to, list)))
        }
        ExprData::AddrOf(access, place) => {
            let place = redirected(u, place, instead);
            Some(u.make(ExprData::AddrOf(access, place)))
        }
        ExprData::Intrinsic(Intrinsic::Ichar, list) => {
            let place = u.list(list)[0];
            let place = redirected(u, place, instead);
            let list = u.pool.intern_list(&[place]);
            Some(u.make(ExprData::Intrinsic(Intrinsic::Ichar, list)))
        }
        ExprData::Substr(place, lo, hi) => {
            let [place, lo, hi] = [place, lo, hi].map(|e| redirected(u, e, instead));
            Some(u.make(ExprData::Substr(place, lo, hi)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::Editor;
    use crate::testing::check;

    fn settle(ed: &mut Editor<'_>) {
        let s = ed.real_stmts(ed.body()).next().expect("a loop");
        ed.settle_lanes(s);
    }

    #[test]
    fn elements_that_the_loop_computes_are_computed_again() {
        check(
            "vectorize",
            &settle,
            "
integer i, x, n
i8 ghost.1
integer a(9), k(9)
do i = 1, n @1
  ghost ghost.1 = merge(1_i8, 0, a(k(i)) > 3)
  tally @2 taken.0 += ghost.1
  a(i) = a(i) + x @3
end",
            "
i8 ghost.1
i4 ghost.2(9) frame
i4 ghost.3, ghost.4
i8 ghost.5
ghostif trip(1, n, 1) > 0
  ghost ghost.1 = 1
  ghostdo 9
    ghoststore ghost.2(ghost.1) = a(ghost.1)
    ghost ghost.1 = ghost.1 + 1
  end
  ghost ghost.3 = 1
  ghostdo trip(1, n, 1)
    ghost ghost.4 = ghost.3
    ghost ghost.5 = merge(1, 0, ghost.2(k(ghost.4)) > 3)
    tally @2 taken.0 += ghost.5
    ghoststore ghost.2(ghost.4) = ghost.2(ghost.4) + x
    ghost ghost.3 = ghost.3 + 1
  end
  ghost ghost.4 = ghost.3
end
do i = 1, n @1
  a(i) = a(i) + x @3
end
",
        );
    }

    #[test]
    fn large_arrays_are_not_copied() {
        check(
            "vectorize",
            &settle,
            "
integer i, x, n
i8 ghost.1
integer a(9999), k(9)
do i = 1, n @1
  ghost ghost.1 = merge(1_i8, 0, a(k(i)) > 3)
  tally @2 taken.0 += ghost.1
  a(i) = a(i) + x @3
end",
            "
counter @2 taken.0
do i = 1, n @1
  a(i) = a(i) + x @3
end
",
        );
    }
}
