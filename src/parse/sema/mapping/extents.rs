//! Numbers in directives: constants, the number of processors, and linear functions of alignment dummies.

use crate::constant::eval::const_eval;
use crate::scope::symbol::{Extent, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId};
use trueline_ir::Sym;
use trueline_ir::mapping::{Extents, GridExtent, Linear};
use trueline_syntax::Name;
use trueline_syntax::ast::{Ast, BinaryOp, ExprId, ExprKind, UnaryOp};

/// A number that directives use in `scope`, if it is constant.
pub(super) fn number(decls: &Declarations<'_>, scope: ScopeId, x: ExprId) -> Option<i64> {
    const_eval(decls, scope, x).ok()?.as_int()
}

/// The elements of a constant integer array.
pub(super) fn numbers(decls: &Declarations<'_>, scope: ScopeId, x: ExprId) -> Option<Vec<i64>> {
    let value = const_eval(decls, scope, x).ok()?;
    let array = value.array()?;
    (array.shape.len() == 1).then(|| array.values.iter().map(crate::constant::Scalar::as_int).collect())?
}

/// A bound that a declaration gives.
pub(super) fn bound(decls: &Declarations<'_>, scope: ScopeId, extent: Extent) -> Option<i64> {
    match extent {
        Extent::Known(n) => Some(n),
        Extent::Entry(x) => number(decls, scope, x),
        Extent::Deferred | Extent::Assumed => None,
    }
}

/// The constant bounds of dimension `d` of an array, template or arrangement.
pub(super) fn bounds(decls: &Declarations<'_>, id: SymbolId, d: usize) -> Option<(i64, i64)> {
    let s = &decls.symbols[id];
    let b = s.shape.get(d)?;
    Some((bound(decls, s.scope, b.lower)?, bound(decls, s.scope, b.upper)?))
}

/// The bounds of dimension `d` of an alignment target, as a mapping has them.
pub(super) fn template(decls: &Declarations<'_>, id: SymbolId, d: usize) -> Extents {
    match bounds(decls, id, d) {
        Some((lo, hi)) => Extents::Known(lo, hi),
        None if decls.symbols[id].kind == SymbolKind::Variable => {
            Extents::Of(Sym::from_u32(id.as_u32()), u8::try_from(d).unwrap_or(u8::MAX))
        }
        None => Extents::Unknown,
    }
}

/// The extent of dimension `d` of a processor arrangement.
pub(super) fn grid(decls: &Declarations<'_>, id: SymbolId, d: usize) -> GridExtent {
    if let Some((lo, hi)) = bounds(decls, id, d) {
        let extent = i128::from(hi) - i128::from(lo) + 1;
        return GridExtent::Known(u64::try_from(extent).unwrap_or(1).max(1));
    }
    let s = &decls.symbols[id];
    let from_one = s.shape.get(d).and_then(|b| bound(decls, s.scope, b.lower)) == Some(1);
    match s.shape.get(d).map(|b| b.upper) {
        Some(Extent::Entry(x)) if from_one => ranks(decls, s.scope, x),
        _ => GridExtent::Unknown,
    }
}

/// `NUMBER_OF_PROCESSORS()` and quotients of it.
fn ranks(decls: &Declarations<'_>, scope: ScopeId, x: ExprId) -> GridExtent {
    let ast = decls.ast(scope);
    match ast.expr(x).kind {
        ExprKind::Paren(inner) => ranks(decls, scope, inner),
        ExprKind::Call { base, args } if ast.args(args).is_empty() => match ast.expr(base).kind {
            ExprKind::Name(name) if ast.name(name) == "number_of_processors" => GridExtent::Ranks(1),
            _ => GridExtent::Unknown,
        },
        ExprKind::Binary { op: BinaryOp::Div, left, right } => {
            match (ranks(decls, scope, left), number(decls, scope, right)) {
                (GridExtent::Ranks(by), Some(n)) if n > 0 => {
                    by.checked_mul(n.unsigned_abs()).map_or(GridExtent::Unknown, GridExtent::Ranks)
                }
                _ => GridExtent::Unknown,
            }
        }
        _ => GridExtent::Unknown,
    }
}

/// A subscript of an alignment target: a constant, or a function of one dummy.
pub(super) enum Subscript {
    /// No dummy in it: the value, if it is constant.
    Fixed(Option<i64>),
    /// A linear function of the dummy.
    Of(Name, Linear),
    /// Anything else.
    NotLinear,
}

/// Reads the subscript `x` as a function of one of `dummies`.
pub(super) fn subscript(decls: &Declarations<'_>, scope: ScopeId, x: ExprId, dummies: &[Name]) -> Subscript {
    let reader = Reader { decls, scope, ast: decls.ast(scope), dummies };
    match reader.read(x, 0) {
        None => Subscript::NotLinear,
        Some(Part { dummy: None, offset, .. }) => Subscript::Fixed(offset),
        Some(Part { dummy: Some(name), stride, offset }) => Subscript::Of(name, Linear { stride, offset }),
    }
}

struct Reader<'r, 'a> {
    decls: &'r Declarations<'a>,
    scope: ScopeId,
    ast: &'a Ast,
    dummies: &'r [Name],
}

/// `stride * dummy + offset`.
struct Part {
    dummy: Option<Name>,
    stride: Option<i64>,
    offset: Option<i64>,
}

/// Deeper expressions are no linear functions that anybody wrote.
const MOST_DEPTH: usize = 200;

impl Reader<'_, '_> {
    fn read(&self, x: ExprId, depth: usize) -> Option<Part> {
        if depth > MOST_DEPTH {
            return None;
        }
        if !self.mentions(x) {
            return Some(Part { dummy: None, stride: Some(0), offset: number(self.decls, self.scope, x) });
        }
        let map = |a: Option<i64>, b: Option<i64>, f: fn(i64, i64) -> Option<i64>| f(a?, b?);
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => Some(Part { dummy: Some(name), stride: Some(1), offset: Some(0) }),
            ExprKind::Paren(inner) | ExprKind::Unary { op: UnaryOp::Plus, operand: inner } => {
                self.read(inner, depth + 1)
            }
            ExprKind::Unary { op: UnaryOp::Minus, operand } => {
                let p = self.read(operand, depth + 1)?;
                let negated = |v: Option<i64>| v.and_then(i64::checked_neg);
                Some(Part { dummy: p.dummy, stride: negated(p.stride), offset: negated(p.offset) })
            }
            ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), left, right } => {
                let (a, b) = (self.read(left, depth + 1)?, self.read(right, depth + 1)?);
                if a.dummy.is_some() && b.dummy.is_some() && a.dummy != b.dummy {
                    return None;
                }
                let f = if op == BinaryOp::Add { i64::checked_add } else { i64::checked_sub };
                Some(Part {
                    dummy: a.dummy.or(b.dummy),
                    stride: map(a.stride, b.stride, f),
                    offset: map(a.offset, b.offset, f),
                })
            }
            ExprKind::Binary { op: BinaryOp::Mul, left, right } => {
                let (a, b) = (self.read(left, depth + 1)?, self.read(right, depth + 1)?);
                let (of, by) = match (a.dummy, b.dummy) {
                    (Some(_), Some(_)) => return None,
                    (Some(_), None) => (a, b.offset),
                    _ => (b, a.offset),
                };
                let times = |v| map(v, by, i64::checked_mul);
                Some(Part { dummy: of.dummy, stride: times(of.stride), offset: times(of.offset) })
            }
            _ => None,
        }
    }

    fn mentions(&self, x: ExprId) -> bool {
        let mut found = false;
        crate::visit::expressions(self.ast, x, &mut |x| {
            found |= matches!(self.ast.expr(x).kind, ExprKind::Name(n) if self.dummies.contains(&n));
        });
        found
    }
}
