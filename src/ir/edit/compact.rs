//! Compaction of a unit that has reached its last form: what has left the program gives its memory back.
//!
//! The arenas of a unit only grow while passes run, since ids are never reused. Behind the last lowering two thirds of a unit are statements and
//! expressions of higher levels. The rest is numbered anew in its old order, so whoever goes by the order of ids sees the same program.

use crate::entities::{Block, Expr, List};
use crate::expr::ExprData;
use crate::head::{Head, Level};
use crate::unit::BlockNode;
use crate::{Editor, Unit};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use trueline_provenance::{Stmt, Transform};

impl Editor<'_> {
    /// Gives back the memory of all that has left the unit, which is at L and whose edits are forgotten. Nothing of the program changes. A unit with
    /// counting code stays as it is.
    pub fn compact(&mut self) {
        let unit = &mut *self.unit;
        let stmts: Vec<Stmt> = unit.stmts(unit.body).collect();
        let is_last = |&s: &Stmt| unit.stmts[s].blocks.is_empty() && ids_of(unit.stmts[s].head).is_some();
        if unit.level != Level::L || !unit.rewrites.is_empty() || !stmts.iter().all(is_last) {
            return;
        }
        compact_values(unit, &stmts);
        compact_statements(unit, &stmts);
        unit.sets.compact();
        unit.log.missed = Vec::new();
    }

    /// Gives back the memory of the statements and expressions of a unit whose code is made: nobody looks at them again.
    pub fn release(&mut self) {
        let mut blocks: PrimaryMap<Block, BlockNode> = PrimaryMap::new();
        self.unit.body = blocks.push(BlockNode::default());
        (self.unit.stmts, self.unit.blocks) = (PrimaryMap::new(), blocks);
        self.unit.pool = Default::default();
        self.unit.log = Default::default();
    }
}

/// The expressions and the list that the head of a statement at L names; none for heads that a plain program does not have there.
fn ids_of(head: Head) -> Option<([Option<Expr>; 2], Option<List>)> {
    Some(match head {
        Head::Assign { place, value } => ([Some(place), Some(value)], None),
        Head::Store { addr, value, .. } => ([Some(addr), Some(value)], None),
        Head::ArithIf { value, .. } => ([Some(value), None], None),
        Head::GotoTable { index, .. } => ([Some(index), None], None),
        Head::Branch { cond, .. } => ([Some(cond), None], None),
        Head::Call { args, .. } => ([None; 2], Some(args)),
        Head::Return | Head::Label(_) | Head::Goto(_) => ([None; 2], None),
        _ => return None,
    })
}

/// The same head with other ids.
fn renumbered(head: Head, e: impl Fn(Expr) -> Expr, l: impl Fn(List) -> List) -> Head {
    match head {
        Head::Assign { place, value } => Head::Assign { place: e(place), value: e(value) },
        Head::Store { addr, offset, value, sym } => {
            let value = if crate::fault("compact_value") { addr } else { value };
            Head::Store { addr: e(addr), offset, value: e(value), sym }
        }
        Head::ArithIf { value, to } => Head::ArithIf { value: e(value), to },
        Head::GotoTable { index, table } => Head::GotoTable { index: e(index), table },
        Head::Branch { cond, then, otherwise } => Head::Branch { cond: e(cond), then, otherwise },
        Head::Call { callee, args, result } => Head::Call { callee, args: l(args), result },
        other => other,
    }
}

/// Keeps the expressions of the statements and symbols, and the constants, texts, intrinsic functions and addresses of procedures that the unit
/// ever had: the object has a table of them.
fn compact_values(unit: &mut Unit, stmts: &[Stmt]) {
    let mut roots: Vec<Expr> = unit.syms.values().flat_map(|s| s.dims.iter().flat_map(|d| d.exprs())).collect();
    roots.extend(unit.syms.values().filter_map(|s| s.len.expand()));
    roots.extend(unit.pool.all().filter(|&e| {
        use ExprData::{Complex, Intrinsic, ProcAddr, Real, Text};
        matches!(unit.pool.data(e), Real(..) | Complex(..) | Text(_) | Intrinsic(..) | ProcAddr(_))
    }));
    let mut lists: Vec<List> = Vec::new();
    for (exprs, list) in stmts.iter().filter_map(|&s| ids_of(unit.stmts[s].head)) {
        roots.extend(exprs.into_iter().flatten());
        lists.extend(list);
    }
    let moved = unit.pool.compact(&roots, &lists);
    for &s in stmts {
        let head = &mut unit.stmts[s].head;
        *head = renumbered(*head, |e| moved.expr(e), |l| moved.list(l));
    }
    for sym in unit.syms.values_mut() {
        sym.dims.iter_mut().for_each(|d| *d = d.map(|e| moved.expr(e)));
        sym.len = sym.len.expand().map(|e| moved.expr(e)).into();
    }
}

/// Keeps the statements of the body.
fn compact_statements(unit: &mut Unit, stmts: &[Stmt]) {
    let mut kept = stmts.to_vec();
    kept.sort_unstable();
    let mut new: SecondaryMap<Stmt, PackedOption<Stmt>> = SecondaryMap::with_capacity(unit.stmts.len());
    for (i, &s) in kept.iter().enumerate() {
        new[s] = Stmt::new(i).into();
    }
    let moved = |s: PackedOption<Stmt>| s.expand().map_or_else(PackedOption::default, |s| new[s]);
    let body = &unit.blocks[unit.body];
    let body = BlockNode { first: moved(body.first), last: moved(body.last), owner: body.owner };
    let mut blocks: PrimaryMap<Block, BlockNode> = PrimaryMap::with_capacity(1);
    let number = blocks.push(body);
    let mut nodes = PrimaryMap::with_capacity(kept.len());
    for &s in &kept {
        let mut node = unit.stmts[s].clone();
        (node.parent, node.prev, node.next) = (number.into(), moved(node.prev), moved(node.next));
        nodes.push(node);
    }
    (unit.stmts, unit.blocks, unit.body) = (nodes, blocks, number);
    let edits = std::mem::take(&mut unit.log.edits);
    let told = edits.into_iter().filter(|e| e.transform == Transform::Null);
    unit.log.edits = told
        .filter_map(|e| new[e.stmt].expand().map(|stmt| trueline_provenance::Edit { stmt, other: None.into(), ..e }))
        .collect();
}

#[cfg(test)]
mod tests {
    use crate::{Editor, parse_program, verify};

    #[test]
    fn a_compact_unit_is_the_same_program() {
        let text = "program p l\nr8 a(3)\ni4 i\ni = 1 @1\nL1: @1\nstore(a, addr(a) + i8(i) * 8, -8) = load_r8(a, addr(a)) + 1.0 @2\ni = i + 1 @1\nbranch i < 3, L1, L2 @1\nL2: @1\ncall rt.stop_int(i * 2 - i + 7) @3\nreturn @3";
        let mut unit = parse_program(text).unwrap().units.remove(0);
        let before = (unit.to_string(), verify(&unit).len());
        let mut ed = Editor::open(&mut unit, "test");
        let two = ed.int(crate::Type::I8, 1234);
        for k in 0..1000 {
            let k = ed.int(crate::Type::I8, k);
            ed.binary(crate::BinaryOp::Mul, two, k);
        }
        ed.compact();
        assert!(ed.pool().len() < 40, "{} expressions are left", ed.pool().len());
        assert_eq!((ed.to_string(), verify(&ed).len()), before);
        let (a, b) = (ed.int(crate::Type::I4, 1), ed.int(crate::Type::I4, 1));
        assert_eq!(a, b, "equal expressions have equal ids, still");
        assert!(ed.pool().all().filter(|&e| ed.expr(e) == ed.expr(a)).count() == 1);
    }
}
