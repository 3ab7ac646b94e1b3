//! The verb behind vectorization: statements of a loop stand for several iterations, lane by lane.
//!
//! A conditional becomes the definition of a mask, and the statements of its arms follow it. Counts of an arm are multiples of the number of
//! lanes that are true in its mask (law V). Counting code of an arm that does more than that is guarded by the lane of its iteration.

use crate::edit::{Editor, Place};
use crate::entities::{Block, Expr};
use crate::expr::ExprData;
use crate::head::Head;
use crate::{BinaryOp, Intrinsic, Type, UnaryOp};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_provenance::{ExpandKind, Stmt, Transform, Why};

/// The conditionals around a statement, outermost first: the mask of each, and whether the statement is in its first arm.
type Way = Vec<(Expr, bool)>;

impl Editor<'_> {
    /// Before the loop `l` is divided into strips whose iterations are done lane by lane: values that counts are made of are kept, and counting
    /// that depends on the order of iterations, or reads memory that they write, leaves the loop.
    pub fn settle_lanes(&mut self, l: Stmt) {
        if crate::fault("lanes_unsettled") {
            return;
        }
        let all = self.walk_block(self.blocks(l)[0]).into_iter();
        let stmts: Vec<Stmt> = all.filter(|&s| !self.head(s).is_invisible()).collect();
        self.keep_values_of(&stmts);
        self.settle_order(l);
    }

    /// **Expand** (Lanes): each of the statements `heads` of the loop `l`, all that it has, takes the head beside it, which does the work of
    /// `lanes` iterations. The head of the loop is the caller's business. A conditional takes the definition of its mask, a register of truth
    /// values that are false where the mask around it is; this is a **merge** with the statements of its arms, which **move** out behind it.
    ///
    /// `later` are the values of the loop's variable in the iterations of a strip after the first: counting code in the body is copied for
    /// each of them (law B); [`Editor::settle_lanes`] has been there before. If they are more than one vector has lanes, the statements
    /// are copied for each vector (Partition), with registers in place of others, defined or read, as `own` says for each vector after the
    /// first: partial sums.
    pub fn expand_lanes(
        &mut self,
        l: Stmt,
        heads: &[(Stmt, Head)],
        lanes: u8,
        later: &[Expr],
        own: &[Vec<(crate::Sym, crate::Sym)>],
    ) {
        let Head::Do { var, .. } = self.head(l) else { panic!("{}: lanes of something that is no DO loop", self.pass) };
        let body: Block = self.blocks(l)[0];
        let stmts = heads.iter().map(|&(s, _)| s);
        let all = self.walk_block(body).into_iter().filter(|&s| !self.head(s).is_invisible());
        assert!(all.eq(stmts), "{}: lanes of a part of a loop", self.pass);
        let mut guards: FxHashMap<Stmt, Way> = FxHashMap::default();
        let heads_of: FxHashMap<Stmt, Head> = heads.iter().copied().collect();
        let conditionals: Vec<Stmt> = self.real_stmts(body).filter(|&s| !self.blocks(s).is_empty()).collect();
        if !conditionals.is_empty() {
            let changing: FxHashSet<_> = self.defined_below(l).into_iter().collect();
            let mut flat = Flat { heads: &heads_of, lanes, changing, guards: &mut guards };
            for s in conditionals {
                flat.conditional(self, s, s, &Way::new());
            }
        }
        let is_real = |ed: &Self, s: Stmt| !ed.head(s).is_invisible();
        let (of_vectors, counting): (Vec<Stmt>, Vec<Stmt>) =
            self.stmts(body).partition(|&s| is_real(self, s) || self.is_of_lanes(s, &heads_of));
        for &(s, head) in heads {
            self.taint_expanded(s);
            let old = self.head(s);
            self.unit.stmts[s].head = head;
            self.unit.stmts[s].blocks = Default::default();
            let set = self.set(s);
            self.record(Transform::Expand(ExpandKind::Lanes(lanes)), s, Some(s), set, None);
            let number = self.unit.log.edits.len() as u32 - 1;
            self.unit.rewrites.push(crate::unit::Rewrite { number, old, new: head });
        }
        self.taint_expanded(l);
        let set = self.set(l);
        self.record(Transform::Expand(ExpandKind::Lanes(lanes)), l, Some(l), set, None);
        let less = usize::from(crate::fault("lanes_count_less"));
        for (k, &value) in later.iter().enumerate() {
            let lane = (k + 1) % usize::from(lanes);
            if lane == 0 {
                let own = own.get((k + 1) / usize::from(lanes) - 1).map_or(&[][..], |own| own);
                let mut renamed = vec![(var, value)];
                for &(from, to) in own {
                    renamed.push((from, self.var(to)));
                }
                for &s in &of_vectors {
                    if is_real(self, s) {
                        let copy = self.expand_copy(s, Place::End(body), &renamed, ExpandKind::Partition);
                        self.define_own(copy, own);
                    } else {
                        self.copy_tree(s, Place::End(body), &[], &FxHashMap::default());
                    }
                }
            }
            for &s in counting.iter().filter(|_| k >= less) {
                let copy = self.copy_tree(s, Place::End(body), &[(var, value)], &FxHashMap::default());
                if let Some(way) = guards.get(&s) {
                    let cond = self.is_on(way, lane);
                    self.unit.stmts[copy].head = Head::GhostIf { cond };
                }
            }
        }
    }

    /// Has `s` define a register of its own, if it defines one of `own`.
    fn define_own(&mut self, s: Stmt, own: &[(crate::Sym, crate::Sym)]) {
        let Head::Assign { value, .. } = self.head(s) else { return };
        let defined = self.defines(self.head(s));
        if let Some(&(_, to)) = own.iter().find(|(from, _)| Some(*from) == defined) {
            let place = self.var(to);
            self.unit.stmts[s].head = Head::Assign { place, value };
        }
    }

    /// Whether the counting statement `s` counts all lanes of a mask.
    fn is_of_lanes(&self, s: Stmt, heads: &FxHashMap<Stmt, Head>) -> bool {
        let Head::Tally { amount, .. } = self.head(s) else { return false };
        let masks = self.registers_in(amount).into_iter().filter(|&v| self.sym(v).ty.is_vector());
        masks.into_iter().any(|v| heads.values().any(|&h| self.defines(h) == Some(v)))
    }

    /// Whether lane number `k` goes the `way`.
    fn is_on(&mut self, way: &Way, k: usize) -> Expr {
        let number = self.int(Type::I4, k as i64);
        let mut on: Option<Expr> = None;
        for &(mask, yes) in way {
            let lane = self.intrinsic(Intrinsic::Lane, &[mask, number]);
            on = Some(if yes {
                // The mask is false where the one around it is.
                lane
            } else {
                let not = self.make(ExprData::Unary(UnaryOp::Not, lane));
                on.map_or(not, |o| self.binary(BinaryOp::And, o, not))
            });
        }
        on.expect("a way leads through a conditional")
    }

    /// The number of lanes that go the `way`.
    fn lanes_on(&mut self, way: &Way, lanes: u8) -> Expr {
        let mut on = self.int(Type::I8, i64::from(lanes));
        for &(mask, yes) in way {
            let ones = self.intrinsic(Intrinsic::Ones, &[mask]);
            on = if yes || crate::fault("lanes_of_other_arm") { ones } else { self.binary(BinaryOp::Sub, on, ones) };
        }
        on
    }
}

/// Takes the statements of conditionals out.
struct Flat<'h> {
    heads: &'h FxHashMap<Stmt, Head>,
    lanes: u8,
    /// The registers that change in the loop.
    changing: FxHashSet<crate::Sym>,
    /// Counting code that is guarded by the first lane now, and its way.
    guards: &'h mut FxHashMap<Stmt, Way>,
}

impl Flat<'_> {
    /// Puts the statements of both arms of `s` behind `at`; returns the last one.
    fn conditional(&mut self, ed: &mut Editor<'_>, s: Stmt, at: Stmt, around: &Way) -> Stmt {
        let Some(&Head::Assign { place: mask, .. }) = self.heads.get(&s) else {
            panic!("{}: a conditional without a mask", ed.pass)
        };
        let before = ed.set(s);
        ed.taint_moved(s);
        let mut at = at;
        for number in 0..2 {
            let b = ed.blocks(s)[number];
            ed.collapse_trips(b);
            let mut way = around.clone();
            way.push((mask, number == 0));
            for x in ed.stmts(b).collect::<Vec<_>>() {
                ed.unit.unlink(x);
                if ed.head(x).is_invisible() {
                    at = self.count(ed, x, at, &way);
                    continue;
                }
                ed.unit.insert_after(x, at);
                at = x;
                let before = ed.set(x);
                ed.add_sets(x, &[s]);
                ed.record(Transform::Move, x, None, before, None);
                if !ed.blocks(x).is_empty() {
                    at = self.conditional(ed, x, at, &way);
                }
            }
        }
        ed.record(Transform::Merge, s, None, before, None);
        at
    }

    /// Puts the counting statement `x` of the arm at the end of `way` behind `at`; returns the last statement.
    fn count(&mut self, ed: &mut Editor<'_>, x: Stmt, at: Stmt, way: &Way) -> Stmt {
        match ed.head(x) {
            Head::Tally { counter, amount } if self.is_fixed(ed, amount) => {
                let on = ed.lanes_on(way, self.lanes);
                let once = ed.pool().as_int(amount) == Some(1);
                let amount = if once { on } else { ed.binary(BinaryOp::Mul, amount, on) };
                ed.unit.stmts[x].head = Head::Tally { counter, amount };
                ed.unit.insert_after(x, at);
                let head = ed.head(x);
                ed.note_tally(head);
                x
            }
            Head::Probe { .. } => at,
            _ => {
                let cond = ed.is_on(way, 0);
                let guard = ed.null(Head::GhostIf { cond }, Place::After(at), Why::Shadow);
                let inside = ed.blocks(guard)[0];
                ed.unit.append(x, inside);
                self.guards.insert(guard, way.clone());
                guard
            }
        }
    }

    /// Whether `amount` is the same in all iterations.
    fn is_fixed(&self, ed: &Editor<'_>, amount: Expr) -> bool {
        let registers = ed.registers_in(amount);
        !ed.reads_memory(amount) && !ed.may_trap(amount) && registers.iter().all(|v| !self.changing.contains(v))
    }
}
