//! One unit from L to CLIF.

pub(crate) mod constants;
pub(crate) mod cut;
pub(crate) mod differences;
pub(crate) mod facts;
pub(crate) mod frame;
mod increments;
mod needed;
pub(crate) mod parameters;
pub(crate) mod reloads;
mod rotate;
pub(crate) mod stretch;
pub(crate) mod unused;

use crate::abi;
use crate::debug::values::Trace;
use crate::entry::Passage;
use crate::expr::Translator;
use crate::function::facts::Facts;
use crate::homes::Slots;
use crate::locate;
use crate::passing;
use crate::shared::Shared;
use crate::symbols::{ADDRESS, runtime_signature};
use crate::tally::Counters;
use crate::types::{Val, clif_type, is_complex};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block as ClifBlock, Function, InstBuilder, JumpTableData, Signature, SourceLoc, UserFuncName, Value,
    types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_ir::{
    Access, Callee, Expr, ExprData, Head, Label, OptLevel, ProbeOp, Returned, Rt, Stmt, Storage, Sym, Unit,
};

/// Translates `unit`, which must be at L. Vectors are in registers of `register_bytes` at most, longer ones in several.
pub(crate) fn translate(
    unit: &Unit,
    index: u32,
    shared: &Shared<'_>,
    register_bytes: usize,
) -> (Function, Slots, Option<Trace>) {
    let signature = abi::unit_signature(unit, shared.triple);
    let mut func = Function::with_name_signature(UserFuncName::user(0, index), signature);
    locate::begin(&mut func);
    let mut context = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut func, &mut context);
    let facts = Facts::of(unit, shared.level, shared.cold, false);
    let mut t = Translator::new(unit, shared, builder, &facts);
    if matches!(facts.kept, crate::expr::Kept::None) {
        t.register_bytes = register_bytes;
    }
    let params = begin(&mut t);
    t.enter(&params);
    t.settle();
    crate::probe::begin(&mut t);
    let counters = Counters::new(&mut t);
    let mut body = Body::new(counters, led_on(unit));
    body.reached = (shared.level > OptLevel::O0).then(|| reached(unit, |l| body.led(&t, l)));
    if shared.level > OptLevel::O1 {
        body.tests = rotate::tests(unit, |l| body.led(&t, l));
    }
    if shared.level > OptLevel::O2 {
        body.once = Some(increments::targeted_once(unit, &body.tests));
        body.addressing = increments::addressing(unit);
    }
    let mut complete = complete_after(unit, &body.led_on, &body.tests);
    for s in unit.stmts(unit.body()) {
        body.stmt(&mut t, s);
        for l in complete.remove(&s).unwrap_or_default() {
            if let Some(&block) = body.blocks.get(&l) {
                t.b.seal_block(block);
            }
        }
    }
    if !body.filled {
        t.b.set_srcloc(SourceLoc::new(locate::END));
        t.note(None);
        body.leave(&mut t);
    }
    t.b.seal_all_blocks();
    let slots = std::mem::take(&mut t.slots);
    let mut trace = t.trace.take();
    if let Some(trace) = &mut trace {
        trace.addresses.clone_from(&t.addresses);
    }
    t.b.finalize(shared.config);
    (func, slots, trace)
}

/// Begins the entry block; gives the function's parameters.
fn begin(t: &mut Translator<'_, '_>) -> Vec<Value> {
    t.b.set_srcloc(SourceLoc::new(locate::ENTRY));
    let entry = t.b.create_block();
    t.b.append_block_params_for_function_params(entry);
    t.b.seal_block(entry);
    t.b.switch_to_block(entry);
    t.b.block_params(entry).to_vec()
}

/// The labels by the last statement that leads to them. Their blocks are sealed there, inner loops before outer ones:
/// else every value that lives through a loop would become a parameter of its blocks, in a nest of `n` loops `n` times
/// `n` parameters.
fn complete_after(
    unit: &Unit,
    led_on: &FxHashMap<Label, Label>,
    tests: &rotate::Tests,
) -> FxHashMap<Stmt, SmallVec<[Label; 2]>> {
    let mut last: indexmap::IndexMap<Label, Stmt> = indexmap::IndexMap::new();
    for s in unit.stmts(unit.body()) {
        let head = unit.head(s);
        let own = if let Head::Label(l) = head { Some(l) } else { None };
        let again = tests.get(&s).map(|test| unit.targets(unit.head(test.branch())));
        for l in unit.targets(head).into_iter().chain(own).chain(again.into_iter().flatten()) {
            last.insert(l, s);
            if let Some(&to) = led_on.get(&l) {
                last.insert(to, s);
            }
        }
    }
    let mut out: FxHashMap<Stmt, SmallVec<[Label; 2]>> = FxHashMap::default();
    for (l, s) in last {
        out.entry(s).or_default().push(l);
    }
    out
}

/// The labels with nothing but a jump behind them, with its target. Conditional jumps go there directly: on an edge of
/// its own, a value that counting needs would be computed again on each way.
fn led_on(unit: &Unit) -> FxHashMap<Label, Label> {
    let mut out = FxHashMap::default();
    for s in unit.stmts(unit.body()) {
        if let (Head::Label(l), Some(next)) = (unit.head(s), unit.next(s))
            && let Head::Goto(to) = unit.head(next)
            && l != to
        {
            out.insert(l, to);
        }
    }
    out
}

/// The labels that control may come to, if conditional jumps go to where `led` leads. A label that all jumps pass by has no
/// block: as a way into the code behind a loop, on which no register has a value, it would make a parameter of every value
/// that lives through the loop, and nothing computed from these could leave the loop.
fn reached(unit: &Unit, led: impl Fn(Label) -> Label) -> FxHashSet<Label> {
    let stmts: Vec<Stmt> = unit.stmts(unit.body()).collect();
    let labels = stmts.iter().enumerate().filter_map(|(i, &s)| match unit.head(s) {
        Head::Label(l) => Some((l, i)),
        _ => None,
    });
    let at: FxHashMap<Label, usize> = labels.collect();
    let mut out = FxHashSet::default();
    let mut todo = vec![0];
    while let Some(from) = todo.pop() {
        for &s in &stmts[from..] {
            let head = unit.head(s);
            if let Head::Label(l) = head
                && !out.insert(l)
            {
                break;
            }
            let to = |l: &Label| if matches!(head, Head::Branch { .. }) { led(*l) } else { *l };
            todo.extend(unit.targets(head).iter().map(to).filter(|l| !out.contains(l)).filter_map(|l| at.get(&l)));
            let falls =
                !matches!(head, Head::Branch { .. } | Head::Goto(_) | Head::Return) && !unit.never_returns(head);
            if !falls {
                break;
            }
        }
    }
    out
}

/// The control flow of a unit being translated.
struct Body {
    blocks: FxHashMap<Label, ClifBlock>,
    /// Labels whose block has begun: a branch to one goes backwards.
    placed: FxHashSet<Label>,
    /// The current CLIF block has its terminator; code up to the next label is unreachable.
    filled: bool,
    counters: Counters,
    /// The targets of labels with nothing but a jump behind them.
    led_on: FxHashMap<Label, Label>,
    /// The jumps in whose place the tests of their loops stand.
    tests: rotate::Tests,
    /// Whether it is one of the functions that a unit was cut into, so that RETURN goes to their caller.
    is_stretch: bool,
    /// The labels that control may come to; none if all have blocks.
    reached: Option<FxHashSet<Label>>,
    /// The labels that one jump leads to, in optimized code of one function.
    once: Option<FxHashSet<Label>>,
    /// The registers on which addresses depend, where `once` is known.
    addressing: FxHashSet<Sym>,
    /// The label up to which all is translated already.
    passes_over: Option<Label>,
}

impl Body {
    fn new(counters: Counters, led_on: FxHashMap<Label, Label>) -> Body {
        Body {
            blocks: FxHashMap::default(),
            placed: FxHashSet::default(),
            filled: false,
            counters,
            led_on,
            tests: rotate::Tests::default(),
            is_stretch: false,
            reached: None,
            once: None,
            addressing: FxHashSet::default(),
            passes_over: None,
        }
    }

    /// The label to which a conditional jump to `l` goes.
    fn led(&self, t: &Translator<'_, '_>, l: Label) -> Label {
        self.led_on.get(&l).copied().filter(|_| !t.facts.cold.contains(&l)).unwrap_or(l)
    }

    fn block(&mut self, t: &mut Translator<'_, '_>, l: Label) -> ClifBlock {
        *self.blocks.entry(l).or_insert_with(|| {
            let block = t.b.create_block();
            if t.facts.cold.contains(&l) {
                t.b.set_cold_block(block);
            }
            block
        })
    }

    fn stmt(&mut self, t: &mut Translator<'_, '_>, s: Stmt) {
        let head = t.unit.head(s);
        if let Some(last) = self.passes_over {
            if head != Head::Label(last) {
                return;
            }
            self.passes_over = None;
            if self.once.as_ref().is_some_and(|once| once.contains(&last)) {
                return;
            }
        }
        if let Head::Label(l) = head {
            if self.filled && self.reached.as_ref().is_some_and(|all| !all.contains(&l)) {
                return;
            }
            let block = self.block(t, l);
            self.placed.insert(l);
            if !self.filled {
                t.b.ins().jump(block, &[]);
            }
            t.b.switch_to_block(block);
            t.forget();
            self.filled = false;
            return;
        }
        if self.filled {
            return;
        }
        t.b.set_srcloc(match (head, locate::of_set(t.unit.set(s))) {
            // The RETURN of the END statement.
            (Head::Return, _) if t.unit.sources(s).all(|o| o == t.unit.serial()) => SourceLoc::new(locate::END),
            // The rarely executed part of a timer stands behind all other code.
            (Head::Probe { op: ProbeOp::StartProcedure, .. }, of) if of.is_default() => SourceLoc::new(locate::ENTRY),
            (_, of) => of,
        });
        t.begin_stmt();
        t.note(Some(s));
        match head {
            Head::Assign { place, value } => {
                let ExprData::Var(v) = t.unit.expr(place) else { unreachable!("at L only registers are assigned") };
                if !t.facts.is_needed(v) {
                    return t.note_unneeded(v, value);
                }
                let value = t.expr(value);
                t.define(v, value);
            }
            Head::Ghost { var, value } => {
                if !t.facts.is_needed(var) {
                    return t.note_unneeded(var, value);
                }
                let value = t.expr(value);
                t.define(var, value);
            }
            Head::GhostIf { cond } => {
                let (inside, after) = (t.b.create_block(), t.b.create_block());
                t.branch(cond, inside, after);
                t.b.seal_block(inside);
                t.b.switch_to_block(inside);
                self.counting(t, s);
                t.b.ins().jump(after, &[]);
                t.b.seal_block(after);
                t.b.switch_to_block(after);
                t.forget();
            }
            Head::GhostCall { callee, args, result } => {
                t.clear_upper_halves();
                self.call(t, callee, t.unit.list(args), Some(result));
            }
            Head::GhostDo { trips } => self.counting_loop(t, s, trips),
            Head::GhostStore { place, value } => {
                let ExprData::Load { addr, offset, sym, .. } = t.unit.expr(place) else {
                    unreachable!("at L memory is written where a load reads it")
                };
                let value_type = t.unit.ty(value);
                let value = t.expr(value);
                let addr = t.expr(addr).one();
                t.store(value_type, value, addr, offset, sym);
            }
            Head::Store { addr, offset, value, sym } => {
                let value_type = t.unit.ty(value);
                let value = t.expr(value);
                let (addr, offset) = t.pointer(addr, offset, value_type);
                t.store(value_type, value, addr, offset, sym);
            }
            Head::Call { callee, args, result } => {
                t.clear_upper_halves();
                self.call(t, callee, t.unit.list(args), result.expand());
            }
            Head::Return if self.is_stretch => self.go_on(t, cut::END),
            Head::Return => self.leave(t),
            Head::Goto(_) if self.test_again(t, s) => {}
            Head::Goto(l) => {
                let block = self.block(t, l);
                t.b.ins().jump(block, &[]);
                self.filled = true;
            }
            Head::Branch { cond, then, otherwise } if self.increment(t, s, cond, [then, otherwise]) => {}
            Head::Branch { cond, then, otherwise } => {
                let [yes, no] = [then, otherwise].map(|l| self.block(t, self.led(t, l)));
                t.branch(cond, yes, no);
                self.filled = true;
            }
            Head::GotoTable { index, table } => self.jump_table(t, index, table),
            Head::Tally { counter, amount } => self.counters.add(t, s, counter, amount),
            Head::Trips { counter, trips, times, spread } => {
                if crate::trips::has_cells(t, counter) {
                    let base = self.counters.address(t, s);
                    crate::trips::add(t, base, crate::trips::Trips { counter, trips, times, spread });
                }
            }
            Head::Bracket { .. } => {}
            Head::Probe { op, record, entry } => {
                let block = |t: &mut Translator<'_, '_>| self.counters.address(t, s);
                crate::probe::probe(t, op, record, entry.expand(), block);
            }
            Head::Label(_) => {}
            other => unreachable!("{other:?} is not legal at L"),
        }
    }

    /// The statements in the block of `s`, which only count.
    fn counting(&mut self, t: &mut Translator<'_, '_>, s: Stmt) {
        t.forget();
        for inner in t.unit.stmts(t.unit.blocks(s)[0]) {
            self.stmt(t, inner);
        }
    }

    /// Counts the trips down.
    fn counting_loop(&mut self, t: &mut Translator<'_, '_>, s: Stmt, trips: Expr) {
        let trips = t.expr(trips).one();
        let (head, body, after) = (t.b.create_block(), t.b.create_block(), t.b.create_block());
        let left = t.b.append_block_param(head, types::I64);
        t.b.ins().jump(head, &[trips.into()]);
        t.b.switch_to_block(head);
        let more = t.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, left, 0);
        t.b.ins().brif(more, body, &[], after, &[]);
        t.b.seal_block(body);
        t.b.seal_block(after);
        t.b.switch_to_block(body);
        self.counting(t, s);
        let fewer = t.b.ins().iadd_imm_s(left, -1);
        t.b.ins().jump(head, &[fewer.into()]);
        t.b.seal_block(head);
        t.b.switch_to_block(after);
        t.forget();
    }

    fn leave(&mut self, t: &mut Translator<'_, '_>) {
        t.clear_upper_halves();
        match t.unit.result() {
            None => {
                let values = match (t.unit.returned(), t.unit.params().first()) {
                    (Some(way), Some(first)) => {
                        let address = t.addresses[first];
                        passing::structure_at(&mut t.b, way, address)
                    }
                    _ => Vec::new(),
                };
                t.b.ins().return_(&values);
            }
            Some(result) => {
                let value = t.use_register(result);
                let ty = t.unit.sym(result).ty;
                let values = match t.result_address {
                    Some(address) => {
                        t.put_parts(ty, value, address);
                        vec![address]
                    }
                    None => t.pack_result(ty, value),
                };
                t.b.ins().return_(&values);
            }
        }
        self.filled = true;
    }

    fn jump_table(&mut self, t: &mut Translator<'_, '_>, index: Expr, table: u32) {
        let ty = t.unit.ty(index);
        let value = t.expr(index).one();
        let labels: Vec<Label> = t.unit.jump_table(table).to_vec();
        let go_on = t.b.create_block();
        let narrow = match t.b.func.dfg.value_type(value) {
            types::I64 => {
                let zero_based = t.b.ins().iadd_imm_s(value, -1);
                let in_table = t.b.create_block();
                let fits = t.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, zero_based, labels.len() as i64);
                t.b.ins().brif(fits, in_table, &[], go_on, &[]);
                t.b.switch_to_block(in_table);
                t.b.seal_block(in_table);
                t.b.ins().ireduce(types::I32, zero_based)
            }
            types::I32 => t.b.ins().iadd_imm_s(value, -1),
            _ => {
                let wide = t.widen_int(ty, value);
                let narrow = t.b.ins().ireduce(types::I32, wide);
                t.b.ins().iadd_imm_s(narrow, -1)
            }
        };
        let targets: Vec<_> = labels
            .into_iter()
            .map(|l| {
                let block = self.block(t, l);
                t.b.func.dfg.block_call(block, &[])
            })
            .collect();
        let default = t.b.func.dfg.block_call(go_on, &[]);
        let jump_table = t.b.create_jump_table(JumpTableData::new(default, &targets));
        t.b.ins().br_table(narrow, jump_table);
        t.b.seal_block(go_on);
        t.b.switch_to_block(go_on);
        t.forget();
    }

    fn call(&mut self, t: &mut Translator<'_, '_>, callee: Callee, args: &[Expr], result: Option<Sym>) {
        match callee {
            // An address is a value here, so no call is made.
            Callee::Rt(Rt::Address | Rt::Barrier | Rt::Procedure) => {
                let value = t.argument(args[0]);
                if let Some(v) = result {
                    t.define(v, Val::One(value));
                }
            }
            Callee::Rt(Rt::StackLeft) if let Some(v) = result => {
                let left = t.stack_left();
                t.define(v, Val::One(left));
            }
            Callee::Rt(f) => {
                if let Some(done) = t.short_strings(f, args) {
                    if let (Some(v), Some(value)) = (result, done) {
                        let value = t.fit(value, types::I32, clif_type(t.unit.sym(v).ty));
                        t.define(v, Val::One(value));
                    }
                    t.forget();
                    return;
                }
                let signature = runtime_signature(f);
                let values: Vec<Value> = args.iter().map(|&a| t.argument(a)).collect();
                let reference = t.shared.symbols.import(t.b.func, f.signature().symbol, signature);
                let location = t.mark();
                let call = t.b.ins().call(reference, &values);
                t.b.set_srcloc(location);
                if let (Some(v), Some(&value)) = (result, t.b.inst_results(call).first()) {
                    let from = t.b.func.dfg.value_type(value);
                    let value = t.fit(value, from, clif_type(t.unit.sym(v).ty));
                    t.define(v, Val::One(value));
                }
                if f.signature().effect == trueline_abi::Effect::NoReturn {
                    t.b.ins().trap(cranelift_codegen::ir::TrapCode::unwrap_user(1));
                    self.filled = true;
                }
            }
            Callee::Proc(p) => {
                let proc = t.unit.proc(p);
                let (name, ty) = (proc.symbol.clone(), proc.result);
                let (signature, values, given) = self.arguments(t, args, ty);
                let has_values = t.shared.loaded.is_direct(t.unit, &name, args);
                let has_counted = t.shared.counted.get(&name).is_some_and(|&cell| self.counters.add_at_call(t, cell));
                let way = Passage { has_values, has_counted };
                let reference = t.shared.symbols.import_by(t.b.func, &name, signature, way);
                let location = t.mark();
                let call = t.b.ins().call(reference, &values);
                t.b.set_srcloc(location);
                self.take_result(t, call, (ty, given), result);
            }
            Callee::Dummy(v) => {
                let ty = result.map(|r| t.unit.sym(r).ty);
                let (signature, values, given) = self.arguments(t, args, ty);
                let signature = t.b.import_signature(signature);
                let address = t.use_register(v).one();
                let location = t.mark();
                let call = t.b.ins().call_indirect(signature, address, &values);
                t.b.set_srcloc(location);
                self.take_result(t, call, (ty, given), result);
            }
        }
        t.forget();
    }

    fn arguments(
        &mut self,
        t: &mut Translator<'_, '_>,
        args: &[Expr],
        ty: Option<trueline_ir::Type>,
    ) -> (Signature, Vec<Value>, Given) {
        let mut signature = Signature::new(CallConv::triple_default(t.shared.triple));
        let (mut values, mut parts, mut given) = (Vec::new(), Vec::new(), Given::Value(None));
        let mut forms = abi::Forms::new(t.shared.triple);
        for &a in args {
            if let ExprData::AddrOf(Access::Returned(way), place) = t.unit.expr(a) {
                let address = t.place_address(place);
                abi::push_structure(&mut signature, way);
                if way == Returned::MEMORY {
                    values.push(address);
                }
                given = Given::Structure(way, address);
                continue;
            }
            match t.argument_val(a) {
                Val::One(v) => {
                    if t.b.func.dfg.value_type(v).is_float() {
                        forms.next(t.unit.ty(a));
                    }
                    values.push(v);
                }
                pair => {
                    let ty = t.unit.ty(a);
                    let form = forms.next(ty);
                    parts.push((values.len(), ty, form));
                    values.extend(t.pack_argument(ty, pair, form));
                }
            }
        }
        let own = signature.params.len();
        signature.params.extend(values[own..].iter().map(|&v| AbiParam::new(t.b.func.dfg.value_type(v))));
        for (at, ty, form) in parts {
            for (k, part) in abi::in_form(ty, form).into_iter().enumerate() {
                signature.params[at + k] = part;
            }
        }
        if let Some(ty) = ty {
            given = Given::Value(t.result_room(ty, &mut signature, &mut values));
        }
        (signature, values, given)
    }

    fn take_result(
        &mut self,
        t: &mut Translator<'_, '_>,
        call: cranelift_codegen::ir::Inst,
        (ty, given): (Option<trueline_ir::Type>, Given),
        result: Option<Sym>,
    ) {
        let results = t.b.inst_results(call).to_vec();
        let room = match given {
            Given::Structure(way, address) => return passing::put_structure(&mut t.b, way, &results, address),
            Given::Value(room) => room,
        };
        let (Some(ty), Some(v)) = (ty, result) else { return };
        let value = t.unpack_results(ty, room, &results);
        t.define(v, value);
    }
}

/// The result of a call.
enum Given {
    /// A value in registers, or in this memory of the caller's.
    Value(Option<Value>),
    /// A structure that comes in a way of its own and belongs at this address.
    Structure(Returned, Value),
}

/// A call of one of the routines of table 1.
impl Translator<'_, '_> {
    /// Parameters into registers; addresses of dummies are kept as they are.
    fn enter(&mut self, params: &[Value]) {
        let mut rest = params;
        let result = self.unit.result().map(|r| self.unit.sym(r).ty);
        if result.is_some_and(|ty| abi::returned(ty, self.shared.triple) == abi::Returned::Memory) {
            self.result_address = Some(rest[0]);
            rest = &rest[1..];
        }
        let mut params = self.unit.params();
        if let (Some(way), Some((&first, others))) = (self.unit.returned(), params.split_first()) {
            params = others;
            let address = if way == Returned::MEMORY {
                let address = rest[0];
                rest = &rest[1..];
                address
            } else {
                self.structure_room(way)
            };
            self.addresses.insert(first, address);
        }
        let mut forms = abi::Forms::new(self.shared.triple);
        for &p in params {
            let sym = self.unit.sym(p);
            match sym.storage {
                Storage::Value { .. } => {
                    let ty = sym.ty;
                    let form = forms.next(ty);
                    let (own, others) = rest.split_at(abi::in_form(ty, form).len());
                    let value = self.unpack_argument(ty, own, form);
                    self.define(p, value);
                    rest = others;
                }
                _ => {
                    self.addresses.insert(p, rest[0]);
                    rest = &rest[1..];
                }
            }
        }
    }

    /// An argument that is one value.
    fn argument(&mut self, e: Expr) -> Value {
        self.argument_val(e).one()
    }

    /// The address of the operand of `AddrOf`, or a value.
    fn argument_val(&mut self, e: Expr) -> Val {
        match self.unit.expr(e) {
            ExprData::AddrOf(_, place) => Val::One(self.place_address(place)),
            ExprData::ProcAddr(p) => {
                let name = self.unit.proc(p).symbol.clone();
                let signature = Signature::new(CallConv::triple_default(self.shared.triple));
                let reference = self.shared.symbols.import_public(self.b.func, &name, signature);
                Val::One(self.b.ins().func_addr(ADDRESS, reference))
            }
            ExprData::Null => Val::One(self.b.ins().iconst(ADDRESS, 0)),
            _ => self.expr(e),
        }
    }

    /// The number of CLIF variables that a symbol needs.
    pub(crate) fn parts_of(&self, v: Sym) -> usize {
        let ty = self.unit.sym(v).ty;
        if is_complex(ty) { 2 } else { self.registers_of(ty).0 }
    }
}
