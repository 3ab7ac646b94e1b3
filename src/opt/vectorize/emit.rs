//! Makes the vectors that were planned.

use super::bytes::Sign;
use super::found::{By, Found};
use super::lanes::{Vectors, small_number};
use super::last;
use super::order::condition;
use super::{Plan, WIDTH};
use crate::analysis::loops::DoLoop;
use crate::unroll::partition;
use trueline_ir::{BinaryOp, Editor, ExpandKind, Expr, ExprData, Head, Intrinsic, Place, Stmt, Sym, Type};

/// Returns the loop over the iterations that are left over, if there may be any.
pub(super) fn emit(ed: &mut Editor<'_>, l: DoLoop, plan: &Plan) -> Option<Stmt> {
    let ty = ed.sym(l.var).ty;
    let i = ed.var(l.var);
    let step = l.constant_step(ed)?;
    if let Some(cond) = condition(ed, &plan.tests, plan.strip) {
        let test = ed.expand_around(l.stmt, Head::If { cond }, 0, ExpandKind::Alternative);
        let otherwise = ed.blocks(test)[1];
        ed.expand_copy(l.stmt, Place::End(otherwise), &[], ExpandKind::Alternative);
    }
    let ahead = |ed: &mut Editor<'_>, k: i64| {
        let k = ed.int(ty, k * step);
        ed.binary(BinaryOp::Add, i, k)
    };
    let later: Vec<Expr> = (1..plan.strip).map(|k| ahead(ed, k)).collect();
    let mut vectors = Vectors::new(plan);
    let mut heads: Vec<(Stmt, Head)> = Vec::new();
    vectors.statements(ed, &plan.stmts, &mut heads);
    let mut registers = vectors.registers;
    let lanes = plan.lanes as i64;
    let mut found: Vec<(Found, Vec<Sym>)> = Vec::new();
    for f in &plan.found {
        let at = registers.iter().position(|(scalar, _)| *scalar == f.register);
        let Some((_, vector)) = at.map(|at| registers.remove(at)) else { continue };
        let (name, ty) = (ed.sym(vector).name.split('.').next().unwrap_or("t").to_owned(), ed.sym(vector).ty);
        let others = (1..plan.strip / lanes).map(|_| ed.new_register(&name, ty));
        found.push((*f, std::iter::once(vector).chain(others).collect()));
    }
    let ramps: Vec<Ramp> = vectors.ramps.iter().map(|&(e, first)| Ramp::of(ed, plan, e, first)).collect();
    let all = |k: usize| {
        let found = found.iter().map(move |(_, own)| (own[0], own[k]));
        found.chain(ramps.iter().map(move |r| (r.vectors[0], r.vectors[k])))
    };
    let of_vector = |k: usize| all(k).collect::<Vec<_>>();
    let own: Vec<Vec<(Sym, Sym)>> = (1..(plan.strip / lanes) as usize).map(of_vector).collect();
    ed.settle_lanes(l.stmt);
    let rest = partition(ed, l, plan.strip, |ed| {
        ed.expand_lanes(l.stmt, &heads, plan.lanes as u8, &later, &own);
    });
    for ramp in &ramps {
        ramp.advance(ed, l, plan, step);
    }
    if let Some(again) = &plan.again {
        again.emit(ed, l, step);
    }
    for (f, vectors) in &found {
        put_together(ed, l, f, vectors, plan.lanes);
    }
    for (s, head, register) in vectors.lasts {
        last::put_together(ed, l, (s, head), register, step);
    }
    // Dead code goes later.
    for (scalar, vector) in registers {
        let last = if plan.down != trueline_ir::fault("vectorize_last_lane") { 0 } else { lanes - 1 };
        let last = ed.int(Type::I4, last);
        let (place, vector) = (ed.var(scalar), ed.var(vector));
        let value = ed.intrinsic(Intrinsic::Lane, &[vector, last]);
        let value = match plan.narrow.get(&scalar) {
            Some(None) => continue,
            Some(Some(sign)) => whole(ed, value, ed.ty(place), *sign),
            None => value,
        };
        ed.expand(l.stmt, Head::Assign { place, value }, Place::After(l.stmt), ExpandKind::Lower);
    }
    rest
}

/// The integer of type `ty` whose lowest byte is `byte`.
fn whole(ed: &mut Editor<'_>, byte: Expr, ty: Type, sign: Sign) -> Expr {
    if ed.ty(byte) == ty {
        return byte;
    }
    let value = ed.make(ExprData::Convert(ty, byte));
    if sign == Sign::Signed {
        return value;
    }
    let all = ed.int(ty, 255);
    ed.intrinsic(Intrinsic::Iand, &[value, all])
}

/// Before the loop the lanes of `vectors` are what changes nothing; behind it they are combined with the register.
pub(super) fn put_together(ed: &mut Editor<'_>, l: DoLoop, f: &Found, vectors: &[Sym], lanes: usize) {
    let (scalar, first) = (ed.var(f.register), ed.var(vectors[0]));
    let (of, ty) = (ed.ty(scalar), ed.ty(first));
    let repeats = f.by.repeats() != trueline_ir::fault("vectorize_start");
    let nothing = if repeats && ty.lane() == of { scalar } else { small_number(ed, ty.lane(), f.by.nothing()) };
    let start = ed.make(ExprData::Convert(ty, nothing));
    // The lanes have been taken away from nothing.
    let by = if f.by == By::Sub { By::Add } else { f.by };
    let mut sum = first;
    for (k, &vector) in vectors.iter().enumerate() {
        let place = ed.var(vector);
        ed.expand(l.stmt, Head::Assign { place, value: start }, Place::Before(l.stmt), ExpandKind::Lower);
        if k > 0 && !trueline_ir::fault("vectorize_first_sum") {
            sum = by.make(ed, sum, place);
        }
    }
    let each = WIDTH / ty.lane().size();
    let piece = ty.lane().vector(each).filter(|_| lanes > each);
    let (short, lanes) = match piece {
        Some(piece) => (ed.new_register("piece", piece), each),
        None => (vectors[0], lanes),
    };
    let short = ed.var(short);
    let mut all = scalar;
    for k in 0..lanes {
        let number = ed.int(Type::I4, k as i64);
        let lane = ed.intrinsic(Intrinsic::Lane, &[short, number]);
        let lane = if ed.ty(lane) == of { lane } else { ed.make(ExprData::Convert(of, lane)) };
        all = by.make(ed, all, lane);
    }
    ed.expand(l.stmt, Head::Assign { place: scalar, value: all }, Place::After(l.stmt), ExpandKind::Lower);
    if piece.is_some() {
        let value = pieces_together(ed, first, each, by);
        ed.expand(l.stmt, Head::Assign { place: short, value }, Place::After(l.stmt), ExpandKind::Lower);
    }
    if vectors.len() > 1 {
        ed.expand(l.stmt, Head::Assign { place: first, value: sum }, Place::After(l.stmt), ExpandKind::Lower);
    }
}

/// The pieces of `vector`, of `each` lanes, combined in pairs.
fn pieces_together(ed: &mut Editor<'_>, vector: Expr, each: usize, by: By) -> Expr {
    let piece = |ed: &mut Editor<'_>, k: usize| {
        let number = ed.int(Type::I4, k as i64);
        ed.intrinsic(Intrinsic::Piece, &[vector, number])
    };
    let mut all: Vec<Expr> = (0..ed.ty(vector).lanes()).step_by(each).map(|k| piece(ed, k)).collect();
    while all.len() > 1 {
        all = all.chunks(2).map(|pair| pair[1..].iter().fold(pair[0], |a, &b| by.make(ed, a, b))).collect();
    }
    all[0]
}

/// A value that advances by a constant in each iteration, in lanes.
struct Ramp {
    value: Expr,
    /// The factor of the loop's variable in it.
    factor: i64,
    /// The register of each vector of a strip.
    vectors: Vec<Sym>,
}

impl Ramp {
    fn of(ed: &mut Editor<'_>, plan: &Plan, value: Expr, first: Sym) -> Ramp {
        let factor = plan.ramps.iter().find(|r| r.0 == value).map_or(1, |r| r.1);
        let ty = ed.sym(first).ty;
        let others = (1..plan.strip / plan.lanes as i64).map(|_| ed.new_register("lanes", ty));
        Ramp { value, factor, vectors: std::iter::once(first).chain(others).collect() }
    }

    /// Before the loop each vector has the values of its iterations in the first strip, and each strip adds their advance.
    fn advance(&self, ed: &mut Editor<'_>, l: DoLoop, plan: &Plan, step: i64) {
        let (i, lanes) = (ed.var(l.var), plan.lanes as i64);
        let by = self.factor * step;
        let first = ed.map_expr(self.value, &mut |_, x| (x == i).then_some(l.lo));
        for (k, &vector) in self.vectors.iter().enumerate() {
            let (place, ty) = (ed.var(vector), ed.sym(vector).ty);
            // The lanes lie in the order of memory.
            let before = k as i64 * lanes + if plan.down { lanes - 1 } else { 0 };
            let start = match before * by {
                0 => first,
                more => {
                    let more = small_number(ed, ty.lane(), more);
                    ed.binary(BinaryOp::Add, first, more)
                }
            };
            let start = ed.make(ExprData::Convert(ty, start));
            let between = if plan.down != trueline_ir::fault("vectorize_ramp") { -by } else { by };
            let between = ed.int(Type::I4, between);
            let value = ed.intrinsic(Intrinsic::Ramp, &[start, between]);
            ed.expand(l.stmt, Head::Assign { place, value }, Place::Before(l.stmt), ExpandKind::Lower);
            let more = small_number(ed, ty.lane(), plan.strip * by);
            let more = ed.make(ExprData::Convert(ty, more));
            let value = ed.binary(BinaryOp::Add, place, more);
            ed.expand(l.stmt, Head::Assign { place, value }, Place::End(l.body), ExpandKind::Lower);
        }
    }
}
