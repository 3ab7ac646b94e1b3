//! Loop nests whose communication goes before them: the code.
//!
//! ```text
//!                                   nest(1) = h; nest(2) = n - 1; …           @4
//! do j = 2, n - 1        @4         call nest(table, nest)                    @4
//!   do i = 2, n - 1      @5   =>    do j = nest(6), nest(7)                   @4
//!     b(i,j) = a(i,j-1)  @6           do i = nest(9), nest(10)                @5
//!   end                                 b(i,j) = a(i,j-1)                     @6
//! end                                 end
//!                                   end
//!                                   j = 2 + trip(2, n - 1, 1)                 @4   (if somebody reads it)
//! ```
//!
//! A loop that some statement needs whole keeps its bounds, and the statements that only owners execute get guards. So does a loop whose variable
//! says nothing of owners, in one that does.

use super::Code;
use super::arrays::frame_of_numbers;
use super::carry::Carried;
use super::inner;
use super::nest::{Found, Question};
use super::strips;
use crate::linear::{Linear, add_scaled, difference, product};
use trueline_abi::nest::{CARRY_ALL, CARRY_IN, CARRY_ON, MAX, MIN, Nest, PER_GUARD, PER_LOOP};
use trueline_ir::{
    Access, BinaryOp, Callee, ExpandKind, Expr, ExprData, Head, Intrinsic, Place, Rt, Stmt, Sym, Type, fault,
};

/// No subscript is as far from 0.
const FAR: i64 = 1 << 62;

/// Makes the code of the nest.
pub(super) fn apply(code: &mut Code<'_, '_, '_>, found: &mut Found) {
    for &array in &found.arrays {
        code.map(array);
    }
    bring_out(code, found);
    if !found.strips.is_empty() {
        code.ed.localize(found.roots[0], &found.counted);
        strips::apply(code, found);
    }
    let memory = ask(code, found, &found.nest);
    carry(code, found, CARRY_IN);
    let mut bounds: Vec<_> = (0..found.loops.len()).map(|l| bounds(code, found, memory, l)).collect();
    let guards = guards(code, found, memory);
    let each = each(code, found, memory);
    for (number, around) in found.loops.iter().enumerate() {
        let parent = found.nest.loops[number].parent;
        let is_outermost = found.nest.chain(parent).all(|l| !found.loops[l].is_local);
        if around.is_local && is_outermost && found.strips.is_empty() {
            code.ed.localize(around.l.stmt, &found.counted);
        }
    }
    if let Some(l) = found.nest.parted {
        inner::apply(code, found, memory, l);
        bounds[l] = self::bounds(code, found, memory, l);
    }
    let found = &*found;
    for (around, bounds) in found.loops.iter().zip(bounds) {
        if let Some([lo, hi, step]) = bounds {
            code.ed.expand_in_place(around.l.stmt, Head::Do { var: around.l.var, lo, hi, step });
        }
    }
    for (k, conditions) in guards.into_iter().enumerate() {
        guard(code, found.works[k].stmt, &found.works[k].asked, conditions);
    }
    for (around, each) in found.loops.iter().zip(each) {
        let inside: Vec<Stmt> = code.ed.real_stmts(around.l.body).collect();
        if !around.asked.is_empty() && around.is_local {
            guard_all(code, around.l.stmt, (&around.asked, each), &inside);
        }
    }
    let last = *found.roots.last().unwrap_or(&code.from);
    code.at = Place::After(last);
    if found.nest.sweeps() {
        let location = code.location();
        code.call(Rt::RanksSwept, &[location]);
    }
    if let Some(around) = found.around.filter(|&around| code.ed.ancestors(last).any(|s| s == around)) {
        code.at = Place::After(around);
    }
    // All go on before the first is waited for.
    carry(code, found, CARRY_ON);
    carry(code, found, CARRY_ALL);
    for &(s, place, least) in found.reductions.iter().filter(|_| !fault("ranks_reduction_apart")) {
        let kind = code.ed.int(Type::I4, code.ed.ty(place) as i64);
        let operation = code.ed.int(Type::I8, if least { MIN } else { MAX });
        let place = code.ed.make(ExprData::AddrOf(Access::InOut, place));
        let outside = std::mem::replace(&mut code.from, s);
        let location = code.location();
        code.call(Rt::RanksReduce, &[place, operation, kind, location]);
        code.from = outside;
    }
    restore(code, found, None);
}

/// Bounds that are known before the nest, through registers that it defines, are evaluated there: the counts of these loops leave the nest.
fn bring_out(code: &mut Code<'_, '_, '_>, found: &mut Found) {
    let vars: Vec<Sym> = found.loops.iter().map(|a| a.l.var).collect();
    for around in &mut found.loops {
        let ty = code.ed.sym(around.l.var).ty;
        let mut bounds = [around.l.lo, around.l.hi];
        for (bound, through) in bounds.iter_mut().zip(&around.through) {
            let Some(sum) = through else { continue };
            let is_var = |e: Expr| matches!(code.ed.expr(e), ExprData::Var(v) if vars.contains(&v));
            let (inner, before): (Vec<_>, Vec<_>) = sum.terms.iter().copied().partition(|&(t, _)| is_var(t));
            let before = Linear { terms: before.into_iter().collect(), constant: sum.constant };
            let value = before.build(code.ed);
            let value = code.register("bound", value);
            let mut whole = Linear { terms: inner.into_iter().collect(), constant: 0 };
            whole.add_term(value, 1);
            let value = whole.build(code.ed);
            *bound = if ty == Type::I8 { value } else { code.ed.make(ExprData::Convert(ty, value)) };
        }
        let [lo, hi] = bounds;
        if [lo, hi] != [around.l.lo, around.l.hi] {
            (around.l.lo, around.l.hi) = (lo, hi);
            let head = Head::Do { var: around.l.var, lo, hi, step: around.l.step };
            code.ed.expand_in_place(around.l.stmt, head);
        }
    }
}

/// Asks the runtime about the nest, as `told` says it; then it communicates. The memory with the values and the answers.
pub(super) fn ask(code: &mut Code<'_, '_, '_>, found: &Found, told: &Nest) -> Sym {
    let numbers = told.values + told.answers();
    let memory = frame_of_numbers(code.ed, "nest", numbers.max(1));
    let mut values: Vec<Expr> = found.arrays.iter().map(|&a| code.handle(a)).collect();
    values.extend(found.values.iter().map(|v| v.build(code.ed)));
    for (k, value) in values.into_iter().enumerate() {
        let place = number(code, memory, k);
        code.emit(Head::Assign { place, value });
    }
    let table = told.encode();
    let bytes: Vec<u8> = table.iter().flat_map(|n| n.to_ne_bytes()).collect();
    let text = code.ed.make_text(&bytes);
    let text = code.ed.make(ExprData::AddrOf(Access::In, text));
    let count = code.ed.int(Type::I8, table.len() as i64);
    let first = number(code, memory, 0);
    let first = code.ed.make(ExprData::AddrOf(Access::InOut, first));
    let location = code.location();
    let args = code.ed.make_list(&[text, count, first, location]);
    let head = Head::Call { callee: Callee::Rt(Rt::RanksNest), args, result: None.into() };
    let exchange = code.emit(head);
    // The elements that the other nests need are sent along.
    for &root in found.roots.iter().skip(1) {
        let own = code.ed.expand(root, head, Place::After(exchange), ExpandKind::Lower);
        code.ed.merge(exchange, own, head, &[]);
    }
    memory
}

/// Gives variables that the nest changes to the next rank, or to all, in one message.
fn carry(code: &mut Code<'_, '_, '_>, found: &Found, phase: i64) {
    let carried = || found.carried.iter().filter(|c| phase != CARRY_ALL || c.is_read_behind);
    let bytes: Vec<Expr> = carried().map(|c| bytes_of(code, c)).collect();
    let mut offset = code.ed.int(Type::I8, 0);
    let whole = bytes.iter().fold(offset, |sum, &n| add_scaled(code.ed, sum, n, 1));
    for (c, bytes) in carried().zip(bytes) {
        let data = code.ed.sym(c.sym).clone();
        let place = if data.dims.is_empty() {
            code.ed.var(c.sym)
        } else {
            let lowers: Vec<Expr> = data.dims.iter().map(|d| d.lower).collect();
            let list = code.ed.make_list(&lowers);
            code.ed.make(ExprData::Elem(c.sym, list))
        };
        let place = code.ed.make(ExprData::AddrOf(Access::InOut, place));
        let name = code.ed.make_text(format!("{}\0", data.name).as_bytes());
        let name = code.ed.make(ExprData::AddrOf(Access::In, name));
        let phase = code.ed.int(Type::I8, phase);
        let location = code.location();
        code.call(Rt::RanksCarry, &[place, bytes, offset, whole, phase, name, location]);
        offset = add_scaled(code.ed, offset, bytes, 1);
    }
}

/// The bytes of a variable that goes from rank to rank.
fn bytes_of(code: &mut Code<'_, '_, '_>, c: &Carried) -> Expr {
    if let Some(n) = c.bytes {
        return code.ed.int(Type::I8, n as i64);
    }
    let data = code.ed.sym(c.sym).clone();
    let mut bytes = code.ed.int(Type::I8, data.ty.size() as i64);
    for dim in &data.dims {
        let Some(upper) = dim.upper.expand() else { continue };
        let extent = difference(code.ed, upper, dim.lower);
        let one = i64::from(!fault("ranks_carry_extent"));
        let [one, none] = [one, 0].map(|n| code.ed.int(Type::I8, n));
        let extent = add_scaled(code.ed, extent, one, 1);
        let extent = match code.ed.pool().as_int(extent) {
            Some(n) => code.ed.int(Type::I8, n.max(0)),
            None => code.ed.intrinsic(Intrinsic::Max, &[extent, none]),
        };
        bytes = product(code.ed, bytes, extent);
    }
    bytes
}

/// Number `k` of the memory, from 0.
pub(super) fn number(code: &mut Code<'_, '_, '_>, memory: Sym, k: usize) -> Expr {
    let k = code.ed.int(Type::I8, k as i64 + 1);
    let list = code.ed.make_list(&[k]);
    code.ed.make(ExprData::Elem(memory, list))
}

/// A register with an answer, as near to it as its type allows.
pub(super) fn answer(code: &mut Code<'_, '_, '_>, memory: Sym, k: usize, ty: Type) -> Expr {
    let value = number(code, memory, k);
    let value = narrowed(code, value, ty);
    let register = code.ed.new_register("part", ty);
    let place = code.ed.var(register);
    code.emit(Head::Assign { place, value });
    place
}

fn narrowed(code: &mut Code<'_, '_, '_>, value: Expr, ty: Type) -> Expr {
    let (least, most) = match ty {
        Type::I1 => (i8::MIN.into(), i8::MAX.into()),
        Type::I2 => (i16::MIN.into(), i16::MAX.into()),
        Type::I4 => (i32::MIN.into(), i32::MAX.into()),
        // Passes compute with such bounds, in 64 bits.
        _ => (-FAR, FAR),
    };
    let (least, most) = (code.ed.int(Type::I8, least), code.ed.int(Type::I8, most));
    let value = code.ed.intrinsic(Intrinsic::Max, &[value, least]);
    let value = code.ed.intrinsic(Intrinsic::Min, &[value, most]);
    if ty == Type::I8 { value } else { code.ed.make(ExprData::Convert(ty, value)) }
}

/// The bounds of loop `number`, if each rank runs through its own part of it.
fn bounds(code: &mut Code<'_, '_, '_>, found: &Found, memory: Sym, number: usize) -> Option<[Expr; 3]> {
    let (around, of) = (&found.loops[number], &found.nest.loops[number]);
    if !around.is_local || around.is_whole {
        return None;
    }
    let first = found.nest.values + number * PER_LOOP;
    let ty = code.ed.sym(around.l.var).ty;
    let [low, high] = [0, 1].map(|k| answer(code, memory, first + k, ty));
    if of.is_fixed() {
        // Parts that are dealt out in turn have a step of their own.
        let step = if around.asked.is_empty() { around.l.step } else { answer(code, memory, first + 2, ty) };
        return Some([low, high, step]);
    }
    let (from, to) = if of.step > 0 { (low, high) } else { (high, low) };
    let (up, down) = (Intrinsic::Max, Intrinsic::Min);
    let (begin, end) = if of.step > 0 { (up, down) } else { (down, up) };
    Some([code.ed.intrinsic(begin, &[around.l.lo, from]), code.ed.intrinsic(end, &[around.l.hi, to]), around.l.step])
}

/// For each loop whose owners are asked for each time, whether this rank has each of the iterations that the bounds name.
fn each(code: &mut Code<'_, '_, '_>, found: &Found, memory: Sym) -> Vec<Option<Expr>> {
    let mut out = Vec::new();
    for (number, around) in found.loops.iter().enumerate() {
        let is_asked = around.is_local && !around.asked.is_empty();
        let first = found.nest.values + number * PER_LOOP;
        out.push(is_asked.then(|| answer(code, memory, first + PER_LOOP - 1, Type::I8)));
    }
    out
}

/// For each statement the conditions on loop variables under which this rank executes it.
fn guards(code: &mut Code<'_, '_, '_>, found: &Found, memory: Sym) -> Vec<Vec<Expr>> {
    let mut first = found.nest.values + found.loops.len() * PER_LOOP;
    let mut out = Vec::new();
    for s in &found.nest.statements {
        let mut conditions = Vec::new();
        for &l in &s.guards {
            let around = found.loops.get(l).filter(|_| s.inner.is_some());
            let ty = around.map_or(Type::I8, |a| code.ed.sym(a.l.var).ty);
            let [low, high] = [0, 1].map(|k| answer(code, memory, first + k, ty));
            match around {
                Some(around) => {
                    let v = code.ed.var(around.l.var);
                    conditions.push(code.ed.binary(BinaryOp::Ge, v, low));
                    conditions.push(code.ed.binary(BinaryOp::Le, v, high));
                }
                None => conditions.push(code.ed.binary(BinaryOp::Le, low, high)),
            }
            first += PER_GUARD;
        }
        out.push(conditions);
    }
    out
}

/// Puts a guard around a statement, if it needs one.
fn guard(code: &mut Code<'_, '_, '_>, s: Stmt, asked: &[Question], mut conditions: Vec<Expr>) {
    conditions.extend(questions(code, s, Place::Before(s), (asked, None)));
    if let Some(cond) = all_of(code, conditions) {
        code.ed.expand_around(s, Head::If { cond }, 0, ExpandKind::Lower);
    }
}

/// Puts one guard around each statement in the body of a loop.
fn guard_all(code: &mut Code<'_, '_, '_>, l: Stmt, asked: (&[Question], Option<Expr>), inside: &[Stmt]) {
    let Some(&first) = inside.first() else { return };
    let conditions = questions(code, l, Place::Before(first), asked);
    let Some(cond) = all_of(code, conditions) else { return };
    for &s in inside {
        code.ed.expand_around(s, Head::If { cond }, 0, ExpandKind::Lower);
    }
}

/// Asks whether this rank owns subscripts, unless `each` is not 0: then it does.
fn questions(
    code: &mut Code<'_, '_, '_>,
    from: Stmt,
    at: Place,
    (asked, each): (&[Question], Option<Expr>),
) -> Vec<Expr> {
    let outside = (std::mem::replace(&mut code.from, from), std::mem::replace(&mut code.at, at));
    let mut out = Vec::new();
    for q in asked {
        let (handle, dim) = (code.handle(q.array), code.ed.int(Type::I8, q.dim as i64));
        let subscript = code.ed.widen(q.subscript);
        let args = [handle, dim, subscript];
        let mine = match each {
            None => code.ask(Rt::RanksMine, &args, Type::I4),
            Some(each) => {
                let (mine, one) = (code.ed.new_register("mine", Type::I4), code.ed.int(Type::I4, 1));
                let place = code.ed.var(mine);
                code.emit(Head::Assign { place, value: one });
                let zero = code.ed.int(Type::I8, 0);
                let cond = code.ed.binary(BinaryOp::Eq, each, zero);
                let test = code.emit(Head::If { cond });
                let before = std::mem::replace(&mut code.at, Place::End(code.ed.blocks(test)[0]));
                let asked = code.ask(Rt::RanksMine, &args, Type::I4);
                let value = code.ed.var(asked);
                code.emit(Head::Assign { place, value });
                code.at = before;
                mine
            }
        };
        out.push(code.is_set(mine));
    }
    (code.from, code.at) = outside;
    out
}

fn all_of(code: &mut Code<'_, '_, '_>, conditions: Vec<Expr>) -> Option<Expr> {
    conditions.into_iter().reduce(|a, b| code.ed.binary(BinaryOp::And, a, b))
}

/// Gives loop variables the values that they have behind the whole loops `parent` is around, if somebody reads them there.
fn restore(code: &mut Code<'_, '_, '_>, found: &Found, parent: Option<usize>) {
    let is_below = |l: usize| found.restored.iter().any(|&r| found.nest.chain(Some(r)).any(|x| x == l));
    let loops: Vec<usize> =
        (0..found.loops.len()).filter(|&l| found.nest.loops[l].parent == parent && is_below(l)).collect();
    for l in loops {
        let of = found.loops[l].l;
        let has_inner = found.restored.iter().any(|&r| r != l && found.nest.chain(Some(r)).any(|x| x == l));
        let ty = code.ed.sym(of.var).ty;
        let wide = [of.lo, of.hi, of.step].map(|e| code.ed.widen(e));
        let trips = code.ed.trips(wide);
        let trips = code.register("trips", trips);
        let outside = std::mem::replace(&mut code.from, of.stmt);
        if has_inner {
            let zero = code.ed.int(Type::I8, 0);
            let cond = code.ed.binary(BinaryOp::Gt, trips, zero);
            let test = code.emit(Head::If { cond });
            let at = std::mem::replace(&mut code.at, Place::End(code.ed.blocks(test)[0]));
            // The loops inside are left for the last time in the last iteration.
            let one = code.ed.int(Type::I8, 1);
            let before = code.ed.binary(BinaryOp::Sub, trips, one);
            assign_value(code, of.var, wide, before, ty);
            restore(code, found, Some(l));
            code.at = at;
        }
        if found.restored.contains(&l) || has_inner {
            assign_value(code, of.var, wide, trips, ty);
        }
        code.from = outside;
    }
}

/// `var = lo + count*step`.
fn assign_value(code: &mut Code<'_, '_, '_>, var: Sym, [lo, _, step]: [Expr; 3], count: Expr, ty: Type) {
    let far = code.ed.binary(BinaryOp::Mul, count, step);
    let value = code.ed.binary(BinaryOp::Add, lo, far);
    let value = if ty == Type::I8 { value } else { code.ed.make(ExprData::Convert(ty, value)) };
    let place = code.ed.var(var);
    code.emit(Head::Assign { place, value });
}
