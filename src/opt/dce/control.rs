//! Control flow: statements that are never reached, jumps to where control goes anyway, labels without
//! jumps, loops and conditionals without content.

use rustc_hash::FxHashSet;
use trueline_abi::Effect;
use trueline_ir::{
    BinaryOp, Callee, Editor, ExpandKind, Expr, ExprData, Head, Label, Place, Stmt, Sym, Type, Unit, Why,
};

/// Removes the statements between a jump and the next label.
pub(super) fn unreachable(ed: &mut Editor<'_>) -> bool {
    let mut changed = false;
    for b in ed.all_blocks() {
        let mut reached = true;
        for s in ed.stmts(b).collect::<Vec<_>>() {
            let head = ed.head(s);
            match head {
                Head::Label(_) => reached = true,
                _ if !reached => {
                    changed |= !head.is_invisible();
                    ed.eliminate(s, Why::Unreachable);
                }
                _ => reached = !leaves_for_good(head),
            }
        }
    }
    changed
}

fn leaves_for_good(head: Head) -> bool {
    match head {
        Head::Call { callee: Callee::Rt(f), .. } => f.signature().effect == Effect::NoReturn,
        _ => head.is_jump(),
    }
}

/// Removes jumps to where control goes anyway, and labels that nothing jumps to.
pub(super) fn jumps(ed: &mut Editor<'_>) -> bool {
    let mut changed = false;
    for s in ed.walk() {
        if let Head::Goto(l) = ed.head(s)
            && comes_next(ed, s, l)
        {
            ed.eliminate_redundant_jump(s);
            changed = true;
        }
    }
    let all = ed.walk();
    let targets: FxHashSet<Label> = all.iter().flat_map(|&s| ed.targets(ed.head(s))).collect();
    for s in all {
        if let Head::Label(l) = ed.head(s)
            && !targets.contains(&l)
        {
            ed.eliminate(s, Why::Redundant);
            changed = true;
        }
    }
    changed
}

/// Whether control comes to the label `l` from `s` without a jump.
fn comes_next(u: &Unit, s: Stmt, l: Label) -> bool {
    let mut at = s;
    loop {
        if let Some(next) = u.next_real(at) {
            return u.head(next) == Head::Label(l);
        }
        match u.enclosing(at) {
            Some(outer) if matches!(u.head(outer), Head::If { .. } | Head::Select { .. }) => at = outer,
            _ => return false,
        }
    }
}

/// Removes loops and conditionals in which nothing is left, inner ones first.
pub(super) fn hollow(ed: &mut Editor<'_>, free_vars: &FxHashSet<Stmt>) -> bool {
    let mut changed = false;
    for s in ed.walk().into_iter().rev() {
        let head = ed.head(s);
        if ed.blocks(s).is_empty() || ed.blocks(s).iter().any(|&b| ed.real_stmts(b).next().is_some()) {
            continue;
        }
        let hollow = match head {
            Head::If { cond } | Head::Select { value: cond, .. } => !ed.reads_memory(cond) && !ed.may_trap(cond),
            Head::Do { var, lo, hi, step } => {
                if !free_vars.contains(&s) && !trueline_ir::fault("dce_last_value") {
                    leave_last_value(ed, s, var, [lo, hi, step]);
                }
                true
            }
            _ => false,
        };
        if hollow {
            ed.eliminate(s, Why::Dead);
            changed = true;
        }
    }
    changed
}

/// Sets the variable of a loop to its last value, `var = lo + trips*step`, behind the loop: the first value may be that
/// of the variable itself, and the loop's tallies read it.
fn leave_last_value(ed: &mut Editor<'_>, s: Stmt, var: Sym, bounds: [Expr; 3]) {
    let ty = ed.sym(var).ty;
    let wide = bounds.map(|e| ed.widen(e));
    let trips = ed.trips(wide);
    let past = ed.binary(BinaryOp::Mul, trips, wide[2]);
    let sum = ed.binary(BinaryOp::Add, wide[0], past);
    let value = if ty == Type::I8 { sum } else { ed.make(ExprData::Convert(ty, sum)) };
    let place = ed.var(var);
    ed.expand(s, Head::Assign { place, value }, Place::After(s), ExpandKind::Lower);
}
