//! Vectors whose lanes are scalars.
//!
//! ```text
//!                    16 bytes                 32 bytes
//! two REAL(8)        movsd, movhpd
//! four REAL(8)       two of those             two of those, and vinsertf128
//! ```

use crate::expr::Translator;
use crate::types::{Val, clif_type, is_complex};
use crate::wide;
use cranelift_codegen::ir::{InstBuilder, Type as ClifType, Value};
use trueline_ir::{Expr, Type};

/// The lower half of one vector and the upper half of another: [`wide`] makes of it the 16 bytes of one and the 16 bytes of the other.
pub(super) const HALVES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 28, 29, 30, 31];

impl Translator<'_, '_> {
    /// The vector whose lanes are `args`, scalars of type `of`.
    pub(crate) fn gathered(&mut self, of: Type, args: &[Expr]) -> Val {
        let lanes: Vec<Val> = args.iter().map(|&a| self.expr(a)).collect();
        let ty = of.vector(lanes.len()).unwrap_or(of);
        if is_complex(of) {
            return self.complex_lanes(ty, &lanes);
        }
        let lanes: Vec<Value> = lanes.into_iter().map(Val::one).collect();
        let Some(half) = wide::half(ty) else { return Val::One(self.put_together(clif_type(ty), &lanes)) };
        let (low, high) = lanes.split_at(half.lanes());
        let [low, high] = [low, high].map(|lanes| self.put_together(clif_type(half), lanes));
        self.joined_halves(low, high)
    }

    pub(super) fn put_together(&mut self, ty: ClifType, lanes: &[Value]) -> Value {
        let first = self.b.ins().scalar_to_vector(ty, lanes[0]);
        lanes.iter().enumerate().skip(1).fold(first, |v, (k, &lane)| self.b.ins().insertlane(v, lane, k as u8))
    }
}
