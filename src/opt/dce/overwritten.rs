//! Stores to elements that are stored to again before anything reads them.
//!
//! ```text
//! wide_r8x2(a(5)) = r8x2(0.5)     @1
//! a(5) = x                        @2   =>   a(5) = x     @2
//! a(6) = y                        @3        a(6) = y     @3
//! ```
//!
//! Each block is walked backwards over assignments; everything else may read. A processor makes one or two stores a cycle, so
//! a loop that sets an array and then computes it takes twice its time (`livermore10`).

use crate::alias::{Classes, Written, memory_of, surely_spared};
use crate::linear::Linear;
use smallvec::SmallVec;
use trueline_ir::{Block, Editor, Expr, ExprData, Head, Level, Stmt, Sym, Type, Unit, Why};

/// The most places that are known to be overwritten: each read looks at all of them. Beyond, those farthest away are forgotten.
const MOST: usize = 32;

/// A place that is stored to before anything reads it.
struct Overwritten {
    place: Expr,
    array: Sym,
    subscripts: SmallVec<[Linear; 2]>,
    lanes: i64,
    /// The registers that say where it is.
    registers: SmallVec<[Sym; 4]>,
}

/// Removes the stores. At H only: below, addresses are computed.
pub(super) fn sweep(ed: &mut Editor<'_>) -> bool {
    if ed.level() != Level::H {
        return false;
    }
    let classes = Classes::of(ed);
    let mut blocks: Vec<Block> = vec![ed.body()];
    blocks.extend(ed.walk().into_iter().flat_map(|s| ed.blocks(s).to_vec()));
    let mut dead: Vec<Stmt> = Vec::new();
    for b in blocks {
        dead.extend(in_block(ed, &classes, b));
    }
    for &s in &dead {
        ed.eliminate(s, Why::Dead);
    }
    !dead.is_empty()
}

fn in_block(u: &Unit, classes: &Classes, b: Block) -> Vec<Stmt> {
    let mut dead = Vec::new();
    let mut known: Vec<Overwritten> = Vec::new();
    let stmts: Vec<Stmt> = u.stmts(b).collect();
    for &s in stmts.iter().rev() {
        let head = u.head(s);
        if head.is_invisible() {
            continue;
        }
        let Head::Assign { place, .. } = head else {
            known.clear();
            continue;
        };
        let stored = overwritten(u, place);
        if stored.as_ref().is_some_and(|p| covers(&known, p)) {
            dead.push(s);
            continue;
        }
        if let Some(v) = u.defines(head) {
            known.retain(|p| !p.registers.contains(&v));
        }
        known.extend(stored);
        if !trueline_ir::fault("dce_overwritten") {
            u.values(head).into_iter().for_each(|e| forget_read(u, classes, &mut known, e));
        }
        if known.len() > MOST {
            known.remove(0);
        }
    }
    dead
}

/// The place of a store, unless others may see it at any time, or other stores may change where it is.
fn overwritten(u: &Unit, place: Expr) -> Option<Overwritten> {
    let (array, list, lanes) = match u.expr(place) {
        ExprData::Elem(array, list) => (array, list, 1),
        ExprData::Wide(ty, array, list) => (array, list, ty.lanes() as i64),
        _ => return None,
    };
    let root = u.sym(u.root(array));
    let list = u.list(list);
    if root.may_alias || u.sym(array).ty == Type::Char || list.iter().any(|&e| u.reads_memory(e)) {
        return None;
    }
    let mut registers = SmallVec::new();
    u.registers_of(array, &mut registers);
    list.iter().for_each(|&e| registers.extend(u.registers_in(e)));
    let subscripts = list.iter().map(|&e| Linear::of(u, e)).collect();
    Some(Overwritten { place, array, subscripts, lanes, registers })
}

/// Whether each element of `p` is overwritten.
fn covers(known: &[Overwritten], p: &Overwritten) -> bool {
    let is_same = |k: &Overwritten, lane: i64| {
        let mut apart = p.subscripts.iter().zip(&k.subscripts).map(|(a, b)| a.clone().minus(b).as_constant());
        k.array == p.array
            && apart.next().flatten().is_some_and(|d| (0..k.lanes).contains(&(d + lane)))
            && apart.all(|d| d == Some(0))
    };
    (0..p.lanes).all(|lane| known.iter().any(|k| is_same(k, lane)))
}

/// Forgets the places that evaluating `e` may read.
fn forget_read(u: &Unit, classes: &Classes, known: &mut Vec<Overwritten>, e: Expr) {
    u.visit_expr(e, &mut |x| {
        if matches!(u.expr(x), ExprData::AddrOf(..)) {
            known.clear();
        }
        let Some(class) = memory_of(u, x).map(|s| classes.class(s)) else { return };
        known.retain(|p| {
            let is_apart = class.is_some() && class != classes.class(p.array);
            is_apart || surely_spared(u, Written::Place(p.place), x)
        });
    });
}
