//! Checks that repeat the question of an earlier one: `h(k(i)) = h(k(i)) + 1` has one subscript twice.

use super::extremes::keeps_memory;
use super::{check_of, drop_check, ends_all};
use crate::analysis::refs::Region;
use trueline_ir::{Block, Editor, Expr, Head, Stmt, Unit};

/// Takes out checks whose condition was false before, with the same values.
pub(super) fn drop_repeated(ed: &mut Editor<'_>) {
    let mut gone = Vec::new();
    let is_plain = !ed.walk().into_iter().any(|s| matches!(ed.head(s), Head::Label(_)));
    if is_plain {
        look_at(ed, ed.body(), Vec::new(), &mut gone);
    }
    for check in gone {
        drop_check(ed, check);
    }
}

/// Collects those of a block; the conditions in `known` are false at its beginning.
fn look_at(u: &Unit, b: Block, mut known: Vec<Expr>, gone: &mut Vec<Stmt>) {
    for s in u.real_stmts(b) {
        if let Some(cond) = check_of(u, s).filter(|_| ends_all(u, s)) {
            match known.contains(&cond) {
                true => gone.push(s),
                false => known.push(cond),
            }
            continue;
        }
        let has_blocks = !u.blocks(s).is_empty();
        if !has_blocks && known.is_empty() {
            continue;
        }
        let region = Region::of(u, s);
        let is_kept = |&e: &Expr| region.keeps_registers(u, e) && (!u.reads_memory(e) || keeps_memory(u, &region, e));
        let kept: Vec<Expr> = known.iter().copied().filter(is_kept).collect();
        for &inner in u.blocks(s) {
            // A loop may have run before; an arm of a conditional has not.
            let at_start = if matches!(u.head(s), Head::If { .. }) { known.clone() } else { kept.clone() };
            look_at(u, inner, at_start, gone);
        }
        known = kept;
    }
}
