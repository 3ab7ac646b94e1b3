//! The verb behind vectorization: statements of a loop stand for several iterations, lane by lane.

use crate::edit::{Editor, Place};
use crate::entities::{Block, Expr};
use crate::head::Head;
use rustc_hash::FxHashMap;
use trueline_provenance::{ExpandKind, Stmt, Transform};

impl Editor<'_> {
    /// Before the loop `l` is divided into strips whose iterations are done lane by lane: values that counts are made of are kept, and counting
    /// that depends on the order of iterations, or reads memory that they write, leaves the loop.
    pub fn settle_lanes(&mut self, l: Stmt) {
        if crate::fault("lanes_unsettled") {
            return;
        }
        let stmts: Vec<Stmt> = self.real_stmts(self.blocks(l)[0]).collect();
        self.keep_values_of(&stmts);
        self.settle_order(l);
    }

    /// **Expand** (Lanes): each of the statements `heads` of the loop `l`, all that it has, takes the head beside it, which does the work of
    /// `lanes` iterations. The head of the loop is the caller's business.
    ///
    /// `later` are the values of the loop's variable in the iterations of a strip after the first: counting code in the body is copied for
    /// each of them (law B); [`Editor::settle_lanes`] has been there before.
    pub fn expand_lanes(&mut self, l: Stmt, heads: &[(Stmt, Head)], lanes: u8, later: &[Expr]) {
        let Head::Do { var, .. } = self.head(l) else { panic!("{}: lanes of something that is no DO loop", self.pass) };
        let body: Block = self.blocks(l)[0];
        let stmts: Vec<Stmt> = heads.iter().map(|&(s, _)| s).collect();
        assert!(self.real_stmts(body).eq(stmts.iter().copied()), "{}: lanes of a part of a loop", self.pass);
        let counting: Vec<Stmt> = self.stmts(body).filter(|&s| self.head(s).is_invisible()).collect();
        for &value in later.iter().skip(usize::from(crate::fault("lanes_count_less"))) {
            for &s in &counting {
                self.copy_tree(s, Place::End(body), &[(var, value)], &FxHashMap::default());
            }
        }
        for &(s, head) in heads {
            self.taint_expanded(s);
            let old = self.head(s);
            self.unit.stmts[s].head = head;
            let set = self.set(s);
            self.record(Transform::Expand(ExpandKind::Lanes(lanes)), s, Some(s), set, None);
            let number = self.unit.log.edits.len() as u32 - 1;
            self.unit.rewrites.push(crate::unit::Rewrite { number, old, new: head });
        }
        self.taint_expanded(l);
        let set = self.set(l);
        self.record(Transform::Expand(ExpandKind::Lanes(lanes)), l, Some(l), set, None);
    }
}
