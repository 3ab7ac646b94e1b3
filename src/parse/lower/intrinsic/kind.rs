//! SELECTED_INT_KIND, SELECTED_REAL_KIND and SELECTED_CHAR_KIND of values that are known at run time only: a choice among the kinds there are.

use crate::intrinsic::Intrinsics;
use crate::values::{Checked, Val};
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic as Ir, Type};
use trueline_sema::constant::eval::const_eval;
use trueline_sema::intrinsic::Actuals;
use trueline_sema::intrinsic::Intrinsic as Row;
use trueline_sema::intrinsic::library::{Gives, Library, Pass};
use trueline_syntax::ast::ExprId;

/// Decimal digits that fit an integer, with its kind.
const INTEGERS: [(i64, i64); 4] = [(18, 8), (9, 4), (4, 2), (2, 1)];

impl Intrinsics<'_, '_> {
    /// The kind of the least type that is large enough.
    pub(crate) fn selected_kind(&mut self, x: ExprId, row: &Row, args: &Actuals) -> Val {
        match row.name {
            "selected_int_kind" => {
                let digits = self.digits(row, args, 0);
                let mut kind = self.e.int4(-1);
                for (most, this) in INTEGERS {
                    kind = self.if_at_most(digits, most, this, kind);
                }
                Val::plain(kind)
            }
            "selected_real_kind" | "ieee_selected_real_kind" => {
                let (precision, range) = (self.digits(row, args, 0), self.digits(row, args, 1));
                // Nothing has the precision, nothing has the range, or nothing has both.
                let (no_range, nothing) = (self.e.int4(-2), self.e.int4(-3));
                let neither = self.if_at_most(range, 4931, -1, nothing);
                let enough = self.if_at_most(range, 4931, 16, no_range);
                let quad = self.choose(precision, 33, enough, neither);
                let enough = self.if_at_most(range, 307, 8, quad);
                let double = self.choose(precision, 15, enough, quad);
                let single = self.if_at_most(range, 37, 4, double);
                let kind = self.choose(precision, 6, single, double);
                let Some(radix) = self.actual(row, args, 2) else { return Val::plain(kind) };
                let own = self.ty(radix.e);
                let two = self.make(ExprData::Int(own, 2));
                let is_binary = self.e.make(ExprData::Binary(BinaryOp::Eq, radix.e, two));
                let other = self.e.int4(-5);
                Val::plain(self.intrinsic(Ir::Merge, &[kind, other, is_binary]))
            }
            _ => {
                if let Ok(c) = const_eval(self.cx.decls, self.scope, x) {
                    return self.const_value(&c);
                }
                let library = Library { passes: &[Pass::InText], gives: Gives::Number(Type::I4) };
                self.library_call(row, library, args).checked()
            }
        }
    }

    /// An argument, or 0 where it is left out.
    fn digits(&mut self, row: &Row, args: &Actuals, k: usize) -> Expr {
        match self.actual(row, args, k) {
            Some(v) => {
                self.must_be_scalar(v.e);
                let wide = self.convert(Type::I8, v.e);
                self.in_register(wide)
            }
            None => self.int8(0),
        }
    }

    fn if_at_most(&mut self, n: Expr, most: i64, then: i64, otherwise: Expr) -> Expr {
        let then = self.e.int4(then);
        self.choose(n, most, then, otherwise)
    }

    /// `then` if `n <= most`.
    fn choose(&mut self, n: Expr, most: i64, then: Expr, otherwise: Expr) -> Expr {
        let most = self.int8(most);
        let fits = self.make(ExprData::Binary(BinaryOp::Le, n, most));
        self.intrinsic(Ir::Merge, &[then, otherwise, fits])
    }
}
