//! Blocks that a jump enters from outside: the extended range of a DO in old programs, and jumps into IF blocks.
//!
//! ```text
//!       do 10 i = 1, n                 i = 1; trips = n
//!       if (a(i) < 0) goto 20      1   if (trips <= 0) goto 2
//!    5  s = s + a(i)                   if (a(i) < 0) goto 20
//!   10  continue               =>   5  s = s + a(i)
//!       return                     10  i = i + 1; trips = trips - 1; goto 1
//!   20  a(i) = 0                    2  return
//!       goto 5                     20  a(i) = 0; goto 5
//! ```
//!
//! Such a construct has no structure that an optimizer could use, so it becomes labels and jumps, and is none of the
//! constructs that are profiled.

use crate::visit;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_syntax::ast::{Arm, Ast, BlockId, DoControl, StmtId, StmtKind, UnitId};

/// The blocks of a body that are jumped into, each with the block around it.
pub type Open = FxHashMap<BlockId, BlockId>;

/// The blocks, labels and jumps of a body.
#[derive(Default)]
struct Found {
    /// The block around each block.
    parents: FxHashMap<BlockId, BlockId>,
    /// The blocks of DO and IF constructs.
    plain: FxHashSet<BlockId>,
    labels: FxHashMap<u32, BlockId>,
    jumps: Vec<(BlockId, u32)>,
}

/// The blocks of a unit's body that are jumped into. Blocks of constructs other than DO and IF stay closed: such a jump is an
/// error.
pub fn find(ast: &Ast, unit: UnitId) -> Open {
    if !ast.has_labels(unit) {
        return Open::default();
    }
    let mut found = look(ast, ast.units[unit].body);
    let mut open = Open::default();
    found.jumps.sort_unstable();
    found.jumps.dedup();
    for &(from, label) in &found.jumps {
        let Some(&to) = found.labels.get(&label).filter(|&&to| to != from) else { continue };
        let around: FxHashSet<BlockId> = std::iter::successors(Some(from), |b| found.parents.get(b).copied()).collect();
        let path: Vec<BlockId> = std::iter::successors(Some(to), |b| found.parents.get(b).copied())
            .take_while(|b| !around.contains(b))
            .collect();
        if path.iter().all(|b| found.plain.contains(b)) {
            open.extend(path.into_iter().filter_map(|b| Some((b, *found.parents.get(&b)?))));
        }
    }
    open
}

fn look(ast: &Ast, body: BlockId) -> Found {
    let mut found = Found::default();
    let mut todo: Vec<(StmtId, BlockId)> = ast.block(body).iter().rev().map(|&s| (s, body)).collect();
    while let Some((s, block)) = todo.pop() {
        if let Some(label) = ast.stmt(s).label {
            found.labels.entry(label.label).or_insert(block);
        }
        let mut end = None;
        match &ast.stmt(s).kind {
            StmtKind::Do(d) => {
                end = Some(d.body);
                if !matches!(d.control, DoControl::Concurrent(_)) {
                    found.plain.insert(d.body);
                }
            }
            StmtKind::If(c) => {
                found.plain.insert(c.then);
                found.plain.extend(c.arms.iter().map(|a| a.body));
            }
            _ => {}
        }
        // ASSIGN names a label without jumping to it.
        if !matches!(ast.stmt(s).kind, StmtKind::AssignLabel { .. }) {
            visit::jump_labels(ast, s, &mut |l| found.jumps.push((block, l.label)));
        }
        let at = todo.len();
        visit::stmt_children(ast, s, &mut |child, inside| {
            if let Some(inside) = inside {
                found.parents.insert(inside, block);
            }
            // The label of an END DO is the end of the body.
            let own = if matches!(ast.stmt(child).kind, StmtKind::End { .. }) { end } else { None };
            if let Some(own) = own {
                found.parents.insert(own, block);
            }
            todo.push((child, inside.or(own).unwrap_or(block)));
        });
        todo[at..].reverse();
    }
    found
}

/// Whether a construct has an open block.
pub fn is_open(open: &Open, first: BlockId, arms: &[Arm]) -> bool {
    !open.is_empty() && (open.contains_key(&first) || arms.iter().any(|a| open.contains_key(&a.body)))
}

/// The innermost block around a label that stays a block.
pub fn around(open: &Open, mut block: BlockId) -> BlockId {
    while let Some(&parent) = open.get(&block) {
        block = parent;
    }
    block
}
