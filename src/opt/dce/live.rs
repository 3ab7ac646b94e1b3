//! Registers that are overwritten before they are read, by a backward walk over structured code.
//!
//! A register counts as read at the end of a loop if the loop reads it anywhere, or if it is live at the target of a
//! jump in the loop: the next iteration may read it or jump. At a jump backwards every register counts as read.

use crate::alias::{memory_of, only_result};
use crate::forward::real_count;
use cranelift_entity::EntityRef;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_abi::Effect;
use trueline_ir::{Block, Callee, Editor, Expr, ExprData, Head, Label, Stmt, Sym, Unit, Why};

/// Removes the assignments that are overwritten before they are read. Returns the loops whose variable is
/// not read after them.
pub(super) fn sweep(ed: &mut Editor<'_>, changed: &mut bool) -> FxHashSet<Stmt> {
    let mut walk = Walk {
        u: ed,
        registers: ed.syms().count(),
        statements: real_count(ed),
        at_label: FxHashMap::default(),
        saved: 0,
        dead: Vec::new(),
        free_vars: FxHashSet::default(),
    };
    let mut live = walk.at_exit();
    walk.block(ed.body(), &mut live);
    let (dead, free_vars) = (walk.dead, walk.free_vars);
    let gone: Vec<(Stmt, Why)> = dead.into_iter().rev().map(|s| (s, Why::Dead)).collect();
    ed.eliminate_all(&gone);
    *changed |= !gone.is_empty();
    free_vars
}

/// The limit of labels times statements up to which the live registers of each label are kept. Beyond it every register
/// counts as live. The limit does not count registers, as a profiled build has more of them.
const LABEL_LIMIT: usize = 1 << 30;

struct Walk<'a> {
    u: &'a Unit,
    registers: usize,
    statements: usize,
    /// The registers that are live at the labels already passed.
    at_label: FxHashMap<Label, FixedBitSet>,
    saved: usize,
    dead: Vec<Stmt>,
    free_vars: FxHashSet<Stmt>,
}

impl Walk<'_> {
    fn none(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.registers)
    }

    fn all(&self) -> FixedBitSet {
        let mut all = self.none();
        all.insert_range(..);
        all
    }

    fn at_exit(&self) -> FixedBitSet {
        let mut live = self.none();
        if let Some(v) = self.u.result() {
            live.insert(v.index());
        }
        live
    }

    fn block(&mut self, b: Block, live: &mut FixedBitSet) {
        for s in self.u.real_stmts(b).rev().collect::<Vec<_>>() {
            self.stmt(s, live);
        }
    }

    fn stmt(&mut self, s: Stmt, live: &mut FixedBitSet) {
        let head = self.u.head(s);
        match head {
            Head::Assign { .. } | Head::Call { .. } => self.leaf(s, head, live),
            Head::If { .. } | Head::Select { .. } => {
                let after = live.clone();
                live.clear();
                for &b in self.u.blocks(s) {
                    let mut arm = after.clone();
                    self.block(b, &mut arm);
                    live.union_with(&arm);
                }
                self.read(head, live);
            }
            Head::Do { var, .. } => {
                if !live.contains(var.index()) {
                    self.free_vars.insert(s);
                }
                let mut end = live.clone();
                if !trueline_ir::fault("dce_carried") {
                    self.read_below(s, &mut end);
                }
                self.block(self.u.blocks(s)[0], &mut end);
                live.union_with(&end);
                live.remove(var.index());
                self.read(head, live);
            }
            Head::DoWhile { .. } => {
                let mut end = live.clone();
                self.read_below(s, &mut end);
                self.block(self.u.blocks(s)[1], &mut end);
                live.union_with(&end);
                self.read(head, live);
                self.block(self.u.blocks(s)[0], live);
            }
            Head::Label(l) => {
                self.saved += self.statements;
                if self.saved < LABEL_LIMIT {
                    self.at_label.insert(l, live.clone());
                }
            }
            Head::Return => *live = self.at_exit(),
            Head::Goto(_) | Head::ArithIf { .. } | Head::Branch { .. } | Head::GotoTable { .. } => {
                if head.is_jump() {
                    live.clear();
                }
                for l in self.u.targets(head) {
                    match self.at_label.get(&l) {
                        Some(_) if trueline_ir::fault("dce_jump") => {}
                        Some(there) => live.union_with(there),
                        None => *live = self.all(),
                    }
                }
                self.read(head, live);
            }
            _ => self.read(head, live),
        }
    }

    fn leaf(&mut self, s: Stmt, head: Head, live: &mut FixedBitSet) {
        if let Head::Call { callee: Callee::Rt(f), .. } = head
            && f.signature().effect == Effect::NoReturn
        {
            live.clear();
        }
        let removable = matches!(head, Head::Assign { .. }) || only_result(self.u, head);
        if let Some(v) = self.u.defines(head) {
            if removable && !live.contains(v.index()) {
                self.dead.push(s);
                return;
            }
            live.remove(v.index());
        }
        self.read(head, live);
    }

    fn read(&self, head: Head, live: &mut FixedBitSet) {
        for e in self.u.values(head) {
            self.read_expr(e, live);
        }
        match head {
            Head::Assign { place, .. } => self.read_symbol(memory_of(self.u, place), live),
            Head::Store { sym, .. } => self.read_symbol(Some(sym), live),
            _ => {}
        }
    }

    fn read_expr(&self, e: Expr, live: &mut FixedBitSet) {
        self.u.visit_expr(e, &mut |x| match self.u.expr(x) {
            ExprData::Var(v) if self.u.sym(v).is_register() => live.insert(v.index()),
            _ => self.read_symbol(memory_of(self.u, x), live),
        });
    }

    /// The registers that say where a symbol is and how large.
    fn read_symbol(&self, s: Option<Sym>, live: &mut FixedBitSet) {
        let mut located: SmallVec<[Sym; 8]> = SmallVec::new();
        s.into_iter().for_each(|s| self.u.registers_of(s, &mut located));
        located.into_iter().for_each(|v| live.insert(v.index()));
    }

    /// Adds the registers that another iteration of the loop `s` may need: the ones that the loop reads, and the ones
    /// that are live at the targets of its jumps. Registers that are live at a label inside are among them.
    fn read_below(&self, s: Stmt, live: &mut FixedBitSet) {
        let (mut inside, mut targets) = (FxHashSet::default(), FxHashSet::default());
        for x in self.u.walk_stmt(s) {
            let head = self.u.head(x);
            if !head.is_invisible() {
                self.read(head, live);
            }
            match head {
                Head::Label(l) => _ = inside.insert(l),
                Head::Return => live.union_with(&self.at_exit()),
                _ => targets.extend(self.u.targets(head)),
            }
        }
        if trueline_ir::fault("dce_leaving") {
            return;
        }
        for l in targets.difference(&inside) {
            match self.at_label.get(l) {
                Some(there) => live.union_with(there),
                None => live.insert_range(..),
            }
        }
    }
}
