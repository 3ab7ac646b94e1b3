//! DIM that is known at run time only, and masks that may be absent.
//!
//! ```text
//! s = sum(a, d)     t = space of the shape that d leaves
//!                   if (d == 1) t = sum(a, 1)
//!                   if (d == 2) t = sum(a, 2)
//! ```

use crate::array::Shape;
use crate::intrinsic::Intrinsics;
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic as Ir, Type};
use trueline_syntax::ast::ExprId;

impl Intrinsics<'_, '_> {
    /// The value that `each` makes for DIM: once if DIM is absent or known; else for every dimension, stored
    /// under a test for it.
    pub(crate) fn for_dim(&mut self, rank: usize, dim: Expr, each: impl Fn(&mut Self, Expr) -> Expr) -> Expr {
        if self.e.expr(dim) == ExprData::None || self.known(dim).is_some() {
            return each(self, dim);
        }
        let values: Vec<Expr> = (1..=rank as i64)
            .map(|d| {
                let d = self.int4(d);
                each(self, d)
            })
            .collect();
        if values.len() == 1 {
            return values[0];
        }
        let tests = self.tests_of_dim(dim, rank);
        let shapes: Vec<Shape> = values.iter().map(|&v| self.shape(v)).collect();
        let shape = self.shape_by_test(&shapes, &tests);
        let own = self.ty(values[0]);
        let temp = self.e.memory(own, None, &shape);
        let place = self.var(temp);
        for (value, test) in values.into_iter().zip(tests) {
            let (after, _) = self.open_if(test);
            self.assign(place, value);
            self.enter(after);
        }
        place
    }

    /// The MASK `x`, or if it is an optional argument that is absent one that holds for all of `array`.
    pub(crate) fn mask_or_all(&mut self, x: ExprId, mask: Expr, array: Expr) -> Expr {
        let all = self.logical(true);
        let Some(flag) = self.optional_flag(x).filter(|_| self.rank(mask) > 0) else {
            return self.unless_absent(x, mask, all);
        };
        let shape: Shape = self.shape(array).iter().map(|&n| self.in_register(n)).collect();
        let temp = self.memory(Type::L4, None, &shape);
        let (place, flag, zero) = (self.var(temp), self.var(flag), self.int8(0));
        let there = self.make(ExprData::Binary(BinaryOp::Ne, flag, zero));
        let (after, otherwise) = self.open_if(there);
        self.assign(place, mask);
        self.enter(otherwise);
        self.assign(place, all);
        self.enter(after);
        place
    }

    /// The extents of the value whose test holds.
    pub(crate) fn shape_by_test(&mut self, shapes: &[Shape], tests: &[Expr]) -> Shape {
        let mut out = shapes[shapes.len() - 1].clone();
        for (shape, &test) in shapes.iter().zip(tests).rev().skip(1) {
            for (n, &extent) in out.iter_mut().zip(shape) {
                if *n != extent {
                    *n = self.e.intrinsic(Ir::Merge, &[extent, *n, test]);
                }
            }
        }
        out.iter().map(|&n| self.in_register(n)).collect()
    }

    /// Whether DIM is 1, 2, ... `rank`.
    pub(crate) fn tests_of_dim(&mut self, dim: Expr, rank: usize) -> Vec<Expr> {
        let own = self.ty(dim);
        (1..=rank as i64)
            .map(|d| {
                let d = self.e.int(own, d);
                self.make(ExprData::Binary(BinaryOp::Eq, dim, d))
            })
            .collect()
    }
}
