//! Registers of loops: which values leave an iteration, which leave the loop.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use trueline_ir::{Block, Head, Stmt, Sym, Unit};

/// DO variables that are never read outside a loop over them, so that their values after a loop do not matter.
pub(crate) struct Confined {
    escaping: FxHashSet<Sym>,
}

impl Confined {
    pub(crate) fn of(u: &Unit) -> Confined {
        let mut escaping: FxHashSet<Sym> = u.result().into_iter().collect();
        let mut active: Vec<Sym> = Vec::new();
        // Entered when a statement comes up, left when its marker does.
        enum Step {
            Visit(Stmt),
            Leave,
        }
        let mut todo: Vec<Step> = u.stmts(u.body()).rev().map(Step::Visit).collect();
        while let Some(step) = todo.pop() {
            let s = match step {
                Step::Visit(s) => s,
                Step::Leave => {
                    active.pop();
                    continue;
                }
            };
            let head = u.head(s);
            if head.is_invisible() {
                continue;
            }
            escaping.extend(u.registers_read(head).into_iter().filter(|v| !active.contains(v)));
            if let Head::Do { var, .. } = head {
                active.push(var);
                todo.push(Step::Leave);
            }
            for &b in u.blocks(s).iter().rev() {
                todo.extend(u.stmts(b).rev().map(Step::Visit));
            }
        }
        Confined { escaping }
    }

    /// Whether nothing reads `v` but the bodies of loops over `v`.
    pub(crate) fn contains(&self, v: Sym) -> bool {
        !self.escaping.contains(&v)
    }
}

/// The flow of the registers of a block through one execution of it.
#[derive(Default)]
pub(crate) struct Flow {
    /// Read before it is surely defined there: the value may come from before the block.
    pub(crate) exposed: FxHashSet<Sym>,
    /// Surely defined when the end is reached.
    pub(crate) assigned: FxHashSet<Sym>,
}

impl Flow {
    /// Analyses a block without labels (a jump may leave it).
    pub(crate) fn of(u: &Unit, b: Block) -> Flow {
        let mut flow = Flow::default();
        flow.block(u, b);
        flow
    }

    fn block(&mut self, u: &Unit, b: Block) -> Vec<Sym> {
        let mut new = Vec::new();
        for s in u.real_stmts(b) {
            self.stmt(u, s, &mut new);
        }
        new
    }

    fn define(&mut self, v: Sym, new: &mut Vec<Sym>) {
        if self.assigned.insert(v) {
            new.push(v);
        }
    }

    fn stmt(&mut self, u: &Unit, s: Stmt, new: &mut Vec<Sym>) {
        let head = u.head(s);
        let blocks: SmallVec<[Block; 2]> = u.blocks(s).iter().copied().collect();
        if let Head::DoWhile { .. } = head {
            // The preparation runs at least once, before the condition.
            let prepared = self.block(u, blocks[0]);
            new.extend(prepared);
        }
        for v in u.registers_read(head) {
            if !self.assigned.contains(&v) {
                self.exposed.insert(v);
            }
        }
        if let Some(v) = u.defines(head) {
            self.define(v, new);
        }
        match head {
            Head::If { .. } => {
                let then = self.block(u, blocks[0]);
                self.take_back(&then);
                let otherwise = self.block(u, blocks[1]);
                self.take_back(&otherwise);
                let both: FxHashSet<Sym> = then.into_iter().collect();
                for v in otherwise {
                    if both.contains(&v) {
                        self.define(v, new);
                    }
                }
            }
            Head::DoWhile { .. } => {
                let inside = self.block(u, blocks[1]);
                self.take_back(&inside);
            }
            _ => {
                for &b in &blocks {
                    let inside = self.block(u, b);
                    self.take_back(&inside);
                }
            }
        }
    }

    fn take_back(&mut self, defined: &[Sym]) {
        for v in defined {
            self.assigned.remove(v);
        }
    }
}
