//! Sums in loops that owners do not share: the scalar goes to the owner of the element that is added, instead of each element to all ranks.
//!
//! ```text
//! do pass = 1, n                         h = -1                                @4
//!   …                                    do pass = 1, n                        @4
//!   s = s + x(w)   @7             =>       …
//! end                                      mine = turn(h, s, x(w))             @7   s goes to the owner, if it has not got it
//!                                          if (mine /= 0) s = s + x(w)         @7
//!                                        end
//!                                        all(h, s)                             @4
//! ```
//!
//! The order of the additions is that of the source. That nobody else needs the scalar in the loop is known if nothing but such statements mentions it there, and if
//! the loop is left at its end only. `h` are the ranks that have its value, as bits; all ranks compute with them alike.

use super::{Code, Mapped, element_of};
use crate::analysis::refs::Region;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{Access, Editor, ExpandKind, Expr, ExprData, Head, Place, Rt, Stmt, Sym, Type, Unit, fault};

/// A scalar that goes from owner to owner in a loop.
struct Turn {
    around: Stmt,
    scalar: Sym,
    /// A register: the ranks that have its value.
    holders: Sym,
}

/// All of a unit.
#[derive(Default)]
pub(super) struct Turns {
    all: Vec<Turn>,
    /// The statements, each with the number of its scalar.
    stmts: FxHashMap<Stmt, usize>,
}

impl Turns {
    /// Finds them among the statements that are in no nest.
    pub(super) fn of(ed: &mut Editor<'_>, arrays: &[Mapped], stmts: &[Stmt], in_nests: &FxHashSet<Stmt>) -> Turns {
        let mut found: Vec<(Stmt, Stmt, Sym)> = Vec::new();
        let mut scalars: FxHashMap<Sym, Vec<Stmt>> = FxHashMap::default();
        for &s in stmts.iter().filter(|s| !in_nests.contains(s)) {
            if let Some(v) = sum(ed, arrays, s) {
                scalars.entry(v).or_default().push(s);
            }
        }
        if scalars.is_empty() {
            return Turns::default();
        }
        let mut regions: FxHashMap<Stmt, bool> = FxHashMap::default();
        for &s in stmts {
            let Some((&v, sums)) = scalars.iter().find(|(_, sums)| sums.contains(&s)) else { continue };
            let u: &Unit = ed;
            let loops = u.ancestors(s).filter(|&l| u.head(l).is_loop()).take_while(|&l| {
                *regions.entry(l).or_insert_with(|| {
                    let region = Region::of(u, l);
                    !region.jumps && !region.labels
                }) && nobody_else(u, v, l, sums)
            });
            if let Some(around) = loops.last() {
                found.push((s, around, v));
            }
        }
        let mut out = Turns::default();
        for (s, around, scalar) in found {
            let known = out.all.iter().position(|t| t.around == around && t.scalar == scalar);
            let number = known.unwrap_or_else(|| {
                let holders = ed.new_register("holders", Type::I8);
                out.all.push(Turn { around, scalar, holders });
                out.all.len() - 1
            });
            out.stmts.insert(s, number);
        }
        out
    }

    /// Whether the statement is one of them.
    pub(super) fn has(&self, s: Stmt) -> bool {
        self.stmts.contains_key(&s)
    }
}

/// The scalar of a statement `s = s + a(i)`, with any operation.
fn sum(u: &Unit, arrays: &[Mapped], s: Stmt) -> Option<Sym> {
    let Head::Assign { place, value } = u.head(s) else { return None };
    let ExprData::Var(v) = u.expr(place) else { return None };
    let ty = u.sym(v).ty;
    let is_number = ty.is_real() || ty.is_complex() || matches!(ty, Type::I1 | Type::I2 | Type::I4 | Type::I8);
    let fits = u.sym(v).is_register() && u.sym(v).dims.is_empty() && is_number && u.registers_in(value).contains(&v);
    (fits && decides(u, arrays, value).is_some()).then_some(v)
}

/// The first element of a mapped array in a value, if it is sure to be evaluated.
fn decides(u: &Unit, arrays: &[Mapped], value: Expr) -> Option<Expr> {
    let mut found = None;
    let mut todo = vec![value];
    while let Some(e) = todo.pop() {
        if element_of(u, arrays, e).is_some() {
            found = Some(e);
            continue;
        }
        if !matches!(u.ty(e), Type::L1 | Type::L2 | Type::L4 | Type::L8) {
            let from = todo.len();
            crate::rewrite::values_in(u, e, &mut |x| todo.push(x));
            todo[from..].reverse();
        }
        if found.is_some() {
            break;
        }
    }
    found
}

/// Whether nothing in the loop but the sums mentions the scalar.
fn nobody_else(u: &Unit, v: Sym, around: Stmt, sums: &[Stmt]) -> bool {
    u.walk_stmt(around).into_iter().filter(|&x| !u.head(x).is_invisible() && !sums.contains(&x)).all(|x| {
        let head = u.head(x);
        !u.registers_read(head).contains(&v)
            && !u.may_define(head).contains(&v)
            && u.values(head).into_iter().all(|e| !u.mentions(e, v))
    })
}

/// The code of a statement among `turns`.
pub(super) fn apply(code: &mut Code<'_, '_, '_>, turns: &Turns) {
    let s = code.from;
    let (Some(&number), Head::Assign { place, value }) = (turns.stmts.get(&s), code.ed.head(s)) else { return };
    let Some(element) = decides(code.ed, code.arrays, value) else { return };
    let Some(array) = code.array_of(element) else { return };
    let mut reads = Vec::new();
    code.reads(value, false, &mut Vec::new(), &mut reads);
    for read in reads.iter().filter(|r| r.for_all) {
        code.fetch(read, None);
    }
    code.map(array);
    for read in reads.iter().filter(|r| !r.for_all && r.element != element) {
        code.fetch(read, Some((array, element)));
    }
    let handle = code.handle(array);
    let element = code.ed.make(ExprData::AddrOf(Access::In, element));
    let [holders, scalar, bytes, name] = scalar(code, &turns.all[number], place);
    let location = code.location();
    let mine = code.ask(Rt::RanksTurn, &[holders, scalar, bytes, handle, element, name, location], Type::I4);
    let cond = code.is_set(mine);
    code.ed.expand_around(s, Head::If { cond }, 0, ExpandKind::Lower);
}

/// The code before and behind the loops.
pub(super) fn frame(code: &mut Code<'_, '_, '_>, turns: &Turns) {
    let around = code.from;
    for turn in turns.all.iter().filter(|t| t.around == around) {
        let (place, value) = (code.ed.var(turn.holders), code.ed.int(Type::I8, -1));
        code.emit(Head::Assign { place, value });
        let before = std::mem::replace(&mut code.at, Place::After(code.from));
        let of = code.ed.var(turn.scalar);
        let [holders, scalar, bytes, name] = scalar(code, turn, of);
        let location = code.location();
        if !fault("ranks_turn_ends") {
            code.call(Rt::RanksAll, &[holders, scalar, bytes, name, location]);
        }
        code.at = before;
    }
}

/// The arguments that mean the scalar: its holders, its place, its bytes, and its name.
fn scalar(code: &mut Code<'_, '_, '_>, turn: &Turn, place: Expr) -> [Expr; 4] {
    let holders = code.ed.var(turn.holders);
    let holders = code.ed.make(ExprData::AddrOf(Access::InOut, holders));
    let place = code.ed.make(ExprData::AddrOf(Access::InOut, place));
    let bytes = code.ed.int(Type::I8, code.ed.sym(turn.scalar).ty.size() as i64);
    let name = format!("{}\0", code.ed.sym(turn.scalar).name);
    let name = code.ed.make_text(name.as_bytes());
    [holders, place, bytes, code.ed.make(ExprData::AddrOf(Access::In, name))]
}
