//! The labels of a procedure: the statements that have them, and the jumps to them.

use crate::infos::open_blocks::{self, Open};
use crate::visit;
use rustc_hash::FxHashMap;
use trueline_diag::Span;
use trueline_syntax::ast::{Ast, BlockId, LabelRef, StmtId, StmtKind, UnitId};

/// A statement label.
#[derive(Clone, Copy)]
pub struct Label {
    /// The statement that has it.
    pub stmt: StmtId,
    /// The blocks that a jump must stand in: the innermost block around the label.
    pub block: BlockId,
    /// Whether one can jump to it: not a FORMAT, not an ELSE or CASE.
    pub executable: bool,
    /// The place of its definition.
    pub span: Span,
}

/// The labels of a procedure.
#[derive(Default)]
pub struct Labels {
    /// The first statement of each label.
    pub all: FxHashMap<u32, Label>,
    /// Further statements with the label of another one, in source order, and their labels.
    pub repeated: Vec<(u32, Span)>,
    /// Labels that are jumped to or assigned, in source order, with the block that the reference stands in.
    pub wanted: Vec<(LabelRef, StmtId, BlockId)>,
    /// Labels that ASSIGN gives a number, in source order.
    pub assigned: Vec<u32>,
    /// The blocks that jumps enter from outside.
    pub open: Open,
    /// The block around each block.
    parents: FxHashMap<BlockId, BlockId>,
}

impl Labels {
    /// Finds the labels of a unit.
    pub fn of(ast: &Ast, unit: UnitId) -> Labels {
        let mut labels = Labels::default();
        if !ast.has_labels(unit) {
            return labels;
        }
        labels.open = open_blocks::find(ast, unit);
        let body = ast.units[unit].body;
        let mut found = labels.walk(ast, body);
        let is_format = |s: StmtId| matches!(ast.stmt(s).kind, StmtKind::Format(_));
        found.extend(ast.units[unit].spec.iter().filter(|&&s| is_format(s)).map(|&s| (s, body)));
        // In source order, so that of two equal labels the later one is wrong.
        found.sort_unstable_by_key(|f| f.0);
        for (s, block) in found {
            labels.enter(ast, s, block);
        }
        labels
    }

    /// The statements of a body and the blocks that their labels stand in; notes the references to labels.
    fn walk(&mut self, ast: &Ast, body: BlockId) -> Vec<(StmtId, BlockId)> {
        let mut found: Vec<(StmtId, BlockId)> = Vec::new();
        let mut todo: Vec<(StmtId, BlockId)> = ast.block(body).iter().rev().map(|&s| (s, body)).collect();
        while let Some((s, block)) = todo.pop() {
            found.push((s, block));
            visit::jump_labels(ast, s, &mut |l| self.wanted.push((l, s, block)));
            let end = match &ast.stmt(s).kind {
                StmtKind::AssignLabel { label, .. } => {
                    self.assigned.push(label.label);
                    None
                }
                StmtKind::Do(d) => Some(d.body),
                _ => None,
            };
            let at = todo.len();
            visit::stmt_children(ast, s, &mut |child, inside| {
                self.parents.extend(inside.map(|inside| (inside, block)));
                // The label of an END DO is the end of the body; of an END IF it is behind the construct.
                let own = if matches!(ast.stmt(child).kind, StmtKind::End { .. }) { end } else { None };
                self.parents.extend(own.map(|own| (own, block)));
                todo.push((child, inside.or(own).unwrap_or(block)));
            });
            todo[at..].reverse();
        }
        found
    }

    fn enter(&mut self, ast: &Ast, s: StmtId, block: BlockId) {
        use StmtKind::{Case, Else, ElseIf, Elsewhere, Format};
        let Some(label) = ast.stmt(s).label else { return };
        let kind = &ast.stmt(s).kind;
        let executable = !matches!(kind, ElseIf { .. } | Else | Case(_) | Elsewhere { .. } | Format(_));
        if self.all.contains_key(&label.label) {
            self.repeated.push((label.label, label.span));
            return;
        }
        self.all.insert(label.label, Label { stmt: s, block, executable, span: label.span });
    }

    /// The block that a jump to the label must stand in.
    pub fn block_of(&self, label: &Label) -> BlockId {
        open_blocks::around(&self.open, label.block)
    }

    /// A block and those around it, from the innermost.
    pub fn blocks_around(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        std::iter::successors(Some(block), |b| self.parents.get(b).copied())
    }
}
