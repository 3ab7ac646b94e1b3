//! Amounts that count the true lanes of masks, added up lane by lane.
//!
//! ```text
//! do i = 1, n, 2                        lanes = 0
//!   m = a(i:i+1) > 0                    do i = 1, n, 2
//!   tally taken += ones(m)        =>      m = a(i:i+1) > 0
//! end                                     ghost lanes = lanes + merge(1, 0, m)
//!                                       end
//!                                       tally taken += lane(lanes, 0) + lane(lanes, 1)
//! ```
//!
//! The addition is one operation of vectors. The number of true lanes takes five on the targets, and leaves the vector
//! registers.

use crate::edit::Editor;
use crate::entities::Expr;
use crate::expr::{BinaryOp, ExprData};
use crate::head::Head;
use crate::intrinsic::Intrinsic;
use crate::{Type, Unit};
use trueline_provenance::Stmt;

/// An amount as a sum.
#[derive(Default)]
pub(super) struct MaskSum {
    pub(super) number: i64,
    /// The masks of which the true lanes are added, or subtracted.
    pub(super) masks: Vec<(Expr, BinaryOp)>,
}

impl Unit {
    /// The parts of an amount that counts lanes of masks in the loop `s`; none of another one.
    pub(super) fn mask_sum(&self, amount: Expr, s: Option<Stmt>) -> Option<MaskSum> {
        let mut out = MaskSum::default();
        let fits = self.add_parts(amount, BinaryOp::Add, &mut out)
            && !out.masks.is_empty()
            && out.masks.iter().all(|&(mask, _)| self.fits_lanes(mask, s));
        fits.then_some(out)
    }

    fn add_parts(&self, e: Expr, op: BinaryOp, out: &mut MaskSum) -> bool {
        match self.expr(e) {
            ExprData::Int(_, n) => {
                out.number += if op == BinaryOp::Add { n } else { -n };
                true
            }
            ExprData::Intrinsic(Intrinsic::Ones, args) => {
                out.masks.push((self.list(args)[0], op));
                true
            }
            ExprData::Binary(BinaryOp::Add, a, b) => self.add_parts(a, op, out) && self.add_parts(b, op, out),
            ExprData::Binary(BinaryOp::Sub, a, b) => {
                let opposite = if op == BinaryOp::Add { BinaryOp::Sub } else { BinaryOp::Add };
                self.add_parts(a, op, out) && self.add_parts(b, opposite, out)
            }
            _ => false,
        }
    }

    /// Whether a lane as wide as those of `mask` holds its count of all iterations of an entry of `s`.
    fn fits_lanes(&self, mask: Expr, s: Option<Stmt>) -> bool {
        let few = |s: Stmt| matches!(self.head(s), Head::Do { lo, .. } if self.ty(lo).size() <= 4);
        match self.ty(mask) {
            Type::L8x2 | Type::L8x4 | Type::L8x8 => true,
            Type::L4x4 | Type::L4x8 | Type::L4x16 => s.is_some_and(few),
            _ => false,
        }
    }

    /// The type of a vector register with the lanes of `mask` as integers.
    pub(super) fn type_of_lanes(&self, mask: Expr) -> Type {
        match self.ty(mask) {
            Type::L8x2 => Type::I8x2,
            Type::L8x4 => Type::I8x4,
            Type::L8x8 => Type::I8x8,
            Type::L4x16 => Type::I4x16,
            Type::L4x8 => Type::I4x8,
            _ => Type::I4x4,
        }
    }
}

impl Editor<'_> {
    /// `lanes` with 1 added to, or subtracted from, each lane that is true in `mask`.
    pub(super) fn with_lanes_of(&mut self, lanes: Expr, mask: Expr, op: BinaryOp) -> Expr {
        let ty = self.ty(lanes);
        let [one, zero] = [1, 0].map(|k| {
            let k = self.int(ty.lane(), k);
            self.make(ExprData::Convert(ty, k))
        });
        let each = self.intrinsic(Intrinsic::Merge, &[one, zero, mask]);
        self.binary(op, lanes, each)
    }

    /// The sum of the lanes of a vector of integers.
    pub(super) fn sum_of_lanes(&mut self, vector: Expr) -> Expr {
        let mut all: Option<Expr> = None;
        for k in 0..self.ty(vector).lanes() {
            let number = self.int(Type::I4, k as i64);
            let mut lane = self.intrinsic(Intrinsic::Lane, &[vector, number]);
            if self.ty(lane) != Type::I8 {
                lane = self.make(ExprData::Convert(Type::I8, lane));
            }
            all = Some(all.map_or(lane, |a| self.binary(BinaryOp::Add, a, lane)));
        }
        all.expect("a vector has lanes")
    }
}
