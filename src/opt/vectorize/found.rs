//! Numbers that are found over all iterations in whatever order: the greatest, sums, bits; those of reals if options allow it.

use crate::Arithmetic;
use trueline_ir::{BinaryOp, Editor, Expr, ExprData, Head, Intrinsic, Stmt, Sym, Type, Unit};

/// A register that each iteration combines with a value, in whatever order.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) register: Sym,
    pub(super) by: By,
    pub(super) value: Expr,
}

/// How.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Add,
    Sub,
    Mul,
    Function(Intrinsic),
}

impl By {
    /// Whether a value that comes several times is as good as one.
    pub(super) fn repeats(self) -> bool {
        matches!(self, By::Function(Intrinsic::Max | Intrinsic::Min | Intrinsic::Iand | Intrinsic::Ior))
    }

    /// The number that a combination with changes nothing, if values that come several times are not as good as one.
    pub(super) fn nothing(self) -> i64 {
        i64::from(self == By::Mul)
    }

    pub(super) fn make(self, ed: &mut Editor<'_>, a: Expr, b: Expr) -> Expr {
        match self {
            By::Add => ed.binary(BinaryOp::Add, a, b),
            By::Sub => ed.binary(BinaryOp::Sub, a, b),
            By::Mul => ed.binary(BinaryOp::Mul, a, b),
            By::Function(i) => ed.intrinsic(i, &[a, b]),
        }
    }
}

/// The register that the statement `s` combines with a value in each iteration, if it does that in a way that makes no difference. With
/// `again` it may make one for the greatest and the least of reals.
pub(super) fn found(u: &Unit, s: Stmt, arithmetic: Arithmetic, again: bool) -> Option<Found> {
    let f = combined(u, s)?;
    let may = match (u.sym(f.register).ty, f.by) {
        (Type::I4 | Type::I8, By::Mul) => false,
        (Type::I4, _) => true,
        (Type::I8, by) => !matches!(by, By::Function(Intrinsic::Max | Intrinsic::Min)),
        (Type::R4 | Type::R8, By::Function(_)) => again || arithmetic.has_one_greatest(),
        (Type::R4 | Type::R8, _) => arithmetic.may_regroup(),
        _ => false,
    };
    may.then_some(f)
}

/// The register that the statement `s` combines with a value in each iteration.
pub(super) fn combined(u: &Unit, s: Stmt) -> Option<Found> {
    let Head::Assign { place, value } = u.head(s) else { return None };
    let register = u.defines(u.head(s))?;
    let (by, a, b) = match u.expr(value) {
        ExprData::Binary(BinaryOp::Add, a, b) => (By::Add, a, b),
        ExprData::Binary(BinaryOp::Sub, a, b) => (By::Sub, a, b),
        ExprData::Binary(BinaryOp::Mul, a, b) => (By::Mul, a, b),
        ExprData::Intrinsic(
            i @ (Intrinsic::Iand | Intrinsic::Ior | Intrinsic::Ieor | Intrinsic::Max | Intrinsic::Min),
            l,
        ) => match *u.list(l) {
            [a, b] => (By::Function(i), a, b),
            _ => return None,
        },
        _ => return None,
    };
    let value = if a == place {
        b
    } else if b == place && by != By::Sub {
        a
    } else {
        return None;
    };
    (!u.mentions(value, register)).then_some(Found { register, by, value })
}
