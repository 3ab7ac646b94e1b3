//! Integer expressions as sums: `2*i + n - 1`. Turns `i - 1 + 1` into `i`, and distances of subscripts into numbers.

use smallvec::SmallVec;
use trueline_ir::{BinaryOp, Editor, Expr, ExprData, Sym, Type, UnaryOp, Unit};

/// A sum of terms, each an integer expression (of any kind, without conversions around it) times a
/// constant, in the order of appearance.
#[derive(Clone, Default, Debug)]
pub(crate) struct Linear {
    pub(crate) terms: SmallVec<[(Expr, i64); 4]>,
    pub(crate) constant: i64,
}

impl Linear {
    /// `e`, an integer of any kind, as a sum. An overflow in a smaller kind is not seen: subscripts and
    /// bounds that overflow are outside their array anyway.
    pub(crate) fn of(u: &Unit, e: Expr) -> Linear {
        let mut sum = Linear::default();
        sum.add(u, e, 1);
        sum
    }

    /// The sum less `other`.
    pub(crate) fn minus(mut self, other: &Linear) -> Linear {
        for &(e, c) in &other.terms {
            self.add_term(e, c.wrapping_neg());
        }
        self.constant = self.constant.wrapping_sub(other.constant);
        self
    }

    /// Adds `e * k`.
    pub(crate) fn add(&mut self, u: &Unit, e: Expr, k: i64) {
        match u.expr(e) {
            ExprData::Int(_, v) => self.constant = self.constant.wrapping_add(v.wrapping_mul(k)),
            ExprData::Unary(UnaryOp::Neg, a) => self.add(u, a, k.wrapping_neg()),
            ExprData::Binary(BinaryOp::Add, a, b) => {
                self.add(u, a, k);
                self.add(u, b, k);
            }
            ExprData::Binary(BinaryOp::Sub, a, b) => {
                self.add(u, a, k);
                self.add(u, b, k.wrapping_neg());
            }
            ExprData::Binary(BinaryOp::Mul, a, b) => match (u.pool().as_int(a), u.pool().as_int(b)) {
                (Some(c), _) => self.add(u, b, k.wrapping_mul(c)),
                (_, Some(c)) => self.add(u, a, k.wrapping_mul(c)),
                _ => self.add_term(e, k),
            },
            ExprData::Convert(Type::I8, a) if is_integer(u.ty(a)) => self.add(u, a, k),
            _ => self.add_term(e, k),
        }
    }

    /// Adds `k` times a term.
    pub(crate) fn add_term(&mut self, e: Expr, k: i64) {
        match self.terms.iter_mut().find(|(t, _)| *t == e) {
            Some((_, c)) => *c = c.wrapping_add(k),
            None => self.terms.push((e, k)),
        }
        self.terms.retain(|(_, c)| *c != 0);
    }

    /// The value, if it is a constant.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Takes the multiple of the register `v` (of any integer kind) out of the sum.
    pub(crate) fn take(&mut self, u: &Unit, v: Sym) -> i64 {
        let is_v = |e: Expr| u.expr(e) == ExprData::Var(v);
        let taken = self.terms.iter().filter(|(e, _)| is_v(*e)).map(|(_, c)| c).sum();
        self.terms.retain(|(e, _)| !is_v(*e));
        taken
    }

    /// Whether `v` occurs in it.
    pub(crate) fn mentions(&self, u: &Unit, v: Sym) -> bool {
        self.terms.iter().any(|(e, _)| u.mentions(*e, v))
    }

    /// The expression.
    pub(crate) fn build(&self, ed: &mut Editor<'_>) -> Expr {
        let mut sum: Option<Expr> = None;
        let positive = self.terms.iter().filter(|(_, c)| *c > 0);
        let negative = self.terms.iter().filter(|(_, c)| *c <= 0);
        for &(e, c) in positive {
            let term = scaled(ed, e, c);
            sum = Some(match sum {
                Some(s) => ed.binary(BinaryOp::Add, s, term),
                None => term,
            });
        }
        let mut constant = self.constant;
        for &(e, c) in negative {
            let term = scaled(ed, e, c.wrapping_neg());
            let from = match sum {
                Some(s) => s,
                None => ed.int(Type::I8, std::mem::take(&mut constant)),
            };
            sum = Some(ed.binary(BinaryOp::Sub, from, term));
        }
        let (op, constant) =
            if constant < 0 && constant != i64::MIN { (BinaryOp::Sub, -constant) } else { (BinaryOp::Add, constant) };
        match sum {
            Some(s) if constant == 0 => s,
            Some(s) => {
                let c = ed.int(Type::I8, constant);
                ed.binary(op, s, c)
            }
            None => ed.int(Type::I8, self.constant),
        }
    }
}

fn scaled(ed: &mut Editor<'_>, e: Expr, c: i64) -> Expr {
    let e = ed.widen(e);
    if c == 1 {
        return e;
    }
    let c = ed.int(Type::I8, c);
    ed.binary(BinaryOp::Mul, c, e)
}

/// An integer type.
pub(crate) fn is_integer(ty: Type) -> bool {
    matches!(ty, Type::I1 | Type::I2 | Type::I4 | Type::I8)
}

/// `a + k*b`, simplified.
pub(crate) fn add_scaled(ed: &mut Editor<'_>, a: Expr, b: Expr, k: i64) -> Expr {
    let mut sum = Linear::of(ed, a);
    sum.add(ed, b, k);
    sum.build(ed)
}

/// `a - b`, simplified.
pub(crate) fn difference(ed: &mut Editor<'_>, a: Expr, b: Expr) -> Expr {
    add_scaled(ed, a, b, -1)
}

/// `a * b`, simplified where one of them is a constant.
pub(crate) fn product(ed: &mut Editor<'_>, a: Expr, b: Expr) -> Expr {
    let zero = ed.int(Type::I8, 0);
    match (ed.pool().as_int(a), ed.pool().as_int(b)) {
        (Some(k), _) => add_scaled(ed, zero, b, k),
        (_, Some(k)) => add_scaled(ed, zero, a, k),
        _ => ed.binary(BinaryOp::Mul, a, b),
    }
}
