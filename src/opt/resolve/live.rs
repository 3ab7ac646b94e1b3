//! Registers that are read behind a loop.

use cranelift_entity::EntityRef;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use trueline_ir::{Block, Head, Stmt, Sym, Unit};

/// For each DO loop the registers whose values somebody may read behind it.
pub(super) struct Live {
    behind: FxHashMap<Stmt, FixedBitSet>,
}

impl Live {
    /// A backward walk. In a unit with jumps, every register that is read anywhere counts as live everywhere.
    pub(super) fn of(u: &Unit) -> Live {
        let registers = u.syms().count();
        let mut walk = Walk { u, registers, behind: FxHashMap::default(), jumps: None };
        let real = || u.walk().into_iter().filter(|&s| !u.head(s).is_invisible());
        if real().any(|s| jumps(u.head(s))) {
            let mut all = walk.at_end();
            real().for_each(|s| walk.read(u.head(s), &mut all));
            walk.jumps = Some(all);
        }
        let mut live = walk.at_end();
        walk.block(u.body(), &mut live);
        Live { behind: walk.behind }
    }

    /// Whether the value of `v` may be read behind the loop `s`.
    pub(super) fn is_behind(&self, s: Stmt, v: Sym) -> bool {
        self.behind.get(&s).is_none_or(|live| live.contains(v.index()))
    }
}

fn jumps(head: Head) -> bool {
    head.is_jump() && head != Head::Return || matches!(head, Head::Label(_) | Head::GotoTable { .. })
}

struct Walk<'a> {
    u: &'a Unit,
    registers: usize,
    behind: FxHashMap<Stmt, FixedBitSet>,
    /// The registers that are live everywhere, because there are jumps.
    jumps: Option<FixedBitSet>,
}

impl Walk<'_> {
    fn at_end(&self) -> FixedBitSet {
        let mut live = FixedBitSet::with_capacity(self.registers);
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
        if let Some(all) = &self.jumps {
            live.union_with(all);
        }
        match head {
            Head::If { .. } | Head::Select { .. } => {
                let after = live.clone();
                live.clear();
                for b in self.u.blocks(s).to_vec() {
                    let mut arm = after.clone();
                    self.block(b, &mut arm);
                    live.union_with(&arm);
                }
            }
            Head::Do { var, .. } => {
                let noted = self.behind.entry(s).or_insert_with(|| FixedBitSet::with_capacity(self.registers));
                noted.union_with(live);
                self.repeated(self.u.blocks(s)[0], live);
                live.remove(var.index());
            }
            Head::DoWhile { .. } => {
                self.read(head, live);
                let [before, body] = [0, 1].map(|k| self.u.blocks(s)[k]);
                self.repeated(body, live);
                self.repeated(before, live);
                self.repeated(body, live);
                self.repeated(before, live);
            }
            Head::Return => *live = self.at_end(),
            _ => {
                if let Some(v) = self.u.defines(head) {
                    live.remove(v.index());
                }
            }
        }
        self.read(head, live);
    }

    /// The registers that are live before a block that runs any number of times.
    fn repeated(&mut self, b: Block, live: &mut FixedBitSet) {
        loop {
            let mut again = live.clone();
            self.block(b, &mut again);
            again.union_with(live);
            if again == *live {
                return;
            }
            *live = again;
        }
    }

    fn read(&self, head: Head, live: &mut FixedBitSet) {
        self.u.registers_read(head).into_iter().for_each(|v| live.insert(v.index()));
    }
}
