//! The statements, expressions and symbols of a procedure in the words of its caller.

use super::bind::{Binding, is_written, view};
use super::recursion::{Base, asks_for_room};
use super::{Target, before};
use crate::linear::is_integer;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_ir::declared::{Counterpart, Index};
use trueline_ir::{
    AreaData, BinaryOp, Block, Callee, Dim, Editor, ExpandKind, Expr, ExprData, FOR_COUNTS, Head, Intrinsic, Label,
    Linkage, List, Place, Stmt, Storage, Sym, SymData, Type, Unit,
};

/// Copies a procedure before a call of it.
pub(super) struct Copier<'e, 'u, 'c> {
    pub(super) ed: &'e mut Editor<'u>,
    pub(super) callee: &'c Unit,
    pub(super) call: Stmt,
    pub(super) syms: FxHashMap<Sym, Sym>,
    pub(super) targets: FxHashMap<Sym, Target>,
    labels: FxHashMap<Label, Label>,
    memo: FxHashMap<Expr, Expr>,
    end: Option<Label>,
    /// Whether subscripts are to stay sums of the variables of a nest; debuggers are told of registers alone.
    pub(super) in_nest: bool,
    /// The caller's registers that the procedure may write through its arguments.
    moving: FxHashSet<Sym>,
    /// Whether the statement being copied is counting code.
    pub(super) counting: bool,
}

impl<'e, 'u, 'c> Copier<'e, 'u, 'c> {
    pub(super) fn new(ed: &'e mut Editor<'u>, callee: &'c Unit, call: Stmt) -> Copier<'e, 'u, 'c> {
        Copier {
            ed,
            callee,
            call,
            syms: FxHashMap::default(),
            targets: FxHashMap::default(),
            labels: FxHashMap::default(),
            memo: FxHashMap::default(),
            end: None,
            in_nest: false,
            moving: FxHashSet::default(),
            counting: false,
        }
    }

    /// Binds all parameters, in their order.
    pub(super) fn bind_all(&mut self, bindings: Vec<Binding>) {
        let callee = self.callee;
        for (&param, binding) in callee.params().iter().zip(&bindings) {
            if let Binding::Place(Target::Scalar(place)) = binding
                && let ExprData::Var(v) = self.ed.expr(*place)
                && is_written(callee, param)
            {
                self.moving.insert(v);
            }
        }
        for (&param, binding) in callee.params().iter().zip(bindings) {
            self.bind(param, binding);
        }
    }

    /// Binds a parameter. The values that this needs are computed before the call, and belong to it.
    fn bind(&mut self, param: Sym, binding: Binding) {
        let data = self.callee.sym(param);
        match binding {
            Binding::Value(value) => {
                let register = self.ed.new_sym(SymData {
                    storage: Storage::Register,
                    mapping: None.into(),
                    is_loaded: false,
                    ..data.clone()
                });
                self.assign_for_call(register, value);
                self.syms.insert(param, register);
            }
            Binding::View { of, offset, bounds } => {
                let sym = view(self.ed, of, offset, &bounds, data);
                self.targets.insert(param, Target::Symbol(sym));
            }
            Binding::Place(Target::Scalar(place)) => {
                let place = match self.ed.expr(place) {
                    ExprData::Elem(array, subs) => {
                        let subs: Vec<Expr> = self.ed.list(subs).to_vec();
                        let fixed = self.fixed(&subs);
                        let subs = self.ed.make_list(&fixed);
                        self.ed.make(ExprData::Elem(array, subs))
                    }
                    _ => place,
                };
                self.targets.insert(param, Target::Scalar(place));
            }
            Binding::Place(Target::Elements { array, start, lower }) => {
                let start = self.fixed(&start);
                self.targets.insert(param, Target::Elements { array, start, lower });
            }
            Binding::Place(target) => {
                self.targets.insert(param, target);
            }
        }
    }

    /// The values of `subs` as they are at the call: the procedure may change the variables in them.
    fn fixed(&mut self, subs: &[Expr]) -> Vec<Expr> {
        subs.iter()
            .map(|&e| {
                let is_known = self.ed.pool().is_constant(e) || self.in_nest && self.is_steady(e);
                if is_known || trueline_ir::fault("inline_moving_place") {
                    return e;
                }
                let register = self.ed.new_register("at", Type::I8);
                self.assign_for_call(register, e);
                self.ed.var(register)
            })
            .collect()
    }

    /// Whether a subscript is a sum of constants and registers that the procedure does not change.
    fn is_steady(&self, e: Expr) -> bool {
        let mut steady = true;
        self.ed.visit_expr(e, &mut |x| {
            steady &= match self.ed.expr(x) {
                ExprData::Int(..) => true,
                ExprData::Var(v) => self.ed.sym(v).is_register() && !self.moving.contains(&v),
                ExprData::Binary(BinaryOp::Add | BinaryOp::Sub, ..) | ExprData::Convert(..) => {
                    is_integer(self.ed.ty(x))
                }
                _ => self.ed.pool().is_constant(x),
            }
        });
        steady
    }

    /// A register assignment that belongs to the call.
    pub(super) fn assign_for_call(&mut self, register: Sym, value: Expr) {
        let place = self.ed.var(register);
        self.ed.expand(self.call, Head::Assign { place, value }, before(self.call), ExpandKind::Lower);
    }

    /// The value of a register of the procedure.
    pub(super) fn register_value(&mut self, register: Sym) -> Expr {
        let sym = self.sym(register);
        self.ed.var(sym)
    }

    /// All statements. A RETURN jumps behind them; the last one is not needed.
    pub(super) fn body(&mut self) {
        self.name_all(&self.callee.walk());
        let body = self.callee.body();
        let last = self.callee.real_stmts(body).next_back();
        // An activation that a procedure is inlined into itself in has room for all copies.
        let is_own = self.callee.symbol() == self.ed.symbol();
        for s in self.callee.stmts(body).collect::<Vec<_>>() {
            if Some(s) == last && self.callee.head(s) == Head::Return || is_own && asks_for_room(self.callee, s) {
                continue;
            }
            self.stmt(s, before(self.call));
        }
        if let Some(end) = self.end {
            self.ed.expand(self.call, Head::Label(end), before(self.call), ExpandKind::Lower);
        }
    }

    /// The base case of a recursive procedure, where its condition holds; elsewhere the call stays.
    pub(super) fn base(&mut self, base: &Base) {
        let callee = self.callee;
        let Head::If { cond } = callee.head(base.test) else { unreachable!("a conditional decides") };
        self.name_all(&base.stmts(callee));
        let guard = self.expr(cond);
        if trueline_ir::fault("base_counts_always") {
            base.first.iter().for_each(|&s| self.stmt(s, before(self.call)));
        }
        let guard = self.ed.expand_around(self.call, Head::If { cond: guard }, base.arm, ExpandKind::Lower);
        let other = self.ed.blocks(guard)[1 - base.arm];
        if !trueline_ir::fault("base_without_call") {
            self.ed.expand_copy(self.call, Place::End(other), &[], ExpandKind::Alternative);
        }
        if !trueline_ir::fault("base_counts_always") {
            base.first.iter().for_each(|&s| self.stmt(s, before(self.call)));
        }
        self.counting = false;
        // The decision is made, and folds.
        let cond = self.ed.make(ExprData::Logical(callee.ty(cond), base.arm == 0));
        let set = callee.set(base.test);
        let test = self.ed.expand_inlined(self.call, Head::If { cond }, callee, set, 2, before(self.call));
        let into = self.ed.blocks(test)[base.arm];
        base.then.iter().for_each(|&s| self.stmt(s, Place::End(into)));
        base.rest.iter().for_each(|&s| self.stmt(s, before(self.call)));
    }

    /// Gives the program's symbols their counterparts before counting code mentions them, so that they are the same, in
    /// the same order, in a build that does not count.
    pub(super) fn name_all(&mut self, stmts: &[Stmt]) {
        if !stmts.iter().any(|&s| self.callee.head(s).is_invisible()) {
            return;
        }
        for &s in stmts {
            match self.callee.head(s) {
                Head::Return | Head::Label(_) | Head::Goto(_) => {}
                Head::ArithIf { value: e, .. } | Head::GotoTable { index: e, .. } => _ = self.expr(e),
                head if head.is_invisible() => {}
                head => _ = self.head(head),
            }
        }
        if let (Head::Call { result, .. }, Some(from)) = (self.ed.head(self.call), self.callee.result())
            && result.is_some()
        {
            self.sym(from);
        }
    }

    /// Records the counterpart of each of the procedure's symbols in the caller.
    pub(super) fn note(self) -> &'e mut Editor<'u> {
        let Copier { ed, callee, call, syms, targets, .. } = self;
        let mut places: Vec<(Sym, Counterpart)> = syms.iter().map(|(&s, &new)| (s, Counterpart::Own(new))).collect();
        places.extend(targets.iter().filter_map(|(&s, target)| Some((s, actual(ed, target)?))));
        places.retain(|(s, _)| !callee.sym(*s).is_for_counts());
        places.sort_unstable_by_key(|p| p.0);
        let mut inner: FxHashMap<Counterpart, Counterpart> = FxHashMap::default();
        for (_, of) in callee.inlined().iter().flat_map(|i| &i.places) {
            let here = match of {
                Counterpart::Own(s) => syms.get(s).map(|&new| Counterpart::Own(new)),
                Counterpart::Actual(s) => match (syms.get(s), targets.get(s)) {
                    (Some(&new), _) => Some(Counterpart::Actual(new)),
                    (None, Some(target)) => actual(ed, target),
                    (None, None) => None,
                },
                Counterpart::Element(s, subs) => {
                    let index = |i: &Index| match i {
                        Index::Known(k) => Some(Index::Known(*k)),
                        Index::Of(v) => Some(Index::Of(*syms.get(v)?)),
                    };
                    let array = match (syms.get(s), targets.get(s)) {
                        (Some(&new), _) | (None, Some(&Target::Symbol(new))) => Some(new),
                        _ => None,
                    };
                    let subs: Option<Vec<Index>> = subs.iter().map(index).collect();
                    array.zip(subs).map(|(array, subs)| Counterpart::Element(array, subs))
                }
            };
            if let Some(here) = here {
                inner.insert(of.clone(), here);
            }
        }
        ed.note_inlined(call, callee, places, &|of| inner.get(of).cloned());
        ed
    }

    /// A statement of the caller that derives from statement `of` of the procedure.
    pub(super) fn made(&mut self, of: Stmt, head: Head, arity: usize, at: Place) -> Stmt {
        self.ed.expand_inlined(self.call, head, self.callee, self.callee.set(of), arity, at)
    }

    /// A statement without its blocks.
    pub(super) fn without_blocks(&mut self, s: Stmt, at: Place) -> Stmt {
        self.counting = self.callee.head(s).is_invisible();
        let head = self.head(self.callee.head(s));
        self.made(s, head, self.callee.blocks(s).len(), at)
    }

    pub(super) fn stmt(&mut self, s: Stmt, at: Place) {
        let new = self.without_blocks(s, at);
        let blocks: SmallVec<[Block; 2]> = self.callee.blocks(s).iter().copied().collect();
        for (number, b) in blocks.into_iter().enumerate() {
            let into = self.ed.blocks(new)[number];
            for inner in self.callee.stmts(b).collect::<Vec<_>>() {
                self.stmt(inner, Place::End(into));
            }
        }
    }

    fn head(&mut self, head: Head) -> Head {
        match head {
            Head::Select { value, ranges } => Head::Select { value: self.expr(value), ranges: self.list(ranges) },
            Head::Do { var, lo, hi, step } => {
                Head::Do { var: self.sym(var), lo: self.expr(lo), hi: self.expr(hi), step: self.expr(step) }
            }
            Head::DoWhile { cond } => Head::DoWhile { cond: self.expr(cond) },
            Head::If { cond } => Head::If { cond: self.expr(cond) },
            Head::Assign { place, value } => Head::Assign { place: self.place(place), value: self.expr(value) },
            Head::Call { callee, args, result } => Head::Call {
                callee: self.called(callee),
                args: self.list(args),
                result: result.expand().map(|r| self.sym(r)).into(),
            },
            Head::GhostCall { callee, args, result } => {
                Head::GhostCall { callee: self.called(callee), args: self.list(args), result: self.sym(result) }
            }
            Head::Return => {
                let end = self.end.unwrap_or_else(|| self.ed.new_label());
                self.end = Some(end);
                Head::Goto(end)
            }
            Head::Label(l) => Head::Label(self.label(l)),
            Head::Goto(l) => Head::Goto(self.label(l)),
            Head::ArithIf { value, to } => Head::ArithIf { value: self.expr(value), to: to.map(|l| self.label(l)) },
            Head::GotoTable { index, table } => {
                let labels: Vec<Label> = self.callee.jump_table(table).to_vec();
                let labels: Vec<Label> = labels.into_iter().map(|l| self.label(l)).collect();
                Head::GotoTable { index: self.expr(index), table: self.ed.new_jump_table(&labels) }
            }
            Head::Tally { counter, amount } => {
                let info = self.callee.counter(counter);
                let by_ranks = self.callee.is_counted_by_ranks(counter);
                let counter = if by_ranks { self.ed.counter_of_ranks(info) } else { self.ed.counter_for(info) };
                let amount = if trueline_ir::fault("inline_counts_nothing") {
                    self.ed.int(Type::I8, 0)
                } else {
                    self.expr(amount)
                };
                Head::Tally { counter, amount }
            }
            Head::Bracket { counter, opens } => {
                let info = self.callee.counter(counter);
                Head::Bracket { counter: self.ed.counter_for(info), opens }
            }
            Head::Trips { counter, trips, times, spread } => {
                let info = self.callee.counter(counter);
                let (trips, times) = (self.expr(trips), self.expr(times));
                Head::Trips { counter: self.ed.counter_for(info), trips, times, spread }
            }
            Head::Ghost { var, value } => Head::Ghost { var: self.sym(var), value: self.expr(value) },
            Head::GhostIf { cond } => Head::GhostIf { cond: self.expr(cond) },
            Head::GhostDo { trips } => Head::GhostDo { trips: self.expr(trips) },
            Head::GhostStore { place, value } => Head::GhostStore { place: self.place(place), value: self.expr(value) },
            Head::ArrayAssign { .. }
            | Head::Where { .. }
            | Head::Forall { .. }
            | Head::Store { .. }
            | Head::Branch { .. }
            | Head::Probe { .. } => unreachable!("not at level H, or refused"),
        }
    }

    fn called(&mut self, callee: Callee) -> Callee {
        let Callee::Proc(p) = callee else { return callee };
        let data = self.callee.proc(p).clone();
        Callee::Proc(self.ed.proc_for(data))
    }

    fn label(&mut self, l: Label) -> Label {
        if let Some(&new) = self.labels.get(&l) {
            return new;
        }
        let new = self.ed.new_label();
        self.labels.insert(l, new);
        new
    }

    fn list(&mut self, l: List) -> List {
        let items: SmallVec<[Expr; 8]> = self.callee.list(l).iter().copied().collect();
        let new: SmallVec<[Expr; 8]> = items.into_iter().map(|e| self.expr(e)).collect();
        self.ed.make_list(&new)
    }

    /// A symbol that is not a parameter by reference.
    fn sym(&mut self, s: Sym) -> Sym {
        if let Some(&new) = self.syms.get(&s) {
            return new;
        }
        let mut data = self.callee.sym(s).clone();
        if matches!(data.storage, Storage::Static { .. }) && self.callee.symbol() == self.ed.symbol() {
            // A procedure in itself has its own memory.
            return s;
        }
        if self.counting && data.from_source && !trueline_ir::fault("inline_counts_show") {
            (data.from_source, data.name) = (false, format!("{FOR_COUNTS}.{}", data.name));
        }
        let dims: SmallVec<[Dim; 2]> = std::mem::take(&mut data.dims);
        for d in dims {
            data.dims.push(d.map(|e| self.expr(e)));
        }
        data.len = data.len.expand().map(|e| self.expr(e)).into();
        data.storage = match data.storage {
            Storage::Static { area, offset } => {
                // The content stays with the procedure, which stays in the program: one unit carries it.
                let mut area = AreaData { init: Vec::new(), addresses: Vec::new(), ..self.callee.area(area).clone() };
                // Calls of the procedure that were not inlined use its memory too.
                if area.linkage == Linkage::Local && data.from_source {
                    area.linkage = Linkage::Shared;
                }
                let for_counts = data.is_for_counts();
                let area = if for_counts { self.ed.area_for_counts(area) } else { self.ed.area_for(area) };
                Storage::Static { area, offset }
            }
            Storage::Pointer { base } => Storage::Pointer { base: self.sym(base) },
            Storage::Within { root, offset } => Storage::Within { root: self.sym(root), offset },
            other => other,
        };
        data.owner = data.owner.expand().map(|words| self.sym(words)).into();
        let mapping = data.mapping.take().filter(|_| data.from_source);
        let new = match self.same_memory(&data) {
            Some(known) => known,
            None => {
                let new = self.ed.new_sym(data);
                self.syms.insert(s, new);
                if let Some(m) = mapping {
                    let mapping = self.callee.mapping(m).with_syms(|of| self.syms.get(&of).copied());
                    self.ed.map_new_sym(new, mapping);
                }
                new
            }
        };
        self.syms.insert(s, new);
        new
    }

    /// The caller's own symbol for the same static memory in the same shape.
    fn same_memory(&self, data: &SymData) -> Option<Sym> {
        if !matches!(data.storage, Storage::Static { .. }) {
            return None;
        }
        let visible = |d: &SymData| self.counting || !d.is_for_counts();
        let same = |d: &SymData| {
            visible(d) && d.storage == data.storage && d.ty == data.ty && d.dims == data.dims && d.len == data.len
        };
        self.ed.syms().find(|(_, d)| same(d)).map(|(s, _)| s)
    }

    pub(super) fn expr(&mut self, e: Expr) -> Expr {
        if let Some(&new) = self.memo.get(&e) {
            return new;
        }
        let data = match self.callee.expr(e) {
            ExprData::Var(_) | ExprData::Elem(..) | ExprData::Wide(..) | ExprData::Substr(..) => {
                let new = self.place(e);
                self.memo.insert(e, new);
                return new;
            }
            ExprData::Text(i) => {
                let text = self.callee.pool().text(i).to_vec();
                return self.ed.make_text(&text);
            }
            ExprData::Unary(op, a) => ExprData::Unary(op, self.expr(a)),
            ExprData::Binary(op, a, b) => ExprData::Binary(op, self.expr(a), self.expr(b)),
            ExprData::Convert(ty, a) => ExprData::Convert(ty, self.expr(a)),
            ExprData::Bitcast(ty, a) => ExprData::Bitcast(ty, self.expr(a)),
            ExprData::Intrinsic(Intrinsic::Ichar, l) => {
                let place = self.place(self.callee.list(l)[0]);
                ExprData::Intrinsic(Intrinsic::Ichar, self.ed.make_list(&[place]))
            }
            ExprData::Intrinsic(i, l) => ExprData::Intrinsic(i, self.list(l)),
            ExprData::AddrOf(access, place) => ExprData::AddrOf(access, self.place(place)),
            ExprData::ProcAddr(p) => {
                let data = self.callee.proc(p).clone();
                ExprData::ProcAddr(self.ed.proc_for(data))
            }
            other => other,
        };
        let new = self.ed.make(data);
        self.memo.insert(e, new);
        new
    }

    /// A place: a variable, an element or a substring.
    fn place(&mut self, place: Expr) -> Expr {
        match self.callee.expr(place) {
            ExprData::Var(v) => match self.targets.get(&v).cloned() {
                Some(Target::Scalar(place)) => place,
                Some(Target::Symbol(s)) => self.ed.var(s),
                Some(Target::Elements { array, start, .. }) => {
                    let subs = self.ed.make_list(&start);
                    self.ed.make(ExprData::Elem(array, subs))
                }
                None => match self.component(v, &[]) {
                    Some(place) => place,
                    None => {
                        let s = self.sym(v);
                        self.ed.var(s)
                    }
                },
            },
            ExprData::Elem(v, subs) => {
                let subs = self.callee.list(subs).to_vec();
                self.element_at(v, &subs)
            }
            ExprData::Wide(ty, v, subs) => {
                let first = self.callee.list(subs).to_vec();
                let first = self.element_at(v, &first);
                match self.ed.expr(first) {
                    ExprData::Elem(array, subs) => self.ed.make(ExprData::Wide(ty, array, subs)),
                    _ => first,
                }
            }
            ExprData::Substr(base, lo, hi) => {
                let (base, lo, hi) = (self.place(base), self.expr(lo), self.expr(hi));
                self.ed.make(ExprData::Substr(base, lo, hi))
            }
            _ => self.expr(place),
        }
    }

    /// The callee's element of `v` with these subscripts.
    fn element_at(&mut self, v: Sym, subs: &[Expr]) -> Expr {
        let subs: SmallVec<[Expr; 4]> = subs.iter().map(|&e| self.expr(e)).collect();
        match self.targets.get(&v).cloned() {
            Some(Target::Elements { array, start, lower }) => self.element(array, &start, &lower, &subs),
            Some(Target::Symbol(s)) => self.element_of(s, &subs),
            _ => match self.component(v, &subs) {
                Some(place) => place,
                None => {
                    let s = self.sym(v);
                    self.element_of(s, &subs)
                }
            },
        }
    }

    pub(super) fn element_of(&mut self, array: Sym, subs: &[Expr]) -> Expr {
        let subs = self.ed.make_list(subs);
        self.ed.make(ExprData::Elem(array, subs))
    }

    /// The element of `array` that the dummy's element with these subscripts is: `start + sub - lower`.
    fn element(&mut self, array: Sym, start: &[Expr], lower: &[i64], subs: &[Expr]) -> Expr {
        let mut out: SmallVec<[Expr; 4]> = start.iter().copied().collect();
        for (k, &sub) in subs.iter().enumerate() {
            let by = self.ed.pool().as_int(start[k]).map(|s| s.wrapping_sub(lower[k]));
            let by = if trueline_ir::fault("inline_lower_bound") { Some(0) } else { by };
            out[k] = match by {
                Some(0) => sub,
                Some(by) => {
                    let by = self.ed.int(Type::I8, by);
                    self.ed.binary(BinaryOp::Add, sub, by)
                }
                None => {
                    let lower = self.ed.int(Type::I8, lower[k]);
                    let distance = self.ed.binary(BinaryOp::Sub, sub, lower);
                    self.ed.binary(BinaryOp::Add, start[k], distance)
                }
            };
        }
        self.element_of(array, &out)
    }
}

/// The actual argument that a dummy is.
fn actual(u: &Unit, target: &Target) -> Option<Counterpart> {
    let element = |array: Sym, subs: &[Expr]| {
        let index = |e: &Expr| match u.expr(*e) {
            ExprData::Var(v) => Some(Index::Of(v)),
            _ => u.pool().as_int(*e).map(Index::Known),
        };
        Some(Counterpart::Element(array, subs.iter().map(index).collect::<Option<_>>()?))
    };
    match target {
        Target::Scalar(place) => match u.expr(*place) {
            ExprData::Var(v) => Some(Counterpart::Actual(v)),
            ExprData::Elem(array, subs) => element(array, u.list(subs)),
            _ => None,
        },
        Target::Symbol(s) => Some(Counterpart::Actual(*s)),
        Target::Elements { array, start, .. } => element(*array, start),
    }
}
