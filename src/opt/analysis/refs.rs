//! The references to memory and the definitions of registers in a region, in program order.

use crate::alias::{may_overlap, memory_of};
use crate::rewrite::values_in;
use rustc_hash::FxHashSet;
use trueline_abi::Effect;
use trueline_ir::{Access, Block, Callee, Expr, ExprData, Head, Intrinsic, Rt, Stmt, Sym, Unit};

/// A reference to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MemRef {
    /// The statement that makes it.
    pub(crate) stmt: Stmt,
    /// The symbol.
    pub(crate) sym: Sym,
    /// The place, if [`MemRef::exact`]; else any part of the symbol.
    pub(crate) place: Expr,
    /// Whether it may be written, rather than read.
    pub(crate) write: bool,
    /// Whether exactly this place is touched.
    pub(crate) exact: bool,
}

/// The effects of the statements of a region.
#[derive(Clone, Default, Debug)]
pub(crate) struct Region {
    /// References to memory in program order; in a statement, reads come first.
    pub(crate) refs: Vec<MemRef>,
    /// The symbols whose memory may be written, each once.
    pub(crate) written: Vec<Sym>,
    /// Registers that are defined.
    pub(crate) defined: FxHashSet<Sym>,
    /// Whether there is a call with an effect beyond its arguments, or that may not return.
    pub(crate) effects: bool,
    /// Whether there is a call that may change memory beyond its arguments: all of `effects` but messages of checks, which end the program.
    changes: bool,
    /// Whether there is a jump, wherever it goes.
    pub(crate) jumps: bool,
    /// Whether there is a label.
    pub(crate) labels: bool,
    /// Whether there is a loop.
    pub(crate) loops: bool,
    /// Statements and operations: how large the code is.
    pub(crate) size: usize,
}

impl Region {
    /// The region of `s` and everything in it.
    pub(crate) fn of(u: &Unit, s: Stmt) -> Region {
        let mut region = Region::default();
        for x in u.walk_stmt(s) {
            region.add(u, x);
        }
        region
    }

    /// Whether all calls with effects are messages of checks, which end the program.
    pub(crate) fn has_only_checks(&self) -> bool {
        !self.changes
    }

    /// The region of several statements and everything in them.
    pub(crate) fn of_all(u: &Unit, stmts: &[Stmt]) -> Region {
        let mut region = Region::default();
        for x in stmts.iter().flat_map(|&s| u.walk_stmt(s)) {
            region.add(u, x);
        }
        region
    }

    /// The region of the statements of `b` and everything in them.
    pub(crate) fn of_block(u: &Unit, b: Block) -> Region {
        let mut region = Region::default();
        for x in u.walk_block(b) {
            region.add(u, x);
        }
        region
    }

    /// Adds the statement `s` itself, without its blocks.
    pub(crate) fn add(&mut self, u: &Unit, s: Stmt) {
        let head = u.head(s);
        if head.is_invisible() {
            return;
        }
        self.size += 1;
        self.jumps |= head.is_jump() || matches!(head, Head::GotoTable { .. });
        self.labels |= matches!(head, Head::Label(_));
        self.loops |= head.is_loop();
        self.defined.extend(u.may_define(head));
        let mut seen = FxHashSet::default();
        for e in u.values(head) {
            self.reads(u, s, e, &mut seen);
        }
        match head {
            Head::Assign { place, .. } => {
                if let Some(sym) = memory_of(u, place) {
                    let exact = !matches!(u.expr(place), ExprData::Wide(..));
                    self.writes(MemRef { stmt: s, sym, place, write: true, exact });
                }
            }
            Head::Call { callee, .. } => self.call(u, s, callee),
            _ => {}
        }
    }

    fn call(&mut self, u: &Unit, s: Stmt, callee: Callee) {
        let head = u.head(s);
        self.effects |= match callee {
            Callee::Proc(p) => !u.proc(p).is_libm,
            Callee::Dummy(_) => true,
            Callee::Rt(f) => f.signature().effect != Effect::Pure,
        };
        self.changes |= match callee {
            Callee::Proc(p) => !u.proc(p).is_libm,
            Callee::Dummy(_) => true,
            Callee::Rt(f) => f.signature().effect != Effect::Pure && !f.is_fault() && f != Rt::AliasAccess,
        };
        for (access, place) in u.references(head) {
            let Some(sym) = memory_of(u, place) else { continue };
            // The callee may go on from there through the whole array.
            let exact = matches!(u.expr(place), ExprData::Var(v) if u.sym(v).dims.is_empty());
            if access.reads() {
                self.refs.push(MemRef { stmt: s, sym, place, write: false, exact });
            }
            if access != Access::In {
                self.writes(MemRef { stmt: s, sym, place, write: true, exact });
            }
        }
    }

    fn writes(&mut self, r: MemRef) {
        self.refs.push(r);
        if !self.written.contains(&r.sym) {
            self.written.push(r.sym);
        }
    }

    fn reads(&mut self, u: &Unit, s: Stmt, e: Expr, seen: &mut FxHashSet<Expr>) {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            if !seen.insert(e) {
                continue;
            }
            match u.expr(e) {
                ExprData::Var(_) | ExprData::Elem(..) | ExprData::Wide(..) | ExprData::Load { .. } => {
                    let exact = !matches!(u.expr(e), ExprData::Wide(..) | ExprData::Load { .. });
                    if let Some(sym) = memory_of(u, e) {
                        self.refs.push(MemRef { stmt: s, sym, place: e, write: false, exact });
                        self.size += 1;
                    }
                }
                ExprData::Intrinsic(i, l) => {
                    self.size += 1;
                    if i == Intrinsic::Ichar
                        && let Some(sym) = memory_of(u, u.list(l)[0])
                    {
                        self.refs.push(MemRef { stmt: s, sym, place: u.list(l)[0], write: false, exact: false });
                    }
                }
                ExprData::Binary(..) | ExprData::Unary(..) => self.size += 1,
                _ => {}
            }
            let from = todo.len();
            values_in(u, e, &mut |x| todo.push(x));
            todo[from..].reverse();
        }
    }

    /// Whether the registers that `e` reads are the same wherever in the region it stands.
    pub(crate) fn keeps_registers(&self, u: &Unit, e: Expr) -> bool {
        self.defined.is_empty() || u.registers_in(e).iter().all(|v| !self.defined.contains(v))
    }

    /// Whether some of the memory of `sym` may be written.
    pub(crate) fn may_write(&self, u: &Unit, sym: Sym) -> bool {
        self.changes || self.written.iter().any(|&w| may_overlap(u, w, sym))
    }
}
