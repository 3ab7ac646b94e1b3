//! Numbers that are found over all iterations in whatever order: the greatest, sums, bits.

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
    Function(Intrinsic),
}

impl By {
    /// Whether a value that comes several times is as good as one.
    pub(super) fn repeats(self) -> bool {
        matches!(self, By::Function(Intrinsic::Max | Intrinsic::Min | Intrinsic::Iand | Intrinsic::Ior))
    }

    pub(super) fn make(self, ed: &mut Editor<'_>, a: Expr, b: Expr) -> Expr {
        match self {
            By::Add => ed.binary(BinaryOp::Add, a, b),
            By::Sub => ed.binary(BinaryOp::Sub, a, b),
            By::Function(i) => ed.intrinsic(i, &[a, b]),
        }
    }
}

/// The register that the statement `s` combines with a value in each iteration, if it does that.
pub(super) fn found(u: &Unit, s: Stmt) -> Option<Found> {
    let Head::Assign { place, value } = u.head(s) else { return None };
    let register = u.defines(u.head(s)).filter(|&v| matches!(u.sym(v).ty, Type::I4 | Type::I8))?;
    let (by, a, b) = match u.expr(value) {
        ExprData::Binary(BinaryOp::Add, a, b) => (By::Add, a, b),
        ExprData::Binary(BinaryOp::Sub, a, b) => (By::Sub, a, b),
        ExprData::Intrinsic(i @ (Intrinsic::Iand | Intrinsic::Ior | Intrinsic::Ieor), l) => {
            (By::Function(i), u.list(l)[0], u.list(l)[1])
        }
        ExprData::Intrinsic(i @ (Intrinsic::Max | Intrinsic::Min), l) if u.sym(register).ty == Type::I4 => {
            (By::Function(i), u.list(l)[0], u.list(l)[1])
        }
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
